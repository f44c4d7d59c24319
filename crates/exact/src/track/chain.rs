//! A track's rounds as a chain.

use std::collections::{BTreeMap, BTreeSet};

use oddsmith_dist::{Budget, Chain, Ends, Form, IBig, Lengths, Moments, Move, RBig, UBig};
use oddsmith_rules::program::VarId;

use crate::Error;
use crate::evaluate::Env;
use crate::hash::Map;
use crate::run::{Source, project};
use crate::scope::Scope;
use crate::states::{Key, States, packed};
use crate::track::parts::{Track, charge, first_round, over_budget};
use crate::track::round::Round;
use crate::track::sums::{EndView, Limits};
use crate::widest::{Variable, advice, widest};

/// Where rounds begin: what the first of them has shown, if that is asked, and the states after that.
pub(super) struct Start {
    /// Values of [`Track::shown`].
    pub(super) shown: Key,
    /// How often that is shown.
    pub(super) probability: RBig,
    /// Over [`Track::head`], with what the sums have come to.
    states: States,
}

impl Start {
    /// A state over [`Track::head`] before the first round.
    pub(super) fn certain(key: &[i64]) -> Self {
        Self {
            shown: Key::new(),
            probability: RBig::ONE,
            states: States::certain(key),
        }
    }
}

/// A state of the chain.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    /// Which of [`Known::keys`].
    key: usize,
    /// How far the sums that are counted have come.
    counted: Vec<i64>,
}

/// Where a round leads (to which of [`Known::keys`]), what it adds to the sums, and how often.
#[derive(Clone)]
struct Transition {
    key: usize,
    gains: Box<[i64]>,
    weight: UBig,
}

/// The variables before a phase of a round, with sums at 0, as they are met; and the phases that were played from there.
struct Known {
    keys: Vec<Key>,
    /// The phase that each of them comes before.
    phases: Vec<usize>,
    /// For each phase.
    places: Vec<Places>,
    /// None from what no phase was played from: not yet, or because the last round is over.
    rows: Vec<Option<Vec<Transition>>>,
}

/// Places by keys. Most keys are a few small numbers, which fit a word together.
#[derive(Clone, Default)]
struct Places {
    packed: Map<u64, usize>,
    wide: Map<Key, usize>,
}

/// Lays out a track's rounds.
pub(super) struct Layout<'t> {
    track: &'t Track<'t>,
    view: &'t EndView,
    /// For each phase of a round, the places of the sums among the variables before it.
    places: Vec<Vec<usize>>,
    origin: VarId,
    round: Round,
    states: Known,
}

/// A track's rounds, laid out. The starts come first, then the states.
#[derive(Debug)]
pub(super) struct Laid {
    chain: Chain,
    starts: usize,
    /// For each state the variables that matter, and what is counted.
    states: Vec<(Key, Vec<i64>)>,
    /// The states that are ends.
    ends: Vec<usize>,
    /// Whether no start is an end.
    begins: bool,
    /// Whether no round is under way in a state.
    between: Vec<bool>,
    /// The moves of a round.
    phases: usize,
    /// The line that most of its moves come from.
    dearest: Dearest,
    /// What all of it takes, until it is dropped.
    _memory: Budget,
}

/// The line of a round that makes the most moves of a chain, for whom its odds are too much.
#[derive(Debug)]
struct Dearest {
    what: String,
    /// What its states are values of.
    names: Vec<String>,
}

/// A chain while it grows.
struct Laying {
    /// Of the starts, then of the states.
    moves: Vec<Vec<Move>>,
    starts: usize,
    states: Vec<State>,
    /// Of states by their keys, where nothing is counted.
    plain: Vec<Option<usize>>,
    /// Of states in which something is.
    places: Map<State, usize>,
    limits: Limits,
    /// Whether the rounds that were played become its moves, instead of copies of them.
    takes_rows: bool,
    memory: Budget,
}

impl Laying {
    /// The place of a state, which is found or made.
    fn add(&mut self, state: State) -> usize {
        let next = self.starts + self.states.len();
        let place = if state.counted.is_empty() {
            if self.plain.len() <= state.key {
                self.plain.resize(state.key + 1, None);
            }
            *self.plain[state.key].get_or_insert(next)
        } else {
            match self.places.get(&state) {
                Some(place) => *place,
                None => *self.places.entry(state.clone()).or_insert(next),
            }
        };
        if place == next {
            self.states.push(state);
            self.moves.push(Vec::new());
        }
        place
    }
}

impl Known {
    fn new(phases: usize) -> Self {
        Self {
            keys: Vec::new(),
            phases: Vec::new(),
            places: vec![Places::default(); phases],
            rows: Vec::new(),
        }
    }

    fn place(&mut self, phase: usize, key: &Key) -> usize {
        let next = self.keys.len();
        let place = self.places[phase].place(key, next);
        if place == next {
            self.keys.push(key.clone());
            self.phases.push(phase);
            self.rows.push(None);
        }
        place
    }
}

impl Places {
    /// The place of a key, or else the next one, which is its place from then on.
    fn place(&mut self, key: &Key, next: usize) -> usize {
        match packed(key) {
            Some(word) => *self.packed.entry(word).or_insert(next),
            None => match self.wide.get(key) {
                Some(place) => *place,
                None => *self.wide.entry(key.clone()).or_insert(next),
            },
        }
    }
}

/// What a move from state to state takes: to find where it leads, and to keep it.
const ROW_STEPS: u128 = 45;

/// Starts whose ends are held at once: enough that what they share takes little.
const STARTS_AT_ONCE: usize = 64;

/// What a state takes beside its values, which are kept three times, and what a move takes: to find it, and to keep it.
const STATE_BYTES: u128 = 200;
const ROW_BYTES: u128 = 128;

impl<'t> Layout<'t> {
    pub(super) fn new(env: &mut Env<'_>, track: &'t Track<'t>, view: &'t EndView) -> Self {
        let origin = env.new_variable("origin", track.until.span);
        let round = Round::new(env, track.body, track.head, origin);
        let places = |phase| {
            let place = |sum: &VarId| round.before(phase).iter().position(|var| var == sum);
            let places = view.sums.iter().map(place);
            places
                .map(|place| place.expect("a sum is carried along"))
                .collect()
        };
        Self {
            track,
            view,
            places: (0..round.phases()).map(places).collect(),
            origin,
            states: Known::new(round.phases()),
            round,
        }
    }

    /// What a round carries along beside the state.
    pub(super) fn origin(&self) -> VarId {
        self.origin
    }

    /// Where it begins: before the first round, or after it with each thing that it may show.
    pub(super) fn starts(&self, env: &mut Env<'_>) -> Result<Vec<Start>, Error> {
        let track = self.track;
        if track.shown.is_empty() {
            let states = env.run(&track.before, &[], States::certain(&[]))?;
            let states = project(states, track.before.final_vars(&[]), track.head);
            let (shown, probability) = (Key::new(), RBig::ONE);
            return Ok(vec![Start {
                shown,
                probability,
                states,
            }]);
        }
        let read = [track.head, track.shown].concat();
        let (states, vars) = first_round(env, track, &read)?;
        let sources = Source::find_all(track.shown, &[], &vars);
        let nothing = || States::with_capacity(0, vars.len(), states.total.clone());
        let mut parts: BTreeMap<Key, States> = BTreeMap::new();
        for (key, weight) in states.iter() {
            let shown = Source::key(&sources, key, &[]);
            let part = parts.entry(shown).or_insert_with(nothing);
            part.push(key.iter().copied(), weight.clone());
        }
        let start = |(shown, part): (Key, States)| {
            let weight: UBig = part.iter().map(|(_, weight)| weight).sum();
            Start {
                shown,
                probability: RBig::from_parts(IBig::from(weight), part.total.clone()),
                states: project(part, &vars, track.head),
            }
        };
        Ok(parts.into_iter().map(start).collect())
    }

    /// The chain from these starts on. After the last one that is asked for, rounds that were played are forgotten.
    pub(super) fn chain(
        &mut self,
        env: &mut Env<'_>,
        starts: &[Start],
        limits: &Limits,
        is_last: bool,
    ) -> Result<Laid, Error> {
        let mut laid = Laying {
            // Where nothing is counted, each round leads to moves once.
            takes_rows: is_last && limits.iter().all(Option::is_none),
            moves: vec![Vec::new(); starts.len()],
            starts: starts.len(),
            states: Vec::new(),
            plain: Vec::new(),
            places: Map::default(),
            limits: limits.clone(),
            memory: env.account.budget.part(),
        };
        match self.lay(env, starts, &mut laid) {
            Ok(()) => {
                let dearest = self.dearest(&env.scope, &laid);
                Ok(self.laid(laid, dearest, is_last))
            }
            Err(error @ Error::OverBudget { .. }) => Err(self.too_much(&env.scope, &laid, error)),
            Err(error) => Err(error),
        }
    }

    fn laid(&mut self, laid: Laying, dearest: Dearest, is_last: bool) -> Laid {
        let phases = &self.states.phases;
        let between = |state: &State| phases[state.key] == 0;
        let between = laid.states.iter().map(between).collect();
        let (starts, states) = laid.moves.split_at(laid.starts);
        let mut first = starts.iter().flatten();
        let begins = first.all(|step| !states[step.to - starts.len()].is_empty());
        let nodes = laid.starts..laid.moves.len();
        let ends = nodes.filter(|node| laid.moves[*node].is_empty()).collect();
        // Several states have one key where sums are counted.
        let takes_keys = is_last && laid.takes_rows;
        let keys = &mut self.states.keys;
        let state = |State { key, counted }| match takes_keys {
            true => (std::mem::take(&mut keys[key]), counted),
            false => (keys[key].clone(), counted),
        };
        Laid {
            starts: laid.starts,
            ends,
            begins,
            states: laid.states.into_iter().map(state).collect(),
            between,
            phases: self.round.phases(),
            dearest,
            chain: Chain::new(laid.moves),
            _memory: laid.memory,
        }
    }

    /// Lays out every state that can be reached.
    fn lay(&mut self, env: &mut Env<'_>, starts: &[Start], laid: &mut Laying) -> Result<(), Error> {
        for (node, start) in starts.iter().enumerate() {
            let states = start.states.iter();
            let rows = states.map(|(key, weight)| self.row(0, &mut key.to_vec(), weight));
            let rows: Vec<Transition> = rows.collect();
            laid.moves[node] = self.moves(env, laid, rows, None)?;
        }
        let mut next = 0;
        while next < laid.states.len() {
            let last = laid.states.len();
            self.play(env, &laid.states[next..last])?;
            for at in next..last {
                let State { key, counted } = laid.states[at].clone();
                let rows = match laid.takes_rows {
                    true => self.states.rows[key].take(),
                    false => self.states.rows[key].clone(),
                };
                if let Some(rows) = rows {
                    let moves = self.moves(env, laid, rows, Some(&counted))?;
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
        rows: Vec<Transition>,
        counted: Option<&[i64]>,
    ) -> Result<Vec<Move>, Error> {
        charge(env.account.budget, rows.len() as u128 * ROW_STEPS)?;
        let known = laid.states.len();
        let mut moves = Vec::with_capacity(rows.len());
        for row in rows {
            let counted = self.count(env, &laid.limits, counted, &row.gains)?;
            let to = laid.add(State {
                key: row.key,
                counted,
            });
            moves.push(Move {
                to,
                weight: row.weight,
                gains: row.gains,
            });
        }
        let states = (laid.states.len() - known) as u128;
        let of_state = STATE_BYTES + 24 * self.track.head.len() as u128;
        let bytes = states * of_state + moves.len() as u128 * ROW_BYTES;
        laid.memory.charge_memory(bytes).map_err(over_budget)?;
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
        let limited = limits.iter().zip(gains).zip(&self.view.sums);
        let limited = limited.filter_map(|((limit, gain), sum)| Some((((*limit)?, *gain), *sum)));
        let mut next = Vec::new();
        for (at, ((limit, gain), sum)) in limited.enumerate() {
            let so_far = counted.map(|counted| counted[at]);
            if gain < 0 && so_far.is_some() {
                return Err(self.falls(&env.scope, sum));
            }
            // No limit is beyond 64 bits, so a sum that is counts as the limit, which it has reached.
            next.push(so_far.unwrap_or(0).saturating_add(gain).min(limit));
        }
        Ok(next)
    }

    /// Plays the next phase from each new state that is not the last.
    fn play(&mut self, env: &mut Env<'_>, states: &[State]) -> Result<(), Error> {
        let mut going: Vec<Vec<usize>> = vec![Vec::new(); self.round.phases()];
        for State { key, .. } in states {
            let phase = self.states.phases[*key];
            let is_new = self.states.rows[*key].is_none();
            let is_over = |env| self.track.is_over(env, &self.states.keys[*key]);
            if is_new && (phase > 0 || !is_over(env)?) {
                self.states.rows[*key] = Some(Vec::new());
                going[phase].push(*key);
            }
        }
        for (phase, going) in going.into_iter().enumerate() {
            if !going.is_empty() {
                self.play_phase(env, phase, going)?;
            }
        }
        Ok(())
    }

    /// Plays a phase from states before it.
    fn play_phase(
        &mut self,
        env: &mut Env<'_>,
        phase: usize,
        going: Vec<usize>,
    ) -> Result<(), Error> {
        let keys = going.iter().map(|key| self.states.keys[*key].clone());
        let keys: Vec<Key> = keys.collect();
        let after = self.round.play(env, phase, &keys)?;
        let next = (phase + 1) % self.round.phases();
        let mut key = Key::new();
        for (origin, from) in going.into_iter().enumerate() {
            let played = after.rows(origin);
            let mut rows = Vec::with_capacity(played.len());
            for (values, weight) in played {
                key.clear();
                key.extend_from_slice(values);
                rows.push(self.row(next, &mut key, weight));
            }
            self.states.rows[from] = Some(rows);
        }
        Ok(())
    }

    /// What leads to these variables before a phase; takes the sums out of them.
    fn row(&mut self, phase: usize, key: &mut Key, weight: &UBig) -> Transition {
        let take = |&at: &usize| std::mem::take(&mut key[at]);
        let gains = self.places[phase].iter().map(take).collect();
        Transition {
            key: self.states.place(phase, key),
            gains,
            weight: weight.clone(),
        }
    }

    fn falls(&self, scope: &Scope<'_>, sum: VarId) -> Error {
        let name = scope.name(sum);
        let message = format!("`{name}` can fall, so it can't be counted up to a number");
        let help = format!(
            "ask for mean({name}) or variance({name}); or give it two ends in the rules, as in set {name} = clamp({name} + …, 0, 10)"
        );
        scope
            .error_with_help(self.track.until.span, message, "in this track", help)
            .unsupported()
    }

    /// What to do about a chain with too many states: the widest of its values is the reason.
    fn too_wide(&self, scope: &Scope<'_>, laid: &Laying) -> Option<String> {
        let between = |state: &&State| self.states.phases[state.key] == 0;
        let variable = |var: VarId, value: &dyn Fn(&State) -> i64| {
            Variable::new(
                scope.name(var),
                laid.states.iter().filter(between).map(value),
            )
        };
        let head = self.track.head.iter().enumerate();
        let of_state = head.map(|(at, var)| {
            let value = |state: &State| self.states.keys[state.key][at];
            variable(*var, &value)
        });
        let sums = self.view.sums.iter().zip(&laid.limits);
        let sums = sums.filter(|(_, limit)| limit.is_some()).enumerate();
        let counted = sums.map(|(at, (sum, _))| {
            let value = |state: &State| state.counted[at];
            variable(*sum, &value)
        });
        let (of_state, counted): (Vec<_>, Vec<_>) = (of_state.collect(), counted.collect());
        let most = widest(&of_state).map_or(0, |most| most.values.len());
        match widest(&counted) {
            Some(widest) if widest.values.len() >= most => Some(format!(
                "`{}` is counted through {} values: compare it with a smaller number",
                widest.name,
                widest.values.len()
            )),
            _ => advice(&of_state),
        }
    }

    /// The line that most moves come from.
    fn dearest(&self, scope: &Scope<'_>, laid: &Laying) -> Dearest {
        let mut moves = vec![0; self.round.phases()];
        for (state, row) in laid.states.iter().zip(&laid.moves[laid.starts..]) {
            moves[self.states.phases[state.key]] += row.len();
        }
        let dearest = (0..moves.len()).max_by_key(|phase| moves[*phase]);
        let span = dearest.and_then(|phase| self.round.span(phase));
        let line = match span {
            Some(span) => scope.place(span),
            None => "a round of this track".to_owned(),
        };
        let (moves, states) = (moves.iter().sum::<usize>(), laid.states.len());
        let names = self.track.head.iter().map(|var| scope.name(*var));
        Dearest {
            what: format!("{line}, with the {moves} moves of its track between {states} states,"),
            names: names.map(str::to_owned).collect(),
        }
    }

    fn too_much(&self, scope: &Scope<'_>, laid: &Laying, error: Error) -> Error {
        let Error::OverBudget {
            predicted, limit, ..
        } = error
        else {
            return error;
        };
        let what = format!("a track of {} states and more", laid.states.len());
        Error::over_budget(what, predicted, limit).with_way_out(self.too_wide(scope, laid))
    }
}

impl Laid {
    /// The variables after the last round, sums left out, and what was counted of the sums.
    pub(super) fn state(&self, node: usize) -> (&Key, &[i64]) {
        let (key, counted) = &self.states[node - self.starts];
        (key, counted)
    }

    /// The states that are ends, in ascending order.
    pub(super) fn ends(&self) -> &[usize] {
        &self.ends
    }

    /// The variables after a round, sums left out, in every state.
    pub(super) fn keys(&self) -> impl Iterator<Item = &Key> {
        let states = self.states.iter().zip(&self.between);
        let between = states.filter(|(_, between)| **between);
        between.map(|((key, _), _)| key)
    }

    /// Calls `take` with each start, by its number, and where it ends from there: with the moments of a sum in which each running
    /// sum counts so often.
    pub(super) fn ends_from_each(
        &self,
        counts: &[i64],
        moments: Moments,
        budget: &Budget,
        mut take: impl FnMut(usize, Ends) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let form = Form {
            per_move: 0,
            coefficients: counts.to_vec(),
        };
        let starts = self.all_starts();
        let starts: Vec<&[(usize, UBig)]> = starts.chunks(1).collect();
        let mut number = 0;
        for some in starts.chunks(STARTS_AT_ONCE) {
            let ends = self.chain.ends_from_each(some, &form, moments, budget);
            for ends in ends.map_err(|error| self.too_dear(&error))? {
                take(number, ends)?;
                number += 1;
            }
        }
        Ok(())
    }

    /// Whether there surely is a first round.
    pub(super) fn begins(&self) -> bool {
        self.begins
    }

    /// The probability of going round for ever from the first start.
    pub(super) fn never(&self, budget: &Budget) -> Result<RBig, Error> {
        self.chain
            .never(&[(0, UBig::ONE)], budget)
            .map_err(|error| self.too_dear(&error))
    }

    /// Whether some sum, by its place, has no bounds.
    pub(super) fn unbounded_sum(
        &self,
        sums: usize,
        budget: &Budget,
    ) -> Result<Option<usize>, Error> {
        for sum in 0..sums {
            let found = self.chain.is_unbounded(&self.all_starts(), sum, budget);
            if found.map_err(|error| self.too_dear(&error))? {
                return Ok(Some(sum));
            }
        }
        Ok(None)
    }

    /// How many rounds there are from the starts on; the move from a start is none.
    pub(super) fn lengths(&self, horizon: usize, budget: &Budget) -> Result<Lengths, Error> {
        let moves = self.moves(horizon);
        let lengths = self.chain.lengths(&self.all_starts(), moves, budget);
        let lengths = lengths.map_err(|error| self.too_dear(&error))?;
        Ok(self.by_rounds(lengths))
    }

    /// [`Self::lengths`] from each start, in their order.
    pub(super) fn lengths_from_each(
        &self,
        horizon: usize,
        budget: &Budget,
    ) -> Result<Vec<Lengths>, Error> {
        self.lengths_of(&self.chain, horizon, budget)
    }

    /// How many rounds there are from each start along the moves of a chain with the same states.
    fn lengths_of(
        &self,
        chain: &Chain,
        horizon: usize,
        budget: &Budget,
    ) -> Result<Vec<Lengths>, Error> {
        let starts: Vec<usize> = (0..self.starts).collect();
        let lengths = chain.lengths_from_each(&starts, self.moves(horizon), budget);
        let lengths = lengths.map_err(|error| self.too_dear(&error))?;
        Ok(lengths.into_iter().map(|own| self.by_rounds(own)).collect())
    }

    /// [`Self::lengths_from_each`] of the rounds that lead to one of these ends, in ascending order.
    pub(super) fn lengths_to(
        &self,
        ends: &[usize],
        horizon: usize,
        budget: &Budget,
    ) -> Result<Vec<Lengths>, Error> {
        let moves = self.chain.move_count() as u128;
        charge(budget, moves)?;
        let memory = budget.part();
        memory
            .charge_memory(moves * ROW_BYTES)
            .map_err(over_budget)?;
        let is_one = |state: usize| ends.binary_search(&state).is_ok();
        let chain = self.chain.ending_in(is_one);
        self.lengths_of(&chain, horizon, budget)
    }

    /// Lengths in rounds, from lengths in moves.
    fn by_rounds(&self, mut lengths: Lengths) -> Lengths {
        let weights = std::mem::take(&mut lengths.weights).into_iter();
        lengths.weights = weights.skip(1).step_by(self.phases).collect();
        lengths
    }

    /// A bound of the probability of more rounds than these, and an end; see [`Chain::late`].
    pub(super) fn late(&self, rounds: usize, budget: &Budget) -> Result<f64, Error> {
        let late = self
            .chain
            .late(&self.all_starts(), self.moves(rounds), budget);
        late.map_err(|error| self.too_dear(&error))
    }

    /// The least number of rounds by which so many have ended, if floats can tell; see [`Chain::quantile`].
    pub(super) fn quantile(&self, percent: u32, budget: &Budget) -> Result<Option<usize>, Error> {
        let moves = self.chain.quantile(&self.all_starts(), percent, budget);
        Ok(moves
            .map_err(|error| self.too_dear(&error))?
            .map(|moves| self.rounds(moves)))
    }

    /// A number of rounds, up to `most`, after which less than one part in `parts` is to come; see [`Chain::settled`].
    pub(super) fn settled(
        &self,
        parts: u32,
        most: usize,
        budget: &Budget,
    ) -> Result<Option<usize>, Error> {
        let moves = self
            .chain
            .settled(&self.all_starts(), parts, self.moves(most), budget);
        Ok(moves
            .map_err(|error| self.too_dear(&error))?
            .map(|moves| self.rounds(moves)))
    }

    /// The rounds of which so many moves, and that from a start, are.
    fn rounds(&self, moves: usize) -> usize {
        moves.saturating_sub(1).div_ceil(self.phases)
    }

    /// The moves of so many rounds, and that from a start.
    fn moves(&self, rounds: usize) -> usize {
        rounds.saturating_mul(self.phases).saturating_add(1)
    }

    /// What to do about odds that are too much: the state with the most values is the reason.
    fn too_dear(&self, error: &oddsmith_dist::Error) -> Error {
        let Dearest { what, names } = &self.dearest;
        let values = |at: usize| -> BTreeSet<i64> {
            self.keys().filter_map(|key| key.get(at).copied()).collect()
        };
        let counts = names.iter().enumerate();
        let counts = counts.map(|(at, name)| (values(at).len(), name));
        let fewer = match counts.max() {
            Some((count, name)) => format!(
                "`{name}` has {count} values: with fewer, as where points are counted by twos, it needs far less; or "
            ),
            None => String::new(),
        };
        match Error::of_charge(what.clone(), error) {
            Error::OverBudget {
                what,
                predicted,
                limit,
                ..
            } => Error::OverBudget {
                what,
                predicted,
                limit,
                help: format!("{fewer}raise the budget (`--budget`)"),
            },
            other => other,
        }
    }

    fn all_starts(&self) -> Vec<(usize, UBig)> {
        (0..self.starts).map(|start| (start, UBig::ONE)).collect()
    }
}
