//! Finite distributions with exact integer weights, and pools of dice.
//!
//! Four types carry the crate. A [`Dist`] gives every whole number it can come to a positive
//! integer weight; probabilities are weights over the total, as exact fractions. A [`Pool`] is
//! a handful of dice, or pieces drawn from a bag, rolled together. A [`Feature`] is a question
//! to a roll: which dice are kept, and whether they are summed, counted or matched. A [`Chain`]
//! is a finite number of states that move at random until they come to an end. Answers are found
//! by recurrences and folds over the faces, not by listing rolls; the choice among them is the
//! crate's business and never changes an answer. The `README.md` beside the source tells how each
//! of them works, with examples that can be checked by hand.
//!
//! The crate knows no rules of any game, reads no files and rounds nothing. Work that may
//! grow without bound is charged to a [`Budget`] before it is begun.
//!
//! # A tour
//!
//! Roll four six-sided dice and add up the best three:
//!
//! ```
//! use oddsmith_dist::{Budget, Dist, Feature, Pool, RBig, UBig};
//!
//! let budget = Budget::new(10_000_000);
//! let pool = Pool::new([(Dist::die(6)?, 4)]);
//! let best_three = pool.kept_all().keep_highest(3);
//! let sum = pool.read(&Feature::sum(best_three), &budget)?;
//!
//! assert_eq!(sum.total(), &UBig::from(1296_u16)); // 6^4 rolls
//! assert_eq!(sum.weight(18), UBig::from(21_u8)); // of which 21 hold three sixes
//! assert_eq!(sum.mean(), RBig::from_parts(15869.into(), 1296_u16.into()));
//! assert_eq!(sum.quantile(&RBig::from_parts(1.into(), 2_u8.into())), 12);
//!
//! // Is it better than 2d8? Weights of all pairs of outcomes:
//! let other = Dist::die(8)?.sum_of(2, &budget)?;
//! let versus = sum.compare(&other);
//! assert_eq!(versus.total, UBig::from(1296_u32 * 64));
//!
//! // The same roll read twice: how often is the sum 18 with all four dice alike?
//! let all = pool.kept_all();
//! let both = pool.read_jointly(&[Feature::sum(best_three), Feature::matches(all, 1)], &budget)?;
//! assert_eq!(both.weight(&vec![18, 4]), UBig::ONE);
//! # Ok::<(), oddsmith_dist::Error>(())
//! ```
//!
//! Dice change before they are rolled: see [`Dist::explode`], [`Dist::reroll`],
//! [`Dist::map`], [`Dist::highest_of`] and [`Dist::mix`]. Readings that are not among those of
//! [`Reading`] are written as [`Steps`], or as an [`Evaluator`] if they are no numbers.

mod budget;
mod chain;
mod change;
mod combine;
mod components;
mod dist;
mod error;
mod explode;
mod fair;
mod moments;
mod notes;
mod number;
mod pool;
mod power;
mod transcript;
mod weighted;
mod words;

pub use budget::{Budget, Watch};
pub use chain::{Chain, End, Ends, Form, Lengths, Moments, Move, StateNumbers};
pub use combine::{Comparison, greatest_common_divisor, least_common_multiple};
pub use components::Components;
pub use dashu_int::ops::{BitTest, SquareRoot};
pub use dashu_int::{IBig, UBig};
pub use dashu_ratio::RBig;
pub use dist::Dist;
pub use error::Error;
pub use notes::{Note, Plan};
pub use pool::{Carry, Evaluator, Feature, Growth, Kept, Pool, Reading, Steps};
pub use transcript::Transcript;
pub use weighted::Weighted;
