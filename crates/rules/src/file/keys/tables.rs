//! The tables of a file, each with its keys.

use crate::file::keys::{Holds, Key, KeyKind, optional, required};

/// The file.
pub(crate) const ROOT: &[Key] = &[
    required("name", KeyKind::Text, "The game's name."),
    optional("help", KeyKind::Text, "One line about the game."),
    optional(
        "require",
        KeyKind::Texts,
        "Conditions that the parameters must meet.",
    )
    .of(Holds::Requirement),
    optional(
        "params",
        KeyKind::Tables(PARAM),
        "Constants of the design: what a designer tunes.",
    ),
    optional(
        "functions",
        KeyKind::Functions,
        "Named expressions: name = \"(a, b) => expression\".",
    )
    .of(Holds::Function),
    optional(
        "labels",
        KeyKind::NamedLabels,
        "Lists of labels by name: `place = [\"legs\", \"body\", \"head\"]`; `show place` is one of them.",
    )
    .of(Holds::Labels),
    optional(
        "dice",
        KeyKind::Tables(DIE),
        "Dice with symbols: `d{ability}` has the faces of `[dice.ability]`.",
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

const LABEL: Key = optional(
    "label",
    KeyKind::Text,
    "What people read in place of the name, in tables, charts and pages.",
);

const VALUE_LABELS: Key = optional(
    "labels",
    KeyKind::ValueLabels,
    "What people read in place of some values: `{ 6 = \"d8\" }`, or `{ evens_up = \"evens up\" }` of words.",
);

const SHOWN_LABELS: Key = optional(
    "labels",
    KeyKind::ValueLabels,
    "What people read in place of names of the script: `{ karma_spent = \"Karma spent\" }`.",
);

/// `[dice.NAME]`
pub(crate) const DIE: &[Key] = &[
    required(
        "faces",
        KeyKind::Faces,
        "Its faces, each with how often it has a symbol: `[{}, { success = 1 }, { success = 1, advantage = 1 }]`.",
    ),
    optional("help", KeyKind::Text, "One line about it."),
];

/// `[params]` `x = { … }`
pub(crate) const PARAM: &[Key] = &[
    required(
        "default",
        KeyKind::Values,
        "Its value; a list makes a table of values.",
    )
    .of(Holds::Values),
    required("domain", KeyKind::Domain, DOMAIN_HELP).of(Holds::Domain),
    LABEL,
    VALUE_LABELS,
    optional("help", KeyKind::Text, "One line about it."),
    optional(
        "reading",
        KeyKind::Text,
        "Which text of the game is open, and what the default takes it to mean.",
    ),
];

/// `[checks.NAME]`
pub(crate) const CHECK: &[Key] = &[
    LABEL,
    SHOWN_LABELS,
    optional("help", KeyKind::Text, "One line about the check."),
    INHERIT,
    optional(
        "bands",
        KeyKind::Labels,
        "The labels of `show band`, worst first.",
    ).of(Holds::Labels),
    AXES,
    REQUIRE,
    optional(
        "contest",
        KeyKind::Text,
        "What two sides compare, over what is shown: the higher one wins.",
    ).of(Holds::Measure),
    optional(
        "ties",
        KeyKind::OneOf(&["reroll", "both", "defender"]),
        "What a tie in a contest means: both roll again (the default), both have won, or the second side has.",
    ),
    optional(
        "maximise",
        KeyKind::Text,
        "What every `choose` strives for and every `oppose` against, over what is shown: a number, or a condition that counts 1.",
    ).of(Holds::Measure),
    RULES,
];

/// `[tracks.NAME]`
pub(crate) const TRACK: &[Key] = &[
    LABEL,
    SHOWN_LABELS,
    optional("help", KeyKind::Text, "One line about the track."),
    optional(
        "unit",
        KeyKind::TextOrTexts,
        "What people call a round, such as `\"turn\"`; with its plural where that has no s, `[\"Runde\", \"Runden\"]`.",
    ),
    INHERIT,
    optional(
        "bands",
        KeyKind::Labels,
        "The labels of `show band`, such as the counter that is full first; worst first.",
    )
    .of(Holds::Labels),
    AXES,
    REQUIRE,
    optional(
        "maximise",
        KeyKind::Text,
        "What every `choose` of its rounds strives for and every `oppose` against, over what is shown at the end: a number, or a condition that counts 1.",
    )
    .of(Holds::Measure),
    RULES,
];

const INHERIT: Key = optional(
    "inherit",
    KeyKind::Texts,
    "Checks or tracks whose axes are axes here too.",
)
.of(Holds::Check);

const AXES: Key = optional(
    "axes",
    KeyKind::Tables(AXIS),
    "What differs from roll to roll.",
);

const REQUIRE: Key = optional(
    "require",
    KeyKind::Texts,
    "Conditions that a legal configuration meets.",
)
.of(Holds::Requirement);

const RULES: Key = required(
    "rules",
    KeyKind::Text,
    "The script: what happens at the table, top to bottom.",
)
.of(Holds::Script);

/// `axes.x = { … }`
pub(crate) const AXIS: &[Key] = &[
    required(
        "default",
        KeyKind::Value,
        "Its value where nothing is said.",
    )
    .of(Holds::Values),
    required("domain", KeyKind::Domain, DOMAIN_HELP).of(Holds::Domain),
    optional(
        "sweep",
        KeyKind::Sweep,
        "What `--sweep all` runs over; without it the axis stays at its default.",
    )
    .of(Holds::Values),
    LABEL,
    VALUE_LABELS,
    optional("help", KeyKind::Text, "One line about it."),
];

/// `[[charts]]`
pub(crate) const CHART: &[Key] = &[
    optional(
        "check",
        KeyKind::Text,
        "The check or the track whose odds it shows; the first one, if nothing is said.",
    ).of(Holds::Check),
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
    ).of(Holds::Range),
    optional(
        "by",
        KeyKind::Text,
        "AXIS or AXIS=VALUES: a line or a row of a heat map for each value; else a column of panels.",
    ).of(Holds::Range),
    optional(
        "facet",
        KeyKind::Text,
        "AXIS or AXIS=VALUES: a row of panels for each value.",
    ).of(Holds::Range),
    optional(
        "query",
        KeyKind::TextOrTexts,
        "What lines and heat maps draw, such as \"P(total >= 15)\". Without it, what fits the check.",
    ).of(Holds::Query),
    optional(
        "set",
        KeyKind::TextOrTexts,
        "name=value of other axes and parameters.",
    ).of(Holds::Setting),
];

/// `[[expect]]`
pub(crate) const EXPECT: &[Key] = &[
    required(
        "intent",
        KeyKind::Text,
        "The intention in a sentence, for whoever breaks it.",
    ),
    optional(
        "source",
        KeyKind::Text,
        "Where what it says can be read, such as \"the table on page 7\"; told where it is broken.",
    ),
    optional(
        "check",
        KeyKind::Text,
        "The check or the track that it is about; the first one, if nothing is said.",
    ).of(Holds::Check),
    optional(
        "set",
        KeyKind::TextOrTexts,
        "name=value of axes and parameters.",
    ).of(Holds::Setting),
    optional(
        "sweep",
        KeyKind::TextOrTexts,
        "AXIS or AXIS=VALUES: it is meant in every combination; \"all\" is every axis with a `sweep`.",
    ).of(Holds::Range),
    optional(
        "query",
        KeyKind::TextOrTexts,
        "What it is about, such as \"P(band >= Hit)\"; with several, each of them.",
    ).of(Holds::Query),
    optional(
        "sum",
        KeyKind::TextOrTexts,
        "Queries whose sum it is about.",
    ).of(Holds::Query),
    optional(
        "reachable",
        KeyKind::TextOrTexts,
        "Bands, flags or other events that can happen.",
    ).of(Holds::Query),
    optional(
        "somewhere",
        KeyKind::Flag,
        "true: what is `reachable` can happen in one configuration at least, not in all of them.",
    ),
    optional(
        "unreachable",
        KeyKind::TextOrTexts,
        "Bands, flags or other events that never happen.",
    ).of(Holds::Query),
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
    ).of(Holds::Range),
    optional(
        "decreases",
        KeyKind::Text,
        "AXIS or AXIS=VALUES: from each value to the next it never rises.",
    ).of(Holds::Range),
    optional(
        "ordered",
        KeyKind::Options,
        "Settings such as \"mode=die\", or lists of them: it is never lower with a later one.",
    ).of(Holds::Setting),
    optional(
        "strictly",
        KeyKind::Flag,
        "true: it may not stay the same either.",
    ),
    optional(
        "step",
        KeyKind::Text,
        "AXIS or AXIS=VALUES: the bounds are for the change from each value to the next.",
    ).of(Holds::Range),
    optional(
        "printed",
        KeyKind::Printed,
        "What stands in print: a number, a row of them, or a list of rows; \"-\" where there is none.",
    ),
    optional(
        "x",
        KeyKind::Text,
        "AXIS or AXIS=VALUES: what runs across what is printed.",
    ).of(Holds::Range),
    optional(
        "by",
        KeyKind::Text,
        "AXIS or AXIS=VALUES: what runs down what is printed; without it, the queries.",
    ).of(Holds::Range),
];

/// `[[accept]]`
pub(crate) const ACCEPT: &[Key] = &[
    required(
        "finding",
        KeyKind::TextOrTexts,
        "The id of a finding, or several; a `*` stands for any one part: \"cliff/check/mood/*\".",
    )
    .of(Holds::Finding),
    required("reason", KeyKind::Text, "Why that is right, in a sentence."),
];

/// `[resources.NAME]`
pub(crate) const RESOURCE: &[Key] = &[
    optional("help", KeyKind::Text, "One line about it."),
    required(
        "axis",
        KeyKind::Text,
        "The axis that says how many points may be spent on one check; without `spent`, how many are.",
    ).of(Holds::Axis),
    optional(
        "spent",
        KeyKind::Text,
        "The number that is shown of how many points were spent.",
    ).of(Holds::Number),
    optional(
        "policy",
        KeyKind::Text,
        "AXIS=LABEL: the axis of the ways to spend, and the one that leaves it to the player.",
    ).of(Holds::Setting),
    optional(
        "utility",
        KeyKind::Text,
        "What an outcome is worth: \"Graze=1, Hit=2\", or an expression. Without it, each band is one better.",
    ).of(Holds::Utility),
];

/// `[tune]`
pub(crate) const TUNE: &[Key] = &[
    required(
        "vary",
        KeyKind::TextOrTexts,
        "The parameters that may change, with the values to try: \"boon_cap=3..=6\", \"ladder[3]=8,10\".",
    ).of(Holds::Dial),
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
)
.of(Holds::Check);

const GOAL_SET: Key = optional(
    "set",
    KeyKind::TextOrTexts,
    "name=value of axes, and of parameters that do not vary.",
)
.of(Holds::Setting);

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
    )
    .of(Holds::Query),
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
    )
    .of(Holds::Query),
    optional(
        "within",
        KeyKind::Number,
        "How far it may move; not at all, if nothing is said.",
    ),
];

const DOMAIN_HELP: &str = "Its legal values: \"low..=high\" or a list of labels.";
