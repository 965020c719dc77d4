//! Arithmetic on one component, for componentwise types: indices, extents, short vectors. It has
//! the same meaning on the host and in a kernel: integers wrap, `x / 0` is `x`, `x % 0` is 0,
//! `MIN / -1` is `MIN`, a shift takes its amount modulo the width. The operators themselves are
//! with their types, and the methods of numbers in [`numbers`](crate::kernel::numbers).

/// A number with the arithmetic of the kernel language.
pub(crate) trait Arithmetic: Copy {
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn over(self, other: Self) -> Self;
    fn modulo(self, other: Self) -> Self;
}

/// A number that may be negative.
pub(crate) trait Signed: Copy {
    fn negated(self) -> Self;
}

/// An integer as a bit string.
pub(crate) trait IntegerBits: Copy {
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn inverted(self) -> Self;
    /// Shift left; only the low bits of `amount` apply.
    fn up(self, amount: Self) -> Self;
    /// Shift right; only the low bits of `amount` apply.
    fn down(self, amount: Self) -> Self;
}

macro_rules! integers {
    ($($t:ident)*) => {$(
        impl Arithmetic for $t {
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn times(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            #[inline(always)]
            fn over(self, other: Self) -> Self {
                if other == 0 { self } else { self.wrapping_div(other) }
            }
            #[inline(always)]
            fn modulo(self, other: Self) -> Self {
                if other == 0 { 0 } else { self.wrapping_rem(other) }
            }
        }

        impl IntegerBits for $t {
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                self & other
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self | other
            }
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                self ^ other
            }
            #[inline(always)]
            fn inverted(self) -> Self {
                !self
            }
            #[inline(always)]
            fn up(self, amount: Self) -> Self {
                self.wrapping_shl(amount as u32)
            }
            #[inline(always)]
            fn down(self, amount: Self) -> Self {
                self.wrapping_shr(amount as u32)
            }
        }
    )*};
}

integers!(i32 u32);

macro_rules! floats {
    ($($t:ident)*) => {$(
        impl Arithmetic for $t {
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self + other
            }
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self - other
            }
            #[inline(always)]
            fn times(self, other: Self) -> Self {
                self * other
            }
            #[inline(always)]
            fn over(self, other: Self) -> Self {
                self / other
            }
            #[inline(always)]
            fn modulo(self, other: Self) -> Self {
                self % other
            }
        }

        impl Signed for $t {
            #[inline(always)]
            fn negated(self) -> Self {
                -self
            }
        }
    )*};
}

floats!(f32 f64);

impl Signed for i32 {
    #[inline(always)]
    fn negated(self) -> Self {
        self.wrapping_neg()
    }
}
