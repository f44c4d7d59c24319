//! The distribution of values of a check: of one, or of several at once.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use oddsmith::questions::number_title;
use oddsmith::{Answer, DistributionAnswer, UBig, shortest};
use oddsmith_rules::OutcomeKind;

use crate::document::{Block, Column, Document, Medium, Span, Table};
use crate::format::dist::{CUMULATIVE, share};
use crate::format::outcomes::{self, Kind, Line};
use crate::format::words::Form;
use crate::format::{dist_view, view};

/// More values than this do not stand side by side.
const MOST_ACROSS: usize = 12;

/// A row for each value; of two at once a table with one across, if that is not too wide.
pub(crate) fn document(
    title: &str,
    answer: &DistributionAnswer,
    form: Form,
    medium: Medium,
) -> Document {
    let mut document = Document::default();
    // Dice alone have nothing that could be set.
    let settings = match answer.check.inputs.is_empty() {
        true => String::new(),
        false => answer.check.tell(&answer.config),
    };
    document.push_on(Medium::Terminal, view::opening(title, &settings));
    match (answer.values.as_slice(), answer.numbers()) {
        ([value], Some(dist)) => {
            let name = number_title(&answer.check, &value.name);
            let whole = (dist, answer.tail.as_ref());
            dist_view::push(&mut document, &name, whole, form, medium);
        }
        ([value], None) => {
            document.push_on(
                Medium::Terminal,
                [Block::paragraph(answer.check.title_of(&value.name))],
            );
            document.push([Block::table(outcomes::table(&lines(answer), form))]);
        }
        _ => joint(&mut document, answer, form),
    }
    document
}

/// The labels of a value, or whether a flag holds.
fn lines(answer: &DistributionAnswer) -> Vec<Line> {
    let total = answer.total();
    let kind = match answer.values[0].kind {
        OutcomeKind::Flag => Kind::Flag,
        _ => Kind::Band,
    };
    let line = |(values, weight): (Vec<i64>, UBig)| Line {
        name: answer.text(0, values[0]),
        kind,
        answer: Answer {
            weight: weight.into(),
            total: total.clone(),
        },
    };
    answer.rows().into_iter().map(line).collect()
}

fn joint(document: &mut Document, answer: &DistributionAnswer, form: Form) {
    let rows = answer.rows();
    let counts: Vec<BTreeSet<i64>> = { 0..answer.values.len() }
        .map(|place| rows.iter().map(|(values, _)| values[place]).collect())
        .collect();
    let names: Vec<&str> = answer
        .values
        .iter()
        .map(|value| answer.check.title_of(&value.name))
        .collect();
    let across = match counts.as_slice() {
        [first, second] if second.len() <= MOST_ACROSS || second.len() <= first.len() => 1,
        _ => 0,
    };
    if counts.len() == 2 && counts[across].len() <= MOST_ACROSS {
        let down = 1 - across;
        let title = format!("{} down, {} across", names[down], names[across]);
        document.push([Block::paragraph(Span::muted(title))]);
        let both = [(down, &counts[down]), (across, &counts[across])];
        document.push([Block::table(matrix(answer, &rows, both, form))]);
        return;
    }
    let mut columns: Vec<Column> = names.iter().map(|name| Column::right(*name)).collect();
    columns.push(Column::right("odds"));
    let row = |(values, weight): &(Vec<i64>, UBig)| {
        let values = { values.iter().enumerate() }.map(|(place, value)| answer.text(place, *value));
        let odds = form.show_weight(weight, answer.total());
        values.chain([odds]).map(Span::from).collect::<Vec<Span>>()
    };
    let table = Table::new(columns).with_rows(rows.iter().map(row));
    document.push([Block::table(table)]);
}

/// The odds of each pair, and those of each value whatever the other is.
fn matrix(
    answer: &DistributionAnswer,
    rows: &[(Vec<i64>, UBig)],
    [(down, downs), (across, acrosses)]: [(usize, &BTreeSet<i64>); 2],
    form: Form,
) -> Table {
    let mut weights: BTreeMap<i64, BTreeMap<i64, UBig>> = BTreeMap::new();
    let mut any: BTreeMap<i64, UBig> = BTreeMap::new();
    for (values, weight) in rows {
        let own = weights.entry(values[down]).or_default();
        *own.entry(values[across]).or_default() += weight;
        *any.entry(values[across]).or_default() += weight;
    }
    let mut columns = vec![Column::right(answer.values[down].name.as_str())];
    columns.extend(
        acrosses
            .iter()
            .map(|value| Column::right(answer.text(across, *value))),
    );
    columns.push(Column::right("any"));
    let shown = |weight: &UBig| Span::from(form.show_weight(weight, answer.total()));
    let row = |name: String, own: &BTreeMap<i64, UBig>| {
        let mut cells = vec![Span::from(name)];
        for value in acrosses {
            cells.push(own.get(value).map_or_else(|| shown(&UBig::ZERO), shown));
        }
        cells.push(shown(&own.values().sum()));
        cells
    };
    let each = downs
        .iter()
        .map(|value| row(answer.text(down, *value), &weights[value]));
    let mut table = Table::new(columns).with_rows(each);
    table.push(row("any".to_owned(), &any));
    table
}

/// The columns of `oddsmith dist`; of several values a column for each, without sums.
pub(crate) fn csv(answer: &DistributionAnswer) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let is_alone = answer.values.len() == 1;
    let names = answer.values.iter().map(|value| value.name.as_str());
    let names: Vec<&str> = if is_alone {
        vec!["outcome"]
    } else {
        names.collect()
    };
    let sums: &[&str] = if is_alone { &CUMULATIVE } else { &[] };
    let head = ["weight", "total", "probability"];
    writer.write_record(names.iter().chain(&head).chain(sums))?;
    let total = answer.total();
    let mut below = UBig::ZERO;
    for (values, weight) in answer.rows() {
        for (place, value) in values.iter().enumerate() {
            writer.write_field(answer.text(place, *value))?;
        }
        writer.write_field(weight.to_string())?;
        writer.write_field(total.to_string())?;
        let at_least = total - &below;
        below += &weight;
        let sums = [&at_least, &below].into_iter().filter(|_| is_alone);
        for weight in std::iter::once(&weight).chain(sums) {
            let probability = shortest(share(weight, total));
            writer.write_field(probability)?;
        }
        writer.write_record(None::<&[u8]>)?;
    }
    Ok(writer.into_inner()?)
}
