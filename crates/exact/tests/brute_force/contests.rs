//! Contests: two checks against each other, each played alone by the brute force.

use std::collections::BTreeMap;

use oddsmith_exact::{Budget, Error, RBig, answers};
use oddsmith_rules::{Check, Config, Outcome, OutcomeKind, Ties};

use crate::compare;
use crate::policies;
use crate::support::{MOST_TRIALS, config_of, model_of, queries_of, report, without_panic};
use oddsmith_testkit::oracle::{Game, Joint, Value, joint};

const RULES: &str = r#"
name = "Test"
[params]
edge  = { default = 0, domain = "0..=2" }
marks = { default = [3, 5], domain = "0..=9" }
[functions]
price = "(v) => if v == 3 then 0 else v"
twice = "(v) => v + v"
grade = "(t) => match t { < marks[0]: Low, < marks[1]: Mid, else: High }"
[checks.fight]
contest = "total"
axes.skill = { domain = "-2..=4", default = 1 }
axes.dice  = { domain = "0..=2", default = 1 }
rules = """
let p = (dice + 1)d3
show total = highest(p) + skill
show pair = matches(p) == 2
"""
[checks.duel]
contest = "3 * won - lost + edge"
axes.skill = { domain = "-2..=4", default = 2 }
axes.armed = { domain = ["no", "yes"], default = "no" }
rules = """
let x = d4 + (if armed == yes then 1 else 0)
show won = x > skill
show lost = d3
"""
[checks.graded]
bands = ["Low", "Mid", "High"]
contest = "band"
axes.skill = { domain = "0..=4", default = 1 }
rules = """
show total = d4 + skill
show band = grade(total)
"""
[checks.other]
bands = ["Low", "Mid", "High"]
contest = "if edge > 1 then band else band"
rules = """
show band = match 2d2 { 2: Low, 3: Mid, else: High }
"""
[checks.chooser]
contest = "total"
maximise = "total - paid"
axes.purse = { domain = "0..=2", default = 1 }
rules = """
let old = d3
choose coins in 0..=purse
let new = d4
show paid = coins
show total = if coins >= 1 then new + coins - 1 else old
"""
[checks.tangle]
contest = "score"
axes.n = { domain = "0..=2", default = 1 }
rules = """
let hand = (n)d{1, 3}
let t = 0
repeat 2 until t >= 1 { let more = d2 set t = t + more - 1 set hand = {hand kh 1, more} }
let c = chooser(purse = n)
show score = map(hand, price) + c.total - (if n == 1 then twice(t) else 0)
show paid = c.paid
"""
[checks.flat]
contest = "total"
axes.skill = { domain = "0..=4", default = 1 }
rules = "show total = skill show luck = d2"
"#;

/// One roll of both sides: what each shows, what it comes to, and how likely that is.
struct Side {
    rolls: Vec<(Vec<i64>, i64, RBig)>,
}

impl Side {
    fn new(check: &Check, config: &Config) -> Self {
        let joint: Joint = joint(check, config, MOST_TRIALS).expect("the script is small");
        let measure = &check.contest.as_ref().expect("it compares something").value;
        let game = Game::new(check, config, MOST_TRIALS);
        let roll = |(row, p): (Vec<i64>, RBig)| {
            let mut values = vec![None; check.program().variables().len()];
            for (outcome, value) in check.outcomes.iter().zip(&row) {
                values[outcome.var.0] = Some(Value::Number(*value));
            }
            let compared = game.number(&values, measure);
            (row, compared, p)
        };
        Self {
            rolls: joint.into_iter().map(roll).collect(),
        }
    }
}

/// What one roll of a contest comes to.
struct Chances {
    a: RBig,
    tie: RBig,
    b: RBig,
    /// The mean of the first thing that A shows as its place or number, where A wins; none if it never does.
    shown: Option<RBig>,
}

impl Chances {
    fn new(a: &Side, b: &Side) -> Self {
        let mut chances = [RBig::ZERO, RBig::ZERO, RBig::ZERO];
        let mut shown = RBig::ZERO;
        for (row, x, p) in &a.rolls {
            for (_, y, q) in &b.rolls {
                let place = match x.cmp(y) {
                    std::cmp::Ordering::Greater => {
                        shown += p * q * RBig::from(row[0]);
                        0
                    }
                    std::cmp::Ordering::Equal => 1,
                    std::cmp::Ordering::Less => 2,
                };
                chances[place] += p * q;
            }
        }
        let [a, tie, b] = chances;
        let shown = (a != RBig::ZERO).then(|| shown / &a);
        Self { a, tie, b, shown }
    }

    /// What is asked, and the answers that there are.
    fn answers(&self, ties: Ties) -> BTreeMap<&'static str, RBig> {
        let Self { a, tie, b, .. } = self;
        let decided = RBig::ONE - tie;
        let mut answers = BTreeMap::from([
            ("A", a.clone()),
            ("tie", tie.clone()),
            ("B", b.clone()),
            ("decided", decided.clone()),
            ("P(A or B)", decided.clone()),
        ]);
        if decided != RBig::ZERO {
            answers.insert("A | decided", a / &decided);
            answers.insert("P(B | not tie)", b / &decided);
        }
        match ties {
            Ties::Reroll => {
                answers.extend([
                    ("P(rounds <= 2)", RBig::ONE - tie * tie),
                    ("P(rounds > 3)", tie * tie * tie),
                    ("P(rounds == 2)", tie * &decided),
                    ("P(a_wins & rounds == 2)", tie * a),
                    ("P(b_wins & rounds <= 2)", b + tie * b),
                ]);
                if decided != RBig::ZERO {
                    answers.extend([
                        ("mean(rounds)", RBig::ONE / &decided),
                        ("variance(rounds)", tie / (&decided * &decided)),
                        ("a_wins", a / &decided),
                        ("b_wins", b / &decided),
                    ]);
                }
                if decided != RBig::ZERO && *tie != RBig::ZERO {
                    answers.insert("P(a_wins | tie)", a / &decided);
                    answers.insert("mean(rounds | tie)", RBig::ONE + RBig::ONE / &decided);
                }
            }
            Ties::Both | Ties::Defender => {
                let a_wins = if ties == Ties::Both {
                    a + tie
                } else {
                    a.clone()
                };
                answers.extend([
                    ("P(rounds == 1)", RBig::ONE),
                    ("mean(rounds)", RBig::ONE),
                    ("variance(rounds)", RBig::ZERO),
                    ("b_wins", b + tie),
                    ("P(a_wins & tie)", a_wins.clone() - a),
                    ("a_wins", a_wins),
                ]);
            }
        }
        answers
    }
}

/// Compares contests of these checks, with `a.x=…` and `b.x=…` for the sides and `x=…` for both.
fn agree(pairs: &[(&str, &str)], settings: &[&str]) {
    let model = model_of(RULES);
    let mut complaints = Vec::new();
    for (a, b) in pairs {
        let (a, b) = (model.check(a).unwrap(), model.check(b).unwrap());
        for setting in settings {
            let sides = [(a, "a."), (b, "b.")];
            let sides = sides.map(|(check, side)| Side::new(check, &side_of(check, setting, side)));
            let chances = Chances::new(&sides[0], &sides[1]);
            for (name, ties) in Ties::ALL {
                let contest = a.against(b, ties).expect("they can be compared");
                let config = config_of(&contest, setting);
                let complaint = without_panic(|| complaint(&contest, &config, &chances, ties));
                if let Err(complaint) = complaint {
                    let (a, b) = (&a.name, &b.name);
                    complaints.push(format!("{a} v {b}, {name} ({setting})\n  => {complaint}"));
                }
            }
        }
    }
    report(&complaints);
}

/// The part of a setting that is about one side.
fn side_of(check: &Check, setting: &str, side: &str) -> Config {
    let own = setting.split_whitespace().filter_map(|assignment| {
        if assignment.contains('.') && !assignment.starts_with(side) {
            return None;
        }
        Some(assignment.trim_start_matches(side))
    });
    // What is said of both sides is said of those that have it.
    let known = own.filter(|assignment| {
        let name = assignment.split(['=', '[']).next();
        let inputs = check.inputs.iter();
        let mut names = inputs.map(|input| input.name.split('[').next());
        names.any(|input| input == name)
    });
    config_of(check, &known.collect::<Vec<&str>>().join(" "))
}

fn complaint(
    contest: &Check,
    config: &Config,
    chances: &Chances,
    ties: Ties,
) -> Result<(), String> {
    let expected = chances.answers(ties);
    let texts: Vec<&str> = expected.keys().copied().collect();
    let queries = queries_of(contest, &texts);
    let found = answers(contest, config, &queries, &Budget::unlimited());
    let found = found.map_err(|error| error.to_string())?;
    for ((text, expected), found) in expected.iter().zip(&found) {
        if found.to_ratio().as_ref() != Some(expected) {
            return Err(format!("{text}: {found:?}, not {expected}"));
        }
    }
    let of_a = |outcome: &&Outcome| outcome.name.starts_with("a.");
    let first = contest
        .outcomes
        .iter()
        .find(of_a)
        .expect("A shows something");
    let number = match first.kind {
        OutcomeKind::Band(_) | OutcomeKind::Label(_) => format!("index({})", first.name),
        _ => first.name.clone(),
    };
    let shown = queries_of(contest, &[&format!("mean({number} | A)")]);
    let shown = match answers(contest, config, &shown, &Budget::unlimited()) {
        Ok(found) => found[0].to_ratio(),
        Err(Error::NeverHappens { .. }) => None,
        Err(error) => return Err(error.to_string()),
    };
    if shown != chances.shown {
        return Err(format!("{number}: {shown:?}, not {:?}", chances.shown));
    }
    as_track(contest, config)
}

/// The same contest as the rounds that it is made of.
fn as_track(contest: &Check, config: &Config) -> Result<(), String> {
    let texts = [
        "mean(rounds)",
        "P(rounds <= 2)",
        "P(a_wins & rounds == 2)",
        "P(tie | rounds >= 2)",
        "mean(rounds | A)",
        "variance(rounds | tie)",
        "P(b_wins | rounds <= 3)",
        "P(a_wins & B)",
    ];
    let queries = queries_of(contest, &texts);
    let found = compare::tracks::agrees(contest, config, &queries, 7, MOST_TRIALS);
    found.expect("it is small")?;
    let played = policies::tracks_agree(contest, config, &queries, 7, MOST_TRIALS);
    played.expect("it is small")
}

#[test]
fn of_a_check_with_itself() {
    agree(
        &[("fight", "fight")],
        &[
            "",
            "a.skill=3",
            "skill=2 b.dice=0",
            "a.skill=-2 b.skill=4",
            "dice=0",
            "a.dice=2 b.dice=1",
        ],
    );
    agree(
        &[("duel", "duel")],
        &[
            "",
            "a.armed=yes b.skill=1",
            "edge=2",
            "a.edge=1 b.edge=0",
            "armed=yes a.skill=4",
        ],
    );
    agree(
        &[("graded", "graded")],
        &[
            "",
            "a.marks=[2,3]",
            "marks[1]=6 b.skill=3",
            "b.marks[0]=5 a.skill=0",
        ],
    );
    agree(
        &[("chooser", "chooser")],
        &["", "purse=0", "a.purse=2 b.purse=0"],
    );
}

#[test]
fn of_different_checks() {
    agree(
        &[("fight", "duel"), ("duel", "fight")],
        &[
            "",
            "skill=1",
            "a.skill=0 b.skill=2 armed=yes",
            "edge=2 dice=2",
        ],
    );
    agree(
        &[("graded", "other"), ("other", "graded")],
        &["", "edge=1", "a.edge=2 marks=[2,4]"],
    );
    agree(
        &[
            ("fight", "chooser"),
            ("chooser", "flat"),
            ("duel", "chooser"),
        ],
        &["", "purse=2 a.edge=1", "skill=3"],
    );
    agree(
        &[
            ("tangle", "tangle"),
            ("tangle", "fight"),
            ("flat", "tangle"),
        ],
        &["", "n=0"],
    );
}

/// Sides that are equal for ever, or never.
#[test]
fn that_are_certain() {
    agree(
        &[("flat", "flat")],
        &["", "a.skill=2", "b.skill=3", "skill=4"],
    );
    agree(
        &[("fight", "flat"), ("flat", "fight")],
        &["", "dice=0 a.skill=4 b.skill=0"],
    );
}
