//! Text as HTML.

use std::fmt::Write as _;

pub(super) use crate::escape::escape;

/// A sentence in which `code` stands between backticks.
pub(super) fn prose(text: &str) -> String {
    let mut html = String::new();
    let mut parts = text.split('`').peekable();
    let mut is_code = false;
    while let Some(part) = parts.next() {
        let is_closed = parts.peek().is_some();
        match (is_code, is_closed) {
            (true, true) => write!(html, "<code>{}</code>", escape(part)),
            (true, false) => write!(html, "`{}", escape(part)),
            (false, _) => write!(html, "{}", escape(part)),
        }
        .expect("a string takes what is written");
        is_code = !is_code;
    }
    html
}

/// What a link to a part of a page says after its `#`, or the path of a file beside it: everything that could mean
/// something else there is percent-encoded.
pub(super) fn link(text: &str) -> String {
    let mut link = String::new();
    for &byte in text.as_bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~:/".contains(&byte) {
            link.push(char::from(byte));
        } else {
            write!(link, "%{byte:02X}").expect("a string takes what is written");
        }
    }
    link
}

/// JSON for a script element: no text in it can close the element or open a comment.
pub(super) fn script_json(json: &serde_json::Value) -> String {
    json.to_string().replace('<', "\\u003c")
}

/// A template whose `{{name}}`s are filled in one pass, so that nothing that is put in is read as a name.
///
/// # Panics
///
/// If the template names something that is not given, or leaves a name open.
pub(super) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").expect("a name is closed");
        let value = values.iter().find(|(known, _)| *known == name);
        filled.push_str(before);
        filled.push_str(value.expect("a template names what is given").1);
        rest = after;
    }
    filled.push_str(rest);
    filled
}

#[cfg(test)]
mod tests {
    use super::{fill, link, prose, script_json};

    #[test]
    fn backticks_are_code_if_they_are_closed() {
        assert_eq!(
            prose("by `a<b` and `c`"),
            "by <code>a&lt;b</code> and <code>c</code>"
        );
        assert_eq!(prose("an open ` stays"), "an open ` stays");
    }

    #[test]
    fn links_keep_names_and_encode_the_rest() {
        assert_eq!(link("stars-and-signs:check"), "stars-and-signs:check");
        assert_eq!(link("a b?c#d\"é"), "a%20b%3Fc%23d%22%C3%A9");
    }

    #[test]
    fn json_can_not_close_its_element() {
        let json = serde_json::json!(["</script><!--"]);
        let text = script_json(&json);
        assert!(!text.contains('<'), "{text}");
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&text).ok(),
            Some(json)
        );
    }

    #[test]
    fn what_is_filled_in_is_not_read_again() {
        assert_eq!(
            fill("{{a}}-{{b}}", &[("a", "{{b}}"), ("b", "x")]),
            "{{b}}-x"
        );
    }
}
