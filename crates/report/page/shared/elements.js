// Elements. Text always becomes a text node, and styles are set as properties, as the page's content policy asks.

/** An element with attributes, properties (a leading dot), listeners (functions), and children; null is passed over. */
export function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(key, value);
    else if (key.startsWith(".")) node[key.slice(1)] = value;
    else if (key.startsWith("--")) node.style.setProperty(key, value);
    else if (value !== null && value !== undefined && value !== false) {
      node.setAttribute(key, value === true ? "" : value);
    }
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** Has a node say a text; one that says it already is not laid out anew. */
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** A button that does something. */
export function button(label, onClick, attributes = {}) {
  return element("button", { type: "button", click: onClick, ...attributes }, label);
}

/** A labelled select; `options` are `[value, text]` or texts. */
export function select(label, options, value, onChange, attributes = {}) {
  const nodes = options.map((option) => {
    const [own, text] = Array.isArray(option) ? option : [option, option];
    return element("option", { value: own, ".selected": own === value }, text);
  });
  return element("label", { class: "field" }, element("span", {}, label),
    element("select", { change: (event) => onChange(event.target.value), ...attributes }, nodes));
}

/** A sentence in which `code` stands between backticks. */
export function prose(text) {
  return text.split(/`([^`]*)`/).map((part, at) => (at % 2 === 1 ? element("code", {}, part) : part));
}

/** A number with a true minus sign. */
export const shown = (value) => `${value}`.replace(/(^|[^\w.])-(?=\d)/g, "$1−");

/** `1 row`, `12 rows`, `5,940 rows`. */
export const counted = (number, word) => `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;

/** The head of a column; one without words is no head. */
export const columnHead = (text) => (text === "" ? element("td") : element("th", { scope: "col" }, text));

/** A table that scrolls sideways in its box. */
export function wideTable(label, head, rows, attributes = {}) {
  const table = element("table", attributes,
    element("caption", { class: "unseen" }, label),
    element("thead", {}, element("tr", {}, head.map(columnHead))),
    element("tbody", {}, rows));
  return element("div", { class: "wide", role: "region", tabindex: "0", "aria-label": label }, table);
}

/** A row of a table: its head, then its cells. */
export function row(head, ...cells) {
  return element("tr", {}, element("th", { scope: "row" }, head),
    cells.flat().map((cell) => (cell instanceof HTMLTableCellElement ? cell : element("td", {}, cell))));
}

/** Lets the reader save something as a file. */
export function download(name, content, type = "text/plain") {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const anchor = element("a", { href: url, download: name });
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A function that waits until it has not been called for so many milliseconds. */
export function settled(milliseconds, act) {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => act(...given), milliseconds);
  };
}

/** A button that copies a text and says so for a moment; where the browser does not let it, the text is shown. */
export function copyButton(label, text, attributes = {}) {
  const say = (words) => (node.textContent = words);
  const back = settled(1500, () => say(label));
  const node = button(label, async () => {
    const copied = await text();
    try {
      await navigator.clipboard.writeText(copied);
      say("Copied");
    } catch {
      window.prompt("The browser does not let the page copy. This is the text:", copied);
    }
    back();
  }, attributes);
  return node;
}

/** A command with a button that copies it; `show` sets another one. */
export function commandLine(command = "") {
  const code = element("code", { tabindex: "0" }, command);
  const node = element("div", { class: "command" }, code, copyButton("Copy", () => code.textContent, { "aria-label": "Copy the command" }));
  return { node, show: (text) => (code.textContent = text) };
}
