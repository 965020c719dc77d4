//! Operations on scalar constants of SPIR-V. Where SPIR-V says nothing (a divisor of zero, a shift by too many bits),
//! they are what they are in kernels.

use spirv::Op;

use crate::spirv::types::PlainType;

/// A type of integers; conditions are integers of one bit. Floats have their bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ScalarType {
    pub(crate) width: u32,
    pub(crate) is_signed: bool,
}

impl ScalarType {
    /// Nothing of a vector, or of a width that SPIR-V has not.
    pub(crate) fn of(plain: PlainType) -> Option<ScalarType> {
        match plain {
            PlainType::Bool => Some(ScalarType { width: 1, is_signed: false }),
            PlainType::Int { width: width @ (8 | 16 | 32 | 64), is_signed } => Some(ScalarType { width, is_signed }),
            PlainType::Float { width: width @ (16 | 32 | 64) } => Some(ScalarType { width, is_signed: false }),
            PlainType::Int { .. } | PlainType::Float { .. } | PlainType::Vector { .. } => None,
        }
    }

    /// The bits of the type alone.
    fn cut(self, bits: u64) -> u64 {
        if self.width == 64 { bits } else { bits & ((1 << self.width) - 1) }
    }

    /// As a signed number.
    fn signed(self, bits: u64) -> i64 {
        (bits << (64 - self.width)) as i64 >> (64 - self.width)
    }

    /// The bits with the sign before them, as words of SPIR-V have it, if the type is signed.
    pub(crate) fn extended(self, bits: u64) -> u64 {
        if self.is_signed { self.signed(bits) as u64 } else { self.cut(bits) }
    }
}

/// The bits of a result of type `ty`; nothing of an operation that is not known here.
pub(crate) fn folded(opcode: u32, ty: ScalarType, operands: &[(u64, ScalarType)]) -> Option<u64> {
    let is = |other: Op| opcode == other as u32;
    let &[(a, of), ref others @ ..] = operands else { return None };
    let signed = of.signed(a);
    let plain = of.cut(a);
    let result = match *others {
        [] => match () {
            () if is(Op::SNegate) => signed.wrapping_neg() as u64,
            () if is(Op::Not) => !a,
            () if is(Op::LogicalNot) => u64::from(plain == 0),
            () if is(Op::UConvert) => plain,
            () if is(Op::SConvert) => signed as u64,
            () if is(Op::Bitcast) && of.width == ty.width => plain,
            () => return None,
        },
        [(yes, _), (no, _)] if is(Op::Select) => {
            if plain == 0 {
                no
            } else {
                yes
            }
        }
        [(b, by)] => {
            let (other_signed, other) = (by.signed(b), by.cut(b));
            // A shift by as many bits or more goes around, as in kernels.
            let distance = (other % u64::from(of.width.max(1))) as u32;
            match () {
                () if is(Op::IAdd) => a.wrapping_add(b),
                () if is(Op::ISub) => a.wrapping_sub(b),
                () if is(Op::IMul) => a.wrapping_mul(b),
                () if is(Op::UDiv) => plain.checked_div(other).unwrap_or(plain),
                () if is(Op::UMod) => plain.checked_rem(other).unwrap_or(0),
                () if is(Op::SDiv) => match other_signed {
                    0 => signed as u64,
                    divisor => signed.wrapping_div(divisor) as u64,
                },
                () if is(Op::SRem) => remainder(signed, other_signed) as u64,
                () if is(Op::SMod) => {
                    // Its sign is that of the divisor.
                    let rest = remainder(signed, other_signed);
                    let is_other = rest != 0 && (rest < 0) != (other_signed < 0);
                    (if is_other { rest.wrapping_add(other_signed) } else { rest }) as u64
                }
                () if is(Op::ShiftLeftLogical) => a << distance,
                () if is(Op::ShiftRightLogical) => plain >> distance,
                () if is(Op::ShiftRightArithmetic) => (signed >> distance) as u64,
                () if is(Op::BitwiseAnd) || is(Op::LogicalAnd) => a & b,
                () if is(Op::BitwiseOr) || is(Op::LogicalOr) => a | b,
                () if is(Op::BitwiseXor) => a ^ b,
                () if is(Op::IEqual) || is(Op::LogicalEqual) => u64::from(plain == other),
                () if is(Op::INotEqual) || is(Op::LogicalNotEqual) => u64::from(plain != other),
                () if is(Op::UGreaterThan) => u64::from(plain > other),
                () if is(Op::UGreaterThanEqual) => u64::from(plain >= other),
                () if is(Op::ULessThan) => u64::from(plain < other),
                () if is(Op::ULessThanEqual) => u64::from(plain <= other),
                () if is(Op::SGreaterThan) => u64::from(signed > other_signed),
                () if is(Op::SGreaterThanEqual) => u64::from(signed >= other_signed),
                () if is(Op::SLessThan) => u64::from(signed < other_signed),
                () if is(Op::SLessThanEqual) => u64::from(signed <= other_signed),
                () => return None,
            }
        }
        _ => return None,
    };
    Some(ty.cut(result))
}

/// The remainder with the sign of the dividend; 0 of a division by 0.
fn remainder(a: i64, b: i64) -> i64 {
    if b == 0 { 0 } else { a.wrapping_rem(b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UINT: ScalarType = ScalarType { width: 32, is_signed: false };
    const BOOL: ScalarType = ScalarType { width: 1, is_signed: false };
    const BYTE: ScalarType = ScalarType { width: 8, is_signed: true };

    fn of(op: Op, ty: ScalarType, operands: &[u64], operand: ScalarType) -> Option<u64> {
        let operands: Vec<(u64, ScalarType)> = operands.iter().map(|&bits| (bits, operand)).collect();
        folded(op as u32, ty, &operands)
    }

    #[test]
    fn comparisons_and_conditions() {
        for (op, of_three, of_four) in [
            (Op::IEqual, 1, 0),
            (Op::INotEqual, 0, 1),
            (Op::UGreaterThan, 0, 1),
            (Op::UGreaterThanEqual, 1, 1),
            (Op::ULessThan, 0, 0),
            (Op::ULessThanEqual, 1, 0),
            (Op::SGreaterThan, 0, 1),
            (Op::SGreaterThanEqual, 1, 1),
            (Op::SLessThan, 0, 0),
            (Op::SLessThanEqual, 1, 0),
        ] {
            let with = |x| of(op, BOOL, &[x, 3], UINT);
            assert_eq!((with(3), with(4)), (Some(of_three), Some(of_four)), "{op:?}");
        }
        let minus = 0xffff_fffe;
        assert_eq!(of(Op::SLessThan, BOOL, &[minus, 3], UINT), Some(1));
        assert_eq!(of(Op::ULessThan, BOOL, &[minus, 3], UINT), Some(0));
        let logical = [Op::LogicalAnd, Op::LogicalOr, Op::LogicalEqual, Op::LogicalNotEqual];
        assert_eq!(logical.map(|op| of(op, BOOL, &[1, 0], BOOL)), [Some(0), Some(1), Some(0), Some(1)]);
        assert_eq!(of(Op::LogicalNot, BOOL, &[1], BOOL), Some(0));
        assert_eq!(of(Op::Select, BOOL, &[0, 1, 0], BOOL), Some(0));
        assert_eq!(folded(Op::Select as u32, UINT, &[(1, BOOL), (7, UINT), (8, UINT)]), Some(7));
    }

    #[test]
    fn quotients_remainders_and_shifts_as_in_kernels() {
        let minus = 0xffff_fffe;
        let of = |op, a, b| of(op, UINT, &[a, b], UINT).unwrap();
        // The sign of the remainder is that of the divisor, or of the dividend.
        assert_eq!((of(Op::SMod, minus, 3), of(Op::SRem, minus, 3)), (1, 0xffff_fffe));
        assert_eq!((of(Op::SMod, 3, minus), of(Op::SRem, 3, minus)), (0xffff_ffff, 1));
        assert_eq!((of(Op::SMod, 4, minus), of(Op::SMod, minus, minus)), (0, 0));
        assert_eq!(
            (of(Op::UDiv, 7, 0), of(Op::UMod, 7, 0), of(Op::SDiv, minus, 0), of(Op::SMod, 7, 0)),
            (7, 0, minus, 0)
        );
        assert_eq!((of(Op::SDiv, 1 << 31, 0xffff_ffff), of(Op::SRem, 1 << 31, 0xffff_ffff)), (1 << 31, 0));
        assert_eq!((of(Op::IMul, 1 << 31, 3), of(Op::ISub, 1, 2)), (1 << 31, 0xffff_ffff));
        assert_eq!((of(Op::ShiftLeftLogical, 3, 31), of(Op::ShiftRightArithmetic, minus, 1)), (1 << 31, 0xffff_ffff));
        assert_eq!(of(Op::ShiftRightLogical, minus, 33), 0x7fff_ffff);
    }

    #[test]
    fn widths() {
        assert_eq!(of(Op::SConvert, UINT, &[0x80], BYTE), Some(0xffff_ff80));
        assert_eq!(of(Op::UConvert, UINT, &[0xffff_ff80], BYTE), Some(0x80));
        assert_eq!(of(Op::IAdd, BYTE, &[0x7f, 1], BYTE), Some(0x80));
        assert_eq!(BYTE.extended(0x80), 0xffff_ffff_ffff_ff80);
        let long = ScalarType { width: 64, is_signed: true };
        assert_eq!(of(Op::SNegate, long, &[1], long), Some(u64::MAX));
        assert_eq!(of(Op::FAdd, UINT, &[1, 2], UINT), None);
    }
}
