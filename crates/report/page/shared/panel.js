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

export class Panel {
  /** The key of the question that is answered on screen, and the version of its text; nothing is answered at first. */
  #answered = null;
  #answeredVersion = -1;
  /** The key of the newest question, whether it was refused, and whether it was asked once more. */
  #wanted = null;
  #refused = null;
  #isActive = false;
  #latest;
  /** Whether its answer is seen, or only counted. */
  isSeen = true;

  /**
   * `method` is the server's, or gives it; `question()` gives its parameters beside the document, or null if there is
   * nothing to ask. An `isEcho` asks what the glance asks as well, which says why there is no answer.
   */
  constructor(bench, { id, title, method, question, render, empty = "", delay = 0, isEcho = false }) {
    Object.assign(this, { bench, id, title, method, question, render, empty, delay, isEcho });
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
    this.#answered = null;
    this.#answeredVersion = -1;
    this.#wanted = null;
    this.body.replaceChildren();
    this.#state("empty");
  }

  /** Asks if what is on screen is not the answer to what is asked now. */
  refresh() {
    if (!this.#isActive || this.bench.document === null) return;
    const params = this.question();
    if (params === null) {
      this.#latest.stop();
      this.#answered = null;
      this.#wanted = null;
      this.body.replaceChildren(...(this.empty ? [element("p", { class: "quiet" }, prose(this.empty))] : []));
      return this.#state("empty");
    }
    const method = typeof this.method === "string" ? this.method : this.method();
    const key = JSON.stringify([this.bench.version, method, params]);
    if (key === this.#answered) {
      this.#wanted = key;
      return this.#state("fresh");
    }
    if (key === this.#wanted) return;
    this.#wanted = key;
    this.#state(this.#answeredVersion === this.bench.version ? "awaited" : "old");
    clearTimeout(this.timer);
    const delay = this.isSeen ? this.delay : UNSEEN;
    if (delay > 0) this.timer = setTimeout(() => key === this.#wanted && this.#ask(key, method, params), delay);
    else this.#ask(key, method, params);
  }

  #ask(key, method, params, isAgain = false) {
    const { version, textDocument } = this.bench;
    if (!key.startsWith(`[${version},`)) return;
    this.#refused = null;
    this.#latest.ask({
      params: [method, { textDocument, ...params }],
      text: version,
      done: (result) => this.#came(key, params, result),
      failed: (error) => this.#failed(error, key, isAgain ? null : () => this.#ask(key, method, params, true)),
    });
  }

  #came(key, params, result) {
    if (result.version !== this.bench.version) return;
    this.#answered = key;
    this.#answeredVersion = result.version;
    this.node.dataset.version = result.version;
    this.body.replaceChildren(...[this.render(result, params)].flat(Infinity).filter(Boolean));
    this.#state(key === this.#wanted ? "fresh" : "awaited");
    this.bench.dispatchEvent(new CustomEvent("answered", { detail: { panel: this } }));
  }

  #failed(error, key, again) {
    if (key !== this.#wanted) return;
    if (error.code === CONTENT_MODIFIED || error.code === CANCELLED) {
      if (again !== null) return again();
      this.#wanted = null;
      return;
    }
    if (error.code === BUSY && again !== null) return setTimeout(() => key === this.#wanted && again(), BREATH);
    if (error.code === GONE) return this.#state("old", "The connection to the server ended; this is from before.");
    this.#refused = error;
    this.#state("refused", this.#reason(error));
  }

  /** Why there is no answer, and which version the one on screen belongs to. */
  #reason(error) {
    const before = this.#answered === null ? [] : [element("p", { class: "quiet" },
      `What is shown belongs to ${this.#answeredVersion === this.bench.version ? "the settings before" : `version ${this.#answeredVersion}`}.`)];
    // The glance says it for all of them; the others say whose answer it is that they show.
    if (this.isEcho || (error.code === BROKEN_RULES && this.id !== "glance" && before.length > 0)) return before;
    if (error.code === BROKEN_RULES) {
      const { errors } = this.bench;
      const words = errors?.length ? `have ${counted(errors.length, "error")}` : "have errors";
      return [element("p", {}, `The rules ${words}: version ${this.bench.version} has no odds.`), before];
    }
    const problems = error.data.problems ?? [{ message: error.data.message ?? error.message, help: error.data.help }];
    const title = error.code === OVER_BUDGET ? [element("p", {}, "This is more than one question may cost.")] : [];
    return [title, problems.map(problem), before];
  }

  #state(state, note = []) {
    this.node.dataset.state = state;
    this.body.setAttribute("aria-busy", state === "awaited" || state === "old");
    const parts = [note].flat(Infinity);
    this.note.hidden = parts.length === 0;
    this.note.replaceChildren(...parts);
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
