//! `oddsmith track`: rolls until something is full.

use anyhow::Result;
use oddsmith_exact::{Answer, Budget, Dist, Error, RBig, Rounds, distribution};
use oddsmith_rules::{Check, Config, Outcome, Query};
use serde_json::json;

use crate::args::{Style, TrackArgs};
use crate::format::outcomes::{self, Kind, Line};
use crate::format::track_view::{Last, View};
use crate::format::view::Observable;
use crate::format::words::Form;
use crate::rolls::{self, FARTHEST, MOST, Rolls};
use crate::target::{Target, Wanted};
use crate::{answers, exit, failure, settings, terminal};

/// Answers and prints.
pub(crate) fn run(args: &TrackArgs) -> Result<u8> {
    let style = args.shown.style()?;
    let target = Target::resolve(&args.target, Wanted::Track)?;
    if args.denying.refuses(&target.model.warnings) {
        return Ok(exit::NO);
    }
    let track = &target.check;
    let question = Question {
        track,
        config: settings::config(track, &args.asked.sets, "--set")?,
        horizon: args.horizon.map(usize::try_from).transpose()?,
        budget: args.cost.budget,
    };
    let asked = settings::queries(track, &args.asked.queries)?;
    match style {
        Style::View(form) => {
            let view = question.view(target.title(), asked, form)?;
            terminal::print(&view.document().terminal())?;
        }
        Style::Json => {
            let lines = question.lines(asked)?;
            let answer = json!({
                "ruleset": target.ruleset,
                "track": track.name,
                "configuration": outcomes::configuration(track, &question.config),
                "outcomes": outcomes::json(&lines),
            });
            terminal::print_json(&answer)?;
        }
        Style::Document(markup, form) => {
            let lines = question.lines(asked)?;
            terminal::print_data(outcomes::document(&lines, form).markup(markup).as_bytes())?;
        }
        Style::Csv => terminal::print_data(&outcomes::csv(&question.lines(asked)?, &[])?)?,
    }
    Ok(exit::OK)
}

/// A track in a configuration.
struct Question<'t> {
    track: &'t Check,
    config: Config,
    horizon: Option<usize>,
    /// For each question by itself.
    budget: u64,
}

impl Question<'_> {
    /// What the track ends in and what a roll shows, and what was asked; if nothing was asked, all there is to
    /// say of its rolls.
    fn lines(&self, asked: Vec<Query>) -> Result<Vec<Line>> {
        let rounds = self.rounds()?;
        let begins = rolls::begins(&rounds, self.budget)?;
        let own = if begins {
            answers::own(self.track)
        } else {
            failure::note("nothing of one roll: it may be over before the first");
            answers::own_of(self.track, false)
        };
        let mut lines = self.answer(own)?;
        if asked.is_empty() {
            lines.extend(self.all_lines(&rounds, begins)?);
        } else {
            lines.extend(self.answer(answers::asked(asked).collect())?);
        }
        Ok(lines)
    }

    /// Moments of the number of rolls, means of all else, and the odds of every number of rolls.
    fn all_lines(&self, rounds: &Rounds, begins: bool) -> Result<Vec<Line>> {
        let rolls = self.rolls(rounds, MOST)?;
        let name = &rolls.name;
        let (mean, variance) = (rolls.mean.clone(), rolls.variance.clone());
        let mut lines = vec![
            line(format!("mean({name})"), Kind::Mean, mean),
            line(format!("variance({name})"), Kind::Variance, variance),
        ];
        for outcome in self
            .numbers()
            .filter(|number| begins || !number.first_round)
        {
            lines.extend(self.mean_line(outcome)?);
        }
        for (n, weight) in rolls.rows() {
            let share = RBig::from_parts(weight.clone().into(), rolls.total.clone());
            lines.push(chance(format!("P({name}=={n})"), share));
        }
        let beyond = &rolls.later + &rolls.never;
        lines.push(chance(format!("P({name}>{})", rolls.horizon()), beyond));
        Ok(lines)
    }

    /// The mean of a number, unless it may have none; then that is said.
    fn mean_line(&self, outcome: &Outcome) -> Result<Vec<Line>> {
        let mean = settings::queries(self.track, &[format!("mean({})", outcome.name)])?;
        match self.answer(answers::asked(mean).collect()) {
            Err(Error::NeverEnds { query, chance, .. }) => {
                let what = format!("no `{query}`: with a chance of {chance} there is no end");
                failure::note(&what);
                Ok(Vec::new())
            }
            lines => Ok(lines?),
        }
    }

    fn view(&self, title: String, asked: Vec<Query>, form: Form) -> Result<View> {
        let (first, last): (Vec<&Outcome>, Vec<&Outcome>) =
            self.numbers().partition(|outcome| outcome.first_round);
        let rounds = self.rounds()?;
        let begins = rolls::begins(&rounds, self.budget)?;
        let first = first.into_iter().filter(|_| begins);
        let first = first.map(|outcome| self.first(outcome));
        let shows = if begins {
            answers::own_of(self.track, true)
        } else {
            Vec::new()
        };
        let last = last.into_iter().map(|outcome| self.last(outcome));
        Ok(View {
            title,
            settings: self.track.describe(&self.config),
            rolls: self.rolls(&rounds, FARTHEST)?,
            one_by_one: self.horizon.is_some(),
            ends: self.answer(answers::own_of(self.track, false))?,
            last: last.collect::<Result<_>>()?,
            shows: self.answer(shows)?,
            first: first.collect::<Result<_>>()?,
            asked: self.answer(answers::asked(asked).collect())?,
            form,
        })
    }

    /// The track, laid out once for all that is asked of its rolls.
    fn rounds(&self) -> Result<Rounds, Error> {
        Rounds::new(self.track, &self.config, &Budget::new(self.budget))
    }

    fn rolls(&self, rounds: &Rounds, farthest: usize) -> Result<Rolls> {
        let Self {
            track,
            config,
            horizon,
            budget,
        } = self;
        let budget = Budget::new(*budget);
        Rolls::of(track, config, rounds, *horizon, farthest, &budget)
    }

    fn answer(&self, queries: Vec<(Kind, Query)>) -> Result<Vec<Line>, Error> {
        let budget = Budget::new(self.budget);
        answers::lines(self.track, &self.config, queries, &budget)
    }

    fn numbers(&self) -> impl Iterator<Item = &Outcome> {
        answers::numbers_of(self.track)
    }

    /// A number of one roll.
    fn first(&self, outcome: &Outcome) -> Result<Observable> {
        let budget = Budget::new(self.budget);
        let dist: Option<Dist> = match distribution(self.track, &self.config, outcome, &budget) {
            Ok(dist) => Some(dist),
            Err(Error::OverBudget { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        let name = outcome.name.clone();
        Ok(Observable { name, dist })
    }

    /// A number at the end.
    fn last(&self, outcome: &Outcome) -> Result<Last> {
        let name = outcome.name.clone();
        let moments = [format!("mean({name})"), format!("variance({name})")];
        let queries = settings::queries(self.track, &moments)?;
        let found = match self.answer(answers::asked(queries).collect()) {
            Ok(lines) => Ok(lines),
            Err(Error::NeverEnds { .. }) => Err("none: there may be no end"),
            Err(Error::OverBudget { .. }) => Err("over the budget"),
            Err(error) => return Err(error.into()),
        };
        let moments = found.map(|lines| lines.into_iter().map(|line| line.answer).collect());
        Ok(Last { name, moments })
    }
}

fn line(name: String, kind: Kind, answer: Answer) -> Line {
    Line { name, kind, answer }
}

fn chance(name: String, share: RBig) -> Line {
    let (weight, total) = share.into_parts();
    line(name, Kind::Probability, Answer { weight, total })
}
