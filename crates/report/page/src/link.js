// What a link says after its `#`: `stars-and-signs:check?ability_rank=6&pin=ability_rank:4,circ_boons:2`.
// Axes at their defaults are left out.

import { settingPairs, wholeNumber } from "../shared/inputs.js";

const encode = (text) => encodeURIComponent(text).replaceAll("%20", "+");

export function decode(text) {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

/** Settings from names and texts. A name that is no axis is passed over, as is what is no number where one belongs. */
function read({ inputs }, pairs) {
  const known = pairs.map(([name, text]) => [inputs.find((input) => input.name === name), text]);
  const values = known.map(([input, text]) => [input?.name, input?.labels ? text.trim() : wholeNumber(text)]);
  return Object.fromEntries(values.filter(([name, value]) => name !== undefined && value !== null));
}

/** The link to what a check shows. */
export function writeLink({ id, inputs, settings, against }) {
  const said = (own, mark) => settingPairs(inputs, own).map((pair) => pair.map(encode).join(mark));
  const parts = said(settings, "=");
  if (against !== null) parts.push(`pin=${said(against, ":").join(",")}`);
  const place = encodeURI(id).replaceAll("?", "%3F").replaceAll("#", "%23");
  return parts.length === 0 ? `#${place}` : `#${place}?${parts.join("&")}`;
}

/** A link as the part of the page that it names and, if it holds a state, its pairs of names and texts. */
export function readLink(hash) {
  const [id, query] = hash.replace(/^#/, "").split(/\?(.*)/s);
  if (query === undefined) return { id: decode(id), pairs: null };
  const pairs = query.split("&").map((part) => part.split(/=(.*)/s)).map(([name, text = ""]) => [name, text]);
  return { id: decode(id), pairs };
}

/** The settings that the pairs of a link describe, and those that are pinned. */
export function stateOf(check, pairs) {
  const pin = pairs.find(([name]) => name === "pin");
  const settings = pairs.filter(([name]) => name !== "pin").map((pair) => pair.map(decode));
  const pinned = pin?.[1].split(",").map((part) => part.split(/:(.*)/s).slice(0, 2)).map(([name, text = ""]) => [decode(name), decode(text)]);
  return { settings: read(check, settings), pinned: pinned ? read(check, pinned) : null };
}
