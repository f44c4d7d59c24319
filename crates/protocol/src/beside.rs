//! Odds that stand beside a text, in the shapes of the Language Server Protocol.

use oddsmith::{Limits, Settings, Watch};
use oddsmith_session::{CodeLens, Document, InlayHint};
use serde_json::{Value, json};

use crate::Failure;
use crate::language::{At, Within};
use crate::message::params;

/// A second for odds that nobody asked for.
const STEPS: u64 = 1_000_000_000;

/// The methods that are answered with odds.
const METHODS: [&str; 3] = [
    "textDocument/codeLens",
    "textDocument/hover",
    "textDocument/inlayHint",
];

pub(crate) fn is_known(method: &str) -> bool {
    METHODS.contains(&method)
}

/// The answer about a version of a text, with the odds that it has with some settings; `method` is one of those that are
/// known.
pub(crate) fn answer(
    method: &str,
    document: &Document,
    own: &Value,
    settings: &Settings,
    watch: &Watch,
) -> Result<Value, Failure> {
    let limits = Limits {
        watch: document.watch().or(watch),
        ..Limits::steps(STEPS)
    };
    Ok(match method {
        "textDocument/hover" => {
            let At { position } = params(method, own)?;
            let hover = document.hover_with_odds(position, settings, &limits);
            hover.map_or(Value::Null, |hover| {
                let contents = json!({ "kind": "markdown", "value": hover.markdown });
                json!({ "contents": contents, "range": hover.range })
            })
        }
        "textDocument/inlayHint" => {
            let Within { range } = params(method, own)?;
            let hints = document.inlay_hints(settings, &limits).into_iter();
            let is_within =
                |hint: &InlayHint| range.start <= hint.position && hint.position <= range.end;
            hints
                .filter(is_within)
                .map(|hint| inlay_hint(&hint))
                .collect()
        }
        "textDocument/codeLens" => {
            let lenses = document.code_lenses(settings, &limits);
            lenses.iter().map(code_lens).collect()
        }
        _ => return Err(Failure::method(method)),
    })
}

fn inlay_hint(hint: &InlayHint) -> Value {
    json!({ "position": hint.position, "label": hint.label, "paddingLeft": true })
}

/// A lens that says something, and does nothing when it is clicked.
fn code_lens(lens: &CodeLens) -> Value {
    let command = json!({ "title": lens.title, "command": "" });
    json!({ "range": lens.range, "command": command })
}
