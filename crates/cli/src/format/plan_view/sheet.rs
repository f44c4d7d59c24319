//! The table to play by: what to spend in each check with the points that are left.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use oddsmith_analysis::plan::{Chosen, State, Turn};
use oddsmith_exact::{Decision, DecisionRow, RBig, Seen};
use oddsmith_rules::{Check, Known, in_turn};

use crate::document::{self, Column, Text};
use crate::format::plan_view::PlanTable;
use crate::format::policy::{known, plain, round};
use crate::format::words::{self, Form};
use oddsmith::PlanAnswer;

/// Rows of a table that are all shown.
const WHOLE: usize = 60;
/// Of a longer one so many are shown, those that come up most.
const MOST_LIKELY: usize = 40;
/// Things to do that stand in a row; of more, those that come up most.
const MOST_RUNS: usize = 12;

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
        if self.rows.len() <= WHOLE {
            return;
        }
        let mut odds: Vec<RBig> = self
            .rows
            .iter()
            .map(|row| row.probability.clone())
            .collect();
        odds.sort_unstable_by(|a, b| b.cmp(a));
        let least = odds.swap_remove(MOST_LIKELY - 1);
        self.rows.retain(|row| row.probability >= least);
        self.note = format!(
            "the {} that come up most; `--format csv` has all of them\n{}",
            self.rows.len(),
            self.note
        );
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

/// How what is chosen is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    /// What it lifts a known number to.
    Lift,
    /// Where it is a yes.
    Yes,
    /// How many points where.
    Points,
    /// Which value it takes where.
    Value,
}

/// How choices are put in words.
struct Words<'p> {
    /// What is asked about.
    check: &'p Check,
    /// Each choice by its name and its rounds, in the order in which they come; not those that are 0 everywhere.
    choices: Vec<(&'p str, String)>,
    /// How each is told, by its name.
    manners: BTreeMap<&'p str, Manner>,
}

impl<'p> Words<'p> {
    fn of(plan: &'p PlanAnswer) -> Self {
        let mut choices: Vec<(&str, String)> = Vec::new();
        let mut manners: BTreeMap<&str, Manner> = BTreeMap::new();
        let chooses = |decision: &&Decision| {
            let mut rows = decision.rows.iter();
            rows.any(|row| row.chosen != Known::Number(0))
        };
        for (_, state) in plan.states().filter(is_reached) {
            for decision in state.decisions.iter().filter(chooses) {
                let name = decision.name.as_str();
                let usual = match Chosen::of(&plan.spending, name) {
                    Chosen::YesOrNo => Manner::Yes,
                    Chosen::Points => Manner::Points,
                    Chosen::Other => Manner::Value,
                };
                let manner = manners.entry(name).or_insert(usual);
                if *manner != Manner::Yes && is_lift(decision) {
                    *manner = Manner::Lift;
                }
                let choice = (name, round(decision));
                if !choices.contains(&choice) {
                    choices.push(choice);
                }
            }
        }
        // A plan comes to states in which fewer things are chosen first.
        let check = &plan.spending.check;
        choices.sort_by_key(|(name, _)| place_of(check, name));
        Self {
            check,
            choices,
            manners,
        }
    }

    /// What stands above what is to be done.
    fn heads(&self, plan: &PlanAnswer) -> Vec<String> {
        let set = sets_before(plan).then(|| "before the roll".to_owned());
        let plain = [Manner::Lift, Manner::Points];
        let is_plain = |(name, _): &(&str, String)| plain.contains(&self.manners[name]);
        if self.choices.len() < 2 && self.choices.iter().all(is_plain) {
            let what = (set.is_none() || !self.choices.is_empty()).then(|| "what to do".to_owned());
            return set.into_iter().chain(what).collect();
        }
        // A choice that comes again is told apart, even if it is a yes only once.
        let decisions = || plan.states().flat_map(|(_, state)| &state.decisions);
        let comes_again = |name: &str, rounds: &str| {
            let mut same = decisions().filter(|own| own.name == name);
            same.any(|own| round(own) != rounds)
        };
        let head = |(name, rounds): &(&str, String)| match comes_again(name, rounds) {
            true => format!("{}, round {rounds}", self.check.title_of(name)),
            false => self.check.title_of(name).to_owned(),
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
        plays.extend(self.choices.iter().map(|(name, rounds)| {
            let mut own = state.decisions.iter();
            let own = own.find(|own| own.name == *name && round(own) == *rounds);
            let words = own.map_or(String::new(), |decision| self.choice(decision));
            match (words.as_str(), self.manners[name]) {
                ("", Manner::Yes) => "never".to_owned(),
                ("", _) => "nothing".to_owned(),
                _ => words,
            }
        }));
        if plays.is_empty() {
            plays.push("nothing".to_owned());
        }
        plays
    }

    /// What is chosen where; nothing if it is 0 everywhere.
    fn choice(&self, decision: &Decision) -> String {
        let manner = self.manners[decision.name.as_str()];
        let is_lift = manner == Manner::Lift;
        let table = DecisionTable::shortest(decision, is_lift);
        let all = table.runs(is_lift);
        let mut odds: Vec<RBig> = all.iter().map(Run::probability).collect();
        odds.sort_unstable_by(|a, b| b.cmp(a));
        let least = odds.into_iter().take(MOST_RUNS).last();
        let mut words = String::new();
        let mut told = 0;
        let mut before = String::new();
        for run in all.iter().filter(|run| Some(run.probability()) >= least) {
            let own = run.words(self.check, &table.seen, manner, &mut before);
            words += match (told, own.starts_with(|first: char| first.is_alphabetic())) {
                (0, _) => "",
                // What else is known has changed.
                (_, true) if table.seen.len() > 1 => "; ",
                _ => ", ",
            };
            words += &own;
            told += 1;
        }
        if told < all.len() {
            words += &format!(", and {} more", all.len() - told);
        }
        words
    }

    /// How the table is read.
    fn note(&self) -> String {
        let names = |wanted: Manner| {
            let names = self.manners.iter().filter(|(_, manner)| **manner == wanted);
            names
                .map(|(name, _)| format!("`{}`", self.check.title_of(name)))
                .collect::<Vec<_>>()
        };
        let mut parts = Vec::new();
        if !names(Manner::Lift).is_empty() {
            parts.push(
                "`8–9 to 10`: at 8 or 9, spend what makes it 10; where nothing is said, spend nothing"
                    .to_owned(),
            );
        }
        if !names(Manner::Points).is_empty() && parts.is_empty() {
            parts.push("where nothing is said, spend nothing".to_owned());
        }
        for (manner, meaning) in [
            (Manner::Yes, "yes where the table says it, else no"),
            (Manner::Value, "`8–9: 2` takes 2 at 8 or 9, else 0"),
        ] {
            let names = names(manner);
            let what = match names.len() {
                0 => continue,
                1 => "a choice",
                _ => "choices",
            };
            let names = words::list(&names);
            parts.push(format!("{names}: {what} that the rules give; {meaning}"));
        }
        parts.join("\n")
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

/// A decision with the values that it knows in some order; neighbours differ in the last one.
struct DecisionTable<'d> {
    seen: Vec<&'d Seen>,
    rows: Vec<Line<'d>>,
}

/// A row of it.
#[derive(Clone)]
struct Line<'d> {
    seen: Vec<&'d Known>,
    chosen: &'d Known,
    probability: &'d RBig,
}

impl<'d> DecisionTable<'d> {
    /// In the order that takes the fewest words; of equals the one that is nearest to the decision's own.
    fn shortest(decision: &'d Decision, is_lift: bool) -> Self {
        let orders = (0..decision.seen.len().max(1)).rev();
        let tables = orders.map(|last| Self::with_last(decision, last));
        let shortest = tables.min_by_key(|table| table.runs(is_lift).len());
        shortest.expect("there is an order")
    }

    fn with_last(decision: &'d Decision, last: usize) -> Self {
        fn moved<T>(mut values: Vec<T>, last: usize) -> Vec<T> {
            if last < values.len() {
                let value = values.remove(last);
                values.push(value);
            }
            values
        }
        let line = |row: &'d DecisionRow| Line {
            seen: moved(row.seen.iter().collect(), last),
            chosen: &row.chosen,
            probability: &row.probability,
        };
        let mut rows: Vec<Line<'_>> = decision.rows.iter().map(line).collect();
        rows.sort_by(|a, b| a.seen.cmp(&b.seen));
        Self {
            seen: moved(decision.seen.iter().collect(), last),
            rows,
        }
    }

    /// Neighbours that choose the same, or are lifted to the same number; not those that choose 0.
    fn runs(&self, is_lift: bool) -> Vec<Run<'_, 'd>> {
        let has_labels = self.seen.last().is_some_and(|seen| seen.labels.is_some());
        let is_same = |line: &Line<'_>, next: &Line<'_>| {
            let same = match is_lift {
                true => line.goal() == next.goal(),
                false => line.chosen == next.chosen,
            };
            same && line.is_before(next) && !has_labels && line.is_nothing() == next.is_nothing()
        };
        let runs = self.rows.chunk_by(is_same).map(|lines| Run { lines });
        runs.filter(|run| !run.lines[0].is_nothing()).collect()
    }
}

impl Line<'_> {
    fn is_nothing(&self) -> bool {
        *self.chosen == Known::Number(0)
    }

    /// What a choice makes of the last value that it knows, if both are numbers.
    fn goal(&self) -> Option<i64> {
        number(self.seen.last()?)?.checked_add(number(self.chosen)?)
    }

    /// Whether it differs from the next one in the last value only, and that is a number.
    fn is_before(&self, next: &Self) -> bool {
        match (self.seen.split_last(), next.seen.split_last()) {
            (Some((last, before)), Some((next_last, next_before))) => {
                number(last).is_some() && number(next_last).is_some() && before == next_before
            }
            _ => false,
        }
    }
}

/// A number, or what a single die shows.
fn number(value: &Known) -> Option<i64> {
    match value {
        Known::Number(number) => Some(*number),
        Known::Roll(dice) => match dice.as_slice() {
            [face] => Some(*face),
            _ => None,
        },
    }
}

/// Neighbouring values at which the same is best.
struct Run<'t, 'd> {
    lines: &'t [Line<'d>],
}

impl Run<'_, '_> {
    fn probability(&self) -> RBig {
        let lines = self.lines.iter();
        lines.fold(RBig::ZERO, |sum, line| sum + line.probability)
    }

    /// `raw 8–9 to 10`, `die 8–9`, `die 8–9: 2`; what was said `before` of other values is not said again.
    fn words(&self, check: &Check, seen: &[&Seen], manner: Manner, before: &mut String) -> String {
        let (first, last) = (&self.lines[0], &self.lines[self.lines.len() - 1]);
        let Some((name, others)) = seen.split_last() else {
            return match manner {
                Manner::Yes => "always".to_owned(),
                _ => plain(first.chosen),
            };
        };
        let chosen = match (manner, first.goal()) {
            (Manner::Yes, _) => String::new(),
            (Manner::Lift, Some(goal)) => format!(" to {goal}"),
            (Manner::Points, _) => format!(": spend {}", plain(first.chosen)),
            _ => format!(": {}", plain(first.chosen)),
        };
        let others = others.iter().zip(&first.seen);
        let mut lead: String = others
            .map(|(seen, value)| {
                let title = check.title_of(&seen.name);
                format!("{title} {} and ", known(value, seen))
            })
            .collect();
        lead += check.title_of(&name.name);
        let value = |line: &Line<'_>| line.seen.last().map_or(String::new(), |v| known(v, name));
        let values = match (value(first), value(last)) {
            (first, last) if first == last => first,
            (first, last) if first.starts_with('-') => format!("{first} to {last}"),
            (first, last) => format!("{first}–{last}"),
        };
        if *before == lead {
            return format!("{values}{chosen}");
        }
        let words = format!("{lead} {values}{chosen}");
        *before = lead;
        words
    }
}

/// Where a check binds a name first.
fn place_of(check: &Check, name: &str) -> Option<usize> {
    let mut variables = check.program().variables().iter();
    variables.position(|variable| variable.name() == name)
}

/// Whether a choice differs between neighbours that it lifts to the same number.
fn is_lift(decision: &Decision) -> bool {
    let is_number = |seen: &Seen| seen.labels.is_none();
    let table = DecisionTable::with_last(decision, decision.seen.len());
    decision.seen.last().is_some_and(is_number)
        && table.rows.windows(2).any(|pair| {
            let goals = [pair[0].goal(), pair[1].goal()];
            let spends = pair.iter().all(|line| !line.is_nothing());
            pair[0].is_before(&pair[1]) && goals[0].is_some() && goals[0] == goals[1] && spends
        })
}
