// The dice pad, which is the start where no file is open.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { FOLDER, PROGRAM, close, open, percent, serve, visit } from "./browser.js";

before(open);
after(close);

/** All faces of some dice of which the best are added: weights by sum, and the total. */
function distribution(count, sides, keep) {
  const weights = new Map();
  const total = sides ** count;
  for (let roll = 0; roll < total; roll += 1) {
    const dice = Array.from({ length: count }, (_, at) => (Math.floor(roll / sides ** at) % sides) + 1).sort((a, b) => b - a);
    const sum = dice.slice(0, keep).reduce((a, b) => a + b, 0);
    weights.set(sum, (weights.get(sum) ?? 0n) + 1n);
  }
  return { weights, total: BigInt(total) };
}

const MODES = { exactly: (own, at) => own === at, "at least": (own, at) => own >= at, "at most": (own, at) => own <= at };

const table = (page) => page.locator(".dice .tall tbody tr").evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));

const start = (server, hash = "") => visit(server, { hash: hash || "#mode=exactly" });

test("several dice over one another, exactly, at least and at most", async () => {
  const server = await serve({ files: [] });
  const page = await start(server);
  const fields = page.locator(".dice-lines input");
  for (const [first, second] of [[[4, 6, 3], [3, 6, 3]], [[2, 8, 2], [3, 4, 2]]]) {
    const name = ([count, sides, keep]) => `${count}d${sides}kh${keep}`;
    await fields.nth(0).fill(name(first));
    await fields.nth(1).fill(name(second));
    for (const [mode, holds] of Object.entries(MODES)) {
      await page.locator(".dice .choices label", { hasText: mode }).click();
      await page.waitForFunction((caption) => document.querySelector('.dice[data-state="fresh"] .tall caption')?.textContent === caption, `Odds of ${mode} each value`);
      const sides = [first, second].map((own) => distribution(...own));
      for (const [value, ...cells] of await table(page)) {
        sides.forEach(({ weights, total }, at) => {
          const weight = [...weights].filter(([own]) => holds(own, Number(value))).reduce((sum, [, own]) => sum + own, 0n);
          assert.equal(cells[at], weight > 0n ? percent(weight, total) : "", `${name([first, second][at])} ${mode} ${value}`);
        });
      }
    }
  }
  const figures = await page.locator(".dice table").first().locator("tbody tr").first().locator("td").allTextContents();
  assert.deepEqual(figures, ["9", "3.2404", "2 to 16"]);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
  server.stop();
});

test("dice that explode without an end stop where one in a thousand is beyond", async () => {
  const server = await serve({ files: [] });
  const page = await start(server);
  const fields = page.locator(".dice-lines input");
  await fields.nth(0).fill("1d6!");
  await fields.nth(1).fill("10 - 2 * 1d4!");
  // Of n sixes, or of n fours, and then a face: all values of the first are known to 23, of the second down to -28.
  const chances = (sides, value) => Array.from({ length: 40 }, (_, at) => at).filter((at) => at % sides > 0)
    .map((at) => [value(at), BigInt(sides) ** BigInt(12 - Math.floor(at / sides))]);
  const dice = [
    { odds: chances(6, (at) => at), total: 6n ** 13n, isInside: (value) => value <= 23 },
    { odds: chances(4, (at) => 10 - 2 * at), total: 4n ** 13n, isInside: (value) => value >= -28 },
  ];
  for (const mode of Object.keys(MODES)) {
    await page.locator(".dice .choices label", { hasText: mode }).click();
    await page.waitForFunction((caption) => document.querySelector('.dice[data-state="fresh"] .tall caption')?.textContent === caption, `Odds of ${mode} each value`);
    await page.locator(".dice .tall tbody th", { hasText: "beyond" }).waitFor();
    const rows = await table(page);
    assert.deepEqual(rows.at(-1), ["beyond", `${percent(1n, 1296n)} > 23`, `${percent(1n, 1024n)} < -28`]);
    for (const [value, ...cells] of rows.slice(0, -1)) {
      dice.forEach(({ odds, total, isInside }, at) => {
        const is = Number(value.replace("−", "-"));
        const sum = (is) => odds.filter(([own]) => is(own)).reduce((sum, [, own]) => sum + own, 0n);
        // What has no end is what is left of the other side.
        const isOpen = mode === ["at least", "at most"][at];
        const weight = isOpen ? total - sum((own) => !MODES[mode](own, is)) : sum((own) => MODES[mode](own, is));
        assert.equal(cells[at], isInside(is) && weight > 0n ? percent(weight, total) : "", `${mode} ${value}, ${at}`);
      });
    }
  }
  const figures = await page.locator(".dice table").first().locator("tbody tr").evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent)));
  assert.deepEqual(figures, [["4.2", "3.2619", "1 or more"], ["", "", "8 or less"]]);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
  server.stop();
});

test("the address holds the dice, and opens them again", async () => {
  const server = await serve({ files: [] });
  const page = await start(server);
  await page.locator(".dice-lines input").nth(0).fill("2d6+3");
  await page.locator(".dice .choices label", { hasText: "at most" }).click();
  const hash = new URL(page.url()).hash;
  const other = await start(server, hash);
  await other.locator('.dice[data-state="fresh"]').waitFor();
  assert.deepEqual(await other.locator(".dice-lines input").evaluateAll((nodes) => nodes.map(({ value }) => value)), ["2d6+3", "3d6"]);
  assert.equal(await other.locator('.dice .choices input[name="dice-mode"]:checked').getAttribute("value"), "at most");
  await page.context().close();
  await other.context().close();
  server.stop();
});

test("what is no dice expression is said beside it, and the others are answered", async () => {
  const server = await serve({ files: [] });
  const page = await start(server);
  await page.locator(".dice-lines input").nth(0).fill("4x6");
  await page.locator(".dice-lines .problem", { hasText: "x6" }).waitFor();
  assert.equal(await page.locator(".dice .tall thead th").count(), 2);
  await page.context().close();
  server.stop();
});

test("keys build an expression", async () => {
  const server = await serve({ files: [] });
  const page = await start(server);
  const field = page.locator(".dice-lines input").nth(1);
  await field.fill("");
  await field.focus();
  for (const key of ["d8", "+", "d6"]) await page.getByRole("button", { name: `Add ${key}`, exact: true }).click();
  assert.equal(await field.inputValue(), "1d8+1d6");
  await page.context().close();
  server.stop();
});

test("an AnyDice program is answered, its errors have their place, and the address holds it", { skip: PROGRAM + FOLDER === "" && "the mock reads no AnyDice programs" }, async () => {
  const server = await serve({ files: [] });
  const page = await start(server);
  await page.locator(".dice .choices label", { hasText: "AnyDice program" }).click();
  const field = page.locator(".dice textarea");
  await field.fill('loop N over {3..4} { output [highest 3 of Nd6] named "best of [N]" }\noutput [explode d6] named "boom"');
  await page.locator(".dice .tall thead th", { hasText: "boom" }).waitFor();
  const rows = await table(page);
  for (const [at, own] of [[1, [3, 6, 3]], [2, [4, 6, 3]]]) {
    const { weights, total } = distribution(...own);
    const shown = rows.filter((row) => row[at] !== "").map((row) => [Number(row[0]), row[at]]);
    assert.deepEqual(shown, [...weights].sort(([a], [b]) => a - b).map(([value, weight]) => [value, percent(weight, total)]));
  }
  assert.match(await page.locator(".dice .cut").textContent(), /^boom: 0\.46%/);
  assert.equal(await page.locator(".dice svg").count(), 1);
  const hash = new URL(page.url()).hash;
  await field.fill("output 3d6\noutpt 2");
  await page.locator(".dice .problem", { hasText: "line 2, column 1" }).waitFor();
  assert.equal(await page.locator('.dice[data-state="refused"]').count(), 1);
  const other = await start(server, hash);
  await other.locator(".dice .tall thead th", { hasText: "boom" }).waitFor();
  assert.match(await other.locator(".dice textarea").inputValue(), /best of \[N\]/);
  await page.locator(".dice .choices label", { hasText: "expressions" }).click();
  await page.locator('.dice[data-state="fresh"] .tall thead th', { hasText: "4d6kh3" }).waitFor();
  assert.deepEqual(page.complaints, []);
  await page.context().close();
  await other.context().close();
  server.stop();
});
