//! What goes wrong in some configurations only.

use oddsmith_rules::validate;

use crate::page::{Page, around, good};

#[test]
fn hazards() {
    let cases = [
        ("division by zero", "show x = floor(6 / banes)"),
        ("rolled numerator", "show x = floor(2d6 / banes)"),
        ("by default", "show x = floor(2d6 / (banes - 1))"),
        (
            "in a function, called twice",
            "show x = share(6, banes) + share(9, banes)",
        ),
        ("in a let", "let by = banes - 2 show x = floor(6 / by)"),
        (
            "a guard with a hole",
            "show x = if banes > 0 or rank == 5 then floor(6 / banes) else 0",
        ),
        ("sides", "show x = if rank > 0 then d(rank) else d(banes)"),
        ("sides in a function", "show x = boost(3, 4 * banes)"),
        ("count", "show x = (rank + 1)d6"),
        ("keep", "show x = 4d6 kh (2 - banes)"),
        ("nth", "show x = nth(4d6, banes)"),
        ("draw too few", "show x = draw(rank, {6: 20})"),
        ("draw too many", "show x = draw(banes, {6: 1, 4..=5: 1})"),
        (
            "rounds",
            "let a = 0 repeat rank { set a = a + 1 } show x = a",
        ),
        ("depth", "show x = d6!(rank)"),
        ("weight", "show x = d{1: rank + 1, 2: 1}"),
        ("no weight", "show x = d{1: banes, 2: banes}"),
        ("faces", "show x = d{1..=banes}"),
        ("reroll of all faces", "show x = d6 r>=(banes - 1)"),
        ("list index", "show x = ladder[banes]"),
        ("index of a rolled list", "show x = [1d6, 2d6][banes]"),
        ("gap", "show x = match 2d6 { < 5 - banes: 0, >= 5: 1 }"),
        (
            "overlap",
            "show x = match 2d6 { 2..=banes + 2: 0, 4..=12: 1, else: 2 }",
        ),
        (
            "gap of a fixed subject",
            "show x = match rank { < banes: 0, > banes: 1 }",
        ),
        ("overflow", "show x = 9223372036854775807 + rank"),
        (
            "in a loop",
            "let a = 0 repeat banes { set a = floor(a / (banes - 3)) } show x = a",
        ),
        (
            "in a condition",
            "show x = floor(4 / banes) > 1 and 1d6 > 3",
        ),
        (
            "under a rolled condition",
            "show x = if 1d6 > 3 and banes < 3 then floor(4 / (banes - 2)) else 0",
        ),
    ];
    let mut page = Page::default();
    for (title, rules) in cases {
        page.errors(title, 1, validate(&good(&around(rules))).map(|_| ()));
    }
    insta::assert_snapshot!(page.text);
    page.finish();
}

#[test]
fn guards_are_believed() {
    let cases = [
        "show x = if banes == 0 then 0 else floor(6 / banes)",
        "show x = if banes > 0 and 1d6 > 3 then floor(6 / banes) else 0",
        "show x = if banes == 0 or 1d6 > 3 then 0 else floor(6 / banes)",
        "show x = if not (banes == 0 or 1d6 > 3) then floor(6 / banes) else 0",
        "show x = banes > 0 and floor(6 / banes) > 2 and 1d6 > 1",
        "show x = match banes { 0: 0, else: floor(6 / banes) }",
        "show x = match banes { 1..=4: d(banes), else: 0 }",
        "show x = [d(4), d(banes)][min(banes, 1)]",
        "let ok = banes > 0 show x = if ok then d(banes) else 0",
        "let a = 0 repeat banes { set a = a + floor(6 / banes) } show x = a",
        "show x = (max(0, rank))d6 kh (max(0, rank))",
        "show x = ladder[min(banes, 2)]",
        "show x = match 2d6 { < 5 - banes: 0, >= 5 - banes: 1 }",
        "show x = match 1d6 { 0..=banes + 2: 0, banes + 3..=6: 1 }",
        "show x = match { banes == 0: 0, rank > 2: floor(6 / banes), else: 1 }",
        "show x = half(6) + boost(max(0, rank), 6)",
        // Dice decide, and none of them comes there.
        "let y = 1d2 show x = if y > 2 then floor(1d6 / banes) else 4",
        "show x = [1, floor(1d6 / banes), 3, 2][size(3d3)]",
        // A narrower rule that is idle at rank 5 is no fault.
        "show x = match 1d6 { <= rank: 0, 5: 1, else: 2 }",
    ];
    for rules in cases {
        if let Err(errors) = validate(&good(&around(rules))) {
            panic!("{}", errors.render(false));
        }
    }
}

#[test]
fn requirements() {
    let rules = "show x = floor(6 / banes)";
    let with =
        |require: &str| around(rules).replace("bands =", &format!("require = {require}\nbands ="));
    assert!(validate(&good(&with("[\"banes > 0\"]"))).is_ok());
    assert!(
        validate(&good(&with(
            "[\"banes > 0 or state == broken\", \"state == ok\"]"
        )))
        .is_ok()
    );
    let mut page = Page::default();
    let text = with("[\"rank < cap\", \"banes > 0\"]").replace("default = 3", "default = 2");
    page.errors(
        "the defaults break one",
        1,
        validate(&good(&text)).map(|_| ()),
    );
    let text = with("[\"banes < rank or state == ok\"]");
    page.errors(
        "a label in the configuration",
        1,
        validate(&good(&text)).map(|_| ()),
    );
    insta::assert_snapshot!(page.text);
    page.finish();
}

/// What dice decide may hang on axes that the hazard does not: none of them is taken for its default.
#[test]
fn what_dice_decide_is_cleared_for_all_axes_or_not_at_all() {
    for (reach, is_right) in [(2, false), (6, true)] {
        let rules = format!(
            "let y = 1d2 show x = if y > {reach} - max(rank - 2, 0) then floor(6 / banes) else 4"
        );
        let found = validate(&good(&around(&rules)));
        assert_eq!(found.is_ok(), is_right, "{rules}");
    }
}

#[test]
fn large_domains_are_tried_at_their_corners() {
    let text = around("show x = floor(6 / (rank + size - other)) + size + other").replace(
        "axes.state",
        "axes.size = { default = 5, domain = \"0..=1000000\" }\n\
         axes.other = { default = 1, domain = \"-1000000..=1000000\" }\naxes.state",
    );
    let errors = validate(&good(&text)).expect_err("it divides by zero");
    assert_eq!(errors.0.len(), 1);
    assert!(
        errors.0[0]
            .message
            .starts_with("division by zero in `check` at ")
    );
}

#[test]
fn what_was_looked_at_is_said() {
    // Odd, so never 0; that needs a try.
    let rules = "show x = floor(6 / (rank + 7)) + floor(size / (2 * (size - other + rank) + 1))";
    let text = around(rules).replace(
        "axes.state",
        "axes.size = { default = 5, domain = \"0..=1000000\" }\n\
         axes.other = { default = 1, domain = \"0..=1000\" }\naxes.state",
    );
    let coverage = validate(&good(&text)).expect("nothing is wrong with it");
    assert!(!coverage.complete);
    assert_eq!(
        coverage.partial,
        ["`check` over rank, size, other: 200,000 of 8,008,008,008 combinations"]
    );
    let text = around("show x = floor(6 / (2 * rank + 1))");
    let coverage = validate(&good(&text)).expect("nothing is wrong with it");
    assert!(coverage.complete && coverage.partial.is_empty());
}

/// Axes of more combinations than could be tried.
fn around_wide(rules: &str) -> String {
    around(rules).replace(
        "axes.state",
        "axes.wide = { default = 5, domain = \"-1000000..=1000000\" }\n\
         axes.deep = { default = 1, domain = \"-1000000..=1000000\" }\naxes.state",
    )
}

#[test]
fn what_bounds_prove_is_not_tried() {
    let proven = [
        "show x = wide + deep - rank",
        "show x = wide * deep - 3 * abs(wide) + sign(-deep)",
        "let n = min(max(wide, deep), 6) show x = clamp(n + deep, -3, 3)",
        "show x = wide > 3 and not (deep == wide) or wide <= deep",
        "show x = if wide > deep then wide else deep",
        "show x = match sign(wide + deep) { -1: wide, 0: deep, 1: 3 }",
        "show x = match { wide > deep: wide, else: deep }",
        "show x = floor(wide / 7) + ceil(deep / (-2))",
        "show x = floor(wide / (abs(deep) + 1))",
        "show x = ladder[clamp(wide + deep, 0, 2)]",
        "show x = (clamp(wide + deep, 0, 3))d(clamp(wide - deep, 1, 6)) kh (abs(wide))",
        "show x = nth(3d6, max(1, wide + deep))",
        "show x = 1d6!(max(0, wide + deep)) + d{1: abs(wide - deep), 2: 1}",
        "let a = 0 repeat max(0, wide + deep) until a > 3 { set a = a + 1 } show x = a",
        "show x = half(wide + deep) + share(deep, cap)",
    ];
    for rules in proven {
        let model = good(&around_wide(rules));
        let coverage = validate(&model).unwrap_or_else(|errors| panic!("{}", errors.render(false)));
        assert_eq!(coverage.partial, Vec::<String>::new(), "{rules}");
    }
    let tried = [
        "show x = floor(6 / (2 * (wide + deep) + 1))",
        "show x = ladder[if wide + deep < 0 then 0 else wide - wide]",
        "show x = (if wide > deep then wide - deep else 0)d6",
        "show x = if wide > 0 and deep > 0 then d(wide * deep) else 0",
    ];
    for rules in tried {
        let coverage = validate(&good(&around_wide(rules)));
        let coverage = coverage.unwrap_or_else(|errors| panic!("{}", errors.render(false)));
        assert!(!coverage.complete, "{rules}");
    }
    let wrong = "show x = 3 * (wide * wide) * (wide * wide)";
    let errors = validate(&good(&around_wide(wrong))).expect_err("3 * 10^24");
    assert!(
        errors.0[0]
            .message
            .starts_with("a number that is too large")
    );
}

#[test]
fn parameters_stand_at_their_defaults() {
    // 3, whatever else the cap could be.
    let rules = "show x = floor(wide / cap) + ladder[min(cap, 2)] + floor(deep / ladder[1])";
    let coverage = validate(&good(&around_wide(rules))).expect("nothing is wrong with it");
    assert!(coverage.complete, "{coverage:?}");
}
