// The grammar, by the engine that VS Code has.

const assert = require("node:assert/strict");
const { readFileSync } = require("node:fs");
const { dirname, join } = require("node:path");
const { test } = require("node:test");
const oniguruma = require("vscode-oniguruma");
const { INITIAL, Registry, parseRawGrammar } = require("vscode-textmate");

const here = join(__dirname, "..");

async function grammar() {
  const wasm = readFileSync(join(dirname(require.resolve("vscode-oniguruma")), "onig.wasm"));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  const onigLib = Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  });
  const path = join(here, "oddsmith.tmLanguage.json");
  const registry = new Registry({ onigLib, loadGrammar: async () => parseRawGrammar(readFileSync(path, "utf8"), path) });
  return registry.loadGrammar("source.oddsmith");
}

/** The scope of each word of a text, the innermost one: `{ let: "keyword.control.oddsmith" }`. */
function scopes(own, text) {
  const found = {};
  let stack = INITIAL;
  for (const line of text.split("\n")) {
    const { tokens, ruleStack } = own.tokenizeLine(line, stack);
    for (const { startIndex, endIndex, scopes: of } of tokens) {
      const word = line.slice(startIndex, endIndex).trim();
      if (word !== "") found[word] ??= of.at(-1);
    }
    stack = ruleStack;
  }
  return found;
}

const RULES = `# a comment
name = "Lantern"
[checks.look]
bands = ["Dark", 'Clear']
axes.skill = { default = 12, domain = "0..=3" }
help = """
let it be text
"""
rules = '''
let raw = 4d6kh3 + capped(bonus)  # dice
show band = if raw > 11 then "Clear" else Dark
'''
after = true
`;

test("words of scripts and of TOML have their scopes", async () => {
  const found = scopes(await grammar(), RULES);
  const expected = {
    "# a comment": "comment.line.number-sign.oddsmith",
    "checks.look": "entity.name.section.oddsmith",
    bands: "variable.other.property.oddsmith",
    '"Dark"': "string.quoted.double.oddsmith",
    "'Clear'": "string.quoted.single.oddsmith",
    12: "constant.numeric.oddsmith",
    "let it be text": "string.quoted.triple.oddsmith",
    let: "keyword.control.oddsmith",
    "4d6": "constant.numeric.dice.oddsmith",
    capped: "entity.name.function.oddsmith",
    raw: "variable.other.oddsmith",
    "# dice": "comment.line.number-sign.oddsmith",
    '"Clear"': "string.quoted.double.oddsmith",
    true: "constant.language.boolean.oddsmith",
  };
  for (const [word, scope] of Object.entries(expected)) assert.equal(found[word], scope, word);
});
