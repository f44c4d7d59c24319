//! What stands on either side, and the axes along which both are compared.

use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, Config, Domain, Input, InputRange};

use super::axes::SweptAxis;
use crate::{CompareRequest, Error, Game, Settings, settings};

/// What the sides are called.
pub const SIDES: [&str; 2] = ["A", "B"];
/// What both sides are called together.
pub const BOTH: &str = "both";

/// The two sides of a comparison.
#[derive(Clone, Debug)]
pub(super) struct Sides {
    titles: [String; 2],
    pub(super) rulesets: [String; 2],
    pub(super) checks: [Check; 2],
    pub(super) configs: [Config; 2],
    pub(super) axes: Vec<Axis>,
    /// What is worth knowing beside the answer.
    pub(super) notes: Vec<String>,
}

/// A swept axis; at least one side has it.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    pub(super) shown: SweptAxis,
    /// Its values on each side.
    pub(super) ranges: [Option<InputRange>; 2],
}

impl Sides {
    /// Both checks, what is set, and what is swept.
    pub(super) fn new(
        games: [&Game; 2],
        checks: [Check; 2],
        request: &CompareRequest,
    ) -> Result<Self, Error> {
        let mut notes = Vec::new();
        let configs = configs(&checks, request, &mut notes)?;
        let axes = axes(&checks, request, &mut notes)?;
        Ok(Self {
            titles: [0, 1].map(|side| games[side].title_of(&checks[side])),
            rulesets: games.map(|game| game.name().to_owned()),
            checks,
            configs,
            axes,
            notes,
        })
    }

    /// What both are called, or the one against the other.
    pub(super) fn title(&self) -> String {
        let [a, b] = &self.titles;
        if a == b {
            a.clone()
        } else {
            format!("{a} against {b}")
        }
    }

    /// What is set for both sides alike, as far as it `is_told`, and what A and B are.
    pub(super) fn settings(
        &self,
        is_told: impl Fn(&Input, i64) -> bool,
    ) -> Vec<(&'static str, String)> {
        let mut both = Vec::new();
        let mut own: [Vec<String>; 2] = [0, 1].map(|side| self.source(side));
        for side in [0, 1] {
            for (at, input) in self.checks[side].inputs.iter().enumerate() {
                let value = self.configs[side][InputId(at)];
                let word = input.told_with_title(value);
                let is_told = is_told(input, value);
                match (
                    self.is_swept(&input.name),
                    self.value(1 - side, &input.name),
                ) {
                    (true, _) => {}
                    (_, Some(other)) if other == input.domain.show(value) => {
                        both.extend((side == 0 && is_told).then_some(word));
                    }
                    (_, Some(_)) => own[side].push(word),
                    (_, None) => own[side].extend(is_told.then_some(word)),
                }
            }
        }
        let [a, b] = own;
        let lines = [BOTH, SIDES[0], SIDES[1]].into_iter();
        let lines = lines.zip(settings::in_turns(vec![both, a, b]));
        lines.filter(|(_, words)| !words.is_empty()).collect()
    }

    /// Which of two different rulesets or checks a side is.
    fn source(&self, side: usize) -> Vec<String> {
        let [name, other] = [side, 1 - side]
            .map(|side| format!("{}:{}", self.rulesets[side], self.checks[side].name));
        (name != other).then_some(name).into_iter().collect()
    }

    fn is_swept(&self, name: &str) -> bool {
        self.axes.iter().any(|axis| axis.shown.name == name)
    }

    /// The value of an input as a user writes it, if a side has it.
    fn value(&self, side: usize, name: &str) -> Option<String> {
        let check = &self.checks[side];
        let id = check.input(name)?;
        Some(check.inputs[id.0].domain.show(self.configs[side][id]))
    }
}

/// The configurations: what is set for both, then what is set for B alone.
fn configs(
    checks: &[Check; 2],
    request: &CompareRequest,
    notes: &mut Vec<String>,
) -> Result<[Config; 2], Error> {
    let mut own = [Settings::default(), Settings::default()];
    for (text, set) in request.settings.each() {
        let name = name_of(text);
        let known = checks.each_ref().map(|check| has(check, name));
        for side in [0, 1] {
            // What neither side has is A's error.
            if known[side] || !known[1 - side] && side == 0 {
                own[side].extend(set.clone());
            } else if known[1 - side] {
                notes.push(format!(
                    "{} has no `{name}`: `--set {text}` is for {} alone",
                    SIDES[side],
                    SIDES[1 - side]
                ));
            }
        }
    }
    own[1].extend(request.with.clone());
    let [a, b] = own;
    Ok([a.config(&checks[0])?, b.config(&checks[1])?])
}

/// The name before `=`.
fn name_of(assignment: &str) -> &str {
    assignment.split('=').next().unwrap_or_default().trim()
}

/// Whether there is an input, or a list of inputs, of that name.
fn has(check: &Check, name: &str) -> bool {
    check.inputs.iter().any(|input| {
        let rest = input.name.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
    })
}

/// The axes in the order asked; those that only B has come last.
fn axes(
    checks: &[Check; 2],
    request: &CompareRequest,
    notes: &mut Vec<String>,
) -> Result<Vec<Axis>, Error> {
    let [a, b] = checks;
    let sweeps = &request.sweeps;
    for sweep in sweeps {
        let mut with = request.with.texts();
        if let Some(set) = with.find(|set| name_of(set) == name_of(sweep)) {
            let name = name_of(sweep);
            let message = format!("`{name}` is both swept and set for B (`--with {set}`)");
            return Err(Error::advice(message, "drop one of the two"));
        }
    }
    // `all` leaves alone what is set, on either side.
    let sets = request.settings.texts().chain(request.with.texts());
    let sets: Vec<String> = sets.map(str::to_owned).collect();
    let is_only_b = |sweep: &String| !has(a, name_of(sweep)) && has(b, name_of(sweep));
    let (theirs, ours): (Vec<String>, Vec<String>) = sweeps.iter().cloned().partition(is_only_b);
    let mut axes = Vec::new();
    for range in settings::ranges(a, &ours, &sets)? {
        axes.push(axis([a, b], 0, &range, notes)?);
    }
    for range in settings::ranges(b, &theirs, &sets)? {
        axes.push(axis([a, b], 1, &range, notes)?);
    }
    if sweeps.iter().any(|sweep| sweep.trim() == "all") {
        notes.extend(only_b([a, b], &axes, &sets));
    }
    Ok(axes)
}

/// What B sweeps by itself and A can't: axes that are left at their defaults, and values that are left out.
fn only_b([a, b]: [&Check; 2], axes: &[Axis], sets: &[String]) -> Vec<String> {
    let is_free = |name: &str| {
        !sets.iter().any(|set| name_of(set) == name)
            && !axes.iter().any(|axis| axis.shown.name == name)
    };
    let note = |range: InputRange| {
        let input = &b.inputs[range.input.0];
        let name = &input.name;
        let Some(id) = a.input(name) else {
            let default = input.domain.show(input.default);
            let note = format!("A has no `{name}`: in B it is {default}, unless it is swept too");
            return is_free(name).then_some(note);
        };
        let domain = &a.inputs[id.0].domain;
        let texts = range.values.iter().map(|value| input.domain.show(*value));
        let lacking: Vec<String> = texts.filter(|text| place(domain, text).is_none()).collect();
        let is_swept = axes.iter().any(|axis| axis.shown.name == *name);
        let lacking_note = || {
            let lacking = lacking.join(",");
            format!("{name}={lacking} is left out: A does not have it")
        };
        (is_swept && !lacking.is_empty()).then(lacking_note)
    };
    b.default_sweep().into_iter().filter_map(note).collect()
}

/// An axis that a side has, with those of its values that the other side has too, if it has the axis.
fn axis(
    checks: [&Check; 2],
    side: usize,
    range: &InputRange,
    notes: &mut Vec<String>,
) -> Result<Axis, Error> {
    let other = 1 - side;
    let input = &checks[side].inputs[range.input.0];
    let (values, theirs) = match checks[other].input(&input.name) {
        Some(id) => {
            let domain = &checks[other].inputs[id.0].domain;
            let (ours, values) = shared(input, &range.values, domain, SIDES[other], notes)?;
            (ours, Some(InputRange::new(id, values)))
        }
        None => {
            let (other, name) = (SIDES[other], &input.name);
            notes.push(format!(
                "{other} has no `{name}`: it is the same for all its values"
            ));
            (range.values.clone(), None)
        }
    };
    let mut axis = Axis {
        shown: SweptAxis::new(checks[side], range.input, &values),
        ranges: [None, None],
    };
    let input = range.input;
    axis.ranges[side] = Some(InputRange::new(input, values));
    axis.ranges[other] = theirs;
    Ok(axis)
}

/// The values that are legal on the other side as well: as they are here, and as they are there.
fn shared(
    input: &Input,
    values: &[i64],
    domain: &Domain,
    other: &str,
    notes: &mut Vec<String>,
) -> Result<(Vec<i64>, Vec<i64>), Error> {
    let name = &input.name;
    let (mut ours, mut theirs, mut lacking) = (Vec::new(), Vec::new(), Vec::new());
    for value in values {
        let text = input.domain.show(*value);
        match place(domain, &text) {
            Some(place) => {
                ours.push(*value);
                theirs.push(place);
            }
            None => lacking.push(text),
        }
    }
    if ours.is_empty() {
        let message = format!("no value of `{name}` is legal in both A and B");
        let help = format!("in {other} it is {}", domain.describe());
        return Err(Error::advice(message, help));
    }
    if !lacking.is_empty() {
        let lacking = lacking.join(",");
        notes.push(format!(
            "{name}={lacking} is left out: {other} does not have it"
        ));
    }
    Ok((ours, theirs))
}

/// The value that a user writes like this, if it is legal.
fn place(domain: &Domain, text: &str) -> Option<i64> {
    match domain {
        Domain::Choice(choice) => choice.place(text),
        Domain::Range(..) => text.parse().ok().filter(|value| domain.contains(*value)),
    }
}
