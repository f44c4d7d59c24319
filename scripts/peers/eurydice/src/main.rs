//! The workloads of `benches/lib.rs` in the language of AnyDice, as somebody who knows it would ask them:
//! `eurydice-workloads` lists them, `eurydice-workloads w3b` prints a time and the answers.
//!
//! A program is parsed before it is timed, and every run has an engine of its own, so that none finds what another has
//! computed. What a hyphen follows in a name is another way to ask the same.

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Instant;

use eurydice_engine::{Distribution, Engine, Program};

/// As in `workloads.py`: a time is the median of so many runs. Fewer will do once they have taken enough seconds, and
/// a single one that takes too many.
const MOST_RUNS: usize = 200_001;
const FEWEST_RUNS: usize = 5;
const ENOUGH_SECONDS: f64 = 2.0;
const TOO_MANY_SECONDS: f64 = 15.0;

/// The configurations of Stars & Signs, as in `workloads.py`.
const BOONS: std::ops::RangeInclusive<i32> = -5..=5;
const LADDER: [(i32, i32); 6] = [(1, 0), (2, 4), (4, 6), (6, 8), (8, 10), (10, 12)];
const INVOKES: std::ops::RangeInclusive<i32> = 0..=6;
const FLATS: std::ops::RangeInclusive<i32> = 0..=10;
const MOST_BOONS: i32 = 5;
const GRAZE: i32 = 10;
const HIT: i32 = 15;
const CRITICAL: i32 = 20;
/// Of the configurations that are asked one by one, only every so many-th.
const EVERY: usize = 199;

/// A program, and how its outputs are read.
struct Workload {
    name: &'static str,
    program: String,
    read: fn(&[Distribution]) -> Vec<Answer>,
}

/// Where a probability belongs, as `workloads answers` of benches prints it.
struct Answer {
    place: String,
    probability: f64,
}

fn main() {
    let workloads = workloads();
    let Some(name) = std::env::args().nth(1) else {
        workloads
            .iter()
            .for_each(|workload| println!("{}", workload.name));
        return;
    };
    let workload = workloads.iter().find(|workload| workload.name == name);
    let (seconds, answers) = time(workload.expect("a workload's name"));
    println!("{seconds:.9}");
    for Answer { place, probability } in answers {
        println!("{place} {probability}");
    }
}

fn time(workload: &Workload) -> (f64, Vec<Answer>) {
    let program = Program::compile(workload.program.as_str()).expect("a program");
    let mut times = Vec::new();
    loop {
        let start = Instant::now();
        let answers = black_box((workload.read)(&run(&program)));
        times.push(start.elapsed().as_secs_f64());
        if enough(&times) {
            times.sort_unstable_by(f64::total_cmp);
            return (times[times.len() / 2], answers);
        }
    }
}

fn run(program: &Program) -> Vec<Distribution> {
    let report = Engine::new().run_program(program);
    let error = report.diagnostics.first_error();
    assert!(error.is_none(), "{error:?}");
    let outputs = report.outputs.into_iter();
    outputs.map(|output| output.distribution).collect()
}

fn enough(times: &[f64]) -> bool {
    let spent: f64 = times.iter().sum();
    spent > TOO_MANY_SECONDS
        || times.len() >= MOST_RUNS
        || (spent > ENOUGH_SECONDS && times.len() >= FEWEST_RUNS)
}

fn workloads() -> Vec<Workload> {
    let single = |name, program: &str| Workload {
        name,
        program: program.to_owned(),
        read: single,
    };
    vec![
        Workload {
            name: "w1",
            program: table(),
            read: table_bands,
        },
        Workload {
            name: "w1-each",
            program: table_each(),
            read: table_each_bands,
        },
        Workload {
            name: "w2",
            program: BEST_OF_D6.to_owned(),
            read: best_of_d6,
        },
        single("w3a", "output [highest 50 of 100d20]"),
        single("w3b", "output [highest 3 of 4d6]"),
        single("w3d", "output [highest 5 of 20d100]"),
        single("w4a", &format!("{LARGEST} output [largest of 10 in 20d10]")),
        single("w4b", "output 200d(d10 >= 7)"),
        Workload {
            name: "w4c",
            program: format!(
                "{LARGEST} loop N over {{3..30}} {{ output 2 * [largest of 6 in Nd6] >= N }}"
            ),
            read: half_alike,
        },
        single("w5a", &summed("d6", &[10, 10, 10])),
        single("w5b", &summed("d100", &[10, 10])),
        Workload {
            name: "w7",
            program: COUNTER.to_owned(),
            read: counter,
        },
        single("w8-5k3", &exploding(5, 3)),
        single("w8-6k3", &exploding(6, 3)),
        single("w8-10k5", &exploding(10, 5)),
        single("w8-3v3", &net_pairs(3)),
        single("w8-4v4", &net_pairs(4)),
        single("w8-5v5", &net_pairs(5)),
        single("w8-10v10", &net_pairs(10)),
    ]
}

/// Without a six the highest die is read; of those that are a six, one in `Nd(d6 = 6)` is no Critical.
const BEST_OF_D6: &str = "
    output [lowest 1 of 2d6]
    loop N over {1..100} { output [highest 1 of Nd6] output Nd(d6 = 6) }
";

/// The largest set of a roll.
const LARGEST: &str = "
    function: largest of SIDES:n in ROLL:s {
        LARGEST: 0
        loop FACE over {1..SIDES} { LARGEST: [highest of LARGEST and [count FACE in ROLL]] }
        result: LARGEST
    }
";

/// Slots that are filled after each Check; 11 were full before.
const COUNTER: &str = "
    function: slots of POINTS:n { result: (POINTS + 4) / 5 }
    function: gain of TOTAL:n {
        if TOTAL >= 20 { result: [slots of 2d10] }
        if TOTAL >= 15 { result: [slots of d10] }
        result: TOTAL >= 10
    }
    function: fill FILLED:n by SLOTS:n {
        if FILLED >= 10 { result: 11 }
        result: [lowest of 10 and FILLED + SLOTS]
    }
    GAIN: [gain of 2d10 + d6]
    FILLED: 0
    loop ROUND over {1..30} {
        FILLED: [fill FILLED by GAIN]
        output FILLED = 10
    }
";

/// A die that is added up so many times, and so on. `+` adds far faster here than a pool does.
fn summed(die: &str, times: &[i32]) -> String {
    let mut program = format!("SUM: {die}");
    for times in times {
        let _ = write!(
            program,
            " PART: SUM loop TIME over {{2..{times}}} {{ SUM: SUM + PART }}"
        );
    }
    program + " output SUM"
}

fn exploding(dice: i32, keep: i32) -> String {
    format!("set \"explode depth\" to 4 output [highest {keep} of {dice}d[explode d10]]")
}

/// Pairs won less pairs lost, of sequences that are sorted.
fn net_pairs(dice: i32) -> String {
    format!(
        "function: net of OURS:s and THEIRS:s {{
            NET: 0
            loop PLACE over {{1..{dice}}} {{
                NET: NET + (PLACE@OURS > PLACE@THEIRS) - (PLACE@OURS < PLACE@THEIRS)
            }}
            result: NET
        }}
        output [net of {dice}d6 and {dice}d6]"
    )
}

/// The probability of one outcome.
fn probability(distribution: &Distribution, wanted: i32) -> f64 {
    at(distribution, |outcome| outcome == wanted)
}

fn at(distribution: &Distribution, is_wanted: impl Fn(i32) -> bool) -> f64 {
    let entries = distribution
        .entries()
        .filter(|(outcome, _)| is_wanted(outcome[0]));
    entries.map(|(_, probability)| probability).sum()
}

fn single(outputs: &[Distribution]) -> Vec<Answer> {
    let answer = |(outcome, probability): (&[i32], f64)| Answer {
        place: format!("0 {}", outcome[0]),
        probability,
    };
    outputs[0].entries().map(answer).collect()
}

fn best_of_d6(outputs: &[Distribution]) -> Vec<Answer> {
    let (none, rest) = outputs.split_first().expect("the output for no dice");
    let mut answers = Vec::new();
    push_bands(
        &mut answers,
        "0",
        &[
            at(none, |face| face <= 3),
            at(none, |face| face == 4 || face == 5),
            probability(none, 6),
            0.0,
        ],
    );
    for (place, pair) in rest.chunks_exact(2).enumerate() {
        let (highest, sixes) = (&pair[0], &pair[1]);
        push_bands(
            &mut answers,
            &(place + 1).to_string(),
            &[
                at(highest, |face| face <= 3),
                at(highest, |face| face == 4 || face == 5),
                probability(sixes, 1),
                at(sixes, |count| count >= 2),
            ],
        );
    }
    answers
}

fn half_alike(outputs: &[Distribution]) -> Vec<Answer> {
    let answer = |(dice, output)| Answer {
        place: format!("{dice} 0"),
        probability: probability(output, 1),
    };
    (3..).zip(outputs).map(answer).collect()
}

fn counter(outputs: &[Distribution]) -> Vec<Answer> {
    let answer = |(round, output): (i32, _)| Answer {
        place: round.to_string(),
        probability: probability(output, 1),
    };
    (1..).zip(outputs).map(answer).collect()
}

fn push_bands(answers: &mut Vec<Answer>, place: &str, bands: &[f64]) {
    let answer = |(band, &probability)| Answer {
        place: format!("{place} {band}"),
        probability,
    };
    answers.extend(bands.iter().enumerate().map(answer));
}

// Stars & Signs.

/// A pool with net Boons; the null die is their sign.
fn boosted(dice: i32, sides: i32, net: i32) -> String {
    let keep = if net >= 0 { "highest" } else { "lowest" };
    match sides {
        0 => format!("({})", net.signum()),
        _ => format!("[{keep} {dice} of {}d{sides}]", dice + net.abs()),
    }
}

fn advantage(invokes: i32) -> String {
    match invokes {
        0 => "0".to_owned(),
        _ => boosted(1, 10, (invokes - 1).min(MOST_BOONS)),
    }
}

/// All sums once. An Advantage is rolled on a success only. It can't lift a failure to a Hit if it counts at most for
/// the distance from a Graze to a Hit, so that two plain sums answer for it; a d10 can't lift one to a Critical.
fn table() -> String {
    let mut program = format!(
        "function: capped POINTS:n {{ result: [lowest of POINTS and {}] }}\n",
        HIT - GRAZE
    );
    let letters = || 'A'..='Z';
    for (letter, net) in letters().zip(BOONS) {
        let _ = writeln!(program, "CIRCUMSTANCE_{letter}: {}", boosted(2, 10, net));
    }
    for (letter, invokes) in letters().zip(INVOKES) {
        let _ = writeln!(program, "ADVANTAGE_{letter}: {}", advantage(invokes));
        let _ = writeln!(program, "CAPPED_{letter}: [capped ADVANTAGE_{letter}]");
    }
    for (circumstance, _) in letters().zip(BOONS) {
        for (_, sides) in LADDER {
            for net in BOONS {
                let ability = boosted(1, sides, net);
                let _ = writeln!(
                    program,
                    "RAW: CIRCUMSTANCE_{circumstance} + {ability} output RAW"
                );
                for (letter, _) in letters().zip(INVOKES).skip(1) {
                    let _ = writeln!(
                        program,
                        "output RAW + CAPPED_{letter} output RAW + ADVANTAGE_{letter}"
                    );
                }
            }
        }
    }
    program
}

fn table_bands(outputs: &[Distribution]) -> Vec<Answer> {
    let mut answers = Vec::new();
    let mut outputs = outputs.iter().map(Cumulative::new);
    for circ_boons in BOONS {
        for (rank, _) in LADDER {
            for ability_boons in BOONS {
                let raw = outputs.next().expect("the sum without Advantage");
                for invokes in INVOKES {
                    let sums = (invokes > 0).then(|| {
                        (
                            outputs.next().expect("a sum"),
                            outputs.next().expect("a sum"),
                        )
                    });
                    let (hit, critical) = sums
                        .as_ref()
                        .map_or((&raw, &raw), |(hit, critical)| (hit, critical));
                    for flat in FLATS {
                        let below = [
                            (0.0, 1.0),
                            raw.split(GRAZE - flat),
                            hit.split(HIT - flat),
                            critical.split(CRITICAL - flat),
                            (1.0, 0.0),
                        ];
                        let place = format!("{circ_boons} {rank} {ability_boons} {invokes} {flat}");
                        push_bands(&mut answers, &place, &between(&below));
                    }
                }
            }
        }
    }
    answers
}

/// Probabilities between neighbours, from the smaller tail, so that little is lost where they nearly cancel.
fn between(splits: &[(f64, f64); 5]) -> [f64; 4] {
    std::array::from_fn(|place| {
        let ((below, reached), (next_below, next_reached)) = (splits[place], splits[place + 1]);
        if reached < next_below {
            reached - next_reached
        } else {
            next_below - below
        }
    })
}

/// Both tails at every outcome.
struct Cumulative {
    least: i32,
    tails: Vec<(f64, f64)>,
}

impl Cumulative {
    fn new(distribution: &Distribution) -> Self {
        let entries: Vec<_> = distribution.entries().collect();
        let mut tails: Vec<_> = entries
            .iter()
            .map(|(_, probability)| (0.0, *probability))
            .collect();
        for place in 1..tails.len() {
            tails[place].0 = tails[place - 1].0 + entries[place - 1].1;
        }
        for place in (1..tails.len()).rev() {
            tails[place - 1].1 += tails[place].1;
        }
        Self {
            least: entries[0].0[0],
            tails,
        }
    }

    /// The probabilities of less than this, and of this or more.
    fn split(&self, threshold: i32) -> (f64, f64) {
        match usize::try_from(threshold - self.least) {
            Ok(place) => self.tails.get(place).copied().unwrap_or((1.0, 0.0)),
            Err(_) => (0.0, 1.0),
        }
    }
}

/// Some configurations, each asked by itself.
fn table_each() -> String {
    let mut program = format!(
        "function: band of TOTAL:n {{ result: (TOTAL >= {GRAZE}) + (TOTAL >= {HIT}) + (TOTAL >= {CRITICAL}) }}
        function: check RAW:n with ADVANTAGE:d {{
            if RAW < {GRAZE} {{ result: 0 }}
            result: [band of RAW + ADVANTAGE]
        }}\n"
    );
    for [circ_boons, rank, ability_boons, invokes, flat] in sampled_configurations() {
        let circumstance = boosted(2, 10, circ_boons);
        let (_, sides) = LADDER
            .into_iter()
            .find(|(other, _)| *other == rank)
            .expect("a rank");
        let ability = boosted(1, sides, ability_boons);
        let advantage = advantage(invokes);
        let _ = writeln!(
            program,
            "output [check {circumstance} + {ability} + {flat} with {advantage}]"
        );
    }
    program
}

fn table_each_bands(outputs: &[Distribution]) -> Vec<Answer> {
    let mut answers = Vec::new();
    for (configuration, output) in sampled_configurations().iter().zip(outputs) {
        let place = configuration.map(|value| value.to_string()).join(" ");
        push_bands(
            &mut answers,
            &place,
            &[0, 1, 2, 3].map(|band| probability(output, band)),
        );
    }
    answers
}

fn sampled_configurations() -> Vec<[i32; 5]> {
    let mut all = Vec::new();
    for circ_boons in BOONS {
        for (rank, _) in LADDER {
            for ability_boons in BOONS {
                for invokes in INVOKES {
                    all.extend(FLATS.map(|flat| [circ_boons, rank, ability_boons, invokes, flat]));
                }
            }
        }
    }
    all.into_iter().step_by(EVERY).collect()
}
