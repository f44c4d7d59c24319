//! `oddsmith balance`: what steps are worth, and where they go wrong.

mod lint;
mod plan;
mod value;

use anyhow::Result;

use crate::args::{BalanceArgs, BalanceCommand};

/// Does what was asked; without a command it is `value`.
pub(crate) fn run(args: &BalanceArgs) -> Result<u8> {
    match (&args.command, &args.value) {
        (Some(BalanceCommand::Value(args)), _) | (None, Some(args)) => value::run(args),
        (Some(BalanceCommand::Lint(args)), _) => lint::run(args),
        (Some(BalanceCommand::Plan(args)), _) => plan::run(args),
        (None, None) => unreachable!("a target or a command is required"),
    }
}
