//! A table to play by: a line for each state of a track, or for a range of them, with all that is done in it.
//!
//! What is rolled in a round is one of the values that a choice knows. The table leaves out the one that shortens it most, and
//! says in each line what is done at its values:
//!
//! ```text
//! filled  raw  effort left  best          filled  effort left  what to do
//!      0    8            2     2               0            2  raw 8–9 to 10
//!      0    9            2     1          1 to 4            2  raw 9 to 10
//!      1    9            2     1
//! ```

use std::collections::BTreeMap;

use oddsmith::TrackPlan;
use oddsmith::plan::Chosen;
use oddsmith::questions::number_title;
use oddsmith_exact::{Decision, DecisionRow, RBig, Seen};
use oddsmith_rules::program::{Kind, VarId};
use oddsmith_rules::{Check, Known};

use crate::document::{Block, Column, Table, Text};
use crate::format::choice_words::{self, Wording};
use crate::format::most_likely;
use crate::format::policy_lines::{Line, lines};
use crate::format::policy_view;
use crate::format::words::Form;

/// The table of one choice: by states where that is much shorter, else by all that is known.
pub(super) fn sheet(plan: &TrackPlan, decision: &Decision, form: Form) -> [Block; 3] {
    let track = &plan.pursed.track;
    let wording = wording(plan, decision);
    let tables =
        (0..decision.seen.len()).map(|rolled| ByState::new(decision, rolled, (track, wording)));
    let shortest = tables.min_by_key(ByState::length);
    match shortest.filter(|table| 2 * table.lines().len() < lines(decision).len()) {
        Some(table) => table.blocks(plan, (decision, wording), form),
        None => policy_view::sheet(decision, (track, plan.is_chance()), form),
    }
}

/// How the choice is told: as what it lifts a value to, where any state does.
fn wording(plan: &TrackPlan, decision: &Decision) -> Wording {
    let left = plan.pursed.purses.iter().map(|purse| purse.left);
    let left: Vec<_> = left.collect();
    let is_points = |kind: &Kind| matches!(kind, Kind::Var(var) if left.contains(var));
    let usual = Wording::of(Chosen::of(&plan.pursed.track, &decision.name, &is_points));
    (0..decision.seen.len()).fold(usual, |wording, rolled| {
        let states = states(decision, rolled);
        wording.with_lifts(&states.values().collect::<Vec<_>>())
    })
}

/// `when to spend effort`; of a choice that has no points for its options `when to choose push`.
fn title(plan: &TrackPlan, decision: &Decision) -> String {
    let track = &plan.pursed.track;
    let spends = |left: VarId| {
        let is_left = |kind: &Kind| matches!(kind, Kind::Var(var) if *var == left);
        Chosen::of(track, &decision.name, &is_left) == Chosen::Points
    };
    let purses = plan.pursed.purses.iter().zip(&plan.resources);
    let own = { purses }.find(|(purse, _)| spends(purse.left));
    let what = match own {
        Some((_, resource)) => format!("spend {}", resource.title),
        None => format!("choose {}", track.title_of(&decision.name)),
    };
    decision.numbered(&format!("when to {what}"))
}

/// The decision in each state: all that is known but for what stands at one place, which is all that it knows then.
fn states(decision: &Decision, rolled: usize) -> BTreeMap<Vec<Known>, Decision> {
    let mut states: BTreeMap<Vec<Known>, Decision> = BTreeMap::new();
    for row in &decision.rows {
        let mut state = row.seen.clone();
        let value = state.remove(rolled);
        let known = || vec![decision.seen[rolled].clone()];
        let own = states
            .entry(state)
            .or_insert_with(|| without_rows(decision, known()));
        own.rows.push(DecisionRow {
            seen: vec![value],
            ..row.clone()
        });
    }
    states
}

/// A decision that knows this, with no rows yet.
fn without_rows(decision: &Decision, seen: Vec<Seen>) -> Decision {
    Decision {
        party: decision.party,
        name: decision.name.clone(),
        rounds: decision.rounds.clone(),
        number: decision.number,
        seen,
        rows: Vec::new(),
    }
}

/// A table whose lines are states.
struct ByState {
    /// What is known of a state; what is chosen in it is the place of a text.
    decision: Decision,
    texts: Vec<String>,
}

impl ByState {
    fn new(decision: &Decision, rolled: usize, (track, wording): (&Check, Wording)) -> Self {
        let mut seen = decision.seen.clone();
        seen.remove(rolled);
        let mut own = without_rows(decision, seen);
        let mut texts: Vec<String> = Vec::new();
        for (seen, state) in states(decision, rolled) {
            let text = choice_words::told(track, &state, wording);
            let place = texts.iter().position(|known| *known == text);
            let place = place.unwrap_or_else(|| {
                texts.push(text);
                texts.len() - 1
            });
            let rows = state.rows.iter();
            own.rows.push(DecisionRow {
                seen,
                chosen: Known::Number(i64::try_from(place).expect("texts are few")),
                probability: rows.fold(RBig::ZERO, |sum, row| sum + &row.probability),
                worth: RBig::ZERO,
                lead: None,
            });
        }
        Self {
            decision: own,
            texts,
        }
    }

    fn lines(&self) -> Vec<Line<'_>> {
        lines(&self.decision)
    }

    fn text(&self, line: &Line<'_>) -> &str {
        let place = match line.rows[0].chosen {
            Known::Number(place) => usize::try_from(place).ok(),
            Known::Roll(_) => None,
        };
        &self.texts[place.expect("the place of a text")]
    }

    /// How much is to be read: the letters of all lines, whose numbers count as so many.
    fn length(&self) -> usize {
        const NUMBERS: usize = 20;
        let lines = self.lines();
        lines
            .iter()
            .map(|line| self.text(line).len() + NUMBERS)
            .sum()
    }

    fn blocks(
        &self,
        plan: &TrackPlan,
        (decision, wording): (&Decision, Wording),
        form: Form,
    ) -> [Block; 3] {
        let track = &plan.pursed.track;
        let mut lines = self.lines();
        let mut note = choice_words::note(&[(track.title_of(&decision.name), wording)]);
        if most_likely::shorten(&mut lines, Line::probability) {
            let shown = { lines.iter() }.fold(RBig::ZERO, |sum, line| sum + line.probability());
            note = format!(
                "the {} that come up most, {} of the times that it is chosen; `--format csv` has all of them\n{note}",
                lines.len(),
                Form::USUAL.show_ratio(&shown)
            );
        }
        let seen = self.decision.seen.iter();
        let heads = seen.clone().map(|seen| number_title(track, &seen.name));
        let right = heads
            .chain(["of all choices".to_owned()])
            .map(Column::right);
        let columns = right.chain([Column::left("what to do")]);
        let row = |line: &Line<'_>| {
            let seen = seen.clone().enumerate();
            let mut cells: Vec<String> =
                seen.map(|(at, seen)| line.range_words(at, seen)).collect();
            cells.push(form.show_ratio(&line.probability()));
            let text = self.text(line).to_owned();
            cells.push(choice_words::or_nothing(text, wording));
            cells
        };
        let table = Table::new(columns).with_rows(lines.iter().map(row));
        let title = title(plan, decision);
        [
            Block::heading(title),
            Block::table(table),
            Block::note(Text::with_code(&note)),
        ]
    }
}
