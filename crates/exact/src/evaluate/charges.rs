//! Charges that may be refused at a place of the ruleset.

use oddsmith_dist::Dist;
use oddsmith_rules::program::Expr;

use super::Env;
use crate::Error;
use crate::account::bytes_of;

impl Env<'_> {
    /// Charges for the work that an expression takes.
    pub(crate) fn charge_steps(&self, steps: u128, at: &Expr) -> Result<(), Error> {
        let charged = self.account.budget.charge(steps);
        charged.map_err(|error| self.scope.wrap(at, &error))
    }

    /// Charges for a distribution that is kept beside others.
    pub(crate) fn charge_keeping(&self, dist: &Dist, at: &Expr) -> Result<(), Error> {
        self.charge_bytes(bytes_of(dist), at)
    }

    /// Charges for what takes so many bytes beside other things.
    pub(crate) fn charge_bytes(&self, bytes: u128, at: &Expr) -> Result<(), Error> {
        let charged = self.account.hold_more(bytes);
        charged.map_err(|error| self.scope.wrap(at, &error))
    }
}
