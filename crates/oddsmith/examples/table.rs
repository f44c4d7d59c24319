//! A table, row by row: `cargo run --example table`.

#![expect(clippy::print_stdout, reason = "an example shows its answer")]

use oddsmith::{Answer, Error, Game, Limits, TableRequest};

fn main() -> Result<(), Error> {
    let game = Game::open("stars-and-signs")?;
    let table = game.table(&TableRequest {
        sweeps: vec![
            "circ_boons=-2..=2".to_owned(),
            "ability_rank=all".to_owned(),
        ],
        ..TableRequest::default()
    })?;
    for row in table.rows(&Limits::default())? {
        let odds = row.answers.iter().filter_map(Answer::to_ratio);
        let odds: Vec<String> = odds.map(|odds| odds.to_string()).collect();
        println!("{:?}: {}", row.values, odds.join(" "));
    }
    Ok(())
}
