//! What a contest compares and what a choice strives for, where users say so themselves.

use std::sync::Arc;

use crate::check::{Check, FoundOut, Measure};
use crate::lower::Asked;
use crate::lower::Scalar;
use crate::program::{Statement, VarId, Variable};
use crate::settings::queries::finish;
use crate::source::{Diagnostic, Diagnostics, Reporter, Source, Span};
use crate::syntax;

/// What the variable is called that choices strive for.
const GOAL: &str = "maximise";

impl Check {
    /// The same check with another number to compare in a contest, over what it shows.
    ///
    /// # Errors
    /// If `text` is not a number, a condition or a label made of that.
    pub fn with_contest(&self, text: &str, origin: &str) -> Result<Self, Diagnostics> {
        let (measure, variables) = self.read_measure(text, origin, Asked::Contest)?;
        Ok(Self {
            contest: Some(measure),
            ..self.with_variables(variables)
        })
    }

    /// The same check with another goal for what it chooses, over what it shows: a number, or an event that
    /// counts 1.
    ///
    /// # Errors
    /// If `text` is neither, or the check chooses nothing.
    pub fn with_goal(&self, text: &str, origin: &str) -> Result<Self, Diagnostics> {
        if self.own_goal().is_none() {
            let source = Source::new(origin, text);
            let whole = Span::new(0, text.len());
            let message = format!("`{}` chooses nothing", self.name);
            return Err(Diagnostic::new(&source, whole, message)
                .with_help("a goal is for rules with a `choose` of their own")
                .into());
        }
        let (goal, variables) = self.read_measure(text, origin, Asked::Goal)?;
        let check = self.with_variables(variables);
        let read = check.outcomes_in([&goal.value].into_iter());
        let mut shown = check
            .outcomes
            .iter()
            .filter(|shown| read.contains(&shown.var));
        if let Some(first) = shown.find(|shown| shown.first_round) {
            let message = format!("`{}` is about the first round alone", first.name);
            let whole = Span::new(0, text.len());
            return Err(Diagnostic::new(&Source::new(origin, text), whole, message)
                .with_help(
                    "a track's choices strive for what it has come to at its end, or for `-rolls`",
                )
                .into());
        }
        Ok(check.striving_for(goal))
    }

    /// The same check with this goal, made of what it shows, whether it chooses anything or not.
    #[must_use]
    pub fn striving_for(mut self, goal: Measure) -> Self {
        // The goal of the check's own choices is the last thing that its script binds.
        let own_goal = self.own_goal();
        let program = Arc::make_mut(&mut self.program);
        let var = if let Some(own) = own_goal {
            program.statements.pop();
            own
        } else {
            let variables = &mut program.variables;
            variables.push(Variable::rolled(GOAL, self.span));
            VarId(variables.len() - 1)
        };
        program.statements.push(Statement::Let {
            var,
            value: goal.value.clone(),
        });
        self.goal = Some(goal);
        self.found = FoundOut::default();
        self
    }

    /// The variable that the check's own choices strive for; those of the checks it plays have others.
    #[must_use]
    pub fn own_goal(&self) -> Option<VarId> {
        match self.program.statements.last() {
            Some(Statement::Let { var, .. }) if self.goal.is_some() => {
                (*self.program.variable(*var).name == *GOAL).then_some(*var)
            }
            _ => None,
        }
    }

    /// Reads an expression over what is shown, with the variables that the program then has: what it binds are some
    /// of them.
    pub(super) fn read_measure(
        &self,
        text: &str,
        origin: &str,
        asked: Asked,
    ) -> Result<(Measure, Vec<Variable>), Diagnostics> {
        if let Some(event) = self.label_event(text.trim()) {
            let measure = Scalar::Bool.measure(event, text.trim());
            return Ok((measure, self.program.variables.clone()));
        }
        let source = Source::new(origin, text);
        let mut reporter = Reporter::new(&source);
        let parsed = syntax::parse_expr(text, 0, &mut reporter);
        let lowered = parsed.and_then(|expr| {
            self.with_names(asked, &mut reporter, |lowerer, bands| {
                let (value, scalar) = match asked {
                    Asked::Goal | Asked::Utility => {
                        (lowerer.goal_value(&expr, bands).ok()?, Scalar::Int)
                    }
                    _ => lowerer.compared(&expr, bands).ok()?,
                };
                let variables = std::mem::take(&mut lowerer.program.variables);
                Some((scalar.measure(value, text.trim()), variables))
            })
        });
        let read = finish(reporter, lowered, "this is not an expression");
        read.map_err(|errors| self.with_names_of_labels(errors))
    }

    /// The same check with these variables, of which its own are the first.
    pub(super) fn with_variables(&self, variables: Vec<Variable>) -> Self {
        let mut check = self.clone();
        Arc::make_mut(&mut check.program).variables = variables;
        check.found = FoundOut::default();
        check
    }
}
