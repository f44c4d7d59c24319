// Numbers in words, where the sample of configurations would hardly reach.

import assert from "node:assert/strict";
import { test } from "node:test";

import { decimal, odds, percent, points, quotient, shortest, wholePercent } from "../../crates/report/page/shared/numbers.js";

const over = (weight, total) => ({ weight: BigInt(weight), total: BigInt(total) });

test("halves of means go away from 0", () => {
  const shown = [over(1, 32), over(3, 32), over(-33, 32), over(100_015, 100_000), over(100_025, 100_000)].map(decimal);
  assert.deepEqual(shown, ["0.0313", "0.0938", "-1.0313", "1.0002", "1.0003"]);
});

test("what is not quite nothing or certain does not read as if it were", () => {
  const tiny = over(1, 10n ** 400n);
  const nearly = { weight: tiny.total - 1n, total: tiny.total };
  const shown = [over(0, 7), tiny, over(1, 10_000_000), over(9, 25), over(9_999_999, 10_000_000), nearly, over(7, 7)];
  assert.deepEqual(shown.map(percent), ["0.00%", "<0.01%", "<0.01%", "36.00%", ">99.99%", ">99.99%", "100.00%"]);
});

test("whole percentages do not claim certainty either", () => {
  const shown = [over(799, 800), over(1, 800), over(1, 8), over(0, 7), over(7, 7)].map(wholePercent);
  assert.deepEqual(shown, [">99%", "<1%", "13%", "0%", "100%"]);
});

test("percentages are rounded from the whole numbers, halves up", () => {
  const shown = [over(88_625, 100_000), over(1, 3), over(2, 3), over(12_345, 10n ** 6n), over(5, 10n ** 5n)].map(percent);
  assert.deepEqual(shown, ["88.63%", "33.33%", "66.67%", "1.23%", "0.01%"]);
});

test("quotients are the nearest floats at every size", () => {
  for (let size = 1n; size < 400n; size += 7n) {
    assert.equal(quotient(over(10n ** size, 8n * 10n ** size)), 0.125);
  }
  assert.equal(quotient(over(-(2n ** 200n) / 3n, 2n ** 200n)), -1 / 3);
  assert.equal(quotient(over(1, 10n ** 300n)), 1e-300);
  assert.equal(quotient(over(1, 10n ** 320n)), 1e-320);
  assert.equal(quotient(over(10n ** 300n, 1)), 1e300);
});

test("decimals in tables are the shortest that read back", () => {
  const values = [0, 1, 0.36, 1e-16, 0.00001, 0.000012, 1e-6, 1e-7, 123456.5, 1e15, 1e16, 1.5e20, -0.25];
  const shown = ["0.0", "1.0", "0.36", "1e-16", "0.00001", "0.000012", "1e-6", "1e-7", "123456.5", "1000000000000000.0", "1e16", "1.5e20", "-0.25"];
  assert.deepEqual(values.map(shortest), shown);
});

test("means keep four places, and are whole where they are", () => {
  const means = [over(15869, 1296), over(7, 2), over(-14, 2), over(1, 3_000_000), over(0, 7), over(-99_999_999, 10n ** 14n), over(2, 10n ** 400n)];
  assert.deepEqual(means.map(decimal), ["12.2446", "3.5", "-7", "3.333e-7", "0", "-1.000e-6", "2.000e-400"]);
});

test("fractions are in lowest terms, until nobody would read them", () => {
  assert.deepEqual([over(36, 100), over(0, 100), over(100, 100)].map(odds), ["9/25", "never", "always"]);
  assert.equal(odds(over(1, 6n ** 1000n)), "≈ 1 in 1.4e778");
  assert.equal(odds(over(10n ** 50n - 10n ** 46n, 10n ** 50n + 1n)), "≈ all but 1 in 10,000");
});

test("differences are in points of a percent", () => {
  assert.equal(points(over(1, 4), over(1, 3)), "+8.33");
  assert.equal(points(over(1, 3), over(1, 4)), "−8.33");
  assert.equal(points(over(1, 3), over(2, 6)), "0");
  assert.equal(points(over(1, 3), over(10n ** 9n + 1n, 3n * 10n ** 9n)), "+<0.01");
});
