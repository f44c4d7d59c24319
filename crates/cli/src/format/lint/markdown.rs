//! For a comment on a pull request: what was found at a glance, and the evidence folded away.

use std::fmt::Write as _;

use super::Game;
use crate::format::grid::Align;
use crate::format::markup::Markup;

/// The comment.
pub(crate) fn render(game: &Game<'_>) -> String {
    let escape = |text: &str| Markup::Markdown.escape(text);
    let mut text = format!("### {}: {}\n", escape(&game.name), game.summary());
    let rows = game.told.iter().map(|told| {
        let severity = match told.reason {
            Some(_) => "accepted",
            None => told.finding.severity.name(),
        };
        let id = told.finding.id.clone();
        vec![severity.to_owned(), id, told.sentence.replace('`', "")]
    });
    let stale = game.stale.iter().map(|stale| {
        let sentence = stale.sentence().replace('`', "");
        vec!["warning".to_owned(), stale.id.clone(), sentence]
    });
    let rows: Vec<Vec<String>> = rows.chain(stale).collect();
    if !rows.is_empty() {
        text.push('\n');
        let heads = ["severity", "finding", "what is so"];
        text += &Markup::Markdown.table(&heads, &[Align::Left; 3], &rows);
    }
    for told in game.told.iter().filter(|told| !told.evidence.is_empty()) {
        let id = crate::format::check::markdown::html(&told.finding.id);
        let _ = write!(text, "\n<details><summary>{id}</summary>\n\n");
        for line in &told.evidence {
            let _ = writeln!(text, "- {}", escape(line));
        }
        text.push_str("\n</details>\n");
    }
    text
}
