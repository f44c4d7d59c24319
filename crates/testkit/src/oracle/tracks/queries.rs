//! What is asked of the ends.

use std::collections::{BTreeMap, BTreeSet};

use oddsmith_dist::RBig;
use oddsmith_rules::program::{Expr, Kind, Statement, VarId};
use oddsmith_rules::{Outcome, Query, QueryKind};

use super::Track;
use super::ends::{Class, Look};
use crate::oracle::{Halt, Value, Values};

/// What there is to say to a query.
#[derive(Debug, PartialEq, Eq)]
pub enum Expected {
    /// The answer.
    Is(RBig),
    /// More than any number, or less.
    Infinite {
        /// Whether it falls.
        falls: bool,
    },
    /// The condition of the query never holds.
    NeverHappens,
    /// It is about an end that may not come.
    NeverEnds,
}

/// All values of an outcome.
pub struct Distribution {
    /// How likely each value is, or why that can't be told.
    pub values: Result<BTreeMap<i64, RBig>, Expected>,
    /// Whether they are made of what sums have come to.
    pub is_of_sums: bool,
}

/// A query, taken apart.
struct Asked<'q> {
    value: &'q Expr,
    given: Option<&'q Expr>,
    is_chance: bool,
    is_variance: bool,
    /// Whether it reads something of the first round.
    by_first: bool,
    /// Whether the value reads nothing but the number of rounds and the first one: a track that never ends has as
    /// many rounds as there are, and a first one.
    is_value_open: bool,
    /// The same of the condition.
    is_given_open: bool,
}

/// Sums over all ends.
#[derive(Default)]
struct Tally {
    given: RBig,
    first: RBig,
    second: RBig,
}

impl Tally {
    fn add(&mut self, value: i64, [p, r, rr]: [&RBig; 3]) {
        let value = RBig::from(value);
        self.given += p;
        self.first += &value * p + r;
        self.second += &value * &value * p + RBig::from(2) * value * r + rr;
    }
}

impl Track<'_> {
    /// The answer to a query that compares sums with numbers below `most` only.
    pub fn expected(&self, query: &Query, most: i64) -> Result<Expected, Halt> {
        let value = query.subject();
        let asked = Asked {
            is_chance: matches!(query.kind, QueryKind::Probability(_)),
            is_variance: matches!(query.kind, QueryKind::Variance(_)),
            ..self.asked(value, query.given.as_ref())
        };
        let look = self.look(&asked, most)?;
        let mut tally = Tally::default();
        let counter = self.sums.iter().position(|sum| *sum == self.counter);
        let slope = counter.map_or(0, |at| look.slopes[at]);
        // Whether what is asked is also asked of those that go on for ever.
        let mut is_endless = false;
        for class in self.classes(&look)? {
            for end in &class.ends {
                for (last, p) in self.last(&end.values, &class.shown)? {
                    if self.is_asked(&asked, &last) {
                        let moments = end.moments.each_ref().map(|moment| moment * &p);
                        tally.add(self.game.number(&last, asked.value), moments.each_ref());
                    }
                }
            }
            let going = self.going(&class, most);
            let is_met = asked.is_given_open && self.is_asked(&asked, &going);
            if class.never == RBig::ZERO || !is_met {
                continue;
            }
            is_endless = true;
            if asked.is_value_open {
                let value = self.game.number(&going, asked.value);
                tally.add(value, [&class.never, &RBig::ZERO, &RBig::ZERO]);
            } else {
                // An event about the end does not happen.
                tally.given += &class.never;
            }
        }
        if !asked.is_chance && is_endless {
            if !asked.is_value_open {
                return Ok(Expected::NeverEnds);
            }
            if slope != 0 {
                let falls = slope < 0 && !asked.is_variance;
                return Ok(Expected::Infinite { falls });
            }
        }
        if asked.is_chance && asked.given.is_none() {
            return Ok(Expected::Is(tally.first));
        }
        if tally.given == RBig::ZERO {
            return Ok(Expected::NeverHappens);
        }
        let mean = tally.first / &tally.given;
        Ok(Expected::Is(if asked.is_variance {
            tally.second / tally.given - &mean * &mean
        } else {
            mean
        }))
    }

    /// The answer to a query that is asked after so many rounds, which are played one after the other.
    pub fn after(&self, query: &Query, rounds: u32) -> Result<Expected, Halt> {
        let keep = [self.state.as_slice(), &self.inside].concat();
        let mut now = self.starts()?;
        for _ in 0..rounds {
            let mut next: BTreeMap<Values, RBig> = BTreeMap::new();
            for (state, p) in now {
                if self.is_over(&state) {
                    *next.entry(state).or_default() += p;
                    continue;
                }
                for (to, q) in self.play(&state, self.body, &keep)? {
                    *next.entry(to).or_default() += &p * q;
                }
            }
            now = next;
        }
        let mut tally = Tally::default();
        let given = query.given.as_ref();
        for (state, p) in now {
            for (last, q) in self.last(&state, &[])? {
                if given.is_none_or(|given| self.game.number(&last, given) != 0) {
                    let value = self.game.number(&last, query.subject());
                    tally.add(value, [&(&p * q), &RBig::ZERO, &RBig::ZERO]);
                }
            }
        }
        if tally.given == RBig::ZERO {
            return Ok(Expected::NeverHappens);
        }
        let mean = tally.first / &tally.given;
        Ok(Expected::Is(match query.kind {
            QueryKind::Variance(_) => tally.second / tally.given - &mean * &mean,
            _ => mean,
        }))
    }

    /// The distribution of an outcome, and whether it is made of sums.
    pub fn distribution(&self, outcome: &Outcome, most: i64) -> Result<Distribution, Halt> {
        let value = var(outcome.var);
        let look = self.look(&self.asked(&value, None), most)?;
        let mut made = Distribution {
            is_of_sums: self.is_of_sums(outcome.var),
            values: Ok(BTreeMap::new()),
        };
        let moves = self.moves();
        let mut sums = look.slopes.iter().zip(&moves);
        if sums.any(|(slope, moves)| *slope != 0 && !moves) {
            made.values = self.with_sums(&moves).distribution(outcome, most)?.values;
            return Ok(made);
        }
        if look.slopes.iter().any(|slope| *slope != 0) {
            made.values = Err(Expected::Infinite { falls: false });
            return Ok(made);
        }
        let mut values: BTreeMap<i64, RBig> = BTreeMap::new();
        for class in self.classes(&look)? {
            if outcome.first_round {
                let at = self.shown.iter().position(|var| *var == outcome.var);
                let value = class.shown[at.expect("it is shown")];
                let ends = class.ends.iter().map(|end| &end.moments[0]);
                let p = ends.fold(class.never, |sum, p| sum + p);
                *values.entry(value).or_default() += p;
                continue;
            }
            if class.never != RBig::ZERO {
                made.values = Err(Expected::NeverEnds);
                return Ok(made);
            }
            for end in &class.ends {
                for (last, p) in self.last(&end.values, &class.shown)? {
                    let value = self.game.number(&last, &value);
                    *values.entry(value).or_default() += &end.moments[0] * p;
                }
            }
        }
        made.values = Ok(values);
        Ok(made)
    }

    /// Whether the rules after the loop make a variable of sums.
    fn is_of_sums(&self, var: VarId) -> bool {
        let made = self.after.iter().find_map(|statement| match statement {
            Statement::Let { var: other, value } if *other == var => Some(value),
            _ => None,
        });
        let is_one = |part: &Expr| matches!(part.kind, Kind::Var(other) if self.is_of_sums(other));
        self.sums.contains(&var) || made.is_some_and(|value| value.any(&mut { is_one }))
    }

    /// The probability of going round for ever.
    pub fn never(&self) -> Result<RBig, Halt> {
        let classes = self.classes(&Look {
            by_first: false,
            most: vec![None; self.sums.len()],
            slopes: vec![0; self.sums.len()],
        })?;
        let never = classes.iter().map(|class| &class.never);
        Ok(never.fold(RBig::ZERO, |sum, p| sum + p))
    }

    /// Everything bound at the end of the script, with what the first round has shown.
    fn last(&self, end: &Values, shown: &[i64]) -> Result<BTreeMap<Values, RBig>, Halt> {
        let outcomes = self.game.check.outcomes.iter();
        let outcomes: Vec<VarId> = outcomes.map(|outcome| outcome.var).collect();
        let played = self.play(end, self.after, &outcomes)?;
        let with_shown = played.into_iter().map(|(mut values, p)| {
            self.bind_shown(&mut values, shown);
            (values, p)
        });
        Ok(with_shown.collect())
    }

    /// What is known of a track that never ends.
    fn going(&self, class: &Class, most: i64) -> Values {
        let mut values = vec![None; self.game.check.program().variables().len()];
        values[self.counter.0] = Some(Value::Number(most));
        self.bind_shown(&mut values, &class.shown);
        values
    }

    fn bind_shown(&self, values: &mut Values, shown: &[i64]) {
        for (var, value) in self.shown.iter().zip(shown) {
            values[var.0] = Some(Value::Number(*value));
        }
    }

    fn is_asked(&self, asked: &Asked<'_>, values: &Values) -> bool {
        let holds = |given| self.game.number(values, given) != 0;
        asked.given.is_none_or(holds)
    }

    /// What a question reads.
    fn asked<'q>(&self, value: &'q Expr, given: Option<&'q Expr>) -> Asked<'q> {
        let read = |expr: &Expr| {
            let reads = |var: VarId| {
                expr.any(&mut |part| matches!(part.kind, Kind::Var(other) if other == var))
            };
            let outcomes = self.game.check.outcomes.iter();
            let read = outcomes.filter(|outcome| reads(outcome.var));
            read.collect::<Vec<&Outcome>>()
        };
        let by_first = |expr: &Expr| read(expr).iter().any(|outcome| outcome.first_round);
        let goes_on = |outcome: &&Outcome| outcome.first_round || outcome.var == self.counter;
        let is_open = |expr: &Expr| read(expr).iter().all(goes_on);
        Asked {
            value,
            given,
            is_chance: false,
            is_variance: false,
            by_first: by_first(value) || given.is_some_and(by_first),
            is_value_open: is_open(value),
            is_given_open: given.is_none_or(is_open),
        }
    }

    /// Finds out by trial which sums matter to an event, and how the value grows with each.
    fn look(&self, asked: &Asked<'_>, most: i64) -> Result<Look, Halt> {
        let mut look = Look {
            by_first: asked.by_first,
            most: vec![None; self.sums.len()],
            slopes: vec![0; self.sums.len()],
        };
        let mut slopes: Vec<BTreeSet<RBig>> = vec![BTreeSet::new(); self.sums.len()];
        for class in self.classes(&look)? {
            let ends = class.ends.iter();
            let mut cases: Vec<(Values, bool)> =
                ends.map(|end| (end.values.clone(), true)).collect();
            if asked.is_value_open && asked.is_given_open {
                cases.push((self.going(&class, 0), false));
            }
            for (values, is_end) in cases {
                let mut table = |expr: &Expr| self.table(&values, is_end, &class.shown, most, expr);
                let given = asked.given.map(&mut table).transpose()?;
                let value = table(asked.value)?;
                for (at, slopes) in slopes.iter_mut().enumerate() {
                    let is_bent = !value.is_linear(at, slopes);
                    if is_bent || given.as_ref().is_some_and(|given| !given.is_constant(at)) {
                        look.most[at] = Some(most);
                    }
                }
            }
        }
        for (slope, found) in look.slopes.iter_mut().zip(slopes) {
            assert!(found.len() <= 1, "one slope for all ends");
            for only in found {
                assert!(
                    !asked.is_chance || only == RBig::ZERO,
                    "an event ends at `most`"
                );
                *slope = i64::try_from(only.numerator()).expect("a small slope");
            }
        }
        Ok(look)
    }

    /// The mean of a number at an end, or on the way, for all that the sums may be.
    fn table(
        &self,
        values: &Values,
        is_end: bool,
        shown: &[i64],
        most: i64,
        expr: &Expr,
    ) -> Result<Table, Halt> {
        let mut table = Table(BTreeMap::new());
        let mut places = vec![vec![]];
        for _ in &self.sums {
            let with = |place: &Vec<i64>| {
                let place = place.clone();
                (0..=most + 1).map(move |count| [place.as_slice(), &[count]].concat())
            };
            places = places.iter().flat_map(with).collect();
        }
        for place in places {
            let mut values = values.clone();
            for (sum, count) in self.sums.iter().zip(&place) {
                values[sum.0] = Some(Value::Number(*count));
            }
            let mut mean = RBig::ZERO;
            if is_end {
                for (last, p) in self.last(&values, shown)? {
                    mean += p * RBig::from(self.game.number(&last, expr));
                }
            } else {
                mean = RBig::from(self.game.number(&values, expr));
            }
            table.0.insert(place, mean);
        }
        Ok(table)
    }
}

/// A number for all that the sums may be, up to one more than is counted.
struct Table(BTreeMap<Vec<i64>, RBig>);

impl Table {
    /// All numbers, with what each is more if one sum is more by 1.
    fn rises(&self, sum: usize) -> impl Iterator<Item = (&[i64], RBig)> {
        self.0.iter().filter_map(move |(place, value)| {
            let mut next = place.clone();
            next[sum] += 1;
            Some((place.as_slice(), self.0.get(&next)? - value))
        })
    }

    fn is_constant(&self, sum: usize) -> bool {
        self.rises(sum).all(|(_, rise)| rise == RBig::ZERO)
    }

    /// Whether one sum always adds as much as beyond the end of the table; notes how much that is.
    fn is_linear(&self, sum: usize, slopes: &mut BTreeSet<RBig>) -> bool {
        let last = self.0.keys().map(|place| place[sum]).max();
        let (beyond, below): (Vec<_>, Vec<_>) = self
            .rises(sum)
            .partition(|(place, _)| Some(place[sum] + 1) == last);
        slopes.extend(beyond.into_iter().map(|(_, rise)| rise));
        below.iter().all(|(_, rise)| slopes.contains(rise))
    }
}

fn var(var: VarId) -> Expr {
    Expr::new(Kind::Var(var), oddsmith_rules::Span::default())
}
