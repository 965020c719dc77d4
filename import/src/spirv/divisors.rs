//! Divisors that are the constant zero, which naga refuses. SPIR-V permits them where they are never reached, or where
//! nobody asks for the quotient; and in kernels `x / 0` is `x`, and `x % 0` is 0: as of a division by one.

use std::collections::{HashMap, HashSet};

use crate::spirv::op;
use crate::spirv::rewrite::SpirvRewriter;
use crate::spirv::types::PlainType;
use crate::spirv::words::PlacedWords;

/// Constants of a module that are zero or have parts that are.
#[derive(Default)]
pub(crate) struct ZeroConstants {
    zeros: HashSet<u32>,
    parts: HashMap<u32, Vec<u32>>,
}

impl ZeroConstants {
    /// Notes what an instruction declares.
    pub(crate) fn note(&mut self, words: &[u32]) {
        match (words[0] & 0xffff, words) {
            (op::CONSTANT, &[_, _, id, ref bits @ ..]) if bits.iter().all(|&word| word == 0) => {
                self.zeros.insert(id);
            }
            (op::CONSTANT_NULL | op::UNDEF, &[_, _, id]) => _ = self.zeros.insert(id),
            (op::CONSTANT_COMPOSITE, &[_, _, id, ref parts @ ..]) if parts.len() <= 4 => {
                self.parts.insert(id, parts.to_vec());
            }
            _ => {}
        }
    }

    /// Is it a constant that is zero?
    pub(crate) fn is_zero(&self, id: u32) -> bool {
        self.zeros.contains(&id)
    }

    /// The zeros of the declarations of a module.
    pub(crate) fn of(module: &[PlacedWords], added: &[Vec<u32>]) -> ZeroConstants {
        let mut zeros = ZeroConstants::default();
        module.iter().map(|one| &one.1).chain(added).for_each(|words| zeros.note(words));
        zeros
    }
}

impl SpirvRewriter<'_> {
    /// Makes the zeros of a constant divisor ones.
    pub(crate) fn without_zeros(&mut self, instruction: &mut [u32]) {
        let is_division = matches!(instruction[0] & 0xffff, op::U_DIV | op::S_DIV | op::U_MOD | op::S_REM | op::S_MOD);
        let &mut [_, _, _, _, ref mut divisor] = instruction else { return };
        if !is_division {
            return;
        }
        let Some(ty) = self.writer.types.of(*divisor) else { return };
        let Some((component @ PlainType::Int { width, .. }, count @ 1..=4)) = self.writer.types.components(ty) else {
            return;
        };
        let of = self.writer.types.type_id(component);
        let bits: &[u32] = if width == 64 { &[1, 0] } else { &[1] };
        let zeros = &self.zeros.zeros;
        let parts = match self.zeros.parts.get(divisor) {
            _ if zeros.contains(divisor) => vec![None; count as usize],
            Some(parts) if parts.iter().any(|part| zeros.contains(part)) => {
                parts.iter().map(|part| Some(*part).filter(|part| !zeros.contains(part))).collect()
            }
            _ => return,
        };
        let one = self.writer.types.constant(op::CONSTANT, of, bits);
        let parts: Vec<u32> = parts.into_iter().map(|part| part.unwrap_or(one)).collect();
        let is_vector = matches!(self.writer.types.plain.get(&ty), Some(PlainType::Vector { .. }));
        *divisor = if is_vector { self.writer.types.constant(op::CONSTANT_COMPOSITE, ty, &parts) } else { one };
    }
}
