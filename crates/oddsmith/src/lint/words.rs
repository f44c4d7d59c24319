//! Findings in words.

use oddsmith_analysis::expect::Stand;
use oddsmith_analysis::lint::{
    Evidence, Facts, Finding, Measure, MeasureKind, Pairing, Severity, Stretch, Wins,
};
use oddsmith_exact::RBig;
use oddsmith_numbers::difference::{magnitude, share, signed, size};
use oddsmith_numbers::{Form, grouped as count, list, plural};
use oddsmith_rules::{Check, Input, LintRule};

use crate::project::value;
use crate::questions::number_title;
use crate::told;

/// So many pairs of labels are told.
const PAIRS: usize = 3;

/// What people read in place of the name of a lever: its label, or the name as code.
pub(super) fn lever(check: &Check, name: &str) -> String {
    let labelled = told::input(&check.inputs, name).filter(|input| input.title() != name);
    labelled.map_or_else(|| format!("`{name}`"), |input| input.title().to_owned())
}

/// Levers as people read them: those without a label as they are written.
pub(super) fn levers(check: &Check, names: &[String]) -> Vec<String> {
    let titles = names
        .iter()
        .map(|name| told::input(&check.inputs, name).map_or(name.as_str(), Input::title));
    titles.map(str::to_owned).collect()
}

/// What is so, in a sentence.
pub(super) fn sentence(check: &Check, finding: &Finding) -> String {
    let levers = finding.levers.iter().map(|name| self::lever(check, name));
    let levers: Vec<String> = levers.collect();
    let lever = levers.join(" and ");
    let first = finding
        .levers
        .first()
        .and_then(|name| told::input(&check.inputs, name));
    let told =
        |written: &str| first.map_or_else(|| written.to_owned(), |own| told::value(own, written));
    let [seen, of] = finding.seen;
    match &finding.facts {
        Facts::Unreachable { event } => unreachable(event, finding),
        Facts::DeadAxis if finding.severity == Severity::Error => {
            format!("nothing that is shown depends on {lever}")
        }
        Facts::DeadAxis => format!("{lever} changes no odds; {}", looked_at(finding)),
        Facts::DeadStep(runs) => {
            let runs = runs
                .iter()
                .map(|[a, b]| format!("from {} to {}", told(a), told(b)));
            let runs = list(&runs.collect::<Vec<_>>());
            let looked_at = looked_at(finding);
            format!("{lever} changes nothing {runs}; {looked_at}")
        }
        Facts::Plateau {
            stretch: [from, to],
        } => {
            let (from, to) = (told(from), told(to));
            format!("by default {lever} changes nothing from {from} to {to}")
        }
        Facts::NonMonotone => {
            let (what, seen, lines) = (most(check, finding), count(seen), plural(of, "line"));
            format!("{what} rises and falls along {lever}, on {seen} of {lines}")
        }
        Facts::Cliff => {
            let (most, by) = (most(check, finding), moved(finding).unwrap_or_default());
            let (are, steps) = (
                if seen == 1 {
                    "is a cliff"
                } else {
                    "are cliffs"
                },
                plural(of, "step"),
            );
            let seen = count(seen);
            format!("a step of {lever} moves {most} by up to {by}; {seen} of {steps} {are}")
        }
        Facts::Dominated { label, by } => {
            let seen = count(seen);
            let of = plural(of, "configuration");
            let label = match finding.severity {
                // Only of a default it is a note.
                Severity::Note => format!("`{label}`, the default of {lever},"),
                _ => format!("`{label}` of {lever}"),
            };
            format!("{label} is never better than `{by}`, and worse in {seen} of {of}")
        }
        Facts::Crossing(pairings) => crossing(&lever, pairings),
        Facts::Asymmetric => {
            let by = asymmetry(finding).unwrap_or_default();
            let steps = match levers.as_slice() {
                [one, two] => format!("a step of {one} does not gain what one of {two} loses"),
                _ => format!("a step of {lever} up does not gain what one down loses"),
            };
            format!("{steps}: they differ by up to {by}")
        }
        Facts::Reading { default } => {
            let (most, by) = (most(check, finding), moved(finding).unwrap_or_default());
            let default = told(default);
            format!("{most} changes by up to {by} unless {lever} = {default}")
        }
        _ => sign(check, finding),
    }
}

/// What is so with a lever that goes two ways.
fn sign(check: &Check, finding: &Finding) -> String {
    let (most, [seen, of]) = (most(check, finding), finding.seen);
    let name = |at: usize| finding.levers.get(at).map_or("", String::as_str);
    let [first, second] = [0, 1].map(|at| lever(check, name(at)));
    match &finding.facts {
        Facts::Sign => {
            let (rises, seen, lines) = (count(of - seen), count(seen), plural(of, "line"));
            let falling = finding.evidence.last();
            let falling = falling.map_or_else(String::new, |last| named(check, &last.measure));
            match falling == most {
                true => {
                    format!("{most} rises along {first} on {rises} of {lines}, and falls on {seen}")
                }
                // Each line is that of one of several outcomes.
                false => format!(
                    "odds rise along {first} on {rises} of {lines}, such as {most}, and fall on {seen}, such as {falling}"
                ),
            }
        }
        Facts::Flip { default, rises } => {
            let default = told::input(&check.inputs, name(1))
                .map_or_else(String::new, |own| told::value(own, default));
            let (own, other) = ways(*rises);
            let (seen, lines) = (count(seen), plural(of, "line"));
            format!(
                "{most} {own}s along {first}, but {other}s on {seen} of {lines} unless {second} = {default}"
            )
        }
        Facts::Turned {
            word,
            rises,
            first: [other, check],
        } => {
            let (first, (own, there)) = (name(0), ways(*rises));
            format!(
                "`{word}` have two signs: odds {own} along `{first}`, and {there} along `{other}` of `{check}`"
            )
        }
        Facts::Allied {
            rises,
            opposed: [[one, check], [two, _]],
        } => {
            let ([first, second], (own, _)) = ([0, 1].map(name), ways(*rises));
            format!(
                "odds {own} along both `{first}` and `{second}`, while `{one}` and `{two}` of `{check}` are opposed"
            )
        }
        _ => {
            format!("a step of {first} undoes one of {second} here, and does the same as it there")
        }
    }
}

fn ways(rises: bool) -> (&'static str, &'static str) {
    match rises {
        true => ("rise", "fall"),
        false => ("fall", "rise"),
    }
}

fn crossing(lever: &str, pairings: &[Pairing]) -> String {
    let [a, b] = &pairings[0].labels;
    let more = match pairings.len() {
        1 => String::new(),
        more => format!(
            ", and so it is with {} of labels",
            plural(more as u64 - 1, "other pair")
        ),
    };
    format!("of {lever}, `{a}` is better here and `{b}` there{more}")
}

fn unreachable(event: &str, finding: &Finding) -> String {
    let looked_at = looked_at(finding);
    match event.strip_prefix("not ") {
        Some(flag) => format!("`{flag}` always happens: it never fails; {looked_at}"),
        None => format!("`{event}` never happens; {looked_at}"),
    }
}

/// How much was looked at: `looked at all 96 configurations`, `looked at 5,940 of 99,792 configurations`.
fn looked_at(finding: &Finding) -> String {
    let (looked, all) = (finding.configurations, finding.all);
    match all {
        0 => format!("looked at {}", plural(looked, "configuration")),
        1 => "there is only one configuration".to_owned(),
        _ if looked == all => format!("looked at all {}", plural(all, "configuration")),
        _ => {
            let all = match all {
                ..1_000_000_000 => count(all),
                _ => format!("more than 10^{}", all.ilog10()),
            };
            format!("looked at {} of {all} configurations", count(looked))
        }
    }
}

/// What moves in the worst case.
fn most(check: &Check, finding: &Finding) -> String {
    let worst = finding.evidence.first();
    worst.map_or(String::new(), |worst| named(check, &worst.measure))
}

/// `` `Hit` or better ``, `` `Twist` ``, `` the mean of `total` ``.
fn named(check: &Check, measure: &Measure) -> String {
    let name = number_title(check, &measure.name);
    match measure.kind {
        MeasureKind::AtLeast if !measure.is_best => format!("`{name}` or better"),
        MeasureKind::AtLeast | MeasureKind::Event => format!("`{name}`"),
        MeasureKind::DoneBy(rolls) => format!("`{name} <= {rolls}`"),
        MeasureKind::Mean => format!("the mean of `{name}`"),
        MeasureKind::Variance => format!("the variance of `{name}`"),
    }
}

/// By how much the numbers of the worst case differ: `43.1 points`; of a mean also as a share of what it was, by which such
/// findings are ordered: `0.5 (12.50% of it)`, `0.67 (863 times what it was)`.
fn moved(finding: &Finding) -> Option<String> {
    let worst = finding.evidence.first()?;
    let [from, to] = [worst.stands.first()?, worst.stands.last()?];
    let from = from.value.finite()?;
    let by = to.value.finite()? - from;
    let moved = difference(&worst.measure, &by);
    if worst.measure.is_probability() || *from == RBig::ZERO {
        return Some(moved);
    }
    let of_it = size(&(by / from));
    Some(match of_it < RBig::from(10) {
        true => format!("{moved} ({} of it)", share(&of_it, Form::USUAL)),
        false => format!("{moved} ({} times what it was)", of_it.round()),
    })
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
    let by = size(by);
    match measure.is_probability() {
        true => format!("{} points", magnitude(&by, true, Form::USUAL)),
        false => magnitude(&by, false, Form::USUAL),
    }
}

/// Where it shows, a line each, the worst case first; `named` are the checks by their names.
pub(super) fn evidence<'m>(named: impl Fn(&str) -> &'m Check, finding: &Finding) -> Vec<String> {
    let (check, cases) = (named(&finding.check), &finding.evidence);
    match &finding.facts {
        Facts::Crossing(pairings) => {
            let pairs = pairings.iter().take(PAIRS);
            let turns = cases.iter().take(2).map(|own| case(check, own));
            pairs
                .flat_map(|own| pairing(check, own))
                .chain(turns)
                .collect()
        }
        // The second case is of the check where the word is first used.
        Facts::Turned {
            first: [_, first], ..
        } => {
            let checks = [check, named(first)];
            checks
                .into_iter()
                .zip(cases)
                .map(|(check, own)| case(check, own))
                .collect()
        }
        _ => cases.iter().map(|own| case(check, own)).collect(),
    }
}

/// How many lines of the evidence tell so many cases.
pub(super) fn lines(facts: &Facts, cases: usize) -> usize {
    match facts {
        Facts::Crossing(_) => usize::MAX,
        // One of each kind says what is so.
        Facts::Sign | Facts::Turned { .. } | Facts::Allied { .. } | Facts::Undone => cases.max(2),
        _ => cases,
    }
}

/// A case: where, and the numbers along the lever.
fn case(check: &Check, evidence: &Evidence) -> String {
    let is_probability = evidence.measure.is_probability();
    let stand = |stand: &Stand| {
        let (value, at) = (
            value(&stand.value, is_probability),
            told::settings(&check.inputs, &stand.at),
        );
        format!("{value} ({at})")
    };
    let stands: Vec<String> = evidence.stands.iter().map(stand).collect();
    let name = named(check, &evidence.measure).replace('`', "");
    let flat = evidence.flat.as_ref().map(|flats| {
        let [down, up] = flats
            .each_ref()
            .map(|flat| signed(flat, false, Form::USUAL));
        format!(": as a flat {down} and {up} do")
    });
    format!(
        "{}: {name} {}{}",
        told::settings(&check.inputs, &evidence.configuration),
        stands.join(", "),
        flat.unwrap_or_default()
    )
}

/// How two labels stand to each other, and on what it depends.
fn pairing(check: &Check, pairing: &Pairing) -> Vec<String> {
    let [a, b] = &pairing.labels;
    let mut lines = vec![format!("{a} or {b}: {}", wins([a, b], pairing.wins))];
    stretches(check, &pairing.split, [a, b], &mut lines);
    lines
}

/// A line for each stretch, and below it those that it falls into.
fn stretches(check: &Check, split: &[Stretch], labels: [&String; 2], lines: &mut Vec<String>) {
    for stretch in split {
        let axis = told::input(&check.inputs, &stretch.axis);
        let title = axis.map_or(stretch.axis.as_str(), Input::title);
        let (values, wins) = (values(axis, &stretch.values), wins(labels, stretch.wins));
        lines.push(format!("  {title} {values}: {wins}"));
        let mut within = Vec::new();
        stretches(check, &stretch.split, labels, &mut within);
        lines.extend(within.iter().map(|line| format!("  {line}")));
    }
}

/// `1 to 4`, `ok, fragile`.
fn values(axis: Option<&Input>, values: &[String]) -> String {
    let told = |value: &String| axis.map_or_else(|| value.clone(), |axis| told::value(axis, value));
    match values {
        [first, _, .., last] if first.parse::<i64>().is_ok() => {
            format!("{} to {}", told(first), told(last))
        }
        _ => values.iter().map(told).collect::<Vec<_>>().join(", "),
    }
}

fn wins([a, b]: [&String; 2], wins: Wins) -> String {
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
    parts.join(", ")
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
        LintRule::Dominated => {
            "give it an advantage somewhere, or take it out, unless it stands for doing nothing"
        }
        LintRule::Crossing => "tell players when to take which",
        LintRule::Asymmetric => "give both their own price, if they have one",
        LintRule::Reading => "say in the rules which one is meant",
        LintRule::BestFirst => "list the bands worst first",
    }
}
