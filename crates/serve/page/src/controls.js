// All axes and parameters as sliders, choices and selects: grouped, with their defaults marked, and a filter.

import { control } from "../../../report/page/shared/control.js";
import { button, element } from "./elements.js";

export class Controls {
  #bench;
  /** What the controls are of and show, and the groups that they stand in. */
  #inputs = null;
  #settings = null;
  #shape = "";
  #controls = new Map();
  /** Groups that are closed: on a phone all of them, so that the answers are not far below. */
  #folded = new Set(matchMedia("(max-width: 40rem)").matches ? ["swept", "axis", "parameter"] : ["parameter"]);
  #filter = element("input", { type: "search", placeholder: "Filter settings", "aria-label": "Filter settings", input: () => this.#sift() });
  #reset = button("Reset all", () => this.#bench.setAll({}), { class: "plain", disabled: true });
  #groups = element("div", { class: "groups" });

  constructor(bench) {
    this.#bench = bench;
    this.node = element("section", { class: "controls", "aria-label": "Settings" }, element("h2", { class: "unseen" }, "Settings"),
      element("div", { class: "sift" }, this.#filter, this.#reset), this.#groups);
  }

  /** Draws what there is to set, as far as it is not what is drawn, and shows what is set. */
  refresh() {
    const { inputs, settings } = this.#bench;
    if (inputs === this.#inputs && settings === this.#settings) return;
    if (inputs !== this.#inputs) this.#follow(inputs);
    this.#settings = settings;
    for (const [name, own] of this.#controls) own.show(settings[name] ?? own.input.home);
    this.#reset.disabled = inputs.every(({ name, home }) => (settings[name] ?? home) === home);
  }

  /** An edit mostly changes a default or a help: then all but that control stays. */
  #follow(inputs) {
    const shape = JSON.stringify(inputs.map(({ name, role, sweep }) => [name, role, sweep !== ""]));
    if (shape === this.#shape) inputs.forEach((input) => this.#renew(input));
    else this.#draw(inputs);
    this.#inputs = inputs;
    this.#shape = shape;
  }

  #renew(input) {
    const old = this.#controls.get(input.name);
    if (JSON.stringify(old.input) === JSON.stringify(input)) return;
    const hadFocus = old.node.contains(document.activeElement);
    const own = this.#control(input);
    own.node.hidden = old.node.hidden;
    old.node.replaceWith(own.node);
    if (hadFocus) own.focus();
  }

  #control(input) {
    const own = control(this.#bench, input);
    this.#controls.set(input.name, own);
    return own;
  }

  #draw(inputs) {
    this.#controls.clear();
    const groups = [
      ["swept", "Axes", inputs.filter(({ role, sweep }) => role === "axis" && sweep)],
      ["axis", "Further axes", inputs.filter(({ role, sweep }) => role === "axis" && !sweep)],
      ["parameter", "Parameters of the rules", inputs.filter(({ role }) => role === "parameter")],
    ].filter(([, , own]) => own.length > 0);
    if (groups.length === 1) this.#folded.delete(groups[0][0]);
    this.#groups.replaceChildren(...groups.map(([id, title, own]) => this.#group(id, title, own)));
    this.#sift();
  }

  #group(id, title, inputs) {
    const nodes = inputs.map((input) => this.#control(input).node);
    const details = element("details", {
      class: "group", "data-group": id, ".open": !this.#folded.has(id),
      toggle: () => details.open ? this.#folded.delete(id) : this.#filter.value || this.#folded.add(id),
    }, element("summary", {}, element("h3", {}, title), element("span", { class: "count" }, `${inputs.length}`)), nodes);
    return details;
  }

  #sift() {
    const wanted = this.#filter.value.trim().toLowerCase();
    for (const { input, node } of this.#controls.values()) {
      node.hidden = wanted !== "" && !`${input.name} ${input.help}`.toLowerCase().includes(wanted);
    }
    for (const group of this.#groups.children) {
      group.hidden = [...group.querySelectorAll(".control")].every((node) => node.hidden);
      group.open = wanted !== "" || !this.#folded.has(group.dataset.group);
    }
  }
}
