//! The words of the language with what they mean: for messages, completion and help.

use crate::source::{Diagnostic, Source, Span};
use crate::syntax::{is_keyword, refuse_die};

/// A word of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// As it is written.
    pub name: &'static str,
    /// How it is used, as in `clamp(x, low, high)`.
    pub usage: &'static str,
    /// What it means, in a sentence.
    pub help: &'static str,
    /// One use of it, which stands in a script, a query, or behind dice.
    pub example: &'static str,
}

const fn word(
    name: &'static str,
    usage: &'static str,
    help: &'static str,
    example: &'static str,
) -> Word {
    Word {
        name,
        usage,
        help,
        example,
    }
}

/// The functions that are built in, but for those of [`FORMS`].
pub const BUILT_INS: [Word; 23] = [
    word(
        "min",
        "min(a, b, …)",
        "The lowest of some numbers; a pool is its sum here. In a query `min(total)` is the least value that can come up.",
        "min(1d6, 4)",
    ),
    word(
        "max",
        "max(a, b, …)",
        "The highest of some numbers; a pool is its sum here. In a query `max(total)` is the greatest value that can come up.",
        "max(1d20, 1d20)",
    ),
    word(
        "abs",
        "abs(x)",
        "A number without its sign.",
        "abs(1d6 - 1d6)",
    ),
    word(
        "sign",
        "sign(x)",
        "-1, 0 or 1: whether a number lies below, at or above 0.",
        "sign(1d6 - 4)",
    ),
    word(
        "clamp",
        "clamp(x, low, high)",
        "A number, but at least `low` and at most `high`.",
        "clamp(1d6, 2, 5)",
    ),
    word(
        "mod",
        "mod(a, b)",
        "What `floor(a / b)` leaves of `a`, from 0 to `b - 1`: the last digit of `x` is `mod(x, 10)`.",
        "mod(1d100, 11)",
    ),
    word(
        "sum",
        "sum(pool)",
        "All faces of a pool added up, or all items of a list.",
        "sum(3d6)",
    ),
    word(
        "highest",
        "highest(pool, k)",
        "The sum of the `k` highest dice; without `k`, the highest die.",
        "highest(4d6, 3)",
    ),
    word(
        "lowest",
        "lowest(pool, k)",
        "The sum of the `k` lowest dice; without `k`, the lowest die.",
        "lowest(4d6, 2)",
    ),
    word(
        "nth",
        "nth(pool, k)",
        "The `k`-th highest die, from 1.",
        "nth(3d20, 2)",
    ),
    word(
        "count",
        "count(pool, >= 5)",
        "How many dice of a pool, or items of a list, match a comparison, a range or a number.",
        "count(6d6, >= 5)",
    ),
    word(
        "size",
        "size(pool)",
        "How many dice there are.",
        "size(5d6 dh 2)",
    ),
    word(
        "matches",
        "matches(pool, k)",
        "The size of the `k`-th largest set of equal dice; without `k`, of the largest.",
        "matches(5d6)",
    ),
    word(
        "match_face",
        "match_face(pool, k)",
        "The face of the `k`-th largest set of equal dice; without `k`, of the largest. Of sets equally large the higher one comes first.",
        "match_face(5d6)",
    ),
    word(
        "distinct",
        "distinct(pool)",
        "How many different faces the dice show.",
        "distinct(5d6)",
    ),
    word(
        "straight",
        "straight(pool)",
        "The length of the longest straight: of faces that follow one another, each shown by some die.",
        "straight(5d6)",
    ),
    word(
        "straight_face",
        "straight_face(pool)",
        "The highest face of the longest straight; of those equally long, of the highest.",
        "straight_face(5d6)",
    ),
    word(
        "map",
        "map(pool, function)",
        "The sum over the dice of a function of the face, or of a list with a number for each face from 0.",
        "map(2d{0..=3}, [0, 1, 1, 2])",
    ),
    word(
        "each",
        "each(pool, function)",
        "The same dice with other faces: what a function makes of each face, or a list with a number for each from 0.",
        "each(3d6, [0, 0, 0, 0, 1, 1, 2])",
    ),
    word(
        "wins",
        "wins(pool, pool)",
        "Both pools sorted, highest against highest and so on: the pairs in which the first one's die is higher.",
        "wins(3d6, 2d6)",
    ),
    word(
        "index",
        "index(label)",
        "The place of a label in its list, from 0; `index(list, > 0)` is the place of the first item that matches, or how many items there are.",
        "index(mood)",
    ),
    word(
        "step",
        "step(label, k)",
        "The label `k` places further, or back; it stops at both ends.",
        "step(mood, 1)",
    ),
    word(
        "draw",
        "draw(n, {face: copies, …})",
        "A pool of `n` draws without replacement from a bag.",
        "draw(3, {6: 2, 4: 4, 1: 6})",
    ),
];

/// What is written like a function.
pub const FORMS: [Word; 5] = [
    word(
        "floor",
        "floor(a / b)",
        "A division, rounded down; `b` is never 0.",
        "floor(1d10 / 5)",
    ),
    word(
        "ceil",
        "ceil(a / b)",
        "A division, rounded up; `b` is never 0.",
        "ceil(1d10 / 5)",
    ),
    word(
        "subsets",
        "subsets(pool)",
        "Some of a pool's dice, from none to all; only behind `choose … in` and `oppose … in`.",
        "choose kept in subsets(4d6)",
    ),
    word(
        "sorted",
        "sorted(list)",
        "The items of a list, the highest first; only as what a `let` or a `set` gives a name.",
        "let order = sorted([1d6, 1d8, 1d10])",
    ),
    word(
        "fold",
        "fold face, count of pool with name = start { set name = … }",
        "What is carried from the highest face that some die shows to the lowest: the first name behind `with`, in the end.",
        "fold face, count of 5d6 with best = 0 { set best = max(best, face * count) }",
    ),
];

/// What only queries have.
pub const QUERIES: [Word; 7] = [
    word(
        "P",
        "P(event | condition)",
        "The probability of an event, given a condition if there is one.",
        "P(total >= 15 | Hit)",
    ),
    word(
        "mean",
        "mean(number | condition)",
        "The mean of a number.",
        "mean(total)",
    ),
    word(
        "variance",
        "variance(number | condition)",
        "The variance of a number.",
        "variance(total)",
    ),
    word(
        "sd",
        "sd(number | condition)",
        "The standard deviation of a number: the root of its variance.",
        "sd(total)",
    ),
    word(
        "median",
        "median(number | condition)",
        "The least value that at least half of the rolls do not exceed.",
        "median(total)",
    ),
    word(
        "quantile",
        "quantile(number, share | condition)",
        "The least value that at least this share of the rolls does not exceed.",
        "quantile(total, 0.9)",
    ),
    word(
        "mode",
        "mode(number | condition)",
        "The most likely value of a number; of several the lowest.",
        "mode(total)",
    ),
];

/// The reserved words.
pub const KEYWORDS: [Word; 19] = [
    word(
        "let",
        "let name = value",
        "Names a value; dice are rolled once, here.",
        "let hand = 5d6",
    ),
    word(
        "show",
        "show name = value",
        "Names a value that is an outcome of the check; `show name` shows what `let` has named.",
        "show total = 2d6 + stat",
    ),
    word(
        "set",
        "set name = value",
        "Changes a value that was bound by `let`, or one item of a list.",
        "set left = left - 1",
    ),
    word(
        "choose",
        "choose name in options where condition",
        "The option for which the mean of `maximise` is greatest.",
        "choose spent in 0..=3",
    ),
    word(
        "oppose",
        "oppose name in options where condition",
        "The opponent's choice: the option for which the mean of `maximise` is least.",
        "oppose parry in 0..=1",
    ),
    word(
        "repeat",
        "repeat count until condition { … }",
        "Statements so many times, or until a condition holds; a track repeats without a count.",
        "repeat 3 { set left = left - 1 }",
    ),
    word(
        "for",
        "for name in 0..=2 { … }",
        "Statements once for each number of a range, which the name stands for.",
        "for i in 0..=2 { set left = left - i }",
    ),
    word(
        "until",
        "repeat until condition { … }",
        "When a `repeat` ends.",
        "repeat 3 until left == 0 { set left = left - 1 }",
    ),
    word(
        "in",
        "choose name in options",
        "What can be chosen: a range, or `subsets(pool)`; the range of a `for`.",
        "choose spent in 0..=3",
    ),
    word(
        "where",
        "choose name in options where condition",
        "Which options are allowed.",
        "choose kept in subsets(4d6) where size(kept) <= 2",
    ),
    word(
        "if",
        "if condition then a else b",
        "One of two values; only that one is rolled.",
        "if 1d6 == 6 then 1d4 else 0",
    ),
    word(
        "then",
        "if condition then a else b",
        "The value where the condition holds.",
        "if 1d6 == 6 then 1d4 else 0",
    ),
    word(
        "else",
        "if condition then a else b",
        "The value where nothing before holds.",
        "if 1d6 == 6 then 1d4 else 0",
    ),
    word(
        "match",
        "match x { 1: a, 2..=3: b, else: c }",
        "The value of the first arm that fits; without `x` the arms are conditions.",
        "match 1d6 { 1: 0, 2..=5: 1, else: 2 }",
    ),
    word(
        "and",
        "a and b",
        "Whether both hold.",
        "1d6 >= 3 and 1d6 >= 3",
    ),
    word(
        "or",
        "a or b",
        "Whether one of them holds; between patterns of a `match`, either of them.",
        "1d6 == 6 or 1d6 == 6",
    ),
    word("not", "not a", "Whether it does not hold.", "not 1d6 == 6"),
    word("true", "true", "What holds.", "true"),
    word("false", "false", "What does not hold.", "false"),
];

/// What may follow dice, in the order in which it applies.
pub const MODIFIERS: [Word; 9] = [
    word(
        "r",
        "r<3",
        "Rolls a die again until it stops matching.",
        "4d6r<3",
    ),
    word(
        "ro",
        "ro<3",
        "Rolls a die again once if it matches.",
        "4d6ro<3",
    ),
    word(
        "!",
        "!(2)",
        "Rolls a die again that shows its highest face, and adds that, at most so many times.",
        "1d6!(2)",
    ),
    word("kh", "kh3", "Keeps the highest dice.", "4d6kh3"),
    word("kl", "kl1", "Keeps the lowest dice.", "2d20kl1"),
    word("dh", "dh1", "Drops the highest dice.", "5d6dh1"),
    word("dl", "dl1", "Drops the lowest dice.", "4d6dl1"),
    word("cs", "cs>=5", "Counts the dice that match.", "6d10cs>=7"),
    word(
        "d",
        "4d6",
        "Dice: how many, and their sides; also `d%`, `dF`, `d{1, 1, 2..=4}` and `d[roll]`.",
        "4d6",
    ),
];

/// Every word that has a meaning of its own in scripts or queries.
pub fn words() -> impl Iterator<Item = &'static Word> {
    let called = BUILT_INS.iter().chain(&FORMS).chain(&QUERIES);
    called.chain(&KEYWORDS).chain(&MODIFIERS)
}

/// The name that is nearest to a word: its letters from a to z, with `_` in the place of what is neither letter nor digit;
/// none if it does not begin with a letter.
pub(crate) fn plain_name(word: &str) -> Option<String> {
    let plain = |c: char| match c {
        'ä' | 'æ' => "ae".to_owned(),
        'ö' | 'ø' | 'œ' => "oe".to_owned(),
        'ü' => "ue".to_owned(),
        'Ä' | 'Æ' => "Ae".to_owned(),
        'Ö' | 'Ø' | 'Œ' => "Oe".to_owned(),
        'Ü' => "Ue".to_owned(),
        'ß' => "ss".to_owned(),
        'à'..='å' => "a".to_owned(),
        'ç' => "c".to_owned(),
        'è'..='ë' => "e".to_owned(),
        'ì'..='ï' => "i".to_owned(),
        'ñ' => "n".to_owned(),
        'ò'..='õ' => "o".to_owned(),
        'ù'..='û' => "u".to_owned(),
        c if c.is_ascii_alphanumeric() => c.to_string(),
        _ => "_".to_owned(),
    };
    let near: String = word.chars().map(plain).collect();
    near.starts_with(|c: char| c.is_ascii_alphabetic())
        .then_some(near)
}

/// Why a word can't be a name, in a sentence; none if it can. `is_called` says whether a bracket follows where it is used.
///
/// ```
/// use oddsmith_rules::words::refuse_name;
/// assert_eq!(refuse_name("skill_rank", false), None);
/// assert!(refuse_name("match", false).is_some());
/// assert!(refuse_name("d6", false).is_some());
/// assert!(refuse_name("two words", false).is_some());
/// ```
#[must_use]
pub fn refuse_name(name: &str, is_called: bool) -> Option<String> {
    let is_of_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if !begins || !name.chars().all(is_of_word) {
        return Some(format!(
            "`{name}` can't be a name: a name is a letter from a to z, then letters, digits and `_`"
        ));
    }
    if is_keyword(name) {
        return Some(format!(
            "`{name}` can't be a name: this word is part of the language"
        ));
    }
    let built_in = BUILT_INS.iter().chain(&FORMS).any(|word| word.name == name);
    if is_called && built_in {
        return Some(format!(
            "`{name}` is a built-in function: choose another name"
        ));
    }
    let source = Source::new("", name);
    let error = |message: String| Diagnostic::new(&source, Span::new(0, name.len()), message);
    let follows = if is_called { "(" } else { "" };
    let refused = refuse_die(name, follows, error)?;
    Some(format!(
        "{}: {}",
        refused.message,
        refused.help.unwrap_or_default()
    ))
}
