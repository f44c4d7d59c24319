//! Accepted odds of probes: the configurations beyond a default sweep that move every input and go every way.

use std::borrow::Cow;
use std::fmt::Write as _;

use oddsmith_analysis::expect::Value;
use oddsmith_analysis::probe::{
    Branch, Column, Probe, ProbePlan, Subject, Why, contest_plan, plan,
};
use oddsmith_exact::Error as ExactError;
use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, Config, Diagnostic};
use rayon::prelude::*;

use super::digest::Digest;
use crate::csv_rows;
use crate::toml_file::{Entry, list, quoted};
use crate::{Error, Limits};

/// A probe whose odds would take more steps than this, a tenth of a second, is left out.
const MOST_STEPS: u64 = 100_000_000;

/// Digits of the fingerprint of a configuration's odds.
const DIGITS: usize = 16;

/// What stands in place of a fingerprint where a requirement forbids the configuration, or where a rule can't be carried
/// out in it.
const FORBIDDEN: &str = "forbidden";
const BROKEN: &str = "broken";

/// Whose probes they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The check or the track itself.
    Own,
    /// The check against itself, if it declares what a contest compares.
    Contest,
}

impl Kind {
    pub(crate) const ALL: [Self; 2] = [Self::Own, Self::Contest];

    /// Its key in a manifest, and part of the name of its file.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::Own => "probes",
            Self::Contest => "contest",
        }
    }

    /// The check whose odds are probed; none if there is no such one.
    pub(crate) fn check(self, check: &Check) -> Option<Cow<'_, Check>> {
        match self {
            Self::Own => Some(Cow::Borrowed(check)),
            Self::Contest => {
                check.contest.as_ref()?;
                check.against(check, check.ties).ok().map(Cow::Owned)
            }
        }
    }

    /// Looks for the probes.
    fn plan(self, check: &Check, before: &[&Check], limits: &Limits) -> ProbePlan {
        let budget = limits.run_budget();
        let run = limits.questions(&budget);
        match self {
            Self::Own => plan(check, before, run),
            Self::Contest => contest_plan(check, before, run),
        }
    }
}

/// What a manifest says of probes: which there are, and why.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Probes {
    pub(crate) rows: u64,
    /// The fingerprint of the file.
    pub(crate) csv: String,
    /// The inputs that are moved by themselves, each with its values.
    pub(crate) moves: Vec<String>,
    /// Configurations that move an input which moves nothing by itself, or that go a way of their own.
    pub(crate) beside: Vec<String>,
    /// Inputs that are read, and that changed no odds in anything that was tried.
    pub(crate) idle: Vec<String>,
    /// Ways of the script that nothing went which was tried.
    pub(crate) unreached: Vec<String>,
}

impl Probes {
    /// Looks for the probes of a check, `before` which these stand in its ruleset, or which it is a contest of, and
    /// computes their odds: what a manifest says of them, and the file.
    ///
    /// # Errors
    /// If the odds of a probe can't be computed.
    pub(super) fn of(
        kind: Kind,
        check: &Check,
        before: &[&Check],
        limits: &Limits,
    ) -> Result<(Self, Vec<u8>), Error> {
        let limits = Limits {
            steps: MOST_STEPS,
            ..limits.clone()
        };
        let plan = kind.plan(check, before, &limits);
        let subject = Subject::new(check);
        let rows: Vec<Result<Vec<String>, Error>> = { plan.probes.par_iter() }
            .map(|probe| {
                let seen = Seen::of(check, &subject, &probe.config(check), &limits)?;
                Ok(record(check, probe, &seen))
            })
            .collect();
        let rows = rows.into_iter().collect::<Result<Vec<_>, Error>>()?;
        let bytes = file(&head(subject.columns()), &rows);
        let mut digest = Digest::default();
        digest.lines(&bytes);
        let unreached = plan.unreached.iter();
        let probes = Self {
            rows: plan.probes.len() as u64,
            csv: digest.finish(),
            moves: moves(check, &plan),
            beside: beside(check, &plan),
            idle: names(check, &plan.asleep),
            unreached: unreached.map(|way| way_text(check, *way)).collect(),
        };
        Ok((probes, bytes))
    }

    pub(super) fn render(&self, table: &str, kind: Kind, text: &mut String) {
        let _ = write!(text, "\n[tables.{table}.{}]\n", kind.key());
        let _ = writeln!(text, "rows = {}", self.rows);
        let _ = writeln!(text, "csv = {}", quoted(&self.csv));
        for (key, items) in [
            ("moves", &self.moves),
            ("beside", &self.beside),
            ("idle", &self.idle),
            ("unreached", &self.unreached),
        ] {
            let items = items.iter().map(|item| quoted(item));
            match key {
                _ if items.len() == 0 => {}
                // A line for each, so that a change of one is a change of a line.
                "beside" | "unreached" => {
                    let items: String = items.map(|item| format!("  {item},\n")).collect();
                    let _ = writeln!(text, "{key} = [\n{items}]");
                }
                _ => {
                    let _ = writeln!(text, "{key} = {}", list(items));
                }
            }
        }
    }

    pub(super) fn read(entry: &Entry<'_>) -> Result<Self, Diagnostic> {
        let rows = entry.need("rows")?;
        let count = u64::try_from(rows.integer()?).map_err(|_| rows.wrong("a number of rows"))?;
        let strings = |key: &str| match entry.get(key) {
            Some(list) => list.strings(),
            None => Ok(Vec::new()),
        };
        Ok(Self {
            rows: count,
            csv: entry.need("csv")?.string()?.to_owned(),
            moves: strings("moves")?,
            beside: strings("beside")?,
            idle: strings("idle")?,
            unreached: strings("unreached")?,
        })
    }
}

/// The inputs that are moved by themselves: `mood=0,1`.
fn moves(check: &Check, plan: &ProbePlan) -> Vec<String> {
    let mut moved: Vec<(InputId, Vec<String>)> = Vec::new();
    for probe in &plan.probes {
        let (Why::Moves(_), [(input, value)]) = (probe.why, probe.settings.as_slice()) else {
            continue;
        };
        let value = check.inputs[input.0].domain.show(*value);
        match moved.iter_mut().find(|(known, _)| known == input) {
            Some((_, values)) => values.push(value),
            None => moved.push((*input, vec![value])),
        }
    }
    let moved = moved.into_iter();
    moved
        .map(|(input, values)| format!("{}={}", check.inputs[input.0].name, values.join(",")))
        .collect()
}

fn beside(check: &Check, plan: &ProbePlan) -> Vec<String> {
    let probes = plan.probes.iter();
    let probes = probes.filter(|probe| !matches!(probe.why, Why::Default | Why::Moves(_)));
    probes
        .map(|probe| format!("{}: {}", probe.describe(check), why(check, probe.why)))
        .collect()
}

fn names(check: &Check, inputs: &[InputId]) -> Vec<String> {
    let names = inputs
        .iter()
        .map(|input| check.inputs[input.0].name.clone());
    names.collect()
}

fn why(check: &Check, why: Why) -> String {
    match why {
        Why::Default => "the defaults".to_owned(),
        Why::Moves(input) => format!("moves {}", check.inputs[input.0].name),
        Why::Wakes(input) => format!("wakes {}", check.inputs[input.0].name),
        Why::Reaches(branch) => format!("reaches {}", way_text(check, branch)),
        Why::Tells(start, end) => format!("tells a change of {}", words_at(check, start, end)),
    }
}

/// A way of the script in a few words: a part of the ruleset's text, and which way it goes there.
pub(crate) fn way_text(check: &Check, branch: Branch) -> String {
    let span = branch.span();
    format!(
        "{} of {}",
        branch.way,
        words_at(check, span.start, span.end)
    )
}

/// A part of the ruleset's text in backticks, cut short.
fn words_at(check: &Check, start: usize, end: usize) -> String {
    const MOST: usize = 48;
    let text = check.source.text.get(start..end).unwrap_or("");
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    let shown: String = text.chars().take(MOST).collect();
    let dots = if shown.len() < text.len() { " …" } else { "" };
    format!("`{shown}{dots}`")
}

/// The odds of one configuration, as a file has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    /// For each column its answer.
    pub(crate) values: Vec<Option<Value>>,
    /// A fingerprint of everything that is shown, jointly; or why there are no odds.
    pub(crate) odds: String,
}

impl Seen {
    /// Computes them.
    ///
    /// # Errors
    /// If that is over the limits, or beyond the exact engine.
    pub(crate) fn of(
        check: &Check,
        subject: &Subject<'_>,
        config: &Config,
        limits: &Limits,
    ) -> Result<Self, Error> {
        let without = |odds: &str| {
            Ok(Self {
                values: vec![None; subject.columns().len()],
                odds: odds.to_owned(),
            })
        };
        match subject.odds(config, &limits.share()) {
            Ok(odds) => {
                let mut bytes = Vec::new();
                odds.write(&mut bytes)
                    .expect("memory takes what is written");
                let mut digest = Digest::default();
                digest.lines(&bytes);
                let digest = digest.finish();
                let (_, digits) = digest.split_once(':').unwrap_or(("", &digest));
                Ok(Self {
                    values: odds.values,
                    odds: digits[..DIGITS].to_owned(),
                })
            }
            Err(ExactError::Requirement { .. }) => without(FORBIDDEN),
            Err(ExactError::Rule(_)) => without(BROKEN),
            Err(error) => Err(Error::ExactOf {
                question: format!(
                    "the odds of `{}` for {}",
                    check.name,
                    check.describe(config)
                ),
                error,
            }),
        }
    }

    /// Whether the configuration has odds, or at least a rule for them.
    pub(crate) fn is_allowed(&self) -> bool {
        self.odds != FORBIDDEN
    }
}

fn head(columns: &[Column]) -> Vec<String> {
    let names = columns.iter().map(|column| column.name.clone());
    let first = ["configuration", "why"].map(str::to_owned).into_iter();
    first.chain(names).chain(["odds".to_owned()]).collect()
}

/// Rows with their head as a file.
fn file(head: &[String], rows: &[Vec<String>]) -> Vec<u8> {
    let mut bytes = csv_rows::record(head);
    for row in rows {
        bytes.extend(csv_rows::record(row));
    }
    bytes
}

fn record(check: &Check, probe: &Probe, seen: &Seen) -> Vec<String> {
    let values = seen.values.iter().map(|value| match value {
        None => String::new(),
        Some(value) => value.to_string(),
    });
    let first = [probe.describe(check), why(check, probe.why)];
    let last = [seen.odds.clone()];
    first.into_iter().chain(values).chain(last).collect()
}

/// A row of an accepted file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Accepted {
    /// `mood=1, asset_mode=die`; empty for the defaults.
    pub(crate) configuration: String,
    pub(crate) seen: Seen,
}

impl Accepted {
    /// What the configuration is now, around `base`; none if an input of it is gone, or its value is no longer legal.
    pub(crate) fn config(&self, check: &Check, base: &Config) -> Option<Config> {
        let mut config = base.clone();
        let settings = self.configuration.split(", ");
        for setting in settings.filter(|setting| !setting.is_empty()) {
            let (name, value) = setting.split_once('=')?;
            let input = check.input(name)?;
            let domain = &check.inputs[input.0].domain;
            config.put(input, domain.read(value)?);
        }
        Some(config)
    }
}

/// The columns of an accepted file and its rows; none if it is no such file.
pub(crate) fn parse(text: &[u8]) -> Option<(Vec<String>, Vec<Accepted>)> {
    let mut reader = csv::Reader::from_reader(text);
    let head = reader.headers().ok()?.clone();
    let last = head.len().checked_sub(1)?;
    let columns: Vec<String> = head
        .iter()
        .skip(2)
        .take(last.checked_sub(2)?)
        .map(str::to_owned)
        .collect();
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.ok()?;
        let values: Option<Vec<Option<Value>>> = (2..last).map(|at| value(&record[at])).collect();
        rows.push(Accepted {
            configuration: record[0].to_owned(),
            seen: Seen {
                values: values?,
                odds: record[last].to_owned(),
            },
        });
    }
    Some((columns, rows))
}

/// `27/80`; empty is no answer. None of all if it is neither.
fn value(text: &str) -> Option<Option<Value>> {
    match text {
        "" => Some(None),
        value => value.parse().ok().map(Some),
    }
}
