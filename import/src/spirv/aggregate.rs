//! `OpCopyLogical` and `OpSelect` of structs, arrays and matrices, which naga does not read: written out for each part.

use crate::spirv::op;
use crate::spirv::rewrite::SpirvRewriter;
use crate::spirv::types::{CompositeType, PlainType};

/// Values of more parts are refused: each part is an instruction.
const MOST_PARTS: usize = 4096;

impl SpirvRewriter<'_> {
    /// The types of the parts of a composite; nothing of a scalar or a vector, or if they are too many.
    fn part_types(&self, ty: u32) -> Option<Vec<u32>> {
        match self.writer.types.composites.get(&ty)? {
            CompositeType::Struct(members) => Some(members.clone()),
            &CompositeType::Matrix { column, count } => Some(vec![column; (count as usize).min(MOST_PARTS)]),
            CompositeType::Array { element, length } => {
                let length = *self.writer.types.numbers.get(&(*length)?)? as usize;
                (length <= MOST_PARTS).then(|| vec![*element; length])
            }
            CompositeType::Pointer { .. } => None,
        }
    }

    /// The scalars and vectors of a type; `None` if they are too many.
    fn count_parts(&self, ty: u32, left: usize, depth: u32) -> Option<usize> {
        if self.writer.types.plain.contains_key(&ty) {
            return left.checked_sub(1);
        }
        // In a file that is broken a type could be of itself.
        let depth = depth.checked_sub(1)?;
        let parts = self.part_types(ty)?;
        if parts.is_empty() {
            // It counts too: arrays of arrays of it have no scalars, and would be walked without an end.
            return left.checked_sub(1);
        }
        parts.into_iter().try_fold(left, |left, part| self.count_parts(part, left, depth))
    }

    fn has_few_parts(&self, ty: u32) -> bool {
        self.count_parts(ty, MOST_PARTS, 32).is_some()
    }

    /// The parts of a value, each with its type.
    fn taken_apart(&mut self, ty: u32, value: u32) -> Vec<(u32, u32)> {
        let types = self.part_types(ty).unwrap_or_default();
        let part = |(i, ty)| (ty, self.writer.add(op::COMPOSITE_EXTRACT, ty, &[value, i]));
        (0..).zip(types).map(part).collect()
    }

    /// Writes an `OpCopyLogical` out: the value has another type with the same parts. The error says what it is.
    pub(crate) fn copy_logical(&mut self, ty: u32, id: u32, value: u32) -> Result<(), String> {
        let from = self.writer.types.of(value).filter(|&from| self.has_few_parts(from) && self.has_few_parts(ty));
        let copied = from.and_then(|from| self.copied(from, ty, value));
        let copied = copied.ok_or("an `OpCopyLogical` of a value that has no parts, or very many")?;
        self.writer.add_as(op::COPY_OBJECT, ty, id, &[copied]);
        Ok(())
    }

    fn copied(&mut self, from: u32, to: u32, value: u32) -> Option<u32> {
        if from == to {
            return Some(value);
        }
        let to_types = self.part_types(to)?;
        let parts = self.taken_apart(from, value);
        if parts.len() != to_types.len() {
            return None;
        }
        let copied = parts.into_iter().zip(to_types).map(|((from, part), to)| self.copied(from, to, part));
        let copied: Option<Vec<u32>> = copied.collect();
        Some(self.writer.add(op::COMPOSITE_CONSTRUCT, to, &copied?))
    }

    /// Writes an `OpSelect` by one condition out, unless it is of scalars. Returns whether it was one.
    pub(crate) fn select(&mut self, ty: u32, id: u32, [condition, yes, no]: [u32; 3]) -> Result<bool, String> {
        let is_one =
            self.writer.types.of(condition).and_then(|ty| self.writer.types.plain.get(&ty)) == Some(&PlainType::Bool);
        let is_scalar = matches!(self.writer.types.components(ty), Some((_, 1)));
        if !is_one || is_scalar {
            return Ok(false);
        }
        if !self.has_few_parts(ty) {
            return Err("an `OpSelect` of pointers, or of values with very many parts".to_owned());
        }
        let chosen = self.chosen(ty, [condition, yes, no]);
        self.writer.add_as(op::COPY_OBJECT, ty, id, &[chosen]);
        Ok(true)
    }

    fn chosen(&mut self, ty: u32, [condition, yes, no]: [u32; 3]) -> u32 {
        match self.writer.types.plain.get(&ty) {
            Some(&PlainType::Vector { count, .. }) => {
                let conditions = self.writer.types.with_component(ty, PlainType::Bool);
                let all = self.writer.add(op::COMPOSITE_CONSTRUCT, conditions, &vec![condition; count.min(4) as usize]);
                self.writer.add(op::SELECT, ty, &[all, yes, no])
            }
            Some(_) => self.writer.add(op::SELECT, ty, &[condition, yes, no]),
            None => {
                let (yes, no) = (self.taken_apart(ty, yes), self.taken_apart(ty, no));
                let parts: Vec<u32> =
                    yes.iter().zip(&no).map(|(yes, no)| self.chosen(yes.0, [condition, yes.1, no.1])).collect();
                self.writer.add(op::COMPOSITE_CONSTRUCT, ty, &parts)
            }
        }
    }
}
