//! Many configurations compared: those that are worth a look, and all of them in a few lines.

use std::cmp::Reverse;

use oddsmith_analysis::compare::{LineSummary, Order, Row};
use oddsmith_exact::RBig;

use crate::format::comparison::{Compared, SIDES};
use crate::format::comparison_view::line::{View, line_texts};
use crate::format::comparison_view::verdict;
use crate::format::difference::{share, signed, size};
use crate::format::grid::{Align, Cell, Grid};
use crate::format::markup::Markup;
use crate::format::paint::DIM;
use crate::format::words;

/// Rows that are shown together.
const MOST_ROWS: usize = 60;
/// Of more than that, those that are shown.
const WORST_ROWS: usize = 20;

/// The rows to show, and if these are not all a line that says so.
pub(super) fn table(view: &View<'_>) -> String {
    let mut grid = Grid::new(&aligns(view));
    for head in heads(view) {
        let head: Vec<&str> = head.iter().map(String::as_str).collect();
        grid.head(&head);
    }
    let rows = shown(view);
    for row in &rows {
        let style = match &row.difference {
            Some(difference) if difference.order == Order::Equal => DIM,
            _ => anstyle::Style::new(),
        };
        let texts = texts(view, row).into_iter();
        grid.push(texts.map(|text| Cell::styled(text, style)).collect());
    }
    let mut text = grid.render("  ");
    if rows.len() < view.comparison.rows.len() {
        let all = words::grouped(view.comparison.rows.len());
        text += &format!(
            "  {DIM}of {all} configurations those that differ most, of equal ones the first; --format csv has all{DIM:#}\n"
        );
    }
    text
}

/// All rows for a document.
pub(super) fn whole_table(view: &View<'_>, markup: Markup) -> String {
    let [above, below] = heads(view);
    let mut last = String::new();
    let mut names = Vec::new();
    for (above, below) in above.iter().zip(below) {
        if !above.is_empty() {
            last.clone_from(above);
        }
        let is_line = SIDES.contains(&below.as_str()) || below == "B - A";
        names.push(match is_line {
            true => format!("{last}: {below}"),
            false => below,
        });
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let rows: Vec<Vec<String>> = view
        .comparison
        .rows
        .iter()
        .map(|row| texts(view, row))
        .collect();
    markup.table(&names, &aligns(view), &rows)
}

fn is_compared(view: &View<'_>) -> bool {
    !matches!(view.comparison.compared, Compared::Nothing)
}

fn aligns(view: &View<'_>) -> Vec<Align> {
    let axes = view.comparison.axes.iter().map(|axis| match axis.is_label {
        true => Align::Left,
        false => Align::Right,
    });
    let lines = std::iter::repeat_n(Align::Right, 3 * view.comparison.heads.len());
    let whole = match is_compared(view) {
        true => vec![Align::Right, Align::Right, Align::Left],
        false => Vec::new(),
    };
    axes.chain(lines).chain(whole).collect()
}

/// The names of the lines above what their columns are.
fn heads(view: &View<'_>) -> [Vec<String>; 2] {
    let mut heads = [Vec::new(), Vec::new()];
    let mut push = |above: &str, below: &str| {
        heads[0].push(above.to_owned());
        heads[1].push(below.to_owned());
    };
    for axis in &view.comparison.axes {
        push("", &axis.name);
    }
    for head in &view.comparison.heads {
        push(&head.name, SIDES[0]);
        push("", SIDES[1]);
        push("", "B - A");
    }
    if is_compared(view) {
        push("", "variation");
        push("", "distance");
        push("", "order");
    }
    heads
}

/// The rows to show: all in their order; or of many those that differ most, and of rows with the same odds the first.
fn shown<'c>(view: &View<'c>) -> Vec<&'c Row> {
    let mut rows: Vec<&Row> = view.comparison.rows.iter().collect();
    if rows.len() <= MOST_ROWS {
        return rows;
    }
    rows.sort_by_cached_key(|row| Reverse(distance(row)));
    let mut shown: Vec<&Row> = Vec::new();
    for row in rows {
        if shown.len() < WORST_ROWS && shown.iter().all(|other| other.answers != row.answers) {
            shown.push(row);
        }
    }
    shown
}

/// How far the two sides of a row are apart; without a scale by the line that differs most.
fn distance(row: &Row) -> RBig {
    match &row.difference {
        Some(difference) => difference.variation.clone(),
        None => {
            let lines = (0..row.answers[0].len()).filter_map(|line| row.line_difference(line));
            lines.map(|own| size(&own)).max().unwrap_or(RBig::ZERO)
        }
    }
}

fn texts(view: &View<'_>, row: &Row) -> Vec<String> {
    let axes = view.comparison.axes.iter().zip(&row.places);
    let mut texts: Vec<String> = axes
        .map(|(axis, place)| axis.values[*place].clone())
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

fn order(view: &View<'_>, order: Order) -> String {
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

/// The largest and the mean difference of each line, and how often which side is better.
pub(super) fn summary(view: &View<'_>) -> String {
    let mut grid = Grid::new(&[Align::Left, Align::Right, Align::Right, Align::Left]);
    grid.head(&["B - A", "mean", "largest", "at"]);
    for row in summary_rows(view) {
        grid.push(row.into_iter().map(Cell::from).collect());
    }
    counts(view) + "\n" + &grid.render("  ")
}

/// The same for a document.
pub(super) fn summary_table(view: &View<'_>, markup: Markup) -> String {
    let aligns = [Align::Left, Align::Right, Align::Right, Align::Left];
    markup.table(
        &["B - A", "mean", "largest", "at"],
        &aligns,
        &summary_rows(view),
    )
}

fn summary_rows(view: &View<'_>) -> Vec<Vec<String>> {
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
        .zip(&view.comparison.summary.lines);
    let mut rows: Vec<Vec<String>> = lines
        .map(|(head, line)| {
            row(&head.name, line, &|number| {
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
pub(super) fn counts(view: &View<'_>) -> String {
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
    text.push('\n');
    let [.., neither] = summary.first;
    if let Some(row) = neither.map(|at| &view.comparison.rows[at])
        && let Some(difference) = &row.difference
    {
        let (place, verdict) = (
            view.comparison.place(row),
            verdict::sentence(view, difference),
        );
        text += &format!("first at {place}: {verdict}\n");
    }
    text
}
