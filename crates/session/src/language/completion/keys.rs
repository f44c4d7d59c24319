//! Keys, headings, and values outside of strings.

use oddsmith_rules::layout::{KeyHelp, Place, Step};
use oddsmith_rules::{Holds, Span, all_games};

use crate::language::completion::items::Items;
use crate::language::completion::{CompletionKind, Site};

impl Site<'_> {
    /// The keys that a table may still have; at the beginning of a line the headings of tables, too.
    pub(super) fn keys(&self, table: &[Step], word: Span) -> Items<'_> {
        let mut items = self.items(word);
        if let Some(Place::Table(keys)) = Place::of(table) {
            for key in keys
                .iter()
                .filter(|key| !self.is_written(table, *key, word))
            {
                let text = match (key.is_table(), key.is_list_of_tables()) {
                    (true, false) => format!("{}.", key.name()),
                    (true, true) => continue,
                    (false, _) => format!("{} = ", key.name()),
                };
                let detail = if key.is_required() { "needed" } else { "" };
                items.add(key.name(), CompletionKind::Key, text, (detail, key.help()));
            }
        }
        if self.begins_line(word) {
            self.offer_headings(&mut items);
        }
        if self.source().trim() == self.slice(word) {
            offer_games(&mut items);
        }
        items
    }

    /// Whether a table has a key elsewhere than in this word.
    fn is_written(&self, table: &[Step], key: KeyHelp, word: Span) -> bool {
        let name = Step::Key(key.name().to_owned());
        let mut keys = self.names.layout.keys.iter();
        keys.any(|known| {
            let is_there = known.path.split_last() == Some((&name, table));
            is_there && known.span != word && !key.is_table()
        })
    }

    /// Whether nothing stands before a word on its line.
    fn begins_line(&self, word: Span) -> bool {
        let before = &self.source()[..word.start];
        before.trim_end_matches([' ', '\t']).ends_with(['\n', '\r']) || before.trim().is_empty()
    }

    /// The tables of a file, as headings.
    fn offer_headings(&self, items: &mut Items<'_>) {
        let Some(Place::Table(keys)) = Place::of(&[]) else {
            return;
        };
        for key in keys.iter().filter(|key| key.is_table()) {
            let path = [Step::Key(key.name().to_owned())];
            let name = key.name();
            let text = match Place::of(&path) {
                Some(Place::List(_)) => format!("[[{name}]]"),
                Some(Place::Names(_)) if name == "checks" || name == "tracks" => {
                    format!("[{name}.")
                }
                _ => format!("[{name}]"),
            };
            items.add(&text.clone(), CompletionKind::Table, text, ("", key.help()));
        }
    }

    /// The names of a heading.
    pub(super) fn headings(&self, table: &[Step], word: Span, is_list: bool) -> Items<'_> {
        let mut items = self.items(word);
        match Place::of(table) {
            Some(Place::Table(keys)) => {
                let tables = keys.iter().filter(|key| key.is_table());
                for key in tables.filter(|key| {
                    key.is_list_of_tables() == is_list || !table.is_empty() || key.name() == "tune"
                }) {
                    items.add(
                        key.name(),
                        CompletionKind::Table,
                        key.name(),
                        ("", key.help()),
                    );
                }
            }
            Some(Place::Names(_)) => {
                for key in &self.names.layout.keys {
                    if let Some((Step::Key(name), before)) = key.path.split_last()
                        && before == table
                        && key.span != word
                    {
                        items.add(name, CompletionKind::Table, name.as_str(), ("", ""));
                    }
                }
            }
            _ => {}
        }
        items
    }

    /// A value that is no string yet.
    pub(super) fn values(&self, path: &[Step], word: Span) -> Items<'_> {
        let mut items = self.items(word);
        let Some(Place::Value(key)) = Place::of(path) else {
            return items;
        };
        for value in key.words() {
            let text = match key.is_text() {
                true => format!("\"{value}\""),
                false => (*value).to_owned(),
            };
            items.add(value, CompletionKind::Value, text, ("", key.help()));
        }
        match key.holds() {
            Holds::Values => {
                for label in self.domain_beside(path) {
                    items.symbol_as(label, &format!("\"{}\"", label.name));
                }
            }
            Holds::Check => {
                for check in self.checks() {
                    items.symbol_as(check, &format!("\"{}\"", check.name));
                }
            }
            _ => {}
        }
        items
    }

    /// One of the words that a key may have, in quotes already.
    pub(super) fn one_of(&self, key: KeyHelp, text: Span) -> Items<'_> {
        let mut items = self.items(text);
        for value in key.words() {
            items.add(value, CompletionKind::Value, *value, ("", key.help()));
        }
        items
    }
}

/// The games that come along, whole, for a file that has nothing yet.
fn offer_games(items: &mut Items<'_>) {
    for (name, text) in all_games() {
        let head = text.lines().map_while(|line| line.strip_prefix('#'));
        let head: Vec<&str> = head
            .map(|line| line.strip_prefix(' ').unwrap_or(line))
            .collect();
        let help = head.join("\n");
        let detail = "a game that comes along";
        items.add(name, CompletionKind::Game, text, (detail, help.trim()));
    }
}
