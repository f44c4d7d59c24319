//! Work that is counted: all that is announced has been looked at once there is an answer.

use std::fs;

use oddsmith::project::{Project, ProjectRequest};
use oddsmith::{
    Error, Game, Limits, LintRequest, PlanRequest, PolicyRequest, Report, ValueRequest,
};

/// A check and a track, with two levers each, and an expectation.
const COINS: &str = "
name = 'Coins'
[params]
sides = { default = 2, domain = '2..=4', reading = 'what a coin is' }
[checks.toss]
bands = ['Tail', 'Head']
axes.luck = { default = 0, domain = '0..=2' }
rules = 'show band = if 1d(sides) <= 1 + luck then Head else Tail'
[tracks.streak]
inherit = ['toss']
rules = '''
let heads = 0
repeat until heads == 3 {
  let coin = toss(..)
  set heads = min(heads + (coin.band == Head), 3)
}
'''
[[expect]]
intent = 'A coin is fair.'
check = 'toss'
query = 'Head'
between = [0.5, 0.5]
";

/// A check with a choice.
const AGAIN: &str = "
name = 'Again'
[checks.roll]
maximise = 'total'
rules = '''
let first = 1d20
choose again in 0..=1
let second = 1d20
show total = if again == 1 then second else first
'''
";

/// The items of one question: those that were looked at, and all of them.
fn items<T>(ask: impl FnOnce(&Limits) -> Result<T, Error>) -> Result<(u64, u64), Error> {
    let limits = Limits::default();
    ask(&limits)?;
    Ok(limits.watch.items())
}

#[test]
fn all_that_is_announced_is_looked_at() -> Result<(), Error> {
    let folder = std::env::temp_dir().join(format!("counted-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("coins.toml");
    fs::write(&file, COINS).expect("a file");
    let name = file.to_str().expect("a name");
    let game = Game::open(name)?;
    // Of each `sides`, `luck`, and both together.
    let lint = items(|limits| game.lint(&LintRequest::default(), limits));
    assert_eq!(lint?, (6, 6));
    let report = Report::open(&[name.to_owned()])?;
    // The check, the track, and what the balance sheet wants to know of the check.
    assert_eq!(items(|limits| report.page(limits))?, (5, 5));
    let mut request = ProjectRequest {
        rulesets: vec![file.clone()],
        baseline: Some(folder.join("accepted")),
        accept: true,
        ..ProjectRequest::default()
    };
    Project::find(&request)?.answer(&Limits::default(), &())?;
    request.accept = false;
    let again = Project::find(&request)?;
    assert_eq!(items(|limits| again.answer(limits, &()))?, (3, 3));
    fs::remove_dir_all(&folder).expect("it is there");
    Ok(())
}

/// A question that is asked within limits.
type Ask<'a> = &'a dyn Fn(&Limits) -> Result<(), Error>;

/// Of work that nobody foresees it is seen what it has spent.
#[test]
fn what_is_spent_is_seen() -> Result<(), Error> {
    let spent = |ask: Ask<'_>| -> Result<u64, Error> {
        let limits = Limits::default();
        ask(&limits)?;
        Ok(limits.watch.spent())
    };
    let game = Game::open("stars-and-signs")?;
    let choice = Game::parse("again.toml", AGAIN.as_bytes())?;
    let work: [Ask<'_>; 3] = [
        &|limits| game.plan(&PlanRequest::default(), limits).map(drop),
        &|limits| game.value(&ValueRequest::default(), limits).map(drop),
        &|limits| choice.policy(&PolicyRequest::default(), limits).map(drop),
    ];
    for (place, ask) in work.into_iter().enumerate() {
        assert!(spent(ask)? > 0, "{place}");
    }
    Ok(())
}
