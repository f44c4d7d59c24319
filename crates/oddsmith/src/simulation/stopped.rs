//! Trials of a track that were stopped: they have not ended, and may never.

use oddsmith_exact::{Answer, RBig, Rounds};
use oddsmith_rules::program::{BinaryOp, Expr, Kind as ExprKind, VarId};
use oddsmith_rules::{Check, Config, Outcome, Query};

use super::known::CHEAP;
use crate::Limits;

/// Trials that might have ended later are no more than this many on average, or nothing that they may change is
/// compared: far less than the level that a disagreement is judged at.
const NEARLY_NONE: f64 = 1e-9;

/// What the exact engine knows of a track's rounds.
pub(super) struct Ending<'l> {
    rounds: Rounds,
    /// After how many of them trials are stopped.
    most: u32,
    limits: &'l Limits,
}

impl<'l> Ending<'l> {
    /// Of a track or a contest; none if it could not be had.
    pub(super) fn of(
        check: &Check,
        config: &Config,
        most: u32,
        limits: &'l Limits,
    ) -> Option<Self> {
        check.rounds?;
        let rounds = Rounds::new(check, config, &limits.budget()).ok()?;
        Some(Self {
            rounds,
            most,
            limits,
        })
    }

    /// Whether it may go on for ever.
    pub(super) fn may_never_be(&self) -> bool {
        *self.rounds.never() != RBig::ZERO
    }

    /// Whether it is as good as certain that none of so many trials ends after it was stopped: then those that were
    /// go on for ever.
    pub(super) fn is_settled(&self, trials: u64) -> bool {
        let late = self.rounds.late(self.most as usize, &self.limits.budget());
        late.is_ok_and(|late| late * trials as f64 <= NEARLY_NONE)
    }

    /// The probability of being stopped: that of never ending, or else of taking more rounds than trials are given, if
    /// that is cheap.
    pub(super) fn unended(&self, is_settled: bool) -> Option<Answer> {
        if is_settled {
            let (weight, total) = self.rounds.never().clone().into_parts();
            return Some(Answer { weight, total });
        }
        let budget = self.limits.at_most(CHEAP).budget();
        let lengths = self.rounds.lengths(self.most as usize, &budget).ok()?;
        Some(Answer {
            weight: lengths.beyond.into(),
            total: lengths.total,
        })
    }
}

/// Whether all that a query reads is decided when a trial is stopped after so many rounds: it is about what the first
/// round shows, and whether there are more than some smaller number of rounds.
pub(super) fn is_decided(check: &Check, query: &Query, most: u32) -> bool {
    let is_early = |var: VarId| {
        let of_first_round = |outcome: &Outcome| outcome.var == var && outcome.first_round;
        check.rounds == Some(var) || check.outcomes.iter().any(of_first_round)
    };
    query.parts().all(|part| {
        let read = check.outcomes_in([part].into_iter());
        read.into_iter().all(is_early) && is_bounded(check, part, most.into())
    })
}

/// Whether the number of rounds is compared with numbers up to `most`, and read nowhere else.
fn is_bounded(check: &Check, expr: &Expr, most: i64) -> bool {
    let is_counter =
        |expr: &Expr| matches!(expr.kind, ExprKind::Var(var) if check.rounds == Some(var));
    let is_small = |expr: &Expr| expr.as_constant().is_some_and(|number| number <= most);
    match &expr.kind {
        ExprKind::Binary(BinaryOp::Compare(_), left, right)
            if is_counter(left) && is_small(right) || is_small(left) && is_counter(right) =>
        {
            true
        }
        ExprKind::Var(_) => !is_counter(expr),
        ExprKind::Const(_) | ExprKind::Input(_) => true,
        _ => {
            let mut is_all_bounded = true;
            expr.for_each_part(&mut |part| {
                is_all_bounded = is_all_bounded && is_bounded(check, part, most);
            });
            is_all_bounded
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_decided;

    #[test]
    fn small_numbers_of_rounds_are_decided() {
        let text = "name = \"Test\"\n[tracks.t]\nrules = \"\"\"\nlet n = 0\nrepeat until n == 3 {\n  \
                    show die = 1d6\n  set n = min(n + die, 3)\n}\nshow left = n\n\"\"\"\n";
        let model = oddsmith_rules::load("test.toml", text.as_bytes()).expect("it reads");
        let track = model.track("t").expect("it is there");
        let decided = |text: &str| {
            let query = track.query(text, "query").expect("it reads");
            is_decided(track, &query, 5)
        };
        for yes in [
            "P(rolls == 5)",
            "P(rolls > 5)",
            "mean(die)",
            "P(4 >= rolls & die == 2)",
        ] {
            assert!(decided(yes), "{yes}");
        }
        for no in [
            "P(rolls == 6)",
            "mean(rolls)",
            "P(left == 3)",
            "P(die == 2 | rolls + 1 < 3)",
            "P(rolls > die)",
        ] {
            assert!(!decided(no), "{no}");
        }
    }
}
