// What a language server says of the rules: enough to drive the editor.

import { read } from "./game.mjs";

const words = (text) => text.split("\n").flatMap((line, at) => [...line.matchAll(/\w+/g)].map(({ index, 0: word }) => ({
  word, range: { start: { line: at, character: index }, end: { line: at, character: index + word.length } },
})));

const contains = ({ start, end }, { line, character }) => start.line === line && start.character <= character && character <= end.character;

const at = (text, position) => words(text).find(({ range }) => contains(range, position));

const uses = (text, word) => words(text).filter((own) => own.word === word).map(({ range }) => range);

const NAMES = ["bonus", "edge", "style", "guard", "targets", "ties", "total", "mark"];

export function diagnostics(text) {
  return read(text).errors.map(({ line, from, to, message, fix }) => ({
    range: { start: { line, character: from }, end: { line, character: to } }, severity: 1, source: "oddsmith", message, data: fix,
  }));
}

const KEYWORDS = new Set(["let", "show", "if", "then", "else", "repeat", "until", "set"]);

/** The words of scripts as numbers that are relative to the one before. */
function tokens(text) {
  let [line, character] = [0, 0];
  let isScript = false;
  const lines = text.split("\n").map((own) => { if (own.includes('"""')) { isScript = own.startsWith("rules"); return false; } return isScript; });
  return words(text).filter(({ word, range }) => lines[range.start.line] && (KEYWORDS.has(word) || NAMES.includes(word))).flatMap(({ word, range: { start } }) => {
    const lead = [start.line - line, start.line === line ? start.character - character : start.character];
    [line, character] = [start.line, start.character];
    return [...lead, word.length, KEYWORDS.has(word) ? 0 : 1, 0];
  });
}

const FEATURES = {
  "textDocument/completion": () => ({ isIncomplete: false, items: NAMES.map((label) => ({ label, kind: 6, detail: "axis", documentation: { kind: "plaintext", value: `What \`${label}\` is` } })) }),
  "textDocument/hover": (text, { position }) => { const own = at(text, position); return NAMES.includes(own?.word) ? { contents: { kind: "plaintext", value: `\`${own.word}\`: <b>an axis</b> of the rules` }, range: own.range } : null; },
  "textDocument/definition": (text, { position, textDocument: { uri } }) => { const own = at(text, position); return own ? { uri, range: uses(text, own.word)[0] } : null; },
  "textDocument/references": (text, { position, textDocument: { uri } }) => { const own = at(text, position); return own ? uses(text, own.word).map((range) => ({ uri, range })) : null; },
  "textDocument/prepareRename": (text, { position }) => { const own = at(text, position); return NAMES.includes(own?.word) ? { range: own.range, placeholder: own.word } : null; },
  "textDocument/rename": (text, { position, newName, textDocument: { uri } }) => ({ changes: { [uri]: uses(text, at(text, position).word).map((range) => ({ range, newText: newName })) } }),
  "textDocument/formatting": (text) => text.split("\n").flatMap((line, at) => [...line.matchAll(/(?<=^show) {2,}/g)].map(({ index, 0: blanks }) => ({
    range: { start: { line: at, character: index }, end: { line: at, character: index + blanks.length } }, newText: " ",
  }))),
  "textDocument/codeAction": (_text, { context, textDocument: { uri } }) => context.diagnostics.filter(({ data }) => data).map((own) => ({
    title: `Write \`${own.data}\``, kind: "quickfix", diagnostics: [own], edit: { changes: { [uri]: [{ range: own.range, newText: own.data }] } },
  })),
  "textDocument/semanticTokens/full": (text) => ({ data: tokens(text) }),
};

export const CAPABILITIES = {
  positionEncoding: "utf-16", textDocumentSync: { openClose: true, change: 2 }, completionProvider: { triggerCharacters: ["."] },
  hoverProvider: true, definitionProvider: true, referencesProvider: true, renameProvider: { prepareProvider: true }, codeActionProvider: true,
  semanticTokensProvider: { legend: { tokenTypes: ["keyword", "variable"], tokenModifiers: [] }, full: true },
};

export const feature = (method, text, params) => FEATURES[method](text, params);
export const isFeature = (method) => method in FEATURES;
