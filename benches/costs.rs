//! Holds what questions are predicted to cost against the time that they take: `cargo run --release -p oddsmith-benches --example costs`.
//!
//! A step stands for a nanosecond. The workloads and 200 random expressions are asked; each should take a third of the
//! time predicted for it at least, and three times that at most. Those that don't are named, and the exit code is 1.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use oddsmith_benches::{WORKLOADS, one_thread};
use oddsmith_exact::{Budget, distribution};
use oddsmith_rules::expression;

/// How far off a prediction may be, either way.
const MOST_OFF: f64 = 3.0;
/// A time is the fastest of so many runs, or of fewer that take this long.
const RUNS: usize = 200;
const LONGEST: Duration = Duration::from_millis(300);

fn main() -> ExitCode {
    one_thread();
    let mut costs: Vec<Cost> = WORKLOADS
        .iter()
        .map(|workload| {
            let prepared = workload.prepare();
            Cost::of(workload.name, |budget| drop(prepared.run(budget)))
        })
        .collect();
    let mut random = Random(2026);
    while costs.len() < WORKLOADS.len() + 200 {
        let text = random.expression();
        let check = expression(&text, "random").expect("a random expression is right");
        let limit = Budget::new(300_000_000);
        if distribution(&check, &check.defaults(), &check.outcomes[0], &limit).is_err() {
            continue; // too large to be repeated
        }
        costs.push(Cost::of(&text, |budget| {
            drop(distribution(
                &check,
                &check.defaults(),
                &check.outcomes[0],
                budget,
            ));
        }));
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
    #[expect(clippy::cast_precision_loss, reason = "a ratio is wanted")]
    fn of(question: &str, ask: impl Fn(&Budget)) -> Self {
        let budget = Budget::unlimited();
        ask(&budget);
        let begun = Instant::now();
        let mut fastest = Duration::MAX;
        for _ in 0..RUNS {
            let start = Instant::now();
            ask(&Budget::unlimited());
            fastest = fastest.min(start.elapsed());
            if begun.elapsed() > LONGEST {
                break;
            }
        }
        let question = question.to_owned();
        let (predicted, took) = (budget.spent() as f64, fastest.as_secs_f64() * 1e9);
        Self {
            question,
            predicted,
            took,
        }
    }

    /// How many times too long or too short the prediction is.
    fn ratio(&self) -> f64 {
        self.predicted / self.took
    }

    fn is_right(&self) -> bool {
        (1.0 / MOST_OFF..=MOST_OFF).contains(&self.ratio())
    }
}

#[expect(clippy::print_stdout, reason = "a program that prints")]
fn report(costs: &[Cost]) -> ExitCode {
    println!("{:>12} {:>12} {:>7}", "predicted", "took (ns)", "ratio");
    for cost in costs {
        let mark = if cost.is_right() { "" } else { "  <-" };
        let Cost {
            question,
            predicted,
            took,
        } = cost;
        println!(
            "{predicted:12.0} {took:12.0} {:7.2} {question}{mark}",
            cost.ratio()
        );
    }
    let wrong = costs.iter().filter(|cost| !cost.is_right()).count();
    println!(
        "{wrong} of {} are off by more than a factor of {MOST_OFF}",
        costs.len()
    );
    ExitCode::from(u8::from(wrong > 0))
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
