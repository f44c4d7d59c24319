//! Texts that are asked of a ruleset: queries, settings and sweeps, goals, dials, charts and what points are spent on.

use std::sync::LazyLock;

use oddsmith::{Game, Settings, TableRequest, settings};
use oddsmith_exact::answers;
use oddsmith_rules::{ChartTexts, ResourceRequest, load_goals};
use oddsmith_testkit::rulesets::LANTERN;

use super::{Target, limits, rows_stand_alone, text, within};
use crate::seeds;

/// Queries of a check and of a track, one a line.
pub(super) const QUERY: Target = Target {
    name: "query",
    run: query,
    seeds: seeds::queries,
    drawn: None,
};

/// Settings, and after an empty line sweeps, one a line.
pub(super) const SETTINGS: Target = Target {
    name: "settings",
    run: set_and_sweep,
    seeds: seeds::settings,
    drawn: None,
};

/// What is wanted of parameters: goals, dials, charts, spending, one a line; and the same lines as a file of goals.
pub(super) const GOALS: Target = Target {
    name: "goals",
    run: goals,
    seeds: seeds::goals,
    drawn: None,
};

/// A small game with a track.
static GAME: LazyLock<Game> = LazyLock::new(|| {
    let track = "[tracks.vigil]\naxes.length = { default = 2, domain = '0..=3', sweep = 'all' }\nrules = '''\nlet lit = 0\nrepeat until lit >= length or rolls == 9 {\n  let c = check(stat = 1)\n  set lit = lit + (if c.band == Strong then 1 else 0)\n}\nshow done = lit >= length\n'''\n";
    Game::parse("lantern.toml", format!("{LANTERN}\n{track}").as_bytes()).expect("it is a ruleset")
});

fn query(input: &[u8]) -> Result<(), String> {
    let model = GAME.model();
    for check in model.checks.iter().take(1).chain(&model.tracks) {
        for line in text(input).lines().take(4) {
            let Ok(query) = within("reading", 1, || check.query(line, "--query"))? else {
                continue;
            };
            let config = check.defaults();
            let ask = || {
                answers(
                    check,
                    &config,
                    std::slice::from_ref(&query),
                    &limits().budget(),
                )
            };
            let _ = within("an answer", 1, ask)?;
        }
    }
    Ok(())
}

fn set_and_sweep(input: &[u8]) -> Result<(), String> {
    let text = text(input);
    let (sets, sweeps) = text.split_once("\n\n").unwrap_or((&text, ""));
    let sets: Vec<&str> = sets.lines().take(6).collect();
    let request = TableRequest {
        settings: Settings::parse("--set", &sets),
        sweeps: sweeps.lines().take(4).map(str::to_owned).collect(),
        ..TableRequest::default()
    };
    let Ok(table) = within("reading", 1, || GAME.table(&request))? else {
        return Ok(());
    };
    let Ok(rows) = within("a table", 1, || table.rows(&limits()))? else {
        return Ok(());
    };
    rows_stand_alone(&table, &rows)
}

fn goals(input: &[u8]) -> Result<(), String> {
    let model = GAME.model();
    let check = &model.checks[0];
    for line in text(input).lines().take(4) {
        let read = || {
            let _ = model.goal(check, line, "--goal");
            let _ = model.keep(check, line, "--keep");
            let _ = check.dial(line, "--change");
            let _ = settings::assignments("--set", &[line.to_owned()]);
            let chart = ChartTexts {
                x: Some(line.to_owned()),
                ..ChartTexts::default()
            };
            let _ = check.chart(&chart);
            let (axis, utility) = line.split_once(' ').unwrap_or((line, line));
            let spending = ResourceRequest {
                axis: axis.to_owned(),
                utility: Some(utility.to_owned()),
                ..ResourceRequest::default()
            };
            let _ = check.spending(&[spending]);
        };
        within("reading", 1, read)?;
    }
    within("a file of goals", 1, || {
        drop(load_goals(model, "goals.toml", input));
    })
}
