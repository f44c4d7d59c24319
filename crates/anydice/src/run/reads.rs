//! Which variables a call can read, and so may depend on.

use crate::syntax::{Block, Code, Element, Expr, ExprKind, Statement};

/// What a function uses by itself.
#[derive(Clone, Debug, Default)]
struct Uses {
    names: Vec<usize>,
    shapes: Vec<usize>,
    /// How many statements and expressions were looked at.
    seen: usize,
}

/// The variables that a function, and whatever it calls, can read from outside, sorted. Functions see the variables of those
/// that call them.
/// How many parts of the program were looked at comes with them.
pub(super) fn reads(
    code: &Code,
    functions: &[Option<usize>],
    function: usize,
) -> (Vec<usize>, usize) {
    let mut names = Vec::new();
    let mut seen = vec![false; code.functions.len()];
    let mut open = vec![function];
    let mut looked_at = code.functions.len();
    while let Some(at) = open.pop() {
        if std::mem::replace(&mut seen[at], true) {
            continue;
        }
        let mut uses = Uses::default();
        uses.block(&code.functions[at].body);
        names.append(&mut uses.names);
        looked_at += uses.seen;
        open.extend(uses.shapes.iter().filter_map(|shape| functions[*shape]));
    }
    let own = &code.functions[function].parameters;
    names.sort_unstable();
    names.dedup();
    names.retain(|name| own.iter().all(|parameter| parameter.name != *name));
    (names, looked_at)
}

impl Uses {
    fn block(&mut self, block: &Block) {
        for statement in block {
            self.seen += 1;
            match statement {
                Statement::Assign { value, .. }
                | Statement::Output { value, .. }
                | Statement::Result(value) => self.expr(value),
                Statement::Loop { over, body, .. } => {
                    self.expr(over);
                    self.block(body);
                }
                Statement::If { arms, otherwise } => {
                    for (condition, body) in arms {
                        self.expr(condition);
                        self.block(body);
                    }
                    self.block(otherwise);
                }
                Statement::Define(_) | Statement::Set { .. } => {}
            }
        }
    }

    fn expr(&mut self, expr: &Expr) {
        self.seen += 1;
        match &expr.kind {
            ExprKind::Number(_) => {}
            ExprKind::Name(name) => self.names.push(*name),
            ExprKind::Prefix(_, operand) => self.expr(operand),
            ExprKind::Sequence(elements) => elements.iter().for_each(|part| self.element(part)),
            ExprKind::Chain(first, rest) => {
                self.expr(first);
                rest.iter().for_each(|(_, right)| self.expr(right));
            }
            ExprKind::Call(shape, arguments) => {
                self.shapes.push(*shape);
                arguments.iter().for_each(|argument| self.expr(argument));
            }
        }
    }

    fn element(&mut self, element: &Element) {
        self.expr(&element.from);
        element.to.iter().for_each(|to| self.expr(to));
        element.times.iter().for_each(|times| self.expr(times));
    }
}
