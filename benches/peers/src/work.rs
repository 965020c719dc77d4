//! [`PeerWork`]: the list of measured work, by name and size.

use std::fmt;

/// One row of the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PeerWork {
    /// `c = a + b`.
    VectorAdd,
    /// `y = alpha * x + y`.
    Saxpy,
    /// The number of steps until a point leaves, for each point of a picture.
    Mandelbrot,
    /// Accelerations of bodies by all others, a tile staged in `tile_static` memory at a time.
    NBody,
    /// The same, read from the view.
    NBodyPlain,
    /// [`PeerWork::NBody`] with `mad` in the source.
    NBodyMad,
    /// [`PeerWork::NBody`] in a launch that may contract.
    NBodyRelaxed,
    /// Prices of options.
    BlackScholes,
    /// Counts of the highest byte.
    Histogram,
    /// Ten steps of an average over five points.
    Stencil,
    /// The transpose of a matrix.
    Transpose,
    /// A sum for each 256 numbers.
    Reduce,
    /// Running sums within each 256 numbers.
    Scan,
    /// Product of matrices, a thread for each element.
    Matmul,
    /// Product of matrices, 16 by 16 elements at a time in `tile_static` memory.
    MatmulTiled,
    /// [`PeerWork::MatmulTiled`] with `mad` in the source.
    MatmulTiledMad,
    /// [`PeerWork::MatmulTiled`] in a launch that may contract.
    MatmulTiledRelaxed,
    /// The nearest of 16 centres for each point.
    KMeans,
    /// An average over the 27 points around each point of a cube.
    Stencil3d,
    /// The convolution of a picture with 9 x 9 weights.
    Convolution,
    /// The product of a sparse matrix and a vector.
    SparseProduct,
    /// Shortest paths between all pairs.
    ShortestPaths,
    /// A bitonic sort.
    BitonicSort,
    /// A pass of a radix sort.
    RadixPass,
    /// Running sums of a whole array.
    PrefixSum,
    /// A fast Fourier transform.
    Fourier,
    /// Ten steps of the Game of Life.
    Life,
}

/// The tolerance between a contestant's result and the kernel's, and the reason why they differ.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tolerance {
    /// Relative to the magnitude of the larger of the two values.
    pub relative: f32,
    /// For values so small that this one allows more.
    pub absolute: f32,
    /// The reason.
    pub why: &'static str,
}

impl PeerWork {
    /// All, in the order of the table.
    pub const ALL: [PeerWork; 27] = [
        PeerWork::VectorAdd,
        PeerWork::Saxpy,
        PeerWork::Mandelbrot,
        PeerWork::NBody,
        PeerWork::NBodyPlain,
        PeerWork::NBodyMad,
        PeerWork::NBodyRelaxed,
        PeerWork::BlackScholes,
        PeerWork::Histogram,
        PeerWork::Stencil,
        PeerWork::Transpose,
        PeerWork::Reduce,
        PeerWork::Scan,
        PeerWork::Matmul,
        PeerWork::MatmulTiled,
        PeerWork::MatmulTiledMad,
        PeerWork::MatmulTiledRelaxed,
        PeerWork::KMeans,
        PeerWork::Stencil3d,
        PeerWork::Convolution,
        PeerWork::SparseProduct,
        PeerWork::ShortestPaths,
        PeerWork::BitonicSort,
        PeerWork::RadixPass,
        PeerWork::PrefixSum,
        PeerWork::Fourier,
        PeerWork::Life,
    ];

    /// Its name on the command line and in the table.
    pub fn name(self) -> &'static str {
        match self {
            PeerWork::VectorAdd => "vadd",
            PeerWork::Saxpy => "saxpy",
            PeerWork::Mandelbrot => "mandel",
            PeerWork::NBody => "nbody",
            PeerWork::NBodyPlain => "nbody_plain",
            PeerWork::NBodyMad => "nbody_mad",
            PeerWork::NBodyRelaxed => "nbody_relaxed",
            PeerWork::BlackScholes => "bs",
            PeerWork::Histogram => "hist",
            PeerWork::Stencil => "stencil",
            PeerWork::Transpose => "transpose",
            PeerWork::Reduce => "reduce",
            PeerWork::Scan => "scan",
            PeerWork::Matmul => "matmul",
            PeerWork::MatmulTiled => "matmul_tiled",
            PeerWork::MatmulTiledMad => "matmul_tiled_mad",
            PeerWork::MatmulTiledRelaxed => "matmul_tiled_relaxed",
            PeerWork::KMeans => "kmeans",
            PeerWork::Stencil3d => "stencil3d",
            PeerWork::Convolution => "convolution",
            PeerWork::SparseProduct => "spmv",
            PeerWork::ShortestPaths => "floyd",
            PeerWork::BitonicSort => "bitonic",
            PeerWork::RadixPass => "radix",
            PeerWork::PrefixSum => "prefix",
            PeerWork::Fourier => "fft",
            PeerWork::Life => "life",
        }
    }

    /// The work in words, for those who see its name in a table.
    pub fn about(self) -> &'static str {
        match self {
            PeerWork::VectorAdd => "the sum of two arrays: c = a + b",
            PeerWork::Saxpy => "y = alpha * x + y",
            PeerWork::Mandelbrot => "a picture of the Mandelbrot set, at most 256 steps for each point",
            PeerWork::NBody => "accelerations of bodies by all others, staged in tile_static memory 256 at a time",
            PeerWork::NBodyPlain => "nbody without staging",
            PeerWork::NBodyMad => "nbody with mul_add in the source, which rounds products and sums once",
            PeerWork::NBodyRelaxed => "nbody in a launch that may round products and sums once",
            PeerWork::BlackScholes => "prices of options by Black and Scholes",
            PeerWork::Histogram => "counts of 256 bins",
            PeerWork::Stencil => "an average over five points of a square, 10 steps",
            PeerWork::Transpose => "the transpose of a matrix",
            PeerWork::Reduce => "the sum of each 256 numbers",
            PeerWork::Scan => "running sums of each 256 numbers",
            PeerWork::Matmul => "a product of matrices, a thread for each element",
            PeerWork::MatmulTiled => "a product of matrices, through blocks of 16 x 16 in tile_static memory",
            PeerWork::MatmulTiledMad => "matmul_tiled with mul_add in the source, which rounds products and sums once",
            PeerWork::MatmulTiledRelaxed => "matmul_tiled in a launch that may round products and sums once",
            PeerWork::KMeans => "the nearest of 16 centres for each point",
            PeerWork::Stencil3d => "an average over the 27 points around each point of a cube",
            PeerWork::Convolution => "a picture with 9 x 9 weights",
            PeerWork::SparseProduct => "a sparse matrix, 8 to 23 numbers in each row, times a vector",
            PeerWork::ShortestPaths => "shortest paths between all pairs of points, by Floyd and Warshall",
            PeerWork::BitonicSort => "a sort of whole numbers by a bitonic network",
            PeerWork::RadixPass => "a pass of a stable radix sort by 4 bits",
            PeerWork::PrefixSum => "running sums of a whole array",
            PeerWork::Fourier => "a Fourier transform of complex numbers",
            PeerWork::Life => "the Game of Life on bytes, 10 steps",
        }
    }

    /// A size in words, as the work counts it: elements, or the side of a square or cube.
    pub fn size_text(self, size: usize) -> String {
        match self {
            PeerWork::Mandelbrot
            | PeerWork::Stencil
            | PeerWork::Transpose
            | PeerWork::Matmul
            | PeerWork::MatmulTiled
            | PeerWork::MatmulTiledMad
            | PeerWork::MatmulTiledRelaxed
            | PeerWork::Convolution
            | PeerWork::Life => format!("{size} x {size}"),
            PeerWork::Stencil3d => format!("{size} x {size} x {size}"),
            PeerWork::NBody | PeerWork::NBodyPlain | PeerWork::NBodyMad | PeerWork::NBodyRelaxed => {
                format!("{size} bodies")
            }
            PeerWork::SparseProduct => format!("{size} rows"),
            PeerWork::KMeans | PeerWork::ShortestPaths => format!("{size} points"),
            PeerWork::VectorAdd
            | PeerWork::Saxpy
            | PeerWork::BlackScholes
            | PeerWork::Histogram
            | PeerWork::Reduce
            | PeerWork::Scan
            | PeerWork::BitonicSort
            | PeerWork::RadixPass
            | PeerWork::PrefixSum
            | PeerWork::Fourier => format!("{size} elements"),
        }
    }

    /// The work with that name.
    pub fn of_name(name: &str) -> Option<PeerWork> {
        PeerWork::ALL.into_iter().find(|work| work.name() == name)
    }

    /// The size in the table: elements, or the side of a square.
    pub fn full_size(self) -> usize {
        match self {
            PeerWork::VectorAdd | PeerWork::Saxpy | PeerWork::Histogram | PeerWork::Reduce | PeerWork::Scan => 1 << 24,
            PeerWork::Mandelbrot => 2048,
            PeerWork::NBody | PeerWork::NBodyPlain | PeerWork::NBodyMad | PeerWork::NBodyRelaxed => 8192,
            PeerWork::BlackScholes => 1 << 22,
            PeerWork::Stencil | PeerWork::Transpose => 4096,
            PeerWork::Matmul | PeerWork::MatmulTiled | PeerWork::MatmulTiledMad | PeerWork::MatmulTiledRelaxed => 1024,
            PeerWork::KMeans => 1 << 22,
            PeerWork::Stencil3d => 256,
            PeerWork::Convolution => 2048,
            PeerWork::SparseProduct => 1 << 20,
            PeerWork::ShortestPaths => 1024,
            PeerWork::BitonicSort | PeerWork::Fourier => 1 << 20,
            PeerWork::RadixPass => 1 << 22,
            PeerWork::PrefixSum => 1 << 24,
            PeerWork::Life => 4096,
        }
    }

    /// A size for tests and for first launches: a few tiles.
    pub fn small_size(self) -> usize {
        match self {
            PeerWork::VectorAdd | PeerWork::Saxpy | PeerWork::BlackScholes => 1000,
            PeerWork::Histogram | PeerWork::Reduce | PeerWork::Scan => 1024,
            PeerWork::Mandelbrot => 40,
            PeerWork::NBody => 512,
            PeerWork::NBodyPlain | PeerWork::NBodyMad | PeerWork::NBodyRelaxed => 256,
            PeerWork::Stencil => 37,
            PeerWork::Transpose
            | PeerWork::Matmul
            | PeerWork::MatmulTiled
            | PeerWork::MatmulTiledMad
            | PeerWork::MatmulTiledRelaxed => 64,
            PeerWork::KMeans => 1000,
            PeerWork::Stencil3d => 18,
            PeerWork::Convolution => 41,
            PeerWork::SparseProduct => 500,
            PeerWork::ShortestPaths => 42,
            PeerWork::BitonicSort => 1 << 14,
            PeerWork::RadixPass => 3 * 2048,
            PeerWork::PrefixSum => 3 * 256,
            PeerWork::Fourier => 1024,
            PeerWork::Life => 36,
        }
    }

    /// The row of other programs for it, which have no second forms, and only the first kernels.
    pub fn of_others(self) -> Option<PeerWork> {
        match self {
            PeerWork::NBodyPlain | PeerWork::NBodyMad | PeerWork::NBodyRelaxed => Some(PeerWork::NBody),
            PeerWork::MatmulTiledMad | PeerWork::MatmulTiledRelaxed => Some(PeerWork::MatmulTiled),
            PeerWork::KMeans
            | PeerWork::Stencil3d
            | PeerWork::Convolution
            | PeerWork::SparseProduct
            | PeerWork::ShortestPaths
            | PeerWork::BitonicSort
            | PeerWork::RadixPass
            | PeerWork::PrefixSum
            | PeerWork::Fourier
            | PeerWork::Life => None,
            PeerWork::VectorAdd
            | PeerWork::Saxpy
            | PeerWork::Mandelbrot
            | PeerWork::NBody
            | PeerWork::BlackScholes
            | PeerWork::Histogram
            | PeerWork::Stencil
            | PeerWork::Transpose
            | PeerWork::Reduce
            | PeerWork::Scan
            | PeerWork::Matmul
            | PeerWork::MatmulTiled => Some(self),
        }
    }

    /// Whether the kernel uses fused multiply-add, which is a slow function call in a build for
    /// generic x86-64.
    pub fn is_fused(self) -> bool {
        matches!(self, PeerWork::NBodyMad | PeerWork::MatmulTiledMad)
    }

    /// The tolerance between the kernel and the expected result, if they need not be equal.
    pub fn freedom(self) -> Option<Tolerance> {
        match self {
            PeerWork::NBodyRelaxed | PeerWork::MatmulTiledRelaxed => Some(Tolerance {
                relative: 1e-4,
                absolute: 1e-2,
                why: "products that are added are rounded once, not twice, where the machine can",
            }),
            _ => None,
        }
    }

    /// The tolerance between the plain form and the kernel, if its order of operations or its
    /// functions differ. All others are equal to the bit.
    pub fn tolerance(self) -> Option<Tolerance> {
        match self {
            PeerWork::Scan => Some(Tolerance {
                relative: 1e-5,
                absolute: 0.0,
                why: "it adds 16 numbers in a tree and those sums from left to right, the kernel all in a tree; sums of 256 positive numbers lose at most 20 roundings",
            }),
            PeerWork::BlackScholes => Some(Tolerance {
                relative: 1e-5,
                absolute: 2e-5,
                why: "its `exp` and `ln` round otherwise than `fast_math`, and the prices are differences of numbers up to 100",
            }),
            _ => None,
        }
    }
}

impl fmt::Display for PeerWork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_work() {
        for work in PeerWork::ALL {
            assert_eq!(PeerWork::of_name(work.name()), Some(work));
            assert!(!work.about().is_empty() && work.size_text(7).starts_with('7'));
        }
        assert_eq!(PeerWork::of_name("nothing"), None);
    }
}
