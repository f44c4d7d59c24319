//! `oddsmith odds`: one configuration.

use anyhow::Result;
use oddsmith_exact::{Budget, Error, answers, distribution};
use oddsmith_rules::{Check, Config, Domain, Outcome, OutcomeKind, Query};
use serde_json::{Map, Value, json};

use crate::args::{AnswerFormat, OddsArgs};
use crate::format::outcomes::{self, Kind, Line};
use crate::format::view::{Observable, View};
use crate::target::Target;
use crate::{exit, settings, terminal};

/// Answers and prints.
pub(crate) fn run(args: &OddsArgs) -> Result<u8> {
    let target = Target::resolve(&args.question.target)?;
    let check = target.check();
    let config = settings::config(check, &args.question.sets, "--set")?;
    let asked = settings::queries(check, &args.question.queries)?;
    let is_view = args.format == AnswerFormat::Table;
    let queries = with_defaults(check, asked, is_view)?;
    let lines = answer(check, &config, queries, args.cost.budget)?;
    match args.format {
        AnswerFormat::Table => {
            let observables = observables(check, &config, args.cost.budget, !lines.is_empty())?;
            let view = View {
                title: format!("{} · {}", target.title(), check.name),
                settings: check.describe(&config),
                lines,
                observables,
            };
            terminal::print(&view.render())?;
        }
        AnswerFormat::Csv => terminal::print_data(&outcomes::csv(&lines, &[])?)?,
        AnswerFormat::Json => terminal::print_data(json(&target, &config, &lines)?.as_bytes())?,
        AnswerFormat::Markdown => terminal::print_data(outcomes::pipes(&lines).as_bytes())?,
    }
    Ok(exit::OK)
}

/// The check's own questions and the user's, each with its kind. Where that would be nothing, the means; the
/// view shows them anyway.
fn with_defaults(check: &Check, asked: Vec<Query>, is_view: bool) -> Result<Vec<(Kind, Query)>> {
    let bands = check.band().map_or(0, |(_, bands)| bands.labels.len());
    let own = check.own_queries().into_iter().enumerate();
    let own = own.map(|(at, query)| (if at < bands { Kind::Band } else { Kind::Flag }, query));
    let mut queries: Vec<(Kind, Query)> = own.collect();
    let asked = if queries.is_empty() && asked.is_empty() && !is_view {
        settings::means(check)?
    } else {
        asked
    };
    queries.extend(asked.into_iter().map(|query| (Kind::of(&query), query)));
    Ok(queries)
}

fn answer(
    check: &Check,
    config: &Config,
    queries: Vec<(Kind, Query)>,
    budget: u64,
) -> Result<Vec<Line>> {
    let (kinds, queries): (Vec<Kind>, Vec<Query>) = queries.into_iter().unzip();
    let answers = answers(check, config, &queries, &Budget::new(budget))?;
    let lines = kinds.into_iter().zip(queries).zip(answers);
    Ok(lines
        .map(|((kind, query), answer)| Line {
            name: query.text,
            kind,
            answer,
        })
        .collect())
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

fn json(target: &Target, config: &Config, lines: &[Line]) -> Result<String> {
    let check = target.check();
    let changed = check
        .inputs
        .iter()
        .zip(&config.0)
        .filter(|(input, value)| input.default != **value);
    let configuration: Map<String, Value> = changed
        .map(|(input, &value)| {
            let shown = match &input.domain {
                Domain::Range(..) => Value::from(value),
                Domain::Choice(_) => Value::from(input.domain.show(value)),
            };
            (input.name.clone(), shown)
        })
        .collect();
    let answer = json!({
        "ruleset": target.ruleset,
        "check": check.name,
        "configuration": configuration,
        "outcomes": outcomes::json(lines),
    });
    Ok(serde_json::to_string_pretty(&answer)? + "\n")
}
