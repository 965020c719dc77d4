//! Memory of a launch, accessed by Rust code while other threads of the launch may write it.
//!
//! A kernel with a data race has an unspecified value, not undefined behaviour. Machine code reads
//! and writes whole numbers, which is harmless; Rust code that does the same uses relaxed atomic
//! operations here, because a plain access that races is undefined in Rust, whatever the processor
//! does. Unaligned numbers are accessed byte by byte.
#![allow(unsafe_code, reason = "follows pointers that generated code passes")]

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

/// Reads a number of 1, 2, 4 or 8 bytes; an aligned one is read atomically.
///
/// # Safety
/// It is readable, and other threads write it only in ways that may race with atomic operations.
pub(super) unsafe fn read(from: *mut u8, size: u64) -> u64 {
    // SAFETY: guaranteed by the caller; each arm is for a pointer that is aligned for it, or reads
    // bytes.
    unsafe {
        match size {
            _ if !from.addr().is_multiple_of(size as usize) => {
                let byte = |i: usize| AtomicU8::from_ptr(from.add(i)).load(Ordering::Relaxed);
                (0..size as usize).fold(0, |bits, i| bits | u64::from(byte(i)) << (8 * i))
            }
            1 => AtomicU8::from_ptr(from).load(Ordering::Relaxed).into(),
            2 => AtomicU16::from_ptr(from.cast()).load(Ordering::Relaxed).into(),
            4 => AtomicU32::from_ptr(from.cast()).load(Ordering::Relaxed).into(),
            _ => AtomicU64::from_ptr(from.cast()).load(Ordering::Relaxed),
        }
    }
}

/// Writes a number of 1, 2, 4 or 8 bytes; an aligned one is written atomically.
///
/// # Safety
/// It is writable, and other threads access it only in ways that may race with atomic operations.
pub(super) unsafe fn write(to: *mut u8, size: u64, bits: u64) {
    // SAFETY: as in `read`.
    unsafe {
        match size {
            _ if !to.addr().is_multiple_of(size as usize) => {
                let byte = |i: usize| AtomicU8::from_ptr(to.add(i));
                (0..size as usize).for_each(|i| byte(i).store((bits >> (8 * i)) as u8, Ordering::Relaxed));
            }
            1 => AtomicU8::from_ptr(to).store(bits as u8, Ordering::Relaxed),
            2 => AtomicU16::from_ptr(to.cast()).store(bits as u16, Ordering::Relaxed),
            4 => AtomicU32::from_ptr(to.cast()).store(bits as u32, Ordering::Relaxed),
            _ => AtomicU64::from_ptr(to.cast()).store(bits, Ordering::Relaxed),
        }
    }
}

/// Splits a range of bytes into the pieces that are accessed: words where they are aligned, single
/// bytes before and after.
fn pieces(pointer: *const u8, bytes: usize) -> impl Iterator<Item = (usize, usize)> {
    let start = pointer.addr();
    let mut at = 0;
    std::iter::from_fn(move || {
        let size = if (start + at).is_multiple_of(8) && at + 8 <= bytes { 8 } else { 1 };
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
