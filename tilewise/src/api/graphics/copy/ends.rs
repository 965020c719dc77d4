//! Sources and targets of copies: [`TexelSource`], [`TexelTarget`].

use crate::api::error::{Error, Result};
use crate::api::graphics::texture::{StoredAs, TexelBits, Texture, TextureSection, TextureView, counted, with_access};
use crate::api::view::{Access, ReadOnly, ReadWrite};
use crate::{ArrayView, Element, Extent, Writable};

use super::host_texels::{HostSlice, HostSliceMut, HostTexel};

/// A source of a copy of texels: `&Texture`, `&TextureView`, `&TextureSection`, and `&[U]`,
/// `&Vec<U>`, `&[U; K]` of texels or bytes. Sealed.
///
/// ```
/// use tilewise::Result;
/// use tilewise::graphics::{Bits32, TexelSource, Texture};
/// fn pair<S: TexelSource<f32, 1, Bits32>>(of: S) -> Result<Texture<f32, 1>> {
///     Texture::builder(2).build_from(of)
/// }
/// let first = pair(&[1.0f32, 2.0])?;
/// assert_eq!(pair(&first)?.to_vec()?, [1.0, 2.0]);
/// # Ok::<(), tilewise::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "cannot copy texels `{T}` of rank {N}, `{B}`, from `{Self}`",
    label = "not a source of such texels",
    note = "sources are `&Texture`, `&TextureView`, `&TextureSection`, and slices of texels or of bytes; texel, width and rank of source and target are the same"
)]
pub trait TexelSource<T: StoredAs<B>, const N: usize, B: TexelBits>: Sized {
    /// Where its texels are.
    #[doc(hidden)]
    fn source(&self) -> Result<TexelsFrom<'_, T, N, B>>;

    /// The number of levels, if it has levels.
    #[doc(hidden)]
    fn levels(&self) -> Option<i32> {
        None
    }
}

/// A target of a copy of texels: `&Texture`, a writable `&TextureView` or `&TextureSection`, and
/// `&mut [U]`, `&mut Vec<U>` (its length must fit), `&mut [U; K]` of texels or bytes. Sealed.
///
/// ```
/// use tilewise::Result;
/// use tilewise::graphics::{Bits32, TexelTarget, Texture, copy};
/// fn ones<D: TexelTarget<i32, 2, Bits32>>(into: D) -> Result<()> {
///     copy(&[1i32; 4], into)
/// }
/// let texture = Texture::<i32, 2>::new((3, 2))?;
/// ones(&texture.section((1, 0), (2, 2))?)?;
/// assert_eq!(texture.to_vec()?, [0, 0, 1, 1, 1, 1]);
/// # Ok::<(), tilewise::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "cannot copy texels `{T}` of rank {N}, `{B}`, into `{Self}`",
    label = "not a target of such texels",
    note = "targets are `&Texture`, a writable `&TextureView` or `&TextureSection`, and `&mut` slices of texels or of bytes; texel, width and rank of source and target are the same"
)]
pub trait TexelTarget<T: StoredAs<B>, const N: usize, B: TexelBits>: Sized {
    /// Where its texels are.
    #[doc(hidden)]
    fn target(&mut self) -> Result<TexelsTo<'_, T, N, B>>;
}

/// Where the texels of a source are.
#[doc(hidden)]
#[derive(Debug)]
pub enum TexelsFrom<'s, T: StoredAs<B>, const N: usize, B: TexelBits> {
    Host(HostSlice<'s, T>),
    Texture(TextureEnd<'s, T::Stored, N, ReadOnly>),
}

/// Where the texels of a target are.
#[doc(hidden)]
#[derive(Debug)]
pub enum TexelsTo<'s, T: StoredAs<B>, const N: usize, B: TexelBits> {
    Host(HostSliceMut<'s, T>),
    Texture(TextureEnd<'s, T::Stored, N, ReadWrite>),
}

/// Stored texels of a texture: all levels, or a rectangle of one.
#[doc(hidden)]
#[derive(Debug)]
pub struct TextureEnd<'s, E, const N: usize, A> {
    /// The most detailed level, or the rectangle.
    rectangle: ArrayView<'s, E, N, A>,
    /// Of several levels: their texels, with the gaps between levels.
    all: Option<ArrayView<'s, E, 1, A>>,
    levels: i32,
}

impl<'s, E: Element, const N: usize, A: Access> TextureEnd<'s, E, N, A> {
    /// All levels of a view. To write, the view must be writable.
    pub(in crate::api::graphics) fn of<T, B, C>(view: &TextureView<'s, T, N, B, C>) -> Result<Self>
    where
        T: StoredAs<B, Stored = E>,
        B: TexelBits,
        C: Access,
    {
        let (all, levels) = view.stored();
        let all = (levels > 1).then(|| with_access(all));
        Ok(TextureEnd { rectangle: with_access(&view.rectangle(0)?), all, levels })
    }

    /// A rectangle. To write, it must be writable.
    fn of_section<C>(rectangle: &ArrayView<'s, E, N, C>) -> Self {
        TextureEnd { rectangle: with_access(rectangle), all: None, levels: 1 }
    }

    /// The most detailed level, or the rectangle.
    pub(super) fn rectangle(&self) -> &ArrayView<'s, E, N, A> {
        &self.rectangle
    }

    /// Of several levels: their texels, with the gaps between levels.
    pub(super) fn all(&self) -> Option<&ArrayView<'s, E, 1, A>> {
        self.all.as_ref()
    }

    pub(super) fn extent(&self) -> Extent<N> {
        self.rectangle.extent()
    }

    /// Checks that both have the same extent and number of levels.
    pub(super) fn agrees_with<C: Access>(&self, target: &TextureEnd<'_, E, N, C>) -> Result<()> {
        let (from, to) = (self.extent(), target.extent());
        if from != to {
            let text = format!(
                "texels of the extent {from} cannot be copied to texels of the extent {to}: copy a `section` that fits"
            );
            return Err(Error::shape((0..N).find(|&d| from[d] != to[d]), text));
        }
        if self.levels != target.levels {
            let (from, to) = (counted(self.levels), counted(target.levels));
            let text = format!(
                "{from} cannot be copied to {to}: both sides need as many; `mips` and `level` give some of a texture's"
            );
            return Err(Error::shape(None, text));
        }
        Ok(())
    }
}

impl<T: StoredAs<B>, const N: usize, B: TexelBits> TexelSource<T, N, B> for &Texture<T, N, B> {
    fn source(&self) -> Result<TexelsFrom<'_, T, N, B>> {
        TextureEnd::of(&self.whole()).map(TexelsFrom::Texture)
    }

    fn levels(&self) -> Option<i32> {
        Some(self.mip_levels())
    }
}

impl<T: StoredAs<B>, const N: usize, B: TexelBits, A: Access> TexelSource<T, N, B> for &TextureView<'_, T, N, B, A> {
    fn source(&self) -> Result<TexelsFrom<'_, T, N, B>> {
        TextureEnd::of(self).map(TexelsFrom::Texture)
    }

    fn levels(&self) -> Option<i32> {
        Some(self.stored().1)
    }
}

impl<T: StoredAs<B>, const N: usize, B: TexelBits, A: Access> TexelSource<T, N, B> for &TextureSection<'_, T, N, B, A> {
    fn source(&self) -> Result<TexelsFrom<'_, T, N, B>> {
        Ok(TexelsFrom::Texture(TextureEnd::of_section(&self.texels)))
    }
}

impl<T: StoredAs<B>, const N: usize, B: TexelBits> TexelTarget<T, N, B> for &Texture<T, N, B> {
    fn target(&mut self) -> Result<TexelsTo<'_, T, N, B>> {
        TextureEnd::of(&self.whole()).map(TexelsTo::Texture)
    }
}

impl<T: StoredAs<B>, const N: usize, B: TexelBits, A: Writable> TexelTarget<T, N, B> for &TextureView<'_, T, N, B, A> {
    fn target(&mut self) -> Result<TexelsTo<'_, T, N, B>> {
        TextureEnd::of(self).map(TexelsTo::Texture)
    }
}

impl<T: StoredAs<B>, const N: usize, B: TexelBits, A: Writable> TexelTarget<T, N, B>
    for &TextureSection<'_, T, N, B, A>
{
    fn target(&mut self) -> Result<TexelsTo<'_, T, N, B>> {
        Ok(TexelsTo::Texture(TextureEnd::of_section(&self.texels)))
    }
}

macro_rules! slices {
    ($(($($k:tt)*) $source:ty, $target:ty;)*) => {$(
        impl<T: StoredAs<B>, B: TexelBits, U: HostTexel<T, B>, const N: usize, $($k)*> TexelSource<T, N, B> for $source {
            fn source(&self) -> Result<TexelsFrom<'_, T, N, B>> {
                Ok(TexelsFrom::Host(<U as HostTexel<T, B>>::slice(&self[..])))
            }
        }

        impl<T: StoredAs<B>, B: TexelBits, U: HostTexel<T, B>, const N: usize, $($k)*> TexelTarget<T, N, B> for $target {
            fn target(&mut self) -> Result<TexelsTo<'_, T, N, B>> {
                Ok(TexelsTo::Host(<U as HostTexel<T, B>>::slice_mut(&mut self[..])))
            }
        }
    )*};
}

slices! {
    () &[U], &mut [U];
    () &Vec<U>, &mut Vec<U>;
    (const K: usize) &[U; K], &mut [U; K];
}
