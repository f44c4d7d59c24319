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

/** What an explorer shows: its rows as lists of cells without bars, its fractions by name, its note, its command. */
export function explorer(page, id) {
  return section(page, id).evaluate((node) => {
    const rows = [...node.querySelectorAll('[data-panel="odds"] tbody tr')];
    const cells = (row) => [...row.cells].filter((cell) => !cell.matches(".wide-bar")).map((cell) => cell.textContent);
    return {
      rows: rows.map(cells),
      fractions: Object.fromEntries(rows.map((row) => [row.cells[0].textContent, row.querySelector("td.fraction").textContent])),
      note: node.querySelector('[data-panel="glance"] .note:not([hidden])')?.textContent ?? null,
      names: [...node.querySelectorAll(".config code")].map((name) => name.textContent),
      command: node.querySelector(".command code").textContent,
    };
  });
}

/** Waits until the address says what the explorers show. */
export async function settle(page) {
  await page.waitForTimeout(350);
}

/** How long a download may take to begin; on a machine with four times too much to do it took under two seconds. */
const PATIENCE = 10_000;

/** The download that begins when something is clicked; none if it does not begin. */
async function download(page, locator) {
  const begun = page.waitForEvent("download", { timeout: PATIENCE + 30_000 });
  begun.catch(() => {}); // A click that fails says more.
  await locator.click();
  return Promise.race([begun, page.waitForTimeout(PATIENCE).then(() => null)]);
}

/**
 * What is saved when something is clicked.
 *
 * A run of the tests met a click after which Chromium began no download, and why is not known. Such a click is said, and
 * made again on the page as it is when it is opened, so that a button whose first click does nothing still fails.
 */
export async function saved(page, locator) {
  let file = await download(page, locator);
  if (file === null) {
    console.error(`${locator}: no download began after a click`);
    await page.reload();
    file = await download(page, locator);
  }
  if (file === null) throw new Error(`${locator}: no download began after a click, twice`);
  const chunks = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk);
  return { name: file.suggestedFilename(), text: Buffer.concat(chunks).toString("utf8") };
}
