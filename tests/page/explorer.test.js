// What a reader does with the explorer: move, pin, compare, go astray, send a link.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { answers } from "./command-line.js";
import * as browser from "./browser.js";

before(browser.open);
after(browser.close);

const DESKTOP = { viewport: { width: 1280, height: 1300 } };

/** The first check that has bands and an axis of several numbers, with that axis. */
async function playground(page) {
  for (const check of await browser.checks(page)) {
    const at = check.axes.findIndex((axis) => axis.numbers?.length > 2);
    if (at >= 0 && check.columns[0].kind === "band") return { check, axis: check.axes[at] };
  }
  throw new Error("the page has no check with bands and an axis of numbers");
}

/** What the page calls an axis, and one of its values. */
const title = ({ name, label }) => label || name;
const told = ({ valueLabels = [] }, value) =>
  valueLabels.find(([own]) => String(own) === String(value))?.[1] ?? String(value).replace("-", "−");

const field = (page, check, axis) => browser.section(page, check.id).locator(".axes").getByLabel(title(axis), { exact: true });
const slider = (page, check, axis) => browser.section(page, check.id).getByLabel(`${title(axis)}, swept values`, { exact: true });
const button = (page, check, name) => browser.section(page, check.id).getByRole("button", { name, exact: true });
const other = (axis) => axis.values[axis.default === 0 ? 1 : 0];

test("moving an axis changes the odds, the command and the address", async () => {
  const page = await browser.visit();
  const { check, axis } = await playground(page);
  const before_ = await browser.explorer(page, check.id);
  assert.equal(before_.command, check.command + unsettled(check));
  await slider(page, check, axis).fill(String(axis.values.indexOf(other(axis))));
  const shown = await browser.explorer(page, check.id);
  assert.match(shown.command, new RegExp(` --set ${axis.name}=${other(axis)}\\b`));
  assert.notDeepEqual(shown.names, before_.names);
  await browser.settle(page);
  assert.match(page.url(), new RegExp(`#${check.id}\\?.*${axis.name}=${other(axis)}`));
  await button(page, check, "Reset").click();
  assert.deepEqual(await browser.explorer(page, check.id), before_);
});

/** What the command sets of a check whose sweep leaves out some defaults. */
function unsettled({ axes }) {
  return axes.filter((axis) => axis.default === null).map((axis) => ` --set ${axis.name}=${axis.values[0]}`).join("");
}

test("a link brings its state back, and so does going back", async () => {
  const page = await browser.visit();
  const { check, axis } = await playground(page);
  await field(page, check, axis).fill(String(other(axis)));
  await button(page, check, "Pin to compare").click();
  await slider(page, check, axis).press("End");
  await browser.settle(page);
  const shown = await browser.explorer(page, check.id);
  const again = await browser.visit(new URL(page.url()).hash);
  assert.deepEqual(await browser.explorer(again, check.id), shown);
  assert.deepEqual(again.complaints, []);
  await page.locator("nav a").last().click();
  await page.goBack();
  assert.deepEqual(await browser.explorer(page, check.id), shown);
});

test("a pinned configuration stands beside the current one, with the difference in points", async () => {
  const page = await browser.visit("", DESKTOP);
  const { check, axis } = await playground(page);
  const pinned = await browser.explorer(page, check.id);
  await button(page, check, "Pin to compare").click();
  await field(page, check, axis).fill(String(other(axis)));
  const shown = await browser.explorer(page, check.id);
  assert.equal(shown.names.length, 2);
  const exact = (fraction) => fraction.split("/").map(Number).reduce((weight, total) => weight / total);
  const now = answers(shown.command);
  const then = answers(pinned.command);
  for (const [name, value, , before_, points] of shown.rows.slice(0, 2)) {
    assert.equal(value, now.get(name).value);
    assert.equal(before_, then.get(name).value);
    const expected = (exact(now.get(name).fraction) - exact(then.get(name).fraction)) * 100;
    const written = Number(points.replace("−", "-").replace("<", ""));
    assert.ok(Math.abs(written - expected) <= 0.01, `${points} for ${expected}`);
  }
  await browser.section(page, check.id).evaluate((node) => node.scrollIntoView());
  await page.screenshot({ path: join(process.env.OUT, "compare.png") });
  await button(page, check, "Unpin").click();
  assert.equal((await browser.explorer(page, check.id)).names.length, 1);
});

/** Has the table go along these axes, and no others. */
async function along(panel, ...axes) {
  const boxes = panel.getByRole("group", { name: "Along" });
  for (const axis of axes) await boxes.getByLabel(title(axis), { exact: true }).check();
  for (const box of await boxes.getByRole("checkbox").all()) {
    const name = await box.inputValue();
    if (!axes.some((axis) => axis.name === name)) await box.uncheck();
  }
}

test("along an axis every value has its odds, and is a way there", async () => {
  const page = await browser.visit();
  const { check, axis } = await playground(page);
  const panel = browser.section(page, check.id).locator('[data-panel="table"]');
  await along(panel, axis);
  const cells = () => panel.locator("tbody tr").evaluateAll((rows) =>
    rows.map((row) => [...row.querySelectorAll("td:not(.space)")].map((cell) => cell.textContent)));
  const odds = await cells();
  assert.equal(odds.length, axis.values.length);
  for (const [at, value] of axis.values.entries()) {
    const way = panel.getByRole("button", { name: told(axis, value), exact: true });
    await way.click();
    assert.ok(await way.evaluate((node) => node === document.activeElement), "the focus stays");
    const shown = await browser.explorer(page, check.id);
    if (shown.note === null) assert.deepEqual(shown.rows.map((row) => row[1]), odds[at]);
    assert.equal(await field(page, check, axis).inputValue(), String(value).replace("-", "−"));
    assert.equal(await panel.locator("[aria-current]").count(), 1);
  }
  assert.deepEqual(await cells(), odds);
});

test("along several axes each row is a way to its configuration, and says what it differs by from what is pinned", async () => {
  const page = await browser.visit();
  const { check, axis } = await playground(page);
  const second = check.axes.find((own) => own !== axis);
  const panel = browser.section(page, check.id).locator('[data-panel="table"]');
  await along(panel, axis, second);
  const rows = panel.locator("tbody tr:not(.spacer)");
  assert.equal(await rows.count(), axis.values.length * second.values.length);
  await button(page, check, "Pin to compare").click();
  const last = await rows.last().evaluate((row) => [...row.querySelectorAll("th, td:not(.space)")].map((cell) => cell.firstChild.textContent));
  await rows.last().getByRole("button").click();
  const shown = await browser.explorer(page, check.id);
  const settings = [axis, second].sort((a, b) => check.axes.indexOf(a) - check.axes.indexOf(b)).map((own) => [own, own.values.at(-1)]);
  assert.deepEqual(last.slice(0, 2), settings.map(([own, value]) => told(own, value)));
  for (const [own, value] of settings) {
    if (own.values[own.default] !== value) assert.match(shown.command, new RegExp(` --set ${own.name}=${value}\\b`));
  }
  assert.deepEqual(shown.rows.map((row) => row[1]), last.slice(2));
  assert.equal(await panel.locator("[aria-current]").count(), 1);
});

test("which of two configurations is better is said", async () => {
  const page = await browser.visit();
  const { check, axis } = await playground(page);
  const order = browser.section(page, check.id).locator(".order");
  assert.equal(await order.count(), 0);
  await button(page, check, "Pin to compare").click();
  assert.equal(await order.getAttribute("data-order"), "equal");
  await field(page, check, axis).fill(String(other(axis)));
  const shown = await browser.explorer(page, check.id);
  // Of bands, worst first, the sums that say how often each is reached at least.
  const moved = shown.rows.slice(0, check.columns.filter(({ kind }) => kind === "band").length).map((row) => row[5].replace("−", "-").replace(/[<>]/, ""));
  const signs = moved.map((text) => Math.sign(Number(text)));
  const wanted = signs.every((sign) => sign === 0) ? "equal" : signs.every((sign) => sign >= 0) ? "now" : signs.every((sign) => sign <= 0) ? "before" : "neither";
  assert.equal(await order.getAttribute("data-order"), wanted);
});

test("arrows go from one swept value to the next in the field of an axis", async () => {
  const page = await browser.visit();
  const { check, axis } = await playground(page);
  await field(page, check, axis).fill(String(axis.values[0]));
  await field(page, check, axis).press("ArrowUp");
  assert.equal(await field(page, check, axis).inputValue(), String(axis.values[1]).replace("-", "−"));
  await field(page, check, axis).press("ArrowDown");
  await field(page, check, axis).press("ArrowDown");
  assert.equal(await field(page, check, axis).inputValue(), String(axis.values[0]).replace("-", "−"));
  await field(page, check, axis).fill("many");
  assert.equal(await field(page, check, axis).getAttribute("aria-invalid"), "true");
  assert.equal((await browser.explorer(page, check.id)).note, null);
});

test("what lies outside of the sweep is said plainly, with the way back and the command", async () => {
  const page = await browser.visit();
  const { check, axis } = await playground(page);
  const beyond = Math.max(...axis.numbers) + 1;
  const isLegal = axis.legal === null || beyond <= axis.legal[1];
  await field(page, check, axis).fill(String(beyond));
  const shown = await browser.explorer(page, check.id);
  assert.match(shown.note, isLegal ? /the nearest that it has: / : /The rules allow/);
  assert.match(shown.command, new RegExp(` --set ${axis.name}=${beyond}$| --set ${axis.name}=${beyond} `));
  assert.equal(answers(shown.command) !== null, isLegal);
  const near = Math.max(...axis.numbers);
  await browser.section(page, check.id).getByRole("button", { name: `${title(axis)} = ${told(axis, near)}` }).click();
  assert.equal((await browser.explorer(page, check.id)).note, null);
  assert.equal(await field(page, check, axis).inputValue(), String(near));
  assert.ok(await field(page, check, axis).evaluate((node) => node === document.activeElement), "the focus stays");
});

test("odds leave as tables for a forum, but not where there are none", async () => {
  const page = await browser.visit();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const { check, axis } = await playground(page);
  const { rows } = await browser.explorer(page, check.id);
  await button(page, check, "Copy Markdown").click();
  await button(page, check, "Copied").waitFor();
  const markdown = await page.evaluate(() => navigator.clipboard.readText());
  for (const [name, value] of rows) assert.ok(markdown.includes(`| ${name} | ${value} |`), markdown);
  await field(page, check, axis).fill(String(Math.max(...axis.numbers) + 1));
  for (const name of ["Copy BBCode", "Pin to compare"]) assert.equal(await button(page, check, name).isDisabled(), true, name);
});

test("links that say nonsense do no harm", async () => {
  const page = await browser.visit();
  const { check, axis } = await playground(page);
  const plain = await browser.explorer(page, check.id);
  for (const query of [`${axis.name}=many&nobody=3&&=&pin=nobody:1`, "%E0%A4%A", `pin=${axis.name}`]) {
    const astray = await browser.visit(`#${check.id}?${query}`);
    const shown = await browser.explorer(astray, check.id);
    assert.equal(shown.command, plain.command);
    assert.deepEqual(astray.complaints, []);
  }
  const nowhere = await browser.visit("#nowhere?a=1");
  assert.deepEqual(nowhere.complaints, []);
});

test("the keyboard is enough", async () => {
  const page = await browser.visit();
  const { check, axis } = await playground(page);
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
  await page.keyboard.press("Enter");
  const isAt = (locator) => locator.evaluate((node) => node === document.activeElement);
  const tabTo = async (locator) => {
    for (let step = 0; step < 300; step += 1) {
      if (await isAt(locator)) return;
      await page.keyboard.press("Tab");
    }
    assert.fail(`no way to ${locator}`);
  };
  const before_ = await browser.explorer(page, check.id);
  await tabTo(slider(page, check, axis));
  await page.keyboard.press(axis.default === 0 ? "End" : "Home");
  const moved = await browser.explorer(page, check.id);
  assert.notEqual(moved.command, before_.command);
  await tabTo(button(page, check, "Pin to compare"));
  await page.keyboard.press("Space");
  assert.equal(await isAt(button(page, check, "Unpin")), true);
  await tabTo(button(page, check, "Reset"));
  await page.keyboard.press("Enter");
  assert.deepEqual(await browser.explorer(page, check.id), before_);
});

test("those who listen hear the answer once it has settled", async () => {
  const page = await browser.visit();
  const { check, axis } = await playground(page);
  const status = browser.section(page, check.id).getByRole("status");
  await page.waitForTimeout(900);
  const before_ = await status.textContent();
  await slider(page, check, axis).press("Home");
  await slider(page, check, axis).press("End");
  assert.equal(await status.textContent(), before_);
  await page.waitForTimeout(900);
  const shown = await browser.explorer(page, check.id);
  assert.equal(await status.textContent(), shown.rows.map(([name, value]) => `${name} ${value}`).join(", "));
});
