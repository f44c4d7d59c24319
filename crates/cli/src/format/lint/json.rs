//! Exact, for programs: numbers are fractions, as text.

use oddsmith_analysis::expect::Stand;
use oddsmith_analysis::lint::{Evidence, Facts, MeasureKind, Pairing, Wins};
use serde_json::{Value, json};

use super::{Game, Told};
use crate::format::check::json::answer;

/// The whole answer.
pub(crate) fn render(game: &Game<'_>) -> Value {
    let stale = game.stale.iter().map(|stale| {
        json!({ "finding": stale.id, "line": stale.place.line, "column": stale.place.column })
    });
    json!({
        "ruleset": game.name,
        "file": game.file,
        "findings": game.told.iter().map(told).collect::<Value>(),
        "accepted": game.accepted,
        "stale": stale.collect::<Value>(),
    })
}

fn told(told: &Told<'_>) -> Value {
    let finding = told.finding;
    let [seen, of] = finding.seen;
    json!({
        "id": finding.id,
        "rule": finding.rule.name(),
        "severity": finding.severity.name(),
        "check": finding.check,
        "also": finding.also,
        "alike": finding.alike,
        "levers": finding.levers,
        "message": told.sentence,
        "advice": told.advice,
        "accepted": told.reason,
        "configurations": finding.configurations,
        "seen": seen,
        "of": of,
        "facts": facts(&finding.facts),
        "evidence": finding.evidence.iter().map(evidence).collect::<Value>(),
        "line": told.place.line,
        "column": told.place.column,
    })
}

fn facts(facts: &Facts) -> Value {
    match facts {
        Facts::Unreachable { event } => json!({ "event": event }),
        Facts::DeadStep(runs) => json!({ "stretches": runs }),
        Facts::Plateau { stretch } => json!({ "stretches": [stretch] }),
        Facts::Dominated { label, by } => json!({ "label": label, "by": by }),
        Facts::Crossing(pairings) => {
            json!({ "pairs": pairings.iter().map(pairing).collect::<Value>() })
        }
        Facts::Reading { default } => json!({ "default": default }),
        Facts::DeadAxis | Facts::NonMonotone | Facts::Cliff | Facts::Sign | Facts::Asymmetric => {
            json!({})
        }
    }
}

fn pairing(pairing: &Pairing) -> Value {
    let split = pairing.split.iter();
    let split = split.map(|(at, own)| json!({ "at": at, "wins": wins(*own) }));
    json!({
        "labels": pairing.labels,
        "wins": wins(pairing.wins),
        "split": split.collect::<Value>(),
    })
}

fn wins(wins: Wins) -> Value {
    json!({ "better": wins.better, "neither": wins.neither, "equal": wins.equal })
}

fn evidence(evidence: &Evidence) -> Value {
    let kind = match evidence.measure.kind {
        MeasureKind::AtLeast => "at least",
        MeasureKind::Event => "event",
        MeasureKind::Mean => "mean",
        MeasureKind::Variance => "variance",
    };
    let stand = |stand: &Stand| json!({ "at": stand.at, "value": answer(Some(&stand.value)) });
    json!({
        "configuration": evidence.configuration,
        "outcome": evidence.measure.name,
        "kind": kind,
        "values": evidence.stands.iter().map(stand).collect::<Value>(),
    })
}
