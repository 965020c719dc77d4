//! Mask queries, and operations controlled by masks.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, MemFlagsData, Type, Value, types};

use super::LaneCost;
use super::emitter::Emitter;
use super::op::Cx;
use super::pieces::{Pieces, lanes_in, vector_type};
use crate::lanes::Elem;

/// A mask in a form for testing single lanes.
#[derive(Clone, Copy)]
pub(super) enum MaskBits {
    /// All are set.
    All,
    /// At width 1: a scalar `bool`.
    One(Value),
    /// A bit per lane, lane 0 the lowest, in an `i32`.
    Many(Value),
}

impl Emitter<'_, '_> {
    /// Is any lane set? A scalar `bool`.
    pub(super) fn any(&mut self, mask: &Pieces) -> Value {
        if let Some(value) = known(mask) {
            return value;
        }
        let or = self.folded(mask.parts(), |e, a, b| e.builder.ins().bor(a, b));
        self.builder.ins().vany_true(or)
    }

    /// Are all lanes set? A scalar `bool`.
    pub(super) fn all(&mut self, mask: &Pieces) -> Value {
        if let Some(value) = known(mask) {
            return value;
        }
        let and = self.folded(mask.parts(), |e, a, b| e.builder.ins().band(a, b));
        if self.facts.x64 {
            let bits = self.builder.ins().vhigh_bits(types::I32, and);
            return self.builder.ins().icmp_imm_s(IntCC::Equal, bits, 15);
        }
        self.builder.ins().vall_true(and)
    }

    fn folded(&mut self, parts: &[Value], mut f: impl FnMut(&mut Self, Value, Value) -> Value) -> Value {
        let mut parts = parts.to_vec();
        while parts.len() > 1 {
            parts = parts.chunks(2).map(|two| if let [a, b] = *two { f(self, a, b) } else { two[0] }).collect();
        }
        parts[0]
    }

    /// Converts a mask for testing single lanes.
    pub(super) fn bits(&mut self, mask: Option<&Pieces>) -> MaskBits {
        match mask {
            None => MaskBits::All,
            Some(mask) if !mask.is_vector() => MaskBits::One(mask.first()),
            Some(mask) => MaskBits::Many(self.bit_number(mask)),
        }
    }

    /// One bit per lane of a mask in an `i32`.
    pub(super) fn bit_number(&mut self, mask: &Pieces) -> Value {
        let ins = self.builder.ins();
        match *mask.parts() {
            [one] if mask.is_vector() => ins.vhigh_bits(types::I32, one),
            [one] => ins.uextend(types::I32, one),
            [a, b] => {
                let narrow = ins.snarrow(a, b);
                self.builder.ins().vhigh_bits(types::I32, narrow)
            }
            [a, b, c, d] => {
                let low = ins.snarrow(a, b);
                let high = self.builder.ins().snarrow(c, d);
                let narrow = self.builder.ins().snarrow(low, high);
                self.builder.ins().vhigh_bits(types::I32, narrow)
            }
            _ => unreachable!("a mask has 1, 2 or 4 pieces"),
        }
    }

    /// A value that is nonzero if the lane is set; `None` if it is known to be set.
    pub(super) fn bit(&mut self, bits: MaskBits, lane: usize) -> Option<Value> {
        match bits {
            MaskBits::All => None,
            MaskBits::One(value) => Some(value),
            MaskBits::Many(value) => Some(self.builder.ins().band_imm_u(value, 1 << lane)),
        }
    }

    /// Executes `body` if the lane is set. Yields its result, or 0 of that type if the lane is not
    /// set.
    pub(super) fn if_lane(
        &mut self,
        bits: MaskBits,
        lane: usize,
        result: Option<Type>,
        body: impl FnOnce(&mut Self) -> Option<Value>,
    ) -> Option<Value> {
        let Some(bit) = self.bit(bits, lane) else { return body(self) };
        let then = self.builder.create_block();
        let join = self.builder.create_block();
        let (param, zero) = match result {
            Some(ty) => {
                let zero = self.zero(ty);
                (Some(self.builder.append_block_param(join, ty)), vec![BlockArg::Value(zero)])
            }
            None => (None, Vec::new()),
        };
        self.builder.ins().brif(bit, then, &[], join, &zero);
        self.enter(then);
        let given: Vec<BlockArg> = body(self).into_iter().map(BlockArg::Value).collect();
        self.builder.ins().jump(join, &given);
        self.enter(join);
        param
    }

    /// Zero of a scalar type.
    pub(super) fn zero(&mut self, ty: Type) -> Value {
        match ty {
            types::F32 => self.number(Elem::F32, 0),
            types::F64 => self.number(Elem::F64, 0),
            _ => self.builder.ins().iconst(ty, 0),
        }
    }

    /// A mask as integers as wide as the element.
    pub(super) fn mask_for(&mut self, elem: Elem, mask: &Pieces) -> Vec<Value> {
        if lanes_in(elem) == 4 {
            return mask.parts().to_vec();
        }
        let mut wide = Vec::new();
        for &part in mask.parts() {
            wide.push(self.builder.ins().swiden_low(part));
            wide.push(self.builder.ins().swiden_high(part));
        }
        wide
    }

    /// Selects between two lanes values by a mask.
    pub(super) fn select(&mut self, mask: &Pieces, yes: &Pieces, no: &Pieces) -> Pieces {
        let mut cx = Cx { builder: &mut self.builder, facts: self.facts, pace: LaneCost::default() };
        let condition = cx.condition(*mask, yes.elem());
        cx.choose(condition, *yes, *no)
    }

    /// Selects between two vectors by a mask of integers as wide as their elements.
    pub(super) fn blend(&mut self, mask: Value, yes: Value, no: Value) -> Value {
        Cx { builder: &mut self.builder, facts: self.facts, pace: LaneCost::default() }.blend(mask, yes, no)
    }

    /// Zeroes the lanes that are not set.
    pub(super) fn cleared(&mut self, mask: Value, value: Value) -> Value {
        let ty = self.builder.func.dfg.value_type(value);
        let bits = self.builder.func.dfg.value_type(mask);
        let value = self.cast(bits, value);
        let value = self.builder.ins().band(mask, value);
        self.cast(ty, value)
    }

    /// The value of the lowest set lane; if none is set, of the highest lane.
    pub(super) fn lowest_lane(&mut self, lanes: &Pieces, mask: &Pieces) -> Value {
        if let Some(splat) = known(lanes) {
            return splat;
        }
        let bits = self.bit_number(mask);
        let top = 1 << (self.width() - 1);
        let bits = self.builder.ins().bor_imm_u(bits, top);
        let lane = self.builder.ins().ctz(bits);
        self.chosen_lane(lanes, lane)
    }

    /// The value of the highest set lane; if none is set, of the lowest lane. Also returns the bits
    /// of the mask.
    pub(super) fn highest_lane(&mut self, lanes: &Pieces, mask: &Pieces) -> (Value, Value) {
        let bits = self.bit_number(mask);
        if let Some(splat) = known(lanes) {
            return (splat, bits);
        }
        let some = self.builder.ins().bor_imm_u(bits, 1);
        let above = self.builder.ins().clz(some);
        let top = self.builder.ins().iconst(types::I32, 31);
        let lane = self.builder.ins().isub(top, above);
        (self.chosen_lane(lanes, lane), bits)
    }

    /// The value of a lane by index, an `i32` below the width.
    fn chosen_lane(&mut self, lanes: &Pieces, lane: Value) -> Value {
        let elem = lanes.elem();
        if elem == Elem::Bool {
            let bits = self.bit_number(lanes);
            let bits = self.builder.ins().ushr(bits, lane);
            return self.truth(bits);
        }
        let ty = vector_type(elem).lane_type();
        let slot = self.scratch(16 * lanes.parts().len() as u32);
        let start = self.builder.ins().stack_addr(types::I64, slot, 0);
        for (i, &part) in lanes.parts().iter().enumerate() {
            self.builder.ins().store(MemFlagsData::trusted(), part, start, 16 * i as i32);
        }
        let lane = self.builder.ins().uextend(types::I64, lane);
        let offset = self.builder.ins().imul_imm_s(lane, i64::from(ty.bytes()));
        let pointer = self.builder.ins().iadd(start, offset);
        self.builder.ins().load(ty, MemFlagsData::trusted(), pointer, 0)
    }
}

/// The scalar in all lanes, if they are uniform.
fn known(lanes: &Pieces) -> Option<Value> {
    if lanes.is_vector() { lanes.splat } else { Some(lanes.first()) }
}
