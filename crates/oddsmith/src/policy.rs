//! Policies: what is best to choose, and how other ways to choose compare with it.

use oddsmith_exact::{Budget, Decision, Error as ExactError, RBig, Rounds, decisions};
use oddsmith_rules::program::{
    Expr, InputId, Kind as ExprKind, Options, Reading, Statement, VarId,
};
use oddsmith_rules::{
    Check, Config, Diagnostics, Domain, InputRange, Measure, Query, QueryKind, Role,
};

use crate::answer::{AnswerKind, NamedAnswer};
use crate::{Error, Game, Limits, PolicyRequest, Wanted, questions, settings};

/// Values of a numeric axis that are compared at the most.
const MOST_ROWS: usize = 60;

/// The best choices of a check, and how other ways to choose compare with them.
#[derive(Clone, Debug)]
pub struct PolicyAnswer {
    /// The check.
    pub check: Check,
    /// The configuration that all ways to choose have in common: the axis of the ways stands at its default.
    pub common: Config,
    /// The configuration in which the best choices are made.
    pub config: Config,
    /// What is maximised, as written.
    pub goal: String,
    /// Whether that is an event, so that its mean is its probability.
    pub is_chance: bool,
    /// The axis along which ways to choose are compared; `choice` if there is none.
    pub by: String,
    /// The ways to choose.
    pub rows: Vec<PolicyRow>,
    /// The choices that leave something to choose.
    pub decisions: Vec<Decision>,
}

/// One way to choose.
#[derive(Clone, Debug)]
pub struct PolicyRow {
    /// The value of the axis.
    pub name: String,
    /// The mean of what is maximised, then bands and what was asked.
    pub lines: Vec<NamedAnswer>,
    /// Whether this one makes the best choices.
    pub is_optimal: bool,
}

impl Game {
    /// The best choices of a check or a track, and how other ways to choose compare with them. Those of a track are the same in
    /// every round.
    ///
    /// # Errors
    /// If there is no such check or track, it leaves nothing to choose, a setting or query does not fit it, or the answer is over
    /// the limits.
    ///
    /// ```
    /// use oddsmith::{Game, Limits, PolicyRequest};
    /// let text = br#"
    /// name = "Again"
    /// [checks.gamble]
    /// maximise = "total"
    /// rules = """
    /// let first = 1d6
    /// choose again in 0..=1
    /// show total = if again == 1 then 1d6 else first
    /// """
    /// "#;
    /// let game = Game::parse("again.toml", text)?;
    /// let policy = game.policy(&PolicyRequest::default(), &Limits::default())?;
    /// assert_eq!(policy.rows[0].lines[0].decimal(), 4.25); // 1 to 3 are rolled again
    /// # Ok::<(), oddsmith::Error>(())
    /// ```
    pub fn policy(&self, request: &PolicyRequest, limits: &Limits) -> Result<PolicyAnswer, Error> {
        let check = self.find(request.check.as_deref(), Wanted::Either)?;
        if !chooses(check) {
            return Err(self.nothing_to_choose(check));
        }
        let check = settings::with_goal(check.clone(), request.maximise.as_deref())?;
        let question = Question {
            config: request.settings.config(&check)?,
            asked: settings::queries(&check, &request.queries)?,
            limits,
            check: &check,
        };
        limits.run(|| question.policy(request.by.as_deref()))
    }

    fn nothing_to_choose(&self, check: &Check) -> Error {
        let all = self.model().checks.iter().chain(&self.model().tracks);
        let others = all.filter(|check| chooses(check));
        let others: Vec<String> = others
            .map(|check| format!("`{}:{}`", self.name(), check.name))
            .collect();
        let help = if others.is_empty() {
            "a policy needs `choose x in …` in the rules of a check, and `maximise` to say for what"
                .to_owned()
        } else {
            format!("{} does: `choose x in …` in its rules", others.join(" or "))
        };
        let name = &check.name;
        Error::advice(format!("`{name}` leaves no choice to the player"), help)
    }
}

fn chooses(check: &Check) -> bool {
    check.own_goal().is_some() && !choices(check).is_empty()
}

/// What a check's own choices are out of, as written.
fn choices(check: &Check) -> Vec<&str> {
    choices_in(check, check.program().statements())
}

/// Those among some statements.
fn choices_in<'c>(check: &'c Check, statements: &[Statement]) -> Vec<&'c str> {
    let mut found = Vec::new();
    for statement in statements {
        match statement {
            Statement::Choose { goal, span, .. } if Some(*goal) == check.own_goal() => {
                found.extend(check.source.text.get(span.start..span.end));
            }
            Statement::Repeat { body, .. } => found.extend(choices_in(check, body)),
            _ => {}
        }
    }
    found
}

/// A check in a configuration, and what is asked beside its policy.
struct Question<'c> {
    check: &'c Check,
    config: Config,
    asked: Vec<Query>,
    limits: &'c Limits,
}

/// A value of an axis, and the choices in its configuration.
struct Candidate {
    value: i64,
    config: Config,
    decisions: Vec<Decision>,
}

impl Question<'_> {
    fn policy(&self, by: Option<&str>) -> Result<PolicyAnswer, Error> {
        let here = self.decisions(&self.config)?.unwrap_or_default();
        let found = match by {
            Some(by) => Some(self.by(by)?),
            None => self.find_axis()?,
        };
        let (mut config, mut decisions, mut common) =
            (self.config.clone(), here, self.config.clone());
        let (by, rows) = match found {
            None => self.alone()?,
            Some((axis, mut candidates)) => {
                let optimal = only_one_that_chooses(&candidates);
                let compared = self.compare(axis, &candidates, optimal)?;
                if let Some(at) = optimal {
                    Candidate {
                        config,
                        decisions,
                        ..
                    } = candidates.swap_remove(at);
                    common.put(axis, self.check.inputs[axis.0].default);
                }
                compared
            }
        };
        if decisions.is_empty() {
            return Err(self.no_choice_here());
        }
        let goal = goal_of(self.check);
        Ok(PolicyAnswer {
            check: self.check.clone(),
            common,
            config,
            goal: self.measure().text.clone(),
            is_chance: goal.0.is_probability(),
            by,
            rows,
            decisions,
        })
    }

    /// The choices in a configuration that leave something to choose; none if it breaks a requirement.
    fn decisions(&self, config: &Config) -> Result<Option<Vec<Decision>>, Error> {
        match open_decisions(self.check, config, &self.limits.budget()) {
            Ok(decisions) => Ok(Some(decisions)),
            Err(ExactError::Requirement { .. }) if *config != self.config => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn candidates(&self, range: &InputRange) -> Result<Vec<Candidate>, Error> {
        let mut candidates = Vec::new();
        for &value in &range.values {
            let mut config = self.config.clone();
            config.put(range.input, value);
            if let Some(decisions) = self.decisions(&config)? {
                candidates.push(Candidate {
                    value,
                    config,
                    decisions,
                });
            }
        }
        Ok(candidates)
    }

    /// The axis of which one label leaves the choice to the player.
    fn find_axis(&self) -> Result<Option<(InputId, Vec<Candidate>)>, Error> {
        for (at, input) in self.check.inputs.iter().enumerate() {
            let Domain::Choice(choice) = &input.domain else {
                continue;
            };
            if input.role != Role::Axis || choice.labels().len() < 2 {
                continue;
            }
            let (low, high) = input.domain.bounds();
            let range = InputRange::new(InputId(at), (low..=high).collect());
            let candidates = self.candidates(&range)?;
            if only_one_that_chooses(&candidates).is_some() {
                return Ok(Some((range.input, candidates)));
            }
        }
        Ok(None)
    }

    /// `AXIS` or `AXIS=VALUES`, as the user wants to compare.
    fn by(&self, by: &str) -> Result<(InputId, Vec<Candidate>), Error> {
        let sweep = if by.contains('=') {
            by.to_owned()
        } else {
            format!("{by}=all")
        };
        let range = self.check.sweep(&sweep, "--by");
        let range = range.map_err(|error| Diagnostics(vec![error]))?;
        if range.values.len() > MOST_ROWS {
            let count = range.values.len();
            let name = &self.check.inputs[range.input.0].name;
            let message = format!("`{name}` has {count} values, too many to compare side by side");
            return Err(Error::advice(
                message,
                format!("say which: `--by {name}=0,2,5`"),
            ));
        }
        Ok((range.input, self.candidates(&range)?))
    }

    /// A row for each value, the one with the choice last.
    fn compare(
        &self,
        axis: InputId,
        candidates: &[Candidate],
        optimal: Option<usize>,
    ) -> Result<(String, Vec<PolicyRow>), Error> {
        let domain = &self.check.inputs[axis.0].domain;
        let others = (0..candidates.len()).filter(|at| Some(*at) != optimal);
        let mut rows = Vec::new();
        for at in others.chain(optimal) {
            let candidate = &candidates[at];
            rows.push(PolicyRow {
                name: domain.show(candidate.value),
                lines: self.lines(&candidate.config)?,
                is_optimal: !candidate.decisions.is_empty(),
            });
        }
        let axis = self.check.inputs[axis.0].name.clone();
        Ok((axis, rows))
    }

    /// Where there is nothing to compare with.
    fn alone(&self) -> Result<(String, Vec<PolicyRow>), Error> {
        let row = PolicyRow {
            name: "best".to_owned(),
            lines: self.lines(&self.config)?,
            is_optimal: true,
        };
        Ok(("choice".to_owned(), vec![row]))
    }

    /// What is maximised, the bands, what was asked.
    fn lines(&self, config: &Config) -> Result<Vec<NamedAnswer>, Error> {
        let mut queries = vec![goal_of(self.check)];
        let own = questions::own(self.check).into_iter();
        queries.extend(own.filter(|(kind, _)| *kind == AnswerKind::Band));
        for asked in questions::asked(self.asked.clone()) {
            if queries[1..]
                .iter()
                .all(|(_, known)| known.text != asked.1.text)
            {
                queries.push(asked);
            }
        }
        Ok(questions::answered(
            self.check,
            config,
            queries,
            &self.limits.budget(),
        )?)
    }

    fn measure(&self) -> &Measure {
        let goal = self.check.goal.as_ref();
        goal.expect("a check that chooses has a goal")
    }

    /// Whether a choice has more than one option, which then all are worth the same; of one in a loop that is not looked
    /// at, and taken to be so.
    fn is_indifferent(&self) -> bool {
        let is_free = |(var, options): (VarId, &Options)| {
            let span = self.measure().value.span;
            let chosen = Expr::new(ExprKind::Var(var), span);
            let value = match options {
                Options::Range(..) => chosen,
                Options::Subsets(_) => chosen.read(Reading::Size, span),
            };
            let goal = Measure {
                value,
                ..self.measure().clone()
            };
            let check = self.check.clone().striving_for(goal);
            let found = decisions(&check, &self.config, &self.limits.budget()).unwrap_or_default();
            let mut rows = found.iter().flat_map(|decision| &decision.rows);
            rows.any(|row| row.lead.is_some())
        };
        let own = self.check.own_goal();
        self.check
            .program()
            .statements()
            .iter()
            .any(|statement| match statement {
                Statement::Choose {
                    var, options, goal, ..
                } => Some(*goal) == own && is_free((*var, options)),
                Statement::Repeat { .. } => {
                    !choices_in(self.check, std::slice::from_ref(statement)).is_empty()
                }
                _ => false,
            })
    }

    /// Whether it goes on for ever however it is played by those who play as well as they can.
    fn is_endless(&self) -> bool {
        self.check.rounds.is_some()
            && Rounds::new(self.check, &self.config, &self.limits.budget())
                .is_ok_and(|rounds| *rounds.never() == RBig::ONE)
    }

    fn no_choice_here(&self) -> Error {
        let config = self.check.describe(&self.config);
        let goal = &self.measure().text;
        if self.is_endless() {
            let name = &self.check.name;
            let message = format!(
                "with {config} `{name}` never ends if all play as well as they can, and a policy is about states from which it may end"
            );
            let help = "give it an end in the rules, such as `until … or rolls == 20`";
            return Error::advice(message, help);
        }
        if self.is_indifferent() {
            let message = format!(
                "with {config} `{}` leaves a choice, but {goal} does not depend on it: all options are equally good, and the first is taken",
                self.check.name
            );
            let help = "`--set` what makes it matter, or `--maximise` something that depends on it";
            return Error::advice(message, help);
        }
        let message = format!(
            "with {config} `{}` leaves nothing to choose",
            self.check.name
        );
        let choices: Vec<String> = choices(self.check)
            .iter()
            .map(|choice| {
                format!(
                    "`{}`",
                    choice.split_whitespace().collect::<Vec<_>>().join(" ")
                )
            })
            .collect();
        let help = format!(
            "the rules say {}: `--set` what makes that more than one option",
            choices.join(" and ")
        );
        Error::advice(message, help)
    }
}

/// The mean of what a check that chooses maximises, which of an event is its probability.
pub(crate) fn goal_of(check: &Check) -> (AnswerKind, Query) {
    let measure = check.goal.as_ref();
    let measure = measure.expect("a check that chooses has a goal");
    let chance = check.query(&format!("P({})", measure.text), "maximise");
    // A band's label may be several words.
    let chance = chance.or_else(|_| check.query(&measure.text, "maximise"));
    if let Ok(query) = chance
        && matches!(query.kind, QueryKind::Probability(_))
    {
        return (AnswerKind::Probability, query);
    }
    let mean = Query::new(
        format!("mean({})", measure.text),
        QueryKind::Mean(measure.value.clone()),
    );
    (AnswerKind::Mean, mean)
}

/// The choices in a configuration that leave something to choose; those of a track in the states in which they do.
pub(crate) fn open_decisions(
    check: &Check,
    config: &Config,
    budget: &Budget,
) -> Result<Vec<Decision>, ExactError> {
    let mut decisions = decisions(check, config, budget)?;
    decisions.retain(|decision| decision.rows.iter().any(|row| row.lead.is_some()));
    if check.rounds.is_some() {
        decisions.iter_mut().for_each(keep_open);
    }
    Ok(decisions)
}

/// The place of the candidate with choices, if it is the only one.
fn only_one_that_chooses(candidates: &[Candidate]) -> Option<usize> {
    let mut places = (0..candidates.len()).filter(|&at| !candidates[at].decisions.is_empty());
    match (places.next(), places.next()) {
        (Some(at), None) if candidates.len() > 1 => Some(at),
        _ => None,
    }
}

/// Leaves out the states of a track in which there is one option, such as those in which it is the other side's turn, and what
/// is the same in all others, such as whose turn it is.
fn keep_open(decision: &mut Decision) {
    decision.rows.retain(|row| row.lead.is_some());
    let is_same = |at: usize| {
        let mut rows = decision.rows.iter();
        rows.all(|row| row.seen[at] == decision.rows[0].seen[at])
    };
    for at in (0..decision.seen.len())
        .rev()
        .filter(|at| is_same(*at))
        .collect::<Vec<_>>()
    {
        decision.seen.remove(at);
        decision
            .rows
            .iter_mut()
            .for_each(|row| drop(row.seen.remove(at)));
    }
    let rows = decision.rows.iter();
    let all = rows.fold(RBig::ZERO, |sum, row| sum + &row.probability);
    if all > RBig::ZERO {
        for row in &mut decision.rows {
            row.probability = &row.probability / &all;
        }
    }
}
