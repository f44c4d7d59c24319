// The dice pad: dice expressions over one another, or an AnyDice program, as a picture and in numbers.

import { Latest } from "../../../report/page/shared/latest.js";
import { announce, button, element, prose, shown } from "./elements.js";
import { deviation, parse, percent, told } from "../../../report/page/shared/answers.js";
import { drawing } from "./pictures.js";

const MODES = ["exactly", "at least", "at most"];
const KINDS = ["expressions", "AnyDice program"];
/** What a click adds to the expression. */
const KEYS = ["d4", "d6", "d8", "d10", "d12", "d20", "d%", "+", "-", "kh3", "kl1", "!"];
/** The first of these stands there at first. */
const EXAMPLES = ["4d6kh3", "3d6", "2d6+3", "1d20", "2d20kh1", "8d6"];

export class Dice {
  expressions = ["4d6kh3", "3d6"];
  program = 'output [highest 3 of 4d6] named "ability"\noutput 3d6';
  isProgram = false;
  mode = "exactly";
  svg = null;
  #bench;
  #latest;
  #distributions = [];
  #lines = element("ul", { class: "dice-lines" });
  #kinds = element("div", { class: "choices", role: "radiogroup", "aria-label": "What is written" });
  #modes = element("div", { class: "choices", role: "radiogroup", "aria-label": "What is drawn" });
  #field = element("textarea", { class: "program", rows: "8", "aria-label": "AnyDice program", spellcheck: "false", autocapitalize: "off",
    input: () => { this.program = this.#field.value; this.ask(); } });
  #fault = element("p", { class: "problem", role: "status" });
  #picture = element("figure", { class: "drawing", tabindex: "0", "aria-label": "Distributions" });
  #summary = element("div", {});
  #table = element("div", { class: "wide tall", tabindex: "0", role: "region", "aria-label": "Odds of every value" });
  #answered = "";

  constructor(bench, onChange) {
    this.#bench = bench;
    this.onChange = onChange;
    this.#latest = new Latest(({ method, ...params }) => bench.connection.request(method, params));
    this.#modes.append(...choices("dice-mode", MODES, (mode) => { this.mode = mode; this.ask(); }));
    this.#kinds.append(...choices("dice-kind", KINDS, (kind) => { this.isProgram = kind !== KINDS[0]; this.draw(); this.ask(); }));
    const keys = KEYS.map((key) => button(key, () => this.#press(key), { "aria-label": `Add ${key}` }));
    this.node = element("section", { class: "dice", "aria-labelledby": "dice-title" },
      element("h2", { id: "dice-title" }, "Dice"), this.#kinds,
      element("div", { class: "written" }, this.#lines, element("div", { class: "keys" }, keys), button("Add another", () => this.add(""))),
      element("div", { class: "written" }, this.#field, this.#fault),
      this.#modes,
      this.#picture, this.#summary, this.#table);
    this.draw();
  }

  /** Shows other expressions or another program, as a link has them. */
  set({ dice, program, mode }) {
    this.isProgram = program !== undefined;
    if (this.isProgram) this.program = program;
    else this.expressions = dice.length > 0 ? dice : [EXAMPLES[0]];
    if (MODES.includes(mode)) this.mode = mode;
    this.draw();
    this.ask();
  }

  /** What a link has to have. */
  get written() {
    return this.isProgram ? { program: this.program, mode: this.mode } : { dice: this.expressions, mode: this.mode };
  }

  add(expression) {
    this.expressions.push(expression);
    this.draw();
    this.#lines.lastElementChild.querySelector("input").focus();
  }

  #press(key) {
    const field = this.#lines.contains(this.last) ? this.last : this.#lines.lastElementChild.querySelector("input");
    const { selectionStart: at = field.value.length } = field;
    const joined = /^d/.test(key) && !/\d$/.test(field.value.slice(0, at)) ? `1${key}` : key;
    const glue = /^d/.test(key) && /d\w+$/.test(field.value.slice(0, at)) ? "+1" : "";
    field.setRangeText(glue ? glue + key : joined, at, field.selectionEnd ?? at, "end");
    field.dispatchEvent(new Event("input"));
    field.focus();
  }

  draw() {
    for (const radio of this.#modes.querySelectorAll("input")) radio.checked = radio.value === this.mode;
    for (const radio of this.#kinds.querySelectorAll("input")) radio.checked = this.isProgram === (radio.value !== KINDS[0]);
    this.#lines.parentElement.hidden = this.isProgram;
    this.#field.parentElement.hidden = !this.isProgram;
    if (this.#field.value !== this.program) this.#field.value = this.program;
    this.#lines.replaceChildren(...this.expressions.map((expression, at) => {
      const field = element("input", {
        type: "text", ".value": expression, "aria-label": `Dice expression ${at + 1}`, spellcheck: "false", autocapitalize: "off",
        placeholder: EXAMPLES[at % EXAMPLES.length],
        input: () => { this.expressions[at] = field.value; this.ask(); },
        focus: () => (this.last = field),
      });
      const remove = this.expressions.length > 1
        ? button("Remove", () => { this.expressions.splice(at, 1); this.draw(); this.ask(); }, { class: "plain", "aria-label": `Remove ${expression || "the empty line"}` }) : null;
      return element("li", {}, element("span", { class: "line", "--line": `var(--line-${at % 8})`, "aria-hidden": "true" }), field, remove, element("p", { class: "problem", role: "status" }));
    }));
  }

  #question() {
    if (this.isProgram) return { method: "oddsmith/anydice", program: this.program, mode: this.mode };
    return { method: "oddsmith/dice", expressions: this.expressions.map((own) => own.trim()).filter(Boolean), mode: this.mode };
  }

  ask() {
    const params = this.#question();
    this.onChange();
    if (params.expressions?.length === 0) return this.#latest.stop();
    const key = JSON.stringify(params);
    this.node.dataset.state = key === this.#answered ? "fresh" : "awaited";
    this.#latest.ask({
      params, text: "",
      done: (result) => this.#came(key, result),
      failed: (error) => this.#say(error),
    });
  }

  #say(error) {
    this.node.dataset.state = "refused";
    if (this.isProgram) return this.#fault.replaceChildren(...faults(error));
    this.#lines.lastElementChild.querySelector(".problem").replaceChildren(...prose(error.message));
  }

  #came(key, { distributions, svg }) {
    if (key !== JSON.stringify(this.#question())) return;
    this.#answered = key;
    this.node.dataset.state = "fresh";
    this.svg = svg ?? null;
    this.#picture.replaceChildren(...[svg ? drawing(svg) : null].filter(Boolean));
    this.#fault.replaceChildren();
    if (!this.isProgram) this.#problems(distributions);
    this.#distributions = distributions.filter(({ outcomes }) => outcomes !== undefined);
    this.#summary.replaceChildren(this.#figures(), ...this.#cuts());
    this.#table.replaceChildren(this.#rows());
    announce(this.#distributions.map(({ expression, mean }) => `${expression}: ${mean === null ? "no mean" : `mean ${told(mean)}`}`).join(", "));
  }

  #problems(distributions) {
    const filled = [...this.#lines.children].filter((line) => line.querySelector("input").value.trim() !== "");
    filled.forEach((line, at) => {
      const problems = distributions[at]?.problems ?? [];
      line.querySelector(".problem").replaceChildren(...problems.flatMap(({ message, help }) => prose(help ? `${message}: ${help}` : message)));
      line.querySelector("input").toggleAttribute("data-wrong", problems.length > 0);
    });
  }

  #figures() {
    const rows = this.#distributions.map(({ expression, mean, variance, outcomes, tail }) => element("tr", {},
      element("th", { scope: "row" }, element("code", {}, expression)),
      [mean === null ? "" : told(mean), mean === null ? "" : deviation(parse(variance)), range(outcomes, tail)]
        .map((text) => element("td", {}, text))));
    return element("table", {}, element("caption", { class: "unseen" }, "Mean, deviation and range"),
      element("thead", {}, element("tr", {}, ["dice", "mean", "sd", "range"].map((head) => element("th", { scope: "col" }, head)))),
      element("tbody", {}, rows));
  }

  /** Which limits of the language were met, and how likely. */
  #cuts() {
    const cut = this.#distributions.filter(({ cut }) => cut !== undefined && cut !== "0");
    return cut.map(({ expression, cut }) => element("p", { class: "cut" },
      `${expression}: ${percent(parse(cut))} of the rolls would explode once more or call deeper; set "explode depth" or "maximum function depth" to go on`));
  }

  /** What a distribution says of each of these values, in the mode that is chosen: a weight over the total. */
  #weights({ total, outcomes, tail }, values) {
    const whole = BigInt(total);
    const beyond = (value) => (tail?.name.startsWith(">") ? value >= tail.outcome : value <= tail?.outcome);
    const inside = outcomes.filter(({ outcome }) => outcome !== tail?.outcome);
    let next = 0;
    let below = tail?.name.startsWith("<") && outcomes[0].outcome === tail.outcome ? BigInt(outcomes[0].weight) : 0n;
    return values.map((value) => {
      if (beyond(value)) return { weight: 0n, total: whole };
      // Values are those of all distributions, so that none of its own is passed over.
      const own = inside[next]?.outcome === value ? BigInt(inside[next++].weight) : 0n;
      const least = whole - below;
      below += own;
      return { weight: { exactly: own, "at least": least, "at most": below }[this.mode], total: whole };
    });
  }

  grid() {
    const all = this.#distributions.flatMap(({ outcomes, tail }) => outcomes.map(({ outcome }) => outcome).filter((own) => own !== tail?.outcome));
    const values = [...new Set(all)].sort((a, b) => a - b);
    const columns = this.#distributions.map((own) => this.#weights(own, values));
    const rows = values.map((value, at) => [shown(value), ...columns.map((own) => (own[at].weight > 0n ? percent(own[at]) : ""))]);
    if (this.#distributions.some(({ tail }) => tail)) rows.push(["beyond", ...this.#distributions.map(beyond)]);
    return { head: ["value", ...this.#distributions.map(({ expression }) => expression)], rows };
  }

  #rows() {
    const { head, rows } = this.grid();
    return element("table", {}, element("caption", { class: "unseen" }, `Odds of ${this.mode} each value`),
      element("thead", {}, element("tr", {}, head.map((text) => element("th", { scope: "col" }, text)))),
      element("tbody", {}, rows.map(([first, ...rest]) => element("tr", {}, element("th", { scope: "row" }, first), rest.map((text) => element("td", {}, text))))));
  }
}

/** The values that come up; of dice without an end as far as they are known. */
function range(outcomes, tail) {
  const own = outcomes.filter(({ outcome }) => outcome !== tail?.outcome);
  const [least, greatest] = [own[0], own.at(-1)].map((end) => shown(end?.outcome ?? tail.outcome));
  if (!tail) return `${least} to ${greatest}`;
  return tail.name.startsWith(">") ? `${least} or more` : `${greatest} or less`;
}

/** How likely dice without an end are beyond their last value, and which that is. */
function beyond({ total, outcomes, tail }) {
  const own = outcomes.find(({ outcome }) => outcome === tail?.outcome);
  return own ? `${percent({ weight: BigInt(own.weight), total: BigInt(total) })} ${tail.name}` : "";
}

/** Radio buttons of a choice. */
function choices(name, values, choose) {
  return values.map((value) => element("label", {},
    element("input", { type: "radio", name, value, change: () => choose(value) }), element("span", {}, value)));
}

/** What is wrong with a program, each thing with its place. */
function faults({ message, data }) {
  const problems = data?.problems ?? [{ message }];
  return problems.flatMap(({ line, column, message, help }) =>
    prose(`${line === undefined ? "" : `line ${line}, column ${column}: `}${message}${help ? `: ${help}` : ""}`));
}
