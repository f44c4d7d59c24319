//! Proofs that two versions of a check have the same odds in every configuration, whatever their number.
//!
//! Two versions differ in some expressions. If such an expression has the same value, or rolls its own dice to the same
//! distribution, for all values that the variables and inputs in it can have, then nothing that is made of it differs.
//! If the smallest expressions that differ are not the same, those around them may be.

use std::collections::{BTreeMap, BTreeSet};

use oddsmith_exact::{Budget, Dist, Error, distribution};
use oddsmith_rules::program::{Expr, InputId, Kind, Reading, Statement, VarId};
use oddsmith_rules::{Check, Config, Outcome, OutcomeKind, value_once_rolled};

use crate::odds::without_places;
use crate::sets::{Definition, Sets, definitions};

/// Values of variables and inputs that are gone through without dice, and with dice.
const MOST_VALUES: usize = 100_000;
const MOST_ROLLS: usize = 3_000;

/// Steps for one distribution.
const STEPS: u64 = 10_000_000;

/// Whether the two are proved to have the same odds in every configuration. They have the same inputs.
#[must_use]
pub fn are_same(before: &Check, after: &Check) -> bool {
    let defaults = |check: &Check| {
        check
            .inputs
            .iter()
            .map(|input| input.default)
            .collect::<Vec<i64>>()
    };
    let goals = [before, after].map(|check| {
        without_places(&format!(
            "{:?}",
            check.goal.as_ref().map(|goal| &goal.value)
        ))
    });
    if defaults(before) != defaults(after)
        || goals[0] != goals[1]
        || before.requires.len() != after.requires.len()
        || before.program().statements().len() != after.program().statements().len()
        || before.program().variables().len() != after.program().variables().len()
    {
        return false;
    }
    let definitions = definitions(before);
    let prover = Prover {
        check: before,
        definitions: &definitions,
    };
    let requires = before.requires.iter().zip(&after.requires);
    let mut requires = requires.map(|(a, b)| (&a.condition, &b.condition));
    if !requires.all(|(a, b)| prover.all_same(a, b, false)) {
        return false;
    }
    let statements = before
        .program()
        .statements()
        .iter()
        .zip(after.program().statements());
    let mut statements = statements.filter(|(a, b)| plain(a) != plain(b));
    statements.all(|(a, b)| prover.statement(a, b))
}

/// As text without places.
fn plain(part: &impl std::fmt::Debug) -> String {
    without_places(&format!("{part:?}"))
}

/// An expression and those in it, from the outermost to the smallest that differs, in both versions.
pub type Chain<'e> = Vec<(&'e Expr, &'e Expr)>;

/// Every smallest difference.
fn differences<'e>(a: &'e Expr, b: &'e Expr, above: &Chain<'e>, found: &mut Vec<Chain<'e>>) {
    let mut chain = above.clone();
    chain.push((a, b));
    let [mut parts_a, mut parts_b] = [Vec::new(), Vec::new()];
    a.for_each_part(&mut |part| parts_a.push(part));
    b.for_each_part(&mut |part| parts_b.push(part));
    let head = |expr: &Expr| {
        plain(
            &expr
                .map_parts(&mut |part| Expr::constant(0, part.span))
                .kind,
        )
    };
    if parts_a.len() != parts_b.len() || parts_a.is_empty() || head(a) != head(b) {
        return found.push(chain);
    }
    for (a, b) in parts_a.into_iter().zip(parts_b) {
        if plain(a) != plain(b) {
            differences(a, b, &chain, found);
        }
    }
}

/// What two versions of a check differ in, in its requirements and its script: each from a whole expression down to the
/// smallest one that differs, or down to an input whose default does.
#[must_use]
pub fn chains<'c>(before: &'c Check, after: &'c Check) -> Vec<Chain<'c>> {
    let [mut exprs_a, mut exprs_b] = [Vec::new(), Vec::new()];
    for (check, exprs) in [(before, &mut exprs_a), (after, &mut exprs_b)] {
        exprs.extend(
            check
                .requires
                .iter()
                .map(|requirement| &requirement.condition),
        );
        for statement in check.program().statements() {
            statement.for_each_part(&mut |expr| exprs.push(expr));
        }
    }
    let mut chains = Vec::new();
    let defaults = before.inputs.iter().zip(after.inputs.iter());
    let other = defaults
        .enumerate()
        .filter(|(_, (a, b))| a.default != b.default);
    let other: Vec<Kind> = other.map(|(at, _)| Kind::Input(InputId(at))).collect();
    for (a, b) in exprs_a.into_iter().zip(exprs_b) {
        if plain(a) != plain(b) {
            differences(a, b, &Chain::new(), &mut chains);
        } else if a.any(&mut |part| other.contains(&part.kind)) {
            chains.push(to_input(a, b, &other));
        }
    }
    chains
}

/// Two versions of an expression that are alike, and those in it that read one of these inputs, down to the first that
/// does.
fn to_input<'e>(a: &'e Expr, b: &'e Expr, inputs: &[Kind]) -> Chain<'e> {
    let mut chain = vec![(a, b)];
    let mut parts = [Vec::new(), Vec::new()];
    a.for_each_part(&mut |part| parts[0].push(part));
    b.for_each_part(&mut |part| parts[1].push(part));
    let [parts_a, parts_b] = parts;
    let mut pairs = parts_a.into_iter().zip(parts_b);
    let reads = |(a, _): &(&Expr, &Expr)| a.any(&mut |part| inputs.contains(&part.kind));
    if let Some((a, b)) = pairs.find(reads) {
        chain.append(&mut to_input(a, b, inputs));
    }
    chain
}

struct Prover<'c> {
    check: &'c Check,
    definitions: &'c BTreeMap<VarId, Vec<Definition<'c>>>,
}

impl Prover<'_> {
    fn statement(&self, a: &Statement, b: &Statement) -> bool {
        let head = |statement: &Statement| {
            plain(&statement.map_parts(&mut |part| Expr::constant(0, part.span)))
        };
        if head(a) != head(b) {
            return false;
        }
        let is_summed = match a {
            Statement::Let { var, .. } => self.is_only_summed(*var),
            _ => false,
        };
        let [mut parts_a, mut parts_b] = [Vec::new(), Vec::new()];
        a.for_each_part(&mut |part| parts_a.push(part));
        b.for_each_part(&mut |part| parts_b.push(part));
        let mut pairs = parts_a.into_iter().zip(parts_b);
        pairs.all(|(a, b)| plain(a) == plain(b) || self.all_same(a, b, is_summed))
    }

    /// Whether all that differs in two expressions comes to the same.
    fn all_same(&self, a: &Expr, b: &Expr, is_summed: bool) -> bool {
        if plain(a) == plain(b) {
            return true;
        }
        let mut chains = Vec::new();
        differences(a, b, &Chain::new(), &mut chains);
        chains.iter().all(|chain| {
            let mut levels = (0..chain.len()).rev();
            levels.any(|level| {
                let (a, b) = chain[level];
                self.is_same(a, b, is_read_as_sum(&chain[..level], is_summed))
            })
        })
    }

    /// Whether a pool is never read but by its sum.
    fn is_only_summed(&self, pool: VarId) -> bool {
        if !self.check.program().variable(pool).is_pool() {
            return true;
        }
        let mut reads = 0_usize;
        let mut sums = 0_usize;
        for statement in self.check.program().statements() {
            statement.for_each_part(&mut |expr| {
                expr.for_each(&mut |part| match &part.kind {
                    Kind::Var(var) if *var == pool => reads += 1,
                    Kind::Read {
                        pool: of,
                        reading: Reading::Sum,
                    } if of.kind == Kind::Var(pool) => sums += 1,
                    _ => {}
                });
            });
        }
        reads == sums
    }

    /// Whether both have the same value, or the same odds, whatever the variables and inputs in them are.
    fn is_same(&self, a: &Expr, b: &Expr, is_summed: bool) -> bool {
        let mut read = Read::default();
        read.expr(a);
        read.expr(b);
        let variables: Vec<VarId> = read.variables.difference(&read.bound).copied().collect();
        let is_pool = |var: &VarId| self.check.program().variable(*var).is_pool();
        if variables.iter().any(is_pool) {
            return false;
        }
        if read.is_opaque {
            return false;
        }
        let has_dice = read.has_dice;
        if has_dice && self.check.program().is_pool(a) && !is_summed {
            return false;
        }
        let most = if has_dice { MOST_ROLLS } else { MOST_VALUES };
        let Some(inputs) = self.combinations(&read.inputs, most) else {
            return false;
        };
        let mut left = most;
        inputs.iter().all(|inputs| {
            let mut sets = Sets::new(self.check, self.definitions, inputs);
            let values = variables
                .iter()
                .map(|var| Some((*var, sets.of_variable(*var)?)));
            let Some(values) = values.collect::<Option<Vec<_>>>() else {
                return false;
            };
            let mut all = vec![BTreeMap::new()];
            for (var, values) in values {
                if all.len().saturating_mul(values.len()) > left {
                    return false;
                }
                let longer = all.iter().flat_map(|known: &BTreeMap<VarId, i64>| {
                    values.iter().map(move |value| {
                        let mut known = known.clone();
                        known.insert(var, *value);
                        known
                    })
                });
                all = longer.collect();
            }
            left -= all.len().min(left);
            let config = self.config(inputs);
            all.iter().all(|known| match has_dice {
                true => self.rolls_same(a, b, &config, known),
                false => {
                    let value = |expr| {
                        value_once_rolled(expr, &config, &|var| known.get(&var).copied()).ok()
                    };
                    value(a) == value(b)
                }
            })
        })
    }

    /// Every combination of the inputs' values, if they are few.
    fn combinations(
        &self,
        inputs: &BTreeSet<InputId>,
        most: usize,
    ) -> Option<Vec<BTreeMap<InputId, i64>>> {
        let mut all = vec![BTreeMap::new()];
        for id in inputs {
            let (low, high) = self.check.inputs[id.0].domain.bounds();
            let width = usize::try_from(high.checked_sub(low)?).ok()? + 1;
            if all.len().saturating_mul(width) > most {
                return None;
            }
            let longer = all.iter().flat_map(|known: &BTreeMap<InputId, i64>| {
                (low..=high).map(move |value| {
                    let mut known = known.clone();
                    known.insert(*id, value);
                    known
                })
            });
            all = longer.collect();
        }
        Some(all)
    }

    fn config(&self, inputs: &BTreeMap<InputId, i64>) -> Config {
        let mut config = self.check.defaults();
        for (id, value) in inputs {
            config.put(*id, *value);
        }
        config
    }

    /// Whether both roll the same odds where these variables are known.
    fn rolls_same(
        &self,
        a: &Expr,
        b: &Expr,
        config: &Config,
        known: &BTreeMap<VarId, i64>,
    ) -> bool {
        let [Some(a), Some(b)] = [a, b].map(|expr| self.roll(expr, config, known)) else {
            return false;
        };
        a == b
    }

    /// The odds of an expression by itself; none if they are too dear or if it can't stand by itself, nothing if it can't be
    /// rolled.
    fn roll(
        &self,
        expr: &Expr,
        config: &Config,
        known: &BTreeMap<VarId, i64>,
    ) -> Option<Option<Dist>> {
        let mut check = self.check.clone();
        check.requires.clear();
        check.outcomes.clear();
        (check.contest, check.goal, check.rounds) = (None, None, None);
        let constant = |(var, value): (&VarId, &i64)| Statement::Let {
            var: *var,
            value: Expr::constant(*value, check.span),
        };
        let mut statements: Vec<Statement> = known.iter().map(constant).collect();
        let value = match check.program().is_pool(expr) {
            false => expr.clone(),
            true => expr.clone().sum(),
        };
        let mut program = check.program().clone();
        let (var, statement) = program.bind("value", value);
        statements.push(statement);
        let program = program.with_statements(statements, check.inputs.len());
        check.set_program(program.ok()?);
        let outcome = Outcome {
            name: "value".to_owned(),
            kind: OutcomeKind::Observable,
            var,
            first_round: false,
            span: check.span,
        };
        check.outcomes.push(outcome.clone());
        match distribution(&check, config, &outcome, &Budget::new(STEPS)) {
            Ok(dist) => Some(Some(dist)),
            Err(Error::Rule(_)) => Some(None),
            Err(_) => None,
        }
    }
}

/// Whether what stands within these expressions, in the place of their value, is only read by its sum.
fn is_read_as_sum(above: &[(&Expr, &Expr)], is_summed: bool) -> bool {
    for (around, _) in above.iter().rev() {
        match &around.kind {
            Kind::Block { .. } | Kind::If { .. } | Kind::Match { .. } | Kind::Select { .. } => {}
            Kind::Read { reading, .. } => return *reading == Reading::Sum,
            _ => return false,
        }
    }
    is_summed
}

/// What expressions read and bind.
#[derive(Debug, Default)]
struct Read {
    inputs: BTreeSet<InputId>,
    variables: BTreeSet<VarId>,
    bound: BTreeSet<VarId>,
    has_dice: bool,
    /// Something is chosen, changed or repeated inside.
    is_opaque: bool,
}

impl Read {
    fn expr(&mut self, expr: &Expr) {
        expr.for_each(&mut |part| match &part.kind {
            Kind::Input(id) => drop(self.inputs.insert(*id)),
            Kind::Var(var) => drop(self.variables.insert(*var)),
            Kind::Block { statements, .. } => self.statements(statements),
            Kind::Dice { .. } | Kind::Draw { .. } | Kind::Gather(_) | Kind::Keep { .. } => {
                self.has_dice = true;
            }
            Kind::Read { reading, .. } => {
                self.has_dice = true;
                self.bound.extend(reading.bound());
            }
            Kind::Each { face, .. } => {
                self.has_dice = true;
                self.bound.insert(*face);
            }
            Kind::Wins(..) => self.has_dice = true,
            _ => {}
        });
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Let { var, .. } => drop(self.bound.insert(*var)),
                Statement::Set { .. } | Statement::Choose { .. } | Statement::Repeat { .. } => {
                    self.is_opaque = true;
                }
            }
        }
    }
}
