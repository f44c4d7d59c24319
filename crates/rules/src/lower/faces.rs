//! What is made of faces: `map`, `each` and `fold`.

use std::sync::Arc;

use crate::interval::{self, Interval, Shape};
use crate::lower::call::arguments;
use crate::lower::expr::Want;
use crate::lower::scope::Block;
use crate::lower::{Binding, Lowered, Lowerer, Scalar, Value};
use crate::program::{BinaryOp, Expr, Fold, Form, Kind, Reading, Statement, VarId, Variable};
use crate::source::Span;
use crate::syntax::ast::{self, Arg, ExprKind};

impl Lowerer<'_> {
    /// `map(pool, f)`: the sum over the dice of what `f` makes of their faces.
    pub(super) fn map(&mut self, pool: &Arg, function: &Arg, span: Span) -> Lowered<Value> {
        let pool = self.numbers_arg(pool)?;
        let mut before = Vec::new();
        let (face, value) = self.of_face("map", &pool, function, span, &mut before)?;
        let value = Box::new(value);
        let read = pool.read(Reading::Map { face, value }, span);
        Ok(Self::block(before, Value::Scalar(read, Scalar::Int)))
    }

    /// `each(pool, f)`: as many dice, which show what `f` makes of their faces.
    pub(super) fn each(&mut self, pool: &Arg, function: &Arg, span: Span) -> Lowered<Value> {
        let pool = self.numbers_arg(pool)?;
        let mut before = Vec::new();
        let (face, value) = self.of_face("each", &pool, function, span, &mut before)?;
        let (pool, value) = (Box::new(pool), Box::new(value));
        let each = Expr::new(Kind::Each { pool, face, value }, span);
        Ok(Self::block(before, Value::Pool(each)))
    }

    /// A face of a pool, and what a function or a list makes of it.
    fn of_face(
        &mut self,
        word: &str,
        pool: &Expr,
        function: &Arg,
        span: Span,
        before: &mut Vec<Statement>,
    ) -> Lowered<(VarId, Expr)> {
        let function = self.plain(function)?;
        let face = self.face_variable("face", function.span, self.pool_shape(pool).faces);
        let argument = Value::Scalar(self.var(face, function.span), Scalar::Int);
        let value = match &function.kind {
            ExprKind::Name(name)
                if self.library.functions.contains_key(name) && self.scope.find(name).is_none() =>
            {
                self.takes_a_face(word, name, function.span)?;
                let name = ast::Name {
                    text: name.clone(),
                    span: function.span,
                };
                self.play_function(&name, vec![argument], span, None)?
            }
            _ => match self.value(function, None)? {
                Value::List(items, _) => {
                    let index = Box::new(self.var(face, function.span));
                    let (items, scalars): (Vec<_>, Vec<_>) = items.into_iter().unzip();
                    let item = Expr::new(Kind::Select { index, items }, function.span);
                    Value::Scalar(item, scalars[0].clone())
                }
                other => {
                    let label = format!("this is {}", other.describe());
                    return self.fail_at(
                        function.span,
                        format!("`{word}` takes a function of one argument, or a list"),
                        label,
                    );
                }
            },
        };
        let Value::Scalar(value, Scalar::Int | Scalar::Bool) = value else {
            let label = format!("this gives {}", value.describe());
            let message = format!("`{word}` needs a number for each face");
            return self.fail_at(function.span, message, label);
        };
        let what = format!("what `{word}` makes of a face");
        Ok((face, self.require_known(value, &what, &[face], before)?))
    }

    /// The function of a face has one argument.
    fn takes_a_face(&mut self, word: &str, name: &str, span: Span) -> Lowered<()> {
        let library = self.library;
        match library.functions.get(name) {
            Some(function)
                if function.syntax.params.len() != 1
                    && !library.broken_functions.iter().any(|broken| broken == name) =>
            {
                let count = arguments(function.syntax.params.len());
                let error = self
                    .reporter
                    .error(
                        span,
                        format!("`{word}` needs a function of one argument: the face of a die"),
                    )
                    .with_label(format!("`{name}` takes {count}"))
                    .with_related(function.name.span, "defined here");
                let error = match (word, function.syntax.params.len()) {
                    ("map", 2..) => error.with_help(format!(
                        "a `fold` gives it more: `fold face, n of p with sum = 0 {{ set sum = sum + n * {name}(face, …) }}`"
                    )),
                    _ => error,
                };
                self.fail(error)
            }
            _ => Ok(()),
        }
    }

    /// What is made of a face again and again rolls nothing. What it reads of dice that have a name is read before, once, by
    /// statements in `out`, unless it reads `own`, which is bound anew for each face.
    fn require_known(
        &mut self,
        value: Expr,
        what: &str,
        own: &[VarId],
        out: &mut Vec<Statement>,
    ) -> Lowered<Expr> {
        if value.fixed {
            return Ok(value);
        }
        let value = self.read_before(&value, own, false, out);
        if !value.rolls_dice() {
            return Ok(value);
        }
        let error = self
            .reporter
            .error(value.span, format!("{what} rolls no dice of its own"))
            .with_label("this depends on dice that have no name")
            .with_help("name the roll before, with `let`: it is one roll then, for all faces");
        self.fail(error)
    }

    /// The same value with names for what it reads of pools, where no dice are rolled and nothing is read that is bound inside.
    /// What may fail stays where it is guarded by a branch.
    fn read_before(
        &mut self,
        value: &Expr,
        inner: &[VarId],
        is_guarded: bool,
        out: &mut Vec<Statement>,
    ) -> Expr {
        let reads = |part: &Expr| matches!(part.kind, Kind::Read { .. } | Kind::Wins(..));
        let is_read =
            reads(value) || matches!(value.kind, Kind::Block { .. }) && value.any(&mut { reads });
        let is_inner = |part: &Expr| matches!(part.kind, Kind::Var(var) if inner.contains(&var));
        let stays = value.rolls_dice() || value.any(&mut { is_inner });
        if is_read && !stays && !(is_guarded && value.any(&mut { may_fail })) {
            return self.rolled_before(value.clone(), "read", out);
        }
        let mut inner = inner.to_vec();
        value.collect_bound(&mut inner);
        let is_branch = matches!(
            value.kind,
            Kind::If { .. }
                | Kind::Match { .. }
                | Kind::Select { .. }
                | Kind::Binary(BinaryOp::And | BinaryOp::Or, ..)
        );
        let is_guarded = is_guarded || is_branch;
        value.map_parts(&mut |part| self.read_before(part, &inner, is_guarded, out))
    }

    pub(super) fn pool_shape(&self, pool: &Expr) -> Shape {
        interval::of(pool, true, &self.shapes, self.inputs)
    }

    /// A number that is bound anew for each die or each face.
    pub(super) fn face_variable(&mut self, name: &str, span: Span, bounds: Interval) -> VarId {
        let var = self.declare(Variable {
            fixed: true,
            ..Variable::rolled(name, span)
        });
        self.shapes[var.0] = Shape::number(bounds);
        var
    }

    /// `fold face, count of pool with best = 0 { set best = … }`
    pub(super) fn fold(&mut self, fold: &ast::Fold, span: Span) -> Lowered<Value> {
        let pools: Vec<Lowered<Expr>> = { fold.pools.iter() }
            .map(|(_, pool)| self.pool(pool))
            .collect();
        let mut before = Vec::new();
        let mut starts = Vec::with_capacity(fold.states.len());
        for (name, start) in &fold.states {
            let want = self.list_named(&name.text);
            starts.push(self.known_scalar(start, want.as_ref(), &[], &mut before));
        }
        let pools: Vec<Expr> = pools.into_iter().collect::<Lowered<_>>()?;
        pools
            .iter()
            .try_for_each(|pool| self.refuse_symbols(pool))?;
        let starts: Vec<(Expr, Scalar)> = starts.into_iter().collect::<Lowered<_>>()?;
        let pool = self.tagged_pools(pools, span);
        let mark = self.scope.open();
        let carried = self.carried(fold, &pool, starts, &mut before);
        self.scope.end_block(&mark, Block::Repeat);
        let (lowered, scalar) = carried?;
        let shape = self.pool_shape(&pool);
        interval::settle_fold(&lowered, shape, &mut self.shapes, self.inputs);
        let read = pool.read(Reading::Fold(Box::new(lowered)), span);
        Ok(Self::block(before, Value::Scalar(read, scalar)))
    }

    /// Several pools as one, in which a face tells the pool as well; see [`Fold`].
    fn tagged_pools(&mut self, mut pools: Vec<Expr>, span: Span) -> Expr {
        if pools.len() == 1 {
            return pools.remove(0);
        }
        let number = |value: usize| {
            let value = i64::try_from(value).expect("a text has few pools");
            Expr::constant(value, span)
        };
        let count = pools.len();
        let tagged = pools.into_iter().enumerate().map(|(place, pool)| {
            let faces = self.pool_shape(&pool).faces;
            let face = self.face_variable("face", span, faces);
            let times = Expr::binary(
                BinaryOp::Multiply,
                self.var(face, span),
                number(count),
                span,
            );
            let value = Box::new(Expr::binary(BinaryOp::Add, times, number(place), span));
            let pool = Box::new(pool);
            Expr::new(Kind::Each { pool, face, value }, span)
        });
        let parts = tagged.collect();
        Expr::new(Kind::Gather(parts), span)
    }

    /// What a fold carries, with the type of what it comes to; its names are bound in the scope at hand.
    fn carried(
        &mut self,
        fold: &ast::Fold,
        pool: &Expr,
        starts: Vec<(Expr, Scalar)>,
        before: &mut Vec<Statement>,
    ) -> Lowered<(Fold, Scalar)> {
        let shape = self.pool_shape(pool);
        let most = shape.size.1.max(1);
        let count = i64::try_from(fold.pools.len()).expect("a text has few pools");
        let faces = (
            shape.faces.0.div_euclid(count),
            shape.faces.1.div_euclid(count),
        );
        let face = self.carried_name(&fold.face, Scalar::Int, faces)?;
        let mut counts = Vec::with_capacity(fold.pools.len());
        for (name, _) in &fold.pools {
            counts.push(self.carried_name(name, Scalar::Int, (i64::from(count == 1), most))?);
        }
        let (mut states, mut types) = (Vec::new(), Vec::new());
        for ((name, _), (start, scalar)) in fold.states.iter().zip(starts) {
            let var = self.carried_name(name, scalar.clone(), Shape::UNKNOWN.faces)?;
            states.push((var, start));
            types.push(scalar);
        }
        let mut steps = Vec::with_capacity(fold.steps.len());
        let mut own = [&[face], counts.as_slice()].concat();
        own.extend(states.iter().map(|(var, _)| *var));
        for step in &fold.steps {
            let place = { fold.states.iter() }.position(|(name, _)| name.text == step.name.text);
            steps.push(match place.filter(|_| !step.is_new) {
                Some(place) => {
                    self.reporter
                        .note_name(step.name.span, fold.states[place].0.span);
                    (
                        states[place].0,
                        self.next(step, &types[place], &own, before)?,
                    )
                }
                None if step.is_new => {
                    let want = self.list_named(&step.name.text);
                    let (value, scalar) =
                        self.known_scalar(&step.value, want.as_ref(), &own, before)?;
                    let bounds = interval::of(&value, false, &self.shapes, self.inputs).faces;
                    let var = self.carried_name(&step.name, scalar, bounds)?;
                    own.push(var);
                    (var, value)
                }
                None => return self.not_carried(step, fold),
            });
        }
        let carried = Fold {
            face,
            counts,
            states,
            steps,
        };
        Ok((carried, types.swap_remove(0)))
    }

    /// A name that lives in a fold.
    fn carried_name(
        &mut self,
        name: &ast::Name,
        scalar: Scalar,
        bounds: Interval,
    ) -> Lowered<VarId> {
        self.check_is_free(name)?;
        let var = self.face_variable(&name.text, name.span, bounds);
        self.note_labels(var, &scalar);
        self.scope.bind(Binding {
            name: name.text.clone(),
            value: Value::Scalar(self.var(var, name.span), scalar),
            span: name.span,
            written: None,
            is_axis: false,
        });
        Ok(var)
    }

    /// What is carried on.
    fn next(
        &mut self,
        step: &ast::FoldStep,
        wanted: &Scalar,
        own: &[VarId],
        before: &mut Vec<Statement>,
    ) -> Lowered<Expr> {
        let want = match wanted {
            Scalar::Choice(choice) => Some(Arc::clone(choice)),
            _ => None,
        };
        let (value, scalar) = self.known_scalar(&step.value, want.as_ref(), own, before)?;
        if scalar == *wanted || (scalar == Scalar::Bool && *wanted == Scalar::Int) {
            return Ok(value);
        }
        self.fail_at(
            value.span,
            format!("`{}` is {}", step.name.text, wanted.describe()),
            format!("this is {}", scalar.describe()),
        )
    }

    /// A value that rolls no dice of its own.
    fn known_scalar(
        &mut self,
        value: &ast::Expr,
        want: Want<'_>,
        own: &[VarId],
        before: &mut Vec<Statement>,
    ) -> Lowered<(Expr, Scalar)> {
        let (value, scalar) = self.scalar(value, want)?;
        let value = self.require_known(value, "what `fold` carries", own, before)?;
        Ok((value, scalar))
    }

    fn not_carried<T>(&mut self, step: &ast::FoldStep, fold: &ast::Fold) -> Lowered<T> {
        let name = &step.name.text;
        let carried = fold.states.iter().map(|(name, _)| name.text.as_str());
        let carried: Vec<&str> = carried.collect();
        let error = self.reporter.error(
            step.name.span,
            format!("`{name}` is not carried by this fold"),
        );
        let error = match self.reporter.nearest(name, carried.iter().copied()) {
            Some(near) => error.meant(near),
            None => error.with_label(format!("it carries {}", carried.join(", "))),
        };
        self.fail(error.with_help(format!(
            "name it behind `with`, as in `with {name} = 0`; or bind it for one face with `let`"
        )))
    }
}

/// Whether carrying out a part of an expression may fail for some values of its parts.
fn may_fail(part: &Expr) -> bool {
    match &part.kind {
        Kind::Divide { .. } | Kind::Select { .. } | Kind::Match { .. } => true,
        Kind::Keep { amount, .. } => amount.as_constant().is_none(),
        Kind::Read { reading, .. } => match reading.form() {
            Form::Whole(whole) => whole.place().is_some_and(|k| k.as_constant().is_none()),
            _ => false,
        },
        _ => false,
    }
}
