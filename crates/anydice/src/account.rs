//! Memory: what a value takes is charged for as long as the value is there.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use oddsmith_dist::Budget;

use crate::fault::Fault;

/// The bytes of an account beside those that it is charged for.
const FIXED_BYTES: u128 = 100;

/// Memory that is charged for until all clones of this are dropped. It is no part of the value that has it, so all accounts are
/// equal.
#[derive(Clone, Debug)]
pub(crate) struct Account {
    _part: Option<Arc<Budget>>,
}

impl Account {
    /// Of something that takes next to nothing.
    pub(crate) fn nothing() -> Self {
        Self { _part: None }
    }

    /// Charges for so many bytes, which are to be there from now on.
    pub(crate) fn of(bytes: u128, budget: &Budget) -> Result<Self, Fault> {
        let part = budget.part();
        part.charge_memory(bytes.saturating_add(FIXED_BYTES))?;
        let _part = Some(Arc::new(part));
        Ok(Self { _part })
    }
}

impl PartialEq for Account {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Account {}

impl Hash for Account {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// Does something that needs so many bytes, and gives them back.
pub(crate) fn with_bytes<T>(
    bytes: u128,
    budget: &Budget,
    work: impl FnOnce(&Budget) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let part = budget.part();
    part.charge_memory(bytes)?;
    work(&part)
}
