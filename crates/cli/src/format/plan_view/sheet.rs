//! The table to play by: what to spend in each check with the points that are left.

use std::collections::BTreeMap;

use oddsmith_analysis::plan::State;
use oddsmith_exact::{Decision, DecisionRow, RBig, Seen};
use oddsmith_rules::Known;

use crate::format::grid::Align;
use crate::format::plan::Plan;
use crate::format::plan_view::Part;
use crate::format::policy::{known, plain, round};
use crate::format::words::Form;

/// Rows of a table that are all shown.
const WHOLE: usize = 60;
/// Of a longer one so many are shown, those that come up most.
const MOST_LIKELY: usize = 40;
/// Things to do that stand in a row; of more, those that come up most.
const MOST_RUNS: usize = 12;

/// Numbers of points with which the same is best in one check.
struct Row {
    checks: usize,
    least: usize,
    most: usize,
    probability: RBig,
    play: String,
}

/// A table to play by.
pub(super) struct Sheet {
    rows: Vec<Row>,
    note: String,
}

impl Sheet {
    /// What is best wherever the plan comes to, the most points first.
    pub(super) fn of(plan: &Plan) -> Self {
        let words = Words::of(plan);
        let mut rows: Vec<Row> = Vec::new();
        let mut states: Vec<_> = plan.states().collect();
        states.sort_by_key(|(turn, left, _)| (usize::MAX - turn.left, usize::MAX - left));
        let reached = states
            .into_iter()
            .filter(|(_, left, state)| *left > 0 && state.probability != RBig::ZERO);
        for (turn, left, state) in reached {
            let play = words.play(plan, state);
            match rows.last_mut() {
                Some(row) if (row.checks, row.least, &row.play) == (turn.left, left + 1, &play) => {
                    row.least = left;
                    row.probability += &state.probability;
                }
                _ => rows.push(Row {
                    checks: turn.left,
                    least: left,
                    most: left,
                    probability: state.probability.clone(),
                    play,
                }),
            }
        }
        let mut sheet = Self {
            rows,
            note: words.note(),
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
            "the {} that come up most; `--format csv` has all of them. {}",
            self.rows.len(),
            self.note
        );
    }

    pub(super) fn part(self, plan: &Plan, form: Form) -> Part {
        let row = |row: &Row| {
            let points = match row.least == row.most {
                true => row.most.to_string(),
                false => format!("{} to {}", row.least, row.most),
            };
            vec![
                row.checks.to_string(),
                points,
                form.show_ratio(&row.probability),
                row.play.clone(),
            ]
        };
        let left = format!("{} left", plan.resource);
        let head = ["checks left", &left, "comes up", "what to do"];
        Part {
            title: format!("when to spend {}", plan.resource),
            head: head.map(str::to_owned).to_vec(),
            aligns: vec![Align::Right, Align::Right, Align::Right, Align::Left],
            rows: self.rows.iter().map(row).collect(),
            bold: None,
            note: self.note,
        }
    }
}

/// How choices are put in words.
struct Words<'p> {
    /// For each choice, by its name: whether it lifts what it knows to a goal, in some state at least.
    lifts: BTreeMap<&'p str, bool>,
    /// The value of which the example in the note is made.
    is_named: bool,
}

impl<'p> Words<'p> {
    fn of(plan: &'p Plan) -> Self {
        let mut lifts: BTreeMap<&str, bool> = BTreeMap::new();
        let mut places: Vec<(&str, String)> = Vec::new();
        for (_, _, state) in plan.states() {
            for decision in &state.decisions {
                let lift = lifts.entry(decision.name.as_str()).or_default();
                *lift = *lift || is_lift(decision);
                let place = (decision.name.as_str(), round(decision));
                if !places.contains(&place) {
                    places.push(place);
                }
            }
        }
        Self {
            lifts,
            is_named: places.len() > 1,
        }
    }

    /// What is best in a state.
    fn play(&self, plan: &Plan, state: &State) -> String {
        let mut parts = Vec::new();
        if plan.plan.is_before {
            parts.push(match state.points {
                0 => "nothing".to_owned(),
                points => settings(plan, points, state.label),
            });
        }
        let choices = state.decisions.iter().map(|decision| self.choice(decision));
        parts.extend(choices.filter(|words| !words.is_empty()));
        match parts.is_empty() {
            true => "nothing".to_owned(),
            false => parts.join("; "),
        }
    }

    /// What is chosen where; nothing if it is 0 everywhere.
    fn choice(&self, decision: &Decision) -> String {
        let is_lift = self.lifts[decision.name.as_str()];
        let table = Table::shortest(decision, is_lift);
        let all = table.runs(is_lift);
        let mut odds: Vec<RBig> = all.iter().map(Run::probability).collect();
        odds.sort_unstable_by(|a, b| b.cmp(a));
        let least = odds.into_iter().take(MOST_RUNS).last();
        let mut words: Vec<String> = Vec::new();
        let mut before = String::new();
        for run in all.iter().filter(|run| Some(run.probability()) >= least) {
            words.push(run.words(&table.seen, is_lift, &mut before));
        }
        if words.len() < all.len() {
            words.push(format!("and {} more", all.len() - words.len()));
        }
        if words.is_empty() || !self.is_named {
            return words.join(", ");
        }
        let round = match round(decision).as_str() {
            "" => String::new(),
            round => format!(" {round}"),
        };
        format!("{}{round}: {}", decision.name, words.join(", "))
    }

    /// How the table is read.
    fn note(&self) -> String {
        let lifts = self.lifts.values().any(|lifts| *lifts);
        match lifts {
            true => "`8–9 to 10`: at 8 or 9, spend what makes it 10; where nothing is said, spend nothing".to_owned(),
            false if self.lifts.is_empty() => String::new(),
            false => "`8–9: 2`: at 8 or 9, choose 2; where nothing is said, choose 0".to_owned(),
        }
    }
}

/// `effort=3 effort_policy=next_band`
fn settings(plan: &Plan, points: i64, label: Option<i64>) -> String {
    let points = format!("{}={points}", plan.axis());
    match (plan.spending.policy, label) {
        (Some((axis, _)), Some(label)) => {
            let input = &plan.spending.check.inputs[axis.0];
            format!("{points} {}={}", input.name, input.domain.show(label))
        }
        _ => points,
    }
}

/// A decision with the values that it knows in some order; neighbours differ in the last one.
struct Table<'d> {
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

impl<'d> Table<'d> {
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

    /// `raw 8–9 to 10`; what was said `before` of other values is not said again.
    fn words(&self, seen: &[&Seen], is_lift: bool, before: &mut String) -> String {
        let (first, last) = (&self.lines[0], &self.lines[self.lines.len() - 1]);
        let chosen = match (is_lift, first.goal()) {
            (true, Some(goal)) => format!(" to {goal}"),
            _ => format!(": {}", plain(first.chosen)),
        };
        let Some((name, others)) = seen.split_last() else {
            return plain(first.chosen);
        };
        let others = others.iter().zip(&first.seen);
        let mut lead: String = others
            .map(|(seen, value)| format!("{} {}, ", seen.name, known(value, seen)))
            .collect();
        lead += &name.name;
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

/// Whether a choice differs between neighbours that it lifts to the same number.
fn is_lift(decision: &Decision) -> bool {
    let is_number = |seen: &Seen| seen.labels.is_none();
    let table = Table::with_last(decision, decision.seen.len());
    decision.seen.last().is_some_and(is_number)
        && table.rows.windows(2).any(|pair| {
            let goals = [pair[0].goal(), pair[1].goal()];
            let spends = pair.iter().all(|line| !line.is_nothing());
            pair[0].is_before(&pair[1]) && goals[0].is_some() && goals[0] == goals[1] && spends
        })
}
