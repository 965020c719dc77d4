//! `f16` in 32 bits to `f32` and back, scalars and vectors of four alike.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Type, Value, types};

use super::emitter::Emitter;
use crate::lanes::Elem;

impl Emitter<'_, '_> {
    /// The value of a half whose bits are the low 16 of an `i32`, the others zero. Exact.
    pub(super) fn half_to_float(&mut self, half: Value) -> Value {
        let ints = self.builder.func.dfg.value_type(half);
        let floats = of_floats(ints);
        let sign = self.masked(half, 0x8000);
        let sign = self.builder.ins().ishl_imm_u(sign, 16);
        let size = self.masked(half, 0x7fff);
        // Exponent and fraction stand at their places, but the exponent is 112 too small: multiplying by 2^112 is exact, of denormals too.
        let shifted = self.builder.ins().ishl_imm_u(size, 13);
        let small = self.cast(floats, shifted);
        let scale = self.same(floats, (127 + 112) << 23);
        let scaled = self.builder.ins().fmul(small, scale);
        let scaled = self.cast(ints, scaled);
        // Infinity and NaN have an exponent of ones there, and get one here.
        let top = self.same(ints, 0x7c00);
        let special = self.builder.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, size, top);
        let ones = self.same(ints, 0x7f80_0000);
        let infinite = self.builder.ins().bor(scaled, ones);
        let finished = self.choice(special, infinite, scaled);
        let bits = self.builder.ins().bor(finished, sign);
        self.cast(floats, bits)
    }

    /// The bits of the nearest half, ties to even, in an `i32` whose other bits are zero.
    pub(super) fn float_to_half(&mut self, float: Value) -> Value {
        let floats = self.builder.func.dfg.value_type(float);
        let ints = if floats.is_vector() { types::I32X4 } else { types::I32 };
        let bits = self.cast(ints, float);
        let sign = self.masked(bits, 0x8000_0000);
        let size = self.builder.ins().bxor(bits, sign);
        let sign = self.builder.ins().ushr_imm_u(sign, 16);

        // Normal: the exponent is rebased, and what rounds up to even is added before the low bits are cut off.
        let odd = self.builder.ins().ushr_imm_u(size, 13);
        let odd = self.masked(odd, 1);
        let rebase = self.same(ints, 0xfff_u32.wrapping_sub(112 << 23));
        let normal = self.builder.ins().iadd(size, rebase);
        let normal = self.builder.ins().iadd(normal, odd);
        let normal = self.builder.ins().ushr_imm_u(normal, 13);

        // Below 2^-14: adding 1/2 moves the denormal's bits to the end of the fraction and rounds there.
        let half = self.same(floats, 0x3f00_0000);
        let positive = self.cast(floats, size);
        let moved = self.builder.ins().fadd(positive, half);
        let moved = self.cast(ints, moved);
        let base = self.same(ints, 0x3f00_0000);
        let denormal = self.builder.ins().isub(moved, base);
        let least = self.same(ints, 113 << 23);
        let is_small = self.builder.ins().icmp(IntCC::UnsignedLessThan, size, least);
        let finite = self.choice(is_small, denormal, normal);

        // From 2^16 on: infinity, or NaN.
        let (infinity, nan) = (self.same(ints, 0x7c00), self.same(ints, 0x7e00));
        let top = self.same(ints, 0x7f80_0000);
        let is_nan = self.builder.ins().icmp(IntCC::UnsignedGreaterThan, size, top);
        let special = self.choice(is_nan, nan, infinity);
        let limit = self.same(ints, 143 << 23);
        let is_large = self.builder.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, size, limit);
        let finished = self.choice(is_large, special, finite);
        self.builder.ins().bor(finished, sign)
    }

    /// A 32-bit number, or a vector of it.
    fn same(&mut self, ty: Type, bits: u32) -> Value {
        match ty {
            types::I32 => self.number(Elem::I32, bits.into()),
            types::F32 => self.number(Elem::F32, bits.into()),
            _ => self.vector_bits(ty, [bits.to_le_bytes(); 4].as_flattened()),
        }
    }

    fn masked(&mut self, value: Value, bits: u32) -> Value {
        let ty = self.builder.func.dfg.value_type(value);
        let bits = self.same(ty, bits);
        self.builder.ins().band(value, bits)
    }

    fn choice(&mut self, condition: Value, yes: Value, no: Value) -> Value {
        if self.builder.func.dfg.value_type(condition).is_vector() {
            return self.builder.ins().bitselect(condition, yes, no);
        }
        self.builder.ins().select(condition, yes, no)
    }
}

fn of_floats(ints: Type) -> Type {
    if ints.is_vector() { types::F32X4 } else { types::F32 }
}
