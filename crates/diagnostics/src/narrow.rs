//! Places in texts on a screen that is not wide: what is said beside a caret has several lines where one has no room.

use unicode_width::UnicodeWidthStr;

/// A label that begins beside its caret has lines of at least so many columns; one with less room stands below.
const LEAST: usize = 24;
/// What an escape sequence that styles a terminal begins and ends with.
const STYLE: (&str, char) = ("\u{1b}[", 'm');
/// What ends all styles.
const PLAIN: &str = "\u{1b}[0m";

/// A drawn place with the labels that reach beyond so many columns in several lines.
pub(crate) fn with_labels_broken(drawn: &str, labels: &[String], width: usize) -> String {
    let lines: Vec<&str> = drawn.split('\n').collect();
    let mut text: Vec<String> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let plain = without_styles(line);
        let is_beside = |label: &&String| !label.is_empty() && plain.ends_with(label.as_str());
        let label = labels
            .iter()
            .filter(is_beside)
            .max_by_key(|label| label.len());
        match label.filter(|_| gutter(&plain).is_some() && plain.width() > width) {
            Some(label) => {
                let below = lines.get(at + 1).map(|next| without_styles(next));
                text.extend(broken(line, label, &below.unwrap_or_default(), width));
            }
            None => text.push((*line).to_owned()),
        }
    }
    text.join("\n")
}

/// Whether a line of a place, which can't be broken between words, is wider than that.
pub(crate) fn is_too_wide(drawn: &str, width: usize) -> bool {
    let plain = without_styles(drawn);
    let mut places = plain.lines().filter(|line| gutter(line).is_some());
    places.any(|line| line.width() > width)
}

/// The lines of a line that ends with a label; `below` is the line below it, whose bars go on between them.
fn broken(line: &str, label: &str, below: &str, width: usize) -> Vec<String> {
    let start = line.rfind(label).unwrap_or(line.len());
    let before = &line[..start];
    let plain = without_styles(before);
    let margin = gutter(&plain).unwrap_or_default() + 2;
    let room = width.saturating_sub(plain.width());
    let longest = label
        .split(' ')
        .map(UnicodeWidthStr::width)
        .max()
        .unwrap_or(0);
    let is_beside = room >= LEAST.max(longest);
    let parts = match is_beside {
        true => words_within(label, room),
        false => words_within(label, width.saturating_sub(margin)),
    };
    let widest = parts.iter().map(|part| part.width()).max().unwrap_or(0);
    let column = match is_beside {
        true => plain.width(),
        false => width.saturating_sub(widest).max(margin),
    };
    let style = open_style(before);
    let end = if style.is_empty() { "" } else { PLAIN };
    let left = |at: usize| match at {
        0 if is_beside => before.to_owned(),
        _ => format!("{}{style}", bars(before, below, column)),
    };
    let mut lines: Vec<String> = Vec::new();
    if let Some(mark) = before.rfind(['^', '-']).filter(|_| !is_beside) {
        lines.push(format!("{}{end}", &before[..mark + 1]));
    }
    let parts = parts.iter().enumerate();
    lines.extend(parts.map(|(at, part)| format!("{}{part}{end}", left(at))));
    lines
}

/// The margin, then the bars of a line below that go through the line above it, up to a column.
fn bars(before: &str, below: &str, column: usize) -> String {
    let end = before.find('|').map_or(before.len(), |bar| bar + 1);
    let margin = &before[..end];
    let taken = without_styles(margin).width();
    let goes_on = gutter(below).is_some();
    let below = below.chars().skip(taken).chain(std::iter::repeat(' '));
    let below = below.take(column.saturating_sub(taken));
    let bars = below.map(|c| if c == '|' && goes_on { '|' } else { ' ' });
    let end = if open_style(margin).is_empty() {
        ""
    } else {
        PLAIN
    };
    format!("{margin}{end}{}", bars.collect::<String>())
}

/// The column of the bar that a line of a place begins with, after the number of a line maybe.
fn gutter(plain: &str) -> Option<usize> {
    let is_number = |c: char| c == ' ' || c.is_ascii_digit();
    let rest = plain.trim_start_matches(is_number);
    rest.starts_with('|').then(|| plain.len() - rest.len())
}

/// Words in lines of at most so many columns, where words are no longer.
fn words_within(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.width() + 1 + word.width() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A text without the styles of a terminal.
fn without_styles(text: &str) -> String {
    let mut parts = text.split(STYLE.0);
    let first = parts.next().unwrap_or_default().to_owned();
    let rest = parts.map(|part| part.split_once(STYLE.1).map_or(part, |(_, text)| text));
    first + &rest.collect::<String>()
}

/// The styles that hold at the end of a text.
fn open_style(text: &str) -> String {
    let since = text.rfind(PLAIN).map_or(0, |at| at + PLAIN.len());
    let parts = text[since..].split(STYLE.0).skip(1);
    let codes = parts.filter_map(|part| part.split_once(STYLE.1));
    codes
        .map(|(code, _)| format!("{}{code}{}", STYLE.0, STYLE.1))
        .collect()
}

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr as _;

    use super::{with_labels_broken, without_styles};
    use crate::{Diagnostic, Source, Span};

    const LABEL: &str = "not a label here, nor the name of a value that this script binds";

    /// The caret's place in a line of `length` letters, drawn in so many columns with both kinds of style.
    fn drawn(length: usize, at: usize, width: usize) -> String {
        let mut line = "y".repeat(length);
        line.replace_range(at..at + 3, "XXX");
        let source = Source::new("demo", format!("first\n{line}\nlast"));
        let error = Diagnostic::new(&source, Span::new(6 + at, 9 + at), "wrong")
            .with_label(LABEL)
            .with_related(
                Span::new(0, 5),
                "the first one is of another kind than this",
            )
            .with_help("help");
        let plain = error.render_within(false, width);
        assert_eq!(
            without_styles(&error.render_within(true, width)),
            plain,
            "{length} {at}"
        );
        plain
    }

    /// Wherever the caret is: it is below its letters, no line is wider, and all words are there.
    #[test]
    fn carets_point_at_their_letters_on_every_screen() {
        for width in [40, 60, 80, 120] {
            for length in [10, 39, 70, 100, 160, 300] {
                for at in (0..length - 3).step_by(7) {
                    let text = drawn(length, at, width);
                    let wide = text.lines().find(|line| line.width() > width);
                    assert_eq!(wide, None, "{width} {length} {at}\n{text}");
                    let lines: Vec<&str> = text.lines().collect();
                    let caret = lines.iter().find_map(|line| line.find("^^^"));
                    let letters = lines.iter().find_map(|line| line.find("XXX"));
                    assert_eq!(caret, letters, "{text}");
                    let words: Vec<&str> = text.split_whitespace().collect();
                    let all = LABEL.split(' ').all(|word| words.contains(&word));
                    assert!(all, "{text}");
                }
            }
        }
    }

    #[test]
    fn a_label_goes_on_below_itself_beside_the_bars_of_others() {
        let drawn =
            "  |  ^^^  --- one two three four five six seven eight nine ten\n  |  |\n  |  x";
        let labels = ["one two three four five six seven eight nine ten".to_owned()];
        let expected = "  |  ^^^  --- one two three four five\n  |  |        six seven eight nine ten\n  |  |\n  |  x";
        assert_eq!(with_labels_broken(drawn, &labels, 39), expected);
        assert_eq!(with_labels_broken(drawn, &labels, 99), drawn);
    }

    /// A place that is longer than the screen is wide is marked as far as there is room.
    #[test]
    fn a_long_place_is_marked_from_its_beginning() {
        let source = Source::new("demo", "z".repeat(130) + "\n" + &"y".repeat(130));
        for end in [100, 130, 200] {
            let error = Diagnostic::new(&source, Span::new(2, end), "wrong").with_label("here");
            let text = error.render_within(false, 80);
            assert!(text.lines().all(|line| line.width() <= 80), "{text}");
            assert!(text.contains("^^^^^^^^") && text.contains("here"), "{text}");
        }
    }
}
