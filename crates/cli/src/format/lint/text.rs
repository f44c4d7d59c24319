//! For reading.

use oddsmith::LintAnswer;
use oddsmith::lint::{Facts, FindingAnswer, Severity, StaleAcceptance, advice};
use oddsmith_rules::LintRule;

use super::{CASES, is_loud, summary};
use crate::document::{Block, Document, Span, Text};

/// Everything that was found, the most severe first; and what may be done, once for each rule. Of a note the worst case
/// must do, and all plateaus are one note.
pub(crate) fn document(answer: &LintAnswer) -> Document {
    let is_flat = |told: &&FindingAnswer| {
        told.reason.is_none() && matches!(told.finding.facts, Facts::Plateau { .. })
    };
    let (plateaus, others): (Vec<&FindingAnswer>, Vec<&FindingAnswer>) =
        answer.findings.iter().partition(is_flat);
    let (loud, notes) = others.split_at(others.partition_point(|told| is_loud(told)));
    let mut document = Document::default();
    document.push([said(&answer.ruleset, &[summary(answer)])]);
    loud.iter()
        .for_each(|told| document.push([finding(answer, told)]));
    answer
        .stale
        .iter()
        .for_each(|own| document.push([stale(answer, own)]));
    notes
        .iter()
        .for_each(|told| document.push([finding(answer, told)]));
    match plateaus.as_slice() {
        [] => {}
        [only] => document.push([finding(answer, only)]),
        many => document.push([self::plateaus(answer, many)]),
    }
    let rules = rules(answer);
    if !rules.is_empty() {
        document.push([Block::paragraph(rules.join("\n"))]);
        let words = "What is meant to be so is accepted in the ruleset: [[accept]] with its id as `finding`, and a `reason`";
        document.push([Block::paragraph(words)]);
    }
    document
}

/// `warning: it is so`, and further lines.
fn said(first: &str, lines: &[String]) -> Block {
    let rest = format!(": {}", lines.join("\n"));
    Block::paragraph(Text::from(Span::strong(first)).and(rest))
}

/// An acceptance that can go, which is a warning.
fn stale(answer: &LintAnswer, stale: &StaleAcceptance) -> Block {
    let (line, sentence) = (stale.place.line, stale.sentence());
    let sentence = format!("{sentence} ({}:{line})", answer.file);
    said(
        "warning",
        &[sentence, format!("  {}", StaleAcceptance::ADVICE)],
    )
}

fn finding(answer: &LintAnswer, told: &FindingAnswer) -> Block {
    let finding = &told.finding;
    let severity = match told.reason {
        Some(_) => "accepted",
        None => finding.severity.name(),
    };
    let cases = match finding.severity {
        Severity::Note => 1,
        _ => CASES,
    };
    let place = format!("  {} ({}:{})", finding.id, answer.file, told.place.line);
    let mut lines = vec![told.sentence.clone(), place];
    let evidence = told.evidence(cases).iter();
    lines.extend(evidence.map(|line| format!("    {line}")));
    for (same, names) in [("along", &told.alike), ("in", &told.also)] {
        if !names.is_empty() {
            lines.push(format!("  the same {same} {}", names.join(", ")));
        }
    }
    let reason = told.reason.as_ref();
    lines.extend(reason.map(|reason| format!("  \"{reason}\"")));
    said(severity, &lines)
}

/// Each in a line.
fn plateaus(answer: &LintAnswer, plateaus: &[&FindingAnswer]) -> Block {
    let count = plateaus.len();
    let mut lines = vec![format!(
        "by default {count} axes change nothing from some value on"
    )];
    for told in plateaus {
        if let Facts::Plateau {
            stretch: [from, to],
        } = &told.finding.facts
        {
            let (id, line) = (&told.finding.id, told.place.line);
            lines.push(format!(
                "  {id} ({}:{line}): from {from} to {to}",
                answer.file
            ));
        }
    }
    said(Severity::Note.name(), &lines)
}

/// How many findings of each rule are open, and what may be done.
fn rules(answer: &LintAnswer) -> Vec<String> {
    let open = answer.findings.iter().filter(|told| told.reason.is_none());
    let rules = LintRule::ALL.iter().filter_map(|(name, rule)| {
        let of_rule = open.clone().filter(|told| told.finding.rule == *rule);
        let count = of_rule.count();
        let advice = advice(*rule);
        (count > 0).then(|| format!("{count:>4} {name:<12}  {advice}"))
    });
    rules.collect()
}
