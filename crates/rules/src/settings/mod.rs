//! Configurations and sweeps as users ask for them: `name=value`, `axis=VALUES`, queries, charts, what is spent.

pub(crate) mod chart;
mod distributed;
mod measures;
mod names;
pub(crate) mod queries;
pub(crate) mod ranges;
pub(crate) mod resource;
mod tuning;

use std::sync::Arc;

use crate::check::{Check, InputRange};
use crate::config::Config;
use crate::program::InputId;
use crate::source::{Diagnostic, Source, Span};
use crate::values;

impl Check {
    /// Changes `config` by an assignment such as `circ_boons=2`, `state=fragile`, `ladder[2]=10` or
    /// `ladder=[0,4,6,8,10,12]`. In a contest `a.state=fragile` sets one side and `state=fragile` both. `origin`
    /// is what messages call the place it came from, such as `--set`.
    ///
    /// # Errors
    /// If there is no such input, or the value is not in its domain; `config` stays as it was.
    pub fn set(
        &self,
        config: &mut Config,
        assignment: &str,
        origin: &str,
    ) -> Result<(), Diagnostic> {
        let source = Source::new(origin, assignment);
        let (name, value, at) = self.split(&source, "name=value")?;
        self.refuse_several(&source, value, at)?;
        let mut changed = config.clone();
        let names = self.on_each_side(name);
        if names.is_empty() {
            return Err(self.unknown_input(&source, name, &[]));
        }
        for side in names {
            self.set_one(&mut changed, &source, (name, &side), value, at)?;
        }
        *config = changed;
        Ok(())
    }

    /// Sets one input, or one list, by its name as written and in full; `value` stands at `at`.
    fn set_one(
        &self,
        config: &mut Config,
        source: &Arc<Source>,
        (written, name): (&str, &str),
        value: &str,
        at: usize,
    ) -> Result<(), Diagnostic> {
        let mut set = |id: InputId, text: &str, start: usize| {
            let domain = &self.inputs[id.0].domain;
            let parsed = values::parse_one(text, domain);
            let value = parsed.map_err(|problem| {
                let error = self.value_error(source, id, start, &problem);
                match values::parse(text, domain) {
                    Ok(several) if several.len() > 1 => {
                        error.with_help(one_is_set(&source.name, written, text))
                    }
                    _ => error,
                }
            })?;
            config.put(id, value);
            Ok(())
        };
        if let Some(id) = self.input(name) {
            return set(id, value, at);
        }
        let elements: Vec<InputId> = self.elements(name);
        let inner = value
            .trim()
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'));
        let items: Vec<&str> = inner
            .map(|inner| inner.split(',').collect())
            .unwrap_or_default();
        if items.len() != elements.len() {
            let whole = Span::new(at, source.text.len());
            let message = format!("`{written}` is a list of {} values", elements.len());
            let help = format!("write {written}=[…] with all of them, or {written}[0]=… for one");
            return Err(Diagnostic::new(source, whole, message)
                .with_label(not_that_list(value))
                .with_help(help));
        }
        // Behind the bracket, and whatever blanks stand before it.
        let mut start = at + value.find('[').map_or(0, |bracket| bracket + 1);
        for (id, item) in elements.into_iter().zip(items) {
            set(id, item, start)?;
            start += item.len() + 1;
        }
        Ok(())
    }

    /// The input and the values of a sweep such as `circ_boons=-5..=5` or `state=all`, in the order asked. A name alone takes
    /// the values of its declared sweep, or all of its domain if that is small.
    ///
    /// # Errors
    /// As [`Check::set`]; also if a value is there twice, and if both sides of a contest have the name.
    pub fn sweep(&self, sweep: &str, origin: &str) -> Result<InputRange, Diagnostic> {
        let source = Source::new(origin, sweep);
        let name = sweep.trim();
        if !name.is_empty()
            && name
                .chars()
                .all(|c| c.is_alphanumeric() || "_.[]".contains(c))
        {
            return self.declared_range(&source, name, &[]);
        }
        let (name, values, at) = self.split(&source, "axis=VALUES")?;
        let rest = format!("={}", values.trim());
        let id = match self.on_each_side(name).as_slice() {
            [] => return Err(self.unknown_input(&source, name, &[])),
            [only] => match self.input(only) {
                Some(id) => id,
                None => return Err(self.list_as_a_whole(&source, name, &rest)),
            },
            sides => return Err(self.which_side(&source, name, sides, &rest)),
        };
        self.refuse_several(&source, values, at)?;
        let parsed = values::parse(values, &self.inputs[id.0].domain);
        let values = parsed.map_err(|problem| self.value_error(&source, id, at, &problem))?;
        Ok(InputRange { input: id, values })
    }

    /// What `--sweep all` runs over: every axis that declares a `sweep`, in the file's order.
    #[must_use]
    pub fn default_sweep(&self) -> Vec<InputRange> {
        let swept = self
            .inputs
            .iter()
            .enumerate()
            .filter(|(_, input)| !input.sweep.is_empty());
        swept
            .map(|(at, input)| InputRange {
                input: InputId(at),
                values: input.sweep.clone(),
            })
            .collect()
    }
}

/// What is said where several values stand in the place of one.
fn one_is_set(origin: &str, name: &str, values: &str) -> String {
    let values = values.trim();
    if matches!(origin, "--a" | "--b") {
        return "each side has one value: a check that has both sides' axes and rolls for both can be swept".to_owned();
    }
    format!("one value is set; several are swept: `oddsmith table … --sweep {name}={values}`")
}

/// What is wrong with a text that should have been a list of another length.
fn not_that_list(value: &str) -> String {
    let value = value.trim();
    let inner = value.trim_start_matches('[').trim_end_matches(']').trim();
    let given = match inner.split(',').count() {
        _ if inner.is_empty() => "no values".to_owned(),
        1 => "one value".to_owned(),
        count => format!("{count} values"),
    };
    match (value.starts_with('['), value.ends_with(']')) {
        (true, true) => format!("this has {given}"),
        (true, false) => format!("{given}, and `]` is missing"),
        (false, true) => format!("{given}, and `[` is missing"),
        (false, false) => format!("{given}, without `[` and `]`"),
    }
}
