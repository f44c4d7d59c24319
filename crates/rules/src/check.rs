//! A checked procedure: its inputs, what it shows, and the configurations that it can have.

use std::sync::{Arc, OnceLock};

use crate::choice::{Choice, place};
use crate::config::Config;
use crate::interval::{self, Shape};
use crate::program::{BinaryOp, Expr, InputId, Kind, Program, Statement, UnaryOp, VarId};
use crate::source::{Source, Span};
use crate::statistic::Statistic;

/// One procedure at the table: a check, a track (a check repeated until something is full), or a contest of two
/// checks.
#[derive(Clone, Debug)]
pub struct Check {
    /// The file it was read from.
    pub source: Arc<Source>,
    /// Where that names it.
    pub span: Span,
    /// Its key in `[checks]` or `[tracks]`; `strike v guard` for a contest of two checks.
    pub name: String,
    /// One line about it.
    pub help: String,
    /// What people read in place of the name; empty if they read that.
    pub label: String,
    /// What people read in place of names that its script binds, by these names.
    pub labels: Vec<(String, String)>,
    /// Parameters, then axes; indexed by [`InputId`]. Copies share them.
    pub inputs: Arc<[Input]>,
    /// Conditions that a legal configuration meets; over inputs only.
    pub requires: Vec<Requirement>,
    /// What it shows, in the script's order.
    pub outcomes: Vec<Outcome>,
    /// What a contest compares: the higher one wins.
    pub contest: Option<Measure>,
    /// Who has it if both sides of a contest are equal.
    pub ties: Ties,
    /// What every `choose` of the script strives for.
    pub goal: Option<Measure>,
    /// The number of rounds of a track or a contest: it holds a [`crate::program::Statement::Repeat`] without a
    /// count at its top level, and this variable counts how often it went round.
    pub rounds: Option<VarId>,
    /// What people call a round of a track.
    pub unit: RoundName,
    /// Copies share it: most of them are made to ask another question of it.
    pub(crate) program: Arc<Program>,
    pub(crate) found: FoundOut,
}

/// What was found out about a check's program, once somebody has asked. What changes the program has to forget it.
#[derive(Clone, Debug, Default)]
pub(crate) struct FoundOut {
    /// Whether it can be carried out in every legal configuration, whatever is rolled ([`Check::may_fail`]).
    pub(crate) is_sure: OnceLock<bool>,
    /// What its variables can be.
    shapes: OnceLock<Vec<Shape>>,
}

/// What people call a round of a track: a roll, a turn, a month.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundName {
    /// One of them.
    pub one: String,
    /// Several of them.
    pub many: String,
}

impl Default for RoundName {
    fn default() -> Self {
        Self::of("roll")
    }
}

impl RoundName {
    /// An English word, whose plural has an `s` more.
    #[must_use]
    pub fn of(one: &str) -> Self {
        Self {
            one: one.to_owned(),
            many: format!("{one}s"),
        }
    }

    /// So many of them: `1 roll`, `2 rolls`.
    ///
    /// ```
    /// use oddsmith_rules::RoundName;
    /// assert_eq!(RoundName::of("round").count(3), "3 rounds");
    /// ```
    #[must_use]
    pub fn count(&self, n: usize) -> String {
        format!("{n} {}", if n == 1 { &self.one } else { &self.many })
    }
}

/// A number made of what a check shows and of its inputs.
#[derive(Clone, Debug)]
pub struct Measure {
    /// Over outcomes ([`crate::program::Kind::Var`]) and inputs; free of dice.
    pub value: Expr,
    /// What its values are places of, if they are labels.
    pub labels: Option<Arc<Choice>>,
    /// As written.
    pub text: String,
}

/// What happens in a contest when both sides are equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// Both roll again.
    #[default]
    Reroll,
    /// Both have won.
    Both,
    /// The second side has won.
    Defender,
}

impl Ties {
    /// Each rule with its name.
    pub const ALL: [(&'static str, Self); 3] = [
        ("reroll", Self::Reroll),
        ("both", Self::Both),
        ("defender", Self::Defender),
    ];

    /// Its name in a ruleset.
    pub fn name(self) -> &'static str {
        let found = Self::ALL.iter().find(|(_, ties)| *ties == self);
        found.map_or("", |(name, _)| name)
    }
}

impl Check {
    /// A check without inputs, whose program shows these outcomes. All else that a check can have is set on it;
    /// [`Check::verify`] says whether it agrees.
    #[must_use]
    pub fn new(
        source: &Arc<Source>,
        span: Span,
        name: impl Into<String>,
        program: Program,
        outcomes: Vec<Outcome>,
    ) -> Self {
        Self {
            source: Arc::clone(source),
            span,
            name: name.into(),
            help: String::new(),
            label: String::new(),
            labels: Vec::new(),
            inputs: Arc::default(),
            requires: Vec::new(),
            outcomes,
            contest: None,
            ties: Ties::default(),
            goal: None,
            rounds: None,
            unit: RoundName::default(),
            program: Arc::new(program),
            found: FoundOut::default(),
        }
    }

    /// What people read: the label, or the name where none is declared.
    #[must_use]
    pub fn title(&self) -> &str {
        label_or_name(&self.label, &self.name)
    }

    /// What people read in place of a name that the script binds, such as that of a number or a flag that is shown: its
    /// label, or the name where none is declared.
    #[must_use]
    pub fn title_of<'t>(&'t self, name: &'t str) -> &'t str {
        let known = self.labels.iter().find(|(own, _)| own == name);
        known.map_or(name, |(_, label)| label)
    }

    /// The script.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Gives the check another script, and forgets what was found out about the one that it had. [`Check::verify`] says
    /// whether the rest of the check agrees.
    pub fn set_program(&mut self, program: Program) {
        self.program = Arc::new(program);
        self.found = FoundOut::default();
    }

    /// What a variable is bound to at the top of the program, if nothing changes it.
    pub(crate) fn value_of(&self, var: VarId) -> Option<&Expr> {
        let mut statements = self.program.statements.iter();
        let value = statements.find_map(|statement| match statement {
            Statement::Let { var: bound, value } if *bound == var => Some(value),
            _ => None,
        });
        value.filter(|_| !self.program.variable(var).mutable)
    }

    /// The statements of a round, if it is a track.
    pub(crate) fn own_round(&self) -> Option<&[Statement]> {
        let mut statements = self.program.statements.iter();
        statements.find_map(|statement| match statement {
            Statement::Repeat { body, .. } if statement.is_own_loop() => Some(body.as_slice()),
            _ => None,
        })
    }

    /// What the variables of the program can be, for inputs that lie in their domains.
    pub(crate) fn shapes(&self) -> &[Shape] {
        let shapes = || interval::shapes(&self.program, &self.inputs);
        self.found.shapes.get_or_init(shapes)
    }

    /// The input of that name.
    #[must_use]
    pub fn input(&self, name: &str) -> Option<InputId> {
        self.inputs
            .iter()
            .position(|input| input.name == name)
            .map(InputId)
    }

    /// The outcome called `band`, if the check has bands.
    #[must_use]
    pub fn band(&self) -> Option<(&Outcome, &Choice)> {
        self.outcomes
            .iter()
            .find_map(|outcome| match &outcome.kind {
                OutcomeKind::Band(labels) => Some((outcome, labels.as_ref())),
                _ => None,
            })
    }

    /// Whether what its choices strive for is an event: a condition, or a flag by its name.
    #[must_use]
    pub fn strives_for_event(&self) -> bool {
        let is_flag = |var: VarId| {
            let mut outcomes = self.outcomes.iter();
            outcomes.any(|shown| shown.var == var && shown.kind == OutcomeKind::Flag)
        };
        self.goal
            .as_ref()
            .is_some_and(|goal| match &goal.value.kind {
                Kind::Var(var) => is_flag(*var),
                Kind::Unary(op, _) => *op == UnaryOp::Not,
                Kind::Binary(op, ..) => op.is_logical() || matches!(op, BinaryOp::Compare(_)),
                _ => false,
            })
    }

    /// The variables of the outcomes that expressions read, ascending, each once.
    pub fn outcomes_in<'e>(&self, exprs: impl Iterator<Item = &'e Expr>) -> Vec<VarId> {
        let mut outcomes: Vec<VarId> = Vec::new();
        for expr in exprs {
            expr.any(&mut |part| {
                if let Kind::Var(var) = part.kind
                    && self.outcomes.iter().any(|outcome| outcome.var == var)
                    && !outcomes.contains(&var)
                {
                    outcomes.push(var);
                }
                false
            });
        }
        outcomes.sort_unstable();
        outcomes
    }

    /// The values that stand in the file.
    #[must_use]
    pub fn defaults(&self) -> Config {
        let inputs = self.inputs.iter();
        Config::new(inputs.map(|input| (input.default, input.domain.bounds())))
    }

    /// `name=value name=value` of the inputs in which `config` differs from the defaults.
    #[must_use]
    pub fn describe(&self, config: &Config) -> String {
        self.changes(config, Input::written, |words| words.join(" "))
    }

    /// As [`Check::describe`], for people: with the labels of names and values, where there are some.
    #[must_use]
    pub fn tell(&self, config: &Config) -> String {
        self.changes(config, Input::told_with_title, in_turn)
    }

    fn changes(
        &self,
        config: &Config,
        word: impl Fn(&Input, i64) -> String,
        joined: impl Fn(&[String]) -> String,
    ) -> String {
        let inputs = self.inputs.iter().zip(config.values());
        let changed = inputs.filter(|(input, value)| input.default != **value);
        let words: Vec<String> = changed.map(|(input, value)| word(input, *value)).collect();
        if words.is_empty() {
            "the default configuration".to_owned()
        } else {
            joined(&words)
        }
    }
}

/// Settings that people read, side by side; if any of them has blanks around its `=`, all have, and commas are between
/// them.
///
/// ```
/// use oddsmith_rules::in_turn;
/// assert_eq!(in_turn(&["die=8".to_owned(), "bonus=1".to_owned()]), "die=8 bonus=1");
/// assert_eq!(in_turn(&["die=8".to_owned(), "In a Mood = yes".to_owned()]), "die = 8, In a Mood = yes");
/// ```
#[must_use]
pub fn in_turn(words: &[String]) -> String {
    if !words.iter().any(|word| word.contains(" = ")) {
        return words.join(" ");
    }
    let spaced = |word: &String| match word.contains(" = ") {
        true => word.clone(),
        false => word.replacen('=', " = ", 1),
    };
    words.iter().map(spaced).collect::<Vec<_>>().join(", ")
}

/// A setting that people read: as on a command line, unless one of its sides has a blank.
#[must_use]
pub fn setting(title: &str, value: &str) -> String {
    let has_blank = title.contains(' ') || value.contains(' ');
    let equals = if has_blank { " = " } else { "=" };
    format!("{title}{equals}{value}")
}

/// A condition on the inputs that a sweep skips, and a single question reports, where it fails.
#[derive(Clone, Debug)]
pub struct Requirement {
    /// 0 or 1.
    pub condition: Expr,
    /// As written.
    pub text: String,
}

/// A parameter (or one element of a list parameter) or an axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Its name; `ladder[2]` for an element of a list.
    pub name: String,
    /// Which of the two it is.
    pub role: Role,
    /// Its legal values.
    pub domain: Domain,
    /// Its value where nothing is said.
    pub default: i64,
    /// What `--sweep all` runs over; empty: it stays at its default.
    pub sweep: Vec<i64>,
    /// One line about it.
    pub help: String,
    /// What people read in place of the name; empty if they read that.
    pub label: String,
    /// What people read in place of some values, by these values; labels of a list by their places.
    pub value_labels: Vec<(i64, String)>,
    /// Which text of the game is open, and what the default takes it to mean. Empty unless it is a parameter
    /// that stands for a reading of an ambiguous rule.
    pub reading: String,
    /// Where it is declared.
    pub span: Span,
}

impl Input {
    /// What people read: the label, or the name where none is declared.
    #[must_use]
    pub fn title(&self) -> &str {
        label_or_name(&self.label, &self.name)
    }

    /// What people read of a value: its label, or the value as it is written on a command line.
    #[must_use]
    pub fn told(&self, value: i64) -> String {
        let label = label_of(&self.value_labels, value);
        label.map_or_else(|| self.domain.show(value), str::to_owned)
    }

    /// `name=value`, as it is written on a command line.
    #[must_use]
    pub fn written(&self, value: i64) -> String {
        format!("{}={}", self.name, self.domain.show(value))
    }

    /// `name=value` for people, with labels where there are some: see [`setting`].
    #[must_use]
    pub fn told_with_title(&self, value: i64) -> String {
        setting(self.title(), &self.told(value))
    }
}

fn label_or_name<'t>(label: &'t str, name: &'t str) -> &'t str {
    if label.is_empty() { name } else { label }
}

/// What people read in place of a value, of labels as [`Input::value_labels`] has them; none if the value has no label.
#[must_use]
pub fn label_of(labels: &[(i64, String)], value: i64) -> Option<&str> {
    let known = labels.iter().find(|(own, _)| *own == value);
    known.map(|(_, label)| label.as_str())
}

/// What kind of number an input is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A constant of the design.
    Parameter,
    /// What differs from roll to roll.
    Axis,
}

/// Legal values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    /// `low..=high`
    Range(i64, i64),
    /// One of these labels.
    Choice(Arc<Choice>),
}

impl Domain {
    /// Lowest and highest value, labels by their places.
    #[must_use]
    pub fn bounds(&self) -> (i64, i64) {
        match self {
            Self::Range(low, high) => (*low, *high),
            Self::Choice(choice) => (0, place(choice.labels().len()) - 1),
        }
    }

    /// Whether `value` is legal.
    #[must_use]
    pub fn contains(&self, value: i64) -> bool {
        let (low, high) = self.bounds();
        (low..=high).contains(&value)
    }

    /// The value as a user writes it.
    #[must_use]
    pub fn show(&self, value: i64) -> String {
        match self {
            Self::Range(..) => value.to_string(),
            Self::Choice(choice) => choice.label(value).to_owned(),
        }
    }

    /// The value that [`Domain::show`] shows so; none if it is not legal.
    ///
    /// ```
    /// use oddsmith_rules::Domain;
    /// assert_eq!(Domain::Range(0, 5).read("3"), Some(3));
    /// assert_eq!(Domain::Range(0, 5).read("6"), None);
    /// ```
    #[must_use]
    pub fn read(&self, text: &str) -> Option<i64> {
        match self {
            Self::Range(..) => text.parse().ok().filter(|value| self.contains(*value)),
            Self::Choice(choice) => choice.place(text),
        }
    }

    /// All of it as a user reads it: `-5..=5`, `ok | fragile | broken`.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Self::Range(low, high) => format!("{low}..={high}"),
            Self::Choice(choice) => choice.labels().join(" | "),
        }
    }
}

/// Something a check shows.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Its name in `show name = …`.
    pub name: String,
    /// What it holds.
    pub kind: OutcomeKind,
    /// The variable that holds it when the script has run.
    pub var: VarId,
    /// Shown by the first round of a track, not at its end.
    pub first_round: bool,
    /// Where it is shown.
    pub span: Span,
}

/// What an outcome holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutcomeKind {
    /// A number: an observable.
    Observable,
    /// 0 or 1: a flag.
    Flag,
    /// One of the check's bands.
    Band(Arc<Choice>),
    /// One of other labels.
    Label(Arc<Choice>),
}

/// A question about outcomes with one number as its answer.
#[derive(Clone, Debug)]
pub struct Query {
    /// As asked: the name of its row or column.
    pub text: String,
    /// What is asked.
    pub kind: QueryKind,
    /// Where it applies; none is always. 0 or 1, over outcomes and inputs.
    pub given: Option<Expr>,
    /// Of a track: it is asked about how the track stands after so many rounds, or at its end if that comes before. None is
    /// at its end, whenever that comes.
    pub after: Option<u32>,
}

impl Query {
    /// A question about all outcomes; of a track, about its end.
    pub fn new(text: impl Into<String>, kind: QueryKind) -> Self {
        Self {
            text: text.into(),
            kind,
            given: None,
            after: None,
        }
    }

    /// What it is about: an event, or a number.
    #[must_use]
    pub fn subject(&self) -> &Expr {
        let (QueryKind::Probability(expr)
        | QueryKind::Mean(expr)
        | QueryKind::Variance(expr)
        | QueryKind::Deviation(expr)
        | QueryKind::Statistic(_, expr)) = &self.kind;
        expr
    }

    /// All its expressions: what it is about, and where it applies.
    pub fn parts(&self) -> impl Iterator<Item = &Expr> {
        std::iter::once(self.subject()).chain(&self.given)
    }
}

/// The kinds of question; expressions are over outcomes ([`crate::program::Kind::Var`]) and inputs.
#[derive(Clone, Debug)]
pub enum QueryKind {
    /// The probability that an expression is 1.
    Probability(Expr),
    /// The mean of an expression.
    Mean(Expr),
    /// The population variance of an expression.
    Variance(Expr),
    /// The standard deviation of an expression: the root of its population variance.
    Deviation(Expr),
    /// A value that is picked out of the distribution of an expression.
    Statistic(Statistic, Expr),
}

/// An input and the values that a sweep gives it, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InputRange {
    /// Which input.
    pub input: InputId,
    /// Its values, all different.
    pub values: Vec<i64>,
}

impl InputRange {
    /// An input with these values.
    ///
    /// # Panics
    /// If a value is there twice.
    #[must_use]
    pub fn new(input: InputId, values: Vec<i64>) -> Self {
        let mut sorted = values.clone();
        sorted.sort_unstable();
        let are_different = sorted.windows(2).all(|pair| pair[0] < pair[1]);
        assert!(are_different, "input {} has a value twice", input.0);
        Self { input, values }
    }
}
