//! The output of kernels, which goes to standard output or to the program's hook, and warnings of
//! the library itself.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tilewise_ir::launch::Printed;
use tilewise_trace::timeline;

use crate::Result;
use crate::api::error::nobody_asked;
use crate::api::hook::Hook;

/// The callback for each line.
static HOOK: Hook<dyn Fn(&str) + Send + Sync> = Hook::new();

/// Sets the callback for each line that kernels `print!`, without its line end. By default lines go
/// to standard output. The last callback set applies. Lines are delivered when their launch
/// completes, sorted by (linear index of the thread, program order). The callback may call anything
/// in the library, including the views and the queue of the launch, and may wait for other threads
/// that do. No thread waits for a callback: one that accesses what the launch wrote, while another
/// thread delivers its lines, continues before all are delivered. A callback that launches many
/// kernels is called again from within itself.
///
/// ```
/// use tilewise::{Accelerator, Extent, parallel_for_each, set_print_hook};
/// let (tell, told) = std::sync::mpsc::channel();
/// set_print_hook(move |line| drop(tell.send(line.to_owned())));
/// let jit = Accelerator::new("jit")?.default_view();
/// parallel_for_each!(&jit, Extent([2]), |i| print!("thread {}", i[0]))?;
/// assert_eq!(told.try_iter().collect::<Vec<_>>(), ["thread 0", "thread 1"]);
/// # Ok::<(), tilewise::Error>(())
/// ```
#[doc(alias = "direct3d_printf")]
pub fn set_print_hook(hook: impl Fn(&str) + Send + Sync + 'static) {
    HOOK.set(Arc::new(hook));
}

/// Delivers the lines of a launch, and the number of bytes lost. The caller holds no lock.
pub(crate) fn deliver(lines: &[Printed], lost: u64) {
    if lines.is_empty() && lost == 0 {
        return;
    }
    let lost =
        (lost > 0).then(|| format!("... and {lost} bytes more, which were lost: a launch keeps 1 MiB of output"));
    let lines = || lines.iter().map(|line| line.text.as_str()).chain(lost.as_deref());
    HOOK.call(
        |hook| lines().for_each(hook),
        || {
            let mut out = std::io::stdout().lock();
            // A closed standard output does not end the program.
            lines().for_each(|line| drop(writeln!(out, "{line}")));
        },
    );
}

/// Delivers the lines of a launch as [`deliver`] does, then returns the launch's result. If the hook
/// panics, an error goes to the hook for errors.
pub(crate) fn deliver_before<T>(result: Result<T>, lines: &[Printed], lost: u64) -> Result<T> {
    let mut held = HeldResult(Some(result));
    deliver(lines, lost);
    held.0.take().expect("only this takes it")
}

/// The result of a launch whose lines are being delivered.
struct HeldResult<T>(Option<Result<T>>);

impl<T> Drop for HeldResult<T> {
    fn drop(&mut self) {
        if let Some(Err(error)) = &self.0 {
            nobody_asked(error);
        }
    }
}

/// Opens the timeline that the environment asks for, and says once if it cannot be written.
pub(crate) fn open_trace() {
    static WARNED: AtomicBool = AtomicBool::new(false);
    timeline::open_from_environment();
    if let Some(fault) = timeline::fault()
        && !WARNED.swap(true, Ordering::Relaxed)
    {
        warn(format_args!("{fault}"));
    }
}

/// Prints a warning of the library on standard error. A closed standard error does not end the
/// program.
pub(crate) fn warn(text: std::fmt::Arguments<'_>) {
    drop(writeln!(std::io::stderr().lock(), "tilewise: {text}"));
}
