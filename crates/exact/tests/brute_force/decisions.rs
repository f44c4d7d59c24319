//! Policies as they are printed: what is best, and that nothing else is better.

use std::collections::BTreeMap;

use oddsmith_exact::{Budget, Decision, DecisionRow, RBig, Seen, decisions};
use oddsmith_rules::program::{Expr, Kind, Party, Statement, VarId};
use oddsmith_rules::{Check, Config, Known as Shown};

use oddsmith_testkit::oracle::{Game, Known, Policy, Trial, Value, Values};

/// A policy as printed, and what it is compared with.
struct Printed<'a> {
    check: &'a Check,
    config: &'a Config,
    game: Game<'a>,
    /// Choices whose names say which they are.
    clear: Vec<VarId>,
    /// Those of them that the check makes itself.
    own: Vec<VarId>,
    found: Vec<Decision>,
}

/// Compares the printed policy of a check with what is best at every choice that comes up; then plays it, and
/// every change of one row, and policies that know nothing. None if that takes more trials than allowed.
///
/// # Errors
/// What is wrong, in words.
pub(crate) fn agree(check: &Check, config: &Config, trials: usize) -> Option<Result<(), String>> {
    let found = match decisions(check, config, &Budget::unlimited()) {
        Ok(found) => found,
        Err(error) => return Some(Err(format!("no policy: {error}"))),
    };
    let Some(goal) = check.own_goal() else {
        let is_right = found.is_empty();
        return Some(is_right.then_some(()).ok_or("what for?".to_owned()));
    };
    let clear = clear_choices(check);
    let own = clear
        .iter()
        .filter(|(_, strives_for, _)| *strives_for == goal);
    let printed = Printed {
        check,
        config,
        game: Game::new(check, config, trials),
        clear: clear.iter().map(|(var, ..)| *var).collect(),
        own: own.map(|(var, ..)| *var).collect(),
        found,
    };
    let best = printed.game.joint(None)?;
    let worth = best.worth.expect("it has a goal");
    Some(match printed.same_rows(&best.choices) {
        Ok(true) => printed.is_best(&best.choices, &worth, trials),
        Ok(false) => Ok(()),
        Err(complaint) => Err(complaint),
    })
}

impl Printed<'_> {
    /// Whether every choice that comes up is in one row, which says of it what is right; false if the names of
    /// what is seen do not say what that is.
    fn same_rows(&self, choices: &[Known]) -> Result<bool, String> {
        // How often each row comes up, and what it is worth then.
        let mut met: BTreeMap<(usize, usize), (RBig, RBig)> = BTreeMap::new();
        for known in choices {
            let (Some(reached), Some(place)) = (&known.reached, self.place(known)) else {
                // It does not come up, or does not matter.
                continue;
            };
            let table = &self.found[place];
            let name = &table.name;
            let seen = self.seen(&known.values, table);
            if seen.iter().any(|candidates| is_unclear(candidates)) {
                return Ok(false);
            }
            let rows = (0..table.rows.len()).filter(|&at| fits(&table.rows[at], &seen));
            let [at] = rows.collect::<Vec<usize>>()[..] else {
                return Err(format!("{name}: no single row for {seen:?}"));
            };
            let row = &table.rows[at];
            let best = &known.means[known.best];
            let others = (0..known.means.len()).filter(|&at| at != known.best);
            let lead = |at: usize| match known.party {
                Party::Player => best - &known.means[at],
                Party::Opponent => &known.means[at] - best,
            };
            let expected = (shown(&known.options[known.best]), others.map(lead).min());
            if (&row.chosen, &row.lead) != (&expected.0, &expected.1) {
                return Err(format!("{name} in {seen:?}: {row:?}, not {expected:?}"));
            }
            let (probability, worth) = met.entry((place, at)).or_default();
            *probability += reached;
            *worth += reached * best;
        }
        for (place, table) in self.found.iter().enumerate() {
            let rows = table.rows.iter().enumerate();
            for (at, row) in rows.filter(|_| self.is_clear(table)) {
                let found = (row.probability.clone(), &row.probability * &row.worth);
                let expected = met.get(&(place, at));
                if expected != Some(&found) {
                    return Err(format!("{}: {row:?}, not {expected:?}", table.name));
                }
            }
        }
        Ok(true)
    }

    /// Whether the policy is worth what it should be, and nothing else is worth more.
    fn is_best(&self, choices: &[Known], worth: &RBig, trials: usize) -> Result<(), String> {
        let as_printed = self.worth_of(&self.found, trials);
        if as_printed.as_ref().is_some_and(|found| found != worth) {
            return Err(format!(
                "as printed it is worth {as_printed:?}, not {worth}"
            ));
        }
        let mut tried: Vec<(usize, usize)> = Vec::new();
        let met = choices.iter().filter(|known| known.reached.is_some());
        for known in met.filter(|known| self.own.contains(&known.var)) {
            let Some(place) = self.place(known) else {
                continue;
            };
            let seen = self.seen(&known.values, &self.found[place]);
            let rows = &self.found[place].rows;
            let row = rows.iter().position(|row| fits(row, &seen));
            let Some(row) = row.filter(|row| !tried.contains(&(place, *row))) else {
                continue;
            };
            tried.push((place, row));
            // The other party replies as is best: its table has no rows for what does not come up in the best play.
            let mut changed = self.found.clone();
            changed.retain(|table| table.party == known.party);
            let own = changed.iter().position(|table| *table == self.found[place]);
            let own = own.expect("it is the table of the same party");
            for option in &known.options {
                changed[own].rows[row].chosen = shown(option);
                let worth_of = self.worth_of(&changed, trials);
                if worth_of.is_some_and(|other| known.party.prefers(&other, worth)) {
                    let name = &self.found[place].name;
                    return Err(format!("{name}: {option:?} in {seen:?} is better"));
                }
            }
        }
        let ways =
            (0..4).flat_map(|blind| [Party::Player, Party::Opponent].map(|own| (blind, own)));
        for (blind, own) in ways {
            let policy = |_: &mut Trial<'_, '_>, var: VarId, options: &[Value]| {
                let last = options.len() - 1;
                let option = if blind == 3 { last } else { blind.min(last) };
                let is_own = self.own.contains(&var) && self.party(var) == Some(own);
                is_own.then_some(option)
            };
            let blindly = self.play(&policy, trials);
            if blindly.is_some_and(|other| own.prefers(&other, worth)) {
                return Err(format!("{own:?}: always option {blind} is better"));
            }
        }
        Ok(())
    }

    /// What a policy is worth that makes the choices which its tables name; none if it takes too long.
    fn worth_of(&self, tables: &[Decision], trials: usize) -> Option<RBig> {
        let choose = |trial: &mut Trial<'_, '_>, var: VarId, options: &[Value]| {
            let name = self.check.program().variable(var).name();
            let is_here = |table: &&Decision| table.name == *name && table.rounds == trial.rounds;
            let table = tables.iter().find(is_here)?;
            if !self.own.contains(&var) {
                return None;
            }
            let seen = self.seen(&trial.values, table);
            let row = table.rows.iter().find(|row| fits(row, &seen))?;
            options
                .iter()
                .position(|option| shown(option) == row.chosen)
        };
        self.play(&choose, trials)
    }

    fn play(&self, policy: &Policy<'_>, trials: usize) -> Option<RBig> {
        let game = Game::new(self.check, self.config, trials);
        game.joint(Some(policy))?.worth
    }

    /// Whose choice a variable is.
    fn party(&self, var: VarId) -> Option<Party> {
        let mut all = Vec::new();
        collect_choices(self.check.program().statements(), &mut all);
        let found = all.iter().find(|(own, ..)| *own == var);
        found.map(|(.., party)| *party)
    }

    /// The table of a choice.
    fn place(&self, known: &Known) -> Option<usize> {
        let name = self.check.program().variable(known.var).name();
        let is_here = |table: &Decision| table.name == *name && table.rounds == known.rounds;
        let place = self.found.iter().position(is_here);
        place.filter(|_| self.clear.contains(&known.var))
    }

    fn is_clear(&self, table: &Decision) -> bool {
        let name = |var: &VarId| self.check.program().variable(*var).name();
        self.clear.iter().any(|var| name(var) == table.name)
    }

    /// What a table can see of all that is known: variables by their names, readings of pools by their text. `a`
    /// may be a roll and its sum.
    fn seen(&self, values: &Values, table: &Decision) -> Vec<Vec<Shown>> {
        table
            .seen
            .iter()
            .map(|seen| self.candidates(values, seen))
            .collect()
    }

    fn candidates(&self, values: &Values, seen: &Seen) -> Vec<Shown> {
        let variables = self.check.program().variables().iter().zip(values);
        let named = variables.filter(|(variable, _)| variable.name() == seen.name);
        let named = named.filter_map(|(_, value)| value.as_ref().map(shown));
        let mut candidates: Vec<Shown> = named.collect();
        let text = |expr: &Expr| self.check.source.text.get(expr.span.start..expr.span.end);
        for statement in self.check.program().statements() {
            statement.for_each_part(&mut |part| {
                part.any(&mut |expr| {
                    if text(expr) == Some(&seen.name) && is_known(expr, values) {
                        candidates.push(Shown::Number(self.game.number(values, expr)));
                    }
                    false
                });
            });
        }
        candidates
    }
}

/// The choices whose names no other choice has, with what they strive for, and whose they are.
fn clear_choices(check: &Check) -> Vec<(VarId, VarId, Party)> {
    let mut all = Vec::new();
    collect_choices(check.program().statements(), &mut all);
    let name = |var: VarId| check.program().variable(var).name();
    let alike = |var: VarId| {
        all.iter()
            .filter(move |(other, ..)| name(*other) == name(var))
    };
    let clear = all.iter().filter(|(var, ..)| alike(*var).count() == 1);
    clear.copied().collect()
}

/// All choices with what they strive for and whose they are, also those inside expressions.
fn collect_choices(statements: &[Statement], out: &mut Vec<(VarId, VarId, Party)>) {
    for statement in statements {
        match statement {
            Statement::Choose {
                var, goal, party, ..
            } => out.push((*var, *goal, *party)),
            Statement::Repeat { body, .. } => collect_choices(body, out),
            Statement::Let { value, .. } | Statement::Set { value, .. } => {
                value.any(&mut |part| {
                    if let Kind::Block { statements, .. } = &part.kind {
                        collect_choices(statements, out);
                    }
                    false
                });
            }
        }
    }
}

/// Whether there is nothing of that name (yet), or two numbers or two rolls.
fn is_unclear(candidates: &[Shown]) -> bool {
    let is_roll = |shown: &&Shown| matches!(shown, Shown::Roll(_));
    let (rolls, numbers): (Vec<&Shown>, Vec<&Shown>) = candidates.iter().partition(is_roll);
    let differ = |all: &Vec<&Shown>| all.iter().any(|one| *one != all[0]);
    candidates.is_empty() || differ(&rolls) || differ(&numbers)
}

/// Whether a row is for what is seen.
fn fits(row: &DecisionRow, seen: &[Vec<Shown>]) -> bool {
    let mut pairs = row.seen.iter().zip(seen);
    pairs.all(|(value, candidates)| candidates.contains(value))
}

/// Whether an expression reads a pool and is made of what is known.
fn is_known(expr: &Expr, values: &Values) -> bool {
    let is_open = |part: &Expr| match part.kind {
        Kind::Var(var) => values[var.0].is_none(),
        Kind::Dice { .. } | Kind::Draw { .. } | Kind::Block { .. } => true,
        _ => false,
    };
    matches!(expr.kind, Kind::Read { .. }) && !expr.any(&mut { is_open })
}

fn shown(value: &Value) -> Shown {
    match value {
        Value::Number(value) => Shown::Number(*value),
        Value::Pool(faces) => Shown::Roll(faces.clone()),
    }
}
