// One question in flight at a time; of those that come up meanwhile the latest one is put next.

/** A question that was overtaken may go on for so many milliseconds: what comes soon is worth showing on the way. */
const PATIENCE = 150;

export class Latest {
  #send;
  #next = null;
  #flying = null;

  /** `send(question)` gives a promise that can be told to `cancel`; the question settles itself with `done`. */
  constructor(send) {
    this.#send = send;
  }

  /** Whether a question waits or is in flight. */
  get isBusy() {
    return this.#flying !== null;
  }

  /**
   * Asks `question.params`; then `question.done(result)` or `question.failed(error)` is called. An older question whose
   * `text` is another one is cancelled at once, since its answer would be dropped.
   */
  ask(question) {
    if (this.#flying === null) return this.#fly(question);
    this.#next = question;
    if (this.#flying.question.text !== question.text) this.#flying.answer.cancel();
    else this.#flying.overdue ??= setTimeout(() => this.#overtake(), PATIENCE);
  }

  /** Drops what waits, and cancels what is in flight. */
  stop() {
    this.#next = null;
    this.#flying?.answer.cancel();
  }

  #overtake() {
    if (this.#next !== null) this.#flying?.answer.cancel();
  }

  async #fly(question) {
    const flight = { question, answer: this.#send(question.params), overdue: null };
    this.#flying = flight;
    let settle;
    try {
      const result = await flight.answer;
      settle = () => question.done(result);
    } catch (error) {
      settle = () => question.failed(error);
    }
    clearTimeout(flight.overdue);
    this.#flying = null;
    const next = this.#next;
    this.#next = null;
    if (next !== null) this.#fly(next);
    settle();
  }
}
