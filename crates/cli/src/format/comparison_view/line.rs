//! One line of a comparison: what both sides answer to a question.

use oddsmith::ComparisonAnswer;
use oddsmith::questions::query_title;
use oddsmith_analysis::compare::PairRow;
use oddsmith_exact::Answer;

use crate::format::difference::signed;
use crate::format::outcomes::Shown as _;
use crate::format::outcomes::{Kind, Line};
use crate::format::words::Form;

/// A comparison, and how its odds are written.
#[derive(Clone, Copy)]
pub(super) struct ComparisonView<'c> {
    pub(super) comparison: &'c ComparisonAnswer,
    pub(super) form: Form,
}

impl ComparisonView<'_> {
    /// Whether it is a whole track that ends on each side, and not a roll.
    pub(super) fn is_track(&self) -> bool {
        self.comparison.checks[0].rounds.is_some()
    }

    /// What people read of the question of a line.
    pub(super) fn title(&self, line: usize) -> String {
        query_title(
            &self.comparison.checks[0],
            &self.comparison.heads[line].name,
        )
    }
}

/// Name, A, B and B - A of a line.
pub(super) fn line_texts(view: &ComparisonView<'_>, row: &PairRow, line: usize) -> [String; 4] {
    let head = &view.comparison.heads[line];
    let [a, b] = [0, 1].map(|side| shown(row.answers[side][line].as_ref(), head.kind, view.form));
    let difference = row.line_difference(line);
    let difference =
        difference.map(|difference| signed(&difference, head.kind.is_probability(), view.form));
    [view.title(line), a, b, difference.unwrap_or_default()]
}

/// `12.35%` or `7.5`; nothing where there is no answer.
fn shown(answer: Option<&Answer>, kind: Kind, form: Form) -> String {
    answer.map_or(String::new(), |answer| {
        let line = Line {
            name: String::new(),
            kind,
            answer: answer.clone(),
        };
        line.shown(form)
    })
}
