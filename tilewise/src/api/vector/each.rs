//! Componentwise methods.

use super::{Double2, Double3, Double4, Float2, Float3, Float4, Int2, Int3, Int4, UInt2, UInt3, UInt4};
use crate::kernel::companions::{both, marks};
use crate::kernel::macro_support::{Op, RustBuiltin};
use crate::kernel::numbers::Numbers;

macro_rules! order {
    ($($name:ident $t:ident $scalar:ident $n:literal $alias:literal ($($c:ident $i:literal),*);)*) => {$(
        impl $name {
            both! {
                /// The smaller of each two components; if one is NaN, the other.
                pub fn min[min_marked_amp: mark::Min](self, other: $name) -> $name {
                    $name { $($c: Numbers::min(self.$c, other.$c)),* }
                }

                /// The larger of each two components; if one is NaN, the other.
                pub fn max[max_marked_amp: mark::Max](self, other: $name) -> $name {
                    $name { $($c: Numbers::max(self.$c, other.$c)),* }
                }

                /// Each component clamped to two bounds: `self.max(low).min(high)`, also when `low`
                /// is above `high`.
                pub fn clamp[clamp_marked_amp: mark::Clamp](self, low: $name, high: $name) -> $name {
                    self.max(low).min(high)
                }
            }
        }
    )*};
}

vectors!(order: all);

/// Absolute values as vectors have them, on the host too: that of the least integer wraps, where the
/// method of a number panics as in Rust.
trait Magnitude {
    fn magnitude(self) -> Self;
}

impl Magnitude for i32 {
    #[inline(always)]
    fn magnitude(self) -> i32 {
        self.wrapping_abs()
    }
}

impl Magnitude for f32 {
    #[inline(always)]
    fn magnitude(self) -> f32 {
        self.abs()
    }
}

impl Magnitude for f64 {
    #[inline(always)]
    fn magnitude(self) -> f64 {
        self.abs()
    }
}

macro_rules! sizes {
    ($($name:ident $t:ident $scalar:ident $n:literal $alias:literal ($($c:ident $i:literal),*);)*) => {$(
        impl $name {
            both! {
                /// The absolute value of each component; `i32::MIN` is unchanged.
                pub fn abs[abs_marked_amp: mark::Abs](self) -> $name {
                    $name { $($c: Magnitude::magnitude(self.$c)),* }
                }
            }
        }
    )*};
}

vectors!(sizes: signed);

pub(crate) mod mark {
    //! The kernel operations of the companions.

    use super::{Op, RustBuiltin, marks};

    marks! {
        /// `min`
        Min => RustBuiltin::Op(Op::Min);
        /// `max`
        Max => RustBuiltin::Op(Op::Max);
        /// `clamp`
        Clamp => RustBuiltin::Op(Op::Clamp);
        /// `abs`
        Abs => RustBuiltin::Op(Op::Abs);
    }
}
