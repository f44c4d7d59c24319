//! Programs as rulesets: what has a faithful counterpart, and why the rest has none.

mod calls;
mod expression;
mod reason;
mod scope;
mod term;

use std::fmt::Write as _;

use crate::Depths;
use crate::source::Span;
use crate::syntax::{Block, Code, Expr, Order, Piece, Setting, Statement};
pub use reason::Reason;
use scope::Scope;
use term::Term;

/// What an `output` becomes in a ruleset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translation {
    /// The statement in the program.
    pub span: Span,
    /// A check that shows the same, or why there is none.
    pub check: Result<TranslatedCheck, Reason>,
}

/// A check of a ruleset, which shows `value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TranslatedCheck {
    /// What it is called.
    pub name: String,
    /// What the program calls its output, `[N]` being a variable; empty where it has no name.
    pub help: String,
    /// The loops around the output, from the outermost.
    pub axes: Vec<TranslatedAxis>,
    /// Its script.
    pub script: String,
}

/// A loop as an axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TranslatedAxis {
    /// The axis.
    pub name: String,
    /// The variable of the loop.
    pub variable: String,
    /// Its values, ascending.
    pub values: Vec<i64>,
}

impl TranslatedCheck {
    /// The check as a table of a ruleset file.
    #[must_use]
    pub fn toml(&self) -> String {
        let mut toml = format!("[checks.{}]\n", self.name);
        if !self.help.is_empty() {
            let _ = writeln!(toml, "help = {}", quoted(&self.help));
        }
        for axis in &self.axes {
            let (first, last) = (axis.values[0], axis.values[axis.values.len() - 1]);
            let sweep: Vec<String> = axis.values.iter().map(i64::to_string).collect();
            let _ = writeln!(
                toml,
                "axes.{} = {{ default = {first}, domain = \"{first}..={last}\", sweep = \"{}\" }}",
                axis.name,
                sweep.join(",")
            );
        }
        let _ = writeln!(toml, "rules = \"\"\"\n{}\"\"\"", self.script);
        toml
    }
}

/// A ruleset file of these checks; `name` is the name of the game.
#[must_use]
pub fn ruleset<'a>(name: &str, checks: impl IntoIterator<Item = &'a TranslatedCheck>) -> String {
    let mut toml = format!("name = {}\n", quoted(name));
    for check in checks {
        toml.push('\n');
        toml.push_str(&check.toml());
    }
    toml
}

/// A text as a string of a ruleset file.
fn quoted(text: &str) -> String {
    let shown = oddsmith_diagnostics::one_line(text);
    format!("\"{}\"", shown.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A translation of each `output` of a program.
pub(crate) fn translate(code: &Code, depths: &Depths) -> Vec<Translation> {
    let mut translator = Translator {
        scope: Scope::new(code, depths),
        depths: *depths,
        loops: Vec::new(),
        barrier: None,
        translations: Vec::new(),
    };
    translator.block(&code.body);
    translator.translations
}

/// The state of a program that is translated from top to bottom.
struct Translator<'a> {
    scope: Scope<'a>,
    /// Depths that win over those that the program sets.
    depths: Depths,
    loops: Vec<TranslatedAxis>,
    /// Why nothing has a counterpart here, such as an `if` around it.
    barrier: Option<Reason>,
    translations: Vec<Translation>,
}

impl<'a> Translator<'a> {
    fn block(&mut self, block: &'a Block) {
        for statement in block {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &'a Statement) {
        match statement {
            Statement::Assign { name, value } => {
                let term = self.scope.expression(value);
                let term = term.and_then(|term| match term.has_names() {
                    // The roll would be the same one wherever the variable stands.
                    true => Err(term::same_roll(value.span)),
                    false => Ok(term),
                });
                self.scope.variables[*name] = Some(term);
            }
            Statement::Output { value, label, span } => {
                let check = match &self.barrier {
                    Some(reason) => Err(reason.clone()),
                    None => self.check(value, label.as_deref().unwrap_or_default()),
                };
                self.translations.push(Translation { span: *span, check });
            }
            Statement::Define(function) => {
                let shape = self.scope.code.functions[*function].shape;
                self.scope.functions[shape] = Some(*function);
            }
            Statement::Set { setting, span } => self.set(setting, *span),
            Statement::Loop { name, over, body } => {
                let before = self.barrier.clone();
                match self.scope.expression(over).and_then(Term::into_row) {
                    Ok(values) if !values.is_empty() => self.repeat(*name, values, body),
                    Ok(_) => {}
                    Err(reason) => self.behind(reason, |translator| {
                        translator.forget(body, over.span);
                        translator.block(body);
                    }),
                }
                self.barrier = before;
                self.forget(body, over.span);
                self.scope.variables[*name] = None;
            }
            Statement::If { arms, otherwise } => {
                let span = arms[0].0.span;
                let message =
                    "it stands in an `if`, and a check is the same for all values of its axes"
                        .to_owned();
                self.behind(Reason { message, span }, |translator| {
                    let bodies = arms.iter().map(|(_, body)| body).chain([otherwise]);
                    for body in bodies {
                        translator.block(body);
                        translator.forget(body, span);
                    }
                });
            }
            Statement::Result(_) => {}
        }
    }

    /// Translates what has no counterpart for a reason.
    fn behind(&mut self, reason: Reason, translate: impl FnOnce(&mut Self)) {
        let before = self.barrier.clone();
        self.barrier.get_or_insert(reason);
        translate(self);
        self.barrier = before;
    }

    fn repeat(&mut self, name: usize, mut values: Vec<i64>, body: &'a Block) {
        values.sort_unstable();
        values.dedup();
        let variable = self.scope.code.names[name].clone();
        let axis = axis_name(&variable);
        self.forget(body, Span::default());
        self.scope.variables[name] = Some(Ok(Term::fixed(axis.clone())));
        self.loops.push(TranslatedAxis {
            name: axis,
            variable,
            values,
        });
        self.block(body);
        self.loops.pop();
    }

    /// Variables that a block gives values to are not known around it, nor from round to round.
    fn forget(&mut self, block: &Block, span: Span) {
        for statement in block {
            match statement {
                Statement::Assign { name, .. } => {
                    let message = "a variable of it changes from round to round".to_owned();
                    self.scope.variables[*name] = Some(Err(Reason { message, span }));
                }
                Statement::Loop { name, body, .. } => {
                    self.scope.variables[*name] = None;
                    self.forget(body, span);
                }
                Statement::If { arms, otherwise } => {
                    arms.iter().for_each(|(_, body)| self.forget(body, span));
                    self.forget(otherwise, span);
                }
                _ => {}
            }
        }
    }

    fn set(&mut self, setting: &'a Setting, span: Span) {
        match setting {
            Setting::PositionOrder(order) => {
                self.scope.is_lowest_first = *order == Order::LowestFirst;
            }
            Setting::ExplodeDepth(depth) => {
                if self.depths.explode_depth.is_none() {
                    self.scope.explode_depth = self.depth(depth, span);
                }
            }
            Setting::FunctionDepth(depth) => {
                if self.depths.function_depth.is_none() {
                    self.scope.function_depth = self.depth(depth, span);
                }
            }
        }
    }

    fn depth(&mut self, depth: &'a Expr, span: Span) -> Result<i64, Reason> {
        let depth = self.scope.expression(depth).ok();
        depth.and_then(|term| term.constant).ok_or_else(|| Reason {
            message: "a depth is no plain number".to_owned(),
            span,
        })
    }

    fn check(&mut self, value: &'a Expr, label: &[Piece]) -> Result<TranslatedCheck, Reason> {
        self.scope.lets.clear();
        let term = self.scope.expression(value)?;
        let mut script = self.scope.lets.concat();
        let _ = writeln!(script, "show value = {}", term.number(value.span)?);
        let name = format!("output_{}", self.translations.len() + 1);
        let help = label.iter().map(|piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Name(name, _) => format!("[{}]", self.scope.code.names[*name]),
        });
        Ok(TranslatedCheck {
            name,
            help: help.collect(),
            axes: self.loops.clone(),
            script,
        })
    }
}

/// The axis of a variable: its name in small letters, unless that means something in a script.
fn axis_name(variable: &str) -> String {
    const TAKEN: [&str; 26] = [
        "let", "show", "set", "choose", "oppose", "in", "where", "repeat", "for", "until", "if",
        "then", "else", "match", "and", "or", "not", "true", "false", "value", "band", "name", "d",
        "kh", "kl", "cs",
    ];
    let name = variable.to_lowercase();
    let is_plain = name.starts_with(|c: char| c.is_ascii_lowercase()) && name.len() > 1;
    match is_plain && !TAKEN.contains(&name.as_str()) {
        true => name,
        false => format!("axis_{}", name.trim_matches('_')),
    }
}
