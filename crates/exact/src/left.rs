//! What a configuration leaves of a script.

use oddsmith_rules::program::{Statement, VarId};
use oddsmith_rules::{Check, Config};

use crate::carried::bounds_of;
use crate::requirements::check_requirements;
use crate::residual::{all_known, narrowed};

/// What a configuration leaves of the script of a check: what its outcomes need, with all inputs put in. Two checks that show the
/// same outcomes have the same odds where the same is left of them, and finding that out takes far less than the odds do.
///
/// None if a requirement forbids the configuration, or if something may fail there: what is left does not tell.
///
/// ```
/// use oddsmith_exact::left_of;
///
/// let rules = |need: i64| format!(r#"
/// name = "Shot"
/// [checks.check]
/// axes.hidden = {{ default = 0, domain = "0..=1" }}
/// rules = "show hit = if hidden == 1 then 1d6 >= {need} else 1d6 >= 3"
/// "#);
/// let [hard, harder] = [5, 6].map(|need| oddsmith_rules::load("shot.toml", rules(need).as_bytes()).unwrap());
/// let [hard, harder] = [&hard, &harder].map(|model| model.check("check").unwrap());
/// let mut config = hard.defaults();
/// assert_eq!(left_of(hard, &config), left_of(harder, &config));
/// config.put(hard.input("hidden").unwrap(), 1);
/// assert_ne!(left_of(hard, &config), left_of(harder, &config));
/// ```
#[must_use]
pub fn left_of(check: &Check, config: &Config) -> Option<Vec<Statement>> {
    let may_fail = || !check.may_fail(&bounds_of(config)).is_empty();
    if check_requirements(check, config).is_err() || may_fail() {
        return None;
    }
    let shown = check.outcomes.iter().map(|outcome| outcome.var);
    let wanted: Vec<VarId> = shown.chain(check.rounds).collect();
    let left = narrowed(check.program(), &all_known(config), &wanted);
    Some(left.statements().to_vec())
}
