//! One pass of a radix sort: each tile counts its digits, the running sums of all counts say where
//! each tile's numbers with each digit begin, and each tile moves its numbers there in order.

use tilewise::prelude::*;
use tilewise_peers::plain::radix::{DIGITS, SHIFT, inputs};
use tilewise_peers::{PeerOutput, PreparedWork};

use super::{Views, filled, nothing, prefix};

/// Threads of a tile.
const TILE: usize = 256;
/// Numbers that follow each other and that one thread has.
const OWN: usize = 8;
/// Numbers of a tile.
const WHOLE: usize = TILE * OWN;

struct Pass {
    numbers: ReadView<'static, u32>,
    sorted: ArrayView<'static, u32>,
    /// Counts of each digit, and of each tile with that digit.
    counts: ArrayView<'static, u32>,
    places: ArrayView<'static, u32>,
    totals: Vec<ArrayView<'static, u32>>,
}

#[amp]
fn digit(number: u32) -> u32 {
    (number >> SHIFT) % DIGITS as u32
}

/// Counts the digits of each tile.
fn count(on: &AcceleratorView, numbers: &ReadView<'_, u32>, counts: &ArrayView<'_, u32>) -> tilewise::Result<()> {
    let tiles = numbers.extent()[0] / WHOLE as i32;
    parallel_for_each!((on, Extent([tiles * TILE as i32]).tile::<TILE>()), |t| {
        #[tile_static]
        let own: [u32; DIGITS];
        let l = t.local[0];
        if l < DIGITS as i32 {
            own[l] = 0;
        }
        t.barrier.wait();
        for k in 0..OWN as i32 {
            let number = numbers[t.tile[0] * WHOLE as i32 + k * TILE as i32 + l];
            own.atomic(digit(number)).fetch_add(1);
        }
        t.barrier.wait();
        if l < DIGITS as i32 {
            counts[l * tiles + t.tile[0]] = own[l];
        }
    })
}

/// Moves the numbers: `places` has the running sums of `counts`.
fn scatter(on: &AcceleratorView, pass: &Pass) -> tilewise::Result<()> {
    let Pass { numbers, sorted, counts, places, .. } = pass;
    let tiles = numbers.extent()[0] / WHOLE as i32;
    parallel_for_each!((on, Extent([tiles * TILE as i32]).tile::<TILE>()), |t| {
        // The tile's numbers; how many of each digit each thread has, first by digit; and the
        // running sums of both together.
        #[tile_static]
        let staged: [u32; WHOLE];
        #[tile_static]
        let ranks: [u32; DIGITS * TILE];
        #[tile_static]
        let sums: [u32; TILE];
        let l = t.local[0];
        let tile = t.tile[0];
        for k in 0..OWN as i32 {
            staged[k * TILE as i32 + l] = numbers[tile * WHOLE as i32 + k * TILE as i32 + l];
        }
        for d in 0..DIGITS as i32 {
            ranks[d * TILE as i32 + l] = 0;
        }
        t.barrier.wait();
        for k in 0..OWN as i32 {
            ranks[digit(staged[l * OWN as i32 + k]) * TILE as u32 + l as u32] += 1;
        }
        t.barrier.wait();

        // Each thread sums as many counts as there are digits, the threads sum those.
        let mut sum = 0u32;
        for k in 0..DIGITS as i32 {
            sum += ranks[l * DIGITS as i32 + k];
        }
        sums[l] = sum;
        t.barrier.wait();
        let mut distance = 1;
        while distance < TILE as i32 {
            let before = if l >= distance { sums[l - distance] } else { 0 };
            t.barrier.wait();
            sums[l] += before;
            t.barrier.wait();
            distance *= 2;
        }
        let mut before = sums[l] - sum;
        for k in 0..DIGITS as i32 {
            let here = ranks[l * DIGITS as i32 + k];
            ranks[l * DIGITS as i32 + k] = before;
            before += here;
        }
        t.barrier.wait();

        // The first rank of a digit is that of the tile's first thread; `sums` keeps it, as that
        // thread counts on.
        if l < DIGITS as i32 {
            let at = l * tiles + tile;
            sums[l] = (places[at] - counts[at]).wrapping_sub(ranks[l * TILE as i32]);
        }
        t.barrier.wait();
        for k in 0..OWN as i32 {
            let number = staged[l * OWN as i32 + k];
            let of = digit(number);
            let rank = of * TILE as u32 + l as u32;
            sorted[sums[of].wrapping_add(ranks[rank])] = number;
            ranks[rank] += 1;
        }
    })
}

pub(super) fn prepare(length: usize, on: &AcceleratorView) -> tilewise::Result<Box<dyn PreparedWork>> {
    let counters = length / WHOLE * DIGITS;
    let views = Pass {
        numbers: filled(length, inputs(length))?.as_read_only(),
        sorted: filled(length, vec![0; length])?,
        counts: filled(counters, vec![0; counters])?,
        places: filled(counters, vec![0; counters])?,
        totals: prefix::totals(counters)?,
    };
    Ok(Box::new(Views {
        on: on.clone(),
        views,
        restore: nothing,
        run: |on, pass| {
            count(on, &pass.numbers, &pass.counts)?;
            prefix::scan(on, &pass.counts, &pass.places, &pass.totals)?;
            scatter(on, pass)
        },
        output: |s| s.sorted.to_vec().map(PeerOutput::Words),
    }))
}
