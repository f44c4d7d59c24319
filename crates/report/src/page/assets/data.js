// The packed answers of a check: `pack.rs` says how they are written.

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

/** An axis with its values in one list, and how a value of it is written in links and commands. */
function readAxis({ name, help, numbers, labels, default: home, legal }) {
  return { name, help, values: numbers ?? labels, isNumber: numbers !== undefined, home, legal };
}

/** A check as the page holds it. Rows are unpacked when they are asked for. */
function readCheck(json) {
  const packed = JSON.parse(json);
  const totals = packed.totals.map(BigInt);
  const rows = packed.rows.split(",");
  let places = null;
  const check = {
    ...packed,
    axes: packed.axes.map(readAxis),
    /** The answers of a configuration by its place in the sweep, or null if the rules forbid it. */
    answersAt(place) {
      places ??= unpackPlaces(packed.places);
      return places[place] < 0 ? null : unpackRow(rows[places[place]], totals);
    },
  };
  check.count = check.axes.reduce((count, axis) => count * axis.values.length, 1);
  check.home = check.axes.map((axis) => axis.values[axis.home ?? 0]);
  return check;
}

/** The place of a configuration in the sweep, the last axis fastest; null if it lies outside. */
function placeOf(check, values) {
  let place = 0;
  for (const [at, axis] of check.axes.entries()) {
    const step = axis.values.indexOf(values[at]);
    if (step < 0) return null;
    place = place * axis.values.length + step;
  }
  return place;
}

/** The values of the configuration at a place. */
function valuesAt(check, place) {
  const values = [];
  for (const axis of [...check.axes].reverse()) {
    values.unshift(axis.values[place % axis.values.length]);
    place = Math.floor(place / axis.values.length);
  }
  return values;
}

/** The swept numbers on both sides of one that is not swept. */
function neighbours(axis, value) {
  const sorted = [...axis.values].sort((a, b) => a - b);
  const below = sorted.filter((swept) => swept < value).at(-1);
  const above = sorted.find((swept) => swept > value);
  return [below, above].filter((swept) => swept !== undefined);
}
