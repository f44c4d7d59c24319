//! Text in HTML and XML.

/// Text as it stands in an element or in a quoted attribute, of HTML as of XML. What XML can't hold is replaced.
///
/// ```
/// use oddsmith_report::escape;
/// assert_eq!(escape("<b> & \"c\""), "&lt;b&gt; &amp; &quot;c&quot;");
/// ```
#[must_use]
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' => escaped.push(character),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn nothing_in_a_text_is_markup() {
        assert_eq!(
            escape("<b> & \"quotes\" 'too'"),
            "&lt;b&gt; &amp; &quot;quotes&quot; &#39;too&#39;"
        );
    }

    #[test]
    fn nothing_in_a_text_is_no_xml() {
        assert_eq!(escape("a\nb\u{1b}[1m\u{ffff}"), "a\nb\u{fffd}[1m\u{fffd}");
    }
}
