//! Findings in words.

use oddsmith_analysis::expect::Stand;
use oddsmith_analysis::lint::{Evidence, Facts, Finding, Measure, MeasureKind, Pairing, Wins};
use oddsmith_exact::RBig;
use oddsmith_rules::LintRule;

use crate::format::check::{configurations, count, plural, value};
use crate::format::difference::magnitude;
use crate::format::words::Form;

/// So many pairs of labels are told.
const PAIRS: usize = 3;

/// So many cases are told; JSON has some more.
const CASES: usize = 3;

/// What is so, in a sentence.
pub(super) fn sentence(finding: &Finding) -> String {
    let levers: Vec<String> = finding
        .levers
        .iter()
        .map(|name| format!("`{name}`"))
        .collect();
    let lever = levers.join(" and ");
    let all = configurations(finding.configurations);
    let [seen, of] = finding.seen;
    match &finding.facts {
        Facts::Unreachable { event } => unreachable(event, &all),
        Facts::DeadAxis => format!("{lever} changes no odds in any of {all}"),
        Facts::DeadStep(runs) => {
            let runs = runs.iter().map(|[a, b]| format!("from {a} to {b}"));
            let runs = listed(&runs.collect::<Vec<_>>());
            format!("{lever} changes nothing {runs}, in any of {all}")
        }
        Facts::Plateau {
            stretch: [from, to],
        } => format!("by default {lever} changes nothing from {from} to {to}"),
        Facts::NonMonotone => {
            let (what, lines) = (subject(finding), plural(of, "line"));
            format!(
                "{what} and falls along {lever}, on {} of {lines}",
                count(seen)
            )
        }
        Facts::Cliff => {
            let (most, by) = (most(finding), moved(finding).unwrap_or_default());
            let (seen, steps) = (count(seen), plural(of, "step"));
            format!("a step of {lever} moves {most} by up to {by}; {seen} of {steps} are cliffs")
        }
        Facts::Sign => {
            let (what, lines) = (subject(finding), plural(of, "line"));
            let rises = count(of - seen);
            format!(
                "{what} along {lever} on {rises} of {lines}, and falls on {}",
                count(seen)
            )
        }
        Facts::Dominated { label, by } => {
            let seen = count(seen);
            let of = configurations(of);
            format!("`{label}` of {lever} is never better than `{by}`, and worse in {seen} of {of}")
        }
        Facts::Crossing(pairings) => {
            let first = &pairings[0].labels;
            let more = match pairings.len() {
                1 => String::new(),
                more => format!(
                    ", and so it is with {} of labels",
                    plural(more as u64 - 1, "other pair")
                ),
            };
            let [a, b] = first;
            format!("of {lever}, `{a}` is better here and `{b}` there{more}")
        }
        Facts::Asymmetric => {
            let by = asymmetry(finding).unwrap_or_default();
            match finding.levers.as_slice() {
                [one, two] => format!(
                    "a step of `{one}` does not gain what one of `{two}` loses: they differ by up to {by}"
                ),
                _ => format!(
                    "a step of {lever} up does not gain what one down loses: they differ by up to {by}"
                ),
            }
        }
        Facts::Reading { default } => {
            let (most, by) = (most(finding), moved(finding).unwrap_or_default());
            format!("another reading of {lever} than {default} changes {most} by up to {by}")
        }
    }
}

fn unreachable(event: &str, all: &str) -> String {
    let where_ = format!("of {all} of the default sweep, and nowhere along an axis");
    match event.strip_prefix("not ") {
        Some(flag) => format!("`{flag}` always happens: it fails in none {where_}"),
        None => format!("`{event}` never happens: in none {where_}"),
    }
}

/// `` `Twist` rises ``.
fn subject(finding: &Finding) -> String {
    format!("{} rises", most(finding))
}

/// What moves in the worst case.
fn most(finding: &Finding) -> String {
    let worst = finding.evidence.first();
    worst.map_or(String::new(), |worst| named(&worst.measure))
}

/// `` `Hit` or better ``, `` `Twist` ``, `` the mean of `total` ``.
fn named(measure: &Measure) -> String {
    let name = &measure.name;
    match measure.kind {
        MeasureKind::AtLeast => format!("`{name}` or better"),
        MeasureKind::Event => format!("`{name}`"),
        MeasureKind::Mean => format!("the mean of `{name}`"),
        MeasureKind::Variance => format!("the variance of `{name}`"),
    }
}

/// By how much the numbers of the worst case differ: `43.1 points`.
fn moved(finding: &Finding) -> Option<String> {
    let worst = finding.evidence.first()?;
    let [from, to] = [worst.stands.first()?, worst.stands.last()?];
    Some(difference(
        &worst.measure,
        &(to.value.finite()? - from.value.finite()?),
    ))
}

/// By how much gain and loss differ in the worst case.
fn asymmetry(finding: &Finding) -> Option<String> {
    let worst = finding.evidence.first()?;
    let [below, middle, above] = worst.stands.as_slice() else {
        return None;
    };
    let (below, above) = (below.value.finite()?, above.value.finite()?);
    let by = below + above - middle.value.finite()? * RBig::from(2);
    Some(difference(&worst.measure, &by))
}

/// Without its sign.
fn difference(measure: &Measure, by: &RBig) -> String {
    let by = by.clone().max(-by.clone());
    match measure.is_probability() {
        true => format!("{} points", magnitude(&by, true, Form::USUAL)),
        false => magnitude(&by, false, Form::USUAL),
    }
}

/// Where it shows, a line each.
pub(super) fn evidence(finding: &Finding) -> Vec<String> {
    if let Facts::Crossing(pairings) = &finding.facts {
        let pairs = pairings.iter().take(PAIRS).flat_map(pairing);
        return pairs
            .chain(finding.evidence.iter().take(2).map(case))
            .collect();
    }
    finding.evidence.iter().take(CASES).map(case).collect()
}

/// A case: where, and the numbers along the lever.
fn case(evidence: &Evidence) -> String {
    let is_probability = evidence.measure.is_probability();
    let stand = |stand: &Stand| format!("{} ({})", value(&stand.value, is_probability), stand.at);
    let stands: Vec<String> = evidence.stands.iter().map(stand).collect();
    let name = named(&evidence.measure).replace('`', "");
    format!("{}: {name} {}", evidence.configuration, stands.join(", "))
}

/// How two labels stand to each other, and on what it depends.
fn pairing(pairing: &Pairing) -> Vec<String> {
    let [a, b] = &pairing.labels;
    let mut lines = vec![wins(&format!("{a} and {b}"), [a, b], pairing.wins)];
    lines.extend(pairing.split.iter().map(|(at, own)| wins(at, [a, b], *own)));
    lines
}

fn wins(at: &str, [a, b]: [&String; 2], wins: Wins) -> String {
    let parts = [
        (wins.better[0], format!("{a} better")),
        (wins.better[1], format!("{b} better")),
        (wins.neither, "neither".to_owned()),
        (wins.equal, "equal".to_owned()),
    ];
    let parts = parts.into_iter().filter(|(number, _)| *number > 0);
    let parts: Vec<String> = parts
        .map(|(number, what)| format!("{what} in {}", count(number)))
        .collect();
    format!("{at}: {}", parts.join(", "))
}

fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// What may be done.
pub(super) fn advice(rule: LintRule) -> &'static str {
    match rule {
        LintRule::Unreachable => "sweep what makes it happen, or take it out of the rules",
        LintRule::DeadAxis => {
            "see whether the rules read it at all; if they do, sweep what it acts beside"
        }
        LintRule::DeadStep => "give these values something of their own, or a smaller domain",
        LintRule::Plateau => "say up to which value it is worth having",
        LintRule::NonMonotone | LintRule::Sign => "tell players, or find another way to count",
        LintRule::Cliff => "put a step between, or say that it is meant",
        LintRule::Dominated => "give it an advantage somewhere, or take it out",
        LintRule::Crossing => "tell players when to take which",
        LintRule::Asymmetric => "give both their own price, if they have one",
        LintRule::Reading => "say in the rules which one is meant",
    }
}
