//! What is read on a screen is no wider than the screen.

use crate::support::{Place, words};

/// A ruleset with a track whose rounds have a name, and with labels of several words.
const LABELLED: &str = r#"
name = "A long job"

[params]
hl = { default = 0, domain = "0..=2", label = "Helper", labels = { 0 = "alone", 1 = "with help", 2 = "with a crowd" } }

[checks.roll]
label = "The roll"
bands = ["miss", "hit"]
axes.stat = { default = 0, domain = "-2..=3", sweep = "all", label = "Stat of the hero", labels = { 0 = "none" } }
rules = """
show total = 2d6 + stat + hl
show band  = if total >= 8 then hit else miss
"""

[tracks.job]
label = "The whole job"
unit  = ["check", "checks"]
axes.slots = { default = 3, domain = "1..=6", sweep = "all", label = "Slots to fill" }
rules = """
let full = 0
let luck = 0
repeat until full >= slots {
  let t = 2d6 + hl
  set full = min(full + (if t >= 8 then 1 else 0), slots)
  set luck = if t == 12 then 1 else luck
}
show lucky = luck == 1
"""
"#;

/// A ruleset with many errors, in lines that are far wider than a screen.
const BROKEN: &str = r#"
name = "Broken"
[checks.check]
bands = ["Miss", "Weak hit", "Strong hit", "Critical"]
axes.stat = { default = 0, domain = "-1..=3", sweep = "all", label = "Stat", help = "the number that is added to the two dice", colour = "red" }
axes.edge = { default = 0, domain = [-1, 0, 1] }
rules = """
show total = 2d6 + stat
show band  = match total { <= 6: "Miss", 7..=9: "Weak hit", 10..=12: "Strong hit", 13..=14: "Critical", 15..=16: "Extreme", else: nothing }
show x = if total >= 7 then 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 else zzz + 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9
show stat = 3
"""
[checks.later]
axes.number_of_dice_that_are_rolled = { default = 3, domain = "1..=9", sweep = "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19", label = "Dice" }
rules = "show total = sum(number_of_dice_that_are_rolled d6) + number_of_dice_that_are_roled + fooo(1, 2, 3, 4, 5, 6) + check()"
[[expect]]
query = "P(bnd >= Miss)"
"#;

/// A ruleset that is right, with long warnings.
const WARNED: &str = r#"
name = "Warned"
[checks.leap_over_the_wide_and_muddy_ditch_behind_the_old_mill]
bands = ["success", "stumble", "failure"]
axes.skill = { default = 0, domain = "0..=5", sweep = "all" }
axes.wind  = { default = 0, domain = "0..=3", help = "taken off the total, which is a long story that nobody has told to its end so far" }
rules = """
show total = 2d6 + skill
show band  = match total { >= 10: success, >= 7: stumble, else: failure }
"""
[[expect]]
intent  = "Whoever leaps over the wide and muddy ditch behind the old mill falls into it in half of all tries, or nearly so."
source  = "the story of the old mill, as it is told in the village"
query   = "success"
at_most = 0.01
"#;

/// A command of each kind, with the widest answers that the shipped games have, and with notes beside them.
const COMMANDS: &[&str] = &[
    "rules list",
    "rules show stars-and-signs",
    "rules show action-primer",
    "rules show pbta",
    "rules validate warned.toml lantern.toml labelled.toml",
    "new --help",
    "dist 4d6kh3 3d6",
    "dist stars-and-signs:check.effort_spent,band --set effort=3",
    "odds stars-and-signs --set ability_rank=8 --set circ_boons=2",
    "odds action-checks --set pool=4",
    "odds warned.toml --query mean(total|success)",
    "table stars-and-signs --sweep circ_boons=-10..=10 --sweep ability_rank=all --pivot circ_boons --query P(band>=Hit) --format table",
    "table dnd5e-attack --sweep ac=all --pivot ac --format table",
    "table pbta --sweep stat=all --format table",
    "table pbta --sweep weak_from=all --sweep strong_from=all --format table",
    "track farkle:turn",
    "track labelled.toml:job --query P(rolls<=5)",
    "contest risus:roll --a dice=4 --b dice=3",
    "contest labelled.toml:roll --a stat=1 --b hl=1 --compare total",
    "compare pbta --with strong_from=11 --sweep stat=all",
    "compare pbta --with strong_from=11 --sweep weak_from=all",
    "compare stars-and-signs --with boon_cap=3 --sweep circ_boons=-5..=5",
    "compare labelled.toml:job --with hl=1",
    "compare labelled.toml:job --with hl=1 --sweep slots=all",
    "compare labelled.toml:roll --with hl=2",
    "balance pbta",
    "balance dnd5e-attack",
    "balance labelled.toml:job",
    "balance value stars-and-signs --set ability_rank=6 --set skill_rank=3",
    "balance plan action-primer --checks 3 --pool 4",
    "balance lint pbta",
    "balance lint labelled.toml",
    "policy action-primer --set karma=3",
    "simulate pbta --trials 1000",
    "simulate stars-and-signs --trials 1000 --sweep circ_boons=-1..=1",
    "simulate labelled.toml:job --trials 1000 --sweep hl=0,1",
    "chart stars-and-signs --x circ_boons --facet mood",
    "chart stars-and-signs --x circ_boons --by state --query mean(total)",
    "chart stars-and-signs --kind heatmap --x circ_boons=-2..=2 --by ability_boons --query Hit",
    "tune pbta --vary strong_from=8..=11 --goal P(band>=weak)~0.6",
    "anydice program.txt",
    "verify cases.csv",
];

/// Questions whose answers are long sentences, and places in long lines.
const REFUSED: &[&str] = &[
    "rules validate broken.toml",
    "rules validate nothing.toml pbta:move",
    "rules show zzz",
    "rules zzz",
    "rules fmt nothing.toml",
    "odds broken.toml",
    "odds stars-and-signs --set zz=1",
    "odds stars-and-signs --set ability_rank=99",
    "odds pbta --query P(totl>3)",
    "odds pbta --zzz",
    "odds",
    "odds zzz",
    "odds labelled.toml --query P(Helper>0)",
    "table stars-and-signs",
    "table stars-and-signs --sweep circ_boons=1,2,3,4,5,6,7,8,9,10,9,8,7,6,5,4,3,2,1,2,3,4,5,6,7,8,9,10,99",
    "dist 4d6x6",
    "dist 4d6kh3+zzz+fooo(1,2,3)+1d6+1d8+1d10+1d12+1d20+1d100+2d6+3d6+4d6+qqq+1d1d1d1d1",
    "anydice wrong.txt",
    "track pbta",
    "contest pbta --a zz=1 --b zz=1",
    "compare pbta",
    "compare pbta --with stat 2",
    "balance pbta --levers zz",
    "balance plan pbta",
    "tune pbta",
    "policy pbta",
    "chart pbta --x zz",
    "chart pbta --x stat --kind zz",
    "simulate pbta --trials 1e99",
    "simulate pbta --sweep stat=0..9",
    "check nothing.toml",
    "check warned.toml",
    "verify nothing.csv",
    "report nothing.toml -o odds",
    "merge nothing.part",
    "new lantern.toml --from pbta",
    "serve --port zzz",
    "zzz",
];

/// Commands that answer programs, or until they are stopped.
const FOR_PROGRAMS: [&str; 4] = ["lsp", "completions", "man", "help"];

/// The lines that are wider, but for those of a patch, and those in which a single word is.
fn too_wide(text: &str, width: usize) -> Vec<&str> {
    let patch = text.find("\n--- a/").unwrap_or(text.len());
    let lines = text[..patch].lines();
    let wide = lines.filter(|line| line.chars().count() > width);
    let is_prose = |line: &&str| {
        let longest = line.split(' ').map(|word| word.chars().count()).max();
        let indent = line.len() - line.trim_start().len();
        longest.is_some_and(|longest| longest + indent + 2 <= width)
    };
    wide.filter(is_prose).collect()
}

fn place() -> Place {
    let place = Place::new();
    for (name, text) in [
        ("labelled.toml", LABELLED),
        ("broken.toml", BROKEN),
        ("warned.toml", WARNED),
        (
            "program.txt",
            "output [explode d6] named \"one die that explodes\"\noutput 3d6\n",
        ),
        (
            "wrong.txt",
            "output 1d6 + 2d8 + 3d10 + 4d12 + 5d20 + 6d100 + 7d6 + 8d6 + 9d6 + 10d6 + [zzz 1d6 and 2d6 and 3d6]\n",
        ),
    ] {
        place.write(name, text);
    }
    place
}

/// The lines of both streams that are too wide on a screen that is so wide, and the exit status.
fn run(place: &Place, line: &str, width: usize) -> (Vec<String>, Option<i32>) {
    let mut command = place.command();
    command.env("COLUMNS", width.to_string()).args(words(line));
    let output = command.output().expect("it runs");
    let streams =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("text"));
    assert!(streams.iter().any(|text| !text.is_empty()), "{line}");
    let wide = streams.iter().flat_map(|text| too_wide(text, width));
    let wide = wide.map(|wide| format!("{line} at {width}: {wide}"));
    (wide.collect(), output.status.code())
}

#[test]
fn no_line_is_wider_than_the_screen() {
    let place = place();
    let mut wrong = Vec::new();
    for (commands, is_refused) in [(COMMANDS, false), (REFUSED, true)] {
        for line in commands {
            for width in [80, 120] {
                let (wide, status) = run(&place, line, width);
                assert_eq!(status == Some(2), is_refused, "{line}");
                wrong.extend(wide);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What moved is told in lines that fit, and in the words of the ruleset: rounds as the track calls them.
#[test]
fn odds_that_moved_are_told_in_the_words_of_the_ruleset() {
    let place = place();
    place.answer("check labelled.toml --update");
    let harder = LABELLED.replace("if t >= 8", "if t >= 9");
    place.write("labelled.toml", &harder);
    let mut command = place.command();
    command
        .env("COLUMNS", "80")
        .args(words("check labelled.toml"));
    let output = command.output().expect("it runs");
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).expect("text");
    assert_eq!(too_wide(&text, 80), Vec::<&str>::new());
    assert!(
        text.contains("mean(checks)") && text.contains("Slots to fill"),
        "{text}"
    );
    for format in ["markdown", "junit", "github"] {
        let told = place
            .run(&format!("check labelled.toml --format {format}"))
            .out;
        assert!(
            told.contains("mean(checks)") && !told.contains("mean(rolls)"),
            "{told}"
        );
    }
}

/// A command that is new has to be looked at above.
#[test]
fn every_command_is_looked_at_on_a_narrow_screen() {
    let help = Place::new().answer("help");
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands = commands.take_while(|line| !line.is_empty());
    let names = commands.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
    assert!(names.len() > 20, "{names:?}");
    let is_looked_at = |name: &str| {
        let mut all = COMMANDS.iter().chain(REFUSED);
        all.any(|words| words.split(' ').next() == Some(name)) || FOR_PROGRAMS.contains(&name)
    };
    let missing: Vec<&&str> = names.iter().filter(|name| !is_looked_at(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// A width for which nothing fits is no reason to fail.
#[test]
fn the_narrowest_screens_have_answers() {
    let place = Place::new();
    for width in ["0", "1", "3", "wide", "18446744073709551615"] {
        for line in [
            "rules show action-checks",
            "odds pbta",
            "balance lint pbta",
            "odds zzz",
        ] {
            let mut command = place.command();
            command.env("COLUMNS", width).args(words(line));
            let status = command.output().expect("it runs").status.code();
            let expected = if line == "odds zzz" { 2 } else { 0 };
            assert_eq!(status, Some(expected), "{line} at {width}");
        }
    }
}

/// What words are broken is the same text: nothing is lost.
#[test]
fn a_narrow_screen_has_the_words_of_a_wide_one() {
    let place = Place::new();
    let words_at = |width: Option<usize>| {
        let mut command = place.command();
        command.args(words("balance lint pbta"));
        if let Some(width) = width {
            command.env("COLUMNS", width.to_string());
        }
        let text = String::from_utf8(command.output().expect("it runs").stdout).expect("text");
        let words = text.split_whitespace().map(str::to_owned);
        words.collect::<Vec<_>>()
    };
    assert_eq!(words_at(Some(40)), words_at(None));
}
