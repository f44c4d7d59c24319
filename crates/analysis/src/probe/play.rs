//! One play of a script, with dice that look for ways that were not gone yet.
//!
//! A play is a witness: what it comes to is possible, since every face that it rolls has a positive weight. No odds come
//! of plays, so their dice need not be fair: some plays roll nothing but lowest faces, some nothing but highest ones.

use oddsmith_rules::program::{
    Arm, BinaryOp, Die, Expr, FaceRange, Faces, Form, Keep, Kind, Options, Reading, Statement,
    Test, UnaryOp, VarId,
};
use oddsmith_rules::{Check, Config, Span};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

use super::branch::{Branch, Way};
use super::coverage::Seen;

/// A play that takes more steps than this is given up: it may be a track without an end, or a million dice.
const MOST_STEPS: u32 = 4_000;

/// Why a play did not come to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    /// A rule can't be carried out.
    Rule,
    /// The play takes too long.
    TooLong,
}

/// How dice fall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fall {
    Lowest,
    Highest,
    /// A third lowest, a third highest, all others as they come.
    Extreme,
    /// Dice fall as they come.
    Fair,
}

impl Fall {
    /// How dice fall in one of many plays.
    fn of(play: usize) -> Self {
        match play {
            0 => Self::Lowest,
            1 => Self::Highest,
            _ if play % 4 == 2 => Self::Extreme,
            _ => Self::Fair,
        }
    }
}

/// A value that a variable holds.
#[derive(Clone, Debug)]
enum Value {
    Number(i64),
    /// The faces from high to low.
    Pool(Vec<i64>),
}

/// A face, and how often it occurs.
type WeightedFaces = Vec<(i64, i64)>;

/// A play, and the ways that this one and others before it went.
pub(super) struct Play<'a> {
    check: &'a Check,
    config: &'a Config,
    /// Indexed by variable.
    values: Vec<Option<Value>>,
    seen: &'a mut Seen,
    dice: SplitMix64,
    fall: Fall,
    steps: u32,
}

impl<'a> Play<'a> {
    /// The play with this number: equal numbers are equal plays.
    pub(super) fn new(
        check: &'a Check,
        config: &'a Config,
        seen: &'a mut Seen,
        number: usize,
    ) -> Self {
        Self {
            check,
            config,
            values: vec![None; check.program().variables().len()],
            seen,
            dice: SplitMix64::seed_from_u64(number as u64),
            fall: Fall::of(number),
            steps: 0,
        }
    }

    /// Plays the script from top to bottom.
    pub(super) fn script(&mut self) -> Result<(), Halt> {
        let check = self.check;
        self.statements(check.program().statements())
    }

    fn note(&mut self, span: Span, way: Way) {
        self.seen.note(Branch::new(span, way));
    }

    fn step(&mut self) -> Result<(), Halt> {
        self.steps += 1;
        match self.steps > MOST_STEPS {
            true => Err(Halt::TooLong),
            false => Ok(()),
        }
    }

    fn statements(&mut self, statements: &[Statement]) -> Result<(), Halt> {
        statements.iter().try_for_each(|one| self.statement(one))
    }

    fn statement(&mut self, statement: &Statement) -> Result<(), Halt> {
        self.step()?;
        match statement {
            Statement::Let { var, value } | Statement::Set { var, value } => {
                let value = match self.check.program().variable(*var).is_pool() {
                    true => Value::Pool(self.pool(value)?),
                    false => Value::Number(self.number(value)?),
                };
                self.values[var.0] = Some(value);
            }
            Statement::Choose {
                var,
                options,
                condition,
                span,
                ..
            } => self.choose(*var, options, condition.as_ref(), *span)?,
            Statement::Repeat {
                count,
                until,
                body,
                span,
                ..
            } => {
                let count = match count {
                    Some(count) => self.number(count)?,
                    None => i64::MAX,
                };
                for _ in 0..count {
                    self.step()?;
                    if let Some(until) = until
                        && self.holds(until)?
                    {
                        self.note(*span, Way::Round(false));
                        break;
                    }
                    self.note(*span, Way::Round(true));
                    self.statements(body)?;
                }
            }
        }
        Ok(())
    }

    /// Takes any option that is allowed: which is the best is not known here.
    fn choose(
        &mut self,
        var: VarId,
        options: &Options,
        condition: Option<&Expr>,
        span: Span,
    ) -> Result<(), Halt> {
        let mut allowed = Vec::new();
        for option in self.options(options)? {
            self.step()?;
            self.values[var.0] = Some(option.clone());
            if condition.is_none_or(|condition| self.holds(condition) == Ok(true)) {
                allowed.push(option);
            }
        }
        if allowed.len() > 1 {
            self.note(span, Way::Chooses);
        }
        if allowed.is_empty() {
            return Err(Halt::Rule);
        }
        let at = self.below(allowed.len() as u64);
        self.values[var.0] = Some(allowed.swap_remove(usize::try_from(at).unwrap_or(0)));
        Ok(())
    }

    fn options(&mut self, options: &Options) -> Result<Vec<Value>, Halt> {
        /// The most options that are tried; of more some are left out.
        const MOST: usize = 64;
        match options {
            Options::Range(from, to) => {
                let (from, to) = (self.number(from)?, self.number(to)?);
                Ok((from..=to).take(MOST).map(Value::Number).collect())
            }
            Options::Subsets(pool) => {
                let pool = self.pool(pool)?;
                let subsets = 1_usize.checked_shl(u32::try_from(pool.len()).unwrap_or(u32::MAX));
                let subset = |bits: usize| {
                    let dice = pool.iter().enumerate();
                    dice.filter(|(at, _)| bits >> at & 1 == 1)
                        .map(|(_, face)| *face)
                        .collect()
                };
                let last = subsets.unwrap_or(MOST).saturating_sub(1);
                let stride = (last / MOST).max(1);
                let bits = (0..=last).step_by(stride).chain([last]);
                Ok(bits.map(subset).map(Value::Pool).collect())
            }
        }
    }

    fn holds(&mut self, condition: &Expr) -> Result<bool, Halt> {
        self.number(condition).map(|value| value != 0)
    }

    pub(super) fn number(&mut self, expr: &Expr) -> Result<i64, Halt> {
        Ok(match &expr.kind {
            Kind::Const(value) => *value,
            Kind::Input(id) => self.config[*id],
            Kind::Var(var) => match self.values[var.0] {
                Some(Value::Number(value)) => value,
                _ => return Err(Halt::Rule),
            },
            Kind::Unary(op, operand) => {
                let value = self.number(operand)?;
                if matches!(op, UnaryOp::Abs | UnaryOp::Sign) {
                    self.note(expr.span, Way::Stands(value.cmp(&0)));
                }
                op.apply(value).ok_or(Halt::Rule)?
            }
            Kind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                let first = self.holds(left)?;
                let settled = first == (*op == BinaryOp::Or);
                let second = match settled {
                    true => None,
                    false => Some(self.holds(right)?),
                };
                self.note(expr.span, Way::Holds(first, second));
                i64::from(second.unwrap_or(first))
            }
            Kind::Binary(op, left, right) => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                self.note_operands(expr.span, *op, left, right);
                op.apply(left, right).ok_or(Halt::Rule)?
            }
            Kind::Divide {
                division,
                numerator,
                denominator,
            } => {
                let (above, below) = (self.number(numerator)?, self.number(denominator)?);
                if above.checked_rem(below).is_some_and(|rest| rest != 0) {
                    self.note(expr.span, Way::Rounds);
                }
                division.divide(above, below).ok_or(Halt::Rule)?
            }
            Kind::If { .. } | Kind::Match { .. } | Kind::Select { .. } => {
                let taken = self.taken(expr)?;
                self.number(taken)?
            }
            Kind::Block { statements, value } => {
                self.statements(statements)?;
                self.number(value)?
            }
            Kind::Read { pool, reading } => {
                let faces = self.pool(pool)?;
                self.read(&faces, reading)?
            }
            Kind::Wins(left, right) => {
                let (left, right) = (self.pool(left)?, self.pool(right)?);
                for (a, b) in left.iter().zip(&right) {
                    self.note(expr.span, Way::Stands(a.cmp(b)));
                }
                amount(left.iter().zip(&right).filter(|(a, b)| a > b).count())
            }
            Kind::Dice { .. }
            | Kind::Gather(_)
            | Kind::Keep { .. }
            | Kind::Each { .. }
            | Kind::Draw { .. } => self.pool(expr)?.iter().sum(),
        })
    }

    /// Notes how two operands stand to each other, or whether they change the result.
    fn note_operands(&mut self, span: Span, op: BinaryOp, left: i64, right: i64) {
        let idle = match op {
            BinaryOp::Compare(_) | BinaryOp::Min | BinaryOp::Max => {
                return self.note(span, Way::Stands(left.cmp(&right)));
            }
            BinaryOp::Multiply => 1,
            _ => 0,
        };
        if left != idle {
            self.note(span, Way::Counts(0));
        }
        if right != idle {
            self.note(span, Way::Counts(1));
        }
    }

    /// The branch of an `if`, the arm of a `match` or the item of a list that this play comes to.
    fn taken<'e>(&mut self, expr: &'e Expr) -> Result<&'e Expr, Halt> {
        let (place, taken) = match &expr.kind {
            Kind::If {
                condition,
                then,
                otherwise,
            } => match self.holds(condition)? {
                true => (0, &**then),
                false => (1, &**otherwise),
            },
            Kind::Match {
                subject,
                arms,
                otherwise,
            } => {
                let subject = self.number(subject)?;
                match self.arm(subject, arms)? {
                    Some(at) => (at, &arms[at].value),
                    None => (arms.len(), otherwise.as_deref().ok_or(Halt::Rule)?),
                }
            }
            Kind::Select { index, items } => {
                let index = usize::try_from(self.number(index)?).map_err(|_| Halt::Rule)?;
                (index, items.get(index).ok_or(Halt::Rule)?)
            }
            _ => return Err(Halt::Rule),
        };
        self.note(expr.span, Way::Taken(place));
        Ok(taken)
    }

    /// The first arm that fits.
    fn arm(&mut self, subject: i64, arms: &[Arm]) -> Result<Option<usize>, Halt> {
        for (at, arm) in arms.iter().enumerate() {
            if self.fits_any(subject, &arm.patterns)? {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    fn fits_any(&mut self, value: i64, tests: &[Test]) -> Result<bool, Halt> {
        for test in tests {
            if self.fits(value, test)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn fits(&mut self, value: i64, test: &Test) -> Result<bool, Halt> {
        Ok(match test {
            Test::Compare(op, bound) => {
                let number = self.number(bound)?;
                self.note(bound.span, Way::Stands(value.cmp(&number)));
                op.holds(value, number)
            }
            Test::Range(from, to) => {
                let (low, high) = (self.number(from)?, self.number(to)?);
                self.note(from.span, Way::Stands(value.cmp(&low)));
                self.note(to.span, Way::Stands(value.cmp(&high)));
                low <= value && value <= high
            }
        })
    }

    fn read(&mut self, faces: &[i64], reading: &Reading) -> Result<i64, Halt> {
        Ok(match reading.form() {
            Form::Sum => faces
                .iter()
                .try_fold(0_i64, |sum, face| sum.checked_add(*face))
                .ok_or(Halt::Rule)?,
            Form::Size => amount(faces.len()),
            Form::Count(tests) => {
                let mut count = 0;
                for face in faces {
                    count += i64::from(self.fits_any(*face, tests)?);
                }
                count
            }
            Form::Whole(whole) => {
                let place = match whole.place() {
                    Some(place) => Some(self.number(place)?),
                    None => None,
                };
                whole.known(place).ok_or(Halt::Rule)?.of_roll(faces)
            }
            Form::Map(var, value) => {
                let mut sum = 0_i64;
                for face in faces {
                    self.values[var.0] = Some(Value::Number(*face));
                    sum = sum.checked_add(self.number(value)?).ok_or(Halt::Rule)?;
                }
                sum
            }
            Form::Fold(fold) => {
                for (var, start) in &fold.states {
                    let start = self.number(start)?;
                    self.values[var.0] = Some(Value::Number(start));
                }
                for set in fold.sets(faces) {
                    self.values[fold.face.0] = Some(Value::Number(set.face));
                    for (var, count) in fold.counts.iter().zip(set.counts) {
                        self.values[var.0] = Some(Value::Number(count));
                    }
                    for (var, value) in &fold.steps {
                        let value = self.number(value)?;
                        self.values[var.0] = Some(Value::Number(value));
                    }
                }
                match self.values[fold.states[0].0.0] {
                    Some(Value::Number(value)) => value,
                    _ => return Err(Halt::Rule),
                }
            }
        })
    }

    /// A rolled pool, from high to low.
    fn pool(&mut self, expr: &Expr) -> Result<Vec<i64>, Halt> {
        let mut faces = match &expr.kind {
            Kind::Var(var) => match self.values[var.0].clone() {
                Some(Value::Pool(faces)) => return Ok(faces),
                Some(Value::Number(value)) => vec![value],
                None => return Err(Halt::Rule),
            },
            Kind::Dice { count, die } => self.dice(count, die)?,
            Kind::Gather(parts) => {
                let pools: Result<Vec<Vec<i64>>, Halt> =
                    parts.iter().map(|part| self.pool(part)).collect();
                pools?.concat()
            }
            Kind::Each { pool, face, value } => {
                let mut faces = self.pool(pool)?;
                for shown in &mut faces {
                    self.values[face.0] = Some(Value::Number(*shown));
                    *shown = self.number(value)?;
                }
                faces
            }
            Kind::Keep {
                pool,
                which,
                amount,
            } => {
                let faces = self.pool(pool)?;
                let number = usize::try_from(self.number(amount)?).map_err(|_| Halt::Rule)?;
                let kept = kept(&faces, *which, number);
                if kept.len() < faces.len() {
                    self.note(expr.span, Way::Drops);
                }
                kept.to_vec()
            }
            Kind::Draw { count, bag } => self.draw(count, bag)?,
            Kind::If { .. } | Kind::Match { .. } | Kind::Select { .. } => {
                let taken = self.taken(expr)?;
                self.pool(taken)?
            }
            Kind::Block { statements, value } => {
                self.statements(statements)?;
                self.pool(value)?
            }
            _ => vec![self.number(expr)?],
        };
        faces.sort_unstable_by_key(|face| std::cmp::Reverse(*face));
        Ok(faces)
    }

    fn dice(&mut self, count: &Expr, die: &Die) -> Result<Vec<i64>, Halt> {
        let count = self.number(count)?;
        if count < 0 {
            return Err(Halt::Rule);
        }
        if count > i64::from(MOST_STEPS) {
            return Err(Halt::TooLong);
        }
        (0..count).map(|_| self.die(die)).collect()
    }

    fn draw(&mut self, count: &Expr, bag: &[FaceRange]) -> Result<Vec<i64>, Halt> {
        let mut bag = self.listed(bag)?;
        let mut drawn = Vec::new();
        for _ in 0..self.number(count)? {
            let at = self.pick(&bag)?;
            bag[at].1 -= 1;
            drawn.push(bag[at].0);
        }
        Ok(drawn)
    }

    /// One die with its rerolls and explosions.
    fn die(&mut self, die: &Die) -> Result<i64, Halt> {
        let mut last = self.face(die)?;
        let mut sum = last;
        let Some(explode) = &die.explode else {
            return Ok(sum);
        };
        for _ in 0..self.number(&explode.depth)? {
            let again = match &explode.test {
                Some(test) => self.fits(last, test)?,
                None => self.is_highest(die, last)?,
            };
            self.note(die.span, Way::Taken(usize::from(again)));
            if !again {
                break;
            }
            last = self.face(die)?;
            sum = sum.checked_add(last).ok_or(Halt::Rule)?;
        }
        Ok(sum)
    }

    /// A face that stands after rerolls.
    fn face(&mut self, die: &Die) -> Result<i64, Halt> {
        loop {
            self.step()?;
            let face = match &die.faces {
                Faces::Sides(sides) => {
                    let sides = self.number(sides)?;
                    self.side(sides)?
                }
                Faces::Listed(ranges) => {
                    let faces = self.listed(ranges)?;
                    let at = self.pick(&faces)?;
                    faces[at].0
                }
                Faces::Of(expr) => self.number(expr)?,
            };
            let Some(reroll) = &die.reroll else {
                return Ok(face);
            };
            if !self.fits(face, &reroll.test)? {
                return Ok(face);
            }
            if reroll.once {
                let plain = Die {
                    reroll: None,
                    ..die.clone()
                };
                return self.face(&plain);
            }
            // The lowest face for ever would be the same face for ever.
            self.fall = Fall::Fair;
        }
    }

    /// Whether a face is the highest of its die. Of a die whose faces are the results of a roll it may be any, since they
    /// are not known without all of its rolls.
    fn is_highest(&mut self, die: &Die, face: i64) -> Result<bool, Halt> {
        match &die.faces {
            Faces::Sides(sides) => Ok(self.number(sides)? == face),
            Faces::Listed(ranges) => {
                let faces = self.listed(ranges)?;
                let possible = faces.iter().filter(|(_, weight)| *weight > 0);
                Ok(possible.map(|(face, _)| *face).max() == Some(face))
            }
            Faces::Of(_) => Ok(self.below(2) == 0),
        }
    }

    /// 1 to the number of sides.
    fn side(&mut self, sides: i64) -> Result<i64, Halt> {
        if sides < 1 {
            return Err(Halt::Rule);
        }
        let place = self.place(sides.unsigned_abs());
        i64::try_from(place + 1).map_err(|_| Halt::Rule)
    }

    /// The place of one of the faces that can be rolled.
    fn pick(&mut self, faces: &WeightedFaces) -> Result<usize, Halt> {
        let possible: Vec<usize> = (0..faces.len()).filter(|&at| faces[at].1 > 0).collect();
        if possible.is_empty() {
            return Err(Halt::Rule);
        }
        let place = self.place(possible.len() as u64);
        Ok(possible[usize::try_from(place).unwrap_or(0)])
    }

    fn listed(&mut self, ranges: &[FaceRange]) -> Result<WeightedFaces, Halt> {
        let mut faces = WeightedFaces::new();
        for range in ranges {
            let from = self.number(&range.from)?;
            let to = range.to.as_ref().map_or(Ok(from), |to| self.number(to))?;
            let weight = range.weight.as_ref();
            let weight = weight.map_or(Ok(1), |weight| self.number(weight))?;
            if weight < 0 {
                return Err(Halt::Rule);
            }
            for face in from..=to {
                self.step()?;
                faces.push((face, weight));
            }
        }
        Ok(faces)
    }

    /// One of so many places, as the dice of this play fall.
    fn place(&mut self, count: u64) -> u64 {
        match self.fall {
            Fall::Lowest => 0,
            Fall::Highest => count - 1,
            Fall::Fair => self.below(count),
            Fall::Extreme => match self.below(3) {
                0 => 0,
                1 => count - 1,
                _ => self.below(count),
            },
        }
    }

    /// A number below `count`; the little that low numbers are favoured by does not matter to a search.
    fn below(&mut self, count: u64) -> u64 {
        self.dice.next_u64() % count
    }
}

/// The dice of a sorted pool that stay.
fn kept(faces: &[i64], which: Keep, number: usize) -> &[i64] {
    let number = number.min(faces.len());
    match which {
        Keep::KeepHighest => &faces[..number],
        Keep::KeepLowest => &faces[faces.len() - number..],
        Keep::DropHighest => &faces[number..],
        Keep::DropLowest => &faces[..faces.len() - number],
    }
}

fn amount(count: usize) -> i64 {
    i64::try_from(count).expect("a pool is shorter than 2^63")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use oddsmith_dist::Budget;
    use oddsmith_exact::joint;
    use oddsmith_rules::load;
    use oddsmith_rules::program::InputId;

    use super::super::coverage::Seen;
    use super::{Play, Value};

    /// All kinds of expression in few dice, so that plays meet everything that is possible.
    const RULES: &str = r#"
name = "Everything"
[functions]
worth = "(face) => if face == 1 then 2 else 0"
[checks.check]
axes.n = { default = 1, domain = "0..=2" }
maximise = "kept"
rules = """
let pool   = {(n)d{1, 1, 2: 3}, 1d3r==3, 1d2!(1), d[1d2 + 1]ro<3}
show low   = lowest(pool) * 2 - n
show sets  = matches(pool) + (pool cs >= 2)
show worths = map(pool kh 2, worth)
let drawn  = highest(draw(2, {1: 1, 2: 1, 4: 2}))
let i      = 0
repeat 3 until i >= 2 { set i = i + 1d2 }
show steps = [10, 20, 30, 40][i] + floor(drawn / 2) + abs(1 - n) + sign(0 - n)
choose extra in 0..=1 where extra <= n
show kept  = match drawn { 1..=2: 0, 4: extra, else: 9 } + (if n == 1 and drawn == 4 or n == 2 then 5 else 0)
show won   = wins(2d2, 1d3)
"""
"#;

    #[test]
    fn what_plays_come_to_is_what_is_possible() {
        let model = load("everything.toml", RULES.as_bytes()).expect("it is a ruleset");
        let check = &model.checks[0];
        for n in 0..=2 {
            let mut config = check.defaults();
            config.put(InputId(0), n);
            let mut seen = Seen::default();
            for (at, outcome) in check.outcomes.iter().enumerate() {
                let joint = joint(check, &config, &[outcome], &Budget::unlimited());
                let joint = joint.expect("it has odds");
                let possible: BTreeSet<i64> = joint.weights.keys().map(|row| row[0]).collect();
                let mut met = BTreeSet::new();
                for number in 0..4000 {
                    let mut play = Play::new(check, &config, &mut seen, number);
                    play.script().expect("it can be carried out");
                    let Some(Value::Number(value)) = play.values[outcome.var.0] else {
                        panic!("it is bound");
                    };
                    met.insert(value);
                }
                // Plays take any option; the engine takes the best.
                match outcome.name.as_str() {
                    "kept" => assert!(possible.is_subset(&met), "{n} {at}"),
                    _ => assert_eq!(met, possible, "{n} {}", outcome.name),
                }
            }
        }
    }
}
