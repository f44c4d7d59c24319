// "Try it" beside the examples of the book, which is `$BOOK` if scripts/book has made one with the page in it.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { extname, join, normalize } from "node:path";
import { after, before, test } from "node:test";

import { TYPES, close, open, settled, visit } from "./browser.js";

const BOOK = process.env.BOOK ?? "";
const IS_BOOK = { skip: BOOK === "" && "there is no book" };

let server;
before(async () => {
  await open();
  const host = createServer(({ url }, response) => {
    const path = normalize(decodeURIComponent(new URL(url, "http://host/").pathname)).replace(/\/$/, "/index.html");
    try {
      response.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "text/plain" }).end(readFileSync(join(BOOK, path)));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => host.listen(0, "127.0.0.1", resolve));
  server = { address: `http://127.0.0.1:${host.address().port}/`, stop: () => { host.closeAllConnections(); host.close(); } };
});
after(async () => {
  server.stop();
  await close();
});

/** The first example of a page of the book that has this text, with its link. */
async function example(page, path, text) {
  await page.goto(server.address + path);
  const block = page.locator("pre", { hasText: text }).first();
  const link = block.locator("xpath=following-sibling::*[1][self::a]");
  await link.waitFor();
  return { text: await block.locator("code").textContent(), link };
}

const shown = (page) => page.locator("#editor .cm-line").allTextContents();

test("rules of the book open in the page, as they stand there", IS_BOOK, async (context) => {
  const page = await visit(server, { hash: "#" });
  context.after(() => page.context().close());
  const { text, link } = await example(page, "docs/language.html", 'name = "Two dice and a stat"');
  await link.click();
  await settled(page, "glance");
  assert.deepEqual(await shown(page), text.replace(/\n$/, "").split("\n").concat(""));
  await page.locator('[data-panel="glance"] [title="strong: 16.67%"]').waitFor();
});

test("dice of the book are laid over one another", IS_BOOK, async (context) => {
  const page = await visit(server, { hash: "#" });
  context.after(() => page.context().close());
  const { link } = await example(page, "docs/language.html", "4d6kh3: mean(value) = 15869/1296");
  await link.click();
  await page.waitForFunction(() => document.querySelector(".dice-lines input")?.value === "4d6kh3");
  await page.getByText("12.2446").first().waitFor();
});

test("every example that can be tried opens without an error", IS_BOOK, async (context) => {
  const page = await visit(server, { hash: "#" });
  context.after(() => page.context().close());
  for (const path of ["docs/language.html", "docs/cookbook/dice.html"]) {
    await page.goto(server.address + path);
    await page.locator("a.try").first().waitFor();
    await page.waitForLoadState("networkidle");
    const links = await page.locator("a.try").evaluateAll((all) => all.map((link) => {
      // Errors are meant where the next block says which: of the rules, or of some configurations.
      let next = link.nextElementSibling;
      while (next !== null && !/^(PRE|H[1-6])$/.test(next.tagName)) next = next.nextElementSibling;
      return { href: link.href, isWrong: next?.textContent.includes("error: ") === true };
    }));
    const wrong = [];
    for (const { href, isWrong } of links) {
      // Only another path loads the page anew.
      await page.goto("about:blank");
      await page.goto(href);
      const isRules = href.includes("#rules=");
      if (isRules) await page.waitForFunction(() => document.getElementById("status").textContent !== "");
      else await page.waitForSelector('.dice[data-state="fresh"]');
      const said = isRules ? await page.locator("#status").allTextContents() : await page.locator(".dice .problem").allTextContents();
      const example = isRules ? (await shown(page)).join("\n") : decodeURIComponent(href);
      if (isRules && isWrong) assert.match(said[0], /^(No errors|\d+ errors?)$/, example);
      else wrong.push(...said.filter((words) => words !== "" && words !== "No errors").map((words) => `${words}: ${example}`));
    }
    assert.deepEqual(wrong, [], path);
  }
});
