//! The sum of many equal dice, by recurrences that cost a few products per outcome.

use dashu_int::UBig;
use dashu_int::ops::Gcd;

use crate::change::checked;
use crate::fair::{self, Term};
use crate::notes::power_bits;
use crate::number::weights::{WeightRow, Weights};
use crate::number::{self, Number, bits, power_bits_guess};
use crate::{Budget, Dist, Error, Plan, words};

/// The bytes of each word of a sum's weights: of the row, of what it is computed from, and of the answer.
const ROW_BYTES: u128 = 24;

impl Dist {
    /// The sum of `n` independent copies; the total is `T^n`. No copies sum to 0.
    ///
    /// ```
    /// # use oddsmith_dist::{Budget, Dist};
    /// let sum = Dist::die(6)?.sum_of(1000, &Budget::unlimited())?;
    /// assert_eq!(sum.weight(1000), 1_u8.into());
    /// assert_eq!(sum.weight(1001), 1000_u16.into());
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OutcomeOverflow`] if a sum leaves `i64`; [`Error::OverBudget`].
    ///
    /// # Cost
    /// Four products with a small number for each outcome of the sum of fair dice (only half
    /// of them, by symmetry); for weighted dice one for each outcome of sum and die.
    pub fn sum_of(&self, n: u32, budget: &Budget) -> Result<Self, Error> {
        let count = i64::from(n);
        let first = checked(self.min(), "*", count, i64::checked_mul)?;
        checked(self.max(), "*", count, i64::checked_mul)?;
        match n {
            0 => return Ok(Self::constant(0)),
            1 => return Ok(self.clone()),
            _ => {}
        }
        if let Some(face) = self.as_constant() {
            let words = number::words(u128::from(n) * self.bits() as u128);
            budget.charge(words * words)?;
            return Ok(Self::certain(face * count, self.total().pow(n as usize)));
        }
        let base = Base::of(self);
        let outcomes = u128::from(n) * (base.span - 1) + 1;
        let is_far_apart = outcomes > 64 && outcomes / 8 > multisets(n, self.len());
        let plan = || {
            let (algorithm, reason) = base.way(is_far_apart);
            let dice = words::dice(self, n);
            Plan {
                question: format!("the sum of {dice}"),
                algorithm,
                reason: reason.to_owned(),
                bits: power_bits(self.total(), n),
            }
        };
        budget.noted(plan, |budget| {
            if is_far_apart {
                self.sum_by_doubling(n, budget)
            } else {
                self.sum_by_recurrence(&base, (n, outcomes), first, budget)
            }
        })
    }

    fn sum_by_recurrence(
        &self,
        base: &Base,
        (n, outcomes): (u32, u128),
        first: i64,
        budget: &Budget,
    ) -> Result<Self, Error> {
        // Sums of products stay below T^(n+1) times the largest factor, (n + 1) * span.
        let slack = self.bits() + bits(&UBig::from((u128::from(n) + 1) * base.span)) + 2;
        let width = number::words(u128::from(n) * self.bits() as u128);
        let longest = number::words(power_bits_guess(self.total(), n) + slack as u128);
        budget.charge(base.cost(outcomes, (width, longest)))?;
        budget.charge_memory(outcomes.saturating_mul(width).saturating_mul(ROW_BYTES))?;
        let total = self.total().pow(n as usize);
        let row = match bits(&total) + slack {
            0..=63 => base.power::<i64>(n),
            64..=127 => base.power::<i128>(n),
            _ => match base.large_power(n, &total) {
                Some(row) => Weights::Large(row),
                None => return self.sum_by_doubling(n, budget),
            },
        };
        Ok(Self::from_weights_row(first, base.stride, row, total))
    }

    /// Squares and multiplies: for few outcomes far apart.
    fn sum_by_doubling(&self, n: u32, budget: &Budget) -> Result<Self, Error> {
        let half = self.sum_of(n / 2, budget)?;
        let even = half.convolve(&half, budget)?;
        if n.is_multiple_of(2) {
            Ok(even)
        } else {
            even.convolve(self, budget)
        }
    }
}

/// The number of sorted rolls of `n` dice with `faces` faces, `C(n + faces - 1, n)`; a bound on
/// their different sums. Saturates.
pub(crate) fn multisets(n: u32, faces: usize) -> u128 {
    let mut ways = 1_u128;
    for i in 1..faces as u128 {
        let Some(product) = ways.checked_mul(u128::from(n) + i) else {
            return u128::MAX;
        };
        ways = product / i;
    }
    ways
}

/// A die reduced to a polynomial with a constant term and no common stride.
struct Base {
    stride: u64,
    /// Places from the lowest face to the highest, in strides.
    span: u128,
    /// The weight shared by all faces of an unbroken run, or 1.
    common: UBig,
    /// Place and weight of every face, unless all places have the same weight.
    coefficients: Option<Vec<(usize, UBig)>>,
}

impl Base {
    fn of(die: &Dist) -> Self {
        let low = die.min();
        let stride = die.stride();
        let span = u128::from(die.max().abs_diff(low) / stride) + 1;
        let common = die.weight(low);
        if die.is_even() && span == die.len() as u128 {
            return Self {
                stride,
                span,
                common,
                coefficients: None,
            };
        }
        let place = |x: i64| usize::try_from(x.abs_diff(low) / stride).unwrap_or(usize::MAX);
        let coefficients = die.iter().map(|(x, w)| (place(x), w)).collect();
        Self {
            stride,
            span,
            common: UBig::ONE,
            coefficients: Some(coefficients),
        }
    }

    /// The algorithm for its powers, and why.
    fn way(&self, is_far_apart: bool) -> (&'static str, &'static str) {
        match self.coefficients.as_deref() {
            _ if is_far_apart => ("squaring", "few sums, far apart"),
            None => ("recurrence of three terms", "fair dice without gaps"),
            Some([_, _]) => ("recurrence of ratios", "dice with two faces"),
            Some(_) => ("Miller's recurrence", "dice with any weights"),
        }
    }

    /// The highest place of the sum of `n`.
    fn last(&self, n: u32) -> usize {
        let last = u128::from(n) * (self.span - 1);
        usize::try_from(last).expect("the budget was charged for the row")
    }

    fn sides(&self) -> usize {
        usize::try_from(self.span).expect("a face has a place in the row")
    }

    /// Steps for the power of `outcomes` coefficients with so many words each, of sums of products of at most `longest`.
    fn cost(&self, outcomes: u128, (words, longest): (u128, u128)) -> u128 {
        match self.coefficients.as_deref() {
            None => fair_cost(outcomes, words),
            Some([_, _]) => binomial_cost(outcomes, words),
            Some(faces) => {
                let heaviest = faces.iter().map(|(_, weight)| bits(weight) as u128).max();
                let weight = number::words(heaviest.unwrap_or(0));
                weighted_cost(outcomes, (faces.len() as u128, weight), longest)
            }
        }
    }

    /// The coefficients of the power, where primitive numbers hold them.
    fn power<S: Signed>(&self, n: u32) -> Weights {
        let row = match &self.coefficients {
            None => fair_power::<S>(self.sides(), n, self.last(n), &self.common.pow(n as usize)),
            Some(faces) => weighted_power::<S>(faces, n, self.last(n)),
        };
        Number::into_weights(row)
    }

    /// The coefficients of the power, of any size; their sum is `total`. `None` if both ends of the
    /// die have weights of more than a word.
    fn large_power(&self, n: u32, total: &UBig) -> Option<WeightRow> {
        let last = self.last(n);
        let words = |divisor: u64| bits(&(total * divisor)).div_ceil(64);
        let Some(faces) = &self.coefficients else {
            let scale = self.common.pow(n as usize);
            let half = last / 2;
            let row = fair::coefficients(self.sides(), n, half, (&scale, words(last as u64)));
            return Some(row.mirrored(last));
        };
        if let [(_, low), (_, high)] = faces.as_slice() {
            let common = low.gcd(high);
            let fits = |weight: &UBig| {
                let weight = u64::try_from(&(weight / &common)).ok()?;
                weight
                    .checked_mul(u64::from(n) + 1)
                    .map(|largest| (weight, largest))
            };
            if let (Some((a, largest)), Some((b, other))) = (fits(low), fits(high)) {
                let words = words(largest.max(other));
                return Some(fair::binomial(n, [low, high], [a, b], words));
            }
        }
        // The end whose weight divides is the one with the smaller weight.
        let (ends, top) = ((&faces[0].1, &faces[faces.len() - 1].1), self.sides() - 1);
        let upwards = ends.0 <= ends.1;
        let lowest = u64::try_from(if upwards { ends.0 } else { ends.1 }).ok()?;
        let largest = lowest.checked_mul(last as u64)?;
        let term = |(place, weight): &(usize, UBig)| Term {
            place: if upwards { *place } else { top - place },
            weight: weight.with_words(<[u64]>::to_vec),
        };
        let mut terms: Vec<Term> = faces.iter().map(term).collect();
        terms.sort_unstable_by_key(|term| term.place);
        let row = fair::weighted(&terms[1..], lowest, n, last, words(largest));
        Some(if upwards { row } else { row.reversed() })
    }
}

/// Steps of `fair_power`: three products and a division for each coefficient of half the row.
fn fair_cost(outcomes: u128, words: u128) -> u128 {
    // Rows beyond the caches wait for memory.
    let each = if outcomes.saturating_mul(words) > 1 << 19 {
        4
    } else {
        2
    };
    outcomes
        .saturating_mul(each * words + 2)
        .saturating_add(150)
}

/// Steps of a power of a die with two faces: a product and a division for each coefficient.
fn binomial_cost(outcomes: u128, words: u128) -> u128 {
    outcomes.saturating_mul(2 * words + 5).saturating_add(300)
}

/// Steps of `weighted_power`: a product for each coefficient and face, and a division.
fn weighted_cost(outcomes: u128, (faces, weight): (u128, u128), words: u128) -> u128 {
    // Where primitive numbers hold all terms they cost next to nothing.
    let term = if words <= 2 { words } else { words + 3 };
    let each = (faces.saturating_mul(weight) + 2).saturating_mul(term);
    outcomes.saturating_mul(each).saturating_add(150)
}

/// `scale` times the coefficients of `(1 + x + ... + x^(s-1))^n`, of which `last` is the
/// highest.
///
/// From `P = ((1 - x^s) / (1 - x))^n`:
/// `(i+1) a[i+1] = (n+i) a[i] - (ns+s-i-1) a[i+1-s] + (ns-n+s-i) a[i-s]`.
fn fair_power<S: Signed>(sides: usize, n: u32, last: usize, scale: &UBig) -> Vec<S::Unsigned> {
    let (s, n) = (signed(sides), i64::from(n));
    let mut row = Vec::with_capacity(last / 2 + 1);
    row.push(S::from_big(scale));
    for place in 1..=last / 2 {
        let i = signed(place) - 1;
        let mut sum = row[place - 1].scaled(n + i);
        if place >= sides {
            sum.add_scaled(&row[place - sides], -(n * s + s - i - 1));
        }
        if place > sides {
            sum.add_scaled(&row[place - 1 - sides], n * s - n + s - i);
        }
        row.push(sum.divided(&S::from_i64(i + 1)));
    }
    mirrored(row.into_iter().map(S::into_unsigned).collect(), last)
}

/// The whole of a symmetric row, from its first half.
fn mirrored<W: Clone>(mut row: Vec<W>, last: usize) -> Vec<W> {
    row.reserve_exact(last + 1 - row.len());
    for place in row.len()..=last {
        row.push(row[last - place].clone());
    }
    row
}

/// The coefficients of `P^n` for `P` with a constant term, by `P^n' P = n P' P^n`:
/// `i p[0] a[i] = sum over j > 0 of ((n+1) j - i) p[j] a[i-j]`.
///
/// # Source
/// The recurrence of J. C. P. Miller, in P. Henrici, *J. ACM* 3 (1956) 10-15.
fn weighted_power<S: Signed>(faces: &[(usize, UBig)], n: u32, last: usize) -> Vec<S::Unsigned> {
    let (_, lowest) = &faces[0];
    let lowest_weight = S::from_big(lowest);
    let others: Vec<_> = faces[1..]
        .iter()
        .map(|(j, w)| (*j, S::from_big(w)))
        .collect();
    let mut row = Vec::with_capacity(last + 1);
    row.push(S::from_big(&lowest.pow(n as usize)));
    for i in 1..=last {
        let mut sum = S::zero();
        for (j, weight) in others.iter().take_while(|(j, _)| *j <= i) {
            let factor = (i64::from(n) + 1) * signed(*j) - signed(i);
            sum.add_product(&row[i - j], &weight.scaled(factor));
        }
        row.push(sum.divided(&lowest_weight.scaled(signed(i))));
    }
    row.into_iter().map(S::into_unsigned).collect()
}

fn signed(place: usize) -> i64 {
    i64::try_from(place).expect("a row is shorter than i64::MAX")
}

/// A signed number for recurrences whose terms cancel.
trait Signed: Clone {
    /// The width in which finished coefficients are handed on.
    type Unsigned: Number;
    fn zero() -> Self;
    fn from_i64(value: i64) -> Self;
    fn from_big(value: &UBig) -> Self;
    fn scaled(&self, factor: i64) -> Self;
    fn add_scaled(&mut self, value: &Self, factor: i64);
    fn add_product(&mut self, left: &Self, right: &Self);
    /// The quotient; the division leaves no remainder.
    fn divided(self, by: &Self) -> Self;
    fn into_unsigned(self) -> Self::Unsigned;
}

macro_rules! primitive_signed {
    ($type:ty, $unsigned:ty) => {
        impl Signed for $type {
            type Unsigned = $unsigned;
            fn zero() -> Self {
                0
            }
            fn from_i64(value: i64) -> Self {
                Self::from(value)
            }
            fn from_big(value: &UBig) -> Self {
                Self::try_from(value).expect("the width holds the total")
            }
            fn scaled(&self, factor: i64) -> Self {
                self * Self::from(factor)
            }
            fn add_scaled(&mut self, value: &Self, factor: i64) {
                *self += value * Self::from(factor);
            }
            fn add_product(&mut self, left: &Self, right: &Self) {
                *self += left * right;
            }
            fn divided(self, by: &Self) -> Self {
                self / by
            }
            fn into_unsigned(self) -> $unsigned {
                <$unsigned>::try_from(self).expect("coefficients are weights")
            }
        }
    };
}

primitive_signed!(i64, u64);
primitive_signed!(i128, u128);
