//! `d66`: a die of 66 sides, where two dice that are read as digits were meant.

use crate::syntax::ast::{Expr, ExprKind, Faces};
use crate::warnings::found::Found;

/// Dice that games read as digits: those whose faces are single digits, but for d2, which nobody does.
const READ_AS_DIGITS: [u8; 4] = [b'3', b'4', b'6', b'8'];

/// As many digits as games roll, at the most.
const MOST_DIGITS: usize = 4;

/// Warns of a die whose written number of sides is one such digit, several times. A die that has so many sides can be
/// written with parentheses, `d(66)`.
pub(super) fn look(expr: &Expr, found: &mut Found) {
    let ExprKind::Dice { count, die } = &expr.kind else {
        return;
    };
    let Faces::Sides(sides) = &die.faces else {
        return;
    };
    let is_plain = sides.span.start == die.span.start + 1;
    let ExprKind::Int(number) = sides.kind else {
        return;
    };
    let Some(digits) = digits(number).filter(|_| is_plain) else {
        return;
    };
    let digit = &digits[..1];
    let places = (0..digits.len()).rev();
    let parts = places.map(|place| match place {
        0 => format!("1d{digit}"),
        place => format!(
            "{}*1d{digit}",
            10_u64.pow(u32::try_from(place).expect("few digits"))
        ),
    });
    let read = parts.collect::<Vec<String>>().join(" + ");
    let is_one = count
        .as_ref()
        .is_none_or(|count| matches!(count.kind, ExprKind::Int(1)));
    let is_modified = die.reroll.is_some() || die.explode.is_some();
    let mend = match (is_one, is_modified) {
        (true, false) => read,
        _ => {
            let count = count.as_ref().map_or("", |count| found.text(count.span));
            format!("{count}d[{read}]")
        }
    };
    let message = format!("`d{digits}` is a die of {digits} sides");
    let warning = found
        .warning(die.span, message)
        .with_label(format!("1 to {digits}, all equally likely"))
        .with_help(format!(
            "for {} d{digit} that are read as digits write `{mend}`; for a die of {digits} sides, `d({digits})`",
            ["two", "three", "four"][digits.len() - 2]
        ));
    found.push(warning);
}

/// The number's text, if it is one of those digits several times.
fn digits(number: i64) -> Option<String> {
    let text = number.to_string();
    let first = *text.as_bytes().first()?;
    let is_repeated = text.bytes().all(|digit| digit == first);
    let is_read = READ_AS_DIGITS.contains(&first) && (2..=MOST_DIGITS).contains(&text.len());
    (is_repeated && is_read).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::digits;

    #[test]
    fn only_repeated_digits_of_dice_are_meant() {
        let meant: Vec<i64> = (1..=10_000).filter(|n| digits(*n).is_some()).collect();
        let wanted = [33, 44, 66, 88, 333, 444, 666, 888, 3333, 4444, 6666, 8888];
        assert_eq!(meant, wanted);
    }
}
