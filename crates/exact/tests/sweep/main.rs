//! Sweeps say of every configuration what [`oddsmith_exact::answers`] says of it alone, whatever was shared on the
//! way.

mod begun;
mod checks;
mod compare;
mod games;
mod grown;
