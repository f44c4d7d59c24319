//! Dice and cards that do not go back, over many rounds: how many are left goes through too many values for the simulator,
//! which compiles a roll for each of them.

use oddsmith_exact::{Budget, answers};
use oddsmith_testkit::rulesets::model_of;

/// What a track comes to, with settings.
fn asked(text: &str, track: &str, settings: &[(&str, i64)], query: &str) -> String {
    let model = model_of(text);
    let track = model.track(track).expect("it is there");
    let query = track.query(query, "<query>").expect("a query");
    let mut config = track.defaults();
    for (name, value) in settings {
        config.put(track.input(name).expect("it is there"), *value);
    }
    let found = answers(track, &config, &[query], &Budget::unlimited()).expect("odds");
    found[0].to_ratio().expect("it is finite").to_string()
}

/// From a recursion that draws and rolls one die of Zombie Dice after the other.
#[test]
fn zombies_stop_in_time() {
    let text = include_str!("../../../../tests/cases/questions/zombies.toml");
    for (enough, dead, scored) in [
        (1, "90169/1933360", "4902813/3866720"),
        (3, "414412083/2613902720", "20248256157/10455610880"),
        (
            5,
            "18399829500631/84815915458560",
            "120152132151341/56543943639040",
        ),
    ] {
        let settings = [("enough", enough)];
        assert_eq!(asked(text, "turn", &settings, "dead"), dead);
        assert_eq!(asked(text, "turn", &settings, "mean(scored)"), scored);
    }
}

/// Printed by boardgameanalysis.com: fourteen attacks of Gloomhaven until the first is doubled.
#[test]
fn an_attack_is_doubled() {
    let text = include_str!("../../../../tests/cases/questions/decks.toml");
    assert_eq!(asked(text, "doubled", &[], "mean(rolls)"), "14");
}
