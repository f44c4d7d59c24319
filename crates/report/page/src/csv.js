// All configurations as a table, byte for byte as `oddsmith table --sweep all --exact` writes it.

import { csvField } from "../shared/forms.js";
import { commonDivisor, quotient, shortest } from "../shared/numbers.js";

/** Plain probabilities share one total; other answers have their own. */
const sharesTotal = (column) => !["conditional", "number"].includes(column.kind);

/** A decimal; `inf` without end, and nothing where there is no answer. */
function csvDecimal({ weight, total }) {
  if (total !== 0n) return shortest(quotient({ weight, total }));
  if (weight === 0n) return "";
  return weight < 0n ? "-inf" : "inf";
}

/** The least total over which all of these can be written; they mostly have the same. */
function commonTotal(answers) {
  const total = answers[0].total;
  if (answers.every((answer) => answer.total === total)) return total;
  return answers.reduce((lcm, answer) => (lcm / commonDivisor(lcm, answer.total)) * answer.total, total);
}

/** Weights over the common total, then weight and total of every other answer. */
function csvExact(columns, answers) {
  const common = answers.filter((_, at) => sharesTotal(columns[at]));
  const own = answers.filter((_, at) => !sharesTotal(columns[at]));
  const cells = own.flatMap(({ weight, total }) => [weight, total]);
  if (common.length === 0) return cells;
  const total = commonTotal(common);
  return [...common.map((answer) => answer.weight * (total / answer.total)), total, ...cells];
}

function csvHead({ axes, columns }) {
  const common = columns.filter(sharesTotal).map(({ name }) => `weight:${name}`);
  const own = columns.filter((column) => !sharesTotal(column));
  const names = [
    ...axes.map(({ name }) => name),
    ...columns.map(({ name }) => name),
    ...common,
    ...(common.length > 0 ? ["total"] : []),
    ...own.flatMap(({ name }) => [`weight:${name}`, `total:${name}`]),
  ];
  return names.map(csvField).join(",");
}

/** The whole table of a check. Configurations that the rules forbid have no row. */
export function csv(check) {
  const lines = [csvHead(check)];
  for (let place = 0; place < check.count; place += 1) {
    const answers = check.answersAt(place);
    if (answers === null) continue;
    const values = check.valuesAt(place).map(csvField);
    lines.push([...values, ...answers.map(csvDecimal), ...csvExact(check.columns, answers)].join(","));
  }
  return `${lines.join("\n")}\n`;
}
