// The oracle is right: what it says of the rules is what the program says, where there is the program.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { PROGRAM, RULES, read } from "./browser.js";
import { odds, overview, siege } from "./mock/game.mjs";

const file = join(dirname(fileURLToPath(import.meta.url)), "skirmish.toml");
const options = { skip: PROGRAM === "" ? "there is no program to compare with" : false };

const ask = (command, target, settings, ...more) =>
  JSON.parse(execFileSync(PROGRAM, [command, target, ...settings.flatMap((own) => ["--set", own]), ...more, "--format", "json"], { encoding: "utf8" }));

/** A fraction in lowest terms, as whole numbers. */
function lowest({ weight, total }) {
  let [a, b] = [BigInt(weight), BigInt(total)];
  while (b !== 0n) [a, b] = [b, a % b];
  return `${BigInt(weight) / a}/${BigInt(total) / a}`;
}

const CASES = [-5, 1, 4].flatMap((bonus) => [0, 1, 3].flatMap((edge) => ["steady", "wild"].flatMap((style) =>
  ["attacker", "defender"].map((ties) => [`bonus=${bonus}`, `edge=${edge}`, `style=${style}`, `ties=${ties}`, `guard=${edge}`, `targets[1]=${9 + edge}`]))));

test("odds", options, () => {
  const game = read(RULES);
  for (const settings of CASES) {
    const own = odds(game, { settings }).outcomes;
    const theirs = ask("odds", file, settings, "--query", "mean(total)", "--query", "variance(total)").outcomes;
    assert.deepEqual(own.map(({ outcome, kind }) => [outcome, kind]), theirs.map(({ outcome, kind }) => [outcome, kind]));
    assert.deepEqual(own.map(lowest), theirs.map(lowest), settings.join(" "));
  }
});

test("tracks", options, () => {
  const game = read(RULES);
  for (const settings of CASES.filter((own) => own[0] !== "bonus=-5").slice(0, 12)) {
    const theirs = ask("track", `${file}:siege`, settings).outcomes;
    for (const own of siege(game, { settings }).outcomes) {
      const other = theirs.find(({ outcome }) => outcome === own.outcome);
      if (other !== undefined) assert.equal(lowest(own), lowest(other), `${own.outcome} ${settings.join(" ")}`);
    }
  }
});

test("the overview has what the program knows", options, () => {
  const shown = execFileSync(PROGRAM, ["rules", "show", file], { encoding: "utf8" });
  for (const { name, axes } of overview(read(RULES)).checks) {
    assert.match(shown, new RegExp(`^(check|track) ${name} `, "m"));
    for (const axis of axes) assert.ok(shown.includes(axis.values) && shown.includes(axis.help), axis.name);
  }
});
