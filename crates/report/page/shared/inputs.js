// Axes and parameters, as every source has them, and what is set of them.
//
// An input is `{ name, home, labels, values, help, sweep }`, or with numbers `{ low, high, steps, scale }` instead of
// `labels`. People read its `label` where it has one, and of values their `valueLabels`, `[[6, "d8"]]`, which of labels are
// told of their places. Settings are
// texts by name; `home` is the value without a setting. It is the default of the rules, unless the input `isUnsaid`:
// then commands have to say it. A slider goes over the `steps`, and `scale` says so in words.

import { shown } from "./elements.js";

/** What people read of an input: its label, or its name. */
export const titleOf = ({ name, label }) => label || name;

/** What people read of a value, which is a text: its label, or the value. */
export const toldValue = ({ labels, valueLabels = [] }, value) =>
  valueLabels.find(([own]) => `${labels?.[own] ?? own}` === `${value}`)?.[1] ?? (labels ? value : shown(value));

/** A whole number as it is typed, as a text without frills; null if it is none. */
export function wholeNumber(text) {
  const trimmed = text.trim().replace("−", "-");
  return /^[+-]?\d{1,15}$/.test(trimmed) ? `${Number(trimmed) + 0}` : null;
}

/** What is wrong with a text as the value of an input; an empty text if nothing is. */
export function fault(input, text) {
  if (input.labels) return input.labels.includes(text) ? "" : `one of ${input.values} is needed`;
  const value = wholeNumber(text);
  if (value === null) return "a whole number is needed";
  return Number(value) < input.low || Number(value) > input.high ? `${text} is outside ${input.values}` : "";
}

/** The settings that have to be said, as `[name, value]`: all but defaults. */
export function settingPairs(inputs, settings) {
  const given = inputs.map(({ name, home, isUnsaid }) => [name, settings[name] ?? home, isUnsaid ? null : home]);
  return given.filter(([, value, home]) => value !== home).map(([name, value]) => [name, value]);
}

/** The same as texts, as commands and the server read them: `name=value`. */
export const settingTexts = (inputs, settings) => settingPairs(inputs, settings).map((pair) => pair.join("="));

/** What an axis is swept over: its own sweep, or all that fits on a slider. */
export function sweepText({ name, sweep, labels, steps }) {
  if (sweep) return `${name}=${sweep}`;
  return labels ? `${name}=all` : `${name}=${steps[0]}..=${steps.at(-1)}`;
}
