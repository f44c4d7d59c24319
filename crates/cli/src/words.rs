//! The words of a command line, before and after they are read as arguments.

use std::ffi::OsString;

use clap::CommandFactory as _;

use crate::args::Args;
use crate::document::{fit, room};
use crate::terminal;

/// Options whose value is a name with its value.
const ASSIGNING: [&str; 6] = ["--set", "--sweep", "--vary", "--a", "--b", "--with"];

/// The arguments as they are read: an expression such as `-1d6` is not an option.
pub(crate) fn with_negative_dice(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = words.collect();
    if words.iter().skip(1).any(|word| word == "dist") {
        for at in 1..words.len() {
            let is_value = words[at - 1] == "--horizon";
            if !is_value && words[at].to_str().is_some_and(is_negative_dice) {
                let mut spaced = OsString::from(" ");
                spaced.push(&words[at]);
                words[at] = spaced;
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

/// What was meant where a setting stands by itself, as in `odds pbta stat=2`; none if none does.
pub(crate) fn setting_alone(words: &[OsString]) -> Option<String> {
    let words = words.iter().skip(2).filter_map(|word| word.to_str());
    let words: Vec<&str> = words.collect();
    let alone = words
        .windows(2)
        .find(|pair| !pair[0].starts_with('-') && is_setting(pair[1]));
    let setting = alone?[1];
    Some(format!("\n  tip: write `--set {setting}`\n"))
}

/// `stat=2`
fn is_setting(word: &str) -> bool {
    let is_name = |name: &str| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    word.split_once('=')
        .is_some_and(|(name, value)| is_name(name) && !value.is_empty())
}

/// What is said where an option has a name and its value apart, as in `--set bonus 5`; nothing if no option has.
pub(crate) fn joined(words: &[OsString]) -> Option<String> {
    Some(format!("\n  tip: write {}\n", apart(words)?))
}

/// What was meant by a name and its value that are two words after an option.
pub(crate) fn apart(words: &[OsString]) -> Option<String> {
    let words: Vec<&str> = words
        .iter()
        .map(|word| word.to_str().unwrap_or_default())
        .collect();
    // `--set skill = 2`
    let spaced = words.windows(4).find_map(|part| match part {
        [option, name, "=", value] if ASSIGNING.contains(option) => Some([*option, *name, *value]),
        _ => None,
    });
    if let Some([option, name, value]) = spaced {
        return Some(format!("`{option} {name}={value}`, as one word"));
    }
    let apart = words.windows(3).find(|part| {
        let is_plain = |word: &str, more: &str| {
            let belongs = |c: char| c.is_ascii_alphanumeric() || more.contains(c);
            !word.is_empty() && word.chars().all(belongs)
        };
        let [option, name, value] = part else {
            return false;
        };
        let is_file = value.ends_with(".toml");
        ASSIGNING.contains(option)
            && is_plain(name, "_.[]")
            && is_plain(value, "_.=,-")
            && *value != "="
            && !is_file
    })?;
    let [option, name, value] = [apart[0], apart[1], apart[2]];
    Some(format!("`{option} {name}={value}`, as one word"))
}

/// The command that was meant by the name of one that belongs elsewhere: `oddsmith lint`, `oddsmith balance tune`.
pub(crate) fn elsewhere(words: &[OsString]) -> Option<String> {
    let all = Args::command();
    let mut command = &all;
    for word in words
        .iter()
        .skip(1)
        .take(2)
        .filter_map(|word| word.to_str())
    {
        let Some(known) = command.find_subcommand(word) else {
            let groups = all
                .get_subcommands()
                .filter(|group| group.find_subcommand(word).is_some());
            let named = groups.map(|group| format!("{} {word}", group.get_name()));
            let own = all.find_subcommand(word).map(|_| word.to_owned());
            let meant = own.into_iter().chain(named).next()?;
            return Some(format!("\n  tip: write `oddsmith {meant}`\n"));
        };
        if !known.has_subcommands() {
            return None;
        }
        command = known;
    }
    None
}

/// The commands that there are where a word is none of them: those of the innermost command that the words before it name.
pub(crate) fn commands(words: &[OsString]) -> String {
    let mut command = &Args::command();
    for word in words.iter().skip(1).filter_map(|word| word.to_str()) {
        command = command.find_subcommand(word).unwrap_or(command);
    }
    let shown = command
        .get_subcommands()
        .filter(|known| !known.is_hide_set());
    let names: Vec<&str> = shown.map(clap::Command::get_name).collect();
    let text = format!("the commands are {}", names.join(", "));
    format!("\n{}\n", fit(&text, room(terminal::width())))
}

#[cfg(test)]
mod tests {
    use super::{OsString, commands, elsewhere, joined, setting_alone, with_negative_dice};

    #[test]
    fn negative_dice_are_no_options() {
        let words = [
            "oddsmith",
            "dist",
            "-d6",
            "-",
            "-1d6",
            "-(d4)",
            "--format",
            "-h",
            "--horizon",
            "-9",
        ];
        let read = with_negative_dice(words.into_iter().map(OsString::from));
        let expected = [
            "oddsmith",
            "dist",
            " -d6",
            "-",
            " -1d6",
            " -(d4)",
            "--format",
            "-h",
            "--horizon",
            "-9",
        ];
        assert_eq!(read, expected);
    }

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn a_setting_by_itself_belongs_to_an_option() {
        let meant = |line: &str| setting_alone(&words(line));
        let tip = "\n  tip: write `--set stat=2`\n".to_owned();
        assert_eq!(meant("oddsmith odds pbta stat=2"), Some(tip));
        for line in [
            "oddsmith odds pbta --set stat=2",
            "oddsmith odds pbta 2d6",
            "oddsmith odds pbta stat=",
        ] {
            assert_eq!(meant(line), None, "{line}");
        }
    }

    #[test]
    fn commands_that_belong_elsewhere_are_found() {
        let meant = |line: &str| elsewhere(&words(line));
        let tip = |command: &str| Some(format!("\n  tip: write `oddsmith {command}`\n"));
        assert_eq!(meant("oddsmith lint a.toml"), tip("balance lint"));
        assert_eq!(meant("oddsmith validate a.toml"), tip("rules validate"));
        assert_eq!(meant("oddsmith balance tune a.toml"), tip("tune"));
        assert_eq!(meant("oddsmith rules odds"), tip("odds"));
        assert_eq!(meant("oddsmith rules lint"), tip("balance lint"));
        for line in [
            "oddsmith",
            "oddsmith odds tune",
            "oddsmith zzz",
            "oddsmith balance pbta",
            "oddsmith balance lint",
        ] {
            assert_eq!(meant(line), None, "{line}");
        }
    }

    #[test]
    fn commands_are_those_of_the_innermost_one() {
        assert!(commands(&words("oddsmith zzz")).starts_with("\nthe commands are odds, table"));
        assert!(
            commands(&words("oddsmith help zzz")).starts_with("\nthe commands are odds, table")
        );
        assert!(
            commands(&words("oddsmith rules zzz")).starts_with("\nthe commands are list, show")
        );
    }

    #[test]
    fn a_name_and_its_value_are_one_word() {
        let meant = |line: &str| joined(&words(line));
        let tip = meant("oddsmith odds pbta --set stat 2").expect("they are apart");
        assert!(tip.contains("`--set stat=2`"), "{tip}");
        let tip = meant("oddsmith odds pbta --set stat = 2").expect("they are apart");
        assert!(tip.contains("`--set stat=2`"), "{tip}");
        let tip = meant("oddsmith table pbta --sweep stat -1..=3").expect("they are apart");
        assert!(tip.contains("`--sweep stat=-1..=3`"), "{tip}");
        for line in [
            "oddsmith odds pbta --set stat=2 x",
            "oddsmith odds pbta stat 2",
            "oddsmith odds --set a;b 2",
            "oddsmith compare pbta --with stat mine.toml",
        ] {
            assert_eq!(meant(line), None, "{line}");
        }
    }
}
