//! Names of files as URIs: `served:/games/high%20noon.toml`. Each name has one URI, and nothing else is one.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::error::FileError;

const SCHEME: &str = "served:/";

/// What RFC 3986 calls reserved, and all that it does not name.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// How deep below what is served a ruleset may be: it has at most so many directories above it.
pub(super) const DEEPEST: usize = 8;

/// The file of a project's settings, which is no ruleset.
const SETTINGS: &str = "oddsmith.toml";

/// The URI of a file, given as the names that lead to it.
pub(super) fn uri<S: AsRef<str>>(segments: impl IntoIterator<Item = S>) -> String {
    let encode = |segment: S| utf8_percent_encode(segment.as_ref(), RESERVED).to_string();
    let encoded: Vec<String> = segments.into_iter().map(encode).collect();
    format!("{SCHEME}{}", encoded.join("/"))
}

/// The names that lead to the file of a URI.
pub(super) fn parse(text: &str) -> Result<Vec<String>, FileError> {
    let refused = |why| FileError::Uri {
        uri: text.chars().take(200).collect(),
        why,
    };
    let path = text.strip_prefix(SCHEME);
    let path = path.ok_or_else(|| refused("it does not begin with `served:/`"))?;
    let mut segments = Vec::new();
    for encoded in path.split('/') {
        let decoded = percent_decode_str(encoded).decode_utf8();
        let segment = decoded
            .map_err(|_| refused("it is not UTF-8"))?
            .into_owned();
        if let Some(why) = refusal(&segment) {
            return Err(refused(why));
        }
        segments.push(segment);
    }
    if segments.len() > DEEPEST + 1 {
        return Err(refused("it is too deep"));
    }
    if !segments.last().is_some_and(|name| is_ruleset(name)) {
        return Err(refused(
            "a ruleset ends in `.toml`, and `oddsmith.toml` is none",
        ));
    }
    // Another spelling would be another file to those who compare texts.
    if uri(&segments) != text {
        return Err(refused(
            "a character is encoded that need not be, or the other way round",
        ));
    }
    Ok(segments)
}

/// Whether this is how the file of a ruleset is called.
pub(super) fn is_ruleset(name: &str) -> bool {
    name.ends_with(".toml") && name != SETTINGS && refusal(name).is_none()
}

/// Why no directory or file that is served has this name, on any system: those that lead elsewhere on one of them are no
/// names on the others either.
pub(super) fn refusal(segment: &str) -> Option<&'static str> {
    if segment.is_empty() {
        return Some("a name is empty");
    }
    if segment.starts_with('.') {
        return Some("a name begins with `.`");
    }
    if segment.ends_with(['.', ' ']) {
        return Some("a name ends in `.` or a space");
    }
    if segment.contains(['/', '\\', ':']) {
        return Some("a name has `/`, `\\` or `:`");
    }
    if segment.contains(char::is_control) {
        return Some("a name has a control character");
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{parse, uri};

    #[test]
    fn names_have_uris() {
        for (text, names) in [
            ("served:/coin.toml", &["coin.toml"][..]),
            (
                "served:/games/high%20noon.toml",
                &["games", "high noon.toml"],
            ),
            ("served:/100%25.toml", &["100%.toml"]),
            ("served:/W%C3%BCrfel.toml", &["Würfel.toml"]),
        ] {
            let parsed = parse(text).expect(text);
            assert_eq!(parsed, names);
            assert_eq!(uri(&parsed), text);
        }
    }

    #[test]
    fn nothing_else_is_one() {
        for bad in [
            "",
            "coin.toml",
            "/etc/coin.toml",
            "file:///etc/coin.toml",
            "served:coin.toml",
            "served:",
            "served:/",
            "served://coin.toml",
            "served:///etc/coin.toml",
            "served:/./coin.toml",
            "served:/../coin.toml",
            "served:/games/../../coin.toml",
            "served:/%2e%2e/coin.toml",
            "served:/%2E%2E/coin.toml",
            "served:/..%2fcoin.toml",
            "served:/..%5Ccoin.toml",
            "served:/..\\coin.toml",
            "served:/%252e%252e/coin.toml%2f",
            "served:/games%2Fcoin.toml",
            "served:/c%6Fin.toml",
            "served:/high noon.toml",
            "served:/W%c3%bcrfel.toml",
            "served:/W%FCrfel.toml",
            "served:/Würfel.toml",
            "served:/coin.toml%00",
            "served:/coin%00.toml",
            "served:/coin%0A.toml",
            "served:/coin.txt",
            "served:/coin.toml/",
            "served:/coin.toml.",
            "served:/coin.toml%20",
            "served:/coin.toml::$DATA",
            "served:/coin.toml%3A%3A%24DATA",
            "served:/C:/coin.toml",
            "served:/C%3A/coin.toml",
            "served:/%5C%5Cserver%5Cshare%5Ccoin.toml",
            "served:/%5C%5C%3F%5CC%3A%5Ccoin.toml",
            "served:/.git/coin.toml",
            "served:/.coin.toml",
            "served:/oddsmith.toml",
            "served:/games/oddsmith.toml",
            "served:/coin.toml?x",
            "served:/coin.toml#x",
            "served:/coin%",
            "served:/coin%2.toml",
            "served:/1/2/3/4/5/6/7/8/9/coin.toml",
            "SERVED:/coin.toml",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn what_is_one_is_the_only_one_of_its_name(text in "served:(/([a-z.%/\\\\: ]|%2[0-9a-fA-F]|%5[cC]|\\.\\.)*)\\.toml") {
            if let Ok(names) = parse(&text) {
                prop_assert_eq!(uri(&names), text);
                prop_assert!(names.iter().all(|name| name != ".." && !name.contains(['/', '\\'])));
            }
        }

        #[test]
        fn a_name_that_may_be_served_survives(names in prop::collection::vec("[^/\\\\:.\\p{Cc} ]{1,20}", 1..9)) {
            let mut names = names;
            if let Some(last) = names.last_mut() {
                last.push_str(".toml");
            }
            prop_assume!(names.last().is_none_or(|last| last != "oddsmith.toml"));
            prop_assert_eq!(parse(&uri(&names)), Ok(names));
        }
    }
}
