//! `oddsmith dist`: a dice expression.

use anyhow::Result;
use oddsmith_exact::{Budget, answers, distribution};
use oddsmith_rules::Check;
use serde_json::json;

use crate::args::{AnswerFormat, DistArgs};
use crate::format::outcomes::{self, Kind, Line};
use crate::format::{dist, dist_view, view};
use crate::{exit, settings, terminal};

/// Answers and prints: the queries if there are any, or else the whole distribution.
pub(crate) fn run(args: &DistArgs) -> Result<u8> {
    let check = oddsmith_rules::expression(&args.expression, "<expression>")?;
    let budget = Budget::new(args.cost.budget);
    if args.queries.is_empty() {
        show_all(args, &check, &budget)?;
    } else {
        show_answers(args, &check, &budget)?;
    }
    Ok(exit::OK)
}

fn show_all(args: &DistArgs, check: &Check, budget: &Budget) -> Result<()> {
    let whole = distribution(check, &check.defaults(), &check.outcomes[0], budget)?;
    match args.format {
        AnswerFormat::Table => terminal::print(&dist_view::render(&args.expression, &whole))?,
        AnswerFormat::Csv => terminal::print_data(&dist::csv(&whole))?,
        AnswerFormat::Json => {
            let text = serde_json::to_string_pretty(&dist::json(&args.expression, &whole))? + "\n";
            terminal::print_data(text.as_bytes())?;
        }
        AnswerFormat::Markdown => terminal::print_data(dist::pipes(&whole).as_bytes())?,
    }
    Ok(())
}

fn show_answers(args: &DistArgs, check: &Check, budget: &Budget) -> Result<()> {
    let queries = settings::queries(check, &args.queries)?;
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
            let answer =
                json!({ "expression": args.expression, "outcomes": outcomes::json(&lines) });
            terminal::print_data((serde_json::to_string_pretty(&answer)? + "\n").as_bytes())?;
        }
        AnswerFormat::Markdown => terminal::print_data(outcomes::pipes(&lines).as_bytes())?,
    }
    Ok(())
}
