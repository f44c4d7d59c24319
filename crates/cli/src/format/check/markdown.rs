//! For a comment on a pull request: what moved at a glance, and the rest folded away.

use oddsmith::project::{Cause, Found, Intent, ProjectAnswer, RulesetAnswer, TableDrift};

use super::{ORPHAN_HELP, compared, largest, orphan, summary};
use crate::document::{self, Block, Column, Document, Role, Span, Text};
use crate::format::words::plural;

/// The comment.
pub(crate) fn document(report: &ProjectAnswer) -> Document {
    let moved = report.found().filter(|(_, found)| found.is_moved()).count();
    let failed = report
        .rulesets
        .iter()
        .filter(|game| game.found.is_err())
        .count();
    let mut document = Document::default();
    document.push([Block::title(title(report, moved, failed))]);
    for game in &report.rulesets {
        if let Err(trouble) = &game.found {
            let file = Text::from(Span::new(&game.file, Role::Code));
            let reasons = trouble.reasons.iter().map(|(reason, place)| {
                let line = place.map_or(String::new(), |place| format!("line {}: ", place.line));
                format!("{line}{reason}")
            });
            let words = Block::paragraph(file.and(" can't be checked:"));
            document.push([words, Block::list(reasons)]);
        }
    }
    for directory in &report.orphans {
        let words = format!("{} ({ORPHAN_HELP})", orphan(directory));
        document.push([Block::paragraph(words)]);
    }
    let columns = ["ruleset", "table", "what happened", "most"].map(Column::left);
    let glance = document::Table::new(columns).with_rows(report.found().flat_map(glance));
    document.push((!glance.is_empty()).then(|| Block::table(glance)));
    for (game, found) in report.found() {
        push_details(game, found, &mut document);
    }
    for (game, found) in report.found() {
        let intents = found.broken();
        document.push(intents.flat_map(|own| intent(game, own)));
    }
    document
}

fn title(report: &ProjectAnswer, moved: usize, failed: usize) -> String {
    let all = plural(report.rulesets.len() as u64, "ruleset");
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
    let unknown = report.unknown() as u64;
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
fn glance((game, found): (&RulesetAnswer, &Found)) -> Vec<[String; 4]> {
    let row = |table: &TableDrift| {
        let largest = largest(table);
        let (id, check) = (game.id.clone(), table.check.clone());
        [id, check, summary(table), largest.unwrap_or_default()]
    };
    found.moved().map(row).collect()
}

fn push_details(game: &RulesetAnswer, found: &Found, document: &mut Document) {
    if !found.is_moved() || found.is_first {
        return;
    }
    document.push(found.common_causes().iter().map(|own| cause(game, own)));
    for table in found.moved() {
        let Some(both) = table.compared() else {
            continue;
        };
        document.push(found.told_of(both).map(|own| cause(game, own)));
        if both.drift.moved_answers() > 0 {
            let blocks = compared::moves(both)
                .into_iter()
                .chain([compared::summaries(both)]);
            let summary = format!("{}: {}", game.id, table.check);
            document.push([Block::folded(summary, blocks)]);
        }
    }
}

fn intent(game: &RulesetAnswer, intent: &Intent) -> [Block; 2] {
    let check = Span::strong(format!("{}:{}", game.id, intent.check));
    let verdict = Text::with_code(&intent.verdict.summary());
    let said = Text::from(check).and(format!(" {} ", intent.said()));
    let place = at(game, intent.place.line);
    let worst = intent.verdict.worst().iter();
    let worst = worst.map(|failure| failure.text.as_str());
    [
        Block::paragraph(said.and(verdict).and(place)),
        Block::list(worst),
    ]
}

fn cause(game: &RulesetAnswer, cause: &Cause) -> Block {
    let said = Text::from(cause.text.as_str());
    Block::paragraph(said.and(at(game, cause.place.line)))
}

/// Where it is: `` (`lantern.toml:4`)``.
fn at(game: &RulesetAnswer, line: usize) -> Text {
    let place = Span::new(format!("{}:{line}", game.file), Role::Code);
    Text::from(" (").and(place).and(")")
}
