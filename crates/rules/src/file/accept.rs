//! `[[accept]]`: findings that a ruleset says are meant to be; and the beginnings of their ids.

use crate::acceptance::{Acceptance, FindingPattern, IdPart, LintRule};
use crate::check::{Check, Domain, Input, Outcome, OutcomeKind, Role};
use crate::choice::Choice;
use crate::file::keys;
use crate::file::nodes::{self, Entries, Written, span};
use crate::source::{Diagnostic, Diagnostics, Reporter, Source, Span, nearest, there_are};

/// The file's acceptances, in its order. Their ids are read against the checks and tracks only if those are sound.
pub(super) fn read(
    root: &Entries<'_, '_>,
    (checks, are_sound): (&[&Check], bool),
    reporter: &mut Reporter,
) -> Vec<Acceptance> {
    let mut acceptances: Vec<Acceptance> = Vec::new();
    for item in nodes::tables(root, "accept", reporter) {
        let Some(entry) = nodes::table(item, "an acceptance", reporter) else {
            continue;
        };
        let entry = Entries::check(entry, keys::ACCEPT, "an acceptance", span(item), reporter);
        let reason = entry.text("reason", reporter).trim().to_owned();
        let has_words = entry.get("reason").is_none_or(|_| !reason.is_empty());
        if let Some(node) = entry.get("reason").filter(|_| !has_words) {
            let error = reporter.error(span(node), "this reason says nothing");
            reporter.push(error.with_help("say in a sentence why the game means it so"));
        }
        for written in ids(&entry, reporter) {
            if !are_sound {
                continue;
            }
            match pattern(checks, &written, reporter) {
                Ok(finding) => take(
                    Acceptance {
                        finding,
                        reason: reason.clone(),
                        span: written.span,
                    },
                    &mut acceptances,
                    reporter,
                ),
                Err(error) => reporter.push(error),
            }
        }
    }
    acceptances
}

/// The texts of `finding`, at least one.
fn ids(entry: &Entries<'_, '_>, reporter: &mut Reporter) -> Vec<Written> {
    let Some(node) = entry.get("finding") else {
        return Vec::new();
    };
    let before = reporter.len();
    let written = nodes::one_or_more(node, "`finding`", reporter);
    if written.is_empty() && reporter.len() == before {
        let error = reporter.error(span(node), "`finding` names nothing");
        reporter.push(error.with_label("an empty list"));
    }
    written
}

/// Keeps an acceptance; one that is there already is an error.
fn take(acceptance: Acceptance, known: &mut Vec<Acceptance>, reporter: &mut Reporter) {
    let text = &acceptance.finding.text;
    if known.iter().any(|known| known.finding.text == *text) {
        let error = reporter.error(acceptance.span, format!("`{text}` is accepted twice"));
        reporter.push(error.with_label("again here"));
    }
    known.push(acceptance);
}

/// Whether the ids of findings about these checks may begin like that: every part names something, and of the last one it
/// is enough that a name begins so.
///
/// # Errors
/// About the first part that can not be; `origin` says where the text is from.
///
/// ```
/// let text = "name = 'Demo'\n[checks.dig]\naxes.depth = { default = 0, domain = '0..=3' }\nrules = 'show total = 1d6 + depth'";
/// let model = oddsmith_rules::load("demo.toml", text.as_bytes()).unwrap();
/// let dig = &[&model.checks[0]];
/// assert!(oddsmith_rules::finding_prefix(dig, "plateau/dig/de", "--only").is_ok());
/// assert!(oddsmith_rules::finding_prefix(dig, "plateu", "--only").is_err());
/// ```
pub fn finding_prefix(checks: &[&Check], text: &str, origin: &str) -> Result<(), Diagnostics> {
    let source = Source::new(origin, text);
    let mut reading = Reading {
        checks,
        inputs: Vec::new(),
        reporter: &Reporter::new(&source),
        place: Span::new(0, text.len()),
        is_prefix: true,
    };
    let name = text.split('/').next().unwrap_or_default();
    let rule = reading.rule(name)?;
    // Of a rule whose name only begins like that there are no further parts.
    let parts = rule.parts(text);
    reading.parts(rule, &parts, |_| false)?;
    Ok(())
}

/// The id that was written, or what is wrong with it.
fn pattern(
    checks: &[&Check],
    written: &Written,
    reporter: &Reporter,
) -> Result<FindingPattern, Diagnostic> {
    let text = written.text.as_str();
    let name = text.split('/').next().unwrap_or_default();
    let mut reading = Reading {
        checks,
        inputs: Vec::new(),
        reporter,
        place: written.span,
        is_prefix: false,
    };
    let rule = reading.rule(name)?;
    let parts = rule.parts(text);
    if parts.len() != rule.shape().len() + 1 {
        let error = reporter.error(written.span, format!("`{text}` is not a whole id"));
        return Err(error.with_help(format!("its form is {}", rule.form())));
    }
    reading.parts(rule, &parts, |part| part == "*")?;
    Ok(FindingPattern {
        rule,
        text: text.to_owned(),
    })
}

/// An id that is being read.
struct Reading<'r> {
    /// Those that it may be about.
    checks: &'r [&'r Check],
    /// The axes of its name, one in each of those checks that has it.
    inputs: Vec<&'r Input>,
    reporter: &'r Reporter,
    place: Span,
    /// Whether the last part may be the beginning of a name.
    is_prefix: bool,
}

impl<'r> Reading<'r> {
    /// The rule of that name, or the first one whose name begins so if that is enough.
    fn rule(&self, name: &str) -> Result<LintRule, Diagnostic> {
        let names = LintRule::ALL.map(|(name, _)| name);
        let mut rules = LintRule::ALL.iter();
        let rule = rules.find(|(known, _)| self.has((0, name), &[known]));
        rule.map(|(_, rule)| *rule)
            .ok_or_else(|| self.unknown("rule", (0, name), &names))
    }

    /// Reads what stands behind the name of the rule, but for what may be anything.
    fn parts(
        &mut self,
        rule: LintRule,
        parts: &[&str],
        is_any: impl Fn(&str) -> bool,
    ) -> Result<(), Diagnostic> {
        let mut at = parts[0].len() + 1;
        for (kind, part) in rule.shape().iter().zip(&parts[1..]) {
            if !is_any(part) {
                self.part(*kind, (at, part))?;
            }
            at += part.len() + 1;
        }
        Ok(())
    }

    /// Whether the part is one of these names, or begins one where that is enough.
    fn has(&self, (at, part): (usize, &str), names: &[&str]) -> bool {
        let may_go_on = self.is_prefix && self.place.start + at + part.len() == self.place.end;
        let is_meant = |name: &&str| *name == part || may_go_on && name.starts_with(part);
        names.iter().any(is_meant)
    }

    /// Reads the part that stands at a place of the id.
    fn part(&mut self, kind: IdPart, part: (usize, &str)) -> Result<(), Diagnostic> {
        match kind {
            IdPart::Check => {
                let names: Vec<&str> = self.checks.iter().map(|c| c.name.as_str()).collect();
                if !self.has(part, &names) {
                    return Err(self.unknown("check or track", part, &names));
                }
                if let Some(found) = names.iter().position(|name| *name == part.1) {
                    self.checks = &self.checks[found..=found];
                }
            }
            IdPart::Axis => self.axis(part)?,
            IdPart::Axes => {
                for (at, axis) in joined(part) {
                    self.axis((at, axis))?;
                }
            }
            IdPart::Levers => {
                for (number, (at, lever)) in joined(part).enumerate() {
                    let readings = self.readings();
                    let names: Vec<&str> = readings.iter().map(String::as_str).collect();
                    let is_reading = self.has((at, lever), &names);
                    if number == 0 || !is_reading {
                        self.axis((at, lever))?;
                    }
                }
            }
            IdPart::Shown => self.one_of("outcome", part, &self.shown())?,
            IdPart::Event => self.one_of("outcome", part, &self.events())?,
            IdPart::Label => {
                let labels = self.inputs.iter().flat_map(|input| match &input.domain {
                    Domain::Choice(choice) => choice.labels().to_vec(),
                    Domain::Range(..) => Vec::new(),
                });
                self.one_of("label", part, &labels.collect::<Vec<String>>())?;
            }
            IdPart::Reading => self.one_of("reading", part, &self.readings())?,
        }
        Ok(())
    }

    /// The parameters that are readings.
    fn readings(&self) -> Vec<String> {
        let inputs = self.checks.iter().flat_map(|check| check.inputs.iter());
        let readings = inputs.filter(|input| !input.reading.is_empty());
        readings.map(|input| input.name.clone()).collect()
    }

    /// Notes the axes of that name.
    fn axis(&mut self, part: (usize, &str)) -> Result<(), Diagnostic> {
        let inputs = self.checks.iter().flat_map(|check| check.inputs.iter());
        let axes: Vec<&Input> = inputs.filter(|input| input.role == Role::Axis).collect();
        let names: Vec<String> = axes.iter().map(|axis| axis.name.clone()).collect();
        self.one_of("axis", part, &names)?;
        let named = axes.into_iter().filter(|axis| axis.name == part.1);
        self.inputs = named.collect();
        Ok(())
    }

    /// An error unless the part is one of these names.
    fn one_of(&self, noun: &str, part: (usize, &str), names: &[String]) -> Result<(), Diagnostic> {
        let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        match self.has(part, &names) {
            true => Ok(()),
            false => Err(self.unknown(noun, part, &names)),
        }
    }

    /// `band`, and everything else that is shown; labels with the name of what shows them.
    fn shown(&self) -> Vec<String> {
        let outcomes = self.checks.iter().flat_map(|check| &check.outcomes);
        let names = outcomes.flat_map(|outcome| match &outcome.kind {
            OutcomeKind::Label(choice) => labels_of(outcome, choice),
            _ => vec![outcome.name.clone()],
        });
        let rounds = self.checks.iter().filter(|check| check.rounds.is_some());
        names.chain(rounds.map(|_| "rolls".to_owned())).collect()
    }

    /// The bands, the flags and their opposites, and the labels of other outcomes with their names.
    fn events(&self) -> Vec<String> {
        let outcomes = self.checks.iter().flat_map(|check| &check.outcomes);
        let events = outcomes.flat_map(|outcome| {
            let name = &outcome.name;
            match &outcome.kind {
                OutcomeKind::Observable => Vec::new(),
                OutcomeKind::Flag => vec![name.clone(), format!("not {name}")],
                OutcomeKind::Band(choice) => choice.labels().to_vec(),
                OutcomeKind::Label(choice) => labels_of(outcome, choice),
            }
        });
        events.collect()
    }

    /// An error about a part that names nothing.
    fn unknown(&self, noun: &str, (at, part): (usize, &str), names: &[&str]) -> Diagnostic {
        let start = self.place.start + at;
        let message = format!("there is no {noun} `{part}`");
        let place = Span::new(start, start + part.len());
        let error = self.reporter.error(place, message);
        match nearest(part, names.iter().copied()) {
            Some(near) => error.meant(near),
            None => error.with_help(there_are(names)),
        }
    }
}

/// `NAME=LABEL` of each label.
fn labels_of(outcome: &Outcome, choice: &Choice) -> Vec<String> {
    let labels = choice.labels().iter();
    labels
        .map(|label| format!("{}={label}", outcome.name))
        .collect()
}

/// The names that a `+` joins, each with its place in the id.
pub(crate) fn joined((at, part): (usize, &str)) -> impl Iterator<Item = (usize, &str)> {
    part.split('+').scan(at, |next, name| {
        let at = *next;
        *next += name.len() + 1;
        Some((at, name))
    })
}
