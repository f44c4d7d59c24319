//! What a search over parameters found, and that for programs: a row per candidate, or JSON.

use anyhow::Result;
use oddsmith::told_apart;
use oddsmith_analysis::tune::{Candidate, Proof, Tuned, Value as Distance};
use oddsmith_exact::{Answer, RBig};
use oddsmith_rules::{Aim, Check, Dial, Goal, Tuning};
use serde_json::{Map, Value, json};

use crate::format::outcomes::{self, INFINITE, Kind};
use crate::number;

/// What is shown of a search.
pub(crate) struct Tunings<'a> {
    pub(crate) title: String,
    pub(crate) ruleset: String,
    /// The check that goals are about which name no other.
    pub(crate) check: &'a Check,
    pub(crate) asked: &'a Tuning,
    /// What each goal is about, in words.
    pub(crate) abouts: Vec<String>,
    pub(crate) tuned: &'a Tuned,
    /// The change of the ruleset that makes it the picked candidate; none if there is none.
    pub(crate) patch: Option<&'a str>,
    /// Whether a parameter that does not vary has another value than in the ruleset.
    pub(crate) is_set: bool,
    /// The number of that candidate, if it was asked for.
    pub(crate) picked: Option<u64>,
}

impl Tunings<'_> {
    /// The best candidates, then those of the Pareto set that are not among them.
    pub(crate) fn candidates(&self) -> Vec<&Candidate> {
        let mut all: Vec<&Candidate> = self.tuned.best.iter().collect();
        for member in self.tuned.pareto.iter().flat_map(|pareto| &pareto.members) {
            if !all.iter().any(|known| known.number == member.number) {
                all.push(member);
            }
        }
        all
    }

    /// The value that a candidate gives each dial, as a user writes it.
    pub(crate) fn values(&self, candidate: &Candidate) -> Vec<String> {
        let dials = self.asked.dials.iter().zip(&candidate.options);
        dials
            .map(|(dial, option)| dial.show(self.check, *option))
            .collect()
    }

    /// By how much a candidate misses a goal; none if the goal's query has no answer there.
    pub(crate) fn off(candidate: &Candidate, goal: usize) -> Option<&Distance> {
        candidate.answers[goal].as_ref()?;
        Some(&candidate.off[goal])
    }

    /// What is missing in all wishes; none if one of them has no answer.
    pub(crate) fn total<'c>(&self, candidate: &'c Candidate) -> Option<&'c Distance> {
        let goals = self.asked.goals.iter().zip(&candidate.answers);
        let mut wishes = goals.filter(|(goal, _)| !goal.aim.is_hard());
        let has_answers = wishes.all(|(_, answer)| answer.is_some());
        has_answers.then_some(&candidate.total)
    }

    /// Whether anything is wished for.
    pub(crate) fn has_wishes(&self) -> bool {
        self.asked.goals.iter().any(|goal| !goal.aim.is_hard())
    }
}

/// What is to become of an answer: `in [0.5, 0.6]`, `at most 30 %`, `as it is`, `near 14, weight 2`.
pub(crate) fn aim(goal: &Goal) -> String {
    match &goal.aim {
        Aim::Within(bounds) => match (&bounds.at_least, &bounds.at_most) {
            (Some(low), Some(high)) => format!("in [{}, {}]", low.text, high.text),
            (Some(low), None) => format!("at least {}", low.text),
            (None, Some(high)) => format!("at most {}", high.text),
            (None, None) => "a number".to_owned(),
        },
        Aim::Keep(within) if within.value == RBig::ZERO => "as it is".to_owned(),
        Aim::Keep(within) => format!("as it is, within {}", within.text),
        Aim::Near { number, weight } if weight.value == RBig::ONE => {
            format!("near {}", number.text)
        }
        Aim::Near { number, weight } => format!("near {}, weight {}", number.text, weight.text),
    }
}

/// `candidate`, the dials, a column for each goal, `total`, `pareto`, `changed` and `by`; a row for each candidate that is
/// shown. By `total`, `changed`, `by` and `candidate` the rows of several searches can be put in order.
pub(crate) fn csv(tunings: &Tunings<'_>) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let (first, last) = (["candidate"], ["total", "pareto", "changed", "by"]);
    let dials = tunings.asked.dials.iter().map(|dial| &dial.name);
    let names = dials.chain(&tunings.abouts).cloned();
    let names = told_apart(&[&first[..], &last].concat(), names);
    let names = names.iter().map(String::as_str);
    writer.write_record(first.into_iter().chain(names).chain(last))?;
    for candidate in tunings.candidates() {
        writer.write_field(candidate.number.to_string())?;
        for value in tunings.values(candidate) {
            writer.write_field(value)?;
        }
        for answer in &candidate.answers {
            let mut cell = Vec::new();
            if let Some(decimal) = answer.as_ref().and_then(outcomes::decimal) {
                number::push_decimal(decimal, &mut cell);
            }
            writer.write_field(cell)?;
        }
        let mut total = Vec::new();
        match tunings.total(candidate) {
            Some(Distance::Finite(sum)) => {
                number::push_decimal(number::decimal(sum), &mut total);
            }
            Some(_) => total.extend(INFINITE.bytes()),
            None => {}
        }
        writer.write_field(total)?;
        let is_pareto = tunings.tuned.pareto.as_ref().map(|_| candidate.is_pareto);
        writer.write_field(is_pareto.map_or(String::new(), |is_pareto| is_pareto.to_string()))?;
        writer.write_field(candidate.change.dials.to_string())?;
        writer.write_field(candidate.change.size.to_string())?;
        writer.write_record(None::<&[u8]>)?;
    }
    Ok(writer.into_inner()?)
}

/// Everything, with exact fractions.
pub(crate) fn json(tunings: &Tunings<'_>) -> Value {
    let Tunings { asked, tuned, .. } = tunings;
    let dials: Map<String, Value> = { asked.dials.iter() }
        .map(|dial| {
            let options = (0..dial.options.len()).map(|option| json_option(tunings, dial, option));
            (dial.name.clone(), options.collect())
        })
        .collect();
    let goals = (0..asked.goals.len()).map(|goal| json_goal(tunings, goal));
    let list = |candidates: &[Candidate]| -> Value {
        let candidates = candidates.iter();
        candidates
            .map(|candidate| json_candidate(tunings, candidate))
            .collect()
    };
    let pareto = tuned.pareto.as_ref().map(|pareto| {
        json!({
            "candidates": pareto.candidates,
            "distinct": pareto.distinct,
            "members": list(&pareto.members),
        })
    });
    json!({
        "ruleset": tunings.ruleset,
        "check": tunings.check.name,
        "vary": dials,
        "goals": goals.collect::<Value>(),
        "candidates": tuned.candidates,
        "from": tuned.from,
        "until": tuned.until,
        "forbidden": tuned.forbidden,
        "met": tuned.met,
        "equally_good": tuned.equals,
        "best": list(&tuned.best),
        "pareto": pareto,
        "proof": tuned.proof.as_ref().map(|proof| json_proof(tunings, proof)),
        "patch": tunings.patch,
    })
}

fn json_proof(tunings: &Tunings<'_>, proof: &Proof) -> Value {
    let nearest = proof.nearest.as_ref();
    json!({
        "legal": proof.legal,
        "conflict": proof.conflict.iter().map(|goal| goal + 1).collect::<Vec<_>>(),
        "nearest": nearest.map(|nearest| json_candidate(tunings, nearest)),
    })
}

fn json_goal(tunings: &Tunings<'_>, at: usize) -> Value {
    let (goal, tuned) = (&tunings.asked.goals[at], tunings.tuned);
    let proof = tuned.proof.as_ref().filter(|_| goal.aim.is_hard());
    json!({
        "goal": tunings.abouts[at],
        "intent": (!goal.intent.is_empty()).then_some(&goal.intent),
        "aim": aim(goal),
        "hard": goal.aim.is_hard(),
        "kind": Kind::of(&goal.query).name(),
        "now": tuned.now[at].as_ref().map(json_answer),
        "excluded": goal.aim.is_hard().then_some(tuned.excluded[at]),
        "met_alone": proof.map(|proof| proof.alone[at]),
    })
}

/// A number or a label, or a list of them.
fn json_option(tunings: &Tunings<'_>, dial: &Dial, option: usize) -> Value {
    let values = dial.inputs.iter().zip(&dial.options[option]);
    let mut values = values.map(|(id, value)| {
        let domain = &tunings.check.inputs[id.0].domain;
        outcomes::setting(domain, *value)
    });
    match dial.inputs.len() {
        1 => values.next().unwrap_or_default(),
        _ => values.collect(),
    }
}

fn json_candidate(tunings: &Tunings<'_>, candidate: &Candidate) -> Value {
    let dials = tunings.asked.dials.iter().zip(&candidate.options);
    let values: Map<String, Value> = dials
        .map(|(dial, option)| (dial.name.clone(), json_option(tunings, dial, *option)))
        .collect();
    let answers = candidate.answers.iter();
    let off = 0..candidate.off.len();
    let off = off.map(|goal| Tunings::off(candidate, goal).map(json_distance));
    let change = candidate.change;
    json!({
        "candidate": candidate.number,
        "values": values,
        "changes": { "parameters": change.dials, "by": change.size.to_string() },
        "answers": answers.map(|answer| answer.as_ref().map(json_answer)).collect::<Value>(),
        "off": off.collect::<Value>(),
        "total": tunings.total(candidate).map(json_distance),
        "pareto": tunings.tuned.pareto.as_ref().map(|_| candidate.is_pareto),
    })
}

/// JSON has no infinity, so it is text.
fn json_answer(answer: &Answer) -> Value {
    let decimal = match answer.is_infinite() {
        true => json!(outcomes::infinite(answer)),
        false => json!(outcomes::decimal(answer)),
    };
    json!({
        "weight": answer.weight.to_string(),
        "total": answer.total.to_string(),
        "probability": decimal,
    })
}

fn json_distance(distance: &Distance) -> Value {
    match distance {
        Distance::Finite(ratio) => json_ratio(ratio),
        _ => json!(INFINITE),
    }
}

fn json_ratio(ratio: &RBig) -> Value {
    json!({ "fraction": ratio.to_string(), "decimal": number::decimal(ratio) })
}
