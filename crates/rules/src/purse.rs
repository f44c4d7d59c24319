//! A track that is played out of a purse: points for all of its rounds together, of which a round may spend what is left.
//!
//! A track passes an axis such as `effort`, the most points that one check may take, on to the checks of its rounds, and
//! every round may take as many again. With a purse what is left is a part of how the track stands:
//!
//! ```text
//! let left = POINTS                        # a new axis: the points at the beginning
//! repeat until … {
//!   choose boons in 0..=min(10, left)      # of a resource that is set before the roll, where the rules read `boons`
//!   …                                      # of one that is chosen in it they read min(5, left) where they read `effort`
//!   let effort_spent = …
//!   set left = left - effort_spent         # what comes back goes up to what there was at the beginning
//! }
//! ```
//!
//! All choices of its rounds, those of the checks that it plays among them, strive for the goal of the track then.

use std::sync::Arc;

use crate::check::{Check, Domain, FoundOut, Input, Measure, Outcome, OutcomeKind, Role};
use crate::choice::Choice;
use crate::config::Config;
use crate::program::{
    BinaryOp, CompareOp, Expr, InputId, Kind, Options, Party, Program, Statement, VarId, Variable,
};
use crate::settings::resource::Outlay;
use crate::source::{Diagnostics, Span};
use crate::verify::Flaw;

/// A track with the points for all of its rounds.
#[derive(Clone, Debug)]
pub struct Pursed {
    /// The track: it has an axis more for each purse, and shows at its end what is left and whether more was spent than there was.
    pub track: Check,
    /// The purses, in the order of what was asked for.
    pub purses: Vec<Purse>,
    /// The flag that more was spent than there was.
    pub overdrawn: VarId,
}

/// What a purse is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PurseRequest {
    /// What people call the points; what is left of them is known by it.
    pub name: String,
    /// How the points are spent in a round.
    pub outlay: Outlay,
    /// The most points that there may be at the beginning; 0 or more.
    pub most: i64,
}

/// The points of one resource for all rounds of a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Purse {
    /// How the points are spent in a round.
    pub outlay: Outlay,
    /// The axis of the points that there are at the beginning.
    pub points: InputId,
    /// The points that are left at the end, as an outcome.
    pub left: VarId,
    /// Whether the points are set before the roll: nothing that the player chooses decides how many are spent.
    pub is_before: bool,
}

/// Why a track can't be played out of a purse.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum PurseError {
    /// No round reads the axis of the points.
    Unread {
        /// The axis.
        axis: String,
    },
    /// The axis of the points is read where no round is played.
    Outside {
        /// The axis.
        axis: String,
    },
    /// What is spent is known in a loop or in a branch of a round alone.
    Hidden {
        /// The number.
        spent: String,
    },
    /// Something is chosen in a loop or in a branch of a round.
    Choice,
    /// The track has neither bands nor a goal.
    Goal,
    /// The points decide what must be known before the first round.
    Flaw(Flaw),
    /// What the end is worth can't be read.
    Worth(Diagnostics),
}

impl std::fmt::Display for PurseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unread { axis } => write!(f, "no round reads `{axis}`"),
            Self::Outside { axis } => {
                write!(
                    f,
                    "`{axis}` is read before the rounds, between them or after them"
                )
            }
            Self::Hidden { spent } => {
                write!(
                    f,
                    "`{spent}` is known in a part of a round alone, such as a branch or a loop"
                )
            }
            Self::Choice => {
                f.write_str("a part of a round, such as a branch or a loop, makes a choice")
            }
            Self::Goal => f.write_str("nothing says what its end is worth"),
            Self::Flaw(_) => f.write_str("the points decide what must be known before a round"),
            Self::Worth(errors) => errors.fmt(f),
        }
    }
}

impl std::error::Error for PurseError {}

impl Check {
    /// This track, played out of purses: of each resource points for all rounds together. A configuration says how many there are
    /// ([`Pursed::config`]).
    ///
    /// Every choice of its rounds strives for what its end is `worth`, an expression as in `maximise`; without one for the goal of
    /// the track; of a track without one for its last band, or where it has more than two for the mean of their places.
    ///
    /// # Errors
    /// If points are spent where this can't follow them, or nothing says what the end is worth.
    ///
    /// # Panics
    /// If it is no track, or a purse is of another check.
    pub fn with_purses(
        &self,
        purses: &[PurseRequest],
        worth: Option<&str>,
    ) -> Result<Pursed, PurseError> {
        let own = self.goal.clone().or_else(|| self.rank_of_band());
        let mut track = match (worth, own) {
            (None, None) => return Err(PurseError::Goal),
            (None, Some(own)) => self.clone().striving_for(own),
            (Some(worth), own) => {
                let any = own.unwrap_or_else(|| Measure {
                    value: Expr::constant(0, self.span),
                    labels: None,
                    text: String::new(),
                });
                let any = self.clone().striving_for(any);
                let track = any.with_goal(worth, "--utility");
                track.map_err(PurseError::Worth)?
            }
        };
        let mut inputs = track.inputs.to_vec();
        let mut play = Play::of(&mut track, &mut inputs, purses);
        let statements = play.track()?;
        let purses = play.purses.iter().map(|open| open.purse).collect();
        let (program, overdrawn) = (play.program, play.overdrawn);
        let program = program.with_statements(statements, inputs.len());
        track.program = Arc::new(program.map_err(PurseError::Flaw)?);
        track.inputs = inputs.into();
        track.found = FoundOut::default();
        debug_assert!(track.verify().is_ok(), "{:?}", track.verify());
        Ok(Pursed {
            track,
            purses,
            overdrawn,
        })
    }

    /// The place of the band that it ends in; of two bands the event that it is the last.
    fn rank_of_band(&self) -> Option<Measure> {
        let (outcome, bands) = self.band().filter(|(outcome, _)| !outcome.first_round)?;
        let place = Expr::new(Kind::Var(outcome.var), outcome.span);
        let is_last = |labels: &Choice| {
            let last = Expr::constant(1, outcome.span);
            let value = BinaryOp::Compare(CompareOp::Equal);
            Measure {
                value: Expr::binary(value, place.clone(), last, outcome.span),
                labels: None,
                text: labels.labels()[1].clone(),
            }
        };
        let texts = bands.labels().iter().enumerate();
        let texts = texts.map(|(place, label)| format!("{label}={place}"));
        Some(match bands.labels().len() {
            2 => is_last(bands),
            _ => Measure {
                value: place,
                labels: None,
                text: texts.collect::<Vec<_>>().join(", "),
            },
        })
    }
}

impl Pursed {
    /// A configuration with so many points of each resource, whose ways to spend are left to the player.
    ///
    /// # Panics
    /// If a configuration has other inputs than the track had, or there are more points than the axes allow.
    #[must_use]
    pub fn config(&self, config: &Config, points: &[i64]) -> Config {
        let mut own = self.track.defaults();
        for (at, value) in config.values().iter().enumerate() {
            own.put(InputId(at), *value);
        }
        for (purse, points) in self.purses.iter().zip(points) {
            own.put(purse.points, *points);
            if let Some((policy, label)) = purse.outlay.policy {
                own.put(policy, label);
            }
        }
        own
    }
}

/// A purse while the rounds are gone through.
struct Open {
    purse: Purse,
    /// The most that one check may take.
    cap: i64,
    /// What is left, as a state.
    left: VarId,
    /// The number that is spent, by its name.
    spent: Option<Arc<str>>,
    axis: String,
    /// What the axis is here.
    now: Expr,
    /// What it was for a check that has spent its points, with the number of its play.
    before: Option<(usize, Expr)>,
    is_read: bool,
}

/// A track that is being put together.
struct Play {
    statements: Vec<Statement>,
    program: Program,
    purses: Vec<Open>,
    overdrawn: VarId,
    /// How the purses begin.
    opening: Vec<Statement>,
    goal: VarId,
    span: Span,
    /// The number of the check of a round that is gone through.
    playing: usize,
}

impl Play {
    /// The track's own script with a purse for each resource, and the axes and outcomes of these on the track.
    fn of(track: &mut Check, inputs: &mut Vec<Input>, purses: &[PurseRequest]) -> Self {
        let mut program = Program::clone(&track.program);
        let statements = std::mem::take(&mut program.statements);
        let goal = track.own_goal().expect("it strives for something");
        let span = track.span;
        let mut opening = Vec::new();
        let mut open = Vec::with_capacity(purses.len());
        for PurseRequest { name, outlay, most } in purses {
            let axis = inputs[outlay.axis.0].clone();
            let points = InputId(inputs.len());
            let spent = outlay
                .spent
                .map(|spent| Arc::clone(&program.variables[spent.0].name));
            inputs.push(Input {
                name: format!("points of {name}"),
                role: Role::Axis,
                domain: Domain::Range(0, *most),
                default: 0,
                sweep: Vec::new(),
                help: String::new(),
                label: String::new(),
                value_labels: Vec::new(),
                reading: String::new(),
                span: axis.span,
            });
            let name = format!("{name} left");
            let (left, bound) = program.state(name.as_str(), Expr::input(points, span));
            opening.push(bound);
            track
                .outcomes
                .push(outcome(&name, OutcomeKind::Observable, left, span));
            let cap = axis.domain.bounds().1;
            let title = axis.title().to_owned();
            track.labels.push((axis.name.clone(), title));
            open.push(Open {
                purse: Purse {
                    outlay: *outlay,
                    points,
                    left,
                    is_before: outlay.spent.is_none(),
                },
                cap,
                left,
                spent,
                axis: axis.name,
                now: Expr::constant(0, span),
                before: None,
                is_read: false,
            });
        }
        let (overdrawn, bound) = program.state("overdrawn", Expr::constant(0, span));
        opening.push(bound);
        track
            .outcomes
            .push(outcome("overdrawn", OutcomeKind::Flag, overdrawn, span));
        Self {
            statements,
            program,
            purses: open,
            overdrawn,
            opening,
            goal,
            span,
            playing: 0,
        }
    }

    /// The script, whose rounds are played out of the purses.
    fn track(&mut self) -> Result<Vec<Statement>, PurseError> {
        let mut out = std::mem::take(&mut self.opening);
        for statement in std::mem::take(&mut self.statements) {
            match statement {
                Statement::Repeat {
                    count: None,
                    until,
                    body,
                    played: None,
                    span,
                } => {
                    until
                        .iter()
                        .try_for_each(|until| self.refuse_outside(until))?;
                    let body = self.round(&body)?;
                    out.push(Statement::Repeat {
                        count: None,
                        until,
                        body,
                        played: None,
                        span,
                    });
                }
                other => {
                    let mut read = Ok(());
                    other.for_each_part(&mut |part| {
                        if read.is_ok() {
                            read = self.refuse_outside(part);
                        }
                    });
                    read?;
                    out.push(other);
                }
            }
        }
        match self.purses.iter().find(|open| !open.is_read) {
            Some(open) => Err(PurseError::Unread {
                axis: open.axis.clone(),
            }),
            None => Ok(out),
        }
    }

    /// A round: what is set before it, then its own statements, each behind which the purses have what is left.
    fn round(&mut self, body: &[Statement]) -> Result<Vec<Statement>, PurseError> {
        let mut out = Vec::with_capacity(body.len() + 2 * self.purses.len());
        for at in 0..self.purses.len() {
            let open = &mut self.purses[at];
            open.purse.is_before = match &open.spent {
                Some(spent) => !is_chosen(body, spent, &self.program),
                None => true,
            };
            self.open(at, &mut out);
        }
        for (number, statement) in body.iter().enumerate() {
            self.playing = play_of(statement, &self.program);
            let statement = self.statement(statement)?;
            let bound = match &statement {
                Statement::Let { var, .. } => Some(*var),
                _ => None,
            };
            out.push(statement);
            let Some(var) = bound else { continue };
            let name = Arc::clone(&self.program.variables[var.0].name);
            for at in 0..self.purses.len() {
                if self.purses[at].spent.as_ref() == Some(&name) {
                    self.settle(at, var, &body[number + 1..], &mut out);
                }
            }
        }
        Ok(out)
    }

    /// The axis in what is still to come of a round: what is left, or what is set now; that is gone with it, unless a number tells
    /// what is spent.
    fn open(&mut self, at: usize, out: &mut Vec<Statement>) {
        if !self.purses[at].purse.is_before {
            self.purses[at].now = self.limit(at);
            return;
        }
        let name = self.purses[at].axis.as_str();
        let var = self.program.declare(Variable::rolled(name, self.span));
        let none = Expr::constant(0, self.span);
        out.push(Statement::Choose {
            party: Party::Player,
            var,
            options: Options::Range(none, self.limit(at)),
            condition: None,
            goal: self.goal,
            span: self.span,
        });
        let chosen = self.var(var);
        if self.purses[at].spent.is_none() {
            self.spend(at, &chosen, out);
        }
        self.purses[at].now = chosen;
    }

    /// Behind the number that is spent: the check that spent it goes on with the axis as it was, the `rest` of the round may spend
    /// again.
    fn settle(&mut self, at: usize, spent: VarId, rest: &[Statement], out: &mut Vec<Statement>) {
        let axis = self.purses[at].purse.outlay.axis;
        let (own, others): (Vec<&Statement>, Vec<&Statement>) = rest
            .iter()
            .partition(|statement| play_of(statement, &self.program) == self.playing);
        let mut now = self.purses[at].now.clone();
        let read_in = |statements: &[&Statement]| {
            let mut found = false;
            for statement in statements {
                statement.for_each_part(&mut |part| found |= reads(part, axis));
            }
            found
        };
        if read_in(&own) && !matches!(now.kind, Kind::Var(_)) {
            let name = self.purses[at].axis.as_str();
            let (kept, bound) = self.program.bind(name, now);
            out.push(bound);
            now = self.var(kept);
        }
        self.purses[at].before = Some((self.playing, now));
        let spent = self.var(spent);
        self.spend(at, &spent, out);
        match read_in(&others) {
            true => self.open(at, out),
            false => self.purses[at].now = self.limit(at),
        }
    }

    /// The most that may be spent now.
    fn limit(&self, at: usize) -> Expr {
        let open = &self.purses[at];
        let cap = Expr::constant(open.cap, self.span);
        self.binary(BinaryOp::Min, cap, self.var(open.left))
    }

    /// Takes what is spent out of a purse, in which what comes back is no more than it began with.
    fn spend(&self, at: usize, spent: &Expr, out: &mut Vec<Statement>) {
        let open = &self.purses[at];
        let left = self.var(open.left);
        let none = Expr::constant(0, self.span);
        if open.spent.is_some() {
            let over = BinaryOp::Compare(CompareOp::Greater);
            let over = self.binary(over, spent.clone(), left.clone());
            let over = self.binary(BinaryOp::Or, self.var(self.overdrawn), over);
            out.push(Statement::Set {
                var: self.overdrawn,
                value: over,
            });
        }
        let rest = self.binary(BinaryOp::Subtract, left, spent.clone());
        let rest = match open.spent {
            // No more is set than there is.
            None => rest,
            Some(_) => {
                let most = Expr::input(open.purse.points, self.span);
                let rest = self.binary(BinaryOp::Min, rest, most);
                self.binary(BinaryOp::Max, rest, none)
            }
        };
        out.push(Statement::Set {
            var: open.left,
            value: rest,
        });
    }

    /// A statement of a round that reads what is left in place of the axes, and chooses for the goal of the track.
    fn statement(&mut self, statement: &Statement) -> Result<Statement, PurseError> {
        if let Statement::Repeat { body, .. } = statement {
            self.refuse_inside(body)?;
        }
        let mut failed = Ok(());
        statement.for_each_part(&mut |part| {
            part.any(&mut |part| {
                if let (Kind::Block { statements, .. }, true) = (&part.kind, failed.is_ok()) {
                    failed = self.refuse_inside(statements);
                }
                false
            });
        });
        failed?;
        Ok(self.reworked(statement))
    }

    /// A statement with what the axes are now; what is bound to that is no longer the same for every roll.
    fn reworked(&mut self, statement: &Statement) -> Statement {
        match statement {
            Statement::Repeat {
                count,
                until,
                body,
                played,
                span,
            } => Statement::Repeat {
                count: count.as_ref().map(|count| self.expr(count)),
                until: until.as_ref().map(|until| self.expr(until)),
                body: body.iter().map(|own| self.reworked(own)).collect(),
                played: played.clone(),
                span: *span,
            },
            other => {
                let mut own = other.map_parts(&mut |part| self.expr(part));
                match &mut own {
                    Statement::Let { var, value } => {
                        self.program.variables[var.0].fixed &= value.fixed;
                    }
                    Statement::Choose { goal, .. } => *goal = self.goal,
                    Statement::Set { .. } | Statement::Repeat { .. } => {}
                }
                own
            }
        }
    }

    fn expr(&mut self, expr: &Expr) -> Expr {
        match &expr.kind {
            Kind::Input(input) => {
                let open = self.purses.iter_mut();
                match { open }.find(|open| open.purse.outlay.axis == *input) {
                    Some(open) => {
                        open.is_read = true;
                        let before = open.before.as_ref();
                        let before = before.filter(|(play, _)| *play == self.playing);
                        let value = before.map_or(&open.now, |(_, value)| value);
                        value.clone().at(expr.span)
                    }
                    None => expr.clone(),
                }
            }
            Kind::Var(var) => self.program.var(*var, expr.span),
            Kind::Block { statements, value } => {
                let statements = statements.iter().map(|own| self.reworked(own)).collect();
                let value = Box::new(self.expr(value));
                Expr::new(Kind::Block { statements, value }, expr.span)
            }
            _ => expr.map_parts(&mut |part| self.expr(part)),
        }
    }

    /// Refuses what is spent or chosen in statements that a round carries out in a part of it.
    fn refuse_inside(&self, statements: &[Statement]) -> Result<(), PurseError> {
        for statement in statements {
            match statement {
                Statement::Choose { .. } => return Err(PurseError::Choice),
                Statement::Repeat { body, .. } => self.refuse_inside(body)?,
                Statement::Let { var, .. } => {
                    let name = &self.program.variables[var.0].name;
                    if self
                        .purses
                        .iter()
                        .any(|open| open.spent.as_ref() == Some(name))
                    {
                        return Err(PurseError::Hidden {
                            spent: name.to_string(),
                        });
                    }
                }
                Statement::Set { .. } => {}
            }
        }
        Ok(())
    }

    /// Refuses an expression outside of the rounds that reads how much may be spent.
    fn refuse_outside(&self, expr: &Expr) -> Result<(), PurseError> {
        for open in &self.purses {
            let axis = open.purse.outlay.axis;
            if reads(expr, axis) {
                return Err(PurseError::Outside {
                    axis: open.axis.clone(),
                });
            }
        }
        Ok(())
    }

    fn var(&self, var: VarId) -> Expr {
        self.program.var(var, self.span)
    }

    fn binary(&self, op: BinaryOp, left: Expr, right: Expr) -> Expr {
        Expr::binary(op, left, right, self.span)
    }
}

/// The number of the check that a statement of a round is of.
fn play_of(statement: &Statement, program: &Program) -> usize {
    match statement {
        Statement::Let { var, .. } | Statement::Set { var, .. } | Statement::Choose { var, .. } => {
            program.variables[var.0].play
        }
        Statement::Repeat { body, .. } => body.first().map_or(0, |first| play_of(first, program)),
    }
}

/// Whether an expression reads an input.
fn reads(expr: &Expr, input: InputId) -> bool {
    expr.any(&mut |part| matches!(part.kind, Kind::Input(own) if own == input))
}

/// Whether what the player chooses decides some number of that name.
fn is_chosen(body: &[Statement], name: &str, program: &Program) -> bool {
    let mut decided = Vec::new();
    loop {
        let known = decided.len();
        collect_decided(body, &mut decided);
        if decided.len() == known {
            break;
        }
    }
    let mut decided = decided.iter();
    decided.any(|var| program.variable(*var).name() == name)
}

/// Adds what the player chooses, and what is made of that.
fn collect_decided(statements: &[Statement], decided: &mut Vec<VarId>) {
    for statement in statements {
        let (var, is_decided) = match statement {
            Statement::Choose { party, var, .. } => (*var, *party == Party::Player),
            Statement::Let { var, value } | Statement::Set { var, value } => {
                let is_one = |part: &Expr| match &part.kind {
                    Kind::Var(read) => decided.contains(read),
                    _ => false,
                };
                (*var, value.any(&mut { is_one }))
            }
            Statement::Repeat { body, .. } => {
                collect_decided(body, decided);
                continue;
            }
        };
        if is_decided && !decided.contains(&var) {
            decided.push(var);
        }
    }
}

fn outcome(name: &str, kind: OutcomeKind, var: VarId, span: Span) -> Outcome {
    Outcome {
        name: name.to_owned(),
        kind,
        var,
        first_round: false,
        span,
    }
}
