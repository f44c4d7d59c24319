//! A track's rounds as a chain.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use oddsmith_dist::{Budget, Chain, Ends, Form, IBig, Lengths, Move, RBig, UBig};
use oddsmith_rules::program::VarId;

use crate::Error;
use crate::evaluate::Env;
use crate::residual::{Script, Step};
use crate::run::{Source, project};
use crate::states::{Key, States};
use crate::track::sums::{Limits, View};
use crate::track::{Track, first_round};

/// Where rounds begin: what the first of them has shown, if that is asked, and the states after that.
pub(crate) struct Start {
    /// Values of [`Track::shown`].
    pub(crate) shown: Key,
    /// How often that is shown.
    pub(crate) probability: RBig,
    /// Over [`Track::head`], with what the sums have come to.
    states: States,
}

/// A state of the chain: the variables after a round, with sums left out, and what is counted of the sums.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    key: Key,
    counted: Vec<i64>,
}

/// Where a round leads, what it adds to the sums, and how often.
type Row = (Key, Vec<i64>, UBig);

/// Lays out a track's rounds.
pub(crate) struct Layout<'t> {
    track: &'t Track,
    view: &'t View,
    /// For each sum its place among the variables after a round.
    places: Vec<usize>,
    /// Holds, while rounds from several states are played at once, the number of the state.
    origin: VarId,
    /// A round that carries `origin` along.
    body: Script,
    /// From each state that is not the last, sums left out.
    rows: HashMap<Key, Vec<Row>>,
}

/// A track's rounds, laid out. The starts come first, then the states.
#[derive(Debug)]
pub(crate) struct Laid {
    chain: Chain,
    starts: usize,
    states: Vec<State>,
}

/// A chain while it grows.
#[derive(Default)]
struct Laying {
    /// Of the starts, then of the states.
    moves: Vec<Vec<Move>>,
    starts: usize,
    states: Vec<State>,
    places: HashMap<State, usize>,
    limits: Limits,
}

impl Laying {
    fn add(&mut self, state: State) -> usize {
        let Self {
            moves,
            starts,
            states,
            places,
            ..
        } = self;
        *places.entry(state).or_insert_with_key(|state| {
            states.push(state.clone());
            moves.push(Vec::new());
            *starts + states.len() - 1
        })
    }
}

/// More states than this are taken for a number that grows without end.
const MOST_STATES: usize = 250_000;

impl<'t> Layout<'t> {
    pub(crate) fn new(env: &mut Env<'_>, track: &'t Track, view: &'t View) -> Self {
        let place = |sum: &VarId| track.head.iter().position(|var| var == sum);
        let places = view
            .sums
            .iter()
            .map(|sum| place(sum).expect("a sum is carried from round to round"));
        let origin = env.new_variable("origin", track.until.span);
        Self {
            track,
            view,
            places: places.collect(),
            origin,
            body: carrying(&track.body, origin),
            rows: HashMap::new(),
        }
    }

    /// What a round carries along beside the state.
    pub(crate) fn origin(&self) -> VarId {
        self.origin
    }

    /// Where it begins: before the first round, or after it with each thing that it may show.
    pub(crate) fn starts(&self, env: &mut Env<'_>) -> Result<Vec<Start>, Error> {
        let track = self.track;
        if track.shown.is_empty() {
            let states = env.run(&track.before, &[], States::certain(Vec::new()))?;
            let states = project(&states, track.before.final_vars(&[]), &track.head);
            let (shown, probability) = (Key::new(), RBig::ONE);
            return Ok(vec![Start {
                shown,
                probability,
                states,
            }]);
        }
        let states = first_round(env, track)?;
        let vars = track.body.final_vars(&track.head);
        let sources = Source::find_all(&track.shown, &[], vars);
        let mut parts: BTreeMap<Key, Vec<(Key, UBig)>> = BTreeMap::new();
        for (key, weight) in states.entries {
            let shown = Source::key(&sources, &key, &[]);
            parts.entry(shown).or_default().push((key, weight));
        }
        let start = |(shown, entries): (Key, Vec<(Key, UBig)>)| {
            let weight: UBig = entries.iter().map(|(_, weight)| weight).sum();
            let total = states.total.clone();
            let part = States {
                entries,
                total: total.clone(),
            };
            Start {
                shown,
                probability: RBig::from_parts(IBig::from(weight), total),
                states: project(&part, vars, &track.head),
            }
        };
        Ok(parts.into_iter().map(start).collect())
    }

    /// The chain from these starts on.
    pub(crate) fn chain(
        &mut self,
        env: &mut Env<'_>,
        starts: &[Start],
        limits: &Limits,
    ) -> Result<Laid, Error> {
        let mut laid = Laying {
            moves: vec![Vec::new(); starts.len()],
            starts: starts.len(),
            limits: limits.clone(),
            ..Laying::default()
        };
        match self.lay(env, starts, &mut laid) {
            Ok(()) => Ok(Laid {
                chain: Chain::new(laid.moves),
                starts: laid.starts,
                states: laid.states,
            }),
            Err(error @ Error::OverBudget { .. }) => Err(self.too_much(env, &laid.states, error)),
            Err(error) => Err(error),
        }
    }

    /// Lays out every state that can be reached.
    fn lay(&mut self, env: &mut Env<'_>, starts: &[Start], laid: &mut Laying) -> Result<(), Error> {
        for (node, start) in starts.iter().enumerate() {
            let rows = start.states.entries.iter().map(|(key, weight)| {
                let (key, gains) = self.without_sums(key.clone());
                (key, gains, weight.clone())
            });
            laid.moves[node] = self.moves(env, laid, rows.collect(), None)?;
        }
        let mut next = 0;
        while next < laid.states.len() {
            let last = laid.states.len();
            self.play(env, &laid.states[next..last])?;
            for at in next..last {
                let State { key, counted } = laid.states[at].clone();
                if let Some(rows) = self.rows.get(&key) {
                    let moves = self.moves(env, laid, rows.clone(), Some(&counted))?;
                    laid.moves[starts.len() + at] = moves;
                }
            }
            next = last;
        }
        Ok(())
    }

    /// The moves along rows, from what has been counted so far.
    fn moves(
        &self,
        env: &Env<'_>,
        laid: &mut Laying,
        rows: Vec<Row>,
        counted: Option<&[i64]>,
    ) -> Result<Vec<Move>, Error> {
        env.charge(rows.len(), &UBig::ONE)?;
        let mut moves = Vec::with_capacity(rows.len());
        for (key, gains, weight) in rows {
            let counted = self.count(env, &laid.limits, counted, &gains)?;
            let to = laid.add(State { key, counted });
            if laid.states.len() > MOST_STATES {
                return Err(self.grows(env, &laid.states));
            }
            moves.push(Move {
                to,
                weight,
                gains: gains.into(),
            });
        }
        Ok(moves)
    }

    /// What is counted of the sums after these gains; none has been before the start.
    fn count(
        &self,
        env: &Env<'_>,
        limits: &Limits,
        counted: Option<&[i64]>,
        gains: &[i64],
    ) -> Result<Vec<i64>, Error> {
        let mut next = Vec::with_capacity(gains.len());
        for (at, gain) in gains.iter().enumerate() {
            let so_far = counted.map(|counted| counted[at]);
            next.push(match limits[at] {
                None => 0,
                Some(_) if *gain < 0 && so_far.is_some() => {
                    return Err(self.falls(env, self.view.sums[at]));
                }
                Some(limit) => so_far.unwrap_or(0).saturating_add(*gain).min(limit),
            });
        }
        Ok(next)
    }

    /// Plays a round from each new state that is not the last, all at once: what does not depend on the state
    /// is rolled once.
    fn play(&mut self, env: &mut Env<'_>, states: &[State]) -> Result<(), Error> {
        let mut going: Vec<Key> = Vec::new();
        for State { key, .. } in states {
            if !self.rows.contains_key(key) && !self.track.is_over(env, key)? {
                self.rows.insert(key.clone(), Vec::new());
                going.push(key.clone());
            }
        }
        let numbered = going.iter().zip(0..).map(|(key, number)| {
            let key: Key = key.iter().copied().chain([number]).collect();
            (key, UBig::ONE)
        });
        let together = States {
            entries: numbered.collect(),
            total: UBig::ONE,
        };
        let before: Vec<VarId> = self
            .track
            .head
            .iter()
            .copied()
            .chain([self.origin])
            .collect();
        let after = env.run(&self.body, &before, together)?;
        let vars = self.body.final_vars(&before);
        let sources = Source::find_all(&before, &[], vars);
        let mut rows: BTreeMap<(i64, Key, Vec<i64>), UBig> = BTreeMap::new();
        for (key, weight) in after.entries {
            let mut key = Source::key(&sources, &key, &[]);
            let number = key.pop().expect("the number of the state it came from");
            let (key, gains) = self.without_sums(key);
            *rows.entry((number, key, gains)).or_insert(UBig::ZERO) += weight;
        }
        for ((number, key, gains), weight) in rows {
            let from = usize::try_from(number).map(|number| &going[number]);
            let from = from.expect("states are numbered from 0");
            self.rows
                .entry(from.clone())
                .or_default()
                .push((key, gains, weight));
        }
        Ok(())
    }

    /// A state with its sums at 0, and the sums.
    fn without_sums(&self, mut key: Key) -> (Key, Vec<i64>) {
        let take = |&at: &usize| std::mem::take(&mut key[at]);
        let sums = self.places.iter().map(take).collect();
        (key, sums)
    }

    fn falls(&self, env: &Env<'_>, sum: VarId) -> Error {
        let name = env.name(sum);
        let message = format!("`{name}` can fall, so it can't be counted up to a number");
        let help = format!(
            "ask for mean({name}) or variance({name}); or give it two ends in the rules, as in set {name} = clamp({name} + …, 0, 10)"
        );
        env.error_with_help(self.track.until.span, message, "in this track", help)
            .unsupported()
    }

    /// What to do about a chain with too many states: the widest of its values is the reason.
    fn too_wide(&self, env: &Env<'_>, states: &[State]) -> String {
        let values =
            |value: &dyn Fn(&State) -> i64| -> BTreeSet<i64> { states.iter().map(value).collect() };
        let head = self.track.head.iter().enumerate();
        let of_state = head.map(|(at, var)| (*var, true, values(&|state| state.key[at])));
        let sums = self.view.sums.iter().enumerate();
        let counted = sums.map(|(at, sum)| (*sum, false, values(&|state| state.counted[at])));
        let widest = of_state
            .chain(counted)
            .max_by_key(|(.., values)| values.len());
        let Some((var, in_state, values)) = widest else {
            return String::new();
        };
        let (name, count) = (env.name(var), values.len());
        let low = values.first().copied().unwrap_or(0).unsigned_abs();
        let high = values.last().copied().unwrap_or(0).unsigned_abs();
        if !in_state {
            return format!(
                "`{name}` is counted through {count} values: compare it with a smaller number"
            );
        }
        let end = match (low > 2 * high, high > 2 * low) {
            (true, _) => format!("max({name} - …, 0)"),
            (_, true) => format!("min({name} + …, 10)"),
            _ => format!("clamp({name} + …, 0, 10)"),
        };
        format!(
            "`{name}` has had {count} values: if it goes on without end, give it one, as in set {name} = {end}"
        )
    }

    fn grows(&self, env: &Env<'_>, states: &[State]) -> Error {
        let message = format!("a track with more than {MOST_STATES} states");
        let help = self.too_wide(env, states);
        env.error_with_help(self.track.until.span, message, "this track", help)
            .unsupported()
    }

    fn too_much(&self, env: &Env<'_>, states: &[State], error: Error) -> Error {
        let Error::OverBudget {
            predicted, limit, ..
        } = error
        else {
            return error;
        };
        let help = self.too_wide(env, states);
        Error::OverBudget {
            what: format!("a track of {} states and more", states.len()),
            predicted,
            limit,
            help: format!("{help}; or raise the budget (`--budget`)"),
        }
    }
}

/// The same script over one more variable.
fn carrying(script: &Script, var: VarId) -> Script {
    let mut script = script.clone();
    script.live.iter_mut().for_each(|live| live.push(var));
    for step in &mut script.steps {
        if let Step::Repeat { body, head, .. } = step {
            *body = carrying(body, var);
            head.push(var);
        }
    }
    script
}

impl Laid {
    /// The variables after the last round, sums left out, and what was counted of the sums.
    pub(crate) fn state(&self, node: usize) -> (&Key, &[i64]) {
        let state = &self.states[node - self.starts];
        (&state.key, &state.counted)
    }

    /// The variables after a round, sums left out, in every state.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &Key> {
        self.states.iter().map(|state| &state.key)
    }

    /// Where it ends from a start, with the moments of a sum in which each running sum counts so often.
    pub(crate) fn ends(
        &self,
        start: usize,
        counts: &[i64],
        budget: &Budget,
    ) -> Result<Ends, Error> {
        let form = Form {
            per_move: 0,
            coefficients: counts.to_vec(),
        };
        let ends = self.chain.ends(&[(start, UBig::ONE)], &form, budget);
        ends.map_err(|error| over_budget(&error))
    }

    /// How many rounds there are from the starts on; the move from a start is none.
    pub(crate) fn lengths(&self, horizon: usize, budget: &Budget) -> Result<Lengths, Error> {
        let starts: Vec<(usize, UBig)> = (0..self.starts).map(|start| (start, UBig::ONE)).collect();
        let lengths = self
            .chain
            .lengths(&starts, horizon.saturating_add(1), budget);
        let mut lengths = lengths.map_err(|error| over_budget(&error))?;
        lengths.weights.remove(0);
        Ok(lengths)
    }
}

fn over_budget(error: &oddsmith_dist::Error) -> Error {
    match error {
        oddsmith_dist::Error::OverBudget { predicted, limit } => {
            Error::over_budget("the rounds of this track".to_owned(), *predicted, *limit)
        }
        other => unreachable!("a chain of positive weights only goes over budget: {other}"),
    }
}
