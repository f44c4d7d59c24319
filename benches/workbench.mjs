// Times the workbench in Chromium: from a keystroke or a moved slider to the next frame after the answer is on the page,
// and the memory of the server over many edits. `scripts/test-workbench --time` runs it.

import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { FOLDER, close, find, open, serve, settled, visit } from "../tests/workbench/browser.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const SAMPLES = Number(process.env.SAMPLES ?? 200);
const EDITS = Number(process.env.EDITS ?? 10_000);
/** Milliseconds between keystrokes, as of a quick writer. */
const PAUSE = 200;
/** Milliseconds that a finger holds a key: a key that is let go is an event of its own, which Chromium draws another frame for. */
const HELD = 80;

/**
 * From the next event of this kind to the frame after the panels (or what the selector finds) have an answer that is newer.
 * What stands for new is that a panel has drawn once more and is fresh, since an event comes before the question.
 */
function arm(page, event, { panels = [], appears = "", goes = "" }) {
  return page.evaluate(([event, panels, appears, goes]) => {
    // What the editor shows is in a tree of its own.
    const editor = document.getElementById("editor").shadowRoot;
    window.measured = new Promise((resolve) => {
      addEventListener(event, ({ timeStamp }) => {
        const waiting = new Set(panels);
        let changed = null;
        const observer = new MutationObserver((changes) => {
          for (const { target } of changes) {
            const panel = (target.nodeType === 1 ? target : target.parentElement)?.closest("[data-panel]");
            if (panel?.dataset.state === "fresh") waiting.delete(panel.dataset.panel);
          }
          const isThere = (appears === "" || editor.querySelector(appears)) && (goes === "" || !editor.querySelector(goes));
          if (waiting.size > 0 || !isThere || changed !== null) return;
          changed = performance.now() - timeStamp;
          observer.disconnect();
          requestAnimationFrame(() => setTimeout(() => resolve([changed, performance.now() - timeStamp]), 0));
        });
        for (const tree of [document.body, editor]) {
          observer.observe(tree, { subtree: true, childList: true, attributes: true, characterData: true });
        }
      }, { once: true, capture: true });
    });
  }, [event, panels, appears, goes]);
}

const quantile = (times, share) => [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))];
const ms = (time) => `${time.toFixed(1)} ms`;

/**
 * Acts many times, each time after the page was made ready and has come to rest, and says how long it takes until the page
 * has changed, and until the frame after that is there.
 */
async function time(page, name, event, until, act, ready = () => {}) {
  const changed = [], framed = [];
  for (let at = 0; at < SAMPLES; at++) {
    await ready();
    await page.waitForTimeout(PAUSE);
    await arm(page, event, until(at));
    await act(at);
    const [first, second] = await page.evaluate(() => window.measured);
    if (at >= 10) changed.push(first), framed.push(second); // the first ones warm up
  }
  console.log(`| ${name} | ${ms(quantile(changed, 0.5))} | ${ms(quantile(changed, 0.95))} | ${ms(quantile(framed, 0.95))} |`);
}

/** Milliseconds from the address to odds on the page, of some times. */
async function loads(page) {
  await page.addInitScript(() => addEventListener("DOMContentLoaded", () => {
    const observer = new MutationObserver(() => {
      if (document.querySelector('[data-panel="glance"]')?.dataset.state !== "fresh") return;
      window.usable = performance.now();
      observer.disconnect();
    });
    observer.observe(document.body, { subtree: true, childList: true, attributes: true });
  }));
  const times = [];
  for (let at = 0; at < 11; at++) {
    await page.reload();
    await settled(page, "glance");
    times.push(await page.evaluate(() => window.usable));
  }
  return times;
}

/** The memory of a server over many edits. */
async function edits(page, begin, edit, pid) {
  const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;
  await begin();
  const sizes = [memory()];
  for (let at = 0; at < EDITS; at++) {
    await edit(at);
    if ((at + 1) % (EDITS / 10) === 0) sizes.push(memory());
  }
  console.log(`memory of the server over ${EDITS} edits, MB: ${sizes.map((size) => size.toFixed(0)).join(" ")}`);
}

async function main() {
  await open();
  const name = "stars-and-signs.toml";
  const begun = performance.now();
  const server = await serve({ rules: { name, text: readFileSync(join(root, "rulesets", name), "utf8") } });
  const served = performance.now() - begun;
  const page = await visit(server);
  console.log(`its address after ${ms(served)}, and odds on the page ${ms(quantile(await loads(page), 0.5))} after that is opened, in a browser that runs`);

  console.log("\n| | page changed, median | page changed, p95 | next frame, p95 |\n|---|---|---|---|");
  // The middle threshold, [10, 15, 20], goes to 16 and back; its last digit is selected before each keystroke.
  await find(page, "[10, 15");
  await page.keyboard.press("ArrowRight");
  const select = () => page.keyboard.press("Shift+ArrowLeft");
  const edit = (at) => page.keyboard.press(at % 2 ? "5" : "6", { delay: HELD });
  await time(page, "keystroke to odds", "keydown", () => ({ panels: ["glance"] }), edit, select);
  await page.getByRole("tab", { name: /^Table/ }).click();
  await settled(page, "table");
  for (const name of ["ability_rank", "skill_rank", "circ_boons", "ability_boons", "state"]) {
    const box = page.locator(`[data-panel="table"] .picker input[value="${name}"]`);
    if (await box.count()) await box.check();
  }
  await settled(page, "table");
  const rows = await page.locator('[data-panel="table"] .quiet').first().textContent();
  const again = async () => { await find(page, "[10, 15"); await page.keyboard.press("ArrowRight"); };
  await again();
  await time(page, `keystroke to odds and table (${rows})`, "keydown", () => ({ panels: ["glance", "table"] }), edit, select);
  const slide = (at) => page.locator('[data-name="adv_invokes"] input[type="range"], [data-name="asset_quality"] input[type="range"]').first()
    .evaluate((slider, value) => { slider.value = value; slider.dispatchEvent(new Event("input", { bubbles: true })); }, at % 2);
  await page.getByRole("tab", { name: /^Chart/ }).click();
  await settled(page, "chart");
  await again();
  await time(page, "keystroke to odds and chart", "keydown", () => ({ panels: ["glance", "chart"] }), edit, select);
  await time(page, "slider to odds and chart", "input", () => ({ panels: ["glance", "chart"] }), slide);
  await find(page, "net_then_cap then capped");
  await page.keyboard.press("ArrowLeft");
  await time(page, "keystroke to diagnostics", "keydown",
    (at) => (at % 2 ? { goes: ".cm-lintRange-error" } : { appears: ".cm-lintRange-error" }),
    (at) => page.keyboard.press(at % 2 ? "Backspace" : "x", { delay: HELD }));

  const assets = FOLDER || join(root, "crates/serve/assets");
  const bytes = readdirSync(assets).reduce((sum, file) => sum + gzipSync(readFileSync(join(assets, file)), { level: 9 }).length, 0);
  console.log(`\nthe page's files, compressed: ${(bytes / 1000).toFixed(0)} kB`);

  const editAgain = async (at) => { await select(); await edit(at); };
  if (FOLDER === "") await edits(page, again, editAgain, server.pid);
  server.stop();
  await page.context().close();
  await close();
}

await main();
