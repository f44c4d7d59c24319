//! What names mean while a program is translated.

use super::reason::{Reason, no};
use super::term::Term;
use crate::Depths;
use crate::source::Span;
use crate::syntax::{Code, Element, Expr, ExprKind};

/// Variables and functions as far as they were read. A variable is written out wherever it stands, since its dice are rolled
/// anew each time.
pub(super) struct Scope<'a> {
    pub(super) code: &'a Code,
    pub(super) variables: Vec<Option<Result<Term, Reason>>>,
    pub(super) functions: Vec<Option<usize>>,
    pub(super) is_lowest_first: bool,
    pub(super) explode_depth: Result<i64, Reason>,
    /// How many calls may lie in one another.
    pub(super) function_depth: Result<i64, Reason>,
    /// Statements before the one that shows the value: rolls that functions look at several times.
    pub(super) lets: Vec<String>,
    /// How many functions are open.
    pub(super) depth: u32,
}

/// The longest text of a part, so that a variable that is doubled again and again is none.
const LONGEST: usize = 4000;
/// The most brackets in one another: a script may have 200 levels, and a bracket with an operator in it is two.
const DEEPEST: usize = 90;

impl<'a> Scope<'a> {
    pub(super) fn new(code: &'a Code, depths: &Depths) -> Self {
        let depth = |asked: Option<u32>, usual| Ok(asked.map_or(usual, i64::from));
        Self {
            code,
            variables: vec![None; code.names.len()],
            functions: vec![None; code.shapes.len()],
            is_lowest_first: false,
            explode_depth: depth(depths.explode_depth, 2),
            function_depth: depth(depths.function_depth, 10),
            lets: Vec::new(),
            depth: 0,
        }
    }

    /// An expression as a part of a script.
    pub(super) fn expression(&mut self, expr: &'a Expr) -> Result<Term, Reason> {
        let term = match &expr.kind {
            ExprKind::Number(number) => Ok(Term::constant(*number)),
            ExprKind::Name(name) => match &self.variables[*name] {
                Some(term) => term.clone(),
                None => no(expr.span, "a variable of it has no value"),
            },
            ExprKind::Sequence(elements) => self.sequence(elements, expr.span),
            ExprKind::Prefix(prefix, operand) => self.prefixed(*prefix, operand, expr.span),
            ExprKind::Chain(first, rest) => self.chain(first, rest),
            ExprKind::Call(shape, arguments) => self.call(*shape, arguments, expr.span),
        }?;
        match (term.text.len() > LONGEST, brackets(&term.text) > DEEPEST) {
            (true, _) => no(expr.span, "it would be too long written out"),
            (_, true) => no(expr.span, "it would lie too deep in brackets written out"),
            (false, false) => Ok(term),
        }
    }

    /// A sequence of plain numbers.
    fn sequence(&mut self, elements: &'a [Element], span: Span) -> Result<Term, Reason> {
        let mut row = Vec::new();
        for element in elements {
            let from = self.expression(&element.from)?;
            let part = match (&element.to, from.constant) {
                (None, Some(number)) => vec![number],
                (None, None) => from
                    .into_row()
                    .map_err(|reason| Reason { span, ..reason })?,
                (Some(to), from) => {
                    let ends = from.zip(self.expression(to)?.constant);
                    let Some((from, to)) = ends else {
                        return no(span, "a range whose ends change has no counterpart");
                    };
                    if from <= to && usize::try_from(to.abs_diff(from)).is_ok_and(|n| n > LONGEST) {
                        return no(span, "a range with so many numbers is too long");
                    }
                    (from..=to).collect()
                }
            };
            let times = match &element.times {
                Some(times) => self.expression(times)?.constant,
                None => Some(1),
            };
            let Some(times) = times.and_then(|times| usize::try_from(times.max(0)).ok()) else {
                return no(span, "a number of repeats that changes has no counterpart");
            };
            if part.len().saturating_mul(times) + row.len() > LONGEST {
                return no(span, "so long a sequence has no counterpart");
            }
            row.extend(part.repeat(times));
        }
        Ok(Term::row(row))
    }
}

/// How many brackets of a text lie in one another.
fn brackets(text: &str) -> usize {
    let (mut open, mut deepest) = (0_usize, 0);
    for character in text.bytes() {
        match character {
            b'(' | b'[' | b'{' => open += 1,
            b')' | b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(open);
    }
    deepest
}
