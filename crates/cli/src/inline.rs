//! Pictures between the lines of a terminal, where it can show some.

use std::io::{self, IsTerminal};

use anyhow::Result;
use data_encoding::BASE64;
use oddsmith_report::{Figure, Theme, png};

use crate::terminal;

/// Columns of the terminal that a picture takes.
const COLUMNS: usize = 78;
/// The most characters of a picture that Kitty's protocol has in one escape sequence.
const CHUNK: usize = 4096;

/// How a terminal is handed a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// <https://sw.kovidgoyal.net/kitty/graphics-protocol/>, which Kitty and Ghostty speak.
    Kitty,
    /// <https://iterm2.com/documentation-images.html>, which iTerm2 and WezTerm speak.
    Iterm,
}

/// The protocol of the terminal that standard output is; none if it is no terminal, or can't show pictures.
pub(crate) fn protocol() -> Option<Protocol> {
    let is_terminal = io::stdout().is_terminal();
    is_terminal.then(|| spoken(|name| std::env::var(name).unwrap_or_default()))?
}

/// What the variables of an environment say. A terminal in a terminal, as of tmux or screen, takes pictures apart.
fn spoken(variable: impl Fn(&str) -> String) -> Option<Protocol> {
    let term = variable("TERM");
    if !variable("TMUX").is_empty() || term.starts_with("screen") || term.starts_with("tmux") {
        return None;
    }
    if term.contains("kitty") || term.contains("ghostty") {
        return Some(Protocol::Kitty);
    }
    let programs = [variable("TERM_PROGRAM"), variable("LC_TERMINAL")];
    let is_iterm =
        |program: &String| ["iTerm.app", "iTerm2", "WezTerm"].contains(&program.as_str());
    programs.iter().any(is_iterm).then_some(Protocol::Iterm)
}

/// Shows a figure at the place of the cursor.
pub(crate) fn show(figure: &Figure, protocol: Protocol) -> Result<()> {
    let picture = png(figure, Theme::Light)?;
    Ok(terminal::print_data(
        escaped(&picture, protocol).as_bytes(),
    )?)
}

fn escaped(picture: &[u8], protocol: Protocol) -> String {
    let text = BASE64.encode(picture);
    match protocol {
        Protocol::Iterm => {
            let size = picture.len();
            format!("\x1b]1337;File=inline=1;size={size};width={COLUMNS}:{text}\x07\n")
        }
        Protocol::Kitty => {
            let count = text.len().div_ceil(CHUNK);
            let chunks = text.as_bytes().chunks(CHUNK).enumerate();
            let chunks = chunks.map(|(at, chunk)| {
                let first = match at {
                    0 => format!("a=T,f=100,c={COLUMNS},"),
                    _ => String::new(),
                };
                let goes_on = u8::from(at + 1 < count);
                let chunk = String::from_utf8_lossy(chunk);
                format!("\x1b_G{first}m={goes_on};{chunk}\x1b\\")
            });
            chunks.chain(["\n".to_owned()]).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spoken_in(variables: &[(&str, &str)]) -> Option<Protocol> {
        let found = |name: &str| variables.iter().find(|(known, _)| *known == name);
        spoken(|name| found(name).map_or(String::new(), |(_, value)| (*value).to_owned()))
    }

    #[test]
    fn terminals_say_what_they_can_show() {
        assert_eq!(spoken_in(&[]), None);
        assert_eq!(spoken_in(&[("TERM", "xterm-256color")]), None);
        let kitty = ("TERM", "xterm-kitty");
        assert_eq!(spoken_in(&[kitty]), Some(Protocol::Kitty));
        assert_eq!(
            spoken_in(&[("TERM", "xterm-ghostty")]),
            Some(Protocol::Kitty)
        );
        let wezterm = ("TERM_PROGRAM", "WezTerm");
        assert_eq!(spoken_in(&[wezterm]), Some(Protocol::Iterm));
        assert_eq!(
            spoken_in(&[("LC_TERMINAL", "iTerm2")]),
            Some(Protocol::Iterm)
        );
        assert_eq!(spoken_in(&[kitty, ("TMUX", "/tmp/tmux-0/default")]), None);
        assert_eq!(spoken_in(&[wezterm, ("TERM", "screen.xterm")]), None);
    }

    /// What the escape sequences carry, put together again as a terminal does.
    #[test]
    fn a_picture_comes_through_whole() {
        for length in [1, 3071, 3072, 3073, 10_000] {
            let picture: Vec<u8> = (0..=250).cycle().take(length).collect();
            let kitty = escaped(&picture, Protocol::Kitty);
            let sequences: Vec<&str> = kitty.trim_end().split_terminator("\x1b\\").collect();
            let mut text = String::new();
            for (at, sequence) in sequences.iter().enumerate() {
                let (control, data) = sequence
                    .strip_prefix("\x1b_G")
                    .unwrap()
                    .split_once(';')
                    .unwrap();
                assert_eq!(control.starts_with("a=T,f=100,"), at == 0, "{control}");
                assert_eq!(
                    control.ends_with("m=0"),
                    at + 1 == sequences.len(),
                    "{control}"
                );
                assert!(data.len() <= CHUNK);
                text += data;
            }
            assert_eq!(BASE64.decode(text.as_bytes()).unwrap(), picture);
            let iterm = escaped(&picture, Protocol::Iterm);
            let (head, data) = iterm.trim_end().split_once(':').unwrap();
            assert!(head.contains(&format!("size={length};")), "{head}");
            let data = data.strip_suffix('\x07').unwrap();
            assert_eq!(BASE64.decode(data.as_bytes()).unwrap(), picture);
        }
    }
}
