// The extension: starts the language server, and the workbench beside a file.

const { spawn } = require("node:child_process");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const SELECTOR = [{ language: "oddsmith", scheme: "file" }, { language: "oddsmith", scheme: "untitled" }];

let client = null;
/** The workbench of each file that has one, with its address. */
const workbenches = new Map();

const program = () => vscode.workspace.getConfiguration("oddsmith").get("path", "oddsmith");

async function start() {
  const command = program();
  client = new LanguageClient("oddsmith", "Oddsmith", { command, args: ["lsp"] }, { documentSelector: SELECTOR });
  try {
    await client.start();
  } catch (error) {
    const set = "Say where it is";
    const chosen = await vscode.window.showErrorMessage(`\`${command}\` can't be started: ${error.message}`, set);
    if (chosen === set) await vscode.commands.executeCommand("workbench.action.openSettings", "oddsmith.path");
  }
}

async function stop() {
  const own = client;
  client = null;
  // One that never started can't be stopped.
  await own?.stop().catch(() => undefined);
}

/** Starts the workbench on a file; a promise of its address, which it prints as its first line. */
function serve(path) {
  return new Promise((resolve, reject) => {
    const child = spawn(program(), ["serve", path, "--no-open"], { stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    let why = "";
    child.stdout.on("data", (data) => {
      said += data;
      const address = /^(http:\/\/\S+)\n/.exec(said);
      if (address) resolve({ child, address: address[1] });
    });
    child.stderr.on("data", (data) => (why += data));
    child.on("error", reject);
    child.on("exit", (code) => {
      workbenches.delete(path);
      reject(new Error(why.trim() || `it ended with ${code}`));
    });
  });
}

/** Shows the workbench on the file of the editor: it follows the file as it is saved. */
async function openWorkbench() {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.uri.scheme !== "file") {
    return void vscode.window.showInformationMessage("The workbench is opened on a file: save this one first.");
  }
  const { fsPath: path } = document.uri;
  if (!workbenches.has(path)) workbenches.set(path, serve(path));
  try {
    const { address } = await workbenches.get(path);
    await vscode.commands.executeCommand("simpleBrowser.show", address);
  } catch (error) {
    workbenches.delete(path);
    void vscode.window.showErrorMessage(`The workbench can't be started: ${error.message}`);
  }
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("oddsmith.workbench", openWorkbench),
    vscode.commands.registerCommand("oddsmith.restart", async () => { await stop(); await start(); }),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration("oddsmith.path")) { await stop(); await start(); }
    }),
  );
  await start();
}

async function deactivate() {
  for (const workbench of workbenches.values()) (await workbench.catch(() => null))?.child.kill();
  await stop();
}

module.exports = { activate, deactivate };
