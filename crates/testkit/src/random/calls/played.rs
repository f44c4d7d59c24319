//! The odds of checks and tracks that play one another, played out on the drawn tree: nothing here knows the language.

use std::collections::BTreeMap;

use oddsmith_dist::RBig;

use super::{Call, Check, Num, Rounds, Step};

/// Results with their probabilities.
pub type Odds<K> = BTreeMap<K, RBig>;

/// Axes of a play; none is one that the check does not have.
pub type Axes = [Option<i64>; 3];

/// What a check reads while it is played.
struct Play<'p> {
    axes: Axes,
    names: &'p [i64],
}

/// A player of checks, which plays each with each of its axes once.
pub struct Player<'c> {
    checks: &'c [Check],
    known: BTreeMap<(usize, Axes), Odds<(i64, i64)>>,
}

fn certainly<K: Ord>(result: K) -> Odds<K> {
    BTreeMap::from([(result, RBig::ONE)])
}

fn joined<A, B, K: Ord>(a: &Odds<A>, b: &Odds<B>, join: impl Fn(&A, &B) -> K) -> Odds<K> {
    let mut odds = Odds::new();
    for (x, p) in a {
        for (y, q) in b {
            *odds.entry(join(x, y)).or_default() += p * q;
        }
    }
    odds
}

fn mixed<A: Ord, K: Ord>(a: &Odds<A>, mut of: impl FnMut(&A) -> Odds<K>) -> Odds<K> {
    let mut odds = Odds::new();
    for (x, p) in a {
        for (result, q) in of(x) {
            *odds.entry(result).or_default() += p * q;
        }
    }
    odds
}

/// How full a track is, and after how many rounds.
type Stand = (i64, i64);

/// Where a track ends that stands so, and whose last round showed `last`, if it ends there.
fn ended(rounds: Rounds, (full, played): Stand, last: i64) -> Option<(i64, i64)> {
    match rounds {
        Rounds::AtMost(most) => (full >= 2 || played == most).then_some((last, played)),
        Rounds::UntilFull => (full >= 2).then_some((last, full)),
    }
}

/// Where a track that stands so goes on to end by its rounds' `s0` and `s1`; `known` has the stands from which that is known,
/// as rounds have hundreds of results.
fn ends(
    round: &Odds<(i64, i64)>,
    rounds: Rounds,
    stand: Stand,
    known: &mut BTreeMap<Stand, Odds<(i64, i64)>>,
) -> Odds<(i64, i64)> {
    if let Some(found) = known.get(&stand) {
        return found.clone();
    }
    let (full, played) = stand;
    let half = || RBig::ONE / RBig::from(2);
    let mut found = Odds::new();
    let mut goes_on: BTreeMap<Stand, RBig> = BTreeMap::new();
    for ((s0, s1), p) in round {
        let gains = match s0 < s1 {
            true => vec![(2, p.clone())],
            false => vec![(0, p * half()), (1, p * half())],
        };
        for (gain, p) in gains {
            let next = (full + gain, played + 1);
            match ended(rounds, next, *s0) {
                Some(end) => *found.entry(end).or_default() += p,
                None => *goes_on.entry(next).or_default() += p,
            }
        }
    }
    let mut stays = RBig::ZERO;
    for (next, p) in goes_on {
        // Without a count of rounds one that adds nothing changes nothing but what was shown last.
        if next.0 == full && matches!(rounds, Rounds::UntilFull) {
            stays += p;
            continue;
        }
        for (end, q) in ends(round, rounds, next, known) {
            *found.entry(end).or_default() += &p * q;
        }
    }
    let leaves = RBig::ONE - stays;
    found.values_mut().for_each(|p| *p /= &leaves);
    known.insert(stand, found.clone());
    found
}

impl<'c> Player<'c> {
    /// A player of these checks, as [`super::checks`] draws them.
    #[must_use]
    pub fn new(checks: &'c [Check]) -> Self {
        Self {
            checks,
            known: BTreeMap::new(),
        }
    }

    /// The odds of the two numbers that the check at a place shows with these axes.
    pub fn play(&mut self, at: usize, axes: Axes) -> Odds<(i64, i64)> {
        if let Some(known) = self.known.get(&(at, axes)) {
            return known.clone();
        }
        let check = &self.checks[at];
        let mut states = certainly(Vec::new());
        for step in &check.steps {
            states = self.after(&states, axes, step);
        }
        for shown in &check.shows {
            states = self.after(&states, axes, &Step::Let(shown.clone()));
        }
        let odds = mixed(&states, |names| {
            let [.., s0, s1] = names[..] else {
                unreachable!("two numbers are shown")
            };
            certainly((s0, s1))
        });
        let odds = match check.rounds {
            None => odds,
            Some(rounds) => match ended(rounds, (0, 0), 0) {
                Some(end) => certainly(end),
                None => ends(&odds, rounds, (0, 0), &mut BTreeMap::new()),
            },
        };
        self.known.insert((at, axes), odds.clone());
        odds
    }

    /// The names' values after a step.
    fn after(&mut self, states: &Odds<Vec<i64>>, axes: Axes, step: &Step) -> Odds<Vec<i64>> {
        mixed(states, |names| {
            let play = Play { axes, names };
            let more = match step {
                Step::Choose(only) => certainly(vec![*only]),
                Step::Let(num) => mixed(&self.number(num, &play), |n| certainly(vec![*n])),
                Step::Record(call) => {
                    mixed(&self.called(call, &play), |(a, b)| certainly(vec![*a, *b]))
                }
            };
            mixed(&more, |more| certainly([names.as_slice(), more].concat()))
        })
    }

    fn number(&mut self, num: &Num, play: &Play<'_>) -> Odds<i64> {
        match num {
            Num::Plain(value) => certainly(*value),
            Num::Axis(axis) => certainly(play.axes[*axis].expect("the check has this axis")),
            Num::Name(at, _) => certainly(play.names[*at]),
            Num::Die(sides) => {
                let face = |face| (i64::from(face), RBig::ONE / RBig::from(*sides));
                (1..=*sides).map(face).collect()
            }
            Num::Infix(op, a, b) => {
                let (a, b) = (self.number(a, play), self.number(b, play));
                joined(&a, &b, |a, b| match op {
                    '+' => a + b,
                    '-' => a - b,
                    _ => a * b,
                })
            }
            Num::If(parts) => {
                let [a, b, yes, no] = &**parts;
                let (a, b) = (self.number(a, play), self.number(b, play));
                let is_less = joined(&a, &b, |a, b| a < b);
                mixed(&is_less, |less| {
                    self.number(if *less { yes } else { no }, play)
                })
            }
            Num::Call(call, field) => mixed(&self.called(call, play), |(s0, s1)| {
                certainly([*s0, *s1][*field])
            }),
            Num::Dice(count, of) => {
                let die = self.number(of, play);
                (0..*count).fold(certainly(0), |sum, _| joined(&sum, &die, |a, b| a + b))
            }
        }
    }

    /// Another check with what it is given, what the caller passes on, and its defaults for the rest.
    fn called(&mut self, call: &Call, play: &Play<'_>) -> Odds<(i64, i64)> {
        let defaults = self.checks[call.callee].axes;
        let mut all = certainly([None; 3]);
        for (axis, default) in defaults.into_iter().enumerate() {
            let Some(default) = default else {
                continue;
            };
            let given = call.given.iter().find(|(name, _)| *name == axis);
            let passed = play.axes[axis].filter(|_| call.rest);
            let value = match given {
                Some((_, value)) => self.number(value, play),
                None => certainly(passed.unwrap_or(default)),
            };
            all = joined(&all, &value, |axes, value| {
                let mut axes = *axes;
                axes[axis] = Some(*value);
                axes
            });
        }
        mixed(&all, |axes| self.play(call.callee, *axes))
    }
}
