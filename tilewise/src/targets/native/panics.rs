//! Panics in the closures of kernels: they are caught, and said in an error.
//!
//! The panic hook stays the program's. A hook is the only place where Rust gives the position of a panic, but there is one for the whole process: a library that sets it changes what all
//! other code of the program prints, loses a hook that another thread sets at the same moment, and may not set it on a thread that unwinds. So a panic is reported as any other
//! panic of the program, with its position, before the launch returns its error, which has the message and the position of the kernel.

use std::any::Any;

use crate::user_code::drop_payload;

/// The message of a panic.
#[derive(Debug)]
pub(crate) struct Panic {
    /// The message.
    pub(crate) message: String,
}

/// The panic that a payload is of. The payload is the program's: what its destructor does is not let out either.
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
    /// What it would have been in a kernel.
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
