//! Supports: what the results of an expression can be, without how likely they are: a die that explodes on its highest
//! face has to know it.
//!
//! All results are gone through, as sets. Dice that are rolled in different places of an expression do not know of one
//! another, and what a block binds is gone through one value after the other. What can't be carried out has no result
//! here: whoever rolls it meets the error.

use std::collections::{BTreeMap, BTreeSet};

use oddsmith_rules::program::{
    Arm, BinaryOp, Die, Expr, FaceRange, Faces, Fold, Form, Keep, Kind, Reading, Statement, Test,
    VarId,
};
use oddsmith_rules::{Check, Config, Span};

use super::expression::input;
use crate::die::Test as Fixed;

/// Results and combinations of results that are looked at.
const MOST_LOOKS: u64 = 1 << 19;

/// There are too many, or they depend on what a player chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unknown;

/// A value that a variable holds; a pool from high to low.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Held {
    Number(i64),
    Pool(Vec<i64>),
}

pub(super) type Bound = BTreeMap<VarId, Held>;

type Numbers = BTreeSet<i64>;
type Pools = BTreeSet<Vec<i64>>;
type Found<T> = Result<T, Unknown>;

/// Goes through results.
pub(super) struct Search<'c> {
    check: &'c Check,
    config: &'c Config,
    left: u64,
}

impl<'c> Search<'c> {
    pub(super) fn new(check: &'c Check, config: &'c Config) -> Self {
        Self {
            check,
            config,
            left: MOST_LOOKS,
        }
    }

    fn look(&mut self, count: usize) -> Found<()> {
        self.left = self.left.checked_sub(count as u64).ok_or(Unknown)?;
        Ok(())
    }

    /// The faces of a die that stand, before it explodes.
    pub(super) fn standing(&mut self, die: &Die, bound: &Bound) -> Found<Numbers> {
        let faces = match &die.faces {
            Faces::Sides(sides) => {
                let sides = self.only(sides, bound)?.unwrap_or(0);
                self.look(usize::try_from(sides).unwrap_or(0))?;
                (1..=sides).collect()
            }
            Faces::Listed(ranges) => self.listed(ranges, bound)?.into_keys().collect(),
            Faces::Of(expr) => self.numbers(expr, bound)?,
        };
        let Some(reroll) = &die.reroll else {
            return Ok(faces);
        };
        let (again, mut standing) = self.parted(&faces, &reroll.test, bound)?;
        if reroll.once && !again.is_empty() {
            standing.extend(faces);
        }
        Ok(standing)
    }

    /// The results of a die.
    fn results(&mut self, die: &Die, bound: &Bound) -> Found<Numbers> {
        let standing = self.standing(die, bound)?;
        let (Some(explode), Some(highest)) = (&die.explode, standing.last().copied()) else {
            return Ok(standing);
        };
        let (again, last) = match &explode.test {
            Some(test) => self.parted(&standing, test, bound)?,
            None => standing.iter().partition(|face| **face == highest),
        };
        let depth = self.only(&explode.depth, bound)?.unwrap_or(0);
        let (mut results, mut so_far) = (Numbers::new(), Numbers::from([0]));
        for _ in 0..depth {
            results.extend(self.sums(&so_far, &last)?);
            so_far = self.sums(&so_far, &again)?;
            if so_far.is_empty() {
                return Ok(results);
            }
        }
        results.extend(self.sums(&so_far, &standing)?);
        Ok(results)
    }

    /// How often each face is listed.
    fn listed(&mut self, ranges: &[FaceRange], bound: &Bound) -> Found<BTreeMap<i64, i64>> {
        let mut faces = BTreeMap::new();
        for range in ranges {
            let from = self.only(&range.from, bound)?;
            let to = match &range.to {
                Some(to) => self.only(to, bound)?,
                None => from,
            };
            let weight = match &range.weight {
                Some(weight) => self.only(weight, bound)?.unwrap_or(0),
                None => 1,
            };
            let (Some(from), Some(to), 1..) = (from, to, weight) else {
                continue;
            };
            self.look(usize::try_from(from.abs_diff(to)).unwrap_or(usize::MAX))?;
            for face in from..=to {
                let sum: &mut i64 = faces.entry(face).or_default();
                *sum = sum.checked_add(weight).ok_or(Unknown)?;
            }
        }
        Ok(faces)
    }

    /// The faces that fit a test, and all others.
    fn parted(&mut self, faces: &Numbers, test: &Test, bound: &Bound) -> Found<(Numbers, Numbers)> {
        self.look(faces.len())?;
        let tests = self.tests(std::slice::from_ref(test), bound)?;
        let test = tests.first().map(Vec::as_slice).unwrap_or_default();
        let fits = |face: &&i64| test.iter().any(|test| test.fits(**face));
        Ok(faces.iter().partition(fits))
    }

    /// The value of an expression that has only one.
    fn only(&mut self, expr: &Expr, bound: &Bound) -> Found<Option<i64>> {
        Ok(self.numbers(expr, bound)?.first().copied())
    }

    fn sums(&mut self, left: &Numbers, right: &Numbers) -> Found<Numbers> {
        self.pairs(left, right, i64::checked_add)
    }

    fn pairs(
        &mut self,
        left: &Numbers,
        right: &Numbers,
        of: impl Fn(i64, i64) -> Option<i64>,
    ) -> Found<Numbers> {
        self.look(left.len().saturating_mul(right.len()))?;
        let pairs = left
            .iter()
            .flat_map(|a| right.iter().map(move |b| (*a, *b)));
        Ok(pairs.filter_map(|(a, b)| of(a, b)).collect())
    }

    /// The numbers that an expression can be.
    pub(super) fn numbers(&mut self, expr: &Expr, bound: &Bound) -> Found<Numbers> {
        self.look(1)?;
        Ok(match &expr.kind {
            Kind::Const(value) => [*value].into(),
            Kind::Input(id) => [input(self.check, self.config, *id)].into(),
            Kind::Var(var) => match bound.get(var) {
                Some(Held::Number(value)) => [*value].into(),
                _ => return Err(Unknown),
            },
            Kind::Unary(op, operand) => {
                let operand = self.numbers(operand, bound)?;
                operand.into_iter().filter_map(|x| op.apply(x)).collect()
            }
            Kind::Binary(op, left, right) => self.binary(*op, left, right, bound)?,
            Kind::Divide {
                division,
                numerator,
                denominator,
            } => {
                let numerator = self.numbers(numerator, bound)?;
                let denominator = self.numbers(denominator, bound)?;
                self.pairs(&numerator, &denominator, |a, b| division.divide(a, b))?
            }
            Kind::Read { pool, reading } => self.readings(pool, reading, bound)?,
            Kind::Wins(left, right) => {
                let (left, right) = (self.pools(left, bound)?, self.pools(right, bound)?);
                self.look(left.len().saturating_mul(right.len()))?;
                let pairs = left.iter().flat_map(|a| right.iter().map(move |b| (a, b)));
                pairs.map(|(a, b)| wins(a, b)).collect()
            }
            _ => {
                let mut numbers = Numbers::new();
                for (tail, bound) in self.tails(expr, bound)? {
                    numbers.extend(self.numbers(tail, &bound)?);
                }
                numbers
            }
        })
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, bound: &Bound) -> Found<Numbers> {
        let mut left = self.numbers(left, bound)?;
        let settled = match op {
            BinaryOp::And => left.take(&0),
            BinaryOp::Or => left.take(&1),
            _ => None,
        };
        let mut numbers = Numbers::new();
        if !left.is_empty() {
            let right = self.numbers(right, bound)?;
            numbers = self.pairs(&left, &right, |a, b| op.apply(a, b))?;
        }
        numbers.extend(settled);
        Ok(numbers)
    }

    /// The expressions that a condition, a list or a block can come to, each with what is bound then.
    fn tails<'e>(&mut self, expr: &'e Expr, bound: &Bound) -> Found<Vec<(&'e Expr, Bound)>> {
        let here = |tail: &'e Expr| (tail, bound.clone());
        Ok(match &expr.kind {
            Kind::If {
                condition,
                then,
                otherwise,
            } => {
                let holds = self.numbers(condition, bound)?;
                let branch = |holds: i64| here(if holds == 0 { otherwise } else { then });
                holds.into_iter().map(branch).collect()
            }
            Kind::Match {
                subject,
                arms,
                otherwise,
            } => {
                let mut taken = Vec::new();
                for subject in self.numbers(subject, bound)? {
                    taken.extend(self.taken(subject, arms, otherwise.as_deref(), bound)?);
                }
                taken.into_iter().map(here).collect()
            }
            Kind::Select { index, items } => {
                let places = self.numbers(index, bound)?;
                let item = |at: i64| items.get(usize::try_from(at).ok()?).map(here);
                places.into_iter().filter_map(item).collect()
            }
            Kind::Block { statements, value } => {
                let all = self.statements(statements, [bound.clone()].into())?;
                all.into_iter().map(|bound| (&**value, bound)).collect()
            }
            _ => return Err(Unknown),
        })
    }

    /// The arms that a number can lead to.
    fn taken<'e>(
        &mut self,
        subject: i64,
        arms: &'e [Arm],
        otherwise: Option<&'e Expr>,
        bound: &Bound,
    ) -> Found<Vec<&'e Expr>> {
        let mut taken = Vec::new();
        for arm in arms {
            let tests = self.tests(&arm.patterns, bound)?;
            let fits = |tests: &Vec<Fixed>| tests.iter().any(|test| test.fits(subject));
            if tests.iter().any(fits) {
                taken.push(&arm.value);
            }
            if tests.iter().all(fits) {
                return Ok(taken);
            }
        }
        taken.extend(otherwise);
        Ok(taken)
    }

    /// Tests with numbers in place of expressions, in every way that these can come out together.
    fn tests(&mut self, tests: &[Test], bound: &Bound) -> Found<Vec<Vec<Fixed>>> {
        let mut all = vec![Vec::new()];
        for test in tests {
            let ways: Vec<Fixed> = match test {
                Test::Compare(op, value) => {
                    let values = self.numbers(value, bound)?;
                    values
                        .into_iter()
                        .map(|value| Fixed::Compare(*op, value))
                        .collect()
                }
                Test::Range(from, to) => {
                    let (from, to) = (self.numbers(from, bound)?, self.numbers(to, bound)?);
                    self.look(from.len().saturating_mul(to.len()))?;
                    let pairs = from
                        .iter()
                        .flat_map(|from| to.iter().map(move |to| (from, to)));
                    pairs.map(|(from, to)| Fixed::Range(*from, *to)).collect()
                }
            };
            self.look(all.len().saturating_mul(ways.len()))?;
            let with = |way: &Fixed| {
                let longer = |tests: &Vec<Fixed>| tests.iter().chain([way]).copied().collect();
                all.iter().map(longer).collect::<Vec<Vec<Fixed>>>()
            };
            all = ways.iter().flat_map(with).collect();
        }
        Ok(all)
    }

    /// The bindings after statements.
    fn statements(
        &mut self,
        statements: &[Statement],
        mut all: BTreeSet<Bound>,
    ) -> Found<BTreeSet<Bound>> {
        for statement in statements {
            let mut next = BTreeSet::new();
            for bound in all {
                self.statement(statement, bound, &mut next)?;
            }
            all = next;
        }
        Ok(all)
    }

    fn statement(
        &mut self,
        statement: &Statement,
        bound: Bound,
        next: &mut BTreeSet<Bound>,
    ) -> Found<()> {
        match statement {
            Statement::Let { var, value } | Statement::Set { var, value } => {
                let held: Vec<Held> = if self.check.program().variable(*var).is_pool() {
                    self.pools(value, &bound)?
                        .into_iter()
                        .map(Held::Pool)
                        .collect()
                } else {
                    self.numbers(value, &bound)?
                        .into_iter()
                        .map(Held::Number)
                        .collect()
                };
                self.look(held.len() * (1 + bound.len()))?;
                let with = |held| {
                    let mut bound = bound.clone();
                    bound.insert(*var, held);
                    bound
                };
                next.extend(held.into_iter().map(with));
                Ok(())
            }
            Statement::Choose { .. } => Err(Unknown),
            Statement::Repeat {
                count, until, body, ..
            } => {
                let count = count.as_ref().ok_or(Unknown)?;
                let rounds = self.only(count, &bound)?.unwrap_or(0);
                let known: BTreeSet<VarId> = bound.keys().copied().collect();
                let mut all = BTreeSet::from([bound]);
                for _ in 0..rounds {
                    all = self.round(until.as_ref(), body, all, (&known, next))?;
                }
                next.extend(all);
                Ok(())
            }
        }
    }

    /// One round of a loop; what is bound where it stops goes to `done`.
    fn round(
        &mut self,
        until: Option<&Expr>,
        body: &[Statement],
        all: BTreeSet<Bound>,
        (known, done): (&BTreeSet<VarId>, &mut BTreeSet<Bound>),
    ) -> Found<BTreeSet<Bound>> {
        let mut going = BTreeSet::new();
        for bound in all {
            let stops = match until {
                Some(until) => self.numbers(until, &bound)?,
                None => [0].into(),
            };
            if stops.contains(&1) {
                done.insert(bound.clone());
            }
            if stops.contains(&0) {
                going.insert(bound);
            }
        }
        let after = self.statements(body, going)?;
        let outside = |mut bound: Bound| {
            bound.retain(|var, _| known.contains(var));
            bound
        };
        Ok(after.into_iter().map(outside).collect())
    }

    /// The numbers that can be read from a pool.
    fn readings(&mut self, pool: &Expr, reading: &Reading, bound: &Bound) -> Found<Numbers> {
        match reading.form() {
            Form::Sum => self.totals(pool, bound, &mut |_, face| Ok([face].into())),
            Form::Size => self.totals(pool, bound, &mut |_, _| Ok([1].into())),
            Form::Count(tests) => {
                let mut numbers = Numbers::new();
                for tests in self.tests(tests, bound)? {
                    numbers.extend(self.totals(pool, bound, &mut |_, face| {
                        let fits = tests.iter().any(|test| test.fits(face));
                        Ok([i64::from(fits)].into())
                    })?);
                }
                Ok(numbers)
            }
            Form::Map(face, value) => self.totals(pool, bound, &mut |search, shown| {
                let mut bound = bound.clone();
                bound.insert(face, Held::Number(shown));
                search.numbers(value, &bound)
            }),
            Form::Fold(fold) => {
                let mut numbers = Numbers::new();
                for dice in self.pools(pool, bound)? {
                    numbers.extend(self.folded(fold, &dice, bound)?);
                }
                Ok(numbers)
            }
            Form::Whole(whole) => {
                let place = match whole.place() {
                    Some(place) => self.only(place, bound)?,
                    None => None,
                };
                let Some(whole) = whole.known(place) else {
                    return Ok(Numbers::new());
                };
                let pools = self.pools(pool, bound)?;
                Ok(pools.iter().map(|dice| whole.of_roll(dice)).collect())
            }
        }
    }

    /// What a fold comes to for some dice; none if a step fails.
    fn folded(&mut self, fold: &Fold, dice: &[i64], bound: &Bound) -> Found<Option<i64>> {
        let mut bound = bound.clone();
        for (var, start) in &fold.states {
            let Some(start) = self.only(start, &bound)? else {
                return Ok(None);
            };
            bound.insert(*var, Held::Number(start));
        }
        for set in fold.sets(dice) {
            bound.insert(fold.face, Held::Number(set.face));
            let counts = fold.counts.iter().zip(set.counts);
            bound.extend(counts.map(|(var, count)| (*var, Held::Number(count))));
            for (var, value) in &fold.steps {
                let Some(value) = self.only(value, &bound)? else {
                    return Ok(None);
                };
                bound.insert(*var, Held::Number(value));
            }
        }
        self.only(
            &Expr::new(Kind::Var(fold.states[0].0), Span::default()),
            &bound,
        )
    }

    /// The sums of what each die of a pool counts.
    fn totals(
        &mut self,
        pool: &Expr,
        bound: &Bound,
        of: &mut dyn FnMut(&mut Self, i64) -> Found<Numbers>,
    ) -> Found<Numbers> {
        if let Kind::Gather(parts) = &pool.kind {
            let mut totals = Numbers::from([0]);
            for part in parts {
                let part = self.totals(part, bound, of)?;
                totals = self.sums(&totals, &part)?;
            }
            return Ok(totals);
        }
        if let Some((sizes, die)) = self.equal_dice(pool, bound)? {
            let mut each = Numbers::new();
            for face in self.results(die, bound)? {
                each.extend(of(self, face)?);
            }
            let mut totals = Numbers::new();
            let mut so_far = Numbers::from([0]);
            for size in 0..=sizes.last().copied().unwrap_or(-1) {
                if sizes.contains(&size) {
                    totals.extend(&so_far);
                }
                so_far = self.sums(&so_far, &each)?;
            }
            return Ok(totals);
        }
        let mut totals = Numbers::new();
        for dice in self.pools(pool, bound)? {
            let mut sum = Numbers::from([0]);
            for face in dice {
                let face = of(self, face)?;
                sum = self.sums(&sum, &face)?;
            }
            totals.extend(sum);
        }
        Ok(totals)
    }

    /// A pool whose dice can show any faces of one die together, and how many these can be: equal dice, also if the
    /// highest or the lowest of them go.
    fn equal_dice<'e>(
        &mut self,
        pool: &'e Expr,
        bound: &Bound,
    ) -> Found<Option<(Numbers, &'e Die)>> {
        match &pool.kind {
            Kind::Dice { count, die } => {
                let mut sizes = self.numbers(count, bound)?;
                sizes.retain(|size| *size >= 0);
                Ok(Some((sizes, die)))
            }
            Kind::Keep {
                pool,
                which,
                amount,
            } => {
                let Some((sizes, die)) = self.equal_dice(pool, bound)? else {
                    return Ok(None);
                };
                let mut amounts = self.numbers(amount, bound)?;
                amounts.retain(|amount| *amount >= 0);
                let kept = |size: i64, amount: i64| match which {
                    Keep::KeepHighest | Keep::KeepLowest => Some(size.min(amount)),
                    Keep::DropHighest | Keep::DropLowest => Some((size - amount).max(0)),
                };
                Ok(Some((self.pairs(&sizes, &amounts, kept)?, die)))
            }
            _ => Ok(None),
        }
    }

    /// The rolls that a pool can show, each from high to low.
    fn pools(&mut self, expr: &Expr, bound: &Bound) -> Found<Pools> {
        if let Some((sizes, die)) = self.equal_dice(expr, bound)? {
            let faces: Vec<i64> = self.results(die, bound)?.into_iter().collect();
            let mut pools = Pools::new();
            for size in sizes {
                let size = usize::try_from(size).unwrap_or(usize::MAX);
                let many = vec![size; faces.len()];
                self.hands(&faces, &many, size, &mut pools)?;
            }
            return Ok(pools);
        }
        self.look(1)?;
        Ok(match &expr.kind {
            Kind::Var(var) => match bound.get(var) {
                Some(Held::Number(value)) => [vec![*value]].into(),
                Some(Held::Pool(dice)) => [dice.clone()].into(),
                None => return Err(Unknown),
            },
            Kind::Gather(parts) => {
                let mut all = Pools::from([Vec::new()]);
                for part in parts {
                    let part = self.pools(part, bound)?;
                    self.look(all.len().saturating_mul(part.len()))?;
                    let with = |dice: &Vec<i64>| {
                        part.iter()
                            .map(|more| merged(dice, more))
                            .collect::<Vec<_>>()
                    };
                    all = all.iter().flat_map(with).collect();
                }
                all
            }
            Kind::Keep {
                pool,
                which,
                amount,
            } => {
                let (pools, amounts) = (self.pools(pool, bound)?, self.numbers(amount, bound)?);
                self.look(pools.len().saturating_mul(amounts.len()))?;
                let amounts = amounts
                    .iter()
                    .filter_map(|amount| usize::try_from(*amount).ok());
                let kept = |amount: usize| {
                    pools
                        .iter()
                        .map(move |dice| kept(dice, *which, amount).to_vec())
                };
                amounts.flat_map(kept).collect()
            }
            Kind::Each { pool, face, value } => {
                let mut all = Pools::new();
                for dice in self.pools(pool, bound)? {
                    let mut made = Vec::with_capacity(dice.len());
                    for shown in &dice {
                        let mut bound = bound.clone();
                        bound.insert(*face, Held::Number(*shown));
                        made.extend(self.only(value, &bound)?);
                    }
                    if made.len() == dice.len() {
                        all.insert(merged(&made, &[]));
                    }
                }
                all
            }
            Kind::Draw { count, bag } => {
                let bag = self.listed(bag, bound)?;
                let (faces, many): (Vec<i64>, Vec<i64>) = bag.into_iter().unzip();
                let many: Vec<usize> = many
                    .iter()
                    .map(|n| usize::try_from(*n).unwrap_or(usize::MAX))
                    .collect();
                let count = self
                    .only(count, bound)?
                    .and_then(|count| usize::try_from(count).ok());
                let mut pools = Pools::new();
                if let Some(count) = count {
                    self.hands(&faces, &many, count, &mut pools)?;
                }
                pools
            }
            Kind::If { .. } | Kind::Match { .. } | Kind::Select { .. } | Kind::Block { .. } => {
                let mut pools = Pools::new();
                for (tail, bound) in self.tails(expr, bound)? {
                    pools.extend(self.pools(tail, &bound)?);
                }
                pools
            }
            _ => self
                .numbers(expr, bound)?
                .into_iter()
                .map(|face| vec![face])
                .collect(),
        })
    }

    /// The hands of `count` faces, each as often as it is there at the most; `faces` ascend.
    fn hands(
        &mut self,
        faces: &[i64],
        many: &[usize],
        count: usize,
        hands: &mut Pools,
    ) -> Found<()> {
        let mut open = vec![(faces.len(), count, Vec::new())];
        while let Some((rest, missing, hand)) = open.pop() {
            self.look(1 + hand.len())?;
            if missing == 0 {
                hands.insert(hand);
            } else if let Some(next) = rest.checked_sub(1) {
                for times in 0..=missing.min(many[next]) {
                    self.look(times)?;
                    let mut hand = hand.clone();
                    hand.resize(hand.len() + times, faces[next]);
                    open.push((next, missing - times, hand));
                }
            }
        }
        Ok(())
    }
}

/// The variables that an expression binds itself.
pub(super) fn bound_in(expr: &Expr) -> BTreeSet<VarId> {
    fn add(statements: &[Statement], bound: &mut BTreeSet<VarId>) {
        for statement in statements {
            match statement {
                Statement::Let { var, .. } | Statement::Choose { var, .. } => {
                    bound.insert(*var);
                }
                Statement::Repeat { body, .. } => add(body, bound),
                Statement::Set { .. } => {}
            }
        }
    }
    let mut bound = BTreeSet::new();
    expr.for_each(&mut |part| match &part.kind {
        Kind::Block { statements, .. } => add(statements, &mut bound),
        Kind::Read { reading, .. } => bound.extend(reading.bound()),
        Kind::Each { face, .. } => {
            bound.insert(*face);
        }
        _ => {}
    });
    bound
}

/// Two pools as one.
fn merged(dice: &[i64], more: &[i64]) -> Vec<i64> {
    let mut all = [dice, more].concat();
    all.sort_unstable_by(|a, b| b.cmp(a));
    all
}

/// The dice that are kept, of dice from high to low.
fn kept(dice: &[i64], which: Keep, amount: usize) -> &[i64] {
    let amount = amount.min(dice.len());
    match which {
        Keep::KeepHighest => &dice[..amount],
        Keep::KeepLowest => &dice[dice.len() - amount..],
        Keep::DropHighest => &dice[amount..],
        Keep::DropLowest => &dice[..dice.len() - amount],
    }
}

/// The pairs in which the left die is higher.
fn wins(left: &[i64], right: &[i64]) -> i64 {
    left.iter().zip(right).map(|(a, b)| i64::from(a > b)).sum()
}
