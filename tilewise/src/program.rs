//! Programs: kernels lowered and checked, once for each form; and the cache of them.
//!
//! The key is [`Parts::key`](crate::kernel::Parts::key), the address of the function that gives the form: it does not depend on what was captured, so a kernel value that is
//! made anew each time finds its program by one look-up of a number. A kernel value keeps what it found, so launching it again looks up nothing.
//! What does not build is kept too: its diagnostics are the same each time.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use tilewise_cpu_jit::run::Prepared;
use tilewise_ir::check::{Checked, check};
use tilewise_ir::kernel::Kernel;
use tilewise_ir::lower::{self, Binding, Lowered};

#[cfg(feature = "gpu")]
use crate::gpu;
use crate::kernel::Parts;
use crate::report::Diagnostics;
use crate::{Error, Result};

/// A kernel, ready for targets.
#[derive(Debug)]
pub(crate) struct Program {
    kernel: Arc<Checked<Kernel>>,
    /// For each captured name, what it is to the kernel.
    bindings: Vec<Binding>,
    /// Its compiled code, for `jit`.
    prepared: OnceLock<Prepared>,
    /// Its pipelines, for GPUs.
    #[cfg(feature = "gpu")]
    on_gpu: OnceLock<gpu::Prepared>,
    /// Whether the user was told of something.
    told: AtomicBool,
}

/// What came of building a program.
pub(crate) type Built = Result<Arc<Program>, Box<Diagnostics>>;

static PROGRAMS: RwLock<Programs> = RwLock::new(Programs::with_hasher(BuildHasherDefault::new()));

/// Programs by the addresses of forms.
type Programs = HashMap<usize, Built, BuildHasherDefault<Address>>;

/// Spreads an address over 64 bits: a table of addresses needs no more.
#[derive(Default)]
struct Address(u64);

impl Hasher for Address {
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

impl Program {
    /// The program of a kernel value.
    pub(crate) fn of<I>(parts: &dyn Parts<I>) -> Result<Arc<Program>> {
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
    pub(crate) fn prepared(&self) -> &Prepared {
        self.prepared.get_or_init(|| Prepared::new(Arc::clone(&self.kernel)))
    }

    /// The kernel with its pipelines.
    #[cfg(feature = "gpu")]
    pub(crate) fn on_gpu(&self) -> &gpu::Prepared {
        self.on_gpu.get_or_init(|| gpu::Prepared::new(Arc::clone(&self.kernel)))
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

fn find_or_build<I>(parts: &dyn Parts<I>) -> Built {
    let key = parts.head().key;
    if let Some(built) = PROGRAMS.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
        return built.clone();
    }
    // Two threads may build the same program at once; both get the one that comes first.
    let built = build(parts);
    let mut programs = PROGRAMS.write().unwrap_or_else(PoisonError::into_inner);
    programs.entry(key).or_insert(built).clone()
}

fn build<I>(parts: &dyn Parts<I>) -> Built {
    let rejected =
        |rejected: tilewise_ir::check::Rejected| Box::new(Diagnostics::new(&rejected.diagnostics, &rejected.sources));
    let Lowered { kernel, bindings } = lower::kernel("kernel", &parts.form()).map_err(rejected)?;
    let kernel = check(kernel).map_err(rejected)?;
    Ok(Arc::new(Program {
        kernel: Arc::new(kernel),
        bindings,
        prepared: OnceLock::new(),
        #[cfg(feature = "gpu")]
        on_gpu: OnceLock::new(),
        told: AtomicBool::new(false),
    }))
}
