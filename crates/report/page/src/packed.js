// The packed answers of a check as a source, as `shared/panel.js` tells of one: `pack.rs` says how they are written.

import { shown } from "../shared/elements.js";
import { settingTexts } from "../shared/inputs.js";
import { NO_ANSWER, Refusal } from "../shared/refusal.js";

/** A whole number that was written to base 36, or to base 10 after a `.`. */
function unpackNumber(text) {
  if (text.startsWith(".")) return BigInt(text.slice(1));
  if (text.startsWith("-")) return -unpackNumber(text.slice(1));
  let number = 0n;
  for (let at = 0; at < text.length; at += 10) {
    const digits = text.slice(at, at + 10);
    number = number * 36n ** BigInt(digits.length) + BigInt(parseInt(digits, 36));
  }
  return number;
}

/** For each configuration the place of its row, -1 where the rules forbid it. */
function unpackPlaces(text) {
  const places = [];
  for (const run of text.split(" ")) {
    const [, first, mark, more = "0"] = /^(-|\w+)([+*])?(\w+)?$/.exec(run);
    const start = first === "-" ? -1 : parseInt(first, 36);
    const length = parseInt(more, 36);
    for (let step = 0; step <= length; step += 1) places.push(mark === "+" ? start + step : start);
  }
  return places;
}

/** One answer for each column: `{ weight, total }`. */
function unpackRow(text, totals) {
  let total = 0n;
  let left = 0n;
  return text.split(" ").map((answer) => {
    const [number, place] = answer.split("/");
    if (place !== undefined) left = total = totals[parseInt(place, 36)];
    const weight = number === "~" ? left : unpackNumber(number);
    left -= weight;
    return { weight, total };
  });
}

/** An axis as an input. What lies beside the swept values can be set, and is then refused with the way back. */
function input({ name, label, valueLabels, help, numbers, labels, default: home, legal }) {
  const values = numbers ?? labels;
  const own = labels === undefined
    ? { low: -Infinity, high: Infinity, steps: numbers, scale: "swept values", legal }
    : { labels, values: labels.join(", ") };
  // A sweep may leave out the default: then the first value stands there, and commands have to say it.
  const start = { home: `${values[home ?? 0]}`, isUnsaid: home === null };
  return { name, label, valueLabels, help, role: "axis", reading: "", sweep: values.join(","), ...start, ...own, swept: values.map(String) };
}

/** Whether the rules allow a value of an input, which counts for numbers alone. */
const isAllowed = ({ legal }, value) => !legal || (legal[0] <= value && value <= legal[1]);

/** Why an input has no answers at a value that is not swept. */
function astray({ name, swept, steps, legal }, value) {
  if (steps === undefined) return `This page has no ${name}=${value}; it has ${swept.join(", ")}.`;
  if (!isAllowed({ legal }, value)) {
    return `The rules allow ${name} from ${shown(legal[0])} to ${shown(legal[1])}, not ${shown(value)}.`;
  }
  return `This page has no ${name}=${shown(value)}; the nearest that it has: ${neighbours(steps, value).map(shown).join(" and ")}.`;
}

/** The swept numbers on both sides of one that is not swept. */
function neighbours(steps, value) {
  const sorted = steps.toSorted((a, b) => a - b);
  const near = [sorted.findLast((step) => step < value), sorted.find((step) => step > value)];
  return near.filter((step) => step !== undefined);
}

/** The values at a place of a sweep over some inputs, the last one fastest. */
function valuesAt(inputs, place) {
  const values = [];
  for (const { swept } of inputs.toReversed()) {
    values.unshift(swept[place % swept.length]);
    place = Math.floor(place / swept.length);
  }
  return values;
}

export class Packed extends EventTarget {
  document = {};
  textDocument = {};
  version = 1;
  errors = [];
  settings = {};
  compared = "configuration";
  /** The settings that answers stand beside; null if there are none. */
  #pinned = null;
  #places = null;
  #rows;

  /** `announce` tells something to those who listen. */
  constructor(json, prefix, announce) {
    super();
    Object.assign(this, JSON.parse(json), { prefix, announce });
    this.totals = this.totals.map(BigInt);
    this.#rows = this.rows.split(",");
    this.inputs = this.axes.map(input);
    this.count = this.inputs.reduce((count, { swept }) => count * swept.length, 1);
    this.told = this.columns.filter(({ untold }) => !untold);
    const names = (kind) => this.told.filter((column) => column.kind === kind).map(({ name }) => name);
    this.shown = { name: this.id, is_track: false, shown: { bands: names("band"), flags: names("flag"), numbers: [] } };
  }

  on(what, act) {
    this.addEventListener(what, act);
  }

  get settingTexts() {
    return settingTexts(this.inputs, this.settings);
  }

  /** What is set already moves nothing. */
  set(name, value) {
    if (this.settings[name] !== value) this.setAll({ ...this.settings, [name]: value });
  }

  setAll(settings, pinned = this.#pinned) {
    this.settings = settings;
    this.#pinned = pinned;
    this.dispatchEvent(new Event("change"));
  }

  get against() {
    return this.#pinned;
  }

  get pinned() {
    return { label: "pinned", settings: settingTexts(this.inputs, this.#pinned ?? {}) };
  }

  /** The row of a configuration by its place in the sweep, -1 if the rules forbid it. */
  #rowOf(place) {
    this.#places ??= unpackPlaces(this.places);
    return this.#places[place];
  }

  /** The answers of a configuration by its place in the sweep, or null if the rules forbid it. */
  answersAt(place) {
    const row = this.#rowOf(place);
    return row < 0 ? null : unpackRow(this.#rows[row], this.totals);
  }

  /** The answers of the columns that are told. */
  #toldAt(place) {
    return (this.answersAt(place) ?? []).filter((_, at) => !this.columns[at].untold);
  }

  /** The place of a configuration in the sweep, the last axis fastest; its settings are among the swept values. */
  #placeOf(settings) {
    return this.inputs.reduce((place, { name, home, swept }) => place * swept.length + swept.indexOf(settings[name] ?? home), 0);
  }

  /** The values of the configuration at a place. */
  valuesAt(place) {
    return valuesAt(this.inputs, place);
  }

  /** What keeps settings from being answered here, as sentences, those of some axes left out. */
  obstacles(settings, sweptNames = []) {
    const valueOf = ({ name, home }) => settings[name] ?? home;
    const lost = this.inputs.filter((input) => !sweptNames.includes(input.name) && !input.swept.includes(valueOf(input)));
    const sentences = lost.map((input) => astray(input, valueOf(input)));
    if (sentences.length > 0 && lost.every((input) => isAllowed(input, valueOf(input)))) sentences.push("The command below answers it.");
    if (sentences.length > 0 || sweptNames.length > 0 || this.answersAt(this.#placeOf(settings)) !== null) return sentences;
    return ["The rules forbid this configuration, or can't be carried out in it, so it has no odds."];
  }

  /** The settings that would bring each axis that is astray back, as `[name, value]`. */
  waysBack() {
    return this.inputs.flatMap(({ name, home, steps, swept }) => {
      const value = this.settings[name] ?? home;
      return steps === undefined || swept.includes(value) ? [] : neighbours(steps, value).map((step) => [name, `${step}`]);
    });
  }

  /** Answers as the server would, but at once. */
  request(method, { question, against = null }) {
    const ask = method === "oddsmith/table" ? this.#table : this.#odds;
    const settle = async () => {
      const result = { version: this.version, answer: ask.call(this, this.settings, question) };
      return against === null ? result : { ...result, before: ask.call(this, against, question) };
    };
    return Object.assign(settle(), { cancel: () => {} });
  }

  #refuse(sentences) {
    if (sentences.length > 0) throw new Refusal({ code: NO_ANSWER, message: sentences.join(" ") });
  }

  #odds(settings) {
    this.#refuse(this.obstacles(settings));
    const answers = this.#toldAt(this.#placeOf(settings));
    return { outcomes: this.told.map(({ name, title, kind }, at) => ({ outcome: name, title, kind, ...answers[at] })) };
  }

  #table(settings, { sweeps, from, count }) {
    const names = sweeps.map((text) => text.split("=")[0]);
    this.#refuse(this.obstacles(settings, names));
    const axes = names.map((name) => this.inputs.find((input) => input.name === name));
    const total = axes.reduce((product, { swept }) => product * swept.length, 1);
    const places = Array.from({ length: total }, (_, at) => {
      const values = valuesAt(axes, at);
      return { values, place: this.#placeOf({ ...settings, ...Object.fromEntries(names.map((name, own) => [name, values[own]])) }) };
    });
    const gaps = places.filter(({ place }) => this.#rowOf(place) < 0).length;
    const rows = places.slice(from, from + count).map(({ values, place }) => ({ values, answers: this.#toldAt(place) }));
    const columns = this.told.map(({ name, title, kind }) => ({ name, title, is_probability: kind !== "number" }));
    return { axes: names, total, columns, rows, gaps };
  }
}
