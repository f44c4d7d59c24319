//! The ids of findings that are accepted.

use crate::acceptance::{IdPart, LintRule};
use crate::check::{Check, Domain, Input, OutcomeKind, Role};
use crate::file::accept::joined;
use crate::index::kinds::text_at;
use crate::source::{Reporter, Span};

/// Notes what the parts of an id mean.
pub(super) fn read(checks: &[&Check], text: Span, reporter: &mut Reporter) {
    let source = std::sync::Arc::clone(&reporter.source);
    let id = text_at(&source, text);
    let name = id.split('/').next().unwrap_or_default();
    let Some((_, rule)) = LintRule::ALL.iter().find(|(known, _)| *known == name) else {
        return;
    };
    let parts = rule.parts(id);
    let mut reading = Id {
        checks: checks.to_vec(),
        inputs: Vec::new(),
        start: text.start,
        reporter,
    };
    let mut at = name.len() + 1;
    for (kind, part) in rule.shape().iter().zip(parts.iter().skip(1)) {
        if *part != "*" {
            reading.part(*kind, at, part);
        }
        at += part.len() + 1;
    }
}

/// An id that is being read.
struct Id<'i, 'k> {
    /// Those that it may be about.
    checks: Vec<&'k Check>,
    /// The axes that it names.
    inputs: Vec<&'k Input>,
    /// Where it begins in the file.
    start: usize,
    reporter: &'i mut Reporter,
}

impl Id<'_, '_> {
    fn place(&self, at: usize, part: &str) -> Span {
        Span::new(self.start + at, self.start + at + part.len())
    }

    fn part(&mut self, kind: IdPart, at: usize, part: &str) {
        match kind {
            IdPart::Check => {
                self.checks.retain(|check| check.name == part);
                let place = self.place(at, part);
                for check in &self.checks {
                    self.reporter.note_name(place, check.span);
                }
            }
            IdPart::Axis => self.input(at, part, false),
            IdPart::Reading => self.input(at, part, true),
            IdPart::Axes | IdPart::Levers => {
                for (number, (at, name)) in joined((at, part)).enumerate() {
                    self.input(at, name, kind == IdPart::Levers && number > 0);
                }
            }
            IdPart::Shown | IdPart::Event => self.event(at, part),
            IdPart::Label => self.label(at, part),
        }
    }

    /// An axis; where parameters may stand, too, one of these as well.
    fn input(&mut self, at: usize, name: &str, may_be_parameter: bool) {
        let place = self.place(at, name);
        let inputs = self.checks.iter().flat_map(|check| check.inputs.iter());
        let is_meant =
            |input: &&Input| input.name == name && (may_be_parameter || input.role == Role::Axis);
        self.inputs = inputs.filter(is_meant).collect();
        for input in &self.inputs {
            self.reporter.note_name(place, input.span);
        }
    }

    /// Something that is shown: `total`, `not Twist`, `state=ok`, or a band.
    fn event(&mut self, at: usize, part: &str) {
        let skipped = if part.starts_with("not ") {
            "not ".len()
        } else {
            0
        };
        let (name, label) = part[skipped..]
            .split_once('=')
            .unwrap_or((&part[skipped..], ""));
        let place = self.place(at + skipped, name);
        for check in &self.checks {
            for outcome in &check.outcomes {
                if outcome.name == name {
                    self.reporter.note_name(place, outcome.span);
                }
                match &outcome.kind {
                    OutcomeKind::Band(choice) => {
                        if let Some(found) = choice.place(part) {
                            let place = Span::new(self.start + at, self.start + at + part.len());
                            self.reporter.note_label(place, choice, found);
                        }
                    }
                    OutcomeKind::Label(choice) if outcome.name == name => {
                        if let Some(found) = choice.place(label) {
                            let place = Span::new(place.end + 1, place.end + 1 + label.len());
                            self.reporter.note_label(place, choice, found);
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    fn label(&mut self, at: usize, label: &str) {
        let place = self.place(at, label);
        for input in &self.inputs {
            if let Domain::Choice(choice) = &input.domain
                && let Some(found) = choice.place(label)
            {
                self.reporter.note_label(place, choice, found);
            }
        }
    }
}
