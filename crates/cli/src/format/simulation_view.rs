//! What trials say, beside the exact odds, to be read.

use oddsmith::told_apart;

use crate::document::{Block, Column, Document, Medium, Role, Span, Table, Text};
use crate::format::outcomes::Kind;
use crate::format::simulation::{Group, Run, SimulatedRow};
use crate::format::simulation_words::{Digits, chance, fixed};
use crate::format::view::opening;
use crate::format::words::{VARIANCE, grouped};

/// Fewer trials agree with nearly anything.
const FEW: u64 = 100;
/// What stands beside odds that are compared.
const COMPARED: &str = "z: how far the trials are from the exact odds, in standard errors, their typical distance by chance; p: how \
                        often right trials are as far off";
/// From 4 standard errors below the exact odds to 4 above, two cells for each.
const SCALE: &str = "-4      0       4";

impl Run<'_> {
    /// On a terminal a table for each configuration, and whether all of it agrees; on a page one table.
    pub(crate) fn document(&self) -> Document {
        let mut document = Document::default();
        document.push_on(Medium::Terminal, opening(&self.title, &self.settings));
        for group in &self.groups {
            let values = Block::paragraph(group.settings.as_str());
            document.push_on(Medium::Terminal, [values, Block::table(self.rows(group))]);
        }
        document.push_on(Medium::Terminal, [Block::paragraph(self.verdict())]);
        document.push_on(Medium::Terminal, self.terms().map(Block::wrapped));
        document.push_on(Medium::Page, [Block::table(self.whole())]);
        document
    }

    /// The swept axes, outcome, simulated, error, exact, z.
    fn whole(&self) -> Table {
        let shown = ["outcome", "simulated", "±", "exact", "z"];
        let axes = told_apart(&shown, self.axis_titles.iter().cloned());
        let mut columns: Vec<Column> = axes.into_iter().map(Column::right).collect();
        columns.extend(Column::of_numbers(shown));
        let rows = self.groups.iter().flat_map(|group| {
            let digits = Digits::of(&group.rows);
            group.rows.iter().map(move |row| {
                let shown = digits.show(row);
                let name = row.title.clone();
                let cells = [name, shown.estimate, shown.error, shown.exact, shown.z];
                group.told.iter().cloned().chain(cells)
            })
        });
        Table::new(columns).with_rows(rows)
    }

    /// Probabilities, then means and variances.
    fn rows(&self, group: &Group) -> Table {
        let mut columns = Column::of_numbers(["", "simulated", "", "exact", "z"]);
        columns.push(Column::left(SCALE));
        columns.truncate(self.columns());
        let digits = Digits::of(&group.rows);
        let is_chance = |row: &&SimulatedRow| row.kind.is_probability();
        let (chances, numbers): (Vec<&SimulatedRow>, Vec<&SimulatedRow>) =
            group.rows.iter().partition(is_chance);
        let cells = |row: &&SimulatedRow| self.cells(row, digits);
        let mut table = Table::new(columns).with_rows(chances.iter().map(cells));
        if !chances.is_empty() && !numbers.is_empty() {
            table.push_gap();
        }
        table.with_rows(numbers.iter().map(cells))
    }

    /// How many columns have anything in them: without exact odds there is nothing to compare.
    fn columns(&self) -> usize {
        let rows = || self.groups.iter().flat_map(|group| &group.rows);
        match () {
            () if rows().any(|row| row.z.is_some()) => 6,
            () if rows().any(|row| row.exact.is_some()) => 4,
            () => 3,
        }
    }

    fn cells(&self, row: &SimulatedRow, digits: Digits) -> [Span; 6] {
        let shown = digits.show(row);
        let (text, mark) = match self.is_contrary(row.p) {
            true => (Role::Alarm, Role::Alarm),
            false => (Role::Plain, Role::Bar),
        };
        let error = match shown.error.as_str() {
            "" => String::new(),
            bound if bound.starts_with(['<', '>']) => bound.to_owned(),
            error => format!("± {error}"),
        };
        [
            Span::new(row.title.as_str(), text),
            Span::new(shown.estimate, text),
            Span::muted(error),
            Span::new(shown.exact, text),
            Span::new(shown.z, text),
            Span::new(row.z.map(needle).unwrap_or_default(), mark),
        ]
    }

    /// What z, p and a variance are, where they stand.
    fn terms(&self) -> Option<Text> {
        let rows = || self.groups.iter().flat_map(|group| &group.rows);
        let is_compared = rows().any(|row| row.z.is_some());
        let has_variance = rows().any(|row| row.kind == Kind::Variance);
        let terms = [(is_compared, COMPARED), (has_variance, VARIANCE)];
        let terms = terms.iter().filter(|(is_there, _)| *is_there);
        let terms: Vec<&str> = terms.map(|(_, term)| *term).collect();
        (!terms.is_empty()).then(|| Span::muted(terms.join("; ")).into())
    }

    /// Whether all of it agrees, in words.
    fn verdict(&self) -> Text {
        let is_short = self.groups.iter().any(|group| group.trials < FEW);
        match self.contrary() {
            _ if self.comparisons == 0 => Span::muted("not compared with exact odds").into(),
            0 if is_short => format!("too few trials to tell much ({})", self.least()).into(),
            0 => format!("agrees with the exact odds ({})", self.least()).into(),
            contrary => {
                let words = Span::new("does not agree with the exact odds", Role::Alarm);
                Text::from(words).and(format!(" ({})", self.share(contrary)))
            }
        }
    }

    /// `3 of 20 comparisons`
    pub(crate) fn share(&self, contrary: usize) -> String {
        match self.comparisons {
            1 => "the only comparison".to_owned(),
            all => format!("{contrary} of {} comparisons", grouped(all)),
        }
    }

    /// `p = 0.43` of the test of all bands, of several tests the least; without any the largest z.
    fn least(&self) -> String {
        let fits = self.groups.iter().filter_map(|group| group.fit.as_ref());
        let fits: Vec<f64> = fits.map(|fit| fit.test.p).collect();
        let rows = self.groups.iter().flat_map(|group| &group.rows);
        let zs: Vec<f64> = rows
            .filter_map(|row| row.z.filter(|_| row.p.is_some()))
            .collect();
        let p = chance(fits.iter().copied().fold(1.0, f64::min));
        let z = zs.iter().copied().map(f64::abs).fold(0.0, f64::max);
        match (fits.len(), zs.as_slice()) {
            // Of what is rare z says little: it was judged by its exact tail.
            (0, _) if z > 4.0 => {
                let least = chance(self.judged().fold(1.0, f64::min));
                format!("the least p is {least}")
            }
            (1, _) => format!("p = {p}"),
            (0, []) => "without an exception".to_owned(),
            (0, [z]) => format!("z = {}", fixed(*z, 2)),
            (0, zs) => format!("of {} rows the largest |z| is {z:.2}", zs.len()),
            (count, _) => {
                let count = grouped(count);
                format!("the least p of {count} configurations is {p}")
            }
        }
    }
}

/// Where a z lies on the [`SCALE`].
fn needle(z: f64) -> String {
    let mut cells = [' '; 17];
    cells[8] = '│';
    let (mark, at) = match z {
        z if z < -4.25 => ('◂', -8.0),
        z if z > 4.25 => ('▸', 8.0),
        z => ('●', (2.0 * z).round()),
    };
    let places = (-8_i32..=8).zip(&mut cells);
    for (place, cell) in places {
        if f64::from(place).total_cmp(&(at + 0.0)).is_eq() {
            *cell = mark;
        }
    }
    String::from_iter(cells).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::needle;

    #[test]
    fn needles_point_at_their_z() {
        assert_eq!(needle(0.0), "        ●");
        assert_eq!(needle(-0.2), "        ●");
        assert_eq!(needle(1.6), "        │  ●");
        assert_eq!(needle(-4.0), "●       │");
        assert_eq!(needle(4.2), "        │       ●");
        assert_eq!(needle(5.0), "        │       ▸");
        assert_eq!(needle(f64::NEG_INFINITY), "◂       │");
    }
}
