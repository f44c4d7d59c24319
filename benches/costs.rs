//! Holds what questions are predicted to cost against the processor time that they take:
//! `cargo run --release -p oddsmith-benches --example costs`.
//!
//! A step stands for about a nanosecond: how long one really takes, in the median of the questions, is the pace of the
//! machine. The workloads, the questions of `corpus.rs`, the searches of `searches.rs`, random expressions and random
//! scripts are asked; each should take a third of the time predicted for it at that pace at least, and three times that
//! at most, unless both are below 20 microseconds, where nothing is refused or waited for. Those that don't are named,
//! and the exit code is 1. A number after `costs --` is the seed of other random questions; words after it leave
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
/// What seems to be off is timed so often.
const TRIES: usize = 4;

#[expect(clippy::print_stdout, reason = "a program that prints")]
fn main() -> ExitCode {
    one_thread();
    println!("{:>12} {:>12} {:>7}", "predicted", "took (ns)", "ratio");
    let seed = std::env::args().nth(1);
    let seed = seed.map_or(2026, |seed| seed.parse().expect("a number as the seed"));
    let words = std::env::args().nth(2).unwrap_or_default();
    let mut asked = named(&words);
    if words.is_empty() {
        asked.extend(random(seed));
    }
    let mut costs: Vec<Cost> = asked
        .iter()
        .map(|(name, ask)| Cost::of(name, ask))
        .collect();
    let pace = pace(&costs);
    println!("a step takes {:.2} ns here, in the median", 1.0 / pace);
    for (cost, (_, ask)) in costs.iter_mut().zip(&asked) {
        cost.retry(ask, pace);
    }
    report(&costs, pace)
}

/// A question with its name, asked with a budget.
type Asked = (String, Box<dyn Fn(&Budget)>);

/// The workloads, and what of the corpus and of the searches has these words in its name.
fn named(words: &str) -> Vec<Asked> {
    let mut asked: Vec<Asked> = Vec::new();
    for workload in WORKLOADS {
        let prepared = workload.prepare();
        let ask = move |budget: &Budget| drop(prepared.run(budget));
        asked.push((workload.name.to_owned(), Box::new(ask)));
    }
    for question in questions() {
        if question.name.contains(words) {
            asked.push(certain(question));
        }
    }
    for (dials, goals) in searches::SEARCHES {
        let name = format!("search: {}: {}", dials.join(" "), goals.join(", "));
        if name.contains(words) {
            let game = rulesets::model_of(rulesets::PARAMETERS);
            let ask = move |budget: &Budget| {
                let answer = searches::search(&game, (dials, goals), budget);
                answer.unwrap_or_else(|error| panic!("{error}"));
            };
            asked.push((name, Box::new(ask)));
        }
    }
    asked
}

/// Random expressions and scripts that have an answer which does not take too long to be asked for again and again.
fn random(seed: u64) -> Vec<Asked> {
    let mut random = Random(seed);
    let mut asked = Vec::new();
    let is_answered = |question: &Question| question.ask(&Budget::new(MOST_STEPS)).is_ok();
    while asked.len() < EXPRESSIONS {
        let question = Question::dice(&random.expression());
        if is_answered(&question) {
            asked.push(certain(question));
        }
    }
    let scripts = random.scripts().into_iter().filter(is_answered);
    asked.extend(scripts.map(certain));
    asked
}

/// A question that is known to have an answer.
fn certain(question: Question) -> Asked {
    let name = question.name.clone();
    let ask = move |budget: &Budget| {
        let answer = question.ask(budget);
        answer.unwrap_or_else(|error| panic!("{}: {error}", question.name));
    };
    (name, Box::new(ask))
}

/// What was predicted for a question in steps, and what it took in nanoseconds.
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
        let predicted = budget.spent() as f64;
        let took = nanoseconds(&ask);
        println!(
            "{predicted:12.0} {took:12.0} {:7.2} {question}",
            predicted / took
        );
        Self {
            question: question.to_owned(),
            predicted,
            took,
        }
    }

    /// Asks again while the prediction seems to be off, as anything else that runs makes a question slower.
    fn retry(&mut self, ask: impl Fn(&Budget), pace: f64) {
        for _ in 1..TRIES {
            if self.is_right(pace) {
                break;
            }
            self.took = self.took.min(nanoseconds(&ask));
        }
    }

    /// How many times too long or too short the prediction is, for a machine that does so many steps in a nanosecond.
    fn ratio(&self, pace: f64) -> f64 {
        self.predicted / (self.took * pace)
    }

    fn is_right(&self, pace: f64) -> bool {
        let is_at_once = self.predicted.max(self.took) < AT_ONCE;
        is_at_once || (1.0 / MOST_OFF..=MOST_OFF).contains(&self.ratio(pace))
    }
}

/// How many of the predicted steps this machine does in a nanosecond: the median of all that is not over at once.
fn pace(costs: &[Cost]) -> f64 {
    let long = costs.iter().filter(|cost| cost.took >= AT_ONCE);
    let mut ratios: Vec<f64> = long.map(|cost| cost.ratio(1.0)).collect();
    ratios.sort_by(f64::total_cmp);
    ratios.get(ratios.len() / 2).copied().unwrap_or(1.0)
}

/// The shortest processor time that the question takes.
fn nanoseconds(ask: &impl Fn(&Budget)) -> f64 {
    fastest(|| ask(&Budget::unlimited())).as_secs_f64() * 1e9
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
fn report(costs: &[Cost], pace: f64) -> ExitCode {
    let wrong: Vec<String> = costs
        .iter()
        .filter(|cost| !cost.is_right(pace))
        .map(|cost| format!("{} ({:.2})", cost.question, cost.ratio(pace)))
        .collect();
    let named = if wrong.is_empty() { "" } else { ": " };
    let ratios = || costs.iter().map(|cost| cost.ratio(pace));
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
