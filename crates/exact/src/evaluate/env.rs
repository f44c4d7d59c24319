//! What is bound while a script is evaluated.

use std::rc::Rc;
use std::sync::Arc;

use oddsmith_dist::Budget;
use oddsmith_rules::evaluate::{NoValue, PlainValue};
use oddsmith_rules::program::{Expr, InputId, Statement, VarId};
use oddsmith_rules::{Config, Source, Span, fixed_value};

use crate::Error;
use crate::account::Account;
use crate::cache::{Cache, Ended};
use crate::choices::Choices;
use crate::hash::Map;
use crate::residual::{BlockScript, Residual};
use crate::rolls::{PoolValue, RollTable};
use crate::scope::Scope;

/// Bound values, and what is needed to make new ones.
pub(crate) struct Env<'a> {
    pub(crate) scope: Scope<'a>,
    pub(crate) config: &'a Config,
    pub(crate) account: Account<'a>,
    pub(crate) cache: &'a Cache,
    /// Indexed by variable; none is not bound.
    values: Vec<Option<i64>>,
    /// The pool that a joint reading is about.
    pub(crate) reading: Option<(VarId, PoolValue)>,
    /// Rolls of pools that are needed as a whole; a pool variable's value is a place in here.
    pub(crate) rolls: RollTable,
    /// Why a reading was last [`FAILED`]: an error only for whoever needs it.
    pub(crate) failed: Map<VarId, Error>,
    pub(crate) choices: Choices<'a>,
    /// How tracks have ended that were played.
    pub(crate) ended: Ended,
}

/// Stands in a state for a reading that could not be made; no reading comes to this number itself.
pub(crate) const FAILED: i64 = i64::MIN;

impl<'a> Env<'a> {
    pub(crate) fn new(
        source: &'a Arc<Source>,
        config: &'a Config,
        budget: &'a Budget,
        cache: &'a Cache,
        residual: &'a Residual,
    ) -> Self {
        Self {
            scope: Scope::new(source, residual),
            config,
            account: Account::new(budget),
            cache,
            values: vec![None; residual.variables.len()],
            reading: None,
            rolls: RollTable::default(),
            failed: Map::default(),
            choices: Choices::default(),
            ended: Ended::default(),
        }
    }

    /// Does something in another configuration, whose states go on here: what their values stand for, rolls of pools and
    /// readings that failed, is known in both.
    pub(crate) fn beside<T>(&mut self, mut other: Self, work: impl FnOnce(&mut Self) -> T) -> T {
        let exchange = |one: &mut Self, other: &mut Self| {
            std::mem::swap(&mut one.rolls, &mut other.rolls);
            std::mem::swap(&mut one.failed, &mut other.failed);
        };
        exchange(self, &mut other);
        let done = work(&mut other);
        exchange(self, &mut other);
        done
    }

    pub(crate) fn bind(&mut self, var: VarId, value: i64) {
        self.values[var.0] = Some(value);
    }

    pub(crate) fn unbind(&mut self, var: VarId) {
        self.values[var.0] = None;
    }

    /// Binds variables to the values of a state.
    pub(crate) fn bind_all(&mut self, vars: &[VarId], key: &[i64]) {
        vars.iter()
            .zip(key)
            .for_each(|(var, value)| self.bind(*var, *value));
    }

    /// Takes back what [`Self::bind_all`] did.
    pub(crate) fn unbind_all(&mut self, vars: &[VarId]) {
        vars.iter().for_each(|var| self.unbind(*var));
    }

    /// The value of a variable if it is bound.
    pub(crate) fn peek(&self, var: VarId) -> Option<i64> {
        self.values[var.0]
    }

    /// Puts back what [`Self::peek`] gave.
    pub(crate) fn restore(&mut self, var: VarId, value: Option<i64>) {
        self.values[var.0] = value;
    }

    /// A block as a script, prepared when it is first met.
    pub(crate) fn block_script(
        &mut self,
        statements: &Arc<[Statement]>,
        value: &Expr,
        is_pool: bool,
    ) -> Rc<BlockScript> {
        let block = self.scope.block(statements, value, is_pool);
        self.values.resize(self.scope.len(), None);
        block
    }

    /// A variable that the script does not have.
    pub(crate) fn new_variable(&mut self, name: &str, span: Span) -> VarId {
        let var = self.scope.add(name, span);
        self.values.resize(self.scope.len(), None);
        var
    }
}

/// Bound values; what is made of fixed ones that have not been needed yet is not known.
impl PlainValue for Env<'_> {
    type Error = NoValue;

    fn input(&self, id: InputId) -> Option<i64> {
        self.config.get(id)
    }

    fn bound(&self, var: VarId) -> Option<i64> {
        self.values[var.0].filter(|value| *value != FAILED)
    }

    fn block(&self, expr: &Expr, _: &[Statement], _: &Expr) -> Result<i64, NoValue> {
        Ok(fixed_value(expr, self.config, &|var| self.bound(var))?)
    }
}
