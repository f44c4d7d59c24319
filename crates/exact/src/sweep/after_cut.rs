//! What follows from each state of the variables at which a script is cut.

use oddsmith_dist::{IBig, UBig};
use oddsmith_rules::Config;
use oddsmith_rules::program::VarId;

use crate::Error;
use crate::evaluate::Env;
use crate::hash::Map;
use crate::moments::{moment_count, sum_moments};
use crate::residual::Script;
use crate::states::States;
use crate::sweep::cut::Cut;
use crate::sweep::kernel::{Cell, Kernel};
use crate::sweep::query_group::QueryGroup;
use crate::sweep::space::Space;

/// States from which a script is played at once: enough to share what they have in common, few enough for what comes of
/// them to fit in memory where that of one does.
const PLAYED_TOGETHER: usize = 128;

/// The rest of a script, from states of some variables that it keeps known to its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rest<'s> {
    pub(super) script: &'s Script,
    pub(super) vars: &'s [VarId],
}

impl QueryGroup {
    /// What follows from each value of the cut variable in one configuration.
    pub(super) fn kernel(
        &self,
        space: &Space<'_>,
        cut: &Cut,
        intervals: &[(i64, i64)],
        config: &Config,
    ) -> Kernel {
        let mut env = self.env(space, config);
        let values: Vec<i64> = intervals
            .iter()
            .flat_map(|&(low, high)| low..=high)
            .collect();
        let rest = Rest {
            script: &cut.after,
            vars: std::slice::from_ref(&cut.var),
        };
        let cells = self.cells(&mut env, space, rest, &values);
        let cells = values.into_iter().zip(cells).collect();
        Kernel::new(cells, self.moment_count(space))
    }

    /// How many moments the group's queries need.
    pub(super) fn moment_count(&self, space: &Space<'_>) -> usize {
        let queries = self.group.queries.iter();
        let moments = queries.map(|&place| moment_count(&space.queries[place]));
        moments.sum()
    }

    /// What follows from each of some different states, whose values stand one state after the other.
    pub(super) fn cells(
        &self,
        env: &mut Env<'_>,
        space: &Space<'_>,
        rest: Rest<'_>,
        values: &[i64],
    ) -> Vec<Cell> {
        let width = rest.vars.len();
        let mut cells = Vec::with_capacity(values.len() / width);
        for values in values.chunks(PLAYED_TOGETHER * width) {
            self.push_cells(env, space, rest, values, &mut cells);
        }
        cells
    }

    fn push_cells(
        &self,
        env: &mut Env<'_>,
        space: &Space<'_>,
        rest: Rest<'_>,
        values: &[i64],
        cells: &mut Vec<Cell>,
    ) {
        let width = rest.vars.len();
        match self.played_together(env, space, rest, values) {
            Ok(good) => cells.extend(good.into_iter().map(Ok)),
            Err(error) if values.len() == width => cells.push(Err(error)),
            // It is told only to the states that it is about.
            Err(_) => {
                let (lower, upper) = values.split_at(values.len() / width / 2 * width);
                self.push_cells(env, space, rest, lower, cells);
                self.push_cells(env, space, rest, upper, cells);
            }
        }
    }

    /// What follows from each of some states: the script is played once for all of them, as if each had the weight 1.
    fn played_together(
        &self,
        env: &mut Env<'_>,
        space: &Space<'_>,
        rest: Rest<'_>,
        values: &[i64],
    ) -> Result<Vec<(Vec<IBig>, UBig)>, Error> {
        let keys = || values.chunks_exact(rest.vars.len());
        let mut start = States::with_capacity(keys().len(), rest.vars.len(), UBig::ONE);
        keys().for_each(|key| start.push(key.iter().copied(), UBig::ONE));
        let places: Map<&[i64], usize> = keys().enumerate().map(|(at, key)| (key, at)).collect();
        start.merge(0);
        let played = env.run(rest.script, rest.vars, start)?;
        let vars = rest.script.final_vars(rest.vars);
        let own = rest.vars.iter();
        let own: Vec<usize> = own
            .map(|var| vars.binary_search(var).expect("it stays known"))
            .collect();
        let none = States::with_capacity(0, vars.len(), played.total.clone());
        let mut of_key = vec![none; places.len()];
        let mut key = Vec::with_capacity(own.len());
        for (state, weight) in played.iter() {
            key.clear();
            key.extend(own.iter().map(|at| state[*at]));
            let place = places[key.as_slice()];
            of_key[place].push(state.iter().copied(), weight.clone());
        }
        let moments = |states: States| {
            let (results, queries) = (&self.residual.results, space.queries);
            let moments = sum_moments(env, results, vars, &self.group, queries, &states)?;
            Ok((moments, states.total))
        };
        of_key.into_iter().map(moments).collect()
    }
}
