//! The examples of `docs/language.md`, rolled.
//!
//! They are read as the exact engine's own test reads them. Answers must lie within five standard errors of what is
//! written; an error must be one here too, before the first trial or in one, with the same words.

use oddsmith_rules::{Check, Config, Model, Query, QueryKind, expression, load, validate};
use oddsmith_testkit::documents::{Block, blocks};

use crate::chances::far_off;
use crate::support::{parity_of, path_of, policy_of, report, rolled};

const DOCUMENT: &str = "docs/language.md";
const ERROR: &str = "error: ";
const SEED: u64 = 20_261_121;
const TRIALS: u64 = 65_536;

/// What the lines of an `odds` block are about. What does not load has no odds to be rolled.
enum Subject {
    Expressions,
    Script(Model),
    Ruleset(Model),
    Nothing,
}

fn subject(block: &Block<'_>) -> Subject {
    let read = |text: &str| {
        let model = load("example", text.as_bytes()).ok()?;
        validate(&model).ok().map(|_| model)
    };
    let text = block.text();
    match block.kind {
        "toml" => read(&text).map_or(Subject::Nothing, Subject::Ruleset),
        "rules" => {
            let rules = format!("rules = '''\n{text}'''");
            let model = read(&format!("name = \"Example\"\n[checks.check]\n{rules}\n"));
            model.map_or(Subject::Nothing, Subject::Script)
        }
        _ => Subject::Expressions,
    }
}

/// A line: a question and what is said of it.
struct Example<'l> {
    question: &'l str,
    wanted: &'l str,
}

impl<'l> Example<'l> {
    fn of(line: &'l str) -> Self {
        let line = line.split_once("  #").map_or(line, |(example, _)| example);
        let line = line.trim();
        let (at, gap) = match line.find(ERROR) {
            Some(at) => (at, 0),
            None => (line.rfind(" = ").expect("an example has a result"), 3),
        };
        Self {
            question: line[..at].trim_end_matches([' ', '=', ':']),
            wanted: &line[at + gap..],
        }
    }

    /// What the example asks of which check, set how; none if that is an error before anything could be rolled.
    fn read(&self, subject: &Subject) -> Option<(Check, Config, Query)> {
        let is_error = self.wanted.starts_with(ERROR);
        let (check, settings, query) = match subject {
            Subject::Nothing => return None,
            Subject::Expressions if is_error => {
                (expression(self.question, "example").ok()?, "", "")
            }
            Subject::Expressions => {
                let (text, query) = self.question.rsplit_once(": ")?;
                (expression(text, "example").ok()?, "", query)
            }
            Subject::Script(model) => (model.checks[0].clone(), "", self.question),
            Subject::Ruleset(model) => {
                let (head, query) = self
                    .question
                    .split_once(": ")
                    .unwrap_or((self.question, ""));
                let (check, settings) = named(model, head)?;
                (check, settings, query)
            }
        };
        let mut config = check.defaults();
        for assignment in settings.split_whitespace() {
            check.set(&mut config, assignment, "example").ok()?;
        }
        let text = match query {
            "value" => format!("P(value == {})", self.wanted),
            // What is asked does not matter, only that it fails.
            "" => {
                let query = parity_of(&check.outcomes[0]);
                return Some((check, config, query));
            }
            query => query.to_owned(),
        };
        let query = check.query(&text, "example").ok()?;
        // Nothing of a median is estimated.
        let is_picked = matches!(query.kind, QueryKind::Statistic(..));
        (!is_picked).then_some((check, config, query))
    }

    fn expected(&self) -> f64 {
        if self.question == "value" || self.question.ends_with(": value") {
            return 1.0;
        }
        let number = |text: &str| text.parse::<f64>().expect("a number");
        match self.wanted.split_once('/') {
            Some((above, below)) => number(above) / number(below),
            None => number(self.wanted),
        }
    }
}

/// The check, track or contest that a line begins with, and its settings.
fn named<'h>(model: &Model, head: &'h str) -> Option<(Check, &'h str)> {
    let split = |text: &'h str| text.split_once(' ').unwrap_or((text, ""));
    let Some(sides) = head.strip_prefix("contest ") else {
        let (name, settings) = split(head);
        let check = model.check(name).or_else(|| model.track(name))?;
        return Some((check.clone(), settings));
    };
    let (a, rest) = split(sides);
    let (b, settings) = split(rest);
    let (a, b) = (model.check(a)?, model.check(b)?);
    Some((a.against(b, a.ties).ok()?, settings))
}

/// What is wrong with an example; whether there was something to roll.
fn complaint(example: &Example<'_>, subject: &Subject) -> (bool, Option<String>) {
    let Some((check, config, query)) = example.read(subject) else {
        return (false, None);
    };
    let queries = std::slice::from_ref(&query);
    let found = rolled(&check, &config, queries, SEED, TRIALS);
    let Some(part) = example.wanted.strip_prefix(ERROR) else {
        let complaint = policy_of(&check, &config).err().or_else(|| match found {
            Ok(tally) => far_off(&query, &tally.sums[0], example.expected()),
            Err(error) => Some(error.to_string()),
        });
        return (true, complaint);
    };
    let complaint = match found {
        Err(error) if error.to_string().contains(part) => None,
        Err(error) => Some(format!("other words: {error}")),
        // No trial in which the condition holds.
        Ok(tally) if tally.sums[0].trials == 0 && part == "never happens" => None,
        Ok(tally) if tally.unfinished > 0 => None,
        Ok(_) => Some("no error".to_owned()),
    };
    (true, complaint)
}

#[test]
fn every_example_of_the_reference_is_rolled() {
    let text = std::fs::read_to_string(path_of(DOCUMENT)).expect("the reference is there");
    let (mut wrong, mut rolled) = (Vec::new(), 0);
    let mut subject = Subject::Expressions;
    for block in &blocks(DOCUMENT, &text) {
        if block.kind != "odds" {
            subject = self::subject(block);
            continue;
        }
        for (number, line) in block
            .lines
            .iter()
            .filter(|(_, line)| !line.contains("warning: "))
        {
            let (is_rolled, complaint) = complaint(&Example::of(line), &subject);
            rolled += usize::from(is_rolled);
            let place = format!("{DOCUMENT}:{number}: {line}");
            wrong.extend(complaint.map(|complaint| format!("{place}\n    {complaint}")));
        }
        subject = Subject::Expressions;
    }
    report(&wrong);
    assert!(rolled >= 250, "only {rolled} examples are left");
}
