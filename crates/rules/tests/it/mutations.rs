//! Damaged rulesets: never a panic, always places inside the file.

use oddsmith_rules::{ChartTexts, Diagnostics, all_games, load, validate};
use proptest::prelude::*;

use crate::page::around;

/// Words to put where they do not belong.
const WORDS: [&str; 56] = [
    "0",
    "-1",
    "7",
    "99999999999999999999",
    "9223372036854775807",
    "-9223372036854775808",
    "0..=9223372036854775807",
    "d6",
    "4d6kh3",
    "d{",
    "!",
    "r<",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "\"\"\"",
    "'",
    "=",
    "==",
    "..=",
    "..",
    ",",
    ":",
    "if",
    "then",
    "else",
    "match",
    "let",
    "show",
    "repeat",
    "for",
    "#",
    "\n",
    "\\",
    "é",
    "band",
    "rules",
    "default",
    "[checks.x]",
    "x",
    "choose",
    "oppose",
    "in",
    "where",
    "subsets",
    "until",
    "set",
    "rolls",
    "maximise",
    "contest",
    "[tracks.x]",
    "strike",
];

/// Words, numbers, runs of blanks, and single other characters.
fn tokens(text: &str) -> Vec<&str> {
    let kind = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => 0,
        ' ' => 1,
        _ => 2,
    };
    let mut tokens = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (at, c) in text.char_indices() {
        if last.is_some_and(|last| last != kind(c) || last == 2) {
            tokens.push(&text[start..at]);
            start = at;
        }
        last = Some(kind(c));
    }
    tokens.push(&text[start..]);
    tokens
}

#[derive(Clone, Debug)]
enum Damage {
    Delete,
    Replace(usize),
    Insert(usize),
    Swap,
    Truncate,
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        4 => Just(Damage::Delete),
        4 => (0..WORDS.len()).prop_map(Damage::Replace),
        2 => (0..WORDS.len()).prop_map(Damage::Insert),
        2 => Just(Damage::Swap),
        1 => Just(Damage::Truncate),
    ]
}

fn damaged(text: &str, damages: &[(prop::sample::Index, Damage)]) -> String {
    let mut tokens = tokens(text);
    for (place, damage) in damages {
        if tokens.len() < 2 {
            break;
        }
        let at = place.index(tokens.len() - 1);
        match damage {
            Damage::Delete => drop(tokens.remove(at)),
            Damage::Replace(word) => tokens[at] = WORDS[*word],
            Damage::Insert(word) => tokens.insert(at, WORDS[*word]),
            Damage::Swap => tokens.swap(at, at + 1),
            Damage::Truncate => tokens.truncate(at.max(tokens.len() * 9 / 10)),
        }
    }
    tokens.concat()
}

fn rulesets() -> Vec<String> {
    let rules = "let pool = (max(1, rank))d6 r<2 !(2)\n\
                 let c = if state == ok then half(highest(pool, 2)) else nth(pool, 2)\n\
                 let n = 0\nrepeat 2 until n > 3 { set n = n + count(pool, >= 5) }\n\
                 let hp = [4: 2, ladder[0]]\nfor i in 0..=2 { set hp[i] = max(hp[i] - n, 0)\nset hp[1d3 - 1] = i }\n\
                 set hp = sorted(hp)\nshow z = count(hp, > 0) + index(hp, n)\n\
                 show x = c + match 2d6 { < 7: -1, 7..=9: 0, else: map(pool, half) }\n\
                 show y = draw(2, {6: 2, 4: 4}) + d{1: 2, 3..=4}kh1 + ladder[min(2, banes)]";
    let chosen = "let r = 3d6 choose k in subsets(r) where size(k) > 1\n\
                  choose n in 0..=rank + 2 where n != 1 or banes > 2\n\
                  repeat 2 { choose m in -1..=n set n = m }\nshow x = sum(k) + n";
    let chosen =
        around(chosen).replace("[checks.check]", "[checks.check]\nmaximise = \"x - rank\"");
    let track = "[tracks.clock]\ninherit = [\"check\"]\nrules = \"\"\"\nlet n = 0 let won = false\n\
                 repeat until n == 4 or won { let c = check(rank = 1, ..) show gain = c.x\n\
                 set n = min(n + abs(gain), 4) set won = c.band == Hit }\nshow Late = rolls > 3\n\"\"\"\n";
    let games = all_games().map(|(_, text)| text.to_owned());
    games
        .chain([around(rules), chosen.clone() + track])
        .collect()
}

#[test]
fn the_undamaged_rulesets_load() {
    for text in rulesets() {
        crate::page::good(&text);
    }
}

fn places_are_inside(text: &str, errors: &Diagnostics) {
    let check = |span: oddsmith_rules::Span| {
        assert!(
            span.start <= span.end && span.end <= text.len(),
            "{span:?} of {}",
            text.len()
        );
        assert!(
            text.get(span.start..span.end).is_some(),
            "{span:?} cuts a character"
        );
    };
    assert!(!errors.0.is_empty());
    for error in &errors.0 {
        check(error.span);
        error.related.iter().for_each(|(span, _)| check(*span));
        assert!(!error.message.is_empty());
        assert!(!error.render(false).is_empty());
    }
}

/// Words that questions are made of.
const ASKED: [&str; 42] = [
    "x",
    "n",
    "band",
    "rank",
    "Hit",
    "A",
    "tie",
    "a.",
    "b.",
    "a.x",
    "b.band",
    "r",
    "k",
    "cap",
    "ladder",
    "ladder[1]",
    "state",
    "ok",
    "=",
    "==",
    "<",
    ">=",
    "&",
    "|",
    "and",
    "not ",
    "P(",
    "mean(",
    "variance(",
    "max(",
    "(",
    ")",
    "-",
    "+",
    "3",
    "1d6",
    "..=",
    ",",
    "all",
    "[",
    "]",
    "match x { < n + 2: 1, else: 2 }",
];

fn question() -> impl Strategy<Value = String> {
    let word = (0..ASKED.len(), prop_oneof![Just(""), Just(" ")]);
    let words = prop::collection::vec(word, 0..8);
    words.prop_map(|words| {
        words
            .into_iter()
            .map(|(word, gap)| format!("{}{gap}", ASKED[word]))
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_rulesets_give_errors_not_panics(
        which in any::<prop::sample::Index>(),
        damages in prop::collection::vec((any::<prop::sample::Index>(), damage()), 1..4),
    ) {
        let rulesets = rulesets();
        let text = damaged(&rulesets[which.index(rulesets.len())], &damages);
        if let Err(errors) = load("game.toml", text.as_bytes()) {
            places_are_inside(&text, &errors);
        }
    }

    #[test]
    fn what_still_loads_can_be_validated(
        damages in prop::collection::vec((any::<prop::sample::Index>(), damage()), 1..3),
    ) {
        let text = damaged(rulesets().last().expect("there is one"), &damages);
        if let Ok(model) = load("game.toml", text.as_bytes())
            && let Err(errors) = validate(&model)
        {
            places_are_inside(&text, &errors);
        }
    }

    #[test]
    fn any_question_is_read_or_refused(text in question()) {
        let ruleset = rulesets().pop().expect("there is one");
        let model = crate::page::good(&ruleset);
        let check = &model.checks[0];
        let number = check.with_contest("x", "--by").expect("it shows x");
        let contest = number.against(&number, oddsmith_rules::Ties::Both).expect("numbers");
        let one = |error| places_are_inside(&text, &Diagnostics(vec![error]));
        let all = |errors: Diagnostics| places_are_inside(&text, &errors);
        for check in [check, &contest, &model.tracks[0]] {
            let _ = check.query(&text, "--query").map_err(all);
            let _ = check.with_goal(&text, "--maximise").map_err(all);
            let _ = check.with_contest(&text, "--by").map_err(all);
            let _ = check.set(&mut check.defaults(), &text, "--set").map_err(one);
            let _ = check.sweep(&text, "--sweep").map_err(one);
            let (some, list) = (Some(text.clone()), vec![text.clone()]);
            let chart = ChartTexts { x: some.clone(), queries: list.clone(), ..ChartTexts::default() };
            let _ = check.chart(&chart).map_err(all);
            let chart = ChartTexts { by: some, sets: list, ..chart };
            let _ = check.chart(&chart).map_err(all);
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "(?s).{0,60}") {
        let _ = load("game.toml", text.as_bytes());
        let _ = oddsmith_rules::expression(&text, "<expression>");
    }
}
