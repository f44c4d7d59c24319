//! What is bound while a script is evaluated.

use std::borrow::Cow;
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;

use oddsmith_dist::Budget;
use oddsmith_rules::program::{Expr, InputId, Kind, Statement, VarId, Variable};
use oddsmith_rules::{Config, Source, Span, fixed_value};

use crate::Error;
use crate::account::Account;
use crate::cache::Cache;
use crate::choices::Choices;
use crate::hash::Map;
use crate::known::Known;
use crate::residual::{BlockScript, Residual, Script, collect_vars};
use crate::rolls::{PoolValue, RollTable};

/// Bound values, and what is needed to make new ones.
pub(crate) struct Env<'a> {
    pub(crate) source: &'a Arc<Source>,
    pub(crate) config: &'a Config,
    pub(crate) account: Account<'a>,
    pub(crate) cache: &'a Cache,
    /// Definitions of fixed variables, evaluated when they are first read.
    fixed: &'a Map<VarId, Expr>,
    /// Those of the script, then those that blocks add.
    variables: Cow<'a, [Variable]>,
    /// Blocks that have been met: those of the same statements by the values that they end in.
    blocks: Map<BlockKey, Vec<(Expr, Rc<BlockScript>)>>,
    /// Indexed by variable; none is not bound.
    values: Vec<Option<i64>>,
    /// The pool that a joint reading is about.
    pub(crate) reading: Option<(VarId, PoolValue)>,
    /// Rolls of pools that are needed as a whole; a pool variable's value is a place in here.
    pub(crate) rolls: RollTable,
    /// Why a reading was last [`FAILED`]: an error only for whoever needs it.
    pub(crate) failed: Map<VarId, Error>,
    pub(crate) choices: Choices<'a>,
}

/// The statements of a block, and of no other: their address is theirs for as long as the key has them.
#[derive(Clone, Debug)]
struct BlockKey(Arc<[Statement]>);

impl PartialEq for BlockKey {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for BlockKey {}

impl Hash for BlockKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.as_ptr().hash(state);
    }
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
            source,
            config,
            account: Account::new(budget),
            cache,
            fixed: &residual.fixed,
            variables: Cow::Borrowed(&residual.variables),
            blocks: Map::default(),
            values: vec![None; residual.variables.len()],
            reading: None,
            rolls: RollTable::default(),
            failed: Map::default(),
            choices: Choices::default(),
        }
    }

    pub(crate) fn bind(&mut self, var: VarId, value: i64) {
        self.values[var.0] = Some(value);
    }

    pub(crate) fn unbind(&mut self, var: VarId) {
        self.values[var.0] = None;
    }

    /// The value of a variable if it is bound.
    pub(crate) fn peek(&self, var: VarId) -> Option<i64> {
        self.values[var.0]
    }

    /// Puts back what [`Self::peek`] gave.
    pub(crate) fn restore(&mut self, var: VarId, value: Option<i64>) {
        self.values[var.0] = value;
    }

    /// Whether a variable's value is a place in the table of rolls, and not a number.
    pub(crate) fn is_pool(&self, var: VarId) -> bool {
        self.variables[var.0].is_pool
    }

    /// A block as a script, prepared when it is first met.
    pub(crate) fn block_script(
        &mut self,
        statements: &Arc<[Statement]>,
        value: &Expr,
        is_pool: bool,
    ) -> Rc<BlockScript> {
        let known = self.blocks.entry(BlockKey(Arc::clone(statements)));
        let known = known.or_default();
        if let Some((_, script)) = known.iter().find(|(end, _)| end == value) {
            return Rc::clone(script);
        }
        let variables = self.variables.to_mut();
        let block = BlockScript::new(statements, value, is_pool, variables, self.fixed);
        self.values.resize(variables.len(), None);
        let block = Rc::new(block);
        known.push((value.clone(), Rc::clone(&block)));
        block
    }

    /// What was read of pools into variables of its own, by a script and by all blocks that have been met.
    pub(crate) fn readings(&self, script: &Script) -> Map<VarId, Expr> {
        let mut readings = Map::default();
        script.collect_readings(&mut readings);
        for (_, block) in self.blocks.values().flatten() {
            block.script.collect_readings(&mut readings);
        }
        readings
    }

    /// A variable that the script does not have.
    pub(crate) fn new_variable(&mut self, name: &str, span: Span) -> VarId {
        let variables = self.variables.to_mut();
        let var = VarId(variables.len());
        variables.push(Variable::rolled(name, span));
        self.values.resize(variables.len(), None);
        var
    }

    /// What is known of a variable.
    pub(crate) fn variable(&self, var: VarId) -> &Variable {
        &self.variables[var.0]
    }

    /// What a variable is called in the ruleset.
    pub(crate) fn name(&self, var: VarId) -> &str {
        &self.variables[var.0].name
    }

    /// The rolled variables that an expression reads.
    pub(crate) fn reads_of(&self, expr: &Expr) -> Vec<VarId> {
        let mut read = Vec::new();
        collect_vars(expr, self.fixed, &mut read);
        read
    }

    /// Whether an expression reads a variable that is bound outside.
    pub(crate) fn reads(&self, expr: &Expr, var: VarId) -> bool {
        let is_it = |part: &Expr| matches!(part.kind, Kind::Var(other) if other == var);
        !self.fixed.contains_key(&var) && expr.any(&mut { is_it })
    }

    pub(crate) fn fixed_definitions(&self) -> &'a Map<VarId, Expr> {
        self.fixed
    }

    /// The value of a variable; a fixed one is made when it is first needed.
    pub(crate) fn value(&mut self, var: VarId) -> Result<i64, Error> {
        match self.values[var.0] {
            Some(FAILED) if self.failed.contains_key(&var) => {
                return Err(self.failed[&var].clone());
            }
            Some(value) => return Ok(value),
            None => {}
        }
        let definition = self
            .fixed
            .get(&var)
            .expect("a rolled variable is bound before it is read");
        let value = self.number(definition)?;
        self.bind(var, value);
        Ok(value)
    }
}

/// Bound values; what is made of fixed ones that have not been needed yet is not known.
impl Known for Env<'_> {
    fn input(&self, id: InputId) -> Option<i64> {
        self.config.0.get(id.0).copied()
    }

    fn bound(&self, var: VarId) -> Option<i64> {
        self.values[var.0].filter(|value| *value != FAILED)
    }

    fn block(&self, expr: &Expr, _: &[Statement], _: &Expr) -> Option<i64> {
        fixed_value(expr, self.config, &|var| self.bound(var)).ok()
    }
}
