// Elements, as all pages have them, and what this page says to its reader.

import { settled } from "../../../report/page/shared/elements.js";

export * from "../../../report/page/shared/elements.js";

/** Tells those who listen to the page what changed; of many things in a row only the last one. */
export const announce = settled(250, (text) => (document.getElementById("live").textContent = text));

const hide = settled(3500, () => (document.getElementById("toast").hidden = true));

/** A note for a moment, which is also read out. */
export function toast(text) {
  const node = document.getElementById("toast");
  node.textContent = text;
  node.hidden = false;
  announce(text);
  hide();
}
