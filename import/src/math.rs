//! Built-in functions: rows of the op table, functions of the libraries `fast_math` and
//! `precise_math`, or a few operations.
//!
//! WGSL allows errors of several ulp in most of these. `fast_math` has at most 2, the same on every
//! accelerator; what it lacks is correctly rounded, by `precise_math`.

use naga::{MathFunction, TypeInner};
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::{CallArgument, InstKind, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::text::link;
use tilewise_ir::types::{Data, Scalar};

use crate::ShaderImporter;
use crate::feature::ShaderFeature;
use crate::narrow::{is_half, is_narrow_integer};
use crate::value::ShaderValue;

/// How a built-in function is computed.
enum MathForm {
    /// By a row; narrower arguments are repeated in each component.
    Row(Op),
    /// By a row whose last arguments are scalars of each component: a bit field's place.
    BitField(Op),
    /// By a row that counts bits: its result has the argument's type here, not `u32`.
    BitCount(Op),
    /// By two rows, whose results are the members of a struct.
    Pair(Op, Op),
    /// By a library function of this name, component by component.
    Library(&'static str),
    /// By code below.
    Composed,
}

fn form(function: MathFunction) -> MathForm {
    use MathForm::{BitCount, BitField, Composed, Library, Pair, Row};
    match function {
        MathFunction::Min => Row(Op::Min),
        MathFunction::Max => Row(Op::Max),
        MathFunction::Clamp => Row(Op::Clamp),
        MathFunction::Saturate => Row(Op::Saturate),
        MathFunction::Cos => Library("cos"),
        MathFunction::Cosh => Library("cosh"),
        MathFunction::Sin => Library("sin"),
        MathFunction::Sinh => Library("sinh"),
        MathFunction::Tan => Library("tan"),
        MathFunction::Tanh => Library("tanh"),
        MathFunction::Acos => Library("acos"),
        MathFunction::Asin => Library("asin"),
        MathFunction::Atan => Library("atan"),
        MathFunction::Atan2 => Library("atan2"),
        MathFunction::Asinh => Library("asinh"),
        MathFunction::Acosh => Library("acosh"),
        MathFunction::Atanh => Library("atanh"),
        MathFunction::Radians => Row(Op::Radians),
        MathFunction::Degrees => Row(Op::Degrees),
        MathFunction::Ceil => Row(Op::Ceil),
        MathFunction::Floor => Row(Op::Floor),
        MathFunction::Round => Row(Op::RoundEven),
        MathFunction::Fract => Row(Op::Fract),
        MathFunction::Trunc => Row(Op::Trunc),
        MathFunction::Modf => Pair(Op::ModfFract, Op::ModfWhole),
        MathFunction::Frexp => Pair(Op::FrexpFract, Op::FrexpExp),
        MathFunction::Ldexp => Row(Op::Ldexp),
        MathFunction::Exp => Library("exp"),
        MathFunction::Exp2 => Library("exp2"),
        MathFunction::Log => Library("log"),
        MathFunction::Log2 => Library("log2"),
        MathFunction::Pow => Library("pow"),
        MathFunction::Dot4I8Packed => Row(Op::Dot4I8),
        MathFunction::Dot4U8Packed => Row(Op::Dot4U8),
        MathFunction::Cross => Row(Op::Cross),
        MathFunction::Normalize => Row(Op::Normalize),
        MathFunction::FaceForward => Row(Op::FaceForward),
        MathFunction::Reflect => Row(Op::Reflect),
        MathFunction::Sign => Row(Op::Sign),
        MathFunction::Fma => Row(Op::Fma),
        MathFunction::Mix => Row(Op::Mix),
        MathFunction::Step => Row(Op::Step),
        MathFunction::SmoothStep => Row(Op::Smoothstep),
        MathFunction::Sqrt => Row(Op::Sqrt),
        MathFunction::InverseSqrt => Library("rsqrt"),
        MathFunction::QuantizeToF16 => Row(Op::QuantizeF16),
        MathFunction::CountTrailingZeros => {
            BitCount(fault::choose(Fault::TrailingZerosAsLeading, Op::TrailingZeros, Op::LeadingZeros))
        }
        MathFunction::CountLeadingZeros => BitCount(Op::LeadingZeros),
        MathFunction::CountOneBits => BitCount(Op::CountOnes),
        MathFunction::ReverseBits => Row(Op::ReverseBits),
        MathFunction::ExtractBits => BitField(Op::ExtractBits),
        MathFunction::InsertBits => BitField(Op::InsertBits),
        MathFunction::FirstTrailingBit => Row(Op::FirstLow),
        MathFunction::FirstLeadingBit => Row(Op::FirstHigh),
        MathFunction::Pack4x8snorm => Row(Op::Pack4x8Snorm),
        MathFunction::Pack4x8unorm => Row(Op::Pack4x8Unorm),
        MathFunction::Pack2x16snorm => Row(Op::Pack2x16Snorm),
        MathFunction::Pack2x16unorm => Row(Op::Pack2x16Unorm),
        MathFunction::Pack2x16float => Row(Op::Pack2x16Float),
        MathFunction::Pack4xI8 => Row(Op::Pack4xI8),
        MathFunction::Pack4xU8 => Row(Op::Pack4xU8),
        MathFunction::Pack4xI8Clamp => Row(Op::Pack4xI8Clamp),
        MathFunction::Pack4xU8Clamp => Row(Op::Pack4xU8Clamp),
        MathFunction::Unpack4x8snorm => Row(Op::Unpack4x8Snorm),
        MathFunction::Unpack4x8unorm => Row(Op::Unpack4x8Unorm),
        MathFunction::Unpack2x16snorm => Row(Op::Unpack2x16Snorm),
        MathFunction::Unpack2x16unorm => Row(Op::Unpack2x16Unorm),
        MathFunction::Unpack2x16float => Row(Op::Unpack2x16Float),
        MathFunction::Unpack4xI8 => Row(Op::Unpack4xI8),
        MathFunction::Unpack4xU8 => Row(Op::Unpack4xU8),
        MathFunction::Abs
        | MathFunction::Dot
        | MathFunction::Distance
        | MathFunction::Length
        | MathFunction::Refract
        | MathFunction::Outer
        | MathFunction::Inverse
        | MathFunction::Transpose
        | MathFunction::Determinant => Composed,
    }
}

impl ShaderImporter<'_> {
    /// A built-in function; `narrow` is the type of its first argument.
    pub(crate) fn math(&mut self, function: MathFunction, args: Vec<ShaderValue>, narrow: &TypeInner) -> ShaderValue {
        let Some(first) = args.first().filter(|_| !is_refused(&args)) else {
            return ShaderValue::Refused;
        };
        match function {
            MathFunction::Transpose => return self.transpose(first),
            MathFunction::Determinant => return self.determinant(first),
            MathFunction::Inverse => return self.inverse(first),
            _ => {}
        }
        let mut args: Vec<ValueId> = args.iter().map(|arg| self.data(arg)).collect();
        let data = self.data_type(args[0]);
        match form(function) {
            MathForm::Row(Op::Sign) if is_unsigned(data) => {
                // Not of WGSL: 0 or 1.
                let one = self.convert_one(data);
                ShaderValue::Data(self.op(Op::Min, &[args[0], one]))
            }
            MathForm::Row(Op::Ldexp) => {
                args[1] = self.convert(args[1], Scalar::I32);
                ShaderValue::Data(self.wide_op(Op::Ldexp, &args))
            }
            MathForm::Row(Op::Normalize) if data.width == 1 => ShaderValue::Data(self.op(Op::Div, &[args[0], args[0]])),
            MathForm::Row(Op::Fma) if is_half(narrow) && args.len() == 3 => {
                ShaderValue::Data(self.fma_of_halves(args[0], args[1], args[2]))
            }
            MathForm::Row(Op::ReverseBits) if is_narrow_integer(narrow) => {
                let bits = self.low_half(args[0]);
                let reversed = self.op(Op::ReverseBits, &[bits]);
                let sixteen = self.u32(16);
                let low = self.wide_op(Op::Shr, &[reversed, sixteen]);
                ShaderValue::Data(self.convert(low, data.scalar))
            }
            MathForm::Row(op) => ShaderValue::Data(self.wide_op(op, &args)),
            MathForm::BitField(op) => {
                let fields = args.len() - 2;
                for place in &mut args[fields..] {
                    let number = self.convert(*place, Scalar::U32);
                    *place = self.splat(number, data.width);
                }
                if is_narrow_integer(narrow) {
                    self.hold_field(&mut args[fields..]);
                }
                ShaderValue::Data(self.op(op, &args))
            }
            MathForm::BitCount(op) => {
                let count =
                    if is_narrow_integer(narrow) { self.count_of_half(op, args[0]) } else { self.op(op, &args) };
                ShaderValue::Data(self.convert(count, data.scalar))
            }
            MathForm::Pair(first, second) => {
                let parts = [first, second].map(|op| ShaderValue::Data(self.op(op, &args)));
                ShaderValue::Parts(parts.into())
            }
            MathForm::Library(name) => self.library(name, &args),
            MathForm::Composed => self.composed_math(function, &args, narrow),
        }
    }

    fn composed_math(&mut self, function: MathFunction, args: &[ValueId], narrow: &TypeInner) -> ShaderValue {
        let data = self.data_type(args[0]);
        let second = args.get(1).copied().unwrap_or(args[0]);
        let result = match function {
            MathFunction::Abs if is_unsigned(data) => args[0],
            MathFunction::Abs => self.op(Op::Abs, args),
            MathFunction::Dot => self.dot(args[0], second, narrow),
            MathFunction::Length if data.width == 1 => self.op(Op::Abs, args),
            MathFunction::Length => self.op(Op::Length, args),
            MathFunction::Distance if data.width == 1 => {
                let difference = self.op(Op::Sub, args);
                self.op(Op::Abs, &[difference])
            }
            MathFunction::Distance => self.op(Op::Distance, args),
            // The ratio stays a scalar.
            MathFunction::Refract => self.op(Op::Refract, args),
            MathFunction::Outer => return self.outer(args[0], second),
            _ => return self.refuse(ShaderFeature::LargeAggregate),
        };
        ShaderValue::Data(result)
    }

    /// The 16 bits of narrow integers, as `u32`.
    fn low_half(&mut self, value: ValueId) -> ValueId {
        let bits = self.convert(value, Scalar::U32);
        let mask = self.u32(0xffff);
        self.wide_op(Op::And, &[bits, mask])
    }

    /// A count of the bits of narrow integers, by the row that counts those of 32 bits.
    fn count_of_half(&mut self, op: Op, value: ValueId) -> ValueId {
        let bits = self.low_half(value);
        match op {
            Op::LeadingZeros => {
                let (count, sixteen) = (self.op(op, &[bits]), self.u32(16));
                self.wide_op(Op::Sub, &[count, sixteen])
            }
            Op::TrailingZeros => {
                let end = self.u32(1 << 16);
                let bits = self.wide_op(Op::Or, &[bits, end]);
                self.op(op, &[bits])
            }
            _ => self.op(op, &[bits]),
        }
    }

    /// Holds the offset and the number of a field's bits to the 16 bits that narrow integers have.
    fn hold_field(&mut self, field: &mut [ValueId]) {
        let [offset, count] = field else { return };
        let sixteen = self.u32(16);
        *offset = self.wide_op(Op::Min, &[*offset, sixteen]);
        let rest = self.wide_op(Op::Sub, &[sixteen, *offset]);
        *count = self.op(Op::Min, &[*count, rest]);
    }

    /// One, as wide as the type.
    fn convert_one(&mut self, data: Data) -> ValueId {
        let one = self.u32(1);
        let one = self.convert(one, data.scalar);
        self.splat(one, data.width)
    }

    /// A library function, component by component.
    fn library(&mut self, name: &str, args: &[ValueId]) -> ShaderValue {
        let Data { scalar, width } = self.data_type(args[0]);
        let path = match scalar {
            Scalar::F64 => format!("precise_math::{name}"),
            _ => format!("fast_math::{name}"),
        };
        let function =
            link(&mut self.builder, &path).or_else(|| link(&mut self.builder, &format!("precise_math::{name}f")));
        let Some(function) = function else { return self.refuse(ShaderFeature::ScalarType) };
        let parts = (0..width)
            .map(|i| {
                let args = args.iter().map(|&arg| CallArgument::Value(self.component(arg, i)));
                let args = args.collect();
                self.inst(InstKind::Call { function, args })
            })
            .collect();
        ShaderValue::Data(self.composed(parts))
    }
}

fn is_refused(args: &[ShaderValue]) -> bool {
    args.iter().any(|arg| matches!(arg, ShaderValue::Refused))
}

fn is_unsigned(data: Data) -> bool {
    matches!(data.scalar, Scalar::U32 | Scalar::U64)
}
