// Times the workbench in Chromium: from a keystroke or a moved slider to the next frame after the answer is on the page,
// and the memory of the server over many edits. `scripts/test-workbench --time` runs it.

import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { FOLDER, close, find, open, serve, settled, visit } from "../tests/workbench/browser.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const SAMPLES = 200;
const EDITS = Number(process.env.EDITS ?? 10_000);

/**
 * From the next event of this kind to the frame after the panels (or what the selector finds) have an answer that is newer.
 * What stands for new is that a panel has drawn once more and is fresh, since an event comes before the question.
 */
function arm(page, event, { panels = [], appears = "", goes = "" }) {
  return page.evaluate(([event, panels, appears, goes]) => {
    window.measured = new Promise((resolve) => {
      addEventListener(event, ({ timeStamp }) => {
        const waiting = new Set(panels);
        let changed = null;
        const observer = new MutationObserver((changes) => {
          for (const { target } of changes) {
            const panel = (target.nodeType === 1 ? target : target.parentElement)?.closest("[data-panel]");
            if (panel?.dataset.state === "fresh") waiting.delete(panel.dataset.panel);
          }
          const isThere = (appears === "" || document.querySelector(appears)) && (goes === "" || !document.querySelector(goes));
          if (waiting.size > 0 || !isThere || changed !== null) return;
          changed = performance.now() - timeStamp;
          observer.disconnect();
          requestAnimationFrame(() => setTimeout(() => resolve([changed, performance.now() - timeStamp]), 0));
        });
        observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
      }, { once: true, capture: true });
    });
  }, [event, panels, appears, goes]);
}

const quantile = (times, share) => [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))];
const ms = (time) => `${time.toFixed(1)} ms`;

/** Acts many times, and says how long it takes until the page has changed, and until the frame after that is there. */
async function time(page, name, event, until, act) {
  const changed = [], framed = [];
  for (let at = 0; at < SAMPLES; at++) {
    await arm(page, event, until(at));
    await act(at);
    const [first, second] = await page.evaluate(() => window.measured);
    if (at >= 10) changed.push(first), framed.push(second); // the first ones warm up
    await page.waitForTimeout(20);
  }
  console.log(`| ${name} | ${ms(quantile(changed, 0.5))} | ${ms(quantile(changed, 0.95))} | ${ms(quantile(framed, 0.95))} |`);
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
  const served = performance.now();
  const page = await visit(server);
  await settled(page, "glance");
  console.log(`its address after ${ms(served - begun)}, a page with odds ${ms(performance.now() - served)} after that, in a browser that is open`);

  console.log("\n| | page changed, median | page changed, p95 | next frame, p95 |\n|---|---|---|---|");
  // The middle threshold, [10, 15, 20], goes to 16 and back; its last digit is selected before each keystroke.
  await find(page, "[10, 15");
  await page.keyboard.press("ArrowRight");
  const select = () => page.keyboard.press("Shift+ArrowLeft");
  const edit = async (at) => { await page.keyboard.press(at % 2 ? "5" : "6"); await select(); };
  await select();
  await time(page, "keystroke to odds", "keydown", () => ({ panels: ["glance"] }), edit);
  await page.getByRole("tab", { name: /^Table/ }).click();
  await settled(page, "table");
  for (const name of ["circ_boons", "ability_rank", "skill_rank", "effort"]) {
    const box = page.locator(`[data-panel="table"] .picker input[value="${name}"]`);
    if (await box.count()) await box.check();
  }
  await settled(page, "table");
  const rows = await page.locator('[data-panel="table"] .quiet').first().textContent();
  const again = async () => { await find(page, "[10, 15"); await page.keyboard.press("ArrowRight"); await select(); };
  await again();
  await time(page, `keystroke to odds and table (${rows})`, "keydown", () => ({ panels: ["glance", "table"] }), edit);
  const slide = (at) => page.locator('[data-name="adv_invokes"] input[type="range"], [data-name="asset_quality"] input[type="range"]').first()
    .evaluate((slider, value) => { slider.value = value; slider.dispatchEvent(new Event("input", { bubbles: true })); }, at % 2);
  await page.getByRole("tab", { name: /^Chart/ }).click();
  await settled(page, "chart");
  await again();
  await time(page, "keystroke to odds and chart", "keydown", () => ({ panels: ["glance", "chart"] }), edit);
  await time(page, "slider to odds and chart", "input", () => ({ panels: ["glance", "chart"] }), slide);
  await find(page, "net_then_cap then capped");
  await page.keyboard.press("ArrowLeft");
  await time(page, "keystroke to diagnostics", "keydown",
    (at) => (at % 2 ? { goes: "#editor .cm-lintRange-error" } : { appears: "#editor .cm-lintRange-error" }),
    (at) => page.keyboard.press(at % 2 ? "Backspace" : "x"));

  const assets = FOLDER || join(root, "crates/serve/assets");
  const bytes = readdirSync(assets).reduce((sum, file) => sum + gzipSync(readFileSync(join(assets, file)), { level: 9 }).length, 0);
  console.log(`\nthe page's files, compressed: ${(bytes / 1000).toFixed(0)} kB`);

  if (FOLDER === "") await edits(page, again, edit, server.pid);
  server.stop();
  await page.context().close();
  await close();
}

await main();
