//! What is carried from the highest face of a roll to the lowest.

use oddsmith_rules::Span;
use oddsmith_rules::program::{CompareOp, Division, Fold};

use super::Compiler;
use super::value::{Num, Pool, Value};
use crate::Error;
use crate::op::Arithmetic;

impl Compiler<'_> {
    /// Compiles a fold: the steps at each die that is the last one of its face.
    pub(super) fn fold(&mut self, pool: Pool, fold: &Fold, span: Span) -> Result<Num, Error> {
        let mut states = Vec::with_capacity(fold.states.len());
        for (_, start) in &fold.states {
            states.push(self.number(start)?);
        }
        let pool = self.sorted(pool);
        let (zero, one) = (Num::constant(0), Num::constant(1));
        let mut shown = Vec::with_capacity(pool.dice.len());
        for die in &pool.dice {
            shown.push(self.shown(&die.face, fold, span)?);
        }
        let mut counts = vec![zero.clone(); fold.counts.len()];
        for (at, die) in pool.dice.iter().enumerate() {
            let (face, place) = &shown[at];
            let goes_on = match at.checked_sub(1).and_then(|before| shown.get(before)) {
                Some((before, _)) => self.compare(CompareOp::Equal, before, face),
                None => Num::truth(false),
            };
            for (pool, count) in (0..).zip(&mut counts) {
                let is_own = self.compare(CompareOp::Equal, place, &Num::constant(pool));
                let own = self.select(&is_own, &one, &zero);
                let before = self.select(&goes_on, count, &zero);
                *count = self.plus(&before, &own);
            }
            let is_last = match pool.dice.get(at + 1) {
                Some(next) => {
                    let same = self.compare(CompareOp::Equal, face, &shown[at + 1].0);
                    let more = self.and(&same, &next.here);
                    self.not(&more)
                }
                None => Num::truth(true),
            };
            let is_end = self.and(&die.here, &is_last);
            if is_end.as_constant() == Some(0) {
                continue;
            }
            self.values[fold.face.0] = Some(Value::Number(face.clone()));
            for (var, count) in fold.counts.iter().zip(&counts) {
                self.values[var.0] = Some(Value::Number(count.clone()));
            }
            for ((var, _), state) in fold.states.iter().zip(&states) {
                self.values[var.0] = Some(Value::Number(state.clone()));
            }
            for (var, value) in &fold.steps {
                let value = self.within(&is_end, |c| c.number(value))?;
                self.values[var.0] = Some(Value::Number(value));
            }
            for ((var, _), state) in fold.states.iter().zip(&mut states) {
                let Some(Value::Number(next)) = self.values[var.0].clone() else {
                    unreachable!("what is carried is a number")
                };
                *state = self.select(&is_end, &next, state);
            }
        }
        for var in fold.bound() {
            self.values[var.0] = None;
        }
        Ok(states.swap_remove(0))
    }

    /// The face that a die of several pools shows, and the place of its pool.
    fn shown(&mut self, face: &Num, fold: &Fold, span: Span) -> Result<(Num, Num), Error> {
        let pools = i64::try_from(fold.counts.len()).expect("a fold is over few pools");
        if pools == 1 {
            return Ok((face.clone(), Num::constant(0)));
        }
        let own = self.quotient(Division::Floor, face, pools, span)?;
        let times = self.arithmetic(Arithmetic::Multiply, &own, &Num::constant(pools), span)?;
        let place = self.arithmetic(Arithmetic::Subtract, face, &times, span)?;
        Ok((own, place.within((0, pools - 1))))
    }
}
