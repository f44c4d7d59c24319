//! What a search over parameters found.

use oddsmith_analysis::tune::{Candidate, Tuned, Value as Distance};
use oddsmith_rules::{Check, Dial, Goal};

use super::patch::Patch;

/// What a search over parameters found.
#[derive(Clone, Debug)]
pub struct TuningAnswer {
    /// The check or track of all goals that name no other.
    pub check: Check,
    /// The parameters that vary, each with its values.
    pub dials: Vec<Dial>,
    /// The goals and wishes, in order.
    pub goals: Vec<Goal>,
    /// The query of each goal with what it sets: `counter: mean(rolls) @ slots=10`.
    pub subjects: Vec<String>,
    /// The candidates, and how many of them are forbidden, excluded or right.
    pub tuned: Tuned,
    /// Whether a parameter that does not vary is set to another value than it has in the ruleset.
    pub is_set: bool,
    /// The number of the candidate that was asked for, if one was.
    pub picked: Option<u64>,
    /// The change of the ruleset to the best candidate, or to the one that was asked for; none if no candidate meets the
    /// goals.
    pub change: Option<Change>,
}

/// A candidate, and the change of the ruleset that makes it the defaults.
#[derive(Clone, Debug)]
pub struct Change {
    /// The candidate.
    pub candidate: Candidate,
    /// The change.
    pub patch: Patch,
}

impl TuningAnswer {
    /// The best candidates, then those of the Pareto set that are not among them.
    pub fn candidates(&self) -> Vec<&Candidate> {
        let mut all: Vec<&Candidate> = self.tuned.best.iter().collect();
        for member in self.tuned.pareto.iter().flat_map(|pareto| &pareto.members) {
            if !all.iter().any(|known| known.number == member.number) {
                all.push(member);
            }
        }
        all
    }

    /// The value that a candidate gives each parameter that varies, as a user writes it.
    pub fn values(&self, candidate: &Candidate) -> Vec<String> {
        let dials = self.dials.iter().zip(&candidate.options);
        dials
            .map(|(dial, option)| dial.show(&self.check, *option))
            .collect()
    }

    /// The distance of a candidate from the goal at a place; none if the goal's query has no answer there.
    pub fn off(candidate: &Candidate, goal: usize) -> Option<&Distance> {
        candidate.answers[goal].as_ref()?;
        Some(&candidate.off[goal])
    }

    /// The distance of a candidate from all wishes together; none if one of them has no answer.
    pub fn total<'c>(&self, candidate: &'c Candidate) -> Option<&'c Distance> {
        let goals = self.goals.iter().zip(&candidate.answers);
        let mut wishes = goals.filter(|(goal, _)| !goal.aim.is_hard());
        let has_answers = wishes.all(|(_, answer)| answer.is_some());
        has_answers.then_some(&candidate.total)
    }

    /// Whether anything is wished for.
    pub fn has_wishes(&self) -> bool {
        self.goals.iter().any(|goal| !goal.aim.is_hard())
    }
}
