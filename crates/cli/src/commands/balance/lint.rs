//! `oddsmith balance lint`: what is odd about the odds of a ruleset.

use anyhow::Result;
use oddsmith_analysis::lint::{Finding, Limits, Severity, lint};
use oddsmith_rules::{Check, Model, finding_prefix};

use crate::args::{LintArgs, LintFormat};
use crate::document::Markup;
use crate::format::lint::{Game, github, json, markdown, text};
use crate::progress::use_threads;
use crate::target::{self, TargetName, Wanted};
use crate::{exit, terminal};

/// Looks, and tells.
pub(crate) fn run(args: &LintArgs) -> Result<u8> {
    use_threads(args.parallel)?;
    let name = TargetName::parse(&args.target);
    let model = target::load(name.ruleset)?;
    let checks: Vec<&Check> = match name.check {
        Some(_) => vec![target::find(&model, name, Wanted::Either)?],
        None => model.checks.iter().chain(&model.tracks).collect(),
    };
    for prefix in &args.only {
        finding_prefix(&checks, prefix, "--only")?;
    }
    let usual = Limits::default();
    let limits = Limits {
        cliff: args.cliff.clone().unwrap_or(usual.cliff),
        change: args.change.clone().unwrap_or(usual.change),
    };
    let mut report = lint(&model, &checks, &limits, args.cost.budget)?;
    // Other limits than usual find other things than those that were accepted.
    if limits != Limits::default() {
        report.stale.clear();
    }
    let is_asked = |id: &str| args.only.is_empty() || args.only.iter().any(|o| id.starts_with(o));
    report.findings.retain(|finding| is_asked(&finding.id));
    let stale = |at: &usize| is_asked(&model.acceptances[*at].finding.text);
    report.stale.retain(stale);
    let accepted = report.findings.iter().filter(|f| f.accepted.is_some());
    let accepted = accepted.count();
    if !args.all {
        report.findings.retain(|finding| finding.accepted.is_none());
    }
    let is_denied =
        |finding: &Finding| finding.accepted.is_none() && finding.severity >= args.deny.severity();
    let is_stale = !report.stale.is_empty() && args.deny.severity() <= Severity::Warning;
    let fails = is_stale || report.findings.iter().any(is_denied);
    let game = Game::new(
        name.ruleset,
        file_of(name.ruleset, &model),
        &model,
        &report,
        accepted,
    );
    show(&game, args.format)?;
    Ok(if fails { exit::NO } else { exit::OK })
}

/// What places are places in.
fn file_of(ruleset: &str, model: &Model) -> String {
    let path = target::path_of(ruleset);
    path.map_or_else(
        || model.source.name.clone(),
        |path| path.display().to_string(),
    )
}

fn show(game: &Game, format: LintFormat) -> Result<()> {
    match format {
        LintFormat::Text => terminal::print(&text::document(game).terminal())?,
        LintFormat::Github => {
            terminal::print(&text::document(game).terminal())?;
            terminal::print_data(github::render(game).as_bytes())?;
        }
        LintFormat::Json => terminal::print_json(&json::render(game))?,
        LintFormat::Markdown => {
            terminal::print_data(markdown::document(game).markup(Markup::Markdown).as_bytes())?;
        }
    }
    Ok(())
}
