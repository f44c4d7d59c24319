//! For a comment on a pull request: what was found at a glance, and the evidence folded away.

use oddsmith::LintAnswer;
use oddsmith::lint::FindingAnswer;

use super::{CASES, is_loud, summary};
use crate::document::{Block, Column, Document, Table};

/// The comment.
pub(crate) fn document(answer: &LintAnswer) -> Document {
    let row = |told: &FindingAnswer| {
        let severity = match told.reason {
            Some(_) => "accepted",
            None => told.finding.severity.name(),
        };
        let id = told.finding.id.clone();
        [severity.to_owned(), id, told.sentence.replace('`', "")]
    };
    let stale = answer.stale.iter().map(|stale| {
        let sentence = stale.sentence().replace('`', "");
        ["warning".to_owned(), stale.id.clone(), sentence]
    });
    let loud = answer.findings.partition_point(is_loud);
    let (loud, notes) = answer.findings.split_at(loud);
    let rows = loud.iter().map(row).chain(stale);
    let columns = ["severity", "finding", "what is so"].map(Column::left);
    let table = Table::new(columns).with_rows(rows.chain(notes.iter().map(row)));
    let mut document = Document::default();
    let title = format!("{}: {}", answer.ruleset, summary(answer));
    document.push([Block::title(title)]);
    document.push((!table.is_empty()).then(|| Block::table(table)));
    for told in &answer.findings {
        let evidence = told.evidence(CASES);
        if evidence.is_empty() {
            continue;
        }
        let evidence = Block::list(evidence.iter().map(String::as_str));
        document.push([Block::folded(&told.finding.id, [evidence])]);
    }
    document
}
