// Exact numbers in words, as the command line shows them.

/** Fractions of at most so many characters are shown as they are. */
const LONGEST_FRACTION = 64;

const magnitude = (number) => (number < 0n ? -number : number);

export function commonDivisor(a, b) {
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}

/** The fraction in lowest terms; its total is not 0. */
function lowestTerms({ weight, total }) {
  const divisor = commonDivisor(magnitude(weight), total);
  return { weight: weight / divisor, total: total / divisor };
}

/** How many bits a positive number has. */
function bits(number) {
  const digits = number.toString(16);
  return digits.length * 4 - Math.clz32(parseInt(digits[0], 16)) + 28;
}

/** The float nearest to a fraction whose total is not 0. */
export function quotient({ weight, total }) {
  const limit = BigInt(Number.MAX_SAFE_INTEGER);
  if (magnitude(weight) <= limit && total <= limit) return Number(weight) / Number(total);
  const positive = magnitude(weight);
  // At least 64 bits of the quotient, the last of which stands for all that follow.
  const shift = Math.max(0, 64 + bits(total) - bits(positive));
  const shifted = positive << BigInt(shift);
  const whole = shifted / total;
  const sticky = whole * total === shifted ? whole : whole | 1n;
  const value = timesTwoTo(Number(sticky), -shift);
  return weight < 0n ? -value : value;
}

/** Powers of two below the range of floats take several steps. */
function timesTwoTo(value, exponent) {
  for (; exponent < -960 && value > 0; exponent += 960) value *= 2 ** -960;
  return value * 2 ** exponent;
}

/** A probability as a float: 0 and 1 only if it is exactly that. */
export function share({ weight, total }) {
  const value = quotient({ weight, total });
  if (value <= 0 && weight > 0n) return Number.MIN_VALUE;
  if (value >= 1 && weight < total) return 1 - Number.EPSILON;
  return value;
}

/** The whole number nearest to a fraction that is not negative, halves up. */
const rounded = ({ weight, total }) => (2n * weight + total) / (2n * total);

const timesTenTo = (power, { weight, total }) => power < 0
  ? { weight, total: total * 10n ** BigInt(-power) }
  : { weight: weight * 10n ** BigInt(power), total };

/** A number of tenths, hundredths and so on: `1235` with two digits is `12.35`. */
function withPoint(number, digits) {
  const text = `${number}`.padStart(digits + 1, "0");
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** A probability in percent without the sign; what is not quite nothing or certain does not read as if it were. */
function hundredfold({ weight, total }, digits) {
  const certain = 100n * 10n ** BigInt(digits);
  const share = rounded({ weight: weight * certain, total });
  if (share === 0n && weight > 0n) return `<${withPoint(1n, digits)}`;
  if (share === certain && weight < total) return `>${withPoint(certain - 1n, digits)}`;
  return withPoint(share, digits);
}

/** `12.35%`, `<0.01%`, `>99.99%`. */
export const percent = (fraction) => `${hundredfold(fraction, 2)}%`;

/** `12%`, `<1%`, `>99%`. */
export const wholePercent = (fraction) => `${hundredfold(fraction, 0)}%`;

/** What lies between two fractions, with its sign and its size as `show` writes it; `0` if nothing does. */
function between(from, to, show) {
  const weight = to.weight * from.total - from.weight * to.total;
  if (weight === 0n) return "0";
  return (weight < 0n ? "−" : "+") + show({ weight: magnitude(weight), total: from.total * to.total });
}

/** The difference of two probabilities in points of a percent: `+3.25`, `−0.10`, `0`. */
export const points = (from, to) => between(from, to, (size) => hundredfold(size, 2));

/** The difference of two numbers: `+0.5`. */
export const difference = (from, to) => between(from, to, decimal);

/** `9/25`, `always`, `never`; a fraction that nobody would read, or whose opposite is one, as `≈ 1 in 1.3e7`. */
export function odds(fraction) {
  const { weight, total } = lowestTerms(fraction);
  if (weight === 0n) return "never";
  if (weight === total) return "always";
  const exact = `${weight}/${total}`;
  const opposite = `${total - weight}/${total}`;
  if (Math.max(exact.length, opposite.length) <= LONGEST_FRACTION) return exact;
  if (3n * weight < 2n * total) return `≈ 1 in ${oneIn({ weight, total })}`;
  return `≈ all but 1 in ${oneIn({ weight: total - weight, total })}`;
}

/** How many times as large the whole is: `3.7`, `42`, `12,345`, `1.3e9`. */
function oneIn({ weight, total }) {
  const times = { weight: total, total: weight };
  if (total >= 1_000_000n * weight) return scientific(times, 1);
  const digits = total % weight === 0n || 20n * total >= 399n * weight ? 0 : 1;
  return grouped(withPoint(rounded(timesTenTo(digits, times)), digits));
}

/**
 * A mean and the like: four places at the most, none where it is whole. What is not does not read as if it were:
 * `>0.9999`, `<7.0001`.
 */
export function decimal(fraction) {
  const { weight, total } = lowestTerms(fraction);
  if (total === 1n && `${weight}`.length <= 28) return `${weight}`;
  const size = { weight: magnitude(weight), total };
  const minus = weight < 0n ? "-" : "";
  if (1000n * size.weight < total || size.weight >= 10n ** 12n * total) return minus + scientific(size, 3);
  const steps = rounded(timesTenTo(4, size));
  if (steps % 10_000n !== 0n) return minus + withPoint(steps, 4).replace(/0+$/, "");
  // The whole number that it would read as is not it: the bound beside that is.
  const isMore = size.weight * 10_000n < steps * total;
  const sign = isMore === weight < 0n ? "<" : ">";
  return sign + minus + withPoint(steps + (isMore ? -1n : 1n), 4);
}

/** The fraction of a mean, if it is one and short. */
export function decimalFraction(fraction) {
  const { weight, total } = lowestTerms(fraction);
  const text = `${weight}/${total}`;
  return total === 1n || text.length > LONGEST_FRACTION ? "" : text;
}

/** A positive number of any size as `3.333e-7`. */
function scientific(size, places) {
  let exponent = `${size.weight}`.length - `${size.total}`.length;
  const first = timesTenTo(-exponent, size);
  if (first.weight < first.total) exponent -= 1;
  let mantissa = rounded(timesTenTo(places - exponent, size));
  if (mantissa === 10n ** BigInt(places + 1)) [mantissa, exponent] = [mantissa / 10n, exponent + 1];
  return `${withPoint(mantissa, places)}e${exponent}`;
}

/** Digits in groups of three from 10,000 on. */
function grouped(digits) {
  return digits.length < 5 ? digits : digits.replace(/\B(?=(\d{3})+$)/g, ",");
}

/** The shortest decimal that reads back as the same float, as tables have it: `0.36`, `1.0`, `1e-16`. */
export function shortest(value) {
  const [, sign, first, rest = "", power] = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(value.toExponential());
  const digits = first + rest;
  const point = Number(power) + 1;
  if (value === 0) return `${sign}0.0`;
  if (point > 16 || point <= -5) return `${sign}${first}${rest && `.${rest}`}e${point - 1}`;
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  return `${sign}${digits.slice(0, point).padEnd(point, "0")}.${digits.slice(point) || "0"}`;
}
