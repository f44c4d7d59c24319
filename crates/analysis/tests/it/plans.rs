//! Plans against game trees: every roll and every choice of a whole scene, one after the other, with nothing merged.

use std::collections::BTreeMap;

use oddsmith_analysis::plan::{Error, Manner, Scene, ScenePlan, State, plan};
use oddsmith_exact::{Budget, RBig};
use oddsmith_rules::{Check, Known, Model, ResourceRequest, Spending, load, shipped};
use proptest::prelude::*;

fn ratio(numerator: i64, denominator: u64) -> RBig {
    RBig::from_parts(numerator.into(), denominator.into())
}

fn whole(number: usize) -> i64 {
    i64::try_from(number).expect("a small number")
}

/// A die that may be rolled again for a price, points that may be added to it, and bands.
#[derive(Clone, Debug)]
struct Gamble {
    /// Sides of the die of each check.
    sides: Vec<i64>,
    /// What rolling again costs.
    price: i64,
    /// The most points that may be added in one check, beside that.
    cap: i64,
    /// What comes back where the first die shows its highest face.
    gift: i64,
    /// Totals from which it is a Hit, and a Feat.
    thresholds: [i64; 2],
    /// What Miss, Hit and Feat are worth, in sixths.
    worth: [i64; 3],
    pool: u32,
}

fn gamble() -> impl Strategy<Value = Gamble> {
    let sides = prop::collection::vec(2_i64..=4, 1..=3);
    let worth = [-3_i64..=3, 0_i64..=9, 0_i64..=12];
    (
        sides,
        1_i64..=2,
        (0_i64..=2, 0_i64..=3),
        (2_i64..=4, 1_i64..=2),
        worth,
        0_u32..=4,
    )
        .prop_map(
            |(sides, price, (cap, gift), (hit, more), worth, pool)| Gamble {
                sides,
                price,
                cap,
                gift,
                thresholds: [hit, hit + more],
                worth,
                pool,
            },
        )
}

impl Gamble {
    fn model(&self) -> Model {
        let Self {
            price,
            cap,
            gift,
            thresholds: [hit, feat],
            ..
        } = self;
        let text = format!(
            r#"name = "Gamble"
[checks.throw]
bands    = ["Miss", "Hit", "Feat"]
maximise = "0"
axes.sides = {{ default = 2, domain = "2..=4" }}
axes.luck  = {{ default = 0, domain = "0..={cap}" }}
axes.way   = {{ default = "best", domain = ["none", "next", "best"] }}
rules = """
let first = 1d(sides)
choose again in 0..=(if way == best then 1 else 0)
let die   = if again == 1 then 1d(sides) else first
let goal  = if die < {hit} then {hit} else {feat}
let lift  = if way == next and die < goal and goal - die <= luck then goal - die else 0
choose add in 0..=(if way == best then luck else 0)
show spent = {price} * again + lift + add - {gift} * (first == sides)
show total = die + lift + add
show band  = match total {{ < {hit}: Miss, < {feat}: Hit, else: Feat }}
"""
"#
        );
        load("gamble.toml", text.as_bytes()).unwrap_or_else(|e| panic!("{}", e.render(false)))
    }

    fn spending(&self, check: &Check) -> Spending {
        let [miss, hit, feat] = self.worth;
        let request = ResourceRequest {
            axis: "luck".to_owned(),
            spent: Some("spent".to_owned()),
            policy: Some("way=best".to_owned()),
            utility: Some(format!("Miss={miss}/6, Hit={hit}/6, Feat={feat}/6")),
        };
        check.spending(&[request]).expect("it can be spent")
    }

    fn scene(&self, check: &Check) -> Scene {
        let config = |sides: &i64| {
            let mut config = check.defaults();
            let set = check.set(&mut config, &format!("sides={sides}"), "test");
            set.expect("a die");
            config
        };
        Scene {
            checks: self.sides.iter().map(config).collect(),
            pool: vec![self.pool],
        }
    }

    fn plan(&self) -> ScenePlan {
        let model = self.model();
        let spending = self.spending(&model.checks[0]);
        let scene = self.scene(&model.checks[0]);
        plan(&spending, &scene, &Budget::unlimited()).expect("a plan")
    }

    /// What the rest of a scene is worth from this total on; no more points are left than there were before the check, or at
    /// the beginning of the scene.
    fn after(&self, check: usize, total: i64, (before, left): (i64, i64)) -> RBig {
        let reached = self.thresholds.iter().filter(|least| total >= **least);
        let left = left.min(before.max(i64::from(self.pool)));
        ratio(self.worth[reached.count()], 6) + self.worth(check + 1, left)
    }

    /// The greatest over all numbers of points that may be added to a die, if `left` are left of those before the check.
    fn added(&self, check: usize, die: i64, (before, left): (i64, i64)) -> RBig {
        // What the axis allows is set before the check.
        let most = self.cap.min(before);
        let worth = |points| self.after(check, die + points, (before, left - points));
        (0..=left.min(most)).map(worth).max().expect("0 at least")
    }

    /// What the rest of a scene is worth from a check on, tried out in every way.
    fn worth(&self, check: usize, left: i64) -> RBig {
        let Some(&sides) = self.sides.get(check) else {
            return RBig::ZERO;
        };
        let chance = ratio(1, sides.unsigned_abs());
        let mut mean = RBig::ZERO;
        for first in 1..=sides {
            // What comes back may pay for the same check.
            let open = left + if first == sides { self.gift } else { 0 };
            let mut best = self.added(check, first, (left, open));
            if self.price <= open {
                let again = (1..=sides).fold(RBig::ZERO, |sum, die| {
                    sum + &chance * self.added(check, die, (left, open - self.price))
                });
                best = best.max(again);
            }
            mean += &chance * best;
        }
        mean
    }
}

fn state(plan: &ScenePlan, turn: usize, left: usize) -> &State {
    plan.turns[turn].states[left]
        .as_ref()
        .expect("it can be played")
}

/// What must hold of every plan for bands with these worths.
fn obeys_the_laws(plan: &ScenePlan, worth: &[RBig]) -> Result<(), String> {
    let best = plan.ways.last().and_then(|way| way.result.as_ref());
    let best = &best.expect("it can be played").value;
    for way in &plan.ways {
        let Some(tally) = &way.result else {
            continue;
        };
        // Forward the bands are counted, backward the worth was found.
        let bands = tally.bands.iter().zip(worth);
        let counted = bands.fold(RBig::ZERO, |sum, (mean, worth)| sum + mean * worth);
        if counted != tally.value {
            return Err(format!("{:?}: {counted}, not {}", way.manner, tally.value));
        }
        if tally.value > *best {
            return Err(format!("{:?} is better than the plan", way.manner));
        }
    }
    for turn in &plan.turns {
        let reached = turn.states.iter().flatten();
        let reached = reached.fold(RBig::ZERO, |sum, state| sum + &state.probability);
        if reached != RBig::ONE {
            return Err(format!("{} checks left: {reached}", turn.left));
        }
        for pair in turn.states.windows(2) {
            let [Some(less), Some(more)] = pair else {
                continue;
            };
            let gain = &more.value - &less.value;
            if less.more != [Some(gain.clone())] || gain < RBig::ZERO {
                return Err(format!("a point more is worth {gain}"));
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_plan_is_its_game_tree(gamble in gamble()) {
        let found = gamble.plan();
        for turn in 0..gamble.sides.len() {
            for left in 0..=gamble.pool as usize {
                let expected = gamble.worth(turn, whole(left));
                prop_assert_eq!(&state(&found, turn, left).value, &expected, "{} {}", turn, left);
            }
        }
        let worth: Vec<RBig> = gamble.worth.iter().map(|sixths| ratio(*sixths, 6)).collect();
        prop_assert_eq!(obeys_the_laws(&found, &worth), Ok(()));
    }
}

/// A die to which points of two resources are added: of luck once it is known, of might before it is rolled or then, too.
#[derive(Clone, Debug)]
struct TwoPools {
    sides: Vec<i64>,
    /// Whether might is chosen once the die is known.
    is_late: bool,
    /// The most points of each in one check.
    caps: [i64; 2],
    /// What a point of luck costs, and how much of it the highest face gives back.
    price: i64,
    gift: i64,
    thresholds: [i64; 2],
    worth: [i64; 3],
    pool: [u32; 2],
}

fn two_pools() -> impl Strategy<Value = TwoPools> {
    let sides = prop::collection::vec(2_i64..=4, 1..=2);
    let worth = [-3_i64..=3, 0_i64..=9, 0_i64..=12];
    let rules = (any::<bool>(), [0_i64..=2, 0_i64..=2], 1_i64..=2, 0_i64..=2);
    let goals = (2_i64..=5, 1_i64..=2);
    (sides, rules, goals, worth, [0_u32..=3, 0_u32..=3]).prop_map(
        |(sides, (is_late, caps, price, gift), (hit, more), worth, pool)| TwoPools {
            sides,
            is_late,
            caps,
            price,
            gift,
            thresholds: [hit, hit + more],
            worth,
            pool,
        },
    )
}

impl TwoPools {
    fn plan(&self) -> ScenePlan {
        let Self {
            caps: [luck, might],
            price,
            gift,
            thresholds: [hit, feat],
            worth: [miss, some, most],
            ..
        } = self;
        let added = match self.is_late {
            true => "choose lift in 0..=might",
            false => "let lift = might",
        };
        let text = format!(
            r#"name = "Two pools"
[checks.throw]
bands    = ["Miss", "Hit", "Feat"]
maximise = "0"
axes.sides = {{ default = 2, domain = "2..=4" }}
axes.luck  = {{ default = 0, domain = "0..={luck}" }}
axes.might = {{ default = 0, domain = "0..={might}" }}
rules = """
let die = 1d(sides)
choose add in 0..=luck
{added}
show paid = {price} * add - {gift} * (die == sides)
show used = lift
show total = die + lift + add
show band  = match total {{ < {hit}: Miss, < {feat}: Hit, else: Feat }}
"""
"#
        );
        let model =
            load("pools.toml", text.as_bytes()).unwrap_or_else(|e| panic!("{}", e.render(false)));
        let check = &model.checks[0];
        let request = |axis: &str, spent: Option<&str>| ResourceRequest {
            axis: axis.to_owned(),
            spent: spent.map(str::to_owned),
            policy: None,
            utility: Some(format!("Miss={miss}/6, Hit={some}/6, Feat={most}/6")),
        };
        let might = request("might", self.is_late.then_some("used"));
        let spending = check.spending(&[request("luck", Some("paid")), might]);
        let config = |sides: &i64| {
            let mut config = check.defaults();
            let set = check.set(&mut config, &format!("sides={sides}"), "test");
            set.expect("a die");
            config
        };
        let scene = Scene {
            checks: self.sides.iter().map(config).collect(),
            pool: self.pool.to_vec(),
        };
        plan(
            &spending.expect("both can be spent"),
            &scene,
            &Budget::unlimited(),
        )
        .expect("a plan")
    }

    /// The same with other points at the beginning.
    fn with_pool(&self, pool: [i64; 2]) -> Self {
        Self {
            pool: pool.map(|points| u32::try_from(points).expect("a few points")),
            ..self.clone()
        }
    }

    /// What the rest of a scene is worth if so much might is added to a die, and the best number of points of luck.
    fn lifted(
        &self,
        check: usize,
        (die, lift): (i64, i64),
        [luck, might]: [i64; 2],
    ) -> Option<RBig> {
        let back = self.gift * i64::from(die == self.sides[check]);
        let worth = |add: i64| {
            let paid = self.price * add - back;
            let left = (luck - paid).min(luck.max(i64::from(self.pool[0])));
            let reached = { self.thresholds.iter() }.filter(|least| die + lift + add >= **least);
            let own = ratio(self.worth[reached.count()], 6);
            (paid <= luck).then(|| own + self.worth(check + 1, [left, might - lift]))
        };
        (0..=luck.min(self.caps[0])).filter_map(worth).max()
    }

    /// What the rest of a scene is worth from a check on, tried out in every way.
    fn worth(&self, check: usize, left: [i64; 2]) -> RBig {
        let Some(&sides) = self.sides.get(check) else {
            return RBig::ZERO;
        };
        let chance = ratio(1, sides.unsigned_abs());
        let lifts = || 0..=left[1].min(self.caps[1]);
        let with = |die: i64, lift: i64| {
            self.lifted(check, (die, lift), left)
                .expect("nothing is free")
        };
        let mean = |of: &dyn Fn(i64) -> RBig| {
            (1..=sides).fold(RBig::ZERO, |sum, die| sum + &chance * of(die))
        };
        match self.is_late {
            true => mean(&|die| {
                lifts()
                    .map(|lift| with(die, lift))
                    .max()
                    .expect("none at least")
            }),
            false => {
                { lifts().map(|lift| mean(&|die| with(die, lift))).max() }.expect("none at least")
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_plan_of_two_resources_is_its_game_tree(pools in two_pools()) {
        let found = pools.plan();
        let [luck, might] = pools.pool.map(i64::from);
        for (turn, own) in found.turns.iter().enumerate() {
            let mut states = own.states.iter().map(|state| state.as_ref().expect("it can be played"));
            for left in (0..=luck).flat_map(|luck| (0..=might).map(move |might| [luck, might])) {
                let state = states.next().expect("a state for all points");
                prop_assert_eq!(&state.left, &left.to_vec());
                prop_assert_eq!(&state.value, &pools.worth(turn, left), "{} {:?}", turn, left);
                let more = [[left[0] + 1, left[1]], [left[0], left[1] + 1]];
                for (more, known) in more.into_iter().zip(&state.more) {
                    // With more than there were the scene began with one more, which what comes back may fill up to.
                    let pool = [luck.max(more[0]), might.max(more[1])];
                    let worth = pools.with_pool(pool).worth(turn, more);
                    prop_assert_eq!(known.as_ref(), Some(&(worth - &state.value)), "{} {:?}", turn, more);
                }
            }
            prop_assert!(states.next().is_none());
        }
        let best = found.ways.last().and_then(|way| way.result.clone()).expect("it can be played");
        for way in &found.ways {
            let Some(tally) = &way.result else { continue };
            let bands = tally.bands.iter().zip(pools.worth);
            let counted = bands.fold(RBig::ZERO, |sum, (mean, worth)| sum + mean * ratio(worth, 6));
            prop_assert_eq!(&counted, &tally.value, "{:?}", way.manner);
            prop_assert!(tally.value <= best.value, "{:?}", way.manner);
            // A scene that begins without a resource.
            if let Manner::Without(at) = way.manner {
                let mut left = [luck, might];
                left[at] = 0;
                prop_assert_eq!(&tally.value, &pools.with_pool(left).worth(0, left));
                prop_assert_eq!(&tally.spent[at], &RBig::ZERO);
            }
        }
    }
}

fn game(name: &str) -> Model {
    let file = shipped().iter().find(|(known, _)| *known == name);
    let (name, text) = file.expect("it ships");
    load(name, text.as_bytes()).expect("it is sound")
}

/// The plan for several checks of a shipped game, by its own resource.
fn shipped_plan(model: &Model, sets: &[&str], (checks, pool): (usize, u32)) -> ScenePlan {
    let check = &model.checks[0];
    let spending = check
        .spending(std::slice::from_ref(&model.resources[0].request))
        .expect("its own");
    let mut config = check.defaults();
    for set in sets {
        check.set(&mut config, set, "test").expect("legal");
    }
    let scene = Scene {
        checks: vec![config; checks],
        pool: vec![pool],
    };
    plan(&spending, &scene, &Budget::unlimited()).expect("a plan")
}

/// 2d10 + 1d6 by their sum.
fn raw_rolls() -> BTreeMap<i64, RBig> {
    let mut rolls = BTreeMap::new();
    for (a, b) in (1..=10).flat_map(|a| (1..=10).map(move |b| (a, b))) {
        for c in 1..=6 {
            *rolls.entry(a + b + c).or_insert(RBig::ZERO) += ratio(1, 600);
        }
    }
    rolls
}

/// What a total of Stars & Signs is worth by `band_value`.
fn band_worth(total: i64) -> RBig {
    RBig::from(2 * [10, 15, 20].iter().filter(|least| total >= **least).count())
}

fn effort_tree(rolls: &BTreeMap<i64, RBig>, checks: usize, left: i64) -> RBig {
    if checks == 0 {
        return RBig::ZERO;
    }
    let later: Vec<RBig> = (0..=left)
        .map(|left| effort_tree(rolls, checks - 1, left))
        .collect();
    rolls.iter().fold(RBig::ZERO, |sum, (raw, chance)| {
        let worth = |points: i64| {
            let rest = usize::try_from(left - points).expect("not more than there is");
            band_worth(raw + points) + &later[rest]
        };
        sum + chance * (0..=left.min(5)).map(worth).max().expect("0 at least")
    })
}

#[test]
fn effort_is_spent_as_the_game_tree_says() {
    let (model, rolls) = (game("stars-and-signs"), raw_rolls());
    let found = shipped_plan(&model, &[], (3, 7));
    for (turn, left) in (0..3).flat_map(|turn| (0..=7).map(move |left| (turn, left))) {
        let expected = effort_tree(&rolls, 3 - turn, whole(left));
        assert_eq!(state(&found, turn, left).value, expected, "{turn} {left}");
    }
    let worth: Vec<RBig> = [0, 2, 4, 6].map(RBig::from).to_vec();
    assert_eq!(obeys_the_laws(&found, &worth), Ok(()));
}

/// What a scene is worth that is played by the tables of a plan, in which a choice knows one number.
fn by_the_table(found: &ScenePlan, rolls: &BTreeMap<i64, RBig>, turn: usize, left: usize) -> RBig {
    if turn == found.turns.len() {
        return RBig::ZERO;
    }
    let decisions = &state(found, turn, left).decisions;
    rolls.iter().fold(RBig::ZERO, |sum, (raw, chance)| {
        let rows = decisions.iter().flat_map(|decision| &decision.rows);
        let row = rows
            .into_iter()
            .find(|row| row.seen == [Known::Number(*raw)]);
        let points = match row.map(|row| &row.chosen) {
            Some(Known::Number(points)) => *points,
            _ => 0,
        };
        let rest = left - usize::try_from(points).expect("not below 0");
        sum + chance * (band_worth(raw + points) + by_the_table(found, rolls, turn + 1, rest))
    })
}

#[test]
fn a_plan_is_worth_what_its_own_table_is() {
    let found = shipped_plan(&game("stars-and-signs"), &[], (3, 4));
    let played = by_the_table(&found, &raw_rolls(), 0, 4);
    assert_eq!(state(&found, 0, 4).value, played);
}

/// A Test of Action Primer at target number 5, with one re-roll: 10 for a success, whatever it takes.
fn karma_tree(checks: usize, left: i64) -> RBig {
    if checks == 0 {
        return RBig::ZERO;
    }
    let settle = |die: i64, left: i64| {
        let fail = karma_tree(checks - 1, left);
        if die <= 5 {
            return fail + RBig::from(10);
        }
        let gap = die - 5;
        match gap <= left {
            true => (karma_tree(checks - 1, left - gap) + RBig::from(10)).max(fail),
            false => fail,
        }
    };
    let mean = |left: i64| {
        (1..=10).fold(RBig::ZERO, |sum, die| {
            sum + settle(die, left) * ratio(1, 10)
        })
    };
    let again = (left >= 2).then(|| mean(left - 2));
    let best = |die| match &again {
        Some(again) => settle(die, left).max(again.clone()),
        None => settle(die, left),
    };
    (1..=10).fold(RBig::ZERO, |sum, die| sum + best(die) * ratio(1, 10))
}

#[test]
fn karma_pays_for_two_kinds_of_choice() {
    let model = game("action-primer");
    let found = shipped_plan(&model, &["skill=1", "rerolls=1"], (2, 4));
    for (turn, left) in (0..2).flat_map(|turn| (0..=4).map(move |left| (turn, left))) {
        let expected = karma_tree(2 - turn, whole(left));
        assert_eq!(state(&found, turn, left).value, expected, "{turn} {left}");
    }
    for pool in 0..=9 {
        let found = shipped_plan(&model, &["skill=1", "rerolls=1"], (2, pool));
        let rescue = found
            .ways
            .iter()
            .find(|way| way.manner == Manner::Named(0, 0));
        let rescue = rescue.and_then(|way| way.result.as_ref());
        let value = &rescue.expect("it can be played").value;
        assert_eq!(*value, rescue_tree(2, i64::from(pool)), "{pool}");
    }
}

/// The same by the policy that re-rolls every failure and then buys what is missing: with the points that are left, if
/// they are enough to pay for whatever comes, else without any.
fn rescue_tree(checks: usize, left: i64) -> RBig {
    if checks == 0 {
        return RBig::ZERO;
    }
    let later = |spent: i64| rescue_tree(checks - 1, left - spent);
    let made = |spent: i64| later(spent) + RBig::from(10);
    if left < 2 {
        return (made(0) + later(0)) * ratio(1, 2);
    }
    let again = (1..=10).fold(RBig::ZERO, |sum, die: i64| {
        let gap = (die - 5).max(0);
        let end = if gap <= left - 2 {
            made(2 + gap)
        } else {
            later(2)
        };
        sum + end * ratio(1, 10)
    });
    (made(0) + again) * ratio(1, 2)
}

const LUCK: &str = r#"name = "Luck"
[checks.check]
bands   = ["Miss", "Hit"]
require = ["luck <= most"]
axes.luck = { default = 0, domain = "0..=5" }
axes.most = { default = 5, domain = "0..=5" }
rules = """
show total = 1d6 + luck
show back  = -1
show twice = 2 * luck + 1
show band  = if total >= 6 then Hit else Miss
"""
"#;

fn luck(spent: Option<&str>, most: i64, pool: u32) -> Result<ScenePlan, Error> {
    let model = load("luck.toml", LUCK.as_bytes()).expect("it is sound");
    let check = &model.checks[0];
    let request = ResourceRequest {
        axis: "luck".to_owned(),
        spent: spent.map(str::to_owned),
        ..ResourceRequest::default()
    };
    let spending = check.spending(&[request]).expect("it can be spent");
    let mut config = check.defaults();
    let set = check.set(&mut config, &format!("most={most}"), "test");
    set.expect("legal");
    let scene = Scene {
        checks: vec![config; 2],
        pool: vec![pool],
    };
    plan(&spending, &scene, &Budget::unlimited())
}

#[test]
fn points_that_are_set_before_the_roll() {
    let found = luck(None, 5, 3).expect("a plan");
    assert!(found.allowances[0].is_before);
    let always = found
        .ways
        .iter()
        .find(|way| way.manner == Manner::Always(0));
    let always = always
        .and_then(|way| way.result.clone())
        .expect("it can be played");
    // Three points at once, and none for the second check; the plan gets no more from them.
    assert_eq!(
        (always.value, always.spent),
        (ratio(5, 6), vec![RBig::from(3)])
    );
    assert_eq!(state(&found, 0, 3).value, ratio(5, 6));
    assert_eq!(obeys_the_laws(&found, &[RBig::ZERO, RBig::ONE]), Ok(()));
    // A point of luck beyond the requirement can't be spent.
    let limited = luck(None, 1, 3).expect("a plan");
    assert_eq!(state(&limited, 0, 3).value, ratio(4, 6));
    assert_eq!(state(&limited, 0, 2).more, [Some(RBig::ZERO)]);
}

#[test]
fn what_can_not_be_paid_is_refused() {
    // What is given back is of no use where nothing is paid for.
    let given = luck(Some("back"), 5, 2).expect("a plan");
    assert_eq!(state(&given, 0, 2).value, ratio(6, 6));
    // Even without luck a check costs a point: two of them can't be paid with one.
    assert_eq!(luck(Some("twice"), 5, 1), Err(Error::Unaffordable));
    let paid = luck(Some("twice"), 5, 2).expect("a plan");
    assert_eq!(state(&paid, 0, 2).value, ratio(2, 6));
    assert_eq!(paid.turns[0].states[1], None);
}

/// Points make a Hit likelier; an opponent makes them dearer, or the Hit harder.
const HAGGLE: &str = r#"
name = "Haggle"
[checks.check]
bands    = ["Miss", "Hit"]
maximise = "band == Hit"
axes.luck = { default = 0, domain = "0..=2" }
rules = """
let roll = 1d4
choose more in 0..=luck
oppose dear in 0..=1
show paid = if more > 0 then more + dear else 0
show band = if roll + 2 * more + dear >= 5 then Hit else Miss
"""
"#;

fn haggle_tree(checks: usize, left: i64) -> RBig {
    if checks == 0 {
        return RBig::ZERO;
    }
    let worth = |roll: i64, more: i64, dear: i64| {
        let paid = if more > 0 { more + dear } else { 0 };
        let hit = RBig::from(u8::from(roll + 2 * more + dear >= 5));
        (paid <= left).then(|| hit + haggle_tree(checks - 1, left - paid))
    };
    (1..=4).fold(RBig::ZERO, |sum, roll| {
        let least = |more| {
            [0, 1]
                .iter()
                .filter_map(|dear| worth(roll, more, *dear))
                .min()
        };
        let most = (0..=left.min(2)).filter_map(least).max();
        sum + most.expect("nothing can be paid") * ratio(1, 4)
    })
}

#[test]
fn an_opponent_chooses_against_the_whole_scene() {
    let model = load("haggle.toml", HAGGLE.as_bytes()).expect("it is sound");
    let check = &model.checks[0];
    let request = ResourceRequest {
        axis: "luck".to_owned(),
        spent: Some("paid".to_owned()),
        ..ResourceRequest::default()
    };
    let spending = check.spending(&[request]).expect("it can be spent");
    let scene = Scene {
        checks: vec![check.defaults(); 3],
        pool: vec![5],
    };
    let found = plan(&spending, &scene, &Budget::unlimited()).expect("a plan");
    for (turn, left) in (0..3).flat_map(|turn| (0..=5).map(move |left| (turn, left))) {
        let expected = haggle_tree(3 - turn, whole(left));
        assert_eq!(state(&found, turn, left).value, expected, "{turn} {left}");
    }
    // What the opponent does is no part of the plan.
    let states = found
        .turns
        .iter()
        .flat_map(|turn| turn.states.iter().flatten());
    let mut decisions = states.flat_map(|state| &state.decisions);
    assert!(decisions.all(|decision| decision.name == "more"));
}

#[test]
fn the_budget_is_kept() {
    let model = game("stars-and-signs");
    let check = &model.checks[0];
    let spending = check
        .spending(std::slice::from_ref(&model.resources[0].request))
        .expect("its own");
    let scene = Scene {
        checks: vec![check.defaults(); 50],
        pool: vec![u32::MAX],
    };
    let refused = plan(&spending, &scene, &Budget::new(1_000_000_000));
    let Err(Error::Exact(oddsmith_exact::Error::OverBudget { what, .. })) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(what, "a plan of 50 checks and 4294967295 points");
}
