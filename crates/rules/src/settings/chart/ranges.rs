//! What lies along a chart, and what tells its lines and panels apart.

use crate::check::{InputRange, Outcome, OutcomeKind};
use crate::model::{Along, ChartKind};
use crate::settings::chart::{ChartText, Reading};
use crate::source::there_are;

impl<'r> Reading<'r> {
    /// What lies along the lower edge.
    pub(super) fn along(&mut self, kind: ChartKind) -> Option<Along> {
        let Some(text) = self.request.x.as_deref() else {
            return self.main_along(kind);
        };
        if kind == ChartKind::Dist {
            let number = self.check.numbers().find(|n| n.name == text.trim());
            return number.map(along_number).or_else(|| self.no_number(text));
        }
        match self.shown(text) {
            Some(outcome) => self.no_axis(kind, outcome),
            None => {
                let range = self.range(ChartText::X, text)?;
                if range.values.len() == 1 {
                    let message = "a chart along an axis needs two values or more";
                    let error = self.error(ChartText::X, message);
                    self.errors.push(error.with_label("this is one"));
                    return None;
                }
                Some(Along::Input(range))
            }
        }
    }

    /// What can lie along a chart or tell its panels apart.
    fn axes(&self) -> String {
        let names = self.check.input_names();
        format!("of axes and parameters, {}", there_are(&names))
    }

    /// What the check shows by this name, unless it is an axis or a parameter as well.
    fn shown(&self, text: &str) -> Option<&'r Outcome> {
        let mut outcomes = self.check.outcomes.iter();
        let outcome = outcomes.find(|outcome| outcome.name == text.trim());
        outcome.filter(|_| self.check.set_by(text).is_empty())
    }

    /// What a distribution is drawn of if nothing is said.
    fn main_along(&mut self, kind: ChartKind) -> Option<Along> {
        let name = self.name_of(ChartText::X);
        let error = if kind != ChartKind::Dist {
            let message = format!("{} needs an axis to lie along", kind.noun());
            let error = self.error(ChartText::Kind, message);
            error.with_help(format!("say which with `{name}`"))
        } else if let Some(number) = self.check.main_number() {
            return Some(along_number(number));
        } else {
            let message = format!("`{}` shows no number", self.check.name);
            let error = self.error(ChartText::X, message);
            error.with_help(format!("draw its odds along an axis, with `{name}`"))
        };
        self.errors.push(error);
        None
    }

    /// An axis of panels or lines; none if it is not asked for, or wrong.
    pub(super) fn panels(&mut self, part: ChartText) -> Option<InputRange> {
        let text = match part {
            ChartText::By => self.request.by.as_deref()?,
            _ => self.request.facet.as_deref()?,
        };
        let range = match self.shown(text) {
            Some(outcome) => {
                let message = format!("`{}` is {}, not an axis", outcome.name, noun(outcome));
                let error = self.error(part, message);
                self.errors.push(error.with_help(self.axes()));
                return None;
            }
            None => self.range(part, text)?,
        };
        let [only] = range.values.as_slice() else {
            return Some(range);
        };
        let input = &self.check.inputs[range.input.0];
        let place = (self.place)(part);
        let message = format!("`{}` of a single value tells nothing apart", place.name);
        let set = input.written(*only);
        let error = self.error(part, message).with_label("this is one value");
        let help = format!("set it instead: {}", place.write("set", &set));
        self.errors.push(error.with_help(help));
        None
    }

    fn range(&mut self, part: ChartText, text: &str) -> Option<InputRange> {
        // A number may have been meant where one may stand.
        let numbers = self.check.numbers();
        let numbers = numbers.filter(|_| part == ChartText::X && self.request.kind.is_none());
        let numbers: Vec<&str> = numbers.map(|number| number.name.as_str()).collect();
        match self.check.range(text, &self.name_of(part), &numbers) {
            Ok(range) => Some(range),
            Err(error) => {
                let error = self.moved(part, 0, error);
                self.errors.push(error);
                None
            }
        }
    }

    /// `x` of a distribution is not a number that is shown.
    fn no_number(&mut self, text: &str) -> Option<Along> {
        let name = text.split('=').next().unwrap_or_default().trim();
        let numbers: Vec<&str> = self.check.numbers().map(|n| n.name.as_str()).collect();
        let check = &self.check.name;
        let error = if let Some(outcome) = self.shown(text) {
            let message = format!("`{name}` is {}, not a number", noun(outcome));
            let error = self.error(ChartText::X, message);
            error.with_help(format!("of numbers, {}", there_are(&numbers)))
        } else if !self.check.set_by(text).is_empty() {
            let message = format!("`{name}` is an axis or a parameter, not a number of `{check}`");
            let error = self.error(ChartText::X, message);
            error.with_help(format!(
                "`{}` and `{}` draw a panel for each of its values; of numbers, {}",
                self.name_of(ChartText::By),
                self.name_of(ChartText::Facet),
                there_are(&numbers)
            ))
        } else {
            let message = format!("`{check}` shows no number `{name}`");
            let error = self.error(ChartText::X, message);
            match crate::source::nearest(name, numbers.iter().copied()) {
                Some(near) => error.meant(near),
                None => error.with_help(there_are(&numbers)),
            }
        };
        self.errors.push(error);
        None
    }

    /// `x` of another kind is not an axis, but something that the check shows.
    fn no_axis(&mut self, kind: ChartKind, outcome: &Outcome) -> Option<Along> {
        let name = &outcome.name;
        let message = format!(
            "{} lies along an axis, and `{name}` is {}",
            kind.noun(),
            noun(outcome)
        );
        let error = self.error(ChartText::X, message);
        let place = (self.place)(ChartText::X);
        let help = match &outcome.kind {
            OutcomeKind::Observable => {
                let dist = place.write("kind", "dist");
                format!("{dist} draws how likely each of its values is")
            }
            OutcomeKind::Flag => {
                let query = place.write("query", name);
                format!("{query} draws how likely it is, along an axis")
            }
            _ => self.axes(),
        };
        self.errors.push(error.with_help(help));
        None
    }
}

/// What an outcome is, in a message.
fn noun(outcome: &Outcome) -> &'static str {
    match &outcome.kind {
        OutcomeKind::Observable => "a number that is shown",
        OutcomeKind::Flag => "a flag",
        OutcomeKind::Band(_) => "a band",
        OutcomeKind::Label(_) => "a label",
    }
}

fn along_number(outcome: &Outcome) -> Along {
    Along::Number {
        name: outcome.name.clone(),
        var: outcome.var,
    }
}
