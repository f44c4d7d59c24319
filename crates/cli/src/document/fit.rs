//! Lines that fit.

use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

/// Where lines of prose end that would be longer than a screen is wide.
pub(crate) const WIDTH: usize = 100;

/// The columns that prose has on a screen that is so wide.
pub(crate) fn room(width: Option<usize>) -> usize {
    width.map_or(WIDTH, |width| width.min(WIDTH))
}

/// Lines of at most so many columns, where words are no longer; what a line goes on with is set in by two more.
pub(crate) fn fit(text: &str, width: usize) -> String {
    let lines = text.split('\n').map(|line| {
        let indent = line.len() - line.trim_start_matches(' ').len() + 2;
        lines(line, width, &" ".repeat(indent)).join("\n")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A text whose lines are whole where nobody reads them on a screen, and no wider than that where somebody does.
pub(crate) fn on_screen(text: String, width: Option<usize>) -> String {
    match width {
        Some(width) => fit(&text, width),
        None => text,
    }
}

/// The lines of one line, of at most so many columns, where words are no longer; all but the first after `indent`.
pub(crate) fn lines(line: &str, width: usize, indent: &str) -> Vec<String> {
    let options = Options::new(width)
        .subsequent_indent(indent)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit);
    let lines = textwrap::wrap(line, options).into_iter();
    lines.map(std::borrow::Cow::into_owned).collect()
}
