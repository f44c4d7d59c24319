//! The script of the page writes numbers as `oddsmith_numbers` does. Needs Node.js; without it nothing is tested.

use std::io::Write as _;
use std::process::{Command, Stdio};

use oddsmith_numbers::decimal::{decimal, push_decimal};
use oddsmith_numbers::{Form, IBig, RBig, Style, UBig, difference, value};
use serde_json::{Value, json};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/page/shared/numbers.js");

/// Answers the cases on standard input, each a function of the script and fractions as weight and total.
const ANSWER: &str = r#"
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const { shortest, quotient, ...functions } = await import(pathToFileURL(process.argv[1]));
functions.shortest = (x) => shortest(quotient(x));
const fraction = ([weight, total]) => ({ weight: BigInt(weight), total: BigInt(total) });
const cases = JSON.parse(readFileSync(0, "utf8"));
const answers = cases.map(([name, ...fractions]) => functions[name](...fractions.map(fraction)));
console.log(JSON.stringify(answers));
"#;

/// What the script says of the cases; none without Node.js.
fn answers(cases: &[Value]) -> Option<Vec<String>> {
    let mut node = Command::new("node")
        .args(["--input-type=module", "-e", ANSWER, SCRIPT])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let text = Value::from(cases).to_string();
    let mut input = node.stdin.take().expect("a pipe");
    input.write_all(text.as_bytes()).expect("the script reads");
    drop(input);
    let output = node.wait_with_output().expect("the script ends");
    assert!(output.status.success(), "the script fails");
    Some(serde_json::from_slice(&output.stdout).expect("the script answers each case"))
}

/// Wholes of all sizes, those of dice and of decimals among them.
fn wholes() -> Vec<UBig> {
    let power = |base: u8, exponent| UBig::from(base).pow(exponent);
    let mut wholes: Vec<UBig> = (1_u8..40).map(UBig::from).collect();
    for exponent in [3, 4, 5, 6, 9, 40, 120] {
        wholes.extend([2, 6, 10, 20].map(|base| power(base, exponent)));
        wholes.push(power(10, exponent) + UBig::ONE);
    }
    wholes.extend([6_u32, 8, 9, 19, 21, 11].map(|n| UBig::from(n) * power(10, 5)));
    wholes
}

/// Probabilities at, near and between places where words change, and where digits do.
fn shares() -> Vec<RBig> {
    let mut shares = Vec::new();
    for whole in wholes() {
        for (part, of) in [
            (0_u8, 1_u8),
            (1, 20),
            (1, 8),
            (1, 3),
            (1, 2),
            (5, 8),
            (2, 3),
            (1, 1),
        ] {
            let near = IBig::from(&whole * UBig::from(part) / UBig::from(of));
            let beside = [-25, -5, -2, -1, 0, 1, 2, 5, 25].map(|off| &near + IBig::from(off));
            shares.extend(beside.map(|part| RBig::from_parts(part, whole.clone())));
        }
    }
    shares.retain(|share| (RBig::ZERO..=RBig::ONE).contains(share));
    shares
}

/// Numbers of every size and both signs.
fn numbers() -> Vec<RBig> {
    let factors = [1_i64, -17, 99_999, -10_i64.pow(12)];
    let times = |share: RBig| factors.map(|factor| &share * RBig::from(factor));
    shares().into_iter().flat_map(times).collect()
}

fn fraction(ratio: &RBig) -> Value {
    json!([
        ratio.numerator().to_string(),
        ratio.denominator().to_string()
    ])
}

/// The page shows longer fractions than a line of a terminal, up to 64 characters.
fn odds(share: &RBig) -> Option<String> {
    let text = share.to_string();
    let opposite = (RBig::ONE - share).to_string();
    let length = text.len().max(opposite.len());
    (length <= 28 || length > 64).then(|| oddsmith_numbers::odds(share))
}

fn shortest(number: &RBig) -> String {
    let mut text = Vec::new();
    push_decimal(decimal(number), &mut text);
    String::from_utf8(text).expect("digits")
}

/// Questions with their answers.
fn table() -> Vec<(Value, String)> {
    let mut table = Vec::new();
    let shares = shares();
    for share in &shares {
        let mut ask = |name: &str, answer| table.push((json!([name, fraction(share)]), answer));
        ask("percent", Form::Percent(2).show_ratio(share));
        ask("wholePercent", Form::Percent(0).show_ratio(share));
        ask("shortest", shortest(share));
        if let Some(odds) = odds(share) {
            ask("odds", odds);
        }
    }
    for number in numbers() {
        table.push((json!(["decimal", fraction(&number)]), value(&number)));
    }
    for pair in shares.windows(2) {
        let by = &pair[1] - &pair[0];
        let both = |name: &str| json!([name, fraction(&pair[0]), fraction(&pair[1])]);
        let points = |size: &RBig| difference::points(size, Form::USUAL);
        table.push((both("points"), Style::Print.difference(&by, points)));
        table.push((both("difference"), Style::Print.difference(&by, value)));
    }
    table
}

#[test]
fn the_page_writes_numbers_as_the_command_line_does() {
    let (cases, expected): (Vec<Value>, Vec<String>) = table().into_iter().unzip();
    let Some(answers) = answers(&cases) else {
        // Past the test harness, which keeps what a test that passes prints.
        let mut err = std::io::stderr();
        let _ = writeln!(
            err,
            "SKIPPED: numbers.js was not tested, because Node.js is missing"
        );
        return;
    };
    assert_eq!(answers.len(), cases.len());
    let both = answers.iter().zip(&expected);
    let wrong = cases
        .iter()
        .zip(both)
        .filter(|(_, (answer, expected))| answer != expected);
    let wrong: Vec<String> = wrong
        .map(|(case, (answer, expected))| format!("{case}: {answer}, not {expected}"))
        .collect();
    let first = wrong
        .iter()
        .take(20)
        .cloned()
        .collect::<Vec<_>>()
        .join("\n");
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{first}",
        wrong.len(),
        cases.len()
    );
}
