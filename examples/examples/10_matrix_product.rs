//! A product of matrices in three steps, from plain to fast. Each step loads fewer elements from the views for the
//! same products: a thread for each element; tiles that share blocks of both factors; threads that keep several sums.
//!
//! All steps add in the same order, so each result has the bits of a plain loop on the host.

use tilewise::prelude::*;

/// Rows and columns of a tile; all sizes are multiples of it.
const TILE: usize = 8;
/// Sums of a thread in the last step.
const SUMS: usize = 4;

type Factor<'a> = ReadView<'a, f32, 2>;
type Product<'a> = ArrayView<'a, f32, 2>;

/// Each thread reads a row and a column.
fn naive(a: &Factor<'_>, b: &Factor<'_>, product: &Product<'_>) -> tilewise::Result<()> {
    let inner = a.extent()[1];
    parallel_for_each!(product.extent(), |i| {
        let mut sum = 0.0;
        for k in 0..inner {
            sum += a[(i[0], k)] * b[(k, i[1])];
        }
        product[i] = sum;
    })
}

/// A tile copies a block of both factors: each element is loaded once for `TILE` threads.
fn tiled(a: &Factor<'_>, b: &Factor<'_>, product: &Product<'_>) -> tilewise::Result<()> {
    let blocks = a.extent()[1] / TILE as i32;
    parallel_for_each!(product.extent().tile::<TILE, TILE>(), |t| {
        #[tile_static]
        let left: [[f32; TILE]; TILE];
        #[tile_static]
        let right: [[f32; TILE]; TILE];
        let (row, column) = (t.local[0], t.local[1]);
        let mut sum = 0.0;
        for block in 0..blocks {
            let first = block * TILE as i32;
            left[row][column] = a[(t.global[0], first + column)];
            right[row][column] = b[(first + row, t.global[1])];
            t.barrier.wait();
            for k in 0..TILE {
                sum += left[row][k] * right[k][column];
            }
            // No thread may fill the blocks anew while another still reads them.
            t.barrier.wait();
        }
        product[t] = sum;
    })
}

/// A thread keeps `SUMS` sums, `TILE` rows apart: an element of the right block is loaded once for all of them.
fn several_sums(a: &Factor<'_>, b: &Factor<'_>, product: &Product<'_>) -> tilewise::Result<()> {
    let blocks = a.extent()[1] / TILE as i32;
    let threads = Extent::new((product.extent()[0] / SUMS as i32, product.extent()[1]));
    parallel_for_each!(threads.tile::<TILE, TILE>(), |t| {
        #[tile_static]
        let left: [[f32; TILE]; TILE * SUMS];
        #[tile_static]
        let right: [[f32; TILE]; TILE];
        let (row, column) = (t.local[0] as usize, t.local[1] as usize);
        let top = t.tile[0] as usize * TILE * SUMS + row;
        let mut sums = [0.0; SUMS];
        for block in 0..blocks {
            let first = block as usize * TILE;
            for s in 0..SUMS {
                left[row + s * TILE][column] = a[(top + s * TILE, first + column)];
            }
            right[row][column] = b[(first + row, t.global[1] as usize)];
            t.barrier.wait();
            for k in 0..TILE {
                let factor = right[k][column];
                for s in 0..SUMS {
                    sums[s] += left[row + s * TILE][k] * factor;
                }
            }
            t.barrier.wait();
        }
        for s in 0..SUMS {
            product[(top + s * TILE, t.global[1] as usize)] = sums[s];
        }
    })
}

fn main() -> tilewise::Result<()> {
    let (rows, inner, columns) = (32, 40, 32);
    let a: Vec<f32> = (0..rows * inner).map(|i| (i * 37 % 101) as f32 / 7.0).collect();
    let b: Vec<f32> = (0..inner * columns).map(|i| (i * 53 % 89) as f32 / 11.0).collect();
    let mut plain = vec![0.0; rows * columns];
    for (place, sum) in plain.iter_mut().enumerate() {
        for k in 0..inner {
            *sum += a[place / columns * inner + k] * b[k * columns + place % columns];
        }
    }

    let (a, b) = (ArrayView::read_only((rows, inner), &a)?, ArrayView::read_only((inner, columns), &b)?);
    let factors = 2 * rows * inner * columns;
    println!("{rows}x{inner} times {inner}x{columns}: {} products", factors / 2);
    println!("step          loads from views  loads from tile memory  elements with the bits of a plain loop");
    type Step = fn(&Factor<'_>, &Factor<'_>, &Product<'_>) -> tilewise::Result<()>;
    // A thread with several sums shares the right factor of its products.
    let shared = factors / 2 + factors / 2 / SUMS;
    let steps: [(&str, Step, usize, usize); 3] = [
        ("naive", naive, factors, 0),
        ("tiled", tiled, factors / TILE, factors),
        ("several sums", several_sums, shared / TILE, shared),
    ];
    for (name, step, of_views, of_tiles) in steps {
        let product = ArrayView::without_source((rows, columns))?;
        step(&a, &b, &product)?;
        let product = product.into_vec()?;
        let equal = product.iter().zip(&plain).filter(|(x, y)| x.to_bits() == y.to_bits()).count();
        println!("{name:12}  {of_views:16}  {of_tiles:22}  {equal} of {}", plain.len());
        tilewise_examples::record(name, &product);
    }
    Ok(())
}
