//! Arithmetic on one component, for what is computed component by component: indices, extents, short vectors. It means on the host what it means in a kernel: integers wrap,
//! `x / 0` is `x`, `x % 0` is 0, `MIN / -1` is `MIN`, and a shift takes its amount modulo the width. The operators themselves are with their types.

/// A number with the arithmetic of the kernel language.
pub(crate) trait Arithmetic: Copy {
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn over(self, other: Self) -> Self;
    fn modulo(self, other: Self) -> Self;
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
    )*};
}

integers!(i32 u32);
