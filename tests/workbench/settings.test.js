// Sliders, choices and fields: everything follows them, and one undo goes over them and over edits.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { RULES, bench, close, editor, expected, glance, open, panel, retype, settled, slide } from "./browser.js";

before(open);
after(close);

const field = (page, name) => page.locator(`[data-name="${name}"] input[type="text"]`);

test("every combination of a slider, a choice and a field has the odds of the oracle", () => bench(test, {}, async (page) => {
  for (const bonus of [-5, 0, 10]) {
    for (const edge of [0, 2]) {
      for (const style of ["steady", "wild"]) {
        await slide(page, "bonus", [bonus]);
        await field(page, "edge").fill(`${edge}`);
        await field(page, "edge").press("Enter");
        await page.locator(`[data-name="style"] label`, { hasText: style }).click();
        await settled(page, "glance");
        assert.deepEqual(await glance(page), expected(RULES, [`bonus=${bonus}`, `edge=${edge}`, `style=${style}`]), `${bonus} ${edge} ${style}`);
      }
    }
  }
}));

test("parameters are settings too, each element of a list by itself", () => bench(test, {}, async (page) => {
  await page.locator('[data-group="parameter"] > summary').click();
  await slide(page, "targets[1]", [12]);
  await page.locator('[data-name="ties"] label', { hasText: "defender" }).click();
  await settled(page, "glance");
  assert.deepEqual(await glance(page), expected(RULES, ["targets[1]=12", "ties=defender"]));
}));

test("a value outside the domain is refused where it is given", () => bench(test, {}, async (page) => {
  await field(page, "bonus").fill("99");
  await field(page, "bonus").press("Enter");
  assert.equal(await field(page, "bonus").getAttribute("aria-invalid"), "true");
  assert.deepEqual(await glance(page), expected(RULES));
}));

test("the default is marked, and reset goes back to it", () => bench(test, {}, async (page) => {
  const reset = page.locator('[data-name="bonus"] .reset');
  assert.equal(await reset.isVisible(), false);
  await slide(page, "bonus", [4]);
  await slide(page, "guard", [2]);
  await reset.click();
  assert.equal(await field(page, "bonus").inputValue(), "1");
  assert.equal(await field(page, "guard").inputValue(), "2");
  await page.getByRole("button", { name: "Reset all" }).click();
  assert.equal(await field(page, "guard").inputValue(), "0");
}));

test("one undo goes over moves of sliders and edits alike, a held slider being one move", () => bench(test, {}, async (page) => {
  const shown = async () => [await field(page, "bonus").inputValue(), /\[7, 1\d\]/.exec(await editor(page).textContent())[0]];
  await slide(page, "bonus", [2, 3, 4]);
  await retype(page, "[7, 10]", "[7, 12]");
  await slide(page, "bonus", [5, 6]);
  const states = [["1", "[7, 10]"], ["4", "[7, 10]"], ["4", "[7, 12]"], ["6", "[7, 12]"]];
  assert.deepEqual(await shown(), states[3]);
  const trail = [states[3]];
  while (await page.locator("#undo").isEnabled()) {
    await page.locator("#undo").click();
    trail.push(await shown());
  }
  // Typing may be undone in several steps; the states between two moves come up in their order.
  const met = trail.filter((own) => states.some((state) => `${state}` === `${own}`));
  assert.deepEqual([...new Set(met.map(String))], states.toReversed().map(String));
  while (await page.locator("#redo").isEnabled()) await page.locator("#redo").click();
  assert.deepEqual(await shown(), states[3]);
  await settled(page, "glance");
  assert.deepEqual(await glance(page), expected(RULES.replace("[7, 10]", "[7, 12]"), ["bonus=6"]));
}));

test("a field moves the odds with every key, and what was typed is one step to undo", () => bench(test, {}, async (page) => {
  await field(page, "bonus").focus();
  await page.keyboard.press("Control+a");
  for (const [key, value] of [["1", "1"], ["0", "10"]]) {
    await page.keyboard.type(key);
    await settled(page, "glance");
    assert.deepEqual(await glance(page), expected(RULES, [`bonus=${value}`]));
  }
  // What can't be read moves nothing, and stays to be mended.
  await page.keyboard.type("x");
  assert.equal(await field(page, "bonus").inputValue(), "10x");
  assert.deepEqual(await glance(page), expected(RULES, ["bonus=10"]));
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Enter");
  await page.locator("#undo").click();
  await settled(page, "glance");
  assert.deepEqual(await glance(page), expected(RULES));
  assert.equal(await page.locator("#undo").isEnabled(), false);
}));

test("arrows in a field go from step to step", () => bench(test, {}, async (page) => {
  await field(page, "edge").focus();
  for (const value of ["1", "2", "3", "3"]) {
    await page.keyboard.press("ArrowUp");
    assert.equal(await field(page, "edge").inputValue(), value);
  }
  await settled(page, "glance");
  assert.deepEqual(await glance(page), expected(RULES, ["edge=3"]));
}));

test("a row of the table is a way to its settings, and the row of what is set is marked", () => bench(test, {}, async (page) => {
  await page.locator("#tab-table").click();
  const table = page.locator('[data-panel="table"]');
  await table.getByLabel("edge").check();
  await settled(page, "table");
  await table.getByRole("button", { name: "3, 2", exact: true }).click();
  await settled(page, "glance");
  assert.deepEqual(await glance(page), expected(RULES, ["bonus=3", "edge=2"]));
  const marked = () => table.locator("tr[aria-current] th").allTextContents();
  assert.deepEqual(await marked(), ["3", "2"]);
  await slide(page, "edge", [1]);
  assert.deepEqual(await marked(), ["3", "1"]);
}));

test("the mode of colours is remembered for the tab, and the button says what it leads to", () => bench(test, { colorScheme: "light" }, async (page) => {
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await page.getByRole("button", { name: "Dark mode" }).click();
  const dark = await paper();
  assert.notEqual(dark, light);
  await page.reload();
  assert.equal(await paper(), dark);
  await page.getByRole("button", { name: "Light mode" }).click();
  assert.equal(await paper(), light);
}));

test("the filter finds settings by name and help", () => bench(test, {}, async (page) => {
  await page.getByRole("searchbox", { name: "Filter settings" }).fill("tie");
  assert.deepEqual(await page.locator(".control:visible").evaluateAll((nodes) => nodes.map((node) => node.dataset.name)), ["ties"]);
}));

test("the table, the chart and the track follow the sliders", () => bench(test, {}, async (page) => {
  await slide(page, "edge", [2]);
  await page.locator("#tab-table").click();
  await settled(page, "table");
  const row = page.locator('[data-panel="table"] tbody tr', { has: page.locator("th", { hasText: /^3$/ }) });
  const cells = (await row.locator("td:not(.space)").allTextContents()).slice(0, 3);
  assert.deepEqual(cells, Object.values(expected(RULES, ["bonus=3", "edge=2"])));
  await page.locator("#tab-chart").click();
  await settled(page, "chart");
  const before = await page.locator('[data-panel="chart"] svg').innerHTML();
  await slide(page, "edge", [0]);
  await settled(page, "chart");
  assert.notEqual(await page.locator('[data-panel="chart"] svg').innerHTML(), before);
}));

const LABELLED = {
  name: "labelled.toml",
  text: `name = "Labelled"
[checks.roll]
bands = ["low", "high"]
labels = { six_or_more = "six or more", spent = "points spent" }
rules = """
show total = 2d6
show spent = 1d4
show six_or_more = total >= 6
show band = if total >= 7 then high else low
"""
[tracks.walk]
unit = "step"
rules = """
let gone = 0
repeat until gone == 3 { set gone = min(3, gone + 1d2) }
"""
`,
};

test("labels stand where people read what the rules show", () => bench(test, { rules: LABELLED }, async (page, server) => {
  if (server.isMock) return; // it knows one game
  const odds = await panel(page, "odds").textContent();
  for (const label of ["six or more", "mean(points spent)"]) assert.ok(odds.includes(label), `${label} in ${odds}`);
  assert.ok(!odds.includes("six_or_more"), odds);
  await page.getByRole("tab", { name: /^Track/ }).click();
  await settled(page, "track");
  assert.match(await panel(page, "track").textContent(), /mean\(steps\)/);
}));
