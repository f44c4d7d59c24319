//! `docs/language.md` promises that its examples hold: here every line of them is run.
//!
//! Fenced blocks of three kinds are read, in the document's order:
//!
//! - `toml`: a whole ruleset. `rules`: the script of a check that needs nothing else. Both must load, unless the
//!   lines about them say which errors they have.
//! - `odds`: one example a line, about the ruleset or script in the block before it, or else about expressions:
//!   `CHECK NAME=VALUE …: QUERY = RESULT`, `contest CHECK CHECK NAME=VALUE …: QUERY = RESULT`, `QUERY = RESULT`, `EXPRESSION: QUERY = RESULT`. The query `value` stands
//!   for a value that is certain. A result is a fraction, or `error: PART OF THE MESSAGE`; where the question does not
//!   matter the error stands in the place of the query. Two spaces and `#` begin a comment. `EXPRESSION: warning: PART`
//!   and `warning: PART` are about warnings: each that there is has such a line, and there are no others.

use oddsmith_exact::{Budget, RBig, answers};
use oddsmith_rules::{Check, Diagnostics, Model, expression, expression_warnings, load, validate};
use oddsmith_testkit::documents::{Block, blocks};
use oddsmith_testkit::rulesets::path_of;

const DOCUMENT: &str = "docs/language.md";
const ERROR: &str = "error: ";
const WARNING: &str = "warning: ";

/// What the lines of an `odds` block are about: expressions, or a model or the messages that there are instead.
enum Subject {
    Expressions,
    Script(Result<Model, String>),
    Ruleset(Result<Model, String>),
}

/// The subject that a block puts before the next one.
fn subject(block: &Block<'_>) -> Subject {
    let read = |text: &str| {
        let model = load("example", text.as_bytes())?;
        validate(&model).map(|_| model)
    };
    let read = |text: &str| read(text).map_err(|errors| errors.render(false));
    match block.kind {
        "toml" => Subject::Ruleset(read(&block.text())),
        "rules" => {
            let ruleset = format!(
                "name = \"Example\"\n[checks.check]\nrules = '''\n{}'''\n",
                block.text()
            );
            Subject::Script(read(&ruleset))
        }
        _ => Subject::Expressions,
    }
}

/// What an example says, without its comment.
fn example(line: &str) -> &str {
    let example = line.split_once("  #");
    example.map_or(line, |(example, _)| example).trim()
}

/// The warnings that a block tells, each with the expression that it is about, if it is about one.
fn told<'d>(block: &Block<'d>) -> Vec<(&'d str, &'d str)> {
    let lines = block.lines.iter().map(|(_, line)| example(line));
    lines
        .filter_map(|line| line.split_once(WARNING))
        .map(|(expression, part)| (expression.trim_end_matches([' ', ':']), part))
        .collect()
}

/// What is wrong with the warnings that a block tells.
fn wrong_warnings(block: &Block<'_>, subject: &Subject) -> Vec<String> {
    let told = told(block);
    let compare = |place: &str, parts: &[&str], warnings: &Diagnostics| {
        let texts: Vec<String> = warnings
            .0
            .iter()
            .map(|warning| warning.render(false))
            .collect();
        let is_found = |part: &&str| texts.iter().any(|text| text.contains(*part));
        let is_right = parts.len() == texts.len() && parts.iter().all(is_found);
        (!is_right).then(|| {
            format!(
                "{place}: told {parts:?}, and there is\n{}",
                texts.join("\n")
            )
        })
    };
    match subject {
        Subject::Script(Ok(model)) | Subject::Ruleset(Ok(model)) => {
            let parts: Vec<&str> = told.iter().map(|(_, part)| *part).collect();
            compare(&model.name, &parts, &model.warnings)
                .into_iter()
                .collect()
        }
        Subject::Script(Err(_)) | Subject::Ruleset(Err(_)) => Vec::new(),
        Subject::Expressions => {
            let lines = block.lines.iter().map(|(_, line)| example(line));
            let expressions = lines.filter(|line| !line.contains(ERROR)).map(|line| {
                let head = line.split_once(WARNING).map_or(line, |(head, _)| head);
                let head = head.trim_end_matches([' ', ':']);
                match line.contains(WARNING) {
                    true => head,
                    false => head
                        .rsplit_once(": ")
                        .map_or(head, |(expression, _)| expression),
                }
            });
            let wrong = expressions.filter_map(|expression| {
                let own = told.iter().filter(|(about, _)| *about == expression);
                let parts: Vec<&str> = own.map(|(_, part)| *part).collect();
                compare(
                    expression,
                    &parts,
                    &expression_warnings(expression, "example"),
                )
            });
            wrong.collect()
        }
    }
}

/// Runs one line; says what is wrong with it.
fn run(line: &str, subject: &Subject) -> Result<(), String> {
    let line = example(line);
    if line.contains(WARNING) {
        // All warnings of a block are compared at once.
        return Ok(());
    }
    let (question, wanted) = match (line.find(ERROR), line.rfind(" = ")) {
        (Some(at), _) => (line[..at].trim_end_matches([' ', '=', ':']), &line[at..]),
        (None, Some(at)) => (&line[..at], &line[at + 3..]),
        (None, None) => return Err("this is not an example".to_owned()),
    };
    match (
        answer(question, wanted, subject),
        wanted.strip_prefix(ERROR),
    ) {
        (Err(message), Some(part)) if message.contains(part) => Ok(()),
        (Err(message), _) => Err(format!("an error: {message}")),
        (Ok(_), Some(_)) => Err("no error".to_owned()),
        (Ok(found), None) => {
            let certain = question == "value" || question.ends_with(": value");
            let wanted: RBig = if certain {
                RBig::ONE
            } else {
                wanted.parse().map_err(|_| "not a fraction")?
            };
            if found == wanted {
                Ok(())
            } else {
                Err(format!("the answer is {found}"))
            }
        }
    }
}

/// The exact answer, or the message that there is instead.
fn answer(question: &str, wanted: &str, subject: &Subject) -> Result<RBig, String> {
    match subject {
        Subject::Expressions => {
            let is_error = wanted.starts_with(ERROR);
            let (text, query) = if is_error {
                (question, "")
            } else {
                split_last(question)?
            };
            let check = expression(text, "example").map_err(|errors| errors.render(false))?;
            ask(&check, "", query, wanted)
        }
        Subject::Script(model) => ask(&model.as_ref()?.checks[0], "", question, wanted),
        Subject::Ruleset(model) => {
            let model = model.as_ref()?;
            let (head, query) = question.split_once(": ").unwrap_or((question, ""));
            if let Some(sides) = head.strip_prefix("contest ") {
                return contest(model, sides, query, wanted);
            }
            let (name, settings) = head.split_once(' ').unwrap_or((head, ""));
            let check = model.check(name).or_else(|| model.track(name));
            let check = check.ok_or_else(|| format!("there is no check or track `{name}`"))?;
            ask(check, settings, query, wanted)
        }
    }
}

/// `contest NAME NAME NAME=VALUE …: QUERY = RESULT`
fn contest(model: &Model, text: &str, query: &str, wanted: &str) -> Result<RBig, String> {
    let (a, rest) = text.split_once(' ').ok_or("a contest has two sides")?;
    let (b, settings) = rest.split_once(' ').unwrap_or((rest, ""));
    let side = |name: &str| {
        let check = model.check(name);
        check.ok_or_else(|| format!("there is no check `{name}`"))
    };
    let (a, b) = (side(a)?, side(b)?);
    let contest = a.against(b, a.ties).map_err(|error| error.to_string())?;
    ask(&contest, settings, query, wanted)
}

/// Expressions have colons of their own: the query is what follows the last.
fn split_last(question: &str) -> Result<(&str, &str), String> {
    question
        .rsplit_once(": ")
        .ok_or_else(|| "an expression, a colon and a query are needed".to_owned())
}

fn ask(check: &Check, settings: &str, query: &str, wanted: &str) -> Result<RBig, String> {
    let mut config = check.defaults();
    for assignment in settings.split_whitespace() {
        check
            .set(&mut config, assignment, "example")
            .map_err(|error| error.render(false))?;
    }
    let text = match query {
        "value" => format!("P(value == {wanted})"),
        // What is asked does not matter, only that it fails.
        "" => format!("P({0} == {0})", check.outcomes[0].name),
        query => query.to_owned(),
    };
    let query = check
        .query(&text, "example")
        .map_err(|errors| errors.render(false))?;
    let answers = answers(check, &config, &[query], &Budget::unlimited())
        .map_err(|error| error.to_string())?;
    answers[0].to_ratio().ok_or_else(|| "no answer".to_owned())
}

#[test]
fn every_example_of_the_reference_holds() {
    let text = std::fs::read_to_string(path_of(DOCUMENT)).expect("the reference is there");
    let blocks = blocks(DOCUMENT, &text);
    let mut wrong: Vec<String> = Vec::new();
    let mut examples = 0;
    let mut subject = Subject::Expressions;
    for block in &blocks {
        if block.kind != "odds" {
            subject = self::subject(block);
            continue;
        }
        wrong.extend(wrong_warnings(block, &subject));
        for (number, line) in &block.lines {
            examples += 1;
            if let Err(problem) = run(line, &subject) {
                wrong.push(format!("{DOCUMENT}:{number}: {line}\n    {problem}"));
            }
        }
        subject = Subject::Expressions;
    }
    assert!(
        wrong.is_empty(),
        "{} of {examples} examples do not hold:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(
        examples >= 250,
        "only {examples} examples are left in {DOCUMENT}"
    );
}

#[test]
fn every_ruleset_of_the_reference_has_examples() {
    let text = std::fs::read_to_string(path_of(DOCUMENT)).expect("the reference is there");
    let blocks = blocks(DOCUMENT, &text);
    let mut rulesets = 0;
    for (at, block) in blocks.iter().enumerate() {
        if matches!(block.kind, "toml" | "rules") {
            let (first, _) = block.lines[0];
            let next = blocks.get(at + 1).map(|next| next.kind);
            assert_eq!(
                next,
                Some("odds"),
                "{DOCUMENT}:{first}: nothing is said about this ruleset"
            );
            rulesets += 1;
        }
    }
    assert!(
        rulesets >= 25,
        "only {rulesets} rulesets are left in {DOCUMENT}"
    );
}
