// The tabs beneath the glance, as the pattern of tabs asks: arrows go between them, one of them has the focus.

import { element, say } from "./elements.js";

export class Tabs {
  chosen;
  #bench;
  #panels;
  #tabs = new Map();

  constructor(bench, panels) {
    this.#bench = bench;
    this.#panels = panels;
    [this.chosen] = panels;
    const list = element("div", { class: "tablist", role: "tablist", "aria-label": "Answers", keydown: (event) => this.#key(event) },
      panels.map((panel) => this.#tab(panel)));
    this.body = element("div", { class: "tabpanel", role: "tabpanel", id: "tabpanel", tabindex: "0" });
    this.list = list;
    this.node = element("section", { class: "tabs", "aria-label": "Answers" }, element("h2", { class: "unseen" }, "Answers"), this.body);
    this.#mark();
  }

  #tab(panel) {
    const count = element("span", { class: "badge", hidden: true });
    const tab = element("button", { type: "button", role: "tab", id: `tab-${panel.id}`, "aria-controls": "tabpanel", click: () => this.choose(panel.id) }, panel.title, count);
    this.#tabs.set(panel, { tab, count });
    return tab;
  }

  #mark() {
    for (const [panel, { tab }] of this.#tabs) {
      tab.setAttribute("aria-selected", panel === this.chosen);
      tab.tabIndex = panel === this.chosen ? 0 : -1;
    }
    this.body.setAttribute("aria-labelledby", `tab-${this.chosen.id}`);
    if (this.body.firstChild !== this.chosen.node) this.body.replaceChildren(this.chosen.node);
  }

  choose(id) {
    const panel = this.#panels.find((own) => own.id === id);
    if (panel === undefined) return;
    this.chosen = panel;
    this.#mark();
    this.#tabs.get(panel).tab.scrollIntoView?.({ block: "nearest", inline: "nearest" });
    this.refresh();
  }

  #key(event) {
    const shown = this.#panels.filter((panel) => !this.#tabs.get(panel).tab.hidden);
    const at = shown.indexOf(this.chosen);
    const to = { ArrowRight: (at + 1) % shown.length, ArrowLeft: (at + shown.length - 1) % shown.length, Home: 0, End: shown.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.choose(shown[to].id);
    this.#tabs.get(shown[to]).tab.focus();
  }

  /** Only the tab that is seen asks, and the expectations, whose count stands in their tab. */
  refresh() {
    const isOpen = this.#bench.document !== null;
    for (const [panel, { tab }] of this.#tabs) {
      tab.hidden = panel.isRelevant !== undefined && !panel.isRelevant();
      if (tab.hidden && panel === this.chosen) return this.choose(this.#panels[0].id);
    }
    for (const panel of this.#panels) {
      panel.isSeen = panel === this.chosen;
      panel.isActive = isOpen && (panel.isSeen || panel.id === "expectations");
    }
  }

  /** Shows how many there are of what is broken or odd. */
  count() {
    for (const [panel, { count }] of this.#tabs) {
      count.hidden = !panel.count;
      say(count, panel.count ? ` ${panel.count}` : "");
    }
  }
}
