//! What answers are about, as it is called in data.

use schemars::JsonSchema;
use serde::Serialize;

use crate::contest::Contest;
use crate::game::Game;

/// What a contest is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ContestNames {
    /// The ruleset as it was named.
    pub ruleset: String,
    /// What side A does.
    pub check: String,
    /// What side B does.
    pub against: String,
    /// What a tie means: `reroll`, `both` or `defender`.
    pub ties: &'static str,
    /// What each side compares, as it is written.
    pub compare: [String; 2],
}

impl ContestNames {
    /// The names of a game's contest.
    pub fn of(game: &Game, contest: &Contest) -> Self {
        let [check, against] = contest.names().map(str::to_owned);
        Self {
            ruleset: game.name().to_owned(),
            check,
            against,
            ties: contest.ties_name(),
            compare: contest.compared().map(str::to_owned),
        }
    }
}

/// What was rolled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum SimulationNames {
    /// A dice expression.
    Dice {
        /// The expression.
        expression: String,
    },
    /// A check.
    Check {
        /// The ruleset as it was named.
        ruleset: String,
        /// The check.
        check: String,
    },
    /// A track.
    Track {
        /// The ruleset as it was named.
        ruleset: String,
        /// The track.
        track: String,
    },
    /// Two sides against each other.
    Contest(ContestNames),
}
