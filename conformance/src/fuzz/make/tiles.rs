//! Plans for tiles: memory that their threads share, and the input that decides where threads miss
//! each other.

use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Access, Scalar, Stored, Type};

use super::KernelMaker;
use super::places::lowest_bit;
use super::plan::{MemoryPlan, PlanKind, Planned};

impl KernelMaker {
    /// An input with a word for each thread. The bits have different patterns over the threads: no
    /// two of a tile agree, all of a tile agree, one does not agree.
    pub(super) fn plan_doubt(&mut self, planned: &mut Vec<Planned>) {
        let ty = self.b.types().scalar(Stored::U32);
        let threads = self.launch.shape.threads as usize;
        let view = self.bind(ty, &[threads as i32], false, 1);
        let mut words = vec![0u32; threads];
        for bit in 0..32 {
            let chosen = self.rng.below(threads);
            let kind = self.rng.below(10);
            for (i, word) in words.iter_mut().enumerate() {
                let set = match kind {
                    0 => i == chosen,
                    1 => i != chosen,
                    2 => i < chosen,
                    3 => self.rng.percent(50),
                    4 => (i as u32 / self.launch.shape.tile_threads).is_multiple_of(2),
                    5 | 6 => true,
                    _ => false,
                };
                *word |= u32::from(set) << bit;
            }
        }
        let mut words = words.into_iter();
        self.fill_view(ty, &view, &mut |_| words.next().map(|word| word.to_le_bytes().to_vec()));
        let (what, rank, align) = self.view_param("doubt", ty, Access::Read, view);
        planned.push(Planned { what, ty, rank, access: Access::Read, plan: MemoryPlan::Doubt, align });
    }

    /// Memory that a tile shares: `tile_static`, or a row of a view for each tile.
    pub(super) fn plan_shared(&mut self, planned: &mut Vec<Planned>) {
        let threads = self.launch.shape.tile_threads;
        let ty = if self.rng.percent(50) {
            let scalar = self.rng.one([Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64, Scalar::F32]);
            self.b.types().scalar(scalar.stored())
        } else {
            self.memory_type(1, true)
        };
        let length = match self.rng.below(4) {
            0 => threads.next_power_of_two(),
            1 => threads * 2,
            2 => threads + self.rng.below(4) as u32,
            _ => threads,
        };
        let hosted = !self
            .b
            .types()
            .any(ty, &mut |part| matches!(part, Type::Scalar(Stored::Bool) | Type::Vector(Stored::Bool, _)));
        if hosted && self.rng.percent(25) {
            let tiles = (self.launch.shape.threads / threads) as i32;
            let view = self.bind(ty, &[tiles, length as i32], false, 1);
            // Sums of floats may be made here too, so floats begin as small integers.
            let small = self.b.types().stored(ty) == Some(Stored::F32) && self.b.types().size(ty) == 4;
            self.fill_view(ty, &view, &mut |rng| small.then(|| (rng.range(-9, 9) as f32).to_le_bytes().to_vec()));
            let (what, rank, align) = self.view_param("per_tile", ty, Access::ReadWrite, view);
            let plan = MemoryPlan::Shared(vec![length]);
            planned.push(Planned { what, ty, rank, access: Access::ReadWrite, plan, align });
            return;
        }
        let size = self.stride_of(ty);
        if u64::from(size) * u64::from(length) > 8 * 1024 {
            return;
        }
        let columns = (2..=5).find(|c| length % c == 0).filter(|_| self.rng.percent(40));
        let (whole, lengths) = match columns {
            Some(columns) => {
                let row = self.b.types().natural_array(ty, Some(columns));
                (self.b.types().natural_array(row, Some(length / columns)), vec![length / columns, columns])
            }
            None => (self.b.types().natural_array(ty, Some(length)), vec![length]),
        };
        let what = PlanKind::Tile(self.b.tile_var("shared", whole, Pos::NONE));
        let align = lowest_bit(size).min(self.b.types().align(ty));
        planned.push(Planned {
            what,
            ty: whole,
            rank: 0,
            access: Access::ReadWrite,
            plan: MemoryPlan::Shared(lengths),
            align,
        });
    }
}
