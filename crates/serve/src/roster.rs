//! Who is there: a list with a limited number of places.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Instant;

use crate::lock::lock;

/// A list of those who are there, of whom there may only be so many.
pub(crate) struct Roster<T> {
    most: usize,
    places: Mutex<Places<T>>,
    left: Condvar,
}

struct Places<T> {
    next: u64,
    taken: BTreeMap<u64, T>,
}

/// A place in a roster, which is free again when this is dropped.
pub(crate) struct Place<T> {
    roster: Arc<Roster<T>>,
    number: u64,
}

impl<T: Clone> Roster<T> {
    pub(crate) fn new(most: usize) -> Arc<Self> {
        let places = Places {
            next: 0,
            taken: BTreeMap::new(),
        };
        Arc::new(Self {
            most,
            places: Mutex::new(places),
            left: Condvar::new(),
        })
    }

    /// A place for one more, unless all are taken.
    pub(crate) fn enter(self: &Arc<Self>, one: T) -> Option<Place<T>> {
        let mut places = lock(&self.places);
        if places.taken.len() >= self.most {
            return None;
        }
        let number = places.next;
        places.next += 1;
        places.taken.insert(number, one);
        let roster = Arc::clone(self);
        Some(Place { roster, number })
    }

    /// Those who are there, in the order in which they came.
    pub(crate) fn list(&self) -> Vec<T> {
        lock(&self.places).taken.values().cloned().collect()
    }

    pub(crate) fn len(&self) -> usize {
        lock(&self.places).taken.len()
    }

    /// Waits until nobody is there, or until a moment.
    pub(crate) fn wait_until_empty(&self, until: Instant) {
        let mut places = lock(&self.places);
        while !places.taken.is_empty() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            let waited = self.left.wait_timeout(places, left);
            places = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl<T> Drop for Place<T> {
    fn drop(&mut self) {
        let gone = lock(&self.roster.places).taken.remove(&self.number);
        self.roster.left.notify_all();
        drop(gone);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::Roster;

    #[test]
    fn there_are_so_many_places_and_no_more() {
        let roster = Roster::new(2);
        let first = roster.enter('a').expect("a place");
        let second = roster.enter('b').expect("a place");
        assert!(roster.enter('c').is_none());
        drop(first);
        let third = roster.enter('d').expect("a place");
        assert_eq!(roster.list(), ['b', 'd']);
        roster.wait_until_empty(Instant::now());
        drop((second, third));
        assert_eq!(roster.len(), 0);
    }
}
