//! When to spend what over a scene: several checks, and a pool of points for all of them.
//!
//! A scene with n checks to come and e points left is worth `V(n, e) = E[max u + V(n - 1, e - spent)]`, where u is what
//! the outcome of the next check is worth, the maximum is over all that may be chosen in it, and `V(0, e) = 0`. So the
//! values are found from the last check to the first, as exact fractions: every check is played once for each number
//! of points, for the best mean of what its outcomes are worth with all that follows. A check may give points back, `spent`
//! below 0: then there are more for the rest, though no more than the scene began with.

mod code;
mod scene;
mod solve;
mod worth_to_go;

use oddsmith_exact::Budget;
use oddsmith_rules::program::{Expr, InputId, Kind, Options, Statement, VarId};
use oddsmith_rules::{Domain, Spending};

use code::Code;
pub use scene::{Error, Manner, Played, Scene, ScenePlan, State, Tally, Turn};
use solve::{Limits, Solver, Way};

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
/// let spending = model.checks[0].spending(&request).unwrap();
/// let scene = Scene { checks: vec![spending.check.defaults(); 2], pool: 3 };
/// let plan = plan(&spending, &scene, &Budget::unlimited()).unwrap();
/// // Each point is a sixth of a Hit, whenever it is spent.
/// assert_eq!(plan.turns[0].states[3].as_ref().unwrap().value.to_string(), "5/6");
/// ```
pub fn plan(spending: &Spending, scene: &Scene, budget: &Budget) -> Result<ScenePlan, Error> {
    let most = i64::from(scene.pool) + 1;
    let code = Code::new(spending, most);
    let check = code.coded(spending);
    let (_, cap) = check.inputs[spending.axis.0].domain.bounds();
    let solver = Solver {
        check: &check,
        spending,
        code: &code,
        scene,
        budget,
        most,
        cap: cap.min(most),
    };
    solver.charge()?;
    let limits = solver.limits()?;
    let own = Way {
        labels: labels(spending, limits),
        limits,
        looks_ahead: true,
        abstains: None,
    };
    let best = solver.solve(&own)?;
    let mut ways = vec![Played {
        manner: Manner::Never,
        result: solver.tally(&best, 0),
    }];
    for (manner, way) in others(spending, &own) {
        let plays = solver.solve(&way)?;
        let result = solver.tally(&plays, scene.pool);
        solver.release(&plays);
        ways.push(Played { manner, result });
    }
    let result = solver.tally(&best, scene.pool);
    ways.push(Played {
        manner: Manner::Best,
        result: Some(result.ok_or(Error::Unaffordable)?),
    });
    Ok(ScenePlan {
        ways,
        turns: solver.turns(best, scene.pool),
        cap,
        is_before: limits == Limits::Any,
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
    /// The kind of the choice of that name in a check on which points are spent.
    #[must_use]
    pub fn of(spending: &Spending, name: &str) -> Self {
        let program = spending.check.program();
        let is_it = |var: VarId| program.variable(var).name() == name;
        match range_of(program.statements(), &is_it) {
            Some((from, to)) if is_small(from) && is_small(to) => Self::YesOrNo,
            Some((_, to)) if to.any(&mut |part| is_input(part, spending.axis)) => Self::Points,
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

fn is_input(part: &Expr, input: InputId) -> bool {
    matches!(part.kind, Kind::Input(own) if own == input)
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

/// The values that the best plan may give to the axis of the ways to spend, its own first: no others where the check
/// itself leaves the choice to the player.
fn labels(spending: &Spending, limits: Limits) -> Vec<Option<i64>> {
    let own = spending.policy.map(|(_, value)| value);
    let mut labels = vec![own];
    if limits == Limits::Any {
        labels.extend(named(spending).map(Some));
    }
    labels
}

/// The other labels of the axis that tells ways of spending apart.
fn named(spending: &Spending) -> impl Iterator<Item = i64> {
    let others = spending.policy.map(|(axis, own)| {
        let domain = &spending.check.inputs[axis.0].domain;
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
    let own = spending.policy.map(|(_, label)| label);
    let most = |label| Way {
        labels: vec![label],
        limits: Limits::Most,
        looks_ahead: true,
        abstains: own,
    };
    let mut ways = Vec::new();
    if spending.spent.is_none() && spending.policy.is_none() {
        ways.push((Manner::Always, most(None)));
    }
    let by_label = |label| (Manner::Named(label), most(Some(label)));
    ways.extend(named(spending).map(by_label));
    let greedy = Way {
        looks_ahead: false,
        ..best.clone()
    };
    ways.push((Manner::Greedy, greedy));
    ways
}
