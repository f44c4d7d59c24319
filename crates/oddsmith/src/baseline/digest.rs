//! Fingerprints of text, the same for any kind of line ends.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

/// SHA-256 of lines, each with `\n`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Digest(Sha256);

impl Digest {
    /// Of a whole text.
    pub(crate) fn of(text: &str) -> String {
        let mut digest = Self::default();
        for line in text.lines() {
            digest.line(line.as_bytes());
        }
        digest.finish()
    }

    /// Adds a line, given without its end.
    pub(crate) fn line(&mut self, line: &[u8]) {
        self.0.update(line);
        self.0.update(b"\n");
    }

    /// Adds whole lines with their ends, `\n`.
    pub(crate) fn lines(&mut self, lines: &[u8]) {
        self.0.update(lines);
    }

    /// `sha256:` and 64 hexadecimal digits.
    pub(crate) fn finish(self) -> String {
        let mut text = "sha256:".to_owned();
        for byte in self.0.finalize() {
            let _ = write!(text, "{byte:02x}");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::Digest;

    #[test]
    fn line_ends_do_not_matter() {
        let of = Digest::of("a\nb\n");
        // printf 'a\nb\n' | sha256sum
        let known = "911169ddaaf146aff539f58c26c489af3b892dff0fe283c1c264c65ae5aa59a2";
        assert_eq!(of, format!("sha256:{known}"));
        assert_eq!(of, Digest::of("a\r\nb"));
        assert_ne!(of, Digest::of("b\na\n"));
        let mut lines = Digest::default();
        lines.lines(b"a\nb\n");
        assert_eq!(lines.finish(), of);
    }
}
