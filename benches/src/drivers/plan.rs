//! The arguments of the peers' kernels: buffers, numbers, threads. The same for both drivers.

use tilewise_peers::plain::{
    black_scholes, elementwise, histogram, mandelbrot, matmul, n_body, reduce, scan, stencil, transpose,
};
use tilewise_peers::{PeerOutput, PeerWork};

/// Threads that count the bins, as in the kernels of this package.
const COUNTING: usize = 1 << 16;

/// Work, prepared for a driver.
pub(super) struct DriverPlan {
    /// The name of its kernel.
    pub(super) name: &'static str,
    /// The initial contents of each buffer, as words.
    pub(super) buffers: Vec<Vec<u32>>,
    /// Buffers that hold inputs and that a run changes.
    pub(super) changed: Vec<usize>,
    /// Buffers of each launch, in the order of the kernel's parameters.
    pub(super) launches: Vec<Vec<usize>>,
    /// Parameters after the buffers: words, which may be floats.
    pub(super) numbers: Vec<u32>,
    /// Along each dimension, whole tiles.
    pub(super) threads: [usize; 2],
    /// Threads of a tile.
    pub(super) tile: [usize; 2],
    /// Whether the kernel relies on the shape of a tile.
    pub(super) tiled: bool,
    /// Whether the WGSL kernel takes more than 256 tiles as rows of 256.
    pub(super) folded: bool,
    /// Buffers that are the result, in order.
    pub(super) output: Vec<usize>,
    /// Whether they hold floats.
    floats: bool,
}

impl DriverPlan {
    /// The number of tiles in each dimension, in the WGSL kernel's layout.
    pub(super) fn tiles(&self) -> [u32; 2] {
        const ROW: usize = 256;
        let [x, y] = [self.threads[0] / self.tile[0], self.threads[1] / self.tile[1]];
        let tiles = if self.folded && x > ROW { [ROW, x / ROW] } else { [x, y] };
        tiles.map(|count| count as u32)
    }

    /// The result, from the words of its buffers.
    pub(super) fn result(&self, words: Vec<u32>) -> PeerOutput {
        if self.floats {
            PeerOutput::Floats(words.into_iter().map(f32::from_bits).collect())
        } else {
            PeerOutput::Words(words)
        }
    }
}

fn bits(floats: Vec<f32>) -> Vec<u32> {
    floats.into_iter().map(f32::to_bits).collect()
}

/// A plan of one launch that reads some buffers and writes the last one.
fn of(work: PeerWork, threads: [usize; 2], tile: [usize; 2], buffers: Vec<Vec<u32>>, numbers: Vec<u32>) -> DriverPlan {
    DriverPlan {
        name: work.name(),
        launches: vec![(0..buffers.len()).collect()],
        output: vec![buffers.len() - 1],
        buffers,
        changed: Vec::new(),
        numbers,
        threads,
        tile,
        tiled: false,
        folded: false,
        floats: true,
    }
}

/// The plan for this work.
///
/// # Errors
/// If there is no kernel for it, or the size is not one of whole tiles.
pub(super) fn plan(work: PeerWork, size: usize) -> Result<DriverPlan, String> {
    match work.of_others() {
        Some(same) if same == work => {}
        Some(other) => return Err(format!("it has one form of this, see `{other}`")),
        None => return Err("it has the kernels up to the products of matrices".into()),
    }
    let (line, square) = ([256, 1], [16, 16]);
    let n = size as u32;
    let plan = match work {
        PeerWork::VectorAdd => {
            let (a, b) = elementwise::inputs(size);
            DriverPlan { folded: true, ..of(work, [size, 1], line, vec![bits(a), bits(b), vec![0; size]], vec![]) }
        }
        PeerWork::Saxpy => {
            let (x, y) = elementwise::inputs(size);
            let numbers = vec![elementwise::ALPHA.to_bits()];
            DriverPlan { folded: true, changed: vec![1], ..of(work, [size, 1], line, vec![bits(x), bits(y)], numbers) }
        }
        PeerWork::Mandelbrot => {
            let numbers = vec![n, n, mandelbrot::LIMIT];
            DriverPlan { floats: false, ..of(work, [size, size], square, vec![vec![0; size * size]], numbers) }
        }
        PeerWork::NBody => {
            let bodies = n_body::bodies(size).into_iter().flatten().map(f32::to_bits).collect();
            DriverPlan { tiled: true, ..of(work, [size, 1], line, vec![bodies, vec![0; 4 * size]], vec![n]) }
        }
        PeerWork::BlackScholes => {
            let mut buffers: Vec<Vec<u32>> = black_scholes::inputs(size).map(bits).into();
            buffers.extend([vec![0; size], vec![0; size]]);
            DriverPlan { output: vec![3, 4], ..of(work, [size, 1], line, buffers, vec![]) }
        }
        PeerWork::Histogram => {
            let buffers = vec![histogram::inputs(size), vec![0; histogram::BINS]];
            let plan = of(work, [size.min(COUNTING), 1], line, buffers, vec![n]);
            DriverPlan { floats: false, tiled: true, changed: vec![1], ..plan }
        }
        PeerWork::Stencil => {
            let buffers = vec![bits(stencil::inputs(size)), vec![0; size * size]];
            let launches = (0..stencil::STEPS).map(|step| vec![step % 2, 1 - step % 2]).collect();
            let plan = of(work, [size, size], square, buffers, vec![n]);
            DriverPlan { launches, changed: vec![0], output: vec![stencil::STEPS % 2], ..plan }
        }
        PeerWork::Transpose => {
            let buffers = vec![bits(transpose::inputs(size)), vec![0; size * size]];
            DriverPlan { tiled: true, ..of(work, [size, size], square, buffers, vec![n]) }
        }
        PeerWork::Reduce => {
            let buffers = vec![bits(reduce::inputs(size)), vec![0; size / reduce::TILE]];
            DriverPlan { tiled: true, folded: true, ..of(work, [size, 1], line, buffers, vec![]) }
        }
        PeerWork::Scan => {
            let buffers = vec![bits(scan::inputs(size)), vec![0; size]];
            DriverPlan { tiled: true, folded: true, ..of(work, [size, 1], line, buffers, vec![]) }
        }
        PeerWork::Matmul | PeerWork::MatmulTiled => {
            let (a, b) = matmul::inputs(size);
            let buffers = vec![bits(a), bits(b), vec![0; size * size]];
            DriverPlan { tiled: work == PeerWork::MatmulTiled, ..of(work, [size, size], square, buffers, vec![n]) }
        }
        PeerWork::NBodyPlain
        | PeerWork::NBodyMad
        | PeerWork::NBodyRelaxed
        | PeerWork::MatmulTiledMad
        | PeerWork::MatmulTiledRelaxed
        | PeerWork::KMeans
        | PeerWork::Stencil3d
        | PeerWork::Convolution
        | PeerWork::SparseProduct
        | PeerWork::ShortestPaths
        | PeerWork::BitonicSort
        | PeerWork::RadixPass
        | PeerWork::PrefixSum
        | PeerWork::Fourier
        | PeerWork::Life => {
            return Err("it has no kernel for this".into());
        }
    };
    let whole = plan.threads.iter().zip(plan.tile).all(|(threads, tile)| threads.is_multiple_of(tile));
    if whole { Ok(plan) } else { Err(format!("a size of {size} is not of whole tiles")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_has_a_plan_with_as_many_threads_as_its_size_or_a_reason() {
        for work in PeerWork::ALL {
            match plan(work, 1024) {
                Ok(plan) => {
                    assert_eq!(work.of_others(), Some(work));
                    assert!(plan.launches.iter().flatten().all(|&buffer| buffer < plan.buffers.len()), "{work}");
                    assert!(plan.output.iter().chain(&plan.changed).all(|&buffer| buffer < plan.buffers.len()));
                    let tiles: u32 = plan.tiles().iter().product();
                    let tile: usize = plan.tile.iter().product();
                    assert_eq!(tiles as usize * tile, plan.threads.iter().product::<usize>(), "{work}");
                }
                Err(reason) => assert!(work.of_others() != Some(work), "{work}: {reason}"),
            }
        }
    }

    #[test]
    fn many_tiles_are_rows_of_tiles_and_parts_of_tiles_are_refused() {
        let plan = plan(PeerWork::VectorAdd, 1 << 17).expect("whole tiles");
        assert_eq!(plan.tiles(), [256, 2]);
        assert!(super::plan(PeerWork::VectorAdd, 1000).is_err());
    }
}
