//! Kernels in Rust that compute line by line as the shaders do.

use tilewise::prelude::*;
use tilewise_benches::kernels;
use tilewise_peers::plain::{histogram, matmul, transpose};
use tilewise_peers::{PeerOutput, PeerWork, PreparedWork};

/// Rows and columns of a tile.
const TILE: usize = 16;

/// Threads that count the bins.
const COUNTING: usize = 1 << 16;

/// The kernel in Rust of this work.
pub(super) fn prepare(work: PeerWork, size: usize, on: &AcceleratorView) -> tilewise::Result<Box<dyn PreparedWork>> {
    match work {
        PeerWork::Histogram => Ok(Box::new(Counts {
            on: on.clone(),
            words: filled(histogram::inputs(size))?,
            bins: filled(vec![0; histogram::BINS])?,
        })),
        PeerWork::Transpose => {
            let (from, to) = (filled(transpose::inputs(size))?, filled(vec![0.0; size * size])?);
            Ok(Box::new(Square { on: on.clone(), side: size as u32, from: [from.clone(), from], to, run: transposed }))
        }
        PeerWork::Matmul | PeerWork::MatmulTiled => {
            let (a, b) = matmul::inputs(size);
            let (from, to) = ([filled(a)?, filled(b)?], filled(vec![0.0; size * size])?);
            let run = if work == PeerWork::Matmul { product } else { tiled_product };
            Ok(Box::new(Square { on: on.clone(), side: size as u32, from, to, run }))
        }
        other => kernels::prepare(other, size, on),
    }
}

/// A view of memory of the library.
fn filled<T: Element>(data: Vec<T>) -> tilewise::Result<ArrayView<'static, T>> {
    let view = ArrayView::without_source(data.len())?;
    view.host_mut()?.iter_mut().zip(data).for_each(|(to, from)| *to = from);
    Ok(view)
}

/// Square matrices as one row of numbers each.
struct Square {
    on: AcceleratorView,
    side: u32,
    from: [ArrayView<'static, f32>; 2],
    to: ArrayView<'static, f32>,
    run: fn(&Square) -> tilewise::Result<()>,
}

impl PreparedWork for Square {
    fn restore(&mut self) -> Result<(), String> {
        Ok(())
    }

    fn run(&mut self) -> Result<(), String> {
        (self.run)(self).map_err(|error| error.to_string())
    }

    fn output(&self) -> Result<PeerOutput, String> {
        self.to.to_vec().map(PeerOutput::Floats).map_err(|error| error.to_string())
    }
}

fn transposed(Square { on, side, from: [a, _], to: c, .. }: &Square) -> tilewise::Result<()> {
    let a = a.as_read_only();
    let n = *side;
    parallel_for_each!((on, Extent([n as i32, n as i32]).tile::<TILE, TILE>()), |t| {
        #[tile_static]
        let block: [[f32; TILE]; TILE];
        let (row, column) = (t.local[0] as u32, t.local[1] as u32);
        let (x, y) = (t.tile[1] as u32 * 16, t.tile[0] as u32 * 16);
        block[row as usize][column as usize] = a[(y + row) * n + x + column];
        t.barrier.wait();
        c[(x + row) * n + y + column] = block[column as usize][row as usize];
    })
}

fn product(Square { on, side, from: [a, b], to: c, .. }: &Square) -> tilewise::Result<()> {
    let (a, b) = (a.as_read_only(), b.as_read_only());
    let n = *side;
    parallel_for_each!((on, Extent([n as i32, n as i32]).tile::<TILE, TILE>()), |t| {
        let (x, y) = (t.global[1] as u32, t.global[0] as u32);
        let mut sum = 0.0;
        let mut k = 0;
        while k < n {
            sum += a[y * n + k] * b[k * n + x];
            k += 1;
        }
        c[y * n + x] = sum;
    })
}

fn tiled_product(Square { on, side, from: [a, b], to: c, .. }: &Square) -> tilewise::Result<()> {
    let (a, b) = (a.as_read_only(), b.as_read_only());
    let n = *side;
    parallel_for_each!((on, Extent([n as i32, n as i32]).tile::<TILE, TILE>()), |t| {
        #[tile_static]
        let left: [[f32; TILE]; TILE];
        #[tile_static]
        let right: [[f32; TILE]; TILE];
        let (x, y) = (t.global[1] as u32, t.global[0] as u32);
        let (row, column) = (t.local[0] as u32, t.local[1] as u32);
        let mut sum = 0.0;
        let mut first = 0;
        while first < n {
            left[row as usize][column as usize] = a[y * n + first + column];
            right[row as usize][column as usize] = b[(first + row) * n + x];
            t.barrier.wait();
            for k in 0..TILE {
                sum += left[row as usize][k] * right[k][column as usize];
            }
            t.barrier.wait();
            first += 16;
        }
        c[y * n + x] = sum;
    })
}

/// Words and the counts of their highest byte.
struct Counts {
    on: AcceleratorView,
    words: ArrayView<'static, u32>,
    bins: ArrayView<'static, u32>,
}

impl PreparedWork for Counts {
    fn restore(&mut self) -> Result<(), String> {
        self.bins.fill(0).map_err(|error| error.to_string())
    }

    fn run(&mut self) -> Result<(), String> {
        let Counts { on, words, bins } = self;
        let words = words.as_read_only();
        let count = words.extent()[0] as u32;
        let threads = count.min(COUNTING as u32);
        let result = parallel_for_each!((on, Extent([threads as i32]).tile::<{ histogram::BINS }>()), |t| {
            #[tile_static]
            let own: [u32; histogram::BINS];
            let l = t.local[0];
            own[l] = 0;
            t.barrier.wait();
            let mut i = t.global[0] as u32;
            while i < count {
                own.atomic(words[i] >> 24).fetch_add(1);
                i += threads;
            }
            t.barrier.wait();
            bins.atomic(l).fetch_add(own[l]);
        });
        result.map_err(|error| error.to_string())
    }

    fn output(&self) -> Result<PeerOutput, String> {
        self.bins.to_vec().map(PeerOutput::Words).map_err(|error| error.to_string())
    }
}
