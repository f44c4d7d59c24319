//! Numbers made of one or two numbers, and how numbers compare.

/// Numbers made of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-x`
    Negate,
    /// `not x`
    Not,
    /// `abs(x)`
    Abs,
    /// `sign(x)`: -1, 0 or 1.
    Sign,
}

/// Numbers made of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `a + b`
    Add,
    /// `a - b`
    Subtract,
    /// `a * b`
    Multiply,
    /// `min(a, b)`
    Min,
    /// `max(a, b)`
    Max,
    /// `a and b`; `b` is not evaluated when `a` is 0.
    And,
    /// `a or b`; `b` is not evaluated when `a` is 1.
    Or,
    /// `a == b` and its kin.
    Compare(CompareOp),
}

/// Comparisons; each means what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareOp {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

impl CompareOp {
    /// Each comparison as it is written.
    pub const SIGNS: [(&'static str, Self); 6] = [
        ("==", Self::Equal),
        ("!=", Self::NotEqual),
        ("<", Self::Less),
        ("<=", Self::LessEqual),
        (">", Self::Greater),
        (">=", Self::GreaterEqual),
    ];

    /// The comparison as it is written: `>=`.
    ///
    /// # Panics
    /// Never: every comparison is in [`Self::SIGNS`].
    #[must_use]
    pub fn sign(self) -> &'static str {
        let mut signs = Self::SIGNS.iter();
        let sign = signs.find(|(_, op)| *op == self);
        sign.expect("every comparison has a sign").0
    }

    /// Whether `a op b next c` is a chain that only rises or only falls, so that it says where `b` lies.
    pub(crate) fn goes_on_with(self, next: Self) -> bool {
        let rises = |op| matches!(op, Self::Less | Self::LessEqual);
        let falls = |op| matches!(op, Self::Greater | Self::GreaterEqual);
        rises(self) && rises(next) || falls(self) && falls(next)
    }

    /// Whether `left op right` holds.
    #[must_use]
    #[inline]
    pub fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Self::Equal => left == right,
            Self::NotEqual => left != right,
            Self::Less => left < right,
            Self::LessEqual => left <= right,
            Self::Greater => left > right,
            Self::GreaterEqual => left >= right,
        }
    }

    /// The comparison that holds if this one does not.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            Self::Less => Self::GreaterEqual,
            Self::LessEqual => Self::Greater,
            Self::Greater => Self::LessEqual,
            Self::GreaterEqual => Self::Less,
        }
    }

    /// The comparison with its sides exchanged.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self {
            Self::Equal | Self::NotEqual => self,
            Self::Less => Self::Greater,
            Self::LessEqual => Self::GreaterEqual,
            Self::Greater => Self::Less,
            Self::GreaterEqual => Self::LessEqual,
        }
    }
}

/// What is made of a numerator and a divisor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Division {
    /// The quotient, rounded down, also below zero.
    Floor,
    /// The quotient, rounded up, also below zero.
    Ceil,
    /// What the quotient that is rounded down leaves of the numerator: it has the sign of the divisor.
    Remainder,
}

impl Division {
    /// The result; none if the denominator is 0 or the result does not fit 64 bits.
    ///
    /// ```
    /// use oddsmith_rules::program::Division;
    /// assert_eq!(Division::Floor.divide(-7, 2), Some(-4));
    /// assert_eq!(Division::Ceil.divide(-7, 2), Some(-3));
    /// assert_eq!(Division::Remainder.divide(-7, 2), Some(1));
    /// ```
    #[must_use]
    pub fn divide(self, numerator: i64, denominator: i64) -> Option<i64> {
        if denominator == 0 {
            return None;
        }
        let rest = numerator.wrapping_rem(denominator);
        let (exact, negative) = (rest == 0, (numerator < 0) != (denominator < 0));
        if self == Self::Remainder {
            let is_other_side = !exact && negative;
            return Some(if is_other_side {
                rest + denominator
            } else {
                rest
            });
        }
        let quotient = numerator.checked_div(denominator)?;
        Some(match self {
            Self::Floor if !exact && negative => quotient - 1,
            Self::Ceil if !exact && !negative => quotient + 1,
            _ => quotient,
        })
    }
}

impl UnaryOp {
    /// The result; none if it does not fit 64 bits.
    #[must_use]
    pub fn apply(self, value: i64) -> Option<i64> {
        match self {
            Self::Negate => value.checked_neg(),
            Self::Not => Some(1 - value),
            Self::Abs => value.checked_abs(),
            Self::Sign => Some(value.signum()),
        }
    }
}

impl BinaryOp {
    /// Whether its sides are truth values, and are evaluated one after the other.
    #[must_use]
    pub fn is_logical(self) -> bool {
        matches!(self, Self::And | Self::Or)
    }

    /// The result; none if it does not fit 64 bits.
    #[must_use]
    #[inline]
    pub fn apply(self, left: i64, right: i64) -> Option<i64> {
        match self {
            Self::Add => left.checked_add(right),
            Self::Subtract => left.checked_sub(right),
            Self::Multiply => left.checked_mul(right),
            Self::Min => Some(left.min(right)),
            Self::Max => Some(left.max(right)),
            Self::And => Some(left & right),
            Self::Or => Some(left | right),
            Self::Compare(op) => Some(i64::from(op.holds(left, right))),
        }
    }
}
