//! Sampling and gathering: which level, which filter, which texels. `docs/graphics.md` defines each
//! step; `docs/import.md` says what comes from WGSL's samplers.

use naga::{Expression, GlobalVariable, Handle, SampleLevel, ScalarKind, SwizzleComponent};
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::{Block, Const, InstKind, ParamId, Step, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::types::Scalar;

use super::ShaderTexture;
use super::cube::{CubePlace, is_cube};
use super::sampler::SamplerField;
use crate::ShaderImporter;
use crate::call::FunctionFrame;
use crate::feature::ShaderFeature;
use crate::narrow::scalar_of;
use crate::value::ShaderValue;

/// What a shader asks for: the parts of naga's expression.
#[derive(Clone, Copy)]
pub(crate) struct SampleRequest {
    pub(crate) image: Handle<Expression>,
    pub(crate) sampler: Handle<Expression>,
    pub(crate) gather: Option<SwizzleComponent>,
    pub(crate) coordinate: Handle<Expression>,
    pub(crate) layer: Option<Handle<Expression>>,
    pub(crate) offset: Option<Handle<Expression>>,
    pub(crate) level: SampleLevel,
    pub(crate) reference: Option<Handle<Expression>>,
    pub(crate) clamp_to_edge: bool,
}

/// A sample being built: its operands as values.
pub(super) struct TextureSample {
    pub(super) handle: Handle<GlobalVariable>,
    pub(super) texture: ShaderTexture,
    pub(super) sampler: ParamId,
    /// Normalised coordinates, x first; on the face, of a cube.
    pub(super) at: Vec<ValueId>,
    pub(super) offset: Vec<ValueId>,
    /// Address modes, x first.
    pub(super) modes: Vec<ValueId>,
    pub(super) layer: Option<ValueId>,
    pub(super) cube: Option<CubePlace>,
    /// Comparison and reference.
    pub(super) compared: Option<(ValueId, ValueId)>,
    pub(super) clamp_to_edge: bool,
}

impl<'m> ShaderImporter<'m> {
    /// `textureSampleLevel`, `textureGather` and their like.
    pub(crate) fn texture_sample(&mut self, frame: &mut FunctionFrame<'m>, request: SampleRequest) -> ShaderValue {
        let image = self.value(frame, request.image);
        let (Some((handle, texture)), Some(sampler)) = (self.texture(&image), self.sampler(frame, request.sampler))
        else {
            return ShaderValue::Refused;
        };
        let sample = self.sample_operands(frame, request, (handle, texture, sampler));
        if let Some(component) = request.gather {
            return ShaderValue::Data(self.gathered(&sample, component));
        }
        let Some((lod, asks)) = self.level_of_detail(frame, request, &sample) else { return ShaderValue::Refused };
        let [least, most] =
            [SamplerField::LeastLevel, SamplerField::MostLevel].map(|field| self.setting(sampler, field));
        let lod = self.texture_call("held", &[lod, least, most]);
        if asks {
            self.wanted_levels.insert(handle);
        }
        let zero = self.builder.constant(Const::f32(0.0));
        let is_smaller = self.op(Op::Gt, &[lod, zero]);
        let [magnify, minify] =
            [SamplerField::MagnifyFilter, SamplerField::MinifyFilter].map(|field| self.setting(sampler, field));
        let filter = self.op(Op::Select, &[is_smaller, minify, magnify]);
        let is_linear = self.is_linear(filter);
        let value = match texture.size {
            Some([.., levels]) => self.between_levels(&sample, lod, levels, is_linear),
            None => {
                let zero = self.builder.constant(Const::i32(0));
                self.at_level(&sample, zero, is_linear)
            }
        };
        ShaderValue::Data(value)
    }

    fn sample_operands(
        &mut self,
        frame: &mut FunctionFrame<'m>,
        request: SampleRequest,
        (handle, texture, sampler): (Handle<GlobalVariable>, ShaderTexture, ParamId),
    ) -> TextureSample {
        let coordinate = self.data_of(frame, request.coordinate);
        let (cube, at) = if is_cube(&texture) {
            let (place, at) = self.cube_place(coordinate);
            (Some(place), at)
        } else {
            let count = texture.shape.coordinates() as u8;
            (None, (0..count).map(|i| self.component(coordinate, i)).collect())
        };
        let offset = match request.offset {
            Some(offset) => {
                let offset = self.data_of(frame, offset);
                (0..at.len() as u8).map(|i| self.component(offset, i)).collect()
            }
            None => vec![self.builder.constant(Const::i32(0)); at.len()],
        };
        let modes = (0..at.len() as u32).map(|i| self.setting(sampler, SamplerField::Address(i))).collect();
        let layer = request.layer.map(|layer| {
            let layer = self.layer_number(frame, layer);
            let first = self.level_zero(&texture).1[0];
            let layers = self.layers_of(&texture, first);
            let [zero, one] = [0, 1].map(|number| self.builder.constant(Const::i32(number)));
            let last = self.op(Op::Sub, &[layers, one]);
            let last = if fault::planted(Fault::LayerNotClamped) { layers } else { last };
            self.op(Op::Clamp, &[layer, zero, last])
        });
        let compared = request.reference.map(|reference| {
            let reference = self.data_of(frame, reference);
            (self.setting(sampler, SamplerField::Comparison), reference)
        });
        let clamp_to_edge = request.clamp_to_edge;
        TextureSample { handle, texture, sampler, at, offset, modes, layer, cube, compared, clamp_to_edge }
    }

    /// The number of a layer. Where it is a float, naga cuts it off; the nearest is meant, the even one of two.
    fn layer_number(&mut self, frame: &mut FunctionFrame<'m>, layer: Handle<Expression>) -> ValueId {
        if self.has_float_layers
            && let Expression::As { expr, kind: ScalarKind::Sint, .. } = frame.function.expressions[layer]
            && scalar_of(self.type_of(frame, expr)).is_some_and(|scalar| scalar.kind == ScalarKind::Float)
        {
            let number = self.data_of(frame, expr);
            let nearest = self.op(Op::RoundEven, &[number]);
            return self.convert(nearest, Scalar::I32);
        }
        let layer = self.data_of(frame, layer);
        self.convert(layer, Scalar::I32)
    }

    /// The level of detail, and whether it may be another than 0.
    fn level_of_detail(
        &mut self,
        frame: &mut FunctionFrame<'m>,
        request: SampleRequest,
        sample: &TextureSample,
    ) -> Option<(ValueId, bool)> {
        match request.level {
            SampleLevel::Zero => Some((self.builder.constant(Const::f32(0.0)), false)),
            SampleLevel::Exact(level) => {
                let level = self.data_of(frame, level);
                let asks = self.asks_for_level(sample.handle, level);
                if !asks {
                    return Some((self.builder.constant(Const::f32(0.0)), false));
                }
                Some((self.convert(level, Scalar::F32), true))
            }
            SampleLevel::Gradient { x, y } => {
                let [x, y] = [x, y].map(|change| {
                    let change = self.data_of(frame, change);
                    match sample.cube {
                        Some(place) => self.cube_change(place, change),
                        None => self.three(change),
                    }
                });
                let sizes = self.level_zero(&sample.texture).1;
                let spatial = sizes[sizes.len() - sample.at.len()..].to_vec();
                let mut parts = Vec::new();
                for size in spatial.into_iter().rev() {
                    parts.push(self.op(Op::ToF32, &[size]));
                }
                parts.resize(3, self.builder.constant(Const::f32(0.0)));
                let size = self.inst(InstKind::Compose(parts));
                Some((self.texture_call("gradient", &[x, y, size]), true))
            }
            SampleLevel::Auto | SampleLevel::Bias(_) => {
                self.refuse(ShaderFeature::Derivatives);
                None
            }
        }
    }

    /// A vector of three; missing components are 0.
    fn three(&mut self, value: ValueId) -> ValueId {
        let mut parts: Vec<ValueId> = (0..self.data_type(value).width).map(|i| self.component(value, i)).collect();
        parts.resize(3, self.builder.constant(Const::f32(0.0)));
        self.inst(InstKind::Compose(parts))
    }

    /// A sample of the nearest level, or a blend of two.
    fn between_levels(&mut self, sample: &TextureSample, lod: ValueId, levels: ValueId, is_linear: ValueId) -> ValueId {
        let filter = self.setting(sample.sampler, SamplerField::LevelFilter);
        let blends = self.is_linear(filter);
        let nearest = self.texture_call("level", &[lod, levels]);
        let shift = self.u32(8);
        let nearest = self.op(Op::Shl, &[nearest, shift]);
        let between = self.texture_call("between", &[lod, levels]);
        let fixed = self.op(Op::Select, &[blends, between, nearest]);
        let level = self.op(Op::Shr, &[fixed, shift]);
        let mask = self.builder.constant(Const::i32(255));
        let part = self.op(Op::And, &[fixed, mask]);
        let part = self.op(Op::ToF32, &[part]);
        let step = self.builder.constant(Const::f32(1.0 / 256.0));
        let weight = if fault::planted(Fault::WeightOfLevel) {
            self.builder.constant(Const::f32(0.0))
        } else {
            self.op(Op::Mul, &[part, step])
        };
        let detailed = self.at_level(sample, level, is_linear);
        let zero = self.builder.constant(Const::f32(0.0));
        let condition = self.op(Op::Gt, &[weight, zero]);
        self.builder.begin_block();
        let one = self.builder.constant(Const::i32(1));
        let next = self.op(Op::Add, &[level, one]);
        let coarse = self.at_level(sample, next, is_linear);
        let blended = self.blend(detailed, coarse, weight);
        let then = self.builder.end_block(Some(blended));
        self.inst(InstKind::If { condition, then, otherwise: Block { insts: Vec::new(), value: Some(detailed) } })
    }

    /// A sample of a level.
    fn at_level(&mut self, sample: &TextureSample, level: ValueId, is_linear: ValueId) -> ValueId {
        let (view, sizes) = self.level_view(&sample.texture, level);
        let spatial: Vec<ValueId> = sizes[sizes.len() - sample.at.len()..].iter().rev().copied().collect();
        let at: Vec<ValueId> = match sample.clamp_to_edge {
            true => {
                let held = sample.at.iter().zip(&spatial).map(|(&c, &size)| self.texture_call("inner", &[c, size]));
                held.collect()
            }
            false => sample.at.clone(),
        };
        self.builder.begin_block();
        let texels = self.blended_texels(sample, &at, &spatial);
        let linear = self.blended(sample, view, spatial[0], &texels, &mut Vec::new());
        let then = self.builder.end_block(Some(linear));
        self.builder.begin_block();
        let mut chosen = Vec::new();
        for (i, (&c, &size)) in at.iter().zip(&spatial).enumerate() {
            // A place on a face may be its very edge.
            let mode = if sample.cube.is_some() { self.u32(0) } else { sample.modes[i] };
            let offset = sample.offset[i];
            chosen.push(if offset == self.builder.constant(Const::i32(0)) {
                self.texture_call("point", &[c, size, mode])
            } else {
                self.texture_call("beside", &[c, size, offset, mode])
            });
        }
        let place = self.texel_place(sample, view, spatial[0], &chosen);
        let point = self.fetched_at(sample, place);
        let otherwise = self.builder.end_block(Some(point));
        self.inst(InstKind::If { condition: is_linear, then, otherwise })
    }

    /// One channel of the four texels that a linear sample blends, from the lower left
    /// counter-clockwise.
    fn gathered(&mut self, sample: &TextureSample, component: SwizzleComponent) -> ValueId {
        let (view, sizes) = self.level_zero(&sample.texture);
        let spatial: Vec<ValueId> = sizes[sizes.len() - sample.at.len()..].iter().rev().copied().collect();
        let texels = self.blended_texels(sample, &sample.at, &spatial);
        let [x, y] = [0, 1].map(|i| texels[i]);
        let four = [(x.first, y.second), (x.second, y.second), (x.second, y.first), (x.first, y.first)];
        let parts = four.map(|(x, y)| {
            self.texel_or_corner(sample, view, spatial[0], &[x, y], &|importer, mut place| {
                if sample.texture.format.width > 1 {
                    place.path.push(Step::Component(component as u8));
                }
                let value = importer.inst(InstKind::Load(place));
                importer.compared(sample, value)
            })
        });
        self.inst(InstKind::Compose(parts.to_vec()))
    }
}
