//! The processor features that wide code is made for.

use super::vcode::VectorLength;

/// What the recipes for operations ask about the processor.
#[derive(Clone, Copy, Debug)]
pub(super) struct WideMachine {
    /// The longest vector.
    pub(super) longest: VectorLength,
    /// Counts bits in each element (VPOPCNTDQ).
    pub(super) counts_bits: bool,
}

impl WideMachine {
    /// AVX-512 F, BW, CD, DQ and VL; what is optional as on this processor.
    pub(super) fn avx512() -> WideMachine {
        WideMachine { longest: VectorLength::Z, counts_bits: is_x86_feature_detected!("avx512vpopcntdq") }
    }
}

/// Do this processor and its operating system have AVX-512 F, BW, CD, DQ and VL, and the scalar
/// instructions of the processors that have it?
pub(crate) fn has_avx512() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512cd")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("fma")
}
