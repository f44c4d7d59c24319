//! What the pages for users of other tools set side by side gives the same on both sides.
//!
//! The third column of each table follows from the second: a chance where the value is 0 or 1, else mean and deviation.
//! With `KEEP_PAGES` set it is written into the page.

use std::collections::BTreeMap;
use std::fs;

use super::root;
use crate::support::{Place, records};

/// A row of a page's table.
struct Row {
    line: String,
    there: String,
    here: String,
    gives: String,
}

fn path(page: &str) -> std::path::PathBuf {
    root().join(format!("docs/coming-from/{page}.md"))
}

fn rows(page: &str) -> Vec<Row> {
    let text = fs::read_to_string(path(page)).expect("the page");
    let lines = text.lines().filter(|line| line.starts_with("| `"));
    let row = |line: &str| {
        let parts: Vec<&str> = line.split('`').collect();
        let [_, there, _, here, gives] = parts[..] else {
            panic!("{page}: this is not `there`, `here` and a figure: {line}");
        };
        let [line, there, here] = [line, there, here].map(str::to_owned);
        let gives = gives.trim_matches(['|', ' ']).to_owned();
        Row {
            line,
            there,
            here,
            gives,
        }
    };
    lines.map(row).collect()
}

/// What the third column is to say.
fn figure(place: &Place, here: &str) -> String {
    let dist = place.answer(&format!("dist '{here}'"));
    let summary = dist.lines().nth(1).expect("mean, deviation and range");
    if summary.contains("range 0 to 1,") {
        let odds = place.answer(&format!(
            "dist '{here}' --query 'P(value == 1)' --format markdown"
        ));
        let row = odds.lines().last().expect("a row");
        return row.split('|').nth(2).expect("odds").trim().to_owned();
    }
    let (figure, _) = summary.split_once(", range").expect("a range");
    figure.to_owned()
}

#[test]
fn what_is_written_here_gives_what_the_pages_say() {
    let place = Place::empty();
    let mut wrong = Vec::new();
    for page in ["anydice", "icepool", "roll20", "foundry", "spreadsheet"] {
        let rows = rows(page);
        assert!(rows.len() >= 15, "{page} has lost rows");
        let mut text = fs::read_to_string(path(page)).expect("the page");
        for row in rows {
            let figure = figure(&place, &row.here);
            if figure != row.gives {
                let line = format!("| `{}` | `{}` | {figure} |", row.there, row.here);
                text = text.replace(&row.line, &line);
                wrong.push(format!(
                    "{page}: {} gives {figure}, not {}",
                    row.here, row.gives
                ));
            }
        }
        if std::env::var_os("KEEP_PAGES").is_some() {
            fs::write(path(page), text).expect("the page can be written");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The odds of each outcome, as weight and total, from the CSV of a command; `skipped` columns stand before the outcome.
fn distribution(csv: &str, skipped: usize) -> BTreeMap<String, (u128, u128)> {
    let number = |text: &String| text.parse::<u128>().expect("a weight");
    let outcome = |row: &Vec<String>| {
        let odds = (number(&row[skipped + 1]), number(&row[skipped + 2]));
        (row[skipped].clone(), odds)
    };
    records(csv).iter().skip(1).map(outcome).collect()
}

#[test]
fn programs_of_anydice_have_the_odds_of_what_is_written_here() {
    let place = Place::empty();
    for row in rows("anydice") {
        place.write("program.txt", &row.there);
        let there = place.answer("anydice program.txt --format csv");
        let here = place.answer(&format!("dist '{}' --format csv", row.here));
        let (there, here) = (distribution(&there, 2), distribution(&here, 0));
        let is_same = |(a, b): (&(u128, u128), &(u128, u128))| a.0 * b.1 == b.0 * a.1;
        let values = there.keys().eq(here.keys());
        assert!(
            values && there.values().zip(here.values()).all(is_same),
            "{}: {there:?}\n{}: {here:?}",
            row.there,
            row.here
        );
    }
}

/// A fraction in lowest terms, as text.
fn fraction(weight: &str, total: &str) -> String {
    let number = |text: &str| text.parse::<i128>().expect("a number");
    let (weight, total) = (number(weight), number(total));
    let (mut divisor, mut rest) = (total, weight.abs());
    while rest != 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    match total / divisor {
        1 => (weight / divisor).to_string(),
        total => format!("{}/{total}", weight / divisor),
    }
}

/// The left sides of the other pages, by means that do not know this program (`scripts/derive-coming-from`).
#[test]
fn other_tools_have_the_mean_and_variance_of_what_is_written_here() {
    let place = Place::empty();
    let derived = fs::read_to_string(root().join("tests/coming-from.csv")).expect("the answers");
    let derived = records(&derived);
    let asked = ["mean(value)", "variance(value)"];
    for page in ["icepool", "roll20", "foundry", "spreadsheet"] {
        let rows = rows(page);
        let known: Vec<_> = derived.iter().filter(|row| row[0] == page).collect();
        assert_eq!(
            rows.len(),
            known.len(),
            "run scripts/derive-coming-from: {page}"
        );
        for (row, known) in rows.iter().zip(known) {
            assert_eq!(
                row.there, known[1],
                "run scripts/derive-coming-from: {page}"
            );
            for (query, known) in asked.into_iter().zip(&known[2..]) {
                let line = format!("dist '{}' --query '{query}' --format csv", row.here);
                let answer = place.answer(&line);
                let own = &records(&answer)[1];
                let own = fraction(&own[1], &own[2]);
                assert_eq!(
                    &own, known,
                    "{page}: {query} of {} and {}",
                    row.there, row.here
                );
            }
        }
    }
}
