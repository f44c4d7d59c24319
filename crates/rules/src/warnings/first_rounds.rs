//! Bands that say how the first round of a track stands, where its end was meant.

use std::collections::BTreeMap;

use crate::check::{Check, OutcomeKind};
use crate::model::Model;
use crate::program::{Kind, VarId};
use crate::warnings::found::Found;
use crate::warnings::values::add_values;

/// Warns of bands that are shown in the rounds of a track and made of what the rounds change: they are those of the first
/// round, and of the end nothing is said.
pub(super) fn look(model: &Model, found: &mut Found) {
    for track in &model.tracks {
        let bands = track.outcomes.iter();
        let bands = bands.filter(|shown| matches!(shown.kind, OutcomeKind::Band(_)));
        for band in bands.filter(|shown| shown.first_round && is_of_state(track, shown.var)) {
            let warning = found.warning(band.span, "these are the bands of the first round alone");
            let warning = warning.with_label("shown in the rounds");
            found.push(warning.with_help(
                "for how the track ends, move `show band` behind the `}` of its rounds; for the first round, give it another name than `band`",
            ));
        }
    }
}

/// Whether a value of a round is made of what rounds change.
fn is_of_state(track: &Check, var: VarId) -> bool {
    let mut values = BTreeMap::new();
    add_values(&track.program.statements, &mut values);
    let mut seen = vec![var];
    let mut at = 0;
    while let Some(&var) = seen.get(at) {
        at += 1;
        for value in values.get(&var).into_iter().flatten() {
            value.for_each(&mut |part| match part.kind {
                Kind::Var(read) if !seen.contains(&read) => seen.push(read),
                _ => {}
            });
        }
    }
    { seen.iter() }.any(|var| track.program.variable(*var).is_mutable())
}
