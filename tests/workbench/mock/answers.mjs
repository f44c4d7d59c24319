// Answers to all questions about the rules, in the shapes that the program has.

import { attack, configure, odds, overview, read, siege } from "./game.mjs";

const refuse = (code, message, data) => Object.assign(new Error(message), { code, data });

/** `bonus=-1..=4`, `style=steady,wild`, `edge=all` as the values of an axis. */
function sweep(game, text) {
  const [name, range] = text.split("=").length > 2 ? [text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1)] : text.split("=");
  const axis = game.inputs.find(({ overview: own }) => own.name === name);
  if (axis === undefined) throw refuse(-32003, "unknown axis", { problems: [{ message: `unknown axis \`${name}\`` }] });
  const values = range === "all" ? axis.overview.values : range;
  const ends = /^(-?\d+)\.\.=(-?\d+)$/.exec(values);
  if (ends === null) return { name, values: values.split(/ \| |,/) };
  const [low, high] = [Number(ends[1]), Number(ends[2])];
  return { name, values: Array.from({ length: high - low + 1 }, (_, at) => `${low + at}`) };
}

function table(game, { sweeps, settings, from, count }) {
  const axes = sweeps.map((text) => sweep(game, text));
  const total = axes.reduce((product, { values }) => product * values.length, 1);
  const rows = [];
  for (let place = from; place < Math.min(total, from + count); place += 1) {
    let rest = place;
    const values = axes.toReversed().map((axis) => {
      const own = axis.values[rest % axis.values.length];
      rest = Math.floor(rest / axis.values.length);
      return own;
    }).toReversed();
    const { outcomes } = odds(game, { settings: [...settings, ...axes.map(({ name }, at) => `${name}=${values[at]}`)] });
    const answers = outcomes.slice(0, 4).map(({ weight, total: whole, probability }) => ({ weight, total: whole, probability }));
    rows.push({ values: values.map((own) => (/^-?\d+$/.test(own) ? Number(own) : own)), answers });
  }
  const columns = ["Miss", "Graze", "Hit", "mean(total)"].map((name) => ({ name, is_probability: !name.startsWith("mean") }));
  return { check: "attack", axes: axes.map(({ name }) => name), columns, total, rows, gaps: 0 };
}

const COLORS = ["#C2641A", "#E2DFDA", "#6F5BAB"];

/** Stacked bars, as the program draws them. */
function chart(game, question) {
  const values = Array.from({ length: 6 }, (_, at) => at - 1);
  const bars = values.flatMap((bonus, column) => {
    const { weights, total } = attack(game, configure(game, [...(question?.settings ?? []).filter((text) => !text.startsWith("bonus=")), `bonus=${bonus}`]));
    let top = 400;
    return Object.values(weights).map((weight, band) => {
      const height = (Number(weight) / Number(total)) * 340;
      top -= height;
      return `<rect x="${80 + column * 100}" y="${top.toFixed(1)}" width="80" height="${height.toFixed(1)}" fill="${COLORS[band]}"><title>${bonus}: ${weight}/${total}</title></rect>`;
    });
  });
  const text = values.map((bonus, column) => `<text x="${120 + column * 100}" y="430" text-anchor="middle" font-size="16" fill="#59606A">${bonus}</text>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="720" height="450" viewBox="0 0 720 450" role="img" font-family="Inter, sans-serif"><title>What a bonus is worth</title><rect width="720" height="450" fill="#FFFFFF"/><text x="80" y="40" font-size="20" font-weight="600" fill="#1C1F24">What a bonus is worth</text>${bars.join("")}${text.join("")}</svg>`;
}

const fraction = (weight, total) => ({ fraction: total === 1n ? `${weight}` : `${weight}/${total}`, decimal: Number(weight) / Number(total) });

/** What one step up of each number is worth. */
function value(game, question) {
  const values = configure(game, question.settings);
  const reach = (own) => { const { weights: { Graze, Hit }, total } = attack(game, own); return { "band>=Graze": [Graze + Hit, total], "band>=Hit": [Hit, total] }; };
  const now = reach(values);
  const levers = Object.entries(values).filter(([name, own]) => /^\d+$/.test(own) && name !== "gate").map(([lever, own]) => {
    const then = reach({ ...values, [lever]: `${Number(own) + 1}` });
    const changes = Object.fromEntries(Object.entries(then).map(([name, [weight, total]]) => {
      const change = fraction(weight * now[name][1] - now[name][0] * total, total * now[name][1]);
      return [name, { typical: change, size: change, least: change, most: change, changed: 1 }];
    }));
    const step = { count: 1, active: 1, changes, flat: {} };
    return { lever, role: lever.startsWith("targets") ? "parameter" : "axis", swept: false, steps: [{ ...step, from: Number(own), to: Number(own) + 1 }], up: step };
  });
  return { ruleset: "skirmish.toml", check: "attack", configuration: {}, sweep: {}, configurations: 1, number: null, levers, exchange: [
    { step: "bonus 1 → 2", worth: fraction(1n, 1n), is: { "bonus 1 → 2": fraction(1n, 1n), "edge 0 → 1": fraction(3n, 4n) } },
    { step: "edge 0 → 1", worth: fraction(4n, 3n), is: { "bonus 1 → 2": fraction(4n, 3n), "edge 0 → 1": fraction(1n, 1n) } }] };
}

const lineOf = (text, pattern) => text.split("\n").findIndex((line) => pattern.test(line));

function lint(game) {
  const line = lineOf(game.text, /^axes\.guard/);
  const finding = {
    id: "cliff/attack/guard/band", rule: "cliff", severity: "warning", check: "attack", also: [], alike: [], levers: ["guard"],
    message: "a step of `guard` moves `Hit` or better by up to 16.67 points", advice: "make the step smaller, or accept it with a reason",
    accepted: null, configurations: 60, of_configurations: null, seen: 9, of: 60, facts: {}, line: line + 1, column: 1,
    evidence: [{ configuration: "bonus=3", outcome: "Hit", kind: "at least", values: [{ at: "guard=2", value: "5/18" }, { at: "guard=3", value: "1/6" }] }],
  };
  return { ruleset: "skirmish.toml", file: "skirmish.toml", findings: [finding], accepted: 0, stale: [] };
}

function expectations(game) {
  const { weights: { Miss }, total } = attack(game, configure(game, []));
  const line = lineOf(game.text, /^\[\[expect\]\]/);
  const holds = 2n * Miss < total;
  const expectation = (intent, holds, summary) => ({
    intent, check: "attack", status: holds ? "holds" : "broken", summary, failures: holds ? 0 : 1, configurations: 1, worst: [], line: line + 1, column: 1,
  });
  return line < 0 ? [] : [
    expectation("A fighter with a bonus of 1 misses less than half of the time.", holds, `\`Miss\` is ${Miss}/${total}`),
    expectation("An edge always helps.", true, "")];
}

/** Tries every value of one target; the goal is the share of hits. */
function tune(game, question) {
  const [name, ends] = question.vary[0].split("=").length > 2 ? [question.vary[0].split("=")[0], question.vary[0].split("=").slice(1).join("=")] : question.vary[0].split("=");
  const { values: options } = sweep({ inputs: [{ overview: { name, values: ends } }] }, `${name}=${ends}`);
  const wanted = Number(/([\d.]+)/.exec(question.goals[0].split("~")[1] ?? "50")[1]);
  const tried = options.map((option, candidate) => {
    const { weights: { Graze, Hit }, total } = attack(game, configure(game, [...question.settings, `${name}=${option}`]));
    const weight = question.goals[0].includes("Graze") ? Graze + Hit : Hit;
    const off = fraction(BigInt(Math.abs(Number(weight) * 100 - wanted * Number(total))), total);
    return { candidate, values: { [name]: Number(option) }, changes: { parameters: 1, by: "1" }, answers: [{ weight: `${weight}`, total: `${total}`, probability: Number(weight) / Number(total) }], off: [off], total: off, pareto: null };
  });
  const best = tried.toSorted((a, b) => a.off[0].decimal - b.off[0].decimal);
  const pick = question.pick === null ? best[0] : tried[question.pick];
  const at = Number(/\[(\d)\]/.exec(name)?.[1] ?? 0);
  const old = /targets = \{ default = \[(\d+), (\d+)\]/.exec(game.text);
  const targets = [old[1], old[2]].map((own, place) => (place === at ? pick.values[name] : own));
  const now = old[0].replace(/\[.*\]/, `[${targets.join(", ")}]`);
  return { ruleset: "skirmish.toml", check: "attack", vary: { [name]: options.map(Number) }, goals: [{ goal: question.goals[0].split(" ~")[0], intent: null, aim: `near ${wanted} %`, hard: false, kind: "probability", now: null, excluded: null, met_alone: null }],
    candidates: tried.length, from: 0, until: tried.length, forbidden: 0, met: tried.length, equally_good: 1, best: best.slice(0, 10), pareto: null, proof: null,
    patch: `--- skirmish.toml\n+++ skirmish.toml\n@@ -5 +5 @@\n-${old[0]}\n+${now}\n`, text: game.text.replace(old[0], now) };
}

/** The dice pad knows `NdS`, `NdSkhK` and a number that is added. */
export function dice({ expressions, mode }) {
  const distributions = expressions.map((expression) => {
    const read = /^(\d+)d(\d+)(?:kh(\d+))?([+-]\d+)?$/.exec(expression);
    if (read === null) return { expression, problems: [{ message: `\`${expression}\` is no dice expression`, help: "such as `4d6kh3`" }] };
    return distribution(expression, Number(read[1]), Number(read[2]), Number(read[3] ?? read[1]), Number(read[4] ?? 0));
  });
  const points = (own, color) => `<polyline fill="none" stroke="${color}" stroke-width="3" points="${own.outcomes.map((point) => `${40 + point.outcome * 24},${320 - { exactly: point.probability * 1600, "at least": point.at_least * 280, "at most": point.at_most * 280 }[mode]}`).join(" ")}"/>`;
  const lines = distributions.filter((own) => own.outcomes).map((own, at) => points(own, ["#1B5E9E", "#B5420A", "#17794A"][at % 3]));
  return { distributions, svg: `<svg xmlns="http://www.w3.org/2000/svg" width="720" height="340" viewBox="0 0 720 340"><title>${mode}</title><rect width="720" height="340" fill="#FFFFFF"/>${lines.join("")}<polyline fill="none" stroke="#878D96" points="40,320 700,320"/></svg>` };
}

function distribution(expression, count, sides, keep, plus) {
  const sums = new Map();
  const roll = (dice) => {
    if (dice.length < count) {
      for (let face = 1; face <= sides; face += 1) roll([...dice, face]);
      return;
    }
    const sum = [...dice].sort((a, b) => b - a).slice(0, keep).reduce((a, b) => a + b, plus);
    sums.set(sum, (sums.get(sum) ?? 0) + 1);
  };
  roll([]);
  const total = sides ** count;
  const values = [...sums].sort(([a], [b]) => a - b);
  let below = 0;
  const outcomes = values.map(([outcome, weight]) => {
    const atLeast = (total - below) / total;
    below += weight;
    return { outcome, weight: `${weight}`, probability: weight / total, at_least: atLeast, at_most: below / total };
  });
  const moment = (power) => values.reduce((sum, [own, weight]) => sum + own ** power * weight, 0);
  const [sum, squares] = [moment(1), moment(2)];
  return { expression, total: `${total}`, mean: `${sum}/${total}`, variance: `${squares * total - sum * sum}/${total * total}`, outcomes };
}

/** What changed in the check; the mock looks at one configuration alone. */
function compare(game, before) {
  const [own, old] = [game, before].map((rules) => odds(rules, { settings: ["bonus=3"] }).outcomes[2]);
  const moved = BigInt(own.weight) * BigInt(old.total) - BigInt(old.weight) * BigInt(own.total);
  const largest = { largest: fraction(moved, BigInt(own.total) * BigInt(old.total)), at: { bonus: 3 }, mean: null };
  const orders = { equal: moved === 0n ? 24 : 18, a: 0, b: 0, neither: moved === 0n ? 0 : 6 };
  const summary = { configurations: 24, orders, only_a: 0, only_b: 0, variation: largest, distance: largest, differences: { Hit: largest } };
  return [{ check: "attack", state: "same", summary }, { check: "siege", state: "same" }];
}

const picture = (game, question) => ({ title: "What a bonus is worth", svg: chart(game, question), gaps: 0 });

/** Questions about a text, each with the game and the request. */
const QUESTIONS = {
  "oddsmith/overview": overview,
  "oddsmith/odds": odds,
  "oddsmith/table": table,
  "oddsmith/chart": picture,
  "oddsmith/declared-chart": picture,
  "oddsmith/value": value,
  "oddsmith/lint": lint,
  "oddsmith/expectations": expectations,
  "oddsmith/track": siege,
  "oddsmith/tune": tune,
  "oddsmith/policy": () => { throw refuse(-32003, "nobody chooses", { problems: [{ message: "`attack` has no choices" }] }); },
};

/** The answer to a question about a text, and about a pinned one beside it. */
export function answer(method, text, { question }, pinned) {
  const game = read(text);
  if (game.errors.length > 0) throw refuse(-32005, "the rules have errors");
  if (method === "oddsmith/compare") return { changed: compare(game, read(pinned)) };
  const result = { answer: QUESTIONS[method](game, question) };
  if (pinned !== undefined) result.before = QUESTIONS[method](read(pinned), question);
  return result;
}

export const isQuestion = (method) => method in QUESTIONS || method === "oddsmith/compare";
