//! Goals in words.

use oddsmith_exact::RBig;
use oddsmith_rules::{Aim, Goal, Model};

/// The aim of a goal as it is written: `in [0.5, 0.6]`, `at most 30 %`, `as it is`, `near 14 weight 2`.
pub fn aim(goal: &Goal) -> String {
    match &goal.aim {
        Aim::Within(bounds) => match (&bounds.at_least, &bounds.at_most) {
            (Some(low), Some(high)) => format!("in [{}, {}]", low.text, high.text),
            (Some(low), None) => format!("at least {}", low.text),
            (None, Some(high)) => format!("at most {}", high.text),
            (None, None) => "a number".to_owned(),
        },
        Aim::Keep(within) if within.value == RBig::ZERO => "as it is".to_owned(),
        Aim::Keep(within) => format!("as it is, within {}", within.text),
        Aim::Near { number, weight } if weight.value == RBig::ONE => {
            format!("near {}", number.text)
        }
        Aim::Near { number, weight } => format!("near {} weight {}", number.text, weight.text),
    }
}

/// The query of a goal with its check and what it sets: `counter: mean(rolls) @ slots=10`; without the check if that is
/// the `usual` one.
pub(super) fn subject(goal: &Goal, model: &Model, usual: &str) -> String {
    let check = model.check_or_track(&goal.check);
    let check = check.expect("a goal is about a check of its ruleset");
    let settings = goal.set.iter().map(|id| {
        let input = &check.inputs[id.0];
        input.written(goal.config[*id])
    });
    let settings: Vec<String> = settings.collect();
    let mut text = String::new();
    if goal.check != usual {
        text = format!("{}: ", goal.check);
    }
    text += &goal.query.text;
    if !settings.is_empty() {
        text = format!("{text} @ {}", settings.join(" "));
    }
    text
}
