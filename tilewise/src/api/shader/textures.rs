//! Textures of the library as those of shaders. A storage texture is bound as it is: both hold the
//! bytes of the format. What a shader only reads it sees as `f32`, `i32` or `u32`; such texels are
//! converted when the shader is dispatched, unless they are that already.

use std::sync::Arc;

use tilewise_import::{BindingKind, ImageClass, TextureBinding};
use tilewise_ir::kernel::ParamId;
use tilewise_ir::launch::{ChannelKind, TexelFormat};
use tilewise_ir::types::ViewType;

use super::{ShaderEntry, ShaderItem, shown};
use crate::api::copy::make_room;
use crate::graphics::{Norm, Norm2, Norm4, StoredAs, Texel, TexelBits, Texture, TextureView, Unorm, Unorm2, Unorm4};
use crate::memory::launch::BoundView;
use crate::vector::{Float2, Float3, Float4, Int2, Int3, Int4, UInt2, UInt3, UInt4};
use crate::{Access, ArrayView, Element, Error, Result};

/// The word for a channel in the names of formats.
fn word_of(kind: ChannelKind) -> &'static str {
    match kind {
        ChannelKind::Float => "float",
        ChannelKind::SignedNorm => "snorm",
        ChannelKind::UnsignedNorm => "unorm",
        ChannelKind::Signed => "sint",
        ChannelKind::Unsigned => "uint",
    }
}

/// Whether a shader reads such a channel as a float.
fn is_float(kind: ChannelKind) -> bool {
    matches!(kind, ChannelKind::Float | ChannelKind::SignedNorm | ChannelKind::UnsignedNorm)
}

/// A texel that shaders have too: all but those of `f64`.
///
/// ```
/// use tilewise::ShaderTexel;
/// use tilewise::graphics::{Texture, Unorm4};
/// fn count<T: ShaderTexel>(texels: &[T]) -> usize {
///     texels.len() * T::CHANNELS as usize
/// }
/// let picture = Texture::<Unorm4, 2>::new((2, 3))?;
/// assert_eq!(count(&picture.to_vec()?), 24);
/// # Ok::<(), tilewise::Error>(())
/// ```
#[diagnostic::on_unimplemented(message = "shaders have no texels of `{Self}`", label = "not a texel of shaders")]
pub trait ShaderTexel: Texel {
    /// The bits of the four numbers that a shader reads.
    #[doc(hidden)]
    fn channels(self) -> [u32; 4];
}

macro_rules! shader_texels {
    ($($t:ident $one:expr, |$v:ident| [$($channel:expr),*];)*) => {$(
        impl ShaderTexel for $t {
            fn channels(self) -> [u32; 4] {
                let $v = self;
                let mut out = [0, 0, 0, $one];
                for (to, channel) in out.iter_mut().zip([$($channel),*]) {
                    *to = channel;
                }
                out
            }
        }
    )*};
}

const ONE: u32 = 0x3f80_0000;

shader_texels! {
    f32 ONE, |v| [v.to_bits()];
    Float2 ONE, |v| [v.x.to_bits(), v.y.to_bits()];
    Float3 ONE, |v| [v.x.to_bits(), v.y.to_bits(), v.z.to_bits()];
    Float4 ONE, |v| [v.x.to_bits(), v.y.to_bits(), v.z.to_bits(), v.w.to_bits()];
    Unorm ONE, |v| [v.get().to_bits()];
    Unorm2 ONE, |v| [v.x.get().to_bits(), v.y.get().to_bits()];
    Unorm4 ONE, |v| [v.x.get().to_bits(), v.y.get().to_bits(), v.z.get().to_bits(), v.w.get().to_bits()];
    Norm ONE, |v| [v.get().to_bits()];
    Norm2 ONE, |v| [v.x.get().to_bits(), v.y.get().to_bits()];
    Norm4 ONE, |v| [v.x.get().to_bits(), v.y.get().to_bits(), v.z.get().to_bits(), v.w.get().to_bits()];
    i32 1, |v| [v as u32];
    Int2 1, |v| [v.x as u32, v.y as u32];
    Int3 1, |v| [v.x as u32, v.y as u32, v.z as u32];
    Int4 1, |v| [v.x as u32, v.y as u32, v.z as u32, v.w as u32];
    u32 1, |v| [v];
    UInt2 1, |v| [v.x, v.y];
    UInt3 1, |v| [v.x, v.y, v.z];
    UInt4 1, |v| [v.x, v.y, v.z, v.w];
}

/// The name of a format, as WGSL has it: `rgba8unorm`.
fn format_of<T: ShaderTexel, B: TexelBits>() -> String {
    let channels = ["", "r", "rg", "rgb", "rgba"][T::CHANNELS as usize % 5];
    format!("{channels}{}{}", B::BITS, word_of(T::KIND))
}

impl ShaderEntry<'_> {
    /// Binds a texture. Its rank is that of the shader's texture, where the layers of an array, the
    /// faces of a cube and the samples of a multisampled texture count as a dimension: the first one,
    /// and the last one. A storage texture has the texture's format, and is dispatched on the
    /// texture's own accelerator; any other reads all texels of its kind of numbers, with all levels
    /// if the shader asks for levels.
    ///
    /// ```
    /// use tilewise::graphics::{Sampler, Texture, Unorm4};
    /// use tilewise::Shader;
    /// let text = "
    /// @group(0) @binding(0) var picture: texture_2d<f32>;
    /// @group(0) @binding(1) var how: sampler;
    /// @group(0) @binding(2) var wide: texture_storage_2d<rgba8unorm, write>;
    /// @compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) {
    ///     let at = (vec2f(id.xy) + 0.5) / vec2f(textureDimensions(wide));
    ///     textureStore(wide, id.xy, textureSampleLevel(picture, how, at, 0.0));
    /// }";
    /// let rgba = [255, 0, 0, 255, 0, 0, 255, 255];
    /// let picture = Texture::<Unorm4, 2>::builder((1, 2)).build_from_bytes(&rgba)?;
    /// let wide = Texture::<Unorm4, 2>::new((1, 4))?;
    /// let main = Shader::from_wgsl("widen.wgsl", text)?.entry("main")?;
    /// let main = main.texture(0, 0, &picture)?.sampler(0, 1, Sampler::LINEAR)?.texture(0, 2, &wide)?;
    /// main.dispatch(wide.accelerator_view(), [1, 1, 1])?;
    /// let red: Vec<u8> = wide.to_bytes()?.into_iter().step_by(4).collect();
    /// assert_eq!(red, [255, 191, 64, 0]);
    /// # Ok::<(), tilewise::Error>(())
    /// ```
    pub fn texture<T: ShaderTexel + StoredAs<B>, const N: usize, B: TexelBits>(
        self,
        group: u32,
        binding: u32,
        texture: &Texture<T, N, B>,
    ) -> Result<Self> {
        let number = self.resource(group, binding)?;
        self.bind_texture(number, texture)
    }

    /// Binds a texture to the variable of this name.
    pub fn texture_named<T: ShaderTexel + StoredAs<B>, const N: usize, B: TexelBits>(
        self,
        name: &str,
        texture: &Texture<T, N, B>,
    ) -> Result<Self> {
        let number = self.named(name)?;
        self.bind_texture(number, texture)
    }

    fn bind_texture<T: ShaderTexel + StoredAs<B>, const N: usize, B: TexelBits>(
        self,
        number: usize,
        texture: &Texture<T, N, B>,
    ) -> Result<Self> {
        self.at_same_binding(number).into_iter().try_fold(self, |entry, number| entry.bind_one_texture(number, texture))
    }

    fn bind_one_texture<T: ShaderTexel + StoredAs<B>, const N: usize, B: TexelBits>(
        mut self,
        number: usize,
        texture: &Texture<T, N, B>,
    ) -> Result<Self> {
        let slot = shown(&self.slots[number]);
        let refused = |text: String| Err(Error::shape(None, text));
        let BindingKind::Texture(binding) = self.slots[number].kind else {
            return refused(format!("{slot} is no texture"));
        };
        let rank = binding.shape.rank();
        if rank as usize != N {
            return refused(format!("{slot} has {rank} dimensions, and the texture has {N}"));
        }
        let (have, is_kind) = (format_of::<T, B>(), of_kind(&binding, T::KIND, T::CHANNELS));
        if let Some(wanted) = binding.shape.format_name() {
            if wanted != have {
                return refused(format!("{slot} is a storage texture of `{wanted}`, and the texture has `{have}`"));
            }
            let level = texture.view()?.stored_texels();
            let mut texels = level.into_bound();
            texels.argument.texels = Some(TexelFormat { kind: T::KIND, bits: B::BITS, channels: T::CHANNELS });
            self.items[number] = Some(ShaderItem::View(texels));
            return Ok(self);
        }
        if let Err(wanted) = is_kind {
            return refused(format!("{slot} is a texture of {wanted}, and the texture has `{have}`"));
        }
        let levels = if binding.has_levels { texture.mip_levels() } else { 1 };
        if levels > 1 && binding.shape.has_layers() {
            return refused(format!("{slot} has layers; the levels of a texture of the library halve all dimensions"));
        }
        if binding.has_levels {
            let extent = texture.extent();
            let size = [N - 1, N.wrapping_sub(2), N.wrapping_sub(3)].map(|d| if d < N { extent[d] as u32 } else { 1 });
            let words = [size[0], size[1], size[2], levels as u32];
            let bytes = words.into_iter().flat_map(u32::to_le_bytes).collect();
            self.items[number + 1] = Some(ShaderItem::Bytes(bytes));
        }
        let view = texture.read_view();
        let make = move || bound_texels(&view, &binding, levels);
        self.items[number] = Some(ShaderItem::Texels(Arc::new(make)));
        Ok(self)
    }
}

impl<'k> ShaderEntry<'k> {
    /// Binds a view of texels to a texture.
    pub(super) fn bind_texels<T: Element, const N: usize, A: Access>(
        mut self,
        number: usize,
        id: ParamId,
        texels: ViewType,
        view: &'k ArrayView<'_, T, N, A>,
    ) -> Result<Self> {
        let slot = shown(&self.slots[number]);
        let kernel = self.program.kernel();
        let bound = view.bound();
        if kernel.written()[id.index()] && !bound.writes {
            return Err(Error::shape(None, format!("the shader writes {slot}, and the view is read-only")));
        }
        let (have, need) = (size_of::<T>() as u64, kernel.types().element_size(texels.element));
        if have != need || texels.rank as usize != N {
            let text = format!(
                "{slot} has texels of {need} bytes in {} dimensions, and the view has elements of {have} bytes in {N}",
                texels.rank
            );
            return Err(Error::shape(None, text));
        }
        if let BindingKind::Texture(TextureBinding { has_levels: true, .. }) = self.slots[number].kind
            && matches!(self.items[number], Some(ShaderItem::Texels(_)))
        {
            // The size beside it is that of the texture which was bound before.
            self.items[number + 1] = None;
        }
        self.items[number] = Some(ShaderItem::View(bound));
        Ok(self)
    }
}

/// Can a texture of this class be read from such channels? If not, the numbers it has.
fn of_kind(binding: &TextureBinding, kind: ChannelKind, channels: u32) -> std::result::Result<(), &'static str> {
    use tilewise_import::ScalarKind;
    match binding.shape.class {
        ImageClass::Sampled { kind: ScalarKind::Sint, .. } if kind != ChannelKind::Signed => Err("`i32`"),
        ImageClass::Sampled { kind: ScalarKind::Uint, .. } if kind != ChannelKind::Unsigned => Err("`u32`"),
        ImageClass::Sampled { kind: ScalarKind::Sint | ScalarKind::Uint, .. } | ImageClass::Storage { .. } => Ok(()),
        ImageClass::Depth { .. } if channels != 1 || !is_float(kind) => Err("depths, one channel of `f32`"),
        ImageClass::Sampled { .. } | ImageClass::External if !is_float(kind) => Err("`f32`"),
        ImageClass::Sampled { .. } | ImageClass::External | ImageClass::Depth { .. } => Ok(()),
    }
}

/// The texels of some levels as a shader reads them, one level behind the other.
fn bound_texels<T: ShaderTexel + StoredAs<B>, const N: usize, B: TexelBits>(
    view: &TextureView<'static, T, N, B>,
    binding: &TextureBinding,
    levels: i32,
) -> Result<BoundView<'static>> {
    let mut texels: Vec<[u32; 4]> = Vec::new();
    for level in 0..levels {
        let level = view.to_vec_level(level)?;
        make_room(&mut texels, level.len() as u64)?;
        texels.extend(level.into_iter().map(ShaderTexel::channels));
    }
    match binding.shape.class {
        ImageClass::Depth { .. } => {
            let depths = texels.into_iter().map(|[depth, ..]| f32::from_bits(depth)).collect();
            bound(view, binding, depths)
        }
        ImageClass::Sampled { .. } | ImageClass::External | ImageClass::Storage { .. } => {
            let wide = texels.into_iter().map(|[x, y, z, w]| UInt4::new(x, y, z, w)).collect();
            bound(view, binding, wide)
        }
    }
}

fn bound<E: Element, T: StoredAs<B>, const N: usize, B: TexelBits>(
    view: &TextureView<'static, T, N, B>,
    binding: &TextureBinding,
    texels: Vec<E>,
) -> Result<BoundView<'static>> {
    if binding.has_levels {
        let count = texels.len() as i32;
        return Ok(ArrayView::<E, 1>::from_vec(count, texels)?.into_bound());
    }
    Ok(ArrayView::<E, N>::from_vec(view.stored_texels().extent(), texels)?.into_bound())
}
