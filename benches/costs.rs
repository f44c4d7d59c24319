//! Holds what questions are predicted to cost against the processor time that they take:
//! `cargo run --release -p oddsmith-benches --example costs`.
//!
//! A step stands for a nanosecond. The workloads, the questions of `corpus.rs`, the searches of `searches.rs`, random
//! expressions and random scripts are asked; each should take a third of the time predicted for it at least, and three
//! times that at most, unless both are below 20 microseconds, where nothing is refused or waited for. Those that don't
//! are named, and the exit code is 1. A number after `costs --` is the seed of other random questions; words after it leave
//! only those questions of the corpus that have them in their names, and no random ones.

mod corpus;
mod searches;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use oddsmith_benches::{WORKLOADS, one_thread};
use oddsmith_exact::Budget;
use oddsmith_testkit::clock::processor_time;
use oddsmith_testkit::random::{text, trees};
use oddsmith_testkit::rulesets;
use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::corpus::{Question, questions};

/// How far off a prediction may be, either way.
const MOST_OFF: f64 = 3.0;
/// Questions below so many nanoseconds, predicted and taken, are right: they end before anybody notices.
const AT_ONCE: f64 = 20_000.0;
/// A time is the shortest of so many, or of fewer that take this long.
const RUNS: usize = 30;
const LONGEST: Duration = Duration::from_millis(60);
/// How many random expressions are asked.
const EXPRESSIONS: usize = 200;
/// How many random scripts are written.
const SCRIPTS: usize = 100;
/// Random questions that take more steps are left out.
const MOST_STEPS: u64 = 300_000_000;
/// Shorter questions are asked several times in a row: reading the clock takes a while.
const SHORTEST: Duration = Duration::from_micros(20);
/// What seems to be off is timed so often, as anything else that runs makes it slower.
const TRIES: usize = 4;

#[expect(clippy::print_stdout, reason = "a program that prints")]
fn main() -> ExitCode {
    one_thread();
    println!("{:>12} {:>12} {:>7}", "predicted", "took (ns)", "ratio");
    let seed = std::env::args().nth(1);
    let seed = seed.map_or(2026, |seed| seed.parse().expect("a number as the seed"));
    let mut costs: Vec<Cost> = WORKLOADS
        .iter()
        .map(|workload| {
            let prepared = workload.prepare();
            Cost::of(workload.name, |budget| drop(prepared.run(budget)))
        })
        .collect();
    let words = std::env::args().nth(2).unwrap_or_default();
    for question in questions()
        .into_iter()
        .filter(|question| question.name.contains(&words))
    {
        costs.push(Cost::of(&question.name, |budget| {
            let asked = question.ask(budget);
            asked.unwrap_or_else(|error| panic!("{}: {error}", question.name));
        }));
    }
    let game = rulesets::model_of(rulesets::PARAMETERS);
    for (dials, goals) in searches::SEARCHES {
        let name = format!("search: {}: {}", dials.join(" "), goals.join(", "));
        if name.contains(&words) {
            costs.push(Cost::of(&name, |budget| {
                let asked = searches::search(&game, (dials, goals), budget);
                asked.unwrap_or_else(|error| panic!("{name}: {error}"));
            }));
        }
    }
    if !words.is_empty() {
        return report(&costs);
    }
    let mut random = Random(seed);
    let fixed = costs.len();
    while costs.len() < fixed + EXPRESSIONS {
        let question = Question::dice(&random.expression());
        // Not what is too large to be asked again and again.
        if question.ask(&Budget::new(MOST_STEPS)).is_ok() {
            costs.push(Cost::of(&question.name, |budget| _ = question.ask(budget)));
        }
    }
    for question in random.scripts() {
        if question.ask(&Budget::new(MOST_STEPS)).is_ok() {
            costs.push(Cost::of(&question.name, |budget| _ = question.ask(budget)));
        }
    }
    report(&costs)
}

/// What was predicted for a question, and what it took; both in nanoseconds.
struct Cost {
    question: String,
    predicted: f64,
    took: f64,
}

impl Cost {
    /// Asks, and prints how that went.
    #[expect(clippy::cast_precision_loss, reason = "a ratio is wanted")]
    #[expect(clippy::print_stdout, reason = "a program that prints")]
    fn of(question: &str, ask: impl Fn(&Budget)) -> Self {
        let budget = Budget::unlimited();
        ask(&budget);
        let mut cost = Self {
            question: question.to_owned(),
            predicted: budget.spent() as f64,
            took: f64::INFINITY,
        };
        for _ in 0..TRIES {
            let took = fastest(|| ask(&Budget::unlimited()));
            cost.took = cost.took.min(took.as_secs_f64() * 1e9);
            if cost.is_right() {
                break;
            }
        }
        let mark = if cost.is_right() { "" } else { "  <-" };
        let (predicted, took, ratio) = (cost.predicted, cost.took, cost.ratio());
        println!("{predicted:12.0} {took:12.0} {ratio:7.2} {question}{mark}");
        cost
    }

    /// How many times too long or too short the prediction is.
    fn ratio(&self) -> f64 {
        self.predicted / self.took
    }

    fn is_right(&self) -> bool {
        let is_at_once = self.predicted.max(self.took) < AT_ONCE;
        is_at_once || (1.0 / MOST_OFF..=MOST_OFF).contains(&self.ratio())
    }
}

/// The shortest time that it takes.
fn fastest(ask: impl Fn()) -> Duration {
    let timed = |times: u32| {
        let start = processor_time();
        (0..times).for_each(|_| ask());
        (processor_time() - start) / times
    };
    let first = timed(1).max(Duration::from_nanos(1));
    let times = u32::try_from(SHORTEST.as_nanos() / first.as_nanos())
        .unwrap_or(1)
        .max(1);
    let begun = Instant::now();
    let times =
        (0..RUNS).map_while(|run| (run == 0 || begun.elapsed() < LONGEST).then(|| timed(times)));
    times.fold(first, Duration::min)
}

#[expect(clippy::print_stdout, reason = "a program that prints")]
fn report(costs: &[Cost]) -> ExitCode {
    let wrong: Vec<String> = costs
        .iter()
        .filter(|cost| !cost.is_right())
        .map(|cost| format!("{} ({:.2})", cost.question, cost.ratio()))
        .collect();
    let named = if wrong.is_empty() { "" } else { ": " };
    let ratios = || costs.iter().map(Cost::ratio);
    println!(
        "{} of {} are off by more than a factor of {MOST_OFF}, the worst ones {:.2} and {:.2}{named}{}",
        wrong.len(),
        costs.len(),
        ratios().fold(f64::INFINITY, f64::min),
        ratios().fold(0.0, f64::max),
        wrong.join("; ")
    );
    ExitCode::from(u8::from(!wrong.is_empty()))
}

/// The SplitMix64 generator.
struct Random(u64);

impl Random {
    /// Below `end`.
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }

    /// From 1 to about `end`; a small number is as likely as a large one.
    fn size(&mut self, end: u64) -> u64 {
        let bits = u64::from(end.ilog2()) + 1;
        let size = 1 << self.below(bits);
        1 + self.below(size)
    }

    /// Questions about scripts that are drawn as trees.
    fn scripts(&mut self) -> Vec<Question> {
        let seed: Vec<u8> = (0..4)
            .flat_map(|_| self.below(u64::MAX).to_le_bytes())
            .collect();
        let random = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
        let mut runner = TestRunner::new_with_rng(Config::default(), random);
        let trees = trees::script(true);
        let questions = (0..SCRIPTS).flat_map(|_| {
            let tree = trees
                .new_tree(&mut runner)
                .expect("there is something to draw");
            let (rules, goal) = text::script(&tree.current());
            Question::script(&rules, goal.as_ref())
        });
        questions.collect()
    }

    fn sides(&mut self) -> u64 {
        [2, 3, 4, 6, 8, 10, 12, 20, 100][usize::try_from(self.below(9)).unwrap_or(0)]
    }

    /// Dice of one or several kinds.
    fn pool(&mut self, most: u64) -> (String, u64) {
        let dice = |random: &mut Self| {
            let (count, sides) = (random.size(most), random.sides());
            (format!("{count}d{sides}"), count)
        };
        match self.below(6) {
            0 => {
                let ((a, m), (b, n)) = (dice(self), dice(self));
                (format!("{{{a},{b}}}"), m + n)
            }
            1 => {
                let count = self.size(most / 2 + 1);
                let (sides, depth) = (self.sides(), self.size(4));
                (format!("{count}d{sides}!({depth})"), count)
            }
            2 => {
                let count = self.size(most);
                (format!("{count}d{{0: 3, 1: 2, 2, 5}}"), count)
            }
            _ => dice(self),
        }
    }

    /// One number of a pool.
    fn reading(&mut self, most: u64) -> String {
        let (pool, size) = self.pool(most);
        let some = 1 + self.below(size);
        match self.below(8) {
            0 | 1 => format!("{pool}kh{some}"),
            2 => format!("{pool}kl{some}"),
            3 => format!("{pool}dh1kh{some}"),
            4 => format!("({pool} cs>=3)"),
            5 => format!("matches({pool})"),
            6 => {
                let (other, _) = self.pool(most.min(16));
                format!("wins({pool}, {other})")
            }
            _ => pool,
        }
    }

    fn expression(&mut self) -> String {
        match self.below(8) {
            0 => format!(
                "{} + {} - {}",
                self.reading(64),
                self.reading(64),
                self.below(9)
            ),
            1 => format!("max({}, {})", self.reading(32), self.reading(32)),
            2 => format!("{} * {}", self.reading(8), self.reading(8)),
            3 => format!(
                "if {} >= {} then {} else {}",
                self.reading(16),
                self.below(20),
                self.reading(16),
                self.reading(16)
            ),
            _ => self.reading(128),
        }
    }
}
