//! Exact, for programs: numbers are fractions, as text.

use oddsmith::wire::exact;
use oddsmith_analysis::expect::Stand;
use oddsmith_analysis::lint::{Evidence, Facts, MeasureKind, Pairing, Stretch, Wins};
use serde_json::{Value, json};

use super::{Game, Told};

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
        "of_configurations": (finding.all > 0).then_some(finding.all),
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
        Facts::Flip { default, rises } => json!({ "default": default, "rises": rises }),
        Facts::Turned { word, rises, first } => {
            json!({ "word": word, "rises": rises, "first": first })
        }
        Facts::Allied { rises, opposed } => json!({ "rises": rises, "opposed": opposed }),
        Facts::DeadAxis
        | Facts::NonMonotone
        | Facts::Cliff
        | Facts::Sign
        | Facts::Undone
        | Facts::Asymmetric => json!({}),
    }
}

fn pairing(pairing: &Pairing) -> Value {
    json!({
        "labels": pairing.labels,
        "wins": wins(pairing.wins),
        "split": split(&pairing.split),
    })
}

fn split(stretches: &[Stretch]) -> Value {
    let stretches = stretches.iter().map(|stretch| {
        json!({
            "axis": stretch.axis,
            "values": stretch.values,
            "wins": wins(stretch.wins),
            "split": split(&stretch.split),
        })
    });
    stretches.collect()
}

fn wins(wins: Wins) -> Value {
    json!({ "better": wins.better, "neither": wins.neither, "equal": wins.equal })
}

fn evidence(evidence: &Evidence) -> Value {
    let kind = match evidence.measure.kind {
        MeasureKind::AtLeast => "at least",
        MeasureKind::Event => "event",
        MeasureKind::DoneBy(_) => "done by",
        MeasureKind::Mean => "mean",
        MeasureKind::Variance => "variance",
    };
    let stand = |stand: &Stand| json!({ "at": stand.at, "value": exact(&stand.value) });
    let mut told = json!({
        "configuration": evidence.configuration,
        "outcome": evidence.measure.name,
        "kind": kind,
        "values": evidence.stands.iter().map(stand).collect::<Value>(),
    });
    if let MeasureKind::DoneBy(rolls) = evidence.measure.kind {
        told["rolls"] = json!(rolls);
    }
    if let Some(flats) = &evidence.flat {
        let flats = flats.iter().map(ToString::to_string);
        told["flat"] = flats.collect::<Value>();
    }
    told
}
