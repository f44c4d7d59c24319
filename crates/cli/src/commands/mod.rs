//! One module per command: what is asked of the libraries, and how the answer is shown.

pub(crate) mod dist;
pub(crate) mod odds;
pub(crate) mod rules;
pub(crate) mod shell;
pub(crate) mod table;
pub(crate) mod verify;
