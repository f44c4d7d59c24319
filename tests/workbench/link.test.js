// Links, and what else leaves the page.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { inflateRawSync } from "node:zlib";

import { RULES, bench, close, copied, editor, expected, glance, open, retype, saved, serve, settled, slide, visit } from "./browser.js";

before(open);
after(close);

test("a link holds rules and settings, and opens as they were", () => bench(test, {}, async (page, server) => {
  await retype(page, "[7, 10]", "[8, 12]");
  await slide(page, "edge", [2]);
  await page.locator("#tab-table").click();
  await page.locator("#out").click();
  const link = await copied(page, "Copy link");
  const [, hash] = link.split("#rules=");
  const packed = JSON.parse(inflateRawSync(Buffer.from(hash, "base64url")));
  assert.equal(packed.rules, RULES.replace("[7, 10]", "[8, 12]"));
  assert.deepEqual(packed.settings, { edge: "2" });
  const other = await visit(server, { hash: `#rules=${hash}` });
  await settled(other, "glance");
  assert.deepEqual(await glance(other), expected(packed.rules, ["edge=2"]));
  assert.match(await editor(other).textContent(), /\[8, 12\]/);
  assert.equal(await other.locator("#tab-table").getAttribute("aria-selected"), "true");
  assert.deepEqual(other.complaints, []);
  await other.context().close();
}));

test("a link that can't be read is said, and nothing breaks", async () => {
  const server = await serve();
  try {
    for (const hash of ["#rules=AAAA", "#rules=%F0", "#rules=!!", `#rules=${Buffer.from("x".repeat(500)).toString("base64url")}`]) {
      const page = await visit(server, { hash });
      await page.locator("#toast", { hasText: "can't be read" }).waitFor();
      assert.deepEqual(page.complaints, [], hash);
      await page.context().close();
    }
  } finally {
    server.stop();
  }
});

test("a link of many megabytes unpacked is refused before it is read", async () => {
  const { deflateRawSync } = await import("node:zlib");
  const server = await serve();
  const page = await visit(server, { hash: `#rules=${deflateRawSync(Buffer.alloc(50_000_000, " ")).toString("base64url")}` });
  await page.locator("#toast", { hasText: "too large" }).waitFor();
  await page.context().close();
  server.stop();
});

test("tables leave as CSV, Markdown and BBCode, pictures as SVG and PNG", () => bench(test, {}, async (page) => {
  await page.locator("#tab-chart").click();
  await settled(page, "chart");
  await page.locator("#out").click();
  const svg = await saved(page, page.getByRole("button", { name: "SVG" }));
  assert.match(svg.bytes.toString(), /^<svg /);
  const png = await saved(page, page.getByRole("button", { name: "PNG" }));
  assert.deepEqual([...png.bytes.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
  assert.ok(png.bytes.readUInt32BE(16) >= 1000, "it is wide enough to be read");
  const csv = await saved(page, page.getByRole("button", { name: "CSV" }));
  const rows = Object.entries(expected(RULES));
  for (const [name, odds] of rows) assert.match(csv.bytes.toString(), new RegExp(`^${name},${odds.replace(".", "\\.")},`, "m"));
  const markdown = await copied(page, "Copy Markdown");
  for (const [name, odds] of rows) assert.ok(markdown.includes(`| ${name} | ${odds} |`));
  const bbcode = await copied(page, "Copy BBCode");
  for (const [name, odds] of rows) assert.ok(bbcode.includes(`[tr][td]${name}[/td][td]${odds}[/td]`));
}));

test("the command line says the same settings", () => bench(test, {}, async (page) => {
  await slide(page, "bonus", [3]);
  await page.locator("#out").click();
  assert.match(await page.locator(".command code").textContent(), /^oddsmith odds .*bonus=3/);
}));
