//! An expectation's texts against the check that it is about.

use std::sync::Arc;

use dashu_ratio::RBig;

use crate::check::{Check, InputRange, Query, QueryKind};
use crate::config::Config;
use crate::expectation::{Alternative, Bounds, Claim, Expectation};
use crate::file::expect::Draft;
use crate::file::expect::claim::{ClaimText, Limits, Subject};
use crate::file::expect::number::Figure;
use crate::file::nodes::Written;
use crate::program::InputId;
use crate::settings::ranges::all_broken;
use crate::source::{Diagnostic, Reporter, Span};

/// A sentence as it is printed: each line break, or other character that can't be seen, is a space.
fn in_one_line(sentence: &str) -> String {
    let visible = |c: char| {
        if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') {
            ' '
        } else {
            c
        }
    };
    let sentence: String = sentence.chars().map(visible).collect();
    sentence.trim().to_owned()
}

impl Draft<'_> {
    /// The expectation, or errors.
    pub(super) fn resolve(&self, reporter: &mut Reporter) -> Option<Expectation> {
        let before = reporter.len();
        let mut reading = Reading {
            check: self.check,
            reporter,
            uses: Vec::new(),
        };
        let queries = reading.queries(&self.subject);
        let mut config = self.check.defaults();
        reading.set("set", &self.sets, &mut config);
        let is_sum = self.subject.key == "sum";
        let claim = reading.claim(&self.asked, &config, (&queries, is_sum));
        let sweep = reading.sweep(&self.sweeps);
        let expectation = Expectation {
            check: self.check.name.clone(),
            intent: in_one_line(&self.intent),
            source: in_one_line(&self.source),
            span: self.start,
            config,
            sweep,
            queries,
            is_sum,
            claim: claim?,
        };
        if reporter.len() == before {
            self.demand_legal(&expectation, reporter);
        }
        (reporter.len() == before).then_some(expectation)
    }

    /// An expectation needs a configuration that the rules allow.
    fn demand_legal(&self, expectation: &Expectation, reporter: &mut Reporter) {
        let mut ranges: Vec<&InputRange> = expectation.sweep.iter().collect();
        ranges.extend(expectation.claim.ranges());
        let bases: Vec<&Config> = match &expectation.claim {
            Claim::Ordered { options, .. } => options.iter().map(|option| &option.config).collect(),
            _ => vec![&expectation.config],
        };
        let broken = bases
            .into_iter()
            .map(|base| all_broken(self.check, base, &ranges));
        let broken: Option<Vec<_>> = broken.collect();
        if let Some(first) = broken.as_ref().and_then(|broken| broken.first()) {
            let message = "the rules allow no configuration of this expectation";
            let error = reporter.error(self.start, message);
            reporter.push(error.with_label(format!("`{}` is required", first.text)));
        }
    }
}

/// Texts that are being read.
pub(super) struct Reading<'r> {
    pub(super) check: &'r Check,
    pub(super) reporter: &'r mut Reporter,
    /// The inputs that have a value or several, and the keys that gave them.
    uses: Vec<(String, InputId)>,
}

impl Reading<'_> {
    /// An error in a text at its place in the file.
    fn push(&mut self, written: &Written, error: Diagnostic) {
        let source = Arc::clone(&self.reporter.source);
        self.reporter.push(error.moved(&source, written.span.start));
    }

    /// Notes that a key gives an input a value; an input that has one from another key is an error.
    fn give(&mut self, key: &str, input: InputId, place: Span) {
        let earlier = self.uses.iter().find(|(_, known)| *known == input);
        match earlier {
            Some((earlier, _)) if earlier != key => {
                let uses = [earlier.clone(), key.to_owned()];
                let place = (&self.reporter.source, place);
                let error = self.check.given_twice(input, &uses, place);
                let help = "an axis or a parameter has one use in an expectation";
                self.reporter.push(error.with_help(help));
            }
            _ => self.uses.push((key.to_owned(), input)),
        }
    }

    fn queries(&mut self, subject: &Subject) -> Vec<Query> {
        let mut queries: Vec<Query> = Vec::new();
        for written in &subject.queries {
            let text = written.text.trim();
            let query = match self.check.query(text, subject.key) {
                Ok(query) => query,
                Err(errors) => {
                    let blanks = written.text.len() - written.text.trim_start().len();
                    let source = Arc::clone(&self.reporter.source);
                    for error in errors.0 {
                        self.reporter
                            .push(error.moved(&source, written.span.start + blanks));
                    }
                    continue;
                }
            };
            if subject.key.ends_with("reachable") && !is_event(&query) {
                let message = format!(
                    "`{text}` is a number, and `{}` is for what happens",
                    subject.key
                );
                let error = self.reporter.error(written.span, message);
                self.reporter
                    .push(error.with_help("write a band, a flag or a condition"));
            }
            if queries.iter().any(|known| known.text == query.text) {
                let message = format!("`{text}` is asked twice");
                let error = self.reporter.error(written.span, message);
                self.reporter.push(error.with_label("again here"));
            }
            queries.push(query);
        }
        queries
    }

    /// Sets what a key says in a configuration.
    fn set(&mut self, key: &str, sets: &[Written], config: &mut Config) {
        for written in sets {
            match self.check.set(config, &written.text, key) {
                Ok(()) => {
                    for input in self.check.set_by(&written.text) {
                        self.give(key, input, written.span);
                    }
                }
                Err(error) => self.push(written, error),
            }
        }
    }

    /// The values of `AXIS` or `AXIS=VALUES`.
    pub(super) fn range(&mut self, key: &str, written: &Written) -> Option<InputRange> {
        match self.check.range(&written.text, key, &[]) {
            Ok(range) => {
                self.give(key, range.input, written.span);
                Some(range)
            }
            Err(error) => {
                self.push(written, error);
                None
            }
        }
    }

    /// The values that are compared with one another.
    fn along(&mut self, key: &str, written: &Written) -> Option<InputRange> {
        let range = self.range(key, written)?;
        if range.values.len() >= 2 {
            return Some(range);
        }
        let message = format!("`{key}` needs two values or more");
        let error = self.reporter.error(written.span, message);
        self.reporter.push(error.with_label("this is one"));
        None
    }

    /// What an expectation is meant for, each input once.
    fn sweep(&mut self, sweeps: &[Written]) -> Vec<InputRange> {
        let mut ranges: Vec<InputRange> = Vec::new();
        // `all` means all others, wherever it stands.
        let (all, named): (Vec<&Written>, Vec<&Written>) = sweeps
            .iter()
            .partition(|written| written.text.trim() == "all");
        for written in named {
            let known = ranges.len();
            ranges.extend(self.range("sweep", written));
            let earlier = ranges[..known].iter().map(|range| range.input);
            if ranges
                .get(known)
                .is_some_and(|range| earlier.clone().any(|id| id == range.input))
            {
                let name = &self.check.inputs[ranges[known].input.0].name;
                let error = self
                    .reporter
                    .error(written.span, format!("`{name}` is swept twice"));
                self.reporter.push(error.with_label("again here"));
            }
        }
        if let Some(all) = all.first() {
            let is_free = |range: &InputRange| self.uses.iter().all(|(_, id)| *id != range.input);
            let rest = self.check.default_sweep().into_iter().filter(is_free);
            let rest: Vec<InputRange> = rest.collect();
            if rest.is_empty() {
                let message = format!("no other axis of `{}` has a `sweep`", self.check.name);
                self.reporter.push(self.reporter.error(all.span, message));
            }
            ranges.extend(rest);
        }
        ranges
    }

    fn claim(
        &mut self,
        asked: &ClaimText,
        config: &Config,
        (queries, is_sum): (&[Query], bool),
    ) -> Option<Claim> {
        if !is_sum && queries.iter().all(is_event) {
            self.demand_chances(asked);
        }
        Some(match asked {
            ClaimText::Within(limits) => Claim::Within(limits.bounds()),
            ClaimText::Monotone {
                along,
                direction,
                strictly,
            } => Claim::Monotone {
                along: self.along(direction.key(), along)?,
                direction: *direction,
                strictly: *strictly,
            },
            ClaimText::Step { along, change } => Claim::Step {
                along: self.along("step", along)?,
                change: change.bounds(),
            },
            ClaimText::Ordered {
                options,
                strictly,
                span,
            } => Claim::Ordered {
                options: self.options(options, config, *span),
                strictly: *strictly,
            },
            ClaimText::Reachable { somewhere } => Claim::Reachable {
                somewhere: *somewhere,
            },
            ClaimText::Unreachable => Claim::Unreachable,
            ClaimText::Printed { x, by, cells, span } => {
                let queries = if is_sum { 1 } else { queries.len() };
                Claim::Printed(self.printed((x.as_ref(), by.as_ref()), (cells, *span), queries)?)
            }
        })
    }

    fn options(
        &mut self,
        options: &[Vec<Written>],
        config: &Config,
        place: Span,
    ) -> Vec<Alternative> {
        let mut alternatives: Vec<Alternative> = Vec::new();
        for settings in options {
            let mut config = config.clone();
            self.set("ordered", settings, &mut config);
            let texts: Vec<&str> = settings.iter().map(|setting| setting.text.trim()).collect();
            let text = texts.join(" ");
            if let Some(same) = alternatives.iter().find(|known| known.config == config) {
                let place = settings.first().map_or(place, |first| first.span);
                let message = format!("`{text}` is the same as `{}`", same.text);
                self.reporter.push(self.reporter.error(place, message));
            }
            alternatives.push(Alternative { text, config });
        }
        alternatives
    }

    /// Refuses numbers that no probability, or no change of one, is.
    fn demand_chances(&mut self, asked: &ClaimText) {
        let (what, low, figures) = match asked {
            ClaimText::Within(limits) => ("a probability", 0, limits.figures()),
            ClaimText::Printed { cells, .. } => ("a probability", 0, cells.figures()),
            ClaimText::Step { change, .. } => ("a change of a probability", -1, change.figures()),
            _ => return,
        };
        for figure in figures {
            let number = &figure.printed.number;
            if (RBig::from(low)..=RBig::ONE).contains(&number.value) {
                continue;
            }
            let text = &number.text;
            let message = format!("{what} lies between {low} and 1, and this is {text}");
            let error = self.reporter.error(figure.span, message);
            self.reporter
                .push(error.with_help("percentages have their sign: \"55 %\""));
        }
    }
}

/// Whether a query is about something that happens or not.
fn is_event(query: &Query) -> bool {
    matches!(query.kind, QueryKind::Probability(_))
}

impl Limits {
    fn figures(&self) -> Vec<&Figure> {
        self.at_least.iter().chain(&self.at_most).collect()
    }

    /// The numbers with their places.
    pub(crate) fn into_figures(self) -> Vec<Figure> {
        self.at_least.into_iter().chain(self.at_most).collect()
    }

    pub(crate) fn bounds(&self) -> Bounds {
        let number = |figure: &Figure| figure.printed.number.clone();
        Bounds {
            at_least: self.at_least.as_ref().map(number),
            at_most: self.at_most.as_ref().map(number),
        }
    }
}
