//! [`HostTexel`]: what a slice of the host holds, texels or their bytes; conversions of slices.

use std::any::TypeId;
use std::borrow::Cow;

use bytemuck::{Zeroable, cast_slice, cast_slice_mut, try_cast_slice};

use crate::api::copy::make_room;
use crate::api::error::{Error, Result};
use crate::api::graphics::texture::{StoredAs, Texel, TexelBits, decoded, encoded};
use crate::api::view::Access;
use crate::{ArrayView, Element, Extent, copy as copy_elements};

use super::other_count;

/// An item of a slice that is copied to or from a texture of `T`: a texel `T`, or a byte `u8` of
/// the stored texels. Sealed.
///
/// ```
/// use tilewise::Result;
/// use tilewise::graphics::{Bits8, HostTexel, Texture, copy};
/// fn made<U: HostTexel<u32, Bits8>>(of: &[U]) -> Result<Vec<u32>> {
///     let texture = Texture::<u32, 1, Bits8>::new(2)?;
///     copy(of, &texture)?;
///     texture.to_vec()
/// }
/// assert_eq!(made(&[1000u32, 7])?, [255, 7]);
/// assert_eq!(made(&[8u8, 7])?, [8, 7]);
/// # Ok::<(), tilewise::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "a slice of `{Self}` has neither texels `{T}` nor bytes",
    label = "not texels of that texture",
    note = "the items are `{T}`, or `u8` for the bytes of stored texels"
)]
pub trait HostTexel<T, B>: Element {
    /// A slice of it.
    #[doc(hidden)]
    fn slice(of: &[Self]) -> HostSlice<'_, T>;
    /// A slice of it, to write.
    #[doc(hidden)]
    fn slice_mut(of: &mut [Self]) -> HostSliceMut<'_, T>;
    /// The number of items for so many texels.
    #[doc(hidden)]
    fn count(texels: u64) -> u64;
}

impl<T: Texel + StoredAs<B>, B: TexelBits> HostTexel<T, B> for T {
    fn slice(of: &[T]) -> HostSlice<'_, T> {
        HostSlice::Texels(of)
    }

    fn slice_mut(of: &mut [T]) -> HostSliceMut<'_, T> {
        HostSliceMut::Texels(of)
    }

    fn count(texels: u64) -> u64 {
        texels
    }
}

impl<T: Texel + StoredAs<B>, B: TexelBits> HostTexel<T, B> for u8 {
    fn slice(of: &[u8]) -> HostSlice<'_, T> {
        HostSlice::Bytes(of)
    }

    fn slice_mut(of: &mut [u8]) -> HostSliceMut<'_, T> {
        HostSliceMut::Bytes(of)
    }

    fn count(texels: u64) -> u64 {
        texels.saturating_mul(size::<T, B>())
    }
}

/// Bytes of a stored texel.
fn size<T: StoredAs<B>, B: TexelBits>() -> u64 {
    size_of::<T::Stored>() as u64
}

/// Whether texels are stored as they are. A format whose stored element is the texel's own type
/// has no conversion.
fn as_they_are<T: StoredAs<B>, B: TexelBits>() -> bool {
    TypeId::of::<T>() == TypeId::of::<T::Stored>()
}

/// Texels of the host, or their bytes.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum HostSlice<'s, T> {
    Texels(&'s [T]),
    Bytes(&'s [u8]),
}

/// Texels of the host, or their bytes, to write.
#[doc(hidden)]
#[derive(Debug)]
pub enum HostSliceMut<'s, T> {
    Texels(&'s mut [T]),
    Bytes(&'s mut [u8]),
}

impl<'s, T> HostSlice<'s, T> {
    /// The number of texels.
    pub(super) fn texels<B: TexelBits>(&self) -> Result<i32>
    where
        T: StoredAs<B>,
    {
        let texels = match self {
            HostSlice::Texels(from) => from.len(),
            HostSlice::Bytes(from) => from.len() / size_of::<T::Stored>(),
        };
        i32::try_from(texels).map_err(|_| Error::shape(None, "a copy of more texels than a texture can have"))
    }

    /// The stored texels of a rectangle.
    pub(in crate::api::graphics) fn stored<const N: usize, B: TexelBits>(
        self,
        extent: Extent<N>,
    ) -> Result<Cow<'s, [T::Stored]>>
    where
        T: StoredAs<B>,
    {
        let need = texels_of(extent);
        match self {
            HostSlice::Texels(from) => {
                if from.len() as u64 != need {
                    return Err(other_count(from.len(), need, "texels", extent));
                }
                if as_they_are::<T, B>() {
                    return Ok(Cow::Borrowed(cast_slice(from)));
                }
                let mut stored = Vec::new();
                make_room(&mut stored, need)?;
                stored.extend(from.iter().copied().map(encoded::<T, B>));
                Ok(Cow::Owned(stored))
            }
            HostSlice::Bytes(from) => {
                if from.len() as u64 != need * size::<T, B>() {
                    return Err(other_count(from.len(), need * size::<T, B>(), "bytes", extent));
                }
                if let Ok(stored) = try_cast_slice(from) {
                    return Ok(Cow::Borrowed(stored));
                }
                let mut stored = zeros(need)?;
                cast_slice_mut(&mut stored).copy_from_slice(from);
                Ok(Cow::Owned(stored))
            }
        }
    }
}

impl<T> HostSliceMut<'_, T> {
    /// Checks that it has exactly the room for the texels of an extent.
    pub(super) fn room<const N: usize, B: TexelBits>(&self, extent: Extent<N>) -> Result<()>
    where
        T: StoredAs<B>,
    {
        let (have, need, unit) = match self {
            HostSliceMut::Texels(into) => (into.len(), texels_of(extent), "texels"),
            HostSliceMut::Bytes(into) => (into.len(), texels_of(extent) * size::<T, B>(), "bytes"),
        };
        if have as u64 == need { Ok(()) } else { Err(other_count(have, need, unit, extent)) }
    }

    /// Reads a rectangle of as many texels.
    pub(super) fn read<const N: usize, B: TexelBits>(
        self,
        from: &ArrayView<'_, T::Stored, N, impl Access>,
    ) -> Result<()>
    where
        T: StoredAs<B>,
    {
        match self {
            HostSliceMut::Texels(into) if as_they_are::<T, B>() => {
                copy_elements(from, cast_slice_mut::<T, T::Stored>(into))
            }
            HostSliceMut::Bytes(into) if try_cast_slice::<u8, T::Stored>(into).is_ok() => {
                copy_elements(from, cast_slice_mut::<u8, T::Stored>(into))
            }
            HostSliceMut::Texels(_) | HostSliceMut::Bytes(_) => {
                self.write::<B>(&from.to_vec()?);
                Ok(())
            }
        }
    }

    /// Writes as many stored texels as it has room for.
    pub(super) fn write<B: TexelBits>(self, stored: &[T::Stored])
    where
        T: StoredAs<B>,
    {
        match self {
            HostSliceMut::Texels(into) => {
                into.iter_mut().zip(stored).for_each(|(into, &from)| *into = decoded::<T, B>(from));
            }
            HostSliceMut::Bytes(into) => into.copy_from_slice(cast_slice(stored)),
        }
    }
}

/// The number of texels of a texture's extent.
fn texels_of<const N: usize>(extent: Extent<N>) -> u64 {
    extent.0.iter().map(|&size| size as u64).product()
}

/// So many zeros.
fn zeros<E: Zeroable + Clone>(count: u64) -> Result<Vec<E>> {
    let mut elements = Vec::new();
    make_room(&mut elements, count)?;
    elements.resize(count as usize, E::zeroed());
    Ok(elements)
}
