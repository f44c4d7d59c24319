//! Small scripts with every construct of the language and the ways in which they meet, each against a brute
//! force over all its rolls, choices and rounds.

mod checks;
mod choices;
mod compare;
mod contests;
mod decisions;
mod policies;
mod random;
mod rounds;
mod support;
mod tracks;
mod worths;

/// Configurations allocate small and often, for which the C library's allocator takes twice as long.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
