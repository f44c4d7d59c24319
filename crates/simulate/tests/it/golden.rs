//! Values that a seed must always give: sums over the trials, written down when they were first rolled.
//!
//! They change only if the random stream, its mapping to faces, or the order in which a script rolls its dice changes.
//! Whoever changes one of these knows it from here, and says so in the changelog: seeds in users' files then mean
//! other rolls.

use oddsmith_rules::{Check, Query};
use oddsmith_simulate::{CHUNK, Simulation};

use crate::support::{
    check_of, config_of, expression_of, mean_of, model_at, policy_of, report, track_of,
};

const SEED: u64 = 20_261_121;

/// Of everything shown: the sum and the sum of squares.
type Sums = &'static [(i128, i128)];

fn complaint(name: &str, check: &Check, settings: &str, dice: u64, wanted: Sums) -> Option<String> {
    let config = config_of(check, settings);
    let queries: Vec<Query> = check.outcomes.iter().map(mean_of).collect();
    let policy = policy_of(check, &config).unwrap_or_else(|error| panic!("{name}: {error}"));
    let simulation = Simulation::new(check, &config, &queries, &policy);
    let simulation = simulation.unwrap_or_else(|error| panic!("{name}: {error}"));
    let tally = simulation.run(SEED, 0..CHUNK + 1_000);
    let tally = tally.unwrap_or_else(|error| panic!("{name}: {error}"));
    let sums = tally
        .sums
        .iter()
        .map(|sums| (sums.powers[0], sums.powers[1]));
    let sums: Vec<(i128, i128)> = sums.collect();
    let is_same = (tally.dice, sums.as_slice()) == (dice, wanted);
    (!is_same).then(|| format!("{name}: {} dice, {sums:?}", tally.dice))
}

#[test]
fn expressions_roll_what_they_always_rolled() {
    let cases: &[(&str, u64, Sums)] = &[
        ("4d6kh3", 266_144, &[(814_522, 10_512_180)]),
        ("2d6 + 1d20", 199_608, &[(1_163_759, 22_962_229)]),
        ("5d10!(3) kh 3", 369_440, &[(1_629_019, 44_343_243)]),
        ("4d6ro<3!>=5(2)", 583_778, &[(1_821_933, 56_161_487)]),
        (
            "3d{1: 7, 5: 9000, 900}",
            199_608,
            &[(1_009_091, 25_717_791)],
        ),
        (
            "1d{1: 3000000000000, 5: 9000000000000}",
            66_536,
            &[(266_852, 1_268_432)],
        ),
        ("2d100000", 133_072, &[(6_658_496_986, 776_880_799_297_076)]),
        ("1d65536", 66_536, &[(2_182_382_443, 95_440_992_826_207)]),
        (
            "highest(draw(3, {6: 2, 4: 4, 1: 6}))",
            199_608,
            &[(308_561, 1_578_851)],
        ),
        ("(1d4)d6 cs>=5", 332_680, &[(55_634, 92_764)]),
    ];
    let wrong = cases.iter().filter_map(|(text, dice, wanted)| {
        complaint(text, &expression_of(text), "", *dice, wanted)
    });
    report(&wrong.collect::<Vec<_>>());
}

#[test]
fn scripts_roll_what_they_always_rolled() {
    let check = check_of(
        "let n = 0\nrepeat 20 until n >= 9 { set n = n + 1d[2d3]r<3 - 1d4 }\nshow at_last = n",
    );
    let track = track_of(
        "let left = 9\nrepeat until left <= 0 { set left = left - highest(2d4) + 1 }\nshow debt = left",
    );
    let wrong = [
        complaint("loop", &check, "", 1_223_645, &[(659_694, 6_608_210)]),
        complaint(
            "track",
            &track,
            "",
            611_206,
            &[(305_603, 1_465_703), (-50_196, 77_956)],
        ),
    ];
    report(&wrong.into_iter().flatten().collect::<Vec<_>>());
}

#[test]
fn rulesets_roll_what_they_always_rolled() {
    let cases: &[(&str, &str, &str, u64, Sums)] = &[
        (
            "stars-and-signs",
            "check",
            "ability_rank=4 skill_rank=3",
            199_608,
            &[(0, 0), (1_096_081, 19_345_631), (123_882, 280_470)],
        ),
        (
            "stars-and-signs",
            "counter",
            "",
            1_711_296,
            &[(285_216, 1_334_316), (83_669, 151_905), (0, 0)],
        ),
        (
            "stars-and-signs",
            "check",
            "effort=2 effort_policy=optimal",
            199_608,
            &[(12_168, 12_168), (975_177, 15_586_773), (111_596, 239_518)],
        ),
        (
            "action-checks",
            "check",
            "",
            199_608,
            &[
                (329_472, 1_719_622),
                (86_075, 142_167),
                (29_703, 29_703),
                (33_228, 44_200),
                (66_174, 109_896),
                (100_206, 201_156),
                (58_029, 58_029),
                (76_980, 153_960),
            ],
        ),
        (
            "action-primer",
            "test",
            "",
            66_536,
            &[
                (465_752, 3_260_264),
                (185_897, 926_737),
                (0, 0),
                (6_495, 6_495),
                (46_652, 46_652),
            ],
        ),
        (
            "buried-secrets",
            "action",
            "",
            133_072,
            &[
                (71_734, 119_314),
                (101_192, 207_688),
                (92_564, 185_128),
                (0, 0),
            ],
        ),
        (
            "shelf/dice-games/yahtzee",
            "yahtzee",
            "",
            998_040,
            &[(204_890, 676_012), (3_001, 3_001)],
        ),
    ];
    let wrong = cases
        .iter()
        .filter_map(|(file, name, settings, dice, wanted)| {
            let model = model_at(&format!("rulesets/{file}.toml"));
            let check = model
                .check(name)
                .or_else(|| model.track(name))
                .expect("it is there");
            complaint(&format!("{file}:{name}"), check, settings, *dice, wanted)
        });
    report(&wrong.collect::<Vec<_>>());
}
