//! Questions as one type: what a program in another language or on another machine sends, and the answer as it is sent
//! back.
//!
//! Every question is one of the plain requests with the word that tells which; every answer is one of [`crate::wire`].

mod command;
mod dice;
mod picture;
mod table_page;

use oddsmith_report::Theme;
use serde::{Deserialize, Serialize};

pub use dice::{DiceLine, DiceMode, of_dice};
pub use picture::{DeclaredChartRequest, Picture};
pub use table_page::{TableColumn, TableLine, TablePage, TablePageRequest};

use crate::wire::{
    ComparisonOdds, ContestOdds, Distribution, ExpectationOdds, LintFindings, Odds, PlanOdds,
    PolicyOdds, StepValues, TrackOdds, TrackPlanOdds, TuningOdds, ValueDistribution,
};
use crate::{
    ChartRequest, CompareRequest, ContestRequest, DistributionRequest, Error, Game, Limits,
    LintRequest, OddsRequest, Overview, PlanRequest, PolicyRequest, TrackRequest, TuneRequest,
    ValueRequest, project,
};

/// A question to a game. As JSON it is the request, with the kind beside it.
///
/// ```
/// use oddsmith::ask::Question;
/// use oddsmith::{Game, Limits};
/// let text = r#"{ "kind": "odds", "check": "check", "settings": ["circ_boons=2"] }"#;
/// let question: Question = serde_json::from_str(text).expect("it is a question");
/// let game = Game::open("stars-and-signs")?;
/// assert_eq!(question.command(&game)?, "oddsmith odds stars-and-signs:check --set circ_boons=2");
/// let answer = serde_json::to_value(question.ask(&game, &Limits::default())?).expect("it is JSON");
/// assert_eq!(answer["outcomes"][0]["outcome"], "Miss");
/// # Ok::<(), oddsmith::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Question {
    /// What the ruleset offers: axes, parameters, checks, charts.
    Overview,
    /// One configuration of a check; of a check that shows only numbers, their means.
    Odds(OddsRequest),
    /// The whole distribution of every number that a check shows.
    Numbers(OddsRequest),
    /// The whole distribution of a value of a check, or of several at once.
    Distribution(DistributionRequest),
    /// Many configurations, a stretch of the rows at a time.
    Table(TablePageRequest),
    /// Rolls until something is full.
    Track(TrackRequest),
    /// Two sides against each other.
    Contest(ContestRequest),
    /// Two checks of the game side by side, or one before and after a change of its settings.
    Compare(CompareRequest),
    /// What is best to choose.
    Policy(PolicyRequest),
    /// When to spend what over a scene, or over the rounds of a track.
    Plan(PlanRequest),
    /// What one step of each lever is worth.
    Value(ValueRequest),
    /// What is odd about the game's odds.
    Lint(LintRequest),
    /// The parameters that give the odds that are wanted.
    Tune(TuneRequest),
    /// Which of the ruleset's expectations hold.
    Expectations,
    /// A picture that is asked for.
    Chart(ChartRequest),
    /// A picture that the ruleset declares.
    DeclaredChart(DeclaredChartRequest),
}

/// The answer to a [`Question`]; as JSON it is that of its kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[expect(
    missing_docs,
    reason = "each is the answer to the question of that name"
)]
pub enum Response {
    Overview(Box<Overview>),
    Odds(Odds),
    Numbers(Vec<Distribution>),
    Distribution(ValueDistribution),
    Table(TablePage),
    Track(TrackOdds),
    Contest(ContestOdds),
    Compare(Box<ComparisonOdds>),
    Policy(PolicyOdds),
    Plan(Box<PlanOdds>),
    TrackPlan(Box<TrackPlanOdds>),
    Value(StepValues),
    Lint(LintFindings),
    Tune(Box<Tuned>),
    Expectations(Vec<ExpectationOdds>),
    Chart(Picture),
}

/// The answer of a search for parameters, and the ruleset with the best ones.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tuned {
    /// The answer of `oddsmith tune`.
    #[serde(flatten)]
    pub answer: TuningOdds,
    /// The whole text of the ruleset with the picked candidate's parameters; none if no candidate meets the goals.
    pub text: Option<String>,
}

impl Question {
    /// The answer; pictures are drawn in light colours.
    ///
    /// # Errors
    /// As those of the methods of [`Game`] that answer each kind; if a search for parameters names a file, since whoever
    /// sends a question may not be who may read files.
    pub fn ask(&self, game: &Game, limits: &Limits) -> Result<Response, Error> {
        Ok(match self {
            Self::Overview => Response::Overview(Box::new(game.overview(None)?)),
            Self::Odds(request) => {
                let answer = game.odds(request, limits)?.or_means(limits)?;
                Response::Odds(Odds::of(game, &answer))
            }
            Self::Numbers(request) => Response::Numbers(numbers(game, request, limits)?),
            Self::Distribution(request) => {
                let answer = game.distribution(request, limits)?;
                Response::Distribution(ValueDistribution::of(game, &answer))
            }
            Self::Table(request) => Response::Table(TablePage::of(game, request, limits)?),
            Self::Track(request) => {
                let track = game.track(request, limits)?;
                Response::Track(TrackOdds::of(game, &track, &track.answer()?))
            }
            Self::Contest(request) => {
                let contest = game.contest(request)?;
                Response::Contest(ContestOdds::of(game, &contest, &contest.answer(limits)?))
            }
            Self::Compare(request) => {
                let answer = game.compare(game, request)?.answer(limits)?;
                Response::Compare(Box::new(ComparisonOdds::of(&answer)))
            }
            Self::Policy(request) => {
                Response::Policy(PolicyOdds::of(game, &game.policy(request, limits)?))
            }
            Self::Plan(request) if game.plans_track(request)? => {
                let plan = game.plan_track(request, limits)?;
                Response::TrackPlan(Box::new(TrackPlanOdds::of(game, &plan)))
            }
            Self::Plan(request) => {
                Response::Plan(Box::new(PlanOdds::of(game, &game.plan(request, limits)?)))
            }
            Self::Value(request) => {
                Response::Value(StepValues::of(game, &game.value(request, limits)?))
            }
            Self::Lint(request) => Response::Lint(LintFindings::from(&game.lint(request, limits)?)),
            Self::Tune(request) => Response::Tune(Box::new(tuned(game, request, limits)?)),
            Self::Expectations => {
                let intents = project::expectations(game.model(), limits)?;
                Response::Expectations(intents.iter().map(ExpectationOdds::from).collect())
            }
            Self::Chart(request) => Response::Chart(picture(game, request, limits)?),
            Self::DeclaredChart(request) => {
                Response::Chart(picture(game, &game.declared_chart(request)?, limits)?)
            }
        })
    }
}

fn picture(game: &Game, request: &ChartRequest, limits: &Limits) -> Result<Picture, Error> {
    Picture::of(&game.chart(request, limits)?, Theme::Light)
}

/// The numbers that have a distribution within the limits.
fn numbers(
    game: &Game,
    request: &OddsRequest,
    limits: &Limits,
) -> Result<Vec<Distribution>, Error> {
    let numbers = game.odds(request, limits)?.numbers(limits)?.into_iter();
    let known = numbers.filter_map(|number| {
        let dist = number.dist?;
        Some(Distribution::of(&number.name, &dist))
    });
    Ok(known.collect())
}

fn tuned(game: &Game, request: &TuneRequest, limits: &Limits) -> Result<Tuned, Error> {
    if let Some(file) = &request.file {
        let message = format!(
            "goals of a file can't be asked for here: `{}`",
            file.display()
        );
        let help = "send its `vary`, `goals` and `keeps` instead";
        return Err(Error::advice(message, help));
    }
    let answer = game.tune(request)?.answer(limits, &mut ())?;
    Ok(Tuned {
        text: answer
            .change
            .as_ref()
            .map(|change| change.patch.text.clone()),
        answer: TuningOdds::of(game, &answer),
    })
}
