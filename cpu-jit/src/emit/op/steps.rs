//! Cranelift instructions applied to all pieces of a value at once, for scalars and lanes alike.
//! Rows of the op table are written in these.
//!
//! A condition is an `I8` for scalars. For lanes it is 0 or -1 in integers as wide as the compared
//! elements: [`Cx::truth`] converts it to a mask, the form of masks in a program, and
//! [`Cx::condition`] converts back.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{
    ConstantData, Endianness, InstBuilder, InstructionData, MemFlagsData, Opcode, Type, Value, ValueDef, types,
};
use cranelift_frontend::FuncInstBuilder;

use super::super::pieces::{MOST, Pieces, lanes_in, scalar_type, vector_type};
use super::{Cx, LaneCost};
use crate::lanes::Elem;

/// The insertion point of the next instruction.
pub(super) type InsertPoint<'x, 'f> = FuncInstBuilder<'x, 'f>;

/// Shuffle mask: the even words of two vectors.
pub(super) const EVENS: [u8; 16] = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27];
/// Shuffle mask: the odd words of two vectors.
pub(super) const ODDS: [u8; 16] = [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31];
/// Shuffle mask: the low halves of two vectors.
pub(super) const LOWS: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
/// Shuffle mask: the high half of a vector, twice.
const HIGH: [u8; 16] = [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15];

/// How the condition of a select was computed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SelectCondition {
    ByFloats,
    ByIntegers,
    Otherwise,
}

/// The integer element as wide as an element.
pub(super) const fn integer_of(elem: Elem) -> Elem {
    match elem {
        Elem::F32 => Elem::I32,
        Elem::F64 => Elem::I64,
        Elem::Bool | Elem::I32 | Elem::I64 => elem,
    }
}

/// The width of an element in bits.
pub(super) const fn width_of(elem: Elem) -> u32 {
    match elem {
        Elem::Bool => 1,
        Elem::I32 | Elem::F32 => 32,
        Elem::I64 | Elem::F64 => 64,
    }
}

/// All bits of an element.
pub(super) const fn ones(elem: Elem) -> u64 {
    u64::MAX >> (64 - width_of(elem))
}

/// The top bit of an element.
pub(super) const fn top(elem: Elem) -> u64 {
    1 << (width_of(elem) - 1)
}

/// The bits of a number in a float format.
pub(super) fn float_bits(elem: Elem, number: f64) -> u64 {
    if elem == Elem::F32 { u64::from((number as f32).to_bits()) } else { number.to_bits() }
}

/// The flags of bitcasts.
fn seen() -> MemFlagsData {
    MemFlagsData::new().with_endianness(Endianness::Little)
}

impl<'f> Cx<'_, 'f> {
    pub(super) fn at(&mut self) -> InsertPoint<'_, 'f> {
        self.builder.ins()
    }

    /// Applies an instruction to each piece.
    pub(super) fn one(&mut self, elem: Elem, a: Pieces, step: &dyn Fn(InsertPoint<'_, 'f>, Value) -> Value) -> Pieces {
        let mut parts = [Value::from_u32(0); MOST];
        for (to, &a) in parts.iter_mut().zip(a.parts()) {
            *to = step(self.builder.ins(), a);
        }
        Cx::like(elem, a, &parts[..a.parts().len()])
    }

    /// Applies an instruction to each pair of pieces.
    pub(super) fn two(
        &mut self,
        elem: Elem,
        a: Pieces,
        b: Pieces,
        step: &dyn Fn(InsertPoint<'_, 'f>, Value, Value) -> Value,
    ) -> Pieces {
        debug_assert_eq!(a.parts().len(), b.parts().len(), "operands of one shape");
        let mut parts = [Value::from_u32(0); MOST];
        for (to, (&a, &b)) in parts.iter_mut().zip(a.parts().iter().zip(b.parts())) {
            *to = step(self.builder.ins(), a, b);
        }
        Cx::like(elem, a, &parts[..a.parts().len()])
    }

    /// Pieces with the shape of others.
    fn like(elem: Elem, shape: Pieces, parts: &[Value]) -> Pieces {
        if shape.is_vector() { Pieces::from_parts(elem, parts) } else { Pieces::scalar(elem, parts[0]) }
    }

    /// The Cranelift type of pieces.
    pub(super) fn ty(elem: Elem, shape: Pieces) -> Type {
        if shape.is_vector() { vector_type(elem) } else { scalar_type(elem) }
    }

    /// A constant of an element's type, by its bits, in the shape of `shape`.
    pub(super) fn bits_as(&mut self, elem: Elem, shape: Pieces, bits: u64) -> Pieces {
        let bits = if elem == Elem::Bool { bits } else { bits & ones(elem) };
        if !shape.is_vector() {
            let value = match elem {
                Elem::F32 => self.at().f32const(f32::from_bits(bits as u32)),
                Elem::F64 => self.at().f64const(f64::from_bits(bits)),
                Elem::Bool | Elem::I32 => self.at().iconst(scalar_type(elem), bits as i64),
                Elem::I64 => self.at().iconst(types::I64, bits as i64),
            };
            return Pieces::scalar(elem, value).with_constant(Some(bits));
        }
        let word = match elem {
            Elem::Bool => u64::MAX * bits,
            Elem::I32 | Elem::F32 => bits | bits << 32,
            Elem::I64 | Elem::F64 => bits,
        };
        let data: ConstantData = [word.to_le_bytes(), word.to_le_bytes()].concat().into();
        let constant = self.builder.func.dfg.constants.insert(data);
        let value = self.at().vconst(vector_type(elem), constant);
        let count = shape.lanes() / lanes_in(elem);
        Pieces::from_parts(elem, &[value; MOST][..count]).with_constant(Some(bits))
    }

    /// A constant of the same type, by its bits.
    pub(super) fn bits(&mut self, shape: Pieces, bits: u64) -> Pieces {
        self.bits_as(shape.elem(), shape, bits)
    }

    /// A constant of the same float type.
    pub(super) fn float(&mut self, shape: Pieces, number: f64) -> Pieces {
        self.bits(shape, float_bits(shape.elem(), number))
    }

    /// Bitcast to another type of the same width.
    pub(super) fn seen_as(&mut self, elem: Elem, a: Pieces) -> Pieces {
        let ty = Cx::ty(elem, a);
        if ty == Cx::ty(a.elem(), a) {
            return Cx::like(elem, a, a.parts()).with_splat(a.splat).with_constant(a.constant);
        }
        if let Some(bits) = a.constant {
            return self.bits_as(elem, a, bits);
        }
        let flags = if a.is_vector() { seen() } else { MemFlagsData::new() };
        self.one(elem, a, &|at, a| at.bitcast(ty, flags, a))
    }

    /// Bitcast to an integer.
    pub(super) fn as_int(&mut self, a: Pieces) -> Pieces {
        self.seen_as(integer_of(a.elem()), a)
    }

    // Conditions.

    /// Compares integers.
    pub(super) fn icmp(&mut self, cc: IntCC, a: Pieces, b: Pieces) -> Pieces {
        if !a.is_vector() {
            return self.two(Elem::Bool, a, b, &|at, a, b| at.icmp(cc, a, b));
        }
        // x86-64 has no unsigned comparison: flipping the top bits turns it into a signed one. For
        // 32 bits, minimum or maximum suffices for orders that include equality.
        let signed = match cc {
            IntCC::UnsignedLessThan => IntCC::SignedLessThan,
            IntCC::UnsignedGreaterThan => IntCC::SignedGreaterThan,
            IntCC::UnsignedLessThanOrEqual if a.elem() == Elem::I64 => IntCC::SignedLessThanOrEqual,
            IntCC::UnsignedGreaterThanOrEqual if a.elem() == Elem::I64 => IntCC::SignedGreaterThanOrEqual,
            other => other,
        };
        if signed != cc && self.facts.x64 {
            let (a, b) = (self.flipped(a), self.flipped(b));
            return self.two(a.elem(), a, b, &|at, a, b| at.icmp(signed, a, b));
        }
        self.two(a.elem(), a, b, &|at, a, b| at.icmp(cc, a, b))
    }

    /// Flips the top bit of each integer.
    fn flipped(&mut self, a: Pieces) -> Pieces {
        if let Some(known) = a.constant {
            return self.bits(a, known ^ top(a.elem()));
        }
        let flip = self.bits(a, top(a.elem()));
        self.xor(a, flip)
    }

    /// Compares floats. Vectors support neither `ueq` nor `one`.
    pub(super) fn fcmp(&mut self, cc: FloatCC, a: Pieces, b: Pieces) -> Pieces {
        let elem = if a.is_vector() { integer_of(a.elem()) } else { Elem::Bool };
        self.two(elem, a, b, &|at, a, b| at.fcmp(cc, a, b))
    }

    /// The negation of a condition.
    pub(super) fn opposite(&mut self, condition: Pieces) -> Pieces {
        if condition.is_vector() {
            return self.one(condition.elem(), condition, &|at, a| at.bnot(a));
        }
        self.one(Elem::Bool, condition, &|at, a| at.bxor_imm_u(a, 1))
    }

    /// The condition as a value of a program: a `bool`, or a mask of 32-bit lanes.
    pub(super) fn truth(&mut self, condition: Pieces) -> Pieces {
        if condition.elem() != Elem::I64 || !condition.is_vector() {
            return Cx::like(Elem::Bool, condition, condition.parts());
        }
        self.merged(Elem::Bool, condition, EVENS)
    }

    /// A mask, or a `bool`, as a condition for lanes of the width of `elem`.
    pub(crate) fn condition(&mut self, mask: Pieces, elem: Elem) -> Pieces {
        if !mask.is_vector() || lanes_in(elem) == 4 {
            return mask;
        }
        let mut parts = [Value::from_u32(0); MOST];
        let count = mask.parts().len() * 2;
        for (i, &part) in mask.parts().iter().enumerate() {
            let (low, high) = match self.narrowed(part) {
                Some(halves) => halves,
                None => (self.at().swiden_low(part), self.at().swiden_high(part)),
            };
            (parts[2 * i], parts[2 * i + 1]) = (low, high);
        }
        Pieces::from_parts(Elem::I64, &parts[..count])
    }

    /// The two conditions on 64-bit lanes that [`Cx::truth`] narrowed to this piece, if it did.
    fn narrowed(&self, part: Value) -> Option<(Value, Value)> {
        let dfg = &self.builder.func.dfg;
        let made = |value: Value| match dfg.value_def(dfg.resolve_aliases(value)) {
            ValueDef::Result(inst, _) => Some(dfg.insts[inst]),
            ValueDef::Param(..) | ValueDef::Union(..) => None,
        };
        let behind = |value: Value| match made(value)? {
            InstructionData::LoadNoOffset { opcode: Opcode::Bitcast, arg, .. } => Some(arg),
            _ => None,
        };
        let InstructionData::Shuffle { args, imm, .. } = made(behind(part)?)? else { return None };
        if dfg.immediates.get(imm)?.as_slice() != EVENS {
            return None;
        }
        let (low, high) = (behind(args[0])?, behind(args[1])?);
        let wide = |value: Value| dfg.value_type(value) == types::I64X2;
        (wide(low) && wide(high)).then_some((low, high))
    }

    /// How the condition of a select was computed: Cranelift emits a single blend for a comparison.
    fn made(&self, value: Value) -> SelectCondition {
        let dfg = &self.builder.func.dfg;
        match dfg.value_def(dfg.resolve_aliases(value)) {
            ValueDef::Result(inst, _) => match dfg.insts[inst].opcode() {
                Opcode::Fcmp => SelectCondition::ByFloats,
                Opcode::Icmp => SelectCondition::ByIntegers,
                _ => SelectCondition::Otherwise,
            },
            ValueDef::Param(..) | ValueDef::Union(..) => SelectCondition::Otherwise,
        }
    }

    /// Selects by a condition.
    pub(crate) fn choose(&mut self, condition: Pieces, yes: Pieces, no: Pieces) -> Pieces {
        let elem = yes.elem();
        if !yes.is_vector() {
            return Pieces::scalar(elem, self.builder.ins().select(condition.first(), yes.first(), no.first()));
        }
        let mut parts = [Value::from_u32(0); MOST];
        for (i, &part) in condition.parts().iter().enumerate() {
            parts[i] = self.blend(part, yes.parts()[i], no.parts()[i]);
        }
        Pieces::from_parts(elem, &parts[..condition.parts().len()])
    }

    /// Selects between two vectors lane by lane, by 0 or -1 in integers as wide as their lanes. One
    /// instruction on x86-64 with SSE4.1.
    pub(crate) fn blend(&mut self, by: Value, yes: Value, no: Value) -> Value {
        let ty = self.builder.func.dfg.value_type(yes);
        let int = self.builder.func.dfg.value_type(by);
        let made = self.made(by);
        if made == SelectCondition::ByFloats
            || made == SelectCondition::ByIntegers && ty == int
            || !(self.facts.x64 && self.facts.rounds)
        {
            let by = self.retyped(ty, by);
            return self.at().bitselect(by, yes, no);
        }
        let (yes, no) = (self.retyped(int, yes), self.retyped(int, no));
        let chosen = self.at().blendv(by, yes, no);
        self.retyped(ty, chosen)
    }

    pub(super) fn retyped(&mut self, ty: Type, value: Value) -> Value {
        if self.builder.func.dfg.value_type(value) == ty { value } else { self.at().bitcast(ty, seen(), value) }
    }

    /// `a` where the condition holds, otherwise zero bits.
    pub(super) fn where_true(&mut self, condition: Pieces, a: Pieces) -> Pieces {
        if !a.is_vector() {
            let zero = self.bits(a, 0);
            return self.choose(condition, a, zero);
        }
        let by = self.seen_as(a.elem(), Cx::like(integer_of(a.elem()), condition, condition.parts()));
        self.and(by, a)
    }

    /// 1 where the condition holds, otherwise 0, as an integer.
    pub(super) fn number_of(&mut self, condition: Pieces, elem: Elem) -> Pieces {
        if !condition.is_vector() {
            let ty = scalar_type(elem);
            return self.one(elem, condition, &|at, a| if ty == types::I8 { a } else { at.uextend(ty, a) });
        }
        self.one(elem, condition, &|at, a| at.ineg(a))
    }

    // Bitwise operations.

    pub(super) fn and(&mut self, a: Pieces, b: Pieces) -> Pieces {
        self.bitwise(a, b, &|at, a, b| at.band(a, b))
    }

    /// `a` and not `b`.
    pub(super) fn without(&mut self, a: Pieces, b: Pieces) -> Pieces {
        self.bitwise(a, b, &|at, a, b| at.band_not(a, b))
    }

    pub(super) fn or(&mut self, a: Pieces, b: Pieces) -> Pieces {
        self.bitwise(a, b, &|at, a, b| at.bor(a, b))
    }

    pub(super) fn xor(&mut self, a: Pieces, b: Pieces) -> Pieces {
        self.bitwise(a, b, &|at, a, b| at.bxor(a, b))
    }

    /// Applies a bitwise operation. Scalar floats stay in float registers only where Cranelift
    /// supports that.
    fn bitwise(&mut self, a: Pieces, b: Pieces, step: &dyn Fn(InsertPoint<'_, 'f>, Value, Value) -> Value) -> Pieces {
        let elem = a.elem();
        if a.is_vector() || self.facts.x64 || elem == integer_of(elem) {
            return self.two(elem, a, b, step);
        }
        let (a, b) = (self.as_int(a), self.as_int(b));
        let bits = self.two(a.elem(), a, b, step);
        self.seen_as(elem, bits)
    }

    /// Shifts left by a constant below the width.
    pub(super) fn up(&mut self, a: Pieces, n: u32) -> Pieces {
        let n = self.at().iconst(types::I32, i64::from(n));
        self.one(a.elem(), a, &|at, a| at.ishl(a, n))
    }

    /// Logical shift right by a constant below the width.
    pub(super) fn down(&mut self, a: Pieces, n: u32) -> Pieces {
        let n = self.at().iconst(types::I32, i64::from(n));
        self.one(a.elem(), a, &|at, a| at.ushr(a, n))
    }

    /// Arithmetic shift right by a constant below the width.
    pub(super) fn down_signed(&mut self, a: Pieces, n: u32) -> Pieces {
        let n = self.at().iconst(types::I32, i64::from(n));
        self.one(a.elem(), a, &|at, a| at.sshr(a, n))
    }

    // Integers and floats.

    pub(super) fn iadd(&mut self, a: Pieces, b: Pieces) -> Pieces {
        // Adding the truth of a mask is subtracting the mask.
        let mut masks = b;
        if b.is_vector() && b.parts().iter().enumerate().all(|(i, &part)| masks.replace_part(i, self.negated(part))) {
            return self.isub(a, masks);
        }
        self.two(a.elem(), a, b, &|at, a, b| at.iadd(a, b))
    }

    /// The operand of a negation, if the value is one.
    fn negated(&self, value: Value) -> Option<Value> {
        let dfg = &self.builder.func.dfg;
        match dfg.value_def(dfg.resolve_aliases(value)) {
            ValueDef::Result(inst, _) => match dfg.insts[inst] {
                InstructionData::Unary { opcode: Opcode::Ineg, arg } => Some(arg),
                _ => None,
            },
            ValueDef::Param(..) | ValueDef::Union(..) => None,
        }
    }

    pub(super) fn isub(&mut self, a: Pieces, b: Pieces) -> Pieces {
        self.two(a.elem(), a, b, &|at, a, b| at.isub(a, b))
    }

    pub(super) fn imul(&mut self, a: Pieces, b: Pieces) -> Pieces {
        self.two(a.elem(), a, b, &|at, a, b| at.imul(a, b))
    }

    pub(super) fn fadd(&mut self, a: Pieces, b: Pieces) -> Pieces {
        self.two(a.elem(), a, b, &|at, a, b| at.fadd(a, b))
    }

    pub(super) fn fsub(&mut self, a: Pieces, b: Pieces) -> Pieces {
        self.two(a.elem(), a, b, &|at, a, b| at.fsub(a, b))
    }

    pub(super) fn fmul(&mut self, a: Pieces, b: Pieces) -> Pieces {
        self.two(a.elem(), a, b, &|at, a, b| at.fmul(a, b))
    }

    pub(super) fn fdiv(&mut self, a: Pieces, b: Pieces) -> Pieces {
        self.two(a.elem(), a, b, &|at, a, b| at.fdiv(a, b))
    }

    pub(super) fn fabs(&mut self, a: Pieces) -> Pieces {
        self.one(a.elem(), a, &|at, a| at.fabs(a))
    }

    // Width changes, for vectors.

    /// Shuffles the bytes of two vectors of any type.
    pub(super) fn shuffled(&mut self, ty: Type, a: Value, b: Value, picks: [u8; 16]) -> Value {
        let (a, b) = (self.retyped(types::I8X16, a), self.retyped(types::I8X16, b));
        let picks = self.builder.func.dfg.immediates.push(ConstantData::from(&picks[..]));
        let shuffled = self.at().shuffle(a, b, picks);
        self.retyped(ty, shuffled)
    }

    /// Merges each pair of pieces into one.
    pub(super) fn merged(&mut self, elem: Elem, a: Pieces, picks: [u8; 16]) -> Pieces {
        let mut parts = [Value::from_u32(0); MOST];
        let count = a.parts().len() / 2;
        for (i, pair) in a.parts().chunks_exact(2).enumerate() {
            parts[i] = self.shuffled(vector_type(elem), pair[0], pair[1], picks);
        }
        Pieces::from_parts(elem, &parts[..count])
    }

    /// Splits each piece into two, by an instruction that reads the low half of a vector.
    pub(super) fn parted(
        &mut self,
        elem: Elem,
        a: Pieces,
        step: &dyn Fn(InsertPoint<'_, 'f>, Value) -> Value,
    ) -> Pieces {
        let mut parts = [Value::from_u32(0); MOST];
        let ty = vector_type(a.elem());
        for (i, &part) in a.parts().iter().enumerate() {
            let high = self.shuffled(ty, part, part, HIGH);
            parts[2 * i] = step(self.at(), part);
            parts[2 * i + 1] = step(self.at(), high);
        }
        Pieces::from_parts(elem, &parts[..a.parts().len() * 2])
    }

    // Scalarised code.

    /// A lane as a scalar; a scalar is returned as it is.
    pub(super) fn lane(&mut self, a: Pieces, lane: usize) -> Pieces {
        if !a.is_vector() {
            return a;
        }
        let each = lanes_in(a.elem());
        let number = self.at().extractlane(a.parts()[lane / each], (lane % each) as u8);
        if a.elem() != Elem::Bool {
            return Pieces::scalar(a.elem(), number).with_constant(a.constant);
        }
        let byte = self.at().ireduce(types::I8, number);
        Pieces::scalar(Elem::Bool, self.builder.ins().band_imm_u(byte, 1))
    }

    /// Lanes built from scalars.
    pub(super) fn gathered(&mut self, elem: Elem, lanes: &[Value]) -> Pieces {
        let each = lanes_in(elem);
        let ty = vector_type(elem);
        let mut parts = [Value::from_u32(0); MOST];
        for (i, chunk) in lanes.chunks_exact(each).enumerate() {
            let number = |cx: &mut Self, value: Value| match elem {
                Elem::Bool => {
                    let wide = cx.at().uextend(types::I32, value);
                    cx.at().ineg(wide)
                }
                _ => value,
            };
            let first = number(self, chunk[0]);
            let mut part = self.at().scalar_to_vector(ty, first);
            for (lane, &value) in chunk.iter().enumerate().skip(1) {
                let value = number(self, value);
                part = self.at().insertlane(part, value, lane as u8);
            }
            parts[i] = part;
        }
        Pieces::from_parts(elem, &parts[..lanes.len() / each])
    }

    /// Scalarises an operation: applies `each` to every lane.
    pub(super) fn by_lanes(
        &mut self,
        elem: Elem,
        args: &[Pieces],
        each: &mut dyn FnMut(&mut Self, &[Pieces]) -> Pieces,
    ) -> Pieces {
        let count = args[0].lanes();
        if !args[0].is_vector() {
            return each(self, args);
        }
        self.pace = self.pace.max(LaneCost::Lanes);
        let mut lanes = [Value::from_u32(0); 16];
        for (lane, to) in lanes.iter_mut().enumerate().take(count) {
            let scalars: Vec<Pieces> = args.iter().map(|&arg| self.lane(arg, lane)).collect();
            *to = each(self, &scalars).first();
        }
        self.gathered(elem, &lanes[..count])
    }
}
