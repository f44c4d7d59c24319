// What leaves the page: links, pictures, tables in several forms, the command line that says the same.

import { button, commandLine, copyButton, download, element, toast } from "./elements.js";
import { FORMS } from "../../../report/page/shared/forms.js";
import { packed } from "../../../report/page/shared/rules-link.js";
import { diceHash } from "./link.js";
import { png } from "./pictures.js";

export class Out {
  #app;
  #dialog = element("dialog", { class: "out", "aria-labelledby": "out-title" });

  constructor(app) {
    this.#app = app;
    document.body.append(this.#dialog);
  }

  async open() {
    const { isDice } = this.#app;
    this.#dialog.replaceChildren(
      element("h2", { id: "out-title" }, "Share"),
      this.#row("Link", copyButton("Copy link", () => this.#linked()),
        isDice ? "The dice are in the address." : "Rules and settings are in the address; they are sent to no server."),
      ...this.#picture(), ...this.#table(), ...(isDice ? [] : await this.#command()),
      element("div", { class: "actions end" }, button("Close", () => this.#dialog.close())));
    this.#dialog.showModal();
  }

  #row(label, ...parts) {
    const [first, ...rest] = parts.reverse();
    const hint = typeof first === "string" ? element("p", { class: "quiet" }, first) : null;
    return element("div", { class: "out-row" }, element("h3", {}, label),
      element("div", { class: "actions" }, hint === null ? [first, ...rest].reverse() : rest.reverse()), hint);
  }

  async link() {
    const { bench, dice, isDice } = this.#app;
    const address = location.href.split("#")[0];
    if (isDice) return address + diceHash(dice.written);
    const { document, settings, shown, text } = bench;
    return `${address}#${await packed({ rules: text, name: document.name, check: shown?.name ?? null, settings, tab: this.#app.tab })}`;
  }

  /** The link, which then stands in the address as well. */
  async #linked() {
    const link = await this.link();
    if (!this.#app.isDice) history.replaceState(null, "", link);
    return link;
  }

  #picture() {
    const { svg, name } = this.#app.picture ?? {};
    if (!svg) return [];
    const save = async () => download(`${name}.png`, await png(svg));
    return [this.#row("Picture", button("SVG", () => download(`${name}.svg`, svg, "image/svg+xml")),
      button("PNG", () => save().catch(() => toast("The picture can't be drawn as PNG"))))];
  }

  #table() {
    const grid = this.#app.grid;
    if (!grid || grid.rows.length === 0) return [];
    return [this.#row("Table", button("CSV", () => download(`${grid.name ?? "odds"}.csv`, FORMS.csv(grid), "text/csv")),
      copyButton("Copy Markdown", () => FORMS.markdown(grid.forPeople ?? grid)),
      copyButton("Copy BBCode", () => FORMS.bbcode(grid.forPeople ?? grid)))];
  }

  async #command() {
    const { bench } = this.#app;
    const asked = this.#app.command;
    if (asked === null) return [];
    try {
      const { command } = await bench.connection.request("oddsmith/command", { textDocument: bench.textDocument, question: asked });
      return [element("div", { class: "out-row" }, element("h3", {}, "Command line"),
        commandLine(command).node)];
    } catch {
      return [];
    }
  }
}
