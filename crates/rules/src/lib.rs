//! Rulesets: a game's action resolution as data, read and checked.
//!
//! A ruleset is one TOML file. Its scripts say what happens at the table; this crate turns the file into a
//! [`Model`] in which every name is resolved, every type checked and every call played out, so that the
//! engines need to know nothing of files, names or syntax. What is wrong with a file comes back as
//! [`Diagnostics`]: all of it at once, each with its place. [`validate()`] goes further and tries out the
//! configurations; [`schema()`] tells editors what a file may hold; [`shipped()`] has rulesets to begin with.
//!
//! This crate rolls no dice and computes no odds.
//!
//! ```
//! let text = r#"
//! name = "Demo"
//! [checks.check]
//! bands = ["Miss", "Hit"]
//! axes.stat = { domain = "-1..=3", default = 0 }
//! rules = """
//! show total = 2d6 + stat
//! show band = match total { < 7: Miss, else: Hit }
//! """
//! "#;
//! let model = oddsmith_rules::load("demo.toml", text.as_bytes()).unwrap();
//! let check = model.check("check").unwrap();
//! let mut config = check.defaults();
//! check.set(&mut config, "stat=2", "--set").unwrap();
//! assert_eq!(check.describe(&config), "stat=2");
//! ```

mod acceptance;
pub mod bounds;
mod build;
mod check;
mod choice;
mod config;
mod contest;
pub mod coverage;
mod endless;
pub mod evaluate;
mod expectation;
mod failing;
mod file;
pub mod format;
pub mod index;
mod interval;
pub mod layout;
mod lower;
mod model;
mod monotone;
mod number;
mod operators;
mod policy;
pub mod program;
mod purse;
mod reading;
mod schema;
mod settings;
mod shipped;
mod source;
mod statistic;
mod syntax;
mod tuning;
mod validate;
mod values;
mod verify;
mod walk;
mod warnings;
pub mod words;

pub use oddsmith_diagnostics::{
    Diagnostic, Diagnostics, Fix, Severity, Source, Span, nearest, one_line, visible,
};

pub use acceptance::{Acceptance, FindingPattern, LintRule};
pub use check::{
    Check, Domain, Input, InputRange, Measure, Outcome, OutcomeKind, Query, QueryKind, Requirement,
    Role, RoundName, Ties, in_turn, label_of, setting,
};
pub use choice::Choice;
pub use config::Config;
pub use contest::ContestError;
pub use evaluate::{FixedError, fixed_value, value_once_rolled};
pub use expectation::{Alternative, Bounds, Claim, Direction, Expectation, PrintedTable};
pub use file::keys::Holds;
pub use file::{
    MOST_BYTES, decoded, expression, finding_prefix, load, load_goals, load_named, load_text, toml,
};
pub use model::{Along, Chart, ChartKind, Model, Resource};
pub use monotone::directions;
pub use number::{Number, Printed};
pub use policy::{Known, Policy, PolicyTable};
pub use purse::{Purse, PurseError, PurseRequest, Pursed};
pub use schema::schema;
pub use settings::chart::ChartTexts;
pub use settings::resource::{Outlay, ResourceRequest, Spending, Utility};
pub use shipped::{KnownGame, all_games, shelf, shipped};
pub use statistic::Statistic;
pub use tuning::{Aim, Dial, Goal, Tuning};
pub use validate::{Coverage, validate};
pub use verify::Flaw;
pub use warnings::expression_warnings;
