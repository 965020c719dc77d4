//! Where the lines go that kernels print: standard output, or a hook of the program.

use std::io::Write;
use std::sync::{Arc, PoisonError, RwLock};

use tilewise_ir::launch::Printed;

/// Who is told each line.
type Hook = Arc<dyn Fn(&str) + Send + Sync>;

static HOOK: RwLock<Option<Hook>> = RwLock::new(None);

/// Who is told each line that kernels `print!`, without its end; standard output if not set. The last one set counts. Lines come when their launch is complete, sorted by
/// (linear index of the thread, order of the program).
pub fn set_print_hook(hook: impl Fn(&str) + Send + Sync + 'static) {
    *HOOK.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(hook));
}

/// Tells the lines of a launch, and how many bytes were lost.
pub(crate) fn deliver(lines: &[Printed], lost: u64) {
    if lines.is_empty() && lost == 0 {
        return;
    }
    let lost = (lost > 0)
        .then(|| format!("... and {lost} bytes more, which were lost: a launch keeps its first 1 MiB of output"));
    let lines = lines.iter().map(|line| line.text.as_str()).chain(lost.as_deref());
    let hook = HOOK.read().unwrap_or_else(PoisonError::into_inner).clone();
    match hook {
        Some(hook) => lines.for_each(|line| hook(line)),
        None => {
            let mut out = std::io::stdout().lock();
            // A program whose output nobody reads goes on.
            lines.for_each(|line| drop(writeln!(out, "{line}")));
        }
    }
}
