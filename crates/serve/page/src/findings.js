// What is odd about the odds, and what the rules are meant to do.

import { Panel } from "../../../report/page/shared/panel.js";
import { isNumber, shown, told } from "../../../report/page/shared/answers.js";
import { button, counted, element, prose, row, wideTable } from "./elements.js";

/** A place of the rules as the editor has it; lines and columns are counted from 1. */
const place = ({ line, column }) => {
  const start = { line: line - 1, character: column - 1 };
  return { start, end: start };
};

/** A button that goes to a place of the rules. */
const jump = (bench, own, label) => button(label, () => bench.editor.goTo(place(own)), { class: "plain" });

function evidence({ configuration, outcome, kind, values }) {
  return [element("p", { class: "quiet" }, `${outcome}, ${kind}; ${configuration || "the default configuration"}`),
    wideTable("Evidence", ["at", outcome], values.map(({ at, value }) => row(shown(at), told(value, !isNumber({ kind })))))];
}

function finding(bench, own) {
  return element("li", { class: `finding is-${own.severity}` },
    element("p", {}, element("strong", {}, own.severity), " ", prose(own.message)),
    element("p", { class: "quiet" }, prose(own.advice)),
    own.accepted ? element("p", { class: "quiet" }, `Accepted: ${own.accepted}`) : null,
    element("div", { class: "actions" }, jump(bench, own, `Line ${own.line}`), element("code", {}, own.id)),
    own.evidence.length > 0 ? element("details", {}, element("summary", {}, `Evidence: ${own.seen} of ${counted(own.of, "case")}`), own.evidence.map(evidence)) : null);
}

export function findingsPanel(bench) {
  const state = { all: false };
  const render = ({ answer }) => {
    panel.count = answer.findings.length;
    const stale = answer.stale.map(({ finding, line }) => element("li", { class: "finding" }, `The acceptance of ${finding} in line ${line} meets no finding.`));
    return [
      element("p", { class: "quiet" }, answer.findings.length === 0 ? "Nothing is odd." : counted(answer.findings.length, "finding"),
        answer.accepted > 0 ? `, ${answer.accepted} accepted by the rules` : ""),
      element("ul", { class: "findings" }, answer.findings.map((own) => finding(bench, own)), stale),
    ];
  };
  const panel = new Panel(bench, {
    id: "findings", title: "Findings", method: "oddsmith/lint", render, delay: 250,
    question: () => bench.overview === null ? null : { question: { all: state.all } },
  });
  panel.node.prepend(element("div", { class: "fields" }, element("label", {},
    element("input", { type: "checkbox", change: (event) => { state.all = event.target.checked; panel.refresh(); } }), " also those that the rules accept")));
  return panel;
}

const VERDICTS = { holds: "✓", broken: "✗", error: "?" };

export function expectationsPanel(bench) {
  const item = (own) => element("li", { class: `expectation is-${own.status}` },
    element("span", { class: "verdict", "aria-label": own.status, role: "img" }, VERDICTS[own.status]),
    element("div", {}, element("p", {}, prose(own.intent)),
      own.source ? element("p", { class: "quiet source" }, `Source: ${own.source}`) : null,
      own.status === "holds" ? null : element("p", { class: "quiet" }, prose(own.summary)),
      own.worst.map(({ text }) => element("p", { class: "quiet" }, prose(text)))),
    jump(bench, own, "Show"));
  const render = ({ answer: expectations }) => {
    const broken = expectations.filter(({ status }) => status !== "holds").length;
    panel.count = broken;
    if (expectations.length === 0) return element("p", { class: "quiet" }, prose("The rules declare no expectations. An `[[expect]]` table says what the odds are meant to be."));
    return [element("p", { class: "quiet" }, `${expectations.length - broken} of ${counted(expectations.length, "expectation")} hold.`),
      element("ul", { class: "expectations" }, expectations.map(item))];
  };
  const panel = new Panel(bench, {
    id: "expectations", title: "Expectations", method: "oddsmith/expectations", render, delay: 120,
    question: () => (bench.overview === null ? null : {}),
  });
  return panel;
}
