//! Programs: kernels lowered and checked, once for each form; and their cache.
//!
//! The key is [`KernelHead::key`](KernelHead::key), the address of the function that returns the
//! form: it does not depend on the captured values, so a kernel value that is made anew each time
//! finds its program by one look-up of a number. A kernel value keeps its program, so launching it
//! again looks up nothing. Failures are cached too, as their diagnostics are the same each time.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::panic::Location;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use tilewise_cpu_jit::run::JitKernel;
use tilewise_ir::check::{Checked, check};
use tilewise_ir::kernel::Kernel;
use tilewise_lower::{self as lower, Binding, LoweredKernel};
use tilewise_trace::{SpanKind, span};

use crate::api::report::Diagnostics;
use crate::kernel::macro_support::{LaunchBinder, RustFunction};
#[cfg(feature = "gpu")]
use crate::targets::gpu;
use crate::{Error, Result};

/// The contents of a kernel value.
pub(crate) trait ClosureParts<I>: Send + Sync {
    /// Runs the closure for one index.
    fn call(&self, index: I);

    /// Binds the captured values, in the order of the parameters.
    fn bind<'b>(&'b self, to: &mut LaunchBinder<'b>);

    /// The syntax and types of the closure.
    fn form(&self) -> RustFunction;

    /// The part that all kernel values have in common. (One method for all of it, as rustc
    /// instantiates each method for each kernel of a program.)
    fn head(&self) -> &KernelHead;
}

/// The part that all kernel values have in common.
pub(crate) struct KernelHead {
    /// Identifies the form: kernels with the same key have the same form.
    pub(crate) key: usize,
    /// Its position in the source.
    pub(crate) location: &'static Location<'static>,
    /// The program, once it is built.
    pub(crate) program: OnceLock<Built>,
}

/// A kernel, ready for targets.
#[derive(Debug)]
pub(crate) struct LoweredProgram {
    kernel: Arc<Checked<Kernel>>,
    /// For each captured name, its role in the kernel.
    bindings: Vec<Binding>,
    /// Its compiled code, for `jit`.
    prepared: OnceLock<JitKernel>,
    /// Its pipelines, for GPUs.
    #[cfg(feature = "gpu")]
    on_gpu: OnceLock<gpu::GpuKernel>,
    /// Whether the warning has been issued.
    told: AtomicBool,
}

/// The result of building a program.
pub(crate) type Built = Result<Arc<LoweredProgram>, Box<Diagnostics>>;

static PROGRAMS: RwLock<Programs> = RwLock::new(Programs::with_hasher(BuildHasherDefault::new()));

/// Programs by the addresses of forms.
type Programs = HashMap<usize, Built, BuildHasherDefault<SpreadAddress>>;

/// Spreads an address over 64 bits: a table of addresses needs no more.
#[derive(Default)]
struct SpreadAddress(u64);

impl Hasher for SpreadAddress {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_usize(byte.into()));
    }

    fn write_usize(&mut self, address: usize) {
        // Two to the power of 64, divided by the golden ratio.
        self.0 = (self.0 ^ address as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl LoweredProgram {
    /// A program of a checked kernel, whose items are bound in this order.
    pub(crate) fn new(kernel: Checked<Kernel>, bindings: Vec<Binding>) -> LoweredProgram {
        LoweredProgram {
            kernel: Arc::new(kernel),
            bindings,
            prepared: OnceLock::new(),
            #[cfg(feature = "gpu")]
            on_gpu: OnceLock::new(),
            told: AtomicBool::new(false),
        }
    }

    /// The program of a kernel value.
    pub(crate) fn of<I>(parts: &dyn ClosureParts<I>) -> Result<Arc<LoweredProgram>> {
        parts.head().program.get_or_init(|| find_or_build(parts)).clone().map_err(Error::Kernel)
    }

    /// The checked kernel.
    pub(crate) fn kernel(&self) -> &Checked<Kernel> {
        &self.kernel
    }

    /// For each captured name, its role in the kernel.
    pub(crate) fn bindings(&self) -> &[Binding] {
        &self.bindings
    }

    /// The kernel with its compiled code.
    pub(crate) fn prepared(&self) -> &JitKernel {
        self.prepared.get_or_init(|| JitKernel::new(Arc::clone(&self.kernel)))
    }

    /// The kernel with its pipelines.
    #[cfg(feature = "gpu")]
    pub(crate) fn on_gpu(&self) -> &gpu::GpuKernel {
        self.on_gpu.get_or_init(|| gpu::GpuKernel::new(Arc::clone(&self.kernel)))
    }

    /// Calls `tell` the first time only.
    pub(crate) fn once(&self, tell: impl FnOnce()) {
        if !self.told.swap(true, Ordering::Relaxed) {
            tell();
        }
    }

    /// The captured name with that number, if it is a parameter of the kernel.
    pub(crate) fn name(&self, capture: usize) -> Option<&str> {
        match self.bindings.get(capture)? {
            Binding::View(param) | Binding::Uniform(param) | Binding::Buffer(param) => {
                Some(&self.kernel.kernel().params()[param.index()].name)
            }
            Binding::Nothing => None,
        }
    }

    /// Whether the kernel may write through the captured view with that number.
    pub(crate) fn writes(&self, capture: usize) -> bool {
        match self.bindings.get(capture) {
            Some(Binding::View(param) | Binding::Buffer(param)) => self.kernel.written()[param.index()],
            Some(Binding::Uniform(_) | Binding::Nothing) => false,
            None => true,
        }
    }
}

fn find_or_build<I>(parts: &dyn ClosureParts<I>) -> Built {
    let key = parts.head().key;
    if let Some(built) = PROGRAMS.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
        return built.clone();
    }
    // Two threads may build the same program at once; both get the one that is inserted first.
    let lower = span(SpanKind::Lower, || format!("the kernel at {}", parts.head().location));
    let built = build(parts);
    drop(lower);
    let mut programs = PROGRAMS.write().unwrap_or_else(PoisonError::into_inner);
    programs.entry(key).or_insert(built).clone()
}

fn build<I>(parts: &dyn ClosureParts<I>) -> Built {
    let rejected =
        |rejected: tilewise_ir::check::Rejected| Box::new(Diagnostics::new(&rejected.diagnostics, &rejected.sources));
    let LoweredKernel { kernel, bindings } = lower::kernel("kernel", &parts.form()).map_err(rejected)?;
    let kernel = check(kernel).map_err(rejected)?;
    Ok(Arc::new(LoweredProgram::new(kernel, bindings)))
}
