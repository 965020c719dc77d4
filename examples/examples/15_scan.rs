//! Prefix sums, and what they are good for: packing. Threads mark the primes below 256; the running sum of the marks tells each prime its place in a list without gaps.
//!
//! The scan has three launches: within each tile, over the tiles' totals (one tile), and one that adds to each tile the total of all tiles before it.

use tilewise::prelude::*;

/// Threads of a tile, and the greatest number of tiles.
const TILE: usize = 16;

/// 1 for a prime, 0 for others.
#[amp]
fn is_prime(n: i32) -> i32 {
    if n < 2 {
        return 0;
    }
    let mut divisor = 2;
    while divisor * divisor <= n {
        if n % divisor == 0 {
            return 0;
        }
        divisor += 1;
    }
    1
}

/// Running sums within each tile of `values`, in place; the last one of each tile goes to `totals` too.
fn scan_tiles(values: &ArrayView<'_, i32>, totals: &ArrayView<'_, i32>) -> tilewise::Result<()> {
    parallel_for_each!(values.extent().tile::<TILE>(), |t| {
        #[tile_static]
        let sums: [i32; TILE];
        let i = t.local[0];
        sums[i] = values[t];
        t.barrier.wait();

        let mut distance = 1;
        while distance < TILE as i32 {
            let before = if i >= distance { sums[i - distance] } else { 0 };
            t.barrier.wait();
            sums[i] += before;
            t.barrier.wait();
            distance *= 2;
        }
        values[t] = sums[i];
        if i == TILE as i32 - 1 {
            totals[t.tile] = sums[i];
        }
    })
}

/// Running sums of all `values`, in place.
fn scan(values: &ArrayView<'_, i32>) -> tilewise::Result<()> {
    let totals = ArrayView::<i32>::without_source(TILE)?;
    scan_tiles(values, &totals)?;
    let whole = ArrayView::<i32>::without_source(1)?;
    scan_tiles(&totals, &whole)?;
    parallel_for_each!(values.extent().tile::<TILE>(), |t| {
        if t.tile[0] > 0 {
            values[t] += totals[t.tile - 1];
        }
    })
}

fn main() -> tilewise::Result<()> {
    const COUNT: usize = TILE * TILE;
    let marks = ArrayView::<i32>::without_source(COUNT)?;
    parallel_for_each!(marks.extent(), |i| {
        marks[i] = is_prime(i[0]);
    })?;

    let places = ArrayView::from_vec(COUNT, marks.to_vec()?)?;
    scan(&places)?;
    let found = places.get(COUNT - 1)?;

    let primes = ArrayView::<i32>::without_source(found)?;
    parallel_for_each!(marks.extent(), |i| {
        if marks[i] == 1 {
            primes[places[i] - 1] = i[0];
        }
    })?;

    println!("{found} primes below {COUNT}:");
    for line in primes.to_vec()?.chunks(12) {
        println!("{}", line.iter().map(|prime| format!("{prime:4}")).collect::<String>());
    }
    tilewise_examples::record("places", &places.to_vec()?);
    Ok(())
}
