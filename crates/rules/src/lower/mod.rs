//! From syntax to the checked form: names, types, calls played out in place.
//!
//! A function's body is checked anew at each call with the arguments it gets; a call of a check binds the
//! callee's axes and plays its script. What comes out knows neither functions nor checks.

mod branch;
pub(crate) mod built_in;
mod call;
mod choose;
mod dice;
pub(crate) mod expr;
mod faces;
mod lists;
pub(crate) mod measure;
mod names;
mod passes;
mod scope;
mod script;
mod symbols;
mod track;
mod value;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::check::{Check, Input, Outcome, Role};
use crate::choice::Choice;
use crate::interval::{self, Shape};
use crate::program::{Expr, InputId, Program, Statement, VarId, Variable};
use crate::source::{Diagnostic, Reporter, Source, Span};
use crate::syntax::ast;
pub(crate) use scope::{Binding, Scope};
pub(crate) use symbols::Symbols;
pub(crate) use value::{Asked, Scalar, Value};

/// A function of the ruleset, parsed.
#[derive(Debug)]
pub(crate) struct FunctionDef {
    pub(crate) name: ast::Name,
    pub(crate) syntax: ast::Function,
}

/// A check or a track of the ruleset, parsed, with the axes it has (inherited ones included).
#[derive(Debug)]
pub(crate) struct CheckDef {
    pub(crate) name: ast::Name,
    pub(crate) is_track: bool,
    pub(crate) script: ast::Script,
    /// Where the script stands.
    pub(crate) rules: Span,
    /// What its `choose` statements strive for.
    pub(crate) maximise: Option<ast::Expr>,
    /// What a contest compares.
    pub(crate) contest: Option<ast::Expr>,
    pub(crate) bands: Option<Arc<Choice>>,
    /// Where the bands are listed.
    pub(crate) bands_span: Option<Span>,
    pub(crate) axes: Vec<Input>,
    /// Axes that are wrong: already reported, and of no known type.
    pub(crate) broken_axes: Vec<ast::Name>,
    /// Its rules could not be read: already reported, never played.
    pub(crate) is_broken: bool,
}

/// What scripts can name besides their own bindings.
#[derive(Debug, Default)]
pub(crate) struct Library {
    pub(crate) functions: BTreeMap<String, FunctionDef>,
    /// Functions that are wrong: already reported, never played.
    pub(crate) broken_functions: Vec<String>,
    /// The lists of labels that have a name.
    pub(crate) labels: Vec<(ast::Name, Arc<Choice>)>,
    /// The dice with symbols.
    pub(crate) symbols: Symbols,
    pub(crate) checks: Vec<CheckDef>,
    pub(crate) tracks: Vec<CheckDef>,
    /// The parameters; elements of a list parameter stand side by side.
    pub(crate) params: Vec<Input>,
    /// Parameters that are wrong: already reported, and of no known type.
    pub(crate) broken_params: Vec<ast::Name>,
}

impl Library {
    /// What a call may play, checks before tracks.
    pub(crate) fn callees(&self) -> impl Iterator<Item = &CheckDef> {
        self.checks.iter().chain(&self.tracks)
    }

    /// The check or the track of that name.
    pub(crate) fn callee(&self, name: &str) -> Option<&CheckDef> {
        self.callees().find(|callee| callee.name.text == name)
    }
}

/// The outcome of a failed step: the error has been reported already.
#[derive(Debug)]
pub(crate) struct Reported;

/// A step that may have failed.
pub(crate) type Lowered<T> = Result<T, Reported>;

/// Lowers one script, expression or query.
#[derive(Debug)]
pub(crate) struct Lowerer<'a> {
    library: &'a Library,
    /// The inputs of the check at hand, parameters first; a callee's axes are bound values instead.
    inputs: &'a [Input],
    /// Those of them that are parameters.
    params: &'a [Input],
    reporter: &'a mut Reporter,
    /// What the variables can be; parallel to `program.variables`.
    shapes: Vec<Shape>,
    /// The variables that hold dice with symbols, maybe beside others.
    symbol_pools: BTreeSet<VarId>,
    pub(crate) program: Program,
    pub(crate) outcomes: Vec<Outcome>,
    scope: Scope,
    /// The labels that a bare word may mean when nothing nearer says so.
    bands: Option<Arc<Choice>>,
    /// The check at hand.
    root: String,
    /// Names and call sites of the functions and checks being played, outermost first.
    calls: Vec<(String, Span)>,
    /// Calls played out so far, and statements of passes.
    played: usize,
    /// How many `for` loops the lowering is in, one inside the other.
    passes: usize,
    /// What the pass at hand wrote out beside its statements.
    unspent: usize,
    /// What variables of wrong values stand for: already reported, and of no known type.
    failed: Vec<VarId>,
    /// Set by `set` somewhere in the script at hand.
    assigned: Vec<String>,
    /// What the `choose` statements of the script at hand strive for.
    goal: Option<VarId>,
    /// Whether a track is lowered that makes choices of its own.
    chooses_in_rounds: bool,
    /// How many tracks are being played by calls, one inside the other.
    played_tracks: usize,
    /// The number of checks and tracks that have been played.
    plays: usize,
    /// The goal of the script that was lowered last.
    pub(crate) maximised: Option<Expr>,
    /// What the expression at hand is for, if it is about a roll that has been made.
    pub(crate) asked: Option<Asked>,
    /// The check of a ruleset that is asked about, if it is one.
    pub(crate) asked_of: Option<String>,
    /// The ruleset, if the text at hand is another one.
    pub(crate) ruleset: Option<Arc<Source>>,
    /// How far into a track's loop the lowering is.
    part: Part,
    /// The number of rounds, if a track is lowered; while it plays another one, that one's.
    pub(crate) rounds: Option<VarId>,
    /// Whether a die has been met that explodes without an end.
    pub(crate) has_endless: bool,
}

/// The part of a script that is being lowered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// A check's, or a check's that a track calls.
    Check,
    /// A track's, outside of its loop.
    Track,
    /// A round of a track.
    Round,
}

/// Where statements stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Depth {
    /// In no block, or in the loop of a track itself.
    Top,
    /// There in a `for`, which is written out pass by pass.
    Pass,
    /// In a loop with a count.
    Counted,
}

/// What counts the rounds of a track.
const ROUNDS: &str = "rolls";

/// As many calls are shown around an error, the innermost ones.
const MOST_NOTES: usize = 3;

/// Calls nested deeper than this are a mistake long before they are a need.
const MAX_CALLS: usize = 64;

/// Tracks that play tracks deeper than this: what is known of loops within loops takes several times as long for each.
const MAX_TRACKS: usize = 6;

/// Calls are played out in place, so functions and checks that call each other twice over grow without bound.
const MAX_PLAYED: usize = 10_000;

impl<'a> Lowerer<'a> {
    pub(crate) fn new(
        library: &'a Library,
        inputs: &'a [Input],
        reporter: &'a mut Reporter,
        bands: Option<Arc<Choice>>,
    ) -> Self {
        let is_param = |input: &&Input| input.role == Role::Parameter;
        let params = inputs.iter().take_while(is_param).count();
        Self {
            library,
            inputs,
            params: &inputs[..params],
            reporter,
            shapes: Vec::new(),
            symbol_pools: BTreeSet::new(),
            program: Program::default(),
            outcomes: Vec::new(),
            scope: Scope::default(),
            bands,
            root: String::new(),
            calls: Vec::new(),
            played: 0,
            passes: 0,
            unspent: 0,
            failed: Vec::new(),
            assigned: Vec::new(),
            goal: None,
            chooses_in_rounds: false,
            played_tracks: 0,
            plays: 0,
            maximised: None,
            asked: None,
            asked_of: None,
            ruleset: None,
            part: Part::Check,
            rounds: None,
            has_endless: false,
        }
    }

    /// Begins a check by itself: binds its axes.
    pub(crate) fn play_root(&mut self, check: &CheckDef) {
        check.name.text.clone_into(&mut self.root);
        for (at, axis) in check.axes.iter().enumerate() {
            let id = InputId(self.params.len() + at);
            self.bind_input(&axis.name, id, Scalar::of(&axis.domain), axis.span, true);
        }
        self.bind_broken(check);
    }

    /// Axes that are wrong are names all the same.
    fn bind_broken(&mut self, check: &CheckDef) {
        for name in &check.broken_axes {
            let (name, span) = (name.text.clone(), name.span);
            self.bind_name(Binding {
                name,
                value: Value::Error,
                span,
                written: None,
                is_axis: true,
            });
        }
    }

    /// Whether the labels of the check at hand are wrong, so that any word may be one of them.
    fn has_broken_bands(&self) -> bool {
        self.bands.as_ref().is_some_and(|bands| bands.is_unknown())
    }

    /// Binds an axis of the check itself.
    pub(crate) fn bind_input(
        &mut self,
        name: &str,
        id: InputId,
        scalar: Scalar,
        span: Span,
        is_axis: bool,
    ) {
        let expr = Expr::input(id, span);
        self.bind_name(Binding {
            name: name.to_owned(),
            value: Value::Scalar(expr, scalar),
            span,
            written: None,
            is_axis,
        });
    }

    /// Binds a name to what it stands for.
    pub(crate) fn bind_name(&mut self, binding: Binding) {
        self.scope.bind(binding);
    }

    pub(crate) fn is_bound(&self, name: &str) -> bool {
        self.scope.find(name).is_some()
    }

    /// A condition on inputs alone.
    pub(crate) fn requirement(&mut self, expr: &ast::Expr) -> Option<Expr> {
        let outer = self.asked.replace(Asked::Requirement);
        let condition = self.truth(expr);
        self.asked = outer;
        let condition = condition.ok()?;
        self.require_fixed(&condition, "a requirement").ok()?;
        Some(condition)
    }

    /// `show name = expr` as the whole program; the variable that holds it.
    pub(crate) fn lone_statement(&mut self, name: &ast::Name, expr: &ast::Expr) -> Option<VarId> {
        let (value, _) = self.lone_number(expr).ok()?;
        let mut statements = Vec::new();
        let var = self.let_variable(name, value, &mut statements);
        self.program.statements = statements;
        Some(var)
    }

    /// The text at hand is a question about a check, over its variables.
    pub(crate) fn ask(&mut self, asked: Asked, check: &Check) {
        self.asked = Some(asked);
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let is_of_ruleset = !check.inputs.is_empty() || check.source.text != check.name;
        // The inputs of a contest are those of its sides.
        let is_contest = check.inputs.iter().any(|input| input.name.contains('.'));
        self.asked_of = (is_of_ruleset && !is_contest && check.name.chars().all(is_name))
            .then(|| check.name.clone());
        self.ruleset = Some(Arc::clone(&check.source));
        self.shapes = check.shapes().to_vec();
        self.program.variables.clone_from(&check.program.variables);
    }

    /// What is bound so far can't be seen from here on.
    pub(crate) fn hide_all(&mut self) {
        self.scope.enter_call();
    }

    /// Reports an error, with a note for the calls that led to it.
    fn fail<T>(&mut self, mut error: Diagnostic) -> Lowered<T> {
        let place = error.span;
        let elsewhere = self
            .calls
            .iter()
            .rev()
            .filter(|(_, call)| !call.contains(place));
        for (name, span) in elsewhere.take(MOST_NOTES) {
            error = error.with_related(*span, format!("in this call of `{name}`"));
        }
        self.reporter.push(error);
        Err(Reported)
    }

    /// Reports `message` at `span` with words under the caret.
    fn fail_at<T>(
        &mut self,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> Lowered<T> {
        let error = self.reporter.error(span, message).with_label(label);
        self.fail(error)
    }

    /// A new variable of which no bounds are known.
    fn declare(&mut self, variable: Variable) -> VarId {
        self.shapes.push(Shape::UNKNOWN);
        self.program.declare(variable)
    }

    /// A new number that is rolled.
    fn rolled(&mut self, name: &ast::Name) -> VarId {
        self.declare(Variable::rolled(name.text.as_str(), name.span))
    }

    /// Binds `value` to a new variable by a statement in `out`.
    fn let_variable(&mut self, name: &ast::Name, value: Expr, out: &mut Vec<Statement>) -> VarId {
        let mutable = self.assigned.contains(&name.text);
        self.let_as(name, mutable, value, out)
    }

    /// The same for a name that `set` changes somewhere, or does not.
    fn let_as(
        &mut self,
        name: &ast::Name,
        mutable: bool,
        value: Expr,
        out: &mut Vec<Statement>,
    ) -> VarId {
        let is_pool = self.program.is_pool(&value);
        let shape = match mutable {
            true => Shape::UNKNOWN,
            false => interval::of(&value, is_pool, &self.shapes, self.inputs),
        };
        self.shapes.push(shape);
        let shows_symbols = is_pool && self.shows_symbols(&value);
        let name = (name.text.as_str().into(), name.span);
        let (var, statement) = self.program.bind_at(name, value, mutable);
        if shows_symbols {
            self.symbol_pools.insert(var);
        }
        out.push(statement);
        var
    }

    /// Remembers what a variable holds places of.
    fn note_labels(&mut self, var: VarId, scalar: &Scalar) {
        if let Scalar::Choice(choice) = scalar {
            self.program.variables[var.0].labels = Some(Arc::clone(choice));
        }
    }

    /// A use of `var` at `span`.
    fn var(&self, var: VarId, span: Span) -> Expr {
        self.program.var(var, span)
    }
}
