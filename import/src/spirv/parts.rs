//! Instructions of GLSL.std.450 that naga does not read: `Modf` and `Frexp`, which store a part of their result, are
//! those with a struct of both and a store; two words of a `double` are a bitcast.

use spirv::GlslStd450Op;

use crate::spirv::op;
use crate::spirv::rewrite::SpirvRewriter;
use crate::spirv::types::CompositeType;
use crate::spirv::words::words;

impl SpirvRewriter<'_> {
    /// Writes such an instruction out; returns whether it was one.
    pub(crate) fn parts(&mut self, instruction: &[u32]) -> bool {
        let &[_, ty, id, set, number, value, ref others @ ..] = instruction else { return false };
        let is = |other: GlslStd450Op| number == other as u32;
        if Some(set) != self.glsl {
            return false;
        }
        match *others {
            [pointer] if is(GlslStd450Op::Modf) || is(GlslStd450Op::Frexp) => {
                let pointee =
                    self.writer.types.of(pointer).and_then(|ty| match self.writer.types.composites.get(&ty)? {
                        &CompositeType::Pointer { pointee, .. } => Some(pointee),
                        _ => None,
                    });
                let Some(pointee) = pointee else { return false };
                let both = match is(GlslStd450Op::Modf) {
                    true => GlslStd450Op::ModfStruct,
                    false => GlslStd450Op::FrexpStruct,
                };
                let structure = self.writer.types.structure(&[ty, pointee]);
                let both = self.writer.add(op::EXT_INST, structure, &[set, both as u32, value]);
                self.writer.add_as(op::COMPOSITE_EXTRACT, ty, id, &[both, 0]);
                let stored = self.writer.add(op::COMPOSITE_EXTRACT, pointee, &[both, 1]);
                self.writer.push(words(op::STORE, &[pointer, stored]));
                true
            }
            [] if is(GlslStd450Op::PackDouble2x32) || is(GlslStd450Op::UnpackDouble2x32) => self.bitcast(ty, id, value),
            _ => false,
        }
    }
}
