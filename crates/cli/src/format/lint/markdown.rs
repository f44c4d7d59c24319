//! For a comment on a pull request: what was found at a glance, and the evidence folded away.

use std::fmt::Write as _;

use super::{Game, Told};
use crate::format::grid::Align;
use crate::format::markup::Markup;

/// The comment.
pub(crate) fn render(game: &Game<'_>) -> String {
    let escape = |text: &str| Markup::Markdown.escape(text);
    let mut text = format!("### {}: {}\n", escape(&game.name), game.summary());
    let row = |told: &Told<'_>| {
        let severity = match told.reason {
            Some(_) => "accepted",
            None => told.finding.severity.name(),
        };
        let id = told.finding.id.clone();
        vec![severity.to_owned(), id, told.sentence.replace('`', "")]
    };
    let stale = game.stale.iter().map(|stale| {
        let sentence = stale.sentence().replace('`', "");
        vec!["warning".to_owned(), stale.id.clone(), sentence]
    });
    let loud = game.told.partition_point(Told::is_loud);
    let (loud, notes) = game.told.split_at(loud);
    let rows = loud.iter().map(row).chain(stale);
    let rows: Vec<Vec<String>> = rows.chain(notes.iter().map(row)).collect();
    if !rows.is_empty() {
        text.push('\n');
        let heads = ["severity", "finding", "what is so"];
        text += &Markup::Markdown.table(&heads, &[Align::Left; 3], &rows);
    }
    for told in game.told.iter().filter(|told| !told.evidence.is_empty()) {
        let id = oddsmith_report::escape(&told.finding.id);
        let _ = write!(text, "\n<details><summary>{id}</summary>\n\n");
        for line in &told.evidence {
            let _ = writeln!(text, "- {}", escape(line));
        }
        text.push_str("\n</details>\n");
    }
    text
}
