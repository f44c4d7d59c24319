//! A plan for spending points over a scene: its scene in words, and its states as CSV.

use anyhow::Result;
use oddsmith::{PlanAnswer, told_apart};
use oddsmith_exact::RBig;

use crate::format::policy;

/// The game, the check and the scene.
pub(crate) fn headline(plan: &PlanAnswer) -> String {
    format!("{}: {}", plan.title, scene(plan))
}

/// `5 checks, 6 points of effort`
pub(crate) fn scene(plan: &PlanAnswer) -> String {
    let (checks, pool) = (plan.scene.checks.len(), plan.scene.pool);
    let noun = if checks == 1 { "check" } else { "checks" };
    let points = if pool == 1 { "point" } else { "points" };
    format!(
        "{checks} {noun}, {pool} {points} of {}",
        plan.resource_title
    )
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
/// `chosen,comes_up,worth,lead`: a row for every state of every choice; fractions are exact.
pub(crate) fn csv(plan: &PlanAnswer) -> Result<Vec<u8>> {
    let names = policy::seen_names(plan.states().flat_map(|(_, _, state)| &state.decisions));
    let mut writer = csv::Writer::from_writer(Vec::new());
    let head = [
        "checks_left",
        "points_left",
        "probability",
        "value",
        "one_more",
        "points_set",
        "way",
        "choice",
        "round",
    ];
    let last = ["chosen", "comes_up", "worth", "lead"];
    let seen = names.iter().map(|name| (*name).to_owned());
    let seen = told_apart(&[&head[..], &last].concat(), seen);
    let seen = seen.iter().map(String::as_str);
    writer.write_record(head.into_iter().chain(seen).chain(last))?;
    for (turn, left, state) in plan.states() {
        let first = [
            turn.left.to_string(),
            left.to_string(),
            state.probability.to_string(),
            state.value.to_string(),
            exact(state.more.as_ref()),
            state.points.to_string(),
            plan.label(state).unwrap_or_default().to_owned(),
        ];
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
