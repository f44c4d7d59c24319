//! Answers by the numbers that inputs come to: rows in which these are the same are played once.
//!
//! A script is rolled with a few numbers that are made of inputs alone: a modifier less a penalty, whether a policy is
//! "optimal". Skill 3 with a penalty of 2 rolls as skill 1 does, and an effect that a cap has reached rolls as any higher
//! one.

use std::cell::RefCell;
use std::sync::Mutex;

use oddsmith_rules::program::{Expr, Kind, Program, Statement, VarId};
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
    /// What the script and the queries read that is made of inputs alone.
    read: Vec<Expr>,
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
            memo.read.extend(memo.definitions.get(var).cloned());
        }
        for part in queries.flat_map(Query::parts) {
            part.for_each(&mut |part| {
                if let Kind::Input(_) = part.kind {
                    memo.read.push(part.clone());
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
            _ if expr.fixed => {
                let is_same = |other: &Expr| other.kind == expr.kind;
                if !self.read.iter().any(is_same) {
                    self.read.push(expr.clone());
                }
            }
            Kind::Block { statements, value } => {
                self.statements(script, statements);
                self.expr(script, value);
            }
            _ => expr.for_each_part(&mut |part| self.expr(script, part)),
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
        let read = self.read.iter().map(|expr| match numbers.value(expr) {
            Ok(value) => Some(Some(value)),
            Err(FixedError::NotFixed { .. }) => None,
            Err(_) => Some(None),
        });
        read.collect()
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
