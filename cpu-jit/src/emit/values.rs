//! Instructions that do not access memory, and helpers shared by other files.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::immediates::{Ieee32, Ieee64};
use cranelift_codegen::ir::{ConstantData, Endianness, InstBuilder, MemFlagsData, Type, Value, types};

use tilewise_ir::ops::Op;
use tilewise_ir::types::Scalar;

use super::emitter::Emitter;
use super::pieces::{Pieces, lanes_in, scalar_type, vector_type};
use super::{LaneCost, op};
use crate::lanes::{ArenaPart, Elem, LaneInst, LaneType};

impl Emitter<'_, '_> {
    /// Emits an instruction with a result of that type.
    pub(super) fn inst(&mut self, inst: &LaneInst, ty: LaneType) -> Pieces {
        match inst {
            LaneInst::Const(bits) => {
                let value = self.number(ty.elem(), *bits);
                Pieces::scalar(ty.elem(), value).with_constant(Some(*bits))
            }
            LaneInst::Input(word) => {
                // The argument block is read-only, and all of it is readable at any time.
                let flags = MemFlagsData::trusted().with_readonly().with_can_move();
                let offset = i32::try_from(*word * 8).expect("an argument block is small");
                let value = self.builder.ins().load(scalar_type(ty.elem()), flags, self.given.words, offset);
                Pieces::scalar(ty.elem(), value)
            }
            LaneInst::Arena(part) => Pieces::scalar(Elem::I64, self.arena(*part)),
            LaneInst::Lane if self.width() == 1 => Pieces::scalar(Elem::I32, self.builder.ins().iconst(types::I32, 0)),
            LaneInst::Lane => self.lane_numbers(),
            LaneInst::Splat(value) => {
                let scalar = self.get(*value);
                self.splat(scalar)
            }
            LaneInst::Op { op, scalar, args } => {
                let args: Vec<Pieces> = args.iter().map(|&arg| self.get(arg)).collect();
                let mut cx = op::Cx { builder: &mut self.builder, facts: self.facts, pace: LaneCost::default() };
                let each = op::each(&mut cx, *op, *scalar, &args);
                self.pace = cx.pace;
                each.unwrap_or_else(|| panic!("no code for `{}`", op.name()))
            }
            LaneInst::Whole { op, instance, args, widths, component } => {
                let args: Vec<Pieces> = args.iter().map(|&arg| self.get(arg)).collect();
                let mut cx = op::Cx { builder: &mut self.builder, facts: self.facts, pace: LaneCost::default() };
                let whole = op::whole(&mut cx, *op, *instance, &args, widths, *component);
                whole.unwrap_or_else(|| panic!("no code for `{}`", op.name()))
            }
            LaneInst::Select { mask, yes, no } => {
                let (mask, yes, no) = (self.get(*mask), self.get(*yes), self.get(*no));
                self.select(&mask, &yes, &no)
            }
            LaneInst::FirstLanes(count) => {
                let count = self.get(*count);
                self.first_lanes(&count)
            }
            LaneInst::Any(mask) => {
                let mask = self.get(*mask);
                Pieces::scalar(Elem::Bool, self.any(&mask))
            }
            LaneInst::All(mask) => {
                let mask = self.get(*mask);
                Pieces::scalar(Elem::Bool, self.all(&mask))
            }
            LaneInst::LowestLane { lanes, mask } => {
                let (lanes, mask) = (self.get(*lanes), self.get(*mask));
                Pieces::scalar(ty.elem(), self.lowest_lane(&lanes, &mask))
            }
            LaneInst::ReciprocalRoot(value) => {
                let (value, one) = (self.get(*value), u64::from(1.0f32.to_bits()));
                let one = Pieces::scalar(Elem::F32, self.number(Elem::F32, one)).with_constant(Some(one));
                let one = self.splat(one);
                let mut cx = op::Cx { builder: &mut self.builder, facts: self.facts, pace: LaneCost::default() };
                let root = op::each(&mut cx, Op::Sqrt, Scalar::F32, &[value]).expect("roots have code");
                op::each(&mut cx, Op::Div, Scalar::F32, &[one, root]).expect("quotients have code")
            }
            LaneInst::Slide { low, high, by } => {
                let (low, high) = (self.get(*low), self.get(*high));
                self.slide(&low, &high, *by as usize)
            }
            LaneInst::Load { at, mask } => {
                let mask = mask.map(|mask| self.get(mask));
                self.load(at, mask.as_ref())
            }
            LaneInst::Atomic { op, scalar, at, operand, mask } => {
                let (operand, mask) = (operand.map(|value| self.get(value)), mask.map(|mask| self.get(mask)));
                self.atomic(*op, *scalar, at, operand.as_ref(), mask.as_ref())
            }
            LaneInst::CompareExchange { scalar, at, expected, new, mask } => {
                let (expected, new) = (self.get(*expected), self.get(*new));
                let mask = mask.map(|mask| self.get(mask));
                self.compare_exchange(*scalar, at, &expected, &new, mask.as_ref())
            }
        }
    }

    /// A constant scalar by its bits.
    pub(super) fn number(&mut self, elem: Elem, bits: u64) -> Value {
        let ins = self.builder.ins();
        match elem {
            Elem::Bool => ins.iconst(types::I8, (bits & 1) as i64),
            Elem::I32 => ins.iconst(types::I32, i64::from(bits as u32)),
            Elem::I64 => ins.iconst(types::I64, bits as i64),
            Elem::F32 => ins.f32const(Ieee32::with_bits(bits as u32)),
            Elem::F64 => ins.f64const(Ieee64::with_bits(bits)),
        }
    }

    /// A constant vector of four 32-bit numbers.
    pub(super) fn vector_of(&mut self, numbers: [u32; 4]) -> Value {
        self.vector_bits(types::I32X4, numbers.map(u32::to_le_bytes).as_flattened())
    }

    /// A constant vector of that type.
    pub(super) fn vector_bits(&mut self, ty: Type, bytes: &[u8]) -> Value {
        let constant = self.builder.func.dfg.constants.insert(ConstantData::from(bytes));
        self.builder.ins().vconst(ty, constant)
    }

    /// Bitcast to another type of the same size.
    pub(super) fn cast(&mut self, ty: Type, value: Value) -> Value {
        if self.builder.func.dfg.value_type(value) == ty {
            return value;
        }
        let flags = MemFlagsData::new().with_endianness(Endianness::Little);
        self.builder.ins().bitcast(ty, flags, value)
    }

    /// A pointer to a part of the worker's memory.
    pub(super) fn arena(&mut self, part: ArenaPart) -> Value {
        let offset = self.program.arena.offset(part) as i64;
        self.builder.ins().iadd_imm_s(self.given.arena, offset)
    }

    fn lane_numbers(&mut self) -> Pieces {
        let parts: Vec<Value> =
            (0..self.width() as u32).step_by(4).map(|n| self.vector_of([n, n + 1, n + 2, n + 3])).collect();
        Pieces::from_parts(Elem::I32, &parts)
    }

    /// A scalar in every lane.
    pub(super) fn splat(&mut self, scalar: Pieces) -> Pieces {
        if self.width() == 1 {
            return scalar;
        }
        let elem = scalar.elem();
        let one = match (scalar.constant, elem) {
            (Some(bits), Elem::Bool) => self.vector_of([if bits & 1 == 1 { u32::MAX } else { 0 }; 4]),
            (Some(bits), Elem::I32 | Elem::F32) => {
                self.vector_bits(vector_type(elem), [(bits as u32).to_le_bytes(); 4].as_flattened())
            }
            (Some(bits), Elem::I64 | Elem::F64) => {
                self.vector_bits(vector_type(elem), [bits.to_le_bytes(); 2].as_flattened())
            }
            (None, Elem::Bool) => {
                let wide = self.builder.ins().uextend(types::I32, scalar.first());
                let all = self.builder.ins().ineg(wide);
                self.builder.ins().splat(types::I32X4, all)
            }
            (None, _) => self.builder.ins().splat(vector_type(elem), scalar.first()),
        };
        let parts = vec![one; self.width() / lanes_in(elem)];
        Pieces::from_parts(elem, &parts).with_splat(Some(scalar.first())).with_constant(scalar.constant)
    }

    fn first_lanes(&mut self, count: &Pieces) -> Pieces {
        if let Some(bits) = count.constant
            && self.width() > 1
        {
            let set = |lane: u32| if i64::from(lane) < bits as i64 { u32::MAX } else { 0 };
            let lanes = (0..self.width() as u32).step_by(4).map(|n| [n, n + 1, n + 2, n + 3].map(set));
            let parts: Vec<Value> = lanes.map(|lanes| self.vector_of(lanes)).collect();
            return Pieces::from_parts(Elem::Bool, &parts);
        }
        let count = count.first();
        if self.width() == 1 {
            let set = self.builder.ins().icmp_imm_s(IntCC::SignedGreaterThan, count, 0);
            return Pieces::scalar(Elem::Bool, set);
        }
        // Clamped to the number of lanes, so that it fits in 32 bits.
        let none = self.builder.ins().iconst(types::I64, 0);
        let all = self.number(Elem::I64, self.width() as u64);
        let count = self.builder.ins().smax(count, none);
        let count = self.builder.ins().smin(count, all);
        let count = self.builder.ins().ireduce(types::I32, count);
        let count = self.builder.ins().splat(types::I32X4, count);
        let numbers = self.lane_numbers();
        let below = |&lane: &Value| self.builder.ins().icmp(IntCC::SignedGreaterThan, count, lane);
        let parts: Vec<Value> = numbers.parts().iter().map(below).collect();
        Pieces::from_parts(Elem::Bool, &parts)
    }

    /// The value of one lane, as a scalar.
    pub(super) fn lane(&mut self, lanes: &Pieces, lane: usize) -> Value {
        if !lanes.is_vector() {
            return lanes.first();
        }
        if let Some(splat) = lanes.splat {
            return splat;
        }
        let each = lanes_in(lanes.elem());
        let value = self.builder.ins().extractlane(lanes.parts()[lane / each], (lane % each) as u8);
        if lanes.elem() == Elem::Bool { self.truth(value) } else { value }
    }

    /// The lanes of two values in sequence, without the first `by`.
    fn slide(&mut self, low: &Pieces, high: &Pieces, by: usize) -> Pieces {
        let (elem, each) = (low.elem(), lanes_in(low.elem()));
        let bytes = 16 / each;
        let all: Vec<Value> = low.parts().iter().chain(high.parts()).copied().collect();
        let parts = (0..low.parts().len()).map(|part| {
            let (first, out) = (part + by / each, by % each * bytes);
            if out == 0 {
                return all[first];
            }
            let [a, b] = [all[first], all[first + 1]].map(|part| self.cast(types::I8X16, part));
            let chosen: [u8; 16] = std::array::from_fn(|byte| (byte + out) as u8);
            let mask = self.builder.func.dfg.immediates.push(ConstantData::from(&chosen[..]));
            let slid = self.builder.ins().shuffle(a, b, mask);
            self.cast(vector_type(elem), slid)
        });
        let parts: Vec<Value> = parts.collect();
        Pieces::from_parts(elem, &parts)
    }

    /// The lowest bit of an `i32`, as a scalar `bool`.
    pub(super) fn truth(&mut self, value: Value) -> Value {
        let bit = self.builder.ins().band_imm_u(value, 1);
        self.builder.ins().ireduce(types::I8, bit)
    }

    /// Lanes built from one scalar each; not for masks.
    pub(super) fn collected(&mut self, elem: Elem, scalars: &[Value]) -> Pieces {
        if self.width() == 1 {
            return Pieces::scalar(elem, scalars[0]);
        }
        let mut parts = Vec::new();
        for chunk in scalars.chunks(lanes_in(elem)) {
            let first = self.builder.ins().scalar_to_vector(vector_type(elem), chunk[0]);
            let rest = chunk.iter().enumerate().skip(1);
            parts.push(rest.fold(first, |part, (i, &value)| self.builder.ins().insertlane(part, value, i as u8)));
        }
        Pieces::from_parts(elem, &parts)
    }
}
