// The editor's look: the page's colours, which reach the shadow root as custom properties.

import { HighlightStyle } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

export const highlighting = HighlightStyle.define([
  { tag: tags.comment, color: "var(--quiet)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--text-string)" },
  { tag: [tags.number, tags.bool, tags.atom, tags.literal], color: "var(--text-number)" },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--text-key)" },
  { tag: tags.keyword, color: "var(--accent)", fontWeight: "600" },
  { tag: tags.bracket, color: "var(--quiet)" },
]);

const tooltip = {
  backgroundColor: "var(--paper)", color: "var(--ink)", border: "1px solid var(--edge)", borderRadius: "6px",
  boxShadow: "0 6px 24px #0003", maxWidth: "min(34rem, 90vw)",
};

export const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--paper)", fontSize: "0.84rem" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6", overflow: "auto" },
  ".cm-content": { caretColor: "var(--accent)", padding: "0.75rem 0 40vh" },
  ".cm-cursor": { borderLeft: "2px solid var(--accent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--selection)" },
  ".cm-gutters": { backgroundColor: "var(--paper)", color: "var(--quiet)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 0.4rem 0 0.75rem" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--raised)" },
  ".cm-selectionMatch": { backgroundColor: "var(--selection)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--selection)", outline: "1px solid var(--edge)" },
  ".cm-foldPlaceholder": { backgroundColor: "var(--raised)", border: "1px solid var(--rule)", color: "var(--quiet)", padding: "0 0.4em" },
  ".cm-tooltip": tooltip,
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", fontSize: "0.82rem", maxHeight: "16rem" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--paper)" },
  ".cm-completionDetail": { color: "inherit", fontStyle: "normal", opacity: "0.85" },
  ".cm-completionInfo": { ...tooltip, padding: "0.5rem 0.75rem", fontFamily: "var(--sans)", whiteSpace: "pre-wrap" },
  ".cm-hover": { padding: "0.5rem 0.75rem", fontFamily: "var(--sans)", fontSize: "0.85rem", whiteSpace: "pre-wrap", maxHeight: "18rem", overflow: "auto" },
  ".cm-hover code": { fontFamily: "var(--mono)", fontSize: "0.92em" },
  ".cm-diagnostic": { padding: "0.4rem 0.75rem", borderLeft: "3px solid var(--warn)", fontFamily: "var(--sans)", fontSize: "0.85rem", whiteSpace: "pre-wrap" },
  ".cm-diagnosticAction": { backgroundColor: "var(--accent)", color: "var(--paper)", font: "inherit", padding: "0.1rem 0.5rem", margin: "0.3rem 0.4rem 0 0", borderRadius: "4px", cursor: "pointer" },
  ".cm-lintRange": { backgroundImage: "none", textDecoration: "underline wavy var(--warn)", textUnderlineOffset: "0.2em", textDecorationSkipInk: "none" },
  ".cm-lintRange-info, .cm-lintRange-hint": { textDecoration: "underline dotted var(--edge)" },
  ".cm-lintRange-active": { backgroundColor: "var(--selection)" },
  ".cm-panels": { backgroundColor: "var(--raised)", color: "var(--ink)", borderColor: "var(--rule)" },
  ".cm-panel": { fontFamily: "var(--sans)", fontSize: "0.85rem" },
  ".cm-panel input, .cm-panel button, .cm-textfield, .cm-button": { font: "inherit", color: "inherit", backgroundColor: "var(--paper)", backgroundImage: "none", border: "1px solid var(--edge)", borderRadius: "4px", padding: "0.15rem 0.5rem" },
  ".cm-ask": { display: "flex", gap: "0.5rem", alignItems: "center", padding: "0.4rem 0.75rem" },
  ".cm-searchMatch": { backgroundColor: "var(--selection)", outline: "1px solid var(--edge)" },
  ".cm-places": { margin: "0", padding: "0.3rem 0.75rem", maxHeight: "10rem", overflow: "auto", listStyle: "none" },
  ".cm-places button": { border: "none", background: "none", fontFamily: "var(--mono)", textAlign: "left", cursor: "pointer" },
  ".tok-keyword": { color: "var(--accent)", fontWeight: "600" },
  ".tok-number": { color: "var(--text-number)" },
  ".tok-string": { color: "var(--text-string)" },
  ".tok-comment": { color: "var(--quiet)", fontStyle: "italic" },
  ".tok-function, .tok-method, .tok-macro": { color: "var(--text-function)" },
  ".tok-parameter, .tok-property": { color: "var(--text-key)" },
  ".tok-variable": { color: "var(--ink)" },
  ".tok-enumMember, .tok-type, .tok-enum, .tok-class": { color: "var(--text-label)" },
  ".tok-operator": { color: "var(--quiet)" },
});
