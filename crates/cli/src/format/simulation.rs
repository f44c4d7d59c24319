//! What trials say, beside the exact odds: for programs.

use anyhow::Result;
use oddsmith_exact::Answer;
use oddsmith_simulate::{ChiSquare, Estimate};
use serde_json::{Map, Value, json};

use crate::format::columns::told_apart;
use crate::format::outcomes::{INFINITE, Kind, decimal};
use crate::number;

/// A run: one configuration, or one for each combination of the swept axes.
#[derive(Debug)]
pub(crate) struct Simulation {
    pub(crate) title: String,
    /// What is set in all of it.
    pub(crate) settings: String,
    /// What was rolled, for programs.
    pub(crate) names: Map<String, Value>,
    /// The swept axes.
    pub(crate) axes: Vec<String>,
    pub(crate) groups: Vec<Group>,
    pub(crate) seed: u64,
    pub(crate) level: f64,
    /// Rounds after which trials of a track were stopped.
    pub(crate) most_rounds: Option<u32>,
    /// Comparisons with the exact odds; what is not exact is not compared.
    pub(crate) comparisons: usize,
    /// A comparison whose p is below this is a disagreement.
    pub(crate) limit: f64,
    pub(crate) is_interrupted: bool,
}

/// One configuration.
#[derive(Debug)]
pub(crate) struct Group {
    /// The values of the swept axes.
    pub(crate) values: Vec<String>,
    /// What is set, for programs.
    pub(crate) configuration: Value,
    pub(crate) rows: Vec<Row>,
    pub(crate) fit: Option<Fit>,
    pub(crate) trials: u64,
    /// Trials that were stopped because they went on for too long.
    pub(crate) unfinished: u64,
    /// Whether it is as good as certain that these would never have ended.
    pub(crate) is_settled: bool,
    pub(crate) dice: u64,
}

/// All cells of a partition together.
#[derive(Debug)]
pub(crate) struct Fit {
    /// What the cells are.
    pub(crate) of: String,
    pub(crate) test: ChiSquare,
}

/// One question.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// Trials in which it applies.
    pub(crate) trials: u64,
    /// Trials in which it happened, or the sum of the values; none for a variance.
    pub(crate) count: Option<i128>,
    pub(crate) estimate: Option<Estimate>,
    pub(crate) exact: Option<Answer>,
    pub(crate) z: Option<f64>,
    /// How likely it is to be as far off; none if it is not judged.
    pub(crate) p: Option<f64>,
}

impl Simulation {
    /// Whether anything that was judged is farther off than chance allows.
    pub(crate) fn is_contrary(&self, p: Option<f64>) -> bool {
        p.is_some_and(|p| p < self.limit)
    }

    /// All comparisons' p.
    pub(crate) fn judged(&self) -> impl Iterator<Item = f64> {
        self.groups.iter().flat_map(Group::judged)
    }

    /// How many comparisons are farther off than chance allows.
    pub(crate) fn contrary(&self) -> usize {
        self.judged().filter(|p| self.is_contrary(Some(*p))).count()
    }

    /// The swept axes, then `outcome,count,trials,estimate,std_error,low,high,exact,z`.
    pub(crate) fn csv(&self) -> Result<Vec<u8>> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let axes = told_apart(&COLUMNS, self.axes.iter().cloned());
        writer.write_record(axes.iter().map(String::as_str).chain(COLUMNS))?;
        for group in &self.groups {
            for row in &group.rows {
                let values = group.values.iter().cloned();
                writer.write_record(values.chain(row.fields()))?;
            }
        }
        Ok(writer.into_inner()?)
    }

    /// One object; the configurations of a sweep are a list in it.
    pub(crate) fn json(&self) -> Value {
        let mut whole = self.names.clone();
        let general = [
            ("seed", json!(self.seed)),
            ("interrupted", json!(self.is_interrupted)),
            ("level", json!(self.level)),
            ("comparisons", json!(self.comparisons)),
            ("disagreements", json!(self.contrary())),
        ];
        whole.extend(general.map(|(name, value)| (name.to_owned(), value)));
        let rounds = self.most_rounds.map(|rounds| json!(rounds));
        whole.extend(rounds.map(|rounds| ("most_rounds".to_owned(), rounds)));
        let mut groups: Vec<Map<String, Value>> = self.groups.iter().map(Group::json).collect();
        if self.axes.is_empty() {
            whole.extend(groups.drain(..).flatten());
        } else {
            whole.insert("configurations".to_owned(), json!(groups));
        }
        whole.into()
    }
}

const COLUMNS: [&str; 9] = [
    "outcome",
    "count",
    "trials",
    "estimate",
    "std_error",
    "low",
    "high",
    "exact",
    "z",
];

impl Group {
    /// Its comparisons' p.
    pub(crate) fn judged(&self) -> impl Iterator<Item = f64> {
        let rows = self.rows.iter().filter_map(|row| row.p);
        rows.chain(self.fit.iter().map(Fit::judged))
    }

    fn json(&self) -> Map<String, Value> {
        let fit = self.fit.as_ref().map(|fit| {
            json!({
                "of": fit.of,
                "statistic": float(fit.test.statistic),
                "df": fit.test.df,
                "p": fit.test.p,
            })
        });
        let values = [
            ("configuration", json!(self.configuration)),
            ("trials", json!(self.trials)),
            ("unfinished", json!(self.unfinished)),
            ("dice", json!(self.dice)),
            ("outcomes", self.rows.iter().map(Row::json).collect()),
            ("chi_square", json!(fit)),
        ];
        let named = values.map(|(name, value)| (name.to_owned(), value));
        named.into_iter().collect()
    }
}

impl Fit {
    /// What it is judged by.
    pub(crate) fn judged(&self) -> f64 {
        self.test.p.max(self.test.bound)
    }
}

impl Row {
    fn numbers(&self) -> [Option<f64>; 6] {
        let part = |part: fn(&Estimate) -> f64| self.estimate.as_ref().map(part);
        [
            part(|estimate| estimate.value),
            part(|estimate| estimate.std_error),
            part(|estimate| estimate.low),
            part(|estimate| estimate.high),
            self.exact.as_ref().and_then(decimal),
            self.z,
        ]
    }

    fn fields(&self) -> impl Iterator<Item = String> {
        let count = self.count.map(|count| count.to_string());
        let whole = [
            self.name.clone(),
            count.unwrap_or_default(),
            self.trials.to_string(),
        ];
        let number = |number: Option<f64>| number.map(shortest).unwrap_or_default();
        whole.into_iter().chain(self.numbers().map(number))
    }

    fn json(&self) -> Value {
        let [estimate, std_error, low, high, exact, z] = self
            .numbers()
            .map(|number| number.map_or(Value::Null, float));
        json!({
            "outcome": self.name,
            "kind": self.kind.name(),
            "count": self.count.map(whole),
            "trials": self.trials,
            "estimate": estimate,
            "std_error": std_error,
            "low": low,
            "high": high,
            "exact": exact,
            "z": z,
            "p": self.p,
        })
    }
}

/// A number, or text where JSON readers may not hold it.
fn whole(count: i128) -> Value {
    let held = i64::try_from(count).ok();
    let held = held.filter(|count| count.unsigned_abs() <= 1 << 53);
    held.map_or_else(|| json!(count.to_string()), |count| json!(count))
}

/// JSON has no infinity: it is text there.
fn float(x: f64) -> Value {
    if x.is_finite() {
        json!(x)
    } else {
        json!(shortest(x))
    }
}

/// The shortest decimal that reads back as the same float.
pub(crate) fn shortest(x: f64) -> String {
    if x.is_infinite() {
        let sign = if x < 0.0 { "-" } else { "" };
        return format!("{sign}{INFINITE}");
    }
    let mut text = Vec::new();
    number::push_decimal(x, &mut text);
    String::from_utf8(text).unwrap_or_default()
}
