//! Samples, gathers and reads of textures by the device's texture units, in Relaxed.
//!
//! [`texture_calls`](tilewise_ir::analysis::texture_calls) finds the calls that a unit can compute. A
//! launch decides which of them a unit does compute ([`TextureUse`]): the device has the texture's
//! format, and the modes of the sampler are known. Those calls are not inlined; each becomes one
//! expression that names a texture and a sampler. All others are computed by their bodies, on the
//! texels in memory. A texture of one dimension is one of two, of one row: no shader but a fragment's
//! samples the other.

use naga::{
    AddressSpace, BinaryOperator, Expression, ImageClass, ImageDimension, ImageQuery, Literal, MathFunction,
    SampleLevel, SwizzleComponent, TypeInner,
};
use tilewise_ir::analysis::texture_calls::{TextureCall, TextureOperation};
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::{CallArgument, Kernel};
use tilewise_ir::types::{Data, Scalar};

use super::builder::{ExprHandle, vector_size};
use super::lowered::{ModuleKey, binding};
use super::state::{Lowerer, LoweringResult, malformed};

/// A call that a texture unit computes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TextureUse {
    /// The name of the function.
    pub function: String,
    /// What it computes.
    pub operation: TextureOperation,
    /// The texture.
    pub texture: TextureSlot,
    /// The number of floats that it gives.
    pub floats: u8,
    /// How it is sampled; nothing for a read.
    pub sampler: Option<SamplerKey>,
}

/// A texture that a module binds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TextureSlot {
    /// The parameter of the kernel that is the view of its texels.
    pub param: u32,
    /// Its dimensions.
    pub rank: u8,
}

/// A sampler that a module binds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SamplerKey {
    /// Whether it blends the texels around.
    pub linear: bool,
    /// What it does outside.
    pub address: SamplerAddress,
}

/// The address modes that devices have. They have few colours of borders, so there is none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SamplerAddress {
    /// The texture is repeated.
    Repeat,
    /// It is repeated, every second time mirrored.
    Mirror,
    /// The texels at the edge go on.
    Clamp,
}

impl SamplerKey {
    /// Of the numbers of the library's modes; nothing for those that devices do not have.
    pub fn of(filter: u32, address: u32) -> Option<SamplerKey> {
        let address = match address {
            0 => SamplerAddress::Repeat,
            1 => SamplerAddress::Mirror,
            2 => SamplerAddress::Clamp,
            _ => return None,
        };
        (filter <= 1).then_some(SamplerKey { linear: filter == 1, address })
    }
}

impl TextureUse {
    /// The use of a call, with that sampler.
    pub fn of(kernel: &Kernel, call: &TextureCall, sampler: Option<SamplerKey>) -> Option<TextureUse> {
        Some(TextureUse {
            function: kernel.functions().get(call.function.index())?.name().to_owned(),
            operation: call.operation,
            texture: TextureSlot { param: call.param.index() as u32, rank: call.rank },
            floats: call.floats,
            sampler,
        })
    }
}

impl ModuleKey {
    /// The textures that the module binds, in order.
    pub fn texture_slots(&self) -> Vec<TextureSlot> {
        in_order(self.textures.iter().map(|used| used.texture))
    }

    /// The samplers that the module binds, in order.
    pub fn sampler_keys(&self) -> Vec<SamplerKey> {
        in_order(self.textures.iter().filter_map(|used| used.sampler))
    }
}

/// Each once, in the order of first use.
fn in_order<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut out = Vec::new();
    for one in all {
        if !out.contains(&one) {
            out.push(one);
        }
    }
    out
}

impl Lowerer<'_> {
    /// Declares the textures and samplers.
    pub(super) fn bind_textures(&mut self) {
        let allocations = self.memory.allocations.len() as u32;
        let (textures, samplers) = (self.input.key.texture_slots(), self.input.key.sampler_keys());
        let numbers = binding::ALLOCATIONS + allocations..;
        let mut numbers = numbers.into_iter();
        for texture in textures {
            let dim = if texture.rank == 3 { ImageDimension::D3 } else { ImageDimension::D2 };
            let class = ImageClass::Sampled { kind: naga::ScalarKind::Float, multi: false };
            let ty = self.b.ty(TypeInner::Image { dim, arrayed: false, class });
            let name = format!("texture_{}", texture.param);
            let (_, image) = self.global(name, AddressSpace::Handle, numbers.next(), ty);
            self.memory.textures.push((texture, image));
        }
        for (i, sampler) in samplers.into_iter().enumerate() {
            let ty = self.b.ty(TypeInner::Sampler { comparison: false });
            let (_, handle) = self.global(format!("sampler_{i}"), AddressSpace::Handle, numbers.next(), ty);
            self.memory.samplers.push((sampler, handle));
        }
    }

    /// A call that a texture unit computes; nothing if it is no such call.
    pub(super) fn by_texture_unit(&mut self, name: &str, args: &[CallArgument]) -> LoweringResult<Option<ExprHandle>> {
        let Some(used) = self.input.key.textures.iter().find(|used| used.function == name).cloned() else {
            return Ok(None);
        };
        let texture = self.memory.textures.iter().find(|(slot, _)| *slot == used.texture);
        let Some(&(_, image)) = texture else { return Err(malformed("a texture is not bound")) };
        let Some(key) = used.sampler else { return self.texel(&used, image, args).map(Some) };
        let sampler = self.memory.samplers.iter().find(|(other, _)| *other == key);
        let Some(&(_, sampler)) = sampler else { return Err(malformed("a sampler is not bound")) };
        let [_, _, _, _, _, CallArgument::Value(at), ..] = args else {
            return Err(malformed("a sample without a place"));
        };
        let mut coordinate = self.value(*at)?;
        if used.texture.rank == 1 {
            let middle = self.b.literal(Literal::F32(0.5));
            coordinate = self.b.compose(Data { scalar: Scalar::F32, width: 2 }, vec![coordinate, middle]);
        }
        let (gather, level) = match used.operation {
            TextureOperation::Sample => (None, SampleLevel::Zero),
            TextureOperation::SampleLevel => {
                let Some(CallArgument::Value(level)) = args.get(6) else {
                    return Err(malformed("a sample without a level"));
                };
                (None, SampleLevel::Exact(self.value(*level)?))
            }
            TextureOperation::Gather(channel) => {
                (SwizzleComponent::XYZW.get(usize::from(channel)).copied(), SampleLevel::Zero)
            }
            TextureOperation::Load | TextureOperation::LoadLevel => {
                return Err(malformed("a read with a sampler"));
            }
        };
        let sample = self.b.expr(Expression::ImageSample {
            image,
            sampler,
            gather,
            coordinate,
            array_index: None,
            offset: None,
            level,
            depth_ref: None,
            clamp_to_edge: false,
        });
        Ok(Some(self.channels(sample, used.floats)))
    }

    /// The first channels of a texel.
    fn channels(&mut self, texel: ExprHandle, floats: u8) -> ExprHandle {
        match floats {
            4 => texel,
            1 => self.b.at(texel, 0),
            width => {
                let pattern = SwizzleComponent::XYZW;
                self.b.expr(Expression::Swizzle { size: vector_size(width), vector: texel, pattern })
            }
        }
    }

    /// A read. Out of range it gives zeros; a device that does not do so by itself is asked for a texel
    /// that there is.
    fn texel(&mut self, used: &TextureUse, image: ExprHandle, args: &[CallArgument]) -> LoweringResult<ExprHandle> {
        let mut given = Vec::new();
        for arg in &args[2..] {
            let CallArgument::Value(value) = arg else { return Err(malformed("an index that is a place")) };
            given.push(self.index(*value)?);
        }
        let robust = self.input.key.robust_images;
        let mut fits = None;
        let zero = self.b.u32(0);
        let mut level = zero;
        if used.operation == TextureOperation::LoadLevel {
            level = given.pop().ok_or_else(|| malformed("a read without a level"))?;
            if !robust {
                let levels = self.b.expr(Expression::ImageQuery { image, query: ImageQuery::NumLevels });
                level = self.below_size(level, levels, &mut fits);
            }
        }
        let mut coordinates: Vec<ExprHandle> = given.into_iter().rev().collect();
        if fault::planted(Fault::RowsAreColumns) {
            coordinates.reverse();
        }
        if !robust {
            let sizes = self.b.expr(Expression::ImageQuery { image, query: ImageQuery::Size { level: Some(level) } });
            for (d, index) in (0..).zip(&mut coordinates) {
                let size = self.b.at(sizes, d);
                *index = self.below_size(*index, size, &mut fits);
            }
        }
        coordinates.resize(if used.texture.rank == 3 { 3 } else { 2 }, zero);
        let coordinate = self.b.compose(Data { scalar: Scalar::U32, width: coordinates.len() as u8 }, coordinates);
        let level = Some(level);
        let texel = Expression::ImageLoad { image, coordinate, array_index: None, sample: None, level };
        let texel = self.b.expr(texel);
        let texel = self.channels(texel, used.floats);
        let none = self.b.zero(Data { scalar: Scalar::F32, width: used.floats });
        Ok(match fits {
            Some(fits) => self.b.select(fits, texel, none),
            None => texel,
        })
    }

    /// An index held below a size; `fits` becomes whether all were.
    fn below_size(&mut self, index: ExprHandle, size: ExprHandle, fits: &mut Option<ExprHandle>) -> ExprHandle {
        let below = self.b.less(index, size);
        *fits = Some(self.and_then(*fits, below));
        let one = self.b.u32(1);
        let last = self.b.binary(BinaryOperator::Subtract, size, one);
        self.b.math(MathFunction::Min, &[index, last])
    }
}

#[cfg(test)]
mod tests {
    use tilewise_ir::analysis::texture_calls::texture_calls;
    use tilewise_ir::check::check;
    use tilewise_ir::launch::{Argument, Domain, ViewArgument};
    use tilewise_ir::text::parse;

    use super::*;
    use crate::lower::{LaunchPredicates, LoweredModule, lower};
    use crate::shader_form;

    /// A volume, a picture and a row, each sampled once.
    const SAMPLES: &str = "struct Shape { levels: i32 }
fn graphics::sample(texels: view<u32, 1, read>, shape: &Shape, filter: i32, address: i32, border: f32x4, at: f32x3) -> f32x4 {
    return border;
}
fn graphics::sample_lod(texels: view<u16, 1, read>, shape: &Shape, filter: i32, address: i32, border: f32x4, at: f32, lod: f32) -> f32x2 {
    return f32x2(at, lod);
}
fn graphics::gather_blue(texels: view<u32, 1, read>, shape: &Shape, filter: i32, address: i32, border: f32x4, at: f32x2) -> f32x4 {
    return border;
}
kernel k(a: view<u32, 1, read>, b: view<u16, 1, read>, s: Shape, out: view<f32x4, 1, read_write>) rank(1) {
    let none = f32x4(0.0, 0.0, 0.0, 0.0);
    let volume = graphics::sample(a, &s, 1, 2, none, f32x3(0.5, 0.5, 0.5));
    let row = graphics::sample_lod(b, &s, 0, 0, none, 0.5, 1.5);
    let picture = graphics::gather_blue(a, &s, 1, 2, none, f32x2(0.5, 0.5));
    out[global[0]] = volume + picture * splat(row.x, 4) + f32x4(row.y, 0.0, 0.0, 0.0);
}
";

    /// The module of a launch that leaves the calls for which `is_kept` holds to texture units.
    fn lowered(is_kept: impl Fn(TextureOperation) -> bool) -> LoweredModule {
        let kernel = parse("k.kir", SAMPLES).unwrap_or_else(|failure| panic!("{failure}"));
        let kernel = check(kernel).unwrap_or_else(|failure| panic!("{failure}"));
        let view = |allocation| Argument::View(ViewArgument::dense(allocation, &[16]));
        let arguments = [view(0), view(1), Argument::Uniform(vec![0; 4]), view(2)];
        let wants = LaunchPredicates::of(&kernel);
        let calls = texture_calls(&kernel);
        assert_eq!(calls.len(), 3, "{calls:?}");
        let uses = calls.iter().filter(|call| is_kept(call.operation)).filter_map(|call| {
            let number = |number: tilewise_ir::analysis::captured::CapturedNumber| number.value(&arguments);
            let sampler = match call.sampler {
                Some(modes) => Some(SamplerKey::of(number(modes.filter)?, number(modes.address)?)?),
                None => None,
            };
            TextureUse::of(&kernel, call, sampler)
        });
        let textures: Vec<TextureUse> = uses.collect();
        let key = ModuleKey { textures, ..ModuleKey::of(&kernel, &wants, &Domain::new([16]), &arguments) };
        lower(&kernel, &key).unwrap_or_else(|why| panic!("{why}"))
    }

    fn samples(lowered: &LoweredModule) -> usize {
        let main = &lowered.module.entry_points[0].function;
        main.expressions.iter().filter(|(_, it)| matches!(it, Expression::ImageSample { .. })).count()
    }

    #[test]
    fn calls_of_texture_units_are_samples_of_what_is_bound() {
        let all = lowered(|_| true);
        assert_eq!((samples(&all), all.first_texture()), (3, binding::ALLOCATIONS + 3));
        let slot = |param, rank| TextureSlot { param, rank };
        assert_eq!(all.textures, [slot(0, 3), slot(1, 1), slot(0, 2)]);
        assert_eq!(all.samplers.len(), 2);
        shader_form::validate(&all.module).unwrap_or_else(|why| panic!("{why}"));
        let text = shader_form::wgsl(&all).unwrap_or_else(|why| panic!("{why}"));
        for line in ["texture_3d<f32>", "textureGather(2, ", "textureSampleLevel("] {
            assert!(text.contains(line), "there is no `{line}` in\n{text}");
        }
    }

    #[test]
    fn other_calls_are_computed_by_their_bodies() {
        let none = lowered(|_| false);
        assert_eq!((samples(&none), none.textures.len(), none.samplers.len()), (0, 0, 0));
        let one = lowered(|operation| operation == TextureOperation::SampleLevel);
        assert_eq!((samples(&one), one.textures.len(), one.samplers.len()), (1, 1, 1));
        shader_form::validate(&one.module).unwrap_or_else(|why| panic!("{why}"));
    }

    #[test]
    fn devices_have_all_modes_but_the_border() {
        let linear = |address| Some(SamplerKey { linear: true, address });
        assert_eq!(SamplerKey::of(1, 0), linear(SamplerAddress::Repeat));
        assert_eq!(SamplerKey::of(1, 1), linear(SamplerAddress::Mirror));
        assert_eq!(SamplerKey::of(1, 2), linear(SamplerAddress::Clamp));
        assert_eq!(SamplerKey::of(0, 2), Some(SamplerKey { linear: false, address: SamplerAddress::Clamp }));
        assert_eq!([SamplerKey::of(1, 3), SamplerKey::of(2, 0), SamplerKey::of(0, 9)], [None; 3]);
    }
}
