// "Try it" beside the examples of the book: a link to the page without a server, which has the example in its address.
//
// scripts/book puts this and the page, as `try/`, into the book if scripts/build-web has made the page.

/** At most so many expressions of an example are laid over one another. */
const MOST_DICE = 4;

/** A whole ruleset: a name, and a check or a track. */
const isRuleset = (text) => /^name *=/m.test(text) && /^\[(checks|tracks)\./m.test(text);

/** What stands before the first colon that is in no brackets. */
function beforeColon(line) {
  for (let at = line.indexOf(": "); at >= 0; at = line.indexOf(": ", at + 1)) {
    const own = line.slice(0, at);
    const count = (pattern) => own.match(pattern)?.length ?? 0;
    if (count(/[({[]/g) === count(/[)}\]]/g)) return own;
  }
  return undefined;
}

/** The expressions of dice in an example of the language, or in command lines; those that are errors on purpose are none. */
function diceOf(kind, text) {
  const lines = text.split("\n");
  const found = kind === "odds"
    ? lines.filter((line) => !line.includes(": error:")).map(beforeColon)
    : lines.map((line) => /^(?:\$ )?oddsmith dist (?:'([^']+)'|"([^"]+)"|([^\s"'|>-][^\s"'|>]*))(?: +(?:--|#).*)?$/.exec(line)?.slice(1).find(Boolean));
  const dice = found.filter((own) => own !== undefined && /(^|[^a-z_])\d*d(\d|\{|F)/.test(own));
  return [...new Set(dice)].slice(0, MOST_DICE);
}

/** Text as the page's links have it: packed, and in base 64 for addresses. */
async function packed(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const plain = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return plain.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** What stands after `#` in the address of an example, or nothing. */
async function hashOf(kind, text) {
  if (kind === "toml") return isRuleset(text) ? `rules=${await packed(JSON.stringify({ rules: text, name: "example.toml" }))}` : null;
  const dice = diceOf(kind, text);
  return dice.length === 0 ? null : `${dice.map((own) => `dice=${encodeURIComponent(own)}`).join("&")}&mode=exactly`;
}

async function addLinks() {
  for (const block of document.querySelectorAll("main pre > code")) {
    const kind = /\blanguage-(toml|odds|sh|console)\b/.exec(block.className)?.[1];
    const hash = kind === undefined ? null : await hashOf(kind, block.textContent);
    if (hash === null) continue;
    const link = Object.assign(document.createElement("a"), { className: "try", textContent: "Try it", href: `${path_to_root}try/#${hash}` });
    block.parentElement.after(link);
  }
}

addLinks();
