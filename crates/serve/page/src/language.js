// What the language server gives to the editor: diagnostics with fixes, completion, hover, definition, references,
// rename, colours. The client is the page's own, since @codemirror/lsp-client has no semantic tokens and no code
// actions, puts what a server says into the page as HTML, and gives requests no version.

import { autocompletion, insertCompletionText } from "@codemirror/autocomplete";
import { setDiagnostics } from "@codemirror/lint";
import { RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, ViewPlugin, hoverTooltip, keymap, showPanel } from "@codemirror/view";

import { element, prose, toast } from "./elements.js";

const toPosition = (doc, at) => {
  const line = doc.lineAt(at);
  return { line: line.number - 1, character: at - line.from };
};

/** The offset of a position; one that lies outside of the text is its nearest end. */
export function toOffset(doc, { line, character }) {
  if (line >= doc.lines) return doc.length;
  const own = doc.line(line + 1);
  return Math.min(own.from + character, own.to);
}

const plain = (content) => typeof content === "string" ? content
  : Array.isArray(content) ? content.map(plain).join("\n\n") : content?.value ?? "";

/** A hint: paragraphs, with `code` between backticks. */
function words(text) {
  return element("div", { class: "cm-hover" }, prose(text.replace(/^```\w*\n?|\n?```$/gm, "").trim()));
}

/** Asks about a place of the text as it is now; null if it is another text when the answer comes. */
async function ask(bench, method, position, more = {}) {
  const { version, textDocument } = bench;
  try {
    const result = await bench.connection.request(`textDocument/${method}`, { textDocument, position, ...more });
    return version === bench.version ? result : null;
  } catch {
    return null;
  }
}

const KINDS = { 2: "method", 3: "function", 5: "property", 6: "variable", 10: "property", 12: "constant", 13: "enum", 14: "keyword", 20: "enum" };

function completion(item, state, from) {
  const edit = item.textEdit;
  const text = edit?.newText ?? item.insertText ?? item.label;
  const start = edit ? toOffset(state.doc, (edit.range ?? edit.replace).start) : from;
  return {
    label: item.label,
    detail: item.detail,
    type: KINDS[item.kind],
    info: item.documentation ? () => words(plain(item.documentation)) : undefined,
    apply: (view, _own, _from, to) => view.dispatch(insertCompletionText(view.state, text, start, to)),
  };
}

function completionSource(bench) {
  return async (context) => {
    const word = context.matchBefore(/[\w.]*/);
    // A list at every blank would be in the way.
    const triggers = (bench.capabilities.completionProvider?.triggerCharacters ?? []).filter((own) => own.trim() !== "");
    const before = context.state.sliceDoc(context.pos - 1, context.pos);
    if (!context.explicit && word.from === word.to && !triggers.includes(before)) return null;
    const result = await ask(bench, "completion", toPosition(context.state.doc, context.pos));
    const items = result?.items ?? result ?? [];
    if (items.length === 0) return null;
    const from = context.matchBefore(/\w*/).from;
    const sorted = [...items].sort((a, b) => ((a.sortText ?? a.label) < (b.sortText ?? b.label) ? -1 : 1));
    return { from, options: sorted.map((item) => completion(item, context.state, from)), validFor: /^\w*$/ };
  };
}

const hover = (bench) => hoverTooltip(async (view, at) => {
  const result = await ask(bench, "hover", toPosition(view.state.doc, at));
  if (!result?.contents) return null;
  const { doc } = view.state;
  const [pos, end] = result.range ? [toOffset(doc, result.range.start), toOffset(doc, result.range.end)] : [at, at];
  return { pos, end, above: true, create: () => ({ dom: words(plain(result.contents)) }) };
});

/** The edits of a workspace edit that are of this document. */
function applyEdit(view, bench, edit) {
  const { uri } = bench.document;
  const changes = edit.changes?.[uri]
    ?? edit.documentChanges?.filter(({ textDocument }) => textDocument?.uri === uri).flatMap(({ edits }) => edits) ?? [];
  const { doc } = view.state;
  view.dispatch({
    changes: changes.map(({ range, newText }) => ({ from: toOffset(doc, range.start), to: toOffset(doc, range.end), insert: newText })),
    userEvent: "input.complete",
  });
}

const SEVERITIES = ["error", "error", "warning", "info", "hint"];

/** A diagnostic of the server as the editor shows it, with its fixes. */
function diagnostic(bench, own, doc) {
  const from = toOffset(doc, own.range.start);
  const related = (own.relatedInformation ?? []).map(({ message, location }) =>
    `${message} (line ${location.range.start.line + 1})`);
  return {
    from,
    to: Math.max(from, toOffset(doc, own.range.end)),
    severity: SEVERITIES[own.severity ?? 1],
    message: [own.message, ...related].join("\n"),
    actions: own.fixes?.map(({ title, edit }) => ({ name: title, apply: (view) => applyEdit(view, bench, edit) })),
  };
}

/** Shows the diagnostics of this version, then again with the fixes that the server has for them. */
async function showDiagnostics(bench) {
  const { version, view, diagnostics } = bench;
  const show = () => view.dispatch(setDiagnostics(view.state, diagnostics.map((own) => diagnostic(bench, own, view.state.doc))));
  show();
  if (diagnostics.length === 0) return;
  await Promise.all(diagnostics.map(async (own) => {
    const context = { diagnostics: [{ ...own, fixes: undefined }], only: ["quickfix"] };
    const actions = await ask(bench, "codeAction", undefined, { range: own.range, context });
    own.fixes = (actions ?? []).filter(({ edit }) => edit);
  }));
  if (version === bench.version && bench.view === view) show();
}

const setTokens = StateEffect.define();

const tokens = StateField.define({
  create: () => Decoration.none,
  update: (marks, transaction) =>
    transaction.effects.reduce((now, effect) => (effect.is(setTokens) ? effect.value : now), marks.map(transaction.changes)),
  provide: (field) => EditorView.decorations.from(field),
});

/** The numbers of semantic tokens as marks: lines and places are counted from the token before. */
function marks(doc, data, types) {
  const builder = new RangeSetBuilder();
  for (let at = 0, line = 0, character = 0; at + 4 < data.length; at += 5) {
    const [lines, places, length, type] = data.slice(at, at + 4);
    character = lines > 0 ? places : character + places;
    line += lines;
    const from = toOffset(doc, { line, character });
    const to = Math.min(from + length, doc.length);
    if (to > from && /^\w+$/.test(types[type] ?? "")) builder.add(from, to, Decoration.mark({ class: `tok-${types[type]}` }));
  }
  return builder.finish();
}

async function showTokens(bench) {
  const types = bench.capabilities.semanticTokensProvider?.legend.tokenTypes;
  if (types === undefined) return;
  const { view } = bench;
  const result = await ask(bench, "semanticTokens/full");
  if (result?.data && bench.view === view) view.dispatch({ effects: setTokens.of(marks(view.state.doc, result.data, types)) });
}

const setPanel = StateEffect.define();

/** The one panel beneath the text: the question for a new name, or a list of places. */
const panel = StateField.define({
  create: () => null,
  update: (now, transaction) => transaction.effects.reduce((own, effect) => (effect.is(setPanel) ? effect.value : own), now),
  provide: (field) => showPanel.from(field),
});

function close(view) {
  view.dispatch({ effects: setPanel.of(null) });
  view.focus();
  return true;
}

function goTo(view, range) {
  const anchor = toOffset(view.state.doc, range.start);
  view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
  view.focus();
}

const here = (view) => toPosition(view.state.doc, view.state.selection.main.head);

async function definition(bench, view) {
  const result = await ask(bench, "definition", here(view));
  const [place] = [result ?? []].flat();
  if (place) goTo(view, place.targetSelectionRange ?? place.range);
  else toast("Nothing is defined under the cursor");
}

async function references(bench, view) {
  const places = (await ask(bench, "references", here(view), { context: { includeDeclaration: true } })) ?? [];
  if (places.length === 0) return toast("Nothing under the cursor has a name that is used");
  const { doc } = view.state;
  const items = places.map(({ range }) => element("li", {}, element("button", { type: "button", click: () => goTo(view, range) },
    `${range.start.line + 1}: ${doc.line(Math.min(range.start.line + 1, doc.lines)).text.trim()}`)));
  const list = element("ul", { class: "cm-places", keydown: (event) => event.key === "Escape" && close(view) }, items);
  view.dispatch({ effects: setPanel.of(() => ({ dom: list, mount: () => list.querySelector("button").focus() })) });
}

async function rename(bench, view) {
  const position = here(view);
  const target = await ask(bench, "prepareRename", position);
  if (target === null) return toast("What is under the cursor has no name that could be changed");
  const { doc } = view.state;
  const range = target.range ?? target;
  const old = target.placeholder ?? doc.sliceString(toOffset(doc, range.start), toOffset(doc, range.end));
  const input = element("input", { type: "text", ".value": old, "aria-label": "New name", name: "name" });
  const submit = async (event) => {
    event.preventDefault();
    const edit = await ask(bench, "rename", position, { newName: input.value });
    if (edit === null) return toast(`\`${old}\` can't be called ${input.value}`);
    close(view);
    applyEdit(view, bench, edit);
  };
  const dom = element("form", { class: "cm-ask", submit, keydown: (event) => event.key === "Escape" && close(view) },
    element("label", {}, `Rename ${old} to `, input), element("button", { type: "submit" }, "Rename"));
  view.dispatch({ effects: setPanel.of(() => ({ dom, mount: () => input.select() })) });
}

async function format(bench, view) {
  const edits = await ask(bench, "formatting", undefined, { options: { tabSize: 2, insertSpaces: true } });
  if (edits === null) return toast("Rules that can't be read are not formatted");
  applyEdit(view, bench, { changes: { [bench.document.uri]: edits } });
}

/** Diagnostics and colours come a moment after the last of many edits. */
const follow = (bench) => ViewPlugin.define(() => {
  const controller = new AbortController();
  const { signal } = controller;
  let timer = setTimeout(() => showTokens(bench), 0);
  let isMarked = false;
  bench.addEventListener("diagnostics", () => {
    const { length } = bench.diagnostics;
    // Where nothing is wrong and nothing was, the editor has nothing to draw.
    if (length > 0 || isMarked) showDiagnostics(bench);
    isMarked = length > 0;
  }, { signal });
  bench.addEventListener("text", () => {
    clearTimeout(timer);
    timer = setTimeout(() => showTokens(bench), 120);
  }, { signal });
  return { destroy: () => { clearTimeout(timer); controller.abort(); } };
});

export function languageFeatures(bench) {
  const run = (act) => (view) => { act(bench, view); return true; };
  return [
    tokens, panel, hover(bench), follow(bench),
    autocompletion({ override: [completionSource(bench)] }),
    keymap.of([
      { key: "F12", run: run(definition) },
      { key: "Shift-F12", run: run(references) },
      { key: "F2", run: run(rename) },
      { key: "Shift-Alt-f", run: run(format) },
    ]),
    EditorView.domEventHandlers({
      mousedown(event, view) {
        if (!(event.ctrlKey || event.metaKey) || event.button !== 0) return false;
        const at = view.posAtCoords(event);
        if (at === null) return false;
        view.dispatch({ selection: { anchor: at } });
        definition(bench, view);
        return true;
      },
    }),
  ];
}
