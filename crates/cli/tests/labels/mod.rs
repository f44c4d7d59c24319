//! Labels that mean something to a format come out of it as they went in, with the same numbers; and no output has two
//! columns of one name.

mod shipped;
mod told;
mod twice;

use std::fs::File;

use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::RowAccessor as _;
use unicode_width::UnicodeWidthStr;

use crate::support::{Place, records};

/// Everything that a label may hold and some format might take for something else.
const LABELS: [&str; 35] = [
    "# head",
    "<b>",
    "[i]",
    "*x*",
    "_x_",
    "`code`",
    "=1+1",
    "+1",
    "-1",
    "@cmd",
    "成功 漢字",
    "👩\u{200d}🚀",
    "e\u{301}te\u{301}",
    "הצלחה",
    "نجاح",
    "a;b",
    "a\\b",
    "a\\*b",
    "~x~",
    "<!-- x",
    "{{x}}",
    "%s",
    "[/td][td]",
    "1",
    "null",
    "true",
    "NaN",
    "inf",
    "1e5",
    ":---:",
    "- item",
    "> quote",
    "a=b",
    "$HOME",
    "kind 2",
];

/// A label of 300 letters.
fn long() -> String {
    "x".repeat(300)
}

fn labels() -> Vec<String> {
    let labels = LABELS.iter().map(|label| (*label).to_owned());
    labels.chain([long()]).collect()
}

/// A die of four sides counts from the label of `kind` through the labels; the last one is the end.
fn ruleset() -> String {
    let labels = labels();
    let list: Vec<String> = labels.iter().map(|label| format!("'{label}'")).collect();
    let list = list.join(", ");
    let (last, others) = labels.split_last().expect("there are some");
    let arms = others.iter().enumerate();
    let arms: Vec<String> = arms
        .map(|(at, label)| format!("{at}: \"{label}\""))
        .collect();
    let (arms, end) = (arms.join(", "), others.len());
    format!(
        r##"name = "# Game *of* <b> | _odds_"
help = "a | b"
[params]
bonus = {{ default = 0, domain = "0..=2" }}
[checks.check]
bands = [{list}]
maximise = "index(band)"
contest = "index(band)"
axes.kind = {{ default = "[i]", domain = [{list}], sweep = "all" }}
axes.push = {{ default = 0, domain = "0..=2", sweep = "0" }}
rules = '''
choose more in 0..=push
show spent = more
show place = min({end}, index(kind) + 1d4 - 1 + spent + bonus)
show Big = place >= 8
show band = match place {{ {arms}, else: "{last}" }}
'''
[tracks.run]
bands = [{list}]
axes.kind = {{ default = "[i]", domain = [{list}], sweep = "all" }}
rules = '''
let at = index(kind)
repeat until at >= {end} {{ set at = min({end}, at + 1d4) }}
show band = match at {{ {arms}, else: "{last}" }}
'''
[resources.push]
axis = "push"
spent = "spent"
"##
    )
}

fn place() -> Place {
    let place = Place::new();
    place.write("game.toml", &ruleset());
    place
}

/// The probability of each label where `kind` is the one at a place.
fn row(kind: usize) -> Vec<f64> {
    let end = labels().len() - 1;
    let mut row = vec![0.0; end + 1];
    for die in 0..4 {
        row[end.min(kind + die)] += 0.25;
    }
    row
}

fn table(place: &Place, more: &str) -> String {
    place.answer(&format!("table game.toml --sweep kind=all {more}"))
}

/// Rows whose first cell is a label and whose others are its probabilities, as `read` has them.
fn demand(head: &[String], rows: &[Vec<String>], read: impl Fn(&str) -> f64) {
    let labels = labels();
    assert_eq!(head[0], "kind");
    assert_eq!(head[1..], labels);
    assert_eq!(rows.len(), labels.len());
    for (kind, cells) in rows.iter().enumerate() {
        assert_eq!(cells[0], labels[kind]);
        let found: Vec<f64> = cells[1..].iter().map(|cell| read(cell)).collect();
        assert_eq!(found, row(kind), "{}", labels[kind]);
    }
}

fn number(cell: &str) -> f64 {
    cell.parse().expect("a number")
}

#[test]
fn csv_gives_back_labels_and_numbers() {
    let place = place();
    let rows = records(&table(&place, "--format csv"));
    demand(&rows[0], &rows[1..], number);
    let exact = records(&table(&place, "--format csv --exact"));
    demand(
        &exact[0][..=labels().len()],
        &shortened(&exact[1..]),
        number,
    );
    let across = records(&table(&place, "--sweep push=0,1 --pivot push --format csv"));
    assert_eq!(across[0], ["outcome", "kind", "0", "1"]);
    let pivoted = records(&table(&place, "--sweep push=0 --pivot kind --format csv"));
    let told: Vec<String> = ["outcome".to_owned(), "push".to_owned()]
        .into_iter()
        .chain(labels())
        .collect();
    assert_eq!(pivoted[0], told);
    for (at, label) in labels().iter().enumerate() {
        assert_eq!(pivoted[1 + at][0], *label);
        let cells: Vec<f64> = pivoted[1 + at][2..]
            .iter()
            .map(|cell| number(cell))
            .collect();
        let expected: Vec<f64> = (0..labels().len()).map(|kind| row(kind)[at]).collect();
        assert_eq!(cells, expected, "{label}");
    }
}

/// The rows without their weights.
fn shortened(rows: &[Vec<String>]) -> Vec<Vec<String>> {
    let count = labels().len() + 1;
    rows.iter().map(|row| row[..count].to_vec()).collect()
}

#[test]
fn json_lines_give_back_labels_and_numbers() {
    let text = table(&place(), "--format jsonl --exact");
    let labels = labels();
    for (kind, line) in text.lines().enumerate() {
        let object: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(object["kind"], labels[kind]);
        for (label, odds) in labels.iter().zip(row(kind)) {
            assert_eq!(object[label], odds, "{label}");
            let weight = object[format!("weight:{label}")].as_str().expect("text");
            let total = object["total"].as_str().expect("text");
            assert_eq!((number(weight) / number(total)).to_bits(), odds.to_bits());
        }
    }
    assert_eq!(text.lines().count(), labels.len());
}

#[test]
fn parquet_gives_back_labels_and_numbers() {
    let place = place();
    assert_eq!(table(&place, "-o t.parquet --exact"), "");
    let file = File::open(place.path("t.parquet")).expect("a file");
    let reader = SerializedFileReader::new(file).expect("a Parquet file");
    let columns = reader
        .metadata()
        .file_metadata()
        .schema_descr()
        .columns()
        .iter();
    let names: Vec<String> = columns.map(|column| column.name().to_owned()).collect();
    let labels = labels();
    assert_eq!(names[1..=labels.len()], labels);
    let rows = reader.get_row_iter(None).expect("rows");
    let mut count = 0;
    for (kind, found) in rows.enumerate() {
        let found = found.expect("a row");
        assert_eq!(found.get_string(0).expect("a label"), &labels[kind]);
        let odds = (1..=labels.len()).map(|at| found.get_double(at).expect("a number"));
        assert_eq!(odds.collect::<Vec<f64>>(), row(kind));
        let part = |at| number(found.get_string(at).expect("a whole number"));
        let total = part(1 + 2 * labels.len());
        let odds = (1..=labels.len()).map(|at| part(labels.len() + at) / total);
        assert_eq!(odds.collect::<Vec<f64>>(), row(kind));
        count += 1;
    }
    assert_eq!(count, labels.len());
}

/// The cells of a row of Markdown without its backslashes.
fn markdown_cells(line: &str) -> Vec<String> {
    let inner = line
        .strip_prefix("| ")
        .and_then(|line| line.strip_suffix(" |"));
    let mut cells = vec![String::new()];
    let mut chars = inner.expect("a row").chars().peekable();
    while let Some(c) = chars.next() {
        let is_mark = c == '\\' && chars.peek().is_some_and(char::is_ascii_punctuation);
        match c {
            '|' => cells.push(String::new()),
            _ if is_mark => cells.last_mut().expect("one").extend(chars.next()),
            _ => cells.last_mut().expect("one").push(c),
        }
    }
    cells.iter().map(|cell| cell.trim().to_owned()).collect()
}

/// The cells of a row of BBCode; a bracket in a label is followed by a space.
fn bbcode_cells(line: &str) -> Vec<String> {
    let inner = line
        .strip_prefix("[tr]")
        .and_then(|line| line.strip_suffix("[/tr]"));
    let inner = inner
        .expect("a row")
        .replace("[th]", "[td]")
        .replace("[/th]", "[/td]");
    let inner = inner
        .strip_prefix("[td]")
        .and_then(|row| row.strip_suffix("[/td]"));
    let cells = inner.expect("cells").split("[/td][td]");
    cells
        .map(|cell| cell.replace("[ ", "[").replace("@ ", "@"))
        .collect()
}

fn percent(cell: &str) -> f64 {
    number(cell.strip_suffix('%').expect("a percentage")) / 100.0
}

#[test]
fn documents_give_back_labels_and_numbers() {
    let place = place();
    let text = table(&place, "--format markdown");
    let rows: Vec<&str> = text.lines().collect();
    let rows: Vec<Vec<String>> = [&rows[..1], &rows[2..]]
        .concat()
        .iter()
        .map(|line| markdown_cells(&line.replace("&#8203;", "")))
        .collect();
    demand(&rows[0], &rows[1..], percent);
    let text = table(&place, "--format bbcode");
    let rows = text.lines().filter(|line| line.starts_with("[tr]"));
    let rows: Vec<Vec<String>> = rows.map(bbcode_cells).collect();
    demand(&rows[0], &rows[1..], percent);
}

#[test]
fn aligned_columns_stand_under_one_another() {
    let text = table(&place(), "--format table --only Big --query mean(place)");
    let widths: Vec<usize> = text.lines().map(UnicodeWidthStr::width).collect();
    assert!(widths.iter().all(|width| *width == widths[0]), "{widths:?}");
    for (line, label) in text.lines().skip(1).zip(labels()) {
        assert!(line.starts_with(&format!("{label} ")), "{line}");
    }
}

/// What every command is asked, whose formats are told apart below.
const QUESTIONS: [&str; 13] = [
    "odds game.toml --set push=1 --query mean(place|place>=5)",
    "table game.toml --sweep push=0,1 --query mean(place)",
    "table game.toml --sweep kind=all --sweep push=0,1 --pivot push --only Big",
    "table game.toml --sweep kind=all --sweep push=0,1 --pivot kind --only Big",
    "track game.toml:run",
    "contest game.toml --a push=1 --b kind=*x*",
    "compare game.toml --with kind=_x_",
    "compare game.toml --with push=2 --sweep kind=all",
    "balance value game.toml --set push=1",
    "balance plan game.toml --checks 2 --pool 2",
    "policy game.toml --set push=2",
    "tune game.toml --vary bonus=all --goal mean(place)~4 --goal Big~0",
    "simulate game.toml --trials 1000 --seed 1 --sweep kind=all",
];

#[test]
fn every_command_shows_them_in_every_format() {
    let place = place();
    for question in QUESTIONS {
        for format in ["table", "csv", "json", "markdown", "bbcode"] {
            if question.starts_with("table") && format == "json" {
                continue;
            }
            let line = format!("{question} --format {format}");
            let run = place.run(&line);
            assert!(matches!(run.status, Some(0 | 1)), "{line}: {}", run.err);
            let is_hidden = |c: char| c.is_control() && c != '\n';
            assert!(!run.out.contains(is_hidden), "{line}: {}", run.out);
            match format {
                "csv" => twice::in_csv(&run.out, &line),
                "json" => twice::in_json(&run.out, &line),
                "markdown" => same_cells(&run.out, "| ", markdown_cells, &line),
                "bbcode" => same_cells(&run.out, "[tr]", bbcode_cells, &line),
                _ => {}
            }
        }
    }
}

/// Every row of a table has as many cells as its head.
fn same_cells(text: &str, row: &str, cells: fn(&str) -> Vec<String>, question: &str) {
    let (mut count, mut tables) = (0, 0);
    for line in text.lines().filter(|line| !line.starts_with("|-")) {
        if !line.starts_with(row) {
            count = 0;
        } else if count == 0 {
            (count, tables) = (cells(line).len(), tables + 1);
        } else {
            assert_eq!(cells(line).len(), count, "{question}: {line}");
        }
    }
    assert!(tables > 0, "{question}: {text}");
}

/// Words above and below tables are text of the ruleset as well.
#[test]
fn paragraphs_hold_no_markup_of_a_ruleset() {
    let place = place();
    place.write(
        "scene.toml",
        &ruleset()
            .replace("\"index(band)\"", "\"index(band) * 2\"")
            .replace(
                "spent = \"spent\"",
                "spent = \"spent\"\nutility = \"index(band) * 3 * 1\"",
            ),
    );
    let plan = place.answer("balance plan scene.toml --checks 2 --pool 2 --format markdown");
    assert!(plan.contains(r"index(band) \* 3 \* 1"), "{plan}");
    let policy = place.answer("policy scene.toml --set push=2 --format markdown");
    assert!(
        policy.starts_with(r"best is the greatest mean of index(band) \* 2"),
        "{policy}"
    );
    let game = place.answer("rules show game.toml");
    assert!(game.contains("# Game *of* <b>"), "{game}");
}
