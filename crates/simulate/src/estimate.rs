//! Estimates from trials with their errors, and how surprising they would be if a given answer were true.
//!
//! All of it is arithmetic on sums ([`Sums`]); where an answer comes from is no concern of this module. In the
//! formulas n is the number of trials, s² the sample variance and z the [`SPREAD`] of an interval.

use oddsmith_rules::QueryKind;
use statrs::distribution::{ChiSquared, ContinuousCDF as _};
use statrs::function::erf::erfc;

use crate::Sums;

/// 95 % of a normal distribution are within this many standard deviations of its mean; so wide, on either side,
/// are the intervals of [`Estimate`].
pub const SPREAD: f64 = 1.959_963_984_540_054;

/// Cells of a [`chi_square`] test that are expected less often than this are taken together.
pub const LEAST_EXPECTED: f64 = 5.0;

/// An estimate: what trials say of one query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The share of trials, the mean, or the variance.
    pub value: f64,
    /// How far off `value` is, typically: its own standard deviation, estimated from the same trials.
    pub std_error: f64,
    /// The lower end of a 95 % interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// The estimate of a query of this kind; none without trials, or from one trial for a variance or a standard deviation,
    /// or where a trial that was stopped has no value. There is none of a median and the like, which no sums tell.
    ///
    /// ```
    /// # use oddsmith_simulate::{Estimate, Sums};
    /// # let check = oddsmith_rules::expression("1d2", "<expression>").unwrap();
    /// let query = check.query("P(value == 2)", "<query>").unwrap();
    /// let sums = Sums { trials: 100, powers: vec![50], unfinished: 0 };
    /// let half = Estimate::of(&query.kind, &sums).unwrap();
    /// assert_eq!((half.value, half.std_error), (0.5, 0.05));
    /// ```
    #[must_use]
    pub fn of(kind: &QueryKind, sums: &Sums) -> Option<Self> {
        if sums.trials == 0 || sums.unfinished > 0 {
            return None;
        }
        match kind {
            QueryKind::Probability(_) => Self::of_share(sums),
            QueryKind::Mean(_) => Some(Self::mean(sums)),
            QueryKind::Variance(_) => (sums.trials > 1).then(|| Self::variance(sums)),
            QueryKind::Deviation(_) => (sums.trials > 1).then(|| Self::deviation(sums)),
            QueryKind::Statistic(..) => None,
        }
    }

    /// The estimate of a probability; none without trials.
    #[must_use]
    pub fn of_share(sums: &Sums) -> Option<Self> {
        (sums.trials > 0).then(|| Self::share(sums))
    }

    /// A probability: `value = p = count / n`, `std_error = sqrt(p (1 - p) / n)`, and Wilson's interval
    /// (E. B. Wilson, *Probable inference*, JASA 22, 1927),
    ///
    /// `(p + z²/2n ± z sqrt(p (1 - p) / n + z²/4n²)) / (1 + z²/n)`,
    ///
    /// which stays within 0 and 1 and has a width even where nothing, or everything, was seen.
    fn share(sums: &Sums) -> Self {
        let (n, count) = (sums.trials as f64, sums.power(1) as f64);
        let (p, square) = (count / n, SPREAD * SPREAD);
        let middle = (p + square / (2.0 * n)) / (1.0 + square / n);
        let variance = p * (1.0 - p) / n;
        let half = SPREAD * (variance + square / (4.0 * n * n)).sqrt() / (1.0 + square / n);
        Self {
            value: p,
            std_error: variance.sqrt(),
            low: if p > 0.0 { middle - half } else { 0.0 },
            high: if p < 1.0 { middle + half } else { 1.0 },
        }
    }

    /// A mean: `std_error = sqrt(s² / n)`, infinite with one trial, which says nothing of its spread.
    fn mean(sums: &Sums) -> Self {
        let moments = Moments::of(sums);
        let std_error = match sums.trials {
            1 => f64::INFINITY,
            _ => (moments.variance() / moments.n).sqrt(),
        };
        Self::normal(moments.mean, std_error)
    }

    /// A variance: `value = s²`, whose error is that of [`variance_error`] with the sample's own moments.
    fn variance(sums: &Sums) -> Self {
        let moments = Moments::of(sums);
        let variance = moments.variance();
        let error = variance_error(variance, moments.fourth / moments.n, moments.n);
        Self::normal(variance, error)
    }

    /// A standard deviation: `value = s`, whose error is that of s² divided by `2 s`, as far as that is linear; the ends of
    /// the interval are the roots of those of s².
    fn deviation(sums: &Sums) -> Self {
        let square = Self::variance(sums);
        let value = square.value.sqrt();
        let std_error = match value > 0.0 {
            true => square.std_error / (2.0 * value),
            false => 0.0,
        };
        Self {
            value,
            std_error,
            low: square.low.max(0.0).sqrt(),
            high: square.high.sqrt(),
        }
    }

    /// The interval of a normal distribution: `value ± z std_error`.
    fn normal(value: f64, std_error: f64) -> Self {
        Self {
            value,
            std_error,
            low: value - SPREAD * std_error,
            high: value + SPREAD * std_error,
        }
    }
}

impl Sums {
    /// The sum of the values' `power`-th powers.
    fn power(&self, power: usize) -> i128 {
        self.powers.get(power - 1).copied().unwrap_or(0)
    }
}

/// Sums of powers about the mean.
struct Moments {
    n: f64,
    mean: f64,
    /// `Σ (x - mean)²`
    second: f64,
    /// `Σ (x - mean)⁴`
    fourth: f64,
}

impl Moments {
    /// The sums are first moved to the whole number `c` nearest the mean, in integers, so that nothing cancels
    /// where the mean is large beside the spread; what is left to move is at most 1/2.
    fn of(sums: &Sums) -> Self {
        let n = i128::from(sums.trials);
        let [s1, s2, s3, s4] = [1, 2, 3, 4].map(|power| sums.power(power));
        // `Σ (x - c)⁴` is at most about `16 Σ x⁴`.
        let has_room = s2.max(s4) < i128::MAX / 32;
        let c = if has_room {
            (2 * s1 + n).div_euclid(2 * n)
        } else {
            0
        };
        let [n, t1, t2, t3, t4] = moved([n, s1, s2, s3, s4], c).map(|sum| sum as f64);
        let d = t1 / n;
        Self {
            n,
            mean: c as f64 + d,
            second: (t2 - d * t1).max(0.0),
            fourth: (t4 - d * (4.0 * t3 - d * (6.0 * t2 - 3.0 * d * t1))).max(0.0),
        }
    }

    fn variance(&self) -> f64 {
        self.second / (self.n - 1.0)
    }
}

/// `Σ (x - c)^k` from `Σ x^k`, for k from 0 to 4.
///
/// Each pass makes one more factor `x` of what is summed into `x - c`. On the way numbers may wrap; the results
/// are right nevertheless if they fit, since all of it is right modulo 2^128.
fn moved(mut sums: [i128; 5], c: i128) -> [i128; 5] {
    for pass in 1..=4 {
        for k in (pass..=4).rev() {
            sums[k] = sums[k].wrapping_sub(c.wrapping_mul(sums[k - 1]));
        }
    }
    sums
}

/// The standard deviation of the share of `trials` in which something of probability `p` happens:
/// `sqrt(p (1 - p) / n)`.
///
/// ```
/// assert_eq!(oddsmith_simulate::share_error(0.5, 100), 0.05);
/// ```
#[must_use]
pub fn share_error(p: f64, trials: u64) -> f64 {
    (p * (1.0 - p) / trials as f64).sqrt()
}

/// The standard deviation of a mean of `trials` values: `sqrt(variance / n)`.
///
/// ```
/// assert_eq!(oddsmith_simulate::mean_error(9.0, 100), 0.3);
/// ```
#[must_use]
pub fn mean_error(variance: f64, trials: u64) -> f64 {
    (variance / trials as f64).sqrt()
}

/// The standard deviation of the sample variance of `n` values that have this variance and this fourth central
/// moment: `sqrt((fourth - variance² (n - 3) / (n - 1)) / n)`, for `n` from 2 on.
///
/// ```
/// // Of two coins, each 0 or 2, the variance is 0 or 2, each half of the time.
/// assert_eq!(oddsmith_simulate::variance_error(1.0, 1.0, 2.0), 1.0);
/// ```
#[must_use]
pub fn variance_error(variance: f64, fourth: f64, n: f64) -> f64 {
    let spread = fourth - variance * variance * (n - 3.0) / (n - 1.0);
    (spread.max(0.0) / n).sqrt()
}

/// How many standard errors an estimate is above an answer; infinite if it may not differ but does, none if it
/// may not and does not.
///
/// ```
/// assert_eq!(oddsmith_simulate::z(3.0, 2.0, 0.5), Some(2.0));
/// ```
#[must_use]
pub fn z(estimate: f64, answer: f64, std_error: f64) -> Option<f64> {
    let difference = estimate - answer;
    let is_certain = std_error == 0.0;
    let z = if is_certain && difference != 0.0 {
        f64::INFINITY.copysign(difference)
    } else {
        difference / std_error
    };
    (!z.is_nan()).then_some(z)
}

/// The chance that a normal distribution is at least `z` standard deviations from its mean, on either side.
///
/// ```
/// let p = oddsmith_simulate::normal_p_value(oddsmith_simulate::SPREAD);
/// assert!((p - 0.05).abs() < 1e-9);
/// ```
#[must_use]
pub fn normal_p_value(z: f64) -> f64 {
    erfc(z.abs() / std::f64::consts::SQRT_2)
}

/// No less than the chance that a mean of `n` values is at least `difference` from the true one, on either side,
/// if every value is within `reach` of the true mean and has this variance.
///
/// Bernstein's inequality: `2 exp(-n t² / (2 (variance + reach t / 3)))` for a difference of `t`. Unlike the
/// normal tail it holds for any number of trials and however rare what the mean hangs on; where the normal
/// distribution is right it is about `2.5 |z|` times as much.
///
/// ```
/// // Coins of -1 and 1: 2 exp(-100 / (2 (1 + 1/3))) for a hundred of them that are all alike.
/// let p = oddsmith_simulate::bernstein_p_value(1.0, 100, 1.0, 1.0);
/// assert!((p / 1.035e-16 - 1.0).abs() < 0.01);
/// ```
#[must_use]
pub fn bernstein_p_value(difference: f64, trials: u64, variance: f64, reach: f64) -> f64 {
    let t = difference.abs();
    if t == 0.0 {
        return 1.0;
    }
    let exponent = trials as f64 * t * t / (2.0 * (variance + reach * t / 3.0));
    (2.0 * (-exponent).exp()).min(1.0)
}

/// The chance of a count as far out as this one, on either side, of something with the probability `p`: twice
/// the smaller tail of the binomial distribution, this count included, and at most 1.
///
/// It is exact, so a test at any level is wrong no more often than that level says: twice a tail is never less
/// than what is as far out on both sides (C. J. Clopper and E. S. Pearson, Biometrika 26, 1934). A normal
/// approximation is wrong by powers of ten out there, and more so for what is rare.
///
/// ```
/// // Ten heads of ten coins, or ten tails.
/// let p = oddsmith_simulate::binomial_p_value(10, 10, 0.5);
/// assert!((p - 2.0 / 1024.0).abs() < 1e-15);
/// ```
#[must_use]
pub fn binomial_p_value(count: u64, trials: u64, p: f64) -> f64 {
    let expected = trials as f64 * p;
    let tail = if p <= 0.0 || p >= 1.0 {
        let is_right = count == if p <= 0.0 { 0 } else { trials };
        f64::from(u8::from(is_right))
    } else if count as f64 > expected {
        upper_tail(count as f64, trials as f64, p, 1.0 - p)
    } else if (count as f64) < expected {
        upper_tail((trials - count) as f64, trials as f64, 1.0 - p, p)
    } else {
        1.0
    };
    (2.0 * tail).min(1.0)
}

/// `P(X >= k)` of a binomial distribution, for a `k` above its mean, where `q = 1 - p`.
///
/// The terms from `k` on fall faster and faster, each from the one before; they are summed until what is left
/// can't be seen. That takes some standard deviations of terms, a million for 10^11 trials. Continued fractions
/// take less, but those of libraries stop long before they are right for so many trials.
fn upper_tail(k: f64, n: f64, p: f64, q: f64) -> f64 {
    let (mut at, mut term, mut sum) = (k, 1.0, 1.0);
    while at < n {
        let ratio = (n - at) / (at + 1.0) * (p / q);
        term *= ratio;
        sum += term;
        at += 1.0;
        if term * ratio < sum * f64::EPSILON * (1.0 - ratio) {
            break;
        }
    }
    binomial_weight(k, n, p, q) * sum
}

/// `P(X = k)` of a binomial distribution, for `k` from 1 to `n`.
///
/// Deviances instead of factorials, so that it is right for any `n` (C. Loader, *Fast and accurate computation
/// of binomial probabilities*, 2000).
fn binomial_weight(k: f64, n: f64, p: f64, q: f64) -> f64 {
    if k >= n {
        return (n * if p < 0.5 { p.ln() } else { (-q).ln_1p() }).exp();
    }
    let corrections = stirling_error(n) - stirling_error(k) - stirling_error(n - k);
    let deviances = deviance(k, n * p) + deviance(n - k, n * q);
    let scale = n / (std::f64::consts::TAU * k * (n - k));
    (corrections - deviances).exp() * scale.sqrt()
}

/// `ln n! - ln(sqrt(2π n) (n / e)^n)` for a whole number from 1 on.
fn stirling_error(n: f64) -> f64 {
    if n < 16.0 {
        let (mut factorial, mut factor) = (1.0, n);
        while factor > 1.0 {
            factorial *= factor;
            factor -= 1.0;
        }
        return f64::ln(factorial) - (n + 0.5) * n.ln() + n - 0.5 * std::f64::consts::TAU.ln();
    }
    let square = n * n;
    let tail = (1.0 / 1260.0 - (1.0 / 1680.0 - 1.0 / 1188.0 / square) / square) / square;
    (1.0 / 12.0 - (1.0 / 360.0 - tail) / square) / n
}

/// `x ln(x / expected) + expected - x`, without cancelling where the two are near: with
/// `v = (x - expected) / (x + expected)` it is `(x - expected) v + 2x (v³/3 + v⁵/5 + …)`.
fn deviance(x: f64, expected: f64) -> f64 {
    if x == 0.0 {
        return expected;
    }
    let difference = x - expected;
    let v = difference / (x + expected);
    if v.abs() >= 0.1 {
        return x * (x / expected).ln() - difference;
    }
    let (mut sum, mut power) = (difference * v, 2.0 * x * v);
    for odd in (3..40).step_by(2) {
        power *= v * v;
        sum += power / f64::from(odd);
        if power.abs() < sum * f64::EPSILON {
            break;
        }
    }
    sum
}

/// How well counts fit probabilities, all cells together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChiSquare {
    /// Pearson's `Σ (count - expected)² / expected`.
    pub statistic: f64,
    /// Degrees of freedom: one fewer than there are cells, with those taken together that are rare.
    pub df: u32,
    /// The chance of a statistic as large, by the chi-square distribution. Good to judge by eye; far out in the
    /// tail it is too small by factors, the more so the rarer the cells.
    pub p: f64,
    /// No less than the chance of counts as far off, measured by their likelihood: `e^-x (e x / df)^df` where
    /// `x = Σ count ln(count / expected)` is above `df` (R. Agrawal, *Finite-sample concentration of the
    /// multinomial in relative entropy*, 2020). To judge by where a mistake must be rarer than some level.
    pub bound: f64,
}

/// Pearson's test of counts, one for each cell of a partition, against the cells' probabilities; none if there
/// is nothing to compare.
///
/// Cells that are expected fewer than [`LEAST_EXPECTED`] times are taken together, with the next larger one if
/// need be.
///
/// ```
/// let fit = oddsmith_simulate::chi_square(&[45, 55], &[0.5, 0.5]).unwrap();
/// assert_eq!((fit.statistic, fit.df), (1.0, 1));
/// ```
#[must_use]
pub fn chi_square(counts: &[u64], probabilities: &[f64]) -> Option<ChiSquare> {
    let n = counts.iter().sum::<u64>() as f64;
    let cells = counts.iter().zip(probabilities);
    let cells = pooled(cells.map(|(&count, p)| (count as f64, n * p)).collect());
    let df = u32::try_from(cells.len()).ok()?.checked_sub(1)?;
    if df == 0 {
        return None;
    }
    let sum = |term: fn(&(f64, f64)) -> f64| cells.iter().map(term).sum::<f64>();
    let statistic = sum(|(count, expected)| (count - expected).powi(2) / expected);
    let distance = sum(|(count, expected)| deviance(*count, *expected));
    Some(ChiSquare {
        statistic,
        df,
        p: chi_square_tail(statistic, df),
        bound: multinomial_bound(distance, f64::from(df)),
    })
}

/// Counts and what is expected, the rare ones in one cell.
fn pooled(mut cells: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    cells.sort_by(|(_, one), (_, other)| one.total_cmp(other));
    let mut rare = (0.0, 0.0);
    let is_kept = |(count, expected): &(f64, f64)| {
        if rare.1 >= LEAST_EXPECTED && *expected >= LEAST_EXPECTED {
            return true;
        }
        rare = (rare.0 + count, rare.1 + expected);
        false
    };
    cells.retain(is_kept);
    cells.push(rare);
    cells
}

fn chi_square_tail(statistic: f64, df: u32) -> f64 {
    match ChiSquared::new(f64::from(df)) {
        Ok(distribution) => distribution.sf(statistic).clamp(0.0, 1.0),
        Err(_) => 1.0,
    }
}

fn multinomial_bound(distance: f64, df: f64) -> f64 {
    if distance <= df {
        return 1.0;
    }
    (df * (1.0 + (distance / df).ln()) - distance).exp()
}

#[cfg(test)]
mod tests {
    use super::{
        ChiSquare, Estimate, Moments, Sums, bernstein_p_value, binomial_p_value, binomial_weight,
        chi_square, normal_p_value, z,
    };
    use oddsmith_rules::QueryKind;

    fn near(ours: f64, known: f64) {
        within(1e-11, ours, known);
    }

    fn within(error: f64, ours: f64, known: f64) {
        let is_near = (ours - known).abs() <= error * known.abs();
        assert!(is_near, "{ours:e}, not {known:e}");
    }

    fn sums(values: &[i64]) -> Sums {
        let power = |k| values.iter().map(|&x| i128::from(x).pow(k)).sum();
        Sums {
            trials: values.len() as u64,
            powers: (1..=4).map(power).collect(),
            unfinished: 0,
        }
    }

    fn kind(text: &str) -> QueryKind {
        let check = oddsmith_rules::expression("1d6", "<expression>").expect("it reads");
        check.query(text, "<query>").expect("it reads").kind
    }

    fn share(count: i128, trials: u64) -> Estimate {
        let sums = Sums {
            trials,
            powers: vec![count],
            unfinished: 0,
        };
        Estimate::of(&kind("P(value==1)"), &sums).expect("there are trials")
    }

    /// The first two are R. G. Newcombe's examples (Statistics in Medicine 17, 1998), method 3.
    #[test]
    fn wilson_s_interval_is_the_published_one() {
        for (count, trials, low, high) in [
            (81, 263, 0.255_288_519_878_274_2, 0.366_209_576_982_800_04),
            (15, 148, 0.062_386_399_530_736_3, 0.160_487_241_723_308_03),
            (1, 29, 0.006_113_214_292_762_667, 0.171_755_218_793_202_82),
        ] {
            let estimate = share(count, trials);
            near(estimate.low, low);
            near(estimate.high, high);
        }
    }

    #[test]
    fn never_and_always_have_intervals_too() {
        let (never, always) = (share(0, 20), share(20, 20));
        assert_eq!((never.value, never.std_error, never.low), (0.0, 0.0, 0.0));
        near(never.high, 0.161_125_158_052_819_35);
        assert_eq!((always.value, always.high), (1.0, 1.0));
        near(1.0 - always.low, never.high);
    }

    #[test]
    fn means_and_variances_are_those_of_the_values() {
        let sums = sums(&[1, 2, 2, 3, 7, 7, 10, -4]);
        let mean = Estimate::of(&kind("mean(value)"), &sums).expect("trials");
        near(mean.value, 3.5);
        near(mean.std_error, (19.142_857_142_857_142_f64 / 8.0).sqrt());
        near(
            mean.high - mean.low,
            2.0 * 1.959_963_984_540_054 * mean.std_error,
        );
        let variance = Estimate::of(&kind("variance(value)"), &sums).expect("trials");
        near(variance.value, 19.142_857_142_857_142);
        let spread: f64 = 662.3125 - 19.142_857_142_857_142_f64.powi(2) * 5.0 / 7.0;
        near(variance.std_error, (spread / 8.0).sqrt());
    }

    #[test]
    fn little_is_known_from_one_trial_and_nothing_from_none() {
        let [probability, mean, variance] =
            ["P(value==1)", "mean(value)", "variance(value)"].map(kind);
        let one = sums(&[3]);
        let known = Estimate::of(&mean, &one).expect("a value");
        assert_eq!((known.value, known.std_error), (3.0, f64::INFINITY));
        assert_eq!((known.low, known.high), (f64::NEG_INFINITY, f64::INFINITY));
        assert_eq!(Estimate::of(&variance, &one), None);
        for kind in [probability, mean, variance] {
            assert_eq!(Estimate::of(&kind, &sums(&[])), None);
        }
    }

    /// The variance of values far from 0 is that of the same values near it.
    #[test]
    fn nothing_cancels_far_from_zero() {
        let values: Vec<i64> = (0..1000).map(|i| i * i % 17).collect();
        let here = Moments::of(&sums(&values));
        for shift in [1_000_003, -30_000_001] {
            let moved: Vec<i64> = values.iter().map(|x| x + shift).collect();
            let there = Moments::of(&sums(&moved));
            near(there.second, here.second);
            near(there.fourth, here.fourth);
            near(there.mean, here.mean + shift as f64);
        }
    }

    #[test]
    fn sums_without_room_to_move_are_used_as_they_are() {
        let x = 1_i128 << 31;
        let huge = Sums {
            trials: 4,
            powers: vec![0, 4 * x * x, 0, 4 * x.pow(4)],
            unfinished: 0,
        };
        let moments = Moments::of(&huge);
        near(moments.second, 4.0 * 2_f64.powi(62));
        near(moments.fourth, 4.0 * 2_f64.powi(124));
    }

    /// With 50 digits, from the definition.
    #[test]
    fn binomial_tails_are_right_for_any_number_of_trials() {
        for (count, trials, p, known) in [
            (8, 10, 0.5, 0.109_375),
            (0, 10, 0.25, 0.112_627_029_418_945),
            (10, 10, 0.9, 0.697_356_880_2),
            (17, 100, 0.05, 1.885_806_130_747_3e-5),
            (3, 1_000_000, 1e-7, 0.000_309_305_280_934_221),
            (50_030_000, 100_000_000, 0.5, 1.974_388_703_543_179e-9),
            (1_010_600, 100_000_000, 0.01, 2.058_971_446_841_703e-26),
            (30, 100_000_000, 1e-7, 5.019_892_647_104_812e-7),
            (
                99_999_960,
                100_000_000,
                0.999_999_9,
                1.468_320_784_913_024e-12,
            ),
        ] {
            within(1e-10, binomial_p_value(count, trials, p), known);
        }
    }

    #[test]
    fn what_is_certain_allows_no_exception() {
        for (count, trials, p, known) in [
            (0, 100, 0.0, 1.0),
            (1, 100, 0.0, 0.0),
            (100, 100, 1.0, 1.0),
            (99, 100, 1.0, 0.0),
            (0, 0, 0.5, 1.0),
            (0, 1_000_000, f64::MIN_POSITIVE, 1.0),
            (1_000_000, 1_000_000, 1.0 - f64::EPSILON, 1.0),
        ] {
            within(0.0, binomial_p_value(count, trials, p), known);
        }
    }

    /// A test at the level `alpha` rejects what is true no more often than that.
    #[test]
    fn binomial_tests_are_never_wrong_too_often() {
        for trials in [1, 2, 5, 13, 40, 250] {
            for p in [0.001, 0.1, 0.25, 1.0 / 3.0, 0.5, 0.7, 0.99] {
                let chance = |count: u64| match count {
                    0 => f64::powf(1.0 - p, trials as f64),
                    _ => binomial_weight(count as f64, trials as f64, p, 1.0 - p),
                };
                near((0..=trials).map(chance).sum(), 1.0);
                for alpha in [0.5, 0.1, 0.01, 1e-4, 1e-8] {
                    let rejected =
                        (0..=trials).filter(|&k| binomial_p_value(k, trials, p) <= alpha);
                    let wrong: f64 = rejected.map(chance).sum();
                    assert!(
                        wrong <= alpha * (1.0 + 1e-9),
                        "{trials} {p} {alpha}: {wrong}"
                    );
                }
            }
        }
    }

    #[test]
    fn z_is_a_number_wherever_there_is_one() {
        assert_eq!(z(3.0, 2.0, 0.5), Some(2.0));
        assert_eq!(z(3.0, 2.0, f64::INFINITY), Some(0.0));
        assert_eq!(z(3.0, 3.0, 0.0), None);
        assert_eq!(z(3.0, 2.0, 0.0), Some(f64::INFINITY));
        assert_eq!(z(1.0, 2.0, 0.0), Some(f64::NEG_INFINITY));
        assert_eq!(z(1.0, f64::INFINITY, f64::INFINITY), None);
    }

    #[test]
    fn normal_tails_are_right_far_out() {
        near(normal_p_value(0.0), 1.0);
        within(1e-8, normal_p_value(-1.0), 0.317_310_507_862_914_15);
        within(1e-8, normal_p_value(5.0), 5.733_031_437_583_866e-7);
        within(1e-8, normal_p_value(20.0), 5.507_248_237_212_311e-89);
    }

    /// Of values 0 and 1 the mean is a share, whose tails are known: Bernstein's bound is never less.
    #[test]
    fn bernstein_s_bound_is_a_bound() {
        let trials = 2000;
        for p in [0.0005, 0.02, 0.3, 0.5] {
            for count in 0..=trials {
                let difference = count as f64 / trials as f64 - p;
                let bound = bernstein_p_value(difference, trials, p * (1.0 - p), 1.0 - p);
                let tail = binomial_p_value(count, trials, p);
                assert!(
                    bound >= tail * 0.999_999,
                    "{count} at {p}: {bound} < {tail}"
                );
            }
        }
        within(0.0, bernstein_p_value(0.0, 10, 0.0, 0.0), 1.0);
        within(0.0, bernstein_p_value(0.1, 10, 0.0, 0.0), 0.0);
    }

    fn fit(counts: &[u64], probabilities: &[f64]) -> ChiSquare {
        chi_square(counts, probabilities).expect("several cells")
    }

    /// A die rolled 60 times, as in many textbooks.
    #[test]
    fn chi_square_is_pearson_s() {
        let die = fit(&[5, 8, 9, 8, 10, 20], &[1.0 / 6.0; 6]);
        near(die.statistic, 13.4);
        assert_eq!(die.df, 5);
        near(die.p, 0.019_905_220_334_774_38);
        near(fit(&[50, 50], &[0.5, 0.5]).p, 1.0);
        // One degree of freedom is the square of a normal deviation.
        let far = fit(&[600, 400], &[0.5, 0.5]);
        near(far.statistic, 40.0);
        near(far.p, 2.539_628_589_470_863e-10);
    }

    #[test]
    fn rare_cells_are_taken_together() {
        // Expected: 90, 6, 2, 2, of which the last two make 4 and take the 6 along.
        let pooled = fit(&[88, 5, 3, 4], &[0.9, 0.06, 0.02, 0.02]);
        assert_eq!(pooled.df, 1);
        near(pooled.statistic, 4.0 / 90.0 + 4.0 / 10.0);
        // Enough by themselves.
        let apart = fit(&[88, 4, 3, 5], &[0.9, 0.05, 0.025, 0.025]);
        assert_eq!(apart.df, 2);
        // What is impossible and did not happen is no cell.
        assert_eq!(fit(&[60, 40, 0], &[0.5, 0.5, 0.0]).df, 1);
        assert_eq!(chi_square(&[100, 0], &[1.0, 0.0]), None);
        assert_eq!(chi_square(&[3, 2], &[0.5, 0.5]), None);
        assert_eq!(chi_square(&[], &[]), None);
        assert_eq!(chi_square(&[0, 0], &[0.5, 0.5]), None);
    }

    /// All counts of 30 trials in three cells: those with a bound of `alpha` or less are no more likely.
    #[test]
    fn the_bound_of_a_fit_is_never_wrong_too_often() {
        let p = [1.0 / 6.0, 1.0 / 3.0, 0.5];
        let counts = (0..=30).flat_map(|a| (0..=30 - a).map(move |b| [a, b, 30 - a - b]));
        let all: Vec<(f64, ChiSquare)> = counts
            .map(|[a, b, c]| {
                let rest = (30 - a) as f64;
                let of = |k: u64, n: f64, p: f64| match k {
                    0 => (1.0 - p).powf(n),
                    _ => binomial_weight(k as f64, n, p, 1.0 - p),
                };
                let second = if rest > 0.0 { of(b, rest, 0.4) } else { 1.0 };
                (of(a, 30.0, p[0]) * second, fit(&[a, b, c], &p))
            })
            .collect();
        near(all.iter().map(|(chance, _)| chance).sum(), 1.0);
        for alpha in [0.5, 0.1, 1e-2, 1e-4, 1e-6] {
            let wrong: f64 = all
                .iter()
                .filter(|(_, fit)| fit.bound <= alpha)
                .map(|(chance, _)| chance)
                .sum();
            assert!(wrong <= alpha, "{alpha}: {wrong}");
        }
    }
}
