//! Questions of every kind, each of a size that shows what it costs.

use oddsmith_exact::{Budget, Error, Rounds, Sweep, answers, distribution, policy};
use oddsmith_rules::{Check, InputRange, Query, expression, load};
use oddsmith_testkit::random::check_of;

/// Dice, of the kinds that grow fastest or have the widest numbers.
const DICE: [&str; 28] = [
    "matches(20d100,5)",
    "matches(30d30,3)",
    "matches(40d20,4)",
    "matches(60d60,2)",
    "wins(40d12,40d12)",
    "wins(20d6,30d10)",
    "300d20kh150",
    "2d300000",
    "2d3000000",
    "3d100000",
    "d1000000",
    "d3000000 + 5",
    "d1000000 >= 400000",
    "d3000000!(2)",
    "1d100000!(1) cs>=9",
    "1d100000r<50000",
    "20d{0, 1000000000} + 20d{0, 7}",
    "d2000 * d2000",
    "max(d100000, d100000)",
    "{20d6, 20d8, 20d10}kh30",
    "{2d8, 2d6, 3d10}kh2",
    "count(2000d10, >= 7)",
    "10d10!(30)kh5",
    "20d6r<3kh7",
    "20d20ro<10",
    "(1d200)d6",
    "10d[4d6kh3]",
    "300d300",
];

/// Rules of a check with what it strives for, if it does.
const CHECKS: [(&str, &str); 18] = [
    (
        "",
        "let a = 1d300 let b = 1d300 show v = a * 300 + b show w = a * b show f = v > w",
    ),
    (
        "",
        "let p = 12d10 show v = sum(p kh 3) show w = count(p, >= 7) show l = lowest(p)",
    ),
    (
        "",
        "let p = 5d6 let q = 5d6 show v = wins(p, q) show w = wins(q, p) show t = wins(p kh 2, q)",
    ),
    (
        "",
        "let s = 0 let m = 0 repeat 30 { let d = d20 set s = s + d set m = max(m, d) } show v = s * 100 + m",
    ),
    (
        "",
        "let t = 0 repeat 40 until t >= 60 { set t = t + 2d6 } show v = t",
    ),
    (
        "",
        "let p = 5d10 repeat 3 { set p = {p kh 3, 2d10} } show v = p",
    ),
    ("", "let s = 2d10 let p = 6d[d6 + s] show v = sum(p kh 3)"),
    (
        "",
        "let n = 4d6 let p = draw(5, {1..=6: 4, 7..=10: 2}) show v = n + highest(p) show w = count(p, >= 5)",
    ),
    (
        "",
        "let p = 6d20 show v = p + highest(p) * nth(p, 3) show m = matches(p)",
    ),
    (
        "",
        "let hits = (40d6 cs>=3) let wounds = (hits)d6 show v = count(wounds, >= 4)",
    ),
    (
        "v",
        "let hand = 5d6 repeat 2 { choose kept in subsets(hand) set hand = {kept, (5 - size(kept))d6} } show v = matches(hand)",
    ),
    (
        "v",
        "let hand = 6d6 choose kept in subsets(hand) let again = {kept, (6 - size(kept))d6} show v = again",
    ),
    (
        "v",
        "let hand = 6d10 choose kept in subsets(hand) where sum(kept) >= 10 or size(kept) == 0 show v = size(kept) show s = sum(kept)",
    ),
    (
        "-cost",
        "let left = 5 let paid = 0 repeat 5 until left == 0 { let roll = (left)d6 choose kept in subsets(roll) where size(kept) >= 1 set paid = paid + sum(kept) - 3 * count(kept, 3) set left = left - size(kept) } show cost = paid",
    ),
    ("v", "let a = 1d6 choose x in 0..=50000 show v = x * a"),
    ("v", "choose x in 0..=10000 let a = 1d6 show v = x * a"),
    (
        "v",
        "let p = 5d20 let a = p choose x in 0..=3 show v = a * 3 + x * (1d6 - 3) + highest(p)",
    ),
    (
        "v",
        "let a = 1d400 let b = 1d400 choose again in 0..=1 show v = if again == 1 then 1d400 else max(a, b) - min(a, b)",
    ),
];

/// Checks whose axes are swept: axes, rules, sweeps.
const TABLES: [(&str, &str, &[&str]); 12] = [
    (
        "axes.a = { default = 1, domain = '1..=4' }\naxes.b = { default = 1, domain = '1..=4' }\naxes.c = { default = 1, domain = '1..=4' }\naxes.m = { default = 0, domain = '0..=9' }",
        "show v = {(a)d8, (b)d6, (c)d10} kh 2 + m show hit = v >= 12",
        &["a=all", "b=all", "c=all", "m=all"],
    ),
    (
        "axes.a = { default = 1, domain = '1..=12' }\naxes.b = { default = 1, domain = '1..=12' }",
        "show v = {(a)d8, (b)d6} kh 2",
        &["a=all", "b=all"],
    ),
    (
        "axes.a = { default = 1, domain = '1..=12' }\naxes.b = { default = 1, domain = '1..=12' }\naxes.k = { default = 1, domain = '1..=5' }",
        "let p = {(a)d10, (b)d4} show v = sum(p kh k) show ones = count(p, 1)",
        &["a=all", "b=all", "k=all"],
    ),
    (
        "axes.n = { default = 1, domain = '1..=100' }",
        "let p = (n)d10 show v = count(p, >= 7) show botch = count(p, 1) > count(p, >= 7)",
        &["n=all"],
    ),
    (
        "axes.n = { default = 1, domain = '1..=40' }\naxes.m = { default = 1, domain = '1..=40' }",
        "show v = (n)d6 - (m)d6",
        &["n=all", "m=all"],
    ),
    (
        "axes.n = { default = 1, domain = '1..=10' }\naxes.m = { default = 1, domain = '1..=10' }",
        "let p = (n)d6 let q = (m)d6 show v = wins(p, q)",
        &["n=all", "m=all"],
    ),
    (
        "axes.t = { default = 1, domain = '0..=200' }\naxes.n = { default = 1, domain = '1..=20' }",
        "let s = (n)d10 show v = if s >= t then 1d6 else 0",
        &["t=all", "n=all"],
    ),
    (
        "axes.s = { default = 4, domain = '2..=30' }\naxes.n = { default = 1, domain = '1..=10' }",
        "show v = (n)d(s)!(3) show top = highest((n)d(s))",
        &["s=all", "n=all"],
    ),
    (
        "axes.n = { default = 1, domain = '1..=8' }\naxes.r = { default = 1, domain = '1..=6' }",
        "let p = (n)d6 let q = {p dl 1, 1d6} show v = sum(q) + r show m = matches(q)",
        &["n=all", "r=all"],
    ),
    (
        "maximise = 'v'\naxes.n = { default = 1, domain = '0..=40' }\naxes.m = { default = 1, domain = '0..=20' }",
        "let a = 1d20 choose again in 0..=1 show v = if again == 1 then 1d20 + m else a + n",
        &["n=all", "m=all"],
    ),
    (
        "axes.n = { default = 1, domain = '1..=30' }\naxes.x = { default = 1, domain = '0..=50' }",
        "let t = 0 repeat n { set t = min(t + 1d4, 60) } show v = t + x show f = t >= x",
        &["n=all", "x=all"],
    ),
    (
        "axes.n = { default = 1, domain = '1..=5' }\naxes.k = { default = 1, domain = '0..=30' }",
        "let p = draw(n, {1..=13: 4}) show v = sum(p) show f = highest(p) + k show m = matches(p)",
        &["n=all", "k=all"],
    ),
];

/// Tracks: axes, rules.
const TRACKS: [(&str, &str); 7] = [
    (
        "",
        "let full = 0 repeat until full == 200 { set full = min(full + 2d6, 200) } show end = rolls",
    ),
    (
        "",
        "let a = 30 let b = 40 repeat until a <= 0 or b <= 0 { let x = if d20 >= 9 then 1d8 + 3 else 0 let y = if d20 >= 11 then 1d12 else 0 set b = max(b - x, 0) set a = if b <= 0 then a else max(a - y, 0) } show won = b <= 0",
    ),
    (
        "",
        "let at = 20 repeat until at == 0 or at == 60 { set at = at + (match 1d6 { 1..=3: -1, else: 1 }) } show rich = at == 60",
    ),
    (
        "",
        "let at = 1 repeat until at == 100 { let to = at + 1d6 set at = if to > 100 then at else match to { 16: 6, 47: 26, 49: 11, 56: 53, 62: 19, 64: 60, 87: 24, 93: 73, 95: 75, 98: 78, 1..=100: to, else: at } } show n = rolls",
    ),
    (
        "",
        "let left = 6 let paid = 0 repeat until left == 0 { let p = (left)d6 set left = left - count(p, 6) set paid = paid + sum(p) } show cost = paid",
    ),
    (
        "",
        "let x = 0 let y = 0 repeat until x == 30 and y == 30 { set x = min(x + 1d4, 30) set y = min(y + 1d3, 30) } show n = rolls",
    ),
    (
        "",
        "let hp = 60 let charge = 0 repeat until hp == 0 { let d = 2d8 set charge = if d >= 12 then 0 else min(charge + 1, 5) set hp = max(hp - d - charge, 0) } show c = charge",
    ),
];

/// A question that can be asked again and again.
pub(crate) struct Question {
    pub(crate) name: String,
    check: Check,
    queries: Vec<Query>,
    /// Asked of all configurations of these, if there are any.
    ranges: Vec<InputRange>,
    ask: Ask,
}

#[derive(Clone, Copy)]
enum Ask {
    /// The whole distribution of the first thing that is shown.
    Distribution,
    /// All that is asked unless something else is.
    Odds,
    /// Every best choice.
    Policy,
    /// How long it takes, up to so many rounds.
    Lengths(usize),
}

impl Question {
    /// Asks it.
    ///
    /// # Errors
    /// If it is over the budget, or a rule can't be carried out.
    pub(crate) fn ask(&self, budget: &Budget) -> Result<(), Error> {
        let (check, queries) = (&self.check, &self.queries);
        let config = check.defaults();
        if !self.ranges.is_empty() {
            return table(check, &self.ranges, queries, budget);
        }
        match self.ask {
            Ask::Distribution => distribution(check, &config, &check.outcomes[0], budget).map(drop),
            Ask::Odds => answers(check, &config, queries, budget).map(drop),
            Ask::Policy => policy(check, &config, budget).map(drop),
            Ask::Lengths(most) => {
                let rounds = Rounds::new(check, &config, budget)?;
                rounds.lengths(most, budget).map(drop)
            }
        }
    }

    fn new(ask: Ask, words: &str, check: &Check) -> Self {
        let kind = match ask {
            Ask::Distribution => "",
            Ask::Odds => "odds: ",
            Ask::Policy => "policy: ",
            Ask::Lengths(_) => "lengths: ",
        };
        Self {
            name: format!("{kind}{words}"),
            check: check.clone(),
            queries: queries(check),
            ranges: Vec::new(),
            ask,
        }
    }

    /// The distribution of dice.
    pub(crate) fn dice(text: &str) -> Self {
        let check = expression(text, "dice").unwrap_or_else(|error| panic!("{text}: {error}"));
        Self::new(Ask::Distribution, text, &check)
    }

    /// The odds of a script, and its policy if it chooses; none if the checker refuses it.
    pub(crate) fn script(rules: &str, goal: Option<&String>) -> Vec<Self> {
        let Some(check) = check_of(rules, goal) else {
            return Vec::new();
        };
        let words = rules.split_whitespace().collect::<Vec<_>>().join(" ");
        let asks = [Some(Ask::Odds), goal.map(|_| Ask::Policy)];
        let question = |ask| Self::new(ask, &words, &check);
        asks.into_iter().flatten().map(question).collect()
    }
}

/// Every question of the lists above.
pub(crate) fn questions() -> Vec<Question> {
    let mut all: Vec<Question> = Vec::new();
    for (goal, rules) in CHECKS {
        let goal = (!goal.is_empty()).then(|| goal.to_owned());
        let asked = Question::script(&lines(rules), goal.as_ref());
        assert!(!asked.is_empty(), "{rules}");
        all.extend(asked);
    }
    for (axes, rules, sweeps) in TABLES {
        let check = written("checks", axes, rules);
        let range = |text: &&str| check.sweep(text, "costs").expect("a legal sweep");
        all.push(Question {
            ranges: sweeps.iter().map(range).collect(),
            ..Question::new(Ask::Odds, &format!("table: {rules}"), &check)
        });
    }
    for (axes, rules) in TRACKS {
        let check = written("tracks", axes, rules);
        all.push(Question::new(Ask::Odds, rules, &check));
        all.push(Question::new(Ask::Lengths(50), rules, &check));
    }
    all.extend(DICE.iter().map(|text| Question::dice(text)));
    all
}

/// What is asked unless something else is, and the mean of each number.
fn queries(check: &Check) -> Vec<Query> {
    let means = check.outcomes.iter().filter_map(|outcome| {
        let mean = format!("mean({})", outcome.name);
        check.query(&mean, "costs").ok()
    });
    check.own_queries().into_iter().chain(means).collect()
}

/// Rules with each statement on a line of its own.
fn lines(rules: &str) -> String {
    let words = ["let", "set", "show", "choose", "repeat"];
    words.iter().fold(rules.to_owned(), |text, word| {
        text.replace(&format!(" {word} "), &format!("\n{word} "))
    })
}

/// The only check or track of a ruleset.
fn written(kind: &str, keys: &str, rules: &str) -> Check {
    let rules = lines(rules);
    let text = format!("name = 'Costs'\n[{kind}.main]\n{keys}\nrules = '''\n{rules}\n'''\n");
    let model = load("costs.toml", text.as_bytes());
    let mut model = model.unwrap_or_else(|error| panic!("{rules}: {error}"));
    match kind {
        "tracks" => model.track("main").expect("it is there").clone(),
        _ => model.checks.swap_remove(0),
    }
}

fn table(
    check: &Check,
    ranges: &[InputRange],
    queries: &[Query],
    budget: &Budget,
) -> Result<(), Error> {
    let base = check.defaults();
    let sweep = Sweep::new(check, &base, ranges, queries, budget)?;
    sweep.run(
        |row, count: &mut u64| *count += row.number % 2,
        |_| Ok::<_, Error>(()),
    )
}
