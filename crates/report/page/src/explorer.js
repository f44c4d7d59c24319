// The explorer of a check: what is on the page for it.

import { control } from "../shared/control.js";
import { button, commandLine, copyButton, element, settled } from "../shared/elements.js";
import { FORMS } from "../shared/forms.js";
import { settingPairs, titleOf, toldValue } from "../shared/inputs.js";
import { glancePanel, oddsPanel } from "../shared/odds.js";
import { tablePanel } from "../shared/table.js";
import { stateOf, writeLink } from "./link.js";
import { Packed } from "./packed.js";

/** A word as a shell takes it. */
const shellWord = (text) => (/^[\w@%+=:,.\/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

export class Explorer {
  /** `onChange` is told the link to what is shown. */
  constructor(json, prefix, place, onChange) {
    this.status = element("p", { class: "unseen", role: "status" });
    this.check = new Packed(json, prefix, settled(700, (text) => (this.status.textContent = text)));
    this.onChange = onChange;
    this.controls = new Map(this.check.inputs.map((input) => [input.name, control(this.check, input)]));
    const glance = glancePanel(this.check);
    this.panels = [glance, oddsPanel(this.check, glance)];
    if (this.controls.size > 0) this.panels.push(tablePanel(this.check, { isQuiet: true }));
    this.#place(place);
    this.check.on("change", () => {
      this.show();
      this.onChange(writeLink(this.check));
    });
    this.show();
  }

  /** Puts everything that stays on the page. */
  #place(place) {
    const { check } = this;
    const [glance, odds, table] = this.panels.map(({ node }) => node);
    this.ways = element("p", { class: "actions" });
    this.pin = button("", () => check.setAll(check.settings, check.against === null ? check.settings : null));
    this.command = commandLine();
    const reset = check.inputs.length > 0 ? button("Reset", () => check.setAll({}, null)) : null;
    const link = copyButton("Copy link", () => location.href.replace(/#.*/, "") + writeLink(check));
    this.forms = ["Markdown", "BBCode"].map((form) => copyButton(`Copy ${form}`, () => FORMS[form.toLowerCase()](this.panels[1].grid().forPeople)));
    const axes = element("div", { class: "axes", role: "group", "aria-label": "Axes" }, [...this.controls.values()].map(({ node }) => node));
    place.replaceChildren(element("h4", {}, "Explore"), element("div", { class: "glance" }, glance, this.ways), axes,
      element("p", { class: "actions" }, this.pin, reset, link, this.forms), odds, this.status, this.command.node, table ?? "");
  }

  /** Brings the page up to what is set. */
  show() {
    const { check } = this;
    for (const [name, own] of this.controls) own.show(check.settings[name] ?? own.input.home);
    for (const panel of this.panels) panel.isActive = true;
    const isAnswered = check.obstacles(check.settings).length === 0;
    for (const form of this.forms) form.disabled = !isAnswered;
    this.pin.disabled = check.against === null && !isAnswered;
    this.pin.textContent = check.against === null ? "Pin to compare" : "Unpin";
    this.command.show(check.command + settingPairs(check.inputs, check.settings).map((pair) => ` --set ${shellWord(pair.join("="))}`).join(""));
    this.ways.replaceChildren(...check.waysBack().map(([name, value]) => this.#wayBack(this.controls.get(name), value)));
  }

  #wayBack({ input, focus }, value) {
    return button(`${titleOf(input)} = ${toldValue(input, value)}`, () => {
      this.check.set(input.name, value);
      focus();
    });
  }

  /** Takes the state from a link. A pinned configuration that the page does not have is left out. */
  restore(pairs) {
    const { settings, pinned } = stateOf(this.check, pairs);
    this.check.setAll(settings, pinned !== null && this.check.obstacles(pinned).length === 0 ? pinned : null);
  }
}
