//! Tables for rulebooks, wikis and forums: forms of probabilities, BBCode, pivots.

use crate::support::{Place, records};

/// Bands and labels with brackets and bars in them, and configurations that are forbidden.
const KEEP: &str = r#"name = "Keep"

[checks.climb]
bands = ["Fall", "Cling [b]", "Top"]
axes.stat = { default = 0, domain = "0..=3", sweep = "all" }
axes.wall = { default = "rock", domain = ["rock", "[i]ce", "mud"], sweep = "all" }
require = ["stat < 2 or wall != mud"]
rules = '''
show total = 2d6 + stat
show band = match total { < 7: Fall, < 10: "Cling [b]", else: Top }
'''
"#;

fn keep() -> Place {
    let place = Place::new();
    place.write("keep.toml", KEEP);
    place
}

// Labels.

/// People read labels; data has names and numbers, and so has what the command line takes.
#[test]
fn labels_stand_in_tables_for_people() {
    let place = Place::new();
    place.write(
        "labels.toml",
        "name = 'Labels'\n[checks.try]\nlabel = 'An attempt'\nbands = ['no', 'yes']\n\
        axes.die = { default = 6, domain = '4..=8', sweep = '4,5,6', label = 'Skill [die]', labels = { 4 = 'd|4', 6 = 'd6' } }\n\
        rules = 'show band = if 1d(die) >= 4 then yes else no'\n",
    );
    let ask = |more: &str| place.answer(&format!("table labels.toml --sweep all {more}"));
    assert_eq!(
        ask("--format table"),
        "Skill [die]      no     yes\n        d|4  75.00%  25.00%\n          5  60.00%  40.00%\n         d6  50.00%  50.00%\n"
    );
    assert_eq!(
        ask("--format markdown --decimals 0"),
        "| Skill [die] | no | yes |\n|---:|---:|---:|\n| d\\|4 | 75% | 25% |\n| 5 | 60% | 40% |\n| d6 | 50% | 50% |\n"
    );
    assert!(ask("--format csv").starts_with("die,no,yes\n4,0.75,0.25\n5,"));
    assert!(ask("--format jsonl").starts_with("{\"die\":4,"));
    let across = ask("--pivot die --format markdown --decimals 0");
    assert!(
        across.starts_with("| Skill [die] | d\\|4 | 5 | d6 |\n"),
        "{across}"
    );
    assert!(ask("--pivot die --format csv").starts_with("outcome,4,5,6\n"));
    assert!(
        place
            .answer("odds labels.toml --set die=4")
            .contains("Skill [die] = d|4")
    );
}

// Forms.

#[test]
fn probabilities_are_written_as_asked_for() {
    let place = Place::new();
    let ask = |more: &str| place.answer(&format!("dist 2d6 --query P(value<=4) {more}"));
    for (more, expected) in [
        ("", "16.67%"),
        ("--decimals 0", "17%"),
        ("--as percent --decimals 6", "16.666667%"),
        ("--as decimal", "0.1667"),
        ("--as decimal --decimals 1", "0.2"),
        ("--as one-in", "1 in 6 "),
        ("--as fraction", "1/6"),
    ] {
        for format in ["table", "markdown", "bbcode"] {
            let said = ask(&format!("{more} --format {format}"));
            let plain = said.replace("[/td]", " ");
            assert!(plain.contains(expected), "{more} {format}: {said}");
        }
    }
}

/// What one command rounds to nothing no other one does.
#[test]
fn every_command_says_the_same_of_the_same_chance() {
    let place = Place::new();
    place.write(
        "rare.toml",
        "name = \"Rare\"\n[checks.check]\naxes.bonus = { default = 0, domain = \"0..=1\" }\n\
        rules = '''\nshow total = 4d12 + bonus\nshow All = total >= 48 + bonus\n\
        show None = total > 48 + bonus\n'''\n",
    );
    let rows = |line: &str, more: &str| {
        let said = place.answer(&format!("{line} {more} --format markdown"));
        let cells = |line: &str| line.split(" | ").map(str::to_owned).collect::<Vec<_>>();
        // Those of the first table.
        let lines = said.lines().take_while(|line| !line.is_empty());
        lines.map(cells).collect::<Vec<_>>()
    };
    for (more, rare, never) in [
        ("--decimals 2", "<0.01%", "0.00%"),
        ("--decimals 0", "<1%", "0%"),
        ("--as one-in", "1 in 20,736", "never"),
        ("--as decimal", "<0.0001", "0.0000"),
    ] {
        let odds = rows("odds rare.toml --query P(total==48)", more);
        let shown: Vec<&str> = odds[2..].iter().map(|row| row[1].as_str()).collect();
        assert_eq!(shown, [rare, never, rare], "{more}");
        let table = rows("table rare.toml --sweep bonus=0", more);
        assert_eq!(table[2][1..3], [rare, never], "{more}");
        let dist = rows("dist 4d12", more);
        assert_eq!(dist[2][1], rare, "{more}");
        let dist = rows("dist 4d12 --query P(value==48) --query P(value>48)", more);
        assert_eq!(
            (dist[2][1].as_str(), dist[3][1].as_str()),
            (rare, never),
            "{more}"
        );
    }
}

#[test]
fn rows_of_a_table_for_people_are_rounded() {
    let place = Place::new();
    let sweep = "table lantern.toml --sweep stat=0,1 --query mean(total)";
    let ask = |more: &str| place.answer(&format!("{sweep} {more}"));
    insta::assert_snapshot!("markdown", ask("--format markdown"));
    insta::assert_snapshot!("bbcode", ask("--format bbcode --decimals 0"));
    insta::assert_snapshot!("view", ask("--format table --as fraction"));
    ask("-o odds.md");
    assert_eq!(place.read("odds.md"), ask("--format markdown"));
}

#[test]
fn formats_for_programs_have_decimals() {
    let place = Place::new();
    for (line, expected) in [
        (
            "odds lantern.toml --as percent --format csv",
            "`--as` has no use here: csv",
        ),
        (
            "dist d6 --decimals 2 --format json",
            "`--decimals` has no use here: json",
        ),
        (
            "table lantern.toml --sweep stat=0 --as one-in",
            "csv always has decimals",
        ),
        (
            "table lantern.toml --sweep stat=0 --decimals 1 -o x.jsonl",
            "jsonl always",
        ),
        (
            "table lantern.toml --sweep stat=0 --decimals 1 -o x.parquet",
            "Parquet always",
        ),
        (
            "dist d6 --as fraction --decimals 1",
            "fractions have no digits",
        ),
        ("dist d6 --decimals 7", "7 is not in 0..=6"),
        ("odds lantern.toml --decimals -1", "-1 is not in 0..=6"),
        (
            "dist d6 --as odds",
            "possible values: percent, decimal, one-in, fraction",
        ),
        ("dist d6 --explain --as decimal", "cannot be used with"),
    ] {
        place.refuses(line, &[expected]);
    }
}

// BBCode.

/// The same cells as in Markdown, whatever is asked.
#[test]
fn bbcode_has_the_columns_of_markdown() {
    let place = keep();
    for line in [
        "odds keep.toml --query mean(total)",
        "dist 2d6",
        "dist 2d6 --query P(value>=11)",
        "table keep.toml --sweep all",
        "table keep.toml --sweep all --pivot stat",
        "track buried-secrets:race --as one-in",
        "contest keep.toml --compare total --a stat=1",
        "policy stars-and-signs --set effort=2 --decimals 1",
        "simulate --dice 2d6 --trials 1000",
    ] {
        let ask = |format| {
            let run = place.run(&format!("{line} --format {format}"));
            assert_eq!(run.status, Some(0), "{line}: {}", run.err);
            run.out
        };
        let bbcode = ask("bbcode");
        let count = |what: &str| bbcode.matches(what).count();
        for tag in ["table", "tr", "th", "td", "b"] {
            let (open, close) = (format!("[{tag}]"), format!("[/{tag}]"));
            assert_eq!(count(&open), count(&close), "{line}: {bbcode}");
        }
        assert_eq!(
            cells_of_bbcode(&bbcode),
            cells_of_markdown(&ask("markdown")),
            "{line}"
        );
    }
}

/// The cells of every line of a table, with brackets as they were.
fn cells_of_bbcode(text: &str) -> Vec<Vec<String>> {
    let rows = text.lines().filter_map(|line| line.strip_prefix("[tr]"));
    rows.map(|row| {
        let row = row.replace("[/th]", "[/td]").replace("[th]", "[td]");
        let cells = row
            .strip_suffix("[/tr]")
            .expect("a row in a line")
            .split("[/td]");
        let mut cells: Vec<String> = cells.map(|cell| cell.replace("[td]", "")).collect();
        cells.pop();
        cells.iter().map(|cell| cell.replace("[ ", "[")).collect()
    })
    .collect()
}

fn cells_of_markdown(text: &str) -> Vec<Vec<String>> {
    let rows = text.lines().filter(|line| line.starts_with("| "));
    rows.map(|row| {
        let cells = row
            .trim_start_matches("| ")
            .trim_end_matches(" |")
            .split(" | ");
        cells.map(|cell| cell.replace(r"\|", "|")).collect()
    })
    .collect()
}

// Pivots.

#[test]
fn a_pivot_in_every_format() {
    let place = keep();
    let ask = |more: &str| {
        place.answer(&format!(
            "table keep.toml --sweep all --pivot stat --decimals 1 {more}"
        ))
    };
    insta::assert_snapshot!("pivot_markdown", ask("--format markdown"));
    insta::assert_snapshot!("pivot_bbcode", ask("--format bbcode --only Top"));
    insta::assert_snapshot!(
        "pivot_view",
        ask("--format table --only Top --only mean(total)")
    );
    let csv = place.answer("table keep.toml --sweep all --pivot stat --only Top");
    insta::assert_snapshot!("pivot_csv", csv);
}

/// A pivot is the same table laid out otherwise: each cell is that of its configuration.
#[test]
fn every_cell_of_a_pivot_is_that_of_its_row() {
    let place = keep();
    let sweep =
        "table keep.toml --sweep wall=mud,rock,[i]ce --sweep stat=3,0,2 --query mean(total)";
    let flat = records(&place.answer(sweep));
    for (axis, at) in [("wall", 0), ("stat", 1)] {
        let pivot = records(&place.answer(&format!("{sweep} --pivot {axis}")));
        let mut filled = 0;
        for row in &pivot[1..] {
            for (value, cell) in pivot[0].iter().zip(row).skip(2) {
                let is_it = |flat: &&Vec<String>| flat[at] == *value && flat[1 - at] == row[1];
                let column = flat[0]
                    .iter()
                    .position(|name| *name == row[0])
                    .expect("a column");
                let expected = flat[1..]
                    .iter()
                    .find(is_it)
                    .map_or("", |flat| &flat[column]);
                assert_eq!(cell, expected, "{axis}={value} {row:?}");
                filled += usize::from(!cell.is_empty());
            }
        }
        assert_eq!(filled, 4 * (flat.len() - 1), "{axis}");
    }
}

/// If nothing runs down, the bands do.
#[test]
fn a_pivot_of_one_axis_is_one_table() {
    let place = keep();
    let ask = |more: &str| {
        place.answer(&format!(
            "table keep.toml --sweep stat=0..=2 --pivot stat {more}"
        ))
    };
    let expected = "| stat | 0 | 1 | 2 |\n|---|---:|---:|---:|\n| Fall | 42% | 28% | 17% |\n\
        | Cling [b] | 42% | 44% | 42% |\n| Top | 17% | 28% | 42% |\n";
    assert_eq!(ask("--format markdown --decimals 0"), expected);
    let csv = records(&ask(""));
    assert_eq!(csv[0], ["outcome", "0", "1", "2"]);
    assert_eq!(csv.len(), 1 + 3);
}

#[test]
fn any_number_of_threads_gives_the_same_pivot() {
    let place = Place::new();
    let ask = |threads| {
        let line = "table lantern.toml --sweep all --pivot stat --format markdown";
        place.answer(&format!("{line} --threads {threads}"))
    };
    assert_eq!(ask("1"), ask("4"));
}

#[test]
fn only_what_is_wanted_is_shown() {
    let place = keep();
    let head = |more: &str| {
        records(&place.answer(&format!("table keep.toml --sweep stat=0 {more}")))[0].join(",")
    };
    assert_eq!(head("--only 'Cling [b]'"), "stat,Cling [b]");
    assert_eq!(
        head("--only 'P(band>=Top)' --only Fall"),
        "stat,P(band>=Top),Fall"
    );
    assert_eq!(
        head("--query 'mean(total)' --only Top"),
        "stat,Top,mean(total)"
    );
}

#[test]
fn what_can_not_be_laid_out_is_refused() {
    let place = keep();
    for (line, says) in [
        (
            "--sweep all --pivot stta",
            &["`stta` is not swept", "did you mean `stat`?", "stat, wall"][..],
        ),
        (
            "--sweep stat=all --pivot wall",
            &["`wall` is not swept", "the swept axes are stat"],
        ),
        ("--sweep all --pivot stat --exact", &["cannot be used with"]),
        (
            "--sweep all --pivot stat --format jsonl",
            &["a row for each configuration"],
        ),
        (
            "--sweep all --pivot stat -o x.parquet",
            &["a row for each configuration"],
        ),
        (
            "--sweep all --only Topp",
            &["unknown name `Topp`", "did you mean `Top`?", "--only"],
        ),
    ] {
        place.refuses(&format!("table keep.toml {line}"), says);
    }
    let large =
        "table stars-and-signs --sweep all --pivot circ_boons --sweep flat=0..=199 -o x.csv";
    place.refuses(large, &["cells are too many to lay out", "--only"]);
    assert!(!place.files().contains(&"x.csv".to_owned()));
}

/// A condition that never happens leaves a cell empty, and is no reason to leave out the row.
#[test]
fn a_pivot_keeps_rows_without_an_answer() {
    let place = keep();
    let line = "table keep.toml --sweep stat=0,1 --sweep rope=0,1 --pivot stat --only P(Top|total>99*rope) --format csv";
    place.write(
        "keep.toml",
        &KEEP.replace(
            "axes.wall",
            "axes.rope = { default = 0, domain = \"0..=1\" }\naxes.wall",
        ),
    );
    let run = place.run(line);
    assert_eq!(run.status, Some(0), "{}", run.err);
    // Nothing but the question reads it.
    assert!(run.err.contains("`rope` moves nothing"), "{}", run.err);
    let rows = records(&run.out);
    assert_eq!(rows.len(), 3, "{rows:?}");
    assert_eq!(rows[2][2..], ["", ""]);
}

/// What leads to the bands may be sparse and wide: it is not laid out number by number.
#[test]
fn wide_and_sparse_sums_have_a_table_too() {
    let place = Place::new();
    place.write(
        "wide.toml",
        "name = \"Wide\"\n[checks.check]\nbands = [\"x\", \"y\"]\naxes.a = { default = 0, domain = \"-9999..=9999\" }\n\
        rules = '''\nlet p = 1d2 * 4000000000000000000\n\
        show band = match p + a { < 4000000000000000001: x, else: y }\n'''\n",
    );
    let said = place.answer("table wide.toml --sweep a=-500..=500");
    let rows = records(&said);
    assert_eq!(rows.len(), 1002);
    assert_eq!(
        (&rows[501][1], &rows[502][1]),
        (&"0.5".to_owned(), &"0.0".to_owned())
    );
}

// Configurations that break a rule.

/// At `by=0` a statement fails that no question reads.
const GAPS: &str = r#"name = "Gaps"
[checks.check]
bands = ["Miss", "Hit"]
axes.by = { default = 1, domain = "0..=2", sweep = "all" }
axes.stat = { default = 0, domain = "0..=1", sweep = "all" }
rules = '''
let unread = floor(2d6 / by)
show band = if 2d6 + stat >= 7 then Hit else Miss
'''
"#;

#[test]
fn a_configuration_that_breaks_a_rule_leaves_its_cells_empty() {
    let place = Place::new();
    place.write("gaps.toml", GAPS);
    let run = |more: &str| place.run(&format!("table gaps.toml --sweep all {more}"));
    let said = "2 configurations break a rule, and their cells are empty (`--strict` refuses the table). \
                The first: gaps.toml:7:26: division by zero, for by=0";
    for (more, first, second) in [
        ("", "0,0,,", "1,0,0.41666"),
        ("--exact", "0,0,,,,,", "1,0,0.41666"),
        (
            "--format jsonl",
            r#"{"by":0,"stat":0,"Miss":null,"Hit":null}"#,
            r#"{"by":1,"stat":0,"Miss":0.4166"#,
        ),
        ("--format markdown", "| 0 | 0 |  |  |", "| 1 | 0 | 41.67% |"),
        ("--pivot by", "Miss,0,,0.41666", "Miss,1,,0.27777"),
    ] {
        let table = run(more);
        assert_eq!(table.status, Some(0), "{more}: {}", table.err);
        assert!(table.err.contains(said), "{more}: {}", table.err);
        assert_eq!(table.err.lines().count(), 1, "{more}: {}", table.err);
        for part in [first, second] {
            assert!(table.out.contains(part), "{more}: {}", table.out);
        }
    }
    for format in ["csv", "jsonl", "markdown", "bbcode", "table"] {
        let line = format!("table gaps.toml --sweep all --strict --format {format}");
        let refused = place.run(&line);
        assert_eq!(refused.status, Some(2), "{format}");
        assert!(
            refused.err.contains("division by zero, for by=0"),
            "{format}: {}",
            refused.err
        );
    }
}

/// A number is shown, too.
fn gaps_with_a_total() -> Place {
    let place = Place::new();
    let shown = "show total = 2d6 + stat\nshow band";
    place.write("gaps.toml", &GAPS.replace("show band", shown));
    place
}

/// Whatever is asked over several configurations.
#[test]
fn a_configuration_that_breaks_a_rule_keeps_no_other_from_its_answer() {
    let place = gaps_with_a_total();
    place.write(
        "oddsmith.toml",
        "rulesets = [\"gaps.toml\"]\nbaseline = \"odds\"\n",
    );
    let run = |line: &str| place.run(line);
    let first = "The first: gaps.toml:7:26: division by zero, for by=0";
    for (line, says) in [
        (
            "chart gaps.toml --x stat --by by -o bands.svg",
            "2 configurations break a rule, and they are not drawn.",
        ),
        (
            "chart gaps.toml --kind lines --query mean(total) --x stat --by by -o lines.svg",
            "2 configurations break a rule, and they are not drawn.",
        ),
        (
            "chart gaps.toml --kind dist --x total --by by -o dist.svg",
            "1 configuration breaks a rule, and it is not drawn.",
        ),
        (
            "compare gaps.toml gaps.toml --sweep by=all --sweep stat=all",
            "2 configurations break a rule, and A has no odds there.",
        ),
        (
            "report gaps.toml -o pages",
            "2 configurations break a rule, and their cells are empty.",
        ),
        (
            "check --update",
            "2 configurations break a rule, and their cells are empty.",
        ),
    ] {
        let answer = run(line);
        assert_eq!(answer.status, Some(0), "{line}: {}", answer.err);
        assert!(answer.err.contains(says), "{line}: {}", answer.err);
        assert!(answer.err.contains(first), "{line}: {}", answer.err);
    }
    for picture in ["bands.svg", "lines.svg", "dist.svg"] {
        assert!(place.read(picture).contains("breaks a rule"), "{picture}");
    }
    let rows = run("compare gaps.toml gaps.toml --sweep by=all --format csv").out;
    assert!(rows.contains("\n0,,,,"), "{rows}");
    assert!(rows.contains("\n1,0.41666"), "{rows}");
    let checked = run("check");
    assert_eq!(checked.status, Some(0), "{}", checked.err);
    place.write("gaps.toml", &place.read("gaps.toml").replace("/ by", "/ 1"));
    let moved = run("check");
    assert_eq!(moved.status, Some(1), "{}", moved.out);
    assert!(moved.out.contains("by=0 stat=0"), "{}", moved.out);
}

#[test]
fn where_every_configuration_breaks_a_rule_it_is_an_error() {
    let place = gaps_with_a_total();
    for line in [
        "chart gaps.toml --x stat --set by=0 -o odds.svg",
        "chart gaps.toml --kind dist --x total --set by=0 -o odds.svg",
        "compare gaps.toml gaps.toml --set by=0",
    ] {
        let refused = place.run(line);
        assert_eq!(refused.status, Some(2), "{line}: {}", refused.err);
        assert!(
            refused.err.contains("division by zero, for by=0"),
            "{line}: {}",
            refused.err
        );
        assert!(!place.path("odds.svg").exists(), "{line}");
    }
}
