//! The section of an ELF program in which kernels are registered, and a program's answer to
//! `tilewise check --package`, before its `main`.
//!
//! A program may contain several copies of this library, of several versions for example, whose
//! kernels come into one section. So an entry is the mark of the copy that made it and the address
//! of its function, and each copy calls only its own. Another layout of entries needs another name
//! of the section.

#![allow(unsafe_code, reason = "a section of the program is written and read")]

#[cfg(debug_assertions)]
use std::io::Write as _;
use std::ptr::NonNull;
use std::sync::atomic::AtomicU8;

use crate::kernel::macro_support::RustFunction;
#[cfg(debug_assertions)]
use crate::testing;

/// The mark of this copy of the library: its address is no other copy's.
static MARK: AtomicU8 = AtomicU8::new(0);

/// An entry of the section.
#[repr(C)]
#[derive(Clone, Copy)]
struct RegisteredForm {
    /// The mark of the copy of the library whose type [`RustFunction`] is the result's.
    mark: *const AtomicU8,
    /// A function that returns a kernel's form; the section also has an entry without one.
    form: Option<fn() -> RustFunction>,
}

const _: () = assert!(size_of::<RegisteredForm>() == 16);

/// Registers the kernel whose form this closure returns. Executing it does nothing: it only has to
/// be part of the program.
///
/// # Safety
/// As of [`registered`](super::registered): anyone may make values of the types that the closure captures.
#[inline(always)]
pub(super) unsafe fn register<G: Fn() -> RustFunction>() {
    // SAFETY: the text has no instructions; it adds an entry to a section of data.
    unsafe {
        std::arch::asm!(
            ".pushsection tilewise_kernels,\"awR\",@progbits",
            ".balign 8",
            ".quad {mark}",
            ".quad {form}",
            ".popsection",
            mark = sym MARK,
            form = sym form_of::<G>,
            options(nomem, nostack, preserves_flags)
        );
    }
}

/// The form that a closure without contents returns.
fn form_of<G: Fn() -> RustFunction>() -> RustFunction {
    const { assert!(size_of::<G>() == 0, "the form of a kernel captures nothing") };
    // SAFETY: a reference to a value without bytes may be any aligned address. Such a value exists: this
    // function is named only by `register`, whose caller promises that the captures are values that anyone
    // may make, and a closure is nothing but its captures.
    let form = unsafe { NonNull::<G>::dangling().as_ref() };
    form()
}

/// The functions of all registered kernels, some of them perhaps twice.
pub(super) fn entries() -> Vec<fn() -> RustFunction> {
    unsafe extern "C" {
        #[link_name = "__start_tilewise_kernels"]
        static FIRST: u64;
        #[link_name = "__stop_tilewise_kernels"]
        static END: u64;
    }
    // SAFETY: as in `register`. The entry is empty; with it the section exists in every program
    // that asks for its ends.
    unsafe {
        std::arch::asm!(
            ".pushsection tilewise_kernels,\"awR\",@progbits",
            ".balign 8",
            ".quad 0",
            ".quad 0",
            ".popsection",
            options(nomem, nostack, preserves_flags)
        );
    }
    // SAFETY: the linker defines both symbols. Between them lie the entries of `register`, also of
    // other copies of the library, each two addresses, and empty ones, all of 16 bytes and aligned;
    // nothing writes there.
    let entries: &[RegisteredForm] = unsafe {
        let (first, end) = (&raw const FIRST, &raw const END);
        let count = (end as usize - first as usize) / size_of::<RegisteredForm>();
        std::slice::from_raw_parts(first.cast::<RegisteredForm>(), count)
    };
    entries.iter().filter(|entry| std::ptr::eq(entry.mark, &raw const MARK)).filter_map(|entry| entry.form).collect()
}

/// The loader calls it before `main`. Programs that are shipped have no such function: it is there only
/// with debug assertions, as programs of tests have them.
// SAFETY: the section is a list of such functions, for the loader of the program.
#[cfg(debug_assertions)]
#[used]
#[unsafe(link_section = ".init_array")]
static AT_START: extern "C" fn() = at_start;

/// If `tilewise check --package` has started the program, writes the reports about its kernels and ends it.
#[cfg(debug_assertions)]
extern "C" fn at_start() {
    if std::env::var_os(testing::KERNEL_REPORTS).is_none_or(|value| value != "1") {
        return;
    }
    let written = std::panic::catch_unwind(|| {
        let Ok(reports) = testing::kernel_reports() else { return false };
        let mut out = std::io::stdout().lock();
        out.write_all(reports.as_bytes()).and_then(|()| out.flush()).is_ok()
    });
    std::process::exit(i32::from(!matches!(written, Ok(true))));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mark of another copy of the library.
    static OTHER: AtomicU8 = AtomicU8::new(0);

    /// In another copy of the library this has another type.
    fn of_another_copy() -> RustFunction {
        panic!("a form of another copy of the library is called")
    }

    #[test]
    fn kernels_of_another_copy_of_the_library_are_not_called() {
        // SAFETY: as in `register`.
        unsafe {
            std::arch::asm!(
                ".pushsection tilewise_kernels,\"awR\",@progbits",
                ".balign 8",
                ".quad {mark}",
                ".quad {form}",
                ".popsection",
                mark = sym OTHER,
                form = sym of_another_copy,
                options(nomem, nostack, preserves_flags)
            );
        }
        assert!(entries().iter().all(|&form| form as usize != of_another_copy as *const () as usize));
    }
}
