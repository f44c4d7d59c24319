//! What editors ask, over all rulesets of the project and over damaged ones.

mod beside;
mod completions;
mod documents;
mod formatting;
mod mutations;
mod renames;
mod support;
mod told;
mod walk;
