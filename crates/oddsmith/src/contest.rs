//! Contests: two sides against each other.

use oddsmith_exact::{Answer, Error as ExactError, IBig};
use oddsmith_rules::program::{Expr, InputId};
use oddsmith_rules::{Check, Config, ContestError, Measure, OutcomeKind, Query, QueryKind, Ties};

use crate::answer::{AnswerKind, NamedAnswer};
use crate::{ContestRequest, Error, Game, Limits, Settings, Wanted, questions, settings};

/// Two checks as one contest, in a configuration.
#[derive(Clone, Debug)]
pub struct Contest {
    sides: [Check; 2],
    /// What a tie means.
    pub ties: Ties,
    /// Both sides as one check, whose inputs are `a.NAME` and `b.NAME`.
    pub check: Check,
    /// The configuration of both.
    pub config: Config,
    /// What was set for that, as `a.NAME=VALUE` and `b.NAME=VALUE`.
    pub settings: Settings,
    asked: Vec<Query>,
}

/// The answers about a contest.
#[derive(Clone, Debug)]
pub struct ContestAnswer {
    /// `A`, `tie`, `B`: of one roll each.
    pub bands: Vec<NamedAnswer>,
    /// `A|decided` and `B|decided`; none if it is always a tie.
    pub decided: Vec<NamedAnswer>,
    /// Mean and variance of the rounds.
    pub rounds: Vec<NamedAnswer>,
    /// `decided`, `a_wins` and `b_wins`.
    pub flags: Vec<NamedAnswer>,
    /// What was asked.
    pub asked: Vec<NamedAnswer>,
}

/// What a side compares, over all its rolls.
#[derive(Clone, Debug)]
pub struct ComparedSide {
    /// `A` or `B`.
    pub name: &'static str,
    /// As written.
    pub compares: String,
    /// What people read of it, if it is a name and no expression.
    pub title: Option<String>,
    /// If these are labels, in their order.
    pub labels: Option<Vec<String>>,
    /// Mean and variance, or the odds of each label.
    pub answers: Vec<Answer>,
}

impl Game {
    /// A check against itself, or against another one, each in its own configuration.
    ///
    /// # Errors
    /// If there is no such check, the two can't be compared, or a setting or query does not fit them.
    ///
    /// ```
    /// use oddsmith::{ContestRequest, Game, Limits};
    /// let game = Game::open("stars-and-signs")?;
    /// let mut request = ContestRequest::default();
    /// request.a.set("ability_rank", 8);
    /// request.b.set("ability_rank", 4);
    /// let answer = game.contest(&request)?.answer(&Limits::default())?;
    /// let [a, _tie, b] = &answer.bands[..] else { panic!("there are three") };
    /// assert!(a.decimal() > b.decimal());
    /// # Ok::<(), oddsmith::Error>(())
    /// ```
    pub fn contest(&self, request: &ContestRequest) -> Result<Contest, Error> {
        let sides = self.sides(request)?;
        let [a, b] = &sides;
        let ties = request
            .ties
            .as_deref()
            .map(ties)
            .transpose()?
            .unwrap_or(a.ties);
        let check = a.against(b, ties).map_err(|error| advice(&error, &sides))?;
        let mut settings = request.settings.clone();
        settings.extend(request.a.of_side("a")?);
        settings.extend(request.b.of_side("b")?);
        let config = settings.config(&check)?;
        let asked = settings::queries(&check, &request.queries)?;
        Ok(Contest {
            sides,
            ties,
            check,
            config,
            settings,
            asked,
        })
    }

    /// What each side does, and what it compares.
    fn sides(&self, request: &ContestRequest) -> Result<[Check; 2], Error> {
        let a = self.find(request.check.as_deref(), Wanted::Check)?;
        let b = match &request.against {
            None => a,
            against => self.find(against.as_deref(), Wanted::Check)?,
        };
        let side = |check: &Check| match &request.compare {
            None => Ok(check.clone()),
            Some(measure) => check.clone().with_contest(measure, "--compare"),
        };
        Ok([side(a)?, side(b)?])
    }
}

/// What a tie means, by its name.
fn ties(name: &str) -> Result<Ties, Error> {
    let found = Ties::ALL.iter().find(|(known, _)| *known == name);
    found.map(|(_, ties)| *ties).ok_or_else(|| {
        let names: Vec<&str> = Ties::ALL.iter().map(|(known, _)| *known).collect();
        Error::advice(
            format!("`{name}` does not say what a tie means"),
            format!("say one of {}", names.join(", ")),
        )
    })
}

impl Contest {
    /// The name of each side's check.
    pub fn names(&self) -> [&str; 2] {
        self.sides.each_ref().map(|side| side.name.as_str())
    }

    /// What people read in place of these names.
    pub fn titles(&self) -> [&str; 2] {
        self.sides.each_ref().map(Check::title)
    }

    /// What each side compares, as it is written.
    pub fn compared(&self) -> [&str; 2] {
        self.sides.each_ref().map(|side| {
            let measure = side.contest.as_ref();
            measure.map_or("", |measure| measure.text.as_str())
        })
    }

    /// The odds of the contest.
    ///
    /// # Errors
    /// If they are over the limits, or what was asked has no answer.
    pub fn answer(&self, limits: &Limits) -> Result<ContestAnswer, Error> {
        limits.run(|| {
            let budget = &limits.budget();
            let ask = |queries| questions::answered(&self.check, &self.config, queries, budget);
            let ask_texts = |texts: &[&str]| -> Result<Vec<NamedAnswer>, Error> {
                let queries = settings::queries(&self.check, texts)?;
                Ok(ask(questions::asked(queries).collect())?)
            };
            let own = ask(questions::own(&self.check))?;
            let (mut bands, flags): (Vec<_>, Vec<_>) = own
                .into_iter()
                .partition(|line| line.kind == AnswerKind::Band);
            // From best to worst for A.
            bands.reverse();
            let decided = flags.iter().find(|flag| flag.name == "decided");
            let decided = match decided {
                Some(flag) if flag.answer.weight != IBig::ZERO => {
                    ask_texts(&["A|decided", "B|decided"])?
                }
                _ => Vec::new(),
            };
            Ok(ContestAnswer {
                bands,
                decided,
                rounds: ask_texts(&["mean(rounds)", "variance(rounds)"])?,
                flags,
                asked: ask(questions::asked(self.asked.clone()).collect())?,
            })
        })
    }

    /// What each side compares, over all its rolls.
    ///
    /// # Errors
    /// If it is over the limits.
    pub fn compared_sides(&self, limits: &Limits) -> Result<[ComparedSide; 2], Error> {
        let [a, b] = &self.sides;
        limits.run(|| {
            Ok([
                self.compared_side("A", a, limits)?,
                self.compared_side("B", b, limits)?,
            ])
        })
    }

    fn compared_side(
        &self,
        name: &'static str,
        check: &Check,
        limits: &Limits,
    ) -> Result<ComparedSide, ExactError> {
        let config = self.config_of(name, check);
        let measure = check
            .contest
            .as_ref()
            .expect("a contest compares something");
        let answers = oddsmith_exact::answers(check, &config, &about(measure), &limits.budget())?;
        let mut shown = check.outcomes.iter();
        let is_name = shown.any(|outcome| outcome.name == measure.text);
        Ok(ComparedSide {
            name,
            compares: measure.text.clone(),
            title: is_name.then(|| check.title_of(&measure.text).to_owned()),
            labels: measure
                .labels
                .as_ref()
                .map(|choice| choice.labels().to_vec()),
            answers,
        })
    }

    /// A side's own configuration.
    fn config_of(&self, side: &str, check: &Check) -> Config {
        let side = side.to_lowercase();
        let mut config = check.defaults();
        for (at, input) in check.inputs.iter().enumerate() {
            let id = self.check.input(&format!("{side}.{}", input.name));
            let id = id.expect("a contest has the inputs of both sides");
            config.put(InputId(at), self.config[id]);
        }
        config
    }

    /// What is set for both sides alike, for A and for B, in words; only those for which something is.
    pub fn settings_in_words(&self) -> Vec<(&'static str, String)> {
        let mut words: [Vec<String>; 3] = std::array::from_fn(|_| Vec::new());
        let configs = [
            self.config_of("A", &self.sides[0]),
            self.config_of("B", &self.sides[1]),
        ];
        for side in 0..2 {
            let (check, other) = (&self.sides[side], &self.sides[1 - side]);
            for (input, value) in check.inputs.iter().zip(configs[side].values()) {
                if input.default == *value {
                    continue;
                }
                let word = input.told_with_title(*value);
                let same = other.input(&input.name);
                let is_same = same.is_some_and(|id| configs[1 - side][id] == *value);
                match (is_same, side) {
                    (true, 0) => words[0].push(word),
                    (true, _) => {}
                    (false, _) => words[1 + side].push(word),
                }
            }
        }
        let words = settings::in_turns(words.to_vec());
        let lines = ["both", "A", "B"].into_iter().zip(words);
        lines.filter(|(_, words)| !words.is_empty()).collect()
    }
}

impl ContestAnswer {
    /// Whether it is ever decided.
    pub fn is_ever_decided(&self) -> bool {
        !self.decided.is_empty()
    }

    /// All of them in the order of a file: what was asked comes last.
    pub fn outcomes(&self) -> Vec<NamedAnswer> {
        let mean = &self.rounds[..1];
        [&self.bands, &self.decided, mean, &self.flags, &self.asked]
            .into_iter()
            .flatten()
            .cloned()
            .collect()
    }
}

/// The mean and the variance of what is compared; of labels the odds of each.
fn about(measure: &Measure) -> Vec<Query> {
    let query = |kind| Query::new(measure.text.clone(), kind);
    match &measure.labels {
        None => vec![
            query(QueryKind::Mean(measure.value.clone())),
            query(QueryKind::Variance(measure.value.clone())),
        ],
        Some(choice) => (0..)
            .zip(choice.labels())
            .map(|(place, _)| query(QueryKind::Probability(is(measure, place))))
            .collect(),
    }
}

/// Whether what is compared is the label at a place.
fn is(measure: &Measure, place: i64) -> Expr {
    let span = measure.value.span;
    questions::equal(measure.value.clone(), Expr::constant(place, span))
}

/// What would make the two comparable.
fn advice(error: &ContestError, sides: &[Check; 2]) -> Error {
    let help = match error {
        ContestError::Nothing { check } => {
            let side = sides.iter().find(|side| side.name == *check);
            let shown = side.and_then(comparable).unwrap_or("total");
            let ranked = side.and_then(Check::band).filter(|_| shown != "band");
            let ranked = ranked.map_or("", |_| "; `band` is how well each does");
            format!(
                "say `contest = \"{shown}\"` in the ruleset, or `--compare {shown}` here{ranked}"
            )
        }
        _ => "`--compare` says what both sides compare".to_owned(),
    };
    Error::advice(error.to_string(), help)
}

/// What a check could compare: a number if it shows one.
fn comparable(check: &Check) -> Option<&str> {
    let mut outcomes = check.outcomes.iter();
    let number = outcomes.find(|outcome| outcome.kind == OutcomeKind::Observable);
    number
        .or(check.outcomes.first())
        .map(|outcome| outcome.name.as_str())
}

#[cfg(test)]
mod tests {
    use crate::Settings;

    #[test]
    fn every_part_gets_the_side() {
        let of = |texts: &[&str], side| Settings::parse("--a", texts).of_side(side);
        let sets = of(&["x=1, y=2", "z=3"], "a").expect("they are right");
        assert!(sets.texts().eq(["a.x=1", "a.y=2", "a.z=3"]));
        assert!(of(&["x=1,,y=2"], "b").is_err());
    }
}
