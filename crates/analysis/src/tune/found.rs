//! A search in parts: what is found in each range of candidates, and what all of it comes to.
//!
//! Of what is found the numbers of candidates are kept, and counts. How good a candidate is shows once it is asked again,
//! which is little work for the few that are best; so nothing that a search has found has to be believed, and no distance
//! be written down.

use std::ops::{ControlFlow, Range};

use oddsmith_exact::{Budget, Error as ExactError};
use serde::{Deserialize, Serialize};

use crate::tune::asked::{FoundAsked, count_together};
use crate::tune::look::{Explained, Looked, Task};
use crate::tune::probe::Tells;
use crate::tune::search::{Missed, Probes, Run, Sifted};
use crate::tune::{Error, Method, Question, Search, Tuned, searched};

/// What is found in a range of candidates.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// How many the rules forbid.
    pub forbidden: u64,
    /// For each goal how many it was the first to exclude.
    pub excluded: Vec<u64>,
    /// How many meet all hard goals.
    pub met: u64,
    /// How many of those have the least total.
    pub equals: u64,
    /// The numbers of the best ones, in their order.
    pub best: Vec<u64>,
    /// The Pareto set of the range: a candidate of each kind, and how many are like it.
    pub pareto: Vec<(u64, u64)>,
    /// Whether every candidate was looked at.
    pub is_each: bool,
    /// What was asked to find this, but for the misses.
    pub asked: Vec<FoundAsked>,
    /// Why there is nothing, if no candidate is right.
    pub misses: Option<FoundMisses>,
}

/// The misses of candidates none of which is right.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundMisses {
    /// How many are legal.
    pub legal: u64,
    /// For each goal how many of these meet it.
    pub alone: Vec<u64>,
    /// For each goal how many miss it and none before it.
    pub excluded: Vec<u64>,
    /// The sets of goals that candidates meet, a bit for each.
    pub masks: Vec<u64>,
    /// The candidate whose largest miss is the least, if any is legal.
    pub nearest: Option<u64>,
    /// Whether every candidate was looked at.
    pub is_each: bool,
    /// What was asked to find this.
    pub asked: Vec<FoundAsked>,
}

/// Looks at some candidates of a question; whatever `question.from` says. If no candidate among them is right, it is found
/// out why, in case there is none among the others either. None if `progress` ended it, which hears of the same as that of
/// [`super::tune`].
///
/// # Errors
/// As [`super::tune`].
///
/// # Panics
/// If there are not so many candidates.
pub fn find(
    question: &Question<'_>,
    range: Range<u64>,
    budget: &Budget,
    mut progress: impl FnMut(u32, u64) -> ControlFlow<()>,
) -> Result<Option<Found>, Error> {
    searched(question, budget, |search| {
        assert!(
            range.end <= search.space.candidates,
            "candidates of this search"
        );
        let task = Task {
            range: range.clone(),
            is_explained: true,
        };
        let looked = search.look(&task, &mut progress)?;
        let is_whole = looked.until == range.end;
        let is_settled = looked.sifted.met > 0 || looked.explained.is_some();
        Ok((is_whole && is_settled).then(|| Found::of(looked)))
    })
}

impl Found {
    /// What is kept of what was found.
    pub(crate) fn of(looked: Looked) -> Self {
        let Looked { sifted, .. } = looked;
        Self {
            forbidden: sifted.forbidden,
            met: sifted.met,
            equals: sifted.best.equals,
            best: { sifted.best.ranked.iter() }
                .map(|ranked| ranked.place.number)
                .collect(),
            pareto: { sifted.front.members.iter() }
                .map(|member| (member.place.number, member.alike))
                .collect(),
            excluded: sifted.excluded,
            is_each: looked.method != Method::Shared,
            asked: looked.asked,
            misses: looked.explained.map(FoundMisses::of),
        }
    }
}

impl FoundMisses {
    fn of(explained: Explained) -> Self {
        let missed = explained.missed;
        Self {
            legal: missed.legal,
            alone: missed.alone,
            excluded: missed.excluded,
            masks: missed.masks.into_iter().collect(),
            nearest: missed.nearest.map(|(_, place)| place.number),
            is_each: explained.is_each,
            asked: explained.asked,
        }
    }
}

/// The result of a search whose ranges were looked at one by one, in the order of the ranges; together they are all
/// candidates from `question.from` on. It is that of [`super::tune`].
///
/// # Errors
/// As [`super::tune`]; if a candidate is not what was found.
pub fn settle(question: &Question<'_>, found: &[Found], budget: &Budget) -> Result<Tuned, Error> {
    searched(question, budget, |search| search.settle(found))
}

impl Search<'_> {
    /// What ranges come to, in their order.
    pub(crate) fn settle(&self, found: &[Found]) -> Result<Tuned, Error> {
        let (question, candidates) = (self.question, self.space.candidates);
        let probes = self.probes(Tells::Met)?;
        let run = self.run(&probes, 0..candidates);
        let kept = (question.top, question.goals.len());
        let mut all = Sifted::new(kept.0, kept.1);
        for part in found {
            all.merge(sifted(part, &run, kept)?, self.budget)?;
        }
        let mut tuned = self.told(&all, candidates)?;
        tuned.method = match self.reason() {
            None => Method::Shared.explained(found.iter().any(|part| part.is_each)),
            Some(goals) => Method::Each(goals),
        };
        tuned.asked = count_together(found.iter().flat_map(|part| &part.asked));
        if all.met == 0 && question.from == 0 {
            let probes = self.probes(Tells::Off)?;
            self.prove(&mut tuned, missed(self, &probes, found)?)?;
            let misses = || found.iter().filter_map(|part| part.misses.as_ref());
            let asked = count_together(misses().flat_map(|misses| &misses.asked));
            tuned.asked = tuned.asked.saturating_add(asked);
            tuned.method = { tuned.method }.explained(misses().any(|misses| misses.is_each));
        }
        Ok(tuned)
    }
}

/// What was found in a range, as the search had it.
fn sifted(part: &Found, run: &Run<'_, '_>, (top, goals): (usize, usize)) -> Result<Sifted, Error> {
    let mut all = Sifted::new(top, goals);
    let one = |number: u64| -> Result<Sifted, Error> {
        let is_candidate = number < run.space.candidates;
        let one = is_candidate.then(|| run.sift_one(number, (top, goals)));
        let one = one.transpose()?;
        one.filter(|one| one.met == 1)
            .ok_or(Error::NotFound(number))
    };
    for number in &part.best {
        all.best.merge(one(*number)?.best);
    }
    for (number, alike) in &part.pareto {
        let mut front = one(*number)?.front;
        let member = front.members.first_mut();
        member.ok_or(Error::NotFound(*number))?.alike = *alike;
        all.front.merge(front, run.budget)?;
    }
    all.best.equals = part.equals;
    all.forbidden = part.forbidden;
    all.met = part.met;
    all.excluded.clone_from(&part.excluded);
    Ok(all)
}

/// The misses of all candidates, from those of the ranges.
fn missed(search: &Search<'_>, probes: &Probes<'_>, found: &[Found]) -> Result<Missed, ExactError> {
    let goals = search.question.goals.len();
    let run = search.run(probes, 0..search.space.candidates);
    let mut all = Missed::new(goals);
    all.order = probes.order();
    for part in found.iter().filter_map(|part| part.misses.as_ref()) {
        let nearest = part
            .nearest
            .filter(|number| *number < search.space.candidates);
        let nearest = nearest.map(|number| run.explain_one(number, goals));
        all.merge(Missed {
            legal: part.legal,
            alone: part.alone.clone(),
            excluded: part.excluded.clone(),
            masks: part.masks.iter().copied().collect(),
            order: Vec::new(),
            nearest: nearest.transpose()?.and_then(|missed| missed.nearest),
        });
    }
    Ok(all)
}
