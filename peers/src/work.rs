//! [`Work`]: the list of what is measured, by name and size.

use std::fmt;

/// One row of the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Work {
    /// `c = a + b`.
    VectorAdd,
    /// `y = alpha * x + y`.
    Saxpy,
    /// Steps until a point leaves, for each point of a picture.
    Mandelbrot,
    /// Accelerations of bodies by all others, a tile staged in `tile_static` memory at a time.
    NBody,
    /// The same, read from the view.
    NBodyPlain,
    /// [`Work::NBody`] with `mad` in the source.
    NBodyMad,
    /// [`Work::NBody`] in a launch that may contract.
    NBodyRelaxed,
    /// Prices of options.
    BlackScholes,
    /// Counts of the highest byte.
    Histogram,
    /// Ten steps of an average over five points.
    Stencil,
    /// Rows become columns.
    Transpose,
    /// A sum for each 256 numbers.
    Reduce,
    /// Running sums within each 256 numbers.
    Scan,
    /// Product of matrices, a thread for each element.
    Matmul,
    /// Product of matrices, 16 by 16 elements at a time in `tile_static` memory.
    MatmulTiled,
    /// [`Work::MatmulTiled`] with `mad` in the source.
    MatmulTiledMad,
    /// [`Work::MatmulTiled`] in a launch that may contract.
    MatmulTiledRelaxed,
}

/// How far a contestant's result may be from the kernel's, and why it is not the same.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tolerance {
    /// Of the magnitude of the larger of the two values.
    pub relative: f32,
    /// For values so small that this one allows more.
    pub absolute: f32,
    /// Why.
    pub why: &'static str,
}

impl Work {
    /// All, in the order of the table.
    pub const ALL: [Work; 17] = [
        Work::VectorAdd,
        Work::Saxpy,
        Work::Mandelbrot,
        Work::NBody,
        Work::NBodyPlain,
        Work::NBodyMad,
        Work::NBodyRelaxed,
        Work::BlackScholes,
        Work::Histogram,
        Work::Stencil,
        Work::Transpose,
        Work::Reduce,
        Work::Scan,
        Work::Matmul,
        Work::MatmulTiled,
        Work::MatmulTiledMad,
        Work::MatmulTiledRelaxed,
    ];

    /// Its name on the command line and in the table.
    pub fn name(self) -> &'static str {
        match self {
            Work::VectorAdd => "vadd",
            Work::Saxpy => "saxpy",
            Work::Mandelbrot => "mandel",
            Work::NBody => "nbody",
            Work::NBodyPlain => "nbody_plain",
            Work::NBodyMad => "nbody_mad",
            Work::NBodyRelaxed => "nbody_relaxed",
            Work::BlackScholes => "bs",
            Work::Histogram => "hist",
            Work::Stencil => "stencil",
            Work::Transpose => "transpose",
            Work::Reduce => "reduce",
            Work::Scan => "scan",
            Work::Matmul => "matmul",
            Work::MatmulTiled => "matmul_tiled",
            Work::MatmulTiledMad => "matmul_tiled_mad",
            Work::MatmulTiledRelaxed => "matmul_tiled_relaxed",
        }
    }

    /// The work of that name.
    pub fn of_name(name: &str) -> Option<Work> {
        Work::ALL.into_iter().find(|work| work.name() == name)
    }

    /// The size that the table is for: elements, or the side of a square.
    pub fn full_size(self) -> usize {
        match self {
            Work::VectorAdd | Work::Saxpy | Work::Histogram | Work::Reduce | Work::Scan => 1 << 24,
            Work::Mandelbrot => 2048,
            Work::NBody | Work::NBodyPlain | Work::NBodyMad | Work::NBodyRelaxed => 8192,
            Work::BlackScholes => 1 << 22,
            Work::Stencil | Work::Transpose => 4096,
            Work::Matmul | Work::MatmulTiled | Work::MatmulTiledMad | Work::MatmulTiledRelaxed => 1024,
        }
    }

    /// A size for tests and for first launches: a few tiles.
    pub fn small_size(self) -> usize {
        match self {
            Work::VectorAdd | Work::Saxpy | Work::BlackScholes => 1000,
            Work::Histogram | Work::Reduce | Work::Scan => 1024,
            Work::Mandelbrot => 40,
            Work::NBody => 512,
            Work::NBodyPlain | Work::NBodyMad | Work::NBodyRelaxed => 256,
            Work::Stencil => 37,
            Work::Transpose | Work::Matmul | Work::MatmulTiled | Work::MatmulTiledMad | Work::MatmulTiledRelaxed => 64,
        }
    }

    /// The row that other programs have for it: they know no second forms.
    pub fn of_others(self) -> Work {
        match self {
            Work::NBodyPlain | Work::NBodyMad | Work::NBodyRelaxed => Work::NBody,
            Work::MatmulTiledMad | Work::MatmulTiledRelaxed => Work::MatmulTiled,
            other => other,
        }
    }

    /// Whether the kernel asks for fused multiplication and addition, which is a slow function call in a build for every x86-64.
    pub fn is_fused(self) -> bool {
        matches!(self, Work::NBodyMad | Work::MatmulTiledMad)
    }

    /// How far the kernel may be from what is expected, if it need not be the same.
    pub fn freedom(self) -> Option<Tolerance> {
        match self {
            Work::NBodyRelaxed | Work::MatmulTiledRelaxed => Some(Tolerance {
                relative: 1e-4,
                absolute: 1e-2,
                why: "products that are added are rounded once, not twice, where the machine can",
            }),
            _ => None,
        }
    }

    /// How far the plain form may be from the kernel, if its order of operations or its functions are others. All else is equal to the bit.
    pub fn tolerance(self) -> Option<Tolerance> {
        match self {
            Work::Scan => Some(Tolerance {
                relative: 1e-5,
                absolute: 0.0,
                why: "it adds from left to right, the kernel in a tree; both lose at most 8 roundings of positive sums of 256 numbers",
            }),
            Work::BlackScholes => Some(Tolerance {
                relative: 1e-5,
                absolute: 2e-5,
                why: "`exp` and `ln` of std round otherwise than `fast_math`, and the prices are differences of numbers up to 100",
            }),
            _ => None,
        }
    }
}

impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_work() {
        for work in Work::ALL {
            assert_eq!(Work::of_name(work.name()), Some(work));
        }
        assert_eq!(Work::of_name("nothing"), None);
    }
}
