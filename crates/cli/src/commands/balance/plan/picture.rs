//! A plan as a picture: what one more point is worth, by the points and the checks that are left.

use oddsmith_analysis::plan::Turn;
use oddsmith_exact::RBig;
use oddsmith_report::{Axis, Figure, Grid, Lines, Plot, Unit, Values};

use crate::format::{plan, track_plan_view};
use oddsmith::{PlanAnswer, TrackPlan};

/// Lines of a picture at the most: that many turns, the first and the last among them.
const MOST_LINES: usize = 6;

/// The worth of one more point by the points that are left: of one resource a line for each number of checks, of several one for
/// each of them at the beginning, with all points of the others.
pub(super) fn figure(plan: &PlanAnswer) -> Figure {
    let titles: Vec<String> = plan.resources.iter().map(|own| own.title.clone()).collect();
    let most = plan.scene.pool.iter().copied().max().unwrap_or_default();
    let number = |turn: &Turn, resource: usize, points: u32| {
        let state = plan::with_all_but(plan, turn, (resource, i64::from(points)))?;
        state.more[resource].clone()
    };
    let curve = |turn: &Turn, resource: usize| -> Vec<_> {
        (0..=most)
            .map(|points| number(turn, resource, points))
            .collect()
    };
    let (name, by, series, curves): (_, _, Vec<String>, Vec<Vec<_>>) = match titles.as_slice() {
        [title] => {
            let turns = shown(&plan.plan.turns);
            let names = turns.iter().map(|turn| turn.left.to_string()).collect();
            let curves = turns.iter().map(|turn| curve(turn, 0)).collect();
            (format!("{title} left"), "checks left", names, curves)
        }
        several => {
            let curves = (0..several.len()).map(|own| curve(&plan.plan.turns[0], own));
            (
                "points left".to_owned(),
                "",
                several.to_vec(),
                curves.collect(),
            )
        }
    };
    Figure {
        title: title(&titles),
        subtitle: format!("{}; {}", plan::headline(plan), plan::settings(plan)),
        plot: Plot::Lines(Lines {
            x: points_up_to(name, most),
            unit: Unit::Number,
            y: String::new(),
            by: by.to_owned(),
            series,
            values: Grid::of(curves),
        }),
    }
}

/// The worth of one more point at the beginning of a track by the points that there are: of each resource a line, with all points
/// of the others.
pub(super) fn of_track(plan: &TrackPlan) -> Figure {
    let titles: Vec<String> = plan.resources.iter().map(|own| own.title.clone()).collect();
    let most = plan.pool.iter().copied().max().unwrap_or_default();
    let curve = |worth: &Vec<Option<RBig>>| {
        let points = 0..=most as usize;
        points
            .map(|points| worth.get(points).cloned().flatten())
            .collect()
    };
    let name = match titles.as_slice() {
        [title] => format!("{title} at the beginning"),
        _ => "points at the beginning".to_owned(),
    };
    let settings = plan.own_track().tell(&plan.config);
    let what = if plan.is_chance() { "chance" } else { "mean" };
    Figure {
        title: title(&titles),
        subtitle: format!("{}; {settings}", track_plan_view::headline(plan)),
        plot: Plot::Lines(Lines {
            x: points_up_to(name, most),
            unit: if plan.is_chance() {
                Unit::Points
            } else {
                Unit::Number
            },
            y: format!("{what} of {}", plan.goal()),
            by: String::new(),
            series: titles,
            values: Grid::of(plan.one_more.iter().map(curve).collect()),
        }),
    }
}

fn title(resources: &[String]) -> String {
    format!("What one more point of {} is worth", resources.join(" or "))
}

fn points_up_to(name: String, most: u32) -> Axis {
    Axis {
        name,
        values: Values::Numbers((0..=i64::from(most)).collect()),
    }
}

/// All turns, the last one first; of many only some.
fn shown(turns: &[Turn]) -> Vec<&Turn> {
    let count = turns.len();
    let lines = count.min(MOST_LINES);
    let place = |line: usize| match lines {
        1 => 0,
        lines => line * (count - 1) / (lines - 1),
    };
    let mut places: Vec<usize> = (0..lines).map(place).collect();
    places.reverse();
    places.into_iter().map(|at| &turns[at]).collect()
}
