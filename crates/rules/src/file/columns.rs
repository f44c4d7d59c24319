//! Names that stand side by side at the head of a table: each is the name of one thing.

use crate::check::{Check, Input, Role};
use crate::file::drafts::Draft;
use crate::source::{Reporter, Span};
use crate::syntax::ast::Name;

/// Reports bands that have the name of an input or of something shown, and what is shown under a parameter's name.
/// (What is shown under an axis's name is refused where the rules are read.)
pub(super) fn report_twins(draft: &Draft, check: &Check, reporter: &mut Reporter) {
    for label in &draft.labels {
        let of_input = check
            .inputs
            .iter()
            .find(|input| is_named(input, &label.text));
        let shown = { check.outcomes.iter() }.find(|outcome| outcome.name == label.text);
        if let Some(input) = of_input {
            report(label, "a band", (role(input), input.span), reporter);
        } else if let Some(outcome) = shown {
            report(label, "a band", ("what is shown", outcome.span), reporter);
        }
    }
    let params = check
        .inputs
        .iter()
        .filter(|input| input.role == Role::Parameter);
    for param in params {
        // The number of rounds has a rule of its own.
        let mut shown =
            { check.outcomes.iter() }.filter(|outcome| Some(outcome.var) != check.rounds);
        let twin = shown.find(|outcome| is_named(param, &outcome.name));
        if let Some(outcome) = twin {
            let shown = Name {
                text: outcome.name.clone(),
                span: outcome.span,
            };
            report(&shown, "what is shown", (role(param), param.span), reporter);
        }
    }
}

/// Whether this is its name, or that of the list which it belongs to.
fn is_named(input: &Input, name: &str) -> bool {
    let list = input.name.split('[').next();
    input.name == name || list == Some(name)
}

fn role(input: &Input) -> &'static str {
    match input.role {
        Role::Axis => "an axis",
        Role::Parameter => "a parameter",
    }
}

fn report(twin: &Name, what: &str, (other, place): (&str, Span), reporter: &mut Reporter) {
    let name = &twin.text;
    let error = reporter
        .error(
            twin.span,
            format!("`{name}` is the name of {what} and of {other}"),
        )
        .with_label("rename this one or the other")
        .with_related(place, other)
        .with_help("both would be columns of one table, and a query could mean either");
    reporter.push(error);
}
