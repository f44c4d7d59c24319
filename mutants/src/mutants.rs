//! Rulesets with one token changed.

use std::collections::BTreeSet;
use std::ops::Range;

use oddsmith_rules::{Check, Domain, Model, OutcomeKind};

use crate::parts::{Holds, RulesetPart, parts};
use crate::tokens::{Kind, Token, WORDS, tokens};

/// A change of one token.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mutant {
    /// What is replaced, as a place in the file.
    pub start: usize,
    /// Where that ends.
    pub end: usize,
    /// What stands there instead.
    pub with: String,
    /// The kind of change.
    pub kind: &'static str,
    /// The part that it is in.
    pub key: String,
}

impl Mutant {
    /// The file with the change.
    #[must_use]
    pub fn apply(&self, file: &str) -> String {
        [&file[..self.start], &self.with, &file[self.end..]].concat()
    }

    /// The whole file with the change, which was found in its rules alone: the same lines, some of them left empty.
    #[must_use]
    pub fn apply_to_whole(&self, alone: &str, whole: &str) -> String {
        let place = |at: usize| {
            let line = alone[..at].matches('\n').count();
            let column = at - alone[..at].rfind('\n').map_or(0, |end| end + 1);
            let before: usize = whole.split_inclusive('\n').take(line).map(str::len).sum();
            before + column
        };
        let (start, end) = (place(self.start), place(self.end));
        [&whole[..start], &self.with, &whole[end..]].concat()
    }

    /// The number of the line.
    #[must_use]
    pub fn line(&self, file: &str) -> usize {
        file[..self.start].matches('\n').count() + 1
    }

    /// The lines that it changes, before and after, on one line each.
    #[must_use]
    pub fn lines(&self, file: &str) -> (String, String) {
        let begin = file[..self.start].rfind('\n').map_or(0, |at| at + 1);
        let end = file[self.end..]
            .find('\n')
            .map_or(file.len(), |at| at + self.end);
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let after = [&file[begin..self.start], &self.with, &file[self.end..end]].concat();
        (words(&file[begin..end]), words(&after))
    }
}

/// Every change of one token of a ruleset, each once, in the file's order. Some of them do not load.
#[must_use]
pub fn mutants(file: &str, model: &Model) -> Vec<Mutant> {
    let mut texts = BTreeSet::new();
    let mut found = Vec::new();
    for part in parts(file) {
        let mut changes = Changes {
            file,
            part: &part,
            found: Vec::new(),
        };
        match &part.holds {
            Holds::Script => changes.script(model),
            Holds::Number => changes.number(part.at.clone(), "default"),
            Holds::Label(labels) => changes.default_label(labels),
        }
        changes.found.sort();
        found.append(&mut changes.found);
    }
    found.retain(|mutant| mutant.with != file[mutant.start..mutant.end]);
    found.retain(|mutant| texts.insert((mutant.start, mutant.end, mutant.with.clone())));
    found
}

struct Changes<'f> {
    file: &'f str,
    part: &'f RulesetPart,
    found: Vec<Mutant>,
}

/// Words and symbols with what each is replaced by.
const NEIGHBOURS: [(&str, &[&str]); 22] = [
    ("<", &["<="]),
    ("<=", &["<", "=="]),
    ("==", &["<=", ">=", "!="]),
    ("!=", &["=="]),
    (">=", &[">", "=="]),
    (">", &[">="]),
    ("and", &["or"]),
    ("or", &["and"]),
    ("min", &["max"]),
    ("max", &["min"]),
    ("floor", &["ceil"]),
    ("ceil", &["floor"]),
    ("highest", &["lowest"]),
    ("lowest", &["highest"]),
    ("true", &["false"]),
    ("false", &["true"]),
    ("r", &["ro"]),
    ("ro", &["r"]),
    ("+", &["-"]),
    ("-", &["+"]),
    ("*", &["+"]),
    ("d%", &["d20"]),
];

/// The sizes of dice that are sold.
const LADDER: [i64; 7] = [4, 6, 8, 10, 12, 20, 100];

impl Changes<'_> {
    fn push(&mut self, at: Range<usize>, with: impl Into<String>, kind: &'static str) {
        self.found.push(Mutant {
            start: at.start,
            end: at.end,
            with: with.into(),
            kind,
            key: self.part.key.clone(),
        });
    }

    fn number(&mut self, at: Range<usize>, kind: &'static str) {
        let Ok(number) = self.file[at.clone()].parse::<i64>() else {
            return;
        };
        self.push(at.clone(), (number + 1).to_string(), kind);
        self.push(at, (number - 1).to_string(), kind);
    }

    fn default_label(&mut self, labels: &[String]) {
        let at = self.part.at.clone();
        for label in neighbours(labels, &self.file[at.clone()]) {
            self.push(at.clone(), label, "default");
        }
    }

    fn script(&mut self, model: &Model) {
        let tokens = tokens(self.file, self.part.at.clone());
        let mut scope = Scope::new(model, self.part, &tokens);
        for (at, token) in tokens.iter().enumerate() {
            let before = at.checked_sub(1).map(|at| &tokens[at]);
            match token.kind {
                Kind::Number => self.number(token.at.clone(), "number"),
                Kind::Die => self.die(token),
                Kind::Keep => self.keep(token),
                Kind::Label => self.label(token, &scope),
                Kind::Symbol | Kind::Word => {
                    self.neighbour(token, before);
                    self.dropped(&tokens, at);
                    if token.kind == Kind::Word {
                        self.name(token, before, &scope);
                    }
                }
            }
            scope.enter(token, before);
        }
    }

    fn die(&mut self, token: &Token<'_>) {
        let sides: i64 = token.text[1..].parse().unwrap_or(0);
        let place = LADDER.binary_search(&sides);
        let near = match place {
            Ok(place) => {
                let below = place.checked_sub(1).map(|place| LADDER[place]);
                [below, LADDER.get(place + 1).copied()]
            }
            Err(_) => [Some(sides - 1), Some(sides + 1)],
        };
        for sides in near.into_iter().flatten() {
            self.push(token.at.clone(), format!("d{sides}"), "die");
        }
    }

    fn keep(&mut self, token: &Token<'_>) {
        let (word, digits) = token.text.split_at(2);
        let other = match word {
            "kh" => "kl",
            "kl" => "kh",
            "dh" => "dl",
            _ => "dh",
        };
        self.push(token.at.clone(), format!("{other}{digits}"), "keep");
        if let Ok(number) = digits.parse::<i64>() {
            for number in [number + 1, number - 1] {
                self.push(token.at.clone(), format!("{word}{number}"), "number");
            }
        }
    }

    fn neighbour(&mut self, token: &Token<'_>, before: Option<&Token<'_>>) {
        let follows_value = before.is_some_and(Token::ends_value);
        if token.is("-") && !follows_value {
            return self.push(token.at.clone(), "", "sign");
        }
        if token.is("not") {
            return self.push(token.at.clone(), "", "not");
        }
        let neighbours = NEIGHBOURS.iter().find(|(word, _)| token.is(word));
        for with in neighbours.into_iter().flat_map(|(_, with)| *with) {
            self.push(token.at.clone(), *with, "operator");
        }
    }

    fn label(&mut self, token: &Token<'_>, scope: &Scope<'_>) {
        let inner = token.text.trim_matches('"');
        for label in scope.near_labels(inner) {
            self.push(token.at.clone(), format!("\"{label}\""), "label");
        }
    }

    fn name(&mut self, token: &Token<'_>, before: Option<&Token<'_>>, scope: &Scope<'_>) {
        let is_bound = ["let", "show", "choose"];
        if WORDS.contains(&token.text) || before.is_some_and(|b| is_bound.contains(&b.text)) {
            return;
        }
        if before.is_some_and(|before| before.is(".")) {
            for name in scope.near_outcomes(token.text) {
                self.push(token.at.clone(), name, "name");
            }
            return;
        }
        for name in scope.near_names(token.text) {
            self.push(token.at.clone(), name, "name");
        }
        if scope.knows(token.text) {
            return;
        }
        for label in scope.near_labels(token.text) {
            let is_plain = label.chars().all(|c| c.is_alphanumeric() || c == '_')
                && !label.starts_with(|c: char| c.is_ascii_digit());
            let label = if is_plain {
                label
            } else {
                format!("\"{label}\"")
            };
            self.push(token.at.clone(), label, "label");
        }
    }

    /// Drops either operand of an operator with the operator.
    fn dropped(&mut self, tokens: &[Token<'_>], at: usize) {
        let token = &tokens[at];
        let follows_value = at > 0 && tokens[at - 1].ends_value();
        let Some(level) = level(token).filter(|level| *level != COMPARISON && follows_value) else {
            return;
        };
        let right = operand(tokens[at + 1..].iter(), level, true);
        let left = operand(tokens[..at].iter().rev(), level, false);
        if right > 0 {
            let end = tokens[at + right].at.end;
            self.push(token.at.start..end, "", "operand dropped");
        }
        if left > 0 {
            let start = tokens[at - left].at.start;
            self.push(start..token.at.end, "", "operand dropped");
        }
    }
}

const COMPARISON: u8 = 2;

/// How loosely an operator binds; none for what is no operator.
fn level(token: &Token<'_>) -> Option<u8> {
    Some(match token.text {
        "or" => 4,
        "and" => 3,
        "==" | "!=" | "<" | "<=" | ">" | ">=" => COMPARISON,
        "+" | "-" => 1,
        "*" => 0,
        _ => return None,
    })
}

/// How many tokens belong to an operand that an operator of this level has on one side.
fn operand<'t>(tokens: impl Iterator<Item = &'t Token<'t>>, of: u8, is_right: bool) -> usize {
    let ends = [
        "let", "show", "set", "choose", "repeat", "for", "until", "where", "in", "then", "else",
        "if", ",", ":", "=", "=>", "..=", "..",
    ];
    let (mut depth, mut length, mut has_match) = (0_usize, 0, false);
    for token in tokens {
        let opens = matches!(token.text, "(" | "[" | "{" | "d(" | "d[" | "d{");
        let closes = matches!(token.text, ")" | "]" | "}");
        let (inward, outward) = if is_right {
            (opens, closes)
        } else {
            (closes, opens)
        };
        if depth == 0 {
            let is_block = token.is("{") && is_right && length > 0 && !has_match;
            let binds_looser =
                level(token).is_some_and(|level| level > of || (!is_right && level == of));
            let same = is_right && level(token) == Some(of);
            // The first token of a right operand may be a sign.
            let is_sign = is_right && length == 0 && token.is("-");
            let stops =
                ends.contains(&token.text) || (outward && !token.text.starts_with('d')) || is_block;
            if stops || ((binds_looser || same) && !is_sign) {
                break;
            }
        }
        has_match |= token.is("match");
        depth += usize::from(inward);
        depth = depth.saturating_sub(usize::from(outward));
        length += 1;
    }
    length
}

/// The items before and after one of a list.
fn neighbours(list: &[String], of: &str) -> Vec<String> {
    let Some(at) = list.iter().position(|item| item == of) else {
        return Vec::new();
    };
    let below = at.checked_sub(1).map(|at| list[at].clone());
    below.into_iter().chain(list.get(at + 1).cloned()).collect()
}

/// What may stand in place of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Sort {
    Number,
    List,
    Labels,
    Local,
}

/// The names that are known at a place of a script.
struct Scope<'m> {
    model: &'m Model,
    /// Inputs in the order of their declaration, then what the script binds.
    names: Vec<(String, Sort)>,
    labels: Vec<Vec<String>>,
}

impl<'m> Scope<'m> {
    fn new(model: &'m Model, part: &RulesetPart, tokens: &[Token<'_>]) -> Self {
        let checks = || model.checks.iter().chain(&model.tracks);
        let own = checks().find(|check| Some(&check.name) == part.check.as_ref());
        let inputs = own.map_or(&model.params[..], |check| &check.inputs);
        let mut scope = Self {
            model,
            names: Vec::new(),
            labels: Vec::new(),
        };
        for input in inputs {
            let (name, sort) = match (input.name.split_once('['), &input.domain) {
                (Some((name, _)), _) => (name, Sort::List),
                (None, Domain::Range(..)) => (input.name.as_str(), Sort::Number),
                (None, Domain::Choice(_)) => (input.name.as_str(), Sort::Labels),
            };
            if !scope.knows(name) {
                scope.names.push((name.to_owned(), sort));
            }
            if let Domain::Choice(choice) = &input.domain {
                scope.labels.push(choice.labels().to_vec());
            }
        }
        for check in checks() {
            for outcome in &check.outcomes {
                if let OutcomeKind::Band(labels) | OutcomeKind::Label(labels) = &outcome.kind {
                    scope.labels.push(labels.labels().to_vec());
                }
            }
            let choices = check.inputs.iter().filter_map(|input| match &input.domain {
                Domain::Choice(choice) => Some(choice.labels().to_vec()),
                Domain::Range(..) => None,
            });
            scope.labels.extend(choices);
        }
        scope.labels.sort();
        scope.labels.dedup();
        scope.arguments(tokens);
        if part.check.is_some() && !part.key.ends_with(".rules") {
            scope.outcomes(own);
        }
        scope
    }

    /// The arguments of a function, `(a, b) => …`.
    fn arguments(&mut self, tokens: &[Token<'_>]) {
        let Some(arrow) = tokens.iter().position(|token| token.is("=>")) else {
            return;
        };
        for token in tokens[..arrow]
            .iter()
            .filter(|token| token.kind == Kind::Word)
        {
            self.names.push((token.text.to_owned(), Sort::Local));
        }
    }

    /// What a contest or a goal may read.
    fn outcomes(&mut self, check: Option<&Check>) {
        for outcome in check.into_iter().flat_map(|check| &check.outcomes) {
            self.names.push((outcome.name.clone(), Sort::Local));
        }
    }

    fn enter(&mut self, token: &Token<'_>, before: Option<&Token<'_>>) {
        let binds = before.is_some_and(|b| ["let", "show", "choose"].contains(&b.text));
        if binds && !self.knows(token.text) {
            self.names.push((token.text.to_owned(), Sort::Local));
        }
    }

    fn knows(&self, name: &str) -> bool {
        self.names.iter().any(|(known, _)| known == name)
    }

    /// Two other names of the same sort, and for a number the last that was bound.
    fn near_names(&self, name: &str) -> Vec<String> {
        let Some((_, sort)) = self.names.iter().find(|(known, _)| known == name) else {
            return Vec::new();
        };
        let of = |sort: Sort| {
            let names = self.names.iter().filter(move |(_, is)| *is == sort);
            names.map(|(name, _)| name.clone()).collect::<Vec<_>>()
        };
        let same = of(*sort);
        let at = same
            .iter()
            .position(|known| known == name)
            .expect("it is of its sort");
        let others = [at + 1, at + same.len() - 1].map(|at| same[at % same.len()].clone());
        let mut near: BTreeSet<String> = BTreeSet::from(others);
        if *sort == Sort::Number {
            near.extend(of(Sort::Local).pop());
        }
        near.remove(name);
        near.into_iter().collect()
    }

    /// The labels beside this one in every list that has it.
    fn near_labels(&self, label: &str) -> BTreeSet<String> {
        let lists = self.labels.iter();
        lists.flat_map(|labels| neighbours(labels, label)).collect()
    }

    /// What a check shows beside this.
    fn near_outcomes(&self, name: &str) -> BTreeSet<String> {
        let mut near = BTreeSet::new();
        for check in self.model.checks.iter().chain(&self.model.tracks) {
            let is_number =
                |kind: &OutcomeKind| matches!(kind, OutcomeKind::Observable | OutcomeKind::Flag);
            let names = check
                .outcomes
                .iter()
                .filter(|outcome| is_number(&outcome.kind));
            let names: Vec<String> = names.map(|outcome| outcome.name.clone()).collect();
            near.extend(neighbours(&names, name));
        }
        near
    }
}
