//! Dice that explode without an end, as the track that they are.

use crate::{Dice, Game};

/// What compares a face with a number.
const COMPARISONS: [&str; 5] = [">=", "<=", "==", ">", "<"];

/// Equal dice that explode without an end: `3d6!`, or `2d10!>=9` with the faces that explode.
struct Exploding {
    count: u32,
    sides: u32,
    /// The faces that explode, such as `== 6`.
    explodes: String,
}

/// A sum of such dice and of whatever else is rolled.
struct Endless<'t> {
    dice: Vec<Exploding>,
    /// The other terms, each with its sign.
    others: Vec<(char, &'t str)>,
}

impl Exploding {
    fn parse(text: &str) -> Option<Self> {
        let (dice, faces) = text.split_once('!')?;
        let (count, sides) = dice.split_once(['d', 'D'])?;
        let count = match count.trim() {
            "" => 1,
            count => digits(count)?,
        };
        let sides = digits(sides)?;
        let faces = faces.trim();
        let explodes = if faces.is_empty() {
            format!("== {sides}")
        } else {
            let mut comparisons = COMPARISONS.iter();
            let (compares, face) =
                comparisons.find_map(|own| faces.strip_prefix(own).map(|face| (own, face)))?;
            format!("{compares} {}", digits(face)?)
        };
        (count > 0).then_some(Self {
            count,
            sides,
            explodes,
        })
    }
}

impl<'t> Endless<'t> {
    /// Reads such a sum; none where nothing in it explodes without an end, or where such dice are taken away.
    fn parse(text: &'t str) -> Option<Self> {
        // What is in quotes, or behind a `\\`, would be read once more.
        let is_plain = |c: char| !c.is_control() && !['"', '\\', '#'].contains(&c);
        let (mut dice, mut others) = (Vec::new(), Vec::new());
        let terms = terms(text).filter(|_| text.chars().all(is_plain));
        for (sign, term) in terms? {
            match Exploding::parse(term) {
                Some(own) if sign == '+' => dice.push(own),
                Some(_) => return None,
                None => others.push((sign, term)),
            }
        }
        (!dice.is_empty()).then_some(Self { dice, others })
    }

    /// The sum of the other terms, which is known before any die explodes; none where it is no dice expression.
    fn start(&self) -> Option<String> {
        let others = self.others.iter();
        let sum: String = others
            .map(|(sign, term)| format!("{sign} {term}"))
            .collect();
        let sum = format!("0 {sum}");
        Dice::parse(&sum).ok().map(|_| sum)
    }

    /// The rules of a track that rolls one die of each kind in a round, as long as one is left.
    fn rules(&self, title: &str) -> Option<String> {
        let start = self.start()?;
        let (mut first, mut left, mut rounds) = (String::new(), String::new(), String::new());
        for (at, own) in self.dice.iter().enumerate() {
            let Exploding {
                count,
                sides,
                explodes,
            } = own;
            first += &format!("let left{at} = {count}\n");
            left += &format!("{}left{at}", if at == 0 { "" } else { " + " });
            rounds += &format!(
                "  let die{at} = sum((min(left{at}, 1))d{sides})
  set total = total + die{at}
  set left{at} = left{at} - (if left{at} == 0 or die{at} {explodes} then 0 else 1)
"
            );
        }
        Some(format!(
            r#"name = "Dice that explode without an end"
[tracks.dice]
label = "{title}"
rules = """
let total = {start}
{first}repeat until {left} == 0 {{
{rounds}}}
show value = total
"""
"#
        ))
    }
}

/// The terms of a sum with their signs; none where its brackets do not match, or where a term is missing.
fn terms(text: &str) -> Option<Vec<(char, &str)>> {
    let (mut terms, mut depth, mut from, mut sign) = (Vec::new(), 0_usize, 0, '+');
    for (at, c) in text.char_indices() {
        match c {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth = depth.checked_sub(1)?,
            '+' | '-' if depth == 0 => {
                terms.push((sign, text[from..at].trim()));
                (from, sign) = (at + 1, c);
            }
            _ => {}
        }
    }
    terms.push((sign, text[from..].trim()));
    let is_whole = depth == 0 && terms.iter().all(|(_, term)| !term.is_empty());
    is_whole.then_some(terms)
}

/// A number that is written in digits alone.
fn digits(text: &str) -> Option<u32> {
    let text = text.trim();
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok())?
}

/// The game whose track `dice` rolls dice that explode without an end, `3d6!` or `2d10!>=9`, and whatever is added to them,
/// `1d8! + 1d6! + 2`, and shows the sum as `value`; none of any other expression.
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
    let title = expression.trim();
    let rules = Endless::parse(title)?.rules(title)?;
    Game::parse(title, rules.as_bytes()).ok()
}
