// Exact numbers in words, as the command line shows them.

/** Fractions of at most so many characters are shown as they are. */
const LONGEST_FRACTION = 64;

const magnitude = (number) => (number < 0n ? -number : number);

function commonDivisor(a, b) {
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
function quotient({ weight, total }) {
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

/** A decimal with so many places, halves rounded to even: `toFixed` rounds them up. */
function fixed(value, places) {
  const further = 60;
  const exact = value.toFixed(places + further);
  const cut = exact.slice(0, -further).replace(/\.$/, "");
  const isHalf = /^50*$/.test(exact.slice(-further));
  const isEven = "02468".includes(cut.at(-1));
  return isHalf && isEven ? cut : value.toFixed(places);
}

/** A probability as a float: 0 and 1 only if it is exactly that. */
function share({ weight, total }) {
  const value = quotient({ weight, total });
  if (value <= 0 && weight > 0n) return Number.MIN_VALUE;
  if (value >= 1 && weight < total) return 1 - Number.EPSILON;
  return value;
}

/** The whole number nearest to a fraction that is not negative, halves up. */
const rounded = ({ weight, total }) => (2n * weight + total) / (2n * total);

/** A number of hundredths: `1235` is `12.35`. */
const hundredths = (number) => `${number}`.padStart(3, "0").replace(/..$/, ".$&");

/** `12.35%`; what is not quite nothing or certain does not read as if it were. */
function percent({ weight, total }) {
  const share = rounded({ weight: weight * 10_000n, total });
  if (share === 0n && weight > 0n) return "<0.01%";
  if (share === 10_000n && weight < total) return ">99.99%";
  return `${hundredths(share)}%`;
}

/** The same without digits after the point: `12%`, `>99%`. */
function wholePercent({ weight, total }) {
  const share = rounded({ weight: weight * 100n, total });
  if (share === 0n && weight > 0n) return "<1%";
  if (share === 100n && weight < total) return ">99%";
  return `${share}%`;
}

/** The difference of two probabilities in points of a percent: `+3.25`, `−0.10`, `0`. */
function points(from, to) {
  const weight = to.weight * from.total - from.weight * to.total;
  if (weight === 0n) return "0";
  const sign = weight < 0n ? "−" : "+";
  const share = rounded({ weight: magnitude(weight) * 10_000n, total: from.total * to.total });
  return share === 0n ? `${sign}<0.01` : sign + hundredths(share);
}

/** The difference of two numbers: `+0.5`. */
function difference(from, to) {
  const weight = to.weight * from.total - from.weight * to.total;
  if (weight === 0n) return "0";
  return (weight < 0n ? "−" : "+") + decimal({ weight: magnitude(weight), total: from.total * to.total });
}

/** `9/25`, `always`, `never`; a fraction that nobody would read, or whose opposite is one, as `≈ 1 in 1.3e7`. */
function odds(fraction) {
  const { weight, total } = lowestTerms(fraction);
  if (weight === 0n) return "never";
  if (weight === total) return "always";
  const exact = `${weight}/${total}`;
  const opposite = `${total - weight}/${total}`;
  if (Math.max(exact.length, opposite.length) <= LONGEST_FRACTION) return exact;
  if (3n * weight < 2n * total) return `≈ 1 in ${oneIn({ weight, total })}`;
  return `≈ all but 1 in ${oneIn({ weight: total - weight, total })}`;
}

function oneIn({ weight, total }) {
  const value = quotient({ weight: total, total: weight });
  if (value < 20) return fixed(value, 1);
  return value < 1e6 ? grouped(fixed(value, 0)) : scientific({ weight: total, total: weight }, 1);
}

/**
 * A mean and the like: four places at the most, none where it is whole. What is not does not read as if it were:
 * `>0.9999`, `<7.0001`.
 */
function decimal(fraction) {
  const { weight, total } = lowestTerms(fraction);
  if (total === 1n && `${weight}`.length <= 28) return `${weight}`;
  const value = quotient({ weight, total });
  if (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e12) return scientific({ weight, total }, 3);
  const text = fixed(value, 4).replace(/\.?0+$/, "");
  if (text.includes(".")) return text;
  const whole = BigInt(text);
  const isAbove = weight > whole * total;
  const parts = whole * 10_000n + (isAbove ? 1n : -1n);
  const digits = `${magnitude(parts)}`.padStart(5, "0");
  return `${isAbove ? "<" : ">"}${parts < 0n ? "-" : ""}${digits.slice(0, -4)}.${digits.slice(-4)}`;
}

/** The fraction of a mean, if it is one and short. */
function decimalFraction(fraction) {
  const { weight, total } = lowestTerms(fraction);
  const text = `${weight}/${total}`;
  return total === 1n || text.length > LONGEST_FRACTION ? "" : text;
}

/** A number of any size as `3.333e-7`. */
function scientific({ weight, total }, places) {
  const guess = `${magnitude(weight)}`.length - `${total}`.length;
  const up = 10n ** BigInt(Math.max(0, -guess));
  const down = 10n ** BigInt(Math.max(0, guess));
  let mantissa = quotient({ weight: weight * up, total: total * down });
  let exponent = guess;
  if (Math.abs(mantissa) < 1) [mantissa, exponent] = [mantissa * 10, exponent - 1];
  const text = fixed(mantissa, places);
  const overflows = /^-?10/.test(text);
  return overflows ? `${text.replace("10", "1")}e${exponent + 1}` : `${text}e${exponent}`;
}

/** Digits in groups of three from 10,000 on. */
function grouped(digits) {
  return digits.length < 5 ? digits : digits.replace(/\B(?=(\d{3})+$)/g, ",");
}

/** The shortest decimal that reads back as the same float, as tables have it: `0.36`, `1.0`, `1e-16`. */
function shortest(value) {
  const [, sign, first, rest = "", power] = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(value.toExponential());
  const digits = first + rest;
  const point = Number(power) + 1;
  if (value === 0) return `${sign}0.0`;
  if (point > 16 || point <= -5) return `${sign}${first}${rest && `.${rest}`}e${point - 1}`;
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  return `${sign}${digits.slice(0, point).padEnd(point, "0")}.${digits.slice(point) || "0"}`;
}
