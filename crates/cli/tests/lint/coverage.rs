//! How much is looked at before it is said that something never is so.

use super::{findings, ids};

fn none() -> Vec<&'static str> {
    Vec::new()
}

/// An axis that is not read has values, too, but those of the one that is read are what counts.
#[test]
fn a_sweep_of_what_is_not_read_is_not_all() {
    let game = |faces: u32| {
        format!(
            r#"name = "R"
[checks.check]
bands = ["E", "F"]
axes.q = {{ default = 0, domain = "0..=30" }}
axes.w = {{ default = 0, domain = "0..=11", sweep = "all" }}
rules = """
show band = if 1d6 + (if q == 25 then 1 else 0) > {faces} then F else E
"""
"#
        )
    };
    assert_eq!(ids(&findings(&game(4), "--only dead-axis/check/q")), none());
    assert_eq!(ids(&findings(&game(6), "--only unreachable")), none());
    let found = findings(&game(7), "--only unreachable");
    assert_eq!(ids(&found), ["unreachable/check/F"]);
    // All of what is read: 31 values of `q`.
    assert_eq!(found[0]["configurations"], 31);
    assert_eq!(found[0]["of_configurations"], 31);
}

#[test]
fn far_values_are_looked_at() {
    for (domains, needed) in [
        (["0..=30", "0..=0"], 26),
        (["0..=5000", "0..=0"], 4_997),
        (["0..=120", "0..=30"], 147),
    ] {
        let [a, b] = domains;
        let game = |at_least: i64| {
            format!(
                r#"name = "R"
[checks.check]
bands = ["A", "B"]
axes.a = {{ default = 0, domain = "{a}" }}
axes.b = {{ default = 0, domain = "{b}" }}
rules = "show band = if 1d6 + a + b > {at_least} then B else A"
"#
            )
        };
        let only = "--only unreachable --only dead-axis/check/a";
        assert_eq!(ids(&findings(&game(needed), only)), none(), "{domains:?}");
        let never = findings(&game(needed + 10), only);
        assert_eq!(ids(&never), ["unreachable/check/B", "dead-axis/check/a"]);
        for finding in never {
            assert_eq!(finding["configurations"], finding["of_configurations"]);
        }
    }
}

/// A flag that happens whenever a band is reached is an outcome of its own.
#[test]
fn what_two_outcomes_say_alike_is_said_of_both() {
    let game = r#"name = "R"
[params.pushing]
default = "helps"
domain = ["helps", "hurts"]
reading = "It is open."
[checks.try]
bands = ["miss", "hit"]
axes.push = { default = 0, domain = "0..=2" }
rules = """
let total = 1d10 + (if pushing == helps then push else -push)
show band = if total > 5 then hit else miss
show success = total > 5
"""
"#;
    let found = findings(game, "--only sign");
    let expected = [
        "sign/try/push+pushing/band",
        "sign/try/push+pushing/success",
    ];
    assert_eq!(ids(&found), expected);
}

/// Many readings beside many axes are looked at as far as there is room, and are no reason to say nothing.
#[test]
fn what_is_too_much_for_pairs_is_not_too_much() {
    let axes: Vec<String> = (0..12).map(|at| format!("a{at}")).collect();
    let mut game = "name = \"R\"\n[params.mode]\ndefault = 0\ndomain = \"0..=2\"\nreading = \"It is open.\"\n[checks.try]\n".to_owned();
    for axis in &axes {
        game += &format!("axes.{axis} = {{ default = 0, domain = \"0..=24\" }}\n");
    }
    game += &format!(
        "rules = \"show total = (30 + {})d10kh12 + mode\"\n",
        axes.join(" + ")
    );
    let found = findings(&game, "--budget 8e6 --only reading");
    assert!(ids(&found).len() <= 1);
}

/// A look at other axes is a question of its own, which may take as much as each lever.
#[test]
fn steps_that_change_nothing_are_looked_at_beside_other_axes_with_the_whole_limit() {
    let game = r#"name = "R"
[checks.try]
bands = ["miss", "hit"]
axes.stat = { default = 0, domain = "0..=9", sweep = "0..=9" }
axes.a = { default = 0, domain = "0..=9" }
axes.b = { default = 0, domain = "0..=9" }
axes.c = { default = 0, domain = "0..=9" }
rules = """
let roll = 1d6 + (if 3d20 > 50 + a + b + c then 1d4 else 0)
show band = if roll <= 2 + min(stat, 4) then hit else miss
"""
"#;
    let found = findings(game, "--budget 1e7 --only dead-step");
    let configurations = found[0]["configurations"].as_u64();
    assert!(configurations > Some(10), "{configurations:?}"); // more than the values of the axis alone
}
