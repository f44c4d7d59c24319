//! Expressions of which one part is taken: `if`, `match`, and the items of a list.

use oddsmith_rules::program::{Arm, CompareOp, Expr, Kind};

use super::value::{Num, Pool};
use super::{Compiler, Fallback};
use crate::Error;

/// The parts of an expression of which one is taken.
struct Cases<'e> {
    /// The number that decides which part is taken.
    by: Num,
    /// Each part with the condition for it, of which one holds. Those that never do are left out.
    each: Vec<(Num, &'e Expr)>,
    /// Whether nothing is to be taken, and the error that this is for whoever needs it.
    gap: Option<(Num, Error)>,
}

impl<'e> Cases<'e> {
    fn new(by: Num, mut each: Vec<(Num, &'e Expr)>) -> Self {
        each.retain(|(here, _)| here.as_constant() != Some(0));
        let gap = None;
        Self { by, each, gap }
    }

    /// The error if `missing` holds, should that be possible.
    fn with_gap(mut self, missing: Num, error: impl FnOnce() -> Error) -> Self {
        if missing.as_constant() != Some(0) {
            self.gap = Some((missing, error()));
        }
        self
    }
}

impl Compiler<'_> {
    /// The number that one of these expressions comes to.
    pub(super) fn one_number(&mut self, expr: &Expr) -> Result<Num, Error> {
        let cases = self.cases(expr)?;
        let value = match self.known_items(expr) {
            Some(values) => self.item(&cases.by, 0, &values),
            None => self.merge(&cases.each, Self::number, Self::select)?,
        };
        Ok(match cases.gap {
            Some((missing, error)) => self.guarded(&value, &missing, &[&cases.by], error),
            None => value,
        })
    }

    /// The pool that one of these expressions comes to.
    pub(super) fn one_pool(&mut self, expr: &Expr) -> Result<Pool, Error> {
        let cases = self.cases(expr)?;
        if let Some((missing, error)) = cases.gap {
            self.demand_not(&missing, None, &[&cases.by], error);
        }
        self.merge(&cases.each, Self::pool, Self::select_pool)
    }

    /// A list's numbers, if all of them are known.
    fn known_items(&self, expr: &Expr) -> Option<Vec<i64>> {
        match &expr.kind {
            Kind::Select { items, .. } => items.iter().map(|item| self.known(item)).collect(),
            _ => None,
        }
    }

    fn cases<'e>(&mut self, expr: &'e Expr) -> Result<Cases<'e>, Error> {
        match &expr.kind {
            Kind::If {
                condition,
                then,
                otherwise,
            } => {
                let holds = self.number(condition)?;
                let not = self.not(&holds);
                let each = vec![(holds.clone(), &**then), (not, &**otherwise)];
                Ok(Cases::new(holds, each))
            }
            Kind::Match {
                subject,
                arms,
                otherwise,
            } => self.arms(subject, arms, otherwise.as_deref()),
            Kind::Select { index, items } => self.items(index, items),
            _ => unreachable!("only these have cases"),
        }
    }

    /// The arms of a `match`, each for the values that it is the first to fit.
    fn arms<'e>(
        &mut self,
        subject: &Expr,
        arms: &'e [Arm],
        otherwise: Option<&'e Expr>,
    ) -> Result<Cases<'e>, Error> {
        let by = self.number(subject)?;
        let mut rest = Num::truth(true);
        let mut each = Vec::with_capacity(arms.len() + 1);
        for arm in arms {
            let fits = self.within(&rest, |c| c.fits_any(&by, &arm.patterns))?;
            let here = self.and(&rest, &fits);
            let not = self.not(&fits);
            rest = self.and(&rest, &not);
            each.push((here, &arm.value));
        }
        if let Some(otherwise) = otherwise {
            each.push((rest, otherwise));
            return Ok(Cases::new(by, each));
        }
        let label = "the subject can be this value here";
        let error = || self.error(subject.span, "no arm takes {}", label);
        Ok(Cases::new(by, each).with_gap(rest, error))
    }

    /// The items of a list, each for its place.
    fn items<'e>(&mut self, index: &Expr, items: &'e [Expr]) -> Result<Cases<'e>, Error> {
        let by = self.number(index)?;
        let last = i64::try_from(items.len()).expect("lists are short") - 1;
        let mut each = Vec::with_capacity(items.len());
        for (at, item) in (0..).zip(items) {
            let here = self.compare(CompareOp::Equal, &by, &Num::constant(at));
            each.push((here, item));
        }
        let below = self.compare(CompareOp::Less, &by, &Num::constant(0));
        let above = self.compare(CompareOp::Greater, &by, &Num::constant(last));
        let outside = self.or(&below, &above);
        let error = || {
            let message = format!("the list has {} items, at 0 to {last}", items.len());
            self.error(index.span, message, "there is none at {}")
        };
        Ok(Cases::new(by, each).with_gap(outside, error))
    }

    /// One value of several cases.
    fn merge<T: Fallback>(
        &mut self,
        cases: &[(Num, &Expr)],
        mut make: impl FnMut(&mut Self, &Expr) -> Result<T, Error>,
        mut pick: impl FnMut(&mut Self, &Num, &T, &T) -> T,
    ) -> Result<T, Error> {
        let mut made = Vec::with_capacity(cases.len());
        for (here, expr) in cases {
            made.push((here, self.within(here, |c| make(c, expr))?));
        }
        let Some((_, mut value)) = made.pop() else {
            return Ok(T::default());
        };
        for (here, earlier) in made.into_iter().rev() {
            value = pick(self, here, &earlier, &value);
        }
        Ok(value)
    }
}
