// JSON-RPC 2.0 over a WebSocket: one message in each text frame.

import { GONE, Refusal } from "../../../report/page/shared/refusal.js";

export * from "../../../report/page/shared/refusal.js";

/** Milliseconds until the page tries again to reach the server: at first, and at the most. */
const FIRST_WAIT = 300;
const LONGEST_WAIT = 5000;

export class Connection {
  #url;
  #socket = null;
  #next = 1;
  #open = new Map();
  #handlers = new Map();
  #wait = FIRST_WAIT;

  /** `onState` is told `open` and `closed`. */
  constructor(url, onState) {
    this.#url = url;
    this.onState = onState;
    this.#connect();
  }

  #connect() {
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      this.#wait = FIRST_WAIT;
      this.onState("open");
    });
    socket.addEventListener("message", ({ data }) => this.#receive(JSON.parse(data)));
    socket.addEventListener("close", () => this.#closed());
  }

  #closed() {
    for (const { reject } of this.#open.values()) {
      reject(new Refusal({ code: GONE, message: "the connection to the server ended" }));
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
    if (this.#socket.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
    return true;
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
      else reject(new Refusal({ code: GONE, message: "the server can't be reached" }));
    });
    answer.id = id;
    answer.cancel = () => this.#open.has(id) && this.notify("$/cancelRequest", { id });
    return answer;
  }
}
