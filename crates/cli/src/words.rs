//! The words of a command line, before and after they are read as arguments.

use std::ffi::OsString;

use clap::CommandFactory as _;

use oddsmith_rules::nearest;

use crate::args::Args;
use crate::document::{fit, room};
use crate::terminal;

/// Commands that others look for, by what these are called here.
const CALLED_HERE: [(&[&str], &str); 7] = [
    (&["plot", "graph", "draw", "picture"], "chart"),
    (&["roll", "sample", "montecarlo"], "simulate"),
    (
        &["stats", "calc", "prob", "probability", "distribution"],
        "dist",
    ),
    (&["diff"], "compare"),
    (&["optimize", "optimise", "solve", "search"], "tune"),
    (&["init", "create"], "new"),
    (&["accept", "approve", "update"], "check --update"),
];

/// Options that others look for, with the option that they are called here, of whichever command has it.
const OPTIONS_HERE: [(&str, &str); 8] = [
    ("accept", "update"),
    ("axis", "x"),
    ("n", "trials"),
    ("rolls", "trials"),
    ("iterations", "trials"),
    ("x", "sweep"),
    ("rows", "sweep"),
    ("out", "output"),
];

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
            && !is_option(value)
            && !is_file
    })?;
    let [option, name, value] = [apart[0], apart[1], apart[2]];
    let as_one = format!("`{option} {name}={value}`, as one word");
    // Two axes, or an axis and one of its labels.
    let is_word = value.starts_with(|c: char| c.is_ascii_alphabetic());
    Some(match option == "--sweep" && is_word {
        true => format!("{as_one}; or `{option} {name} {option} {value}` for two axes"),
        false => as_one,
    })
}

/// Whether a word is an option, and no negative number or dice.
pub(crate) fn is_option(word: &str) -> bool {
    let name = word.strip_prefix('-').unwrap_or_default();
    name.starts_with(|c: char| c == '-' || c.is_alphabetic()) && !is_negative_dice(word)
}

/// Whether an option that its command has not has a number behind it, so that it is the name of an input rather than one of
/// the command's options that is misspelt.
pub(crate) fn is_setting_of(words: &[OsString], option: &str) -> bool {
    let all = Args::command();
    let command = innermost(&all, words);
    let known = options(command);
    value_of(words, option).is_some()
        && has_option(command, "set")
        && nearest(option, known.iter().map(String::as_str)).is_none()
}

/// What was meant by an option that its command has not: an option of other commands, or an input of the rules. If it is
/// like none of the command's own, as the reader is told then, its options where nothing else was meant.
pub(crate) fn option_meant(words: &[OsString], option: &str, is_like_another: bool) -> String {
    if option.is_empty() {
        return String::new();
    }
    let all = Args::command();
    let command = innermost(&all, words);
    let name = option.trim_start_matches('-');
    let is_short = !option.starts_with("--");
    if is_short {
        if let Some(long) = long_meant(command, words, name) {
            return format!("\n  tip: write `--{long}`\n");
        }
    } else if let Some(own) = called_here(command, name) {
        return format!("\n  tip: write `--{own}`\n");
    } else if is_like_another {
        return String::new();
    } else if let Some(value) = value_of(words, option).filter(|_| has_option(command, "set")) {
        let name = name.split('=').next().unwrap_or(name).replace('-', "_");
        return format!("\n  tip: an axis or a parameter is set by `--set {name}={value}`\n");
    } else if is_format(command, name) {
        return format!("\n  tip: write `--format {name}`\n");
    }
    let has_it = |own: &clap::Command| match is_short {
        true => has_short(own, name),
        false => has_option(own, name),
    };
    let others = commands_where(&all, "oddsmith", &has_it);
    let text = match others.as_slice() {
        [] => format!("the options are {}", options(command).join(", ")),
        [other] => format!("`{option}` is an option of `{other}`"),
        [others @ .., last] => format!(
            "`{option}` is an option of `{}` and `{last}`",
            others.join("`, `")
        ),
    };
    format!("\n{}\n", fit(&text, room(terminal::width())))
}

/// The option of a command that others know under this name.
fn called_here(command: &clap::Command, name: &str) -> Option<&'static str> {
    let mut known = OPTIONS_HERE.into_iter();
    let (_, own) = known.find(|(other, own)| *other == name && has_option(command, own))?;
    Some(own)
}

/// Whether an option is one that the command has under another name.
pub(crate) fn is_called_otherwise(words: &[OsString], option: &str) -> bool {
    let name = option.strip_prefix("--").unwrap_or_default();
    called_here(innermost(&Args::command(), words), name).is_some()
}

/// The option with two dashes that was meant by one with one dash, as in `-format csv`, which begins with this letter.
fn long_meant<'w>(command: &clap::Command, words: &'w [OsString], letter: &str) -> Option<&'w str> {
    let words = words
        .iter()
        .filter_map(|word| word.to_str()?.strip_prefix('-'));
    let mut names = words.map(|word| word.split('=').next().unwrap_or(word));
    names.find(|name| name.starts_with(letter) && has_option(command, name))
}

/// Whether a command can answer in this format.
fn is_format(command: &clap::Command, name: &str) -> bool {
    let formats = command
        .get_arguments()
        .find(|own| own.get_long() == Some("format"));
    let formats = formats
        .map(clap::Arg::get_possible_values)
        .unwrap_or_default();
    formats.iter().any(|format| format.get_name() == name)
}

/// The value of an option that may be the name of an input: `5` of `--bonus 5` and of `--bonus=5`.
fn value_of<'w>(words: &'w [OsString], option: &str) -> Option<&'w str> {
    let is_value = |value: &&str| {
        let digits = value.strip_prefix('-').unwrap_or(value);
        digits.starts_with(|first: char| first.is_ascii_digit())
    };
    let name = option.split('=').next();
    let mut words = words.iter().filter_map(|word| word.to_str());
    let word = words.find(|word| word.split('=').next() == name)?;
    match word.split_once('=') {
        Some((_, value)) => Some(value),
        None => words.next(),
    }
    .filter(is_value)
}

/// The innermost command that the words name.
fn innermost<'c>(all: &'c clap::Command, words: &[OsString]) -> &'c clap::Command {
    let words = words.iter().skip(1).filter_map(|word| word.to_str());
    words.fold(all, |command, word| {
        command.find_subcommand(word).unwrap_or(command)
    })
}

fn has_option(command: &clap::Command, name: &str) -> bool {
    let mut arguments = command.get_arguments();
    arguments.any(|argument| argument.get_long() == Some(name))
}

fn has_short(command: &clap::Command, letter: &str) -> bool {
    let mut shorts = command.get_arguments().filter_map(clap::Arg::get_short);
    shorts.any(|short| letter == short.to_string())
}

/// The commands beneath this one of which something holds, as they are called.
fn commands_where(
    command: &clap::Command,
    called: &str,
    holds: &dyn Fn(&clap::Command) -> bool,
) -> Vec<String> {
    let shown = command.get_subcommands().filter(|own| !own.is_hide_set());
    shown
        .flat_map(|own| {
            let called = format!("{called} {}", own.get_name());
            let beneath = commands_where(own, &called, holds);
            let itself = holds(own).then_some(called);
            itself.into_iter().chain(beneath)
        })
        .collect()
}

/// The options of a command that its help shows.
fn options(command: &clap::Command) -> Vec<String> {
    let shown = command.get_arguments().filter(|own| !own.is_hide_set());
    let names = shown.filter_map(clap::Arg::get_long);
    names.map(|name| format!("--{name}")).collect()
}

/// The command that was meant by the name of one that belongs elsewhere: `oddsmith lint`, `oddsmith balance tune`; or by one
/// that is written nearly so: `oddsmith balance lnt`.
pub(crate) fn elsewhere(words: &[OsString]) -> Option<String> {
    if let [program, help, rest @ ..] = words
        && help == "help"
    {
        let words: Vec<OsString> = [program].into_iter().chain(rest).cloned().collect();
        let told = elsewhere(&words)?.replace("`oddsmith ", "`oddsmith help ");
        return Some(told.replace(" --update", ""));
    }
    if let Some(meant) = without_command(words) {
        return Some(format!("\n  tip: write `oddsmith {meant}`\n"));
    }
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
            let near = || {
                let known = command.get_subcommands().map(clap::Command::get_name);
                let inside = command.get_name() != all.get_name();
                let near = inside.then(|| nearest(word, known)).flatten();
                near.map(|near| format!("{} {near}", command.get_name()))
            };
            let called = CALLED_HERE
                .iter()
                .find(|(others, _)| others.contains(&word));
            let called = called.map(|(_, own)| (*own).to_owned());
            let meant = own.into_iter().chain(named).chain(called).next();
            let meant = meant.or_else(near)?;
            return Some(format!("\n  tip: write `oddsmith {meant}`\n"));
        };
        if !known.has_subcommands() {
            return None;
        }
        command = known;
    }
    None
}

/// The command that was left out before a file or before dice, with these: `oddsmith game.toml`, `oddsmith 2d6`,
/// `oddsmith roll 2d6`.
fn without_command(words: &[OsString]) -> Option<String> {
    let mut words = words.iter().skip(1).filter_map(|word| word.to_str());
    let first = words.next()?;
    if first.ends_with(".toml") {
        return Some(format!("odds {first}"));
    }
    let word = if first == "roll" {
        words.next()?
    } else {
        first
    };
    let digits_end = word.find(|c: char| !c.is_ascii_digit())?;
    let sides = word[digits_end..].strip_prefix('d')?;
    let are_dice = sides.starts_with(|c: char| c.is_ascii_digit());
    are_dice.then(|| format!("dist {word}"))
}

/// What was meant by the name of a check behind its file, as in `odds game.toml attack`; none if none stands so.
pub(crate) fn check_alone(words: &[OsString]) -> Option<String> {
    let words: Vec<&str> = words.iter().filter_map(|word| word.to_str()).collect();
    let is_name = |word: &str| word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let alone = words
        .windows(2)
        .find(|pair| pair[0].ends_with(".toml") && is_name(pair[1]))?;
    Some(format!("\n  tip: write `{}:{}`\n", alone[0], alone[1]))
}

/// The commands that there are where a word is none of them: those of the innermost command that the words before it name.
pub(crate) fn commands(words: &[OsString]) -> String {
    let all = Args::command();
    let shown = innermost(&all, words)
        .get_subcommands()
        .filter(|known| !known.is_hide_set());
    let names: Vec<&str> = shown.map(clap::Command::get_name).collect();
    let text = format!("the commands are {}", names.join(", "));
    format!("\n{}\n", fit(&text, room(terminal::width())))
}

#[cfg(test)]
mod tests {
    use super::{
        OsString, check_alone, commands, elsewhere, joined, option_meant, setting_alone,
        with_negative_dice,
    };

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
    fn a_check_by_itself_belongs_to_its_file() {
        let meant = |line: &str| check_alone(&words(line));
        let tip = "\n  tip: write `a.toml:attack`\n".to_owned();
        assert_eq!(meant("oddsmith odds a.toml attack"), Some(tip));
        assert_eq!(meant("oddsmith compare a.toml b.toml"), None);
    }

    #[test]
    fn options_that_a_command_has_not_are_told() {
        let meant = |line: &str, option: &str| option_meant(&words(line), option, false);
        let set = |setting: &str| {
            format!("\n  tip: an axis or a parameter is set by `--set {setting}`\n")
        };
        assert_eq!(meant("oddsmith odds a.toml --dc 15", "--dc"), set("dc=15"));
        assert_eq!(
            meant("oddsmith odds a.toml --circ-boons=-2", "--circ-boons"),
            set("circ_boons=-2")
        );
        let other = meant("oddsmith odds a.toml --sweep dc", "--sweep");
        assert!(other.contains("`--sweep` is an option of"), "{other}");
        assert!(other.contains("`oddsmith table`"), "{other}");
        let none = meant("oddsmith check --why", "--why");
        assert!(none.contains("the options are"), "{none}");
        assert!(none.contains("--update"), "{none}");
        let update = "\n  tip: write `--update`\n";
        assert_eq!(meant("oddsmith check --accept", "--accept"), update);
        let dashes = |line: &str, option: &str| meant(line, option).trim().to_owned();
        assert_eq!(
            dashes("oddsmith dist 3d6 --csv", "--csv"),
            "tip: write `--format csv`"
        );
        assert_eq!(
            dashes("oddsmith dist 3d6 -format csv", "-f"),
            "tip: write `--format`"
        );
        let short = dashes("oddsmith odds a.toml -o a.txt", "-o");
        assert!(
            short.starts_with("`-o` is an option of `oddsmith table`"),
            "{short}"
        );
        let line = "oddsmith odds a.toml --decimal band";
        assert_eq!(option_meant(&words(line), "--decimal", true), "");
    }

    #[test]
    fn commands_that_belong_elsewhere_are_found() {
        let meant = |line: &str| elsewhere(&words(line));
        let tip = |command: &str| Some(format!("\n  tip: write `oddsmith {command}`\n"));
        assert_eq!(meant("oddsmith lint a.toml"), tip("balance lint"));
        assert_eq!(meant("oddsmith validate a.toml"), tip("rules validate"));
        assert_eq!(meant("oddsmith balance tune a.toml"), tip("tune"));
        assert_eq!(meant("oddsmith rules odds"), tip("odds"));
        assert_eq!(meant("oddsmith plot a.toml"), tip("chart"));
        assert_eq!(meant("oddsmith roll a.toml"), tip("simulate"));
        assert_eq!(meant("oddsmith rules lint"), tip("balance lint"));
        assert_eq!(meant("oddsmith balance lnt a.toml"), tip("balance lint"));
        assert_eq!(meant("oddsmith help lint"), tip("help balance lint"));
        assert_eq!(meant("oddsmith help accept"), tip("help check"));
        assert_eq!(meant("oddsmith a.toml"), tip("odds a.toml"));
        assert_eq!(meant("oddsmith 4d6kh3"), tip("dist 4d6kh3"));
        assert_eq!(meant("oddsmith roll 2d6"), tip("dist 2d6"));
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
        assert_eq!(meant("oddsmith table pbta --sweep stat --rows gear"), None);
        let tip = meant("oddsmith table pbta --sweep stat gear").expect("they are apart");
        assert!(
            tip.contains("or `--sweep stat --sweep gear` for two axes"),
            "{tip}"
        );
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
