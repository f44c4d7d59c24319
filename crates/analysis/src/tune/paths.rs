//! The best of all candidates for which a diagram holds, found level by level.
//!
//! Two ways to choose the dials so far that leave the same diagrams to decide go on alike: what follows adds the same to
//! both. So of all such ways only those are kept that may still be among the best, and never all candidates.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use oddsmith_exact::Error;

use crate::number::Value;
use crate::tune::cost::Costs;
use crate::tune::diagram::{Diagram, Diagrams, Halt};
use crate::tune::distance::Distance;
use crate::tune::rank::{Best, Front, Member, Place};

/// A wish: how far each candidate is from it.
#[derive(Debug)]
pub(crate) struct Wish {
    /// Its values are places among the distances.
    pub(crate) diagram: Diagram,
    /// All distances, ascending, none twice.
    pub(crate) distances: Vec<Distance>,
}

/// What is searched by levels, and what it costs.
pub(crate) struct Paths<'s, 'a> {
    pub(crate) diagrams: &'s Diagrams<'a>,
    /// The candidates among which the best are searched.
    pub(crate) met: Diagram,
    pub(crate) wishes: &'s [Wish],
    /// What an option at a level adds to the place of a candidate.
    pub(crate) places: &'s [Vec<Place>],
    pub(crate) costs: Costs<'a>,
}

/// What the diagrams have become by the dials so far; a wish that is decided is no longer told.
type State = Vec<Diagram>;

/// What is kept of the ways to one state.
trait Kept: Clone {
    /// The ways that go on by an option, which decides some wishes: each by its place, with the place of its distance.
    fn step(&self, place: Place, decided: &[(usize, u32)]) -> Self;
    /// How many are kept.
    fn len(&self) -> usize;
}

impl<'a> Paths<'_, 'a> {
    /// The best `most` by their totals, of equals those that come first by their places, and how many are best.
    ///
    /// # Errors
    /// If that is over the budget.
    pub(crate) fn best(&self, most: usize) -> Result<Best, Halt> {
        let mut best = Best::new(most);
        let tally = Tally::start(self.wishes, most.max(1));
        let Some(tally) = self.walk(&tally, |known, more| {
            known.merge(more);
            Ok(())
        })?
        else {
            return Ok(best);
        };
        for way in tally.finite.iter().chain(&tally.endless) {
            let parts = self.wishes.iter().zip(&way.parts);
            let parts: Vec<&Distance> = parts
                .map(|(wish, &part)| &wish.distances[part as usize])
                .collect();
            best.offer(way.place, &parts);
        }
        if most > 0 {
            best.equals = match tally.finite.is_empty() {
                true => tally.endless_count,
                false => tally.equals,
            };
        }
        Ok(best)
    }

    /// The Pareto set.
    ///
    /// # Errors
    /// If that is over the budget.
    pub(crate) fn front(&self) -> Result<Front, Halt> {
        let budget = self.costs.budget;
        let start = Front {
            members: vec![Member {
                place: Place::default(),
                parts: vec![0; self.wishes.len()],
                alike: 1,
            }],
        };
        let merge = |known: &mut Front<u32>, more| known.merge(more, budget);
        let found = self.walk(&start, merge)?.unwrap_or_default();
        let told = |member: Member<u32>| Member {
            place: member.place,
            parts: self
                .wishes
                .iter()
                .zip(&member.parts)
                .map(|(wish, &part)| wish.distances[part as usize].clone())
                .collect(),
            alike: member.alike,
        };
        Ok(Front {
            members: found.members.into_iter().map(told).collect(),
        })
    }

    /// What is kept of all ways to the end; none if there is none.
    fn walk<K: Kept>(
        &self,
        start: &K,
        merge: impl Fn(&mut K, K) -> Result<(), Error>,
    ) -> Result<Option<K>, Halt> {
        if self.met == Diagram::NO {
            return Ok(None);
        }
        let mut state: State = vec![self.met];
        state.extend(self.wishes.iter().map(|wish| wish.diagram));
        let start = start.step(Place::default(), &decide(&mut state));
        let mut ways: BTreeMap<State, K> = BTreeMap::from([(state, start)]);
        for (level, places) in self.places.iter().enumerate() {
            let mut next: BTreeMap<State, K> = BTreeMap::new();
            for (state, kept) in ways {
                for (option, place) in places.iter().enumerate() {
                    let parts = state.iter();
                    let mut after: State = parts
                        .map(|part| self.diagrams.with(*part, level, option))
                        .collect();
                    if after[0] == Diagram::NO {
                        continue;
                    }
                    self.costs.paths(kept.len(), self.wishes.len())?;
                    // What was decided before is not told again.
                    let mut decided = decide(&mut after);
                    decided.retain(|(wish, _)| state[wish + 1] != DECIDED);
                    let more = kept.step(*place, &decided);
                    match next.get_mut(&after) {
                        Some(known) => merge(known, more)?,
                        None => drop(next.insert(after, more)),
                    }
                }
            }
            ways = next;
        }
        Ok(ways.into_values().next())
    }
}

/// What stands for a wish that is decided: no wish is a diagram that holds everywhere by this value.
const DECIDED: Diagram = Diagram::NO;

/// The wishes that are decided in a state, with their values; they are taken out of it.
fn decide(state: &mut State) -> Vec<(usize, u32)> {
    let wishes = state[1..].iter_mut().enumerate();
    let decided = wishes.filter_map(|(at, diagram)| {
        let value = diagram.value()?;
        *diagram = DECIDED;
        Some((at, value))
    });
    decided.collect()
}

/// What stands for the distance from a wish that is not decided yet.
const OPEN: u32 = u32::MAX;

/// A way to choose the dials so far.
#[derive(Clone, Debug)]
struct Way {
    place: Place,
    /// The place of the distance from each wish.
    parts: Vec<u32>,
    /// The sum of the floors of these distances.
    floor: u128,
}

/// The best ways by their totals so far. What is still to come adds the same to the totals of all, unless it is without
/// end: then their places alone decide, so the first ones by these are kept, too, where that can be.
#[derive(Clone, Debug)]
struct Tally<'w> {
    wishes: &'w [Wish],
    most: usize,
    /// The best ones whose total so far is finite, by total and place.
    finite: Vec<Way>,
    /// How many have the least of these totals.
    equals: u64,
    /// The first ones whose total is without end, by their places.
    endless: Vec<Way>,
    endless_count: u64,
    /// The first ones of all, by their places; none where no distance is without end.
    all: Vec<Way>,
    all_count: u64,
}

impl<'w> Tally<'w> {
    /// The only way to choose no dial.
    fn start(wishes: &'w [Wish], most: usize) -> Self {
        let way = Way {
            place: Place::default(),
            parts: vec![OPEN; wishes.len()],
            floor: 0,
        };
        let may_be_endless = wishes
            .iter()
            .any(|wish| wish.distances.iter().any(is_endless));
        Self {
            wishes,
            most,
            finite: vec![way.clone()],
            equals: 1,
            endless: Vec::new(),
            endless_count: 0,
            all: if may_be_endless {
                vec![way]
            } else {
                Vec::new()
            },
            all_count: u64::from(may_be_endless),
        }
    }

    fn merge(&mut self, more: Self) {
        let firsts = self.finite.first().zip(more.finite.first());
        match firsts.map(|(own, other)| self.by_total(own, other)) {
            Some(Ordering::Less) => {}
            Some(Ordering::Equal) => self.equals += more.equals,
            Some(Ordering::Greater) => self.equals = more.equals,
            None => self.equals += more.equals,
        }
        self.endless_count += more.endless_count;
        self.all_count += more.all_count;
        let finite = std::mem::take(&mut self.finite);
        self.finite = merged(finite, more.finite, self.most, |own, other| {
            let totals = self.by_total(own, other);
            totals.then_with(|| own.place.cmp(&other.place))
        });
        for (own, more) in [(&mut self.endless, more.endless), (&mut self.all, more.all)] {
            let by_place = |own: &Way, other: &Way| own.place.cmp(&other.place);
            *own = merged(std::mem::take(own), more, self.most, by_place);
        }
    }

    /// The order of two totals so far: a total lies at its floor or above it, by less than one for each wish.
    fn by_total(&self, own: &Way, other: &Way) -> Ordering {
        if own.parts == other.parts {
            return Ordering::Equal;
        }
        let wishes = self.wishes.len() as u128;
        let is_less = |less: &Way, more: &Way| {
            less.floor < u128::MAX && less.floor.saturating_add(wishes) <= more.floor
        };
        if is_less(own, other) {
            return Ordering::Less;
        }
        if is_less(other, own) {
            return Ordering::Greater;
        }
        self.total(own).cmp(&self.total(other))
    }

    fn total(&self, way: &Way) -> Value {
        let parts = self.wishes.iter().zip(&way.parts);
        let mut decided = parts.filter(|(_, part)| **part != OPEN);
        let total = decided.try_fold(Value::ZERO, |sum, (wish, &part)| {
            sum.plus(&wish.distances[part as usize].exact)
        });
        total.unwrap_or(Value::Infinite)
    }

    fn after(&self, ways: &[Way], place: Place, decided: &[(usize, u32)]) -> Vec<Way> {
        let after = |way: &Way| {
            let mut way = way.clone();
            way.place = way.place.plus(place);
            for &(wish, part) in decided {
                let floor = self.wishes[wish].distances[part as usize].floor;
                way.floor = way.floor.saturating_add(floor);
                way.parts[wish] = part;
            }
            way
        };
        ways.iter().map(after).collect()
    }
}

impl Kept for Tally<'_> {
    fn step(&self, place: Place, decided: &[(usize, u32)]) -> Self {
        let after = |ways| self.after(ways, place, decided);
        let mut ends = decided
            .iter()
            .map(|&(wish, part)| &self.wishes[wish].distances[part as usize]);
        let all = after(&self.all);
        if ends.any(is_endless) {
            return Self {
                finite: Vec::new(),
                equals: 0,
                endless: all.clone(),
                endless_count: self.all_count,
                all,
                ..*self
            };
        }
        Self {
            finite: after(&self.finite),
            endless: after(&self.endless),
            all,
            ..*self
        }
    }

    fn len(&self) -> usize {
        self.finite.len() + self.endless.len() + self.all.len()
    }
}

impl Kept for Front<u32> {
    fn step(&self, place: Place, decided: &[(usize, u32)]) -> Self {
        let after = |member: &Member<u32>| {
            let mut member = member.clone();
            member.place = member.place.plus(place);
            for &(wish, part) in decided {
                member.parts[wish] = part;
            }
            member
        };
        Self {
            members: self.members.iter().map(after).collect(),
        }
    }

    fn len(&self) -> usize {
        self.members.len()
    }
}

fn is_endless(distance: &Distance) -> bool {
    !matches!(distance.exact, Value::Finite(_))
}

/// The first `most` of two lists in order.
fn merged(
    own: Vec<Way>,
    more: Vec<Way>,
    most: usize,
    order: impl Fn(&Way, &Way) -> Ordering,
) -> Vec<Way> {
    if own.is_empty() || more.is_empty() {
        return if own.is_empty() { more } else { own };
    }
    let (mut own, mut more) = (own.into_iter().peekable(), more.into_iter().peekable());
    let mut all = Vec::with_capacity(most.min(own.len() + more.len()));
    while all.len() < most {
        let is_own = match (own.peek(), more.peek()) {
            (None, None) => break,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (Some(first), Some(second)) => order(first, second).is_le(),
        };
        all.extend(if is_own { own.next() } else { more.next() });
    }
    all
}
