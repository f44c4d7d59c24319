// What sets an input: a slider with a field for numbers, buttons side by side or a list for labels.

import { button, element, prose, shown } from "./elements.js";
import { fault, titleOf, toldValue, wholeNumber } from "./inputs.js";

/** So many labels, of so many characters in all, stand side by side; more are a list to choose from. */
const MOST_CHOICES = 4;
const LONGEST_CHOICES = 28;
/** At most so many spaces are between the numbers under a slider. */
const MOST_SPACES = 10;

/** A control `{ node, input, show, focus }`; `show` brings it to a value without telling the source. */
export function control(source, input) {
  const id = (what) => `${source.prefix}${what}-${input.name}`;
  const set = (value, more) => source.set(input.name, value, more);
  const isShort = input.labels?.length <= MOST_CHOICES && input.labels.join("").length <= LONGEST_CHOICES;
  const [body, field] = (input.labels ? (isShort ? choices : list) : numbers)(source, input, id, set);
  const reset = button("reset", () => set(input.home), { class: "plain reset", "aria-label": `Reset ${titleOf(input)} to ${toldValue(input, input.home)}` });
  const name = isShort
    ? element("span", { class: "name", id: id("name"), title: input.name }, titleOf(input))
    : element("label", { class: "name", for: field.id, title: input.name }, titleOf(input));
  const help = [input.help, input.reading ? `A reading of: ${input.reading}` : ""].filter(Boolean).join(". ");
  const node = element("div", { class: "control", "data-name": input.name },
    element("div", { class: "head" }, name, reset, body.told, input.labels ? null : field), body,
    help ? element("p", { class: "help", id: id("help") }, prose(help)) : null);
  if (help) field.setAttribute("aria-describedby", id("help"));
  let drawn;
  return {
    input, node,
    focus: () => field.focus(),
    show(value) {
      // One input moves, and the others would be laid out anew with it. A field may have been typed into.
      if (value === drawn && field.value === shown(value)) return;
      drawn = value;
      body.show(value);
      reset.hidden = !node.classList.toggle("is-set", value !== input.home);
    },
  };
}

/** The place of the step that is nearest to a value. */
function nearest(steps, value) {
  const distances = steps.map((step) => Math.abs(step - value));
  return distances.indexOf(Math.min(...distances));
}

/** Moves on the way, while something is held, and the move that they come to, which is undone by itself. */
function moves(source, set) {
  let before = null;
  return {
    go(value) {
      before ??= source.settings;
      set(value, { isHeld: true });
    },
    rest(value) {
      if (before !== null) set(value, { from: before });
      before = null;
    },
  };
}

/** A slider with a mark at the default, and a field for what lies beyond it. */
function numbers(source, input, id, set) {
  const { steps } = input;
  // Where the steps follow one another a place on the slider is the number itself, which is read out as it is.
  const first = steps.every((step, at) => step === steps[0] + at) ? steps[0] : 0;
  const slide = element("input", {
    type: "range", min: first, max: first + steps.length - 1, step: 1, "aria-label": `${titleOf(input)}, ${shown(input.scale)}`,
  });
  const value = () => `${steps[slide.value - first]}`;
  const slides = moves(source, set);
  slide.addEventListener("input", () => slides.go(value()));
  slide.addEventListener("change", () => slides.rest(value()));
  const field = numberField(source, input, id, set);
  const home = steps.indexOf(Number(input.home));
  const mark = home < 0 || steps.length < 2 ? null : element("span", {
    class: "home", "--place": home / (steps.length - 1), title: `the default, ${toldValue(input, input.home)}`, "aria-hidden": "true",
  });
  const told = input.valueLabels?.length > 0 ? element("output", { class: "told", "aria-hidden": "true" }) : null;
  const body = element("div", { class: "slide" }, steps.length > 1 ? [slide, mark, ticks(input)] : null);
  body.told = told;
  body.show = (own) => {
    if (told) told.textContent = toldValue(input, own);
    const place = nearest(steps, Number(own));
    // A browser holds a slider's value within its ends by itself.
    if (slide.value !== `${first + place}`) slide.value = first + place;
    slide.setAttribute("aria-valuetext", toldValue(input, steps[place]));
    field.classList.toggle("outside", `${steps[place]}` !== own);
    field.show(own);
  };
  return [body, field];
}

/** A field that moves the input with every key, as far as it can be read; arrows go from step to step. */
function numberField(source, input, id, set) {
  const { steps, low } = input;
  const canBeNegative = steps.some((step) => step < 0) || (Number.isFinite(low) && low < 0);
  const field = element("input", { type: "text", inputmode: canBeNegative ? null : "numeric", id: id("field"), autocomplete: "off" });
  const typed = moves(source, set);
  const now = () => source.settings[input.name] ?? input.home;
  const check = () => {
    const wrong = fault(input, field.value);
    field.setCustomValidity(wrong);
    if (wrong === "") field.removeAttribute("aria-invalid");
    else field.setAttribute("aria-invalid", "true");
    return wrong === "";
  };
  field.addEventListener("input", () => check() && typed.go(wholeNumber(field.value)));
  field.addEventListener("change", () => {
    if (!check()) field.reportValidity();
    typed.rest(now());
  });
  field.addEventListener("keydown", (event) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const place = nearest(steps, Number(now())) + by;
    set(`${steps[Math.max(0, Math.min(steps.length - 1, place))]}`);
  });
  field.show = (value) => {
    // What is being typed stays as it is.
    if (document.activeElement === field && (field.matches("[aria-invalid]") || wholeNumber(field.value) === value)) return;
    field.value = shown(value);
    check();
  };
  return field;
}

/** Numbers under a slider, or what people read in their place: evenly spaced from one end to the other, or the ends alone. */
function ticks(input) {
  const { steps } = input;
  const last = steps.length - 1;
  const longest = Math.max(...steps.map((step) => toldValue(input, step).length));
  let every = Math.ceil(last / Math.max(1, Math.min(MOST_SPACES, Math.floor(40 / (longest + 2)))));
  while (last % every !== 0) every += 1;
  const labels = steps.map((step, at) => at % every === 0 ? element("span", { "--place": at / last }, toldValue(input, step)) : null);
  return element("div", { class: "ticks", "aria-hidden": "true" }, labels);
}

function choices(source, input, id, set) {
  const radios = input.labels.map((label) => element("input", {
    type: "radio", name: id("choice"), value: label, change: () => set(label),
  }));
  const body = element("div", { class: "choices", role: "radiogroup", "aria-labelledby": id("name") },
    input.labels.map((label, at) => element("label", { class: label === input.home ? "is-home" : null },
      radios[at], element("span", {}, toldValue(input, label)))));
  body.show = (value) => radios.forEach((radio) => (radio.checked = radio.value === value));
  return [body, body];
}

function list(source, input, id, set) {
  const field = element("select", { id: id("field"), change: () => set(field.value) },
    input.labels.map((label) => element("option", { value: label },
      label === input.home && !input.isUnsaid ? `${toldValue(input, label)} (default)` : toldValue(input, label))));
  const body = element("div", {}, field);
  body.show = (value) => (field.value = value);
  return [body, field];
}
