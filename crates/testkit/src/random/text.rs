//! Scripts as text, made of trees.

use super::trees::{Num, Pool, PoolPart, Round, Step, Tree, Truth, Until};

/// The script of a tree, and what its choices strive for, if there are any.
#[must_use]
pub fn script(tree: &Tree) -> (String, Option<String>) {
    risky_script(tree, Risks::default())
}

/// The script of a tree, in which some rules may be such as can't be carried out.
#[must_use]
pub fn risky_script(tree: &Tree, risks: Risks) -> (String, Option<String>) {
    let mut script = Script {
        risks,
        ..Script::default()
    };
    script.steps(&tree.steps, true);
    script.show(&tree.last);
    let terms = tree.goal.iter().map(|(factor, at)| {
        let shown = name(&script.shown, *at).expect("something is shown");
        format!("{factor} * {shown}")
    });
    let goal = terms.collect::<Vec<String>>().join(" + ");
    let chooses = ["choose ", "oppose "]
        .iter()
        .any(|word| script.text.contains(word));
    (script.text, chooses.then_some(goal))
}

/// The script of a track.
#[must_use]
pub fn track(round: &Round) -> String {
    let mut script = Script {
        is_bounded: true,
        ..Script::default()
    };
    script.steps(&round.before, true);
    // What the first round shows needs a first round.
    let shows = |step: &Step| matches!(step, Step::Show(_) | Step::Flag(_));
    let most = if round.body.iter().any(shows) { 0 } else { 1 };
    let counters = round.starts.map(|start| {
        let start = start.min(most);
        let name = script.bind("let", &start.to_string());
        script.nums.push(name.clone());
        name
    });
    let sums = round.sums.iter().enumerate();
    let sums: Vec<String> = sums.map(|(at, _)| format!("sum{at}")).collect();
    for sum in &sums {
        script.text += &format!("let {sum} = 0\n");
    }
    let [one, two] = &counters;
    let until = match round.until {
        Until::Full(full) => format!("{one} >= {full}"),
        Until::Both(full) => format!("{one} >= {full} and {two} >= {full}"),
        Until::FullOrLate(full, late) => format!("{one} >= {full} or rolls == {late}"),
    };
    script.text += &format!("repeat until {until} {{\n");
    let scope = script.scope();
    script.steps(&round.body, true);
    for (counter, gain) in counters.iter().zip(&round.gains) {
        let gain = script.num(gain);
        let more = format!("min({counter} + clamp({gain}, 0, 2), 3)");
        let value = match round.is_idle_at_0 {
            true => format!("if k > 0 then {more} else {counter}"),
            false => more,
        };
        script.text += &format!("set {counter} = {value}\n");
    }
    for (sum, (gain, condition)) in sums.iter().zip(&round.sums) {
        let more = format!("{sum} + clamp({}, 0, 2)", script.num(gain));
        let value = match condition {
            None => more,
            Some(condition) => {
                format!("if {} then {more} else {sum}", script.truth(condition))
            }
        };
        script.text += &format!("set {sum} = {value}\n");
    }
    script.close(scope);
    for value in &round.after {
        script.show(value);
    }
    for sum in &sums {
        script.text += &format!("show paid_{sum} = {sum}\n");
    }
    script.text
}

/// Risks: what is not made safe in a script.
#[derive(Clone, Copy, Debug, Default)]
pub struct Risks {
    /// Places in lists.
    pub items: bool,
    /// Counts of dice, and how many are kept.
    pub counts: bool,
    /// Divisors, and the sides of dice: both are 0 for some `k`.
    pub zeros: bool,
    /// Sums near the end of 64 bits, which may be multiplied by 0.
    pub sums: bool,
}

/// A tree becomes text; names are numbered as they are bound.
#[derive(Default)]
struct Script {
    text: String,
    bound: usize,
    shown: Vec<String>,
    /// Whether what is `set` stays within bounds, round after round.
    is_bounded: bool,
    risks: Risks,
    nums: Vec<String>,
    truths: Vec<String>,
    pools: Vec<String>,
    /// Lists with their lengths.
    lists: Vec<(String, usize)>,
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
            Step::Show(value) if top && self.shown.len() < 2 => self.show(value),
            Step::Flag(value) if top && self.shown.len() < 2 => {
                let value = self.truth(value);
                let name = self.bind("show", &value);
                self.shown.push(name.clone());
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
                let target = target.filter(|name| name.starts_with('v') && !name.contains('.'));
                if let Some(target) = target.filter(|name| !self.shown.contains(name)) {
                    let value = if self.is_bounded {
                        format!("clamp({value}, 0, 3)")
                    } else {
                        value
                    };
                    self.text += &format!("set {target} = {value}\n");
                }
            }
            Step::SetPool(..) if self.is_bounded => {}
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
                let scope = self.scope();
                self.steps(body, false);
                self.close(scope);
            }
            Step::For(count, body) => {
                self.bound += 1;
                let name = format!("i{}", self.bound);
                self.text += &format!("for {name} in 0..={count} - 1 {{\n");
                let scope = self.scope();
                self.nums.push(name);
                self.steps(body, false);
                self.close(scope);
            }
            Step::List(items, last) => {
                let [first, second] = items.each_ref().map(|item| self.item(item));
                let name = self.next_name("l");
                self.text += &format!("let {name} = [{first}, {second}: {last}]\n");
                self.lists.push((name, 1 + usize::from(*last)));
            }
            Step::SetMember(list, at, value) => {
                if let Some((list, length)) = self.list(*list) {
                    let (at, value) = (self.place(at, length), self.item(value));
                    self.text += &format!("set {list}[{at}] = {value}\n");
                }
            }
            Step::SetList(list, sorts) => {
                if let Some((list, length)) = self.list(*list) {
                    let moved = (1..=length).map(|at| format!("{list}[{}]", at % length));
                    let value = match sorts {
                        true => format!("sorted({list})"),
                        false => format!("[{}]", moved.collect::<Vec<String>>().join(", ")),
                    };
                    self.text += &format!("set {list} = {value}\n");
                }
            }
            Step::Inner(n) => {
                let value = format!("inner(n = {})", self.num(n));
                let name = self.bind("let", &value);
                self.nums.push(format!("{name}.rest"));
                self.truths.push(format!("{name}.even"));
            }
            Step::Choose(party, low, more, condition) => {
                let low = self.num(low);
                let name = self.next_name("v");
                self.nums.push(name.clone());
                let condition = condition.as_ref().map(|condition| self.truth(condition));
                // The first option is always allowed.
                let condition = condition.map_or(String::new(), |condition| {
                    format!(" where {name} == {low} or {condition}")
                });
                let word = party.keyword();
                self.text += &format!("{word} {name} in {low}..={low} + {more}{condition}\n");
            }
            Step::PoolPart(party, pool, condition) => {
                let pool = self.pool(pool);
                let name = self.next_name("v");
                self.pools.push(name.clone());
                let condition = condition.as_ref().map(|condition| self.truth(condition));
                let condition = condition.map_or(String::new(), |condition| {
                    format!(" where size({name}) == 0 or {condition}")
                });
                let word = party.keyword();
                self.text += &format!("{word} {name} in subsets({pool}){condition}\n");
            }
        }
    }

    /// The list that a place among them means, with its length.
    fn list(&self, at: usize) -> Option<(String, usize)> {
        let count = self.lists.len();
        (count > 0).then(|| self.lists[at % count].clone())
    }

    /// The value of an item of a list.
    fn item(&self, value: &Num) -> String {
        let value = self.num(value);
        match self.is_bounded {
            true => format!("clamp({value}, 0, 3)"),
            false => format!("0 + {value}"),
        }
    }

    /// A place in a list, fixed as often as not.
    fn place(&self, at: &Num, length: usize) -> String {
        match at {
            Num::Plain(at) => (usize::from(at.unsigned_abs()) % length).to_string(),
            _ if self.risks.items => self.num(at),
            _ => format!("clamp({}, 0, {})", self.num(at), length - 1),
        }
    }

    fn scope(&self) -> [usize; 4] {
        [
            self.nums.len(),
            self.truths.len(),
            self.pools.len(),
            self.lists.len(),
        ]
    }

    /// Ends a block.
    fn close(&mut self, [nums, truths, pools, lists]: [usize; 4]) {
        self.nums.truncate(nums);
        self.truths.truncate(truths);
        self.pools.truncate(pools);
        self.lists.truncate(lists);
        self.text += "}\n";
    }

    fn show(&mut self, value: &Num) {
        if let Some(own) = self.own_name(value) {
            self.text += &format!("show {own}\n");
            self.shown.push(own);
            return;
        }
        let value = self.num(value);
        let name = self.bind("show", &value);
        self.shown.push(name.clone());
        // Named `s…`: what is shown is not set again.
        self.nums.push(name);
    }

    /// The name that a number is shown under that has one. What a track has named it goes on to change.
    fn own_name(&self, value: &Num) -> Option<String> {
        let Num::Name(at) = value else { return None };
        let own = name(&self.nums, *at).filter(|name| name.starts_with('v') && !name.contains('.'));
        let own =
            own.filter(|name| !self.is_bounded && !self.shown.iter().any(|shown| shown == name));
        own.map(str::to_owned)
    }

    fn bind(&mut self, keyword: &str, value: &str) -> String {
        let name = self.next_name(if keyword == "show" { "s" } else { "v" });
        self.text += &format!("{keyword} {name} = {value}\n");
        name
    }

    fn next_name(&mut self, letter: &str) -> String {
        self.bound += 1;
        format!("{letter}{}", self.bound)
    }

    fn num(&self, num: &Num) -> String {
        match num {
            Num::Plain(value) => value.to_string(),
            Num::Axis => "k".to_owned(),
            Num::Name(at) => name(&self.nums, *at).unwrap_or("1").to_owned(),
            Num::Sum(pool) => format!("sum({})", self.pool(pool)),
            Num::Infix(op, a, b) => format!("({} {op} {})", self.num(a), self.num(b)),
            Num::Times(k, a) if self.risks.sums => {
                format!("({} * ({} + {}))", k.signum(), self.num(a), i64::MAX - 3)
            }
            Num::Times(k, a) => format!("({k} * {})", self.num(a)),
            Num::Call(function, args) => {
                let args: Vec<String> = args.iter().map(|arg| self.num(arg)).collect();
                format!("{function}({})", args.join(", "))
            }
            Num::OfPool(reading, pool) => {
                let pool = self.pool(pool);
                match *reading {
                    "nth2" => format!("nth({pool}, 2)"),
                    "match_face2" => format!("match_face({pool}, 2)"),
                    "star" => format!("count({{{pool}, 2d{{rune}}}}, star)"),
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
            Num::Fold(rule, a, b) => self.fold(*rule, a, b.as_deref()),
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
                if self.risks.items {
                    return format!("[{items}][{}]", self.num(at));
                }
                format!("[{items}][clamp({}, 0, 2)]", self.num(at))
            }
            Num::Divided(division, a, by) => {
                let by = match **by {
                    _ if self.risks.zeros => "(k - 1)".to_owned(),
                    Num::Plain(_) => "2".to_owned(),
                    _ => format!("(abs({}) + 1)", self.num(by)),
                };
                let sign = if *division == "mod" { "," } else { " /" };
                format!("{division}({}{sign} {by})", self.num(a))
            }
            Num::PoolCall(function, pool, a) => {
                format!("{function}({}, {})", self.pool(pool), self.num(a))
            }
            Num::Inner(n) => format!("inner(n = {}).rest", self.num(n)),
            Num::Bold(n) => format!("bold(need = {}).got", self.num(n)),
            Num::Member(list, at) => match self.list(*list) {
                Some((list, length)) => format!("{list}[{}]", self.place(at, length)),
                None => self.num(at),
            },
            Num::OfList(reading, list, a) => match self.list(*list) {
                Some((list, _)) if ["count", "index"].contains(reading) => {
                    format!("{reading}({list}, >= {})", self.num(a))
                }
                Some((list, _)) => format!("{reading}({list})"),
                None => self.num(a),
            },
        }
    }

    /// What is carried from face to face, over one pool or two: with each rule what faces and numbers of dice decide, and
    /// what was carried so far.
    fn fold(&self, rule: u8, a: &Pool, b: Option<&Pool>) -> String {
        let (n, more, pools) = match b {
            None => ("n", "n", format!("n of {}", self.pool(a))),
            Some(b) => (
                "(n - m)",
                "m",
                format!("n of {}, m of {}", self.pool(a), self.pool(b)),
            ),
        };
        let (with, steps) = match rule {
            0 => ("x = 0".to_owned(), format!("set x = max(x, f * {n})")),
            1 => ("x = 1".to_owned(), format!("set x = x + odd({n}) - f")),
            2 => (
                "x = 0, last = 9".to_owned(),
                format!("set x = x + (last == f + 1) + {more}\nset last = f"),
            ),
            3 => (
                "x = k, seen = false".to_owned(),
                format!(
                    "let big = {n} > 1 or f == k\nset x = if seen then x - {more} else x + f\nset seen = seen or big"
                ),
            ),
            4 => (
                "x = 0, y = 1".to_owned(),
                format!("set y = if f > 1 then y + {n} else 2 - y\nset x = x + y"),
            ),
            5 => {
                let (first, second) = (name(&self.nums, 0), name(&self.nums, 1));
                (
                    format!("x = {}", second.unwrap_or("2")),
                    format!(
                        "let more = min(f, {}) * {n}\nset x = x + more",
                        first.unwrap_or("k")
                    ),
                )
            }
            6 => {
                let read = name(&self.pools, 0).map(|pool| format!("sum({pool})"));
                let read = read.unwrap_or("k".to_owned());
                (
                    "x = 0".to_owned(),
                    format!("set x = x + twice({n} + {read})"),
                )
            }
            7 => {
                let read = name(&self.pools, 0).unwrap_or("2d2");
                (
                    "x = 0".to_owned(),
                    format!("set x = x + {n} * count({read}, >= f)"),
                )
            }
            8 => {
                let read = name(&self.pools, 0).unwrap_or("2d2");
                let bound = name(&self.nums, 0).unwrap_or("x");
                (
                    "x = 0".to_owned(),
                    format!(
                        "set x = x + f * (fold h, l of {read} with y = 0 {{ set y = y + (h < {bound}) * l + f }})"
                    ),
                )
            }
            _ if self.risks.zeros => (
                "x = 0".to_owned(),
                format!("set x = floor((x + f) / ({n} + k - 1))"),
            ),
            _ => ("x = 3".to_owned(), format!("set x = mod(x + {n} * f, 4)")),
        };
        format!("(fold f, {pools} with {with} {{ {steps} }})")
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
            Pool::Dice(count, "d2") if self.risks.zeros => format!("{count}d(k)"),
            Pool::Dice(count, die) => format!("{count}{die}"),
            Pool::Name(at) => name(&self.pools, *at).unwrap_or("1d3").to_owned(),
            Pool::Some(count, die) if self.risks.counts => {
                format!("(min({}, 2)){die}", self.num(count))
            }
            Pool::Some(count, "d2") if self.risks.zeros => {
                format!("(clamp({}, 0, 2))d(k)", self.num(count))
            }
            Pool::Some(count, die) => format!("(clamp({}, 0, 2)){die}", self.num(count)),
            Pool::Keep(pool, which, amount) if self.risks.counts => {
                format!("(({}) {which} ({}))", self.pool(pool), self.num(amount))
            }
            Pool::Keep(pool, which, amount) => {
                format!(
                    "(({}) {which} (clamp({}, 0, 3)))",
                    self.pool(pool),
                    self.num(amount)
                )
            }
            Pool::Gather(parts) => {
                let part = |part: &PoolPart| match part {
                    PoolPart::Dice(pool) => self.pool(pool),
                    PoolPart::Number(num) => format!("0 + {}", self.num(num)),
                };
                let parts: Vec<String> = parts.iter().map(part).collect();
                format!("{{{}}}", parts.join(", "))
            }
            Pool::Of(count, of, change) => format!("{count}d[{}]{change}", self.num(of)),
            Pool::Sides(count, sides) => format!("{count}d(clamp({}, 1, 3))", self.num(sides)),
            Pool::Faces(weight, to) => {
                let (weight, to) = (self.num(weight), self.num(to));
                format!("d{{0: clamp({weight}, 0, 1), 1..=clamp({to}, 1, 2)}}")
            }
            Pool::Draw(count, copies) => {
                let (count, copies) = (self.num(count), self.num(copies));
                format!("draw(clamp({count}, 0, 2), {{1: clamp({copies}, 1, 2), 3: 1}})")
            }
            Pool::If(condition, a, b) => {
                let (a, b) = (self.pool(a), self.pool(b));
                format!("(if {} then {a} else {b})", self.truth(condition))
            }
            Pool::Each(function, pool) => format!("each({}, {function})", self.pool(pool)),
            Pool::Call(function, pool) => format!("{function}({})", self.pool(pool)),
            Pool::Hand(n) => format!("hand({})", self.num(n)),
        }
    }
}
