//! Evaluators: what is made of a roll, face by face.

/// Reads a roll as a stream of faces and folds it to an outcome.
///
/// Each face that the pool can show is seen once, from the highest to the lowest, with the
/// number of dice showing it (also if that is none). All counts together are `size`. The
/// methods must be pure: equal states are merged, and the fewer states there are, the faster
/// the answer.
///
/// ```
/// use oddsmith_dist::{Budget, Dist, Evaluator, Pool, UBig};
/// /// How many different faces a roll shows.
/// struct Different;
/// impl Evaluator for Different {
///     type State = u32;
///     type Outcome = u32;
///     fn start(&self, _size: u32) -> u32 {
///         0
///     }
///     fn step(&self, seen: &u32, _face: i64, count: u32) -> u32 {
///         seen + u32::from(count > 0)
///     }
///     fn finish(&self, seen: u32) -> u32 {
///         seen
///     }
/// }
/// let pool = Pool::new([(Dist::die(6)?, 3)]);
/// let different = pool.fold(&Different, &Budget::unlimited())?;
/// assert_eq!(different.weight(&3), UBig::from(6_u8 * 5 * 4));
/// # Ok::<(), oddsmith_dist::Error>(())
/// ```
pub trait Evaluator {
    /// State: what has to be known of the faces seen so far.
    type State: Ord + Clone;
    /// Outcome: what a whole roll comes to.
    type Outcome: Ord;
    /// The state before any face, for a roll of `size` dice.
    fn start(&self, size: u32) -> Self::State;
    /// The state after `count` dice have shown `face`.
    fn step(&self, state: &Self::State, face: i64, count: u32) -> Self::State;
    /// With how many dice on `face`, after those of `state`, the outcome is settled: if so many
    /// or more show it, neither how many more nor any lower face changes what a roll comes to.
    /// It is 0 if that is settled before this face is seen; `None`, the default, says nothing.
    ///
    /// What is settled is not looked at any further.
    ///
    /// ```
    /// use oddsmith_dist::{Budget, Dist, Evaluator, Pool, UBig};
    /// /// The highest face.
    /// struct Highest;
    /// impl Evaluator for Highest {
    ///     type State = Option<i64>;
    ///     type Outcome = Option<i64>;
    ///     fn start(&self, _size: u32) -> Option<i64> {
    ///         None
    ///     }
    ///     fn step(&self, seen: &Option<i64>, face: i64, count: u32) -> Option<i64> {
    ///         seen.or((count > 0).then_some(face))
    ///     }
    ///     fn enough(&self, seen: &Option<i64>, _face: i64) -> Option<u32> {
    ///         Some(if seen.is_some() { 0 } else { 1 })
    ///     }
    ///     fn finish(&self, seen: Option<i64>) -> Option<i64> {
    ///         seen
    ///     }
    /// }
    /// let pool = Pool::new([(Dist::die(6)?, 3)]);
    /// let highest = pool.fold(&Highest, &Budget::unlimited())?;
    /// assert_eq!(highest.weight(&Some(6)), UBig::from(6_u8.pow(3) - 5_u8.pow(3)));
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    fn enough(&self, _state: &Self::State, _face: i64) -> Option<u32> {
        None
    }
    /// The outcome after all faces, or when it is settled.
    fn finish(&self, state: Self::State) -> Self::Outcome;
}
