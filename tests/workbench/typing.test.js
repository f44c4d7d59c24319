// The editor: typing moves the odds, diagnostics come with fixes, and the language server's help is at hand.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { RULES, bench, close, editor, expected, find, glance, open, panel, retype, settled } from "./browser.js";

before(open);
after(close);

test("an edit of the rules moves the odds", () => bench(test, {}, async (page) => {
  assert.deepEqual(await glance(page), expected(RULES));
  for (const [graze, hit] of [[8, 12], [2, 3], [13, 14]]) {
    await find(page, /** the whole list, as it stands */ await current(page));
    await page.keyboard.type(`[${graze}, ${hit}]`);
    await settled(page, "glance");
    assert.deepEqual(await glance(page), expected(RULES.replace("[7, 10]", `[${graze}, ${hit}]`)), `targets ${graze}, ${hit}`);
  }
}));

const current = async (page) => /\[\d+, \d+\]/.exec(await page.locator("#editor .cm-line", { hasText: "targets =" }).first().textContent())[0];

test("a new axis has a slider at once, and an axis that goes takes its own along", () => bench(test, {}, async (page) => {
  await find(page, "[tracks.siege]");
  await page.keyboard.press("ArrowLeft");
  const line = 'axes.luck = { default = 2, domain = "0..=4", help = "does nothing" }';
  await page.keyboard.type("\n");
  await find(page, 'axes.guard');
  await page.keyboard.press("Home");
  await page.keyboard.type(`${line}\n`);
  await page.waitForSelector('[data-name="luck"] input[type="range"]');
  assert.equal(await page.locator('[data-name="luck"] input[type="text"]').inputValue(), "2");
  await find(page, line);
  await page.keyboard.press("Backspace");
  await page.waitForSelector('[data-name="luck"]', { state: "detached" });
}));

test("blanks are put right", () => bench(test, {}, async (page) => {
  await retype(page, "show total", "show    total");
  await page.keyboard.press("Shift+Alt+F");
  await page.locator("#editor .cm-line", { hasText: /^show total/ }).waitFor();
  await settled(page, "glance");
  assert.deepEqual(await glance(page), expected(RULES));
}));

test("broken rules keep the last good answer, dimmed, with the version that it belongs to", () => bench(test, {}, async (page) => {
  const before = await panel(page, "glance").getAttribute("data-version");
  await retype(page, "then Hit else", "then Hitt else");
  await page.waitForSelector('[data-panel="glance"][data-state="refused"]');
  const note = await panel(page, "glance").locator(".note").textContent();
  assert.match(note, /The rules have (1 error|errors)/);
  assert.match(note, new RegExp(`version ${before}\\.|version \\d+`));
  assert.deepEqual(await glance(page), expected(RULES));
  const opacity = await panel(page, "glance").locator(".answer").evaluate(async (node) => {
    await Promise.all(node.getAnimations().map(({ finished }) => finished));
    return Number(getComputedStyle(node).opacity);
  });
  assert.ok(opacity < 0.7, `it is dimmed: ${opacity}`);
  await page.waitForSelector("#editor .cm-lintRange-error");
}));

test("a diagnostic is marked where it is, and its fix mends the rules", () => bench(test, {}, async (page) => {
  await retype(page, "then Hit else", "then Hitt else");
  const mark = page.locator("#editor .cm-lintRange-error").first();
  await mark.waitFor();
  assert.match(await mark.textContent(), /Hitt/);
  await mark.hover();
  await page.locator("#editor .cm-diagnosticAction").first().click();
  await settled(page, "glance");
  assert.match(await editor(page).textContent(), /then Hit else/);
  assert.equal(await page.locator("#editor .cm-lintRange-error").count(), 0);
}));

test("completion, hover, definition and rename", () => bench(test, {}, async (page) => {
  await find(page, "let mark");
  await page.keyboard.press("End");
  await page.keyboard.type(" + gu");
  await page.locator("#editor .cm-tooltip-autocomplete li", { hasText: "guard" }).first().click();
  assert.match(await editor(page).textContent(), /else 1\) \+ guard/);
  await page.locator("#editor .cm-line", { hasText: "let mark" }).locator("span", { hasText: "mark" }).first().hover().catch(() => {});
  await find(page, "edge)d6");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("F2");
  await page.locator("#editor .cm-ask input").fill("keenness");
  await page.keyboard.press("Enter");
  await page.waitForSelector('[data-name="keenness"]', { state: "attached" });
  assert.match(await editor(page).textContent(), /\(2 \+ keenness\)d6kh2/);
}));

test("what hangs beside the end of a line lies within the editor", () => bench(test, {}, async (page) => {
  await find(page, "edge)d6");
  await page.keyboard.press("End");
  const { right } = await editor(page).evaluate((node) => node.getBoundingClientRect());
  const caret = () => page.locator("#editor .cm-cursor-primary").first().evaluate((node) => node.getBoundingClientRect().right);
  await page.keyboard.type(" + 0");
  while (right - await caret() > 90) await page.keyboard.type("0");
  await page.keyboard.type("+gu");
  const list = page.locator("#editor .cm-tooltip-autocomplete");
  await list.waitFor();
  const box = await list.evaluate((node) => node.getBoundingClientRect().right);
  assert.ok(box <= right, `the list ends at ${box}, the editor at ${right}`);
}));

test("what the server says is text, never HTML", (t) => bench(test, { needsMock: true }, async (page) => {
  await page.locator("#editor .cm-line", { hasText: "axes.guard" }).locator("span", { hasText: "guard" }).first().hover();
  const hint = page.locator("#editor .cm-hover");
  await hint.waitFor();
  assert.match(await hint.textContent(), /<b>an axis<\/b>/);
  assert.equal(await hint.locator("b").count(), 0);
}));
