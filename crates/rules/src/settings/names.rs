//! The names of inputs as users write them, and what is said of those that are wrong.

use std::sync::Arc;

use crate::check::{Check, Role};
use crate::program::InputId;
use crate::source::{Diagnostic, Source, Span, nearest, there_are};
use crate::values;

/// What the names of a contest's inputs begin with.
const SIDES: [&str; 2] = ["a.", "b."];

/// A name without the side of a contest that it is on.
fn without_side(name: &str) -> &str {
    let side = SIDES.iter().find_map(|side| name.strip_prefix(side));
    side.unwrap_or(name)
}

/// `ladder` of `ladder[2]`.
pub(super) fn base(name: &str) -> &str {
    name.split('[').next().unwrap_or_default()
}

impl Check {
    /// Both sides of `=` and where the right one begins.
    pub(super) fn split<'s>(
        &self,
        source: &'s Arc<Source>,
        form: &str,
    ) -> Result<(&'s str, &'s str, usize), Diagnostic> {
        let text = &source.text;
        match text.split_once('=') {
            Some((name, value)) if !name.trim().is_empty() && !name.contains("..") => {
                Ok((name.trim(), value, name.len() + 1))
            }
            _ => {
                let whole = Span::new(0, text.len());
                let error = Diagnostic::new(source, whole, format!("this is not {form}"));
                let names = || {
                    let names = self.input_names().join(", ");
                    format!("the names of `{}` are {names}", self.name)
                };
                let meant = self.meant_assignment(text, form);
                Err(error.with_help(meant.unwrap_or_else(names)))
            }
        }
    }

    /// What a text without its `=`, such as `bonus 5` or `bonus: 5`, should have been; none if no name of the check begins it.
    fn meant_assignment(&self, text: &str, form: &str) -> Option<String> {
        let text = text.trim();
        let is_of_name = |c: char| c.is_alphanumeric() || "_.[]".contains(c);
        let end = text.find(|c| !is_of_name(c)).unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        self.on_each_side(name).first()?;
        let value = rest.trim_start_matches(|c: char| c == ':' || c.is_whitespace());
        Some(match value {
            "" if form.ends_with("value") => {
                format!("say which value: `{name}=VALUE`")
            }
            "" => format!("say which values: `{name}=all`, `{name}=0,2,4` or `{name}=0..=4`"),
            _ => format!("write `{name}={value}`"),
        })
    }

    /// The inputs and lists that a name stands for: one, or in a contest one on each side that has it.
    pub(super) fn on_each_side(&self, name: &str) -> Vec<String> {
        let is_known =
            |name: &String| self.input(name).is_some() || !self.elements(name).is_empty();
        let sides = SIDES.map(|side| format!("{side}{name}"));
        let names = std::iter::once(name.to_owned()).chain(sides);
        names.filter(is_known).collect()
    }

    /// The elements of a list.
    pub(super) fn elements(&self, name: &str) -> Vec<InputId> {
        let is_element = |input: &str| {
            input
                .strip_prefix(name)
                .is_some_and(|rest| rest.starts_with('['))
        };
        (0..self.inputs.len())
            .filter(|&at| is_element(&self.inputs[at].name))
            .map(InputId)
            .collect()
    }

    fn is_contest(&self) -> bool {
        let has_side = |name: &str| without_side(name) != name;
        self.inputs.iter().any(|input| has_side(&input.name))
    }

    /// The names of axes, then those of parameters, a list's once, and in a contest without their side.
    pub(super) fn input_names(&self) -> Vec<&str> {
        let of = |role| self.inputs.iter().filter(move |input| input.role == role);
        let mut names: Vec<&str> = Vec::new();
        for input in of(Role::Axis).chain(of(Role::Parameter)) {
            let name = without_side(base(&input.name));
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Refuses `stat=1,boons=2`, where `value` is `1,boons=2` and stands at `at`.
    pub(super) fn refuse_several(
        &self,
        source: &Arc<Source>,
        value: &str,
        at: usize,
    ) -> Result<(), Diagnostic> {
        let is_name = |name: &str| {
            self.input(name).is_some()
                || name.starts_with(char::is_alphabetic) && !name.contains([',', '.', ']'])
        };
        let begins_another = |comma: &usize| {
            let (name, rest) = value[comma + 1..].split_once('=').unwrap_or_default();
            !rest.is_empty() && is_name(name.trim())
        };
        let mut commas = value.match_indices(',').map(|(comma, _)| comma);
        let Some(comma) = commas.find(begins_another) else {
            return Ok(());
        };
        let (first, second) = (
            &source.text[..at + comma],
            source.text[at + comma + 1..].trim(),
        );
        let option = &source.name;
        let (message, help) = match option.as_str() {
            "--x" | "--by" | "--facet" => (
                format!("one {option} takes one name"),
                format!("'{second}' is for another of --x, --by, --facet and --set"),
            ),
            _ if option.starts_with("--") => (
                format!("one {option} takes one name"),
                format!("write {option} '{first}' {option} '{second}'"),
            ),
            _ => (
                "one name at a time".to_owned(),
                format!("write '{first}' and '{second}' by themselves"),
            ),
        };
        let span = Span::new(at + comma, source.text.len());
        Err(Diagnostic::new(source, span, message)
            .with_label("this is another")
            .with_help(help))
    }

    /// What is said where an axis was due and a list stands; `rest` is what follows its name, as in `=0,2,4`.
    pub(super) fn list_as_a_whole(
        &self,
        source: &Arc<Source>,
        name: &str,
        rest: &str,
    ) -> Diagnostic {
        let list = self.on_each_side(name);
        let elements = list.first().map_or(Vec::new(), |list| self.elements(list));
        let items = elements.len();
        let option = option(source);
        // A list in brackets is no values of one element.
        let rest = match (rest.starts_with("=["), elements.first()) {
            (true, Some(first)) => self.two_values(*first),
            _ => rest.to_owned(),
        };
        let message = format!("`{name}` is a list of {items} values");
        Diagnostic::new(source, Span::new(0, name.len()), message)
            .with_label("a sweep runs over one of them")
            .with_help(format!(
                "its elements are {name}[0] to {name}[{}]: write {option}'{name}[0]{rest}'",
                items.saturating_sub(1)
            ))
    }

    /// `=7,8`: the default and a neighbour, as an example of what may be written.
    fn two_values(&self, input: InputId) -> String {
        let input = &self.inputs[input.0];
        let (default, domain) = (input.default, &input.domain);
        let (low, high) = domain.bounds();
        match (default < high, default > low) {
            (true, _) => format!("={},{}", domain.show(default), domain.show(default + 1)),
            (false, true) => format!("={},{}", domain.show(default - 1), domain.show(default)),
            (false, false) => format!("={}", domain.show(default)),
        }
    }

    /// What is said of a sweep over an axis that both sides of a contest have; `rest` as above.
    pub(super) fn which_side(
        &self,
        source: &Arc<Source>,
        name: &str,
        sides: &[String],
        rest: &str,
    ) -> Diagnostic {
        let option = option(source);
        let forms = sides.iter().map(|side| format!("{option}'{side}{rest}'"));
        let message = format!("both sides have `{name}`");
        Diagnostic::new(source, Span::new(0, name.len()), message)
            .with_label("whose?")
            .with_help(format!(
                "write {}; or both, for every combination",
                forms.collect::<Vec<_>>().join(" or ")
            ))
    }

    pub(super) fn value_error(
        &self,
        source: &Arc<Source>,
        id: InputId,
        at: usize,
        problem: &values::Problem,
    ) -> Diagnostic {
        let input = &self.inputs[id.0];
        let (line, column) = self.source.line_column(input.span.start);
        let span = Span::new(at + problem.start, at + problem.end);
        let help = if input.help.is_empty() {
            String::new()
        } else {
            format!(": {}", input.help)
        };
        let message = format!("`{}`: {}", input.name, problem.message);
        let file = &self.source.name;
        problem
            .mend(Diagnostic::new(source, span, message))
            .with_label(format!("legal: {}", input.domain.describe()))
            .with_help(format!("declared at {file}:{line}:{column}{help}"))
    }

    /// What is said of an input that two keys or options give values to.
    pub(crate) fn given_twice(
        &self,
        input: InputId,
        [first, second]: &[String; 2],
        (source, span): (&Arc<Source>, Span),
    ) -> Diagnostic {
        let name = &self.inputs[input.0].name;
        let message = format!("`{name}` is given to both `{first}` and `{second}`");
        Diagnostic::new(source, span, message).with_label("again here")
    }

    /// What is said of a name that is no input; `numbers` are other names that could stand there.
    pub(super) fn unknown_input(
        &self,
        source: &Arc<Source>,
        name: &str,
        numbers: &[&str],
    ) -> Diagnostic {
        let what = if numbers.is_empty() {
            "axis or parameter"
        } else {
            "axis, parameter or number"
        };
        let message = format!("`{}` has no {what} `{name}`", self.name);
        let error = Diagnostic::new(source, Span::new(0, name.len()), message);
        let list = base(name);
        let elements = self.on_each_side(list);
        let items = elements.first().map_or(0, |list| self.elements(list).len());
        if items > 0 {
            return error
                .with_label(format!("`{list}` is a list of {items}"))
                .with_help(format!(
                    "its elements are {list}[0] to {list}[{}]",
                    items - 1
                ));
        }
        let mut known = self.input_names();
        known.extend(numbers);
        let own = self.inputs.iter().map(|input| base(&input.name));
        if let Some(near) = nearest(name, known.iter().copied().chain(own)) {
            return error.meant(near);
        }
        let sides = if self.is_contest() {
            "; `a.` or `b.` before a name is one side"
        } else {
            ""
        };
        error
            .with_label("unknown")
            .with_help(format!("{}{sides}", there_are(&known)))
    }
}

/// The option that a text was given to, if it was one.
fn option(source: &Source) -> String {
    if source.name.starts_with("--") {
        format!("{} ", source.name)
    } else {
        String::new()
    }
}
