//! Scripts as trees, whose names are places in what is in scope: whatever a tree is shrunk to is well formed.

use oddsmith_rules::program::Party;
use proptest::prelude::*;

/// A number.
#[derive(Clone, Debug)]
pub(super) enum Num {
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
    /// What is carried from face to face: which of some rules, over one pool or two.
    Fold(u8, Box<Pool>, Option<Box<Pool>>),
    If(Box<Truth>, Box<Num>, Box<Num>),
    Match(Box<Num>, Box<Num>, Box<[Num; 3]>),
    Item(Box<[Num; 3]>, Box<Num>),
    /// By a number that is never 0.
    Divided(&'static str, Box<Num>, Box<Num>),
    PoolCall(&'static str, Box<Pool>, Box<Num>),
    Inner(Box<Num>),
    Bold(Box<Num>),
    /// An item of a list with a name, at a number's place.
    Member(usize, Box<Num>),
    /// What is read of a list, which may be compared with a number.
    OfList(&'static str, usize, Box<Num>),
}

/// A condition.
#[derive(Clone, Debug)]
pub(super) enum Truth {
    Compare(&'static str, Num, Num),
    Name(usize),
    Not(Box<Truth>),
    Both(&'static str, Box<Truth>, Box<Truth>),
}

/// Dice.
#[derive(Clone, Debug)]
pub(super) enum Pool {
    Dice(u8, &'static str),
    Name(usize),
    Some(Num, &'static str),
    Keep(Box<Pool>, &'static str, Num),
    Gather(Vec<PoolPart>),
    Of(u8, Box<Num>, &'static str),
    /// Dice, faces and a bag that are chosen in play.
    Sides(u8, Box<Num>),
    Faces(Box<Num>, Box<Num>),
    Draw(Box<Num>, Box<Num>),
    If(Truth, Box<Pool>, Box<Pool>),
    Call(&'static str, Box<Pool>),
    Each(&'static str, Box<Pool>),
    Hand(Num),
}

/// A part of a pool.
#[derive(Clone, Debug)]
pub(super) enum PoolPart {
    Dice(Pool),
    Number(Num),
}

#[derive(Clone, Debug)]
pub(super) enum Step {
    Show(Num),
    Flag(Truth),
    Let(Num),
    Condition(Truth),
    Pool(Pool),
    Set(usize, Num),
    SetPool(usize, Pool),
    Repeat(u8, Option<Truth>, Vec<Step>),
    /// So many passes.
    For(u8, Vec<Step>),
    /// A list, whose last item stands there so often.
    List(Box<[Num; 2]>, u8),
    /// An item of a list, at a number's place.
    SetMember(usize, Num, Num),
    /// All items of a list, sorted or moved by one place.
    SetList(usize, bool),
    Inner(Num),
    /// From a number on, so many more, and which of those.
    Choose(Party, Num, u8, Option<Truth>),
    /// A part of a pool.
    PoolPart(Party, Pool, Option<Truth>),
}

/// A whole script.
#[derive(Clone, Debug)]
pub struct Tree {
    pub(super) steps: Vec<Step>,
    /// What is shown in any case.
    pub(super) last: Num,
    /// What is striven for: so many times what is shown in these places.
    pub(super) goal: [(i8, usize); 2],
}

/// A track.
#[derive(Clone, Debug)]
pub struct Round {
    pub(super) before: Vec<Step>,
    /// Where the two counters begin.
    pub(super) starts: [u8; 2],
    pub(super) body: Vec<Step>,
    /// What the counters get in a round.
    pub(super) gains: [Num; 2],
    /// Whether they get it only where the axis is not 0: at 0 no round changes them.
    pub(super) is_idle_at_0: bool,
    /// What a sum gets, and when.
    pub(super) sums: Vec<(Num, Option<Truth>)>,
    pub(super) until: Until,
    pub(super) after: Vec<Num>,
}

/// When a track is over.
#[derive(Clone, Copy, Debug)]
pub(super) enum Until {
    Full(u8),
    Both(u8),
    FullOrLate(u8, u8),
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
        "size",
        "highest",
        "lowest",
        "matches",
        "nth2",
        "map",
        "list",
        "low2",
        "match_face",
        "match_face2",
        "distinct",
        "straight",
        "straight_face",
        "star",
    ];
    let comparison = || prop::sample::select(vec!["", "< ", ">= "]);
    let of_list = vec!["sum", "size", "highest", "lowest", "count", "index"];
    let of_list = prop::sample::select(of_list);
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
        3 => (0_u8..10, p(), prop::option::of(p())).prop_map(|(rule, a, b)| Num::Fold(rule, a, b)),
        3 => (truth(depth - 1), n(), n()).prop_map(|(c, a, b)| Num::If(Box::new(c), a, b)),
        2 => (n(), n(), three()).prop_map(|(s, k, arms)| Num::Match(s, k, arms)),
        1 => (three(), n()).prop_map(|(items, at)| Num::Item(items, at)),
        2 => (prop::sample::select(vec!["floor", "ceil", "mod"]), n(), n())
            .prop_map(|(division, a, b)| Num::Divided(division, a, b)),
        1 => (prop::sample::select(vec!["below", "mix"]), p(), n())
            .prop_map(|(f, a, b)| Num::PoolCall(f, a, b)),
        1 => n().prop_map(Num::Inner),
        1 => n().prop_map(Num::Bold),
        2 => (0_usize..3, n()).prop_map(|(list, at)| Num::Member(list, at)),
        2 => (of_list, 0_usize..3, n()).prop_map(|(f, list, a)| Num::OfList(f, list, a)),
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
    let n = || num(depth - 1).prop_map(Box::new);
    let keep = prop::sample::select(vec!["kh", "kl", "dh", "dl"]);
    let part = prop_oneof![
        3 => pool(depth - 1).prop_map(PoolPart::Dice),
        1 => num(depth - 1).prop_map(PoolPart::Number)
    ];
    prop_oneof![
        5 => leaf,
        1 => (num(depth - 1), die()).prop_map(|(n, die)| Pool::Some(n, die)),
        4 => (p(), keep, num(depth - 1)).prop_map(|(p, k, n)| Pool::Keep(p, k, n)),
        2 => prop::collection::vec(part, 0..3).prop_map(Pool::Gather),
        1 => (0_u8..3, num(depth - 1), prop::sample::select(vec!["", "!(1)", "ro>2"]))
            .prop_map(|(n, of, change)| Pool::Of(n, Box::new(of), change)),
        1 => (0_u8..3, n()).prop_map(|(count, sides)| Pool::Sides(count, sides)),
        1 => (n(), n()).prop_map(|(weight, to)| Pool::Faces(weight, to)),
        1 => (n(), n()).prop_map(|(count, copies)| Pool::Draw(count, copies)),
        1 => (truth(depth - 1), p(), p()).prop_map(|(c, a, b)| Pool::If(c, a, b)),
        1 => p().prop_map(|p| Pool::Call("best", p)),
        2 => (prop::sample::select(vec!["odd", "twice"]), p()).prop_map(|(f, p)| Pool::Each(f, p)),
        1 => num(depth - 1).prop_map(Pool::Hand),
    ]
    .boxed()
}

/// A number that is known when it is written: nothing is rolled for it.
fn known() -> BoxedStrategy<Num> {
    let reading = prop::sample::select(vec!["size", "highest", "lowest", "matches"]);
    let of_pool = (reading, 0_usize..6)
        .prop_map(|(reading, at)| Num::OfPool(reading, Box::new(Pool::Name(at))));
    prop_oneof![
        2 => (0_i8..4).prop_map(Num::Plain),
        1 => Just(Num::Axis),
        4 => (0_usize..8).prop_map(Num::Name),
        2 => of_pool,
    ]
    .boxed()
}

fn known_truth() -> impl Strategy<Value = Truth> {
    let op = prop::sample::select(vec!["==", "!=", "<", "<=", ">", ">="]);
    (op, known(), known()).prop_map(|(op, a, b)| Truth::Compare(op, a, b))
}

fn choice() -> impl Strategy<Value = Step> {
    let party = || prop_oneof![2 => Just(Party::Player), 1 => Just(Party::Opponent)];
    let range = (party(), known(), 0_u8..3, prop::option::of(known_truth()));
    let part = (party(), pool(1), prop::option::of(known_truth()));
    prop_oneof![
        3 => range.prop_map(|(own, low, more, condition)| Step::Choose(own, low, more, condition)),
        1 => part.prop_map(|(own, pool, condition)| Step::PoolPart(own, pool, condition)),
    ]
}

fn step(depth: u32, chooses: bool) -> BoxedStrategy<Step> {
    let place = prop_oneof![1 => (0_i8..3).prop_map(Num::Plain), 1 => num(1)];
    let plain = prop_oneof![
        4 => num(2).prop_map(Step::Let),
        1 => truth(1).prop_map(Step::Condition),
        4 => pool(2).prop_map(Step::Pool),
        5 => (0_usize..4, num(1)).prop_map(|(at, value)| Step::Set(at, value)),
        2 => (0_usize..4, pool(1)).prop_map(|(at, value)| Step::SetPool(at, value)),
        2 => num(1).prop_map(Step::Inner),
        2 => ([num(1), num(1)], 1_u8..3).prop_map(|(items, last)| Step::List(Box::new(items), last)),
        2 => (0_usize..3, place, num(1)).prop_map(|(list, at, value)| Step::SetMember(list, at, value)),
        1 => (0_usize..3, any::<bool>()).prop_map(|(list, sorts)| Step::SetList(list, sorts)),
        3 => num(2).prop_map(Step::Show),
        1 => truth(2).prop_map(Step::Flag),
    ];
    let plain = if chooses {
        prop_oneof![3 => plain, 1 => choice()].boxed()
    } else {
        plain.boxed()
    };
    if depth == 0 {
        return plain;
    }
    let body = || prop::collection::vec(step(depth - 1, chooses), 1..4);
    let repeat = (0_u8..3, prop::option::of(truth(1)), body());
    prop_oneof![
        16 => plain,
        2 => repeat.prop_map(|(count, until, body)| Step::Repeat(count, until, body)),
        1 => (0_u8..3, body()).prop_map(|(count, body)| Step::For(count, body)),
    ]
    .boxed()
}

/// A script, with choices or without.
pub fn script(chooses: bool) -> impl Strategy<Value = Tree> {
    let steps = prop::collection::vec(step(2, chooses), 1..8);
    let term = || (-2_i8..4, 0_usize..3);
    (steps, num(2), [term(), term()]).prop_map(|(steps, last, goal)| Tree { steps, last, goal })
}

/// A track that may well be over some time.
pub fn track() -> impl Strategy<Value = Round> {
    let steps = |most| prop::collection::vec(step(1, false), 0..most);
    let until = prop_oneof![
        2 => (1_u8..4).prop_map(Until::Full),
        1 => (1_u8..3).prop_map(Until::Both),
        1 => (1_u8..4, 1_u8..4).prop_map(|(full, late)| Until::FullOrLate(full, late)),
    ];
    let sum = (num(1), prop::option::of(truth(1)));
    let sums = prop::collection::vec(sum, 0..3);
    let after = prop::collection::vec(num(1), 0..2);
    let gains = [num(1), num(1)];
    let is_idle_at_0 = prop::bool::weighted(0.25);
    let counters = ([0_u8..2, 0_u8..2], gains, is_idle_at_0, until);
    (steps(3), counters, steps(4), sums, after).prop_map(
        |(before, (starts, gains, is_idle_at_0, until), body, sums, after)| Round {
            before,
            starts,
            body,
            gains,
            is_idle_at_0,
            sums,
            until,
            after,
        },
    )
}
