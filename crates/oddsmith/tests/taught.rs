//! What other tools taught: everything of a list that people write out of habit is refused with what to write here, and what
//! is to be written is right.

use std::path::Path;

use oddsmith::{Dice, Error, Game, Limits, Problem};
use oddsmith_rules::{Diagnostics, load};

/// A line of the list.
struct Habit {
    kind: String,
    input: String,
    /// What the error is to say.
    advice: String,
    /// The mean of the first thing that it says to write, found without the program.
    mean: String,
}

fn habits() -> Vec<Habit> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/habits.csv");
    let rows = csv::Reader::from_path(path)
        .expect("the list is there")
        .into_records();
    let habit = |row: csv::StringRecord| {
        let [kind, input, advice, mean] = [0, 1, 2, 3].map(|at| row[at].to_owned());
        Habit {
            kind,
            input,
            advice,
            mean,
        }
    };
    rows.map(|row| habit(row.expect("four columns"))).collect()
}

const RULES: &str = "
name = 'Habits'
[checks.main]
axes.bonus = { default = 1, domain = '0..=9' }
rules = '''
show total = 2d6 + bonus
show hit = total >= 8
'''
";

/// Every error, with its label, its help and the text that would mend it.
fn told(error: &Error) -> Vec<(String, String)> {
    let one = |problem: Problem<'_>| match problem {
        Problem::At(place) => {
            let help = place.help.clone().unwrap_or_default();
            (format!("{} {} {help}", place.message, place.label), help)
        }
        Problem::Plain { message, help } => (format!("{message} {help}"), help.to_owned()),
    };
    error.problems().into_iter().map(one).collect()
}

/// The error of a line.
fn refused(habit: &Habit) -> Option<Error> {
    let model = load("habits.toml", RULES.as_bytes()).expect("a ruleset");
    let check = &model.checks[0];
    let input = habit.input.as_str();
    let one = |error| Error::from(Diagnostics(vec![error]));
    match habit.kind.as_str() {
        "dice" => Dice::parse(input).err(),
        "script" => {
            let text = format!("name = 'Habits'\n[checks.main]\nrules = '''\n{input}\n'''\n");
            Game::parse("habits.toml", text.as_bytes()).err()
        }
        "set" => check
            .set(&mut check.defaults(), input, "--set")
            .err()
            .map(one),
        "sweep" => check.sweep(input, "--sweep").err().map(one),
        "goal" => model.goal(check, input, "--goal").err().map(Error::from),
        "query" => check.query(input, "--query").err().map(Error::from),
        kind => panic!("there is no `{kind}`"),
    }
}

/// What is wrong with how a line is told; none if nothing is.
fn fault(habit: &Habit) -> Option<String> {
    let Some(error) = refused(habit) else {
        return Some("is taken".to_owned());
    };
    let told = told(&error);
    let Some((_, help)) = told.iter().find(|(text, _)| text.contains(&habit.advice)) else {
        return Some(format!("is told {told:?}"));
    };
    if habit.mean.is_empty() {
        return None;
    }
    let written = help.split('`').nth(1).unwrap_or_default();
    let mean = Dice::parse(written).and_then(|dice| dice.distribution(&Limits::default()));
    match mean {
        Ok(dist) if dist.mean().to_string() == habit.mean => None,
        Ok(dist) => Some(format!(
            "`{written}` has the mean {}, not {}",
            dist.mean(),
            habit.mean
        )),
        Err(error) => Some(format!("`{written}`: {:?}", self::told(&error))),
    }
}

#[test]
fn habits_of_other_tools_lead_to_what_is_written_here() {
    let habits = habits();
    assert!(habits.len() >= 200, "the list is whole");
    let faults = habits.iter().filter_map(|habit| {
        let fault = fault(habit)?;
        Some(format!(
            "{} {:?} wants {:?} but {fault}",
            habit.kind, habit.input, habit.advice
        ))
    });
    let faults: Vec<String> = faults.collect();
    assert!(
        faults.is_empty(),
        "{} of them:\n{}",
        faults.len(),
        faults.join("\n")
    );
}
