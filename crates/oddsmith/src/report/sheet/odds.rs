//! How likely success is at the start, and at the cap.

use std::fmt::Write as _;

use oddsmith_analysis::levers::configuration;
use oddsmith_exact::{RBig, answers};
use oddsmith_numbers::Form;
use oddsmith_report::Entry;
use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, Domain, InputRange};

use super::SheetOf;
use super::goal::Goal;
use crate::figures::KeptAnswers;
use crate::{Error, shell_words};

/// Where all that can be gained is gained.
struct Cap {
    share: RBig,
    /// The axes that are not at their defaults, with their values.
    moved: Vec<(InputId, i64)>,
}

impl SheetOf<'_> {
    /// The odds of success by default, and where all that can be gained is gained.
    pub(super) fn odds(&self, check: &Check) -> Result<Vec<Entry>, Error> {
        let Some(goal) = Goal::of(check)? else {
            return Ok(Vec::new());
        };
        let queries = std::slice::from_ref(&goal.query);
        let found = answers(check, &check.defaults(), queries, &self.limits.budget())?;
        let Some(start) = found.first().and_then(oddsmith_exact::Answer::to_ratio) else {
            return Ok(Vec::new());
        };
        let cap = self.cap(check, &goal)?.filter(|cap| cap.share > start);
        let defaults = check.defaults();
        let mut entries = vec![Entry {
            title: format!("{} at the start", goal.title),
            number: Form::USUAL.show_ratio(&start),
            note: match &cap {
                Some(cap) => told(
                    check,
                    cap.moved
                        .iter()
                        .map(|(input, _)| (*input, defaults[*input])),
                ),
                None => "everything at its default".to_owned(),
            },
            command: self.command(check, &goal, &[]),
            ..self.entry(check, None)
        }];
        entries.extend(cap.map(|cap| self.at_the_cap(check, &goal, &cap)));
        Ok(entries)
    }

    /// Where success is likeliest; of equals where the fewest axes are moved, and then the first.
    fn cap(&self, check: &Check, goal: &Goal) -> Result<Option<Cap>, Error> {
        let ranges = self.gains(check);
        if ranges.is_empty() {
            return Ok(None);
        }
        let (config, queries) = (check.defaults(), std::slice::from_ref(&goal.query));
        let kept = KeptAnswers::compute(check, &config, &ranges, queries, &self.limits)?;
        let mut best: Option<Cap> = None;
        for (at, row) in kept.into_answers().iter().enumerate() {
            let share = row.as_ref().and_then(|row| row.first()?.to_ratio());
            let Some(share) = share else { continue };
            let there = configuration(&config, &ranges, at as u64);
            let inputs = ranges.iter().map(|range| range.input);
            let moved = inputs.filter(|input| there[*input] != config[*input]);
            let moved: Vec<(InputId, i64)> = moved.map(|input| (input, there[input])).collect();
            let is_better = |best: &Cap| {
                share > best.share || share == best.share && moved.len() < best.moved.len()
            };
            if best.as_ref().is_none_or(is_better) {
                best = Some(Cap { share, moved });
            }
        }
        Ok(best)
    }

    fn at_the_cap(&self, check: &Check, goal: &Goal, cap: &Cap) -> Entry {
        let settings = cap.moved.iter().map(|(input, value)| {
            let input = &check.inputs[input.0];
            (input.name.clone(), input.domain.show(*value))
        });
        let settings: Vec<(String, String)> = settings.collect();
        Entry {
            title: format!("{} at the cap", goal.title),
            number: Form::USUAL.show_ratio(&cap.share),
            note: told(check, cap.moved.iter().copied()),
            command: self.command(check, goal, &settings),
            settings,
            ..self.entry(check, None)
        }
    }

    /// The axes along which a character gets better, with their sweeps: numbers from 0 on, and more of them than yes and
    /// no. What may be negative comes and goes with the situation, and points are spent.
    fn gains(&self, check: &Check) -> Vec<InputRange> {
        let resources = &self.reported.game.model().resources;
        let is_gain = |range: &InputRange| {
            let input = &check.inputs[range.input.0];
            let is_spent = resources
                .iter()
                .any(|resource| resource.request.axis == input.name);
            let is_number = matches!(input.domain, Domain::Range(..));
            let is_positive = range.values.iter().all(|value| *value >= 0);
            is_number && is_positive && !is_spent && range.values.len() > 2
        };
        check.default_sweep().into_iter().filter(is_gain).collect()
    }

    /// The command that tells the odds of success.
    fn command(&self, check: &Check, goal: &Goal, settings: &[(String, String)]) -> String {
        let mut command = format!("oddsmith odds {}", self.target(check));
        for (name, value) in settings {
            let set = shell_words::word(&format!("{name}={value}"));
            let _ = write!(command, " --set {set}");
        }
        if !goal.is_own {
            let query = shell_words::word(&goal.query.text);
            let _ = write!(command, " --query {query}");
        }
        command
    }
}

/// `Ability die d12, Skill rank 9`.
fn told(check: &Check, values: impl Iterator<Item = (InputId, i64)>) -> String {
    let words = values.map(|(input, value)| {
        let input = &check.inputs[input.0];
        format!("{} {}", input.title(), input.told(value))
    });
    words.collect::<Vec<_>>().join(", ")
}
