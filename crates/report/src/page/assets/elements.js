// Elements, and what a page can do with text.

/** An element with attributes, properties (a name with a leading dot) and listeners (functions), and what is in it. */
function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(key, value);
    else if (key.startsWith(".")) node[key.slice(1)] = value;
    else if (value !== null && value !== false) node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

/** A sentence in which `code` stands between backticks. */
function prose(text) {
  const parts = text.split(/`([^`]*)`/);
  return parts.map((part, at) => (at % 2 === 1 ? element("code", {}, part) : part));
}

/** A whole number with a true minus sign. */
const shown = (value) => `${value}`.replace(/^-(?=\d)/, "−");

/** Lets the reader save a text as a file. */
function save(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const anchor = element("a", { href: url, download: name });
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A button that copies a text and says so for a moment. Where it may not copy it selects what is to be copied. */
function copyButton(label, text, source = null) {
  const button = element("button", { type: "button" }, label);
  const say = (words) => {
    button.textContent = words;
    setTimeout(() => (button.textContent = label), 1500);
  };
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text());
      say("Copied");
    } catch {
      if (source !== null) getSelection().selectAllChildren(source);
      say(source === null ? "Copy it from the address bar" : "Selected: copy it by key");
    }
  });
  return button;
}

/** A function that waits until it has not been called for so many milliseconds. */
function settled(milliseconds, act) {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => act(...given), milliseconds);
  };
}
