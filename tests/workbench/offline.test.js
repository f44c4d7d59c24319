// The folder of files: what is packed in it, and that it opens again when its host is gone.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { unpack } from "../../crates/web/page/lzma.js";
import { FOLDER, RULES, bench, close, expected, glance, open, settled } from "./browser.js";

before(open);
after(close);

/** Bytes as Python's library packs them, with other numbers of literal, place and turn bits. */
function packed(bytes, lc, lp, pb) {
  const program = `import lzma, sys
way = {"id": lzma.FILTER_LZMA1, "preset": 6, "lc": ${lc}, "lp": ${lp}, "pb": ${pb}}
sys.stdout.buffer.write(lzma.compress(sys.stdin.buffer.read(), lzma.FORMAT_ALONE, filters=[way]))`;
  const { stdout, status, error } = spawnSync("python3", ["-c", program], { input: bytes, maxBuffer: 1 << 28 });
  if (error) throw error;
  assert.equal(status, 0);
  return new Uint8Array(stdout);
}

/** Bytes from few words, some of them changed, so that there are matches near and far and literals after them. */
function some(count, seed) {
  let state = seed;
  const next = (most) => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % most;
  const words = Array.from({ length: 40 }, () => Array.from({ length: 1 + next(30) }, () => next(256)));
  const bytes = [];
  while (bytes.length < count) bytes.push(...(next(5) === 0 ? [next(256)] : words[next(words.length)]));
  return Uint8Array.from(bytes.slice(0, count));
}

const HAS_PYTHON = { skip: spawnSync("python3", ["--version"]).error !== undefined && "Python is missing" };

test("what was packed is unpacked", HAS_PYTHON, () => {
  const ways = [[3, 0, 2], [4, 0, 0], [0, 4, 4], [0, 0, 0], [1, 2, 3]];
  for (const [at, way] of ways.entries()) {
    for (const count of [0, 1, 2, 300, 70_000]) {
      const bytes = some(count, at + 1);
      assert.deepEqual(Buffer.from(unpack(packed(bytes, ...way))), Buffer.from(bytes), `${count} bytes, ${way}`);
    }
  }
  const long = new Uint8Array((1 << 22) + 12345).fill(7);
  long.set(some(1000, 9), 1 << 22);
  assert.deepEqual(Buffer.from(unpack(packed(long, 3, 0, 2))), Buffer.from(long));
});

test("a packed file that is cut off or none is refused", HAS_PYTHON, () => {
  const whole = packed(some(70_000, 3), 3, 0, 2);
  for (const length of [0, 12, 17, 18, 500, whole.length - 40]) assert.throws(() => unpack(whole.subarray(0, length)), /packed file/);
  assert.throws(() => unpack(new TextEncoder().encode("<!doctype html><title>not found</title>")), /packed file/);
});

const IS_FOLDER = { skip: FOLDER === "" && "only the folder is kept by the browser" };
const kept = (page) => page.evaluate(() => navigator.serviceWorker.ready.then(() => caches.keys()));

test("the page opens when its host is gone", IS_FOLDER, (context) => bench(context, {}, async (page, server) => {
  assert.equal((await kept(page)).length, 1);
  server.stop();
  await page.reload();
  await settled(page, "glance");
  assert.deepEqual(await glance(page), expected(RULES));
  await page.goto(`${server.address}index.html#dice=4d6kh3`);
  await page.reload();
  await page.getByText("12.2446").first().waitFor();
  assert.equal((await page.request.get(server.address).catch((error) => error)) instanceof Error, true);
}));

test("a new version of the folder takes the place of the old one when that is shown no more", IS_FOLDER, async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "web-"));
  context.after(() => rmSync(folder, { recursive: true }));
  cpSync(FOLDER, folder, { recursive: true });
  await bench(context, { folder }, async (page, server) => {
    const [first] = await kept(page);
    const file = join(folder, "index.html"), worker = join(folder, "offline.js");
    writeFileSync(file, readFileSync(file, "utf8").replace("<title>Oddsmith</title>", "<title>Newer</title>"));
    writeFileSync(worker, readFileSync(worker, "utf8").replace(/VERSION = "\w+"/, 'VERSION = "newer"'));
    await page.reload();
    assert.equal(await page.title(), "Oddsmith");
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      await registration.update();
      while (registration.waiting === null) await new Promise((resolve) => setTimeout(resolve, 20));
    });
    await page.goto("about:blank");
    await page.goto(server.address);
    await page.waitForFunction(() => document.title === "Newer");
    const names = await kept(page);
    assert.equal(names.length, 1);
    assert.notEqual(names[0], first);
  });
});
