//! Strongly connected components.

/// No component yet, or not seen yet.
const NONE: u32 = u32::MAX;

/// The strongly connected components of what can be reached in a directed graph: sets of places that lead to one another, as
/// large as can be. Each comes after those that it leads to.
///
/// Found by Tarjan's algorithm (SIAM J. Comput. 1, 1972), without recursion, in a time that is linear in the places and their
/// steps. Within a component a place comes after all that it leads to, but for steps that close a cycle: those to places that
/// the search was at on its way there, and to the place itself.
///
/// ```
/// use oddsmith_dist::Components;
/// // 0 leads to 1, which leads back and to 2; nothing leads to 3.
/// let steps = [vec![1], vec![0, 2], vec![], vec![0]];
/// let found = Components::reached(steps.len(), [0], |place, nth| steps[place].get(nth).copied());
/// let sets: Vec<Vec<usize>> = (0..found.len()).map(|set| found.places(set).collect()).collect();
/// assert_eq!(sets, [vec![2], vec![1, 0]]);
/// assert_eq!((found.of(0), found.of(3)), (Some(1), None));
/// ```
#[derive(Clone, Debug)]
pub struct Components {
    /// Places by component, in each those first that were left first.
    found: Vec<u32>,
    /// Where each component ends in `found`.
    until: Vec<u32>,
    /// The component of each place.
    of: Vec<u32>,
}

impl Components {
    /// The components of what can be reached from `roots` among `count` places. `next` is the place that a place leads to by
    /// its step of a number from 0 on; none if it has fewer steps.
    ///
    /// # Panics
    /// If a root or a step is not below `count`, or `count` is 2³² - 1 or more.
    pub fn reached(
        count: usize,
        roots: impl IntoIterator<Item = usize>,
        next: impl Fn(usize, usize) -> Option<usize>,
    ) -> Self {
        let mut search = Search::new(count);
        roots
            .into_iter()
            .for_each(|root| search.visit(index(root), &next));
        search.components
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.until.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.until.is_empty()
    }

    /// The places of a component.
    ///
    /// # Panics
    /// If there is no such component.
    pub fn places(&self, component: usize) -> impl ExactSizeIterator<Item = usize> + Clone {
        let first = component
            .checked_sub(1)
            .map_or(0, |before| self.until[before]);
        let range = first as usize..self.until[component] as usize;
        self.found[range].iter().map(|place| *place as usize)
    }

    /// The component of a place; none if it can't be reached.
    ///
    /// # Panics
    /// If there is no such place.
    #[must_use]
    pub fn of(&self, place: usize) -> Option<usize> {
        Some(self.of[place])
            .filter(|component| *component != NONE)
            .map(|component| component as usize)
    }

    /// All places that can be reached, component by component.
    pub fn all(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.found.iter().map(|place| *place as usize)
    }
}

/// A search under way.
struct Search {
    /// When each place was first seen.
    seen: Vec<u32>,
    /// The earliest place seen that is known to be in the same component.
    low: Vec<u32>,
    /// Places that have been left, and have no component yet.
    open: Vec<u32>,
    count: u32,
    /// Places that are being visited, and how many of their steps have been followed.
    calls: Vec<(u32, usize)>,
    components: Components,
}

impl Search {
    fn new(count: usize) -> Self {
        assert!(index(count) < NONE, "places are numbered in 32 bits");
        Self {
            seen: vec![NONE; count],
            low: vec![NONE; count],
            open: Vec::new(),
            count: 0,
            calls: Vec::new(),
            components: Components {
                found: Vec::with_capacity(count),
                until: Vec::new(),
                of: vec![NONE; count],
            },
        }
    }

    fn enter(&mut self, place: u32) {
        self.seen[place as usize] = self.count;
        self.low[place as usize] = self.count;
        self.count += 1;
        self.calls.push((place, 0));
    }

    fn visit(&mut self, root: u32, next: &impl Fn(usize, usize) -> Option<usize>) {
        if self.seen[root as usize] == NONE {
            self.enter(root);
        }
        while let Some((place, followed)) = self.calls.last_mut() {
            let at = *place as usize;
            if let Some(to) = next(at, *followed) {
                *followed += 1;
                if self.seen[to] == NONE {
                    self.enter(index(to));
                } else if self.components.of[to] == NONE {
                    self.low[at] = self.low[at].min(self.seen[to]);
                }
                continue;
            }
            self.calls.pop();
            if let Some((caller, _)) = self.calls.last() {
                let caller = *caller as usize;
                self.low[caller] = self.low[caller].min(self.low[at]);
            }
            self.open.push(index(at));
            if self.low[at] == self.seen[at] {
                self.close(at);
            }
        }
    }

    /// Closes a component: everything open that was seen since `first`.
    fn close(&mut self, first: usize) {
        let Components { found, until, of } = &mut self.components;
        let is_inside = |place: &&u32| self.seen[**place as usize] >= self.seen[first];
        let inside = self.open.iter().rev().take_while(is_inside).count();
        let inside = self.open.drain(self.open.len() - inside..);
        for place in inside {
            of[place as usize] = index(until.len());
            found.push(place);
        }
        until.push(index(found.len()));
    }
}

fn index(place: usize) -> u32 {
    u32::try_from(place).expect("places are numbered in 32 bits")
}
