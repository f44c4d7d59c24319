// The worker of a page without a server: the session as WebAssembly, one message after the other.

import start, { Session } from "./session.js";

const session = start({ module_or_path: "session_bg.wasm" }).then(() => new Session());

self.addEventListener("message", async ({ data }) => {
  for (const text of (await session).receive(data)) self.postMessage(text);
});

// What goes wrong in a promise would be told nobody: the page has to know that there will be no answer.
self.addEventListener("unhandledrejection", ({ reason }) => { throw reason; });
