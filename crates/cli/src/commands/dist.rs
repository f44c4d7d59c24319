//! `oddsmith dist`: a dice expression.

use std::time::{Duration, Instant};

use anyhow::Result;
use oddsmith_exact::{Budget, distribution};
use oddsmith_rules::{Check, Query, expression_warnings};
use serde_json::json;

use crate::args::{DistArgs, Style};
use crate::document::Medium;
use crate::format::explain::Explained;
use crate::format::{dist, dist_view, outcomes};
use crate::{answers, exit, failure, settings, terminal};

/// Questions that are explained are asked again for so long.
const LONGEST: Duration = Duration::from_millis(20);

/// Answers and prints: the queries if there are any, or else the whole distribution.
pub(crate) fn run(args: &DistArgs) -> Result<u8> {
    let style = args.shown.style()?;
    let expression = args.expression.join(" ");
    let expression = expression.trim();
    let check = oddsmith_rules::expression(expression, "<expression>")?;
    let warnings = expression_warnings(expression, "<expression>");
    failure::warn(&warnings);
    if args.denying.refuses(&warnings) {
        return Ok(exit::NO);
    }
    if args.explain {
        explain(args, style, expression, &check)?;
        return Ok(exit::OK);
    }
    let budget = Budget::new(args.cost.budget);
    if args.queries.is_empty() {
        show_all(style, expression, &check, &budget)?;
    } else {
        let queries = settings::queries(&check, &args.queries)?;
        show_answers(style, expression, &check, queries, &budget)?;
    }
    Ok(exit::OK)
}

fn show_all(style: Style, expression: &str, check: &Check, budget: &Budget) -> Result<()> {
    let whole = distribution(check, &check.defaults(), &check.outcomes[0], budget)?;
    match style {
        Style::View(form) => {
            terminal::print(
                &dist_view::document(expression, &whole, form, Medium::Terminal).terminal(),
            )?;
        }
        Style::Csv => terminal::print_data(&dist::csv(&whole))?,
        Style::Json => {
            terminal::print_json(&dist::json(expression, &whole))?;
        }
        Style::Document(markup, form) => {
            terminal::print_data(
                dist_view::document(expression, &whole, form, Medium::Page)
                    .markup(markup)
                    .as_bytes(),
            )?;
        }
    }
    Ok(())
}

/// The fastest of several answers: what a cold start adds is no cost of the question.
fn explain(args: &DistArgs, style: Style, expression: &str, check: &Check) -> Result<()> {
    let begun = Instant::now();
    let mut fastest = ask(args, expression, check)?;
    while begun.elapsed() < LONGEST {
        let again = ask(args, expression, check)?;
        if again.took < fastest.took {
            fastest = again;
        }
    }
    match style {
        Style::View(_) => terminal::print(&fastest.document().terminal())?,
        Style::Csv => terminal::print_data(&fastest.csv()?)?,
        Style::Json => terminal::print_json(&fastest.json())?,
        Style::Document(markup, _) => {
            terminal::print_data(fastest.document().markup(markup).as_bytes())?;
        }
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

fn show_answers(
    style: Style,
    expression: &str,
    check: &Check,
    queries: Vec<Query>,
    budget: &Budget,
) -> Result<()> {
    let queries = answers::asked(queries).collect();
    let lines = answers::lines(check, &check.defaults(), queries, budget)?;
    match style {
        Style::View(form) => terminal::print(&outcomes::document(&lines, form).terminal())?,
        Style::Csv => terminal::print_data(&outcomes::csv(&lines, &dist::CUMULATIVE)?)?,
        Style::Json => {
            let answer = json!({ "expression": expression, "outcomes": outcomes::json(&lines) });
            terminal::print_json(&answer)?;
        }
        Style::Document(markup, form) => {
            terminal::print_data(outcomes::document(&lines, form).markup(markup).as_bytes())?;
        }
    }
    Ok(())
}
