//! Odds that stand beside a text: those of its bands, and of what is under the pointer.

use oddsmith::{
    Dist, DistributionRequest, Limits, NamedAnswer, OddsAnswer, OddsRequest, Settings, Spread,
    UBig, Wanted,
};
use oddsmith_numbers::difference::signed;
use oddsmith_numbers::{Form, deviation, value};
use oddsmith_rules::index::{Definition, Symbol, SymbolKind};
use oddsmith_rules::{Outcome, OutcomeKind};

use crate::document::Document;
use crate::language::Hover;
use crate::position::Position;

/// A few words that an editor shows within a line, though they are not in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlayHint {
    /// Behind what it stands.
    pub position: Position,
    /// The words.
    pub label: String,
}

/// The most rows of a small table of a distribution.
const ROWS: i128 = 12;
/// The width of its longest bar.
const BAR: usize = 20;

impl Document {
    /// The odds of each band, behind its label where a check lists it. A check over the limits has none.
    #[must_use]
    pub fn inlay_hints(&self, settings: &Settings, limits: &Limits) -> Vec<InlayHint> {
        let analysis = self.analysis();
        let mut hints = Vec::new();
        for check in analysis.names().of_kind(SymbolKind::Check) {
            let Some(odds) = self.odds(&check.name, settings, limits) else {
                continue;
            };
            let bands = analysis.names().of_kind(SymbolKind::Band);
            for band in bands.filter(|band| band.is_of(&check.name)) {
                let answer = odds.bands().find(|answer| answer.name == band.name);
                let Some(ratio) = answer.and_then(NamedAnswer::ratio) else {
                    continue;
                };
                hints.extend(band.definitions.iter().map(|definition| InlayHint {
                    position: self.position(definition.whole.end),
                    label: Form::USUAL.show_ratio(&ratio),
                }));
            }
        }
        hints.sort_by_key(|hint| hint.position);
        hints
    }

    /// The odds of a check.
    pub(crate) fn odds(
        &self,
        check: &str,
        settings: &Settings,
        limits: &Limits,
    ) -> Option<OddsAnswer> {
        let analysis = self.analysis();
        let request = OddsRequest {
            check: Some(check.to_owned()),
            settings: self.fitting(check, settings)?,
            ..OddsRequest::default()
        };
        analysis.game().ok()?.odds(&request, limits).ok()
    }

    /// What is said of the word at a position, as [`Document::hover`] has it, with its odds: the distribution of a value, of
    /// bands, of an axis what a step moves. Without odds where there are none within the limits.
    #[must_use]
    pub fn hover_with_odds(
        &self,
        position: Position,
        settings: &Settings,
        limits: &Limits,
    ) -> Option<Hover> {
        let mut hover = self.hover(position)?;
        let symbol = self.symbol_at(position).map(|found| found.symbol);
        let odds = symbol.and_then(|symbol| self.odds_of(&symbol, settings, limits));
        if let Some(odds) = odds {
            hover.markdown += "\n\n";
            hover.markdown += &odds;
        }
        Some(hover)
    }

    fn odds_of(&self, symbol: &Symbol, settings: &Settings, limits: &Limits) -> Option<String> {
        match symbol.kind {
            SymbolKind::Check => bands(&self.odds(&symbol.name, settings, limits)?),
            SymbolKind::Band => bands(&self.odds(symbol.owner.as_ref()?, settings, limits)?),
            SymbolKind::Show | SymbolKind::Let => self.value(symbol, settings, limits),
            SymbolKind::Axis => self.step(symbol.owner.as_ref()?, &symbol.name, settings, limits),
            _ => None,
        }
    }

    /// The distribution of a value that a check or a track shows or binds.
    fn value(&self, symbol: &Symbol, settings: &Settings, limits: &Limits) -> Option<String> {
        let analysis = self.analysis();
        let check = symbol.owner.as_ref()?;
        let request = DistributionRequest {
            check: Some(check.clone()),
            values: vec![symbol.name.clone()],
            settings: self.fitting(check, settings)?,
            ..DistributionRequest::default()
        };
        let answer = analysis.game().ok()?.distribution(&request, limits).ok()?;
        let ([value], Spread::One(dist), None) =
            (answer.values.as_slice(), &answer.spread, &answer.tail)
        else {
            return None;
        };
        // A function may have the name of a check, and a block a name that stands outside of it, too.
        let is_there = |own: &Definition| {
            own.whole.start <= value.span.start && value.span.end <= own.whole.end
        };
        symbol
            .definitions
            .iter()
            .any(is_there)
            .then(|| told(value, dist))
    }

    /// What the next step of an axis moves; from its last value on, what the one to it has moved.
    fn step(
        &self,
        check: &str,
        axis: &str,
        settings: &Settings,
        limits: &Limits,
    ) -> Option<String> {
        let now = self.odds(check, settings, limits)?;
        let (number, input) =
            { now.check.inputs.iter().enumerate() }.find(|(_, own)| own.name == axis)?;
        let value = now.config.values()[number];
        let is_value = |value: &i64| input.domain.contains(*value);
        let with = |value: i64| {
            let mut moved = self.fitting(check, settings)?;
            moved.set(axis, input.domain.show(value));
            self.odds(check, &moved, limits)
        };
        // From the last value on there is the step to it.
        let (from, to) = match value.checked_add(1).filter(is_value) {
            Some(next) => (value, next),
            None => (value.checked_sub(1).filter(is_value)?, value),
        };
        let (now, then) = match from == value {
            true => (&now, &with(to)?),
            false => (&with(from)?, &now),
        };
        let [from, to] = [from, to].map(|value| input.domain.show(value));
        let mut rows = Vec::new();
        for (before, after) in now.outcomes.iter().zip(&then.outcomes) {
            let (before_odds, after_odds) = (before.ratio()?, after.ratio()?);
            let difference = signed(&(&after_odds - &before_odds), true, Form::USUAL);
            let [before_odds, after_odds] =
                [before_odds, after_odds].map(|ratio| Form::USUAL.show_ratio(&ratio));
            rows.push([before.name.clone(), before_odds, after_odds, difference]);
        }
        let head = ["", &from, &to, "points"].map(str::to_owned);
        (!rows.is_empty()).then(|| columns(&[vec![head], rows].concat()))
    }

    /// The settings, or none if they do not fit a check, as those of another one need not.
    pub(crate) fn fitting(&self, check: &str, settings: &Settings) -> Option<Settings> {
        let analysis = self.analysis();
        let found = analysis
            .game()
            .ok()?
            .find(Some(check), Wanted::Either)
            .ok()?;
        let fits = settings.config(found).is_ok();
        Some(if fits {
            settings.clone()
        } else {
            Settings::default()
        })
    }
}

/// Bands with their odds.
fn bands(odds: &OddsAnswer) -> Option<String> {
    let row =
        |band: &NamedAnswer| Some([band.name.clone(), Form::USUAL.show_ratio(&band.ratio()?)]);
    let rows: Vec<[String; 2]> = odds.bands().filter_map(row).collect();
    (!rows.is_empty()).then(|| columns(&rows))
}

/// The distribution of a value: of a number, of a truth, of labels.
fn told(value: &Outcome, dist: &Dist) -> String {
    match &value.kind {
        OutcomeKind::Observable => distribution(dist),
        OutcomeKind::Flag => {
            let share = Form::USUAL.show_weight(&dist.weight(1), dist.total());
            format!("true: **{share}**")
        }
        OutcomeKind::Band(choice) | OutcomeKind::Label(choice) => {
            let row = |(label, weight): (i64, UBig)| {
                let share = Form::USUAL.show_weight(&weight, dist.total());
                [choice.label(label).to_owned(), share]
            };
            columns(&dist.iter().map(row).collect::<Vec<_>>())
        }
    }
}

/// The mean and the standard deviation of a number, and its values with their odds: in stretches of the same width where
/// there are many.
fn distribution(dist: &Dist) -> String {
    let (low, high) = (dist.min(), dist.max());
    let span = i128::from(high) - i128::from(low) + 1;
    let width = span.div_euclid(ROWS) + i128::from(span % ROWS > 0);
    let mut stretches: Vec<(i128, UBig)> = Vec::new();
    for (value, weight) in dist.iter() {
        let number = (i128::from(value) - i128::from(low)) / width;
        match stretches.last_mut() {
            Some((last, sum)) if *last == number => *sum += weight,
            _ => stretches.push((number, weight)),
        }
    }
    let most = stretches.iter().map(|(_, weight)| weight).max();
    let most = most.cloned().unwrap_or(UBig::ONE);
    let rows = stretches.iter().map(|(number, weight)| {
        let first = i128::from(low) + number * width;
        let last = (first + width - 1).min(i128::from(high));
        let values = if width == 1 {
            first.to_string()
        } else {
            format!("{first}..={last}")
        };
        let length = weight * UBig::from(BAR) / &most;
        let bar = "█".repeat(usize::try_from(&length).unwrap_or(0));
        [values, Form::USUAL.show_weight(weight, dist.total()), bar]
    });
    let rows: Vec<[String; 3]> = rows.collect();
    let (mean, deviation) = (value(&dist.mean()), deviation(&dist.variance()));
    format!(
        "mean {mean}, standard deviation {deviation}\n\n{}",
        columns(&rows)
    )
}

/// Rows as text in columns: the first and the last one aligned to the left, the others, which are numbers, to the right.
fn columns<const N: usize>(rows: &[[String; N]]) -> String {
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max();
    let widths: [usize; N] = std::array::from_fn(|at| width(at).unwrap_or(0));
    let mut text = "```\n".to_owned();
    for row in rows {
        let cells = row
            .iter()
            .zip(widths)
            .enumerate()
            .map(|(at, (cell, width))| match at {
                0 => format!("{cell:<width$}"),
                _ if cell.starts_with('█') => cell.clone(),
                _ => format!("{cell:>width$}"),
            });
        let line = cells.collect::<Vec<_>>().join("  ");
        text += line.trim_end();
        text.push('\n');
    }
    text + "```"
}
