//! A contest, to be read on a terminal.

use oddsmith_exact::{Answer, IBig, RBig};
use oddsmith_rules::Ties;

use crate::format::grid::{Align, Cell, Grid};
use crate::format::outcomes::Line;
use crate::format::paint::{self, BOLD, DIM};
use crate::format::view::{self, BAR};
use crate::format::words::{self, Form};

/// What is shown of a contest.
#[derive(Debug)]
pub(crate) struct View {
    pub(crate) title: String,
    /// What is set for `both`, `A` and `B`.
    pub(crate) settings: Vec<(&'static str, String)>,
    pub(crate) ties: Ties,
    /// `A`, `tie` and `B` of one roll each.
    pub(crate) bands: Vec<Line>,
    /// Of one roll each.
    pub(crate) flags: Vec<Line>,
    /// `A|decided` and `B|decided`; none if nothing ever is.
    pub(crate) decided: Vec<Line>,
    /// Mean and variance of the rounds.
    pub(crate) rounds: Vec<Line>,
    /// `a_wins` and `b_wins`.
    pub(crate) whole: Vec<Line>,
    pub(crate) sides: [Side; 2],
    pub(crate) asked: Vec<Line>,
    /// How the odds are written.
    pub(crate) form: Form,
}

/// What a side compares.
#[derive(Debug)]
pub(crate) struct Side {
    pub(crate) name: &'static str,
    /// As written.
    pub(crate) compares: String,
    /// If these are labels, in their order.
    pub(crate) labels: Option<Vec<String>>,
    /// Mean and variance, or the odds of each label.
    pub(crate) answers: Vec<Answer>,
}

impl View {
    /// The whole view, coloured.
    pub(crate) fn render(&self) -> String {
        let mut sections = vec![
            self.header(),
            format!(
                "{BOLD}one roll each{BOLD:#}{}\n{}",
                self.compared(),
                self.odds()
            ),
            format!(
                "{BOLD}the whole contest{BOLD:#}: {}\n{}",
                self.rule(),
                self.whole()
            ),
            self.numbers(),
        ];
        if !self.asked.is_empty() {
            let asked = view::odds(&self.asked, self.form);
            sections.push(format!("{BOLD}asked{BOLD:#}\n{asked}"));
        }
        sections.join("\n")
    }

    fn header(&self) -> String {
        let mut grid = Grid::new(&[Align::Left, Align::Left]);
        for (side, words) in &self.settings {
            grid.push(vec![Cell::styled(*side, DIM), Cell::styled(words, DIM)]);
        }
        if self.settings.is_empty() {
            grid.push(vec![Cell::styled("both in the default configuration", DIM)]);
        }
        view::header(&self.title, "") + &grid.render("")
    }

    /// `: the higher total wins`
    fn compared(&self) -> String {
        let [a, b] = &self.sides;
        match (a.compares == b.compares, a.word().is_some()) {
            (true, true) => format!(": the higher {} wins", a.compares),
            (true, false) => format!(", by `{}`: the higher wins", a.compares),
            (false, _) => format!(
                ", `{}` of A by `{}` of B: the higher wins",
                a.compares, b.compares
            ),
        }
    }

    fn odds(&self) -> String {
        let mut grid = odds_grid(self.form);
        for (place, band) in self.bands.iter().enumerate() {
            let mut row = row(band, self.form);
            // A is for A what a best band is.
            let color = paint::band_color(self.bands.len() - 1 - place, self.bands.len());
            row[2] = Cell::styled(paint::bar(band.decimal(), BAR), color);
            grid.push(row);
        }
        let is_tied = self.bands[1].answer.weight != IBig::ZERO;
        let ends_in_tie = is_tied && self.ties != Ties::Reroll;
        let decided = self.decided.iter().filter(|_| ends_in_tie);
        let flags = self.flags.iter().filter(|flag| flag.name != "decided");
        let more: Vec<&Line> = decided.chain(flags).collect();
        if !more.is_empty() {
            grid.push(Vec::new());
        }
        more.iter().for_each(|line| grid.push(row(line, self.form)));
        grid.render("  ")
    }

    fn rule(&self) -> &'static str {
        match self.ties {
            Ties::Reroll => "a tie is rolled again",
            Ties::Both => "at a tie both have won",
            Ties::Defender => "at a tie B has won",
        }
    }

    fn whole(&self) -> String {
        if self.decided.is_empty() && self.ties == Ties::Reroll {
            return "  It is always a tie, so it is never decided: the mean of rounds is inf.\n"
                .to_owned();
        }
        let mut grid = odds_grid(self.form);
        self.whole
            .iter()
            .for_each(|line| grid.push(row(line, self.form)));
        let odds = grid.render("  ");
        let [mean, variance] = [0, 1].map(|at| self.rounds[at].ratio());
        let (Some(mean), Some(variance)) = (mean, variance) else {
            return odds;
        };
        if self.ties != Ties::Reroll {
            return odds;
        }
        let exact = words::exact_value(&mean);
        let exact = if exact.is_empty() {
            exact
        } else {
            format!(" ({exact})")
        };
        let (value, sd) = (words::value(&mean), words::deviation(&variance));
        let rounds = if mean == RBig::ONE {
            "it never takes more than 1 round".to_owned()
        } else {
            format!("rounds: mean {value}{exact}, sd {sd}")
        };
        format!("{odds}  {DIM}{rounds}{DIM:#}\n")
    }

    fn numbers(&self) -> String {
        let [a, b] = &self.sides;
        let labels = a.labels.as_deref();
        let mut head = vec![""];
        match labels {
            None => head.extend(["mean", "sd"]),
            Some(labels) => head.extend(labels.iter().map(String::as_str)),
        }
        let mut aligns = vec![Align::Left];
        aligns.resize(head.len(), Align::Right);
        let mut grid = Grid::new(&aligns);
        grid.head(&head);
        for side in [a, b] {
            grid.push(side.row(self.form));
        }
        grid.render("  ")
    }
}

impl Side {
    /// What is compared, if it is a name.
    fn word(&self) -> Option<&str> {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        self.compares
            .chars()
            .all(is_name)
            .then_some(self.compares.as_str())
    }

    fn row(&self, form: Form) -> Vec<Cell> {
        let ratios = self.answers.iter().filter_map(Answer::to_ratio);
        let is_label = self.labels.is_some();
        let shown = ratios.enumerate().map(|(at, ratio)| match (is_label, at) {
            (true, _) => form.show_ratio(&ratio),
            (false, 0) => words::value(&ratio),
            (false, _) => words::deviation(&ratio),
        });
        let name = match self.word() {
            Some(word) => format!("{} {word}", self.name),
            None => self.name.to_owned(),
        };
        std::iter::once(name).chain(shown).map(Cell::from).collect()
    }
}

/// Name, odds, bar, fraction.
fn odds_grid(form: Form) -> Grid {
    let mut grid = Grid::new(&[Align::Left, Align::Right, Align::Left, Align::Left]);
    grid.widen(2, BAR as usize);
    grid.head(&["", "odds", "", view::fraction_head(form)]);
    grid
}

fn row(line: &Line, form: Form) -> Vec<Cell> {
    let mut cells = view::plain_row(line, form);
    cells.remove(2);
    cells
}
