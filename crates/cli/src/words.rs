//! The words of a command line, before and after they are read as arguments.

use std::ffi::OsString;

/// Options whose value is a name with its value.
const ASSIGNING: [&str; 6] = ["--set", "--sweep", "--vary", "--a", "--b", "--with"];

/// The arguments as they are read: an expression such as `-1d6` is not an option.
pub(crate) fn with_negative_dice(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = words.collect();
    if words.iter().skip(1).any(|word| word == "dist") {
        for word in &mut words {
            if word.to_str().is_some_and(is_negative_dice) {
                let mut spaced = OsString::from(" ");
                spaced.push(&*word);
                *word = spaced;
            }
        }
    }
    words
}

/// `-1d6`, `-d6`, `-(2d6 + 1)`
fn is_negative_dice(word: &str) -> bool {
    let rest = word.strip_prefix('-').unwrap_or_default();
    let after_d = rest.strip_prefix('d').unwrap_or(rest);
    after_d.starts_with(|c: char| c.is_ascii_digit()) || rest.starts_with(['(', '{'])
}

/// What was meant where an option has a name and its value apart, as in `--set bonus 5`; none if no option has.
pub(crate) fn joined(words: &[OsString]) -> Option<String> {
    let words: Vec<&str> = words
        .iter()
        .map(|word| word.to_str().unwrap_or_default())
        .collect();
    let apart = words.windows(3).find(|part| {
        let is_plain = |word: &str, more: &str| {
            let belongs = |c: char| c.is_ascii_alphanumeric() || more.contains(c);
            !word.is_empty() && word.chars().all(belongs)
        };
        let [option, name, value] = part else {
            return false;
        };
        ASSIGNING.contains(option) && is_plain(name, "_.[]") && is_plain(value, "_.=,-")
    })?;
    Some(format!(
        "\n  tip: write `{} {}={}`, as one word\n",
        apart[0], apart[1], apart[2]
    ))
}

#[cfg(test)]
mod tests {
    use super::{OsString, joined, with_negative_dice};

    #[test]
    fn negative_dice_are_no_options() {
        let words = [
            "oddsmith", "dist", "-d6", "-", "-1d6", "-(d4)", "--format", "-h",
        ];
        let read = with_negative_dice(words.into_iter().map(OsString::from));
        let expected = [
            "oddsmith", "dist", " -d6", "-", " -1d6", " -(d4)", "--format", "-h",
        ];
        assert_eq!(read, expected);
    }

    #[test]
    fn a_name_and_its_value_are_one_word() {
        let meant = |line: &str| joined(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        let tip = meant("oddsmith odds pbta --set stat 2").expect("they are apart");
        assert!(tip.contains("`--set stat=2`"), "{tip}");
        let tip = meant("oddsmith table pbta --sweep stat -1..=3").expect("they are apart");
        assert!(tip.contains("`--sweep stat=-1..=3`"), "{tip}");
        for line in [
            "oddsmith odds pbta --set stat=2 x",
            "oddsmith odds pbta stat 2",
            "oddsmith odds --set a;b 2",
        ] {
            assert_eq!(meant(line), None, "{line}");
        }
    }
}
