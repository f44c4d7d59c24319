//! Several readings of the same roll.

use oddsmith_dist::{Feature, Growth, Pool, UBig, Weighted};
use oddsmith_rules::program::{BinaryOp, CompareOp, Expr, Form, Keep, Kind, VarId};

use super::read::Single;
use crate::Error;
use crate::evaluate::{Env, FAILED};
use crate::rolls::PoolValue;
use crate::states::Key;

impl Env<'_> {
    /// The readings of one pool, jointly: rows in the order of `readings`. A reading that can't be made reads
    /// [`FAILED`], and why is recorded.
    pub(crate) fn read_jointly(
        &mut self,
        pool_var: VarId,
        pool: &Expr,
        readings: &[(VarId, Expr)],
    ) -> Result<Weighted<Vec<i64>>, Error> {
        let mut parts = Vec::new();
        for (weight, value) in self.pool(pool)?.0 {
            let (base, outer) = match value {
                PoolValue::Dice(base, kept) => (base, kept),
                faces @ PoolValue::Faces(_) => {
                    let row = self.read_roll((pool_var, faces), readings, pool)?;
                    let only = Weighted::from_weights([(row, UBig::ONE)]);
                    parts.push((weight, only.map_err(|error| self.scope.wrap(pool, &error))?));
                    continue;
                }
            };
            self.reading = Some((pool_var, PoolValue::Dice(base.clone(), outer)));
            let columns = readings.iter().map(|(var, reading)| {
                let made = self.column(reading);
                let made = made.and_then(|column| self.readable(&base, column, reading));
                made.unwrap_or_else(|error| {
                    self.failed.insert(*var, error);
                    Column::Known(FAILED)
                })
            });
            let columns: Vec<Column> = columns.collect();
            self.reading = None;
            let features: Vec<Feature> = columns.iter().filter_map(Column::feature).collect();
            let joint = base
                .read_jointly(&features, self.account.budget)
                .map_err(|error| self.scope.wrap(pool, &error))?;
            let joint = joint.into_map(|row| fill(&columns, row));
            // A step of a fold that fails is an error for whoever needs what the fold comes to.
            for (at, (var, reading)) in readings.iter().enumerate() {
                let fails = || joint.iter().any(|(row, _)| row[at] == FAILED);
                if self.failed.contains_key(var) || !fails() {
                    continue;
                }
                let error = self.unmade(reading);
                if !is_fold(reading) {
                    return Err(error);
                }
                self.failed.insert(*var, error);
            }
            parts.push((weight, joint));
        }
        Weighted::mix(parts).map_err(|error| self.scope.wrap(pool, &error))
    }

    /// The readings of a pool that is rolled already; see [`Env::read_jointly`].
    fn read_roll(
        &mut self,
        roll: (VarId, PoolValue),
        readings: &[(VarId, Expr)],
        pool: &Expr,
    ) -> Result<Vec<i64>, Error> {
        self.reading = Some(roll);
        let read = readings
            .iter()
            .map(|(var, reading)| match self.number(reading) {
                Ok(FAILED) => Err(self.scope.overflow(pool)),
                Ok(value) => Ok(value),
                Err(error) => {
                    self.failed.insert(*var, error);
                    Ok(FAILED)
                }
            });
        let row = read.collect();
        self.reading = None;
        row
    }

    /// Readings of equal dice for every number of them up to `most`; `dice` says which dice. None if they can't be had so,
    /// or not at all: then each number of dice is read by itself, and tells why.
    pub(crate) fn growing(
        &mut self,
        pool_var: VarId,
        dice: &Expr,
        readings: &[(VarId, Expr)],
        most: u32,
    ) -> Option<Growing> {
        let Kind::Dice { die, .. } = &dice.kind else {
            return None;
        };
        let die = self.die(die, dice).ok()?;
        let many = Pool::new([(die.clone(), u32::MAX)]);
        let all = many.kept_all();
        self.reading = Some((pool_var, PoolValue::Dice(many, all)));
        let columns = readings.iter().map(|(_, reading)| {
            let column = self.column(reading).ok()?;
            // What is known of so many dice is another thing for fewer, and so may be which are left when some are dropped.
            (keeps_once(reading) && column.feature().is_some()).then_some(column)
        });
        let columns: Option<Vec<Column>> = columns.collect();
        self.reading = None;
        let columns = columns?;
        let features: Vec<Feature> = columns.iter().filter_map(Column::feature).collect();
        let growth = Growth::new(&die, &features, most, self.account.budget).ok()??;
        let outcomes = growth.outcomes().iter();
        let rows: Vec<Key> = outcomes
            .map(|outcome| fill(&columns, outcome.clone()))
            .collect();
        let made_up = rows.iter().any(|row| row.contains(&FAILED));
        (!made_up).then_some(Growing { growth, rows })
    }

    /// What one of several readings is of the pool at hand.
    fn column(&mut self, at: &Expr) -> Result<Column, Error> {
        let (pool, reading) = match &at.kind {
            Kind::Read { pool, reading } => (pool, reading),
            Kind::Binary(BinaryOp::Compare(op), left, right) => {
                return self.compared(*op, left, right);
            }
            _ => unreachable!("a reading is a reading"),
        };
        let value = self.pool(pool)?.0.pop();
        let Some((_, PoolValue::Dice(base, kept))) = value else {
            unreachable!("a view of dice is of dice")
        };
        Ok(match self.single(&base, kept, reading, at)? {
            Single::Known(value) => Column::Known(value),
            Single::Feature(feature) => Column::Feature(feature),
        })
    }

    /// The column, if it can be read of every roll of a pool.
    fn readable(&self, pool: &Pool, column: Column, at: &Expr) -> Result<Column, Error> {
        if let Column::Feature(feature) = &column {
            pool.check(feature)
                .map_err(|error| self.scope.wrap(at, &error))?;
        }
        Ok(column)
    }

    /// A count that is compared with something fixed: higher ones are not told apart.
    fn compared(&mut self, op: CompareOp, left: &Expr, right: &Expr) -> Result<Column, Error> {
        let (count, bound, is_left) = if right.fixed {
            (left, right, true)
        } else {
            (right, left, false)
        };
        let bound = self.number(bound)?;
        let Column::Feature(feature) = self.column(count)? else {
            unreachable!("a count is read of the dice")
        };
        // A count is of dice: it is below the greatest bound, which has nothing above it to be told apart from.
        let more = bound.saturating_add(1);
        let holds = |count| compare(op, is_left, count, bound);
        let most = if holds(bound) == holds(more) {
            bound
        } else {
            more
        };
        let feature = feature.capped(most.max(0));
        Ok(Column::Compared {
            feature,
            op,
            bound,
            is_left,
        })
    }

    /// Readings that compare two pools, jointly: rows in the order of `readings`.
    pub(crate) fn compare_jointly(
        &mut self,
        (ours, left): &(VarId, Expr),
        (_, right): &(VarId, Expr),
        readings: &[(VarId, Expr)],
    ) -> Result<Weighted<Vec<i64>>, Error> {
        let readings = readings.iter();
        let factors: Vec<[i64; 2]> = readings
            .map(|(_, expr)| duel_factors(expr, *ours))
            .collect();
        let row = |won: i64, lost: i64| factors.iter().map(|[a, b]| a * won + b * lost).collect();
        let is_net = factors.iter().all(|[won, lost]| *won == -lost);
        let mut parts = Vec::new();
        for (weight, a, b) in self.pairs_of_pools(left, right, left)? {
            let joint = if is_net {
                let net = a.net_wins(&b, self.account.budget);
                net.and_then(|net| {
                    Weighted::from_weights(net.iter().map(|(net, weight)| (row(net, 0), weight)))
                })
            } else {
                let duel = a.duel(&b, self.account.budget);
                duel.map(|duel| duel.map(|(won, lost)| row(*won, *lost)))
            };
            parts.push((
                weight,
                joint.map_err(|error| self.scope.wrap(left, &error))?,
            ));
        }
        Weighted::mix(parts).map_err(|error| self.scope.wrap(left, &error))
    }
}

fn is_fold(reading: &Expr) -> bool {
    matches!(&reading.kind, Kind::Read { reading, .. } if matches!(reading.form(), Form::Fold(_)))
}

/// Whether a reading, or the count that is compared, is of a whole pool, or of dice that are kept of it at once.
fn keeps_once(reading: &Expr) -> bool {
    match &reading.kind {
        Kind::Binary(_, left, right) if right.fixed => keeps_once(left),
        Kind::Binary(_, _, right) => keeps_once(right),
        Kind::Read { pool, .. } => match &pool.kind {
            Kind::Keep { pool, which, .. } => {
                matches!(which, Keep::KeepHighest | Keep::KeepLowest)
                    && matches!(pool.kind, Kind::Var(_))
            }
            kind => matches!(kind, Kind::Var(_)),
        },
        _ => false,
    }
}

/// Readings of more and more equal dice.
pub(crate) struct Growing {
    pub(crate) growth: Growth,
    /// What its states read, in the order of the readings.
    pub(crate) rows: Vec<Key>,
}

/// What becomes of a reading: read in the fold, or known beforehand.
enum Column {
    Feature(Feature),
    /// Whether what is read compares so with a number, as the left side or the right.
    Compared {
        feature: Feature,
        op: CompareOp,
        bound: i64,
        is_left: bool,
    },
    Known(i64),
}

impl Column {
    fn feature(&self) -> Option<Feature> {
        match self {
            Self::Feature(feature) | Self::Compared { feature, .. } => Some(feature.clone()),
            Self::Known(_) => None,
        }
    }
}

/// What a reading that compares two pools is made of: how often it counts the pairs that `ours` wins, and those
/// that it loses.
fn duel_factors(reading: &Expr, ours: VarId) -> [i64; 2] {
    match &reading.kind {
        Kind::Wins(left, _) if matches!(left.kind, Kind::Var(var) if var == ours) => [1, 0],
        Kind::Wins(..) => [0, 1],
        Kind::Binary(BinaryOp::Subtract, left, right) => {
            let (left, right) = (duel_factors(left, ours), duel_factors(right, ours));
            [left[0] - right[0], left[1] - right[1]]
        }
        _ => unreachable!("two pools are only compared"),
    }
}

/// A row with the known columns in their places, and comparisons made.
fn fill(columns: &[Column], mut row: Vec<i64>) -> Vec<i64> {
    for (at, column) in columns.iter().enumerate() {
        match column {
            Column::Known(value) => row.insert(at, *value),
            Column::Feature(_) => {}
            Column::Compared {
                op, bound, is_left, ..
            } => {
                row[at] = i64::from(compare(*op, *is_left, row[at], *bound));
            }
        }
    }
    row
}

/// Whether a count, as the left side or the right, compares so with a bound.
fn compare(op: CompareOp, is_left: bool, count: i64, bound: i64) -> bool {
    if is_left {
        op.holds(count, bound)
    } else {
        op.holds(bound, count)
    }
}
