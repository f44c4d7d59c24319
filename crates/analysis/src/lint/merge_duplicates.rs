//! Findings of levers that do the same, merged into one.

use std::collections::BTreeSet;

use oddsmith_dist::RBig;
use oddsmith_rules::LintRule;

use crate::lint::finding::Finding;
use crate::lint::grid::Grid;

/// The findings of all levers of a check, grid by grid. A finding about an outcome is left out if an earlier lever takes
/// the same steps between the same numbers and has the same finding: five ways to one more die are one cause.
pub(crate) fn of_levers(grids: &[Grid<'_>], of_levers: Vec<Vec<Finding>>) -> Vec<Finding> {
    let mut kept: Vec<(usize, Finding)> = Vec::new();
    for (at, findings) in of_levers.into_iter().enumerate() {
        for finding in findings {
            let cause = kept.iter_mut().find(|(earlier, known)| {
                is_same_rule(known, &finding)
                    && *earlier != at
                    && does_the_same(&grids[*earlier], &grids[at], &finding)
            });
            match cause {
                Some((_, known)) => known.alike.extend(finding.levers),
                None => kept.push((at, finding)),
            }
        }
    }
    kept.into_iter().map(|(_, finding)| finding).collect()
}

/// Findings about two levers, without those whose evidence is the same as that of an earlier one about the same outcome:
/// three ways to one more die are one cause.
pub(crate) fn of_pairs(findings: Vec<Finding>) -> Vec<Finding> {
    let values = |finding: &Finding| {
        let stands = finding.evidence.iter().flat_map(|case| &case.stands);
        stands.map(|stand| stand.value.clone()).collect::<Vec<_>>()
    };
    let mut kept: Vec<Finding> = Vec::new();
    for finding in findings {
        let mut known = kept.iter_mut();
        let known = known.find(|known| {
            known.facts == finding.facts
                && outcome(known) == outcome(&finding)
                && values(known) == values(&finding)
        });
        match known {
            Some(known) => known.alike.extend(finding.levers.into_iter().next()),
            None => kept.push(finding),
        }
    }
    kept
}

/// The part behind the lever in an id.
fn outcome(finding: &Finding) -> Option<&str> {
    finding.id.splitn(4, '/').nth(3)
}

/// Whether two findings are about the steps towards one outcome.
fn is_same_rule(known: &Finding, finding: &Finding) -> bool {
    let is_about_steps = |rule| {
        matches!(
            rule,
            LintRule::NonMonotone | LintRule::Sign | LintRule::Cliff
        )
    };
    // A lever that rises here and falls there may do what another one does along a single line.
    let is_turn = |rule| matches!(rule, LintRule::NonMonotone | LintRule::Sign);
    is_about_steps(finding.rule)
        && (known.rule == finding.rule || is_turn(known.rule) && is_turn(finding.rule))
        && outcome(known) == outcome(finding)
}

/// Whether all steps on the lines of a finding's evidence are steps of another lever.
fn does_the_same(other: &Grid<'_>, own: &Grid<'_>, finding: &Finding) -> bool {
    let is_told = |name: &str| {
        finding
            .evidence
            .iter()
            .any(|case| case.configuration == name)
    };
    let measures = (0..own.measures.len()).filter(|&at| {
        let measure = &own.measures[at];
        finding.evidence.iter().any(|case| case.measure == *measure)
    });
    let measures: Vec<usize> = measures.collect();
    let values: BTreeSet<(RBig, RBig)> = measures
        .iter()
        .flat_map(|&at| steps(other, at, |_| true))
        .collect();
    let mut needed = measures.iter().flat_map(|&at| steps(own, at, is_told));
    needed.all(|step| values.contains(&step))
}

/// The numbers of a measure at both ends of every step, on some lines, the lower one first: a lever may be another one
/// turned round.
fn steps(grid: &Grid<'_>, measure: usize, is_wanted: impl Fn(&str) -> bool) -> Vec<(RBig, RBig)> {
    let lines = grid.lines().filter(|line| is_wanted(&line.name()));
    let steps = lines.flat_map(|line| {
        let numbers = line.numbers(measure);
        let steps: Vec<(RBig, RBig)> = numbers
            .windows(2)
            .map(|pair| {
                (
                    pair[0].1.min(pair[1].1).clone(),
                    pair[0].1.max(pair[1].1).clone(),
                )
            })
            .filter(|(low, high)| low != high)
            .collect();
        steps
    });
    steps.collect()
}
