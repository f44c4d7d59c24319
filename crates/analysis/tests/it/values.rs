//! What steps are worth: the definition of flat modifiers, steps as differences of separate answers, the number behind the
//! bands of every shipped check, and the numbers that designers know.

use std::collections::BTreeMap;

use oddsmith_analysis::grading::Grading;
use oddsmith_analysis::levers::{Field, Lever, Step};
use oddsmith_analysis::value::{Reach, Spread, Summary, Values, Worth};
use oddsmith_dist::{Dist, RBig, UBig};
use oddsmith_exact::{Budget, Error, answers, distribution};
use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, Config, InputRange, Model, Query, load, shipped};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

fn ratio(numerator: i64, denominator: u64) -> RBig {
    RBig::from_parts(numerator.into(), denominator.into())
}

/// Few outcomes, with gaps.
fn dist() -> impl Strategy<Value = Dist> {
    let weights = btree_map(-6_i64..7, 1_u64..6, 1..7);
    weights.prop_map(|weights: BTreeMap<i64, u64>| {
        let weights = weights
            .into_iter()
            .map(|(x, weight)| (x, UBig::from(weight)));
        Dist::from_weights(weights).expect("weights are positive")
    })
}

/// The definition: of all whole numbers that do, the one nearest to 0; else between two neighbours.
fn modifier(dist: &Dist, threshold: i64, chance: &RBig) -> Option<RBig> {
    if *chance == RBig::ZERO || *chance == RBig::ONE {
        return None;
    }
    let reached = |x: i64| dist.at_least(threshold - x);
    let whole = (-40..40).filter(|x| reached(*x) == *chance);
    if let Some(nearest) = whole.min_by_key(|x| x.abs()) {
        return Some(RBig::from(nearest));
    }
    let mut gaps = (-40..40).filter(|x| reached(*x) < *chance && *chance < reached(x + 1));
    let low = gaps.next()?;
    let part = (chance - reached(low)) / (reached(low + 1) - reached(low));
    Some(RBig::from(low) + part)
}

proptest! {
    #[test]
    fn flat_modifiers_are_their_definition(
        dist in dist(),
        threshold in -9_i64..10,
        weight in 0_u64..25,
        at in -9_i64..10,
    ) {
        let reach = Reach::of(&dist);
        for chance in [ratio(weight.cast_signed(), 24).min(RBig::ONE), dist.at_least(at)] {
            prop_assert_eq!(reach.modifier(threshold, &chance), modifier(&dist, threshold, &chance));
        }
    }

    #[test]
    fn a_flat_modifier_is_worth_itself(dist in dist(), threshold in -9_i64..10, x in -5_i64..6) {
        let chance = dist.at_least(threshold - x);
        let found = Reach::of(&dist).modifier(threshold, &chance);
        // With gaps a smaller one may do as well.
        let is_worth = |own: RBig| own.clone().max(-own) <= RBig::from(x.abs());
        let is_sure = chance == RBig::ZERO || chance == RBig::ONE;
        prop_assert_eq!(found.clone().map(is_worth), (!is_sure).then_some(true));
    }

    #[test]
    fn what_is_typical_is_in_the_middle(numbers in vec(-20_i64..20, 1..32)) {
        let spread = Spread::of(numbers.iter().copied().map(RBig::from).collect()).expect("there are some");
        let mut sorted = numbers.clone();
        sorted.sort_unstable();
        // Where nothing changes, nothing is said of what a change is worth.
        sorted.retain(|number| *number != 0);
        prop_assert_eq!(spread.count, sorted.len());
        prop_assert_eq!(&spread.least, &RBig::from(sorted.first().copied().unwrap_or(0)));
        prop_assert_eq!(&spread.most, &RBig::from(sorted.last().copied().unwrap_or(0)));
        let middle = match sorted.len() {
            0 => RBig::ZERO,
            len => ratio(sorted[(len - 1) / 2] + sorted[len / 2], 2),
        };
        prop_assert_eq!(&spread.typical, &middle);
        let up = numbers.iter().filter(|number| **number > 0).count();
        let down = numbers.iter().filter(|number| **number < 0).count();
        let is_often = |own: usize| own > 0 && 10 * own >= up + down;
        prop_assert_eq!(spread.goes_both_ways(), is_often(up) && is_often(down));
        // Their sizes are numbers too; where all go one way their median is that of the numbers.
        let sizes = numbers.iter().map(|number| RBig::from(number.abs()));
        let sizes = Spread::of(sizes.collect()).expect("there are some");
        prop_assert_eq!(&spread.size, &sizes.typical);
        if up == 0 || down == 0 {
            prop_assert_eq!(spread.size, middle.clone().max(-middle));
        }
    }
}

/// Of a step that makes a band certain in one configuration and changes nothing in another there is no flat modifier; of
/// one that changes nothing anywhere it is 0.
#[test]
fn what_changes_nothing_is_no_flat_modifier_of_what_does() {
    let worth = |row: usize, change: i64, flat: Option<i64>| Worth {
        row,
        step: 0,
        changes: vec![Some(ratio(change, 4))],
        flats: vec![flat.map(RBig::from)],
    };
    let flat = |worths: &[Worth]| {
        let summary = Summary::of(worths, |_| true);
        summary.flats[0].as_ref().map(|flat| flat.typical.clone())
    };
    let (none, idle, some) = (
        worth(0, 1, None),
        worth(1, 0, Some(0)),
        worth(2, 1, Some(3)),
    );
    assert_eq!(flat(&[none.clone(), idle.clone()]), None);
    assert_eq!(flat(&[none, idle.clone(), some]), Some(RBig::from(3)));
    assert_eq!(flat(&[idle]), Some(RBig::ZERO));
}

const TEXT: &str = r#"
name = "Demo"
require = ["stat + boons < 4"]
[params]
cap  = { default = 2, domain = "0..=3" }
goal = { default = [7, 10], domain = "2..=14" }
[checks.check]
bands = ["Miss", "Weak", "Strong"]
axes.stat  = { default = 0, domain = "-1..=3", sweep = "-1,1,3" }
axes.boons = { default = 0, domain = "0..=5" }
axes.light = { default = "dim", domain = ["dim", "bright", "glaring"] }
rules = '''
show total = (2 + min(boons, cap))d6kh2 + stat + [0, 1, -2][light]
show Even  = total == 8
show band  = match total { < goal[0]: Miss, < goal[1]: Weak, else: Strong }
'''
"#;

fn demo() -> Model {
    load("demo.toml", TEXT.as_bytes()).unwrap_or_else(|errors| panic!("{}", errors.render(false)))
}

fn ranges(check: &Check, sweeps: &[&str]) -> Vec<InputRange> {
    let range = |sweep: &&str| check.sweep(sweep, "sweep").expect("a sweep");
    sweeps.iter().map(range).collect()
}

fn queries(check: &Check, texts: &[&str]) -> Vec<Query> {
    let mut queries = check.own_queries();
    queries.extend(
        texts
            .iter()
            .map(|text| check.query(text, "query").expect("a query")),
    );
    queries
}

fn set(check: &Check, sets: &str) -> Config {
    let mut config = check.defaults();
    for set in sets.split_whitespace() {
        check.set(&mut config, set, "set").expect("an assignment");
    }
    config
}

/// Every lever of a check, away from where it is.
fn levers(check: &Check, config: &Config, ranges: &[InputRange]) -> Vec<Lever> {
    let inputs = (0..check.inputs.len()).map(oddsmith_rules::program::InputId);
    let held = inputs.filter(|input| ranges.iter().all(|range| range.input != *input));
    let held = held.filter_map(|input| Lever::held(check, input, config, 2));
    ranges.iter().map(Lever::swept).chain(held).collect()
}

/// The chance of each band but the worst, and the other answers, of one configuration by itself; none if it is forbidden.
fn alone(check: &Check, config: &Config, queries: &[Query]) -> Option<Vec<RBig>> {
    let found = match answers(check, config, queries, &Budget::unlimited()) {
        Err(Error::Requirement { .. }) => return None,
        found => found.expect("it can be answered"),
    };
    let found: Vec<RBig> = found
        .iter()
        .map(|answer| answer.to_ratio().expect("a number"))
        .collect();
    let bands = check.band().expect("it has bands").1.labels().len();
    let reached = (1..bands).map(|band| {
        found[band..bands]
            .iter()
            .fold(RBig::ZERO, |sum, own| sum + own)
    });
    Some(reached.chain(found[bands..].iter().cloned()).collect())
}

#[test]
fn a_step_is_worth_the_difference_of_two_configurations_alone() {
    let model = demo();
    let check = &model.checks[0];
    let grading = Grading::of(check).expect("a total");
    let (budget, config) = (Budget::unlimited(), check.defaults());
    let queries = queries(check, &["mean(total)", "P(total>=12)"]);
    let ranges = ranges(check, &["boons=0..=2", "stat=-1,3,1", "light=all"]);
    for swept in [&ranges[..], &ranges[..1], &[]] {
        let field = Field::of(check, &config, swept, &queries, &budget).expect("a field");
        let values = Values::of(&field, 3, Some(&grading), &budget).expect("its distributions");
        let mut seen = 0;
        for lever in levers(check, &config, swept) {
            let line = field.line(&lever).expect("its answers");
            let worths = values.along(&line, &budget).expect("its worth");
            let mut worths = worths.iter();
            for row in 0..line.rows {
                for (at, step) in lever.steps.iter().enumerate() {
                    let [before, after] =
                        [step.from, step.to].map(|place| line.config_at(row, place));
                    let [old, new] = [&before, &after].map(|config| alone(check, config, &queries));
                    let (Some(old), Some(new)) = (old, new) else {
                        continue;
                    };
                    let worth = worths.next().expect("both are allowed");
                    assert_eq!((worth.row, worth.step), (row, at));
                    let changes = new.iter().zip(&old).map(|(new, old)| Some(new - old));
                    assert_eq!(worth.changes, changes.collect::<Vec<_>>());
                    let total =
                        distribution(check, &before, &grading.number, &budget).expect("a total");
                    let flats = [0, 1].map(|band| {
                        let goal = check.input(&format!("goal[{band}]")).expect("a goal");
                        let goal = before[goal];
                        modifier(&total, goal, &new[band])
                    });
                    assert_eq!(worth.flats, flats, "{}", check.describe(&before));
                    seen += 1;
                }
            }
            assert_eq!(worths.next(), None);
        }
        assert!(seen > 10);
    }
}

#[test]
fn the_way_back_takes_what_the_way_there_gives() {
    let model = demo();
    let check = &model.checks[0];
    let (budget, config) = (Budget::unlimited(), set(check, "boons=1"));
    let queries = queries(check, &["mean(total)"]);
    let field = Field::of(check, &config, &[], &queries, &budget).expect("a field");
    let values = Values::of(&field, 3, None, &budget).expect("nothing to prepare");
    for lever in levers(check, &config, &[]) {
        let back = Lever {
            steps: lever
                .steps
                .iter()
                .map(|step| Step {
                    from: step.to,
                    to: step.from,
                })
                .collect(),
            ..lever.clone()
        };
        let worths = |lever: &Lever| -> Vec<Worth> {
            let line = field.line(lever).expect("its answers");
            values.along(&line, &budget).expect("its worth")
        };
        for (there, back) in worths(&lever).iter().zip(worths(&back)) {
            let negative = there
                .changes
                .iter()
                .map(|change| change.clone().map(|own| -own));
            assert_eq!(back.changes, negative.collect::<Vec<_>>());
        }
    }
}

#[test]
fn steps_lead_away_from_where_a_lever_is() {
    let model = demo();
    let check = &model.checks[0];
    let lever = |name: &str, sets: &str| {
        let config = set(check, sets);
        let lever = Lever::held(check, check.input(name).expect("an input"), &config, 2);
        let lever = lever.expect("it can be moved");
        let value = |place: usize| lever.values[place];
        let steps = lever
            .steps
            .iter()
            .map(|step| (value(step.from), value(step.to)));
        steps.collect::<Vec<_>>()
    };
    // Along the sweep of the ruleset where the value is in it, else along the domain.
    assert_eq!(lever("stat", "stat=1"), [(1, 3), (1, -1)]);
    assert_eq!(lever("stat", "stat=0"), [(0, 1), (1, 2), (0, -1)]);
    assert_eq!(lever("boons", ""), [(0, 1), (1, 2)]);
    assert_eq!(lever("cap", "cap=3"), [(3, 2), (2, 1)]);
    assert_eq!(lever("light", "light=bright"), [(1, 0), (1, 2)]);
}

/// For each shipped check the number behind its bands, and whether it is shown.
#[test]
fn the_number_behind_the_bands_is_found() {
    let mut found = Vec::new();
    for (game, text) in shipped() {
        let model = load(game, text.as_bytes()).expect("it ships");
        for check in model.checks.iter().chain(&model.tracks) {
            if let Some(grading) = Grading::of(check) {
                let shown = if grading.is_shown { "" } else { " (hidden)" };
                found.push(format!(
                    "{game}:{} {}{shown}",
                    check.name, grading.number.name
                ));
            }
        }
    }
    assert_eq!(
        found,
        [
            "stars-and-signs:check total",
            "stars-and-signs:test difficulty (hidden)",
            "stars-and-signs:cooperation total",
            "action-checks:check result",
            "action-checks:declared result",
        ]
    );
}

/// Where a band begins, it is as likely as the number is to be there or beyond.
#[test]
fn thresholds_say_how_often_bands_are_reached() {
    for (game, text) in shipped() {
        let model = load(game, text.as_bytes()).expect("it ships");
        for check in &model.checks {
            let Some(grading) = Grading::of(check) else {
                continue;
            };
            let shown = grading.show(check);
            let queries = check.own_queries();
            for config in spread(check) {
                let Some(reached) = alone(check, &config, &queries) else {
                    continue;
                };
                let number = distribution(&shown, &config, &grading.number, &Budget::unlimited());
                let number = number.expect("it is rolled");
                let bounds = (number.min(), number.max());
                let thresholds = grading
                    .thresholds(check, &config, bounds)
                    .expect("thresholds");
                for (threshold, reached) in thresholds.at.iter().zip(reached) {
                    let chance = match (*threshold, thresholds.rises) {
                        (Some(threshold), true) => number.at_least(threshold),
                        (Some(threshold), false) => RBig::ONE - number.at_least(threshold + 1),
                        // Always or never.
                        (None, _) => reached.clone().max(RBig::ZERO).min(RBig::ONE),
                    };
                    assert_eq!(
                        chance,
                        reached,
                        "{game}:{} {}",
                        check.name,
                        check.describe(&config)
                    );
                    let is_sure = reached == RBig::ZERO || reached == RBig::ONE;
                    assert!(threshold.is_some() || is_sure);
                }
            }
        }
    }
}

/// The defaults, and every input at each end of its domain.
fn spread(check: &Check) -> Vec<Config> {
    let mut configs = vec![check.defaults()];
    for (at, input) in check.inputs.iter().enumerate() {
        let (low, high) = input.domain.bounds();
        for value in [low, high] {
            let mut config = check.defaults();
            config.put(InputId(at), value.clamp(-12, 12).clamp(low, high));
            configs.push(config);
        }
    }
    configs
}

/// To two digits, as they stand in print.
fn printed(number: &RBig) -> String {
    let hundred = number * RBig::from(100);
    let half = ratio(1, 2);
    let size = hundred.clone().max(-hundred.clone());
    let whole = (size + half).floor();
    let sign = if hundred < RBig::ZERO { "-" } else { "+" };
    let digits = format!("{:0>3}", whole.to_string());
    format!(
        "{sign}{}.{}",
        &digits[..digits.len() - 2],
        &digits[digits.len() - 2..]
    )
}

/// The steps of a lever of Stars & Signs: for each the mean, then the flat modifiers at 10, 15 and 20.
fn stars(sets: &str, lever: &str) -> Vec<(RBig, Vec<String>)> {
    let (game, text) = shipped()[0];
    let model = load(game, text.as_bytes()).expect("it ships");
    let check = &model.checks[0];
    let grading = Grading::of(check).expect("a total");
    let (budget, config) = (Budget::unlimited(), set(check, sets));
    let queries = queries(check, &["mean(total)"]);
    let field = Field::of(check, &config, &[], &queries, &budget).expect("a field");
    let values = Values::of(&field, 4, Some(&grading), &budget).expect("its distribution");
    let input = check.input(lever).expect("an input");
    let lever = Lever::held(check, input, &config, 5).expect("it can be moved");
    let line = field.line(&lever).expect("its answers");
    let worths = values.along(&line, &budget).expect("its worth").into_iter();
    let worths = worths.map(|worth| {
        let flats = worth
            .flats
            .iter()
            .map(|flat| flat.as_ref().map_or("-".to_owned(), printed));
        (worth.changes[3].clone().expect("a mean"), flats.collect())
    });
    worths.collect()
}

#[test]
fn boons_and_banes_on_a_d8_with_two_points_of_skill() {
    let d8 = "ability_rank=6 skill_rank=3";
    let circumstance = stars(d8, "circ_boons");
    assert_eq!(circumstance[0].1, ["+2.32", "+2.81", "+2.74"]);
    let means: Vec<RBig> = circumstance.iter().map(|(mean, _)| mean.clone()).collect();
    // E[C] is 11, 13.475, 14.967, 15.958, 16.664 and 17.191; Banes are the mirror image.
    let sum = |steps: &[RBig]| steps.iter().fold(RBig::from(11), |sum, step| sum + step);
    let expected = ["13.47", "14.97", "15.96", "16.66", "17.19"];
    for (steps, expected) in expected.iter().enumerate().skip(1) {
        assert_eq!(printed(&sum(&means[..=steps])), format!("+{expected}"));
    }
    assert_eq!(means[0], ratio(99, 40));
    assert_eq!(circumstance[5].1, ["-1.91", "-2.65", "-2.83"]);
    for step in 0..5 {
        assert_eq!(means[5 + step], -&means[step]);
    }
    let ability = stars(d8, "ability_boons");
    assert_eq!(ability[0].1, ["+1.69", "+1.49", "+1.32"]);
    assert_eq!(ability[0].0, ratio(21, 16));
    assert_eq!(stars(d8, "flat")[0].1, ["+1.00", "+1.00", "+1.00"]);
}

#[test]
fn an_asset_of_four_on_a_d6_is_better_as_a_bonus() {
    let asset = stars("asset_quality=4", "asset_mode");
    assert_eq!(asset[0].1, ["+4.00", "+4.00", "+4.00"]);
    assert_eq!((&asset[0].0, &asset[1].0), (&RBig::from(4), &RBig::from(2)));
    // On the null die the d10 is better than the bonus, on average.
    let asset = stars("asset_quality=4 ability_rank=1", "asset_mode");
    assert_eq!((&asset[0].0, &asset[1].0), (&RBig::from(4), &ratio(11, 2)));
}

#[test]
fn bands_that_are_no_thresholds_have_none() {
    let of = |rules: &str| {
        let text = format!(
            "name = \"Demo\"\n[checks.check]\nbands = [\"Miss\", \"Hit\"]\naxes.edge = {{ default = 4, domain = \"1..=9\" }}\nrules = '''\n{rules}\n'''\n"
        );
        let model = load("demo.toml", text.as_bytes())
            .unwrap_or_else(|errors| panic!("{}", errors.render(false)));
        let check = &model.checks[0];
        let grading = Grading::of(check)?;
        let thresholds = grading.thresholds(check, &check.defaults(), (2, 12))?;
        Some((grading.number.name, thresholds.rises, thresholds.at[0]))
    };
    let total = |rises, at| Some(("total".to_owned(), rises, at));
    let rule = |band: &str| of(&format!("show total = 2d6\nshow band = {band}"));
    assert_eq!(
        rule("if total > edge then Hit else Miss"),
        total(true, Some(5))
    );
    assert_eq!(
        rule("if total <= edge then Hit else Miss"),
        total(false, Some(4))
    );
    assert_eq!(
        rule("if 2 * total - 3 >= edge then Hit else Miss"),
        total(true, Some(4))
    );
    // In the middle, another roll, always, and far away.
    assert_eq!(rule("match total { 5..=8: Hit, else: Miss }"), None);
    assert_eq!(rule("if total + 1d6 > edge then Hit else Miss"), None);
    assert_eq!(
        rule("if total * total >= 0 then Hit else Miss"),
        total(true, None)
    );
    assert_eq!(
        rule("if total > 5000 then Hit else Miss"),
        total(true, None)
    );
    // A pool and a truth value are no numbers; another name of the total is, and so is what is not shown.
    assert_eq!(
        of(
            "let pool = 3d6\nshow band = if highest(pool) > edge and lowest(pool) > 1 then Hit else Miss"
        ),
        None
    );
    assert_eq!(
        of("let good = 1d6 > edge\nshow band = if good then Hit else Miss"),
        None
    );
    assert_eq!(
        of(
            "let rolled = 2d6\nshow total = rolled\nshow band = if rolled > edge then Hit else Miss"
        ),
        total(true, Some(5))
    );
    // Of pools only the sum is a number.
    assert_eq!(
        of("let inner = 2d6 + 1\nshow band = if inner > edge then Hit else Miss"),
        Some(("inner".to_owned(), true, Some(5)))
    );
    assert_eq!(
        of(
            "let inner = 2d6\nshow band = if inner > edge and highest(inner) > 1 then Hit else Miss"
        ),
        None
    );
    assert_eq!(
        of("let inner = 2d6\nshow band = if inner > edge then Hit else Miss"),
        Some(("inner".to_owned(), true, Some(5)))
    );
    // What is changed later is no single number.
    assert_eq!(
        of("let x = 1d6 + 0\nset x = x + 1\nshow band = if x > edge then Hit else Miss"),
        None
    );
}

/// A number that is not shown can be asked about once it is, and all else stays what it was.
#[test]
fn a_hidden_number_can_be_shown() {
    let text = TEXT
        .replace(
            "show total = (2 + min(boons, cap))d6kh2 + stat + [0, 1, -2][light]",
            "let total = 2d6",
        )
        .replace("show Even  = total == 8\n", "");
    let model = load("demo.toml", text.as_bytes())
        .unwrap_or_else(|errors| panic!("{}", errors.render(false)));
    let check = &model.checks[0];
    let grading = Grading::of(check).expect("a sum of dice");
    assert!(!grading.is_shown);
    let shown = grading.show(check);
    let (config, budget) = (check.defaults(), Budget::unlimited());
    let total = distribution(&shown, &config, &grading.number, &budget).expect("it is rolled");
    assert_eq!(
        (total.min(), total.max(), total.weight(7)),
        (2, 12, UBig::from(6_u8))
    );
    let ask =
        |check: &Check| answers(check, &config, &check.own_queries(), &budget).expect("bands");
    assert_eq!(ask(check), ask(&shown));
}
