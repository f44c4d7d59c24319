//! A dice expression as JSON: `cargo run --example dice -- 4d6kh3`.

#![expect(clippy::print_stdout, reason = "an example shows its answer")]

use oddsmith::wire::Distribution;
use oddsmith::{Dice, Error, Limits};

fn main() -> Result<(), Error> {
    let text = std::env::args().nth(1).unwrap_or("4d6kh3".to_owned());
    let dice = Dice::parse(&text)?;
    let answer = Distribution::of(&dice.text, &dice.distribution(&Limits::default())?);
    println!(
        "{}",
        serde_json::to_string_pretty(&answer).expect("an answer is JSON")
    );
    Ok(())
}
