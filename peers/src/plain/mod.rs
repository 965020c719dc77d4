//! The work in plain Rust, as one writes it with rayon: each in the form that is natural on a CPU. Where a kernel has barriers, this has none.
//!
//! Sums are in the order in which the kernels add, so that results can be compared to the bit; where the natural form has another order, [`expected`] has the kernel's, and
//! [`Work::tolerance`] tells how far apart the two may be.

pub mod black_scholes;
pub mod elementwise;
pub mod histogram;
pub mod mandelbrot;
pub mod matmul;
pub mod n_body;
pub mod reduce;
pub mod scan;
pub mod stencil;
pub mod transpose;

use crate::{Output, Prepared, Work};

/// Elements, or rows times their length, that a worker takes at once: about 20 microseconds of memory traffic.
const CHUNK: usize = 1 << 16;

/// Makes the work ready, in the current rayon pool.
pub fn prepare(work: Work, size: usize) -> Box<dyn Prepared> {
    match work {
        Work::VectorAdd => elementwise::add(size),
        Work::Saxpy => elementwise::saxpy(size),
        Work::Mandelbrot => mandelbrot::prepare(size),
        Work::NBody | Work::NBodyPlain | Work::NBodyRelaxed => n_body::prepare(size),
        Work::NBodyMad => n_body::prepare_fused(size),
        Work::BlackScholes => black_scholes::prepare(size),
        Work::Histogram => histogram::prepare(size),
        Work::Stencil => stencil::prepare(size),
        Work::Transpose => transpose::prepare(size),
        Work::Reduce => reduce::prepare(size),
        Work::Scan => scan::prepare(size),
        Work::Matmul => matmul::prepare(size),
        Work::MatmulTiled | Work::MatmulTiledRelaxed => matmul::prepare_blocked(size),
        Work::MatmulTiledMad => matmul::prepare_fused(size),
    }
}

/// What the kernel must give, to the bit or within [`Work::freedom`]; of Black-Scholes only within its tolerance, as this crate has no `fast_math`.
///
/// # Errors
/// What the work says.
pub fn expected(work: Work, size: usize) -> Result<Output, String> {
    if work == Work::Scan {
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
    output: fn(&S) -> Output,
}

impl<S: Send> Prepared for Plain<S> {
    fn restore(&mut self) -> Result<(), String> {
        (self.restore)(&mut self.state);
        Ok(())
    }

    fn run(&mut self) -> Result<(), String> {
        (self.run)(&mut self.state);
        Ok(())
    }

    fn output(&self) -> Result<Output, String> {
        Ok((self.output)(&self.state))
    }
}

/// For work that does not change its inputs.
fn nothing<S>(_: &mut S) {}
