//! Readings of ambiguous rules that change odds by much.

use oddsmith_dist::RBig;
use oddsmith_rules::LintRule;

use crate::lint::cases::Cases;
use crate::lint::finding::{Evidence, Facts, Finding, Severity};
use crate::lint::grid::{Grid, size};
use crate::lint::measure::MeasureKind;

/// Whether some other value of a reading changes a probability by more than `most`, or a mean by more than that share of
/// it, in some configuration.
pub(crate) fn find(grid: &Grid<'_>, most: &RBig) -> Option<Finding> {
    let lever = grid.lever();
    let input = &grid.check.inputs[lever.input.0];
    let default = lever.values.iter().position(|v| *v == input.default)?;
    // Probabilities before means, whose shares are of another kind.
    let mut worst = [Cases::default(), Cases::default()];
    let mut seen = 0;
    for line in grid.lines() {
        for (at, measure) in grid.measures.iter().enumerate() {
            if measure.kind == MeasureKind::Variance {
                continue;
            }
            let numbers = line.numbers(at);
            let Some(own) = numbers.iter().find(|(place, _)| *place == default) else {
                continue;
            };
            for other in numbers.iter().filter(|(place, _)| *place != default) {
                seen += 1;
                let by = change(own.1, other.1, measure.is_probability());
                if by.as_ref().is_some_and(|by| by > most) {
                    let worst = &mut worst[usize::from(!measure.is_probability())];
                    worst.take(by.unwrap_or_default(), &line, || Evidence {
                        configuration: line.name(),
                        measure: measure.clone(),
                        stands: line.stands(&[*own, *other]),
                    });
                }
            }
        }
    }
    let count = worst.iter().map(Cases::count).sum();
    if count == 0 {
        return None;
    }
    let facts = Facts::Reading {
        default: input.domain.show(input.default),
    };
    let mut finding = Finding::of(LintRule::Reading, Severity::Note, grid, "", facts);
    finding.seen = [count, seen];
    let kept = worst.into_iter().flat_map(Cases::kept);
    finding.evidence = kept.take(5).collect();
    Some(finding)
}

/// By how much a number differs: in points of a probability; a mean as a share of what it was, none if that is 0.
fn change(from: &RBig, to: &RBig, is_probability: bool) -> Option<RBig> {
    let by = size(&(to - from));
    match is_probability {
        true => Some(by),
        false => (*from != RBig::ZERO).then(|| by / size(from)),
    }
}
