//! Why a request has no answer.

use oddsmith::{Diagnostic, Error, Problem};
use serde::Serialize;
use serde_json::{Value, json};

/// A text that is longer is not sent along with what is wrong in it: it is the ruleset, which the other side has.
const LONGEST_TEXT: usize = 4096;

/// Why a request has no answer, as it is sent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Failure {
    /// What kind of failure it is: one of the protocol's, or one of [`Failure`]'s.
    pub code: i32,
    /// What is wrong, in a line.
    pub message: String,
    /// More for programs.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub data: Value,
}

impl Failure {
    /// The text of the document has errors.
    pub const BROKEN: i32 = -32005;
    /// The question is over its budget.
    pub const OVER_BUDGET: i32 = -32006;
    /// The question does not fit the rules.
    pub const REFUSED: i32 = -32003;
    /// More is asked at once than is kept.
    pub const BUSY: i32 = -32004;
    /// A file was changed by somebody else.
    pub const CONFLICT: i32 = -32010;

    /// A failure of a kind, with more for programs.
    pub fn new(code: i32, message: impl Into<String>, data: Value) -> Self {
        let message = message.into();
        Self {
            code,
            message,
            data,
        }
    }

    fn plain(code: i32, message: impl Into<String>) -> Self {
        Self::new(code, message, Value::Null)
    }

    pub(crate) fn no_json(why: &str) -> Self {
        Self::plain(-32700, format!("this is no JSON: {why}"))
    }

    pub(crate) fn no_request(why: &str) -> Self {
        Self::plain(-32600, format!("this is no request: {why}"))
    }

    /// There is no such method.
    pub fn method(method: &str) -> Self {
        Self::plain(-32601, format!("there is no method `{method}`"))
    }

    /// The parameters of a method are not what it takes.
    pub fn params(method: &str, why: &str) -> Self {
        Self::plain(
            -32602,
            format!("`{method}` is asked for something else: {why}"),
        )
    }

    /// The text changed before there was an answer.
    pub(crate) fn gone() -> Self {
        Self::plain(-32801, "the text is another one by now")
    }

    /// The question was taken back.
    pub(crate) fn cancelled() -> Self {
        Self::plain(-32800, "the question was cancelled")
    }

    pub(crate) fn busy(most: usize) -> Self {
        let message =
            format!("{most} questions are waiting already; ask again when one is answered");
        Self::plain(Self::BUSY, message)
    }

    pub(crate) fn broken() -> Self {
        Self::plain(Self::BROKEN, "the rules have errors")
    }

    /// What is asked about is not there.
    pub fn refused(message: impl Into<String>, help: &str) -> Self {
        let message = message.into();
        let data = json!({ "problems": [{ "message": message, "help": help }] });
        Self::new(Self::REFUSED, message, data)
    }
}

impl From<&Error> for Failure {
    fn from(error: &Error) -> Self {
        if matches!(error, Error::Cancelled) {
            return Self::cancelled();
        }
        let problems: Vec<Value> = error.problems().iter().map(problem).collect();
        let code = match error.is_over_budget() {
            true => Self::OVER_BUDGET,
            false => Self::REFUSED,
        };
        Self::new(code, error.to_string(), json!({ "problems": problems }))
    }
}

/// A thing that is wrong, with its place where it has one.
fn problem(problem: &Problem<'_>) -> Value {
    match problem {
        Problem::Plain { message, help } => json!({ "message": message, "help": help }),
        Problem::At(found) => {
            let mut told = json!({ "message": found.message, "label": found.label });
            if let Some(help) = &found.help {
                told["help"] = json!(help);
            }
            place(found, &mut told);
            told
        }
    }
}

/// The place, in UTF-16 code units of a text that is sent along, or as the line of a longer one.
fn place(found: &Diagnostic, told: &mut Value) {
    let text = &found.source.text;
    let (line, column) = found.source.line_column(found.span.start);
    told["line"] = json!(line);
    told["column"] = json!(column);
    if text.len() <= LONGEST_TEXT {
        let units = |byte: usize| text.get(..byte).map(|before| before.encode_utf16().count());
        told["origin"] = json!(found.source.name);
        told["text"] = json!(text);
        told["start"] = json!(units(found.span.start));
        told["end"] = json!(units(found.span.end));
    }
}
