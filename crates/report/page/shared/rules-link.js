// Links with rules and settings in the part of the address after `#`, which no server is told.

/** A link's text may unpack to at most so many characters. */
const MOST = 2_000_000;

async function through(stream, bytes) {
  const writer = stream.writable.getWriter();
  // What goes wrong is told by the side that is read.
  writer.write(bytes).catch(() => {});
  writer.close().catch(() => {});
  const parts = [];
  let length = 0;
  for (const reader = stream.readable.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    length += value.length;
    if (length > MOST) {
      await reader.cancel();
      throw new Error("the link is too large");
    }
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

function toBase64Url(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

const fromBase64Url = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));

/** Rules, their name, the check and what is set, as what stands after `#`. */
export async function packed(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  return `rules=${toBase64Url(await through(new CompressionStream("deflate-raw"), bytes))}`;
}

const isText = (value) => typeof value === "string";

/** What a link says; a link may come from anybody, so that nothing but texts where texts belong is taken from it. */
export async function unpacked(text) {
  const bytes = await through(new DecompressionStream("deflate-raw"), fromBase64Url(text));
  const { rules, name, check, settings, tab } = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  if (!isText(rules)) throw new Error("there are no rules in it");
  const pairs = Object.entries(settings ?? {}).filter(([, value]) => isText(value));
  return {
    rules,
    name: isText(name) ? name : "linked.toml",
    check: isText(check) ? check : null,
    settings: Object.fromEntries(pairs),
    tab: isText(tab) ? tab : null,
  };
}
