//! Questions over exact odds, against laws, a naive search and games that were thought out for them.

mod expectations;
mod language;
mod laws;
mod naive;
mod pairs;
mod plans;
mod probes;
mod rows;
mod search_costs;
mod tune;
mod values;

use std::sync::LazyLock;

use oddsmith_analysis::Questions;
use oddsmith_exact::Budget;

/// Configurations allocate small and often, for which the C library's allocator takes twice as long.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Questions of a run without end, each of so many steps.
fn run(limit: u64) -> Questions<'static> {
    static BUDGET: LazyLock<Budget> = LazyLock::new(Budget::unlimited);
    let budget = &BUDGET;
    Questions { budget, limit }
}
