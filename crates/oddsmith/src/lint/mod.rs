//! What is odd about the odds of a ruleset, in numbers and in words.

mod words;

use std::io::Write;

use oddsmith_analysis::lint::{self, Limits as Thresholds};
use oddsmith_exact::RBig;
use oddsmith_rules::{Acceptance, Check, LintRule, Model, finding_prefix};
use serde::{Deserialize, Serialize};

pub use oddsmith_analysis::lint::{
    Evidence, Facts, Finding, Measure, MeasureKind, Pairing, Severity, Stretch, Wins,
};

use crate::game::path_of;
use crate::part::{Job, PartNumber, transcribe};
use crate::project::Place;
use crate::{Error, Game, Limits, Wanted, number};

/// What is looked for in a game's odds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LintRequest {
    /// The check or track; none is all of them.
    pub check: Option<String>,
    /// Beginnings of ids, such as `cliff` or `cliff/check/mood`: other findings are left out; none are all of them.
    pub only: Vec<String>,
    /// Whether findings are told that the ruleset accepts.
    pub all: bool,
    /// A step that moves a probability by more than this many points is a cliff; none is 25.
    pub cliff: Option<String>,
    /// A reading that changes a probability by more than this many points is told, or a mean by more than this many per
    /// cent of it, and so are opposite steps that differ by more; none is 5.
    pub change: Option<String>,
}

/// What is odd about a game's odds.
#[derive(Clone, Debug)]
pub struct LintAnswer {
    /// The ruleset as it was named.
    pub ruleset: String,
    /// The file that places are places in.
    pub file: String,
    /// The findings: the most severe first, of equals those that move odds the most.
    pub findings: Vec<FindingAnswer>,
    /// The acceptances that meet no finding.
    pub stale: Vec<StaleAcceptance>,
    /// The number of findings that are accepted, told or not.
    pub accepted: usize,
}

/// A finding in numbers and in words.
#[derive(Clone, Debug)]
pub struct FindingAnswer {
    /// The finding.
    pub finding: Finding,
    /// The place of what it is about.
    pub place: Place,
    /// What is so.
    pub sentence: String,
    /// Further levers that do the same, as people read their names.
    pub alike: Vec<String>,
    /// Further checks with the same finding, as people read their names.
    pub also: Vec<String>,
    /// Where it shows, a line each.
    shown: Vec<String>,
    /// Why it is accepted, if it is.
    pub reason: Option<String>,
}

/// An acceptance that meets no finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaleAcceptance {
    /// The id that is accepted.
    pub id: String,
    /// Its place.
    pub place: Place,
}

impl Game {
    /// What is odd about the odds of its checks and tracks: bands that are never reached, steps that change nothing or
    /// too much, options that nobody should take, readings that matter. Each lever of each check has the limits by itself,
    /// and all of them together ten times as many steps.
    ///
    /// # Errors
    /// If there is no such check, no finding can have an id that begins as is asked, or a threshold is no number from 0 on;
    /// if odds of the defaults are beyond the exact engine or over the limits; if the work is cancelled.
    ///
    /// ```
    /// use oddsmith::lint::LintRequest;
    /// use oddsmith::{Game, Limits};
    /// let text = r#"
    /// name = "Demo"
    /// [checks.check]
    /// bands = ["Miss", "Hit"]
    /// axes.stat = { default = 0, domain = "0..=9" }
    /// rules = "show band = if 1d6 <= 2 + stat then Hit else Miss"
    /// "#;
    /// let game = Game::parse("demo.toml", text.as_bytes())?;
    /// let answer = game.lint(&LintRequest::default(), &Limits::default())?;
    /// assert_eq!(answer.findings[0].finding.id, "dead-step/check/stat"); // from 4 on everything is a hit
    /// assert!(answer.findings[0].sentence.starts_with("`stat` changes nothing from 4 to 9"));
    /// # Ok::<(), oddsmith::Error>(())
    /// ```
    pub fn lint(&self, request: &LintRequest, limits: &Limits) -> Result<LintAnswer, Error> {
        let (model, (checks, thresholds)) = (self.model(), self.asked_of_lint(request)?);
        let limits = limits.of_run(Limits::TABLES);
        let look = || {
            let budget = limits.run_budget();
            let run = limits.questions(&budget);
            Ok(lint::lint(model, &checks, &thresholds, run)?)
        };
        let mut report = limits.run(look)?;
        // Other thresholds than usual find other things than those that were accepted.
        if thresholds != Thresholds::default() {
            report.stale.clear();
        }
        let only = &request.only;
        let is_asked = |id: &str| only.is_empty() || only.iter().any(|own| id.starts_with(own));
        let findings = report.findings.into_iter();
        let findings: Vec<Finding> = findings.filter(|own| is_asked(&own.id)).collect();
        let accepted = findings.iter().filter(|own| own.accepted.is_some()).count();
        let told = findings.into_iter();
        let told = told.filter(|own| request.all || own.accepted.is_none());
        let stale = report.stale.iter().map(|at| &model.acceptances[*at]);
        let stale = stale.filter(|own| is_asked(&own.finding.text));
        Ok(LintAnswer {
            ruleset: self.name().to_owned(),
            file: match path_of(self.name()) {
                Some(path) => path.display().to_string(),
                None => model.source.name.clone(),
            },
            findings: told.map(|own| FindingAnswer::of(model, own)).collect(),
            stale: stale.map(|own| StaleAcceptance::of(model, own)).collect(),
            accepted,
        })
    }
}

impl Game {
    /// What parts of a lint are parts of: the odds of the check, or of all of them. What is told of them, and from what on,
    /// may be asked once all parts are there.
    ///
    /// # Errors
    /// If the request can't be written as JSON.
    pub fn lint_job(&self, request: &LintRequest) -> Result<Job, Error> {
        let asked = LintRequest {
            check: request.check.clone(),
            ..LintRequest::default()
        };
        Job::of(self, "lint", &asked)
    }

    /// Looks at a part of the levers and writes what it asks; `out` is handed back. What is odd about all of them is then
    /// [`Game::lint`] within [`Whole::limits`](crate::part::Whole::limits).
    ///
    /// # Errors
    /// If nothing can be looked for, as those of [`Game::lint`]; if the work is cancelled, or the part can't be written.
    pub fn lint_part<W: Write>(
        &self,
        request: &LintRequest,
        part: (&Job, PartNumber),
        limits: &Limits,
        out: W,
    ) -> Result<W, Error> {
        let (checks, thresholds) = self.asked_of_lint(request)?;
        let units = lint::levers(&checks);
        transcribe(part, units, limits, out, |wanted, limits| {
            let limits = limits.of_run(Limits::TABLES);
            let budget = limits.run_budget();
            let run = limits.questions(&budget);
            lint::note(self.model(), &checks, &thresholds, (wanted, run));
        })
    }

    /// The checks and tracks that are looked at, and from what on something is odd.
    fn asked_of_lint(&self, request: &LintRequest) -> Result<(Vec<&Check>, Thresholds), Error> {
        let model = self.model();
        let checks: Vec<&Check> = match &request.check {
            Some(_) => vec![self.find(request.check.as_deref(), Wanted::Either)?],
            None => model.checks.iter().chain(&model.tracks).collect(),
        };
        for prefix in &request.only {
            finding_prefix(&checks, prefix, "--only")?;
        }
        Ok((checks, thresholds(request)?))
    }
}

/// Points, as the difference of two probabilities: `15` is 0.15.
///
/// # Errors
/// If it is no number from 0 on.
pub fn points(text: &str) -> Result<RBig, String> {
    let points = number::exact_decimal(text).filter(|points| *points >= RBig::ZERO);
    let points = points.ok_or_else(|| "not a number of points from 0 on, such as 25".to_owned())?;
    Ok(points / RBig::from(100))
}

fn thresholds(request: &LintRequest) -> Result<Thresholds, Error> {
    let usual = Thresholds::default();
    let read = |name: &str, text: &Option<String>, usual: RBig| match text {
        None => Ok(usual),
        Some(text) => {
            points(text).map_err(|why| Error::advice(format!("{name} `{text}` is {why}"), ""))
        }
    };
    Ok(Thresholds {
        cliff: read("cliff", &request.cliff, usual.cliff)?,
        change: read("change", &request.change, usual.change)?,
    })
}

impl FindingAnswer {
    fn of(model: &Model, finding: Finding) -> Self {
        let reason = |at: usize| model.acceptances[at].reason.clone();
        let named = |name: &str| {
            let check = model.check_or_track(name);
            check.expect("findings are about checks of their model")
        };
        let check = named(&finding.check);
        let title = |name: &String| named(name).title().to_owned();
        Self {
            place: Place::of(&model.source, finding.place),
            sentence: words::sentence(check, &finding),
            alike: words::levers(check, &finding.alike),
            also: finding.also.iter().map(title).collect(),
            shown: words::evidence(named, &finding),
            reason: finding.accepted.map(reason),
            finding,
        }
    }

    /// Where it shows, a line each: at most so many of the worst cases.
    pub fn evidence(&self, cases: usize) -> &[String] {
        let lines = words::lines(&self.finding.facts, cases);
        &self.shown[..lines.min(self.shown.len())]
    }

    /// What may be done about it.
    pub fn advice(&self) -> &'static str {
        advice(self.finding.rule)
    }
}

/// What may be done about the findings of a rule.
pub fn advice(rule: LintRule) -> &'static str {
    words::advice(rule)
}

impl StaleAcceptance {
    /// What may be done about it.
    pub const ADVICE: &'static str = "take the acceptance out";

    fn of(model: &Model, acceptance: &Acceptance) -> Self {
        Self {
            id: acceptance.finding.text.clone(),
            place: Place::of(&model.source, acceptance.span),
        }
    }

    /// What is wrong.
    pub fn sentence(&self) -> String {
        let id = &self.id;
        format!("`{id}` is accepted, and there is no such finding any more")
    }
}

impl LintAnswer {
    /// Whether something is found that is not accepted and at least so severe. A stale acceptance is a warning.
    pub fn has(&self, severity: Severity) -> bool {
        let is_open = |own: &FindingAnswer| own.reason.is_none();
        let mut findings = self.findings.iter().filter(|own| is_open(own));
        findings.any(|own| own.finding.severity >= severity)
            || severity <= Severity::Warning && !self.stale.is_empty()
    }
}
