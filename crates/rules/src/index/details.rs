//! What is told of symbols beside their names.

use crate::check::{Check, Domain, Input, Role};
use crate::index::definitions::Definitions;
use crate::index::kinds::{SymbolKind, text_at};
use crate::index::known::Known;
use crate::index::record::Target;
use crate::layout::{Layout, Step};
use crate::source::{Source, Span};

/// Adds what the file says of its symbols.
pub(super) fn add(
    source: &Source,
    layout: &Layout,
    known: &Known<'_>,
    definitions: &mut Definitions,
) {
    add_helps(source, layout, definitions);
    let checks = || known.checks.iter().chain(known.tracks);
    for input in known
        .library
        .params
        .iter()
        .filter(|input| !is_element_beyond_first(input))
    {
        let all: Vec<&Input> = elements(&known.library.params, input);
        tell(definitions, input.span, || of_input(&all));
    }
    for input in checks().flat_map(|check| check.inputs.iter()) {
        if input.role == Role::Axis {
            tell(definitions, input.span, || of_input(&[input]));
        }
    }
    for check in checks() {
        tell(definitions, check.span, || of_check(check));
    }
    for function in known.library.functions.values() {
        let params = function
            .syntax
            .params
            .iter()
            .map(|param| param.text.as_str());
        let params = params.collect::<Vec<_>>().join(", ");
        tell(definitions, function.name.span, || {
            format!("{}({params})", function.name.text)
        });
    }
    add_lists(definitions);
}

/// The `help` of what keys name.
fn add_helps(source: &Source, layout: &Layout, definitions: &mut Definitions) {
    for scalar in &layout.scalars {
        let Some((Step::Key(last), path)) = scalar.path.split_last() else {
            continue;
        };
        if last == "help"
            && let (Some(symbol), Some(text)) = (definitions.at_path(path), scalar.text)
        {
            text_at(source, text).clone_into(&mut definitions.symbols[symbol].help);
        }
    }
}

fn tell(definitions: &mut Definitions, defined: Span, detail: impl FnOnce() -> String) {
    if let Some(symbol) = definitions.by_target.get(&Target::Name(defined)) {
        let symbol = &mut definitions.symbols[*symbol];
        if symbol.detail.is_empty() {
            symbol.detail = detail();
        }
    }
}

fn is_element_beyond_first(input: &Input) -> bool {
    input.name.contains('[') && !input.name.ends_with("[0]")
}

/// All elements of the list that an input is the first of.
fn elements<'i>(inputs: &'i [Input], first: &'i Input) -> Vec<&'i Input> {
    match first.name.strip_suffix("[0]") {
        Some(base) => {
            let is_one = |input: &&Input| input.name.split('[').next() == Some(base);
            inputs.iter().filter(is_one).collect()
        }
        None => vec![first],
    }
}

/// `default 0, domain -5..=5`
fn of_input(inputs: &[&Input]) -> String {
    let Some(first) = inputs.first() else {
        return String::new();
    };
    let shown: Vec<String> = inputs
        .iter()
        .map(|input| input.domain.show(input.default))
        .collect();
    let default = match shown.as_slice() {
        [one] if !first.name.contains('[') => one.clone(),
        several => format!("[{}]", several.join(", ")),
    };
    let domain = match &first.domain {
        Domain::Range(low, high) => format!("{low}..={high}"),
        Domain::Choice(choice) => choice.labels().join(", "),
    };
    format!("default {default}, domain {domain}")
}

/// What a check shows.
fn of_check(check: &Check) -> String {
    let shown = check.outcomes.iter().map(|outcome| outcome.name.as_str());
    format!("shows {}", shown.collect::<Vec<_>>().join(", "))
}

/// Labels are told with the list that they are of, worst first.
fn add_lists(definitions: &mut Definitions) {
    let labels = definitions.by_target.iter();
    let mut labels: Vec<(usize, usize, usize)> = labels
        .filter_map(|(target, symbol)| match target {
            Target::Label(list, at) => Some((*list, *at, *symbol)),
            Target::Name(_) => None,
        })
        .collect();
    labels.sort_unstable();
    for list in labels.chunk_by(|a, b| a.0 == b.0) {
        let names = list.iter();
        let names = names.map(|(_, _, symbol)| definitions.symbols[*symbol].name.as_str());
        let detail = names.collect::<Vec<_>>().join(" < ");
        for (_, _, symbol) in list {
            let symbol = &mut definitions.symbols[*symbol];
            if matches!(symbol.kind, SymbolKind::Band | SymbolKind::Label) {
                symbol.detail.clone_from(&detail);
            }
        }
    }
}
