//! What to do about a track of too many states: which of its variables have how many values.

use std::collections::BTreeSet;

/// A variable with more values than this may go on without end.
const MANY: usize = 12;

/// A variable of a track's states.
pub(crate) struct Variable<'n> {
    pub(crate) name: &'n str,
    /// The values that it has had, from the first state on.
    pub(crate) values: BTreeSet<i64>,
    /// Its value in the first state.
    pub(crate) first: i64,
}

impl<'n> Variable<'n> {
    pub(crate) fn new(name: &'n str, values: impl IntoIterator<Item = i64>) -> Self {
        let mut values = values.into_iter();
        let first = values.next();
        Self {
            name,
            values: first.into_iter().chain(values).collect(),
            first: first.unwrap_or(0),
        }
    }

    /// Whether it only falls, as hit points do, and has come to 0 but not below.
    fn ends_at_0(&self) -> bool {
        self.values.last() == Some(&self.first) && self.values.first() == Some(&0)
    }
}

/// The variable that has had the most values.
pub(crate) fn widest<'v, 'n>(
    variables: impl IntoIterator<Item = &'v Variable<'n>>,
) -> Option<&'v Variable<'n>>
where
    'n: 'v,
{
    let variables = variables.into_iter();
    variables.max_by_key(|variable| variable.values.len())
}

/// What would make the states fewer: an end for a variable that may have none, else fewer values of several.
pub(crate) fn advice(variables: &[Variable<'_>]) -> Option<String> {
    let endless = variables.iter().filter(|variable| !variable.ends_at_0());
    let is_wide =
        |variable: &&Variable<'_>| variable.name == "rolls" || variable.values.len() > MANY;
    let endless = widest(endless).filter(is_wide);
    let Some(Variable { name, values, .. }) = endless else {
        let wide = variables
            .iter()
            .filter(|variable| variable.values.len() > 1);
        let wide = wide.map(|variable| format!("{} {}", variable.name, variable.values.len()));
        let wide: Vec<String> = wide.collect();
        return (!wide.is_empty()).then(|| format!(
            "its states so far are some of {}: begin with fewer of one of them, or keep less from round to round",
            wide.join(" × ")
        ));
    };
    let count = values.len();
    // It counts by itself, and can't be given an end.
    if *name == "rolls" {
        return Some(format!(
            "`rolls` has had {count} values: carry what it tells in a variable of its own, such as one that is 1 in the first round and set to 0 in it"
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
