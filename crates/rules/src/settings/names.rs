//! The names of inputs as users write them, and what is said of those that are wrong.

use std::sync::Arc;

use crate::check::{Check, Input, Role, RoundName};
use crate::program::InputId;
use crate::source::{Diagnostic, Diagnostics, Source, Span, nearest, there_are};
use crate::values;

/// What the names of a contest's inputs begin with.
const SIDES: [&str; 2] = ["a.", "b."];

/// What people call the rounds of a track whatever its unit is.
const ROUNDS: [&str; 2] = ["round", "rounds"];

/// What is said where a label stands.
const LABEL: &str = "a label, which people read";

/// The value that people read under this label, and the label as it is declared.
fn labelled<'i>(input: &'i Input, label: &str) -> Option<(String, &'i str)> {
    let mut labels = input.value_labels.iter();
    let (value, own) = labels.find(|(_, own)| own.eq_ignore_ascii_case(label))?;
    Some((input.domain.show(*value), own))
}

/// Where a label stands in a text, between other words and signs.
fn places_of(label: &str, text: &str) -> Vec<Span> {
    let is_of_word = |c: char| c.is_alphanumeric() || c == '_';
    let is_there = |start: &usize| {
        let Some(found) = text.get(*start..*start + label.len()) else {
            return false;
        };
        let before = text[..*start].chars().next_back();
        let after = text[*start + label.len()..].chars().next();
        found.eq_ignore_ascii_case(label) && ![before, after].into_iter().flatten().any(is_of_word)
    };
    let starts = (0..text.len()).filter(|_| !label.is_empty());
    let places = starts.filter(is_there);
    places
        .map(|start| Span::new(start, start + label.len()))
        .collect()
}

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
                let names = || match self.input_names().as_slice() {
                    [] => format!("`{}` has nothing to set", self.name),
                    names => format!("the names of `{}` are {}", self.name, names.join(", ")),
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
            _ if value.starts_with(',') => {
                let names = text.split(',').map(|name| format!("`{}`", name.trim()));
                format!(
                    "one at a time: {}",
                    names.collect::<Vec<_>>().join(", then ")
                )
            }
            "" if form.ends_with("value") => {
                format!("say which value: `{name}=VALUE`")
            }
            "" => format!("say which values: `{name}=all`, `{name}=0,2,4` or `{name}=0..=4`"),
            _ => {
                let range = values::meant_range(value);
                format!("write `{name}={}`", range.as_deref().unwrap_or(value))
            }
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

    /// Which name or value a label stands for that people read in place of it, also what they call a track's rounds.
    fn name_of_label(&self, label: &str) -> Option<String> {
        if label.is_empty() {
            return None;
        }
        let inputs = self.inputs.iter();
        let inputs = inputs.filter(|input| input.label.eq_ignore_ascii_case(label));
        let mut names: Vec<&str> = inputs.map(|input| input.name.as_str()).collect();
        let rounds = self.rounds.and_then(|rounds| {
            let is_unit = [&self.unit.one, &self.unit.many]
                .iter()
                .any(|unit| unit.eq_ignore_ascii_case(label));
            let mut shown = self.outcomes.iter();
            let is_named = self.unit != RoundName::default();
            let is_meant = is_unit && is_named || ROUNDS.contains(&label.to_lowercase().as_str());
            shown.find(|outcome| is_meant && outcome.var == rounds)
        });
        names.extend(rounds.map(|outcome| outcome.name.as_str()));
        let shown = self.labels.iter();
        let shown = shown.filter(|(_, own)| own.eq_ignore_ascii_case(label));
        names.extend(shown.map(|(name, _)| name.as_str()));
        if !names.is_empty() {
            return Some(format!("the name of this is `{}`", names.join("` or `")));
        }
        let mut values = self.inputs.iter().filter_map(|input| {
            let (value, _) = labelled(input, label)?;
            Some(format!(
                "this value of `{}` is written `{value}`",
                input.name
            ))
        });
        values.next()
    }

    /// The errors of a question, of which those that a label has made in place of a name or a value say which that is.
    pub(super) fn with_names_of_labels(&self, errors: Diagnostics) -> Diagnostics {
        let mut told: Vec<Diagnostic> = Vec::new();
        for error in errors.0 {
            let (text, start) = (&error.source.text, error.span.start);
            let is_quoted = text[start..].starts_with('"');
            let first = start + usize::from(is_quoted);
            let places = self.labels_in(text);
            let mut around = places
                .iter()
                .filter(|place| place.contains(Span::new(first, first + 1)));
            let named = around.find_map(|place| self.named(&error.source, *place));
            let error = named.unwrap_or(error);
            if !told.contains(&error) {
                told.push(error);
            }
        }
        Diagnostics(told)
    }

    /// Where labels stand in a text, the longer one first where two begin at once.
    fn labels_in(&self, text: &str) -> Vec<Span> {
        let labels = self.inputs.iter().flat_map(|input| {
            let values = input.value_labels.iter().map(|(_, label)| label);
            std::iter::once(&input.label).chain(values)
        });
        let labels = labels.chain([&self.unit.one, &self.unit.many]);
        let labels = labels.chain(self.labels.iter().map(|(_, label)| label));
        let labels = labels.map(String::as_str);
        let labels = labels.chain(ROUNDS.into_iter().filter(|_| self.rounds.is_some()));
        let mut places: Vec<Span> = labels.flat_map(|label| places_of(label, text)).collect();
        places.sort_by_key(|place| (place.start, std::cmp::Reverse(place.end)));
        places
    }

    /// What is said of a label that stands where a name was due; none of what is a name, too.
    fn named(&self, source: &Arc<Source>, place: Span) -> Option<Diagnostic> {
        let label = &source.text[place.start..place.end];
        let mut bound = self.program.variables.iter();
        let is_bound = bound.any(|variable| *variable.name == *label);
        if is_bound || self.input(label).is_some() || self.label_event(label).is_some() {
            return None;
        }
        let error = Diagnostic::new(source, place, format!("unknown name `{label}`"));
        Some(
            error
                .with_label(LABEL)
                .with_help(self.name_of_label(label)?),
        )
    }

    pub(super) fn value_error(
        &self,
        source: &Arc<Source>,
        id: InputId,
        at: usize,
        problem: &values::Problem,
    ) -> Diagnostic {
        let input = &self.inputs[id.0];
        let span = Span::new(at + problem.start, at + problem.end);
        let message = format!("`{}`: {}", input.name, problem.message);
        let error = Diagnostic::new(source, span, message);
        let written = source.text.get(span.start..span.end);
        if let Some((value, label)) = written.and_then(|text| labelled(input, text.trim())) {
            return error
                .with_label(LABEL)
                .with_help(format!("the value with the label `{label}` is `{value}`"))
                .with_fix(span, value);
        }
        let (line, column) = self.source.line_column(input.span.start);
        let help = if input.help.is_empty() {
            String::new()
        } else {
            format!(": {}", input.help)
        };
        let file = &self.source.name;
        problem
            .mend(error)
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
        if let Some(meant) = self.name_of_label(name) {
            return error.with_label(LABEL).with_help(meant);
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
        let mut shown = self.outcomes.iter();
        if shown.any(|outcome| outcome.name == name) {
            let help = format!("what is shown is asked for, as in `--query '{name} == …'`");
            return error.with_label("this is shown, not set").with_help(help);
        }
        let names = match known.as_slice() {
            [] => "nothing can be set here".to_owned(),
            known => there_are(known),
        };
        error
            .with_label("unknown")
            .with_help(format!("{names}{sides}"))
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
