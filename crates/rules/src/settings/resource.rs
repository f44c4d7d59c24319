//! What players spend on a check: which axis allows for it, what was spent, and what the outcome is worth to them.

use crate::check::{Check, Domain, Measure, OutcomeKind, Role};
use crate::lower::Asked;
use crate::number::{Number, parse};
use crate::program::{InputId, Statement, VarId, Variable, bound_in};
use crate::source::{Diagnostic, Diagnostics, Source, Span, nearest, there_are};

/// How points are spent on a check, as texts; [`Check::spending`] reads them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResourceRequest {
    /// The axis that says how many points may be spent on one check; without `spent`, how many are.
    pub axis: String,
    /// The number that is shown of how many were.
    pub spent: Option<String>,
    /// `AXIS=LABEL`: the axis that tells ways of spending apart, and the one that leaves it to the player.
    pub policy: Option<String>,
    /// What the outcome is worth: `Miss=0, Hit=2.5` by bands, or an expression over what is shown. Without it each
    /// band is worth one more than the one before.
    pub utility: Option<String>,
}

/// One of the texts of a [`ResourceRequest`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResourceText {
    Axis,
    Spent,
    Policy,
    Utility,
}

impl ResourceText {
    /// What it is called in a file; behind `--`, on a command line.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::Axis => "axis",
            Self::Spent => "spent",
            Self::Policy => "policy",
            Self::Utility => "utility",
        }
    }
}

/// How points of one resource or of several are spent on a check.
#[derive(Clone, Debug)]
pub struct Spending {
    /// The check, with whatever its utility binds.
    pub check: Check,
    /// How each resource is spent, at least one; each has an axis of its own.
    pub outlays: Vec<Outlay>,
    /// What the outcome is worth.
    pub utility: Utility,
}

/// How points of one resource are spent on a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outlay {
    /// How many points may be spent on one check; numbers, 0 among them.
    pub axis: InputId,
    /// How many were; none if it is always as many as the axis says.
    pub spent: Option<VarId>,
    /// The axis that tells ways of spending apart, and the value that leaves it to the player.
    pub policy: Option<(InputId, i64)>,
}

/// What the outcome of a check is worth to those who roll.
#[derive(Clone, Debug)]
pub enum Utility {
    /// Of each band, in their order.
    Bands(Vec<Number>),
    /// An expression over what is shown.
    Measure(Measure),
}

impl Check {
    /// How points of these resources are spent on this check together, as users say on a command line; messages call the texts
    /// `--axis`, `--spent`, `--policy` and `--utility`.
    ///
    /// # Errors
    /// All that is wrong with the requests: names that do not exist, an axis of labels or one that does not allow for
    /// spending nothing, a utility that can't be read; that nothing says what the outcome of a check without bands
    /// is worth; or that two of them share an axis, or say differently what the outcome is worth.
    ///
    /// # Panics
    /// Without a request.
    ///
    /// ```
    /// use oddsmith_rules::{ResourceRequest, shipped};
    /// let (name, text) = shipped().iter().find(|(name, _)| *name == "stars-and-signs").unwrap();
    /// let model = oddsmith_rules::load(name, text.as_bytes()).unwrap();
    /// let request = ResourceRequest {
    ///     axis: "effort".to_owned(),
    ///     spent: Some("effort_spent".to_owned()),
    ///     policy: Some("effort_policy=optimal".to_owned()),
    ///     utility: Some("Graze=1, Hit=2, Critical=5/2".to_owned()),
    /// };
    /// assert!(model.checks[0].spending(&[request]).is_ok());
    /// ```
    pub fn spending(&self, requests: &[ResourceRequest]) -> Result<Spending, Diagnostics> {
        let name = |part: ResourceText| format!("--{}", part.key());
        let mut read: Vec<Terms> = Vec::with_capacity(requests.len());
        let mut errors = Vec::new();
        for request in requests {
            match self.read_spending(request, &name) {
                Ok(terms) => read.push(terms),
                Err(own) => errors.extend(own.into_iter().map(|(_, error)| error)),
            }
        }
        let outlays: Vec<Outlay> = read.iter().map(|terms| terms.outlay).collect();
        if errors.is_empty() {
            errors.extend(self.clash(requests, &outlays));
        }
        Diagnostics::if_any(errors)?;
        let first = read.swap_remove(0);
        Ok(Spending {
            check: match first.variables {
                Some(variables) => self.with_variables(variables),
                None => self.clone(),
            },
            outlays,
            utility: first.utility,
        })
    }

    /// How points of these resources are spent in the rounds of this track, as [`Check::spending`] reads them; what is spent is a
    /// number that a round binds, such as one that its check shows. What an outcome is worth is not read.
    ///
    /// # Errors
    /// All that is wrong with the requests: names that do not exist, an axis of labels or one that does not allow for spending
    /// nothing, or that two of them share an axis.
    pub fn outlays(&self, requests: &[ResourceRequest]) -> Result<Vec<Outlay>, Diagnostics> {
        let name = |part: ResourceText| format!("--{}", part.key());
        let (mut outlays, mut errors) = (Vec::with_capacity(requests.len()), Vec::new());
        for request in requests {
            let mut reading = Reading::new(self, &name);
            outlays.extend(reading.outlay(request));
            errors.extend(reading.errors.into_iter().map(|(_, error)| error));
        }
        if errors.is_empty() {
            errors.extend(self.shared_axis(requests, &outlays));
        }
        Diagnostics::if_any(errors)?;
        Ok(outlays)
    }

    /// The axis that two resources read, if they share one.
    fn shared_axis(&self, requests: &[ResourceRequest], outlays: &[Outlay]) -> Option<Diagnostic> {
        let mut taken: Vec<InputId> = Vec::new();
        for (request, outlay) in requests.iter().zip(outlays) {
            let own = [Some(outlay.axis), outlay.policy.map(|(axis, _)| axis)];
            if let Some(axis) = own.into_iter().flatten().find(|axis| taken.contains(axis)) {
                let message = format!("`{}` is read by two resources", self.inputs[axis.0].name);
                let help = "resources that are planned together have axes of their own";
                let error = whole("--axis", &request.axis, message);
                return Some(error.with_help(help));
            }
            taken.extend(own.into_iter().flatten());
        }
        None
    }

    /// What keeps resources that can be spent from being spent together.
    fn clash(&self, requests: &[ResourceRequest], outlays: &[Outlay]) -> Option<Diagnostic> {
        let shared = self.shared_axis(requests, outlays);
        if shared.is_some() {
            return shared;
        }
        let worth =
            |request: &ResourceRequest| request.utility.as_ref().map(|text| text.trim().to_owned());
        let other = requests
            .iter()
            .find(|request| worth(request) != worth(&requests[0]))?;
        let text = other.utility.as_deref().unwrap_or_default();
        let message = format!(
            "resources on the axes `{}` and `{}` say differently what an outcome is worth",
            requests[0].axis, other.axis
        );
        let help = "say it once for both, with `--utility`";
        Some(whole("--utility", text, message).with_help(help))
    }

    /// Whether points can be spent on this check in such a way.
    #[must_use]
    pub fn can_spend(&self, request: &ResourceRequest) -> bool {
        self.read_spending(request, &|_| String::new()).is_ok()
    }

    /// As [`Check::spending`]; `name` is what messages call the texts, and each error is about one of these.
    pub(crate) fn read_spending(
        &self,
        request: &ResourceRequest,
        name: &dyn Fn(ResourceText) -> String,
    ) -> Result<Terms, Vec<(ResourceText, Diagnostic)>> {
        let mut reading = Reading::new(self, name);
        let outlay = reading.outlay(request);
        let utility = reading.utility(request.utility.as_deref());
        match (outlay, utility) {
            (Some(outlay), Some(utility)) if reading.errors.is_empty() => Ok(Terms {
                outlay,
                utility,
                variables: reading.variables,
            }),
            _ => Err(reading.errors),
        }
    }
}

/// How one resource is spent, and what the outcome is worth.
pub(crate) struct Terms {
    pub(crate) outlay: Outlay,
    pub(crate) utility: Utility,
    /// The variables of the check, if the utility binds more than it has.
    variables: Option<Vec<Variable>>,
}

/// A request that is being read.
struct Reading<'r> {
    check: &'r Check,
    variables: Option<Vec<Variable>>,
    name: &'r dyn Fn(ResourceText) -> String,
    errors: Vec<(ResourceText, Diagnostic)>,
}

/// An error about a whole text.
fn whole(origin: &str, text: &str, message: impl Into<String>) -> Diagnostic {
    let source = Source::new(origin, text);
    Diagnostic::new(&source, Span::new(0, text.len()), message)
}

impl<'r> Reading<'r> {
    fn new(check: &'r Check, name: &'r dyn Fn(ResourceText) -> String) -> Self {
        Self {
            check,
            variables: None,
            name,
            errors: Vec::new(),
        }
    }
}

impl Reading<'_> {
    /// How points are spent; none if something is wrong with the axis.
    fn outlay(&mut self, request: &ResourceRequest) -> Option<Outlay> {
        let axis = self.axis(&request.axis);
        let spent = request.spent.as_deref().and_then(|text| self.spent(text));
        let policy = request.policy.as_deref().and_then(|text| self.policy(text));
        if let (Some(axis), Some((other, _))) = (axis, policy)
            && axis == other
        {
            let message = "what tells ways of spending apart is another axis";
            let text = request.policy.as_deref().unwrap_or_default();
            self.push(
                ResourceText::Policy,
                text,
                message,
                "this one says how much",
            );
        }
        Some(Outlay {
            axis: axis?,
            spent,
            policy,
        })
    }

    /// Reports a whole text.
    fn push(&mut self, part: ResourceText, text: &str, message: impl Into<String>, label: &str) {
        let error = self.whole(part, text, message).with_label(label);
        self.errors.push((part, error));
    }

    fn whole(&self, part: ResourceText, text: &str, message: impl Into<String>) -> Diagnostic {
        whole(&(self.name)(part), text, message)
    }

    /// Reports a name that is none of `known`.
    fn unknown(&mut self, part: ResourceText, text: &str, message: String, known: &[&str]) {
        let error = self.whole(part, text, message);
        let error = match nearest(text, known.iter().copied()) {
            Some(near) => error.meant(near),
            None => error.with_label("unknown").with_help(there_are(known)),
        };
        self.errors.push((part, error));
    }

    /// Reports what could be there, and is not.
    fn without(&mut self, part: ResourceText, text: &str, message: String, help: String) {
        let error = self.whole(part, text, message);
        self.errors
            .push((part, error.with_label("not shown").with_help(help)));
    }

    /// The axis that says how many points may be spent.
    fn axis(&mut self, text: &str) -> Option<InputId> {
        let name = text.trim();
        let is_axis = |id: &InputId| self.check.inputs[id.0].role == Role::Axis;
        let Some(id) = self.check.input(name).filter(is_axis) else {
            let axes = self.check.inputs.iter();
            let axes = axes.filter(|input| input.role == Role::Axis);
            let known: Vec<&str> = axes.map(|axis| axis.name.as_str()).collect();
            let message = format!("`{}` has no axis `{text}`", self.check.name);
            self.unknown(ResourceText::Axis, text, message, &known);
            return None;
        };
        let domain = &self.check.inputs[id.0].domain;
        let wrong = match domain {
            Domain::Choice(_) => Some("is no number of points"),
            Domain::Range(..) if !domain.contains(0) => Some("can't be 0, for nothing spent"),
            Domain::Range(..) => None,
        };
        if let Some(wrong) = wrong {
            let label = format!("legal: {}", domain.describe());
            self.push(
                ResourceText::Axis,
                text,
                format!("`{name}` {wrong}"),
                &label,
            );
            return None;
        }
        Some(id)
    }

    /// The number that is shown of what was spent.
    fn spent(&mut self, text: &str) -> Option<VarId> {
        if let Some(round) = self.check.own_round() {
            return self.spent_in(round, text);
        }
        let is_number = |kind: &OutcomeKind| *kind == OutcomeKind::Observable;
        let mut shown = self.check.outcomes.iter();
        let found = shown.find(|outcome| outcome.name == text.trim() && is_number(&outcome.kind));
        let found = found.map(|outcome| outcome.var);
        if found.is_none() {
            let numbers = self.check.outcomes.iter();
            let numbers = numbers.filter(|outcome| is_number(&outcome.kind));
            let known: Vec<&str> = numbers.map(|outcome| outcome.name.as_str()).collect();
            let message = format!("`{}` has no number `{text}`", self.check.name);
            match self.hidden(text.trim()) {
                Some(help) => self.without(ResourceText::Spent, text, message, help),
                None => self.unknown(ResourceText::Spent, text, message, &known),
            }
        }
        found
    }

    /// How a number that is rolled or chosen and not shown is shown; none if there is no such one.
    fn hidden(&self, name: &str) -> Option<String> {
        if self
            .check
            .outcomes
            .iter()
            .any(|outcome| outcome.name == name)
        {
            return None;
        }
        let program = self.check.program();
        let bound = bound_in(program.statements());
        let mut numbers = bound.iter().map(|var| program.variable(*var));
        let found = numbers.find(|variable| !variable.is_pool() && variable.name() == name)?;
        let (line, column) = self.check.source.line_column(found.span().start);
        let file = &self.check.source.name;
        Some(format!(
            "it is bound at {file}:{line}:{column} and not shown: write `show {name}` below that"
        ))
    }

    /// The number that a round of a track binds of what was spent, such as one that its check shows.
    fn spent_in(&mut self, round: &[Statement], text: &str) -> Option<VarId> {
        let program = self.check.program();
        let bound = round.iter().filter_map(|statement| match statement {
            Statement::Let { var, .. } if !program.variable(*var).is_pool() => Some(*var),
            _ => None,
        });
        let found = bound
            .clone()
            .find(|var| program.variable(*var).name() == text.trim());
        if found.is_none() {
            let mut known: Vec<&str> = bound.map(|var| program.variable(var).name()).collect();
            known.dedup();
            let message = format!("no round of `{}` has a number `{text}`", self.check.name);
            self.unknown(ResourceText::Spent, text, message, &known);
        }
        found
    }

    /// The axis of the ways to spend, and the value that leaves it to the player.
    fn policy(&mut self, text: &str) -> Option<(InputId, i64)> {
        let mut config = self.check.defaults();
        if let Err(error) = self
            .check
            .set(&mut config, text, &(self.name)(ResourceText::Policy))
        {
            self.errors.push((ResourceText::Policy, error));
            return None;
        }
        let name = text.split('=').next().unwrap_or_default().trim();
        let is_axis = |id: &InputId| self.check.inputs[id.0].role == Role::Axis;
        let Some(id) = self.check.input(name).filter(is_axis) else {
            let message = format!("`{name}` is no axis");
            self.push(
                ResourceText::Policy,
                text,
                message,
                "ways to spend differ from roll to roll",
            );
            return None;
        };
        Some((id, config[id]))
    }

    /// What the outcome is worth.
    fn utility(&mut self, text: Option<&str>) -> Option<Utility> {
        let Some(text) = text else {
            return self.by_rank();
        };
        if items(text).iter().any(|(_, item)| sides(item).is_some()) {
            return self.by_bands(text);
        }
        let name = (self.name)(ResourceText::Utility);
        match self.check.read_measure(text, &name, Asked::Utility) {
            Ok((measure, variables)) => {
                self.variables = Some(variables);
                Some(Utility::Measure(measure))
            }
            Err(errors) => {
                let errors = errors
                    .0
                    .into_iter()
                    .map(|error| (ResourceText::Utility, error));
                self.errors.extend(errors);
                None
            }
        }
    }

    /// Each band is worth one more than the one before.
    fn by_rank(&mut self) -> Option<Utility> {
        let Some((_, bands)) = self.check.band() else {
            let message = format!("`{}` has no bands to be worth something", self.check.name);
            let help = "say what its outcome is worth: an expression over what it shows";
            let error = self
                .whole(ResourceText::Utility, "", message)
                .with_help(help);
            self.errors.push((ResourceText::Utility, error));
            return None;
        };
        let count = i64::try_from(bands.labels().len()).expect("a few bands");
        Some(Utility::Bands((0..count).map(Number::whole).collect()))
    }

    /// `Miss=0, Hit=5/2`; bands that are not named are worth nothing.
    fn by_bands(&mut self, text: &str) -> Option<Utility> {
        let labels = self.check.band().map(|(_, bands)| bands.labels().to_vec());
        let Some(labels) = labels else {
            let message = format!("`{}` has no bands", self.check.name);
            self.push(ResourceText::Utility, text, message, "this is by bands");
            return None;
        };
        let mut worth: Vec<Option<Number>> = vec![None; labels.len()];
        let source = Source::new((self.name)(ResourceText::Utility), text);
        for (start, item) in items(text) {
            if let Err((message, label)) = one_band(item, &labels, &mut worth) {
                let at = start + item.len() - item.trim_start().len();
                let span = Span::new(at, at + item.trim().len());
                let error = Diagnostic::new(&source, span, message).with_label(label);
                self.errors.push((ResourceText::Utility, error));
            }
        }
        let worth = worth.into_iter();
        let worth = worth.map(|number| number.unwrap_or_else(|| Number::whole(0)));
        Some(Utility::Bands(worth.collect()))
    }
}

/// Reads `Hit=2`; else what is wrong with it, and a few words more.
fn one_band(
    item: &str,
    labels: &[String],
    worth: &mut [Option<Number>],
) -> Result<(), (String, String)> {
    let (name, value) = sides(item).ok_or_else(|| {
        let message = format!("`{}` is not BAND=NUMBER", item.trim());
        (message, "such as Hit=2".to_owned())
    })?;
    let Some(at) = labels.iter().position(|label| label == name) else {
        let label = match nearest(name, labels.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the bands are {}", labels.join(", ")),
        };
        return Err((format!("there is no band `{name}`"), label));
    };
    let number = parse(value)
        .map_err(|label| (format!("`{value}` is no exact number"), label.to_owned()))?;
    match worth[at].replace(number.number) {
        None => Ok(()),
        Some(_) => Err((format!("`{name}` is worth something twice"), String::new())),
    }
}

/// The parts of a list with commas, and where each begins.
pub(crate) fn items(text: &str) -> Vec<(usize, &str)> {
    let mut start = 0;
    let item = |item: &'_ str| {
        let at = start;
        start += item.len() + 1;
        at
    };
    let starts: Vec<usize> = text.split(',').map(item).collect();
    starts.into_iter().zip(text.split(',')).collect()
}

/// Both sides of an `=` that is no part of a comparison.
pub(crate) fn sides(item: &str) -> Option<(&str, &str)> {
    let (name, value) = item.split_once('=')?;
    let compares = value.starts_with('=') || name.ends_with(['<', '>', '!']);
    (!compares).then(|| (name.trim(), value.trim()))
}
