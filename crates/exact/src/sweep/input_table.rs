//! Tables over some of the swept inputs.

use oddsmith_rules::program::InputId;
use rayon::prelude::*;

use crate::sweep::space::Space;

/// Tables with more cells than this are not worth their memory.
pub(super) const MOST_CELLS: u128 = 1 << 20;

/// Something for each combination of some of the swept inputs.
#[derive(Debug)]
pub(crate) struct InputTable<T> {
    /// The swept inputs that matter, by their places, and how far apart the values of each are.
    strides: Vec<(usize, usize)>,
    pub(crate) cells: Vec<T>,
}

impl<T> InputTable<Option<T>> {
    /// The table, if every cell is there.
    pub(crate) fn complete(self) -> Option<InputTable<T>> {
        let cells: Option<Vec<T>> = self.cells.into_iter().collect();
        Some(InputTable {
            strides: self.strides,
            cells: cells?,
        })
    }
}

impl<T: Send> InputTable<T> {
    /// Fills a table over the inputs in `axes`, in parallel; `make` gets the places of all swept inputs.
    pub(crate) fn fill(
        space: &Space<'_>,
        axes: &[InputId],
        make: impl Fn(&[usize]) -> T + Sync,
    ) -> Self {
        Self::fill_where(space, axes, |places, _| make(places))
    }

    /// The same with what wanted rows read; another cell is as `other` says.
    pub(crate) fn fill_wanted(
        space: &Space<'_>,
        axes: &[InputId],
        make: impl Fn(&[usize]) -> T + Sync,
        other: impl Fn(&[usize]) -> T + Sync,
    ) -> Self {
        Self::fill_where(space, axes, |places, is_read| {
            match space.is_wanted(places, is_read) {
                true => make(places),
                false => other(places),
            }
        })
    }

    /// The same; `make` gets, too, which of the swept inputs are in the table.
    fn fill_where(
        space: &Space<'_>,
        axes: &[InputId],
        make: impl Fn(&[usize], &[bool]) -> T + Sync,
    ) -> Self {
        let lens: Vec<usize> = space
            .ranges
            .iter()
            .map(|range| range.values.len())
            .collect();
        let used: Vec<bool> = space
            .ranges
            .iter()
            .map(|range| axes.contains(&range.input))
            .collect();
        let mut strides = Vec::new();
        let mut size = 1;
        for axis in (0..lens.len()).rev().filter(|&axis| used[axis]) {
            strides.push((axis, size));
            size *= lens[axis];
        }
        let cells = (0..size)
            .into_par_iter()
            .map(|cell| make(&places_of(space, &strides, cell), &used))
            .collect();
        Self { strides, cells }
    }

    /// Something else for each combination; `make` gets the number of its cell, too.
    pub(crate) fn map<U>(&self, mut make: impl FnMut(usize, &T) -> U) -> InputTable<U> {
        let cells = self.cells.iter().enumerate();
        InputTable {
            strides: self.strides.clone(),
            cells: cells.map(|(cell, own)| make(cell, own)).collect(),
        }
    }

    /// The places of all swept inputs at a cell.
    pub(crate) fn places(&self, space: &Space<'_>, cell: usize) -> Vec<usize> {
        places_of(space, &self.strides, cell)
    }

    pub(crate) fn at(&self, places: &[usize]) -> &T {
        let strides = self.strides.iter();
        let cell: usize = strides.map(|&(axis, stride)| stride * places[axis]).sum();
        &self.cells[cell]
    }

    /// The cells that rows share in which only the last swept input varies.
    pub(crate) fn along_last(&self, places: &[usize]) -> Line<'_, T> {
        let (mut from, mut stride) = (0, 0);
        for &(axis, apart) in &self.strides {
            if axis + 1 == places.len() {
                stride = apart;
            } else {
                from += apart * places[axis];
            }
        }
        let cells = &self.cells[from..];
        Line { cells, stride }
    }
}

/// The places of all swept inputs at a cell.
fn places_of(space: &Space<'_>, strides: &[(usize, usize)], cell: usize) -> Vec<usize> {
    let mut places = vec![0; space.ranges.len()];
    for &(axis, stride) in strides {
        places[axis] = cell / stride % space.ranges[axis].values.len();
    }
    places
}

/// The cells of a table along the last swept input.
#[derive(Debug)]
pub(crate) struct Line<'t, T> {
    cells: &'t [T],
    /// How far apart they are: 0 if the last input does not matter.
    stride: usize,
}

impl<'t, T> Line<'t, T> {
    pub(crate) fn at(&self, place: usize) -> &'t T {
        &self.cells[place * self.stride]
    }

    /// Whether the last input matters.
    pub(crate) fn varies(&self) -> bool {
        self.stride > 0
    }
}
