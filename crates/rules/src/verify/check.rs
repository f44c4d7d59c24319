//! What a check says of its inputs and of its program.

use std::collections::BTreeSet;

use super::{Flaw, Verified, Verifier, demand};
use crate::check::{Check, Input, Measure, Outcome, OutcomeKind, Role};
use crate::program::{Statement, VarId};

impl Check {
    /// Whether the check agrees with itself: its program ([`Program::verify`](crate::program::Program::verify)) and
    ///
    /// - its inputs have names of their own, parameters come first, and defaults and sweeps lie in the domains;
    /// - what it shows are numbers that its program binds, at its end or in the first round of a track, and are labels
    ///   or truth values where it says so;
    /// - its requirements are conditions on inputs, and what it compares and strives for is made of inputs and of what it
    ///   shows, without dice;
    /// - it counts rounds if its program has a loop without a count.
    ///
    /// # Errors
    /// The first flaw that is found.
    pub fn verify(&self) -> Result<(), Flaw> {
        let mut names = BTreeSet::new();
        for input in self.inputs.iter() {
            self.input_agrees(input, names.insert(&input.name))?;
        }
        let is_sorted = self
            .inputs
            .is_sorted_by_key(|input| input.role == Role::Axis);
        demand(is_sorted, self.span, || {
            "a parameter stands behind an axis".to_owned()
        })?;
        let mut verifier = Verifier::new(&self.program, self.inputs.len()).program()?;
        self.rounds_agree(&verifier)?;
        self.outcomes_agree(&verifier)?;
        let end = verifier.close(0);
        for requirement in &self.requires {
            let condition = &requirement.condition;
            verifier.condition(condition)?;
            verifier.fixed_number(condition)?;
        }
        let round = verifier.round.take().unwrap_or_default();
        let shown: BTreeSet<VarId> = self.outcomes.iter().map(|outcome| outcome.var).collect();
        for var in shown
            .into_iter()
            .filter(|var| end.contains(var) || round.contains(var))
        {
            verifier.show(var);
        }
        let mut measures = self.contest.iter().chain(&self.goal);
        measures.try_for_each(|measure| verifier.measure(measure))
    }
}

impl Check {
    fn input_agrees(&self, input: &Input, is_new: bool) -> Verified {
        let Input { name, domain, .. } = input;
        demand(is_new, input.span, || {
            format!("two inputs are called `{name}`")
        })?;
        let (low, high) = domain.bounds();
        demand(low <= high, input.span, || {
            format!("`{name}` has an empty domain")
        })?;
        let values: BTreeSet<i64> = input.sweep.iter().copied().collect();
        let mut own = values.iter().chain([&input.default]);
        let is_legal = own.all(|value| domain.contains(*value));
        demand(is_legal, input.span, || {
            format!("a value of `{name}` is outside its domain")
        })?;
        demand(values.len() == input.sweep.len(), input.span, || {
            format!("`{name}` is swept over a value twice")
        })
    }

    fn rounds_agree(&self, verifier: &Verifier<'_>) -> Verified {
        let counts = |var: VarId| {
            let sets =
                |inner: &Statement| matches!(inner, Statement::Set { var: set, .. } if *set == var);
            self.program
                .statements
                .iter()
                .any(|statement| match statement {
                    Statement::Repeat { body, .. } => {
                        statement.is_own_loop() && body.iter().any(sets)
                    }
                    _ => false,
                })
        };
        let is_counted = match self.rounds {
            Some(var) => {
                let variable = verifier.seen(var, self.span)?;
                !variable.is_pool && counts(var)
            }
            None => true,
        };
        let is_track = verifier.round.is_some();
        demand(
            is_counted && is_track == self.rounds.is_some(),
            self.span,
            || "rounds are counted where there are none, or the other way round".to_owned(),
        )
    }

    fn outcomes_agree(&self, verifier: &Verifier<'_>) -> Verified {
        let mut names = BTreeSet::new();
        for outcome in &self.outcomes {
            let Outcome {
                name, var, span, ..
            } = outcome;
            demand(names.insert(name), *span, || {
                format!("two outcomes are called `{name}`")
            })?;
            let variable = verifier.variable(*var, *span)?;
            let is_bound = match outcome.first_round {
                true => verifier.round.iter().flatten().any(|bound| bound == var),
                false => verifier.seen(*var, *span).is_ok(),
            };
            let is_kind = match &outcome.kind {
                OutcomeKind::Observable => true,
                OutcomeKind::Flag => verifier.truths[var.0],
                OutcomeKind::Band(labels) | OutcomeKind::Label(labels) => {
                    variable.labels.as_ref() == Some(labels)
                }
            };
            demand(is_bound && is_kind && !variable.is_pool, *span, || {
                format!("`{name}` is not what is shown")
            })?;
        }
        Ok(())
    }
}

impl<'p> Verifier<'p> {
    /// Makes a variable one that can be read, as what is shown can in questions.
    fn show(&mut self, var: VarId) {
        self.places[var.0] = Some(self.scope.len());
        self.scope.push(var);
    }

    fn measure(&mut self, measure: &'p Measure) -> Verified {
        self.number(&measure.value)?;
        demand(!measure.value.rolls_dice(), measure.value.span, || {
            format!("`{}` rolls dice", measure.text)
        })
    }
}
