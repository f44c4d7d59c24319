// What a step of each axis and parameter is worth.

import { difference, isProbability, parse, points, shown } from "../../../report/page/shared/answers.js";
import { Panel } from "../../../report/page/shared/panel.js";
import { counted, element, prose, row, select, wideTable } from "./elements.js";

const NOTHING = { weight: 0n, total: 1n };

/** A change with its sign: points of a probability, or a number. */
function signed({ fraction }, name) {
  const value = parse(fraction);
  return value === null ? fraction : (isProbability(name) ? points : difference)(NOTHING, value);
}

/** `+3.25`, or `+3.25 (+1 to +7)` where it differs between configurations. */
function cell(changes, name) {
  if (changes === null || changes === undefined) return element("td", {}, "–");
  const [typical, least, most] = ["typical", "least", "most"].map((which) => signed(changes[which], name));
  const node = element("td", { class: typical.startsWith("+") ? "up" : typical === "0" ? "" : "down" }, typical);
  if (least !== most) node.append(element("small", {}, ` ${least} to ${most}`));
  return node;
}

const label = ({ from, to }) => `${shown(from)} → ${shown(to)}`;

function leverRows({ lever, role, steps, up }, columns) {
  const own = steps.length > 0 && typeof steps[0].from === "number" && steps.length > 2 ? [["each step up", up]] : steps.map((step) => [label(step), step]);
  const told = own.filter(([, { active }]) => active > 0);
  return told.map(([step, worth]) => row([element("code", {}, lever), element("small", {}, role === "parameter" ? `parameter, ${step}` : step)],
    columns.map((name) => cell(worth.changes[name], name))));
}

/** The levers of which no step changes anything. */
function idle(levers, columns) {
  const names = levers.filter((lever) => leverRows(lever, columns).length === 0).map(({ lever }) => `\`${lever}\``);
  return names.length === 0 ? null : element("p", { class: "quiet" }, "Nothing changes with ", prose(names.join(", ")), ".");
}

function exchange(steps) {
  if (steps.length < 2) return null;
  const names = steps.map(({ step }) => step);
  const rows = steps.map(({ step, is }) => row(step, names.map((name) => is[name] ? shown(is[name].decimal.toFixed(2)) : "")));
  return [element("h3", {}, "What it can be exchanged for"),
    wideTable("How many steps of another lever a step is worth", ["one step of", ...names], rows)];
}

export function worthPanel(bench) {
  let scope = "here";
  const question = () => {
    const check = bench.shown;
    if (check === null) return null;
    const settings = bench.settingTexts;
    const [first] = bench.inputs;
    // Without any setting the server takes the ruleset's own sweep; one at its default says that the defaults are meant.
    if (scope === "here" && settings.length === 0 && first) settings.push(`${first.name}=${first.home}`);
    return { question: { check: check.name, settings, sweeps: scope === "here" ? [] : ["all"] } };
  };
  const render = ({ answer }) => {
    const columns = [...new Set(answer.levers.flatMap(({ up, steps }) => [up, ...steps].flatMap(({ changes }) => Object.keys(changes))))];
    const rows = answer.levers.flatMap((lever) => leverRows(lever, columns));
    return [
      element("p", { class: "quiet" }, `From ${counted(answer.configurations, "configuration")}: the typical change, in points of a probability, and its range.`),
      wideTable("What steps are worth", ["lever", ...columns], rows, { class: "worth" }), idle(answer.levers, columns), exchange(answer.exchange),
    ];
  };
  const panel = new Panel(bench, { id: "worth", title: "Worth", method: "oddsmith/value", question, render, delay: 120 });
  panel.node.prepend(element("div", { class: "fields" },
    select("from", [["here", "the settings as they are"], ["sweep", "the whole sweep"]], scope, (own) => { scope = own; panel.refresh(); })));
  return panel;
}
