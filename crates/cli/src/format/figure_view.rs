//! A picture in characters, for a terminal that shows no other.

use oddsmith_report::{Bands, Figure, Grid, Heatmap, Lines, Plot, Pmf, PmfBars, RBig, Unit};

use crate::document::{Block, Column, Document, Role, Span, Table};
use crate::format::dist_view::{group_name, groups};
use crate::format::view::opening;
use crate::number;

/// Characters of a bar that stands for certainty, or for the most there is.
const BAR: u32 = 30;
/// Characters of the bars of a row together, where several stand in it.
const BARS: u32 = 40;
/// Characters of the longest name of an axis that stands above its values.
const HEAD: usize = 10;
/// Shades from the worst to the best.
const SHADES: [char; 5] = ['·', '░', '▒', '▓', '█'];

/// The title, what is set, and a table with bars for each panel.
pub(crate) fn document(figure: &Figure) -> Document {
    let mut document = Document::default();
    document.push(opening(&figure.title, &figure.subtitle));
    document.push(axes(&figure.plot).map(|words| Block::paragraph(Span::muted(words))));
    match &figure.plot {
        Plot::Bands(plot) => push(&mut document, &plot.shares, |panel| bands(plot, panel)),
        Plot::Lines(plot) => {
            let most = most(plot.values.panels.iter().flatten().flatten().flatten());
            push(&mut document, &plot.values, |panel| {
                lines(plot, panel, &most)
            });
        }
        Plot::Heatmap(plot) => {
            let most = most(plot.cells.panels.iter().flatten().flatten().flatten());
            push(&mut document, &plot.cells, |panel| {
                heatmap(plot, panel, &most)
            });
        }
        Plot::Pmf(plot) => {
            push(&mut document, &plot.bars, |panel| pmf(plot, panel));
            document.push(legend(plot).map(Block::note));
        }
    }
    document
}

/// Which axes lie where, unless the head of a table says it.
fn axes(plot: &Plot) -> Option<String> {
    let down = |name: &String| (head(name) != *name).then(|| format!("{name}, from top to bottom"));
    match plot {
        Plot::Bands(plot) => down(&plot.x.name),
        Plot::Lines(plot) => down(&plot.x.name),
        Plot::Heatmap(plot) => {
            let [x, y] = [&plot.x, &plot.y].map(|axis| &axis.name);
            Some(format!("{y}, from bottom to top; {x}, from left to right"))
        }
        Plot::Pmf(_) => None,
    }
}

/// The name of an axis, if it is short enough to stand above its values.
fn head(name: &str) -> &str {
    match name.chars().count() <= HEAD {
        true => name,
        false => "",
    }
}

/// A table for each panel, below the headings of its column and its row.
fn push<T>(document: &mut Document, grid: &Grid<T>, table: impl Fn(&T) -> Table) {
    let rows = grid.rows.iter();
    let headings = rows.flat_map(|row| grid.columns.iter().map(move |column| [column, row]));
    for (headings, panel) in headings.zip(&grid.panels) {
        let said: Vec<&str> = headings
            .map(String::as_str)
            .into_iter()
            .filter(|words| !words.is_empty())
            .collect();
        let heading = (!said.is_empty()).then(|| Block::paragraph(Span::strong(said.join(" · "))));
        document.push(heading.into_iter().chain([Block::table(table(panel))]));
    }
}

/// A row for each value along the axis: the shares as a bar, and each by itself.
fn bands(plot: &Bands, panel: &[Option<Vec<RBig>>]) -> Table {
    let shades = shades(plot.bands.len());
    let mut columns = vec![Column::right(head(&plot.x.name)), Column::left("")];
    let names = plot.bands.iter().zip(&shades);
    columns.extend(names.map(|(name, shade)| Column::right(format!("{shade} {name}"))));
    let values = plot.x.values.words().into_iter();
    Table::new(columns).with_rows(values.zip(panel).map(|(value, shares)| {
        let shares = shares.as_deref().unwrap_or_default();
        let bar = stacked(shares, &RBig::ONE, &shades);
        let odds = shares
            .iter()
            .map(|share| Unit::Probability.words(share).into());
        [Span::from(value), bar]
            .into_iter()
            .chain(odds)
            .collect::<Vec<Span>>()
    }))
}

/// A row for each value along the axis: of each series the number, and a bar if there are few and none is negative.
fn lines(plot: &Lines, panel: &[Vec<Option<RBig>>], most: &RBig) -> Table {
    let count = u32::try_from(plot.series.len()).unwrap_or(u32::MAX);
    let is_drawn = count <= 4
        && panel
            .iter()
            .flatten()
            .flatten()
            .all(|number| *number >= RBig::ZERO);
    let mut columns = vec![Column::right(head(&plot.x.name))];
    for name in &plot.series {
        // One series may be without a name, as the axis from bottom to top has it.
        let name = if name.is_empty() { &plot.y } else { name };
        columns.push(Column::right(name.as_str()));
        columns.extend(is_drawn.then(|| Column::left("")));
    }
    let values = plot.x.values.words().into_iter().enumerate();
    Table::new(columns).with_rows(values.map(|(at, value)| {
        let mut row = vec![Span::from(value)];
        for number in panel.iter().map(|series| series[at].as_ref()) {
            row.push(
                number
                    .map_or_else(|| "–".to_owned(), |number| plot.unit.words(number))
                    .into(),
            );
            let share = number.map_or(0.0, |number| ratio(number, most));
            row.extend(is_drawn.then(|| Span::bar(share, (BARS / count).min(BAR), Role::Bar)));
        }
        row
    }))
}

/// A row for each value of the axis from bottom to top, its greatest first; each number with a shade.
fn heatmap(plot: &Heatmap, panel: &[Vec<Option<RBig>>], most: &RBig) -> Table {
    let heads = std::iter::once(String::new()).chain(plot.x.values.words());
    let values = plot.y.values.words().into_iter().zip(panel).rev();
    Table::new(heads.map(Column::right)).with_rows(values.map(|(value, numbers)| {
        let cells = numbers.iter().map(|number| match number {
            Some(number) => {
                format!("{} {}", shade(ratio(number, most)), plot.unit.words(number)).into()
            }
            None => Span::from("–"),
        });
        std::iter::once(Span::from(value))
            .chain(cells)
            .collect::<Vec<Span>>()
    }))
}

/// The shade of each band, if there are bands.
fn legend(plot: &Pmf) -> Option<String> {
    let shades = shades(plot.bands.len().max(1));
    let legend = plot.bands.iter().zip(&shades);
    let legend: Vec<String> = legend
        .map(|(name, shade)| format!("{shade} {name}"))
        .collect();
    (!legend.is_empty()).then(|| legend.join("  "))
}

/// A row for each outcome, or for each group of very many: its odds, and a bar that the bands shade.
fn pmf(plot: &Pmf, panel: &PmfBars) -> Table {
    let shades = shades(plot.bands.len().max(1));
    let groups = shares_of_groups(panel);
    let sums = groups
        .iter()
        .map(|(_, shares)| shares.iter().fold(RBig::ZERO, |sum, share| sum + share));
    let sums: Vec<RBig> = sums.collect();
    let most = most(sums.iter());
    let columns = [
        Column::right(plot.x.as_str()),
        Column::right("odds"),
        Column::left(""),
    ];
    Table::new(columns).with_rows(
        groups
            .iter()
            .zip(&sums)
            .map(|(((low, high), shares), sum)| {
                let odds = Unit::Probability.words(sum);
                [
                    group_name(*low, *high).into(),
                    odds.into(),
                    stacked(shares, &most, &shades),
                ]
            }),
    )
}

/// The outcomes with their shares; of very many outcomes those of groups of equal width.
fn shares_of_groups(panel: &PmfBars) -> Vec<((i64, i64), Vec<RBig>)> {
    let mut bars = panel.outcomes.iter().zip(&panel.shares).peekable();
    let sums = groups(&panel.outcomes).into_iter().map(|group| {
        let mut sums = vec![RBig::ZERO; panel.shares.first().map_or(0, Vec::len)];
        while let Some((_, shares)) = bars.next_if(|(outcome, _)| **outcome <= group.1) {
            sums.iter_mut()
                .zip(shares)
                .for_each(|(sum, share)| *sum += share);
        }
        (group, sums)
    });
    sums.collect()
}

/// A bar of as many parts as there are shares; `whole` is what fills it.
fn stacked(shares: &[RBig], whole: &RBig, shades: &[char]) -> Span {
    let mut reached = RBig::ZERO;
    let mut bar = String::new();
    let mut drawn = 0;
    for (share, shade) in shares.iter().zip(shades) {
        reached += share;
        let end = (ratio(&reached, whole) * f64::from(BAR)).round();
        while f64::from(drawn) < end {
            bar.push(*shade);
            drawn += 1;
        }
    }
    Span::from(bar)
}

/// A shade for each of some bands, the worst first; letters where there are more bands than shades.
fn shades(count: usize) -> Vec<char> {
    if count > SHADES.len() {
        return ('a'..='z').chain('A'..='Z').cycle().take(count).collect();
    }
    let last = SHADES.len() - 1;
    let step = |place: usize| match count {
        1 => last,
        _ => place * last / (count - 1),
    };
    (0..count).map(|place| SHADES[step(place)]).collect()
}

/// The shade of a part of the most there is.
fn shade(part: f64) -> char {
    let place = part.clamp(0.0, 1.0) * 4.0;
    let place = [3.5, 2.5, 1.5, 0.5]
        .iter()
        .position(|least| place >= *least);
    SHADES[place.map_or(0, |from_last| SHADES.len() - 1 - from_last)]
}

/// The greatest of some numbers; 1 if none is greater than 0.
fn most<'n>(numbers: impl Iterator<Item = &'n RBig>) -> RBig {
    let most = numbers.max().filter(|most| **most > RBig::ZERO);
    most.cloned().unwrap_or(RBig::ONE)
}

fn ratio(number: &RBig, whole: &RBig) -> f64 {
    number::decimal(&(number / whole))
}
