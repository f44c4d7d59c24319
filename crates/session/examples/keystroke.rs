//! How long it takes to know what a text says after each key that is pressed: a line is typed into the largest game.
//!
//! ```sh
//! cargo run --release -p oddsmith-session --example keystroke
//! ```
#![allow(clippy::print_stdout, reason = "an example tells what it measured")]

use std::time::{Duration, Instant};

use oddsmith_session::{Change, Range, Session};

/// What is typed, a character at a time.
const TYPED: &str = "let more = max(flat, 2) + (1d6kh1 if  # half a line\n";
/// How often.
const ROUNDS: usize = 20;

fn main() {
    let (name, text) = oddsmith::shipped()
        .iter()
        .find(|(name, _)| *name == "stars-and-signs")
        .expect("it is shipped");
    let place = text.find("show total").expect("its check shows a total");
    let mut session = Session::default();
    let (mut analyses, mut completions) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let mut document = session.open(name, 0, text);
        for (at, character) in TYPED.char_indices() {
            let cursor = document.position(place + at);
            let change = Change {
                range: Some(Range {
                    start: cursor,
                    end: cursor,
                }),
                text: character.to_string(),
            };
            let version = document.version() + 1;
            document = session
                .change(name, version, &[change])
                .expect("it is open");
            analyses.push(timed(|| document.diagnostics().len()));
            completions.push(timed(|| document.completion(cursor).len()));
        }
    }
    println!("{} bytes, {} keystrokes", text.len(), analyses.len());
    tell("analysis and diagnostics", &mut analyses);
    tell("completion", &mut completions);
}

fn timed(work: impl FnOnce() -> usize) -> Duration {
    let start = Instant::now();
    std::hint::black_box(work());
    start.elapsed()
}

fn tell(what: &str, times: &mut [Duration]) {
    times.sort_unstable();
    let at = |share: usize| times[(times.len() - 1) * share / 100];
    println!("{what}: p50 {:?}, p99 {:?}", at(50), at(99));
}
