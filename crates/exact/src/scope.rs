//! What is known of a script while it is evaluated, whatever its variables are bound to: their names, what expressions
//! read of them, and errors at their places in the ruleset.

use std::borrow::Cow;
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;

use oddsmith_rules::program::{Expr, Kind, Statement, VarId, Variable};
use oddsmith_rules::{Diagnostic, Source, Span};

use crate::Error;
use crate::hash::Map;
use crate::residual::{BlockScript, Residual, Script, collect_vars};

/// The variables of a script, and those that are added to them.
pub(crate) struct Scope<'a> {
    pub(crate) source: &'a Arc<Source>,
    /// Definitions of fixed variables, evaluated when they are first read.
    pub(crate) fixed: &'a Map<VarId, Expr>,
    /// See [`Residual::in_order`].
    pub(crate) in_order: bool,
    /// Those of the script, then those that blocks add.
    variables: Cow<'a, [Variable]>,
    /// Blocks that have been met: those of the same statements by the values that they end in.
    blocks: Map<BlockKey, Vec<(Expr, Rc<BlockScript>)>>,
}

/// The statements of a block, and of no other: their address is theirs for as long as the key has them.
#[derive(Clone, Debug)]
struct BlockKey(Arc<[Statement]>);

impl PartialEq for BlockKey {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for BlockKey {}

impl Hash for BlockKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.as_ptr().hash(state);
    }
}

impl<'a> Scope<'a> {
    /// That of the script that is left in a configuration.
    pub(crate) fn new(source: &'a Arc<Source>, residual: &'a Residual) -> Self {
        Self {
            source,
            fixed: &residual.fixed,
            in_order: residual.in_order,
            variables: Cow::Borrowed(&residual.variables),
            blocks: Map::default(),
        }
    }

    /// How many variables there are.
    pub(crate) fn len(&self) -> usize {
        self.variables.len()
    }

    /// Whether a variable's value is a place in the table of rolls, and not a number.
    pub(crate) fn is_pool(&self, var: VarId) -> bool {
        self.variables[var.0].is_pool()
    }

    /// A block as a script, prepared when it is first met.
    pub(crate) fn block(
        &mut self,
        statements: &Arc<[Statement]>,
        value: &Expr,
        is_pool: bool,
    ) -> Rc<BlockScript> {
        let known = self.blocks.entry(BlockKey(Arc::clone(statements)));
        let known = known.or_default();
        if let Some((_, script)) = known.iter().find(|(end, _)| end == value) {
            return Rc::clone(script);
        }
        let variables = self.variables.to_mut();
        let block = BlockScript::new(statements, value, is_pool, variables, self.fixed);
        let block = Rc::new(block);
        known.push((value.clone(), Rc::clone(&block)));
        block
    }

    /// What was read of pools into variables of its own, by a script and by all blocks that have been met.
    pub(crate) fn readings(&self, script: &Script) -> Map<VarId, Expr> {
        let mut readings = Map::default();
        script.collect_readings(&mut readings);
        for (_, block) in self.blocks.values().flatten() {
            block.script.collect_readings(&mut readings);
        }
        readings
    }

    /// A variable that the script does not have.
    pub(crate) fn add(&mut self, name: &str, span: Span) -> VarId {
        let variables = self.variables.to_mut();
        let var = VarId(variables.len());
        variables.push(Variable::rolled(name, span));
        var
    }

    /// What is known of a variable.
    pub(crate) fn variable(&self, var: VarId) -> &Variable {
        &self.variables[var.0]
    }

    /// What a variable is called in the ruleset.
    pub(crate) fn name(&self, var: VarId) -> &str {
        self.variables[var.0].name()
    }

    /// The rolled variables that an expression reads.
    pub(crate) fn reads_of(&self, expr: &Expr) -> Vec<VarId> {
        let mut read = Vec::new();
        collect_vars(expr, self.fixed, &mut read);
        read
    }

    /// Whether an expression reads a variable that is bound outside.
    pub(crate) fn reads(&self, expr: &Expr, var: VarId) -> bool {
        let is_it = |part: &Expr| matches!(part.kind, Kind::Var(other) if other == var);
        !self.fixed.contains_key(&var) && expr.any(&mut { is_it })
    }
}

/// Errors at their places in the ruleset.
impl Scope<'_> {
    /// An error at the place of an expression.
    pub(crate) fn error(
        &self,
        at: &Expr,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> Error {
        self.error_at(at.span, message, label)
    }

    pub(crate) fn error_with_help(
        &self,
        span: Span,
        message: String,
        label: &str,
        help: String,
    ) -> Error {
        let diagnostic = Diagnostic::new(self.source, span, message);
        Error::Rule(Box::new(diagnostic.with_label(label).with_help(help)))
    }

    pub(crate) fn error_at(
        &self,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> Error {
        let diagnostic = Diagnostic::new(self.source, span, message).with_label(label);
        Error::Rule(Box::new(diagnostic))
    }

    /// A distribution's error, at the place of the expression that caused it.
    pub(crate) fn wrap(&self, at: &Expr, error: &oddsmith_dist::Error) -> Error {
        self.wrap_at(at.span, error)
    }

    pub(crate) fn wrap_at(&self, span: Span, error: &oddsmith_dist::Error) -> Error {
        match error {
            oddsmith_dist::Error::OverBudget { predicted, limit } => {
                let text = self
                    .source
                    .text
                    .get(span.start..span.end)
                    .unwrap_or_default();
                let what = if text.len() <= 60 {
                    format!("`{text}`")
                } else {
                    "this step".to_owned()
                };
                Error::over_budget(what, *predicted, *limit)
            }
            oddsmith_dist::Error::OutcomeOverflow { .. } => {
                self.error_at(span, "a number leaves the range of 64 bits", "here")
            }
            other => self.error_at(span, other.to_string(), "here"),
        }
    }

    /// A refusal of too many states: by the step that binds `var` for each of so many combinations of other values.
    pub(crate) fn too_joint(
        &self,
        error: Error,
        var: VarId,
        beside: &[VarId],
        combinations: usize,
    ) -> Error {
        let Error::OverBudget {
            predicted, limit, ..
        } = error
        else {
            return error;
        };
        let span = self.variable(var).span();
        let mut names: Vec<String> = beside
            .iter()
            .filter_map(|var| self.written(self.variable(*var).span()))
            .collect();
        names.sort_unstable();
        names.dedup();
        let (line, _) = self.source.line_column(span.start);
        let place = self.place(span);
        if names.is_empty() || combinations < 2 {
            return Error::over_budget(place, predicted, limit);
        }
        let names = listed(&names);
        Error::OverBudget {
            what: format!("{place}, for each of {combinations} combinations of {names},"),
            predicted,
            limit,
            help: format!(
                "before line {line}, bind what later lines need of {names} to fewer or smaller values, such as one `let` that adds them up or compares them; or show less at once, or raise the budget (`--budget`)"
            ),
        }
    }

    /// What stands at a place, and in which line: `` `2d6 + stat` in line 7``.
    pub(crate) fn place(&self, span: Span) -> String {
        let (line, _) = self.source.line_column(span.start);
        let step = self.written(span);
        let step = step.unwrap_or_else(|| "what is worked out".to_owned());
        format!("{step} in line {line}")
    }

    /// What stands at a place, if that is short.
    fn written(&self, span: Span) -> Option<String> {
        let text = self.source.text.get(span.start..span.end)?;
        (text.len() <= 40 && !text.contains('\n')).then(|| format!("`{text}`"))
    }

    pub(crate) fn overflow(&self, at: &Expr) -> Error {
        self.error(at, "a number leaves the range of 64 bits", "here")
    }
}

/// `a`, `a and b`, `a, b and c`, `a, b, c and 4 more`
fn listed(names: &[String]) -> String {
    const MOST: usize = 4;
    let (shown, more) = names.split_at(names.len().min(MOST));
    match (shown, more.len()) {
        ([only], 0) => only.clone(),
        ([first @ .., last], 0) => format!("{} and {last}", first.join(", ")),
        (shown, more) => format!("{} and {more} more", shown.join(", ")),
    }
}
