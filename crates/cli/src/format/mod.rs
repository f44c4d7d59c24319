//! Answers as documents ([`crate::document`]), which people read, and for programs (CSV, JSON).

pub(crate) mod anydice;
pub(crate) mod check;
mod choice_words;
pub(crate) mod columns;
pub(crate) mod comparison;
pub(crate) mod comparison_view;
pub(crate) mod contest_view;
pub(crate) mod dist;
pub(crate) mod dist_view;
pub(crate) mod explain;
pub(crate) mod figure_view;
pub(crate) mod lint;
mod most_likely;
pub(crate) mod outcomes;
pub(crate) mod parquet;
pub(crate) mod pivot;
pub(crate) mod plan;
pub(crate) mod plan_view;
pub(crate) mod policy;
mod policy_lines;
pub(crate) mod policy_view;
pub(crate) mod rows;
pub(crate) mod side_by_side;
pub(crate) mod simulation;
pub(crate) mod simulation_view;
pub(crate) mod simulation_words;
pub(crate) mod track_plan_view;
pub(crate) mod track_view;
pub(crate) mod tuning;
pub(crate) mod tuning_view;
pub(crate) mod value;
pub(crate) mod value_view;
pub(crate) mod values_view;
pub(crate) mod view;
pub(crate) mod words;

pub(crate) use oddsmith_numbers::difference;
