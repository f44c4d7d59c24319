//! The best policy: how others compare with it, and tables to play by.

use oddsmith::PolicyAnswer;
use oddsmith::questions::query_title;
use oddsmith_exact::{Decision, DecisionRow, RBig, Seen};
use oddsmith_rules::program::Party;
use oddsmith_rules::{Check, Known};

use crate::document::{Block, Column, Document, Medium, Role, Span, Table, Text};
use crate::format::policy::{known, number_or_chance, plain, round, table};
use crate::format::view;
use crate::format::words::Form;

/// Rows of a table to play by that are all shown.
const WHOLE: usize = 60;
/// Of a longer one so many are shown, those that come up most.
const MOST_LIKELY: usize = 40;

/// A line of a table to play by: neighbouring values at which the same is best.
#[derive(Debug)]
struct Run<'d> {
    rows: Vec<&'d DecisionRow>,
}

impl Run<'_> {
    fn probability(&self) -> RBig {
        self.rows
            .iter()
            .fold(RBig::ZERO, |sum, row| sum + &row.probability)
    }

    /// The mean worth of the states in it.
    fn worth(&self) -> RBig {
        let sum = self
            .rows
            .iter()
            .fold(RBig::ZERO, |sum, row| sum + &row.worth * &row.probability);
        sum / self.probability()
    }

    /// `0.5`, or from the least to the greatest.
    fn lead(&self, is_chance: bool, form: Form) -> String {
        let mut leads: Vec<&RBig> = self
            .rows
            .iter()
            .filter_map(|row| row.lead.as_ref())
            .collect();
        leads.sort();
        let shown = |lead: &RBig| number_or_chance(lead, is_chance, form.of_differences());
        match (leads.first(), leads.last()) {
            (Some(least), Some(most)) if least == most => match **least == RBig::ZERO {
                true => "as good as the next".to_owned(),
                false => shown(least),
            },
            (Some(least), Some(most)) => format!("{} to {}", shown(least), shown(most)),
            _ => "no other option".to_owned(),
        }
    }

    /// The values seen; those of the last column as a span.
    fn seen(&self, seen: &[Seen]) -> Vec<String> {
        let (first, last) = (self.rows[0], self.rows[self.rows.len() - 1]);
        let mut cells: Vec<String> = first
            .seen
            .iter()
            .zip(seen)
            .map(|(value, seen)| known(value, seen))
            .collect();
        if let (Some(cell), Some(value), Some(seen)) =
            (cells.last_mut(), last.seen.last(), seen.last())
            && first.seen != last.seen
        {
            *cell = format!("{cell} to {}", known(value, seen));
        }
        cells
    }
}

/// Neighbours that differ in the last value seen only, if that is a number, and choose the same.
fn runs(decision: &Decision) -> Vec<Run<'_>> {
    let is_same = |row: &&DecisionRow, next: &&DecisionRow| {
        let (Some((last, before)), Some((_, next_before))) =
            (row.seen.split_last(), next.seen.split_last())
        else {
            return false;
        };
        let is_number = matches!(last, Known::Number(_));
        let names = decision
            .seen
            .last()
            .is_some_and(|seen| seen.labels.is_none());
        is_number
            && names
            && before == next_before
            && row.chosen == next.chosen
            && row.lead.is_some() == next.lead.is_some()
    };
    let rows: Vec<&DecisionRow> = decision.rows.iter().collect();
    rows.chunk_by(is_same)
        .map(|rows| Run {
            rows: rows.to_vec(),
        })
        .collect()
}

/// A table to play by.
fn sheet(decision: &Decision, policy: &PolicyAnswer, form: Form) -> [Block; 3] {
    let is_chance = policy.is_chance;
    let all = match policy.check.rounds {
        Some(_) => "of the times that it is chosen",
        None => "of the rolls",
    };
    let mut runs = runs(decision);
    let mut note = String::new();
    if runs.len() > WHOLE {
        runs.sort_by_key(|run| std::cmp::Reverse(run.probability()));
        runs.truncate(MOST_LIKELY);
        let shown = runs
            .iter()
            .fold(RBig::ZERO, |sum, run| sum + run.probability());
        note = format!(
            "the {MOST_LIKELY} that come up most, {} {all}; `--format csv` has all of them",
            Form::USUAL.show_ratio(&shown)
        );
    }
    let told = |name| policy.check.title_of(name);
    let names = decision.seen.iter().map(|seen| told(&seen.name));
    let right = names.chain([told(&decision.name), "comes up", "worth"]);
    let columns = right.map(Column::right).chain([Column::left("better by")]);
    let row = |run: &Run<'_>| {
        let mut cells: Vec<Span> = run
            .seen(&decision.seen)
            .into_iter()
            .map(Span::from)
            .collect();
        cells.push(Span::strong(plain(&run.rows[0].chosen)));
        cells.push(form.show_ratio(&run.probability()).into());
        cells.push(number_or_chance(&run.worth(), is_chance, form).into());
        cells.push(run.lead(is_chance, form).into());
        cells
    };
    let table = Table::new(columns).with_rows(runs.iter().map(row));
    let note = Block::note(Text::with_code(&note));
    [
        Block::heading(title(decision, &policy.check)),
        Block::table(table),
        note,
    ]
}

/// `choose kept in round 2, knowing hand`
fn title(decision: &Decision, check: &Check) -> String {
    let names: Vec<&str> = decision
        .seen
        .iter()
        .map(|seen| check.title_of(&seen.name))
        .collect();
    let knowing = if names.is_empty() {
        ", whatever is known".to_owned()
    } else {
        format!(", knowing {}", names.join(" and "))
    };
    let round = match decision.rounds.len() {
        0 => String::new(),
        _ => format!(" in round {}", round(decision)),
    };
    let word = decision.party.keyword();
    format!("{word} {}{round}{knowing}", check.title_of(&decision.name))
}

/// How the best policy compares with other ways to choose, and tables to play by.
pub(crate) fn document(title: &str, policy: &PolicyAnswer, form: Form) -> Document {
    let mut document = Document::default();
    let settings = policy.check.tell(&policy.common);
    document.push_on(Medium::Terminal, view::opening(title, &settings));
    let side_by_side = Block::table(side_by_side(policy, form));
    document.push([Block::paragraph(strives(policy)), side_by_side]);
    for decision in &policy.decisions {
        document.push(sheet(decision, policy, form));
    }
    document
}

/// `best is the greatest mean of …`
fn strives(policy: &PolicyAnswer) -> String {
    let what = if policy.is_chance { "chance" } else { "mean" };
    // A formula stands as it is written: labels are no words of one.
    let is_formula = policy.goal.contains(' ') && !policy.check.labels.is_empty();
    let goal = match is_formula {
        true => policy.goal.clone(),
        false => query_title(&policy.check, &policy.goal),
    };
    let is_opposed = |decision: &Decision| decision.party == Party::Opponent;
    let least = match policy.decisions.iter().any(is_opposed) {
        true => ", and for `oppose` the least",
        false => "",
    };
    format!("best is the greatest {what} of {goal}{least}")
}

fn side_by_side(policy: &PolicyAnswer, form: Form) -> Table {
    let (head, rows) = table(policy, form);
    let mut head: Vec<String> = head
        .into_iter()
        .map(|name| query_title(&policy.check, name))
        .collect();
    let by = policy.check.input(&policy.by);
    let by = by.map(|by| &policy.check.inputs[by.0]);
    if let Some(input) = by {
        input.title().clone_into(&mut head[0]);
    }
    let rows = policy.rows.iter().zip(rows);
    Table::new(Column::of_numbers(head)).with_rows(rows.map(|(row, mut cells)| {
        let value = by.and_then(|input| Some((input, input.domain.read(&row.name)?)));
        if let Some((input, value)) = value {
            cells[0] = input.told(value);
        }
        let role = if row.is_optimal {
            Role::Strong
        } else {
            Role::Plain
        };
        cells.into_iter().map(move |cell| Span::new(cell, role))
    }))
}
