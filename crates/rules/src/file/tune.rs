//! `[tune]`: what may change, and what the odds are to become.

use std::sync::Arc;

use dashu_ratio::RBig;

use crate::check::{Check, Query, QueryKind};
use crate::config::Config;
use crate::file::charts::check_of;
use crate::file::expect::claim::{self, BOUNDS};
use crate::file::expect::number::{self, Figure};
use crate::file::keys;
use crate::file::nodes::{self, Entries, Node, Written, span};
use crate::number::Number;
use crate::program::InputId;
use crate::source::{Diagnostic, Reporter, Span};
use crate::tuning::{Aim, Dial, Goal, Tuning};

/// The keys with the number of a goal.
const NUMBERS: [&str; 4] = ["at_least", "at_most", "between", "near"];

/// The `[tune]` of a file, if there is one. It is read against the checks and tracks only if those are sound.
pub(super) fn read(
    root: &Entries<'_, '_>,
    (checks, are_sound): (&[&Check], bool),
    reporter: &mut Reporter,
) -> Option<Tuning> {
    let node = root.get("tune")?;
    let table = nodes::table(node, "`tune`", reporter)?;
    let table = Entries::check(table, keys::TUNE, "`[tune]`", span(node), reporter);
    let (goals, keeps) = (
        nodes::tables(&table, "tune.goals", reporter),
        nodes::tables(&table, "tune.keep", reporter),
    );
    let first = checks.first().filter(|_| are_sound)?;
    let mut reading = Reading {
        checks,
        dials: Vec::new(),
        reporter,
    };
    if let Some(node) = table.get("vary") {
        for written in nodes::one_or_more(node, "`vary`", reading.reporter) {
            reading.dial(first, &written);
        }
    }
    let mut found = Vec::new();
    for node in goals {
        found.extend(reading.goal(node));
    }
    for node in keeps {
        found.extend(reading.keep(node).into_iter().flatten());
    }
    Some(Tuning {
        dials: reading.dials,
        goals: found,
    })
}

/// A `[tune]` that is being read.
struct Reading<'r, 'c> {
    checks: &'r [&'c Check],
    dials: Vec<Dial>,
    reporter: &'r mut Reporter,
}

/// What goals of both kinds say.
struct Subject<'c> {
    check: &'c Check,
    intent: String,
    config: Config,
    set: Vec<InputId>,
    queries: Vec<Query>,
}

impl<'c> Reading<'_, 'c> {
    /// An error in a text at its place in the file.
    fn push(&mut self, written: &Written, error: Diagnostic) {
        let source = Arc::clone(&self.reporter.source);
        self.reporter.push(error.moved(&source, written.span.start));
    }

    fn dial(&mut self, check: &Check, written: &Written) {
        match check.dial(&written.text, "vary") {
            Err(error) => self.push(written, error),
            Ok(dial) => {
                let mut known = self.dials.iter().flat_map(|known| &known.inputs);
                if known.any(|input| dial.inputs.contains(input)) {
                    let message = format!("`{}` varies already", dial.name);
                    let error = self.reporter.error(written.span, message);
                    self.reporter.push(error.with_label("again here"));
                }
                self.dials.push(dial);
            }
        }
    }

    /// What a goal is about; none if there are errors.
    fn subject(&mut self, entry: &Entries<'_, '_>) -> Option<Subject<'c>> {
        let before = self.reporter.len();
        let check = check_of(entry, self.checks, self.reporter)?;
        let intent = entry.text("intent", self.reporter).trim().to_owned();
        let (mut config, mut set, mut queries) = (check.defaults(), Vec::new(), Vec::new());
        for written in self.texts(entry, "set") {
            match check.set(&mut config, &written.text, "set") {
                Err(error) => self.push(&written, error),
                Ok(()) => set.extend(check.set_by(&written.text)),
            }
        }
        for written in self.texts(entry, "query") {
            match check.query(&written.text, "query") {
                Ok(query) => queries.push(query),
                Err(errors) => errors
                    .0
                    .into_iter()
                    .for_each(|error| self.push(&written, error)),
            }
        }
        (self.reporter.len() == before).then_some(Subject {
            check,
            intent,
            config,
            set,
            queries,
        })
    }

    fn texts(&mut self, entry: &Entries<'_, '_>, key: &str) -> Vec<Written> {
        match entry.get(key) {
            Some(node) => nodes::one_or_more(node, &format!("`{key}`"), self.reporter),
            None => Vec::new(),
        }
    }

    /// The number of a key, if it is there.
    fn figure(&mut self, entry: &Entries<'_, '_>, key: &str) -> Option<Figure> {
        number::read(entry.get(key)?, &format!("`{key}`"), self.reporter)
    }

    /// One of `[[tune.goals]]`.
    fn goal(&mut self, node: &Node<'_>) -> Option<Goal> {
        let before = self.reporter.len();
        let start = span(node);
        let table = nodes::table(node, "a goal", self.reporter)?;
        let entry = Entries::check(table, keys::GOAL, "a goal", start, self.reporter);
        let subject = self.subject(&entry);
        let aim = self.aim(&entry, start);
        let (subject, (aim, figures)) = (subject?, aim?);
        if matches!(
            subject.queries[..],
            [Query {
                kind: QueryKind::Probability(_),
                ..
            }]
        ) {
            self.demand_chances(&figures);
        }
        (self.reporter.len() == before).then(|| {
            let mut goals = goals(subject, &aim);
            goals.pop()
        })?
    }

    /// What a goal wants, and the numbers that it says.
    fn aim(&mut self, entry: &Entries<'_, '_>, start: Span) -> Option<(Aim, Vec<Figure>)> {
        let near = self.figure(entry, "near");
        let weight = self.figure(entry, "weight");
        let bound = BOUNDS.iter().find(|key| entry.get(key).is_some());
        match (entry.get("near"), bound) {
            (Some(node), Some(bound)) => {
                let message = format!("`near` and `{bound}` are two goals");
                let error = self.reporter.error(span(node), message);
                self.reporter
                    .push(error.with_help("write a [[tune.goals]] for each"));
                None
            }
            (None, None) => {
                let error = self.reporter.error(start, "this goal says no number");
                let help = format!("say which with {}", claim::listed(&NUMBERS));
                self.reporter.push(error.with_help(help));
                None
            }
            (Some(_), None) => self.wish(near, weight),
            (None, Some(_)) => {
                if let Some(weight) = weight {
                    let message = "`weight` says nothing without `near`";
                    let error = self.reporter.error(weight.span, message);
                    self.reporter
                        .push(error.with_help("bounds are met or missed"));
                }
                let reporter = &mut *self.reporter;
                let limits = claim::Keys {
                    entry,
                    start,
                    reporter,
                }
                .limits()?;
                Some((Aim::Within(limits.bounds()), limits.into_figures()))
            }
        }
    }

    /// A wish.
    fn wish(&mut self, near: Option<Figure>, weight: Option<Figure>) -> Option<(Aim, Vec<Figure>)> {
        if let Some(weight) = weight
            .as_ref()
            .filter(|weight| weight.printed.number.value <= RBig::ZERO)
        {
            let error = self.reporter.error(weight.span, "a weight lies above 0");
            self.reporter.push(error);
        }
        let near = near?;
        let weight = weight.map_or(Number::whole(1), |weight| weight.printed.number);
        let number = near.printed.number.clone();
        Some((Aim::Near { number, weight }, vec![near]))
    }

    /// Those of one of `[[tune.keep]]`: a goal for each query.
    fn keep(&mut self, node: &Node<'_>) -> Option<Vec<Goal>> {
        let table = nodes::table(node, "what is kept", self.reporter)?;
        let entry = Entries::check(table, keys::KEEP, "what is kept", span(node), self.reporter);
        let within = self.figure(&entry, "within");
        if let Some(within) = within
            .as_ref()
            .filter(|within| within.printed.number.value < RBig::ZERO)
        {
            let error = self
                .reporter
                .error(within.span, "nothing moves by less than 0");
            self.reporter.push(error);
        }
        let within = within.map_or(Number::whole(0), |within| within.printed.number);
        Some(goals(self.subject(&entry)?, &Aim::Keep(within)))
    }

    /// Refuses numbers that no probability is.
    fn demand_chances(&mut self, figures: &[Figure]) {
        for figure in figures {
            let number = &figure.printed.number;
            if !number.is_chance() {
                let text = &number.text;
                let message = format!("a probability lies between 0 and 1, and this is {text}");
                let error = self.reporter.error(figure.span, message);
                self.reporter
                    .push(error.with_help("percentages have their sign: \"55 %\""));
            }
        }
    }
}

/// A goal for each query.
fn goals(subject: Subject<'_>, aim: &Aim) -> Vec<Goal> {
    let goal = |query| Goal {
        intent: subject.intent.clone(),
        check: subject.check.name.clone(),
        query,
        config: subject.config.clone(),
        set: subject.set.clone(),
        aim: aim.clone(),
    };
    subject.queries.into_iter().map(goal).collect()
}
