//! Sweeps say of every configuration what [`oddsmith_exact::answers`] says of it alone, whatever was shared on the
//! way.

mod begun;
mod checks;
mod compare;
mod games;
mod grown;

/// Configurations allocate small and often, for which the C library's allocator takes twice as long.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
