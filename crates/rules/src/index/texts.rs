//! What stands in texts beside scripts: settings, queries, ids of findings, names of checks.

use std::collections::HashMap;

use crate::check::Check;
use crate::file::keys::Holds;
use crate::index::kinds::text_at;
use crate::index::known::Known;
use crate::index::lists::Lists;
use crate::index::{findings, settings};
use crate::layout::{Layout, Place, Scalar, Step};
use crate::lower::Asked;
use crate::settings::queries::query_of;
use crate::settings::resource::{items, sides};
use crate::source::{Reporter, Span};
use crate::syntax::{self, LexemeKind};

/// The texts of a file, being read.
pub(super) struct Texts<'t, 'k> {
    /// The checks and the tracks, and whether queries can be read against each.
    all: Vec<(&'k Check, bool)>,
    /// How many of them are checks.
    checks: usize,
    layout: &'t Layout,
    lists: &'t Lists,
    reporter: &'t mut Reporter,
    /// The texts of `check` keys, by the way to the tables that they stand in.
    named: HashMap<&'t [Step], &'t Scalar>,
}

impl<'t, 'k> Texts<'t, 'k> {
    pub(super) fn new(
        known: &Known<'k>,
        layout: &'t Layout,
        lists: &'t Lists,
        reporter: &'t mut Reporter,
    ) -> Self {
        let all = known.checks.iter().chain(known.tracks);
        let named = layout.scalars.iter().filter_map(|scalar| {
            let (last, table) = scalar.path.split_last()?;
            (last.key() == Some("check")).then_some((table, scalar))
        });
        Self {
            all: all.map(|check| (check, check.verify().is_ok())).collect(),
            checks: known.checks.len(),
            layout,
            lists,
            named: named.collect(),
            reporter,
        }
    }

    /// Notes what the names in all texts mean.
    pub(super) fn read(&mut self) {
        for scalar in &self.layout.scalars {
            let holds = Place::holds(&scalar.path);
            match scalar.text {
                Some(text) if self.is_plain(text) => self.text(scalar, text, holds),
                None if holds == Holds::Values => self.values(&scalar.path, scalar.span),
                _ => {}
            }
        }
    }

    /// A text with escapes is none of these, or an error.
    fn is_plain(&self, text: Span) -> bool {
        !text_at(&self.reporter.source, text).contains('\\')
    }

    fn text(&mut self, scalar: &Scalar, text: Span, holds: Holds) {
        match holds {
            Holds::Words
            | Holds::Script
            | Holds::Function
            | Holds::Requirement
            | Holds::Measure
            | Holds::Labels
            | Holds::Domain => {}
            Holds::Check => self.check_name(text),
            Holds::Values => self.values(&scalar.path, text),
            Holds::Setting | Holds::Range | Holds::Dial | Holds::Axis | Holds::Number => {
                for (check, _) in self.about(&scalar.path) {
                    settings::read(check, text, self.reporter);
                }
            }
            Holds::Query => {
                for (check, is_sound) in self.about(&scalar.path) {
                    self.query(check, is_sound, text);
                }
            }
            Holds::Utility => {
                for (check, is_sound) in self.about(&scalar.path) {
                    self.utility(check, is_sound, text);
                }
            }
            Holds::Finding => {
                let checks: Vec<&Check> = self.all.iter().map(|(check, _)| *check).collect();
                findings::read(&checks, text, self.reporter);
            }
        }
    }

    /// The checks that a text at this way is about.
    fn about(&self, path: &[Step]) -> Vec<(&'k Check, bool)> {
        let first = || self.all.first().copied().into_iter().collect();
        match path {
            [Step::Key(table), Step::Key(_), ..] if table == "resources" => {
                let axis = path[..2].iter().cloned();
                let axis: Vec<Step> = axis.chain([Step::Key("axis".to_owned())]).collect();
                self.with_axis(&axis)
            }
            [Step::Key(table), Step::At(_), ..] if table == "charts" || table == "expect" => {
                self.of_table(&path[..2])
            }
            [Step::Key(_), Step::Key(_), Step::At(_), ..] => self.of_table(&path[..3]),
            _ => first(),
        }
    }

    /// The check that a table names, or else the first one.
    fn of_table(&self, table: &[Step]) -> Vec<(&'k Check, bool)> {
        let source = &self.reporter.source;
        let name = self.named.get(table).and_then(|scalar| scalar.text);
        let found = match name {
            Some(name) => {
                let name = text_at(source, name);
                self.all.iter().find(|(check, _)| check.name == name)
            }
            None => self.all.first(),
        };
        found.copied().into_iter().collect()
    }

    /// The checks, not the tracks, that have the axis which is named at a way.
    fn with_axis(&self, axis: &[Step]) -> Vec<(&'k Check, bool)> {
        let mut scalars = self.layout.scalars.iter();
        let text = scalars.find(|scalar| scalar.path == axis);
        let name = text.and_then(|scalar| scalar.text);
        let name = name.map(|text| text_at(&self.reporter.source, text).trim());
        let checks = self.all[..self.checks].iter();
        let has_axis =
            |check: &&(&Check, bool)| name.is_some_and(|name| check.0.input(name).is_some());
        checks.filter(has_axis).copied().collect()
    }

    fn check_name(&mut self, text: Span) {
        let source = std::sync::Arc::clone(&self.reporter.source);
        let name = text_at(&source, text);
        if let Some((check, _)) = self.all.iter().find(|(check, _)| check.name == name) {
            self.reporter.note_name(text, check.span);
        }
    }

    /// Values of an axis or a parameter: one, or several with commas.
    fn values(&mut self, path: &[Step], text: Span) {
        let list = self.lists.beside(path);
        let labels = self.reporter.record.as_ref().zip(list);
        if let Some(labels) = labels.and_then(|(record, list)| record.lists.get(list).cloned()) {
            settings::values(&labels, text, self.reporter);
        }
    }

    fn query(&mut self, check: &Check, is_sound: bool, text: Span) {
        let source = std::sync::Arc::clone(&self.reporter.source);
        let written = text_at(&source, text);
        if let Some(bands) = settings::bands_of(check)
            && let Some(at) = bands.place(written.trim())
        {
            return self
                .reporter
                .note_label(settings::trimmed(written, text), bands, at);
        }
        if !is_sound {
            return by_look(check, written, text, self.reporter);
        }
        self.reporter.aside(|aside| {
            let parsed = syntax::parse_query(written, text.start, aside);
            let Some(parsed) = parsed else {
                return by_look(check, written, text, aside);
            };
            check.with_names(Asked::Query, aside, |lowerer, bands| {
                query_of(&parsed, lowerer, bands)
            });
        });
    }

    fn utility(&mut self, check: &Check, is_sound: bool, text: Span) {
        let source = std::sync::Arc::clone(&self.reporter.source);
        let written = text_at(&source, text);
        let is_by_bands = items(written).iter().any(|(_, item)| sides(item).is_some());
        if is_by_bands || !is_sound {
            return by_look(check, written, text, self.reporter);
        }
        self.reporter.aside(|aside| {
            let parsed = syntax::parse_expr(written, text.start, aside);
            let Some(parsed) = parsed else {
                return by_look(check, written, text, aside);
            };
            check.with_names(Asked::Utility, aside, |lowerer, bands| {
                lowerer.compared(&parsed, bands).ok()
            });
        });
    }
}

/// Notes the words of a text that are names of what a check shows, of its inputs, or else of its labels.
fn by_look(check: &Check, text: &str, span: Span, reporter: &mut Reporter) {
    for lexeme in syntax::lexemes(text, span.start) {
        let is_word = matches!(lexeme.kind, LexemeKind::Word | LexemeKind::Quoted);
        let source = std::sync::Arc::clone(&reporter.source);
        if let Some(place) = syntax::word_in(&source.text, lexeme.span).filter(|_| is_word) {
            settings::any_name(check, place, reporter);
        }
    }
}
