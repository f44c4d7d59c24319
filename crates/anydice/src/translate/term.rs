//! Parts of scripts.

use super::reason::Reason;
use crate::source::Span;

/// What a part of a script is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A number that is not rolled.
    Fixed,
    /// Dice, which can be read one by one.
    Pool,
    /// The sorted faces of a roll with a name, which a function looks at.
    Faces,
    /// A number that is rolled.
    Rolled,
    /// A sequence of plain numbers.
    Row,
}

/// A part of a script. Its text can stand anywhere, since it is one word or in brackets.
#[derive(Clone, Debug)]
pub(super) struct Term {
    pub(super) kind: Kind,
    pub(super) text: String,
    /// The text of a condition that holds where this is 1, and does not where it is 0.
    pub(super) condition: Option<String>,
    pub(super) constant: Option<i64>,
    /// How many dice a pool has, as a part of a script.
    pub(super) count: Option<String>,
    pub(super) row: Vec<i64>,
}

/// What the names of rolls begin with.
pub(super) const NAMED: &str = "given_";

impl Term {
    fn new(kind: Kind, text: String) -> Self {
        Self {
            kind,
            text,
            condition: None,
            constant: None,
            count: None,
            row: Vec::new(),
        }
    }

    pub(super) fn constant(number: i64) -> Self {
        let text = match number {
            ..0 => format!("(0 - {})", number.unsigned_abs()),
            _ => number.to_string(),
        };
        Self {
            constant: Some(number),
            ..Self::new(Kind::Fixed, text)
        }
    }

    pub(super) fn fixed(text: String) -> Self {
        Self::new(Kind::Fixed, text)
    }

    pub(super) fn rolled(text: String) -> Self {
        Self::new(Kind::Rolled, text)
    }

    pub(super) fn pool(count: String, text: String) -> Self {
        Self {
            count: Some(count),
            ..Self::new(Kind::Pool, text)
        }
    }

    pub(super) fn faces(count: String, name: String) -> Self {
        Self {
            count: Some(count),
            ..Self::new(Kind::Faces, name)
        }
    }

    pub(super) fn row(row: Vec<i64>) -> Self {
        Self {
            row,
            ..Self::new(Kind::Row, String::new())
        }
    }

    /// 1 where a condition holds, and else 0.
    pub(super) fn truth(condition: String, is_fixed: bool) -> Self {
        let text = format!("(if {condition} then 1 else 0)");
        let kind = if is_fixed { Kind::Fixed } else { Kind::Rolled };
        Self {
            condition: Some(condition),
            ..Self::new(kind, text)
        }
    }

    /// Whether a roll with a name is a part of it, which is the same roll wherever it stands.
    pub(super) fn has_names(&self) -> bool {
        self.text.contains(NAMED)
    }

    /// The text of a number.
    pub(super) fn number(&self, span: Span) -> Result<&str, Reason> {
        match self.kind {
            Kind::Row => Err(Reason {
                message: "sequences have no counterpart here".to_owned(),
                span,
            }),
            _ => Ok(&self.text),
        }
    }

    /// The text of a condition: that the number is not 0.
    pub(super) fn holds(&self, span: Span) -> Result<String, Reason> {
        match &self.condition {
            None if self.kind == Kind::Faces => Err(Reason {
                message: "a condition is a number, and this is a sequence".to_owned(),
                span,
            }),
            Some(condition) => Ok(format!("({condition})")),
            None => Ok(format!("({} != 0)", self.number(span)?)),
        }
    }

    /// The text of dice that can be read one by one; a number is a die that shows it.
    pub(super) fn dice(&self, span: Span) -> Result<String, Reason> {
        match self.kind {
            Kind::Rolled | Kind::Faces if self.has_names() => Err(same_roll(span)),
            Kind::Pool => Ok(self.text.clone()),
            Kind::Fixed => Ok(format!("{{{}}}", self.text)),
            Kind::Rolled | Kind::Faces => Ok(format!("1d[{}]", self.text)),
            Kind::Row => Err(Reason {
                message: "a sequence among dice has no counterpart".to_owned(),
                span,
            }),
        }
    }

    /// The numbers of a sequence.
    pub(super) fn into_row(self) -> Result<Vec<i64>, Reason> {
        match self.kind {
            Kind::Row => Ok(self.row),
            _ => Err(Reason {
                message: "a loop over anything but plain numbers has no counterpart".to_owned(),
                span: Span::default(),
            }),
        }
    }
}

/// Why a die does not have the results of a roll with a name.
pub(super) fn same_roll(span: Span) -> Reason {
    Reason {
        message: "dice of what a function makes of a roll have no counterpart".to_owned(),
        span,
    }
}
