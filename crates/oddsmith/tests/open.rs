//! Numbers without an end: their odds up to a horizon, and of all that is beyond.

use oddsmith::{
    Dice, DistributionAnswer, DistributionRequest, EndlessDice, Error, Game, Limits, Settings,
    TrackRequest, all_games,
};
use oddsmith_exact::{OpenEnd, RBig, UBig};

/// Dice that explode without an end, and numbers that are made of their sum.
const EXPLODE: &str = "
name = 'Dice that explode without an end'
[tracks.explode]
axes.dice = { default = 1, domain = '1..=9' }
rules = '''
let left  = dice
let total = 0
repeat until left == 0 {
  let die   = 1d6
  set total = total + die
  set left  = left - (die < 6)
}
show result = total
show lost   = 10 - 2 * total
show is_big = total >= 30
show most   = min(total, 8)
'''
";

fn explode() -> Game {
    Game::parse("explode.toml", EXPLODE.as_bytes()).expect("a ruleset")
}

fn asked(
    game: &Game,
    track: &str,
    value: &str,
    horizon: Option<i64>,
) -> Result<DistributionAnswer, Error> {
    let request = DistributionRequest {
        check: Some(track.to_owned()),
        values: vec![value.to_owned()],
        horizon,
        ..DistributionRequest::default()
    };
    game.distribution(&request, &Limits::default())
}

/// What dice that explode without an end come to, up to a horizon.
fn endless(text: &str, horizon: Option<i64>) -> Result<DistributionAnswer, Error> {
    let request = DistributionRequest {
        horizon,
        ..DistributionRequest::default()
    };
    let dice = EndlessDice::parse(text).expect("a part of this explodes without an end");
    Ok(dice.distribution(&request, &Limits::default())?.1)
}

/// The odds of each row, as it is read.
fn rows(answer: &DistributionAnswer) -> Vec<(String, RBig)> {
    let total = answer.total();
    let share = |weight: UBig| RBig::from_parts(weight.into(), total.clone());
    let rows = answer.rows().into_iter();
    rows.map(|(values, weight)| (answer.text(0, values[0]), share(weight)))
        .collect()
}

/// A die shows `6 n + r` with n sixes and then an r: with a chance of `1 / 6^(n + 1)`. No other sum comes up, and beyond
/// `6 n` are all that begin with n sixes.
#[test]
fn a_die_is_a_closed_form() -> Result<(), Error> {
    let sixth = |power: u32| RBig::from_parts(1.into(), UBig::from(6_u8).pow(power as usize));
    let game = explode();
    for sixes in [0_u32, 1, 2, 10, 20] {
        let horizon = i64::from(6 * sixes);
        let mut expected: Vec<(String, RBig)> = { 1..horizon }
            .filter(|sum| sum % 6 > 0)
            .map(|sum| {
                (
                    sum.to_string(),
                    sixth(u32::try_from(sum / 6).expect("few") + 1),
                )
            })
            .collect();
        expected.push((format!("> {horizon}"), sixth(sixes)));
        assert_eq!(
            rows(&asked(&game, "explode", "result", Some(horizon))?),
            expected
        );
    }
    let usual = asked(&game, "explode", "result", None)?;
    let tail = usual.tail.as_ref().expect("it has no end");
    assert_eq!((tail.end, tail.last), (OpenEnd::Above, 23));
    let [mean, variance] = tail.moments.clone().expect("a sum has them");
    assert_eq!(mean, RBig::from_parts(21.into(), 5_u8.into()));
    assert_eq!(variance, RBig::from_parts(266.into(), 25_u8.into()));
    assert!(usual.number().is_none());
    Ok(())
}

/// A track of which a half never ends has no moments, and odds up to where most of the rest have ended.
#[test]
fn what_may_never_end_is_followed_as_far_as_it_does() -> Result<(), Error> {
    let text = "
name = 'Halves'
[tracks.t]
rules = 'let s = 0 repeat until s == 1 { set s = if s == 2 then 2 else match 1d4 { 1: 1, 2: 2, else: 0 } }'
";
    let game = Game::parse("halves.toml", text.as_bytes()).expect("a ruleset");
    let answer = asked(&game, "t", "rolls", None)?;
    assert_eq!(answer.moments(), None);
    let rows = rows(&answer);
    assert_eq!(
        rows[0],
        ("1".to_owned(), RBig::from_parts(1.into(), 4_u8.into()))
    );
    assert_eq!(
        rows[1],
        ("2".to_owned(), RBig::from_parts(1.into(), 8_u8.into()))
    );
    let beyond = &rows.last().expect("all beyond").1;
    assert!(*beyond > RBig::from_parts(1.into(), 2_u8.into()));
    Ok(())
}

/// Looking further and further ends where numbers do.
#[test]
fn dice_beyond_64_bits_are_refused() {
    for dice in ["d{4000000000000000000, 1}!", "d{9223372036854775807, 1}!"] {
        let refused = endless(dice, None).expect_err(dice).to_string();
        assert!(
            refused.contains("values beyond 64 bits too often"),
            "{refused}"
        );
    }
}

/// What falls without an end is the mirror of what it falls by, and what a running sum decides has ends.
#[test]
fn numbers_that_are_made_of_a_sum() -> Result<(), Error> {
    let game = explode();
    let grown = rows(&asked(&game, "explode", "result", Some(20))?);
    let fallen = asked(&game, "explode", "lost", Some(-30))?;
    assert_eq!(fallen.tail.as_ref().expect("no end").end, OpenEnd::Below);
    let mirrored = grown.into_iter().rev().map(|(sum, odds)| {
        let fallen = |sum: i64| (10 - 2 * sum).to_string();
        (sum.parse().map_or("< -30".to_owned(), fallen), odds)
    });
    assert_eq!(rows(&fallen), mirrored.collect::<Vec<_>>());
    for (value, count) in [("is_big", 2), ("most", 7)] {
        let bounded = asked(&game, "explode", value, None)?;
        assert_eq!(
            (bounded.tail.is_none(), bounded.rows().len()),
            (true, count),
            "{value}"
        );
    }
    Ok(())
}

/// Every number without an end of the games that come along: each row is what the question about that value says.
#[test]
fn rows_are_what_questions_say() -> Result<(), Error> {
    let limits = Limits::default();
    let (mut seen, mut told) = (0, 0);
    for (name, _) in all_games() {
        let game = Game::open(name)?;
        for track in &game.model().tracks {
            let numbers = track.outcomes.iter().filter(|outcome| !outcome.first_round);
            for number in numbers {
                let Ok(answer) = asked(&game, &track.name, &number.name, None) else {
                    continue;
                };
                let Some(tail) = &answer.tail else { continue };
                let of_row = |(values, _): &(Vec<i64>, UBig)| match values[0] == tail.place() {
                    true => format!("P({} {})", number.name, answer.text(0, values[0])),
                    false => format!("P({} == {})", number.name, values[0]),
                };
                let request = TrackRequest {
                    track: Some(track.name.clone()),
                    settings: Settings::default(),
                    queries: answer.rows().iter().map(of_row).collect(),
                    ..TrackRequest::default()
                };
                let answers = game.track(&request, &limits)?.answer()?.outcomes;
                let asked = &answers[answers.len() - request.queries.len()..];
                for ((text, odds), answer) in rows(&answer).iter().zip(asked) {
                    let found = answer.answer.to_ratio().expect("a chance");
                    assert_eq!(*odds, found, "{name}:{} {text}", track.name);
                    told += 1;
                }
                seen += 1;
            }
        }
    }
    assert!(seen > 10 && told > 200, "{seen} {told}");
    Ok(())
}

/// The odds of the sum of dice that explode on some faces, up to `last`, from the definition: a face, and another die behind
/// one that explodes.
fn sums(count: usize, sides: usize, explodes: &dyn Fn(usize) -> bool, last: usize) -> Vec<RBig> {
    let chance = RBig::from_parts(1.into(), UBig::from(sides));
    let mut die = vec![RBig::ZERO; last + 1];
    for value in 1..=last {
        for face in 1..=sides.min(value) {
            let rest = match explodes(face) {
                true => die[value - face].clone(),
                false if face == value => RBig::ONE,
                false => RBig::ZERO,
            };
            die[value] += &chance * rest;
        }
    }
    let mut sums = vec![RBig::ZERO; last + 1];
    sums[0] = RBig::ONE;
    for _ in 0..count {
        let before = sums.clone();
        for (value, sum) in sums.iter_mut().enumerate() {
            let parts = (0..=value).map(|own| &before[value - own] * &die[own]);
            *sum = parts.fold(RBig::ZERO, |sum, part| sum + part);
        }
    }
    sums
}

#[test]
fn dice_alone_explode_without_an_end() -> Result<(), Error> {
    const LAST: usize = 40;
    type Explodes = fn(usize) -> bool;
    let dice: [(&str, usize, usize, Explodes); 5] = [
        ("1d6!", 1, 6, |face| face == 6),
        ("d4 !", 1, 4, |face| face == 4),
        ("3d6!", 3, 6, |face| face == 6),
        ("2d10!>=9", 2, 10, |face| face >= 9),
        ("2d8!==1", 2, 8, |face| face == 1),
    ];
    for (text, count, sides, explodes) in dice {
        let answer = endless(text, i64::try_from(LAST).ok())?;
        let mut expected = sums(count, sides, &explodes, LAST);
        let beyond = expected.iter().fold(RBig::ONE, |rest, own| rest - own);
        for (value, odds) in rows(&answer) {
            let own = match value.parse::<usize>() {
                Ok(value) => std::mem::replace(&mut expected[value], RBig::ZERO),
                Err(_) => beyond.clone(),
            };
            assert_eq!(odds, own, "{text}: {value}");
        }
        assert!(expected.iter().all(|left| *left == RBig::ZERO), "{text}");
    }
    for other in [
        "1d6!(4)",
        "1d6! + x",
        "1d6! + 1 2",
        "1 2d6!",
        "1d6! +",
        "1d6! + (1",
        "1d6! + 1)",
        "1d6! + \"1\"",
        "1d6! + 1 # \"\"\"",
        "1d6",
        "1d6!!",
        "x!",
        "1d8! - 1d6!",
        "mod(1d6!, 4)",
        "min(1d6!, 20)",
        "1d6!, 3",
        "1d6!) + (2",
        "1d6!>=",
        "0d6!",
        "1d6!>=7",
        "1d6! >= 5",
    ] {
        assert!(EndlessDice::parse(other).is_none(), "{other}");
    }
    Ok(())
}

/// Sums that dice without an end have a part in, against the same dice that explode so often that no value of these rows is
/// cut.
#[test]
fn sums_with_dice_that_explode_without_an_end() -> Result<(), Error> {
    const LAST: i64 = 30;
    for (text, deep) in [
        ("1d6!+1", "1d6!(31) + 1"),
        ("2d6! - 3", "2d6!(31) - 3"),
        ("1d8! + 1d6!", "1d8!(31) + 1d6!(31)"),
        ("2 + 1d4!>=3 + 2d10!==1", "2 + 1d4!>=3(31) + 2d10!==1(31)"),
        ("2d4kh + d6!", "2d4kh + 1d6!(31)"),
        ("1d6! - 1d4 + {1d8, 1d6}kl", "1d6!(31) - 1d4 + {1d8, 1d6}kl"),
        ("(1d4 - 1d6) * 2 + 1d6!", "(1d4 - 1d6) * 2 + 1d6!(31)"),
        ("1d4!(2) + 1d4!", "1d4!(2) + 1d4!(31)"),
    ] {
        let answer = endless(text, Some(LAST))?;
        assert!(answer.moments().is_some(), "{text}");
        as_deep(text, &answer, deep)?;
    }
    Ok(())
}

/// The rows of dice without an end are those of dice that explode so often that no value of these rows is cut.
fn as_deep(text: &str, answer: &DistributionAnswer, deep: &str) -> Result<(), Error> {
    let whole = Dice::parse(deep)?.distribution(&Limits::default())?;
    let below = |value: i64| RBig::from(whole.weight(value)) / RBig::from(whole.total().clone());
    let mut rest = RBig::ONE;
    for (value, odds) in rows(answer)
        .iter()
        .filter(|(value, _)| value.parse::<i64>().is_ok())
    {
        let value = value.parse().expect("it is a number");
        assert_eq!(*odds, below(value), "{text}: {value}");
        rest -= odds;
    }
    let tail = answer.tail.as_ref().expect("it has no end");
    let beyond = rows(answer)
        .into_iter()
        .find(|(value, _)| *value == tail.name());
    assert_eq!(beyond.map(|(_, odds)| odds), Some(rest), "{text}");
    Ok(())
}

#[test]
fn what_is_made_of_dice_without_an_end_is_known_up_to_a_horizon() -> Result<(), Error> {
    for text in [
        "max(1d8!, 1d6!)",
        "2 * 1d6!",
        "3d6!kh2",
        "1d6! + 1d6!kh",
        "1d{1, 6}! + 1",
        "floor(2d6!>=5 / 2) + 1d4",
        "sum({1d6!, 1d4, 2d8!} kh 2)",
        "if 1d2 == 1 then 3 else 2d4!",
        "2 - 1d6!",
        "-1d6!",
        "min(10 - 2d6!, 4)",
        "10 - max(1d4!, 1d6)",
    ] {
        let deep = text.replace('!', "!(31)").replace("!(31)>=5", "!>=5(31)");
        let falls = text.contains('-');
        let end = if falls {
            OpenEnd::Below
        } else {
            OpenEnd::Above
        };
        let answer = endless(text, Some(if falls { -30 } else { 30 }))?;
        assert_eq!(
            answer.tail.as_ref().map(|tail| tail.end),
            Some(end),
            "{text}"
        );
        assert!(answer.moments().is_none(), "{text}");
        as_deep(text, &answer, &deep)?;
        // Without a horizon about one in a thousand is beyond.
        let usual = endless(text, None)?;
        as_deep(text, &usual, &deep)?;
        let odds = rows(&usual);
        let (beyond, next) = match end {
            OpenEnd::Above => (&odds[odds.len() - 1].1, &odds[odds.len() - 2].1),
            OpenEnd::Below => (&odds[0].1, &odds[1].1),
        };
        let thousandth = RBig::from_parts(1.into(), 1000_u16.into());
        assert!(
            *beyond <= thousandth && beyond + next > thousandth,
            "{text}"
        );
    }
    Ok(())
}
