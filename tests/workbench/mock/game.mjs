// The game of skirmish.toml, worked out by going through all faces of the dice: an oracle that shares nothing with the
// program. It reads numbers and names from the rules, so that edits of them move its odds.

/** A line such as `axes.bonus = { default = 1, domain = "-5..=10", help = "…" }`. */
const INPUT = /^(axes\.)?(\w+)\s*=\s*\{ default = ("[^"]*"|\[[^\]]*\]|-?\d+), domain = ("[^"]*"|\[[^\]]*\])(.*)\}/;

const labels = (text) => [...text.matchAll(/"([^"]*)"/g)].map(([, label]) => label);
const plain = (text) => text.replaceAll('"', "").replaceAll(" ", "");

/** An axis or parameter as the program's overview has it. */
function input(line) {
  const [, axis, name, home, domain, rest] = INPUT.exec(line);
  const help = /help = "([^"]*)"/.exec(rest)?.[1] ?? "";
  const values = domain.startsWith("[") ? labels(domain).join(" | ") : plain(domain);
  const sweep = /sweep = "([^"]*)"/.exec(rest)?.[1] ?? "";
  const all = domain.startsWith("[") ? labels(domain).join(",") : plain(domain);
  return { isAxis: axis !== undefined, overview: { name, values, default: plain(home), sweep: sweep === "all" ? all : sweep, help, reading: "", others: "" } };
}

/** What is wrong with the rules: a band that is not declared, or a broken line. */
function faults(text) {
  const found = [];
  text.split("\n").forEach((line, at) => {
    if (/^(axes\.)?\w+\s*=\s*\{/.test(line) && !INPUT.test(line)) found.push({ line: at, from: 0, to: line.length, message: "this is no axis or parameter" });
    for (const { index, 0: whole, 1: name } of line.matchAll(/(?:then|else) ([A-Z]\w*)/g)) {
      if (["Miss", "Graze", "Hit"].includes(name)) continue;
      const from = index + whole.length - name.length;
      found.push({ line: at, from, to: from + name.length, message: `unknown name \`${name}\`; the bands are Miss, Graze, Hit`, fix: "Hit" });
    }
  });
  return found;
}

/** The rules, read. */
export function read(text) {
  const errors = faults(text);
  if (errors.length > 0) return { errors };
  const lines = text.split("\n");
  const siege = lines.findIndex((line) => line.startsWith("[tracks."));
  const inputs = lines.flatMap((line, at) => (INPUT.test(line) ? [{ ...input(line), isTrack: siege >= 0 && at > siege }] : []));
  const [, sides = "6"] = /d(\d+)kh2/.exec(text) ?? [];
  return { errors, inputs, sides: Number(sides), hasTrack: siege >= 0, text };
}

/** The values of all inputs, with what is set. `targets` has two. */
export function configure(game, settings) {
  const values = {};
  for (const { overview: { name, default: home } } of game.inputs) {
    if (!home.startsWith("[")) values[name] = home;
    else home.slice(1, -1).split(",").forEach((part, at) => (values[`${name}[${at}]`] = part));
  }
  const problems = [];
  for (const text of settings) {
    const [name, value] = text.split("=");
    if (values[name] === undefined) problems.push({ message: `unknown name \`${name}\``, help: `the names are ${Object.keys(values).join(", ")}`, text, start: 0, end: name.length });
    else values[name] = value;
  }
  if (problems.length > 0) throw Object.assign(new Error("what is set has errors"), { code: -32003, data: { problems } });
  return values;
}

const distributions = new Map();

/** How often the best two of some dice come to each sum. */
function bestTwo(count, sides) {
  const key = `${count}d${sides}`;
  if (!distributions.has(key)) distributions.set(key, enumerate(count, sides));
  return distributions.get(key);
}

function enumerate(count, sides) {
  const sums = new Map();
  const dice = Array(count).fill(1);
  for (;;) {
    const [best, second] = [...dice].sort((a, b) => b - a);
    sums.set(best + second, (sums.get(best + second) ?? 0n) + 1n);
    let at = 0;
    while (at < count && dice[at] === sides) dice[at++] = 1;
    if (at === count) return sums;
    dice[at] += 1;
  }
}

const outcome = (name, kind, weight, total) => ({ outcome: name, kind, weight: `${weight}`, total: `${total}`, probability: Number(weight) / Number(total) });

/** How often each band comes up, and the moments of the total. */
export function attack(game, values) {
  const count = 2 + Number(values.edge);
  const shift = Number(values.bonus) - Number(values.guard) + (values.style === "wild" ? 2 : 0);
  const [graze, hit] = [Number(values["targets[0]"]), Number(values["targets[1]"])].map((own) => own + (values.ties === "attacker" ? 0 : 1));
  const total = BigInt(game.sides) ** BigInt(count);
  const weights = { Miss: 0n, Graze: 0n, Hit: 0n };
  let [sum, squares] = [0n, 0n];
  for (const [dice, weight] of bestTwo(count, game.sides)) {
    const own = dice + shift;
    weights[own >= hit ? "Hit" : own >= graze ? "Graze" : "Miss"] += weight;
    sum += weight * BigInt(own);
    squares += weight * BigInt(own) ** 2n;
  }
  return { weights, total, sum, variance: squares * total - sum * sum };
}

/** The answer of `oddsmith odds`. */
export function odds(game, { check, settings = [] }) {
  const values = configure(game, settings);
  const { weights, total, sum, variance } = attack(game, values);
  const bands = Object.entries(weights).map(([name, weight]) => outcome(name, "band", weight, total));
  return {
    ruleset: "skirmish.toml", check: check ?? "attack", configuration: {},
    outcomes: [...bands, outcome("mean(total)", "mean", sum, total), outcome("variance(total)", "variance", variance, total * total)],
  };
}

const choose = (n, k) => Array.from({ length: k }, (_, at) => BigInt(n - at)).reduce((own, part, at) => (own * part) / BigInt(at + 1), 1n);

/** The answer of `oddsmith track`: a hit each time with the same probability, until the gate has fallen. */
export function siege(game, { settings = [] }) {
  const values = configure(game, settings);
  const { weights: { Hit: hit }, total } = attack(game, values);
  const gate = Number(values.gate);
  const outcomes = [outcome("mean(rolls)", "mean", BigInt(gate) * total, hit), outcome("variance(rolls)", "variance", BigInt(gate) * (total - hit) * total, hit * hit)];
  for (let rolls = 1, done = 0; rolls <= 60 && done < 0.999; rolls += 1) {
    const ways = rolls < gate ? 0n : choose(rolls - 1, gate - 1) * hit ** BigInt(gate) * (total - hit) ** BigInt(rolls - gate);
    const own = outcome(`P(rolls==${rolls})`, "probability", ways, total ** BigInt(rolls));
    done += own.probability;
    outcomes.push(own);
  }
  return { ruleset: "skirmish.toml", track: "siege", configuration: {}, outcomes };
}

const SHOWN = { bands: [], flags: [], numbers: [], labels: [] };

/** The overview of the rules. */
export function overview(game) {
  const axes = (isTrack) => game.inputs.filter((own) => own.isAxis && (isTrack || !own.isTrack)).map((own) => own.overview);
  const check = (name, isTrack, help, shown) => ({
    name, is_track: isTrack, unit: isTrack ? ["roll", "rolls"] : [], help, axes: axes(isTrack), requires: [], shown: { ...SHOWN, ...shown }, first_roll: SHOWN,
    contest: null, maximise: null, examples: [],
  });
  const checks = [check("attack", false, "Two dice, a bonus, and whatever edge there is", { bands: ["Miss", "Graze", "Hit"], numbers: ["total"] })];
  if (game.hasTrack) checks.push(check("siege", true, "Attacks until the gate has fallen", { numbers: ["rolls"] }));
  return {
    ruleset: "skirmish.toml", title: "Skirmish", help: "2d6 and a bonus against two targets", checks,
    parameters: game.inputs.filter((own) => !own.isAxis).map((own) => own.overview),
    charts: [{ kind: "bands", check: "attack", axes: "bonus", title: "What a bonus is worth" }, { kind: "dist", check: "attack", axes: "total", title: "The total" }],
    expectations: [], resources: [],
  };
}
