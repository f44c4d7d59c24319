//! The engine on the shipped cases, on the examples of the documents, and on rounds without end.

mod calls;
mod cases;
mod chosen_rounds;
mod farkle;
mod language;
mod monotone;
mod rounds;

/// Configurations allocate small and often, for which the C library's allocator takes twice as long.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
