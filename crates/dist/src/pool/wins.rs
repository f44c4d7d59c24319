//! Two pools sorted and compared die by die.

use super::Pool;
use super::fold::distribute;
use super::layers::{Layer, layers};
use crate::number::{Number, bits, with_width, words};
use crate::{Budget, Dist, Error};

/// Two rolls, seen down to some face.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Duel {
    wins: u32,
    /// Dice of either side that have shown their face.
    ours: u32,
    theirs: u32,
    /// Dice of both sides still waiting.
    code: u128,
}

impl Pool {
    /// Sorts both rolls from the highest and pairs them, highest with highest, as far as the
    /// smaller roll goes: the number of pairs in which this pool's die is strictly higher.
    ///
    /// The total is the product of both totals. For pairs lost, exchange the pools.
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
        budget.charge(self.bits_bound() + other.bits_bound())?;
        let total = self.total() * other.total();
        let pairs = self.size().min(other.size());
        let width = (words(bits(&total) as u128), budget);
        Ok(with_width!(bits(&total), W => {
            let (ours, unit) = layers::<W>(self, 1).ok_or_else(|| budget.refusal())?;
            let (theirs, _) = layers::<W>(other, unit).ok_or_else(|| budget.refusal())?;
            let (mut ours, mut theirs) = (ours.iter().peekable(), theirs.iter().peekable());
            let start = Duel { wins: 0, ours: 0, theirs: 0, code: 0 };
            let mut duels = vec![(start, W::from_u64(1))];
            let face = |layer: Option<&&Layer<W>>| layer.map(|layer| layer.face);
            while let Some(highest) = face(ours.peek()).max(face(theirs.peek())) {
                // Their dice first: they lose to our dice above this face, not to those on it.
                if let Some(layer) = theirs.next_if(|layer| layer.face == highest) {
                    duels = their_dice(duels, layer, pairs, width)?;
                }
                if let Some(layer) = ours.next_if(|layer| layer.face == highest) {
                    duels = our_dice(duels, layer, width)?;
                }
            }
            let wins = duels.into_iter().map(|(duel, weight)| (i64::from(duel.wins), weight));
            Dist::from_unsorted(wins.collect(), total)
        }))
    }
}

fn their_dice<W: Number>(
    mut duels: Vec<(Duel, W)>,
    layer: &Layer<W>,
    pairs: u32,
    width: (u128, &Budget),
) -> Result<Vec<(Duel, W)>, Error> {
    for share in &layer.shares {
        duels = distribute(
            &duels,
            share,
            width,
            |duel| duel.code,
            |duel, count, code| {
                let theirs = duel.theirs + count;
                let beaten = theirs.min(duel.ours).min(pairs).saturating_sub(duel.theirs);
                Duel {
                    wins: duel.wins + beaten,
                    theirs,
                    code,
                    ..*duel
                }
            },
        )?;
    }
    Ok(duels)
}

fn our_dice<W: Number>(
    mut duels: Vec<(Duel, W)>,
    layer: &Layer<W>,
    width: (u128, &Budget),
) -> Result<Vec<(Duel, W)>, Error> {
    for share in &layer.shares {
        duels = distribute(
            &duels,
            share,
            width,
            |duel| duel.code,
            |duel, count, code| {
                let ours = duel.ours + count;
                Duel {
                    ours,
                    code,
                    ..*duel
                }
            },
        )?;
    }
    Ok(duels)
}
