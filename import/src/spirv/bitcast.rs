//! Bitcasts of SPIR-V between other numbers of components: naga keeps the operand's number and width, whatever the
//! declared type is. They are written out: the components become words of the wider or narrower components.

use crate::spirv::op;
use crate::spirv::rewrite::SpirvRewriter;
use crate::spirv::types::PlainType;

/// Components of the longest vector of SPIR-V.
const MOST_COMPONENTS: u32 = 16;

impl SpirvRewriter<'_> {
    /// Writes an `OpBitcast` out whose sides have components of different widths. Returns whether it was one.
    pub(crate) fn bitcast(&mut self, ty: u32, id: u32, value: u32) -> bool {
        let Some((to, to_count)) = self.components(ty) else { return false };
        let Some(&from_ty) = self.writer.types.values.get(&value) else { return false };
        let Some((from, from_count)) = self.components(from_ty) else { return false };
        let (Some(from_width), Some(to_width)) = (width(from), width(to)) else { return false };
        // naga says what is wrong with one that changes the number of bits.
        let are_vectors = from_count.max(to_count) <= MOST_COMPONENTS;
        if from_count == to_count || !are_vectors || from_width * from_count != to_width * to_count {
            return false;
        }
        let unsigned = |width| PlainType::Int { width, is_signed: false };
        let (narrow, wide) =
            (self.writer.types.type_id(unsigned(from_width)), self.writer.types.type_id(unsigned(to_width)));
        let from_id = self.writer.types.type_id(from);
        let parts: Vec<u32> = (0..from_count)
            .map(|i| {
                let part = match from_count {
                    1 => value,
                    _ => self.writer.add(op::COMPOSITE_EXTRACT, from_id, &[value, i]),
                };
                if from_id == narrow { part } else { self.writer.add(op::BITCAST, narrow, &[part]) }
            })
            .collect();
        let words: Vec<u32> = if from_width > to_width {
            let split = parts.iter().flat_map(|&part| (0..from_width / to_width).map(move |i| (part, i)));
            split
                .map(|(part, i)| {
                    let shifted = match i {
                        0 => part,
                        _ => {
                            let distance = self.writer.types.number(i * to_width);
                            self.writer.add(op::SHIFT_RIGHT_LOGICAL, narrow, &[part, distance])
                        }
                    };
                    self.writer.add(op::U_CONVERT, wide, &[shifted])
                })
                .collect()
        } else {
            parts
                .chunks((to_width / from_width) as usize)
                .map(|joined| {
                    let mut word = self.writer.add(op::U_CONVERT, wide, &[joined[0]]);
                    for (i, &part) in (1..).zip(&joined[1..]) {
                        let distance = self.writer.types.number(i * from_width);
                        let part = self.writer.add(op::U_CONVERT, wide, &[part]);
                        let part = self.writer.add(op::SHIFT_LEFT_LOGICAL, wide, &[part, distance]);
                        word = self.writer.add(op::BITWISE_OR, wide, &[word, part]);
                    }
                    word
                })
                .collect()
        };
        let to_id = self.writer.types.type_id(to);
        match words.as_slice() {
            &[word] => self.writer.add_as(op::BITCAST, ty, id, &[word]),
            words => {
                let parts: Vec<u32> = words
                    .iter()
                    .map(|&word| if to_id == wide { word } else { self.writer.add(op::BITCAST, to_id, &[word]) })
                    .collect();
                self.writer.add_as(op::COMPOSITE_CONSTRUCT, ty, id, &parts);
            }
        }
        true
    }

    /// The type of the components, and how many there are; nothing of types that shaders have not.
    pub(crate) fn components(&self, ty: u32) -> Option<(PlainType, u32)> {
        self.writer.types.components(ty).filter(|&(scalar, count)| count <= 4 && width(scalar).is_some())
    }
}

/// The bits of a scalar of those that shaders have.
fn width(scalar: PlainType) -> Option<u32> {
    match scalar {
        PlainType::Int { width, .. } | PlainType::Float { width } if matches!(width, 16 | 32 | 64) => Some(width),
        _ => None,
    }
}
