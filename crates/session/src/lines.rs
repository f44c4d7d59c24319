//! Where the lines of a text begin, and from bytes to positions and back.

use oddsmith_rules::Span;

use crate::position::{Encoding, Position, Range};

/// The beginnings of the lines of a text.
///
/// A line ends with `\n`, `\r\n` or a lone `\r`, as in the Language Server Protocol. What lies beyond a line is its end,
/// before the characters that end it; what lies beyond the last line is the end of the text; and what lies within a
/// character is the place before it.
///
/// ```
/// use oddsmith_session::{Lines, Position};
/// let text = "a = '🎲'\r\nb = 2";
/// let lines = Lines::of(text);
/// assert_eq!(lines.offset(text, Position::new(0, 7)), 9); // a die is two UTF-16 code units, and four bytes
/// assert_eq!(lines.position(text, 9), Position::new(0, 7));
/// assert_eq!(lines.offset(text, Position::new(0, 99)), 10);
/// assert_eq!(lines.offset(text, Position::new(9, 0)), text.len());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines {
    /// The first byte of each line; there is at least one.
    starts: Vec<usize>,
    encoding: Encoding,
}

impl Lines {
    /// The lines of a text, with positions in UTF-16 code units.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self::with(text, Encoding::default())
    }

    /// The lines of a text, with positions in other units.
    #[must_use]
    pub fn with(text: &str, encoding: Encoding) -> Self {
        let mut starts = vec![0];
        let bytes = text.as_bytes();
        for (at, byte) in bytes.iter().enumerate() {
            let ends_line = match byte {
                b'\n' => true,
                b'\r' => bytes.get(at + 1) != Some(&b'\n'),
                _ => false,
            };
            if ends_line {
                starts.push(at + 1);
            }
        }
        Self { starts, encoding }
    }

    /// What its positions count.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// A line without what ends it; none if there are fewer.
    #[must_use]
    pub fn line<'t>(&self, text: &'t str, line: usize) -> Option<&'t str> {
        let start = *self.starts.get(line)?;
        let end = self.starts.get(line + 1).copied().unwrap_or(text.len());
        Some(text[start..end].trim_end_matches(['\r', '\n']))
    }

    /// The byte at a position.
    #[must_use]
    pub fn offset(&self, text: &str, position: Position) -> usize {
        let line = usize::try_from(position.line).unwrap_or(usize::MAX);
        let Some(content) = self.line(text, line) else {
            return text.len();
        };
        let mut left = usize::try_from(position.character).unwrap_or(usize::MAX);
        for (at, character) in content.char_indices() {
            let units = self.encoding.units(character);
            if left < units {
                return self.starts[line] + at;
            }
            left -= units;
        }
        self.starts[line] + content.len()
    }

    /// The position of a byte; of one within a character, that of the character, and of one within `\r\n`, before it.
    ///
    /// # Panics
    /// If a text has more than 4 billion lines, or a line as many characters.
    #[must_use]
    pub fn position(&self, text: &str, offset: usize) -> Position {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let start = self.starts[line];
        let content = self.line(text, line).map_or(0, str::len);
        let before = text[start..offset.min(start + content)].chars();
        let units: usize = before.map(|own| self.encoding.units(own)).sum();
        let small = |number| u32::try_from(number).expect("a text of less than 4 GB");
        Position::new(small(line), small(units))
    }

    /// The range of a span.
    #[must_use]
    pub fn range(&self, text: &str, span: Span) -> Range {
        Range {
            start: self.position(text, span.start),
            end: self.position(text, span.end.max(span.start)),
        }
    }

    /// The span of a range; one that ends before it begins is empty, where it begins.
    #[must_use]
    pub fn span(&self, text: &str, range: Range) -> Span {
        let start = self.offset(text, range.start);
        Span::new(start, self.offset(text, range.end).max(start))
    }
}
