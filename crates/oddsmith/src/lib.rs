//! Exact odds of tabletop games: load a ruleset, ask, and get answers as data.
//!
//! A [`Game`] is a ruleset that was read and checked. Each kind of question is one plain request, one method, and one
//! answer: [`Game::odds`], [`Game::table`], [`Game::track`], [`Game::contest`], [`Game::compare`], [`Game::policy`],
//! [`Game::tune`], [`Game::value`], [`Game::plan`], [`Game::chart`]; a dice expression needs no game ([`dist()`]). Every answer is exact: a weight over a
//! total, both whole numbers.
//!
//! ```
//! use oddsmith::{Game, Limits, OddsRequest};
//!
//! let game = Game::open("stars-and-signs")?;
//! let mut request = OddsRequest::default();
//! request.settings.set("circ_boons", 2);
//! let odds = game.odds(&request, &Limits::default())?;
//! for band in odds.bands() {
//!     println!("{:10} {:5.2} %", band.name, 100.0 * band.decimal());
//! }
//! # Ok::<(), oddsmith::Error>(())
//! ```
//!
//! There is no global state: threads, budget, progress and cancelling are given with each question, as [`Limits`].

mod answer;
pub mod anydice;
pub mod ask;
pub mod baseline;
pub mod cases;
pub mod columns;
pub mod comparison;
mod contest;
pub mod csv_rows;
mod dist;
mod distribution;
mod endless;
mod error;
pub mod explanation;
pub mod figures;
pub mod file_set;
pub mod game;
pub mod lengths;
mod limits;
pub mod lint;
mod names;
mod odds;
pub mod overview;
pub mod part;
pub mod plan;
pub mod policy;
pub mod project;
pub mod questions;
pub mod report;
mod request;
pub mod revision;
mod scene_pool;
pub mod settings;
pub mod shell_words;
pub mod simulation;
mod table;
pub mod text_file;
mod told;
mod toml_file;
mod track;
pub mod tuning;
pub mod valuation;
pub mod wire;
mod within;

pub use answer::{AnswerKind, INFINITE, NamedAnswer, NamedNumber, decimal, infinite, shortest};
pub use cases::verify;
pub use comparison::{Comparison, ComparisonAnswer};
pub use contest::{ComparedSide, Contest, ContestAnswer};
pub use dist::{Dice, DistAnswer, dist};
pub use distribution::{DistributionAnswer, Spread, Tail};
pub use endless::EndlessDice;
pub use error::{Error, Problem, reason};
pub use explanation::Explanation;
pub use figures::ChartAnswer;
pub use game::{Game, TargetName, ValueName, Wanted};
pub use limits::{Limits, Run};
pub use lint::{LintAnswer, LintRequest};
pub use names::told_apart;
pub use odds::OddsAnswer;
pub use oddsmith_exact::{Answer, Budget, Dist, Gaps, IBig, RBig, Sweep, UBig, Watch};
pub use oddsmith_numbers::decimal as number;
pub use oddsmith_rules::{
    Check, Config, Diagnostic, Diagnostics, Domain, Model, all_games, nearest, shelf, shipped,
};
pub use overview::Overview;
pub use plan::{PlanAnswer, TrackPlan};
pub use policy::PolicyAnswer;
pub use project::{Project, ProjectAnswer, ProjectRequest};
pub use report::Report;
pub use request::{
    ChartRequest, CompareRequest, ContestRequest, DistRequest, DistributionRequest, OddsRequest,
    PlanRequest, PolicyRequest, Settings, TableRequest, TrackRequest, ValueRequest,
};
pub use scene_pool::ScenePool;
pub use simulation::SimulationRequest;
pub use table::{PartRows, RowSource, Table, TableRow};
pub use toml_file::key as toml_key;
pub use track::{LastNumber, Track, TrackAnswer, TrackSummary};
pub use tuning::{TuneRequest, Tuning, TuningAnswer};
pub use valuation::Valuation;
