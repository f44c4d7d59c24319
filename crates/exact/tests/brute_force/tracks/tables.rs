//! The tracks.

use super::Track::{Bands, Means, Of};
use super::{agree_in, all_agree};

#[test]
fn counters() {
    agree_in(
        &["", "slots=1", "slots=5 step=2"],
        &[
            Of(
                "let filled = 0 repeat until filled == slots { set filled = filled + 1 }",
                &[],
            ),
            Of(
                "let filled = 0 repeat until filled == slots { set filled = min(filled + d2, slots) }",
                &[],
            ),
            Of(
                "let filled = 0 repeat until filled >= slots { set filled = filled + d3 - 1 } show over = filled - slots",
                &[],
            ),
            Of(
                "let filled = 0 repeat until filled == slots { set filled = if d4 == 1 then filled else up(filled, step, slots) }",
                &["P(rolls == 3)"],
            ),
            Of(
                "let filled = 0 repeat until filled == slots { let x = 2d3 show gain = max(0, x - 3) set filled = up(filled, gain, slots) }",
                &["P(gain == 1 & rolls <= 3)", "mean(gain * 2 - rolls)"],
            ),
            Of(
                "let filled = 0 repeat until filled == slots { set filled = clamp(filled + d4 - 2, 0, slots) }",
                &[],
            ),
            Of(
                "let filled = slots repeat until filled <= 0 { set filled = filled - d2 } show below = filled < 0",
                &["P(below & rolls == 2)"],
            ),
            Of(
                "let filled = 0 let last = 0 repeat until filled == slots { set last = 0 + d3 set filled = up(filled, last, slots) } show final = last",
                &[],
            ),
        ],
    );
}

#[test]
fn two_counters() {
    agree_in(
        &["", "slots=2"],
        &[
            Bands(
                "lost tie won",
                "let mine = 0 let theirs = 0 repeat until mine == slots or theirs == 2 { set mine = up(mine, d2, slots) set theirs = up(theirs, d3 - 1, 2) } show band = if mine == slots and theirs == 2 then tie else if mine == slots then won else lost",
                &["won", "P(won | rolls == 2)"],
            ),
            Bands(
                "lost won",
                "let mine = 0 let theirs = 0 repeat until mine == slots or theirs == 2 { let a = action(..) set mine = up(mine, index(a.band), slots) set theirs = up(theirs, if a.band == miss then 1 else 0, 2) } show band = if mine == slots then won else lost",
                &["lost & rolls <= 3"],
            ),
            Of(
                "let a = 0 let b = 0 repeat until a == 2 and b == 2 { let x = d3 set a = if x == 1 then up(a, 1, 2) else a set b = if x == 2 then up(b, 1, 2) else b }",
                &[],
            ),
            Of(
                "let a = 0 let b = 0 repeat until a + b >= slots { let x = d2 set a = up(a, x - 1, 3) set b = up(b, 2 - x, 3) } show more = a > b show gap = abs(a - b)",
                &["P(more & gap == 1)"],
            ),
            Of(
                "let a = 0 let phase = 0 repeat until phase == 2 { set a = min(a + d2, 3) set phase = if a == 3 then phase + 1 else phase set a = if a == 3 then 0 else a }",
                &[],
            ),
            Of(
                "let up_to = 0 repeat until up_to == 3 { set up_to = if d2 == 1 then up_to + 1 else 0 }",
                &[],
            ),
        ],
    );
}

#[test]
fn games_with_a_state() {
    all_agree(&[
        // Craps with small dice: the point is rolled in the first round.
        Bands(
            "lose win",
            "let point = 0 let result = 0 repeat until result != 0 { let r = 2d3 set result = if point == 0 then (match r { 4: 1, 2: -1, else: 0 }) else (match r { point: 1, 4: -1, else: 0 }) set point = if point == 0 then sum(r) else point } show band = if result == 1 then win else lose",
            &["win", "P(win | rolls > 1)"],
        ),
        // A walk between two ends.
        Bands(
            "ruin rich",
            "let purse = 2 repeat until purse <= 0 or purse >= 5 { set purse = purse + (if d5 <= 2 then 1 else -1) } show band = if purse >= 5 then rich else ruin show left = purse",
            &["rich & rolls <= 5"],
        ),
        // Three in a row, and who began.
        Of(
            "let streak = 0 let side = 0 repeat until streak == 3 { let x = d2 set streak = if x == side then streak + 1 else 1 set side = 0 + x } show winner = side",
            &["P(winner == 1 | rolls == 4)"],
        ),
        // A pool that shrinks.
        Of(
            "let dice = 3 repeat until dice == 0 { let hand = (dice)d3 show hits = count(hand, 3) set dice = dice - count(hand, 3) }",
            &["P(rolls == 1 & hits == 3)"],
        ),
        // Dice that are kept from round to round.
        Of(
            "let hand = 2d3 repeat until matches(hand) == 2 { set hand = {highest(hand), d3} } show pips = sum(hand)",
            &["mean(pips | rolls == 0)"],
        ),
        Of(
            "let bag = 3 let red = 1 repeat until red == 0 or bag == 0 { let draw1 = d4 set red = if draw1 == 1 then 0 else red set bag = bag - 1 } show found = red == 0",
            &[],
        ),
    ]);
}

#[test]
fn rounds_that_count() {
    agree_in(
        &["", "slots=4"],
        &[
            Bands(
                "late in_time",
                "let filled = 0 repeat until filled == slots or rolls == 3 { set filled = up(filled, d2, slots) } show band = if filled == slots then in_time else late",
                &["in_time & rolls == 2"],
            ),
            Of(
                "let filled = 0 repeat until filled == slots { set filled = up(filled, if rolls < 2 then 1 else d3, slots) }",
                &[],
            ),
            Of(
                "let filled = 0 repeat until filled >= slots + rolls or rolls == 4 { set filled = filled + d3 } show end = filled",
                &[],
            ),
            Of(
                "let filled = 0 repeat until rolls >= slots { set filled = up(filled, d2 - 1, 3) } show end = filled",
                &[],
            ),
            Of(
                "let filled = 0 repeat until filled == slots { set filled = up(filled, d2, slots) } show late = rolls >= 3 show twice = rolls * 2 + 1",
                &["P(late & twice == 7)", "mean(twice | late)"],
            ),
        ],
    );
}

#[test]
fn sums() {
    agree_in(
        &["", "slots=2 step=2"],
        &[
            // What is set after the loop has forgotten its rounds.
            Of(
                "let filled = 0 let sum1 = 0 repeat until filled == slots { let x = d3 set filled = up(filled, x - 1, slots) set sum1 = min(sum1 + x, 4) } set sum1 = 7 show paid = sum1",
                &["P(paid == 7)", "mean(paid)"],
            ),
            Of(
                "let filled = 0 let sum1 = 0 repeat until filled == slots { let x = d3 set filled = up(filled, x - 1, slots) set sum1 = sum1 + x } show paid = sum1",
                &["P(paid <= 5 & rolls == 2)", "mean(paid | paid <= 4)"],
            ),
            Of(
                "let filled = 0 let sum1 = 0 repeat until filled == slots { let x = d3 set filled = up(filled, x - 1, slots) set sum1 = sum1 + (if x == 1 then 2 else 0) } show paid = sum1",
                &["P(paid == 0)", "P(paid >= 6 | rolls > 3)"],
            ),
            Of(
                "let filled = 0 let sum1 = 0 repeat until filled == slots { let x = d3 set filled = up(filled, x - 1, slots) set sum1 = if x == 1 then sum1 + step else sum1 } show paid = sum1 show rich = sum1 > 2",
                &["P(rich & paid == 3)", "mean(paid | rich)"],
            ),
            Of(
                "let filled = 0 let sum1 = 2 repeat until filled == slots { let x = d2 set filled = up(filled, x, slots) set sum1 = match x { 1: sum1, else: 1 + sum1 } } show paid = sum1 * 2",
                &["P(paid <= 6)"],
            ),
            Of(
                "let filled = 0 let sum1 = d3 - 1 repeat until filled == slots { set filled = up(filled, d2, slots) set sum1 = sum1 + 1 } show paid = sum1 - 1",
                &["P(paid == 2)"],
            ),
            // What no round adds to is a number like others, and has a distribution.
            Of(
                "let filled = 0 let sum1 = d3 - 1 repeat until filled == slots { set filled = up(filled, d2 - 1, slots) set sum1 = sum1 + clamp(0, 0, 2) } show paid = sum1",
                &["P(paid == 2)", "variance(paid)"],
            ),
            Of(
                "let filled = 0 let sum1 = d3 - 1 repeat until filled == slots { set filled = up(filled, d2 - 1, slots) set sum1 = sum1 + (if filled > slots then 1 else 0) } show paid = sum1",
                &["P(paid == 2)", "variance(paid)"],
            ),
            Means(
                "let filled = 0 let sum1 = 0 repeat until filled == slots { let x = d3 set filled = up(filled, x - 1, slots) set sum1 = sum1 + x - 2 } show gain_loss = sum1",
                &["mean(gain_loss | rolls == 2)"],
            ),
            Means(
                "let filled = 0 let sum1 = 0 repeat until filled == slots { let x = d3 set filled = up(filled, x - 1, slots) set sum1 = sum1 - step * x } show debt = sum1",
                &["variance(3 * debt + rolls)"],
            ),
            Means(
                "let filled = 0 let sum1 = 0 let sum2 = 0 repeat until filled == slots { let x = d3 set filled = up(filled, x - 1, slots) set sum1 = sum1 + x set sum2 = sum2 + (if x == 2 then 1 else 0) } show both = sum1 - 3 * sum2 show one = sum1 show two = sum2",
                &[
                    "P(one <= 4)",
                    "P(two == 1)",
                    "P(two == 0 & one == 3)",
                    "mean(one + two * 2)",
                    "variance(one - two)",
                    "mean(one | two >= 1)",
                    "variance(two | one <= 5)",
                    "P(one < 5 & rolls > 1 | two < 2)",
                ],
            ),
            Of(
                "let filled = 0 let sum1 = 0 repeat until filled == slots { let x = d2 show gain = x set filled = up(filled, gain - 1, slots) set sum1 = sum1 + gain } show paid = sum1",
                &[
                    "P(paid == 4 & gain == 1)",
                    "mean(paid | gain == 2)",
                    "variance(paid | gain == 1)",
                    "mean(paid - gain)",
                    "P(paid <= 5 | gain == 2 & rolls == 3)",
                ],
            ),
            Means(
                "let filled = 0 let sum1 = 0 repeat until filled == slots { set filled = up(filled, d2, slots) set sum1 = sum1 + filled } show paid = if sum1 >= 4 then 1 else 0",
                &["mean(paid | rolls == 2)"],
            ),
            Means(
                "let filled = 0 let sum1 = 0 repeat until filled == slots { repeat 2 until filled == slots { let x = d2 set filled = up(filled, x - 1, slots) set sum1 = sum1 + 1 } } show paid = sum1 show capped = min(sum1, 5)",
                &["mean(capped - paid)", "P(paid == 2)"],
            ),
        ],
    );
}

#[test]
fn before_and_after() {
    agree_in(
        &["", "slots=2"],
        &[
            Of(
                "show start = d3 let filled = 0 + start repeat until filled >= slots + 1 { set filled = filled + d2 }",
                &["P(start == 3 & rolls == 1)"],
            ),
            Of(
                "let filled = d4 - 1 repeat until filled >= slots { set filled = filled + d2 } show end = filled",
                &["P(rolls == 0)", "mean(end | rolls == 0)"],
            ),
            Of(
                "let filled = 0 repeat until filled >= slots { set filled = filled + d3 } show reward = (filled)d2",
                &["P(reward == 4 & rolls == 1)"],
            ),
            Of(
                "let filled = 0 let hard = 1d2 repeat until filled >= slots { set filled = filled + (if hard == 2 then d2 else d3) } let bonus = d4 show end = filled + bonus show bonus_only = bonus",
                &["P(end == 5 | bonus_only == 2)"],
            ),
            Of(
                "show calm = d2 == 1 let filled = 0 repeat until filled >= slots { let x = if calm then d3 else d2 show gain = x set filled = filled + gain } show end = filled show luck = d2",
                &[
                    "P(calm & gain == 2 & rolls == 2)",
                    "P(calm | gain == 2)",
                    "mean(rolls | calm & gain == 1)",
                    "P(luck == 1 & gain == 1 & end == 3)",
                ],
            ),
            Of(
                "let filled = 0 repeat until filled >= slots { let p = 2d2 show top = highest(p) show twos = count(p, 2) show some = twos > 0 set filled = filled + twos }",
                &[
                    "P(top == 2 & twos == 1)",
                    "P(some & rolls == 2)",
                    "mean(rolls | top == 1)",
                    "mean(twos | some)",
                ],
            ),
            Of(
                "let filled = 0 let sum1 = 0 repeat until filled >= slots { let x = d2 set filled = filled + x set sum1 = sum1 + x - 1 } let extra = d2 show paid = sum1 show other = extra + filled",
                &[
                    "P(paid == 1 & other == 5)",
                    "mean(paid | other >= 5)",
                    "variance(paid - other)",
                ],
            ),
        ],
    );
}

#[test]
fn called_checks() {
    agree_in(
        &["", "slots=4"],
        &[
            Of(
                "let filled = 0 repeat until filled >= slots { let a = action(stat = 1) show first = a.band set filled = filled + index(a.band) }",
                &["P(first == weak & rolls == 2)"],
            ),
            Of(
                "let filled = 0 repeat until filled >= slots { let t = tries(goal = 3) show thrown = t.thrown set filled = filled + t.best_of }",
                &["P(thrown == 2 & rolls == 1)"],
            ),
            Of(
                "let filled = 0 let sum1 = 0 repeat until filled == slots { let t = tries(goal = filled + 1) set filled = up(filled, max(0, t.best_of - 1), slots) set sum1 = sum1 + t.thrown } show paid = sum1",
                &["P(paid <= 4)"],
            ),
            Of(
                "let filled = 0 repeat until filled == slots { let b = bold(need = slots - filled) show risky = b.risky set filled = up(filled, b.got, slots) }",
                &["P(risky & rolls == 2)", "P(rolls == 1)"],
            ),
            Of(
                "let filled = 0 repeat until filled == slots { set filled = up(filled, bold(need = slots - filled).got - 1, slots) }",
                &["P(rolls == 1)"],
            ),
            Of(
                "let filled = 0 let sum1 = 0 repeat until filled == slots { let m = d3 let b = bold(need = m) set filled = up(filled, b.got, slots) set sum1 = sum1 + b.risky } show risks = sum1",
                &["P(risks == 1 & rolls <= 2)"],
            ),
            Of(
                "let b = bold(..) let filled = 0 + b.got repeat until filled >= slots { set filled = filled + d2 } show end = bold(need = filled).got",
                &[],
            ),
        ],
    );
}

/// A policy may know a value by the name that it has inside another: what a called check shows, if nothing but 0 is
/// added to it.
#[test]
fn choices_that_know_the_insides_of_values() {
    agree_in(
        &["", "slots=1"],
        &[
            Of(
                "let need = 0 + tries(goal = d2).best_of let filled = 0 let sum1 = 0 repeat until filled >= slots { set filled = filled + d2 - 1 set sum1 = sum1 + bold(need = need).got } show paid = sum1",
                &[],
            ),
            Of(
                "let need = 0 + tries(goal = d2).best_of let filled = 0 repeat until filled >= slots { set filled = filled + d2 } show end = bold(need = need).got",
                &[],
            ),
        ],
    );
}

#[test]
fn without_an_end() {
    all_agree(&[
        Of(
            "let filled = 0 repeat until filled == 1 { set filled = if filled == 2 or d3 == 1 then 2 else if d2 == 1 then 1 else 0 }",
            &["P(rolls == 2)", "P(rolls >= 1)", "mean(rolls | rolls <= 3)"],
        ),
        Of(
            "let filled = 0 repeat until filled == 1 { set filled = filled * 0 }",
            &["P(rolls > 6)", "mean(rolls | rolls < 3)"],
        ),
        Bands(
            "lost won",
            "let at = 0 repeat until at == 2 or at == 3 { set at = match at { 0: d4, else: at } } show band = if at == 2 then won else lost",
            &[
                "won",
                "lost",
                "P(won | rolls == 1)",
                "P(won & rolls <= 2)",
                "won or lost",
            ],
        ),
        Of(
            "let at = 0 repeat until at == 2 { show x = d3 set at = if at == 0 then x else at }",
            &[
                "P(x == 2)",
                "mean(x)",
                "mean(rolls | x == 2)",
                "mean(rolls | x == 1)",
                "P(rolls > 3 | x >= 2)",
                "P(x == 3 | rolls > 3)",
                "mean(x | rolls > 3)",
                "variance(x | rolls > 3)",
                "mean(x | rolls <= 3)",
                "mean(min(rolls, 3) + x)",
            ],
        ),
        Of(
            "let at = 0 let sum1 = 0 repeat until at == 2 { set at = if at == 0 then 1d3 + 0 else at set sum1 = sum1 + 2 } show paid = sum1",
            &[
                "P(paid <= 4)",
                "mean(paid | rolls <= 2)",
                "P(paid > 2)",
                "mean(paid | paid > 1)",
            ],
        ),
        Of(
            "let luck = d2 let at = 0 repeat until at == 1 { set at = if luck == 1 and d2 == 1 then 1 else 0 } show end = at show was = luck + 0",
            &[
                "P(was == 2)",
                "P(was == 2 & end == 1)",
                "mean(was | end == 1)",
            ],
        ),
    ]);
}

/// Rounds that change nothing of what their end tests, by themselves or by what is set: they go on for ever.
#[test]
fn what_no_round_changes() {
    agree_in(
        &["step=0", "step=1", "step=2 slots=2"],
        &[
            Bands(
                "stuck top",
                "let height = 0 let noise = 0 repeat until height == slots { set height = if step > 0 then min(height + (d6 <= step), slots) else height set noise = min(noise + (d6 == 1), 2) } show loud = noise == 2 show band = if height == slots then top else stuck",
                &[
                    "stuck",
                    "P(stuck & loud)",
                    "P(stuck or rolls > 3)",
                    "P(stuck | rolls > 3)",
                ],
            ),
            Of(
                "let wounds = sum(d3) repeat until wounds == 1 { set wounds = if step > 0 and d6 >= 4 then max(wounds - 1, 1) else wounds } show left = wounds",
                &["P(left == 2 | rolls >= 2)", "P(left == 2 & rolls < 5)"],
            ),
            // Neither the end nor what is shown reads anything.
            Of(
                "let x = 0 repeat until step > 1 and x == 1 { set x = if step > 0 then 1 else x } show z = 7 show k = step",
                &["P(z == 7)", "mean(z)", "P(z == 7 | rolls > 2)"],
            ),
            Of(
                "let x = 0 repeat until x == step { set x = x } show y = x",
                &["P(y == 0)"],
            ),
        ],
    );
}
