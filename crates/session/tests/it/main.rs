//! What editors ask, over all rulesets of the project and over damaged ones.

mod beside;
mod completions;
mod documents;
mod formatting;
mod mutations;
mod renames;
mod support;
mod told;
mod walk;

/// Configurations allocate small and often, for which the C library's allocator takes twice as long.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
