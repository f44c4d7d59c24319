//! Pools of dice: from expressions to [`oddsmith_dist::Pool`], and what is read from them.

use std::sync::{Mutex, PoisonError};

use oddsmith_dist::{Dist, Feature, Kept, Pool, UBig, Weighted, least_common_multiple};
use oddsmith_rules::program::{
    BinaryOp, CompareOp, Die, Expr, FaceRange, Faces, Keep, Kind, Reading, Statement, Test, VarId,
};

use crate::Error;
use crate::evaluate::{Env, FAILED, PAIR_STEPS, Roll, bytes_of};
use crate::hash::Map;

/// Results of readings, shared by everything that is computed together. Its order shows nowhere.
#[derive(Debug, Default)]
pub(crate) struct PoolCache(Mutex<Cached>);

#[derive(Debug, Default)]
struct Cached {
    dists: Map<(Pool, Feature), Dist>,
    bytes: u128,
}

/// A full cache keeps what it has: 64 MB.
const MOST_CACHED: u128 = 1 << 26;

impl PoolCache {
    fn read(
        &self,
        pool: &Pool,
        feature: &Feature,
        env: &Env<'_>,
    ) -> Result<Dist, oddsmith_dist::Error> {
        let key = (pool.clone(), feature.clone());
        if let Some(known) = self.lock().dists.get(&key) {
            return Ok(known.clone());
        }
        let dist = pool.read(feature, env.budget)?;
        let mut cached = self.lock();
        let bytes = cached.bytes + bytes_of(&dist);
        if bytes <= MOST_CACHED {
            cached.bytes = bytes;
            cached.dists.insert(key, dist.clone());
        }
        Ok(dist)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Cached> {
        // Entries are inserted whole, so a panic elsewhere leaves the map good.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A pool whose dice are known, before or after the roll.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PoolValue {
    /// To be rolled; of the sorted roll, the kept places.
    Dice(Pool, Kept),
    /// Rolled: its faces from high to low.
    Faces(Vec<i64>),
}

/// What finding out costs for what a face counts.
const FACE_STEPS: u128 = 80;

/// Which pool it is, with weights over their sum; mostly one.
struct Pools(Vec<(UBig, PoolValue)>);

impl Env<'_> {
    /// One number from a pool.
    pub(crate) fn read(
        &mut self,
        pool: &Expr,
        reading: &Reading,
        at: &Expr,
    ) -> Result<Roll, Error> {
        let mut parts = Vec::new();
        for (weight, value) in self.pool(pool)?.0 {
            let roll = self.read_value(&value, reading, at)?;
            if let Roll::Rolled(dist) = &roll {
                self.charge_keeping(dist, at)?;
            }
            parts.push((weight, roll));
        }
        match parts.pop() {
            Some((_, only)) if parts.is_empty() => Ok(only),
            Some(last) => {
                let parts: Vec<(UBig, Dist)> = parts
                    .into_iter()
                    .chain([last])
                    .map(|(weight, roll)| (weight, roll.into_dist()))
                    .collect();
                self.wrapped(Dist::mix(&parts), at)
            }
            None => unreachable!("a pool is always some pool"),
        }
    }

    fn read_value(
        &mut self,
        value: &PoolValue,
        reading: &Reading,
        at: &Expr,
    ) -> Result<Roll, Error> {
        match value {
            PoolValue::Faces(faces) => self.read_faces(faces, reading).map(Roll::Known),
            PoolValue::Dice(_, kept) if matches!(reading, Reading::Size) => {
                Ok(Roll::Known(i64::from(kept.len())))
            }
            PoolValue::Dice(pool, kept) => {
                let feature = self.feature(pool, *kept, reading, at)?;
                let dist = self.cache.read(pool, &feature, self);
                self.wrapped(dist, at)
            }
        }
    }

    /// What is read of a pool, face by face.
    fn feature(
        &mut self,
        pool: &Pool,
        kept: Kept,
        reading: &Reading,
        at: &Expr,
    ) -> Result<Feature, Error> {
        Ok(match reading {
            Reading::Sum => Feature::sum(kept),
            Reading::Size => unreachable!("the size of a pool is known before it is rolled"),
            Reading::Matches(k) => Feature::matches(kept, self.set_number(k)?),
            Reading::Count(_) | Reading::Map { .. } => {
                // A face that is never kept counts for nothing, and what it would count for may be an error.
                let (faces, kept_faces) = (pool.faces(), pool.kept_faces(kept));
                self.budget
                    .charge(FACE_STEPS * faces.len() as u128)
                    .map_err(|error| self.wrap(at, &error))?;
                let mut values = Vec::with_capacity(faces.len());
                let all_kept = faces.len() == kept_faces.len();
                for face in faces {
                    let is_kept = all_kept || kept_faces.binary_search(&face).is_ok();
                    let value = if is_kept {
                        self.face_value(face, reading)?
                    } else {
                        0
                    };
                    values.push((face, value));
                }
                Feature::new(kept, oddsmith_dist::Reading::SumOf(values.into()))
            }
        })
    }

    /// Which set of equal faces, from 1.
    fn set_number(&mut self, k: &Expr) -> Result<u32, Error> {
        let value = self.number(k)?;
        u32::try_from(value)
            .ok()
            .filter(|&k| k >= 1)
            .ok_or_else(|| {
                self.error(
                    k,
                    "sets are counted from 1, the largest",
                    format!("this is {value}"),
                )
            })
    }

    /// What a face counts for.
    fn face_value(&mut self, face: i64, reading: &Reading) -> Result<i64, Error> {
        match reading {
            Reading::Sum | Reading::Size | Reading::Matches(_) => Ok(face),
            Reading::Count(tests) => {
                for test in tests {
                    if self.fits(test, face)? {
                        return Ok(1);
                    }
                }
                Ok(0)
            }
            Reading::Map { face: var, value } => {
                self.bind(*var, face);
                let value = self.number(value);
                self.unbind(*var);
                value
            }
        }
    }

    /// A reading of faces that are known, from high to low.
    fn read_faces(&mut self, faces: &[i64], reading: &Reading) -> Result<i64, Error> {
        let size = i64::try_from(faces.len()).expect("a pool fits in memory");
        match reading {
            Reading::Size => Ok(size),
            Reading::Matches(k) => {
                let k = self.set_number(k)?;
                let mut sets: Vec<i64> = faces
                    .chunk_by(|a, b| a == b)
                    .map(|set| i64::try_from(set.len()).expect("a set fits in memory"))
                    .collect();
                sets.sort_unstable_by(|a, b| b.cmp(a));
                Ok(usize::try_from(k - 1)
                    .ok()
                    .and_then(|at| sets.get(at))
                    .copied()
                    .unwrap_or(0))
            }
            _ => faces.iter().try_fold(0_i64, |sum, &face| {
                let value = self.face_value(face, reading)?;
                // Sums of faces that were summed before fit; `map` may make larger ones.
                Ok(sum.saturating_add(value))
            }),
        }
    }

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
            let (base, outer) = match &value {
                PoolValue::Dice(base, kept) => (base.clone(), *kept),
                PoolValue::Faces(faces) => {
                    let dice = faces.iter().map(|&face| (Dist::constant(face), 1));
                    let base = Pool::new(dice);
                    let kept = base.kept_all();
                    (base, kept)
                }
            };
            let mut columns = Vec::with_capacity(readings.len());
            self.reading = Some((pool_var, PoolValue::Dice(base.clone(), outer)));
            for (var, reading) in readings {
                columns.push(self.column(reading).unwrap_or_else(|error| {
                    self.failed.insert(*var, error);
                    Column::Known(FAILED)
                }));
            }
            self.reading = None;
            let features: Vec<Feature> = columns.iter().filter_map(Column::feature).collect();
            let joint = base
                .read_jointly(&features, self.budget)
                .map_err(|error| self.wrap(pool, &error))?;
            let made_up = joint.iter().any(|(row, _)| row.contains(&FAILED));
            if made_up {
                return Err(self.overflow(pool));
            }
            parts.push((weight, joint.into_map(|row| fill(&columns, row))));
        }
        Weighted::mix(parts).map_err(|error| self.wrap(pool, &error))
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
        match reading {
            Reading::Size => Ok(Column::Known(i64::from(kept.len()))),
            _ => self.feature(&base, kept, reading, at).map(Column::Feature),
        }
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
        let feature = feature.capped(bound.saturating_add(1).max(0));
        Ok(Column::Compared {
            feature,
            op,
            bound,
            is_left,
        })
    }

    /// Every roll of a pool as a place in the table of rolls.
    pub(crate) fn roll_pool(&mut self, pool: &Expr) -> Result<Dist, Error> {
        let mut parts = Vec::new();
        for (weight, value) in self.pool(pool)?.0 {
            let rolls = self.faces_of(value, pool)?;
            let places: Vec<(i64, UBig)> = rolls
                .into_iter()
                .map(|(faces, weight)| (self.rolls.place(faces), weight))
                .collect();
            let places = Dist::from_weights(places).map_err(|error| self.wrap(pool, &error))?;
            parts.push((weight, places));
        }
        Dist::mix(&parts).map_err(|error| self.wrap(pool, &error))
    }

    /// All rolls of a pool, each from high to low.
    fn faces_of(&mut self, value: PoolValue, at: &Expr) -> Result<Vec<(Vec<i64>, UBig)>, Error> {
        match value {
            PoolValue::Faces(faces) => Ok(vec![(faces, UBig::ONE)]),
            PoolValue::Dice(pool, kept) => {
                let rolls = pool
                    .multisets(self.budget)
                    .map_err(|error| self.wrap(at, &error))?;
                let (start, end) = (kept.start as usize, kept.end as usize);
                let kept_part =
                    |faces: &Vec<i64>| faces.get(start..end).unwrap_or_default().to_vec();
                let kept = rolls.map(kept_part);
                Ok(kept
                    .iter()
                    .map(|(faces, weight)| (faces.clone(), weight.clone()))
                    .collect())
            }
        }
    }

    /// Which pool an expression is.
    fn pool(&mut self, expr: &Expr) -> Result<Pools, Error> {
        match &expr.kind {
            Kind::Var(var) if self.is_pool(*var) => {
                if let Some((reading, value)) = &self.reading
                    && reading == var
                {
                    return Ok(one(value.clone()));
                }
                let place = self.value(*var)?;
                Ok(one(PoolValue::Faces(self.rolls.roll(place).to_vec())))
            }
            Kind::Dice { count, die } => {
                let faces = self.die(die, expr)?;
                let count = self.roll(count)?;
                self.choose_pool(
                    count,
                    |env, n| {
                        let n = env.dice_count(n, expr)?;
                        let pool = Pool::new([(faces.clone(), n)]);
                        let kept = pool.kept_all();
                        Ok(one(PoolValue::Dice(pool, kept)))
                    },
                    expr,
                )
            }
            Kind::Gather(parts) => self.gather(parts, expr),
            Kind::Keep {
                pool,
                which,
                amount,
            } => {
                let values = self.pool(pool)?;
                let amount = self.roll(amount)?;
                self.choose_pool(
                    amount,
                    |env, n| {
                        let n = env.keep_count(n, expr)?;
                        Ok(Pools(
                            values
                                .0
                                .iter()
                                .map(|(w, value)| (w.clone(), keep(value, *which, n)))
                                .collect(),
                        ))
                    },
                    expr,
                )
            }
            Kind::Draw { count, bag } => self.draw(count, bag, expr),
            Kind::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.roll(condition)?;
                self.choose_pool(
                    condition,
                    |env, value| env.pool(if value == 0 { otherwise } else { then }),
                    expr,
                )
            }
            Kind::Match {
                subject,
                arms,
                otherwise,
            } => {
                let subject = self.roll(subject)?;
                self.choose_pool(
                    subject,
                    |env, value| {
                        let taken = env.taken_arm(value, arms, otherwise.as_deref(), expr)?;
                        env.pool(taken)
                    },
                    expr,
                )
            }
            Kind::Block { statements, value } => self.block_pools(statements, value, expr),
            // A number among dice is one die that shows it.
            _ => {
                let die = self.roll(expr)?.into_dist();
                let pool = Pool::new([(die, 1)]);
                let kept = pool.kept_all();
                Ok(one(PoolValue::Dice(pool, kept)))
            }
        }
    }

    /// The mixture of pools that `branch` makes of each value of `condition`.
    fn choose_pool(
        &mut self,
        condition: Roll,
        mut branch: impl FnMut(&mut Self, i64) -> Result<Pools, Error>,
        at: &Expr,
    ) -> Result<Pools, Error> {
        match condition {
            Roll::Known(value) => branch(self, value),
            Roll::Rolled(dist) => {
                let mut parts = Vec::new();
                self.budget
                    .charge(PAIR_STEPS.saturating_mul(dist.len() as u128))
                    .map_err(|error| self.wrap(at, &error))?;
                for (value, weight) in dist.iter() {
                    parts.push((weight, branch(self, value)?));
                }
                Ok(mix(parts))
            }
        }
    }

    fn dice_count(&self, n: i64, at: &Expr) -> Result<u32, Error> {
        u32::try_from(n).map_err(|_| {
            let message = if n < 0 {
                "a pool can't have fewer than 0 dice"
            } else {
                "too many dice"
            };
            self.error(at, message, format!("the count is {n} here"))
        })
    }

    fn keep_count(&self, n: i64, at: &Expr) -> Result<u32, Error> {
        if n < 0 {
            return Err(self.error(
                at,
                "can't keep or drop fewer than 0 dice",
                format!("the number is {n} here"),
            ));
        }
        Ok(u32::try_from(n).unwrap_or(u32::MAX))
    }

    /// One die, with its rerolls and explosions.
    fn die(&mut self, die: &Die, at: &Expr) -> Result<Dist, Error> {
        let mut faces = match &die.faces {
            Faces::Sides(sides) => {
                let n = self.number(sides)?;
                let Some(n) = u32::try_from(n).ok().filter(|&n| n >= 1) else {
                    let message = if n < 1 {
                        "a die needs at least one face"
                    } else {
                        "a die has too many faces"
                    };
                    return Err(self.error(at, message, format!("this is d{n} here")));
                };
                self.budget
                    .charge(u128::from(n))
                    .map_err(|error| self.wrap(at, &error))?;
                Dist::die(n)
            }
            Faces::Listed(ranges) => Dist::from_weights(self.listed_faces(ranges, at)?),
            Faces::Of(expr) => Ok(self.roll(expr)?.into_dist()),
        }
        .map_err(|error| self.die_error(at, &error))?;
        if let Some(reroll) = &die.reroll {
            let again = self.matching(&faces, &reroll.test)?;
            let is_again = |face: i64| again.binary_search(&face).is_ok();
            faces = if reroll.once {
                Ok(faces.reroll_once(is_again))
            } else {
                faces.reroll(is_again)
            }
            .map_err(|_| self.error(at, "every face is rerolled for ever", "no face stands"))?;
        }
        if let Some(explode) = &die.explode {
            let again = match &explode.test {
                Some(test) => self.matching(&faces, test)?,
                None => vec![faces.max()],
            };
            let depth = self.number(&explode.depth)?;
            let depth = u32::try_from(depth).map_err(|_| {
                self.error(
                    &explode.depth,
                    "a depth is 0 or more",
                    format!("this is {depth}"),
                )
            })?;
            faces = faces
                .explode(
                    |face| again.binary_search(&face).is_ok(),
                    depth,
                    self.budget,
                )
                .map_err(|error| self.wrap(at, &error))?;
        }
        Ok(faces)
    }

    fn die_error(&self, at: &Expr, error: &oddsmith_dist::Error) -> Error {
        match error {
            oddsmith_dist::Error::Empty => {
                self.error(at, "a die needs a face of positive weight", "none here")
            }
            other => self.wrap(at, other),
        }
    }

    /// The faces of a die that fit a test, ascending.
    fn matching(&mut self, faces: &Dist, test: &Test) -> Result<Vec<i64>, Error> {
        let mut matching = Vec::new();
        for face in faces.support() {
            if self.fits(test, face)? {
                matching.push(face);
            }
        }
        Ok(matching)
    }

    fn listed_faces(&mut self, ranges: &[FaceRange], at: &Expr) -> Result<Vec<(i64, UBig)>, Error> {
        let mut faces = Vec::new();
        for range in ranges {
            let low = self.number(&range.from)?;
            let high = range.to.as_ref().map_or(Ok(low), |to| self.number(to))?;
            if low > high {
                return Err(self.error(
                    at,
                    "an empty range of faces",
                    format!("{low} is above {high}"),
                ));
            }
            let weight = range
                .weight
                .as_ref()
                .map_or(Ok(1), |weight| self.number(weight))?;
            let Ok(weight) = u64::try_from(weight) else {
                return Err(self.error(
                    at,
                    "a face can't have a weight below 0",
                    format!("it is {weight} here"),
                ));
            };
            // An outcome and a weight each.
            let bytes = 32 * (u128::from(high.abs_diff(low)) + 1);
            self.budget
                .charge_memory(bytes)
                .map_err(|error| self.wrap(at, &error))?;
            faces.extend((low..=high).map(|face| (face, UBig::from(weight))));
        }
        Ok(faces)
    }

    fn gather(&mut self, parts: &[Expr], at: &Expr) -> Result<Pools, Error> {
        let mut joined: Vec<(UBig, Pool)> = vec![(UBig::ONE, Pool::new([]))];
        for part in parts {
            let pools = self.pool(part)?;
            let next = self.whole_pools(&pools, at)?;
            self.charge_products(joined.len(), next.len(), at)?;
            let mut products = Distinct::default();
            for (weight, left) in &joined {
                for (other, right) in &next {
                    products.add(weight * other, self.join_pools(left, right, at)?);
                }
            }
            joined = products.entries;
        }
        let value = |pool: Pool| {
            let kept = pool.kept_all();
            PoolValue::Dice(pool, kept)
        };
        Ok(Pools(
            joined
                .into_iter()
                .map(|(weight, pool)| (weight, value(pool)))
                .collect(),
        ))
    }

    /// All the dice of two pools.
    fn join_pools(&self, left: &Pool, right: &Pool, at: &Expr) -> Result<Pool, Error> {
        let size = i64::from(left.size()) + i64::from(right.size());
        self.dice_count(size, at)?;
        let dice = [left, right].into_iter().filter_map(Pool::groups).flatten();
        Ok(Pool::new(dice.cloned()))
    }

    /// Pairs of pools cost their dice and their weights.
    fn charge_products(&self, left: usize, right: usize, at: &Expr) -> Result<(), Error> {
        let pairs = (left as u128).saturating_mul(right as u128);
        self.budget
            .charge(pairs.saturating_mul(PAIR_STEPS))
            .map_err(|error| self.wrap(at, &error))
    }

    /// Pools as independent dice, each distinct one once, with weights over their sum.
    fn whole_pools(&mut self, pools: &Pools, at: &Expr) -> Result<Vec<(UBig, Pool)>, Error> {
        let mut parts = Vec::with_capacity(pools.0.len());
        for (weight, value) in &pools.0 {
            parts.push((weight, self.whole(value.clone(), at)?));
        }
        let totals: Vec<UBig> = parts
            .iter()
            .map(|(_, whole)| whole.iter().map(|(weight, _)| weight).sum())
            .collect();
        let common = least_common_multiple(totals.iter());
        let mut distinct = Distinct::default();
        for ((weight, whole), total) in parts.into_iter().zip(&totals) {
            let scale = weight * (&common / total);
            for (own, pool) in whole {
                distinct.add(own * &scale, pool);
            }
        }
        Ok(distinct.entries)
    }

    /// A pool as independent dice: itself if all its dice are kept, else each of its rolls.
    fn whole(&mut self, value: PoolValue, at: &Expr) -> Result<Vec<(UBig, Pool)>, Error> {
        if let PoolValue::Dice(pool, kept) = &value
            && pool.groups().is_some()
            && *kept == pool.kept_all()
        {
            return Ok(vec![(UBig::ONE, pool.clone())]);
        }
        let rolls = self.faces_of(value, at)?;
        let constants =
            |faces: Vec<i64>| Pool::new(faces.into_iter().map(|face| (Dist::constant(face), 1)));
        Ok(rolls
            .into_iter()
            .map(|(faces, weight)| (weight, constants(faces)))
            .collect())
    }

    fn draw(&mut self, count: &Expr, bag: &[FaceRange], at: &Expr) -> Result<Pools, Error> {
        let n = self.number(count)?;
        let n = self.dice_count(n, count)?;
        let mut copies = Vec::new();
        for (face, weight) in self.listed_faces(bag, at)? {
            let many = u32::try_from(&weight)
                .map_err(|_| self.error(at, "the bag holds too many", "here"))?;
            copies.push((face, many));
        }
        let pool = Pool::draw(&copies, n).map_err(|error| self.wrap(at, &error))?;
        let kept = pool.kept_all();
        Ok(one(PoolValue::Dice(pool, kept)))
    }

    /// The pairs in which the left die is higher.
    pub(crate) fn wins(&mut self, left: &Expr, right: &Expr, at: &Expr) -> Result<Roll, Error> {
        let mut parts = Vec::new();
        for (weight, a, b) in self.pairs_of_pools(left, right, at)? {
            let dist = a
                .wins(&b, self.budget)
                .map_err(|error| self.wrap(at, &error))?;
            self.charge_keeping(&dist, at)?;
            parts.push((weight, dist));
        }
        self.wrapped(Dist::mix(&parts), at)
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
                let net = a.net_wins(&b, self.budget);
                net.and_then(|net| {
                    Weighted::from_weights(net.iter().map(|(net, weight)| (row(net, 0), weight)))
                })
            } else {
                let duel = a.duel(&b, self.budget);
                duel.map(|duel| duel.map(|(won, lost)| row(*won, *lost)))
            };
            parts.push((weight, joint.map_err(|error| self.wrap(left, &error))?));
        }
        Weighted::mix(parts).map_err(|error| self.wrap(left, &error))
    }

    /// All that two pools can be, with weights.
    fn pairs_of_pools(
        &mut self,
        left: &Expr,
        right: &Expr,
        at: &Expr,
    ) -> Result<Vec<(UBig, Pool, Pool)>, Error> {
        let (left, right) = (self.pool(left)?, self.pool(right)?);
        let (left, right) = (self.whole_pools(&left, at)?, self.whole_pools(&right, at)?);
        self.charge_products(left.len(), right.len(), at)?;
        let mut pairs = Vec::with_capacity(left.len() * right.len());
        for (weight, a) in &left {
            for (other, b) in &right {
                pairs.push((weight * other, a.clone(), b.clone()));
            }
        }
        Ok(pairs)
    }

    /// The pool that a block ends in, over everything that it rolls first.
    fn block_pools(
        &mut self,
        statements: &[Statement],
        value: &Expr,
        at: &Expr,
    ) -> Result<Pools, Error> {
        let mut parts = Vec::new();
        self.block_states(statements, value, true, at, &mut |env, value, weight| {
            parts.push((weight, env.pool(value)?));
            Ok(())
        })?;
        Ok(mix(parts))
    }
}

/// Distinct pools in the order in which they came, with the sums of their weights.
#[derive(Default)]
struct Distinct {
    entries: Vec<(UBig, Pool)>,
    places: Map<Pool, usize>,
}

impl Distinct {
    fn add(&mut self, weight: UBig, pool: Pool) {
        match self.places.get(&pool) {
            Some(&place) => self.entries[place].0 += weight,
            None => {
                self.places.insert(pool.clone(), self.entries.len());
                self.entries.push((weight, pool));
            }
        }
    }
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
                let (left, right) = if *is_left {
                    (row[at], *bound)
                } else {
                    (*bound, row[at])
                };
                row[at] = i64::from(op.holds(left, right));
            }
        }
    }
    row
}

fn one(value: PoolValue) -> Pools {
    Pools(vec![(UBig::ONE, value)])
}

/// Pools of pools: each part's weights brought to one total.
fn mix(parts: Vec<(UBig, Pools)>) -> Pools {
    let totals: Vec<UBig> = parts
        .iter()
        .map(|(_, pools)| pools.0.iter().fold(UBig::ZERO, |sum, (w, _)| sum + w))
        .collect();
    let common = least_common_multiple(totals.iter());
    let mut mixed = Vec::new();
    for ((weight, pools), total) in parts.into_iter().zip(&totals) {
        let scale = weight * (&common / total);
        mixed.extend(pools.0.into_iter().map(|(w, value)| (w * &scale, value)));
    }
    Pools(mixed)
}

fn keep(value: &PoolValue, which: Keep, n: u32) -> PoolValue {
    let cut = |kept: Kept| match which {
        Keep::KeepHighest => kept.keep_highest(n),
        Keep::KeepLowest => kept.keep_lowest(n),
        Keep::DropHighest => kept.drop_highest(n),
        Keep::DropLowest => kept.drop_lowest(n),
    };
    match value {
        PoolValue::Dice(pool, kept) => PoolValue::Dice(pool.clone(), cut(*kept)),
        PoolValue::Faces(faces) => {
            let size = u32::try_from(faces.len()).expect("a pool has fewer than 2^32 dice");
            let kept = cut(Kept::all(size));
            PoolValue::Faces(faces[kept.start as usize..kept.end as usize].to_vec())
        }
    }
}
