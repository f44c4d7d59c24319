//! A plan as a picture: what one more point is worth, by the points and the checks that are left.

use oddsmith_analysis::plan::{State, Turn};
use oddsmith_report::{Axis, Figure, Grid, Lines, Plot, Unit, Values};

use crate::format::plan;
use oddsmith::PlanAnswer;

/// Lines of a picture at the most: that many turns, the first and the last among them.
const MOST_LINES: usize = 6;

/// The worth of one more point, a line for each number of checks.
pub(super) fn figure(plan: &PlanAnswer) -> Figure {
    let turns = shown(&plan.plan.turns);
    let points = 0..=i64::from(plan.scene.pool);
    let number = |state: &Option<State>| state.as_ref()?.more.clone();
    let curve = |turn: &&Turn| turn.states.iter().map(number).collect();
    Figure {
        title: format!("What one more point of {} is worth", plan.resource_title),
        subtitle: format!("{}; {}", plan::headline(plan), plan::settings(plan)),
        plot: Plot::Lines(Lines {
            x: Axis {
                name: format!("{} left", plan.resource_title),
                values: Values::Numbers(points.collect()),
            },
            unit: Unit::Number,
            y: String::new(),
            by: "checks left".to_owned(),
            series: turns.iter().map(|turn| turn.left.to_string()).collect(),
            values: Grid::of(turns.iter().map(curve).collect()),
        }),
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
