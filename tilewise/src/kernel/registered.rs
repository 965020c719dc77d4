//! The kernels of a program, known without launching any.
//!
//! The code of each kernel value puts the address of a function in a section of the program,
//! `tilewise_kernels`; the function returns the kernel's form. The linker joins the section's
//! pieces and defines symbols for its two ends. A generic kernel is there once for each set of
//! types that it is compiled for. What the compiler or the linker drops, because nothing in the
//! program can reach it, is not there.
//!
//! Only on 64-bit Linux; elsewhere no kernel is registered.

use crate::kernel::macro_support::RustFunction;

std::cfg_select! {
    all(
        target_os = "linux",
        target_pointer_width = "64",
        any(target_arch = "x86_64", target_arch = "aarch64"),
        not(miri),
    ) => {
        pub(crate) use section::register;
        use section::entries;

        /// Whether kernels are registered on this platform.
        pub(crate) const KNOWN: bool = true;

        mod section;
    }
    _ => {
        /// Whether kernels are registered on this platform.
        pub(crate) const KNOWN: bool = false;

        /// Registers nothing.
        #[inline(always)]
        pub(crate) fn register<G: Fn() -> RustFunction>() {}

        fn entries() -> Vec<fn() -> RustFunction> {
            Vec::new()
        }
    }
}

/// The forms of all kernels of the program.
pub(crate) fn all() -> Vec<RustFunction> {
    let mut forms = entries();
    forms.sort_unstable_by_key(|&form| form as usize);
    forms.dedup_by_key(|form| *form as usize);
    forms.into_iter().map(|form| form()).collect()
}
