//! For a comment on a pull request: what moved at a glance, and the rest folded away.

use std::fmt::Write as _;

use oddsmith_report::escape;

use super::{Cause, Compared, Found, Game, Intent, ORPHAN_HELP, Report, SUMMARY, Table, orphan};
use crate::format::grid::Align;
use crate::format::markup::Markup;
use crate::format::words::{grouped, plural};

/// The comment.
pub(crate) fn render(report: &Report) -> String {
    let moved = report.found().filter(|(_, found)| found.is_moved()).count();
    let failed = report
        .games
        .iter()
        .filter(|game| game.found.is_err())
        .count();
    let mut text = format!("### {}\n", title(report, moved, failed));
    for game in &report.games {
        if let Err(trouble) = &game.found {
            let _ = writeln!(text, "\n`{}` can't be checked:\n", game.file);
            for (reason, place) in &trouble.reasons {
                let line = place.map_or(String::new(), |place| format!("line {}: ", place.line));
                let _ = writeln!(text, "- {line}{}", Markup::Markdown.escape(reason));
            }
        }
    }
    for directory in &report.orphans {
        let said = Markup::Markdown.escape(&orphan(directory));
        let _ = writeln!(text, "\n{said} ({ORPHAN_HELP})");
    }
    let glance: Vec<Vec<String>> = report.found().flat_map(glance).collect();
    if !glance.is_empty() {
        let left = Align::Left;
        text.push('\n');
        text += &Markup::Markdown.table(
            &["ruleset", "table", "what happened", "most"],
            &[left, left, left, left],
            &glance,
        );
    }
    for (game, found) in report.found() {
        push_details(game, found, &mut text);
    }
    for (game, found) in report.found() {
        for intent in found.broken() {
            push_intent(game, intent, &mut text);
        }
    }
    text
}

fn title(report: &Report, moved: usize, failed: usize) -> String {
    let all = plural(report.games.len() as u64, "ruleset");
    let mut parts = Vec::new();
    match (moved, failed) {
        (0, 0) if report.orphans.is_empty() => parts.push(format!("all as accepted ({all})")),
        (0, _) => {}
        _ if report.is_update => parts.push(format!("accepted anew in {moved} of {all}")),
        _ => parts.push(format!("moved in {moved} of {all}")),
    }
    if failed > 0 {
        parts.push(format!("{failed} of {all} can't be checked"));
    }
    if !report.orphans.is_empty() {
        let number = report.orphans.len() as u64;
        parts.push(format!("{} without a ruleset", plural(number, "baseline")));
    }
    let unknown = report.unknown().count() as u64;
    let broken = report
        .found()
        .map(|(_, found)| found.broken().count() as u64);
    let broken = broken.sum::<u64>() - unknown;
    for (number, what) in [(broken, "not met"), (unknown, "can't be told")] {
        if number > 0 {
            parts.push(format!("{} {what}", plural(number, "expectation")));
        }
    }
    format!("Odds: {}", parts.join("; "))
}

/// A row for each table that moved.
fn glance((game, found): (&Game, &Found)) -> Vec<Vec<String>> {
    let row = |table: &Table| {
        let largest = table.compared().and_then(Compared::largest);
        vec![
            game.id.clone(),
            table.check.clone(),
            table.summary(),
            largest.unwrap_or_default(),
        ]
    };
    found.moved().map(row).collect()
}

fn push_details(game: &Game, found: &Found, text: &mut String) {
    if !found.is_moved() || found.is_first {
        return;
    }
    for cause in found.common_causes() {
        push_cause(game, &cause, text);
    }
    for table in found.moved() {
        let Some(compared) = table.compared() else {
            continue;
        };
        for cause in found.told_of(compared) {
            push_cause(game, cause, text);
        }
        if compared.drift.moved_answers() == 0 {
            continue;
        }
        let (id, check) = (escape(&game.id), escape(&table.check));
        let _ = write!(text, "\n<details><summary>{id}: {check}</summary>\n\n");
        text.push_str(&moves(compared));
        text.push('\n');
        text.push_str(&summaries(compared));
        text.push_str("\n</details>\n");
    }
}

fn push_intent(game: &Game, intent: &Intent, text: &mut String) {
    let said = Markup::Markdown.escape(&intent.intent);
    let (verdict, line) = (intent.verdict.summary(), intent.place.line);
    let _ = writeln!(
        text,
        "\n**{}:{}** \"{said}\" {verdict} (`{}:{line}`)",
        game.id, intent.check, game.file
    );
    for (at, failure) in intent.verdict.worst().iter().enumerate() {
        let gap = if at == 0 { "\n" } else { "" };
        let _ = writeln!(text, "{gap}- {}", Markup::Markdown.escape(&failure.text));
    }
}

fn push_cause(game: &Game, cause: &Cause, text: &mut String) {
    let (said, line) = (Markup::Markdown.escape(&cause.text), cause.place.line);
    let _ = writeln!(text, "\n{said} (`{}:{line}`)", game.file);
}

fn moves(compared: &Compared) -> String {
    let row = |moved: &oddsmith_analysis::drift::Moved| {
        let measure = compared.drift.measures()[moved.measure].name.clone();
        let mut row = vec![moved.configuration.clone(), measure];
        row.extend(compared.cells(moved));
        row
    };
    let rows: Vec<Vec<String>> = compared.drift.moved().iter().map(row).collect();
    let right = Align::Right;
    let mut text = Markup::Markdown.table(
        &["configuration", "column", "before", "after", "difference"],
        &[Align::Left, Align::Left, right, right, right],
        &rows,
    );
    let more = compared.drift.moved_answers() - rows.len() as u64;
    if more > 0 {
        let _ = writeln!(text, "\n... and {} more", grouped(more));
    }
    text
}

fn summaries(compared: &Compared) -> String {
    let rows = compared.summaries().into_iter().map(Vec::from);
    let right = Align::Right;
    Markup::Markdown.table(
        &SUMMARY,
        &[Align::Left, right, right, right, Align::Left],
        &rows.collect::<Vec<_>>(),
    )
}
