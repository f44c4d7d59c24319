//! When to spend what over a scene: several checks, and a pool of points for all of them.
//!
//! A scene with n checks to come and e points left is worth `V(n, e) = E[max u + V(n - 1, e - spent)]`, where u is what
//! the outcome of the next check is worth, the maximum is over all that may be chosen in it, and `V(0, e) = 0`. So the
//! values are found from the last check to the first, as exact fractions: every check is played once for each number
//! of points, for the best mean of what its outcomes are worth with all that follows. A check may give points back, `spent`
//! below 0: then there are more for the rest, though no more than the scene began with. With several resources `e` is how many
//! points of each are left. One more than all of them is a scene that began with one more.

mod code;
mod holdings;
mod scene;
mod solve;
mod worth_to_go;

use std::sync::atomic::AtomicBool;

use oddsmith_exact::Budget;
use oddsmith_rules::program::{Expr, Kind, Options, Statement, VarId};
use oddsmith_rules::{Check, Domain, Outlay, Spending};

use code::Code;
use holdings::Holdings;
pub use scene::{Allowance, Error, Manner, Played, Scene, ScenePlan, State, Tally, Turn};
use solve::{Limits, Purse, Solver, Way};

/// The best plan for a scene. Results do not depend on the number of threads.
///
/// For each check, each number of points and each way to play, a check is played once; those that choose nothing are
/// rolled once for all.
///
/// # Errors
/// If a check can't be answered, as for [`oddsmith_exact::answers`]; or if whatever is chosen spends more than there is.
///
/// ```
/// use oddsmith_analysis::plan::{Scene, plan};
/// use oddsmith_exact::Budget;
/// use oddsmith_rules::{ResourceRequest, load};
///
/// let rules = r#"
/// name = "Push"
/// [checks.check]
/// bands = ["Miss", "Hit"]
/// axes.luck = { default = 0, domain = "0..=3" }
/// rules = """
/// show total = 1d6 + luck
/// show band = if total >= 6 then Hit else Miss
/// """
/// "#;
/// let model = load("push.toml", rules.as_bytes()).unwrap();
/// let request = ResourceRequest { axis: "luck".to_owned(), ..ResourceRequest::default() };
/// let spending = model.checks[0].spending(&[request]).unwrap();
/// let scene = Scene { checks: vec![spending.check.defaults(); 2], pool: vec![3] };
/// let plan = plan(&spending, &scene, &Budget::unlimited()).unwrap();
/// // Each point is a sixth of a Hit, whenever it is spent.
/// assert_eq!(plan.turns[0].states[3].as_ref().unwrap().value.to_string(), "5/6");
/// ```
pub fn plan(spending: &Spending, scene: &Scene, budget: &Budget) -> Result<ScenePlan, Error> {
    let pool: Vec<i64> = scene.pool.iter().map(|pool| i64::from(*pool)).collect();
    let most: Vec<i64> = pool.iter().map(|pool| pool + 1).collect();
    let code = Code::new(spending, most.clone());
    let check = code.coded(spending);
    let cap = |(outlay, most): (&Outlay, &i64)| {
        let (_, cap) = check.inputs[outlay.axis.0].domain.bounds();
        cap.min(*most)
    };
    let caps: Vec<i64> = spending.outlays.iter().zip(&most).map(cap).collect();
    let solver = Solver {
        check: &check,
        spending,
        code: &code,
        scene,
        budget,
        pool: &pool,
        holdings: Holdings::new(most),
        settings: Holdings::new(caps.clone()),
        gives_back: AtomicBool::new(false),
    };
    solver.charge()?;
    let limits = solver.limits(&caps)?;
    let purse = |(outlay, limits): (&Outlay, &Limits)| Purse {
        labels: labels(spending, outlay, *limits),
        limits: *limits,
        abstains: None,
    };
    let own = Way {
        purses: spending.outlays.iter().zip(&limits).map(purse).collect(),
        looks_ahead: true,
    };
    let best = solver.solve(&own)?;
    let with_pool = |manner, pool: &[i64]| -> Result<Played, Error> {
        let begun = solver.begun_with(pool, &own, |own, plays| own.tally(plays, pool))?;
        let result = begun.unwrap_or_else(|| solver.tally(&best, pool));
        Ok(Played { manner, result })
    };
    let mut ways = vec![with_pool(Manner::Never, &vec![0; pool.len()])?];
    if pool.len() > 1 {
        for at in 0..pool.len() {
            let mut pool = pool.clone();
            pool[at] = 0;
            ways.push(with_pool(Manner::Without(at), &pool)?);
        }
    }
    for (manner, way) in others(spending, &own) {
        let plays = solver.solve(&way)?;
        let result = solver.tally(&plays, &pool);
        solver.release(&plays);
        ways.push(Played { manner, result });
    }
    let result = solver.tally(&best, &pool);
    ways.push(Played {
        manner: Manner::Best,
        result: Some(result.ok_or(Error::Unaffordable)?),
    });
    let allowance = |(cap, limits): (&i64, &Limits)| Allowance {
        cap: *cap,
        is_before: *limits == Limits::Any,
    };
    let mut turns = solver.turns(&best);
    solver.price_full_pools(&mut turns, &own)?;
    Ok(ScenePlan {
        ways,
        turns,
        allowances: caps.iter().zip(&limits).map(allowance).collect(),
    })
}

/// The kind of number that is chosen in a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// No or yes: numbers, of which none is beyond 0 and 1 whatever is set.
    YesOrNo,
    /// Points: numbers up to one that is made of those that may be spent.
    Points,
    /// Any other number.
    Other,
}

impl Chosen {
    /// The kind of the choice of that name in a check on which points are spent; `is_points` says what how many may be spent is.
    #[must_use]
    pub fn of(check: &Check, name: &str, is_points: &dyn Fn(&Kind) -> bool) -> Self {
        let program = check.program();
        let is_it = |var: VarId| program.variable(var).name() == name;
        match range_of(program.statements(), &is_it) {
            Some((from, to)) if is_small(from) && is_small(to) => Self::YesOrNo,
            Some((_, to)) if to.any(&mut |part| is_points(&part.kind)) => Self::Points,
            _ => Self::Other,
        }
    }
}

/// The ends of the numbers among which a variable is chosen, if it is.
fn range_of<'s>(
    statements: &'s [Statement],
    is_it: &impl Fn(VarId) -> bool,
) -> Option<(&'s Expr, &'s Expr)> {
    statements.iter().find_map(|statement| match statement {
        Statement::Choose {
            var,
            options: Options::Range(from, to),
            ..
        } if is_it(*var) => Some((from, to)),
        Statement::Repeat { body, .. } => range_of(body, is_it),
        _ => None,
    })
}

/// Whether it is 0 or 1, whatever its conditions are.
fn is_small(end: &Expr) -> bool {
    match &end.kind {
        Kind::Const(value) => (0..=1).contains(value),
        Kind::If {
            then, otherwise, ..
        } => is_small(then) && is_small(otherwise),
        _ => false,
    }
}

/// The values that the best plan may give to the axis of the ways to spend a resource, its own first: no others where the
/// check itself leaves the choice to the player.
fn labels(spending: &Spending, outlay: &Outlay, limits: Limits) -> Vec<Option<i64>> {
    let own = outlay.policy.map(|(_, value)| value);
    let mut labels = vec![own];
    if limits == Limits::Any {
        labels.extend(named_labels(&spending.check, outlay).map(Some));
    }
    labels
}

/// The labels of the axis that tells ways of spending a resource apart, but for the one that leaves it to the player.
pub fn named_labels(check: &Check, outlay: &Outlay) -> impl Iterator<Item = i64> + use<> {
    let others = outlay.policy.map(|(axis, own)| {
        let domain = &check.inputs[axis.0].domain;
        let (low, high) = match domain {
            Domain::Choice(_) => domain.bounds(),
            Domain::Range(..) => (own, own),
        };
        (low..=high).filter(move |label| *label != own)
    });
    others.into_iter().flatten()
}

/// The ways to play that the best one is compared with.
fn others(spending: &Spending, best: &Way) -> Vec<(Manner, Way)> {
    let mut ways = Vec::new();
    for (at, outlay) in spending.outlays.iter().enumerate() {
        let most = |label| {
            let mut way = best.clone();
            way.purses[at] = Purse {
                labels: vec![label],
                limits: Limits::Most,
                abstains: outlay.policy.map(|(_, own)| own),
            };
            way
        };
        if outlay.spent.is_none() && outlay.policy.is_none() {
            ways.push((Manner::Always(at), most(None)));
        }
        let by_label = |label| (Manner::Named(at, label), most(Some(label)));
        ways.extend(named_labels(&spending.check, outlay).map(by_label));
    }
    let greedy = Way {
        looks_ahead: false,
        ..best.clone()
    };
    ways.push((Manner::Greedy, greedy));
    ways
}
