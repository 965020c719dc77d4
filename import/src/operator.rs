//! Operators and conversions.

use naga::{BinaryOperator, ScalarKind, TypeInner, UnaryOperator};
use tilewise_ir::kernel::{Const, InstKind, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::types::{Data, Scalar, Stored};

use crate::ShaderImporter;
use crate::feature::ShaderFeature;
use crate::narrow::{is_narrow_integer, scalar_of};
use crate::types::value_scalar;
use crate::value::ShaderValue;

impl ShaderImporter<'_> {
    pub(crate) fn unary(&mut self, op: UnaryOperator, value: ShaderValue) -> ShaderValue {
        let op = match op {
            UnaryOperator::Negate => Op::Neg,
            UnaryOperator::LogicalNot | UnaryOperator::BitwiseNot => Op::Not,
        };
        self.map(value, &mut |importer, value| importer.op(op, &[value]))
    }

    /// `left op right`. `narrow` is the type of the result, for the steps of a product of matrices.
    pub(crate) fn binary(
        &mut self,
        op: BinaryOperator,
        left: ShaderValue,
        right: ShaderValue,
        types: (&TypeInner, &TypeInner),
        narrow: &TypeInner,
    ) -> ShaderValue {
        if matches!(left, ShaderValue::Refused) || matches!(right, ShaderValue::Refused) {
            return ShaderValue::Refused;
        }
        if matches!(types.0, TypeInner::Matrix { .. }) || matches!(types.1, TypeInner::Matrix { .. }) {
            return self.matrix_binary(row(op), left, right, types, narrow);
        }
        let (left, right) = (self.data(&left), self.data(&right));
        let Data { scalar, width } = self.data_type(right);
        let is_quotient = matches!(op, BinaryOperator::Divide | BinaryOperator::Modulo);
        if let Some(parts) = self.zero_parts.get(&right).filter(|_| is_quotient).cloned() {
            let quotient = |importer: &mut Self, (i, part): (u8, ValueId)| {
                let left = ShaderValue::Data(importer.component(left, i));
                let quotient = importer.binary(op, left, ShaderValue::Data(part), types, narrow);
                importer.data(&quotient)
            };
            let quotients = (0..).zip(parts).map(|pair| quotient(self, pair)).collect();
            return ShaderValue::Data(self.vector(quotients));
        }
        if is_quotient && scalar.is_integer() && width == 1 {
            // Inlining makes divisors constant that were arguments; a constant zero is an error in
            // kernels, and here `x / 0` is `x` and `x % 0` is 0.
            let zero = self.builder.constant(Const { scalar, bits: 0 });
            if right == zero {
                let result = if op == BinaryOperator::Divide { left } else { right };
                return ShaderValue::Data(self.splat(result, self.data_type(left).width));
            }
        }
        let is_shift = matches!(op, BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight);
        let mut right = if is_shift { self.convert(right, Scalar::U32) } else { right };
        if is_shift && is_narrow_integer(types.0) {
            // Modulo their width, as rows do for 32 bits.
            let mask = self.u32(15);
            right = self.wide_op(Op::And, &[right, mask]);
        }
        ShaderValue::Data(self.wide_op(row(op), &[left, right]))
    }

    /// An operation whose narrower arguments are repeated in each component.
    pub(crate) fn wide_op(&mut self, op: Op, args: &[ValueId]) -> ValueId {
        let mut args = args.to_vec();
        self.widen(&mut args);
        self.op(op, &args)
    }

    /// A conversion, or the same bits as another type if `convert` is `None`.
    pub(crate) fn cast(
        &mut self,
        value: ShaderValue,
        kind: ScalarKind,
        convert: Option<u8>,
        from: &TypeInner,
        to: &TypeInner,
    ) -> ShaderValue {
        let Some(width) = convert else { return self.bitcast(value, from, to) };
        let Some(scalar) = value_scalar(naga::Scalar { kind, width }) else {
            return self.refuse(ShaderFeature::ScalarType);
        };
        let from_float = scalar_of(from).is_some_and(|from| from.kind == ScalarKind::Float);
        let held = match kind {
            ScalarKind::Sint if width == 2 && from_float => Some(Stored::I16),
            ScalarKind::Uint if width == 2 && from_float => Some(Stored::U16),
            _ => None,
        };
        let is_short = kind == ScalarKind::Float && width == 2;
        self.map(value, &mut |importer, value| {
            if is_short && importer.data_type(value).scalar == Scalar::F64 {
                return importer.half_of_double(value);
            }
            let number = importer.convert(value, scalar);
            match held {
                // Floats become the nearest integer of 16 bits; integers are cut to them.
                Some(stored) => importer.held_integers(number, stored),
                None => number,
            }
        })
    }

    /// A number that is converted to integers, at most the largest of them that its own type has:
    /// beyond it, WGSL gives that one. Below the least integer, that is what a conversion gives anyway.
    fn limited(&mut self, value: ValueId, to: Scalar) -> ValueId {
        let Data { scalar: from, width } = self.data_type(value);
        let most = match (from, to) {
            (Scalar::F32, Scalar::I32) => Const::f32(2_147_483_520.0),
            (Scalar::F32, Scalar::U32) => Const::f32(4_294_967_040.0),
            (Scalar::F32, Scalar::I64) => Const::f32(9_223_371_487_098_961_920.0),
            (Scalar::F32, Scalar::U64) => Const::f32(18_446_742_974_197_923_840.0),
            (Scalar::F64, Scalar::I64) => Const::f64(9_223_372_036_854_774_784.0),
            (Scalar::F64, Scalar::U64) => Const::f64(18_446_744_073_709_549_568.0),
            // A double has every integer of 32 bits.
            (Scalar::F64, Scalar::I32 | Scalar::U32)
            | (Scalar::Bool | Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64, _)
            | (_, Scalar::Bool | Scalar::F32 | Scalar::F64) => return value,
        };
        let most = self.builder.constant(most);
        let most = self.splat(most, width);
        // NaN is not above.
        let above = self.op(Op::Gt, &[value, most]);
        self.op(Op::Select, &[above, most, value])
    }

    /// The same numbers as another type.
    pub(crate) fn convert(&mut self, value: ValueId, to: Scalar) -> ValueId {
        let Data { scalar: from, width } = self.data_type(value);
        if from == to {
            return value;
        }
        if width == 1 && to != Scalar::Bool {
            // Zero stays a constant: a level of a texture that is one needs no others.
            let zero = self.builder.constant(Const { scalar: from, bits: 0 });
            if value == zero {
                return self.builder.constant(Const { scalar: to, bits: 0 });
            }
        }
        let value = self.limited(value, to);
        let op = match to {
            Scalar::Bool => {
                let zero = self.builder.constant(Const { scalar: from, bits: 0 });
                let zero = self.splat(zero, width);
                return self.op(Op::Ne, &[value, zero]);
            }
            Scalar::I32 => Op::ToI32,
            Scalar::U32 => Op::ToU32,
            Scalar::I64 => Op::ToI64,
            Scalar::U64 => Op::ToU64,
            Scalar::F32 => Op::ToF32,
            Scalar::F64 => Op::ToF64,
        };
        self.op(op, &[value])
    }

    fn bitcast(&mut self, value: ShaderValue, from: &TypeInner, to: &TypeInner) -> ShaderValue {
        let (Some(source), Some(target)) = (scalar_of(from), scalar_of(to)) else {
            return self.refuse(ShaderFeature::ScalarType);
        };
        if source.width == 2 || target.width == 2 {
            let value = self.data(&value);
            return self.bitcast_narrow(value, source, target, to);
        }
        let Some(to) = value_scalar(target) else { return self.refuse(ShaderFeature::ScalarType) };
        self.map(value, &mut |importer, value| importer.same_bits(value, to))
    }

    /// The same 32 or 64 bits of each component.
    fn same_bits(&mut self, value: ValueId, to: Scalar) -> ValueId {
        if self.data_type(value).scalar == to {
            return value;
        }
        let op = match to {
            Scalar::I32 => Op::BitcastI32,
            Scalar::U32 => Op::BitcastU32,
            Scalar::F32 => Op::BitcastF32,
            Scalar::I64 => Op::BitcastI64,
            Scalar::U64 => Op::BitcastU64,
            Scalar::F64 => Op::BitcastF64,
            Scalar::Bool => {
                self.refuse(ShaderFeature::ScalarType);
                return self.builder.invalid();
            }
        };
        self.op(op, &[value])
    }

    /// The same bits where one side has components of 16 bits: two of them are a word of 32.
    fn bitcast_narrow(
        &mut self,
        value: ValueId,
        source: naga::Scalar,
        target: naga::Scalar,
        to: &TypeInner,
    ) -> ShaderValue {
        if source == target {
            return ShaderValue::Data(value);
        }
        let count = self.data_type(value).width;
        if source.width == 2 && target.width == 2 {
            // Component by component: through the lower half of a word.
            let parts: Vec<ValueId> = (0..count)
                .map(|i| {
                    let part = self.component(value, i);
                    let bits = self.half_bits(part, source.kind);
                    self.half_value(bits, target.kind)
                })
                .collect();
            return ShaderValue::Data(self.composed(parts));
        }
        let Some(scalar) = value_scalar(target) else { return self.refuse(ShaderFeature::ScalarType) };
        if source.width == 2 {
            // Halves to words.
            let words: Vec<ValueId> = (0..count / 2)
                .map(|i| {
                    let [low, high] = [2 * i, 2 * i + 1].map(|component| {
                        let part = self.component(value, component);
                        self.half_bits(part, source.kind)
                    });
                    let sixteen = self.u32(16);
                    let high = self.op(Op::Shl, &[high, sixteen]);
                    let word = self.op(Op::Or, &[low, high]);
                    self.same_bits(word, scalar)
                })
                .collect();
            return ShaderValue::Data(self.composed(words));
        }
        // Words to halves.
        let kind = scalar_of(to).map_or(ScalarKind::Float, |scalar| scalar.kind);
        let mut halves = Vec::new();
        for i in 0..count {
            let word = self.component(value, i);
            let word = self.same_bits(word, Scalar::U32);
            let (mask, sixteen) = (self.u32(0xffff), self.u32(16));
            let low = self.op(Op::And, &[word, mask]);
            let high = self.op(Op::Shr, &[word, sixteen]);
            halves.extend([low, high].map(|bits| self.half_value(bits, kind)));
        }
        ShaderValue::Data(self.composed(halves))
    }

    /// The 16 bits of a narrow scalar, as a `u32`.
    fn half_bits(&mut self, value: ValueId, kind: ScalarKind) -> ValueId {
        let mask = self.u32(0xffff);
        let bits = match kind {
            ScalarKind::Float => {
                let zero = self.builder.constant(Const::f32(0.0));
                let pair = self.inst(InstKind::Compose(vec![value, zero]));
                self.op(Op::Pack2x16Float, &[pair])
            }
            _ => self.convert(value, Scalar::U32),
        };
        self.op(Op::And, &[bits, mask])
    }

    /// The narrow scalar with these 16 bits.
    fn half_value(&mut self, bits: ValueId, kind: ScalarKind) -> ValueId {
        match kind {
            ScalarKind::Float => {
                let pair = self.op(Op::Unpack2x16Float, &[bits]);
                self.component(pair, 0)
            }
            ScalarKind::Sint => {
                let bits = self.op(Op::ToI32, &[bits]);
                self.op(Op::WrapI16, &[bits])
            }
            _ => bits,
        }
    }

    /// A vector of scalars, or the scalar if there is one.
    pub(crate) fn composed(&mut self, parts: Vec<ValueId>) -> ValueId {
        match parts.as_slice() {
            [one] => *one,
            _ => self.vector(parts),
        }
    }
}

/// The row of an operator.
fn row(op: BinaryOperator) -> Op {
    match op {
        BinaryOperator::Add => Op::Add,
        BinaryOperator::Subtract => Op::Sub,
        BinaryOperator::Multiply => Op::Mul,
        BinaryOperator::Divide => Op::Div,
        BinaryOperator::Modulo => Op::Rem,
        BinaryOperator::Equal => Op::Eq,
        BinaryOperator::NotEqual => Op::Ne,
        BinaryOperator::Less => Op::Lt,
        BinaryOperator::LessEqual => Op::Le,
        BinaryOperator::Greater => Op::Gt,
        BinaryOperator::GreaterEqual => Op::Ge,
        BinaryOperator::And | BinaryOperator::LogicalAnd => Op::And,
        BinaryOperator::InclusiveOr | BinaryOperator::LogicalOr => Op::Or,
        BinaryOperator::ExclusiveOr => Op::Xor,
        BinaryOperator::ShiftLeft => Op::Shl,
        BinaryOperator::ShiftRight => Op::Shr,
    }
}
