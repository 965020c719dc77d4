//! Panics in the closures of kernels: they are caught, said in an error, and not printed.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{UnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// Does the calling thread run a closure whose panics are caught?
    static CATCHING: Cell<bool> = const { Cell::new(false) };
    /// Where the last panic was.
    static AT: RefCell<Option<(String, u32, u32)>> = const { RefCell::new(None) };
}

/// What Rust said.
#[derive(Debug)]
pub(crate) struct Panic {
    /// The message.
    pub(crate) message: String,
    /// File, line, column, if the panic went through the hook.
    pub(crate) at: Option<(String, u32, u32)>,
}

/// Puts a panic hook before the program's, once, that is silent where panics are caught.
pub(super) fn keep_quiet() {
    static ONCE: Once = Once::new();
    // A hook cannot be changed by a thread that panics; then this launch is noisy.
    if ONCE.is_completed() || std::thread::panicking() {
        return;
    }
    ONCE.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |info| {
            if CATCHING.get() {
                AT.set(info.location().map(|at| (at.file().to_owned(), at.line(), at.column())));
            } else {
                before(info);
            }
        }));
    });
}

/// Runs something, and gives the payload if it panics.
pub(super) fn catch<R>(run: impl FnOnce() -> R + UnwindSafe) -> Result<R, Box<dyn Any + Send>> {
    let outer = CATCHING.replace(true);
    let result = catch_unwind(run);
    CATCHING.set(outer);
    result
}

/// What a payload says.
pub(super) fn told(payload: &(dyn Any + Send)) -> Panic {
    let message = payload
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| payload.downcast_ref::<&'static str>().copied())
        .unwrap_or("a panic without a message");
    Panic { message: message.to_owned(), at: AT.take() }
}

impl Panic {
    /// What it would have been in a kernel.
    pub(crate) fn in_a_kernel(&self) -> &'static str {
        let says = |text: &str| self.message.contains(text);
        if says("divide by zero") {
            "in a kernel `x / 0` is `x`"
        } else if says("remainder with a divisor of zero") {
            "in a kernel `x % 0` is 0"
        } else if says("shift left with overflow") || says("shift right with overflow") {
            "in a kernel the amount of a shift is taken modulo the width"
        } else if says("with overflow") {
            "in a kernel integers wrap; so they do here if the program is built with `overflow-checks = false`"
        } else if says("index out of bounds") {
            "in a kernel a read outside gives zero and a write does nothing"
        } else {
            "a kernel does not panic"
        }
    }
}
