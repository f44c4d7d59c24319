// The odds of the check that is shown: at a glance above everything, and in full.

import { atLeast, bar, better, betterText, change, deviation, exactly, fraction, part, percent, points, stack, swatch, value } from "./answers.js";
import { button, columnHead, element } from "./elements.js";
import { Panel, beforeNote, beside } from "./panel.js";

const only = (outcomes, ...kinds) => outcomes.filter(({ kind }) => kinds.includes(kind));

/** Means and deviations of the numbers, which a check with bands shows only if it is asked. */
function queries({ shown }) {
  return shown.numbers.flatMap((name) => [`mean(${name})`, `variance(${name})`]);
}

/** The question for the odds of what is shown. */
export function oddsQuestion(bench) {
  const check = bench.shown;
  if (check === null) return null;
  const settings = bench.settingTexts;
  const question = check.is_track ? { track: check.name, settings } : { check: check.name, settings, queries: queries(check) };
  return beside(bench, { question });
}

/** What is shown may be a check or a track. */
const oddsMethod = (bench) => () => (bench.shown?.is_track ? "oddsmith/track" : "oddsmith/odds");

/** A configuration in words. */
const configuration = (settings) => element("code", {}, settings.length === 0 ? "the default configuration" : settings.join(" "));

/** What the answers are of, and what they stand beside: another version, or another configuration of this one. */
function heading(bench, settings, before) {
  const { label, settings: pinned } = bench.pinned;
  const beside = before === null ? null : [", beside ", pinned === undefined ? label : configuration(pinned)];
  return element("p", { class: "quiet config" }, configuration(settings), beside);
}

/** What the glance says to those who listen. */
function spoken(outcomes) {
  const told = outcomes.filter(({ kind }) => kind !== "variance").slice(0, 8);
  return told.map((outcome) => `${outcome.title ?? outcome.outcome} ${value(outcome)}`).join(", ");
}

function glanceFigures(outcomes) {
  return element("div", { class: "figures" }, outcomes.slice(0, 6).map((outcome) =>
    element("span", { class: "figure" }, element("b", {}, value(outcome)), ` ${outcome.title ?? outcome.outcome}`)));
}

/** The odds at a glance, which stay in view. */
export function glancePanel(bench) {
  const bars = { now: null, before: null };
  const side = (label, which, outcomes) => {
    const bands = only(outcomes, "band");
    bars[which] = bands.length > 0 ? stack(bands, { isSlim: which === "before", hasText: true, old: bars[which] }) : null;
    const others = outcomes.filter(({ kind }) => kind !== "band" && kind !== "variance");
    const figures = bands.length === 0 || which === "now" ? glanceFigures(others) : null;
    return element("div", { class: `side ${which}` }, label === null ? null : element("span", { class: "which" }, label), bars[which], figures);
  };
  const render = ({ answer, before }) => {
    bench.announce(spoken(answer.outcomes));
    if (!before) return side(null, "now", answer.outcomes);
    const [now, then] = [only(answer.outcomes, "band"), only(before.outcomes, "band")];
    const order = better(then, now);
    return [side("now", "now", answer.outcomes), side(bench.pinned.label, "before", before.outcomes),
      order === null ? null : element("p", { class: "order", "data-order": order }, betterText(order, bench.compared))];
  };
  return new Panel(bench, { id: "glance", title: "Odds", method: oddsMethod(bench), question: () => oddsQuestion(bench), render });
}

/** An outcome of the pinned version, if it has it too. */
const same = (before, { outcome, kind }) => before?.outcomes.find((other) => other.outcome === outcome && other.kind === kind) ?? null;

const cell = (text, kind = null, title = null) => element("td", { class: kind, title }, text);

/** A long fraction may be broken after its stroke. */
const breakable = (text) => text.length <= 20 ? text : text.split(/(?<=\/)/).flatMap((part) => [part, element("wbr")]);

const head = (text) => Object.assign(columnHead(text), text === "fraction" ? { className: text } : {});

/** Where goals can be made of answers. */
const goalCell = (addGoal, query) => addGoal === null ? null : cell(addGoal(query));
const goalHead = (addGoal) => addGoal === null ? [] : [""];

/** Colours say what is better, which is known of "at least this band" alone: more of a single band may be either. */
const direction = (text) => text.startsWith("+") ? "up" : text.startsWith("−") ? "down" : null;

function bandRows(bands, before, addGoal) {
  const sums = atLeast(bands);
  const old = before === null ? [] : only(before.outcomes, "band");
  const oldSums = atLeast(old);
  return bands.map((band, place) => {
    const was = same(before, band);
    const wasAt = old.indexOf(was);
    const name = element("th", { scope: "row" }, swatch(place, bands.length), band.outcome);
    const query = place === 0 ? band.outcome : `P(band>=${band.outcome})`;
    const cells = [
      element("td", { class: "wide-bar" }, bar(part(band), { before: was && part(was), place, count: bands.length })),
      cell(value(band), "odds", exactly(band)), cell(percent(sums[place])),
    ];
    if (before !== null) {
      const moved = was ? change(was, band) : "new";
      const movedSum = was ? points(oldSums[wasAt], sums[place]) : "";
      cells.push(was ? cell(value(was), "first", exactly(was)) : cell("–", "first"));
      cells.push(cell(moved), cell(movedSum, direction(movedSum)));
    }
    return element("tr", {}, name, cells, cell(breakable(exactly(band)), "fraction"), goalCell(addGoal, query));
  });
}

function bandTable(bands, before, addGoal) {
  if (bands.length === 0) return null;
  const heads = ["band", "", "odds", "at least", ...(before ? ["pinned", "points", "at least"] : []), "fraction", ...goalHead(addGoal)];
  return element("div", { class: "wide", role: "region", tabindex: "0", "aria-label": "Bands" },
    element("table", { class: before ? "odds-table compared" : "odds-table" }, element("caption", { class: "unseen" }, "Bands, worst first"),
      element("thead", {}, element("tr", {}, heads.map(head))),
      element("tbody", {}, bandRows(bands, before, addGoal))));
}

function otherRows(outcomes, before, addGoal, deviationOf) {
  return outcomes.map((outcome) => {
    const was = same(before, outcome);
    const moved = was ? change(was, outcome) : "";
    const variance = deviationOf?.(outcome);
    const cells = [cell(value(outcome), "odds", exactly(outcome))];
    if (deviationOf !== null) cells.push(cell(variance ? deviation(fraction(variance)) : ""));
    if (before !== null) cells.push(was ? cell(value(was), "first", exactly(was)) : cell("–", "first"), cell(moved));
    cells.push(cell(breakable(exactly(outcome)), "fraction"));
    return element("tr", {}, element("th", { scope: "row" }, outcome.title ?? outcome.outcome), cells, goalCell(addGoal, outcome.outcome));
  });
}

function otherTable(outcomes, before, addGoal) {
  const others = outcomes.filter(({ kind }) => kind !== "band" && kind !== "variance");
  if (others.length === 0) return null;
  const variances = only(outcomes, "variance");
  const deviationOf = variances.length === 0 ? null
    : ({ outcome }) => variances.find((own) => own.outcome === outcome.replace("mean(", "variance("));
  const heads = ["", "value", ...(deviationOf ? ["sd"] : []), ...(before ? ["pinned", "change"] : []), "fraction", ...goalHead(addGoal)];
  return element("div", { class: "wide", role: "region", tabindex: "0", "aria-label": "Numbers and flags" },
    element("table", { class: before ? "compared" : null }, element("caption", { class: "unseen" }, "Numbers and flags"),
      element("thead", {}, element("tr", {}, heads.map(head))),
      element("tbody", {}, otherRows(others, before, addGoal, deviationOf))));
}

/** The answers of the glance in full: bands, flags, means, beside those that are pinned. `wish` takes a goal, if there is a use for one. */
export function oddsPanel(bench, glance, wish = null) {
  const addGoal = wish && ((query) => button("+ goal", () => wish(query), { class: "plain", "aria-label": `Make ${query} a goal of tuning` }));
  const panel = new Panel(bench, {
    id: "odds", title: "Odds", shares: glance,
    render: (result, { question }) => {
      const { answer, before = null } = result;
      panel.exported = { name: "odds", outcomes: answer.outcomes };
      const bands = only(answer.outcomes, "band");
      return [
        ...beforeNote(result),
        heading(bench, question.settings, before),
        bandTable(bands, before, addGoal), otherTable(answer.outcomes, before, addGoal),
      ];
    },
  });
  panel.grid = () => {
    if (!panel.exported) return undefined;
    const grid = (word) => ({
      head: ["outcome", "odds", "fraction"],
      rows: panel.exported.outcomes.map((outcome) => [word(outcome), value(outcome), exactly(outcome)]),
    });
    return { ...grid(({ outcome }) => outcome), forPeople: grid(({ outcome, title }) => title ?? outcome) };
  };
  return panel;
}
