//! Comparisons: two checks side by side, or one before and after a change.

mod axes;
mod lines;
mod sides;

use oddsmith_analysis::compare::{Pair, PairRow, Scale, Side, Summary};
use oddsmith_exact::{Answer, Gaps, RBig};
use oddsmith_rules::{Check, Config, Input, in_turn, setting};

pub use axes::SweptAxis;
pub use lines::{Compared, Head};
pub use sides::{BOTH, SIDES};

use crate::{AnswerKind, CompareRequest, Error, Game, Limits, Wanted};
use lines::Lines;
use sides::Sides;

/// Two checks that are to be compared, each in its configuration.
#[derive(Clone, Debug)]
pub struct Comparison {
    sides: Sides,
    lines: Lines,
}

/// The answers of both sides, for every configuration.
#[derive(Clone, Debug)]
pub struct ComparisonAnswer {
    /// What both are called, or the one against the other.
    pub title: String,
    /// What is set and no default, for `both`, `A` and `B`.
    pub settings: Vec<(&'static str, String)>,
    /// The ruleset of each side, as it was named.
    pub rulesets: [String; 2],
    /// The check of each side.
    pub checks: [Check; 2],
    /// The configuration of each side.
    pub configs: [Config; 2],
    /// The axes that are swept.
    pub axes: Vec<SweptAxis>,
    /// The lines of every row, each with what it is about.
    pub heads: Vec<Head>,
    /// The outcomes that are compared as a whole.
    pub compared: Compared,
    /// The configurations that at least one side allows, in the order of the sweep.
    pub rows: Vec<PairRow>,
    /// All rows in a few numbers.
    pub summary: Summary,
    /// For each side the configurations in which it breaks a rule.
    pub gaps: [Gaps; 2],
}

impl Game {
    /// Compares one of its checks with one of another game, of another version of this one, or with itself in another
    /// configuration.
    ///
    /// # Errors
    /// If there is no such check, the two have nothing in common, or a setting, sweep or query does not fit them.
    ///
    /// ```
    /// use oddsmith::{CompareRequest, Game, Limits};
    /// let game = Game::open("stars-and-signs")?;
    /// let mut request = CompareRequest::default();
    /// request.with.set("circ_boons", 1);
    /// let answer = game.compare(&game, &request)?.answer(&Limits::default())?;
    /// let mut heads = answer.heads.iter();
    /// let critical = heads.position(|head| head.name == "Critical").expect("it is a band");
    /// let more = answer.rows[0].line_difference(critical).expect("both have the band");
    /// assert!(more > oddsmith::RBig::ZERO);
    /// # Ok::<(), oddsmith::Error>(())
    /// ```
    pub fn compare(&self, other: &Self, request: &CompareRequest) -> Result<Comparison, Error> {
        let (check, against) = (request.check.as_deref(), request.against.as_deref());
        let checks = [
            self.find(check, Wanted::Either)?.clone(),
            other.find(against.or(check), Wanted::Either)?.clone(),
        ];
        let sides = Sides::new([self, other], checks, request)?;
        let lines = Lines::new(&sides, request)?;
        Ok(Comparison { sides, lines })
    }
}

impl Comparison {
    /// The answers.
    ///
    /// # Errors
    /// If they are over the limits, or if no configuration can be answered.
    pub fn answer(&self, limits: &Limits) -> Result<ComparisonAnswer, Error> {
        let pair = self.pair()?;
        let (rows, gaps) = limits.run(|| Ok(pair.rows(&limits.budget())?))?;
        let (sides, lines) = (&self.sides, &self.lines);
        Ok(ComparisonAnswer {
            title: sides.title(),
            settings: sides.settings(|input, value| value != input.default),
            rulesets: sides.rulesets.clone(),
            checks: sides.checks.clone(),
            configs: sides.configs.clone(),
            axes: sides.axes.iter().map(|axis| axis.shown.clone()).collect(),
            heads: lines.heads.clone(),
            compared: lines.compared.clone(),
            summary: Summary::of(&rows, lines.heads.len()),
            rows,
            gaps,
        })
    }

    fn pair(&self) -> Result<Pair<'_>, Error> {
        let (sides, lines) = (&self.sides, &self.lines);
        let side = |side: usize| Side {
            check: &sides.checks[side],
            config: &sides.configs[side],
            ranges: { sides.axes.iter() }
                .map(|axis| axis.ranges[side].clone())
                .collect(),
            lines: lines.queries[side].clone(),
        };
        let lengths = sides.axes.iter().map(|axis| axis.shown.values.len());
        Ok(Pair {
            sides: [0, 1].map(side),
            lengths: lengths.collect(),
            scale: match &lines.compared {
                Compared::Nothing => Scale::None,
                Compared::Bands(bands) => Scale::Bands((0..bands.len()).collect()),
                Compared::Number(name) => Scale::Number(lines::outcomes(&sides.checks, name)?),
            },
        })
    }

    /// What both are called, or the one against the other.
    pub fn title(&self) -> String {
        self.sides.title()
    }

    /// What is set for both sides alike, as far as it `is_told`, and in what A and B differ.
    pub fn settings(&self, is_told: impl Fn(&Input, i64) -> bool) -> Vec<(&'static str, String)> {
        self.sides.settings(is_told)
    }

    /// The number of axes that are swept.
    pub fn axes(&self) -> usize {
        self.sides.axes.len()
    }

    /// The lines of every row, each with what it is about.
    pub fn heads(&self) -> &[Head] {
        &self.lines.heads
    }

    /// The places of the lines that were asked for among all.
    pub fn asked(&self) -> &[usize] {
        &self.lines.asked
    }

    /// The place of the first line that both sides have and that is no band.
    pub fn first_shared(&self) -> Option<usize> {
        let queries = &self.lines.queries;
        let is_shared = |line: usize| queries.iter().all(|side| side[line].is_some());
        let mut unasked = (0..self.lines.heads.len())
            .filter(|&line| self.lines.heads[line].kind != AnswerKind::Band);
        unasked.find(|&line| is_shared(line))
    }

    /// The outcomes that are compared as a whole.
    pub fn compared(&self) -> &Compared {
        &self.lines.compared
    }

    /// Sentences that are worth knowing beside the answer, such as what one side lacks.
    pub fn notes(&self) -> impl Iterator<Item = &str> {
        let notes = self.sides.notes.iter().chain(&self.lines.notes);
        notes.map(String::as_str)
    }
}

impl ComparisonAnswer {
    /// The values of the swept axes in a row: `circ_boons=2 state=ok`.
    pub fn place(&self, row: &PairRow) -> String {
        let axes = self.axes.iter().zip(&row.places);
        let words: Vec<String> = axes
            .map(|(axis, place)| setting(&axis.title, &axis.told[*place]))
            .collect();
        in_turn(&words)
    }

    /// For each band the chance of it or a better one on each side; nothing unless the bands are compared as a whole.
    pub fn reached(&self, row: &PairRow) -> Vec<[RBig; 2]> {
        let (Compared::Bands(bands), Some(_)) = (&self.compared, &row.difference) else {
            return Vec::new();
        };
        let mut sums = [RBig::ZERO, RBig::ZERO];
        let mut reached = Vec::new();
        for line in (0..bands.len()).rev() {
            for (sum, answers) in sums.iter_mut().zip(&row.answers) {
                let odds = answers[line].as_ref().and_then(Answer::to_ratio);
                *sum += odds.unwrap_or(RBig::ZERO);
            }
            reached.push(sums.clone());
        }
        reached.reverse();
        reached
    }

    /// Whether something is compared as a whole.
    pub fn is_compared(&self) -> bool {
        !matches!(self.compared, Compared::Nothing)
    }

    /// The names of the lines, each once: a band of one side may be a flag of the other.
    pub fn line_names(&self) -> Vec<String> {
        crate::told_apart(&[], self.heads.iter().map(|head| head.name.clone()))
    }
}
