//! `oddsmith compare`.

mod revisions;

use serde_json::Value;

use crate::support::{LANTERN, Place, records};

const CHANGED: &str = "compare lantern.toml --with boon_cap=1";

#[test]
fn one_configuration_in_every_format() {
    let place = Place::new();
    let ask = |format: &str| {
        place.answer(&format!(
            "{CHANGED} --set boons=2 --query 'P(total>=9)' --format {format}"
        ))
    };
    insta::assert_snapshot!("compare_one", ask("table"));
    insta::assert_snapshot!("compare_one_csv", ask("csv"));
    insta::assert_snapshot!("compare_one_markdown", ask("markdown"));
    insta::assert_snapshot!("compare_one_bbcode", ask("bbcode"));
    let json: Value = serde_json::from_str(&ask("json")).expect("JSON");
    assert_eq!(
        json["b"]["configuration"],
        serde_json::json!({ "boon_cap": 1, "boons": 2 })
    );
    // As `odds` says of each.
    let cells = records(&ask("csv"));
    for (set, column) in [("boon_cap=2", "Strong:a"), ("boon_cap=1", "Strong:b")] {
        let odds = place.answer(&format!(
            "odds lantern.toml --set boons=2 --set {set} --format csv"
        ));
        let odds = records(&odds);
        let strong = odds.iter().find(|row| row[0] == "Strong").expect("a band");
        let at = cells[0]
            .iter()
            .position(|name| name == column)
            .expect("a column");
        assert_eq!(cells[1][at], strong[3]);
    }
    let row = &json["rows"][0];
    assert_eq!(row["order"], "a");
    assert_eq!(row["outcomes"][2]["outcome"], "Strong");
}

#[test]
fn numbers_as_they_are_wanted() {
    let place = Place::new();
    let ask = |more: &str| place.answer(&format!("{CHANGED} --set boons=2 {more}"));
    insta::assert_snapshot!("compare_decimal", ask("--as decimal"));
    insta::assert_snapshot!("compare_one_in", ask("--as one-in"));
    let whole = ask("--decimals 0 --sweep light=all");
    let bright = whole.lines().find(|line| line.contains("  bright"));
    let bright: Vec<&str> = bright.expect("a row").split_whitespace().collect();
    assert_eq!(
        bright[..10],
        [
            "bright", "4%", "11%", "+7", "27%", "37%", "+10", "69%", "52%", "-17"
        ]
    );
    // Less than half a point is not nothing: 2d6 of 4 and of 3 come to 2 once in 1296 and in 216.
    let little = ask("--query 'P(total==2)' --decimals 0 --format markdown");
    assert!(
        little.contains("| P(total==2) | <1% | <1% | +<1 |"),
        "{little}"
    );
}

#[test]
fn a_sweep_in_every_format() {
    let place = Place::new();
    let more = "--sweep boons=0..=3 --sweep light=all";
    let ask = |format: &str| place.answer(&format!("{CHANGED} {more} --format {format}"));
    insta::assert_snapshot!("compare_sweep", ask("table"));
    insta::assert_snapshot!("compare_sweep_markdown", ask("markdown"));
    let rows = records(&ask("csv"));
    assert_eq!(rows.len(), 1 + 4 * 2);
    assert_eq!(
        rows[0][..5],
        ["boons", "light", "Miss:a", "Miss:b", "Miss:difference"]
    );
    assert_eq!(rows[0][11..], ["variation", "distance", "order"]);
    for row in &rows[1..] {
        let number = |at: usize| row[at].parse::<f64>().expect("a number");
        let differences = [4, 7, 10].map(number);
        assert!(differences.iter().sum::<f64>().abs() < 1e-12);
        let apart: f64 = differences.iter().map(|own| own.abs()).sum();
        assert!((apart / 2.0 - number(11)).abs() < 1e-12);
        assert_eq!(row[13], if row[0].as_str() < "2" { "equal" } else { "a" });
    }
    let json: Value = serde_json::from_str(&ask("json")).expect("JSON");
    assert_eq!(json["summary"]["orders"]["a"], 4);
    assert_eq!(json["summary"]["orders"]["equal"], 4);
    assert_eq!(json["sweep"]["light"], serde_json::json!(["dim", "bright"]));
}

#[test]
fn a_check_without_bands_by_its_first_number() {
    let place = Place::new();
    let words = "compare lantern.toml:test --with skill=3";
    insta::assert_snapshot!("compare_number", place.answer(words));
    // 2d6 + 2 against 2d6 + 3.
    let rows = records(&place.answer(&format!("{words} --format csv")));
    let at = |name: &str| {
        rows[0]
            .iter()
            .position(|own| own == name)
            .expect("a column")
    };
    assert_eq!(rows[1][at("mean(score):difference")], "1.0");
    assert_eq!(
        (
            rows[1][at("distance")].as_str(),
            rows[1][at("order")].as_str()
        ),
        ("1.0", "b")
    );
    let total = place.answer(&format!("{CHANGED} --set boons=2 --of total"));
    assert!(
        total.contains("A is higher: it reaches total 3 to 12 more often"),
        "{total}"
    );
}

#[test]
fn two_revisions_of_a_file() {
    let place = Place::new();
    let revised = LANTERN
        .replace(
            "\"Weak\", \"Strong\"]",
            "\"Weak\", \"Strong\", \"Perfect\"]",
        )
        .replace("else: Strong }", "< 12: Strong, else: Perfect }")
        .replace(
            "axes.stat  = { default = 0, domain = \"-1..=3\"",
            "axes.stat  = { default = 0, domain = \"0..=4\"",
        )
        .replace("show Glimpse = total == 7\n", "")
        .replace(
            "axes.light",
            "axes.wind = { default = 0, domain = \"0..=1\" }\naxes.light",
        )
        .replace("stat + lit", "stat + lit - wind");
    place.write("new.toml", &revised);
    let run =
        place.run("compare lantern.toml new.toml --sweep stat=all --sweep wind=0,1 --format csv");
    assert_eq!(run.status, Some(0), "{}", run.err);
    for words in [
        "stat=-1 is left out: B does not have it",
        "A has no `wind`: it is the same for all its values",
        "A has no `Perfect`",
    ] {
        assert!(run.err.contains(words), "{words}: {}", run.err);
    }
    let rows = records(&run.out);
    assert_eq!(rows.len(), 1 + 4 * 2);
    let at = |name: &str| {
        rows[0]
            .iter()
            .position(|own| own == name)
            .expect("a column")
    };
    // A band on top takes from the one below, without wind; wind makes it worse.
    for row in &rows[1..] {
        assert_eq!(row[at("Perfect:a")], "0.0");
        assert_eq!(row[at("Miss:difference")] == "0.0", row[at("wind")] == "0");
        // 2d6 - 1 never comes to 12.
        let order = match (row[at("wind")].as_str(), row[at("stat")].as_str()) {
            ("0", _) => "b",
            (_, "0") => "a",
            _ => "neither",
        };
        assert_eq!(row[at("order")], order, "{row:?}");
    }
    let turned = revised.replace("\"Miss\", \"Weak\"", "\"Weak\", \"Miss\"");
    place.write("turned.toml", &turned);
    let run = place.run("compare lantern.toml turned.toml");
    assert_eq!(run.status, Some(0));
    assert!(run.err.contains("have no order in common"), "{}", run.err);
    assert!(!run.out.contains("is better"), "{}", run.out);
}

#[test]
fn what_only_one_side_allows() {
    let place = Place::new();
    let strict = LANTERN.replace(
        "[checks.check]",
        "[checks.check]\nrequire = [\"stat + boons <= 3\"]",
    );
    place.write("strict.toml", &strict);
    let out = place.answer("compare lantern.toml strict.toml --sweep stat=3 --sweep boons=0..=2");
    assert!(out.contains("only A is allowed in 2"), "{out}");
    assert!(out.contains("equal in 1"), "{out}");
}

#[test]
fn a_track_by_what_is_asked() {
    let place = Place::new();
    let out =
        place.answer("compare stars-and-signs:counter --with ability_rank=8 --query 'P(rolls<=3)'");
    assert!(
        out.contains("  Checks  ") && out.contains("P(Checks<=3)"),
        "{out}"
    );
}

#[test]
fn equal_is_said_and_is_no_failure() {
    let place = Place::new();
    place.write("same.toml", LANTERN);
    let out = place.answer("compare lantern.toml same.toml");
    assert!(
        out.contains("A and B reach every band equally often"),
        "{out}"
    );
    let of = place.answer("compare lantern.toml same.toml --of total");
    assert!(of.contains("A and B have the same odds for total"), "{of}");
}

/// What can be read in a picture: the texts, and what its parts say when they are pointed at.
fn words(picture: &str, tag: &str) -> Vec<String> {
    let open = format!("<{tag}");
    let parts = picture.split(&open).skip(1);
    let inside = parts.filter_map(|part| part.split_once('>')?.1.split_once('<'));
    inside.map(|(words, _)| words.trim().to_owned()).collect()
}

#[test]
fn pictures_along_one_axis() {
    let place = Place::new();
    let boons = format!("{CHANGED} --sweep boons=0..=3");
    let draw = |more: &str| {
        let picture = place.answer(&format!("{boons} {more} -o -"));
        [words(&picture, "desc"), words(&picture, "text")]
            .concat()
            .join("\n")
    };
    insta::assert_snapshot!("compare_bands", draw(""));
    insta::assert_snapshot!("compare_lines", draw("--query 'mean(total)'"));
    let panels = draw("--query Strong --query 'P(total>=9)'");
    for words in ["A: boon_cap=2\n", "\nStrong\n", "\nP(total&gt;=9)\n"] {
        assert!(panels.contains(words), "{words}: {panels}");
    }
    // Without bands the first number that both show.
    let test = "compare lantern.toml:test lantern.toml:test --with skill=4";
    place.refuses(
        &format!("{test} -o no.svg"),
        &["one or two swept axes, not 0"],
    );
    let other = LANTERN.replace("2d6 + skill", "3d4 + skill");
    for (name, place_of_names) in [
        ("other.toml", ">A: lantern.toml:test</text>"),
        // Too long for the ends of the lines, the sides are explained above.
        (
            "another-revision.toml",
            "Lantern · test; A: lantern.toml:test; B: another-revision.toml:test<",
        ),
    ] {
        place.write(name, &other);
        let target = format!("{name}:test");
        let words = format!("compare lantern.toml:test {target} --sweep skill=all -o -");
        let picture = place.answer(&words);
        assert!(
            picture.contains("mean(score) of A and B by skill"),
            "{picture}"
        );
        assert!(picture.contains(place_of_names), "{picture}");
    }
}

#[test]
fn a_map_has_the_differences_of_the_table() {
    let place = Place::new();
    let asked = format!("{CHANGED} --sweep boons=0..=3 --sweep stat=all");
    let rows = records(&place.answer(&format!("{asked} --format csv")));
    let miss = rows[0].iter().position(|name| name == "Miss:difference");
    let miss = miss.expect("a column");
    let picture = place.answer(&format!("{asked} -o -"));
    assert!(picture.contains("At least Weak: B − A by boons and stat"));
    let cells = words(&picture, "title");
    for row in &rows[1..] {
        let number = |text: &str| text.replace('-', "−");
        let points = row[miss].parse::<f64>().expect("a number") * -100.0;
        let points = match points {
            0.0 => "0".to_owned(),
            points => number(&format!("{points:+.2}")),
        };
        let cell = format!("boons {}, stat {}: {points}", row[0], number(&row[1]));
        assert!(cells.contains(&cell), "{cell}: {cells:?}");
    }
    let means = format!("{asked} --query 'mean(total)' -o -");
    let means = words(&place.answer(&means), "title");
    assert!(
        means.contains(&"boons 2, stat 0: −0.8858".to_owned()),
        "{means:?}"
    );
}

#[test]
fn pictures_are_files_of_two_kinds() {
    let place = Place::new();
    let boons = format!("{CHANGED} --sweep boons=all");
    let draw = |more: &str| place.answer(&format!("{boons} {more}"));
    assert_eq!(draw("-o bands.svg"), "");
    assert_eq!(place.read("bands.svg"), draw("-o -"));
    assert_ne!(place.read("bands.svg"), draw("-o - --theme dark"));
    assert_eq!(draw("-o bands.png"), "");
    let bytes = std::fs::read(place.path("bands.png")).expect("a file");
    assert!(bytes.starts_with(b"\x89PNG"));
    std::os::unix::fs::symlink("lantern.toml", place.path("rules.svg")).expect("a link");
    place.refuses(&format!("{boons} -o rules.svg"), &["is the ruleset itself"]);
    assert_eq!(place.read("lantern.toml"), LANTERN);
}

#[test]
fn what_cannot_be_drawn() {
    let place = Place::new();
    let turned = LANTERN.replace("[\"Miss\", \"Weak\"", "[\"Weak\", \"Miss\"");
    place.write("turned.toml", &turned);
    let before = place.files();
    let cases: &[(&str, &[&str])] = &[
        ("--with stat=1", &["not 0", "`--sweep` one axis"]),
        ("--with boon_cap=1 --sweep all", &["not 3"]),
        (
            "--with stat=1 --sweep boons=all --query Weak --query mean(total)",
            &["probabilities or numbers, not both"],
        ),
        (
            "--with stat=1 --sweep boons=all --of total",
            &["'--of <NAME>'"],
        ),
        (
            "--with stat=1 --sweep boons=all --as one-in",
            &["'--as <FORM>'"],
        ),
        (
            "--with stat=1 --sweep boons=all --format csv",
            &["'--format <FORMAT>'"],
        ),
        (
            "turned.toml --sweep boons=all",
            &["nothing in common that is drawn unasked", "`--query`"],
        ),
    ];
    for (line, says) in cases {
        place.refuses(&format!("compare lantern.toml {line} -o no.svg"), says);
    }
    place.refuses(
        &format!("{CHANGED} --sweep boons=all -o no.gif"),
        &["end it in .svg or .png"],
    );
    place.refuses(&format!("{CHANGED} --theme dark"), &["--output <FILE>"]);
    place.refuses(
        &format!("{CHANGED} --format csv --as one-in"),
        &["csv always has decimals"],
    );
    assert_eq!(place.files(), before);
}

#[test]
fn what_cannot_be_compared() {
    let place = Place::new();
    let cases: &[(&str, &[&str])] = &[
        ("compare lantern.toml", &["--with", "a second target"]),
        (
            "compare lantern.toml --with stt=1",
            &["`stt`", "did you mean `stat`?"],
        ),
        (
            "compare lantern.toml --with stat",
            &["`--with stat`", "is not name=value"],
        ),
        ("compare lantern.toml --set stt=1 --with stat=1", &["`stt`"]),
        (
            "compare lantern.toml --with stat=1 --sweep stat=0",
            &["both swept and set for B"],
        ),
        (
            "compare lantern.toml --set stat=1 --sweep stat=0 --with boons=1",
            &["both set", "and swept"],
        ),
        (
            "compare lantern.toml --with stat=1 --of totl",
            &["A (`check`) shows no `totl`", "`total`"],
        ),
        (
            "compare lantern.toml lantern.toml:test",
            &["no band, flag or number in common"],
        ),
        (
            "compare lantern.toml --with boons=1 --query nope",
            &["nope"],
        ),
        (
            "compare lantern.toml --with boons=1 --budget 10",
            &["the budget is 10"],
        ),
        (
            "compare lantern.toml lanten.toml",
            &["did you mean `lantern.toml`?"],
        ),
    ];
    for (line, says) in cases {
        place.refuses(line, says);
    }
}

/// What holds for many numbers is not told number by number.
#[test]
fn a_verdict_of_many_numbers_is_short() {
    let place = Place::new();
    let dice = |rules: &str| {
        format!("name = \"Dice\"\n[checks.check]\nrules = \"show total = {rules}\"\n")
    };
    place.write("a.toml", &dice("2 * 1d20"));
    place.write("b.toml", &dice("2 * 1d20 - 1 + 4 * (1d20 == 1)"));
    let out = place.answer("compare a.toml b.toml");
    assert!(
        out.contains("A reaches total 2, 4, 6, 8, 10 and 15 others more often"),
        "{out}"
    );
}

#[test]
fn the_check_of_the_first_target_is_meant_of_the_second() {
    let place = Place::new();
    let other = LANTERN.replace("2d6 + skill", "2d6 + skill + 1");
    place.write("other.toml", &other);
    let out = place.answer("compare lantern.toml:test other.toml");
    assert!(
        out.contains("score") && out.contains("B is higher"),
        "{out}"
    );
}

#[test]
fn a_new_band_was_never_rolled_before() {
    let place = Place::new();
    let other = LANTERN
        .replace("\"Strong\"]", "\"Strong\", \"Wild\"]")
        .replace("else: Strong", "< 12: Strong, else: Wild");
    place.write("other.toml", &other);
    let run = place.run("compare lantern.toml other.toml");
    let wild = run
        .out
        .lines()
        .find(|line| line.trim_start().starts_with("Wild"));
    let wild: Vec<&str> = wild.expect("a row").split_whitespace().collect();
    assert_eq!(
        wild[..4],
        ["Wild", "0.00%", "2.78%", "+2.78"],
        "{}",
        run.out
    );
}

#[test]
fn what_only_b_has_is_noted() {
    let place = Place::new();
    let other = LANTERN
        .replace(
            "axes.light ",
            "axes.fog = { default = 0, domain = \"0..=2\", sweep = \"all\" }\naxes.light ",
        )
        .replace("\"-1..=3\", sweep", "\"-1..=4\", sweep");
    place.write("other.toml", &other);
    let run = place.run("compare lantern.toml other.toml --sweep all");
    assert_eq!(run.status, Some(0), "{}", run.err);
    for note in [
        "note: A has no `fog`: in B it is 0, unless it is swept too\n",
        "note: stat=4 is left out: A does not have it\n",
    ] {
        assert!(run.err.contains(note), "{}", run.err);
    }
    let run = place.run("compare stars-and-signs:counter --with boon_cap=2");
    assert!(
        run.err
            .contains("note: this track has no bands: what is better, many Checks or few"),
        "{}",
        run.err
    );
}
