//! The relation "one rank above", with one row per rank, as stable Rust has no arithmetic on const
//! parameters.

use super::subscript::Subscript;
use super::{Access, ArrayView};
use crate::Int;
use crate::api::element::Element;

/// The rank of a projection: `Rank<N>: Above<{N - 1}>`, for `N` up to 128.
///
/// ```
/// use tilewise::{Above, ArrayView, Rank, Result};
/// fn first_row<const N: usize, const M: usize>(view: &ArrayView<'_, i32, N>) -> Result<Vec<i32>>
/// where
///     Rank<N>: Above<M>,
/// {
///     view.project::<M>(0).to_vec()
/// }
/// let cube = ArrayView::from_vec((2, 2, 2), (0..8).collect())?;
/// assert_eq!(first_row::<3, 2>(&cube)?, [0, 1, 2, 3]);
/// # Ok::<(), tilewise::Error>(())
/// ```
#[derive(Debug)]
pub struct Rank<const N: usize>;

/// `Rank<N>` is one above rank `M`.
///
/// ```
/// use tilewise::{Above, ArrayView, Extent, Rank};
/// fn inner<const N: usize, const M: usize>(view: &ArrayView<'_, f32, N>) -> Extent<M>
/// where
///     Rank<N>: Above<M>,
/// {
///     view.project::<M>(0).extent()
/// }
/// assert_eq!(inner(&ArrayView::from_vec((2, 5), vec![0.0; 10])?), Extent([5]));
/// # Ok::<(), tilewise::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "a row of this view does not have that rank",
    note = "`project` gives one rank less, and at least 1"
)]
pub trait Above<const M: usize> {}

macro_rules! ranks {
    ($($n:literal above $m:literal)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Above<$m> for Rank<$n> {}

        // A single integer is a position in rank 1 only; in all others it selects a row.
        #[diagnostic::do_not_recommend]
        impl<'a, T: Element, A: Access, I: Int> Subscript<'a, T, $n, A> for I {
            type Out = ArrayView<'a, T, $m, A>;

            #[inline]
            #[track_caller]
            fn read_of(self, view: &ArrayView<'a, T, $n, A>) -> Self::Out {
                view.project(self)
            }

            fn put_back_into(self, _: &ArrayView<'a, T, $n, A>, _: Self::Out) {}
        }
    )*};
}

#[rustfmt::skip]
ranks! {
    2 above 1 3 above 2 4 above 3 5 above 4 6 above 5 7 above 6 8 above 7 9 above 8
    10 above 9 11 above 10 12 above 11 13 above 12 14 above 13 15 above 14 16 above 15 17 above 16
    18 above 17 19 above 18 20 above 19 21 above 20 22 above 21 23 above 22 24 above 23 25 above 24
    26 above 25 27 above 26 28 above 27 29 above 28 30 above 29 31 above 30 32 above 31 33 above 32
    34 above 33 35 above 34 36 above 35 37 above 36 38 above 37 39 above 38 40 above 39 41 above 40
    42 above 41 43 above 42 44 above 43 45 above 44 46 above 45 47 above 46 48 above 47 49 above 48
    50 above 49 51 above 50 52 above 51 53 above 52 54 above 53 55 above 54 56 above 55 57 above 56
    58 above 57 59 above 58 60 above 59 61 above 60 62 above 61 63 above 62 64 above 63 65 above 64
    66 above 65 67 above 66 68 above 67 69 above 68 70 above 69 71 above 70 72 above 71 73 above 72
    74 above 73 75 above 74 76 above 75 77 above 76 78 above 77 79 above 78 80 above 79 81 above 80
    82 above 81 83 above 82 84 above 83 85 above 84 86 above 85 87 above 86 88 above 87 89 above 88
    90 above 89 91 above 90 92 above 91 93 above 92 94 above 93 95 above 94 96 above 95 97 above 96
    98 above 97 99 above 98 100 above 99 101 above 100 102 above 101 103 above 102 104 above 103 105 above 104
    106 above 105 107 above 106 108 above 107 109 above 108 110 above 109 111 above 110 112 above 111 113 above 112
    114 above 113 115 above 114 116 above 115 117 above 116 118 above 117 119 above 118 120 above 119 121 above 120
    122 above 121 123 above 122 124 above 123 125 above 124 126 above 125 127 above 126 128 above 127
}
