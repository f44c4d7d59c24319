//! From the text of a ruleset file to a [`Model`]: all its errors at once, or none.

pub(crate) mod accept;
mod characters;
mod charts;
mod columns;
mod dice;
pub(crate) mod domain;
mod drafts;
pub(crate) mod expect;
mod functions;
mod inputs;
pub(crate) mod keys;
mod labels;
pub(crate) mod nodes;
mod resources;
mod shown_labels;
mod toml_errors;
mod tune;
mod unclosed;

use std::sync::Arc;

use toml::de::DeTable;

use crate::check::{Check, Input, Outcome, OutcomeKind, Requirement, Role};
use crate::endless;
pub use crate::file::accept::finding_prefix;
use crate::file::drafts::{Condition, Draft, read_conditions};
use crate::file::nodes::Entries;

use crate::index::{self, Known, Names, Reading};
use crate::layout::Layout;
use crate::lower::{Asked, CheckDef, Library, Lowerer, Scalar};
use crate::model::Model;
use crate::source::{Diagnostic, Diagnostics, Reporter, Source, Span};
use crate::syntax;
use crate::syntax::ast::Name;
use crate::tuning::Tuning;
use crate::warnings;

/// Reads a ruleset file's bytes; `name` is what messages call it.
///
/// # Errors
/// All the errors of the file, each with its place.
pub fn load(name: &str, bytes: &[u8]) -> Result<Model, Diagnostics> {
    load_text(&decoded(name, bytes)?)
}

/// The most bytes of a file that is read: 4 MB.
pub const MOST_BYTES: u64 = 4 << 20;

/// Refuses a text that nobody wrote.
fn demand_length(name: &str, bytes: usize) -> Result<(), Diagnostics> {
    if bytes as u64 <= MOST_BYTES {
        return Ok(());
    }
    let message = format!("the file has more than {} MB", MOST_BYTES >> 20);
    let error = Diagnostic::new(&Source::new(name, ""), Span::new(0, 0), message);
    Err(error
        .with_help("a ruleset is a text of some kilobytes")
        .into())
}

/// A file's text; `name` is what messages call it.
///
/// # Errors
/// If it is not UTF-8, or longer than any ruleset.
pub fn decoded(name: &str, bytes: &[u8]) -> Result<Arc<Source>, Diagnostics> {
    demand_length(name, bytes.len())?;
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(Source::new(name, text)),
        Err(error) => {
            // Up to the first bad byte the lossy text is the file, so the place is right.
            let source = Source::new(name, String::from_utf8_lossy(bytes));
            let at = error.valid_up_to();
            let span = Span::new(at, at + char::REPLACEMENT_CHARACTER.len_utf8());
            let message = format!(
                "the file is not UTF-8: byte {:#04x} at offset {at}",
                bytes[at]
            );
            let help = match bytes {
                [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => {
                    "this is UTF-16, as older PowerShells write it with `>`: save the file as UTF-8 text, with `| Out-File -Encoding utf8 FILE`"
                }
                [0x89, b'P', b'N', b'G', ..] | [0xff, 0xd8, ..] | [b'G', b'I', b'F', b'8', ..] => {
                    "this is a picture; a ruleset is a text"
                }
                [b'P', b'K', ..] => "this is an archive, or a workbook; a ruleset is a text",
                _ if bytes.contains(&0) => "this is no text; a ruleset is one",
                _ => "save the file as UTF-8 text",
            };
            Err(Diagnostic::new(&source, span, message)
                .with_label("not UTF-8")
                .with_help(help)
                .into())
        }
    }
}

/// Reads a ruleset's text.
///
/// # Errors
/// As [`load`].
pub fn load_text(source: &Arc<Source>) -> Result<Model, Diagnostics> {
    let document = parsed(source)?;
    let mut reporter = Reporter::new(source);
    if document.is_empty() {
        return Err(empty(&reporter).into());
    }
    let (model, _) = read_model(&document, None, &mut reporter);
    characters::report(&document, &mut reporter);
    reporter.finish(model)
}

pub(crate) fn empty(reporter: &Reporter) -> Diagnostic {
    let error = reporter.error(Span::new(0, 0), "the file is empty, or has only comments");
    let help = "a ruleset needs a `name` and a check: `oddsmith new` writes a file to begin with";
    error.with_help(help)
}

/// Reads a ruleset's text, and notes its names; of a text with errors those that are understood.
///
/// ```
/// use oddsmith_rules::{Source, load_named};
/// let text = "name = 'Coins'\n[checks.toss]\nrules = 'show heads = 1d2 == 2'\n[[expect]]\nintent = 'fair'\nquery = 'heads'\nprinted = '1/2'\n";
/// let reading = load_named(&Source::new("coins.toml", text));
/// assert!(reading.model.is_ok());
/// let (_, heads) = reading.names.at(text.rfind("heads").unwrap()).unwrap();
/// assert_eq!((heads.name.as_str(), heads.references.len()), ("heads", 1));
/// ```
#[must_use]
pub fn load_named(source: &Arc<Source>) -> Reading {
    if let Err(errors) = demand_length(&source.name, source.text.len()) {
        return Reading {
            model: Err(errors),
            names: Names::default(),
        };
    }
    let mut reporter = Reporter::new(source);
    let (document, errors) = DeTable::parse_recoverable(&source.text);
    toml_errors::report(&errors, document.get_ref(), &mut reporter);
    let is_toml = reporter.is_empty();
    let document = document.into_inner();
    if document.is_empty() && is_toml {
        reporter.push(empty(&reporter));
    }
    let read = |reporter: &mut Reporter| {
        reporter.record = Some(Box::default());
        let layout = Layout::of(&source.text);
        let read = read_model(&document, Some(layout), reporter);
        characters::report(&document, reporter);
        read
    };
    let (model, names) = match reporter.is_empty() {
        true => read(&mut reporter),
        false => {
            // What else is wrong is told once this is TOML; until then nothing in it is sound.
            let mut aside = Reporter::new(source);
            aside.push(aside.error(Span::new(0, 0), "this is not TOML"));
            read(&mut aside)
        }
    };
    Reading {
        model: reporter.finish(model),
        names,
    }
}

/// Reads a file that has goals for a ruleset, a `[tune]` and nothing else; `name` is what messages call it.
///
/// # Errors
/// As [`load`].
pub fn load_goals(model: &Model, name: &str, bytes: &[u8]) -> Result<Tuning, Diagnostics> {
    let source = decoded(name, bytes)?;
    let mut reporter = Reporter::new(&source);
    let document = parsed(&source)?;
    characters::report(&document, &mut reporter);
    let start = Span::new(0, source.text.lines().next().map_or(0, str::len));
    let root = Entries::check(
        &document,
        keys::GOALS_FILE,
        "a file of goals",
        start,
        &mut reporter,
    );
    let checks: Vec<&Check> = model.checks.iter().chain(&model.tracks).collect();
    let tuning = tune::read(&root, (&checks, true), &mut reporter);
    if tuning.is_none() && reporter.is_empty() {
        reporter.push(reporter.error(start, "a file of goals needs a [tune] table"));
    }
    reporter.finish(tuning.unwrap_or_default())
}

/// The table that a TOML file is, with the places of its values.
///
/// # Errors
/// What is not TOML, in a designer's words; or every text with a character that acts on a terminal or is not seen.
pub fn toml(source: &Arc<Source>) -> Result<DeTable<'_>, Diagnostics> {
    let document = parsed(source)?;
    let mut reporter = Reporter::new(source);
    characters::report(&document, &mut reporter);
    reporter.finish(document)
}

/// The table that a TOML file is.
pub(crate) fn parsed(source: &Arc<Source>) -> Result<DeTable<'_>, Diagnostics> {
    demand_length(&source.name, source.text.len())?;
    let mut reporter = Reporter::new(source);
    let (document, errors) = DeTable::parse_recoverable(&source.text);
    toml_errors::report(&errors, document.get_ref(), &mut reporter);
    reporter.finish(document.into_inner())
}

/// The ruleset; with its names, if the keys and values of the text are given for that.
fn read_model(
    root: &DeTable<'_>,
    layout: Option<Layout>,
    reporter: &mut Reporter,
) -> (Model, Names) {
    let source = Arc::clone(&reporter.source);
    let start = Span::new(0, source.text.lines().next().map_or(0, str::len));
    let root = Entries::check(root, keys::ROOT, "a ruleset", start, reporter);
    let params = root
        .get("params")
        .map(|node| inputs::read(node, Role::Parameter, reporter));
    let functions = root
        .get("functions")
        .map(|node| functions::read(node, reporter));
    let (params, (functions, broken_functions)) =
        (params.unwrap_or_default(), functions.unwrap_or_default());
    let mut library = Library {
        labels: labels::lists(&root, reporter),
        symbols: dice::read(&root, reporter),
        functions,
        broken_functions,
        params: params.good,
        broken_params: params.broken,
        ..Library::default()
    };
    let mut drafts = drafts::read_all(&root, reporter);
    let has_some = ["checks", "tracks"].map(|table| !root.all(table).is_empty());
    demand_some(has_some.contains(&true), start, reporter);
    drafts::note_parents(&drafts, reporter);
    for draft in &mut drafts {
        drafts::report_clashes(draft, &library, reporter);
    }
    let definitions = drafts.iter().map(|draft| draft.definition(&drafts));
    (library.tracks, library.checks) = definitions.partition(|definition| definition.is_track);
    functions::check_unused(&library, reporter);
    let shared = read_conditions(&root, reporter);
    let mut lower = |definition: &CheckDef| {
        let name = &definition.name;
        let draft = drafts.iter().find(|draft| draft.name == *name);
        let draft = draft.expect("every definition is made of a draft");
        lower_check(draft, definition, &library, &shared, reporter)
    };
    let checks: Vec<Check> = library.checks.iter().map(&mut lower).collect();
    let tracks: Vec<Check> = library.tracks.iter().map(&mut lower).collect();
    let both: Vec<&Check> = checks.iter().chain(&tracks).collect();
    let known = (both.as_slice(), reporter.is_empty());
    for check in both.iter().filter(|_| known.1) {
        debug_assert_eq!(check.verify(), Ok(()), "{}", check.name);
    }
    let charts = charts::read(&root, known, reporter);
    let expectations = expect::read(&root, known, reporter);
    let acceptances = accept::read(&root, known, reporter);
    let resources = resources::read(&root, (&checks, known.1), reporter);
    let tuning = tune::read(&root, known, reporter);
    for check in both {
        let draft = drafts.iter().find(|draft| draft.name.text == check.name);
        let draft = draft.expect("every check has a draft");
        columns::report_twins(draft, check, reporter);
        shown_labels::report_twins(draft, check, reporter);
    }
    let (name, help) = (root.line("name", reporter), root.line("help", reporter));
    let mut model = Model {
        source,
        name,
        help,
        params: library.params.clone(),
        checks,
        tracks,
        charts,
        expectations,
        acceptances,
        resources,
        tuning,
        warnings: Diagnostics::default(),
    };
    if reporter.is_empty() {
        model.warnings = warnings::of(&model, &library);
    }
    let names = layout.map(|layout| {
        let known = Known {
            library: &library,
            checks: &model.checks,
            tracks: &model.tracks,
        };
        index::build(&known, layout, reporter)
    });
    (model, names.unwrap_or_default())
}

/// A ruleset without a check or a track has nothing to ask.
pub(crate) fn demand_some(has_some: bool, place: Span, reporter: &mut Reporter) {
    if !has_some {
        let error = reporter.error(place, "a ruleset needs `checks` or `tracks`");
        let help = "what is done at the table is a table such as [checks.attack], with its `rules`";
        reporter.push(error.with_label("both are missing").with_help(help));
    }
}

fn lower_check(
    draft: &Draft,
    definition: &CheckDef,
    library: &Library,
    shared: &[Condition],
    reporter: &mut Reporter,
) -> Check {
    let inputs: Vec<Input> = library
        .params
        .iter()
        .chain(&definition.axes)
        .cloned()
        .collect();
    let source = Arc::clone(&reporter.source);
    let mut lowerer = Lowerer::new(library, &inputs, reporter, draft.bands.clone());
    lowerer.play_root(definition);
    let requires = lower_requirements(shared.iter().chain(&draft.require), &mut lowerer);
    let statements = lowerer.script(definition);
    let goal = lowerer.maximised.take();
    let goal = goal
        .zip(draft.maximise.as_ref())
        .map(|(value, goal)| Scalar::Int.measure(value, &goal.text));
    let contest = draft.contest.as_ref().and_then(|contest| {
        let lowered = lowerer.over_shown(definition, Asked::Contest, |lowerer, bands| {
            lowerer.compared(&contest.syntax, bands)
        });
        let (value, scalar) = lowered.ok()?;
        Some(scalar.measure(value, &contest.text))
    });
    let (rounds, has_endless) = (lowerer.rounds, lowerer.has_endless);
    let mut program = std::mem::take(&mut lowerer.program);
    program.statements = statements;
    let outcomes = std::mem::take(&mut lowerer.outcomes);
    let (name, span) = (&draft.name.text, draft.name.span);
    let mut check = Check {
        help: draft.help.clone(),
        label: draft.label.clone(),
        labels: shown_labels::of_script(draft, &program, reporter),
        inputs: inputs.into(),
        requires,
        contest,
        ties: draft.ties,
        goal,
        rounds,
        unit: draft.unit.clone(),
        ..Check::new(&source, span, name, program, outcomes)
    };
    if has_endless {
        endless::settle(&mut check, reporter);
    }
    check
}

fn lower_requirements<'c>(
    conditions: impl Iterator<Item = &'c Condition>,
    lowerer: &mut Lowerer<'_>,
) -> Vec<Requirement> {
    let requirement = |condition: &Condition| {
        Some(Requirement {
            condition: lowerer.requirement(&condition.syntax)?,
            text: condition.text.clone(),
        })
    };
    conditions.filter_map(requirement).collect()
}

/// A dice expression that stands alone, as a check without inputs that shows `value`.
///
/// # Errors
/// All the errors of the expression; `origin` is what they call it.
///
/// ```
/// let check = oddsmith_rules::expression("4d6kh3", "<expression>").unwrap();
/// assert_eq!(check.outcomes[0].name, "value");
/// assert!(oddsmith_rules::expression("4d6kh", "<expression>").is_ok());
/// assert!(oddsmith_rules::expression("4d6 kg 3", "<expression>").is_err());
/// ```
pub fn expression(text: &str, origin: &str) -> Result<Check, Diagnostics> {
    let source = Source::new(origin, text);
    let mut reporter = Reporter::new(&source);
    let library = Library::default();
    let whole = Span::new(0, text.len());
    let parsed = syntax::parse_expr(text, 0, &mut reporter);
    if parsed.is_none() && reporter.is_empty() {
        reporter.push(reporter.error(whole, "this is not an expression"));
    }
    let mut lowerer = Lowerer::new(&library, &[], &mut reporter, None);
    let name = Name {
        text: "value".to_owned(),
        span: whole,
    };
    let var = parsed.and_then(|expr| lowerer.lone_statement(&name, &expr));
    let has_endless = lowerer.has_endless;
    let program = std::mem::take(&mut lowerer.program);
    let outcomes = var.into_iter().map(|var| Outcome {
        name: name.text.clone(),
        kind: OutcomeKind::Observable,
        var,
        first_round: false,
        span: whole,
    });
    let mut check = Check::new(&source, whole, text, program, outcomes.collect());
    if has_endless {
        endless::settle(&mut check, &mut reporter);
    }
    debug_assert!(!reporter.is_empty() || check.verify().is_ok(), "{text}");
    reporter.finish(check)
}
