//! A sort by Batcher's bitonic network: a tile's numbers in `tile_static` memory, longer runs in
//! launches of their own.
//!
//! Steps are done four at a time, by threads of sixteen numbers, which are registers meanwhile: numbers
//! that lie apart by a sixteenth of the first step's run, at last those that follow each other. Steps
//! left over are done two at a time, or one. A descending run is sorted as an ascending one of the
//! complements.

use tilewise::prelude::*;
use tilewise_peers::plain::bitonic::inputs;
use tilewise_peers::{PeerOutput, PreparedWork};

use super::{Views, filled, nothing};

/// Numbers that follow each other and that one thread has.
const OWN: usize = 16;
/// Threads of a tile.
const TILE: usize = 256;
/// Numbers of a tile.
const WHOLE: usize = TILE * OWN;

struct Numbers {
    given: ReadView<'static, u32>,
    sorted: ArrayView<'static, u32>,
}

/// The smaller one first, or last.
#[amp]
fn ordered(a: u32, b: u32, up: bool) -> [u32; 2] {
    let swap = (a > b) == up;
    [if swap { b } else { a }, if swap { a } else { b }]
}

/// Steps of a distance and of half of it.
#[amp]
fn ordered_fours([a, b, c, d]: [u32; 4], up: bool) -> [u32; 4] {
    let [a, c] = ordered(a, c, up);
    let [b, d] = ordered(b, d, up);
    let [a, b] = ordered(a, b, up);
    let [c, d] = ordered(c, d, up);
    [a, b, c, d]
}

/// The last two steps of a merge: four numbers.
#[amp]
fn merged_4(n: UInt4) -> UInt4 {
    let (low, high) = (n.xy().min(n.zw()), n.xy().max(n.zw()));
    UInt4::new(low.x.min(low.y), low.x.max(low.y), high.x.min(high.y), high.x.max(high.y))
}

/// The last three steps: eight numbers.
#[amp]
fn merged_8(a: UInt4, b: UInt4) -> [UInt4; 2] {
    [merged_4(a.min(b)), merged_4(a.max(b))]
}

/// The last four steps: sixteen numbers.
#[amp]
fn merged_16([a, b, c, d]: [UInt4; 4]) -> [UInt4; 4] {
    let [x, y] = merged_8(a.min(c), b.min(d));
    let [z, w] = merged_8(a.max(c), b.max(d));
    [x, y, z, w]
}

/// Sorts four numbers.
#[amp]
fn sorted_4(n: UInt4) -> UInt4 {
    let (a, b) = (n.x.min(n.y), n.x.max(n.y));
    let (c, d) = (n.z.min(n.w), n.z.max(n.w));
    merged_4(UInt4::new(a, b, d, c))
}

/// Sorts sixteen numbers.
#[amp]
fn sorted_16([a, b, c, d]: [UInt4; 4]) -> [UInt4; 4] {
    let [a, b] = merged_8(sorted_4(a), sorted_4(b).wzyx());
    let [c, d] = merged_8(sorted_4(c), sorted_4(d).wzyx());
    merged_16([a, b, d.wzyx(), c.wzyx()])
}

/// The number of the first of sixteen numbers that far apart, for each thread.
#[amp]
fn first_of_sixteen(thread: i32, apart: i32) -> i32 {
    16 * thread - 15 * (thread & (apart - 1))
}

/// The number of the first of four numbers half of `distance` apart, for each thread.
#[amp]
fn first_of_four(thread: i32, distance: i32) -> i32 {
    4 * thread - 3 * (thread & (distance / 2 - 1))
}

/// The number of the lower of two numbers that far apart, for each thread.
#[amp]
fn first_of_two(thread: i32, distance: i32) -> i32 {
    2 * thread - (thread & (distance - 1))
}

/// All ones for a thread whose run of this length descends.
#[amp]
fn complement(at: i32, length: i32) -> u32 {
    if at & length == 0 { 0 } else { u32::MAX }
}

/// Sorts the numbers of each tile, up in one, down in the next, if `merged` is 0; otherwise does
/// those steps of a merge of runs of that length that lie within tiles.
fn tiles(on: &AcceleratorView, from: &ReadView<'_, u32>, to: &ArrayView<'_, u32>, merged: i32) -> tilewise::Result<()> {
    let threads = from.extent()[0] / OWN as i32;
    parallel_for_each!((on, Extent([threads]).tile::<TILE>()), |t| {
        #[tile_static]
        let part: [u32; WHOLE];
        let l = t.local[0];
        let first = t.tile[0] * WHOLE as i32;
        let own = l * OWN as i32;
        if merged == 0 {
            let four = |at: i32| UInt4::new(from[at], from[at + 1], from[at + 2], from[at + 3]);
            let at = first + own;
            let flip = complement(at, OWN as i32);
            let [a, b, c, d] =
                sorted_16([four(at) ^ flip, four(at + 4) ^ flip, four(at + 8) ^ flip, four(at + 12) ^ flip]);
            let (a, b, c, d) = (a ^ flip, b ^ flip, c ^ flip, d ^ flip);
            part[own] = a.x;
            part[own + 1] = a.y;
            part[own + 2] = a.z;
            part[own + 3] = a.w;
            part[own + 4] = b.x;
            part[own + 5] = b.y;
            part[own + 6] = b.z;
            part[own + 7] = b.w;
            part[own + 8] = c.x;
            part[own + 9] = c.y;
            part[own + 10] = c.z;
            part[own + 11] = c.w;
            part[own + 12] = d.x;
            part[own + 13] = d.y;
            part[own + 14] = d.z;
            part[own + 15] = d.w;
        } else {
            for k in 0..OWN as i32 {
                part[k * TILE as i32 + l] = from[first + k * TILE as i32 + l];
            }
        }
        t.barrier.wait();
        let mut length = if merged == 0 { 2 * OWN as i32 } else { merged };
        let last = if merged == 0 { WHOLE as i32 } else { merged };
        while length <= last {
            let mut distance = (length / 2).min(WHOLE as i32 / 2);
            while distance >= 8 * OWN as i32 {
                let apart = distance / 8;
                let at = first_of_sixteen(l, apart);
                let four = |k: i32| {
                    let at = at + k * apart;
                    UInt4::new(part[at], part[at + apart], part[at + 2 * apart], part[at + 3 * apart])
                };
                let flip = complement(first + at, length);
                let [a, b, c, d] = merged_16([four(0) ^ flip, four(4) ^ flip, four(8) ^ flip, four(12) ^ flip]);
                let (a, b, c, d) = (a ^ flip, b ^ flip, c ^ flip, d ^ flip);
                part[at] = a.x;
                part[at + apart] = a.y;
                part[at + 2 * apart] = a.z;
                part[at + 3 * apart] = a.w;
                part[at + 4 * apart] = b.x;
                part[at + 5 * apart] = b.y;
                part[at + 6 * apart] = b.z;
                part[at + 7 * apart] = b.w;
                part[at + 8 * apart] = c.x;
                part[at + 9 * apart] = c.y;
                part[at + 10 * apart] = c.z;
                part[at + 11 * apart] = c.w;
                part[at + 12 * apart] = d.x;
                part[at + 13 * apart] = d.y;
                part[at + 14 * apart] = d.z;
                part[at + 15 * apart] = d.w;
                t.barrier.wait();
                distance /= 16;
            }
            while distance > OWN as i32 {
                let half = distance / 2;
                for k in 0..OWN as i32 / 4 {
                    let at = first_of_four(k * TILE as i32 + l, distance);
                    let up = (first + at) & length == 0;
                    let [a, b, c, d] =
                        ordered_fours([part[at], part[at + half], part[at + distance], part[at + distance + half]], up);
                    part[at] = a;
                    part[at + half] = b;
                    part[at + distance] = c;
                    part[at + distance + half] = d;
                }
                t.barrier.wait();
                distance /= 4;
            }
            if distance == OWN as i32 {
                for k in 0..OWN as i32 / 2 {
                    let at = first_of_two(k * TILE as i32 + l, OWN as i32);
                    let [a, b] = ordered(part[at], part[at + OWN as i32], (first + at) & length == 0);
                    part[at] = a;
                    part[at + OWN as i32] = b;
                }
                t.barrier.wait();
            }
            let four = |at: i32| UInt4::new(part[at], part[at + 1], part[at + 2], part[at + 3]);
            let flip = complement(first + own, length);
            let [a, b, c, d] =
                merged_16([four(own) ^ flip, four(own + 4) ^ flip, four(own + 8) ^ flip, four(own + 12) ^ flip]);
            let (a, b, c, d) = (a ^ flip, b ^ flip, c ^ flip, d ^ flip);
            part[own] = a.x;
            part[own + 1] = a.y;
            part[own + 2] = a.z;
            part[own + 3] = a.w;
            part[own + 4] = b.x;
            part[own + 5] = b.y;
            part[own + 6] = b.z;
            part[own + 7] = b.w;
            part[own + 8] = c.x;
            part[own + 9] = c.y;
            part[own + 10] = c.z;
            part[own + 11] = c.w;
            part[own + 12] = d.x;
            part[own + 13] = d.y;
            part[own + 14] = d.z;
            part[own + 15] = d.w;
            t.barrier.wait();
            length *= 2;
        }
        for k in 0..OWN as i32 {
            to[first + k * TILE as i32 + l] = part[k * TILE as i32 + l];
        }
    })
}

/// Four steps of a merge of runs of that length, over more than a tile's numbers.
fn four_steps(on: &AcceleratorView, sorted: &ArrayView<'_, u32>, length: i32, distance: i32) -> tilewise::Result<()> {
    let apart = distance / 8;
    parallel_for_each!((on, Extent([sorted.extent()[0] / 16])), |i| {
        let at = first_of_sixteen(i[0], apart);
        let four = |k: i32| {
            let at = at + k * apart;
            UInt4::new(sorted[at], sorted[at + apart], sorted[at + 2 * apart], sorted[at + 3 * apart])
        };
        let flip = complement(at, length);
        let [a, b, c, d] = merged_16([four(0) ^ flip, four(4) ^ flip, four(8) ^ flip, four(12) ^ flip]);
        let (a, b, c, d) = (a ^ flip, b ^ flip, c ^ flip, d ^ flip);
        sorted[at] = a.x;
        sorted[at + apart] = a.y;
        sorted[at + 2 * apart] = a.z;
        sorted[at + 3 * apart] = a.w;
        sorted[at + 4 * apart] = b.x;
        sorted[at + 5 * apart] = b.y;
        sorted[at + 6 * apart] = b.z;
        sorted[at + 7 * apart] = b.w;
        sorted[at + 8 * apart] = c.x;
        sorted[at + 9 * apart] = c.y;
        sorted[at + 10 * apart] = c.z;
        sorted[at + 11 * apart] = c.w;
        sorted[at + 12 * apart] = d.x;
        sorted[at + 13 * apart] = d.y;
        sorted[at + 14 * apart] = d.z;
        sorted[at + 15 * apart] = d.w;
    })
}

/// Two steps of a merge of runs of that length, over more than a tile's numbers.
fn two_steps(on: &AcceleratorView, sorted: &ArrayView<'_, u32>, length: i32, distance: i32) -> tilewise::Result<()> {
    let half = distance / 2;
    parallel_for_each!((on, Extent([sorted.extent()[0] / 4])), |i| {
        let at = first_of_four(i[0], distance);
        let up = at & length == 0;
        let [a, b, c, d] =
            ordered_fours([sorted[at], sorted[at + half], sorted[at + distance], sorted[at + distance + half]], up);
        sorted[at] = a;
        sorted[at + half] = b;
        sorted[at + distance] = c;
        sorted[at + distance + half] = d;
    })
}

/// One such step.
fn one_step(on: &AcceleratorView, sorted: &ArrayView<'_, u32>, length: i32, distance: i32) -> tilewise::Result<()> {
    parallel_for_each!((on, Extent([sorted.extent()[0] / 2])), |i| {
        let at = first_of_two(i[0], distance);
        let [a, b] = ordered(sorted[at], sorted[at + distance], at & length == 0);
        sorted[at] = a;
        sorted[at + distance] = b;
    })
}

pub(super) fn prepare(count: usize, on: &AcceleratorView) -> tilewise::Result<Box<dyn PreparedWork>> {
    assert!(count.is_power_of_two() && count >= WHOLE, "the numbers are a power of two, and fill a tile");
    let views = Numbers { given: filled(count, inputs(count))?.as_read_only(), sorted: filled(count, vec![0; count])? };
    Ok(Box::new(Views {
        on: on.clone(),
        views,
        restore: nothing,
        run: |on, Numbers { given, sorted }| {
            tiles(on, given, sorted, 0)?;
            let mut length = 2 * WHOLE as i32;
            while length <= sorted.extent()[0] {
                let mut distance = length / 2;
                while distance >= 8 * WHOLE as i32 {
                    four_steps(on, sorted, length, distance)?;
                    distance /= 16;
                }
                while distance >= 2 * WHOLE as i32 {
                    two_steps(on, sorted, length, distance)?;
                    distance /= 4;
                }
                if distance == WHOLE as i32 {
                    one_step(on, sorted, length, distance)?;
                }
                tiles(on, &sorted.as_read_only(), sorted, length)?;
                length *= 2;
            }
            Ok(())
        },
        output: |s| s.sorted.to_vec().map(PeerOutput::Words),
    }))
}
