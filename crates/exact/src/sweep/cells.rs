//! What follows from each value of a cut variable.

use oddsmith_dist::{IBig, UBig};
use oddsmith_rules::Config;

use crate::Error;
use crate::evaluate::Env;
use crate::question::{moment_count, sum_moments};
use crate::states::States;
use crate::sweep::Sweep;
use crate::sweep::cut::Cut;
use crate::sweep::kernel::{Cell, Kernel};
use crate::sweep::part::Part;

/// Values of a cut variable from which a script is played at once: enough to share what they have in common, few enough
/// for their states to fit in memory where those of one value do.
const PLAYED_TOGETHER: usize = 128;

impl Part {
    /// What follows from each value of the cut variable in one configuration.
    pub(super) fn kernel(
        &self,
        sweep: &Sweep<'_>,
        cut: &Cut,
        intervals: &[(i64, i64)],
        config: &Config,
    ) -> Kernel {
        let mut env = self.env(sweep, config);
        let values: Vec<i64> = intervals
            .iter()
            .flat_map(|&(low, high)| low..=high)
            .collect();
        let mut cells = Vec::with_capacity(values.len());
        for values in values.chunks(PLAYED_TOGETHER) {
            self.push_cells(&mut env, sweep, cut, values, &mut cells);
        }
        let queries = self.group.queries.iter();
        let moments = queries.map(|&place| moment_count(&sweep.queries[place]));
        Kernel::new(values.into_iter().zip(cells).collect(), moments.sum())
    }

    /// Appends what follows from each of some values of the cut variable, which are ascending.
    fn push_cells(
        &self,
        env: &mut Env<'_>,
        sweep: &Sweep<'_>,
        cut: &Cut,
        values: &[i64],
        cells: &mut Vec<Cell>,
    ) {
        match self.cells(env, sweep, cut, values) {
            Ok(good) => cells.extend(good.into_iter().map(Ok)),
            Err(error) if values.len() == 1 => cells.push(Err(error)),
            // It is told only to the values that it is about.
            Err(_) => {
                let (lower, upper) = values.split_at(values.len() / 2);
                self.push_cells(env, sweep, cut, lower, cells);
                self.push_cells(env, sweep, cut, upper, cells);
            }
        }
    }

    /// What follows from each of some values of the cut variable: the script is played once for all of them, as if each
    /// had the weight 1.
    fn cells(
        &self,
        env: &mut Env<'_>,
        sweep: &Sweep<'_>,
        cut: &Cut,
        values: &[i64],
    ) -> Result<Vec<(Vec<IBig>, UBig)>, Error> {
        let mut start = States::with_capacity(values.len(), 1, UBig::ONE);
        values
            .iter()
            .for_each(|&value| start.push([value], UBig::ONE));
        let played = env.run(&cut.after, &[cut.var], start)?;
        let vars = cut.after.final_vars(std::slice::from_ref(&cut.var));
        let own = vars.binary_search(&cut.var).expect("it stays known");
        let none = States::with_capacity(0, vars.len(), played.total.clone());
        let mut of_value = vec![none; values.len()];
        for (key, weight) in played.iter() {
            let place = values
                .binary_search(&key[own])
                .expect("it stays what it was");
            of_value[place].push(key.iter().copied(), weight.clone());
        }
        let moments = |states: States| {
            let (results, queries) = (&self.residual.results, sweep.queries);
            let moments = sum_moments(env, results, vars, &self.group, queries, &states)?;
            Ok((moments, states.total))
        };
        of_value.into_iter().map(moments).collect()
    }
}
