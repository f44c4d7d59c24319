//! A plan for spending points over the rounds of a track: how other ways compare with it, and tables to play by.

mod sheet;

use oddsmith::TrackPlan;
use oddsmith::plan::{Manner, TrackTally, TrackWay};
use oddsmith::questions::round_name;
use oddsmith_exact::RBig;

use crate::document::{Block, Column, Document, Medium, Role, Span, Table};
use crate::format::outcomes::Shown as _;
use crate::format::plan;
use crate::format::policy::number_or_chance;
use crate::format::policy_view;
use crate::format::view;
use crate::format::words::{self, Form};

/// The ways to play, the worth of one more point, and what is best in every round.
pub(crate) fn document(plan: &TrackPlan, form: Form) -> Document {
    let (points, settings) = (points(plan), plan.own_track().tell(&plan.config));
    let mut document = Document::default();
    document.push_on(Medium::Terminal, view::opening(&headline(plan), &settings));
    document.add(Block::paragraph(format!("{points}, {settings}")).only(Medium::Page));
    let goal = policy_view::goal(plan.own_track(), plan.goal(), plan.is_chance());
    document.add(Block::paragraph(goal));
    document.add(Block::table(ways(plan, form)));
    document.add(Block::note(note(plan)));
    for resource in 0..plan.resources.len() {
        let (title, table) = prices(plan, resource, form);
        document.push(Block::titled(title, table));
    }
    for decision in &plan.decisions {
        document.push(sheet::sheet(plan, decision, form));
    }
    document
}

/// `Stars & Signs · timed: 4 points of effort`
pub(crate) fn headline(plan: &TrackPlan) -> String {
    format!("{}: {}", plan.title, points(plan))
}

/// `4 points of effort and 3 of hope`
fn points(plan: &TrackPlan) -> String {
    plan::points(&plan.pool, &plan.resources)
}

fn ways(plan: &TrackPlan, form: Form) -> Table {
    let best = plan.ways.last().and_then(|way| way.result.as_ref());
    let best = best.map_or(RBig::ZERO, TrackTally::value);
    // Of two bands the last one is what is maximised, where nothing else is said.
    let is_goal = |name: &str| plan.is_chance() && name == plan.goal();
    let bands = plan.own_track().band().into_iter();
    let bands: Vec<&str> = bands
        .flat_map(|(_, bands)| bands.labels())
        .map(String::as_str)
        .collect();
    let bands = match bands.iter().any(|band| is_goal(band)) {
        true => &bands[..0],
        false => &bands[..],
    };
    let value = match bands.is_empty() && plan.is_chance() {
        true => plan.goal(),
        false => "worth",
    };
    let rounds = round_name(plan.own_track()).many;
    let spent = { plan.resources.iter() }.map(|resource| match plan.resources.len() {
        1 => "spent",
        _ => resource.title.as_str(),
    });
    let head = ["", value, "behind"].into_iter().chain(spent);
    let head = head.chain([rounds.as_str()]).chain(bands.iter().copied());
    let row = |(at, way): (usize, &TrackWay)| {
        let mut cells = vec![plan.manner(way.manner)];
        match &way.result {
            None => cells.push("may need more than there is".to_owned()),
            Some(tally) => {
                cells.push(tally.lines[0].shown(form));
                cells.push(behind(plan, way, &(&best - tally.value()), form));
                match &tally.means {
                    None => cells.extend(vec!["-".to_owned(); plan.resources.len() + 1]),
                    Some(means) => {
                        cells.extend(means.spent.iter().chain([&means.rounds]).map(words::value));
                    }
                }
                let lines = tally.lines[1..].iter().take(bands.len());
                cells.extend(lines.map(|line| line.shown(form)));
            }
        }
        let is_last = at + 1 == plan.ways.len();
        let role = if is_last { Role::Strong } else { Role::Plain };
        cells.into_iter().map(move |cell| Span::new(cell, role))
    };
    Table::new(Column::of_numbers(head)).with_rows(plan.ways.iter().enumerate().map(row))
}

fn behind(plan: &TrackPlan, way: &TrackWay, behind: &RBig, form: Form) -> String {
    match (way.manner, *behind == RBig::ZERO) {
        (Manner::Best, _) => "best".to_owned(),
        (_, true) => "as good".to_owned(),
        _ => number_or_chance(behind, plan.is_chance(), form.of_differences()),
    }
}

/// What the names of ways say that are no policies of the rules, and when points are set that are set before the roll.
fn note(plan: &TrackPlan) -> String {
    let mut parts = vec!["never: with no points at all".to_owned()];
    let set = (0..plan.resources.len()).filter(|at| plan.is_before(*at));
    let set: Vec<String> = set.map(|at| plan.resources[at].title.clone()).collect();
    if !set.is_empty() {
        let one = round_name(plan.own_track()).one;
        parts.push(format!(
            "{} set at the beginning of each {one}",
            words::list(&set)
        ));
    }
    parts.join(" · ")
}

/// What one more point of a resource is worth at the beginning, by how many there are.
fn prices(plan: &TrackPlan, resource: usize, form: Form) -> (String, Table) {
    let worth = &plan.one_more[resource];
    let shown = plan::shown_points(plan.pool[resource]);
    let columns = shown
        .iter()
        .map(|points| Column::right(format!("with {points}")));
    let cells = shown.iter().map(|points| {
        let worth = worth[*points as usize].as_ref();
        let shown = |worth| number_or_chance(worth, plan.is_chance(), form.of_differences());
        worth.map_or("-".to_owned(), shown)
    });
    let title = format!(
        "what one more point of {} is worth at the beginning{}",
        plan.resources[resource].title,
        plan::with_others((&plan.pool, &plan.resources), resource)
    );
    (
        title,
        Table::new(columns).with_rows([cells.collect::<Vec<_>>()]),
    )
}
