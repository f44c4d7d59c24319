// What is best to choose, and when; how other ways to choose compare.

import { Panel } from "../../../report/page/shared/panel.js";
import { shown, stack, told, value } from "../../../report/page/shared/answers.js";
import { element, prose, row, wideTable } from "./elements.js";

const known = (own) => Array.isArray(own) ? own.join(" ") : shown(own);

function ways({ by, rows }) {
  const [first] = rows;
  if (first === undefined) return null;
  // The first one is the mean of what is maximised, whose name stands above the table already.
  const heads = first.outcomes.map(({ outcome }, at) => (at === 0 ? "mean" : outcome));
  const nodes = rows.map(({ value: name, is_optimal: isOptimal, outcomes }) => {
    const bands = outcomes.filter(({ kind }) => kind === "band");
    return row([name, isOptimal ? element("small", {}, " best") : null],
      element("td", {}, bands.length > 0 ? stack(bands, { isSlim: true }) : null), outcomes.map(value));
  });
  return wideTable("Ways to choose", [by, "", ...heads], nodes);
}

/** A table to play by; of chances where what is maximised is an event. */
export function choice({ choice: name, is_opposed: isOpposed, rounds, rows }, isChance = false) {
  const seen = Object.keys(rows[0]?.seen ?? {});
  const nodes = rows.map((own) => {
    const [first = "always", ...rest] = seen.map((key) => known(own.seen[key]));
    return row(first, rest, element("td", {}, element("strong", {}, known(own.chosen))),
      told(own.probability, true), told(own.worth, isChance), told(own.lead, isChance));
  });
  return element("details", { class: "group", ".open": true },
    element("summary", {}, element("h3", {}, name, isOpposed ? " of the opponent" : "",
      rounds.length > 0 ? `, round ${rounds.join(", ")}` : "")),
    wideTable(name, [...(seen.length > 0 ? seen : [""]), "best", "comes up", "worth", "lead"], nodes));
}

export function policyPanel(bench) {
  const question = () => {
    const check = bench.shown;
    if (check === null || check.maximise === null) return null;
    return { question: { check: check.name, settings: bench.settingTexts } };
  };
  const render = ({ answer }) => [
    element("p", { class: "quiet" }, prose(`The best choices have the greatest mean of \`${answer.maximise}\`${
      answer.choices.some(({ is_opposed: isOpposed }) => isOpposed) ? ", those of the opponent the least" : ""}.`)),
    ways(answer), answer.choices.map(choice),
  ];
  const panel = new Panel(bench, {
    id: "policy", title: "Policy", method: "oddsmith/policy", question, render, delay: 100,
    empty: "In this check nobody chooses anything.",
  });
  panel.isRelevant = () => (bench.overview?.checks ?? []).some(({ maximise }) => maximise !== null);
  return panel;
}
