//! Tuning by the library: a search that is ended, one that is cancelled, and a change that is held to what it promises; and levers
//! that can't be moved.

use std::ops::ControlFlow;

use oddsmith::tuning::{Observer, Progress};
use oddsmith::{Error, Game, Limits, TuneRequest, ValueRequest};

const GAME: &str = r#"
name = "Line"
[params]
line = { default = 7, domain = "2..=12" } # to be beaten
[checks.check]
bands = ["Miss", "Hit"]
rules = "show band = if 2d6 >= line then Hit else Miss"
"#;

fn game() -> Result<Game, Error> {
    Game::parse("line.toml", GAME.as_bytes())
}

fn request(goal: &str) -> TuneRequest {
    TuneRequest {
        vary: vec!["line=2..=12".to_owned()],
        goals: vec![goal.to_owned()],
        ..TuneRequest::default()
    }
}

#[test]
fn the_best_candidate_is_a_change_of_the_text() -> Result<(), Error> {
    let (game, limits) = (game()?, Limits::default());
    let tuning = game.tune(&request("Hit in [0.25, 0.3]"))?;
    assert_eq!(tuning.candidates(), 11);
    let answer = tuning.answer(&limits, &mut ())?;
    assert_eq!(answer.values(&answer.tuned.best[0]), ["9"]); // 10 of 36
    let change = answer.change.expect("a candidate is right");
    assert_eq!(
        change.patch.text,
        GAME.replace("default = 7", "default = 9")
    );
    tuning.verify(change.patch.text.as_bytes(), &change.candidate, &limits)?;
    let broken = tuning.verify(GAME.as_bytes(), &change.candidate, &limits);
    let told = broken.expect_err("7 is another line").to_string();
    assert_eq!(told, "the new ruleset does not answer `Hit` as promised");
    Ok(())
}

#[test]
fn only_a_candidate_that_is_right_can_be_picked() -> Result<(), Error> {
    let game = game()?;
    let picked = |pick: u64| {
        let request = TuneRequest {
            pick: Some(pick),
            top: 1,
            ..request("Hit at most 0.5")
        };
        game.tune(&request)?.answer(&Limits::default(), &mut ())
    };
    let change = picked(10)?.change.expect("12 is hard to reach");
    assert!(change.patch.diff.contains("+line = { default = 12,"));
    for (pick, message) in [
        (0, "candidate 0 does not meet the goals"),
        (11, "there is no candidate 11"),
    ] {
        let told = picked(pick).expect_err("it is wrong").to_string();
        assert_eq!(told, message);
    }
    Ok(())
}

/// Ends a search as soon as it hears of it.
struct Impatient;

impl Observer for Impatient {
    fn searched(&mut self, _: Progress) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

/// A million candidates, which are looked at in many blocks.
const WIDE: &str = r#"
name = "Wide"
[params]
a = { default = 0, domain = "0..=99" }
b = { default = 0, domain = "0..=99" }
c = { default = 0, domain = "0..=99" }
[checks.check]
rules = "show total = 1d6 + a + b + c"
"#;

#[test]
fn a_search_that_is_ended_tells_where() -> Result<(), Error> {
    let game = Game::parse("wide.toml", WIDE.as_bytes())?;
    let request = TuneRequest {
        vary: ["a", "b", "c"].map(|name| format!("{name}=0..=99")).into(),
        ..request("mean(total) ~ 400")
    };
    let tuning = game.tune(&request)?;
    let answer = tuning.answer(&Limits::default(), &mut Impatient)?;
    let (until, all) = (answer.tuned.until, tuning.candidates());
    assert!(0 < until && until < all, "{until} of {all}");
    assert_eq!(answer.tuned.met, until, "a wish alone excludes nothing");
    Ok(())
}

#[test]
fn a_cancelled_search_has_no_answer() -> Result<(), Error> {
    let (game, limits) = (game()?, Limits::default());
    let tuning = game.tune(&request("Hit ~ 0.3"))?;
    limits.watch.cancel();
    let answer = tuning.answer(&limits, &mut ());
    assert!(matches!(answer, Err(Error::Cancelled)));
    Ok(())
}

#[test]
fn threads_change_nothing() -> Result<(), Error> {
    let game = game()?;
    let tuning = game.tune(&request("Hit ~ 0.3"))?;
    let found = [None, Some(1), Some(3)].map(|threads| {
        let limits = Limits {
            threads,
            ..Limits::default()
        };
        let answer = tuning.answer(&limits, &mut ()).expect("it has an answer");
        let best = answer.tuned.best.iter().map(|best| best.number);
        best.collect::<Vec<_>>()
    });
    assert_eq!(found[0].len(), 10);
    assert!(found.iter().all(|numbers| *numbers == found[0]));
    Ok(())
}

/// A parameter whose neighbouring values a requirement forbids, and one that has some.
const LADDER: &str = r#"
name = "Ladder"
[params]
die   = { default = 6, domain = "4..=8", help = "sides" }
bonus = { default = 1, domain = "0..=3", help = "added" }
[checks.check]
require = ["die == 4 or die == 6 or die == 8"]
bands   = ["Miss", "Hit"]
rules   = """
show total = 2d(die) + bonus
show band  = if total >= 8 then Hit else Miss"""
"#;

#[test]
fn a_lever_without_an_allowed_step_is_left_out_and_named() -> Result<(), Error> {
    let game = Game::parse("ladder.toml", LADDER.as_bytes())?;
    let asked = |levers: &[&str]| {
        let request = ValueRequest {
            levers: levers.iter().map(|lever| (*lever).to_owned()).collect(),
            ..ValueRequest::default()
        };
        game.value(&request, &Limits::default())
    };
    for levers in [&[][..], &["die"]] {
        let valuation = asked(levers)?;
        let named = valuation.levers.iter().map(|lever| &lever.values.name);
        assert!(named.into_iter().all(|name| name == "bonus"), "{levers:?}");
        let [note] = valuation.notes.as_slice() else {
            panic!("a note: {:?}", valuation.notes)
        };
        assert!(
            note.starts_with("`die` is left out: the rules forbid every step"),
            "{note}"
        );
    }
    assert_eq!(asked(&["die=4,6,8"])?.levers.len(), 1);
    Ok(())
}
