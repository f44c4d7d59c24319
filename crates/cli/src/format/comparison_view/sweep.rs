//! Many configurations compared: those that are worth a look, and all of them in a few lines.

use std::cmp::Reverse;

use oddsmith::comparison::{Compared, SIDES};
use oddsmith_analysis::compare::{LineSummary, Order, PairRow};
use oddsmith_exact::RBig;

use crate::document::{Block, Column, Medium, Role, Span, Table};
use crate::format::comparison_view::line::{ComparisonView, line_texts};
use crate::format::comparison_view::verdict;
use crate::format::difference::{share, signed, size};
use crate::format::words;

/// Rows that are shown together.
const MOST_ROWS: usize = 60;
/// Of more than that, those that are shown.
const WORST_ROWS: usize = 20;

/// The rows to show, and if these are not all a line that says so.
pub(super) fn table(view: &ComparisonView<'_>, medium: Medium) -> [Block; 2] {
    let rows = match medium {
        Medium::Terminal => shown(view),
        Medium::Page => view.comparison.rows.iter().collect(),
    };
    let table = Table::new(columns(view)).with_rows(rows.iter().map(|row| {
        let role = match &row.difference {
            Some(difference) if difference.order == Order::Equal => Role::Muted,
            _ => Role::Plain,
        };
        let texts = texts(view, row).into_iter();
        texts.map(move |text| Span::new(text, role))
    }));
    let mut note = match is_compared(view) {
        true => {
            let variation = match view.is_track() {
                true => "how often, at the least, it comes out otherwise",
                false => "the least share of rolls that come out otherwise",
            };
            format!(
                "variation: {variation}; distance: how far outcomes move on average; order: which side reaches each outcome, or a \
                 better one, at least as often"
            )
        }
        false => String::new(),
    };
    if rows.len() < view.comparison.rows.len() {
        let all = words::grouped(view.comparison.rows.len());
        note = format!(
            "of {all} configurations those that differ most, of equal ones the first; --format csv has all\n{note}"
        );
    }
    [Block::table(table), Block::note(note)]
}

fn is_compared(view: &ComparisonView<'_>) -> bool {
    view.comparison.is_compared()
}

/// The axes, three columns below each line, and what is compared as a whole.
fn columns(view: &ComparisonView<'_>) -> Vec<Column> {
    let axes = view.comparison.axes.iter().map(|axis| match axis.is_label {
        true => Column::left(&axis.title),
        false => Column::right(&axis.title),
    });
    let lines = (0..view.comparison.heads.len()).flat_map(|line| {
        let title = view.title(line);
        let below = |name: &str| Column::right(name).on_page(format!("{title}: {name}"));
        let [a, b, difference] = [SIDES[0], SIDES[1], "B - A"].map(below);
        [a.below(&title), b, difference]
    });
    let whole = match is_compared(view) {
        true => {
            let [variation, distance] = ["variation", "distance"].map(Column::right);
            vec![variation, distance, Column::left("order")]
        }
        false => Vec::new(),
    };
    axes.chain(lines).chain(whole).collect()
}

/// The rows to show: all in their order; or of many those that differ most, and of rows with the same odds the first.
fn shown<'c>(view: &ComparisonView<'c>) -> Vec<&'c PairRow> {
    let mut rows: Vec<&PairRow> = view.comparison.rows.iter().collect();
    if rows.len() <= MOST_ROWS {
        return rows;
    }
    rows.sort_by_cached_key(|row| Reverse(distance(row)));
    let mut shown: Vec<&PairRow> = Vec::new();
    for row in rows {
        if shown.len() < WORST_ROWS && shown.iter().all(|other| other.answers != row.answers) {
            shown.push(row);
        }
    }
    shown
}

/// How far the two sides of a row are apart; without a scale by the line that differs most.
fn distance(row: &PairRow) -> RBig {
    match &row.difference {
        Some(difference) => difference.variation.clone(),
        None => {
            let lines = (0..row.answers[0].len()).filter_map(|line| row.line_difference(line));
            lines.map(|own| size(&own)).max().unwrap_or(RBig::ZERO)
        }
    }
}

fn texts(view: &ComparisonView<'_>, row: &PairRow) -> Vec<String> {
    let axes = view.comparison.axes.iter().zip(&row.places);
    let mut texts: Vec<String> = axes
        .map(|(axis, place)| axis.told[*place].clone())
        .collect();
    for line in 0..view.comparison.heads.len() {
        texts.extend(line_texts(view, row, line).into_iter().skip(1));
    }
    match &row.difference {
        Some(difference) => texts.extend([
            share(&difference.variation, view.form),
            words::value(&difference.distance),
            order(view, difference.order),
        ]),
        None if is_compared(view) => {
            let why = match row.allowed {
                [true, false] => "only A is allowed",
                [false, true] => "only B is allowed",
                _ => "",
            };
            texts.extend(["", "", why].map(str::to_owned));
        }
        None => {}
    }
    texts
}

fn order(view: &ComparisonView<'_>, order: Order) -> String {
    let better = match view.comparison.compared {
        Compared::Number(_) => "higher",
        _ => "better",
    };
    match order {
        Order::Equal => "equal".to_owned(),
        Order::First => format!("A {better}"),
        Order::Second => format!("B {better}"),
        Order::Neither => "neither".to_owned(),
    }
}

/// The largest and the mean difference of each line.
pub(super) fn summary(view: &ComparisonView<'_>) -> Table {
    let mut columns = Column::of_numbers(["B - A", "mean", "largest"]);
    columns.push(Column::left("at"));
    Table::new(columns).with_rows(summary_rows(view))
}

fn summary_rows(view: &ComparisonView<'_>) -> Vec<Vec<String>> {
    let row = |name: &str, line: &LineSummary, show: &dyn Fn(&RBig) -> String| {
        let (largest, at) = match &line.largest {
            Some((row, largest)) if *largest != RBig::ZERO => (
                show(largest),
                view.comparison.place(&view.comparison.rows[*row]),
            ),
            Some(_) => ("0".to_owned(), String::new()),
            None => (String::new(), String::new()),
        };
        let mean = line.mean.as_ref().map(show).unwrap_or_default();
        vec![name.to_owned(), mean, largest, at]
    };
    let lines = view
        .comparison
        .heads
        .iter()
        .enumerate()
        .zip(&view.comparison.summary.lines);
    let mut rows: Vec<Vec<String>> = lines
        .map(|((at, head), line)| {
            row(&view.title(at), line, &|number| {
                signed(number, head.kind.is_probability(), view.form)
            })
        })
        .collect();
    if is_compared(view) {
        rows.push(row(
            "variation",
            &view.comparison.summary.variation,
            &|number| share(number, view.form),
        ));
        rows.push(row(
            "distance",
            &view.comparison.summary.distance,
            &words::value,
        ));
    }
    rows
}

/// How many configurations stand in which order, and where the first of them is in which neither is better.
pub(super) fn counts(view: &ComparisonView<'_>) -> String {
    let summary = &view.comparison.summary;
    let rows = words::grouped(summary.rows);
    let mut text = match summary.rows {
        1 => "1 configuration".to_owned(),
        _ => format!("{rows} configurations"),
    };
    let mut counts: Vec<String> = Order::ALL
        .into_iter()
        .zip(summary.orders)
        .filter(|(_, count)| *count > 0)
        .map(|(of, count)| {
            let count = words::grouped(count);
            format!("{} in {count}", order(view, of))
        })
        .collect();
    for (side, count) in SIDES.into_iter().zip(summary.only) {
        if count > 0 {
            counts.push(format!("only {side} is allowed in {count}"));
        }
    }
    if !counts.is_empty() {
        text += &format!(": {}", counts.join(", "));
    }
    let [.., neither] = summary.first;
    if let Some(row) = neither.map(|at| &view.comparison.rows[at])
        && let Some(difference) = &row.difference
    {
        let (place, verdict) = (
            view.comparison.place(row),
            verdict::sentence(view, difference),
        );
        text += &format!("\nfirst at {place}: {verdict}");
    }
    text
}
