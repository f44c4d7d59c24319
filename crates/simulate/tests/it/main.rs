//! What is rolled agrees with what is computed, is the same on every machine and for any number of threads, and
//! fails where and only where a rule can't be carried out.

mod borders;
mod cases;
mod chances;
mod dice;
mod endless;
mod golden;
mod language;
mod loops;
mod parts;
mod played;
mod random;
mod rules;
mod shipped;
mod support;

/// Configurations allocate small and often, for which the C library's allocator takes twice as long.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
