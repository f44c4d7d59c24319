// The explorer of a check: its state, and what is on the page for it.

/** A word as a shell takes it. */
const shellWord = (text) => (/^[\w@%+=:,.\/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** The command that answers a configuration. */
function commandFor(check, values) {
  const settings = changes(check, values).map(([name, value]) => ` --set ${shellWord(`${name}=${value}`)}`);
  return check.command + settings.join("");
}

/** What keeps a configuration from being answered here, as sentences; null if nothing does. */
function obstacle(check, values) {
  const sentences = check.axes.map((axis, at) => outsideSentence(axis, values[at])).filter((text) => text !== null);
  if (sentences.length > 0) {
    const isLegal = check.axes.every((axis, at) => isAllowed(axis, values[at]));
    return isLegal ? [...sentences, "The command below answers it."] : sentences;
  }
  const answers = check.answersAt(placeOf(check, values));
  return answers === null ? ["The rules forbid this configuration, or can't be carried out in it, so it has no odds."] : null;
}

function isAllowed(axis, value) {
  return !axis.isNumber || axis.legal === null || (axis.legal[0] <= value && value <= axis.legal[1]);
}

function outsideSentence(axis, value) {
  if (axis.values.includes(value)) return null;
  if (!isAllowed(axis, value)) {
    return `The rules allow ${axis.name} from ${shown(axis.legal[0])} to ${shown(axis.legal[1])}, not ${shown(value)}.`;
  }
  if (!axis.isNumber) return `This page has no ${axis.name}=${value}; it has ${axis.values.join(", ")}.`;
  const near = neighbours(axis, value).map(shown).join(" and ");
  return `This page has no ${axis.name}=${shown(value)}; the nearest that it has: ${near}.`;
}

/** Buttons that lead to the nearest configurations that the page has. */
function wayBack(check, values, go) {
  const buttons = check.axes.flatMap((axis, at) => {
    if (!axis.isNumber || axis.values.includes(values[at])) return [];
    return neighbours(axis, values[at]).map((value) =>
      element("button", { type: "button", click: () => go(at, value) }, `${axis.name} = ${shown(value)}`));
  });
  return buttons.length === 0 ? null : element("p", { class: "actions" }, ...buttons);
}

class Explorer {
  constructor(check, place, onChange) {
    this.check = check;
    this.place = place;
    this.onChange = onChange;
    this.state = { values: [...check.home], pinned: null };
    this.announce = settled(700, (text) => (this.status.textContent = text));
    this.build();
    this.show();
  }

  axisId(at) {
    return `${this.check.id}-axis-${at}`;
  }

  /** Puts everything that stays on the page. */
  build() {
    const { check } = this;
    const moved = (at) => (value) => this.move(at, value);
    this.controls = check.axes.map((axis, at) => control(axis, this.axisId(at), moved(at)));
    this.glance = element("div", { class: "glance" });
    this.result = element("div", { class: "result" });
    this.status = element("p", { class: "unseen", role: "status" });
    this.pin = element("button", { type: "button", click: () => this.togglePin() });
    this.command = element("code", { tabindex: "0" });
    this.along = check.axes.length > 0 ? new Along(check, `${check.id}-along`, (at, value) => this.move(at, value)) : null;
    const reset = element("button", { type: "button", click: () => this.reset() }, "Reset");
    const link = copyButton("Copy link", () => location.href.replace(/#.*/, "") + writeLink(check, this.state));
    const copy = copyButton("Copy", () => this.command.textContent, this.command);
    const axes = element("div", { class: "axes", role: "group", "aria-label": "Axes" }, ...this.controls.map(({ node }) => node));
    const actions = element("p", { class: "actions" }, this.pin, check.axes.length > 0 ? reset : null, link);
    const command = element("p", { class: "command" }, this.command, copy);
    this.place.replaceChildren(element("h4", {}, "Explore"), this.glance, axes, actions, this.result, this.status, command);
    if (this.along !== null) this.place.append(this.along.node);
  }

  /** Brings the page up to the state. */
  show() {
    const { check, state } = this;
    this.controls.forEach(({ show }, at) => show(state.values[at]));
    this.pin.textContent = state.pinned === null ? "Pin to compare" : "Unpin";
    this.command.textContent = commandFor(check, state.values);
    this.along?.show(state.values);
    const sentences = obstacle(check, state.values);
    if (sentences === null) this.showAnswers();
    else this.showNote(sentences);
  }

  showAnswers() {
    const { check, state: { values, pinned } } = this;
    const answers = check.answersAt(placeOf(check, values));
    const sides = [glance(check, "now", values, answers)];
    const before = pinned === null ? null : check.answersAt(placeOf(check, pinned));
    if (before !== null) sides.push(glance(check, "pinned", pinned, before));
    const beside = before === null ? "" : `, beside ${describe(check, pinned)}`;
    this.glance.replaceChildren(...sides);
    this.result.replaceChildren(answerTable(check, answers, before, `Odds of ${describe(check, values)}${beside}`));
    this.announce(spoken(check, answers));
  }

  showNote(sentences) {
    const note = element("p", { class: "note" }, sentences.join(" "));
    const back = wayBack(this.check, this.state.values, (at, value) => {
      this.move(at, value);
      document.getElementById(this.axisId(at)).focus();
    });
    this.glance.replaceChildren(note, ...(back === null ? [] : [back]));
    this.result.replaceChildren();
    this.announce(sentences.join(" "));
  }

  move(at, value) {
    this.state.values[at] = value;
    this.changed();
  }

  togglePin() {
    const canPin = obstacle(this.check, this.state.values) === null;
    this.state.pinned = this.state.pinned === null && canPin ? [...this.state.values] : null;
    this.changed();
  }

  reset() {
    this.state = { values: [...this.check.home], pinned: null };
    this.changed();
  }

  changed() {
    this.show();
    this.onChange(writeLink(this.check, this.state));
  }

  /** Takes the state from a link. A pinned configuration that the page does not have is left out. */
  restore(pairs) {
    const { values, pinned } = stateOf(this.check, pairs);
    const isKnown = pinned !== null && obstacle(this.check, pinned) === null;
    this.state = { values, pinned: isKnown ? pinned : null };
    this.show();
  }
}
