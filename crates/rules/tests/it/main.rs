//! What a designer sees when something is wrong: each slip is one error, at the word, with a way out.

mod acceptances;
mod charts;
mod choices;
mod configurations;
mod contests;
mod endless;
mod expectations;
mod failing;
mod files;
mod formatting;
mod labels;
mod members;
mod mutations;
mod names;
mod newcomers;
mod page;
mod resources;
mod scripts;
mod settings;
mod texts;
mod tracks;
mod tuning;
mod verified;
mod warnings;

/// Configurations allocate small and often, for which the C library's allocator takes twice as long.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
