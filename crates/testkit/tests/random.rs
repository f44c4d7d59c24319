//! Random scripts have everything in them that the language has: a generator that loses something makes every test that
//! walks its scripts weaker, and none of them fails.

use oddsmith_testkit::random::{check_of, model_of, text, trees};
use proptest::strategy::{Strategy, ValueTree as _};
use proptest::test_runner::{Config, RngAlgorithm, RngSeed, TestRunner};

/// Scripts of each kind that are drawn.
const DRAWN: usize = 500;

/// Times that each construct occurs at the least, in scripts that the checker accepts.
const LEAST: usize = 5;

/// Constructs of the language as scripts have them.
const CONSTRUCTS: [&str; 102] = [
    // Statements.
    "if k > 0 then min(",
    "let ",
    "set ",
    "show ",
    "show v",
    "repeat 0",
    "repeat 1",
    "repeat 2",
    "repeat until",
    "for i",
    " in 0..=2 - 1 {",
    "let l",
    ": 2]",
    "[0] = ",
    "[clamp(",
    "= sorted(l",
    "sum(l",
    "highest(l",
    "count(l",
    "index(l",
    "size(l",
    "lowest(l",
    "until ",
    "choose ",
    "oppose ",
    "subsets(",
    " where ",
    "inner(",
    ".rest",
    ".even",
    "bold(",
    // Numbers.
    "(k ",
    " + ",
    " - ",
    " * ",
    " == ",
    " != ",
    " < ",
    " <= ",
    " > ",
    " >= ",
    "(if ",
    "(match ",
    "else: ",
    "][clamp(",
    "floor(",
    "ceil(",
    "mod(",
    " / (abs(",
    "min(",
    "max(",
    "abs(",
    "sign(",
    "twice(",
    "odd(",
    "(not ",
    " and ",
    " or ",
    // Readings of pools.
    "sum(",
    "size(",
    "highest(",
    "lowest(",
    "matches(",
    "match_face(",
    "distinct(",
    "straight(",
    "straight_face(",
    "nth(",
    ", 2)",
    "map(",
    "count(",
    "wins(",
    "2d{rune}",
    ", star)",
    "(fold f, n of ",
    ", m of ",
    " with x = 0, y = 1 {",
    "seen or big",
    ", >= f)",
    "(fold h, l of ",
    "let more = min(f, v",
    "twice(n + sum(",
    "below(",
    "mix(",
    // Pools.
    "d2",
    "d3",
    "d{0, 2:2}",
    "r==1",
    "!(1)",
    "ro<2",
    "ro>2",
    "d[",
    "each(",
    "d(clamp(",
    "d{0: clamp(",
    "draw(clamp(",
    " kh ",
    " kl ",
    " dh ",
    " dl ",
    "best(",
    "hand(",
];

/// The values that a strategy draws, the same every time.
fn drawn<T: std::fmt::Debug>(strategy: impl Strategy<Value = T>) -> Vec<T> {
    let mut runner = TestRunner::new(Config {
        rng_algorithm: RngAlgorithm::ChaCha,
        rng_seed: RngSeed::Fixed(20_261_123),
        ..Config::default()
    });
    let mut draw = || {
        strategy
            .new_tree(&mut runner)
            .expect("it is drawn")
            .current()
    };
    (0..DRAWN).map(|_| draw()).collect()
}

/// The scripts of all kinds that the checker accepts.
fn accepted() -> Vec<String> {
    let trees = [false, true].map(|chooses| drawn(trees::script(chooses)));
    let scripts = trees.iter().flatten().map(text::script);
    let scripts = scripts.filter(|(script, goal)| check_of(script, goal.as_ref()).is_some());
    let tracks = drawn(trees::track())
        .into_iter()
        .map(|round| text::track(&round));
    let tracks = tracks.filter(|script| model_of("tracks", "", script).is_some());
    scripts.map(|(script, _)| script).chain(tracks).collect()
}

#[test]
fn random_scripts_have_every_construct() {
    let scripts = accepted();
    assert!(scripts.len() > DRAWN, "only {} are accepted", scripts.len());
    let times = |construct: &str| -> usize {
        let scripts = scripts.iter();
        scripts
            .map(|script| script.matches(construct).count())
            .sum()
    };
    let rare: Vec<(&str, usize)> = CONSTRUCTS
        .into_iter()
        .map(|construct| (construct, times(construct)))
        .filter(|(_, times)| *times < LEAST)
        .collect();
    assert!(rare.is_empty(), "{rare:?}");
}
