//! Changes that no default sweep shows.

use oddsmith_testkit::rulesets::path_of;

use super::support::{Place, compared, counts, largest, moved, told};

/// A lantern with these rules, its odds accepted.
fn lantern(rules: &str) -> Place {
    let place = Place::of(rules);
    assert!(place.accepts().is_first);
    place
}

/// Rules in which an asset matters in a mood only.
pub(crate) const MOOD: &str = "\
name = \"Moods\"
[checks.check]
bands = [\"Miss\", \"Hit\"]
contest = \"total\"
axes.skill = { default = 0, domain = \"0..=3\", sweep = \"all\" }
axes.mood = { default = 0, domain = \"0..=1\" }
axes.asset = { default = 0, domain = \"0..=3\" }
rules = \"\"\"
let bonus = if mood == 1 and asset >= 2 then asset else 0
let die = 2d6
show total = die + skill + bonus
show high = highest(die)
show band = if total >= 9 then Hit else Miss
\"\"\"
";

#[test]
fn changes_of_the_shipped_rules_are_seen() {
    let rules = std::fs::read_to_string(path_of("rulesets/stars-and-signs.toml"));
    let rules = rules.expect("it can be read");
    // By the accepted odds alone, whatever is expected. The last track, which takes half of the time, calls the same.
    let (rules, _) = rules
        .split_once("[tracks.conflict]")
        .expect("it has a conflict");
    let place = lantern(rules);
    for (from, to) in [
        // The die of an Advantage.
        (
            "boosted(1, 10, min(adv_invokes",
            "boosted(1, 12, min(adv_invokes",
        ),
        // An Asset's bonus only in a Mood.
        (
            "(mood == 0 or mood_asset != nothing)",
            "(mood == 1 or mood_asset != nothing)",
        ),
        // A Mood keeps the Skill.
        (
            "= if mood == 1 then 0 else ceil(skill_rank / 2)",
            "= ceil(skill_rank / 2)",
        ),
        // The lent die is a size smaller.
        (
            "ladder[asset_quality])",
            "ladder[max(asset_quality - 1, 0)])",
        ),
        // Impactful counts twice.
        (
            "Hit:      slots_of(1d10 + impactful,",
            "Hit:      slots_of(1d10 + 2 * impactful,",
        ),
    ] {
        place.write("lantern.toml", rules);
        place.edit(from, to);
        // One line was edited, and it is named.
        let before = &rules[..rules.find(from).expect("it is there")];
        let line = before.lines().count();
        let found = place.moves();
        for table in found.moved() {
            let compared = table.compared().expect("both tables are there");
            assert_eq!(told(&compared.causes), [("the rules changed", line)]);
            assert!(compared.parameters.is_empty());
            assert!(compared.drift.is_any(), "{from}");
        }
    }
}

#[test]
fn a_rule_that_takes_two_inputs_is_probed() {
    let place = lantern(MOOD);
    let probes = place.read("odds/lantern/check.probes.csv");
    assert!(
        probes.starts_with("configuration,why,mean(total),mean(high),Miss,Hit,odds\n"),
        "{probes}"
    );
    assert!(
        probes.contains("\nmood=1,moves mood,7,161/36,13/18,5/18,"),
        "{probes}"
    );
    place.edit("asset >= 2 then asset", "asset >= 3 then asset");
    let found = place.moves();
    let check = compared(&found, "check");
    assert_eq!(told(&check.causes), [("the rules changed", 9)]);
    // A total of 9 or more is rolled with 7 or more, in 21 cases of 36, or with 9 or more, in 10.
    assert_eq!(
        moved(check),
        [
            "mood=1 asset=2: Miss 5/12 -> 13/18 (11/36)",
            "mood=1 asset=2: Hit 7/12 -> 5/18 (-11/36)",
            "mood=1 asset=2: mean(total) 9 -> 7 (-2)"
        ]
    );
}

#[test]
fn what_falls_together_otherwise_is_drift() {
    let place = lantern(MOOD);
    // Each number by itself has the odds that it had.
    place.edit("show high = highest(die)", "show high = highest(2d6)");
    let found = place.moves();
    let check = compared(&found, "check");
    assert_eq!(told(&check.causes), [("the rules changed", 12)]);
    let first = "the default configuration";
    assert_eq!(check.drift.moved_elsewhere(), Some((16, first)));
    assert_eq!((check.drift.moved_answers(), counts(check)), (0, (0, 20)));
    place.accepts();
}

#[test]
fn what_decides_a_contest_is_probed() {
    let place = lantern(MOOD);
    assert!(place.path("odds/lantern/check.contest.csv").exists());
    place.edit("contest = \"total\"", "contest = \"high\"");
    let found = place.moves();
    assert_eq!(
        largest(compared(&found, "check")),
        [
            "B: 6, 65/432 at a contest with a.skill=2",
            "tie: 6, 161/1296 at a contest with a.skill=2",
            "A: 6, -89/324 at a contest with a.skill=2",
            "decided: 6, -161/1296 at a contest with a.skill=2",
            "a_wins: 2, -551/2342 at a contest with a.skill=2",
            "b_wins: 2, 551/2342 at a contest with a.skill=2",
            "mean(rounds): 6, 104328/591355 at a contest with a.skill=2",
            "variance(rounds): 6, 85750626024/349700736025 at a contest with a.skill=2"
        ]
    );
    place.accepts();
    place.edit(
        "contest = \"high\"",
        "contest = \"high\"\nties = \"defender\"",
    );
    let found = place.moves();
    assert_eq!(
        largest(compared(&found, "check")),
        [
            "a_wins: 6, -143/1296 at a contest with the default configuration",
            "b_wins: 6, 143/1296 at a contest with the default configuration",
            "mean(rounds): 6, -143/505 at a contest with the default configuration",
            "variance(rounds): 6, -92664/255025 at a contest with the default configuration"
        ]
    );
    place.accepts();
    // No contest, no file.
    place.edit("contest = \"high\"\nties = \"defender\"\n", "");
    let found = place.moves();
    let drift = &compared(&found, "check").drift;
    let first = "a contest with the default configuration";
    assert_eq!(drift.gone_configurations(), Some((6, first)));
    assert_eq!(
        (drift.new_configurations(), drift.moved_answers()),
        (None, 0)
    );
    place.accepts();
    assert!(!place.path("odds/lantern/check.contest.csv").exists());
}

#[test]
fn a_requirement_that_changes_is_seen() {
    let rules = MOOD.replace("contest", "require = [\"mood + asset < 4\"]\ncontest");
    let place = lantern(&rules);
    place.edit("mood + asset < 4", "mood + asset < 3");
    let found = place.moves();
    let drift = &compared(&found, "check").drift;
    assert_eq!(drift.gone_configurations(), Some((2, "asset=3")));
    assert_eq!(drift.new_configurations(), None);
    place.accepts();
    place.edit("mood + asset < 3", "mood + asset < 4");
    let found = place.moves();
    let drift = &compared(&found, "check").drift;
    assert_eq!(drift.new_configurations(), Some((2, "asset=3")));
    assert_eq!(drift.gone_configurations(), None);
}

#[test]
fn no_more_is_said_than_was_looked_at() {
    let place = lantern(MOOD);
    // A branch that no accepted configuration can go, since it is new and does not matter.
    place.edit(
        "show total = die + skill + bonus",
        "let none = if 10 * skill + asset == 13 then 0 else 0\nshow total = die + skill + bonus + none",
    );
    let found = place.stays();
    assert!(found.has_other_rules && found.says_nothing());
    assert_eq!(found.configurations(), 20);
    let [gap] = &*found.gaps else {
        panic!("{:?}", found.gaps);
    };
    assert_eq!(
        (&*gap.text, gap.place.line, gap.place.column),
        (
            "none reaches branch 1 of `if 10 * skill + asset == 13 then 0 else 0`: `oddsmith check --update` looks for settings that lead there",
            11,
            12
        )
    );
    place.accepts();
    place.edit("name", "# A comment.\nname");
    let found = place.stays();
    assert!(found.has_other_rules && found.gaps.is_empty());
}

#[test]
fn probes_that_were_edited_are_no_baseline() {
    let place = Place::accepted();
    let path = "odds/lantern/check.probes.csv";
    let text = place.read(path);
    for (from, to, reason) in [
        (
            "boon_cap=1",
            "boon_cap=2",
            "was changed after it was accepted",
        ),
        (
            "\n",
            "\n<<<<<<< a\n",
            "has conflict markers of a merge, first in line 2",
        ),
    ] {
        place.write(path, &text.replacen(from, to, 1));
        let (reasons, _) = place.refuses();
        assert_eq!(reasons, [format!("`{path}` {reason}")]);
    }
    place.write(path, &text.replace('\n', "\r\n"));
    place.stays();
}
