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
    let caps = { plan.plan.allowances.iter() }
        .zip(&plan.scene.pool)
        .zip(&plan.resources)
        .filter(|((allowance, pool), _)| allowance.cap < i64::from(**pool))
        .map(|((allowance, _), resource)| match plan.resources.len() {
            1 => allowance.cap.to_string(),
            _ => format!("{} of {}", allowance.cap, resource.title),
        });
    let caps: Vec<String> = caps.collect();
    let at_once = match caps.is_empty() {
        true => String::new(),
        false => format!("; at most {} on one check", words::list(&caps)),
    };
    format!("an outcome is worth {}{at_once}", plan.utility())
}

fn parts(plan: &PlanAnswer, form: Form) -> Vec<PlanTable> {
    let prices = (0..plan.resources.len()).map(|resource| prices(plan, resource));
    let mut parts: Vec<PlanTable> = std::iter::once(ways(plan)).chain(prices).collect();
    parts.push(Sheet::of(plan).part(plan, form));
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
    let spent = plan
        .resources
        .iter()
        .map(|resource| match plan.resources.len() {
            1 => "spent",
            _ => resource.title.as_str(),
        });
    let head = ["", "worth", "behind"]
        .into_iter()
        .chain(spent)
        .chain(bands);
    let row = |(at, way): (usize, &Played)| {
        let mut cells = vec![plan.manner(way.manner)];
        match &way.result {
            None => cells.push("may need more than there is".to_owned()),
            Some(tally) => {
                cells.extend([words::value(&tally.value), behind(way, tally, &best)]);
                cells.extend(tally.spent.iter().map(words::value));
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
        note: note(plan).into(),
    }
}

/// What the names of ways say that are no policies of the rules, and columns that are the points that are spent.
fn note(plan: &PlanAnswer) -> String {
    let mut parts = Vec::new();
    for way in &plan.plan.ways {
        parts.push(match way.manner {
            Manner::Never => "never: with no points at all".to_owned(),
            Manner::Always(_) => {
                let name = plan.manner(way.manner);
                format!("{name}: as many as may be, as long as they last")
            }
            Manner::Greedy => "each by itself: as if every check were the last".to_owned(),
            Manner::Without(_) | Manner::Named(..) | Manner::Best => continue,
        });
    }
    let titles: Vec<String> = plan.resources.iter().map(|own| own.title.clone()).collect();
    if titles.len() > 1 {
        parts.push(format!(
            "{}: the points that are spent",
            words::list(&titles)
        ));
    }
    parts.join(" · ")
}

fn behind(way: &Played, tally: &Tally, best: &RBig) -> String {
    match (way.manner, best - &tally.value) {
        (Manner::Best, _) => "best".to_owned(),
        (_, behind) if behind == RBig::ZERO => "as good".to_owned(),
        (_, behind) => words::value(&behind),
    }
}

/// What one more point of a resource is worth, by the checks and the points of it that are left, with all of the others.
fn prices(plan: &PlanAnswer, resource: usize) -> PlanTable {
    let shown = plan::shown_points(plan.scene.pool[resource]);
    let columns = shown
        .iter()
        .map(|points| Column::right(format!("with {points}")));
    let columns = std::iter::once(Column::right("checks left")).chain(columns);
    let row = |turn: &Turn| {
        let mut cells = vec![turn.left.to_string()];
        cells.extend(shown.iter().map(|&left| {
            let state = plan::with_all_but(plan, turn, (resource, i64::from(left)));
            let more = state.and_then(|state| state.more[resource].as_ref());
            more.map_or("-".to_owned(), words::value)
        }));
        cells
    };
    let title = &plan.resources[resource].title;
    PlanTable {
        title: format!(
            "what one more point of {title} is worth{}",
            plan::with_others((&plan.scene.pool, &plan.resources), resource)
        ),
        table: Table::new(columns).with_rows(plan.plan.turns.iter().map(row)),
        note: Text::default(),
    }
}
