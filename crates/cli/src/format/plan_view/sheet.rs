//! The table to play by: what to spend in each check with the points that are left.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use oddsmith_analysis::plan::{Chosen, State, Turn};
use oddsmith_exact::{Decision, RBig};
use oddsmith_rules::program::Kind;
use oddsmith_rules::{Check, Known, in_turn};

use crate::document::{self, Column, Text};
use crate::format::choice_words::{self, Wording};
use crate::format::most_likely;
use crate::format::plan_view::PlanTable;
use crate::format::policy::round;
use crate::format::words::{self, Form};
use oddsmith::PlanAnswer;

/// Points with which the same is best in one check: so many of all resources but the last, of which they may differ.
struct SheetRow {
    checks: usize,
    others: Vec<i64>,
    least: i64,
    most: i64,
    probability: RBig,
    /// What is set before the roll, if something is; then what to do at each choice.
    plays: Vec<String>,
}

/// A table to play by.
pub(super) struct Sheet<'p> {
    rows: Vec<SheetRow>,
    words: Words<'p>,
    note: String,
}

impl<'p> Sheet<'p> {
    /// What is best wherever the plan comes to, the most points first.
    pub(super) fn of(plan: &'p PlanAnswer) -> Self {
        let words = Words::of(plan);
        let mut rows: Vec<SheetRow> = Vec::new();
        let mut states: Vec<_> = plan.states().filter(is_reached).collect();
        states.sort_by_key(|(turn, state)| (Reverse(turn.left), Reverse(&state.left)));
        for (turn, state) in states {
            let plays = words.plays(plan, state);
            let (&left, others) = state.left.split_last().expect("something is spent");
            match rows.last_mut() {
                Some(row)
                    if (row.checks, row.least, &row.plays) == (turn.left, left + 1, &plays)
                        && row.others == others =>
                {
                    row.least = left;
                    row.probability += &state.probability;
                }
                _ => rows.push(SheetRow {
                    checks: turn.left,
                    others: others.to_vec(),
                    least: left,
                    most: left,
                    probability: state.probability.clone(),
                    plays,
                }),
            }
        }
        let mut sheet = Self {
            rows,
            note: words.note(),
            words,
        };
        sheet.shorten();
        sheet
    }

    /// Keeps those rows of a long table that come up most, in their order.
    fn shorten(&mut self) {
        if most_likely::shorten(&mut self.rows, |row| row.probability.clone()) {
            self.note = format!(
                "the {} that come up most; `--format csv` has all of them\n{}",
                self.rows.len(),
                self.note
            );
        }
    }

    pub(super) fn part(self, plan: &PlanAnswer, form: Form) -> PlanTable {
        let row = |row: &SheetRow| {
            let points = match row.least == row.most {
                true => row.most.to_string(),
                false => format!("{} to {}", row.least, row.most),
            };
            let mut cells = vec![row.checks.to_string()];
            cells.extend(row.others.iter().map(i64::to_string));
            cells.extend([points, form.show_ratio(&row.probability)]);
            cells.extend(row.plays.iter().cloned());
            cells
        };
        let titles: Vec<String> = plan.resources.iter().map(|own| own.title.clone()).collect();
        let left = titles.iter().map(|title| format!("{title} left"));
        let right = std::iter::once("checks left".to_owned()).chain(left);
        let right = right.chain(["comes up".to_owned()]).map(Column::right);
        let plays = self.words.heads(plan).into_iter().map(Column::left);
        let table = document::Table::new(right.chain(plays));
        PlanTable {
            title: format!("when to spend {}", words::list(&titles)),
            table: table.with_rows(self.rows.iter().map(row)),
            note: Text::with_code(&self.note),
        }
    }
}

/// Whether the plan comes there and there is something to spend.
fn is_reached((_, state): &(&Turn, &State)) -> bool {
    state.left.iter().any(|left| *left > 0) && state.probability != RBig::ZERO
}

/// How choices are put in words.
struct Words<'p> {
    /// What is asked about.
    check: &'p Check,
    /// Each choice, as it is in some state, in the order in which they come; not those that are 0 everywhere.
    choices: Vec<&'p Decision>,
    /// How each is told, by its name.
    wordings: BTreeMap<&'p str, Wording>,
}

impl<'p> Words<'p> {
    fn of(plan: &'p PlanAnswer) -> Self {
        let mut choices: Vec<&Decision> = Vec::new();
        let mut decisions: BTreeMap<&str, Vec<&Decision>> = BTreeMap::new();
        let chooses = |decision: &&Decision| {
            let mut rows = decision.rows.iter();
            rows.any(|row| row.chosen != Known::Number(0))
        };
        for (_, state) in plan.states().filter(is_reached) {
            for decision in state.decisions.iter().filter(chooses) {
                decisions
                    .entry(decision.name.as_str())
                    .or_default()
                    .push(decision);
                if !choices.iter().any(|own| own.is_same_choice(decision)) {
                    choices.push(decision);
                }
            }
        }
        let outlays = &plan.spending.outlays;
        let is_points = |kind: &Kind| matches!(kind, Kind::Input(input) if { outlays.iter() }.any(|outlay| outlay.axis == *input));
        let wording = |(name, states): (&'p str, Vec<&Decision>)| {
            let usual = Wording::of(Chosen::of(&plan.spending.check, name, &is_points));
            (name, usual.with_lifts(&states))
        };
        let wordings = decisions.into_iter().map(wording).collect();
        // A plan comes to states in which fewer things are chosen first.
        let check = &plan.spending.check;
        choices.sort_by_key(|own| (place_of(check, &own.name), own.number));
        Self {
            check,
            choices,
            wordings,
        }
    }

    /// What stands above what is to be done.
    fn heads(&self, plan: &PlanAnswer) -> Vec<String> {
        let set = sets_before(plan).then(|| "before the roll".to_owned());
        let plain = [Wording::Lift, Wording::Points];
        let is_plain = |own: &&Decision| plain.contains(&self.wordings[own.name.as_str()]);
        if self.choices.len() < 2 && self.choices.iter().all(is_plain) {
            let what = (set.is_none() || !self.choices.is_empty()).then(|| "what to do".to_owned());
            return set.into_iter().chain(what).collect();
        }
        // A choice that comes again is told apart, even if it is a yes only once.
        let decisions = || plan.states().flat_map(|(_, state)| &state.decisions);
        let comes_again = |choice: &Decision| {
            let mut same = decisions().filter(|own| own.name == choice.name);
            same.any(|own| own.rounds != choice.rounds)
        };
        let head = |choice: &&Decision| {
            let title = choice.numbered(self.check.title_of(&choice.name));
            match comes_again(choice) {
                true => format!("{title}, round {}", round(choice)),
                false => title,
            }
        };
        let choices = self.choices.iter().map(head);
        set.into_iter().chain(choices).collect()
    }

    /// What is best in a state, below each of the heads.
    fn plays(&self, plan: &PlanAnswer, state: &State) -> Vec<String> {
        let mut plays = Vec::new();
        if sets_before(plan) {
            plays.push(settings(plan, state));
        }
        plays.extend(self.choices.iter().map(|choice| {
            let wording = self.wordings[choice.name.as_str()];
            let mut own = state.decisions.iter();
            let own = own.find(|own| own.is_same_choice(choice));
            let words = own.map_or(String::new(), |decision| {
                choice_words::told(self.check, decision, wording)
            });
            choice_words::or_nothing(words, wording)
        }));
        if plays.is_empty() {
            plays.push("nothing".to_owned());
        }
        plays
    }

    /// How the table is read.
    fn note(&self) -> String {
        let told = self.wordings.iter();
        let told = told.map(|(name, wording)| (self.check.title_of(name), *wording));
        choice_words::note(&told.collect::<Vec<_>>())
    }
}

/// Whether points of some resource are set before the roll.
fn sets_before(plan: &PlanAnswer) -> bool {
    { plan.plan.allowances.iter() }.any(|allowance| allowance.is_before)
}

/// What is set before the roll: `effort=3 effort_policy=next_band`.
fn settings(plan: &PlanAnswer, state: &State) -> String {
    let inputs = &plan.spending.check.inputs;
    let mut set = Vec::new();
    for (at, outlay) in plan.spending.outlays.iter().enumerate() {
        let points = state.points[at];
        if points == 0 || !plan.plan.allowances[at].is_before {
            continue;
        }
        set.push(inputs[outlay.axis.0].told_with_title(points));
        if let (Some((axis, _)), Some(label)) = (outlay.policy, state.labels[at]) {
            set.push(inputs[axis.0].told_with_title(label));
        }
    }
    match set.is_empty() {
        true => "nothing".to_owned(),
        false => in_turn(&set),
    }
}

/// Where a check binds a name first.
fn place_of(check: &Check, name: &str) -> Option<usize> {
    let mut variables = check.program().variables().iter();
    variables.position(|variable| variable.name() == name)
}
