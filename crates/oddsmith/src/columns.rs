//! The columns of a table, and the cells of its rows as values: each writer makes of them what it writes.

use oddsmith_exact::{Answer, Answers, IBig, RBig, Row, RowAnswer, UBig};
use oddsmith_numbers::{Form, value};
use oddsmith_rules::{Check, Domain, InputRange, Query, label_of};

use crate::answer::{self, AnswerKind as Kind, infinite};
use crate::number;
use crate::questions::query_title;

/// What a row has in a column.
#[derive(Clone, Copy, Debug)]
pub enum Cell<'c> {
    /// A swept number.
    Whole(i64),
    /// A swept label: its place among [`Column::labels`].
    Label(usize),
    /// An answer to a question of this kind.
    Answer(RowAnswer<'c>, Kind),
    /// A part of an answer, over this total where there is one that several answers share.
    WeightPart(WeightPart, RowAnswer<'c>, Option<&'c UBig>),
    /// Nothing: a configuration that breaks a rule has no answers.
    Nothing,
}

/// What an exact answer is made of: whole numbers of any size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeightPart {
    /// The weight.
    Weight,
    /// The total that the weight is over.
    Total,
}

/// What a cell shows of a row.
#[derive(Clone, Debug)]
enum Content {
    /// The swept value at a place of the row.
    Axis { place: usize },
    /// An answer.
    Answer { answer: usize, kind: Kind },
    /// A part of an answer; over the common total if it is a plain probability.
    WeightPart {
        part: WeightPart,
        answer: usize,
        is_common: bool,
    },
}

/// A column of a table.
#[derive(Clone, Debug)]
pub struct Column {
    /// The name, as it stands in the head of data.
    pub name: String,
    /// What people read in its place.
    pub title: String,
    /// What people read in place of some swept values, by these values; labels of a list by their places.
    pub value_labels: Vec<(i64, String)>,
    /// The labels that its cells are places of.
    pub labels: Option<Vec<String>>,
    content: Content,
}

/// What the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// 64-bit integers.
    Whole,
    /// Floats; some may be missing.
    Decimal,
    /// Labels, and integers without bound.
    Text,
}

impl Column {
    fn new(name: String, content: Content) -> Self {
        Self {
            title: name.clone(),
            name,
            value_labels: Vec::new(),
            labels: None,
            content,
        }
    }

    fn of_axis(place: usize, range: &InputRange, check: &Check) -> Self {
        let input = &check.inputs[range.input.0];
        let labels = match &input.domain {
            Domain::Range(..) => None,
            Domain::Choice(choice) => Some(choice.labels().to_vec()),
        };
        Self {
            name: input.name.clone(),
            title: input.title().to_owned(),
            value_labels: input.value_labels.clone(),
            labels,
            content: Content::Axis { place },
        }
    }

    /// What its cells are.
    pub fn kind(&self) -> ColumnKind {
        match &self.content {
            Content::Axis { .. } if self.labels.is_none() => ColumnKind::Whole,
            Content::Answer { .. } => ColumnKind::Decimal,
            // Weights have no bound: they are text, as in JSON.
            Content::Axis { .. } | Content::WeightPart { .. } => ColumnKind::Text,
        }
    }

    /// Whether its cells are values of an axis, which say what a row is about.
    pub fn is_axis(&self) -> bool {
        matches!(self.content, Content::Axis { .. })
    }

    /// Whether its cells are whole numbers without bound, which are text in JSON.
    pub fn is_part(&self) -> bool {
        matches!(self.content, Content::WeightPart { .. })
    }

    /// Its cell in a row, where `common` is the total that several answers of the row share.
    #[inline]
    fn cell<'c>(&self, row: &Row<'c>, common: Option<&'c UBig>) -> Cell<'c> {
        match self.content {
            Content::Axis { place } if self.labels.is_some() => {
                let label = usize::try_from(row.values[place]);
                Cell::Label(label.expect("a label's value is its place"))
            }
            Content::Axis { place } => Cell::Whole(row.values[place]),
            _ if row.broken.is_some() => Cell::Nothing,
            Content::Answer { answer, kind } => Cell::Answer(row.answers.get(answer), kind),
            Content::WeightPart {
                part,
                answer,
                is_common,
            } => Cell::WeightPart(part, row.answers.get(answer), common.filter(|_| is_common)),
        }
    }

    /// What people read in place of a swept value, if it has a label.
    pub fn value_label(&self, value: i64) -> Option<&str> {
        label_of(&self.value_labels, value)
    }

    /// A cell of the column as text: for people in a form, or without one as data, with probabilities as decimals.
    /// Nothing where a query has no answer.
    pub fn text(&self, cell: Cell<'_>, form: Option<Form>) -> String {
        let mut text = Vec::new();
        match (cell, form) {
            (Cell::Label(place), form) => {
                return self.label_for(place, form.is_some()).to_owned();
            }
            (Cell::Answer(answer, kind), Some(form)) => return answer_text(answer, kind, form),
            (Cell::Answer(answer, _), None) => {
                if let Some(value) = decimal(answer) {
                    number::push_decimal(value, &mut text);
                }
            }
            (Cell::Whole(value), form) => match self.value_label(value) {
                Some(label) if form.is_some() => return label.to_owned(),
                _ => number::push_int(value, &mut text),
            },
            (Cell::WeightPart(part, answer, common), _) => {
                push_part(part, answer, common, &mut text);
            }
            (Cell::Nothing, _) => {}
        }
        String::from_utf8(text).expect("digits are text")
    }

    /// What people read of the label at a place, or the label itself, which is what data have.
    ///
    /// # Panics
    /// If the column has no such label.
    pub fn label_for(&self, place: usize, are_people: bool) -> &str {
        let own = i64::try_from(place).expect("a list fits 64 bits");
        let told = self.value_label(own).filter(|_| are_people);
        told.unwrap_or_else(|| self.label(place))
    }

    /// The label at a place.
    ///
    /// # Panics
    /// If the column has no such label.
    pub fn label(&self, place: usize) -> &str {
        let labels = self.labels.as_deref().unwrap_or_default();
        labels.get(place).expect("a label's value is its place")
    }
}

/// The columns of a table.
#[derive(Clone, Debug)]
pub struct Columns {
    columns: Vec<Column>,
    /// Answers whose weights are over one total: plain probabilities.
    common: Vec<usize>,
}

impl Columns {
    /// The swept axes, then the answers, then with `exact` their weights and totals.
    pub fn new(check: &Check, ranges: &[InputRange], queries: &[Query], exact: bool) -> Self {
        let axes = ranges.iter().enumerate();
        let mut columns: Vec<Column> = axes
            .map(|(place, range)| Column::of_axis(place, range, check))
            .collect();
        columns.extend(queries.iter().enumerate().map(|(answer, query)| {
            let kind = Kind::of(query);
            let title = query_title(check, &query.text);
            Column {
                title,
                ..Column::new(query.text.clone(), Content::Answer { answer, kind })
            }
        }));
        let mut common = Vec::new();
        if exact {
            // The name of the one total may be taken; then each answer has its own.
            if columns.iter().all(|column| column.name != TOTAL) {
                let is_common =
                    |query: &Query| Kind::of(query).is_probability() && query.given.is_none();
                common = (0..queries.len())
                    .filter(|&at| is_common(&queries[at]))
                    .collect();
            }
            columns.extend(of_weights(queries, &common));
        }
        Self { columns, common }
    }

    /// The columns in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Column> {
        self.columns.iter()
    }

    /// The names of the columns in order.
    pub fn names(&self) -> Vec<&str> {
        let names = self.columns.iter().map(|column| column.name.as_str());
        names.collect()
    }

    /// What people read at the heads of the columns.
    pub fn titles(&self) -> Vec<&str> {
        let titles = self.columns.iter().map(|column| column.title.as_str());
        titles.collect()
    }

    /// Hands each column's cell of a row to `take`, in order.
    #[inline]
    pub fn cells(&self, row: &Row<'_>, mut take: impl FnMut(usize, &Column, Cell<'_>)) {
        let common = match row.broken {
            Some(_) => None,
            None => self.common_total(row.answers),
        };
        for (at, column) in self.columns.iter().enumerate() {
            take(at, column, column.cell(row, common.as_ref()));
        }
    }

    /// The cells of a row as text.
    pub fn texts(&self, row: &Row<'_>, form: Option<Form>) -> Vec<String> {
        let mut texts = Vec::with_capacity(self.columns.len());
        self.cells(row, |_, column, cell| texts.push(column.text(cell, form)));
        texts
    }

    /// The total over which all plain probabilities of a row can be written, if they do not all have the same:
    /// questions about different outcomes may come with different totals.
    fn common_total(&self, answers: Answers<'_>) -> Option<UBig> {
        if answers.shared().is_some() {
            return None;
        }
        let (&first, rest) = self.common.split_first()?;
        let is_same = |&at: &usize| match (answers.get(first), answers.get(at)) {
            (RowAnswer::Small { total, .. }, RowAnswer::Small { total: other, .. }) => {
                total == other
            }
            (one, other) => Answer::from(one).total == Answer::from(other).total,
        };
        if rest.iter().all(is_same) {
            return None;
        }
        let first = Answer::from(answers.get(first)).total;
        let multiple = rest.iter().fold(first, |lcm, &at| {
            // a/b in lowest terms is (lcm/b)/(lcm/a).
            let total = Answer::from(answers.get(at)).total;
            let ratio = RBig::from_parts(IBig::from(lcm.clone()), total);
            lcm * ratio.denominator()
        });
        Some(multiple)
    }
}

/// The column of the total that all plain probabilities share.
const TOTAL: &str = "total";

/// Weights over the common total first, then weight and total of every other question.
fn of_weights(queries: &[Query], common: &[usize]) -> Vec<Column> {
    let column = |name: String, part, answer, is_common| {
        let content = Content::WeightPart {
            part,
            answer,
            is_common,
        };
        Column::new(name, content)
    };
    let weight = |at: usize, is_common| {
        let name = format!("weight:{}", queries[at].text);
        column(name, WeightPart::Weight, at, is_common)
    };
    let mut columns: Vec<Column> = common.iter().map(|&at| weight(at, true)).collect();
    columns.extend(
        { common.first() }.map(|&at| column(TOTAL.to_owned(), WeightPart::Total, at, true)),
    );
    for at in (0..queries.len()).filter(|at| !common.contains(at)) {
        let name = format!("{TOTAL}:{}", queries[at].text);
        columns.extend([
            weight(at, false),
            column(name, WeightPart::Total, at, false),
        ]);
    }
    columns
}

/// The nearest float, infinity included; none if there is no answer.
#[inline]
pub fn decimal(answer: RowAnswer<'_>) -> Option<f64> {
    let value = match answer {
        RowAnswer::Small { weight, total } => number::small_quotient(weight, total),
        RowAnswer::Big(answer) => number::quotient(&answer.weight, &answer.total),
    };
    value.or_else(|| answer::decimal(&Answer::from(answer)))
}

/// An answer as people read it; nothing if there is none.
pub fn answer_text(answer: RowAnswer<'_>, kind: Kind, form: Form) -> String {
    let answer = Answer::from(answer);
    match answer.to_ratio() {
        Some(_) if kind.is_probability() => form.show(&answer.weight, &answer.total),
        Some(ratio) => value(&ratio),
        None if answer.is_infinite() => infinite(&answer).to_owned(),
        None => String::new(),
    }
}

/// Appends a part of an answer, over a common total if there is one.
pub fn push_part(
    part: WeightPart,
    answer: RowAnswer<'_>,
    common: Option<&UBig>,
    out: &mut Vec<u8>,
) {
    match (part, answer, common) {
        (WeightPart::Weight, answer, Some(common)) => {
            let Answer { weight, total } = Answer::from(answer);
            number::push_ibig(&(weight * IBig::from(common / total)), out);
        }
        (WeightPart::Total, _, Some(common)) => number::push_ubig(common, out),
        (WeightPart::Weight, RowAnswer::Small { weight, .. }, None) => {
            number::push_i128(weight, out);
        }
        (WeightPart::Weight, RowAnswer::Big(answer), None) => {
            number::push_ibig(&answer.weight, out);
        }
        (WeightPart::Total, RowAnswer::Small { total, .. }, None) => number::push_i128(total, out),
        (WeightPart::Total, RowAnswer::Big(answer), None) => number::push_ubig(&answer.total, out),
    }
}
