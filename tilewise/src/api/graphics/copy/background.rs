//! Asynchronous copies of textures. Each copy locks its texels from the call to its end, so copies
//! of the same texels happen in the order of the calls.

use std::borrow::Cow;

use crate::Completion;
use crate::api::copy::{self as elements, make_room};
use crate::api::error::Result;
use crate::api::graphics::texture::{StoredAs, TexelBits, Texture, TextureSection, TextureView};
use crate::api::view::{Access, ReadOnly, ReadWrite};

use super::ends::{TexelSource, TexelTarget, TexelsFrom, TexelsTo, TextureEnd};
use super::host_texels::HostTexel;

/// `&Texture`, `&TextureView`, `&TextureSection`: texels that outlive the call of an asynchronous
/// copy. Sealed.
///
/// ```
/// use tilewise::graphics::{SharedTexels, Texture};
/// fn lives_on(_: impl SharedTexels) {}
/// let texture = Texture::<f32, 2>::new((2, 2))?;
/// lives_on(&texture);
/// lives_on(&texture.section((0, 0), (1, 2))?);
/// # Ok::<(), tilewise::Error>(())
/// ```
pub trait SharedTexels {}

impl<T: StoredAs<B>, const N: usize, B: TexelBits> SharedTexels for &Texture<T, N, B> {}
impl<T: StoredAs<B>, const N: usize, B: TexelBits, A: Access> SharedTexels for &TextureView<'_, T, N, B, A> {}
impl<T: StoredAs<B>, const N: usize, B: TexelBits, A: Access> SharedTexels for &TextureSection<'_, T, N, B, A> {}

/// The texels of a source that is no slice.
pub(super) fn shared_source<T: StoredAs<B>, const N: usize, B: TexelBits>(
    source: &(impl SharedTexels + TexelSource<T, N, B>),
) -> Result<TextureEnd<'_, T::Stored, N, ReadOnly>> {
    match source.source()? {
        TexelsFrom::Texture(end) => Ok(end),
        TexelsFrom::Host(_) => unreachable!("what is shared is no slice"),
    }
}

/// The texels of a target that is no slice.
pub(super) fn shared_target<T: StoredAs<B>, const N: usize, B: TexelBits>(
    target: &mut (impl SharedTexels + TexelTarget<T, N, B>),
) -> Result<TextureEnd<'_, T::Stored, N, ReadWrite>> {
    match target.target()? {
        TexelsTo::Texture(end) => Ok(end),
        TexelsTo::Host(_) => unreachable!("what is shared is no slice"),
    }
}

/// Starts a copy, with the rules of [`copy`](super::copy).
///
/// ```
/// use tilewise::graphics::{Texture, copy_async};
/// let from = Texture::<f32, 1>::from_iter(3, [1.0, 2.0, 3.0])?;
/// let to = Texture::<f32, 1>::new(3)?;
/// copy_async(&from, &to)?.get()?;
/// assert_eq!(to.to_vec()?, [1.0, 2.0, 3.0]);
/// # Ok::<(), tilewise::Error>(())
/// ```
pub fn copy_async<T: StoredAs<B>, const N: usize, B: TexelBits>(
    source: impl SharedTexels + TexelSource<T, N, B>,
    mut target: impl SharedTexels + TexelTarget<T, N, B>,
) -> Result<Completion> {
    let (from, to) = (shared_source(&source)?, shared_target(&mut target)?);
    from.agrees_with(&to)?;
    match (from.all(), to.all()) {
        (Some(from), Some(to)) => elements::copy_async(from, to),
        _ => elements::copy_async(from.rectangle(), to.rectangle()),
    }
}

/// Starts a copy from a Vec of texels or bytes, which the completion returns.
///
/// ```
/// use tilewise::graphics::{Bits8, Texture, copy_async_from};
/// let texture = Texture::<u32, 1, Bits8>::new(3)?;
/// let bytes = copy_async_from(vec![1u8, 2, 3], &texture)?.get()?;
/// let texels = copy_async_from(vec![300u32, 2, 3], &texture)?.get()?;
/// assert_eq!((bytes.len(), texels.len()), (3, 3));
/// assert_eq!(texture.to_vec()?, [255, 2, 3]);
/// # Ok::<(), tilewise::Error>(())
/// ```
#[doc(alias = "copy_async")]
pub fn copy_async_from<T: StoredAs<B>, const N: usize, B: TexelBits, U: HostTexel<T, B>>(
    source: Vec<U>,
    mut target: impl SharedTexels + TexelTarget<T, N, B>,
) -> Result<Completion<Vec<U>>> {
    let to = shared_target(&mut target)?;
    let stored = match U::slice(&source).stored::<N, B>(to.extent())? {
        Cow::Owned(stored) => stored,
        Cow::Borrowed(texels) => {
            let mut stored = Vec::new();
            make_room(&mut stored, texels.len() as u64)?;
            stored.extend_from_slice(texels);
            stored
        }
    };
    Ok(elements::copy_async_from(stored, to.rectangle())?.then(move |_| Ok(source)))
}

/// Starts a copy into a Vec of texels or bytes, which the completion returns; `reuse` provides its
/// allocation.
///
/// ```
/// use tilewise::graphics::{Bits8, Texture, copy_async_into};
/// let texture = Texture::<u32, 1, Bits8>::from_iter(3, [1, 2, 300])?;
/// let texels: Vec<u32> = copy_async_into(&texture, Vec::new())?.get()?;
/// assert_eq!(texels, [1, 2, 255]);
/// # Ok::<(), tilewise::Error>(())
/// ```
#[doc(alias = "copy_async")]
pub fn copy_async_into<T: StoredAs<B>, const N: usize, B: TexelBits, U: HostTexel<T, B>>(
    source: impl SharedTexels + TexelSource<T, N, B>,
    mut reuse: Vec<U>,
) -> Result<Completion<Vec<U>>> {
    let from = shared_source(&source)?;
    let texels: u64 = from.extent().0.iter().map(|&size| size as u64).product();
    reuse.clear();
    make_room(&mut reuse, U::count(texels))?;
    let arrived = elements::copy_async_into(from.rectangle(), Vec::new())?;
    Ok(arrived.then(move |stored| {
        reuse.resize(U::count(stored.len() as u64) as usize, U::zeroed());
        U::slice_mut(&mut reuse).write::<B>(&stored);
        Ok(reuse)
    }))
}
