//! Whether two versions of a ruleset have the same odds, where that is known.

use std::sync::Arc;

use oddsmith_mutants::odds::{Verdict, compare};
use oddsmith_mutants::random::Random;
use oddsmith_rules::{Input, Model, load};

fn game(rules: &str) -> Model {
    let text = format!(
        "name = \"Game\"\n[params]\ncap = {{ default = 2, domain = \"0..=9\" }}\n\
         [checks.check]\naxes.a = {{ default = 0, domain = \"0..=30\" }}\naxes.b = {{ default = 0, domain = \"0..=300\" }}\n\
         {rules}"
    );
    load("game.toml", text.as_bytes()).unwrap_or_else(|errors| panic!("{}", errors.render(false)))
}

fn verdict(before: &str, after: &str) -> Verdict {
    compare(&game(before), &game(after), 2000, &mut Random::new(1))
}

fn scripts(before: &str, after: &str) -> Verdict {
    verdict(
        &format!("rules = \"{before}\""),
        &format!("rules = \"{after}\""),
    )
}

fn differs(verdict: &Verdict, by: &str) {
    let Verdict::Differs { settings, .. } = verdict else {
        panic!("{verdict:?}")
    };
    assert!(settings.contains(by), "{settings}");
}

#[test]
fn small_spaces_are_proved_as_a_whole() {
    assert_eq!(
        scripts("show x = 1d6 + min(a, 30)", "show x = 1d6 + a"),
        Verdict::Same
    );
    assert_eq!(
        scripts("show x = 2d6 kh 1", "show x = 2d6 dl 1"),
        Verdict::Same
    );
    differs(
        &scripts("show x = 1d6 + a", "show x = 1d6 + min(a, 29)"),
        "a=30",
    );
}

#[test]
fn large_spaces_are_searched() {
    differs(
        &scripts("show x = 1d6 + a + b", "show x = 1d6 + a - b"),
        "b=",
    );
    let one = "show x = 1d6 + (if a >= 7 and b >= 9 and cap == 4 then 1 else 0)";
    let verdict = scripts(one, &one.replace("a >= 7", "a > 7"));
    for by in ["a=7", "b=", "cap=4"] {
        differs(&verdict, by);
    }
    let same = scripts(
        "show x = 1d6 + max(a + b, cap) - max(0, a - 30)",
        "show x = 1d6 + max(a + b, cap)",
    );
    assert!(
        matches!(same, Verdict::Unknown(tried) if tried > 2000),
        "{same:?}"
    );
}

#[test]
fn joint_odds_count_and_not_only_each_outcome() {
    let one = "let d = 1d6 show x = d show y = d";
    differs(
        &scripts(one, "let d = 1d6 show x = d show y = 1d6"),
        "the defaults",
    );
}

fn inputs_of(game: &mut Model) -> &mut [Input] {
    Arc::make_mut(&mut game.checks[0].inputs)
}

#[test]
fn a_default_is_what_nobody_sets() {
    let before = game("rules = \"show x = 1d6 + a\"");
    let mut after = before.clone();
    inputs_of(&mut after)[1].default = 1;
    let verdict = compare(&before, &after, 10, &mut Random::new(1));
    differs(&verdict, "the defaults");
    // It matters only beside others.
    let before = game("rules = \"show x = 1d6 + (if b >= 250 and a >= 17 then cap else 0)\"");
    let mut after = before.clone();
    inputs_of(&mut after)[0].default = 3;
    let verdict = compare(&before, &after, 10, &mut Random::new(1));
    differs(&verdict, "b=");
    differs(&verdict, "a=");
}

#[test]
fn what_a_contest_compares_counts_by_who_wins() {
    let with = |contest: &str| format!("contest = \"{contest}\"\nrules = \"show x = 1d6\"");
    assert_eq!(verdict(&with("x"), &with("2 * x")), Verdict::Same);
    assert!(matches!(
        verdict(&with("x"), &with("max(x, 2)")),
        Verdict::Differs { .. }
    ));
}

#[test]
fn tracks_differ_by_their_lengths_and_ends() {
    let track = |round: &str| {
        format!(
            "rules = \"show x = 1d6\"\n[tracks.t]\nrules = \"let n = 0 repeat until n == 3 {{ {round} }}\""
        )
    };
    let one = track("set n = min(n + (1d6 > 3), 3)");
    assert_eq!(
        verdict(&one, &track("set n = min(n + (1d6 <= 3), 3)")),
        Verdict::Same
    );
    assert!(matches!(
        verdict(&one, &track("set n = min(n + (1d6 > 2), 3)")),
        Verdict::Differs { .. }
    ));
}

/// Spaces that are too large to be gone through as a whole.
#[test]
fn large_spaces_are_proved_expression_by_expression() {
    let same = |before: &str, after: &str| {
        assert_eq!(scripts(before, after), Verdict::Same, "{after}");
    };
    let one = "let n = if a == 0 then 0 else 1 show x = 1d6 + b + n * cap";
    same(one, &one.replace("a == 0", "a <= 0"));
    let one = "let n = min(a + b, cap) show x = 1d6 + (if n == cap then 1 else 0)";
    same(one, &one.replace("n == cap", "n >= cap"));
    let one = "let n = clamp(a - b, -cap, cap) let pool = if n >= 0 then (2 + n)d6 kh 2 else (2 - n)d6 kl 2 show x = pool + a";
    same(one, &one.replace("n >= 0", "n > 0"));
    // Pools that are read in another way are not compared by their sums.
    let pool = one.replace("show x = pool + a", "show x = highest(pool) + a");
    assert!(matches!(
        scripts(&pool, &pool.replace("n >= 0", "n > 0")),
        Verdict::Unknown(_)
    ));
    let other = scripts(one, &one.replace("n >= 0", "n >= -1"));
    assert!(matches!(other, Verdict::Differs { .. }), "{other:?}");
}

#[test]
fn loops_are_proved_by_what_their_variables_can_be() {
    let track = |until: &str| {
        format!(
            "rules = \"show x = 1d6\"\n[tracks.t]\naxes.slots = {{ default = 5, domain = \"1..=10\" }}\n\
             axes.far = {{ default = 0, domain = \"0..=300\" }}\nrules = \"let n = 0 repeat until {until} {{ \
             set n = min(n + 1d6 - 1 + min(far, 1), slots) }} show y = far\""
        )
    };
    assert_eq!(
        verdict(&track("n == slots"), &track("n >= slots")),
        Verdict::Same
    );
    let other = verdict(&track("n == slots"), &track("n >= slots - 1"));
    assert!(matches!(other, Verdict::Differs { .. }), "{other:?}");
}

#[test]
fn a_weaker_requirement_is_told_by_what_was_illegal() {
    let with = |require: &str| format!("require = [\"{require}\"]\nrules = \"show x = 1d6 + b\"");
    let verdict = verdict(&with("a + b <= cap + 20"), &with("a <= cap + 20"));
    assert!(matches!(verdict, Verdict::Differs { .. }), "{verdict:?}");
    let games = [
        "push_die + push_effect <= pushes",
        "assist + push_effect <= pushes",
    ]
    .map(|require| {
        let (_, text) = oddsmith_rules::shipped()[3];
        let text = text.replacen("push_die + push_effect <= pushes", require, 1);
        load("game.toml", text.as_bytes())
            .unwrap_or_else(|errors| panic!("{}", errors.render(false)))
    });
    let verdict = compare(&games[0], &games[1], 100, &mut Random::new(1));
    assert!(matches!(verdict, Verdict::Differs { .. }), "{verdict:?}");
}
