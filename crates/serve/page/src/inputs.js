// Axes and parameters as the server's overview tells of them, read into values.

/** So many values have a slider; of more there is one around the default. */
const LONGEST_SLIDER = 60;
/** How far a slider goes from the default where the domain is larger than that. */
const AROUND = 20;

/** `-5..=5` or `ok | hurt`, read: `{ low, high }` or `{ labels }`. */
function domain(text) {
  const range = /^(-?\d+)\.\.=(-?\d+)$/.exec(text);
  return range === null ? { labels: text.split(" | ") } : { low: Number(range[1]), high: Number(range[2]) };
}

/** The default of a list has a part for each element. */
function elements({ name, label, default: home }) {
  if (!home.startsWith("[")) return [{ name, label, home }];
  return home.slice(1, -1).split(",").map((part, at) => ({ name: `${name}[${at}]`, label: label && `${label}[${at}]`, home: part }));
}

/** What a slider goes over: the domain, unless it is too long to hit a value. */
function slider({ low, high }, home) {
  const isLong = high - low > LONGEST_SLIDER;
  const from = isLong ? Math.max(low, Number(home) - AROUND) : low;
  const to = isLong ? Math.min(high, Number(home) + AROUND) : high;
  return { steps: Array.from({ length: to - from + 1 }, (_, at) => from + at), scale: `from ${from} to ${to}` };
}

/** The inputs of an overview: of a list one for each element. */
function read(overview, role) {
  return elements(overview).map(({ name, label, home }) => {
    const own = domain(overview.values);
    return {
      name, label, home, role,
      valueLabels: overview.value_labels,
      ...own,
      ...(own.labels ? {} : slider(own, home)),
      values: overview.values,
      sweep: overview.sweep,
      help: overview.help,
      reading: overview.reading,
    };
  });
}

/** All inputs of a check: its axes, then the parameters. */
export function inputsOf(overview, check) {
  return [
    ...check.axes.flatMap((axis) => read(axis, "axis")),
    ...overview.parameters.flatMap((parameter) => read(parameter, "parameter")),
  ];
}
