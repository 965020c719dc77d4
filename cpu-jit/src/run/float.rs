//! The floating-point environment: compiled kernels require rounding to nearest, denormals kept and
//! no traps. The calling thread may have a different one, which is restored.
#![allow(
    unsafe_code,
    reason = "reads and sets the register of the floating-point environment, for which Rust has no safe function"
)]

use std::marker::PhantomData;
/// The environment of kernels: all exceptions masked, none flagged, nearest, no flushing to zero.
#[cfg(target_arch = "x86_64")]
const STANDARD: Word = 0x1f80;
/// The environment of kernels: nearest, no traps, no flushing to zero, NaNs propagate.
#[cfg(not(target_arch = "x86_64"))]
const STANDARD: Word = 0;

/// The type of the register.
#[cfg(target_arch = "x86_64")]
type Word = u32;
/// The type of the register.
#[cfg(not(target_arch = "x86_64"))]
type Word = u64;

/// A guard that gives its thread the environment of kernels.
pub(super) struct Environment {
    before: Word,
    /// It belongs to its thread.
    thread: PhantomData<*const ()>,
}

impl Environment {
    /// Sets the environment.
    pub(super) fn enter() -> Environment {
        let before = get();
        if before != STANDARD {
            set(STANDARD);
        }
        Environment { before, thread: PhantomData }
    }
}

impl Drop for Environment {
    fn drop(&mut self) {
        // Kernels raise flags, so restore unconditionally.
        set(self.before);
    }
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
fn get() -> Word {
    let mut word: Word = 0;
    // SAFETY: stores MXCSR to a variable of its size; SSE is part of x86-64.
    unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut word, options(nostack, preserves_flags)) };
    word
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
fn set(word: Word) {
    // SAFETY: `word` is `STANDARD` or was read from MXCSR, so no reserved bit is set. It is
    // `STANDARD` while kernels run, which Rust expects too; the thread itself is responsible for
    // its previous value. The flags of exceptions are in that register too, so this changes flags.
    unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const word, options(nostack, readonly)) };
}

#[cfg(all(target_arch = "aarch64", not(miri)))]
fn get() -> Word {
    let word: Word;
    // SAFETY: FPCR is always readable.
    unsafe { std::arch::asm!("mrs {}, fpcr", out(reg) word, options(nomem, nostack, preserves_flags)) };
    word
}

#[cfg(all(target_arch = "aarch64", not(miri)))]
fn set(word: Word) {
    // SAFETY: `word` is `STANDARD` or was read from FPCR. It is `STANDARD` while kernels run, which
    // Rust expects too; the thread itself is responsible for its previous value.
    unsafe { std::arch::asm!("msr fpcr, {}", in(reg) word, options(nomem, nostack, preserves_flags)) };
}

/// Other architectures, and Miri, have no compiled kernels; the interpreter uses the environment as
/// it is.
#[cfg(any(miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
fn get() -> Word {
    STANDARD
}

#[cfg(any(miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
fn set(_: Word) {}

/// For tests: runs a function in an environment that flushes denormals and rounds towards zero, and
/// returns whether that environment was preserved.
#[cfg(test)]
pub(super) fn elsewhere<R>(run: impl FnOnce() -> R) -> (R, bool) {
    #[cfg(target_arch = "x86_64")]
    let other = STANDARD | 0xe040;
    #[cfg(not(target_arch = "x86_64"))]
    let other = 0x01c0_0000;
    let before = get();
    set(other);
    let result = run();
    // Exceptions may have been flagged meanwhile.
    let kept = get() & !0x3f == other || cfg!(not(any(target_arch = "x86_64", target_arch = "aarch64")));
    set(before);
    (result, kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    #[test]
    fn the_environment_is_standard_inside_and_as_before_outside() {
        let denormal = || black_box(f32::MIN_POSITIVE) / black_box(2.0) != black_box(0.0);
        let (inside, kept) = elsewhere(|| {
            let _environment = Environment::enter();
            (
                denormal(),
                black_box(1.0f32) + black_box(1e-9) == 1.0,
                black_box(-1.0f32) - black_box(f32::EPSILON) * 0.75,
            )
        });
        assert!(kept);
        assert_eq!(inside, (true, true, -1.0 - f32::EPSILON));
    }
}
