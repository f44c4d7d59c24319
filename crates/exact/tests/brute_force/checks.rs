//! Scripts without choices.

use crate::support::{all_agree, ruleset_agrees};

#[test]
fn dice() {
    all_agree(
        "",
        &[
            "show a = 3d4",
            "show a = 2dF + d{1, 1, 5}",
            "show a = 3d{0:2, 1..=2:3, 7:0}",
            "show a = 2d4 + 1d6 - d3",
            "show a = 0d6 show b = highest(0d6) show c = matches(0d4)",
            "show a = 2d4r<2 show b = 2d4ro<3",
            "show a = 2d3!(2) show b = 2d4!>=3(1)",
            "show a = 2d3ro1..=1!(2)kh1",
            "show a = 2d[2d3kh1] show b = 3d[if d2 == 1 then d3 else 0]",
            "show a = 2d[d4 + d3]r<3!(1)",
            "show a = 2d[d2 * d2]ro==1!>=2(2)",
            "show a = 3d3dl1 show b = 4d3dh2",
            "show c = 3d3kl2 show d = 2d2kh5",
            "show a = {2d3, d2, 4}kh2",
            "show a = {2d3kh1, d[d4], {d2, 1}dl1}kl2",
            "show a = sum({}) + size({}) + nth({}, 1)",
        ],
    );
}

#[test]
fn readings() {
    all_agree(
        "",
        &[
            "let p = 3d4 show a = sum(p) show b = highest(p) show c = count(p, >= 3)",
            "let p = 4d3 show a = p kh2 show b = p dh2 show c = matches(p)",
            "let p = 4d3 let top = p kh3 let mid = top kl2 show a = mid show b = top dl2 show c = p",
            "let p = 3d3 show a = nth(p, 1) show b = nth(p, 2) show c = nth(p, 4)",
            "let p = 3d4 show a = matches(p) show b = matches(p, 2) show c = matches(p kh2)",
            "let p = {2d4, d2} show a = size(p) + p show b = lowest(p, 2) show c = count(p, 2)",
            "let p = 3d3 show a = count(p, 1..=2) show b = p cs >= 2",
            "let p = {1d2} set p = 0d2 show a = floor(sum(p) / 2) show b = if sum(p) > 0 then 1 else 0",
            "let p = 2d4 let q = 2d3 show a = wins(p, q) show b = p show c = q kh1",
            "show a = wins(2d4, 3d3) show b = wins(3d3 kh2, 2d2) show c = wins({}, 2d2)",
            "let p = 2d4 show a = wins(p, p) show b = wins(p kh1, p kl1) show c = wins(p, 2d3)",
            "let p = {1, 3} show a = sum(p) show b = size(p) show c = wins(p, 2d3)",
            "let p = 2d3 let q = {p, p kh1, d2} show a = matches(q) show b = q kh2 show c = p",
            "let n = d3 let p = (n)d3 show a = n show b = size(p) show c = p kh1",
            "let n = d3 - 1 let p = 3d3 show a = p kh n show b = p dh n show c = n",
            "let p = 3d3 show a = p kh(d2) show b = p kl(d2) show c = p",
            "let p = 3d3 show a = p kh(clamp(highest(p), 0, 3)) show b = p",
            "let c = 2d4 let s = d4 show n = count(c, < s) show s2 = s",
            "let s = d4 let c = 2d4 show n = count(c, < s)",
            "show n = count(2d4, < d4)",
            "let c = 2d4 show n = count(c, < d4) show m = count(c, 3)",
            "let c = 3d3 show n = count(c, highest(c))",
            "let c = 3d3 show n = count(c, nth(c, 2)..=3) show a = c kh1",
            "show a = draw(2, {6: 2, 4: 1, 1: 2}) show b = highest(draw(3, {1..=2: 2, 5: 1}))",
            "let p = draw(2, {1, 2, 3}) show a = p show b = p kh1 show c = matches(p)",
            "let p = {draw(2, {1: 2, 3: 1}), d3} show a = p kl2 show b = matches(p)",
            "let p = draw(2, {1: 2, 3: 1}) show a = wins(p kh1, 1d3) show b = p",
        ],
    );
}

/// Two pools that are only compared are one step; other uses of them list their rolls.
#[test]
fn duels() {
    all_agree(
        "",
        &[
            "let p = 2d4 let q = 3d3 show a = wins(p, q) - wins(q, p)",
            "let p = 2d4 let q = 2d4 show a = wins(p, q) show b = wins(q, p) show c = wins(q, p) - wins(p, q)",
            "let p = {2d3, d6} let q = 2d4 show a = wins(q, p) - wins(p, q) show b = wins(q, p) > wins(p, q)",
            "let p = 3d3 let n = d2 let q = (n)d4 show a = wins(p, q) - wins(q, p) show b = n",
            "let p = 3d3 kh2 let q = if d2 == 1 then 2d3 else 1d4 show a = wins(p, q) show b = wins(q, p)",
            "let p = draw(2, {1: 2, 3: 1}) let q = 2d3 show a = wins(p, q) - wins(q, p)",
            "let p = {} let q = 2d3 show a = wins(p, q) - wins(q, p)",
            "let p = 2d3 let q = {p, d2} show a = wins(p, q) - wins(q, p)",
            "let p = 2d3 let q = 2d3 show a = wins(p, q) - wins(q, p) show b = highest(q)",
            "let p = 2d3 let q = 2d3 let r = 2d2 show a = wins(p, q) - wins(q, p) show b = wins(r, q)",
            "let p = 2d3 let q = 2d3 show a = wins(p, p) - wins(q, q) show b = wins(p, q) - wins(p, q)",
            "let x = sum(d2) let p = (x)d3 set x = x + 1 let q = (x)d3 show a = wins(p, q) - wins(q, p) show b = x",
            "let x = 0 repeat 2 { let p = 2d2 let q = 2d3 set x = x + wins(p, q) - wins(q, p) } show a = x",
        ],
    );
}

/// What is made of a face reads a roll that has a name, together with that face, what is carried, or another roll.
#[test]
fn named_rolls_read_for_each_face() {
    let mut scripts = vec![
        "let p = 3d3 let q = 2d3 show a = fold f, n of p with k = 0 { set k = k + min(n, count(q, f)) }".to_owned(),
        "let p = 2d2 let v = 1d4 show a = each(p, [0, 1, map(p, [0, 1, v])])".to_owned(),
        "let p = 2d2 let v = 1d3 show a = map(p, [0, v, count(p, v)]) show b = p".to_owned(),
        "let p = 2d3 let v = d3 show a = fold f, n of 2d2 with x = 0 { set x = x + n * (if v > 1 then highest(p kh (v - 2)) else 1) } show b = p".to_owned(),
    ];
    for read in [
        "count(p, f)",
        "count(p, >= f)",
        "count(p, 1..=f)",
        "count(p, v)",
        "count(p, <= x)",
        "(p cs>=v)",
        "map(p, [0, f, 2, 3])",
        "map(p, [0, v, 2, 3])",
        "(fold h, m of p with b = 0 { set b = b + h * f })",
        "(fold h, m of p with b = v { set b = b + m * x })",
        "matches(p) + count(p, f) - count(p, v)",
        "highest(p) + lowest(p, f)",
        "wins(p, q)",
        "sum(p kh f)",
        "size(p dl 1) + v",
        "sum(each(p, twice))",
        "most(p, f)",
        "most({p, q}, x)",
        "matches({})",
        "(if v > 1 then count(p, >= floor(3 / (v - 1))) else 0)",
        "(if f > 1 and count(p, floor(4 / (f - 1))) > 0 then 1 else 2)",
    ] {
        for outer in ["p", "2d2", "q", "{p, d2}"] {
            for more in ["", " show b = p", " show b = v show c = highest(p)"] {
                scripts.push(format!(
                    "let p = 2d3 let q = 2d2 let v = d3 show a = fold f, n of {outer} with x = 0 {{ set x = x + n * ({read}) }}{more}"
                ));
            }
        }
    }
    let functions =
        "[functions]\ntwice = \"(x) => x + x\"\nmost = \"(p, n) => highest(p kh n) + n\"\n";
    let scripts: Vec<&str> = scripts.iter().map(String::as_str).collect();
    all_agree(functions, &scripts);
}

#[test]
fn branches() {
    all_agree(
        "",
        &[
            "let x = d4 show a = if x > 2 then d3 else x show b = x",
            "show a = if d2 == 1 then 2d3 else 3d2 kh1",
            "let p = if d2 == 1 then 2d3 else 3d2 show a = p kh1 show b = size(p) show c = matches(p)",
            "let p = 2d3 let q = 3d2 let r = if d2 == 1 then p else q kh2 show a = r show b = p",
            "let x = d4 let p = match x { 1: 0d6, 2..=3: (x)d2, else: 2d4 kl1 } show a = p show b = count(p, 2)",
            "let x = 2d3 show a = match x { < 3: d2, 4 or 6: x, else: 0 } show b = x",
            "let t = d3 let x = d4 show a = match x { < t: 0, t: 1, else: 2 } show b = x",
            "let t = d3 let x = d4 show a = match x { < t: 0, t: 1, else: 2 }",
            "let t = d3 show a = match d4 { 1..=t: 1, else: 2 }",
            "let x = d3 show a = match { x == 1 and d2 == 1: d3, x == 2 or d4 > 3: 5, else: 0 } show b = x",
            "show a = d2 == 1 and d3 == 1 or d4 == 1",
            "let x = d3 show a = not (x > 1 and d2 == 1) show b = x",
            "let i = d3 - 1 show a = [d2, 10 + d3, 7][i] show b = i",
            "show a = [1, d4, 9][clamp(d4 - d2, 0, 2)]",
            "let x = d3 show a = if x == 1 then d4 else if x == 2 then d2 + x else 0",
            "let once = 2d3 show a = if d2 == 1 then once else 0",
            "let once = d3 let y = d2 show a = if y == 1 then once else if y == 2 then once * 2 else 0",
            "let p = 3d2 show a = if d3 == 1 then count(p, 2) else p kh1",
            "let p = 3d2 let s = p show a = if s >= 5 then matches(p) else lowest(p) show b = s",
            "let x = d3 show a = x show b = a show c = b + 0",
            "let p = 2d3 show a = p show b = p show c = a - b",
            "let x = 1d4 let y = x let z = y + y show a = z show b = x",
            "show a = min(2d3, d4) show b = max(d3, d3, 2) show c = clamp(2d4, 3, 6)",
            "let x = 2d3 - 4 show a = abs(x) show b = sign(x) show c = -x",
            "show a = floor((2d4 - 5) / 2) show b = ceil((2d4 - 5) / 3) show c = d3 * d4",
            "let x = d4 show a = (x > 2) + (x > 3) show b = x != d2 show c = x <= 2d2",
        ],
    );
}

#[test]
fn functions() {
    let functions = r#"[functions]
twice = "(x) => x + x"
both  = "(p) => sum(p) + highest(p)"
fresh = "(n) => (n)d3 + d2"
best  = "(p, n) => p kh n"
roll  = "(n) => (n)d3"
picky = "(n, s) => if s == 0 then sign(n) else if n >= 0 then (1 + n)d(s) kh1 else (1 - n)d(s) kl1"
price = "(v) => if v == 3 then 0 else v"
deep  = "(v) => twice(price(v))"
two   = "(x) => 2"
odd   = "(p, x) => count(p, < x) + match x { 1: d2, 2: x, else: p }"
"#;
    all_agree(
        functions,
        &[
            "show a = twice(d4)",
            "show a = twice(twice(d2) + d3)",
            "let p = 2d3 show a = both(p) show b = p kl1",
            "show a = both(2d3) show b = both({d2, d3})",
            "show a = fresh(1) - fresh(1) show b = fresh(d2)",
            "let p = 3d3 show a = best(p, 2) show b = best(best(p, 2), 1) show c = p",
            "let p = roll(2) let q = roll(d2) show a = p show b = size(q) show c = highest({p, q})",
            "show a = best(roll(3), 2) show b = best({roll(2), d4}, d2)",
            "show a = picky(2, 4) show b = picky(-1, 4) show c = picky(-3, 0)",
            "let n = d3 - 2 show a = picky(n, 3) show b = n",
            "show a = map(3d4, price) show b = map(2d3, [5, 7, 1, 3])",
            "let p = 3d4 show a = map(p, deep) show b = p kh1 show c = map(p kl2, price)",
            "let p = 2d3 let x = d3 show a = odd(p, x) show b = x",
            "show a = odd(2d3, d3)",
            // A fixed value whose argument is rolled.
            "let q = d2 + 0 show a = two(q + 1) - 1",
            "show a = 2d[twice(d2)] show b = 2d[both(2d2)] kh1",
            "show a = 2d[picky(d2 - 1, 2)]",
            "let once = d3 show a = 2d[once + d2] show b = once",
            "let once = d3 show a = 2d[once + d2]",
            "let p = 2d3 show a = 2d[sum(p) + d2]",
            "let p = 2d3 show a = 2d[highest(p) + d2] show b = p",
            "let once = d3 let p = 2d3 show a = count(p, once) show b = d2 * price(d4)",
            "show a = price(d3) show b = if price(d4) > 2 then deep(d2) else 0",
        ],
    );
}

#[test]
fn changes() {
    all_agree(
        "[functions]\nstep_up = \"(x) => x + d2\"\n",
        &[
            "let x = 0 repeat 3 { set x = x + d3 } show a = x",
            "let x = 0 repeat 3 until x > 2 { set x = x + d3 } show a = x",
            "let x = 0 let n = 0 repeat 3 until x >= 3 { set x = x + d2 set n = n + 1 } show a = x show b = n",
            "let x = 0 repeat 2 until d3 == 1 { set x = x + 1 } show a = x",
            "let x = sum(d2) let y = 1 repeat 2 { let z = d2 set x = x + z set y = y * z } show a = x show b = y",
            "let t = 0 repeat 2 { let s = 0 repeat 2 until s == 1 { set s = d2 } set t = t + s } show a = t",
            "let t = 0 repeat 2 { let p = 2d3 set t = t + highest(p) * 10 + lowest(p) } show a = t",
            "let p = 2d3 let t = 0 repeat 2 { set t = t + highest(p) } show a = t show b = p",
            "let once = d3 let t = 0 repeat 2 { set t = t + once } show a = t",
            "let x = 1 let before = x + d2 set x = 5 show a = before show b = x",
            "let x = 1 let before = x set x = 5 show a = before + d2 show b = x",
            "let x = 1 let p = (clamp(x, 0, 3))d3 set x = 3 show a = p kh1 show b = size(p)",
            "let x = 1 let p = (clamp(x, 0, 3))d3 set x = 3 show a = p",
            "let x = 1 let p = 2d3 let n = count(p, x) set x = 3 show a = n show b = count(p, x) show c = p",
            "let x = 2 let p = 3d3 let q = p kh(clamp(x, 0, 3)) set x = 1 show a = q show b = p kh(clamp(x, 0, 3))",
            "let x = sum(d3) let y = if x > 1 then d2 else x set x = x + y show a = x show b = y",
            "let x = sum(d2) let y = sum(d2) repeat 2 until x + y > 4 { let old = x set x = y + 1 set y = old } show a = x show b = y",
            "let a1 = 0 repeat 3 until a1 > 1 and d2 == 1 { set a1 = a1 + d2 } show a = a1",
            "let d = sum(d4) let used = 0 repeat 2 until d >= 3 { set d = d4 set used = used + 1 } show a = d show b = used",
            "let x = 0 repeat 2 { set x = step_up(x) } show a = x",
            "let x = sum(d3) repeat 2 { set x = step_up(x) + step_up(0) } show a = x",
            "let x = 0 repeat 0 { set x = d6 } show a = x",
            "let x = 0 repeat 2 { let y = d2 let z = d3 let s = y + z set x = x + s * s } show a = x",
            "let x = 0 repeat 2 { let z = d2 repeat 2 { set x = x + z } } show a = x",
            "let x = 0 repeat 2 { let z = d2 let old = x set x = x + 1 let w = z + d2 set x = x + w * old } show a = x",
            "let x = 0 repeat 2 { let y = d2 let z = y + d3 let w = z * 2 repeat 1 { set x = x * w + y } } show a = x",
            "let x = 0 repeat 2 { let p = 2d3 let n = count(p, 3) let m = n + d2 set x = m * m - x } show a = x",
            "let p = 2d3 let x = 0 repeat 2 until x >= p { set x = x + d3 } show a = x show b = p kh1",
            "let x = 0 let y = 0 repeat 2 { repeat 2 until y > 1 { set y = y + d2 } set x = x + y } show a = x show b = y",
            "let x = 3 let n = 2d3 set x = count(n, x) show a = x show b = n",
            "let x = sum(d3) show a = x set x = 7 show b = x",
            "let x = 1 let d = 2d[x + d2] set x = 5 show a = d show b = 1d[x + d2]",
            "let p = 2d3 let old = p kh 1 set p = 2d2 show a = p show b = old show c = p kl 1",
            "let p = 2d3 repeat 2 until matches(p) == 2 { set p = {p kh 1, d3} } show a = p show b = size(p)",
            "let p = 3d2 let n = 0 repeat 2 { set n = n + count(p, 2) set p = p dl 1 } show a = n show b = p",
            "let p = 2d2 let q = {p, d3} set p = q kh 2 show a = p show b = q show c = wins(p, q)",
            "let x = sum(d2) let b0 = x == 1 set x = x + 1 show a = b0 and x == 2 show b = b0",
        ],
    );
}

#[test]
fn checks_within_checks() {
    let table = r#"
name = "Test"
[params]
top = { default = 3, domain = "1..=6" }
[functions]
grade = "(t) => match t { < top: Bad, else: Good }"
[checks.inner]
bands = ["Bad", "Good"]
axes.n = { domain = "0..=3", default = 1 }
axes.bonus = { domain = "-2..=2", default = 0 }
rules = """
let x = 0
repeat 2 until x > n { set x = x + d2 }
let p = (n)d2
show total = x + p + bonus
show band = grade(total)
show pair = matches(p) >= 2
"""
[checks.main]
inherit = ["inner"]
axes.k = { domain = "0..=3", default = 1 }
rules = """
RULES
"""
"#;
    let settings = ["", "n=2 bonus=-1", "k=2 n=0", "top=5 k=3 n=1"];
    let scripts = [
        "let a = inner(..) show t = a.total show good = a.band == Good show pair = a.pair",
        "let a = inner(n = d2) let b = inner(n = d2, ..) show t = a.total - b.total show p = a.pair",
        "let m = d2 let a = inner(n = m, bonus = m) show t = a.total show s = m",
        "show t = if k > 1 then inner(..).total else 0 show u = d2",
        "let x = d2 show t = if x == 1 then inner(n = x).total else index(inner(..).band)",
        "show t = 2d[inner(n = 1).total]",
        "show t = (k)d[if inner(..).band == Good then 2 else -2] kh1 show u = inner(..).pair",
        "let t0 = 0 repeat k until t0 > 3 { let c = inner(n = 1) set t0 = t0 + c.total } show t = t0",
        "show t = max(0, inner(..).total - inner(n = 1).total)",
        "let a = inner(..) show t = match a.band { Bad: 0, Good: if a.pair then d3 else a.total }",
    ];
    for script in scripts {
        ruleset_agrees(&table.replace("RULES", script), &settings);
    }
}

#[test]
fn known_games() {
    let tables = "[params]\nneed = { default = 2, domain = \"0..=9\" }\n";
    all_agree(
        tables,
        &[
            // Ironsworn, with the dice of the challenge rolled before and after the action's.
            "let s = d4 + 1 let c = 2d5 show hits = count(c, < s) show twins = matches(c) == 2",
            "let c = 2d5 let s = d4 + 1 show hits = count(c, < s) show twins = matches(c) == 2",
            "let s = d4 let c = 2d5 show n = max(count(c, < s), if need > 0 then count(c, < need) else 0)",
            // Year Zero: push all dice but the sixes.
            "let dice = 3 let six = 3d4 cs == 4 show n = six + count((dice - six)d4, 4)",
            // Vampire: pairs of tens count double; the hunger dice decide how it ends.
            "let w = 2d5 let r = 2d5 let tens = count(w, 5) + count(r, 5)
             show n = count(w, >= 3) + count(r, >= 3) + 2 * floor(tens / 2)
             show end = match { n < need: if count(r, 1) > 0 then 0 else 1, tens < 2: 2, count(r, 5) > 0: 3, else: 4 }",
            // A die pool with a cut, read before and after the cut.
            "let hand = {2d4, d{1..=3, 4:2}} let left = hand dh 1 show result = highest(left)
             show twist = 2 * matches(hand) >= size(hand) show hits = count(left, 4)",
            // Risk, three against two.
            "let a = 3d3 let b = 2d3 show kills = wins(a, b) show losses = min(size(a), size(b)) - kills",
        ],
    );
}
