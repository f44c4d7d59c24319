//! What else steps change, whether further ones are worth less, and what they are worth beside one another.

use oddsmith_exact::RBig;

use super::{
    ValueTable, ValueView, column, flat_heading, flat_words, most_telling, number_name, shown,
    stretch, typical_change,
};
use crate::document::{Column, Table, WIDTH};
use crate::format::difference::{signed, size};
use crate::format::words;
use oddsmith::valuation::{Shift, Valuation, ValuedLever};

/// How wide a number mostly is.
const NUMBER: usize = 7;
/// Steps side by side at the most.
const MOST_STEPS: usize = 10;
/// Steps that are exchanged for one another at the most.
const MOST_GOODS: usize = 10;

/// How the means of the numbers change that are shown beside the bands; as many tables as these need.
pub(super) fn others(view: &ValueView<'_>) -> Vec<ValueTable> {
    let valuation = view.valuation;
    let mut columns = valuation.other_columns();
    let of_role = |is_parameter: bool| {
        let levers = valuation.levers.iter();
        let levers = levers.filter(|own| own.is_parameter == is_parameter);
        let columns = valuation.other_columns();
        most_telling(view, shown(levers, &columns), &columns)
    };
    let shifts: Vec<Shift<'_>> = [false, true].into_iter().flat_map(of_role).collect();
    columns.retain(|at| shifts.iter().any(|shift| shift.changes(&[*at])));
    let longest = shifts
        .iter()
        .map(|shift| shift.told().chars().count())
        .max();
    let room = WIDTH.saturating_sub(longest.unwrap_or(0));
    let tables = side_by_side(valuation, columns, room).into_iter();
    tables
        .map(|columns| means(view, &shifts, &columns))
        .collect()
}

/// As many columns side by side as there is room for.
fn side_by_side(valuation: &Valuation, columns: Vec<usize>, room: usize) -> Vec<Vec<usize>> {
    let width = |at: &usize| number_name(valuation, *at).chars().count().max(NUMBER) + 2;
    let mut tables: Vec<Vec<usize>> = Vec::new();
    for at in columns {
        match tables.last_mut() {
            Some(own) if own.iter().map(width).sum::<usize>() + width(&at) <= room => own.push(at),
            _ => tables.push(vec![at]),
        }
    }
    tables
}

/// What some steps change in some columns, a row for each that changes any of them.
fn means(view: &ValueView<'_>, shifts: &[Shift<'_>], columns: &[usize]) -> ValueTable {
    let own = shifts.iter().filter(|shift| shift.changes(columns));
    let row = |shift: &Shift<'_>| {
        let cells = { columns.iter() }.map(|&at| typical_change(view, shift.summary, at));
        std::iter::once(shift.told())
            .chain(cells)
            .collect::<Vec<_>>()
    };
    let names = { columns.iter() }.map(|&at| number_name(view.valuation, at));
    let head = std::iter::once(String::new()).chain(names);
    let typically = match view.valuation.axes.is_empty() {
        true => "",
        false => ", typically",
    };
    ValueTable {
        title: format!("what else one step changes{typically}: the means of other numbers"),
        table: Table::new(Column::of_numbers(head)).with_rows(own.map(row)),
    }
}

/// What each further step of a number is worth: the change of its mean, or by the yardstick. Left out is what is the
/// same at each step.
pub(super) fn steps(view: &ValueView<'_>) -> ValueTable {
    let at = step_column(view.valuation);
    let levers = view.valuation.levers.iter().filter(|own| is_walked(own));
    let chains = levers.filter_map(|moved| {
        let up = chain(view, moved, at, true);
        up.or_else(|| chain(view, moved, at, false))
    });
    let chains: Vec<Vec<String>> = chains
        .filter(|chain| chain.iter().skip(3).any(|worth| *worth != chain[2]))
        .collect();
    let longest = chains.iter().map(Vec::len).max().unwrap_or(0);
    let ordinals = ["1st", "2nd", "3rd"].map(str::to_owned).into_iter();
    let ordinals = ordinals.chain((4..).map(|nth| format!("{nth}th")));
    let ordinals = ordinals.take(longest.saturating_sub(2)).map(Column::right);
    let head = ["", "along"].map(Column::left).into_iter().chain(ordinals);
    let rows = chains.into_iter().map(|mut chain| {
        chain.resize(longest, String::new());
        chain
    });
    ValueTable {
        title: format!("step by step, {}", column(view.valuation, at)),
        table: Table::new(head).with_rows(rows),
    }
}

/// The mean of the number behind the bands, or what is compared.
fn step_column(valuation: &Valuation) -> usize {
    valuation
        .number
        .as_ref()
        .map_or(valuation.yardstick, |number| number.mean)
}

/// Whether its steps follow one another: an axis, or what was asked for.
fn is_walked(moved: &ValuedLever) -> bool {
    !moved.is_label() && (!moved.is_parameter || moved.is_swept || moved.is_along)
}

/// Name, values and worth of the steps in one direction; none if there is none.
fn chain(view: &ValueView<'_>, moved: &ValuedLever, at: usize, is_up: bool) -> Option<Vec<String>> {
    let steps = moved.lever.steps.iter().zip(&moved.steps);
    let steps: Vec<_> = steps
        .filter(|(step, _)| moved.lever.is_up(**step) == is_up)
        .take(MOST_STEPS)
        .collect();
    let ((first, _), (last, _)) = (steps.first()?, steps.last()?);
    let values = match is_up {
        true => stretch_words(&moved.values.told[first.from..=last.to]),
        false => format!(
            "{} … {}",
            moved.values.told[first.from], moved.values.told[last.to]
        ),
    };
    let mut row = vec![moved.values.title.clone(), values];
    row.extend(
        steps
            .iter()
            .map(|(_, summary)| typical_change(view, summary, at)),
    );
    Some(row)
}

/// `-5 … 5`, `1,2,4,6`
fn stretch_words(values: &[String]) -> String {
    stretch(values).replace("..=", " … ")
}

/// How many steps of each lever are worth one of another.
pub(super) fn exchange(view: &ValueView<'_>) -> ValueTable {
    let mut goods: Vec<(String, &RBig)> = Vec::new();
    for (shift, worth) in view.valuation.goods() {
        match goods.last_mut() {
            // What is worth the same shares a line.
            Some((names, known)) if *known == worth => *names += &format!(", {}", shift.told()),
            _ => goods.push((shift.told(), worth)),
        }
    }
    goods.truncate(MOST_GOODS);
    if goods.len() < 2 {
        goods.clear();
    }
    let letters: Vec<String> = ('a'..).take(goods.len()).map(String::from).collect();
    let worth = |worth: &RBig| match view.valuation.has_flat_yardstick() {
        true => flat_words(worth, view.form),
        false => signed(
            worth,
            view.valuation.columns[view.valuation.yardstick]
                .kind
                .is_probability(),
            view.form,
        ),
    };
    let row = |(letter, (names, own)): (&String, &(String, &RBig))| {
        let rates = goods.iter().map(|(_, other)| rate(&(*own / *other)));
        let first = [letter.clone(), names.clone(), worth(own)];
        first.into_iter().chain(rates).collect::<Vec<_>>()
    };
    let rows = letters.iter().zip(&goods).map(row);
    let by = match view.valuation.has_flat_yardstick() {
        true => flat_heading(view.valuation, view.valuation.yardstick).join(" "),
        false => column(view.valuation, view.valuation.yardstick),
    };
    let right = std::iter::once(&by).chain(&letters).map(Column::right);
    let head = ["", ""].map(Column::left).into_iter().chain(right);
    ValueTable {
        title: "one step is worth so many steps of a, b, …".to_owned(),
        table: Table::new(head).with_rows(rows),
    }
}

/// `1.89`; `-0.5` where one step does the opposite of the other.
fn rate(rate: &RBig) -> String {
    let sign = if *rate < RBig::ZERO { "-" } else { "" };
    format!("{sign}{}", words::decimals(&size(rate), 2))
}
