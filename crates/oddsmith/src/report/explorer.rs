//! Every configuration of a check's default sweep, as a page holds it.

use oddsmith_exact::Answer;
use oddsmith_report::{Column, ColumnKind, ExactAnswer, Explorer, ExplorerAxis, Values};
use oddsmith_rules::{Check, Domain, Input, InputRange, Query, Role};

use crate::figures::{KeptAnswers, MOST};
use crate::{AnswerKind, Error, Limits, questions};

/// Computes it.
pub(super) fn explorer(check: &Check, limits: &Limits) -> Result<Explorer, Error> {
    let ranges = check.default_sweep();
    refuse_many(check, &ranges)?;
    let columns = questions::of_report(check)?;
    let queries: Vec<Query> = columns.iter().map(|(_, query)| query.clone()).collect();
    let kept = KeptAnswers::compute(check, &check.defaults(), &ranges, &queries, limits)?;
    let answers = kept.into_answers();
    let columns = columns.into_iter().map(|own| column(check, own));
    let mut columns: Vec<Column> = columns.collect();
    mark_moving(&mut columns, &answers);
    let rows = answers.iter().map(|row| {
        let row = row.as_ref()?;
        Some(row.iter().map(exact).collect())
    });
    Ok(Explorer {
        axes: ranges.iter().map(|range| axis(check, range)).collect(),
        fixed: fixed(check),
        answers: rows.collect(),
        columns,
    })
}

/// Says which columns have one value everywhere, such as the points that were spent where none may be. Bands, which sum
/// to 1, are always told; and all columns are, of a single configuration or where none would be left.
fn mark_moving(columns: &mut [Column], answers: &[Option<Vec<Answer>>]) {
    let rows: Vec<&Vec<Answer>> = answers.iter().flatten().collect();
    let [first, others @ ..] = rows.as_slice() else {
        return;
    };
    let first: Vec<_> = first.iter().map(Answer::to_ratio).collect();
    let moves = |at: usize| others.iter().any(|row| row[at].to_ratio() != first[at]);
    let is_told = |(at, column): (usize, &Column)| column.kind == ColumnKind::Band || moves(at);
    let told: Vec<bool> = columns.iter().enumerate().map(is_told).collect();
    if others.is_empty() || !told.contains(&true) {
        return;
    }
    for (column, is_told) in columns.iter_mut().zip(told) {
        column.is_told = is_told;
    }
}

/// A page holds every configuration, so there may be too many.
fn refuse_many(check: &Check, ranges: &[InputRange]) -> Result<(), Error> {
    let lens = ranges.iter().map(|range| range.values.len() as u64);
    let count = lens.fold(1, u64::saturating_mul);
    if count <= MOST {
        return Ok(());
    }
    let name = &check.name;
    let message =
        format!("the default sweep of `{name}` has {count} configurations, too many for a page");
    let help = format!("{MOST} fit: give the `sweep` of its axes fewer values, or drop some");
    Err(Error::advice(message, help))
}

fn axis(check: &Check, range: &InputRange) -> ExplorerAxis {
    let input = &check.inputs[range.input.0];
    let default = range
        .values
        .iter()
        .position(|value| *value == input.default);
    ExplorerAxis {
        name: input.name.clone(),
        label: input.label.clone(),
        value_labels: value_labels(input, &range.values),
        help: input.help.clone(),
        values: match &input.domain {
            Domain::Range(..) => Values::Numbers(range.values.clone()),
            Domain::Choice(_) => {
                let labels = range.values.iter().map(|value| input.domain.show(*value));
                Values::Labels(labels.collect())
            }
        },
        default,
        legal: match input.domain {
            Domain::Range(low, high) => Some((low, high)),
            Domain::Choice(_) => None,
        },
    }
}

/// What people read in place of some values: of words by their places among those that are swept.
fn value_labels(input: &Input, swept: &[i64]) -> Vec<(i64, String)> {
    let labels = input.value_labels.iter();
    if let Domain::Range(..) = input.domain {
        return labels.cloned().collect();
    }
    let places = labels.filter_map(|(value, label)| {
        let place = swept.iter().position(|own| own == value)?;
        Some((i64::try_from(place).ok()?, label.clone()))
    });
    places.collect()
}

/// The axes that are not swept, at their defaults.
fn fixed(check: &Check) -> Vec<(String, String)> {
    let is_fixed = |input: &&Input| input.role == Role::Axis && input.sweep.is_empty();
    let fixed = check.inputs.iter().filter(is_fixed);
    let setting = |input: &Input| (input.title().to_owned(), input.told(input.default));
    fixed.map(setting).collect()
}

fn column(check: &Check, (kind, query): (AnswerKind, Query)) -> Column {
    let kind = match kind {
        AnswerKind::Band => ColumnKind::Band,
        AnswerKind::Flag => ColumnKind::Flag,
        AnswerKind::Probability if query.given.is_some() => ColumnKind::Conditional,
        AnswerKind::Probability => ColumnKind::Probability,
        AnswerKind::Mean | AnswerKind::Variance | AnswerKind::Deviation | AnswerKind::Value => {
            ColumnKind::Number
        }
    };
    let title = questions::query_title(check, &query.text);
    Column {
        title: if title == query.text {
            String::new()
        } else {
            title
        },
        name: query.text,
        kind,
        is_told: true,
    }
}

fn exact(answer: &Answer) -> ExactAnswer {
    ExactAnswer {
        weight: answer.weight.to_string(),
        total: answer.total.to_string(),
    }
}
