//! For reading.

use std::fmt::Write as _;

use super::{Compared, Found, Game, Intent, Report, Table, configurations, count, plural};
use crate::format::grid::{Align, Cell, Grid};
use crate::format::paint::BOLD;

/// Every ruleset; nothing of those that could not be checked, which are told as errors.
pub(crate) fn render(report: &Report) -> String {
    let mut text = String::new();
    for (game, found) in report.found() {
        push_game(report, game, found, &mut text);
    }
    if !report.is_in_trouble() && !report.is_update && report.is_moved() {
        text.push_str(
            "\nThese odds are not the accepted ones. If they are to be: oddsmith check --update\n",
        );
    }
    text
}

fn push_game(report: &Report, game: &Game, found: &Found, text: &mut String) {
    let verdict = match (report.is_update, found.is_moved()) {
        _ if found.is_first => "accepted for the first time",
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
    let _ = writeln!(
        text,
        "{BOLD}{}{BOLD:#}: {verdict} ({tables}{of}{intents})",
        game.id
    );
    for intent in found.broken() {
        push_intent(game, intent, text);
    }
    if found.is_first {
        return;
    }
    for cause in &found.causes {
        let moves = if found.is_moved() {
            ""
        } else {
            ", which moves nothing"
        };
        push_cause(
            game,
            &format!("{}{moves}", cause.text),
            cause.place.line,
            text,
        );
    }
    let tables = found.tables.iter();
    for table in tables.filter(|table| table.is_moved() || has_news(table)) {
        push_table(game, table, text);
    }
}

fn push_intent(game: &Game, intent: &Intent, text: &mut String) {
    let line = intent.place.line;
    let (said, verdict) = (&intent.intent, intent.verdict.summary());
    let _ = writeln!(
        text,
        "\n  {BOLD}{}{BOLD:#}: \"{said}\" {verdict} ({}:{line})",
        intent.check, game.file
    );
    for failure in intent.verdict.worst() {
        let _ = writeln!(text, "  {failure}");
    }
}

/// Whether there is something to say of a table that did not move.
fn has_news(table: &Table) -> bool {
    let compared = table.compared();
    compared.is_some_and(|compared| {
        compared.drift.within_tolerance() > 0 || !compared.causes.is_empty()
    })
}

fn push_cause(game: &Game, cause: &str, line: usize, text: &mut String) {
    let _ = writeln!(text, "  {cause} ({}:{line})", game.file);
}

fn push_table(game: &Game, table: &Table, text: &mut String) {
    let _ = writeln!(
        text,
        "\n  {BOLD}{}{BOLD:#}: {}",
        table.check,
        table.summary()
    );
    let Some(compared) = table.compared() else {
        return;
    };
    for cause in &compared.causes {
        push_cause(game, &cause.text, cause.place.line, text);
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
        let _ = writeln!(text, "  ... and {} more: `--all` shows them", count(more));
    }
    text
}

fn summaries(compared: &Compared) -> String {
    let right = Align::Right;
    let mut grid = Grid::new(&[Align::Left, right, right, right]);
    grid.head(&["column", "configurations", "largest", "mean"]);
    for summary in compared.summaries() {
        grid.push(summary.map(Cell::from).into());
    }
    grid.render("  ")
}
