//! The engine on the shipped cases, on the examples of the documents, and on rounds without end.

mod calls;
mod cases;
mod chosen_rounds;
mod farkle;
mod language;
mod monotone;
mod rounds;
