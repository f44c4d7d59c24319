//! For reading.

use oddsmith::project::{
    Cause, Found, Intent, IntentVerdict, ProjectAnswer, RulesetAnswer, TableDrift,
};

use super::{ORPHAN_HELP, compared, extent, orphan, summary};
use crate::document::{Block, Document, Span, Text};
use crate::format::words::{configurations, plural};

/// Every ruleset; nothing of those that could not be checked, which are told as errors.
pub(crate) fn document(report: &ProjectAnswer) -> Document {
    let mut document = Document::default();
    for (game, found) in report.found() {
        push_game(report, game, found, &mut document);
    }
    for directory in &report.orphans {
        let said = Text::from(Span::strong(orphan(directory)));
        document.add(Block::paragraph(said.and(format!(" ({ORPHAN_HELP})"))));
    }
    if !report.has_failed() && !report.is_update && report.has_moved_rulesets() {
        let accept = &report.command;
        let is_drift = report.found().any(|(_, found)| found.has_drift());
        let what = match is_drift {
            true => "These odds are not the accepted ones. If they are to be",
            false => "The odds are the accepted ones under other names. To accept these",
        };
        document.push([Block::paragraph(format!("{what}: {accept}"))]);
    }
    document
}

fn push_game(report: &ProjectAnswer, game: &RulesetAnswer, found: &Found, document: &mut Document) {
    let verdict = match (report.is_update, found.is_moved()) {
        _ if !found.is_accepted => "no odds accepted yet",
        _ if found.is_first => "accepted for the first time",
        (false, true) if !found.has_drift() => "renamed",
        (false, true) => "odds moved",
        (true, true) => "accepted",
        (_, false) => "as accepted",
    };
    let tables = plural(found.tables.len() as u64, "table");
    let of = match found.configurations() {
        0 => String::new(),
        all => format!(" of {}", configurations(all)),
    };
    let intents = match found.intents.len() {
        0 => String::new(),
        all => format!(", {}", plural(all as u64, "expectation")),
    };
    let failures = match found.failures() {
        0 => String::new(),
        1 => "1 expectation fails; ".to_owned(),
        many => format!("{} fail; ", plural(many, "expectation")),
    };
    let what = format!(": {failures}{verdict} ({tables}{of}{intents})");
    let said = Text::from(Span::strong(&game.id)).and(what);
    document.add(Block::paragraph(said));
    if !found.is_first {
        push_found(game, found, document);
    }
    let is_known = |intent: &&Intent| !matches!(intent.verdict, IntentVerdict::Unknown(_));
    for own in found.broken().filter(is_known) {
        document.push([intent(&game.file, own)]);
    }
}

/// Causes first, then tables.
fn push_found(game: &RulesetAnswer, found: &Found, document: &mut Document) {
    for own in found.common_causes() {
        document.add(cause(game, &own));
    }
    let tables = found.tables.iter();
    for table in tables.filter(|table| table.is_moved() || table.has_news()) {
        push_table(game, found, table, document);
    }
    if found.has_other_rules && found.says_nothing() {
        let extent = extent(found);
        let mut lines = format!("  the rules changed; no odds moved in {extent}");
        for gap in &found.gaps {
            let (said, line) = (&gap.text, gap.place.line);
            lines += &format!("\n  {said} ({}:{line})", game.file);
        }
        document.add(Block::paragraph(lines));
    }
}

/// An expectation that does not hold, and where it is farthest off.
pub(crate) fn intent(file: &str, intent: &Intent) -> Block {
    let line = intent.place.line;
    let (said, verdict) = (intent.said(), intent.verdict.summary());
    let mut rest = format!(": {said} {verdict} ({file}:{line})");
    for failure in intent.verdict.worst() {
        rest += &format!("\n  {}", failure.text);
    }
    let check = Span::strong(&intent.check);
    Block::paragraph(Text::from("  ").and(check).and(rest))
}

fn cause(game: &RulesetAnswer, cause: &Cause) -> Block {
    let (said, line) = (&cause.text, cause.place.line);
    Block::paragraph(format!("  {said} ({}:{line})", game.file))
}

fn push_table(game: &RulesetAnswer, found: &Found, table: &TableDrift, document: &mut Document) {
    let check = Span::strong(&table.check);
    let summary = format!(": {}", summary(table));
    document.push([Block::paragraph(Text::from("  ").and(check).and(summary))]);
    let Some(both) = table.compared() else {
        return;
    };
    for own in found.told_of(both) {
        document.add(cause(game, own));
    }
    if both.drift.moved_answers() > 0 {
        compared::moves(both)
            .into_iter()
            .for_each(|block| document.add(block));
        document.push([compared::summaries(both)]);
    }
}
