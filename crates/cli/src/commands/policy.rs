//! `oddsmith policy`: what is best to choose.

use anyhow::Result;
use oddsmith_exact::{Budget, Decision, Error, decisions};
use oddsmith_rules::program::{
    Expr, InputId, Kind as ExprKind, Options, Reading, Statement, VarId,
};
use oddsmith_rules::{Check, Config, Domain, InputRange, Measure, Query, QueryKind, Role};

use crate::advice::Advice;
use crate::args::{PolicyArgs, Style};
use crate::format::outcomes::{self, Kind, Line};
use crate::format::policy::{Comparison, Policy, Row};
use crate::target::{Target, Wanted};
use crate::{answers, exit, settings, terminal};

/// Values of a numeric axis that are compared at the most.
const MOST_ROWS: usize = 60;

/// Answers and prints.
pub(crate) fn run(args: &PolicyArgs) -> Result<u8> {
    let style = args.shown.style()?;
    let target = Target::resolve(&args.target, Wanted::Check)?;
    if !chooses(&target.check) {
        return Err(nothing_to_choose(&target));
    }
    let check = settings::with_goal(target.check.clone(), args.maximise.as_deref())?;
    let question = Question {
        config: settings::config(&check, &args.asked.sets, "--set")?,
        asked: settings::queries(&check, &args.asked.queries)?,
        budget: Budget::new(args.cost.budget),
        check: &check,
    };
    let policy = question.policy(&target, args.by.as_deref())?;
    match style {
        Style::View(form) => terminal::print(&policy.document(form).terminal())?,
        Style::Csv => terminal::print_data(&policy.csv()?)?,
        Style::Json => terminal::print_json(&policy.json(target.ruleset()))?,
        Style::Document(markup, form) => {
            terminal::print_data(policy.document(form).markup(markup).as_bytes())?;
        }
    }
    Ok(exit::OK)
}

fn chooses(check: &Check) -> bool {
    check.own_goal().is_some() && !choices(check).is_empty()
}

/// What a check's own choices are out of, as written.
fn choices(check: &Check) -> Vec<&str> {
    choices_in(check, &check.program.statements)
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

fn nothing_to_choose(target: &Target) -> anyhow::Error {
    let name = &target.check.name;
    let others = target.model().checks.iter().filter(|check| chooses(check));
    let others: Vec<String> = others
        .map(|check| format!("`{}:{}`", target.ruleset(), check.name))
        .collect();
    let help = if others.is_empty() {
        "a policy needs `choose x in …` in the rules of a check, and `maximise` to say for what"
            .to_owned()
    } else {
        format!("{} does: `choose x in …` in its rules", others.join(" or "))
    };
    Advice::error(format!("`{name}` leaves no choice to the player"), help)
}

/// A check in a configuration, and what is asked beside its policy.
struct Question<'c> {
    check: &'c Check,
    config: Config,
    asked: Vec<Query>,
    budget: Budget,
}

/// A value of an axis, and the choices in its configuration.
struct Candidate {
    value: i64,
    config: Config,
    decisions: Vec<Decision>,
}

impl Question<'_> {
    fn policy(&self, target: &Target, by: Option<&str>) -> Result<Policy> {
        let here = self.decisions(&self.config)?.unwrap_or_default();
        let found = match by {
            Some(by) => Some(self.by(by)?),
            None => self.find_axis()?,
        };
        let (mut config, mut decisions, mut common) =
            (self.config.clone(), here, self.config.clone());
        let comparison = match found {
            None => self.alone()?,
            Some((axis, mut candidates)) => {
                let optimal = only_one_that_chooses(&candidates);
                let comparison = self.compare(axis, &candidates, optimal)?;
                if let Some(at) = optimal {
                    Candidate {
                        config,
                        decisions,
                        ..
                    } = candidates.swap_remove(at);
                    common.put(axis, self.check.inputs[axis.0].default);
                }
                comparison
            }
        };
        if decisions.is_empty() {
            return Err(self.no_choice_here());
        }
        let goal = self.goal()?;
        Ok(Policy {
            title: target.title(),
            check: self.check.name.clone(),
            settings: self.check.describe(&common),
            configuration: outcomes::configuration(self.check, &config),
            goal: self.measure().text.clone(),
            is_chance: goal.0.is_probability(),
            comparison,
            decisions,
        })
    }

    /// The choices in a configuration that leave something to choose; none if it breaks a requirement.
    fn decisions(&self, config: &Config) -> Result<Option<Vec<Decision>>, Error> {
        match decisions(self.check, config, &self.budget) {
            Ok(mut decisions) => {
                decisions.retain(|decision| decision.rows.iter().any(|row| row.lead.is_some()));
                Ok(Some(decisions))
            }
            Err(Error::Requirement { .. }) if *config != self.config => Ok(None),
            Err(error) => Err(error),
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
    fn find_axis(&self) -> Result<Option<(InputId, Vec<Candidate>)>> {
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
    fn by(&self, by: &str) -> Result<(InputId, Vec<Candidate>)> {
        let sweep = if by.contains('=') {
            by.to_owned()
        } else {
            format!("{by}=all")
        };
        let range = self.check.sweep(&sweep, "--by");
        let range = range.map_err(|error| oddsmith_rules::Diagnostics(vec![error]))?;
        if range.values.len() > MOST_ROWS {
            let count = range.values.len();
            let name = &self.check.inputs[range.input.0].name;
            let message = format!("`{name}` has {count} values, too many to compare side by side");
            return Err(Advice::error(
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
    ) -> Result<Comparison> {
        let domain = &self.check.inputs[axis.0].domain;
        let others = (0..candidates.len()).filter(|at| Some(*at) != optimal);
        let mut rows = Vec::new();
        for at in others.chain(optimal) {
            let candidate = &candidates[at];
            rows.push(Row {
                name: domain.show(candidate.value),
                lines: self.lines(&candidate.config)?,
                is_optimal: !candidate.decisions.is_empty(),
            });
        }
        let axis = self.check.inputs[axis.0].name.clone();
        Ok(Comparison { axis, rows })
    }

    /// Where there is nothing to compare with.
    fn alone(&self) -> Result<Comparison> {
        let row = Row {
            name: "best".to_owned(),
            lines: self.lines(&self.config)?,
            is_optimal: true,
        };
        Ok(Comparison {
            axis: "choice".to_owned(),
            rows: vec![row],
        })
    }

    /// What is maximised, the bands, what was asked.
    fn lines(&self, config: &Config) -> Result<Vec<Line>> {
        let mut queries = vec![self.goal()?];
        let own = answers::own(self.check).into_iter();
        queries.extend(own.filter(|(kind, _)| *kind == Kind::Band));
        for asked in answers::asked(self.asked.clone()) {
            if queries[1..]
                .iter()
                .all(|(_, known)| known.text != asked.1.text)
            {
                queries.push(asked);
            }
        }
        Ok(answers::answered(
            self.check,
            config,
            queries,
            &self.budget,
        )?)
    }

    fn measure(&self) -> &Measure {
        let goal = self.check.goal.as_ref();
        goal.expect("a check that chooses has a goal")
    }

    /// The mean of what is maximised, which of an event is its probability.
    fn goal(&self) -> Result<(Kind, Query)> {
        let measure = self.measure();
        let chance = format!("P({})", measure.text);
        if let Ok(query) = self.check.query(&chance, "maximise") {
            return Ok((Kind::Probability, query));
        }
        let mean = Query {
            text: format!("mean({})", measure.text),
            kind: QueryKind::Mean(measure.value.clone()),
            given: None,
        };
        Ok((Kind::Mean, mean))
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
            let found = decisions(&check, &self.config, &self.budget).unwrap_or_default();
            let mut rows = found.iter().flat_map(|decision| &decision.rows);
            rows.any(|row| row.lead.is_some())
        };
        let own = self.check.own_goal();
        self.check
            .program
            .statements
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

    fn no_choice_here(&self) -> anyhow::Error {
        let config = self.check.describe(&self.config);
        let goal = &self.measure().text;
        if self.is_indifferent() {
            let message = format!(
                "with {config} `{}` leaves a choice, but {goal} does not depend on it: all options are equally good, and the first is taken",
                self.check.name
            );
            let help = "`--set` what makes it matter, or `--maximise` something that depends on it";
            return Advice::error(message, help);
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
        Advice::error(message, help)
    }
}

/// The place of the candidate with choices, if it is the only one.
fn only_one_that_chooses(candidates: &[Candidate]) -> Option<usize> {
    let mut places = (0..candidates.len()).filter(|&at| !candidates[at].decisions.is_empty());
    match (places.next(), places.next()) {
        (Some(at), None) if candidates.len() > 1 => Some(at),
        _ => None,
    }
}
