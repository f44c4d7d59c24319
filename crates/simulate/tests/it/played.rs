//! Tracks that play tracks, rolled with twenty seeds each.

use oddsmith_rules::{Check, Config, Model};

use crate::chances::{agree, judge, track_tables};
use crate::support::{config_of, model_at};

const TRIALS: u64 = 20_000;

fn with_each_seed(model: &Model, name: &str, set: &str, judged: impl Fn(&Check, &Config, u64)) {
    let check = model.check(name).or(model.track(name));
    let check = check.expect("it is there");
    let config = config_of(check, set);
    (0..20).for_each(|seed| judged(check, &config, seed));
}

#[test]
fn tracks_inside_tracks_end_as_is_computed() {
    let model = model_at("rulesets/examples/delve.toml");
    for (name, set) in [
        ("fight", "hp=3 foe=2"),
        ("delve", "hp=4 rooms=3 foe=2"),
        ("campaign", "delves=2"),
    ] {
        with_each_seed(&model, name, set, |track, config, seed| {
            let tables = track_tables(track, config, 6);
            assert!(tables.len() >= 2, "{name} shows something");
            let found = agree(track, config, &tables, seed, TRIALS);
            assert!(found.is_ok(), "{name} with seed {seed}: {found:?}");
        });
    }
}

#[test]
fn tracks_inside_checks_end_as_is_computed() {
    let model = model_at("rulesets/examples/delve.toml");
    with_each_seed(&model, "dare", "stealth=-2", |check, config, seed| {
        let found = judge(check, config, seed, TRIALS);
        assert!(found.is_ok(), "seed {seed}: {found:?}");
    });
}
