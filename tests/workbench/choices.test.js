// Policies and plans. The policy is what the program answered to `oddsmith policy stars-and-signs --set effort=2`.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";

import { bench, close, open, panel, percent, read, settled } from "./browser.js";
import { overview } from "./mock/game.mjs";

const POLICY = JSON.parse(readFileSync(new URL("recorded/policy.json", import.meta.url), "utf8"));

/** The small game as if something were chosen and spent in it. */
function instead(method, params, text) {
  if (method === "oddsmith/policy") return { version: params.textDocument.version, answer: POLICY };
  if (method !== "oddsmith/overview") return undefined;
  const answer = overview(read(text));
  answer.checks[0].maximise = POLICY.maximise;
  answer.resources = [{ name: "edge", checks: ["attack"], help: "" }];
  return { version: params.textDocument.version, answer };
}

before(open);
after(close);

test("ways to choose stand with their bands, and choices are tables to play by", () => bench(test, { needsMock: true, instead }, async (page) => {
  await page.locator("#tab-policy").click();
  await settled(page, "policy");
  const rows = (name) => panel(page, "policy").getByRole("region", { name, exact: true }).locator("tbody tr")
    .evaluateAll((nodes) => nodes.map((node) => [...node.cells].map((cell) => cell.textContent)));
  const ways = await rows("Ways to choose");
  assert.equal(ways.length, POLICY.rows.length);
  POLICY.rows.forEach(({ value, is_optimal: isOptimal, outcomes }, at) => {
    const [name, , , ...odds] = ways[at];
    assert.equal(name, isOptimal ? `${value} best` : value);
    const bands = outcomes.filter(({ kind }) => kind === "band");
    assert.deepEqual(odds.slice(0, bands.length), bands.map(({ weight, total }) => percent(BigInt(weight), BigInt(total))));
  });
  for (const { choice, rows: wanted } of POLICY.choices) {
    const shown = await rows(choice);
    assert.equal(shown.length, wanted.length);
    wanted.forEach(({ seen, chosen }, at) => {
      const values = [...Object.values(seen), chosen].map((own) => (Array.isArray(own) ? own.join(" ") : `${own}`.replace(/^-/, "−")));
      assert.deepEqual(shown[at].slice(0, values.length), values);
    });
  }
}));

test("a plan follows the number of checks and points", () => bench(test, { needsMock: true, instead }, async (page) => {
  await page.locator("#tab-plan").click();
  await settled(page, "plan");
  await page.getByRole("combobox", { name: "checks" }).selectOption("6");
  await page.getByRole("combobox", { name: "points" }).selectOption("9");
  await settled(page, "plan");
  const cells = await panel(page, "plan").getByRole("region", { name: "What is best" }).locator("tbody tr").first().locator("th, td").allTextContents();
  assert.deepEqual(cells, ["6", "9", "100.00%", "1", "2.5", "–"]);
}));

test("tabs of what the rules do not have are not there", () => bench(test, { needsMock: true }, async (page) => {
  assert.equal(await page.locator("#tab-policy").isVisible(), false);
  assert.equal(await page.locator("#tab-plan").isVisible(), false);
  assert.equal(await page.locator("#tab-track").isVisible(), true);
}));
