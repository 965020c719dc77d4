//! Programs: kernels lowered and checked, once for each form; and the cache of them.
//!
//! The key is [`Parts::key`](crate::kernel::Parts::key), the address of the function that gives the form: it does not depend on what was captured, so a kernel value that is
//! made anew each time finds its program by one look-up of a number. A kernel value keeps what it found, so launching it again looks up nothing.
//! What does not build is kept too: its diagnostics are the same each time.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use tilewise_ir::analysis::written::written;
use tilewise_ir::check::{Checked, check};
use tilewise_ir::kernel::Kernel;
use tilewise_ir::lower::{self, Binding, Lowered};

use crate::kernel::Parts;
use crate::report::Diagnostics;
use crate::{Error, Result};

/// A kernel, ready for targets.
#[derive(Debug)]
pub(crate) struct Program {
    kernel: Checked<Kernel>,
    /// For each captured name, what it is to the kernel.
    bindings: Vec<Binding>,
    /// For each parameter, whether the kernel may write through it.
    written: Vec<bool>,
}

/// What came of building a program.
pub(crate) type Built = Result<Arc<Program>, Box<Diagnostics>>;

static PROGRAMS: RwLock<Option<HashMap<usize, Built>>> = RwLock::new(None);

impl Program {
    /// The program of a kernel value.
    pub(crate) fn of<I>(parts: &dyn Parts<I>) -> Result<Arc<Program>> {
        parts.program().get_or_init(|| find_or_build(parts)).clone().map_err(Error::Kernel)
    }

    /// The kernel.
    pub(crate) fn kernel(&self) -> &Checked<Kernel> {
        &self.kernel
    }

    /// For each captured name, what it is to the kernel.
    pub(crate) fn bindings(&self) -> &[Binding] {
        &self.bindings
    }

    /// Whether it may write through the captured view of that number.
    pub(crate) fn writes(&self, capture: usize) -> bool {
        match self.bindings.get(capture) {
            Some(Binding::View(param)) => self.written[param.index()],
            Some(Binding::Uniform(_) | Binding::Nothing) => false,
            None => true,
        }
    }
}

fn find_or_build<I>(parts: &dyn Parts<I>) -> Built {
    let key = parts.key();
    if let Some(programs) = &*PROGRAMS.read().unwrap_or_else(PoisonError::into_inner)
        && let Some(built) = programs.get(&key)
    {
        return built.clone();
    }
    // Two threads may build the same program at once; both get the one that comes first.
    let built = build(parts);
    let mut programs = PROGRAMS.write().unwrap_or_else(PoisonError::into_inner);
    programs.get_or_insert_default().entry(key).or_insert(built).clone()
}

fn build<I>(parts: &dyn Parts<I>) -> Built {
    let rejected =
        |rejected: tilewise_ir::check::Rejected| Box::new(Diagnostics::new(&rejected.diagnostics, &rejected.sources));
    let Lowered { kernel, bindings } = lower::kernel("kernel", &parts.form()).map_err(rejected)?;
    let kernel = check(kernel).map_err(rejected)?;
    let written = written(kernel.inlined());
    Ok(Arc::new(Program { kernel, bindings, written }))
}
