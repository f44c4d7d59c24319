//! What answers are about, as it is called in data.

use std::collections::{HashMap, HashSet};

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
            ties: contest.ties.name(),
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

/// Names as the head of a table that has columns of its own beside them: each stands there once, and of those that are
/// the same the second is followed by `(2)`, the third by `(3)`.
pub fn told_apart(own: &[&str], names: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut told: Vec<String> = Vec::new();
    let mut taken: HashSet<String> = own.iter().map(|name| (*name).to_owned()).collect();
    // The last number that each name was given: names are only added, so none below it is free.
    let mut numbers: HashMap<String, u64> = HashMap::new();
    for name in names {
        let mut free = name.clone();
        while taken.contains(&free) {
            let number = numbers.entry(name.clone()).or_insert(1);
            *number += 1;
            free = format!("{name} ({number})");
        }
        taken.insert(free.clone());
        told.push(free);
    }
    told
}

#[cfg(test)]
mod tests {
    use super::told_apart;

    #[test]
    fn no_name_stands_twice() {
        let names = ["z", "stat", "stat", "stat (2)", "z"].map(str::to_owned);
        let told = ["z (2)", "stat", "stat (2)", "stat (2) (2)", "z (3)"];
        assert_eq!(told_apart(&["count", "z"], names), told);
    }
}
