//! `cargo run -p xtask -- tidy`, `cargo run -p xtask -- snapshots FILE` and `cargo run -p xtask -- book DIRECTORY`.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};

const USAGE: &str = "usage: cargo run -p xtask -- tidy
       cargo run -p xtask -- snapshots FILE   FILE is what tests wrote to $INSTA_SNAPSHOT_REFERENCES_FILE
       cargo run -p xtask -- book DIRECTORY   DIRECTORY has the pages that scripts/book made";

#[expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program that prints"
)]
fn main() -> ExitCode {
    match run() {
        Ok(wrong) if wrong.is_empty() => ExitCode::SUCCESS,
        Ok(wrong) => {
            for sentence in wrong {
                println!("{sentence}");
            }
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<Vec<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the workspace is around it");
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["tidy"] => xtask::tidy(root),
        ["snapshots", references] => xtask::snapshots::unused(root, Path::new(references)),
        ["book", folder] => xtask::book::dead_ends(Path::new(folder)),
        _ => bail!(USAGE),
    }
}
