//! Dice with symbols: their faces are numbers that nobody sees, and a symbol is a number for each of them.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::lower::{Lowered, Lowerer, Scalar, Value};
use crate::program::{Arm, BinaryOp, CompareOp, Expr, FaceRange, Faces, Kind, Reading, Test};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind, Name};

/// The number of the first face with symbols: none that a die with numbers shows.
const FIRST: i64 = -(1 << 40);

/// The dice with symbols of a file. Faces with the same symbols are one face, on whatever dice.
#[derive(Debug, Default)]
pub(crate) struct Symbols {
    /// Each die with the places of its faces.
    dice: Vec<(Name, Vec<usize>)>,
    /// How often each face has a symbol, without those that it has not.
    faces: Vec<BTreeMap<String, i64>>,
}

impl Symbols {
    /// Adds a die with these faces.
    pub(crate) fn add(&mut self, name: Name, faces: Vec<Vec<(String, i64)>>) {
        let mut places = Vec::with_capacity(faces.len());
        for face in faces {
            let face: BTreeMap<String, i64> =
                face.into_iter().filter(|(_, count)| *count != 0).collect();
            let known = self.faces.iter().position(|known| *known == face);
            places.push(known.unwrap_or_else(|| {
                self.faces.push(face);
                self.faces.len() - 1
            }));
        }
        self.dice.push((name, places));
    }

    /// All symbols, each once.
    fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for symbol in self.faces.iter().flat_map(BTreeMap::keys) {
            if !names.contains(&symbol.as_str()) {
                names.push(symbol);
            }
        }
        names
    }

    /// The number that a die shows in place of the face at this place.
    fn number(place: usize) -> i64 {
        FIRST + i64::try_from(place).expect("a file has few faces")
    }
}

/// A face with its weight so many times, that of the die which it is one of.
pub(super) fn times(face: FaceRange, die: Option<&Expr>) -> FaceRange {
    let (Some(own), Some(die)) = (&face.weight, die) else {
        return face;
    };
    let weight = Expr::binary(BinaryOp::Multiply, own.clone(), die.clone(), own.span);
    FaceRange {
        weight: Some(weight),
        ..face
    }
}

impl Lowerer<'_> {
    /// The faces of the die with symbols that is named among faces, each with how often it has it.
    pub(super) fn symbol_faces(&self, face: &ast::Face, span: Span) -> Option<Vec<FaceRange>> {
        let ExprKind::Name(name) = &face.from.kind else {
            return None;
        };
        if face.to.is_some() || self.named_value(name, span).is_some() {
            return None;
        }
        let mut dice = self.library.symbols.dice.iter();
        let (_, places) = dice.find(|(known, _)| known.text == *name)?;
        let mut weights: BTreeMap<usize, i64> = BTreeMap::new();
        for place in places {
            *weights.entry(*place).or_default() += 1;
        }
        let range = |(place, weight): (usize, i64)| FaceRange {
            from: Expr::constant(Symbols::number(place), face.from.span),
            to: None,
            weight: Some(Expr::constant(weight, face.from.span)),
        };
        Some(weights.into_iter().map(range).collect())
    }

    /// The numbers that stand for faces with symbols.
    fn symbol_numbers(&self) -> Range<i64> {
        FIRST..Symbols::number(self.library.symbols.faces.len())
    }

    /// Whether dice of a pool may show symbols.
    pub(super) fn shows_symbols(&self, pool: &Expr) -> bool {
        let shows = |part: &Expr| self.shows_symbols(part);
        match &pool.kind {
            Kind::Var(var) => self.symbol_pools.contains(var),
            Kind::Dice { die, .. } => self.has_symbols(&die.faces),
            Kind::Draw { bag, .. } => self.are_symbols(bag),
            Kind::Gather(parts) => parts.iter().any(shows),
            Kind::If {
                then, otherwise, ..
            } => shows(then) || shows(otherwise),
            Kind::Match {
                arms, otherwise, ..
            } => {
                let mut values = arms.iter().map(|arm| &arm.value);
                values.any(shows) || otherwise.as_deref().is_some_and(shows)
            }
            Kind::Select { items, .. } => items.iter().any(shows),
            Kind::Block { value, .. } => self.shows_symbols(value),
            _ => false,
        }
    }

    fn has_symbols(&self, faces: &Faces) -> bool {
        match faces {
            Faces::Listed(ranges) => self.are_symbols(ranges),
            _ => false,
        }
    }

    fn are_symbols(&self, ranges: &[FaceRange]) -> bool {
        let symbols = self.symbol_numbers();
        let mut numbers = ranges.iter().filter_map(|range| range.from.as_constant());
        numbers.any(|number| symbols.contains(&number))
    }

    /// Refuses a die with symbols that is rerolled or explodes: that is about numbers.
    pub(super) fn refuse_symbols_of(&mut self, faces: &Faces, span: Span) -> Lowered<()> {
        match self.has_symbols(faces) {
            true => self.no_numbers(span),
            false => Ok(()),
        }
    }

    /// How many dice of a pool fit a test, of those that show numbers; none if no die may show symbols.
    ///
    /// # Errors
    /// If all of them do.
    pub(super) fn count_of_numbers(
        &mut self,
        pool: &Expr,
        test: &Test,
        span: Span,
    ) -> Lowered<Option<Expr>> {
        if !self.shows_symbols(pool) {
            return Ok(None);
        }
        let (symbols, bounds) = (self.symbol_numbers(), self.pool_shape(pool).faces);
        if symbols.contains(&bounds.1) {
            return self.no_numbers(pool.span);
        }
        let face = self.face_variable("face", span, bounds);
        let constant = |number| Expr::constant(number, span);
        let arm = |test, value| Arm {
            patterns: vec![test],
            span,
            value: constant(value),
        };
        let symbols = Test::Range(constant(symbols.start), constant(symbols.end - 1));
        let fits = Kind::Match {
            subject: Box::new(self.var(face, span)),
            arms: vec![arm(symbols, 0), arm(test.clone(), 1)],
            otherwise: Some(Box::new(constant(0))),
        };
        let value = Box::new(Expr::new(fits, span));
        Ok(Some(pool.clone().read(Reading::Map { face, value }, span)))
    }

    /// Refuses dice with symbols where numbers are read.
    pub(super) fn refuse_symbols(&mut self, pool: &Expr) -> Lowered<()> {
        match self.shows_symbols(pool) {
            true => self.no_numbers(pool.span),
            false => Ok(()),
        }
    }

    fn no_numbers<T>(&mut self, place: Span) -> Lowered<T> {
        let symbols = self.library.symbols.names();
        let help = match symbols.as_slice() {
            [] => "its faces are blank".to_owned(),
            [first, ..] => format!(
                "count a symbol, as in `count(pool, {first})`; they have {}",
                symbols.join(", ")
            ),
        };
        let error = self
            .reporter
            .error(place, "dice with symbols are no numbers")
            .with_label("these show symbols")
            .with_help(help);
        self.fail(error)
    }

    /// `count(pool, success)`: how often a symbol is there, on all dice together; none if no symbol is meant.
    pub(super) fn count_symbol(
        &mut self,
        pool: &Expr,
        test: &ast::Arg,
        span: Span,
    ) -> Lowered<Option<Value>> {
        let ast::Arg::Value(ast::Expr {
            kind: ExprKind::Name(symbol),
            span: place,
        }) = test
        else {
            return Ok(None);
        };
        let library = self.library;
        let names = library.symbols.names();
        let shows = self.shows_symbols(pool);
        if !shows
            && (!names.contains(&symbol.as_str()) || self.named_value(symbol, *place).is_some())
        {
            return Ok(None);
        }
        if !names.contains(&symbol.as_str()) {
            let error = self
                .reporter
                .error(*place, format!("no die has the symbol `{symbol}`"));
            let error = match self.reporter.nearest(symbol, names.iter().copied()) {
                Some(near) => error.meant(near),
                None => error.with_label(format!("they have {}", names.join(", "))),
            };
            return self.fail(error);
        }
        let bounds = self.pool_shape(pool).faces;
        let face = self.face_variable("face", *place, bounds);
        let faces = library.symbols.faces.iter().enumerate();
        let arms = faces.filter_map(|(place, face)| Some((place, *face.get(symbol)?)));
        let arms = arms.map(|(at, count)| {
            let number = Expr::constant(Symbols::number(at), *place);
            Arm {
                patterns: vec![Test::Compare(CompareOp::Equal, number)],
                span: *place,
                value: Expr::constant(count, *place),
            }
        });
        let count = Kind::Match {
            subject: Box::new(self.var(face, *place)),
            arms: arms.collect(),
            otherwise: Some(Box::new(Expr::constant(0, *place))),
        };
        let value = Box::new(Expr::new(count, *place));
        let read = pool.clone().read(Reading::Map { face, value }, span);
        Ok(Some(Value::Scalar(read, Scalar::Int)))
    }
}
