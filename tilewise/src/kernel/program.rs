//! Programs: kernels lowered and checked, once for each form; and the cache of them.
//!
//! The key is [`KernelHead::key`](KernelHead::key), the address of the function that gives the form: it does not depend on what was captured, so a kernel value that is
//! made anew each time finds its program by one look-up of a number. A kernel value keeps what it found, so launching it again looks up nothing.
//! What does not build is kept too: its diagnostics are the same each time.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::panic::Location;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use tilewise_cpu_jit::run::JitKernel;
use tilewise_ir::check::{Checked, check};
use tilewise_ir::kernel::Kernel;
use tilewise_lower::{self as lower, Binding, LoweredKernel};

use crate::api::report::Diagnostics;
use crate::kernel::macro_support::{LaunchBinder, RustFunction};
#[cfg(feature = "gpu")]
use crate::targets::gpu;
use crate::{Error, Result};

/// What a kernel value consists of.
pub(crate) trait ClosureParts<I>: Send + Sync {
    /// Runs the closure for one index.
    fn call(&self, index: I);

    /// Gives what the closure captured, in the order of its parameters.
    fn bind<'b>(&'b self, to: &mut LaunchBinder<'b>);

    /// The syntax and types of the closure.
    fn form(&self) -> RustFunction;

    /// What all kernel values have alike. (One method for all of it: rustc makes each anew for each kernel of a program.)
    fn head(&self) -> &KernelHead;
}

/// What all kernel values have alike.
pub(crate) struct KernelHead {
    /// Names the form: kernels with the same key have the same form.
    pub(crate) key: usize,
    /// Where it was written.
    pub(crate) location: &'static Location<'static>,
    /// What it was built to.
    pub(crate) program: OnceLock<Built>,
}

/// A kernel, ready for targets.
#[derive(Debug)]
pub(crate) struct LoweredProgram {
    kernel: Arc<Checked<Kernel>>,
    /// For each captured name, what it is to the kernel.
    bindings: Vec<Binding>,
    /// Its compiled code, for `jit`.
    prepared: OnceLock<JitKernel>,
    /// Its pipelines, for GPUs.
    #[cfg(feature = "gpu")]
    on_gpu: OnceLock<gpu::GpuKernel>,
    /// Whether the user was told of something.
    told: AtomicBool,
}

/// What came of building a program.
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
    /// The program of a kernel value.
    pub(crate) fn of<I>(parts: &dyn ClosureParts<I>) -> Result<Arc<LoweredProgram>> {
        parts.head().program.get_or_init(|| find_or_build(parts)).clone().map_err(Error::Kernel)
    }

    /// The kernel.
    pub(crate) fn kernel(&self) -> &Checked<Kernel> {
        &self.kernel
    }

    /// For each captured name, what it is to the kernel.
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

    /// Tells the user something, the first time.
    pub(crate) fn once(&self, tell: impl FnOnce()) {
        if !self.told.swap(true, Ordering::Relaxed) {
            tell();
        }
    }

    /// The captured name of that number, if the kernel has it as a parameter.
    pub(crate) fn name(&self, capture: usize) -> Option<&str> {
        match self.bindings.get(capture)? {
            Binding::View(param) | Binding::Uniform(param) => Some(&self.kernel.kernel().params()[param.index()].name),
            Binding::Nothing => None,
        }
    }

    /// Whether it may write through the captured view of that number.
    pub(crate) fn writes(&self, capture: usize) -> bool {
        match self.bindings.get(capture) {
            Some(Binding::View(param)) => self.kernel.written()[param.index()],
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
    // Two threads may build the same program at once; both get the one that comes first.
    let built = build(parts);
    let mut programs = PROGRAMS.write().unwrap_or_else(PoisonError::into_inner);
    programs.entry(key).or_insert(built).clone()
}

fn build<I>(parts: &dyn ClosureParts<I>) -> Built {
    let rejected =
        |rejected: tilewise_ir::check::Rejected| Box::new(Diagnostics::new(&rejected.diagnostics, &rejected.sources));
    let LoweredKernel { kernel, bindings } = lower::kernel("kernel", &parts.form()).map_err(rejected)?;
    let kernel = check(kernel).map_err(rejected)?;
    Ok(Arc::new(LoweredProgram {
        kernel: Arc::new(kernel),
        bindings,
        prepared: OnceLock::new(),
        #[cfg(feature = "gpu")]
        on_gpu: OnceLock::new(),
        told: AtomicBool::new(false),
    }))
}
