//! What other tools taught: their notations, and how the same is written here.
//!
//! Nothing here is read as if it were right. Where a text can't be read, the line is looked through for notations of dice
//! rollers, AnyDice, rulebooks and programming languages, and one that covers the place of the error takes the place of
//! what the parser would have said.

use std::ops::Range;
use std::sync::{Arc, LazyLock};

use regex_lite::{Captures, Regex};

use super::parser::Parser;
use crate::source::{Diagnostic, Reporter, Span};

/// Longer lines are not looked through.
const MOST_BYTES: usize = 300;

const ANYDICE: &str = "AnyDice";
const BOTS: &str = "dice rollers";
const ROLL20: &str = "Roll20";
const BOOKS: &str = "rulebooks";
const PLAIN: &str = "plain words";
const LANGUAGES: &str = "programming languages";

/// A notation: a text that every line with it has, its pattern, who writes so, and what to write here, in which `$1` is
/// the first group of the pattern.
type Notation = (&'static str, &'static str, &'static str, &'static str);

/// Notations; of several that cover a place the first one is told.
const NOTATIONS: &[Notation] = &[
    // Modifiers that are glued to dice.
    (
        "rr",
        r"(\d*d\d+)rr(\d+)",
        BOTS,
        "write `$1r==$2` to roll again until it is another face, `$1ro==$2` to do so once",
    ),
    (
        "rr",
        r"(\d*d\d+)rr\s*(>=|<=|>|<)\s*(\d+)",
        BOTS,
        "write `$1r$2$3` to roll again until it is another face",
    ),
    (
        "xo",
        r"(\d*d\d+)xo(?:\b|\d+)",
        BOTS,
        "write `$1!(1)`: the highest face is rolled again and added, once",
    ),
    (
        "x",
        r"(\d*d\d+)x(\d+)",
        BOTS,
        "write `$1!==$2(4)` if a $2 is rolled again and added, at most 4 times; `$1 * $2` multiplies",
    ),
    (
        "x",
        r"(\d*d\d+)x\s*(>=|<=|>|<)\s*(\d+)",
        BOTS,
        "write `$1!$2$3(4)`: such faces are rolled again and added, at most 4 times",
    ),
    (
        "x",
        r"(\d*d\d+)x\b",
        BOTS,
        "write `$1!(4)`: the highest face is rolled again and added, at most 4 times",
    ),
    (
        "e",
        r"(\d*d\d+)e(\d+)",
        BOTS,
        "write `$1!==$2(4)`: a $2 is rolled again and added, at most 4 times",
    ),
    (
        "e",
        r"(\d*d\d+)e\b",
        BOTS,
        "write `$1!(4)`: the highest face is rolled again and added, at most 4 times",
    ),
    (
        "!!",
        r"(\d*d\d+)!!",
        ROLL20,
        "write `$1!(4)`: whatever an explosion adds goes to the same die here, and it needs a depth",
    ),
    (
        "!p",
        r"(\d*)d(\d+)!p",
        ROLL20,
        "name the die with `let a = 1d$2` and add `if a == $2 then 1d$2 - 1 else 0`, once for each explosion",
    ),
    (
        "adv",
        r"\b[12]?d(\d+)\s*(?:with\s+)?adv(?:antage)?\b",
        BOTS,
        "write `2d$1kh`: the higher of two",
    ),
    (
        "dis",
        r"\b[12]?d(\d+)\s*(?:with\s+)?dis(?:adv(?:antage)?)?\b",
        BOTS,
        "write `2d$1kl`: the lower of two",
    ),
    ("df", r"\b(\d*)df\b", BOTS, "write `$1dF`, with a large F"),
    (
        "s",
        r"(\d*d\d+)\s*s\s*(>=|<=|==|>|<)\s*(\d+)",
        BOTS,
        "write `$1 cs$2$3`: how many dice do",
    ),
    (
        "s",
        r"(\d*d\d+)\s*s\s*=\s*(\d+)",
        BOTS,
        "write `$1 cs==$2`: how many dice do",
    ),
    (
        "t",
        r"(\d*d\d+)t(\d+)",
        BOTS,
        "write `$1 cs>=$2`: how many dice show that or more",
    ),
    (
        "f",
        r"(\d*d\d+)f\s*(>=|<=|>|<)\s*(\d+)",
        BOTS,
        "write `$1 cs$2$3` to count them; with a name for the pool, `count(p, >= 5) - count(p, $2 $3)` takes them off",
    ),
    (
        "f",
        r"(\d*d\d+)f(\d+)",
        BOTS,
        "write `$1 cs==$2` to count them; with a name for the pool, `count(p, >= 5) - count(p, == $2)` takes them off",
    ),
    (
        "mi",
        r"(\d*)d(\d+)min?(\d+)",
        BOTS,
        "write `$1d[max(1d$2, $3)]`: every die counts $3 at least",
    ),
    (
        "ma",
        r"(\d*)d(\d+)max?(\d+)",
        BOTS,
        "write `$1d[min(1d$2, $3)]`: every die counts $3 at most",
    ),
    ("p", r"(\d*d\d+)p([hl])(\d+)", BOTS, "write `$1d$2$3`"),
    ("h", r"(\d*d\d+)h(\d*)\b", BOTS, "write `$1kh$2`"),
    ("l", r"(\d*d\d+)l(\d*)\b", BOTS, "write `$1kl$2`"),
    (
        "s",
        r"(\d*d\d+(?:k[hl]\d*)?)s[ad]?\b",
        ROLL20,
        "write `$1`: the order in which dice lie never matters",
    ),
    ("w", r"\b(\d*)w(\d+)", BOOKS, "write `$1d$2`"),
    ("W", r"\b(\d*)W(\d+)", BOOKS, "write `$1d$2`"),
    (
        "x",
        r"\b(\d+)x(\d*d\d+\w*)",
        BOTS,
        "write `$2`: each of several rolls has the same odds; `$1 * $2` multiplies one",
    ),
    // AnyDice.
    (
        "[highest",
        r"\[highest (\d+) of (\d*d\d+)\]",
        ANYDICE,
        "write `$2kh$1`",
    ),
    (
        "[lowest",
        r"\[lowest (\d+) of (\d*d\d+)\]",
        ANYDICE,
        "write `$2kl$1`",
    ),
    (
        "[highest",
        r"\[highest of (.+?) and (.+?)\]",
        ANYDICE,
        "write `max($1, $2)`",
    ),
    (
        "[lowest",
        r"\[lowest of (.+?) and (.+?)\]",
        ANYDICE,
        "write `min($1, $2)`",
    ),
    (
        "[middle",
        r"\[middle 1 of 3d(\d+)\]",
        ANYDICE,
        "write `nth(3d$1, 2)`",
    ),
    (
        "[count",
        r"\[count (\d+) in (\d*d\d+)\]",
        ANYDICE,
        "write `$2 cs==$1`",
    ),
    (
        "[count",
        r"\[count \{(\d+)\.\.(\d+)\} in (\d*d\d+)\]",
        ANYDICE,
        "write `$3 cs $1..=$2`",
    ),
    (
        "[explode",
        r"\[explode (1?d\d+)\]",
        ANYDICE,
        "write `$1!(2)`, which is as deep as AnyDice goes",
    ),
    (
        "[absolute",
        r"\[absolute (.+?)\]",
        ANYDICE,
        "write `abs($1)`",
    ),
    (
        "[maximum",
        r"\[maximum of \d*d(\d+)\]",
        ANYDICE,
        "write `$1`, the number of its sides",
    ),
    ("[[", r"\[\[(.+?)\]\]", ROLL20, "write `$1` alone"),
    (
        "[",
        r"\[[a-z]+ [^\],]*\]",
        ANYDICE,
        "`oddsmith anydice FILE` answers its programs, and `--to-ruleset` writes them as rules",
    ),
    (
        "@{",
        r"@\{(?:\w+\|)?([A-Za-z_]\w*)\}",
        ROLL20,
        "a number of a character is an axis, `axes.$1` of its check: write `$1`",
    ),
    (
        "@",
        r"(\d+)\s*@\s*(\d*d\d+)",
        ANYDICE,
        "write `nth($2, $1)`: the die in place $1, the highest first",
    ),
    (
        "@",
        r"@(?:[a-z_]+\.)*([A-Za-z_]\w*)",
        "Foundry",
        "a number of a character is an axis, `axes.$1` of its check: write `$1`",
    ),
    (
        "?{",
        r"\?\{\s*([A-Za-z_]\w*)[^}]*\}",
        ROLL20,
        "what is asked at the table is an axis, `axes.$1` of its check: write `$1`",
    ),
    (
        "}:",
        r"d\{[^}]*\}:(\d+)",
        ANYDICE,
        "a weight stands behind its face, as in `d{1: $1, 2, 3}`",
    ),
    ("..", r"d\{(\d+)\.\.(\d+)\}", ANYDICE, "write `d{$1..=$2}`"),
    (
        "..",
        r"(-?\d+)\s*\.\.\.?\s*(-?\d+)",
        LANGUAGES,
        "write `$1..=$2`: both ends belong to a range",
    ),
    (
        "output",
        r"^\s*output\s+(.+?)(?:\s+named\b.*)?$",
        ANYDICE,
        "write `$1` alone; `oddsmith anydice FILE` answers whole programs",
    ),
    (
        "loop",
        r"^\s*loop\b.*\bover\b.*$",
        ANYDICE,
        "sweep an axis in place of a loop; `oddsmith anydice FILE` answers whole programs",
    ),
    (
        "function:",
        r"^\s*function:.*$",
        ANYDICE,
        "a function stands in the table `[functions]`; `oddsmith anydice FILE` answers whole programs",
    ),
    (
        "result:",
        r"^\s*result:\s*(.+)$",
        ANYDICE,
        "write `show result = $1`; `oddsmith anydice FILE` answers whole programs",
    ),
    // Words of the table.
    (
        "r",
        r"^\s*[/!](?:roll|gmroll|r|gr)\s+(.+)$",
        BOTS,
        "write `$1` alone",
    ),
    ("roll", r"^\s*roll\s+(.+)$", BOTS, "write `$1` alone"),
    (
        "vs",
        r"(?:^|\w\s*=)\s*([^=]+?)\s+vs\.?\s+(?:[A-Z]+\s*)?(\d+)",
        BOOKS,
        "write `$1 >= $2`",
    ),
    (
        "against",
        r"(?:^|\w\s*=)\s*([^=]+?)\s+against\s+(?:[A-Z]+\s*)?(\d+)",
        BOOKS,
        "write `$1 >= $2`",
    ),
    (
        "DC",
        r"(?:^|\w\s*=)\s*([^=]+?)\s+DC\s*(\d+)",
        BOOKS,
        "write `$1 >= $2`",
    ),
    (
        "+",
        r"(\d*d\d+)\s+(?:on\s+|at\s+)?(\d+)\+",
        BOOKS,
        "write `$1 cs>=$2` to count the dice that do",
    ),
    (
        "or ",
        r"(\d*d\d+)\s+(\d+)\s+or\s+(?:higher|more|better|above)",
        BOOKS,
        "write `$1 cs>=$2` to count the dice that do",
    ),
    (
        "or ",
        r"(?:>=?|==?)\s*(\d+)\s+or\s+(?:higher|more|better|above)",
        BOOKS,
        "write `>= $1`",
    ),
    (
        "or ",
        r"(?:<=?|==?)\s*(\d+)\s+or\s+(?:lower|less|fewer|below)",
        BOOKS,
        "write `<= $1`",
    ),
    (
        "the ",
        r"(\d*d\d+)[,\s]+drop(?:ping)?\s+the\s+(?:low|worst)\w*",
        BOOKS,
        "write `$1dl1`",
    ),
    (
        "the ",
        r"(\d*d\d+)[,\s]+drop(?:ping)?\s+the\s+(?:high|best)\w*",
        BOOKS,
        "write `$1dh1`",
    ),
    (
        "the ",
        r"(\d*d\d+)[,\s]+(?:keep|tak)(?:e|ing)?\s+the\s+(?:high|best)\w*(?:\s+(\d+))?",
        BOOKS,
        "write `$1kh$2`",
    ),
    (
        "the ",
        r"(\d*d\d+)[,\s]+(?:keep|tak)(?:e|ing)?\s+the\s+(?:low|worst)\w*(?:\s+(\d+))?",
        BOOKS,
        "write `$1kl$2`",
    ),
    (
        "best",
        r"\bbest\s+(?:(\d+)\s+)?(?:of|from)\s+(\d*d\d+)",
        BOOKS,
        "write `$2kh$1`",
    ),
    (
        "highest",
        r"\bhighest\s+(?:(\d+)\s+)?(?:of|from)\s+(\d*d\d+)",
        BOOKS,
        "write `$2kh$1`",
    ),
    (
        "worst",
        r"\bworst\s+(?:(\d+)\s+)?(?:of|from)\s+(\d*d\d+)",
        BOOKS,
        "write `$2kl$1`",
    ),
    (
        "lowest",
        r"\blowest\s+(?:(\d+)\s+)?(?:of|from)\s+(\d*d\d+)",
        BOOKS,
        "write `$2kl$1`",
    ),
    (
        "reroll",
        r"(\d*d\d+)[,\s]+reroll(?:ing)?\s+(?:the\s+)?(\d+)'?s\b",
        BOOKS,
        "write `$1r==$2`, or `$1ro==$2` if that is done once",
    ),
    (
        "explod",
        r"\bexploding\s+(\d*d\d+)",
        BOOKS,
        "write `$1!(4)`: the highest face is rolled again and added, at most 4 times",
    ),
    (
        "between",
        r"(\w+)\s+between\s+(\d+)\s+and\s+(\d+)",
        LANGUAGES,
        "write `$1 >= $2 and $1 <= $3`",
    ),
    (
        " ",
        r"\b(?:chance|probability|odds|likelihood)\s+(?:of|that|for|to)\s+(?:an?\s+)?(\w+)",
        PLAIN,
        "write `P($1)`",
    ),
    // Programming languages.
    (
        "?",
        r"^(?:\s*(?:show|let|set)\s+\w+\s*=)?\s*([^?]+?)\s*\?\s*(.+?)\s*:\s*(.+)$",
        LANGUAGES,
        "write `if $1 then $2 else $3`",
    ),
    (
        " if ",
        r"(?:^|\w\s*=)\s*([^=]+?)\s+if\s+(.+?)\s+else\s+(.+)$",
        LANGUAGES,
        "write `if $2 then $1 else $3`",
    ),
    (
        "=",
        r"([A-Za-z_]\w*)\s*([-+*])=\s*(.+)$",
        LANGUAGES,
        "write `set $1 = $1 $2 $3`",
    ),
    (
        "++",
        r"([A-Za-z_]\w*)\+\+",
        LANGUAGES,
        "write `set $1 = $1 + 1`",
    ),
    (
        "--",
        r"([A-Za-z_]\w*)--",
        LANGUAGES,
        "write `set $1 = $1 - 1`",
    ),
    (
        "if",
        r"^\s*if\s*\(?([^{]+?)\)?\s*\{.*$",
        LANGUAGES,
        "write `let x = if $1 then … else …`: an `if` is a value, in a `let`, a `set` or a `show`",
    ),
    (
        "while",
        r"^\s*while\s*\(?([^{]+?)\)?\s*(?:\{.*)?$",
        LANGUAGES,
        "write `repeat 10 until not ($1) { … }`: at most so often, or without a number in a track",
    ),
    (
        "for",
        r"^\s*for\b.*$",
        LANGUAGES,
        "write `repeat 3 { … }`: so often, with what changes in a `let` before it",
    ),
    (
        "el",
        r"\b(?:elif|elsif|elseif)\b",
        LANGUAGES,
        "write `else if … then …`",
    ),
    (
        "return",
        r"^\s*return\s+(.+)$",
        LANGUAGES,
        "write `show result = $1`",
    ),
    (
        "print",
        r"^\s*print\b\s*\(?(.+?)\)?$",
        LANGUAGES,
        "write `show result = $1`",
    ),
    (
        "=",
        r"^\s*(?:var|const|int|auto|local|my)\s+\$?(\w+)\s*=",
        LANGUAGES,
        "write `let $1 = …`, or `show $1 = …` for what the check shows",
    ),
    (
        ":=",
        r"([A-Za-z_]\w*)\s*:=\s*(.+)$",
        LANGUAGES,
        "write `let $1 = $2`, or `set $1 = $2` to change it",
    ),
    ("===", r"===", LANGUAGES, "write `==`"),
    ("<>", r"<>", LANGUAGES, "write `!=`"),
    ("=<", r"=<", LANGUAGES, "write `<=`"),
    (
        "^",
        r"(\d*d\d+)\s*\^",
        LANGUAGES,
        "there are no powers: `$1 * $1` rolls twice, and a `let` before it rolls once",
    ),
    (
        "**",
        r"(\d*d\d+)\s*\*\*",
        LANGUAGES,
        "there are no powers: `$1 * $1` rolls twice, and a `let` before it rolls once",
    ),
    (
        "^",
        r"([A-Za-z_]\w*)\s*\^\s*2\b",
        LANGUAGES,
        "write `$1 * $1`",
    ),
    (
        "**",
        r"([A-Za-z_]\w*)\s*\*\*\s*2\b",
        LANGUAGES,
        "write `$1 * $1`",
    ),
    (
        "^",
        r"\^",
        LANGUAGES,
        "there are no powers: name a number with `let` and multiply it with itself",
    ),
    (
        "**",
        r"\*\*",
        LANGUAGES,
        "there are no powers: name a number with `let` and multiply it with itself",
    ),
];

static PATTERNS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let patterns = NOTATIONS.iter().map(|(_, pattern, ..)| Regex::new(pattern));
    patterns
        .map(|pattern| pattern.expect("a pattern"))
        .collect()
});

/// Functions of other tools, and how the same is written here.
const FUNCTIONS: &[(&[&str], &str)] = &[
    (&["adv", "advantage"], "the higher of two dice is `2d20kh`"),
    (
        &["dis", "disadvantage"],
        "the lower of two dice is `2d20kl`",
    ),
    (&["len", "length"], "how many dice a pool has is `size(p)`"),
    (
        &["roll", "dice", "d"],
        "dice stand for themselves: `4d6`, or `(n)d(sides)` of numbers that vary",
    ),
    (
        &["keep", "top", "best"],
        "the best three of a pool are `p kh 3`, and the highest die is `highest(p)`",
    ),
    (&["drop"], "a pool without its lowest die is `p dl 1`"),
    (
        &["explode", "exploding"],
        "`4d6!(4)`: the highest face is rolled again and added, at most 4 times",
    ),
    (
        &["reroll"],
        "`4d6r==1` rolls ones again until they are none, `4d6ro==1` once",
    ),
    (
        &["successes", "hits", "count_successes"],
        "dice that show 5 or more are counted by `count(p, >= 5)`",
    ),
    (
        &["round", "rounded"],
        "write `floor(a / b)` or `ceil(a / b)`: a division says how it rounds",
    ),
    (
        &["mean", "average", "avg", "expected"],
        "a mean is asked from outside: `--query 'mean(total)'`",
    ),
    (
        &["prob", "probability"],
        "a probability is asked from outside: `--query 'P(total >= 10)'`",
    ),
    (
        &["pow", "power", "sqrt"],
        "there are no powers and roots: multiply a number with itself",
    ),
    (&["div", "idiv", "quotient"], "write `floor(a / b)`"),
    (&["modulo", "rem", "remainder"], "write `mod(a, b)`"),
    (&["unique", "different"], "write `distinct(pool)`"),
    (&["run", "runs", "sequence"], "write `straight(pool)`"),
    (
        &["random", "rand", "randint"],
        "a number from 1 to n is `1d(n)`",
    ),
];

/// What a function of other tools is here.
pub(crate) fn function(name: &str) -> Option<&'static str> {
    let lower = name.to_lowercase();
    let found = FUNCTIONS
        .iter()
        .find(|(names, _)| names.contains(&lower.as_str()));
    found.map(|(_, help)| *help)
}

impl Parser<'_> {
    /// Reports an error; in its place that of a notation of other tools, if one covers its place.
    pub(super) fn tell(&self, error: Diagnostic, reporter: &mut Reporter) {
        let (text, offset) = self.whole_text();
        let error = reporter.explained(error, |error| told(error, text, offset));
        reporter.push(error);
    }
}

/// The error of a text that can be read but not understood; in its place that of a notation of other tools, if one covers
/// its place.
pub(crate) fn or_taught(error: Diagnostic, reporter: &Reporter) -> Diagnostic {
    let source = Arc::clone(&error.source);
    reporter.explained(error, |error| told(error, &source.text, 0))
}

/// The error of a text that begins at byte `offset` of its source, or that of a notation of other tools.
fn told(error: Diagnostic, text: &str, offset: usize) -> Diagnostic {
    let at = error.span.start.checked_sub(offset);
    // Where a name is declared nothing is rolled.
    let at = at.filter(|_| !error.message.contains("begins a die"));
    let Some((place, tool, mut help)) = at.and_then(|at| taught(text, at)) else {
        return error;
    };
    // A word that is glued to dice may be a label as well.
    let other = error.help.as_deref().unwrap_or_default();
    if let Some(at) = other.find("a label needs quotes") {
        help = format!("{help}; {}", &other[at..]);
    }
    let message = format!("`{}` is written as in {tool}", &text[place.clone()]);
    let span = Span::new(offset + place.start, offset + place.end);
    Diagnostic::new(&error.source, span, message).with_help(help)
}

/// The notation of other tools that covers a place of a text: where it is, whose it is, and what to write.
fn taught(text: &str, at: usize) -> Option<(Range<usize>, &'static str, String)> {
    let start = text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
    let end = text[at..].find('\n').map_or(text.len(), |len| at + len);
    let (place, tool, help) = notation(text[start..end].trim_end(), at - start)?;
    Some((start + place.start..start + place.end, tool, help))
}

/// The first notation of a line that covers a place, with what to write in its stead.
fn notation(line: &str, at: usize) -> Option<(Range<usize>, &'static str, String)> {
    if line.len() > MOST_BYTES {
        return None;
    }
    let rows = NOTATIONS.iter().zip(PATTERNS.iter());
    // `1 + if a then b else c` is our own, though it can't be read without parentheses.
    let is_own = |needle: &str| needle == " if " && line.contains(" then ");
    let mut rows = rows.filter(|((needle, ..), _)| line.contains(needle) && !is_own(needle));
    rows.find_map(|((_, _, tool, help), pattern)| {
        let covers = |found: &Captures<'_>| {
            let whole = found.get(0).expect("a match has its text");
            whole.start() <= at && at <= whole.end()
        };
        let found = pattern.captures_iter(line).find(covers)?;
        let written = (1..found.len()).fold((*help).to_owned(), |text, group| {
            let part = found.get(group).map_or("", |part| part.as_str());
            text.replace(&format!("${group}"), part)
        });
        let whole = found.get(0).expect("a match has its text");
        let blanks = whole.as_str().len() - whole.as_str().trim_start().len();
        Some((whole.start() + blanks..whole.end(), *tool, written))
    })
}
