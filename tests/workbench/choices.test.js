// Policies and plans. What is recorded is what the program answers to the commands that `crates/cli/tests/workbench` has.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";

import { bench, close, open, panel, percent, read, settled } from "./browser.js";
import { overview } from "./mock/game.mjs";

const recorded = (name) => JSON.parse(readFileSync(new URL(`recorded/${name}.json`, import.meta.url), "utf8"));
const [POLICY, PLAN, TRACK_PLAN] = ["policy", "plan", "track-plan"].map(recorded);
const GAME = { name: "game.toml", text: readFileSync(new URL("../../rulesets/stars-and-signs.toml", import.meta.url), "utf8") };

/** The questions of plans, the last one last. */
const plans = [];

/** The small game as if something were chosen and spent in it. */
function instead(method, params, text) {
  if (method === "oddsmith/policy") return { version: params.textDocument.version, answer: POLICY };
  if (method === "oddsmith/plan") {
    plans.push(params.question);
    return { version: params.textDocument.version, answer: params.question.check === "siege" ? TRACK_PLAN : PLAN };
  }
  if (method !== "oddsmith/overview") return undefined;
  const answer = overview(read(text));
  answer.checks[0].maximise = POLICY.maximise;
  answer.resources = [{ name: "edge", axis: "edge", checks: ["attack", "siege"], help: "" }];
  return { version: params.textDocument.version, answer };
}

/** A whole number or a decimal of few digits, from its fraction. */
function told(text) {
  const [weight, total = "1"] = text.split("/");
  return `${Number((Number(weight) / Number(total)).toFixed(4))}`;
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

/** The rows of a table of the plan, cell by cell. */
const rowsOf = (page, name) => panel(page, "plan").getByRole("region", { name, exact: true }).locator("tbody tr")
  .evaluateAll((nodes) => nodes.map((node) => [...node.cells].map((cell) => cell.textContent)));

test("a plan follows the number of checks and points, and has a column for each resource", () => bench(test, { needsMock: true, instead }, async (page) => {
  await page.locator("#tab-plan").click();
  await settled(page, "plan");
  await page.getByRole("combobox", { name: "checks" }).selectOption("6");
  await page.getByRole("combobox", { name: "points" }).selectOption("9");
  await settled(page, "plan");
  const { checks, pool, resource } = plans.at(-1);
  assert.deepEqual({ checks, pool, resource }, { checks: 6, pool: 9, resource: "edge" });
  const best = PLAN.ways.at(-1).result;
  const [name, , effort, hope] = (await rowsOf(page, "Ways to play the scene")).at(-1);
  assert.deepEqual([name, effort, hope], ["plan best", ...["effort", "hope"].map((own) => told(best.spent[own]))]);
  const states = await rowsOf(page, "What is best");
  assert.deepEqual(states[0].slice(0, 4), ["1", "1", "1", "100.00%"]);
  assert.ok(!states.flat().join().includes("[object"));
}));

test("a plan of a track tells what a point is worth at its beginning, and what to do in its rounds", () => bench(test, { needsMock: true, instead }, async (page) => {
  await page.locator("#check").selectOption("siege");
  await page.locator("#tab-plan").click();
  await settled(page, "plan");
  assert.equal(await page.getByRole("combobox", { name: "checks" }).count(), 0);
  const { check, checks } = plans.at(-1);
  assert.deepEqual({ check, checks }, { check: "siege", checks: undefined });
  const ways = await rowsOf(page, "Ways to play");
  assert.equal(ways.length, TRACK_PLAN.ways.length);
  const [first] = TRACK_PLAN.ways[0].result.outcomes;
  assert.deepEqual(ways[0].slice(0, 2), ["never", percent(BigInt(first.weight), BigInt(first.total))]);
  const worth = TRACK_PLAN.resources[0].one_more.map((own) => percent(...own.split("/").map(BigInt)));
  assert.deepEqual(await rowsOf(page, "What one more point is worth at the beginning"), [["effort", ...worth]]);
  assert.equal((await rowsOf(page, TRACK_PLAN.choices[0].choice)).length, TRACK_PLAN.choices[0].rows.length);
}));

test("plans of a game that spends two things", () => bench(test, { rules: GAME }, async (page, server) => {
  if (server.isMock) return; // it knows one game
  await page.locator("#tab-plan").click();
  await settled(page, "plan");
  assert.equal((await rowsOf(page, "Ways to play the scene"))[0][0], "never");
  await page.getByRole("combobox", { name: "resource" }).selectOption("hope");
  await settled(page, "plan");
  const scene = await panel(page, "plan").textContent();
  assert.ok(/always/.test(scene) && !scene.includes("[object") && !scene.includes("undefined"), scene);
  await page.locator("#check").selectOption("timed");
  await settled(page, "plan");
  assert.deepEqual((await rowsOf(page, "Ways to play")).map(([name]) => name), ["never", "plan best"]);
  await page.locator("#check").selectOption("counter");
  await settled(page, "plan");
  const track = await panel(page, "plan").textContent();
  assert.ok(track.includes("-rolls") && !track.includes("[object") && !track.includes("undefined"), track);
}));

test("tabs of what the rules do not have are not there", () => bench(test, { needsMock: true }, async (page) => {
  assert.equal(await page.locator("#tab-policy").isVisible(), false);
  assert.equal(await page.locator("#tab-plan").isVisible(), false);
  assert.equal(await page.locator("#tab-track").isVisible(), true);
}));
