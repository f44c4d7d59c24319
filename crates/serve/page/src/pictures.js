// Pictures that the server draws. They are parsed as SVG, and only what a drawing needs is let into the page.

const OTHERS = ":not(svg, g, title, desc, rect, text, tspan, polyline, polygon, line, path, circle, ellipse)";

/** Whether an attribute only draws: no handlers, no addresses, no style sheets. */
const isDrawing = ({ name, value }) => !/^on|^style$|href/i.test(name) && !/url\(/i.test(value);

/** A text without this has only attributes that draw, which is quicker found out than by looking at each. Characters can be hidden in `&#`, and all else in entities. */
const SUSPECT = /\son[^\s=]*\s*=|style|href|url\(|&#|<!/i;

/** The drawing of a text; null if it is none. */
export function drawing(svg) {
  const { documentElement } = new DOMParser().parseFromString(svg, "image/svg+xml");
  if (documentElement.localName !== "svg" || documentElement.querySelector("parsererror") !== null) return null;
  for (const node of documentElement.querySelectorAll(OTHERS)) node.remove();
  for (const node of SUSPECT.test(svg) ? [documentElement, ...documentElement.querySelectorAll("*")] : []) {
    for (const attribute of [...node.attributes]) if (!isDrawing(attribute)) node.removeAttributeNode(attribute);
  }
  const node = document.adoptNode(documentElement);
  const title = node.querySelector("title")?.textContent;
  if (title) node.setAttribute("aria-label", title);
  return node;
}

/** A picture as a PNG of twice its size. */
export async function png(svg) {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth * 2;
  canvas.height = image.naturalHeight * 2;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
