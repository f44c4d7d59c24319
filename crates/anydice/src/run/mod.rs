//! Programs carried out.

mod call;
mod expression;
mod memory;
mod reads;
mod statement;

use std::panic::resume_unwind;
use std::thread::{Builder, scope};

use oddsmith_dist::Budget;

use crate::account::Account;
use crate::builtin::{Around, Builtin, of_shape};
use crate::dice::Roll;
use crate::fault::Fault;
use crate::source::{Error, Result, Span};
use crate::syntax::{Code, Order};
use crate::value::Value;
use crate::{Depths, Output};
use memory::Memory;

/// How deep expressions, blocks and calls may lie in one another, whatever depth a program sets. A browser gives WebAssembly
/// about a megabyte of stack, and no thread with more.
const DEEPEST: u32 = if cfg!(target_family = "wasm") {
    400
} else {
    20_000
};
/// A stack on which so many have room.
const STACK_BYTES: usize = 256 << 20;

/// Runs a program on a stack of its own, since calls may lie deep in one another.
pub(crate) fn run(code: &Code, settings: &Depths, budget: &Budget) -> Result<Vec<Output>> {
    let run = || {
        let mut machine = Machine::new(code, settings, budget);
        machine.program()?;
        Ok(machine.outputs)
    };
    if cfg!(target_family = "wasm") {
        return run();
    }
    scope(|scope| {
        let thread = Builder::new()
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, run);
        let Ok(thread) = thread else {
            let message = "the system has no room for a stack";
            return Err(Error::refused(Span::default(), message));
        };
        thread.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// What a program sets, and what was asked for in place of it.
#[derive(Clone, Copy)]
struct Depth {
    asked: Option<u32>,
    set: u32,
}

impl Depth {
    fn get(self) -> u32 {
        self.asked.unwrap_or(self.set)
    }
}

/// The state of a program that is carried out.
struct Machine<'a> {
    code: &'a Code,
    budget: &'a Budget,
    /// The values of variables, by their numbers.
    variables: Vec<Option<Value>>,
    /// The function that each shape calls by now, by its number.
    functions: Vec<Option<usize>>,
    builtins: Vec<Option<Builtin>>,
    order: Order,
    explode_depth: Depth,
    function_depth: Depth,
    /// How many calls are open.
    depth: u32,
    /// How many expressions, blocks and calls are open.
    nesting: u32,
    memory: Memory,
    /// The loops around the statement at hand, outside of functions: the variable, and its value.
    loops: Vec<(usize, i64)>,
    outputs: Vec<Output>,
    /// What is charged for the outputs: their dice, and all else.
    shown: Vec<(Option<Roll>, Account)>,
}

impl<'a> Machine<'a> {
    fn new(code: &'a Code, settings: &Depths, budget: &'a Budget) -> Self {
        Self {
            code,
            budget,
            variables: vec![None; code.names.len()],
            functions: vec![None; code.shapes.len()],
            builtins: code.shapes.iter().map(of_shape).collect(),
            order: Order::default(),
            explode_depth: Depth {
                asked: settings.explode_depth,
                set: 2,
            },
            function_depth: Depth {
                asked: settings.function_depth,
                set: 10,
            },
            depth: 0,
            nesting: 0,
            memory: Memory::default(),
            loops: Vec::new(),
            outputs: Vec::new(),
            shown: Vec::new(),
        }
    }

    fn around(&self) -> Around<'a> {
        Around {
            order: self.order,
            explode_depth: self.explode_depth.get(),
            budget: self.budget,
        }
    }

    /// Charges for something at a place.
    fn charge(&self, steps: u128, span: Span) -> Result<()> {
        self.budget
            .charge(steps)
            .map_err(|error| Fault::from(error).at(span))
    }

    /// Does something that lies a level deeper.
    fn deeper<T>(&mut self, span: Span, work: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.nesting == DEEPEST {
            let message = format!("calls and blocks lie more than {DEEPEST} deep here");
            return Err(Error::refused(span, message).with_help(
                "set \"maximum function depth\" to less, or call the function less often",
            ));
        }
        self.nesting += 1;
        let done = work(self);
        self.nesting -= 1;
        done
    }
}
