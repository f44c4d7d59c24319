//! Whether two versions of a ruleset have the same odds.

use std::collections::BTreeSet;

use oddsmith_exact::{
    Answer, Budget, Dist, Error, Lengths, RBig, Rounds, UBig, answers, distribution,
};
use oddsmith_rules::program::{BinaryOp, CompareOp, Expr, InputId, Kind, VarId};
use oddsmith_rules::{Check, Config, Domain, Input, Model, Outcome, OutcomeKind, Query, QueryKind};

use crate::proof::{are_same, chains};
use crate::random::Random;
use crate::sets::definitions;
use crate::witness::{Settings, inputs_behind, witnesses};

/// Steps that one configuration may cost; dearer ones are left out.
const STEPS: u64 = 50_000_000;

/// A space of so many configurations is gone through as a whole.
const WHOLE: usize = 3_000;

/// An input with more values than these is tried at some of them.
const MANY: usize = 14;

/// Rounds of a track that are compared one by one.
const HORIZON: usize = 40;

/// What is known of two versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Proved: every configuration has the same odds.
    Same,
    /// They differ here.
    Differs {
        /// In this check or track, or in contests of it.
        check: String,
        /// What is set; all else is at its default.
        settings: String,
    },
    /// No difference in so many configurations.
    Unknown(usize),
}

/// Compares two versions whose checks have the same inputs. `tries` configurations are picked at random where there
/// are too many.
#[must_use]
pub fn compare(before: &Model, after: &Model, tries: usize, random: &mut Random) -> Verdict {
    let checks = |model: &Model| -> Vec<Check> {
        model.checks.iter().chain(&model.tracks).cloned().collect()
    };
    let mut pairs = Vec::new();
    for (before, after) in checks(before).iter().zip(&checks(after)) {
        pairs.extend(Pair::all(before, after));
    }
    let mut looked = 0;
    for pair in &pairs {
        for settings in pair.star() {
            looked += 1;
            if let Some(verdict) = pair.differs(&settings) {
                return verdict;
            }
        }
    }
    let mut is_proved = true;
    for pair in &pairs {
        if let Some(all) = pair.whole() {
            for settings in all {
                looked += 1;
                if let Some(verdict) = pair.differs(&settings) {
                    return verdict;
                }
            }
            continue;
        }
        let [before, after] = &pair.sides;
        if are_same(&before.check, &after.check) {
            continue;
        }
        is_proved = false;
        let likely = pair.likely(random);
        let some = (0..tries)
            .map(|_| pair.some(random))
            .collect::<Vec<Settings>>();
        for settings in likely.iter().chain(&some) {
            looked += 1;
            if let Some(verdict) = pair.differs(settings) {
                return verdict;
            }
        }
    }
    if is_proved {
        Verdict::Same
    } else {
        Verdict::Unknown(looked)
    }
}

/// A check, a track or a contest in two versions.
struct Pair {
    name: String,
    sides: [Side; 2],
    /// The inputs that either version reads, with values to try.
    inputs: Vec<(InputId, Vec<i64>)>,
    /// Those that what is different reads.
    near: Vec<usize>,
}

impl Pair {
    /// What differs between two versions of a check as they are written: the check itself, contests of it, or nothing.
    fn all(before: &Check, after: &Check) -> Vec<Self> {
        let mut pairs = Vec::new();
        let texts = [before, after].map(script_of);
        if texts[0] != texts[1] {
            pairs.push(Self::new(before, after));
        }
        let contests = [before, after].map(|check| {
            let contest = check.contest.as_ref().map(|contest| &contest.value);
            without_places(&format!("{contest:?}{:?}", check.ties))
        });
        if contests[0] != contests[1] {
            let of = |check: &Check| check.against(check, check.ties).expect("it has a contest");
            pairs.push(Self::new(&of(before), &of(after)));
        }
        pairs
    }

    fn new(before: &Check, after: &Check) -> Self {
        // What nobody sets has another value where only a default differs: it is not set here either.
        let is_same = |id: &InputId| before.inputs[id.0].default == after.inputs[id.0].default;
        let read: BTreeSet<InputId> = [before, after].into_iter().flat_map(inputs_of).collect();
        let read: Vec<InputId> = read.into_iter().filter(is_same).collect();
        let constants = constants_of(before);
        let values = |id: &InputId| (*id, values_of(&before.inputs[id.0], &constants));
        let inputs: Vec<(InputId, Vec<i64>)> = read.iter().map(values).collect();
        let different = inputs_of_difference(before, after);
        let is_near = |at: &usize| different.contains(&inputs[*at].0);
        Self {
            name: before.name.clone(),
            near: (0..inputs.len()).filter(is_near).collect(),
            inputs,
            sides: [Side::new(before), Side::new(after)],
        }
    }

    /// The defaults, and each value of each input by itself.
    fn star(&self) -> Vec<Settings> {
        let single = self
            .inputs
            .iter()
            .flat_map(|(id, values)| values.iter().map(|value| vec![(*id, *value)]));
        std::iter::once(Vec::new()).chain(single).collect()
    }

    /// Every configuration, if there are few. Defaults are values like others then.
    fn whole(&self) -> Option<Vec<Settings>> {
        let mut all = vec![Vec::new()];
        for (id, _) in &self.inputs {
            let (low, high) = self.sides[0].check.inputs[id.0].domain.bounds();
            let width = usize::try_from(high - low + 1).ok()?;
            if all.len().checked_mul(width)? > WHOLE {
                return None;
            }
            let longer = all.iter().flat_map(|settings: &Settings| {
                (low..=high).map(|value| [settings.as_slice(), &[(*id, value)]].concat())
            });
            all = longer.collect();
        }
        Some(all)
    }

    /// Some inputs at some of their values: mostly those that what is different reads.
    fn some(&self, random: &mut Random) -> Settings {
        let mut settings = Settings::new();
        let count = 1 + random.below(6);
        for _ in 0..count {
            let is_near = !self.near.is_empty() && random.below(3) > 0;
            let at = match is_near {
                true => *random.pick(&self.near),
                false => random.below(self.inputs.len()),
            };
            let (id, values) = &self.inputs[at];
            settings.retain(|(known, _)| known != id);
            settings.push((*id, *random.pick(values)));
        }
        settings
    }

    /// What wakes an expression that differs: by itself, and beside some other inputs.
    fn likely(&self, random: &mut Random) -> Vec<Settings> {
        let values = self.inputs.iter().cloned().collect();
        let [before, after] = &self.sides;
        let mut all = Vec::new();
        for settings in witnesses(&before.check, &after.check, &values, random) {
            for others in 0..4 {
                let mut more = if others == 0 {
                    Settings::new()
                } else {
                    self.some(random)
                };
                more.retain(|(id, _)| settings.iter().all(|(set, _)| set != id));
                all.push([settings.as_slice(), &more].concat());
            }
        }
        all
    }

    fn differs(&self, settings: &Settings) -> Option<Verdict> {
        let odds = self.sides.each_ref().map(|side| side.odds(settings));
        let [Some(before), Some(after)] = odds else {
            return None;
        };
        (before != after).then(|| Verdict::Differs {
            check: self.name.clone(),
            settings: self.words(settings),
        })
    }

    fn words(&self, settings: &Settings) -> String {
        let inputs = &self.sides[0].check.inputs;
        let words = settings.iter().map(|(id, value)| {
            let input = &inputs[id.0];
            format!("{}={}", input.name, input.domain.show(*value))
        });
        let words: Vec<String> = words.collect();
        if words.is_empty() {
            "the defaults".to_owned()
        } else {
            words.join(" ")
        }
    }
}

/// One version of a check.
struct Side {
    check: Check,
    /// All that it shows, as one number; not of a track.
    joint: Option<Outcome>,
    /// What a track answers at its end.
    queries: Vec<Query>,
}

/// The odds of one configuration.
#[derive(Debug, PartialEq, Eq)]
enum Odds {
    /// The rules refuse it.
    Refused,
    Joint(Dist),
    Apart(Vec<Option<Dist>>),
    Track {
        rounds: Option<(RBig, Vec<RBig>)>,
        ends: Vec<Option<RBig>>,
        first: Vec<Option<Dist>>,
    },
}

impl Side {
    fn new(check: &Check) -> Self {
        if check.rounds.is_some() {
            return Self {
                queries: end_queries(check),
                check: check.clone(),
                joint: None,
            };
        }
        let (check, joint) = with_joint(check);
        Self {
            check,
            joint: Some(joint),
            queries: Vec::new(),
        }
    }

    /// None if it would be too dear.
    fn odds(&self, settings: &Settings) -> Option<Odds> {
        let mut config = self.check.defaults();
        for (id, value) in settings {
            config.put(*id, *value);
        }
        let budget = Budget::new(STEPS);
        if let Some(joint) = &self.joint {
            return match distribution(&self.check, &config, joint, &budget) {
                Ok(dist) => Some(Odds::Joint(dist)),
                Err(Error::OverBudget { .. }) => None,
                Err(Error::Requirement { .. }) => Some(Odds::Refused),
                Err(_) => Some(Odds::Apart(self.apart(&config, |_| true)?)),
            };
        }
        self.track(&config)
    }

    fn apart(&self, config: &Config, is_asked: fn(&Outcome) -> bool) -> Option<Vec<Option<Dist>>> {
        let budget = Budget::new(STEPS);
        let outcomes = self
            .check
            .outcomes
            .iter()
            .filter(|outcome| is_asked(outcome));
        let dists =
            outcomes.map(|outcome| known(distribution(&self.check, config, outcome, &budget)));
        dists.collect()
    }

    fn track(&self, config: &Config) -> Option<Odds> {
        let budget = Budget::new(STEPS);
        let rounds = known(Rounds::new(&self.check, config, &budget))?;
        let rounds = match rounds {
            None => None,
            Some(rounds) => {
                let lengths = known(rounds.lengths(HORIZON, &budget))??;
                Some((rounds.never().clone(), odds_of(&lengths)))
            }
        };
        let ends = match answers(&self.check, config, &self.queries, &budget) {
            Ok(answers) => answers.iter().map(Answer::to_ratio).collect(),
            Err(Error::OverBudget { .. }) => return None,
            Err(Error::Requirement { .. }) => return Some(Odds::Refused),
            Err(_) => {
                let one = |query| {
                    let answers =
                        answers(&self.check, config, std::slice::from_ref(query), &budget);
                    Some(known(answers)?.and_then(|answers| answers[0].to_ratio()))
                };
                self.queries
                    .iter()
                    .map(one)
                    .collect::<Option<Vec<Option<RBig>>>>()?
            }
        };
        let first = self.apart(config, |outcome| outcome.first_round)?;
        Some(Odds::Track {
            rounds,
            ends,
            first,
        })
    }
}

/// None if it was too dear, nothing if it can't be told.
fn known<T>(result: Result<T, Error>) -> Option<Option<T>> {
    match result {
        Ok(value) => Some(Some(value)),
        Err(Error::OverBudget { .. }) => None,
        Err(_) => Some(None),
    }
}

/// The chance of each number of rounds.
fn odds_of(lengths: &Lengths) -> Vec<RBig> {
    let odds = |weight: &UBig| RBig::from_parts(weight.clone().into(), lengths.total.clone());
    lengths.weights.iter().map(odds).collect()
}

/// What a track says of its end: the chance of each label and flag, and two moments of each number.
fn end_queries(check: &Check) -> Vec<Query> {
    let query = |kind| Query::new("", kind);
    let mut queries = Vec::new();
    for outcome in check.outcomes.iter().filter(|outcome| !outcome.first_round) {
        let value = || variable(check, outcome.var);
        match &outcome.kind {
            OutcomeKind::Flag => queries.push(query(QueryKind::Probability(value()))),
            OutcomeKind::Observable => {
                queries.push(query(QueryKind::Mean(value())));
                queries.push(query(QueryKind::Variance(value())));
            }
            OutcomeKind::Band(labels) | OutcomeKind::Label(labels) => {
                for place in 0..labels.labels().len() {
                    let place = i64::try_from(place).expect("lists are short");
                    let place = Expr::constant(place, check.span);
                    let op = BinaryOp::Compare(CompareOp::Equal);
                    let is_label = binary(op, value(), place);
                    queries.push(query(QueryKind::Probability(is_label)));
                }
            }
        }
    }
    queries
}

fn variable(check: &Check, var: VarId) -> Expr {
    Expr::new(Kind::Var(var), check.span)
}

fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let span = left.span;
    Expr::binary(op, left, right, span)
}

/// The check with one more number: all that it shows, each as a digit of it. Digits are so wide that what is shown
/// fits one, and narrow enough for the number to fit 64 bits; where it does not, outcomes are compared one by one.
fn with_joint(check: &Check) -> (Check, Outcome) {
    let mut check = check.clone();
    let digits = u32::try_from(check.outcomes.len()).expect("few outcomes");
    let width = 1_i64 << (60 / digits.max(1)).min(30);
    let mut value = Expr::constant(0, check.span);
    for outcome in &check.outcomes {
        let width = Expr::constant(width, check.span);
        value = binary(BinaryOp::Multiply, value, width);
        value = binary(BinaryOp::Add, value, variable(&check, outcome.var));
    }
    let name = "all that is shown";
    let mut program = check.program().clone();
    let (var, statement) = program.bind(name, value);
    let mut statements = program.statements().to_vec();
    statements.push(statement);
    let program = program.with_statements(statements, check.inputs.len());
    check.set_program(program.expect("a number made of what is shown can stand at the end"));
    let joint = Outcome {
        name: name.to_owned(),
        kind: OutcomeKind::Observable,
        var,
        first_round: false,
        span: check.span,
    };
    check.outcomes.push(joint.clone());
    (check, joint)
}

/// All that decides a check's odds, as text.
fn script_of(check: &Check) -> String {
    let defaults: Vec<i64> = check.inputs.iter().map(|input| input.default).collect();
    let requires: Vec<&Expr> = check
        .requires
        .iter()
        .map(|requirement| &requirement.condition)
        .collect();
    let goal = check.goal.as_ref().map(|goal| &goal.value);
    let statements = check.program().statements();
    let text = format!("{defaults:?} {requires:?} {goal:?} {statements:?}");
    without_places(&text)
}

/// What `Debug` writes, without the places in the file.
pub(crate) fn without_places(text: &str) -> String {
    let mut rest = text;
    let mut plain = String::with_capacity(text.len());
    while let Some(at) = rest.find("Span {") {
        plain.push_str(&rest[..at]);
        let end = rest[at..].find('}').map_or(rest.len(), |end| at + end + 1);
        rest = &rest[end..];
    }
    plain + rest
}

fn each_expr<'e>(check: &'e Check, visit: &mut dyn FnMut(&'e Expr)) {
    let requires = check
        .requires
        .iter()
        .map(|requirement| &requirement.condition);
    let measures = check
        .contest
        .iter()
        .chain(&check.goal)
        .map(|measure| &measure.value);
    requires
        .chain(measures)
        .for_each(|expr| expr.for_each(visit));
    for statement in check.program().statements() {
        statement.for_each_part(&mut |expr| expr.for_each(visit));
    }
}

/// The inputs that a check reads anywhere.
fn inputs_of(check: &Check) -> BTreeSet<InputId> {
    let mut inputs = BTreeSet::new();
    each_expr(check, &mut |expr| {
        if let Kind::Input(id) = expr.kind {
            inputs.insert(id);
        }
    });
    inputs
}

/// The numbers that stand in a check's rules.
fn constants_of(check: &Check) -> BTreeSet<i64> {
    let mut constants = BTreeSet::new();
    each_expr(check, &mut |expr| constants.extend(expr.as_constant()));
    constants
}

/// All values of an input, or those where something is most likely to happen.
fn values_of(input: &Input, constants: &BTreeSet<i64>) -> Vec<i64> {
    let (low, high) = input.domain.bounds();
    if usize::try_from(high - low).is_ok_and(|width| width < MANY)
        || matches!(input.domain, Domain::Choice(_))
    {
        return (low..=high).collect();
    }
    let mut values = BTreeSet::from([low, low + 1, high - 1, high]);
    for near in std::iter::once(&input.default).chain(&input.sweep) {
        values.extend([near - 1, *near, near + 1]);
    }
    for constant in constants.iter().filter(|constant| constant.abs() <= 40) {
        values.extend([*constant, -constant]);
    }
    values.retain(|value| (low..=high).contains(value));
    values.into_iter().collect()
}

/// The inputs that are read by what differs, or by what that reads; and those whose defaults differ.
fn inputs_of_difference(before: &Check, after: &Check) -> BTreeSet<InputId> {
    let mut inputs = BTreeSet::new();
    for chain in chains(before, after) {
        let (a, b) = chain[0];
        for (check, expr) in [(before, a), (after, b)] {
            inputs_behind(expr, &definitions(check), &mut BTreeSet::new(), &mut inputs);
        }
    }
    inputs
}
