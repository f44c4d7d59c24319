//! Searches over parameters as they are written for programs.

use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, Dial};
use schemars::JsonSchema;
use serde::Serialize;

use super::shapes::{Exact, Fraction, Named, Setting, Weighted};
use crate::tuning::{self, Candidate, Method, Proof, TuningAnswer, aim};
use crate::{AnswerKind, Game, INFINITE};

/// The answer of `oddsmith tune`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TuningOdds {
    /// The ruleset as it was named.
    pub ruleset: String,
    /// The check or track of all goals that name no other.
    pub check: String,
    /// The parameters that vary, each with its values.
    pub vary: Named<Vec<DialOption>>,
    /// The goals and wishes, in order.
    pub goals: Vec<TuningGoal>,
    /// The number of candidates: combinations of the values.
    pub candidates: u64,
    /// The first one that was looked at.
    pub from: u64,
    /// The first one that was not: the number of candidates, if the search came to its end.
    pub until: u64,
    /// The number of candidates that the rules forbid.
    pub forbidden: u64,
    /// The number of candidates that meet all goals.
    pub met: u64,
    /// The number of those that are as near to the wishes as the best one.
    pub equally_good: u64,
    /// The number of questions that were asked: a goal in one of the combinations of values that it tells apart is one.
    pub asked: u64,
    /// `shared` if each question was asked once for all candidates that it can't tell apart, `each` if every candidate was
    /// looked at by itself.
    pub method: &'static str,
    /// The best candidates.
    pub best: Vec<TuningCandidate>,
    /// The candidates that no other one equals or beats in all wishes and beats in one; none unless there are several
    /// wishes.
    pub pareto: Option<ParetoSet>,
    /// Why no candidate meets the goals, if all of them were looked at and none does.
    pub proof: Option<TuningProof>,
    /// The change of the ruleset to the candidate that is picked, as a patch; none if no candidate meets the goals.
    pub patch: Option<String>,
}

/// A value of what varies: a setting, or one for each element of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum DialOption {
    /// The value of a parameter.
    One(Setting),
    /// The values of a list.
    List(Vec<Setting>),
}

/// A goal, which is met or missed, or a wish.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TuningGoal {
    /// The query with what it sets: `counter: mean(rolls) @ slots=10`.
    pub goal: String,
    /// The intention in a sentence, if one is written.
    pub intent: Option<String>,
    /// The aim in words: `in [0.5, 0.6]`, `at most 30 %`, `as it is`, `near 14, weight 2`.
    pub aim: String,
    /// Whether it is met or missed; a wish is approached.
    pub hard: bool,
    /// `probability`, `mean` or `variance`.
    pub kind: &'static str,
    /// The answer with the ruleset's own parameters, if there is one.
    pub now: Option<Weighted>,
    /// The number of candidates that it excluded; none of a wish.
    pub excluded: Option<u64>,
    /// The number of legal candidates that meet it, in a proof that none meets all; none of a wish.
    pub met_alone: Option<u64>,
}

/// A candidate.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TuningCandidate {
    /// Its number.
    pub candidate: u64,
    /// The value of each parameter that varies.
    pub values: Named<DialOption>,
    /// How far it is from the ruleset as it is.
    pub changes: ChangeSize,
    /// The answer to each goal's query, if there is one.
    pub answers: Vec<Option<Weighted>>,
    /// The distance from each goal, in points of a probability or units of another number; none without an answer.
    pub off: Vec<Option<Distance>>,
    /// The sum of weight times distance over all wishes; none if one of them has no answer.
    pub total: Option<Distance>,
    /// Whether it is in the Pareto set, if there is one.
    pub pareto: Option<bool>,
}

/// How far a candidate is from the ruleset as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ChangeSize {
    /// The number of parameters that change.
    pub parameters: u32,
    /// The sum of what numbers change by, and 1 for each label: a whole number.
    pub by: Exact,
}

/// How far an answer is from what is wanted.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Distance {
    /// A number.
    Finite(Fraction),
    /// `inf`: of a mean without end.
    Infinite(Exact),
}

impl From<&tuning::Distance> for Distance {
    fn from(distance: &tuning::Distance) -> Self {
        match distance {
            tuning::Distance::Finite(ratio) => Self::Finite(ratio.into()),
            _ => Self::Infinite(Exact::of(&INFINITE)),
        }
    }
}

/// The candidates that no other one equals or beats in all wishes and beats in one.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ParetoSet {
    /// The number of candidates in it.
    pub candidates: u64,
    /// The number of them that differ in what is wished for.
    pub distinct: u64,
    /// The best of those.
    pub members: Vec<TuningCandidate>,
}

/// Why no candidate meets the goals.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TuningProof {
    /// The number of candidates that the rules allow.
    pub legal: u64,
    /// The fewest goals that no candidate meets together, by their numbers from 1.
    pub conflict: Vec<usize>,
    /// The candidate whose largest miss is the least; none if the rules allow none.
    pub nearest: Option<TuningCandidate>,
}

impl TuningOdds {
    /// The answer about a game's parameters.
    pub fn of(game: &Game, answer: &TuningAnswer) -> Self {
        let tuned = &answer.tuned;
        let list = |candidates: &[Candidate]| -> Vec<TuningCandidate> {
            let candidates = candidates.iter();
            candidates.map(|own| candidate(answer, own)).collect()
        };
        Self {
            ruleset: game.name().to_owned(),
            check: answer.check.name.clone(),
            vary: Named(answer.dials.iter().map(|own| dial(answer, own)).collect()),
            goals: (0..answer.goals.len()).map(|at| goal(answer, at)).collect(),
            candidates: tuned.candidates,
            from: tuned.from,
            until: tuned.until,
            forbidden: tuned.forbidden,
            met: tuned.met,
            equally_good: tuned.equals,
            asked: tuned.asked,
            method: match tuned.method {
                Method::Shared => "shared",
                Method::Each(_) => "each",
            },
            best: list(&tuned.best),
            pareto: tuned.pareto.as_ref().map(|pareto| ParetoSet {
                candidates: pareto.candidates,
                distinct: pareto.distinct,
                members: list(&pareto.members),
            }),
            proof: tuned.proof.as_ref().map(|own| proof(answer, own)),
            patch: { answer.change.as_ref() }.map(|change| change.patch.diff.clone()),
        }
    }
}

fn dial(answer: &TuningAnswer, dial: &Dial) -> (String, Vec<DialOption>) {
    let options = (0..dial.options.len()).map(|option| DialOption::of(&answer.check, dial, option));
    (dial.name.clone(), options.collect())
}

impl DialOption {
    fn of(check: &Check, dial: &Dial, option: usize) -> Self {
        let values = dial.inputs.iter().zip(&dial.options[option]);
        let setting =
            |(id, value): (&InputId, &i64)| Setting::of(&check.inputs[id.0].domain, *value);
        let mut settings: Vec<Setting> = values.map(setting).collect();
        match settings.len() {
            1 => Self::One(settings.remove(0)),
            _ => Self::List(settings),
        }
    }
}

fn goal(answer: &TuningAnswer, at: usize) -> TuningGoal {
    let (goal, tuned) = (&answer.goals[at], &answer.tuned);
    let hard = goal.aim.is_hard();
    let proof = tuned.proof.as_ref().filter(|_| hard);
    TuningGoal {
        goal: answer.subjects[at].clone(),
        intent: (!goal.intent.is_empty()).then(|| goal.intent.clone()),
        aim: aim(goal),
        hard,
        kind: AnswerKind::of(&goal.query).name(),
        now: tuned.now[at].as_ref().map(Weighted::from),
        excluded: hard.then_some(tuned.excluded[at]),
        met_alone: proof.map(|proof| proof.alone[at]),
    }
}

fn candidate(answer: &TuningAnswer, candidate: &Candidate) -> TuningCandidate {
    let dials = answer.dials.iter().zip(&candidate.options);
    let values = dials.map(|(dial, option)| {
        let value = DialOption::of(&answer.check, dial, *option);
        (dial.name.clone(), value)
    });
    let off = (0..candidate.off.len()).map(|goal| TuningAnswer::off(candidate, goal));
    let answers = candidate.answers.iter();
    TuningCandidate {
        candidate: candidate.number,
        values: Named(values.collect()),
        changes: ChangeSize {
            parameters: candidate.change.dials,
            by: Exact::of(&candidate.change.size),
        },
        answers: answers
            .map(|own| own.as_ref().map(Weighted::from))
            .collect(),
        off: off.map(|off| off.map(Distance::from)).collect(),
        total: answer.total(candidate).map(Distance::from),
        pareto: { answer.tuned.pareto.as_ref() }.map(|_| candidate.is_pareto),
    }
}

fn proof(answer: &TuningAnswer, proof: &Proof) -> TuningProof {
    let nearest = proof.nearest.as_ref();
    TuningProof {
        legal: proof.legal,
        conflict: proof.conflict.iter().map(|goal| goal + 1).collect(),
        nearest: nearest.map(|nearest| candidate(answer, nearest)),
    }
}
