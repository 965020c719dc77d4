//! [`Kernel`]: a kernel as a value.

use std::fmt;
use std::panic::{Location, RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

use crate::Result;
use crate::api::accelerator::{AcceleratorView, DeviceKind};
use crate::kernel::program::{ClosureParts, LoweredProgram};
use crate::targets::fault;

/// A kernel with its captured values, made by `kernel!`. It keeps its views alive (and borrowed).
/// Cheap to clone; can be launched often, on any accelerator. `Send + Sync`.
///
/// ```
/// use tilewise::{Accelerator, ArrayView, Index, kernel, parallel_for_each};
/// let view = ArrayView::from_vec(3, vec![1, 2, 3])?;
/// let double = kernel!(|i: Index<1>| view[i] *= 2);
/// for path in ["reference", "jit"] {
///     Accelerator::new(path)?.default_view().parallel_for_each(view.extent(), &double)?;
/// }
/// parallel_for_each(view.extent(), &double)?; // on the default accelerator
/// assert_eq!(view.to_vec()?, [8, 16, 24]);
/// # Ok::<(), tilewise::Error>(())
/// ```
pub struct Kernel<'k, I>(Arc<dyn ClosureParts<I> + 'k>);

impl<'k, I> Kernel<'k, I> {
    pub(crate) fn new(parts: Arc<dyn ClosureParts<I> + 'k>) -> Self {
        Kernel(parts)
    }

    pub(crate) fn parts(&self) -> &(dyn ClosureParts<I> + 'k) {
        &*self.0
    }

    /// Compiles it for an accelerator without running it. Returns all diagnostics at once, and
    /// fills the cache. The closure that `native` runs is compiled already.
    pub fn prepare(&self, target: &AcceleratorView) -> Result<()> {
        fault::with_stacks(|| self.prepare_here(target))
    }

    fn prepare_here(&self, target: &AcceleratorView) -> Result<()> {
        match target.chosen()?.accelerator().device() {
            DeviceKind::Cpu => Err(fault::not_on(target.chosen()?.accelerator())),
            DeviceKind::Native | DeviceKind::Reference => LoweredProgram::of(self.parts()).map(drop),
            DeviceKind::Jit => LoweredProgram::of(self.parts()).map(|program| drop(program.prepared().clone())),
            // Pipelines depend on the bound arguments, so the first launch makes them.
            DeviceKind::Gpu(_) => LoweredProgram::of(self.parts()).map(drop),
        }
    }

    /// Its position in the source.
    pub fn location(&self) -> &'static Location<'static> {
        self.0.head().location
    }
}

/// A kernel captures only views, which are unwind safe too, and plain values.
impl<I> UnwindSafe for Kernel<'_, I> {}
impl<I> RefUnwindSafe for Kernel<'_, I> {}

impl<I> Clone for Kernel<'_, I> {
    fn clone(&self) -> Self {
        Kernel(self.0.clone())
    }
}

impl<I> fmt::Debug for Kernel<'_, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Kernel({})", self.location())
    }
}
