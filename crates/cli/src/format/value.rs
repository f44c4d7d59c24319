//! What steps are worth, and that for programs: a row for each step in each configuration, or JSON.

use anyhow::Result;
use oddsmith::comparison::{Head, SweptAxis};
use oddsmith::told_apart;
use oddsmith_analysis::grading::Thresholds;
use oddsmith_analysis::levers::{Lever, Step};
use oddsmith_analysis::value::{Spread, Summary, Worth};
use oddsmith_exact::RBig;
use serde_json::{Map, Value, json};

use crate::format::comparison::{decimal, json_ratio};
use crate::format::difference::size;
use crate::format::outcomes::{Kind, data};

/// What is shown of the worth of steps.
#[derive(Debug)]
pub(crate) struct Valuation {
    pub(crate) title: String,
    /// What is set.
    pub(crate) settings: String,
    /// Ruleset, check and configuration.
    pub(crate) names: Map<String, Value>,
    /// What is swept.
    pub(crate) axes: Vec<SweptAxis>,
    /// How many configurations the rules allow.
    pub(crate) configurations: usize,
    /// The bands, worst first; none if they are not asked about.
    pub(crate) bands: Vec<String>,
    /// What changes: reaching each band but the worst, then every further query.
    pub(crate) columns: Vec<Head>,
    /// The number behind the bands.
    pub(crate) number: Option<Number>,
    /// The column by which steps are compared.
    pub(crate) yardstick: usize,
    /// How many columns at the end are means of numbers that are shown beside the bands.
    pub(crate) others: usize,
    /// Whether the levers were named.
    pub(crate) are_named: bool,
    /// The axes, then the parameters.
    pub(crate) levers: Vec<Moved>,
}

/// The number behind the bands.
#[derive(Debug)]
pub(crate) struct Number {
    pub(crate) name: String,
    /// The column of its mean.
    pub(crate) mean: usize,
    /// Where the bands begin, if that is the same in all configurations.
    pub(crate) thresholds: Option<Thresholds>,
}

/// A lever, and what its steps are worth.
#[derive(Debug)]
pub(crate) struct Moved {
    pub(crate) is_parameter: bool,
    /// Whether it is swept.
    pub(crate) is_swept: bool,
    /// Whether it is moved along values that were asked for.
    pub(crate) is_along: bool,
    /// Its values as a user writes them, and whether they are labels.
    pub(crate) values: SweptAxis,
    pub(crate) lever: Lever,
    /// What each step is worth over all configurations.
    pub(crate) steps: Vec<Summary>,
    /// What all steps of a number that go up are worth.
    pub(crate) up: Summary,
}

/// What is compared with one another: all steps up of a lever that is swept, or a single step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deed<'v> {
    pub(crate) moved: &'v Moved,
    /// The step; none is all of them.
    pub(crate) step: Option<Step>,
    pub(crate) summary: &'v Summary,
}

impl Deed<'_> {
    /// Whether it changes any of some columns.
    pub(crate) fn changes(&self, columns: &[usize]) -> bool {
        let spread = |at: &usize| self.summary.changes[*at].as_ref();
        { columns.iter().filter_map(spread) }.any(|spread| spread.count > 0)
    }

    /// Whether it leads to a later value.
    fn is_up(&self) -> bool {
        self.step.is_none_or(|step| self.moved.lever.is_up(step))
    }

    /// `circ_boons 0 → 1`, `skill_rank 0 … 9`
    pub(crate) fn words(&self) -> String {
        let (arrow, from, to) = match self.step {
            Some(step) => ("→", step.from, step.to),
            None => ("…", 0, self.moved.values.values.len() - 1),
        };
        let Moved { values, .. } = self.moved;
        let [from, to] = [from, to].map(|place| &values.values[place]);
        format!("{} {from} {arrow} {to}", values.name)
    }
}

impl Moved {
    /// Whether its values are labels.
    pub(crate) fn is_label(&self) -> bool {
        self.values.is_label
    }

    pub(crate) fn name(&self) -> &str {
        &self.values.name
    }

    /// A value as a user writes it.
    pub(crate) fn value(&self, place: usize) -> &str {
        &self.values.values[place]
    }

    /// What is shown of it: of a swept number all steps together, of labels every step, of another axis the first step up
    /// and the first one down, of another parameter one
    /// of the two.
    pub(crate) fn deeds<'v>(&'v self) -> Vec<Deed<'v>> {
        let steps = self.lever.steps.iter().zip(&self.steps);
        let steps = steps.map(|(step, summary)| Deed {
            moved: self,
            step: Some(*step),
            summary,
        });
        if self.is_label() || self.is_along {
            return steps.collect();
        }
        if self.is_swept {
            let all = Deed {
                moved: self,
                step: None,
                summary: &self.up,
            };
            return vec![all];
        }
        let (up, down): (Vec<_>, Vec<_>) =
            steps.partition(|deed| deed.step.is_some_and(|step| self.lever.is_up(step)));
        let first = |deeds: Vec<Deed<'v>>| deeds.into_iter().next();
        let deeds = first(up).into_iter().chain(first(down));
        if self.is_parameter {
            // Of equals the earlier one: the step up, if it changes anything.
            return deeds
                .min_by_key(|deed| deed.summary.active == 0)
                .into_iter()
                .collect();
        }
        deeds.collect()
    }
}

impl Valuation {
    /// What a step is worth by the yardstick: the typical flat modifier at its band if there is one anywhere, else the
    /// typical change. Nothing is typical of what goes both ways.
    pub(crate) fn worth<'v>(&self, summary: &'v Summary) -> Option<&'v RBig> {
        let spreads = match self.has_flat_yardstick() {
            true => &summary.flats,
            false => &summary.changes,
        };
        let spread = spreads.get(self.yardstick)?.as_ref()?;
        (!spread.goes_both_ways()).then_some(&spread.typical)
    }

    /// Whether steps are compared by flat modifiers.
    pub(crate) fn has_flat_yardstick(&self) -> bool {
        self.number.is_some() && self.yardstick < self.reached()
    }

    /// The columns that are about bands, the number behind them, flags and what was asked.
    pub(crate) fn main_columns(&self) -> Vec<usize> {
        (0..self.columns.len() - self.others).collect()
    }

    /// The means of numbers that are shown beside the bands.
    pub(crate) fn other_columns(&self) -> Vec<usize> {
        (self.columns.len() - self.others..self.columns.len()).collect()
    }

    /// How many of the columns are about reaching a band.
    pub(crate) fn reached(&self) -> usize {
        self.bands.len().saturating_sub(1)
    }

    /// Steps of axes that can be exchanged for one another, with what they are worth, the best one first. They help: a
    /// band is reached more often. Of other numbers it is not known which way is better, so it is all steps up.
    pub(crate) fn goods(&self) -> Vec<(Deed<'_>, &RBig)> {
        let is_by_band = self.yardstick < self.reached();
        let axes = self.levers.iter().filter(|moved| !moved.is_parameter);
        let is_good = |deed: &Deed<'_>| match is_by_band {
            true => {
                let change = deed.summary.changes[self.yardstick].as_ref();
                change.is_some_and(|change| change.count > 0 && change.least > RBig::ZERO)
            }
            false => !deed.moved.is_label() && deed.is_up(),
        };
        let deeds = axes.flat_map(Moved::deeds).filter(is_good);
        let goods = deeds.filter_map(|deed| Some((deed, self.worth(deed.summary)?)));
        let mut goods: Vec<_> = goods.filter(|(_, worth)| **worth != RBig::ZERO).collect();
        goods.sort_by_cached_key(|(_, worth)| std::cmp::Reverse(size(worth)));
        goods
    }

    /// What a column is called in CSV and JSON: `band>=Hit`, `mean(total)`.
    fn column(&self, at: usize) -> String {
        let head = &self.columns[at];
        match head.kind {
            Kind::Band => format!("band>={}", head.name),
            _ => head.name.clone(),
        }
    }
}

/// The swept axes; `lever,from,to`; the change of each band, of reaching it, and of each query; and `flat:BAND`, the
/// flat modifier with which a band is reached as often.
pub(crate) fn csv_head(valuation: &Valuation) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let step = ["lever", "from", "to"];
    let axes = told_apart(&step, valuation.axes.iter().map(|axis| axis.name.clone()));
    let flat = match valuation.number {
        Some(_) => &valuation.bands[1..],
        None => &[],
    };
    let bands = valuation.bands.iter().cloned();
    let changes = (0..valuation.columns.len()).map(|at| valuation.column(at));
    let flat = flat.iter().map(|band| format!("flat:{band}"));
    let own: Vec<&str> = step
        .into_iter()
        .chain(axes.iter().map(String::as_str))
        .collect();
    let others = told_apart(&own, bands.chain(changes).chain(flat));
    writer.write_record(
        axes.iter()
            .map(String::as_str)
            .chain(step)
            .chain(others.iter().map(String::as_str)),
    )?;
    Ok(writer.into_inner()?)
}

/// A step in a configuration, of which the values of the swept axes are given.
pub(crate) fn csv_row(
    valuation: &Valuation,
    moved: &Moved,
    worth: &Worth,
    configuration: &[String],
    writer: &mut csv::Writer<Vec<u8>>,
) -> Result<()> {
    for value in configuration {
        writer.write_field(value)?;
    }
    let step = moved.lever.steps[worth.step];
    for text in [moved.name(), moved.value(step.from), moved.value(step.to)] {
        writer.write_field(text)?;
    }
    let cell = |number: Option<&RBig>| number.map(decimal).unwrap_or_default();
    let reached = &worth.changes[..valuation.reached()];
    for band in 0..valuation.bands.len() {
        writer.write_field(cell(of_band(reached, band).as_ref()))?;
    }
    for change in &worth.changes {
        writer.write_field(cell(change.as_ref()))?;
    }
    if valuation.number.is_some() {
        for flat in &worth.flats {
            writer.write_field(cell(flat.as_ref()))?;
        }
    }
    Ok(writer.write_record(None::<&[u8]>)?)
}

/// The change of a band by itself, from those of reaching each band but the worst.
fn of_band(reached: &[Option<RBig>], band: usize) -> Option<RBig> {
    let reaching = match band.checked_sub(1) {
        Some(at) => reached[at].clone()?,
        None => RBig::ZERO,
    };
    let beyond = match reached.get(band) {
        Some(next) => next.clone()?,
        None => RBig::ZERO,
    };
    Some(reaching - beyond)
}

/// What is asked, and every step of every lever over all configurations, with exact fractions.
pub(crate) fn json(valuation: &Valuation) -> Value {
    let sweep: Map<String, Value> = valuation
        .axes
        .iter()
        .map(|axis| {
            let values = (0..axis.values.len()).map(|place| data(&axis.setting(place)));
            (axis.name.clone(), values.collect())
        })
        .collect();
    let number = valuation.number.as_ref().map(|number| {
        let thresholds = number.thresholds.as_ref();
        json!({
            "name": number.name,
            "rises": thresholds.map(|thresholds| thresholds.rises),
            "thresholds": thresholds.map(|thresholds| &thresholds.at),
        })
    });
    let mut json = valuation.names.clone();
    let goods = valuation.goods();
    json.extend([
        ("sweep".to_owned(), Value::from(sweep)),
        ("configurations".to_owned(), json!(valuation.configurations)),
        ("number".to_owned(), json!(number)),
        (
            "levers".to_owned(),
            valuation
                .levers
                .iter()
                .map(|moved| json_lever(valuation, moved))
                .collect(),
        ),
        (
            "exchange".to_owned(),
            goods
                .iter()
                .map(|good| json_exchange(good, &goods))
                .collect(),
        ),
    ]);
    Value::from(json)
}

fn json_lever(valuation: &Valuation, moved: &Moved) -> Value {
    let steps = moved.lever.steps.iter().zip(&moved.steps);
    let steps = steps.map(|(step, summary)| {
        let mut json = json_summary(valuation, summary);
        json.insert("from".to_owned(), data(&moved.values.setting(step.from)));
        json.insert("to".to_owned(), data(&moved.values.setting(step.to)));
        Value::from(json)
    });
    json!({
        "lever": moved.name(),
        "role": if moved.is_parameter { "parameter" } else { "axis" },
        "swept": moved.is_swept,
        "steps": steps.collect::<Value>(),
        "up": json_summary(valuation, &moved.up),
    })
}

fn json_summary(valuation: &Valuation, summary: &Summary) -> Map<String, Value> {
    let spread = |spread: &Option<Spread>| {
        spread.as_ref().map(|spread| {
            json!({
                "typical": json_ratio(&spread.typical),
                "size": json_ratio(&spread.size),
                "least": json_ratio(&spread.least),
                "most": json_ratio(&spread.most),
                "changed": spread.count,
            })
        })
    };
    let changes = summary.changes.iter();
    let names = told_apart(
        &[],
        (0..valuation.columns.len()).map(|at| valuation.column(at)),
    );
    let changes: Map<String, Value> = { names.into_iter().zip(changes) }
        .map(|(name, change)| (name, json!(spread(change))))
        .collect();
    let flats = summary.flats.iter().zip(valuation.bands.iter().skip(1));
    let flats: Map<String, Value> = flats
        .map(|(flat, band)| (band.clone(), json!(spread(flat))))
        .collect();
    let json = json!({ "count": summary.count, "active": summary.active, "changes": changes, "flat": flats });
    json.as_object().cloned().unwrap_or_default()
}

fn json_exchange((deed, worth): &(Deed<'_>, &RBig), goods: &[(Deed<'_>, &RBig)]) -> Value {
    let rates: Map<String, Value> = goods
        .iter()
        .map(|(other, price)| (other.words(), json_ratio(&(*worth / *price))))
        .collect();
    json!({ "step": deed.words(), "worth": json_ratio(worth), "is": rates })
}
