//! Where the lines go that kernels print: standard output, or a hook of the program; and what the library itself has to say.

use std::io::Write;
use std::sync::Arc;

use tilewise_ir::launch::Printed;

use crate::api::hook::Hook;

/// Who is told each line.
static HOOK: Hook<dyn Fn(&str) + Send + Sync> = Hook::new();

/// Who is told each line that kernels `print!`, without its end; standard output if not set. The last one set counts. Lines come when their launch is complete, sorted by
/// (linear index of the thread, order of the program). The hook may use the library as any function may, the views of the launch and its queue included.
/// What it must not do is wait for another thread that touches what the launch wrote: until the lines
/// are told, that thread waits for the hook.
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

/// Tells the lines of a launch, and how many bytes were lost. The caller holds no lock.
pub(crate) fn deliver(lines: &[Printed], lost: u64) {
    if lines.is_empty() && lost == 0 {
        return;
    }
    let lost = (lost > 0)
        .then(|| format!("... and {lost} bytes more, which were lost: a launch keeps its first 1 MiB of output"));
    let lines = || lines.iter().map(|line| line.text.as_str()).chain(lost.as_deref());
    HOOK.call(
        |hook| lines().for_each(hook),
        || {
            let mut out = std::io::stdout().lock();
            // A program whose output nobody reads goes on.
            lines().for_each(|line| drop(writeln!(out, "{line}")));
        },
    );
}

/// Says something of the library's own on standard error. A program whose errors nobody reads goes on.
pub(crate) fn warn(text: std::fmt::Arguments<'_>) {
    drop(writeln!(std::io::stderr().lock(), "tilewise: {text}"));
}
