//! Groups of queries that are played together: one roll of the script answers all of them.
//!
//! By itself a group is played with those outcomes alone that it reads, which is the least that its script can be. But a
//! script whose rolls all outcomes need is played over and over so. Groups that nothing better is found for are joined if
//! that is predicted to cost less: outcomes that have little in common would have to be told apart together, and that
//! costs more.

use crate::Error;
use crate::moments::Group;
use crate::sweep::query_group::QueryGroup;
use crate::sweep::space::Space;

/// Joins what is cheaper together, and plays beforehand what rows share.
///
/// # Errors
/// If a part is predicted to be over the budget.
pub(super) fn fill(space: &Space<'_>, parts: Vec<QueryGroup>) -> Result<Vec<QueryGroup>, Error> {
    let mut planned = Vec::new();
    let mut run: Vec<QueryGroup> = Vec::new();
    // Only neighbours are joined, so that of several errors of a row the same one is told as without.
    for part in parts {
        if part.is_shared() {
            planned.extend(plan(space, std::mem::take(&mut run))?);
            planned.push((part, 0));
        } else {
            run.push(part);
        }
    }
    planned.extend(plan(space, run)?);
    for (_, predicted) in &mut planned {
        // Joined or not: that is told by all rows, so that each part of a sweep has the answers of the whole.
        *predicted = space.share(*predicted);
        space.budget.announce(*predicted);
    }
    let fill = |(mut part, predicted): (QueryGroup, u128)| {
        if !part.is_shared() {
            part.fill(space, predicted)?;
        }
        Ok(part)
    };
    planned.into_iter().map(fill).collect()
}

/// Parts that are all played from the beginning, joined or not, with what each is predicted to cost.
fn plan(space: &Space<'_>, run: Vec<QueryGroup>) -> Result<Vec<(QueryGroup, u128)>, Error> {
    let mut apart = Vec::new();
    for mut part in run {
        let predicted = part.predict(space)?;
        apart.push((part, predicted));
    }
    // To learn what they cost everything has been played.
    if apart.iter().all(|(part, _)| part.is_all_tried(space)) {
        return Ok(apart);
    }
    let total = apart
        .iter()
        .fold(0_u128, |sum, (_, own)| sum.saturating_add(*own));
    if let Some((mut joint, predicted)) = together(space, &apart)
        && predicted < total
    {
        joint.apart = apart.into_iter().map(|(part, _)| part).collect();
        return Ok(vec![(joint, predicted)]);
    }
    Ok(apart)
}

/// All of them as one, and what that is predicted to cost; none if it can't be done.
fn together(space: &Space<'_>, parts: &[(QueryGroup, u128)]) -> Option<(QueryGroup, u128)> {
    if parts.len() < 2 {
        return None;
    }
    let groups = || parts.iter().map(|(part, _)| &part.group);
    let after = parts[0].0.group.after;
    if groups().any(|group| group.after != after) {
        return None;
    }
    let mut outcomes: Vec<_> = groups().flat_map(|group| group.outcomes.clone()).collect();
    outcomes.sort_unstable();
    outcomes.dedup();
    let queries = groups().flat_map(|group| group.queries.clone()).collect();
    let mut joint = QueryGroup::played(
        space,
        &Group {
            outcomes,
            queries,
            after,
        },
    );
    joint.find_starts(space);
    let predicted = joint.predict(space).ok()?;
    joint.went_well().then_some((joint, predicted))
}
