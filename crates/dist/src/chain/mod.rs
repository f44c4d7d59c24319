//! Finite chains of states that move at random until they end.

mod denominators;
mod factors;
mod floats;
mod flow;
mod graph;
mod lengths;
mod limbs;
mod network;
mod numbers;
mod powers;
mod primes;
mod remainders;
mod rows;
mod scales;
mod states;
mod system;
mod visits;
mod worths;

pub use numbers::StateNumbers;
pub use states::{Chain, End, Ends, Form, Lengths, Moments, Move};

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::{Budget, Error};

impl Chain {
    /// The ends of the chain if it begins in a state of `start`, with the probability `weight / sum of the weights`:
    /// for each end `P(end)` and the moments `E[R; end]`, `E[R^2; end]` of what `form` adds up on the way.
    ///
    /// The weights of a state may be listed in parts.
    ///
    /// ```
    /// // Craps with 4 as the point: 3 ways to roll it, 6 to roll a seven, 27 to roll on. What
    /// // is added up is the rolls that are lost in between.
    /// use oddsmith_dist::{Budget, Chain, Form, Move, RBig, UBig};
    /// let roll = |to, weight: u8, lost| Move { to, weight: weight.into(), gains: [lost].into() };
    /// let point = vec![roll(1, 3, 0), roll(2, 6, 0), roll(0, 27, 1)];
    /// let chain = Chain::new(vec![point, vec![], vec![]]);
    /// let lost = Form { per_move: 0, coefficients: vec![1] };
    /// let ends = chain.ends(&[(0, UBig::ONE)], &lost, &Budget::unlimited())?;
    /// let [won, seven_out] = &ends.ends[..] else { panic!() };
    /// assert_eq!(ends.probability(won), RBig::from_parts(1.into(), 3_u8.into()));
    /// assert_eq!(ends.probability(seven_out), RBig::from_parts(2.into(), 3_u8.into()));
    /// assert_eq!(ends.first(won), RBig::from(1)); // 3 rolls lost on average, whoever wins
    /// assert_eq!(ends.first(seven_out), RBig::from(2));
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Empty`] if no start has a positive weight; [`Error::OverBudget`], at the latest
    /// before the step of an elimination that is too large.
    ///
    /// # Panics
    /// If a start is not a state, or `form` has more coefficients than a move has gains.
    ///
    /// # Cost
    /// Only what the start can reach counts. It is worked through modulo as many primes of 62
    /// bits as the numerators of the ends need: on a way of `n` states about `n` times the bits
    /// of their totals. States that can be left for good take one product per move and prime
    /// (three with moments). States that can return to one another are a system of linear
    /// equations, solved by eliminating one after the other: for `k` of them up to `k^3` products
    /// per prime, far fewer if each has few neighbours. A state that can return to itself only
    /// costs nothing more.
    pub fn ends(
        &self,
        start: &[(usize, UBig)],
        form: &Form,
        budget: &Budget,
    ) -> Result<Ends, Error> {
        let ends = self.ends_from_each(&[start], form, Moments::Second, budget)?;
        Ok(ends.into_iter().next().expect("one start, one answer"))
    }

    /// [`Chain::ends`] from each of several starts, in their order. The chain is made ready once, which takes far longer than to
    /// go through it from one more start.
    ///
    /// ```
    /// // A die is rolled until it shows a six, or once less, if somebody has rolled before.
    /// use oddsmith_dist::{Budget, Chain, Form, Moments, Move, RBig, UBig};
    /// let roll = |to, weight: u8| Move { to, weight: weight.into(), gains: [].into() };
    /// let chain = Chain::new(vec![vec![roll(1, 1)], vec![roll(1, 5), roll(2, 1)], vec![]]);
    /// let starts = [0, 1].map(|state| [(state, UBig::ONE)]);
    /// let starts = starts.each_ref().map(<[_; 1]>::as_slice);
    /// let ends = chain.ends_from_each(&starts, &Form::moves(), Moments::First, &Budget::unlimited())?;
    /// let mean = |at: usize| ends[at].first(&ends[at].ends[0]);
    /// assert_eq!((mean(0), mean(1)), (RBig::from(7), RBig::from(6)));
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Chain::ends`].
    ///
    /// # Panics
    /// As [`Chain::ends`].
    ///
    /// # Cost
    /// That of [`Chain::ends`] once for making the chain ready, and for each start for the products that lie behind it. With
    /// [`Moments::First`] these are half as many.
    pub fn ends_from_each(
        &self,
        starts: &[&[(usize, UBig)]],
        form: &Form,
        moments: Moments,
        budget: &Budget,
    ) -> Result<Vec<Ends>, Error> {
        if let Some(step) = self.moves.iter().flatten().next() {
            assert!(
                form.coefficients.len() <= step.gains.len(),
                "every coefficient belongs to a gain"
            );
        }
        let budget = &budget.part();
        match moments {
            _ if form.is_none() => flow::ends::<1>(self, starts, form, budget),
            Moments::First => flow::ends::<2>(self, starts, form, budget),
            Moments::Second => flow::ends::<3>(self, starts, form, budget),
        }
    }

    /// The probability to come where no end can be reached any more, which is [`Ends::never()`].
    ///
    /// # Errors
    /// As [`Chain::ends`].
    ///
    /// # Panics
    /// If a start is not a state.
    ///
    /// # Cost
    /// None but to look at every move once, if an end can be reached from everywhere.
    pub fn never(&self, start: &[(usize, UBig)], budget: &Budget) -> Result<RBig, Error> {
        let budget = &budget.part();
        self.begin(start, budget)?;
        if graph::loses(&self.moves, start) {
            self.ends(start, &Form::none(), budget)
                .map(|ends| ends.never())
        } else {
            Ok(RBig::ZERO)
        }
    }

    /// Whether the running sum of the gains at the place `gain` has no bounds: whether a state can be come back to, and something
    /// be added to the sum on the way. Gains that cancel each other on every such way count as well.
    ///
    /// ```
    /// // One pays 1 to enter, and then 2 for each toss of a coin, until it shows heads.
    /// use oddsmith_dist::{Budget, Chain, Move, UBig};
    /// let go = |to, entry, tosses| Move { to, weight: UBig::ONE, gains: [entry, tosses].into() };
    /// let chain = Chain::new(vec![vec![go(1, 1, 0)], vec![go(1, 0, 2), go(2, 0, 2)], vec![]]);
    /// let start = [(0, UBig::ONE)];
    /// assert!(!chain.is_unbounded(&start, 0, &Budget::unlimited())?);
    /// assert!(chain.is_unbounded(&start, 1, &Budget::unlimited())?);
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Empty`] and [`Error::OverBudget`] as [`Chain::never`].
    ///
    /// # Panics
    /// If a start is not a state, or moves have no gain at that place.
    pub fn is_unbounded(
        &self,
        start: &[(usize, UBig)],
        gain: usize,
        budget: &Budget,
    ) -> Result<bool, Error> {
        let budget = &budget.part();
        self.begin(start, budget)?;
        Ok(graph::grows(&self.moves, start, gain))
    }

    /// What every state is worth on average: the worth of the end that one comes to from there, and what `form` adds up on the
    /// way. Ends that are not listed are worth 0. Where no end can be reached it is over: nothing more is added up.
    ///
    /// ```
    /// // Craps with 4 as the point pays 2 to 1, and each roll that is lost in between costs a tenth.
    /// use oddsmith_dist::{Budget, Chain, Form, IBig, Move, RBig, UBig};
    /// let roll = |to, weight: u8, lost| Move { to, weight: weight.into(), gains: [lost].into() };
    /// let point = vec![roll(1, 3, 0), roll(2, 6, 0), roll(0, 27, 1)];
    /// let chain = Chain::new(vec![point, vec![], vec![]]);
    /// let tenths = [(1, IBig::from(20)), (2, IBig::from(-10))];
    /// let lost = Form { per_move: 0, coefficients: vec![-1] };
    /// let worths = chain.worths(&tenths, &lost, &Budget::unlimited())?;
    /// let worth = |state| worths.of(state).map(|worth| RBig::from_parts(worth, worths.total().clone()));
    /// assert_eq!(worth(0)?, RBig::from(-3)); // 20/3 - 20/3 - 3
    /// assert_eq!(worth(1)?, RBig::from(20));
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OverBudget`], at the latest before the step of an elimination that is too large.
    ///
    /// # Panics
    /// If what is listed is no end, or `form` has more coefficients than a move has gains.
    ///
    /// # Cost
    /// That of [`Chain::ends_from_each`] from all states at once, and a word for each state and prime.
    pub fn worths(
        &self,
        ends: &[(usize, IBig)],
        form: &Form,
        budget: &Budget,
    ) -> Result<StateNumbers, Error> {
        let form = (!form.is_none()).then_some(form);
        worths::worths(self, ends, form, budget.part())
    }

    /// How often the chain comes to each state on average, if it begins in a state of `start`. To stay where one is is not to
    /// come there again; and a state from which no end can be reached is not counted: its number is 0.
    ///
    /// ```
    /// // A coin is tossed until it shows heads twice in a row: from nothing, from one head.
    /// use oddsmith_dist::{Budget, Chain, Move, RBig, UBig};
    /// let go = |to| Move { to, weight: UBig::ONE, gains: Box::new([]) };
    /// let chain = Chain::new(vec![vec![go(0), go(1)], vec![go(0), go(2)], vec![]]);
    /// let visits = chain.visits(&[(0, UBig::ONE)], &Budget::unlimited())?;
    /// let visit = |state| visits.of(state).map(|number| RBig::from_parts(number, visits.total().clone()));
    /// assert_eq!(visit(0)?, RBig::from(2)); // at first, and after each single head, of which there is one on average
    /// assert_eq!(visit(1)?, RBig::from(2));
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Chain::ends`].
    ///
    /// # Panics
    /// If a start is not a state.
    pub fn visits(&self, start: &[(usize, UBig)], budget: &Budget) -> Result<StateNumbers, Error> {
        visits::visits(self, start, budget.part())
    }

    /// The number of moves until an end, for `0..=horizon` moves.
    ///
    /// With `T` the least common multiple of the totals of all states that matter (each with
    /// its weights in lowest terms), and `m` the horizon, or the longest way to an end if that
    /// is shorter, the total is `T^m` times the weight of the start.
    ///
    /// ```
    /// // A die is rolled until it shows a six.
    /// use oddsmith_dist::{Budget, Chain, Move, UBig};
    /// let roll = |to, weight: u8| Move { to, weight: weight.into(), gains: [].into() };
    /// let chain = Chain::new(vec![vec![roll(0, 5), roll(1, 1)], vec![]]);
    /// let lengths = chain.lengths(&[(0, UBig::ONE)], 3, &Budget::unlimited())?;
    /// assert_eq!(lengths.weights, [0_u8, 36, 30, 25].map(UBig::from)); // of 216
    /// assert_eq!(lengths.beyond, UBig::from(125_u8));
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Empty`] if no start has a positive weight; [`Error::OverBudget`].
    ///
    /// # Panics
    /// If a start is not a state.
    ///
    /// # Cost
    /// `m` products per move, of integers of the bits of the total.
    pub fn lengths(
        &self,
        start: &[(usize, UBig)],
        horizon: usize,
        budget: &Budget,
    ) -> Result<Lengths, Error> {
        lengths::lengths(self, start, horizon, &budget.part())
    }

    /// [`Chain::lengths`] from each of several states, in their order, over one total.
    ///
    /// ```
    /// // A die is rolled until it shows a six, or once less, if somebody has rolled before.
    /// use oddsmith_dist::{Budget, Chain, Move, UBig};
    /// let roll = |to, weight: u8| Move { to, weight: weight.into(), gains: [].into() };
    /// let chain = Chain::new(vec![vec![roll(1, 1)], vec![roll(1, 5), roll(2, 1)], vec![]]);
    /// let lengths = chain.lengths_from_each(&[0, 1], 2, &Budget::unlimited())?;
    /// assert_eq!(lengths[0].weights, [0_u8, 0, 6].map(UBig::from)); // of 36
    /// assert_eq!(lengths[1].weights, [0_u8, 6, 5].map(UBig::from));
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Chain::lengths`].
    ///
    /// # Panics
    /// As [`Chain::lengths`].
    ///
    /// # Cost
    /// That of [`Chain::lengths`] once, and for each state and number of moves a product of integers of the bits of the total.
    pub fn lengths_from_each(
        &self,
        states: &[usize],
        horizon: usize,
        budget: &Budget,
    ) -> Result<Vec<Lengths>, Error> {
        lengths::lengths_from_each(self, states, horizon, &budget.part())
    }

    /// An upper bound of the probability to make more than `moves` moves and to come to an end after them: the
    /// probability of standing, after `moves` moves, in a state from which an end can be reached.
    ///
    /// It is computed in floats, and made larger by as much as these may have been rounded, by 1e-250 at the least.
    ///
    /// ```
    /// // A die is rolled until it shows a six.
    /// use oddsmith_dist::{Budget, Chain, Move, UBig};
    /// let roll = |to, weight: u8| Move { to, weight: weight.into(), gains: [].into() };
    /// let chain = Chain::new(vec![vec![roll(0, 5), roll(1, 1)], vec![]]);
    /// let late = chain.late(&[(0, UBig::ONE)], 3, &Budget::unlimited())?;
    /// assert!(late >= 125.0 / 216.0 && late < 0.5788);
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Empty`] if no start has a positive weight; [`Error::OverBudget`].
    ///
    /// # Panics
    /// If a start is not a state.
    ///
    /// # Cost
    /// One product of floats per move of the chain for each of the `moves`.
    pub fn late(
        &self,
        start: &[(usize, UBig)],
        moves: usize,
        budget: &Budget,
    ) -> Result<f64, Error> {
        floats::late(self, start, moves, &budget.part())
    }

    /// A number of moves, up to `most`, after which less than one part in `parts` stands in a state from which an end can be
    /// reached: the least that floats can tell, or none.
    ///
    /// ```
    /// // A die is rolled until it shows a six: (5/6)^25 is 0.0105, and (5/6)^26 is 0.0087.
    /// use oddsmith_dist::{Budget, Chain, Move, UBig};
    /// let roll = |to, weight: u8| Move { to, weight: weight.into(), gains: [].into() };
    /// let chain = Chain::new(vec![vec![roll(0, 5), roll(1, 1)], vec![]]);
    /// let start = [(0, UBig::ONE)];
    /// assert_eq!(chain.settled(&start, 100, 60, &Budget::unlimited())?, Some(26));
    /// assert_eq!(chain.settled(&start, 100, 25, &Budget::unlimited())?, None);
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Empty`] if no start has a positive weight; [`Error::OverBudget`].
    ///
    /// # Panics
    /// If a start is not a state.
    ///
    /// # Cost
    /// One product of floats per move of the chain for each move that is made.
    pub fn settled(
        &self,
        start: &[(usize, UBig)],
        parts: u32,
        most: usize,
        budget: &Budget,
    ) -> Result<Option<usize>, Error> {
        floats::settled(self, start, (parts, most), &budget.part())
    }

    /// The least `n` with `P(moves <= n) >= percent / 100`; none if there is none, or if `P(moves <= n)` comes so near to
    /// that for some `n` that floats can't tell on which side of it it is.
    ///
    /// ```
    /// // A die is rolled until it shows a six: 1 - (5/6)^12 is 0.888, and 1 - (5/6)^13 is 0.907.
    /// use oddsmith_dist::{Budget, Chain, Move, UBig};
    /// let roll = |to, weight: u8| Move { to, weight: weight.into(), gains: [].into() };
    /// let chain = Chain::new(vec![vec![roll(0, 5), roll(1, 1)], vec![]]);
    /// let start = [(0, UBig::ONE)];
    /// assert_eq!(chain.quantile(&start, 90, &Budget::unlimited())?, Some(13));
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Empty`] if no start has a positive weight; [`Error::OverBudget`].
    ///
    /// # Panics
    /// If a start is not a state.
    ///
    /// # Cost
    /// One product of floats per move of the chain for each of the `n` moves.
    pub fn quantile(
        &self,
        start: &[(usize, UBig)],
        percent: u32,
        budget: &Budget,
    ) -> Result<Option<usize>, Error> {
        floats::quantile(self, start, percent, &budget.part())
    }
}
