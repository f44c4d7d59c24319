//! From what the user typed about a check to a configuration, queries and sweeps.

use oddsmith_rules::{
    Check, Config, Diagnostic, Diagnostics, InputRange, OutcomeKind, Query, Source, Span, in_turn,
};

use crate::Error;

/// Lists of settings that people read below one another, each in turn as [`in_turn`] writes one: where any setting has its
/// equals sign between blanks, all have.
///
/// ```
/// use oddsmith::settings::in_turns;
/// let words = ["helper=alone", "helper = with help"].map(|word| vec![word.to_owned()]);
/// assert_eq!(in_turns(words.to_vec()), ["helper = alone", "helper = with help"]);
/// ```
pub fn in_turns(mut lists: Vec<Vec<String>>) -> Vec<String> {
    let is_spaced = |word: &String| word.contains(" = ");
    if lists.iter().flatten().any(is_spaced) {
        for word in lists.iter_mut().flatten().filter(|word| !is_spaced(word)) {
            *word = word.replacen('=', " = ", 1);
        }
    }
    lists.iter().map(|words| in_turn(words)).collect()
}

/// The defaults with every `--set` in order: a later one wins. All errors at once.
pub fn config(
    check: &Check,
    sets: &[impl AsRef<str>],
    origin: &str,
) -> Result<Config, Diagnostics> {
    config_of(check, sets.iter().map(|set| (origin, set.as_ref())))
}

/// The same from assignments that come from several places.
pub fn config_of<'s>(
    check: &Check,
    sets: impl Iterator<Item = (&'s str, &'s str)>,
) -> Result<Config, Diagnostics> {
    let mut config = check.defaults();
    apply(check, &mut config, sets)?;
    Ok(config)
}

/// A configuration with every assignment in order: a later one wins. All errors at once.
pub(crate) fn apply<'s>(
    check: &Check,
    config: &mut Config,
    sets: impl Iterator<Item = (&'s str, &'s str)>,
) -> Result<(), Diagnostics> {
    let set = |(origin, assignment)| check.set(config, assignment, origin).err();
    Diagnostics::if_any(sets.filter_map(set))
}

/// The assignments of an option that takes several at once: `x=1,ladder=[1,2]` is `x=1` and `ladder=[1,2]`.
pub fn assignments(option: &str, texts: &[String]) -> Result<Vec<String>, Error> {
    let mut sets = Vec::new();
    for text in texts {
        for part in split(text) {
            let part = part.trim();
            if !part.contains('=') {
                let message = format!("`{option} {text}`: `{part}` is not name=value");
                let help = format!("write it as in `{option} rank=3,bonus=1`");
                return Err(Error::advice(message, help));
            }
            sets.push(part.to_owned());
        }
    }
    Ok(sets)
}

/// Parts between commas that stand in no brackets.
fn split(text: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let outside = |c: char| {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    };
    text.split(outside).collect()
}

/// The queries that were typed. All errors at once.
pub fn queries(check: &Check, texts: &[impl AsRef<str>]) -> Result<Vec<Query>, Diagnostics> {
    queries_of(check, texts, "--query")
}

/// The same from another option. A band or flag is known by its name as it is shown; what is asked again is known.
pub fn queries_of(
    check: &Check,
    texts: &[impl AsRef<str>],
    origin: &str,
) -> Result<Vec<Query>, Diagnostics> {
    let mut queries = Vec::new();
    let mut errors = Vec::new();
    for text in texts {
        match check.query(text.as_ref().trim(), origin) {
            Ok(query) if queries.iter().any(|known: &Query| known.text == query.text) => {}
            Ok(query) => queries.push(query),
            Err(wrong) => errors.extend(wrong.0),
        }
    }
    Diagnostics::if_any(errors)?;
    Ok(queries)
}

/// The check, which chooses for another goal if one is given.
pub fn with_goal(check: Check, maximise: Option<&str>) -> Result<Check, Error> {
    let Some(goal) = maximise else {
        return Ok(check);
    };
    if check.own_goal().is_none() {
        let message = format!(
            "`{}` chooses nothing, so it has nothing to maximise",
            check.name
        );
        return Err(Error::advice(message, CHOICE_HELP));
    }
    Ok(check.with_goal(goal, "--maximise")?)
}

/// What is said of a goal that nothing is chosen for.
pub const NO_CHOICE: &str =
    "--maximise has no effect here: nothing is chosen in this configuration";

/// What makes a choice.
pub const CHOICE_HELP: &str = "a check chooses if its rules say `choose x in …`; a choice in a check that it plays has that check's goal";

/// `mean(x)` of every number that a check shows: what to say of a check without bands and flags.
pub fn means(check: &Check) -> Result<Vec<Query>, Diagnostics> {
    let numbers = check
        .outcomes
        .iter()
        .filter(|outcome| outcome.kind == OutcomeKind::Observable);
    let texts: Vec<String> = numbers
        .map(|outcome| format!("mean({})", outcome.name))
        .collect();
    queries(check, &texts)
}

/// The ranges of a table, in the order asked.
///
/// `all` brings every axis with a declared sweep that `--set` leaves alone; other sweeps replace the values
/// of one of these, or add an axis.
pub fn ranges(check: &Check, sweeps: &[String], sets: &[String]) -> Result<Vec<InputRange>, Error> {
    let mut ranges: Vec<InputRange> = Vec::new();
    let mut explicit: Vec<InputRange> = Vec::new();
    let mut errors = Vec::new();
    for sweep in sweeps {
        if sweep.trim() == "all" {
            let declared = check.default_sweep();
            if declared.is_empty() {
                errors.push(nothing_declared(check, sweep));
            }
            let free = declared
                .into_iter()
                .filter(|range| setting_of(check, range, sets).is_none());
            let new: Vec<InputRange> = free
                .filter(|range| place(&ranges, range).is_none())
                .collect();
            ranges.extend(new);
            continue;
        }
        let range = match check.sweep(sweep, "--sweep") {
            Ok(range) => range,
            Err(error) => {
                errors.push(error);
                continue;
            }
        };
        if let Some(error) = refused_twice(check, &range, &explicit, (sweep, sets)) {
            errors.push(error);
            continue;
        }
        match place(&ranges, &range) {
            Some(at) => ranges[at] = range.clone(),
            None => ranges.push(range.clone()),
        }
        explicit.push(range);
    }
    Diagnostics::if_any(errors)?;
    Ok(ranges)
}

fn place(ranges: &[InputRange], range: &InputRange) -> Option<usize> {
    ranges.iter().position(|other| other.input == range.input)
}

/// An error about the whole of a sweep.
fn sweep_error(sweep: &str, message: String, help: String) -> Diagnostic {
    let source = Source::new("--sweep", sweep);
    Diagnostic::new(&source, Span::new(0, sweep.len()), message).with_help(help)
}

fn nothing_declared(check: &Check, sweep: &str) -> Diagnostic {
    let message = format!(
        "no axis of `{}` declares a `sweep`, so `--sweep all` is nothing",
        check.name
    );
    sweep_error(sweep, message, axes_help(check))
}

/// Why an axis can't be swept once more, if it can't.
fn refused_twice(
    check: &Check,
    range: &InputRange,
    explicit: &[InputRange],
    (sweep, sets): (&str, &[String]),
) -> Option<Diagnostic> {
    let name = &check.inputs[range.input.0].name;
    if place(explicit, range).is_some() {
        let help = format!("give all its values in one, such as `--sweep {name}=1,2,5..=7`");
        return Some(sweep_error(sweep, format!("`{name}` is swept twice"), help));
    }
    let set = setting_of(check, range, sets)?;
    let message = format!("`{name}` is both set (`--set {set}`) and swept");
    let help = "a swept axis takes each value of its sweep; drop one of the two";
    Some(sweep_error(sweep, message, help.to_owned()))
}

/// The `--set` that fixes a swept input.
fn setting_of<'s>(check: &Check, range: &InputRange, sets: &'s [String]) -> Option<&'s String> {
    let swept = &check.inputs[range.input.0].name;
    sets.iter().find(|set| {
        let name = set.split('=').next().unwrap_or_default().trim();
        // `ladder=[…]` sets `ladder[2]`.
        swept
            .strip_prefix(name)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
    })
}

/// What can be swept, for those who did not say.
pub fn axes_help(check: &Check) -> String {
    let axes = check
        .inputs
        .iter()
        .filter(|input| input.role == oddsmith_rules::Role::Axis);
    let names: Vec<String> = axes
        .map(|axis| format!("{} ({})", axis.name, axis.domain.describe()))
        .collect();
    if names.is_empty() {
        let command = if check.rounds.is_some() {
            "track"
        } else {
            "odds"
        };
        return format!(
            "`{}` has no axes; `oddsmith {command}` answers it",
            check.name
        );
    }
    format!("the axes of `{}` are {}", check.name, names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn lists_stay_whole() {
        assert_eq!(
            split("x=1,ladder=[1,2],y=3"),
            ["x=1", "ladder=[1,2]", "y=3"]
        );
        assert_eq!(split("x=1,"), ["x=1", ""]);
        assert_eq!(split("x=]1,2"), ["x=]1", "2"]);
    }
}
