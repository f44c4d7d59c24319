//! What can't be drawn.

use thiserror::Error;

/// Why there is no picture.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum DrawError {
    /// More than could be told apart.
    #[error("{count} {what} are too many for a picture, which has room for {limit}: {help}")]
    TooMany {
        /// Of what: `bands`.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there may be.
        limit: usize,
        /// What would help.
        help: &'static str,
    },
    /// Nothing to draw.
    #[error("nothing to draw: there is no {0}")]
    Empty(&'static str),
    /// The parts of a figure don't fit together; whoever made it is wrong.
    #[error("the figure doesn't have as many {0} as there are")]
    Mismatch(&'static str),
    /// Characters that would be missing from a PNG.
    #[error("the font of PNG pictures lacks {}: SVG pictures show them, with the fonts of whoever looks", quoted(.0))]
    Characters(String),
    /// The drawing libraries failed.
    #[error("the picture could not be written: {0}")]
    Backend(String),
}

impl DrawError {
    /// An error if `count` is above `limit`.
    pub(crate) fn limit(
        what: &'static str,
        count: usize,
        limit: usize,
        help: &'static str,
    ) -> Result<(), Self> {
        if count <= limit {
            return Ok(());
        }
        Err(Self::TooMany {
            what,
            count,
            limit,
            help,
        })
    }

    /// An error if `count` is above as many as there is room for.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    pub(crate) fn fits(what: &'static str, count: usize, room: f64) -> Result<(), Self> {
        let help = "ask for fewer values or fewer panels, or make a table";
        Self::limit(what, count, room.max(0.0) as usize, help)
    }
}

/// The characters, each in backticks; the first few of many.
fn quoted(characters: &str) -> String {
    const SHOWN: usize = 10;
    let shown: Vec<String> = characters
        .chars()
        .take(SHOWN)
        .map(|c| format!("`{c}`"))
        .collect();
    let more = characters.chars().count().saturating_sub(SHOWN);
    let rest = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    format!("{}{rest}", shown.join(", "))
}
