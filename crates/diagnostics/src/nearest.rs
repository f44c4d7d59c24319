//! Names that were most likely meant.

/// The name among `known` that was most likely meant by `wrong`, if any is near: a third of its letters may differ, or stand
/// the other way round, and capitals count for nothing.
///
/// ```
/// use oddsmith_diagnostics::nearest;
///
/// let games = ["stars-and-signs", "action-primer"];
/// assert_eq!(nearest("stars-and-sings", games), Some("stars-and-signs"));
/// assert_eq!(nearest("Action-Primer", games), Some("action-primer"));
/// assert_eq!(nearest("chess", games), None);
/// ```
#[must_use]
pub fn nearest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = wrong.to_lowercase();
    let length = lower.chars().count();
    // A slip or two in a word; a word of one letter has nothing left to recognise it by.
    let is_near = |distance: usize, name: &str| {
        let (shorter, longer) = (
            length.min(name.chars().count()),
            length.max(name.chars().count()),
        );
        distance < shorter.max(1) && distance <= (longer / 3).max(1)
    };
    let known: Vec<(usize, &str)> = known
        .into_iter()
        .map(|name| {
            (
                strsim::damerau_levenshtein(&lower, &name.to_lowercase()),
                name,
            )
        })
        .collect();
    let near = known
        .iter()
        .filter(|(distance, name)| is_near(*distance, name))
        .min_by_key(|(distance, _)| *distance);
    if let Some((_, name)) = near {
        return Some(name);
    }
    part_of(&lower, known.iter().map(|(_, name)| *name)).or_else(|| {
        // Two slips in four letters, where the first one is right.
        let is_near = |distance: usize, name: &str| {
            distance == 2
                && length.min(name.chars().count()) >= 4
                && name.to_lowercase().chars().next() == lower.chars().next()
        };
        let mut near = known
            .iter()
            .filter(|(distance, name)| is_near(*distance, name));
        near.next().map(|(_, name)| *name)
    })
}

/// The one name that begins with `lower`, or has it as one of its words.
fn part_of<'a>(lower: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let is_part = |name: &&str| {
        let name = name.to_lowercase();
        name.starts_with(lower) || name.split(['_', ' ']).any(|word| word == lower)
    };
    let mut found: Vec<&str> = known.filter(is_part).collect();
    found.sort_unstable();
    found.dedup();
    match found.as_slice() {
        [only] if lower.chars().count() >= 3 => Some(only),
        _ => None,
    }
}
