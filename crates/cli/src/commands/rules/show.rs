//! `oddsmith rules show`: a ruleset in words.

use anyhow::Result;
use oddsmith::Game;
use oddsmith::overview::{CheckOverview, InputOverview, Overview, Shown};

use crate::document::{Align, BOLD, Cell, DIM, Grid, fit, lines, on_screen, room};
use crate::target::TargetName;
use crate::terminal;

/// The ruleset, or one of its checks or tracks.
pub(super) fn text(target: &str) -> Result<String> {
    let name = TargetName::parse(target);
    let overview = Game::open(name.ruleset)?.overview(name.check)?;
    let mut sections = vec![title(&overview)];
    if !overview.parameters.is_empty() {
        let parameters = inputs(&overview.parameters);
        sections.push(format!("{BOLD}parameters{BOLD:#}\n{parameters}"));
    }
    let checks = overview.checks.iter();
    sections.extend(checks.map(|check| describe(check, name.ruleset)));
    sections.extend(charts(&overview));
    sections.extend(expectations(&overview));
    sections.extend(resources(&overview));
    sections.extend(readings(&overview.parameters));
    Ok(sections.join("\n"))
}

fn title(Overview { title, help, .. }: &Overview) -> String {
    let help = match help.as_str() {
        "" => String::new(),
        help => fit(help, room(terminal::width())) + "\n",
    };
    format!("{BOLD}{title}{BOLD:#}\n{help}")
}

/// A check or a track: its axes, what it demands and shows, what it strives for, and what can be asked.
fn describe(check: &CheckOverview, ruleset: &str) -> String {
    let kind = if check.is_track { "track" } else { "check" };
    let help = match told(&check.name, &check.label, &check.help) {
        help if help.is_empty() => help,
        help => format!("  {help}"),
    };
    let mut grid = Grid::new(&[Align::Left, Align::Left]);
    for (name, words) in facts(check) {
        grid.push(vec![Cell::styled(name, DIM), words.into()]);
    }
    let head = format!("{BOLD}{kind} {}{BOLD:#}{help}", check.name);
    format!(
        "{}\n{}{}",
        on_screen(head, terminal::width()),
        inputs(&check.axes),
        grid.render("  ", terminal::width())
    ) + &examples(check, ruleset)
}

/// What is to be said of a check, each with a name.
fn facts(check: &CheckOverview) -> Vec<(&'static str, String)> {
    let requires = check.requires.iter();
    let mut facts: Vec<(&str, String)> = requires.map(|text| ("requires", text.clone())).collect();
    facts.extend(shown(&check.shown, &check.titles));
    let first = shown(&check.first_roll, &check.titles).into_iter();
    let one = check.unit.first().map_or("roll", String::as_str);
    facts.extend(first.map(|(name, words)| (name, format!("{words}  (of one {one})"))));
    if let Some(contest) = &check.contest {
        let tie = match contest.ties {
            "reroll" => "a tie is rolled again",
            "both" => "at a tie both have won",
            _ => "at a tie the second side has won",
        };
        facts.push((
            "contest",
            format!("the higher `{}` wins; {tie}", contest.compare),
        ));
    }
    if let Some(goal) = &check.maximise {
        facts.push(("maximise", format!("every choice strives for `{goal}`")));
    }
    facts
}

/// Bands, flags, numbers and labels, as far as there are any; with what people read in place of names.
fn shown(shown: &Shown, titles: &[(String, String)]) -> Vec<(&'static str, String)> {
    let labels = shown.labels.iter();
    let labels = labels.map(|(name, values)| format!("{name} ({})", values.join(", ")));
    let named = |names: &[String]| {
        let named = names.iter().map(|name| named(name, titles));
        named.collect::<Vec<_>>().join(", ")
    };
    let kinds = [
        ("bands", shown.bands.join(" < ")),
        ("flags", named(&shown.flags)),
        ("numbers", named(&shown.numbers)),
        ("labels", labels.collect::<Vec<_>>().join(", ")),
    ];
    let kinds = kinds.into_iter();
    kinds.filter(|(_, names)| !names.is_empty()).collect()
}

/// A name, and what people read in its place.
fn named(name: &str, titles: &[(String, String)]) -> String {
    match titles.iter().find(|(own, _)| own == name) {
        Some((_, title)) => format!("{name} ({title})"),
        None => name.to_owned(),
    }
}

/// A few queries about a check, each with its meaning.
fn examples(check: &CheckOverview, ruleset: &str) -> String {
    let mut grid = Grid::new(&[Align::Left, Align::Left]);
    for example in &check.examples {
        let meaning = Cell::styled(example.meaning.as_str(), DIM);
        grid.push(vec![example.query.as_str().into(), meaning]);
    }
    let command = if check.is_track { "track" } else { "odds" };
    let ask = format!(
        "  {DIM}ask{DIM:#} oddsmith {command} {ruleset}:{} --query '…', such as",
        check.name
    );
    format!(
        "{}\n{}",
        on_screen(ask, terminal::width()),
        grid.render("    ", terminal::width())
    )
}

/// A heading above rows; nothing without rows.
fn section<const N: usize>(
    heading: &str,
    rows: impl IntoIterator<Item = [Cell; N]>,
) -> Option<String> {
    let mut rows = rows.into_iter().peekable();
    rows.peek()?;
    let mut grid = Grid::new(&[Align::Left; N]);
    rows.for_each(|row| grid.push(row.into()));
    Some(format!(
        "{BOLD}{heading}{BOLD:#}\n{}",
        grid.render("  ", terminal::width())
    ))
}

/// A row for each chart: how it is drawn, of what, along what, and what it is called.
fn charts(overview: &Overview) -> Option<String> {
    let rows = overview.charts.iter().map(|chart| {
        let kind = Cell::styled(chart.kind, DIM);
        let [check, axes, title] =
            [&chart.check, &chart.axes, &chart.title].map(|text| text.as_str().into());
        [kind, check, axes, title]
    });
    section("charts", rows)
}

/// What is intended, in the words of the ruleset.
fn expectations(overview: &Overview) -> Option<String> {
    let rows = overview.expectations.iter().flat_map(|expectation| {
        let lines = lines(&expectation.intent, room(terminal::width()), "").into_iter();
        lines.enumerate().map(|(at, line)| {
            let check = if at == 0 { &expectation.check[..] } else { "" };
            [Cell::styled(check, DIM), line.into()]
        })
    });
    section("expectations", rows)
}

/// What is spent: on which checks, and what it is.
fn resources(overview: &Overview) -> Option<String> {
    let rows = overview.resources.iter().map(|resource| {
        let checks = Cell::styled(resource.checks.join(", "), DIM);
        [
            resource.name.as_str().into(),
            checks,
            resource.help.as_str().into(),
        ]
    });
    section("resources", rows)
}

/// Parameters that stand for one reading of an ambiguous text, with the others.
fn readings(parameters: &[InputOverview]) -> Option<String> {
    let mut text = String::new();
    for parameter in parameters.iter().filter(|own| !own.reading.is_empty()) {
        let InputOverview {
            name,
            default,
            others,
            ..
        } = parameter;
        text.push_str(&format!("  {BOLD}{name}{BOLD:#} = {default}, {others}\n"));
        let width = room(terminal::width()).saturating_sub(4);
        // A file breaks its lines where they are long there.
        for paragraph in parameter.reading.split("\n\n") {
            let words: Vec<&str> = paragraph.split_whitespace().collect();
            for line in lines(&words.join(" "), width, "") {
                text.push_str(&format!("    {line}\n"));
            }
        }
    }
    (!text.is_empty()).then(|| format!("{BOLD}readings of ambiguous text{BOLD:#}\n{text}"))
}

/// An input's label and help, and the labels of its values.
fn meaning(input: &InputOverview) -> String {
    let words = told(&input.name, &input.label, &input.help);
    // Words are told by their places.
    let list: Vec<&str> = input.values.split(" | ").collect();
    let written = |value: i64| match usize::try_from(value).ok().and_then(|at| list.get(at)) {
        Some(word) if !input.values.contains("..=") => (*word).to_owned(),
        _ => value.to_string(),
    };
    let labels = input.value_labels.iter();
    let labels: Vec<String> = labels
        .map(|(value, label)| format!("{} = {label}", written(*value)))
        .collect();
    match labels.as_slice() {
        [] => words,
        labels => format!("{words} ({})", labels.join(", ")),
    }
}

/// A label in front of a help; without it where it repeats the name or the help.
fn told(name: &str, label: &str, help: &str) -> String {
    let begins = help.to_lowercase().starts_with(&label.to_lowercase());
    let repeats = begins || name.eq_ignore_ascii_case(label);
    let words = [if repeats { "" } else { label }, help];
    let words: Vec<&str> = words
        .into_iter()
        .filter(|words| !words.is_empty())
        .collect();
    words.join(": ")
}

/// A list of many items by its ends.
fn short(list: &str) -> String {
    const MOST: usize = 40;
    let items: Vec<&str> = list.split(',').collect();
    match items[..] {
        [first, second, third, .., last] if list.len() > MOST => {
            format!("{first},{second},{third}, … {last} ({} items)", items.len())
        }
        _ => list.to_owned(),
    }
}

/// A row per input: name, legal values, default, sweep, meaning.
fn inputs(inputs: &[InputOverview]) -> String {
    if inputs.is_empty() {
        return String::new();
    }
    let sweeps = inputs.iter().any(|input| !input.sweep.is_empty());
    let mut grid = Grid::new(&[Align::Left; 5]);
    let mut push = |mut row: Vec<Cell>| {
        if !sweeps {
            row.remove(3);
        }
        grid.push(row);
    };
    let head = ["name", "values", "default", "sweep", ""];
    push(head.map(|name| Cell::styled(name, DIM)).into());
    for input in inputs {
        push(vec![
            input.name.as_str().into(),
            input.values.as_str().into(),
            short(&input.default).into(),
            Cell::styled(input.sweep.as_str(), DIM),
            meaning(input).into(),
        ]);
    }
    grid.render("  ", terminal::width())
}
