//! The engine on the shipped cases, on the examples of the documents, and on rounds without end.

mod cases;
mod chosen_rounds;
mod cup;
mod farkle;
mod language;
mod monotone;
mod rounds;
