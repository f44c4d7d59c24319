//! The library `oddsmith` as Python has it.
//!
//! This is a door, and nothing else: arguments become a request, the library answers it without the interpreter's lock, and
//! the answer becomes Python objects. `python/oddsmith/` gives them their names, types and documentation.

mod answers;
mod chart;
mod dist;
mod exact;
mod failure;
mod game;
mod inputs;
mod parts;
mod question;
mod table;
mod to_python;

use pyo3::prelude::*;

/// As in the program: questions allocate small and often, on all threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What the package `oddsmith` is made of.
#[pymodule(gil_used = true)]
mod _oddsmith {
    #[pymodule_export]
    use crate::answers::{Answers, ask};
    #[pymodule_export]
    use crate::chart::Chart;
    #[pymodule_export]
    use crate::dist::{Dist, dist};
    #[pymodule_export]
    use crate::game::{Game, check, games};
    #[pymodule_export]
    use crate::inputs::settings;
    #[pymodule_export]
    use crate::parts::{merged_table, merged_tune, part, units};
    #[pymodule_export]
    use crate::question::forked;
    #[pymodule_export]
    use crate::table::Table;
}
