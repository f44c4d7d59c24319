//! Dice that explode without an end: how far they are followed, and what is refused.

use oddsmith_rules::program::Kind;
use oddsmith_rules::{Check, load};

use crate::page::{Page, around};

fn check_of(inputs: &str, rules: &str) -> Check {
    let text = format!(
        "name = 'Dice'\n[functions]\nhalf = '(face) => floor(face / 2)'\n[checks.check]\n{inputs}\nrules = '''\n{rules}\n'''\n"
    );
    let model = load("dice.toml", text.as_bytes());
    let model = model.unwrap_or_else(|errors| panic!("{}", errors.render(false)));
    model.check("check").expect("it is there").clone()
}

/// How often the dice of a check explode at most.
fn depth_of(check: &Check) -> i64 {
    let mut depth = None;
    for statement in check.program().statements() {
        statement.for_each_part(&mut |part| {
            part.for_each(&mut |part| {
                if let Kind::Dice { die, .. } = &part.kind {
                    let explode = die.explode.as_ref();
                    depth = depth.or(explode.and_then(|explode| explode.depth.as_constant()));
                }
            });
        });
    }
    depth.expect("dice explode")
}

/// The depths are worked out by hand: `n` explosions of a d6 are `6 n`, and the die that is left is rolled beside others.
#[test]
fn dice_are_followed_as_far_as_something_turns_on_them() {
    let cases = [
        ("show x = (1d6!) >= 6", 0),
        ("show x = (1d6!) >= 7", 1),
        // The other die shows 1 at least: 36 + 1 is not enough.
        ("show x = (2d6!) >= 40", 6),
        ("show x = min(1d6! + 2, 60)", 9),
        ("show x = max(10 - 1d6!, 0)", 1),
        ("show x = min(2 * 1d6!, 24)", 1),
        ("show x = min(1d6!>=5, 20)", 3),
        ("show x = min(1d6!4..=5, 20)", 4),
        // Every die that explodes shows 10 at least, and is counted whatever it comes to.
        ("show x = count(3d10!, >= 8)", 0),
        ("show x = count(3d10!, 8..=30)", 3),
        ("show x = min(highest(3d6!), 12)", 1),
        ("show x = min(sum(3d6! kh 2), 30)", 4),
        ("show x = size(4d6!)", 0),
        ("show x = (2d6! - 3) >= 10", 1),
        ("show x = min(map(2d6!, half), 10)", 3),
        // The lower one is 5 or more only if both are, however far the others go.
        ("show x = (min(1d6!, 1d8!)) >= 5", 0),
        ("show x = min(1d6!, 1d8!, 9)", 1),
        ("show x = (max(1d6!, 1d8!)) >= 9", 1),
        ("show x = max(-1d6!, -1d8!, -9)", 1),
        // What the other side can't reach wins, wherever it ends.
        ("show x = wins(2d6!, 2d8)", 1),
        ("show x = wins(2d8, 3d4!)", 1),
        (
            "let best = max(1d8!, 1d6!) show x = match best { < 4: 0, 4..=11: 1, else: 2 }",
            1,
        ),
        // Whatever is said if a coin shows heads, the die matters for 9 only.
        (
            "let coin = 1d2 show x = if coin == 1 then 5 else min(1d4!, 9)",
            2,
        ),
        ("show x = (1d(sides)!) >= 30", 7),
        ("show x = (1d6!) >= dc", 6),
        ("show x = min((min(1d6!, 3))d2, 2)", 0),
        ("show x = [1, 2, 3][floor(min(1d6!, 13) / 6)]", 1),
        ("show x = (1d6r==6!) >= 20", 19),
        ("show x = (1d{0, 5, 9}!) >= 20", 2),
        ("let p = 2d6! let q = {p, 3} show x = min(lowest(q), 3)", 0),
    ];
    let inputs = "axes.sides = { domain = '4..=12', default = 6 }\naxes.dc = { domain = '1..=40', default = 8 }";
    for (rules, depth) in cases {
        assert_eq!(depth_of(&check_of(inputs, rules)), depth, "{rules}");
    }
}

/// A sum of rounds is taken to go no further than 2^53, which three rounds of tens of billions of millions do: the dice matter up
/// to where the lower one of two is cut off.
#[test]
fn sums_that_go_far_are_followed_to_where_they_are_cut_off() {
    let rules = "let a = 0\nrepeat until rolls == 3 { set a = a + 10000000000000000 * (1d6!) }\nshow z = min(a, 100000000000000000)";
    let text = format!("name = 'Far'\n[tracks.far]\nrules = \"\"\"\n{rules}\n\"\"\"\n");
    let model = load("far.toml", text.as_bytes()).expect("it has an end");
    assert_eq!(depth_of(&model.tracks[0]), 1);
}

/// A value that a rule binds and does not show may have no end, and is not asked for.
#[test]
fn what_is_bound_and_not_shown_may_have_no_end() {
    let check = check_of(
        "",
        "let roll = 1d6!\nlet least = min(roll, 9)\nshow hit = roll >= 8",
    );
    let roll = check.with_values(&["roll"], "<value>");
    insta::assert_snapshot!(roll.unwrap_err().render(false), @r"
    error: `roll` has no end
     --> <value>:1:1
      |
    1 | roll
      | ^^^^
      |
      = help: dice in it explode without one: show `min(roll, 60)` and ask for that
    ");
    assert!(check.with_values(&["hit", "least"], "<value>").is_ok());
}

#[test]
fn what_has_no_end() {
    let cases = [
        ("a number", "show x = 1d6! + 2"),
        ("a flag of two dice", "show x = (1d8!) > 1d6!"),
        ("a flag of every explosion", "show x = mod(1d6!, 2) == 1"),
        ("a number with both ends", "show x = mod(1d6!, 4)"),
        ("a number that falls", "show x = 3 - 1d6!"),
        ("a number of dice", "show x = min((1d6!)d6, 9)"),
        ("sides", "show x = min(1d(1d6!), 9)"),
        ("a place", "show x = [1, 2, 3][1d6!]"),
        ("a divisor", "show x = floor(9 / 1d6!)"),
        ("no face explodes", "show x = 1d6!>=10"),
        ("every face explodes", "show x = min(1d6!>=1, 10)"),
        ("a comparison apart from its dice", "show x = 1d6! >= 10"),
        ("too far", "show x = (1d2!) >= 9000"),
        (
            "in a pool that is chosen",
            "let a = 1d6! show x = sum(if mod(a, 2) == 1 then 2d6 else 1d6)",
        ),
    ];
    let mut page = Page::default();
    for (title, rules) in cases {
        page.rules(title, rules);
    }
    insta::assert_snapshot!(page.text);
    page.finish();
    assert!(load("game.toml", around("show x = (1d6!) >= 10").as_bytes()).is_ok());
}
