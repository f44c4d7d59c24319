//! For reading.

use std::fmt::Write as _;

use super::{
    Cause, Compared, Found, Game, Intent, IntentVerdict, ORPHAN_HELP, Report, SUMMARY, Table,
    orphan,
};
use crate::format::grid::{Align, Cell, Grid};
use crate::format::paint::BOLD;
use crate::format::words::{configurations, grouped, plural};

/// Every ruleset; nothing of those that could not be checked, which are told as errors.
pub(crate) fn render(report: &Report) -> String {
    let mut text = String::new();
    for (game, found) in report.found() {
        push_game(report, game, found, &mut text);
    }
    for directory in &report.orphans {
        let _ = writeln!(text, "{BOLD}{}{BOLD:#} ({ORPHAN_HELP})", orphan(directory));
    }
    if !report.has_failed() && !report.is_update && report.has_moved_games() {
        let accept = &report.accept;
        let is_drift = report.found().any(|(_, found)| found.has_drift());
        let what = match is_drift {
            true => "These odds are not the accepted ones. If they are to be",
            false => "The odds are the accepted ones under other names. To accept these",
        };
        let _ = writeln!(text, "\n{what}: {accept}");
    }
    text
}

fn push_game(report: &Report, game: &Game, found: &Found, text: &mut String) {
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
    let _ = writeln!(
        text,
        "{BOLD}{}{BOLD:#}: {failures}{verdict} ({tables}{of}{intents})",
        game.id
    );
    if !found.is_first {
        push_found(game, found, text);
    }
    let is_known = |intent: &&Intent| !matches!(intent.verdict, IntentVerdict::Unknown(_));
    for intent in found.broken().filter(is_known) {
        push_intent(&game.file, intent, text);
    }
}

/// Causes first, then tables.
fn push_found(game: &Game, found: &Found, text: &mut String) {
    for cause in found.common_causes() {
        push_cause(game, &cause, text);
    }
    let tables = found.tables.iter();
    for table in tables.filter(|table| table.is_moved() || table.has_news()) {
        push_table(game, found, table, text);
    }
    if found.has_other_rules && found.says_nothing() {
        let _ = writeln!(
            text,
            "  the rules changed; no odds moved in {}",
            found.extent()
        );
        for gap in &found.gaps {
            let (said, line) = (&gap.text, gap.place.line);
            let _ = writeln!(text, "  {said} ({}:{line})", game.file);
        }
    }
}

/// An expectation that does not hold, and where it is farthest off.
pub(crate) fn push_intent(file: &str, intent: &Intent, text: &mut String) {
    let line = intent.place.line;
    let (said, verdict) = (&intent.intent, intent.verdict.summary());
    let _ = writeln!(
        text,
        "\n  {BOLD}{}{BOLD:#}: \"{said}\" {verdict} ({file}:{line})",
        intent.check
    );
    for failure in intent.verdict.worst() {
        let _ = writeln!(text, "  {}", failure.text);
    }
}

fn push_cause(game: &Game, cause: &Cause, text: &mut String) {
    let _ = writeln!(
        text,
        "  {} ({}:{})",
        cause.text, game.file, cause.place.line
    );
}

fn push_table(game: &Game, found: &Found, table: &Table, text: &mut String) {
    let _ = writeln!(
        text,
        "\n  {BOLD}{}{BOLD:#}: {}",
        table.check,
        table.summary()
    );
    let Some(compared) = table.compared() else {
        return;
    };
    for cause in found.told_of(compared) {
        push_cause(game, cause, text);
    }
    if compared.drift.moved_answers() > 0 {
        text.push_str(&moves(compared));
        text.push('\n');
        text.push_str(&summaries(compared));
    }
}

fn moves(compared: &Compared) -> String {
    let right = Align::Right;
    let mut grid = Grid::new(&[Align::Left, Align::Left, right, right, right]);
    grid.head(&["configuration", "column", "before", "after", "difference"]);
    let moved = compared.drift.moved();
    for moved in moved {
        let measure = compared.drift.measures()[moved.measure].name.as_str();
        let mut row: Vec<Cell> = vec![moved.configuration.as_str().into(), measure.into()];
        row.extend(compared.cells(moved).map(Cell::from));
        grid.push(row);
    }
    let mut text = grid.render("  ");
    let more = compared.drift.moved_answers() - moved.len() as u64;
    if more > 0 {
        let _ = writeln!(text, "  ... and {} more: `--all` shows them", grouped(more));
    }
    text
}

fn summaries(compared: &Compared) -> String {
    let right = Align::Right;
    let mut grid = Grid::new(&[Align::Left, right, right, right, Align::Left]);
    grid.head(&SUMMARY);
    for summary in compared.summaries() {
        grid.push(summary.map(Cell::from).into());
    }
    grid.render("  ")
}
