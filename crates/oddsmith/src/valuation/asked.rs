//! From what the user typed to levers, and to what is asked on either side of their steps.

use oddsmith_analysis::grading::Grading;
use oddsmith_analysis::levers::{Lever, is_read};
use oddsmith_rules::program::{Expr, InputId, Kind as ExprKind};
use oddsmith_rules::{Check, Config, Diagnostics, InputRange, Query, QueryKind, Role, nearest};

use crate::comparison::Head;
use crate::{AnswerKind, Error, Game, ValueRequest, Wanted, questions, settings};

/// Steps of a lever away from a single configuration, on either side.
const FAR: usize = 5;
/// Steps of a lever that is not swept, away from each configuration of a sweep.
const NEAR: usize = 1;

/// What is to be valued.
#[derive(Clone, Debug)]
pub(super) struct ValuedCheck {
    /// The check, which shows the number behind its bands.
    pub(super) check: Check,
    pub(super) config: Config,
    pub(super) ranges: Vec<InputRange>,
    /// Each band, then all else.
    pub(super) queries: Vec<Query>,
    /// What each query is.
    kinds: Vec<AnswerKind>,
    /// Worst first; none if the check has none of its own.
    pub(super) bands: Vec<String>,
    pub(super) grading: Option<Grading>,
    /// The axes, then the parameters.
    pub(super) levers: Vec<Lever>,
    /// Whether `--lever` names them.
    pub(super) are_named: bool,
    /// Of the columns, how many are at the end that are means of numbers which are shown beside the bands.
    pub(super) others: usize,
    /// Of the columns, that by which steps are compared.
    pub(super) yardstick: usize,
    /// Levers that are moved along values that were asked for.
    pub(super) along: Vec<InputId>,
}

impl ValuedCheck {
    /// Reads the rules and all options.
    pub(super) fn of(game: &Game, request: &ValueRequest) -> Result<Self, Error> {
        let own = game.find(request.check.as_deref(), Wanted::Either)?;
        let grading = Grading::of(own);
        let check = match &grading {
            Some(grading) => grading.show(own),
            None => own.clone(),
        };
        let config = request.settings.config(&check)?;
        let ranges = ranges(&check, request)?;
        let (kinds, queries, others) = queries(&check, grading.as_ref(), request)?;
        let bands = kinds
            .iter()
            .zip(&queries)
            .filter(|(kind, _)| **kind == AnswerKind::Band);
        let bands: Vec<String> = bands.map(|(_, query)| query.text.clone()).collect();
        let mut asked = Self {
            yardstick: yardstick(&bands, request.at.as_deref())?,
            check,
            config,
            ranges,
            queries,
            kinds,
            bands,
            others,
            grading,
            levers: Vec::new(),
            are_named: !request.levers.is_empty(),
            along: Vec::new(),
        };
        asked.levers = asked.levers(&request.levers)?;
        Ok(asked)
    }

    /// What changes: reaching each band but the worst, then every further query.
    pub(super) fn columns(&self) -> Vec<Head> {
        let heads = self
            .kinds
            .iter()
            .zip(&self.queries)
            .map(|(kind, query)| Head {
                kind: *kind,
                name: query.text.clone(),
            });
        heads.skip(usize::from(!self.bands.is_empty())).collect()
    }

    /// The column of the mean of the number behind the bands.
    pub(super) fn mean_column(&self) -> usize {
        self.bands.len().saturating_sub(1)
    }

    /// What is set and is no default, but for what is swept; of a sweep nothing if that is nothing.
    pub(super) fn settings(&self) -> String {
        if !self.ranges.is_empty() && self.config == self.check.defaults() {
            return String::new();
        }
        let mut config = self.config.clone();
        for range in &self.ranges {
            config.put(range.input, self.check.inputs[range.input.0].default);
        }
        self.check.tell(&config)
    }

    pub(super) fn is_swept(&self, input: InputId) -> bool {
        self.ranges.iter().any(|range| range.input == input)
    }

    /// Those that are wanted, or every input that the check looks at; axes come first.
    fn levers(&mut self, wanted: &[String]) -> Result<Vec<Lever>, Error> {
        if wanted.is_empty() {
            let inputs = (0..self.check.inputs.len()).map(InputId);
            let inputs = inputs.filter(|input| is_read(&self.check, *input));
            let is_axis = |input: &InputId| self.check.inputs[input.0].role == Role::Axis;
            let (axes, params): (Vec<InputId>, Vec<InputId>) = inputs.partition(is_axis);
            let inputs = axes.into_iter().chain(params);
            return Ok(inputs.filter_map(|input| self.lever(input)).collect());
        }
        let mut levers = Vec::new();
        for text in wanted {
            levers.extend(self.wanted(text)?);
        }
        Ok(levers)
    }

    /// What one `--lever` says: an input, or all elements of a list.
    fn wanted(&mut self, text: &str) -> Result<Vec<Lever>, Error> {
        let name = text.split('=').next().unwrap_or_default().trim();
        if text.contains('=') {
            return Ok(vec![self.along(name, text)?]);
        }
        let inputs = self.check.inputs.iter().enumerate();
        let is_it = |own: &str| {
            let rest = own.strip_prefix(name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
        };
        let named = inputs.filter(|(_, input)| is_it(&input.name));
        let named: Vec<InputId> = named.map(|(at, _)| InputId(at)).collect();
        if named.is_empty() {
            return Err(self.unknown(name));
        }
        let levers: Vec<Lever> = named
            .into_iter()
            .filter_map(|input| self.lever(input))
            .collect();
        if levers.is_empty() {
            let message = format!("`{name}` has a single value: there is nowhere to move it");
            return Err(Error::advice(message, ""));
        }
        Ok(levers)
    }

    /// A lever along the values that `text` gives it; along a single one, from what is set to there.
    fn along(&mut self, name: &str, text: &str) -> Result<Lever, Error> {
        let range = self.check.sweep(text, "--lever");
        let mut range = range.map_err(Diagnostics::from)?;
        if self.is_swept(range.input) {
            let message = format!("`{name}` is swept, so its steps are those of the sweep");
            let help = format!("write `--sweep '{}' --lever '{name}'`", text.trim());
            return Err(Error::advice(message, help));
        }
        if let [only] = range.values[..] {
            let set = self.config[range.input];
            if set == only {
                let message = format!("a lever needs two values, and `{name}` is at this one");
                let help = format!("give it another one, or write `--lever '{name}'`");
                return Err(Error::advice(message, help));
            }
            range.values.insert(0, set);
        }
        self.along.push(range.input);
        Ok(Lever::swept(&range))
    }

    fn unknown(&self, name: &str) -> Error {
        let names = || self.check.inputs.iter().map(|input| input.name.as_str());
        let help = match nearest(name, names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                let names: Vec<&str> = names().collect();
                format!("its axes and parameters are {}", names.join(", "))
            }
        };
        let message = format!("`{}` has no axis or parameter `{name}`", self.check.name);
        Error::advice(message, help)
    }

    /// The steps of a swept axis; or away from where the configuration is.
    fn lever(&self, input: InputId) -> Option<Lever> {
        if let Some(range) = self.ranges.iter().find(|range| range.input == input) {
            return (range.values.len() > 1).then(|| Lever::swept(range));
        }
        let reach = if self.ranges.is_empty() { FAR } else { NEAR };
        Lever::held(&self.check, input, &self.config, reach)
    }
}

/// What is swept: what is asked for; or where nothing is set what the ruleset sweeps.
fn ranges(check: &Check, request: &ValueRequest) -> Result<Vec<InputRange>, Error> {
    if request.sweeps.is_empty() && request.settings.is_empty() {
        return Ok(check.default_sweep());
    }
    let sets: Vec<String> = request.settings.texts().map(str::to_owned).collect();
    settings::ranges(check, &request.sweeps, &sets)
}

/// The bands, the mean of the number behind them, flags, and what was asked; then the means of all numbers that are shown:
/// so many of them are new.
fn queries(
    check: &Check,
    grading: Option<&Grading>,
    request: &ValueRequest,
) -> Result<(Vec<AnswerKind>, Vec<Query>, usize), Error> {
    let mut own = match check.rounds {
        Some(_) => questions::of_report(check)?,
        None => questions::own(check),
    };
    let bands = own
        .iter()
        .filter(|(kind, _)| *kind == AnswerKind::Band)
        .count();
    if let Some(grading) = grading {
        own.insert(bands, (AnswerKind::Mean, mean(grading)));
    }
    if bands == 0 && check.rounds.is_none() {
        own.extend(questions::asked(settings::means(check)?));
    }
    own.extend(questions::asked(settings::queries(
        check,
        &request.queries,
    )?));
    let mut known: Vec<String> = Vec::new();
    let mut is_new = |(_, query): &(AnswerKind, Query)| {
        let is_new = !known.contains(&query.text);
        known.push(query.text.clone());
        is_new
    };
    own.retain(&mut is_new);
    let mut others = 0;
    if bands > 0 && check.rounds.is_none() {
        let means = questions::asked(settings::means(check)?);
        let means: Vec<(AnswerKind, Query)> = means.filter(is_new).collect();
        others = means.len();
        own.extend(means);
    }
    if own.is_empty() {
        let message = format!("`{}` shows nothing whose change could be told", check.name);
        return Err(Error::advice(message, "ask something with `--query`"));
    }
    let (kinds, queries) = own.into_iter().unzip();
    Ok((kinds, queries, others))
}

/// The mean of the number behind the bands.
fn mean(grading: &Grading) -> Query {
    let number = &grading.number;
    Query::new(
        format!("mean({})", number.name),
        QueryKind::Mean(Expr::new(ExprKind::Var(number.var), number.span)),
    )
}

/// The place of the middle one of the bands above the worst; none if there is none.
pub(crate) fn middle_band(bands: usize) -> Option<usize> {
    (bands > 1).then_some((bands / 2).max(1))
}

/// The column of the band that is asked for, or of the middle one of those above the worst; without bands the first.
fn yardstick(bands: &[String], at: Option<&str>) -> Result<usize, Error> {
    let Some(at) = at else {
        return Ok(middle_band(bands.len()).map_or(0, |place| place - 1));
    };
    let better = bands.get(1..).unwrap_or_default();
    better.iter().position(|band| band == at).ok_or_else(|| {
        let help = match better {
            [] => "it has no bands".to_owned(),
            better => format!("it is one of {}", better.join(", ")),
        };
        Error::advice(format!("`--at {at}` is no band above the worst"), help)
    })
}

#[cfg(test)]
mod tests {
    use super::middle_band;

    #[test]
    fn the_middle_is_that_of_the_yardstick() {
        let places: Vec<Option<usize>> = (0..=6).map(middle_band).collect();
        assert_eq!(
            places,
            [None, None, Some(1), Some(1), Some(2), Some(2), Some(3)]
        );
    }
}
