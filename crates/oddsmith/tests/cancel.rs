//! Questions that are cancelled, each of every kind: none has an answer, and nothing is written.

use std::time::Duration;

use oddsmith::simulation::{Observer, Progress};
use oddsmith::{
    ChartRequest, CompareRequest, ContestRequest, Dice, Error, Game, Limits, LintRequest,
    OddsRequest, PlanRequest, PolicyRequest, Project, ProjectRequest, Report, SimulationRequest,
    TableRequest, TrackRequest, TuneRequest, ValueRequest, Watch,
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
    fn rolled(&mut self, _: Progress) {
        self.0.watch.cancel();
    }
}

#[test]
fn trials_that_were_cancelled_tell_nothing() -> Result<(), Error> {
    let (game, limits) = (Game::open("stars-and-signs")?, Limits::steps(u64::MAX));
    let request = SimulationRequest {
        trials: Some(1_000_000_000_000),
        ..SimulationRequest::default()
    };
    let answer = game.simulate(&request, &limits, &mut Cancels(&limits));
    assert!(is_cancelled(&answer));
    Ok(())
}

/// Wants no more after a moment.
struct Moment(Watch);

impl Observer for Moment {
    fn enough(&self) -> Watch {
        self.0.clone()
    }
}

/// A batch of any of these takes minutes, so that this ends only if it is looked inside of batches.
#[test]
fn trials_end_within_a_batch() -> Result<(), Error> {
    let limits = Limits::steps(u64::MAX);
    let all = [
        "1000000000d6",
        "1d10 dl (1000000000dF)",
        "1d1000000r<1000000",
        "1d{1: 1000000, 2}!<2(1000000000)",
    ];
    for dice in all {
        let dice = Dice::parse(dice)?;
        let request = SimulationRequest {
            is_rolled_only: true,
            ..SimulationRequest::default()
        };
        let (enough, mut observer) = {
            let watch = Watch::default();
            (watch.clone(), Moment(watch))
        };
        let answer = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(50));
                enough.cancel();
            });
            dice.simulate(&request, &limits, &mut observer)
        });
        assert!(is_cancelled(&answer), "{answer:?}");
    }
    Ok(())
}

#[test]
fn dice_over_the_budget_are_not_rolled() -> Result<(), Error> {
    let dice = Dice::parse("1000000000d6")?;
    let request = SimulationRequest {
        trials: Some(2000),
        ..SimulationRequest::default()
    };
    let answer = dice.simulate(&request, &Limits::default(), &mut ());
    let error = answer.expect_err("they take minutes").to_string();
    let expected = "rolling 2000 trials needs 5.0e11 steps or more; the budget is 1.0e10";
    assert_eq!(error, expected);
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
