//! Goals whose answers go in one direction with some dials, which the script proves: where the two ends of a box of cells
//! lie on one side of what is wanted, or are both right, so is all between, and nothing else is asked there.

use std::collections::HashMap;

use crate::tune::diagram::{Diagram, Diagrams, Halt};

/// A dial as it is halved.
#[derive(Clone, Debug)]
pub(crate) struct BisectDim<'p> {
    pub(crate) level: usize,
    /// The place of each option of the dial.
    pub(crate) places: &'p [usize],
    /// The places in an order in which the answer never falls, or in any order if it is not known to go in one direction.
    pub(crate) order: Vec<usize>,
    pub(crate) is_monotone: bool,
    /// How many cells lie between two neighbouring places.
    pub(crate) stride: usize,
}

/// A goal that is halved: `ask` says on which side of it a cell lies (0, 1 or 2).
pub(crate) struct Bisection<'b, 'a, A> {
    pub(crate) diagrams: &'b mut Diagrams<'a>,
    pub(crate) ask: A,
    /// What is known of cells.
    pub(crate) known: HashMap<usize, u32>,
}

impl<A: FnMut(usize) -> Result<u32, Halt>> Bisection<'_, '_, A> {
    /// The sides of all cells, by dims in the order of their levels.
    ///
    /// # Errors
    /// As `ask`; or if diagrams grow too large.
    pub(crate) fn sides(&mut self, dims: &[BisectDim<'_>], cell: usize) -> Result<Diagram, Halt> {
        let Some((dim, rest)) = dims.split_first() else {
            return Ok(Diagram::leaf(self.side(cell)?));
        };
        if dims.iter().all(|dim| dim.is_monotone) {
            let end = |pick: fn(&[usize]) -> Option<&usize>| {
                let places = dims
                    .iter()
                    .map(|dim| pick(&dim.order).map_or(0, |own| own * dim.stride));
                cell + places.sum::<usize>()
            };
            let (low, high) = (end(<[usize]>::first), end(<[usize]>::last));
            let side = self.side(low)?;
            if side == self.side(high)? {
                return Ok(Diagram::leaf(side));
            }
        }
        let last = dim.order.len() - 1;
        let mut own: Vec<Option<Diagram>> = vec![None; dim.order.len()];
        let mut open = vec![(0, last)];
        for end in [0, last] {
            own[dim.order[end]] = Some(self.sides(rest, cell + dim.order[end] * dim.stride)?);
        }
        // Two functions between which others lie, and that are the same, are these others, too.
        while let Some((from, to)) = open.pop() {
            if to - from < 2 {
                continue;
            }
            let ends = [from, to].map(|end| own[dim.order[end]]);
            if dim.is_monotone && ends[0] == ends[1] {
                for between in from + 1..to {
                    own[dim.order[between]] = ends[0];
                }
                continue;
            }
            let middle = usize::midpoint(from, to);
            let place = dim.order[middle];
            own[place] = Some(self.sides(rest, cell + place * dim.stride)?);
            open.extend([(from, middle), (middle, to)]);
        }
        let own = own
            .into_iter()
            .map(|own| own.expect("every place is found"));
        let own: Vec<Diagram> = own.collect();
        self.diagrams
            .of_level(dim.level, |option| own[dim.places[option]])
    }

    fn side(&mut self, cell: usize) -> Result<u32, Halt> {
        if let Some(&known) = self.known.get(&cell) {
            return Ok(known);
        }
        let side = (self.ask)(cell)?;
        self.known.insert(cell, side);
        Ok(side)
    }
}
