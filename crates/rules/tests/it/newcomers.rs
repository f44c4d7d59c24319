//! What newcomers write: slips, words of other tools, lists and sweeps.

use crate::page::{Page, around, good};

#[test]
fn words_of_other_tools() {
    let mut page = Page::default();
    let scripts = [
        "show x = 4D6",
        "show x = D6 + 1",
        "show x = 2D20 kh 1",
        "shwo x = 2d6 show y = x",
        "let a = 4d6 lte b = 3 show y = a + b",
        "SHOW x = 2d6",
        "let a = 0 repaet 3 { set a = a + 1 } show x = a",
        "var a = 3 show x = 2d6",
        "show x = IF rank > 1 then 1 else 0",
        "show x = if rank > 1 THEN 1 else 0",
        "show x = if rank > 1 then 1 esle 0",
        "show x = mathc rank { else: 1 }",
        "show x = 2d6 > 3 AND rank > 1",
        "show x = 4d6 hk 2",
        "show x = 4d6xh3",
        "show x = 4d6 drop lowest",
        "show x = 4d6 keep highest 3",
        "show x = 4d6 drop rank",
        "show x = 4d6 keep lowest rank",
        "band = if rank > 1 then Hit else Miss",
        "output 2d6 + rank",
        "show x = 3d6 reroll 1",
        "show x = 3d6 explode",
        "// show the total\nshow x = 2d6",
        "show x = 2d6 // let it roll",
        "let a = 2d6 show x = a in 3..=5",
        "show x = match rank { 1: Strong hit, else: Miss }",
        "let a = 2d6\nshow x = 1d6 if a > 7 else 3",
        "show x = match rank { 2+: 1, else: 0 }",
        "show x = if rank > 1: 2d6, else: 1d6",
        "show x = sum(2d6) * 50%",
        "show x = 50% of rank",
        "let a = 2d6\nshow a + rank",
        "show mean x",
        "let dice pool = 2d6\nshow x = rank",
        "-- the total\nshow x = 2d6",
        "repeat 2 { let once = 1d6 } show x = once",
        "repeat 2 { let once = 1d6 } set once = 3",
    ];
    for rules in scripts {
        page.rules(&rules.replace('\n', "\\n"), rules);
    }
    let text = around("show total = 2d6 + rank show value = total").replace(
        "\"Miss\", \"Graze\", \"Hit\"",
        "\"Miss\", \"Strong hit\", \"at a cost\"",
    );
    let check = &good(&text).checks[0];
    let queries = [
        "P(Strong hit)",
        "at a cost & value > 3",
        "med(total)",
        "stdev(total)",
        "quantile(total, 3)",
        "percentile(total, 90)",
        "avg(total)",
        "prob(Miss)",
        "P(value in 3..=5)",
        "P(value == 3..=5)",
        "P(value >= 3) after 3 rounds",
    ];
    for text in queries {
        let errors = check.query(text, "--query").expect_err(text);
        page.errors(&format!("--query '{text}'"), 1, Err(errors));
    }
    insta::assert_snapshot!(page.text);
    page.finish();
}

/// Messages that say how to go on with what was meant.
#[test]
fn ways_out() {
    let mut page = Page::default();
    let scripts = [
        "let d = 3d6 let total = d repeat 2 { set total = total + 1d6 } show x = total",
        "let total = 2d6 + 1d4 let p = 2d6 set p = 3 show x = total + p",
        "show place = match rank { 1: \"head\", else: Miss }",
        "show place = match rank { 1: \"Hitt\", else: \"Miss\" }",
        "show x = 10d10!(9)ro==1",
        "show x = 1d100 % 11",
        "show x = div(rank, 2)",
        "show x = unique(5d6)",
    ];
    for rules in scripts {
        page.rules(rules, rules);
    }
    let bare = around("show place = if rank > 2 then \"head\" else 3")
        .replace("bands", "# bands")
        .replace("show band = Miss", "");
    page.file("no bands", &bare);
    let files = [
        (
            "a name of two words",
            "name = \"A\"\n[checks.my test]\nrules = \"show x = 1d6\"\n",
        ),
        (
            "labels without quotes",
            "name = \"A\"\n[checks.b]\nbands = [Fail, Mixed]\nrules = \"show x = 1d6\"\n",
        ),
        (
            "nothing, almost",
            "name = \"A\"\n[checks.b]\nbands = [nothing]\nrules = \"show x = 1d6\"\n",
        ),
        (
            "a large True",
            "name = \"A\"\n[checks.b]\nrules = \"show x = 1d6\"\naxes.a = { default = True, domain = \"0..=1\" }\n",
        ),
        (
            "axes outside",
            "name = \"A\"\n[axes.boons]\ndomain = \"0..=3\"\n[checks.b]\nrules = \"show x = 1d6\"\n",
        ),
    ];
    for (title, text) in files {
        page.file(title, text);
    }
    insta::assert_snapshot!(page.text);
    page.finish();
}

#[test]
fn settings_of_newcomers() {
    let text = around("show total = 2d6 + rank").replace(
        "axes.banes",
        "axes.skill_rank = { default = 0, domain = \"0..=3\" }\n\
         axes.stat = { default = 0, domain = \"0..=3\" }\naxes.banes",
    );
    let check = &good(&text).checks[0];
    let mut page = Page::default();
    let values = [
        "rank=1,banes=2",
        "ladder=1,2,3",
        "ladder=[0,4,6",
        "ladder=[0,4]",
        "ladder=4",
        "ladder[deep]=12",
        "skill=1",
        "sata=1",
        "zzz=1",
        "rank=1..=3",
        "state=all",
    ];
    for text in values {
        let error = check
            .set(&mut check.defaults(), text, "--set")
            .expect_err(text);
        page.add(&format!("--set '{text}'"), &error.render(false));
    }
    for text in ["ladder=all", "rank=al", "state=al", "rank=1,banes=all"] {
        let error = check.sweep(text, "--sweep").expect_err(text);
        page.add(&format!("--sweep '{text}'"), &error.render(false));
    }
    page.file(
        "sweep = \"al\"",
        &text.replace("domain = \"-2..=5\"", "domain = \"-2..=5\", sweep = \"al\""),
    );
    insta::assert_snapshot!(page.text);
    page.finish();
}

#[test]
fn one_slip_hides_nothing() {
    let mut page = Page::default();
    let text = around("show x = match rank { 1: Hitt, 2..=3: Miss }");
    page.errors(
        "a gap, and a label",
        2,
        oddsmith_rules::load("game.toml", text.as_bytes()).map(|_| ()),
    );
    let text = around("show x = match rank { 1..=5: Hitt, 3: Hit, else: Miss }");
    page.errors(
        "an overlap, and a label",
        2,
        oddsmith_rules::load("game.toml", text.as_bytes()).map(|_| ()),
    );
    let text = around("show x = rnk").replace("[checks.check]", "[check.check]");
    page.errors(
        "[check.check], and a name",
        2,
        oddsmith_rules::load("game.toml", text.as_bytes()).map(|_| ()),
    );
    let text = around("show x = rank") + "[check.other]\nrules = \"show x = rnk\"\n";
    page.errors(
        "[checks.check] beside [check.other]",
        2,
        oddsmith_rules::load("game.toml", text.as_bytes()).map(|_| ()),
    );
    insta::assert_snapshot!(page.text);
    page.finish();
}

/// In all games that come along, a label in place of a name or a value leads to that name or value, and so does what a track
/// calls its rounds.
#[test]
fn labels_lead_to_names() {
    let (mut names, mut values, mut units) = (0, 0, 0);
    for (id, text) in oddsmith_rules::all_games() {
        let model = oddsmith_rules::load(id, text.as_bytes()).expect("it is right");
        for check in model.checks.iter().chain(&model.tracks) {
            for input in check.inputs.iter().filter(|input| !input.label.is_empty()) {
                let asked = format!("P({} >= 0)", input.label);
                // A label may be the name of something that is shown.
                let Err(errors) = check.query(&asked, "--query") else {
                    continue;
                };
                let said = errors.render(false);
                assert!(said.contains(&format!("`{}`", input.name)), "{id}: {said}");
                names += 1;
                for (value, label) in &input.value_labels {
                    let value = input.domain.show(*value);
                    let set = format!("{}={label}", input.name);
                    let error = check.set(&mut check.defaults(), &set, "--set");
                    let error = error.expect_err("no value is written so");
                    assert!(
                        error.render(false).contains(&format!("is `{value}`")),
                        "{id}: {set}"
                    );
                    let fix = error.fix.expect("it can be mended");
                    assert_eq!(fix.text, value);
                    values += 1;
                }
            }
            let unit = &check.unit.many;
            if check.rounds.is_some() && unit != "rolls" {
                let errors = check.query(&format!("P({unit} <= 3)"), "--query");
                let said = errors.expect_err("it is no name").render(false);
                assert!(said.contains("the name of this is `rolls`"), "{id}: {said}");
                units += 1;
            }
        }
    }
    assert!(
        names > 100 && values > 10 && units > 10,
        "{names} {values} {units}"
    );
}

#[test]
fn labels_beside_other_slips() {
    let text = around("show total = 2d6 + rank").replace(
        "axes.banes",
        "axes.help = { default = 0, domain = \"0..=2\", label = \"With the help of\", labels = { 1 = \"a friend\" } }\naxes.banes",
    );
    let check = &good(&text).checks[0];
    let mut page = Page::default();
    for asked in [
        "P(with the help of > 0 & totl > 3)",
        "mean(total | help == \"a friend\")",
        "P(total > 3 | With the help of == 1)",
        "P(help of > 1)",
        "P(help == yes)",
    ] {
        let errors = check.query(asked, "--query").expect_err(asked);
        page.add(&format!("--query '{asked}'"), &errors.render(false));
    }
    for sweep in ["help=0,a friend", "With the help of=all"] {
        let error = check.sweep(sweep, "--sweep").expect_err(sweep);
        page.add(&format!("--sweep '{sweep}'"), &error.render(false));
    }
    insta::assert_snapshot!(page.text);
    page.finish();
}
