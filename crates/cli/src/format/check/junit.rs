//! JUnit XML, as CI servers read it: a suite for each ruleset, a case for each table.

use std::fmt::Write as _;

use oddsmith::project::{Found, IntentVerdict, ProjectAnswer, RulesetAnswer, TableDrift, Trouble};
use oddsmith_report::escape;

use super::{ORPHAN_HELP, compared, orphan, summary};

/// The whole document.
pub(crate) fn render(report: &ProjectAnswer) -> String {
    let mut suites = String::new();
    let [mut tests, mut failures, mut errors] = [0; 3];
    for game in &report.rulesets {
        let (cases, counts) = match &game.found {
            Ok(found) => cases(report, game, found),
            Err(trouble) => error(game, trouble),
        };
        let attributes = attributes(counts);
        let _ = write!(
            suites,
            "  <testsuite name=\"{}\"{attributes} time=\"0\">\n{cases}  </testsuite>\n",
            attribute(&game.id)
        );
        tests += counts[0];
        failures += counts[1];
        errors += counts[2];
    }
    if !report.orphans.is_empty() {
        let (cases, counts) = orphans(report);
        let attributes = attributes(counts);
        let _ = write!(
            suites,
            "  <testsuite name=\"baselines\"{attributes} time=\"0\">\n{cases}  </testsuite>\n"
        );
        tests += counts[0];
        failures += counts[1];
    }
    let attributes = attributes([tests, failures, errors]);
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"oddsmith check\"{attributes} time=\"0\">\n{suites}</testsuites>\n"
    )
}

fn attributes([tests, failures, errors]: [usize; 3]) -> String {
    format!(" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"0\"")
}

/// The cases of a ruleset; how many there are, how many failed, and how many could not be answered.
fn cases(report: &ProjectAnswer, game: &RulesetAnswer, found: &Found) -> (String, [usize; 3]) {
    let mut text = String::new();
    let mut counts = [0; 3];
    for table in &found.tables {
        let open = open(game, &table.check, table.place.line);
        let is_failure = table.is_moved() && !report.is_update;
        let problem = is_failure.then(|| Problem {
            element: "failure",
            kind: "drift",
            message: summary(table),
            body: body(table),
        });
        push_case(&open, problem, &mut text, &mut counts);
    }
    for intent in &found.intents {
        let name = format!("{}: {}", intent.check, intent.intent);
        let open = open(game, &name, intent.place.line);
        let worst = intent.verdict.worst().iter();
        let worst: Vec<&str> = worst.map(|failing| failing.text.as_str()).collect();
        let problem = |element| Problem {
            element,
            kind: "expectation",
            message: intent.verdict.summary(),
            body: worst.join("\n"),
        };
        let problem = match &intent.verdict {
            IntentVerdict::Holds => None,
            IntentVerdict::Broken { .. } => Some(problem("failure")),
            IntentVerdict::Unknown(_) => Some(problem("error")),
        };
        push_case(&open, problem, &mut text, &mut counts);
    }
    (text, counts)
}

/// What is wrong with a case.
struct Problem {
    element: &'static str,
    kind: &'static str,
    message: String,
    body: String,
}

fn push_case(open: &str, problem: Option<Problem>, text: &mut String, counts: &mut [usize; 3]) {
    counts[0] += 1;
    let Some(problem) = problem else {
        let _ = writeln!(text, "    {open}/>");
        return;
    };
    let Problem { element, kind, .. } = problem;
    counts[if element == "failure" { 1 } else { 2 }] += 1;
    let (message, body) = (attribute(&problem.message), escape(&problem.body));
    let _ = write!(
        text,
        "    {open}>\n      <{element} type=\"{kind}\" message=\"{message}\">{body}</{element}>\n    </testcase>\n"
    );
}

fn open(game: &RulesetAnswer, name: &str, line: usize) -> String {
    format!(
        "<testcase classname=\"{}\" name=\"{}\" file=\"{}\" line=\"{line}\" time=\"0\"",
        attribute(&game.id),
        attribute(name),
        attribute(&game.file)
    )
}

/// Causes and differences, a line each.
fn body(table: &TableDrift) -> String {
    let mut text = String::new();
    for cause in table.all_causes() {
        let _ = writeln!(text, "{}", cause.text);
    }
    let Some(both) = table.compared() else {
        return text;
    };
    for moved in both.drift.moved() {
        let [before, after, by] = compared::cells(both, moved);
        let measure = both.told_column(&both.drift.measures()[moved.measure].name);
        let _ = writeln!(
            text,
            "{}: {measure} {before} -> {after} ({by})",
            both.told(&moved.configuration)
        );
    }
    text
}

/// A case for each baseline that no ruleset has.
fn orphans(report: &ProjectAnswer) -> (String, [usize; 3]) {
    let (mut text, mut counts) = (String::new(), [0; 3]);
    for directory in &report.orphans {
        let name = attribute(directory);
        let open = format!("<testcase classname=\"baselines\" name=\"{name}\" time=\"0\"");
        let problem = Problem {
            element: "failure",
            kind: "drift",
            message: orphan(directory),
            body: ORPHAN_HELP.to_owned(),
        };
        push_case(&open, Some(problem), &mut text, &mut counts);
    }
    (text, counts)
}

/// The only case of a ruleset that could not be checked.
fn error(game: &RulesetAnswer, trouble: &Trouble) -> (String, [usize; 3]) {
    let reasons = trouble.reasons.iter().map(|(reason, _)| reason.as_str());
    let line = trouble.reasons.iter().find_map(|(_, place)| *place);
    let open = open(game, "baseline", line.map_or(1, |place| place.line));
    let problem = Problem {
        element: "error",
        kind: "error",
        message: reasons.clone().next().unwrap_or_default().to_owned(),
        body: reasons.collect::<Vec<_>>().join("\n"),
    };
    let (mut text, mut counts) = (String::new(), [0; 3]);
    push_case(&open, Some(problem), &mut text, &mut counts);
    (text, counts)
}

/// Text in an attribute, which keeps its lines.
fn attribute(text: &str) -> String {
    escape(text).replace('\n', "&#10;")
}

#[cfg(test)]
mod tests {
    use super::attribute;

    #[test]
    fn an_attribute_keeps_its_lines() {
        assert_eq!(attribute("a\n\"b\""), "a&#10;&quot;b&quot;");
    }
}
