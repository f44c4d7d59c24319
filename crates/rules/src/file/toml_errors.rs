//! What the TOML parser says, in a designer's words.

use toml::de::{DeTable, DeValue, Error};

use crate::file::nodes::{Node, span};
use crate::file::unclosed::{self, Unclosed};
use crate::source::{Diagnostic, Reporter, Span};
use crate::syntax::narrow;
use crate::values;
use crate::words::plain_name;

const DUPLICATE: &str = "duplicate key";

const KEY_AND_VALUE: &str = "a key and its value are written `key = value`";
const SEVERAL_LINES: &str = "a text of several lines stands between `\"\"\"` and `\"\"\"`";
const ENTRIES: &str = "entries of a table or list are separated by commas";

fn is_unclosed_heading(message: &str) -> bool {
    message.starts_with("unclosed table") || message.starts_with("unclosed array table")
}

/// Reports the first error of each line: after one, the parser guesses. What follows something that is never closed is taken
/// for a part of it, so that nothing is said of it.
pub(crate) fn report(errors: &[Error], document: &DeTable<'_>, reporter: &mut Reporter) {
    let place = |error: &Error| {
        error
            .span()
            .map_or(Span::default(), |at| Span::new(at.start, at.end))
    };
    let mut errors: Vec<(Span, &Error)> =
        errors.iter().map(|error| (place(error), error)).collect();
    errors.sort_by_key(|(place, _)| place.start);
    if errors.is_empty() {
        return;
    }
    let unclosed = unclosed::first(&reporter.source.text);
    if let Some(unclosed) = &unclosed {
        errors.retain(|(place, _)| place.end <= unclosed.opening.start);
    }
    let is_heading = |error: &Error| is_unclosed_heading(error.message());
    if let Some(heading) = errors.iter().position(|(_, error)| is_heading(error)) {
        // Its keys came to stand in the table before it.
        let mut at = 0..;
        errors.retain(|(_, error)| at.next() <= Some(heading) || error.message() != DUPLICATE);
    }
    let mut last_line = 0;
    for (place, error) in errors {
        let (line, _) = reporter.source.line_column(place.start);
        if line == last_line {
            continue;
        }
        last_line = line;
        let diagnostic = match error.message() {
            DUPLICATE => duplicate(place, document, reporter),
            message => in_plain_words(message, place, reporter),
        };
        reporter.push(diagnostic);
        if goes_on_as_text(place, &reporter.source.text) {
            return; // What follows was meant to be a part of the text.
        }
    }
    if let Some(unclosed) = unclosed {
        let diagnostic = never_closed(&unclosed, reporter);
        reporter.push(diagnostic);
    }
}

fn never_closed(unclosed: &Unclosed, reporter: &Reporter) -> Diagnostic {
    let (closing, noun) = (unclosed.what.closing(), unclosed.what.noun());
    let message = format!("the closing `{closing}` of a {noun} is missing");
    let mut error = reporter
        .error(unclosed.opening, message)
        .with_label("opened here");
    if let Some(next) = unclosed.next {
        error = error.with_related(next, "it has to be closed before this");
    }
    match unclosed.last {
        Some(last) => error.with_fix(Span::new(last, last), closing),
        None => error,
    }
}

fn in_plain_words(message: &str, place: Span, reporter: &Reporter) -> Diagnostic {
    if let Some(slip) = slip_in_value(message, place, reporter) {
        return slip;
    }
    let text = &reporter.source.text;
    let is = |start: &str| message.starts_with(start);
    let missing = |what: &str| missing(what, place, reporter);
    if is("invalid unquoted key") && text[place.start..].starts_with(':') {
        missing("`=`")
            .with_help(KEY_AND_VALUE)
            .with_fix(Span::new(place.start, place.start + 1), " =")
    } else if is("extra comma in inline table") {
        reporter
            .error(place, "an entry of a table has no key")
            .with_label(KEY_AND_VALUE)
            .with_help("values without keys are a list: they stand in `[…]`")
    } else if is("invalid basic string, expected `\"`")
        || is("invalid literal string, expected `'`")
    {
        let error = missing("the closing quote of a string");
        match goes_on_as_text(place, text) {
            true => error.with_help(SEVERAL_LINES),
            false => error,
        }
    } else if is("key with no value") || is("missing assignment between") {
        missing("`=`").with_help(KEY_AND_VALUE)
    } else if is_unclosed_heading(message) {
        match name_of_words(place, text) {
            Some(name) => reporter
                .error(place, "a name in `[…]` is one word")
                .with_label("a blank in a name")
                .with_help(format!("write `{name}`")),
            None => missing("the closing `]` of a table's name"),
        }
    } else if is("unclosed array") {
        missing("the closing `]` of a list")
    } else if is("unclosed inline table") {
        missing("the closing `}` of a table")
    } else if is("missing comma") {
        missing("`,`")
    } else if is("invalid unquoted key") || is("unexpected key or value") {
        slip_beside_values(place, reporter).unwrap_or_else(|| not_toml(message, place, reporter))
    } else {
        not_toml(message, place, reporter)
    }
}

fn not_toml(message: &str, place: Span, reporter: &Reporter) -> Diagnostic {
    let error = reporter.error(place, format!("this is not TOML: {message}"));
    error.with_label("here")
}

/// What is said of signs that other languages have before a comment or behind a value, and of keys that are no names.
fn slip_beside_values(place: Span, reporter: &Reporter) -> Option<Diagnostic> {
    let text = &reporter.source.text;
    let (before, rest) = (&text[..place.start], &text[place.start..]);
    let line = &before[before.rfind('\n').map_or(0, |end| end + 1)..];
    let error = |length: usize, message: String| {
        reporter.error(Span::new(place.start, place.start + length), message)
    };
    let comments = ["//", "/*", "--", ";"].into_iter();
    let comment = comments
        .filter(|sign| line.trim().is_empty() || *sign != ";")
        .find(|sign| rest.starts_with(sign));
    if let Some(sign) = comment {
        let error = error(sign.len(), format!("`{sign}` does not begin a comment"));
        return Some(error.with_help("a comment begins with `#`"));
    }
    let sign = &rest[..rest.chars().next()?.len_utf8()];
    match sign {
        ";" | "," => {
            let error = error(1, format!("`{sign}` stands behind a value"));
            let help = "leave it out: each line has a key and its value";
            Some(error.with_help(help).mended(""))
        }
        "(" if is_key(line.trim()) => {
            let name = line.trim();
            let error = error(1, format!("`{name}(…)` is no key"));
            let help =
                format!("a function stands in the table `[functions]`, as `{name} = \"(x) => …\"`");
            Some(error.with_help(help))
        }
        _ if is_text_in_text(line, rest) => {
            let error = error(sign.len(), "a quote within a text ends it".to_owned());
            let help = "a text that has quotes stands between `\"\"\"` and `\"\"\"`, or between single quotes";
            Some(error.with_help(help))
        }
        _ if line.contains(['=', '"', '\'']) => None,
        _ => {
            let mut others = line.char_indices().filter(|(_, c)| !is_of_key(*c));
            let start = others.next_back().map_or(0, |(at, c)| at + c.len_utf8());
            let start = place.start - (line.len() - start);
            let length = text[start..].find(|c| !is_of_key(c))?;
            let key = &text[start..start + length];
            let near = plain_name(key).filter(|near| near != key)?;
            let error = reporter.error(
                Span::new(start, start + length),
                format!("`{key}` can't be a name"),
            );
            Some(
                error
                    .with_label("a name is a letter from a to z, then letters, digits and `_`")
                    .with_help(format!("write `{near}`; a `label` may have any letters")),
            )
        }
    }
}

fn is_of_key(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

fn is_key(word: &str) -> bool {
    !word.is_empty() && word.chars().all(is_of_key)
}

/// Whether a line breaks off behind a quote, and a further one follows: a text that has quotes of its own kind.
fn is_text_in_text(line: &str, rest: &str) -> bool {
    let quote = line.trim_end().chars().next_back();
    let rest = rest.lines().next().unwrap_or_default();
    quote.is_some_and(|quote| {
        "\"'".contains(quote)
            && rest.contains(quote)
            && !rest.split(quote).next().unwrap_or_default().contains('=')
    })
}

/// The word of a file with the quotes and the wide characters of a word processor, with those of a keyboard in their place.
fn straightened(word: &str) -> Option<String> {
    let straight = |c: char| match c {
        '“' | '”' | '„' | '‟' | '«' | '»' => '"',
        '‘' | '’' | '‚' | '‛' => '\'',
        _ => narrow(c).unwrap_or(c),
    };
    let written: String = word.chars().map(straight).collect();
    let reads = |value: &str| format!("x = {value}").parse::<toml::Table>().is_ok();
    (written != word && reads(&written)).then_some(written)
}

/// Whether nothing stands behind a quote that is opened, where an error is: its text was to go on in the next lines.
fn goes_on_as_text(place: Span, text: &str) -> bool {
    let before = text[..place.start].trim_end_matches(' ');
    let opens = before.strip_suffix(['"', '\'']);
    let is_opened = opens.is_some_and(|before| before.trim_end().ends_with('='));
    is_opened && text[place.start..].starts_with(['\n', '\r'])
}

fn missing(what: &str, place: Span, reporter: &Reporter) -> Diagnostic {
    reporter
        .error(place, format!("{what} is missing"))
        .with_label("expected here")
}

/// What is said of a value that is none; nothing of what else is wrong.
fn slip_in_value(message: &str, place: Span, reporter: &Reporter) -> Option<Diagnostic> {
    let text = &reporter.source.text;
    let word = text.get(place.start..place.end).unwrap_or_default().trim();
    let value = value_around(place, text);
    let written = &text[value.start..value.end];
    let is = |start: &str| message.starts_with(start);
    let is_word = is("string values must be quoted");
    // A text that begins as `true`, `false`, `inf` or `nan` does.
    let begins_as_another = is("invalid boolean") || is("invalid float");
    let is_text = is_word || begins_as_another && word.starts_with(char::is_alphabetic);
    let mut keywords = ["true", "false"].into_iter();
    Some(
        if let Some(range) = values::meant_range(written).filter(|_| !is("invalid unquoted key")) {
            let quoted = format!("\"{range}\"");
            reporter
                .error(value, format!("`{written}` is not a value"))
                .with_label(format!("a range stands in quotes: {quoted}"))
                .with_fix(value, quoted)
        } else if is("unexpected leading zero") {
            let number = written.replacen('0', "", 1);
            reporter
                .error(value, format!("`{written}` is not a number"))
                .with_label(format!("write `{number}`"))
                .with_fix(value, number)
        } else if is_word && word.starts_with(|c: char| c.is_ascii_digit()) {
            missing("`,`", place, reporter).with_help(ENTRIES)
        } else if is_word && word.is_empty() {
            missing("the value after `=`", place, reporter)
        } else if let Some(meant) = keywords.find(|own| word.eq_ignore_ascii_case(own)) {
            reporter
                .error(place, format!("`{word}` is not a value"))
                .with_help(format!("did you mean `{meant}`?"))
                .mended(meant)
        } else if let Some(straight) = straightened(word).filter(|_| is_text) {
            reporter
                .error(place, format!("`{word}` is not a value"))
                .with_label(format!("write `{straight}`, with the signs of a keyboard"))
                .with_fix(place, straight)
        } else if is_text {
            reporter
                .error(place, format!("`{word}` is not a value"))
                .with_label("text stands in quotes: \"…\"")
                .with_help(ENTRIES)
        } else {
            return None;
        },
    )
}

/// The value that an error is about: what stands between the marks around it.
fn value_around(place: Span, text: &str) -> Span {
    let begin = |before: &str| {
        let mark = before.rfind(['=', ',', '[', '{', '\n']);
        mark.map_or(0, |mark| mark + 1)
    };
    let mut start = begin(&text[..place.start]);
    // `..=` is no `=` behind a key.
    if let Some(before) = text[..start].strip_suffix("..=") {
        start = begin(before);
    }
    let length = text[place.start..].find([',', ']', '}', '#', '\n']);
    let end = length.map_or(text.len(), |length| place.start + length);
    let inner = &text[start..end];
    let blanks = inner.len() - inner.trim_start().len();
    Span::new(start + blanks, start + inner.trim_end().len().max(blanks))
}

/// The header of a table whose name breaks off at a blank, as one word.
fn name_of_words(place: Span, text: &str) -> Option<String> {
    let start = text[..place.start].rfind('\n').map_or(0, |end| end + 1);
    let line = text[start..].lines().next()?.trim();
    let is_word = |c: char| c.is_alphanumeric() || "_-. []".contains(c);
    let is_name =
        text[place.start..].starts_with(' ') && line.ends_with(']') && line.chars().all(is_word);
    is_name.then(|| line.split_whitespace().collect::<Vec<_>>().join("_"))
}

fn duplicate(place: Span, document: &DeTable<'_>, reporter: &Reporter) -> Diagnostic {
    let key = reporter
        .source
        .text
        .get(place.start..place.end)
        .unwrap_or_default();
    let error = reporter
        .error(
            place,
            format!("the key `{}` is there twice", key.trim_matches(['"', '\''])),
        )
        .with_label("again here");
    match last_before(place, key.trim_matches(['"', '\'']), document) {
        Some(first) => error.with_related(first, "first here"),
        None => error,
    }
}

/// The last key of this name before a place: no other table can begin between a key and its double.
fn last_before(place: Span, name: &str, table: &DeTable<'_>) -> Option<Span> {
    let mut last: Option<Span> = None;
    let mut consider = |found: Option<Span>| {
        let is_later = |found: &Span| last.is_none_or(|last| last.start < found.start);
        if let Some(found) = found
            .filter(|found| found.start < place.start)
            .filter(is_later)
        {
            last = Some(found);
        }
    };
    for (key, value) in table {
        consider((key.get_ref() == name).then(|| span(key)));
        consider(inside(place, name, value));
    }
    last
}

fn inside(place: Span, name: &str, node: &Node<'_>) -> Option<Span> {
    match node.get_ref() {
        DeValue::Table(table) => last_before(place, name, table),
        _ => None,
    }
}
