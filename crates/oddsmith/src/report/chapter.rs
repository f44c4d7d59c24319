//! What a page says of one ruleset.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use oddsmith_report::{CheckPage, Explorer, Game, Picture};
use oddsmith_rules::{Chart, ChartTexts, Check, Diagnostic, Query};

use super::explorer::explorer;
use super::reported::Reported;
use super::rules::Texts;
use super::sheet::{Charts, sheet};
use crate::baseline::table_file;
use crate::{ChartAnswer, Error, Limits, figures, questions};

/// Bytes of a file's name, before its number and its ending; file systems have room for 255.
const LONGEST_NAME: usize = 120;

/// The explorer and the pictures of every check, computed.
pub(super) fn chapter(reported: &Reported, limits: &Limits) -> Result<Game, Error> {
    let mut used = BTreeSet::new();
    let texts = Texts::of(&reported.game.model().source.text);
    let (mut checks, mut charts) = (Vec::new(), Charts::new());
    for check in reported.checks() {
        let (drawn, page) = section(reported, check, &texts, &mut used, limits)?;
        charts.insert(check.name.clone(), drawn);
        checks.push(page);
        limits.watch.complete_item();
    }
    Ok(Game {
        sheet: sheet(reported, &charts, limits)?,
        id: reported.id.clone(),
        name: reported.title().to_owned(),
        help: reported.game.model().help.clone(),
        warnings: reported
            .game
            .model()
            .warnings
            .0
            .iter()
            .map(warning)
            .collect(),
        checks,
    })
}

/// A warning in a sentence or two, with its place.
fn warning(warning: &Diagnostic) -> String {
    let (line, _) = warning.source.line_column(warning.span.start);
    let help = warning.help.as_deref().unwrap_or_default();
    format!("Line {line}: {}. To mend it: {help}.", warning.message)
}

/// What it says of a check, and the charts of its pictures.
fn section(
    reported: &Reported,
    check: &Check,
    texts: &Texts<'_>,
    used: &mut BTreeSet<String>,
    limits: &Limits,
) -> Result<(Vec<Chart>, CheckPage), Error> {
    let explorer = explorer(check, limits)?;
    let (mut charts, mut pictures) = (Vec::new(), Vec::new());
    for (chart, ChartAnswer { figure, .. }) in drawn(reported, check, limits)? {
        charts.push(chart);
        let name = unused(&slug(&figure.title), used);
        pictures.push(Picture {
            file: format!("{}/{name}.svg", reported.id),
            figure,
        });
    }
    let page = CheckPage {
        id: check.name.clone(),
        label: check.label.clone(),
        is_track: check.rounds.is_some(),
        help: check.help.clone(),
        command: command(reported, check, &explorer)?,
        csv: table_file(&reported.id, &check.name),
        explorer,
        pictures,
        rules: texts.of_check(check).to_owned(),
    };
    Ok((charts, page))
}

/// The charts of a check that a ruleset declares; of a ruleset without any those that fit, as far as they can be drawn.
fn drawn(
    reported: &Reported,
    check: &Check,
    limits: &Limits,
) -> Result<Vec<(Chart, ChartAnswer)>, Error> {
    let draw = |chart: &Chart| {
        let answer = figures::figure(reported.title(), check, chart, limits)?;
        Ok((chart.clone(), answer))
    };
    let declared = &reported.game.model().charts;
    if !declared.is_empty() {
        let own = declared.iter().filter(|chart| chart.check == check.name);
        return own.map(draw).collect();
    }
    let mut found = Vec::new();
    for chart in fitting(check) {
        match draw(&chart) {
            Ok(answer) => found.push(answer),
            Err(Error::Cancelled) => return Err(Error::Cancelled),
            // Nobody has asked for it.
            Err(_) => {}
        }
    }
    Ok(found)
}

/// Asks what the pictures of a check ask, for the transcript of the limits.
pub(super) fn ask(reported: &Reported, check: &Check, limits: &Limits) {
    // What can't be drawn is told by whoever draws all pictures.
    let _ = drawn(reported, check, limits);
}

/// What a check shows along its first swept axis, and what fits it without an axis.
fn fitting(check: &Check) -> Vec<Chart> {
    let swept = check.inputs.iter().find(|input| !input.sweep.is_empty());
    let along = swept.map(|input| ChartTexts {
        x: Some(input.name.clone()),
        ..ChartTexts::default()
    });
    let texts = along.into_iter().chain([ChartTexts::default()]);
    let mut charts: Vec<Chart> = texts.filter_map(|texts| check.chart(&texts).ok()).collect();
    charts.dedup_by_key(|chart| chart.kind);
    charts
}

/// What answers one configuration, up to its `--set`s: with a query for each column that the page tells and that is not
/// shown by itself.
fn command(reported: &Reported, check: &Check, explorer: &Explorer) -> Result<String, Error> {
    let target = format!("{}:{}", reported.game.name(), check.name);
    if check.rounds.is_some() {
        return Ok(format!("oddsmith track {target}"));
    }
    let mut command = format!("oddsmith odds {target}");
    let own = questions::own(check);
    if !own.is_empty() {
        let is_told = |query: &Query| {
            explorer
                .columns
                .iter()
                .any(|own| own.is_told && own.name == query.text)
        };
        let asked = &questions::of_report(check)?[own.len()..];
        for (_, query) in asked.iter().filter(|(_, query)| is_told(query)) {
            let _ = write!(command, " --query '{}'", query.text);
        }
    }
    Ok(command)
}

/// A title as a file's name: its letters and digits in lower case, a dash for each gap.
fn slug(title: &str) -> String {
    let words = title.split(|c: char| !c.is_alphanumeric());
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let mut slug = words.join("-");
    let end = (0..=LONGEST_NAME)
        .rev()
        .find(|end| slug.is_char_boundary((*end).min(slug.len())));
    slug.truncate(end.unwrap_or(0));
    match slug.trim_end_matches('-') {
        "" => "chart".to_owned(),
        slug => slug.to_owned(),
    }
}

/// The name, or the name with the first number that makes it new.
fn unused(name: &str, used: &mut BTreeSet<String>) -> String {
    let numbered = (2..).map(|n| format!("{name}-{n}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    let free = names
        .find(|name| !used.contains(name))
        .expect("numbers do not end");
    used.insert(free.clone());
    free
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{slug, unused};

    #[test]
    fn names_of_files_are_plain_and_new() {
        assert_eq!(
            slug("What a Boon is worth (d4 … d12)"),
            "what-a-boon-is-worth-d4-d12"
        );
        assert_eq!(slug("¿?"), "chart");
        assert_eq!(slug(&"очень ".repeat(30)).len(), 120);
        let mut used = BTreeSet::new();
        let names = ["odds", "odds", "odds"].map(|name| unused(name, &mut used));
        assert_eq!(names, ["odds", "odds-2", "odds-3"]);
    }
}
