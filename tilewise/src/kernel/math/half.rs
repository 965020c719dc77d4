//! Pairs of `half::f16` in a word, as textures store them: rows of the op table with their
//! companions.
#![allow(unreachable_pub, reason = "the rows are public where they are functions of a library")]

use super::functions::functions;
use crate::api::vector::Float2;
use crate::kernel::macro_support::{Called, Form, KernelFn, Op, RustBuiltin, call};

functions! {
    /// The numbers of the low and the high half.
    half_pair(bits: u32) -> Float2 =
        Float2::new(number(bits as u16), number((bits >> 16) as u16)), RustBuiltin::Op(Op::Unpack2x16Float);
    /// The nearest `f16`s, ties to even, in the low and the high half; of a NaN the bits 0x7e00.
    to_half_pair(pair: Float2) -> u32 =
        bits(pair.x) | bits(pair.y) << 16, RustBuiltin::Op(Op::Pack2x16Float);
}

fn number(bits: u16) -> f32 {
    half::f16::from_bits(bits).to_f32()
}

fn bits(number: f32) -> u32 {
    if number.is_nan() { 0x7e00 } else { u32::from(half::f16::from_f32(number).to_bits()) }
}
