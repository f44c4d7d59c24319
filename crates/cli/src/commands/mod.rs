//! One module per command: what is asked of the libraries, and how the answer is shown.

pub(crate) mod anydice;
pub(crate) mod balance;
pub(crate) mod chart;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod contest;
pub(crate) mod dist;
pub(crate) mod lsp;
pub(crate) mod merge;
pub(crate) mod new;
pub(crate) mod odds;
pub(crate) mod policy;
pub(crate) mod report;
pub(crate) mod rules;
pub(crate) mod serve;
pub(crate) mod shell;
pub(crate) mod simulate;
pub(crate) mod table;
pub(crate) mod track;
pub(crate) mod tune;
pub(crate) mod verify;
