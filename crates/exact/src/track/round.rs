//! One round of a track, in parts that states share.
//!
//! What dice show seldom depends on how far a track has come: `set filled = min(filled + gain, 10)` rolls the same
//! gain in every state. So a round is cut into parts. The dice of a part are rolled once for all states that agree
//! on what those dice depend on; the numbers that follow from a state and its dice are then only evaluated.
//!
//! Some numbers follow from dice and from little else: a Check is read by a few modifiers, however many states there are.
//! Where most states agree on these, such numbers are a part of what is rolled once.
//!
//! ```text
//! let boons  = 2 - wounds[turn]                  a number of the state, which is one of a few
//! let total  = 2d10 + boons                      rolled once for each of these, as far as the band
//! let band   = if total >= 15 then hit else miss
//! set filled = filled + (band == hit)            follows from each state and its band
//! ```

use std::sync::Arc;

use oddsmith_dist::{BitTest as _, UBig, least_common_multiple};
use oddsmith_rules::Span;
use oddsmith_rules::program::{Expr, VarId};

use crate::Error;
use crate::account::PAIR_STEPS;
use crate::cache::Dice;
use crate::columns::{self, Formulas, MOST_ROWS, Made};
use crate::evaluate::{Env, FAILED};
use crate::hash::{Map, Set};
use crate::residual::{Script, Step};
use crate::run::Source;
use crate::scope::Scope;
use crate::states::{Key, States};
use crate::track::moves::{Move, carrying, goes_on, include, keep_in_loops, moves, passed_on};
use crate::track::parts::{charge, has_choice};
use crate::track::rolled::{is_shared, shared_states, states_of};

/// A round: what each part makes of a state, the next one goes on from.
pub(super) struct Round {
    phases: Vec<Phase>,
}

/// Parts of a round up to where nothing but what states are made of matters any more. What several states have come to
/// by then goes on as one: two fighters who strike in turn have a phase each, since who was hit for how much is
/// forgotten once it is taken off.
struct Phase {
    stretches: Vec<Stretch>,
}

/// Parts that follow one another.
struct Stretch {
    parts: Vec<RoundDice>,
    /// All of them as one part, in which numbers that follow from dice and little else are rolled with these.
    narrow: Option<RoundDice>,
}

/// Dice, and numbers that follow from them.
struct RoundDice {
    /// The variables that matter before it.
    before: Vec<VarId>,
    /// Those of them that its dice depend on.
    reads: Vec<VarId>,
    /// What rolls, over `reads` and the number of the state.
    rolled: Arc<Script>,
    /// Whether other configurations may roll the same.
    is_shared: bool,
    /// What its dice bind that matters after them.
    bound: Vec<VarId>,
    /// What follows without dice, in this order.
    numbers: Vec<(VarId, Expr)>,
    /// The variables that matter after it.
    after: Vec<VarId>,
    /// Holds, while dice are rolled for several states at once, the number of the state.
    origin: VarId,
    /// What its dice may bind, and for which values of `reads`.
    tables: Vec<Table>,
    places: Map<Key, usize>,
    /// What follows from a state and its dice, prepared when it is first asked for.
    following: Option<Following>,
}

/// What dice may bind: a column of values for each variable.
#[derive(Clone)]
struct Table {
    columns: Vec<Vec<i64>>,
    weights: Vec<UBig>,
    total: UBig,
}

/// Weighted states that come from several origins, one origin after the other.
pub(super) struct Spread {
    states: States,
    /// Where the states of each origin end.
    until: Vec<usize>,
}

/// What a row takes from which so many numbers follow: to be made, sorted and merged, and each part of an expression. They are
/// worked out column by column; a row that is worked out by itself takes [`PAIR_STEPS`], and each part some more.
const ROW_STEPS: u128 = 60;
const NODE_STEPS: u128 = 4;
const LONE_NODE_STEPS: u128 = 10;

impl Round {
    /// Cuts the body of a loop over `head`; `origin` is a variable of no other use.
    pub(super) fn new(env: &mut Env<'_>, body: &Script, head: &[VarId], origin: VarId) -> Self {
        if has_choice(body) {
            // A choice looks ahead from whole states to the end of the round.
            let whole = RoundDice::whole(body, head, origin);
            return Self::of_stretches(vec![Stretch::of_one(whole)], head);
        }
        let mut groups: Vec<Vec<Move>> = Vec::new();
        for step in moves(env, body, head) {
            match groups.last_mut() {
                Some(group) if goes_on(group, &step) => group.push(step),
                _ => groups.push(vec![step]),
            }
        }
        let mut stretches = Vec::new();
        let mut after = head.to_vec();
        for groups in stretches_of(groups, head).into_iter().rev() {
            let stretch = Stretch::new(&env.scope, groups, after, head, origin);
            after = stretch.parts[0].before.clone();
            stretches.push(stretch);
        }
        stretches.reverse();
        // A round begins with whole states, whatever it reads of them.
        match stretches.first_mut() {
            Some(first) => {
                let narrow = first.narrow.iter_mut();
                { narrow.chain(&mut first.parts[..1]) }
                    .for_each(|part| part.before = head.to_vec());
            }
            None => stretches.push(Stretch::of_one(RoundDice::whole(body, head, origin))),
        }
        Self::of_stretches(stretches, head)
    }

    /// The phases of stretches: each of them rolls.
    fn of_stretches(stretches: Vec<Stretch>, head: &[VarId]) -> Self {
        let mut phases: Vec<Phase> = Vec::new();
        let mut rolling = stretches.iter().filter(|stretch| stretch.rolls()).count();
        for stretch in stretches {
            let is_cut = stretch.before().iter().all(|var| head.contains(var));
            let rolls = stretch.rolls();
            match phases.last_mut() {
                Some(last) if !is_cut || rolling == 0 || !last.rolls() => {
                    last.stretches.push(stretch);
                }
                _ => phases.push(Phase {
                    stretches: vec![stretch],
                }),
            }
            rolling -= usize::from(rolls);
        }
        Self { phases }
    }

    /// How many phases it has: at least one.
    pub(super) fn phases(&self) -> usize {
        self.phases.len()
    }

    /// The variables that states before a phase are over: before the first one those of the head.
    pub(super) fn before(&self, phase: usize) -> &[VarId] {
        self.phases[phase].stretches[0].before()
    }

    /// Where the first number of a phase stands, or else what is rolled in it.
    pub(super) fn span(&self, phase: usize) -> Option<Span> {
        let stretches = self.phases[phase].stretches.iter();
        let parts = stretches.flat_map(|stretch| &stretch.parts);
        let numbers = parts.clone().flat_map(|part| &part.numbers);
        let number = numbers.map(|(_, value)| value.span).next();
        number.or_else(|| {
            let mut first = None;
            let steps = parts.flat_map(|part| &part.rolled.steps);
            steps.for_each(|step| {
                step.for_each_expr(&mut |expr| first = first.or(Some(expr.span)));
            });
            first
        })
    }

    /// Where a phase leads from each of these states, which are over what matters before it, to states over what matters
    /// after it.
    pub(super) fn play(
        &mut self,
        env: &mut Env<'_>,
        phase: usize,
        states: &[Key],
    ) -> Result<Spread, Error> {
        let mut spread = Spread::from_each(states);
        for stretch in &mut self.phases[phase].stretches {
            spread = stretch.play(env, spread)?;
        }
        Ok(spread)
    }
}

impl Phase {
    fn rolls(&self) -> bool {
        self.stretches.iter().any(Stretch::rolls)
    }
}

impl Stretch {
    /// These groups of steps, a part each, over `head` before the first one of a round.
    fn new(
        scope: &Scope<'_>,
        groups: Vec<Vec<Move>>,
        after: Vec<VarId>,
        head: &[VarId],
        origin: VarId,
    ) -> Self {
        let narrow = narrowed(&groups, head);
        let narrow = narrow.map(|group| RoundDice::new(scope, group, after.clone(), origin));
        let mut parts = Vec::with_capacity(groups.len());
        let mut after = after;
        for group in groups.into_iter().rev() {
            let part = RoundDice::new(scope, group, after, origin);
            after = part.before.clone();
            parts.push(part);
        }
        parts.reverse();
        Self { parts, narrow }
    }

    fn of_one(part: RoundDice) -> Self {
        Self {
            parts: vec![part],
            narrow: None,
        }
    }

    /// The variables that matter before it.
    fn before(&self) -> &[VarId] {
        &self.parts[0].before
    }

    fn rolls(&self) -> bool {
        self.parts.iter().any(RoundDice::rolls)
    }

    /// Goes on from states before it to states after it.
    fn play(&mut self, env: &mut Env<'_>, from: Spread) -> Result<Spread, Error> {
        if let Some(narrow) = self.narrow.as_mut().filter(|part| part.is_known(&from)) {
            return narrow.play(env, &from);
        }
        let mut spread = from;
        for part in &mut self.parts {
            spread = part.play(env, &spread)?;
        }
        Ok(spread)
    }
}

/// Groups that go together, since dice of the first of them can be rolled as far as numbers of the last; all others by
/// themselves.
fn stretches_of(mut groups: Vec<Vec<Move>>, head: &[VarId]) -> Vec<Vec<Vec<Move>>> {
    let mut stretches = Vec::new();
    while !groups.is_empty() {
        let (count, _) = reach(&groups, head);
        stretches.push(groups.drain(..count.max(1)).collect());
    }
    stretches
}

/// The steps of groups as those of one, of which the dice are rolled as far as they go; none if no number is a part of them.
fn narrowed(groups: &[Vec<Move>], head: &[VarId]) -> Option<Vec<Move>> {
    let (count, known) = reach(groups, head);
    let mut rolled = groups[..count].iter().flatten().take(known);
    if !rolled.any(|step| step.is_number) {
        return None;
    }
    let mut steps: Vec<Move> = groups[..count].concat();
    let rolled = steps[..known].iter_mut();
    rolled.for_each(|step| step.is_number = false);
    Some(steps)
}

/// How many of these groups the dice of the first one go on through without reading more of the state, and the number of
/// their steps: none of `head` is read but by the first dice. What a round has made of the state before may be.
fn reach(groups: &[Vec<Move>], head: &[VarId]) -> (usize, usize) {
    let Some(first) = groups.first().filter(|group| !group[0].is_number) else {
        return (0, 0);
    };
    let dice = first.iter().take_while(|step| !step.is_number);
    let mut known: Vec<VarId> = dice.flat_map(|step| step.reads.iter().copied()).collect();
    let (mut count, mut steps) = (0, 0);
    for group in groups {
        let mut goes_on = true;
        let (mut rolled, mut own) = (0, 0);
        for (at, step) in group.iter().enumerate() {
            let is_known = |var: &VarId| known.contains(var) || !head.contains(var);
            goes_on = goes_on && step.reads.iter().all(is_known);
            include(&mut known, &step.writes);
            own = if goes_on { at + 1 } else { own };
            rolled += usize::from(!step.is_number);
        }
        // Dice stay together.
        if own < rolled {
            break;
        }
        steps += own;
        count += 1;
        if !goes_on {
            break;
        }
    }
    (count, steps)
}

impl RoundDice {
    /// All of a round at once.
    fn whole(body: &Script, head: &[VarId], origin: VarId) -> Self {
        Self {
            before: head.to_vec(),
            reads: head.to_vec(),
            // Without a state to come from there is no number of it to carry.
            rolled: Arc::new(match head {
                [] => body.clone(),
                _ => carrying(body, origin),
            }),
            is_shared: false,
            bound: head.to_vec(),
            numbers: Vec::new(),
            after: head.to_vec(),
            origin,
            tables: Vec::new(),
            places: Map::default(),
            following: None,
        }
    }

    fn new(scope: &Scope<'_>, group: Vec<Move>, after: Vec<VarId>, origin: VarId) -> Self {
        let mut live = after.clone();
        let mut lives = Vec::with_capacity(group.len());
        for step in group.iter().rev() {
            lives.push(live.clone());
            live.retain(|var| !step.writes.contains(var));
            include(&mut live, &step.reads);
            include(&mut live, passed_on(&step.step));
            live.sort_unstable();
        }
        lives.reverse();
        let before = live;
        let dice = group.iter().take_while(|step| !step.is_number);
        let mut depends: Vec<VarId> = Vec::new();
        dice.for_each(|step| include(&mut depends, &step.reads));
        depends.retain(|var| before.contains(var));
        depends.sort_unstable();
        let mut rolled = Script::default();
        let mut numbers = Vec::new();
        let mut written = Vec::new();
        for (next, mut live) in group.into_iter().zip(lives) {
            match next.step {
                Step::Let { var, value } | Step::Set { var, value } if next.is_number => {
                    numbers.push((var, value));
                }
                mut step => {
                    let is_known = |var: &VarId| depends.contains(var) || !before.contains(var);
                    keep_in_loops(&mut step, &|var| is_known(var) || written.contains(var));
                    include(&mut written, &next.writes);
                    live.retain(|var| is_known(var) || written.contains(var));
                    rolled.steps.push(step);
                    rolled.live.push(live);
                }
            }
        }
        let mut bound = rolled.final_vars(&[]).to_vec();
        bound.retain(|var| written.contains(var));
        if !depends.is_empty() {
            rolled = carrying(&rolled, origin);
        }
        Self {
            before,
            is_shared: is_shared(scope, &rolled, &depends),
            reads: depends,
            rolled: Arc::new(rolled),
            bound,
            numbers,
            after,
            origin,
            tables: Vec::new(),
            places: Map::default(),
            following: None,
        }
    }

    /// Whether anything is rolled in it.
    fn rolls(&self) -> bool {
        !self.rolled.steps.is_empty()
    }

    /// Whether most of these states agree with others, or with earlier ones, on what its dice depend on.
    fn is_known(&self, from: &Spread) -> bool {
        let sources = Source::find_all(&self.reads, &[], &self.before);
        let most = from.states.len() / 2;
        let mut missing: Set<Key> = Set::default();
        for key in from.states.keys() {
            let seen = Source::key(&sources, key, &[]);
            if !self.places.contains_key(&seen) {
                missing.insert(seen);
            }
            if missing.len() > most {
                return false;
            }
        }
        true
    }

    /// Goes on from states over `before` to states over `after`.
    fn play(&mut self, env: &mut Env<'_>, from: &Spread) -> Result<Spread, Error> {
        let tables = self.tables_of(env, from)?;
        let mut following = match self.following.take() {
            Some(following) => following,
            None => self.following(env),
        };
        self.charge(env, from, &tables, following.steps)?;
        let found = self.follow(env, from, &tables, &mut following);
        self.following = Some(following);
        env.unbind_all(&self.before);
        env.unbind_all(&self.bound);
        self.numbers.iter().for_each(|(var, _)| env.unbind(*var));
        found
    }

    /// For each state the table of what its dice may bind; those that are missing are rolled, all at once.
    fn tables_of(&mut self, env: &mut Env<'_>, from: &Spread) -> Result<Vec<usize>, Error> {
        let sources = Source::find_all(&self.reads, &[], &self.before);
        let mut missing: Vec<Key> = Vec::new();
        let mut tables = Vec::with_capacity(from.states.len());
        for key in from.states.keys() {
            let seen = Source::key(&sources, key, &[]);
            let next = self.places.len();
            let place = *self.places.entry(seen).or_insert_with_key(|seen| {
                missing.push(seen.clone());
                next
            });
            tables.push(place);
        }
        if !missing.is_empty() {
            self.roll(env, missing)?;
        }
        Ok(tables)
    }

    /// Rolls the dice for these values of `reads`.
    fn roll(&mut self, env: &mut Env<'_>, missing: Vec<Key>) -> Result<(), Error> {
        let mut before = self.reads.clone();
        let count = missing.len();
        if !before.is_empty() {
            before.push(self.origin);
        }
        let numbered = missing.into_iter().zip(0..);
        let starts = numbered.map(|(key, number)| {
            let numbered = key.into_iter().chain([number]);
            numbered.take(before.len()).collect()
        });
        let dice = Dice {
            script: Arc::clone(&self.rolled),
            before: before.clone(),
            starts: starts.collect(),
        };
        let rolled = match self.is_shared {
            true => shared_states(env, &dice)?,
            false => Arc::new(states_of(env, &dice)?),
        };
        let vars = self.rolled.final_vars(&before);
        let origin = vars.iter().position(|var| *var == self.origin);
        let sources = Source::find_all(&self.bound, &[], vars);
        let first = self.tables.len();
        let table = Table {
            columns: vec![Vec::new(); sources.len()],
            weights: Vec::new(),
            total: rolled.total.clone(),
        };
        self.tables.extend(std::iter::repeat_n(table, count));
        for (key, weight) in rolled.iter() {
            let number = origin.map_or(0, |at| key[at]);
            let number = usize::try_from(number).expect("states are numbered from 0");
            let table = &mut self.tables[first + number];
            let row = Source::values(&sources, key, &[]);
            table
                .columns
                .iter_mut()
                .zip(row)
                .for_each(|(column, value)| column.push(value));
            table.weights.push(weight.clone());
        }
        Ok(())
    }

    /// Charges what follows from states that have these tables; a row takes so many steps at the least.
    fn charge(
        &self,
        env: &Env<'_>,
        from: &Spread,
        tables: &[usize],
        steps: u128,
    ) -> Result<(), Error> {
        let rows = tables.iter().map(|table| self.tables[*table].weights.len());
        let pairs: usize = rows.sum();
        let widest = |weight: &UBig| weight.bit_len();
        let totals = self.tables.last().map_or(0, |table| widest(&table.total));
        let bits = from
            .states
            .iter()
            .next()
            .map_or(0, |(_, weight)| widest(weight))
            + totals;
        let each = steps + (bits / 64 * 8) as u128;
        charge(env.account.budget, each.saturating_mul(pairs as u128))
    }

    /// Every state with everything that its dice may bind, and the numbers that follow.
    fn follow(
        &self,
        env: &mut Env<'_>,
        from: &Spread,
        tables: &[usize],
        following: &mut Following,
    ) -> Result<Spread, Error> {
        let rows = tables.iter().map(|table| self.tables[*table].weights.len());
        let mut spread = Spread::new(rows.sum(), self.after.len());
        let (mut first, mut last) = (0, 0);
        for &until in &from.until {
            let mine = &tables[first..until];
            let common = self.common_total(mine);
            for (at, table) in (first..until).zip(mine) {
                if at == last {
                    last = self.work_out(from, tables, at, following);
                }
                let table = &self.tables[*table];
                let (key, weight) = (from.states.key(at), from.states.weight(at));
                let scaled = match &common {
                    Some(common) => weight * (common / &table.total),
                    None => weight.clone(),
                };
                self.follow_one(env, (key, &scaled), table, following, &mut spread)?;
            }
            spread.close();
            first = until;
        }
        Ok(spread)
    }

    /// Works out the numbers of the rows of states from this one on, as far as there are so many rows; the state after them.
    fn work_out(
        &self,
        from: &Spread,
        tables: &[usize],
        first: usize,
        following: &mut Following,
    ) -> usize {
        following.row = 0;
        let Some(formulas) = &following.formulas else {
            return tables.len();
        };
        let columns = &mut following.columns;
        columns.iter_mut().for_each(Vec::clear);
        let (mut rows, mut last) = (0, first);
        while let Some(table) = tables.get(last) {
            let table = &self.tables[*table];
            let more = table.weights.len();
            if last > first && rows + more > MOST_ROWS {
                break;
            }
            let key = from.states.key(last);
            for &at in &following.needed {
                match at.checked_sub(key.len()) {
                    None => columns[at].extend(std::iter::repeat_n(key[at], more)),
                    Some(bound) => columns[at].extend_from_slice(&table.columns[bound]),
                }
            }
            rows += more;
            last += 1;
        }
        formulas.work_out(columns, rows, &mut following.made);
        let mut numbers = formulas.numbers(columns, &following.made);
        following.may_fail = numbers.any(|column| column.contains(&FAILED));
        last
    }

    /// A state with everything that its dice may bind, and the numbers that follow.
    fn follow_one(
        &self,
        env: &mut Env<'_>,
        (key, scaled): (&[i64], &UBig),
        table: &Table,
        following: &mut Following,
        spread: &mut Spread,
    ) -> Result<(), Error> {
        let mut columns: Vec<&[i64]> = following.columns.iter().map(Vec::as_slice).collect();
        let formulas = following.formulas.as_ref();
        let numbers =
            formulas.map(|formulas| formulas.numbers(&following.columns, &following.made));
        columns.extend(numbers.into_iter().flatten());
        let numbers = &columns[following.given.len()..];
        let is_found = |row: usize| {
            let is_number = |column: &&[i64]| columns::at(column, row) != FAILED;
            formulas.is_some() && (!following.may_fail || numbers.iter().all(is_number))
        };
        for (place, weight) in table.weights.iter().enumerate() {
            let weight = match scaled.is_one() {
                true => weight.clone(),
                false => scaled * weight,
            };
            let (sources, row) = (following.sources.iter(), following.row + place);
            if is_found(row) {
                let values = sources.map(|source| columns::at(columns[*source], row));
                spread.states.push(values, weight);
            } else {
                let bound = table.columns.iter().map(|column| column[place]);
                let mut values: Key = key.iter().copied().chain(bound).collect();
                self.numbers_of(env, &following.given, &mut values)?;
                spread
                    .states
                    .push(sources.map(|source| values[*source]), weight);
            }
        }
        following.row += table.weights.len();
        Ok(())
    }

    /// Adds the numbers of one row to the values that are given for it.
    fn numbers_of(
        &self,
        env: &mut Env<'_>,
        given: &[VarId],
        values: &mut Key,
    ) -> Result<(), Error> {
        env.bind_all(given, values);
        for (var, value) in &self.numbers {
            let value = env.number(value)?;
            env.bind(*var, value);
            values.push(value);
        }
        Ok(())
    }

    fn following(&self, env: &mut Env<'_>) -> Following {
        let given = [&self.before[..], &self.bound].concat();
        let numbers = self.numbers.iter().map(|(var, value)| (*var, value));
        let vars: Vec<VarId> = { given.iter().copied() }
            .chain(numbers.clone().map(|(var, _)| var))
            .collect();
        let last = |var: &VarId| vars.iter().rposition(|other| other == var);
        let sources: Vec<usize> = self.after.iter().filter_map(last).collect();
        let formulas = Formulas::new(env, &given, numbers);
        let reads = |at: &usize| {
            formulas
                .as_ref()
                .is_some_and(|formulas| formulas.reads(*at))
        };
        let needed = (0..given.len()).filter(|at| sources.contains(at) || reads(at));
        Following {
            needed: needed.collect(),
            columns: vec![Vec::new(); given.len()],
            made: Made::default(),
            may_fail: false,
            row: 0,
            steps: steps_of(&self.numbers, formulas.is_some()),
            sources,
            formulas,
            given,
        }
    }

    /// The least common total of tables that are used side by side; none if theirs are equal.
    fn common_total(&self, tables: &[usize]) -> Option<UBig> {
        let mut totals = tables.iter().map(|table| &self.tables[*table].total);
        let first = totals.next()?;
        let differ = totals.any(|total| total != first);
        differ.then(|| least_common_multiple(tables.iter().map(|table| &self.tables[*table].total)))
    }
}

/// What follows from a state and its dice.
struct Following {
    /// The variables of a state, then those that its dice bind.
    given: Vec<VarId>,
    /// Those of them that are read or matter afterwards.
    needed: Vec<usize>,
    /// What they are in the rows of some states.
    columns: Vec<Vec<i64>>,
    /// None if each row is worked out by itself.
    formulas: Option<Formulas>,
    made: Made,
    /// Whether some number of these rows has no value.
    may_fail: bool,
    /// The first of these rows that is not followed yet.
    row: usize,
    /// What a row takes at the least.
    steps: u128,
    /// For each variable that matters afterwards its last place among those that are given and the numbers.
    sources: Vec<usize>,
}

impl Spread {
    /// No origins yet, but room for so many states, each of so many values.
    fn new(states: usize, width: usize) -> Self {
        Self {
            states: States::with_capacity(states, width, UBig::ONE),
            until: Vec::new(),
        }
    }

    /// Each state is its own origin.
    fn from_each(keys: &[Key]) -> Self {
        let width = keys.first().map_or(0, Vec::len);
        let mut states = States::with_capacity(keys.len(), width, UBig::ONE);
        for key in keys {
            states.push(key.iter().copied(), UBig::ONE);
        }
        Self {
            states,
            until: (1..=keys.len()).collect(),
        }
    }

    /// Where the states of an origin begin.
    fn first(&self, origin: usize) -> usize {
        origin.checked_sub(1).map_or(0, |before| self.until[before])
    }

    /// The states of an origin, ascending, each once.
    pub(super) fn rows(&self, origin: usize) -> impl ExactSizeIterator<Item = (&[i64], &UBig)> {
        let rows = self.first(origin)..self.until[origin];
        rows.map(|at| (self.states.key(at), self.states.weight(at)))
    }

    /// What was added last is all of the next origin: sorts it, and adds up the weights of equal states.
    fn close(&mut self) {
        self.states.merge(self.first(self.until.len()));
        self.until.push(self.states.len());
    }
}

/// What a row takes from which these numbers follow, in columns or by itself.
fn steps_of(numbers: &[(VarId, Expr)], in_columns: bool) -> u128 {
    let (mut steps, each) = match in_columns {
        true => (ROW_STEPS, NODE_STEPS),
        false => (PAIR_STEPS, LONE_NODE_STEPS),
    };
    for (_, value) in numbers {
        value.for_each(&mut |_| steps += each);
    }
    steps
}
