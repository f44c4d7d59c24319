//! A sweep over the axis of a random script says what each configuration says alone.

use oddsmith_exact::{Answer, Budget, Error, RBig, Row, Sweep, answers, left_of};
use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, Query};

use crate::support::queries_of;
use crate::tracks::queries_about;

/// What is wrong with a sweep over `k`.
pub(super) fn complaint(check: &Check) -> Result<(), String> {
    let can_compare = check.rounds.is_none();
    let about = |name: &str, kind| queries_about(name, kind, can_compare);
    let shown = check.outcomes.iter();
    let texts = shown.flat_map(|outcome| about(&outcome.name, &outcome.kind));
    // Those that tracks refuse are left to other tests; and only tracks have rounds.
    let texts = texts.filter(|text| check.rounds.is_some() || !text.contains("rolls"));
    let texts: Vec<String> = texts.collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let queries = queries_of(check, &texts);
    let rows = swept(check, &queries).map_err(|error| format!("sweep: {error}"))?;
    let config_at = |k: usize| {
        let mut config = check.defaults();
        config.put(InputId(0), i64::try_from(k).expect("a few values"));
        config
    };
    // Where the same is left of the script, the odds are the same.
    let left: Vec<_> = (0..rows.len())
        .map(|k| left_of(check, &config_at(k)))
        .collect();
    for (one, other) in (0..rows.len()).flat_map(|one| (0..one).map(move |other| (one, other))) {
        if left[one].is_some() && left[one] == left[other] && rows[one] != rows[other] {
            return Err(format!(
                "the same is left at k = {other} and k = {one}, but not the odds"
            ));
        }
    }
    for (k, found) in rows.into_iter().enumerate() {
        let config = config_at(k);
        for (at, query) in queries.iter().enumerate() {
            let found = found.as_ref().map(|found| found[at].clone());
            let alone = std::slice::from_ref(query);
            let found = found.ok_or("it breaks a rule");
            let expected = match answers(check, &config, alone, &Budget::unlimited()) {
                Ok(found) => Ok(reduced(&found[0])),
                Err(Error::NeverHappens { .. } | Error::NeverEnds { .. }) => Ok((None, false)),
                Err(Error::Rule(_)) => Err("it breaks a rule"),
                Err(error) => return Err(format!("{}: {error}", query.text)),
            };
            if found != expected {
                let text = &query.text;
                return Err(format!(
                    "{text} at k = {k} in a sweep: {found:?}, not {expected:?}"
                ));
            }
        }
    }
    Ok(())
}

/// A number, or none and whether it is infinite.
type Reduced = (Option<RBig>, bool);

fn reduced(answer: &Answer) -> Reduced {
    (answer.to_ratio(), answer.is_infinite())
}

/// The answers of each row; none where it breaks a rule.
fn swept(check: &Check, queries: &[Query]) -> Result<Vec<Option<Vec<Reduced>>>, Error> {
    let (base, budget) = (check.defaults(), Budget::unlimited());
    let ranges = [check.sweep("k=all", "sweep").expect("it has the axis")];
    let sweep = Sweep::new(check, &base, &ranges, queries, &budget)?;
    let mut rows = Vec::new();
    let render = |row: &Row<'_>, chunk: &mut Vec<Option<Vec<Reduced>>>| {
        let answers = row.answers.iter().map(Answer::from);
        let answers = answers.map(|answer| reduced(&answer)).collect();
        chunk.push(row.broken.is_none().then_some(answers));
    };
    sweep.run_with_gaps(render, |chunk| {
        rows.extend(chunk);
        Ok::<(), Error>(())
    })?;
    Ok(rows)
}
