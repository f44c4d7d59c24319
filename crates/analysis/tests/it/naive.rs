//! Random expectations against the plainest reading of them: every configuration asked by itself, every statement
//! looked at by itself.

use oddsmith_analysis::expect::findings;
use oddsmith_exact::{Budget, RBig, answers};
use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, Config, load};
use proptest::prelude::*;

const TEXT: &str = r#"name = "Demo"
[checks.check]
bands   = ["Miss", "Hit", "Critical"]
require = ["stat + pool <= 4"]
axes.stat = { default = 0, domain = "-2..=4" }
axes.pool = { default = 0, domain = "0..=4" }
axes.mode = { default = "none", domain = ["none", "bonus", "die"] }
rules = """
let roll   = 1d20
show total = roll + stat + (match mode { none: 0, bonus: 2, die: 1d4 })
show band  = match total { < 10: Miss, < 20: Hit, else: Critical }
show Six   = count(pool d6, 6) >= 1
"""
"#;

/// The axes with all of their values.
const AXES: [(&str, &[&str]); 3] = [
    ("stat", &["-2", "-1", "0", "1", "2", "3", "4"]),
    ("pool", &["0", "1", "2", "3", "4"]),
    ("mode", &["none", "bonus", "die"]),
];

const QUERIES: [&str; 5] = [
    "Hit",
    "P(band >= Hit)",
    "mean(total)",
    "Six",
    "P(Six | total >= 12)",
];

/// What is said of a number, in hundredths; `along` an axis where it is about changes.
#[derive(Clone, Debug)]
enum Said {
    Within(i64, i64),
    Monotone {
        along: usize,
        up: bool,
        strictly: bool,
    },
    Step {
        along: usize,
        least: i64,
        most: i64,
    },
    Reachable,
    Unreachable,
}

#[derive(Clone, Debug)]
struct Plan {
    said: Said,
    queries: Vec<usize>,
    is_sum: bool,
    swept: Vec<usize>,
}

fn plan() -> impl Strategy<Value = Plan> {
    let bounds = (0_i64..60, 0_i64..40);
    let changes = (-10_i64..10, 0_i64..10);
    let said = prop_oneof![
        3 => bounds.prop_map(|(low, more)| Said::Within(low, low + more)),
        3 => (0_usize..3, any::<bool>(), any::<bool>())
            .prop_map(|(along, up, strictly)| Said::Monotone { along, up, strictly }),
        2 => (0_usize..3, changes).prop_map(|(along, (least, more))| Said::Step { along, least, most: least + more }),
        1 => Just(Said::Reachable),
        1 => Just(Said::Unreachable),
    ];
    let queries = prop::sample::subsequence((0..QUERIES.len()).collect::<Vec<_>>(), 1..3);
    let swept = prop::sample::subsequence(vec![0_usize, 1, 2], 0..3);
    (said, queries, any::<bool>(), swept).prop_map(|(said, queries, is_sum, mut swept)| {
        // Events can't be summed, nor can an axis be swept and compared along.
        let is_event = matches!(said, Said::Reachable | Said::Unreachable);
        if let Said::Monotone { along, .. } | Said::Step { along, .. } = said {
            swept.retain(|axis| *axis != along);
        }
        let queries: Vec<usize> = queries
            .into_iter()
            .filter(|query| !is_event || QUERIES[*query] != "mean(total)")
            .collect();
        let queries = if queries.is_empty() { vec![0] } else { queries };
        Plan {
            said,
            is_sum: is_sum && !is_event && queries.len() > 1,
            queries,
            swept,
        }
    })
}

impl Plan {
    fn along(&self) -> Option<usize> {
        match self.said {
            Said::Monotone { along, .. } | Said::Step { along, .. } => Some(along),
            _ => None,
        }
    }

    fn text(&self) -> String {
        let list = |items: Vec<&str>| {
            format!(
                "[{}]",
                items
                    .iter()
                    .map(|item| format!("\"{item}\""))
                    .collect::<Vec<_>>()
                    .join(", ")
            )
        };
        let queries = list(self.queries.iter().map(|query| QUERIES[*query]).collect());
        let sweep: Vec<String> = self
            .swept
            .iter()
            .map(|axis| format!("{}=all", AXES[*axis].0))
            .collect();
        let sweep = list(sweep.iter().map(String::as_str).collect());
        let hundredths = |number: i64| format!("{}", number as f64 / 100.0);
        let said = match &self.said {
            Said::Within(low, high) => {
                format!("between = [{}, {}]", hundredths(*low), hundredths(*high))
            }
            Said::Monotone {
                along,
                up,
                strictly,
            } => {
                let key = if *up { "increases" } else { "decreases" };
                format!("{key} = \"{}=all\"\nstrictly = {strictly}", AXES[*along].0)
            }
            Said::Step { along, least, most } => {
                format!(
                    "step = \"{}=all\"\nbetween = [{}, {}]",
                    AXES[*along].0,
                    hundredths(*least),
                    hundredths(*most)
                )
            }
            Said::Reachable => format!("reachable = {queries}"),
            Said::Unreachable => format!("unreachable = {queries}"),
        };
        let subject = match (&self.said, self.is_sum) {
            (Said::Reachable | Said::Unreachable, _) => String::new(),
            (_, true) => format!("sum = {queries}\n"),
            (_, false) => format!("query = {queries}\n"),
        };
        format!("{TEXT}\n[[expect]]\nintent = \"So it is.\"\n{subject}{said}\nsweep = {sweep}\n")
    }

    /// How many configurations are legal, how many statements there are, and how many of them are wrong.
    fn counted(&self, check: &Check) -> (u64, u64, u64) {
        let mut axes = self.swept.clone();
        let fixed = axes.len();
        axes.extend(self.along());
        let (mut configurations, mut stated, mut failures) = (0, 0, 0);
        let mut before: Option<(Vec<i64>, Vec<Option<RBig>>)> = None;
        for config in all(check, &axes) {
            let Some(values) = self.values(check, &config) else {
                continue;
            };
            configurations += 1;
            let group: Vec<i64> = axes[..fixed]
                .iter()
                .map(|axis| config[input(check, *axis)])
                .collect();
            let last = before.take().filter(|(other, _)| *other == group);
            let mut latest = last
                .as_ref()
                .map_or(vec![None; values.len()], |(_, values)| values.clone());
            for (at, value) in values.into_iter().enumerate() {
                let Some(value) = value else {
                    (stated, failures) = (stated + 1, failures + 1);
                    continue;
                };
                let earlier = latest[at].replace(value.clone());
                if self.along().is_none() || earlier.is_some() {
                    stated += 1;
                    failures += u64::from(!self.is_right(earlier.as_ref(), &value));
                }
            }
            before = Some((group, latest));
        }
        (configurations, stated, failures)
    }

    fn is_right(&self, earlier: Option<&RBig>, value: &RBig) -> bool {
        let hundredths = |number: &i64| RBig::from_parts((*number).into(), 100_u8.into());
        let change = || value - earlier.expect("a change has two ends");
        match &self.said {
            Said::Within(low, high) => hundredths(low) <= *value && *value <= hundredths(high),
            Said::Step { least, most, .. } => {
                hundredths(least) <= change() && change() <= hundredths(most)
            }
            Said::Monotone { up, strictly, .. } => {
                let rise = if *up { change() } else { -change() };
                rise > RBig::ZERO || rise == RBig::ZERO && !strictly
            }
            Said::Reachable => *value > RBig::ZERO,
            Said::Unreachable => *value == RBig::ZERO,
        }
    }

    /// What each query comes to, or their sum; none where the rules forbid the configuration.
    fn values(&self, check: &Check, config: &Config) -> Option<Vec<Option<RBig>>> {
        let is_legal = config[input(check, 0)] + config[input(check, 1)] <= 4;
        if !is_legal {
            return None;
        }
        let value = |query: &usize| {
            let query = check
                .query(QUERIES[*query], "query")
                .expect("the query is right");
            let found = answers(check, config, &[query], &Budget::unlimited());
            found.ok().and_then(|found| found[0].to_ratio())
        };
        let values: Vec<Option<RBig>> = self.queries.iter().map(value).collect();
        match self.is_sum {
            true => Some(vec![
                values
                    .into_iter()
                    .try_fold(RBig::ZERO, |sum, value| Some(sum + value?)),
            ]),
            false => Some(values),
        }
    }
}

fn input(check: &Check, axis: usize) -> InputId {
    check.input(AXES[axis].0).expect("the check has it")
}

/// Every combination of values of some axes, the last fastest.
fn all(check: &Check, axes: &[usize]) -> Vec<Config> {
    let mut all = vec![check.defaults()];
    for axis in axes {
        let id = input(check, *axis);
        let (low, high) = check.inputs[id.0].domain.bounds();
        let with = |config: &Config, value: i64| {
            let mut config = config.clone();
            config.put(id, value);
            config
        };
        all = all
            .iter()
            .flat_map(|config| (low..=high).map(move |value| with(config, value)))
            .collect();
    }
    all
}

proptest! {
    #[test]
    fn expectations_are_what_they_say(plan in plan()) {
        let text = plan.text();
        let model = load("demo.toml", text.as_bytes())
            .map_err(|errors| TestCaseError::fail(errors.render(false)))?;
        let found = findings(&model, &model.expectations[0], &Budget::unlimited());
        let (configurations, stated, failures) = plan.counted(&model.checks[0]);
        match found {
            Ok(found) => prop_assert_eq!((found.configurations, found.failures), (configurations, failures), "{}", text),
            Err(error) => prop_assert_eq!(stated, 0, "{}: {}", error, text),
        }
    }
}
