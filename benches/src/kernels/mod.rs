//! The work of [`tilewise_peers`] as kernels, each as one who knows C++ AMP writes it.

mod black_scholes;
mod elementwise;
mod histogram;
mod mandelbrot;
mod matmul;
mod n_body;
mod reduce;
mod scan;
mod stencil;
mod transpose;

use tilewise::{Accelerator, AcceleratorView, FloatMode};
use tilewise_peers::{Output, Prepared, Work, plain};

/// Makes the work ready to be launched on `on`.
///
/// # Errors
/// What Tilewise says.
pub fn prepare(work: Work, size: usize, on: &AcceleratorView) -> tilewise::Result<Box<dyn Prepared>> {
    match work {
        Work::VectorAdd => elementwise::add(size, on),
        Work::Saxpy => elementwise::saxpy(size, on),
        Work::Mandelbrot => mandelbrot::prepare(size, on),
        Work::NBody => n_body::staged(size, on),
        Work::NBodyPlain => n_body::plain(size, on),
        Work::NBodyMad => n_body::fused(size, on),
        Work::NBodyRelaxed => n_body::staged(size, &relaxed(on)?),
        Work::BlackScholes => black_scholes::prepare(size, on),
        Work::Histogram => histogram::prepare(size, on),
        Work::Stencil => stencil::prepare(size, on),
        Work::Transpose => transpose::prepare(size, on),
        Work::Reduce => reduce::prepare(size, on),
        Work::Scan => scan::prepare(size, on),
        Work::Matmul => matmul::naive(size, on),
        Work::MatmulTiled => matmul::tiled(size, on),
        Work::MatmulTiledMad => matmul::fused(size, on),
        Work::MatmulTiledRelaxed => matmul::tiled(size, &relaxed(on)?),
    }
}

/// A queue of the same accelerator whose launches may contract, with a thread for each core that this program has.
fn relaxed(on: &AcceleratorView) -> tilewise::Result<AcceleratorView> {
    let accelerator = on.accelerator();
    let pin = accelerator.path() == Accelerator::JIT;
    accelerator.view_builder().pin_threads(pin).float_mode(FloatMode::Relaxed).create()
}

/// What a run must give, to the bit or within [`Work::freedom`], computed without a launch.
///
/// # Errors
/// What the work says.
pub fn expected(work: Work, size: usize) -> Result<Output, String> {
    match work {
        Work::BlackScholes => Ok(black_scholes::on_the_host(size)),
        other => plain::expected(other, size),
    }
}

/// Work as functions over its views.
struct Views<S> {
    on: AcceleratorView,
    views: S,
    restore: fn(&S) -> tilewise::Result<()>,
    run: fn(&AcceleratorView, &S) -> tilewise::Result<()>,
    output: fn(&S) -> tilewise::Result<Output>,
}

impl<S: Send> Prepared for Views<S> {
    fn restore(&mut self) -> Result<(), String> {
        (self.restore)(&self.views).map_err(|error| error.to_string())
    }

    fn run(&mut self) -> Result<(), String> {
        (self.run)(&self.on, &self.views).map_err(|error| error.to_string())
    }

    fn output(&self) -> Result<Output, String> {
        (self.output)(&self.views).map_err(|error| error.to_string())
    }
}

/// For work that does not change its inputs.
fn nothing<S>(_: &S) -> tilewise::Result<()> {
    Ok(())
}
