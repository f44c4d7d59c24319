//! The odds of one configuration, to be read on a terminal.

use oddsmith_exact::{Dist, RBig};

use crate::format::grid::{Align, Cell, Grid};
use crate::format::outcomes::{Kind, Line};
use crate::format::paint::{self, BOLD, DIM};
use crate::format::words::{self, Form};

/// Cells of a bar that stands for certainty.
pub(crate) const BAR: u32 = 30;

/// What is shown of one configuration.
#[derive(Debug)]
pub(crate) struct View {
    pub(crate) title: String,
    pub(crate) settings: String,
    /// Bands, flags, queries.
    pub(crate) lines: Vec<Line>,
    pub(crate) observables: Vec<Observable>,
    /// How the odds are written.
    pub(crate) form: Form,
}

/// A number that the check shows; beside other answers there may be none, over the budget.
#[derive(Debug)]
pub(crate) struct Observable {
    pub(crate) name: String,
    pub(crate) dist: Option<Dist>,
}

impl View {
    /// The whole view, coloured.
    pub(crate) fn render(&self) -> String {
        let header = header(&self.title, &self.settings);
        let mut sections = vec![
            header,
            odds(&self.lines, self.form),
            numbers(&self.observables),
        ];
        sections.retain(|section| !section.is_empty());
        sections.join("\n")
    }
}

/// A title, and what is set.
pub(crate) fn header(title: &str, settings: &str) -> String {
    let title = format!("{BOLD}{title}{BOLD:#}\n");
    if settings.is_empty() {
        title
    } else {
        format!("{title}{DIM}{settings}{DIM:#}\n")
    }
}

/// Mean, deviation and range of each.
pub(crate) fn numbers(observables: &[Observable]) -> String {
    if observables.is_empty() {
        return String::new();
    }
    let mut grid = Grid::new(&[Align::Left, Align::Right, Align::Right, Align::Left]);
    grid.head(&["", "mean", "sd", "range"]);
    for observable in observables {
        grid.push(number_row(observable));
    }
    grid.render("  ")
}

fn number_row(observable: &Observable) -> Vec<Cell> {
    let name = observable.name.as_str().into();
    let Some(dist) = &observable.dist else {
        return vec![
            name,
            "".into(),
            "".into(),
            Cell::styled("over the budget", DIM),
        ];
    };
    let range = match dist.as_constant() {
        Some(value) => format!("always {value}"),
        None => format!("{} to {}", dist.min(), dist.max()),
    };
    vec![
        name,
        words::value(&dist.mean()).into(),
        words::deviation(&dist.variance()).into(),
        range.into(),
    ]
}

/// The head of the fractions, unless the odds are fractions themselves.
pub(crate) fn fraction_head(form: Form) -> &'static str {
    if form.is_fraction() { "" } else { "fraction" }
}

/// Bands with what is at least as good, then flags, then queries: name, odds, bar, fraction.
pub(crate) fn odds(lines: &[Line], form: Form) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let of = |is: fn(Kind) -> bool| {
        lines
            .iter()
            .filter(move |line| is(line.kind))
            .collect::<Vec<_>>()
    };
    let bands = of(|kind| kind == Kind::Band);
    let mut grid = Grid::new(&[
        Align::Left,
        Align::Right,
        Align::Right,
        Align::Left,
        Align::Left,
    ]);
    grid.widen(3, BAR as usize);
    grid.head(&[
        "",
        "odds",
        if bands.is_empty() { "" } else { "at least" },
        "",
        fraction_head(form),
    ]);
    push_bands(&bands, form, &mut grid);
    for section in [
        of(|kind| kind == Kind::Flag),
        of(|kind| !matches!(kind, Kind::Band | Kind::Flag)),
    ] {
        if !section.is_empty() && section.len() < lines.len() {
            grid.push(Vec::new());
        }
        section
            .iter()
            .for_each(|line| grid.push(plain_row(line, form)));
    }
    grid.render("  ")
}

fn push_bands(bands: &[&Line], form: Form, grid: &mut Grid) {
    for (place, band) in bands.iter().enumerate() {
        let better = bands[place..].iter().filter_map(|line| line.ratio());
        let at_least = better.fold(RBig::ZERO, |sum, odds| sum + odds);
        let color = paint::band_color(place, bands.len());
        let mut row = plain_row(band, form);
        row[2] = form.show_ratio(&at_least).into();
        row[3] = Cell::styled(paint::bar(band.decimal(), BAR), color);
        grid.push(row);
    }
}

/// Name, odds, nothing, bar and fraction of a line that is no band.
pub(crate) fn plain_row(line: &Line, form: Form) -> Vec<Cell> {
    let name = line.name.as_str().into();
    let Some(ratio) = line.ratio() else {
        return vec![name, line.shown(form).into()];
    };
    if !line.kind.is_probability() {
        let exact = Cell::styled(words::exact_value(&ratio), DIM);
        return vec![name, line.shown(form).into(), "".into(), "".into(), exact];
    }
    let p = words::share(&line.answer.weight, &line.answer.total);
    let bar = Cell::styled(paint::bar(p, BAR), paint::PLAIN);
    let exact = if form.is_fraction() {
        String::new()
    } else {
        words::odds(&ratio)
    };
    vec![
        name,
        line.shown(form).into(),
        "".into(),
        bar,
        Cell::styled(exact, DIM),
    ]
}
