//! Questions that are cancelled, each of every kind: none has an answer, and nothing is written.

use std::ops::ControlFlow;

use oddsmith::simulation::{Observer, Progress};
use oddsmith::{
    ChartRequest, CompareRequest, ContestRequest, Dice, Error, Game, Limits, LintRequest,
    OddsRequest, PlanRequest, PolicyRequest, Project, ProjectRequest, Report, SimulationRequest,
    TableRequest, TrackRequest, TuneRequest, ValueRequest,
};

fn is_cancelled<T>(answer: &Result<T, Error>) -> bool {
    matches!(answer, Err(Error::Cancelled))
}

#[test]
fn nothing_is_answered_that_was_cancelled() -> Result<(), Error> {
    let game = Game::open("stars-and-signs")?;
    let limits = Limits::default();
    limits.watch.cancel();
    let table = game.table(&TableRequest {
        sweeps: vec!["all".to_owned()],
        ..TableRequest::default()
    })?;
    let track = game.track(&TrackRequest::default(), &limits);
    let contest = game.contest(&ContestRequest::default())?;
    let compared = game.compare(&game, &CompareRequest::default())?;
    let tuned = game.tune(&TuneRequest {
        vary: vec!["boon_cap=2..=4".to_owned()],
        goals: vec!["Hit ~ 0.4".to_owned()],
        ..TuneRequest::default()
    })?;
    let report = Report::open(&["stars-and-signs".to_owned()])?;
    let rolled = game.simulate(&SimulationRequest::default(), &limits, &mut ());
    let asked = [
        (
            "odds",
            is_cancelled(&game.odds(&OddsRequest::default(), &limits)),
        ),
        ("table", is_cancelled(&table.rows(&limits))),
        ("track", is_cancelled(&track)),
        ("contest", is_cancelled(&contest.answer(&limits))),
        ("compare", is_cancelled(&compared.answer(&limits))),
        (
            "policy",
            is_cancelled(&game.policy(&PolicyRequest::default(), &limits)),
        ),
        (
            "plan",
            is_cancelled(&game.plan(&PlanRequest::default(), &limits)),
        ),
        ("tune", is_cancelled(&tuned.answer(&limits, &mut ()))),
        (
            "value",
            is_cancelled(&game.value(&ValueRequest::default(), &limits)),
        ),
        (
            "lint",
            is_cancelled(&game.lint(&LintRequest::default(), &limits)),
        ),
        (
            "chart",
            is_cancelled(&game.chart(&ChartRequest::default(), &limits)),
        ),
        ("report", is_cancelled(&report.page(&limits))),
        ("simulate", is_cancelled(&rolled)),
        (
            "dist",
            is_cancelled(&Dice::parse("4d6kh3")?.distribution(&limits)),
        ),
    ];
    let answered = asked.iter().filter(|(_, is_cancelled)| !is_cancelled);
    let answered: Vec<&str> = answered.map(|(question, _)| *question).collect();
    assert!(answered.is_empty(), "{answered:?}");
    Ok(())
}

/// Cancels once something was rolled.
struct Cancels<'a>(&'a Limits);

impl Observer for Cancels<'_> {
    fn rolled(&mut self, _: Progress) -> ControlFlow<()> {
        self.0.watch.cancel();
        ControlFlow::Continue(())
    }
}

#[test]
fn trials_that_were_cancelled_tell_nothing() -> Result<(), Error> {
    let (game, limits) = (Game::open("stars-and-signs")?, Limits::default());
    let request = SimulationRequest {
        trials: Some(1_000_000_000_000),
        ..SimulationRequest::default()
    };
    let answer = game.simulate(&request, &limits, &mut Cancels(&limits));
    assert!(is_cancelled(&answer));
    Ok(())
}

#[test]
fn odds_are_not_accepted_once_that_is_cancelled() -> Result<(), Error> {
    let place = tempfile::tempdir().expect("a directory");
    let file = place.path().join("coins.toml");
    let text = "name = 'Coins'\n[checks.toss]\nrules = 'show heads = 1d2 == 1'\n";
    std::fs::write(&file, text).expect("a file");
    let accepted = place.path().join("accepted");
    let request = ProjectRequest {
        rulesets: vec![file],
        baseline: Some(accepted.clone()),
        accept: true,
        ..ProjectRequest::default()
    };
    let limits = Limits::default();
    limits.watch.cancel();
    assert!(is_cancelled(&Project::find(&request)?.answer(&limits, &())));
    assert!(!accepted.join("coins").exists());
    Project::find(&request)?.answer(&Limits::default(), &())?;
    assert!(accepted.join("coins/baseline.toml").exists());
    Ok(())
}
