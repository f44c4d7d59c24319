// When to spend what: points for several checks of a scene, against simpler ways to play.

import { told } from "../../../report/page/shared/answers.js";
import { Panel } from "../../../report/page/shared/panel.js";
import { element, prose, row, select, wideTable } from "./elements.js";

/** The most checks and points that are offered; a scene of more is for the command line. */
const MOST_CHECKS = 8;
const MOST_POINTS = 20;

const numbers = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => `${from + at}`);

function ways(own) {
  const bands = Object.keys(own.find(({ result }) => result !== null)?.result.bands ?? {});
  const rows = own.map(({ way, is_plan: isPlan, result }) => row([way, isPlan ? element("small", {}, " best") : ""],
    result === null ? element("td", { colspan: bands.length + 2, class: "quiet left" }, "may need more points than there are")
      : [told(result.value), told(result.spent), ...bands.map((band) => told(result.bands[band]))]));
  return wideTable("Ways to play the scene", ["way", "value", "spent", ...bands], rows);
}

/** What is best with so many checks and points left, as far as it comes to that. */
function states(own, isBefore) {
  const rows = own.filter(({ probability }) => probability !== "0").map((state) => row(`${state.checks_left}`, `${state.points_left}`, told(state.probability, true),
    `${state.points}${state.way ? `, ${state.way}` : ""}`, told(state.value), told(state.one_more)));
  return wideTable("What is best", ["checks left", "points left", "comes up", isBefore ? "spend" : "spend up to", "value", "one more point"], rows);
}

export function planPanel(bench) {
  const own = { checks: "3", pool: "5", resource: "" };
  const picker = element("div", { class: "fields" });
  const resources = () => (bench.overview?.resources ?? []).filter(({ checks }) => checks.includes(bench.shown?.name));

  function drawPicker() {
    const names = resources().map(({ name }) => name);
    const shape = JSON.stringify([own, names]);
    if (picker.dataset.shape === shape) return;
    picker.dataset.shape = shape;
    const focused = picker.contains(document.activeElement) ? document.activeElement.name : null;
    const set = (key) => (value) => { own[key] = value; panel.refresh(); };
    picker.replaceChildren(
      select("resource", names, own.resource || names[0], set("resource"), { name: "resource" }),
      select("checks", numbers(1, MOST_CHECKS), own.checks, set("checks"), { name: "checks" }),
      select("points", numbers(0, MOST_POINTS), own.pool, set("pool"), { name: "pool" }));
    if (focused !== null) picker.querySelector(`[name="${focused}"]`)?.focus();
  }

  const question = () => {
    const names = resources().map(({ name }) => name);
    if (names.length === 0) return null;
    if (!names.includes(own.resource)) own.resource = names[0];
    drawPicker();
    // A resource that has its axis' name: how much of it is spent is what the plan finds.
    const settings = bench.settingTexts.filter((text) => !text.startsWith(`${own.resource}=`));
    return { question: { check: bench.shown.name, checks: Number(own.checks), pool: Number(own.pool), resource: own.resource, settings } };
  };
  const render = ({ answer }) => [
    element("p", { class: "quiet" }, prose(`Worth: \`${answer.utility}\`.`)), ways(answer.ways),
    element("h3", {}, "The plan"), states(answer.states, answer.before_the_roll),
  ];
  const panel = new Panel(bench, {
    id: "plan", title: "Plan", method: "oddsmith/plan", question, render, delay: 120,
    empty: "Nothing is spent on this check.",
  });
  panel.node.prepend(picker);
  panel.isRelevant = () => (bench.overview?.resources ?? []).length > 0;
  return panel;
}
