//! Loops whose values grow, jump late, swing, or stop: how wide their columns are is worked out before they are rolled.

use crate::chances::{agree, judge, track_tables};
use crate::support::{check_of, held, query_of, report, simulation, track_of};

const SEED: u64 = 11;
const TRIALS: u64 = 3_000;

fn all_agree(scripts: &[&str]) {
    let complaint = |script: &&str| {
        let check = check_of(script);
        let complaint = judge(&check, &check.defaults(), SEED, TRIALS).err()?;
        Some(format!("{script}\n  {complaint}"))
    };
    report(&scripts.iter().filter_map(complaint).collect::<Vec<_>>());
}

#[test]
fn values_that_grow_evenly() {
    all_agree(&[
        "let n = 0\nrepeat 64 { set n = n + 2 }\nshow u = n",
        "let n = 0\nrepeat 65 { set n = n + 2 }\nshow u = n",
        "let n = 0 + d3\nrepeat 127 { set n = n + 1 }\nshow u = n",
        "let n = 0 + d3\nrepeat 128 { set n = n - 1 }\nshow u = n",
        "let n = 0\nrepeat 100 { set n = n + d3 - 2 }\nshow u = n >= 0",
        "let n = 0\nrepeat 9 { set n = n + 127 }\nshow u = n",
        "let n = 0 + d2\nrepeat 300 { set n = n + 1000000000000000 }\nshow u = n",
        "let n = 0 + d2\nrepeat 1000 until n >= 40000 { set n = n + 127 }\nshow u = n",
        "let n = 0 + d2\nlet m = 0\nrepeat 300 { set n = n + 1\nset m = m + n }\nshow u = n\nshow v = m",
        "let n = 0 + d2\nlet m = 0\nlet k = 0\nrepeat 200 { set n = n + 1\nset m = m + n\nset k = k + m }\nshow v = k",
        "let n = 0 + d2\nlet m = 5\nrepeat 150 { let t = n\nset n = m + 1\nset m = t - 1 }\nshow u = n\nshow v = m",
        "let n = 0 + d2\nrepeat 100000 until n > 300 { set n = n + d2 }\nshow u = n",
    ]);
}

/// A die of a few kinds for each of them would be too many kinds if the bounds were not seen.
#[test]
fn values_that_bounds_stop() {
    all_agree(&[
        "let n = 40\nlet s = 0\nrepeat 60 { set s = d{0: n, 1: 3}\nset n = max(0, n - 1) }\nshow u = s",
        "let n = 18\nlet s = 0\nrepeat 30 until s == 1 { set s = d{1: 2, 0: n}\nset n = max(0, n - 1) }\nshow u = n",
        "let n = 0\nlet s = 0\nrepeat 30 until s == 9 { set s = d{9: 1, 2: 18 - n}\nset n = if s == 2 then min(18, n + 1) else 0 }\nshow u = n",
        "let n = 30\nlet s = 0\nrepeat 40 { set s = d(n)\nset n = max(1, n - d2) }\nshow u = n\nshow v = s",
        "let a = 9\nlet b = 7\nlet k = 0\nrepeat 6 { let p = draw(min(2, a + b), {1: a, 2: b})\nset a = a - count(p, 1)\n\
         set b = b - count(p, 2)\nset k = k + count(p, 2) }\nshow u = k\nshow v = a",
        "let n = 100\nlet m = 0 + d3\nrepeat 300 { set n = max(m, n - m) }\nshow u = n",
    ]);
}

#[test]
fn values_that_grow_faster() {
    all_agree(&[
        "let n = 0 + d2\nrepeat 7 { set n = n * 2 }\nshow u = n",
        "let n = 0 + d2\nrepeat 20 { set n = n * -2 }\nshow u = n",
        "let n = 0 + d2\nrepeat 61 { set n = n * 2 }\nshow u = n",
        "let n = d2 + 1\nrepeat 6 { set n = n * n }\nshow u = n",
        "let n = 0 + d2\nrepeat 70 until n > 1000000 { set n = n * 3 }\nshow u = n",
        "let n = 0 + d2\nrepeat 500 until n > 4000000000000000000 { set n = n * 2 }\nshow u = n",
        "let n = 0 + d2\nrepeat 500 until n > 5000000000000000000 { set n = n * 2 }\nshow u = n",
        "let n = 0 - d2\nrepeat 500 until n < -5000000000000000000 { set n = n * 2 }\nshow u = n",
        "let a = 1\nlet b = 0 + d2\nrepeat 80 { let t = a + b\nset a = b\nset b = t }\nshow u = b",
        "let n = 0 + d2\nlet m = 1\nrepeat 100 until n > 40 { set m = min(m * 10, 1000000000000)\nset n = n + 1 }\nshow u = m",
    ]);
}

#[test]
fn values_that_jump_late() {
    all_agree(&[
        "let r = 0\nlet z = 0\nrepeat 60 { set r = r + 1\nset z = if r > 50 then z + 1000 else z + 1 }\nshow u = z",
        "let r = 0\nlet z = 0 + d2\nrepeat 200 { set r = r + 1\nset z = if r > 100 then z + 50 else z + 1 }\nshow u = z",
        "let r = 0\nlet z = 0 + d2\nrepeat 200 { set r = r + 1\nset z = if r == 150 then 100000 else z + 1 }\nshow u = z",
        "let r = 0\nlet z = 0 + d2\nrepeat 200 { set r = r + 1\nset z = if r == 150 then -100000 else z - 1 }\nshow u = z",
        "let r = 0\nlet z = 1\nrepeat 200 { set r = r + 1\nset z = if r > 190 then z * 10 else z }\nshow u = z",
        "let r = 0\nlet z = 1\nrepeat 200 until z > 500 { set r = r + 1\nset z = if r > 190 then z * 10 else z }\nshow u = z",
        "let r = 0\nlet z = 0 + d2\nrepeat 200 { set r = r + 1\nset z = match r { < 60: z, < 120: z + 300, else: 0 - z } }\nshow u = z",
        "let r = 0\nlet z = 0\nlet y = 0\nrepeat 300 { set r = r + 1\nset y = if r > 250 then z * 7 else y\nset z = z + 3 }\nshow u = y",
        "let r = 0\nlet z = 0\nrepeat 120 { set r = r + 1\nset z = if r > 9 then 127 else 0\nset z = z + 1 }\nshow u = z",
        "let z = 0 + d3\nrepeat 70 { set z = if z == 3 then 40000 else if z == 40000 then -3 else z }\nshow u = z",
        "let a = 0\nlet b = 0\nlet c = 0 + d2\nrepeat 90 { set c = c + b\nset b = b + a\nset a = if a < 2 then a + 1 else a }\nshow u = c",
        "let r = 0\nlet z = 0\nrepeat 256 { set r = r + 1\nset z = if r > 200 and z < 300 then 500 else z + 1 }\nshow u = z",
        "let a = 0\nrepeat 100 { set a = if a == 20 then 108 else a + 1 }\nshow u = a",
        "let r = 0\nlet z = 0\nrepeat 100 { set r = r + 1\nset z = if r > 50 and z < 110 then 120 else z + 1 }\nshow u = z",
    ]);
}

#[test]
fn loops_within_loops() {
    all_agree(&[
        "let n = 0\nrepeat 3 { let m = 0 + d2\nrepeat 4 until m > 5 { set m = m + d2 }\nset n = n + m }\nshow u = n",
        "let n = 0\nrepeat 20 { repeat 20 { set n = n + 1 } }\nshow u = n",
        "let n = 0 + d2\nrepeat 5 { repeat 4 { set n = n * 2 } }\nshow u = n",
        "let n = 0\nlet m = 0\nrepeat 4 until n > 6 { repeat 3 until m > n + 2 { set m = m + d2 }\nset n = n + m }\nshow u = n\nshow v = m",
        "let n = 0 + d6\nrepeat 3 until n == 1 { repeat 3 until n == 1 { set n = if n > 3 then 0 + 1d6 else n - 1 } }\nshow u = n",
        "let p = 3d6\nrepeat 2 { repeat 2 until highest(p) == 6 { set p = {p kh 1, 2d6} } }\nshow u = highest(p)\nshow v = sum(p)",
        "let n = 0\nrepeat 100 { let m = 0\nrepeat 3 { set m = m + n }\nset n = n + 1 + (if m > 200 then 100 else 0) }\nshow u = n",
        "let x = 0 + d6\nlet n = 0\nrepeat 3 until n > x { let y = 0 + d4\nrepeat 2 until y > x { set n = n + y\nset y = y + d2 } }\nshow u = n\nshow v = x",
        "let n = 0\nrepeat 0 { repeat 5 { set n = n + 1 } }\nshow u = n + d2",
    ]);
}

#[test]
fn pools_in_loops() {
    all_agree(&[
        "let p = 1d6\nrepeat 4 { set p = {p, 1d6} }\nshow u = highest(p)\nshow v = size(p)\nshow w = matches(p)",
        "let p = 5d6\nrepeat 4 until size(p) == 0 { set p = p dl 1 }\nshow u = sum(p)\nshow v = size(p)",
        "let p = 4d6\nrepeat 3 until highest(p) == 6 { set p = {p kh 2, 1d8} }\nshow u = sum(p)\nshow v = size(p)",
        "let p = {}\nrepeat 3 { set p = {p, (d3 - 1)d4} }\nshow u = size(p)\nshow v = matches(p)\nshow w = matches(p, 2)",
        "let p = 2d4\nrepeat 3 { set p = if sum(p) > 4 then {p, 1d9} else p kh 1 }\nshow u = highest(p)\nshow v = size(p)",
        "let p = 3d{-200, 0, 200}\nrepeat 3 until sum(p) >= 0 { set p = {p dl 1, 1d{-5, 5}} }\nshow u = sum(p)",
        "let p = 3d4\nlet q = 2d6\nrepeat 3 { let t = p\nset p = q kh 2\nset q = {t kl 1, 1d2} }\nshow u = sum(p)\nshow v = sum(q)",
    ]);
}

/// Trials part ways at every round: who has left keeps what was made.
#[test]
fn trials_that_stop_keep_their_values() {
    all_agree(&[
        "let n = 0 + d100\nlet r = 0\nrepeat 200 until n <= 1 { set n = floor(n / 2)\nset r = r + 1 }\nshow u = r\nshow v = n",
        "let n = 0 + d6\nlet r = 0\nlet last = 0\nrepeat 9 until n == 6 { set last = n\nset n = 0 + d6\nset r = r + 1 }\nshow u = r\nshow v = last",
        "let flag = d2 == 1\nlet n = 0\nrepeat 5 until flag { set n = n + 1\nset flag = d3 == 1 }\nshow u = n\nshow v = flag",
        "let x = 0 + d4\nlet y = 0 + d4\nrepeat 6 until x == y { set x = 0 + d4 }\nshow u = x\nshow v = y\nshow w = x == y",
        "let n = 0 + d6\nrepeat 5 until n < 1 or n > 4 { set n = n + d3 - 2 }\nshow u = n",
        "let n = 0 + d6\nrepeat 5 until not (n >= 2 and n != 5) { set n = n + d3 - 2 }\nshow u = n",
        "let n = 0 + d6\nrepeat 5 until n == 3 { set n = if n > 3 then n - 1 else n + 1 }\nshow u = n",
    ]);
}

/// Tracks, whose values are `set` in the very round that shows them.
#[test]
fn the_first_round_shows_what_it_found() {
    let scripts = [
        "let n = 1d3 - 3\nrepeat until n >= 4 { show first = n\nset n = n + 1d2 }\nshow at_last = n",
        "let n = 0\nrepeat until n >= 4 { show first = n\nset n = n + 1d2\nshow second = n }\nshow at_last = n",
        "let n = 0\nrepeat until n >= 4 { let d = 1d4\nshow first = d\nshow small = d < 2\nset n = n + d }",
        "let x = 0 + 1d6\nlet n = 0\nrepeat until n >= 4 { show first = x\nset n = n + 1 }\nshow at_last = x",
    ];
    let complaint = |script: &&str| {
        let track = track_of(script);
        let tables = track_tables(&track, &track.defaults(), 7);
        let complaint = agree(&track, &track.defaults(), &tables, SEED, TRIALS).err()?;
        Some(format!("{script}\n  {complaint}"))
    };
    report(&scripts.iter().filter_map(complaint).collect::<Vec<_>>());
}

/// A value that grows evenly, and then jumps to where it would have come to in the end: the bounds that were guessed
/// for it after some rounds do not hold.
#[test]
fn values_that_jump_and_grow_on() {
    all_agree(&["let r = 0\nlet z = 0 + d2\nrepeat 200 { set r = r + 1\n\
         set z = if r > 100 and z < 150 then 200 else z + 1 }\nshow u = z"]);
}

/// A pool of as many dice as are guessed at most, and then a rare jump beyond what is guessed: were a chunk with such a jump
/// replaced by other trials, such jumps would come too rarely. Wider columns alone change no trial; more dice do.
#[test]
fn trials_that_go_far_are_not_replaced() {
    let jumps = |dice: &str| {
        let check = check_of(&format!(
            "let n = 0\nrepeat 140 {{ set n = n + 1 }}\nlet twos = {dice}\nlet r = 0\nlet z = 0\nrepeat 140 {{ set r = r + 1\n\
             set z = if r == 135 then (if d640 == 1 then 266 else z) else z + 1 }}\nshow u = if z > 250 and twos > 0 then 1 else 0",
        ));
        let query = query_of(&check, "P(u == 1)");
        let made = simulation(&check, &check.defaults(), &[query]).expect("rules without faults");
        let jumps = (0..1000).map(|seed| made.run(seed, 0..64).map(|tally| held(&tally, 0)));
        jumps.sum::<Result<u64, _>>()
    };
    let same = jumps("n + count(140 d2, 2)").expect("the same dice");
    assert!((70..130).contains(&same), "{same} of 64,000");
    let error = jumps("count(n d2, 2)").expect_err("other dice");
    let told = error.to_string();
    assert!(told.contains("can't tell how far"), "{told}");
}
