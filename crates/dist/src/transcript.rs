//! What was asked and answered, noted down for elsewhere.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Answers to questions, each under a text that says what was asked, and for questions of many rows the first row that is
/// answered: answers that are noted as they are found, or answers that were found elsewhere and need no more work.
///
/// What the texts and the answers look like is up to whoever asks; here they are kept and handed on by a
/// [`Budget`](crate::Budget).
///
/// ```
/// use oddsmith_dist::Transcript;
/// let noted = Transcript::noting();
/// noted.note("rows of a table", 2, b"third".to_vec());
/// noted.note("rows of a table", 0, b"first, second".to_vec());
/// let known = Transcript::known(noted.entries());
/// let pieces: Vec<&[u8]> = known.pieces("rows of a table").collect();
/// assert_eq!(pieces, [&b"first, second"[..], b"third"]); // in the order of their rows
/// assert_eq!(known.pieces("something else").count(), 0);
/// ```
#[derive(Debug)]
pub struct Transcript(Mode);

/// Answers by the question and the first row.
type Entries = BTreeMap<(String, u64), Vec<u8>>;

#[derive(Debug)]
enum Mode {
    Noting(Mutex<Entries>),
    Known(Entries),
}

impl Transcript {
    /// An empty one, in which answers are noted.
    #[must_use]
    pub fn noting() -> Self {
        Self(Mode::Noting(Mutex::default()))
    }

    /// One of answers that were found elsewhere.
    pub fn known(entries: impl IntoIterator<Item = ((String, u64), Vec<u8>)>) -> Self {
        Self(Mode::Known(entries.into_iter().collect()))
    }

    /// Whether answers are noted.
    #[must_use]
    pub fn is_noting(&self) -> bool {
        matches!(self.0, Mode::Noting(_))
    }

    /// Notes an answer, if answers are noted; of one question from one row the first is kept.
    pub fn note(&self, question: &str, from: u64, answer: Vec<u8>) {
        if let Mode::Noting(entries) = &self.0 {
            let mut entries = entries.lock().unwrap_or_else(PoisonError::into_inner);
            entries.entry((question.to_owned(), from)).or_insert(answer);
        }
    }

    /// The answers to a question that were found elsewhere, in the order of their rows; none while answers are noted.
    pub fn pieces(&self, question: &str) -> impl Iterator<Item = &[u8]> {
        let all = match &self.0 {
            Mode::Known(entries) => {
                let (first, last) = ((question.to_owned(), 0), (question.to_owned(), u64::MAX));
                Some(entries.range(first..=last))
            }
            Mode::Noting(_) => None,
        };
        all.into_iter().flatten().map(|(_, answer)| &answer[..])
    }

    /// All that was noted, in the order of the questions' texts, and takes it away.
    pub fn entries(&self) -> impl Iterator<Item = ((String, u64), Vec<u8>)> + use<> {
        let taken = match &self.0 {
            Mode::Noting(entries) => {
                let mut entries = entries.lock().unwrap_or_else(PoisonError::into_inner);
                std::mem::take(&mut *entries)
            }
            Mode::Known(_) => Entries::new(),
        };
        taken.into_iter()
    }
}
