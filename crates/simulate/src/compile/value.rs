//! What is known of the values of a script while it is compiled: numbers, and pools of dice.

use std::rc::Rc;

use crate::Error;
use crate::column::{Column, Operand, Range};
use crate::op::Step;

/// Values of a column for which functions of it are tabulated.
const ROOTS: i64 = 2048;

/// A number of every trial.
#[derive(Clone, Debug)]
pub(super) struct Num {
    pub(super) operand: Operand,
    pub(super) range: Range,
    /// The column that it is a function of, if there is one.
    pub(super) table: Option<Table>,
}

/// A function of one column.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) root: Column,
    /// The root's lowest value.
    pub(super) low: i64,
    /// The function at it and at those after it.
    pub(super) values: Rc<[i64]>,
}

impl Default for Num {
    fn default() -> Self {
        Self::constant(0)
    }
}

impl Num {
    pub(super) fn constant(value: i64) -> Self {
        Self {
            operand: Operand::Constant(value),
            range: (value, value),
            table: None,
        }
    }

    pub(super) fn column(column: Column, range: Range) -> Self {
        Self {
            operand: Operand::Column(column),
            range,
            table: None,
        }
    }

    pub(super) fn truth(value: bool) -> Self {
        Self::constant(i64::from(value))
    }

    pub(super) fn as_constant(&self) -> Option<i64> {
        match self.operand {
            Operand::Constant(value) => Some(value),
            Operand::Column(_) => None,
        }
    }

    /// The numbers that it can be, each once; none if there may be more than `most`.
    pub(super) fn values(&self, most: usize) -> Option<Vec<i64>> {
        let (low, high) = self.range;
        let mut values: Vec<i64> = match &self.table {
            Some(table) => table.values.to_vec(),
            None if high.abs_diff(low) < most as u64 => (low..=high).collect(),
            None => return None,
        };
        values.sort_unstable();
        values.dedup();
        (values.len() <= most).then_some(values)
    }

    /// The number, which is known to lie in a range as well.
    pub(super) fn within(&self, range: Range) -> Self {
        let (low, high) = (self.range.0.max(range.0), self.range.1.min(range.1));
        let mut num = self.clone();
        // A constant says all there is to know.
        if self.as_constant().is_none() && low <= high {
            num.range = (low, high);
        }
        num
    }

    /// The column that it is a function of, with its lowest value and how many there are; at least its own.
    pub(super) fn root(&self) -> Option<(Column, i64, usize)> {
        if let Some(table) = &self.table {
            return Some((table.root, table.low, table.values.len()));
        }
        let column = self.operand.column()?;
        let (low, high) = self.range;
        let size = high.checked_sub(low).filter(|size| *size < ROOTS)? + 1;
        Some((column, low, usize::try_from(size).ok()?))
    }

    /// The number where its root has the value at a place, counted from the lowest.
    pub(super) fn at(&self, place: usize) -> i64 {
        match (&self.operand, &self.table) {
            (Operand::Constant(value), _) => *value,
            (_, Some(table)) => table.values[place],
            (_, None) => self.range.0 + i64::try_from(place).expect("tables are small"),
        }
    }
}

/// How a table can be computed.
pub(super) struct Staircase {
    pub(super) start: i64,
    pub(super) slope: i64,
    pub(super) steps: Vec<Step>,
}

impl Table {
    /// The table as a straight line with steps, with as few as possible.
    pub(super) fn staircase(&self) -> Staircase {
        let line = |slope: i64| {
            let flat = |at: usize, value: i64| {
                let x = self.low + i64::try_from(at).expect("tables are small");
                value.wrapping_sub(slope.wrapping_mul(x))
            };
            let flat: Vec<i64> = (0..)
                .zip(self.values.iter())
                .map(|(at, v)| flat(at, *v))
                .collect();
            let steps = (self.low + 1..).zip(flat.windows(2));
            let steps = steps.filter(|(_, pair)| pair[0] != pair[1]);
            let step = |(at, pair): (i64, &[i64])| Step {
                at,
                change: pair[1].wrapping_sub(pair[0]),
            };
            Staircase {
                start: flat[0],
                slope,
                steps: steps.map(step).collect(),
            }
        };
        let (flat, rising) = (line(0), line(1));
        if rising.steps.len() < flat.steps.len() {
            rising
        } else {
            flat
        }
    }
}

/// A die of a pool.
#[derive(Clone, Debug)]
pub(super) struct PoolDie {
    /// The face that it shows; anything if it is not there.
    pub(super) face: Num,
    /// 1 in the trials in which the pool has this die, else 0.
    pub(super) here: Num,
}

/// A rolled pool.
#[derive(Clone, Debug, Default)]
pub(super) struct Pool {
    pub(super) dice: Vec<PoolDie>,
    /// Whether the dice are in order, from high to low, those that are not there last.
    pub(super) is_sorted: bool,
}

impl Pool {
    /// Dice that are all there.
    pub(super) fn of_faces(faces: Vec<Num>) -> Self {
        let here = Num::truth(true);
        let die = |face| PoolDie {
            face,
            here: here.clone(),
        };
        Self {
            dice: faces.into_iter().map(die).collect(),
            is_sorted: false,
        }
    }

    /// Whether it has the same dice in every trial.
    pub(super) fn is_fixed(&self) -> bool {
        self.dice
            .iter()
            .all(|die| die.here.as_constant() == Some(1))
    }
}

/// A value that a variable holds.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Number(Num),
    Pool(Pool),
    /// Not to be known: why.
    Unknown(Box<Error>),
}
