//! What a number is written for.

/// What a number is written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Text of a terminal or a file: `-3.5`, `12345.6`, `3.333e-7`.
    Plain,
    /// A picture or a page: `−3.5`, `12,345.6`, `3.333 × 10⁻⁷`.
    Print,
}

impl Style {
    /// What stands before a negative number.
    #[must_use]
    pub fn minus(self) -> char {
        match self {
            Self::Plain => '-',
            Self::Print => '−',
        }
    }

    /// A whole number; in print it is grouped from 10,000 on.
    ///
    /// ```
    /// use oddsmith_numbers::Style;
    /// assert_eq!(Style::Plain.whole(-12_345), "-12345");
    /// assert_eq!(Style::Print.whole(-12_345), "−12,345");
    /// ```
    #[must_use]
    pub fn whole(self, number: i64) -> String {
        let size = number.unsigned_abs().to_string();
        self.signed(number < 0, self.grouped(size))
    }

    /// Digits that are grouped if that is the style.
    pub(crate) fn grouped(self, digits: String) -> String {
        match self {
            Self::Plain => digits,
            Self::Print => crate::grouped(digits),
        }
    }

    /// The text after a minus sign if it is negative.
    pub(crate) fn signed(self, is_negative: bool, text: String) -> String {
        match is_negative {
            true => format!("{}{text}", self.minus()),
            false => text,
        }
    }

    /// `3.333e-7`; in print `3.333 × 10⁻⁷`.
    pub(crate) fn power(self, mantissa: &str, exponent: i64) -> String {
        let raised = |exponent: i64| exponent.to_string().chars().map(superscript).collect();
        match self {
            Self::Plain => format!("{mantissa}e{exponent}"),
            Self::Print => {
                let raised: String = raised(exponent);
                format!("{} × 10{raised}", crate::round::trimmed(mantissa))
            }
        }
    }
}

fn superscript(digit: char) -> char {
    match digit {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        '9' => '⁹',
        _ => '⁰',
    }
}

/// Words as they are printed, with a minus sign for each hyphen that is one: before a digit, with no letter or digit
/// before it. The hyphen of `1-3` stays.
///
/// ```
/// use oddsmith_numbers::typeset;
/// assert_eq!(typeset("extra = -2"), "extra = −2");
/// assert_eq!(typeset("1-3, d6-1, well-known"), "1-3, d6-1, well-known");
/// ```
#[must_use]
pub fn typeset(words: &str) -> String {
    let mut typeset = String::with_capacity(words.len());
    let mut characters = words.chars().peekable();
    let mut before = ' ';
    while let Some(character) = characters.next() {
        let is_negative = character == '-'
            && characters.peek().is_some_and(char::is_ascii_digit)
            && !before.is_alphanumeric()
            && before != ')';
        typeset.push(if is_negative { '−' } else { character });
        before = character;
    }
    typeset
}

#[cfg(test)]
mod tests {
    use super::typeset;

    #[test]
    fn hyphens_stay_hyphens() {
        assert_eq!(typeset("-5..=-1"), "−5..=−1");
        assert_eq!(
            typeset("1-3, d6-1, (x)-1, well-known"),
            "1-3, d6-1, (x)-1, well-known"
        );
    }
}
