//! A contest, to be read.

pub(crate) use oddsmith::ComparedSide as Side;
use oddsmith_exact::{Answer, IBig, RBig};
use oddsmith_rules::Ties;

use crate::document::{Block, Column, Document, Role, Span, Table, Text};
use crate::format::comparison::in_lines;
use crate::format::outcomes::{self, Line};
use crate::format::view;
use crate::format::words::{self, Form};

/// What is shown of a contest.
#[derive(Debug)]
pub(crate) struct ContestView {
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

impl ContestView {
    /// The whole view.
    pub(crate) fn document(&self) -> Document {
        let mut document = Document::default();
        let settings = match self.settings.as_slice() {
            [] => "both in the default configuration".to_owned(),
            _ => in_lines(&self.all_settings()),
        };
        document.push(view::opening(&self.title, &settings));
        let begun = |words, rest: String| {
            let line = Text::from(Span::strong(words)).and(rest);
            Block::paragraph(line)
        };
        let one = begun("one roll each", self.compared());
        document.push([one, Block::table(self.odds())]);
        let whole = begun("the whole contest", format!(": {}", self.rule()));
        document.push(std::iter::once(whole).chain(self.whole()));
        document.push([Block::table(self.numbers())]);
        if let Some(asked) = view::odds(&self.asked, self.form) {
            document.push([Block::heading("asked"), asked]);
        }
        document
    }

    /// What is set, and that nothing is for a side whose other has settings of its own.
    fn all_settings(&self) -> Vec<(&'static str, String)> {
        let mut settings = self.settings.clone();
        let has = |side: &str| self.settings.iter().any(|(name, _)| *name == side);
        let unset = "as by default".to_owned();
        match [has("A"), has("B")] {
            [true, false] => settings.push(("B", unset)),
            [false, true] => settings.insert(settings.len() - 1, ("A", unset)),
            _ => {}
        }
        settings
    }

    /// `: the higher total wins`
    fn compared(&self) -> String {
        let [a, b] = &self.sides;
        match (a.compares == b.compares, &a.title) {
            (true, Some(title)) => format!(": the higher {title} wins"),
            (true, None) => format!(", by `{}`: the higher wins", a.compares),
            (false, _) => format!(
                ", `{}` of A by `{}` of B: the higher wins",
                a.compares, b.compares
            ),
        }
    }

    fn odds(&self) -> Table {
        let mut table = Table::new(outcomes::columns(self.form));
        let count = self.bands.len();
        for (at, band) in self.bands.iter().enumerate() {
            let [name, odds, _, fraction] = outcomes::row(band, self.form);
            // A is for A what a best band is.
            let place = count - 1 - at;
            let bar = Span::bar(band.decimal(), outcomes::BAR, Role::Ranked { place, count });
            table.push([name, odds, bar, fraction]);
        }
        let is_tied = self.bands[1].answer.weight != IBig::ZERO;
        let ends_in_tie = is_tied && self.ties != Ties::Reroll;
        let decided = self.decided.iter().filter(|_| ends_in_tie);
        let flags = self.flags.iter().filter(|flag| flag.name != "decided");
        let more: Vec<&Line> = decided.chain(flags).collect();
        if !more.is_empty() {
            table.push_gap();
        }
        table.with_rows(more.iter().map(|line| outcomes::row(line, self.form)))
    }

    fn rule(&self) -> &'static str {
        match self.ties {
            Ties::Reroll => "a tie is rolled again",
            Ties::Both => "at a tie both have won",
            Ties::Defender => "at a tie B has won",
        }
    }

    fn whole(&self) -> Vec<Block> {
        if self.decided.is_empty() && self.ties == Ties::Reroll {
            let words = "  It is always a tie, so it is never decided: the mean of rounds is inf.";
            return vec![Block::paragraph(words)];
        }
        let rows = self.whole.iter().map(|line| {
            let [_, odds, bar, fraction] = outcomes::row(line, self.form);
            let side = if line.name == "a_wins" {
                "A wins"
            } else {
                "B wins"
            };
            [side.into(), odds, bar, fraction]
        });
        let odds = Table::new(outcomes::columns(self.form)).with_rows(rows);
        let rounds = match self.ties {
            Ties::Reroll => self.rounds_in_words(),
            Ties::Both | Ties::Defender => None,
        };
        vec![Block::table(odds), Block::note(rounds.unwrap_or_default())]
    }

    /// `rounds: mean 1.125 (9/8), sd 0.375`
    fn rounds_in_words(&self) -> Option<String> {
        let [mean, variance] = [0, 1].map(|at| self.rounds[at].ratio());
        let (mean, variance) = (mean?, variance?);
        if mean == RBig::ONE {
            return Some("it never takes more than 1 round".to_owned());
        }
        let exact = match words::exact_value(&mean) {
            exact if exact.is_empty() => exact,
            exact => format!(" ({exact})"),
        };
        let (value, sd) = (words::value(&mean), words::deviation(&variance));
        Some(format!("rounds: mean {value}{exact}, sd {sd}"))
    }

    fn numbers(&self) -> Table {
        let none = ["mean", "sd"].map(str::to_owned).to_vec();
        let names = self.sides[0].labels.clone().unwrap_or(none);
        let head = std::iter::once(String::new()).chain(names);
        let table = Table::new(Column::of_numbers(head));
        table.with_rows(self.sides.iter().map(|side| ShownSide(side).row(self.form)))
    }
}

/// A side as it is shown.
struct ShownSide<'s>(&'s Side);

impl ShownSide<'_> {
    fn row(&self, form: Form) -> Vec<String> {
        let ratios = self.0.answers.iter().filter_map(Answer::to_ratio);
        let is_label = self.0.labels.is_some();
        let shown = ratios.enumerate().map(|(at, ratio)| match (is_label, at) {
            (true, _) => form.show_ratio(&ratio),
            (false, 0) => words::value(&ratio),
            (false, _) => words::deviation(&ratio),
        });
        let name = match &self.0.title {
            Some(title) => format!("{} {title}", self.0.name),
            None => self.0.name.to_owned(),
        };
        std::iter::once(name).chain(shown).collect()
    }
}
