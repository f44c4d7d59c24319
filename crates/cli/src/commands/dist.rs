//! `oddsmith dist`: a dice expression.

use anyhow::Result;
use oddsmith_exact::{Budget, answers, distribution};
use oddsmith_rules::{Check, Diagnostics};
use serde_json::json;

use crate::args::{AnswerFormat, DistArgs};
use crate::format::outcomes::{self, Kind, Line};
use crate::format::{dist, dist_view, view};
use crate::{exit, settings, terminal};

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
            let text = serde_json::to_string_pretty(&dist::json(expression, &whole))? + "\n";
            terminal::print_data(text.as_bytes())?;
        }
        AnswerFormat::Markdown => terminal::print_data(dist::pipes(&whole).as_bytes())?,
    }
    Ok(())
}

fn show_answers(args: &DistArgs, expression: &str, check: &Check, budget: &Budget) -> Result<()> {
    let queries = settings::queries(check, &args.queries).map_err(named)?;
    let answers = answers(check, &check.defaults(), &queries, budget)?;
    let lines = queries.into_iter().zip(answers);
    let lines: Vec<Line> = lines
        .map(|(query, answer)| Line {
            kind: Kind::of(&query),
            name: query.text,
            answer,
        })
        .collect();
    match args.format {
        AnswerFormat::Table => terminal::print(&view::odds(&lines))?,
        AnswerFormat::Csv => terminal::print_data(&outcomes::csv(&lines, &dist::CUMULATIVE)?)?,
        AnswerFormat::Json => {
            let answer = json!({ "expression": expression, "outcomes": outcomes::json(&lines) });
            terminal::print_data((serde_json::to_string_pretty(&answer)? + "\n").as_bytes())?;
        }
        AnswerFormat::Markdown => terminal::print_data(outcomes::pipes(&lines).as_bytes())?,
    }
    Ok(())
}

/// An expression shows one thing, and it is called `value`.
fn named(mut errors: Diagnostics) -> Diagnostics {
    for error in &mut errors.0 {
        error
            .help
            .get_or_insert_with(|| "what an expression shows is called `value`".to_owned());
    }
    errors
}
