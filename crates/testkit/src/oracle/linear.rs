//! Systems of linear equations, by the schoolbook.

use oddsmith_dist::RBig;

/// The `x` with `rows * x = right`; each row ends in its right side.
///
/// # Panics
/// If there is not exactly one solution.
pub(super) fn solve(mut rows: Vec<Vec<RBig>>) -> Vec<RBig> {
    let n = rows.len();
    for column in 0..n {
        let pivot = (column..n).find(|&row| rows[row][column] != RBig::ZERO);
        rows.swap(column, pivot.expect("the states can all be left"));
        let divisor = rows[column][column].clone();
        for entry in rows[column]
            .iter_mut()
            .filter(|entry| **entry != RBig::ZERO)
        {
            *entry /= &divisor;
        }
        let pivot = rows[column].clone();
        for (at, row) in rows.iter_mut().enumerate() {
            let factor = row[column].clone();
            if at == column || factor == RBig::ZERO {
                continue;
            }
            for (entry, above) in row.iter_mut().zip(&pivot) {
                if *above != RBig::ZERO {
                    *entry -= &factor * above;
                }
            }
        }
    }
    rows.iter().map(|row| row[n].clone()).collect()
}
