// A panel: one question to a source, and its answer, which always says whether it is of the text on screen.
//
// A source is what answers: the server, by way of the workbench, or the packed answers of a report. It has
//   request(method, params)      a promise of `{ version, answer, before }` that can be told to `cancel`; methods and
//                                answers are those of the protocol, and a Refusal is what comes if there is no answer
//   document, version, errors, textDocument   the text that answers are about, and what is wrong with it
//   shown, inputs, settings, settingTexts     the check that is shown, what can be set, and what is
//   set(name, value, { isHeld, from }), setAll(settings)
//   against, pinned, compared    what stands beside the answers: its id, its label, and whether it is another version
//   announce(text), prefix       for those who listen; what ids begin with
// and it is an EventTarget that says when something changed.

import { BROKEN_RULES, BUSY, CANCELLED, CONTENT_MODIFIED, GONE, OVER_BUDGET } from "./refusal.js";
import { Latest } from "./latest.js";
import { counted, element, prose } from "./elements.js";

/** Milliseconds after which a question is put again that the server had no room for. */
const BREATH = 500;
/** Milliseconds after which a panel asks that counts something without being seen: whoever types is not slowed by it. */
const UNSEEN = 600;
/** Milliseconds for which an answer stays as it is while a newer one is awaited: what comes at once does not flicker. */
const FLICKER = 140;

export class Panel {
  /** The newest answer, `{ key, params, result }`; the key is that of its question. */
  #answer = null;
  /** The key of the newest question, and why it was refused, if it was. */
  #wanted = null;
  #refused = null;
  #isActive = false;
  #latest;
  /** The timer that dims what is on screen; null while no newer answer is awaited. */
  #dimming = null;
  /** The panels that show the answers of this one as well. */
  #sharers = [];
  /** Whether its answer is seen, or only counted. */
  isSeen = true;

  /**
   * `method` is the server's, or gives it; `question()` gives its parameters beside the document, or null if there is
   * nothing to ask. A panel that `shares` another one asks nothing: it shows the answers of that one. A panel that
   * `isQuiet` does not say why there is no answer, since another one does.
   */
  constructor(bench, { id, title, method, question, render, empty = "", delay = 0, shares = null, isQuiet = shares !== null }) {
    Object.assign(this, { bench, id, title, method, question, render, empty, delay, shares, isQuiet });
    shares?.#sharers.push(this);
    this.note = element("div", { class: "note", role: "status", hidden: true });
    this.body = element("div", { class: "answer" });
    this.node = element("div", { class: "panel", "data-panel": id, "data-state": "empty" }, this.note, this.body);
    this.#latest = new Latest(([method, params]) => bench.request(method, params));
  }

  /** Whether it asks at all. */
  set isActive(isActive) {
    this.#isActive = isActive;
    if (isActive) this.refresh();
  }

  get isActive() {
    return this.#isActive;
  }

  /** Another document: nothing of the old one stays. */
  clear() {
    this.#latest.stop();
    this.#wanted = null;
    this.#forget();
  }

  /** Nothing is asked, and nothing is shown but what says so. */
  #forget(words = "") {
    this.#answer = null;
    this.#refused = null;
    this.body.replaceChildren(...(words ? [element("p", { class: "quiet" }, prose(words))] : []));
    this.#state("empty");
  }

  /** Asks if what is on screen is not the answer to what is asked now. */
  refresh() {
    if (!this.#isActive || this.bench.document === null) return;
    if (this.shares !== null) return this.#share();
    const params = this.question();
    if (params === null) {
      this.#latest.stop();
      this.#wanted = null;
      return this.#forget(this.empty);
    }
    const method = typeof this.method === "string" ? this.method : this.method();
    const key = JSON.stringify([this.bench.version, method, params]);
    if (key === this.#answer?.key) {
      this.#wanted = key;
      this.#refused = null;
      return this.#state("fresh");
    }
    if (key === this.#wanted) return;
    this.#wanted = key;
    this.#refused = null;
    this.#state(this.#answeredVersion === this.bench.version ? "awaited" : "old");
    clearTimeout(this.timer);
    const delay = this.isSeen ? this.delay : UNSEEN;
    if (delay > 0) this.timer = setTimeout(() => key === this.#wanted && this.#ask(key, method, params), delay);
    else this.#ask(key, method, params);
  }

  #ask(key, method, params, isAgain = false) {
    const { version, textDocument } = this.bench;
    if (!key.startsWith(`[${version},`)) return;
    this.#latest.ask({
      params: [method, { textDocument, ...params }],
      text: version,
      done: (result) => this.#came(key, params, result),
      failed: (error) => this.#failed(error, key, isAgain ? null : () => this.#ask(key, method, params, true)),
    });
  }

  #came(key, params, result) {
    if (result.version !== this.bench.version) return;
    this.#answer = { key, params, result };
    this.#draw();
    this.#state(key === this.#wanted ? "fresh" : "awaited");
    this.bench.dispatchEvent(new CustomEvent("answered", { detail: { panel: this } }));
  }

  #draw() {
    const { params, result } = this.#answer;
    this.node.dataset.version = result.version;
    this.body.replaceChildren(...[this.render(result, params)].flat(Infinity).filter(Boolean));
  }

  get #answeredVersion() {
    return this.#answer?.result.version ?? -1;
  }

  /** Shows what the panel has that it shares: its answer, and the state of its question. */
  #share() {
    const { shares } = this;
    const { state } = shares.node.dataset;
    const isDrawn = this.#answer === shares.#answer;
    if (isDrawn && this.#refused === shares.#refused && this.node.dataset.state === state) return;
    if (shares.#answer === null) return this.#forget();
    this.#answer = shares.#answer;
    this.#refused = shares.#refused;
    if (!isDrawn) this.#draw();
    this.#state(state);
  }

  #failed(error, key, again) {
    if (key !== this.#wanted) return;
    if (error.code === CONTENT_MODIFIED || error.code === CANCELLED) {
      if (again !== null) return again();
      this.#wanted = null;
      return;
    }
    if (error.code === BUSY && again !== null) return setTimeout(() => key === this.#wanted && again(), BREATH);
    this.#refused = error;
    this.#state(error.code === GONE ? "old" : "refused");
  }

  /** Why there is no answer, and which version the one on screen belongs to. */
  #reason(error) {
    if (error.code === GONE) return ["The connection to the server ended; this is from before."];
    const before = this.#answer === null ? [] : [element("p", { class: "quiet" },
      `What is shown belongs to ${this.#answeredVersion === this.bench.version ? "the settings before" : `version ${this.#answeredVersion}`}.`)];
    // The glance says it for all of them; the others say whose answer it is that they show.
    if (this.isQuiet || (error.code === BROKEN_RULES && this.id !== "glance" && before.length > 0)) return before;
    if (error.code === BROKEN_RULES) {
      const { errors } = this.bench;
      const words = errors?.length ? `have ${counted(errors.length, "error")}` : "have errors";
      return [element("p", {}, `The rules ${words}: version ${this.bench.version} has no odds.`), before];
    }
    const problems = error.data.problems ?? [{ message: error.data.message ?? error.message, help: error.data.help }];
    const title = error.code === OVER_BUDGET ? [element("p", {}, "This is more than one question may cost.")] : [];
    return [title, problems.map(problem), before];
  }

  /**
   * While an answer is awaited the note of the one before keeps its place, so that nothing jumps. How it looks depends on
   * classes that most keystrokes leave as they are: a style that follows the state would be computed with each of them.
   */
  #state(state) {
    const isAwaited = state === "awaited" || state === "old";
    this.node.dataset.state = state;
    this.node.classList.toggle("is-refused", state === "refused");
    this.body.setAttribute("aria-busy", isAwaited);
    this.#dim(isAwaited);
    const isKept = isAwaited && this.#refused === null;
    this.note.classList.toggle("is-kept", isKept);
    if (!isKept) {
      const note = this.#refused === null ? [] : this.#reason(this.#refused).flat(Infinity);
      this.note.hidden = note.length === 0;
      this.note.replaceChildren(...note);
    }
    for (const panel of this.#sharers) panel.refresh();
  }

  /** Dims what is on screen once a newer answer is awaited for a while. */
  #dim(isAwaited) {
    if (isAwaited) {
      this.#dimming ??= setTimeout(() => this.node.classList.add("is-late"), FLICKER);
      return;
    }
    clearTimeout(this.#dimming);
    this.#dimming = null;
    this.node.classList.remove("is-late");
  }

  /** Stops what is asked. */
  cancel() {
    this.#latest.stop();
  }
}

/** Something that is wrong with a question: the place in what was given, what is wrong, what would help. */
function problem({ message, help, text, start, end }) {
  const place = text === undefined || start === undefined ? null
    : element("p", {}, element("code", {}, text.slice(0, start), element("mark", {}, text.slice(start, end) || " "), text.slice(end)));
  return [element("p", {}, prose(message)), place, help ? element("p", { class: "quiet" }, prose(help)) : null].filter(Boolean);
}

/** The parameters of a question with what it stands beside. */
export function beside(bench, params) {
  return bench.against === null ? params : { ...params, against: bench.against };
}

/** A text that stands where there is nothing before to compare with. */
export function beforeNote({ beforeError }) {
  return beforeError ? [element("p", { class: "note" }, "The pinned version gives no answer to this: ", prose(beforeError))] : [];
}
