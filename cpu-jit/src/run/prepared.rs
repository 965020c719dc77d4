//! [`Prepared`]: a kernel, and what launches have made of it so far.

use std::fmt;
use std::sync::Arc;

use tilewise_ir::check::Checked;
use tilewise_ir::kernel::Kernel;

/// A kernel to launch, with the machine code that there is of it. Cheap to clone; the code's memory is freed with the last handle.
#[derive(Clone)]
pub struct Prepared {
    kernel: Arc<Checked<Kernel>>,
}

impl Prepared {
    /// Prepares a kernel. Nothing is compiled before the first launch.
    pub fn new(kernel: Arc<Checked<Kernel>>) -> Prepared {
        Prepared { kernel }
    }

    /// The kernel.
    pub fn kernel(&self) -> &Checked<Kernel> {
        &self.kernel
    }
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prepared").field("kernel", &self.kernel.name()).finish_non_exhaustive()
    }
}
