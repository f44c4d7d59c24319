//! What steps are worth, to be read on a terminal or in a document.

use oddsmith_analysis::value::{Spread, Summary};
use oddsmith_exact::RBig;

use crate::format::comparison_view::paragraph;
use crate::format::difference::{signed, size};
use crate::format::grid::{Align, Cell, Grid};
use crate::format::markup::Markup;
use crate::format::outcomes::Kind;
use crate::format::paint::DIM;
use crate::format::value::{Deed, Moved, Valuation};
use crate::format::view;
use crate::format::words::{self, Form};

/// Steps of parameters at the most, unless they are named.
const MOST_PARAMETERS: usize = 16;
/// Steps side by side at the most.
const MOST_STEPS: usize = 10;
/// Steps that are exchanged for one another at the most.
const MOST_GOODS: usize = 10;
/// Where a line of words ends.
const WIDTH: usize = 100;
/// No number.
const DASH: &str = "–";

/// The worth of steps, and how its odds are written.
#[derive(Clone, Copy)]
struct View<'v> {
    valuation: &'v Valuation,
    form: Form,
}

/// A table with what it is about.
struct Table {
    title: String,
    /// Of each column two words, one above the other.
    head: Vec<[String; 2]>,
    aligns: Vec<Align>,
    rows: Vec<Vec<String>>,
}

/// The whole view, coloured.
pub(crate) fn render(valuation: &Valuation, form: Form) -> String {
    let view = &View { valuation, form };
    let mut sections =
        vec![view::header(&valuation.title, &valuation.settings) + &dim(&about(view))];
    sections.extend(tables(view).iter().map(|table| {
        let mut grid = Grid::new(&table.aligns);
        for line in [0, 1] {
            let head: Vec<&str> = table
                .head
                .iter()
                .map(|words| words[line].as_str())
                .collect();
            if head.iter().any(|words| !words.is_empty()) {
                grid.head(&head);
            }
        }
        for row in &table.rows {
            grid.push(row.iter().map(|text| Cell::from(text.as_str())).collect());
        }
        dim(std::slice::from_ref(&table.title)) + &grid.render("  ")
    }));
    sections.push(dim(&remarks(view)));
    sections.retain(|section| !section.is_empty());
    sections.join("\n")
}

/// For documents: the same tables and words.
pub(crate) fn document(valuation: &Valuation, markup: Markup, form: Form) -> String {
    let view = &View { valuation, form };
    let headline = match valuation.settings.as_str() {
        "" => valuation.title.clone(),
        settings => format!("{}: {settings}", valuation.title),
    };
    let mut sections = vec![
        paragraph(markup, &headline),
        paragraph(markup, &about(view).join("\n")),
    ];
    sections.extend(tables(view).iter().map(|table| {
        let head: Vec<String> = table.head.iter().map(|words| words.join(" ")).collect();
        let head: Vec<&str> = head.iter().map(|words| words.trim()).collect();
        markup.title(&table.title) + &markup.table(&head, &table.aligns, &table.rows)
    }));
    sections.push(paragraph(markup, &remarks(view).join("\n")));
    sections.retain(|section| !section.is_empty());
    sections.join("\n")
}

/// Lines beside the point, none longer than a screen is wide.
fn dim(lines: &[String]) -> String {
    let mut text = String::new();
    for line in lines {
        let mut width = 0;
        let mut broken = String::new();
        for word in line.split(' ') {
            let own = word.chars().count();
            if width > 0 && width + 1 + own > WIDTH {
                broken += "\n  ";
                width = 2;
            } else if width > 0 {
                broken.push(' ');
                width += 1;
            }
            broken += word;
            width += own;
        }
        for line in broken.lines() {
            text += &format!("{DIM}{line}{DIM:#}\n");
        }
    }
    text
}

/// What is swept, if something is.
fn about(view: &View<'_>) -> Vec<String> {
    let axes = view.valuation.axes.iter();
    let axes: Vec<String> = axes
        .map(|axis| format!("{}={}", axis.name, stretch(&axis.values)))
        .collect();
    if axes.is_empty() {
        return Vec::new();
    }
    let count = words::grouped(&view.valuation.configurations.to_string());
    let axes = axes.join(" ");
    vec![format!("{count} configurations: {axes}")]
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

fn tables(view: &View<'_>) -> Vec<Table> {
    let role = |is_parameter: bool| {
        let levers = view.valuation.levers.iter();
        let own: Vec<&Moved> = levers
            .filter(|own| own.is_parameter == is_parameter)
            .collect();
        let title = match is_parameter {
            false => "one step of an axis",
            true => "one step of a parameter",
        };
        worths(view, &own, title)
    };
    let tables = [role(false), role(true), steps(view), exchange(view)];
    tables
        .into_iter()
        .filter(|table| !table.rows.is_empty())
        .collect()
}

/// A row for each step, or each swept lever: what changes, and the flat modifiers that would do the same.
fn worths(view: &View<'_>, levers: &[&Moved], title: &str) -> Table {
    let valuation = view.valuation;
    let columns = 0..valuation.columns.len();
    let mut head = vec![heading("", "")];
    head.extend(columns.map(|at| heading("", &column(valuation, at))));
    if valuation.number.is_some() {
        head.extend((0..valuation.reached()).map(|at| flat_heading(valuation, at)));
    }
    if !valuation.axes.is_empty() {
        let yardstick = column(valuation, valuation.yardstick);
        head.extend([
            heading(&yardstick, "from"),
            heading("", "to"),
            heading("", "in"),
        ]);
    }
    let mut aligns = vec![Align::Right; head.len()];
    aligns[0] = Align::Left;
    let deeds = most_telling(view, shown(levers.iter().copied()).collect());
    Table {
        title: format!("{title}{}", measures(view)),
        rows: deeds.into_iter().map(|deed| worth(view, deed)).collect(),
        head,
        aligns,
    }
}

/// The steps that change something.
fn shown<'v>(levers: impl Iterator<Item = &'v Moved>) -> impl Iterator<Item = Deed<'v>> {
    let deeds = levers.flat_map(Moved::deeds);
    deeds.filter(|deed| deed.summary.active > 0)
}

/// All steps; of many steps of parameters that nobody named those that change the most, in their order.
fn most_telling<'v>(view: &View<'_>, mut deeds: Vec<Deed<'v>>) -> Vec<Deed<'v>> {
    let valuation = view.valuation;
    if valuation.are_named || deeds.iter().any(|deed| !deed.moved.is_parameter) {
        return deeds;
    }
    let change = |deed: &Deed<'_>| {
        let change = deed.summary.changes[valuation.yardstick].as_ref();
        change.map_or(RBig::ZERO, |change| size(&change.typical))
    };
    let mut changes: Vec<RBig> = deeds.iter().map(change).collect();
    changes.sort_unstable_by(|one, other| other.cmp(one));
    if let Some(least) = changes.get(MOST_PARAMETERS - 1) {
        deeds.retain(|deed| change(deed) >= *least);
        deeds.truncate(MOST_PARAMETERS);
    }
    deeds
}

/// The row of a step; in a sweep with the range of what is compared, and in how many configurations it changes anything.
fn worth(view: &View<'_>, deed: Deed<'_>) -> Vec<String> {
    let valuation = view.valuation;
    let summary = deed.summary;
    let change = |at: usize, pick: fn(&Spread) -> &RBig| match &summary.changes[at] {
        Some(spread) => signed(
            pick(spread),
            valuation.columns[at].kind.is_probability(),
            view.form,
        ),
        None => DASH.to_owned(),
    };
    let typical = |spread: &Spread| spread.typical.clone();
    let mut row = vec![deed.words()];
    row.extend((0..valuation.columns.len()).map(|at| change(at, |spread| &spread.typical)));
    if valuation.number.is_some() {
        let flats = summary.flats.iter().map(|flat| flat.as_ref().map(typical));
        row.extend(flats.map(|flat| flat_words(flat.as_ref(), view.form)));
    }
    if !valuation.axes.is_empty() {
        let share = RBig::from_parts(summary.active.into(), summary.count.into());
        row.push(change(valuation.yardstick, |spread| &spread.least));
        row.push(change(valuation.yardstick, |spread| &spread.most));
        row.push(Form::Percent(0).show_ratio(&share));
    }
    row
}

/// What the numbers of a table are.
fn measures(view: &View<'_>) -> String {
    let valuation = view.valuation;
    let typically = if valuation.axes.is_empty() {
        ""
    } else {
        ", typically"
    };
    let mut parts = Vec::new();
    if valuation
        .columns
        .iter()
        .any(|head| head.kind.is_probability())
    {
        parts.push(match view.form.of_differences() {
            Form::Decimal(_) => "changes of probabilities".to_owned(),
            _ => "points".to_owned(),
        });
    }
    if let Some(number) = &valuation.number {
        parts.push(format!(
            "the flat modifier of {} that does the same",
            number.name
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
        _ => head.name.clone(),
    }
}

/// `flat at 15`, or where the threshold is not everywhere the same `flat Hit+`.
fn flat_heading(valuation: &Valuation, at: usize) -> [String; 2] {
    let thresholds = valuation
        .number
        .iter()
        .flat_map(|number| &number.thresholds);
    match thresholds.map(|own| own.at[at]).next().flatten() {
        Some(threshold) => heading("flat", &format!("at {threshold}")),
        None => heading("flat", &column(valuation, at)),
    }
}

fn heading(above: &str, below: &str) -> [String; 2] {
    [above, below].map(str::to_owned)
}

/// `+2.81`
fn flat_words(flat: Option<&RBig>, form: Form) -> String {
    let digits = match form {
        Form::Percent(digits) => digits,
        Form::Decimal(_) | Form::OneIn(_) | Form::Fraction => 2,
    };
    let Some(flat) = flat else {
        return DASH.to_owned();
    };
    let sign = match flat.cmp(&RBig::ZERO) {
        std::cmp::Ordering::Less => "-",
        std::cmp::Ordering::Equal => return "0".to_owned(),
        std::cmp::Ordering::Greater => "+",
    };
    format!("{sign}{}", words::decimals(&size(flat), digits))
}

/// What each further step of a number is worth: the change of its mean, or by the yardstick. Left out is what is the
/// same at each step.
fn steps(view: &View<'_>) -> Table {
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
    let mut head = vec![heading("", ""), heading("", "along")];
    let ordinals = ordinals.take(longest.saturating_sub(2));
    head.extend(ordinals.map(|nth| heading("", &nth)));
    let mut aligns = vec![Align::Right; head.len().max(2)];
    aligns[..2].fill(Align::Left);
    let rows = chains.into_iter().map(|mut chain| {
        chain.resize(longest, String::new());
        chain
    });
    Table {
        title: format!("step by step, {}", column(view.valuation, at)),
        rows: rows.collect(),
        head,
        aligns,
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
fn is_walked(moved: &Moved) -> bool {
    !moved.is_label() && (!moved.is_parameter || moved.is_swept || moved.is_along)
}

/// Name, values and worth of the steps in one direction; none if there is none.
fn chain(view: &View<'_>, moved: &Moved, at: usize, is_up: bool) -> Option<Vec<String>> {
    let steps = moved.lever.steps.iter().zip(&moved.steps);
    let steps: Vec<_> = steps
        .filter(|(step, _)| moved.lever.is_up(**step) == is_up)
        .take(MOST_STEPS)
        .collect();
    let ((first, _), (last, _)) = (steps.first()?, steps.last()?);
    let values = match is_up {
        true => stretch_words(&moved.values.values[first.from..=last.to]),
        false => format!("{} … {}", moved.value(first.from), moved.value(last.to)),
    };
    let kind = view.valuation.columns[at].kind;
    let worth = |summary: &Summary| match &summary.changes[at] {
        Some(change) => signed(&change.typical, kind.is_probability(), view.form),
        None => DASH.to_owned(),
    };
    let mut row = vec![moved.name().to_owned(), values];
    row.extend(steps.iter().map(|(_, summary)| worth(summary)));
    Some(row)
}

/// `-5 … 5`, `1,2,4,6`
fn stretch_words(values: &[String]) -> String {
    stretch(values).replace("..=", " … ")
}

/// How many steps of each lever are worth one of another.
fn exchange(view: &View<'_>) -> Table {
    let mut goods: Vec<(String, &RBig)> = Vec::new();
    for (deed, worth) in view.valuation.goods() {
        match goods.last_mut() {
            // What is worth the same shares a line.
            Some((names, known)) if *known == worth => *names += &format!(", {}", deed.words()),
            _ => goods.push((deed.words(), worth)),
        }
    }
    goods.truncate(MOST_GOODS);
    if goods.len() < 2 {
        goods.clear();
    }
    let letters: Vec<String> = ('a'..).take(goods.len()).map(String::from).collect();
    let worth = |worth: &RBig| match view.valuation.has_flat_yardstick() {
        true => flat_words(Some(worth), view.form),
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
        [letter.clone(), names.clone(), worth(own)]
            .into_iter()
            .chain(rates)
            .collect()
    };
    let rows: Vec<Vec<String>> = letters.iter().zip(&goods).map(row).collect();
    let by = match view.valuation.has_flat_yardstick() {
        true => flat_heading(view.valuation, view.valuation.yardstick).join(" "),
        false => column(view.valuation, view.valuation.yardstick),
    };
    let mut head = ["", "", &by].map(|word| heading("", word)).to_vec();
    head.extend(letters.iter().map(|letter| heading("", letter)));
    let mut aligns = vec![Align::Right; head.len()];
    aligns[..2].fill(Align::Left);
    Table {
        title: "one step is worth so many steps of a, b, …".to_owned(),
        head,
        aligns,
        rows,
    }
}

/// `1.89`; `-0.5` where one step does the opposite of the other.
fn rate(rate: &RBig) -> String {
    let sign = if *rate < RBig::ZERO { "-" } else { "" };
    format!("{sign}{}", words::decimals(&size(rate), 2))
}

/// Whether a step that is shown has no flat modifier at some threshold.
fn lacks_flats(view: &View<'_>) -> bool {
    shown(view.valuation.levers.iter()).any(|deed| deed.summary.flats.contains(&None))
}

/// What is typical, what changes nothing, and what a dash means.
fn remarks(view: &View<'_>) -> Vec<String> {
    let valuation = view.valuation;
    let mut remarks = Vec::new();
    if !valuation.axes.is_empty() {
        remarks.push(
            "typically: the median where the step changes anything; in: the share of configurations where it does"
                .to_owned(),
        );
    }
    let has_effect = |moved: &&Moved| moved.deeds().iter().any(|deed| deed.summary.active > 0);
    let idle: Vec<&str> = valuation
        .levers
        .iter()
        .filter(|moved| !has_effect(moved))
        .map(Moved::name)
        .collect();
    if valuation.levers.is_empty() {
        remarks.push(
            "nothing can be moved: no axis and no parameter with more than one value is read"
                .to_owned(),
        );
    }
    let params = || valuation.levers.iter().filter(|moved| moved.is_parameter);
    let count = shown(params()).count();
    let told = most_telling(view, shown(params()).collect()).len();
    if told < count {
        remarks.push(format!(
            "of {count} parameters that matter these {told} matter most; --lever NAME shows others, --format csv all"
        ));
    }
    if !idle.is_empty() {
        let place = if valuation.axes.is_empty() {
            "here"
        } else {
            "anywhere here"
        };
        remarks.push(format!(
            "one step changes nothing {place}: {}",
            idle.join(", ")
        ));
    }
    match &valuation.number {
        None if !valuation.bands.is_empty() => remarks.push(
            "no flat modifiers: these bands are not thresholds of a single rolled number"
                .to_owned(),
        ),
        Some(_) if lacks_flats(view) => {
            remarks.push(format!("{DASH}: no single flat modifier does the same"));
        }
        _ => {}
    }
    remarks
}
