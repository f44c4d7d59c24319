//! All configurations of a check, or as many of them as there is room for, before it is said that something never is so.

use oddsmith_dist::Budget;
use oddsmith_exact::Error;
use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, Domain, Input, InputRange, Role};

use crate::levers::is_read;
use crate::lint::grid::Grid;
use crate::lint::measure::Asked;

/// So many configurations of a check are looked at, and of a track, whose configurations cost more.
const MOST: [usize; 2] = [8_192, 512];

/// All values of a domain of so many are told apart.
const WHOLE: i64 = 100;

/// What was looked at of all that there is.
pub(crate) struct Wide<'a> {
    pub(crate) grid: Grid<'a>,
    /// How many configurations there are; as many as were looked at, if that is all of them.
    pub(crate) all: u64,
}

impl Wide<'_> {
    /// Whether everything was looked at.
    pub(crate) fn is_all(&self) -> bool {
        self.grid.configurations() == self.all
    }
}

/// Another axis.
struct Other {
    input: InputId,
    /// Its values, the most telling ones first: the default, the ends, the neighbours of the default, all others.
    values: Vec<i64>,
    /// How many of them are looked at.
    taken: usize,
}

/// A lever beside every value of every other axis that the check reads; if that is too much, beside the more telling
/// values of all of them. It is asked about so many values of the lever. None if even that is over the budget, or if a
/// rule can't be carried out somewhere.
pub(crate) fn wide<'a>(
    check: &'a Check,
    asked: &'a Asked,
    lever: (&InputRange, u64),
    limit: u64,
) -> Option<Wide<'a>> {
    let most = MOST[usize::from(check.rounds.is_some())];
    let rooms = [most, most / 16].into_iter();
    let mut looked = rooms.map(|room| with_room(check, asked, lever, (room, limit)));
    looked.find_map(Result::ok)
}

fn with_room<'a>(
    check: &'a Check,
    asked: &'a Asked,
    (lever, values): (&InputRange, u64),
    (room, limit): (usize, u64),
) -> Result<Wide<'a>, Error> {
    let others = others(check, lever, room);
    let mut ranges: Vec<InputRange> = others.iter().map(Other::range).collect();
    ranges.push(lever.clone());
    let grid = Grid::new(check, asked, check.defaults(), ranges, &Budget::new(limit))?;
    let all = others
        .iter()
        .map(|other| size(&check.inputs[other.input.0]));
    let all = all.fold(values, u64::saturating_mul);
    let taken = others.iter().map(|other| other.taken as u64);
    let taken = taken.fold(lever.values.len() as u64, u64::saturating_mul);
    let all = match taken == all {
        true => grid.configurations(),
        false => all,
    };
    Ok(Wide { grid, all })
}

/// Every other axis that is read, as long as there is room: all labels, for each may have a rule of its own, and then of
/// each axis in turn one more value.
fn others(check: &Check, lever: &InputRange, room: usize) -> Vec<Other> {
    let inputs = check.inputs.iter().enumerate();
    let others = inputs.filter(|(at, input)| {
        let id = InputId(*at);
        input.role == Role::Axis && id != lever.input && is_read(check, id)
    });
    let mut others: Vec<Other> = others
        .map(|(at, input)| Other {
            input: InputId(at),
            values: telling(input),
            taken: 1,
        })
        .collect();
    let mut product = lever.values.len();
    for other in &mut others {
        let labels = match &check.inputs[other.input.0].domain {
            Domain::Choice(choice) => choice.labels.len(),
            Domain::Range(..) => 1,
        };
        if product * labels <= room {
            (product, other.taken) = (product * labels, labels);
        }
    }
    let longest = others.iter().map(|other| other.values.len()).max();
    for taken in 1..longest.unwrap_or(0) {
        for other in others.iter_mut().filter(|other| other.taken == taken) {
            let more = product / taken * (taken + 1);
            if taken < other.values.len() && more <= room {
                (product, other.taken) = (more, taken + 1);
            }
        }
    }
    others
}

/// The values of an axis, the more telling ones first; of a very large domain only some.
fn telling(input: &Input) -> Vec<i64> {
    let (low, high) = input.domain.bounds();
    let default = input.default;
    let near = [default.saturating_add(1), default.saturating_sub(1)];
    let first = [default, high, near[0], low, near[1]];
    let rest = match high.saturating_sub(low) < WHOLE {
        true => (low..=high).collect(),
        false => input.sweep.clone(),
    };
    let mut values: Vec<i64> = Vec::new();
    for value in first.into_iter().chain(rest) {
        if input.domain.contains(value) && !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

/// How many values an axis has.
pub(crate) fn size(input: &Input) -> u64 {
    let (low, high) = input.domain.bounds();
    high.abs_diff(low).saturating_add(1)
}

impl Other {
    fn range(&self) -> InputRange {
        let mut values = self.values[..self.taken].to_vec();
        values.sort_unstable();
        InputRange {
            input: self.input,
            values,
        }
    }
}
