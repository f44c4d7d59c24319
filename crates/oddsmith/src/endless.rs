//! Dice that explode without an end, as the track that they are.

use crate::Game;

/// What compares a face with a number.
const COMPARISONS: [&str; 5] = [">=", "<=", "==", ">", "<"];

/// The rules of dice that explode without an end: `3d6!`, or `2d10!>=9` with the faces that explode.
struct Endless {
    count: u32,
    sides: u32,
    /// Which faces explode, such as `== 6`.
    explodes: String,
}

impl Endless {
    /// Reads such dice alone; whatever else there is, is none.
    fn parse(text: &str) -> Option<Self> {
        let text: String = text.split_whitespace().collect();
        let (dice, faces) = text.split_once('!')?;
        let (count, sides) = dice.split_once(['d', 'D'])?;
        let count = if count.is_empty() { 1 } else { digits(count)? };
        let sides = digits(sides)?;
        let explodes = match faces {
            "" => format!("== {sides}"),
            faces => {
                let mut comparisons = COMPARISONS.iter();
                let (compares, face) =
                    comparisons.find_map(|own| faces.strip_prefix(own).map(|face| (own, face)))?;
                format!("{compares} {}", digits(face)?)
            }
        };
        (count > 0).then_some(Self {
            count,
            sides,
            explodes,
        })
    }

    fn rules(&self, title: &str) -> String {
        let Self {
            count,
            sides,
            explodes,
        } = self;
        format!(
            r#"name = "Dice that explode without an end"
[tracks.dice]
label = "{title}"
rules = """
let left  = {count}
let total = 0
repeat until left == 0 {{
  let die   = 1d{sides}
  set total = total + die
  set left  = left - (if die {explodes} then 0 else 1)
}}
show value = total
"""
"#
        )
    }
}

/// A number that is written in digits alone.
fn digits(text: &str) -> Option<u32> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok())?
}

/// The game whose track `dice` rolls dice that explode without an end, `3d6!` or `2d10!>=9`, and shows their sum as `value`;
/// none of any other expression.
///
/// ```
/// use oddsmith::{DistributionRequest, Limits, endless};
/// let game = endless("1d6!").expect("these dice explode without an end");
/// let request = DistributionRequest {
///     check: Some("dice".to_owned()),
///     values: vec!["value".to_owned()],
///     horizon: Some(60),
///     ..DistributionRequest::default()
/// };
/// let tail = game.distribution(&request, &Limits::default())?.tail.expect("it has no end");
/// assert_eq!(tail.mean.to_string(), "21/5");
/// assert!(endless("1d6!(4)").is_none());
/// # Ok::<(), oddsmith::Error>(())
/// ```
pub fn endless(expression: &str) -> Option<Game> {
    let dice = Endless::parse(expression)?;
    let title = expression.trim();
    Game::parse(title, dice.rules(title).as_bytes()).ok()
}
