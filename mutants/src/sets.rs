//! Which values a variable can have: sets that may be too large, never too small.

use std::collections::{BTreeMap, BTreeSet};

use oddsmith_rules::Check;
use oddsmith_rules::program::{
    BinaryOp, Expr, Faces, InputId, Kind, Options, Reading, Statement, VarId,
};

/// The values that something can have.
pub type Values = BTreeSet<i64>;

/// A set of more values is not known.
const MOST: usize = 400;

/// Nor is what is made of more pairs of values.
const MOST_PAIRS: usize = 50_000;

/// Rounds after which a variable that still gains values is not known.
const ROUNDS: usize = 40;

/// Expressions that are looked at before what is left is not known: variables that depend on one another are found round
/// by round, each within the rounds of all others.
const MOST_LOOKS: u32 = 3_000_000;

/// The values of a check's variables where some inputs are known and all others may have any value of their domains.
#[derive(Debug)]
pub struct Sets<'c> {
    check: &'c Check,
    definitions: &'c BTreeMap<VarId, Vec<Definition<'c>>>,
    inputs: &'c BTreeMap<InputId, i64>,
    /// None for what is not known.
    known: BTreeMap<VarId, Option<Values>>,
    /// Expressions that may still be looked at.
    looks: u32,
}

/// What may be bound to a variable.
#[derive(Clone, Copy, Debug)]
pub enum Definition<'c> {
    /// A value, by `let` or `set`.
    Value(&'c Expr),
    /// A number from the first to the second.
    Range(&'c Expr, &'c Expr),
    /// Something else.
    Unknown,
}

/// All definitions of a check's variables.
#[must_use]
pub fn definitions(check: &Check) -> BTreeMap<VarId, Vec<Definition<'_>>> {
    let mut found = BTreeMap::new();
    define_all(check.program().statements(), &mut found);
    // The number of rounds is counted by the engine.
    if let Some(rounds) = check.rounds {
        found.insert(rounds, vec![Definition::Unknown]);
    }
    found
}

fn define_all<'c>(statements: &'c [Statement], found: &mut BTreeMap<VarId, Vec<Definition<'c>>>) {
    for statement in statements {
        let (var, definition) = match statement {
            Statement::Let { var, value } | Statement::Set { var, value } => {
                (var, Definition::Value(value))
            }
            Statement::Choose {
                var,
                options: Options::Range(from, to),
                ..
            } => (var, Definition::Range(from, to)),
            Statement::Choose { var, .. } => (var, Definition::Unknown),
            Statement::Repeat {
                count, until, body, ..
            } => {
                count
                    .iter()
                    .chain(until)
                    .for_each(|expr| define_in(expr, found));
                define_all(body, found);
                continue;
            }
        };
        found.entry(*var).or_default().push(definition);
        statement.for_each_part(&mut |expr| define_in(expr, found));
    }
}

/// What the blocks in an expression bind.
fn define_in<'c>(expr: &'c Expr, found: &mut BTreeMap<VarId, Vec<Definition<'c>>>) {
    if let Kind::Block { statements, value } = &expr.kind {
        define_all(statements, found);
        return define_in(value, found);
    }
    let bound = match &expr.kind {
        Kind::Read { reading, .. } => reading.bound(),
        Kind::Each { face, .. } => vec![*face],
        _ => Vec::new(),
    };
    found.extend(
        bound
            .into_iter()
            .map(|var| (var, vec![Definition::Unknown])),
    );
    expr.for_each_part(&mut |part| define_in(part, found));
}

impl<'c> Sets<'c> {
    /// Where these inputs are known.
    #[must_use]
    pub fn new(
        check: &'c Check,
        definitions: &'c BTreeMap<VarId, Vec<Definition<'c>>>,
        inputs: &'c BTreeMap<InputId, i64>,
    ) -> Self {
        Self {
            check,
            definitions,
            inputs,
            known: BTreeMap::new(),
            looks: MOST_LOOKS,
        }
    }

    /// The values that a variable can have, if they are known.
    pub fn of_variable(&mut self, var: VarId) -> Option<Values> {
        if let Some(known) = self.known.get(&var) {
            return known.clone();
        }
        let definitions = self.definitions.get(&var)?;
        // What depends on itself begins with nothing and grows until it does not any more.
        let mut values = Some(Values::new());
        for round in 0..=ROUNDS {
            let before = self.known.clone();
            self.known.insert(var, values.clone());
            let grown = definitions
                .iter()
                .try_fold(Values::new(), |mut all, definition| {
                    all.append(&mut self.of_definition(definition)?);
                    (all.len() <= MOST).then_some(all)
                });
            self.known = before;
            if grown == values {
                break;
            }
            values = if round == ROUNDS { None } else { grown };
        }
        // While another variable is being found, this is only what it can be so far.
        self.known.insert(var, values.clone());
        values
    }

    fn of_definition(&mut self, definition: &Definition<'_>) -> Option<Values> {
        match definition {
            Definition::Value(value) => self.of(value),
            Definition::Range(from, to) => {
                let (from, to) = (self.of(from)?, self.of(to)?);
                range(*from.first()?, *to.last()?)
            }
            Definition::Unknown => None,
        }
    }

    /// The values that an expression can have, if they are known.
    pub fn of(&mut self, expr: &Expr) -> Option<Values> {
        self.looks = self.looks.checked_sub(1)?;
        match &expr.kind {
            Kind::Const(value) => Some(Values::from([*value])),
            Kind::Input(id) => match self.inputs.get(id) {
                Some(value) => Some(Values::from([*value])),
                None => {
                    let (low, high) = self.check.inputs[id.0].domain.bounds();
                    range(low, high)
                }
            },
            Kind::Var(var) => self.of_variable(*var),
            Kind::Unary(op, operand) => {
                let values = self.of(operand)?;
                Some(
                    values
                        .into_iter()
                        .filter_map(|value| op.apply(value))
                        .collect(),
                )
            }
            Kind::Binary(op, left, right) => self.binary(*op, left, right),
            Kind::Divide {
                division,
                numerator,
                denominator,
            } => {
                let (left, right) = (self.of(numerator)?, self.of(denominator)?);
                pairs(&left, &right, |a, b| division.divide(a, b))
            }
            Kind::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.of(condition);
                let can_be = |value| condition.as_ref().is_none_or(|set| set.contains(&value));
                let mut values = if can_be(1) {
                    self.of(then)?
                } else {
                    Values::new()
                };
                if can_be(0) {
                    values.append(&mut self.of(otherwise)?);
                }
                Some(values)
            }
            Kind::Match {
                arms, otherwise, ..
            } => {
                let mut values = Values::new();
                for value in arms
                    .iter()
                    .map(|arm| &arm.value)
                    .chain(otherwise.as_deref())
                {
                    values.append(&mut self.of(value)?);
                }
                (values.len() <= MOST).then_some(values)
            }
            Kind::Select { items, .. } => {
                let mut values = Values::new();
                for item in items {
                    values.append(&mut self.of(item)?);
                }
                (values.len() <= MOST).then_some(values)
            }
            Kind::Block { value, .. } => self.of(value),
            Kind::Read {
                pool,
                reading: Reading::Sum,
            } => self.sum(pool),
            _ => None,
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Option<Values> {
        let sides = (self.of(left), self.of(right));
        match (op, sides) {
            (_, (Some(left), Some(right))) => pairs(&left, &right, |a, b| op.apply(a, b)),
            (BinaryOp::Compare(_) | BinaryOp::And | BinaryOp::Or, _) => Some(Values::from([0, 1])),
            _ => None,
        }
    }

    /// The sum of a pool of plain dice, or of a pool among several.
    fn sum(&mut self, pool: &Expr) -> Option<Values> {
        match &pool.kind {
            Kind::Dice { count, die } if die.reroll.is_none() && die.explode.is_none() => {
                let Faces::Sides(sides) = &die.faces else {
                    return None;
                };
                let (counts, sides) = (self.of(count)?, self.of(sides)?);
                let most = counts.last()?.max(&0).checked_mul(*sides.last()?.max(&0))?;
                // A die shows 1 at the least.
                range(*counts.first()?.max(&0), most)
            }
            Kind::If {
                then, otherwise, ..
            } => {
                let mut values = self.sum(then)?;
                values.append(&mut self.sum(otherwise)?);
                Some(values)
            }
            Kind::Block { value, .. } => self.sum(value),
            Kind::Var(var) => match self.definitions.get(var)?.as_slice() {
                [Definition::Value(value)] => self.sum(value),
                _ => None,
            },
            Kind::Const(_) | Kind::Input(_) | Kind::Unary(..) | Kind::Binary(..) => self.of(pool),
            _ => None,
        }
    }
}

fn range(low: i64, high: i64) -> Option<Values> {
    let few = high.checked_sub(low)? < i64::try_from(MOST).expect("a small number");
    few.then(|| (low..=high).collect())
}

/// What comes of all pairs; pairs without a result are errors, after which nothing follows.
fn pairs(left: &Values, right: &Values, apply: impl Fn(i64, i64) -> Option<i64>) -> Option<Values> {
    if left.len() * right.len() > MOST_PAIRS {
        return None;
    }
    let results = left.iter().flat_map(|a| {
        right
            .iter()
            .filter_map(|b| apply(*a, *b))
            .collect::<Vec<_>>()
    });
    let values: Values = results.collect();
    (values.len() <= MOST).then_some(values)
}
