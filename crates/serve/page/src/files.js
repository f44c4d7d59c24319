// Files: opening, saving, and what happens on disk beneath edits. Nothing is overwritten that the reader has not seen.

import { EditorState } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { unifiedMergeView } from "@codemirror/merge";

import { CHANGED_ON_DISK } from "./rpc.js";
import { button, download, element, prose, toast } from "./elements.js";
import { theme } from "./theme.js";

const NEW_RULES = `name = "New rules"
help = "2d6 against a target"

[params]
target = { default = 8, domain = "2..=20", help = "least total of a success" }

[checks.attempt]
help  = "Two dice and a bonus"
bands = ["Failure", "Success"]

axes.bonus = { default = 0, domain = "-5..=5", sweep = "-2..=4", help = "added to the dice" }

rules = """
show total = 2d6 + bonus
show band  = if total >= target then Success else Failure
"""
`;

export class Files {
  #app;
  #bench;
  #bar = element("div", { class: "conflict", role: "alert", hidden: true });
  #dialog = element("dialog", { class: "compare", "aria-label": "Both versions" });
  #nameDialog = element("dialog", { "aria-labelledby": "name-title" });
  #untitled = 0;
  #title = null;

  constructor(app) {
    this.#app = app;
    this.#bench = app.bench;
    document.getElementById("conflict").replaceWith(this.#bar);
    document.body.append(this.#dialog, this.#nameDialog);
    this.#bench.connection.on("oddsmith/fileChanged", (change) => this.#changed(change));
    this.#bench.on("text", () => this.title());
    this.#bench.on("opened", () => { this.#bar.hidden = true; this.title(); });
    window.addEventListener("beforeunload", (event) => this.#bench.isDirty && !this.#bench.document.isUntitled && event.preventDefault());
  }

  title() {
    const { document: own, isDirty } = this.#bench;
    const shown = own === null ? ["", "", "Oddsmith"]
      : [own.name, own.isUntitled ? "not saved" : isDirty ? "unsaved changes" : "saved", `${isDirty ? "• " : ""}${own.name} – Oddsmith`];
    // It seldom changes, and what is written is laid out anew.
    if (shown.join() === this.#title) return;
    this.#title = shown.join();
    [document.getElementById("file").textContent, document.getElementById("dirty").textContent, document.title] = shown;
  }

  /** Whether unsaved edits of this document may go. */
  mayLeave() {
    const { document: own, isDirty } = this.#bench;
    return own === null || !isDirty || window.confirm(`${own.name} has unsaved changes, which go if another file is opened. Open it?`);
  }

  /** What there is to open; nothing where a page has no files. */
  async listed() {
    const { files = [] } = await this.#bench.connection.request("oddsmith/files", {}).catch(() => ({}));
    return files;
  }

  async open(uri, name) {
    if (!this.mayLeave()) return;
    try {
      const { text, digest } = await this.#bench.connection.request("oddsmith/open", { uri });
      this.#app.show({ uri, name, digest, saved: text, isUntitled: false }, text);
    } catch (error) {
      toast(`${name} can't be opened: ${error.message}`);
    }
  }

  /** Opens rules that lie in no file. */
  openText(name, text, { settings = {}, check = null } = {}) {
    if (!this.mayLeave()) return;
    this.#untitled += 1;
    const uri = `untitled:${encodeURIComponent(name)}-${this.#untitled}`;
    this.#app.show({ uri, name, digest: null, saved: text, isUntitled: true }, text, { settings, check });
  }

  openNew() {
    this.openText("new.toml", NEW_RULES);
  }

  async save() {
    const { document: own, text, version } = this.#bench;
    if (own === null) return;
    if (own.isUntitled) return this.#saveNew();
    const textDocument = { uri: own.uri, version };
    try {
      const { digest } = await this.#bench.connection.request("oddsmith/save", { textDocument, text, digest: own.digest });
      Object.assign(own, { digest, saved: text });
      this.#bar.hidden = true;
      this.#app.versions.keep();
      this.title();
      toast(`${own.name} is saved`);
    } catch (error) {
      if (error.code === CHANGED_ON_DISK) this.#conflict(error.data);
      else toast(`${own.name} can't be saved: ${error.data?.message ?? error.message}`);
    }
  }

  /** Rules that lie in no file become one of the served directory; where none is served they are downloaded. */
  async #saveNew() {
    const { connection, document: own, text } = this.#bench;
    const name = own.name.endsWith(".toml") ? own.name : `${own.name}.toml`;
    const { takesNew } = await connection.request("oddsmith/files", {}).catch(() => ({}));
    if (takesNew) return this.#askName(name);
    download(name, text, "application/toml");
    toast("No directory is served, so the rules are downloaded");
  }

  #askName(name) {
    const field = element("input", { name: "name", value: name, required: true, autocomplete: "off", spellcheck: "false" });
    const fault = element("p", { class: "fault", role: "alert" });
    const save = async (event) => {
      event.preventDefault();
      fault.textContent = "";
      try {
        await this.#create(field.value.trim());
        this.#nameDialog.close();
      } catch (error) {
        const help = error.data?.problems?.[0]?.help;
        fault.textContent = help ? `${error.message}: ${help}` : error.message;
      }
    };
    this.#nameDialog.replaceChildren(element("form", { submit: save },
      element("h2", { id: "name-title" }, "Save as a new file"),
      element("label", { class: "field" }, element("span", {}, "Name, in the served directory"), field), fault,
      element("div", { class: "actions end" },
        button("Cancel", () => this.#nameDialog.close()), element("button", { class: "primary" }, "Save"))));
    this.#nameDialog.showModal();
    field.setSelectionRange(0, name.length - ".toml".length);
  }

  async #create(written) {
    const { text } = this.#bench;
    const name = written.endsWith(".toml") ? written : `${written}.toml`;
    const { uri, digest } = await this.#bench.connection.request("oddsmith/create", { name, text });
    this.#bench.rename({ uri, name, digest, saved: text, isUntitled: false });
    this.#app.versions.keep();
    toast(`${name} is saved`);
  }

  #changed({ uri, text, digest, error }) {
    const { document: own, isDirty } = this.#bench;
    if (own?.uri !== uri || digest === own.digest) return;
    if (text === undefined) return toast(`${own.name} can't be read any more: ${error}`);
    if (text === this.#bench.text) {
      Object.assign(own, { digest, saved: text });
      return this.title();
    }
    if (isDirty) return this.#conflict({ text, digest });
    this.#take({ text, digest });
    toast(`${own.name} changed on disk and is shown as it is now`);
  }

  #take({ text, digest }) {
    Object.assign(this.#bench.document, { digest, saved: text });
    this.#bench.editor.replace(text);
    this.#bar.hidden = true;
    this.title();
  }

  #conflict({ text, digest }) {
    const { name } = this.#bench.document;
    const keep = () => {
      Object.assign(this.#bench.document, { digest, saved: text });
      this.#bar.hidden = true;
      this.title();
      toast("Yours is kept; saving puts it over the file");
    };
    this.#bar.replaceChildren(
      element("p", {}, prose(`\`${name}\` changed on disk, beneath your unsaved changes.`)),
      element("div", { class: "actions" },
        button("Take theirs", () => this.#take({ text, digest })),
        button("Keep mine", keep), button("Compare", () => this.#compare(text))));
    this.#bar.hidden = false;
  }

  /** Shows the text on disk with what differs in the editor's. */
  #compare(theirs) {
    const host = element("div", { class: "merge" });
    const root = host.attachShadow({ mode: "open" });
    this.#dialog.replaceChildren(element("h2", {}, "What differs"),
      element("p", { class: "quiet" }, "Red is the file on disk, green is the editor."), host,
      element("div", { class: "actions end" }, button("Close", () => this.#dialog.close())));
    new EditorView({
      root, parent: root,
      state: EditorState.create({
        doc: this.#bench.text,
        extensions: [lineNumbers(), theme, EditorState.readOnly.of(true), EditorView.contentAttributes.of({ "aria-label": "What differs" }),
          unifiedMergeView({ original: theirs, mergeControls: false, collapseUnchanged: {} })],
      }),
    });
    this.#dialog.showModal();
  }
}

/** The start: files that were open, the served directory, the games that come along. */
export async function startScreen(app) {
  const known = app.bench.connection.request("oddsmith/known", {}).catch(() => ({}));
  const [{ games = [] }, files] = await Promise.all([known, app.files.listed()]);
  const recent = files.filter((file) => file.recent);
  const others = files.filter((file) => !file.recent);
  const list = (title, items) => items.length === 0 ? null : element("section", {}, element("h2", {}, title), element("ul", { class: "cards" }, items));
  const file = ({ uri, name }) => element("li", {}, button([element("strong", {}, name)], () => app.files.open(uri, name)));
  const game = ({ name, title, help, text }) => element("li", {}, button([element("strong", {}, title), element("span", {}, help)],
    () => app.files.openText(`${name}.toml`, text)));
  app.startNode.replaceChildren(...[
    element("section", {}, element("h2", {}, "Rules"), element("div", { class: "actions" }, button("New rules", () => app.files.openNew(), { class: "primary" }))),
    list("Recent files", recent.map(file)), list("Files", others.map(file)), list("Games", games.map(game)),
  ].filter(Boolean));
}
