//! [`WriteonlyTextureView`]: a level of a texture that kernels write and do not read.

use std::fmt;
use std::sync::Arc;

use crate::api::error::Result;
use crate::api::view::{Access, ReadWrite};
use crate::kernel::capture::{Bind, Capture};
use crate::kernel::macro_support::{FieldTy, LaunchBinder, RustType, StructTy};
use crate::kernel::types::KernelType;
use crate::{ArrayView, Extent, Index, IntoIndex, amp};

use super::format::{StoredAs, TexelBits, texel_format};
use super::levels::with_access;
use super::texel::Texel;
use super::view::TextureView;

/// A level of a texture, for kernels that write it and do not read it. C++ AMP's
/// `writeonly_texture_view<T, N>`, which it has for texels that it cannot read where it writes; here
/// [`Texture::view`](super::Texture::view) does both.
///
/// ```
/// use tilewise::graphics::{Bits8, Texture};
/// use tilewise::prelude::*;
/// let texture = Texture::<u32, 1, Bits8>::new(4)?;
/// let out = texture.writeonly_view()?;
/// parallel_for_each!(out.extent(), |i| out.set(i, i[0] as u32 * 100))?;
/// assert_eq!(texture.to_vec()?, [0, 100, 200, 255]);
/// # Ok::<(), tilewise::Error>(())
/// ```
#[doc(alias = "writeonly_texture_view")]
pub struct WriteonlyTextureView<'a, T, const N: usize, B = <T as Texel>::Natural>
where
    T: Texel + StoredAs<B>,
    B: TexelBits,
{
    /// The texels of the level.
    texels: ArrayView<'a, T::Stored, N, ReadWrite>,
}

impl<'a, T: StoredAs<B>, const N: usize, B: TexelBits> WriteonlyTextureView<'a, T, N, B> {
    /// The most detailed level of a view.
    pub(super) fn of<A: Access>(view: &TextureView<'a, T, N, B, A>) -> Result<Self> {
        Ok(WriteonlyTextureView { texels: with_access(&view.rectangle(0)?) })
    }
}

impl<T: StoredAs<B>, const N: usize, B: TexelBits> Clone for WriteonlyTextureView<'_, T, N, B> {
    fn clone(&self) -> Self {
        WriteonlyTextureView { texels: self.texels.clone() }
    }
}

#[diagnostic::do_not_recommend]
impl<T: StoredAs<B>, const N: usize, B: TexelBits> KernelType for WriteonlyTextureView<'_, T, N, B> {
    fn ty() -> RustType {
        let texels = <ArrayView<'_, T::Stored, N, ReadWrite> as KernelType>::ty();
        RustType::Struct(Arc::new(StructTy {
            name: format!("WriteonlyTextureView<{N}>"),
            fields: vec![FieldTy { name: "texels", offset: 0, ty: texels }],
            size: 0,
            align: 1,
        }))
    }
}

#[diagnostic::do_not_recommend]
impl<T: StoredAs<B>, const N: usize, B: TexelBits> Capture for WriteonlyTextureView<'_, T, N, B> {
    type Value = Self;

    #[inline]
    fn capture(&self) -> Self {
        self.clone()
    }
}

#[diagnostic::do_not_recommend]
impl<T: StoredAs<B>, const N: usize, B: TexelBits> Bind for WriteonlyTextureView<'_, T, N, B> {
    fn bind<'b>(&'b self, to: &mut LaunchBinder<'b>) {
        let mut texels = self.texels.bound();
        texels.argument.texels = Some(texel_format::<T, B>());
        to.view(texels);
    }
}

#[amp]
impl<T: StoredAs<B>, const N: usize, B: TexelBits> WriteonlyTextureView<'_, T, N, B> {
    /// The extent of the level.
    pub fn extent(&self) -> Extent<N> {
        self.texels.extent()
    }

    /// Writes a texel; out of range, in a kernel, it does nothing.
    ///
    /// # Panics
    /// On the host, if it is out of range.
    #[track_caller]
    pub fn set(&self, index: impl IntoIndex<N>, texel: T) {
        self.texels[Index::new(index)] = texel.encode();
    }
}

impl<T: StoredAs<B>, const N: usize, B: TexelBits> fmt::Debug for WriteonlyTextureView<'_, T, N, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WriteonlyTextureView").field("extent", &self.texels.extent()).finish_non_exhaustive()
    }
}
