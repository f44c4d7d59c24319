//! What calls came to, so that none is carried out twice.

use std::collections::HashMap;
use std::sync::Arc;

use oddsmith_dist::Budget;

use crate::account::Account;
use crate::value::Value;

/// The bytes of an entry beside its values.
const ENTRY_BYTES: u128 = 300;
/// The steps of the budget for which a byte may be kept: a quarter of its memory.
const STEPS_PER_BYTE: u64 = 40;

/// A call: the function, its arguments, and the variables that it can read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) function: usize,
    pub(super) arguments: Vec<Value>,
    pub(super) around: Vec<Option<Value>>,
}

impl Key {
    /// About the bytes of its values.
    pub(super) fn bytes(&self) -> u128 {
        let values = self.arguments.iter().chain(self.around.iter().flatten());
        values.map(Value::bytes).sum()
    }
}

/// How deep a call went, and whether that was too deep somewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reach {
    /// How many calls were open at the most.
    pub(super) deepest: u32,
    pub(super) is_cut: bool,
}

impl Reach {
    pub(super) fn join(&mut self, other: Self) {
        self.deepest = self.deepest.max(other.deepest);
        self.is_cut |= other.is_cut;
    }
}

/// The memory of calls. What was cut off holds at the same depth only; what was not holds wherever it has room.
#[derive(Debug, Default)]
pub(super) struct Memory {
    whole: HashMap<Key, (Value, u32)>,
    cut: HashMap<(Key, u32), Value>,
    /// The bytes of all entries with their values, and those that the budget was charged for.
    bytes: u128,
    listed: u128,
    /// The variables that each function can read.
    reads: HashMap<usize, (Arc<[usize]>, Account)>,
    /// How deep the call at hand went so far.
    pub(super) reach: Reach,
}

impl Memory {
    /// Forgets everything, since a function or a setting is another one.
    pub(super) fn forget(&mut self, budget: &Budget) {
        self.clear(budget);
        self.reads.clear();
    }

    fn clear(&mut self, budget: &Budget) {
        self.whole.clear();
        self.cut.clear();
        self.bytes = 0;
        budget.release_memory(std::mem::take(&mut self.listed));
    }

    /// The variables that a function can read, if they were found before.
    pub(super) fn reads(&self, function: usize) -> Option<Arc<[usize]>> {
        let (reads, _) = self.reads.get(&function)?;
        Some(Arc::clone(reads))
    }

    /// Keeps the variables that a function can read.
    pub(super) fn keep_reads(&mut self, function: usize, reads: &Arc<[usize]>, account: Account) {
        self.reads.insert(function, (Arc::clone(reads), account));
    }

    /// What a call came to before, if it comes to the same with `depth` calls open and `most` allowed.
    pub(super) fn recall(&mut self, key: &Key, depth: u32, most: u32) -> Option<Value> {
        if let Some((value, height)) = self.whole.get(key)
            && depth.checked_add(*height)? <= most
        {
            let deepest = depth + height;
            self.reach.join(Reach {
                deepest,
                is_cut: false,
            });
            return Some(value.clone());
        }
        if self.cut.is_empty() {
            return None;
        }
        let value = self.cut.get(&(key.clone(), depth))?.clone();
        self.reach.join(Reach {
            deepest: most,
            is_cut: true,
        });
        Some(value)
    }

    /// Keeps what a call came to with `depth` calls open.
    pub(super) fn keep(
        &mut self,
        key: Key,
        value: &Value,
        depth: u32,
        reach: Reach,
        budget: &Budget,
    ) {
        let listed = ENTRY_BYTES + 60 * (key.arguments.len() + key.around.len()) as u128;
        let bytes = key.bytes() + value.bytes() + listed;
        if self.bytes + bytes > u128::from(budget.limit() / STEPS_PER_BYTE) {
            self.clear(budget);
        }
        // The values are charged for by themselves, for as long as they are there.
        if budget.charge_memory(listed).is_err() {
            return;
        }
        self.listed += listed;
        self.bytes += bytes;
        match reach.is_cut {
            true => {
                self.cut.insert((key, depth), value.clone());
            }
            false => {
                let height = reach.deepest.saturating_sub(depth);
                self.whole.insert(key, (value.clone(), height));
            }
        }
    }
}
