//! How long questions take: `cargo bench -p oddsmith-benches --bench odds`.
//!
//! The workloads begin with what is parsed or loaded; the rest is what comes before.

use divan::Bencher;
use oddsmith_benches::{WORKLOADS, Workload, one_thread, shipped_text};
use oddsmith_exact::Budget;
use oddsmith_rules::{expression, load};

fn main() {
    one_thread();
    divan::main();
}

#[divan::bench(args = WORKLOADS)]
fn workload(bencher: Bencher<'_, '_>, workload: &Workload) {
    let prepared = workload.prepare();
    bencher.bench_local(|| prepared.run(&Budget::unlimited()));
}

/// The whole table again, in parallel.
#[divan::bench]
fn w1_on_two_threads(bencher: Bencher<'_, '_>) {
    let prepared = WORKLOADS[0].prepare();
    let two = rayon::ThreadPoolBuilder::new()
        .num_threads(2)
        .build()
        .expect("threads");
    bencher.bench_local(|| two.install(|| prepared.run(&Budget::unlimited())));
}

#[divan::bench(args = ["4d6kh3", "{2d8,2d6}kh2", "4d10kh2 + 2d8kh1 + 3"])]
fn parse(bencher: Bencher<'_, '_>, text: &str) {
    bencher.bench(|| expression(divan::black_box(text), "bench"));
}

#[divan::bench(args = ["stars-and-signs", "action-checks", "action-primer", "buried-secrets"])]
fn load_ruleset(bencher: Bencher<'_, '_>, name: &str) {
    let text = shipped_text(name);
    bencher.bench(|| load(name, divan::black_box(text)));
}
