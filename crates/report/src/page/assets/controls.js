// What moves an axis: a slider with a field for numbers, buttons or a list for labels.
// A control is `{ node, show }`; `show` sets it to a value without telling anyone.

/** Up to so many labels are buttons side by side. */
const MOST_BUTTONS = 4;

function control(axis, id, onChange) {
  if (axis.isNumber) return numberControl(axis, id, onChange);
  return axis.values.length <= MOST_BUTTONS ? buttonsControl(axis, id, onChange) : listControl(axis, id, onChange);
}

function help(axis, id) {
  return axis.help === "" ? null : element("p", { class: "help", id: `${id}-help` }, ...prose(axis.help));
}

const described = (axis, id) => (axis.help === "" ? null : `${id}-help`);

/** The place of the swept number that is nearest. */
function nearestPlace(axis, value) {
  const distances = axis.values.map((swept) => Math.abs(swept - value));
  return distances.indexOf(Math.min(...distances));
}

function numberControl(axis, id, onChange) {
  const field = numberField(axis, id);
  const slider = element("input", {
    type: "range", min: 0, max: axis.values.length - 1, step: 1, "aria-label": `${axis.name}, swept values`,
  });
  const show = (value) => {
    const place = nearestPlace(axis, value);
    if (readValue(axis, field.value) !== value) field.value = shown(value);
    field.classList.toggle("outside", axis.values[place] !== value);
    field.removeAttribute("aria-invalid");
    slider.value = place;
    slider.setAttribute("aria-valuetext", shown(axis.values[place]));
  };
  field.addEventListener("input", () => {
    const value = readValue(axis, field.value);
    if (value === null) field.setAttribute("aria-invalid", "true");
    else onChange(value);
  });
  field.addEventListener("keydown", (event) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    const value = readValue(axis, field.value);
    if (step === undefined || value === null) return;
    event.preventDefault();
    const place = nearestPlace(axis, value);
    onChange(axis.values[Math.max(0, Math.min(axis.values.length - 1, place + step))]);
  });
  slider.addEventListener("input", () => onChange(axis.values[Number(slider.value)]));
  const head = element("div", { class: "head" }, element("label", { for: id }, axis.name), field);
  const scale = axis.values.length > 1 ? [slider, ticks(axis)] : [];
  return { node: element("div", { class: "axis" }, head, ...scale, help(axis, id)), show };
}

function numberField(axis, id) {
  const hasNegatives = axis.values.some((value) => value < 0) || (axis.legal?.[0] ?? 0) < 0;
  return element("input", {
    id, type: "text", autocomplete: "off", inputmode: hasNegatives ? null : "numeric",
    "aria-describedby": described(axis, id),
  });
}

/** The swept values under their slider, as many as have room. */
function ticks(axis) {
  const every = Math.ceil(axis.values.length / 11);
  const labels = axis.values.map((value, at) => {
    const place = axis.values.length > 1 ? at / (axis.values.length - 1) : 0;
    const label = element("span", {}, at % every === 0 ? shown(value) : "");
    label.style.setProperty("--place", place);
    return label;
  });
  return element("div", { class: "ticks", "aria-hidden": "true" }, ...labels);
}

function buttonsControl(axis, id, onChange) {
  const inputs = axis.values.map((label) =>
    element("input", { type: "radio", name: id, value: label, change: () => onChange(label) }));
  const labels = inputs.map((input, at) => element("label", {}, input, element("span", {}, axis.values[at])));
  const node = element("fieldset", { class: "axis", "aria-describedby": described(axis, id) },
    element("legend", {}, axis.name), element("div", { class: "choices" }, ...labels), help(axis, id));
  return { node, show: (value) => inputs.forEach((input) => (input.checked = input.value === value)) };
}

function listControl(axis, id, onChange) {
  const options = axis.values.map((label) => element("option", {}, label));
  const list = element("select", { id, "aria-describedby": described(axis, id) }, ...options);
  list.addEventListener("change", () => onChange(list.value));
  const head = element("div", { class: "head" }, element("label", { for: id }, axis.name));
  return { node: element("div", { class: "axis" }, head, list, help(axis, id)), show: (value) => (list.value = value) };
}
