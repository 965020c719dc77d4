//! The kernels of a program, known without launching any.
//!
//! The code that makes a kernel value puts the address of a function in a section of the program,
//! `tilewise_kernels`; the function returns the kernel's form. The linker joins the section's
//! pieces and defines symbols for its two ends. A generic kernel is there once for each set of
//! types that it is compiled for. What the compiler or the linker drops, because nothing in the
//! program can reach it, is not there.
//!
//! Only on 64-bit Linux; elsewhere no kernel is registered.

#![allow(unsafe_code, reason = "a promise about the type of a closure")]

use crate::kernel::macro_support::{KernelWithForm, RustFunction};

std::cfg_select! {
    all(
        target_os = "linux",
        target_pointer_width = "64",
        any(target_arch = "x86_64", target_arch = "aarch64"),
        not(miri),
    ) => {
        use section::{entries, register};

        /// Whether kernels are registered on this platform.
        pub(crate) const KNOWN: bool = true;

        mod section;
    }
    _ => {
        /// Whether kernels are registered on this platform.
        pub(crate) const KNOWN: bool = false;

        /// Registers nothing.
        #[inline(always)]
        const unsafe fn register<G: Fn() -> RustFunction>() {}

        fn entries() -> Vec<fn() -> RustFunction> {
            Vec::new()
        }
    }
}

/// The kernel, which is in the list of the program's kernels. Executing this does nothing: that code calls it
/// is what counts, also where control never comes.
///
/// A function of its own, and no part of [`kernel`](crate::kernel::macro_support::kernel): the unsafe block
/// around its call contains nothing that the user wrote.
///
/// # Safety
/// Whoever lists the kernels calls the form: a value of its type `G` that nobody may have made, or that may be
/// dropped. So all that `G` captures must be values of which anyone may make another one, at any time and from
/// nothing: [`Witness`](crate::kernel::macro_support::Witness) and
/// [`LinkedCall`](crate::kernel::macro_support::LinkedCall).
#[inline(always)]
pub unsafe fn registered<K, G: Fn() -> RustFunction>(kernel: KernelWithForm<K, G>) -> K {
    // SAFETY: the caller's promise.
    unsafe { register::<G>() };
    kernel.unregistered()
}

/// The forms of all kernels of the program.
pub(crate) fn all() -> Vec<RustFunction> {
    let mut forms = entries();
    forms.sort_unstable_by_key(|&form| form as usize);
    forms.dedup_by_key(|form| *form as usize);
    forms.into_iter().map(|form| form()).collect()
}
