//! For a comment on a pull request: what was found at a glance, and the evidence folded away.

use super::{Game, Told};
use crate::document::{Block, Column, Document, Table};

/// The comment.
pub(crate) fn document(game: &Game<'_>) -> Document {
    let row = |told: &Told<'_>| {
        let severity = match told.reason {
            Some(_) => "accepted",
            None => told.finding.severity.name(),
        };
        let id = told.finding.id.clone();
        [severity.to_owned(), id, told.sentence.replace('`', "")]
    };
    let stale = game.stale.iter().map(|stale| {
        let sentence = stale.sentence().replace('`', "");
        ["warning".to_owned(), stale.id.clone(), sentence]
    });
    let loud = game.told.partition_point(Told::is_loud);
    let (loud, notes) = game.told.split_at(loud);
    let rows = loud.iter().map(row).chain(stale);
    let columns = ["severity", "finding", "what is so"].map(Column::left);
    let table = Table::new(columns).with_rows(rows.chain(notes.iter().map(row)));
    let mut document = Document::default();
    let title = format!("{}: {}", game.name, game.summary());
    document.push([Block::title(title)]);
    document.push((!table.is_empty()).then(|| Block::table(table)));
    for told in game.told.iter().filter(|told| !told.evidence.is_empty()) {
        let evidence = Block::list(told.evidence.iter().map(String::as_str));
        document.push([Block::folded(&told.finding.id, [evidence])]);
    }
    document
}
