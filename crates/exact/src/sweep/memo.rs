//! Answers by the numbers that inputs come to: rows in which these are the same are played once.
//!
//! A script is rolled with a few numbers that are made of inputs alone: a modifier less a penalty, whether a policy is
//! "optimal". Skill 3 with a penalty of 2 rolls as skill 1 does, and an effect that a cap has reached rolls as any higher
//! one. Where something is compared, what is added on either side counts together: `1d20 + 5 >= 15` is `1d20 + 2 >= 12`.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::{Mutex, OnceLock};

use oddsmith_rules::program::{BinaryOp, Expr, Kind, Program, Statement, VarId};
use oddsmith_rules::{Config, FixedError, Query, fixed_value};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

use crate::cache::{Claim, Claims, Place};
use crate::hash::{Map, Set};
use crate::shared::lock;
use crate::sweep::row::Stored;
use crate::sweep::space::{Space, digits};

/// Rows that are kept at the most.
const MOST_KEPT: usize = 1 << 14;

/// Of more rows than this so many are looked at beforehand: if they are all different, no row is looked for. Where each row
/// comes `k` times among `n`, about `SAMPLED² (k - 1) / 2n` pairs are expected.
const SAMPLED: u64 = 1024;

/// What rows of a script came to. Its order shows nowhere.
#[derive(Debug)]
pub(super) struct Memo {
    /// What the script and the queries read that is made of inputs alone, as sums.
    read: Vec<Vec<Term>>,
    /// The fixed variables that these read.
    definitions: Map<VarId, Expr>,
    answers: Mutex<Claims<Key, Vec<Stored>>>,
    /// Whether rows are looked for.
    is_worth_looking: OnceLock<bool>,
}

/// A part of a sum, and whether it is subtracted.
type Term = (bool, Expr);

/// What is larger may overflow where it is added, so that rows that compare alike on paper differ: a number that rounds only add
/// to is taken to stay below this when it is looked at what may fail.
const MOST_ADDED: u64 = 1 << 53;

/// A number for everything that is read; none where it can't be made, so that whoever reaches it fails.
pub(super) type Key = Vec<Option<i64>>;

impl Memo {
    /// Of a script, the outcomes that are wanted of it and the queries about them.
    pub(super) fn new<'q>(
        script: &Program,
        wanted: &[VarId],
        queries: impl Iterator<Item = &'q Query>,
    ) -> Self {
        let mut memo = Self {
            read: Vec::new(),
            definitions: Map::default(),
            answers: Mutex::default(),
            is_worth_looking: OnceLock::new(),
        };
        memo.statements(script, script.statements());
        for var in wanted {
            if let Some(definition) = memo.definitions.get(var).cloned() {
                memo.sum(vec![(false, definition)]);
            }
        }
        for part in queries.flat_map(Query::parts) {
            part.for_each(&mut |part| {
                if let Kind::Input(_) = part.kind {
                    memo.sum(vec![(false, part.clone())]);
                }
            });
        }
        memo
    }

    fn statements(&mut self, script: &Program, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Let { var, value }
                    if script.variable(*var).is_fixed() && value.fixed =>
                {
                    self.definitions.insert(*var, value.clone());
                }
                Statement::Repeat {
                    count, until, body, ..
                } => {
                    let ends = count.iter().chain(until);
                    ends.for_each(|expr| self.expr(script, expr));
                    self.statements(script, body);
                }
                _ => statement.for_each_part(&mut |expr| self.expr(script, expr)),
            }
        }
    }

    fn expr(&mut self, script: &Program, expr: &Expr) {
        match &expr.kind {
            Kind::Const(_) => {}
            _ if expr.fixed => self.sum(vec![(false, expr.clone())]),
            // What is answered does not overflow, so each sum is what it is on paper.
            Kind::Binary(BinaryOp::Compare(_), left, right) => {
                let mut fixed = Vec::new();
                self.terms(script, left, false, &mut fixed);
                self.terms(script, right, true, &mut fixed);
                self.sum(fixed);
            }
            Kind::Block { statements, value } => {
                self.statements(script, statements);
                self.expr(script, value);
            }
            _ => expr.for_each_part(&mut |part| self.expr(script, part)),
        }
    }

    /// Takes a side of a comparison apart; what is fixed in it goes to `fixed`.
    fn terms(&mut self, script: &Program, expr: &Expr, is_taken: bool, fixed: &mut Vec<Term>) {
        match &expr.kind {
            Kind::Const(_) => {}
            _ if expr.fixed => fixed.push((is_taken, expr.clone())),
            Kind::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) => {
                self.terms(script, left, is_taken, fixed);
                self.terms(
                    script,
                    right,
                    is_taken != (*op == BinaryOp::Subtract),
                    fixed,
                );
            }
            _ => self.expr(script, expr),
        }
    }

    fn sum(&mut self, terms: Vec<Term>) {
        let is_same = |(one, other): (&Term, &Term)| one.0 == other.0 && one.1.kind == other.1.kind;
        let is_known =
            |other: &Vec<Term>| other.len() == terms.len() && other.iter().zip(&terms).all(is_same);
        if !terms.is_empty() && !self.read.iter().any(is_known) {
            self.read.push(terms);
        }
    }

    /// The key of a configuration; none if it is not worth looking for, or if something fixed is no plain number.
    pub(super) fn key(&self, space: &Space<'_>, config: &Config) -> Option<Key> {
        let is_worth_looking = || self.have_rows_in_common(space);
        match self.is_worth_looking.get_or_init(is_worth_looking) {
            true => self.key_of(config),
            false => None,
        }
    }

    fn key_of(&self, config: &Config) -> Option<Key> {
        let numbers = Numbers {
            definitions: &self.definitions,
            config,
            values: RefCell::default(),
        };
        self.read.iter().map(|terms| numbers.sum(terms)).collect()
    }

    /// Whether some of the rows may be alike, as far as a sample tells. It is the same sample each time, so that the work for
    /// the rows is the same in whichever order they come.
    fn have_rows_in_common(&self, space: &Space<'_>) -> bool {
        // Of all rows, so that a part of a sweep is planned as the whole is.
        let rows = u64::try_from(space.all_rows()).unwrap_or(u64::MAX);
        if space.is_on_demand || rows <= SAMPLED {
            return true;
        }
        let mut random = SplitMix64::seed_from_u64(rows);
        let mut number = || {
            let share = u128::from(random.next_u64()) * u128::from(rows);
            u64::try_from(share >> 64).expect("less than the rows")
        };
        let numbers: BTreeSet<u64> = (0..SAMPLED).map(|_| number()).collect();
        let lens = || space.ranges.iter().map(|range| range.values.len());
        let mut keys = Set::default();
        let mut is_new = |number| {
            let config = space.config_at(&digits(number, lens()));
            self.key_of(&config).is_none_or(|key| keys.insert(key))
        };
        !numbers.into_iter().all(&mut is_new)
    }

    /// Claims the answers of rows with a key.
    pub(super) fn claim(&self, key: Key) -> Claim<Vec<Stored>> {
        lock(&self.answers).claim(key, MOST_KEPT)
    }

    /// Keeps the answers that were claimed, if there are any.
    pub(super) fn settle(&self, place: Place, answers: Option<&Vec<Stored>>) {
        lock(&self.answers).settle(place, answers.cloned());
    }
}

/// What is fixed in one configuration, each variable worked out once.
struct Numbers<'m> {
    definitions: &'m Map<VarId, Expr>,
    config: &'m Config,
    values: RefCell<Map<VarId, Option<i64>>>,
}

impl Numbers<'_> {
    /// A number for the key, if there is to be one.
    fn sum(&self, terms: &[Term]) -> Option<Option<i64>> {
        let mut sum = 0_i64;
        for (is_taken, expr) in terms {
            let value = match self.value(expr) {
                Ok(value) => value,
                Err(FixedError::NotFixed { .. }) => return None,
                Err(_) => return Some(None),
            };
            if terms.len() > 1 && value.unsigned_abs() > MOST_ADDED {
                return None;
            }
            sum = match is_taken {
                true => sum.checked_sub(value)?,
                false => sum.checked_add(value)?,
            };
        }
        Some(Some(sum))
    }

    fn value(&self, expr: &Expr) -> Result<i64, FixedError> {
        fixed_value(expr, self.config, &|var| self.variable(var))
    }

    fn variable(&self, var: VarId) -> Option<i64> {
        if let Some(value) = self.values.borrow().get(&var) {
            return *value;
        }
        let definition = self.definitions.get(&var)?;
        let value = self.value(definition).ok();
        self.values.borrow_mut().insert(var, value);
        value
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use oddsmith_dist::Budget;
    use oddsmith_rules::program::InputId;
    use oddsmith_rules::{InputRange, load};

    use super::Memo;
    use crate::sweep::space::Space;

    /// A first input that has no effect brings rows that are alike back after all others.
    #[test]
    fn rows_are_looked_for_where_some_are_alike() {
        let looks = |read: &str, most: i64, is_on_demand: bool| {
            let rules = format!(
                r#"
name = "Late"
[checks.check]
axes.first = {{ default = 0, domain = "0..=3" }}
axes.bonus = {{ default = 0, domain = "0..=19999" }}
rules = "show hit = 1d20 + bonus{read}"
"#
            );
            let model = load("late.toml", rules.as_bytes()).expect("it is right");
            let check = model.check("check").expect("it is there");
            let memo = Memo::new(check.program(), &[check.outcomes[0].var], [].iter());
            let range = |id, most| InputRange::new(InputId(id), (0..=most).collect());
            let (ranges, base) = ([range(0, 3), range(1, most)], check.defaults());
            let space = Space {
                check,
                base: &base,
                ranges: &ranges,
                queries: &[],
                budget: &Budget::unlimited(),
                wanted: 0..1,
                is_on_demand,
                cache: Arc::default(),
            };
            memo.key(&space, &base).is_some()
        };
        assert!(looks("", 19_999, false), "each row comes four times");
        let differ = " + 20000 * first";
        assert!(!looks(differ, 19_999, false), "all differ");
        assert!(looks(differ, 199, false), "these are few");
        assert!(looks(differ, 19_999, true), "nobody knows how many");
    }

    /// `paid + x` is more than 64 bits hold in the second row, which compares as the first one does.
    #[test]
    fn rows_that_may_overflow_are_played_each_by_itself() {
        let rules = r#"
name = "Large"
[tracks.track]
axes.x = { default = 0, domain = "0..=5000000000000000000" }
axes.need = { default = 0, domain = "0..=9000000000000000000" }
rules = """
let paid = 0
let hit = 0
repeat until rolls == 5 or hit == 1 {
  set paid = paid + 1000000000000000000
  set hit = if paid + x >= need and 1d6 > 1 then 1 else 0
}
show won = hit
"""
"#;
        let model = load("large.toml", rules.as_bytes()).expect("it is right");
        let track = model.track("track").expect("it is there");
        let memo = Memo::new(track.program(), &[track.outcomes[0].var], [].iter());
        let key = |x: i64, need: i64| {
            let mut config = track.defaults();
            config.put(InputId(0), x);
            config.put(InputId(1), need);
            memo.key_of(&config)
        };
        assert_eq!(key(2, 3), key(0, 1));
        assert!(key(2, 3).is_some());
        assert_eq!(
            key(5_000_000_000_000_000_000, 9_000_000_000_000_000_000),
            None
        );
    }

    #[test]
    fn configurations_that_roll_alike_have_one_key() {
        let rules = r#"
name = "Keys"
[checks.check]
axes.skill   = { default = 0, domain = "0..=9" }
axes.penalty = { default = 0, domain = "0..=9" }
axes.by      = { default = 1, domain = "0..=9" }
rules = """
let target = skill - penalty
show rank  = min(target, 3)
show hit   = 1d10 <= target and 1d6 > floor(6 / by)
show struck = (by)d6 - 1 + skill >= 1d4 + (2 - 2) + penalty
"""
"#;
        let model = load("keys.toml", rules.as_bytes()).expect("it is right");
        let check = model.check("check").expect("it is there");
        let query = check.query("P(hit == 1 and penalty < 20)", "<query>");
        let queries = [query.expect("it is right")];
        let key = |shown: &str, asked: usize, config: [i64; 3]| {
            let wanted = check.outcomes.iter().find(|outcome| outcome.name == shown);
            let wanted = wanted.expect("it is shown").var;
            let memo = Memo::new(check.program(), &[wanted], queries[..asked].iter());
            let mut own = check.defaults();
            for (at, value) in config.into_iter().enumerate() {
                own.put(InputId(at), value);
            }
            memo.key_of(&own)
        };
        let base = key("hit", 0, [5, 2, 2]);
        assert!(base.is_some());
        assert_eq!(base, key("hit", 0, [3, 0, 2]), "the same target");
        assert_ne!(base, key("hit", 0, [3, 1, 2]), "another target");
        assert_ne!(base, key("hit", 0, [5, 2, 3]), "another divisor");
        let base = key("struck", 0, [5, 2, 2]);
        assert_eq!(
            base,
            key("struck", 0, [7, 4, 2]),
            "as much more on either side"
        );
        assert_ne!(base, key("struck", 0, [7, 2, 2]), "more is needed");
        assert_ne!(base, key("struck", 0, [5, 2, 4]), "another number of dice");
        let base = key("hit", 0, [5, 2, 2]);
        assert_ne!(
            key("hit", 1, [5, 2, 2]),
            key("hit", 1, [3, 0, 2]),
            "the query reads it"
        );
        assert_ne!(base, key("hit", 0, [5, 2, 0]), "nothing fails in the other");
        assert_ne!(
            key("rank", 0, [2, 0, 1]),
            key("rank", 0, [4, 0, 1]),
            "it is shown"
        );
    }
}
