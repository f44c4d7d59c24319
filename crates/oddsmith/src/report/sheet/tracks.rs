//! How long tracks take, and how they end.

use oddsmith_numbers::{Form, value};
use oddsmith_report::Entry;
use oddsmith_rules::{Check, Role};

use super::SheetOf;
use crate::lengths::{QUANTILES, Quantile, TrackLengths};
use crate::{AnswerKind, Error, TrackRequest, TrackSummary};

/// The quantiles that are told: half of the time, and nine times in ten.
const TOLD: [usize; 2] = [2, 4];

impl SheetOf<'_> {
    /// The tracks that are told of: the first one, and of those that end in bands the one with the most pictures, and of these
    /// with the most axes of its own, which mostly is the whole procedure.
    pub(super) fn tracks(&self) -> Vec<&Check> {
        let tracks: Vec<&Check> = { self.reported.checks() }
            .filter(|check| check.rounds.is_some())
            .collect();
        let procedure = (0..tracks.len())
            .filter(|at| tracks[*at].band().is_some())
            .max_by_key(|at| (self.pictures(tracks[*at]), own_axes(tracks[*at])));
        let mut told: Vec<&Check> = tracks.first().copied().into_iter().collect();
        told.extend(procedure.filter(|at| *at > 0).map(|at| tracks[at]));
        told
    }

    /// How many pictures the report has of it.
    fn pictures(&self, check: &Check) -> usize {
        self.charts.get(&check.name).map_or(0, Vec::len)
    }

    /// How long a track takes by default, and how often it ends well.
    pub(super) fn track(&self, track: &Check) -> Result<Option<Entry>, Error> {
        let request = TrackRequest {
            track: Some(track.name.clone()),
            ..TrackRequest::default()
        };
        let summary = self
            .reported
            .game
            .track(&request, &self.limits)?
            .summary()?;
        let lengths = &summary.lengths;
        let number = match lengths.mean.to_ratio() {
            Some(mean) => format!("{} {}", value(&mean), lengths.unit.many),
            None => "without end".to_owned(),
        };
        let notes = [quantiles(lengths), ending(&summary)];
        let notes: Vec<String> = notes.into_iter().filter(|note| !note.is_empty()).collect();
        Ok(Some(Entry {
            title: format!("Length of {}", track.title()),
            number,
            note: notes.join("; "),
            command: format!("oddsmith track {}", self.target(track)),
            ..self.entry(track, None)
        }))
    }
}

/// How many axes a track declares below its name. Those that it inherits stand above, and say nothing about it.
fn own_axes(track: &Check) -> usize {
    let axes = track.inputs.iter().filter(|input| input.role == Role::Axis);
    axes.filter(|axis| axis.span.start > track.span.start)
        .count()
}

/// `within 4 at least half of the time, within 6 at least nine times in ten`.
fn quantiles(lengths: &TrackLengths) -> String {
    let told = TOLD.iter().filter_map(|at| {
        let (_, words) = QUANTILES[*at];
        match lengths.quantiles[*at] {
            Quantile::Rolls(n) => Some(format!("within {n} at least {words}")),
            Quantile::Above(_) | Quantile::Never => None,
        }
    });
    told.collect::<Vec<_>>().join(", ")
}

/// How often the best band is its end.
fn ending(summary: &TrackSummary) -> String {
    let mut bands = summary
        .ends
        .iter()
        .filter(|end| end.kind == AnswerKind::Band);
    let best = bands.next_back().and_then(|end| Some((end, end.ratio()?)));
    best.map_or_else(String::new, |(end, share)| {
        format!("{} {}", end.name, Form::USUAL.show_ratio(&share))
    })
}
