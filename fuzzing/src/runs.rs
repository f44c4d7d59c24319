//! Runs: processes that try inputs, and what watches them.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ExitCode, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Error, Result, bail};
use oddsmith_fuzzing::{Inputs, TARGETS, Target, set_slack, try_input};

use crate::{RunArguments, TryArguments};

/// An input that takes longer is one that never ends.
const ENDLESS: Duration = Duration::from_secs(60);
/// Inputs between two looks at the clock.
const BETWEEN: u64 = 50;

fn target(name: &str) -> Result<&'static Target> {
    Target::named(name).map_err(Error::msg)
}

/// One thread does all work, so that its clock tells what an input takes.
fn one_thread() -> Result<()> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .use_current_thread();
    Ok(pool.build_global()?)
}

/// Tries inputs in this process: `wrong NUMBER MESSAGE` for each that is, `tried COUNT` in the end.
pub(crate) fn try_range(arguments: &TryArguments) -> Result<ExitCode> {
    one_thread()?;
    set_slack(arguments.slack);
    std::panic::set_hook(Box::new(|_| {}));
    let target = target(&arguments.target)?;
    let inputs = Inputs::new(target);
    let mut state = arguments.state.as_ref().map(File::create).transpose()?;
    let start = Instant::now();
    let mut tried = 0;
    let mut out = std::io::stdout();
    while tried < arguments.count {
        let number = arguments.first + tried;
        if let Some(state) = &mut state {
            state.write_all(&number.to_le_bytes())?;
            std::io::Seek::rewind(state)?;
        }
        if let Err(message) = try_input(target, &inputs.input(arguments.seed, number)) {
            writeln!(out, "wrong {number} {}", message.replace('\n', " "))?;
        }
        tried += 1;
        if tried % BETWEEN == 0 && start.elapsed().as_secs() >= arguments.seconds {
            break;
        }
    }
    writeln!(out, "tried {tried}")?;
    Ok(ExitCode::SUCCESS)
}

/// Tries one file.
pub(crate) fn try_file(name: &str, path: &Path) -> Result<ExitCode> {
    one_thread()?;
    match try_input(target(name)?, &fs::read(path)?) {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(message) => bail!("{message}"),
    }
}

/// Writes an input.
pub(crate) fn show(arguments: &TryArguments) -> Result<ExitCode> {
    let inputs = Inputs::new(target(&arguments.target)?);
    std::io::stdout().write_all(&inputs.input(arguments.seed, arguments.first))?;
    Ok(ExitCode::SUCCESS)
}

/// The number of an input, and what is wrong.
type Wrong = (u64, String);

/// What came of a target.
struct Tally {
    name: &'static str,
    tried: u64,
    wrong: u64,
}

/// Tries all targets, some at once.
#[expect(clippy::print_stdout, reason = "a program that prints")]
pub(crate) fn run(arguments: &RunArguments) -> Result<ExitCode> {
    let targets: Vec<&'static Target> = match &arguments.target {
        Some(name) => vec![target(name)?],
        None => TARGETS.iter().collect(),
    };
    let jobs = arguments.jobs.clamp(1, targets.len());
    let seconds = (arguments.seconds * jobs as u64 / targets.len() as u64).max(1);
    let waiting = Mutex::new(targets);
    let tallies = Mutex::new(Vec::new());
    std::thread::scope(|scope| -> Result<()> {
        let job = || -> Result<()> {
            loop {
                let Some(target) = waiting.lock().expect("no job panics").pop() else {
                    return Ok(());
                };
                let tally = watch(target, seconds, arguments)?;
                println!(
                    "{:<12} {:>10} tried {:>4} wrong",
                    tally.name, tally.tried, tally.wrong
                );
                tallies.lock().expect("no job panics").push(tally);
            }
        };
        let jobs: Vec<_> = (0..jobs).map(|_| scope.spawn(job)).collect();
        jobs.into_iter()
            .try_for_each(|job| job.join().expect("no job panics"))
    })?;
    let tallies = tallies.into_inner().expect("no job panics");
    let tried: u64 = tallies.iter().map(|tally| tally.tried).sum();
    let wrong: u64 = tallies.iter().map(|tally| tally.wrong).sum();
    println!("{:<12} {tried:>10} tried {wrong:>4} wrong", "all");
    Ok(ExitCode::from(u8::from(wrong > 0)))
}

/// Has processes try inputs of a target until the time is over or all are tried; one that dies is followed by another, past its last input.
fn watch(target: &'static Target, seconds: u64, arguments: &RunArguments) -> Result<Tally> {
    let end = Instant::now() + Duration::from_secs(seconds);
    let inputs = Inputs::new(target);
    let mut tally = Tally {
        name: target.name,
        tried: 0,
        wrong: 0,
    };
    let state = tempfile::NamedTempFile::new()?;
    while Instant::now() < end && tally.tried < arguments.count {
        let left = end
            .saturating_duration_since(Instant::now())
            .as_secs()
            .max(1);
        let mut process = Process::start(target, tally.tried, left, arguments, state.path())?;
        let (wrong, ended) = process.watch(state.path())?;
        let mut found = wrong;
        match ended {
            Some(tried) => tally.tried += tried,
            None => {
                let last = last_number(state.path())?;
                found.push((last, "the process died, or did not end".to_owned()));
                tally.tried = last + 1;
            }
        }
        for (number, message) in found {
            tally.wrong += 1;
            keep(
                target,
                &inputs.input(arguments.seed, number),
                number,
                &message,
                arguments,
            )?;
        }
    }
    Ok(tally)
}

/// Writes what was found, with the command that tries it again.
#[expect(clippy::print_stdout, reason = "a program that prints")]
fn keep(
    target: &Target,
    input: &[u8],
    number: u64,
    message: &str,
    arguments: &RunArguments,
) -> Result<()> {
    fs::create_dir_all(&arguments.found)?;
    let path = arguments
        .found
        .join(format!("{}-{}-{number}", target.name, arguments.seed));
    fs::write(&path, input)?;
    println!("{}: {message}", path.display());
    Ok(())
}

/// The input that a process tried last.
fn last_number(state: &Path) -> Result<u64> {
    let bytes = fs::read(state)?;
    let bytes = bytes.first_chunk().context("the process tried nothing")?;
    Ok(u64::from_le_bytes(*bytes))
}

/// A process that tries inputs.
struct Process {
    child: Child,
    told: PathBuf,
}

impl Process {
    fn start(
        target: &Target,
        first: u64,
        seconds: u64,
        arguments: &RunArguments,
        state: &Path,
    ) -> Result<Self> {
        let told = state.with_extension("told");
        let mut command = std::process::Command::new(std::env::current_exe()?);
        let count = arguments.count - first;
        command.args(["try", target.name, "--count", &count.to_string()]);
        command.args([
            "--seed",
            &arguments.seed.to_string(),
            "--first",
            &first.to_string(),
        ]);
        command.args([
            "--seconds",
            &seconds.to_string(),
            "--slack",
            &arguments.slack.to_string(),
        ]);
        command
            .arg("--state")
            .arg(state)
            .stdout(File::create(&told)?)
            .stderr(Stdio::null());
        Ok(Self {
            child: command.spawn()?,
            told,
        })
    }

    /// What was wrong, and how many inputs were tried; none if the process died.
    fn watch(&mut self, state: &Path) -> Result<(Vec<Wrong>, Option<u64>)> {
        let mut last = (None, Instant::now());
        while self.child.try_wait()?.is_none() {
            std::thread::sleep(Duration::from_millis(50));
            let now = last_number(state).ok();
            if now != last.0 {
                last = (now, Instant::now());
            } else if last.1.elapsed() > ENDLESS {
                self.child.kill()?;
            }
        }
        let (mut wrong, mut tried) = (Vec::new(), None);
        for line in BufReader::new(File::open(&self.told)?).lines() {
            let line = line?;
            let words: Vec<&str> = line.splitn(3, ' ').collect();
            match words[..] {
                ["wrong", number, message] => wrong.push((number.parse()?, message.to_owned())),
                ["tried", count] => tried = Some(count.parse()?),
                _ => bail!("a process said `{line}`"),
            }
        }
        fs::remove_file(&self.told)?;
        Ok((wrong, tried))
    }
}
