//! `oddsmith balance value`.

use serde_json::Value;

use crate::support::{Place, records};

/// One configuration of the small game, and all of its default sweep.
const ONE: &str = "balance value lantern.toml --set stat=1";
const ALL: &str = "balance value lantern.toml";

#[test]
fn one_configuration_in_every_format() {
    let place = Place::new();
    let ask =
        |format: &str| place.answer(&format!("{ONE} --format {format} --query 'P(total>=9)'"));
    insta::assert_snapshot!("value_one", ask("table"));
    insta::assert_snapshot!("value_one_csv", ask("csv"));
    insta::assert_snapshot!("value_one_markdown", ask("markdown"));
    insta::assert_snapshot!("value_one_bbcode", ask("bbcode"));
    let json: Value = serde_json::from_str(&ask("json")).expect("JSON");
    assert_eq!(json["configuration"], serde_json::json!({ "stat": 1 }));
    assert_eq!(json["number"]["thresholds"], serde_json::json!([7, 10]));
    let boons = json["levers"].as_array().expect("a list");
    let boons = boons
        .iter()
        .find(|own| own["lever"] == "boons")
        .expect("a lever");
    let step = &boons["steps"][0];
    assert_eq!(
        (&step["from"], &step["to"]),
        (&serde_json::json!(0), &serde_json::json!(1))
    );
    // As `odds` has it.
    let mean = |set: &str| {
        let words = format!("odds lantern.toml --set stat=1 --set {set} --query 'mean(total)'");
        let odds = records(&place.answer(&format!("{words} --format csv")));
        odds.last().expect("a row")[3]
            .parse::<f64>()
            .expect("a number")
    };
    let change = &step["changes"]["mean(total)"]["typical"]["decimal"];
    let change = change.as_f64().expect("a number");
    assert!((change - (mean("boons=1") - mean("boons=0"))).abs() < 1e-12);
}

/// The rules of a shipped game without labels, so that tables have names.
fn unlabelled(game: &str) -> String {
    let (_, text) = { oddsmith_rules::shipped().iter() }
        .find(|(name, _)| *name == game)
        .expect("it is shipped");
    let lines = text.lines().filter(|line| !line.starts_with("label"));
    let text = lines.collect::<Vec<_>>().join("\n");
    let parts = text.split(", label = \"").enumerate();
    let rest = |(at, part): (usize, &str)| match at {
        0 => part.to_owned(),
        _ => part.split_once('"').map_or("", |(_, rest)| rest).to_owned(),
    };
    parts.map(rest).collect()
}

/// A step that is said to change nothing changes nothing that is told of it anywhere; all others are in a table.
#[test]
fn what_changes_nothing_changes_nothing() {
    let place = Place::new();
    place.write("unlabelled.toml", &unlabelled("action-checks"));
    let words = "balance unlabelled.toml --sweep pool=1..=4 --sweep cuts=0,1";
    let table = place.answer(words);
    let (tables, remark) = table
        .split_once("one step changes nothing anywhere here: ")
        .expect("some levers do nothing");
    let idle: Vec<&str> = remark.split([',', '\n']).map(str::trim).collect();
    assert!(tables.contains("  position ") && !idle.contains(&"position"));
    let csv = records(&place.answer(&format!("{words} --format csv")));
    let column = |name: &str| csv[0].iter().position(|head| head == name);
    let (lever, first) = (column("lever").expect("it is there"), column("Miss"));
    let last = column("flat:Glance").expect("it is there");
    for row in &csv[1..] {
        let changes = &row[first.expect("it is there")..last];
        let is_active = changes
            .iter()
            .any(|change| change != "0" && change != "0.0");
        assert!(
            !is_active || !idle.contains(&row[lever].as_str()),
            "{row:?}"
        );
        let name = format!("  {} ", row[lever]);
        assert!(!is_active || tables.contains(&name), "{row:?}");
    }
}

#[test]
fn a_sweep_in_every_format() {
    let place = Place::new();
    let ask = |format: &str| place.answer(&format!("{ALL} --format {format}"));
    insta::assert_snapshot!("value_sweep", ask("table"));
    insta::assert_snapshot!("value_sweep_markdown", ask("markdown"));
    let csv = records(&ask("csv"));
    assert_eq!(
        csv[0].join(","),
        "stat,boons,light,lever,from,to,Miss,Weak,Strong,band>=Weak,band>=Strong,mean(total),Glimpse,\
         flat:Weak,flat:Strong"
    );
    // Stat has 4 steps in 3 * 2 configurations, boons 2 in 5 * 2, light 1 in 5 * 3; the cap goes up and down in all 30.
    assert_eq!(csv.len(), 1 + 24 + 20 + 15 + 60);
    let json: Value = serde_json::from_str(&ask("json")).expect("JSON");
    assert_eq!(json["configurations"], 30);
}

/// Every row is the difference of two rows of a table.
#[test]
fn a_step_is_the_difference_of_two_rows_of_a_table() {
    let place = Place::new();
    let steps = records(&place.answer(&format!("{ALL} --format csv --lever boons")));
    let table = records(&place.answer("table lantern.toml --sweep all --format csv"));
    let odds = |stat: &str, boons: &str, light: &str| -> Vec<f64> {
        let row = table.iter().find(|row| row[..3] == [stat, boons, light]);
        let cells = &row.expect("a row")[3..6];
        cells
            .iter()
            .map(|cell| cell.parse().expect("a number"))
            .collect()
    };
    for step in &steps[1..] {
        let [before, after] = [4, 5].map(|at| odds(&step[0], &step[at], &step[2]));
        assert_eq!(
            (step[1].as_str(), step[3].as_str()),
            (step[4].as_str(), "boons")
        );
        for (band, (before, after)) in before.iter().zip(after).enumerate() {
            let change: f64 = step[6 + band].parse().expect("a number");
            assert!((change - (after - before)).abs() < 1e-12, "{step:?}");
        }
    }
    assert_eq!(steps.len(), 1 + 20);
}

#[test]
fn without_a_command_it_is_value() {
    let place = Place::new();
    let bare = place.answer("balance lantern.toml --set stat=1 --format csv");
    assert_eq!(bare, place.answer(&format!("{ONE} --format csv")));
    place.refusal("balance");
}

#[test]
fn what_a_boon_is_worth_on_a_d8() {
    let place = Place::new();
    let words = "balance stars-and-signs --set ability_rank=6 --set skill_rank=3";
    insta::assert_snapshot!("value_stars", place.answer(words));
}

#[test]
fn numbers_as_they_are_wanted() {
    let place = Place::new();
    let one = |more: &str| place.answer(&format!("{ONE} --format table --lever boons {more}"));
    let first = |text: &str| {
        let row = text
            .lines()
            .find(|line| line.contains("boons 0 → 1"))
            .expect("a row")
            .to_owned();
        row.split_whitespace()
            .skip(4)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        first(&one("")),
        ["+17.13", "+24.54", "+1.4583", "-5.09", "+1.72", "+1.64"]
    );
    assert_eq!(first(&one("--decimals 0"))[..2], ["+17", "+25"]);
    assert_eq!(first(&one("--as decimal"))[..2], ["+0.1713", "+0.2454"]);
    // A band of its own to compare by.
    let by = one("--lever stat --at Weak");
    assert!(by.contains("flat at 7"), "{by}");
    place.refuses(
        &format!("{ONE} --format table --at Miss"),
        &["it is one of Weak, Strong"],
    );
    place.refusal(&format!("{ONE} --format csv --decimals 1"));
    // Points are no chances.
    for form in ["one-in", "fraction"] {
        place.refuses(
            &format!("{ONE} --format table --as {form}"),
            &["a change is told in points"],
        );
    }
    // What never happens has no odds.
    let never = one("--query 'P(Strong | total > 40)'");
    let legend = "– under P(Strong | total > 40): no answer before the step or after it";
    assert!(never.contains(legend), "{never}");
}

#[test]
fn levers_are_chosen_by_name_and_values() {
    let place = Place::new();
    let ask = |words: &str| {
        let rows = records(&place.answer(&format!("{ONE} --format csv {words}")));
        let steps = rows[1..].iter().map(|row| row[..3].join(" "));
        steps.collect::<Vec<_>>()
    };
    assert_eq!(ask("--lever boons=4,0,2"), ["boons 4 0", "boons 0 2"]);
    assert_eq!(
        ask("--lever light --lever boon_cap=2,3"),
        ["light dim bright", "boon_cap 2 3"]
    );
    let list = "balance stars-and-signs --set flat=1 --lever thresholds --format csv";
    // Each stays below the next one: 10 goes from 5 to 14, 15 from 11 to 19, 20 from 16 to 25.
    assert_eq!(records(&place.answer(list)).len(), 1 + 9 + 8 + 9);
    place.refuses(
        &format!("{ONE} --format csv --lever boon"),
        &["did you mean `boons`?"],
    );
    place.refuses(
        &format!("{ALL} --format csv --lever boons=1,2"),
        &["`boons` is swept", "--sweep 'boons=1,2' --lever 'boons'"],
    );
    // A single value is the step from what is set to there.
    assert_eq!(ask("--lever stat=0"), ["stat 1 0"]);
    assert_eq!(ask("--lever light=bright"), ["light dim bright"]);
    place.refuses(
        &format!("{ONE} --format csv --lever stat=1"),
        &["a lever needs two values"],
    );
    let stars = "balance stars-and-signs --set flat=1 --lever";
    place.refuses(
        &format!("{stars} 'thresholds=[10,15]'"),
        &["write --lever 'thresholds[0]=10,11'"],
    );
    // What the rules do not look at is no lever, what changes nothing is named.
    let table = place.answer("balance lantern.toml:test");
    assert!(!table.contains("boon_cap"), "{table}");
    let cap = place.answer(&format!("{ONE} --format table"));
    assert!(
        cap.contains("one step changes nothing here: boon_cap"),
        "{cap}"
    );
}

#[test]
fn bands_that_are_no_thresholds_have_no_flat_modifiers() {
    let place = Place::new();
    let answer = place.answer("balance buried-secrets --set rating=2");
    assert!(
        answer.contains(
            "no flat modifiers: these bands are not thresholds of a single rolled number"
        )
    );
    assert!(!answer.contains("flat at"));
    // A lower Difficulty is better.
    let test = place.answer("balance stars-and-signs:test --set diff_boons=0");
    let boon = test
        .lines()
        .find(|line| line.contains("Boons on the Difficulty 0 → 1"))
        .expect("a row");
    let cells: Vec<&str> = boon.split_whitespace().skip(7).collect();
    assert_eq!(cells, ["-26.00", "+2.475", "+2.88"]);
    // Tracks and checks without bands have means.
    let track = place.answer("balance stars-and-signs:counter --set slots=5 --lever circ_boons");
    assert!(track.contains("mean(Checks)"), "{track}");
}

/// Where a step goes up here and down there, the median of its size stands there. One that makes a band certain has no
/// flat modifier, whatever it does in the configurations in which it changes nothing.
#[test]
fn what_is_typical_of_a_sweep_is_there_somewhere() {
    let place = Place::new();
    let words = "balance action-checks --lever overflow";
    let sweep = place.answer(words);
    let row = |text: &str, name: &str| -> Vec<String> {
        let row = text.lines().find_map(|line| line.trim().strip_prefix(name));
        let cells = row.expect("a row").split_whitespace();
        cells.map(str::to_owned).collect()
    };
    let cells = row(
        &sweep,
        "When Cuts take all dice as with no pool → a Miss without a roll",
    );
    assert_eq!(cells[..6], ["-25.00", "-2.78", "-2.5278", "0", "–", "–"]);
    let json = place.answer(&format!("{words} --format json"));
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let flat = &json["levers"][0]["steps"][0]["flat"];
    assert_eq!(flat, &serde_json::json!({ "Glance": null, "Hit": null }));
    // More than five Boons help from here on, more than five Banes hurt.
    let cap = "balance stars-and-signs --sweep circ_boons=-5,5 --lever boon_cap=5,4";
    let sweep = place.answer(cap);
    let cells = row(&sweep, "Cap of Boons 5 → 4");
    assert!(
        cells[..7].iter().all(|cell| cell.starts_with('±')),
        "{sweep}"
    );
    assert!(
        sweep.contains("±: up in a tenth of the configurations or more, and down in a tenth; the median of how far"),
        "{sweep}"
    );
    let json = place.answer(&format!("{cap} --format json"));
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let mean = &json["levers"][0]["steps"][0]["changes"]["mean(total)"];
    assert_eq!(mean["typical"]["decimal"], 0.0);
    assert_eq!(mean["size"]["decimal"], mean["most"]["decimal"]);
}

#[test]
fn what_may_be_missing_is_said() {
    let place = Place::new();
    place.refusal(&format!("{ALL} --format csv --budget 1000"));
    // The sweep itself is affordable, not every lever is; one that is named must be.
    place.refusal("balance stars-and-signs --budget 2e8");
    let words = "balance stars-and-signs --budget 7e8";
    let run = place.run(words);
    assert_eq!(run.status, Some(0), "{}", run.err);
    assert!(
        run.err
            .contains("left out, since all of them would be over the budget"),
        "{}",
        run.err
    );
    place.refusal(&format!("{words} --lever flat=-500..=500"));
}

#[test]
fn threads_do_not_show() {
    let place = Place::new();
    let ask = |threads| place.answer(&format!("{ALL} --format csv --threads {threads}"));
    assert_eq!(ask("1"), ask("3"));
}

#[test]
fn a_picture_of_levers_or_of_one() {
    let place = Place::new();
    let draw = |more: &str| {
        let words = "balance lantern.toml --set stat=1 -o worth.svg";
        place.answer(&format!("{words} {more}"));
        place.read("worth.svg")
    };
    let levers = draw("");
    for word in ["What one step is worth", "boons 0 → 1", "Weak+", "Strong"] {
        assert!(levers.contains(word), "{word}");
    }
    let one = draw("--lever boons=0..=3");
    assert!(one.contains("What each step of boons is worth"));
    place.refuses(
        "balance lantern.toml --set stat=1 --lever boon_cap=2,3 -o worth.svg",
        &["no step changes anything"],
    );
    place.refusal("balance lantern.toml -o lantern.toml");
}

/// What one more point or die is worth in each game, as its rules have it.
#[test]
fn steps_are_worth_what_the_games_say() {
    let place = Place::new();
    let ask = |words: &str, column: &str| -> Vec<f64> {
        let rows = records(&place.answer(&format!("{words} --format csv")));
        let at = rows[0]
            .iter()
            .position(|name| name == column)
            .expect("a column");
        let cells = rows[1..]
            .iter()
            .map(|row| row[at].parse::<f64>().expect("a number"));
        // No float of a short fraction is off by that much.
        cells.map(|cell| (cell * 1e9).round() / 1e9).collect()
    };
    // A point of skill is worth 10 % and (m + 1)/10 successes up to a target number of 10, and nothing beyond.
    let words = "balance action-primer --set karma=0 --lever skill=0..=8 --query 'mean(successes)'";
    assert_eq!(
        ask(words, "success"),
        [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.0, 0.0]
    );
    let successes = [0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 0.0, 0.0];
    assert_eq!(ask(words, "mean(successes)"), successes);
    // The first two dice are worth 25 points each, every further one half of the one before.
    let words = "balance buried-secrets --set rating=2 --lever rating=0..=4";
    assert_eq!(ask(words, "band>=4/5"), [0.25, 0.25, 0.125, 0.0625]);
    // A fourth die helps Twists, a fifth does not; a Cut of four dice costs more than a die.
    let words = "balance action-checks --set pool=4 --lever pool=2..=5 --lever cuts=0,1";
    let twists = [4.0 / 9.0, 5.0 / 18.0, 23.0 / 108.0 - 13.0 / 18.0, 0.0];
    assert_eq!(
        ask(words, "Twist"),
        twists.map(|own: f64| (own * 1e9).round() / 1e9)
    );
    assert_eq!(ask(words, "band>=Glance"), [0.125, 0.0625, 0.03125, -0.25]);
}
