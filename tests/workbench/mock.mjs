// A server that speaks the workbench's protocol about one small game, to test the page without the program.
//
//   node tests/workbench/mock.mjs [PORT]

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { answer, dice, isQuestion } from "./mock/answers.mjs";
import { CAPABILITIES, diagnostics, feature, isFeature } from "./mock/language.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const { WebSocketServer } = createRequire(process.env.MODULES ? join(process.env.MODULES, "/") : import.meta.url)("ws");

const ASSETS = join(here, "../../crates/serve/assets");
const TYPES = { "index.html": "text/html; charset=utf-8", "page.js": "text/javascript; charset=utf-8", "page.css": "text/css; charset=utf-8" };
export const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const TOKEN = "token";

export const RULES = readFileSync(join(here, "skirmish.toml"), "utf8");
const URI = "file:///games/skirmish.toml";

const digest = (text) => createHash("sha256").update(text).digest("hex");
const refuse = (code, message, data) => Object.assign(new Error(message), { code, data });

/** A position of LSP as an offset. */
function offset(text, { line, character }) {
  let start = 0;
  for (let at = 0; at < line; at += 1) start = text.indexOf("\n", start) + 1;
  return start + character;
}

class Session {
  documents = new Map();
  pins = new Map();
  cancelled = new Set();

  constructor(mock, socket) {
    Object.assign(this, { mock, socket });
    socket.on("message", (data) => this.receive(JSON.parse(data)));
  }

  send(message) {
    if (this.socket.readyState === 1) this.socket.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }

  async receive({ id, method, params }) {
    if (id === undefined) return this.notified(method, params);
    this.mock.asked.push({ method, params, at: performance.now() });
    // The text is read when the question comes, and held against the version again when it is answered.
    let result;
    let error;
    try {
      const text = this.text(params.textDocument);
      result = this.answer(method, params, text);
    } catch (own) {
      error = own;
    }
    const wait = this.mock.delay(method);
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    if (this.cancelled.delete(id)) error = refuse(-32800, "cancelled");
    if (error === undefined) return this.send({ id, result });
    this.send({ id, error: { code: error.code ?? -32603, message: error.message, data: error.data } });
  }

  /** The text of the version that is asked about. */
  text(document) {
    if (document?.version === undefined) return this.documents.get(document?.uri)?.text;
    const own = this.documents.get(document.uri);
    if (own?.version !== document.version) throw refuse(-32801, "the text changed meanwhile");
    return own.text;
  }

  answer(method, params, text) {
    const { mock } = this;
    const own = mock.instead(method, params, text);
    if (own !== undefined) return own;
    if (isQuestion(method)) {
      const pinned = params.against === undefined ? undefined : this.pins.get(params.against);
      return { version: params.textDocument.version, ...answer(method, text, params, pinned) };
    }
    if (isFeature(method)) return feature(method, text, params);
    switch (method) {
      case "initialize": return { capabilities: CAPABILITIES };
      case "oddsmith/dice": return dice(params);
      case "oddsmith/known": return { games: [{ name: "duel", title: "Duel", help: "The same game by another name", text: RULES.replace("Skirmish", "Duel") }] };
      case "oddsmith/files": return { files: mock.files, takesNew: mock.takesNew };
      case "oddsmith/create": return this.create(params);
      case "oddsmith/open": return { uri: URI, text: mock.disk, version: 0, digest: digest(mock.disk) };
      case "oddsmith/save": return this.save(params);
      case "oddsmith/pin": return this.pin(params.source, text);
      case "oddsmith/command": return { command: ["oddsmith", params.question.kind, "skirmish.toml", ...(params.question.settings ?? []).map((own) => `--set '${own}'`)].join(" ") };
      default: throw refuse(-32601, `unknown method ${method}`);
    }
  }

  pin(source, text) {
    const id = this.pins.size;
    const [own, label] = { text: [text, `pin ${id + 1}`], file: [this.mock.disk, "the file"], head: [RULES, "git HEAD"] }[source];
    this.pins.set(id, own);
    return { id, label };
  }

  save({ text, digest: known }) {
    const { mock } = this;
    if (known !== digest(mock.disk)) throw refuse(-32010, "changed on disk", { text: mock.disk, digest: digest(mock.disk) });
    mock.disk = text;
    return { digest: digest(text) };
  }

  create({ name, text }) {
    if (this.mock.created(name) !== undefined) throw refuse(-32003, `there is a file \`served:/${name}\` already`, { problems: [{ help: "choose another name, or open that file" }] });
    this.mock.create(name, text);
    return { uri: `served:/${name}`, text, version: 0, digest: digest(text) };
  }

  notified(method, params) {
    if (method === "$/cancelRequest" && !this.mock.isDeaf) this.cancelled.add(params.id);
    if (method === "textDocument/didClose") this.documents.delete(params.textDocument.uri);
    if (method === "textDocument/didOpen") this.documents.set(params.textDocument.uri, { ...params.textDocument });
    if (method === "textDocument/didChange") {
      const own = this.documents.get(params.textDocument.uri);
      // An edit between the connection and the document is part of that one's text.
      if (own === undefined) return;
      for (const { range, text } of params.contentChanges) {
        own.text = own.text.slice(0, offset(own.text, range.start)) + text + own.text.slice(offset(own.text, range.end));
      }
      own.version = params.textDocument.version;
    }
    if (/did(Open|Change)$/.test(method)) this.publish(params.textDocument.uri);
  }

  publish(uri) {
    const { text, version } = this.documents.get(uri);
    this.send({ method: "textDocument/publishDiagnostics", params: { uri, version, diagnostics: diagnostics(text) } });
  }
}

/**
 * Starts a server; `delay(method)` says how many milliseconds an answer waits, `instead(method, params, text)` may give
 * an answer in place of the mock's own. One that is deaf cancels nothing.
 */
export async function start({ port = 0, delay = () => 0, instead = () => undefined, isDeaf = false, takesNew = false, files = takesNew ? [] : [{ uri: URI, name: "skirmish.toml", recent: true }] } = {}) {
  const mock = { asked: [], sessions: [], disk: RULES, delay, instead, isDeaf, files, takesNew };
  const created = new Map([["taken.toml", RULES]]);
  mock.created = (name) => created.get(name);
  mock.create = (name, text) => created.set(name, text);
  const http = createServer((request, response) => {
    const name = request.url.replace(`/${TOKEN}/`, "") || "index.html";
    if (!request.url.startsWith(`/${TOKEN}/`) || TYPES[name] === undefined) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[name], "content-security-policy": POLICY, "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" });
    response.end(readFileSync(join(ASSETS, name)));
  });
  const sockets = new WebSocketServer({ server: http, path: `/${TOKEN}/socket` });
  sockets.on("connection", (socket) => mock.sessions.push(new Session(mock, socket)));
  await new Promise((resolve) => http.listen(port, "127.0.0.1", resolve));
  mock.address = `http://127.0.0.1:${http.address().port}/${TOKEN}/`;
  /** Another program changes the file. */
  mock.changeDisk = (text) => {
    mock.disk = text;
    for (const session of mock.sessions) session.send({ method: "oddsmith/fileChanged", params: { uri: URI, text, digest: digest(text) } });
  };
  mock.stop = () => {
    for (const { socket } of mock.sessions) socket.terminate();
    sockets.close();
    http.close();
  };
  return mock;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log((await start({ port: Number(process.argv[2] ?? 0) })).address);
}
