//! Rulesets whose checks and tracks play one another, up to four deep, from checks and from tracks.
//!
//! A ruleset is drawn as drafts, whose names are places in what is in scope, so that whatever they are shrunk to is
//! well formed. It is written as text; [`played`] knows its odds without reading the text.

pub mod played;

use proptest::prelude::*;

const AXES: [&str; 3] = ["a", "b", "c"];

/// A number.
#[derive(Clone, Debug)]
pub(super) enum Num {
    Plain(i64),
    Axis(usize),
    /// The place of a name among those of its check, and how it is written.
    Name(usize, String),
    Die(u8),
    Infix(char, Box<Num>, Box<Num>),
    /// `if a < b then c else d`
    If(Box<[Num; 4]>),
    Call(Call, usize),
    /// So many dice whose faces are the results of a roll.
    Dice(u8, Box<Num>),
}

/// What is played by another check.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) callee: usize,
    pub(super) given: Vec<(usize, Num)>,
    /// Whether `..` passes on the caller's axes.
    pub(super) rest: bool,
    /// Whether it says that nothing is left to choose, as its default does.
    is_settled: bool,
}

#[derive(Clone, Debug)]
pub(super) enum Step {
    Let(Num),
    Record(Call),
    /// A choice of which every call leaves one option.
    Choose(i64),
}

/// How a track goes on: a round adds 2 to what it has come to if its `s0 < s1`, else 0 or 1. It is over at 2 or more.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rounds {
    /// As long as it takes: it shows the last `s0`, and what it has come to.
    UntilFull,
    /// So many at most: it shows the last `s0`, and the number of rounds.
    AtMost(i64),
}

/// A check or a track that shows `s0` and `s1`.
#[derive(Clone, Debug)]
pub struct Check {
    /// None if it is a check.
    pub(super) rounds: Option<Rounds>,
    /// The defaults of the axes that it has, inherited ones included.
    pub(super) axes: [Option<i64>; 3],
    own: [Option<i64>; 3],
    inherit: Option<usize>,
    /// Whether it has the axis `open`: 1 would leave more than one option of each choice, its own or of the one that it inherits.
    has_open: bool,
    pub(super) steps: Vec<Step>,
    pub(super) shows: [Num; 2],
}

/// Where a number stands: the sides of dice are fixed, and `d[…]` reads nothing that was rolled outside of it.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Free,
    InDie,
    /// What the axis `a` is given: it is fixed in every play.
    Fixed,
}

/// A number as it is drawn.
#[derive(Clone, Debug)]
enum Draft {
    Plain(i64),
    Axis(usize),
    Name(usize),
    Die(u8),
    Infix(char, Box<Draft>, Box<Draft>),
    If(Box<[Draft; 4]>),
    Call(Box<CallDraft>, usize),
    Dice(u8, Box<Draft>),
}

#[derive(Clone, Debug)]
struct CallDraft {
    callee: usize,
    given: Vec<(usize, Draft)>,
    rest: bool,
}

#[derive(Clone, Debug)]
enum StepDraft {
    Let(Draft),
    Record(CallDraft),
    Choose(i64),
}

#[derive(Clone, Debug)]
struct CheckDraft {
    rounds: Option<Rounds>,
    own: [Option<i64>; 3],
    inherit: Option<usize>,
    steps: Vec<StepDraft>,
    shows: [Draft; 2],
}

fn call(depth: u32) -> impl Strategy<Value = CallDraft> {
    let given = prop::collection::vec((0_usize..3, draft(depth)), 0..3);
    (0_usize..6, given, prop::bool::weighted(0.8)).prop_map(|(callee, given, rest)| CallDraft {
        callee,
        given,
        rest,
    })
}

fn draft(depth: u32) -> BoxedStrategy<Draft> {
    let leaf = prop_oneof![
        1 => (-2_i64..4).prop_map(Draft::Plain),
        4 => (0_usize..3).prop_map(Draft::Axis),
        2 => (0_usize..6).prop_map(Draft::Name),
        1 => (2_u8..4).prop_map(Draft::Die),
    ];
    if depth == 0 {
        return leaf.boxed();
    }
    let some = || draft(depth - 1);
    let boxed = || some().prop_map(Box::new);
    let infix = prop::sample::select(vec!['+', '-', '*']);
    prop_oneof![
        3 => leaf,
        2 => (infix, boxed(), boxed()).prop_map(|(op, a, b)| Draft::Infix(op, a, b)),
        1 => [some(), some(), some(), some()].prop_map(|parts| Draft::If(Box::new(parts))),
        4 => (call(depth - 1), 0_usize..2)
            .prop_map(|(call, field)| Draft::Call(Box::new(call), field)),
        2 => (1_u8..3, boxed()).prop_map(|(count, of)| Draft::Dice(count, of)),
    ]
    .boxed()
}

fn check() -> impl Strategy<Value = CheckDraft> {
    let axis = || prop::option::weighted(0.6, -2_i64..4);
    let step = prop_oneof![
        2 => draft(2).prop_map(StepDraft::Let),
        2 => call(1).prop_map(StepDraft::Record),
        1 => (-2_i64..4).prop_map(StepDraft::Choose),
    ];
    let steps = prop::collection::vec(step, 0..3);
    let inherit = prop::option::of(0_usize..6);
    let rounds = prop_oneof![Just(Rounds::UntilFull), (1_i64..4).prop_map(Rounds::AtMost)];
    let parts = (
        prop::option::weighted(0.4, rounds),
        [axis(), axis(), axis()],
        inherit,
        steps,
        [draft(2), draft(1)],
    );
    parts.prop_map(|(rounds, own, inherit, steps, shows)| CheckDraft {
        rounds,
        own,
        inherit,
        steps,
        shows,
    })
}

/// Checks and tracks of which each plays only those before it; the last one is a check, which nobody plays.
pub fn checks() -> impl Strategy<Value = Vec<Check>> {
    prop::collection::vec(check(), 2..6).prop_map(|drafts| {
        let mut checks = Vec::new();
        for draft in &drafts {
            let check = Scope::new(draft, &checks).check(draft);
            checks.push(check);
        }
        let last: Option<&mut Check> = checks.last_mut();
        last.into_iter().for_each(Check::ask);
        checks
    })
}

impl Check {
    /// Makes it the check that is asked about: it has no rounds, and what it would choose by itself it binds.
    fn ask(&mut self) {
        self.rounds = None;
        for step in &mut self.steps {
            if let Step::Choose(only) = step {
                *step = Step::Let(Num::Plain(*only));
            }
        }
    }

    fn chooses(&self) -> bool {
        self.steps
            .iter()
            .any(|step| matches!(step, Step::Choose(_)))
    }
}

/// What can be named in a check while it is made of its draft.
struct Scope<'c> {
    checks: &'c [Check],
    axes: [Option<i64>; 3],
    names: Vec<String>,
}

/// The item at a place, counted round and round.
fn round<T: Clone>(items: &[T], at: usize) -> Option<T> {
    (!items.is_empty()).then(|| items[at % items.len()].clone())
}

/// The axes that there are.
fn present(axes: &[Option<i64>; 3]) -> Vec<usize> {
    (0..3).filter(|&axis| axes[axis].is_some()).collect()
}

impl<'c> Scope<'c> {
    fn new(draft: &CheckDraft, checks: &'c [Check]) -> Self {
        let inherited = draft.inherit.and_then(|at| round(checks, at));
        let inherited = inherited.map_or([None; 3], |check| check.axes);
        let axes = [0, 1, 2].map(|axis| draft.own[axis].or(inherited[axis]));
        Self {
            checks,
            axes,
            names: Vec::new(),
        }
    }

    fn check(mut self, draft: &CheckDraft) -> Check {
        let steps = draft.steps.iter().map(|step| self.step(step)).collect();
        let first = self.num(&draft.shows[0], Place::Free);
        self.names.push("s0".to_owned());
        let shows = [first, self.num(&draft.shows[1], Place::Free)];
        let callees = self.checks.len();
        let inherit = draft.inherit.filter(|_| callees > 0).map(|at| at % callees);
        let mut check = Check {
            rounds: draft.rounds,
            axes: self.axes,
            own: draft.own,
            inherit,
            has_open: inherit.is_some_and(|at| self.checks[at].has_open),
            steps,
            shows,
        };
        check.has_open |= check.chooses();
        check
    }

    fn step(&mut self, step: &StepDraft) -> Step {
        let at = self.names.len();
        match step {
            StepDraft::Record(call) if !self.checks.is_empty() => {
                let call = self.call(call, Place::Free);
                self.names
                    .extend([format!("v{at}.s0"), format!("v{at}.s1")]);
                Step::Record(call)
            }
            StepDraft::Record(_) => {
                self.names.push(format!("v{at}"));
                Step::Let(Num::Die(3))
            }
            StepDraft::Choose(only) => {
                self.names.push(format!("v{at}"));
                Step::Choose(*only)
            }
            StepDraft::Let(num) => {
                let num = self.num(num, Place::Free);
                self.names.push(format!("v{at}"));
                Step::Let(num)
            }
        }
    }

    fn num(&self, draft: &Draft, place: Place) -> Num {
        let part = |draft: &Draft| Box::new(self.num(draft, place));
        match draft {
            Draft::Plain(value) => Num::Plain(*value),
            Draft::Axis(at) if place == Place::Free => {
                round(&present(&self.axes), *at).map_or(Num::Plain(1), Num::Axis)
            }
            Draft::Axis(_) => self.axes[0].map_or(Num::Plain(2), |_| Num::Axis(0)),
            Draft::Name(at) if place == Place::Free && !self.names.is_empty() => {
                let at = at % self.names.len();
                Num::Name(at, self.names[at].clone())
            }
            Draft::Name(_) => Num::Plain(1),
            Draft::Infix(op, a, b) => Num::Infix(*op, part(a), part(b)),
            Draft::If(parts) => Num::If(Box::new(parts.each_ref().map(|of| self.num(of, place)))),
            Draft::Die(sides) | Draft::Dice(sides, _) if place == Place::Fixed => {
                Num::Plain(i64::from(*sides))
            }
            Draft::Die(sides) => Num::Die(*sides),
            Draft::Dice(count, of) => Num::Dice(*count, Box::new(self.num(of, Place::InDie))),
            Draft::Call(..) if place == Place::Fixed => Num::Plain(2),
            Draft::Call(..) if self.checks.is_empty() => Num::Die(2),
            Draft::Call(call, field) => Num::Call(self.call(call, place), *field),
        }
    }

    fn call(&self, call: &CallDraft, place: Place) -> Call {
        let callee = call.callee % self.checks.len();
        let axes = self.checks[callee].axes;
        let mut given: Vec<(usize, Num)> = Vec::new();
        let is_given = |given: &[(usize, Num)], axis| given.iter().any(|(known, _)| *known == axis);
        for (at, value) in &call.given {
            let Some(axis) = round(&present(&axes), *at) else {
                continue;
            };
            if !is_given(&given, axis) {
                let place = if axis == 0 { Place::Fixed } else { place };
                given.push((axis, self.num(value, place)));
            }
        }
        if place == Place::InDie && call.rest {
            // What the caller has there may have been rolled outside of the die.
            for axis in [1, 2] {
                if axes[axis].and(self.axes[axis]).is_some() && !is_given(&given, axis) {
                    given.push((axis, Num::Die(2)));
                }
            }
        }
        Call {
            callee,
            given,
            rest: call.rest,
            is_settled: call.rest && self.checks[callee].has_open,
        }
    }
}

/// The axes of a play of the last check, and how they are set.
///
/// # Panics
/// If there is no check.
#[must_use]
pub fn settings(checks: &[Check], values: [i64; 3]) -> (played::Axes, String) {
    let has = checks.last().expect("there are some").axes;
    let axes = [0, 1, 2].map(|axis| has[axis].map(|_| values[axis]));
    let set = AXES.iter().zip(axes);
    let set = set.filter_map(|(name, value)| Some(format!("{name}={}", value?)));
    (axes, set.collect::<Vec<_>>().join(" "))
}

/// The text of the ruleset; the last check is `main`, or a round of the track `main`.
#[must_use]
pub fn text(checks: &[Check], as_track: bool) -> String {
    let mut text = "name = \"Calls\"\n".to_owned();
    let last = checks.len() - 1;
    for (at, check) in checks.iter().enumerate() {
        let is_round = as_track && at == last;
        text += &match (at == last, is_round) {
            (true, true) => "[tracks.main]\n".to_owned(),
            (true, false) => "[checks.main]\n".to_owned(),
            _ if check.rounds.is_some() => format!("[tracks.c{at}]\n"),
            _ => format!("[checks.c{at}]\n"),
        };
        if let Some(parent) = check.inherit {
            text += &format!("inherit = [\"c{parent}\"]\n");
        }
        for (name, default) in AXES.iter().zip(check.own) {
            if let Some(default) = default {
                text += &format!("axes.{name} = {{ domain = \"-9..=9\", default = {default} }}\n");
            }
        }
        if check.chooses() {
            text += "maximise = \"s0\"\naxes.open = { domain = \"0..=1\", default = 0 }\n";
        }
        text += &format!("rules = '''\n{}'''\n", script(check, is_round));
    }
    text
}

fn script(check: &Check, is_round: bool) -> String {
    let mut lines = Vec::new();
    let mut names = 0;
    for step in &check.steps {
        let (line, more) = match step {
            Step::Let(num) => (format!("let v{names} = {}", written(num)), 1),
            Step::Record(call) => (format!("let v{names} = {}", written_call(call)), 2),
            Step::Choose(only) => (chosen(names, *only), 1),
        };
        lines.push(line);
        names += more;
    }
    let keyword = match is_round || check.rounds.is_some() {
        true => "let",
        false => "show",
    };
    for (at, shown) in check.shows.iter().enumerate() {
        lines.push(format!("{keyword} s{at} = {}", written(shown)));
    }
    let lines = lines.join("\n");
    if is_round {
        let gain = "set full = full + (if s0 < s1 then 1 else 2)";
        return format!(
            "let full = 0\nrepeat until full >= 3 {{\n{lines}\n{gain}\n}}\nshow end = full\n"
        );
    }
    let (end, shown) = match check.rounds {
        None => return lines + "\n",
        Some(Rounds::UntilFull) => (String::new(), "full"),
        Some(Rounds::AtMost(most)) => (format!(" or rolls == {most}"), "rolls"),
    };
    let gain = "set full = full + (if s0 < s1 then 2 else 1d2 - 1)\nset last = s0";
    format!(
        "let full = 0\nlet last = 0\nrepeat until full >= 2{end} {{\n{lines}\n{gain}\n}}\nshow s0 = last\nshow s1 = {shown}\n"
    )
}

/// A choice of one number, or of three if the axis `open` says so.
fn chosen(name: usize, only: i64) -> String {
    format!(
        "choose v{name} in {only}..={only} + (if open == 1 and not (open < {only}) then 2 else 0)"
    )
}

fn written(num: &Num) -> String {
    match num {
        Num::Plain(value) => format!("({value})"),
        Num::Axis(axis) => AXES[*axis].to_owned(),
        Num::Name(_, name) => name.clone(),
        Num::Die(sides) => format!("1d{sides}"),
        Num::Infix(op, a, b) => format!("({} {op} {})", written(a), written(b)),
        Num::If(parts) => {
            let [a, b, yes, no] = parts.each_ref().map(written);
            format!("(if {a} < {b} then {yes} else {no})")
        }
        Num::Call(call, field) => format!("{}.s{field}", written_call(call)),
        Num::Dice(count, of) => format!("{count}d[{}]", written(of)),
    }
}

fn written_call(call: &Call) -> String {
    let given = call.given.iter();
    let given = given.map(|(axis, value)| format!("{} = {}", AXES[*axis], written(value)));
    let settled = call.is_settled.then(|| "open = 0".to_owned());
    let rest = call.rest.then(|| "..".to_owned());
    let args: Vec<String> = given.chain(settled).chain(rest).collect();
    format!("c{}({})", call.callee, args.join(", "))
}
