//! Random scripts, as text, each against a brute force over all its rolls.
//!
//! A script is drawn as a tree whose names are places in what is in scope, so that whatever the tree is shrunk
//! to is well formed. `PROPTEST_CASES` sets how many are tried.

mod compare;
mod oracle;

use oddsmith_rules::{Check, load};
use proptest::prelude::*;
use proptest::test_runner::{Config as TestConfig, FileFailurePersistence};

/// Scripts with more trials are not compared.
const MOST_TRIALS: usize = 6_000;

/// What every script can call.
const AROUND: &str = r#"name = "Random"
[functions]
twice = "(x) => x + x"
odd   = "(v) => if v > 1 then v else 5 - v"
below = "(p, x) => count(p, < x)"
best  = "(p) => p kh 1"
hand  = "(n) => (clamp(n, 0, 2))d2"
mix   = "(p, x) => if x > 1 then sum(p) + d2 else highest(p)"
[checks.inner]
axes.n = { domain = "0..=3", default = 1 }
rules = """
let spent = 0
repeat 2 until spent >= n { set spent = spent + d2 }
show rest = spent - n
show even = d2 == 2
"""
"#;

/// A number.
#[derive(Clone, Debug)]
enum Num {
    Plain(i8),
    Axis,
    Name(usize),
    Sum(Box<Pool>),
    Infix(&'static str, Box<Num>, Box<Num>),
    Times(i8, Box<Num>),
    Call(&'static str, Vec<Num>),
    OfPool(&'static str, Box<Pool>),
    Count(Box<Pool>, &'static str, Box<Num>),
    Wins(Box<Pool>, Box<Pool>),
    If(Box<Truth>, Box<Num>, Box<Num>),
    Match(Box<Num>, Box<Num>, Box<[Num; 3]>),
    Item(Box<[Num; 3]>, Box<Num>),
    Halved(bool, Box<Num>),
    PoolCall(&'static str, Box<Pool>, Box<Num>),
    Inner(Box<Num>),
}

/// A condition.
#[derive(Clone, Debug)]
enum Truth {
    Compare(&'static str, Num, Num),
    Name(usize),
    Not(Box<Truth>),
    Both(&'static str, Box<Truth>, Box<Truth>),
}

/// Dice.
#[derive(Clone, Debug)]
enum Pool {
    Dice(u8, &'static str),
    Name(usize),
    Some(Num, &'static str),
    Keep(Box<Pool>, &'static str, Num),
    Gather(Vec<Part>),
    Of(u8, Box<Num>, &'static str),
    If(Truth, Box<Pool>, Box<Pool>),
    Call(&'static str, Box<Pool>),
    Hand(Num),
}

/// A part of a pool.
#[derive(Clone, Debug)]
enum Part {
    Dice(Pool),
    Number(Num),
}

#[derive(Clone, Debug)]
enum Step {
    Show(Num),
    Flag(Truth),
    Let(Num),
    Condition(Truth),
    Pool(Pool),
    Set(usize, Num),
    SetPool(usize, Pool),
    Repeat(u8, Option<Truth>, Vec<Step>),
    Inner(Num),
}

fn num(depth: u32) -> BoxedStrategy<Num> {
    let leaf = prop_oneof![
        1 => (0_i8..4).prop_map(Num::Plain),
        1 => Just(Num::Axis),
        3 => (0_usize..8).prop_map(Num::Name),
        1 => (0_usize..8).prop_map(|at| Num::Sum(Box::new(Pool::Name(at)))),
        1 => pool(0).prop_map(|pool| Num::Sum(Box::new(pool))),
    ];
    if depth == 0 {
        return leaf.boxed();
    }
    let n = || num(depth - 1).prop_map(Box::new);
    let p = || pool(depth - 1).prop_map(Box::new);
    let three = || [num(depth - 1), num(depth - 1), num(depth - 1)].prop_map(Box::new);
    let infix = prop::sample::select(vec!["+", "-", "+"]);
    let call = prop::sample::select(vec!["min", "max"]);
    let own = prop::sample::select(vec!["twice", "odd", "abs", "sign"]);
    let reading = vec![
        "size", "highest", "lowest", "matches", "nth2", "map", "list", "low2",
    ];
    let comparison = || prop::sample::select(vec!["", "< ", ">= "]);
    prop_oneof![
        4 => leaf,
        2 => p().prop_map(Num::Sum),
        3 => (infix, n(), n()).prop_map(|(op, a, b)| Num::Infix(op, a, b)),
        1 => (-2_i8..4, n()).prop_map(|(k, a)| Num::Times(k, a)),
        1 => (call, num(depth - 1), num(depth - 1)).prop_map(|(f, a, b)| Num::Call(f, vec![a, b])),
        2 => (own, num(depth - 1)).prop_map(|(f, a)| Num::Call(f, vec![a])),
        4 => (prop::sample::select(reading), p()).prop_map(|(f, a)| Num::OfPool(f, a)),
        3 => (p(), comparison(), n()).prop_map(|(a, op, b)| Num::Count(a, op, b)),
        1 => (p(), p()).prop_map(|(a, b)| Num::Wins(a, b)),
        3 => (truth(depth - 1), n(), n()).prop_map(|(c, a, b)| Num::If(Box::new(c), a, b)),
        2 => (n(), n(), three()).prop_map(|(s, k, arms)| Num::Match(s, k, arms)),
        1 => (three(), n()).prop_map(|(items, at)| Num::Item(items, at)),
        1 => (any::<bool>(), n()).prop_map(|(up, a)| Num::Halved(up, a)),
        1 => (prop::sample::select(vec!["below", "mix"]), p(), n())
            .prop_map(|(f, a, b)| Num::PoolCall(f, a, b)),
        1 => n().prop_map(Num::Inner),
    ]
    .boxed()
}

fn truth(depth: u32) -> BoxedStrategy<Truth> {
    let op = prop::sample::select(vec!["==", "!=", "<", "<=", ">", ">="]);
    let compare = (op, num(depth), num(depth)).prop_map(|(op, a, b)| Truth::Compare(op, a, b));
    if depth == 0 {
        return compare.boxed();
    }
    let t = || truth(depth - 1).prop_map(Box::new);
    prop_oneof![
        4 => compare,
        1 => (0_usize..4).prop_map(Truth::Name),
        1 => t().prop_map(Truth::Not),
        1 => (prop::sample::select(vec!["and", "or"]), t(), t())
            .prop_map(|(op, a, b)| Truth::Both(op, a, b)),
    ]
    .boxed()
}

fn pool(depth: u32) -> BoxedStrategy<Pool> {
    let die = || prop::sample::select(vec!["d2", "d3", "d{0, 2:2}", "d3r==1", "d2!(1)", "d3ro<2"]);
    let leaf = prop_oneof![
        (0_u8..3, die()).prop_map(|(n, die)| Pool::Dice(n, die)),
        (0_usize..6).prop_map(Pool::Name),
        (0_usize..6).prop_map(Pool::Name),
    ];
    if depth == 0 {
        return leaf.boxed();
    }
    let p = || pool(depth - 1).prop_map(Box::new);
    let keep = prop::sample::select(vec!["kh", "kl", "dh", "dl"]);
    let part = prop_oneof![
        3 => pool(depth - 1).prop_map(Part::Dice),
        1 => num(depth - 1).prop_map(Part::Number)
    ];
    prop_oneof![
        5 => leaf,
        1 => (num(depth - 1), die()).prop_map(|(n, die)| Pool::Some(n, die)),
        4 => (p(), keep, num(depth - 1)).prop_map(|(p, k, n)| Pool::Keep(p, k, n)),
        2 => prop::collection::vec(part, 0..3).prop_map(Pool::Gather),
        1 => (0_u8..3, num(depth - 1), prop::sample::select(vec!["", "!(1)", "ro>2"]))
            .prop_map(|(n, of, change)| Pool::Of(n, Box::new(of), change)),
        1 => (truth(depth - 1), p(), p()).prop_map(|(c, a, b)| Pool::If(c, a, b)),
        1 => p().prop_map(|p| Pool::Call("best", p)),
        1 => num(depth - 1).prop_map(Pool::Hand),
    ]
    .boxed()
}

fn step(depth: u32) -> BoxedStrategy<Step> {
    let plain = prop_oneof![
        4 => num(2).prop_map(Step::Let),
        1 => truth(1).prop_map(Step::Condition),
        4 => pool(2).prop_map(Step::Pool),
        5 => (0_usize..4, num(1)).prop_map(|(at, value)| Step::Set(at, value)),
        2 => (0_usize..4, pool(1)).prop_map(|(at, value)| Step::SetPool(at, value)),
        1 => num(1).prop_map(Step::Inner),
        3 => num(2).prop_map(Step::Show),
        1 => truth(2).prop_map(Step::Flag),
    ];
    if depth == 0 {
        return plain.boxed();
    }
    let body = prop::collection::vec(step(depth - 1), 1..4);
    let repeat = (0_u8..3, prop::option::of(truth(1)), body);
    prop_oneof![
        8 => plain,
        1 => repeat.prop_map(|(count, until, body)| Step::Repeat(count, until, body)),
    ]
    .boxed()
}

fn script() -> impl Strategy<Value = String> {
    let steps = prop::collection::vec(step(2), 1..8);
    (steps, num(2)).prop_map(|(steps, last)| {
        let mut script = Script::default();
        script.steps(&steps, true);
        script.show(&last);
        script.text
    })
}

/// A tree becomes text; names are numbered as they are bound.
#[derive(Default)]
struct Script {
    text: String,
    bound: usize,
    shown: usize,
    nums: Vec<String>,
    truths: Vec<String>,
    pools: Vec<String>,
}

/// The name at a place, counted round and round; none if nothing is in scope.
fn name(names: &[String], at: usize) -> Option<&str> {
    (!names.is_empty()).then(|| names[at % names.len()].as_str())
}

impl Script {
    fn steps(&mut self, steps: &[Step], top: bool) {
        for step in steps {
            self.step(step, top);
        }
    }

    fn step(&mut self, step: &Step, top: bool) {
        match step {
            // More than three outcomes would make the comparison long, not sharper.
            Step::Show(value) if top && self.shown < 2 => self.show(value),
            Step::Flag(value) if top && self.shown < 2 => {
                let value = self.truth(value);
                let name = self.bind("show", &value);
                self.shown += 1;
                self.truths.push(name);
            }
            // A bool let counts as 0 or 1, so that every `let` can be set to a number.
            Step::Let(value) | Step::Show(value) => {
                let value = format!("0 + {}", self.num(value));
                let name = self.bind("let", &value);
                self.nums.push(name);
            }
            Step::Condition(value) | Step::Flag(value) => {
                let value = self.truth(value);
                let name = self.bind("let", &value);
                self.truths.push(name);
            }
            Step::Pool(value) => {
                let value = self.pool(value);
                let name = self.bind("let", &value);
                self.pools.push(name);
            }
            Step::Set(at, value) => {
                let (target, value) = (name(&self.nums, *at).map(str::to_owned), self.num(value));
                if let Some(target) =
                    target.filter(|name| name.starts_with('v') && !name.contains('.'))
                {
                    self.text += &format!("set {target} = {value}\n");
                }
            }
            Step::SetPool(at, value) => {
                let (target, value) = (name(&self.pools, *at).map(str::to_owned), self.pool(value));
                if let Some(target) = target {
                    self.text += &format!("set {target} = {value}\n");
                }
            }
            Step::Repeat(count, until, body) => {
                let until = until.as_ref().map(|until| self.truth(until));
                let until = until.map_or(String::new(), |until| format!("until {until} "));
                self.text += &format!("repeat {count} {until}{{\n");
                let scope = (self.nums.len(), self.truths.len(), self.pools.len());
                self.steps(body, false);
                self.nums.truncate(scope.0);
                self.truths.truncate(scope.1);
                self.pools.truncate(scope.2);
                self.text += "}\n";
            }
            Step::Inner(n) => {
                let value = format!("inner(n = {})", self.num(n));
                let name = self.bind("let", &value);
                self.nums.push(format!("{name}.rest"));
                self.truths.push(format!("{name}.even"));
            }
        }
    }

    fn show(&mut self, value: &Num) {
        let value = self.num(value);
        let name = self.bind("show", &value);
        self.shown += 1;
        // Named `s…`: what is shown is not set again.
        self.nums.push(name);
    }

    fn bind(&mut self, keyword: &str, value: &str) -> String {
        self.bound += 1;
        let letter = if keyword == "show" { 's' } else { 'v' };
        let name = format!("{letter}{}", self.bound);
        self.text += &format!("{keyword} {name} = {value}\n");
        name
    }

    fn num(&self, num: &Num) -> String {
        match num {
            Num::Plain(value) => value.to_string(),
            Num::Axis => "k".to_owned(),
            Num::Name(at) => name(&self.nums, *at).unwrap_or("1").to_owned(),
            Num::Sum(pool) => format!("sum({})", self.pool(pool)),
            Num::Infix(op, a, b) => format!("({} {op} {})", self.num(a), self.num(b)),
            Num::Times(k, a) => format!("({k} * {})", self.num(a)),
            Num::Call(function, args) => {
                let args: Vec<String> = args.iter().map(|arg| self.num(arg)).collect();
                format!("{function}({})", args.join(", "))
            }
            Num::OfPool(reading, pool) => {
                let pool = self.pool(pool);
                match *reading {
                    "nth2" => format!("nth({pool}, 2)"),
                    "low2" => format!("lowest({pool}, 2)"),
                    "map" => format!("map({pool}, odd)"),
                    // A list needs an item for every face.
                    "list" => format!("map(hand(highest({pool})), [3, 5, 1])"),
                    reading => format!("{reading}({pool})"),
                }
            }
            Num::Count(pool, op, bound) => {
                format!("count({}, {op}({}))", self.pool(pool), self.num(bound))
            }
            Num::Wins(a, b) => format!("wins({}, {})", self.pool(a), self.pool(b)),
            Num::If(condition, a, b) => {
                let (a, b) = (self.num(a), self.num(b));
                format!("(if {} then {a} else {b})", self.truth(condition))
            }
            Num::Match(subject, bound, arms) => {
                let [below, equal, above] = arms.each_ref().map(|arm| self.num(arm));
                let (subject, bound) = (self.num(subject), self.num(bound));
                format!(
                    "(match {subject} {{ < {bound}: {below}, {bound}: {equal}, else: {above} }})"
                )
            }
            Num::Item(items, at) => {
                let items = items.each_ref().map(|item| self.num(item)).join(", ");
                format!("[{items}][clamp({}, 0, 2)]", self.num(at))
            }
            Num::Halved(up, a) => {
                let rounding = if *up { "ceil" } else { "floor" };
                format!("{rounding}({} / 2)", self.num(a))
            }
            Num::PoolCall(function, pool, a) => {
                format!("{function}({}, {})", self.pool(pool), self.num(a))
            }
            Num::Inner(n) => format!("inner(n = {}).rest", self.num(n)),
        }
    }

    fn truth(&self, truth: &Truth) -> String {
        match truth {
            Truth::Compare(op, a, b) => format!("({} {op} {})", self.num(a), self.num(b)),
            Truth::Name(at) => name(&self.truths, *at).unwrap_or("true").to_owned(),
            Truth::Not(truth) => format!("(not {})", self.truth(truth)),
            Truth::Both(op, a, b) => format!("({} {op} {})", self.truth(a), self.truth(b)),
        }
    }

    fn pool(&self, pool: &Pool) -> String {
        match pool {
            Pool::Dice(count, die) => format!("{count}{die}"),
            Pool::Name(at) => name(&self.pools, *at).unwrap_or("1d3").to_owned(),
            Pool::Some(count, die) => format!("(clamp({}, 0, 2)){die}", self.num(count)),
            Pool::Keep(pool, which, amount) => {
                format!(
                    "(({}) {which} (clamp({}, 0, 3)))",
                    self.pool(pool),
                    self.num(amount)
                )
            }
            Pool::Gather(parts) => {
                let part = |part: &Part| match part {
                    Part::Dice(pool) => self.pool(pool),
                    Part::Number(num) => format!("0 + {}", self.num(num)),
                };
                let parts: Vec<String> = parts.iter().map(part).collect();
                format!("{{{}}}", parts.join(", "))
            }
            Pool::Of(count, of, change) => format!("{count}d[{}]{change}", self.num(of)),
            Pool::If(condition, a, b) => {
                let (a, b) = (self.pool(a), self.pool(b));
                format!("(if {} then {a} else {b})", self.truth(condition))
            }
            Pool::Call(function, pool) => format!("{function}({})", self.pool(pool)),
            Pool::Hand(n) => format!("hand({})", self.num(n)),
        }
    }
}

/// None if the checker refuses it: an arm of a `match` that can't be reached, say.
fn check_of(script: &str) -> Option<Check> {
    let axis = "[checks.main]\naxes.k = { domain = \"0..=3\", default = 1 }\n";
    let text = format!("{AROUND}{axis}rules = \"\"\"\n{script}\"\"\"\n");
    let model = load("random.toml", text.as_bytes());
    if let (Err(errors), Ok(_)) = (&model, std::env::var("SHOW_REFUSED")) {
        let message = errors.to_string();
        assert!(message.is_empty(), "{message}\n{script}");
    }
    model.ok()?.check("main").cloned()
}

proptest! {
    #![proptest_config(TestConfig {
        cases: std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(2000),
        max_global_rejects: u32::MAX,
        max_shrink_iters: 20_000,
        failure_persistence: Some(Box::new(FileFailurePersistence::Off)),
        ..TestConfig::default()
    })]

    #[test]
    fn scripts_have_their_odds(script in script(), k in 0_i64..3) {
        let check = check_of(&script);
        prop_assume!(check.is_some());
        let check = check.expect("just checked");
        let mut config = check.defaults();
        config.0[0] = k;
        let joint = oracle::joint(&check, &config, MOST_TRIALS);
        prop_assume!(joint.is_some());
        let complaint = compare::agrees(&check, &config, &joint.expect("just checked"));
        prop_assert!(complaint.is_ok(), "k = {k}\n{script}{}", complaint.unwrap_err());
    }
}
