//! Small changes of an input: of its tokens, its lines and its bytes.

use std::ops::Range;

use crate::inputs::Random;

/// Texts that meet limits and special cases, in place of any token.
const WORDS: [&str; 39] = [
    "0",
    "-1",
    "1",
    "2",
    "9",
    "64",
    "255",
    "1000",
    "65536",
    "2147483648",
    "9223372036854775807",
    "-9223372036854775808",
    "99999999999999999999",
    "0.1",
    "1e9",
    "1/3",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'''",
    ",",
    "=",
    "..=",
    "\n",
    "d",
    "kh",
    "!",
    "d{1, 1, 6}",
    "if",
    "match",
    "repeat",
    "for",
    "choose",
    "let",
    "\u{202e}",
];
/// Inputs stay shorter: longer ones are tried by the tests of the limits themselves.
const MOST_BYTES: usize = 20_000;

/// Changes an input a few times; `words` and `others` are tokens and inputs to take from.
pub(crate) fn change(
    input: &mut Vec<u8>,
    words: &[Vec<u8>],
    others: &[Vec<u8>],
    random: &mut Random,
) {
    // Mostly a few changes, so that much stays as it was meant.
    let times =
        1 + random.below(2) * random.below(3) + random.below(2) * random.below(2) * random.below(8);
    for _ in 0..times {
        match random.below(12) {
            0..=4 => replace_token(input, words, random),
            5 => remove_token(input, random),
            6 => swap_tokens(input, random),
            7 => repeat_line(input, random),
            8 => remove_line(input, random),
            9 => splice(input, &others[random.below(others.len())], random),
            10 => wrap(input, random),
            _ => change_byte(input, random),
        }
        input.truncate(MOST_BYTES);
    }
}

/// The tokens of an input: words, numbers, single other characters; without blanks.
pub(crate) fn tokens(input: &[u8]) -> Vec<Range<usize>> {
    let mut tokens: Vec<Range<usize>> = Vec::new();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    for (at, &byte) in input.iter().enumerate() {
        match tokens.last_mut() {
            Some(last) if last.end == at && is_word(byte) && is_word(input[at - 1]) => {
                last.end += 1;
            }
            _ if byte.is_ascii_whitespace() => {}
            _ => tokens.push(at..at + 1),
        }
    }
    tokens
}

/// The lines of an input, with their ends.
fn lines(input: &[u8]) -> Vec<Range<usize>> {
    let mut start = 0;
    let line = |line: &[u8]| {
        let range = start..start + line.len();
        start = range.end;
        range
    };
    input
        .split_inclusive(|&byte| byte == b'\n')
        .map(line)
        .collect()
}

fn any(ranges: &[Range<usize>], random: &mut Random) -> Range<usize> {
    if ranges.is_empty() {
        0..0
    } else {
        random.pick(ranges).clone()
    }
}

fn replace_token(input: &mut Vec<u8>, words: &[Vec<u8>], random: &mut Random) {
    let token = any(&tokens(input), random);
    let word = match random.below(3) {
        0 => random.pick(&WORDS).as_bytes(),
        _ => random.pick(words),
    };
    // Half of them come between two tokens.
    let token = if random.below(2) == 0 {
        token
    } else {
        token.start..token.start
    };
    input.splice(token, word.iter().copied());
}

fn remove_token(input: &mut Vec<u8>, random: &mut Random) {
    input.drain(any(&tokens(input), random));
}

fn swap_tokens(input: &mut Vec<u8>, random: &mut Random) {
    let all = tokens(input);
    let (a, b) = (any(&all, random), any(&all, random));
    let (a, b) = if a.start <= b.start { (a, b) } else { (b, a) };
    if a.end <= b.start {
        let (first, second) = (input[a.clone()].to_vec(), input[b.clone()].to_vec());
        input.splice(b, first);
        input.splice(a, second);
    }
}

fn repeat_line(input: &mut Vec<u8>, random: &mut Random) {
    let line = any(&lines(input), random);
    let times = if random.below(8) == 0 { 40 } else { 1 };
    let copies = input[line.clone()].repeat(times);
    input.splice(line.end..line.end, copies);
}

fn remove_line(input: &mut Vec<u8>, random: &mut Random) {
    input.drain(any(&lines(input), random));
}

/// A part of another input in place of a part of this one.
fn splice(input: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let (here, there) = (lines(input), lines(other));
    let (here, there) = match random.below(2) {
        0 => (any(&here, random), any(&there, random)),
        _ => (any(&tokens(input), random), any(&tokens(other), random)),
    };
    input.splice(here, other[there].iter().copied());
}

/// Brackets around a few tokens, a few deep.
fn wrap(input: &mut Vec<u8>, random: &mut Random) {
    let all = tokens(input);
    if all.is_empty() {
        return;
    }
    let first = random.below(all.len());
    let last = (first + random.below(6)).min(all.len() - 1);
    let (open, close) = *random.pick(&[
        ("(", ")"),
        ("[", "]"),
        ("{", "}"),
        ("sum(", ")"),
        ("-", ""),
        ("not ", ""),
    ]);
    let depth = if random.below(20) == 0 {
        300
    } else {
        1 + random.below(3)
    };
    input.splice(
        all[last].end..all[last].end,
        close.repeat(depth).into_bytes(),
    );
    input.splice(
        all[first].start..all[first].start,
        open.repeat(depth).into_bytes(),
    );
}

fn change_byte(input: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(input.len() + 1);
    let byte = random.byte();
    match random.below(3) {
        0 => input.insert(at, byte),
        _ if at == input.len() => {}
        1 => input[at] = byte,
        _ => drop(input.remove(at)),
    }
}
