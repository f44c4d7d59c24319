//! Commands as they can be pasted into a shell.

use std::path::Path;

/// A word; in single quotes unless it is plain.
pub fn word(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./:=,+@%".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// A path as a word.
pub fn path(path: &Path) -> String {
    word(&path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::word;

    #[test]
    fn a_shell_reads_what_was_meant() {
        assert_eq!(word("rules/mine.toml"), "rules/mine.toml");
        assert_eq!(word("my game.toml"), "'my game.toml'");
        assert_eq!(word("it's"), r"'it'\''s'");
        assert_eq!(word(""), "''");
    }
}
