//! Exact, for programs: fractions are text, since their parts may exceed what JSON readers hold.

use oddsmith_analysis::drift::{Measure, Moved, Summary};
use oddsmith_analysis::expect::Value as Answer;
use oddsmith_exact::RBig;
use serde_json::{Value, json};

use super::{Cause, Compared, Found, Game, Intent, IntentVerdict, Place, Report, State, Table};
use crate::format::outcomes::INFINITE;

/// The whole answer.
pub(crate) fn render(report: &Report) -> Value {
    let games = report.games.iter().map(|game| self::game(report, game));
    json!({
        "status": match (report.is_in_trouble(), report.is_moved()) {
            (true, _) => "error",
            (false, true) if report.is_update => "accepted",
            (false, true) => "moved",
            (false, false) => "as accepted",
        },
        "as_intended": !report.is_broken(),
        "rulesets": games.collect::<Value>(),
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
        "causes": causes(&found.causes),
        "tables": found.tables.iter().map(table).collect::<Value>(),
        "expectations": found.intents.iter().map(intent).collect::<Value>(),
    })
}

fn intent(intent: &Intent) -> Value {
    let Place { line, column } = intent.place;
    json!({
        "intent": intent.intent,
        "check": intent.check,
        "status": match intent.verdict {
            IntentVerdict::Holds => "holds",
            IntentVerdict::Broken { .. } => "broken",
            IntentVerdict::Unknown(_) => "error",
        },
        "summary": intent.verdict.summary(),
        "worst": intent.verdict.worst(),
        "line": line,
        "column": column,
    })
}

fn causes(causes: &[Cause]) -> Value {
    let cause = |cause: &Cause| {
        let Place { line, column } = cause.place;
        json!({ "cause": cause.text, "line": line, "column": column })
    };
    causes.iter().map(cause).collect()
}

fn table(table: &Table) -> Value {
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
        let further = self::compared(compared);
        object.extend(further.as_object().cloned().unwrap_or_default());
    }
    object.into()
}

fn compared(compared: &Compared) -> Value {
    let drift = &compared.drift;
    let count = |unmatched: Option<(u64, &str)>| unmatched.map_or(0, |(count, _)| count);
    let measures = drift.measures().iter().zip(drift.summaries());
    let columns = measures.zip(&compared.are_probabilities);
    let column = |((measure, summary), is_probability): ((&Measure, &Summary), &bool)| {
        json!({
            "name": measure.name,
            "is_probability": is_probability,
            "tolerance": measure.tolerance.to_string(),
            "moved": summary.configurations,
            "largest": summary.largest.as_ref().map(RBig::to_string),
        })
    };
    json!({
        "causes": causes(&compared.causes),
        "configurations": drift.configurations(),
        "moved_configurations": drift.moved_configurations(),
        "within_tolerance": drift.within_tolerance(),
        "new_configurations": count(drift.new_configurations()),
        "gone_configurations": count(drift.gone_configurations()),
        "moved_answers": drift.moved_answers(),
        "columns": columns.map(column).collect::<Value>(),
        "moved": drift.moved().iter().map(|moved| self::moved(compared, moved)).collect::<Value>(),
    })
}

fn moved(compared: &Compared, moved: &Moved) -> Value {
    json!({
        "configuration": moved.configuration,
        "column": compared.drift.measures()[moved.measure].name,
        "before": answer(moved.before.as_ref()),
        "after": answer(moved.after.as_ref()),
        "difference": moved.difference().map(|by| by.to_string()),
    })
}

/// `"9/25"`, `"inf"`, or null where there is no answer.
fn answer(answer: Option<&Answer>) -> Value {
    match answer {
        Some(Answer::Finite(ratio)) => ratio.to_string().into(),
        Some(Answer::Infinite) => INFINITE.into(),
        Some(Answer::Falling) => format!("-{INFINITE}").into(),
        None => Value::Null,
    }
}
