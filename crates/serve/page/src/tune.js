// Tuning: goals that are clicked together, parameters that may vary, and the patch of the best candidate.

import { BROKEN_RULES, CANCELLED, CONTENT_MODIFIED } from "./rpc.js";
import { announce, button, counted, element, prose, row, select, toast, wideTable } from "./elements.js";
import { decimal, isProbability, parse, value } from "../../../report/page/shared/answers.js";

const AIMS = [["near", "near"], ["at least", "at least"], ["at most", "at most"], ["in", "between"], ["keep", "as it is"]];

/** A goal as the library reads it: `P(band>=Hit) ~ 60 %`. */
export function goalText({ query, aim, low, high }) {
  const unit = isProbability(query) ? " %" : "";
  if (aim === "near") return `${query} ~ ${low}${unit}`;
  if (aim === "in") return `${query} in [${low}${unit}, ${high}${unit}]`;
  return `${query} ${aim} ${low}${unit}`;
}

function queries(bench) {
  const { shown } = bench;
  if (shown === null) return [];
  if (shown.is_track) return ["mean(rolls)", ...shown.shown.bands, ...shown.shown.flags];
  const { bands, flags, numbers } = shown.shown;
  return [...bands.slice(0, 1), ...bands.slice(1).map((band) => `P(band>=${band})`), ...flags, ...numbers.map((name) => `mean(${name})`)];
}

export class Tune {
  id = "tune";
  title = "Tune";
  #bench;
  #goals = [];
  #varied = [];
  #running = null;
  #goalList = element("ul", { class: "builder" });
  #varyList = element("ul", { class: "builder" });
  #note = element("div", { class: "note", role: "status", hidden: true });
  #result = element("div", { class: "answer" });
  #run = button("Search", () => (this.#running ? this.#running.cancel() : this.#search()), { class: "primary" });
  #cost = element("progress", { hidden: true, "aria-label": "How far the search is", max: 1, value: 0 });

  constructor(bench) {
    this.#bench = bench;
    this.node = element("div", { class: "panel", "data-panel": "tune" },
      element("h3", {}, "Goals"), this.#goalList, button("Add a goal", () => this.wish(queries(bench).at(1) ?? queries(bench)[0])),
      element("h3", {}, "What may vary"), this.#varyList, button("Add a parameter", () => this.#vary()),
      element("div", { class: "actions" }, this.#run, this.#cost), this.#note, this.#result);
    bench.on("text", () => this.#age());
    bench.on("settings", () => this.#age());
    bench.on("opened", () => { this.#goals = []; this.#varied = []; this.#result.replaceChildren(); this.#draw(); });
    bench.on("overview", () => this.#draw());
    bench.on("check", () => this.#draw());
    bench.connection.on("oddsmith/cost", ({ id, done, ahead }) => this.#progress(id, done, ahead));
    this.#draw();
  }

  /** A query as a goal, near what it is now until the reader says otherwise. */
  wish(query) {
    if (!query) return;
    this.#goals.push({ query, aim: "near", low: isProbability(query) ? "50" : "10", high: isProbability(query) ? "60" : "12" });
    if (this.#varied.length === 0) this.#vary();
    this.#draw();
    announce(`${query} is a goal now`);
  }

  #parameters() {
    return this.#bench.inputs.filter(({ role }) => role === "parameter");
  }

  #vary() {
    const free = this.#parameters().find(({ name }) => !this.#varied.some((own) => own.name === name));
    if (free === undefined) return toast("All parameters vary already");
    this.#varied.push({ name: free.name, values: this.#around(free) });
    this.#draw();
  }

  /** Values to try: all labels, or some numbers around the default. */
  #around(input) {
    if (input.labels) return "all";
    const home = Number(input.home);
    return `${Math.max(input.low, home - 3)}..=${Math.min(input.high, home + 3)}`;
  }

  #draw() {
    const own = queries(this.#bench);
    this.#goalList.replaceChildren(...this.#goals.map((goal, at) => this.#goalRow(goal, at, own)));
    this.#varyList.replaceChildren(...this.#varied.map((varied, at) => this.#varyRow(varied, at)));
    this.#run.disabled = this.#goals.length === 0 || this.#varied.length === 0;
  }

  #field(object, key, label, attributes = {}) {
    return element("input", {
      type: "text", ".value": object[key], "aria-label": label, autocomplete: "off", ...attributes,
      input: (event) => { object[key] = event.target.value.trim(); },
    });
  }

  #goalRow(goal, at, own) {
    const redraw = (key) => (value) => { goal[key] = value; this.#draw(); };
    const unit = isProbability(goal.query) ? " %" : "";
    return element("li", {},
      select("goal", [...new Set([goal.query, ...own])], goal.query, redraw("query")),
      select("is", AIMS, goal.aim, redraw("aim")),
      goal.aim === "keep" ? null : [this.#field(goal, "low", "number", { class: "short", inputmode: "decimal" }), unit],
      goal.aim === "in" ? [" and ", this.#field(goal, "high", "upper number", { class: "short", inputmode: "decimal" }), unit] : null,
      button("Remove", () => { this.#goals.splice(at, 1); this.#draw(); }, { class: "plain" }));
  }

  #varyRow(varied, at) {
    const names = this.#parameters().map(({ name }) => name);
    return element("li", {},
      select("parameter", [...new Set([varied.name, ...names])], varied.name, (name) => {
        Object.assign(varied, { name, values: this.#around(this.#parameters().find((input) => input.name === name)) });
        this.#draw();
      }),
      element("label", { class: "field" }, element("span", {}, "values"), this.#field(varied, "values", `values of ${varied.name}`)),
      button("Remove", () => { this.#varied.splice(at, 1); this.#draw(); }, { class: "plain" }));
  }

  /** An answer of another text or other settings is not applied. */
  #age() {
    this.#running?.cancel();
    this.node.classList.toggle("is-late", this.#result.childElementCount > 0);
    for (const own of this.#result.querySelectorAll("button")) own.disabled = true;
  }

  #question(pick) {
    const kept = this.#goals.filter(({ aim }) => aim === "keep").map(({ query }) => query);
    const goals = this.#goals.filter(({ aim }) => aim !== "keep").map(goalText);
    const varied = this.#varied.map(({ name }) => name);
    const settings = this.#bench.settingTexts.filter((text) => !varied.includes(text.split("=")[0]));
    return { check: this.#bench.shown.name, vary: this.#varied.map(({ name, values }) => `${name}=${values}`), goals, keeps: kept, settings, pick };
  }

  #progress(id, done, ahead) {
    if (this.#running?.id !== id) return;
    const whole = Number(done) + Number(ahead);
    this.#cost.value = whole > 0 ? Number(done) / whole : 0;
  }

  async #search(pick = null) {
    const { version } = this.#bench;
    const settings = JSON.stringify(this.#bench.settings);
    this.#running = this.#bench.connection.request("oddsmith/tune", { textDocument: this.#bench.textDocument, question: this.#question(pick) });
    this.#cost.hidden = false;
    // Without a word on what lies ahead nobody knows how far it is.
    this.#cost.removeAttribute("value");
    this.#run.textContent = "Stop";
    try {
      const result = await this.#running;
      if (result.version !== this.#bench.version || settings !== JSON.stringify(this.#bench.settings)) return;
      this.#show(result.answer, version);
    } catch (error) {
      this.#refuse(error);
    } finally {
      this.#running = null;
      this.#cost.hidden = true;
      this.#run.textContent = "Search";
    }
  }

  #refuse(error) {
    if (error.code === CANCELLED || error.code === CONTENT_MODIFIED) return;
    const problems = error.code === BROKEN_RULES ? [{ message: "The rules have errors." }] : error.data.problems ?? [{ message: error.data.message ?? error.message, help: error.data.help }];
    this.#note.replaceChildren(...problems.flatMap(({ message, help }) => [element("p", {}, prose(message)), help ? element("p", { class: "quiet" }, prose(help)) : ""]));
    this.#note.hidden = false;
  }

  #show(answer, version) {
    this.#note.hidden = true;
    this.node.classList.remove("is-late");
    const { best, goals, candidates, met, proof } = answer;
    const list = best.length > 0 ? best : [proof?.nearest].filter(Boolean);
    announce(`${counted(met, "candidate")} of ${candidates} meet the goals`);
    const heads = ["candidate", ...Object.keys(answer.vary), ...goals.map(({ goal, aim }) => `${goal} ${aim}`), ""];
    const rows = list.map((own) => this.#candidate(own, goals));
    this.#result.replaceChildren(
      element("p", {}, best.length > 0 ? `${counted(met, "candidate")} of ${candidates.toLocaleString("en")} meet the goals; the best ones come first.`
        : `None of ${counted(candidates, "candidate")} meets the goals. The nearest miss:`),
      proof ? element("p", { class: "quiet" }, `These goals can't be met together: ${proof.conflict.map((at) => goals[at - 1].goal).join("; ")}.`) : "",
      wideTable("Candidates", heads, rows), ...this.#patch(answer, version));
  }

  #candidate({ candidate, values, answers, off }, goals) {
    const texts = Object.values(values).map((own) => (Array.isArray(own) ? `[${own.join(",")}]` : `${own}`));
    const cells = answers.map((own, at) => {
      const distance = off[at]?.fraction ? parse(off[at].fraction) : null;
      const isOff = distance !== null && distance.weight !== 0n;
      return element("td", {}, own ? value({ ...own, kind: goals[at].kind }) : "–", isOff ? element("small", {}, ` off by ${decimal(distance)}`) : null);
    });
    return row(`${candidate}`, texts, cells, element("td", {}, button("Pick", () => this.#search(candidate), { class: "plain", "aria-label": `Pick candidate ${candidate}` })));
  }

  #patch({ patch, text }, version) {
    if (!patch) return [];
    const lines = patch.split("\n").filter((line) => /^[-+](?![-+]{2})/.test(line));
    const apply = button("Apply to the rules", () => {
      if (version !== this.#bench.version) return;
      this.#bench.editor.replace(text);
      toast("The patch is in the editor; undo takes it back");
    }, { class: "primary" });
    return [element("h3", {}, "The change"),
      element("pre", { class: "patch", tabindex: "0", "aria-label": "The change of the rules" }, lines.map((line) => element("span", { class: line.startsWith("+") ? "up" : "down" }, `${line}\n`))),
      ...(text === undefined ? [] : [apply])];
  }

  clear() {}
  refresh() {}
  set isActive(isActive) { if (isActive) this.#draw(); }
}
