//! Fast implementations of the most common scalar operations, which save the loop an indirect call.
//! The rows of the op table remain their definition: a test compares both on edge cases.

use tilewise_ir::ops::{Op, ScalarBits};
use tilewise_ir::types::Scalar;

/// Converts arguments from bits to a type.
macro_rules! typed {
    ($ty:ty, ($($arg:ident),+)) => { $(let $arg = <$ty as ScalarBits>::from_bits($arg);)+ };
}

macro_rules! direct {
    (
        $(#[$doc:meta])* $name:ident ($($arg:ident),+) $args:tt;
        $($variant:ident = $op:ident $scalar:ident ($ty:ty) $body:expr;)*
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(super) enum $name { $($variant,)* }

        impl $name {
            /// The fast implementation of an operation, if it has one.
            pub(super) fn of(op: Op, scalar: Scalar) -> Option<$name> {
                match (op, scalar) {
                    $((Op::$op, Scalar::$scalar) => Some($name::$variant),)*
                    _ => None,
                }
            }

            /// Its result.
            #[inline(always)]
            pub(super) fn apply(self, $($arg: u64),+) -> u64 {
                match self {
                    $($name::$variant => {
                        typed!($ty, $args);
                        ScalarBits::to_bits($body)
                    })*
                }
            }
        }
    };
}

direct! {
    /// Operations of two arguments.
    Binary (a, b) (a, b);
    AddI32 = Add I32 (u32) a.wrapping_add(b);
    AddU32 = Add U32 (u32) a.wrapping_add(b);
    AddU64 = Add U64 (u64) a.wrapping_add(b);
    AddI64 = Add I64 (u64) a.wrapping_add(b);
    AddF32 = Add F32 (f32) a + b;
    AddF64 = Add F64 (f64) a + b;
    SubI32 = Sub I32 (u32) a.wrapping_sub(b);
    SubU32 = Sub U32 (u32) a.wrapping_sub(b);
    SubF32 = Sub F32 (f32) a - b;
    SubF64 = Sub F64 (f64) a - b;
    MulI32 = Mul I32 (u32) a.wrapping_mul(b);
    MulU32 = Mul U32 (u32) a.wrapping_mul(b);
    MulU64 = Mul U64 (u64) a.wrapping_mul(b);
    MulI64 = Mul I64 (u64) a.wrapping_mul(b);
    MulF32 = Mul F32 (f32) a * b;
    MulF64 = Mul F64 (f64) a * b;
    DivF32 = Div F32 (f32) a / b;
    DivF64 = Div F64 (f64) a / b;
    EqI32 = Eq I32 (u32) a == b;
    EqU32 = Eq U32 (u32) a == b;
    EqF32 = Eq F32 (f32) a == b;
    NeI32 = Ne I32 (u32) a != b;
    NeU32 = Ne U32 (u32) a != b;
    LtI32 = Lt I32 (i32) a < b;
    LtU32 = Lt U32 (u32) a < b;
    LtF32 = Lt F32 (f32) a < b;
    LtF64 = Lt F64 (f64) a < b;
    LeI32 = Le I32 (i32) a <= b;
    LeU32 = Le U32 (u32) a <= b;
    LeF32 = Le F32 (f32) a <= b;
    GtI32 = Gt I32 (i32) a > b;
    GtU32 = Gt U32 (u32) a > b;
    GtF32 = Gt F32 (f32) a > b;
    GeI32 = Ge I32 (i32) a >= b;
    GeU32 = Ge U32 (u32) a >= b;
    GeF32 = Ge F32 (f32) a >= b;
    AndBool = And Bool (bool) a & b;
    AndI32 = And I32 (u32) a & b;
    AndU32 = And U32 (u32) a & b;
    OrBool = Or Bool (bool) a | b;
    OrI32 = Or I32 (u32) a | b;
    OrU32 = Or U32 (u32) a | b;
    XorI32 = Xor I32 (u32) a ^ b;
    XorU32 = Xor U32 (u32) a ^ b;
    ShlI32 = Shl I32 (u32) a.wrapping_shl(b);
    ShlU32 = Shl U32 (u32) a.wrapping_shl(b);
    ShrU32 = Shr U32 (u32) a.wrapping_shr(b);
}

direct! {
    /// Operations of one argument.
    Unary (x) (x);
    NegI32 = Neg I32 (i32) x.wrapping_neg();
    NegF32 = Neg F32 (f32) -x;
    AbsF32 = Abs F32 (f32) x.abs();
    NotBool = Not Bool (bool) !x;
    SqrtF32 = Sqrt F32 (f32) x.sqrt();
    IntToU32 = ToU32 I32 (u32) x;
    UintToI32 = ToI32 U32 (u32) x;
    IntToF32 = ToF32 I32 (i32) x as f32;
    UintToF32 = ToF32 U32 (u32) x as f32;
    FloatToI32 = ToI32 F32 (f32) x as i32;
    FloatToU32 = ToU32 F32 (f32) x as u32;
    BitsOfF32 = BitcastU32 F32 (u32) x;
    SignedBitsOfF32 = BitcastI32 F32 (u32) x;
    F32OfBits = BitcastF32 U32 (u32) x;
    F32OfSignedBits = BitcastF32 I32 (u32) x;
}

#[cfg(test)]
mod tests {
    use super::*;

    const EDGES: [u64; 16] = [
        0,
        1,
        2,
        31,
        32,
        0x7f80_0000,
        0x7fc0_0000,
        0x7fff_ffff,
        0x8000_0000,
        0x8000_0001,
        0x3f80_0000,
        0xbf80_0000,
        0xffff_ffff,
        0x7ff0_0000_0000_0000,
        0x8000_0000_0000_0000,
        0x3ff0_0000_0000_0001,
    ];

    fn same(scalar: Scalar, a: u64, b: u64) -> bool {
        let nan = |x: u64| match scalar {
            Scalar::F32 => f32::from_bits(x as u32).is_nan(),
            Scalar::F64 => f64::from_bits(x).is_nan(),
            _ => false,
        };
        a == b || nan(a) && nan(b)
    }

    #[test]
    fn the_direct_way_gives_what_the_row_gives() {
        let mut compared = 0;
        for row in Op::ROWS {
            for &scalar in row.class {
                let (unary, binary) = (Unary::of(row.op, scalar), Binary::of(row.op, scalar));
                let Some(each) = row.op.each(scalar) else { continue };
                let result = match row.result.scalar {
                    tilewise_ir::ops::SlotScalar::T => scalar,
                    tilewise_ir::ops::SlotScalar::Fixed(fixed) => fixed,
                };
                let mask = match scalar.bits() {
                    64 => u64::MAX,
                    n => (1 << n) - 1,
                };
                for a in EDGES.map(|x| x & mask) {
                    if let Some(unary) = unary {
                        assert_eq!(row.args.len(), 1, "{}", row.name);
                        assert!(same(result, unary.apply(a), each([a, 0, 0, 0])), "{}({a:#x})", row.name);
                        compared += 1;
                    }
                    for b in EDGES.map(|x| x & mask) {
                        if let Some(binary) = binary {
                            assert_eq!(row.args.len(), 2, "{}", row.name);
                            assert!(
                                same(result, binary.apply(a, b), each([a, b, 0, 0])),
                                "{}({a:#x}, {b:#x})",
                                row.name
                            );
                            compared += 1;
                        }
                    }
                }
            }
        }
        assert!(compared > 10_000);
    }
}
