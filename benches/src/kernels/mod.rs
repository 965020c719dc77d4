//! The work of [`tilewise_peers`] as kernels, in the style of C++ AMP.

mod bitonic;
mod black_scholes;
mod convolution;
mod elementwise;
mod fourier;
mod histogram;
mod k_means;
mod life;
mod mandelbrot;
mod matmul;
mod n_body;
mod prefix;
mod radix;
mod reduce;
mod scan;
mod shortest_paths;
mod sparse;
mod stencil;
mod stencil_3d;
mod transpose;

use tilewise::{Accelerator, AcceleratorView, ArrayView, Element, FloatMode, IntoExtent};
use tilewise_peers::{PeerOutput, PeerWork, PreparedWork, plain};

/// Prepares the work for launches on `on`.
///
/// # Errors
/// The error of Tilewise.
pub fn prepare(work: PeerWork, size: usize, on: &AcceleratorView) -> tilewise::Result<Box<dyn PreparedWork>> {
    match work {
        PeerWork::VectorAdd => elementwise::add(size, on),
        PeerWork::Saxpy => elementwise::saxpy(size, on),
        PeerWork::Mandelbrot => mandelbrot::prepare(size, on),
        PeerWork::NBody => n_body::staged(size, on),
        PeerWork::NBodyPlain => n_body::plain(size, on),
        PeerWork::NBodyMad => n_body::fused(size, on),
        PeerWork::NBodyRelaxed => n_body::staged(size, &relaxed(on)?),
        PeerWork::BlackScholes => black_scholes::prepare(size, on),
        PeerWork::Histogram => histogram::prepare(size, on),
        PeerWork::Stencil => stencil::prepare(size, on),
        PeerWork::Transpose => transpose::prepare(size, on),
        PeerWork::Reduce => reduce::prepare(size, on),
        PeerWork::Scan => scan::prepare(size, on),
        PeerWork::Matmul => matmul::naive(size, on),
        PeerWork::MatmulTiled => matmul::tiled(size, on),
        PeerWork::MatmulTiledMad => matmul::fused(size, on),
        PeerWork::MatmulTiledRelaxed => matmul::tiled(size, &relaxed(on)?),
        PeerWork::KMeans => k_means::prepare(size, on),
        PeerWork::Stencil3d => stencil_3d::prepare(size, on),
        PeerWork::Convolution => convolution::prepare(size, on),
        PeerWork::SparseProduct => sparse::prepare(size, on),
        PeerWork::ShortestPaths => shortest_paths::prepare(size, on),
        PeerWork::BitonicSort => bitonic::prepare(size, on),
        PeerWork::RadixPass => radix::prepare(size, on),
        PeerWork::PrefixSum => prefix::prepare(size, on),
        PeerWork::Fourier => fourier::prepare(size, on),
        PeerWork::Life => life::prepare(size, on),
    }
}

/// A queue of the same accelerator whose launches may contract, with a thread for each core of this
/// program.
fn relaxed(on: &AcceleratorView) -> tilewise::Result<AcceleratorView> {
    let accelerator = on.accelerator();
    let pin = accelerator.path() == Accelerator::JIT;
    accelerator.view_builder().pin_threads(pin).float_mode(FloatMode::Relaxed).create()
}

/// The expected result of a run, to the bit or within [`PeerWork::freedom`], computed without a
/// launch.
///
/// # Errors
/// The error of the work.
pub fn expected(work: PeerWork, size: usize) -> Result<PeerOutput, String> {
    match work {
        PeerWork::BlackScholes => Ok(black_scholes::on_the_host(size)),
        other => plain::expected(other, size),
    }
}

/// A view of memory of the library, as the arrays of C++ AMP are, that contains `data`.
fn filled<T: Element, const N: usize>(
    extent: impl IntoExtent<N>,
    data: Vec<T>,
) -> tilewise::Result<ArrayView<'static, T, N>> {
    let view = ArrayView::without_source(extent)?;
    view.host_mut()?.iter_mut().zip(data).for_each(|(to, from)| *to = from);
    Ok(view)
}

/// Work as functions over its views.
struct Views<S> {
    on: AcceleratorView,
    views: S,
    restore: fn(&S) -> tilewise::Result<()>,
    run: fn(&AcceleratorView, &S) -> tilewise::Result<()>,
    output: fn(&S) -> tilewise::Result<PeerOutput>,
}

impl<S: Send> PreparedWork for Views<S> {
    fn restore(&mut self) -> Result<(), String> {
        (self.restore)(&self.views).map_err(|error| error.to_string())
    }

    fn run(&mut self) -> Result<(), String> {
        // A GPU computes after the call has returned; the others have nothing to wait for.
        (self.run)(&self.on, &self.views).and_then(|()| self.on.wait()).map_err(|error| error.to_string())
    }

    fn output(&self) -> Result<PeerOutput, String> {
        (self.output)(&self.views).map_err(|error| error.to_string())
    }
}

/// For work that does not change its inputs.
fn nothing<S>(_: &S) -> tilewise::Result<()> {
    Ok(())
}
