//! Pairs of `half::f16` in a word, as textures store them: rows of the op table with their
//! companions.
#![allow(unreachable_pub, reason = "companions are public, as those of functions for users")]

use crate::api::vector::Float2;
use crate::kernel::companions::both;

/// Two `half::f16`, the first in the low half.
#[derive(Clone, Copy, Debug)]
pub struct HalfPair;

impl HalfPair {
    both! {
        /// The numbers of both halves.
        pub fn unpack[unpack_marked_amp: mark::Unpack](bits: u32) -> Float2 {
            Float2::new(number(bits as u16), number((bits >> 16) as u16))
        }

        /// The nearest of two numbers, ties to even; of a NaN the bits 0x7e00.
        pub fn pack[pack_marked_amp: mark::Pack](pair: Float2) -> u32 {
            bits(pair.x) | bits(pair.y) << 16
        }
    }
}

fn number(bits: u16) -> f32 {
    half::f16::from_bits(bits).to_f32()
}

fn bits(number: f32) -> u32 {
    if number.is_nan() { 0x7e00 } else { u32::from(half::f16::from_f32(number).to_bits()) }
}

mod mark {
    //! The kernel operations of the companions.

    use crate::kernel::companions::marks;
    use crate::kernel::macro_support::{Op, RustBuiltin};

    marks! {
        /// `unpack`
        Unpack => RustBuiltin::Op(Op::Unpack2x16Float);
        /// `pack`
        Pack => RustBuiltin::Op(Op::Pack2x16Float);
    }
}
