//! What is chosen, in words: `raw 8–9 to 10`, where the same is done at neighbouring values that are known.

use oddsmith_analysis::plan::Chosen;
use oddsmith_exact::{Decision, DecisionRow, RBig, Seen};
use oddsmith_rules::{Check, Known};

use crate::format::most_likely;
use crate::format::policy::{known, plain};
use crate::format::words;

/// Things to do that stand in a row; of more, those that come up most.
const MOST_RUNS: usize = 12;

/// How what is chosen is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wording {
    /// What it lifts a known number to.
    Lift,
    /// Where it is a yes.
    Yes,
    /// How many points where.
    Points,
    /// Which value it takes where.
    Value,
}

impl Wording {
    /// How a choice of such numbers is told.
    pub(super) fn of(chosen: Chosen) -> Self {
        match chosen {
            Chosen::YesOrNo => Self::Yes,
            Chosen::Points => Self::Points,
            Chosen::Other => Self::Value,
        }
    }

    /// What a number is lifted to where that takes fewer words in all states of a choice; else the same one. Where a point is
    /// not one more of what is rolled, it takes more: `9–10 to 11` may be two points and one by chance.
    pub(super) fn with_lifts(self, states: &[&Decision]) -> Self {
        let runs = |is_lift: bool| -> usize {
            let tables = states
                .iter()
                .map(|own| DecisionTable::shortest(own, is_lift));
            tables.map(|table| table.runs(is_lift).len()).sum()
        };
        match self != Self::Yes && states.iter().any(|own| is_lift(own)) && runs(true) < runs(false)
        {
            true => Self::Lift,
            false => self,
        }
    }
}

/// What is chosen where; nothing if it is 0 everywhere.
pub(super) fn told(check: &Check, decision: &Decision, wording: Wording) -> String {
    let is_lift = wording == Wording::Lift;
    let table = DecisionTable::shortest(decision, is_lift);
    let all = table.runs(is_lift);
    let least = most_likely::nth(&all, MOST_RUNS, Run::probability);
    let mut words = String::new();
    let mut told = 0;
    let mut before = String::new();
    for run in all.iter().filter(|run| Some(run.probability()) >= least) {
        let own = run.words(check, &table.seen, wording, &mut before);
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

/// Those words; where there are none what is done then.
pub(super) fn or_nothing(words: String, wording: Wording) -> String {
    match (words.as_str(), wording) {
        ("", Wording::Yes) => "never".to_owned(),
        ("", _) => "nothing".to_owned(),
        _ => words,
    }
}

/// How a table of choices is read that are told in such ways.
pub(super) fn note(told: &[(&str, Wording)]) -> String {
    let names = |wanted: Wording| {
        let names = told.iter().filter(|(_, wording)| *wording == wanted);
        names
            .map(|(title, _)| format!("`{title}`"))
            .collect::<Vec<_>>()
    };
    let mut parts = Vec::new();
    if !names(Wording::Lift).is_empty() {
        parts.push(
            "`8–9 to 10`: at 8 or 9, spend what makes it 10; where nothing is said, spend nothing"
                .to_owned(),
        );
    }
    if !names(Wording::Points).is_empty() && parts.is_empty() {
        parts.push("where nothing is said, spend nothing".to_owned());
    }
    for (wording, meaning) in [
        (Wording::Yes, "yes where the table says it, else no"),
        (Wording::Value, "`8–9: 2` takes 2 at 8 or 9, else 0"),
    ] {
        let names = names(wording);
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
                true => line.goal().is_some() && line.goal() == next.goal(),
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
    fn words(
        &self,
        check: &Check,
        seen: &[&Seen],
        wording: Wording,
        before: &mut String,
    ) -> String {
        let (first, last) = (&self.lines[0], &self.lines[self.lines.len() - 1]);
        let Some((name, others)) = seen.split_last() else {
            return match wording {
                Wording::Yes => "always".to_owned(),
                _ => plain(first.chosen),
            };
        };
        let chosen = match (wording, first.goal()) {
            (Wording::Yes, _) => String::new(),
            (Wording::Lift, Some(goal)) => format!(" to {goal}"),
            (Wording::Points, _) => format!(": spend {}", plain(first.chosen)),
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
