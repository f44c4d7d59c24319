// The numbers of the page are those of the command line.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { answers, oddsmith } from "./command-line.js";
import * as browser from "./browser.js";

/** How many configurations are compared, and what they are drawn with. */
const SAMPLES = 50;
const SEED = 20_260_101;

before(browser.open);
after(browser.close);

/** Numbers from 0 up to a bound, the same in every run (mulberry32). */
function random(seed) {
  return (bound) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % bound;
  };
}

/** Fractions that are longer are not shown. */
const LONGEST_FRACTION = 64;

/** `always` and `never` are what the page says of 1 and 0. */
const fraction = (text) => ({ always: "1/1", never: "0/1", "": null })[text] ?? text;

function compare(check, shown, expected) {
  for (const column of check.columns.filter(({ untold }) => !untold)) {
    // People read another name of some columns.
    const [name, ...cells] = shown.rows.find(([name]) => name === (column.title ?? column.name));
    const wanted = expected.get(column.name);
    // A mean of what may have no end is none on either side.
    if (wanted === undefined) {
      assert.equal(cells[0], "–", `${shown.command}: ${name} is not in the answer`);
      continue;
    }
    const value = cells[0].replace("−", "-");
    assert.equal(value, wanted.value, `${shown.command}: ${name}`);
    const exact = shown.fractions[name].replace("−", "-");
    if (exact.startsWith("≈")) assert.ok(wanted.fraction.length > LONGEST_FRACTION, `${shown.command}: ${name}`);
    else if (column.kind !== "number") assert.equal(fraction(exact), wanted.fraction, `${shown.command}: ${name}`);
    else if (exact.includes("/")) assert.equal(exact, wanted.fraction, `${shown.command}: ${name}`);
    if (column.kind === "band" && wanted.atLeast) assert.equal(cells[1], wanted.atLeast, `${shown.command}: at least ${name}`);
  }
}

test(`${SAMPLES} configurations have the odds that oddsmith prints`, async () => {
  const page = await browser.visit();
  const checks = await browser.checks(page);
  const below = random(SEED);
  let answered = 0;
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const check = checks[sample % checks.length];
    const settings = check.axes.map((axis) => [axis.name, axis.values[below(axis.values.length)]]);
    const query = settings.map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
    await page.evaluate((hash) => (location.hash = hash), `${encodeURI(check.id)}?${query}`);
    await page.waitForTimeout(20);
    const shown = await browser.explorer(page, check.id);
    const expected = answers(shown.command);
    if (expected === null) {
      assert.match(shown.note, /rules forbid/, shown.command);
      continue;
    }
    compare(check, shown, expected);
    answered += 1;
  }
  assert.ok(answered > SAMPLES / 2, `${answered} were answered`);
});

test("saved tables are byte for byte the files beside the page, and what oddsmith table writes", async () => {
  const page = await browser.visit();
  for (const check of await browser.checks(page)) {
    const section = browser.section(page, check.id);
    const { name, text } = await browser.saved(page, section.getByRole("button", { name: "Save CSV" }));
    assert.equal(name, check.file);
    const path = decodeURIComponent(await section.locator(".files a").getAttribute("href"));
    // Tables are long: a difference is not printed.
    assert.ok(text === readFileSync(join(process.env.REPORT, path), "utf8"), `${check.id}: not as ${path}`);
    const target = check.command.split(" ")[2];
    const sweeps = check.axes.flatMap((axis) => ["--sweep", `${axis.name}=${axis.values.join(",")}`]);
    const columns = check.columns.flatMap((column) => ["--only", column.name]);
    // `oddsmith table` wants something to sweep.
    if (sweeps.length === 0) continue;
    assert.ok(text === oddsmith("table", target, "--exact", ...columns, ...sweeps), `${check.id}: not as oddsmith table`);
  }
});
