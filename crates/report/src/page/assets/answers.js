// Answers as bars and as a table, by themselves or beside those that are pinned.

const isBand = ({ kind }) => kind === "band";

/** The configuration in words, as the command line has it. */
function describe(check, values) {
  const words = changes(check, values).map(([name, value]) => `${name}=${value}`);
  return words.length === 0 ? "the default configuration" : words.join(" ");
}

/** The probability of each band or a better one; null for the other columns. */
function atLeast(check, answers) {
  let above = { weight: 0n, total: 1n };
  const sums = check.columns.map(() => null);
  for (let at = check.columns.length - 1; at >= 0; at -= 1) {
    if (!isBand(check.columns[at])) continue;
    const { weight, total } = answers[at];
    above = total === above.total
      ? { weight: above.weight + weight, total }
      : { weight: above.weight * total + weight * above.total, total: above.total * total };
    sums[at] = above;
  }
  return sums;
}

/** An answer as it is read: its value, and its fraction. */
function words(column, answer) {
  const { weight, total } = answer;
  if (total === 0n && weight === 0n) return { value: "–", fraction: "what it asks for never happens" };
  if (total === 0n) return { value: weight < 0n ? "−inf" : "inf", fraction: "without end: it may never be over" };
  if (column.kind === "number") return { value: shown(decimal(answer)), fraction: shown(decimalFraction(answer)) };
  return { value: percent(answer), fraction: odds(answer) };
}

/** What changes from the pinned answer to this one; nothing where one of them is no number. */
function change(column, pinned, answer) {
  if (pinned.total === 0n || answer.total === 0n) return "";
  return column.kind === "number" ? difference(pinned, answer) : points(pinned, answer);
}

/** About how many characters a bar has room for on a phone. */
const BAR_ROOM = 38;

/** What a part of a bar says of itself: its name and its odds, or one of them, or nothing. */
function segmentText(name, answer) {
  const room = share(answer) * BAR_ROOM - 1;
  const text = wholePercent(answer);
  if (name.length + 1 + text.length <= room) return `${name} ${text}`;
  return text.length <= room ? text : "";
}

/** The bands side by side. The tables say it to those who can't see this. */
function stack(check, answers, hasText) {
  const bands = check.columns.map((column, at) => ({ column, at })).filter(({ column }) => isBand(column));
  const segments = bands.map(({ column, at }, place) => {
    const part = share(answers[at]);
    const title = `${column.name}: ${percent(answers[at])}`;
    const segment = element("span", { class: "segment", title }, hasText ? segmentText(column.name, answers[at]) : "");
    segment.style.width = `${part * 100}%`;
    paint(segment, place);
    return segment;
  });
  return element("div", { class: "stack" }, ...segments);
}

/** The colours of a band by its place, worst first. */
function paint(node, place) {
  node.style.setProperty("--fill", `var(--band-${place})`);
  node.style.setProperty("--ink", `var(--on-band-${place})`);
}

/** A configuration with its answers at a glance: bands as a bar, or else the numbers. */
function glance(check, label, values, answers) {
  const name = element("p", { class: "name" }, element("span", {}, label), element("code", {}, describe(check, values)));
  const look = check.columns.some(isBand) ? stack(check, answers, true) : figures(check, answers);
  look.setAttribute("aria-hidden", "true");
  return element("div", { class: "side" }, name, look);
}

/** Answers that are no bands, as large figures. */
function figures(check, answers) {
  const items = check.columns.map((column, at) =>
    element("span", { class: "figure" }, element("b", {}, words(column, answers[at]).value), ` ${column.name}`));
  return element("div", {}, ...items);
}

/** The heads of the table's columns; those of a comparison have a row above them. */
function tableHead(check, hasPinned) {
  const hasBands = check.columns.some(isBand);
  const value = check.columns.every(({ kind }) => kind === "number") ? "value" : "odds";
  const two = hasBands ? [value, "at least"] : [value];
  const three = [...two, "fraction"];
  const column = (name) => element("th", { scope: "col", class: name === value ? "first" : null }, name);
  if (!hasPinned) return element("thead", {}, element("tr", {}, element("td"), ...three.map(column)));
  const group = (name, width) => element("th", { scope: "colgroup", colspan: width, class: "first" }, name);
  const groups = [group("now", three.length), group("pinned", three.length), group("difference", two.length)];
  return element("thead", {}, element("tr", {}, element("td"), ...groups),
    element("tr", {}, element("td"), ...[...three, ...three, ...two].map(column)));
}

/** A long fraction may be broken after its stroke. */
function breakable(fraction) {
  if (fraction.length <= 20) return [fraction];
  return fraction.split(/(?<=\/)/).flatMap((part) => [part, element("wbr")]);
}

function sideCells(column, answer, sum, hasBands) {
  const { value, fraction } = words(column, answer);
  const least = hasBands ? [element("td", {}, sum === null ? "" : percent(sum))] : [];
  return [element("td", { class: "odds first" }, value), ...least, element("td", { class: "fraction" }, ...breakable(fraction))];
}

/** The rows: bands, then everything else. Of the pinned answers there may be none. */
function tableBodies(check, answers, pinned) {
  const hasBands = check.columns.some(isBand);
  const sums = atLeast(check, answers);
  const pinnedSums = pinned === null ? null : atLeast(check, pinned);
  const rows = check.columns.map((column, at) => {
    const cells = sideCells(column, answers[at], sums[at], hasBands);
    if (pinned !== null) {
      cells.push(...sideCells(column, pinned[at], pinnedSums[at], hasBands));
      cells.push(element("td", { class: "change first" }, change(column, pinned[at], answers[at])));
      if (hasBands) cells.push(element("td", { class: "change" }, sums[at] && points(pinnedSums[at], sums[at])));
    }
    const swatch = isBand(column) ? element("span", { class: "swatch", "aria-hidden": "true" }) : null;
    if (swatch !== null) paint(swatch, at);
    return element("tr", {}, element("th", { scope: "row" }, swatch, column.name), ...cells);
  });
  const bands = rows.filter((_, at) => isBand(check.columns[at]));
  const others = rows.filter((_, at) => !isBand(check.columns[at]));
  return [bands, others].filter((body) => body.length > 0).map((body) => element("tbody", {}, ...body));
}

function answerTable(check, answers, pinned, caption) {
  const table = element("table", { class: "answers" }, element("caption", { class: "unseen" }, caption),
    tableHead(check, pinned !== null), ...tableBodies(check, answers, pinned));
  return element("div", { class: "wide", role: "region", tabindex: "0", "aria-label": "Odds" }, table);
}

/** The answers in a sentence, for those who listen. */
function spoken(check, answers) {
  const parts = check.columns.map((column, at) => `${column.name} ${words(column, answers[at]).value}`);
  return parts.join(", ");
}
