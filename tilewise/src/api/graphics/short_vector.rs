//! Short vectors as types that depend on a scalar and a length: C++ AMP's `short_vector` and
//! `short_vector_traits`.

use super::{Norm, Norm2, Norm3, Norm4, Unorm, Unorm2, Unorm3, Unorm4};
use crate::api::vector::{Double2, Double3, Double4, Float2, Float3, Float4, Int2, Int3, Int4, UInt2, UInt3, UInt4};

/// A short vector, or a scalar, which is a vector of one: C++ AMP's `short_vector_traits`.
///
/// ```
/// use tilewise::graphics::ShortVectorTraits;
/// use tilewise::vector::Float3;
/// fn bytes_of_a_texel<V: ShortVectorTraits>() -> usize {
///     V::SIZE * size_of::<V::Scalar>()
/// }
/// assert_eq!(bytes_of_a_texel::<Float3>(), 12);
/// assert_eq!(bytes_of_a_texel::<f64>(), 8);
/// ```
#[doc(alias = "short_vector_traits")]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a short vector nor the scalar of one",
    label = "no short vector",
    note = "short vectors are `Int2` to `Int4`, and those of `UInt`, `Float`, `Double`, `Norm` and `Unorm`; their scalars `i32`, `u32`, `f32`, `f64`, `Norm` and `Unorm` are vectors of one"
)]
pub trait ShortVectorTraits: Copy {
    /// The type of the components; of a scalar, the scalar itself.
    #[doc(alias = "value_type")]
    type Scalar: ShortVectorTraits;
    /// The number of components.
    const SIZE: usize;
}

/// A scalar of which there is a short vector of `N` components: `i32`, `u32`, `f32`, `f64`, `Norm`
/// and `Unorm`, with 1 to 4. [`ShortVector`] names the vector.
#[diagnostic::on_unimplemented(
    message = "there is no short vector of {N} `{Self}`",
    label = "no short vector has these components",
    note = "short vectors have 1 to 4 components of `i32`, `u32`, `f32`, `f64`, `Norm` or `Unorm`; one component is the scalar itself"
)]
pub trait ShortVectorScalar<const N: usize> {
    /// The vector; of one component, the scalar itself.
    type Vector: ShortVectorTraits<Scalar = Self>;
}

/// The short vector of `N` components of type `T`: C++ AMP's `short_vector<T, N>::type`.
///
/// ```
/// use tilewise::graphics::{ShortVector, Unorm, Unorm4};
/// let color: ShortVector<Unorm, 4> = Unorm4::ONE;
/// let red: ShortVector<Unorm, 1> = color.r();
/// assert_eq!(red, Unorm::MAX);
/// ```
#[doc(alias = "short_vector")]
pub type ShortVector<T, const N: usize> = <T as ShortVectorScalar<N>>::Vector;

macro_rules! families {
    ($($scalar:ident $two:ident $three:ident $four:ident;)*) => {$(
        families!(@ $scalar: $scalar 1, $two 2, $three 3, $four 4);
    )*};
    (@ $scalar:ident: $($vector:ident $n:literal),*) => {$(
        #[diagnostic::do_not_recommend]
        impl ShortVectorTraits for $vector {
            type Scalar = $scalar;
            const SIZE: usize = $n;
        }

        #[diagnostic::do_not_recommend]
        impl ShortVectorScalar<$n> for $scalar {
            type Vector = $vector;
        }
    )*};
}

families! {
    i32 Int2 Int3 Int4;
    u32 UInt2 UInt3 UInt4;
    f32 Float2 Float3 Float4;
    f64 Double2 Double3 Double4;
    Norm Norm2 Norm3 Norm4;
    Unorm Unorm2 Unorm3 Unorm4;
}
