//! Charts and reports: what is drawn is what is computed, and nothing is left behind when it can't be.

mod sheet;

use std::fs;

use crate::support::{Place, records, words};

/// A game with charts, a track, a flag, a label with markup in it, and configurations that are forbidden.
const KEEP: &str = r#"name = "Keep & Moat"
help = "Climb or swim"

[checks.climb]
help = "Up the wall"
bands = ["Fall", "Cling", "Top"]
axes.stat = { default = 0, domain = "0..=3", sweep = "all", help = "what it rolls with" }
axes.wall = { default = "rock", domain = ["rock", "<ice>"], sweep = "all" }
axes.rope = { default = 0, domain = "0..=1" }
require = ["stat < 3 or wall == rock"]
rules = '''
show total = 2d6 + stat + rope
show Slip = total == 7
show band = match total { < 7: Fall, < 10: Cling, else: Top }
'''

[tracks.ascent]
inherit = ["climb"]
axes.height = { default = 2, domain = "1..=4", sweep = "all" }
rules = '''
let done = 0
repeat until done == height {
  let roll = climb(..)
  show gain = if roll.band > Fall then 1 else 0
  set done = min(done + gain, height)
}
'''

[[charts]]
title = "How high?"
x = "stat"
by = "wall"

[[charts]]
check = "ascent"
title = "How long?"
x = "height"
by = "stat=0,2"

[[charts]]
check = "ascent"
kind = "dist"
"#;

fn keep() -> Place {
    let place = Place::new();
    place.write("keep.toml", KEEP);
    place
}

/// The tooltips of a drawing: its exact numbers in words.
fn tips(svg: &str) -> Vec<&str> {
    let tips = svg.split("<title>").skip(2);
    tips.filter_map(|rest| rest.split("</title>").next())
        .collect()
}

// Charts.

#[test]
fn bars_are_as_high_as_the_odds() {
    let place = keep();
    place.answer("chart keep.toml --x stat --set rope=1 -o stat.svg");
    let svg = place.read("stat.svg");
    let table = place.answer("table keep.toml --sweep stat=all --set rope=1 --format markdown");
    let mut expected = Vec::new();
    for line in table.lines().skip(2) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        for (band, odds) in ["Fall", "Cling", "Top"].into_iter().zip(&cells[1..]) {
            expected.push(format!("{}, {band}: {odds}", cells[0]));
        }
    }
    assert_eq!(tips(&svg), expected);
    assert!(svg.contains("<title>The bands by stat</title>"), "{svg}");
    assert!(
        svg.contains("Keep &amp; Moat · climb: wall=rock rope=1"),
        "{svg}"
    );
}

/// Of a die that explodes nine times 27 or more is 4/6 of 1/1296, and 28 or more 3/6 of it, less than 1 in 2,000.
#[test]
fn ends_that_can_not_be_seen_are_left_out_and_told() {
    let place = Place::new();
    let drawn = |rules: &str| {
        let text = format!("name = 'Bang'\n[checks.bang]\nrules = 'show x = {rules}'\n");
        place.write("bang.toml", &text);
        place.answer("chart bang.toml -o -")
    };
    let outcomes = |svg: &str| {
        let of = |tip: &str| tip.split_once(": ").map(|(outcome, _)| outcome.to_owned());
        tips(svg)
            .into_iter()
            .filter_map(of)
            .collect::<Vec<String>>()
    };
    let svg = drawn("1d6!(9)");
    assert!(
        svg.contains("Bang · bang; 0.04% lie beyond what is shown"),
        "{svg}"
    );
    assert_eq!(outcomes(&svg).last().map(String::as_str), Some("27"));
    let svg = drawn("-1d6!(9)");
    assert!(svg.contains("0.04% lie beyond what is shown"), "{svg}");
    assert_eq!(outcomes(&svg).first().map(String::as_str), Some("−27"));
    // Round numbers stand below it, also those that it never shows, such as 6 and 12.
    let svg = drawn("3 * 1d6!(9)");
    for number in [10, 20, 50, 70] {
        assert!(
            svg.contains(&format!(">{number}</text>")),
            "{number}: {svg}"
        );
    }
    // Two thirds of the width are wanted.
    for rules in ["10d6", "1d6!(2)", "2d6"] {
        let svg = drawn(rules);
        assert!(!svg.contains("beyond"), "{rules}: {svg}");
    }
}

#[test]
fn each_kind_is_drawn_of_a_check_and_of_a_track() {
    let place = keep();
    for (asked, expected) in [
        (
            "--x stat --by wall --query P(band>=Cling)",
            "Cling or better by stat and wall",
        ),
        (
            "--x stat --facet rope=0,1 --query Slip --query Top",
            "Slip, Top by stat",
        ),
        (
            "--x stat --by rope=0,1 --kind heatmap --query mean(total)",
            "Mean of total by stat and rope",
        ),
        ("--kind dist", "The distribution of total"),
        ("--x total --facet rope=0,1 --title Totals", ">Totals<"),
    ] {
        let svg = place.answer(&format!("chart keep.toml {asked} -o -"));
        assert!(
            svg.starts_with("<svg ") && svg.contains(expected),
            "{asked}: {svg}"
        );
    }
    for (asked, expected) in [
        ("--x height", "Mean of rolls by height"),
        ("--kind dist", "The distribution of rolls"),
    ] {
        let svg = place.answer(&format!("chart keep.toml:ascent {asked} -o -"));
        assert!(svg.contains(expected), "{asked}: {svg}");
    }
}

#[test]
fn what_the_rules_forbid_is_left_blank() {
    let place = keep();
    let svg = place.answer("chart keep.toml --x stat --set wall=<ice> -o -");
    assert_eq!(
        tips(&svg)
            .iter()
            .filter(|tip| tip.contains(", Fall: "))
            .count(),
        3,
        "{svg}"
    );
}

#[test]
fn what_has_no_number_is_explained() {
    let place = keep();
    place.write(
        "shot.toml",
        "name = \"Shot\"\n[tracks.shot]\nbands = [\"lost\", \"won\"]\n\
        axes.p = { default = 0, domain = \"0..=6\", sweep = \"all\" }\n\
        rules = '''\nlet hit = d6 <= p\nlet won = 0\nrepeat until won == 1 {\n  set won = if hit then 1 else won\n}\n\
        show band = if won == 1 then won else lost\n'''\n".replace("then won else lost", "then \"won\" else \"lost\"").as_str(),
    );
    let ask = |asked: &str| place.answer(&format!("chart {asked} -o -"));
    let forbidden = ask("keep.toml --x stat --set wall=<ice>");
    assert!(
        forbidden.contains("no answer (×): not allowed"),
        "{forbidden}"
    );
    let endless = ask("shot.toml --kind dist --set p=3");
    assert!(endless.contains("50.00% never end"), "{endless}");
    let bands = ask("shot.toml --x p=2,3,6");
    assert!(bands.contains(">never ends<"), "{bands}");
    assert!(tips(&bands).contains(&"3, never ends: 50.00%"), "{bands}");
    let means = ask("shot.toml --x p=3,6 --query mean(rolls)");
    assert!(means.contains("no answer (×): without end"), "{means}");
    place.refuses(
        "chart keep.toml --x stat --query P(Top|total>100) -o a.svg",
        &["there is no number to draw: its condition never happens"],
    );
}

#[test]
fn distributions_of_what_the_rules_forbid_are_empty_panels() {
    let place = keep();
    let svg = place.answer("chart keep.toml --x total --by wall --set stat=3 -o -");
    assert!(
        tips(&svg).iter().any(|tip| tip.contains("10, Top: 16.67%")),
        "{svg}"
    );
}

#[test]
fn what_is_nearly_certain_is_not_drawn_as_certain() {
    let place = Place::new();
    place.write(
        "sure.toml",
        "name = \"Sure\"\n[checks.check]\nbands = [\"no\", \"yes\"]\n\
        axes.dice = { default = 1, domain = \"1..=20\", sweep = \"1,20\" }\n\
        rules = '''\nshow band = if (dice)d10 == dice then \"no\" else \"yes\"\n'''\n",
    );
    let svg = place.answer("chart sure.toml --x dice -o -");
    let tips = tips(&svg);
    assert!(tips.contains(&"20, yes: &gt;99.99%"), "{tips:?}");
}

#[test]
fn lines_run_along_ascending_numbers() {
    let place = keep();
    let ask = |values: &str| {
        place.answer(&format!(
            "chart keep.toml --x stat={values} --query Top -o -"
        ))
    };
    assert_eq!(ask("3,0,2"), ask("0,2,3"));
}

#[test]
fn the_outcomes_of_a_number_are_shaded_by_their_bands() {
    let place = keep();
    let svg = place.answer("chart keep.toml --x total -o -");
    let tips = tips(&svg);
    assert!(
        tips.iter().any(|tip| tip.contains("7, Cling: 16.67%")),
        "{tips:?}"
    );
    assert!(
        tips.iter().any(|tip| tip.contains("6, Fall: 13.89%")),
        "{tips:?}"
    );
}

#[test]
fn a_png_is_a_png_and_every_theme_is_another() {
    let place = keep();
    let mut pictures = Vec::new();
    for theme in ["light", "dark", "print"] {
        place.answer(&format!(
            "chart keep.toml --x stat --theme {theme} -o {theme}.png"
        ));
        pictures.push(fs::read(place.path(&format!("{theme}.png"))).expect("a picture"));
    }
    assert!(
        pictures
            .iter()
            .all(|bytes| bytes.starts_with(b"\x89PNG\r\n"))
    );
    assert!(pictures[0] != pictures[1] && pictures[1] != pictures[2] && pictures[0] != pictures[2]);
}

#[test]
fn charts_that_cant_be_drawn_leave_no_file() {
    let place = keep();
    let before = place.files();
    for (asked, expected) in [
        ("--x stat=1 -o a.svg", "two values or more"),
        ("--x sta -o a.svg", "did you mean `stat`?"),
        ("--x stat -o a.gif", "end it in .svg or .png"),
        ("--x stat -o keep.toml", "end it in .svg or .png"),
        ("--x stat -o missing/a.svg", "can't write"),
        (
            "--x stat --set stat=1 -o a.svg",
            "is given to both `--x` and `--set`",
        ),
        (
            "--kind heatmap --x stat -o a.svg",
            "a heat map needs a second axis",
        ),
        ("--kind dist --x totl -o a.svg", "did you mean `total`?"),
        (
            "--x stat --query Slip --query mean(total) -o a.svg",
            "probabilities or numbers",
        ),
        ("--x stat --budget 1 -o a.svg", "budget"),
    ] {
        place.refuses(&format!("chart keep.toml {asked}"), &[expected]);
    }
    let wide = KEEP.replace("domain = \"0..=3\"", "domain = \"0..=999\"");
    place.write("wide.toml", &wide);
    for (asked, expected) in [
        (
            "--kind heatmap --x stat=0..=315 --by wall -o a.svg",
            "too many",
        ),
        ("--kind bands --x stat=0..=300 -o a.png", "too many"),
    ] {
        place.refuses(&format!("chart wide.toml {asked}"), &[expected]);
    }
    fs::remove_file(place.path("wide.toml")).expect("it was there");
    assert_eq!(place.files(), before);
}

// Reports.

#[test]
fn a_report_has_tables_charts_and_a_page() {
    let place = keep();
    place.answer("report keep.toml -o out --png");
    let page = place.read("out/index.html");
    for text in [
        "Keep &amp; Moat",
        "Up the wall",
        "How high?",
        "How long?",
        "&lt;ice&gt;",
    ] {
        assert!(page.contains(text), "{text}");
    }
    for outside in ["src=\"http", "href=\"http", "url(http", "@import"] {
        assert!(!page.contains(outside), "{outside}");
    }
    let climb =
        place.answer("table keep.toml --sweep all --exact --query Slip --query mean(total)");
    assert_eq!(place.read("out/keep/climb.csv"), climb);
    assert_eq!(
        records(&place.read("out/keep/ascent.csv")).len(),
        1 + 4 * 2 * 4
    );
    let alone = place.answer("chart keep.toml --title How&high? --x stat --by wall -o -");
    assert_eq!(
        place.read("out/keep/how-high.svg"),
        alone.replace("How&amp;high?", "How high?")
    );
    for file in [
        "how-long.svg",
        "how-long.png",
        "the-distribution-of-rolls.svg",
    ] {
        assert!(place.path("out/keep").join(file).is_file(), "{file}");
    }
}

/// Charts that nobody declared are those that `chart` draws; what can't be drawn is left out.
#[test]
fn a_report_of_rules_without_charts_draws_what_fits() {
    let place = Place::new();
    place.write(
        "plain.toml",
        "name = 'Plain'\n[checks.climb]\nbands = ['Fall', 'Top']\n\
        axes.wall = { default = 0, domain = '0..=3' }\n\
        axes.stat = { default = 0, domain = '0..=3', sweep = 'all' }\n\
        rules = \"\"\"\nshow total = 2d6 + stat - wall\nshow band = if total >= 8 then Top else Fall\n\"\"\"\n\
        [checks.coin]\nrules = 'show heads = 1d2 == 2'\n",
    );
    place.answer("report plain.toml -o out");
    let files = fs::read_dir(place.path("out/plain")).expect("a directory");
    let names = files.map(|file| {
        file.expect("a file")
            .file_name()
            .into_string()
            .expect("a name")
    });
    let mut drawn: Vec<String> = names.filter(|name| name.ends_with(".svg")).collect();
    drawn.sort();
    assert_eq!(
        drawn,
        ["the-bands-by-stat.svg", "the-distribution-of-total.svg"]
    );
    let alone = place.answer("chart plain.toml:climb --x stat -o -");
    assert_eq!(place.read("out/plain/the-bands-by-stat.svg"), alone);
}

#[test]
fn the_same_rules_give_the_same_bytes() {
    let place = keep();
    place.answer("report keep.toml -o one --threads 1");
    place.answer("report keep.toml -o two --threads 3");
    for file in ["index.html", "keep/climb.csv", "keep/how-high.svg"] {
        assert_eq!(
            place.read(&format!("one/{file}")),
            place.read(&format!("two/{file}")),
            "{file}"
        );
    }
}

#[test]
fn a_part_of_a_ruleset_can_be_reported() {
    let place = keep();
    place.answer("report keep.toml:ascent lantern.toml:test -o out");
    let page = place.read("out/index.html");
    assert!(page.contains("How long?") && !page.contains("How high?"));
    assert!(!place.path("out/keep/climb.csv").exists());
    assert!(place.path("out/lantern/test.csv").is_file());
}

#[test]
fn reports_that_fail_leave_the_directory_as_it_was() {
    let place = keep();
    place.answer("report lantern.toml -o out");
    let page = place.read("out/index.html");
    place.write(
        "long.toml",
        &KEEP.replace(
            "height = { default = 2, domain = \"1..=4\"",
            "height = { default = 2, domain = \"1..=99999\"",
        ),
    );
    fs::create_dir(place.path("other")).expect("a new directory");
    place.write("other/keep.toml", KEEP);
    place.write("file", "");
    for (asked, expected) in [
        (
            "long.toml -o out",
            "the default sweep of `ascent` has 799992 configurations",
        ),
        ("keep.toml --budget 1 -o out", "budget"),
        ("keep.toml:clim -o out", "did you mean `keep.toml:climb`?"),
        (
            "keep.toml other/keep.toml -o out",
            "would write the same files",
        ),
        ("keep.toml -o file", "`file` is not a directory"),
    ] {
        place.refuses(&format!("report {asked}"), &[expected]);
    }
    assert_eq!(place.read("out/index.html"), page);
    let mut left: Vec<_> = fs::read_dir(place.path("out"))
        .expect("a directory")
        .map(|entry| entry.expect("a file").file_name())
        .collect();
    left.sort();
    assert_eq!(left, ["index.html", "lantern"]);
}

/// Where a terminal shows no picture, every kind of one is written in characters.
#[test]
fn a_terminal_gets_the_picture_in_characters() {
    let place = Place::new();
    let drawn = |line: &str| {
        let mut command = place.command();
        command.env("COLUMNS", "80").args(words(line));
        let output = command.output().expect("it runs");
        assert!(output.status.success(), "{line}");
        String::from_utf8(output.stdout).expect("text")
    };
    insta::assert_snapshot!(drawn("chart pbta --kind bands --x stat --facet edge=none,advantage"),
        @r"
    The bands by Stat
    Powered by the Apocalypse · move

    Third die = none
      Stat                                  · miss  ▒ weak  █ strong
        −1  ··················▒▒▒▒▒▒▒▒▒▒██  58.33%  33.33%     8.33%
         0  ·············▒▒▒▒▒▒▒▒▒▒▒▒█████  41.67%  41.67%    16.67%
         1  ········▒▒▒▒▒▒▒▒▒▒▒▒▒▒████████  27.78%  44.44%    27.78%
         2  ·····▒▒▒▒▒▒▒▒▒▒▒▒▒████████████  16.67%  41.67%    41.67%
         3  ···▒▒▒▒▒▒▒▒▒▒█████████████████   8.33%  33.33%    58.33%

    Third die = advantage
      Stat                                  · miss  ▒ weak  █ strong
        −1  ··········▒▒▒▒▒▒▒▒▒▒▒▒▒▒██████  31.94%  48.15%    19.91%
         0  ······▒▒▒▒▒▒▒▒▒▒▒▒▒███████████  19.44%  44.91%    35.65%
         1  ···▒▒▒▒▒▒▒▒▒▒▒████████████████  10.65%  37.04%    52.31%
         2  ··▒▒▒▒▒▒▒▒████████████████████   5.09%  26.85%    68.06%
         3  ·▒▒▒▒▒████████████████████████   1.85%  17.59%    80.56%
    ");
    insta::assert_snapshot!(drawn("chart pbta --x stat --by edge --query mean(total)"),
        @r"
    Mean of total by Stat and Third die
    Powered by the Apocalypse · move

      Stat  disadvantage              none                advantage
        −1        4.5417  █████▏         6  ██████▊          7.4583  ████████▌
         0        5.5417  ██████▎        7  ████████         8.4583  █████████▋
         1        6.5417  ███████▍       8  █████████▏       9.4583  ██████████▊
         2        7.5417  ████████▌      9  ██████████▎     10.4583  ███████████▉
         3        8.5417  █████████▊    10  ███████████▍    11.4583  █████████████
    ");
    insta::assert_snapshot!(drawn("chart pbta --x stat=-1..=1 --by edge --kind heatmap --query strong"),
        @r"
    strong by Stat and Third die
    Powered by the Apocalypse · move

    Third die, from bottom to top; Stat, from left to right

                          −1         0         1
         advantage  ▒ 19.91%  ▓ 35.65%  █ 52.31%
              none   ░ 8.33%  ░ 16.67%  ▒ 27.78%
      disadvantage   · 1.85%   · 5.09%  ░ 10.65%
    ");
    insta::assert_snapshot!(drawn("chart pbta --kind dist --x total"),
        @r"
    The distribution of total
    Powered by the Apocalypse · move: Stat = 0, Third die = none

      total    odds
          2   2.78%  ·····
          3   5.56%  ··········
          4   8.33%  ···············
          5  11.11%  ····················
          6  13.89%  ·························
          7  16.67%  ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
          8  13.89%  ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
          9  11.11%  ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
         10   8.33%  ███████████████
         11   5.56%  ██████████
         12   2.78%  █████

      · miss  ▒ weak  █ strong
    ");
}

/// The bar of each configuration is as long as certainty: no share is lost or drawn twice. Six bands have letters.
#[test]
fn bars_of_bands_are_as_long_as_certainty() {
    let place = Place::new();
    let games = [
        ("pbta", "stat"),
        ("pathfinder2e", "modifier"),
        ("stars-and-signs", "circ_boons"),
        ("traveller", "target"),
    ];
    for (game, axis) in games {
        let text = place.answer(&format!("chart {game} --kind bands --x {axis}"));
        let is_bar = |word: &&str| {
            word.chars().all(|c| "·░▒▓█abcdef".contains(c)) && word.chars().count() > 1
        };
        let bars: Vec<&str> = text
            .lines()
            .filter(|line| line.contains('%'))
            .filter_map(|line| line.split_whitespace().find(is_bar))
            .collect();
        assert!(
            bars.len() > 4 && bars.iter().all(|bar| bar.chars().count() == 30),
            "{game}: {text}"
        );
    }
}
