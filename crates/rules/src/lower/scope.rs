//! Names that are bound while a script is lowered.

use crate::check::Input;
use crate::lower::value::{Scalar, Value};
use crate::program::{Expr, Kind, VarId};
use crate::source::Span;

/// What a name stands for.
#[derive(Clone, Debug)]
pub(crate) struct Binding {
    pub(crate) name: String,
    pub(crate) value: Value,
    /// Where it was bound.
    pub(crate) span: Span,
    /// Where the value stands that a `let` or a `show` binds; else none.
    pub(crate) written: Option<Span>,
    /// An axis, as opposed to a `let`: what `..` passes on.
    pub(crate) is_axis: bool,
}

impl Binding {
    /// The variable of a pool behind the name.
    pub(crate) fn pool_variable(&self) -> Option<VarId> {
        match &self.value {
            Value::Pool(pool) => variable(pool),
            _ => None,
        }
    }

    /// The variable behind the name, if it is one that `set` may change.
    pub(crate) fn variable(&self) -> Option<(VarId, Scalar)> {
        match &self.value {
            Value::Scalar(number, scalar) => Some((variable(number)?, scalar.clone())),
            _ => None,
        }
    }
}

/// The variable that an expression is, if it is one.
fn variable(expr: &Expr) -> Option<VarId> {
    match expr.kind {
        Kind::Var(var) => Some(var),
        _ => None,
    }
}

/// Bindings, innermost last.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    bindings: Vec<Binding>,
    /// Bindings before this belong to a caller and can't be seen.
    floor: usize,
    /// What was bound in a block that has ended, where, and in which.
    ended: Vec<(String, Span, Block)>,
}

/// A block whose names end with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Block {
    Repeat,
    For,
}

impl Block {
    /// Its keyword, and what one time through it is called.
    pub(crate) fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Repeat => ("repeat", "round"),
            Self::For => ("for", "pass"),
        }
    }
}

/// How a scope was before a call or a block.
#[derive(Debug)]
pub(crate) struct Mark {
    len: usize,
    floor: usize,
}

impl Scope {
    pub(crate) fn bind(&mut self, binding: Binding) {
        self.bindings.push(binding);
    }

    /// Notes where the value stands that was bound last.
    pub(crate) fn note_written(&mut self, value: Span) {
        if let Some(binding) = self.bindings.last_mut() {
            binding.written = Some(value);
        }
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Binding> {
        self.bindings[self.floor..]
            .iter()
            .rev()
            .find(|binding| binding.name == name)
    }

    /// Where a name is bound that can't be seen from here.
    pub(crate) fn hidden(&self, name: &str) -> Option<Span> {
        let hidden = self.bindings[..self.floor].iter().rev();
        let mut found = hidden.filter(|binding| binding.name == name && !binding.is_axis);
        found.next().map(|binding| binding.span)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.bindings[self.floor..]
            .iter()
            .map(|binding| binding.name.as_str())
    }

    /// What can be named here, each once: values first, then axes.
    pub(crate) fn seen(&self) -> Vec<String> {
        let bindings = &self.bindings[self.floor..];
        let values = bindings.iter().filter(|binding| !binding.is_axis);
        let axes = bindings.iter().filter(|binding| binding.is_axis);
        let mut names: Vec<String> = Vec::new();
        for binding in values.chain(axes) {
            if !matches!(binding.value, Value::Record(..)) && !names.contains(&binding.name) {
                names.push(binding.name.clone());
            }
        }
        names.extend(self.fields());
        names
    }

    /// What can be read of the results of checks, as in `c.total`.
    pub(crate) fn fields(&self) -> Vec<String> {
        let records = self.bindings[self.floor..].iter();
        let records = records.filter_map(|binding| match &binding.value {
            Value::Record(fields, _) => Some((&binding.name, fields)),
            _ => None,
        });
        records
            .flat_map(|(record, fields)| {
                let fields = fields.iter();
                fields.map(move |(field, ..)| format!("{record}.{field}"))
            })
            .collect()
    }

    /// The start of a block that sees what is around it.
    pub(crate) fn open(&self) -> Mark {
        Mark {
            len: self.bindings.len(),
            floor: self.floor,
        }
    }

    /// The start of a call: nothing of the caller is seen.
    pub(crate) fn enter_call(&mut self) -> Mark {
        let mark = self.open();
        self.floor = self.bindings.len();
        mark
    }

    /// What was bound since the call began are the axes of the check that is called, in their order.
    pub(crate) fn make_axes(&mut self, axes: &[Input]) {
        for (binding, axis) in self.bindings[self.floor..].iter_mut().zip(axes) {
            (binding.is_axis, binding.span) = (true, axis.span);
        }
    }

    /// Forgets what was bound since the block at `mark` began, but for its names.
    pub(crate) fn end_block(&mut self, mark: &Mark, block: Block) {
        let ended = self.bindings[mark.len..].iter();
        self.ended
            .extend(ended.map(|binding| (binding.name.clone(), binding.span, block)));
        self.close(mark);
    }

    /// Where a name was bound that a block took with it.
    pub(crate) fn ended(&self, name: &str) -> Option<(Span, Block)> {
        let found = self.ended.iter().rev().find(|(ended, ..)| ended == name);
        found.map(|(_, span, block)| (*span, *block))
    }

    /// Forgets what was bound since `mark`.
    pub(crate) fn close(&mut self, mark: &Mark) {
        self.bindings.truncate(mark.len);
        self.floor = mark.floor;
    }
}
