//! Choices: the policy's tables, looked up.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use oddsmith_rules::program::{CompareOp, Expr, Kind, Options, VarId};
use oddsmith_rules::{Known, PolicyTable, Span};

use super::Compiler;
use super::value::{Num, Pool, PoolDie, Value};
use crate::Error;
use crate::column::{Range, union};
use crate::op::{Arithmetic, Op};

/// The most combinations of what is known at a choice.
const MOST_CASES: i64 = 1 << 22;

/// A number that a choice is made by: an expression, or the face at a place of a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ChoiceKey {
    Number(usize),
    Face(usize, usize),
}

/// All tables of one choice as one list: what is known gives a place in it.
struct Layout<'p> {
    /// The expressions that any of the tables goes by.
    seen: Vec<&'p Expr>,
    tables: Vec<OptionTable<'p>>,
    /// For each place what is chosen, if it can come up.
    options: Vec<Option<&'p Known>>,
}

/// One table: the place of its options in the list.
struct OptionTable<'p> {
    /// The rounds of the loops around.
    rounds: &'p [usize],
    start: i64,
    /// The parts that it goes by, and how far a step of each leads in the list.
    parts: BTreeMap<ChoiceKey, Axis>,
}

/// One of the numbers that a table goes by.
#[derive(Clone, Copy, Debug)]
struct Axis {
    range: Range,
    stride: i64,
}

impl Compiler<'_> {
    /// A `choose`, as the policy has it.
    pub(super) fn choose(&mut self, var: VarId, options: &Options) -> Result<(), Error> {
        let made = self.chosen(var, options);
        let made = self.made(var, made)?;
        self.values[var.0] = Some(made);
        Ok(())
    }

    fn chosen(&mut self, var: VarId, options: &Options) -> Result<Value, Error> {
        let policy = self.policy;
        let tables = policy.choices.iter().filter(|table| table.var == var);
        let tables: Vec<&PolicyTable> = tables.collect();
        if tables.is_empty() {
            // There is one option, or it does not matter.
            return match options {
                Options::Range(from, _) => self.number(from).map(Value::Number),
                Options::Subsets(pool) => self.pool(pool).map(Value::Pool),
            };
        }
        let span = self.check.program().variable(var).span();
        let Some(layout) = Layout::of(&tables) else {
            let message = "too much is known at this choice to keep a table of it";
            return Err(self.error(span, message, "for a simulation"));
        };
        let place = self.place(&layout, span)?;
        self.option_at(&layout, &place, span)
    }

    /// The place in a list that what is known gives.
    fn place(&mut self, layout: &Layout<'_>, span: Span) -> Result<Num, Error> {
        let mut known = Vec::with_capacity(layout.seen.len());
        for expr in &layout.seen {
            known.push(if self.is_pool(expr) {
                let pool = self.pool(expr)?;
                Value::Pool(self.sorted(pool))
            } else {
                Value::Number(self.number(expr)?)
            });
        }
        let parts: BTreeSet<ChoiceKey> = layout
            .tables
            .iter()
            .flat_map(|table| table.parts.keys().copied())
            .collect();
        let mut place = self.by_round(layout, |table| table.start, layout.nowhere());
        for part in parts {
            let steps = self.steps_of(layout, &known, part, span)?;
            place = self.plus(&place, &steps);
        }
        Ok(place)
    }

    fn is_pool(&self, expr: &Expr) -> bool {
        matches!(expr.kind, Kind::Var(var) if self.check.program().variable(var).is_pool())
    }

    /// A number that the round decides, with one for rounds without a table.
    fn by_round(
        &mut self,
        layout: &Layout<'_>,
        of: impl Fn(&OptionTable<'_>) -> i64,
        otherwise: i64,
    ) -> Num {
        let values = layout
            .tables
            .iter()
            .map(|table| (table.rounds.to_vec(), of(table)));
        let values: HashMap<Vec<usize>, i64> = values.collect();
        if let Some(only) = layout.only_table() {
            return Num::constant(of(only));
        }
        let all = || values.values().copied().chain([otherwise]);
        let lowest = all().min().expect("there is a table");
        let highest = all().max().expect("there is a table");
        if lowest == highest {
            return Num::constant(lowest);
        }
        let out = self.fresh((lowest, highest));
        self.emit(Op::ByRound {
            out,
            values: Arc::new(values),
            otherwise,
        });
        Num::column(out, (lowest, highest))
    }

    /// How far one of the numbers that the choice is made by leads in the list. It must be in the table's range.
    fn steps_of(
        &mut self,
        layout: &Layout<'_>,
        known: &[Value],
        part: ChoiceKey,
        span: Span,
    ) -> Result<Num, Error> {
        let axis = |table: &OptionTable<'_>| table.parts.get(&part).copied();
        let lowest = self.by_round(
            layout,
            |table| axis(table).map_or(0, |axis| axis.range.0),
            0,
        );
        let highest = self.by_round(
            layout,
            |table| axis(table).map_or(0, |axis| axis.range.1),
            0,
        );
        let stride = self.by_round(layout, |table| axis(table).map_or(0, |axis| axis.stride), 0);
        let num = match (part, part.of(known)) {
            (ChoiceKey::Number(_), Value::Number(num)) => num.clone(),
            (ChoiceKey::Face(_, at), Value::Pool(pool)) => match pool.dice.get(at).cloned() {
                Some(die) => self.select(&die.here, &die.face, &lowest),
                None => lowest.clone(),
            },
            _ => unreachable!("a pool has faces, and a number none"),
        };
        let below = self.compare(CompareOp::Less, &num, &lowest);
        let above = self.compare(CompareOp::Greater, &num, &highest);
        let outside = self.or(&below, &above);
        // Where the stride is 0 it does not matter.
        let matters = self.compare(CompareOp::Greater, &stride, &Num::constant(0));
        let bad = self.and(&outside, &matters);
        let error = self.says_nothing(span);
        self.demand_not(&bad, None, &[], error);
        let num = self.arithmetic(Arithmetic::Max, &num, &lowest, span)?;
        let num = self.arithmetic(Arithmetic::Min, &num, &highest, span)?;
        let steps = self.arithmetic(Arithmetic::Subtract, &num, &lowest, span)?;
        self.arithmetic(Arithmetic::Multiply, &steps, &stride, span)
    }

    fn says_nothing(&self, span: Span) -> Error {
        let message = "the policy says nothing of what came up";
        self.error(span, message, "at this choice")
    }

    /// The option at a place; one that no table has is an error.
    fn option_at(&mut self, layout: &Layout<'_>, place: &Num, span: Span) -> Result<Value, Error> {
        let has_holes = layout.options.iter().any(Option::is_none);
        if has_holes {
            let holes = layout
                .options
                .iter()
                .map(|option| i64::from(option.is_none()));
            let hole = self.item(place, 0, &holes.collect::<Vec<_>>());
            let error = self.says_nothing(span);
            self.demand_not(&hole, None, &[], error);
        }
        let mut longest = 0;
        let mut is_roll = false;
        for option in layout.options.iter().flatten() {
            if let Known::Roll(faces) = option {
                (is_roll, longest) = (true, longest.max(faces.len()));
            }
        }
        if !is_roll {
            let number = |option: &Option<&Known>| match option {
                Some(Known::Number(value)) => *value,
                _ => 0,
            };
            let values: Vec<i64> = layout.options.iter().map(number).collect();
            return Ok(Value::Number(self.item(place, 0, &values)));
        }
        let mut dice = Vec::with_capacity(longest);
        for at in 0..longest {
            let face = |option: &Option<&Known>| match option {
                Some(Known::Roll(faces)) => faces.get(at).copied(),
                _ => None,
            };
            let faces: Vec<Option<i64>> = layout.options.iter().map(face).collect();
            let lowest = faces.iter().flatten().min().copied().unwrap_or(0);
            let shown: Vec<i64> = faces.iter().map(|face| face.unwrap_or(lowest)).collect();
            let there: Vec<i64> = faces.iter().map(|face| i64::from(face.is_some())).collect();
            dice.push(PoolDie {
                face: self.item(place, 0, &shown),
                here: self.item(place, 0, &there),
            });
        }
        let is_sorted = true;
        Ok(Value::Pool(Pool { dice, is_sorted }))
    }
}

impl<'p> Layout<'p> {
    /// The layout of these tables; none if there are too many places.
    fn of(tables: &[&'p PolicyTable]) -> Option<Self> {
        let mut layout = Self {
            seen: Vec::new(),
            tables: Vec::new(),
            options: Vec::new(),
        };
        for table in tables {
            layout.add(table)?;
        }
        if layout.only_table().is_none() {
            // For rounds without a table.
            layout.options.push(None);
        }
        Some(layout)
    }

    /// The table of a choice that stands in no loop.
    fn only_table(&self) -> Option<&OptionTable<'p>> {
        match self.tables.as_slice() {
            [only] if only.rounds.is_empty() => Some(only),
            _ => None,
        }
    }

    /// The last place in the list: where rounds without a table lead.
    fn nowhere(&self) -> i64 {
        place(self.options.len() - 1)
    }

    fn add(&mut self, table: &'p PolicyTable) -> Option<()> {
        let mut names = Vec::with_capacity(table.seen.len());
        for expr in &table.seen {
            let known = self.seen.iter().position(|known| known.kind == expr.kind);
            names.push(known.unwrap_or_else(|| {
                self.seen.push(expr);
                self.seen.len() - 1
            }));
        }
        let mut parts: BTreeMap<ChoiceKey, Axis> = BTreeMap::new();
        for known in table.rows.keys() {
            for (part, low, high) in parts_of(&names, known)? {
                let range = (low, high);
                let axis = parts.entry(part).or_insert(Axis { range, stride: 0 });
                axis.range = union(axis.range, range);
            }
        }
        let mut size = 1_i64;
        for axis in parts.values_mut() {
            axis.stride = size;
            let values = axis.range.1.checked_sub(axis.range.0)?.checked_add(1)?;
            size = size.checked_mul(values)?;
            if size > MOST_CASES {
                return None;
            }
        }
        let start = place(self.options.len());
        if start + size > MOST_CASES {
            return None;
        }
        let all = self.options.len() + usize::try_from(size).ok()?;
        self.options.resize(all, None);
        for (known, option) in &table.rows {
            let mut place = start;
            for (part, axis) in &parts {
                let value = part.value(&names, known).unwrap_or(axis.range.0);
                place += (value - axis.range.0) * axis.stride;
            }
            self.options[usize::try_from(place).ok()?] = Some(option);
        }
        self.tables.push(OptionTable {
            rounds: &table.rounds,
            start,
            parts,
        });
        Some(())
    }
}

fn place(at: usize) -> i64 {
    i64::try_from(at).expect("lists are short")
}

/// The numbers that make a row's key, each with where its range begins and ends. For a face it begins below the
/// face, so that a place without a die has a number of its own; none if there is no such number.
fn parts_of(names: &[usize], known: &[Known]) -> Option<Vec<(ChoiceKey, i64, i64)>> {
    let mut parts = Vec::new();
    for (name, value) in names.iter().zip(known) {
        match value {
            Known::Number(value) => parts.push((ChoiceKey::Number(*name), *value, *value)),
            Known::Roll(faces) => {
                for (at, face) in faces.iter().enumerate() {
                    parts.push((ChoiceKey::Face(*name, at), face.checked_sub(1)?, *face));
                }
            }
        }
    }
    Some(parts)
}

impl ChoiceKey {
    /// The part's value in a trial.
    fn of(self, known: &[Value]) -> &Value {
        let (Self::Number(name) | Self::Face(name, _)) = self;
        &known[name]
    }

    /// The part's value in a row of a table; none if a roll has fewer dice.
    fn value(self, names: &[usize], known: &[Known]) -> Option<i64> {
        let (Self::Number(name) | Self::Face(name, _)) = self;
        let at = names.iter().position(|known| *known == name)?;
        match (self, &known[at]) {
            (Self::Number(_), Known::Number(value)) => Some(*value),
            (Self::Face(_, place), Known::Roll(faces)) => faces.get(place).copied(),
            _ => unreachable!("a column of a table holds rolls or numbers"),
        }
    }
}
