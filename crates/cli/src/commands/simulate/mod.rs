//! `oddsmith simulate`: the dice rolled, and the exact odds held against what comes up.

mod broken;
mod judge;
mod known;
mod rolling;
mod stopped;
mod subject;
mod verdict;

use anyhow::Result;
use oddsmith_exact::{Budget, Error, policy};
use oddsmith_rules::{Check, Config, InputRange, Policy, Query};
use oddsmith_simulate::{Simulation as Dice, Sums, Tally};

use crate::advice::Advice;
use crate::args::{AnswerFormat, SimulateArgs};
use crate::document::Markup;
use crate::failure;
use crate::format::outcomes::{self, Kind};
use crate::format::simulation::{Group, Row, Simulation};
use crate::progress::use_threads;
use crate::settings::NO_CHOICE;
use crate::{exit, interrupt, terminal};

use broken::Broken;
use known::{Exact, Known, Oracle};
use rolling::{Awaited, Rolling};
use stopped::{Ending, is_decided};
use subject::{Questions, Subject};

/// Rolls, compares and prints.
pub(crate) fn run(args: &SimulateArgs) -> Result<u8> {
    interrupt::listen()?;
    let subject = Subject::of(args)?;
    let ranges = subject.ranges(&args.sweeps)?;
    let configs = subject.configurations(&ranges)?;
    use_threads(args.running.parallel)?;
    let mut rolling = Rolling::new(args, configs.len())?;
    let mut simulation = simulation(args, &subject, &ranges);
    let mut notes = Notes::default();
    for config in &configs {
        let case = Case::of(&subject, config, args);
        match case.and_then(|case| case.roll(&ranges, &mut rolling, &mut notes)) {
            Ok(group) => simulation.groups.push(group),
            Err(error) => notes.broken.push(Broken::of(error)?),
        }
        if interrupt::is_asked() {
            break;
        }
    }
    rolling.finish();
    simulation.is_interrupted = rolling.done < rolling.planned() && interrupt::is_asked();
    simulation.judge(rolling.looks());
    if !simulation.groups.is_empty() {
        print(args.format, &simulation)?;
        verdict::tell(&simulation, &rolling, &notes);
        notes.tell(args);
    }
    Ok(match (broken::tell(&notes.broken), simulation.contrary()) {
        _ if simulation.is_interrupted => exit::INTERRUPTED,
        (Some(status), _) => status,
        (None, 0) => exit::OK,
        (None, _) => exit::NO,
    })
}

/// What is worth saying beside the rows.
#[derive(Default)]
struct Notes {
    /// Questions without an exact answer, and why.
    unknown: Vec<(String, String)>,
    /// Configurations with a rule that can't always be carried out.
    broken: Vec<Broken>,
    /// Configurations in which something is chosen.
    choosing: usize,
}

impl Notes {
    fn tell(&self, args: &SimulateArgs) {
        if args.striving.maximise.is_some() && self.choosing == 0 {
            failure::note(NO_CHOICE);
        }
    }
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
        most_rounds: subject.check.rounds.map(|_| subject.most_rounds),
        comparisons: 0,
        limit: args.level,
        is_interrupted: false,
    }
}

fn print(format: AnswerFormat, simulation: &Simulation) -> Result<()> {
    match format {
        AnswerFormat::Table => terminal::print(&simulation.document().terminal())?,
        AnswerFormat::Csv => terminal::print_data(&simulation.csv()?)?,
        AnswerFormat::Json => terminal::print_json(&simulation.json())?,
        AnswerFormat::Markdown => {
            terminal::print_data(simulation.document().markup(Markup::Markdown).as_bytes())?;
        }
        AnswerFormat::Bbcode => {
            terminal::print_data(simulation.document().markup(Markup::Bbcode).as_bytes())?;
        }
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
    most_rounds: u32,
    /// Of a track, if it is known.
    ending: Option<Ending>,
}

impl<'s> Case<'s> {
    fn of(subject: &'s Subject, config: &'s Config, args: &SimulateArgs) -> Result<Self> {
        let (check, budget) = (&subject.check, args.cost.budget);
        let questions = subject.questions(config)?;
        let oracle = Oracle {
            check,
            config,
            budget,
        };
        let policy = best_policy(check, config, budget)?;
        let most_rounds = subject.most_rounds;
        let ending = (!args.no_exact).then(|| Ending::of(check, config, most_rounds, budget));
        Ok(Self {
            known: if args.no_exact {
                questions.list.iter().map(|_| Known::unasked()).collect()
            } else {
                oracle.known(&questions.list)
            },
            policy,
            most_rounds,
            ending: ending.flatten(),
            check,
            config,
            questions,
        })
    }

    /// The rows, and what is to be said of them. If a trial meets a rule that can't be carried out there are none.
    fn roll(
        &self,
        ranges: &[InputRange],
        rolling: &mut Rolling,
        notes: &mut Notes,
    ) -> Result<Group> {
        let broken = self.broken();
        let tally = self
            .tally(rolling)
            .map_err(|error| broken::met(error, broken))?;
        notes
            .broken
            .extend(broken.map(|error| Broken::unmet(error, tally.trials)));
        notes.unknown.extend(self.unknown());
        notes.choosing += usize::from(!self.policy.choices.is_empty());
        Ok(self.group(ranges, &tally))
    }

    fn tally(&self, rolling: &mut Rolling) -> Result<Tally> {
        let queries: Vec<Query> = self.queries().cloned().collect();
        let (check, config) = (self.check, self.config);
        let dice = Dice::stopped_after(self.most_rounds, check, config, &queries, &self.policy)?;
        let awaited = |((kind, query), known): (&(Kind, Query), &Known)| {
            let is_awaited = *kind != Kind::Variance && !matches!(known.exact, Exact::NeverHappens);
            is_awaited.then(|| Awaited {
                kind: query.kind.clone(),
                variance: known.spread.variance,
            })
        };
        let questions = self.questions.list.iter().zip(&self.known);
        let awaited: Vec<Option<Awaited>> = questions.map(awaited).collect();
        rolling.roll(&dice, &awaited)
    }

    fn queries(&self) -> impl Iterator<Item = &Query> {
        self.questions.list.iter().map(|(_, query)| query)
    }

    fn group(&self, ranges: &[InputRange], tally: &Tally) -> Group {
        let is_settled = tally.unfinished == 0 || self.is_settled(tally.trials);
        let rows = self.questions.list.iter().zip(&self.known).zip(&tally.sums);
        let row = |((question, known), sums): ((&(Kind, Query), &Known), &Sums)| {
            let is_known = is_settled || is_decided(self.check, &question.1, self.most_rounds);
            judge::row(question, known, sums, is_known)
        };
        let mut rows: Vec<Row> = rows.map(row).collect();
        let unended = self.unended(tally, is_settled);
        let fit = judge::fit(
            &self.questions,
            &self.known,
            (&rows, unended.as_ref()),
            &tally.sums,
        );
        let place = self.questions.after_ends();
        rows.splice(place..place, unended);
        let value = |range: &InputRange| {
            let domain = &self.check.inputs[range.input.0].domain;
            domain.show(self.config[range.input])
        };
        Group {
            values: ranges.iter().map(value).collect(),
            configuration: outcomes::configuration(self.check, self.config),
            rows,
            fit,
            trials: tally.trials,
            unfinished: tally.unfinished,
            is_settled,
            dice: tally.dice,
        }
    }

    fn is_settled(&self, trials: u64) -> bool {
        let ending = self.ending.as_ref();
        ending.is_some_and(|ending| ending.is_settled(trials))
    }

    /// The trials that were stopped, as a row of their own; none if there are none and could be none.
    fn unended(&self, tally: &Tally, is_settled: bool) -> Option<Row> {
        let ending = self.ending.as_ref();
        if tally.unfinished == 0 && !ending.is_some_and(Ending::may_never_be) {
            return None;
        }
        let exact = ending.and_then(|ending| ending.unended(is_settled));
        Some(judge::unended(tally, exact))
    }

    /// Why a rule can't be carried out with what some rolls show.
    fn broken(&self) -> Option<&Error> {
        self.known.iter().find_map(|known| match &known.exact {
            Exact::Broken(error) => Some(error),
            _ => None,
        })
    }

    /// Questions without an exact answer, and why.
    fn unknown(&self) -> impl Iterator<Item = (String, String)> {
        let all = self.queries().zip(&self.known);
        all.filter_map(|(query, known)| match &known.exact {
            Exact::Unknown(why) => Some((query.text.clone(), why.clone())),
            _ => None,
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
