//! What is legal, but hardly meant: told with its place and a way out, and nowhere else.

use oddsmith_rules::{Model, Severity, expression_warnings, load};

use crate::names::rulesets;
use crate::page::{Page, good};

/// The messages of a ruleset's warnings.
fn messages(model: &Model) -> Vec<String> {
    let warnings = model.warnings.0.iter();
    warnings.map(|warning| warning.message.clone()).collect()
}

/// A ruleset of one check with these lines.
fn check(lines: &str) -> String {
    format!("name = \"Demo\"\n[checks.check]\n{lines}\n")
}

#[test]
fn rulesets_that_come_along_have_none() {
    for (name, text) in rulesets() {
        let model = load(&name, text.as_bytes()).expect("it is right");
        assert_eq!(model.warnings.render(false), "", "{name}");
    }
}

#[test]
fn each_is_told_at_its_place_with_a_way_out() {
    let mut page = Page::default();
    let cases = [
        (
            "a count that is a sum",
            check("rules = '''show hits = 5d6>=5'''"),
        ),
        (
            "a count by a name",
            check(
                "axes.dice = { default = 3, domain = '1..=9' }\nrules = '''let p = dice d10\nlet hits = p >= 8\nshow hit = hits >= 2'''",
            ),
        ),
        (
            "arms of a condition",
            check(
                "bands = ['miss', 'weak', 'strong']\nrules = '''let hit = 1d20 + 3 >= 11\nshow band = match hit { 0: miss, 1: weak, 2..=5: strong }'''",
            ),
        ),
        (
            "an `else` of a condition",
            check("rules = '''show x = match 1d6 > 3 { 0: 1, 1: 2, else: 3 }'''"),
        ),
        (
            "a condition that is always so",
            check("rules = '''show x = 0 <= (1d6 > 3)'''"),
        ),
        (
            "two digits",
            check("rules = '''show x = d66\nshow y = 2d666\nshow z = 1d66!(1)'''"),
        ),
        (
            "an explosion that is not counted",
            check(
                "axes.dice = { default = 3, domain = '1..=9' }\naxes.from = { default = 7, domain = '6..=10' }\nrules = \"\"\"\nshow x = (dice)d10!(4) cs>=from\nshow any = count(5d6!, >= 5) > 0\n\"\"\"",
            ),
        ),
        (
            "more kept than there are",
            check("rules = \"\"\"\nshow x = d4 + d6 + d8 kh2\nshow y = 3d6kl(1) + 3d6 kl 4\n\"\"\""),
        ),
        (
            "a range of faces",
            check(
                "rules = '''show x = 1d{1-6}\nshow y = 2d{1 - 3, 5}\nshow z = 1d{5-3, 2-2, -1, 1..=6}'''",
            ),
        ),
        (
            "a range of numbers in an arm",
            check(
                "rules = '''let x = 2d6\nshow y = match x { 1-6: 0, 7 - 9: 1, 12-2: 3, -1: 4, 11..=12: 5, else: 6 }'''",
            ),
        ),
        (
            "best first",
            check(
                "bands = ['success', 'partial', 'failure']\nrules = '''show band = match 2d6 { >= 10: success, >= 7: partial, else: failure }'''",
            ),
        ),
        (
            "a hit before a miss",
            check(
                "bands = ['Hit', 'Miss']\nrules = '''show band = if 1d20 >= 11 then Hit else Miss'''",
            ),
        ),
        (
            "a contest for the higher total",
            check(
                "bands = ['gold', 'lead']\ncontest = 'total'\nrules = '''show total = 2d6\nshow band = match total { >= 8: gold, else: lead }'''",
            ),
        ),
        (
            "a stale acceptance",
            format!(
                "{}[[accept]]\nfinding = 'best-first/check'\nreason = 'It was so.'\n",
                check(
                    "bands = ['failure', 'success']\nrules = '''show band = if 1d6 > 3 then success else failure'''"
                )
            ),
        ),
        (
            "bands of a round",
            "name = 'Demo'\n[tracks.fight]\nbands = ['dead', 'won']\nrules = \"\"\"\nlet left = 3\nlet foe = 3\nrepeat until left <= 0 or foe <= 0 {\n  set left = left - 1d2\n  let after = max(foe - 1d2, 0)\n  set foe = after\n  show band = if after > 0 then dead else won\n}\n\"\"\"\n".to_owned(),
        ),
        (
            "inputs that nothing reads",
            check(
                "axes.wind = { default = 0, domain = '0..=3' }\nrules = '''let blown = wind + 1\nshow x = 1d6'''\n[params]\nsteps = { default = [1, 2], domain = '0..=3' }",
            ),
        ),
    ];
    for (title, text) in cases {
        let model = good(&text);
        assert!(!model.warnings.0.is_empty(), "{title}");
        for warning in &model.warnings.0 {
            assert_eq!(warning.severity, Severity::Warning);
            assert!(warning.help.is_some() && warning.span.start < warning.span.end);
        }
        page.add(title, &model.warnings.render(false));
    }
    insta::assert_snapshot!(page.text);
}

#[test]
fn what_is_meant_can_be_written_and_is_not_warned_of() {
    for text in [
        "sum(5d6) >= 5",
        "5d6 cs>=5",
        "5d6!(1) cs>=7",
        "{d4, d6, d8}kh2",
        "2d20kh2",
        "5d6!==5(1) cs>=6",
        "5d6!(1) cs<=3",
        "2d6 > 9",
        "3d6 >= 11",
        "d20 >= 11",
        "1d6 <= 2",
        "d(66)",
        "2d(666)",
        "d%",
        "d100",
        "d20",
        "d60",
        "d22",
        "d10",
        "d[10*1d6 + 1d6]",
        "(1d6 > 3) + (1d6 > 3) >= 2",
        "(1d6 > 3) == 1",
        "(1d6 > 3) >= (1d6 > 4)",
        "match 1d6 > 3 { 1: 2, else: 0 }",
    ] {
        assert_eq!(
            expression_warnings(text, "demo").render(false),
            "",
            "{text}"
        );
    }
    for rules in [
        "bands = ['failure', 'success']\naxes.skill = { default = 10, domain = '1..=20' }\nrules = \"show band = if 1d20 <= skill then success else failure\"",
        "bands = ['failure', 'success', 'critical']\naxes.skill = { default = 50, domain = '1..=99' }\nrules = \"show band = match d100 { <= floor(skill / 5): critical, <= skill: success, else: failure }\"",
        // Whoever dodges is glad of a miss.
        "bands = ['hit', 'miss']\nrules = \"show band = if 1d20 >= 11 then miss else hit\"",
        // More stress is worse.
        "bands = ['panic', 'shaken', 'calm']\naxes.stress = { default = 2, domain = '0..=9' }\nrules = \"show band = match 1d6 + stress { <= 5: calm, <= 9: shaken, else: panic }\"",
        "bands = ['critical failure', 'failure', 'critical success']\nrules = '''show band = match 1d6 { 1: \"critical failure\", 6: \"critical success\", else: failure }'''",
        // A count may be of more than the highest face: a value of the script has the name of another check's axis.
        "axes.dice = { default = 3, domain = '1..=5' }\nrules = 'let from = 1d6 + 9 show x = (dice)d10!(4) cs>=from'\n[checks.other]\naxes.from = { default = 7, domain = '6..=10' }\nrules = 'show x = 1d6 + from'",
        "rules = 'show x = hits(12)'\n[functions]\nhits = '(from) => count(5d10!(4), >= from)'\n[checks.other]\naxes.from = { default = 7, domain = '6..=10' }\nrules = 'show x = 1d6 + from'",
        // Read by a requirement, or by a question that the ruleset asks.
        "axes.points = { default = 3, domain = '0..=3' }\naxes.spent = { default = 0, domain = '0..=3' }\nrequire = ['spent <= points']\nrules = 'show x = 1d6 + spent'",
        "axes.target = { default = 3, domain = '1..=6' }\nrules = 'show x = 1d6'\n[[expect]]\nintent = 'A target is met.'\nquery = 'P(x >= target)'\nat_least = 0.5",
        "axes.target = { default = 3, domain = '1..=6' }\nrules = 'show x = 1d6'\n[[accept]]\nfinding = 'dead-axis/check/target'\nreason = 'It is for the page alone.'",
        "bands = ['success', 'failure']\nrules = 'show band = if 1d6 > 3 then success else failure'\n[[accept]]\nfinding = 'best-first/check'\nreason = 'An enemy rolls.'",
    ] {
        let model = good(&check(rules));
        assert_eq!(model.warnings.render(false), "", "{rules}");
    }
    // The bands of a round may be those of its roll.
    let model = good(
        "name = 'Demo'\n[tracks.climb]\nbands = ['slip', 'grip']\nrules = \"\"\"\nlet up = 0\nrepeat until up >= 3 {\n  let roll = 1d6\n  show band = if roll > 3 then grip else slip\n  set up = min(up + (roll > 3), 3)\n}\n\"\"\"\n",
    );
    assert_eq!(model.warnings.render(false), "");
}

/// The names of all bands of a text in the opposite order.
fn with_reversed_bands(text: &str) -> String {
    let line = |line: &str| {
        let list = line.strip_prefix("bands").and_then(|rest| {
            let (head, labels) = rest.split_once('[')?;
            let labels: Vec<&str> = labels.strip_suffix(']')?.split(", ").collect();
            let labels: Vec<&str> = labels.into_iter().rev().collect();
            Some(format!("bands{head}[{}]", labels.join(", ")))
        });
        list.unwrap_or_else(|| line.to_owned())
    };
    text.lines().map(|text| line(text) + "\n").collect()
}

/// What becomes of every ruleset that comes along when it is changed like this: how many are changed and still load, and
/// how many of those are warned with these words.
fn warned(change: impl Fn(&str) -> String, words: &str) -> (usize, usize) {
    let mut counts = (0, 0);
    for (name, text) in rulesets() {
        let mutant = change(&text);
        let Ok(model) = load(&name, mutant.as_bytes()) else {
            continue;
        };
        if mutant != text {
            counts.0 += 1;
            let is_warned = messages(&model)
                .iter()
                .any(|message| message.contains(words));
            counts.1 += usize::from(is_warned);
        }
    }
    counts
}

#[test]
fn an_axis_or_a_parameter_that_nothing_reads_is_found_in_every_ruleset() {
    let axis = |text: &str| {
        let line = "axes.never_read = { default = 0, domain = \"0..=3\" }\nrules = ";
        text.replacen("\nrules = ", &format!("\n{line}"), 1)
    };
    let parameter = |text: &str| {
        let line = "[params.never_read]\ndefault = 0\ndomain = \"0..=3\"\n\n[checks.";
        text.replacen("[checks.", line, 1)
    };
    for (tried, found) in [
        warned(axis, "`never_read` moves nothing"),
        warned(parameter, "`never_read` moves nothing"),
    ] {
        assert!(tried > 25, "{tried} rulesets");
        assert_eq!(found, tried);
    }
}

/// The first d6 of the rules as a d66; comments, help, titles, intents and labels are no rules.
fn with_a_d66(text: &str) -> String {
    let is_word = |c: char| c.is_alphabetic() || c == '_';
    let is_die = |line: &str, at: usize| {
        let (before, after) = (&line[..at], &line[at + 2..]);
        !before.ends_with(|c: char| is_word(c) || c == '"')
            && !after.starts_with(|c: char| is_word(c) || c.is_ascii_digit())
    };
    let mut is_done = false;
    let lines = text.lines().map(|line| {
        let is_rule = !is_done
            && !["#", "help", "name", "intent", "title"]
                .iter()
                .any(|no| line.contains(no));
        let die = line
            .match_indices("d6")
            .find(|(at, _)| is_rule && is_die(line, *at));
        match die {
            Some((at, _)) => {
                is_done = true;
                format!("{}d66{}\n", &line[..at], &line[at + 2..])
            }
            None => format!("{line}\n"),
        }
    });
    lines.collect()
}

#[test]
fn a_d6_that_becomes_a_d66_is_found_in_every_ruleset() {
    let change = |text: &str| {
        let mutant = with_a_d66(text);
        if mutant.contains("d66") {
            mutant
        } else {
            text.to_owned()
        }
    };
    let (tried, found) = warned(change, "`d66` is");
    assert!(tried >= 8, "{tried} rulesets");
    assert_eq!(found, tried);
}

#[test]
fn bands_that_are_turned_round_are_found_by_their_names_or_by_the_script() {
    let mut missed = Vec::new();
    let mut found = 0;
    for (name, text) in rulesets() {
        let mutant = with_reversed_bands(&text);
        let Ok(model) = load(&name, mutant.as_bytes()) else {
            continue;
        };
        let is_found = |check: &str| {
            let words = format!("the bands of `{check}` stand best first");
            messages(&model)
                .iter()
                .any(|message| message.contains(&words))
        };
        let checks = model.checks.iter().chain(&model.tracks);
        for check in checks.filter(|check| check.band().is_some()) {
            match is_found(&check.name) {
                true => found += 1,
                false => {
                    let (_, bands) = check.band().expect("it has bands");
                    missed.push(bands.labels().join(" "));
                }
            }
        }
    }
    missed.sort();
    missed.dedup();
    assert!(found >= 18, "{found} checks");
    // Neither names nor scripts of these tell which end is the best.
    insta::assert_snapshot!(missed.join("\n"));
}
