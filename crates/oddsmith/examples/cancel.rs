//! A question that is cancelled when it takes too long: `cargo run --example cancel`.

#![expect(clippy::print_stdout, reason = "an example shows its answer")]

use std::thread;
use std::time::Duration;

use oddsmith::{Dice, Error, Limits};

fn main() -> Result<(), Error> {
    let dice = Dice::parse("1000d20!(3)")?;
    let limits = Limits::default();
    let watch = limits.watch.clone();
    let answer = thread::scope(|scope| {
        scope.spawn(move || {
            thread::sleep(Duration::from_millis(100));
            watch.cancel();
        });
        dice.distribution(&limits)
    });
    match answer {
        Ok(dist) => println!("answered in time: the mean is {}", dist.mean()),
        Err(Error::Cancelled) => println!("cancelled"),
        Err(error) => return Err(error),
    }
    Ok(())
}
