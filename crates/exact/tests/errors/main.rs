//! What can't be answered: rules that can't be carried out, with their place and configuration, and questions
//! that cost more than the budget.

mod choices;
mod contests;
mod costs;
mod names;
mod played;
mod rules;
mod support;
mod tracks;
