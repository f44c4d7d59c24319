//! What is carried over the faces of a roll, from the highest to the lowest.

use crate::program::{Expr, VarId};

/// What is carried from the highest face that some die shows to the lowest, by steps at each.
///
/// It may be over several pools at once, which are one here: of `k` pools the face `f` of the pool at place `j` is the face
/// `f * k + j`. All expressions are [known once bound](Expr::is_known_once_bound).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fold {
    /// The face.
    pub face: VarId,
    /// For each of the pools how many of its dice show the face; at least one pool.
    pub counts: Vec<VarId>,
    /// What is carried, with what it is at first; at least one. The first is what the fold comes to.
    pub states: Vec<(VarId, Expr)>,
    /// What is bound at each face, one after the other: what is carried, anew, or what is for this face alone.
    pub steps: Vec<(VarId, Expr)>,
}

/// A face, with how many dice of each pool show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaceSet {
    /// The face.
    pub face: i64,
    /// A number for each pool.
    pub counts: Vec<i64>,
}

impl Fold {
    /// Its expressions: what is carried at first, then the steps.
    pub fn parts(&self) -> impl Iterator<Item = &Expr> {
        let states = self.states.iter().map(|(_, start)| start);
        states.chain(self.steps.iter().map(|(_, value)| value))
    }

    /// The variables that it binds, each once.
    #[must_use]
    pub fn bound(&self) -> Vec<VarId> {
        let states = self.states.iter().map(|(var, _)| *var);
        let mut bound: Vec<VarId> = std::iter::once(self.face)
            .chain(self.counts.iter().copied())
            .chain(states)
            .collect();
        for (var, _) in &self.steps {
            if !bound.contains(var) {
                bound.push(*var);
            }
        }
        bound
    }

    pub(crate) fn rename(&mut self, renamed: &dyn Fn(VarId) -> VarId) {
        self.face = renamed(self.face);
        self.counts.iter_mut().for_each(|var| *var = renamed(*var));
        let states = self.states.iter_mut().chain(&mut self.steps);
        states.for_each(|(var, _)| *var = renamed(*var));
    }

    /// The same fold with each expression replaced by `change(part)`.
    #[must_use]
    pub fn map_parts(&self, change: &mut dyn FnMut(&Expr) -> Expr) -> Self {
        let mut changed = |bound: &[(VarId, Expr)]| {
            let bound = bound.iter();
            bound.map(|(var, expr)| (*var, change(expr))).collect()
        };
        Self {
            face: self.face,
            counts: self.counts.clone(),
            states: changed(&self.states),
            steps: changed(&self.steps),
        }
    }

    /// The face and the place of the pool of what stands for both.
    ///
    /// ```
    /// use oddsmith_rules::Span;
    /// use oddsmith_rules::program::{Expr, Fold, VarId};
    ///
    /// let start = Expr::constant(0, Span::default());
    /// let fold = Fold {
    ///     face: VarId(0),
    ///     counts: vec![VarId(1), VarId(2)],
    ///     states: vec![(VarId(3), start)],
    ///     steps: vec![],
    /// };
    /// assert_eq!((fold.shown(13), fold.shown(-1)), ((6, 1), (-1, 1)));
    /// let sets = fold.sets(&[13, 12, 12, 8]);
    /// assert_eq!((sets[0].face, sets[0].counts.as_slice()), (6, &[2, 1][..]));
    /// assert_eq!((sets[1].face, sets[1].counts.as_slice()), (4, &[1, 0][..]));
    /// ```
    #[must_use]
    pub fn shown(&self, face: i64) -> (i64, usize) {
        let pools = i64::try_from(self.counts.len()).expect("a fold is over few pools");
        let place = usize::try_from(face.rem_euclid(pools)).expect("a remainder is not negative");
        (face.div_euclid(pools), place)
    }

    /// The faces that some die of a roll shows; its dice from high to low.
    #[must_use]
    pub fn sets(&self, roll: &[i64]) -> Vec<FaceSet> {
        let mut sets: Vec<FaceSet> = Vec::new();
        for (face, place) in roll.iter().map(|face| self.shown(*face)) {
            if sets.last().is_none_or(|set| set.face != face) {
                let counts = vec![0; self.counts.len()];
                sets.push(FaceSet { face, counts });
            }
            if let Some(set) = sets.last_mut() {
                set.counts[place] += 1;
            }
        }
        sets
    }
}
