// The odds along one axis, with all others as they are now.

/** A list to choose the axis from, and a table with a row for each of its values. */
class Along {
  constructor(check, id, move) {
    this.check = check;
    this.move = move;
    const options = check.axes.map((axis, at) => element("option", { value: at }, axis.name));
    this.list = element("select", { id, change: () => this.show(this.values) }, ...options);
    this.table = element("div");
    const label = element("label", { for: id }, "Along");
    this.node = element("div", { class: "along" }, element("p", { class: "actions" }, label, this.list), this.table);
  }

  /** Shows what the axis does to a configuration. */
  show(values) {
    this.values = values;
    const { check } = this;
    const at = Number(this.list.value);
    const places = check.axes[at].values.map((value) => placeOf(check, values.with(at, value)));
    const focused = [...this.table.querySelectorAll("button")].indexOf(document.activeElement);
    this.table.replaceChildren(...(places.includes(null) ? [] : [this.rows(check.axes[at], at, places)]));
    if (focused >= 0) this.table.querySelectorAll("button")[focused]?.focus();
  }

  rows(axis, at, places) {
    const { check } = this;
    const head = [axis.name, ...(check.columns.some(isBand) ? [""] : []), ...check.columns.map(({ name }) => name)];
    const cells = head.map((name) => (name === "" ? element("td") : element("th", { scope: "col" }, name)));
    const rows = axis.values.map((value, step) => this.row(at, value, check.answersAt(places[step])));
    const caption = element("caption", { class: "unseen" }, `Odds along ${axis.name}, all else as above`);
    const table = element("table", {}, caption, element("thead", {}, element("tr", {}, ...cells)), element("tbody", {}, ...rows));
    return element("div", { class: "wide", role: "region", tabindex: "0", "aria-label": `Odds along ${axis.name}` }, table);
  }

  row(at, value, answers) {
    const { check } = this;
    const isNow = this.values[at] === value;
    const go = element("button", { type: "button", click: () => this.move(at, value) }, shown(value));
    const head = element("th", { scope: "row" }, go);
    if (answers === null) {
      const width = check.columns.length + 1;
      return element("tr", {}, head, element("td", { colspan: width, class: "forbidden" }, "the rules forbid it, or can't be carried out"));
    }
    const bar = check.columns.some(isBand) ? [element("td", { class: "slim", "aria-hidden": "true" }, stack(check, answers, false))] : [];
    const cells = check.columns.map((column, place) => element("td", {}, words(column, answers[place]).value));
    return element("tr", { "aria-current": isNow ? "true" : null }, head, ...bar, ...cells);
  }
}
