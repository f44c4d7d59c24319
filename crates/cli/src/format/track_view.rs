//! How long a track takes, to be read.

pub(crate) use oddsmith::LastNumber as Last;
use oddsmith_exact::{Answer, RBig, UBig};

use crate::document::{Block, Column, Document, Role, Span, Table};
use crate::format::dist::share;
use crate::format::dist_view::group_width;
use crate::format::outcomes::{INFINITE, Line};
use crate::format::view::{self, Observable};
use crate::format::words::{self, Form};
use crate::lengths::{MOST, QUANTILES, Quantile, TrackLengths};

/// Cells of the longest bar.
const BAR: u32 = 40;

/// What is shown of a track.
#[derive(Debug)]
pub(crate) struct TrackView {
    pub(crate) title: String,
    pub(crate) settings: String,
    pub(crate) rolls: TrackLengths,
    /// Whether every number of rolls is a row, and not groups of them.
    pub(crate) one_by_one: bool,
    /// Bands and flags of its end.
    pub(crate) ends: Vec<Line>,
    /// Numbers at its end.
    pub(crate) last: Vec<Last>,
    /// Bands and flags of one roll.
    pub(crate) shows: Vec<Line>,
    /// Numbers of one roll.
    pub(crate) first: Vec<Observable>,
    pub(crate) asked: Vec<Line>,
    /// How the odds are written.
    pub(crate) form: Form,
}

impl TrackView {
    /// The whole view.
    pub(crate) fn document(&self) -> Document {
        let mut document = Document::default();
        document.push(view::opening(&self.title, &self.settings));
        ShownLengths(&self.rolls).push_to(&mut document, self.one_by_one, self.form);
        let ends = [view::odds(&self.ends, self.form), last_numbers(&self.last)];
        let shows = view::odds(&self.shows, self.form);
        let asked = view::odds(&self.asked, self.form);
        push_under("at the end", ends, &mut document);
        push_under(
            &format!("one {}", self.rolls.unit.one),
            [shows, view::numbers(&self.first)],
            &mut document,
        );
        push_under("asked", [asked, None], &mut document);
        document
    }
}

/// Tables under a heading, if there are any.
fn push_under(heading: &str, tables: [Option<Block>; 2], document: &mut Document) {
    let mut heading = Some(Block::heading(heading));
    for table in tables.into_iter().flatten() {
        document.push(heading.take().into_iter().chain([table]));
    }
}

fn last_numbers(numbers: &[Last]) -> Option<Block> {
    let mut columns = Column::of_numbers(["", "mean", "sd"]);
    columns.push(Column::left("fraction"));
    let row = |Last { name, moments }: &Last| {
        let [mean, sd, exact] = match moments {
            Ok(moments) => moment_cells(moments),
            Err(why) => [Span::default(), Span::default(), Span::muted(*why)],
        };
        [name.as_str().into(), mean, sd, exact]
    };
    let table = Table::new(columns).with_rows(numbers.iter().map(row));
    (!table.is_empty()).then(|| Block::table(table))
}

/// Mean, deviation, and the mean as a fraction if it is short.
fn moment_cells(moments: &[Answer]) -> [Span; 3] {
    let ratio = |at: usize| moments.get(at).and_then(Answer::to_ratio);
    let (mean, variance) = (ratio(0), ratio(1));
    let shown = |ratio: Option<String>| Span::from(ratio.unwrap_or(INFINITE.to_owned()));
    let exact = mean.as_ref().map(words::exact_value).unwrap_or_default();
    [
        shown(mean.as_ref().map(words::value)),
        shown(variance.as_ref().map(words::deviation)),
        Span::muted(exact),
    ]
}

/// The number of rolls as it is shown.
struct ShownLengths<'l>(&'l TrackLengths);

impl ShownLengths<'_> {
    fn push_to(&self, document: &mut Document, one_by_one: bool, form: Form) {
        if self.0.never == RBig::ONE {
            document.push([Block::paragraph(format!(
                "It never ends: no number of {} is enough in this configuration.",
                self.0.unit.many
            ))]);
            return;
        }
        document.push([Block::table(self.moments()), Block::note(self.meaning())]);
        if self.0.never != RBig::ZERO {
            document.push([Block::paragraph(self.endless(form))]);
        }
        let table = self.table(one_by_one, form);
        document.push([Block::table(table), Block::note(self.rest(form))]);
    }

    /// `It never ends with a probability of 12.50% (1/8), so …`
    fn endless(&self, form: Form) -> String {
        let exact = words::exact_value(&self.0.never);
        let exact = if exact.is_empty() || form.is_fraction() {
            String::new()
        } else {
            format!(" ({exact})")
        };
        format!(
            "It never ends with a probability of {}{exact}, so the mean number of {} has no end.",
            form.show_ratio(&self.0.never),
            self.0.unit.many
        )
    }

    /// Mean, deviation and quantiles.
    fn moments(&self) -> Table {
        let [mean, sd, exact] = moment_cells(&[self.0.mean.clone(), self.0.variance.clone()]);
        let quantiles = QUANTILES.map(|(percent, _)| format!("{percent}%"));
        let head = ["", "mean", "sd"].map(str::to_owned).into_iter();
        let mut columns = Column::of_numbers(head.chain(quantiles));
        let mut row = vec![self.0.unit.many.as_str().into(), mean, sd];
        row.extend(self.0.quantiles.iter().map(|quantile| match quantile {
            Quantile::Rolls(n) => Span::from(n.to_string()),
            Quantile::Above(n) => Span::from(format!(">{n}")),
            Quantile::Never => Span::from("never"),
        }));
        if exact != Span::muted("") {
            columns.push(Column::left("mean as a fraction"));
            row.push(exact);
        }
        Table::new(columns).with_rows([row])
    }

    /// The quantiles' meaning, by the example of the last of them.
    fn meaning(&self) -> String {
        let mut quantiles = QUANTILES.iter().zip(&self.0.quantiles).rev();
        let found = quantiles.find_map(|(known, quantile)| match quantile {
            Quantile::Rolls(n) => Some((known, n)),
            Quantile::Above(_) | Quantile::Never => None,
        });
        let Some(((percent, words), n)) = found else {
            return String::new();
        };
        let most = self.0.unit.count(*n);
        format!("{percent}%: {words} it takes {most} or fewer")
    }

    fn table(&self, one_by_one: bool, form: Form) -> Table {
        let groups = self.groups(one_by_one);
        let weights = groups.iter().map(|group| &group.weight);
        let most = weights.max().filter(|most| **most != UBig::ZERO);
        let most = most.unwrap_or(&self.0.total);
        let mut columns = [self.0.unit.many.as_str(), "odds", "", "by then"].map(Column::right);
        columns[2] = Column::left("");
        Table::new(columns).with_rows(groups.iter().map(|group| {
            [
                group.name.as_str().into(),
                form.show_weight(&group.weight, &self.0.total).into(),
                Span::bar(share(&group.weight, most), BAR, Role::Bar),
                form.show_weight(&group.ended, &self.0.total).into(),
            ]
        }))
    }

    /// Every number of rolls, or many of them in groups.
    fn groups(&self, one_by_one: bool) -> Vec<Group> {
        let rows: Vec<(usize, &UBig)> = self.0.rows().collect();
        let width = if one_by_one || rows.len() <= MOST {
            1
        } else {
            let width = u64::try_from(rows.len()).map(group_width);
            width
                .ok()
                .and_then(|width| usize::try_from(width).ok())
                .unwrap_or(1)
        };
        let mut ended = UBig::ZERO;
        let mut groups: Vec<Group> = Vec::new();
        // Groups end at round numbers: 1 to 10, 11 to 20.
        for group in rows.chunk_by(|(n, _), (next, _)| n.div_ceil(width) == next.div_ceil(width)) {
            let weight: UBig = group.iter().map(|(_, weight)| *weight).sum();
            ended += &weight;
            let (first, last) = (group[0].0, group[group.len() - 1].0);
            groups.push(Group {
                name: if first == last {
                    first.to_string()
                } else {
                    format!("{first} to {last}")
                },
                weight,
                ended: ended.clone(),
            });
        }
        groups
    }

    /// `0.07% take more than 16 rolls; 12.50% never end`
    fn rest(&self, form: Form) -> String {
        let mut parts = Vec::new();
        if self.0.later != RBig::ZERO {
            let later = form.show_ratio(&self.0.later);
            parts.push(format!(
                "{later} take more than {}",
                self.0.unit.count(self.0.horizon())
            ));
        }
        if self.0.never != RBig::ZERO {
            parts.push(format!("{} never end", form.show_ratio(&self.0.never)));
        }
        parts.join("; ")
    }
}

/// Neighbouring numbers of rolls.
struct Group {
    name: String,
    weight: UBig,
    /// Of all that have ended by the last of them.
    ended: UBig,
}
