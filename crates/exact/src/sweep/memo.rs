//! Answers by the numbers that inputs come to: rows in which these are the same are played once.
//!
//! A script is rolled with a few numbers that are made of inputs alone: a modifier less a penalty, whether a policy is
//! "optimal". Skill 3 with a penalty of 2 rolls as skill 1 does, and an effect that a cap has reached rolls as any higher
//! one. Where something is compared, what is added on either side counts together: `1d20 + 5 >= 15` is `1d20 + 2 >= 12`.

use std::cell::RefCell;
use std::sync::Mutex;

use oddsmith_rules::program::{BinaryOp, Expr, Kind, Program, Statement, VarId};
use oddsmith_rules::{Config, FixedError, Query, fixed_value};

use crate::hash::Map;
use crate::shared::lock;
use crate::sweep::row::Stored;

/// Rows that are kept at the most.
const MOST_KEPT: usize = 1 << 14;

/// So many rows that are all different are taken to go on so, for a while: where what has no effect moves slowest, those that
/// are alike come late.
const MOST_IN_VAIN: usize = 1024;

/// After that one row in so many is still looked for.
const ONE_IN: u64 = 16;

/// What rows of a script came to. Its order shows nowhere.
#[derive(Debug)]
pub(super) struct Memo {
    /// What the script and the queries read that is made of inputs alone, as sums.
    read: Vec<Vec<Term>>,
    /// The fixed variables that these read.
    definitions: Map<VarId, Expr>,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    answers: Map<Key, Vec<Stored>>,
    has_hit: bool,
    /// The rows that came after too many that were all different.
    late: u64,
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
            kept: Mutex::default(),
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
    pub(super) fn key(&self, config: &Config) -> Option<Key> {
        if !self.is_worth_looking() {
            return None;
        }
        let numbers = Numbers {
            definitions: &self.definitions,
            config,
            values: RefCell::default(),
        };
        self.read.iter().map(|terms| numbers.sum(terms)).collect()
    }

    fn is_worth_looking(&self) -> bool {
        let mut kept = lock(&self.kept);
        if kept.has_hit || kept.answers.len() < MOST_IN_VAIN {
            return true;
        }
        kept.late += 1;
        kept.late.is_multiple_of(ONE_IN)
    }

    pub(super) fn get(&self, key: &Key) -> Option<Vec<Stored>> {
        let mut kept = lock(&self.kept);
        let found = kept.answers.get(key).cloned();
        kept.has_hit |= found.is_some();
        found
    }

    /// Keeps answers; what is full keeps what it has.
    pub(super) fn keep(&self, key: Key, answers: &[Stored]) {
        let mut kept = lock(&self.kept);
        if kept.answers.len() < MOST_KEPT {
            kept.answers.insert(key, answers.to_vec());
        }
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
    use oddsmith_rules::load;
    use oddsmith_rules::program::InputId;

    use super::Memo;

    /// A first input that has no effect brings rows that are alike back after all others, which are more than are looked at
    /// in vain.
    #[test]
    fn rows_that_come_back_late_are_found() {
        let rules = r#"
name = "Late"
[checks.check]
axes.none = { default = 0, domain = "0..=3" }
axes.bonus = { default = 0, domain = "0..=1999" }
rules = "show hit = 1d20 + bonus"
"#;
        let model = load("late.toml", rules.as_bytes()).expect("it is right");
        let check = model.check("check").expect("it is there");
        let memo = Memo::new(check.program(), &[check.outcomes[0].var], [].iter());
        let (mut played, mut config) = (0, check.defaults());
        for none in 0..=3 {
            config.put(InputId(0), none);
            for bonus in 0..2000 {
                config.put(InputId(1), bonus);
                let key = memo.key(&config);
                if key.as_ref().and_then(|key| memo.get(key)).is_none() {
                    played += 1;
                    if let Some(key) = key {
                        memo.keep(key, &[]);
                    }
                }
            }
        }
        assert!(
            (2000..4100).contains(&played),
            "{played} of 8000 rows were played"
        );
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
            memo.key(&config)
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
            memo.key(&own)
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
