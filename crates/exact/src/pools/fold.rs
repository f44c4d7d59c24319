//! What is carried from the highest face of a roll to the lowest.

use std::sync::{Arc, PoisonError};

use oddsmith_dist::{Carry, Feature, Kept, Reading as Read, Steps};
use oddsmith_rules::program::{Expr, Fold, Kind, VarId};
use oddsmith_rules::{Config, FixedError, fixed_value};

use super::read::Single;
use crate::Error;
use crate::cache::Failure;
use crate::evaluate::{Env, FAILED};

/// A fold all of whose expressions are about what it binds alone. Its cells are what is carried, then whether a step has
/// failed; of several pools also whether a face is open, that face, and how many dice of each pool show it.
struct Carried {
    fold: Fold,
    config: Config,
    failure: Failure,
}

/// Values of names, few enough to be looked through.
struct Bound(Vec<(VarId, i64)>);

impl Bound {
    fn get(&self, var: VarId) -> Option<i64> {
        let known = self.0.iter().find(|(known, _)| *known == var);
        known.map(|(_, value)| *value)
    }

    fn put(&mut self, var: VarId, value: i64) {
        match self.0.iter_mut().find(|(known, _)| *known == var) {
            Some((_, known)) => *known = value,
            None => self.0.push((var, value)),
        }
    }
}

impl Carried {
    /// The place of the cell that says whether a step has failed.
    fn failed(&self) -> usize {
        self.fold.states.len()
    }

    /// All steps at a face.
    fn at_face(&self, states: &mut [i64], face: i64, counts: &[i64]) -> Result<(), FixedError> {
        let mut bound = Bound(vec![(self.fold.face, face)]);
        let counts = self.fold.counts.iter().zip(counts);
        counts.for_each(|(var, count)| bound.put(*var, *count));
        let carried = || self.fold.states.iter().map(|(var, _)| *var);
        carried()
            .zip(&*states)
            .for_each(|(var, value)| bound.put(var, *value));
        for (var, value) in &self.fold.steps {
            let value = fixed_value(value, &self.config, &|var| bound.get(var))?;
            bound.put(*var, value);
        }
        for (var, state) in carried().zip(states) {
            *state = bound.get(var).expect("what is carried is bound");
        }
        Ok(())
    }

    /// Takes in a face of which all dice are known.
    fn take(&self, cells: &mut [i64], face: i64, counts: &[i64]) {
        let failed = self.failed();
        if cells[failed] != 0 {
            return;
        }
        if let Err(error) = self.at_face(&mut cells[..failed], face, counts) {
            // What is carried does not matter any more.
            cells[..failed].fill(0);
            cells[failed] = 1;
            let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
            failure.get_or_insert(error);
        }
    }

    /// Takes in the face that is open.
    fn finish(&self, cells: &mut [i64]) {
        let open = self.failed() + 1;
        if let Some(1) = cells.get(open) {
            let (cells, face) = cells.split_at_mut(open);
            self.take(cells, face[1], &face[2..]);
            face.fill(0);
        }
    }
}

impl Carry for Carried {
    fn step(&self, cells: &mut [i64], face: i64, count: i64) {
        if self.fold.counts.len() == 1 {
            return self.take(cells, face, &[count]);
        }
        let (face, place) = self.fold.shown(face);
        let open = self.failed() + 1;
        if cells[open] == 1 && cells[open + 1] != face {
            self.finish(cells);
        }
        (cells[open], cells[open + 1]) = (1, face);
        cells[open + 2 + place] = count;
        if place == 0 {
            // No other pool comes behind the first one.
            self.finish(cells);
        }
    }

    fn result(&self, cells: &[i64]) -> i64 {
        let mut cells = cells.to_vec();
        self.finish(&mut cells);
        match cells[self.failed()] {
            0 => cells[0],
            _ => FAILED,
        }
    }
}

impl Env<'_> {
    /// What a fold comes to for dice that are not rolled yet; `at` is its place.
    pub(super) fn folded(&mut self, fold: &Fold, kept: Kept, at: &Expr) -> Result<Single, Error> {
        let mut cells = Vec::with_capacity(fold.states.len() + 1);
        for (_, start) in &fold.states {
            cells.push(self.number(start)?);
        }
        if kept.is_empty() {
            return match cells[0] {
                FAILED => Err(self.scope.overflow(at)),
                start => Ok(Single::Known(start)),
            };
        }
        cells.push(0);
        if fold.counts.len() > 1 {
            cells.resize(cells.len() + 2 + fold.counts.len(), 0);
        }
        let closed = self.closed(fold)?;
        let key = format!("{:?}", (&closed.states, &closed.steps));
        let carried = Carried {
            fold: closed,
            config: self.config.clone(),
            failure: Arc::clone(&self.cache.failure),
        };
        let steps = Steps::carried("a fold", key, cells, Arc::new(carried));
        Ok(Single::Feature(Feature::new(kept, Read::Steps(steps))))
    }

    /// The fold with numbers for all that is bound outside of it.
    fn closed(&mut self, fold: &Fold) -> Result<Fold, Error> {
        let mut inner = fold.bound();
        for part in fold.parts() {
            part.for_each(&mut |part| part.collect_bound(&mut inner));
        }
        let mut failed = None;
        let closed = fold.map_parts(&mut |part| self.with_values(part, &inner, &mut failed));
        match failed {
            Some(error) => Err(error),
            None => Ok(closed),
        }
    }

    fn with_values(&mut self, expr: &Expr, inner: &[VarId], failed: &mut Option<Error>) -> Expr {
        match expr.kind {
            Kind::Var(var) if !inner.contains(&var) => match self.value(var) {
                Ok(value) => Expr::constant(value, expr.span),
                Err(error) => {
                    failed.get_or_insert(error);
                    expr.clone()
                }
            },
            Kind::Input(id) => Expr::constant(self.config[id], expr.span),
            _ => expr.map_parts(&mut |part| self.with_values(part, inner, failed)),
        }
    }

    /// What a fold comes to for faces that are known, from high to low.
    pub(super) fn fold_faces(&mut self, fold: &Fold, faces: &[i64]) -> Result<i64, Error> {
        let mut states = Vec::with_capacity(fold.states.len());
        for (var, start) in &fold.states {
            states.push((*var, self.number(start)?));
        }
        let bound = fold.bound();
        let before: Vec<Option<i64>> = bound.iter().map(|var| self.peek(*var)).collect();
        states
            .into_iter()
            .for_each(|(var, value)| self.bind(var, value));
        let done = fold.sets(faces).iter().try_for_each(|set| {
            self.bind(fold.face, set.face);
            self.bind_all(&fold.counts, &set.counts);
            fold.steps.iter().try_for_each(|(var, value)| {
                let value = self.number(value)?;
                self.bind(*var, value);
                Ok(())
            })
        });
        let result = self.peek(fold.states[0].0);
        for (var, value) in bound.into_iter().zip(before) {
            self.restore(var, value);
        }
        done?;
        Ok(result.expect("what is carried is bound"))
    }

    /// The error of a reading that can't be made for some roll: that of a step of a fold, or a number that is too large.
    pub(super) fn unmade(&self, at: &Expr) -> Error {
        let failure = self
            .cache
            .failure
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        match failure.as_ref() {
            None | Some(FixedError::Overflow { .. }) => self.scope.overflow(at),
            Some(FixedError::DivisionByZero { span }) => {
                self.scope
                    .error_at(*span, "division by zero", "this can be 0")
            }
            Some(error) => self.scope.error_at(error.span(), error.to_string(), "here"),
        }
    }
}
