//! The process that launches kernels for `fuzz`, one after another, as they are ordered on its standard
//! input.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::launch_line::{LaunchOrder, LaunchReply};
use crate::child_lines::answer_orders;
use crate::console::{CommandError, Console};

/// Launches what is ordered until standard input ends.
pub(crate) fn work(console: &mut Console) -> Result<bool, CommandError> {
    // A panic of a target is a failure of the kernel, with its text.
    std::panic::set_hook(Box::new(|_| {}));
    // Ctrl-C reaches all processes of a terminal. The run that it ends still waits for launches in flight, and then
    // closes the input. Without a handler they end too early, and are launched again or count as refused.
    drop(ctrlc::set_handler(|| {}));
    answer_orders(console, |order: LaunchOrder| {
        #[cfg(debug_assertions)]
        crate::provoke::provoke(order.target());
        catch_unwind(AssertUnwindSafe(|| order.run())).unwrap_or_else(|payload| {
            let text = payload.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("without a message");
            LaunchReply::Panicked(text.to_owned())
        })
    })
}
