//! Which part of how many.

use std::fmt::{self, Display, Formatter};
use std::ops::Range;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Parts of a job at the most.
const MOST_PARTS: u64 = 1_000_000;

/// Which part of a job, of how many: `2/4`.
///
/// ```
/// use oddsmith::part::PartNumber;
/// let part: PartNumber = "2/4".parse().expect("the second of four");
/// assert_eq!(part.of_units(10), 2..5);
/// assert_eq!("5/4".parse::<PartNumber>(), Err("there is no part 5 of 4: they are numbered from 1 to 4".to_owned()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PartNumber {
    /// Its number, from 1 on.
    part: u64,
    /// How many there are.
    of: u64,
}

impl PartNumber {
    /// A part by its number, from 1 on, of so many.
    ///
    /// # Errors
    /// If there is no such part.
    pub fn new(part: u64, of: u64) -> Result<Self, String> {
        if of == 0 {
            return Err("a job has at least one part: `1/1` is all of it".to_owned());
        }
        if of > MOST_PARTS {
            return Err(format!("a job has at most {MOST_PARTS} parts"));
        }
        if !(1..=of).contains(&part) {
            return Err(format!(
                "there is no part {part} of {of}: they are numbered from 1 to {of}"
            ));
        }
        Ok(Self { part, of })
    }

    /// Its number, from 1 on.
    pub fn number(self) -> u64 {
        self.part
    }

    /// How many parts there are.
    pub fn of(self) -> u64 {
        self.of
    }

    /// Its range of so many units of work: all parts together are all units, and no two of them differ by more than one.
    pub fn of_units(self, units: u64) -> Range<u64> {
        let until = |part: u64| {
            let until = u128::from(units) * u128::from(part) / u128::from(self.of);
            u64::try_from(until).expect("no more than all units")
        };
        until(self.part - 1)..until(self.part)
    }
}

impl FromStr for PartNumber {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.trim().parse::<u64>().ok();
        let parts = text.split_once('/');
        let parts = parts.and_then(|(part, of)| Some((number(part)?, number(of)?)));
        let (part, of) =
            parts.ok_or("not a part such as 2/4, the second of four parts".to_owned())?;
        Self::new(part, of)
    }
}

impl Display for PartNumber {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.of)
    }
}
