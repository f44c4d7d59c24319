// When to spend what: points for several checks of a scene, or for all rounds of a track, against simpler ways to play.

import { told, value } from "../../../report/page/shared/answers.js";
import { Panel } from "../../../report/page/shared/panel.js";
import { element, prose, row, select, wideTable } from "./elements.js";
import { choice } from "./policy.js";

/** The most checks and points that are offered; a scene of more is for the command line. */
const MOST_CHECKS = 8;
const MOST_POINTS = 20;

const numbers = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => `${from + at}`);

/** A column for each resource: of one it has a plain name. */
const heads = (resources, plain) => (resources.length === 1 ? [plain] : resources.map(({ resource }) => `${resource}: ${plain}`));
const each = (resources, values, tell = told) => resources.map(({ resource }) => (values === null ? "–" : tell(values[resource])));

/** A row for each way to play; `cells` are those of what comes of one. */
function ways(title, columns, own, cells) {
  const rows = own.map(({ way, is_plan: isPlan, result }) => row([way, isPlan ? element("small", {}, " best") : ""],
    result === null ? element("td", { colspan: columns.length - 1, class: "quiet left" }, "may need more points than there are") : cells(result).flat()));
  return wideTable(title, columns, rows);
}

function waysOfScene({ ways: own, resources }) {
  const bands = Object.keys(own.find(({ result }) => result !== null)?.result.bands ?? {});
  return ways("Ways to play the scene", ["way", "value", ...heads(resources, "spent"), ...bands], own,
    (result) => [told(result.value), each(resources, result.spent), bands.map((band) => told(result.bands[band]))]);
}

/** What is best with so many checks and points left, as far as it comes to that. */
function states({ states: own, resources }) {
  const spends = (state) => ({ resource, before_the_roll: isBefore }) => {
    const [points, way] = [state.points[resource], state.way[resource]];
    return isBefore ? `${points}${way === null ? "" : `, ${way}`}` : `up to ${points}`;
  };
  const rows = own.filter(({ probability }) => probability !== "0").map((state) => row(`${state.checks_left}`,
    each(resources, state.points_left), told(state.probability, true), resources.map(spends(state)), told(state.value), each(resources, state.one_more)));
  return wideTable("What is best", ["checks left", ...heads(resources, "points left"), "comes up", ...heads(resources, "spend"), "value",
    ...heads(resources, "one more point")], rows);
}

function waysThroughTrack({ ways: own, resources }, rounds) {
  const [, ...bands] = own.find(({ result }) => result !== null)?.result.outcomes ?? [];
  return ways("Ways to play", ["way", "value", ...bands.map(({ outcome }) => outcome), ...heads(resources, "spent"), rounds], own,
    (result) => [result.outcomes.map(value), each(resources, result.spent), told(result.rounds)]);
}

/** What one more point is worth, by how many there are. */
function prices({ resources, is_chance: isChance }) {
  const most = Math.max(...resources.map(({ pool }) => pool));
  const rows = resources.map(({ resource, one_more: more }) => row(resource, numbers(0, most).map((at) => (at in more ? told(more[at], isChance) : ""))));
  return wideTable("What one more point is worth at the beginning", ["", ...numbers(0, most).map((at) => `with ${at}`)], rows);
}

const ofScene = (answer) => [element("p", { class: "quiet" }, prose(`Worth: \`${answer.utility}\`.`)), waysOfScene(answer),
  element("h3", {}, "The plan"), states(answer)];

const ofTrack = (answer, rounds) => [
  element("p", { class: "quiet" }, prose(`Best is the greatest ${answer.is_chance ? "chance" : "mean"} of \`${answer.maximise}\`.`)),
  waysThroughTrack(answer, rounds), element("h3", {}, "What one more point is worth"), prices(answer),
  element("h3", {}, "The plan"), answer.choices.map((own) => choice(own, answer.is_chance)),
];

export function planPanel(bench) {
  const own = { checks: "3", pool: "5", resource: "" };
  const picker = element("div", { class: "fields" });
  const resources = () => (bench.overview?.resources ?? []).filter(({ checks }) => checks.includes(bench.shown?.name));

  function drawPicker(isTrack) {
    const names = resources().map(({ name }) => name);
    const shape = JSON.stringify([own, names, isTrack]);
    if (picker.dataset.shape === shape) return;
    picker.dataset.shape = shape;
    const focused = picker.contains(document.activeElement) ? document.activeElement.name : null;
    const set = (key) => (text) => { own[key] = text; panel.refresh(); };
    const checks = isTrack ? [] : [select("checks", numbers(1, MOST_CHECKS), own.checks, set("checks"), { name: "checks" })];
    picker.replaceChildren(
      select("resource", names, own.resource || names[0], set("resource"), { name: "resource" }),
      ...checks,
      select("points", numbers(0, MOST_POINTS), own.pool, set("pool"), { name: "pool" }));
    if (focused !== null) picker.querySelector(`[name="${focused}"]`)?.focus();
  }

  const question = () => {
    const known = resources();
    if (known.length === 0) return null;
    const { name: resource, axis } = known.find(({ name }) => name === own.resource) ?? known[0];
    own.resource = resource;
    const { name: check, is_track: isTrack, maximise, shown } = bench.shown;
    drawPicker(isTrack);
    // How much is spent is what the plan finds.
    const settings = bench.settingTexts.filter((text) => !text.startsWith(`${axis}=`));
    const asked = { check, pool: Number(own.pool), resource, settings };
    if (!isTrack) return { question: { ...asked, checks: Number(own.checks) } };
    // An end without a name of its own is to come soon.
    return { question: shown.bands.length > 0 || maximise !== null ? asked : { ...asked, utility: "-rolls" } };
  };
  const render = ({ answer }) => (answer.track === undefined ? ofScene(answer) : ofTrack(answer, bench.shown?.unit[1] ?? "rounds"));
  const panel = new Panel(bench, {
    id: "plan", title: "Plan", method: "oddsmith/plan", question, render, delay: 120,
    empty: "Nothing is spent on this check.",
  });
  panel.node.prepend(picker);
  panel.isRelevant = () => (bench.overview?.resources ?? []).length > 0;
  return panel;
}
