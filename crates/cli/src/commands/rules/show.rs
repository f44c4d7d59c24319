//! `oddsmith rules show`: a ruleset in words.

use anyhow::Result;
use oddsmith_exact::{Budget, RBig, distribution};
use oddsmith_rules::{
    Along, Chart, Check, Domain, Input, InputRange, Model, Outcome, OutcomeKind, Role, Ties,
};

use crate::document::{Align, BOLD, Cell, DIM, Grid};
use crate::target::{self, TargetName, Wanted};

/// Characters of a line of prose.
const WIDTH: usize = 100;
/// Steps that an example may cost.
const CHEAP: u64 = 20_000_000;
/// Examples of queries.
const EXAMPLES: usize = 4;

/// The ruleset, or one of its checks or tracks.
pub(super) fn text(target: &str) -> Result<String> {
    let name = TargetName::parse(target);
    let model = target::load(name.ruleset)?;
    let shown: Vec<&Check> = match name.check {
        Some(_) => vec![target::find(&model, name, Wanted::Either)?],
        None => model.checks.iter().chain(&model.tracks).collect(),
    };
    let mut sections = vec![title(&model, name.ruleset)];
    if !model.params.is_empty() {
        let params: Vec<&Input> = model.params.iter().collect();
        sections.push(format!("{BOLD}parameters{BOLD:#}\n{}", inputs(&params)));
    }
    let parts = shown.iter();
    sections.extend(parts.map(|check| describe(check, name.ruleset)));
    sections.extend(charts(&model, &shown));
    sections.extend(expectations(&model, &shown));
    sections.extend(resources(&model, &shown));
    sections.extend(readings(&model.params));
    Ok(sections.join("\n"))
}

fn title(model: &Model, name: &str) -> String {
    let title = if model.name.is_empty() {
        name
    } else {
        &model.name
    };
    let help = if model.help.is_empty() {
        String::new()
    } else {
        format!("{}\n", model.help)
    };
    format!("{BOLD}{title}{BOLD:#}\n{help}")
}

/// A check or a track: its axes, what it demands and shows, what it strives for, and what can be asked.
fn describe(check: &Check, ruleset: &str) -> String {
    let kind = if check.rounds.is_some() {
        "track"
    } else {
        "check"
    };
    let help = if check.help.is_empty() {
        String::new()
    } else {
        format!("  {}", check.help)
    };
    let axes = check.inputs.iter().filter(|input| input.role == Role::Axis);
    let axes: Vec<&Input> = axes.collect();
    let mut grid = Grid::new(&[Align::Left, Align::Left]);
    for (name, words) in facts(check) {
        grid.push(vec![Cell::styled(name, DIM), words.into()]);
    }
    format!(
        "{BOLD}{kind} {}{BOLD:#}{help}\n{}{}",
        check.name,
        inputs(&axes),
        grid.render("  ")
    ) + &examples(check, ruleset)
}

/// What is to be said of a check, each with a name.
fn facts(check: &Check) -> Vec<(&'static str, String)> {
    let mut facts: Vec<(&str, String)> = check
        .requires
        .iter()
        .map(|requirement| ("requires", requirement.text.clone()))
        .collect();
    if check.rounds.is_some() {
        facts.extend(shown(check, |outcome| !outcome.first_round));
        let first = shown(check, |outcome| outcome.first_round);
        facts.extend(
            first
                .into_iter()
                .map(|(name, words)| (name, format!("{words}  (of one roll)"))),
        );
    } else {
        facts.extend(shown(check, |_| true));
    }
    if let Some(contest) = &check.contest {
        let tie = match check.ties {
            Ties::Reroll => "a tie is rolled again",
            Ties::Both => "at a tie both have won",
            Ties::Defender => "at a tie the second side has won",
        };
        facts.push((
            "contest",
            format!("the higher `{}` wins; {tie}", contest.text),
        ));
    }
    if let Some(goal) = &check.goal {
        facts.push((
            "maximise",
            format!("every choice strives for `{}`", goal.text),
        ));
    }
    facts
}

/// Bands, flags, numbers and labels.
fn shown(check: &Check, is_meant: impl Fn(&Outcome) -> bool) -> Vec<(&'static str, String)> {
    let names = |is: fn(&OutcomeKind) -> bool| {
        let meant = check.outcomes.iter().filter(|outcome| is_meant(outcome));
        let names = meant.filter(|outcome| is(&outcome.kind));
        let names = names.map(|outcome| match &outcome.kind {
            OutcomeKind::Label(choice) => {
                format!("{} ({})", outcome.name, choice.labels().join(", "))
            }
            OutcomeKind::Band(choice) => choice.labels().join(" < "),
            _ => outcome.name.clone(),
        });
        names.collect::<Vec<_>>().join(", ")
    };
    let kinds = [
        ("bands", names(|kind| matches!(kind, OutcomeKind::Band(_)))),
        ("flags", names(|kind| *kind == OutcomeKind::Flag)),
        ("numbers", names(|kind| *kind == OutcomeKind::Observable)),
        (
            "labels",
            names(|kind| matches!(kind, OutcomeKind::Label(_))),
        ),
    ];
    kinds
        .into_iter()
        .filter(|(_, names)| !names.is_empty())
        .collect()
}

/// A few queries about a check, each with its meaning.
fn examples(check: &Check, ruleset: &str) -> String {
    let mut grid = Grid::new(&[Align::Left, Align::Left]);
    let right = candidates(check).into_iter();
    let right = right.filter(|(query, _)| check.query(query, "example").is_ok());
    for (query, meaning) in right.take(EXAMPLES) {
        grid.push(vec![query.into(), Cell::styled(meaning, DIM)]);
    }
    let command = if check.rounds.is_some() {
        "track"
    } else {
        "odds"
    };
    format!(
        "  {DIM}ask{DIM:#} oddsmith {command} {ruleset}:{} --query '…', such as\n{}",
        check.name,
        grid.render("    ")
    )
}

/// What might be asked, the most useful first.
fn candidates(check: &Check) -> Vec<(String, String)> {
    let last = |is: fn(&OutcomeKind) -> bool| {
        let mut found = check.outcomes.iter();
        found.rfind(|outcome| is(&outcome.kind) && Some(outcome.var) != check.rounds)
    };
    let flag = last(|kind| *kind == OutcomeKind::Flag);
    let number = last(|kind| *kind == OutcomeKind::Observable);
    let mut found: Vec<(String, String)> = Vec::new();
    let mut add = |query: String, meaning: String| found.push((query, meaning));
    if check.rounds.is_some() {
        add("P(rolls<=5)".to_owned(), "over within 5 rolls".to_owned());
        add(
            "mean(rolls)".to_owned(),
            "the mean number of rolls".to_owned(),
        );
    }
    let bands = check.band().map_or(&[][..], |(_, bands)| bands.labels());
    let good = bands.get(bands.len() / 2);
    if let Some(good) = good {
        let word = quoted(good);
        if bands.last() == Some(good) {
            add(good.clone(), format!("{good}, by itself"));
        } else {
            add(format!("P(band>={word})"), format!("{good} or better"));
        }
        if let Some(Outcome { name, .. }) = flag {
            add(
                format!("{word}&{name}"),
                format!("{good} and {name} at once"),
            );
        }
    } else if let Some(Outcome { name, .. }) = flag {
        add(name.clone(), format!("{name}, by itself"));
    }
    if let Some(number) = number {
        let name = &number.name;
        add(format!("mean({name})"), format!("the mean of {name}"));
        if let Some(value) = telling(check, number) {
            add(
                format!("P({name}>={value})"),
                format!("{name} of {value} or more"),
            );
        }
        if let Some(good) = good {
            let word = quoted(good);
            add(
                format!("mean({name}|{word})"),
                format!("the mean of {name} where it is {good}"),
            );
        }
    }
    found
}

/// A label as it is written in an expression.
fn quoted(label: &str) -> String {
    let is_word = label.chars().all(|c| c.is_alphanumeric() || c == '_')
        && label.starts_with(char::is_alphabetic);
    if is_word {
        label.to_owned()
    } else {
        format!("\"{label}\"")
    }
}

/// A value that a number reaches about half of the time, if that is soon found; none if it is always the same.
fn telling(check: &Check, number: &Outcome) -> Option<i64> {
    let dist = distribution(check, &check.defaults(), number, &Budget::new(CHEAP)).ok()?;
    let median = dist.quantile(&RBig::from_parts(1.into(), 2_u8.into()));
    let mut values = dist.iter().map(|(value, _)| value).skip(1);
    values.find(|value| *value >= median)
}

/// The charts of some checks, a row for each: how it is drawn, of what, along what, and what it is called.
fn charts(model: &Model, shown: &[&Check]) -> Option<String> {
    let mut grid = Grid::new(&[Align::Left; 4]);
    let mut is_empty = true;
    for chart in &model.charts {
        let Some(check) = shown.iter().find(|check| check.name == chart.check) else {
            continue;
        };
        is_empty = false;
        grid.push(vec![
            Cell::styled(chart.kind.name(), DIM),
            chart.check.as_str().into(),
            axes_of(chart, check).into(),
            chart.title.as_str().into(),
        ]);
    }
    (!is_empty).then(|| format!("{BOLD}charts{BOLD:#}\n{}", grid.render("  ")))
}

/// What is intended of some checks, in the words of the ruleset.
fn expectations(model: &Model, shown: &[&Check]) -> Option<String> {
    let mut grid = Grid::new(&[Align::Left; 2]);
    let mut is_empty = true;
    for expectation in &model.expectations {
        if !shown.iter().any(|check| check.name == expectation.check) {
            continue;
        }
        for (at, line) in wrapped(&expectation.intent, WIDTH).into_iter().enumerate() {
            let check = if at == 0 {
                expectation.check.as_str()
            } else {
                ""
            };
            grid.push(vec![Cell::styled(check, DIM), line.into()]);
        }
        is_empty = false;
    }
    (!is_empty).then(|| format!("{BOLD}expectations{BOLD:#}\n{}", grid.render("  ")))
}

/// What is spent on some checks: on which of them, and what it is.
fn resources(model: &Model, shown: &[&Check]) -> Option<String> {
    let mut grid = Grid::new(&[Align::Left; 3]);
    let mut is_empty = true;
    for resource in &model.resources {
        let is_spent =
            |check: &&&Check| check.rounds.is_none() && check.spending(&resource.request).is_ok();
        let checks = shown.iter().filter(is_spent);
        let checks: Vec<&str> = checks.map(|check| check.name.as_str()).collect();
        if !checks.is_empty() {
            is_empty = false;
            grid.push(vec![
                resource.name.as_str().into(),
                Cell::styled(checks.join(", "), DIM),
                resource.help.as_str().into(),
            ]);
        }
    }
    (!is_empty).then(|| format!("{BOLD}resources{BOLD:#}\n{}", grid.render("  ")))
}

/// `rank by boons, facet state`
fn axes_of(chart: &Chart, check: &Check) -> String {
    let name = |range: &InputRange| check.inputs[range.input.0].name.clone();
    let mut words = match &chart.x {
        Along::Input(range) => name(range),
        Along::Number { name, .. } => name.clone(),
    };
    if let Some(by) = &chart.by {
        words += &format!(" by {}", name(by));
    }
    if let Some(facet) = &chart.facet {
        words += &format!(", facet {}", name(facet));
    }
    words
}

/// Parameters that stand for one reading of an ambiguous text, with the others.
fn readings(params: &[Input]) -> Option<String> {
    let params: Vec<&Input> = params.iter().collect();
    let mut text = String::new();
    for group in groups(&params) {
        let param = group[0];
        if param.reading.is_empty() {
            continue;
        }
        let (name, default) = (base(param), default(group));
        text.push_str(&format!(
            "  {BOLD}{name}{BOLD:#} = {default}, {}\n",
            others(param, group.len())
        ));
        for line in wrapped(&param.reading, WIDTH - 4) {
            text.push_str(&format!("    {line}\n"));
        }
    }
    (!text.is_empty()).then(|| format!("{BOLD}readings of ambiguous text{BOLD:#}\n{text}"))
}

/// `or ignore`
fn others(param: &Input, count: usize) -> String {
    let (low, high) = param.domain.bounds();
    if count > 1 || high - low > 6 && matches!(param.domain, Domain::Range(..)) {
        return format!("or else {}", param.domain.describe());
    }
    let others = (low..=high).filter(|value| *value != param.default);
    let others: Vec<String> = others.map(|value| param.domain.show(value)).collect();
    format!("or {}", others.join(" or "))
}

/// Lines of at most so many characters, unless a word is longer.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// The name without the place in a list.
fn base(input: &Input) -> &str {
    input.name.split('[').next().unwrap_or_default()
}

/// A row per input: name, legal values, default, sweep, help. The elements of a list are one row.
fn inputs(inputs: &[&Input]) -> String {
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
    for group in groups(inputs) {
        let first = group[0];
        push(vec![
            base(first).into(),
            first.domain.describe().into(),
            default(group).into(),
            Cell::styled(spans(first), DIM),
            first.help.as_str().into(),
        ]);
    }
    grid.render("  ")
}

/// The elements of a list together, everything else by itself.
fn groups<'g, 'i>(inputs: &'g [&'i Input]) -> impl Iterator<Item = &'g [&'i Input]> {
    inputs.chunk_by(|one, next| one.name.contains('[') && base(one) == base(next))
}

/// `2`, or `[4,6,8]` of a list.
fn default(group: &[&Input]) -> String {
    let shown = group.iter().map(|input| input.domain.show(input.default));
    let shown = shown.collect::<Vec<_>>().join(",");
    if group[0].name.contains('[') {
        format!("[{shown}]")
    } else {
        shown
    }
}

/// The values of a declared sweep, runs of numbers as `-5..=5`.
fn spans(input: &Input) -> String {
    let mut spans: Vec<(i64, i64)> = Vec::new();
    for &value in &input.sweep {
        match spans.last_mut() {
            Some((_, last)) if value.checked_sub(1) == Some(*last) => *last = value,
            _ => spans.push((value, value)),
        }
    }
    let is_number = matches!(input.domain, Domain::Range(..));
    let mut words = Vec::new();
    for (first, last) in spans {
        if is_number && last - first >= 2 {
            words.push(format!("{first}..={last}"));
        } else {
            words.extend((first..=last).map(|value| input.domain.show(value)));
        }
    }
    words.join(",")
}
