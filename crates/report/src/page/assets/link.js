// What a link says after its `#`: `stars-and-signs:check?ability_rank=6&pin=ability_rank:4,circ_boons:2`.
// Axes at their defaults are left out.

const encode = (text) => encodeURIComponent(text).replaceAll("%20", "+");

function decode(text) {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

/** The axes of a configuration that are not at their defaults, as `[name, value]`. */
function changes(check, values) {
  const pairs = check.axes.map((axis, at) => [axis.name, values[at], axis.values[axis.home]]);
  return pairs.filter(([, value, home]) => value !== home).map(([name, value]) => [name, `${value}`]);
}

/** The other way round. A name that is no axis is passed over, as is what is no number where one belongs. */
function withChanges(check, pairs) {
  const values = [...check.home];
  for (const [name, text] of pairs) {
    const at = check.axes.findIndex((axis) => axis.name === name);
    const value = at < 0 ? null : readValue(check.axes[at], text);
    if (value !== null) values[at] = value;
  }
  return values;
}

/** A value as it is typed; null if it is no whole number where one belongs. */
function readValue(axis, text) {
  const trimmed = text.trim().replace("−", "-");
  if (!axis.isNumber) return trimmed;
  return /^[+-]?\d{1,15}$/.test(trimmed) ? Number(trimmed) + 0 : null;
}

/** The link to a state of an explorer. */
function writeLink(check, { values, pinned }) {
  const parts = changes(check, values).map(([name, value]) => `${encode(name)}=${encode(value)}`);
  if (pinned !== null) {
    const pairs = changes(check, pinned).map(([name, value]) => `${encode(name)}:${encode(value)}`);
    parts.push(`pin=${pairs.join(",")}`);
  }
  const id = encodeURI(check.id).replaceAll("?", "%3F").replaceAll("#", "%23");
  return parts.length === 0 ? `#${id}` : `#${id}?${parts.join("&")}`;
}

/** A link as the part of the page that it names and, if it holds a state, its pairs of names and texts. */
function readLink(hash) {
  const [id, query] = hash.replace(/^#/, "").split(/\?(.*)/s);
  if (query === undefined) return { id: decode(id), pairs: null };
  const pairs = query.split("&").map((part) => part.split(/=(.*)/s)).map(([name, text = ""]) => [name, text]);
  return { id: decode(id), pairs };
}

/** The state that the pairs of a link describe. */
function stateOf(check, pairs) {
  const pin = pairs.find(([name]) => name === "pin");
  const settings = pairs.filter(([name]) => name !== "pin").map((pair) => pair.map(decode));
  const pinned = pin?.[1].split(",").map((part) => part.split(/:(.*)/s).slice(0, 2)).map(([name, text = ""]) => [decode(name), decode(text)]);
  return { values: withChanges(check, settings), pinned: pinned ? withChanges(check, pinned) : null };
}
