//! What is said of a run on standard error.

use std::fmt::Write as _;
use std::time::Duration;

use oddsmith::questions::number_title;
use oddsmith::simulation::{Missed, Notes};

use super::numbers::{rate, round_number};
use crate::document::ALARM;
use crate::failure;
use crate::format::simulation::{Fit, Group, Run, SimulatedRow, shortest};
use crate::format::simulation_words::{Digits, NEVER, Shown, chance};
use crate::format::words::grouped;

/// What takes less time says nothing of the speed.
const MEASURABLE: Duration = Duration::from_millis(1);
/// What the test of all cells together says.
const CHI_SQUARE: &str = "  chi-square: how far off all of these are together; by chance about as much as there are degrees of freedom";
/// Rows that are named; the rest are counted.
const MOST_NAMED: usize = 20;

/// What was done, how well all of it fits, what is not compared, and what disagrees.
pub(super) fn tell(simulation: Run<'_>) {
    let notes = &simulation.notes;
    failure::tell(&done(simulation, notes));
    failure::tell(&fits(simulation));
    if simulation.is_interrupted {
        let [done, planned] = notes.trials.map(round_number);
        failure::tell(&format!("interrupted: {done} of {planned} trials done\n"));
    }
    if let Some(missed) = notes.missed {
        failure::note(&missed_words(missed));
    }
    if let Some((query, why)) = notes.unknown.first() {
        failure::note(&not_known(query, why, notes.unknown.len() - 1));
    }
    if let Some(unfinished) = unfinished(simulation) {
        failure::note(&unfinished);
    }
    if simulation.contrary() > 0 {
        failure::tell(&disagreement(simulation));
    }
}

/// `1e8 trials in 0.05 s: 1.9 G trials/s, 11.6 G dice/s, seed 42`
fn done(simulation: Run<'_>, notes: &Notes) -> String {
    let dice: u64 = simulation.groups.iter().map(|group| group.dice).sum();
    let mut text = match notes.trials[0] {
        1 => "1 trial".to_owned(),
        done => format!("{} trials", round_number(done)),
    };
    if !simulation.axes.is_empty() {
        let _ = match simulation.groups.len() {
            1 => write!(text, " of 1 configuration"),
            count => write!(text, " of {} configurations", grouped(count)),
        };
    }
    let time = notes.elapsed;
    let speed = if dice == 0 || time < MEASURABLE {
        String::new()
    } else {
        let (trials, dice) = (
            rate(notes.trials[0], time, "trials"),
            rate(dice, time, "dice"),
        );
        format!(" in {}: {trials}, {dice}", seconds(time))
    };
    format!("{text}{speed}, seed {}\n", simulation.seed)
}

/// `0.8 ms`, `0.05 s`, `12.3 s`, `3 min 20 s`
fn seconds(time: Duration) -> String {
    match time.as_secs_f64() {
        s if s < 0.01 => format!("{:.1} ms", 1000.0 * s),
        s if s < 10.0 => format!("{s:.2} s"),
        s if s < 100.0 => format!("{s:.1} s"),
        _ => format!("{} min {} s", time.as_secs() / 60, time.as_secs() % 60),
    }
}

/// The chi-square test, or of several the one with the least p.
fn fits(simulation: Run<'_>) -> String {
    let fits = simulation.groups.iter();
    let fits: Vec<(&Group, &Fit)> = fits
        .filter_map(|group| Some((group, group.fit.as_ref()?)))
        .collect();
    let least = fits
        .iter()
        .min_by(|(_, one), (_, other)| one.test.p.total_cmp(&other.test.p));
    let Some((group, fit)) = least else {
        return String::new();
    };
    let values = group.settings.as_str();
    let words = fit_words(simulation, fit);
    let place = match fits.len() {
        _ if values.is_empty() => String::new(),
        1 => format!(", for {values}"),
        count => format!(", for {values}, the least of {}", grouped(count)),
    };
    format!("{words}{place}\n{CHI_SQUARE}\n")
}

/// `after 1e5 trials the largest standard error is 0.0077, not 1e-9`
fn missed_words(missed: Missed) -> String {
    let trials = match missed.trials {
        1 => "1 trial".to_owned(),
        trials => format!("{} trials", round_number(trials)),
    };
    let error = if missed.error.is_finite() {
        format!("is {}", chance(missed.error))
    } else {
        "is not known yet".to_owned()
    };
    let asked = shortest(missed.asked);
    format!("after {trials} the largest standard error {error}; --until-error asks for {asked}")
}

/// `chi-square of the bands: 2.76 with 3 degrees of freedom, p = 0.43`
fn fit_words(simulation: Run<'_>, fit: &Fit) -> String {
    let degrees = match fit.test.df {
        1 => "1 degree of freedom".to_owned(),
        df => format!("{df} degrees of freedom"),
    };
    let statistic = fit.test.statistic;
    let p = chance(fit.test.p);
    format!(
        "chi-square of the {}: {statistic:.2} with {degrees}, p = {p}",
        number_title(&simulation.check, &fit.of)
    )
}

/// Why there is an empty cell where exact odds could be.
fn not_known(query: &str, why: &str, more: usize) -> String {
    let more = match more {
        0 => String::new(),
        1 => " (and of 1 more row)".to_owned(),
        more => format!(" (and of {more} more rows)"),
    };
    format!("no exact odds of `{query}`{more}: {why}")
}

/// How many trials were stopped, and what follows for the rows.
fn unfinished(simulation: Run<'_>) -> Option<String> {
    let sum = |part: fn(&Group) -> u64| simulation.groups.iter().map(part).sum::<u64>();
    let (stopped, trials) = (sum(|group| group.unfinished), sum(|group| group.trials));
    if stopped == 0 {
        return None;
    }
    let [stopped, trials] = [stopped, trials].map(grouped);
    let rounds = grouped(simulation.most_rounds.unwrap_or_default());
    let what = format!("{stopped} of {trials} trials had not ended after {rounds} rounds");
    Some(if simulation.groups.iter().all(|group| group.is_settled) {
        format!("{what}; nothing at an end happens to them")
    } else {
        format!(
            "{what}, and may do so later: what they may change is not compared; --rounds gives them more"
        )
    })
}

/// The rows that disagree, each with its configuration, and what a disagreement is.
fn disagreement(simulation: Run<'_>) -> String {
    let mut lines = Vec::new();
    for group in &simulation.groups {
        let values = group.settings.as_str();
        let place = if values.is_empty() {
            String::new()
        } else {
            format!("{values}: ")
        };
        let rows = group
            .rows
            .iter()
            .filter(|row| simulation.is_contrary(row.p));
        lines.extend(rows.map(|row| format!("  {place}{}\n", row_words(row))));
        let fits = group
            .fit
            .iter()
            .filter(|fit| simulation.is_contrary(Some(fit.judged())));
        lines.extend(fits.map(|fit| format!("  {place}{}\n", fit_words(simulation, fit))));
    }
    let count = lines.len();
    let share = simulation.share(count);
    let are = if count == 1 { "is" } else { "are" };
    let mut text =
        format!("{ALARM}disagreement{ALARM:#}: {share} {are} farther off than chance allows\n");
    text.extend(lines.iter().take(MOST_NAMED).map(String::as_str));
    if count > MOST_NAMED {
        let _ = writeln!(text, "  ... and {} more", count - MOST_NAMED);
    }
    let (limit, level) = (chance(simulation.limit), shortest(simulation.level));
    let _ = writeln!(
        text,
        "  that is a p below {limit}: the level of {level}, divided among all comparisons"
    );
    text
}

/// `Hit: 32.91% simulated, 32.69% exact, z = 14.80, p = 1.4e-49`
fn row_words(row: &SimulatedRow) -> String {
    let Shown {
        estimate, exact, z, ..
    } = Digits::of(std::slice::from_ref(row)).show(row);
    let exact = match exact.as_str() {
        "" => "though it never applies".to_owned(),
        NEVER => "though it never happens".to_owned(),
        exact => format!("{exact} exact"),
    };
    let z = match z.as_str() {
        "" => z,
        z => format!(", z = {z}"),
    };
    let p = chance(row.p.unwrap_or(1.0));
    format!("{}: {estimate} simulated, {exact}{z}, p = {p}", row.name)
}
