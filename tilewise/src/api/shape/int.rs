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
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! ints {
    ($($t:ident)*) => {$(
        impl sealed::Sealed for $t {}

        impl Int for $t {
            #[inline(always)]
            fn to_i32(self) -> Option<i32> {
                i32::try_from(self).ok()
            }

            fn wide(self) -> i128 {
                self as i128
            }
        }
    )*};
}

ints!(i8 i16 i32 i64 u8 u16 u32 u64 isize usize);
