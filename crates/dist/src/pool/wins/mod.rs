//! Two pools sorted and compared die by die.

mod battle;
mod board;
mod side;

use dashu_int::UBig;

use self::battle::Battle;
use self::side::Side;
use super::dice::Pool;
use crate::number::{Number, bits, with_limbs};
use crate::{Budget, Dist, Error, Plan, Weighted, words};

impl Pool {
    /// Sorts both rolls from the highest and pairs them, highest with highest, as far as the
    /// smaller roll goes: the number of pairs in which this pool's die is strictly higher.
    ///
    /// The total is the product of both totals. For pairs lost, exchange the pools; for both
    /// of the same rolls, see [`duel`](Self::duel).
    ///
    /// ```
    /// // Three attackers against two defenders who win ties.
    /// use oddsmith_dist::{Budget, Dist, Pool, UBig};
    /// let d6 = Dist::die(6)?;
    /// let (attack, defence) = (Pool::new([(d6.clone(), 3)]), Pool::new([(d6, 2)]));
    /// let wins = attack.wins(&defence, &Budget::unlimited())?;
    /// assert_eq!(wins.weight(2), UBig::from(2890_u16)); // of 7776
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OverBudget`].
    ///
    /// # Cost
    /// One fold over both pools; its states are the dice placed on either side and the wins.
    pub fn wins(&self, other: &Self, budget: &Budget) -> Result<Dist, Error> {
        let scale = Scale {
            won: 1,
            lost: 0,
            none: 0,
        };
        let (weights, total) = self.compared(other, "pairs won", scale, budget)?;
        let wins = weights
            .into_iter()
            .map(|(place, weight)| (outcome(place), weight));
        Ok(Dist::from_unsorted(wins.collect(), total))
    }

    /// The pairs won less the pairs lost, of rolls paired as by [`wins`](Self::wins); ties are
    /// void.
    ///
    /// ```
    /// use oddsmith_dist::{Budget, Dist, Pool, UBig};
    /// let (two, one) = (Pool::new([(Dist::die(6)?, 2)]), Pool::new([(Dist::die(6)?, 1)]));
    /// let net = two.net_wins(&one, &Budget::unlimited())?;
    /// assert_eq!(net.weight(1), UBig::from(125_u8)); // of 216: the higher of two beats one
    /// assert_eq!(net.weight(-1), UBig::from(55_u8)); // 0 + 1 + 4 + 9 + 16 + 25
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OverBudget`].
    ///
    /// # Cost
    /// As for [`wins`](Self::wins), with up to twice as many states.
    pub fn net_wins(&self, other: &Self, budget: &Budget) -> Result<Dist, Error> {
        let pairs = self.pairs(other);
        let scale = Scale {
            won: 1,
            lost: -1,
            none: pairs,
        };
        let (weights, total) = self.compared(other, "pairs won less pairs lost", scale, budget)?;
        let net = |place| outcome(place) - outcome(pairs);
        let net = weights
            .into_iter()
            .map(|(place, weight)| (net(place), weight));
        Ok(Dist::from_unsorted(net.collect(), total))
    }

    /// The pairs won and the pairs lost, of rolls paired as by [`wins`](Self::wins).
    ///
    /// ```
    /// use oddsmith_dist::{Budget, Dist, Pool, UBig};
    /// let coins = Pool::new([(Dist::die(2)?, 2)]);
    /// let duel = coins.duel(&coins, &Budget::unlimited())?;
    /// assert_eq!(duel.weight(&(2, 0)), UBig::ONE); // 2 2 against 1 1
    /// assert_eq!(duel.weight(&(1, 0)), UBig::from(4_u8)); // one die more shows a 2
    /// assert_eq!(duel.weight(&(1, 1)), UBig::ZERO);
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OverBudget`].
    ///
    /// # Cost
    /// As for [`wins`](Self::wins), with the losses in its states as well.
    pub fn duel(&self, other: &Self, budget: &Budget) -> Result<Weighted<(i64, i64)>, Error> {
        let row = self.pairs(other) + 1;
        let won = isize::try_from(row).map_err(|_| budget.refusal())?;
        let scale = Scale {
            won,
            lost: 1,
            none: 0,
        };
        let (weights, total) = self.compared(other, "pairs won and lost", scale, budget)?;
        let both = |place| (outcome(place / row), outcome(place % row));
        let duels = weights
            .into_iter()
            .map(|(place, weight)| (both(place), weight));
        Ok(Weighted::from_unsorted(duels.collect(), total))
    }

    fn compared(
        &self,
        other: &Self,
        asked: &str,
        scale: Scale,
        budget: &Budget,
    ) -> Result<(Vec<(usize, UBig)>, UBig), Error> {
        let plan = || {
            let (ours, theirs) = (words::pool(self), words::pool(other));
            Plan {
                question: format!("{asked} by {ours} against {theirs}"),
                algorithm: "fold over faces",
                reason: "two sorted pools".to_owned(),
                bits: bits(&(self.total() * other.total())),
            }
        };
        budget.noted(plan, |budget| compare(self, other, scale, budget))
    }

    /// How many pairs two rolls make.
    fn pairs(&self, other: &Self) -> usize {
        self.size().min(other.size()) as usize
    }
}

fn outcome(place: usize) -> i64 {
    i64::try_from(place).expect("a place of a row in memory")
}

/// The scale of a row: the places of pairs won and lost in it.
#[derive(Clone, Copy)]
struct Scale {
    won: isize,
    lost: isize,
    /// The place of no pair won or lost.
    none: usize,
}

impl Scale {
    /// The other side's view.
    fn mirrored(self) -> Self {
        let Self { won, lost, none } = self;
        Self {
            won: lost,
            lost: won,
            none,
        }
    }

    /// The places of a row for so many pairs.
    fn len(self, pairs: usize) -> usize {
        let most = self.won.max(self.lost).unsigned_abs();
        self.none + most * pairs + 1
    }
}

/// Weights of all places of a row, and their total.
fn compare(
    ours: &Pool,
    theirs: &Pool,
    scale: Scale,
    budget: &Budget,
) -> Result<(Vec<(usize, UBig)>, UBig), Error> {
    budget.charge(ours.bits_bound() + theirs.bits_bound())?;
    let total = ours.total() * theirs.total();
    let pairs = ours.size().min(theirs.size());
    if pairs == 0 {
        return Ok((vec![(scale.none, total.clone())], total));
    }
    let weights = with_limbs!(bits(&total), W => {
        let [ours, theirs] = [Side::<W>::new(ours, budget)?, Side::new(theirs, budget)?];
        let battle = Battle::new([ours, theirs], (pairs, scale), bits(&total), budget);
        let weights = battle.fight()?.into_iter().map(W::into_big);
        weights.enumerate().collect::<Vec<_>>()
    });
    Ok((weights, total))
}
