//! Axes that go another way than their names have it, by what the same words mean elsewhere in the ruleset.

use std::cmp::Ordering;

use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, Domain, LintRule, Role};

use crate::lint::direction;
use crate::lint::finding::{Evidence, Facts, Finding, Severity};
use crate::lint::grid::Grid;

/// An axis that moves the bands of a check one way only.
pub(crate) struct Slope<'a> {
    check: &'a Check,
    axis: InputId,
    /// Whether odds rise along it (greater) or fall (less).
    way: Ordering,
    /// Whether it is told here what the axis does, and not in an earlier check.
    is_told: bool,
    evidence: Evidence,
}

impl<'a> Slope<'a> {
    /// The slope of the axis of a grid; none if it is no number, or goes both ways, or none.
    pub(crate) fn of(check: &'a Check, grid: &Grid<'_>, is_told: bool) -> Option<Self> {
        let axis = grid.lever().input;
        let input = &check.inputs[axis.0];
        if input.role != Role::Axis || !matches!(input.domain, Domain::Range(..)) {
            return None;
        }
        let (way, evidence) = direction::way(grid, "band")?;
        Some(Self {
            check,
            axis,
            way,
            is_told,
            evidence,
        })
    }

    fn name(&self) -> &'a str {
        &self.check.inputs[self.axis.0].name
    }

    /// The words of its name: what it counts, and before that of what: `boons`, and `circ`.
    fn words(&self) -> (&'a str, &'a str) {
        let (stem, last) = self.name().rsplit_once('_').unwrap_or(("", self.name()));
        (last, stem)
    }
}

/// The findings about names of axes that promise what they do not keep.
pub(crate) fn find(slopes: &[Slope<'_>]) -> Vec<Finding> {
    [turned(slopes), allied(slopes)].concat()
}

/// Axes whose last word goes another way than in the first check where it is used. Where a check has the word going both
/// ways, the rest of the name tells whose it is, as of two sides: there is nothing to say.
fn turned(slopes: &[Slope<'_>]) -> Vec<Finding> {
    let way_in = |word: &str, check: &str| {
        let own = slopes.iter();
        let own = own.filter(|slope| slope.words().0 == word && slope.check.name == check);
        let mut ways = own.map(|slope| slope.way);
        let first = ways.next()?;
        ways.all(|way| way == first).then_some(first)
    };
    let told = slopes.iter().filter(|slope| slope.is_told);
    let findings = told.filter_map(|slope| {
        let word = slope.words().0;
        let first = slopes.iter().find(|other| other.words().0 == word)?;
        let meant = way_in(word, &first.check.name)?;
        let is_turned = way_in(word, &slope.check.name)? != meant;
        let facts = Facts::Turned {
            word: word.to_owned(),
            rises: slope.way == Ordering::Greater,
            first: place_of(first),
        };
        is_turned.then(|| finding(slope, &[slope.axis], facts, &[first]))
    });
    findings.collect()
}

/// Two axes of a check whose names differ in the last word and which both raise odds, or both lower them, although these
/// two words are opposed elsewhere.
fn allied(slopes: &[Slope<'_>]) -> Vec<Finding> {
    let mut pairs: Vec<[&Slope<'_>; 2]> = Vec::new();
    for (at, one) in slopes.iter().enumerate() {
        let others = slopes[at + 1..].iter();
        let twins = others.filter(|two| {
            two.check.name == one.check.name
                && two.words().1 == one.words().1
                && (one.is_told || two.is_told)
        });
        pairs.extend(twins.map(|two| [one, two]));
    }
    let (allied, opposed): (Vec<_>, Vec<_>) =
        pairs.into_iter().partition(|[one, two]| one.way == two.way);
    let findings = allied.iter().filter_map(|pair| {
        let model = opposed
            .iter()
            .find(|other| last_words(other) == last_words(pair))?;
        let facts = Facts::Allied {
            rises: pair[0].way == Ordering::Greater,
            opposed: model.map(place_of),
        };
        let axes = pair.map(|slope| slope.axis);
        Some(finding(pair[0], &axes, facts, &[pair[1]]))
    });
    findings.collect()
}

/// The last words of two names, in alphabetical order.
fn last_words<'a>(pair: &[&Slope<'a>; 2]) -> [&'a str; 2] {
    let mut words = pair.map(|slope| slope.words().0);
    words.sort_unstable();
    words
}

/// `circ_boons` of `check`.
fn place_of(slope: &Slope<'_>) -> [String; 2] {
    [slope.name().to_owned(), slope.check.name.clone()]
}

fn finding(slope: &Slope<'_>, axes: &[InputId], facts: Facts, others: &[&Slope<'_>]) -> Finding {
    let mut finding = Finding::about(LintRule::Sign, Severity::Note, slope.check, axes, facts);
    finding.id += "/band";
    let all = [&[slope], others].concat();
    finding.seen = [1, all.len() as u64];
    finding.evidence = all.iter().map(|slope| slope.evidence.clone()).collect();
    finding
}
