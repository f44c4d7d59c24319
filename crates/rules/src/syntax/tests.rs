//! What parses, to what shape, and what is said about all that does not.

use insta::assert_snapshot;
use proptest::prelude::*;

use super::ast::{
    Arg, Arm, Ask, Expr, ExprKind, Face, Faces, Options, Script, Statement, Test, TestKind,
};
use super::{parse_expr, parse_function, parse_query, parse_script};
use crate::source::{Diagnostics, Reporter, Source, Span};
use crate::statistic::Statistic;

/// Reads `text` as a part of a larger source, as every caller does.
fn read<T>(
    text: &str,
    parse: impl FnOnce(&str, usize, &mut Reporter) -> T,
) -> Result<T, Diagnostics> {
    let before = "# é\n";
    let source = Source::new("t", format!("{before}{text}\n)"));
    let mut reporter = Reporter::new(&source);
    let value = parse(text, before.len(), &mut reporter);
    reporter.finish(value)
}

fn expr(text: &str) -> Expr {
    let parsed = read(text, parse_expr).unwrap_or_else(|e| panic!("{text}: {e}"));
    parsed.unwrap_or_else(|| panic!("{text}: nothing, and no error"))
}

fn script(text: &str) -> Script {
    read(text, parse_script).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn function(text: &str) {
    let parsed = read(text, parse_function).unwrap_or_else(|e| panic!("{text}: {e}"));
    assert!(parsed.is_some(), "{text}: nothing, and no error");
}

/// The errors of a text: its line and column, the place itself, what is wrong, and the help.
fn errors<T>(text: &str, parse: impl Fn(&str, usize, &mut Reporter) -> T) -> String {
    let Err(Diagnostics(errors)) = read(text, parse) else {
        panic!("{text}: no error")
    };
    let mut said = text.to_owned();
    for error in errors {
        let place = &error.source.text[error.span.start..error.span.end];
        // The text begins on the source's second line.
        let (line, column) = error.source.line_column(error.span.start);
        said += &format!("\n  {}:{column} `{place}`: {}", line - 1, error.message);
        said += &error.help.map_or(String::new(), |help| format!("; {help}"));
    }
    said
}

/// The errors of many texts.
fn reports<T>(texts: &[&str], parse: impl Fn(&str, usize, &mut Reporter) -> T) -> String {
    texts
        .iter()
        .map(|text| errors(text, &parse))
        .collect::<Vec<_>>()
        .join("\n")
}

/// An expression with all its parentheses.
fn shape(expr: &Expr) -> String {
    let pair =
        |word: &str, one: &Expr, other: &Expr| format!("({} {word} {})", shape(one), shape(other));
    match &expr.kind {
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Name(name) => name.clone(),
        ExprKind::Label(label) => format!("{label:?}"),
        ExprKind::List(items) => format!("[{}]", shapes(items)),
        ExprKind::Pool(items) => format!("{{{}}}", shapes(items)),
        ExprKind::Bag(faces) => format!("bag{{{}}}", joined(faces, face_shape)),
        ExprKind::Dice { count, die } => {
            let count = count.as_ref().map_or("1".to_owned(), |count| shape(count));
            let faces = match &die.faces {
                Faces::Sides(sides) => shape(sides),
                Faces::Percent => "%".to_owned(),
                Faces::Fate => "F".to_owned(),
                Faces::Listed(faces) => format!("{{{}}}", joined(faces, face_shape)),
                Faces::Of(inner) => format!("[{}]", shape(inner)),
            };
            let reroll = die.reroll.as_ref().map_or(String::new(), |reroll| {
                format!(
                    " {} {}",
                    if reroll.once { "ro" } else { "r" },
                    test_shape(&reroll.test)
                )
            });
            let explode = die.explode.as_ref().map_or(String::new(), |explode| {
                let test = explode.test.as_ref().map_or(String::new(), test_shape);
                let depth = explode.depth.as_ref();
                let depth = depth.map_or(String::new(), |depth| format!("({})", shape(depth)));
                format!(" !{test}{depth}")
            });
            format!("({count}d{faces}{reroll}{explode})")
        }
        ExprKind::Fold(fold) => {
            let pools = fold.pools.iter();
            let pools = pools.map(|(count, pool)| format!("{} of {}", count.text, shape(pool)));
            let states = fold.states.iter();
            let states = states.map(|(name, start)| format!("{} = {}", name.text, shape(start)));
            let steps = fold.steps.iter().map(|step| {
                let word = if step.is_new { "let" } else { "set" };
                format!("{word} {} = {}", step.name.text, shape(&step.value))
            });
            format!(
                "(fold {} [{}] [{}] {{{}}})",
                fold.face.text,
                pools.collect::<Vec<_>>().join(", "),
                states.collect::<Vec<_>>().join(", "),
                steps.collect::<Vec<_>>().join("; ")
            )
        }
        ExprKind::Keep {
            pool,
            which,
            amount,
        } => {
            let amount = amount
                .as_ref()
                .map_or(String::new(), |amount| format!(" {}", shape(amount)));
            format!("({} {which:?}{amount})", shape(pool))
        }
        ExprKind::Successes { pool, test } => format!("({} cs {})", shape(pool), test_shape(test)),
        ExprKind::Index { list, index } => format!("{}[{}]", shape(list), shape(index)),
        ExprKind::Field { record, field } => format!("{}.{}", shape(record), field.text),
        ExprKind::Unary { op, operand } => format!("({op:?} {})", shape(operand)),
        ExprKind::Binary { op, left, right } => pair(&format!("{op:?}"), left, right),
        ExprKind::If {
            condition,
            then,
            otherwise,
        } => {
            format!(
                "(if {} {} {})",
                shape(condition),
                shape(then),
                shape(otherwise)
            )
        }
        ExprKind::Match {
            subject,
            arms,
            otherwise,
        } => {
            let subject = subject
                .as_ref()
                .map_or("-".to_owned(), |subject| shape(subject));
            let otherwise = otherwise
                .as_ref()
                .map_or(String::new(), |e| format!(" else {}", shape(e)));
            format!("(match {subject} {}{otherwise})", joined(arms, arm_shape))
        }
        ExprKind::Call { name, args } => format!("{}({})", name.text, joined(args, arg_shape)),
        ExprKind::Divide {
            division,
            numerator,
            denominator,
        } => pair(&format!("{division:?}"), numerator, denominator),
        ExprKind::Error => "error".to_owned(),
    }
}

fn joined<T>(items: &[T], shape: impl Fn(&T) -> String) -> String {
    items.iter().map(shape).collect::<Vec<_>>().join(", ")
}

fn shapes(items: &[Expr]) -> String {
    joined(items, shape)
}

fn face_shape(face: &Face) -> String {
    let to = face
        .to
        .as_ref()
        .map_or(String::new(), |to| format!("..={}", shape(to)));
    let weight = face
        .weight
        .as_ref()
        .map_or(String::new(), |weight| format!(": {}", shape(weight)));
    format!("{}{to}{weight}", shape(&face.from))
}

fn test_shape(test: &Test) -> String {
    match &test.kind {
        TestKind::Compare { op, value } => format!("{op:?} {}", shape(value)),
        TestKind::Range { from, to } => format!("{}..={}", shape(from), shape(to)),
        TestKind::Value(value) => shape(value),
    }
}

fn arm_shape(arm: &Arm) -> String {
    format!(
        "{}: {}",
        joined(&arm.patterns, test_shape),
        shape(&arm.value)
    )
}

fn arg_shape(arg: &Arg) -> String {
    match arg {
        Arg::Value(value) => shape(value),
        Arg::Named(name, value) => format!("{} = {}", name.text, shape(value)),
        Arg::Test(test) => test_shape(test),
        Arg::Rest(_) => "..".to_owned(),
    }
}

fn statement_shape(statement: &Statement) -> String {
    match statement {
        Statement::Let { name, value, shown } => {
            let word = if *shown { "show" } else { "let" };
            format!("{word} {} = {}", name.text, shape(value))
        }
        Statement::Show { name } => format!("show {}", name.text),
        Statement::Set { name, place, value } => {
            let place = place.iter().map(|place| format!("[{}]", shape(place)));
            let place = place.collect::<String>();
            format!("set {}{place} = {}", name.text, shape(value))
        }
        Statement::Choose {
            party,
            name,
            options,
            condition,
            ..
        } => {
            let options = match options {
                Options::Range(from, to) => format!("{} ..= {}", shape(from), shape(to)),
                Options::Subsets(pool) => format!("subsets {}", shape(pool)),
            };
            let condition = condition.as_ref().map_or("-".to_owned(), shape);
            format!("{} {} {options} {condition}", party.keyword(), name.text)
        }
        Statement::Repeat {
            count, until, body, ..
        } => {
            let part = |e: &Option<Expr>| e.as_ref().map_or("-".to_owned(), shape);
            format!(
                "repeat {} {} {{ {} }}",
                part(count),
                part(until),
                joined(body, statement_shape)
            )
        }
        Statement::For {
            name,
            from,
            to,
            body,
            ..
        } => {
            let (from, to) = (shape(from), shape(to));
            let body = joined(body, statement_shape);
            format!("for {} {from} ..= {to} {{ {body} }}", name.text)
        }
    }
}

/// Expressions of the published and the worked cases.
const DIST: &[&str] = &[
    "4d10kh2",
    "4d10kl2",
    "max(0, 15 - (2d10 + 1d8 + 2))",
    "4dF",
    "d%",
    "2d{1,1,2,3}",
    "3d{0:6,1:4}",
    "5d6dl2",
    "4d6dh1",
    "3d8r<3",
    "4d8ro<3kh2",
    "{2d8,2d6}kh2",
    "{1d4,1d6,1d8,1d10,1d12}kl3",
    "3d6!(1)",
    "2d4!(3)kh1",
    "8d10 cs>=7",
    "{3d6,2d10} cs>=5",
    "2d6 * 3 - 1",
    "1d4 * 1d6",
    "max(1d8, 1d12)",
    "min(2d6, 8)",
    "abs(1d6 - 1d6)",
    "highest(5d8, 2)",
    "lowest(5d8, 2)",
    "count(6d10, >=7)",
    "nth({2d8,2d6}, 2)",
    "1d6 - 1d6",
    "10 - 2d6",
    "100d6",
    "20d10kh3",
    "matches(8d10)",
    "3d{0,1,2,3,4,5,6,7,8,9}kl2",
    "(1d20 + 5 >= 15) + (1d20 + 5 >= 15)",
    "4d6kh3",
    "(4d6kh3 >= 18) + (4d6kh3 >= 18) + (4d6kh3 >= 18) + (4d6kh3 >= 18) + (4d6kh3 >= 18) + (4d6kh3 >= 18)",
    "(4d6kh3 >= 17) + (4d6kh3 >= 17) + (4d6kh3 >= 17) + (4d6kh3 >= 17) + (4d6kh3 >= 17) + (4d6kh3 >= 17)",
    "(4d6kh3 >= 15) + (4d6kh3 >= 15) + (4d6kh3 >= 15) + (4d6kh3 >= 15) + (4d6kh3 >= 15) + (4d6kh3 >= 15)",
    "(4d6kh3 >= 14) + (4d6kh3 >= 14) + (4d6kh3 >= 14) + (4d6kh3 >= 14) + (4d6kh3 >= 14) + (4d6kh3 >= 14)",
    "(4d6kh3 + 4d6kh3 + 4d6kh3 + 4d6kh3 + 4d6kh3 + 4d6kh3) - (4d6kh3 + 4d6kh3 + 4d6kh3 + 4d6kh3 + 4d6kh3 + 4d6kh3)",
    "2d6kl1",
    "3d6kl1",
    "nth(3d6,2)",
    "3d6kl2",
    "2d4kh1",
    "2d20kh1",
    "2d20dl1",
    "2d20kl1 - 2d20kh1",
    "2d20kh1 - 5 - 2d20kl1",
    "nth(2d10,2)",
    "nth(3d10,2)",
    "nth(3d10,1)",
    "nth(3d10,3)",
    "{1d{0,2,3,4,5,6,7,8,9,10,11,12},1d{0,2,3,4,5,6,7,8,9,10},2d{0,2,3,4,5,6,7,8},1d{0,2,3,4,5,6}}kh2",
    "{4d7,2d10}kh1",
    "1d6 cs<=1",
    "2d6 cs<=1",
    "4d6 cs<=1",
    "6d6 cs<=1",
    "10d6 cs<=1",
    "6d6 cs>=6",
    "18d6 cs>=6",
    "5d6 cs>=6",
    "4d10 cs>=7",
    "4d{0:5,1:1,2:4}kh1",
    "matches(5d6)",
    "matches(6d6)",
    "1d6!(1) cs>=9",
    "2d6!(1) cs>=9",
    "5d6!(1) cs>=9",
    "10d6!(1) cs>=9",
    "6d10!(2)kh3",
    "5d{0,1,2,3,4,5,6,7,8,9}!(1) cs>=13",
    "2d6ro<3 + 5",
    "1d6ro<6 cs>=6",
    "2d6ro<6 cs>=6",
    "3d6ro<6 cs>=6",
    "1d6 > 1d6",
    "2d6kh1 > 1d6",
    "1d6 > 2d6kh1",
    "2d6 - 3d6",
    "2d6 > 3d6",
    "1d24 + 1d23 + 1d20 + 1d16 + 1d11 + 1d9 + 1d7 + 1d4",
    "abs(1d8 + 1d12 - 11)",
];

#[test]
fn reads_every_worked_expression() {
    for text in DIST {
        let parsed = expr(text);
        assert_eq!(parsed.span.end - parsed.span.start, text.len(), "{text}");
    }
}

/// The scripts of the worked games.
const GAMES: &[&str] = &[
    "let hand = 5d6  repeat 2 { choose kept in subsets(hand)  set hand = {kept, (5 - size(kept))d6} }
     show band = if matches(hand) == 5 then yahtzee else other",
    "let left = dice  let paid = 0  repeat dice until left == 0 { let roll = (left)d6
       choose kept in subsets(roll) where size(kept) >= 1  set paid = paid + map(kept, price)  set left = left - size(kept) }
     show cost = paid",
    "choose best in 0..=(if effort_policy == optimal then effort else 0)
     show effort_spent = policy + best",
    "let filled = 0
     repeat until filled == slots {
       let c      = check(..)
       let points = match c.band { Miss: 0, Graze: ceil(1d10 / 2), Hit: 1d10, Critical: 2d10 }
       show gain  = if c.band == Miss then 0 else ceil((points + impactful) / slot_value)
       set filled = min(filled + gain, slots)
     }",
    "let own     = ladder[floor(ability_rank / 2)]
     let sides   = if asset_mode == die then max(own, ladder[asset_quality]) else own
     let circ    = boosted(2, 10, net_of(circ_boons, circ_banes))
     let ability = if mood == 1 then 0 else boosted(1, sides, net_of(ability_boons, ability_banes))
     let skill   = if mood == 1 then 0 else ceil(skill_rank / 2)    let asset = if asset_mode == bonus then asset_quality else 0
     let raw     = circ + ability + skill + asset + flat
     let policy  = match effort_policy { all: effort, optimal: 0, next_band: reach(raw, next_at(raw), effort),
       to10: reach(raw, 10, effort), to15: reach(raw, 15, effort), to20: reach(raw, 20, effort) }
     show effort_spent = policy + best
     let gate = if adv_gate == after_effort then raw + effort_spent else raw
     let advantage = if adv_invokes > 0 and gate >= thresholds[0] then boosted(1, 10, min(adv_invokes - 1, boon_cap)) else 0
     show total = raw + effort_spent + advantage
     show band  = mitigate(grade(total), state)",
    "let filled = 0
     repeat until filled == slots {
       let c      = check(..)
       let points = match c.band { Miss: 0, Graze: ceil(1d10 / 2), Hit: 1d10, Critical: 2d10 }
       show gain  = if c.band == Miss then 0 else ceil((points + impactful) / slot_value)
       set filled = min(filled + gain, slots)
     }",
    "show score = if mood == 1 then 5 else ceil((20 + ability_rank + skill_rank) / 2)
     show band  = if boosted(2, 10, net_of(diff_boons, diff_banes)) < score then success else failure",
    "let support = followers d[if test(ability_rank = follower_ability_rank, skill_rank = follower_skill_rank,
       diff_boons = follower_diff_boons, diff_banes = follower_diff_banes).band == success then 2 else -2]
     let lead = check(flat = flat + support, ..)    show band = lead.band   show total = lead.total",
    "show target_number = 4 + skill + bonus - penalty
     let die = 1d10   let used = 0
     repeat rerolls until scored(die, target_number) >= need { set die = 1d10   set used = used + 1 }
     let gap = die - target_number    let moved = match karma_policy { rescue: if gap > 0 and gap <= karma then gap else 0,
       special: if abs(gap) <= karma then abs(gap) else 0, extra: 0 }
     let made = gap <= 0 or moved > 0      let plain = if made then die else 0    let short = max(0, need - plain)
     let bought = if karma_policy == extra and short <= karma and (made or karma_on_failure == 1) then short else 0
     let line   = if clamp_special == 1 then min(target_number, 10) else target_number
     show successes = plain + bought          show karma_spent = 2 * used + moved + bought
     show Special = made and (moved > 0 or die == line)    show band = if made then success else failure",
    "show actor = test(skill = actor_skill, bonus = actor_bonus, penalty = actor_penalty).successes
     show net = max(0, actor - test(skill = counter_skill, bonus = counter_bonus, penalty = counter_penalty).successes)",
    "let t = test(..)  show units = if t.successes < first then 0 else 1 + floor((t.successes - first) / next)",
    r#"let dice  = pool_of(rating + assist + max(push_die, bargain) + extra)
     show band = if count(dice, 6) >= 2 then Critical else match highest(dice) { 6: "6", 4..=5: "4/5", else: "1-3" }
     let level = index(effect) + push_effect + match band { Critical: 1, "4/5": -partial_reduction, else: 0 }
     show ticks = if band == "1-3" then 0 else [0, 1, 2, 3, extreme_ticks][clamp(level, 0, 4)]
     show danger_ticks = match band { "1-3": if position == controlled then controlled_miss else consequence[position],
                                      "4/5": consequence[position], else: 0 }
     show stress = 2 * (push_die + push_effect)"#,
    "let dice = pool_of(attribute)  show stress = if count(dice, 6) >= 2 then -1 else 6 - highest(dice)",
    r#"let progress = 0   let peril = 0
     repeat until progress == goal or peril == danger { let a = action(..)
       set progress = min(progress + a.ticks, goal)   set peril = min(peril + a.danger_ticks, danger) }
     show band = if progress == goal and (peril < danger or race_tie == goal_first) then "goal" else "danger""#,
    "let full = if pool >= 0 then pool else skill + aspect + esoteric + merit + misfortune
     let cut  = if cut_mode == pre_roll then 0 else cuts    let dice = if cut_mode == pre_roll then max(0, full - cuts) else full
     let none = dice == 0 or cut >= dice    let zero = none and (full == 0 or overflow == zero_pool)
     let hand = match { zero: 2d6 kl 1, none and overflow == auto_miss: 0d6, none: 1d{1..=4, 5:2}, else: (dice)d6 }
     let left = if none then hand else hand dh cut
     show result = highest(left)
     show band   = band_of(result)    let read = if twist_scope == rolled then hand else left
     show Twist  = size(hand) >= 3 and 2 * matches(read) >= size(read) and (twist_scope != remaining_min3 or size(read) >= 3)
     show hit_dice = count(left, 6)   show glance_dice = count(left, 4..=5)   show miss_dice = count(left, <= 3)
     show boxes = if band == Miss then 0 else [0, 1, high_boxes, track][effect]
     show trouble = if band == Hit then 0 else [1, 2, 2 * high_boxes][position]",
    "show band = band_of(highest(draw(draw, {6: 2, 4: 4, 1: 6})))",
    "show best = highest(6d[4d6kh3])",
    "show total = 10d10!(4)kh5",
    "show shifts = 4dF + skill",
    "let a = 3d6 let b = 2d6 show kills = wins(a, b)",
    "let d = match edge { none: 1d20, advantage: 2d20 kh, disadvantage: 2d20 kl }
     show band = match { d == 20: crit, d == 1: miss, d + bonus >= ac: hit, else: miss }
     show damage = match band { miss: 0, hit: 1d8 + 3, crit: 2d8 + 3 }",
    "let s = 1d6 + stat  let c = 2d10
     show band = match max(count(c, < s), if momentum > 0 then count(c, < momentum) else 0) { 0: miss, 1: weak, else: strong }",
    "let six = dice d6 cs==6  show successes = six + count((dice - six)d6, 6)",
    "let w = (normal)d10  let r = (hunger)d10  let tens = count(w, 10) + count(r, 10)
     show n = count(w, >= 6) + count(r, >= 6) + 2 * floor(tens / 2)
     show band = match { n < need: if count(r, 1) > 0 then bestial else failure, tens < 2: win, count(r, 10) > 0: messy, else: critical }",
    "let g = 2d{0..=7}  let b = 1d{0..=7}           # boon_s, …: list parameters, one entry a face
     show success = map(g, boon_s) - map(b, bane_s)    show advantage = map(g, boon_a) - map(b, bane_a)",
    "let hand = 5d6  repeat 2 { set hand = {kept, (5 - size(kept))d6} }
     show band = if matches(hand) == 5 then yahtzee else other",
    "let left = dice  let paid = 0  repeat dice until left == 0 { let roll = (left)d6
       set paid = paid + map(kept, price)  set left = left - size(kept) }
     show cost = paid",
    "let point = 0  let result = 0  repeat until result != 0 { let r = 2d6
       set result = if point == 0 then (match r { 7 or 11: 1, 2 or 3 or 12: -1, else: 0 }) else (match r { point: 1, 7: -1, else: 0 })
       set point = if point == 0 then r else point }  show band = if result == 1 then win else lose",
];

/// The functions of the worked games.
const FUNCTIONS: &[&str] = &[
    "(n) => clamp(n, -boon_cap, boon_cap)",
    "(b, x) => if cap_order == net_then_cap then capped(b - x) else capped(min(b, boon_cap) - min(x, boon_cap))",
    "(count, sides, net) => if sides == 0 then sign(net)        # the null die
       else if net >= 0 then (count + net)d(sides) kh count else (count - net)d(sides) kl count",
    "(t) => match t { < thresholds[0]: Miss, < thresholds[1]: Graze, < thresholds[2]: Hit, else: Critical }",
    "(b, state) => match state { ok: b, fragile: step(b, -1), broken: if b == Critical then Graze else Miss }",
    "(t) => match t { < thresholds[0]: thresholds[0], < thresholds[1]: thresholds[1], else: thresholds[2] }",
    "(t, target, budget) => if t < target and target - t <= budget then target - t else 0",
    "(die, target) => if die <= target then die else 0",
    "(n) => if n >= 1 then (n)d6 else 2d6 kl 1",
    "(v) => match v { 6: Hit, 4..=5: Glance, else: Miss }",
    "() => 3d6",
];

fn shape_of(text: &str) -> String {
    shape(&expr(text))
}

#[test]
fn reads_dice_and_their_modifiers() {
    let cases = [
        ("d20", "(1d20)"),
        ("d%", "(1d%)"),
        ("4dF", "(4dF)"),
        ("4dFkh1", "((4dF) KeepHighest 1)"),
        ("d(n)", "(1dn)"),
        ("d{1, 1, 2}", "(1d{1, 1, 2})"),
        ("1d{1..=4, 5:2}", "(1d{1..=4, 5: 2})"),
        ("6d[4d6kh3]", "(6d[((4d6) KeepHighest 3)])"),
        ("(n)d(s) kh n", "((nds) KeepHighest n)"),
        ("n d6", "(nd6)"),
        ("check(..).x d6", "(check(..).xd6)"),
        ("dice d6 cs==6", "((diced6) cs Equal 6)"),
        ("(2d6)d6", "((2d6)d6)"),
        ("100d20kh50", "((100d20) KeepHighest 50)"),
        ("2d20kh", "((2d20) KeepHighest)"),
        ("2d20 kh - 5", "(((2d20) KeepHighest) Subtract 5)"),
        (
            "2d20kh1 - 5 - 2d20kl1",
            "((((2d20) KeepHighest 1) Subtract 5) Subtract ((2d20) KeepLowest 1))",
        ),
        ("4d6 kh (a + b)", "((4d6) KeepHighest (a Add b))"),
        ("4d6dh1kh1", "(((4d6) DropHighest 1) KeepHighest 1)"),
        ("4d6 kh dh", "(((4d6) KeepHighest) DropHighest)"),
        ("4d8ro<3kh2", "((4d8 ro Less 3) KeepHighest 2)"),
        ("4d8r 1..=2", "(4d8 r 1..=2)"),
        ("4d8r1..=2", "(4d8 r 1..=2)"),
        ("4d6r<-1!(3)", "(4d6 r Less (Negate 1) !(3))"),
        ("3d6!(4)", "(3d6 !(4))"),
        (
            "9d10!>=9(2)cs>=7",
            "((9d10 !GreaterEqual 9(2)) cs GreaterEqual 7)",
        ),
        ("3d6!==6(2)", "(3d6 !Equal 6(2))"),
        ("3d6!5..=6(2)", "(3d6 !5..=6(2))"),
        ("3d6!lo..=hi(2)", "(3d6 !lo..=hi(2))"),
        ("3d6!>=n(2)", "(3d6 !GreaterEqual n(2))"),
        ("5d6 cs 4..=5", "((5d6) cs 4..=5)"),
        ("5d6cs lo..=hi", "((5d6) cs lo..=hi)"),
        ("5d6 cs >= 4 + 1", "(((5d6) cs GreaterEqual 4) Add 1)"),
        ("hand dh cut", "(hand DropHighest cut)"),
        ("{2d8,2d6}kh2", "({(2d8), (2d6)} KeepHighest 2)"),
        ("-2d6kh1 * 3", "((Negate ((2d6) KeepHighest 1)) Multiply 3)"),
        ("1d6 != 2", "((1d6) Compare(NotEqual) 2)"),
    ];
    for (text, expected) in cases {
        assert_eq!(shape_of(text), expected, "{text}");
    }
}

#[test]
fn reads_words_as_names_where_a_value_is_due() {
    for name in [
        "d", "draw", "dice", "d_x", "kh", "kh3", "cs", "r", "ro", "dF_x", "dFoo", "nd6", "iff", "É",
    ] {
        assert_eq!(shape_of(name), name);
        assert_eq!(shape_of(&format!("1 + {name}")), format!("(1 Add {name})"));
    }
    assert_eq!(
        shape_of("match d { 1: a, else: b }"),
        "(match d 1: a else b)"
    );
    assert_eq!(shape_of("{d, r, 1}"), "{d, r, 1}");
    assert_eq!(
        shape_of("count(r, >= 6) + r"),
        "(count(r, GreaterEqual 6) Add r)"
    );
}

#[test]
fn reads_operators_by_precedence() {
    let cases = [
        ("1 + 2 * 3 - 4", "((1 Add (2 Multiply 3)) Subtract 4)"),
        (
            "a or b and not c == 1",
            "(a Or (b And (Not (c Compare(Equal) 1))))",
        ),
        ("not not a", "(Not (Not a))"),
        ("- - 1", "(Negate (Negate 1))"),
        ("-a.b[0]", "(Negate a.b[0])"),
        (
            "a + 1 <= b * 2",
            "((a Add 1) Compare(LessEqual) (b Multiply 2))",
        ),
        ("floor(a * 2 / 3) + 1", "((Floor ignored) Add 1)"),
        ("if a then 1 else if b then 2 else 3", "(if a 1 (if b 2 3))"),
        (
            "true and \"4/5\" == x",
            "(true And (\"4/5\" Compare(Equal) x))",
        ),
        (
            "[0, 1, 2][clamp(level, 0, 4)]",
            "[0, 1, 2][clamp(level, 0, 4)]",
        ),
        (
            "draw(draw, {6: 2, 4: 4, 1: 6})",
            "draw(draw, bag{6: 2, 4: 4, 1: 6})",
        ),
        ("draw(2, {1..=4: 2, 6})", "draw(2, bag{1..=4: 2, 6})"),
        ("f({}, [])", "f({}, [])"),
        (
            "check(flat = flat + 1, a = b == c, ..)",
            "check(flat = (flat Add 1), a = (b Compare(Equal) c), ..)",
        ),
        (
            "count(p, 4..=5) + count(p, < a + 1)",
            "(count(p, 4..=5) Add count(p, Less (a Add 1)))",
        ),
        (
            "match r { 7 or 11: 1, 2..=3 or >= 12: -1, else: 0, }",
            "(match r 7, 11: 1, 2..=3, GreaterEqual 12: (Negate 1) else 0)",
        ),
        (
            "match { a or b: 1, c == 2: 2 }",
            "(match - (a Or b): 1, (c Compare(Equal) 2): 2)",
        ),
    ];
    for (text, expected) in cases {
        let expected = expected.replace("(Floor ignored)", "((a Multiply 2) Floor 3)");
        assert_eq!(shape_of(text), expected, "{text}");
    }
}

#[test]
fn spans_cover_whole_expressions_in_the_whole_source() {
    // The text stands behind a first line of five bytes.
    let at = |start: usize, end: usize| Span::new(start + 5, end + 5);
    let parsed = expr(" (a + 1) * 4d6r<2kh3 ");
    assert_eq!(parsed.span, at(1, 20));
    let ExprKind::Binary { left, right, .. } = parsed.kind else {
        panic!("a product")
    };
    assert_eq!((left.span, right.span), (at(1, 8), at(11, 20)));
    let ExprKind::Keep { pool, amount, .. } = right.kind else {
        panic!("a keep")
    };
    assert_eq!(
        (pool.span, amount.expect("an amount").span),
        (at(11, 17), at(19, 20))
    );
    let ExprKind::Dice { count, die } = pool.kind else {
        panic!("dice")
    };
    assert_eq!(
        (count.expect("a count").span, die.span),
        (at(11, 12), at(12, 17))
    );
    assert_eq!(die.reroll.expect("a reroll").test.span, at(15, 17));
    let ExprKind::Call { name, .. } = expr("max(1, 2)").kind else {
        panic!("a call")
    };
    assert_eq!(name.span, at(0, 3));
    let script = script("repeat 2 until a { let x = 1 }");
    let Statement::Repeat { span, .. } = &script.statements[0] else {
        panic!("a repeat")
    };
    assert_eq!(*span, at(0, 16));
}

#[test]
fn reads_statements() {
    let script = script(
        "let a = 3d6 let b = 2d6   # two on a line
         show kills = wins(a, b)
         repeat 2 until kills == 0 { set a = {a, (2)d6} repeat until b { } }
         repeat n { let kh = 1 set kh = kh }
         choose spent in 0..=(if a then n else 2) where spent != 1 and not (spent > n)
         choose kept in subsets({a, b} kh 2) oppose cut in -1 - n..=n * 2 + 1
         show f = spent",
    );
    assert_snapshot!(joined(&script.statements, statement_shape), @r"let a = (3d6), let b = (2d6), show kills = wins(a, b), repeat 2 (kills Compare(Equal) 0) { set a = {a, (2d6)}, repeat - b {  } }, repeat n - { let kh = 1, set kh = kh }, choose spent 0 ..= (if a n 2) ((spent Compare(NotEqual) 1) And (Not (spent Compare(Greater) n))), choose kept subsets ({a, b} KeepHighest 2) -, oppose cut ((Negate 1) Subtract n) ..= ((n Multiply 2) Add 1) -, show f = spent");
}

#[test]
fn reads_the_worked_games() {
    for text in GAMES {
        let script = script(text);
        assert!(!script.statements.is_empty(), "{text}");
    }
    for text in FUNCTIONS {
        function(text);
    }
}

#[test]
fn reads_queries() {
    let shape_of = |text: &str| {
        let query = read(text, parse_query).unwrap_or_else(|e| panic!("{text}: {e}"));
        let query = query.expect("no error");
        let word = match &query.ask {
            Ask::Probability => "P".to_owned(),
            Ask::Mean => "mean".to_owned(),
            Ask::Variance => "variance".to_owned(),
            Ask::Deviation => "sd".to_owned(),
            Ask::Statistic(Statistic::Quantile(share)) => format!("quantile {}", share.value),
            Ask::Statistic(statistic) => format!("{statistic:?}").to_lowercase(),
        };
        let given = query.given.map(|given| format!(" | {}", shape(&given)));
        format!(
            "{word} {}{}",
            shape(&query.subject),
            given.unwrap_or_default()
        )
    };
    let cases = [
        ("Hit & Twist", "P (Hit And Twist)"),
        ("A|decided", "P A | decided"),
        (
            "P(band>=Hit&effort_spent>0)",
            "P ((band Compare(GreaterEqual) Hit) And (effort_spent Compare(Greater) 0))",
        ),
        ("P(a or b | c & d)", "P (a Or b) | (c And d)"),
        ("P(value==-19)", "P (value Compare(Equal) (Negate 19))"),
        ("mean(total)", "mean total"),
        ("mean(total | Hit)", "mean total | Hit"),
        ("variance(2 * total)", "variance (2 Multiply total)"),
        ("sd(total | Hit)", "sd total | Hit"),
        ("median(total - 1)", "quantile 1/2 (total Subtract 1)"),
        ("quantile(total, 0.9)", "quantile 9/10 total"),
        (
            "quantile( total , 90 % | Hit )",
            "quantile 9/10 total | Hit",
        ),
        ("quantile(max(a, b), 2/3)", "quantile 2/3 max(a, b)"),
        ("mode(total)", "mode total"),
        ("min(total)", "min total"),
        ("max(total | Hit)", "max total | Hit"),
        (
            "min(total, 3) >= 2",
            "P (min(total, 3) Compare(GreaterEqual) 2)",
        ),
        (
            "P(4 <= total <= 7)",
            "P ((4 Compare(LessEqual) total) And (total Compare(LessEqual) 7))",
        ),
        (
            "7 > total >= 4 & Hit",
            "P (((7 Compare(Greater) total) And (total Compare(GreaterEqual) 4)) And Hit)",
        ),
        ("total >= 15", "P (total Compare(GreaterEqual) 15)"),
        ("P == 1", "P (P Compare(Equal) 1)"),
    ];
    for (text, expected) in cases {
        assert_eq!(shape_of(text), expected, "{text}");
    }
}

#[test]
fn says_what_is_wrong_with_dice() {
    let texts = [
        "2d6d6",
        "2d6kh1d(6)",
        "4d6k3",
        "4d6d1",
        "4d6!!",
        "4d6! >5",
        "4d6r2",
        "4d6ro2",
        "4d6 r",
        "n d (6)",
        "d6x",
        "4d6kh3x",
        "4d6 r 2",
        "4d6kh3r<2",
        "4d6 kh n ro<2",
        "4d6!(1)r<2",
        "4d6 cs>4 kh2",
        "4d6r<2r>5",
        "4d6!(1)!(2)",
        "(2d6)r<2",
        "(2d6)!(2)",
        "hand kh2!(1)",
        "5d6 cs 6",
        "5d6 cs = 6",
        "5d6cs",
        "p cs < a + b",
        "4d6 kh n + 1",
        "4d6r<n * 2",
        "4d6 kh n[0]",
        "p cs > t.x",
        "p cs > max(1, 2)",
        "d{}",
        "d99999999999999999999",
        "4d6kh99999999999999999999",
        "3 x",
        "3d6!p",
        "3d6!5",
    ];
    assert_snapshot!(reports(&texts, parse_expr), @r#"
    2d6d6
      1:4 `d6`: dice cannot be followed by a `d`; write `(2d6)d6` for as many dice as `2d6` shows, or `2d6dl6` to drop the lowest 6
    2d6kh1d(6)
      1:7 `d(`: dice cannot be followed by a `d`; write `(2d6kh1)d(…` for as many dice as `2d6kh1` shows
    4d6k3
      1:4 `k3`: `k` does not say which dice to keep; write `4d6kh3` to keep the highest
    4d6d1
      1:4 `d1`: dice cannot be followed by a `d`; write `(4d6)d1` for as many dice as `4d6` shows, or `4d6dl1` to drop the lowest 1
    4d6!!
      1:1 `4d6!!`: `4d6!!` is written as in Roll20; write `4d6!(4)`, or `4d6!` without an end: whatever an explosion adds goes to the same die here
    4d6! >5
      1:4 `! >5`: a comparison after `!` may be meant in two ways; write `4d6!>5` if these faces explode, or `(4d6!) >5` to compare what is rolled
    4d6r2
      1:4 `r2`: `r` needs a comparison; write `r == 2` or `r <= 2`
    4d6ro2
      1:4 `ro2`: `ro` needs a comparison; write `ro == 2` or `ro <= 2`
    4d6 r
      1:5 `r`: `r` needs a comparison; write `4d6r<2` or `4d6r==1`
    n d (6)
      1:3 `d`: `d` must touch its sides; write `n d6` or `n d(sides)`
    d6x
      1:1 `d6x`: `d6x` is written as in dice rollers; write `d6!(4)`: the highest face is rolled again and added, at most 4 times; a label needs quotes: `"d6x"`
    4d6kh3x
      1:7 `x`: `4d6kh3x` is neither dice nor a name; a name cannot begin like a die; a label needs quotes: `"4d6kh3x"`
    4d6 r 2
      1:5 `r 2`: `r` needs a comparison; write `r == 2` or `r <= 2`
    4d6kh3r<2
      1:7 `r<2`: rerolling comes before keeping; write `4d6r<2kh3`
    4d6 kh n ro<2
      1:10 `ro<2`: rerolling comes before keeping; write `4d6 ro<2 kh n`
    4d6!(1)r<2
      1:8 `r<2`: rerolling comes before exploding; write `4d6r<2!(1)` if each face is rerolled before it may explode, or `4d[1d6!(1)]r<2` if a die is rerolled by what it shows after it has exploded
    4d6 cs>4 kh2
      1:10 `kh2`: keeping comes before counting; write `4d6 kh2 cs>4`
    4d6r<2r>5
      1:7 `r>5`: one die takes one reroll
    4d6!(1)!(2)
      1:8 `!(2)`: one die takes one `!`
    (2d6)r<2
      1:6 `r`: rerolling belongs to dice, not to any pool; write it right after the die: `4d6r<2`
    (2d6)!(2)
      1:6 `!`: exploding belongs to dice, not to any pool; write it right after the die: `4d6!(2)`
    hand kh2!(1)
      1:9 `!`: exploding belongs to dice, not to any pool; write it right after the die: `4d6!(2)`
    5d6 cs 6
      1:5 `cs 6`: `cs` needs a comparison; write `cs == 6` or `cs >= 6`
    5d6 cs = 6
      1:8 `=`: `=` does not compare; write `==`
    5d6cs
      1:6 ``: expected a comparison after `cs`, such as `>= 5`, found the end
    p cs < a + b
      1:8 `a + b`: `+` after a name here reads two ways; write `(p cs < a) + b` or `p cs < (a + b)`
    4d6 kh n + 1
      1:8 `n + 1`: `+` after a name here reads two ways; write `(4d6 kh n) + 1` or `4d6 kh (n + 1)`
    4d6r<n * 2
      1:6 `n * 2`: `*` after a name here reads two ways; write `(4d6r<n) * 2` or `4d6r<(n * 2)`
    4d6 kh n[0]
      1:8 `n[`: more than a name needs parentheses here; write `(n[…])`
    p cs > t.x
      1:8 `t.`: more than a name needs parentheses here; write `(t.…)`
    p cs > max(1, 2)
      1:8 `max(`: more than a name needs parentheses here; write `(max(…))`
    d{}
      1:1 `d{}`: a die needs at least one face
    d99999999999999999999
      1:1 `d99999999999999999999`: a number that does not fit in 64 bits
    4d6kh99999999999999999999
      1:4 `kh99999999999999999999`: a number that does not fit in 64 bits
    3 x
      1:3 `x`: expected an operator or the end, found `x`; is an operator such as `*` or `+` missing here?
    3d6!p
      1:1 `3d6!p`: `3d6!p` is written as in Roll20; name the die with `let a = 1d6` and add `if a == 6 then 1d6 - 1 else 0`, once for each explosion
    3d6!5
      1:1 `3d6!5`: `3d6!5` is written as in Roll20; write `3d6!==5(4)`: dice that show 5 are rolled again and added, at most 4 times; `3d6!(5)` does so with the highest face, at most 5 times
    "#);
}

#[test]
fn suggests_what_can_be_read() {
    let texts = [
        "2d6d6",
        "4d6k3",
        "4d6! > n",
        "4d6! 5",
        "4d6kh3r<2",
        "4d6kh(n)r<n",
        "4d6 cs>4 kh n",
        "4d6kh!(2)",
        "4d6!(1)r<n2",
        "p cs < a + b",
        "4d6 kh n - 1",
        "4d6ro<n * 2",
        "a + b < c < d",
        "x * 2 / y",
        "n d",
    ];
    for text in texts {
        let Err(Diagnostics(errors)) = read(text, parse_expr) else {
            panic!("{text}: no error")
        };
        let help = errors[0]
            .help
            .as_deref()
            .unwrap_or_else(|| panic!("{text}: no help"));
        let shown: Vec<_> = help.split('`').skip(1).step_by(2).map(shape_of).collect();
        assert!(!shown.is_empty(), "{text}: {help}");
    }
}

#[test]
fn says_what_is_wrong_with_expressions() {
    let texts = [
        "a < b < c",
        "1 <= 2d6 == x",
        "x / y",
        "1 + x * y / 2",
        "floor(x)",
        "floor(a + b / 2)",
        "ceil(a / b / c)",
        "a = 3",
        "a => 3",
        "1 + if a then b else c",
        "1 + not a",
        "if a then b",
        "if a b else c",
        "a && b",
        "a || b",
        "a & b",
        "a | b",
        "!a",
        "(1 + 2",
        "max(1, 2",
        "[1, (2]",
        "d{1, 2",
        "d(6",
        "(1 + 2]",
        "1)",
        "1 + ]",
        "\"4/5",
        "1.5",
        "4..5",
        "f (1)",
        "a ; b",
        "a ≥ 3",
        "'x'",
        "99999999999999999999",
        "1 +",
        "",
        "max(1,)",
        "max(1 2)",
        "match x { 1: a 2: b }",
        "match x { else: 1, 2: b }",
        "match x { else: 1, else: 2 }",
        "match x { x > 3: 1 }",
        "match x { }",
        "match x 1",
        "let",
        "a.if",
        "count(p, 4..5)",
    ];
    assert_snapshot!(reports(&texts, parse_expr), @r#"
    a < b < c
      1:1 `a < b < c`: comparisons cannot be chained; write `a < b and b < c`
    1 <= 2d6 == x
      1:1 `1 <= 2d6 == x`: comparisons cannot be chained; name `2d6` with `let m = …` and join two comparisons with `and`
    x / y
      1:1 `x / y`: a division must say how it rounds; write `floor(x / y)` or `ceil(x / y)`
    1 + x * y / 2
      1:5 `x * y / 2`: a division must say how it rounds; write `floor(x * y / 2)` or `ceil(x * y / 2)`
    floor(x)
      1:1 `floor(x)`: `floor` needs a division to round; write `floor(a / b)`
    floor(a + b / 2)
      1:9 `+`: `floor` rounds one division; write `floor((a + b) / c)` or `a + floor(b / c)`
    ceil(a / b / c)
      1:12 `/`: expected `)` after the divisor, found `/`
    a = 3
      1:3 `=`: `=` does not compare; write `==`
    a => 3
      1:3 `=>`: `=>` only stands before a function's body; write `>=` to compare, and `:` after the pattern of an arm
    1 + if a then b else c
      1:5 `if`: `if` inside a larger expression needs parentheses; write `(if … then … else …)`
    1 + not a
      1:5 `not`: `not` inside a larger expression needs parentheses; write `(not …)`
    if a then b
      1:1 `if`: `if` needs an `else`; write `if … then … else …`
    if a b else c
      1:6 `b`: expected an operator or `then`, found `b`; a label of several words needs quotes: `"a b"`; or is an operator such as `*` or `+` missing?
    a && b
      1:3 `&&`: `&&` is not an operator; write `and`
    a || b
      1:3 `||`: `||` is not an operator; write `or`
    a & b
      1:3 `&`: `&` belongs to queries; write `and`
    a | b
      1:3 `|`: `|` belongs to queries; write `or`
    !a
      1:1 `!`: `!` explodes dice and must follow a die; write `not` for the opposite, `!=` for unequal
    (1 + 2
      1:1 `(`: unclosed `(`
    max(1, 2
      1:4 `(`: unclosed `(`
    [1, (2]
      1:5 `(`: unclosed `(`
    d{1, 2
      1:2 `{`: unclosed `{`
    d(6
      1:2 `(`: unclosed `(`
    (1 + 2]
      1:7 `]`: `]` does not close `(`
    1)
      1:2 `)`: unmatched `)`
    1 + ]
      1:5 `]`: unmatched `]`
    "4/5
      1:1 `"`: unclosed `"`
    1.5
      1:1 `1.5`: numbers are whole; scale the values, or count in halves or tenths
    4..5
      1:1 `4..5`: `4..5` is written as in programming languages; write `4..=5`: both ends belong to a range
    f (1)
      1:2 ` (`: no space between a function's name and its `(`; write `f(`
    a ; b
      1:3 `;`: unknown character `;`; statements need nothing between them; a list of three items, each 8, is `[8: 3]`
    a ≥ 3
      1:3 `≥`: unknown character `≥`; write `>=`
    'x'
      1:1 `'`: unknown character `'`; labels stand in double quotes: `"4/5"`
    99999999999999999999
      1:1 `99999999999999999999`: a number that does not fit in 64 bits
    1 +
      1:4 ``: expected a value, found the end

      1:1 ``: expected a value, found the end
    max(1,)
      1:7 `)`: expected a value, found `)`
    max(1 2)
      1:7 `2`: expected `,` or `)`, found `2`
    match x { 1: a 2: b }
      1:16 `2`: expected an operator, `,` or `}`, found `2`
    match x { else: 1, 2: b }
      1:20 `2`: `else` must be the last arm of a `match`
    match x { else: 1, else: 2 }
      1:20 `else`: a second `else` in one `match`
    match x { x > 3: 1 }
      1:13 `>`: an arm of a `match` with a subject is a pattern, not a condition; write `>= 3`, `4..=5`, `a or b`; or leave out the subject to write conditions
    match x { }
      1:1 `match x { }`: a `match` needs arms; write `match x { 1: a, 2..=3: b, else: c }`
    match x 1
      1:9 `1`: expected an operator or `{`, found `1`
    let
      1:1 `let`: expected a value, found `let`
    a.if
      1:3 `if`: `if` is a reserved word
    count(p, 4..5)
      1:10 `4..5`: `4..5` is written as in programming languages; write `4..=5`: both ends belong to a range
    "#);
}

#[test]
fn says_what_is_wrong_with_statements() {
    let texts = [
        "x = 3",
        "let a = 1\nx = a + 2",
        "let a 3",
        "let a == 3",
        "let in = 3",
        "let d6 = 3",
        "let = 3",
        "let x =",
        "let x = let y = 2",
        "let x = (1 + 2 let y = 3",
        "choose best",
        "choose best = 3",
        "choose best from 0..=3",
        "choose in 0..=3",
        "choose 3 in 0..=3",
        "choose best in",
        "choose best in let y = 3",
        "choose best in 3",
        "choose best in 0..3",
        "choose best in 0..=",
        "choose best in 0..=3..=4",
        "choose best in [0, 2, 4]",
        "choose best in {0, 2, 4}",
        "choose best in roll",
        "choose best in 5d6 let y = best",
        "choose best in subset(roll)",
        "choose best in subsets roll",
        "choose best in subsets()",
        "choose best in subsets(roll, 2)",
        "choose best in subsets(roll, >= 2)",
        "choose best in (0..=3)",
        "choose best in 0..=if a then 2 else 3",
        "choose best in 0..=3 if best > 1",
        "choose best in 0..=3 were best > 1",
        "choose best in 0..=3 best > 1",
        "choose best in 0..=3 where",
        "choose best in 0..=3 where let y = best",
        "choose best in subsets(roll) where size(best) > 1 3",
        "chose best in 0..=3 let y = best",
        "let best = choose 0..=3",
        "oppose best",
        "oppose in 0..=3",
        "oppose best in [0, 2, 4]",
        "opose best in 0..=3 let y = best",
        "let best = oppose 0..=3",
        "let y = 3 where y > 2",
        "repeat { let a = 1 }",
        "repeat until { let a = 1 }",
        "repeat 3 let a = 1",
        "repeat 3 { let a = 1",
        "repeat 3 { let a = (1 }",
        "let a = 1 }",
        "let a = 1 2",
        "let a = \"x\nlet b = 3 +",
    ];
    assert_snapshot!(reports(&texts, parse_script), @r#"
    x = 3
      1:1 `x`: a statement begins with a keyword; write `let x = 3` or, to change an earlier value, `set x = 3`
    let a = 1
    x = a + 2
      2:1 `x`: a statement begins with a keyword; write `let x = a + 2` or, to change an earlier value, `set x = a + 2`
    let a 3
      1:7 `3`: expected `=`, found `3`
    let a == 3
      1:7 `==`: `==` compares; write `=`
    let in = 3
      1:5 `in`: `in` is a reserved word
    let d6 = 3
      1:5 `d6`: `d6` begins a die; a script would roll it; another name is needed, such as `n_d6`
    let = 3
      1:5 `=`: expected a name, found `=`
    let x =
      1:7 `=`: `=` needs a value
    let x = let y = 2
      1:7 `=`: `=` needs a value
    let x = (1 + 2 let y = 3
      1:9 `(`: unclosed `(`
    choose best
      1:1 `choose`: `choose` needs `in` and what can be chosen; write `choose best in 0..=3`, or `choose best in subsets(roll)`
    choose best = 3
      1:13 `=`: `choose` needs `in` and what can be chosen; write `choose best in 0..=3`, or `choose best in subsets(roll)`
    choose best from 0..=3
      1:13 `from`: `choose` needs `in` and what can be chosen; write `choose best in 0..=3`, or `choose best in subsets(roll)`
    choose in 0..=3
      1:8 `in`: `choose` needs a name for what is chosen; write `choose spent in 0..=3`
    choose 3 in 0..=3
      1:8 `3`: expected a name, found `3`
    choose best in
      1:13 `in`: `in` needs what can be chosen; write `choose best in 0..=3`, or `choose best in subsets(roll)`
    choose best in let y = 3
      1:13 `in`: `in` needs what can be chosen; write `choose best in 0..=3`, or `choose best in subsets(roll)`
    choose best in 3
      1:16 `3`: this is nothing to choose from; write `0..=3` for a number up to it
    choose best in 0..3
      1:16 `0..3`: `0..3` is written as in programming languages; write `0..=3`: both ends belong to a range
    choose best in 0..=
      1:20 ``: expected a value, found the end
    choose best in 0..=3..=4
      1:21 `..=`: a range has two ends
    choose best in [0, 2, 4]
      1:16 `[0, 2, 4]`: this is nothing to choose from; choose a place in it, as in `choose at in 0..=2`, and read `[0, 2, 4][at]`
    choose best in {0, 2, 4}
      1:16 `{0, 2, 4}`: this is nothing to choose from; write `subsets({0, 2, 4})` for some of its dice
    choose best in roll
      1:16 `roll`: this is nothing to choose from; write `0..=roll` for a number up to it, or `subsets(roll)` for some of its dice
    choose best in 5d6 let y = best
      1:16 `5d6`: this is nothing to choose from; write `subsets(5d6)` for some of its dice
    choose best in subset(roll)
      1:16 `subset(roll)`: this is nothing to choose from; did you mean `subsets`?
    choose best in subsets roll
      1:16 `subsets`: this is nothing to choose from; write `subsets(roll)`
    choose best in subsets()
      1:16 `subsets()`: `subsets` takes one pool; write `subsets(roll)`
    choose best in subsets(roll, 2)
      1:16 `subsets(roll, 2)`: `subsets` takes one pool; write `subsets(roll)`
    choose best in subsets(roll, >= 2)
      1:16 `subsets(roll, >= 2)`: `subsets` takes one pool; write `subsets(roll)`
    choose best in (0..=3)
      1:16 `(`: what can be chosen stands without parentheses; write `0..=3`
    choose best in 0..=if a then 2 else 3
      1:20 `if`: `if` inside a larger expression needs parentheses; write `(if … then … else …)`
    choose best in 0..=3 if best > 1
      1:22 `if`: expected `where` or the next statement, found `if`; a condition on what is chosen begins with `where`: `where best > 1`
    choose best in 0..=3 were best > 1
      1:22 `were`: expected `where` or the next statement, found `were`; a condition on what is chosen begins with `where`: `where best > 1`
    choose best in 0..=3 best > 1
      1:22 `best`: expected `where` or the next statement, found `best`; a condition on what is chosen begins with `where`: `where best > 1`
    choose best in 0..=3 where
      1:22 `where`: `where` needs a condition; write `where best > 1`, or leave it out
    choose best in 0..=3 where let y = best
      1:22 `where`: `where` needs a condition; write `where best > 1`, or leave it out
    choose best in subsets(roll) where size(best) > 1 3
      1:51 `3`: expected an operator or the next statement, found `3`; is an operator such as `*` or `+` missing here?
    chose best in 0..=3 let y = best
      1:1 `chose`: `chose` is not a keyword; did you mean `choose`?
    let best = choose 0..=3
      1:12 `choose`: `choose` is a statement of its own; write `choose best in 0..=3`
    oppose best
      1:1 `oppose`: `oppose` needs `in` and what can be chosen; write `oppose best in 0..=3`, or `oppose best in subsets(roll)`
    oppose in 0..=3
      1:8 `in`: `oppose` needs a name for what is chosen; write `oppose spent in 0..=3`
    oppose best in [0, 2, 4]
      1:16 `[0, 2, 4]`: this is nothing to choose from; choose a place in it, as in `oppose at in 0..=2`, and read `[0, 2, 4][at]`
    opose best in 0..=3 let y = best
      1:1 `opose`: `opose` is not a keyword; did you mean `oppose`?
    let best = oppose 0..=3
      1:12 `oppose`: `oppose` is a statement of its own; write `oppose best in 0..=3`
    let y = 3 where y > 2
      1:11 `where`: `where` stands only in a `choose` or an `oppose`; join two conditions with `and`
    repeat { let a = 1 }
      1:1 `repeat`: `repeat` needs a count or `until`; write `repeat 3 { … }` or `repeat until left == 0 { … }`
    repeat until { let a = 1 }
      1:8 `until`: `until` needs a condition; write `until left == 0 { … }`
    repeat 3 let a = 1
      1:10 `let`: expected an operator or the `{` of what is repeated, found `let`
    repeat 3 { let a = 1
      1:10 `{`: unclosed `{`
    repeat 3 { let a = (1 }
      1:20 `(`: unclosed `(`
    let a = 1 }
      1:11 `}`: unmatched `}`
    let a = 1 2
      1:11 `2`: expected an operator or the next statement, found `2`; is an operator such as `*` or `+` missing here?
    let a = "x
    let b = 3 +
      1:9 `"`: unclosed `"`
      2:12 ``: expected a value, found the end
    "#);
}

#[test]
fn reports_one_error_for_each_wrong_statement() {
    let text = "let a = 1 +
        show b = max(1, (2)
        repeat 3 { let c = {1 + } set d = (1 ] let e = 4d6k3 }
        repeat 2 * { let skipped = ) }
        choose f in subset(a) where size(f) > 1
        choose g in 0..=f where
        let h = f + g";
    assert_snapshot!(errors(text, parse_script), @r"
    let a = 1 +
            show b = max(1, (2)
            repeat 3 { let c = {1 + } set d = (1 ] let e = 4d6k3 }
            repeat 2 * { let skipped = ) }
            choose f in subset(a) where size(f) > 1
            choose g in 0..=f where
            let h = f + g
      2:9 `show`: expected a value, found `show`
      2:21 `(`: unclosed `(`
      3:33 `}`: expected a value, found `}`
      3:46 `]`: `]` does not close `(`
      3:59 `k3`: `k` does not say which dice to keep; write `4d6kh3` to keep the highest
      4:20 `{`: expected a value, found `{`
      5:21 `subset(a)`: this is nothing to choose from; did you mean `subsets`?
      6:27 `where`: `where` needs a condition; write `where g > 1`, or leave it out
    ");
    let mut reporter = Reporter::new(&Source::new("t", text));
    let script = parse_script(text, 0, &mut reporter);
    assert_snapshot!(joined(&script.statements, statement_shape), @r"let a = error, show b = error, repeat 3 - { let c = error, set d = error, let e = error }, let f = error, let g = error, let h = (f Add g)");
}

#[test]
fn says_what_is_wrong_with_functions_and_queries() {
    let functions = [
        "n => n",
        "(a, b => a",
        "(a, 3) => a",
        "(a) -> a",
        "(a) =>",
        "(a) => a b",
    ];
    assert_snapshot!(reports(&functions, parse_function), @r#"
    n => n
      1:1 `n`: a function begins with its parameters in parentheses; write `(a, b) => a + b`
    (a, b => a
      1:7 `=>`: expected `,` or `)`, found `=>`
    (a, 3) => a
      1:5 `3`: expected a parameter, found `3`
    (a) -> a
      1:5 `-`: expected `=>` and the function's body, found `-`
    (a) =>
      1:7 ``: expected a value, found the end
    (a) => a b
      1:10 `b`: expected an operator or the end, found `b`; a label of several words needs quotes: `"a b"`; or is an operator such as `*` or `+` missing?
    "#);
    let queries = [
        "band = Hit",
        "a | b | c",
        "P((a | b) & c)",
        "mean(a) | b",
        "P(a | b) | c",
        "mean damage",
        "at least Hit",
        "P(standing at most 2)",
        "P(a",
        "P (a)",
        "mean(a) - 3",
        "a || b",
        "",
        "mean()",
        "quantile(a)",
        "quantile(a | b, 0.5)",
        "quantile(a, 1.5)",
        "quantile(a, 0)",
        "quantile(a, half | b)",
        "Percentile(a, 90)",
        "stdev(a)",
        "median(a, b)",
        "1 < a < b < 4",
        "1 < a > 2",
        "1 < a == 2",
    ];
    assert_snapshot!(reports(&queries, parse_query), @r#"
    band = Hit
      1:6 `=`: `=` does not compare; write `==`
    a | b | c
      1:7 `|`: `|`, "given", is possible once, outside of all inner parentheses; write `or` if one of two things is meant
    P((a | b) & c)
      1:6 `|`: `|`, "given", is possible once, outside of all inner parentheses; write `or` if one of two things is meant
    mean(a) | b
      1:9 `|`: `|`, "given", is possible once, outside of all inner parentheses; write `mean(a | b)`
    P(a | b) | c
      1:10 `|`: `|`, "given", is possible once, outside of all inner parentheses; write `or` if one of two things is meant
    mean damage
      1:6 `damage`: expected an operator or the end, found `damage`; write `mean(damage)`
    at least Hit
      1:4 `least`: expected an operator or the end, found `least`; for "at least" write `>=`, as in `total >= 7` or `band >= Hit`; a label of several words needs quotes: `"at least Hit"`
    P(standing at most 2)
      1:12 `at`: expected an operator, `|` or `)`, found `at`; for "at most" write `<=`, as in `total <= 7` or `band <= Hit`; a label of several words needs quotes: `"standing at most"`
    P(a
      1:2 `(`: unclosed `(`
    P (a)
      1:2 ` (`: no space between a function's name and its `(`; write `P(`
    mean(a) - 3
      1:9 `-`: expected an operator or the end, found `-`
    a || b
      1:3 `||`: `||` is not an operator; write `or`

      1:1 ``: expected a value, found the end
    mean()
      1:6 `)`: expected a value, found `)`
    quantile(a)
      1:1 `quantile(a)`: `quantile` needs a number and a share; write `quantile(total, 0.9)`: the least value that is not exceeded in nine of ten rolls; a condition stands last, as in `quantile(total, 0.9 | Hit)`
    quantile(a | b, 0.5)
      1:1 `quantile(a |`: `quantile` needs a number and a share; write `quantile(total, 0.9)`: the least value that is not exceeded in nine of ten rolls; a condition stands last, as in `quantile(total, 0.9 | Hit)`
    quantile(a, 1.5)
      1:13 `1.5`: `1.5` is not a share: it lies above 0 and is at most 1; a share is a decimal, a percentage or a fraction: `0.9`, `90 %` or `9/10`
    quantile(a, 0)
      1:13 `0`: `0` is not a share: it lies above 0 and is at most 1; a share is a decimal, a percentage or a fraction: `0.9`, `90 %` or `9/10`
    quantile(a, half | b)
      1:13 `half`: `half` is not a share: not a decimal; a share is a decimal, a percentage or a fraction: `0.9`, `90 %` or `9/10`
    Percentile(a, 90)
      1:1 `Percentile`: `Percentile` is not a query; queries are P(…), mean(…), median(…), quantile(…, 0.9), mode(…), min(…), max(…), sd(…) and variance(…)
    stdev(a)
      1:1 `stdev`: `stdev` is not a query; queries are P(…), mean(…), median(…), quantile(…, 0.9), mode(…), min(…), max(…), sd(…) and variance(…)
    median(a, b)
      1:9 `,`: expected an operator, `|` or `)`, found `,`
    1 < a < b < 4
      1:1 `1 < a < b`: three comparisons in a chain; a chain has two ends: `4 <= total <= 7`; join others with `&`
    1 < a > 2
      1:1 `1 < a > 2`: comparisons cannot be chained; write `1 < a and a > 2`
    1 < a == 2
      1:1 `1 < a == 2`: comparisons cannot be chained; write `1 < a and a == 2`
    "#);
}

#[test]
fn points_at_the_bracket_that_is_not_closed() {
    let Err(Diagnostics(errors)) = read("max(1, [2, 3)", parse_expr) else {
        panic!("no error")
    };
    assert_snapshot!(errors[0].render(false), @r"
    error: unclosed `[`
     --> t:2:8
      |
    2 | max(1, [2, 3)
      |        ^ no `]` closes it
    ");
}

#[test]
fn refuses_what_would_overflow_the_stack() {
    let many = 100_000;
    let texts = [
        "(".repeat(many),
        "-".repeat(many),
        "not ".repeat(many),
        "d[".repeat(many),
        "if a then ".repeat(many),
        "f(".repeat(many),
        "match x { 1: ".repeat(many),
        format!("1{}", " + 1".repeat(many)),
        format!("a{}", "[0]".repeat(many)),
        format!("a{}", " kh(1)".repeat(many)),
        "a = (".repeat(many),
        format!("match {{ {}else: 0 }}", "a == 1: 2, ".repeat(many)),
    ];
    for text in texts {
        let said = errors(&text, parse_expr);
        let known = ["more than 200 levels", "does not compare"]
            .iter()
            .any(|known| said.contains(known));
        assert!(known, "{}…", &text[..20]);
    }
    assert!(errors(&"repeat 1 { ".repeat(many), parse_script).contains("more than 200 levels"));
    assert!(errors(&"x = (1 ".repeat(500), parse_script).contains("keyword"));
    expr(&vec!["1d6"; 150].join(" + "));
    expr(&format!("match {{ {}else: 0 }}", "a == 1: 2, ".repeat(150)));
}

/// Any text made of the language's own pieces.
fn soup() -> impl Strategy<Value = String> {
    let pieces = [
        "let ",
        "show ",
        "set ",
        "choose ",
        "repeat ",
        "until ",
        "in ",
        "if ",
        "then ",
        "else ",
        "match ",
        "and ",
        "or ",
        "not ",
        "true ",
        "x",
        "d",
        "d6",
        "2d6",
        "kh",
        "kh3",
        "dl",
        "cs",
        "r",
        "ro",
        "!",
        "!(2)",
        "r<2",
        "cs>=4",
        "d{",
        "d(",
        "d[",
        "dF",
        "d%",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ",",
        ":",
        "..=",
        "..",
        ".",
        "=",
        "==",
        "=>",
        "<",
        ">=",
        "!=",
        "+",
        "-",
        "*",
        "/",
        "&",
        "|",
        "&&",
        "\"",
        "\"a\"",
        "# c\n",
        "\n",
        " ",
        "1",
        "42",
        "99999999999999999999",
        "floor(",
        "f(",
        "P(",
        "mean(",
        "é",
        "≥",
        "\u{3000}",
    ];
    proptest::collection::vec(proptest::sample::select(pieces.to_vec()), 0..24)
        .prop_map(|parts| parts.concat())
}

/// Either a value and no errors or errors, each at a place that can be shown.
fn survives<T>(text: &str, parse: impl Fn(&str, usize, &mut Reporter) -> Option<T>) {
    let mut parsed = false;
    let result = read(text, |text, offset, reporter| {
        parsed = parse(text, offset, reporter).is_some();
    });
    let errors = result.err().map_or(Vec::new(), |errors| errors.0);
    assert_eq!(parsed, errors.is_empty(), "{text:?}: {errors:?}");
    for error in errors {
        let Span { start, end } = error.span;
        assert!(
            5 <= start && start <= end && end <= 5 + text.len(),
            "{text:?}: {error}"
        );
        assert!(
            error.source.text.get(start..end).is_some(),
            "{text:?}: {error}"
        );
        assert!(!error.render(false).is_empty());
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in prop_oneof![3 => soup(), 1 => ".{0,40}"]) {
        survives(&text, parse_expr);
        survives(&text, parse_function);
        survives(&text, parse_query);
        survives(&text, |text, offset, reporter| {
            let script = parse_script(text, offset, reporter);
            reporter.is_empty().then_some(script)
        });
    }
}
