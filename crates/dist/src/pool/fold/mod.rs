//! The general fold: a state machine fed with one face after the other, highest first.

mod evaluator;
mod moves;
mod states;
mod weights;

pub use self::evaluator::Evaluator;
use self::states::States;
use self::weights::Fold;
use super::dice::Pool;
use crate::number::{bits, with_limbs};
use crate::{Budget, Error, Weighted};

impl Pool {
    /// The distribution of what `evaluator` makes of a roll; the total is that of the pool.
    ///
    /// # Errors
    /// [`Error::OverBudget`]; the work is charged face by face, as the states are known.
    ///
    /// # Cost
    /// Faces times states times the numbers of dice that can show a face.
    pub fn fold<E: Evaluator>(
        &self,
        evaluator: &E,
        budget: &Budget,
    ) -> Result<Weighted<E::Outcome>, Error> {
        let budget = &budget.part();
        budget.charge(self.bits_bound())?;
        match self.fold_equal_dice(evaluator, budget)? {
            Some(outcomes) => Ok(outcomes),
            None => self.fold_rows(evaluator, budget),
        }
    }

    /// The fold of dice of any kinds, whose states have rows of weights.
    pub(super) fn fold_rows<E: Evaluator>(
        &self,
        evaluator: &E,
        budget: &Budget,
    ) -> Result<Weighted<E::Outcome>, Error> {
        let total = self.total();
        let mut states = States::new(evaluator, self.size());
        Ok(with_limbs!(bits(&total), W => {
            let mut fold = Fold::<W>::new(self, budget)?;
            for at in 0..fold.stages() {
                let counts = fold.counts(at)?;
                let (face, below) = fold.faces(at);
                let moves = if fold.ends_face(at) {
                    states.see(evaluator, (face, below), &counts, budget)?
                } else {
                    states.gather(&counts, budget)?
                };
                fold.show(at, &moves, states.sizes())?;
            }
            let outcomes = states.finish(evaluator);
            Weighted::from_unsorted(outcomes.into_iter().zip(fold.finish()).collect(), total)
        }))
    }
}
