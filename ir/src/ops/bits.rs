//! Conversion between bit patterns and Rust values, and arithmetic that rows share.

/// A scalar that is represented as the bits of a component.
pub trait ScalarBits: Copy {
    /// From the low bits of a component.
    fn from_bits(bits: u64) -> Self;
    /// To a component, zero-extended.
    fn to_bits(self) -> u64;
}

macro_rules! bits {
    ($($ty:ty, $from:expr, $to:expr;)*) => {$(
        impl ScalarBits for $ty {
            fn from_bits(bits: u64) -> Self {
                let from: fn(u64) -> $ty = $from;
                from(bits)
            }
            fn to_bits(self) -> u64 {
                let to: fn($ty) -> u64 = $to;
                to(self)
            }
        }
    )*};
}

bits! {
    bool, |b| b & 1 != 0, u64::from;
    i32, |b| b as u32 as i32, |v| u64::from(v as u32);
    u32, |b| b as u32, u64::from;
    i64, |b| b as i64, |v| v as u64;
    u64, |b| b, |v| v;
    f32, |b| f32::from_bits(b as u32), |v| u64::from(v.to_bits());
    f64, f64::from_bits, f64::to_bits;
}

/// Arithmetic that is written the same for integers (wrapping) and floats.
pub(super) trait Number: ScalarBits + Default {
    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
}

macro_rules! number {
    (int: $($int:ty)*; float: $($float:ty)*) => {
        $(impl Number for $int {
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            fn times(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
        })*
        $(impl Number for $float {
            fn plus(self, other: Self) -> Self {
                self + other
            }
            fn times(self, other: Self) -> Self {
                self * other
            }
        })*
    };
}

number!(int: i32 u32 i64 u64; float: f32 f64);

/// The sum of products of the first `n` components, in order, each step rounded.
pub(super) fn dot<T: Number>(a: [T; 4], b: [T; 4], n: usize) -> T {
    (1..n).fold(a[0].times(b[0]), |sum, i| sum.plus(a[i].times(b[i])))
}

/// Applies `f` to each of the first `n` components; the rest are zero.
pub(super) fn each<R: ScalarBits + Default>(n: usize, f: impl Fn(usize) -> R) -> [R; 4] {
    std::array::from_fn(|i| if i < n { f(i) } else { R::default() })
}

/// A value of one component.
pub(super) fn one<R: ScalarBits + Default>(value: R) -> [R; 4] {
    [value, R::default(), R::default(), R::default()]
}
