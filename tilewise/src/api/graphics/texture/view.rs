//! [`TextureView`]: levels of a texture, in kernels and on the host.
//!
//! In a kernel it is its parts: a view of the texels of all its levels, one behind the other, and
//! the shape. A level is cut out of it where it is used, so that the texel's own coordinates are
//! checked against the level's extent, and named in reports.

use std::marker::PhantomData;
use std::sync::Arc;

use crate::api::view::Access;
use crate::kernel::capture::{Bind, Capture};
use crate::kernel::macro_support::{
    Called, FieldTy, Form, IndexMeaning, KernelFn, LaunchBinder, Read, RustType, StructTy,
};
use crate::kernel::types::KernelType;
use crate::{ArrayView, Extent, Index, IntoIndex, ReadOnly, Writable, amp};

use super::format::{StoredAs, TexelBits, texel_format};
use super::shape::TextureShape;
use super::texel::Texel;

/// Levels of a texture: a handle, as [`ArrayView`] is one. C++ AMP's `texture_view<T, N>` and
/// `texture_view<const T, N>`.
pub struct TextureView<'a, T, const N: usize, B = <T as Texel>::Natural, A = ReadOnly>
where
    T: Texel + StoredAs<B>,
    B: TexelBits,
{
    /// The texels of all levels.
    pub(super) texels: ArrayView<'a, T::Stored, 1, A>,
    /// Where the levels lie in it.
    pub(super) shape: TextureShape<N>,
}

impl<T: StoredAs<B>, const N: usize, B: TexelBits, A> Clone for TextureView<'_, T, N, B, A> {
    fn clone(&self) -> Self {
        TextureView { texels: self.texels.clone(), shape: self.shape }
    }
}

#[diagnostic::do_not_recommend]
impl<T: StoredAs<B>, const N: usize, B: TexelBits, A: Access> KernelType for TextureView<'_, T, N, B, A> {
    fn ty() -> RustType {
        let field = |name, ty| FieldTy { name, offset: 0, ty };
        RustType::Struct(Arc::new(StructTy {
            name: format!("TextureView<{N}>"),
            fields: vec![
                field("texels", <ArrayView<'_, T::Stored, 1, A> as KernelType>::ty()),
                field("shape", TextureShape::<N>::ty()),
            ],
            size: 0,
            align: 1,
        }))
    }
}

#[diagnostic::do_not_recommend]
impl<T: StoredAs<B>, const N: usize, B: TexelBits, A: Access> Capture for TextureView<'_, T, N, B, A> {
    type Value = Self;

    #[inline]
    fn capture(&self) -> Self {
        self.clone()
    }
}

#[diagnostic::do_not_recommend]
impl<T: StoredAs<B>, const N: usize, B: TexelBits, A: Access> Bind for TextureView<'_, T, N, B, A> {
    fn bind<'b>(&'b self, to: &mut LaunchBinder<'b>) {
        let mut texels = self.texels.bound();
        texels.argument.levels = self.shape.argument_levels();
        texels.argument.texels = Some(texel_format::<T, B>());
        to.view(texels);
        self.shape.bind(to);
    }
}

macro_rules! ranks {
    ($($n:literal ($($d:literal)*);)*) => {$(
        #[amp]
        impl<'a, T: StoredAs<B>, B: TexelBits, A: Access> TextureView<'a, T, $n, B, A> {
            /// The extent of a level; zeros where there is no such level.
            pub fn mip_extent(&self, level: i32) -> Extent<$n> {
                let extent = self.shape.extent;
                if level >= 0 && level < self.shape.levels {
                    Extent::new([$((extent[$d] >> level).max(1)),*])
                } else {
                    Extent::new([0; $n])
                }
            }

            /// The texels of a level.
            #[doc(hidden)]
            #[track_caller]
            pub fn stored_level(&self, level: i32) -> ArrayView<'a, T::Stored, $n, A> {
                let exists = level >= 0 && level < self.shape.levels;
                let start = if exists { self.shape.starts[level] } else { 0 };
                self.texels.section_from(start).view_as(self.mip_extent(level))
            }
        }

        #[amp(texture_unit)]
        impl<T: StoredAs<B>, B: TexelBits, A: Access> TextureView<'_, T, $n, B, A> {
            /// A texel of the most detailed level; in a kernel zeros out of range.
            ///
            /// # Panics
            /// On the host, if it is out of range.
            #[track_caller]
            pub fn get(&self, index: impl IntoIndex<$n>) -> T {
                let texels = self.texels.view_as(self.shape.extent);
                T::decode(texels[Index::new(index)])
            }

            /// A texel of a level; in a kernel zeros out of range, and where there is no such level.
            ///
            /// # Panics
            /// On the host, if it is out of range, or there is no such level.
            #[track_caller]
            pub fn get_level(&self, index: impl IntoIndex<$n>, level: i32) -> T {
                let texels = self.stored_level(level);
                T::decode(texels[Index::new(index)])
            }
        }

        #[amp]
        impl<T: StoredAs<B>, B: TexelBits, A: Writable> TextureView<'_, T, $n, B, A> {
            /// Writes a texel of the most detailed level; out of range, in a kernel, it does nothing.
            ///
            /// # Panics
            /// On the host, if it is out of range.
            #[track_caller]
            pub fn set(&self, index: impl IntoIndex<$n>, texel: T) {
                let texels = self.texels.view_as(self.shape.extent);
                texels[Index::new(index)] = texel.encode();
            }
        }
    )*};
}

ranks! {
    1 (0);
    2 (0 1);
    3 (0 1 2);
}

#[amp]
impl<T: StoredAs<B>, const N: usize, B: TexelBits, A: Access> TextureView<'_, T, N, B, A> {
    /// The extent of the most detailed level.
    pub fn extent(&self) -> Extent<N> {
        self.shape.extent
    }

    /// The number of levels.
    pub fn mip_levels(&self) -> i32 {
        self.shape.levels
    }
}

/// The meaning of `texture[i]` in a kernel: that of `get`.
#[derive(Debug)]
pub struct TexelAt<V, I>(PhantomData<fn() -> (V, I)>);

impl<V, I> IndexMeaning for TexelAt<V, I> {
    const RUNS_CODE: bool = false;
}

/// The form of the function whose companion this is. It is not called.
fn form_of<V, I, R, M: KernelFn>(_: fn(&V, I) -> Called<R, M>) -> Form {
    M::form()
}

macro_rules! subscripts {
    ($($n:literal)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: StoredAs<B>, B: TexelBits, A: Access, I: IntoIndex<$n>> Read<I> for TextureView<'_, T, $n, B, A> {
            type Out = T;
            type Mark = TexelAt<TextureView<'static, T, $n, B, A>, I>;

            #[inline]
            #[track_caller]
            fn read(&self, index: I) -> T {
                self.get(index)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T: StoredAs<B>, B: TexelBits, A: Access, I: IntoIndex<$n>> KernelFn
            for TexelAt<TextureView<'static, T, $n, B, A>, I>
        {
            fn form() -> Form {
                form_of(|view: &TextureView<'static, T, $n, B, A>, index: I| view.get_marked_amp(index))
            }
        }
    )*};
}

subscripts!(1 2 3);
