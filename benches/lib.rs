//! The workloads that speed is measured by, each a question through the public path: an expression that is parsed,
//! or a ruleset that is loaded, and from there to exact answers.
//!
//! `odds.rs` times them, `workloads.rs` runs one for other tools and prints what it answers, and `costs.rs` holds what
//! they are predicted to cost against the time that they take.

use oddsmith_exact::{
    Answer, Budget, Dist, Error, IBig, Joint, Rounds, Row, Sweep, UBig, answers, distribution,
    joint,
};
use oddsmith_rules::{Check, Config, InputRange, Model, Outcome, Query, expression, load};

/// That of the `oddsmith` binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A question and what it is about.
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    /// Short: `w3a`.
    pub name: &'static str,
    /// What is asked.
    pub about: &'static str,
    asked: Asked,
}

#[derive(Clone, Copy, Debug)]
enum Asked {
    /// Distributions of dice expressions, one after the other.
    Dists(&'static [&'static str]),
    /// The whole distribution of a value that is shown, or of several at once.
    Shown {
        check: Source,
        sets: &'static [&'static str],
        values: &'static [&'static str],
    },
    /// The bands of one configuration.
    Odds {
        check: Source,
        sets: &'static [&'static str],
    },
    /// The bands of many configurations, or other queries.
    Table {
        check: Source,
        sweeps: &'static [&'static str],
        queries: &'static [&'static str],
    },
    /// How many rounds a track takes, up to so many.
    Rounds {
        check: Source,
        sets: &'static [&'static str],
        horizon: usize,
    },
}

/// Where a check stands.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// In a shipped ruleset, by name: its first check.
    Shipped(&'static str),
    /// A track of a shipped ruleset.
    Track(&'static str, &'static str),
    /// The first check of this text.
    Text(&'static str),
    /// A check of this text.
    TextCheck(&'static str, &'static str),
    /// The first track of this text.
    TrackText(&'static str),
}

/// The highest of some d6 on bands, two sixes are a Critical; no dice are two of which the lower counts.
const BEST_OF_D6: &str = r#"
name = "Best of d6"
[checks.roll]
bands = ["1-3", "4/5", "6", "Critical"]
axes.dice = { default = 1, domain = "0..=100" }
rules = """
let pool  = if dice >= 1 then (dice)d6 else 2d6 kl 1
show band = if count(pool, 6) >= 2 then Critical else match highest(pool) { 6: "6", 4..=5: "4/5", else: "1-3" }
"""
"#;

/// Whether half of some d6 or more show the same face.
const HALF_ALIKE: &str = r#"
name = "Half alike"
[checks.roll]
axes.dice = { default = 3, domain = "1..=30" }
rules = """
show alike = 2 * matches((dice)d6) >= dice
"""
"#;

/// Two handfuls of d6, sorted and compared die by die; ties are void.
const NET_PAIRS: &str = r#"
name = "Net pairs"
[checks.battle]
axes.dice = { default = 3, domain = "1..=20" }
rules = """
let ours   = (dice)d6
let theirs = (dice)d6
show net   = wins(ours, theirs) - wins(theirs, ours)
"""
"#;

/// Two fighters strike in turn until one has no hit points.
const DUEL: &str = include_str!("../tests/games/duel.toml");

/// Pig die by die: two players who hold at the same sum of a turn.
const PIG: &str = include_str!("../tests/games/pig.toml");

/// A turn of Farkle in which every part of a roll that scores may be set aside.
const FARKLE: &str = include_str!("../tests/cases/questions/farkle.toml");

/// Genesys dice, all in one pool.
const SYMBOLS: &str = include_str!("../tests/cases/questions/symbols.toml");

/// Dice that cancel others, sets and straights, face by face.
const FOLDS: &str = include_str!("../tests/cases/questions/folds.toml");

/// Dice of symbols of which the best are kept, and rolled on where they explode.
const KEPT: &str = include_str!("../tests/cases/questions/l5r5e.toml");

/// Two sides that fire at once, by hits, wounds, saves and damage.
const VOLLEYS: &str = include_str!("../tests/cases/questions/volley.toml");

/// Sorted dice against sorted dice until one side has none left.
const WAR: &str = r#"
name = "War"
[tracks.main]
axes.armies = { default = 20, domain = "1..=200" }
rules = """
let a = armies
let d = armies
repeat until a == 0 or d == 0 {
  let won = wins((min(a, 3))d6, (min(d, 2))d6)
  set a = a - min(a, 3, d, 2) + won
  set d = d - won
}
show left = a - d
"""
"#;

/// 11 * 6 * 11 * 7 * 11 configurations.
const W1_SWEEPS: [&str; 5] = [
    "circ_boons=-5..=5",
    "ability_rank=1,2,4,6,8,10",
    "ability_boons=-5..=5",
    "adv_invokes=0..=6",
    "flat=0..=10",
];

/// All workloads, in order.
pub const WORKLOADS: &[Workload] = &[
    Workload {
        name: "w1",
        about: "the Stars & Signs table: 55,902 configurations of 4 bands",
        asked: Asked::Table {
            check: Source::Shipped("stars-and-signs"),
            sweeps: &W1_SWEEPS,
            queries: &[],
        },
    },
    Workload {
        name: "one",
        about: "one configuration of Stars & Signs, its bands and flags",
        asked: Asked::Odds {
            check: Source::Shipped("stars-and-signs"),
            sets: &["ability_rank=6", "skill_rank=3", "circ_boons=1"],
        },
    },
    Workload {
        name: "w2",
        about: "the highest of 0 to 100 d6 on bands, two sixes are a Critical",
        asked: Asked::Table {
            check: Source::Text(BEST_OF_D6),
            sweeps: &["dice=0..=100"],
            queries: &[],
        },
    },
    dist(
        "w3a",
        "the sum of the highest 50 of 100d20",
        &["100d20kh50"],
    ),
    dist("w3b", "the sum of the highest 3 of 4d6", &["4d6kh3"]),
    dist(
        "w3c",
        "the sum of the highest 10 of 10d4 to 10d12",
        &["{10d4,10d6,10d8,10d10,10d12}kh10"],
    ),
    dist("w3d", "the sum of the highest 5 of 20d100", &["20d100kh5"]),
    dist("w4a", "the largest set of 20d10", &["matches(20d10)"]),
    dist(
        "w4b",
        "how many of 200d10 show 7 or more",
        &["200d10 cs>=7"],
    ),
    Workload {
        name: "w4c",
        about: "whether half or more of 3 to 30 d6 are alike",
        asked: Asked::Table {
            check: Source::Text(HALF_ALIKE),
            sweeps: &["dice=3..=30"],
            queries: &["alike"],
        },
    },
    dist("w5a", "the sum of 1000d6", &["1000d6"]),
    dist("w5b", "the sum of 100d100", &["100d100"]),
    Workload {
        name: "w7",
        about: "how many Checks fill a Counter of 10 slots, up to 30",
        asked: Asked::Rounds {
            check: Source::Track("stars-and-signs", "counter"),
            sets: &["slots=10"],
            horizon: 30,
        },
    },
    dist(
        "w8-5k3",
        "the highest 3 of 5 d10, each exploding up to 4 times",
        &["5d10!(4)kh3"],
    ),
    dist(
        "w8-6k3",
        "the highest 3 of 6 d10, each exploding up to 4 times",
        &["6d10!(4)kh3"],
    ),
    dist(
        "w8-10k5",
        "the highest 5 of 10 d10, each exploding up to 4 times",
        &["10d10!(4)kh5"],
    ),
    pairs(
        "w8-3v3",
        "3d6 against 3d6: pairs won less pairs lost",
        &["dice=3"],
    ),
    pairs("w8-4v4", "4d6 against 4d6", &["dice=4"]),
    pairs("w8-5v5", "5d6 against 5d6", &["dice=5"]),
    pairs("w8-10v10", "10d6 against 10d6", &["dice=10"]),
    Workload {
        name: "w14",
        about: "14 dice of Genesys: successes and advantages together",
        asked: Asked::Shown {
            check: Source::Text(SYMBOLS),
            sets: &[
                "boosts=1",
                "abilities=3",
                "proficient=4",
                "setbacks=2",
                "difficulties=4",
            ],
            values: &["net", "advantage"],
        },
    },
    Workload {
        name: "w15",
        about: "60 shots, pool by pool: hits, wounds, saves, damage",
        asked: Asked::Shown {
            check: Source::Text(VOLLEYS),
            sets: &["shots=60"],
            values: &["damage"],
        },
    },
    dist(
        "w16",
        "seven cards: the longest run of one suit",
        &["straight(draw(7, {2..=14, 22..=34, 42..=54, 62..=74}))"],
    ),
    dist(
        "w16-flush",
        "five cards: how many are of one suit",
        &["matches(draw(5, {1..=4: 13}))"],
    ),
    Workload {
        name: "w17",
        about: "Technoir: 4 action dice, 4 push dice, and 5 that cancel",
        asked: Asked::Shown {
            check: Source::Text(FOLDS),
            sets: &["action=4", "push=4", "hurt=5"],
            values: &["result"],
        },
    },
    Workload {
        name: "w18",
        about: "CthulhuTech: the best die, set or straight of 10d10",
        asked: Asked::Shown {
            check: Source::TextCheck(FOLDS, "sets"),
            sets: &["dice=10"],
            values: &["total"],
        },
    },
    Workload {
        name: "w19",
        about: "Legend of the Five Rings: the best four kept of seven dice, and of what explodes",
        asked: Asked::Table {
            check: Source::Text(KEPT),
            sweeps: &["rings=4", "skills=3"],
            queries: &["mean(total)"],
        },
    },
    track(
        "w9",
        "a duel of 120 against 150 hit points: who wins, after how many rounds on average",
        DUEL,
        &["ours=120"],
        &["won", "mean(rolls)"],
    ),
    track(
        "w9t",
        "272 duels of 30 against 40 hit points",
        DUEL,
        &["ours=30", "theirs=40", "bonus=0..=15", "armour=9..=25"],
        &["won"],
    ),
    Workload {
        name: "w9r",
        about: "the rounds of a duel of 120 against 150 hit points, up to 60",
        asked: Asked::Rounds {
            check: Source::TrackText(DUEL),
            sets: &[],
            horizon: 60,
        },
    },
    track(
        "volleys",
        "a duel of 60 shots a round and 60 hit points a side: who wins",
        VOLLEYS,
        &["shots=60", "strength=60"],
        &["won"],
    ),
    Workload {
        name: "farkle",
        about: "the best turn of Farkle of five rolls at the most, for its points",
        asked: Asked::Table {
            check: Source::Text(FARKLE),
            sweeps: &["throws=5"],
            queries: &["mean(won)"],
        },
    },
    Workload {
        name: "w10",
        about: "three heroes with Despair, Wounds and two points of Effort each, a Counter of ten slots in nine turns",
        asked: Asked::Table {
            check: Source::Track("stars-and-signs", "party"),
            sweeps: &["slots=10", "timer=9", "refresh=2"],
            queries: &["\"in time\"", "mean(fragile_heroes)"],
        },
    },
    track(
        "w11",
        "Pig to 100, die by die, two players who hold at 20",
        PIG,
        &["goal=100"],
        &["first"],
    ),
    track(
        "w11-50",
        "Pig to 50, die by die",
        PIG,
        &["goal=50"],
        &["first"],
    ),
    Workload {
        name: "w12",
        about: "Pig to 100, die by die, two players who both play best",
        asked: Asked::Table {
            check: Source::Track("pig", "duel"),
            sweeps: &["goal=100"],
            queries: &["first"],
        },
    },
    track(
        "war",
        "RISK to the end, 20 armies against 20: who wins, and with how many left",
        WAR,
        &["armies=20"],
        &["P(left > 0)", "median(left)", "mean(left)"],
    ),
    dist(
        "small",
        "small pools of all kinds",
        &[
            "{2d8,2d6}kh2",
            "6d10 cs>=7",
            "4d10kh2 + 2d8kh1 + 3",
            "3d6!(4)",
            "2d20kl1 + 5",
            "d6 * d8",
            "3d6r<2",
            "4dF",
        ],
    ),
];

const fn dist(
    name: &'static str,
    about: &'static str,
    expressions: &'static [&'static str],
) -> Workload {
    Workload {
        name,
        about,
        asked: Asked::Dists(expressions),
    }
}

const fn track(
    name: &'static str,
    about: &'static str,
    text: &'static str,
    sweeps: &'static [&'static str],
    queries: &'static [&'static str],
) -> Workload {
    Workload {
        name,
        about,
        asked: Asked::Table {
            check: Source::TrackText(text),
            sweeps,
            queries,
        },
    }
}

const fn pairs(name: &'static str, about: &'static str, sets: &'static [&'static str]) -> Workload {
    Workload {
        name,
        about,
        asked: Asked::Shown {
            check: Source::Text(NET_PAIRS),
            sets,
            values: &["net"],
        },
    }
}

/// A workload whose text has been read: what is left is the question itself.
#[derive(Debug)]
pub struct Prepared(Ready);

#[derive(Debug)]
enum Ready {
    Dists(Vec<Check>),
    Shown {
        check: Check,
        config: Config,
        values: Vec<Outcome>,
    },
    Odds {
        check: Check,
        config: Config,
        queries: Vec<Query>,
    },
    Table {
        check: Check,
        ranges: Vec<InputRange>,
        queries: Vec<Query>,
    },
    Rounds {
        check: Check,
        config: Config,
        horizon: usize,
    },
}

/// What a workload answers.
#[derive(Debug)]
pub enum Answers {
    /// One for each expression.
    Dists(Vec<Dist>),
    /// Of several values at once.
    Joint(Joint),
    /// One for each query.
    Odds(Vec<Answer>),
    /// The rows of a table, chunk by chunk.
    Table {
        /// The answers.
        chunks: Vec<Chunk>,
        /// How many make a row.
        width: usize,
        /// The swept values.
        ranges: Vec<InputRange>,
    },
    /// Weights of 0, 1, 2 … rounds, and their total.
    Rounds(Vec<UBig>, UBig),
}

/// Rows side by side. What their swept values are follows from their numbers.
#[derive(Debug, Default)]
pub struct Chunk {
    stretches: Vec<Stretch>,
    /// The weights of all answers of the rows in stretches that have a total.
    weights: Vec<i64>,
    /// The answers of the other rows.
    others: Vec<Answer>,
}

/// Rows that follow one another.
#[derive(Debug)]
struct Stretch {
    /// The number of the first row.
    number: u64,
    rows: u64,
    /// The total of all answers, if they share one.
    total: Option<i64>,
}

/// Room for as many rows as a sweep renders at once, so that no chunk is moved while it grows.
const CHUNK_ROWS: usize = 2048;

impl Workload {
    /// Reads its expressions, or loads its ruleset.
    ///
    /// # Panics
    /// If they are wrong, which they are not.
    #[must_use]
    pub fn prepare(&self) -> Prepared {
        Prepared(match self.asked {
            Asked::Dists(texts) => {
                let parse =
                    |text: &&str| expression(text, "workload").expect("the expression is right");
                Ready::Dists(texts.iter().map(parse).collect())
            }
            Asked::Shown {
                check,
                sets,
                values,
            } => {
                let check = check.load();
                let config = configured(&check, sets);
                let (check, values) = check
                    .with_values(values, "workload")
                    .expect("they are shown");
                Ready::Shown {
                    check,
                    config,
                    values,
                }
            }
            Asked::Odds { check, sets } => {
                let check = check.load();
                let (config, queries) = (configured(&check, sets), check.own_queries());
                Ready::Odds {
                    check,
                    config,
                    queries,
                }
            }
            Asked::Table {
                check,
                sweeps,
                queries,
            } => {
                let check = check.load();
                let range = |text: &&str| check.sweep(text, "workload").expect("a legal sweep");
                let ranges = sweeps.iter().map(range).collect();
                let mut asked = check.own_queries();
                if let Some((_, bands)) = check.band() {
                    asked.truncate(bands.labels().len());
                }
                if !queries.is_empty() {
                    let query = |text: &&str| check.query(text, "workload").expect("a legal query");
                    asked = queries.iter().map(query).collect();
                }
                Ready::Table {
                    check,
                    ranges,
                    queries: asked,
                }
            }
            Asked::Rounds {
                check,
                sets,
                horizon,
            } => {
                let check = check.load();
                let config = configured(&check, sets);
                Ready::Rounds {
                    check,
                    config,
                    horizon,
                }
            }
        })
    }
}

impl Prepared {
    /// Asks the question; nothing is remembered from one time to the next.
    ///
    /// # Errors
    /// None: the questions have answers.
    #[inline(never)] // an instruction counter looks for it
    pub fn run(&self, budget: &Budget) -> Result<Answers, Error> {
        match &self.0 {
            Ready::Dists(checks) => {
                let dist = |check: &Check| {
                    distribution(check, &check.defaults(), &check.outcomes[0], budget)
                };
                checks
                    .iter()
                    .map(dist)
                    .collect::<Result<_, _>>()
                    .map(Answers::Dists)
            }
            Ready::Shown {
                check,
                config,
                values,
            } => match values.as_slice() {
                [value] => distribution(check, config, value, budget)
                    .map(|dist| Answers::Dists(vec![dist])),
                several => {
                    let several: Vec<&Outcome> = several.iter().collect();
                    joint(check, config, &several, budget).map(Answers::Joint)
                }
            },
            Ready::Odds {
                check,
                config,
                queries,
            } => answers(check, config, queries, budget).map(Answers::Odds),
            Ready::Table {
                check,
                ranges,
                queries,
            } => table(check, ranges, queries, budget),
            Ready::Rounds {
                check,
                config,
                horizon,
            } => {
                let lengths = Rounds::new(check, config, budget)?.lengths(*horizon, budget)?;
                Ok(Answers::Rounds(lengths.weights, lengths.total))
            }
        }
    }
}

/// All rows, in memory.
fn table(
    check: &Check,
    ranges: &[InputRange],
    queries: &[Query],
    budget: &Budget,
) -> Result<Answers, Error> {
    let base = check.defaults();
    let sweep = Sweep::new(check, &base, ranges, queries, budget)?;
    let mut chunks = Vec::new();
    sweep.run(
        |row: &Row<'_>, chunk: &mut Chunk| chunk.push(row),
        |chunk| {
            chunks.push(chunk);
            Ok::<_, Error>(())
        },
    )?;
    let (width, ranges) = (queries.len(), ranges.to_vec());
    Ok(Answers::Table {
        chunks,
        width,
        ranges,
    })
}

impl Chunk {
    fn push(&mut self, row: &Row<'_>) {
        let shared = row.answers.shared();
        let total = shared.map(|(_, total)| total);
        match self.stretches.last_mut() {
            Some(last) if last.total == total && last.number + last.rows == row.number => {
                last.rows += 1;
            }
            _ => self.stretches.push(Stretch {
                number: row.number,
                rows: 1,
                total,
            }),
        }
        match shared {
            Some((weights, _)) => {
                if self.weights.is_empty() {
                    self.weights.reserve_exact(CHUNK_ROWS * weights.len());
                }
                self.weights.extend_from_slice(weights);
            }
            None => self.others.extend(row.answers.iter().map(Answer::from)),
        }
    }

    /// The number and the answers of row after row, each with so many answers.
    fn rows(&self, width: usize) -> impl Iterator<Item = (u64, Vec<Answer>)> {
        let (mut weights, mut others) = (self.weights.chunks(width), self.others.chunks(width));
        let mut answers = move |total: Option<i64>| match total {
            Some(total) => {
                let answer = |weight: &i64| Answer {
                    weight: IBig::from(*weight),
                    total: UBig::try_from(total).expect("it is not negative"),
                };
                let weights = weights.next().expect("it has weights");
                weights.iter().map(answer).collect()
            }
            None => others.next().expect("it is among the others").to_vec(),
        };
        let rows = self.stretches.iter().flat_map(|stretch| {
            let numbers = stretch.number..stretch.number + stretch.rows;
            numbers.map(|number| (number, stretch.total))
        });
        rows.map(move |(number, total)| (number, answers(total)))
    }
}

impl Source {
    fn load(self) -> Check {
        match self {
            Self::Shipped(name) => shipped(name).checks.swap_remove(0),
            Self::Track(name, track) => shipped(name)
                .track(track)
                .expect("the track is there")
                .clone(),
            Self::Text(text) => written(text).checks.swap_remove(0),
            Self::TextCheck(text, name) => {
                let mut checks = written(text).checks.into_iter();
                checks
                    .find(|check| check.name == name)
                    .expect("the check is there")
            }
            Self::TrackText(text) => written(text).tracks.swap_remove(0),
        }
    }
}

fn written(text: &str) -> Model {
    load("workload", text.as_bytes()).expect("the ruleset is right")
}

/// A shipped ruleset.
///
/// # Panics
/// If there is none of that name.
#[must_use]
pub fn shipped(name: &str) -> Model {
    load(name, shipped_text(name)).expect("a shipped ruleset is right")
}

/// The text of a shipped ruleset.
///
/// # Panics
/// If there is none of that name.
#[must_use]
pub fn shipped_text(name: &str) -> &'static [u8] {
    let (_, text) = oddsmith_rules::all_games()
        .find(|(other, _)| *other == name)
        .expect("the ruleset is shipped");
    text.as_bytes()
}

fn configured(check: &Check, sets: &[&str]) -> Config {
    let mut config = check.defaults();
    for assignment in sets {
        check
            .set(&mut config, assignment, "workload")
            .expect("a legal setting");
    }
    config
}

impl Answers {
    /// Every number of the answer, a line each: where it belongs, its weight, its total.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        match self {
            Self::Dists(dists) => {
                for (place, dist) in dists.iter().enumerate() {
                    let total = dist.total();
                    lines
                        .extend(dist.iter().map(|(outcome, weight)| {
                            format!("{place} {outcome} {weight} {total}")
                        }));
                }
            }
            Self::Joint(joint) => {
                for (values, weight) in &joint.weights {
                    let values: Vec<String> = values.iter().map(i64::to_string).collect();
                    lines.push(format!("0 {} {weight} {}", values.join(" "), joint.total));
                }
            }
            Self::Odds(answers) => push_answers(&mut lines, "", answers),
            Self::Table {
                chunks,
                width,
                ranges,
            } => {
                for (number, answers) in chunks.iter().flat_map(|chunk| chunk.rows(*width)) {
                    push_answers(&mut lines, &values_at(ranges, number), &answers);
                }
            }
            Self::Rounds(weights, total) => {
                lines.extend(
                    weights
                        .iter()
                        .enumerate()
                        .map(|(rounds, weight)| format!("{rounds} {weight} {total}")),
                );
            }
        }
        lines
    }
}

/// The swept values of a row, the last fastest.
fn values_at(ranges: &[InputRange], number: u64) -> String {
    let (mut rest, mut text) = (number, String::new());
    for range in ranges.iter().rev() {
        let len = range.values.len() as u64;
        let place = usize::try_from(rest % len).expect("less than a length");
        text.insert_str(0, &format!("{} ", range.values[place]));
        rest /= len;
    }
    text
}

fn push_answers(lines: &mut Vec<String>, before: &str, answers: &[Answer]) {
    for (place, answer) in answers.iter().enumerate() {
        lines.push(format!(
            "{before}{place} {} {}",
            answer.weight, answer.total
        ));
    }
}

/// Its name.
impl std::fmt::Display for Workload {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// Lets everything run on the current thread from now on.
///
/// # Panics
/// If something ran on more before.
pub fn one_thread() {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .use_current_thread();
    pool.build_global().expect("nothing ran on threads before");
}
