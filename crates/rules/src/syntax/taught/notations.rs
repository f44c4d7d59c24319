//! The notations and the functions of other tools, each with how the same is written here.

const ANYDICE: &str = "AnyDice";
const BOTS: &str = "dice rollers";
const ROLL20: &str = "Roll20";
const BOOKS: &str = "rulebooks";
const PLAIN: &str = "plain words";
const LANGUAGES: &str = "programming languages";
const FOUNDRY: &str = "Foundry";
const ICEPOOL: &str = "icepool";
const SHEETS: &str = "spreadsheets";

/// A notation: a text that every line with it has, its pattern, who writes so, and what to write here, in which `$1` is
/// the first group of the pattern.
pub(super) type Notation = (&'static str, &'static str, &'static str, &'static str);

/// Notations; of several that cover a place the first one is told.
pub(super) const NOTATIONS: &[Notation] = &[
    // Modifiers that are glued to dice.
    (
        "cs",
        r"(\d*)d(\d+)\s*cs\s*(?:(>=|<=|>|<)|==?)?\s*(\d+)\s*(?:df|cf|f)\s*(?:(>=|<=|>|<)|==?)?\s*(\d+)",
        BOTS,
        "write `$1d[match 1d$2 { $3$4: 1, $5$6: -1, else: 0 }]`: each die counts 1, takes 1 off or does neither",
    ),
    (
        "f",
        r"(\d*)d(\d+)\s*>=?\s*(\d+)\s*f\s*(?:(<=|<)|==?)?\s*(\d+)",
        ROLL20,
        "write `$1d[match 1d$2 { >=$3: 1, $4$5: -1, else: 0 }]`: there `>$3` counts the dice that show $3 or more, and `f` takes others off",
    ),
    (
        "cf",
        r"(\d*d\d+)cf\s*(>=|<=|>|<)\s*(\d+)",
        BOTS,
        "write `$1 cs$2$3` to count them; where `cf` only colours dice, write `$1`",
    ),
    (
        "cf",
        r"(\d*d\d+)cf\s*=?=?\s*(\d+)",
        BOTS,
        "write `$1 cs==$2` to count them; where `cf` only colours dice, write `$1`",
    ),
    (
        "ms",
        r"(\d*d\d+\S*?)\s*ms\s*<=?\s*(\d+)",
        FOUNDRY,
        "write `$2 - $1`: by how much the roll is below $2",
    ),
    (
        "ms",
        r"(\d*d\d+\S*?)\s*ms\s*(?:>=?|==?)?\s*(\d+)",
        FOUNDRY,
        "write `$1 - $2`: by how much the roll is above $2",
    ),
    (
        "even",
        r"(\d*)d(\d+)\s*(?:cs\s*)?even\b",
        FOUNDRY,
        "write `$1d[1 - mod(1d$2, 2)]`: every even die counts 1",
    ),
    (
        "odd",
        r"(\d*)d(\d+)\s*(?:cs\s*)?odd\b",
        FOUNDRY,
        "write `$1d[mod(1d$2, 2)]`: every odd die counts 1",
    ),
    (
        "dc",
        r"\b(\d+)dc\b",
        FOUNDRY,
        "write `$1d{0, 1}`: coins, of which every head counts 1",
    ),
    ("++", r"(\d*d\d+)\s*\+\+\s*(\d+)", BOTS, "write `$1 + $2`"),
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
        "!",
        r"(\d*d\d+)!(\d+)\b",
        ROLL20,
        "write `$1!==$2(4)`: dice that show $2 are rolled again and added, at most 4 times; `$1!($2)` does so with the highest face, at most $2 times",
    ),
    (
        "!!",
        r"(\d*d\d+)!!",
        ROLL20,
        "write `$1!(4)`, or `$1!` without an end: whatever an explosion adds goes to the same die here",
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
    // AnyDice and icepool.
    (
        "{1..",
        r"\{1\.\.(\d+)\}\s*@\s*(\d*d\d+)",
        ANYDICE,
        "write `$2kh$1`",
    ),
    (
        "}",
        r"\{(\d+)\.\.(\d+)\}\s*@\s*(\d*d\d+)",
        ANYDICE,
        "these are the dice in places $1 to $2, the highest first: drop what lies before and behind, as `4d6dh1` and `5d6dh1dl1` do",
    ),
    (
        "@",
        r"\b(\d*d\d+)\s*@\s*1?d(\d+)\b",
        ICEPOOL,
        "write `($1)d$2`: as many dice as `$1` shows, added up",
    ),
    (
        "@",
        r"\b(\d+)\s*@\s*1?d(\d+)\b",
        ICEPOOL,
        "write `$1d$2`: so many dice, added up; in AnyDice it is the die in place $1, and one die has a single place",
    ),
    (
        ".highest(",
        r"\b1?d(\d+)\.highest\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\)",
        ICEPOOL,
        "write `$2d$1kh$3`",
    ),
    (
        ".lowest(",
        r"\b1?d(\d+)\.lowest\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\)",
        ICEPOOL,
        "write `$2d$1kl$3`",
    ),
    (
        ".pool(",
        r"\b1?d(\d+)\.pool\(\s*(\d+)\s*\)",
        ICEPOOL,
        "write `$2d$1`",
    ),
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
        r"(\d*d\d+)\[\s*[A-Za-z][\w ]*\]",
        BOTS,
        "write `$1`: what a roll is called is the name of a `let` or a `show` in a file",
    ),
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
        "a number of a character is an axis, `axes.$1` of its check, and rules write `$1`; dice alone take the number",
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
        FOUNDRY,
        "a number of a character is an axis, `axes.$1` of its check, and rules write `$1`; dice alone take the number",
    ),
    (
        "?{",
        r"\?\{\s*([A-Za-z_]\w*)[^}]*\}",
        ROLL20,
        "what is asked at the table is an axis, `axes.$1` of its check, and rules write `$1`; dice alone take the number",
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
        "write `$1` alone, or `show result = $1` in rules; `oddsmith anydice FILE` answers whole programs",
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
        r"([^=\s]*d\d\S*)\s+vs\.?\s+(\S*d\d\S*)",
        BOOKS,
        "write `$1 >= $2` for how often the first is at least as high; `oddsmith contest` has two sides of a game, and says what ties do",
    ),
    (
        "vs",
        r"\bif\s+([^=]+?)\s+vs\.?\s+(?:[A-Z]+\s*)?(\d+)",
        BOOKS,
        "write `if $1 >= $2 then … else …`",
    ),
    (
        "vs",
        r"(?:^|\w\s*=)\s*(?:if\s+)?([^=]+?)\s+vs\.?\s+(?:[A-Z]+\s*)?(\d+)",
        BOOKS,
        "write `$1 >= $2`",
    ),
    (
        "dc",
        r"(?:^|\w\s*=)\s*([^=]+?)\s+(?:dc|DC)\s*(\d+)",
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
    (" plus ", r"(\S+)\s+plus\s+(\S+)", PLAIN, "write `$1 + $2`"),
    (
        " minus ",
        r"(\S+)\s+minus\s+(\S+)",
        PLAIN,
        "write `$1 - $2`",
    ),
    (
        " times ",
        r"(\S+)\s+times\s+(\S+)",
        PLAIN,
        "write `$1 * $2`",
    ),
    (
        " ",
        r"\b(?:chance|probability|odds|likelihood)\s+(?:of|that|for|to)\s+(?:an?\s+)?(\w+)",
        PLAIN,
        "write `P($1)`",
    ),
    // Spreadsheets.
    (
        "=",
        r"(?i)^\s*=\s*RANDBETWEEN\(\s*1\s*[,;]\s*(\d+)\s*\)\s*$",
        SHEETS,
        "write `d$1`",
    ),
    (
        "=",
        r"^\s*=[^=].*$",
        SHEETS,
        "write what is rolled, without cells and without `=` before it: `3d6` is the sum of three dice, `1d6 >= 4` whether one shows 4 or more, `if 1d6 >= 4 then 2 else 0` what it is worth",
    ),
    // Programming languages.
    (
        "(",
        r"\(([^()]*d\d[^()]*,[^()]*)\)\s*(k[hl]\d*)",
        LANGUAGES,
        "write `{$1}$2`",
    ),
    (
        " mod ",
        r"(\w+)\s+mod\s+(\w+)",
        LANGUAGES,
        "write `mod($1, $2)`",
    ),
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
        "write `set $1 = $1 $2 $3`: the rules of a file keep numbers, dice alone do not",
    ),
    (
        "++",
        r"([A-Za-z_]\w*)\+\+",
        LANGUAGES,
        "write `set $1 = $1 + 1`: the rules of a file keep numbers, dice alone do not",
    ),
    (
        "--",
        r"([A-Za-z_]\w*)--",
        LANGUAGES,
        "write `set $1 = $1 - 1`: the rules of a file keep numbers, dice alone do not",
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
        r"^\s*for(?:\s*\(|\s?each\b|\b[^{]*:\s*$).*$",
        LANGUAGES,
        "write `for i in 0..=2 { … }` for the places of a list, or `repeat 3 { … }` for so often",
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

/// Functions of other tools, and how the same is written here.
pub(super) const FUNCTIONS: &[(&[&str], &str)] = &[
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
    (&["if", "iif"], "write `if a >= b then x else y`"),
    (&["randbetween"], "a number from 1 to n is `1d(n)`"),
    (
        &["countif", "countifs"],
        "dice that show 5 or more are counted by `count(p, >= 5)`",
    ),
    (
        &["large", "small"],
        "the die in place k, the highest first, is `nth(p, k)`",
    ),
    (&["div", "idiv", "quotient"], "write `floor(a / b)`"),
    (&["modulo", "rem", "remainder"], "write `mod(a, b)`"),
    (&["unique", "different"], "write `distinct(pool)`"),
    (
        &["digits", "digit"],
        "the tens and the ones of a number are `floor(x / 10)` and `mod(x, 10)`",
    ),
    (
        &["face", "faces"],
        "the face of the largest set is `match_face(p)`, that of the second `match_face(p, 2)`",
    ),
    (
        &["unmatched", "cancel", "beyond"],
        "dice of one pool beyond those of another are folded: `fold face, a of 3d6, b of 2d6 with n = 0 { set n = n + max(a - b, 0) }`",
    ),
    (&["run", "runs", "sequence"], "write `straight(pool)`"),
    (
        &["random", "rand", "randint"],
        "a number from 1 to n is `1d(n)`",
    ),
];
