//! The keys that a ruleset file may have: one list for the loader's errors and for the JSON Schema.

/// A key of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) required: bool,
    pub(crate) kind: KeyKind,
    pub(crate) help: &'static str,
}

/// What stands behind a key.
#[derive(Clone, Copy, Debug)]
pub(crate) enum KeyKind {
    /// A string.
    Text,
    /// A list of strings.
    Texts,
    /// A list of labels, all different.
    Labels,
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
    /// A table whose keys are names and whose values are functions.
    Functions,
}

const fn required(name: &'static str, kind: KeyKind, help: &'static str) -> Key {
    Key {
        name,
        required: true,
        kind,
        help,
    }
}

const fn optional(name: &'static str, kind: KeyKind, help: &'static str) -> Key {
    Key {
        name,
        required: false,
        kind,
        help,
    }
}

/// The file.
pub(crate) const ROOT: &[Key] = &[
    required("name", KeyKind::Text, "The game's name."),
    optional("help", KeyKind::Text, "One line about the game."),
    optional(
        "require",
        KeyKind::Texts,
        "Conditions that the parameters must meet.",
    ),
    optional(
        "params",
        KeyKind::Tables(PARAM),
        "Constants of the design: what a designer tunes.",
    ),
    optional(
        "functions",
        KeyKind::Functions,
        "Named expressions: name = \"(a, b) => expression\".",
    ),
    required(
        "checks",
        KeyKind::Tables(CHECK),
        "The procedures at the table; the first is the default.",
    ),
];

/// `[params]` `x = { … }`
pub(crate) const PARAM: &[Key] = &[
    required(
        "default",
        KeyKind::Values,
        "Its value; a list makes a table of values.",
    ),
    required("domain", KeyKind::Domain, DOMAIN_HELP),
    optional("help", KeyKind::Text, "One line about it."),
];

/// `[checks.NAME]`
pub(crate) const CHECK: &[Key] = &[
    optional("help", KeyKind::Text, "One line about the check."),
    optional(
        "inherit",
        KeyKind::Texts,
        "Checks whose axes are axes here too.",
    ),
    optional(
        "bands",
        KeyKind::Labels,
        "The labels of `show band`, worst first.",
    ),
    optional(
        "axes",
        KeyKind::Tables(AXIS),
        "What differs from roll to roll.",
    ),
    optional(
        "require",
        KeyKind::Texts,
        "Conditions that a legal configuration meets.",
    ),
    required(
        "rules",
        KeyKind::Text,
        "The script: what happens at the table, top to bottom.",
    ),
];

/// `axes.x = { … }`
pub(crate) const AXIS: &[Key] = &[
    required(
        "default",
        KeyKind::Value,
        "Its value where nothing is said.",
    ),
    required("domain", KeyKind::Domain, DOMAIN_HELP),
    optional(
        "sweep",
        KeyKind::Sweep,
        "What `--sweep all` runs over; without it the axis stays at its default.",
    ),
    optional("help", KeyKind::Text, "One line about it."),
];

const DOMAIN_HELP: &str = "Its legal values: \"low..=high\" or a list of labels.";
