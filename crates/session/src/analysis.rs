//! What a version of a text says.

use std::sync::{Arc, OnceLock};

use oddsmith::Game;
use oddsmith_rules::index::{self, Names, Token};
use oddsmith_rules::{Diagnostics, Source, load_named, load_text};

/// What a version of a text says: a game or errors, warnings, and names.
///
/// A game is read without its names at first, in two thirds of the time: odds and errors are wanted after each
/// keystroke, names when the writer rests. Then the text is read once more.
#[derive(Debug)]
pub struct Analysis {
    source: Arc<Source>,
    game: Result<Game, Diagnostics>,
    names: OnceLock<Names>,
    tokens: OnceLock<Vec<Token>>,
}

impl Analysis {
    pub(crate) fn of(name: &str, text: &str) -> Self {
        let source = Source::new(name, text);
        let model = load_text(&source);
        Self {
            source,
            game: model.map(|model| Game::of(name, model)),
            names: OnceLock::new(),
            tokens: OnceLock::new(),
        }
    }

    /// The game that the text is.
    ///
    /// # Errors
    /// All that is wrong with it.
    pub fn game(&self) -> Result<&Game, &Diagnostics> {
        self.game.as_ref()
    }

    /// All that is said of the text: its errors, or the warnings about a text without any.
    #[must_use]
    pub fn diagnostics(&self) -> &Diagnostics {
        match &self.game {
            Ok(game) => &game.model().warnings,
            Err(errors) => errors,
        }
    }

    /// The names of the text, its keys and values, and what it has as a tree.
    #[must_use]
    pub fn names(&self) -> &Names {
        self.names.get_or_init(|| load_named(&self.source).names)
    }

    /// The words of the text.
    #[must_use]
    pub fn tokens(&self) -> &[Token] {
        self.tokens
            .get_or_init(|| index::tokens(&self.source, self.names()))
    }
}
