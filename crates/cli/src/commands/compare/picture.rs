//! A comparison as a picture.

use std::collections::BTreeMap;

use anyhow::Result;
use oddsmith::comparison::{BOTH, Compared, SIDES};
use oddsmith::{Comparison, ComparisonAnswer};
use oddsmith_analysis::compare::PairRow;
use oddsmith_exact::RBig;
use oddsmith_report::{Bands, Figure, Grid, Heatmap, Lines as Curves, Plot, Unit};

use crate::advice::Advice;
use crate::format::comparison::{drawn as drawn_axis, headline};
use oddsmith::figures::{self, one_or_headings};
use oddsmith::questions::query_title;

/// What is to be drawn.
#[derive(Debug)]
pub(super) struct Drawing {
    what: What,
    /// What stands below the title.
    subtitle: String,
    /// What the sides are called in the picture.
    names: [String; 2],
}

/// What the picture is about.
#[derive(Debug)]
enum What {
    /// The bands of each side along an axis.
    Bands(Vec<String>),
    /// These lines of the comparison, for each side along an axis.
    Lines(Vec<usize>),
    /// The difference in how often this band, the one above the worst, is reached, over two axes.
    Reached(String),
    /// The differences of these lines over two axes.
    Differences(Vec<usize>),
}

impl What {
    /// How long the names of sides can be that have their place in the picture; none have if it is 0.
    fn room_for_names(&self) -> usize {
        match self {
            Self::Bands(_) => 40,
            Self::Lines(_) => 22,
            Self::Reached(_) | Self::Differences(_) => 0,
        }
    }
}

impl Drawing {
    /// What fits the sweeps and what is asked.
    ///
    /// # Errors
    /// Where there are not one or two swept axes, where probabilities and numbers are asked at once, or where the sides
    /// have nothing in common that is drawn unasked.
    pub(super) fn of(question: &Comparison) -> Result<Self> {
        let what = match (question.axes(), question.compared()) {
            (1, Compared::Bands(bands)) if question.asked().is_empty() => {
                What::Bands(bands.clone())
            }
            (1, _) => What::Lines(drawn(question)?),
            (2, Compared::Bands(bands)) if question.asked().is_empty() && bands.len() > 1 => {
                What::Reached(bands[1].clone())
            }
            (2, _) => What::Differences(drawn(question)?),
            (axes, _) => {
                let message = format!("a picture has one or two swept axes, not {axes}");
                let help = "`--sweep` one axis to see the bands, or what is queried, of both sides along it, two to \
                            see the difference as a heat map; `--set` fixes others";
                return Err(Advice::error(message, help));
            }
        };
        let (subtitle, names) = words(question, what.room_for_names());
        Ok(Self {
            what,
            subtitle,
            names,
        })
    }

    /// The picture of the answers.
    pub(super) fn figure(&self, comparison: &ComparisonAnswer) -> Figure {
        let places = comparison
            .rows
            .iter()
            .map(|row| (row.places.as_slice(), row));
        let answers = Answers {
            comparison,
            rows: places.collect(),
        };
        let (what, plot) = match &self.what {
            What::Bands(bands) => (
                "The bands of A and B".to_owned(),
                Plot::Bands(self.bands(&answers, bands)),
            ),
            What::Lines(lines) => (
                format!("{} of A and B", answers.texts(lines).join(", ")),
                Plot::Lines(self.lines(&answers, lines)),
            ),
            What::Reached(band) => (
                format!("At least {band}: B − A"),
                Plot::Heatmap(answers.reached()),
            ),
            What::Differences(lines) => (
                format!("{}: B − A", answers.texts(lines).join(", ")),
                Plot::Heatmap(answers.differences(lines)),
            ),
        };
        let axes = comparison.axes.iter().map(|axis| axis.title.as_str());
        let axes: Vec<&str> = axes.collect();
        Figure {
            title: format!("{what} by {}", axes.join(" and ")),
            subtitle: self.subtitle.clone(),
            plot,
        }
    }

    /// A panel for each side.
    fn bands(&self, answers: &Answers<'_>, bands: &[String]) -> Bands {
        let shares = |side: usize| {
            let share = |row: &PairRow, line: usize| finite(row, side, line).unwrap_or(RBig::ZERO);
            let shares =
                move |row: &PairRow| (0..bands.len()).map(|line| share(row, line)).collect();
            let at = |at| answers.allowed(&[at], side).map(shares);
            (0..answers.len(0)).map(at).collect()
        };
        Bands {
            x: drawn_axis(&answers.comparison.axes[0]),
            bands: bands.to_vec(),
            shares: Grid {
                columns: self.names.to_vec(),
                rows: vec![String::new()],
                panels: vec![shares(0), shares(1)],
            },
        }
    }

    /// A line for each side; of several numbers a panel for each.
    fn lines(&self, answers: &Answers<'_>, lines: &[usize]) -> Curves {
        let curve = |side: usize, line: usize| {
            let at = |at| finite(answers.allowed(&[at], side)?, side, line);
            (0..answers.len(0)).map(at).collect()
        };
        let panels = lines
            .iter()
            .map(|&line| vec![curve(0, line), curve(1, line)]);
        let (y, columns) = one_or_headings(answers.texts(lines));
        Curves {
            x: drawn_axis(&answers.comparison.axes[0]),
            unit: match answers.are_probabilities(lines) {
                true => Unit::Probability,
                false => Unit::Number,
            },
            y,
            by: String::new(),
            series: self.names.to_vec(),
            values: Grid {
                columns,
                rows: vec![String::new()],
                panels: panels.collect(),
            },
        }
    }
}

/// The rows of a comparison by the places of their values.
struct Answers<'c> {
    comparison: &'c ComparisonAnswer,
    rows: BTreeMap<&'c [usize], &'c PairRow>,
}

impl Answers<'_> {
    /// How many values an axis has.
    fn len(&self, axis: usize) -> usize {
        self.comparison.axes[axis].values.len()
    }

    fn row(&self, places: &[usize]) -> Option<&PairRow> {
        self.rows.get(places).copied()
    }

    /// The row, if the rules of a side allow it.
    fn allowed(&self, places: &[usize], side: usize) -> Option<&PairRow> {
        self.row(places).filter(|row| row.allowed[side])
    }

    fn texts(&self, lines: &[usize]) -> Vec<String> {
        let heads = lines.iter().map(|&line| &self.comparison.heads[line]);
        let check = &self.comparison.checks[0];
        heads.map(|head| query_title(check, &head.name)).collect()
    }

    /// What lines are that can be drawn together: all are, or none is.
    fn are_probabilities(&self, lines: &[usize]) -> bool {
        let mut heads = lines.iter().map(|&line| &self.comparison.heads[line]);
        heads.all(|head| head.kind.is_probability())
    }

    /// How much more often the second band or a better one comes up in B.
    fn reached(&self) -> Heatmap {
        let difference = |row: &PairRow| {
            let reached = self.comparison.reached(row);
            let [a, b] = reached.get(1)?;
            Some(b - a)
        };
        self.map(Unit::Points, Grid::of(self.cells(difference)))
    }

    /// A panel for each line.
    fn differences(&self, lines: &[usize]) -> Heatmap {
        let panels = lines
            .iter()
            .map(|&line| self.cells(|row| row.line_difference(line)));
        let (_, columns) = one_or_headings(self.texts(lines));
        let unit = match self.are_probabilities(lines) {
            true => Unit::Points,
            false => Unit::Difference,
        };
        let cells = Grid {
            columns,
            rows: vec![String::new()],
            panels: panels.collect(),
        };
        self.map(unit, cells)
    }

    /// The first axis lies along the lower edge.
    fn map(&self, unit: Unit, cells: Grid<Vec<Vec<Option<RBig>>>>) -> Heatmap {
        Heatmap {
            x: drawn_axis(&self.comparison.axes[0]),
            y: drawn_axis(&self.comparison.axes[1]),
            unit,
            number: match unit {
                Unit::Points => "B − A in points",
                _ => "B − A",
            }
            .to_owned(),
            cells,
        }
    }

    fn cells(&self, number: impl Fn(&PairRow) -> Option<RBig>) -> Vec<Vec<Option<RBig>>> {
        let cell = |x: usize, y: usize| number(self.row(&[x, y])?);
        let cells = |y| (0..self.len(0)).map(|x| cell(x, y)).collect();
        (0..self.len(1)).map(cells).collect()
    }
}

/// A side's answer, if it is finite.
fn finite(row: &PairRow, side: usize, line: usize) -> Option<RBig> {
    row.answers[side][line].as_ref()?.to_ratio()
}

/// What was asked, or without bands the first flag or number that both sides show.
fn drawn(question: &Comparison) -> Result<Vec<usize>> {
    let kind = |line: usize| question.heads()[line].kind;
    if let Some((first, others)) = question.asked().split_first() {
        let is_other = |line: &usize| kind(*line).is_probability() != kind(*first).is_probability();
        if others.iter().any(is_other) {
            let message = "a picture has probabilities or numbers, not both";
            return Err(Advice::error(message, "draw two pictures"));
        }
        return Ok(question.asked().to_vec());
    }
    question
        .first_shared()
        .map(|line| vec![line])
        .ok_or_else(|| {
            let message = "A and B have nothing in common that is drawn unasked";
            Advice::error(message, "say what is drawn with `--query`")
        })
}

/// What stands below the title, and what the sides are called: what they are, if there is room for that, and else `A` and
/// `B`, which are explained below the title.
fn words(question: &Comparison, room: usize) -> (String, [String; 2]) {
    let mut settings = question.settings(figures::is_telling);
    let names = SIDES.map(|side| {
        let own = settings.iter().find(|(name, _)| *name == side);
        own.map_or(side.to_owned(), |(_, words)| format!("{side}: {words}"))
    });
    let have_room = names.iter().all(|name| name.chars().count() <= room);
    if have_room {
        settings.retain(|(side, _)| *side == BOTH);
    }
    // What a side is stays on one line with the side.
    let subtitle = headline(&question.title(), &settings).replace(": ", ":\u{a0}");
    match have_room {
        true => (subtitle, names),
        false => (subtitle, SIDES.map(str::to_owned)),
    }
}
