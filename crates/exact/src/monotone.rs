//! In which direction answers go when an input grows, as far as the script proves it.

use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, Config, Direction, Query, QueryKind, directions as proved};

use crate::residual::narrowed;

/// For each of some inputs the direction in which the answer to a query goes when that input alone grows, where they lie
/// within these bounds and all other inputs are as in `base`; none where the script does not prove it. Only probabilities and
/// means without a condition have one, and only where nothing can fail.
///
/// ```
/// use oddsmith_exact::directions;
/// use oddsmith_rules::Direction;
///
/// let rules = r#"
/// name = "Line"
/// [params]
/// bonus = { default = 2, domain = "0..=5" }
/// line  = { default = 9, domain = "5..=15" }
/// [checks.check]
/// rules = "show hit = 2d6 + bonus >= line"
/// "#;
/// let model = oddsmith_rules::load("line.toml", rules.as_bytes()).unwrap();
/// let check = model.check("check").unwrap();
/// let query = check.query("hit", "<query>").unwrap();
/// let [bonus, line] = ["bonus", "line"].map(|name| check.input(name).unwrap());
/// let within = [(bonus, (0, 5)), (line, (5, 15))];
/// let found = directions(check, &check.defaults(), &query, &within);
/// assert_eq!(found, [Some(Direction::Up), Some(Direction::Down)]);
/// ```
#[must_use]
pub fn directions(
    check: &Check,
    base: &Config,
    query: &Query,
    within: &[(InputId, (i64, i64))],
) -> Vec<Option<Direction>> {
    let nothing = || vec![None; within.len()];
    let is_plain = matches!(query.kind, QueryKind::Probability(_) | QueryKind::Mean(_));
    if check.rounds.is_some() || query.given.is_some() || !is_plain {
        return nothing();
    }
    let mut bounds: Vec<(i64, i64)> = base.values().iter().map(|&value| (value, value)).collect();
    for (id, own) in within {
        bounds[id.0] = *own;
    }
    if !check.may_fail(&bounds).is_empty() {
        return nothing();
    }
    let of: Vec<InputId> = within.iter().map(|(id, _)| *id).collect();
    let known = |id: InputId| (!of.contains(&id)).then(|| base[id]);
    let program = narrowed(check.program(), &known, &check.outcomes_in(query.parts()));
    proved(&program, (&check.inputs, &bounds), query.subject(), &of)
}
