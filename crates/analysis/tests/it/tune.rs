//! A search over candidates finds what asking each of them finds: random dials and goals over a small game, against a
//! question for every candidate and every goal.

use std::ops::ControlFlow;

use oddsmith_analysis::tune::{Candidate, Method, Question, Tuned, Value, tune};
use oddsmith_exact::{Answer, Budget, Error, RBig, answers};
use oddsmith_rules::{Aim, Bounds, Check, Config, Dial, Goal, Model, Number, QueryKind, load};
use proptest::prelude::*;

/// A total between thresholds, a pool that is read in two ways, and a track: answers that sweeps share, answers that
/// they do not, and rules about parameters, and about parameters and axes together.
const GAME: &str = r#"
name = "Game"
require = ["lines[0] < lines[1]"]
[params]
cap     = { default = 1, domain = "0..=3" }
ladder  = { default = [0, 4, 6], domain = "0..=8" }
lines   = { default = [4, 8], domain = "1..=12" }
reading = { default = "sum", domain = ["sum", "best"] }
[checks.total]
bands   = ["Miss", "Graze", "Hit"]
require = ["cap + rank < 5"]
axes.rank  = { default = 1, domain = "0..=2" }
axes.boons = { default = 0, domain = "0..=3" }
rules = '''
let net    = min(boons, cap)
let die    = if ladder[rank] == 0 then 0 else (1 + net)d(ladder[rank]) kh 1
show total = (1 + net)d6 kh 1 + die
show band  = match total { < lines[0]: Miss, < lines[1]: Graze, else: Hit }
'''
[checks.pool]
axes.dice = { default = 2, domain = "1..=3" }
rules = '''
let roll   = (dice)d6
show high  = highest(roll)
show Match = matches(roll) >= 2
show score = if reading == sum then sum(roll) + cap else high
'''
[tracks.clock]
inherit = ["total"]
axes.slots = { default = 2, domain = "1..=3" }
rules = '''
let filled = 0
repeat until filled == slots {
  let roll   = total(..)
  set filled = min(filled + index(roll.band), slots)
}
'''
"#;

const DIALS: [&str; 12] = [
    "cap=0..=3",
    "cap=3,1",
    "ladder[0]=0,4",
    "ladder[1]=2,4,8",
    "ladder=[0,4,6],[0,4,8],[4,6,8],[0,4,6,]",
    "ladder=[0,4,6],[2,4,8],[2,4,6]",
    "lines[0]=2..=6",
    "lines[1]=5..=10",
    "lines=[4,8],[3,9],[8,4]",
    "reading=all",
    "reading=best,sum",
    "lines[0]=4",
];

const ABOUT: [&str; 14] = [
    "Hit",
    "Miss @ boons=2",
    "P(band >= Graze) @ rank=2",
    "mean(total) @ rank=2,boons=3",
    "mean(total)",
    "variance(total) @ rank=0",
    "P(total >= lines[1] | Hit)",
    "mean(total | Miss) @ rank=2",
    "pool: Match",
    "pool: mean(score)",
    "pool: P(score > 5 | Match) @ dice=1",
    "pool: mean(high) @ dice=3",
    "clock: mean(rolls)",
    "clock: P(rolls <= 2) @ slots=3,rank=0",
];

fn model() -> Model {
    load("game.toml", GAME.as_bytes()).expect("it is right")
}

fn number((numerator, denominator): (i64, i64)) -> Number {
    Number::parse(&format!("{numerator}/{denominator}")).expect("it is a fraction")
}

/// An aim over a scale from 0 to about what such an answer can be.
fn aim(most: i64) -> impl Strategy<Value = Aim> {
    let number = move || (0..=12 * most).prop_map(|of| number((of, 12)));
    prop_oneof![
        (number(), number()).prop_map(|(a, b)| {
            let (low, high) = if a.compare(&b).is_gt() {
                (b, a)
            } else {
                (a, b)
            };
            Aim::Within(Bounds {
                at_least: Some(low),
                at_most: Some(high),
            })
        }),
        number().prop_map(|low| Aim::Within(Bounds {
            at_least: Some(low),
            at_most: None
        })),
        number().prop_map(|high| Aim::Within(Bounds {
            at_least: None,
            at_most: Some(high)
        })),
        (number(), 1_i64..4, 1_i64..3).prop_map(|(number, over, under)| Aim::Near {
            number,
            weight: crate::tune::number((over, under)),
        }),
        (0_i64..3).prop_map(|within| Aim::Keep(crate::tune::number((within, 6)))),
    ]
}

/// Dials of different parameters.
fn dials() -> impl Strategy<Value = Vec<Dial>> {
    let texts = proptest::sample::subsequence(DIALS.to_vec(), 1..=5).prop_shuffle();
    texts.prop_map(|texts| {
        let model = model();
        let check = model.check("total").expect("it is there");
        let mut dials: Vec<Dial> = Vec::new();
        for text in texts {
            let Ok(dial) = check.dial(text, "--vary") else {
                continue;
            };
            let mut known = dials.iter().flat_map(|dial| &dial.inputs);
            if !known.any(|input| dial.inputs.contains(input)) {
                dials.push(dial);
            }
        }
        dials
    })
}

fn goals() -> impl Strategy<Value = Vec<Goal>> {
    let goal = (0..ABOUT.len()).prop_flat_map(|at| {
        let is_chance = matches!(about(at).query.kind, QueryKind::Probability(_));
        let most = if is_chance { 1 } else { 8 };
        aim(most).prop_map(move |aim| Goal { aim, ..about(at) })
    });
    proptest::collection::vec(goal, 1..=5)
}

fn about(at: usize) -> Goal {
    let model = model();
    let check = model.check("total").expect("it is there");
    model.keep(check, ABOUT[at], "--goal").expect("it is right")
}

fn ratio(number: &Number) -> RBig {
    number.value.clone()
}

/// One question, asked by itself.
fn ask(check: &Check, goal: &Goal, config: &Config) -> Result<Option<Answer>, Error> {
    match answers(
        check,
        config,
        std::slice::from_ref(&goal.query),
        &Budget::unlimited(),
    ) {
        Ok(mut found) => Ok(found.pop()),
        Err(Error::NeverHappens { .. } | Error::NeverEnds { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

fn value(answer: Option<&Answer>) -> Option<Value> {
    let answer = answer?;
    if answer.is_infinite() {
        return Some(Value::Infinite);
    }
    Some(Value::Finite(answer.to_ratio()?))
}

/// What a candidate changes, by its definition: the dials, and by how much.
fn change(dials: &[Dial], mut number: u64) -> (u32, u128) {
    let model = model();
    let check = model.check("total").expect("it is there");
    let (mut changed, mut size) = (0, 0);
    for dial in dials.iter().rev() {
        let len = dial.options.len() as u64;
        let option = &dial.options[usize::try_from(number % len).expect("small")];
        number /= len;
        let values = dial.inputs.iter().zip(option);
        // The labels of the game are places in lists of two.
        let sizes = values.map(|(id, value)| value.abs_diff(check.inputs[id.0].default));
        let own: u128 = sizes.map(u128::from).sum();
        changed += u32::from(own > 0);
        size += own;
    }
    (changed, size)
}

/// How far an answer is from what a goal wants, by its definition.
fn off(goal: &Goal, found: Option<&Value>, now: Option<&Value>) -> Value {
    let Some(found) = found else {
        return Value::Infinite;
    };
    let ends = match &goal.aim {
        Aim::Within(bounds) => {
            [&bounds.at_least, &bounds.at_most].map(|end| end.as_ref().map(ratio))
        }
        Aim::Near { number, .. } => [Some(ratio(number)), Some(ratio(number))],
        Aim::Keep(within) => match now {
            Some(Value::Finite(now)) => [Some(now - ratio(within)), Some(now + ratio(within))],
            // Without end stays without end.
            _ if *found == Value::Infinite => return Value::Finite(RBig::ZERO),
            _ => return Value::Infinite,
        },
    };
    let Value::Finite(found) = found else {
        return if ends[1].is_some() {
            Value::Infinite
        } else {
            Value::Finite(RBig::ZERO)
        };
    };
    let below = ends[0].as_ref().map(|low| low - found);
    let above = ends[1].as_ref().map(|high| found - high);
    let off = below.into_iter().chain(above).fold(RBig::ZERO, RBig::max);
    let is_chance = matches!(goal.query.kind, QueryKind::Probability(_));
    Value::Finite(off * RBig::from(if is_chance { 100 } else { 1 }))
}

/// A candidate by its definition: none if it is forbidden.
struct Plain {
    number: u64,
    off: Option<Vec<Value>>,
}

fn plain(model: &Model, dials: &[Dial], goals: &[Goal]) -> Option<Vec<Plain>> {
    let check = |goal: &Goal| model.check_or_track(&goal.check).expect("it is there");
    let now: Option<Vec<_>> = goals
        .iter()
        .map(|goal| {
            let now = value(ask(check(goal), goal, &goal.config).ok()?.as_ref());
            (now.is_some() || !matches!(goal.aim, Aim::Keep(_))).then_some(now)
        })
        .collect();
    let now = now?;
    let count: u64 = dials.iter().map(|dial| dial.options.len() as u64).product();
    let candidate = |number: u64| {
        let mut rest = number;
        let mut values = Vec::new();
        for dial in dials.iter().rev() {
            let len = dial.options.len() as u64;
            let option = &dial.options[usize::try_from(rest % len).expect("small")];
            values.extend(dial.inputs.iter().zip(option));
            rest /= len;
        }
        let mut all = Vec::new();
        for (goal, now) in goals.iter().zip(&now) {
            let mut config = goal.config.clone();
            values
                .iter()
                .for_each(|(input, value)| config.put(**input, **value));
            match ask(check(goal), goal, &config) {
                Ok(answer) => all.push(off(goal, value(answer.as_ref()).as_ref(), now.as_ref())),
                Err(Error::Requirement { .. }) => return Plain { number, off: None },
                Err(error) => panic!("{error}"),
            }
        }
        Plain {
            number,
            off: Some(all),
        }
    };
    Some((0..count).map(candidate).collect())
}

fn searched(model: &Model, dials: &[Dial], goals: &[Goal], threads: usize) -> Tuned {
    let question = Question {
        model,
        dials,
        goals,
        top: 5,
        from: 0,
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .expect("threads");
    pool.install(|| {
        tune(&question, &Budget::unlimited(), |_, _| {
            ControlFlow::Continue(())
        })
        .expect("it can be answered")
    })
}

fn is_zero(off: &Value) -> bool {
    *off == Value::Finite(RBig::ZERO)
}

/// The sum of the weighted distances of all wishes.
fn total(goals: &[Goal], off: &[Value]) -> Value {
    let mut sum = RBig::ZERO;
    for (goal, off) in goals.iter().zip(off) {
        if let Aim::Near { weight, .. } = &goal.aim {
            match off {
                Value::Finite(off) => sum += off * ratio(weight),
                _ => return Value::Infinite,
            }
        }
    }
    Value::Finite(sum)
}

/// What is wished for, of a candidate.
fn wishes<'o>(goals: &[Goal], off: &'o [Value]) -> Vec<&'o Value> {
    let both = goals
        .iter()
        .zip(off)
        .filter(|(goal, _)| !goal.aim.is_hard());
    both.map(|(_, off)| off).collect()
}

fn dominates(one: &[&Value], other: &[&Value]) -> bool {
    one != other && one.iter().zip(other).all(|(one, other)| one <= other)
}

fn numbers(candidates: &[Candidate]) -> Vec<u64> {
    candidates
        .iter()
        .map(|candidate| candidate.number)
        .collect()
}

fn same_as_plain(dials: &[Dial], goals: &[Goal]) {
    let model = model();
    let Some(all) = plain(&model, dials, goals) else {
        return;
    };
    let tuned = searched(&model, dials, goals, 1);
    let legal: Vec<(u64, &Vec<Value>)> = all
        .iter()
        .filter_map(|plain| Some((plain.number, plain.off.as_ref()?)))
        .collect();
    let is_met = |off: &[Value]| {
        goals
            .iter()
            .zip(off)
            .all(|(goal, off)| !goal.aim.is_hard() || is_zero(off))
    };
    let met: Vec<&(u64, &Vec<Value>)> = legal.iter().filter(|(_, off)| is_met(off)).collect();
    assert_eq!(tuned.forbidden, (all.len() - legal.len()) as u64);
    assert_eq!(tuned.met, met.len() as u64);
    let excluded: u64 = tuned.excluded.iter().sum();
    assert_eq!(
        tuned.forbidden + tuned.met + excluded,
        tuned.candidates,
        "each is counted once"
    );
    let mut ranked: Vec<(Value, (u32, u128), u64)> = met
        .iter()
        .map(|(number, off)| (total(goals, off), change(dials, *number), *number))
        .collect();
    ranked.sort();
    let equals = ranked.iter().filter(|(off, ..)| *off == ranked[0].0);
    assert_eq!(tuned.equals, equals.count() as u64);
    ranked.truncate(5);
    let told: Vec<(Value, (u32, u128), u64)> = tuned
        .best
        .iter()
        .map(|best| {
            let change = (best.change.dials, best.change.size);
            (best.total.clone(), change, best.number)
        })
        .collect();
    assert_eq!(told, ranked);
    for best in &tuned.best {
        let (_, off) = legal
            .iter()
            .find(|(number, _)| *number == best.number)
            .expect("it is legal");
        assert_eq!(best.off, **off);
    }
    same_front(&tuned, (dials, goals), &met);
    same_proof(&tuned, (dials, goals), &legal, met.is_empty());
}

fn same_front(tuned: &Tuned, (dials, goals): (&[Dial], &[Goal]), met: &[&(u64, &Vec<Value>)]) {
    let Some(pareto) = &tuned.pareto else {
        assert!(goals.iter().filter(|goal| !goal.aim.is_hard()).count() < 2);
        return;
    };
    let of = |off| wishes(goals, off);
    let front: Vec<_> = met
        .iter()
        .filter(|(_, off)| !met.iter().any(|(_, other)| dominates(&of(other), &of(off))))
        .collect();
    assert_eq!(pareto.candidates, front.len() as u64);
    /// What is changed, and the number.
    type Place = ((u32, u128), u64);
    let place = |number: u64| -> Place { (change(dials, number), number) };
    let mut distinct: Vec<(Value, Place, Vec<&Value>)> = Vec::new();
    for (number, off) in front {
        match distinct.iter_mut().find(|(_, _, known)| *known == of(off)) {
            Some((_, known, _)) => *known = (*known).min(place(*number)),
            None => distinct.push((total(goals, off), place(*number), of(off))),
        }
    }
    assert_eq!(pareto.distinct, distinct.len() as u64);
    distinct.sort_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
    let expected: Vec<u64> = distinct
        .iter()
        .take(5)
        .map(|(_, (_, number), _)| *number)
        .collect();
    assert_eq!(numbers(&pareto.members), expected);
    for best in &tuned.best {
        let is_front = distinct
            .iter()
            .any(|(_, _, wishes)| *wishes == of(&best.off));
        assert_eq!(best.is_pareto, is_front, "{}", best.number);
    }
}

fn same_proof(
    tuned: &Tuned,
    (dials, goals): (&[Dial], &[Goal]),
    legal: &[(u64, &Vec<Value>)],
    is_needed: bool,
) {
    assert_eq!(tuned.proof.is_some(), is_needed);
    let Some(proof) = &tuned.proof else { return };
    assert_eq!(proof.legal, legal.len() as u64);
    let meet_all = |chosen: &[usize]| {
        legal
            .iter()
            .any(|(_, off)| chosen.iter().all(|&goal| is_zero(&off[goal])))
    };
    for (goal, alone) in goals
        .iter()
        .zip(&proof.alone)
        .enumerate()
        .map(|(at, (goal, alone))| ((at, goal), *alone))
    {
        let (at, goal) = goal;
        let count = legal
            .iter()
            .filter(|(_, off)| goal.aim.is_hard() && is_zero(&off[at]))
            .count();
        assert_eq!(alone, count as u64);
    }
    assert!(!meet_all(&proof.conflict), "the conflict is one");
    let hard: Vec<usize> = (0..goals.len())
        .filter(|&at| goals[at].aim.is_hard())
        .collect();
    // No smaller set is a conflict.
    for set in 0_u32..1 << hard.len() {
        let chosen: Vec<usize> = hard
            .iter()
            .enumerate()
            .filter(|(bit, _)| set >> bit & 1 == 1)
            .map(|(_, &goal)| goal)
            .collect();
        if chosen.len() < proof.conflict.len() {
            assert!(
                meet_all(&chosen),
                "{chosen:?} is smaller than {:?}",
                proof.conflict
            );
        }
    }
    let largest = |off: &[Value]| {
        hard.iter()
            .map(|&goal| off[goal].clone())
            .max()
            .expect("there are goals")
    };
    let nearest = legal
        .iter()
        .map(|(number, off)| (largest(off), change(dials, *number), *number))
        .min();
    let told = proof.nearest.as_ref().map(|near| {
        let change = (near.change.dials, near.change.size);
        (largest(&near.off), change, near.number)
    });
    assert_eq!(told, nearest);
    // Each is counted at the first goal that it misses, in the order in which they are written.
    for goal in 0..goals.len() {
        let misses = |at: &usize, off: &[Value]| hard.contains(at) && !is_zero(&off[*at]);
        let first = |off: &[Value]| (0..goals.len()).find(|at| misses(at, off));
        let count = legal.iter().filter(|(_, off)| first(off) == Some(goal));
        assert_eq!(tuned.excluded[goal], count.count() as u64);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_search_finds_what_asking_each_candidate_finds(dials in dials(), goals in goals()) {
        same_as_plain(&dials, &goals);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 30, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn threads_change_nothing(dials in dials(), goals in goals()) {
        let model = model();
        if plain(&model, &dials[..0], &goals).is_some() {
            let [one, three] = [1, 3].map(|threads| format!("{:?}", searched(&model, &dials, &goals, threads)));
            prop_assert_eq!(one, three);
        }
    }
}

/// The answers of a candidate as wishes, if their parts fit.
fn planted(model: &Model, dials: &[Dial], goals: &[Goal], options: &[usize]) -> Option<Vec<Goal>> {
    let wish = |goal: &Goal| {
        let check = model.check_or_track(&goal.check)?;
        let config = oddsmith_analysis::tune::configuration(dials, options, &goal.config);
        let answer = ask(check, goal, &config).ok()??.to_ratio()?;
        let parts = (
            i64::try_from(answer.numerator()).ok()?,
            i64::try_from(answer.denominator()).ok()?,
        );
        let aim = Aim::Near {
            number: number(parts),
            weight: number((1, 1)),
        };
        Some(Goal {
            aim,
            ..goal.clone()
        })
    };
    goals.iter().map(wish).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn planted_optima_are_found(dials in dials(), goals in goals(), seed in 0_usize..1000) {
        let model = model();
        let options: Vec<usize> = dials.iter().map(|dial| seed % dial.options.len()).collect();
        if let Some(goals) = planted(&model, &dials, &goals, &options) {
            let tuned = searched(&model, &dials, &goals, 2);
            let best = &tuned.best[0];
            prop_assert_eq!(&best.total, &Value::Finite(RBig::ZERO));
            let alike = dials.iter().zip(&options).fold(0, |number, (dial, option)| {
                number * dial.options.len() as u64 + *option as u64
            });
            let place = |number| (change(&dials, number), number);
            prop_assert!(place(best.number) <= place(alike), "the nearest of equals");
        }
    }
}

#[test]
fn planted_conflicts_are_proved() {
    let model = model();
    let check = model.check("total").expect("it is there");
    let dials = ["cap=0..=3", "lines[0]=2..=6", "lines[1]=5..=10"]
        .map(|text| check.dial(text, "--vary").expect("right"));
    let goals = [
        "mean(total) at least 1",
        "P(total >= lines[1]) @ boons=3 at least 0.6",
        "pool: mean(score) at most 8",
        "P(band >= Hit) @ boons=3 at most 0.5",
    ]
    .map(|text| model.goal(check, text, "--goal").expect("right"));
    let tuned = searched(&model, &dials, &goals, 2);
    let proof = tuned.proof.expect("nothing can be both");
    assert_eq!(proof.conflict, [1, 3]);
    // The search was not cut short: what each goal alone allows is there.
    assert!(proof.alone.iter().all(|alone| *alone > 0));
}

/// A goal that reads everything, so that every candidate has to be looked at.
const SUM: &str = r#"
name = "Sum"
require = ["a != b"]
[params]
a    = { default = 3, domain = "0..=99" }
b    = { default = 2, domain = "0..=99" }
line = { default = 13, domain = "0..=99" }
[checks.total]
rules = "show Hit = 1d20 + abs(a - 2 * b) >= abs(line - 30)"
"#;

#[test]
fn a_search_goes_on_where_another_one_ended() {
    let model = load("sum.toml", SUM.as_bytes()).expect("it is right");
    let check = model.check("total").expect("it is there");
    let dials = ["a=0..=59", "b=0..=59", "line=0..=59"];
    let dials = dials.map(|text| check.dial(text, "--vary").expect("right"));
    let goals = [model
        .goal(check, "Hit in [0.2, 0.3]", "--goal")
        .expect("right")];
    let whole = searched(&model, &dials, &goals, 2);
    let mut question = Question {
        model: &model,
        dials: &dials,
        goals: &goals,
        top: 5,
        from: 0,
    };
    let mut parts = Vec::new();
    while question.from < whole.candidates {
        let mut blocks = 0;
        let stop = |_, _| {
            blocks += 1;
            if blocks == 7 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let part = tune(&question, &Budget::unlimited(), stop).expect("it can be answered");
        assert!(part.until > question.from && part.proof.is_none());
        question.from = part.until;
        parts.push(part);
    }
    assert!(parts.len() > 1);
    assert_eq!(whole.method, Method::Each(vec![0]));
    assert_eq!(parts.iter().map(|part| part.met).sum::<u64>(), whole.met);
    assert_eq!(
        parts.iter().map(|part| part.forbidden).sum::<u64>(),
        whole.forbidden
    );
    assert_eq!(
        parts.iter().map(|part| part.equals).sum::<u64>(),
        whole.equals
    );
    // Without wishes all are equally good, and what they change tells which come first.
    let mut best: Vec<_> = parts.iter().flat_map(|part| &part.best).collect();
    best.sort_by_key(|candidate| (candidate.change, candidate.number));
    let first = best.iter().take(5).map(|candidate| candidate.number);
    assert_eq!(first.collect::<Vec<_>>(), numbers(&whole.best));
    assert_eq!(whole.best[0].change.dials, 0, "the rules as they are");
}
