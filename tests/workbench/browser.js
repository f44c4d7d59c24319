// The browser, the server, and the page as a reader uses it.

import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";

import { RULES, start } from "./mock.mjs";
import { attack, configure, read, siege } from "./mock/game.mjs";

const { chromium } = createRequire(join(process.env.MODULES, "/"))("playwright-core");
const here = dirname(fileURLToPath(import.meta.url));

/** Nothing that would call home. */
const QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

export const PROGRAM = process.env.ODDSMITH ?? "";
/** The folder of the page without a server, which is tested if it is given. */
export const FOLDER = process.env.WEB ?? "";
/** Of tests that save and watch files. */
export const NEEDS_FILES = { skip: FOLDER !== "" && "a page without a server has no files" };
/** Where pictures of the page go. */
export const OUT = process.env.OUT ?? "";

let browser;
/** Programs that run: one that a failed test leaves would keep this process from its end. */
const running = new Set();

export async function open() {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: QUIET });
}

export async function close() {
  for (const child of running) child.kill();
  await browser.close();
}

const SKIRMISH = { name: "skirmish.toml", text: readFileSync(join(here, "skirmish.toml"), "utf8") };

/** `oddsmith serve` on a copy of the rules, on a directory without them, or on nothing. */
async function startProgram({ files, takesNew, rules = SKIRMISH }) {
  const folder = mkdtempSync(join(tmpdir(), "workbench-"));
  const file = join(folder, rules.name);
  const served = takesNew ? [folder] : files?.length === 0 ? [] : [file];
  // A file that is alone would be opened at once.
  const names = takesNew ? ["taken.toml", "another.toml"] : [rules.name];
  for (const name of names) writeFileSync(join(folder, name), rules.text);
  const child = spawn(PROGRAM, ["serve", ...served, "--no-open", "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  running.add(child);
  const address = await new Promise((resolve, reject) => {
    let said = "";
    child.stdout.on("data", (data) => {
      said += data;
      const found = /http:\/\/[^\s]+\//.exec(said);
      if (found) resolve(found[0]);
    });
    child.on("exit", (code) => reject(new Error(`oddsmith serve ended with ${code}: ${said}`)));
  });
  return {
    address, isMock: false, pid: child.pid,
    created: (name) => readFileSync(join(folder, name), "utf8"),
    get disk() { return readFileSync(file, "utf8"); },
    changeDisk: (text) => writeFileSync(file, text),
    stop: () => { child.removeAllListeners("exit"); child.kill(); running.delete(child); rmSync(folder, { recursive: true }); },
  };
}

export const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

/** A host of files alone: the page without a server, whose address has the rules in it. */
async function startFolder({ files, takesNew, rules = SKIRMISH, folder = FOLDER }) {
  const server = createServer(({ url }, response) => {
    const name = basename(new URL(url, "http://host/").pathname) || "index.html";
    try {
      const bytes = readFileSync(join(folder, name));
      response.writeHead(200, { "Content-Type": TYPES[extname(name)] ?? "text/plain" }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const state = JSON.stringify({ rules: rules.text, name: rules.name });
  return {
    address: `http://127.0.0.1:${server.address().port}/`, isMock: false,
    hash: files?.length === 0 || takesNew ? "" : `#rules=${deflateRawSync(state).toString("base64url")}`,
    stop: () => { server.closeAllConnections(); server.close(); },
  };
}

/** A server: the folder, or the program, if there is one, else the mock with these options. */
export async function serve(options = {}) {
  if (FOLDER !== "" && !options.needsMock) return startFolder(options);
  if (PROGRAM !== "" && !options.needsMock) return startProgram(options);
  return Object.assign(await start(options), { isMock: true });
}

/** A page with what it complained about and what it asked for. */
export async function visit(server, { hash = "", ...options } = {}) {
  const own = hash || server.hash || "";
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, acceptDownloads: true, ...options });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  page.complaints = [];
  page.requests = [];
  page.on("console", (message) => page.complaints.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => page.complaints.push(error.stack));
  page.on("request", (request) => page.requests.push(request.url()));
  page.on("websocket", (socket) => page.requests.push(socket.url()));
  await page.goto(server.address + own);
  if (hash === "") await settled(page, "glance");
  return page;
}

export const panel = (page, id) => page.locator(`[data-panel="${id}"]`);

/** Waits until a panel has the answer to what is on screen. */
export async function settled(page, id) {
  await page.waitForSelector(`[data-panel="${id}"][data-state="fresh"]`, { state: "attached" });
}

/** What the bands at a glance say: `{ Miss: "27.78%" }`, of the version now or before. */
export function glance(page, side = "now") {
  return page.$$eval(`[data-panel="glance"] .side.${side} .segment`, (segments) =>
    Object.fromEntries(segments.map((segment) => segment.title.split(": "))));
}

/** A probability as the page writes it, by whole numbers alone. */
export function percent(weight, total) {
  const rounded = (20_000n * weight + total) / (2n * total);
  if (rounded === 0n && weight > 0n) return "<0.01%";
  if (rounded === 10_000n && weight < total) return ">99.99%";
  const digits = `${rounded}`.padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}%`;
}

/** What the bands are, worked out by the oracle. */
export function expected(text, settings = []) {
  const game = read(text);
  const { weights, total } = attack(game, configure(game, settings));
  return Object.fromEntries(Object.entries(weights).map(([name, weight]) => [name, percent(weight, total)]));
}

export { RULES, siege, read };

export const editor = (page) => page.locator("#editor .cm-content");

/** Selects a text of the rules with the editor's search. */
export async function find(page, text) {
  await editor(page).focus();
  await page.keyboard.press("Control+f");
  const field = page.locator("#editor .cm-search [name=search]");
  await field.fill(text);
  // The search begins when a key goes up or the field changes; filling does neither.
  await field.dispatchEvent("change");
  await field.press("Enter");
  await page.keyboard.press("Escape");
}

/** Replaces a text of the rules in one edit: a page that is quicker than keys would show what is halfway. */
export async function retype(page, old, own) {
  await find(page, old);
  await page.keyboard.insertText(own);
}

/** Moves a slider as a hand does: on the way, then at the end. */
export function slide(page, name, values) {
  return page.locator(`[data-name="${name}"] input[type="range"]`).evaluate((slider, values) => {
    for (const value of values) {
      slider.value = value;
      slider.dispatchEvent(new Event("input", { bubbles: true }));
    }
    slider.dispatchEvent(new Event("change", { bubbles: true }));
  }, values);
}

/** The text that a button copies, which takes a moment. */
export async function copied(page, name) {
  await page.evaluate(() => navigator.clipboard.writeText(""));
  await page.getByRole("button", { name }).click();
  for (;;) {
    const text = await page.evaluate(() => navigator.clipboard.readText());
    if (text !== "") return text;
    await page.waitForTimeout(20);
  }
}

/** The download that a click begins, as text or bytes. */
export async function saved(page, locator) {
  const [file] = await Promise.all([page.waitForEvent("download"), locator.click()]);
  const chunks = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk);
  return { name: file.suggestedFilename(), bytes: Buffer.concat(chunks) };
}

/** Tests share a browser; each has a server and a page of its own. */
export async function bench(test, options, act) {
  const server = await serve(options);
  let page;
  try {
    page = await visit(server, options);
    await act(page, server);
    if (page.complaints.length > 0) throw new Error(`the page complained: ${page.complaints.join("\n")}`);
  } finally {
    await page?.context().close();
    server.stop();
  }
}
