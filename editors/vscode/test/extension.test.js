// The extension with a VS Code that only notes what it is asked for, and the true program if $ODDSMITH names it.

const assert = require("node:assert/strict");
const { mkdtempSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { test } = require("node:test");

const manifest = require("../package.json");

/** What the extension asked of the editor. */
function editor({ path = process.env.ODDSMITH, file = null } = {}) {
  const asked = { commands: {}, shown: [], errors: [], clients: [] };
  const vscode = {
    workspace: {
      getConfiguration: () => ({ get: (_, otherwise) => path ?? otherwise }),
      onDidChangeConfiguration: () => ({ dispose() {} }),
    },
    window: {
      get activeTextEditor() { return file === null ? undefined : { document: { uri: { scheme: "file", fsPath: file } } }; },
      showErrorMessage: async (text) => void asked.errors.push(text),
      showInformationMessage: async (text) => void asked.errors.push(text),
    },
    commands: {
      registerCommand: (name, act) => { asked.commands[name] = act; return { dispose() {} }; },
      executeCommand: async (...words) => void asked.shown.push(words),
    },
  };
  class LanguageClient {
    constructor(...words) { asked.clients.push(words); }
    async start() { if (asked.refusal) throw asked.refusal; }
    async stop() {}
  }
  const load = Module._load;
  Module._load = (name, ...rest) => ({ vscode, "vscode-languageclient/node": { LanguageClient } })[name] ?? load(name, ...rest);
  const at = require.resolve("../src/extension.js");
  delete require.cache[at];
  const extension = require(at);
  Module._load = load;
  return { asked, extension };
}

test("the server is started on rulesets, and every command that is offered is there", async () => {
  const { asked, extension } = editor({ path: "/opt/oddsmith" });
  await extension.activate({ subscriptions: [] });
  const [, , server, client] = asked.clients[0];
  assert.deepEqual(server, { command: "/opt/oddsmith", args: ["lsp"] });
  assert.deepEqual(client.documentSelector.map(({ language }) => language), ["oddsmith", "oddsmith"]);
  assert.deepEqual(Object.keys(asked.commands).sort(), manifest.contributes.commands.map(({ command }) => command).sort());
  await extension.deactivate();
});

test("a program that is not there is told of", async () => {
  const { asked, extension } = editor({ path: "/no/such/oddsmith" });
  asked.refusal = new Error("ENOENT");
  await extension.activate({ subscriptions: [] });
  assert.match(asked.errors[0], /`\/no\/such\/oddsmith` can't be started: ENOENT/);
  await extension.deactivate();
});

test("the workbench needs a file, and says why it can't be started", async () => {
  const none = editor();
  await none.extension.activate({ subscriptions: [] });
  await none.asked.commands["oddsmith.workbench"]();
  assert.match(none.asked.errors[0], /save this one first/);
  const gone = editor({ path: "/no/such/oddsmith", file: "/tmp/a.toml" });
  await gone.extension.activate({ subscriptions: [] });
  await gone.asked.commands["oddsmith.workbench"]();
  assert.match(gone.asked.errors[0], /can't be started: .*ENOENT/);
});

test("the workbench of the program is shown once, and ends with the extension", { skip: process.env.ODDSMITH === undefined && "$ODDSMITH names no program" }, async () => {
  const file = join(mkdtempSync(join(tmpdir(), "vscode-")), "coins.toml");
  writeFileSync(file, "name = 'Coins'\n[checks.toss]\nrules = 'show heads = 1d2 == 2'\n");
  const { asked, extension } = editor({ file });
  await extension.activate({ subscriptions: [] });
  await asked.commands["oddsmith.workbench"]();
  await asked.commands["oddsmith.workbench"]();
  const [[command, address], [, again]] = asked.shown;
  assert.equal(command, "simpleBrowser.show");
  assert.equal(again, address);
  assert.equal((await fetch(address)).status, 200);
  await extension.deactivate();
  await assert.rejects(async () => { for (;;) await fetch(address); });
});
