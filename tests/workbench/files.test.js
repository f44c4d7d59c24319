// Files: saved with Ctrl-S, and never written over what the reader has not seen.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { NEEDS_FILES, RULES, bench, close, editor, expected, glance, open, retype, settled } from "./browser.js";

before(open);
after(close);

const THEIRS = RULES.replace("[7, 10]", "[4, 5]");
const conflict = (page) => page.locator(".conflict");

test("Ctrl-S saves, and the page says what is saved", NEEDS_FILES, () => bench(test, {}, async (page, server) => {
  assert.equal(await page.locator("#dirty").textContent(), "saved");
  await retype(page, "[7, 10]", "[7, 12]");
  assert.equal(await page.locator("#dirty").textContent(), "unsaved changes");
  await page.keyboard.press("Control+s");
  await page.locator("#dirty", { hasText: /^saved$/ }).waitFor();
  assert.equal(server.disk, RULES.replace("[7, 10]", "[7, 12]"));
}));

test("a change on disk is shown at once where there are no edits", NEEDS_FILES, () => bench(test, {}, async (page, server) => {
  server.changeDisk(THEIRS);
  await page.locator("#toast", { hasText: "changed on disk" }).waitFor();
  await settled(page, "glance");
  assert.deepEqual(await glance(page), expected(THEIRS));
  assert.equal(await page.locator("#dirty").textContent(), "saved");
}));

test("a change on disk beneath edits is asked about: theirs", NEEDS_FILES, () => bench(test, {}, async (page, server) => {
  await retype(page, "[7, 10]", "[7, 12]");
  server.changeDisk(THEIRS);
  await conflict(page).waitFor();
  assert.match(await editor(page).textContent(), /\[7, 12\]/);
  await page.getByRole("button", { name: "Compare" }).click();
  const compared = await page.locator("dialog.compare .merge").evaluate((host) => host.shadowRoot.textContent);
  assert.match(compared, /\[4, 5\]/);
  assert.match(compared, /\[7, 12\]/);
  await page.locator("dialog.compare").getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Take theirs" }).click();
  await settled(page, "glance");
  assert.deepEqual(await glance(page), expected(THEIRS));
  await page.locator("#undo").click();
  assert.match(await editor(page).textContent(), /\[7, 12\]/);
}));

test("a change on disk beneath edits is asked about: mine", NEEDS_FILES, () => bench(test, {}, async (page, server) => {
  await retype(page, "[7, 10]", "[7, 12]");
  server.changeDisk(THEIRS);
  await conflict(page).waitFor();
  await page.getByRole("button", { name: "Keep mine" }).click();
  assert.equal(server.disk, THEIRS);
  await page.keyboard.press("Control+s");
  await page.locator("#dirty", { hasText: /^saved$/ }).waitFor();
  assert.equal(server.disk, RULES.replace("[7, 10]", "[7, 12]"));
}));

test("saving over a change that nobody told of is refused and asked about", () => bench(test, { needsMock: true }, async (page, server) => {
  await retype(page, "[7, 10]", "[7, 12]");
  server.disk = THEIRS;
  await page.keyboard.press("Control+s");
  await conflict(page).waitFor();
  assert.equal(server.disk, THEIRS);
}));

test("rules that lie in no file are saved as a new one, never over another, and can be undone", NEEDS_FILES, () => bench(test, { hash: "#", takesNew: true }, async (page, server) => {
  await page.getByRole("button", { name: "New rules" }).click();
  assert.equal(await page.locator("#dirty").textContent(), "not saved");
  await retype(page, "default = 8", "default = 9");
  await page.keyboard.press("Control+s");
  const name = page.getByLabel("Name, in the served directory");
  await name.fill("taken");
  await name.press("Enter");
  await page.locator("dialog [role=alert]", { hasText: "already" }).waitFor();
  assert.match(server.created("taken.toml"), /Skirmish/);
  await name.fill("night");
  await name.press("Enter");
  await page.locator("#dirty", { hasText: /^saved$/ }).waitFor();
  assert.match(server.created("night.toml"), /default = 9/);
  assert.equal(await page.locator("#file").textContent(), "night.toml");
  await page.locator("#undo").click();
  await page.locator("#dirty", { hasText: "unsaved changes" }).waitFor();
  assert.match(await editor(page).textContent(), /default = 8/);
}));

test("after the connection was lost the page says so, and goes on when it is back", () => bench(test, { needsMock: true }, async (page, server) => {
  const text = "[7, 12]";
  for (const { socket } of server.sessions) socket.terminate();
  await page.locator("#offline").waitFor();
  await retype(page, "[7, 10]", text);
  await page.locator("#offline").waitFor({ state: "hidden" });
  await settled(page, "glance");
  assert.deepEqual(await glance(page), expected(RULES.replace("[7, 10]", text)));
}));
