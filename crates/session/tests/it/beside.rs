//! Odds beside a text, held against the library's and against numbers worked out by hand.

use oddsmith::{Limits, OddsRequest, Settings};
use oddsmith_session::{Document, Shown, Shows};

use crate::support::{find, game, open, rulesets, with_cursor};

fn limits() -> Limits {
    Limits::steps(1_000_000_000)
}

/// What is said where the `|` is, beyond what is said without odds.
fn odds(text: &str, settings: &[&str]) -> String {
    let (document, position) = with_cursor(text);
    let settings = Settings::parse("set", settings);
    let plain = document.hover(position).expect("something is said");
    let told = document.hover_with_odds(position, &settings, &limits());
    let told = told.expect("something is said");
    assert_eq!(told.range, plain.range);
    let odds = told.markdown.strip_prefix(&plain.markdown);
    odds.expect("the odds come last").trim().to_owned()
}

#[test]
fn a_value_has_its_distribution() {
    let rules = "let raw| = 1d4\n";
    let bars = [" ", " ", " ", " "].map(|_| "█".repeat(20));
    let expected = format!(
        "mean 2.5, standard deviation 1.118\n\n```\n\
         1  25.00%  {}\n2  25.00%  {}\n3  25.00%  {}\n4  25.00%  {}\n```",
        bars[0], bars[1], bars[2], bars[3]
    );
    assert_eq!(odds(&game("", rules, ""), &[]), expected);
    // Where it is used as well, and where it is shown.
    let used = "let raw = 1d4\nlet more = raw| + 1\n";
    assert_eq!(odds(&game("", used, ""), &[]), expected);
    assert_eq!(odds(&game("", "show thrown| = 1d4\n", ""), &[]), expected);
}

#[test]
fn many_values_stand_in_stretches() {
    let told = odds(&game("", "let raw| = 3d20\n", ""), &[]);
    let rows: Vec<&str> = told.lines().filter(|line| line.contains("..=")).collect();
    assert_eq!(rows.len(), 12, "{told}");
    // 58 values in stretches of 5: 3..=7 has 1 + 3 + 6 + 10 + 15 of 8000.
    assert!(rows[0].starts_with("3..=7"), "{told}");
    assert!(rows[0].contains("0.44%"), "{told}");
    assert!(rows[11].starts_with("58..=60"), "{told}");
}

#[test]
fn settings_are_followed_where_they_fit() {
    let text = game("", "let most| = stat + 1d1\n", "");
    assert!(odds(&text, &[]).starts_with("mean 1,"));
    assert!(odds(&text, &["stat=3"]).starts_with("mean 4,"));
    assert!(odds(&text, &["another=3"]).starts_with("mean 1,"));
}

#[test]
fn a_flag_a_band_and_an_axis_have_odds() {
    let flag = game("", "show even| = 1d4 == 2\n", "");
    assert_eq!(odds(&flag, &[]), "true: **25.00%**");
    // 2d6 below 7: 15 of 36; below 10: 15 more.
    let bands = "```\nMiss      41.67%\nWeak hit  41.67%\nHit       16.67%\n```";
    let text = game("", "", "").replace("Miss, < 10", "M|iss, < 10");
    assert_eq!(odds(&text, &[]), bands);
    let check = game("", "", "").replace("[checks.roll]", "[checks.ro|ll]");
    assert_eq!(odds(&check, &[]), bands);
    let axis = game("", "", "").replace("axes.stat =", "axes.st|at =");
    let step = "```\n               0       1  points\n\
                Miss      41.67%  27.78%  -13.89\n\
                Weak hit  41.67%  44.44%   +2.78\n\
                Hit       16.67%  27.78%  +11.11\n```";
    assert_eq!(odds(&axis, &[]), step);
}

#[test]
fn what_has_no_odds_is_told_without() {
    let in_function = game("", "", "").replace("(x, most) =>", "(x|, most) =>");
    assert_eq!(odds(&in_function, &[]), "");
    let pool = game("", "let pool| = [1d6, 1d6]\n", "");
    assert_eq!(odds(&pool, &[]), "");
    let broken = game("", "let raw| = 1d4\nshow wrong = nothing\n", "");
    assert_eq!(odds(&broken, &[]), "");
    let (document, position) = with_cursor(&game("", "let raw| = 3d6\n", ""));
    let few = Limits::steps(1);
    let told = document.hover_with_odds(position, &Settings::default(), &few);
    assert_eq!(told, document.hover(position), "over the limits");
}

#[test]
fn bands_have_their_odds_behind_them() {
    let document = open(&game("", "", ""));
    let hints = document.inlay_hints(&Settings::default(), &limits());
    let labels: Vec<&str> = hints.iter().map(|hint| hint.label.as_str()).collect();
    assert_eq!(labels, ["41.67%", "41.67%", "16.67%"]);
    let behind = |hint: &str| find(&document, hint, hint.len());
    let places: Vec<_> = hints.iter().map(|hint| hint.position).collect();
    assert_eq!(places, ["\"Miss\"", "\"Weak hit\"", "\"Hit\""].map(behind));
}

/// The names and titles of lenses.
fn lenses(document: &Document) -> Vec<(String, String)> {
    let lenses = document.code_lenses(&Settings::default(), &limits());
    let lenses = lenses.into_iter();
    let lenses = lenses.filter(|lens| lens.shows == Shows::Odds);
    let lenses = lenses.map(|lens| (lens.check, lens.title));
    lenses.collect()
}

#[test]
fn checks_say_above_what_they_come_to() {
    let document = open(&game("", "", ""));
    let expected = [
        ("roll", "Miss 41.67% · Weak hit 41.67% · Hit 16.67%"),
        ("other", "mean(twice) 14"),
    ];
    let expected = expected.map(|(check, title)| (check.to_owned(), title.to_owned()));
    assert_eq!(lenses(&document), expected);
}

#[test]
fn all_rulesets_have_the_odds_of_the_library() {
    for (path, text) in rulesets() {
        let document = open(&text);
        let analysis = document.analysis();
        let Ok(game) = analysis.game() else {
            continue;
        };
        for (check, title) in lenses(&document) {
            if game.model().tracks.iter().any(|track| track.name == check) {
                assert!(title.contains("rolls on average") || title.contains("for ever"));
                continue;
            }
            let request = OddsRequest {
                check: Some(check.clone()),
                ..OddsRequest::default()
            };
            let odds = game.odds(&request, &limits()).expect("it has odds");
            for band in odds.bands() {
                assert!(title.contains(&band.name), "{path}: {check}: {title}");
            }
        }
    }
}

#[test]
fn the_last_step_of_an_axis_is_told_from_its_last_value() {
    let text = game("", "", "").replacen("axes.stat", "axes.stat|", 1);
    // 2d6 + 2 below 7 is 6 of 36, 2d6 + 3 is 3.
    let told = odds(&text, &["stat=3"]);
    assert!(
        told.starts_with("```\n               2       3  points"),
        "{told}"
    );
    assert!(told.contains("Miss      16.67%   8.33%"), "{told}");
    // The table from the value before is the same.
    assert_eq!(odds(&text, &["stat=2"]), told);
}

#[test]
fn lenses_show_odds_charts_and_expectations() {
    let expect = "[[expect]]\nintent = \"Few hit.\"\ncheck = \"roll\"\nquery = \"Hit\"\nat_most = 0.2\n\
                  [[expect]]\nintent = \"Most miss.\"\ncheck = \"roll\"\nquery = \"Miss\"\nat_least = 0.5\n";
    let document = open(&game("", "", expect));
    let none = Settings::default();
    let lenses = document.code_lenses(&none, &limits());
    let told = lenses.iter().map(|lens| (lens.check.as_str(), lens.shows));
    let expected = [
        ("roll", Shows::Odds),
        ("roll", Shows::Chart),
        ("roll", Shows::Expectations),
        ("other", Shows::Odds),
        ("other", Shows::Chart),
    ];
    assert_eq!(told.collect::<Vec<_>>(), expected);
    let show = |check, shows, settings: &[&str]| {
        let settings = Settings::parse("set", settings);
        document.show(check, shows, &settings, &limits())
    };
    // 2d6 + 2 is below 7 in 6 cases of 36, below 10 in 15 more, and else in 15.
    let odds = "roll (stat=2)\nMiss 16.67%\nWeak hit 41.67%\nHit 41.67%";
    assert_eq!(
        show("roll", Shows::Odds, &["stat=2"]).ok(),
        Some(Shown::Text(odds.to_owned()))
    );
    let Ok(Shown::Text(told)) = show("roll", Shows::Expectations, &[]) else {
        panic!("they are judged");
    };
    assert!(
        told.starts_with("roll: 1 expectation holds\ndoes not hold: Most miss."),
        "{told}"
    );
    for check in ["roll", "other"] {
        let Ok(Shown::Chart(chart)) = show(check, Shows::Chart, &[]) else {
            panic!("it is drawn");
        };
        assert!(chart.svg.starts_with("<svg"), "{}", chart.svg);
    }
    assert!(show("nobody", Shows::Odds, &[]).is_err());
    assert!(show("nobody", Shows::Chart, &[]).is_err());
    let broken = open("[checks.a]\nrules = 'show'");
    assert!(broken.show("a", Shows::Odds, &none, &limits()).is_err());
    assert_eq!(broken.code_lenses(&none, &limits()), []);
}
