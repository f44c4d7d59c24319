//! Bands that stand best first: they are listed worst first, and every question such as `P(band >= Hit)` takes them so.

use crate::check::Check;
use crate::choice::Choice;
use crate::config::Config;
use crate::coverage;
use crate::lower::CheckDef;
use crate::model::Model;
use crate::program::{BinaryOp, CompareOp, Expr, Kind, VarId};
use crate::warnings::found::Found;
use crate::{FindingPattern, LintRule, fixed_value};

/// Words of the best bands, whoever reads them.
const BEST: &[&str] = &[
    "success",
    "successes",
    "succeed",
    "succeeds",
    "succeeded",
    "successful",
    "critical",
    "crit",
    "triumph",
    "triumphant",
    "victory",
    "win",
    "wins",
    "won",
    "pass",
    "passed",
    "passes",
];

/// Words of the worst bands.
const WORST: &[&str] = &[
    "failure",
    "fail",
    "fails",
    "failed",
    "fumble",
    "fumbled",
    "botch",
    "botched",
    "defeat",
    "lose",
    "loses",
    "lost",
    "loss",
    "disaster",
    "catastrophe",
];

/// Words that are good for one side and bad for the other: whoever dodges is glad of a miss.
const HITS: &[&str] = &["hit", "hits", "strong"];
const MISSES: &[&str] = &["miss", "misses", "missed"];

/// Warns of a check whose first band is called the best and whose last band the worst. Words such as `hit` and `miss`
/// depend on the side, so the script decides with them: whether higher totals lead to earlier bands. Where a contest or a
/// goal strives for the number that the bands are read from, no words are needed, for then the higher number is better.
pub(super) fn look(model: &Model, definition: &CheckDef, found: &mut Found) {
    let name = &definition.name.text;
    let check = model.check(name).or_else(|| model.track(name));
    let (Some(check), Some(place)) = (check, definition.bands_span) else {
        return;
    };
    let Some(reason) = is_best_first(check) else {
        return;
    };
    let id = finding(name);
    let mut acceptances = model.acceptances.iter();
    if acceptances.any(|acceptance| acceptance.finding.matches(&id)) {
        return;
    }
    let Some((_, bands)) = check.band() else {
        return;
    };
    let labels = bands.labels().iter().rev();
    let labels: Vec<String> = labels.map(|label| format!("\"{label}\"")).collect();
    let labels = labels.join(", ");
    let worst = bands.labels().last().map_or("", String::as_str);
    let help = format!(
        "write `bands = [{labels}]`; if `{worst}` is the best, accept `{id}` under [[accept]]"
    );
    let message = format!("the bands of `{name}` stand best first; they are listed worst first");
    let warning = found
        .warning(place, message)
        .with_label(reason)
        .with_help(help);
    found.push(warning);
}

/// Warns of acceptances that no check needs: `balance lint` does not know of these.
pub(super) fn look_for_stale(model: &Model, found: &mut Found) {
    let is_met = |pattern: &FindingPattern| {
        let mut checks = model.checks.iter().chain(&model.tracks);
        checks.any(|check| pattern.matches(&finding(&check.name)) && is_best_first(check).is_some())
    };
    let acceptances = model.acceptances.iter();
    for acceptance in
        acceptances.filter(|acceptance| acceptance.finding.rule == LintRule::BestFirst)
    {
        if !is_met(&acceptance.finding) {
            let message = format!(
                "`{}` is accepted, and nothing of the kind is found",
                acceptance.finding.text
            );
            let warning = found.warning(acceptance.span, message);
            found.push(warning.with_help("take it out: these bands stand worst first"));
        }
    }
}

fn finding(check: &str) -> String {
    format!("{}/{check}", LintRule::BestFirst.name())
}

/// What shows that a check's bands stand best first, if anything does.
fn is_best_first(check: &Check) -> Option<String> {
    let (outcome, bands) = check.band()?;
    let [first, .., last] = bands.labels() else {
        return None;
    };
    let named = format!("`{first}` is the first band, and `{last}` the last");
    let is_named = |best: &[&[&str]], worst: &[&[&str]]| {
        has(first, best) && !has(first, worst) && has(last, worst) && !has(last, best)
    };
    if is_named(&[BEST], &[WORST]) {
        return Some(named);
    }
    let course = Course::of(check, outcome.var, bands);
    let falls = course.as_ref().map(|course| course.falls);
    let is_dodge = falls == Some(false);
    if is_named(&[BEST], &[WORST, MISSES]) && !is_dodge
        || is_named(&[BEST, HITS], &[WORST, MISSES]) && falls == Some(true)
    {
        return Some(named);
    }
    let course = course.filter(|course| course.falls)?;
    let mut goals = check.contest.iter().chain(&check.goal);
    let goal = goals.find(|goal| course.subject == origin(check, &goal.value))?;
    Some(format!(
        "a higher `{}` is better, and leads to an earlier band",
        goal.text
    ))
}

/// Whether a label has one of these words.
fn has(label: &str, lists: &[&[&str]]) -> bool {
    let label = label.to_lowercase();
    let mut words = label.split(|c: char| !c.is_alphanumeric());
    words.any(|word| lists.iter().any(|list| list.contains(&word)))
}

/// How bands follow from one rolled number.
struct Course<'c> {
    subject: &'c Expr,
    /// Whether more of it leads to earlier bands; else it leads to later ones.
    falls: bool,
}

impl<'c> Course<'c> {
    /// With every input at its default; none if the bands do not come from one number alone, all of them and in order.
    fn of(check: &'c Check, band: VarId, bands: &Choice) -> Option<Self> {
        let defaults = check.defaults();
        let (subject, steps) = match &check.value_of(band)?.kind {
            Kind::Match {
                subject,
                arms,
                otherwise,
            } => {
                let regions = coverage::regions(arms, |bound| fixed(bound, &defaults))?;
                let values = arms.iter().map(|arm| arm.value.as_constant());
                let otherwise = otherwise.as_ref().and_then(|value| value.as_constant());
                let values: Vec<Option<i64>> = values.chain([otherwise]).collect();
                (subject.as_ref(), steps(&regions, &values)?)
            }
            Kind::If {
                condition,
                then,
                otherwise,
            } => {
                let (subject, is_above) = threshold(condition)?;
                let (then, otherwise) = (then.as_constant()?, otherwise.as_constant()?);
                let steps = if is_above {
                    [otherwise, then]
                } else {
                    [then, otherwise]
                };
                (subject, steps.to_vec())
            }
            _ => return None,
        };
        let falls = steps.is_sorted_by(|low, high| low > high);
        let is_course = falls || steps.is_sorted_by(|low, high| low < high);
        let has_all = steps.len() == bands.labels().len();
        (is_course && has_all && !subject.fixed).then(|| Self {
            subject: origin(check, subject),
            falls,
        })
    }
}

/// The bands along the number from its lowest to its highest, each stretch once.
fn steps(regions: &[coverage::Region], values: &[Option<i64>]) -> Option<Vec<i64>> {
    let ends = regions.iter().flatten();
    let mut starts: Vec<i64> = ends
        .flat_map(|(low, high)| [*low, high.saturating_add(1)])
        .chain([i64::MIN])
        .collect();
    starts.sort_unstable();
    starts.dedup();
    let mut steps = Vec::new();
    for start in starts {
        let mut arms = regions.iter();
        let arm = arms.position(|region| {
            let mut parts = region.iter();
            parts.any(|(low, high)| (*low..=*high).contains(&start))
        });
        match values[arm.unwrap_or(regions.len())] {
            Some(value) => steps.push(value),
            // Outside of all arms of a `match` without `else` there is nothing to be reached.
            None if arm.is_none() => {}
            None => return None,
        }
    }
    steps.dedup();
    Some(steps)
}

/// The rolled side of a comparison with something fixed, and whether it holds for higher numbers.
fn threshold(condition: &Expr) -> Option<(&Expr, bool)> {
    let Kind::Binary(BinaryOp::Compare(op), left, right) = &condition.kind else {
        return None;
    };
    let is_above = match op {
        CompareOp::Greater | CompareOp::GreaterEqual => true,
        CompareOp::Less | CompareOp::LessEqual => false,
        CompareOp::Equal | CompareOp::NotEqual => return None,
    };
    match (left.fixed, right.fixed) {
        (false, true) => Some((left, is_above)),
        (true, false) => Some((right, !is_above)),
        _ => None,
    }
}

fn fixed(expr: &Expr, config: &Config) -> Option<i64> {
    fixed_value(expr, config, &|_| None).ok()
}

/// What a name stands for, by way of other names.
fn origin<'c>(check: &'c Check, expr: &'c Expr) -> &'c Expr {
    match expr.kind {
        Kind::Var(var) => check
            .value_of(var)
            .map_or(expr, |value| origin(check, value)),
        _ => expr,
    }
}
