//! Counts of dice, which are no more than the dice: `hits - count(hits d6, >= 5)` is never below 0.

use super::Failing;
use super::assume::Place;
use crate::program::{Expr, Form, Kind, VarId};

impl Failing<'_> {
    /// What a variable of this value is no more than, for good: the number of dice of a pool, or of a pool that is counted.
    pub(super) fn most_of(&self, var: VarId, value: &Expr) -> Option<Place> {
        let variable = self.program.variable(var);
        match (variable.is_mutable(), variable.is_pool) {
            (true, _) => None,
            (false, true) => self.dice_of(value),
            (false, false) => self.counted(value),
        }
    }

    /// Whether a number is a count of as many dice as another one says, or of some of these dice, and so on.
    pub(super) fn is_part(&self, part: &Expr, whole: &Expr) -> bool {
        let Some(whole) = self.place(whole) else {
            return false;
        };
        let mut most = self.counted(part);
        while let Some(place) = most
            && place != whole
        {
            most = match place {
                Place::Var(var) => self.most[var.0],
                Place::Input(_) => None,
            };
        }
        most.is_some()
    }

    /// The number of dice that a count is of.
    fn counted(&self, count: &Expr) -> Option<Place> {
        match &count.kind {
            Kind::Var(var) if !self.program.variable(*var).is_pool => self.most[var.0],
            Kind::Read { pool, reading } => match reading.form() {
                Form::Count(_) | Form::Size => self.dice_of(pool),
                _ => None,
            },
            _ => None,
        }
    }

    /// The number of dice of a pool, some of which may be left out.
    fn dice_of(&self, pool: &Expr) -> Option<Place> {
        match &pool.kind {
            Kind::Var(var) => self.most[var.0],
            Kind::Dice { count, .. } => self.place(count),
            Kind::Keep { pool, .. } | Kind::Each { pool, .. } => self.dice_of(pool),
            _ => None,
        }
    }

    /// A number that does not change while the script is carried out.
    fn place(&self, number: &Expr) -> Option<Place> {
        match number.kind {
            Kind::Input(id) => Some(Place::Input(id)),
            Kind::Var(var) => {
                let variable = self.program.variable(var);
                (!variable.is_mutable() && !variable.is_pool).then_some(Place::Var(var))
            }
            _ => None,
        }
    }
}
