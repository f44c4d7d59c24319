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

/// The tables that have a key of this name.
pub(crate) fn owners(name: &str) -> Vec<&'static str> {
    let tables = [
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
    optional(
        "checks",
        KeyKind::Tables(CHECK),
        "The procedures at the table; the first is the default.",
    ),
    optional(
        "tracks",
        KeyKind::Tables(TRACK),
        "What is repeated until a counter or a clock is full.",
    ),
    optional(
        "charts",
        KeyKind::List(CHART),
        "The pictures that show the game's odds, in their order.",
    ),
    optional(
        "expect",
        KeyKind::List(EXPECT),
        "What the game's odds are meant to be; `oddsmith check` says where they are not.",
    ),
    optional(
        "accept",
        KeyKind::List(ACCEPT),
        "Findings of `oddsmith balance lint` that are meant to be.",
    ),
    optional(
        "resources",
        KeyKind::Tables(RESOURCE),
        "Points that players have, and spend on checks; `oddsmith balance plan` says when.",
    ),
    TUNE_KEY,
];

const TUNE_KEY: Key = optional(
    "tune",
    KeyKind::Table(TUNE),
    "What may change, and what the odds are to become: `oddsmith tune` finds it.",
);

/// A file that has only goals for a ruleset.
pub(crate) const GOALS_FILE: &[Key] = &[TUNE_KEY];

/// `[params]` `x = { … }`
pub(crate) const PARAM: &[Key] = &[
    required(
        "default",
        KeyKind::Values,
        "Its value; a list makes a table of values.",
    ),
    required("domain", KeyKind::Domain, DOMAIN_HELP),
    optional("help", KeyKind::Text, "One line about it."),
    optional(
        "reading",
        KeyKind::Text,
        "Which text of the game is open, and what the default takes it to mean.",
    ),
];

/// `[checks.NAME]`
pub(crate) const CHECK: &[Key] = &[
    optional("help", KeyKind::Text, "One line about the check."),
    INHERIT,
    optional(
        "bands",
        KeyKind::Labels,
        "The labels of `show band`, worst first.",
    ),
    AXES,
    REQUIRE,
    optional(
        "contest",
        KeyKind::Text,
        "What two sides compare, over what is shown: the higher one wins.",
    ),
    optional(
        "ties",
        KeyKind::OneOf(&["reroll", "both", "defender"]),
        "What a tie in a contest means: both roll again (the default), both have won, or the second side has.",
    ),
    optional(
        "maximise",
        KeyKind::Text,
        "What every `choose` strives for, over what is shown: a number, or a condition that counts 1.",
    ),
    RULES,
];

/// `[tracks.NAME]`
pub(crate) const TRACK: &[Key] = &[
    optional("help", KeyKind::Text, "One line about the track."),
    INHERIT,
    optional(
        "bands",
        KeyKind::Labels,
        "The labels of `show band`, such as the counter that is full first; worst first.",
    ),
    AXES,
    REQUIRE,
    RULES,
];

const INHERIT: Key = optional(
    "inherit",
    KeyKind::Texts,
    "Checks or tracks whose axes are axes here too.",
);

const AXES: Key = optional(
    "axes",
    KeyKind::Tables(AXIS),
    "What differs from roll to roll.",
);

const REQUIRE: Key = optional(
    "require",
    KeyKind::Texts,
    "Conditions that a legal configuration meets.",
);

const RULES: Key = required(
    "rules",
    KeyKind::Text,
    "The script: what happens at the table, top to bottom.",
);

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

/// `[[charts]]`
pub(crate) const CHART: &[Key] = &[
    optional(
        "check",
        KeyKind::Text,
        "The check or the track whose odds it shows; the first one, if nothing is said.",
    ),
    optional(
        "title",
        KeyKind::Text,
        "What it is called: the question that it answers.",
    ),
    optional(
        "kind",
        KeyKind::OneOf(&["bands", "lines", "heatmap", "dist"]),
        "Bands or lines along an axis, a query over two axes, or all outcomes of a number; or what fits the rest.",
    ),
    optional(
        "x",
        KeyKind::Text,
        "What lies along its lower edge: AXIS, AXIS=VALUES, or the name of a number that is shown.",
    ),
    optional(
        "by",
        KeyKind::Text,
        "AXIS or AXIS=VALUES: a line or a row of a heat map for each value; else a column of panels.",
    ),
    optional(
        "facet",
        KeyKind::Text,
        "AXIS or AXIS=VALUES: a row of panels for each value.",
    ),
    optional(
        "query",
        KeyKind::TextOrTexts,
        "What lines and heat maps draw, such as \"P(total >= 15)\". Without it, what fits the check.",
    ),
    optional(
        "set",
        KeyKind::TextOrTexts,
        "name=value of other axes and parameters.",
    ),
];

/// `[[expect]]`
pub(crate) const EXPECT: &[Key] = &[
    required(
        "intent",
        KeyKind::Text,
        "The intention in a sentence, for whoever breaks it.",
    ),
    optional(
        "check",
        KeyKind::Text,
        "The check or the track that it is about; the first one, if nothing is said.",
    ),
    optional(
        "set",
        KeyKind::TextOrTexts,
        "name=value of axes and parameters.",
    ),
    optional(
        "sweep",
        KeyKind::TextOrTexts,
        "AXIS or AXIS=VALUES: it is meant in every combination; \"all\" is every axis with a `sweep`.",
    ),
    optional(
        "query",
        KeyKind::TextOrTexts,
        "What it is about, such as \"P(band >= Hit)\"; with several, each of them.",
    ),
    optional(
        "sum",
        KeyKind::TextOrTexts,
        "Queries whose sum it is about.",
    ),
    optional(
        "reachable",
        KeyKind::TextOrTexts,
        "Bands, flags or other events that can happen.",
    ),
    optional(
        "somewhere",
        KeyKind::Flag,
        "true: what is `reachable` can happen in one configuration at least, not in all of them.",
    ),
    optional(
        "unreachable",
        KeyKind::TextOrTexts,
        "Bands, flags or other events that never happen.",
    ),
    optional("at_least", KeyKind::Number, "The least that is right."),
    optional("at_most", KeyKind::Number, "The most that is right."),
    optional(
        "between",
        KeyKind::Pair,
        "The least and the most that are right.",
    ),
    optional(
        "increases",
        KeyKind::Text,
        "AXIS or AXIS=VALUES: from each value to the next it never falls.",
    ),
    optional(
        "decreases",
        KeyKind::Text,
        "AXIS or AXIS=VALUES: from each value to the next it never rises.",
    ),
    optional(
        "ordered",
        KeyKind::Options,
        "Settings such as \"mode=die\", or lists of them: it is never lower with a later one.",
    ),
    optional(
        "strictly",
        KeyKind::Flag,
        "true: it may not stay the same either.",
    ),
    optional(
        "step",
        KeyKind::Text,
        "AXIS or AXIS=VALUES: the bounds are for the change from each value to the next.",
    ),
    optional(
        "printed",
        KeyKind::Printed,
        "What stands in print: a number, a row of them, or a list of rows; \"-\" where there is none.",
    ),
    optional(
        "x",
        KeyKind::Text,
        "AXIS or AXIS=VALUES: what runs across what is printed.",
    ),
    optional(
        "by",
        KeyKind::Text,
        "AXIS or AXIS=VALUES: what runs down what is printed; without it, the queries.",
    ),
];

/// `[[accept]]`
pub(crate) const ACCEPT: &[Key] = &[
    required(
        "finding",
        KeyKind::TextOrTexts,
        "The id of a finding, or several; a `*` stands for any one part: \"cliff/check/mood/*\".",
    ),
    required("reason", KeyKind::Text, "Why that is right, in a sentence."),
];

/// `[resources.NAME]`
pub(crate) const RESOURCE: &[Key] = &[
    optional("help", KeyKind::Text, "One line about it."),
    required(
        "axis",
        KeyKind::Text,
        "The axis that says how many points may be spent on one check; without `spent`, how many are.",
    ),
    optional(
        "spent",
        KeyKind::Text,
        "The number that is shown of how many points were spent.",
    ),
    optional(
        "policy",
        KeyKind::Text,
        "AXIS=LABEL: the axis of the ways to spend, and the one that leaves it to the player.",
    ),
    optional(
        "utility",
        KeyKind::Text,
        "What an outcome is worth: \"Graze=1, Hit=2\", or an expression. Without it, each band is one better.",
    ),
];

/// `[tune]`
pub(crate) const TUNE: &[Key] = &[
    required(
        "vary",
        KeyKind::TextOrTexts,
        "The parameters that may change, with the values to try: \"boon_cap=3..=6\", \"ladder[3]=8,10\".",
    ),
    optional("goals", KeyKind::List(GOAL), "What the odds are to become."),
    optional(
        "keep",
        KeyKind::List(KEEP),
        "Odds that are to stay as they are.",
    ),
];

const GOAL_CHECK: Key = optional(
    "check",
    KeyKind::Text,
    "The check or the track that it is about; the first one, if nothing is said.",
);

const GOAL_SET: Key = optional(
    "set",
    KeyKind::TextOrTexts,
    "name=value of axes, and of parameters that do not vary.",
);

/// `[[tune.goals]]`
pub(crate) const GOAL: &[Key] = &[
    required(
        "intent",
        KeyKind::Text,
        "The intention in a sentence, for whoever reads the result.",
    ),
    GOAL_CHECK,
    GOAL_SET,
    required(
        "query",
        KeyKind::Text,
        "What it is about, such as \"P(band >= Hit)\".",
    ),
    optional("at_least", KeyKind::Number, "The least that is right."),
    optional("at_most", KeyKind::Number, "The most that is right."),
    optional(
        "between",
        KeyKind::Pair,
        "The least and the most that are right.",
    ),
    optional(
        "near",
        KeyKind::Number,
        "A wish in place of bounds: the nearer to this number the better.",
    ),
    optional(
        "weight",
        KeyKind::Number,
        "How much a point off `near` counts beside other wishes; 1, if nothing is said.",
    ),
];

/// `[[tune.keep]]`
pub(crate) const KEEP: &[Key] = &[
    required("intent", KeyKind::Text, "Why it is to stay, in a sentence."),
    GOAL_CHECK,
    GOAL_SET,
    required(
        "query",
        KeyKind::TextOrTexts,
        "What is to stay as it is, such as \"Miss\"; with several, each of them.",
    ),
    optional(
        "within",
        KeyKind::Number,
        "How far it may move; not at all, if nothing is said.",
    ),
];

const DOMAIN_HELP: &str = "Its legal values: \"low..=high\" or a list of labels.";
