//! Memory of a launch, accessed by Rust code while other threads of the launch may write it.
//!
//! A kernel with a data race has an unspecified value, not undefined behaviour. Machine code reads
//! and writes whole numbers, which is harmless. In Rust a plain access that races is undefined, and
//! so are atomic operations of different sizes on the same bytes: one thread may copy a struct by
//! words of eight bytes while another writes a field of four. So Rust code uses the processor's
//! instructions too (`access`). Unaligned numbers are accessed byte by byte.
//!
//! Launches on `native` access elements by [`read`] and [`write`] as well.
#![allow(unsafe_code, reason = "follows pointers that generated code passes")]

/// Reads a number of 1, 2, 4 or 8 bytes, an aligned one by a single access.
///
/// # Safety
/// It is readable, and other threads write it only by generated code or by functions of this file.
#[inline]
pub unsafe fn read(from: *mut u8, size: u64) -> u64 {
    if from.addr().is_multiple_of(size as usize) {
        // SAFETY: guaranteed by the caller.
        return unsafe { access::load(from, size) };
    }
    // SAFETY: guaranteed by the caller.
    let byte = |i: usize| unsafe { access::load(from.add(i), 1) };
    (0..size as usize).fold(0, |bits, i| bits | byte(i) << (8 * i))
}

/// Writes a number of 1, 2, 4 or 8 bytes, an aligned one by a single access.
///
/// # Safety
/// It is writable, and other threads access it only by generated code or by functions of this file.
#[inline]
pub unsafe fn write(to: *mut u8, size: u64, bits: u64) {
    if to.addr().is_multiple_of(size as usize) {
        // SAFETY: guaranteed by the caller.
        return unsafe { access::store(to, size, bits) };
    }
    // SAFETY: guaranteed by the caller.
    (0..size as usize).for_each(|i| unsafe { access::store(to.add(i), 1, bits >> (8 * i)) });
}

#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
mod access {
    //! Loads and stores by single instructions, as generated code has them.

    use std::arch::asm;

    /// The text of an instruction on the processor that this is compiled for.
    macro_rules! text {
        (x86: $x86:literal, arm: $arm:literal) => {
            cfg_select! {
                target_arch = "x86_64" => { $x86 }
                _ => { $arm }
            }
        };
    }

    /// Reads a number; its upper bits are zero.
    ///
    /// # Safety
    /// `size` is 1, 2, 4 or 8, and the bytes are readable.
    #[inline]
    pub(super) unsafe fn load(from: *mut u8, size: u64) -> u64 {
        let bits: u64;
        macro_rules! read {
            ($($text:tt)*) => {
                asm!(
                    text!($($text)*),
                    bits = lateout(reg) bits,
                    from = in(reg) from,
                    options(readonly, nostack, preserves_flags),
                )
            };
        }
        // SAFETY: each instruction reads the bytes that the caller guarantees, and writes the whole
        // of one register.
        unsafe {
            match size {
                1 => read!(x86: "movzx {bits:e}, byte ptr [{from}]", arm: "ldrb {bits:w}, [{from}]"),
                2 => read!(x86: "movzx {bits:e}, word ptr [{from}]", arm: "ldrh {bits:w}, [{from}]"),
                4 => read!(x86: "mov {bits:e}, dword ptr [{from}]", arm: "ldr {bits:w}, [{from}]"),
                _ => read!(x86: "mov {bits:r}, qword ptr [{from}]", arm: "ldr {bits:x}, [{from}]"),
            }
        }
        bits
    }

    /// Writes the lower bits of a number.
    ///
    /// # Safety
    /// `size` is 1, 2, 4 or 8, and the bytes are writable.
    #[inline]
    pub(super) unsafe fn store(to: *mut u8, size: u64, bits: u64) {
        macro_rules! write {
            ($($text:tt)*) => {
                asm!(
                    text!($($text)*),
                    to = in(reg) to,
                    bits = in(reg) bits,
                    options(nostack, preserves_flags),
                )
            };
        }
        // SAFETY: each instruction writes the bytes that the caller guarantees.
        unsafe {
            match size {
                1 => write!(x86: "mov byte ptr [{to}], {bits:l}", arm: "strb {bits:w}, [{to}]"),
                2 => write!(x86: "mov word ptr [{to}], {bits:x}", arm: "strh {bits:w}, [{to}]"),
                4 => write!(x86: "mov dword ptr [{to}], {bits:e}", arm: "str {bits:w}, [{to}]"),
                _ => write!(x86: "mov qword ptr [{to}], {bits:r}", arm: "str {bits:x}, [{to}]"),
            }
        }
    }
}

#[cfg(any(miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
mod access {
    //! Loads and stores where no generated code runs: atomic ones, which a model of memory can
    //! follow.

    use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

    /// Reads a number; its upper bits are zero.
    ///
    /// # Safety
    /// `size` is 1, 2, 4 or 8 and divides the address; the bytes are readable.
    #[inline]
    pub(super) unsafe fn load(from: *mut u8, size: u64) -> u64 {
        // SAFETY: guaranteed by the caller.
        unsafe {
            match size {
                1 => AtomicU8::from_ptr(from).load(Ordering::Relaxed).into(),
                2 => AtomicU16::from_ptr(from.cast()).load(Ordering::Relaxed).into(),
                4 => AtomicU32::from_ptr(from.cast()).load(Ordering::Relaxed).into(),
                _ => AtomicU64::from_ptr(from.cast()).load(Ordering::Relaxed),
            }
        }
    }

    /// Writes the lower bits of a number.
    ///
    /// # Safety
    /// `size` is 1, 2, 4 or 8 and divides the address; the bytes are writable.
    #[inline]
    pub(super) unsafe fn store(to: *mut u8, size: u64, bits: u64) {
        // SAFETY: guaranteed by the caller.
        unsafe {
            match size {
                1 => AtomicU8::from_ptr(to).store(bits as u8, Ordering::Relaxed),
                2 => AtomicU16::from_ptr(to.cast()).store(bits as u16, Ordering::Relaxed),
                4 => AtomicU32::from_ptr(to.cast()).store(bits as u32, Ordering::Relaxed),
                _ => AtomicU64::from_ptr(to.cast()).store(bits, Ordering::Relaxed),
            }
        }
    }
}

/// Splits a range of bytes into the pieces that are accessed: each as large as its alignment and the rest allow.
fn pieces(pointer: *const u8, bytes: usize) -> impl Iterator<Item = (usize, usize)> {
    let start = pointer.addr();
    let mut at = 0;
    std::iter::from_fn(move || {
        let size = [8, 4, 2].into_iter().find(|size| (start + at).is_multiple_of(*size) && at + size <= bytes);
        let size = size.unwrap_or(1);
        let piece = (at < bytes).then_some((at, size));
        at += size;
        piece
    })
}

/// Reads bytes and appends them to `into`.
///
/// # Safety
/// As for [`read`], for each of the bytes.
pub(super) unsafe fn read_bytes(from: *mut u8, bytes: usize, into: &mut Vec<u8>) {
    for (at, size) in pieces(from, bytes) {
        // SAFETY: guaranteed by the caller.
        let bits = unsafe { read(from.add(at), size as u64) };
        into.extend_from_slice(&bits.to_le_bytes()[..size]);
    }
}

/// Copies bytes to others, none of which is one of them.
///
/// # Safety
/// As for [`read`] and [`write`], for each of the bytes.
pub(super) unsafe fn copy_bytes(to: *mut u8, from: *mut u8, bytes: usize) {
    for (at, size) in pieces(from, bytes) {
        // SAFETY: guaranteed by the caller.
        unsafe { write(to.add(at), size as u64, read(from.add(at), size as u64)) };
    }
}

/// Writes bytes.
///
/// # Safety
/// As for [`write`], for each of the bytes.
pub(super) unsafe fn write_bytes(to: *mut u8, bytes: &[u8]) {
    for (at, size) in pieces(to, bytes.len()) {
        let mut word = [0; 8];
        word[..size].copy_from_slice(&bytes[at..at + size]);
        // SAFETY: guaranteed by the caller.
        unsafe { write(to.add(at), size as u64, u64::from_le_bytes(word)) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_bytes_are_read_and_written_wherever_they_begin() {
        let mut memory = [0u64; 6];
        let base = memory.as_mut_ptr().cast::<u8>();
        for start in 0..9 {
            for count in 0..30 {
                let bytes: Vec<u8> = (0..count).map(|i| (i * 7 + start + 1) as u8).collect();
                let mut back = Vec::new();
                // SAFETY: within `memory`, which nothing else accesses.
                unsafe {
                    write_bytes(base.add(start), &bytes);
                    read_bytes(base.add(start), count, &mut back);
                }
                assert_eq!(back, bytes, "{count} bytes from {start} on");
                let mut copied = [0u64; 6];
                let to = copied.as_mut_ptr().cast::<u8>();
                back.clear();
                // SAFETY: as above, and within `copied`.
                unsafe {
                    copy_bytes(to.add(3), base.add(start), count);
                    read_bytes(to.add(3), count, &mut back);
                }
                assert_eq!(back, bytes, "{count} bytes from {start} on, copied");
            }
            for size in [1, 2, 4, 8] {
                let bits = 0x8877_6655_4433_2211_u64 >> (64 - 8 * size);
                // SAFETY: as above.
                let back = unsafe {
                    write(base.add(start), size, bits);
                    read(base.add(start), size)
                };
                assert_eq!(back, bits, "{size} bytes from {start} on");
            }
        }
    }
}
