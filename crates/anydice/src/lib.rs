//! AnyDice programs, answered exactly.
//!
//! A [`Program`] is read from a text in the language of AnyDice, and run within a budget; each of its outputs has a
//! distribution with integer weights, and says how much of it a limit of the language cut off.
//!
//! ```
//! use oddsmith_anydice::{Program, Depths};
//! use oddsmith_dist::{Budget, UBig};
//!
//! let program = Program::parse(
//!     r#"
//!     function: wild ROLL:s {
//!       if 1@ROLL = 2@ROLL { result: 20 }
//!       result: 1@ROLL + 2@ROLL
//!     }
//!     loop N over {2..3} { output [wild Nd6] named "best two of [N]" }
//!     "#,
//! )?;
//! let outputs = program.run(&Depths::default(), &Budget::new(10_000_000))?;
//! assert_eq!(outputs[0].label, "best two of 2");
//! let two = outputs[0].distribution.as_ref().expect("it is not the empty die");
//! assert_eq!(two.weight(20), UBig::from(3_u8)); // 6 of 36, reduced
//! assert_eq!(two.total(), &UBig::from(18_u8));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod account;
mod builtin;
mod chance;
mod dice;
mod expand;
mod fault;
mod numbers;
mod operators;
mod parse;
mod places;
mod run;
mod source;
mod syntax;
mod token;
mod translate;
mod value;

use oddsmith_dist::{Budget, Dist, RBig};

pub use oddsmith_diagnostics::Span;
use source::Result;
pub use source::{Error, ErrorKind, Errors};
pub use translate::{Reason, TranslatedAxis, TranslatedCheck, Translation, ruleset};

/// A program that was read.
#[derive(Clone, Debug)]
pub struct Program {
    code: syntax::Code,
}

/// How deep a run goes, where that is not as the program says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Depths {
    /// How often a die is rolled again by `[explode …]`, in place of what the program sets, or of 2.
    pub explode_depth: Option<u32>,
    /// How deep calls may lie in one another, in place of what the program sets, or of 10.
    pub function_depth: Option<u32>,
}

/// What an `output` comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// What it is called: the text after `named`, or `output` and its number.
    pub label: String,
    /// The statement in the program.
    pub span: Span,
    /// The variables of the loops around it with their values, from the outermost.
    pub loops: Vec<(String, i64)>,
    /// Its odds; nothing for the empty die.
    pub distribution: Option<Dist>,
    /// The probability that a roll meets a limit: a die that would explode once more, or a call that is deeper than allowed.
    pub cut: RBig,
}

impl Program {
    /// Reads a program.
    ///
    /// # Errors
    /// All errors of [`ErrorKind::Syntax`] that do not follow from others, or a refusal of a text whose parts lie too deep in
    /// one another.
    pub fn parse(text: &str) -> std::result::Result<Self, Errors> {
        Ok(Self {
            code: parse::parse(text)?,
        })
    }

    /// Runs the program, and answers its outputs in their order.
    ///
    /// # Errors
    /// An error of [`ErrorKind::Value`] where something has no value, and of [`ErrorKind::Refused`] where the budget does not
    /// suffice.
    pub fn run(&self, settings: &Depths, budget: &Budget) -> Result<Vec<Output>> {
        run::run(&self.code, settings, budget)
    }

    /// What each `output` of the text becomes in a ruleset, in their order, with the depths of a run.
    ///
    /// A check that comes back is meant to be equal for all values of its axes; whoever writes it compares, with the
    /// outputs of [`run`](Self::run) that have the same [`span`](Output::span) and [`loops`](Output::loops).
    ///
    /// ```
    /// use oddsmith_anydice::{Depths, Program, ruleset};
    ///
    /// let program = Program::parse("loop N over {2..4} { output [highest 2 of Nd6] } output 7 / 2d6")?;
    /// let translations = program.translate(&Depths::default());
    /// let check = translations[0].check.as_ref().expect("it has a counterpart");
    /// assert_eq!(check.script, "show value = highest((axis_n)d(6), 2)\n");
    /// assert!(ruleset("Dice", [check]).contains("axes.axis_n = { default = 2, domain = \"2..=4\""));
    /// let reason = translations[1].check.as_ref().expect_err("it has none");
    /// assert!(reason.message.contains("division"));
    /// # Ok::<(), oddsmith_anydice::Errors>(())
    /// ```
    #[must_use]
    pub fn translate(&self, depths: &Depths) -> Vec<Translation> {
        translate::translate(&self.code, depths)
    }
}
