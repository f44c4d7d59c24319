//! Exact, for programs: fractions are text, since their parts may exceed what JSON readers hold.

use oddsmith_analysis::drift::{Measure, Moved, Summary};
use oddsmith_analysis::expect::Value as Answer;
use oddsmith_exact::RBig;
use serde_json::{Value, json};

use super::{
    Cause, Compared, Failing, Found, Game, Intent, IntentVerdict, Place, Report, State, Table,
};
use crate::format::outcomes::INFINITE;

/// The whole answer.
pub(crate) fn render(report: &Report) -> Value {
    let games = report.games.iter().map(|game| self::game(report, game));
    json!({
        "status": match (report.has_failed(), report.is_moved()) {
            (true, _) => "error",
            (false, true) => "moved",
            (false, false) if report.has_moved_games() => "accepted",
            (false, false) => "as accepted",
        },
        "as_intended": match (report.is_broken(), report.unknown().next()) {
            (true, _) => Some(false),
            (false, Some(_)) => None,
            (false, None) => Some(!report.has_failed()),
        },
        "rulesets": games.collect::<Value>(),
        "without_ruleset": report.orphans,
    })
}

fn game(report: &Report, game: &Game) -> Value {
    match &game.found {
        Ok(found) => found_game(report, game, found),
        Err(trouble) => {
            let errors = trouble.reasons.iter().map(|(reason, place)| {
                let [line, column] = place.map_or([None; 2], |p| [Some(p.line), Some(p.column)]);
                json!({ "message": reason, "line": line, "column": column })
            });
            let errors: Value = errors.collect();
            json!({ "name": game.id, "file": game.file, "status": "error", "errors": errors })
        }
    }
}

fn found_game(report: &Report, game: &Game, found: &Found) -> Value {
    json!({
        "name": game.id,
        "file": game.file,
        "status": match (found.is_moved(), report.is_update) {
            (true, true) => "accepted",
            (true, false) => "moved",
            (false, _) => "as accepted",
        },
        "causes": causes(found.common_causes().iter()),
        "rules_changed": found.has_other_rules,
        "tables": found.tables.iter().map(|table| self::table(found, table)).collect::<Value>(),
        "expectations": found.intents.iter().map(intent).collect::<Value>(),
    })
}

fn intent(intent: &Intent) -> Value {
    let Place { line, column } = intent.place;
    let [failures, configurations] = match intent.verdict {
        IntentVerdict::Broken {
            failures,
            configurations,
            ..
        } => [Some(failures), Some(configurations)],
        IntentVerdict::Holds => [Some(0), None],
        IntentVerdict::Unknown(_) => [None; 2],
    };
    json!({
        "intent": intent.intent,
        "check": intent.check,
        "status": match intent.verdict {
            IntentVerdict::Holds => "holds",
            IntentVerdict::Broken { .. } => "broken",
            IntentVerdict::Unknown(_) => "error",
        },
        "summary": intent.verdict.summary(),
        "failures": failures,
        "configurations": configurations,
        "worst": intent.verdict.worst().iter().map(failing).collect::<Value>(),
        "line": line,
        "column": column,
    })
}

fn failing(failing: &Failing) -> Value {
    let values = failing.values.iter().map(|value| answer(Some(value)));
    json!({
        "text": failing.text,
        "configuration": failing.configuration,
        "query": failing.query,
        "values": values.collect::<Value>(),
    })
}

fn causes<'c>(causes: impl Iterator<Item = &'c Cause>) -> Value {
    let cause = |cause: &Cause| {
        let Place { line, column } = cause.place;
        json!({ "cause": cause.text, "line": line, "column": column })
    };
    causes.map(cause).collect()
}

fn table(found: &Found, table: &Table) -> Value {
    let Place { line, column } = table.place;
    let status = match &table.state {
        State::New => "new",
        State::Gone => "gone",
        State::Compared(_) if table.is_moved() => "moved",
        State::Compared(_) => "as accepted",
    };
    let object = json!({ "name": table.check, "status": status, "line": line, "column": column });
    let mut object = object.as_object().cloned().unwrap_or_default();
    if let State::Compared(compared) = &table.state {
        object.insert("causes".to_owned(), causes(found.causes_of(table)));
        let further = self::compared(compared);
        object.extend(further.as_object().cloned().unwrap_or_default());
    }
    object.into()
}

fn compared(compared: &Compared) -> Value {
    let drift = &compared.drift;
    let count = |unmatched: Option<(u64, &str)>| unmatched.map_or(0, |(count, _)| count);
    let measures = drift.measures().iter().zip(drift.summaries());
    let column = |(measure, summary): (&Measure, &Summary)| {
        let largest = summary.largest.as_ref();
        json!({
            "name": measure.name,
            "is_probability": measure.is_probability,
            "tolerance": measure.tolerance.to_string(),
            "moved": summary.configurations,
            "largest": answer(largest.map(|largest| &largest.difference)),
            "at": largest.map(|largest| &largest.configuration),
            "largest_within": summary.within.as_ref().map(RBig::to_string),
        })
    };
    json!({
        "configurations": drift.configurations(),
        "moved_configurations": drift.moved_configurations(),
        "within_tolerance": drift.within_tolerance(),
        "new_configurations": count(drift.new_configurations()),
        "gone_configurations": count(drift.gone_configurations()),
        "moved_answers": drift.moved_answers(),
        "columns": measures.map(column).collect::<Value>(),
        "moved": drift.moved().iter().map(|moved| self::moved(compared, moved)).collect::<Value>(),
    })
}

fn moved(compared: &Compared, moved: &Moved) -> Value {
    json!({
        "configuration": moved.configuration,
        "column": compared.drift.measures()[moved.measure].name,
        "before": answer(moved.before.as_ref()),
        "after": answer(moved.after.as_ref()),
        "difference": answer(moved.difference().as_ref()),
    })
}

/// `"9/25"`, `"inf"`, or null where there is no answer.
pub(crate) fn answer(answer: Option<&Answer>) -> Value {
    match answer {
        Some(Answer::Finite(ratio)) => ratio.to_string().into(),
        Some(Answer::Infinite) => INFINITE.into(),
        Some(Answer::Falling) => format!("-{INFINITE}").into(),
        None => Value::Null,
    }
}
