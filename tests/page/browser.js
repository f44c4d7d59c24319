// The browser, and the page as a reader uses it.

import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { chromium } = createRequire(join(process.env.MODULES, "/"))("playwright-core");

export const address = pathToFileURL(join(process.env.REPORT, "index.html")).href;

/** Nothing that would call home. */
const QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

let browser;

export async function open() {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: QUIET });
}

export async function close() {
  await browser.close();
}

/** A page with what it complained about and what it asked for. */
export async function visit(hash = "", options = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.complaints = [];
  page.requests = [];
  page.on("console", (message) => page.complaints.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => page.complaints.push(error.message));
  page.on("request", (request) => page.requests.push(request.url()));
  await page.goto(address + hash);
  return page;
}

/** The checks of the page, as its data has them. */
export function checks(page) {
  return page.$$eval("script.data", (scripts) => scripts.map((script) => {
    const { id, command, file, axes, columns } = JSON.parse(script.textContent);
    return { id, command, file, axes: axes.map((axis) => ({ ...axis, values: axis.numbers ?? axis.labels })), columns };
  }));
}

export const section = (page, id) => page.locator(`[id="${id}"]`);

/** What an explorer shows: its rows as lists of cells, its note, its command. */
export function explorer(page, id) {
  return section(page, id).evaluate((node) => ({
    rows: [...node.querySelectorAll(".answers tbody tr")].map((row) => [...row.cells].map((cell) => cell.textContent)),
    heads: [...node.querySelectorAll(".answers thead tr:last-child th")].map((cell) => cell.textContent),
    note: node.querySelector(".note")?.textContent ?? null,
    names: [...node.querySelectorAll(".name code")].map((name) => name.textContent),
    command: node.querySelector(".command code").textContent,
  }));
}

/** Waits until the address says what the explorers show. */
export async function settle(page) {
  await page.waitForTimeout(350);
}

/** How long a download may take to begin; on a machine with four times too much to do it took under two seconds. */
const PATIENCE = 10_000;

/**
 * What is saved when something is clicked.
 *
 * Once in some thousands of clicks Chromium began no download, and why is not known: such a click is repeated once, and
 * said. A button that needs two clicks is a fault all the same, so a page may lose one click in all.
 */
export async function saved(page, locator) {
  const start = () => Promise.all([page.waitForEvent("download", { timeout: PATIENCE }), locator.click()]);
  const [download] = await start().catch((error) => {
    if (error.name !== "TimeoutError" || page.lost !== undefined) throw error;
    page.lost = `${locator}: no download began after a click`;
    console.error(page.lost);
    return start();
  });
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  return { name: download.suggestedFilename(), text: Buffer.concat(chunks).toString("utf8") };
}
