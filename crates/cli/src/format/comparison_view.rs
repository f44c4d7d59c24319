//! A comparison, to be read on a terminal or in a document.

mod line;
mod sweep;
mod verdict;

use anstyle::Style;
use oddsmith_analysis::compare::Row;
use oddsmith_exact::{Answer, RBig};

use crate::format::comparison::{Comparison, SIDES, headline};
use crate::format::difference::{signed, size};
use crate::format::grid::{Align, Cell, Grid};
use crate::format::markup::Markup;
use crate::format::outcomes::{self, Kind};
use crate::format::paint::{self, DIM};
use crate::format::view;
use crate::format::words::{self, Form};
use crate::number;
use line::{View, line_texts};

/// Cells of a bar to either side of its middle.
const HALF_BAR: u32 = 10;

/// The whole view, coloured.
pub(crate) fn render(comparison: &Comparison, form: Form) -> String {
    let view = &View { comparison, form };
    let mut sections = vec![header(comparison)];
    match comparison.rows.as_slice() {
        [] => sections.push("no configuration is allowed on either side\n".to_owned()),
        [row] if comparison.axes.is_empty() => {
            sections.push(odds(view, row));
            sections.push(numbers(view, row));
            sections.push(verdict::lines(view, row));
        }
        _ => {
            sections.push(sweep::table(view));
            sections.push(sweep::summary(view));
        }
    }
    sections.retain(|section| !section.is_empty());
    sections.join("\n")
}

/// For documents: what A and B are, a table, and in words which is better.
pub(crate) fn document(comparison: &Comparison, markup: Markup, form: Form) -> String {
    let view = &View { comparison, form };
    let headline = headline(&comparison.title, &comparison.settings);
    let mut sections = vec![markup.paragraph(&headline)];
    match comparison.rows.as_slice() {
        [row] if comparison.axes.is_empty() => {
            sections.push(single_table(view, row, markup));
            sections.push(markup.paragraph(&verdict::summary(view, row)));
        }
        _ => {
            sections.push(sweep::whole_table(view, markup));
            sections.push(sweep::summary_table(view, markup));
            sections.push(markup.paragraph(&sweep::counts(view)));
        }
    }
    sections.retain(|section| !section.is_empty());
    sections.join("\n")
}

/// What is compared, and what is set.
fn header(comparison: &Comparison) -> String {
    let mut grid = Grid::new(&[Align::Left, Align::Left]);
    for (side, words) in &comparison.settings {
        grid.push(vec![Cell::styled(*side, DIM), Cell::styled(words, DIM)]);
    }
    view::header(&comparison.title, "") + &grid.render("")
}

/// Better and worse than A.
fn color(difference: &RBig) -> Style {
    paint::band_color(usize::from(*difference > RBig::ZERO), 2)
}

/// Bands, flags and probabilities: A, B, what is between them, and of bands the same for reaching them.
fn odds(view: &View<'_>, row: &Row) -> String {
    let kind = |line: usize| view.comparison.heads[line].kind;
    let lines: Vec<usize> = (0..view.comparison.heads.len())
        .filter(|&line| kind(line).is_probability())
        .collect();
    if lines.is_empty() {
        return String::new();
    }
    let differences = lines.iter().filter_map(|&line| row.line_difference(line));
    let scale = scale(differences);
    let bands = view.comparison.reached(row);
    let mut aligns = [Align::Right; 8];
    (aligns[0], aligns[4]) = (Align::Left, Align::Left);
    let end = match view.form.of_differences() {
        Form::Decimal(_) => format!("{:.2}", f64::from(scale) / 100.0),
        _ => scale.to_string(),
    };
    let ends = format!("{:<10}{:>11}", format!("-{end}"), format!("+{end}"));
    let mut head = vec!["", SIDES[0], SIDES[1], "B - A", &ends];
    if !bands.is_empty() {
        head.extend(["at least: A", SIDES[1], "B - A"]);
    }
    let mut grid = Grid::new(&aligns);
    grid.head(&head);
    for (at, &line) in lines.iter().enumerate() {
        if at > 0 && kind(lines[at - 1]) == Kind::Band && kind(line) != Kind::Band {
            grid.push(Vec::new());
        }
        let mut cells = line_cells(view, row, line);
        if let Some(difference) = row.line_difference(line) {
            let share = number::decimal(&difference) * 100.0 / f64::from(scale);
            cells.push(Cell::styled(bar(share), color(&difference)));
        } else {
            cells.push(Cell::default());
        }
        if let Some([a, b]) = bands.get(line) {
            let [odds_a, odds_b] = [a, b].map(|odds| view.form.show_ratio(odds));
            let difference = signed(&(b - a), true, view.form);
            cells.extend([odds_a, odds_b, difference].map(Cell::from));
        }
        grid.push(cells);
    }
    grid.render("  ")
}

/// Name, A, B and B - A.
fn line_cells(view: &View<'_>, row: &Row, line: usize) -> Vec<Cell> {
    line_texts(view, row, line)
        .into_iter()
        .map(Cell::from)
        .collect()
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
fn numbers(view: &View<'_>, row: &Row) -> String {
    let mut aligns = vec![Align::Left];
    aligns.extend([Align::Right; 6]);
    let mut grid = Grid::new(&aligns);
    let mut asked = Grid::new(&aligns[..4]);
    grid.head(&["", "mean: A", SIDES[1], "B - A", "sd: A", SIDES[1]]);
    let (mut is_empty, mut is_asked) = (true, false);
    let mut line = 0;
    while let Some(head) = view.comparison.heads.get(line) {
        let variance = view.comparison.heads.get(line + 1);
        match (
            head.kind,
            variance.and_then(|next| shown_number(&head.name, &next.name)),
        ) {
            (Kind::Mean, Some(name)) => {
                let mut cells = line_cells(view, row, line);
                cells[0] = name.into();
                cells.extend([0, 1].map(|side| deviation(row.answers[side][line + 1].as_ref())));
                grid.push(cells);
                is_empty = false;
                line += 1;
            }
            (Kind::Mean | Kind::Variance, _) => {
                asked.push(line_cells(view, row, line));
                is_asked = true;
            }
            _ => {}
        }
        line += 1;
    }
    let mut text = if is_empty {
        String::new()
    } else {
        grid.render("  ")
    };
    if is_asked {
        text += &asked.render("  ");
    }
    text
}

/// `total` of `mean(total)` and `variance(total)`.
fn shown_number<'n>(mean: &'n str, variance: &str) -> Option<&'n str> {
    let name = mean.strip_prefix("mean(")?.strip_suffix(')')?;
    (variance == format!("variance({name})")).then_some(name)
}

fn deviation(variance: Option<&Answer>) -> Cell {
    let text = match variance.map(|answer| (answer, answer.to_ratio())) {
        None => String::new(),
        Some((_, Some(ratio))) => words::deviation(&ratio),
        Some((answer, None)) => outcomes::infinite(answer).to_owned(),
    };
    text.into()
}

fn single_table(view: &View<'_>, row: &Row, markup: Markup) -> String {
    let rows: Vec<Vec<String>> = (0..view.comparison.heads.len())
        .map(|line| line_texts(view, row, line))
        .collect();
    let aligns = [Align::Left, Align::Right, Align::Right, Align::Right];
    markup.table(&["outcome", SIDES[0], SIDES[1], "B - A"], &aligns, &rows)
}
