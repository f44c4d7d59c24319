//! Dice that explode without an end: of a sum of them all odds and its moments, as the track that it is; of what else is
//! made of them the odds up to a value, and those of all beyond.

use oddsmith_exact::{Error as ExactError, OpenEnd, UBig};
use oddsmith_rules::Check;

use crate::{Dice, DistributionAnswer, DistributionRequest, Error, Game, Limits, Tail};

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
struct Sum<'t> {
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

impl<'t> Sum<'t> {
    /// Reads such a sum; none where nothing in it explodes without an end, or where such dice are taken away.
    fn parse(text: &'t str) -> Option<Self> {
        let (mut dice, mut others) = (Vec::new(), Vec::new());
        let terms = terms(text).filter(|_| is_plain(text));
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
        let rules = format!(
            "let total = {start}\n{first}repeat until {left} == 0 {{\n{rounds}}}\nshow {VALUE} = total"
        );
        Some(game_of("tracks", title, &rules))
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

/// A dice expression that has no end, as some dice in it explode without one: `3d6!`, `1d8! + 1d6! + 2`, `max(1d8!, 1d6!)`.
///
/// ```
/// use oddsmith::{DistributionRequest, EndlessDice, Limits};
/// let dice = EndlessDice::parse("1d6!").expect("these dice explode without an end");
/// let request = DistributionRequest { horizon: Some(60), ..DistributionRequest::default() };
/// let (_, answer) = dice.distribution(&request, &Limits::default())?;
/// let [mean, _] = answer.moments().expect("a sum has them");
/// assert_eq!(mean.to_string(), "21/5");
/// assert_eq!(answer.text(0, 61), "> 60");
/// assert!(EndlessDice::parse("1d6!(4)").is_none());
/// # Ok::<(), oddsmith::Error>(())
/// ```
#[derive(Debug)]
pub struct EndlessDice {
    /// As typed.
    text: String,
    odds: Odds,
}

/// Where its odds come from.
#[derive(Debug)]
enum Odds {
    /// A track that ends with the sum.
    Sum(Box<Game>),
    /// The same expression with an end at this side.
    Capped(OpenEnd),
}

/// The check or the track that has the odds.
const NAME: &str = "dice";
/// What it shows.
const VALUE: &str = "value";

/// The last value that is looked at first, if nobody says which.
const NEAR: i64 = 60;

/// One in so many may be beyond the last value, if nobody says which that is.
const BEYOND: u32 = 1000;

impl EndlessDice {
    /// Reads such an expression; none if it is not one, or if it goes on for ever at both sides, as `1d8! - 1d6!` does.
    pub fn parse(expression: &str) -> Option<Self> {
        let text = expression.trim();
        // Anything that has an end is no matter of these.
        if !text.contains('!') || !is_one(text) || Dice::parse(text).is_ok() {
            return None;
        }
        let mut ends = [OpenEnd::Above, OpenEnd::Below].into_iter();
        let end = ends.find(|end| capped(text, *end, outwards(*end) * NEAR).is_ok())?;
        let rules = Sum::parse(text).and_then(|sum| sum.rules(text));
        let sum = rules.and_then(|rules| Game::parse(text, rules.as_bytes()).ok());
        Some(Self {
            text: text.to_owned(),
            odds: sum.map_or(Odds::Capped(end), |game| Odds::Sum(Box::new(game))),
        })
    }

    /// The track whose odds and moments are those of such dice and of whatever is added to them; none of what is no sum.
    pub fn sum(&self) -> Option<&Check> {
        match &self.odds {
            Odds::Sum(game) => game.model().track(NAME),
            Odds::Capped(_) => None,
        }
    }

    /// The game with the odds, and the distribution of `value` in it, of which the request says the horizon.
    ///
    /// # Errors
    /// As [`Game::distribution`]; if the dice would have to be followed too far for the horizon.
    pub fn distribution(
        &self,
        request: &DistributionRequest,
        limits: &Limits,
    ) -> Result<(Game, DistributionAnswer), Error> {
        let request = DistributionRequest {
            check: Some(NAME.to_owned()),
            values: vec![VALUE.to_owned()],
            ..request.clone()
        };
        let end = match &self.odds {
            Odds::Sum(game) => {
                let answer = game.distribution(&request, limits);
                let answer = answer.map_err(|error| self.too_dear(error))?;
                return Ok((Game::clone(game), answer));
            }
            Odds::Capped(end) => *end,
        };
        let last = match request.horizon {
            Some(last) => last,
            None => self.far(end, &request, limits)?,
        };
        self.up_to(end, last, &request, limits)
    }

    /// A refusal of the track that a sum is, in terms of the dice that were typed.
    fn too_dear(&self, error: Error) -> Error {
        match error {
            Error::Exact(ExactError::OverBudget {
                predicted, limit, ..
            }) => Error::Exact(ExactError::OverBudget {
                what: format!("`{}`", self.text),
                predicted,
                limit,
                help: "roll fewer dice, or let them explode a few times only, as in `9d6!(4)`; or raise the budget (`--budget`)".to_owned(),
            }),
            error => error,
        }
    }

    /// The values up to the last one, and all beyond as one.
    fn up_to(
        &self,
        end: OpenEnd,
        last: i64,
        request: &DistributionRequest,
        limits: &Limits,
    ) -> Result<(Game, DistributionAnswer), Error> {
        let game = capped(&self.text, end, last).map_err(|_| {
            let message = format!("`{}` can't be followed up to {last}", self.text);
            Error::advice(
                message,
                "dice explode 1000 times at most: ask for values nearer by",
            )
        })?;
        let mut answer = game.distribution(request, limits)?;
        let moments = None;
        answer.tail = Some(Tail { end, last, moments });
        Ok((game, answer))
    }

    /// The value beyond which about one in a thousand is left.
    fn far(
        &self,
        end: OpenEnd,
        request: &DistributionRequest,
        limits: &Limits,
    ) -> Result<i64, Error> {
        let mut last = NEAR;
        loop {
            let (_, answer) = self.up_to(end, outwards(end) * last, request, limits)?;
            let rows = answer.rows();
            let mut beyond = UBig::ZERO;
            let inwards: Vec<&(Vec<i64>, UBig)> = match end {
                OpenEnd::Above => rows.iter().rev().collect(),
                OpenEnd::Below => rows.iter().collect(),
            };
            for (at, (values, weight)) in inwards.into_iter().enumerate() {
                beyond += weight;
                if &beyond * BEYOND > *answer.total() {
                    if at > 0 {
                        return Ok(values[0]);
                    }
                    break;
                }
            }
            last = last.checked_mul(4).ok_or_else(|| {
                let message = format!("`{}` has values beyond 64 bits too often", self.text);
                Error::advice(message, "say how far to look: `--horizon 60`")
            })?;
        }
    }
}

/// The game whose check shows an expression up to the last value, and the next one for all beyond.
fn capped(text: &str, end: OpenEnd, last: i64) -> Result<Game, Error> {
    let capped = match end {
        OpenEnd::Above => format!("min(({text}), {})", last.saturating_add(1)),
        OpenEnd::Below => format!("max(({text}), {})", last.saturating_sub(1)),
    };
    let rules = format!("show {VALUE} = {capped}");
    Game::parse(text, game_of("checks", text, &rules).as_bytes())
}

/// The direction in which the numbers have no end.
fn outwards(end: OpenEnd) -> i64 {
    match end {
        OpenEnd::Above => 1,
        OpenEnd::Below => -1,
    }
}

/// Whether brackets match, so that a text in brackets is one expression if it is one at all; and whether nothing in it
/// could end the text around it.
fn is_one(text: &str) -> bool {
    let mut open = 0_usize;
    for c in text.chars() {
        open = match c {
            '(' | '{' | '[' => open + 1,
            ')' | '}' | ']' if open == 0 => return false,
            ')' | '}' | ']' => open - 1,
            _ => open,
        };
    }
    open == 0 && is_plain(text)
}

/// Whether nothing in a text could be read once more, or end the text around it.
fn is_plain(text: &str) -> bool {
    text.chars()
        .all(|c| !c.is_control() && !['"', '\\', '#'].contains(&c))
}

/// A ruleset of these dice alone.
fn game_of(kind: &str, title: &str, rules: &str) -> String {
    format!(
        "name = \"Dice that explode without an end\"\n[{kind}.{NAME}]\nlabel = \"{title}\"\nrules = \"\"\"\n{rules}\n\"\"\"\n"
    )
}
