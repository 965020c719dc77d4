//! Cubes: a direction meets a face at a place, and a blend at an edge takes texels of the next face.

use naga::ImageDimension;
use tilewise_ir::kernel::{Const, ValueId};
use tilewise_ir::ops::Op;

use super::ShaderTexture;
use crate::ShaderImporter;

/// The place of a direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct CubePlace {
    /// The face, from 0 to 5.
    pub(super) face: ValueId,
    /// The direction as the face sees it: right, down, ahead.
    pub(super) seen: ValueId,
}

impl ShaderImporter<'_> {
    /// The place of a direction, and its coordinates on the face.
    pub(super) fn cube_place(&mut self, direction: ValueId) -> (CubePlace, Vec<ValueId>) {
        let face = self.texture_call("face", &[direction]);
        let seen = self.texture_call("towards", &[direction, face]);
        let [right, down, ahead] = [0, 1, 2].map(|i| self.component(seen, i));
        let coordinates = [right, down].map(|along| self.texture_call("on_face", &[along, ahead])).to_vec();
        (CubePlace { face, seen }, coordinates)
    }

    /// How the place on the face changes with a change of the direction.
    pub(super) fn cube_change(&mut self, place: CubePlace, change: ValueId) -> ValueId {
        let seen = self.texture_call("towards", &[change, place.face]);
        self.texture_call("face_change", &[place.seen, seen])
    }

    /// The index of a texel that may lie beyond an edge of the face.
    pub(super) fn cube_index(
        &mut self,
        place: CubePlace,
        layer: Option<ValueId>,
        [x, y]: [ValueId; 2],
        size: ValueId,
    ) -> Vec<ValueId> {
        let found = self.texture_call("across_edges", &[place.face, x, y, size]);
        let [mut face, row, column] = [0, 1, 2].map(|i| self.component(found, i));
        if let Some(layer) = layer {
            let faces = self.builder.constant(Const::i32(6));
            let first = self.op(Op::Mul, &[layer, faces]);
            face = self.op(Op::Add, &[first, face]);
        }
        vec![face, row, column]
    }
}

/// Is it a cube?
pub(super) fn is_cube(texture: &ShaderTexture) -> bool {
    texture.shape.dimension == ImageDimension::Cube
}
