//! Every kind of declared name with names that scripts could read as something else: the file is refused at that
//! name, or the name means in a script what was declared.

use oddsmith_exact::{Budget, RBig, answers};
use oddsmith_rules::load;

/// What may be read as dice, as words of the language, as built-in functions, or not at all.
const HOSTILE: [&str; 53] = [
    "d6",
    "d20",
    "d0",
    "d007",
    "d6_bonus",
    "d6x",
    "d99999999999999999999",
    "dF",
    "dF2",
    "dF_",
    "dFoo",
    "d",
    "dd",
    "d_",
    "d_6",
    "D6",
    "DF",
    "dx",
    "d6d6",
    "nd6",
    "kh",
    "kh3",
    "kl",
    "dh",
    "dl",
    "dl1",
    "r",
    "ro",
    "r2",
    "cs",
    "cs5",
    "let",
    "in",
    "where",
    "true",
    "not",
    "and",
    "floor",
    "sum",
    "map",
    "subsets",
    "draw",
    "P",
    "mean",
    "band",
    "rolls",
    "_",
    "__",
    "6d",
    "1st",
    "é",
    "a b",
    "x-y",
];

const LABELS: [&str; 8] = ["d6", "d20", "d0", "d007", "dF", "d6x", "d6_bonus", "dF2"];

/// A ruleset that declares `NAME`, of which a query is 41 if the name means what was declared.
struct Kind {
    what: &'static str,
    text: &'static str,
    query: &'static str,
}

impl Kind {
    /// Labels may be anything in quotes; bare ones are tried that are written like dice.
    fn is_label(&self) -> bool {
        self.text.contains("\"NAME\"")
    }

    fn names(&self) -> &'static [&'static str] {
        if self.is_label() { &LABELS } else { &HOSTILE }
    }
}

const KINDS: [Kind; 20] = [
    Kind {
        what: "an axis",
        text: r#"[checks.main]
axes.NAME = { default = 4, domain = "0..=9" }
rules = "show out = 10 * NAME + size((NAME)d1) - size(NAME d1) + [7, 7, 7, 7, 1][NAME]""#,
        query: "mean(out)",
    },
    Kind {
        what: "a list of labels as an axis",
        text: r#"[checks.main]
axes.NAME = { default = "b", domain = ["a", "b"] }
rules = "show out = match NAME { a: 1, b: 41 }""#,
        query: "mean(out)",
    },
    Kind {
        what: "an axis that a call names",
        text: r#"[checks.inner]
axes.NAME = { default = 4, domain = "0..=9" }
rules = "show low = 10 * NAME"
[checks.main]
inherit = ["inner"]
rules = "show out = inner(NAME = 3).low + inner(..).low - 29""#,
        query: "mean(out)",
    },
    Kind {
        what: "a parameter",
        text: r#"[params]
NAME = { default = 4, domain = "0..=9" }
[checks.main]
rules = "show out = 10 * NAME + size(NAME d1) - 3""#,
        query: "mean(out)",
    },
    Kind {
        what: "a list as a parameter",
        text: r#"[params]
NAME = { default = [4, 41], domain = "0..=99" }
[checks.main]
rules = "show out = NAME[1]""#,
        query: "mean(out)",
    },
    Kind {
        what: "a function",
        text: r#"[functions]
NAME = "(n) => 10 * n + 1"
[checks.main]
rules = "show out = NAME(4)""#,
        query: "mean(out)",
    },
    Kind {
        what: "a function for every face",
        text: r#"[functions]
NAME = "(n) => 40 + n"
[checks.main]
rules = "show out = map(1d1, NAME)""#,
        query: "mean(out)",
    },
    Kind {
        what: "a function's parameter",
        text: r#"[functions]
f = "(NAME) => 10 * NAME + 1"
[checks.main]
rules = "show out = f(4)""#,
        query: "mean(out)",
    },
    Kind {
        what: "a list that a function is given",
        text: r#"[functions]
f = "(NAME) => NAME[1]"
[checks.main]
rules = "show out = f([1, 41])""#,
        query: "mean(out)",
    },
    Kind {
        what: "a check",
        text: r#"[checks.NAME]
axes.n = { default = 1, domain = "0..=9" }
rules = "show low = 10 * n + 1"
[checks.main]
rules = "show out = NAME(n = 4).low""#,
        query: "mean(out)",
    },
    Kind {
        what: "a track",
        text: r#"[tracks.NAME]
rules = '''
let n = 0
repeat until n == 4 { set n = n + 1 }
show out = 10 * n + 1
'''
[checks.main]
rules = "show out = 1""#,
        query: "mean(out)",
    },
    Kind {
        what: "a value",
        text: r#"[checks.main]
rules = '''
let NAME = 3
repeat 1 { set NAME = NAME + 1 }
show out = 10 * NAME + 1
'''"#,
        query: "mean(out)",
    },
    Kind {
        what: "a list as a value",
        text: r#"[checks.main]
rules = "let NAME = [1, 41] show out = NAME[1]""#,
        query: "mean(out)",
    },
    Kind {
        what: "a pool",
        text: r#"[checks.main]
rules = "let NAME = {4, 1} show out = 9 * highest(NAME) + sum(NAME kh 1) + size(NAME) - 1""#,
        query: "mean(out)",
    },
    Kind {
        what: "an outcome",
        text: r#"[checks.main]
rules = "show NAME = 41""#,
        query: "mean(NAME)",
    },
    Kind {
        what: "what is read of a check",
        text: r#"[checks.inner]
rules = "show NAME = 4"
[checks.main]
rules = "let c = inner(..) show out = 10 * c.NAME + 1""#,
        query: "mean(out)",
    },
    Kind {
        what: "a choice",
        text: r#"[checks.main]
maximise = "out"
rules = "choose NAME in 1..=4 show out = 10 * NAME + 1""#,
        query: "mean(out)",
    },
    Kind {
        what: "a band",
        text: r#"[checks.main]
bands = ["NAME", "other"]
rules = "show band = if 1d1 == 1 then NAME else other show out = match band { NAME: 41, other: 1 }""#,
        query: "mean(out)",
    },
    Kind {
        what: "a label as a pattern",
        text: r#"[checks.main]
axes.who = { default = "NAME", domain = ["NAME", "other"] }
rules = "show out = match who { NAME: 41, other: 1 }""#,
        query: "mean(out)",
    },
    Kind {
        what: "a label that is compared",
        text: r#"[checks.main]
axes.who = { default = "NAME", domain = ["NAME", "other"] }
rules = "show out = if who == NAME then 41 else 1""#,
        query: "mean(out)",
    },
];

/// What is wrong with a kind of name and a name; none if it is refused in words, or right.
fn complaint(kind: &Kind, name: &str) -> Option<String> {
    let key = if name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !name.is_empty() {
        name.to_owned()
    } else {
        format!("\"{name}\"")
    };
    // In scripts the bare name, as keys of TOML the quoted one.
    let text: String = kind
        .text
        .replace("[checks.NAME]", &format!("[checks.{key}]"))
        .replace("[tracks.NAME]", &format!("[tracks.{key}]"))
        .replace("axes.NAME", &format!("axes.{key}"))
        .replace("\nNAME =", &format!("\n{key} ="))
        .replace("NAME", name);
    let text = format!("name = \"Names\"\n{text}\n");
    let model = match load("names.toml", text.as_bytes()) {
        Ok(model) => model,
        Err(errors) => {
            // The name is declared where it stands first.
            let before = kind.text.find("NAME").expect("every kind has a name");
            let declared = "name = \"Names\"\n".len() + before;
            let span = errors.0[0].span;
            let place = match (span.start..span.end).contains(&declared) {
                true => 0,
                false => span.start.abs_diff(declared),
            };
            let said = errors.render(false);
            let wrong = unclear(kind.is_label(), name, place, &said);
            return wrong.map(|why| format!("{why}:\n{said}"));
        }
    };
    let track = model.track(name).filter(|_| kind.what == "a track");
    let check = track.or(model.check("main")).expect("it is there");
    let query = match check.query(&kind.query.replace("NAME", name), "query") {
        Ok(query) => query,
        Err(errors) => return Some(errors.to_string()),
    };
    let found = answers(check, &check.defaults(), &[query], &Budget::unlimited());
    match found {
        Ok(found) if found[0].to_ratio() == Some(RBig::from(41)) => None,
        Ok(found) => Some(format!("it is {:?}", found[0].to_ratio())),
        Err(error) => Some(error.to_string()),
    }
}

/// Why errors do not say that the name is the matter, and what to do.
fn unclear(is_label: bool, name: &str, place: usize, said: &str) -> Option<&'static str> {
    let is_like_dice = name == "dF"
        || name
            .strip_prefix('d')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    if is_label {
        let quoted = format!("`\"{name}\"`");
        return (!said.contains(&quoted)).then_some("quotes are not offered");
    }
    if is_like_dice && !(said.contains("begins a die") && said.contains(&format!("`n_{name}`"))) {
        return Some("nothing is said of dice, or no other name is given");
    }
    // A list may be called `d` until an item of it is read.
    if said.contains("and `d` is a list here") {
        return None;
    }
    (place > name.len() + 1).then_some("the first error is elsewhere")
}

#[test]
fn names_mean_what_is_declared_or_are_refused() {
    let mut complaints = Vec::new();
    for kind in &KINDS {
        for name in kind.names() {
            let wrong = complaint(kind, name);
            complaints.extend(wrong.map(|wrong| format!("{} `{name}`: {wrong}", kind.what)));
        }
    }
    assert!(
        complaints.is_empty(),
        "{} complaints\n{}",
        complaints.len(),
        complaints.join("\n")
    );
}
