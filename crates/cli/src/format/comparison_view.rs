//! A comparison, to be read.

mod line;
mod sweep;
mod verdict;

use oddsmith::ComparisonAnswer;
use oddsmith::comparison::SIDES;
use oddsmith::questions::number_title;
use oddsmith_analysis::compare::PairRow;
use oddsmith_exact::{Answer, RBig};

use crate::document::{Block, Column, Document, Medium, Role, Span, Table};
use crate::format::comparison::{headline, in_lines};
use crate::format::difference::{signed, size};
use crate::format::outcomes::{self, Kind};
use crate::format::view;
use crate::format::words::{self, Form};
use crate::number;
use line::{ComparisonView, line_texts};

/// Cells of a bar to either side of its middle.
const HALF_BAR: u32 = 10;

/// What A and B are, their odds side by side, and in words which is better. Of many configurations a terminal shows those
/// that differ most, and a page all.
pub(crate) fn document(comparison: &ComparisonAnswer, form: Form, medium: Medium) -> Document {
    let view = &ComparisonView { comparison, form };
    let mut document = Document::default();
    let (title, sides) = (&comparison.title, &comparison.settings);
    document.push_on(Medium::Terminal, view::opening(title, &in_lines(sides)));
    document.push_on(Medium::Page, [Block::paragraph(headline(title, sides))]);
    match comparison.rows.as_slice() {
        [] => {
            let words = "no configuration is allowed on either side";
            document.push([Block::paragraph(words)]);
        }
        [row] if comparison.axes.is_empty() => {
            document.push_on(Medium::Terminal, odds(view, row));
            document.push_on(Medium::Terminal, numbers(view, row));
            document.push_on(Medium::Page, [Block::table(lines(view, row))]);
            verdict::push_to(&mut document, view, row);
        }
        _ => {
            document.push(sweep::table(view, medium));
            document.push([Block::paragraph(sweep::counts(view))]);
            document.push([Block::table(sweep::summary(view))]);
        }
    }
    let mut heads = comparison.heads.iter();
    if heads.any(|head| head.kind == Kind::Variance) {
        let note = Block::note(words::VARIANCE);
        // One configuration has deviations on a terminal.
        document.add(match comparison.axes.is_empty() {
            true => note.only(Medium::Page),
            false => note,
        });
    }
    document
}

/// Bands, flags and probabilities: A, B, what is between them, and of bands the same for reaching them.
fn odds(view: &ComparisonView<'_>, row: &PairRow) -> Option<Block> {
    let kind = |line: usize| view.comparison.heads[line].kind;
    let lines: Vec<usize> = (0..view.comparison.heads.len())
        .filter(|&line| kind(line).is_probability())
        .collect();
    let differences = lines.iter().filter_map(|&line| row.line_difference(line));
    let scale = scale(differences);
    let bands = view.comparison.reached(row);
    let end = match view.form.of_differences() {
        Form::Decimal(_) => format!("{:.2}", f64::from(scale) / 100.0),
        _ => scale.to_string(),
    };
    let ends = format!("{:<10}{:>11}", format!("-{end}"), format!("+{end}"));
    let mut columns = line_columns().to_vec();
    columns.push(Column::left(ends));
    if !bands.is_empty() {
        columns.extend(["at least: A", SIDES[1], "B - A"].map(Column::right));
    }
    let mut table = Table::new(columns);
    for (at, &line) in lines.iter().enumerate() {
        if at > 0 && kind(lines[at - 1]) == Kind::Band && kind(line) != Kind::Band {
            table.push_gap();
        }
        let mut cells = line_texts(view, row, line).map(Span::from).to_vec();
        cells.push(row.line_difference(line).map_or(Span::default(), |own| {
            let share = number::decimal(&own) * 100.0 / f64::from(scale);
            let place = usize::from(own > RBig::ZERO);
            Span::new(bar(share), Role::Ranked { place, count: 2 })
        }));
        if let Some([a, b]) = bands.get(line) {
            let [odds_a, odds_b] = [a, b].map(|odds| view.form.show_ratio(odds));
            let difference = signed(&(b - a), true, view.form);
            cells.extend([odds_a, odds_b, difference].map(Span::from));
        }
        table.push(cells);
    }
    (!table.is_empty()).then(|| Block::table(table))
}

/// Name, A, B and B - A.
fn line_columns() -> [Column; 4] {
    let [a, b, difference] = [SIDES[0], SIDES[1], "B - A"].map(Column::right);
    [Column::left("").on_page("outcome"), a, b, difference]
}

/// The points at which bars are full: the least of 1, 2, 5, 10, … that none exceeds.
fn scale(differences: impl Iterator<Item = RBig>) -> u32 {
    let most = differences
        .map(|own| size(&own))
        .max()
        .unwrap_or(RBig::ZERO);
    let fits = |scale: &u32| most <= RBig::from_parts((*scale).into(), 100_u8.into());
    [1, 2, 5, 10, 20, 50].into_iter().find(fits).unwrap_or(100)
}

/// A bar from the middle to the left for what is less, to the right for what is more, to half a cell; never empty
/// for what is not nothing.
fn bar(share: f64) -> String {
    let halves = (share.abs().min(1.0) * f64::from(2 * HALF_BAR)).round();
    let mut left = if share.abs() > 0.0 {
        halves.max(1.0)
    } else {
        0.0
    };
    let mut full = String::new();
    while left >= 2.0 {
        full.push('█');
        left -= 2.0;
    }
    let half = |block| if left >= 1.0 { block } else { "" };
    let width = HALF_BAR as usize;
    if share < 0.0 {
        let less = format!("{}{full}", half("▐"));
        format!("{less:>width$}│")
    } else {
        format!("{:>width$}│{full}{}", "", half("▌"))
    }
}

/// Mean and deviation of the numbers that are shown; then means and variances that were asked for.
fn numbers(view: &ComparisonView<'_>, row: &PairRow) -> Vec<Block> {
    let head = ["", "mean: A", SIDES[1], "B - A", "sd: A", SIDES[1]];
    let mut shown = Table::new(Column::of_numbers(head));
    let mut asked = Table::new(line_columns().map(Column::unnamed));
    let mut line = 0;
    while let Some(head) = view.comparison.heads.get(line) {
        let variance = view.comparison.heads.get(line + 1);
        let name = variance.and_then(|next| shown_number(&head.name, &next.name));
        match (head.kind, name) {
            (Kind::Mean, Some(name)) => {
                let [_, a, b, difference] = line_texts(view, row, line);
                let deviations = [0, 1].map(|side| deviation(row.answers[side][line + 1].as_ref()));
                let name = number_title(&view.comparison.checks[0], name);
                let means = [name, a, b, difference];
                shown.push(means.into_iter().chain(deviations));
                line += 1;
            }
            _ if !head.kind.is_probability() => asked.push(line_texts(view, row, line)),
            _ => {}
        }
        line += 1;
    }
    let tables = [shown, asked].into_iter();
    let tables = tables.filter(|table| !table.is_empty());
    tables.map(Block::table).collect()
}

/// `total` of `mean(total)` and `variance(total)`.
fn shown_number<'n>(mean: &'n str, variance: &str) -> Option<&'n str> {
    let name = mean.strip_prefix("mean(")?.strip_suffix(')')?;
    (variance == format!("variance({name})")).then_some(name)
}

fn deviation(variance: Option<&Answer>) -> String {
    match variance.map(|answer| (answer, answer.to_ratio())) {
        None => String::new(),
        Some((_, Some(ratio))) => words::deviation(&ratio),
        Some((answer, None)) => outcomes::infinite(answer).to_owned(),
    }
}

/// All lines.
fn lines(view: &ComparisonView<'_>, row: &PairRow) -> Table {
    let lines = 0..view.comparison.heads.len();
    Table::new(line_columns()).with_rows(lines.map(|line| line_texts(view, row, line)))
}
