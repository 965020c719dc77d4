//! Random memory types.

use tilewise_ir::types::{Field, Stored, Struct, Type, TypeId};

use super::KernelMaker;

impl KernelMaker {
    /// Draws the types of the kernel's memory.
    pub(super) fn memory_types(&mut self) {
        for _ in 0..self.rng.range(2, 5) {
            let ty = self.memory_type(2, false);
            self.types.push(ty);
        }
    }

    /// A stored scalar that the host may see, or any.
    pub(super) fn stored(&mut self, bool: bool) -> Stored {
        let all = &Stored::ALL[usize::from(!bool)..];
        all[self.rng.below(all.len())]
    }

    /// A type of fixed size, at most some dozens of bytes.
    pub(super) fn memory_type(&mut self, depth: u32, bool: bool) -> TypeId {
        let kind = if depth == 0 { self.rng.below(6) } else { self.rng.below(10) };
        match kind {
            0..4 => {
                let stored = self.stored(bool);
                self.b.types().scalar(stored)
            }
            4 | 5 => {
                let stored = self.stored(bool);
                let width = self.rng.range(2, 4) as u8;
                self.b.types().vector(stored, width)
            }
            6 | 7 => {
                let element = self.memory_type(depth - 1, bool);
                let length = self.rng.range(1, 4) as u32;
                let natural = self.b.types().natural_stride(element);
                let stride = if self.rng.percent(30) { natural + self.rng.range(1, 5) as u32 } else { natural };
                self.small(Type::Array { element, length: Some(length), stride }, bool)
            }
            _ => {
                let ty = self.structure(depth - 1, bool);
                self.small(ty, bool)
            }
        }
    }

    /// The type, or another if it is large.
    fn small(&mut self, ty: Type, bool: bool) -> TypeId {
        let id = self.b.types().add(ty);
        if self.b.types().size(id) <= 64 { id } else { self.memory_type(0, bool) }
    }

    fn structure(&mut self, depth: u32, bool: bool) -> Type {
        let fields: Vec<(std::sync::Arc<str>, TypeId)> = (0..self.rng.range(1, 4))
            .map(|i| {
                let ty = self.memory_type(depth, bool);
                (format!("f{i}").into(), ty)
            })
            .collect();
        self.counters.names += 1;
        let name = format!("S{}", self.counters.names).into();
        if self.rng.percent(50) {
            return Type::Struct(self.b.types().natural_struct(name, &fields));
        }
        // Random offsets: odd ones, and sometimes fields in another order than their bytes.
        let mut at = self.rng.range(0, 3) as u32;
        let mut placed = Vec::new();
        let mut order: Vec<usize> = (0..fields.len()).collect();
        if self.rng.percent(30) {
            order.reverse();
        }
        for i in order {
            placed.push((i, at));
            at += self.b.types().size(fields[i].1) as u32 + self.rng.one([0, 0, 1, 2, 3]);
        }
        placed.sort_unstable();
        let fields =
            fields.into_iter().zip(placed).map(|((name, ty), (_, offset))| Field { name, ty, offset }).collect();
        let align = self.rng.one([1, 1, 2, 4, 8]);
        Type::Struct(Struct { name, fields, size: at + self.rng.one([0, 0, 1, 3]), align })
    }

    /// Is every part an integer?
    pub(super) fn is_integral(&mut self, ty: TypeId) -> bool {
        let mut all = true;
        self.b.types().leaves(ty, &mut |_, leaf| all &= leaf.value().is_integer());
        all
    }
}
