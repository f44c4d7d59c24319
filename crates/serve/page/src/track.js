// A track: how many rolls until something is full, and what is left after each of them.

import { commonDivisor } from "../../../report/page/shared/numbers.js";
import { Panel, beside, beforeNote } from "../../../report/page/shared/panel.js";
import { bar, change, exactly, fraction, part, percent, value } from "../../../report/page/shared/answers.js";
import { element, row, select, wideTable } from "./elements.js";

/** What the table of rolls says, or leaves over. */
const isOfRolls = ({ outcome }) => outcome.startsWith("P(rolls");

const rolls = (outcomes) => outcomes.filter(({ outcome }) => /^P\(rolls==\d+\)$/.test(outcome));

/** The rolls with what is over by then, and what is left. */
function survival(outcomes) {
  let done = { weight: 0n, total: 1n };
  return rolls(outcomes).map((outcome) => {
    const own = fraction(outcome);
    done = { weight: done.weight * own.total + own.weight * done.total, total: done.total * own.total };
    const divisor = commonDivisor(done.weight, done.total);
    done = { weight: done.weight / divisor, total: done.total / divisor };
    return { at: /\d+/.exec(outcome.outcome)[0], outcome, done, left: { weight: done.total - done.weight, total: done.total } };
  });
}

const asOutcome = ({ weight, total }) => ({ outcome: "", kind: "band", weight: `${weight}`, total: `${total}` });

export function trackPanel(bench) {
  let track = null;
  const picker = element("div", { class: "fields" });
  const tracks = () => (bench.overview?.checks ?? []).filter(({ is_track: isTrack }) => isTrack);
  const question = () => {
    const own = tracks();
    if (own.length === 0) return null;
    const name = own.some((other) => other.name === track) ? track : bench.shown?.is_track ? bench.shown.name : own[0].name;
    if (picker.dataset.shape !== JSON.stringify([own.map((other) => other.name), name])) {
      picker.dataset.shape = JSON.stringify([own.map((other) => other.name), name]);
      picker.replaceChildren(select("track", own.map((other) => other.name), name, (value) => { track = value; panel.refresh(); }));
    }
    const axes = own.find((other) => other.name === name).axes.map((axis) => axis.name.split("[")[0]);
    const names = new Set([...axes, ...bench.overview.parameters.map((parameter) => parameter.name)]);
    const set = Object.entries(bench.settings).filter(([input]) => names.has(input.split("[")[0]));
    return beside(bench, { question: { track: name, settings: set.map(([input, own]) => `${input}=${own}`) } });
  };
  const render = (result, { question: { track: name } }) => {
    const { answer, before = null } = result;
    const many = tracks().find((own) => own.name === name)?.unit[1] ?? "rolls";
    const means = answer.outcomes.filter((outcome) => !isOfRolls(outcome) && outcome.kind !== "variance");
    const old = before === null ? [] : survival(before.outcomes);
    const rows = survival(answer.outcomes).map(({ at, outcome, done, left }, place) => row(at,
      element("td", { class: "wide-bar" }, bar(part(asOutcome(left)), { before: old[place] ? part(asOutcome(old[place].left)) : null })),
      percent(left), percent(done), value(outcome)));
    const wasOf = ({ outcome }) => before?.outcomes.find((other) => other.outcome === outcome);
    return [...beforeNote(result),
      element("div", { class: "figures" }, means.map((outcome) => element("span", { class: "figure", title: exactly(outcome) },
        element("b", {}, value(outcome)), ` ${outcome.title ?? outcome.outcome}`, wasOf(outcome) ? element("small", {}, ` ${change(wasOf(outcome), outcome)}`) : null))),
      wideTable(`After so many ${many}`, [many, "", "not yet", "by then", "exactly then"], rows)];
  };
  const panel = new Panel(bench, { id: "track", title: "Track", method: "oddsmith/track", question, render, empty: "The rules have no tracks." });
  panel.node.prepend(picker);
  panel.isRelevant = () => tracks().length > 0;
  return panel;
}
