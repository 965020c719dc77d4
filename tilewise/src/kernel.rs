//! [`Kernel`]: a kernel as a value.

use std::fmt;
use std::panic::Location;
use std::sync::Arc;

use crate::form::{Binder, Function};

/// A kernel with what it captured, from `kernel!`. It keeps its views alive (and borrowed); cheap to clone; launch it often, anywhere. `Send + Sync`.
pub struct Kernel<'k, I>(Arc<dyn Parts<I> + 'k>);

/// What a kernel value consists of.
pub(crate) trait Parts<I>: Send + Sync {
    /// Runs the closure for one index.
    fn call(&self, index: I);

    /// Gives what the closure captured, in the order of its parameters.
    fn bind(&self, to: &mut Binder);

    /// The syntax and types of the closure.
    fn form(&self) -> Function;

    /// Names the form: kernels with the same key have the same form.
    fn key(&self) -> usize;

    /// Where it was written.
    fn location(&self) -> &'static Location<'static>;
}

impl<'k, I> Kernel<'k, I> {
    pub(crate) fn new(parts: impl Parts<I> + 'k) -> Self {
        Kernel(Arc::new(parts))
    }

    pub(crate) fn parts(&self) -> &(dyn Parts<I> + 'k) {
        &*self.0
    }

    /// Where it was written.
    pub fn location(&self) -> &'static Location<'static> {
        self.0.location()
    }
}

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
