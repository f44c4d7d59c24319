//! `oddsmith/KIND`: questions to the game that a text is.

use std::sync::Arc;

use oddsmith::anydice::{AnyDice, Depths};
use oddsmith::ask::{DiceLine, DiceMode, Question, Response, of_dice};
use oddsmith::wire::{ComparisonOdds, ComparisonSummary, Distribution};
use oddsmith::{
    CompareRequest, Dice, DistributionRequest, EndlessDice, Error, Game, Limits, Overview, Tail,
    Watch, all_games,
};
use oddsmith_report::{Theme, svg};
use oddsmith_session::Document;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::Failure;
use crate::message::params;

/// A second: odds that somebody waits for while a slider moves.
const SHORT: u64 = 1_000_000_000;
/// Ten seconds, as for a command.
pub(crate) const LONG: u64 = Limits::STEPS;

/// What is asked of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A question of the library, by the name of its kind.
    Question { name: &'static str, is_long: bool },
    /// The command that asks the same.
    Command,
    /// What differs from a pinned text, check by check.
    Compare,
}

/// What the rules offer, which takes no odds.
pub(crate) const OVERVIEW: &str = "oddsmith/overview";

/// The kinds of questions, and whether they take long.
const KINDS: [(&str, bool); 15] = [
    ("overview", false),
    ("odds", false),
    ("numbers", false),
    ("distribution", false),
    ("table", false),
    ("chart", false),
    ("declared-chart", false),
    ("track", false),
    ("contest", false),
    ("policy", true),
    ("plan", true),
    ("value", true),
    ("lint", true),
    ("tune", true),
    ("expectations", true),
];

impl Kind {
    /// The kind that a method asks for.
    pub(crate) fn of(method: &str) -> Option<Self> {
        match method.strip_prefix("oddsmith/")? {
            "command" => Some(Self::Command),
            "compare" => Some(Self::Compare),
            word => {
                let kind = KINDS.into_iter().find(|(name, _)| *name == word);
                kind.map(|(name, is_long)| Self::Question { name, is_long })
            }
        }
    }

    /// Whether it may take seconds.
    pub(crate) fn is_long(self) -> bool {
        match self {
            Self::Question { is_long, .. } => is_long,
            Self::Command => false,
            Self::Compare => true,
        }
    }

    fn limits(self, watch: Watch) -> Limits {
        let steps = if self.is_long() { LONG } else { SHORT };
        Limits {
            watch,
            ..Limits::steps(steps)
        }
    }
}

/// What is asked beside the document.
#[derive(Deserialize)]
struct Asked {
    /// The request, as the library has it.
    #[serde(default)]
    question: Value,
    /// The pinned text to which it is put as well.
    #[serde(default)]
    against: Option<usize>,
}

/// The answer about a version: the game's, and that of a pinned text beside it.
pub(crate) fn answer(
    kind: Kind,
    document: &Document,
    own: &Value,
    pinned: impl Fn(usize) -> Result<Arc<Document>, Failure>,
    watch: &Watch,
) -> Result<Value, Failure> {
    let asked: Asked = params("a question", own)?;
    let limits = kind.limits(document.watch().or(watch));
    let analysis = document.analysis();
    let game = analysis.game().map_err(|_| Failure::broken())?;
    let before = asked.against.map(pinned).transpose()?;
    let mut result = json!({ "version": document.version() });
    match kind {
        Kind::Command => {
            let command = question(&asked.question, None)?.command(game);
            result["command"] = json!(command.map_err(|error| Failure::from(&error))?);
        }
        Kind::Compare => {
            let before = before.ok_or_else(|| {
                Failure::params("oddsmith/compare", "`against`, a pinned text, is missing")
            })?;
            let before = before.analysis();
            let before = before.game().map_err(|_| Failure::broken())?;
            result["changed"] = json!(changes(before, game, &limits)?);
        }
        Kind::Question { name, .. } => {
            let question = question(&asked.question, Some(name))?;
            result["answer"] = told(&question, game, &limits)?;
            if let Some(before) = before {
                match old(&question, &before, &limits) {
                    Ok(answer) => result["before"] = answer,
                    Err(error) => result["beforeError"] = json!(error.message),
                }
            }
        }
    }
    Ok(result)
}

/// A request with its kind, which the method names, or which it names itself.
fn question(request: &Value, kind: Option<&str>) -> Result<Question, Failure> {
    let mut request = match request {
        Value::Null => json!({}),
        request => request.clone(),
    };
    if let (Some(kind), Some(fields)) = (kind, request.as_object_mut()) {
        fields.insert("kind".to_owned(), json!(kind));
    }
    params("a question", &request)
}

fn told(question: &Question, game: &Game, limits: &Limits) -> Result<Value, Failure> {
    let answer: Response = question
        .ask(game, limits)
        .map_err(|error| Failure::from(&error))?;
    Ok(json!(answer))
}

/// The answer of a pinned text.
fn old(question: &Question, before: &Document, limits: &Limits) -> Result<Value, Failure> {
    let analysis = before.analysis();
    let game = analysis.game().map_err(|_| Failure::broken())?;
    told(question, game, limits)
}

/// What differs between two versions of a check.
#[derive(Serialize)]
struct Change {
    /// The check or track.
    check: String,
    /// `changed`, `same`, `new`, `gone`, or `unknown` where there is no answer.
    state: &'static str,
    /// The differences over its sweep.
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<ComparisonSummary>,
    /// Why there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

/// Each check and track that either version has, over its default sweep.
fn changes(before: &Game, game: &Game, limits: &Limits) -> Result<Vec<Change>, Failure> {
    let names = |overview: Overview| -> Vec<String> {
        overview
            .checks
            .into_iter()
            .map(|check| check.name)
            .collect()
    };
    let overview = |game: &Game| game.overview(None).map_err(|error| Failure::from(&error));
    let (old, new) = (names(overview(before)?), names(overview(game)?));
    let mut changes = Vec::new();
    for name in &new {
        if !old.contains(name) {
            changes.push(Change::of(name, "new"));
            continue;
        }
        match compared(before, game, name, limits) {
            Ok(summary) => changes.push(Change {
                summary: Some(summary),
                ..Change::of(name, "same")
            }),
            Err(Error::Cancelled) => return Err(Failure::cancelled()),
            Err(error) => changes.push(Change {
                why: Some(error.to_string()),
                ..Change::of(name, "unknown")
            }),
        }
    }
    let gone = old.iter().filter(|name| !new.contains(name));
    changes.extend(gone.map(|name| Change::of(name, "gone")));
    Ok(changes)
}

impl Change {
    fn of(check: &str, state: &'static str) -> Self {
        Self {
            check: check.to_owned(),
            state,
            summary: None,
            why: None,
        }
    }
}

fn compared(
    before: &Game,
    game: &Game,
    check: &str,
    limits: &Limits,
) -> Result<ComparisonSummary, Error> {
    let found = game.overview(Some(check))?.checks;
    let is_swept = found
        .iter()
        .flat_map(|check| &check.axes)
        .any(|axis| !axis.sweep.is_empty());
    let request = CompareRequest {
        check: Some(check.to_owned()),
        sweeps: is_swept.then(|| "all".to_owned()).into_iter().collect(),
        ..CompareRequest::default()
    };
    let answer = before.compare(game, &request)?.answer(limits)?;
    Ok(ComparisonOdds::of(&answer).summary)
}

/// What is asked of dice.
#[derive(Deserialize)]
struct DicePad {
    expressions: Vec<String>,
    /// `exactly`, `at least` or `at most`.
    #[serde(default)]
    mode: Option<String>,
}

/// The distributions of dice, and all of them as one picture.
pub(crate) fn dice(own: &Value, watch: &Watch) -> Result<Value, Failure> {
    const MOST: usize = 16;
    let DicePad { expressions, mode } = params("oddsmith/dice", own)?;
    if expressions.len() > MOST {
        let message = format!(
            "{} expressions are laid over one another",
            expressions.len()
        );
        return Err(Failure::refused(
            message,
            "16 can be told apart at the most",
        ));
    }
    let limits = short(watch);
    let mut told = Vec::new();
    let mut drawn = Vec::new();
    for expression in &expressions {
        match line_of(expression, &limits) {
            Ok(line) => {
                let mut distribution = json!(Distribution::of(expression, &line.dist));
                if let Some(tail) = &line.tail {
                    tell_tail(&mut distribution, tail);
                }
                told.push(distribution);
                drawn.push(line);
            }
            Err(Error::Cancelled) => return Err(Failure::cancelled()),
            Err(error) => {
                let Failure { data, .. } = Failure::from(&error);
                told.push(json!({ "expression": expression, "problems": data["problems"] }));
            }
        }
    }
    overlaid(&told, &drawn, mode.as_deref())
}

/// What a dice expression rolls, with an end or without.
fn line_of(expression: &str, limits: &Limits) -> Result<DiceLine, Error> {
    let Some(endless) = EndlessDice::parse(expression) else {
        let dist = Dice::parse(expression)?.distribution(limits)?;
        return Ok(DiceLine::new(expression, dist));
    };
    let (_, answer) = endless.distribution(&DistributionRequest::default(), limits)?;
    let dist = answer.numbers().expect("dice show a number").clone();
    let tail = answer.tail;
    let line = DiceLine::new(expression, dist);
    Ok(DiceLine { tail, ..line })
}

/// Says which outcome stands for all beyond the last value, and the moments with these, where they are known.
fn tell_tail(distribution: &mut Value, tail: &Tail) {
    distribution["tail"] = json!({ "outcome": tail.place(), "name": tail.name() });
    let moments = tail.moments.as_ref();
    let told = |at: usize| json!(moments.map(|moments| moments[at].to_string()));
    distribution["mean"] = told(0);
    distribution["variance"] = told(1);
}

/// An AnyDice program.
#[derive(Deserialize)]
struct AnyDicePad {
    program: String,
    #[serde(default)]
    mode: Option<String>,
}

/// The outputs of an AnyDice program, as [`dice`] tells dice.
pub(crate) fn anydice(own: &Value, watch: &Watch) -> Result<Value, Failure> {
    let AnyDicePad { program, mode } = params("oddsmith/anydice", own)?;
    let outputs = AnyDice::parse("program", &program)
        .and_then(|program| program.outputs(&Depths::default(), &short(watch)));
    let outputs = outputs.map_err(|error| Failure::from(&error))?;
    let mut told = Vec::new();
    let mut drawn = Vec::new();
    for output in &outputs {
        let label = output.label.as_str();
        let Some(dist) = &output.distribution else {
            let problem = json!({ "message": "the empty die has no value" });
            told.push(json!({ "expression": label, "problems": [problem] }));
            continue;
        };
        let mut distribution = json!(Distribution::of(label, dist));
        distribution["cut"] = json!(output.cut.to_string());
        told.push(distribution);
        drawn.push(DiceLine::new(label, dist.clone()));
    }
    overlaid(&told, &drawn, mode.as_deref())
}

fn short(watch: &Watch) -> Limits {
    Limits {
        watch: watch.clone(),
        ..Limits::steps(SHORT)
    }
}

/// Distributions with a picture of all that can be drawn: without one they are told in numbers.
fn overlaid(told: &[Value], drawn: &[DiceLine], mode: Option<&str>) -> Result<Value, Failure> {
    let mode = DiceMode::named(mode.unwrap_or("exactly"));
    let mode = mode.map_err(|error| Failure::from(&error))?;
    let figure = of_dice(drawn, mode).ok();
    let svg = figure.and_then(|figure| svg(&figure, Theme::Light).ok());
    Ok(json!({ "distributions": told, "svg": svg }))
}

/// The games that come along, to begin from.
pub(crate) fn known() -> Value {
    let games = all_games().map(|(name, text)| {
        let game = Game::parse(name, text.as_bytes()).expect("a shipped game has no errors");
        json!({ "name": name, "title": game.title(), "help": game.model().help, "text": text })
    });
    json!({ "games": games.collect::<Vec<_>>() })
}
