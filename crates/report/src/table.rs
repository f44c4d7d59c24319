//! The numbers of a figure as a table.

use crate::figure::{Axis, Figure, Grid, Plot, Pmf, Unit};
use oddsmith_numbers::{RBig, Style};

/// A table of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextTable {
    /// The names of the columns.
    pub head: Vec<String>,
    /// The rows, each with as many cells.
    pub rows: Vec<Vec<String>>,
}

/// Where there is no answer.
const NONE: &str = "–";
/// Between the name of what tells panels apart and its value, in headings.
const EQUALS: &str = " = ";

impl Figure {
    /// The numbers of the picture: a row for each bar, place on a line, row of cells or outcome, panel after panel.
    ///
    /// Probabilities are percentages such as `12.35%`; what is not quite 0 or 1 is `<0.01%` or `>99.99%`. Where there is
    /// no answer there is a dash. Parts of a figure that don't fit together, which [`svg`](crate::svg) refuses, give cells
    /// without content.
    #[must_use]
    pub fn table(&self) -> TextTable {
        let figure = self.typeset();
        let mut table = match &figure.plot {
            Plot::Bands(bands) => rows(&bands.shares, &bands.x, &bands.bands, |panel, at| {
                let shares = panel.get(at).and_then(Option::as_ref);
                let share = |band| shares.and_then(|shares| shares.get(band));
                (0..bands.bands.len())
                    .map(|band| shown(share(band), Unit::Probability))
                    .collect()
            }),
            Plot::Lines(lines) => {
                let names = named(&lines.by, &lines.series, &lines.y);
                rows(&lines.values, &lines.x, &names, |panel, at| {
                    let numbers = panel.iter().map(|line| line.get(at)?.as_ref());
                    numbers.map(|number| shown(number, lines.unit)).collect()
                })
            }
            Plot::Heatmap(map) => {
                let columns = named(&map.x.name, &map.x.values.words(), &map.number);
                rows(&map.cells, &map.y, &columns, |panel, at| {
                    let numbers = panel.get(at).into_iter().flatten();
                    numbers
                        .map(|number| shown(number.as_ref(), map.unit))
                        .collect()
                })
            }
            Plot::Pmf(pmf) => outcomes(pmf),
        };
        let width = table.head.len();
        table
            .rows
            .iter_mut()
            .for_each(|row| row.resize(width, String::new()));
        table
    }
}

/// A row for every outcome of every panel.
fn outcomes(pmf: &Pmf) -> TextTable {
    let mut columns = if pmf.bands.is_empty() {
        vec!["probability".to_owned()]
    } else {
        pmf.bands.clone()
    };
    columns.push("at least".to_owned());
    let mut table = heading(&pmf.bars, &pmf.x, &columns);
    for (panel, place) in pmf.bars.panels.iter().zip(places(&pmf.bars)) {
        let outcomes = panel
            .outcomes
            .iter()
            .zip(&panel.shares)
            .zip(&panel.at_least);
        for ((outcome, shares), at_least) in outcomes {
            let mut row = place.clone();
            row.push(Style::Print.whole(*outcome));
            let numbers = shares.iter().chain(std::iter::once(at_least));
            row.extend(numbers.map(|p| Unit::Probability.words(p)));
            table.rows.push(row);
        }
    }
    table
}

/// A number, or a dash.
fn shown(number: Option<&RBig>, unit: Unit) -> String {
    number.map_or(NONE.to_owned(), |x| unit.words(x))
}

/// `rank = 4` for each name; a name without anything before it alone, and without a name what it is a number of.
fn named(by: &str, names: &[String], number: &str) -> Vec<String> {
    let name = |name: &String| match (by, name.as_str()) {
        (_, "") => number.to_owned(),
        ("", name) => name.to_owned(),
        (by, name) => format!("{by} = {name}"),
    };
    names.iter().map(name).collect()
}

/// A table with a row for every value of an axis in every panel.
fn rows<T>(
    grid: &Grid<T>,
    axis: &Axis,
    columns: &[String],
    cells: impl Fn(&T, usize) -> Vec<String>,
) -> TextTable {
    let mut table = heading(grid, &axis.name, columns);
    for (panel, place) in grid.panels.iter().zip(places(grid)) {
        for (at, value) in axis.values.words().into_iter().enumerate() {
            let mut row = place.clone();
            row.push(value);
            row.extend(cells(panel, at));
            table.rows.push(row);
        }
    }
    table
}

/// The table without rows: what tells the panels apart, the axis, the numbers.
fn heading<T>(grid: &Grid<T>, axis: &str, columns: &[String]) -> TextTable {
    let mut head: Vec<String> = facets(grid)
        .into_iter()
        .map(|names| common(names).to_owned())
        .collect();
    head.push(axis.to_owned());
    head.extend_from_slice(columns);
    TextTable {
        head,
        rows: Vec::new(),
    }
}

/// The headings of rows and of columns, if they say anything.
fn facets<T>(grid: &Grid<T>) -> Vec<&[String]> {
    let both = [grid.rows.as_slice(), grid.columns.as_slice()];
    let says = |names: &&[String]| names.iter().any(|name| !name.is_empty());
    both.into_iter().filter(says).collect()
}

/// `rank` if the headings are `rank = 1`, `rank = 2` and so on; `panel` otherwise.
fn common(headings: &[String]) -> &str {
    let split = |heading| str::split_once(heading, EQUALS).map(|(name, _)| name);
    let shared = headings.first().and_then(|heading| split(heading));
    let same = |name: &&str| headings.iter().all(|heading| split(heading) == Some(name));
    shared.filter(same).unwrap_or("panel")
}

/// What such a heading says: `1`.
fn value(headings: &[String], heading: &str) -> String {
    match heading.split_once(EQUALS) {
        Some((name, value)) if common(headings) == name => value.to_owned(),
        _ => heading.to_owned(),
    }
}

/// For each panel what the columns that tell panels apart say.
fn places<T>(grid: &Grid<T>) -> Vec<Vec<String>> {
    let says = |names: &[String]| names.iter().any(|name| !name.is_empty());
    let mut places = Vec::new();
    for row in &grid.rows {
        for column in &grid.columns {
            let both = [(&grid.rows, row), (&grid.columns, column)];
            let place = both.into_iter().filter(|(names, _)| says(names));
            places.push(place.map(|(names, name)| value(names, name)).collect());
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use oddsmith_numbers::RBig;
    use oddsmith_numbers::decimal::exact_decimal;

    use crate::{Axis, Bands, Figure, Grid, Lines, Plot, Unit, Values};

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    fn figure(plot: Plot) -> Figure {
        Figure {
            title: String::new(),
            subtitle: String::new(),
            plot,
        }
    }

    fn axis() -> Axis {
        Axis {
            name: "boons".to_owned(),
            values: Values::Numbers(vec![-1, 0]),
        }
    }

    fn shares(miss: &str, hit: &str) -> Option<Vec<RBig>> {
        [miss, hit].map(exact_decimal).into_iter().collect()
    }

    #[test]
    fn bands_in_panels() {
        let shares = Grid {
            columns: words(&["rank = 1", "rank = 2"]),
            rows: words(&[""]),
            panels: vec![
                vec![shares("0.12345", "0.87655"), None],
                vec![shares("0", "1"), shares("1e-9", "0.999999999")],
            ],
        };
        let bands = words(&["Miss", "Hit"]);
        let table = figure(Plot::Bands(Bands {
            x: axis(),
            bands,
            shares,
        }))
        .table();
        assert_eq!(table.head, ["rank", "boons", "Miss", "Hit"]);
        let rows: Vec<String> = table.rows.iter().map(|row| row.join(" ")).collect();
        assert_eq!(
            rows,
            [
                "1 −1 12.35% 87.66%",
                "1 0 – –",
                "2 −1 0.00% 100.00%",
                "2 0 <0.01% >99.99%",
            ]
        );
    }

    #[test]
    fn lines_and_headings_without_a_name() {
        let values = Grid {
            columns: words(&["in the open", "at night"]),
            rows: words(&[""]),
            panels: vec![
                vec![vec![exact_decimal("-1.5"), None]],
                vec![vec![None, exact_decimal("2e12")]],
            ],
        };
        let table = figure(Plot::Lines(Lines {
            x: axis(),
            unit: Unit::Number,
            y: "mean(total)".to_owned(),
            by: "rank".to_owned(),
            series: words(&["4"]),
            values,
        }))
        .table();
        assert_eq!(table.head, ["panel", "boons", "rank = 4"]);
        let rows: Vec<String> = table.rows.iter().map(|row| row.join(" ")).collect();
        assert_eq!(
            rows,
            [
                "in the open −1 −1.5",
                "in the open 0 –",
                "at night −1 –",
                "at night 0 2 × 10¹²",
            ]
        );
    }
}
