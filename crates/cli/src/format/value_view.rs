//! What steps are worth, to be read.

mod further;

use std::collections::BTreeSet;

use oddsmith_analysis::value::{Spread, Summary};
use oddsmith_exact::RBig;
use oddsmith_rules::{in_turn, setting};

use crate::document::{Block, Column, Document, Medium, Span, Table};
use crate::format::difference::{signed, size};
use crate::format::outcomes::Kind;
use crate::format::view;
use crate::format::words::{self, Form};
use further::{exchange, others, steps};
use oddsmith::questions::{number_title, query_title};
use oddsmith::valuation::{BOTH_WAYS, Shift, Valuation, ValuedLever, typical};

/// Steps of parameters at the most, unless they are named.
const MOST_PARAMETERS: usize = 16;
/// No number.
const DASH: &str = "–";

/// The worth of steps, and how its odds are written.
#[derive(Clone, Copy)]
struct ValueView<'v> {
    valuation: &'v Valuation,
    form: Form,
}

/// A table with what it is about.
struct ValueTable {
    title: String,
    table: Table,
}

/// What is set and swept, the tables, and what their marks mean.
pub(crate) fn document(valuation: &Valuation, form: Form) -> Document {
    let view = &ValueView { valuation, form };
    let (title, settings) = (&valuation.title, &valuation.settings);
    let headline = match settings.as_str() {
        "" => title.clone(),
        settings => format!("{title}: {settings}"),
    };
    let lines = |words: String| Block::wrapped(Span::muted(words));
    let mut document = Document::default();
    document.push_on(Medium::Terminal, view::opening(title, settings));
    document.add(Block::paragraph(headline).only(Medium::Page));
    document.add(lines(swept(valuation)));
    let parts = parts(view);
    let remarks = remarks(view, &parts);
    for ValueTable { title, table } in parts {
        document.push(Block::titled(title, table));
    }
    document.push([lines(remarks.join("\n"))]);
    document
}

/// `5940 configurations: circ_boons=-5..=5`; nothing if nothing is swept.
pub(crate) fn swept(valuation: &Valuation) -> String {
    let axes = valuation.axes.iter();
    let axes = axes.map(|axis| setting(&axis.title, &stretch(&axis.told)));
    let axes: Vec<String> = axes.collect();
    match axes.is_empty() {
        true => String::new(),
        false => {
            let count = words::configurations(valuation.configurations as u64);
            format!("{count}: {}", in_turn(&axes))
        }
    }
}

/// `-5..=5`, `1,2,4,6`
fn stretch(values: &[String]) -> String {
    let numbers: Option<Vec<i64>> = values.iter().map(|value| value.parse().ok()).collect();
    match numbers {
        Some(numbers)
            if numbers.len() > 2 && numbers.windows(2).all(|pair| pair[0] + 1 == pair[1]) =>
        {
            format!("{}..={}", numbers[0], numbers[numbers.len() - 1])
        }
        _ => values.join(","),
    }
}

fn parts(view: &ValueView<'_>) -> Vec<ValueTable> {
    let of_role = |is_parameter: bool| {
        let levers = view.valuation.levers.iter();
        levers.filter(move |own| own.is_parameter == is_parameter)
    };
    let (axes, params) = (of_role(false), of_role(true));
    let mut parts = vec![
        worths(view, axes, "one step of an axis"),
        worths(view, params, "one step of a parameter"),
    ];
    parts.extend(others(view));
    parts.extend([steps(view), exchange(view)]);
    parts.retain(|part| !part.table.is_empty());
    parts
}

/// A row for each step, or each swept lever: what changes, and the flat modifiers that would do the same.
fn worths<'v>(
    view: &ValueView<'v>,
    levers: impl Iterator<Item = &'v ValuedLever>,
    title: &str,
) -> ValueTable {
    let valuation = view.valuation;
    let columns = valuation.main_columns();
    let mut head = vec![Column::left("")];
    head.extend(columns.iter().map(|&at| column_heading(valuation, at)));
    if valuation.number.is_some() {
        head.extend((0..valuation.reached()).map(|at| {
            let [above, name] = flat_heading(valuation, at);
            Column::right(name).below(above)
        }));
    }
    if !valuation.axes.is_empty() {
        let yardstick = column(valuation, valuation.yardstick);
        head.extend(["least", "most", "in"].map(|name| Column::right(name).below(&yardstick)));
    }
    let shifts = most_telling(view, shown(levers, &columns), &columns);
    let rows = shifts.into_iter().map(|shift| worth(view, shift));
    ValueTable {
        title: format!("{title}{}", measures(view)),
        table: Table::new(head).with_rows(rows),
    }
}

/// The steps that change any of some columns.
fn shown<'v>(levers: impl Iterator<Item = &'v ValuedLever>, columns: &[usize]) -> Vec<Shift<'v>> {
    let shifts = levers.flat_map(ValuedLever::shifts);
    shifts.filter(|shift| shift.changes(columns)).collect()
}

/// All steps; of many steps of parameters that nobody named those that change the most by one of these columns, in their
/// order: by the yardstick, if that is one of them.
fn most_telling<'v>(
    view: &ValueView<'_>,
    mut shifts: Vec<Shift<'v>>,
    columns: &[usize],
) -> Vec<Shift<'v>> {
    let valuation = view.valuation;
    if valuation.are_named || shifts.iter().any(|shift| !shift.moved.is_parameter) {
        return shifts;
    }
    let change = |shift: &Shift<'_>, at: usize| {
        let change = shift.summary.changes[at].as_ref();
        change.map_or(RBig::ZERO, |change| change.size.clone())
    };
    let change = |shift: &Shift<'_>| match columns.contains(&valuation.yardstick) {
        true => change(shift, valuation.yardstick),
        false => { columns.iter() }
            .map(|&at| change(shift, at))
            .max()
            .unwrap_or(RBig::ZERO),
    };
    let mut changes: Vec<RBig> = shifts.iter().map(change).collect();
    changes.sort_unstable_by(|one, other| other.cmp(one));
    if let Some(least) = changes.get(MOST_PARAMETERS - 1) {
        shifts.retain(|shift| change(shift) >= *least);
        shifts.truncate(MOST_PARAMETERS);
    }
    shifts
}

/// What a step typically changes in a column.
fn typical_change(view: &ValueView<'_>, summary: &Summary, at: usize) -> String {
    let is_chance = view.valuation.columns[at].kind.is_probability();
    let words = |number: &RBig| signed(number, is_chance, view.form);
    told(summary.changes[at].as_ref(), words)
}

/// What is typical of some changes, if there are any.
fn told(spread: Option<&Spread>, words: impl Fn(&RBig) -> String) -> String {
    spread.map_or_else(|| DASH.to_owned(), |spread| typical(spread, words))
}

fn change(
    view: &ValueView<'_>,
    summary: &Summary,
    at: usize,
    pick: fn(&Spread) -> &RBig,
) -> String {
    let is_chance = view.valuation.columns[at].kind.is_probability();
    match &summary.changes[at] {
        Some(spread) => signed(pick(spread), is_chance, view.form),
        None => DASH.to_owned(),
    }
}

/// The row of a step; in a sweep with the range of what is compared, and in how many configurations that changes.
fn worth(view: &ValueView<'_>, shift: Shift<'_>) -> Vec<String> {
    let valuation = view.valuation;
    let summary = shift.summary;
    let mut row = vec![shift.told()];
    let columns = valuation.main_columns().into_iter();
    row.extend(columns.map(|at| typical_change(view, summary, at)));
    if valuation.number.is_some() {
        let words = |flat: &RBig| flat_words(flat, view.form);
        row.extend({ summary.flats.iter() }.map(|flat| told(flat.as_ref(), words)));
    }
    if !valuation.axes.is_empty() {
        let spread = summary.changes[valuation.yardstick].as_ref();
        let changed = spread.map_or(0, |spread| spread.count);
        let share = RBig::from_parts(changed.into(), summary.count.into());
        row.push(change(view, summary, valuation.yardstick, |spread| {
            &spread.least
        }));
        row.push(change(view, summary, valuation.yardstick, |spread| {
            &spread.most
        }));
        row.push(Form::Percent(0).show_ratio(&share));
    }
    row
}

/// What the numbers of a table are.
fn measures(view: &ValueView<'_>) -> String {
    let valuation = view.valuation;
    let typically = if valuation.axes.is_empty() {
        ""
    } else {
        ", typically"
    };
    let mut parts = Vec::new();
    if valuation
        .main_columns()
        .into_iter()
        .any(|at| valuation.columns[at].kind.is_probability())
    {
        parts.push(match view.form.of_differences() {
            Form::Decimal(_) => "changes of probabilities".to_owned(),
            _ => "points".to_owned(),
        });
    }
    if let Some(number) = &valuation.number {
        parts.push(format!(
            "the flat modifier of {} that does the same",
            number_title(&valuation.check, &number.name)
        ));
    }
    match parts.is_empty() {
        true => typically.to_owned(),
        false => format!("{typically}: {}", parts.join(", and ")),
    }
}

/// `Hit+` for a Hit or better; of the best band its name alone.
pub(crate) fn column(valuation: &Valuation, at: usize) -> String {
    let head = &valuation.columns[at];
    match head.kind {
        Kind::Band if at + 1 < valuation.reached() => format!("{}+", head.name),
        _ => query_title(&valuation.check, &head.name),
    }
}

/// The same in two lines, if it is a mean: that of the number below.
fn column_heading(valuation: &Valuation, at: usize) -> Column {
    let (whole, number) = (column(valuation, at), number_name(valuation, at));
    let above = if whole == number { "" } else { "mean" };
    Column::right(number).below(above)
}

/// `total` of `mean(total)`; the whole name of what is no mean of a number.
fn number_name(valuation: &Valuation, at: usize) -> String {
    let name = column(valuation, at);
    let number = name
        .strip_prefix("mean(")
        .and_then(|rest| rest.strip_suffix(')'));
    match number {
        Some(number) if valuation.columns[at].kind == Kind::Mean => {
            number_title(&valuation.check, number)
        }
        _ => name,
    }
}

/// `flat at 15`, or where the threshold is not everywhere the same `flat Hit+`.
fn flat_heading(valuation: &Valuation, at: usize) -> [String; 2] {
    let thresholds = valuation
        .number
        .iter()
        .flat_map(|number| &number.thresholds);
    match thresholds.map(|own| own.at[at]).next().flatten() {
        Some(threshold) => ["flat".to_owned(), format!("at {threshold}")],
        None => ["flat".to_owned(), column(valuation, at)],
    }
}

/// `+2.81`
fn flat_words(flat: &RBig, form: Form) -> String {
    let digits = match form {
        Form::Percent(digits) => digits,
        Form::Decimal(_) | Form::OneIn(_) | Form::Fraction => 2,
    };
    let sign = match flat.cmp(&RBig::ZERO) {
        std::cmp::Ordering::Less => "-",
        std::cmp::Ordering::Equal => return "0".to_owned(),
        std::cmp::Ordering::Greater => "+",
    };
    format!("{sign}{}", words::decimals(&size(flat), digits))
}

/// Whether a step that is shown has no flat modifier at some threshold.
fn lacks_flats(view: &ValueView<'_>) -> bool {
    let (levers, columns) = (view.valuation.levers.iter(), view.valuation.main_columns());
    let mut shifts = shown(levers, &columns).into_iter();
    shifts.any(|shift| shift.summary.flats.contains(&None))
}

/// Why there are no flat modifiers, or what a dash is that stands for one.
fn about_flats(view: &ValueView<'_>) -> Option<String> {
    match &view.valuation.number {
        None if !view.valuation.bands.is_empty() => Some(
            "no flat modifiers: these bands are not thresholds of a single rolled number"
                .to_owned(),
        ),
        Some(_) if lacks_flats(view) => {
            let why = "no single flat modifier does the same, or bands are no thresholds of the rolled number there";
            Some(format!("{DASH}: {why}"))
        }
        _ => None,
    }
}

/// What a dash is in the column of a query.
fn about_answers(view: &ValueView<'_>) -> Option<String> {
    let columns = view.valuation.main_columns().into_iter();
    let shifts = shown(view.valuation.levers.iter(), &view.valuation.main_columns());
    let lacks = |at: &usize| {
        shifts
            .iter()
            .any(|shift| shift.summary.changes[*at].is_none())
    };
    let names = columns.filter(lacks).map(|at| column(view.valuation, at));
    let names: Vec<String> = names.collect();
    (!names.is_empty()).then(|| {
        format!(
            "{DASH} under {}: no answer before the step or after it, as the condition never happens or there is no end",
            names.join(", ")
        )
    })
}

/// How many parameters change anything, and how many of them are shown.
fn parameters(view: &ValueView<'_>) -> (usize, usize) {
    let valuation = view.valuation;
    let params = || valuation.levers.iter().filter(|moved| moved.is_parameter);
    let parts = [valuation.main_columns(), valuation.other_columns()];
    let names = |shifts: Vec<Shift<'_>>| shifts.iter().map(Shift::words).collect::<Vec<_>>();
    let (mut all, mut told) = (BTreeSet::new(), BTreeSet::new());
    for columns in parts {
        let shifts = shown(params(), &columns);
        all.extend(names(shifts.clone()));
        told.extend(names(most_telling(view, shifts, &columns)));
    }
    (all.len(), told.len())
}

/// Levers of which one step changes nothing.
fn about_idle(valuation: &Valuation) -> Option<String> {
    let has_effect =
        |moved: &&ValuedLever| moved.shifts().iter().any(|shift| shift.summary.active > 0);
    let idle = valuation.levers.iter().filter(|moved| !has_effect(moved));
    let idle: Vec<&str> = idle.map(|moved| moved.values.title.as_str()).collect();
    let place = match valuation.axes.is_empty() {
        true => "here",
        false => "anywhere here",
    };
    (!idle.is_empty()).then(|| format!("one step changes nothing {place}: {}", idle.join(", ")))
}

/// What is typical, what changes nothing, and what the marks in these tables mean.
fn remarks(view: &ValueView<'_>, parts: &[ValueTable]) -> Vec<String> {
    let valuation = view.valuation;
    let mut remarks = Vec::new();
    if !valuation.axes.is_empty() {
        let yardstick = column(valuation, valuation.yardstick);
        remarks.push(format!(
            "typically: the median over the configurations in which the step changes what the column is about; \
             least, most: the range of what it changes there; in: the share in which it changes {yardstick}"
        ));
    }
    let mut cells = parts.iter().flat_map(|part| part.table.texts());
    if cells.any(|text| text.starts_with(BOTH_WAYS)) {
        remarks.push(format!(
            "{BOTH_WAYS}: up in a tenth of the configurations or more, and down in a tenth; the median of how far"
        ));
    }
    if valuation.levers.is_empty() {
        remarks.push(
            "nothing can be moved: no axis and no parameter with more than one value is read"
                .to_owned(),
        );
    }
    let (count, told) = parameters(view);
    if told < count {
        remarks.push(format!(
            "of {count} parameters that matter these {told} matter most; --lever NAME shows others, --format csv all"
        ));
    }
    remarks.extend(about_idle(valuation));
    remarks.extend(about_flats(view));
    remarks.extend(about_answers(view));
    remarks
}
