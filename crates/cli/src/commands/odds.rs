//! `oddsmith odds`: one configuration.

use anyhow::Result;
use oddsmith_exact::{Budget, Error, distribution, policy};
use oddsmith_rules::{Check, Config, Outcome, OutcomeKind, Query};
use serde_json::json;

use crate::args::{OddsArgs, Style};
use crate::format::outcomes::{self, Kind};
use crate::format::view::{Observable, View};
use crate::target::{Target, Wanted};
use crate::{answers, exit, failure, settings, terminal};

/// Answers and prints.
pub(crate) fn run(args: &OddsArgs) -> Result<u8> {
    let style = args.shown.style()?;
    let target = Target::resolve(&args.target, Wanted::Check)?;
    if args.denying.refuses(&target.model.warnings) {
        return Ok(exit::NO);
    }
    let check = &settings::with_goal(target.check.clone(), args.striving.maximise.as_deref())?;
    let config = settings::config(check, &args.asked.sets, "--set")?;
    let asked = settings::queries(check, &args.asked.queries)?;
    let is_view = matches!(style, Style::View(_));
    let queries = with_defaults(check, asked, is_view)?;
    let lines = answers::lines(check, &config, queries, &Budget::new(args.cost.budget))?;
    match style {
        Style::View(form) => {
            let observables = observables(check, &config, args.cost.budget, !lines.is_empty())?;
            let view = View {
                title: target.title(),
                settings: check.describe(&config),
                lines,
                observables,
                form,
            };
            terminal::print(&view.document().terminal())?;
        }
        Style::Csv => terminal::print_data(&outcomes::csv(&lines, &[])?)?,
        Style::Json => {
            let answer = json!({
                "ruleset": target.ruleset,
                "check": check.name,
                "configuration": outcomes::configuration(check, &config),
                "outcomes": outcomes::json(&lines),
            });
            terminal::print_json(&answer)?;
        }
        Style::Document(markup, form) => {
            terminal::print_data(outcomes::document(&lines, form).markup(markup).as_bytes())?;
        }
    }
    if args.striving.maximise.is_some() && chooses_nothing(check, &config, args.cost.budget) {
        failure::note(settings::NO_CHOICE);
    }
    Ok(exit::OK)
}

/// Whether it is known that there is nothing to choose.
fn chooses_nothing(check: &Check, config: &Config, budget: u64) -> bool {
    policy(check, config, &Budget::new(budget)).is_ok_and(|policy| policy.choices.is_empty())
}

/// The check's own questions and the user's, each with its kind. Where that would be nothing, the means; the
/// view shows them anyway.
fn with_defaults(check: &Check, asked: Vec<Query>, is_view: bool) -> Result<Vec<(Kind, Query)>> {
    let mut queries = answers::own(check);
    let asked = if queries.is_empty() && asked.is_empty() && !is_view {
        settings::means(check)?
    } else {
        asked
    };
    queries.extend(answers::asked(asked));
    Ok(queries)
}

/// The numbers that a check shows, each within the budget by itself. Beside other answers one that is over the
/// budget may be left out.
fn observables(
    check: &Check,
    config: &Config,
    budget: u64,
    may_lack: bool,
) -> Result<Vec<Observable>> {
    let numbers = check
        .outcomes
        .iter()
        .filter(|outcome| outcome.kind == OutcomeKind::Observable);
    let observable = |outcome: &Outcome| {
        let dist = match distribution(check, config, outcome, &Budget::new(budget)) {
            Ok(dist) => Some(dist),
            Err(Error::OverBudget { .. }) if may_lack => None,
            Err(error) => return Err(error.into()),
        };
        Ok(Observable {
            name: outcome.name.clone(),
            dist,
        })
    };
    numbers.map(observable).collect()
}
