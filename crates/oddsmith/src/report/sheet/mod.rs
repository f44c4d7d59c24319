//! Balance sheets: the figures of a game that a designer in a hurry looks at first.
//!
//! All of them are found from what a ruleset declares: the bands, sweeps and labels of its first check, its resources,
//! its tracks. Each is the answer of a command, which stands beside it.

mod goal;
mod lint;
mod odds;
mod points;
mod readings;
mod steps;
mod tracks;

use std::collections::BTreeMap;

use oddsmith_report::{Entry, Sheet};
use oddsmith_rules::program::InputId;
use oddsmith_rules::{Chart, Check};

use super::reported::Reported;
use crate::{Error, Limits, Run, shell_words};

/// The pictures of each check by its name, in the order of the page.
pub(super) type Charts = BTreeMap<String, Vec<Chart>>;

/// Entries of a sheet at the most.
const MOST: usize = 10;

/// The balance sheet of a ruleset. What can't be answered within the limits is named in it; nobody has asked for it.
///
/// # Errors
/// If the work is cancelled.
pub(super) fn sheet(reported: &Reported, charts: &Charts, limits: &Limits) -> Result<Sheet, Error> {
    // What the report has to answer does not become dearer by what stands here.
    let limits = Limits {
        run: Run::default(),
        ..limits.clone()
    };
    let game = SheetOf {
        reported,
        charts,
        limits: limits.of_run(1),
    };
    let mut checks = reported.checks();
    let check = checks.find(|check| check.rounds.is_none());
    let mut sheet = Sheet::default();
    if let Some(check) = check {
        game.add(&mut sheet, "how likely success is", game.odds(check))?;
        game.add(&mut sheet, "what steps are worth", game.steps(check))?;
        game.add(&mut sheet, "what a point is worth", game.points(check))?;
    }
    for track in game.tracks() {
        let what = format!("how long `{}` takes", track.title());
        game.add(&mut sheet, &what, game.track(track).map(Vec::from_iter))?;
    }
    if let Some(check) = check {
        game.add(&mut sheet, "what nobody would choose", game.unwanted(check))?;
    }
    sheet.entries.truncate(MOST);
    game.readings(&mut sheet)?;
    Ok(sheet)
}

/// A ruleset whose sheet is made.
struct SheetOf<'r> {
    reported: &'r Reported,
    charts: &'r Charts,
    /// A run of their own.
    limits: Limits,
}

impl SheetOf<'_> {
    /// Adds what was found, or says that it was not.
    fn add(
        &self,
        sheet: &mut Sheet,
        what: &str,
        found: Result<Vec<Entry>, Error>,
    ) -> Result<(), Error> {
        match found {
            Ok(entries) => sheet.entries.extend(entries),
            Err(Error::Cancelled) => return Err(Error::Cancelled),
            Err(_) if self.limits.watch.is_cancelled() => return Err(Error::Cancelled),
            Err(error) => sheet.left_out.push(format!("{what}: {error}")),
        }
        Ok(())
    }

    /// The check as it is named in a command.
    fn target(&self, check: &Check) -> String {
        let target = format!("{}:{}", self.reported.game.name(), check.name);
        shell_words::word(&target)
    }

    /// The place of the first picture of a check, or of the first in which the input varies.
    fn picture(&self, check: &Check, input: Option<InputId>) -> Option<usize> {
        let varies = |chart: &Chart| match input {
            Some(input) => chart.ranges().any(|range| range.input == input),
            None => true,
        };
        self.charts.get(&check.name)?.iter().position(varies)
    }

    /// An entry about a check as it is by default.
    fn entry(&self, check: &Check, input: Option<InputId>) -> Entry {
        Entry {
            check: check.name.clone(),
            picture: self.picture(check, input),
            ..Entry::default()
        }
    }
}
