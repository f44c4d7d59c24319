//! Answers and differences in words.

use oddsmith_analysis::drift::{Drift, Measure};
use oddsmith_analysis::expect::Value;
use oddsmith_exact::RBig;
use oddsmith_numbers::Form;
use oddsmith_numbers::difference::magnitude;

use crate::INFINITE;

/// The largest differences within the tolerances: `0.5 points`, `0.25 of mean(total)`.
pub fn within<'d>(drifts: impl IntoIterator<Item = &'d Drift>) -> String {
    let mut most: [Option<(&RBig, &Measure)>; 2] = [None; 2];
    for drift in drifts {
        for (measure, summary) in drift.measures().iter().zip(drift.summaries()) {
            let most = &mut most[usize::from(!measure.is_probability)];
            if let Some(size) = &summary.within
                && most.is_none_or(|(largest, _)| size > largest)
            {
                *most = Some((size, measure));
            }
        }
    }
    let shown = |(size, measure): (&RBig, &Measure)| {
        let size = magnitude(size, measure.is_probability, Form::USUAL);
        match measure.is_probability {
            true => format!("{size} points"),
            false => format!("{size} of {}", measure.name),
        }
    };
    let kinds: Vec<String> = most.into_iter().flatten().map(shown).collect();
    kinds.join(" and ")
}

/// An answer as people read it: `36.00%`, `7.5`, `inf`.
pub fn value(value: &Value, is_probability: bool) -> String {
    match value {
        Value::Finite(ratio) if is_probability && *ratio >= RBig::ZERO => {
            Form::USUAL.show_ratio(ratio)
        }
        Value::Finite(ratio) => oddsmith_numbers::value(ratio),
        Value::Infinite => INFINITE.to_owned(),
        Value::Falling => format!("-{INFINITE}"),
    }
}
