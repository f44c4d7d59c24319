//! A plan for spending points over a scene: for programs.

use anyhow::Result;
use oddsmith::told_apart;
use oddsmith::wire::Choice;
use oddsmith_analysis::plan::{self, Manner, Played, Scene, State, Tally, Turn};
use oddsmith_exact::RBig;
use oddsmith_rules::{Config, Domain, Spending, Utility};
use serde_json::{Map, Value, json};

use crate::format::outcomes;
use crate::format::policy;

/// What is shown of a plan.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) title: String,
    /// As typed.
    pub(crate) ruleset: String,
    /// What the points are called.
    pub(crate) resource: String,
    pub(crate) spending: Spending,
    pub(crate) scene: Scene,
    /// The configurations that take turns.
    pub(crate) settings: Vec<Config>,
    pub(crate) plan: plan::Plan,
}

impl Plan {
    /// A way to play in a few words.
    pub(crate) fn manner(&self, manner: Manner) -> String {
        match (manner, self.spending.policy) {
            (Manner::Never, _) => "never".to_owned(),
            (Manner::Always, _) => "always".to_owned(),
            (Manner::Named(label), Some((axis, _))) => {
                self.spending.check.inputs[axis.0].domain.show(label)
            }
            (Manner::Named(_), None) => unreachable!("labels are those of an axis"),
            (Manner::Greedy, _) => "each by itself".to_owned(),
            (Manner::Best, _) => "plan".to_owned(),
        }
    }

    /// What the outcomes are worth: `Miss=0, Graze=1`, or an expression.
    pub(crate) fn utility(&self) -> String {
        match (&self.spending.utility, self.spending.check.band()) {
            (Utility::Bands(numbers), Some((_, bands))) => {
                let worth = bands.labels().iter().zip(numbers);
                let worth: Vec<String> = worth
                    .map(|(band, number)| format!("{band}={}", number.text))
                    .collect();
                worth.join(", ")
            }
            (Utility::Measure(measure), _) => measure.text.clone(),
            (Utility::Bands(_), None) => String::new(),
        }
    }

    /// The game, the check and the scene.
    pub(crate) fn headline(&self) -> String {
        format!("{}: {}", self.title, self.scene_in_words())
    }

    /// `5 checks, 6 points of effort`
    pub(crate) fn scene_in_words(&self) -> String {
        let (checks, pool) = (self.scene.checks.len(), self.scene.pool);
        let noun = if checks == 1 { "check" } else { "checks" };
        let points = if pool == 1 { "point" } else { "points" };
        format!("{checks} {noun}, {pool} {points} of {}", self.resource)
    }

    /// What is set for each check in turn, in words.
    pub(crate) fn settings_in_words(&self) -> String {
        let check = &self.spending.check;
        let each: Vec<String> = self.settings.iter().map(|c| check.describe(c)).collect();
        match each.as_slice() {
            [only] => only.clone(),
            _ => format!("in turn: {}", each.join("; ")),
        }
    }

    /// The axis of the points, where they are set before the roll.
    pub(crate) fn axis(&self) -> &str {
        &self.spending.check.inputs[self.spending.axis.0].name
    }

    /// `checks_left,points_left,probability,value,one_more,points_set,way,choice,round`, what is seen,
    /// `chosen,comes_up,worth,lead`: a row for every state of every choice; fractions are exact.
    pub(crate) fn csv(&self) -> Result<Vec<u8>> {
        let names = policy::seen_names(self.states().flat_map(|(_, _, state)| &state.decisions));
        let mut writer = csv::Writer::from_writer(Vec::new());
        let head = [
            "checks_left",
            "points_left",
            "probability",
            "value",
            "one_more",
            "points_set",
            "way",
            "choice",
            "round",
        ];
        let last = ["chosen", "comes_up", "worth", "lead"];
        let seen = names.iter().map(|name| (*name).to_owned());
        let seen = told_apart(&[&head[..], &last].concat(), seen);
        let seen = seen.iter().map(String::as_str);
        writer.write_record(head.into_iter().chain(seen).chain(last))?;
        for (turn, left, state) in self.states() {
            let first = [
                turn.left.to_string(),
                left.to_string(),
                state.probability.to_string(),
                state.value.to_string(),
                exact(state.more.as_ref()),
                state.points.to_string(),
                self.label(state).unwrap_or_default().to_owned(),
            ];
            if state.decisions.is_empty() {
                let rest = std::iter::repeat_n(String::new(), names.len() + 6);
                writer.write_record(first.iter().cloned().chain(rest))?;
            }
            for decision in &state.decisions {
                for row in &decision.rows {
                    let rest = policy::record(decision, row, &names, RBig::to_string);
                    writer.write_record(first.iter().cloned().chain(rest))?;
                }
            }
        }
        Ok(writer.into_inner()?)
    }

    /// Every number of checks and points that is left, with what is best there.
    pub(crate) fn states(&self) -> impl Iterator<Item = (&Turn, usize, &State)> {
        let turns = self.plan.turns.iter();
        turns.flat_map(|turn| {
            let states = turn.states.iter().enumerate();
            states.filter_map(move |(left, state)| Some((turn, left, state.as_ref()?)))
        })
    }

    /// All of it; fractions as text.
    pub(crate) fn json(&self) -> Value {
        let check = &self.spending.check;
        let configuration = |config| outcomes::configuration(check, config);
        json!({
            "ruleset": self.ruleset,
            "check": check.name,
            "resource": self.resource,
            "axis": self.axis(),
            "utility": self.utility(),
            "checks": self.scene.checks.len(),
            "pool": self.scene.pool,
            "most_for_one_check": self.plan.cap,
            "before_the_roll": self.plan.is_before,
            "configurations": self.settings.iter().map(configuration).collect::<Vec<_>>(),
            "ways": self.plan.ways.iter().map(|way| self.way_json(way)).collect::<Vec<_>>(),
            "states": self.states().map(|at| state_json(at, self.label(at.2))).collect::<Vec<_>>(),
        })
    }

    /// The label of the way to spend that is set before the roll.
    fn label(&self, state: &State) -> Option<&str> {
        let (axis, _) = self.spending.policy.filter(|_| self.plan.is_before)?;
        match &self.spending.check.inputs[axis.0].domain {
            Domain::Choice(choice) => Some(choice.label(state.label?)),
            Domain::Range(..) => None,
        }
    }

    fn way_json(&self, way: &Played) -> Value {
        let result = |tally: &Tally| {
            let bands = self.spending.check.band();
            let labels = bands.map_or(&[][..], |(_, bands)| bands.labels());
            let bands: Map<String, Value> = labels
                .iter()
                .zip(&tally.bands)
                .map(|(label, mean)| (label.clone(), mean.to_string().into()))
                .collect();
            json!({
                "value": tally.value.to_string(),
                "spent": tally.spent.to_string(),
                "bands": bands,
            })
        };
        json!({
            "way": self.manner(way.manner),
            "is_plan": way.manner == Manner::Best,
            "result": way.result.as_ref().map(result),
        })
    }
}

fn state_json((turn, left, state): (&Turn, usize, &State), label: Option<&str>) -> Value {
    json!({
        "checks_left": turn.left,
        "points_left": left,
        "probability": state.probability.to_string(),
        "value": state.value.to_string(),
        "one_more": state.more.as_ref().map(ToString::to_string),
        "points": state.points,
        "way": label,
        "choices": state.decisions.iter().map(|decision| outcomes::data(&Choice::from(decision))).collect::<Vec<_>>(),
    })
}

fn exact(ratio: Option<&RBig>) -> String {
    ratio.map(ToString::to_string).unwrap_or_default()
}
