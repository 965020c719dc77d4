//! Copies of textures: [`copy`] between textures, views of them, sections, and texels or bytes of
//! the host; from iterators and into collections; and the same [in the background](background).
//!
//! They are the copies of arrays and views, of stored texels: see [`tilewise::copy`](crate::copy).
//! [`ends`] has what can be copied, [`host_texels`] what slices of the host hold.

use crate::api::error::{Error, Result};
use crate::{Extent, copy as copy_elements, copy_iter as copy_all};

use super::texture::{StoredAs, TexelBits, decoded, encoded};

mod background;
mod ends;
mod host_texels;

pub use background::{SharedTexels, copy_async, copy_async_from, copy_async_into};
pub(super) use ends::TextureEnd;
pub use ends::{TexelSource, TexelTarget};
use ends::{TexelsFrom, TexelsTo};
pub(super) use host_texels::HostSlice;
pub use host_texels::HostTexel;

/// Copies texels. A whole texture or view has the extent and the number of levels of its
/// counterpart; a section its extent; a slice has exactly the texels, or exactly the bytes, of the
/// most detailed level or of the section. Texels of slices are converted, as by `set` and `get`;
/// bytes are stored texels as they are. Element type, width and rank are types, so that others do
/// not compile. It is an error if source and target share texels.
///
/// ```
/// use tilewise::graphics::{Bits8, Texture, copy};
/// use tilewise::vector::UInt4;
/// let picture = Texture::<UInt4, 2, Bits8>::new((1, 2))?;
/// copy(&[1, 2, 3, 4, 5, 6, 7, 8u8], &picture)?; // its bytes
/// let mut texels = [UInt4::ZERO; 2];
/// copy(&picture, &mut texels)?;
/// assert_eq!(texels[1], UInt4::new(5, 6, 7, 8));
/// let other = Texture::<UInt4, 2, Bits8>::new((1, 2))?;
/// copy(&picture, &other)?;
/// assert_eq!(other.to_bytes()?, [1, 2, 3, 4, 5, 6, 7, 8]);
/// # Ok::<(), tilewise::Error>(())
/// ```
pub fn copy<T, const N: usize, B, S, D>(source: S, mut target: D) -> Result<()>
where
    T: StoredAs<B>,
    B: TexelBits,
    S: TexelSource<T, N, B>,
    D: TexelTarget<T, N, B>,
{
    match (source.source()?, target.target()?) {
        (TexelsFrom::Texture(from), TexelsTo::Texture(to)) => {
            from.agrees_with(&to)?;
            match (from.all(), to.all()) {
                (Some(from), Some(to)) => copy_elements(from, to),
                _ => copy_elements(from.rectangle(), to.rectangle()),
            }
        }
        (TexelsFrom::Host(from), TexelsTo::Texture(to)) => fill(from, &to),
        (TexelsFrom::Texture(from), TexelsTo::Host(to)) => {
            to.room::<N, B>(from.extent())?;
            to.read::<N, B>(from.rectangle())
        }
        (TexelsFrom::Host(from), TexelsTo::Host(to)) => {
            let texels = from.texels::<B>()?;
            to.room::<1, B>(Extent([texels]))?;
            to.write::<B>(&from.stored::<1, B>(Extent([texels]))?);
            Ok(())
        }
    }
}

/// Copies from the host to the most detailed level of a texture, or to a section.
pub(super) fn fill<T, const N: usize, B>(
    from: HostSlice<'_, T>,
    to: &TextureEnd<'_, T::Stored, N, crate::ReadWrite>,
) -> Result<()>
where
    T: StoredAs<B>,
    B: TexelBits,
{
    copy_elements(&from.stored::<N, B>(to.extent())?[..], to.rectangle())
}

/// Copies from any iterator with exactly as many texels as the most detailed level of a texture or
/// a view, or as a section.
///
/// ```
/// use tilewise::graphics::{Bits16, Texture, copy_iter};
/// let ramp = Texture::<f32, 1, Bits16>::new(4)?;
/// copy_iter((0..4).map(|x| x as f32 / 4.0), &ramp)?;
/// assert_eq!(ramp.to_vec()?, [0.0, 0.25, 0.5, 0.75]);
/// assert!(copy_iter((0..5).map(|x| x as f32), &ramp).is_err(), "there is one too many");
/// # Ok::<(), tilewise::Error>(())
/// ```
#[doc(alias = "copy")]
pub fn copy_iter<T, const N: usize, B>(
    source: impl IntoIterator<Item = T>,
    mut target: impl SharedTexels + TexelTarget<T, N, B>,
) -> Result<()>
where
    T: StoredAs<B>,
    B: TexelBits,
{
    copy_all(source.into_iter().map(encoded::<T, B>), background::shared_target(&mut target)?.rectangle())
}

/// Appends the texels of the most detailed level, or of a section, to any collection.
///
/// ```
/// use std::collections::VecDeque;
/// use tilewise::graphics::{Texture, copy_extend};
/// let texture = Texture::<i32, 2>::from_iter((1, 3), [-1, 0, 1])?;
/// let mut found = VecDeque::from([7]);
/// copy_extend(&texture.section((0, 1), (1, 2))?, &mut found)?;
/// assert_eq!(found, [7, 0, 1]);
/// # Ok::<(), tilewise::Error>(())
/// ```
#[doc(alias = "copy")]
pub fn copy_extend<T, const N: usize, B>(
    source: impl SharedTexels + TexelSource<T, N, B>,
    target: &mut impl Extend<T>,
) -> Result<()>
where
    T: StoredAs<B>,
    B: TexelBits,
{
    let stored = background::shared_source(&source)?.rectangle().to_vec()?;
    target.extend(stored.into_iter().map(decoded::<T, B>));
    Ok(())
}

/// The error of a number of texels or bytes that is not the needed one.
fn other_count<const N: usize>(have: usize, need: u64, unit: &str, extent: Extent<N>) -> Error {
    let text = format!(
        "{need} {unit} are the texels of extent {extent}, and the slice has {have}: it must have exactly as many"
    );
    Error::shape(None, text)
}
