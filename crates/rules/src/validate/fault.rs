//! Whether a hazard strikes in a situation, and what is said about it.

use crate::check::{Check, Domain};
use crate::coverage;
use crate::evaluate::FixedError;
use crate::interval;
use crate::program::{Arm, Expr, FaceRange};
use crate::source::Span;
use crate::validate::hazard::{Amount, Hazard, RangeOf, Rule};
use crate::validate::space::Situation;

/// What goes wrong, without the configuration in which it does.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub(super) span: Span,
    pub(super) what: String,
    pub(super) label: String,
    pub(super) help: &'static str,
    /// An earlier place that matters.
    pub(super) earlier: Option<Span>,
}

impl Fault {
    fn new(span: Span, what: impl Into<String>, value: i64, help: &'static str) -> Self {
        Self {
            span,
            what: what.into(),
            label: format!("this is {value}"),
            help,
            earlier: None,
        }
    }
}

/// The fault, if the hazard is reached and strikes.
pub(super) fn find(hazard: &Hazard<'_>, situation: &Situation<'_>, check: &Check) -> Option<Fault> {
    let mut value = |expr: &Expr| situation.value(expr);
    if !hazard.guards.iter().all(|guard| guard.holds(&mut value)) {
        return None;
    }
    match hazard.rule {
        Rule::Evaluates(expr) => value(expr).err().and_then(|error| unevaluated(&error)),
        Rule::NotZero(expr) => (value(expr).ok()? == 0).then(|| division_by_zero(expr.span)),
        Rule::AtLeast(expr, amount) => {
            let found = value(expr).ok()?;
            (found < amount.least()).then(|| too_few(expr.span, amount, found))
        }
        Rule::Ascending(from, to, what) => {
            let (low, high) = (value(from).ok()?, value(to).ok()?);
            (low > high).then(|| empty(from.span.to(to.span), what, low, high))
        }
        Rule::SomeWeight(faces, span) => {
            let weights = faces.iter().filter_map(|face| face.weight.as_ref());
            let weights: Option<Vec<i64>> = weights.map(|weight| value(weight).ok()).collect();
            let fault = || Fault {
                label: "all weights are 0".to_owned(),
                ..Fault::new(
                    span,
                    "a die with no face",
                    0,
                    "some face needs a weight above 0",
                )
            };
            weights?.iter().all(|weight| *weight == 0).then(fault)
        }
        Rule::SomeFaceStays(die, test) => {
            let stays = Rule::some_face_stays(die, test, &mut value).ok()?;
            let fault = || Fault {
                label: "rerolled for ever".to_owned(),
                ..Fault::new(
                    die.span,
                    "no face is left after this reroll",
                    0,
                    "`ro` rerolls only once",
                )
            };
            (!stays).then(fault)
        }
        Rule::Inside(index, items) => {
            let at = value(index).ok()?;
            let is_inside = usize::try_from(at).is_ok_and(|at| at < items);
            (!is_inside).then(|| outside(index.span, at, items))
        }
        Rule::Holds(count, bag) => {
            let (drawn, in_bag) = (value(count).ok()?, in_bag(bag, situation)?);
            let fault = || {
                let what = format!("{drawn} are drawn from a bag of {in_bag}");
                Fault::new(
                    count.span,
                    what,
                    drawn,
                    "write `min(…, …)` to draw no more than there are",
                )
            };
            (drawn > in_bag).then(fault)
        }
        Rule::Arms {
            subject,
            arms,
            has_else,
        } => unfit_arms(subject, arms, has_else, situation, check),
    }
}

fn empty(span: Span, what: RangeOf, low: i64, high: i64) -> Fault {
    let (what, help) = match what {
        RangeOf::Faces => ("an empty range of faces", "the lower face comes first"),
        RangeOf::Options => (
            "nothing to choose from",
            "let the range hold at least one number, as in `0..=max(0, …)`",
        ),
    };
    Fault {
        label: format!("{low} is above {high}"),
        ..Fault::new(span, what, low, help)
    }
}

fn division_by_zero(span: Span) -> Fault {
    let help = "put an `if` around it that says what the rule is then";
    Fault::new(span, "division by zero", 0, help)
}

fn outside(span: Span, at: i64, items: usize) -> Fault {
    let what = format!("no item {at} in a list of {items}");
    let help = "items count from 0; `clamp(x, low, high)` keeps an index inside";
    Fault::new(span, what, at, help)
}

fn unevaluated(error: &FixedError) -> Option<Fault> {
    let span = error.span();
    Some(match *error {
        FixedError::NotFixed { .. } => return None,
        FixedError::DivisionByZero { .. } => division_by_zero(span),
        FixedError::Overflow { .. } => Fault {
            label: "beyond 64 bits".to_owned(),
            ..Fault::new(
                span,
                "a number that is too large",
                0,
                "smaller domains keep it in range",
            )
        },
        FixedError::OutsideList { index, items, .. } => outside(span, index, items),
        FixedError::NoArm { value, .. } => Fault::new(
            span,
            "no arm of this `match` fits",
            value,
            "add an arm for it, or end with `else: …`",
        ),
    })
}

fn too_few(span: Span, amount: Amount, found: i64) -> Fault {
    let what = match amount {
        Amount::Sides => format!("a die with {found} sides"),
        Amount::Dice => format!("a pool of {found} dice"),
        Amount::Kept => format!("{found} dice to keep or drop"),
        Amount::Place => format!("no die has place {found}"),
        Amount::Depth => format!("a die that explodes {found} times"),
        Amount::Rounds => format!("{found} rounds"),
        Amount::Weight => format!("a face with weight {found}"),
        Amount::Drawn => format!("{found} are drawn"),
    };
    let help = match amount {
        Amount::Sides => {
            "what a null die means is the game's rule: `if sides == 0 then … else d(sides)`"
        }
        Amount::Place => "dice are counted from 1, the highest",
        _ => "write `max(0, …)` where a rule may go below 0",
    };
    Fault::new(span, what, found, help)
}

/// How many the bag holds.
fn in_bag(bag: &[FaceRange], situation: &Situation<'_>) -> Option<i64> {
    bag.iter().try_fold(0_i64, |in_bag, face| {
        let copies = face
            .weight
            .as_ref()
            .map_or(Some(1), |weight| situation.value(weight).ok())?;
        let from = situation.value(&face.from).ok()?;
        let to = face
            .to
            .as_ref()
            .map_or(Some(from), |to| situation.value(to).ok())?;
        let faces = to.checked_sub(from)?.checked_add(1)?.max(0);
        in_bag.checked_add(faces.checked_mul(copies.max(0))?)
    })
}

/// Arms that overlap in part or leave a gap. One that can never be taken is no fault: that a rule is idle
/// in some configuration is common (`<= skill: …, 10: …` at skill 10).
fn unfit_arms(
    subject: &Expr,
    arms: &[Arm],
    has_else: bool,
    situation: &Situation<'_>,
    check: &Check,
) -> Option<Fault> {
    let regions = coverage::regions(arms, |bound| situation.value(bound).ok())?;
    let inputs = &check.inputs;
    let is_fault =
        |problem: &coverage::Problem| !matches!(problem, coverage::Problem::Unreachable { .. });
    let among = |inputs: &[_]| {
        let shapes = interval::shapes(&check.program, inputs);
        let range = match situation.value(subject) {
            Ok(value) => (value, value),
            Err(_) => interval::of(subject, false, &shapes, inputs).faces,
        };
        coverage::problems(&regions, has_else, range)
            .into_iter()
            .find(is_fault)
    };
    let wide = coverage::problems(&regions, has_else, (i64::MIN, i64::MAX));
    if !wide.iter().any(is_fault) {
        return None;
    }
    // What the subject can be in this very configuration is narrower.
    let pinned = inputs
        .iter()
        .zip(situation.config.values())
        .map(|(input, &value)| {
            let domain = Domain::Range(value, value);
            crate::check::Input {
                domain,
                ..input.clone()
            }
        });
    let problem = among(&pinned.collect::<Vec<_>>())?;
    let whole = arms
        .last()
        .map_or(subject.span, |last| subject.span.to(last.value.span));
    let (what, span, earlier) = problem.describe(arms, whole, &|value| value.to_string());
    Some(Fault {
        span,
        what,
        label: String::new(),
        help: problem.help(),
        earlier,
    })
}
