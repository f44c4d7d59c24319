//! Candidates: every combination of the dials' options, numbered.

use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, Config, Dial, Domain};

/// Candidates that one task looks at: enough to share what they have in common, few enough to stay in cache.
const BLOCK: u64 = 1 << 14;

/// How far a candidate is from the ruleset as it is. Nearer ones are less: those that change fewer parameters, and of
/// those that change as many the ones that change them by less.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    /// How many dials have other values than the ruleset.
    pub dials: u32,
    /// The size of the change: the sum of `|value - value in the ruleset|` over all numbers; a label that is another
    /// one counts 1.
    pub size: u128,
}

impl Change {
    /// The change by an option of a dial.
    fn of(dial: &Dial, option: &[i64], check: &Check) -> Self {
        let both = dial.inputs.iter().zip(option);
        let sizes = both.map(|(id, value)| {
            let input = &check.inputs[id.0];
            match &input.domain {
                Domain::Range(..) => u128::from(value.abs_diff(input.default)),
                Domain::Choice(_) => u128::from(*value != input.default),
            }
        });
        let size = sizes.sum();
        Self {
            dials: u32::from(size > 0),
            size,
        }
    }

    /// The change by both together.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            dials: self.dials + other.dials,
            size: self.size + other.size,
        }
    }
}

/// All combinations of the dials' options. They are numbered from 0 with the last dial fastest. As many of the last
/// dials as make no more than [`BLOCK`] combinations, but at least one, run through a block.
#[derive(Debug)]
pub(crate) struct Space<'a> {
    pub(crate) dials: &'a [Dial],
    /// How many candidates there are.
    pub(crate) candidates: u64,
    /// The first dial that runs inside of blocks.
    pub(crate) inner: usize,
    /// How many candidates a block has.
    pub(crate) block: u64,
    /// The change by each option of each dial.
    changes: Vec<Vec<Change>>,
    /// The change by the dials that run inside of a block, at each place of it.
    inner_changes: Vec<Change>,
}

impl<'a> Space<'a> {
    /// The space of some dials of a check; none if it has more than 2^63 candidates.
    pub(crate) fn new(dials: &'a [Dial], check: &Check) -> Option<Self> {
        let sizes = dials.iter().map(|dial| dial.options.len() as u64);
        let all = sizes.clone().try_fold(1_u64, u64::checked_mul);
        let candidates = all.filter(|all| *all < 1 << 63)?;
        let (mut inner, mut block) = (dials.len(), 1);
        for size in sizes.rev() {
            if inner < dials.len() && block * size > BLOCK {
                break;
            }
            block *= size;
            inner -= 1;
        }
        let of_dial = |dial: &Dial| {
            let options = dial.options.iter();
            options
                .map(|option| Change::of(dial, option, check))
                .collect()
        };
        let changes: Vec<Vec<Change>> = dials.iter().map(of_dial).collect();
        let mut inner_changes = vec![Change::default()];
        for own in &changes[inner..] {
            let before = inner_changes.iter();
            inner_changes = before
                .flat_map(|before| own.iter().map(|own| before.plus(*own)))
                .collect();
        }
        Some(Self {
            dials,
            candidates,
            inner,
            block,
            changes,
            inner_changes,
        })
    }

    /// The change of a block's candidates by the dials that are the same in all of them.
    pub(crate) fn outer_change(&self, options: &[usize]) -> Change {
        let outer = self.changes[..self.inner].iter().zip(options);
        outer.fold(Change::default(), |sum, (own, option)| {
            sum.plus(own[*option])
        })
    }

    /// The change by the other dials at a place of a block.
    pub(crate) fn inner_change(&self, at: usize) -> Change {
        self.inner_changes[at]
    }

    /// The change by an option of a dial.
    pub(crate) fn dial_change(&self, dial: usize, option: usize) -> Change {
        self.changes[dial][option]
    }

    /// The change of a candidate.
    pub(crate) fn change(&self, options: &[usize]) -> Change {
        let all = self.changes.iter().zip(options);
        all.fold(Change::default(), |sum, (own, option)| {
            sum.plus(own[*option])
        })
    }

    /// The option of each dial.
    pub(crate) fn options(&self, number: u64) -> Vec<usize> {
        options(self.dials, number).expect("a candidate of this space")
    }

    /// A configuration with the dials at these options.
    pub(crate) fn config(&self, base: &Config, options: &[usize]) -> Config {
        configuration(self.dials, options, base)
    }

    /// The inputs of all dials.
    pub(crate) fn inputs(&self) -> Vec<InputId> {
        let inputs = self.dials.iter().flat_map(|dial| dial.inputs.iter());
        inputs.copied().collect()
    }
}

/// The option of each dial in the candidate of that number; none if there is no such candidate.
#[must_use]
pub fn options(dials: &[Dial], number: u64) -> Option<Vec<usize>> {
    let mut rest = number;
    let mut options = vec![0; dials.len()];
    for (option, dial) in options.iter_mut().zip(dials).rev() {
        let len = dial.options.len() as u64;
        *option = usize::try_from(rest % len).ok()?;
        rest /= len;
    }
    (rest == 0).then_some(options)
}

/// The configuration of a candidate: a goal's with the dials at some options.
///
/// # Panics
/// If there are no such options.
#[must_use]
pub fn configuration(dials: &[Dial], options: &[usize], base: &Config) -> Config {
    let mut config = base.clone();
    for (dial, option) in dials.iter().zip(options) {
        for (input, value) in dial.inputs.iter().zip(&dial.options[*option]) {
            config.put(*input, *value);
        }
    }
    config
}
