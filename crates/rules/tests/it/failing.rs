//! Which statements may fail: those that the bounds of their numbers do not clear, and no others.

use oddsmith_rules::load;

/// The names of what may fail in a script with an axis `k` from 0 to 3 and one `low` from -1 to 1.
fn found(script: &str) -> Vec<String> {
    let text = format!(
        "name = \"Test\"\n[checks.check]\naxes.k = {{ default = 1, domain = \"0..=3\" }}\n\
         axes.low = {{ default = 0, domain = \"-1..=1\" }}\nrules = '''\n{script}\n'''\n"
    );
    let model = load("test.toml", text.as_bytes());
    let model = model.unwrap_or_else(|errors| panic!("{script}\n{}", errors.render(false)));
    let check = &model.checks[0];
    let bounds: Vec<(i64, i64)> = check
        .inputs
        .iter()
        .map(|input| input.domain.bounds())
        .collect();
    let found = check.may_fail(&bounds).into_iter();
    found
        .map(|var| check.program().variable(var).name().to_string())
        .collect()
}

#[test]
fn what_bounds_clear_is_not_found() {
    let scripts = [
        "show a = [1, 2, 3][1d3 - 1]",
        "show a = [1, 2, 3][clamp(2d6 - 5, 0, 2)]",
        "show a = (max(0, 1d4 - 2))d6",
        "let x = 0 + 1d6 show a = if x > 2 then sum((x - 3)d6) else 0",
        "let x = 0 + 1d6 show a = match x { 1..=2: 0, else: sum((x - 3)d6) }",
        "let x = 0 + 1d6 show a = match x { > 4: 0, else: [1, 2, 3, 4][x - 1] }",
        "show a = match 2d6 { <= 6: 1, 7..=8: 2, > 8: 3 }",
        "show a = if k == 0 then 0 else floor(6 / k)",
        "show a = k == 0 or floor(6 / k) > 2",
        "show a = k > 0 and floor(6 / k) > 2",
        "show a = floor(1d6 / (k + 1))",
        "show a = sum(0d(k)) + 1d(k + 1)",
        "show a = (k)d6 kh k",
        "show a = 1d6r<3 + 1d{1..=4, 9}r<=4 + 1d6ro<9",
        "show a = sum(draw(k, {1: 2, 2: 1}))",
        "show a = 3d6!(k)",
        "let n = 0 repeat 3 { set n = n + 1d6 } show a = (18 - n)d6",
        "let n = 0 repeat 100 { set n = min(n + 1d6, 9) } show a = (9 - n)d6",
        "let n = 0 repeat 3 until n > 2 { set n = [1, 2, 3][n] } show a = n",
        "let n = 0 + 1d6 let hit = count(n d6, >= 3) show a = (n - hit)d6",
        "let n = 0 + 1d6 let p = n d6 show a = (n - size(p kh 2))d6",
        "let n = 0 + 1d6 let hit = count(n d6, >= 3) let hurt = count(hit d6, 6) show a = (n - hurt)d6",
        "show a = (k - count(k d6, 6))d6",
        "repeat 2 { let n = 0 + 1d6 let m = count(n d6, 6) let a = (n - m)d6 } show b = 1d6",
        "let x = 0 + 1d6 let y = 0 + 1d6 show a = if x + y <= 6 then sum((5 - x)d6) else 0",
        "let x = 0 + 1d6 let y = 0 + 1d6 show a = if y - x > 2 then sum((3 - x)d6) else 0",
        "let x = 0 + 1d6 let y = 0 + 1d6 show a = if 2 + x + y - k < 4 then sum((3 - x)d6) else 0",
    ];
    for script in scripts {
        assert_eq!(found(script), Vec::<String>::new(), "{script}");
    }
}

#[test]
fn what_may_fail_is_found() {
    let scripts = [
        ("let a = [1, 2, 3][1d6] show b = 1d6", "a"),
        ("let a = (low)d6 show b = 1d6", "a"),
        ("let a = (1d4 - 2)d6 show b = 1d6", "a"),
        ("let a = 2d6 kh low show b = 1d6", "a"),
        ("let a = 1d(k) show b = 1d6", "a"),
        ("let a = 1d6r<(k + 4) show b = 1d6", "a"),
        ("let a = 1d{1: (k), 2: (k)} show b = 1d6", "a"),
        ("let a = 1d6!(low) show b = 1d6", "a"),
        ("let a = draw(k + 1, {1: 2, 2: 1}) show b = 1d6", "a"),
        ("let a = floor(1d6 / k) show b = 1d6", "a"),
        ("show a = 0 * (1d6 + 9223372036854775807)", "a"),
        ("show a = 9223372036854775807 * (k + 1)", "a"),
        ("show a = [1, 2, 3][1d6] == 99 and 1 == 2", "a"),
        ("show a = 1d6 == 2 and floor(6 / k) > 2", "a"),
        ("show a = matches(3d6, k)", "a"),
        ("show a = map(2d4, [1, 2, 3])", "a"),
        ("let a = 1 repeat 70 { set a = a * 2 } show b = 1d6", "a"),
        ("let a = 1 repeat low { set a = 2 } show b = 1d6", "a"),
        (
            "let n = 0 + 1d6 let m = 0 + 1d6 let a = (n - count(m d6, 6))d6 show b = 1d6",
            "a",
        ),
        (
            "let n = 0 + 1d6 let m = count(n d6, 6) let a = (m - n)d6 show b = 1d6",
            "a",
        ),
        (
            "let n = 0 + 1d6 let m = sum(n d{0: 1, 1: 1}) let a = (n - m)d6 show b = 1d6",
            "a",
        ),
        (
            "let n = 6 repeat 2 { set n = 0 + 1d6 } let m = count(n d6, 6) let a = (n - m)d6 show b = 1d6",
            "a",
        ),
        (
            "let x = 0 + 1d6 let y = 0 + 1d6 let a = if x + y <= 7 then sum((5 - x)d6) else 0 show b = 1d6",
            "a",
        ),
        (
            "let x = 0 + 1d6 let y = 0 + 1d6 let a = if y - x > 1 then sum((3 - x)d6) else 0 show b = 1d6",
            "a",
        ),
        (
            "let a = 1 repeat 2 until floor(6 / k) > 2 { set a = 2 } show b = 1d6",
            "a",
        ),
    ];
    for (script, name) in scripts {
        assert_eq!(found(script), [name], "{script}");
    }
}

/// What the rounds of a track only add to has no bound, and does not fail for it.
#[test]
fn running_sums_do_not_fail() {
    let text = "name = \"Test\"\n[tracks.track]\nrules = '''\nlet full = 0\nlet paid = 0\n\
                repeat until full == 4 {\n  set full = min(full + 1d2, 4)\n  set paid = paid + 1d6\n}\n\
                show cost = 2 * paid - rolls\n'''\n";
    let model = load("test.toml", text.as_bytes()).expect("it is right");
    assert_eq!(model.tracks[0].may_fail(&[]), []);
}

/// The names of what may fail in a track whose rounds are these, after `let`s and before what it shows.
fn found_in_rounds(before: &str, rounds: &str, shown: &str) -> Vec<String> {
    let text = format!(
        "name = \"Test\"\n[params]\ncap = {{ default = 5, domain = \"1..=9\" }}\n[tracks.track]\nrules = \"\"\"\n{before}\n\
         repeat until rolls == 6 {{\n{rounds}\n}}\nshow z = {shown}\n\"\"\"\n"
    );
    let model = load("test.toml", text.as_bytes());
    let model = model.unwrap_or_else(|errors| panic!("{rounds}\n{}", errors.render(false)));
    let found = model.tracks[0].may_fail(&[(5, 5)]).into_iter();
    let name = |var| model.tracks[0].program().variable(var).name().to_string();
    found.map(name).collect()
}

/// So are the items of a list of which one is added to, and what begins anew at times or goes no further than a number.
#[test]
fn sums_of_members_and_sums_that_begin_anew_do_not_fail() {
    let members = "let turn = 0 let wounds = [0: 3] let pool = [4: 3]";
    let of_turn = "let hit = 0 + 1d6 let spent = if pool[turn] > 0 then 1 else 0
        set wounds[turn] = if hit > 3 then wounds[turn] + hit else wounds[turn]
        set pool[turn] = pool[turn] - spent
        set turn = if turn == 2 then 0 else turn + 1";
    let session = "let is_over = done + 1 == cap set left = if is_over then min(left + cap, 9) else left - 1d2
        set done = if is_over then 0 else done + 1";
    let counter = "let done = 0 let left = 3";
    for (before, rounds, shown) in [
        (members, of_turn, "sum(wounds) + turn"),
        (counter, session, "left + done"),
        ("let a = 1", "let b = a + 2 set a = max(b, 3)", "a"),
        // Income that grows: what is added is a sum itself, and does not turn on what it is added to.
        (
            "let turn = 0 let total = 0",
            "set turn = turn + 1 set total = total + turn",
            "total",
        ),
        // What is added turns on the sum, and is no more than 5.
        (
            "let pool = 9",
            "let spent = min(5, pool) set pool = pool - spent + 1",
            "pool",
        ),
    ] {
        assert_eq!(found_in_rounds(before, rounds, shown), [""; 0], "{rounds}");
    }
    for (before, rounds, shown) in [
        ("let a = 1", "set a = 1 + a * a", "a"),
        ("let a = 1", "set a = a + a", "a"),
        ("let a = 1", "let b = 2 * a set a = b + 1", "a"),
        ("let a = 1 let b = 1", "set a = b + 1 set b = b * 2", "a"),
        ("let at = 0", "set at = at + 1", "[1, 2, 3][at]"),
        ("let a = 1", "let gain = 2 * a set a = a + gain", "a"),
        (
            "let a = 1 let prev = 1",
            "set a = a + prev set prev = 2 * a",
            "a",
        ),
        ("let a = 0", "set a = a + 4000000000000000000", "a"),
        (
            "let a = 8000000000000000000",
            "set a = a + 500000000000000000",
            "a",
        ),
    ] {
        assert_ne!(found_in_rounds(before, rounds, shown), [""; 0], "{rounds}");
    }
}

/// Values that are bound one after another, each read twice by the next, are looked at once.
#[test]
fn a_chain_of_values_is_no_tree() {
    let next = |at: usize| format!("let b{at} = max(b{0}, b{0} - 1) ", at - 1);
    let chain: String = (1..60).map(next).collect();
    let rounds = format!("let b0 = a + 1 {chain} set a = min(b59, 9)");
    assert_eq!(found_in_rounds("let a = 1", &rounds, "a"), [""; 0]);
}

/// Whose points are compared together with those of the turn goes no further than the goal.
#[test]
fn points_up_to_a_goal_do_not_fail() {
    let text = include_bytes!("../../../../tests/games/pig.toml");
    let pig = &load("pig.toml", text).expect("it is right").tracks[0];
    let values = pig.defaults();
    let bounds = values.values().iter().map(|value| (*value, *value));
    assert_eq!(pig.may_fail(&bounds.collect::<Vec<_>>()), []);
}
