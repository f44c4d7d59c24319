//! The bands of one configuration: `cargo run --example odds`.

#![expect(clippy::print_stdout, reason = "an example shows its answer")]

use oddsmith::{Error, Game, Limits, OddsRequest};

fn main() -> Result<(), Error> {
    let game = Game::open("stars-and-signs")?;
    let mut request = OddsRequest::default();
    request.settings.set("circ_boons", 2).set("ability_rank", 6);
    let odds = game.odds(&request, &Limits::default())?;
    for band in odds.bands() {
        println!("{:10} {:6.2} %", band.name, 100.0 * band.decimal());
    }
    Ok(())
}
