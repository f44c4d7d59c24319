//! `oddsmith verify`: a file of questions with their answers.

use std::fmt::Write as _;

use anyhow::Result;
use oddsmith::{text_file, verify};

use crate::advice::{Advice, reason};
use crate::args::VerifyArgs;
use crate::{exit, terminal};

/// The most bytes of a file of cases.
const MOST_BYTES: u64 = 64 << 20;

/// Checks every row and prints those that fail.
pub(crate) fn run(args: &VerifyArgs) -> Result<u8> {
    let name = args.cases.display().to_string();
    let file = text_file::read(&args.cases, MOST_BYTES)
        .map_err(|error| Advice::error(format!("can't read `{name}`: {}", reason(&error)), ""))?;
    let verdicts = verify(&name, &file, &args.cost.limits())?;
    let mut text = String::new();
    for verdict in &verdicts {
        if let Some(failure) = &verdict.failure {
            let _ = writeln!(text, "{}: {failure}", verdict.id);
        }
    }
    let failed = verdicts.iter().filter(|case| case.failure.is_some());
    let failed = failed.count();
    let _ = writeln!(text, "{} passed, {failed} failed", verdicts.len() - failed);
    terminal::print(&text)?;
    Ok(if failed == 0 { exit::OK } else { exit::NO })
}
