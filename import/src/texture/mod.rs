//! Textures and samplers. A texture is memory: a view of its texels, most significant dimension
//! first. A sampler is a uniform struct of its settings. So every target computes the same bits, and
//! the checks of the reference accelerator see each access.
//!
//! | texture | view |
//! |---|---|
//! | 1D, 2D, 3D | of as many dimensions |
//! | arrays | the layer is the first index |
//! | cubes | the face is the first index; of an array of cubes, six times the layer plus the face |
//! | multisampled | the sample is the last index |
//! | one of which the shader asks for a level other than the constant 0 | of one dimension: all levels one behind the other; a uniform `NAME_size` has width, height, depth or layers, and the number of levels |
//!
//! Whether a shader asks for levels is known when it has been walked, so such a shader is walked
//! twice.
//!
//! | module | contents |
//! |---|---|
//! | `format` | texels in memory |
//! | `access` | loads, stores, atomics, sizes |
//! | `sampler` | the settings of samplers |
//! | `sample` | sampling and gathering: levels, filters |
//! | `blend` | blends of the texels around a place |
//! | `cube` | directions, and the faces of cubes |
//! | `texture.kir` | what these call: functions of the kernel language |

mod access;
mod blend;
mod cube;
mod format;
mod sample;
mod sampler;

use std::sync::OnceLock;

use naga::common::wgsl::ToWgsl;
use naga::{GlobalVariable, Handle, ImageClass, ImageDimension, StorageAccess, TypeInner};
use tilewise_ir::kernel::{CallArgument, InstKind, ParamId, ParamKind, ValueId};
use tilewise_ir::math::{LibraryText, MathLibrary};
use tilewise_ir::ops::Op;
use tilewise_ir::text::library::FunctionLibrary;
use tilewise_ir::types::{Access, Stored, ViewType};

use crate::ShaderImporter;
use crate::entry::{BindingKind, BindingSlot, ShaderBinding, TextureBinding};
use crate::feature::ShaderFeature;
use crate::value::ShaderValue;
pub(crate) use access::TexelAddress;
use format::TexelFormat;
pub(crate) use sample::SampleRequest;

/// The type of a texture, as naga has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextureShape {
    /// The dimension.
    pub dimension: ImageDimension,
    /// Has it layers?
    pub is_array: bool,
    /// What its texels are, and the format of a storage texture.
    pub class: ImageClass,
}

/// A texture of the shader.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShaderTexture {
    param: ParamId,
    view: Option<ValueId>,
    shape: TextureShape,
    format: TexelFormat,
    /// The parameter with its size, if it has levels.
    size_param: Option<ParamId>,
    /// Width, height, depth or layers, levels: of a texture with levels.
    size: Option<[ValueId; 4]>,
}

impl TextureShape {
    /// Coordinates of a texel, without layer and sample.
    pub fn coordinates(&self) -> u32 {
        match self.dimension {
            ImageDimension::D1 => 1,
            ImageDimension::D2 | ImageDimension::Cube => 2,
            ImageDimension::D3 => 3,
        }
    }

    /// Is the first index a layer or a face?
    pub fn has_layers(&self) -> bool {
        self.is_array || self.dimension == ImageDimension::Cube
    }

    /// The format of a storage texture, as WGSL names it.
    pub fn format_name(&self) -> Option<&'static str> {
        match self.class {
            ImageClass::Storage { format, .. } => Some(format.to_wgsl()),
            ImageClass::Sampled { .. } | ImageClass::Depth { .. } | ImageClass::External => None,
        }
    }

    /// Are levels halved in depth?
    pub fn is_volume(&self) -> bool {
        self.dimension == ImageDimension::D3
    }

    /// The number of indices of a texel: of dimensions of the view, if it has no levels.
    pub fn rank(&self) -> u32 {
        self.coordinates() + u32::from(self.has_layers()) + u32::from(self.class.is_multisampled())
    }
}

/// The functions of `texture.kir`.
fn functions() -> &'static FunctionLibrary {
    static LIBRARY: OnceLock<FunctionLibrary> = OnceLock::new();
    const TEXTS: &[LibraryText] = &[LibraryText { name: "texture", text: include_str!("texture.kir") }];
    LIBRARY.get_or_init(|| FunctionLibrary::new(&MathLibrary { name: "texture", texts: TEXTS }))
}

impl ShaderImporter<'_> {
    /// Calls a function of `texture.kir`.
    pub(crate) fn texture_call(&mut self, name: &str, args: &[ValueId]) -> ValueId {
        match functions().link(&mut self.builder, &format!("texture::{name}")) {
            Ok(function) => {
                let args = args.iter().map(|&arg| CallArgument::Value(arg)).collect();
                self.inst(InstKind::Call { function, args })
            }
            // A test links all of them.
            Err(_) => self.builder.invalid(),
        }
    }

    /// Declares the parameters of a texture or sampler.
    pub(crate) fn declare_handle(
        &mut self,
        handle: Handle<GlobalVariable>,
        name: &str,
        slot: BindingSlot,
        bindings: &mut Vec<ShaderBinding>,
    ) -> ShaderValue {
        let pos = self.pos;
        match self.module.types[self.module.global_variables[handle].ty].inner {
            TypeInner::Sampler { comparison } => {
                let ty = self.sampler_type();
                let param = self.builder.param(name, ParamKind::Uniform(ty), pos);
                let kind = BindingKind::Sampler { comparison };
                bindings.push(ShaderBinding { name: name.to_owned(), slot, is_writable: false, kind });
                ShaderValue::Sampler(param)
            }
            TypeInner::Image { dim, arrayed, class } => {
                let Some(format) = TexelFormat::of(class) else {
                    return self.refuse(ShaderFeature::Textures);
                };
                let has_levels = self.levelled.contains(&handle);
                let is_writable = match class {
                    ImageClass::Storage { access, .. } => {
                        access.intersects(StorageAccess::STORE | StorageAccess::ATOMIC)
                    }
                    ImageClass::Sampled { .. } | ImageClass::Depth { .. } | ImageClass::External => false,
                };
                let shape = TextureShape { dimension: dim, is_array: arrayed, class };
                let rank = if has_levels { 1 } else { shape.rank() };
                let access = if is_writable { Access::ReadWrite } else { Access::Read };
                let view = ViewType { element: self.texel_type(format), rank, access };
                let param = self.builder.param(name, ParamKind::View(view), pos);
                let mut texture = ShaderTexture { param, view: None, shape, format, size_param: None, size: None };
                let kind = BindingKind::Texture(TextureBinding { shape, has_levels });
                bindings.push(ShaderBinding { name: name.to_owned(), slot, is_writable, kind });
                if has_levels {
                    let name = self.free_name(format!("{name}_size"));
                    let ty = self.builder.types().vector(Stored::U32, 4);
                    texture.size_param = Some(self.builder.param(&name, ParamKind::Uniform(ty), pos));
                    bindings.push(ShaderBinding { name, slot, is_writable: false, kind: BindingKind::TextureSize });
                }
                self.textures.insert(handle, texture);
                ShaderValue::Texture(handle)
            }
            TypeInner::AccelerationStructure { .. } | TypeInner::RayQuery { .. } => {
                self.refuse(ShaderFeature::RayQueries)
            }
            TypeInner::BindingArray { .. }
            | TypeInner::Scalar(_)
            | TypeInner::Vector { .. }
            | TypeInner::Matrix { .. }
            | TypeInner::CooperativeMatrix { .. }
            | TypeInner::Atomic(_)
            | TypeInner::Pointer { .. }
            | TypeInner::ValuePointer { .. }
            | TypeInner::Array { .. }
            | TypeInner::Struct { .. } => self.refuse(ShaderFeature::BindingArrays),
        }
    }

    /// A name that no variable of the module has.
    fn free_name(&self, mut name: String) -> String {
        while self.module.global_variables.iter().any(|(_, other)| other.name.as_ref() == Some(&name)) {
            name.push('_');
        }
        name
    }

    /// Where the kernel begins: the views, and the sizes of textures with levels.
    pub(crate) fn begin_texture(&mut self, handle: Handle<GlobalVariable>) {
        let Some(mut texture) = self.textures.get(&handle).copied() else { return };
        texture.view = Some(self.builder.param_value(texture.param.index() as u32));
        if let Some(param) = texture.size_param {
            let size = self.builder.param_value(param.index() as u32);
            // No texture has more levels, whatever is bound; sizes of levels are shifts.
            let most = self.u32(32);
            texture.size = Some([0, 1, 2, 3].map(|i| {
                let mut part = self.component(size, i);
                if i == 3 {
                    part = self.op(Op::Min, &[part, most]);
                }
                self.op(Op::ToI32, &[part])
            }));
        }
        self.textures.insert(handle, texture);
    }

    /// The texture that an expression names.
    pub(crate) fn texture(&mut self, value: &ShaderValue) -> Option<(Handle<GlobalVariable>, ShaderTexture)> {
        match value {
            ShaderValue::Texture(handle) => Some((*handle, *self.textures.get(handle)?)),
            other => self.no_resource(other),
        }
    }

    /// Refuses a value that stands where a texture or a sampler does: an element of an array of them.
    fn no_resource<T>(&mut self, value: &ShaderValue) -> Option<T> {
        if !matches!(value, ShaderValue::Refused) {
            self.refuse(ShaderFeature::BindingArrays);
        }
        None
    }

    /// The view of a texture, and its size in each dimension of the view.
    fn whole_view(&mut self, texture: &ShaderTexture) -> (ValueId, Vec<ValueId>) {
        let view = texture.view.unwrap_or_else(|| self.builder.invalid());
        let sizes =
            (0..texture.shape.rank()).map(|dimension| self.inst(InstKind::ViewExtent { view, dimension })).collect();
        (view, sizes)
    }

    /// The view of one level, with its sizes. The level is one that the texture has.
    fn level_view(&mut self, texture: &ShaderTexture, level: ValueId) -> (ValueId, Vec<ValueId>) {
        let Some([width, height, depth, _]) = texture.size else { return self.whole_view(texture) };
        let is_volume = self.builder.constant(tilewise_ir::kernel::Const::bool(texture.shape.is_volume()));
        let start = self.texture_call("start", &[width, height, depth, is_volume, level]);
        let mut sizes = Vec::new();
        if texture.shape.is_volume() {
            sizes.push(self.texture_call("halved", &[depth, level]));
        } else if texture.shape.has_layers() {
            sizes.push(depth);
        }
        if texture.shape.coordinates() > 1 {
            sizes.push(self.texture_call("halved", &[height, level]));
        }
        sizes.push(self.texture_call("halved", &[width, level]));
        let count = sizes.iter().copied().reduce(|a, b| self.op(Op::Mul, &[a, b]));
        let count = count.unwrap_or(width);
        let view = texture.view.unwrap_or_else(|| self.builder.invalid());
        let section = self.inst(InstKind::Section { view, origin: vec![start], extent: vec![count] });
        let view = self.inst(InstKind::ViewAs { view: section, extent: sizes.clone() });
        (view, sizes)
    }
}

#[cfg(test)]
mod tests {
    use tilewise_ir::build::Builder;

    #[test]
    fn every_function_of_the_text_can_be_linked() {
        let text = include_str!("texture.kir");
        let names = text.lines().filter_map(|line| line.strip_prefix("fn texture::"));
        let names: Vec<&str> = names.filter_map(|rest| rest.split_once('(')).map(|(name, _)| name).collect();
        assert!(names.len() > 20, "{names:?}");
        for name in names {
            let mut builder = Builder::new("k", 1, None);
            let linked = super::functions().link(&mut builder, &format!("texture::{name}"));
            assert!(linked.is_ok(), "{name}: {linked:?}");
            assert!(tilewise_ir::check::check(builder.finish()).is_ok(), "{name}");
        }
    }
}
