// A link of the workbench that is opened in a report: rules that the page can't work out lead on, and break nothing.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { deflateRawSync } from "node:zlib";

import * as browser from "./browser.js";

before(browser.open);
after(browser.close);

const RULES = 'name = "Ünder \\"quotes\\""\n[checks.main]\nrules = "show total = 2d6"\n';
const hashOf = (state) => `#rules=${deflateRawSync(JSON.stringify(state)).toString("base64url")}`;
const note = (page) => page.locator("#linked .note");

test("rules in a link are saved as they are, with the command that opens them", async () => {
  const page = await browser.visit(hashOf({ rules: RULES, name: "../mine/My game.toml", check: "main", settings: { edge: "2" } }));
  await note(page).waitFor();
  assert.equal(await note(page).locator(".command code").textContent(), "oddsmith serve My-game.toml");
  assert.equal(await note(page).getByRole("button", { name: /settings/ }).count(), 0);
  const [saved] = await Promise.all([page.waitForEvent("download"), note(page).getByRole("button", { name: "Save My-game.toml" }).click()]);
  assert.equal(saved.suggestedFilename(), "My-game.toml");
  assert.equal(await readFile(await saved.path(), "utf8"), RULES);
  await page.screenshot({ path: join(process.env.OUT, "linked.png") });
  assert.deepEqual(page.complaints, []);
});

test("the settings of a link can be used for the game of that name in the report", async () => {
  const page = await browser.visit();
  const check = (await browser.checks(page)).find((own) => own.axes.some((axis) => axis.numbers?.length > 2));
  const axis = check.axes.find((own) => own.numbers?.length > 2);
  const [game, name] = check.id.split(":");
  const linked = await browser.visit(hashOf({ rules: RULES, name: `${game}.toml`, check: name, settings: { [axis.name]: `${axis.numbers.at(-1)}` } }));
  await note(linked).getByRole("button", { name: /settings/ }).click();
  const shown = await browser.explorer(linked, check.id);
  const last = `${axis.numbers.at(-1)}`;
  assert.match(shown.command, new RegExp(` --set ${axis.name}=${last}( |$)`));
  assert.deepEqual(linked.complaints, []);
});

test("what can't be read is said, and the next link clears it", async () => {
  const page = await browser.visit();
  for (const hash of ["#rules=AAAA", "#rules=!!", "#rules=%F0", hashOf({ name: "no-rules" }), hashOf({ rules: 7 })]) {
    await page.goto(browser.address + hash);
    await page.locator("#linked", { hasText: "can't be read" }).waitFor();
  }
  await page.locator("nav a").first().click();
  await page.waitForFunction(() => document.querySelector("#linked").childElementCount === 0);
  assert.deepEqual(page.complaints, []);
});
