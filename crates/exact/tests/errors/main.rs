//! What can't be answered: rules that can't be carried out, with their place and configuration, and questions
//! that cost more than the budget.

mod choices;
mod contests;
mod costs;
mod names;
mod played;
mod rules;
mod support;
mod tracks;

/// Configurations allocate small and often, for which the C library's allocator takes twice as long.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
