//! Blends of texels: those around a place, along each dimension; texels at the edges and corners of
//! cubes.

use tilewise_ir::kernel::{Const, InstKind, Place, Root, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::types::Stored;

use super::sample::TextureSample;
use crate::ShaderImporter;

/// The texels that are blended along a dimension, and the weight of the second.
#[derive(Clone, Copy)]
pub(super) struct BlendedTexels {
    pub(super) first: ValueId,
    pub(super) second: ValueId,
    weight: ValueId,
}

impl ShaderImporter<'_> {
    /// The texels that a linear sample blends, along each dimension.
    pub(super) fn blended_texels(
        &mut self,
        sample: &TextureSample,
        at: &[ValueId],
        sizes: &[ValueId],
    ) -> Vec<BlendedTexels> {
        let mut out = Vec::new();
        for (i, (&c, &size)) in at.iter().zip(sizes).enumerate() {
            let weight = self.texture_call("weight", &[c, size]);
            let (first, second) = match sample.cube {
                Some(_) => {
                    let [none, one] = [0, 1].map(|number| self.builder.constant(Const::i32(number)));
                    (
                        self.texture_call("cube_texel", &[c, size, none]),
                        self.texture_call("cube_texel", &[c, size, one]),
                    )
                }
                None => {
                    let args = [c, size, sample.offset[i], sample.modes[i]];
                    (self.texture_call("first", &args), self.texture_call("second", &args))
                }
            };
            out.push(BlendedTexels { first, second, weight });
        }
        out
    }

    /// The blend along the dimensions that are not yet `chosen`: the last first, so that x is blended
    /// before y. `chosen` has the last dimension first.
    pub(super) fn blended(
        &mut self,
        sample: &TextureSample,
        view: ValueId,
        width: ValueId,
        texels: &[BlendedTexels],
        chosen: &mut Vec<ValueId>,
    ) -> ValueId {
        let Some((&along, rest)) = texels.split_last() else {
            let texel: Vec<ValueId> = chosen.iter().rev().copied().collect();
            return self
                .texel_or_corner(sample, view, width, &texel, &|importer, place| importer.fetched_at(sample, place));
        };
        let [first, second] = [along.first, along.second].map(|texel| {
            chosen.push(texel);
            let value = self.blended(sample, view, width, rest, chosen);
            chosen.pop();
            value
        });
        self.blend(first, second, along.weight)
    }

    /// `a * (1 - weight) + b * weight`.
    pub(super) fn blend(&mut self, a: ValueId, b: ValueId, weight: ValueId) -> ValueId {
        let one = self.builder.constant(Const::f32(1.0));
        let other = self.op(Op::Sub, &[one, weight]);
        let a = self.wide_op(Op::Mul, &[a, other]);
        let b = self.wide_op(Op::Mul, &[b, weight]);
        self.op(Op::Add, &[a, b])
    }

    /// The place of a texel, x first.
    pub(super) fn texel_place(
        &mut self,
        sample: &TextureSample,
        view: ValueId,
        width: ValueId,
        texel: &[ValueId],
    ) -> Place {
        let index = match (sample.cube, texel) {
            (Some(place), &[x, y]) => self.cube_index(place, sample.layer, [x, y], width),
            _ => sample.layer.into_iter().chain(texel.iter().rev().copied()).collect(),
        };
        Place { root: Root::View { view, index }, path: Vec::new() }
    }

    /// The value of a texel; 1 or 0 if it is compared.
    pub(super) fn fetched_at(&mut self, sample: &TextureSample, place: Place) -> ValueId {
        let value = self.load_texel(place, sample.texture.format);
        self.compared(sample, value)
    }

    /// What is read of a texel. Beyond the corner of a cube there is none: the three around it count
    /// alike, if they are floats.
    pub(super) fn texel_or_corner(
        &mut self,
        sample: &TextureSample,
        view: ValueId,
        width: ValueId,
        texel: &[ValueId],
        read: &dyn Fn(&mut Self, Place) -> ValueId,
    ) -> ValueId {
        let is_float = sample.texture.format.stored == Stored::F32;
        let (Some(_), &[x, y], true) = (sample.cube, texel, is_float) else {
            let place = self.texel_place(sample, view, width, texel);
            return read(self, place);
        };
        let condition = self.texture_call("is_corner", &[x, y, width]);
        self.builder.begin_block();
        let [held_x, held_y] = [x, y].map(|c| self.texture_call("held_texel", &[c, width]));
        let [a, b, c] = [[held_x, held_y], [x, held_y], [held_x, y]].map(|texel| {
            let place = self.texel_place(sample, view, width, &texel);
            read(self, place)
        });
        let sum = self.op(Op::Add, &[a, b]);
        let sum = self.op(Op::Add, &[sum, c]);
        let three = self.builder.constant(Const::f32(3.0));
        let mean = self.wide_op(Op::Div, &[sum, three]);
        let then = self.builder.end_block(Some(mean));
        self.builder.begin_block();
        let place = self.texel_place(sample, view, width, texel);
        let value = read(self, place);
        let otherwise = self.builder.end_block(Some(value));
        self.inst(InstKind::If { condition, then, otherwise })
    }

    pub(super) fn compared(&mut self, sample: &TextureSample, value: ValueId) -> ValueId {
        match sample.compared {
            Some((comparison, reference)) => self.texture_call("passes", &[comparison, reference, value]),
            None => value,
        }
    }
}
