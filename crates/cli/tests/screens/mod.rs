//! What is read on a screen is no wider than the screen.

use crate::support::Place;

/// A command of each kind, with the widest answers that the shipped games have.
const COMMANDS: [&str; 21] = [
    "rules list",
    "rules show stars-and-signs",
    "rules show action-primer",
    "rules show pbta",
    "dist 4d6kh3 3d6",
    "odds stars-and-signs --set ability_rank=8 --set circ_boons=2",
    "odds action-checks --set pool=4",
    "table stars-and-signs --sweep circ_boons=-10..=10 --sweep ability_rank=all --pivot circ_boons --query P(band>=Hit) --format table",
    "table dnd5e-attack --sweep ac=all --pivot ac --format table",
    "table pbta --sweep stat=all --format table",
    "track farkle:turn",
    "contest risus:roll --a dice=4 --b dice=3",
    "compare pbta --with strong_from=11 --sweep stat=all",
    "compare stars-and-signs --with boon_cap=3 --sweep circ_boons=-5..=5",
    "balance pbta",
    "balance value stars-and-signs --set ability_rank=6 --set skill_rank=3",
    "balance plan action-primer --checks 3 --pool 4",
    "balance lint pbta",
    "policy action-primer --set karma=3",
    "simulate pbta --trials 1000",
    "tune pbta --vary strong_from=8..=11 --goal P(band>=weak)~0.6",
];

/// Questions whose answers are long sentences.
const REFUSED: [&str; 4] = [
    "odds stars-and-signs --set zz=1",
    "table stars-and-signs",
    "dist 4d6x6",
    "odds zzz",
];

/// The lines that are wider, but for those of a patch, and those that are one word.
fn too_wide(text: &str, width: usize) -> Vec<&str> {
    let patch = text.find("\n--- a/").unwrap_or(text.len());
    let lines = text[..patch].lines();
    let wide = lines.filter(|line| line.chars().count() > width);
    wide.filter(|line| line.trim().contains(' ')).collect()
}

#[test]
fn no_answer_is_wider_than_the_screen() {
    let place = Place::new();
    let mut wrong = Vec::new();
    for words in COMMANDS {
        for width in [80, 120] {
            let mut command = place.command();
            command
                .env("COLUMNS", width.to_string())
                .args(words.split(' '));
            let output = command.output().expect("it runs");
            let text = String::from_utf8(output.stdout).expect("text");
            assert!(
                !text.is_empty(),
                "{words}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
            let wide = too_wide(&text, width).into_iter();
            wrong.extend(wide.map(|line| format!("{words} at {width}: {line}")));
        }
    }
    assert!(
        wrong.is_empty(),
        "{}",
        wrong.join(
            "
"
        )
    );
}

/// A width for which nothing fits is no reason to fail.
#[test]
fn the_narrowest_screens_have_answers() {
    let place = Place::new();
    for width in ["0", "1", "3", "wide", "18446744073709551615"] {
        for words in [
            "rules show action-checks",
            "odds pbta",
            "balance lint pbta",
            "odds zzz",
        ] {
            let mut command = place.command();
            command.env("COLUMNS", width).args(words.split(' '));
            let status = command.output().expect("it runs").status.code();
            let expected = if words == "odds zzz" { 2 } else { 0 };
            assert_eq!(status, Some(expected), "{words} at {width}");
        }
    }
}

/// What words are broken is the same text: nothing is lost.
#[test]
fn a_narrow_screen_has_the_words_of_a_wide_one() {
    let place = Place::new();
    let words_at = |width: Option<usize>| {
        let mut command = place.command();
        command.args(["balance", "lint", "pbta"]);
        if let Some(width) = width {
            command.env("COLUMNS", width.to_string());
        }
        let text = String::from_utf8(command.output().expect("it runs").stdout).expect("text");
        let words = text.split_whitespace().map(str::to_owned);
        words.collect::<Vec<_>>()
    };
    assert_eq!(words_at(Some(40)), words_at(None));
}

#[test]
fn no_sentence_of_an_error_is_wider_than_the_screen() {
    let place = Place::new();
    for words in REFUSED {
        let mut command = place.command();
        command.env("COLUMNS", "80").args(words.split(' '));
        let output = command.output().expect("it runs");
        let text = String::from_utf8(output.stderr).expect("text");
        assert!(text.contains("error"), "{words}: {text}");
        assert_eq!(too_wide(&text, 80), Vec::<&str>::new(), "{words}");
    }
}
