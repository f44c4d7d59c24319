// The page: what stands where, and what moves when something changes.

import { startModes } from "../../../report/page/shared/modes.js";
import { redo, redoDepth, undo, undoDepth } from "@codemirror/commands";

import { Bench } from "./bench.js";
import { Controls } from "./controls.js";
import { Dice } from "./dice.js";
import { Editor } from "./editor.js";
import { Files, startScreen } from "./files.js";
import { Out } from "./out.js";
import { Tune } from "./tune.js";
import { Versions } from "./versions.js";
import { announce, counted, element, say, select, toast } from "./elements.js";
import { chartPanel } from "./charts.js";
import { diceHash, read } from "./link.js";
import { inWorker, overSocket } from "./rpc.js";
import { expectationsPanel, findingsPanel } from "./findings.js";
import { glancePanel, oddsPanel, oddsQuestion } from "../../../report/page/shared/odds.js";
import { planPanel } from "./plan.js";
import { policyPanel } from "./policy.js";
import { tablePanel } from "../../../report/page/shared/table.js";
import { Tabs } from "./tabs.js";
import { trackPanel } from "./track.js";
import { worthPanel } from "./worth.js";

const byId = (id) => document.getElementById(id);

/** The session is in a worker where the page names one, and else at the server that the page came from. */
function way() {
  const { worker } = document.querySelector("script[src]").dataset;
  if (worker !== undefined) return inWorker(worker);
  const { protocol, host, pathname } = location;
  return overSocket(`${protocol === "https:" ? "wss" : "ws"}://${host}${pathname.replace(/[^/]*$/, "")}socket`);
}

class App {
  constructor() {
    this.bench = new Bench(way());
    const { bench } = this;
    bench.connection.on("textDocument/publishDiagnostics", (params) => bench.diagnosedWith(params));
    this.editor = bench.editor = new Editor(byId("editor"), bench);
    this.startNode = byId("start-lists");
    this.controls = new Controls(bench);
    this.glance = glancePanel(bench);
    this.tune = new Tune(bench);
    this.versions = new Versions(bench);
    this.panels = this.#panels();
    this.tabs = new Tabs(bench, this.panels);
    this.files = new Files(this);
    this.dice = new Dice(bench, () => this.#diceChanged());
    this.out = new Out(this);
    this.#place();
    this.#follow();
    this.#keys();
    this.#buttons();
  }

  #panels() {
    const { bench } = this;
    const wish = (query) => { this.tune.wish(query); this.tabs.choose("tune"); };
    return [oddsPanel(bench, this.glance, wish), tablePanel(bench), chartPanel(bench), worthPanel(bench), findingsPanel(bench),
      expectationsPanel(bench), this.tune, trackPanel(bench), policyPanel(bench), planPanel(bench), this.versions];
  }

  #place() {
    this.checkNode = element("div", { class: "check-choice" });
    byId("controls").append(this.controls.node);
    byId("glance").append(this.checkNode, this.glance.node, this.tabs.list);
    byId("tabs").append(this.tabs.node);
    byId("dice").append(this.dice.node);
    // The settings stay in view beneath the glance, whose height depends on what it shows.
    const { style } = this.controls.node;
    new ResizeObserver(([{ target }]) => style.setProperty("--glance", `${target.offsetHeight}px`)).observe(byId("glance"));
  }

  /** Every change is followed by all that is seen; a question that is answered already is not asked. */
  #follow() {
    const { bench } = this;
    let isDue = false;
    bench.addEventListener("change", ({ detail: { what } }) => {
      if (what === "opened") [this.glance, ...this.panels].forEach((panel) => panel.clear());
      if (isDue) return;
      isDue = true;
      queueMicrotask(() => { isDue = false; this.refresh(); });
    });
    bench.addEventListener("edited", () => this.glance.refresh());
    bench.on("connection", () => (byId("offline").hidden = bench.isConnected));
    bench.on("diagnostics", () => this.#status());
    bench.addEventListener("answered", () => this.tabs.count());
  }

  refresh() {
    const { bench } = this;
    const isOpen = bench.document !== null;
    this.#checkChoice();
    this.controls.refresh();
    this.glance.isActive = isOpen;
    this.tabs.refresh();
    this.#status();
    byId("undo").disabled = !isOpen || undoDepth(bench.view.state) === 0;
    byId("redo").disabled = !isOpen || redoDepth(bench.view.state) === 0;
    for (const id of ["save", "pin"]) byId(id).disabled = !isOpen;
    byId("pin").setAttribute("aria-pressed", bench.against !== null);
    say(byId("pin"), bench.against === null ? "Pin" : "Pinned");
  }

  #checkChoice() {
    const { bench } = this;
    const checks = bench.overview?.checks ?? [];
    const shape = JSON.stringify([checks.map(({ name, label, help }) => [name, label, help]), bench.shown?.name]);
    if (shape === this.checkNode.dataset.shape) return;
    this.checkNode.dataset.shape = shape;
    const hadFocus = this.checkNode.contains(document.activeElement);
    const options = checks.map(({ name, label, is_track: isTrack }) => [name, `${label || name}${isTrack ? " (track)" : ""}`]);
    this.checkNode.replaceChildren(...(checks.length === 0 ? [] : [
      select("Check", options, bench.shown.name, (name) => bench.choose(name), { id: "check" }),
      element("p", { class: "quiet" }, bench.shown.help)]));
    if (hadFocus) byId("check")?.focus();
  }

  #status() {
    const { bench } = this;
    const { errors } = bench;
    const words = bench.document === null || errors === null ? "" : errors.length === 0 ? "No errors" : counted(errors.length, "error");
    if (byId("status").textContent === words) return;
    byId("status").textContent = words;
    byId("status").classList.toggle("broken", errors?.length > 0);
    if (errors?.length > 0) announce(`${words} in the rules`);
  }

  #keys() {
    const { bench } = this;
    const act = {
      s: () => this.files.save(),
      p: () => this.pin(),
      z: () => bench.view && !this.#isTyping() && undo(bench.view),
      y: () => bench.view && !this.#isTyping() && redo(bench.view),
      Z: () => bench.view && !this.#isTyping() && redo(bench.view),
    };
    document.addEventListener("keydown", (event) => {
      const own = (event.ctrlKey || event.metaKey) && !event.altKey ? act[event.key] : undefined;
      if (own === undefined || ("zyZ".includes(event.key) && this.#isTyping())) return;
      event.preventDefault();
      own();
    });
  }

  /** The editor and fields that text is typed into undo by themselves. */
  #isTyping() {
    const { activeElement } = document;
    return activeElement?.id === "editor" || activeElement?.matches('input:not([type="range"], [type="radio"], [type="checkbox"])') === true;
  }

  async pin() {
    const { bench } = this;
    if (bench.document === null) return;
    if (bench.against === null) return this.versions.pin("text");
    bench.compareWith(null);
    toast("Nothing stands beside it any more");
  }

  #buttons() {
    const { bench } = this;
    const on = (id, act) => byId(id).addEventListener("click", act);
    on("undo", () => undo(bench.view));
    on("redo", () => redo(bench.view));
    on("save", () => this.files.save());
    on("pin", () => this.pin());
    on("out", () => this.out.open());
    on("home", () => this.go("start"));
    on("to-rules", () => this.look("rules"));
    on("to-odds", () => this.look("odds"));
    on("back", () => this.go("work"));
    startModes(byId("mode"), (name) => byId("mode").setAttribute("aria-label", name));
  }

  /** On a narrow screen there is room for the rules or the odds. */
  look(side) {
    document.body.dataset.side = side;
    byId("to-rules").setAttribute("aria-pressed", side === "rules");
    byId("to-odds").setAttribute("aria-pressed", side === "odds");
  }

  /** The start with the dice, or the workbench. */
  go(place) {
    document.body.dataset.place = place;
    byId("back").hidden = place === "work" || this.bench.document === null;
    if (place === "start") { this.dice.ask(); startScreen(this); }
    else if (/^#(any)?dice/.test(location.hash)) history.replaceState(null, "", location.pathname);
  }

  /** Shows a document. */
  show(own, text, { settings = {}, check = null, tab = null } = {}) {
    this.editor.open(own, text, settings);
    if (check !== null) this.bench.choose(check);
    if (tab !== null) this.tabs.choose(tab);
    this.go("work");
    this.look("odds");
  }

  get isDice() { return document.body.dataset.place === "start"; }
  get tab() { return this.tabs.chosen.id; }
  get picture() { return this.isDice ? { svg: this.dice.svg, name: "dice" } : { svg: this.panels.find(({ id }) => id === "chart").svg, name: "chart" }; }
  get grid() { return this.isDice ? this.dice.grid() : (this.tabs.chosen.grid ?? this.panels[0].grid)(); }

  /** The question whose command line is shown: that of the tab, or else the odds. */
  get command() {
    const { chosen } = this.tabs;
    const kinds = { table: "table", chart: "chart", worth: "value", findings: "lint", track: "track", policy: "policy", plan: "plan" };
    const asked = kinds[chosen.id] === undefined ? oddsQuestion(this.bench) : chosen.question();
    if (asked?.question === undefined) return null;
    const kind = asked.question.track !== undefined ? "track" : asked.question.chart !== undefined ? "declared-chart" : kinds[chosen.id] ?? "odds";
    return { kind, ...asked.question };
  }

  #diceChanged() {
    if (this.isDice && this.hasDiceChanged) history.replaceState(null, "", diceHash(this.dice.written));
    this.hasDiceChanged = true;
  }

  /** Opens what the address asks for, or the file that is served, or the start. */
  async begin() {
    await this.bench.ready;
    try {
      const asked = await read(location.hash);
      if (asked?.rules !== undefined) {
        this.files.openText(asked.name, asked.rules, asked);
        if (asked.tab) this.tabs.choose(asked.tab);
        return;
      }
      const isPad = asked?.dice !== undefined || asked?.program !== undefined;
      if (isPad) this.dice.set(asked);
      // A file that is alone is opened before anything else is asked or drawn.
      const files = isPad ? [] : await this.files.listed();
      if (files.length === 1) await this.files.open(files[0].uri, files[0].name);
      if (this.bench.document === null) this.go("start");
    } catch (error) {
      this.go("start");
      toast(`The link can't be read: ${error.message}`);
    }
  }
}

const app = new App();
app.begin();
