//! Conway's Game of Life on bytes, step by step between two grids whose edges meet.
//!
//! A thread computes the four cells of a word: their bytes are added and compared all at once, as no
//! sum of nine cells leaves its byte.

use tilewise::prelude::*;
use tilewise_peers::plain::life::{STEPS, inputs};
use tilewise_peers::{PeerOutput, PreparedWork};

use super::{Views, filled};

/// Cells of a word.
const CELLS: usize = 4;

/// Words whose bytes are cells.
struct CellGrids {
    now: ArrayView<'static, u32, 2>,
    next: ArrayView<'static, u32, 2>,
}

/// A word with this number in each byte.
#[amp]
fn in_each_byte(number: u32) -> u32 {
    0x0101_0101 * number
}

/// 1 in each byte that is equal to the number; both are below 128.
#[amp]
fn equal_bytes(bytes: u32, number: u32) -> u32 {
    let unequal = (bytes ^ in_each_byte(number)) + in_each_byte(0x7f);
    (!unequal >> 7) & in_each_byte(1)
}

fn step(on: &AcceleratorView, from: &ReadView<'_, u32, 2>, to: &ArrayView<'_, u32, 2>) -> tilewise::Result<()> {
    let [height, width] = from.extent().0;
    parallel_for_each!((on, to.extent()), |i| {
        let y = i[0];
        let x = i[1];
        let above = if y == 0 { height - 1 } else { y - 1 };
        let below = if y == height - 1 { 0 } else { y + 1 };
        let left = if x == 0 { width - 1 } else { x - 1 };
        let right = if x == width - 1 { 0 } else { x + 1 };
        // The sums of columns of three cells.
        let before = from[(above, left)] + from[(y, left)] + from[(below, left)];
        let cells = from[i];
        let own = from[(above, x)] + cells + from[(below, x)];
        let after = from[(above, right)] + from[(y, right)] + from[(below, right)];
        let sums = own + ((own << 8) | (before >> 24)) + ((own >> 8) | (after << 24));
        // A cell lives with three neighbours, or with two if it lives: the number of neighbours, with its
        // last bit set for a cell that lives, is three.
        to[i] = equal_bytes((sums - cells) | cells, 3);
    })
}

/// The words of cells.
fn words(cells: &[u8]) -> Vec<u32> {
    cells.as_chunks::<CELLS>().0.iter().map(|cells| u32::from_le_bytes(*cells)).collect()
}

pub(super) fn prepare(side: usize, on: &AcceleratorView) -> tilewise::Result<Box<dyn PreparedWork>> {
    assert!(side.is_multiple_of(CELLS), "rows are whole words");
    let extent = (side, side / CELLS);
    let views =
        CellGrids { now: filled(extent, words(&inputs(side)))?, next: filled(extent, vec![0; side * side / CELLS])? };
    Ok(Box::new(Views {
        on: on.clone(),
        views,
        restore: |s| {
            let before = words(&inputs(s.now.extent()[0] as usize));
            s.now.host_mut()?.iter_mut().zip(before).for_each(|(to, from)| *to = from);
            Ok(())
        },
        run: |on, CellGrids { now, next }| {
            for _ in 0..STEPS / 2 {
                step(on, &now.as_read_only(), next)?;
                step(on, &next.as_read_only(), now)?;
            }
            Ok(())
        },
        output: |s| {
            let cells = s.now.to_vec()?.into_iter().flat_map(u32::to_le_bytes);
            Ok(PeerOutput::Words(cells.map(u32::from).collect()))
        },
    }))
}
