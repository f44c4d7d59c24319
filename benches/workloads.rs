//! Runs a workload for other tools: `workloads answers w3b` prints what it answers, `workloads time w3b` the median of
//! its seconds, and `workloads run w3b 10` nothing. `workloads` lists them all.

use std::time::{Duration, Instant};

use oddsmith_benches::{WORKLOADS, Workload, one_thread};
use oddsmith_exact::Budget;

/// A time is the median of so many runs, or of fewer that take this long. The shortest take microseconds: with a few
/// thousand runs, whatever else the machine does in these milliseconds is all that is measured.
const RUNS: usize = 200_001;
const LONGEST: Duration = Duration::from_secs(2);
/// What takes longer than this is run once.
const LONG: Duration = Duration::from_secs(10);

#[expect(clippy::print_stdout, reason = "a program that prints")]
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.as_slice() {
        [] => WORKLOADS
            .iter()
            .for_each(|workload| println!("{} {}", workload.name, workload.about)),
        ["answers", name] => answers(find(name))
            .iter()
            .for_each(|line| println!("{line}")),
        ["time", name] => println!("{:.9}", median(find(name)).as_secs_f64()),
        ["run", name, times] => run(find(name), times.parse().expect("a number of times")),
        _ => panic!("one of: nothing, `answers NAME`, `time NAME`, `run NAME TIMES`"),
    }
}

fn find(name: &str) -> &'static Workload {
    let mut workloads = WORKLOADS.iter();
    workloads
        .find(|workload| workload.name == name)
        .expect("a workload's name")
}

fn answers(workload: &Workload) -> Vec<String> {
    let answers = workload.prepare().run(&Budget::unlimited());
    answers.expect("the question has an answer").lines()
}

fn run(workload: &Workload, times: usize) {
    let prepared = workload.prepare();
    one_thread();
    for _ in 0..times {
        drop(std::hint::black_box(prepared.run(&Budget::unlimited())));
    }
}

/// One run on one thread; the first, which warms the caches, is not counted, unless it takes long.
fn median(workload: &Workload) -> Duration {
    let prepared = workload.prepare();
    one_thread();
    let begun = Instant::now();
    let mut times = Vec::new();
    while times.len() <= RUNS && (times.len() < 6 || begun.elapsed() < LONGEST) {
        let start = Instant::now();
        let answers = prepared.run(&Budget::unlimited());
        times.push(start.elapsed());
        drop(std::hint::black_box(answers));
        if times[0] > LONG {
            return times[0];
        }
    }
    times.remove(0);
    times.sort_unstable();
    times[times.len() / 2]
}
