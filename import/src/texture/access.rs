//! Loads, stores, atomic operations, and what a shader asks of a texture's size.

use naga::{AtomicFunction, Expression, Handle, ImageQuery};
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::{Const, InstKind, Place, Root, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::types::Scalar;

use super::ShaderTexture;
use crate::ShaderImporter;
use crate::call::FunctionFrame;
use crate::feature::ShaderFeature;
use crate::statement::atomic_op;
use crate::value::ShaderValue;

/// The texel that a shader names: expressions.
#[derive(Clone, Copy)]
pub(crate) struct TexelAddress {
    pub(crate) coordinate: Handle<Expression>,
    pub(crate) layer: Option<Handle<Expression>>,
    pub(crate) sample: Option<Handle<Expression>>,
    pub(crate) level: Option<Handle<Expression>>,
}

impl<'m> ShaderImporter<'m> {
    /// `textureLoad`. Out of range it gives zeros.
    pub(crate) fn texture_load(
        &mut self,
        frame: &mut FunctionFrame<'m>,
        image: Handle<Expression>,
        address: TexelAddress,
    ) -> ShaderValue {
        let value = self.value(frame, image);
        let Some((handle, texture)) = self.texture(&value) else { return ShaderValue::Refused };
        let index = self.texel_index(frame, &texture, address);
        let level = address.level.map(|level| self.data_of(frame, level));
        let view = match level.filter(|&level| self.asks_for_level(handle, level)) {
            Some(level) => self.known_level_view(&texture, level),
            None => self.level_zero(&texture).0,
        };
        let place = Place { root: Root::View { view, index }, path: Vec::new() };
        ShaderValue::Data(self.load_texel(place, texture.format))
    }

    /// `textureStore`. Out of range it does nothing, as WGSL says.
    pub(crate) fn texture_store(
        &mut self,
        frame: &mut FunctionFrame<'m>,
        image: Handle<Expression>,
        address: TexelAddress,
        value: Handle<Expression>,
    ) {
        let image = self.value(frame, image);
        let Some((_, texture)) = self.texture(&image) else { return };
        let index = self.texel_index(frame, &texture, address);
        let value = self.data_of(frame, value);
        self.where_there(&texture, index, |importer, place| importer.store_texel(place, value, texture.format));
    }

    /// An atomic operation on a texel of one channel. Out of range it does nothing.
    pub(crate) fn texture_atomic(
        &mut self,
        frame: &mut FunctionFrame<'m>,
        image: Handle<Expression>,
        address: TexelAddress,
        function: AtomicFunction,
        value: Handle<Expression>,
    ) {
        let Ok(op) = atomic_op(function) else {
            _ = self.refuse(ShaderFeature::Textures);
            return;
        };
        let image = self.value(frame, image);
        let Some((_, texture)) = self.texture(&image) else { return };
        let index = self.texel_index(frame, &texture, address);
        let value = self.data_of(frame, value);
        self.where_there(&texture, index, |importer, place| {
            let pos = importer.pos;
            importer.builder.emit(InstKind::Atomic { op, place, value: Some(value) }, pos);
        });
    }

    /// `textureDimensions`, `textureNumLevels`, `textureNumLayers`, `textureNumSamples`.
    pub(crate) fn texture_query(
        &mut self,
        frame: &mut FunctionFrame<'m>,
        image: Handle<Expression>,
        query: ImageQuery,
    ) -> ShaderValue {
        let value = self.value(frame, image);
        let Some((handle, texture)) = self.texture(&value) else { return ShaderValue::Refused };
        let number = match query {
            ImageQuery::Size { level } => {
                let level = level.map(|level| self.data_of(frame, level));
                let sizes = self.level_sizes(handle, &texture, level);
                let mut parts: Vec<ValueId> = Vec::new();
                for size in sizes {
                    parts.push(self.op(Op::ToU32, &[size]));
                }
                return ShaderValue::Data(self.composed(parts));
            }
            ImageQuery::NumLevels => {
                self.wanted_levels.insert(handle);
                match texture.size {
                    Some(size) => size[3],
                    None => self.builder.constant(Const::i32(1)),
                }
            }
            ImageQuery::NumLayers => {
                let sizes = self.level_zero(&texture).1;
                let layers = sizes.first().copied().unwrap_or_else(|| self.builder.invalid());
                self.layers_of(&texture, layers)
            }
            ImageQuery::NumSamples => {
                let sizes = self.level_zero(&texture).1;
                sizes.last().copied().unwrap_or_else(|| self.builder.invalid())
            }
        };
        ShaderValue::Data(self.op(Op::ToU32, &[number]))
    }

    /// The layers of an array whose first dimension has this size: a cube has six faces.
    pub(super) fn layers_of(&mut self, texture: &ShaderTexture, size: ValueId) -> ValueId {
        if texture.shape.dimension != naga::ImageDimension::Cube {
            return size;
        }
        let faces = self.builder.constant(Const::i32(6));
        self.op(Op::Div, &[size, faces])
    }

    /// Width, height and depth of a level, as far as the texture has them.
    fn level_sizes(
        &mut self,
        handle: Handle<naga::GlobalVariable>,
        texture: &ShaderTexture,
        level: Option<ValueId>,
    ) -> Vec<ValueId> {
        let count = texture.shape.coordinates() as usize;
        match (level.filter(|&level| self.asks_for_level(handle, level)), texture.size) {
            (Some(level), Some(size)) => {
                let level = self.convert(level, Scalar::I32);
                size[..count].iter().map(|&size| self.texture_call("halved", &[size, level])).collect()
            }
            (None, Some(size)) => size[..count].to_vec(),
            (_, None) => {
                let mut sizes = self.whole_view(texture).1;
                if texture.shape.class.is_multisampled() {
                    sizes.pop();
                }
                sizes.reverse();
                sizes.truncate(count);
                sizes
            }
        }
    }

    /// Is it a level other than the constant 0? Then the texture has levels.
    pub(super) fn asks_for_level(&mut self, handle: Handle<naga::GlobalVariable>, level: ValueId) -> bool {
        let zeros = [Const::i32(0), Const::u32(0), Const::f32(0.0)].map(|zero| self.builder.constant(zero));
        let asks = !zeros.contains(&level);
        if asks {
            self.wanted_levels.insert(handle);
        }
        asks
    }

    /// The most detailed level.
    pub(super) fn level_zero(&mut self, texture: &ShaderTexture) -> (ValueId, Vec<ValueId>) {
        let zero = self.builder.constant(Const::i32(0));
        self.level_view(texture, zero)
    }

    /// The view of any level; of one that the texture does not have, a view without texels.
    fn known_level_view(&mut self, texture: &ShaderTexture, level: ValueId) -> ValueId {
        let Some([.., levels]) = texture.size else { return self.level_zero(texture).0 };
        let level = self.convert(level, Scalar::I32);
        let is_there = self.is_below(level, levels);
        let zero = self.builder.constant(Const::i32(0));
        let held = self.op(Op::Select, &[is_there, level, zero]);
        let (view, sizes) = self.level_view(texture, held);
        let extent = sizes.into_iter().map(|size| self.op(Op::Select, &[is_there, size, zero])).collect();
        let origin = (0..texture.shape.rank()).map(|_| zero).collect();
        self.inst(InstKind::Section { view, origin, extent })
    }

    /// `0 <= index < size`.
    fn is_below(&mut self, index: ValueId, size: ValueId) -> ValueId {
        let (index, size) = (self.op(Op::BitcastU32, &[index]), self.op(Op::BitcastU32, &[size]));
        self.op(Op::Lt, &[index, size])
    }

    /// The index of a texel in the view of its level.
    fn texel_index(
        &mut self,
        frame: &mut FunctionFrame<'m>,
        texture: &ShaderTexture,
        address: TexelAddress,
    ) -> Vec<ValueId> {
        let mut index = Vec::new();
        if let Some(layer) = address.layer {
            let layer = self.data_of(frame, layer);
            index.push(self.texel_number(layer));
        }
        let coordinate = self.data_of(frame, address.coordinate);
        for i in (0..texture.shape.coordinates()).rev() {
            let last = texture.shape.coordinates() - 1;
            let i = fault::choose(Fault::TexelOrder, i, last - i);
            let part = self.component(coordinate, i as u8);
            index.push(self.texel_number(part));
        }
        if texture.shape.class.is_multisampled() {
            index.push(match address.sample {
                Some(sample) => {
                    let sample = self.data_of(frame, sample);
                    self.texel_number(sample)
                }
                None => self.builder.constant(Const::i32(0)),
            });
        }
        index
    }

    /// A number of a texel's index. A constant that is out of range is none in the kernel.
    fn texel_number(&mut self, number: ValueId) -> ValueId {
        let number = self.convert(number, Scalar::I32);
        self.not_constant_beyond(number, i128::MAX)
    }

    /// Does something to a texel if there is one at the index.
    fn where_there(&mut self, texture: &ShaderTexture, index: Vec<ValueId>, work: impl FnOnce(&mut Self, Place)) {
        let (view, sizes) = self.level_zero(texture);
        let mut condition = None;
        let tested = if fault::planted(Fault::StoreOutOfRange) { 1 } else { index.len() };
        for (&index, size) in index.iter().zip(sizes).take(tested) {
            let below = self.is_below(index, size);
            condition = Some(match condition {
                None => below,
                Some(before) => self.op(Op::And, &[before, below]),
            });
        }
        let Some(condition) = condition else { return };
        self.builder.begin_block();
        work(self, Place { root: Root::View { view, index }, path: Vec::new() });
        let then = self.builder.end_block(None);
        let pos = self.pos;
        let otherwise = tilewise_ir::kernel::Block::default();
        self.builder.emit(InstKind::If { condition, then, otherwise }, pos);
    }
}
