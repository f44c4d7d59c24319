// What the whole page knows: the document, what the server says of it, and what the reader has chosen.

import { Text } from "@codemirror/state";

import { CONTENT_MODIFIED, Connection, Refusal } from "./rpc.js";
import { Latest } from "../../../report/page/shared/latest.js";
import { settingTexts } from "../../../report/page/shared/inputs.js";
import { announce } from "./elements.js";
import { inputsOf } from "./inputs.js";
import { moved, moving, settingsField } from "./settings.js";

const INITIALIZE = {
  processId: null,
  rootUri: null,
  clientInfo: { name: "oddsmith workbench" },
  capabilities: {
    general: { positionEncodings: ["utf-16"] },
    textDocument: {
      synchronization: {},
      publishDiagnostics: { versionSupport: true, relatedInformation: true, dataSupport: true, codeDescriptionSupport: true },
      completion: { completionItem: { snippetSupport: false, documentationFormat: ["plaintext"] } },
      hover: { contentFormat: ["plaintext", "markdown"] },
      definition: {}, references: {}, rename: { prepareSupport: true },
      codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix"] } }, dataSupport: true },
      semanticTokens: { requests: { full: true }, tokenTypes: [], tokenModifiers: [], formats: ["relative"] },
    },
  },
};

export class Bench extends EventTarget {
  /** The editor; there is none before a document is opened. */
  view = null;
  /** `{ uri, name, digest, saved, isUntitled }`; `saved` is the text on disk as far as it is known. */
  document = null;
  version = 0;
  capabilities = {};
  overview = null;
  /** The diagnostics of the newest version that has any word on them. */
  diagnostics = [];
  diagnosed = -1;
  /** Pinned texts `{ id, label }`, and which of them answers stand beside. */
  pins = [];
  against = null;
  check = null;
  isConnected = false;
  /** What is compared, in a word; nothing has to tell the controls of this source from those of another one. */
  compared = "version";
  prefix = "";
  announce = announce;
  /** The inputs of the check of an overview, which are read once. */
  #inputs = { of: null, own: [] };
  /** The version that an overview was asked of. */
  #asked = -1;
  /** The text on disk as the editor holds texts, which are compared without being put together. */
  #saved = { of: null, own: null };

  /** A bench whose session is reached this way, see `rpc.js`. */
  constructor(way) {
    super();
    this.connection = new Connection(way, (state) => this.#connected(state));
    this.ready = new Promise((resolve) => (this.resolveReady = resolve));
    this.overviews = new Latest((params) => this.connection.request("oddsmith/overview", params));
  }

  async #connected(state) {
    this.isConnected = state === "open";
    if (this.isConnected) {
      this.capabilities = (await this.connection.request("initialize", INITIALIZE)).capabilities;
      this.connection.notify("initialized", {});
      if (this.document !== null) this.#reopen();
      this.resolveReady();
    }
    this.tell("connection");
  }

  /** After the connection was lost the server knows nothing of the document and the pins. */
  #reopen() {
    this.pins = [];
    this.against = null;
    this.version += 1;
    this.#didOpen();
    this.tell("pins");
    this.tell("text");
  }

  /** The text goes on as another document; what can be undone and what is pinned stays. */
  rename(document) {
    this.connection.notify("textDocument/didClose", { textDocument: { uri: this.document.uri } });
    this.document = document;
    this.version += 1;
    this.#didOpen();
    this.tell("text");
  }

  /** A promise of the answer. */
  request(method, params) {
    return this.connection.request(method, params);
  }

  tell(what, detail = {}) {
    this.dispatchEvent(new CustomEvent(what, { detail }));
    this.dispatchEvent(new CustomEvent("change", { detail: { what } }));
  }

  on(what, act) {
    this.addEventListener(what, ({ detail }) => act(detail));
  }

  get text() {
    return this.view.state.doc.toString();
  }

  get isDirty() {
    if (this.document === null) return false;
    const { saved } = this.document;
    if (saved !== this.#saved.of) this.#saved = { of: saved, own: Text.of(saved.split("\n")) };
    return !this.view.state.doc.eq(this.#saved.own);
  }

  get settings() {
    return this.view === null ? {} : this.view.state.field(settingsField);
  }

  /** The check or track that is shown, as the overview has it. */
  get shown() {
    const checks = this.overview?.checks ?? [];
    return checks.find(({ name }) => name === this.check) ?? checks[0] ?? null;
  }

  get inputs() {
    const { shown } = this;
    if (shown !== this.#inputs.of) this.#inputs = { of: shown, own: shown === null ? [] : inputsOf(this.overview, shown) };
    return this.#inputs.own;
  }

  /** What a question sets: `name=value`. */
  get settingTexts() {
    return settingTexts(this.inputs, this.settings);
  }

  /** The pin that answers stand beside. */
  get pinned() {
    return this.pins.find(({ id }) => id === this.against) ?? { label: "pinned" };
  }

  get textDocument() {
    return { uri: this.document.uri, version: this.version };
  }

  /** The errors of this version; null while the server has not said. */
  get errors() {
    if (this.diagnosed !== this.version) return null;
    return this.diagnostics.filter(({ severity }) => severity === 1);
  }

  /** Begins with a document whose editor is there. */
  opened(document, view) {
    if (this.document !== null) this.connection.notify("textDocument/didClose", { textDocument: { uri: this.document.uri } });
    Object.assign(this, { document, view, overview: null, pins: [], against: null, check: null });
    Object.assign(this, { diagnostics: [], diagnosed: -1 });
    this.version += 1;
    this.#didOpen();
    this.tell("opened");
  }

  #didOpen() {
    const { uri } = this.document;
    this.connection.notify("textDocument/didOpen", {
      textDocument: { uri, languageId: "toml", version: this.version, text: this.text },
    });
    this.askOverview();
  }

  /**
   * Tells the server of an edit that the editor is about to show: `changes` as LSP has them, last first. Odds are asked at
   * once, so that the server works while the editor draws; what the rules offer is asked once they are known to be right.
   */
  edited(changes) {
    this.version += 1;
    this.connection.notify("textDocument/didChange", { textDocument: this.textDocument, contentChanges: changes });
    this.dispatchEvent(new CustomEvent("edited"));
  }

  askOverview() {
    const { version } = this;
    this.#asked = version;
    this.overviews.ask({
      params: { textDocument: this.textDocument },
      text: version,
      done: (result) => this.#overviewCame(result),
      failed: (error) => this.#overviewFailed(error, version),
    });
  }

  #overviewCame({ version, answer }) {
    if (version !== this.version) return;
    this.overview = answer;
    this.tell("overview");
  }

  #overviewFailed(error, version) {
    if (error.code === CONTENT_MODIFIED && version === this.version) this.askOverview();
  }

  /** Diagnostics of another version are of another text. */
  diagnosedWith({ uri, version, diagnostics }) {
    if (uri !== this.document?.uri || version !== this.version) return;
    this.diagnostics = diagnostics;
    this.diagnosed = version;
    this.tell("diagnostics");
    if (this.errors.length === 0 && this.#asked !== version) this.askOverview();
  }

  choose(check) {
    this.check = check;
    this.tell("check");
  }

  /** Sets an input. While a slider is held, `from` is what the settings were before. */
  set(name, value, { isHeld = false, from = this.settings } = {}) {
    const to = { ...this.settings, [name]: value };
    if (value === this.inputs.find((input) => input.name === name)?.home) delete to[name];
    this.view.dispatch(isHeld ? moving(this.settings, to) : moved(from, to));
  }

  /** Sets all inputs at once. */
  setAll(to) {
    this.view.dispatch(moved(this.settings, to));
  }

  /** Pins a text: of the editor, of the file, of git's HEAD. */
  async pin(source) {
    const asked = this.version;
    const pin = await this.connection.request("oddsmith/pin", { textDocument: this.textDocument, source });
    if (source === "text" && asked !== this.version) throw new Refusal({ code: CONTENT_MODIFIED, message: "the text changed meanwhile" });
    if (!this.pins.some(({ id }) => id === pin.id)) this.pins = [...this.pins, { ...pin, source }];
    return pin;
  }

  compareWith(id) {
    this.against = id;
    this.tell("pins");
  }
}
