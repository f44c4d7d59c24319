//! Rules that are written here, and their odds along an axis: `cargo run --example own_rules`.

#![expect(clippy::print_stdout, reason = "an example shows its answer")]

use oddsmith::{Error, Game, Limits, OddsRequest};

const RULES: &str = r#"
name = "A move"

[checks.move]
bands = ["miss", "weak", "strong"]
axes.stat = { default = 0, domain = "-1..=3" }
rules = """
let total = 2d6 + stat
show band = match total { < 7: miss, < 10: weak, else: strong }
"""
"#;

fn main() -> Result<(), Error> {
    let game = Game::parse("move.toml", RULES.as_bytes())?;
    for stat in -1..=3 {
        let mut request = OddsRequest::default();
        request.settings.set("stat", stat);
        let odds = game.odds(&request, &Limits::default())?;
        let bands = odds
            .bands()
            .filter_map(|band| Some(format!("{} {}", band.name, band.ratio()?)));
        println!("{stat:+}: {}", bands.collect::<Vec<_>>().join(", "));
    }
    Ok(())
}
