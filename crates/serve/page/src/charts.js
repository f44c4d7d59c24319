// Charts: those that the rules declare, and any other along the axes that are chosen. They follow the sliders.

import { Panel, beforeNote, beside } from "../../../report/page/shared/panel.js";
import { drawing } from "./pictures.js";
import { counted, element, select } from "./elements.js";
import { sweepText, titleOf } from "../../../report/page/shared/inputs.js";

const KINDS = [["", "what fits"], ["bands", "bands"], ["lines", "lines"], ["heatmap", "heat map"], ["dist", "distribution"]];

function figure(svg, label) {
  const drawn = drawing(svg);
  const caption = label === null ? null : element("figcaption", {}, label);
  return element("figure", { class: "drawing", tabindex: "0", "aria-label": label ?? "Chart" }, caption,
    drawn ?? element("p", { class: "note" }, "The server's picture can't be read."));
}

export function chartPanel(bench) {
  /** `declared` is the place of a declared chart, or -1 for the reader's own. */
  const own = { declared: -1, kind: "", x: "", by: "", facet: "", query: "" };
  const picker = element("div", { class: "fields" });

  const declared = () => (bench.overview?.charts ?? []).map((chart, at) => ({ ...chart, at }))
    .filter(({ check }) => check === bench.shown?.name);

  const queries = ({ shown }) => [
    ...shown.bands.slice(1).map((band) => `P(band>=${band})`), ...shown.flags, ...shown.numbers.map((name) => `mean(${name})`),
  ];

  function question() {
    const check = bench.shown;
    if (check === null) return null;
    drawPicker(check);
    const chart = declared().find(({ at }) => at === own.declared);
    const settings = bench.settingTexts;
    if (chart) return beside(bench, { question: { chart: chart.at, settings } });
    const axes = bench.inputs.filter(({ role }) => role === "axis");
    const range = (name) => { const axis = axes.find((input) => input.name === name); return axis ? sweepText(axis) : name || null; };
    const x = own.x || axes.find(({ sweep }) => sweep)?.name || axes[0]?.name || check.shown.numbers[0];
    if (x === undefined) return null;
    const taken = [x, own.by, own.facet];
    return beside(bench, { question: {
      check: check.name, kind: own.kind || null, x: range(x), by: range(own.by), facet: range(own.facet),
      queries: own.query ? [own.query] : [], settings: settings.filter((text) => !taken.includes(text.split("=")[0])),
    } });
  }

  let drawn = "";
  function drawPicker(check) {
    const charts = declared();
    if (!charts.some(({ at }) => at === own.declared)) own.declared = own.wantsOwn || charts.length === 0 ? -1 : charts[0].at;
    const shape = JSON.stringify([own, charts, bench.inputs.map(({ name, label }) => [name, label]), check.name]);
    if (shape === drawn) return;
    drawn = shape;
    const focused = picker.contains(document.activeElement) ? document.activeElement.name : null;
    const set = (key) => (value) => { own[key] = value; panel.refresh(); };
    const axes = bench.inputs.filter(({ role }) => role === "axis").map((axis) => [axis.name, titleOf(axis)]);
    const free = own.declared >= 0 ? [] : [
      select("kind", KINDS, own.kind, set("kind"), { name: "kind" }),
      select("along", [["", "the first axis"], ...axes, ...check.shown.numbers], own.x, set("x"), { name: "x" }),
      select("by", [["", "–"], ...axes], own.by, set("by"), { name: "by" }),
      select("panels", [["", "–"], ...axes], own.facet, set("facet"), { name: "facet" }),
      select("of", [["", "what fits"], ...queries(check)], own.query, set("query"), { name: "query" }),
    ];
    picker.replaceChildren(select("chart", [...charts.map(({ at, title, axes }) => [`${at}`, title || axes]), ["-1", "my own …"]],
      `${own.declared}`, (value) => { own.declared = Number(value); own.wantsOwn = value === "-1"; panel.refresh(); }, { name: "declared" }), ...free);
    if (focused !== null) picker.querySelector(`[name="${focused}"]`)?.focus();
  }

  const render = (result) => {
    const { answer: { svg, gaps }, before } = result;
    panel.svg = svg;
    return [...beforeNote(result), figure(svg, before ? "now" : null), before ? figure(before.svg, bench.pinned.label) : null,
      gaps > 0 ? element("p", { class: "quiet" }, `${counted(gaps, "configuration")} without an answer, since they break a rule.`) : null];
  };
  const method = () => (own.declared >= 0 ? "oddsmith/declared-chart" : "oddsmith/chart");
  const panel = new Panel(bench, { id: "chart", title: "Chart", method, question, render, empty: "There is nothing to draw along." });
  bench.on("check", () => Object.assign(own, { declared: -1, wantsOwn: false, kind: "", x: "", by: "", facet: "", query: "" }));
  panel.node.prepend(picker);
  return panel;
}
