//! All configurations of a check, or as many of them as there is room for, before it is said that something never is so.

use oddsmith_exact::Error;
use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, Domain, Input, InputRange, Role};

use crate::Questions;
use crate::levers::is_read;
use crate::lint::grid::Grid;
use crate::lint::measure::Measures;

/// The most configurations of a check that are looked at, and of a track, whose configurations cost more.
const MOST: [usize; 2] = [8_192, 512];

/// All values of a domain of so many are told apart.
const WHOLE: i64 = 8_192;

/// The most values of the lever that are looked at before other axes have any but their defaults.
const OWN: usize = 25;

/// The input that a look runs along.
#[derive(Clone, Copy)]
pub(crate) enum Along<'r> {
    /// An axis, of which every value counts as those of all other axes do.
    Axis(InputId),
    /// These values of an axis, and no others.
    Steps(&'r InputRange),
}

/// A look at all configurations, or at as many as there is room for.
pub(crate) struct WholeSpace<'a> {
    pub(crate) grid: Grid<'a>,
    /// How many configurations there are; as many as were looked at, if that is all of them.
    pub(crate) all: u64,
}

impl WholeSpace<'_> {
    /// Whether everything was looked at.
    pub(crate) fn is_all(&self) -> bool {
        self.grid.configurations() == self.all
    }
}

/// An axis that is looked at.
struct Looked {
    input: InputId,
    /// The values, the most telling ones first: the default, the ends, the neighbours of the default, all others.
    values: Vec<i64>,
    /// How many of them are looked at.
    taken: usize,
}

/// A lever beside every value of every other axis that the check reads; if that is too much, beside the more telling
/// values of all of them. None if even that is over the budget, or if a rule can't be carried out somewhere.
pub(crate) fn look<'a>(
    check: &'a Check,
    asked: &'a Measures,
    along: Along<'_>,
    run: Questions<'_>,
) -> Option<WholeSpace<'a>> {
    let most = MOST[usize::from(check.rounds.is_some())];
    let rooms = [most, most / 16].into_iter();
    let mut looked = rooms.map(|room| with_room(check, asked, along, (room, run)));
    looked.find_map(Result::ok)
}

fn with_room<'a>(
    check: &'a Check,
    asked: &'a Measures,
    along: Along<'_>,
    (room, run): (usize, Questions<'_>),
) -> Result<WholeSpace<'a>, Error> {
    let axes = axes(check, along, room);
    let mut ranges: Vec<InputRange> = axes.iter().map(Looked::range).collect();
    let mut all = axes.iter().map(|axis| size(&check.inputs[axis.input.0]));
    let mut taken = axes.iter().map(|axis| axis.taken as u64);
    let mut fixed = 1;
    if let Along::Steps(range) = along {
        ranges.push(range.clone());
        fixed = range.values.len() as u64;
    }
    let all = all.try_fold(fixed, u64::checked_mul).unwrap_or(u64::MAX);
    let taken = taken.try_fold(fixed, u64::checked_mul).unwrap_or(u64::MAX);
    let grid = Grid::new(check, asked, check.defaults(), ranges, &run.share())?;
    let all = match taken == all {
        true => grid.configurations(),
        false => all,
    };
    Ok(WholeSpace { grid, all })
}

/// Every axis that is read, as long as there is room: all labels, for each may have a rule of its own, and then of each
/// axis in turn one more value. An axis that the look runs along is the last one, and has some values more; one of which
/// the steps are given is left out.
fn axes(check: &Check, along: Along<'_>, room: usize) -> Vec<Looked> {
    let (own, mut product) = match along {
        Along::Axis(own) => (own, 1),
        Along::Steps(range) => (range.input, range.values.len()),
    };
    let inputs = check.inputs.iter().enumerate();
    let others = inputs.filter(|(at, input)| {
        let id = InputId(*at);
        input.role == Role::Axis && id != own && is_read(check, id)
    });
    let mut axes: Vec<InputId> = others.map(|(at, _)| InputId(at)).collect();
    if matches!(along, Along::Axis(_)) {
        axes.push(own);
    }
    let looked = axes.into_iter().map(|input| Looked {
        input,
        values: telling(&check.inputs[input.0]),
        taken: 1,
    });
    let mut axes: Vec<Looked> = looked.collect();
    // The axis itself first, then labels.
    for axis in axes.iter_mut().rev() {
        let wanted = match &check.inputs[axis.input.0].domain {
            Domain::Choice(choice) => choice.labels().len(),
            Domain::Range(..) if axis.input == own => axis.values.len().min(OWN),
            Domain::Range(..) => 1,
        };
        if product * wanted <= room {
            (product, axis.taken) = (product * wanted, wanted);
        }
    }
    let longest = axes.iter().map(|axis| axis.values.len()).max();
    for taken in 1..longest.unwrap_or(0) {
        for axis in axes.iter_mut().filter(|axis| axis.taken == taken) {
            let more = product / taken * (taken + 1);
            if taken < axis.values.len() && more <= room {
                (product, axis.taken) = (more, taken + 1);
            }
        }
    }
    axes
}

/// The values of an axis, the more telling ones first; of a very large domain only some.
fn telling(input: &Input) -> Vec<i64> {
    let (low, high) = input.domain.bounds();
    let default = input.default;
    let near = [default.saturating_add(1), default.saturating_sub(1)];
    let rest = match high.saturating_sub(low) < WHOLE {
        true => (low..=high).collect(),
        false => input.sweep.clone(),
    };
    let mut first: Vec<i64> = Vec::new();
    for value in [default, high, near[0], low, near[1]] {
        if input.domain.contains(value) && !first.contains(&value) {
            first.push(value);
        }
    }
    let rest = rest.into_iter().filter(|value| !first.contains(value));
    first.iter().copied().chain(rest).collect()
}

/// How many values an axis has.
fn size(input: &Input) -> u64 {
    let (low, high) = input.domain.bounds();
    high.abs_diff(low).saturating_add(1)
}

impl Looked {
    fn range(&self) -> InputRange {
        let mut values = self.values[..self.taken].to_vec();
        values.sort_unstable();
        InputRange::new(self.input, values)
    }
}
