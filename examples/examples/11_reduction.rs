//! A sum of many numbers: in each tile half of the threads add what the other half holds, then a quarter, an eighth,
//! .. with a barrier in the loop. A second launch, of one tile, adds up the tiles' sums.

use tilewise::prelude::*;

/// Threads of a tile: a power of two.
const TILE: usize = 32;

/// One sum for each tile of `input`.
fn tile_sums<T: Scalar>(input: &ReadView<'_, T>, sums: &ArrayView<'_, T>) -> tilewise::Result<()> {
    parallel_for_each!(input.extent().tile::<TILE>(), |t| {
        #[tile_static]
        let partial: [T; TILE];
        let i = t.local[0];
        partial[i] = input[t];
        t.barrier.wait();

        let mut half = TILE as i32 / 2;
        while half > 0 {
            if i < half {
                partial[i] += partial[i + half];
            }
            t.barrier.wait();
            half /= 2;
        }
        if i == 0 {
            sums[t.tile] = partial[0];
        }
    })
}

/// The sum of `TILE * TILE` numbers.
fn sum<T: Scalar>(numbers: &[T]) -> tilewise::Result<T> {
    let sums = ArrayView::<T>::without_source(TILE)?;
    tile_sums(&ArrayView::read_only(TILE * TILE, numbers)?, &sums)?;
    let total = ArrayView::<T>::without_source(1)?;
    tile_sums(&sums.as_read_only(), &total)?;
    total.get(0)
}

fn main() -> tilewise::Result<()> {
    let whole: Vec<i32> = (1..=1024).collect();
    println!("1 + 2 + .. + 1024 = {} (it is {})", sum(&whole)?, 1024 * 1025 / 2);

    // Sums of floats depend on the order. It is the same on every accelerator, so the bits are, too.
    let parts: Vec<f32> = whole.iter().map(|&n| 1.0 / n as f32).collect();
    let in_a_tree = sum(&parts)?;
    println!("1 + 1/2 + .. + 1/1024 = {in_a_tree} in a tree, {} from left to right", parts.iter().sum::<f32>());
    tilewise_examples::record("harmonic", &[in_a_tree]);
    Ok(())
}
