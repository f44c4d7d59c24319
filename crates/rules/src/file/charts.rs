//! `[[charts]]`: the pictures that a ruleset asks for.

use std::sync::Arc;

use crate::check::Check;
use crate::file::keys;
use crate::file::nodes::{self, Entries, Node, span};
use crate::model::{Chart, ChartKind};
use crate::settings::chart::{ChartText, ChartTexts, Place};
use crate::source::{Reporter, Source, Span, nearest, there_are};

/// The file's charts, in its order. They are read against the checks and tracks only if those are sound: what a
/// broken check shows is not known.
pub(super) fn read(
    root: &Entries<'_, '_>,
    (checks, are_sound): (&[&Check], bool),
    reporter: &mut Reporter,
) -> Vec<Chart> {
    let mut charts = Vec::new();
    for item in nodes::tables(root, "charts", reporter) {
        let before = reporter.len();
        let draft = Draft::read(item, checks, reporter);
        let is_read = reporter.len() == before;
        if let Some(draft) = draft.filter(|_| are_sound && is_read) {
            charts.extend(draft.chart(reporter));
        }
    }
    charts
}

/// A chart as the file has it.
struct Draft<'c> {
    check: &'c Check,
    request: ChartTexts,
    /// Where each of its texts stands, without quotes.
    places: Vec<(ChartText, Span)>,
    /// Where the chart begins.
    start: Span,
}

impl<'c> Draft<'c> {
    /// Reads the keys of a chart; none if it is no table, or of no check.
    fn read(node: &Node<'_>, checks: &[&'c Check], reporter: &mut Reporter) -> Option<Self> {
        let entry = nodes::table(node, "a chart", reporter)?;
        let start = span(node);
        let entry = Entries::check(entry, keys::CHART, "a chart", start, reporter);
        let kind = entry.get("kind").and_then(|node| {
            let words = ("kind of chart", "kinds of chart");
            nodes::one_of(node, "`kind`", &ChartKind::ALL, words, reporter)
        });
        let check = check_of(&entry, checks, reporter);
        let title = entry.line("title", reporter);
        let mut texts = Texts {
            entry: &entry,
            places: Vec::new(),
            reporter,
        };
        let request = ChartTexts {
            title,
            kind,
            x: texts.one("x", ChartText::X),
            by: texts.one("by", ChartText::By),
            facet: texts.one("facet", ChartText::Facet),
            queries: texts.several("query", ChartText::Query),
            sets: texts.several("set", ChartText::Set),
        };
        let mut places = texts.places;
        places.extend(entry.get("kind").map(|node| (ChartText::Kind, span(node))));
        Some(Self {
            check: check?,
            request,
            places,
            start,
        })
    }

    /// The chart that is asked for, or errors.
    fn chart(&self, reporter: &mut Reporter) -> Option<Chart> {
        let source = Arc::clone(&reporter.source);
        let chart = self
            .check
            .chart_at(&self.request, &|part| self.place(&source, part));
        match chart {
            Ok(chart) => Some(chart),
            Err(errors) => {
                errors.0.into_iter().for_each(|error| reporter.push(error));
                None
            }
        }
    }

    fn place(&self, source: &Arc<Source>, part: ChartText) -> Place {
        let written = self.places.iter().find(|(known, _)| *known == part);
        Place {
            name: part.key().to_owned(),
            source: Arc::clone(source),
            span: written.map_or(self.start, |(_, place)| *place),
        }
    }
}

/// The check or track that a chart or an expectation is of: the first one, if it does not say.
pub(super) fn check_of<'c>(
    entry: &Entries<'_, '_>,
    checks: &[&'c Check],
    reporter: &mut Reporter,
) -> Option<&'c Check> {
    let Some(node) = entry.get("check") else {
        return checks.first().copied();
    };
    let name = nodes::string(node, "`check`", reporter)?;
    let found = checks.iter().find(|check| check.name == name);
    if found.is_none() {
        let names: Vec<&str> = checks.iter().map(|check| check.name.as_str()).collect();
        let message = format!("there is no check or track `{name}`");
        let error = reporter.error(span(node), message);
        reporter.push(match nearest(name, names.iter().copied()) {
            Some(near) => error.meant(near),
            None => error.with_help(there_are(&names)),
        });
    }
    found.copied()
}

/// The texts of a chart, being read.
struct Texts<'e, 'a, 't> {
    entry: &'e Entries<'a, 't>,
    places: Vec<(ChartText, Span)>,
    reporter: &'e mut Reporter,
}

impl Texts<'_, '_, '_> {
    /// A string.
    fn one(&mut self, key: &str, part: ChartText) -> Option<String> {
        let node = self.entry.get(key)?;
        let written = nodes::written(node, &format!("`{key}`"), self.reporter)?;
        self.places.push((part, written.span));
        Some(written.text)
    }

    /// A string or a list of them.
    fn several(&mut self, key: &str, part: fn(usize) -> ChartText) -> Vec<String> {
        let Some(node) = self.entry.get(key) else {
            return Vec::new();
        };
        let written = nodes::one_or_more(node, &format!("`{key}`"), self.reporter);
        let written = written.into_iter().enumerate();
        let texts = written.map(|(at, written)| {
            self.places.push((part(at), written.span));
            written.text
        });
        texts.collect()
    }
}
