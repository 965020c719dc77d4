//! The work in plain Rust with rayon: each in the form that is natural on a CPU. Where a kernel has
//! barriers, this has none.
//!
//! Sums are in the order of the kernels, so that results can be compared to the bit; where the
//! natural form has another order, [`expected`] has the kernel's, and [`PeerWork::tolerance`] is
//! the tolerance between the two.

pub mod bitonic;
pub mod black_scholes;
pub mod convolution;
pub mod elementwise;
pub mod fourier;
pub mod histogram;
pub mod k_means;
pub mod life;
pub mod mandelbrot;
pub mod matmul;
pub mod n_body;
pub mod prefix;
pub mod radix;
pub mod reduce;
pub mod scan;
pub mod shortest_paths;
pub mod sparse;
pub mod stencil;
pub mod stencil_3d;
pub mod transpose;

use crate::{PeerOutput, PeerWork, PreparedWork};

/// Elements, or rows times their length, that a worker takes at once: about 20 microseconds of
/// memory traffic.
const CHUNK: usize = 1 << 16;

/// Prepares the work, in the current rayon pool.
pub fn prepare(work: PeerWork, size: usize) -> Box<dyn PreparedWork> {
    match work {
        PeerWork::VectorAdd => elementwise::add(size),
        PeerWork::Saxpy => elementwise::saxpy(size),
        PeerWork::Mandelbrot => mandelbrot::prepare(size),
        PeerWork::NBody | PeerWork::NBodyPlain | PeerWork::NBodyRelaxed => n_body::prepare(size),
        PeerWork::NBodyMad => n_body::prepare_fused(size),
        PeerWork::BlackScholes => black_scholes::prepare(size),
        PeerWork::Histogram => histogram::prepare(size),
        PeerWork::Stencil => stencil::prepare(size),
        PeerWork::Transpose => transpose::prepare(size),
        PeerWork::Reduce => reduce::prepare(size),
        PeerWork::Scan => scan::prepare(size),
        PeerWork::Matmul | PeerWork::MatmulTiled | PeerWork::MatmulTiledRelaxed => matmul::prepare(size),
        PeerWork::MatmulTiledMad => matmul::prepare_fused(size),
        PeerWork::KMeans => k_means::prepare(size),
        PeerWork::Stencil3d => stencil_3d::prepare(size),
        PeerWork::Convolution => convolution::prepare(size),
        PeerWork::SparseProduct => sparse::prepare(size),
        PeerWork::ShortestPaths => shortest_paths::prepare(size),
        PeerWork::BitonicSort => bitonic::prepare(size),
        PeerWork::RadixPass => radix::prepare(size),
        PeerWork::PrefixSum => prefix::prepare(size),
        PeerWork::Fourier => fourier::prepare(size),
        PeerWork::Life => life::prepare(size),
    }
}

/// The expected result of the kernel, to the bit or within [`PeerWork::freedom`]; for Black-Scholes
/// only within its tolerance, as this crate has no `fast_math`.
///
/// # Errors
/// The error of the work.
pub fn expected(work: PeerWork, size: usize) -> Result<PeerOutput, String> {
    if work == PeerWork::Scan {
        return Ok(scan::in_a_tree(size));
    }
    let mut plain = prepare(work, size);
    plain.run()?;
    plain.output()
}

/// Work as plain functions over its memory.
struct Plain<S> {
    state: S,
    restore: fn(&mut S),
    run: fn(&mut S),
    output: fn(&S) -> PeerOutput,
}

impl<S: Send> PreparedWork for Plain<S> {
    fn restore(&mut self) -> Result<(), String> {
        (self.restore)(&mut self.state);
        Ok(())
    }

    fn run(&mut self) -> Result<(), String> {
        (self.run)(&mut self.state);
        Ok(())
    }

    fn output(&self) -> Result<PeerOutput, String> {
        Ok((self.output)(&self.state))
    }
}

/// For work that does not change its inputs.
fn nothing<S>(_: &mut S) {}
