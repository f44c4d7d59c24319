// The worker of a page without a server: the session as WebAssembly, one message after the other.

import { unpack } from "./lzma.js";
import start, { Session } from "./session.js";

async function begin() {
  const answer = await fetch("session.wasm.lzma");
  if (!answer.ok) throw new Error(`the session is not there: ${answer.status}`);
  await start({ module_or_path: unpack(new Uint8Array(await answer.arrayBuffer())) });
  return new Session();
}

const session = begin();

self.addEventListener("message", async ({ data }) => {
  for (const text of (await session).receive(data)) self.postMessage(text);
});

// What goes wrong in a promise would be told nobody: the page has to know that there will be no answer.
self.addEventListener("unhandledrejection", ({ reason }) => { throw reason; });
