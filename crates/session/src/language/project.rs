//! What a rename changes in the file of a project: the columns that have tolerances there.

use oddsmith::toml_key;
use oddsmith_rules::index::{Symbol, SymbolKind};
use oddsmith_rules::layout::{KeyPart, Layout, Step};
use oddsmith_rules::{Source, Span, load_named};

use crate::document::Document;
use crate::position::{Position, TextEdit};

/// The table of the tolerances.
const TOLERANCES: &str = "tolerances";

impl Document {
    /// The changes of a project's file, `oddsmith.toml`, that go with another name of what is named at a position: a band, a flag
    /// or a number is a column there, by its name or that of its mean. If one of the project's other rulesets, whose texts are
    /// given, has a column of the old name, that keeps its tolerance, and the new name gets the same.
    #[must_use]
    pub fn renamed_columns(
        &self,
        position: Position,
        name: &str,
        project: &Document,
        others: &[String],
    ) -> Vec<TextEdit> {
        let Some(found) = self.symbol_at(position) else {
            return Vec::new();
        };
        let symbol = found.symbol;
        if !is_column(&symbol) || symbol.name == name {
            return Vec::new();
        }
        let layout = Layout::of(project.text());
        let forms = [("", ""), ("mean(", ")")];
        let written = |column: &str| {
            let keys = layout.keys.iter().filter(|key| key.is_last);
            keys.filter(|key| is_tolerance(key, column))
                .collect::<Vec<_>>()
        };
        let mut edits = Vec::new();
        for (before, behind) in forms {
            let [old, new] = [&symbol.name, name].map(|name| format!("{before}{name}{behind}"));
            if !written(&new).is_empty() {
                continue;
            }
            for key in written(&old) {
                let new_text = toml_key(&new);
                edits.push(match self.is_elsewhere(&symbol, others) {
                    false => TextEdit {
                        range: project.range(key.span),
                        new_text,
                    },
                    true => {
                        let value = &project.text()[key.span.end..key.whole.end];
                        TextEdit {
                            range: project.range(Span::new(key.whole.end, key.whole.end)),
                            new_text: format!("\n{new_text}{value}"),
                        }
                    }
                });
            }
        }
        edits
    }

    /// Whether there is another column of the same name, in this text or in others.
    fn is_elsewhere(&self, symbol: &Symbol, others: &[String]) -> bool {
        let is_same = |own: &Symbol| is_column(own) && own.name == symbol.name;
        let analysis = self.analysis();
        let here = analysis.names().symbols.iter();
        let is_here = here.filter(|own| is_same(own)).count() > 1;
        let is_there = |text: &String| {
            let names = load_named(&Source::new("ruleset", text.as_str())).names;
            names.symbols.iter().any(is_same)
        };
        is_here || others.iter().any(is_there)
    }
}

fn is_column(symbol: &Symbol) -> bool {
    matches!(symbol.kind, SymbolKind::Band | SymbolKind::Show)
}

fn is_tolerance(key: &KeyPart, column: &str) -> bool {
    let path: Vec<Option<&str>> = key.path.iter().map(Step::key).collect();
    path == [Some(TOLERANCES), Some(column)]
}
