//! Domains that list numbers: a list is one of labels, and numbers are a range.

use crate::check::{Domain, Role};
use crate::file::nodes::{self, Node, span};
use crate::source::Reporter;

/// The range that a list of whole numbers or of truth values stands for, which is reported; none if the list is
/// another one. The range is gone on with, so that one slip is one error.
pub(super) fn listed_numbers(
    node: &Node<'_>,
    (name, role): (&str, Role),
    reporter: &mut Reporter,
) -> Option<Domain> {
    let items = node.get_ref().as_array()?;
    let number = |item: &Node<'_>| match item.get_ref().as_bool() {
        Some(truth) => Some(i64::from(truth)),
        None => nodes::integer(item),
    };
    let numbers: Option<Vec<i64>> = items.iter().map(number).collect();
    let mut numbers = numbers.filter(|numbers| !numbers.is_empty())?;
    numbers.sort_unstable();
    numbers.dedup();
    let (low, high) = (numbers[0], numbers[numbers.len() - 1]);
    let range = format!("\"{low}..={high}\"");
    let are_all = high
        .checked_sub(low)
        .and_then(|gaps| usize::try_from(gaps).ok())
        == Some(numbers.len() - 1);
    let error = reporter
        .error(
            span(node),
            "a domain of numbers is a range; a list is one of labels",
        )
        .with_label(format!("write {range}"));
    let error = match are_all {
        true => error.with_help(
            "both ends belong to it; labels, which are words with an order, stand in quotes",
        ),
        false => error.with_help(alone(&numbers, &range, name, role)),
    };
    reporter.push(error);
    Some(Domain::Range(low, high))
}

/// How these numbers of a range alone are had.
fn alone(numbers: &[i64], range: &str, name: &str, role: Role) -> String {
    let listed: Vec<String> = numbers.iter().map(i64::to_string).collect();
    let listed = listed.join(", ");
    match role {
        Role::Axis => format!(
            "for {listed} alone: `domain = {range}, sweep = [{listed}]` lets tables leave the others out, and a condition under \
             `require` forbids them; or make [{listed}] the `default` of a parameter, and give the axis the places in that list, \
             \"0..={}\"",
            numbers.len() - 1
        ),
        Role::Parameter => {
            let conditions = numbers.iter().map(|number| format!("{name} == {number}"));
            let conditions = conditions.collect::<Vec<_>>().join(" or ");
            format!(
                "for {listed} alone: `domain = {range}`, and `require = [\"{conditions}\"]` in the checks that read it"
            )
        }
    }
}

/// What is said to those who calculate with labels that are written like numbers.
pub(crate) fn range_instead(labels: &[String]) -> Option<String> {
    let numbers: Option<Vec<i64>> = labels
        .iter()
        .map(|label| label.trim().parse().ok())
        .collect();
    let numbers = numbers?;
    let (low, high) = (numbers.iter().min()?, numbers.iter().max()?);
    Some(format!(
        "these are labels, for a list in quotes has no numbers: for numbers write the domain as a range, \
         \"{low}..={high}\""
    ))
}
