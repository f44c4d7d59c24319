//! The dials that matter to a question, and the options of each that it can tell apart.

use std::collections::HashMap;
use std::ops::Range;

use oddsmith_rules::program::InputId;
use oddsmith_rules::{Config, InputRange};

use crate::tune::diagram::TableDim;
use crate::tune::space::Space;

/// The part of a space that a question can see. Its cells are the combinations of what the question tells apart.
#[derive(Debug)]
pub(crate) struct Scope {
    /// Dials of several inputs first, then the others; each in the order of the space.
    dims: Vec<Dim>,
    /// How many of them are of several inputs.
    bundles: usize,
}

/// A dial as a question sees it.
#[derive(Debug)]
struct Dim {
    dial: usize,
    /// The inputs that matter.
    inputs: Vec<InputId>,
    /// Their values, without repetitions.
    tuples: Vec<Vec<i64>>,
    /// The place among these of each option of the dial.
    places: Vec<usize>,
}

impl Scope {
    /// The scope of a question to which these inputs matter.
    pub(crate) fn new(space: &Space<'_>, matter: &[InputId]) -> Self {
        let dims = space.dials.iter().enumerate().filter_map(|(at, dial)| {
            let own: Vec<usize> = (0..dial.inputs.len())
                .filter(|&input| matter.contains(&dial.inputs[input]))
                .collect();
            let (mut tuples, mut places, mut known) = (Vec::new(), Vec::new(), HashMap::new());
            for option in &dial.options {
                let tuple: Vec<i64> = own.iter().map(|&input| option[input]).collect();
                let place = *known.entry(tuple).or_insert_with_key(|tuple| {
                    tuples.push(tuple.clone());
                    tuples.len() - 1
                });
                places.push(place);
            }
            (tuples.len() > 1).then(|| Dim {
                dial: at,
                inputs: own.iter().map(|&input| dial.inputs[input]).collect(),
                tuples,
                places,
            })
        });
        let (mut dims, ranges): (Vec<Dim>, Vec<Dim>) = dims.partition(|dim| dim.inputs.len() > 1);
        let bundles = dims.len();
        dims.extend(ranges);
        Self { dims, bundles }
    }

    /// The dials of one input, as a sweep has them.
    pub(crate) fn ranges(&self) -> Vec<InputRange> {
        let range = |dim: &Dim| {
            let values = dim.tuples.iter().map(|tuple| tuple[0]);
            InputRange::new(dim.inputs[0], values.collect())
        };
        self.dims[self.bundles..].iter().map(range).collect()
    }

    /// A configuration for each combination of the dials of several inputs. A single option of a dial, or several that
    /// the question can't tell apart, are in `base` already.
    pub(crate) fn bases(&self, base: &Config) -> Vec<Config> {
        let count = self.dims[..self.bundles].iter().map(Dim::len).product();
        let config = |at: usize| {
            let mut config = base.clone();
            let places = self.decode(0..self.bundles, at);
            for (dim, place) in self.dims[..self.bundles].iter().zip(places) {
                dim.set(place, &mut config);
            }
            config
        };
        (0..count).map(config).collect()
    }

    /// The dials that it tells apart.
    pub(crate) fn dials(&self) -> Vec<usize> {
        self.dims.iter().map(|dim| dim.dial).collect()
    }

    /// The dims of a table of all cells, by the levels of the dials.
    pub(crate) fn table_dims(&self, levels: &[usize]) -> Vec<TableDim<'_>> {
        let (mut dims, mut stride) = (Vec::new(), 1);
        for dim in self.dims.iter().rev() {
            dims.push(TableDim {
                level: levels[dim.dial],
                places: &dim.places,
                len: dim.len(),
                stride,
            });
            stride *= dim.len();
        }
        dims.sort_by_key(|dim| dim.level);
        dims
    }

    /// The bounds of the inputs; none if some dial has several that matter.
    pub(crate) fn bounds(&self) -> Option<Vec<(InputId, (i64, i64))>> {
        if self.bundles > 0 {
            return None;
        }
        let bounds = self.dims.iter().map(|dim| {
            let values = dim.tuples.iter().map(|tuple| tuple[0]);
            let ends = values.clone().min().zip(values.max())?;
            Some((dim.inputs[0], ends))
        });
        bounds.collect()
    }

    /// The sizes of the dims, in the order of [`Scope::bounds`].
    pub(crate) fn sizes(&self) -> Vec<usize> {
        self.dims.iter().map(Dim::len).collect()
    }

    /// For each dim the places of its values, ascending; in the order of [`Scope::bounds`].
    pub(crate) fn ascending(&self) -> Vec<Vec<usize>> {
        let ascending = |dim: &Dim| {
            let mut places: Vec<usize> = (0..dim.len()).collect();
            places.sort_by_key(|&place| &dim.tuples[place]);
            places
        };
        self.dims.iter().map(ascending).collect()
    }

    /// The dial of each dim.
    pub(crate) fn dial(&self, dim: usize) -> usize {
        self.dims[dim].dial
    }

    /// The configuration of a cell.
    pub(crate) fn config(&self, cell: usize, base: &Config) -> Config {
        let mut config = base.clone();
        let places = self.decode(0..self.dims.len(), cell);
        for (dim, place) in self.dims.iter().zip(places) {
            dim.set(place, &mut config);
        }
        config
    }

    /// How many cells there are.
    pub(crate) fn cells(&self) -> u128 {
        self.dims.iter().fold(1, |cells: u128, dim| {
            cells.saturating_mul(dim.len() as u128)
        })
    }

    /// Whether it tells all candidates apart.
    pub(crate) fn is_whole(&self, space: &Space<'_>) -> bool {
        self.cells() == u128::from(space.candidates)
    }

    /// The places of some dimensions in the `at`th of their combinations, the last one fastest.
    fn decode(&self, dims: Range<usize>, mut at: usize) -> Vec<usize> {
        let mut places: Vec<usize> = self.dims[dims]
            .iter()
            .rev()
            .map(|dim| {
                let place = at % dim.len();
                at /= dim.len();
                place
            })
            .collect();
        places.reverse();
        places
    }
}

impl Dim {
    fn len(&self) -> usize {
        self.tuples.len()
    }

    fn set(&self, place: usize, config: &mut Config) {
        for (input, value) in self.inputs.iter().zip(&self.tuples[place]) {
            config.put(*input, *value);
        }
    }
}

/// How the cells of a scope are made, some at once: those that share a **key**. A block of candidates that share the
/// options of all dials outside of it needs the cells of one key, or of a few.
#[derive(Debug)]
pub(crate) struct Layout<'s> {
    scope: &'s Scope,
    /// Whether the dimension is decided by the key.
    is_key: Vec<bool>,
    /// How many keys there are.
    pub(crate) keys: u128,
    /// How many cells each key has.
    pub(crate) cells: usize,
    /// The number that each place inside of a block adds to the key of the block.
    key_of: Vec<u64>,
    /// The cell of each place inside of a block.
    cell_of: Vec<u32>,
}

impl<'s> Layout<'s> {
    /// Cells together for all that runs inside of a block; or, if `is_each`, each by itself.
    pub(crate) fn new(scope: &'s Scope, space: &Space<'_>, is_each: bool) -> Self {
        let dims = scope.dims.iter();
        let is_key: Vec<bool> = dims
            .clone()
            .map(|dim| is_each || dim.dial < space.inner)
            .collect();
        let sizes = || dims.clone().map(Dim::len).zip(&is_key);
        let keys = sizes().filter(|(_, is_key)| **is_key);
        let cells = sizes().filter(|(_, is_key)| !**is_key);
        let mut layout = Self {
            scope,
            keys: keys.fold(1, |keys, (len, _)| keys * len as u128),
            cells: cells.map(|(len, _)| len).product(),
            is_key,
            key_of: Vec::new(),
            cell_of: Vec::new(),
        };
        for at in 0..space.block {
            let options = space.options(at);
            let (key, cell) =
                layout.address(|dim| (dim.dial >= space.inner).then(|| options[dim.dial]));
            layout.key_of.push(key);
            layout
                .cell_of
                .push(u32::try_from(cell).expect("a block is small"));
        }
        layout
    }

    /// The key and the cell where `option` says which option a dial has, or none for its first place.
    fn address(&self, option: impl Fn(&Dim) -> Option<usize>) -> (u64, u64) {
        let (mut key, mut cell) = (0, 0);
        for (dim, is_key) in self.scope.dims.iter().zip(&self.is_key) {
            let place = option(dim).map_or(0, |option| dim.places[option]) as u64;
            let address = if *is_key { &mut key } else { &mut cell };
            *address = *address * dim.len() as u64 + place;
        }
        (key, cell)
    }

    /// The key that a block has by the dials outside of it.
    pub(crate) fn block_key(&self, space: &Space<'_>, options: &[usize]) -> u64 {
        let (key, _) = self.address(|dim| (dim.dial < space.inner).then(|| options[dim.dial]));
        key
    }

    /// The key of the candidate at a place of a block with this key.
    pub(crate) fn key(&self, block_key: u64, at: usize) -> u64 {
        block_key + self.key_of[at]
    }

    /// The cell of the candidate at a place of any block.
    pub(crate) fn cell(&self, at: usize) -> usize {
        self.cell_of[at] as usize
    }

    /// The cells of a key: for each combination of dials of several inputs that runs inside of a block, which
    /// combination it is among all, and the rows of its sweep.
    pub(crate) fn rows(&self, key: u64) -> Vec<(usize, Range<u64>)> {
        let places = self.outer_places(key);
        let (bundles, all) = (self.scope.bundles, self.scope.dims.len());
        let first = |dims: Range<usize>| {
            let dims = dims.map(|at| {
                (
                    self.scope.dims[at].len() as u64,
                    places[at].unwrap_or(0) as u64,
                )
            });
            dims.fold(0, |row, (len, place)| row * len + place)
        };
        let start = first(bundles..all);
        let inner = (bundles..all).filter(|&at| !self.is_key[at]);
        let rows: u64 = inner.map(|at| self.scope.dims[at].len() as u64).product();
        let count: usize = { 0..bundles }.map(|at| self.scope.dims[at].len()).product();
        let matches = |bundle: &usize| {
            let decoded = self.scope.decode(0..bundles, *bundle);
            let mut both = decoded.iter().zip(&places);
            both.all(|(own, place)| place.is_none_or(|place| place == *own))
        };
        let found = (0..count).filter(matches);
        found.map(|bundle| (bundle, start..start + rows)).collect()
    }

    /// The configuration of every cell of a key.
    pub(crate) fn configs(&self, key: u64, base: &Config) -> Vec<Config> {
        let places = self.outer_places(key);
        let config = |cell: usize| {
            let (mut config, mut rest) = (base.clone(), cell);
            for (dim, place) in self.scope.dims.iter().zip(&places).rev() {
                let place = place.unwrap_or_else(|| {
                    let place = rest % dim.len();
                    rest /= dim.len();
                    place
                });
                dim.set(place, &mut config);
            }
            config
        };
        (0..self.cells).map(config).collect()
    }

    /// The place of every dimension that a key decides.
    fn outer_places(&self, key: u64) -> Vec<Option<usize>> {
        let mut rest = key;
        let mut places: Vec<Option<usize>> = self
            .scope
            .dims
            .iter()
            .zip(&self.is_key)
            .rev()
            .map(|(dim, is_key)| {
                is_key.then(|| {
                    let len = dim.len() as u64;
                    let place = usize::try_from(rest % len).expect("a place in a list");
                    rest /= len;
                    place
                })
            })
            .collect();
        places.reverse();
        places
    }
}
