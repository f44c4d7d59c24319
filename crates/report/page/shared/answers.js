// Answers in words and as bars. A fraction is `{ weight, total }` of BigInts.

import { decimal, decimalFraction, difference, odds, percent, points, quotient, share, wholePercent } from "./numbers.js";
import { paint } from "./bands.js";
import { element, shown } from "./elements.js";

/** A weight over a total, as the server writes it. */
export const fraction = ({ weight, total }) => ({ weight: BigInt(weight), total: BigInt(total) });

/** A text such as `3/4`, `-2` as a fraction; null for `inf`. */
export function parse(text) {
  const [, weight, total = "1"] = /^(-?\d+)(?:\/(\d+))?$/.exec(text) ?? [];
  return weight === undefined ? null : { weight: BigInt(weight), total: BigInt(total) };
}

/** What stands for such a text: `12.5%`, `3.5`; `–` for none, and what is no fraction as it is. */
export function told(text, isProbability = false) {
  if (text === null || text === undefined) return "–";
  const own = parse(text);
  if (own === null) return shown(text);
  return isProbability ? percent(own) : shown(decimal(own));
}

/** The square root of a variance, which is no fraction: rounded for reading. */
export function deviation({ weight, total }) {
  return total === 0n ? "–" : Math.sqrt(quotient({ weight, total })).toFixed(4).replace(/\.?0+$/, "");
}

/** Whether the answers to a query are probabilities. */
export const isProbability = (query) => !/^(mean|variance|sd|median|quantile|mode|min|max)\(/.test(query);

export const isNumber = ({ kind }) => ["mean", "variance", "sd", "value", "number"].includes(kind);

/** The value of an outcome as it is read. */
export function value(outcome) {
  const own = fraction(outcome);
  if (own.total === 0n) return own.weight === 0n ? "–" : own.weight < 0n ? "−inf" : "inf";
  return isNumber(outcome) ? shown(decimal(own)) : percent(own);
}

/** Why there is neither a number nor an endless mean: of the two reasons an answer does not say which it is. */
const NO_NUMBER = "no number: its condition never happens, or an end that it waits for may never come";

/** Its exact fraction. */
export function exactly(outcome) {
  const own = fraction(outcome);
  if (own.total === 0n) return own.weight === 0n ? NO_NUMBER : "without end: it may never be over";
  return isNumber(outcome) ? shown(decimalFraction(own)) : odds(own);
}

/** What changes from one outcome to another: points of a percent, or a number. */
export function change(before, now) {
  const [from, to] = [fraction(before), fraction(now)];
  if (from.total === 0n || to.total === 0n) return "";
  return isNumber(now) ? difference(from, to) : points(from, to);
}

/** The share of a bar that a probability takes, from 0 to 1. */
export const part = (outcome) => share(fraction(outcome));

const add = (a, b) => a.total === b.total
  ? { weight: a.weight + b.weight, total: a.total }
  : { weight: a.weight * b.total + b.weight * a.total, total: a.total * b.total };

/** The probability of each band or a better one; the bands stand worst first. */
export function atLeast(bands) {
  const sums = [];
  bands.map(fraction).reduceRight((above, own, at) => (sums[at] = above === null ? own : add(above, own)), null);
  return sums;
}

/** Which of two versions is better: `now` or `before` if it reaches every band at least as often. */
export function better(before, now) {
  const [old, own] = [atLeast(before), atLeast(now)];
  if (old.length !== own.length || old.length === 0) return null;
  const signs = own.map((sum, at) => sum.weight * old[at].total - old[at].weight * sum.total);
  if (signs.every((sign) => sign === 0n)) return "equal";
  if (signs.every((sign) => sign >= 0n)) return "now";
  return signs.every((sign) => sign <= 0n) ? "before" : "neither";
}

/** What that says of two versions or two configurations, `what` being a word for them. */
export const betterText = (which, what) => ({
  equal: "The bands are as before.",
  now: `This ${what} is better: it reaches every band at least as often.`,
  before: `The pinned ${what} is better: it reaches every band at least as often.`,
  neither: "Neither is better: each reaches some band more often.",
})[which];

/** About how many characters a bar has room for: on a phone, and elsewhere. */
const BAR_ROOM = [38, 60];
const phone = matchMedia("(max-width: 40rem)");

function segmentText(name, outcome) {
  const room = part(outcome) * BAR_ROOM[phone.matches ? 0 : 1] - 1;
  const text = wholePercent(fraction(outcome));
  if (name.length + 1 + text.length <= room) return `${name} ${text}`;
  return text.length <= room ? text : "";
}

/** Bands side by side in one bar; a bar that is there already moves to what is new. */
export function stack(bands, { isSlim = false, hasText = !isSlim, old = null } = {}) {
  const node = old ?? element("div", { class: isSlim ? "stack slim" : "stack", "aria-hidden": "true" });
  while (node.childElementCount > bands.length) node.lastChild.remove();
  bands.forEach((band, place) => {
    const segment = node.children[place] ?? node.appendChild(element("span", { class: "segment" }));
    paint(segment, place, bands.length);
    segment.title = `${band.outcome}: ${value(band)}`;
    segment.textContent = !hasText ? "" : segmentText(band.outcome, band);
    segment.style.width = `${part(band) * 100}%`;
  });
  return node;
}

/** A swatch with the colour of a band. */
export const swatch = (place, count) => paint(element("span", { class: "swatch", "aria-hidden": "true" }), place, count);

/** A bar for a share from 0 to 1, with a mark where it was before. */
export function bar(own, { before = null, place = null, count = 0 } = {}) {
  const fill = element("span", { class: "fill", "--part": `${own * 100}%` });
  if (place !== null) paint(fill, place, count);
  const mark = before === null ? null : element("span", { class: "was", "--part": `${before * 100}%` });
  return element("div", { class: "bar", "aria-hidden": "true" }, fill, mark);
}

export { decimal, difference, percent, points, shown, wholePercent };
