//! A plan for spending points over a scene: how others compare with it, and tables to play by.

mod sheet;

use oddsmith_analysis::plan::{Manner, Played, Tally, Turn};
use oddsmith_exact::RBig;

use crate::document::{Block, Column, Document, Medium, Role, Span, Table, Text};
use crate::format::plan;
use crate::format::view;
use crate::format::words::{self, Form};
use oddsmith::PlanAnswer;
use sheet::Sheet;

/// Columns of points at the most; of more points only some are shown.
const MOST_COLUMNS: usize = 13;

/// A table with what stands above it and below it.
struct PlanTable {
    title: String,
    table: Table,
    note: Text,
}

/// The scene, and the tables.
pub(crate) fn document(plan: &PlanAnswer, form: Form) -> Document {
    let (scene, settings) = (plan::scene(plan), plan::settings(plan));
    let scene = Block::paragraph(format!("{scene}, {settings}")).only(Medium::Page);
    let mut document = Document::default();
    document.push_on(
        Medium::Terminal,
        view::opening(&plan::headline(plan), &settings),
    );
    document.add(scene);
    document.add(Block::paragraph(terms(plan)));
    for PlanTable { title, table, note } in parts(plan, form) {
        document.push(Block::titled(title, table));
        document.add(Block::note(note));
    }
    document
}

/// What is worth what, and how much may be spent at once.
fn terms(plan: &PlanAnswer) -> String {
    let at_once = if plan.plan.cap < i64::from(plan.scene.pool) {
        format!("; at most {} on one check", plan.plan.cap)
    } else {
        String::new()
    };
    format!("an outcome is worth {}{at_once}", plan.utility())
}

fn parts(plan: &PlanAnswer, form: Form) -> Vec<PlanTable> {
    let mut parts = vec![ways(plan), prices(plan), Sheet::of(plan).part(plan, form)];
    parts.retain(|part| !part.table.is_empty());
    parts
}

/// What comes of the scene in each way to play it.
fn ways(plan: &PlanAnswer) -> PlanTable {
    let best = plan.plan.ways.last().and_then(|way| way.result.as_ref());
    let best = best.map_or(RBig::ZERO, |tally| tally.value.clone());
    let bands = plan.spending.check.band();
    let bands = bands.map_or(&[][..], |(_, bands)| bands.labels());
    let bands = bands.iter().map(String::as_str);
    let head = ["", "worth", "behind", "spent"].into_iter().chain(bands);
    let row = |(at, way): (usize, &Played)| {
        let mut cells = vec![plan.manner(way.manner)];
        match &way.result {
            None => cells.push("may need more than there is".to_owned()),
            Some(tally) => {
                cells.extend([words::value(&tally.value), behind(way, tally, &best)]);
                cells.push(words::value(&tally.spent));
                cells.extend(tally.bands.iter().map(words::value));
            }
        }
        let is_last = at + 1 == plan.plan.ways.len();
        let role = if is_last { Role::Strong } else { Role::Plain };
        cells.into_iter().map(move |cell| Span::new(cell, role))
    };
    PlanTable {
        title: "the scene, on average".to_owned(),
        table: Table::new(Column::of_numbers(head))
            .with_rows(plan.plan.ways.iter().enumerate().map(row)),
        note: note(&plan.plan.ways).into(),
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
fn prices(plan: &PlanAnswer) -> PlanTable {
    let points = plan.scene.pool as usize;
    let columns = (points + 1).min(MOST_COLUMNS);
    let shown: Vec<usize> = match columns {
        1 => vec![0],
        _ => (0..columns).map(|at| at * points / (columns - 1)).collect(),
    };
    let columns = shown
        .iter()
        .map(|points| Column::right(format!("with {points}")));
    let columns = std::iter::once(Column::right("checks left")).chain(columns);
    let row = |turn: &Turn| {
        let mut cells = vec![turn.left.to_string()];
        cells.extend(shown.iter().map(|&left| {
            let state = turn.states[left].as_ref();
            let more = state.and_then(|state| state.more.as_ref());
            more.map_or("-".to_owned(), words::value)
        }));
        cells
    };
    PlanTable {
        title: format!("what one more point of {} is worth", plan.resource_title),
        table: Table::new(columns).with_rows(plan.plan.turns.iter().map(row)),
        note: Text::default(),
    }
}
