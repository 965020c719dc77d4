//! A product of matrices, tile by tile. Each tile copies a block of both factors into its own memory, so that every element is read from the views once for a tile and not once for a thread.
//! The result is compared with a plain loop, bit for bit: kernels compute with `f32` as Rust does.

use tilewise::prelude::*;

/// Rows and columns of a tile; all sizes are multiples of it.
const TILE: usize = 8;

/// Stores `a * b` in `product`.
fn multiply(
    a: &ReadView<'_, f32, 2>,
    b: &ReadView<'_, f32, 2>,
    product: &ArrayView<'_, f32, 2>,
) -> tilewise::Result<()> {
    let blocks = a.extent()[1] / TILE as i32;
    parallel_for_each!(product.extent().tile::<TILE, TILE>(), |t| {
        #[tile_static]
        let left: [[f32; TILE]; TILE];
        #[tile_static]
        let right: [[f32; TILE]; TILE];
        let row = t.local[0];
        let column = t.local[1];

        let mut sum = 0.0;
        for block in 0..blocks {
            let first = block * TILE as i32;
            left[row][column] = a[(t.global[0], first + column)];
            right[row][column] = b[(first + row, t.global[1])];
            t.barrier.wait();
            for k in 0..TILE {
                sum += left[row][k] * right[k][column];
            }
            // Nobody may fill the blocks anew while another still reads them.
            t.barrier.wait();
        }
        product[t] = sum;
    })
}

/// The same by the definition, on the host.
fn plain(a: &[f32], b: &[f32], (rows, inner, columns): (usize, usize, usize)) -> Vec<f32> {
    let mut product = vec![0.0; rows * columns];
    for row in 0..rows {
        for column in 0..columns {
            for k in 0..inner {
                product[row * columns + column] += a[row * inner + k] * b[k * columns + column];
            }
        }
    }
    product
}

fn main() -> tilewise::Result<()> {
    let (rows, inner, columns) = (24, 40, 32);
    let a: Vec<f32> = (0..rows * inner).map(|i| (i * 37 % 101) as f32 / 7.0).collect();
    let b: Vec<f32> = (0..inner * columns).map(|i| (i * 53 % 89) as f32 / 11.0).collect();

    let mut product = vec![0.0; rows * columns];
    let view = ArrayView::new((rows, columns), &mut product)?;
    view.discard_data();
    multiply(&ArrayView::read_only((rows, inner), &a)?, &ArrayView::read_only((inner, columns), &b)?, &view)?;
    view.close()?;

    println!("{rows}x{inner} times {inner}x{columns}; the upper left corner:");
    for row in 0..4 {
        println!("{:10.3?}", &product[row * columns..][..4]);
    }
    let expected = plain(&a, &b, (rows, inner, columns));
    let equal = product.iter().zip(&expected).filter(|(x, y)| x.to_bits() == y.to_bits()).count();
    println!("{equal} of {} elements have the bits of the plain loop", expected.len());
    tilewise_examples::record("product", &product);
    Ok(())
}
