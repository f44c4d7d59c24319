//! For reading.

use std::fmt::Write as _;

use oddsmith_analysis::lint::{Facts, Severity};
use oddsmith_rules::LintRule;

use super::{CASES, Game, Stale, Told, words};
use crate::format::paint::BOLD;

/// Everything that was found, the most severe first; and what may be done, once for each rule. Of a note the worst case
/// must do, and all plateaus are one note.
pub(crate) fn render(game: &Game<'_>) -> String {
    let mut text = format!("{BOLD}{}{BOLD:#}: {}\n", game.name, game.summary());
    let is_flat = |told: &&Told<'_>| {
        told.reason.is_none() && matches!(told.finding.facts, Facts::Plateau { .. })
    };
    let (plateaus, others): (Vec<&Told<'_>>, Vec<&Told<'_>>) = game.told.iter().partition(is_flat);
    let (loud, notes) = others.split_at(others.partition_point(|told| told.is_loud()));
    for told in loud {
        push(game, told, &mut text);
    }
    push_stale(game, &mut text);
    for told in notes {
        push(game, told, &mut text);
    }
    push_plateaus(game, &plateaus, &mut text);
    push_rules(game, &mut text);
    text
}

/// The acceptances that can go, which are warnings.
fn push_stale(game: &Game<'_>, text: &mut String) {
    for stale in &game.stale {
        let (line, sentence) = (stale.place.line, stale.sentence());
        let _ = writeln!(
            text,
            "\n{BOLD}warning{BOLD:#}: {sentence} ({}:{line})",
            game.file
        );
        let _ = writeln!(text, "  {}", Stale::ADVICE);
    }
}

fn push(game: &Game<'_>, told: &Told<'_>, text: &mut String) {
    let finding = told.finding;
    let severity = match told.reason {
        Some(_) => "accepted",
        None => finding.severity.name(),
    };
    let _ = writeln!(text, "\n{BOLD}{severity}{BOLD:#}: {}", told.sentence);
    let _ = writeln!(text, "  {} ({}:{})", finding.id, game.file, told.place.line);
    let cases = match finding.severity {
        Severity::Note => 1,
        _ => CASES,
    };
    for line in words::evidence(finding, cases) {
        let _ = writeln!(text, "    {line}");
    }
    if !finding.alike.is_empty() {
        let _ = writeln!(text, "  the same along {}", finding.alike.join(", "));
    }
    if !finding.also.is_empty() {
        let _ = writeln!(text, "  the same in {}", finding.also.join(", "));
    }
    if let Some(reason) = &told.reason {
        let _ = writeln!(text, "  \"{reason}\"");
    }
}

/// Each in a line.
fn push_plateaus(game: &Game<'_>, plateaus: &[&Told<'_>], text: &mut String) {
    let [first, more @ ..] = plateaus else { return };
    if more.is_empty() {
        return push(game, first, text);
    }
    let severity = Severity::Note.name();
    let count = plateaus.len();
    let _ = writeln!(
        text,
        "\n{BOLD}{severity}{BOLD:#}: by default {count} axes change nothing from some value on"
    );
    for told in plateaus {
        if let Facts::Plateau {
            stretch: [from, to],
        } = &told.finding.facts
        {
            let (id, line) = (&told.finding.id, told.place.line);
            let _ = writeln!(text, "  {id} ({}:{line}): from {from} to {to}", game.file);
        }
    }
}

/// How many findings of each rule are open, and what may be done.
fn push_rules(game: &Game<'_>, text: &mut String) {
    let open = game.told.iter().filter(|told| told.reason.is_none());
    let mut is_first = true;
    for (name, rule) in LintRule::ALL {
        let of_rule = open.clone().filter(|told| told.finding.rule == rule);
        let count = of_rule.count();
        if count > 0 {
            if std::mem::take(&mut is_first) {
                text.push('\n');
            }
            let _ = writeln!(text, "{count:>4} {name:<12}  {}", words::advice(rule));
        }
    }
    if !is_first {
        text.push_str("\nWhat is meant to be so is accepted in the ruleset: [[accept]] with its id as `finding`, and a `reason`\n");
    }
}
