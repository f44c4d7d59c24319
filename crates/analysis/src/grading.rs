//! The number behind the bands, and from where on it gives which band.

use std::collections::{BTreeMap, HashMap};

use oddsmith_rules::program::{
    BinaryOp, Expr, InputId, Kind, Program, Reading, Statement, UnaryOp, VarId,
};
use oddsmith_rules::{Check, Config, Outcome, OutcomeKind, value_once_rolled};

/// A rolled number that alone decides the band, together with what is fixed: the total of `match total { < 10: Miss, … }`.
#[derive(Clone, Debug)]
pub struct Grading {
    /// The number. If the check does not show it, it is one that its script binds.
    pub number: Outcome,
    /// Whether the check shows it.
    pub is_shown: bool,
    /// The inputs that decide which numbers give which band.
    pub inputs: Vec<InputId>,
    /// The variable that holds the number where the bands are made of it; a shown number may be another name of that.
    var: VarId,
    band: VarId,
}

/// The thresholds: where the bands begin, in one configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// Whether higher numbers give better bands; else lower ones do.
    pub rises: bool,
    /// For each band but the worst the number at which it is reached: the least one that gives it or a better band, or
    /// the greatest one where lower numbers are better. None if every number gives it, or none does.
    pub at: Vec<Option<i64>>,
}

impl Grading {
    /// Finds the number. The script is followed back from the band as long as no dice are rolled; where a single rolled
    /// number is left that all else is made of, or a pool of which only the sum is read, it is one. Of several the one is
    /// taken that is shown, the earliest of these, or else the last one before the band. None if from -100 to 100 its bands
    /// are no thresholds in the default configuration; and of tracks, whose bands depend on all rounds.
    ///
    /// ```
    /// use oddsmith_analysis::grading::Grading;
    /// let text = r#"
    /// name = "Demo"
    /// [checks.check]
    /// bands = ["Miss", "Hit"]
    /// axes.need = { default = 8, domain = "2..=12" }
    /// rules = """
    /// show total = 2d6
    /// show band  = if total >= need then Hit else Miss
    /// """
    /// "#;
    /// let model = oddsmith_rules::load("demo.toml", text.as_bytes()).unwrap();
    /// let check = &model.checks[0];
    /// let grading = Grading::of(check).unwrap();
    /// assert_eq!(grading.number.name, "total");
    /// let thresholds = grading.thresholds(check, &check.defaults(), (2, 12)).unwrap();
    /// assert_eq!(thresholds.at, [Some(8)]);
    /// ```
    #[must_use]
    pub fn of(check: &Check) -> Option<Self> {
        let (band, _) = check.band().filter(|_| check.rounds.is_none())?;
        let lets = Lets::of(check.program());
        let numbers = lets.numbers_behind(band.var);
        let shown = |var: &VarId| {
            let outcomes = check.outcomes.iter();
            let mut numbers = outcomes.filter(|outcome| outcome.kind == OutcomeKind::Observable);
            numbers.find(|outcome| lets.meant_by(outcome.var) == lets.meant_by(*var))
        };
        let last_shown = numbers
            .iter()
            .rev()
            .find_map(|var| Some((*var, shown(var)?)));
        let (var, number, is_shown) = match last_shown {
            Some((var, outcome)) => (var, outcome.clone(), true),
            None => {
                let var = *numbers.first()?;
                (var, hidden(check.program(), var), false)
            }
        };
        let grading = Self {
            number,
            is_shown,
            inputs: lets.inputs_between(band.var, var),
            var,
            band: band.var,
        };
        let thresholds = grading.thresholds(check, &check.defaults(), (0, 0));
        thresholds.map(|_| grading)
    }

    /// The check with the number among what it shows, so that it can be asked about.
    #[must_use]
    pub fn show(&self, check: &Check) -> Check {
        let mut check = check.clone();
        if self.is_shown {
            return check;
        }
        check.outcomes.push(self.number.clone());
        if self.number.var != self.var {
            // The sum of a pool is bound behind the pool.
            let mut program = check.program().clone();
            let pool = program.var(self.var, self.number.span);
            let (_, statement) = program.bind(self.number.name.as_str(), pool.sum());
            let mut statements = program.statements().to_vec();
            let is_pool = |statement: &Statement| matches!(statement, Statement::Let { var, .. } if *var == self.var);
            let at = statements.iter().position(is_pool).map_or(0, |at| at + 1);
            statements.insert(at, statement);
            let program = program.with_statements(statements, check.inputs.len());
            check.set_program(program.expect("a sum can stand behind its pool"));
            debug_assert_eq!(check.verify(), Ok(()), "{}", check.name);
        }
        check
    }

    /// The numbers at which the bands begin. Of the numbers those `from..=to` are looked at, and as many again on
    /// either side, at least 100; a band that begins farther away is one that is always or never reached. None if some
    /// number gives a better band than both a lower and a higher one, or if a rule can't be carried out for one of
    /// `from..=to`.
    ///
    /// Costs an evaluation of what follows from the number for each that is looked at.
    #[must_use]
    pub fn thresholds(
        &self,
        check: &Check,
        config: &Config,
        (from, to): (i64, i64),
    ) -> Option<Thresholds> {
        let (_, bands) = check.band()?;
        let lets = Lets::of(check.program());
        let margin = to.checked_sub(from)?.max(100);
        let band = |number: i64| {
            let band = lets.value(self.band, config, (self.var, number));
            band.map(|band| (number, band))
        };
        let above = (from..=to.checked_add(margin)?).map_while(band);
        let below = (from.checked_sub(margin)?..from).rev().map_while(band);
        let mut graded: Vec<(i64, i64)> = below.collect();
        graded.reverse();
        graded.extend(above);
        if graded.last().is_none_or(|(number, _)| *number < to) {
            return None;
        }
        let rises = graded.windows(2).all(|pair| pair[0].1 <= pair[1].1);
        if !rises {
            graded.reverse();
            if graded.windows(2).any(|pair| pair[0].1 > pair[1].1) {
                return None;
            }
        }
        let start = |band: i64| {
            let worse = graded.partition_point(|(_, own)| *own < band);
            let is_start = worse > 0;
            graded
                .get(worse)
                .filter(|_| is_start)
                .map(|(number, _)| *number)
        };
        Some(Thresholds {
            rises,
            at: (1..)
                .take(bands.labels().len().saturating_sub(1))
                .map(start)
                .collect(),
        })
    }
}

/// A number that the script binds, or the sum of a pool, as if it were shown.
fn hidden(program: &Program, var: VarId) -> Outcome {
    let variable = program.variable(var);
    Outcome {
        name: variable.name().to_string(),
        kind: OutcomeKind::Observable,
        var: if variable.is_pool() {
            VarId(program.variables().len())
        } else {
            var
        },
        first_round: false,
        span: variable.span(),
    }
}

/// The pool whose sum an expression is.
fn summed(expr: &Expr) -> Option<VarId> {
    match &expr.kind {
        Kind::Read {
            pool,
            reading: Reading::Sum,
        } => match pool.kind {
            Kind::Var(pool) => Some(pool),
            _ => None,
        },
        _ => None,
    }
}

/// The variables that a script binds at its top level, once and for all, with their places there.
struct Lets<'p> {
    program: &'p Program,
    values: HashMap<VarId, (usize, &'p Expr)>,
}

impl<'p> Lets<'p> {
    fn of(program: &'p Program) -> Self {
        let statements = program.statements().iter().enumerate();
        let values = statements.filter_map(|(at, statement)| match statement {
            Statement::Let { var, value } if !program.variable(*var).is_mutable() => {
                Some((*var, (at, value)))
            }
            _ => None,
        });
        Self {
            program,
            values: values.collect(),
        }
    }

    /// The rolled numbers through which alone the dice act on `end`, the nearest one first.
    fn numbers_behind(&self, end: VarId) -> Vec<VarId> {
        let mut open = BTreeMap::new();
        let mut numbers = Vec::new();
        open.extend(self.values.get(&end).map(|(at, _)| (*at, end)));
        while let Some((_, last)) = open.pop_last() {
            let (_, value) = self.values[&last];
            if open.is_empty() && last != end && self.is_number(last, value, end) {
                numbers.push(last);
            }
            if value.rolls_dice() {
                break;
            }
            for var in self.rolled_in(value) {
                match self.values.get(&var) {
                    Some((at, _)) => open.insert(*at, var),
                    None => return numbers,
                };
            }
        }
        numbers
    }

    /// Neither a label nor a truth value, and if it is a pool one of which on the way to `end` only the sum is read.
    fn is_number(&self, var: VarId, value: &Expr, end: VarId) -> bool {
        let variable = self.program.variable(var);
        if variable.is_pool() {
            let (mut reads, mut sums) = (0, 0);
            self.visit_between(end, var, &mut |part| {
                reads += usize::from(matches!(part.kind, Kind::Var(read) if read == var));
                sums += usize::from(summed(part) == Some(var));
            });
            return reads == sums;
        }
        let is_truth = matches!(
            value.kind,
            Kind::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Compare(_), ..)
                | Kind::Unary(UnaryOp::Not, _)
        );
        variable.labels().is_none() && !is_truth
    }

    /// The rolled variables that an expression reads and does not bind itself.
    fn rolled_in(&self, expr: &Expr) -> Vec<VarId> {
        let (mut read, mut bound) = (Vec::new(), Vec::new());
        expr.any(&mut |part| {
            match &part.kind {
                Kind::Var(var) if !self.program.variable(*var).is_fixed() => read.push(*var),
                Kind::Block { statements, .. } => {
                    bound.extend(statements.iter().filter_map(|statement| match statement {
                        Statement::Let { var, .. } => Some(*var),
                        _ => None,
                    }));
                }
                _ => {}
            }
            false
        });
        read.retain(|var| !bound.contains(var));
        read
    }

    /// The variable that one stands for that is only another name, or the sum, of it.
    fn meant_by(&self, var: VarId) -> VarId {
        let value = self.values.get(&var).map(|(_, value)| *value);
        match value.map(|value| (&value.kind, summed(value))) {
            Some((Kind::Var(other), _)) => self.meant_by(*other),
            Some((_, Some(pool))) => pool,
            _ => var,
        }
    }

    /// The inputs that are read on the way from `number` to `end`, each once.
    fn inputs_between(&self, end: VarId, number: VarId) -> Vec<InputId> {
        let mut inputs = Vec::new();
        self.visit_between(end, number, &mut |part| {
            if let Kind::Input(id) = part.kind
                && !inputs.contains(&id)
            {
                inputs.push(id);
            }
        });
        inputs.sort_unstable();
        inputs
    }

    /// Calls `visit` with every part of what `end` is made of, as far as `number`.
    fn visit_between(&self, end: VarId, number: VarId, visit: &mut dyn FnMut(&Expr)) {
        let (mut seen, mut open) = (vec![number, end], vec![end]);
        while let Some(var) = open.pop() {
            let Some((_, value)) = self.values.get(&var) else {
                continue;
            };
            value.any(&mut |part| {
                visit(part);
                if let Kind::Var(var) = part.kind
                    && !seen.contains(&var)
                {
                    seen.push(var);
                    open.push(var);
                }
                false
            });
        }
    }

    /// The value of a variable where `known` has that number; none if something else is rolled for it, or if a rule can't
    /// be carried out.
    fn value(&self, var: VarId, config: &Config, known: (VarId, i64)) -> Option<i64> {
        if var == known.0 {
            return Some(known.1);
        }
        let (_, value) = self.values.get(&var)?;
        value_once_rolled(value, config, &|var| self.value(var, config, known)).ok()
    }
}
