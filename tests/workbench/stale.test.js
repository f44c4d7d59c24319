// The answer on screen always belongs to the text on screen, however late and in whatever order answers come.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { RULES, bench, close, expected, find, glance, open, settled, slide } from "./browser.js";

const SEED = 20_260_101;
const STEPS = 60;

before(open);
after(close);

/** Numbers from 0 up to a bound, the same in every run (mulberry32). */
function random(seed) {
  return (bound) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % bound;
  };
}

/** Writes down in every frame what is on screen: the line that is edited, the slider, the bands and their state. */
function watch(page) {
  return page.evaluate(() => {
    window.frames_ = [];
    const look = () => {
      const lines = [...document.querySelector("#editor").shadowRoot.querySelectorAll(".cm-line")];
      const node = document.querySelector('[data-panel="glance"]');
      window.frames_.push({
        line: lines.map((own) => own.textContent).find((text) => text.startsWith("targets")),
        bonus: document.querySelector('[data-name="bonus"] input[type="text"]').value,
        state: node.dataset.state,
        isDimmed: Number(getComputedStyle(node.querySelector(".answer")).opacity) < 1,
        bands: Object.fromEntries([...node.querySelectorAll(".side.now .segment")].map(({ title }) => title.split(": "))),
      });
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

test("no frame shows an answer of another text or another setting as if it were fresh", () => {
  const pick = random(SEED);
  return bench(test, { delay: () => pick(90) }, async (page) => {
    await watch(page);
    for (let step = 0; step < STEPS; step += 1) {
      if (pick(3) === 0) await slide(page, "bonus", [pick(16) - 5, pick(16) - 5]);
      else {
        await find(page, /targets = \{ default = \[\d+, (\d+)/.exec(await line(page))[1] + "], domain");
        await page.keyboard.type(`${9 + pick(9)}], domain`);
      }
      await page.waitForTimeout(pick(60));
    }
    await settled(page, "glance");
    const frames = await page.evaluate(() => window.frames_);
    let fresh = 0;
    for (const { line: own, bonus, state, bands } of frames) {
      if (state !== "fresh" || own === undefined) continue;
      const wanted = expected(RULES.replace(/^targets.*$/m, own), [`bonus=${bonus.replace("−", "-")}`]);
      assert.deepEqual(bands, wanted, `${own} with a bonus of ${bonus}`);
      fresh += 1;
    }
    assert.ok(fresh > 50, `${fresh} of ${frames.length} frames had a fresh answer`);
  });
});

const line = (page) => page.locator("#editor .cm-line", { hasText: "targets =" }).first().textContent();

test("an answer of a text that is gone is dropped, also if the server does not cancel it", () =>
  bench(test, { needsMock: true, isDeaf: true, delay: (method) => (method === "oddsmith/odds" ? 1500 : 0) }, async (page) => {
    await watch(page);
    // Two whole texts, each by one edit, the second one before the first one is answered.
    await find(page, "[7, 10]");
    await page.keyboard.insertText("[7, 12]");
    await page.waitForTimeout(100);
    await find(page, "[7, 12]");
    await page.keyboard.insertText("[7, 14]");
    await settled(page, "glance");
    const frames = await page.evaluate(() => window.frames_);
    assert.ok(frames.some(({ state, isDimmed }) => state === "old" && isDimmed), "the answer before was dimmed while it was old");
    const between = JSON.stringify(expected(RULES.replace("[7, 10]", "[7, 12]")));
    assert.ok(frames.some(({ line: own }) => own?.includes("[7, 12]")), "the text between was on screen");
    assert.ok(!frames.some(({ bands }) => JSON.stringify(bands) === between), "its answer was not");
    assert.deepEqual(await glance(page), expected(RULES.replace("[7, 10]", "[7, 14]")));
  }));

test("a slider that is dragged asks one question at a time, and the last value wins", () =>
  bench(test, { needsMock: true, delay: (method) => (method === "oddsmith/odds" ? 40 : 0) }, async (page, server) => {
    server.asked.length = 0;
    await page.locator('[data-name="bonus"] input[type="range"]').evaluate(async (slider) => {
      for (let value = -5; value <= 10; value += 1) {
        slider.value = value;
        slider.dispatchEvent(new Event("input"));
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      slider.dispatchEvent(new Event("change"));
    });
    await settled(page, "glance");
    assert.deepEqual(await glance(page), expected(RULES, ["bonus=10"]));
    const odds = server.asked.filter(({ method }) => method === "oddsmith/odds");
    // The glance and the tab of odds ask, each one question at a time: a third one has to wait for an answer.
    assert.ok(odds.length >= 4, `${odds.length} questions`);
    odds.slice(2).forEach(({ at }, place) => assert.ok(at - odds[place].at > 35, `three questions within ${at - odds[place].at} ms`));
  }));

test("an overtaken question is cancelled", () =>
  bench(test, { needsMock: true, delay: (method) => (method === "oddsmith/odds" ? 700 : 0) }, async (page, server) => {
    const cancelled = new Set();
    const [session] = server.sessions;
    const notified = session.notified.bind(session);
    session.notified = (method, params) => { if (method === "$/cancelRequest") cancelled.add(params.id); notified(method, params); };
    await slide(page, "bonus", [3]);
    await page.waitForTimeout(50);
    await slide(page, "bonus", [5]);
    await settled(page, "glance");
    assert.deepEqual(await glance(page), expected(RULES, ["bonus=5"]));
    assert.ok(cancelled.size >= 1, "something was cancelled");
  }));
