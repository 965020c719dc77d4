//! The processors that wide code is made for: their features, and how values are divided among
//! their vectors.

use std::arch::x86_64::__cpuid;
use std::sync::OnceLock;

use super::vcode::VectorLength;
use super::vectors::is_wide;
use crate::emit::CodeForm;
use crate::environment;
use crate::lanes::Elem;

/// What the recipes for operations ask about the processor.
#[derive(Clone, Copy, Debug)]
pub(super) struct WideMachine {
    /// The form of its code.
    pub(super) form: CodeForm,
    /// The longest vector.
    pub(super) longest: VectorLength,
    /// Has it AVX-512? Then there are mask registers, 32 vector registers, and operands that are
    /// repeated in each lane. Otherwise masks are vectors whose lanes are all ones or all zeros.
    pub(super) has_masks: bool,
    /// Counts bits in each element (VPOPCNTDQ).
    pub(super) counts_bits: bool,
    /// Shifts bits of one lane behind those of another (VBMI2).
    pub(super) shifts_pairs: bool,
    /// Are gathers [loads of each lane](super::lane_loads)?
    pub(super) loads_lanes: bool,
}

impl WideMachine {
    /// The machine for a form of code: AVX2 with FMA, F16C, BMI and LZCNT; or AVX-512 F, BW, CD, DQ
    /// and VL with what is optional as on this processor. `None` for Cranelift's code.
    pub(super) fn of(form: CodeForm) -> Option<WideMachine> {
        match form {
            CodeForm::Avx512 => Some(WideMachine {
                form,
                longest: VectorLength::Z,
                has_masks: true,
                counts_bits: is_x86_feature_detected!("avx512vpopcntdq"),
                shifts_pairs: is_x86_feature_detected!("avx512vbmi2"),
                loads_lanes: loads_lanes(),
            }),
            CodeForm::Avx2 => Some(WideMachine {
                form,
                longest: VectorLength::Y,
                has_masks: false,
                counts_bits: false,
                shifts_pairs: false,
                loads_lanes: loads_lanes(),
            }),
            CodeForm::Cranelift => None,
        }
    }

    /// The number of vector registers.
    pub(super) const fn registers(self) -> usize {
        if self.has_masks { 32 } else { 16 }
    }

    /// The length of one part of lanes; of a mask, of the vectors of 32-bit lanes that it belongs
    /// to.
    pub(super) fn part_length(self, elem: Elem, width: u32) -> VectorLength {
        VectorLength::of_bytes(bytes_of(elem, width)).min(self.longest)
    }

    /// The number of parts of lanes.
    pub(super) const fn part_count(self, elem: Elem, width: u32) -> usize {
        bytes_of(elem, width).div_ceil(self.longest.bytes()) as usize
    }

    /// The lanes of one part.
    pub(super) fn part_lanes(self, elem: Elem, width: u32) -> u32 {
        width.min(self.longest.bytes() / bytes_of(elem, 1))
    }

    /// The length of half of the longest vector.
    pub(super) const fn half(self) -> VectorLength {
        VectorLength::of_bytes(self.longest.bytes() / 2)
    }
}

const fn bytes_of(elem: Elem, width: u32) -> u32 {
    width * if is_wide(elem) { 8 } else { 4 }
}

/// Do this processor and its operating system have AVX2, and what else processors with it have?
pub(crate) fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("f16c")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
}

/// Do this processor and its operating system have AVX-512 F, BW, CD, DQ and VL, besides AVX2?
pub(crate) fn has_avx512() -> bool {
    has_avx2()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512cd")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
}

/// Do a gather and a scatter take longer than loads and stores of their lanes? So it is on processors of AMD. The environment variable
/// `TILEWISE_GATHERS` says otherwise.
fn loads_lanes() -> bool {
    static LOADS: OnceLock<bool> = OnceLock::new();
    *LOADS.get_or_init(|| match environment::words("TILEWISE_GATHERS", &["instructions", "loads"]).first() {
        Some(asked) => *asked == "loads",
        None => {
            let maker = __cpuid(0);
            let name = [maker.ebx, maker.edx, maker.ecx].map(u32::to_le_bytes).concat();
            name == b"AuthenticAMD" || name == b"HygonGenuine"
        }
    })
}
