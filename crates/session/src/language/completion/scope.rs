//! Which names can be seen where.

use oddsmith_rules::Span;
use oddsmith_rules::index::{Symbol, SymbolKind};
use oddsmith_rules::layout::Step;

use crate::language::completion::Site;

impl<'d> Site<'d> {
    /// The checks and the tracks, in the order of the file.
    pub(super) fn checks(&self) -> impl Iterator<Item = &'d Symbol> + use<'d> {
        let is_one =
            |symbol: &&Symbol| matches!(symbol.kind, SymbolKind::Check | SymbolKind::Track);
        self.names.symbols.iter().filter(is_one)
    }

    /// The symbols of a kind that belong to a check, a track or a function.
    pub(super) fn of(&self, owner: &str, kind: SymbolKind) -> Vec<&'d Symbol> {
        let symbols = self.names.symbols.iter();
        let own = symbols.filter(|symbol| symbol.kind == kind && self.is_of(symbol, owner));
        own.collect()
    }

    /// Whether a symbol is defined in a check, a track or a function; one that is defined in several has the first as its owner.
    fn is_of(&self, symbol: &Symbol, owner: &str) -> bool {
        symbol.is_of(owner)
            || symbol.definitions.len() > 1
                && symbol
                    .definitions
                    .iter()
                    .any(|one| self.owner_at(one.name) == Some(owner))
    }

    /// The check or the track that a place of the file lies in.
    fn owner_at(&self, place: Span) -> Option<&'d str> {
        let keys = self.names.layout.keys.iter();
        let mut before = keys.take_while(|key| key.span.start <= place.start);
        let last = before.by_ref().last()?;
        match last.path.as_slice() {
            [Step::Key(table), Step::Key(name), ..] if is_of_checks(table) => Some(name),
            _ => None,
        }
    }

    /// A check or a track and all that it inherits from.
    pub(super) fn with_parents(&self, name: &str) -> Vec<String> {
        let mut known = vec![name.to_owned()];
        let mut at = 0;
        while let Some(name) = known.get(at).cloned() {
            for scalar in &self.names.layout.scalars {
                if let [Step::Key(table), Step::Key(check), Step::Key(key), ..] =
                    scalar.path.as_slice()
                    && is_of_checks(table)
                    && *check == name
                    && key == "inherit"
                    && let Some(text) = scalar.text
                {
                    let parent = self.slice(text).to_owned();
                    if !known.contains(&parent) {
                        known.push(parent);
                    }
                }
            }
            at += 1;
        }
        known
    }

    /// The axes of a check or a track, inherited ones included.
    pub(super) fn axes(&self, check: &str) -> Vec<&'d Symbol> {
        let owners = self.with_parents(check).into_iter();
        let mut axes: Vec<&Symbol> = Vec::new();
        for axis in owners.flat_map(|owner| self.of(&owner, SymbolKind::Axis)) {
            if !axes.iter().any(|known| known.name == axis.name) {
                axes.push(axis);
            }
        }
        axes
    }

    /// The parameters.
    pub(super) fn params(&self) -> impl Iterator<Item = &'d Symbol> + use<'d> {
        self.names.of_kind(SymbolKind::Parameter)
    }

    /// The bands of a check or a track.
    pub(super) fn bands(&self, check: &str) -> Vec<&'d Symbol> {
        self.of(check, SymbolKind::Band)
    }

    /// All labels, those of a check first.
    pub(super) fn labels(&self, check: &str) -> Vec<&'d Symbol> {
        let mut labels = self.bands(check);
        let rest = [SymbolKind::Label, SymbolKind::Band];
        labels.extend(rest.into_iter().flat_map(|kind| self.names.of_kind(kind)));
        labels
    }

    /// What a check or a track shows.
    pub(super) fn shown(&self, check: &str) -> Vec<&'d Symbol> {
        self.of(check, SymbolKind::Show)
    }

    /// What the rules of a check or a track have bound before the cursor, the last first, but for what lived in a block that
    /// has ended.
    pub(super) fn bound(&self, check: &str) -> Vec<&'d Symbol> {
        let kinds = [SymbolKind::Let, SymbolKind::Show, SymbolKind::Choice];
        let bound = kinds.into_iter().flat_map(|kind| self.of(check, kind));
        let mut bound: Vec<(usize, &Symbol)> = bound
            .filter_map(|symbol| {
                let ends = symbol.definitions.iter().map(|one| one.whole.end);
                let end = ends.filter(|end| *end <= self.offset).max()?;
                self.is_alive(end).then_some((end, symbol))
            })
            .collect();
        bound.sort_unstable_by_key(|(end, _)| std::cmp::Reverse(*end));
        bound.into_iter().map(|(_, symbol)| symbol).collect()
    }

    /// Whether no block ends between a place and the cursor that was open there.
    fn is_alive(&self, from: usize) -> bool {
        let mut open = 0_usize;
        for line in self.source()[from..self.offset].lines() {
            let code = line.split('#').next().unwrap_or_default();
            for character in code.chars() {
                match (character, open) {
                    ('{', _) => open += 1,
                    ('}', 0) => return false,
                    ('}', _) => open -= 1,
                    _ => {}
                }
            }
        }
        true
    }

    /// The labels of the domain beside a value of an axis or a parameter.
    pub(super) fn domain_beside(&self, path: &[Step]) -> Vec<&'d Symbol> {
        let depth = if path.first().and_then(Step::key) == Some("params") {
            2
        } else {
            4
        };
        let Some(owner) = path.get(..depth) else {
            return Vec::new();
        };
        let domain = owner.iter().cloned();
        let domain: Vec<Step> = domain.chain([Step::Key("domain".to_owned())]).collect();
        let scalars = self.names.layout.scalars.iter();
        let items = scalars.filter(|scalar| scalar.path.starts_with(&domain));
        let places = items.filter_map(|scalar| scalar.text);
        let numbers = places.filter_map(|place| self.names.number_at(place));
        numbers.map(|number| &self.names.symbols[number]).collect()
    }

    /// The labels that an axis or a parameter may have.
    pub(super) fn labels_of(&self, input: &Symbol) -> Vec<&'d Symbol> {
        let layout = &self.names.layout;
        let mut paths = layout.keys.iter();
        let is_there = |place: Span| input.definitions.iter().any(|one| place.contains(one.name));
        let key = paths.find(|key| is_there(key.span));
        key.map_or(Vec::new(), |key| self.domain_beside(&key.path))
    }

    /// The check or the track that a text at a way is about: the one that it stands in, or that is named beside it, or the
    /// first one.
    pub(super) fn about(&self, path: &[Step]) -> Option<String> {
        match path {
            [Step::Key(table), Step::Key(name), ..] if is_of_checks(table) => {
                return Some(name.clone());
            }
            _ => {}
        }
        let depth = path.iter().rposition(|step| step.key().is_none());
        let table = &path[..depth.map_or(0, |at| at + 1)];
        let named = self.names.layout.scalars.iter().find_map(|scalar| {
            let (last, before) = scalar.path.split_last()?;
            let is_check = last.key() == Some("check") && before == table && !table.is_empty();
            is_check.then_some(scalar.text?)
        });
        match named {
            Some(name) => Some(self.slice(name).to_owned()),
            None => self.checks().next().map(|check| check.name.clone()),
        }
    }
}

/// Whether a table is that of the checks or that of the tracks.
fn is_of_checks(table: &str) -> bool {
    table == "checks" || table == "tracks"
}
