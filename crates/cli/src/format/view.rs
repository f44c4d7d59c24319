//! The odds of one configuration, with the numbers that its check shows.

pub(crate) use oddsmith::NamedNumber as Observable;
use oddsmith::questions::number_title;
use oddsmith_rules::Check;

use crate::document::{Block, Column, Document, Span, Table};
use crate::format::outcomes::{self, Line};
use crate::format::words::{self, Form};

/// What is shown of one configuration.
#[derive(Debug)]
pub(crate) struct OddsView {
    pub(crate) title: String,
    pub(crate) settings: String,
    /// Bands, flags, queries.
    pub(crate) lines: Vec<Line>,
    pub(crate) observables: Vec<Observable>,
    /// How the odds are written.
    pub(crate) form: Form,
}

impl OddsView {
    /// The whole view.
    pub(crate) fn document(&self) -> Document {
        let mut document = Document::default();
        document.push(opening(&self.title, &self.settings));
        document.push(odds(&self.lines, self.form));
        document.push(numbers(&self.observables));
        document
    }
}

/// Numbers as people read them: with labels in place of names.
pub(crate) fn told(check: &Check, numbers: Vec<Observable>) -> Vec<Observable> {
    let told = numbers.into_iter().map(|number| Observable {
        name: number_title(check, &number.name),
        ..number
    });
    told.collect()
}

/// A title, and what is set.
pub(crate) fn opening(title: &str, settings: &str) -> [Block; 2] {
    [Span::strong(title), Span::muted(settings)].map(Block::paragraph)
}

/// The answers, if there are any.
pub(crate) fn odds(lines: &[Line], form: Form) -> Option<Block> {
    (!lines.is_empty()).then(|| Block::table(outcomes::table(lines, form)))
}

/// Mean, deviation and range of each, if there are any.
pub(crate) fn numbers(observables: &[Observable]) -> Option<Block> {
    let mut columns = Column::of_numbers(["", "mean", "sd"]);
    columns.push(Column::left("range"));
    let table = Table::new(columns).with_rows(observables.iter().map(number_row));
    (!table.is_empty()).then(|| Block::table(table))
}

fn number_row(observable: &Observable) -> [Span; 4] {
    let name = observable.name.as_str().into();
    let Some(dist) = &observable.dist else {
        let why = Span::muted("over the budget");
        return [name, Span::default(), Span::default(), why];
    };
    let (mean, variance) = (dist.mean(), dist.variance());
    [
        name,
        words::value(&mean).into(),
        words::deviation(&variance).into(),
        words::range(dist).into(),
    ]
}
