//! Rules that can't be carried out with what some rolls show, in words.

use oddsmith::simulation::{Broken, How};

use super::numbers::round_number;
use crate::failure;

/// What the trials have met of it.
fn note(how: How) -> String {
    match how {
        How::Unmet(trials) => {
            let trials = match trials {
                1 => "the one trial did not meet one".to_owned(),
                trials => format!("none of {} trials met one", round_number(trials)),
            };
            format!("the exact odds find rolls that can't be carried out; {trials}")
        }
        How::Met => {
            "the exact odds find rolls that can't be carried out, and a trial met one".to_owned()
        }
        How::Trial => "a trial met a roll that can't be carried out".to_owned(),
        How::Unrolled => "nothing was rolled: that takes an exact answer first".to_owned(),
    }
}

/// Shows the first error in full, and what the trials have met of it; the exit status if there is one.
pub(super) fn tell(broken: Vec<Broken>) -> Option<u8> {
    let count = broken.len();
    let Broken { error, how } = broken.into_iter().next()?;
    let status = failure::report(&error.into());
    let more = match count - 1 {
        0 => String::new(),
        1 => "; 1 more configuration has such rolls".to_owned(),
        more => format!("; {more} more configurations have such rolls"),
    };
    failure::note(&format!("{}{more}", note(how)));
    Some(status)
}
