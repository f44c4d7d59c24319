//! Odds as lines of a transcript: what they cost, the values, the joint distribution, the lengths.
//!
//! ```text
//! 5210               steps
//! 1/2 - inf          three values, one of which is none
//! 8                  the total of the joint distribution; or -
//! 0 3 5              a combination of values, and its weight
//! lengths 1/4 1/8    or -
//! ```

use std::collections::BTreeMap;
use std::str;

use oddsmith_dist::{RBig, UBig};
use oddsmith_exact::Joint;

use super::Odds;
use crate::expect::Value;

/// What stands where there is nothing.
const NONE: &str = "-";
/// Begins the line of lengths.
const LENGTHS: &str = "lengths";

/// The lines of odds that took so many steps.
pub(super) fn of(steps: u64, odds: &Odds) -> Vec<u8> {
    let mut lines = vec![steps.to_string()];
    let values = odds.values.iter().map(|value| match value {
        None => NONE.to_owned(),
        Some(value) => value.to_string(),
    });
    lines.push(values.collect::<Vec<_>>().join(" "));
    match &odds.joint {
        None => lines.push(NONE.to_owned()),
        Some(joint) => {
            lines.push(joint.total.to_string());
            lines.extend(joint.weights.iter().map(|(row, weight)| {
                let mut words: Vec<String> = row.iter().map(i64::to_string).collect();
                words.push(weight.to_string());
                words.join(" ")
            }));
        }
    }
    lines.push(match &odds.lengths {
        None => NONE.to_owned(),
        Some(lengths) => {
            let words = lengths.iter().map(RBig::to_string);
            let words: Vec<String> = std::iter::once(LENGTHS.to_owned()).chain(words).collect();
            words.join(" ")
        }
    });
    (lines.join("\n") + "\n").into_bytes()
}

/// The steps, and the odds; none if these are no lines of odds.
pub(super) fn read(lines: &[u8]) -> Option<(u64, Odds)> {
    let lines: Vec<&str> = str::from_utf8(lines).ok()?.lines().collect();
    let [steps, values, total, rows @ .., lengths] = &lines[..] else {
        return None;
    };
    let values = values.split(' ').filter(|word| !word.is_empty()).map(value);
    let joint = match (*total, rows) {
        (NONE, []) => None,
        (NONE, _) => return None,
        (total, rows) => Some(Joint {
            weights: rows
                .iter()
                .map(|line| row(line))
                .collect::<Option<BTreeMap<_, _>>>()?,
            total: total.parse().ok()?,
        }),
    };
    let lengths = match *lengths {
        NONE => None,
        lengths => {
            let words = lengths.strip_prefix(LENGTHS)?.split(' ');
            let words = words.filter(|word| !word.is_empty());
            Some(words.map(|word| word.parse().ok()).collect::<Option<_>>()?)
        }
    };
    let odds = Odds {
        values: values.collect::<Option<_>>()?,
        joint,
        lengths,
    };
    Some((steps.parse().ok()?, odds))
}

fn value(word: &str) -> Option<Option<Value>> {
    match word {
        NONE => Some(None),
        value => value.parse().ok().map(Some),
    }
}

fn row(line: &str) -> Option<(Vec<i64>, UBig)> {
    let mut words: Vec<&str> = line.split(' ').collect();
    let weight = words.pop()?.parse::<UBig>().ok()?;
    let values = words.iter().map(|word| word.parse::<i64>().ok());
    Some((values.collect::<Option<_>>()?, weight))
}

#[cfg(test)]
mod tests {
    use oddsmith_exact::Budget;
    use oddsmith_rules::load;

    use super::{of, read};
    use crate::probe::Subject;

    const RULES: &str = r#"
name = "Demo"
[checks.nothing]
rules = "show none = 0"
[checks.two]
bands = ["Miss", "Hit"]
rules = """
let total = 2d6 - 9
show total
show band = if total > 0 then Hit else Miss
"""
[tracks.endless]
rules = """
let left = 3
repeat until left == 0 {
  let die = 1d2
  set left = if die == 2 and left == 1 then 1 else left - 1
}
show left
"""
"#;

    #[test]
    fn odds_are_read_back_as_they_were() {
        let model = load("demo.toml", RULES.as_bytes()).expect("the rules are right");
        for check in model.checks.iter().chain(&model.tracks) {
            let subject = Subject::new(check);
            let odds = subject.odds(&check.defaults(), &Budget::unlimited());
            let odds = odds.expect("they are small");
            let lines = of(12, &odds);
            assert_eq!(read(&lines), Some((12, odds)), "{}", check.name);
            for cut in 0..lines.len() {
                // Whatever is torn off is no error but nothing that is known, or other odds.
                let _ = read(&lines[..cut]);
            }
        }
        assert_eq!(read(b""), None);
        assert_eq!(read(b"1\n1/2\n-\n1 2\n-\n"), None);
        assert_eq!(read(b"1\nx\n-\n-\n"), None);
    }
}
