//! Panics in the closures of kernels: they are caught and become errors.
//!
//! The panic hook remains the program's. Only a hook receives the position of a panic, but there is
//! one hook per process: a library that sets it changes the output of all other code in the
//! program, loses a hook that another thread sets at the same moment, and must not set it on a
//! thread that unwinds. So a panic is reported like any other panic of the program, with its
//! position, before the launch returns its error, which has the message and the position of the
//! kernel.

use std::any::Any;

use crate::user_code::drop_payload;

/// A caught panic.
#[derive(Debug)]
pub(crate) struct Panic {
    /// The message.
    pub(crate) message: String,
}

/// The panic with this payload. The payload belongs to the program, so a panic of its destructor is
/// contained too.
pub(super) fn panic_of(payload: Box<dyn Any + Send>) -> Panic {
    let message = payload
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| payload.downcast_ref::<&'static str>().copied())
        .unwrap_or("a panic without a message")
        .to_owned();
    drop_payload(payload);
    Panic { message }
}

impl Panic {
    /// The kernel's behaviour in place of this panic.
    pub(crate) fn in_a_kernel(&self) -> &'static str {
        let says = |text: &str| self.message.contains(text);
        if says("divide by zero") {
            "in a kernel `x / 0` is `x`"
        } else if says("remainder with a divisor of zero") {
            "in a kernel `x % 0` is 0"
        } else if says("shift left with overflow") || says("shift right with overflow") {
            "in a kernel the amount of a shift is taken modulo the width"
        } else if says("divide with overflow") {
            "in a kernel `MIN / -1` is `MIN`"
        } else if says("remainder with overflow") {
            "in a kernel `MIN % -1` is 0"
        } else if says("with overflow") {
            "in a kernel integers wrap; so they do here if the program is built with `overflow-checks = false`"
        } else if says("index out of bounds") {
            "in a kernel a read outside gives zero and a write does nothing"
        } else {
            "a kernel does not panic"
        }
    }
}
