//! A plan for spending points over a scene: its scene in words, and its states as CSV.

use anyhow::Result;
use oddsmith::plan::PlannedResource;
use oddsmith::{PlanAnswer, told_apart};
use oddsmith_analysis::plan::{State, Turn};
use oddsmith_exact::RBig;

use crate::format::{policy, words};

/// Columns of points at the most; of more points only some are shown.
const MOST_COLUMNS: u32 = 13;

/// The game, the check and the scene.
pub(crate) fn headline(plan: &PlanAnswer) -> String {
    format!("{}: {}", plan.title, scene(plan))
}

/// `5 checks, 6 points of effort and 3 of hope`
pub(crate) fn scene(plan: &PlanAnswer) -> String {
    let checks = plan.scene.checks.len();
    let noun = if checks == 1 { "check" } else { "checks" };
    let points = points(&plan.scene.pool, &plan.resources);
    format!("{checks} {noun}, {points}")
}

/// `6 points of effort and 3 of hope`
pub(crate) fn points(pool: &[u32], resources: &[PlannedResource]) -> String {
    let pools = pool.iter().zip(resources).enumerate();
    let pools = pools.map(|(at, (pool, resource))| match (at, pool) {
        (0, 1) => format!("1 point of {}", resource.title),
        (0, _) => format!("{pool} points of {}", resource.title),
        _ => format!("{pool} of {}", resource.title),
    });
    words::list(&pools.collect::<Vec<_>>())
}

/// Numbers of points from none to all, of which a table has a column each: of many only some.
pub(crate) fn shown_points(pool: u32) -> Vec<u32> {
    let columns = (pool + 1).min(MOST_COLUMNS);
    match columns {
        1 => vec![0],
        _ => (0..columns).map(|at| at * pool / (columns - 1)).collect(),
    }
}

/// `, with 3 of hope`: the points of all resources but one.
pub(crate) fn with_others((pool, resources): (&[u32], &[PlannedResource]), but: usize) -> String {
    let others = pool.iter().zip(resources).enumerate();
    let others = others.filter(|(at, _)| *at != but);
    let others = others.map(|(_, (pool, resource))| format!("{pool} of {}", resource.title));
    match others.collect::<Vec<_>>() {
        none if none.is_empty() => String::new(),
        others => format!(", with {}", words::list(&others)),
    }
}

/// What is best in a turn with so many points of a resource, and all points of the others.
pub(crate) fn with_all_but<'p>(
    plan: &PlanAnswer,
    turn: &'p Turn,
    (resource, points): (usize, i64),
) -> Option<&'p State> {
    let mut left: Vec<i64> = { plan.scene.pool.iter() }
        .map(|pool| i64::from(*pool))
        .collect();
    left[resource] = points;
    plan.scene.state(turn, &left)
}

/// What is set for each check in turn, in words.
pub(crate) fn settings(plan: &PlanAnswer) -> String {
    let check = &plan.spending.check;
    let each: Vec<String> = plan.settings.iter().map(|c| check.tell(c)).collect();
    match each.as_slice() {
        [only] => only.clone(),
        _ => format!("in turn: {}", each.join("; ")),
    }
}

/// `checks_left,points_left,probability,value,one_more,points_set,way,choice,round`, what is seen,
/// `chosen,comes_up,worth,lead`: a row for every state of every choice; fractions are exact. Of several resources each has its own
/// `points_left`, `one_more`, `points_set` and `way`, which begin with its name.
pub(crate) fn csv(plan: &PlanAnswer) -> Result<Vec<u8>> {
    let names = policy::seen_names(plan.states().flat_map(|(_, state)| &state.decisions));
    let mut writer = csv::Writer::from_writer(Vec::new());
    let of_each = |column: &str| {
        let own = plan
            .resources
            .iter()
            .map(|resource| match plan.resources.len() {
                1 => column.to_owned(),
                _ => format!("{} {column}", resource.name),
            });
        own.collect::<Vec<_>>()
    };
    let of_all = |column: &str| vec![column.to_owned()];
    let head = [
        of_all("checks_left"),
        of_each("points_left"),
        of_all("probability"),
        of_all("value"),
        of_each("one_more"),
        of_each("points_set"),
        of_each("way"),
        of_all("choice"),
        of_all("round"),
    ]
    .concat();
    let last = ["chosen", "comes_up", "worth", "lead"];
    let taken: Vec<&str> = head.iter().map(String::as_str).chain(last).collect();
    let seen = told_apart(&taken, names.iter().map(|name| (*name).to_owned()));
    let last = last.iter().map(|name| (*name).to_owned());
    writer.write_record(head.iter().cloned().chain(seen).chain(last))?;
    for (turn, state) in plan.states() {
        let resources = 0..plan.resources.len();
        let mut first = vec![turn.left.to_string()];
        first.extend(state.left.iter().map(i64::to_string));
        first.extend([state.probability.to_string(), state.value.to_string()]);
        first.extend(state.more.iter().map(|more| exact(more.as_ref())));
        first.extend(state.points.iter().map(i64::to_string));
        first.extend(resources.map(|at| plan.label(at, state).unwrap_or_default().to_owned()));
        if state.decisions.is_empty() {
            let rest = std::iter::repeat_n(String::new(), names.len() + 6);
            writer.write_record(first.iter().cloned().chain(rest))?;
        }
        for decision in &state.decisions {
            for row in &decision.rows {
                let rest = policy::record(decision, row, &names, RBig::to_string);
                writer.write_record(first.iter().cloned().chain(rest))?;
            }
        }
    }
    Ok(writer.into_inner()?)
}

fn exact(ratio: Option<&RBig>) -> String {
    ratio.map(ToString::to_string).unwrap_or_default()
}
