//! Choices of many dice, one after the other, in loops and in called checks.

use super::{agree_in, all_agree};

#[test]
fn several_in_a_row() {
    all_agree(&[
        (
            "total - x - y",
            "let raw = d4 choose a1 in 0..=1 let more = d3 choose b1 in 0..=2 show total = if raw + a1 * more + b1 >= 5 then 4 else 0 show x = a1 show y = b1",
        ),
        (
            "got",
            "choose a1 in 0..=2 choose b1 in 0..=2 where b1 != a1 show got = a1 * 2 - b1 show x = a1 show y = b1",
        ),
        (
            "got",
            "choose a1 in 0..=1 let x = d4 choose b1 in 0..=1 let y = d4 show got = (if a1 == 1 then x else 2) + (if b1 == 1 then y else x)",
        ),
        (
            "got",
            "let x = d3 choose a1 in 0..=1 choose b1 in 0..=1 where a1 + b1 <= 1 let y = d4 show got = if a1 == 1 then y else if b1 == 1 then 5 - x else x show took = 2 * a1 + b1",
        ),
        (
            "got",
            "let p = 2d3 choose one in subsets(p) where size(one) == 1 choose n in 0..=1 show got = if n == 1 then one + d2 else p - one + 1 show kept = sum(one)",
        ),
        (
            "got",
            "let p = 2d3 choose a1 in subsets(p) choose b1 in subsets(a1) show got = a1 - 2 * b1 * b1 + 3 * size(b1) show n = size(a1)",
        ),
        (
            "x + y",
            "let a = d3 choose m in 0..=1 show x = if m == 1 then d4 else a let b = d3 choose n in 0..=1 show y = if n == 1 then d4 else b",
        ),
    ]);
}

#[test]
fn in_loops() {
    all_agree(&[
        (
            "2 * total - paid",
            "let a = sum(d4) let used = 0 repeat 2 until a >= 3 { choose yes in 0..=1 set a = again(a, yes) set used = used + yes } show total = a show paid = used",
        ),
        (
            "total",
            "let t = 0 repeat 3 { let d = d4 choose yes in 0..=1 set t = if yes == 1 then t + d else max(t, 2) } show total = min(t, 7)",
        ),
        (
            "-abs(total - 5)",
            "let t = 0 repeat 3 until t >= 5 { choose n in 1..=2 set t = t + (n)d2 } show total = t",
        ),
        (
            "if over then 0 else total",
            "let t = 0 let stop = 0 repeat 3 until stop == 1 { choose quit in 0..=1 set stop = quit set t = if quit == 1 then t else t + d4 } show total = t show over = t > 6",
        ),
        (
            "total",
            "let left = 2 let t = 0 repeat 2 { let d = d4 choose n in 0..=2 where n <= left set left = left - n set t = t + (if d + n >= 4 then 3 else 0) } show total = t + left",
        ),
        (
            "-cost",
            "let left = 2 let paid = 0 repeat 2 until left == 0 { let roll = (left)d3 choose kept in subsets(roll) where size(kept) >= 1 set paid = paid + map(kept, price) set left = left - size(kept) } show cost = paid",
        ),
        (
            "pair",
            "let hand = 2d3 repeat 1 { choose kept in subsets(hand) set hand = {kept, (2 - size(kept))d3} } show pair = matches(hand) == 2 show total = sum(hand)",
        ),
        (
            "total + 5 * pair",
            "let hand = 2d3 repeat 2 until matches(hand) == 2 { choose kept in subsets(hand) where size(kept) <= 1 set hand = {kept, (2 - size(kept))d3} } show pair = matches(hand) == 2 show total = sum(hand)",
        ),
        (
            "total",
            "let t = 0 repeat 2 { repeat 2 until t >= 3 { choose n in 0..=1 set t = if n == 1 then d4 else t } set t = t + 1 } show total = min(t, 4)",
        ),
        (
            "total",
            "let t = 0 repeat 2 until d2 == 1 { choose n in 0..=1 set t = if n == 1 then t + d3 else t + 2 } show total = t * t",
        ),
        (
            "total",
            "let t = 0 repeat k { let p = 2d2 choose top in 0..=1 set t = t + (if top == 1 then highest(p) * 2 else sum(p) + d2) } show total = min(t, 5)",
        ),
    ]);
}

#[test]
fn subsets() {
    all_agree(&[
        (
            "sum",
            "let p = {2d3, d4} choose kept in subsets(p) where size(kept) == 2 show sum = if kept == 4 then 9 else kept show rest = p - kept",
        ),
        (
            "sum",
            "let p = 3d3 kh 2 choose kept in subsets(p) show sum = match sum(kept) { 3: 7, 5: 8, else: 2 * size(kept) } show n = size(kept)",
        ),
        (
            "sum",
            "choose kept in subsets(2d3) show sum = if sum(kept) == 4 then 5 else kept show n = size(kept)",
        ),
        (
            "sum",
            "let p = draw(2, {1: 2, 3: 1, 6: 1}) choose kept in subsets(p) show sum = kept + (2 - size(kept)) * 2 show n = size(kept)",
        ),
        (
            "sum",
            "let p = {d3, 2} choose kept in subsets(p) where highest(kept) <= 2 show sum = {kept, (2 - size(kept))d2} show n = size(kept)",
        ),
        (
            "sum",
            "let p = 2d{0, -1, 2} choose kept in subsets(p) show sum = kept show n = size(kept)",
        ),
        (
            "sum",
            "let p = (k)d3 choose kept in subsets(p) show sum = wins(kept, p) * 3 + kept show n = size(kept)",
        ),
        (
            "sum",
            "let p = 2d3 choose kept in subsets(p) where size(kept) == 1 set kept = {kept, d2} show sum = highest(kept) show n = size(kept)",
        ),
        (
            "sum",
            "let p = 2d3 let q = p choose kept in subsets(q) where count(kept, 2) == 0 set p = {kept, d2} show sum = p show old = sum(q)",
        ),
        (
            "pairs",
            "let p = 3d2 choose kept in subsets(p) where size(kept) < 3 show pairs = matches({kept, (3 - size(kept))d2}) show kept_sum = kept",
        ),
        (
            "sum",
            "let p = 2d3!(1) choose kept in subsets(p) where size(kept) == 1 let q = d3 show sum = if kept > q then kept else -q",
        ),
    ]);
}

#[test]
fn called_checks() {
    agree_in(
        &["", "k=2", "k=0"],
        &[
            (
                "",
                "let c = spender(..) show won = c.success show paid = c.paid",
            ),
            (
                "",
                "let c = spender(skill = k, purse = 2) show won = c.success show paid = c.paid",
            ),
            (
                "",
                "let m = d3 - 1 let c = spender(skill = m, purse = m) show won = c.success show paid = c.paid show s = m",
            ),
            ("", "let m = d4 let c = gambler(safe = m) show got = c.got"),
            ("", "let m = d4 - 1 show got = gambler(safe = m).got"),
            (
                "",
                "let m = d4 - 1 show got = if d2 == 1 then gambler(safe = m).got else 0",
            ),
            ("", "show got = gambler(safe = d4).got"),
            (
                "",
                "let m = d4 show got = gambler(safe = m).got show first = m",
            ),
            ("", "let m = d4 show got = gambler(safe = m).got"),
            (
                "",
                "show got = gambler(safe = d4).got + gambler(safe = d2 + 1).got",
            ),
            // Chosen in all states, and needed in some.
            (
                "",
                "let m = d4 let g = gambler(safe = m).got + d2 show got = if m > 3 then g else m",
            ),
            (
                "",
                "let m = d4 let g = 2d[gambler(safe = m).got] show got = if m > 3 then highest(g) else lowest(g)",
            ),
            (
                "",
                "let t = 0 repeat 2 until gambler(safe = t).got + t > 3 { set t = t + d2 } show got = t",
            ),
            (
                "",
                "let p = 2d3 let q = p kh 1 show got = gambler(safe = highest(p)).got + gambler(safe = count(q, >= lowest(p))).got",
            ),
            (
                "",
                "let m = d4 show got = if m > 2 then gambler(safe = m).got else spender(skill = m).paid",
            ),
            (
                "",
                "let m = d4 show got = 2d[gambler(safe = m).got] kh 1 show first = m",
            ),
            ("", "show got = 2d[gambler(safe = d4).got]!>=4(1)"),
            (
                "",
                "let c = keeper(n = k) let d = keeper(n = 2) show sum = c.sum - d.sum show thrown = c.thrown",
            ),
            (
                "",
                "let m = d2 show got = keeper(n = m).sum show thrown = keeper(n = m).thrown",
            ),
            (
                "",
                "let t = 0 repeat 2 { let c = spender(skill = t) set t = t + c.success } show won = t",
            ),
            (
                "",
                "let t = 0 repeat 2 until t >= 3 { set t = t + gambler(safe = t).got } show sum = t",
            ),
            (
                "",
                "let t = 0 repeat 2 { let c = keeper(n = 1 + t) let d = gambler(safe = 2) set t = min(1, c.thrown) + (d.got > 3) } show sum = t",
            ),
            // A caller with a goal of its own.
            (
                "won - 2 * extra",
                "choose extra1 in 0..=1 let c = spender(skill = 1 + 2 * extra1) show won = c.success show paid = c.paid show extra = extra1",
            ),
            (
                "-paid",
                "let a = d3 choose more in 0..=2 let c = spender(skill = a - more, purse = 2) show won = c.success show paid = c.paid",
            ),
            (
                "total",
                "let c = gambler(safe = d4) choose yes in 0..=1 show total = if yes == 1 then gambler(safe = 3).got else c.got",
            ),
            (
                "total",
                "let m = d4 choose yes in 0..=1 show total = if yes == 1 then gambler(safe = m).got + 1 else 6 - m",
            ),
            (
                "total",
                "let t = 0 repeat 2 { choose yes in 0..=1 let c = gambler(safe = 1 + yes) set t = t + c.got - 2 * yes } show total = t",
            ),
            (
                "min(5, total)",
                "let t = 0 repeat 2 { let c = gambler(safe = 2) choose yes in 0..=1 set t = t + (if yes == 1 then d4 else c.got) } show total = t",
            ),
            (
                "min(5, total)",
                "let t = 0 repeat 2 { let c = gambler(safe = 1 + t) choose yes in 0..=1 let d = gambler(safe = yes) set t = t + min(2, c.got) + yes * d.got } show total = t",
            ),
            (
                "total",
                "let t = 0 repeat 2 { choose yes in 0..=1 set t = t + (if yes == 1 then gambler(safe = t).got else 3) } show total = if t > 6 then 0 else t",
            ),
            (
                "total",
                "let p = 2d3 choose low in 0..=1 let c = gambler(safe = if low == 1 then 2 * lowest(p) else highest(p)) show total = c.got show pair = matches(p)",
            ),
            (
                "total",
                "let p = 2d3 let c = gambler(safe = highest(p)) choose yes in 0..=1 show total = if yes == 1 then sum(p) else c.got * 2",
            ),
            (
                "-total",
                "choose bad in 0..=3 let c = keeper(n = bad) choose worse in 0..=1 show total = c.sum - c.thrown * worse",
            ),
        ],
    );
}

#[test]
fn known_games() {
    agree_in(
        &["", "k=2"],
        &[
            // Two dice of three sides until they are equal, or two throws are over.
            (
                "band == High",
                "let hand = 3d2 repeat 2 { choose kept in subsets(hand) set hand = {kept, (3 - size(kept))d2} } show band = if matches(hand) == 3 then High else Low",
            ),
            // Stop in time.
            (
                "total",
                "let t = 0 let stop = 0 repeat 3 until stop == 1 { choose quit in 0..=1 let d = d3 set t = if quit == 1 then t else if d == 1 then 0 else t + d set stop = if quit == 1 or d == 1 then 1 else 0 } show total = t",
            ),
            // A reroll before or after the others are seen.
            (
                "win - k * used",
                "let a = d4 choose early in 0..=1 let b = if early == 1 then d4 else a let foe = d4 choose late in 0..=1 where early + late <= 1 let c = if late == 1 then d4 else b show win = c > foe show used = early + late",
            ),
        ],
    );
}

/// Whatever the opponent does is equal as long as the player keeps nothing; who keeps a 1 would gain if the opponent went
/// by that.
#[test]
fn replies_to_what_does_not_come_up() {
    agree_in(
        &["", "k=0", "k=2"],
        &[(
            "got",
            "choose kept in subsets(d{0, 1}) oppose guess in 1..=2 let c = (highest(kept))d2 show got = if guess != map(c, [3, 5, 1]) then k * 0 else guess",
        )],
    );
}
