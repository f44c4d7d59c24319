//! What to do about a track of too many states: which of its variables have how many values.

use std::collections::BTreeSet;

/// A variable with more values than this may go on without end.
const MANY: usize = 12;

/// A variable of a track's states, and the values that it has had in them.
pub(crate) type Variable<'n> = (&'n str, BTreeSet<i64>);

/// The variable that has had the most values.
pub(crate) fn widest<'v, 'n>(variables: &'v [Variable<'n>]) -> Option<&'v Variable<'n>> {
    variables.iter().max_by_key(|(_, values)| values.len())
}

/// What would make the states fewer: an end for a variable that may have none, else fewer values of several.
pub(crate) fn advice(variables: &[Variable<'_>]) -> Option<String> {
    let (name, values) = widest(variables)?;
    let count = values.len();
    // It counts by itself, and can't be given an end.
    if *name == "rolls" {
        return Some(format!(
            "`rolls` has had {count} values: carry what it tells in a variable of its own, such as one that is 1 in the first round and set to 0 in it"
        ));
    }
    if count <= MANY {
        let wide = variables.iter().filter(|(_, values)| values.len() > 1);
        let wide: Vec<String> = wide
            .map(|(name, values)| format!("{name} {}", values.len()))
            .collect();
        return Some(format!(
            "its states so far are some of {}: begin with fewer of one of them, or keep less from round to round",
            wide.join(" × ")
        ));
    }
    let low = values.first().copied().unwrap_or(0).unsigned_abs();
    let high = values.last().copied().unwrap_or(0).unsigned_abs();
    let end = match (low > 2 * high, high > 2 * low) {
        (true, _) => format!("max({name} - …, 0)"),
        (_, true) => format!("min({name} + …, 10)"),
        _ => format!("clamp({name} + …, 0, 10)"),
    };
    Some(format!(
        "`{name}` has had {count} values: if it goes on without end, give it one, as in set {name} = {end}"
    ))
}
