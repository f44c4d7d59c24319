//! What nobody would choose: options that are never better, axes that never matter, or stop to.

use oddsmith_report::Entry;
use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, LintRule};

use super::SheetOf;
use crate::Error;
use crate::lint::{Facts, Finding, FindingAnswer, LintRequest};

/// The rules whose findings these are, the most telling one first.
const RULES: [LintRule; 3] = [LintRule::Dominated, LintRule::DeadAxis, LintRule::Plateau];

impl SheetOf<'_> {
    /// The first finding of those rules, one that is not accepted if there is such; or that there is none.
    pub(super) fn unwanted(&self, check: &Check) -> Result<Vec<Entry>, Error> {
        let only: Vec<String> = RULES.iter().map(|rule| rule.name().to_owned()).collect();
        let asked: Vec<String> = only.iter().map(|rule| format!(" --only {rule}")).collect();
        let command = format!(
            "oddsmith balance lint {} --all{}",
            self.target(check),
            asked.concat()
        );
        let request = LintRequest {
            check: Some(check.name.clone()),
            only,
            all: true,
            ..LintRequest::default()
        };
        let found = self.reported.game.lint(&request, &self.limits)?;
        let rank = |own: &&FindingAnswer| {
            let rule = RULES.iter().position(|rule| *rule == own.finding.rule);
            (own.reason.is_some(), is_nothing(check, &own.finding), rule)
        };
        let findings = &found.findings;
        let told = findings.iter().min_by_key(rank);
        let alone = match self.reported.checks().count() {
            1 => String::new(),
            _ => format!(" Of {} alone.", check.title()),
        };
        let Some(told) = told else {
            return Ok(vec![Entry {
                title: "Options that nobody would choose".to_owned(),
                number: "none".to_owned(),
                note: format!(
                    "No option is always beaten by another one, and every axis matters up to its end.{alone}"
                ),
                command,
                ..self.entry(check, None)
            }]);
        };
        let lever = told.finding.levers.first();
        let input =
            lever.and_then(|name| check.inputs.iter().position(|input| input.name == *name));
        let (title, number) = words(check, &told.finding, input);
        let more = match { findings.iter() }
            .filter(|own| own.finding.rule == told.finding.rule)
            .count()
        {
            0 | 1 => String::new(),
            all => format!(" And {} more of the kind.", all - 1),
        };
        let reason = told
            .reason
            .as_deref()
            .map(|reason| format!(" Accepted: {reason}"));
        Ok(vec![Entry {
            title,
            number,
            note: format!(
                "{}.{}{more}{alone}",
                told.sentence,
                reason.unwrap_or_default()
            ),
            command,
            ..self.entry(check, input.map(InputId))
        }])
    }
}

/// Whether it says that the default option is never better, which mostly is to do nothing.
fn is_nothing(check: &Check, finding: &Finding) -> bool {
    let Facts::Dominated { label, .. } = &finding.facts else {
        return false;
    };
    let axis = finding.levers.first();
    let input = axis.and_then(|name| check.inputs.iter().find(|input| input.name == *name));
    input.is_some_and(|input| input.domain.show(input.default) == *label)
}

/// What it is, and which option or axis.
fn words(check: &Check, finding: &Finding, input: Option<usize>) -> (String, String) {
    let axis = input.map_or("", |at| check.inputs[at].title());
    match &finding.facts {
        Facts::Dominated { label, by } => (
            format!("{axis}: never better than {by}"),
            format!("“{label}”"),
        ),
        Facts::Plateau { stretch: [from, _] } => (
            "Changes nothing more by default".to_owned(),
            format!("{axis} from {from}"),
        ),
        _ => ("Never matters".to_owned(), axis.to_owned()),
    }
}
