// Before and after: pins, differences, who is better, the versions of the session.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { NEEDS_FILES, RULES, bench, close, editor, expected, glance, open, panel, retype, settled, slide } from "./browser.js";

before(open);
after(close);

/** The difference of two percentages as whole hundredths. */
const hundredths = (text) => Math.round(Number.parseFloat(text.replace("−", "-")) * 100);

test("a pinned version stands beside every answer, with its differences", () => bench(test, {}, async (page) => {
  await page.locator("#pin").click();
  await page.waitForSelector('[data-panel="glance"] .side.before');
  await retype(page, "[7, 10]", "[6, 11]");
  for (const bonus of [0, 4]) {
    await slide(page, "bonus", [bonus]);
    await settled(page, "glance");
    await settled(page, "odds");
    const now = expected(RULES.replace("[7, 10]", "[6, 11]"), [`bonus=${bonus}`]);
    const old = expected(RULES, [`bonus=${bonus}`]);
    assert.deepEqual([await glance(page), await glance(page, "before")], [now, old]);
    const rows = await panel(page, "odds").locator(".odds-table tbody tr").evaluateAll((nodes) =>
      nodes.map((node) => [...node.cells].map((cell) => cell.textContent)));
    for (const [name, , odds, , was, points] of rows) {
      assert.deepEqual([odds, was], [now[name], old[name]]);
      assert.ok(Math.abs(hundredths(points) - (hundredths(odds) - hundredths(was))) <= 1, `${name}: ${points}`);
    }
    // A Graze is easier and a Hit harder: neither version is better.
    assert.equal(await page.locator(".order").getAttribute("data-order"), "neither");
  }
  await retype(page, "[6, 11]", "[6, 9]");
  await settled(page, "glance");
  assert.equal(await page.locator(".order").getAttribute("data-order"), "now");
  await retype(page, "[6, 9]", "[9, 12]");
  await settled(page, "glance");
  assert.equal(await page.locator(".order").getAttribute("data-order"), "before");
  await page.locator("#pin").click();
  await page.waitForSelector('[data-panel="glance"] .side.before', { state: "detached" });
}));

test("the file can be pinned, and what changed in every check is listed", NEEDS_FILES, () => bench(test, {}, async (page) => {
  await retype(page, "[7, 10]", "[7, 12]");
  await page.locator("#tab-versions").click();
  await page.getByRole("button", { name: "Pin the file" }).click();
  await settled(page, "glance");
  await settled(page, "changes");
  assert.deepEqual(await glance(page, "before"), expected(RULES));
  assert.match(await panel(page, "changes").textContent(), /attack\d+ of \d+ configurations, most of all/);
}));

test("the session's versions have a line each, and each can be gone back to", () => bench(test, {}, async (page) => {
  await page.locator("#tab-versions").click();
  await retype(page, "[7, 10]", "[7, 12]");
  await page.locator(".versions li", { hasText: "line 5: targets = { default = [7, 12]" }).waitFor();
  await retype(page, "[7, 12]", "[5, 12]");
  await page.locator(".versions li", { hasText: "[5, 12]" }).waitFor();
  assert.equal(await page.locator(".versions li").count(), 3);
  await page.locator(".versions li").last().getByRole("button").click();
  assert.match(await editor(page).textContent(), /\[7, 10\]/);
  await settled(page, "glance");
  assert.deepEqual(await glance(page), expected(RULES));
  await page.locator("#undo").click();
  assert.match(await editor(page).textContent(), /\[5, 12\]/);
}));

test("goals are clicked together, and the patch is an edit that undo takes back", () => bench(test, {}, async (page) => {
  await page.getByRole("button", { name: "Make P(band>=Hit) a goal of tuning" }).click();
  await page.locator('[data-panel="tune"]').waitFor();
  await page.getByLabel("number").fill("10");
  await page.getByRole("combobox", { name: "parameter" }).selectOption("targets[1]");
  await page.getByRole("button", { name: "Search" }).click();
  const apply = page.getByRole("button", { name: "Apply to the rules" });
  await apply.waitFor();
  // Of 7 to 13 the target 12 gives 3 of 36, which is nearest to a tenth.
  assert.match(await page.locator(".patch").textContent(), /\+targets = \{ default = \[7, 12\]/);
  await apply.click();
  assert.match(await editor(page).textContent(), /\[7, 12\]/);
  await settled(page, "glance");
  assert.deepEqual(await glance(page), expected(RULES.replace("[7, 10]", "[7, 12]")));
  await page.locator("#undo").click();
  assert.match(await editor(page).textContent(), /\[7, 10\]/);
}));

test("expectations turn red as one types, and their tab counts them", () => bench(test, {}, async (page) => {
  await page.locator("#tab-expectations").click();
  await settled(page, "expectations");
  assert.equal(await page.locator(".expectation.is-broken").count(), 0);
  assert.equal(await page.locator(".expectation .source").count(), 0);
  await retype(page, "[0, 0.5]", "[0, 0.5]\nsource = \"The rules, page 4\"");
  await page.locator(".expectation .source").waitFor();
  assert.equal(await page.locator(".expectation .source").textContent(), "Source: The rules, page 4");
  await retype(page, "[7, 10]", "[10, 11]");
  await page.locator(".expectation.is-broken").waitFor();
  assert.match(await page.locator("#tab-expectations").textContent(), /Expectations 1/);
  await page.locator(".expectation.is-broken").getByRole("button", { name: "Show" }).click();
  assert.equal(await page.evaluate(() => document.activeElement.id), "editor");
}));
