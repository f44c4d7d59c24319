//! Points of several resources at once, and their places in a list.

/// All that may be held: from no points of each resource up to so many of it, the last resource changing quickest.
///
/// ```text
/// up to 1 of the first and 2 of the second:  [0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]
/// ```
#[derive(Clone, Debug)]
pub(super) struct Holdings {
    most: Vec<i64>,
}

impl Holdings {
    /// Up to so many of each; none below 0.
    pub(super) fn new(most: Vec<i64>) -> Self {
        Self { most }
    }

    /// The number of them, or the greatest number where they are more.
    pub(super) fn count_before_charge(&self) -> u128 {
        let sizes = self
            .most
            .iter()
            .map(|most| u128::from(most.unsigned_abs()) + 1);
        sizes.fold(1, u128::saturating_mul)
    }

    /// The number of them, where they have been charged for.
    pub(super) fn count(&self) -> usize {
        let sizes = self.most.iter().map(|most| size(*most));
        sizes.product()
    }

    /// The place of points; none if there are fewer than none or too many of something.
    pub(super) fn place(&self, points: impl IntoIterator<Item = i64>) -> Option<usize> {
        let mut place = 0;
        for (points, most) in points.into_iter().zip(&self.most) {
            if points > *most {
                return None;
            }
            place = place * size(*most) + usize::try_from(points).ok()?;
        }
        Some(place)
    }

    /// The points at a place.
    pub(super) fn at(&self, mut place: usize) -> Vec<i64> {
        let mut points = vec![0; self.most.len()];
        for (points, most) in points.iter_mut().zip(&self.most).rev() {
            let size = size(*most);
            *points = i64::try_from(place % size).expect("not more than there are");
            place /= size;
        }
        points
    }

    /// All of them in their order.
    pub(super) fn all(&self) -> impl Iterator<Item = Vec<i64>> {
        (0..self.count()).map(|place| self.at(place))
    }
}

fn size(most: i64) -> usize {
    usize::try_from(most).expect("not below 0") + 1
}
