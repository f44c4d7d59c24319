//! What could go wrong at a place of a program, with the conditions under which it is reached.

use crate::evaluate::{FixedError, arm_taken};
use crate::program::{Arm, Die, Expr, FaceRange, Faces, Test};
use crate::source::Span;

/// A place where some configuration may break a rule.
#[derive(Clone, Debug)]
pub(super) struct Hazard<'p> {
    pub(super) rule: Rule<'p>,
    /// It is reached only where all of these hold; what dice decide is left out.
    pub(super) guards: Vec<Guard<'p>>,
    /// The call of the function that it stands in.
    pub(super) call: Option<Span>,
}

/// What must hold there; the expressions are fixed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rule<'p> {
    /// It has a value.
    Evaluates(&'p Expr),
    /// A divisor is not 0.
    NotZero(&'p Expr),
    /// An amount is not below its least value.
    AtLeast(&'p Expr, Amount),
    /// A range of these is not empty.
    Ascending(&'p Expr, &'p Expr, RangeOf),
    /// Some face has a weight.
    SomeWeight(&'p [FaceRange], Span),
    /// Some face is not rerolled.
    SomeFaceStays(&'p Die, &'p Test),
    /// The list of so many items has this place.
    Inside(&'p Expr, usize),
    /// The bag holds as many.
    Holds(&'p Expr, &'p [FaceRange]),
    /// The arms make sense together; the subject may be rolled.
    Arms {
        subject: &'p Expr,
        arms: &'p [Arm],
        has_else: bool,
    },
}

/// What lies in a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RangeOf {
    Faces,
    Options,
}

/// What an amount counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Amount {
    Sides,
    Dice,
    Kept,
    /// The place of the die that `nth` asks for.
    Place,
    Depth,
    Rounds,
    Weight,
    Drawn,
}

impl Amount {
    /// The least that makes sense.
    pub(super) fn least(self) -> i64 {
        i64::from(matches!(self, Self::Sides | Self::Place))
    }
}

/// A condition on inputs.
#[derive(Clone, Copy, Debug)]
pub(super) enum Guard<'p> {
    /// The expression is true, or false.
    Is(&'p Expr, bool),
    /// The arm at this place is the first to take the subject; past the end: none does.
    Takes(&'p Expr, &'p [Arm], usize),
    /// The index is this.
    Item(&'p Expr, usize),
    /// The number is above 0.
    Positive(&'p Expr),
}

impl<'p> Guard<'p> {
    /// Whether it holds, for values from `value`. Where it can't be known it may hold; where it has no
    /// value what it guards is never reached.
    pub(super) fn holds(self, value: &mut dyn FnMut(&Expr) -> Result<i64, FixedError>) -> bool {
        let known = match self {
            Self::Is(condition, wanted) => value(condition).map(|truth| (truth != 0) == wanted),
            Self::Takes(subject, arms, taken) => value(subject)
                .and_then(|subject| arm_taken(arms, subject, value))
                .map(|first| first == taken),
            Self::Item(index, item) => value(index).map(|index| usize::try_from(index) == Ok(item)),
            Self::Positive(number) => value(number).map(|number| number > 0),
        };
        known.unwrap_or_else(|error| matches!(error, FixedError::NotFixed { .. }))
    }

    /// The expressions it reads.
    pub(super) fn parts(self) -> Vec<&'p Expr> {
        match self {
            Self::Is(expr, _) | Self::Item(expr, _) | Self::Positive(expr) => vec![expr],
            Self::Takes(subject, arms, _) => [subject].into_iter().chain(bounds(arms)).collect(),
        }
    }
}

impl<'p> Rule<'p> {
    /// The expressions it reads.
    pub(super) fn parts(self) -> Vec<&'p Expr> {
        match self {
            Self::Evaluates(expr)
            | Self::NotZero(expr)
            | Self::AtLeast(expr, _)
            | Self::Inside(expr, _) => vec![expr],
            Self::Ascending(from, to, _) => vec![from, to],
            Self::SomeWeight(faces, _) => faces.iter().flat_map(FaceRange::parts).collect(),
            Self::Holds(count, bag) => [count]
                .into_iter()
                .chain(bag.iter().flat_map(FaceRange::parts))
                .collect(),
            Self::SomeFaceStays(die, test) => {
                let sides = match &die.faces {
                    Faces::Sides(sides) => Some(sides),
                    Faces::Listed(_) | Faces::Of(_) => None,
                };
                let faces = listed(die).iter().flat_map(FaceRange::parts);
                sides
                    .into_iter()
                    .chain(faces)
                    .chain(test.bounds())
                    .collect()
            }
            Self::Arms { arms, .. } => bounds(arms).collect(),
        }
    }

    /// Whether some face of the die stays, by the values from `value`.
    pub(super) fn some_face_stays(
        die: &Die,
        test: &Test,
        value: &mut dyn FnMut(&Expr) -> Result<i64, FixedError>,
    ) -> Result<bool, FixedError> {
        let mut ranges = Vec::new();
        if let Faces::Sides(sides) = &die.faces {
            ranges.push((1, value(sides)?));
        }
        for range in listed(die) {
            let weight = range.weight.as_ref().map_or(Ok(1), &mut *value)?;
            let from = value(&range.from)?;
            let to = range.to.as_ref().map_or(Ok(from), &mut *value)?;
            if weight > 0 {
                ranges.push((from, to));
            }
        }
        for (from, to) in &ranges {
            for face in *from..=*to {
                if !test.takes(face, value)? {
                    return Ok(true);
                }
            }
        }
        // A die without any face is another fault.
        Ok(ranges.iter().all(|(from, to)| from > to))
    }
}

fn listed(die: &Die) -> &[FaceRange] {
    match &die.faces {
        Faces::Listed(faces) => faces,
        Faces::Sides(_) | Faces::Of(_) => &[],
    }
}

pub(super) fn bounds(arms: &[Arm]) -> impl Iterator<Item = &Expr> {
    arms.iter()
        .flat_map(|arm| &arm.patterns)
        .flat_map(Test::bounds)
}

/// The call of a function in whose body the part at `target` stands, if `expr` calls one.
pub(super) fn call_around(expr: &Expr, target: Span, call: Option<Span>) -> Option<Span> {
    if expr.span == target {
        return call;
    }
    let mut found = None;
    expr.for_each_part(&mut |part| {
        let inner = if expr.span.contains(part.span) {
            call
        } else {
            Some(expr.span)
        };
        found = found.or_else(|| call_around(part, target, inner));
    });
    found
}
