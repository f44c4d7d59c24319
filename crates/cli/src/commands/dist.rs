//! `oddsmith dist`: a dice expression.

use anyhow::Result;
use oddsmith_exact::{Budget, distribution};
use oddsmith_rules::Check;
use serde_json::json;

use crate::args::{AnswerFormat, DistArgs};
use crate::format::{dist, dist_view, outcomes, view};
use crate::{answers, exit, settings, terminal};

/// Answers and prints: the queries if there are any, or else the whole distribution.
pub(crate) fn run(args: &DistArgs) -> Result<u8> {
    let expression = args.expression.join(" ");
    let expression = expression.trim();
    let check = oddsmith_rules::expression(expression, "<expression>")?;
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
