//! What the best policy is: as tables that a player can read, and as data that another engine can play.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use oddsmith_dist::{Budget, IBig, RBig};
use oddsmith_rules::program::{Expr, Kind, Party, Statement, VarId};
use oddsmith_rules::{Check, Choice, Config, Known, Policy, PolicyTable};

use crate::Error;
use crate::cache::Cache;
use crate::carried::carried_out;
use crate::choices::{Keys, Place, Visit};
use crate::evaluate::{Env, FAILED};
use crate::hash::Map;
use crate::requirements::charge_script;
use crate::residual::{Residual, all_known, specialise_choices};
use crate::states::States;
use crate::track;

/// One choice of a script, and what is best at it in every state that it comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Whose choice it is.
    pub party: Party,
    /// What is chosen, as the script calls it.
    pub name: String,
    /// The rounds of the `repeat` loops that it stands in, from 0, outermost first.
    pub rounds: Vec<usize>,
    /// Its place among the choices of that name in the script, from 1: there are several where a `for` chooses, and where a
    /// check that chooses is played again.
    pub number: usize,
    /// What the choice depends on: values that are known then, but for those that make no difference.
    pub seen: Vec<Seen>,
    /// One for each state, ascending.
    pub rows: Vec<DecisionRow>,
}

/// A value that a choice depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Its name, or the expression that reads it.
    pub name: String,
    /// What it holds places of, if it holds labels.
    pub labels: Option<Arc<Choice>>,
}

/// What is best in one state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecisionRow {
    /// The values of [`Decision::seen`].
    pub seen: Vec<Known>,
    /// The best option for whose choice it is; the first of those that are equally good.
    pub chosen: Known,
    /// How likely it is to come to this choice in this state.
    pub probability: RBig,
    /// The mean of what is maximised, or of what that is worth, over all that come to this choice with these values.
    pub worth: RBig,
    /// How much worse the best of the other options is, for whose choice it is; none if there is no other, or none that is not
    /// barred.
    pub lead: Option<RBig>,
}

/// See [`crate::policy()`].
pub(crate) fn policy(check: &Check, config: &Config, budget: &Budget) -> Result<Policy, Error> {
    if !any_choice(check.program().statements()) {
        return Ok(Policy::default());
    }
    carried_out(check, config, budget)?;
    charge_script(check, budget)?;
    let cache = Cache::default();
    let residual = specialise_choices(check, &all_known(config));
    let mut env = Env::new(&check.source, config, budget, &cache, &residual);
    env.choices.keys = Some(Keys::default());
    env.policy(check, &residual)
        .map_err(|error| error.in_config(check, config))
}

/// Whether there is a choice among statements, at any depth.
fn any_choice(statements: &[Statement]) -> bool {
    let in_block = |part: &Expr| match &part.kind {
        Kind::Block { statements, .. } => any_choice(statements),
        _ => false,
    };
    statements.iter().any(|statement| {
        let inside = match statement {
            Statement::Choose { .. } => true,
            Statement::Repeat { body, .. } => any_choice(body),
            _ => false,
        };
        let mut found = inside;
        statement.for_each_part(&mut |part| found = found || part.any(&mut { in_block }));
        found
    })
}

/// The variables that statements choose, at any depth, which are numbered in the order of the script.
fn chosen_by(statements: &[Statement], found: &mut BTreeSet<VarId>) {
    for statement in statements {
        match statement {
            Statement::Choose { var, .. } => {
                found.insert(*var);
            }
            Statement::Repeat { body, .. } => chosen_by(body, found),
            _ => {}
        }
        statement.for_each_part(&mut |part| {
            part.any(&mut |part| {
                if let Kind::Block { statements, .. } = &part.kind {
                    chosen_by(statements, found);
                }
                false
            });
        });
    }
}

impl Decision {
    /// A name or a title of it with its number, if that is not the first: `again`, `again (2)`.
    #[must_use]
    pub fn numbered(&self, title: &str) -> String {
        match self.number {
            1 => title.to_owned(),
            number => format!("{title} ({number})"),
        }
    }

    /// Whether both are one choice of a script, whatever each depends on.
    #[must_use]
    pub fn is_same_choice(&self, other: &Self) -> bool {
        (&self.name, &self.rounds, self.number) == (&other.name, &other.rounds, other.number)
    }

    /// Numbers values that have one name, such as those of two calls of one check: `total`, `total (2)`.
    fn tell_apart(&mut self) {
        let names: Vec<String> = self.seen.iter().map(|seen| seen.name.clone()).collect();
        for (at, seen) in self.seen.iter_mut().enumerate() {
            let earlier = names[..at]
                .iter()
                .filter(|name| **name == names[at])
                .count();
            if earlier > 0 {
                seen.name = format!("{} ({})", names[at], earlier + 1);
            }
        }
    }

    /// Leaves out values that make no difference, the last ones first: those that follow from others, and those
    /// that change neither what is best nor by how much, such as what has been paid already.
    fn keep_telling(&mut self) {
        for at in (0..self.seen.len()).rev() {
            let mut alike: BTreeMap<Vec<Known>, Vec<DecisionRow>> = BTreeMap::new();
            for row in &self.rows {
                let mut row = row.clone();
                row.seen.remove(at);
                alike.entry(row.seen.clone()).or_default().push(row);
            }
            let agree = |rows: &Vec<DecisionRow>| {
                let same =
                    |row: &DecisionRow| row.chosen == rows[0].chosen && row.lead == rows[0].lead;
                rows.iter().all(same)
            };
            if alike.values().all(agree) {
                self.seen.remove(at);
                self.rows = alike.into_values().map(together).collect();
            }
        }
    }
}

/// Rows that agree on what is best, as one; its worth is their mean.
fn together(rows: Vec<DecisionRow>) -> DecisionRow {
    let (mut probability, mut worth) = (RBig::ZERO, RBig::ZERO);
    for row in &rows {
        probability += &row.probability;
        worth += &row.worth * &row.probability;
    }
    let first = rows
        .into_iter()
        .next()
        .expect("at least one row has these values");
    DecisionRow {
        worth: worth / &probability,
        probability,
        ..first
    }
}

impl Env<'_> {
    /// The choices that were made and are wanted, in the order in which they came, with what they depended on.
    pub(crate) fn visited(
        &mut self,
        check: &Check,
        is_wanted: impl Fn(VarId) -> bool,
    ) -> Vec<Decision> {
        let mut chosen = BTreeSet::new();
        chosen_by(check.program().statements(), &mut chosen);
        let visits = self.choices.visits.take().unwrap_or_default();
        let wanted = visits.iter().filter(|visit| is_wanted(visit.place.0));
        wanted.map(|visit| self.decision(visit, &chosen)).collect()
    }

    /// The choice of a place; `chosen` is what the whole script chooses.
    fn decision(&self, visit: &Visit, chosen: &BTreeSet<VarId>) -> Decision {
        let (var, rounds) = &visit.place;
        let policy = self.choices.policy(&visit.place);
        let row = |(key, weight): (&[i64], &oddsmith_dist::UBig)| {
            let chosen = policy.of(key).expect("what is visited is told");
            let value = chosen.value.as_ref();
            let value = value.expect("what is visited is asked what it is worth");
            let seen = visit.vars.iter().zip(key);
            DecisionRow {
                seen: seen.map(|(var, value)| self.known(*var, *value)).collect(),
                chosen: self.known(*var, chosen.option),
                probability: RBig::from_parts(
                    IBig::from(weight.clone()),
                    visit.states.total.clone(),
                ),
                worth: value.worth(),
                lead: value.lead(),
            }
        };
        let earlier = chosen.range(..*var).copied();
        let before = earlier.filter(|own| self.scope.name(*own) == self.scope.name(*var));
        let mut decision = Decision {
            party: self.choices.party(*var),
            name: self.scope.name(*var).to_owned(),
            rounds: rounds.clone(),
            number: 1 + before.count(),
            seen: visit.vars.iter().map(|var| self.seen(*var)).collect(),
            rows: visit.states.iter().map(row).collect(),
        };
        decision.keep_telling();
        decision.tell_apart();
        decision.rows.sort_by(|a, b| a.seen.cmp(&b.seen));
        decision
    }

    /// What a variable holds, as data.
    fn known(&self, var: VarId, value: i64) -> Known {
        if self.scope.is_pool(var) {
            Known::Roll(self.rolls.roll(value).to_vec())
        } else {
            Known::Number(value)
        }
    }

    fn seen(&self, var: VarId) -> Seen {
        let (name, span) = (self.scope.name(var), self.scope.variable(var).span());
        let written = self
            .scope
            .source
            .text
            .get(span.start..span.end)
            .unwrap_or_default();
        Seen {
            name: if name.is_empty() { written } else { name }.to_owned(),
            labels: self.scope.variable(var).labels().cloned(),
        }
    }
}

/// Policies as data.
impl Env<'_> {
    /// Makes every choice in every state that it can be met in, and writes down what was best.
    fn policy(&mut self, check: &Check, residual: &Residual) -> Result<Policy, Error> {
        let irrelevant = match track::visit_all(check, self, residual) {
            Some(irrelevant) => irrelevant?,
            None => {
                self.run(&residual.script, &[], States::certain(&[]))?;
                Vec::new()
            }
        };
        let keys = self.choices.keys.take().unwrap_or_default();
        let writer = Writer {
            env: self,
            written: check.program().variables().len(),
            readings: self.scope.readings(&residual.script),
            irrelevant,
        };
        let tables = keys
            .in_order()
            .filter_map(|(place, vars)| writer.table(place, vars).transpose());
        Ok(Policy {
            choices: tables.collect::<Result<_, Error>>()?,
        })
    }
}

/// Writes what was found best in terms of the script as it was before it was specialised.
struct Writer<'e, 'a> {
    env: &'e Env<'a>,
    /// How many variables the script has; those after them were added.
    written: usize,
    /// What added variables read of pools.
    readings: Map<VarId, Expr>,
    /// Variables that states carry along, on which no choice depends.
    irrelevant: Vec<VarId>,
}

impl Writer<'_, '_> {
    /// A choice as a table; none if nothing leads to it.
    fn table(&self, place: &Place, vars: &[VarId]) -> Result<Option<PolicyTable>, Error> {
        let (env, (var, rounds)) = (self.env, place);
        let Some(found) = env
            .choices
            .policies
            .get(place)
            .filter(|found| !found.is_empty())
        else {
            return Ok(None);
        };
        let keys: Vec<&[i64]> = found.keys().collect();
        let matters = |at: &usize| {
            let differs = keys.iter().any(|key| key[*at] != keys[0][*at]);
            differs && !self.irrelevant.contains(&vars[*at])
        };
        let columns: Vec<usize> = (0..vars.len()).filter(matters).collect();
        if columns
            .iter()
            .any(|&at| keys.iter().any(|key| key[at] == FAILED))
        {
            return Err(self.unwritable(*var));
        }
        let seen = columns.iter().map(|&at| self.expr(vars[at]));
        let seen: Vec<Expr> = seen.collect();
        if seen.iter().any(|expr| expr.any(&mut { is_unknown })) {
            return Err(self.unwritable(*var));
        }
        let rows = found.iter().map(|(key, chosen)| {
            let known = columns.iter().map(|&at| env.known(vars[at], key[at]));
            (known.collect(), env.known(*var, chosen.option))
        });
        Ok(Some(PolicyTable {
            var: *var,
            rounds: rounds.clone(),
            seen,
            rows: rows.collect(),
        }))
    }

    /// A variable in terms of the script's own.
    fn expr(&self, var: VarId) -> Expr {
        self.translated(&Expr::new(
            Kind::Var(var),
            self.env.scope.variable(var).span(),
        ))
    }

    fn translated(&self, expr: &Expr) -> Expr {
        let Kind::Var(var) = expr.kind else {
            return expr.map_parts(&mut |part| self.translated(part));
        };
        let fixed = self.env.scope.fixed.get(&var);
        match self.readings.get(&var).or(fixed) {
            Some(definition) => self.translated(definition),
            None => {
                assert!(var.0 < self.written, "an added variable is a reading");
                expr.clone()
            }
        }
    }

    fn unwritable(&self, var: VarId) -> Error {
        let variable = self.env.scope.variable(var);
        let message = format!(
            "what `{}` depends on can't be written as a table",
            variable.name()
        );
        let help =
            "write the reading so that it can be made of any roll, as in p kh max(…, 0)".to_owned();
        self.env.scope.error_with_help(
            variable.span(),
            message,
            "this choice knows a reading of dice that can't always be made",
            help,
        )
    }
}

/// What has no value of its own: dice, and what is played out.
fn is_unknown(part: &Expr) -> bool {
    matches!(
        part.kind,
        Kind::Dice { .. } | Kind::Draw { .. } | Kind::Block { .. }
    )
}
