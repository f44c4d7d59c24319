// The page can be read by everyone: without network, in both modes, on a phone, on paper, by ear.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";

import * as browser from "./browser.js";

const DESKTOP = { width: 1280, height: 900 };

before(browser.open);
after(browser.close);

/** Keeps a picture of the page to be looked at. */
async function keep(page, name, fullPage = false) {
  await page.screenshot({ path: join(process.env.OUT, `${name}.png`), fullPage });
}

async function firstCheck(page) {
  const [check] = await browser.checks(page);
  return check;
}

test("it opens from a file without a complaint, and asks for nothing", async () => {
  const page = await browser.visit("", { viewport: DESKTOP });
  assert.deepEqual(page.requests.filter((url) => !url.startsWith("data:")), [browser.address]);
  assert.deepEqual(page.complaints, []);
  await keep(page, "desktop");
});

test("its policy keeps everything else out", async () => {
  const page = await browser.visit();
  const refused = await page.evaluate(() => fetch("http://127.0.0.1:9/").then(() => false, () => true));
  assert.ok(refused);
  assert.match(page.complaints.join("\n"), /Content Security Policy/);
});

test("every control has a name, every table a caption, and headings are in order", async () => {
  const page = await browser.visit();
  const faults = await page.evaluate(() => {
    const all = (selector) => [...document.querySelectorAll(selector)];
    const named = (node) => node.getAttribute("aria-label") ?? (node.labels?.[0]?.textContent || node.textContent.trim());
    const levels = all("h1, h2, h3, h4").map((node) => Number(node.tagName[1]));
    const ids = all("[id]").map((node) => node.id);
    return {
      unnamed: all("button, input, select, a").filter((node) => !named(node)).map((node) => node.outerHTML),
      uncaptioned: all("table").filter((table) => !table.caption?.textContent).length,
      unscoped: all("th").filter((cell) => !cell.scope).length,
      jumps: levels.filter((level, at) => at > 0 && level > levels[at - 1] + 1).length,
      twice: ids.filter((id, at) => ids.indexOf(id) !== at),
      dangling: all("[aria-describedby], [aria-labelledby]").filter((node) =>
        !document.getElementById(node.getAttribute("aria-describedby") ?? node.getAttribute("aria-labelledby"))).length,
      landmarks: ["header", "nav", "main", "footer"].filter((name) => all(name).length !== 1),
    };
  });
  assert.deepEqual(faults, { unnamed: [], uncaptioned: 0, unscoped: 0, jumps: 0, twice: [], dangling: 0, landmarks: [] });
});

test("light and dark follow the system, the reader, and the tab", async () => {
  const paper = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const ink = (page) => page.locator(".drawing svg text").first().evaluate((node) => getComputedStyle(node).fill);
  const page = await browser.visit("", { viewport: DESKTOP, colorScheme: "dark" });
  const [dark, darkInk] = [await paper(page), await ink(page)];
  await keep(page, "desktop-dark");
  await page.getByRole("button", { name: "Light mode" }).click();
  assert.notEqual(await paper(page), dark);
  assert.notEqual(await ink(page), darkInk);
  await page.reload();
  assert.notEqual(await paper(page), dark);
  await page.getByRole("button", { name: "Dark mode" }).click();
  assert.equal(await paper(page), dark);
});

test("bands have the colours that the pictures give them", async () => {
  const page = await browser.visit();
  const found = await page.evaluate(() => [...document.querySelectorAll("section.check")].map((section) => {
    const hex = (color) => `#${/\((.*)\)/.exec(color)[1].split(", ").map((part) => Number(part).toString(16).padStart(2, "0")).join("")}`.toUpperCase();
    const swatches = [...section.querySelectorAll(".swatch")];
    const bands = swatches.map((node) => node.parentElement.textContent);
    // A picture of bands has a mark of each colour beside each name.
    const pictures = [...section.querySelectorAll("svg")].filter((svg) => bands.length > 0 && bands.every((band) => [...svg.querySelectorAll("text")].some((text) => text.textContent === band)));
    return { id: section.id, colors: swatches.map((node) => hex(getComputedStyle(node).backgroundColor)),
      fills: pictures.map((svg) => [...svg.querySelectorAll("[fill]")].map((node) => node.getAttribute("fill"))) };
  }));
  const counts = new Set();
  for (const { id, colors, fills } of found) {
    for (const own of fills) {
      assert.deepEqual(colors.filter((color) => !own.includes(color)), [], id);
      counts.add(colors.length);
    }
  }
  assert.ok(counts.size > 1, `pictures of ${[...counts]} bands were compared`);
});

test("text stands out from what it lies on, in both modes", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const page = await browser.visit("", { colorScheme });
    const faint = await page.evaluate(() => {
      // The page's colours may be of any notation: a canvas knows them all.
      const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
      const light = (color) => {
        canvas.fillStyle = color;
        canvas.fillRect(0, 0, 1, 1);
        const channels = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((value) => value / 255);
        const [red, green, blue] = channels.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      };
      const behind = (node) => {
        const color = getComputedStyle(node).backgroundColor;
        return color === "rgba(0, 0, 0, 0)" && node.parentElement ? behind(node.parentElement) : color;
      };
      const isText = (node) => [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
      const nodes = [...document.querySelectorAll("body *:not(script):not(svg *):not(option)")].filter((node) => isText(node) && node.checkVisibility());
      return nodes.flatMap((node) => {
        const [a, b] = [light(getComputedStyle(node).color), light(behind(node))].sort((x, y) => y - x);
        const contrast = (a + 0.05) / (b + 0.05);
        return contrast < 4.5 ? [`${node.className} ${node.textContent.slice(0, 30)}: ${contrast.toFixed(2)}`] : [];
      });
    });
    assert.deepEqual(faint, [], colorScheme);
  }
});

for (const width of [360, 390]) {
  test(`a phone ${width} pixels wide shows all of it without scrolling sideways`, async () => {
    const page = await browser.visit("", { viewport: { width, height: 800 }, deviceScaleFactor: 2 });
    await page.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = true)));
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    await page.reload();
    await keep(page, `phone-${width}`);
    const { id } = await firstCheck(page);
    await browser.section(page, id).scrollIntoViewIfNeeded();
    await browser.section(page, id).evaluate((node) => node.scrollIntoView());
    await keep(page, `phone-${width}-check`);
  });
}

test("on paper there are no controls, and every table is open", async () => {
  const page = await browser.visit("", { viewport: DESKTOP });
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.equal(await page.locator("button:visible, input:visible, select:visible").count(), 0);
  assert.equal(await page.locator("details:not([open])").count(), 0);
  await keep(page, "print");
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  assert.notEqual(await page.locator("details:not([open])").count(), 0);
  await page.pdf({ path: join(process.env.OUT, "print.pdf"), format: "A4", pageRanges: "1-8" });
});

test("pictures can be saved without the files beside the page", async () => {
  const page = await browser.visit();
  const { name, text } = await browser.saved(page, page.locator("a.svg").first());
  assert.match(name, /\.svg$/);
  assert.match(text, /^<svg [^]*<\/svg>\n$/);
});
