//! The best policy: how others compare with it, and tables to play by.

use std::fmt::Write as _;

use anstyle::Style;
use oddsmith_exact::{Decision, DecisionRow, RBig, Seen};
use oddsmith_rules::Known;

use crate::format::grid::{Align, Cell, Grid};
use crate::format::markup::Markup;
use crate::format::paint::{BOLD, DIM};
use crate::format::policy::{Policy, known, number_or_chance, plain, round};
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
struct Sheet {
    title: String,
    head: Vec<String>,
    aligns: Vec<Align>,
    rows: Vec<Vec<String>>,
    note: String,
}

impl Sheet {
    fn of(decision: &Decision, is_chance: bool, form: Form) -> Self {
        let mut runs = runs(decision);
        let mut note = String::new();
        if runs.len() > WHOLE {
            runs.sort_by_key(|run| std::cmp::Reverse(run.probability()));
            runs.truncate(MOST_LIKELY);
            let shown = runs
                .iter()
                .fold(RBig::ZERO, |sum, run| sum + run.probability());
            note = format!(
                "the {MOST_LIKELY} that come up most, {} of the rolls; `--format csv` has all of them",
                Form::USUAL.show_ratio(&shown)
            );
        }
        let row = |run: &Run<'_>| {
            let mut cells = run.seen(&decision.seen);
            cells.push(plain(&run.rows[0].chosen));
            cells.push(form.show_ratio(&run.probability()));
            cells.push(number_or_chance(&run.worth(), is_chance, form));
            cells.push(run.lead(is_chance, form));
            cells
        };
        let names = decision.seen.iter().map(|seen| seen.name.clone());
        let mut head: Vec<String> = names.collect();
        head.push(decision.name.clone());
        head.extend(["comes up", "worth", "better by"].map(str::to_owned));
        let mut aligns = vec![Align::Right; head.len() - 1];
        aligns.push(Align::Left);
        Self {
            title: title(decision),
            head,
            aligns,
            rows: runs.iter().map(row).collect(),
            note,
        }
    }

    fn render(&self) -> String {
        let mut grid = Grid::new(&self.aligns);
        grid.head(&self.head.iter().map(String::as_str).collect::<Vec<_>>());
        let chosen = self.head.len() - 4;
        for row in &self.rows {
            let cells = row.iter().enumerate().map(|(at, cell)| {
                let style = if at == chosen { BOLD } else { Style::new() };
                Cell::styled(cell, style)
            });
            grid.push(cells.collect());
        }
        let mut text = format!("{BOLD}{}{BOLD:#}\n{}", self.title, grid.render("  "));
        if !self.note.is_empty() {
            let _ = writeln!(text, "  {DIM}{}{DIM:#}", self.note);
        }
        text
    }

    fn document(&self, markup: Markup) -> String {
        let head: Vec<&str> = self.head.iter().map(String::as_str).collect();
        let table = markup.table(&head, &self.aligns, &self.rows);
        let note = if self.note.is_empty() {
            String::new()
        } else {
            format!("\n{}\n", self.note)
        };
        markup.title(&self.title) + &table + &note
    }
}

/// `choose kept, round 2: knowing hand`
fn title(decision: &Decision) -> String {
    let names: Vec<&str> = decision
        .seen
        .iter()
        .map(|seen| seen.name.as_str())
        .collect();
    let knowing = if names.is_empty() {
        ", before anything is known".to_owned()
    } else {
        format!(", knowing {}", names.join(" and "))
    };
    let round = match decision.rounds.len() {
        0 => String::new(),
        _ => format!(" in round {}", round(decision)),
    };
    format!("choose {}{round}{knowing}", decision.name)
}

impl Policy {
    /// The whole view, coloured.
    pub(crate) fn render(&self, form: Form) -> String {
        let mut sections = vec![
            view::header(&self.title, &self.settings),
            self.side_by_side(form),
        ];
        sections.extend(self.sheets(form).iter().map(Sheet::render));
        sections.join("\n")
    }

    fn sheets(&self, form: Form) -> Vec<Sheet> {
        let sheets = self.decisions.iter();
        sheets
            .map(|decision| Sheet::of(decision, self.is_chance, form))
            .collect()
    }

    /// `the most of …`
    fn strives(&self) -> String {
        if self.is_chance {
            format!("best is the greatest chance of {}", self.goal)
        } else {
            format!("best is the greatest mean of {}", self.goal)
        }
    }

    fn side_by_side(&self, form: Form) -> String {
        let (head, rows) = self.comparison.table(self.is_chance, form);
        let mut aligns = vec![Align::Left];
        aligns.resize(head.len(), Align::Right);
        let mut grid = Grid::new(&aligns);
        grid.head(&head);
        for (row, cells) in self.comparison.rows.iter().zip(rows) {
            let style = if row.is_optimal { BOLD } else { Style::new() };
            grid.push(
                cells
                    .into_iter()
                    .map(|cell| Cell::styled(cell, style))
                    .collect(),
            );
        }
        format!("{}\n{}", self.strives(), grid.render("  "))
    }

    /// The comparison and the tables to play by, as documents have them.
    pub(crate) fn document(&self, markup: Markup, form: Form) -> String {
        let (head, rows) = self.comparison.table(self.is_chance, form);
        let mut aligns = vec![Align::Left];
        aligns.resize(head.len(), Align::Right);
        let mut parts = vec![
            markup.paragraph(&self.strives()),
            markup.table(&head, &aligns, &rows),
        ];
        parts.extend(self.sheets(form).iter().map(|sheet| sheet.document(markup)));
        parts.join("\n")
    }
}
