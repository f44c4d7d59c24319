//! What of a ruleset may be changed: scripts, functions, defaults, requirements, contests and goals. Helps, charts,
//! expectations, acceptances and sweeps are not among it.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A part of a ruleset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesetPart {
    /// Its key: `checks.check.rules`, `functions.graded`, `params.cap.default`.
    pub key: String,
    /// The check or track that it belongs to.
    pub check: Option<String>,
    /// Its place in the file, without quotes.
    pub at: Range<usize>,
    /// What stands there.
    pub holds: Holds,
}

/// What a part holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Holds {
    /// A script or an expression.
    Script,
    /// A whole number.
    Number,
    /// One of these labels, between quotes.
    Label(Vec<String>),
}

/// The parts of a ruleset in the file's order.
///
/// # Panics
/// If the file is not TOML; it has been loaded as a ruleset.
#[must_use]
pub fn parts(file: &str) -> Vec<RulesetPart> {
    let root = DeTable::parse(file).expect("a ruleset is TOML");
    let mut finder = Finder {
        file,
        parts: Vec::new(),
    };
    finder.root(root.get_ref());
    finder.parts.sort_by_key(|part| part.at.start);
    finder.parts
}

/// What a sentence of a ruleset would be without odds: the file with nothing but blanks in place of its charts,
/// expectations and acceptances, and of what is spent or tuned. All else stays at its place.
#[must_use]
pub fn rules_alone(file: &str) -> String {
    let heads = ["[[charts", "[[expect", "[[accept", "[tune", "[resources"];
    let mut is_left_out = false;
    let mut text = String::with_capacity(file.len());
    for line in file.split_inclusive('\n') {
        if line.starts_with('[') {
            is_left_out = heads.iter().any(|head| line.starts_with(head));
        }
        match is_left_out {
            true => text.extend(line.ends_with('\n').then_some('\n')),
            false => text.push_str(line),
        }
    }
    text
}

struct Finder<'t> {
    file: &'t str,
    parts: Vec<RulesetPart>,
}

impl Finder<'_> {
    fn root(&mut self, root: &DeTable<'_>) {
        self.list(root.get("require"), "require", None);
        for (name, value) in table(root.get("functions")) {
            self.script(Some(value), &format!("functions.{name}"), None);
        }
        self.inputs(root.get("params"), "params", None);
        for kind in ["checks", "tracks"] {
            for (name, value) in table(root.get(kind)) {
                let (key, check) = (format!("{kind}.{name}"), Some(name));
                let get = |entry: &str| value.get_ref().as_table()?.get(entry);
                self.list(get("require"), &format!("{key}.require"), check);
                self.inputs(get("axes"), &format!("{key}.axes"), check);
                for entry in ["contest", "maximise", "rules"] {
                    self.script(get(entry), &format!("{key}.{entry}"), check);
                }
                let ties = ["reroll", "both", "defender"].map(str::to_owned);
                let key = format!("{key}.ties");
                self.value(get("ties"), &key, check, &Holds::Label(ties.to_vec()));
            }
        }
    }

    fn list(&mut self, value: Option<&Spanned<DeValue<'_>>>, key: &str, check: Option<&str>) {
        let items = value.and_then(|value| value.get_ref().as_array());
        for item in items.into_iter().flat_map(|items| items.iter()) {
            self.script(Some(item), key, check);
        }
    }

    fn script(&mut self, value: Option<&Spanned<DeValue<'_>>>, key: &str, check: Option<&str>) {
        self.value(value, key, check, &Holds::Script);
    }

    fn inputs(&mut self, inputs: Option<&Spanned<DeValue<'_>>>, key: &str, check: Option<&str>) {
        for (name, input) in table(inputs) {
            let input = input.get_ref().as_table().expect("an input is a table");
            let labels = input
                .get("domain")
                .and_then(|domain| domain.get_ref().as_array());
            let labels = labels.map(|labels| {
                let labels = labels.iter().filter_map(|label| label.get_ref().as_str());
                Holds::Label(labels.map(str::to_owned).collect())
            });
            let holds = labels.unwrap_or(Holds::Number);
            let key = format!("{key}.{name}.default");
            let default = input.get("default");
            match default.and_then(|default| default.get_ref().as_array()) {
                None => self.value(default, &key, check, &holds),
                Some(items) => {
                    for item in items {
                        self.value(Some(item), &key, check, &holds);
                    }
                }
            }
        }
    }

    fn value(
        &mut self,
        value: Option<&Spanned<DeValue<'_>>>,
        key: &str,
        check: Option<&str>,
        holds: &Holds,
    ) {
        let Some(value) = value else { return };
        let mut at = value.span();
        if value.get_ref().as_str().is_some() {
            let text = &self.file[at.clone()];
            let quotes = ["\"\"\"", "'''"]
                .iter()
                .any(|quotes| text.starts_with(quotes));
            let quotes = if quotes { 3 } else { 1 };
            at = at.start + quotes..at.end - quotes;
        }
        self.parts.push(RulesetPart {
            key: key.to_owned(),
            check: check.map(str::to_owned),
            at,
            holds: holds.clone(),
        });
    }
}

/// The entries of a table, none if it is missing.
fn table<'t>(
    value: Option<&'t Spanned<DeValue<'_>>>,
) -> impl Iterator<Item = (&'t str, &'t Spanned<DeValue<'t>>)> {
    let table = value.and_then(|value| value.get_ref().as_table());
    let entries = table.into_iter().flat_map(|table| table.iter());
    entries.map(|(key, value)| (key.get_ref().as_ref(), value))
}
