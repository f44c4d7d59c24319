//! Dice that explode without an end: what is shown of them has the odds that it has at any depth from some depth on.

use std::collections::BTreeMap;

use oddsmith_exact::{Budget, Error, IBig, RBig, distribution, joint};
use oddsmith_rules::program::{Expr, InputId, Kind, Statement};
use oddsmith_rules::{Check, Model, Outcome};
use oddsmith_testkit::random::{maximise, model_of, text, trees};
use proptest::prelude::*;

use super::cases;

/// An explosion of the random scripts.
const ONCE: &str = "!(1)";

/// Dice that explode in them, in place of the one that they have: their depth stands at the `@`.
const DICE: [&str; 8] = [
    "d2!@",
    "d3r==1!@",
    "d3r>2!@",
    "d{-2, 0, 3}!@",
    "d{-2, 0:2, 3:2}!==3@",
    "d3!>=2@",
    "d4ro<2!2..=3@",
    "d[1d2!@]ro==5",
];

/// More steps than these are not waited for.
const STEPS: u64 = 20_000_000;

/// A check or a track of random rules.
struct Rules {
    kind: &'static str,
    keys: String,
    script: String,
    /// One of [`DICE`].
    dice: &'static str,
}

impl Rules {
    fn load(&self, script: &str) -> Option<Model> {
        model_of(self.kind, &self.keys, script)
    }

    fn main(model: &Model) -> &Check {
        let main = model.check("main").or_else(|| model.track("main"));
        main.expect("it is there")
    }

    /// The script with other dice, which explode so often; without a depth they have no end.
    fn with_dice(&self, script: &str, depth: Option<i64>) -> String {
        let depth = depth.map_or(String::new(), |depth| format!("({depth})"));
        let other = script.replace(&format!("d2{ONCE}"), self.dice);
        other.replace(ONCE, "!@").replace('@', &depth)
    }

    /// The script with what it shows cut off at both sides, wherever that is a number.
    fn bounded(&self) -> String {
        let lines = self.script.lines();
        let mut lines: Vec<String> = lines.map(|line| format!("{line}\n")).collect();
        for at in 0..lines.len() {
            let Some((name, shown)) = lines[at].trim_end().split_once(" = ") else {
                continue;
            };
            if name.trim_start().starts_with("show ") {
                let cut = format!("{name} = clamp({shown}, -9, 9)\n");
                let plain = std::mem::replace(&mut lines[at], cut);
                if self.load(&lines.concat()).is_none() {
                    lines[at] = plain;
                }
            }
        }
        lines.concat()
    }

    /// What is wrong with dice without an end; none if there are no such dice, if what is shown has none, or if it takes too
    /// long to say.
    fn complaint(&self, k: i64) -> Option<Result<(), String>> {
        let script = self.bounded();
        if !script.contains(ONCE) {
            return None;
        }
        let endless = self.load(&self.with_dice(&script, None))?;
        let endless = Self::main(&endless);
        let depth = depth_of(endless.program().statements())?;
        let found = odds(endless, k)?;
        for more in [0, 1, 3] {
            let written = self.with_dice(&script, Some(depth + more));
            let finite = self.load(&written).expect("it has no other dice");
            let expected = odds(Self::main(&finite), k)?;
            if found != expected {
                return Some(Err(format!(
                    "at depth {depth} {found:?}\nat {} {expected:?}\n{written}",
                    depth + more
                )));
            }
        }
        Some(Ok(()))
    }
}

/// The depth of the dice that explode; none if a loop of no rounds has all of them.
fn depth_of(statements: &[Statement]) -> Option<i64> {
    let mut found = Vec::new();
    let mut visit = |part: &Expr| {
        if let Kind::Dice { die, .. } = &part.kind
            && let Some(explode) = &die.explode
        {
            found.extend(explode.depth.as_constant());
        }
    };
    for statement in statements {
        statement.for_each_part(&mut |part| part.for_each(&mut visit));
    }
    found.first().copied()
}

type Odds = BTreeMap<Vec<i64>, RBig>;

/// The odds of each outcome, and of all of them together where they have some; none if that takes too long.
fn odds(check: &Check, k: i64) -> Option<Vec<Result<Odds, String>>> {
    let mut config = check.defaults();
    config.put(InputId(0), k);
    let mut all = Vec::new();
    let mut note = |found: Result<Odds, Error>| {
        if matches!(found, Err(Error::OverBudget { .. })) {
            return None;
        }
        all.push(found.map_err(|error| error.to_string()));
        Some(())
    };
    for outcome in &check.outcomes {
        let found = distribution(check, &config, outcome, &Budget::new(STEPS));
        note(found.map(|dist| {
            let share = |weight| RBig::from_parts(IBig::from(weight), dist.total().clone());
            let shares = dist
                .iter()
                .map(|(value, weight)| (vec![value], share(weight)));
            shares.collect()
        }))?;
    }
    if check.rounds.is_none() {
        let outcomes: Vec<&Outcome> = check.outcomes.iter().collect();
        let found = joint(check, &config, &outcomes, &Budget::new(STEPS));
        note(found.map(|joint| {
            let total = joint.total;
            let share = |weight| RBig::from_parts(IBig::from(weight), total.clone());
            let shares = joint.weights.into_iter();
            shares
                .map(|(values, weight)| (values, share(weight)))
                .collect()
        }))?;
    }
    Some(all)
}

proptest! {
    #![proptest_config(cases(150))]
    #[test]
    fn what_is_shown_of_endless_dice_has_an_end(tree in trees::script(true), k in 0_i64..3, at in 0..DICE.len()) {
        let (script, goal) = text::script(&tree);
        let rules = Rules { kind: "checks", keys: maximise(goal.as_ref()), script, dice: DICE[at] };
        let complaint = rules.complaint(k);
        prop_assume!(complaint.is_some());
        let complaint = complaint.expect("just checked");
        prop_assert!(complaint.is_ok(), "k = {k}\n{}", complaint.unwrap_err());
    }

    #[test]
    fn tracks_of_endless_dice_end_as_they_should(round in trees::track(), k in 0_i64..3, at in 0..DICE.len()) {
        let (keys, script) = (String::new(), text::track(&round));
        let rules = Rules { kind: "tracks", keys, script, dice: DICE[at] };
        let complaint = rules.complaint(k);
        prop_assume!(complaint.is_some());
        let complaint = complaint.expect("just checked");
        prop_assert!(complaint.is_ok(), "k = {k}\n{}", complaint.unwrap_err());
    }
}
