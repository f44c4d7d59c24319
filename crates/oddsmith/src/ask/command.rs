//! The command that asks the same.

use super::Question;
use crate::{ChartRequest, Error, Game, PlanRequest, Settings, TuneRequest, Wanted, shell_words};

/// A command as it is put together: options that have nothing to say are left out.
struct Command(Vec<String>);

impl Command {
    /// `oddsmith NAME RULESET:CHECK`.
    fn of(name: &str, game: &Game, check: Option<&str>) -> Self {
        let target = match check {
            Some(check) => format!("{}:{check}", game.name()),
            None => game.name().to_owned(),
        };
        Self(vec![
            "oddsmith".to_owned(),
            name.to_owned(),
            shell_words::word(&target),
        ])
    }

    fn option(mut self, name: &str, value: impl AsRef<str>) -> Self {
        let value = shell_words::word(value.as_ref());
        self.0.extend([format!("--{name}"), value]);
        self
    }

    fn each<T: AsRef<str>>(self, name: &str, values: impl IntoIterator<Item = T>) -> Self {
        let add = |command: Self, value: T| command.option(name, value);
        values.into_iter().fold(self, add)
    }

    fn settings(self, settings: &Settings) -> Self {
        self.each("set", settings.texts())
    }
}

impl Question {
    /// The command line that asks the same, for a shell as Unix systems have it. Of a table it tells all rows.
    ///
    /// # Errors
    /// If there is no such declared chart, or a setting does not fit it. Other questions are not read.
    pub fn command(&self, game: &Game) -> Result<String, Error> {
        Ok(self.words(game)?.0.join(" "))
    }

    fn words(&self, game: &Game) -> Result<Command, Error> {
        let of = |name, check: &Option<String>| Command::of(name, game, check.as_deref());
        Ok(match self {
            Self::Overview => of("rules show", &None),
            Self::Odds(asked) | Self::Numbers(asked) => of("odds", &asked.check)
                .settings(&asked.settings)
                .each("query", &asked.queries)
                .each("maximise", &asked.maximise),
            Self::Distribution(asked) => {
                let values = asked.values.join(",");
                let check = game.find(asked.check.as_deref(), Wanted::Either)?;
                let target = format!("{}.{values}", check.name);
                Command::of("dist", game, Some(&target))
                    .settings(&asked.settings)
                    .each("maximise", &asked.maximise)
                    .each("horizon", asked.horizon.map(|last| last.to_string()))
            }
            Self::Table(asked) => of("table", &asked.table.check)
                .each("sweep", &asked.table.sweeps)
                .settings(&asked.table.settings)
                .each("only", &asked.table.only)
                .each("query", &asked.table.queries)
                .each("maximise", &asked.table.maximise),
            Self::Track(asked) => of("track", &asked.track)
                .settings(&asked.settings)
                .each("query", &asked.queries)
                .each("horizon", asked.horizon.map(|rolls| rolls.to_string())),
            Self::Contest(asked) => of("contest", &asked.check)
                .each("against", &asked.against)
                .settings(&asked.settings)
                .each("a", asked.a.texts())
                .each("b", asked.b.texts())
                .each("compare", &asked.compare)
                .each("ties", &asked.ties)
                .each("query", &asked.queries),
            Self::Compare(asked) => compared(of("compare", &asked.check), game, &asked.against)
                .settings(&asked.settings)
                .each("with", asked.with.texts())
                .each("sweep", &asked.sweeps)
                .each("query", &asked.queries)
                .each("of", &asked.of),
            Self::Policy(asked) => of("policy", &asked.check)
                .settings(&asked.settings)
                .each("by", &asked.by)
                .each("query", &asked.queries)
                .each("maximise", &asked.maximise),
            Self::Plan(asked) => plan(of("balance plan", &asked.check), asked),
            Self::Value(asked) => of("balance value", &asked.check)
                .settings(&asked.settings)
                .each("query", &asked.queries)
                .each("sweep", &asked.sweeps)
                .each("lever", &asked.levers)
                .each("at", &asked.at),
            Self::Lint(asked) => {
                let mut lint = of("balance lint", &asked.check).each("only", &asked.only);
                lint.0.extend(asked.all.then(|| "--all".to_owned()));
                lint.each("cliff", &asked.cliff)
                    .each("change", &asked.change)
            }
            Self::Tune(asked) => tune(of("tune", &asked.check), asked),
            Self::Expectations => of("check", &None),
            Self::Chart(asked) => chart(of("chart", &asked.check), asked),
            Self::DeclaredChart(asked) => {
                let request = game.declared_chart(asked)?;
                chart(of("chart", &request.check), &request)
            }
        })
    }
}

/// The other check of a comparison is the second target.
fn compared(mut command: Command, game: &Game, against: &Option<String>) -> Command {
    let other = against
        .as_ref()
        .map(|check| format!("{}:{check}", game.name()));
    command
        .0
        .extend(other.map(|other| shell_words::word(&other)));
    command
}

fn plan(command: Command, asked: &PlanRequest) -> Command {
    command
        .each("checks", asked.checks.map(|checks| checks.to_string()))
        .option("pool", asked.pool.to_string())
        .each("check", &asked.each)
        .settings(&asked.settings)
        .each("resource", &asked.resource)
        .each("axis", &asked.axis)
        .each("spent", &asked.spent)
        .each("policy", &asked.policy)
        .each("utility", &asked.utility)
}

fn tune(command: Command, asked: &TuneRequest) -> Command {
    let usual = TuneRequest::default();
    let other = |number: u64, usual: u64| (number != usual).then(|| number.to_string());
    command
        .each("vary", &asked.vary)
        .each("goal", &asked.goals)
        .each("keep", &asked.keeps)
        .settings(&asked.settings)
        .each("top", other(asked.top as u64, usual.top as u64))
        .each("from", other(asked.from, usual.from))
        .each("pick", asked.pick.map(|pick| pick.to_string()))
}

fn chart(command: Command, asked: &ChartRequest) -> Command {
    command
        .each("title", &asked.title)
        .each("kind", &asked.kind)
        .each("x", &asked.x)
        .each("by", &asked.by)
        .each("facet", &asked.facet)
        .each("query", &asked.queries)
        .settings(&asked.settings)
        .each("maximise", &asked.maximise)
        .option("output", "chart.svg")
}
