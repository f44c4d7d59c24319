//! What a chart draws.

use crate::check::{Check, Outcome, OutcomeKind, Query, QueryKind};
use crate::lower::measure::quoted;
use crate::model::ChartKind;
use crate::program::Statement;
use crate::settings::chart::{ChartText, Reading};
use crate::source::Diagnostic;

impl Check {
    /// The number whose distribution says most: a track's rounds, what the bands are read from, or the first.
    pub(super) fn main_number(&self) -> Option<&Outcome> {
        if self.rounds.is_some() {
            return self
                .numbers()
                .find(|outcome| Some(outcome.var) == self.rounds);
        }
        let band = self.band().map(|(outcome, _)| outcome.var);
        let statements = self.program.statements.iter();
        let mut values = statements.filter_map(|statement| match statement {
            Statement::Let { var, value } if Some(*var) == band => Some(value),
            _ => None,
        });
        let read = self.outcomes_in(values.next().into_iter());
        let graded = self.numbers().find(|outcome| read.contains(&outcome.var));
        graded.or_else(|| self.numbers().next())
    }

    /// What is drawn where nothing is asked: for `single`, one query only.
    fn chart_queries(&self, single: bool) -> Vec<Query> {
        let at_least = |label: &String| self.query(&format!("P(band>={})", quoted(label)), "bands");
        let mut queries: Vec<Query> = match self.end_bands() {
            Some([_, better @ ..]) => better.iter().flat_map(at_least).collect(),
            _ => Vec::new(),
        };
        if queries.is_empty() {
            let ends = self.outcomes.iter().filter(|outcome| !outcome.first_round);
            let flags = ends.filter(|outcome| outcome.kind == OutcomeKind::Flag);
            queries.extend(flags.flat_map(|flag| self.query(&flag.name, "flags")));
        }
        if queries.is_empty() {
            let number = self.main_number().into_iter();
            queries.extend(
                number.flat_map(|number| self.query(&format!("mean({})", number.name), "numbers")),
            );
        }
        queries.truncate(if single { 1 } else { queries.len() });
        queries
    }
}

impl Reading<'_> {
    /// What was asked, or what fits; none for kinds that draw none.
    pub(super) fn queries(&mut self, kind: ChartKind) -> Vec<Query> {
        let asked = &self.request.queries;
        if !kind.takes_queries() {
            if !asked.is_empty() {
                self.refuse_queries(kind);
            }
            return Vec::new();
        }
        if asked.is_empty() {
            let single = kind == ChartKind::Heatmap || self.request.by.is_some();
            let queries = self.check.chart_queries(single);
            if queries.is_empty() {
                let message = format!("`{}` shows nothing that is drawn unasked", self.check.name);
                let error = self.error(ChartText::X, message);
                let help = format!(
                    "say what is drawn with `{}`",
                    self.name_of(ChartText::Query(0))
                );
                self.errors.push(error.with_help(help));
            }
            return queries;
        }
        let mut queries: Vec<Query> = Vec::new();
        for (at, text) in asked.iter().enumerate() {
            let name = self.name_of(ChartText::Query(at));
            match self.check.query(text.trim(), &name) {
                Ok(query) => {
                    self.refuse_mixed(at, &query, &queries);
                    queries.push(query);
                }
                Err(wrong) => {
                    let blanks = text.len() - text.trim_start().len();
                    let moved = wrong.0.into_iter();
                    let moved = moved.map(|error| self.moved(ChartText::Query(at), blanks, error));
                    let moved: Vec<Diagnostic> = moved.collect();
                    self.errors.extend(moved);
                }
            }
        }
        queries
    }

    fn refuse_queries(&mut self, kind: ChartKind) {
        let shows = match kind {
            ChartKind::Bands => "shows the bands",
            _ => "shows all outcomes",
        };
        let message = format!("{} {shows}, and takes no queries", kind.noun());
        let error = self.error(ChartText::Query(0), message);
        let place = (self.place)(ChartText::Query(0));
        let help = match self.request.kind {
            Some(_) => format!("{} draws queries", place.write("kind", "lines")),
            None => format!(
                "queries are drawn along an axis: name it with `{}`",
                self.name_of(ChartText::X)
            ),
        };
        self.errors.push(error.with_help(help));
    }

    /// One scale is for probabilities or for numbers, and no query is there twice.
    fn refuse_mixed(&mut self, at: usize, query: &Query, earlier: &[Query]) {
        let is_chance = |query: &Query| matches!(query.kind, QueryKind::Probability(_));
        let what = |query: &Query| {
            if is_chance(query) {
                "a probability"
            } else {
                "a number"
            }
        };
        if earlier.iter().any(|known| known.text == query.text) {
            let message = format!("`{}` is asked twice", query.text);
            let error = self.error(ChartText::Query(at), message);
            self.errors.push(error.with_label("again here"));
        } else if let Some(first) = earlier.first()
            && is_chance(first) != is_chance(query)
        {
            let message = "a chart draws probabilities or numbers, not both";
            let label = format!(
                "this is {}, and `{}` is {}",
                what(query),
                first.text,
                what(first)
            );
            let error = self.error(ChartText::Query(at), message).with_label(label);
            self.errors.push(error.with_help("draw two charts"));
        }
    }
}
