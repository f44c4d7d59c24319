//! Candidates: every combination of the dials' options, numbered.

use oddsmith_rules::program::InputId;
use oddsmith_rules::{Config, Dial};

use crate::tune::{configuration, options};

/// Candidates that one task looks at: enough to share what they have in common, few enough to stay in cache.
const BLOCK: u64 = 1 << 14;

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
}

impl<'a> Space<'a> {
    /// The space of some dials; none if it has more than 2^63 candidates.
    pub(crate) fn new(dials: &'a [Dial]) -> Option<Self> {
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
        Some(Self {
            dials,
            candidates,
            inner,
            block,
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
