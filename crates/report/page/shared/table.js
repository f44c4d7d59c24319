// The table along any axes. Only the rows that are in view are asked for and drawn, so that thousands are as quick as ten.

import { change, shown, stack, value } from "./answers.js";
import { button, counted, element } from "./elements.js";
import { sweepText, titleOf, toldValue } from "./inputs.js";
import { Panel, beside, beforeNote } from "./panel.js";

/** The height of a row in pixels, as the style sheet has it. */
const ROW = 30;
/** Rows are asked for in blocks of so many. */
const BLOCK = 64;

/** `isQuiet` if the glance says why there is no answer. */
export function tablePanel(bench, { isQuiet = false } = {}) {
  const along = new Map();
  const picker = element("fieldset", { class: "picker" });
  const scroller = element("div", { class: "rows", tabindex: "0", role: "region", "aria-label": "Table" });
  let first = 0;
  let wide = 0;

  const chosen = () => {
    const axes = bench.inputs.filter(({ role }) => role === "axis");
    const own = axes.filter(({ name }) => along.get(name));
    return own.length > 0 ? own : axes.filter(({ sweep }) => sweep).slice(0, 1);
  };

  const question = () => {
    const check = bench.shown;
    drawPicker();
    const axes = chosen();
    if (check === null || axes.length === 0) return null;
    const settings = bench.settingTexts.filter((text) => !axes.some(({ name }) => text.startsWith(`${name}=`)));
    const numbers = check.is_track ? [] : check.shown.numbers.map((name) => `mean(${name})`);
    const swept = { check: check.name, settings, sweeps: axes.map(sweepText), queries: check.shown.bands.length > 0 ? numbers : [] };
    return beside(bench, { question: { ...swept, from: first, count: BLOCK * 2 } });
  };

  let drawn = "";
  function drawPicker() {
    const axes = bench.inputs.filter(({ role }) => role === "axis");
    const own = chosen();
    const shape = JSON.stringify([axes, own.map(({ name }) => name)]);
    if (shape === drawn) return;
    drawn = shape;
    const focused = picker.contains(document.activeElement) ? document.activeElement.value : null;
    picker.replaceChildren(element("legend", {}, "Along"), ...axes.map((axis) => [axis.name, titleOf(axis)]).map(([name, title]) => element("label", {},
      element("input", {
        type: "checkbox", value: name, ".checked": own.some((axis) => axis.name === name),
        change: (event) => {
          for (const axis of own) along.set(axis.name, true);
          along.set(name, event.target.checked);
          first = 0;
          scroller.scrollTop = 0;
          panel.refresh();
        },
      }), ` ${title}`)));
    if (focused !== null) picker.querySelector(`[value="${CSS.escape(focused)}"]`)?.focus();
  }

  const render = (result, { question: { from } }) => {
    const { answer: { axes, total, columns, rows, gaps }, before = null } = result;
    const bands = bench.shown?.shown.bands ?? [];
    panel.exported = { axes, columns, rows };
    const inputs = axes.map((name) => bench.inputs.find((input) => input.name === name) ?? { name });
    const told = (values) => values.map((value, at) => toldValue(inputs[at], value));
    panel.exported.told = told;
    panel.exported.titles = inputs.map(titleOf);
    const head = element("tr", { "aria-rowindex": 1 },
      panel.exported.titles.map((title) => element("th", { scope: "col" }, title)),
      bands.length > 0 ? element("td", { class: "space" }) : null,
      columns.map(({ name, title }) => element("th", { scope: "col" }, title ?? name)));
    const old = new Map((before?.rows ?? []).map((own) => [JSON.stringify(own.values), own]));
    const go = (values) => bench.setAll({ ...bench.settings, ...Object.fromEntries(axes.map((name, at) => [name, `${values[at]}`])) });
    const body = rows.map((own, at) => tableRow(own, {
      place: from + at, columns, bands, before: old.get(JSON.stringify(own.values)), told, go: () => go(own.values),
    }));
    const width = axes.length + columns.length + (bands.length > 0 ? 1 : 0);
    const table = element("table", { "aria-rowcount": total + 1 }, element("caption", { class: "unseen" }, "Odds along the axes"),
      element("thead", {}, head),
      element("tbody", {}, spacer(from, width), body, spacer(total - from - rows.length, width)));
    const { scrollTop, scrollLeft } = scroller;
    const focused = scroller.contains(document.activeElement) ? document.activeElement.closest("tr")?.ariaRowIndex : null;
    scroller.replaceChildren(table);
    if (focused) scroller.querySelector(`[aria-rowindex="${focused}"] button`)?.focus({ preventScroll: true });
    wide = Math.max(wide, table.offsetWidth);
    table.style.minWidth = `${wide}px`;
    Object.assign(scroller, { scrollTop, scrollLeft });
    panel.total = total;
    mark();
    return [...beforeNote(result), element("p", { class: "quiet" }, counted(total, "row"), before ? ", each with what changed" : "",
      gaps > 0 ? `; ${counted(gaps, "row")} without an answer` : ""), scroller];
  };

  /** Marks the row of what is set, which may change while the table stays. */
  function mark() {
    const { axes, rows } = panel.exported ?? { axes: [], rows: [] };
    const now = axes.map((name) => bench.settings[name] ?? bench.inputs.find((input) => input.name === name)?.home);
    const nodes = scroller.querySelectorAll("tbody tr:not(.spacer)");
    rows.forEach(({ values }, at) => {
      if (values.every((value, axis) => `${value}` === now[axis])) nodes[at]?.setAttribute("aria-current", "true");
      else nodes[at]?.removeAttribute("aria-current");
    });
  }

  const panel = new Panel(bench, { id: "table", title: "Table", method: "oddsmith/table", question, render, isQuiet, empty: "This check has no axes to go along." });
  scroller.addEventListener("scroll", () => {
    const top = Math.max(0, Math.floor(scroller.scrollTop / ROW) - BLOCK / 2);
    const block = Math.floor(top / (BLOCK / 2)) * (BLOCK / 2);
    if (block === first) return;
    first = block;
    panel.refresh();
  });
  bench.on("change", mark);
  bench.on("check", () => { first = 0; wide = 0; along.clear(); });
  panel.node.prepend(picker);
  panel.grid = () => {
    if (!panel.exported) return undefined;
    const { axes, titles, told, columns, rows } = panel.exported;
    const grid = (names, word, head) => ({
      head: [...names, ...columns.map(head)],
      rows: rows.map(({ values, answers }) => [...word(values), ...answers.map((cell, at) => value(outcome(cell, columns[at])))]),
    });
    return { ...grid(axes, (values) => values.map(String), ({ name }) => name), forPeople: grid(titles, told, ({ name, title }) => title ?? name) };
  };
  return panel;
}

/** A cell as an outcome, which is how answers are shown. */
const outcome = (answer, { name, is_probability: isProbability }) => ({ ...answer, outcome: name, kind: isProbability ? "band" : "mean" });

const spacer = (rows, width) => rows <= 0 ? null
  : element("tr", { class: "spacer", "aria-hidden": "true", "--height": `${rows * ROW}px` }, element("td", { colspan: width }));

function tableRow({ values, answers }, { place, columns, bands, before, told, go }) {
  const outcomes = answers.map((answer, at) => outcome(answer, columns[at]));
  const [first, ...rest] = told(values);
  const own = bands.map((band) => outcomes.find((other) => other.outcome === band)).filter(Boolean);
  const text = (own, at) => {
    const was = before?.answers[at];
    const moved = was ? change(outcome(was, columns[at]), own) : "0";
    return element("td", {}, value(own), moved === "0" ? null : element("small", {}, ` ${moved}`));
  };
  // Each row is a way to its configuration.
  const way = button(first, go, { class: "plain", "aria-label": rest.length > 0 ? [first, ...rest].join(", ") : null });
  return element("tr", { "aria-rowindex": place + 2 },
    element("th", { scope: "row" }, way), rest.map((label) => element("th", { scope: "row" }, label)),
    bands.length > 0 ? element("td", { class: "space" }, own.length > 0 ? stack(own, { isSlim: true }) : null) : null,
    outcomes.length > 0 ? outcomes.map(text) : element("td", { colspan: columns.length, class: "quiet" }, "the rules forbid it, or can't be carried out"));
}
