//! The outcomes of a number, and how likely each is.

use oddsmith_exact::{
    Answer, Error as ExactError, Gaps, IBig, RBig, Rounds, UBig, answers, distribution,
};
use oddsmith_numbers::Form;
use oddsmith_report::{Grid, Plot, Pmf, PmfBars};
use oddsmith_rules::{Along, Choice, Config, Outcome};

use super::{Missing, PictureOf, refuse_many};
use crate::lengths::TrackLengths;
use crate::wire::points;
use crate::{Error, settings};

/// Ends of outcomes that are rarer than one in this many are too low to be seen.
const VISIBLE: u32 = 2000;

/// The bars of a panel, and what they do not show.
#[derive(Default)]
struct Bars {
    shown: PmfBars,
    /// Of a track's rounds.
    never: RBig,
    later: RBig,
    /// The outcomes at the ends that are left out, as they are too rare to be seen.
    beyond: RBig,
    /// What the configuration of the panel breaks, if it breaks a rule.
    broken: Option<ExactError>,
}

impl PictureOf<'_> {
    /// The outcomes of every panel, and what is not among them.
    pub(super) fn pmf(&self) -> Result<(Plot, Missing), Error> {
        let Along::Number { name, var } = &self.chart.x else {
            unreachable!("only a number has outcomes")
        };
        let mut outcomes = self.check.outcomes.iter();
        let outcome = outcomes.find(|outcome| outcome.var == *var);
        let outcome = outcome.expect("a chart is about what its check shows");
        let found = self.panels(|row, column| self.legal_bars(outcome, row, column));
        let panels: Result<Vec<Bars>, Error> = found.panels.into_iter().collect();
        let mut panels = panels?;
        if self.check.rounds != Some(*var) {
            leave_out_ends(&mut panels);
        }
        let missing = Missing {
            note: note(&panels),
            gaps: gaps(&panels),
        };
        if let Some(first) = &missing.gaps.first
            && panels.iter().all(is_empty)
        {
            return Err(first.clone().into());
        }
        let bands = self.shading(outcome);
        let plot = Pmf {
            x: self.number(name, *var),
            bands: bands.map_or(Vec::new(), |(_, bands)| bands.labels().to_vec()),
            bars: Grid {
                columns: found.columns,
                rows: found.rows,
                panels: panels.into_iter().map(|bars| bars.shown).collect(),
            },
        };
        Ok((Plot::Pmf(plot), missing))
    }

    /// The bars of a panel; none where the rules forbid what it is about, or can't be carried out.
    fn legal_bars(&self, outcome: &Outcome, row: usize, column: usize) -> Result<Bars, Error> {
        let mut config = self.chart.config.clone();
        let (facet, by) = (&self.chart.facet, &self.chart.by);
        for (range, place) in [(facet, row), (by, column)] {
            if let Some(range) = range {
                config.put(range.input, range.values[place]);
            }
        }
        match self.bars(outcome, &config) {
            Err(Error::Exact(ExactError::Requirement { .. })) => Ok(Bars::default()),
            Err(Error::Exact(error @ ExactError::Rule(_))) => Ok(Bars {
                broken: Some(error),
                ..Bars::default()
            }),
            bars => bars,
        }
    }

    /// The bands that tell the outcomes of a number apart: those of the same roll.
    fn shading(&self, outcome: &Outcome) -> Option<(&Outcome, &Choice)> {
        let is_same_roll = |(band, _): &(&Outcome, &Choice)| match self.check.rounds {
            Some(_) => band.first_round && outcome.first_round,
            None => true,
        };
        self.check.band().filter(is_same_roll)
    }

    fn bars(&self, outcome: &Outcome, config: &Config) -> Result<Bars, Error> {
        if self.check.rounds == Some(outcome.var) {
            return self.round_bars(config);
        }
        let dist = distribution(self.check, config, outcome, &self.limits.share())?;
        refuse_many(dist.len(), &outcome.name)?;
        let (points, total) = (points(&dist).collect::<Vec<_>>(), dist.total());
        let outcomes: Vec<i64> = points.iter().map(|point| point.value).collect();
        let shares = match self.shading(outcome) {
            Some((band, bands)) => self.shares(outcome, (band, bands), &outcomes, config)?,
            None => points
                .iter()
                .map(|point| vec![share(&point.weight, total)])
                .collect(),
        };
        let at_least = points.iter().map(|point| share(&point.at_least, total));
        let shown = PmfBars {
            at_least: at_least.collect(),
            outcomes,
            shares,
        };
        Ok(Bars {
            shown,
            ..Bars::default()
        })
    }

    /// How likely each outcome is together with each band.
    fn shares(
        &self,
        outcome: &Outcome,
        (band, bands): (&Outcome, &Choice),
        outcomes: &[i64],
        config: &Config,
    ) -> Result<Vec<Vec<RBig>>, Error> {
        let (number, band) = (&outcome.name, &band.name);
        let texts = outcomes.iter().flat_map(|value| {
            let with = move |label| format!("P({number}=={value} and {band}==\"{label}\")");
            bands.labels().iter().map(with)
        });
        let queries = settings::queries(self.check, &texts.collect::<Vec<String>>())?;
        let found = answers(self.check, config, &queries, &self.limits.share())?;
        let shares: Vec<RBig> = found.iter().filter_map(Answer::to_ratio).collect();
        let by_outcome = shares.chunks(bands.labels().len());
        Ok(by_outcome.map(<[RBig]>::to_vec).collect())
    }

    /// The number of a track's rounds.
    fn round_bars(&self, config: &Config) -> Result<Bars, Error> {
        let budget = self.limits.share();
        let rounds = Rounds::new(self.check, config, &budget)?;
        let rolls = TrackLengths::of(self.check, config, &rounds, &budget)?;
        let mut left = rolls.total.clone();
        let mut shown = PmfBars::default();
        for (n, weight) in rolls.rows() {
            shown
                .outcomes
                .push(i64::try_from(n).expect("a number of rounds fits"));
            shown.shares.push(vec![share(weight, &rolls.total)]);
            shown.at_least.push(share(&left, &rolls.total));
            left -= weight;
        }
        Ok(Bars {
            shown,
            never: rolls.never,
            later: rolls.later,
            ..Bars::default()
        })
    }
}

/// Leaves out the outcomes at both ends that no panel would show, if they would take up more than a third of the width.
fn leave_out_ends(panels: &mut [Bars]) {
    let least = RBig::from_parts(1.into(), VISIBLE.into());
    // A panel of which all is that rare, as of a track that hardly ever ends, is shown as a whole, and so are the others.
    let ends = panels.iter().filter(|bars| !is_empty(bars)).map(|bars| {
        let PmfBars {
            outcomes, at_least, ..
        } = &bars.shown;
        let last = at_least.iter().rposition(|share| *share >= least)?;
        let below = |at: usize| {
            at_least
                .get(at + 1)
                .is_some_and(|share| RBig::ONE - share < least)
        };
        let first = (0..last).find(|at| !below(*at)).unwrap_or(last);
        Some((outcomes[first], outcomes[last]))
    });
    let ends: Option<Vec<(i64, i64)>> = ends.collect();
    let ends = ends.into_iter().flatten();
    let Some((low, high)) = ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))) else {
        return;
    };
    let outcomes = || panels.iter().flat_map(|bars| &bars.shown.outcomes);
    let (Some(least), Some(most)) = (outcomes().min(), outcomes().max()) else {
        return;
    };
    let width = |low: i64, high: i64| i128::from(high) - i128::from(low) + 1;
    if 3 * width(low, high) > 2 * width(*least, *most) {
        return;
    }
    for Bars { shown, beyond, .. } in panels {
        let from = shown.outcomes.partition_point(|outcome| *outcome < low);
        let to = shown.outcomes.partition_point(|outcome| *outcome <= high);
        let at_least = |at: usize| shown.at_least.get(at).cloned().unwrap_or(RBig::ZERO);
        *beyond = at_least(0) - at_least(from) + at_least(to);
        shown.outcomes = shown.outcomes[from..to].to_vec();
        shown.at_least = shown.at_least[from..to].to_vec();
        shown.shares = shown.shares[from..to].to_vec();
    }
}

fn is_empty(bars: &Bars) -> bool {
    bars.shown.outcomes.is_empty()
}

/// The panels whose configuration breaks a rule.
fn gaps(panels: &[Bars]) -> Gaps {
    let mut broken = panels.iter().filter_map(|bars| bars.broken.as_ref());
    Gaps {
        count: broken.clone().count() as u64,
        first: broken.next().cloned(),
    }
}

/// What the bars do not show: of the panel that lacks most.
fn note(panels: &[Bars]) -> String {
    let up_to = if panels.len() == 1 { "" } else { "up to " };
    let most = |share: fn(&Bars) -> &RBig, what: &str| {
        let share = panels.iter().map(share).max()?;
        let shown = || format!("{up_to}{} {what}", Form::USUAL.show_ratio(share));
        (*share != RBig::ZERO).then(shown)
    };
    let empty = |is_broken: bool, why: &str| {
        let mut empty = panels.iter().filter(|bars| is_empty(bars));
        let found = empty.find(|bars| bars.broken.is_some() == is_broken);
        found.map(|_| format!("no outcomes (×): {why}"))
    };
    let parts = [
        most(|bars| &bars.never, "never end"),
        most(|bars| &bars.later, "take longer than shown"),
        most(|bars| &bars.beyond, "lie beyond what is shown"),
        empty(false, "not allowed"),
        empty(true, "breaks a rule"),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// A weight's share.
fn share(weight: &UBig, total: &UBig) -> RBig {
    RBig::from_parts(IBig::from(weight.clone()), total.clone())
}
