//! Pictures: from what a ruleset or a user asks for to odds that can be drawn.

mod kept;
mod pmf;

use oddsmith_exact::{Answer, Gaps, RBig};
use oddsmith_report::{Axis, Bands, Figure, Grid, Heatmap, Lines, Plot, Unit, Values};
use oddsmith_rules::program::VarId;
use oddsmith_rules::{
    Along, Chart, ChartKind, ChartTexts, Check, Domain, Input, InputRange, Query, Role, in_turn,
    label_of, nearest,
};

pub(crate) use kept::{KeptAnswers, MOST};

use crate::questions::query_in_words;
use crate::{AnswerKind, ChartRequest, Error, Game, Limits, Wanted, questions, settings};

/// Outcomes of a picture at the most.
pub(crate) const MOST_OUTCOMES: usize = 1000;

/// A picture, computed: what draws it needs nothing else.
#[derive(Clone, Debug)]
pub struct ChartAnswer {
    /// The picture.
    pub figure: Figure,
    /// The configurations that it lacks, since they break a rule.
    pub gaps: Gaps,
}

impl Game {
    /// A chart of a check, with the numbers that it shows.
    ///
    /// # Errors
    /// If there is no such check, what is asked does not fit it, there is no number to draw, or the answer is over the
    /// limits.
    ///
    /// ```
    /// use oddsmith::{ChartRequest, Game, Limits};
    /// let game = Game::open("stars-and-signs")?;
    /// let x = Some("circ_boons=-2..=2".to_owned());
    /// let request = ChartRequest { x, ..ChartRequest::default() };
    /// let chart = game.chart(&request, &Limits::default())?;
    /// assert_eq!(chart.figure.title, "The bands by Boons on the 2d10");
    /// # Ok::<(), oddsmith::Error>(())
    /// ```
    pub fn chart(&self, request: &ChartRequest, limits: &Limits) -> Result<ChartAnswer, Error> {
        let check = self.find(request.check.as_deref(), Wanted::Either)?.clone();
        let check = settings::with_goal(check, request.maximise.as_deref())?;
        let chart = check.chart(&texts(request)?)?;
        limits.run(|| figure(self.title(), &check, &chart, limits))
    }
}

/// What is asked of the rules.
fn texts(request: &ChartRequest) -> Result<ChartTexts, Error> {
    Ok(ChartTexts {
        title: request.title.clone().unwrap_or_default(),
        kind: request.kind.as_deref().map(kind).transpose()?,
        x: request.x.clone(),
        by: request.by.clone(),
        facet: request.facet.clone(),
        queries: request.queries.clone(),
        sets: request.settings.texts().map(str::to_owned).collect(),
    })
}

/// The kind of that name.
fn kind(text: &str) -> Result<ChartKind, Error> {
    let mut known = ChartKind::ALL.into_iter();
    let found = known.find(|(name, _)| *name == text);
    found.map(|(_, kind)| kind).ok_or_else(|| {
        let names = ChartKind::ALL.map(|(name, _)| name);
        let help = match nearest(text, names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the kinds are {}", names.join(", ")),
        };
        Error::advice(format!("there is no kind of chart `{text}`"), help)
    })
}

/// Computes what a picture shows.
///
/// # Errors
/// If there is no number to draw, or the answer is over the limits.
pub(crate) fn figure(
    game: &str,
    check: &Check,
    chart: &Chart,
    limits: &Limits,
) -> Result<ChartAnswer, Error> {
    let chart = &in_order(check, chart);
    let asked = PictureOf {
        check,
        chart,
        limits,
    };
    let (plot, Missing { note, gaps }) = match (chart.kind, &chart.x) {
        (ChartKind::Bands, Along::Input(x)) => asked.bands(x)?,
        (ChartKind::Lines, Along::Input(x)) => asked.lines(x)?,
        (ChartKind::Heatmap, Along::Input(x)) => asked.heatmap(x)?,
        (_, Along::Number { .. }) => asked.pmf()?,
        (ChartKind::Dist, Along::Input(_)) => unreachable!("a distribution is along its outcomes"),
    };
    let mut subtitle = asked.subtitle(game);
    if !note.is_empty() {
        subtitle = format!("{subtitle}; {note}");
    }
    let figure = Figure {
        title: asked.title(),
        subtitle,
        plot,
    };
    Ok(ChartAnswer { figure, gaps })
}

/// What a picture does not show.
struct Missing {
    /// In words; nothing if it shows everything.
    note: String,
    /// Configurations that break a rule.
    gaps: Gaps,
}

impl Missing {
    fn of(answers: KeptAnswers) -> Result<Self, Error> {
        Ok(Self {
            note: answers.missing()?,
            gaps: answers.gaps,
        })
    }
}

/// Lines run along ascending numbers, in whatever order they were asked for.
fn in_order(check: &Check, chart: &Chart) -> Chart {
    let mut chart = chart.clone();
    if let (ChartKind::Lines, Along::Input(x)) = (chart.kind, &mut chart.x)
        && matches!(check.inputs[x.input.0].domain, Domain::Range(..))
    {
        x.values.sort_unstable();
    }
    chart
}

/// A picture of a check.
struct PictureOf<'a> {
    check: &'a Check,
    chart: &'a Chart,
    limits: &'a Limits,
}

impl PictureOf<'_> {
    /// What the designer calls it, or what it shows.
    fn title(&self) -> String {
        let Chart {
            title,
            kind,
            x,
            by,
            queries,
            ..
        } = self.chart;
        if !title.is_empty() {
            return title.clone();
        }
        let along = match x {
            Along::Input(range) => self.name(range),
            Along::Number { name, var } => {
                return format!("The distribution of {}", self.number(name, *var));
            }
        };
        let by = by
            .as_ref()
            .map(|range| format!(" and {}", self.name(range)));
        let by = by.unwrap_or_default();
        match kind {
            ChartKind::Bands => format!("The bands by {along}{by}"),
            _ => {
                let what = self.texts(queries).join(", ");
                let is_told = queries
                    .first()
                    .is_some_and(|query| !what.starts_with(&query.text));
                let what = if is_told { as_heading(&what) } else { what };
                format!("{what} by {along}{by}")
            }
        }
    }

    /// The game, the check, and the value of every axis that matters and does not vary.
    fn subtitle(&self, game: &str) -> String {
        let inputs = self.check.inputs.iter().zip(self.chart.config.values());
        let fixed = inputs.enumerate().filter(|(at, (input, value))| {
            let varies = self.chart.ranges().any(|range| range.input.0 == *at);
            !varies && is_telling(input, **value)
        });
        let words: Vec<String> = fixed
            .map(|(_, (input, &value))| input.told_with_title(value))
            .collect();
        let what = format!("{game} · {}", self.check.title());
        if words.is_empty() {
            return what;
        }
        format!("{what}: {}", in_turn(&words))
    }

    /// What people call a number: that of a track's rounds is what it counts.
    fn number(&self, name: &str, var: VarId) -> String {
        match self.check.rounds == Some(var) {
            true => questions::round_name(self.check).many,
            false => self.check.title_of(name).to_owned(),
        }
    }

    fn name(&self, range: &InputRange) -> String {
        self.check.inputs[range.input.0].title().to_owned()
    }

    fn axis(&self, range: &InputRange) -> Axis {
        let input = &self.check.inputs[range.input.0];
        Axis {
            name: input.title().to_owned(),
            values: values(input, range),
        }
    }

    /// `ability_rank = 4` for each value; a single empty heading without a range.
    fn headings(&self, range: Option<&InputRange>) -> Vec<String> {
        let Some(range) = range else {
            return vec![String::new()];
        };
        let input = &self.check.inputs[range.input.0];
        let heading = |&value: &i64| format!("{} = {}", input.title(), input.told(value));
        range.values.iter().map(heading).collect()
    }

    fn cells(&self, queries: &[Query]) -> Result<KeptAnswers, Error> {
        let ranges: Vec<InputRange> = self.chart.ranges().cloned().collect();
        let config = &self.chart.config;
        KeptAnswers::compute(self.check, config, &ranges, queries, self.limits)
    }

    /// The answers at a place of facet, by and x, of which those that the chart lacks do not count.
    fn at<'c>(&self, cells: &'c KeptAnswers, [facet, by, x]: [usize; 3]) -> Option<&'c [Answer]> {
        let Chart {
            facet: facets,
            by: bys,
            x: along,
            ..
        } = self.chart;
        let axes = [
            (facets.is_some(), facet),
            (bys.is_some(), by),
            (matches!(along, Along::Input(_)), x),
        ];
        let places: Vec<usize> = axes
            .into_iter()
            .filter_map(|(is_there, place)| is_there.then_some(place))
            .collect();
        cells.at(&places)
    }

    /// The answers to a query along x; none where one is no finite number.
    fn along(
        &self,
        cells: &KeptAnswers,
        query: usize,
        facet: usize,
        by: usize,
    ) -> Vec<Option<RBig>> {
        let Along::Input(x) = &self.chart.x else {
            unreachable!("queries are drawn along an input")
        };
        let number = |at| self.at(cells, [facet, by, at])?[query].to_ratio();
        (0..x.values.len()).map(number).collect()
    }

    /// What a track never comes to is a part of its own.
    fn bands(&self, x: &InputRange) -> Result<(Plot, Missing), Error> {
        let own = questions::own(self.check).into_iter();
        let bands = own.filter(|(kind, _)| *kind == AnswerKind::Band);
        let queries: Vec<Query> = bands.map(|(_, query)| query).collect();
        let cells = self.cells(&queries)?;
        let endless = cells.any(|answers| rest(answers) != RBig::ZERO);
        let panel = |row: usize, column: usize| {
            let shares = |at| {
                let found = self.at(&cells, [row, column, at])?;
                let never = endless.then(|| rest(found));
                let shares = found.iter().filter_map(Answer::to_ratio);
                Some(never.into_iter().chain(shares).collect())
            };
            (0..x.values.len()).map(shares).collect()
        };
        let never = endless.then(|| "never ends".to_owned());
        let names = queries.iter().map(|query| query.text.clone());
        let plot = Bands {
            x: self.axis(x),
            bands: never.into_iter().chain(names).collect(),
            shares: self.panels(panel),
        };
        Ok((Plot::Bands(plot), Missing::of(cells)?))
    }

    /// A line for each value of `by` and a column of panels for each query; without `by` a line for each query.
    fn lines(&self, x: &InputRange) -> Result<(Plot, Missing), Error> {
        let queries = &self.chart.queries;
        let cells = self.cells(queries)?;
        let texts = self.texts(&self.chart.queries);
        let (y, headings) = one_or_headings(texts.clone());
        let by = self.chart.by.as_ref();
        let (name, series, columns) = match by {
            Some(by) => (self.name(by), texts_of(&self.axis(by).values), headings),
            None => (String::new(), texts, vec![String::new()]),
        };
        let panel = |row: usize, column: usize| {
            let line = |line| match by {
                Some(_) => self.along(&cells, column, row, line),
                None => self.along(&cells, line, row, 0),
            };
            (0..series.len()).map(line).collect()
        };
        let plot = Lines {
            x: self.axis(x),
            unit: unit(queries),
            y,
            by: name,
            values: grid(columns, self.headings(self.chart.facet.as_ref()), panel),
            series,
        };
        Ok((Plot::Lines(plot), Missing::of(cells)?))
    }

    fn heatmap(&self, x: &InputRange) -> Result<(Plot, Missing), Error> {
        let queries = &self.chart.queries;
        let y = self.chart.by.as_ref().expect("a heat map has two axes");
        let cells = self.cells(queries)?;
        let panel = |row: usize, query: usize| {
            let line = |up| self.along(&cells, query, row, up);
            (0..y.values.len()).map(line).collect()
        };
        let (number, columns) = one_or_headings(self.texts(&self.chart.queries));
        let plot = Heatmap {
            x: self.axis(x),
            y: self.axis(y),
            unit: unit(queries),
            number,
            cells: grid(columns, self.headings(self.chart.facet.as_ref()), panel),
        };
        Ok((Plot::Heatmap(plot), Missing::of(cells)?))
    }

    /// The queries as people read them.
    fn texts(&self, queries: &[Query]) -> Vec<String> {
        let words = |query: &Query| query_in_words(self.check, query);
        queries.iter().map(words).collect()
    }

    /// A panel for each value of `by` and of the facet.
    fn panels<T>(&self, panel: impl Fn(usize, usize) -> T) -> Grid<T> {
        let Chart { by, facet, .. } = self.chart;
        grid(
            self.headings(by.as_ref()),
            self.headings(facet.as_ref()),
            panel,
        )
    }
}

/// Words with a capital letter at their beginning.
fn as_heading(words: &str) -> String {
    let mut rest = words.chars();
    let first = rest.next().into_iter().flat_map(char::to_uppercase);
    first.chain(rest).collect()
}

/// What bands leave of certainty: a track may never end.
fn rest(bands: &[Answer]) -> RBig {
    let ended = bands.iter().filter_map(Answer::to_ratio);
    ended.fold(RBig::ONE, |rest, share| rest - share)
}

/// Whether a picture has to say what value an input has that does not vary.
pub fn is_telling(input: &Input, value: i64) -> bool {
    let matters = input.role == Role::Axis && !input.sweep.is_empty();
    matters || input.default != value
}

/// The values of a range: numbers, or labels if any of them has one.
fn values(input: &Input, range: &InputRange) -> Values {
    let has_label = |value: &i64| label_of(&input.value_labels, *value).is_some();
    match &input.domain {
        Domain::Range(..) if !range.values.iter().any(has_label) => {
            Values::Numbers(range.values.clone())
        }
        _ => Values::Labels(
            range
                .values
                .iter()
                .map(|value| input.told(*value))
                .collect(),
        ),
    }
}

/// A panel for each combination of a row and a column; panels along one axis alone are columns.
fn grid<T>(columns: Vec<String>, rows: Vec<String>, panel: impl Fn(usize, usize) -> T) -> Grid<T> {
    let places =
        (0..rows.len()).flat_map(|row| (0..columns.len()).map(move |column| (row, column)));
    let panels = places.map(|(row, column)| panel(row, column)).collect();
    let (columns, rows) = if columns.len() == 1 {
        (rows, columns)
    } else {
        (columns, rows)
    };
    Grid {
        columns,
        rows,
        panels,
    }
}

fn texts_of(values: &Values) -> Vec<String> {
    match values {
        Values::Numbers(numbers) => numbers.iter().map(i64::to_string).collect(),
        Values::Labels(labels) => labels.clone(),
    }
}

/// What all panels show, or the heading of each.
pub fn one_or_headings(mut texts: Vec<String>) -> (String, Vec<String>) {
    if texts.len() == 1 {
        return (texts.remove(0), vec![String::new()]);
    }
    (String::new(), texts)
}

/// What the queries' answers are; those of one chart are all of a kind.
fn unit(queries: &[Query]) -> Unit {
    let are_probabilities = queries
        .iter()
        .all(|query| AnswerKind::of(query).is_probability());
    if are_probabilities {
        Unit::Probability
    } else {
        Unit::Number
    }
}

/// Refuses more outcomes than could be told apart.
fn refuse_many(count: usize, name: &str) -> Result<(), Error> {
    if count <= MOST_OUTCOMES {
        return Ok(());
    }
    let message = format!("`{name}` has {count} outcomes; a chart can show {MOST_OUTCOMES}");
    Err(Error::advice(
        message,
        "`oddsmith odds` shows its mean and range",
    ))
}
