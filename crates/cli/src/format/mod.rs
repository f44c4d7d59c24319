//! Answers as text: for people ([`view`], [`dist_view`]), for documents ([`markup`]) and for programs (CSV, JSON).

pub(crate) mod check;
pub(crate) mod comparison;
pub(crate) mod comparison_view;
pub(crate) mod contest_view;
pub(crate) mod difference;
pub(crate) mod dist;
pub(crate) mod dist_view;
pub(crate) mod explain;
pub(crate) mod grid;
pub(crate) mod markup;
pub(crate) mod outcomes;
pub(crate) mod paint;
pub(crate) mod parquet;
pub(crate) mod pivot;
pub(crate) mod policy;
pub(crate) mod policy_view;
pub(crate) mod rows;
pub(crate) mod simulation;
pub(crate) mod simulation_view;
pub(crate) mod simulation_words;
pub(crate) mod track_view;
pub(crate) mod view;
pub(crate) mod words;
