//! The emitter for the table's rows: a builder with the receiver's type, and the methods that take
//! more than a line.

use tilewise_ir::build::Builder;
use tilewise_ir::kernel::{CallArgument, Const, Init, InstKind, Place, Root, ValueDef, ValueId};
use tilewise_ir::ops::{Op, ScalarBits};
use tilewise_ir::pos::Pos;
use tilewise_ir::text::link;
use tilewise_ir::types::{Data, Scalar};

/// Emits one method.
pub(super) struct MethodWriter<'a> {
    pub(super) b: &'a mut Builder,
    /// The receiver's type.
    pub(super) scalar: Scalar,
    /// The position of the method's name.
    pub(super) pos: Pos,
}

impl MethodWriter<'_> {
    pub(super) fn op(&mut self, op: Op, args: &[ValueId]) -> ValueId {
        self.b.op(op, args, self.pos)
    }

    /// An integer in the receiver's type.
    pub(super) fn number(&mut self, value: i8) -> ValueId {
        let bits = match self.scalar {
            Scalar::F32 => ScalarBits::to_bits(f32::from(value)),
            Scalar::F64 => ScalarBits::to_bits(f64::from(value)),
            Scalar::I32 | Scalar::U32 => ScalarBits::to_bits(i32::from(value)),
            Scalar::I64 | Scalar::U64 | Scalar::Bool => i64::from(value) as u64,
        };
        self.b.constant(Const { scalar: self.scalar, bits })
    }

    pub(super) fn u32(&mut self, value: u32) -> ValueId {
        self.b.constant(Const::u32(value))
    }

    /// Width of the receiver's type in bits.
    pub(super) fn width(&self) -> u32 {
        self.scalar.bits()
    }

    /// `0 - x`, wrapping.
    pub(super) fn negate(&mut self, x: ValueId) -> ValueId {
        let zero = self.number(0);
        self.op(Op::Sub, &[zero, x])
    }

    /// The same bits as an integer.
    pub(super) fn as_unsigned(&mut self, x: ValueId) -> ValueId {
        self.op(if self.width() == 64 { Op::BitcastU64 } else { Op::BitcastU32 }, &[x])
    }

    /// The same bits as a signed integer.
    pub(super) fn as_signed(&mut self, x: ValueId) -> ValueId {
        self.op(if self.width() == 64 { Op::BitcastI64 } else { Op::BitcastI32 }, &[x])
    }

    /// An integer of the same width, as the receiver's type.
    pub(super) fn as_own(&mut self, x: ValueId) -> ValueId {
        if self.scalar.is_signed_integer() { self.as_signed(x) } else { self.as_unsigned(x) }
    }

    /// Is `x` zero?
    pub(super) fn is_zero(&mut self, x: ValueId) -> ValueId {
        let zero = self.number(0);
        self.op(Op::Eq, &[x, zero])
    }

    /// Is `x` below zero?
    pub(super) fn is_negative(&mut self, x: ValueId) -> ValueId {
        let zero = self.number(0);
        self.op(Op::Lt, &[x, zero])
    }

    pub(super) fn select(&mut self, condition: ValueId, yes: ValueId, no: ValueId) -> ValueId {
        self.op(Op::Select, &[condition, yes, no])
    }

    /// A shift by `n`, or `beyond` if that is the width or more.
    pub(super) fn unbounded(&mut self, op: Op, x: ValueId, n: ValueId, beyond: ValueId) -> ValueId {
        let shifted = self.op(op, &[x, n]);
        let width = self.u32(self.width());
        let within = self.op(Op::Lt, &[n, width]);
        self.select(within, shifted, beyond)
    }

    /// The position of the highest bit: for 0 it is -1.
    pub(super) fn ilog2(&mut self, x: ValueId) -> ValueId {
        let zeros = self.op(Op::LeadingZeros, &[x]);
        let top = self.u32(self.width() - 1);
        self.op(Op::Sub, &[top, zeros])
    }

    /// The smallest power of two that is at least `x`; 0 if the type does not have it.
    pub(super) fn next_power_of_two(&mut self, x: ValueId) -> ValueId {
        let one = self.number(1);
        // From 2 on, so that checks of arithmetic see neither a difference below 0 nor a shift by the width.
        let two = self.number(2);
        let more = self.op(Op::Max, &[x, two]);
        let below = self.op(Op::Sub, &[more, one]);
        let zeros = self.op(Op::LeadingZeros, &[below]);
        let ones = self.number(-1);
        let filled = self.op(Op::Shr, &[ones, zeros]);
        let small = self.op(Op::Le, &[x, one]);
        let zero = self.number(0);
        let filled = self.select(small, zero, filled);
        self.op(Op::Add, &[filled, one])
    }

    /// The quotient rounded up.
    pub(super) fn div_ceil(&mut self, x: ValueId, y: ValueId) -> ValueId {
        let quotient = self.op(Op::Div, &[x, y]);
        let rest = self.op(Op::Rem, &[x, y]);
        let exact = self.is_zero(rest);
        let (zero, one) = (self.number(0), self.number(1));
        // It fits: only a quotient by 1 can be the largest number, and that is exact.
        let more = self.select(exact, zero, one);
        self.op(Op::Add, &[quotient, more])
    }

    /// Half of `x + y`, rounded down; the sum need not fit.
    pub(super) fn midpoint_down(&mut self, x: ValueId, y: ValueId) -> ValueId {
        let (differing, common) = (self.op(Op::Xor, &[x, y]), self.op(Op::And, &[x, y]));
        let one = self.u32(1);
        let half = self.op(Op::Shr, &[differing, one]);
        self.op(Op::Add, &[half, common])
    }

    /// Half of `x + y`, rounded towards zero; the sum need not fit.
    pub(super) fn midpoint_to_zero(&mut self, x: ValueId, y: ValueId) -> ValueId {
        let down = self.midpoint_down(x, y);
        let (differing, one, zero) = (self.op(Op::Xor, &[x, y]), self.number(1), self.number(0));
        // An odd sum has a half.
        let odd = self.op(Op::And, &[differing, one]);
        let negative = self.is_negative(down);
        let up = self.select(negative, odd, zero);
        self.op(Op::Add, &[down, up])
    }

    /// Half of `x + y`, rounded once. A sum that overflows is one of large numbers, whose halves are exact; of other
    /// sums, either the sum or its half is exact.
    pub(super) fn midpoint_float(&mut self, x: ValueId, y: ValueId) -> ValueId {
        let half = match self.scalar {
            Scalar::F64 => ScalarBits::to_bits(0.5_f64),
            Scalar::F32 | Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64 | Scalar::Bool => {
                ScalarBits::to_bits(0.5_f32)
            }
        };
        let half = self.b.constant(Const { scalar: self.scalar, bits: half });
        let sum = self.op(Op::Add, &[x, y]);
        let of_sum = self.op(Op::Mul, &[sum, half]);
        let (half_x, half_y) = (self.op(Op::Mul, &[x, half]), self.op(Op::Mul, &[y, half]));
        let of_halves = self.op(Op::Add, &[half_x, half_y]);
        let overflows = self.op(Op::IsInf, &[sum]);
        self.select(overflows, of_halves, of_sum)
    }

    /// `x` rounded up to a multiple of `y`, wrapping.
    pub(super) fn next_multiple_of(&mut self, x: ValueId, y: ValueId) -> ValueId {
        let rest = self.op(Op::Rem, &[x, y]);
        let exact = self.is_zero(rest);
        let (missing, zero) = (self.op(Op::Sub, &[y, rest]), self.number(0));
        let missing = self.select(exact, zero, missing);
        self.op(Op::Add, &[x, missing])
    }

    /// Floats: `lo` if below it, then `hi` if above it. NaN stays NaN, unlike in the row `clamp`.
    pub(super) fn clamp_float(&mut self, x: ValueId, lo: ValueId, hi: ValueId) -> ValueId {
        let below = self.op(Op::Lt, &[x, lo]);
        let x = self.select(below, lo, x);
        let above = self.op(Op::Gt, &[x, hi]);
        self.select(above, hi, x)
    }

    /// Floats, with std's steps.
    pub(super) fn rem_euclid_float(&mut self, x: ValueId, y: ValueId) -> ValueId {
        let rest = self.op(Op::Rem, &[x, y]);
        let below = self.is_negative(rest);
        let size = self.op(Op::Abs, &[y]);
        let moved = self.op(Op::Add, &[rest, size]);
        self.select(below, moved, rest)
    }

    /// Floats, with std's steps.
    pub(super) fn div_euclid_float(&mut self, x: ValueId, y: ValueId) -> ValueId {
        let quotient = self.op(Op::Div, &[x, y]);
        let whole = self.op(Op::Trunc, &[quotient]);
        let rest = self.op(Op::Rem, &[x, y]);
        let below = self.is_negative(rest);
        let zero = self.number(0);
        let positive = self.op(Op::Gt, &[y, zero]);
        let one = self.number(1);
        let (less, more) = (self.op(Op::Sub, &[whole, one]), self.op(Op::Add, &[whole, one]));
        let moved = self.select(positive, less, more);
        self.select(below, moved, whole)
    }

    /// `x` to an integer power, by squaring: 1 times the powers x, x^2, x^4, .. that the set bits
    /// of |n| select, from the lowest, each product rounded; for a negative `n`, 1 over that.
    pub(super) fn powi(&mut self, x: ValueId, n: ValueId) -> ValueId {
        let constant = match self.b.context().values.get(n.index()).map(|value| value.def) {
            Some(ValueDef::Const(constant)) => Some(constant.bits as u32 as i32),
            _ => None,
        };
        match constant {
            Some(n) => self.powi_by(x, n),
            None => self.powi_looped(x, n),
        }
    }

    /// [`powi`](MethodWriter::powi) by a constant: the same products without the loop.
    fn powi_by(&mut self, x: ValueId, n: i32) -> ValueId {
        let (mut rest, mut power, mut product) = (n.unsigned_abs(), x, None);
        while rest != 0 {
            if rest & 1 != 0 {
                // 1 times a number is that number.
                product = Some(product.map_or(power, |product| self.op(Op::Mul, &[product, power])));
            }
            rest >>= 1;
            if rest != 0 {
                power = self.op(Op::Mul, &[power, power]);
            }
        }
        let product = product.unwrap_or_else(|| self.number(1));
        if n < 0 { self.op(Op::Rcp, &[product]) } else { product }
    }

    fn powi_looped(&mut self, x: ValueId, n: ValueId) -> ValueId {
        let own = Data::scalar(self.scalar);
        let zero = self.b.constant(Const::i32(0));
        let size = self.op(Op::Abs, &[n]);
        // |MIN| wraps to the bits of 2^31.
        let size = self.op(Op::BitcastU32, &[size]);
        let one = self.number(1);
        let product = self.variable("product", own, one);
        let power = self.variable("power", own, x);
        let rest = self.variable("rest", Data::U32, size);

        let label = self.b.label(None);
        self.b.begin_block();
        let bits = self.read(&rest);
        let (none, bit) = (self.u32(0), self.u32(1));
        let more = self.op(Op::Ne, &[bits, none]);
        let condition = Some(Box::new(self.b.end_block(Some(more))));

        self.b.begin_block();
        let (bits, so_far, by) = (self.read(&rest), self.read(&product), self.read(&power));
        let lowest = self.op(Op::And, &[bits, bit]);
        let odd = self.op(Op::Ne, &[lowest, none]);
        let multiplied = self.op(Op::Mul, &[so_far, by]);
        let multiplied = self.select(odd, multiplied, so_far);
        self.write(&product, multiplied);
        let squared = self.op(Op::Mul, &[by, by]);
        self.write(&power, squared);
        let halved = self.op(Op::Shr, &[bits, bit]);
        self.write(&rest, halved);
        let body = self.b.end_block(None);
        self.b.emit(InstKind::Loop { label, condition, body, continuing: Default::default() }, self.pos);

        let product = self.read(&product);
        let inverse = self.op(Op::Rcp, &[product]);
        let negative = self.op(Op::Lt, &[n, zero]);
        self.select(negative, inverse, product)
    }

    /// A function of `precise_math`, by its name for `f64`.
    pub(super) fn library(&mut self, name: &'static str, args: &[ValueId]) -> ValueId {
        let single = if self.scalar == Scalar::F32 { "f" } else { "" };
        let args: Vec<_> = args.iter().map(|&arg| CallArgument::Value(arg)).collect();
        let Some(function) = link(self.b, &format!("precise_math::{name}{single}")) else {
            unreachable!("`precise_math` has `{name}{single}`: a test builds every method")
        };
        self.b.value(InstKind::Call { function, args }, self.pos)
    }

    /// The components of a vector of two.
    pub(super) fn components(&mut self, pair: ValueId) -> Vec<ValueId> {
        let each = |i| self.b.value(InstKind::Swizzle { value: pair, components: vec![i] }, self.pos);
        (0..2).map(each).collect()
    }

    /// The logarithm of `x` to a base, with std's steps.
    pub(super) fn log(&mut self, x: ValueId, base: ValueId) -> ValueId {
        let (x, base) = (self.library("log", &[x]), self.library("log", &[base]));
        self.op(Op::Div, &[x, base])
    }

    /// A local variable with an initial value.
    fn variable(&mut self, name: &str, data: Data, value: ValueId) -> Place {
        let ty = self.b.types().data(data);
        let local = self.b.local(name, ty);
        self.b.emit(InstKind::Declare { local, init: Init::Value(value) }, self.pos);
        Place { root: Root::Local(local), path: Vec::new() }
    }

    fn read(&mut self, place: &Place) -> ValueId {
        self.b.load(place.clone(), self.pos)
    }

    fn write(&mut self, place: &Place, value: ValueId) {
        self.b.emit(InstKind::Store { place: place.clone(), value }, self.pos);
    }
}
