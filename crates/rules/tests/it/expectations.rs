//! Expectations: what a file says of its own odds, and slips in it.

use oddsmith_rules::{Bounds, Check, Claim, Expectation, InputRange, Model, Number, load};

use crate::page::{Page, good};

const TEXT: &str = r#"name = "Demo"
[params]
cap    = { default = 3, domain = "1..=4" }
ladder = { default = [4, 6, 8], domain = "1..=20" }

[checks.check]
bands   = ["Miss", "4/5", "Hit"]
require = ["rank <= cap"]
axes.rank  = { default = 2, domain = "-2..=5", sweep = "0..=3" }
axes.banes = { default = 1, domain = "0..=4", sweep = "0,2" }
axes.flat  = { default = 0, domain = "-99..=99" }
axes.state = { default = "ok", domain = ["ok", "broken"] }
rules = """
show total  = 2d6 + rank - banes + flat
show band   = match total { < 7: Miss, < 10: "4/5", else: Hit }
show Double = 1d6 == 6
show Even   = if state == ok then 1d6 == 1 else false
"""

[tracks.climb]
axes.goal = { default = 4, domain = "1..=9" }
rules = """
let height = 0
repeat until height == goal {
  set height = min(height + 1d4, goal)
}
"""
"#;

/// The ruleset with these expectations, whose intents need not be written.
fn with(expectations: &str) -> String {
    format!("{TEXT}\n[[expect]]\nintent = \"So it is.\"\n{expectations}\n")
}

fn number(number: &Number) -> String {
    format!(
        "{}/{}",
        number.value.numerator(),
        number.value.denominator()
    )
}

fn bounds(bounds: &Bounds) -> String {
    let [low, high] =
        [&bounds.at_least, &bounds.at_most].map(|end| end.as_ref().map_or(String::new(), number));
    format!("{low}..={high}")
}

fn range(check: &Check, range: &InputRange) -> String {
    let input = &check.inputs[range.input.0];
    let values: Vec<String> = range
        .values
        .iter()
        .map(|value| input.domain.show(*value))
        .collect();
    format!("{}={}", input.name, values.join(","))
}

/// An expectation in one line.
fn line(model: &Model, expectation: &Expectation) -> String {
    let name = &expectation.check;
    let check = model
        .check(name)
        .or_else(|| model.track(name))
        .expect("it is there");
    let range = |given: &InputRange| range(check, given);
    let queries: Vec<&str> = expectation
        .queries
        .iter()
        .map(|query| query.text.as_str())
        .collect();
    let queries = queries.join(if expectation.is_sum { " + " } else { ", " });
    let claim = match &expectation.claim {
        Claim::Within(within) => bounds(within),
        Claim::Monotone {
            along,
            direction,
            strictly,
        } => {
            format!("{} {} strictly={strictly}", direction.key(), range(along))
        }
        Claim::Step { along, change } => format!("step {} {}", range(along), bounds(change)),
        Claim::Ordered { options, strictly } => {
            let options = options
                .iter()
                .map(|option| format!("{} ({})", option.text, check.describe(&option.config)));
            let options: Vec<String> = options.collect();
            format!("ordered {} strictly={strictly}", options.join(" < "))
        }
        Claim::Reachable { somewhere } => format!("reachable somewhere={somewhere}"),
        Claim::Unreachable => "unreachable".to_owned(),
        Claim::Printed(table) => {
            let axes = [("x", &table.x), ("by", &table.by)].into_iter();
            let axes: Vec<String> = axes
                .flat_map(|(key, axis)| Some(format!("{key} {} ", range(axis.as_ref()?))))
                .collect();
            let cells = table.cells.iter().map(|cell| {
                cell.as_ref().map_or("-".to_owned(), |cell| {
                    format!(
                        "{} of 1/{}",
                        number(&cell.number),
                        cell.last_digit.clone().unwrap_or_default()
                    )
                })
            });
            let cells: Vec<String> = cells.collect();
            format!("printed {}[{}]", axes.concat(), cells.join(", "))
        }
    };
    let sweep: Vec<String> = expectation.sweep.iter().map(range).collect();
    let (config, sweep) = (check.describe(&expectation.config), sweep.join(" "));
    format!("{name}: {queries}: {claim} at {config} for [{sweep}]")
}

fn told(expectation: &str) -> String {
    let model = good(&with(expectation));
    let [expectation] = model.expectations.as_slice() else {
        panic!("one expectation: {expectation}");
    };
    line(&model, expectation)
}

#[test]
fn expectations_are_read_as_they_are_written() {
    let default = "at the default configuration for []";
    let cases = [
        ("query = 'P(band>=Hit)'\nbetween = [0.55, '65 %']", format!("check: P(band>=Hit): 11/20..=13/20 {default}")),
        ("query = 'Hit'\nat_least = '11/20'", format!("check: Hit: 11/20..= {default}")),
        (
            "query = ['mean(total)', '4/5']\nat_most = 1_0.50\nset = 'rank=3'",
            "check: mean(total), 4/5: ..=21/2 at rank=3 for []".to_owned(),
        ),
        (
            "query = 'mean(rolls)'\ncheck = 'climb'\nincreases = 'goal'\nstrictly = true",
            format!("climb: mean(rolls): increases goal=1,2,3,4,5,6,7,8,9 strictly=true {default}"),
        ),
        (
            "query = 'Hit'\ndecreases = 'banes'\nsweep = ['rank', 'state=broken,ok']",
            "check: Hit: decreases banes=0,2 strictly=false at the default configuration for [rank=0,1,2,3 state=broken,ok]"
                .to_owned(),
        ),
        (
            "query = 'Hit'\nstep = 'ladder[1]=4,6'\nat_most = 0.2\nat_least = -0.1\nsweep = 'all'\nset = ['rank=1']",
            "check: Hit: step ladder[1]=4,6 -1/10..=1/5 at rank=1 for [banes=0,2]".to_owned(),
        ),
        (
            "sum = ['Hit', '4/5']\nordered = ['rank=0', ['rank=1', 'banes=0']]\nset = ['flat=2']",
            "check: Hit + 4/5: ordered rank=0 (rank=0 flat=2) < rank=1 banes=0 (rank=1 banes=0 flat=2) strictly=false \
             at flat=2 for []"
                .to_owned(),
        ),
        (
            "reachable = ['Hit', 'P(total > 3)']\nsomewhere = true\nsweep = ['all', 'rank=1,0']",
            "check: Hit, P(total > 3): reachable somewhere=true at the default configuration for [rank=1,0 banes=0,2]"
                .to_owned(),
        ),
        ("unreachable = 'Hit & Miss'", format!("check: Hit & Miss: unreachable {default}")),
        ("query = 'Hit'\nprinted = '36 %'", format!("check: Hit: printed [9/25 of 1/100] {default}")),
        (
            "query = ['Hit', 'Miss']\nprinted = [0.360, '-']",
            format!("check: Hit, Miss: printed [9/25 of 1/1000, -] {default}"),
        ),
        (
            "query = 'Hit'\nx = 'rank=0,1'\nprinted = ['1/3', 1]",
            format!("check: Hit: printed x rank=0,1 [1/3 of 1/0, 1/1 of 1/1] {default}"),
        ),
        (
            "query = ['Hit', 'Miss']\nx = 'rank=0,1'\nprinted = [['1 %', '2 %'], ['3 %', '4 %']]",
            format!(
                "check: Hit, Miss: printed x rank=0,1 \
                 [1/100 of 1/100, 1/50 of 1/100, 3/100 of 1/100, 1/25 of 1/100] {default}"
            ),
        ),
        (
            "sum = ['Hit', 'Miss']\nx = 'rank=0,1'\nby = 'banes=0,1,2'\nprinted = [[0, 1], [2, 3], [4, '-']]",
            format!(
                "check: Hit + Miss: printed x rank=0,1 by banes=0,1,2 \
                 [0/1 of 1/1, 1/1 of 1/1, 2/1 of 1/1, 3/1 of 1/1, 4/1 of 1/1, -] {default}"
            ),
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(told(text), expected, "{text}");
    }
}

#[test]
fn an_expectation_has_its_intent_and_its_place() {
    let text = with(
        "query = 'Hit'\nat_least = 0\n\n[[expect]]\nintent = ' Less. '\nquery = 'Hit'\nat_most = 1",
    );
    let model = good(&text);
    let intents: Vec<&str> = model
        .expectations
        .iter()
        .map(|e| e.intent.as_str())
        .collect();
    assert_eq!(intents, ["So it is.", "Less."]);
    let lines: Vec<usize> = text
        .lines()
        .enumerate()
        .filter(|(_, line)| *line == "[[expect]]")
        .map(|(at, _)| at + 1)
        .collect();
    let places: Vec<usize> = model
        .expectations
        .iter()
        .map(|e| model.source.line_column(e.span.start).0)
        .collect();
    assert_eq!(places, lines);
    assert!(good(TEXT).expectations.is_empty());
}

#[test]
fn illegal_configurations_beside_legal_ones_are_no_error() {
    told("query = 'Hit'\nincreases = 'rank=2..=5'\nset = 'cap=2'");
}

/// Expectations with a slip, or several.
const SLIPS: &[(&str, &str, usize)] = &[
    // Keys.
    (
        "unknown key",
        "query = 'Hit'\nminimum = 0.5\nat_least = 0",
        1,
    ),
    ("misspelt key", "query = 'Hit'\nat_lest = 0.5", 1),
    (
        "key of a chart",
        "query = 'Hit'\nat_least = 0.5\nfacet = 'rank'",
        1,
    ),
    (
        "unknown check",
        "check = 'chek'\nquery = 'Hit'\nat_least = 0.5",
        1,
    ),
    ("about nothing", "at_least = 0.5", 1),
    ("about two things", "query = 'Hit'\nreachable = 'Hit'", 1),
    ("nothing expected", "query = 'Hit'", 1),
    (
        "nothing expected of a step",
        "query = 'Hit'\nstep = 'rank'",
        1,
    ),
    (
        "two claims",
        "query = 'Hit'\nincreases = 'rank'\ndecreases = 'banes'",
        1,
    ),
    (
        "bounds beside a claim",
        "query = 'Hit'\nincreases = 'rank'\nat_least = 0.5",
        1,
    ),
    (
        "bounds beside an event",
        "reachable = 'Hit'\nat_least = 0.5",
        1,
    ),
    (
        "a claim beside an event",
        "reachable = 'Hit'\nincreases = 'rank'",
        1,
    ),
    (
        "strictly without a claim",
        "query = 'Hit'\nat_least = 0.5\nstrictly = true",
        1,
    ),
    (
        "somewhere without reachable",
        "unreachable = 'Hit & Miss'\nsomewhere = true",
        1,
    ),
    (
        "x without printed",
        "query = 'Hit'\nat_least = 0.5\nx = 'rank'",
        1,
    ),
    (
        "strictly is no flag",
        "query = 'Hit'\nincreases = 'rank'\nstrictly = 'yes'",
        1,
    ),
    // Numbers.
    ("bound that is a list", "query = 'Hit'\nat_least = [0.5]", 1),
    (
        "bound that is a word",
        "query = 'Hit'\nat_least = 'half'",
        1,
    ),
    (
        "bound with an exponent",
        "query = 'Hit'\nat_least = 1e-3",
        1,
    ),
    ("bound that is infinite", "query = 'Hit'\nat_most = inf", 1),
    ("bound over nothing", "query = 'Hit'\nat_least = '1/0'", 1),
    (
        "percentage without its sign",
        "query = 'Hit'\nat_least = 55",
        1,
    ),
    ("negative probability", "query = 'Hit'\nat_least = -0.5", 1),
    (
        "change of a probability",
        "query = 'Hit'\nstep = 'rank'\nat_most = 20",
        1,
    ),
    ("printed without its sign", "query = 'Hit'\nprinted = 36", 1),
    (
        "ends the wrong way round",
        "query = 'Hit'\nbetween = [0.65, 0.55]",
        1,
    ),
    ("three ends", "query = 'Hit'\nbetween = [0.1, 0.2, 0.3]", 1),
    (
        "one end as a text",
        "query = 'Hit'\nbetween = '0.1..0.2'",
        1,
    ),
    (
        "both ends twice",
        "query = 'Hit'\nbetween = [0.1, 0.2]\nat_most = 0.3",
        1,
    ),
    // Queries.
    ("unknown band", "query = 'Hitt'\nat_least = 0.5", 1),
    ("unknown name", "query = 'P(totl > 3)'\nat_least = 0.5", 1),
    (
        "second query",
        "query = ['Hit', '  Misss']\nat_least = 0.5",
        1,
    ),
    (
        "query asked twice",
        "query = ['Hit', ' Hit']\nat_least = 0.5",
        1,
    ),
    ("no query", "query = []\nat_least = 0.5", 1),
    ("sum of a string", "sum = 3\nat_least = 0.5", 1),
    ("number that is reachable", "reachable = 'mean(total)'", 1),
    // Axes and values.
    ("unknown axis", "query = 'Hit'\nincreases = 'rnk'", 1),
    ("illegal value", "query = 'Hit'\nincreases = 'rank=0,9'", 1),
    (
        "axis without a sweep",
        "query = 'Hit'\nincreases = 'flat'",
        1,
    ),
    ("one value", "query = 'Hit'\nincreases = 'rank=1'", 1),
    ("list as a whole", "query = 'Hit'\nincreases = 'ladder'", 1),
    (
        "what is shown is no axis",
        "query = 'Hit'\nincreases = 'total'",
        1,
    ),
    (
        "unknown axis of a sweep",
        "query = 'Hit'\nat_least = 0.5\nsweep = ['rank', 'bane']",
        1,
    ),
    (
        "axis swept twice",
        "query = 'Hit'\nat_least = 0.5\nsweep = ['rank', 'rank=1']",
        1,
    ),
    (
        "nothing else to sweep",
        "check = 'climb'\nquery = 'mean(rolls)'\nat_least = 1\nsweep = 'all'",
        1,
    ),
    (
        "unknown name that is set",
        "query = 'Hit'\nat_least = 0.5\nset = 'rnk=1'",
        1,
    ),
    (
        "illegal value that is set",
        "query = 'Hit'\nat_least = 0.5\nset = ['rank=9']",
        1,
    ),
    (
        "set and swept",
        "query = 'Hit'\nat_least = 0.5\nset = 'rank=1'\nsweep = 'rank'",
        1,
    ),
    (
        "set and compared",
        "query = 'Hit'\nincreases = 'rank'\nset = 'rank=1'",
        1,
    ),
    (
        "swept and compared",
        "query = 'Hit'\nincreases = 'rank'\nsweep = 'rank'",
        1,
    ),
    (
        "nothing legal",
        "query = 'Hit'\nat_least = 0.5\nset = 'rank=5'",
        1,
    ),
    (
        "nothing legal along it",
        "query = 'Hit'\nincreases = 'rank=4,5'",
        1,
    ),
    // Options.
    ("one option", "query = 'Hit'\nordered = ['rank=1']", 1),
    (
        "options as a text",
        "query = 'Hit'\nordered = 'rank=1,2'",
        1,
    ),
    (
        "option that is a number",
        "query = 'Hit'\nordered = ['rank=1', 2]",
        1,
    ),
    (
        "unknown name of an option",
        "query = 'Hit'\nordered = ['rank=1', ['rank=2', 'bane=0']]",
        1,
    ),
    (
        "the same option twice",
        "query = 'Hit'\nordered = ['rank=1', 'rank=2', ['rank=1']]",
        1,
    ),
    (
        "option that is set",
        "query = 'Hit'\nordered = ['rank=1', 'rank=2']\nset = 'rank=0'",
        2,
    ),
    (
        "no legal option",
        "query = 'Hit'\nordered = ['rank=4', 'rank=5']",
        1,
    ),
    // Printed tables.
    (
        "too few numbers",
        "query = 'Hit'\nx = 'rank'\nprinted = [0.1, 0.2, 0.3]",
        1,
    ),
    (
        "a number for a row",
        "query = 'Hit'\nx = 'rank'\nprinted = 0.1",
        1,
    ),
    (
        "a row for a number",
        "query = 'Hit'\nprinted = [0.1, 0.2]",
        1,
    ),
    (
        "a row for a table",
        "query = 'Hit'\nx = 'rank=0,1'\nby = 'banes=0,1'\nprinted = [0.1, 0.2]",
        1,
    ),
    (
        "a short row",
        "query = 'Hit'\nx = 'rank=0,1'\nby = 'banes=0,1'\nprinted = [[0.1, 0.2], [0.3]]",
        1,
    ),
    (
        "too few rows",
        "query = ['Hit', 'Miss']\nx = 'rank=0,1'\nprinted = [[0.1, 0.2]]",
        1,
    ),
    ("no numbers", "query = 'Hit'\nprinted = []", 1),
    (
        "a word among numbers",
        "query = ['Hit', 'Miss']\nprinted = [0.1, 'x']",
        1,
    ),
    (
        "a number among rows",
        "query = ['Hit', 'Miss']\nx = 'rank=0,1'\nprinted = [[0.1, 0.2], 0.3]",
        1,
    ),
    (
        "by without x",
        "query = 'Hit'\nby = 'rank=0,1'\nprinted = [0.1, 0.2]",
        1,
    ),
    (
        "by beside queries",
        "query = ['Hit', 'Miss']\nx = 'rank=0,1'\nby = 'banes=0,1'\nprinted = [[0, 1], [1, 0]]",
        1,
    ),
    (
        "x twice",
        "query = 'Hit'\nx = 'rank=0,1'\nby = 'rank=0,1'\nprinted = [[0, 1], [1, 0]]",
        1,
    ),
    // Several at once.
    (
        "several slips",
        "query = 'Hitt'\nincreases = 'rnk'\nset = 'flat=100'\nsweep = ['bane', 'rank=9']",
        5,
    ),
    (
        "two expectations",
        "query = 'Hitt'\nat_least = 0\n[[expect]]\nintent = 'x'\nquery = 'Hit'\nincreases = 'rnk'",
        2,
    ),
];

#[test]
fn slips_in_expectations() {
    let mut page = Page::default();
    for (title, expectation, count) in SLIPS {
        let text = with(expectation);
        page.errors(
            title,
            *count,
            load("game.toml", text.as_bytes()).map(|_| ()),
        );
    }
    let text = with("query = 'Hit'\nat_least = 0");
    page.file("no intent", &text.replace("intent = \"So it is.\"\n", ""));
    page.file("blank intent", &text.replace("So it is.", " "));
    page.file(
        "intent that is a list",
        &text.replace("\"So it is.\"", "[\"So it is.\"]"),
    );
    page.file("expect is a table", &text.replace("[[expect]]", "[expect]"));
    page.file(
        "expect is misspelt",
        &text.replace("[[expect]]", "[[expects]]"),
    );
    // What a broken check shows is not known, so nothing is said of its odds; a broken chart hides nothing.
    let broken =
        with("query = 'Hitt'\nat_least = 0").replace("show total  = 2d6", "show total  = 2e6");
    page.file("a broken check", &broken);
    let broken = format!(
        "{}[[charts]]\nx = 'rnk'",
        with("query = 'Hitt'\nat_least = 0")
    );
    page.errors(
        "a broken chart",
        2,
        load("game.toml", broken.as_bytes()).map(|_| ()),
    );
    insta::assert_snapshot!(page.text);
    page.finish();
}
