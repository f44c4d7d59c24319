//! A plan for spending points over a scene: how others compare with it, and tables to play by.

mod sheet;

use anstyle::Style;
use oddsmith_analysis::plan::{Manner, Played, Tally, Turn};
use oddsmith_exact::RBig;

use crate::format::grid::{Align, Cell, Grid};
use crate::format::markup::Markup;
use crate::format::paint::{BOLD, DIM};
use crate::format::plan::Plan;
use crate::format::view;
use crate::format::words::{self, Form};
use sheet::Sheet;

/// Columns of points at the most; of more points only some are shown.
const MOST_COLUMNS: usize = 13;

/// A table with what stands above it.
struct Part {
    title: String,
    head: Vec<String>,
    aligns: Vec<Align>,
    rows: Vec<Vec<String>>,
    /// The row that stands out.
    bold: Option<usize>,
    note: String,
}

impl Part {
    fn render(&self) -> String {
        let mut grid = Grid::new(&self.aligns);
        grid.head(&self.head.iter().map(String::as_str).collect::<Vec<_>>());
        for (at, row) in self.rows.iter().enumerate() {
            let style = if self.bold == Some(at) {
                BOLD
            } else {
                Style::new()
            };
            let cells = row.iter().map(|cell| Cell::styled(cell, style));
            grid.push(cells.collect());
        }
        let note = self
            .note
            .lines()
            .map(|line| format!("  {DIM}{line}{DIM:#}\n"));
        let note: String = note.collect();
        format!("{BOLD}{}{BOLD:#}\n{}{note}", self.title, grid.render("  "))
    }

    fn document(&self, markup: Markup) -> String {
        let head: Vec<&str> = self.head.iter().map(String::as_str).collect();
        let note = match self.note.as_str() {
            "" => String::new(),
            // Our own words, with code between backticks.
            note => format!("\n{note}\n"),
        };
        markup.title(&self.title) + &markup.table(&head, &self.aligns, &self.rows) + &note
    }
}

/// The whole view, coloured.
pub(crate) fn render(plan: &Plan, form: Form) -> String {
    let header = view::header(&plan.headline(), &plan.settings_in_words());
    let mut sections = vec![header + &terms(plan)];
    sections.extend(parts(plan, form).iter().map(Part::render));
    sections.join("\n")
}

/// The same tables, as documents have them.
pub(crate) fn document(plan: &Plan, markup: Markup, form: Form) -> String {
    let (scene, settings) = (plan.scene_in_words(), plan.settings_in_words());
    let words = format!("{scene}, {settings}\n{}", terms(plan));
    let mut sections = vec![markup.paragraph(&words)];
    sections.extend(parts(plan, form).iter().map(|part| part.document(markup)));
    sections.join("\n")
}

/// What is worth what, and how much may be spent at once.
fn terms(plan: &Plan) -> String {
    let at_once = if plan.plan.cap < i64::from(plan.scene.pool) {
        format!("; at most {} on one check", plan.plan.cap)
    } else {
        String::new()
    };
    format!("an outcome is worth {}{at_once}\n", plan.utility())
}

fn parts(plan: &Plan, form: Form) -> Vec<Part> {
    let mut parts = vec![ways(plan), prices(plan), Sheet::of(plan).part(plan, form)];
    parts.retain(|part| !part.rows.is_empty());
    parts
}

/// What comes of the scene in each way to play it.
fn ways(plan: &Plan) -> Part {
    let best = plan.plan.ways.last().and_then(|way| way.result.as_ref());
    let best = best.map_or(RBig::ZERO, |tally| tally.value.clone());
    let bands = plan.spending.check.band();
    let bands = bands.map_or(&[][..], |(_, bands)| bands.labels());
    let mut head: Vec<String> = ["", "worth", "behind", "spent"].map(str::to_owned).to_vec();
    head.extend(bands.iter().cloned());
    let row = |way: &Played| {
        let name = plan.manner(way.manner);
        let Some(tally) = &way.result else {
            return vec![name, "may need more than there is".to_owned()];
        };
        let mut cells = vec![name, words::value(&tally.value), behind(way, tally, &best)];
        cells.push(words::value(&tally.spent));
        cells.extend(tally.bands.iter().map(words::value));
        cells
    };
    let mut aligns = vec![Align::Left];
    aligns.resize(head.len(), Align::Right);
    Part {
        title: "the scene, on average".to_owned(),
        head,
        aligns,
        rows: plan.plan.ways.iter().map(row).collect(),
        bold: plan.plan.ways.len().checked_sub(1),
        note: note(&plan.plan.ways),
    }
}

/// What the names of ways say that are no policies of the rules.
fn note(ways: &[Played]) -> String {
    let of = |way: &Played| match way.manner {
        Manner::Never => Some("never: with no points at all"),
        Manner::Always => Some("always: as many as may be, as long as they last"),
        Manner::Greedy => Some("each by itself: as if every check were the last"),
        Manner::Named(_) | Manner::Best => None,
    };
    ways.iter().filter_map(of).collect::<Vec<_>>().join(" · ")
}

fn behind(way: &Played, tally: &Tally, best: &RBig) -> String {
    match (way.manner, best - &tally.value) {
        (Manner::Best, _) => "best".to_owned(),
        (_, behind) if behind == RBig::ZERO => "as good".to_owned(),
        (_, behind) => words::value(&behind),
    }
}

/// What one more point is worth, by the checks and the points that are left.
fn prices(plan: &Plan) -> Part {
    let points = plan.scene.pool as usize;
    let columns = (points + 1).min(MOST_COLUMNS);
    let shown: Vec<usize> = match columns {
        1 => vec![0],
        _ => (0..columns).map(|at| at * points / (columns - 1)).collect(),
    };
    let mut head = vec!["checks left".to_owned()];
    head.extend(shown.iter().map(|points| format!("with {points}")));
    let row = |turn: &Turn| {
        let mut cells = vec![turn.left.to_string()];
        cells.extend(shown.iter().map(|&left| {
            let state = turn.states[left].as_ref();
            let more = state.and_then(|state| state.more.as_ref());
            more.map_or("-".to_owned(), words::value)
        }));
        cells
    };
    Part {
        title: format!("what one more point of {} is worth", plan.resource),
        aligns: vec![Align::Right; head.len()],
        head,
        rows: plan.plan.turns.iter().map(row).collect(),
        bold: None,
        note: String::new(),
    }
}
