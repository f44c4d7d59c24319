//! Errors at their places in the ruleset, and charges that may be refused there.

use oddsmith_dist::Dist;
use oddsmith_rules::program::Expr;
use oddsmith_rules::{Diagnostic, Span};

use super::Env;
use crate::Error;
use crate::account::bytes_of;

impl Env<'_> {
    /// An error at the place of an expression.
    pub(crate) fn error(
        &self,
        at: &Expr,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> Error {
        self.error_at(at.span, message, label)
    }

    pub(crate) fn error_with_help(
        &self,
        span: Span,
        message: String,
        label: &str,
        help: String,
    ) -> Error {
        let diagnostic = Diagnostic::new(self.source, span, message);
        Error::Rule(Box::new(diagnostic.with_label(label).with_help(help)))
    }

    pub(crate) fn error_at(
        &self,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> Error {
        let diagnostic = Diagnostic::new(self.source, span, message).with_label(label);
        Error::Rule(Box::new(diagnostic))
    }

    /// A distribution's error, at the place of the expression that caused it.
    pub(crate) fn wrap(&self, at: &Expr, error: &oddsmith_dist::Error) -> Error {
        self.wrap_at(at.span, error)
    }

    pub(crate) fn wrap_at(&self, span: Span, error: &oddsmith_dist::Error) -> Error {
        match error {
            oddsmith_dist::Error::OverBudget { predicted, limit } => {
                let text = self
                    .source
                    .text
                    .get(span.start..span.end)
                    .unwrap_or_default();
                let what = if text.len() <= 60 {
                    format!("`{text}`")
                } else {
                    "this step".to_owned()
                };
                Error::over_budget(what, *predicted, *limit)
            }
            oddsmith_dist::Error::OutcomeOverflow { .. } => {
                self.error_at(span, "a number leaves the range of 64 bits", "here")
            }
            other => self.error_at(span, other.to_string(), "here"),
        }
    }

    pub(crate) fn overflow(&self, at: &Expr) -> Error {
        self.error(at, "a number leaves the range of 64 bits", "here")
    }

    /// Charges for the work that an expression takes.
    pub(crate) fn charge_steps(&self, steps: u128, at: &Expr) -> Result<(), Error> {
        let charged = self.account.budget.charge(steps);
        charged.map_err(|error| self.wrap(at, &error))
    }

    /// Charges for a distribution that is kept beside others.
    pub(crate) fn charge_keeping(&self, dist: &Dist, at: &Expr) -> Result<(), Error> {
        self.account
            .hold_more(bytes_of(dist))
            .map_err(|error| self.wrap(at, &error))
    }
}
