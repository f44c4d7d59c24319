//! Notes on how questions are answered.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use dashu_int::UBig;

use crate::number::bits;

/// A question, and how it is to be answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The question in words: `the sum of the highest 3 of 4d6`.
    pub question: String,
    /// The algorithm that answers it.
    pub algorithm: &'static str,
    /// Why it is that one.
    pub reason: String,
    /// The length of the total weight, which no other weight exceeds: the numbers' type
    /// follows from it.
    pub bits: usize,
}

/// The length of `total^n`; of one too long to be computed for a note, at most.
pub(crate) fn power_bits(total: &UBig, n: u32) -> usize {
    const LONGEST: usize = 1 << 24;
    let most = bits(total).saturating_mul(n as usize);
    if most > LONGEST {
        return most;
    }
    bits(&total.pow(n as usize))
}

/// A question that was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The question, and how it was answered.
    pub plan: Plan,
    /// The steps that were predicted, of a nanosecond each; those of its parts included.
    pub steps: u64,
    /// How long it took.
    pub took: Duration,
    /// Depth: of how many other questions this one is a part.
    pub depth: usize,
}

/// Notes in the order in which their questions were begun.
#[derive(Debug, Default)]
pub(crate) struct Notes(Mutex<Book>);

#[derive(Debug, Default)]
struct Book {
    notes: Vec<Note>,
    /// Questions that have been begun and not answered.
    open: usize,
}

impl Notes {
    pub(crate) fn list(&self) -> Vec<Note> {
        self.lock().notes.clone()
    }

    /// Times `work`; `spent` tells the steps charged so far.
    pub(crate) fn take<T>(
        &self,
        plan: Plan,
        spent: impl Fn() -> u64,
        work: impl FnOnce() -> T,
    ) -> T {
        let place = {
            let mut book = self.lock();
            let depth = book.open;
            book.open += 1;
            book.notes.push(Note {
                plan,
                steps: 0,
                took: Duration::ZERO,
                depth,
            });
            book.notes.len() - 1
        };
        let (before, begun) = (spent(), Instant::now());
        let made = work();
        let took = begun.elapsed();
        let mut book = self.lock();
        book.open -= 1;
        let note = &mut book.notes[place];
        note.steps = spent() - before;
        note.took = took;
        made
    }

    fn lock(&self) -> MutexGuard<'_, Book> {
        // A note is written in one go, so a panic elsewhere leaves the book good.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
