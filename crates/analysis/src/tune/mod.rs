//! Which values of a design's parameters give the odds that are wanted: an exhaustive search over all combinations, with
//! exact answers.
//!
//! A combination is a **candidate**. Candidates are numbered, and everything is in that order, so the result is the same
//! for any number of threads. A goal is asked only of what it can tell apart: where two thresholds and a cap vary and a
//! goal reads one threshold, it is asked once for each value of that. What the rules forbid goes first, then what misses a
//! hard goal, those first that tell the fewest candidates apart; nothing more is asked of a candidate that is gone. Those
//! that are left are ranked by how far they are from what is wished for, and where that is the same by how far they are
//! from the ruleset as it is: no rule is changed for nothing.
//!
//! Whole parts of numbers decide most comparisons, and exact fractions the others.
//!
//! Where every question tells few candidates apart, none is looked at: answers are multiplied out as decision diagrams
//! ([`Method::Shared`]). Otherwise all are looked at, block by block ([`Method::Each`]). Both find the same.

mod asked;
mod bisect;
mod conflict;
mod cost;
mod diagram;
mod distance;
pub mod found;
mod look;
mod order;
mod paths;
mod probe;
mod rank;
mod scope;
mod search;
mod shared;
mod space;

use std::ops::{ControlFlow, Range};

use oddsmith_exact::{Answer, Budget, Error as ExactError, answers};
use oddsmith_rules::{Config, Dial, Goal, Model};
use thiserror::Error as ThisError;

pub use crate::number::Value;
pub use crate::tune::asked::FoundAsked;
use crate::tune::distance::Want;
use crate::tune::look::Task;
use crate::tune::probe::{Probe, QuestionPlan, Tells, check_of};
use crate::tune::rank::{Member, Place, Ranked};
use crate::tune::search::{Missed, Probes, Run, Sifted};
use crate::tune::space::Space;
pub use crate::tune::space::{Change, configuration, options};

/// Goals that can be hard at the most.
pub const MOST_GOALS: usize = 64;

/// A question of tuning: what is searched, and for what.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The ruleset.
    pub model: &'a Model,
    /// The dials, the last one fastest.
    pub dials: &'a [Dial],
    /// The goals: what the odds are to become.
    pub goals: &'a [Goal],
    /// How many candidates are told, at least one.
    pub top: usize,
    /// The first candidate that is looked at: 0, unless an earlier search got so far.
    pub from: u64,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Tuned {
    /// How many candidates there are.
    pub candidates: u64,
    /// The first one that was looked at.
    pub from: u64,
    /// The first one that was not: as many as there are, if the search came to its end.
    pub until: u64,
    /// How many the rules forbid.
    pub forbidden: u64,
    /// For each goal how many candidates were excluded because they miss it; each is counted once. With a proof that is at
    /// the first goal that it misses, in their order; else at the one that was asked first, and cheap ones are.
    pub excluded: Vec<u64>,
    /// How many meet all hard goals. With those that are forbidden and excluded, these are all that were looked at.
    pub met: u64,
    /// The answer to each goal with the file's own parameters; none where there is no number.
    pub now: Vec<Option<Answer>>,
    /// How many of those have the least total, so that nothing that is wished for tells them apart.
    pub equals: u64,
    /// The best ones by their totals; equals by what they change, the least first, and then by their numbers.
    pub best: Vec<Candidate>,
    /// Candidates that no other one dominates, which would be as near in every wish and nearer in one. None unless there
    /// are several wishes.
    pub pareto: Option<Pareto>,
    /// Why there is nothing, if all candidates were looked at and none is right.
    pub proof: Option<Proof>,
    /// How it was searched.
    pub method: Method,
    /// How many questions were asked: a goal in one of the combinations that it tells apart is one, or in one candidate
    /// where these are too many to keep what is found. A proof that was ended does not count.
    pub asked: u64,
}

/// How candidates are searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Method {
    /// Every question was asked of what it tells apart, and no candidate was looked at by itself.
    Shared,
    /// Every candidate was looked at by itself, since these goals, by their places, tell about as many apart as there
    /// are, or more than are held at once. None is named where that is a rule's fault, or that of all together.
    Each(Vec<usize>),
}

/// The Pareto set.
#[derive(Clone, Debug)]
pub struct Pareto {
    /// How many candidates are in it.
    pub candidates: u64,
    /// How many of them differ in what is wished for.
    pub distinct: u64,
    /// The best of those by their totals, each for all that are like it.
    pub members: Vec<Candidate>,
}

/// A candidate.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The candidate's number.
    pub number: u64,
    /// The option of each dial.
    pub options: Vec<usize>,
    /// How far it is from the ruleset as it is.
    pub change: Change,
    /// The distance from all wishes: the sum of weight times distance, where 100 points are a probability and other
    /// numbers have their own units.
    pub total: Value,
    /// Whether it is in the Pareto set; a single wish has none.
    pub is_pareto: bool,
    /// The answer to each goal's query; none where there is no number.
    pub answers: Vec<Option<Answer>>,
    /// The miss of each goal, in points or units and without weight.
    pub off: Vec<Value>,
}

/// Why nothing is right.
#[derive(Clone, Debug)]
pub struct Proof {
    /// How many candidates are legal.
    pub legal: u64,
    /// For each goal how many of these meet it; a wish is never counted.
    pub alone: Vec<u64>,
    /// The fewest goals that no legal candidate meets together, by their places. Empty if none is legal.
    pub conflict: Vec<usize>,
    /// The candidate whose largest miss is the least, of equals the one that changes the least; none if none is legal.
    pub nearest: Option<Candidate>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, ThisError)]
#[non_exhaustive]
pub enum Error {
    /// A question has no answer.
    #[error(transparent)]
    Exact(#[from] ExactError),
    /// There are more candidates than can be counted.
    #[error("there are more than 2^63 candidates")]
    TooManyCandidates,
    /// There are more hard goals than [`MOST_GOALS`].
    #[error("there are {0} goals with bounds; at most {MOST_GOALS} can be met at once")]
    TooManyGoals(usize),
    /// A number that is to be kept is none now.
    #[error("`{query}` has no answer now, so there is nothing to keep")]
    NothingToKeep {
        /// The query as asked.
        query: String,
    },
    /// What was found in parts is not what is in them.
    #[error("candidate {0} is not what a part says of it")]
    NotFound(u64),
}

/// Searches all candidates from `question.from` on. `progress` hears how many candidates are done and in which round,
/// of which there is a second one if nothing is right; it may end the search, and what is known by then is returned.
///
/// # Errors
/// If a candidate that no goal has excluded has no answer because a rule can't be carried out with it, the first one in
/// order; or if it is over the budget.
///
/// ```
/// use oddsmith_analysis::tune::{Question, tune};
/// use oddsmith_exact::Budget;
/// use std::ops::ControlFlow;
///
/// let rules = r#"
/// name = "Demo"
/// [params]
/// line = { default = 7, domain = "2..=12" }
/// [checks.check]
/// bands = ["Miss", "Hit"]
/// rules = "show band = if 2d6 >= line then Hit else Miss"
/// "#;
/// let model = oddsmith_rules::load("demo.toml", rules.as_bytes()).unwrap();
/// let check = model.check("check").unwrap();
/// let dials = [check.dial("line=2..=12", "--vary").unwrap()];
/// let goals = [model.goal(check, "Hit in [0.25, 0.3]", "--goal").unwrap()];
/// let question = Question { model: &model, dials: &dials, goals: &goals, top: 10, from: 0 };
/// let tuned = tune(&question, &Budget::unlimited(), |_, _| ControlFlow::Continue(())).unwrap();
/// assert_eq!(tuned.met, 1);
/// assert_eq!(dials[0].show(check, tuned.best[0].options[0]), "9"); // 10/36 = 0.278
/// ```
pub fn tune(
    question: &Question<'_>,
    budget: &Budget,
    mut progress: impl FnMut(u32, u64) -> ControlFlow<()>,
) -> Result<Tuned, Error> {
    searched(question, budget, |search| {
        let task = Task {
            range: question.from..search.space.candidates,
            // Where some were not looked at, nothing is proved.
            is_explained: question.from == 0,
        };
        Ok(search.answer(search.look(&task, &mut progress)?)?)
    })
}

/// Does something with a search that is ready.
fn searched<T>(
    question: &Question<'_>,
    budget: &Budget,
    work: impl FnOnce(&Search<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    let Question { dials, goals, .. } = *question;
    // Parameters are the same in all checks.
    let mut checks = question.model.checks.iter().chain(&question.model.tracks);
    let check = checks.next().expect("a ruleset has a check or a track");
    let space = Space::new(dials, check).ok_or(Error::TooManyCandidates)?;
    let (hard, soft): (Vec<usize>, Vec<usize>) =
        (0..goals.len()).partition(|&goal| goals[goal].aim.is_hard());
    if hard.len() > MOST_GOALS {
        return Err(Error::TooManyGoals(hard.len()));
    }
    work(&Search::new(question, &space, budget, (&hard, &soft))?)
}

/// Cells that a question may have to be asked beforehand, and where distances are kept.
const MOST_CELLS: u128 = 1 << 22;
const MOST_DISTANCES: u128 = 1 << 22;

/// Cells that a goal may have that is halved: each may become a branch.
const MOST_HALVED: u128 = 1 << 25;

/// Cells that all questions together may have, however few candidates there are.
const FEW_CELLS: u128 = 1 << 14;

/// Cells from which on goals of one configuration are asked apart, if one of them tells fewer apart by itself.
const APART_FROM: u128 = 1 << 14;

/// A search with what it asks.
struct Search<'a> {
    question: &'a Question<'a>,
    space: &'a Space<'a>,
    budget: &'a Budget,
    now: Vec<Option<Answer>>,
    wants: Vec<Want>,
    rules: Vec<QuestionPlan>,
    hard: Vec<QuestionPlan>,
    soft: Vec<QuestionPlan>,
    /// Goals that are asked by themselves where answers are shared, though others have the same configuration.
    apart: Vec<QuestionPlan>,
}

impl<'a> Search<'a> {
    fn new(
        question: &'a Question<'a>,
        space: &'a Space<'a>,
        budget: &'a Budget,
        (hard, soft): (&[usize], &[usize]),
    ) -> Result<Self, Error> {
        let Question { model, goals, .. } = *question;
        let (mut now, mut wants) = (Vec::new(), Vec::new());
        for goal in goals {
            let answer = answer_of(model, goal, &goal.config, budget);
            let answer = match answer {
                // The rules may forbid what is there now: a reason to tune, unless something of it is to be kept.
                Err(ExactError::Requirement { .. }) => None,
                answer => answer?,
            };
            let nothing = || Error::NothingToKeep {
                query: goal.query.text.clone(),
            };
            let value = answer.as_ref().and_then(value_of);
            wants.push(Want::of(goal, value).ok_or_else(nothing)?);
            now.push(answer);
        }
        let hard = QuestionPlan::of_goals(space, model, goals, hard);
        let soft = QuestionPlan::of_goals(space, model, goals, soft);
        let mut apart = Vec::new();
        for group in hard.iter().chain(&soft).filter(|group| group.len() > 1) {
            let cells = group.cells();
            if cells >= APART_FROM {
                let own = { group.goals().iter() }
                    .flat_map(|&goal| QuestionPlan::of_goals(space, model, goals, &[goal]));
                let own: Vec<QuestionPlan> = own.collect();
                if own.iter().any(|own| own.most_asked() < cells) {
                    apart.extend(own);
                }
            }
        }
        Ok(Self {
            question,
            space,
            budget,
            now,
            wants,
            rules: QuestionPlan::of_rules(space, model, goals),
            hard,
            soft,
            apart,
        })
    }

    /// The questions of some groups as they are asked where answers are shared.
    fn parts<'s>(&'s self, groups: &'s [QuestionPlan]) -> Vec<&'s QuestionPlan> {
        let parts = groups.iter().flat_map(|group| {
            let own = { self.apart.iter() }.filter(|own| group.goals().contains(&own.goals()[0]));
            let own: Vec<&QuestionPlan> = own.collect();
            if own.is_empty() { vec![group] } else { own }
        });
        parts.collect()
    }

    /// Why every candidate has to be looked at: the goals that tell too many apart. Nothing if none has to. It is the same
    /// for all ranges of a search, so that these are searched as the whole is.
    fn reason(&self) -> Option<Vec<usize>> {
        let [hard, soft] = [&self.hard, &self.soft].map(|groups| self.parts(groups));
        let all = || self.rules.iter().chain(hard.iter().chain(&soft).copied());
        let left = u128::from(self.space.candidates - self.question.from);
        let most = (left / 2).max(FEW_CELLS);
        let is_wide = |plan: &&QuestionPlan| {
            plan.most_asked() > most.min(MOST_CELLS) || plan.cells() > MOST_HALVED
        };
        let is_wide_wish = |plan: &&&QuestionPlan| plan.cells() > most.min(MOST_DISTANCES);
        let wide = all().filter(is_wide);
        let wide = wide.chain(soft.iter().filter(is_wide_wish).copied());
        let mut wide: Vec<usize> = wide.flat_map(QuestionPlan::goals).copied().collect();
        wide.sort_unstable();
        wide.dedup();
        let cells = all().fold(0_u128, |sum, plan| sum.saturating_add(plan.most_asked()));
        (all().any(|plan| is_wide(&plan)) || !wide.is_empty() || cells > most).then_some(wide)
    }

    /// Adds why no candidate is right.
    fn prove(&self, tuned: &mut Tuned, missed: Missed) -> Result<(), ExactError> {
        tuned.excluded.clone_from(&missed.excluded);
        tuned.proof = Some(self.proof(missed)?);
        Ok(())
    }

    /// The probes, hard ones telling what is said, the cheapest first.
    fn probes(&self, hard: Tells) -> Result<Probes<'_>, ExactError> {
        Ok(Probes {
            rules: self.ready(&self.rules, Tells::Met)?,
            hard: self.ready(&self.hard, hard)?,
            soft: match hard {
                Tells::Met => self.ready(&self.soft, Tells::Off)?,
                Tells::Off => Vec::new(),
            },
        })
    }

    /// The same probes in the same order, but goals that are asked apart by themselves.
    fn apart<'s>(&'s self, probes: Probes<'s>, hard: Tells) -> Result<Probes<'s>, ExactError> {
        let apart = |probes: Vec<Probe<'s>>, tells| {
            let mut parts = Vec::new();
            for probe in probes {
                let own =
                    { self.apart.iter() }.filter(|own| probe.goals().contains(&own.goals()[0]));
                let own =
                    own.map(|plan| Probe::new(plan, (&self.wants, tells), self.space, self.budget));
                let own: Vec<Probe<'s>> = own.collect::<Result<_, _>>()?;
                if own.is_empty() {
                    parts.push(probe);
                } else {
                    parts.extend(own);
                }
            }
            Ok::<_, ExactError>(parts)
        };
        Ok(Probes {
            rules: probes.rules,
            hard: apart(probes.hard, hard)?,
            soft: apart(probes.soft, Tells::Off)?,
        })
    }

    fn ready<'s>(
        &'s self,
        plans: &'s [QuestionPlan],
        tells: Tells,
    ) -> Result<Vec<Probe<'s>>, ExactError> {
        let ready = |plan| Probe::new(plan, (&self.wants, tells), self.space, self.budget);
        let mut probes: Vec<Probe<'_>> = plans.iter().map(ready).collect::<Result<_, _>>()?;
        probes.sort_by_key(Probe::order);
        Ok(probes)
    }

    fn run<'r, 'p>(&'r self, probes: &'r Probes<'p>, range: Range<u64>) -> Run<'r, 'p> {
        Run {
            space: self.space,
            probes,
            budget: self.budget,
            range,
        }
    }

    fn told(&self, sifted: &Sifted, until: u64) -> Result<Tuned, ExactError> {
        let members = &sifted.front.members;
        let is_pareto = |ranked: &Ranked| members.iter().any(|member| member.parts == ranked.parts);
        let best = sifted.best.ranked.iter();
        let best = best.map(|ranked| self.candidate(ranked.place.number, is_pareto(ranked)));
        let wishes: usize = self.soft.iter().map(QuestionPlan::len).sum();
        Ok(Tuned {
            candidates: self.space.candidates,
            from: self.question.from,
            until,
            forbidden: sifted.forbidden,
            excluded: sifted.excluded.clone(),
            met: sifted.met,
            equals: sifted.best.equals,
            now: self.now.clone(),
            best: best.collect::<Result<_, _>>()?,
            pareto: (wishes > 1).then(|| self.pareto(members)).transpose()?,
            proof: None,
            method: Method::Shared,
            asked: 0,
        })
    }

    fn pareto(&self, members: &[Member]) -> Result<Pareto, ExactError> {
        let total = |member: &Member| {
            let mut parts = member.parts.iter();
            let total = parts.try_fold(Value::ZERO, |sum, part| sum.plus(&part.exact));
            total.unwrap_or(Value::Infinite)
        };
        let mut ranked: Vec<(Value, Place)> = members
            .iter()
            .map(|member| (total(member), member.place))
            .collect();
        ranked.sort();
        ranked.truncate(self.question.top);
        let told = ranked
            .into_iter()
            .map(|(_, place)| self.candidate(place.number, true));
        Ok(Pareto {
            candidates: members.iter().map(|member| member.alike).sum(),
            distinct: members.len() as u64,
            members: told.collect::<Result<_, _>>()?,
        })
    }

    /// A candidate with its answers, each found by itself.
    fn candidate(&self, number: u64, is_pareto: bool) -> Result<Candidate, ExactError> {
        let Question { model, goals, .. } = *self.question;
        let options = self.space.options(number);
        let answers = goals.iter().map(|goal| {
            let config = self.space.config(&goal.config, &options);
            answer_of(model, goal, &config, self.budget)
        });
        let answers: Vec<Option<Answer>> = answers.collect::<Result<_, _>>()?;
        let off = self.wants.iter().zip(&answers);
        let off = off.map(|(want, answer)| want.off(answer.as_ref().and_then(value_of).as_ref()));
        let off: Vec<Value> = off.collect();
        let wishes = goals.iter().zip(&self.wants).zip(&off);
        let mut wishes = wishes.filter(|((goal, _), _)| !goal.aim.is_hard());
        let total = wishes.try_fold(Value::ZERO, |sum, ((_, want), off)| {
            sum.plus(&want.weighted(off.clone()))
        });
        Ok(Candidate {
            number,
            change: self.space.change(&options),
            options,
            total: total.unwrap_or(Value::Infinite),
            is_pareto,
            off,
            answers,
        })
    }

    fn proof(&self, missed: Missed) -> Result<Proof, ExactError> {
        let order = &missed.order;
        let conflict = conflict::smallest(&missed.masks, order.len()).unwrap_or_default();
        let mut conflict: Vec<usize> = conflict.into_iter().map(|at| order[at]).collect();
        conflict.sort_unstable();
        let nearest = missed
            .nearest
            .map(|(_, place)| self.candidate(place.number, false));
        Ok(Proof {
            legal: missed.legal,
            alone: missed.alone,
            conflict,
            nearest: nearest.transpose()?,
        })
    }
}

/// The answer to a goal's query in a configuration; none if there is no number.
fn answer_of(
    model: &Model,
    goal: &Goal,
    config: &Config,
    budget: &Budget,
) -> Result<Option<Answer>, ExactError> {
    let query = std::slice::from_ref(&goal.query);
    match answers(check_of(model, goal), config, query, budget) {
        Ok(mut found) => Ok(found.pop()),
        Err(ExactError::NeverHappens { .. } | ExactError::NeverEnds { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// An answer as a number.
fn value_of(answer: &Answer) -> Option<Value> {
    Value::of(oddsmith_exact::RowAnswer::Big(answer))
}

#[cfg(test)]
mod tests;
