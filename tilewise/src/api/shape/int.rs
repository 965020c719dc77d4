//! The integers accepted as positions and lengths.

use crate::kernel::types::KernelType;

/// The integers accepted as positions and lengths: `i8` to `i64`, `u8` to `u64`, `isize`, `usize`.
/// Sealed.
///
/// ```
/// use tilewise::{ArrayView, Int, Result};
/// fn at<I: Int>(view: &ArrayView<'_, u32>, index: I) -> Result<u32> {
///     view.get(index)
/// }
/// let codes = ArrayView::from_vec(3, vec![65, 66, 67])?;
/// assert_eq!(at(&codes, 2u8)?, at(&codes, 2i64)?);
/// assert!(at(&codes, -1).is_err());
/// # Ok::<(), tilewise::Error>(())
/// ```
#[diagnostic::on_unimplemented(message = "`{Self}` is not an integer that can be used as an index or a length")]
pub trait Int: KernelType + Copy + 'static + sealed::Sealed {
    /// Its value, if it fits 32 bits.
    #[doc(hidden)]
    fn to_i32(self) -> Option<i32>;
    /// Its value.
    #[doc(hidden)]
    fn wide(self) -> i128;
    /// The component of an index that a kernel makes of it.
    #[doc(hidden)]
    fn in_a_kernel(self) -> i32;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! ints {
    ($($t:ident)*; |$number:ident| $in_a_kernel:expr) => {$(
        impl sealed::Sealed for $t {}

        impl Int for $t {
            #[inline(always)]
            fn to_i32(self) -> Option<i32> {
                i32::try_from(self).ok()
            }

            fn wide(self) -> i128 {
                self as i128
            }

            fn in_a_kernel(self) -> i32 {
                let $number = self;
                $in_a_kernel
            }
        }
    )*};
}

// `isize` and `usize` have 32 bits in a kernel.
ints!(i8 i16 i32 u8 u16 u32 isize usize; |number| number as i32);
ints!(i64 u64; |number| number.wide().clamp(i128::from(i32::MIN), i128::from(i32::MAX)) as i32);
