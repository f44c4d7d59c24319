// What a source answers that it does not answer.

export class Refusal extends Error {
  constructor({ code, message, data }) {
    super(message);
    this.code = code;
    this.data = data ?? {};
  }
}

export const CANCELLED = -32800;
export const CONTENT_MODIFIED = -32801;
export const BROKEN_RULES = -32005;
export const OVER_BUDGET = -32006;
/** What is set, or asked, has no answer. */
export const NO_ANSWER = -32003;
/** More waits than the server keeps. */
export const BUSY = -32004;
export const CHANGED_ON_DISK = -32010;
/** The connection ended before there was an answer; this code is the page's own. */
export const GONE = -1;
