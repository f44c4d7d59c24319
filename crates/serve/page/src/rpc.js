// JSON-RPC 2.0 with a server over a WebSocket, or with a worker: one message in each frame or post.

import { GONE, Refusal } from "../../../report/page/shared/refusal.js";

export * from "../../../report/page/shared/refusal.js";

/** Milliseconds until the page tries again to reach the other side: at first, and at the most. */
const FIRST_WAIT = 300;
const LONGEST_WAIT = 5000;

/** A way to `oddsmith serve`: it tells `opened`, each `text` and `closed`, and returns how to send, which says whether it could. */
export const overSocket = (url) => ({ opened, text, closed }) => {
  const socket = new WebSocket(url);
  socket.addEventListener("open", opened);
  socket.addEventListener("message", ({ data }) => text(data));
  socket.addEventListener("close", closed);
  return (message) => {
    const isOpen = socket.readyState === WebSocket.OPEN;
    if (isOpen) socket.send(message);
    return isOpen;
  };
};

/** A way to the same session in a worker, which ends if an answer takes more than a browser gives it. */
export const inWorker = (url) => ({ opened, text, closed }) => {
  const worker = new Worker(url, { type: "module" });
  let isOpen = true;
  worker.addEventListener("message", ({ data }) => text(data));
  worker.addEventListener("error", () => {
    isOpen = false;
    worker.terminate();
    closed();
  });
  // Whoever made the connection has not got it yet.
  queueMicrotask(opened);
  return (message) => {
    if (isOpen) worker.postMessage(message);
    return isOpen;
  };
};

export class Connection {
  #way;
  #post = () => false;
  #next = 1;
  #open = new Map();
  #handlers = new Map();
  #wait = FIRST_WAIT;

  /** `onState` is told `open` and `closed`. */
  constructor(way, onState) {
    this.#way = way;
    this.onState = onState;
    this.#connect();
  }

  #connect() {
    this.#post = this.#way({
      opened: () => this.onState("open"),
      text: (text) => {
        this.#wait = FIRST_WAIT;
        this.#receive(JSON.parse(text));
      },
      closed: () => this.#closed(),
    });
  }

  #closed() {
    for (const { reject } of this.#open.values()) {
      reject(new Refusal({ code: GONE, message: "the connection ended before the answer" }));
    }
    this.#open.clear();
    this.onState("closed");
    setTimeout(() => this.#connect(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
  }

  #receive(message) {
    if (message.method !== undefined) {
      this.#handlers.get(message.method)?.(message.params);
      // The server asks nothing that this page could answer.
      if (message.id !== undefined) this.#send({ id: message.id, error: { code: -32601, message: "unknown method" } });
      return;
    }
    const waiting = this.#open.get(message.id);
    this.#open.delete(message.id);
    if (message.error) waiting?.reject(new Refusal(message.error));
    else waiting?.resolve(message.result);
  }

  #send(message) {
    return this.#post(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }

  /** What is done when the server notifies of something. */
  on(method, handler) {
    this.#handlers.set(method, handler);
  }

  notify(method, params) {
    this.#send({ method, params });
  }

  /** A promise of the answer; it has an `id` and can be told to `cancel`. */
  request(method, params) {
    const id = this.#next++;
    const answer = new Promise((resolve, reject) => {
      if (this.#send({ id, method, params })) this.#open.set(id, { resolve, reject });
      else reject(new Refusal({ code: GONE, message: "the connection is closed" }));
    });
    answer.id = id;
    answer.cancel = () => this.#open.has(id) && this.notify("$/cancelRequest", { id });
    return answer;
  }
}
