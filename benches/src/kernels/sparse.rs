//! The product of a sparse matrix in compressed rows and a vector: a thread for each row.

use tilewise::prelude::*;
use tilewise_peers::plain::sparse::{matrix, vector};
use tilewise_peers::{PeerOutput, PreparedWork};

use super::{Views, filled, nothing};

struct Product {
    starts: ReadView<'static, u32>,
    columns: ReadView<'static, u32>,
    values: ReadView<'static, f32>,
    x: ReadView<'static, f32>,
    y: ArrayView<'static, f32>,
}

pub(super) fn prepare(rows: usize, on: &AcceleratorView) -> tilewise::Result<Box<dyn PreparedWork>> {
    let matrix = matrix(rows);
    let count = matrix.values.len();
    let views = Product {
        starts: filled(rows + 1, matrix.starts)?.as_read_only(),
        columns: filled(count, matrix.columns)?.as_read_only(),
        values: filled(count, matrix.values)?.as_read_only(),
        x: filled(rows, vector(rows))?.as_read_only(),
        y: filled(rows, vec![0.0; rows])?,
    };
    Ok(Box::new(Views {
        on: on.clone(),
        views,
        restore: nothing,
        run: |on, Product { starts, columns, values, x, y }| {
            parallel_for_each!((on, y.extent()), |i| {
                let mut sum = 0.0;
                for k in starts[i]..starts[i + 1] {
                    sum += values[k] * x[columns[k]];
                }
                y[i] = sum;
            })
        },
        output: |s| s.y.to_vec().map(PeerOutput::Floats),
    }))
}
