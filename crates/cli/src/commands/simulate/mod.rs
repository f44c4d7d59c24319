//! `oddsmith simulate`: the dice rolled, and the exact odds held against what comes up.

mod judge;
mod known;
mod rolling;
mod subject;
mod verdict;

use anyhow::Result;
use oddsmith_exact::{Budget, Error, policy};
use oddsmith_rules::{Check, Config, InputRange, Policy, Query};
use oddsmith_simulate::{Simulation as Dice, Tally};

use crate::args::{AnswerFormat, SimulateArgs};
use crate::failure::Advice;
use crate::format::outcomes::{self, Kind};
use crate::format::simulation::{Group, Simulation};
use crate::progress::use_threads;
use crate::{exit, interrupt, terminal};

use known::{Exact, Known, Oracle};
use rolling::Rolling;
use subject::{Questions, Subject};

/// Rolls, compares and prints.
pub(crate) fn run(args: &SimulateArgs) -> Result<u8> {
    let subject = Subject::of(args)?;
    let ranges = subject.ranges(&args.sweeps)?;
    let configs = subject.configurations(&ranges)?;
    use_threads(args.threads)?;
    let mut rolling = Rolling::new(args, configs.len())?;
    let mut simulation = simulation(args, &subject, &ranges);
    let mut unknown = Vec::new();
    for config in &configs {
        let case = Case::of(&subject, config, args.cost.budget)?;
        let tally = case.roll(&mut rolling)?;
        simulation.groups.push(case.group(&ranges, &tally));
        unknown.extend(case.unknown());
        if interrupt::is_asked() {
            break;
        }
    }
    rolling.finish();
    simulation.is_interrupted = rolling.done < rolling.planned() && interrupt::is_asked();
    simulation.judge(rolling.looks());
    print(args.format, &simulation)?;
    verdict::tell(&simulation, &rolling, &unknown);
    Ok(match simulation.contrary() {
        _ if simulation.is_interrupted => exit::INTERRUPTED,
        0 => exit::OK,
        _ => exit::NO,
    })
}

/// Nothing rolled yet.
fn simulation(args: &SimulateArgs, subject: &Subject, ranges: &[InputRange]) -> Simulation {
    let axis = |range: &InputRange| subject.check.inputs[range.input.0].name.clone();
    let has_settings = subject.config != subject.check.defaults();
    let says_so = !subject.check.inputs.is_empty() && ranges.is_empty();
    Simulation {
        title: subject.title.clone(),
        settings: if has_settings || says_so {
            subject.check.describe(&subject.config)
        } else {
            String::new()
        },
        names: subject.names.clone(),
        axes: ranges.iter().map(axis).collect(),
        groups: Vec::new(),
        seed: args.seed,
        level: args.level,
        comparisons: 0,
        limit: args.level,
        is_interrupted: false,
    }
}

fn print(format: AnswerFormat, simulation: &Simulation) -> Result<()> {
    match format {
        AnswerFormat::Table => terminal::print(&simulation.render())?,
        AnswerFormat::Csv => terminal::print_data(&simulation.csv()?)?,
        AnswerFormat::Json => terminal::print_json(&simulation.json())?,
        AnswerFormat::Markdown => terminal::print_data(simulation.markdown().as_bytes())?,
    }
    Ok(())
}

impl Simulation {
    /// Divides the level among all comparisons; if trials go on until they say enough, also among the numbers
    /// of trials after which that could have been.
    fn judge(&mut self, looks: u32) {
        self.comparisons = self.judged().count();
        let share = self.comparisons.max(1) as f64 * f64::from(looks);
        self.limit = self.level / share;
    }
}

/// A configuration, and what is known of it before it is rolled.
struct Case<'s> {
    check: &'s Check,
    config: &'s Config,
    questions: Questions,
    known: Vec<Known>,
    policy: Policy,
}

impl<'s> Case<'s> {
    fn of(subject: &'s Subject, config: &'s Config, budget: u64) -> Result<Self> {
        let check = &subject.check;
        let questions = subject.questions(config)?;
        let oracle = Oracle {
            check,
            config,
            budget,
        };
        Ok(Self {
            known: oracle.known(&questions.list),
            policy: best_policy(check, config, budget)?,
            check,
            config,
            questions,
        })
    }

    fn roll(&self, rolling: &mut Rolling) -> Result<Tally> {
        let queries: Vec<Query> = self.queries().cloned().collect();
        let dice = Dice::new(self.check, self.config, &queries, &self.policy)?;
        let is_awaited = |(kind, known): (Kind, &Known)| {
            kind != Kind::Variance && !matches!(known.exact, Exact::NeverHappens)
        };
        let kinds = self.questions.list.iter().map(|(kind, _)| *kind);
        let awaited = kinds.zip(&self.known).map(is_awaited);
        let awaited = queries.iter().zip(awaited);
        let awaited: Vec<Option<&Query>> = awaited
            .map(|(query, is_awaited)| is_awaited.then_some(query))
            .collect();
        rolling.roll(&dice, &awaited)
    }

    fn queries(&self) -> impl Iterator<Item = &Query> {
        self.questions.list.iter().map(|(_, query)| query)
    }

    fn group(&self, ranges: &[InputRange], tally: &Tally) -> Group {
        let has_ended = tally.unfinished == 0;
        let rows = self.questions.list.iter().zip(&self.known).zip(&tally.sums);
        let value = |range: &InputRange| {
            let domain = &self.check.inputs[range.input.0].domain;
            domain.show(self.config.0[range.input.0])
        };
        Group {
            values: ranges.iter().map(value).collect(),
            configuration: outcomes::configuration(self.check, self.config),
            rows: rows
                .map(|((question, known), sums)| judge::row(question, known, sums, has_ended))
                .collect(),
            fit: judge::fit(&self.questions, &self.known, &tally.sums, has_ended),
            trials: tally.trials,
            unfinished: tally.unfinished,
            dice: tally.dice,
        }
    }

    /// Questions without an exact answer, and why.
    fn unknown(&self) -> impl Iterator<Item = (String, String)> {
        let all = self.queries().zip(&self.known);
        all.filter_map(|(query, known)| match &known.exact {
            Exact::Unknown(why) => Some((query.text.clone(), why.clone())),
            Exact::Answer(_) | Exact::NeverHappens => None,
        })
    }
}

/// What is chosen wherever the player may choose.
fn best_policy(check: &Check, config: &Config, budget: u64) -> Result<Policy> {
    policy(check, config, &Budget::new(budget)).map_err(|error| match &error {
        Error::OverBudget { help, .. } => {
            let message = format!("the best policy could not be found: {error}");
            Advice::error(message, help)
        }
        _ => error.into(),
    })
}
