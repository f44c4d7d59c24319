//! Plans for tracks against a reckoning of their own: of small random scenes, round by round, over all that may be done.

use std::collections::BTreeMap;

use oddsmith::plan::Manner;
use oddsmith::{Error, Game, Limits, PlanRequest, ScenePool, TrackPlan};
use oddsmith_exact::RBig;
use proptest::prelude::*;

/// A scene: so many hits within so many rounds, out of points of luck, which are spent when the die lies there, and of aid, which
/// is set before the rolls of a round.
#[derive(Clone, Copy, Debug)]
struct Scene {
    sides: i64,
    target: i64,
    /// The most luck for one roll.
    cap: i64,
    hits: i64,
    rounds: i64,
    /// Whether a round rolls twice.
    is_double: bool,
    /// Whether the highest face gives a point of luck back.
    gives_back: bool,
    /// Whether hits are worth 3 and a round costs 1, or all hits are the event that is wanted.
    weighs: bool,
}

/// How luck is spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Luck {
    Best,
    /// What is missing, wherever it is enough.
    Thumb,
}

impl Scene {
    fn text(&self) -> String {
        let Self {
            sides,
            target,
            cap,
            hits,
            rounds,
            ..
        } = self;
        let back = sides + i64::from(!self.gives_back);
        let second = if self.is_double {
            format!("let second = roll(..)\n  set hits = min(hits + (second.band == yes), {hits})")
        } else {
            String::new()
        };
        format!(
            r#"
name = "A scene"

[checks.roll]
bands      = ["no", "yes"]
maximise   = "-luck_spent"
axes.luck  = {{ default = 0, domain = "0..={cap}" }}
axes.aid   = {{ default = 0, domain = "0..=2" }}
axes.way   = {{ default = "thumb", domain = ["thumb", "best"] }}
rules = """
let die     = 1d{sides}
let missing = max({target} - die - aid, 0)
let thumb   = if way == thumb and missing <= luck then missing else 0
choose push in 0..=(if way == best then luck else 0)
show luck_spent = thumb + push - (if die == {back} then 1 else 0)
show band = if die + aid + thumb + push >= {target} then yes else no
"""

[tracks.scene]
inherit = ["roll"]
bands   = ["lost", "won"]
rules = """
let hits = 0
repeat until hits == {hits} or rolls == {rounds} {{
  let first = roll(..)
  set hits  = min(hits + (first.band == yes), {hits})
  {second}
}}
show all  = hits
show band = if hits == {hits} then won else lost
"""

[resources.luck]
axis   = "luck"
spent  = "luck_spent"
policy = "way=best"
[resources.aid]
axis = "aid"
"#
        )
    }

    fn plan(&self, luck: i64, aid: i64) -> Result<TrackPlan, Error> {
        let game = Game::parse("scene.toml", self.text().as_bytes()).expect("it loads");
        let points = [("luck", luck), ("aid", aid)];
        let points =
            points.map(|(name, points)| (name.to_owned(), u32::try_from(points).expect("few")));
        let request = PlanRequest {
            check: Some("scene".to_owned()),
            pool: ScenePool::ByResource(points.into_iter().collect()),
            utility: self.weighs.then(|| "3 * all - rolls".to_owned()),
            ..PlanRequest::default()
        };
        game.plan_track(&request, &Limits::default())
    }
}

/// What a scene is worth, reckoned from its last round to the first; what is left is by round, hits, luck and aid.
struct Reckoning {
    scene: Scene,
    /// The luck that it began with.
    pool: i64,
    way: Luck,
    known: BTreeMap<(i64, i64, i64, i64), RBig>,
}

impl Reckoning {
    fn of(scene: Scene, pool: i64, aid: i64, way: Luck) -> RBig {
        let known = BTreeMap::new();
        let mut own = Self {
            scene,
            pool,
            way,
            known,
        };
        own.before(0, 0, pool, aid)
    }

    /// Before a round.
    fn before(&mut self, round: i64, hits: i64, luck: i64, aid: i64) -> RBig {
        let scene = self.scene;
        if hits == scene.hits || round == scene.rounds {
            return match scene.weighs {
                true => RBig::from(3 * hits - round),
                false => RBig::from(i64::from(hits == scene.hits)),
            };
        }
        let place = (round, hits, luck, aid);
        if let Some(known) = self.known.get(&place) {
            return known.clone();
        }
        let rolls = if scene.is_double { 2 } else { 1 };
        let options = 0..=aid.min(2);
        let worth = options.map(|set| self.roll((round, hits, luck, aid - set), set, rolls));
        let best = worth.max().expect("nothing may be set");
        self.known.insert(place, best.clone());
        best
    }

    /// Before one of the rolls of a round, with so much aid.
    fn roll(
        &mut self,
        (round, hits, luck, aid): (i64, i64, i64, i64),
        set: i64,
        rolls: u32,
    ) -> RBig {
        if rolls == 0 {
            return self.before(round + 1, hits, luck, aid);
        }
        let scene = self.scene;
        let mut sum = RBig::ZERO;
        for die in 1..=scene.sides {
            let most = luck.min(scene.cap);
            let missing = (scene.target - die - set).max(0);
            let thumb = if missing <= most { missing } else { 0 };
            let options = match self.way {
                Luck::Best => 0..=most,
                Luck::Thumb => thumb..=thumb,
            };
            let back = i64::from(scene.gives_back && die == scene.sides);
            let worth = options.map(|push| {
                let hit = i64::from(die + set + push >= scene.target);
                let hits = (hits + hit).min(scene.hits);
                let luck = (luck - push + back).min(self.pool);
                self.roll((round, hits, luck, aid), set, rolls - 1)
            });
            sum += worth.max().expect("nothing may be spent");
        }
        sum / RBig::from(scene.sides)
    }
}

fn scenes() -> impl Strategy<Value = Scene> {
    let numbers = (2_i64..=5, 2_i64..=6, 1_i64..=3, 1_i64..=3, 1_i64..=3);
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    (numbers, flags).prop_map(
        |((sides, target, cap, hits, rounds), (is_double, gives_back, weighs))| Scene {
            sides,
            target,
            cap,
            hits,
            rounds,
            is_double,
            gives_back,
            weighs,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// The plan, the rule of thumb, no points and one more point of each are worth what the reckoning says.
    #[test]
    fn plans_are_worth_what_is_reckoned(scene in scenes(), luck in 0_i64..=3, aid in 0_i64..=3) {
        let plan = scene.plan(luck, aid).expect("it can be planned");
        let reckoned = |luck, aid, way| Reckoning::of(scene, luck, aid, way);
        for way in &plan.ways {
            let expected = match way.manner {
                Manner::Never => reckoned(0, 0, Luck::Best),
                Manner::Without(0) => reckoned(0, aid, Luck::Best),
                Manner::Without(_) => reckoned(luck, 0, Luck::Best),
                Manner::Best => reckoned(luck, aid, Luck::Best),
                Manner::Named(0, _) => reckoned(luck, aid, Luck::Thumb),
                other => panic!("{other:?} is no way to play a track"),
            };
            let result = way.result.as_ref().expect("no more is spent than there is");
            prop_assert_eq!(result.value(), expected, "{:?} of {:?}", way.manner, scene);
        }
        for points in 0..=luck {
            let more = reckoned(points + 1, aid, Luck::Best) - reckoned(points, aid, Luck::Best);
            prop_assert_eq!(&plan.one_more[0][usize::try_from(points).expect("few")], &Some(more));
        }
        for points in 0..=aid {
            let more = reckoned(luck, points + 1, Luck::Best) - reckoned(luck, points, Luck::Best);
            prop_assert_eq!(&plan.one_more[1][usize::try_from(points).expect("few")], &Some(more));
        }
    }
}

/// A check whose points are set before it or chosen in it, some of which may come back, and what reads the axis where.
#[derive(Clone, Copy, Debug)]
struct Spending {
    cap: i64,
    target: i64,
    is_chosen: bool,
    gives_back: bool,
    /// Whether what it gains reads the axis, and stands below what it spent.
    reads_axis: bool,
    is_below: bool,
    rounds: u16,
    /// Whether a round plays it twice.
    is_double: bool,
}

impl Spending {
    fn text(&self) -> String {
        let Self {
            cap,
            target,
            rounds,
            ..
        } = self;
        let used = if self.is_chosen { "push" } else { "luck" };
        let (choice, goal) = if self.is_chosen {
            ("choose push in 0..=luck", "maximise = 'gain'")
        } else {
            ("", "")
        };
        let back = if self.gives_back { "(die == 1)" } else { "0" };
        let more = if self.reads_axis {
            format!(" + (if {used} > 0 then luck else 0)")
        } else {
            String::new()
        };
        let spent = format!("show spent = {used} - {back}");
        let gain = format!("show gain = (die + {used} >= {target}){more}");
        let (first, last) = match self.is_below {
            true => (spent, gain),
            false => (gain, spent),
        };
        let second = if self.is_double {
            "let second = roll(..)\n  set at = min(at + second.gain, 99)"
        } else {
            ""
        };
        format!(
            r#"
name = "Scenes"

[checks.roll]
{goal}
axes.luck = {{ default = 0, domain = "0..={cap}" }}
rules = """
let die = 1d3
{choice}
{first}
{last}
"""

[tracks.scene]
inherit = ["roll"]
rules = """
let at = 0
repeat until rolls == {rounds} {{
  let first = roll(..)
  set at = min(at + first.gain, 99)
  {second}
}}
show points = at
"""

[resources.luck]
axis    = "luck"
spent   = "spent"
utility = "gain"
"#
        )
    }
}

fn spendings() -> impl Strategy<Value = Spending> {
    let flags = (any::<[bool; 4]>(), any::<bool>());
    (1_i64..=3, 2_i64..=5, flags, 1_u16..=2).prop_map(
        |(cap, target, (flags, is_double), rounds)| {
            let [is_chosen, gives_back, reads_axis, is_below] = flags;
            Spending {
                cap,
                target,
                is_chosen,
                gives_back,
                reads_axis,
                is_below,
                rounds,
                is_double,
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// A track that plays a check once or twice in each of some rounds is a scene of as many checks.
    #[test]
    fn a_track_of_checks_is_their_scene(spending in spendings(), pool in 0_u32..=4) {
        let game = Game::parse("scene.toml", spending.text().as_bytes()).expect("it loads");
        let checks = spending.rounds * if spending.is_double { 2 } else { 1 };
        let request = |check: &str| PlanRequest {
            check: Some(check.to_owned()),
            pool: pool.into(),
            ..PlanRequest::default()
        };
        let scene = PlanRequest { checks: Some(checks), ..request("roll") };
        let scene = game.plan(&scene, &Limits::default()).expect("a scene");
        let track = PlanRequest { utility: Some("points".to_owned()), ..request("scene") };
        let track = game.plan_track(&track, &Limits::default()).expect("a track");
        prop_assert_eq!(track.is_before(0), scene.plan.allowances[0].is_before);
        let value = |manner: Manner| {
            let ways = track.ways.iter();
            let way = { ways }.find(|way| way.manner == manner).expect("it is played so");
            way.result.as_ref().expect("it can be played").value()
        };
        for way in &scene.plan.ways {
            if matches!(way.manner, Manner::Best | Manner::Never) {
                let tally = way.result.as_ref().expect("it can be played");
                prop_assert_eq!(&value(way.manner), &tally.value, "{:?} {:?}", way.manner, spending);
            }
        }
        let full = scene.plan.turns[0].states.last().expect("all points").as_ref().expect("it can be played");
        prop_assert_eq!(track.one_more[0].last(), Some(&full.more[0]), "{:?}", spending);
    }
}

/// Why a scene can't be planned whose rules have `instead` in place of `part`.
fn refused(part: &str, instead: &str) -> String {
    let text = scene().text();
    assert!(text.contains(part), "{part} is in {text}");
    of_text(&text.replace(part, instead))
}

fn scene() -> Scene {
    Scene {
        sides: 4,
        target: 4,
        cap: 2,
        hits: 1,
        rounds: 2,
        is_double: false,
        gives_back: false,
        weighs: false,
    }
}

/// Why the track of a text can't be planned.
fn of_text(text: &str) -> String {
    let game = Game::parse("scene.toml", text.as_bytes());
    let request = PlanRequest {
        check: Some("scene".to_owned()),
        pool: 1.into(),
        resource: Some("luck".to_owned()),
        ..PlanRequest::default()
    };
    let plan = game
        .expect("it loads")
        .plan_track(&request, &Limits::default());
    plan.expect_err("it can't be planned").to_string()
}

#[test]
fn what_cannot_be_followed_is_refused() {
    let of = |part, instead| {
        let message = refused(part, instead);
        message.replace("`scene` can't be planned: ", "")
    };
    assert_eq!(of("roll(..)", "roll(aid = aid)"), "no round reads `luck`");
    assert_eq!(
        of("let hits = 0", "let hits = min(luck, 0)"),
        "`luck` is read before the rounds, between them or after them"
    );
    assert_eq!(
        of(
            "let first = roll(..)",
            "let one   = if hits == 0 then roll(..).luck_spent else 0\n  let first = roll(..)"
        ),
        "a part of a round, such as a branch or a loop, makes a choice"
    );
    let bands = "bands   = [\"lost\", \"won\"]";
    let shown = "show band = if hits == 1 then won else lost\n";
    let text = scene().text().replace(bands, "");
    assert_eq!(
        of_text(&text.replace(shown, "")),
        "`scene` can't be planned: nothing says what its end is worth"
    );
    // A band that the first round shows is no end.
    let text = scene().text().replace(shown, "");
    let first = "set hits  = min(hits + (first.band == yes), 1)\n";
    let text = text.replace(
        first,
        &format!("{first}  show band = if first.band == yes then won else lost\n"),
    );
    assert_eq!(
        of_text(&text),
        "`scene` can't be planned: nothing says what its end is worth"
    );
    let more = "show luck_spent = thumb + push + 1 -";
    assert_eq!(
        of("show luck_spent = thumb + push -", more),
        "however it is played, a check may cost more points than are left"
    );
}

#[test]
fn an_end_that_is_not_sure_has_odds_but_no_means() -> Result<(), Error> {
    let text = r#"
name = "Lost for ever"
[checks.roll]
axes.luck = { default = 0, domain = "0..=1" }
rules     = "show reach = 1d4 + luck"
[tracks.way]
inherit = ["roll"]
bands   = ["lost", "home"]
rules   = """
let at = 0    # 2: for good
repeat until at == 1 {
  let roll = roll(..)
  set at   = if at == 2 then 2 else match roll.reach { >= 4: 1, 3: 0, else: 2 }
}
show band = if at == 1 then home else lost
"""
[resources.luck]
axis    = "luck"
utility = "reach"
"#;
    let game = Game::parse("way.toml", text.as_bytes())?;
    let request = PlanRequest {
        check: Some("way".to_owned()),
        pool: 1.into(),
        ..PlanRequest::default()
    };
    let plan = game.plan_track(&request, &Limits::default())?;
    let values = plan
        .ways
        .iter()
        .map(|way| way.result.as_ref().map(|result| result.value().to_string()));
    // A 4 of 4, or one more roll after a 3; with a point a 3 or a 4, or once more after a 2 without it.
    let values: Vec<_> = values.map(Option::unwrap_or_default).collect();
    assert_eq!(values, ["1/3", "7/12"]);
    let has_means = plan.ways.iter().any(|way| {
        way.result
            .as_ref()
            .is_some_and(|result| result.means.is_some())
    });
    assert!(!has_means);
    Ok(())
}
