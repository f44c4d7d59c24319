//! Contests: two configurations against each other, as one procedure.
//!
//! Both sides' scripts are played one after the other, what they compare is compared, and that is repeated until
//! it is decided. So a contest is a track whose rounds are its rolls, and whatever answers questions about
//! tracks answers those about contests.

use std::sync::Arc;

use crate::check::{Check, Input, Measure, Outcome, OutcomeKind, Requirement, Role, Ties};
use crate::choice::Choice;
use crate::program::{
    BinaryOp, CompareOp, Expr, InputId, Kind, Program, Statement, UnaryOp, VarId,
};
use crate::source::Span;

/// Why two checks can't be set against each other.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ContestError {
    /// A check does not say what is compared.
    Nothing {
        /// Its name.
        check: String,
    },
    /// A track is no check.
    Track {
        /// Its name.
        track: String,
    },
    /// One side compares a number and the other a label, or labels of different lists.
    Incomparable {
        /// What each side compares, in words.
        sides: [String; 2],
    },
}

impl std::fmt::Display for ContestError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Nothing { check } => {
                write!(f, "`{check}` does not say what a contest compares")
            }
            Self::Track { track } => {
                write!(f, "`{track}` is a track; a contest is between two checks")
            }
            Self::Incomparable { sides: [a, b] } => {
                write!(f, "these can't be compared: A has {a}; B has {b}")
            }
        }
    }
}

impl std::error::Error for ContestError {}

/// From worst to best for A.
const LABELS: [&str; 3] = ["B", "tie", "A"];
const B: i64 = 0;
const TIE: i64 = 1;
const A: i64 = 2;

impl Check {
    /// `self` as side A against `other` as side B, both from the same ruleset.
    ///
    /// The contest's inputs are those of both sides, as `a.name` and `b.name`; a name without a side sets both.
    /// It shows, of one roll each, the band (`A`, `tie` or `B`), the flag `decided`, and what each side shows as
    /// `a.name` and `b.name`; and over all rounds the number of `rounds` and the flags `a_wins` and `b_wins`. A
    /// tie is a further round under [`Ties::Reroll`] and the end of the contest under the other rules.
    ///
    /// # Errors
    /// If a side is a track or has nothing to compare, or the two can't be compared.
    pub fn against(&self, other: &Self, ties: Ties) -> Result<Self, ContestError> {
        let measure = |check: &Self| match &check.contest {
            _ if check.rounds.is_some() => Err(ContestError::Track {
                track: check.name.clone(),
            }),
            Some(measure) => Ok(measure.clone()),
            None => Err(ContestError::Nothing {
                check: check.name.clone(),
            }),
        };
        let (a, b) = (measure(self)?, measure(other)?);
        if a.labels != b.labels {
            let sides = [a.describe(), b.describe()];
            return Err(ContestError::Incomparable { sides });
        }
        let contest = Table::new(self, other).contest(&a, &b, ties);
        debug_assert!(
            [self, other].iter().any(|side| side.verify().is_err()) || contest.verify().is_ok(),
            "{:?}",
            contest.verify()
        );
        Ok(contest)
    }
}

impl Measure {
    /// `total`, a number
    fn describe(&self) -> String {
        match &self.labels {
            None => format!("`{}`, a number", self.text),
            Some(labels) => format!("`{}`, one of {}", self.text, labels.labels().join(", ")),
        }
    }
}

/// Two sides at a table, while their contest is put together.
struct Table<'c> {
    sides: [(&'c Check, &'static str); 2],
    inputs: Vec<Input>,
    /// For each side, the place of each of its inputs.
    places: [Vec<InputId>; 2],
    program: Program,
    span: Span,
}

impl<'c> Table<'c> {
    fn new(a: &'c Check, b: &'c Check) -> Self {
        let mut table = Self {
            sides: [(a, "a"), (b, "b")],
            inputs: Vec::new(),
            places: [Vec::new(), Vec::new()],
            program: Program::default(),
            span: a
                .program
                .statements
                .first()
                .map_or_else(Span::default, statement_span),
        };
        // Parameters first, as in every check.
        for role in [Role::Parameter, Role::Axis] {
            for ((check, prefix), places) in table.sides.iter().zip(&mut table.places) {
                let side = check.inputs.iter().enumerate();
                for (at, input) in side.filter(|(_, input)| input.role == role) {
                    places.resize(places.len().max(at + 1), InputId(0));
                    places[at] = InputId(table.inputs.len());
                    let name = format!("{prefix}.{}", input.name);
                    let label = match input.label.as_str() {
                        "" => String::new(),
                        label => format!("{prefix}: {label}"),
                    };
                    table.inputs.push(Input {
                        name,
                        label,
                        ..input.clone()
                    });
                }
            }
        }
        table
    }

    fn contest(mut self, a: &Measure, b: &Measure, ties: Ties) -> Check {
        let mut body = Vec::new();
        let mut outcomes = Vec::new();
        let mut requires = Vec::new();
        let compared = [a, b].map(|measure| measure.value.clone());
        let compared: Vec<VarId> = (0..2)
            .zip(compared)
            .map(|(side, value)| {
                let moved = self.play(side, &mut body, &mut outcomes, &mut requires);
                let value = moved.expr(&value);
                self.bind("compared", None, value, &mut body)
            })
            .collect();
        let bands = Choice::new(LABELS.map(str::to_owned));
        let bands = Arc::new(bands.expect("three labels"));
        let by = self.compare(&compared);
        let band = self.bind("band", Some(&bands), by, &mut body);
        let is_tie = self.is(band, TIE);
        let decided = Expr::unary(UnaryOp::Not, is_tie, self.span);
        let decided = self.bind("decided", None, decided, &mut body);
        let mut first = vec![
            self.outcome("band", OutcomeKind::Band(bands), band, true),
            self.outcome("decided", OutcomeKind::Flag, decided, true),
        ];
        self.program.statements = self.repeat(body, band, decided, ties, &mut first);
        let rounds = first.last().map(|outcome| outcome.var);
        outcomes.splice(0..0, first);
        let [(a, _), (b, _)] = self.sides;
        let name = if a.name == b.name {
            a.name.clone()
        } else {
            format!("{} v {}", a.name, b.name)
        };
        Check {
            inputs: self.inputs.into(),
            requires,
            ties,
            rounds,
            ..Check::new(&a.source, a.span, name, self.program, outcomes)
        }
    }

    /// Plays a side's script into `body`; its outcomes and requirements are added.
    fn play(
        &mut self,
        side: usize,
        body: &mut Vec<Statement>,
        outcomes: &mut Vec<Outcome>,
        requires: &mut Vec<Requirement>,
    ) -> Moved {
        let (check, prefix) = self.sides[side];
        let moved = Moved {
            variables: self.program.variables.len(),
            inputs: self.places[side].clone(),
        };
        let variables = check.program.variables.iter();
        self.program.variables.extend(variables.cloned());
        let statements = check.program.statements.iter();
        body.extend(statements.map(|statement| moved.statement(statement)));
        outcomes.extend(check.outcomes.iter().map(|outcome| Outcome {
            name: format!("{prefix}.{}", outcome.name),
            kind: match &outcome.kind {
                OutcomeKind::Band(labels) => OutcomeKind::Label(Arc::clone(labels)),
                other => other.clone(),
            },
            var: moved.var(outcome.var),
            first_round: true,
            span: outcome.span,
        }));
        requires.extend(check.requires.iter().map(|requirement| Requirement {
            condition: moved.expr(&requirement.condition),
            text: format!("{prefix}: {}", requirement.text),
        }));
        moved
    }

    /// `let winner = tie  let rounds = 0  repeat until winner != tie { body … }  show a_wins = …`
    fn repeat(
        &mut self,
        mut body: Vec<Statement>,
        band: VarId,
        decided: VarId,
        ties: Ties,
        outcomes: &mut Vec<Outcome>,
    ) -> Vec<Statement> {
        let mut statements = Vec::new();
        let starts = [("winner", TIE), ("over", 0), ("rounds", 0)].map(|(name, start)| {
            let start = Expr::constant(start, self.span);
            let (var, statement) = self.program.state(name, start);
            statements.push(statement);
            var
        });
        let [winner, over, rounds] = starts;
        let ends = match ties {
            Ties::Reroll => self.var(decided),
            Ties::Both | Ties::Defender => Expr::constant(1, self.span),
        };
        let one = Expr::constant(1, self.span);
        let next = self.binary(BinaryOp::Add, self.var(rounds), one);
        for (var, value) in [(winner, self.var(band)), (over, ends), (rounds, next)] {
            body.push(Statement::Set { var, value });
        }
        statements.push(Statement::Repeat {
            count: None,
            until: Some(self.is(over, 1)),
            body,
            played: None,
            span: self.span,
        });
        let (a, b, tie) = (self.is(winner, A), self.is(winner, B), self.is(winner, TIE));
        let or_tie = |won: Expr| self.binary(BinaryOp::Or, won, tie.clone());
        let (a, b) = match ties {
            Ties::Reroll => (a, b),
            Ties::Both => (or_tie(a), or_tie(b)),
            Ties::Defender => (a, or_tie(b)),
        };
        for (name, won) in [("a_wins", a), ("b_wins", b)] {
            let var = self.bind(name, None, won, &mut statements);
            outcomes.push(self.outcome(name, OutcomeKind::Flag, var, false));
        }
        outcomes.push(self.outcome("rounds", OutcomeKind::Observable, rounds, false));
        statements
    }

    /// Which side is higher: the place of its label.
    fn compare(&self, compared: &[VarId]) -> Expr {
        let compare = |op| {
            let [a, b] = [0, 1].map(|side| self.var(compared[side]));
            self.binary(BinaryOp::Compare(op), a, b)
        };
        let [a, tie, b] = [A, TIE, B].map(|place| Expr::constant(place, self.span));
        let not_above = Expr::if_else(compare(CompareOp::Equal), tie, b, self.span);
        Expr::if_else(compare(CompareOp::Greater), a, not_above, self.span)
    }

    fn bind(
        &mut self,
        name: &str,
        labels: Option<&Arc<Choice>>,
        value: Expr,
        out: &mut Vec<Statement>,
    ) -> VarId {
        let (var, statement) = self.program.bind(name, value);
        self.program.variables[var.0].labels = labels.cloned();
        out.push(statement);
        var
    }

    fn outcome(&self, name: &str, kind: OutcomeKind, var: VarId, first_round: bool) -> Outcome {
        let (name, span) = (name.to_owned(), self.span);
        Outcome {
            name,
            kind,
            var,
            first_round,
            span,
        }
    }

    fn var(&self, var: VarId) -> Expr {
        self.program.var(var, self.span)
    }

    fn is(&self, var: VarId, value: i64) -> Expr {
        let value = Expr::constant(value, self.span);
        self.binary(BinaryOp::Compare(CompareOp::Equal), self.var(var), value)
    }

    fn binary(&self, op: BinaryOp, left: Expr, right: Expr) -> Expr {
        Expr::binary(op, left, right, self.span)
    }
}

/// Where errors about a contest as a whole point: the first line of side A's rules.
fn statement_span(statement: &Statement) -> Span {
    match statement {
        Statement::Let { value, .. } | Statement::Set { value, .. } => value.span,
        Statement::Choose { span, .. } | Statement::Repeat { span, .. } => *span,
    }
}

/// A side's variables and inputs, moved to where they are in the contest.
struct Moved {
    /// Its first variable.
    variables: usize,
    inputs: Vec<InputId>,
}

impl Moved {
    fn var(&self, var: VarId) -> VarId {
        VarId(var.0 + self.variables)
    }

    fn expr(&self, expr: &Expr) -> Expr {
        let moved = expr.map_parts(&mut |part| self.expr(part));
        moved.altered(|kind| self.kind(kind))
    }

    fn kind(&self, kind: &mut Kind) {
        match kind {
            Kind::Var(var) => *var = self.var(*var),
            Kind::Input(id) => *id = self.inputs[id.0],
            Kind::Block { statements, .. } => {
                let renamed = |statement: &Statement| {
                    let mut statement = statement.clone();
                    self.rename(&mut statement);
                    statement
                };
                *statements = statements.iter().map(renamed).collect();
            }
            Kind::Read { reading, .. } => reading.rename(&|var| self.var(var)),
            Kind::Each { face, .. } => *face = self.var(*face),
            _ => {}
        }
    }

    fn statement(&self, statement: &Statement) -> Statement {
        let mut moved = statement.map_parts(&mut |part| self.expr(part));
        self.rename(&mut moved);
        moved
    }

    /// Renames what a statement binds; its expressions are done.
    fn rename(&self, statement: &mut Statement) {
        match statement {
            Statement::Let { var, .. } | Statement::Set { var, .. } => *var = self.var(*var),
            Statement::Choose { var, goal, .. } => {
                *var = self.var(*var);
                *goal = self.var(*goal);
            }
            Statement::Repeat { body, .. } => body.iter_mut().for_each(|inner| self.rename(inner)),
        }
    }
}
