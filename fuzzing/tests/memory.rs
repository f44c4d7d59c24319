//! The memory of answers, as it is allocated, beside what their budget allows: ten steps are a byte. One test, since
//! others would allocate beside it.

use oddsmith::anydice::{AnyDice, Depths};
use oddsmith::{Dice, Error, Game, Limits, OddsRequest};
use oddsmith_fuzzing::peak_bytes;

/// What no budget counts: the question itself, an error in words, and a fair die of up to 2^20 sides.
const BESIDE: usize = 13 << 20;
/// Budgets double from the first to the last.
const FIRST: u64 = 2_000_000;
const LAST: u64 = 500_000_000;

/// A way to ask under a budget.
type Ask = Box<dyn Fn(&Limits) -> Result<(), Error>>;

fn check(maximise: &str, rules: &str) -> Ask {
    let goal = if maximise.is_empty() {
        String::new()
    } else {
        format!("maximise = '{maximise}'\n")
    };
    let text = format!("name = 'M'\n[checks.main]\n{goal}rules = '''\n{rules}\n'''\n");
    let game = Game::parse("memory.toml", text.as_bytes())
        .unwrap_or_else(|error| panic!("{rules}: {error:?}"));
    Box::new(move |limits| {
        let odds = game.odds(&OddsRequest::default(), limits)?;
        odds.or_means(limits)?.numbers(limits).map(drop)
    })
}

fn dice(text: &str) -> Ask {
    let dice = Dice::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    Box::new(move |limits| dice.distribution(limits).map(drop))
}

fn program(text: &str) -> Ask {
    let program = AnyDice::parse("memory", text);
    let program = program.unwrap_or_else(|error| panic!("{text}: {error:?}"));
    Box::new(move |limits| program.outputs(&Depths::default(), limits).map(drop))
}

/// AnyDice programs that hold much, or make it on the way.
fn programs() -> Vec<(String, Ask)> {
    let mut all = Vec::new();
    for n in [40, 130, 400, 1_300] {
        let (few, many, most) = (n / 10, n * 100, n * 1_000);
        for text in [
            format!("output [explode d{most}]"),
            format!("set \"explode depth\" to {n} output 2d[explode d{n}]"),
            format!("output d{most} * 5 + 1"),
            format!("output d{n} * d{n} + d{n}"),
            format!("output [middle 3 of {n}d{{1, 2, 5}}]"),
            format!("output [highest {few} of {n}d{{1, 2, 5, 40, {n}}}]"),
            format!("output [lowest 2 of 3d{many}]"),
            format!("output [highest 2 of 3d{few} and 2d{n}]"),
            format!("output [highest of 2d2 and d{most}]"),
            format!("output 2 @ (3d{most})"),
            format!("output {{1, 3, 3}} @ 5d{n}"),
            format!("output [count {{1..{few}}} in {n}d{many}]"),
            format!("output (d{n})d{n}"),
            format!("output d{many} > d{most}"),
            format!("output {n}d{n} + {few}d{many}"),
            format!("function: f N:n {{ result: N * 7 }} output [f d{many}]"),
            format!("function: f N:n {{ result: N d 20 }} output [f d{n}]"),
            format!("function: f N:n M:n {{ result: N * M * {n} + N }} output [f d{n} d{n}]"),
            format!("function: f R:s {{ result: {{1, 3}} @ R }} output [f 4d{few}]"),
            format!(
                "function: f R:s {{ result: R }} loop X over {{1..{few}}} {{ output [f 3dX] }}"
            ),
            format!("function: f N:n {{ result: [explode dN] }} output 2d[f d{n}]"),
            format!(
                "function: f A:n B:n {{ result: A d 6 + B }} loop X over {{1..{n}}} {{ loop Y over {{1..40}} {{ Z: [f X Y] }} }}"
            ),
            format!(
                "S: {{1..{n}}} loop X over {{1..{few}}} {{ S: {{S, 1..{n}}} }} output [sort S]"
            ),
            format!("D: d6 loop X over {{1..{n}}} {{ D: D + [highest of D and d20] }} output D"),
            format!("loop X over {{1..{n}}} {{ output X d {n} }}"),
        ] {
            all.push((text.clone(), program(&text)));
        }
    }
    all
}

/// Questions whose answers are large, or large on the way, each of several sizes.
fn questions() -> Vec<(String, Ask)> {
    let mut all: Vec<(String, Ask)> = Vec::new();
    for n in [300, 3_000, 30_000] {
        for rules in [
            format!("let a = 1d6\nchoose x in 0..={n}\nshow v = x * a"),
            format!("choose x in 0..={n}\nlet a = 1d6\nshow v = x * a"),
            format!(
                "let a = 1d6\nchoose x in 0..={}\nlet b = 1d6\nchoose y in 0..=40\nshow v = x * a + y * b",
                n / 40
            ),
            format!(
                "let p = 4d6\nlet s = 0\nchoose x in 0..={n}\nrepeat 2 {{ set s = s + d6 * x }}\nshow v = s + sum(p)"
            ),
        ] {
            all.push((rules.clone(), check("v", &rules)));
        }
    }
    for n in [40, 130, 400, 1_300] {
        for rules in [
            format!(
                "let a = 1d{n}\nlet b = 1d{n}\nshow v = a * {n} + b\nshow w = a * b\nshow f = v > w"
            ),
            format!("let a = 1d{n}\nlet b = 1d{n}\nlet c = a * b\nshow v = c * c + a"),
            format!(
                "let s = 0\nlet m = 0\nrepeat {} {{ let d = d20\nset s = s + d\nset m = max(m, d) }}\nshow v = s * 100 + m",
                n / 10
            ),
            format!(
                "let p = {}d10\nshow v = sum(p kh 2)\nshow w = count(p, >= 7)\nshow z = lowest(p)",
                n / 10
            ),
        ] {
            all.push((rules.clone(), check("", &rules)));
        }
        for text in [
            format!("{n}d{n}"),
            format!("{n}d20kh{}", n / 2),
            format!("({n}d6) * ({n}d6)"),
            format!("(1d{n})d6"),
            format!("matches({}d{}, 3)", n / 40, n / 10),
            format!("matches({0}d{0}, 3)", n.min(130)),
            format!("matches(5d{}, 3)", n * 100),
            format!("1d{}!(1) cs>=9", n * 100),
            format!("wins({n}d6, {n}d6)"),
            format!("2d{}", n * 1_000),
        ] {
            all.push((text.clone(), dice(&text)));
        }
    }
    all
}

#[test]
fn no_answer_takes_more_memory_than_its_budget() {
    let mut complaints = Vec::new();
    for (question, ask) in questions().into_iter().chain(programs()) {
        let mut steps = FIRST;
        while steps <= LAST {
            let limits = Limits::steps(steps);
            let (answer, bytes) = peak_bytes(|| ask(&limits));
            let most = usize::try_from(steps / 10).expect("megabytes") * 120 / 100 + BESIDE;
            if bytes > most {
                complaints.push(format!(
                    "{} bytes of {most}, {}: {question}",
                    bytes,
                    answer.is_ok()
                ));
            }
            if answer.is_ok() {
                break;
            }
            steps *= 2;
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n"));
}
