//! The worth of steps over many configurations.

use oddsmith_dist::RBig;

use crate::value::Worth;

/// A change over many configurations: of those where there is one, which is where it is not 0. All numbers are 0 if there
/// is none anywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spread {
    /// The median: the middle one in their order; of an even count the mean of the middle two. Where some go up and others
    /// down it may be like none of them: then `size` tells more.
    pub typical: RBig,
    /// The median of how large they are, whichever way.
    pub size: RBig,
    /// The least one.
    pub least: RBig,
    /// The greatest one.
    pub most: RBig,
    /// How many there are.
    pub count: usize,
    /// How many of them go up.
    pub up: usize,
}

impl Spread {
    /// The spread of changes in any order, 0 where there is none; nothing of no configurations.
    ///
    /// # Cost
    /// Proportional to their count.
    #[must_use]
    pub fn of(mut numbers: Vec<RBig>) -> Option<Self> {
        let nothing = numbers.first()?.clone();
        numbers.retain(|number| *number != RBig::ZERO);
        let count = numbers.len();
        let (Some(least), Some(most)) = (numbers.iter().min(), numbers.iter().max()) else {
            // It is 0, as all others are.
            return Some(Self {
                typical: nothing.clone(),
                size: nothing.clone(),
                least: nothing.clone(),
                most: nothing,
                count,
                up: 0,
            });
        };
        let (least, most) = (least.clone(), most.clone());
        let up = numbers
            .iter()
            .filter(|number| **number > RBig::ZERO)
            .count();
        let typical = median(&mut numbers)?;
        for number in &mut numbers {
            if *number < RBig::ZERO {
                *number = -number.clone();
            }
        }
        Some(Self {
            typical,
            size: median(&mut numbers)?,
            least,
            most,
            count,
            up,
        })
    }

    /// Whether at least a tenth of them go up, and as many down.
    #[must_use]
    pub fn goes_both_ways(&self) -> bool {
        let fewer = self.up.min(self.count - self.up);
        fewer > 0 && 10 * fewer >= self.count
    }
}

/// The middle one in their order, of an even count the mean of the middle two; none of none.
fn median(numbers: &mut [RBig]) -> Option<RBig> {
    let count = numbers.len();
    if count == 0 {
        return None;
    }
    let (below, middle, _) = numbers.select_nth_unstable(count / 2);
    Some(match below.iter().max() {
        Some(other) if count.is_multiple_of(2) => (&*middle + other) / RBig::from(2),
        _ => middle.clone(),
    })
}

/// Some steps of a lever in all configurations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// How many steps the rules allow, over all configurations.
    pub count: usize,
    /// How many of them change something.
    pub active: usize,
    /// See [`Worth::changes`]; none where no step has an answer.
    pub changes: Vec<Option<Spread>>,
    /// See [`Worth::flats`]; none where no step that changes how often the band is reached has one, though some do change
    /// it.
    pub flats: Vec<Option<Spread>>,
}

impl Summary {
    /// The summary of those steps that are wanted.
    #[must_use]
    pub fn of(worths: &[Worth], is_wanted: impl Fn(usize) -> bool) -> Self {
        let wanted: Vec<&Worth> = worths
            .iter()
            .filter(|worth| is_wanted(worth.step))
            .collect();
        let count = wanted.len();
        let active = wanted.iter().filter(|worth| worth.is_active()).count();
        let spreads = |numbers: fn(&Worth) -> &[Option<RBig>]| -> Vec<Option<Spread>> {
            let columns = worths.first().map_or(0, |worth| numbers(worth).len());
            let column = |at: usize| {
                let own = wanted.iter().filter_map(|worth| numbers(worth)[at].clone());
                Spread::of(own.collect())
            };
            (0..columns).map(column).collect()
        };
        let changes = spreads(|worth| &worth.changes);
        let mut flats = spreads(|worth| &worth.flats);
        for (flat, change) in flats.iter_mut().zip(&changes) {
            // What is left are steps that change nothing here: they say nothing of those that do.
            let is_changed = change.as_ref().is_some_and(|change| change.count > 0);
            flat.take_if(|flat| flat.count == 0 && is_changed);
        }
        Self {
            count,
            active,
            changes,
            flats,
        }
    }
}
