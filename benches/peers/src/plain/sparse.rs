//! The product of a sparse matrix and a vector: rows of 8 to 23 numbers near the diagonal, in
//! compressed rows.

use rayon::prelude::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};

use super::{Plain, nothing};
use crate::{PeerOutput, PreparedWork, input};

/// Columns on both sides of the diagonal.
const REACH: u32 = 1000;

/// A matrix in compressed rows: row `i` has the numbers `starts[i]..starts[i + 1]`.
pub struct SparseMatrix {
    /// Where each row begins; one more than there are rows.
    pub starts: Vec<u32>,
    /// The column of each number.
    pub columns: Vec<u32>,
    /// The numbers.
    pub values: Vec<f32>,
}

/// A matrix with so many rows and columns.
pub fn matrix(rows: usize) -> SparseMatrix {
    let mut starts = vec![0];
    let mut columns = Vec::new();
    for row in 0..rows as u32 {
        let count = 8 + input::pcg(row, 0) % 16;
        let of = |k| (row + input::pcg(16 * row + k, 1) % (2 * REACH)).saturating_sub(REACH).min(rows as u32 - 1);
        columns.extend((0..count).map(of));
        starts.push(columns.len() as u32);
    }
    let values = input::floats(columns.len(), 2, -1.0, 1.0);
    SparseMatrix { starts, columns, values }
}

/// The vector.
pub fn vector(rows: usize) -> Vec<f32> {
    input::floats(rows, 3, -1.0, 1.0)
}

struct Product {
    matrix: SparseMatrix,
    x: Vec<f32>,
    y: Vec<f32>,
}

pub(super) fn prepare(rows: usize) -> Box<dyn PreparedWork> {
    Box::new(Plain {
        state: Product { matrix: matrix(rows), x: vector(rows), y: vec![0.0; rows] },
        restore: nothing,
        run: |s| {
            let (SparseMatrix { starts, columns, values }, x) = (&s.matrix, &s.x);
            s.y.par_iter_mut().with_min_len(1 << 10).enumerate().for_each(|(row, y)| {
                let of_row = starts[row] as usize..starts[row + 1] as usize;
                let pairs = values[of_row.clone()].iter().zip(&columns[of_row]);
                *y = pairs.fold(0.0, |sum, (value, &column)| sum + value * x[column as usize]);
            });
        },
        output: |s| PeerOutput::Floats(s.y.clone()),
    })
}
