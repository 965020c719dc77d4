//! Prefix sums of an array of any length, and what they are good for: packing. Threads mark the primes below 1000;
//! the running sum of the marks tells each prime its place in a list without gaps.
//!
//! Each tile scans its part and leaves its total. The totals are scanned in the same way, level by level, until one
//! tile holds them all; on the way back each tile adds the total of all tiles before it.

use tilewise::prelude::*;

/// Threads of a tile.
const TILE: usize = 16;
/// Numbers, no multiple of the tile: the last tile reaches past the end.
const COUNT: usize = 1000;

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
    let length = values.extent()[0];
    parallel_for_each!(values.extent().tile::<TILE>().pad(), |t| {
        #[tile_static]
        let sums: [i32; TILE];
        let i = t.local[0];
        let inside = t.global[0] < length;
        sums[i] = if inside { values[t] } else { 0 };
        t.barrier.wait();

        let mut distance = 1;
        while distance < TILE as i32 {
            let before = if i >= distance { sums[i - distance] } else { 0 };
            t.barrier.wait();
            sums[i] += before;
            t.barrier.wait();
            distance *= 2;
        }
        if inside {
            values[t] = sums[i];
        }
        if i == TILE as i32 - 1 {
            totals[t.tile] = sums[i];
        }
    })
}

/// Running sums of all `values`, in place. Returns the number of levels.
fn scan(values: &ArrayView<'_, i32>) -> tilewise::Result<usize> {
    let length = values.extent()[0];
    let tiles = values.extent().tile::<TILE>().pad().extent()[0] / TILE as i32;
    let totals = ArrayView::<i32>::without_source(tiles)?;
    scan_tiles(values, &totals)?;
    if tiles == 1 {
        return Ok(1);
    }
    let levels = scan(&totals)?;
    parallel_for_each!(values.extent().tile::<TILE>().pad(), |t| {
        if t.tile[0] > 0 && t.global[0] < length {
            values[t] += totals[t.tile - 1];
        }
    })?;
    Ok(levels + 1)
}

fn main() -> tilewise::Result<()> {
    let marks = ArrayView::<i32>::without_source(COUNT)?;
    parallel_for_each!(marks.extent(), |i| {
        marks[i] = is_prime(i[0]);
    })?;

    let places = ArrayView::from_vec(COUNT, marks.to_vec()?)?;
    let levels = scan(&places)?;
    let found = places.get(COUNT - 1)?;

    let primes = ArrayView::<i32>::without_source(found)?;
    parallel_for_each!(marks.extent(), |i| {
        if marks[i] == 1 {
            primes[places[i] - 1] = i[0];
        }
    })?;

    println!("{COUNT} numbers in {levels} levels of tiles of {TILE}; {found} primes:");
    for line in primes.to_vec()?.chunks(21) {
        println!("{}", line.iter().map(|prime| format!("{prime:4}")).collect::<String>());
    }
    tilewise_examples::record("places", &places.to_vec()?);
    Ok(())
}
