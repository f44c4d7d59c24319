//! What has a distribution of its own: all that a check shows, and the other numbers that its rules bind.

use crate::check::{Check, Outcome, OutcomeKind};
use crate::program::{Program, Statement, VarId};
use crate::source::{Diagnostic, Diagnostics, Source, Span, nearest, there_are};

impl Check {
    /// Everything that [`Check::with_values`] knows, in this order: what is shown, then what else the rules of a check bind
    /// outside of its loops. A pool of dice among these is the variable of the pool.
    #[must_use]
    pub fn values(&self) -> Vec<Outcome> {
        let mut values = self.outcomes.clone();
        // What the rounds of a track leave behind is what it shows.
        if self.rounds.is_none() {
            let bound = self.program.statements().iter().filter_map(|statement| {
                let (Statement::Let { var, .. } | Statement::Choose { var, .. }) = statement else {
                    return None;
                };
                self.bound(*var)
            });
            let bound: Vec<Outcome> = bound.collect();
            // The parts of a list are variables that are written at the same place: no one of them is the list.
            let is_alone =
                |own: &Outcome| bound.iter().filter(|other| other.span == own.span).count() == 1;
            let bound = bound.iter().filter(|own| is_alone(own));
            for own in bound {
                if values.iter().all(|known| known.name != own.name) {
                    values.push(own.clone());
                }
            }
        }
        values
    }

    /// What a variable holds, if the rules name it and do not show it.
    fn bound(&self, var: VarId) -> Option<Outcome> {
        let variable = self.program.variable(var);
        let written = self.source.text.get(variable.span.start..variable.span.end);
        // Others have their names from the language.
        if written != Some(variable.name()) {
            return None;
        }
        Some(Outcome {
            name: variable.name().to_owned(),
            kind: match variable.labels() {
                Some(labels) => OutcomeKind::Label(labels.clone()),
                None => OutcomeKind::Observable,
            },
            var,
            first_round: false,
            span: variable.span,
        })
    }

    /// The values of these names, and the check in which each of them is a number or a label: a pool of dice is its sum.
    ///
    /// # Errors
    /// Every name that nothing has, with what was perhaps meant, or with all that there is; a name that is there twice.
    ///
    /// ```
    /// let rules = r#"
    /// name = "Hand"
    /// [checks.check]
    /// rules = """
    /// let hand = 3d6
    /// show best = highest(hand)
    /// """
    /// "#;
    /// let model = oddsmith_rules::load("hand.toml", rules.as_bytes()).unwrap();
    /// let check = model.check("check").unwrap();
    /// let (_, values) = check.with_values(&["best", "hand"], "<value>").unwrap();
    /// assert_eq!(values.len(), 2);
    /// let error = check.with_values(&["hond"], "<value>").unwrap_err();
    /// assert!(error.render(false).contains("did you mean `hand`?"));
    /// ```
    pub fn with_values(
        &self,
        names: &[impl AsRef<str>],
        origin: &str,
    ) -> Result<(Self, Vec<Outcome>), Diagnostics> {
        let known = self.values();
        let (mut found, mut errors) = (Vec::new(), Vec::new());
        for name in names.iter().map(AsRef::as_ref) {
            match known.iter().find(|value| value.name == name) {
                None => errors.push(self.no_value(name, &known, origin)),
                Some(value) if found.iter().any(|other: &Outcome| other.name == value.name) => {
                    errors.push(refused(
                        name,
                        origin,
                        format!("`{name}` is asked for twice"),
                    ));
                }
                Some(value) if self.program.variable(value.var).is_endless() => {
                    errors.push(refused(name, origin, format!("`{name}` has no end")).with_help(
                        format!("dice in it explode without one: show `min({name}, 60)` and ask for that"),
                    ));
                }
                Some(value) => found.push(value.clone()),
            }
        }
        Diagnostics::if_any(errors)?;
        let mut check = self.clone();
        for value in &mut found {
            value.var = check.number_of(value);
        }
        Ok((check, found))
    }

    /// The variable that holds a value as a number: of a pool a new one, for its sum.
    fn number_of(&mut self, value: &Outcome) -> VarId {
        if !self.program.variable(value.var).is_pool() {
            return value.var;
        }
        let mut program = Program::clone(&self.program);
        let sum = program.var(value.var, value.span).sum();
        let (var, statement) = program.bind(value.name.as_str(), sum);
        let mut statements = program.statements().to_vec();
        statements.push(statement);
        let program = program.with_statements(statements, self.inputs.len());
        self.set_program(program.expect("a pool that is bound has a sum"));
        var
    }

    fn no_value(&self, name: &str, known: &[Outcome], origin: &str) -> Diagnostic {
        let names: Vec<&str> = known.iter().map(|value| value.name.as_str()).collect();
        let message = format!("`{}` has no value `{name}`", self.name);
        let error = refused(name, origin, message);
        if self.input(name).is_some() {
            let help = format!("`{name}` is set, not rolled; {}", there_are(&names));
            return error.with_help(help);
        }
        match nearest(name, names.iter().copied()) {
            Some(near) => error.meant(near),
            None => error.with_help(there_are(&names)),
        }
    }
}

fn refused(name: &str, origin: &str, message: String) -> Diagnostic {
    Diagnostic::new(
        &Source::new(origin, name),
        Span::new(0, name.len()),
        message,
    )
}
