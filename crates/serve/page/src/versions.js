// Versions: what is pinned, what this session has been through, and what changed in every check.

import { isProbability } from "../../../report/page/shared/answers.js";
import { Panel } from "../../../report/page/shared/panel.js";
import { button, counted, element, prose, row, select, shown, toast, wideTable } from "./elements.js";

/** Milliseconds without an edit after which a text is a version of its own. */
const PAUSE = 1200;
/** So many versions are kept; the oldest ones go. */
const MOST = 60;

/** What changed from one text to another, in a line. */
export function difference(before, now) {
  const [old, own] = [before.split("\n"), now.split("\n")];
  let start = 0;
  while (start < old.length && start < own.length && old[start] === own[start]) start += 1;
  let end = 0;
  while (end < Math.min(old.length, own.length) - start && old.at(-1 - end) === own.at(-1 - end)) end += 1;
  const lines = Math.max(old.length, own.length) - start - end;
  if (lines === 0) return "nothing changed";
  const gone = (old.slice(start, old.length - end)[0] ?? "").trim();
  const come = (own.slice(start, own.length - end)[0] ?? "").trim();
  const words = come === "" ? `without ${gone || "an empty line"}` : come;
  return `line ${start + 1}: ${words}${lines > 1 ? ` (${counted(lines, "line")})` : ""}`;
}

export class Versions {
  id = "versions";
  title = "Versions";
  #bench;
  #entries = [];
  #timer = 0;
  #list = element("ol", { class: "versions", reversed: true });
  #pins = element("ul", { class: "pins" });
  #with = element("div", { class: "fields" });

  constructor(bench) {
    this.#bench = bench;
    this.changes = new Panel(bench, {
      id: "changes", title: "Changes", method: "oddsmith/compare", delay: 150,
      question: () => (bench.against === null ? null : { against: bench.against }),
      render: (result) => this.#changed(result),
      empty: "Pin a version, and what changed in every check stands here.",
    });
    this.node = element("div", { class: "panel", "data-panel": "versions" },
      element("h3", {}, "Before and after"), this.#with,
      element("div", { class: "actions" },
        button("Pin this version", () => this.pin("text"), { class: "primary" }),
        button("Pin the file", () => this.pin("file")), button("Pin git HEAD", () => this.pin("head"))),
      this.#pins, this.changes.node, element("h3", {}, "This session"), this.#list);
    bench.on("opened", () => this.#opened());
    bench.on("text", () => this.#wait());
    bench.on("pins", () => this.#draw());
  }

  async pin(source) {
    try {
      const { id, label } = await this.#bench.pin(source);
      this.#bench.compareWith(id);
      toast(`Everything stands beside ${label} now`);
    } catch (error) {
      toast(`It can't be pinned: ${error.data?.message ?? error.message}`);
    }
  }

  #opened() {
    this.#entries = [{ version: this.#bench.version, text: this.#bench.text, at: new Date(), line: "as it was opened" }];
    this.#draw();
  }

  #wait() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.keep(), PAUSE);
  }

  /** Makes the text a version of its own, if it differs from the last one. */
  keep() {
    clearTimeout(this.#timer);
    const { text, version } = this.#bench;
    const last = this.#entries.at(-1);
    if (text === last.text) return;
    this.#entries.push({ version, text, at: new Date(), line: difference(last.text, text) });
    if (this.#entries.length > MOST) this.#entries.splice(1, 1);
    this.#draw();
  }

  #draw() {
    const { pins, against } = this.#bench;
    this.#with.replaceChildren(select("stand beside", [["", "nothing"], ...pins.map(({ id, label }) => [`${id}`, label])], `${against ?? ""}`,
      (id) => this.#bench.compareWith(pins.find((own) => `${own.id}` === id)?.id ?? null)));
    this.#pins.hidden = true;
    this.#list.replaceChildren(...this.#entries.toReversed().map((entry) => this.#entry(entry)));
  }

  #entry({ version, text, at, line }) {
    const time = at.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
    const isNow = text === this.#bench.text;
    return element("li", {}, element("span", { class: "quiet" }, `${time} · version ${version} `), version === this.#entries[0].version ? line : element("code", {}, line),
      isNow ? element("small", {}, " now") : button("Go back", () => this.#bench.editor.replace(text), { class: "plain", "aria-label": `Go back to version ${version}` }));
  }

  #changed({ changed }) {
    const rows = changed.map((own) => row(element("code", {}, own.check), element("td", { class: "left" }, this.#words(own))));
    return wideTable("What changed in every check", ["check", "what changed"], rows);
  }

  /** What changed in a check, in words: the answer that moved the most, and where. */
  #words({ check, state, summary, why }) {
    if (why) return prose(why);
    if (!summary) return state === "same" ? "the same" : state;
    const { configurations, orders, differences } = summary;
    const moved = configurations - orders.equal;
    const told = Object.entries(differences).filter(([, { largest }]) => largest !== null && largest.decimal !== 0);
    if (told.length === 0) return "the same";
    const [column, { largest, at }] = told.reduce((most, own) => (Math.abs(own[1].largest.decimal) > Math.abs(most[1].largest.decimal) ? own : most));
    const size = isProbability(column) ? `${(largest.decimal * 100).toFixed(2)} points` : shown(largest.decimal.toFixed(4));
    const where = Object.entries(at ?? {});
    const go = () => {
      this.#bench.choose(check);
      this.#bench.setAll({ ...this.#bench.settings, ...Object.fromEntries(where.map(([name, value]) => [name, `${value}`])) });
    };
    return [`${moved.toLocaleString("en")} of ${counted(configurations, "configuration")}, most of all ${column} by ${shown(size)} `,
      button(where.map((pair) => pair.join("=")).join(" ") || "at the defaults", go, { class: "plain" })];
  }

  clear() { this.changes.clear(); }
  refresh() { this.changes.refresh(); }
  set isActive(isActive) { this.changes.isActive = isActive; if (isActive) { this.#draw(); } }
}
