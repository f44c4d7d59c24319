//! Along which values a lever is looked at, and beside what.

use oddsmith_dist::Budget;
use oddsmith_exact::Error;
use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, Domain, Input, InputRange, Role};

use crate::Questions;
use crate::levers::is_read;
use crate::lint::grid::Grid;
use crate::lint::measure::Measures;

/// A lever is looked at in so many configurations of a check, and of a track, whose configurations cost more.
const MOST: [usize; 2] = [2_048, 256];

/// A domain of so many values is looked at as a whole.
const WHOLE: i64 = 24;

/// The distance between the least and the greatest value of a reading that is looked at as a whole.
const FEW: i64 = 5;

/// Around its default so many values of a larger domain without a sweep are looked at, on either side.
const AROUND: i64 = 10;

/// The inputs that are moved: the axes, and the parameters that are readings, if the check reads them.
pub(crate) fn levers(check: &Check) -> Vec<InputId> {
    let inputs = check.inputs.iter().enumerate();
    let levers = inputs.filter(|(at, input)| match input.role {
        Role::Axis => true,
        Role::Parameter => !input.reading.is_empty() && is_read(check, InputId(*at)),
    });
    levers.map(|(at, _)| InputId(at)).collect()
}

/// The values of a lever. Of an axis all from the least to the greatest of its sweep, where it has one; else its domain,
/// or of a large one what is around the default. Of a reading that is a number with many values the neighbours of its
/// default: farther ones are another design, not another reading.
fn values(input: &Input) -> Vec<i64> {
    let (low, high) = input.domain.bounds();
    let around = |reach: i64| {
        let low = low.max(input.default.saturating_sub(reach));
        let high = high.min(input.default.saturating_add(reach));
        (low..=high).collect()
    };
    let ends = input.sweep.iter().min().zip(input.sweep.iter().max());
    match (&input.domain, input.role, ends) {
        (Domain::Choice(_), ..) => (low..=high).collect(),
        (_, Role::Parameter, _) if high.saturating_sub(low) > FEW => around(1),
        (_, Role::Axis, Some((&first, &last))) => match last.saturating_sub(first) > WHOLE {
            true => input.sweep.clone(),
            false => (first..=last).collect(),
        },
        _ if high.saturating_sub(low) > WHOLE => around(AROUND),
        _ => (low..=high).collect(),
    }
}

/// All values of an input; what is looked at otherwise, if there are very many.
fn domain(input: &Input) -> Vec<i64> {
    let (low, high) = input.domain.bounds();
    match high.saturating_sub(low) <= WHOLE {
        true => (low..=high).collect(),
        false => values(input),
    }
}

/// Every value of a lever's domain beside the defaults of everything else; those around the default, if there are very
/// many.
///
/// # Errors
/// As [`oddsmith_exact::answers`].
pub(crate) fn whole<'a>(
    check: &'a Check,
    asked: &'a Measures,
    lever: InputId,
    budget: &Budget,
) -> Result<Grid<'a>, Error> {
    let range = whole_range(check, lever);
    Grid::new(check, asked, check.defaults(), vec![range], budget)
}

/// A lever with every value of its domain; those around the default, if there are very many.
pub(crate) fn whole_range(check: &Check, lever: InputId) -> InputRange {
    InputRange::new(lever, domain(&check.inputs[lever.0]))
}

/// A lever in its surroundings: every axis that has a sweep, as many values of each as there is room for. A lever that
/// changes nothing there is looked at beside one or two other axes that wake it, such as an Asset's kind beside its
/// quality. What would cost more than the budget is done in fewer surroundings, or in none.
///
/// # Errors
/// As [`oddsmith_exact::answers`].
pub(crate) fn grid<'a>(
    check: &'a Check,
    asked: &'a Measures,
    lever: InputId,
    run: Questions<'_>,
) -> Result<Grid<'a>, Error> {
    let most = MOST[usize::from(check.rounds.is_some())];
    let mut looked = with_room(check, asked, lever, (most, run));
    for room in [most / 16, 0] {
        if let Err(Error::OverBudget { .. }) = looked {
            looked = with_room(check, asked, lever, (room, run));
        }
    }
    looked
}

/// A lever in its surroundings, in about `room` configurations.
fn with_room<'a>(
    check: &'a Check,
    asked: &'a Measures,
    lever: InputId,
    (room, run): (usize, Questions<'_>),
) -> Result<Grid<'a>, Error> {
    let budget = run.share();
    let around = |company: &[InputId]| {
        let ranges = ranges(check, lever, company, room);
        Grid::new(check, asked, check.defaults(), ranges, &budget)
    };
    let alone = around(&[])?;
    if alone.is_live() || !is_read(check, lever) {
        return Ok(alone);
    }
    match company(check, asked, lever, &budget)? {
        Some(company) => around(&company),
        None => Ok(alone),
    }
}

/// The inputs that are swept: the company of the lever, the axes that have a sweep, and last the lever.
fn ranges(check: &Check, lever: InputId, company: &[InputId], room: usize) -> Vec<InputRange> {
    let own = values(&check.inputs[lever.0]);
    let room = room / own.len();
    let all = check.default_sweep().into_iter();
    let swept = all.filter(|range| range.input != lever && !company.contains(&range.input));
    let swept = swept.map(|range| (range.input, with_default(check, range)));
    let company = company
        .iter()
        .map(|&input| (input, values(&check.inputs[input.0])));
    let wanted: Vec<(InputId, Vec<i64>)> = company.chain(swept).collect();
    let mut chosen: Vec<Vec<i64>> = wanted
        .iter()
        .map(|(input, _)| vec![check.inputs[input.0].default])
        .collect();
    let product = |chosen: &[Vec<i64>]| chosen.iter().map(Vec::len).product::<usize>();
    // First the ends of each, then all of each, as long as there is room.
    for whole in [false, true] {
        for (at, (input, values)) in wanted.iter().enumerate() {
            let values = match whole {
                true => values.clone(),
                false => ends(values, check.inputs[input.0].default),
            };
            let before = std::mem::replace(&mut chosen[at], values);
            if product(&chosen) > room {
                chosen[at] = before;
            }
        }
    }
    let ranges = wanted.into_iter().zip(chosen);
    let mut ranges: Vec<InputRange> = ranges
        .filter(|(_, values)| values.len() > 1)
        .map(|((input, _), values)| InputRange::new(input, values))
        .collect();
    ranges.push(InputRange::new(lever, own));
    ranges
}

/// A sweep with the default of its axis, which may stand for something else than all others do.
fn with_default(check: &Check, range: InputRange) -> Vec<i64> {
    let default = check.inputs[range.input.0].default;
    let mut values = range.values;
    if !values.contains(&default) {
        values.insert(0, default);
    }
    values
}

/// The first value, the default and the last value, in their order.
fn ends(values: &[i64], default: i64) -> Vec<i64> {
    let last = values.len() - 1;
    let kept = values.iter().enumerate();
    let kept = kept.filter(|(at, value)| *at == 0 || *at == last || **value == default);
    kept.map(|(_, value)| *value).collect()
}

/// One or two other axes without which a lever changes nothing; none if there are none.
fn company(
    check: &Check,
    asked: &Measures,
    lever: InputId,
    budget: &Budget,
) -> Result<Option<Vec<InputId>>, Error> {
    let own = InputRange::new(lever, values(&check.inputs[lever.0]));
    let others = others(check, lever, probes);
    for one in &others {
        if wakes(check, asked, &[one], &own, budget)? {
            return Ok(Some(vec![one.input]));
        }
    }
    // Pairs of a track would cost too much.
    if check.rounds.is_some() {
        return Ok(None);
    }
    for (at, one) in others.iter().enumerate() {
        for two in &others[at + 1..] {
            if wakes(check, asked, &[one, two], &own, budget)? {
                return Ok(Some(vec![one.input, two.input]));
            }
        }
    }
    Ok(None)
}

/// Whether a step of a lever changes any odds if some other axis has another value than its default.
///
/// # Errors
/// If that is over the budget.
pub(crate) fn step_wakes(
    check: &Check,
    asked: &Measures,
    (lever, step): (InputId, [i64; 2]),
    budget: &Budget,
) -> Result<bool, Error> {
    let step = InputRange::new(lever, step.to_vec());
    for one in others(check, lever, domain) {
        if wakes(check, asked, &[&one], &step, budget)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Every other axis with some of its values, if it has any.
fn others(check: &Check, lever: InputId, values: impl Fn(&Input) -> Vec<i64>) -> Vec<InputRange> {
    let inputs = check.inputs.iter().enumerate();
    let others = inputs.filter(|(at, input)| input.role == Role::Axis && *at != lever.0);
    let ranges = others.map(|(at, input)| InputRange::new(InputId(at), values(input)));
    ranges.filter(|range| !range.values.is_empty()).collect()
}

/// Whether a lever changes any odds for some values of other axes, beside the defaults of everything else. Where the
/// rules can't be carried out, it does not.
fn wakes(
    check: &Check,
    asked: &Measures,
    others: &[&InputRange],
    lever: &InputRange,
    budget: &Budget,
) -> Result<bool, Error> {
    let ranges = others.iter().copied().chain([lever]).cloned().collect();
    match Grid::new(check, asked, check.defaults(), ranges, budget) {
        Ok(grid) => Ok(grid.is_live()),
        Err(error @ Error::OverBudget { .. }) => Err(error),
        Err(_) => Ok(false),
    }
}

/// Values of an axis other than its default that may wake another one: the next one, the ends, or all labels.
fn probes(input: &Input) -> Vec<i64> {
    let (low, high) = input.domain.bounds();
    let mut probes = match input.domain {
        Domain::Choice(_) => (low..=high).collect(),
        Domain::Range(..) if high.saturating_sub(low) <= WHOLE => {
            vec![high, input.default.saturating_add(1), low]
        }
        Domain::Range(..) => vec![input.default.saturating_add(1)],
    };
    probes.retain(|value| *value != input.default && input.domain.contains(*value));
    let mut seen: Vec<i64> = Vec::new();
    probes.retain(|value| {
        let is_new = !seen.contains(value);
        seen.push(*value);
        is_new
    });
    probes
}
