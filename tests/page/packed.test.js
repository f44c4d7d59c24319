// The packed answers of a page as a source: what it answers, what it refuses, and what links say of it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { csv } from "../../crates/report/page/src/csv.js";
import { readLink, stateOf, writeLink } from "../../crates/report/page/src/link.js";
import { Packed } from "../../crates/report/page/src/packed.js";

/** Two axes: `dice` of 1, 2, 4, of which 2 is the default, and `mood`, whose default is left out. Calm with 4 is forbidden. */
const PACKED = {
  id: "game:check", command: "oddsmith odds game:check", file: "check.csv",
  axes: [
    { name: "dice", help: "", numbers: [1, 2, 4], default: 1, legal: [0, 6] },
    { name: "mood", help: "", labels: ["calm", "wild"], default: null, legal: null },
  ],
  columns: [{ name: "Miss", kind: "band" }, { name: "Hit", kind: "band" }, { name: "mean(total)", kind: "number" }],
  totals: ["36", "2"],
  rows: "f/0 ~ 7/1,a/0 ~ -3/1",
  places: "0+1 0*1 - 1",
};

const source = () => new Packed(JSON.stringify(PACKED), "", () => {});

const odds = (check, against = null) => check.request("oddsmith/odds", { question: { settings: check.settingTexts }, against });

const texts = ({ outcomes }) => outcomes.map(({ outcome, weight, total }) => `${outcome} ${weight}/${total}`);

test("a configuration is answered with exact weights, of which the last band has what is left", async () => {
  const check = source();
  assert.deepEqual(check.settingTexts, ["mood=calm"]);
  assert.deepEqual(texts((await odds(check)).answer), ["Miss 15/36", "Hit 21/36", "mean(total) 7/2"]);
  check.set("dice", "1");
  check.set("mood", "wild");
  assert.deepEqual(check.settingTexts, ["dice=1", "mood=wild"]);
  assert.deepEqual(texts((await odds(check)).answer), ["Miss 10/36", "Hit 26/36", "mean(total) -3/2"]);
});

test("what is pinned is answered beside it", async () => {
  const check = source();
  check.setAll({ dice: "4", mood: "wild" }, { dice: "1" });
  const { answer, before } = await odds(check, check.against);
  assert.deepEqual([texts(answer)[0], texts(before)[0]], ["Miss 10/36", "Miss 15/36"]);
  assert.deepEqual(check.pinned.settings, ["dice=1", "mood=calm"]);
});

test("a table goes along axes in their order, from a row and for some rows, and counts those without an answer", async () => {
  const check = source();
  const table = (sweeps, from = 0, count = 99) => check.request("oddsmith/table", { question: { sweeps, from, count } });
  const { answer } = await table(["dice=1,2,4", "mood=calm,wild"]);
  assert.deepEqual(answer.rows.map(({ values, answers }) => [...values, answers.length]),
    [["1", "calm", 3], ["1", "wild", 3], ["2", "calm", 3], ["2", "wild", 3], ["4", "calm", 0], ["4", "wild", 3]]);
  assert.deepEqual([answer.total, answer.gaps, answer.columns.map((column) => column.is_probability)], [6, 1, [true, true, false]]);
  assert.deepEqual((await table(["dice=1,2,4"], 1, 1)).answer.rows.map(({ values }) => values), [["2"]]);
});

test("what is the same everywhere is kept for saved tables, and not told", async () => {
  const [miss, hit, mean] = PACKED.columns;
  const check = new Packed(JSON.stringify({ ...PACKED, columns: [{ ...miss, untold: true }, hit, mean] }), "", () => {});
  const { answer: table } = await check.request("oddsmith/table", { question: { sweeps: ["dice=1,2"], from: 0, count: 9 } });
  const names = table.columns.map(({ name }) => name);
  assert.deepEqual(texts((await odds(check)).answer), ["Hit 21/36", "mean(total) 7/2"]);
  assert.deepEqual([names, table.rows.map(({ answers }) => answers.length)], [["Hit", "mean(total)"], [2, 2, 0]]);
  assert.equal(csv(check), csv(source()));
});

test("a check without axes has one configuration", async () => {
  const check = new Packed(JSON.stringify({ ...PACKED, axes: [], places: "0" }), "", () => {});
  assert.deepEqual([check.count, check.settingTexts, writeLink(check)], [1, [], "#game:check"]);
  assert.deepEqual(texts((await odds(check)).answer), ["Miss 15/36", "Hit 21/36", "mean(total) 7/2"]);
});

test("what is not there is refused with the way back", async () => {
  const check = source();
  const refusal = (settings) => {
    check.setAll(settings);
    return odds(check).then(() => null, ({ message }) => message);
  };
  assert.equal(await refusal({ dice: "3" }), "This page has no dice=3; the nearest that it has: 2 and 4. The command below answers it.");
  assert.deepEqual(check.waysBack(), [["dice", "2"], ["dice", "4"]]);
  assert.equal(await refusal({ dice: "-1" }), "The rules allow dice from 0 to 6, not −1.");
  assert.match(await refusal({ dice: "4" }), /rules forbid/);
  assert.deepEqual(check.waysBack(), []);
  assert.equal(await refusal({ mood: "sad" }), "This page has no mood=sad; it has calm, wild. The command below answers it.");
});

test("links say what is set and pinned, and are read back", () => {
  const check = source();
  check.setAll({ dice: "4", mood: "wild" }, {});
  const link = writeLink(check);
  assert.equal(link, "#game:check?dice=4&mood=wild&pin=mood:calm");
  const { id, pairs } = readLink(link);
  assert.deepEqual([id, stateOf(check, pairs)], ["game:check", { settings: { dice: "4", mood: "wild" }, pinned: { mood: "calm" } }]);
  assert.deepEqual(stateOf(check, readLink("#game:check?dice=many&nobody=3&pin=dice:+2").pairs), { settings: {}, pinned: { dice: "2" } });
});
