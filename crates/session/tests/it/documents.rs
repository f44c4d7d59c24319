//! Versions of texts, their lines, and changes of them.

use std::thread;

use oddsmith::{Error, Limits, OddsRequest};
use oddsmith_session::{Change, Lines, Position, Range, Session};

use crate::support::{Random, open};

/// Where a byte is, counted from the first one: by another way than the crate's.
fn counted(text: &str, offset: usize) -> Position {
    let (mut line, mut character) = (0, 0);
    let mut rest = text.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        if at >= offset {
            break;
        }
        let is_pair = c == '\r' && rest.peek().is_some_and(|(_, next)| *next == '\n');
        if c == '\n' || c == '\r' && !is_pair {
            (line, character) = (line + 1, 0);
        } else if !is_pair {
            character += u32::try_from(c.len_utf16()).unwrap();
        }
    }
    Position::new(line, character)
}

const TEXTS: [&str; 7] = [
    "",
    "\n",
    "one line",
    "a\r\nb\r\n\r\nc",
    "\ta\t\tb\n\t\n",
    "die 🎲 and é\r\n日本 = '🎲🎲'\nend",
    "old\rmac\r\r\nmixed\n\rend\r",
];

#[test]
fn positions_and_bytes_are_the_same_places() {
    for text in TEXTS {
        let lines = Lines::of(text);
        let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
        for offset in ends {
            let position = lines.position(text, offset);
            assert_eq!(position, counted(text, offset), "{text:?} at {offset}");
            // Within `\r\n` there is no place.
            let is_within = text[..offset].ends_with('\r') && text[offset..].starts_with('\n');
            let there = offset - usize::from(is_within);
            assert_eq!(lines.offset(text, position), there, "{text:?} at {offset}");
        }
    }
}

#[test]
fn positions_beyond_an_end_are_that_end() {
    let text = "a🎲b\r\ncd";
    let lines = Lines::of(text);
    let at = |line, character| lines.offset(text, Position::new(line, character));
    assert_eq!(at(0, 4), 6);
    assert_eq!(at(0, 5), 6);
    assert_eq!(at(0, u32::MAX), 6);
    assert_eq!(at(0, 2), 1, "within a character is before it");
    assert_eq!(at(1, 2), text.len());
    assert_eq!(at(2, 0), text.len());
    assert_eq!(at(u32::MAX, u32::MAX), text.len());
}

#[test]
fn each_change_is_made_in_what_the_one_before_left() {
    let mut session = Session::default();
    session.open("a", 1, "one\ntwo\n");
    let range = |line, from, to| {
        let start = Position::new(line, from);
        let end = Position::new(line, to);
        Some(Range { start, end })
    };
    let change = |range, text: &str| Change {
        range,
        text: text.to_owned(),
    };
    let changes = [
        change(range(0, 0, 3), "1\n🎲"),
        change(range(1, 2, 2), "!"),
        change(range(2, 0, 3), ""),
    ];
    let document = session.change("a", 2, &changes).unwrap();
    assert_eq!((document.text(), document.version()), ("1\n🎲!\n\n", 2));
    let document = session.change("a", 3, &[change(None, "all"), change(range(0, 3, 3), "!")]);
    assert_eq!(document.unwrap().text(), "all!");
    assert!(session.change("b", 1, &[]).is_err());
}

#[test]
fn random_changes_by_range_are_those_of_the_text() {
    let mut random = Random(7);
    let pieces = ["", "x", "\n", "\r\n", "\r", "🎲", "é\t", "a\nb\r\nc"];
    for _ in 0..300 {
        let mut text = (*random.pick(&TEXTS)).to_owned();
        let mut session = Session::default();
        let mut document = session.open("a", 0, &text);
        for version in 1..20 {
            let (one, other) = (random.place(&text), random.place(&text));
            let (start, end) = (one.min(other), one.max(other));
            let splits = |at: usize| text[..at].ends_with('\r') && text[at..].starts_with('\n');
            if splits(start) || splits(end) {
                continue; // no position is within these
            }
            let new = *random.pick(&pieces);
            let range = Range {
                start: document.position(start),
                end: document.position(end),
            };
            text.replace_range(start..end, new);
            let change = Change {
                range: Some(range),
                text: new.to_owned(),
            };
            document = session.change("a", version, &[change]).unwrap();
            assert_eq!(document.text(), text);
        }
    }
}

#[test]
fn work_for_a_version_that_is_gone_is_cancelled() {
    let text = oddsmith::shipped()[0].1;
    let mut session = Session::default();
    let first = session.open("a", 1, text);
    let analysis = first.analysis();
    let ask = |document: &oddsmith_session::Document| {
        let game = analysis.game().unwrap();
        game.odds(
            &OddsRequest::default(),
            &document.limits(&Limits::default()),
        )
    };
    assert!(ask(&first).is_ok());
    let second = session.change("a", 2, &[]).unwrap();
    assert!(first.is_gone() && !second.is_gone());
    assert!(matches!(ask(&first), Err(Error::Cancelled)));
    session.close("a").unwrap();
    assert!(second.is_gone());
    assert!(session.document("a").is_err() && session.close("a").is_err());
    let reopened = session.open("a", 1, text);
    session.open("a", 1, text);
    assert!(reopened.is_gone());
}

#[test]
fn all_threads_have_one_analysis() {
    let document = open(oddsmith::shipped()[0].1);
    let analyses: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| document.analysis()))
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    assert!(
        analyses
            .iter()
            .all(|one| std::sync::Arc::ptr_eq(one, &analyses[0]))
    );
}
