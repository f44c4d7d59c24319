//! Lines above checks and tracks, and what they do when they are clicked.

use oddsmith::ask::{DeclaredChartRequest, Picture, Question, Response};
use oddsmith::project::{IntentVerdict, expectations};
use oddsmith::{ChartRequest, Error, Game, Limits, NamedAnswer, Settings, TrackRequest, Wanted};
use oddsmith_numbers::{Form, plural, value};
use oddsmith_rules::OutcomeKind;
use oddsmith_rules::index::{Symbol, SymbolKind};

use crate::document::Document;
use crate::position::Range;

/// A line that an editor shows above another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeLens {
    /// The name of the check or the track above which it stands.
    pub range: Range,
    /// What it says.
    pub title: String,
    /// The check or the track.
    pub check: String,
    /// What it shows when it is clicked.
    pub shows: Shows,
}

/// What a lens shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shows {
    /// The odds of the check, or how long the track takes.
    Odds,
    /// A chart that the file declares of it, or one of its bands along an axis.
    Chart,
    /// Which of the expectations about it hold.
    Expectations,
}

impl Shows {
    /// Each of them, with the command by which an editor asks for it.
    pub const COMMANDS: [(&str, Self); 3] = [
        ("oddsmith.odds", Self::Odds),
        ("oddsmith.chart", Self::Chart),
        ("oddsmith.check", Self::Expectations),
    ];
}

/// What is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Lines of text.
    Text(String),
    /// A chart.
    Chart(Picture),
}

impl Document {
    /// What each check and track comes to, and what else can be shown of it, above its name. What is over the limits has no odds.
    #[must_use]
    pub fn code_lenses(&self, settings: &Settings, limits: &Limits) -> Vec<CodeLens> {
        let analysis = self.analysis();
        let Ok(game) = analysis.game() else {
            return Vec::new();
        };
        let kinds = [SymbolKind::Check, SymbolKind::Track];
        let symbols = analysis.names().symbols.iter();
        let symbols = symbols.filter(|symbol| kinds.contains(&symbol.kind));
        let lenses = symbols.flat_map(|symbol| {
            let odds = self.title(symbol, settings, limits);
            let chart = chart_of(game, &symbol.name).map(|_| "chart".to_owned());
            let model = game.model();
            let has_expectation = model
                .expectations
                .iter()
                .any(|own| own.check == symbol.name);
            let expectations = has_expectation.then(|| "check".to_owned());
            let titles = [
                (odds, Shows::Odds),
                (chart, Shows::Chart),
                (expectations, Shows::Expectations),
            ];
            let range = symbol
                .definitions
                .first()
                .map(|first| self.range(first.name));
            let lens = move |(title, shows): (Option<String>, Shows)| {
                Some(CodeLens {
                    range: range?,
                    title: title?,
                    check: symbol.name.clone(),
                    shows,
                })
            };
            titles.into_iter().filter_map(lens)
        });
        lenses.collect()
    }

    /// What a lens shows of a check or a track.
    ///
    /// # Errors
    /// If the text has errors, or there is no answer within the limits.
    pub fn show(
        &self,
        check: &str,
        shows: Shows,
        settings: &Settings,
        limits: &Limits,
    ) -> Result<Shown, Error> {
        let analysis = self.analysis();
        let game = analysis.game().map_err(|errors| Error::Ruleset {
            name: self.uri().to_owned(),
            errors: errors.clone(),
        })?;
        let none = |what: &str| Error::advice(format!("`{check}` has no {what}"), "");
        match shows {
            Shows::Odds => {
                let symbols = analysis.names().symbols.iter();
                let kinds = [SymbolKind::Check, SymbolKind::Track];
                let mut found = symbols.filter(|symbol| kinds.contains(&symbol.kind));
                let symbol = found.find(|symbol| symbol.name == check);
                let odds = symbol.and_then(|symbol| self.title(symbol, settings, limits));
                let odds = odds.ok_or_else(|| none("odds within a second"))?;
                let own = game.find(Some(check), Wanted::Either)?;
                let settings = self.fitting(check, settings).unwrap_or_default();
                let at = own.describe(&settings.config(own)?);
                Ok(Shown::Text(format!(
                    "{check} ({at})\n{}",
                    odds.replace(" · ", "\n")
                )))
            }
            Shows::Chart => {
                let mut request = chart_of(game, check).ok_or_else(|| none("chart"))?;
                if let Some(settings) = self.fitting(check, settings) {
                    request.settings = settings;
                }
                match Question::Chart(request).ask(game, limits)? {
                    Response::Chart(picture) => Ok(Shown::Chart(picture)),
                    _ => Err(none("chart")),
                }
            }
            Shows::Expectations => judged(game, check, limits).map(Shown::Text),
        }
    }

    fn title(&self, symbol: &Symbol, settings: &Settings, limits: &Limits) -> Option<String> {
        match symbol.kind {
            SymbolKind::Track => self.track_title(&symbol.name, settings, limits),
            _ => self.check_title(&symbol.name, settings, limits),
        }
    }

    fn check_title(&self, check: &str, settings: &Settings, limits: &Limits) -> Option<String> {
        let odds = self.odds(check, settings, limits)?;
        let odds = odds.or_means(limits).ok()?;
        let outcomes = odds.outcomes.iter().map(|outcome| {
            let ratio = outcome.ratio();
            let shown = ratio.map(|ratio| match outcome.kind.is_probability() {
                true => Form::USUAL.show_ratio(&ratio),
                false => value(&ratio),
            });
            format!("{} {}", outcome.name, shown.unwrap_or_default())
        });
        Some(outcomes.collect::<Vec<_>>().join(" · "))
    }

    fn track_title(&self, track: &str, settings: &Settings, limits: &Limits) -> Option<String> {
        let analysis = self.analysis();
        let game = analysis.game().ok()?;
        let request = TrackRequest {
            track: Some(track.to_owned()),
            settings: self.fitting(track, settings)?,
            queries: vec!["mean(rolls)".to_owned()],
            horizon: None,
        };
        let answer = game.track(&request, limits).ok()?.answer().ok()?;
        let mean = answer
            .outcomes
            .iter()
            .find(|outcome| outcome.name == "mean(rolls)")?;
        Some(match NamedAnswer::ratio(mean) {
            Some(mean) => format!("{} rolls on average", value(&mean)),
            None => "it may go on for ever".to_owned(),
        })
    }
}

/// The chart of a check or a track: the first one that the file declares, or what it shows along the first axis that is swept, or
/// the first number that it shows; none if it has nothing of these.
fn chart_of(game: &Game, name: &str) -> Option<ChartRequest> {
    let model = game.model();
    if let Some(chart) = model.charts.iter().position(|chart| chart.check == name) {
        let settings = Settings::default();
        let declared = game.declared_chart(&DeclaredChartRequest { chart, settings });
        return declared.ok();
    }
    let check = game.find(Some(name), Wanted::Either).ok()?;
    let axis = check.inputs.iter().find(|input| !input.sweep.is_empty());
    let number = check
        .outcomes
        .iter()
        .find(|own| own.kind == OutcomeKind::Observable);
    let along = axis
        .map(|axis| &axis.name)
        .or(number.map(|number| &number.name))?;
    Some(ChartRequest {
        check: Some(name.to_owned()),
        x: Some(along.clone()),
        ..ChartRequest::default()
    })
}

/// Which of the expectations about a check hold, in words.
fn judged(game: &Game, check: &str, limits: &Limits) -> Result<String, Error> {
    let intents = expectations(game.model(), limits)?;
    let intents = intents.iter().filter(|intent| intent.check == check);
    let mut lines = Vec::new();
    let mut holding = 0;
    for intent in intents {
        match &intent.verdict {
            IntentVerdict::Holds => holding += 1,
            IntentVerdict::Broken { worst, .. } => {
                let first = worst.first().map_or("", |failing| failing.text.as_str());
                lines.push(format!("does not hold: {} {first}", intent.intent));
            }
            IntentVerdict::Unknown(why) => {
                lines.push(format!("can't be judged: {} {why}", intent.intent));
            }
        }
    }
    let count = plural(holding, "expectation");
    let verb = if holding == 1 { "holds" } else { "hold" };
    lines.insert(0, format!("{check}: {count} {verb}"));
    Ok(lines.join("\n"))
}
