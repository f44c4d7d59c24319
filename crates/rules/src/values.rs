//! Values as users write them: one (`3`, `fragile`) or several (`0,2,4`, `-5..=5`, `all`).

use crate::check::Domain;
use crate::source::nearest;

/// What is wrong with a text, and which bytes of it.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) message: String,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// More values than this in one list are a slip of the keyboard.
const MOST_VALUES: u64 = 10_000_000;

/// `low..=high`
pub(crate) fn parse_range(text: &str) -> Option<(i64, i64)> {
    let (low, high) = text.split_once("..=")?;
    Some((low.trim().parse().ok()?, high.trim().parse().ok()?))
}

/// One legal value.
pub(crate) fn parse_one(text: &str, domain: &Domain) -> Result<i64, Problem> {
    let word = text.trim();
    let problem = |message: String| Problem {
        message,
        start: 0,
        end: text.len(),
    };
    if word.is_empty() {
        return Err(problem("a value is missing".to_owned()));
    }
    let value = match domain {
        Domain::Range(..) => word.parse().ok(),
        Domain::Choice(choice) => choice.place(word),
    };
    match (value, domain) {
        (Some(value), _) if domain.contains(value) => Ok(value),
        (_, Domain::Choice(choice)) => {
            let near = nearest(word, choice.labels().iter().map(String::as_str));
            let hint = near.map_or(String::new(), |near| format!(" (did you mean `{near}`?)"));
            Err(problem(format!(
                "`{word}` is not one of {}{hint}",
                domain.describe()
            )))
        }
        (Some(_), _) => Err(problem(format!(
            "{word} is outside the domain {}",
            domain.describe()
        ))),
        (None, _) => Err(problem(format!(
            "`{word}` is not a whole number in {}",
            domain.describe()
        ))),
    }
}

/// A problem with a word that was most likely meant to be `all`.
pub(crate) fn or_all(word: &str, problem: Problem) -> Problem {
    if problem.message.contains("did you mean") || nearest(word, ["all"]).is_none() {
        return problem;
    }
    Problem {
        message: format!("{} (did you mean `all`?)", problem.message),
        ..problem
    }
}

/// Several legal values, in the order written; each only once.
pub(crate) fn parse(text: &str, domain: &Domain) -> Result<Vec<i64>, Problem> {
    let mut values = Vec::new();
    let mut start = 0;
    for piece in text.split(',') {
        let place = |problem: Problem| Problem {
            start: start + problem.start,
            end: start + problem.end,
            ..problem
        };
        let fail = |message: String| {
            place(Problem {
                message,
                start: 0,
                end: piece.len(),
            })
        };
        let (low, high) = domain.bounds();
        let written = piece.trim();
        if let Some((from, to)) = written
            .split_once("..")
            .filter(|(_, to)| !to.starts_with('='))
        {
            return Err(fail(format!(
                "`{written}` is not a range: write `{from}..={to}`"
            )));
        }
        let ends = if piece.trim() == "all" {
            (low, high)
        } else if let Some((from, to)) = piece.split_once("..=") {
            (
                parse_one(from, domain).map_err(place)?,
                parse_one(to, domain).map_err(place)?,
            )
        } else {
            let value = parse_one(piece, domain)
                .map_err(|problem| or_all(written, problem))
                .map_err(place)?;
            (value, value)
        };
        if ends.0 > ends.1 {
            return Err(fail(format!(
                "`{}` is empty: it runs downwards",
                piece.trim()
            )));
        }
        if ends.1.abs_diff(ends.0) >= MOST_VALUES {
            return Err(fail(format!(
                "`{}` has more than {MOST_VALUES} values",
                piece.trim()
            )));
        }
        values.extend(ends.0..=ends.1);
        start += piece.len() + 1;
    }
    let mut seen = values.clone();
    seen.sort_unstable();
    if let Some(pair) = seen.windows(2).find(|pair| pair[0] == pair[1]) {
        let message = format!("{} is there twice", domain.show(pair[0]));
        return Err(Problem {
            message,
            start: 0,
            end: text.len(),
        });
    }
    Ok(values)
}
