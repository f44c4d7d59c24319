//! The keys that a ruleset file may have: one list for the loader's errors and for the JSON Schema.

mod tables;

use toml::de::DeValue;

pub(crate) use tables::{
    ACCEPT, AXIS, CHART, CHECK, DIE, EXPECT, GOAL, GOALS_FILE, KEEP, PARAM, RESOURCE, ROOT, TRACK,
    TUNE,
};

/// A key of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) required: bool,
    pub(crate) kind: KeyKind,
    pub(crate) help: &'static str,
    /// What its texts are.
    pub(crate) holds: Holds,
}

/// What the texts of a key are: what is read in them, and what an editor offers there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Holds {
    /// Words for people, or no texts.
    #[default]
    Words,
    /// The statements of `rules`.
    Script,
    /// `(a, b) => …`
    Function,
    /// A condition on configurations.
    Requirement,
    /// An expression over what is shown.
    Measure,
    /// A question with one number as its answer.
    Query,
    /// `NAME=VALUE`
    Setting,
    /// `AXIS` or `AXIS=VALUES`, or a number that is shown.
    Range,
    /// `PARAMETER` or `PARAMETER=VALUES`
    Dial,
    /// The name of an axis.
    Axis,
    /// The name of a number that is shown.
    Number,
    /// `BAND=NUMBER, …`, or an expression over what is shown.
    Utility,
    /// The id of a finding.
    Finding,
    /// The name of a check or a track.
    Check,
    /// Labels, which are defined here.
    Labels,
    /// A range of numbers; or labels, which are defined here.
    Domain,
    /// Values of the domain beside it.
    Values,
}

impl Key {
    /// The same key with texts of a kind.
    const fn of(mut self, holds: Holds) -> Self {
        self.holds = holds;
        self
    }
}

/// What stands behind a key.
#[derive(Clone, Copy, Debug)]
pub(crate) enum KeyKind {
    /// A string.
    Text,
    /// One of these strings.
    OneOf(&'static [&'static str]),
    /// A list of strings.
    Texts,
    /// A string, or a list of strings.
    TextOrTexts,
    /// A list of labels, all different.
    Labels,
    /// `true` or `false`.
    Flag,
    /// A number with its digits, or a string such as `"55 %"` or `"11/20"`.
    Number,
    /// Two such numbers.
    Pair,
    /// Such a number, a list of them, or a list of such lists.
    Printed,
    /// A list of strings and of lists of strings.
    Options,
    /// A number or a label.
    Value,
    /// A number, a label, or a list of either.
    Values,
    /// `"low..=high"` or a list of labels.
    Domain,
    /// `"0,2,4"`, `"-5..=5"`, `"all"` or a list of labels or numbers.
    Sweep,
    /// A table whose keys are names and whose values are tables with these keys.
    Tables(&'static [Key]),
    /// A table with these keys.
    Table(&'static [Key]),
    /// A list of tables with these keys.
    List(&'static [Key]),
    /// A table whose keys are names and whose values are functions.
    Functions,
    /// A table whose keys are names and whose values are lists of labels.
    NamedLabels,
    /// A list of tables whose keys are symbols and whose values are whole numbers.
    Faces,
    /// A table whose keys are values, or names of a script, and whose values are what people read.
    ValueLabels,
}

const fn required(name: &'static str, kind: KeyKind, help: &'static str) -> Key {
    Key {
        name,
        required: true,
        kind,
        help,
        holds: Holds::Words,
    }
}

const fn optional(name: &'static str, kind: KeyKind, help: &'static str) -> Key {
    Key {
        name,
        required: false,
        kind,
        help,
        holds: Holds::Words,
    }
}

/// The tables that have a key of this name.
pub(crate) fn owners(name: &str) -> Vec<&'static str> {
    let tables = [
        ("a die", DIE),
        ("a parameter", PARAM),
        ("an axis", AXIS),
        ("a check", CHECK),
        ("a track", TRACK),
        ("a chart", CHART),
        ("an expectation", EXPECT),
        ("an acceptance", ACCEPT),
        ("a resource", RESOURCE),
        ("`[tune]`", TUNE),
        ("a goal", GOAL),
        ("what is kept", KEEP),
    ];
    let owns = |keys: &[Key]| keys.iter().any(|key| key.name == name);
    let owners = tables.into_iter().filter(|(_, keys)| owns(keys));
    owners.map(|(owner, _)| owner).collect()
}

/// What is to be written in place of a key that other tools have, or that belongs elsewhere, where `known` may stand.
pub(crate) fn elsewhere(name: &str, value: &DeValue<'_>, known: &[&str]) -> Option<String> {
    let text = value.as_str().unwrap_or("…");
    let is_of_input = |key: &&str| ["default", "domain", "sweep"].contains(key);
    let keys = value.as_table().into_iter().flatten();
    let mut keys = keys.map(|(key, _)| key.get_ref().as_ref());
    let (owner, help) = match name {
        "minimise" | "minimize" => (
            "maximise",
            format!(
                "the least of a number is the most of its opposite: write `maximise = \"-({text})\"`; of an event, `maximise = \"not ({text})\"`"
            ),
        ),
        "goals" => ("tune", "write `[[tune.goals]]`".to_owned()),
        "min" | "max" if known.contains(&"domain") => (
            "domain",
            "write the least and the greatest value as `domain = \"0..=5\"`".to_owned(),
        ),
        "min" | "minimum" => ("at_least", "write `at_least`".to_owned()),
        "max" | "maximum" => ("at_most", "write `at_most`".to_owned()),
        "equals" | "equal" | "is" => (
            "printed",
            "write `printed` for a number that is in print, or `between = [LOW, HIGH]`".to_owned(),
        ),
        _ if keys.any(|key| is_of_input(&key)) => {
            ("axes", format!("write `axes.{name} = {{ … }}`"))
        }
        _ => return None,
    };
    known.contains(&owner).then_some(help)
}

/// Whether a key may stand at the top of a ruleset.
pub(crate) fn is_of_file(name: &str) -> bool {
    ROOT.iter().any(|key| key.name == name)
}
