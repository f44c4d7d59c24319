// The editor of rules: CodeMirror in a shadow root, where its styles are adopted style sheets, which the page's content
// policy allows; in the document itself it would add a style element.

import { closeCompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { StreamLanguage, bracketMatching, codeFolding, foldGutter, foldKeymap, foldService, syntaxHighlighting } from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { lintGutter, lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers, tooltips } from "@codemirror/view";

import { languageFeatures } from "./language.js";
import { moveSettings, settingsField, settingsHistory } from "./settings.js";
import { highlighting, theme } from "./theme.js";

/** A table of TOML folds down to the next one. */
const tables = foldService.of((state, start) => {
  const line = state.doc.lineAt(start);
  if (!/^\[/.test(line.text)) return null;
  let last = line.number;
  for (let next = line.number + 1; next <= state.doc.lines && !/^\[/.test(state.doc.line(next).text); next += 1) {
    if (/\S/.test(state.doc.line(next).text) && !/^#/.test(state.doc.line(next).text)) last = next;
  }
  return last > line.number ? { from: line.to, to: state.doc.line(last).to } : null;
});

const position = (doc, at) => {
  const line = doc.lineAt(at);
  return { line: line.number - 1, character: at - line.from };
};

/** The changes of a transaction as LSP has them, the last one first, so that each is of a text that the others left. */
function contentChanges({ changes, startState: { doc } }) {
  const told = [];
  changes.iterChanges((from, to, _start, _end, inserted) => told.push({
    range: { start: position(doc, from), end: position(doc, to) },
    text: inserted.toString(),
  }));
  return told.reverse();
}

function extensions(bench) {
  return [
    lineNumbers(), foldGutter(), lintGutter(), codeFolding(), tables,
    history(), drawSelection(), bracketMatching(), highlightActiveLine(), highlightActiveLineGutter(),
    highlightSelectionMatches(), search({ top: true }),
    EditorState.tabSize.of(2), EditorView.lineWrapping,
    // What hangs over the edge of the editor is cut off.
    tooltips({ tooltipSpace: ({ dom }) => dom.getBoundingClientRect() }),
    EditorView.contentAttributes.of({ "aria-label": "Rules", tabindex: "0", spellcheck: "false", autocapitalize: "off", autocorrect: "off" }),
    StreamLanguage.define(toml), syntaxHighlighting(highlighting), theme,
    settingsHistory, languageFeatures(bench),
    keymap.of([...completionKeymap, ...lintKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...defaultKeymap]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) bench.tell("text");
      const hasMoved = update.transactions.some(({ effects }) => effects.some((effect) => effect.is(moveSettings)));
      if (hasMoved) bench.tell("settings");
    }),
  ];
}

export class Editor {
  #root;
  #bench;
  view = null;

  constructor(host, bench) {
    this.#root = host.attachShadow({ mode: "open" });
    this.#bench = bench;
  }

  /** Shows a document with its settings. What was there before is gone. */
  open(document, text, settings = {}) {
    this.view?.destroy();
    const state = EditorState.create({
      doc: text,
      extensions: [extensions(this.#bench), settingsField.init(() => settings)],
    });
    this.view = new EditorView({
      state, root: this.#root, parent: this.#root,
      dispatchTransactions: (transactions, view) => this.#take(transactions, view),
    });
    this.#bench.opened(document, this.view);
  }

  /** The server reads an edit while the editor shows it. */
  #take(transactions, view) {
    for (const transaction of transactions) {
      if (transaction.docChanged) this.#bench.edited(contentChanges(transaction));
    }
    view.update(transactions);
  }

  /** Replaces the text by another one, as an edit of what differs that can be undone. */
  replace(text) {
    const old = this.#bench.text;
    let start = 0;
    while (start < old.length && old[start] === text[start]) start += 1;
    let end = 0;
    const longest = Math.min(old.length, text.length) - start;
    while (end < longest && old[old.length - 1 - end] === text[text.length - 1 - end]) end += 1;
    if (start === old.length && old.length === text.length) return;
    this.view.dispatch({
      changes: { from: start, to: old.length - end, insert: text.slice(start, text.length - end) },
      scrollIntoView: true,
      userEvent: "input.replace",
    });
  }

  /** Goes to a range of LSP. */
  goTo({ start, end }) {
    const { doc } = this.view.state;
    const at = ({ line, character }) => {
      const own = doc.line(Math.min(line + 1, doc.lines));
      return Math.min(own.from + character, own.to);
    };
    closeCompletion(this.view);
    const anchor = at(start);
    this.view.dispatch({
      selection: { anchor, head: Math.max(anchor, at(end)) },
      effects: EditorView.scrollIntoView(anchor, { y: "center" }),
    });
    this.view.focus();
  }
}
