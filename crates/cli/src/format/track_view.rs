//! How long a track takes, to be read on a terminal.

use oddsmith_exact::{Answer, RBig, UBig};

use crate::format::dist::share;
use crate::format::dist_view::group_width;
use crate::format::grid::{Align, Cell, Grid};
use crate::format::outcomes::{INFINITE, Line};
use crate::format::paint::{self, BOLD, DIM, PLAIN};
use crate::format::view::{self, Observable};
use crate::format::words::{self, Form};
use crate::rolls::{MOST, QUANTILES, Quantile, Rolls};

/// Cells of the longest bar.
const BAR: u32 = 40;

/// What is shown of a track.
#[derive(Debug)]
pub(crate) struct View {
    pub(crate) title: String,
    pub(crate) settings: String,
    pub(crate) rolls: Rolls,
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

/// A number at the end: its mean and variance, or why there are none.
#[derive(Debug)]
pub(crate) struct Last {
    pub(crate) name: String,
    pub(crate) moments: Result<Vec<Answer>, &'static str>,
}

impl View {
    /// The whole view, coloured.
    pub(crate) fn render(&self) -> String {
        let mut sections = vec![view::header(&self.title, &self.settings)];
        sections.extend(self.rolls.sections(self.one_by_one, self.form));
        let ends = [view::odds(&self.ends, self.form), last_numbers(&self.last)];
        sections.extend(under("at the end", ends));
        let first = [
            view::odds(&self.shows, self.form),
            view::numbers(&self.first),
        ];
        sections.extend(under("one roll", first));
        sections.extend(under(
            "asked",
            [view::odds(&self.asked, self.form), String::new()],
        ));
        sections.join("\n")
    }
}

/// Tables under a heading, if there are any.
fn under(heading: &str, tables: [String; 2]) -> Option<String> {
    let tables: Vec<String> = tables
        .into_iter()
        .filter(|table| !table.is_empty())
        .collect();
    (!tables.is_empty()).then(|| format!("{BOLD}{heading}{BOLD:#}\n{}", tables.join("\n")))
}

fn last_numbers(numbers: &[Last]) -> String {
    if numbers.is_empty() {
        return String::new();
    }
    let mut grid = Grid::new(&[Align::Left, Align::Right, Align::Right, Align::Left]);
    grid.head(&["", "mean", "sd", "fraction"]);
    for Last { name, moments } in numbers {
        let mut row = vec![name.as_str().into()];
        match moments {
            Ok(moments) => row.extend(moment_cells(moments)),
            Err(why) => row.extend(["".into(), "".into(), Cell::styled(*why, DIM)]),
        }
        grid.push(row);
    }
    grid.render("  ")
}

/// Mean, deviation, and the mean as a fraction if it is short.
fn moment_cells(moments: &[Answer]) -> [Cell; 3] {
    let ratio = |at: usize| moments.get(at).and_then(Answer::to_ratio);
    let (mean, variance) = (ratio(0), ratio(1));
    let shown = |ratio: Option<String>| Cell::from(ratio.unwrap_or(INFINITE.to_owned()));
    let exact = mean.as_ref().map(words::exact_value).unwrap_or_default();
    [
        shown(mean.as_ref().map(words::value)),
        shown(variance.as_ref().map(words::deviation)),
        Cell::styled(exact, DIM),
    ]
}

impl Rolls {
    fn sections(&self, one_by_one: bool, form: Form) -> Vec<String> {
        if self.never == RBig::ONE {
            return vec![format!(
                "It never fills: no number of {} is enough in this configuration.\n",
                self.name
            )];
        }
        let mut sections = vec![self.moments()];
        if self.never != RBig::ZERO {
            sections.push(self.endless(form));
        }
        sections.push(self.table(one_by_one, form));
        sections
    }

    /// `It never fills with a probability of 12.50% (1/8), so …`
    fn endless(&self, form: Form) -> String {
        let exact = words::exact_value(&self.never);
        let exact = if exact.is_empty() || form.is_fraction() {
            String::new()
        } else {
            format!(" ({exact})")
        };
        format!(
            "It never fills with a probability of {}{exact}, so the mean number of {} has no end.\n",
            form.show_ratio(&self.never),
            self.name
        )
    }

    /// Mean, deviation and quantiles.
    fn moments(&self) -> String {
        let mut aligns = vec![Align::Left, Align::Right, Align::Right];
        aligns.extend([Align::Right; QUANTILES.len()]);
        aligns.push(Align::Left);
        let mut grid = Grid::new(&aligns);
        let quantiles = QUANTILES.map(|(percent, _)| format!("{percent}%"));
        let mut head = vec!["", "mean", "sd"];
        head.extend(quantiles.iter().map(String::as_str));
        head.push("mean as a fraction");
        let [mean, sd, exact] = moment_cells(&[self.mean.clone(), self.variance.clone()]);
        if exact.is_empty() {
            head.pop();
        }
        grid.head(&head);
        let mut row = vec![self.name.as_str().into(), mean, sd];
        row.extend(self.quantiles.iter().map(|quantile| match quantile {
            Quantile::Rolls(n) => Cell::from(n.to_string()),
            Quantile::Above(n) => Cell::from(format!(">{n}")),
            Quantile::Never => Cell::from("never"),
        }));
        row.push(exact);
        grid.push(row);
        grid.render("  ") + &self.meaning()
    }

    /// The quantiles' meaning, by the example of the last of them.
    fn meaning(&self) -> String {
        let mut quantiles = QUANTILES.iter().zip(&self.quantiles).rev();
        let found = quantiles.find_map(|(known, quantile)| match quantile {
            Quantile::Rolls(n) => Some((known, n)),
            Quantile::Above(_) | Quantile::Never => None,
        });
        let Some(((percent, words), n)) = found else {
            return String::new();
        };
        let most = self.count(*n);
        format!("  {DIM}{percent}%: {words} it takes {most} or fewer{DIM:#}\n")
    }

    /// `1 roll`, `2 rolls`
    fn count(&self, n: usize) -> String {
        let one = self.name.strip_suffix('s').filter(|_| n == 1);
        format!("{n} {}", one.unwrap_or(&self.name))
    }

    fn table(&self, one_by_one: bool, form: Form) -> String {
        let groups = self.groups(one_by_one);
        let weights = groups.iter().map(|group| &group.weight);
        let most = weights.max().filter(|most| **most != UBig::ZERO);
        let most = most.unwrap_or(&self.total);
        let mut grid = Grid::new(&[Align::Right, Align::Right, Align::Left, Align::Right]);
        grid.head(&[&self.name, "odds", "", "by then"]);
        for group in &groups {
            let bar = paint::bar(share(&group.weight, most), BAR);
            grid.push(vec![
                group.name.as_str().into(),
                form.show_weight(&group.weight, &self.total).into(),
                Cell::styled(bar, PLAIN),
                form.show_weight(&group.ended, &self.total).into(),
            ]);
        }
        grid.render("  ") + &self.rest(form)
    }

    /// Every number of rolls, or many of them in groups.
    fn groups(&self, one_by_one: bool) -> Vec<Group> {
        let rows: Vec<(usize, &UBig)> = self.rows().collect();
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
        if self.later != RBig::ZERO {
            let later = form.show_ratio(&self.later);
            parts.push(format!(
                "{later} take more than {}",
                self.count(self.horizon())
            ));
        }
        if self.never != RBig::ZERO {
            parts.push(format!("{} never fill", form.show_ratio(&self.never)));
        }
        if parts.is_empty() {
            return String::new();
        }
        format!("  {DIM}{}{DIM:#}\n", parts.join("; "))
    }
}

/// Neighbouring numbers of rolls.
struct Group {
    name: String,
    weight: UBig,
    /// Of all that have ended by the last of them.
    ended: UBig,
}
