//! The section of an ELF program in which kernels are registered.

#![allow(unsafe_code, reason = "a section of the program is written and read")]

use std::ptr::NonNull;

use crate::kernel::macro_support::RustFunction;

/// A function that returns a kernel's form; the section also has an entry without one.
type RegisteredForm = Option<fn() -> RustFunction>;

/// Registers the kernel whose form this closure returns. Executing it does nothing: it only has to
/// be part of the program.
#[inline(always)]
pub(crate) fn register<G: Fn() -> RustFunction>() {
    // SAFETY: the text has no instructions; it adds eight bytes to a section of data.
    unsafe {
        std::arch::asm!(
            ".pushsection tilewise_kernels,\"awR\",@progbits",
            ".balign 8",
            ".quad {form}",
            ".popsection",
            form = sym form_of::<G>,
            options(nomem, nostack, preserves_flags)
        );
    }
}

/// The form that a closure without contents returns.
fn form_of<G: Fn() -> RustFunction>() -> RustFunction {
    const { assert!(size_of::<G>() == 0, "the form of a kernel captures nothing") };
    // SAFETY: a reference to a value without bytes may be any aligned address. The macros make the
    // closures; what they capture are witnesses, which stand for a type and nothing else.
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
            ".popsection",
            options(nomem, nostack, preserves_flags)
        );
    }
    // SAFETY: the linker defines both symbols. Between them lie the entries of `register`, each a
    // function's address, and empty ones, all of eight bytes and aligned; nothing writes there.
    let entries: &[RegisteredForm] = unsafe {
        let (first, end) = (&raw const FIRST, &raw const END);
        let count = (end as usize - first as usize) / size_of::<RegisteredForm>();
        std::slice::from_raw_parts(first.cast::<RegisteredForm>(), count)
    };
    entries.iter().copied().flatten().collect()
}
