//! `oddsmith dist`: a dice expression.

use std::time::{Duration, Instant};

use anyhow::Result;
use oddsmith_exact::{Budget, distribution};
use oddsmith_rules::Check;
use serde_json::json;

use crate::args::{AnswerFormat, DistArgs};
use crate::format::explain::Explained;
use crate::format::{dist, dist_view, outcomes, view};
use crate::{answers, exit, settings, terminal};

/// Questions that are explained are asked again for so long.
const LONGEST: Duration = Duration::from_millis(20);

/// Answers and prints: the queries if there are any, or else the whole distribution.
pub(crate) fn run(args: &DistArgs) -> Result<u8> {
    let expression = args.expression.join(" ");
    let expression = expression.trim();
    let check = oddsmith_rules::expression(expression, "<expression>")?;
    if args.explain {
        explain(args, expression, &check)?;
        return Ok(exit::OK);
    }
    let budget = Budget::new(args.cost.budget);
    if args.queries.is_empty() {
        show_all(args, expression, &check, &budget)?;
    } else {
        show_answers(args, expression, &check, &budget)?;
    }
    Ok(exit::OK)
}

fn show_all(args: &DistArgs, expression: &str, check: &Check, budget: &Budget) -> Result<()> {
    let whole = distribution(check, &check.defaults(), &check.outcomes[0], budget)?;
    match args.format {
        AnswerFormat::Table => terminal::print(&dist_view::render(expression, &whole))?,
        AnswerFormat::Csv => terminal::print_data(&dist::csv(&whole))?,
        AnswerFormat::Json => {
            terminal::print_json(&dist::json(expression, &whole))?;
        }
        AnswerFormat::Markdown => terminal::print_data(dist::pipes(&whole).as_bytes())?,
    }
    Ok(())
}

/// The fastest of several answers: what a cold start adds is no cost of the question.
fn explain(args: &DistArgs, expression: &str, check: &Check) -> Result<()> {
    let begun = Instant::now();
    let mut fastest = ask(args, expression, check)?;
    while begun.elapsed() < LONGEST {
        let again = ask(args, expression, check)?;
        if again.took < fastest.took {
            fastest = again;
        }
    }
    match args.format {
        AnswerFormat::Table => terminal::print(&fastest.text())?,
        AnswerFormat::Csv => terminal::print_data(&fastest.csv()?)?,
        AnswerFormat::Json => terminal::print_json(&fastest.json())?,
        AnswerFormat::Markdown => terminal::print_data(fastest.pipes().as_bytes())?,
    }
    Ok(())
}

fn ask(args: &DistArgs, expression: &str, check: &Check) -> Result<Explained> {
    let budget = Budget::with_notes(args.cost.budget);
    let begun = Instant::now();
    let dist = distribution(check, &check.defaults(), &check.outcomes[0], &budget)?;
    Ok(Explained {
        expression: expression.to_owned(),
        dist,
        took: begun.elapsed(),
        steps: budget.spent(),
        notes: budget.notes(),
    })
}

fn show_answers(args: &DistArgs, expression: &str, check: &Check, budget: &Budget) -> Result<()> {
    let queries = settings::queries(check, &args.queries)?;
    let queries = answers::asked(queries).collect();
    let lines = answers::lines(check, &check.defaults(), queries, budget)?;
    match args.format {
        AnswerFormat::Table => terminal::print(&view::odds(&lines))?,
        AnswerFormat::Csv => terminal::print_data(&outcomes::csv(&lines, &dist::CUMULATIVE)?)?,
        AnswerFormat::Json => {
            let answer = json!({ "expression": expression, "outcomes": outcomes::json(&lines) });
            terminal::print_json(&answer)?;
        }
        AnswerFormat::Markdown => terminal::print_data(outcomes::pipes(&lines).as_bytes())?,
    }
    Ok(())
}
