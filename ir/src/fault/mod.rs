//! Planted faults: deliberate mistakes in the compiler and the library, one of which can be switched
//! on to see whether the conformance suite finds it.
//!
//! A suite that passes says little until it is known to fail. Each [`Fault`] is a mistake that a
//! colleague could make: a bound that is off by one, a mask that is dropped, a fence that is lost, a
//! cache key without a field. The code asks [`planted`] at the place of the mistake. `tilewise
//! faults` plants one after the other, each in a process of its own, and runs `tilewise verify`,
//! which must fail.
//!
//! [`plant`] is unsafe, as a compiler with a mistake is: a bound that is off by one lets a kernel write
//! beside its memory.
//!
//! Faults exist in builds with debug assertions only. In others [`planted`] is `false` at compile
//! time, so a release has neither the faults nor a test for them.

mod list;

use std::sync::atomic::{AtomicU16, AtomicU64, Ordering};

pub use list::Fault;

/// The part of the system that a fault is in. It decides which cases can find it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FaultArea {
    /// From Rust's syntax tree to a kernel.
    Lowering,
    /// Inlining and analyses that all compilers use.
    Analysis,
    /// From a kernel to a program of lanes: regions, masks, accesses.
    Vectorizing,
    /// Loops in two versions, with and without tests of bounds.
    Versions,
    /// Other passes over programs of lanes.
    Passes,
    /// Machine code through Cranelift.
    Cranelift,
    /// Machine code for AVX2 and AVX-512.
    WideCode,
    /// Arguments, units and threads of a launch on the CPU.
    Running,
    /// Math functions and operations that several targets take from one text.
    Math,
    /// From a kernel to a GPU's module.
    GpuLowering,
    /// Memory and launches on a GPU.
    GpuRunning,
    /// Views, arrays and copies, and which copy of the data is current.
    Coherence,
    /// Textures and samplers.
    Textures,
    /// From a shader to a kernel.
    Importer,
}

impl FaultArea {
    /// All areas.
    pub const ALL: [FaultArea; 14] = [
        FaultArea::Lowering,
        FaultArea::Analysis,
        FaultArea::Vectorizing,
        FaultArea::Versions,
        FaultArea::Passes,
        FaultArea::Cranelift,
        FaultArea::WideCode,
        FaultArea::Running,
        FaultArea::Math,
        FaultArea::GpuLowering,
        FaultArea::GpuRunning,
        FaultArea::Coherence,
        FaultArea::Textures,
        FaultArea::Importer,
    ];

    /// Its name, as in the names of its faults.
    pub const fn name(self) -> &'static str {
        match self {
            FaultArea::Lowering => "lowering",
            FaultArea::Analysis => "analysis",
            FaultArea::Vectorizing => "vectorizing",
            FaultArea::Versions => "versions",
            FaultArea::Passes => "passes",
            FaultArea::Cranelift => "cranelift",
            FaultArea::WideCode => "wide-code",
            FaultArea::Running => "running",
            FaultArea::Math => "math",
            FaultArea::GpuLowering => "gpu-lowering",
            FaultArea::GpuRunning => "gpu-running",
            FaultArea::Coherence => "coherence",
            FaultArea::Textures => "textures",
            FaultArea::Importer => "importer",
        }
    }
}

/// Can faults be planted in this build?
pub const PLANTABLE: bool = cfg!(debug_assertions);

/// Nothing is planted.
const NONE: u16 = u16::MAX;
/// Nothing is planted, and the faults that code comes to are recorded.
const RECORDING: u16 = u16::MAX - 1;

/// The planted fault.
static PLANTED: AtomicU16 = AtomicU16::new(NONE);
/// The number of times that the planted fault made a difference or could have.
static REACHED: AtomicU64 = AtomicU64::new(0);
/// A bit for each fault that code has come to while faults are recorded.
static RECORDED: [AtomicU64; Fault::ALL.len().div_ceil(64)] =
    [const { AtomicU64::new(0) }; Fault::ALL.len().div_ceil(64)];

/// Is this fault planted?
#[inline]
pub fn planted(fault: Fault) -> bool {
    if !PLANTABLE {
        return false;
    }
    let state = PLANTED.load(Ordering::Relaxed);
    let is_planted = state == fault as u16;
    if is_planted {
        REACHED.fetch_add(1, Ordering::Relaxed);
    } else if state == RECORDING {
        let (word, bit) = place(fault);
        word.fetch_or(bit, Ordering::Relaxed);
    }
    is_planted
}

/// The bit of a fault in [`RECORDED`].
fn place(fault: Fault) -> (&'static AtomicU64, u64) {
    let number = usize::from(fault as u16);
    (&RECORDED[number / 64], 1 << (number % 64))
}

/// The right value, or the wrong one if the fault is planted.
#[inline]
pub fn choose<T>(fault: Fault, right: T, wrong: T) -> T {
    if planted(fault) { wrong } else { right }
}

/// Plants a fault in this process, in place of an earlier one. Nothing comes of it in a build that
/// is not [`PLANTABLE`].
///
/// # Safety
/// With a fault, compiled kernels may access memory that is not theirs, and nothing in this process is
/// sound any more: only a process that does nothing but run the suite may plant one.
#[allow(unsafe_code, reason = "a caller must know that nothing is sound with a fault")]
pub unsafe fn plant(fault: Fault) {
    PLANTED.store(fault as u16, Ordering::Relaxed);
}

/// From now on the faults that code comes to are recorded, and none is planted. Nothing comes of it in a
/// build that is not [`PLANTABLE`].
pub fn record() {
    PLANTED.store(RECORDING, Ordering::Relaxed);
}

/// The faults that code has come to since the last call, while they are recorded.
pub fn take_recorded() -> Vec<Fault> {
    let words: Vec<u64> = RECORDED.iter().map(|word| word.swap(0, Ordering::Relaxed)).collect();
    let is_set = |fault: &Fault| words[usize::from(*fault as u16) / 64] >> (*fault as u16 % 64) & 1 != 0;
    Fault::ALL.iter().copied().filter(is_set).collect()
}

/// How often code came to the planted fault.
pub fn times_reached() -> u64 {
    REACHED.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_of_an_area_unique_and_found_again() {
        let names: BTreeSet<String> = Fault::ALL.iter().map(|fault| fault.name()).collect();
        assert_eq!(names.len(), Fault::ALL.len());
        for &fault in Fault::ALL {
            assert_eq!(Fault::named(&fault.name()), Some(fault));
            assert!(fault.mistake().ends_with('.'), "{}", fault.name());
        }
        assert!(FaultArea::ALL.iter().all(|&area| Fault::ALL.iter().any(|fault| fault.area() == area)));
        assert_eq!(Fault::named("nothing/of-the-kind"), None);
    }

    #[test]
    fn faults_that_code_comes_to_are_recorded_once() {
        let (first, last) = (Fault::ALL[0], Fault::ALL[Fault::ALL.len() - 1]);
        record();
        assert!(!planted(last) && !planted(first) && !planted(last));
        // Tests beside this one come to faults of their own.
        let recorded = take_recorded();
        assert!(recorded.contains(&first) == PLANTABLE && recorded.contains(&last) == PLANTABLE);
        assert!(!take_recorded().contains(&last));
        PLANTED.store(NONE, Ordering::Relaxed);
    }
}
