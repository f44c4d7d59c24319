//! Odds that stand beside a text, in the shapes of the Language Server Protocol.

use oddsmith::{Limits, Settings, Watch};
use oddsmith_session::{CodeLens, Document, InlayHint, Shown, Shows};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::Failure;
use crate::language::{At, Within};
use crate::message::params;
use crate::questions::LONG;

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
    let limits = limits(document, watch, STEPS);
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
            let lens = |lens: &CodeLens| code_lens(document, lens);
            lenses.iter().map(lens).collect()
        }
        _ => return Err(Failure::method(method)),
    })
}

fn inlay_hint(hint: &InlayHint) -> Value {
    json!({ "position": hint.position, "label": hint.label, "paddingLeft": true })
}

/// A lens, with the command that shows what it is about.
fn code_lens(document: &Document, lens: &CodeLens) -> Value {
    let mut commands = Shows::COMMANDS.into_iter();
    let command = commands.find(|(_, shows)| *shows == lens.shows);
    let command = command.map_or("", |(command, _)| command);
    let arguments = [document.uri(), &lens.check];
    json!({
        "range": lens.range,
        "command": { "title": lens.title, "command": command, "arguments": arguments },
    })
}

/// A command of a lens, with the document and the check that it is about.
pub(crate) struct Command {
    shows: Shows,
    pub(crate) uri: String,
    check: String,
}

impl Command {
    /// Reads the parameters of `workspace/executeCommand`.
    pub(crate) fn read(own: &Value) -> Result<Self, Failure> {
        #[derive(Deserialize)]
        struct Execute {
            command: String,
            arguments: (String, String),
        }
        let Execute { command, arguments } = params(EXECUTE, own)?;
        let known = Shows::COMMANDS.into_iter();
        let mut known = known.filter(|(name, _)| *name == command);
        let Some((_, shows)) = known.next() else {
            let why = format!("there is no command `{command}`");
            return Err(Failure::params(EXECUTE, &why));
        };
        let (uri, check) = arguments;
        Ok(Self { shows, uri, check })
    }

    /// What the command shows.
    pub(crate) fn shown(
        &self,
        document: &Document,
        settings: &Settings,
        watch: &Watch,
    ) -> Result<Shown, Failure> {
        let limits = limits(document, watch, LONG);
        let shown = document.show(&self.check, self.shows, settings, &limits);
        shown.map_err(|error| Failure::from(&error))
    }
}

/// The method by which lenses are clicked.
pub(crate) const EXECUTE: &str = "workspace/executeCommand";

fn limits(document: &Document, watch: &Watch, steps: u64) -> Limits {
    Limits {
        watch: document.watch().or(watch),
        ..Limits::steps(steps)
    }
}
