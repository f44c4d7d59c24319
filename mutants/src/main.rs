//! `mutants`: changes rulesets one token at a time and counts how many changes of the odds `oddsmith check` notices.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result};
use clap::Parser;
use oddsmith_mutants::guard::{Guard, Seen};
use oddsmith_mutants::listed::{self, Listed};
use oddsmith_mutants::mutants::{Mutant, mutants};
use oddsmith_mutants::odds::{Verdict, compare};
use oddsmith_mutants::parts::rules_alone;
use oddsmith_mutants::random::Random;
use oddsmith_rules::Model;
use rayon::prelude::*;

/// Changes rulesets one token at a time and counts how many changes of the odds `oddsmith check` notices
///
/// A change that it does not notice is proved to have the same odds in every configuration, or a configuration is
/// named that tells the two apart, or none was found. What survives must stand in the list of known survivors, with
/// the reason why no configuration can tell.
#[derive(Debug, Parser)]
struct Args {
    /// Change only these rulesets [default: all that come along, and the examples]
    #[arg(long = "ruleset", value_name = "FILE")]
    rulesets: Vec<PathBuf>,

    /// Try only so many changes, picked at random from all rulesets
    #[arg(long, value_name = "N")]
    sample: Option<usize>,

    /// What is picked: the same seed, the same changes
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Configurations that are tried at random to tell an unnoticed change apart
    #[arg(long, value_name = "N", default_value_t = 1000)]
    tries: usize,

    /// The program whose `check` is tested [default: $ODDSMITH, or target/release/oddsmith]
    #[arg(long, value_name = "FILE")]
    oddsmith: Option<PathBuf>,

    /// Known survivors
    #[arg(long, value_name = "FILE", default_value = "tests/mutants.toml")]
    survivors: PathBuf,

    /// Show every change with what became of it
    #[arg(long)]
    all: bool,

    /// Show the survivors that are not listed as entries for the list
    #[arg(long)]
    propose: bool,
}

/// What became of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Fate {
    DoesNotLoad,
    Equivalent,
    Undecided(usize),
    /// By the accepted odds.
    Noticed,
    /// By an expectation, and not by the accepted odds.
    Expected,
    /// Where the odds differ.
    Survived(String),
}

/// A ruleset with its changes.
struct Subject {
    name: String,
    /// Its rules alone, see [`rules_alone`].
    text: String,
    model: Model,
    /// Accepted odds of the rules alone.
    guard: Guard,
    /// The file with its expectations.
    whole: String,
}

#[expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program that prints"
)]
fn main() -> ExitCode {
    let args = Args::parse();
    match run(&args) {
        Ok((report, wrong)) => {
            print!("{report}");
            if wrong > 0 {
                eprintln!(
                    "error: {wrong} unlike `{}`: neither noticed nor listed, or listed and yet noticed",
                    args.survivors.display()
                );
            }
            ExitCode::from(u8::from(wrong > 0))
        }
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// The report, and how many changes are not what the list of known survivors says.
fn run(args: &Args) -> Result<(String, usize)> {
    let directory = tempfile::tempdir()?;
    let program = args
        .oddsmith
        .clone()
        .or(std::env::var_os("ODDSMITH").map(PathBuf::from));
    let program = program.unwrap_or("target/release/oddsmith".into());
    let program = fs::canonicalize(&program)
        .with_context(|| format!("there is no program `{}`", program.display()))?;
    let files = match args.rulesets.is_empty() {
        true => shipped()?,
        false => args.rulesets.clone(),
    };
    let subjects: Vec<Result<Subject>> = files
        .par_iter()
        .map(|file| Subject::read(file, &program, directory.path()))
        .collect();
    let subjects = subjects.into_iter().collect::<Result<Vec<Subject>>>()?;
    let mut tasks: Vec<(usize, Mutant)> = Vec::new();
    for (at, subject) in subjects.iter().enumerate() {
        let all = mutants(&subject.text, &subject.model).into_iter();
        tasks.extend(all.map(|mutant| (at, mutant)));
    }
    if let Some(sample) = args.sample {
        Random::new(args.seed).shuffle(&mut tasks);
        tasks.truncate(sample);
        tasks.sort();
    }
    let done = AtomicUsize::new(0);
    let total = tasks.len();
    let fates: Vec<Result<Fate>> = tasks
        .par_iter()
        .enumerate()
        .map(|(id, (at, mutant))| {
            let fate = subjects[*at].fate(mutant, id, args);
            let result = fate.as_ref().map(|fate| Outcome {
                subject: &subjects[*at],
                mutant,
                fate,
            });
            progress(
                done.fetch_add(1, Ordering::Relaxed) + 1,
                total,
                result.ok().as_ref(),
            );
            fate
        })
        .collect();
    let fates = fates.into_iter().collect::<Result<Vec<Fate>>>()?;
    let results: Vec<Outcome<'_>> = tasks
        .iter()
        .zip(&fates)
        .map(|((at, mutant), fate)| Outcome {
            subject: &subjects[*at],
            mutant,
            fate,
        })
        .collect();
    let known = fs::read_to_string(&args.survivors).unwrap_or_default();
    report(&results, &listed::read(&known)?, args)
}

/// A change and what became of it.
struct Outcome<'r> {
    subject: &'r Subject,
    mutant: &'r Mutant,
    fate: &'r Fate,
}

impl Outcome<'_> {
    fn listed(&self, reason: &str) -> Listed {
        let (was, now) = self.mutant.lines(&self.subject.text);
        Listed {
            file: self.subject.name.clone(),
            part: self.mutant.key.clone(),
            was,
            now,
            reason: reason.to_owned(),
        }
    }
}

/// On standard error: what is not noticed, as soon as that is known, and every 100 changes how far it is.
#[expect(clippy::print_stderr, reason = "progress")]
fn progress(done: usize, total: usize, result: Option<&Outcome<'_>>) {
    if done.is_multiple_of(100) {
        eprintln!("{done} of {total}");
    }
    if let Some(result) = result
        && matches!(result.fate, Fate::Survived(_) | Fate::Undecided(_))
    {
        eprint!("{}", line(result, &format!("{:?}", result.fate)));
    }
}

/// The rulesets of the repository, the shipped ones first.
fn shipped() -> Result<Vec<PathBuf>> {
    let entries = |directory: &Path| -> Result<Vec<PathBuf>> {
        let entries = fs::read_dir(directory).context("run this at the repository's root")?;
        let mut paths = entries
            .map(|entry| Ok(entry?.path()))
            .collect::<Result<Vec<PathBuf>>>()?;
        paths.sort();
        Ok(paths)
    };
    let mut files = entries(Path::new("rulesets"))?;
    for family in entries(Path::new("rulesets/shelf"))? {
        files.append(&mut entries(&family)?);
    }
    files.append(&mut entries(Path::new("rulesets/examples"))?);
    files.retain(|path| path.extension().is_some_and(|end| end == "toml"));
    Ok(files)
}

impl Subject {
    fn read(file: &Path, program: &Path, directory: &Path) -> Result<Self> {
        let name = file.display().to_string();
        let whole = fs::read_to_string(file).with_context(|| format!("can't read `{name}`"))?;
        let text = rules_alone(&whole);
        let model = oddsmith_rules::load(&name, text.as_bytes())?;
        let stem = file
            .file_stem()
            .context("a file has a name")?
            .to_string_lossy();
        let directory = directory.join(name.replace(['/', '\\'], "-"));
        fs::create_dir_all(&directory)?;
        let guard = Guard::new(program, &directory, &stem, &text)?;
        Ok(Self {
            name,
            text,
            model,
            guard,
            whole,
        })
    }

    fn fate(&self, mutant: &Mutant, id: usize, args: &Args) -> Result<Fate> {
        let text = mutant.apply(&self.text);
        let Ok(model) = oddsmith_rules::load(&self.name, text.as_bytes()) else {
            return Ok(Fate::DoesNotLoad);
        };
        if self.guard.sees(&id.to_string(), &text)? != Seen::Nothing {
            return Ok(Fate::Noticed);
        }
        // The accepted odds are the same, and the file's expectations are judged beside them.
        let whole = mutant.apply_to_whole(&self.text, &self.whole);
        if self.guard.sees(&id.to_string(), &whole)? != Seen::Nothing {
            return Ok(Fate::Expected);
        }
        let mut random = Random::new(args.seed);
        Ok(
            match compare(&self.model, &model, args.tries, &mut random) {
                Verdict::Same => Fate::Equivalent,
                Verdict::Unknown(tried) => Fate::Undecided(tried),
                Verdict::Differs { check, settings } => {
                    Fate::Survived(format!("{check}: {settings}"))
                }
            },
        )
    }
}

/// How many changes came to what.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    tried: usize,
    does_not_load: usize,
    equivalent: usize,
    undecided: usize,
    noticed: usize,
    expected: usize,
    survived: usize,
}

impl Count {
    fn add(&mut self, fate: &Fate) {
        self.tried += 1;
        *match fate {
            Fate::DoesNotLoad => &mut self.does_not_load,
            Fate::Equivalent => &mut self.equivalent,
            Fate::Undecided(_) => &mut self.undecided,
            Fate::Noticed => &mut self.noticed,
            Fate::Expected => &mut self.expected,
            Fate::Survived(_) => &mut self.survived,
        } += 1;
    }

    fn line(&self, name: &str) -> String {
        let Self {
            tried,
            does_not_load,
            equivalent,
            undecided,
            noticed,
            expected,
            survived,
        } = self;
        let real = noticed + expected + survived;
        // Tenths of a percent, rounded down: 100 % is all of them.
        let share = ((noticed + expected) * 1000)
            .checked_div(real)
            .unwrap_or(1000);
        format!(
            "{name:<44} {tried:>6} {does_not_load:>14} {equivalent:>11} {undecided:>10} {noticed:>8} {expected:>8} {survived:>9} {:>5}.{} %\n",
            share / 10,
            share % 10
        )
    }
}

fn report(results: &[Outcome<'_>], known: &[Listed], args: &Args) -> Result<(String, usize)> {
    let mut counts: BTreeMap<&str, Count> = BTreeMap::new();
    let mut all = Count::default();
    let mut text = String::new();
    let mut wrong = 0;
    for result in results {
        counts
            .entry(&result.subject.name)
            .or_default()
            .add(result.fate);
        all.add(result.fate);
        let unseen = match result.fate {
            Fate::Survived(place) => format!("differs in {place}"),
            Fate::Undecided(tried) => format!("no difference found in {tried} configurations"),
            fate => {
                if args.all {
                    text += &line(result, &format!("{fate:?}"));
                }
                continue;
            }
        };
        let key = result.listed("");
        let is_known = known.iter().any(|known| {
            Listed {
                reason: String::new(),
                ..known.clone()
            } == key
        });
        wrong += usize::from(!is_known);
        if args.propose {
            if !is_known {
                text += &format!("{}\n", listed::render(&result.listed(&unseen)));
            }
            continue;
        }
        text += &line(
            result,
            &format!(
                "{unseen}{}",
                if is_known {
                    " (listed)"
                } else {
                    " (not listed)"
                }
            ),
        );
    }
    for known in known {
        let same = |result: &&Outcome<'_>| result.listed(&known.reason) == *known;
        let mut met = results.iter().filter(same).peekable();
        let is_unseen = |fate: &Fate| matches!(fate, Fate::Survived(_) | Fate::Undecided(_));
        let was_tried = met.peek().is_some();
        if was_tried && !met.any(|result| is_unseen(result.fate)) {
            wrong += 1;
            text += &format!(
                "listed, but it does not survive any more:\n{}\n",
                listed::render(known)
            );
        }
    }
    text += &format!(
        "{:<44} {:>6} {:>14} {:>11} {:>10} {:>8} {:>8} {:>9}\n",
        "ruleset",
        "tried",
        "does not load",
        "equivalent",
        "undecided",
        "noticed",
        "expected",
        "survived"
    );
    for (name, count) in &counts {
        text += &count.line(name);
    }
    text += &all.line("all");
    Ok((text, wrong))
}

fn line(result: &Outcome<'_>, what: &str) -> String {
    let Outcome {
        subject, mutant, ..
    } = result;
    let (name, line) = (&subject.name, mutant.line(&subject.text));
    let was = &subject.text[mutant.start..mutant.end];
    let (_, now) = mutant.lines(&subject.text);
    format!(
        "{name}:{line} [{}] {} `{was}` -> `{}`: {now}\n    {what}\n",
        mutant.key, mutant.kind, mutant.with
    )
}
