//! The first instructions of a kernel's body, which compute each thread's own indices, and the
//! last, which write results.

use tilewise_ir::kernel::{Builtin, InstKind, Place, Root, ValueId};
use tilewise_ir::launch::{Argument, ViewArgument};
use tilewise_ir::ops::Op;
use tilewise_ir::types::{Access, Data, Scalar, Type, ViewType};

use super::places::lowest_bit;
use super::plan::{Map, MemoryPlan, PlanKind, Planned};
use super::{KernelMaker, MemoryRole, Phase, PhaseState, PlaceBase, UsableMemory};

impl KernelMaker {
    /// Emits the first instructions for the planned declarations.
    pub(super) fn prelude(&mut self, planned: Vec<Planned>) {
        let linear = self.linear_of(Builtin::Global, |maker, d| {
            if maker.rng.percent(50) {
                let extent = maker.value_of(InstKind::Builtin(Builtin::DomainExtent(d)));
                return maker.op(Op::ToU32, &[extent]);
            }
            let extent = maker.launch.shape.extent[d as usize] as u32;
            maker.u32(extent)
        });
        self.thread.linear = Some(linear);
        self.know(linear, false);
        if let Some(tile) = self.launch.shape.tile.clone() {
            let in_tile = self.linear_of(Builtin::Local, |maker, d| maker.u32(tile[d as usize]));
            self.know(in_tile, false);
            self.thread.in_tile = Some(in_tile);
            for d in 0..tile.len() as u32 {
                let builtin = if self.rng.percent(50) { Builtin::Tile(d) } else { Builtin::TileOrigin(d) };
                let value = self.value_of(InstKind::Builtin(builtin));
                self.know(value, true);
            }
        }
        self.begin_sum();
        for planned in planned {
            self.take_up(planned);
        }
        for i in 0..self.phases.len() {
            self.phases[i].state = self.new_state(i);
        }
        if self.any_held(&|maker, held| maker.is_packed(held)).is_some() {
            self.word_of_bytes_statement();
        }
    }

    /// The linear number of a position, row-major, as a `u32`.
    fn linear_of(&mut self, part: fn(u32) -> Builtin, extent: impl Fn(&mut KernelMaker, u32) -> ValueId) -> ValueId {
        let mut sum = None;
        for d in 0..self.launch.shape.extent.len() as u32 {
            let at = self.value_of(InstKind::Builtin(part(d)));
            if self.rng.percent(40) {
                self.know(at, matches!(part(0), Builtin::Tile(_)));
            }
            let at = self.op(Op::ToU32, &[at]);
            sum = Some(match sum {
                None => at,
                Some(sum) => {
                    let extent = extent(self, d);
                    let rows = self.op(Op::Mul, &[sum, extent]);
                    self.op(Op::Add, &[rows, at])
                }
            });
        }
        sum.unwrap_or_else(|| self.u32(0))
    }

    fn take_up(&mut self, planned: Planned) {
        let Planned { what, ty, rank, access, plan, align } = planned;
        let base = match what {
            PlanKind::Param(id) if rank > 0 => {
                let view = self.b.param_value(id.index() as u32);
                PlaceBase::View(view, ViewType { element: ty, rank, access })
            }
            PlanKind::Param(id) => PlaceBase::Param(id),
            PlanKind::Tile(id) => PlaceBase::Tile(id),
            PlanKind::Table(id) => PlaceBase::Table(id),
        };
        let begin = match what {
            PlanKind::Param(id) => match self.launch.arguments.get(id.index()) {
                Some(Argument::View(ViewArgument { offset, .. }) | Argument::Buffer { offset, .. }) => {
                    lowest_bit(*offset as u32)
                }
                Some(Argument::Uniform(_)) | None => 1,
            },
            PlanKind::Tile(_) => 8,
            PlanKind::Table(_) => 1,
        };
        match plan {
            MemoryPlan::Value => {
                if let PlanKind::Param(id) = what {
                    let value = self.b.param_value(id.index() as u32);
                    self.know(value, true);
                }
            }
            MemoryPlan::Input => {
                let role = MemoryRole::Free { write: false };
                self.hold(UsableMemory { base, ty, role, stable: true, align, begin, bits: true });
            }
            MemoryPlan::Own(map) => {
                let owned = self.owned(&map);
                let bits = self.is_integral(ty);
                self.hold(UsableMemory { base, ty, role: MemoryRole::Own(owned), stable: false, align, begin, bits });
            }
            MemoryPlan::Sum(family) => {
                self.hold(UsableMemory {
                    base,
                    ty,
                    role: MemoryRole::Sum(family),
                    stable: false,
                    align,
                    begin,
                    bits: false,
                });
            }
            MemoryPlan::Shared(shape) => self.take_up_shared(base, ty, (align, begin), shape),
            MemoryPlan::Doubt => {
                if let (PlaceBase::View(view, _), Some(linear)) = (base, self.thread.linear) {
                    let root = Root::View { view, index: vec![linear] };
                    self.thread.doubt = Some(self.value_of(InstKind::Load(Place { root, path: Vec::new() })));
                }
            }
        }
    }

    fn take_up_shared(
        &mut self,
        base: PlaceBase,
        ty: tilewise_ir::types::TypeId,
        (align, begin): (u32, u32),
        shape: Vec<u32>,
    ) {
        let (base, global) = match base {
            PlaceBase::View(view, of) => {
                let tile = self.linear_of(Builtin::Tile, |maker, d| {
                    let count = maker.value_of(InstKind::Builtin(Builtin::TileCount(d)));
                    maker.op(Op::ToU32, &[count])
                });
                let index = self.signed(tile);
                let row = self.value_of(InstKind::Project { view, index });
                (PlaceBase::View(row, ViewType { rank: 1, ..of }), true)
            }
            other => (other, false),
        };
        let mut element = ty;
        if !global {
            for _ in &shape {
                if let Type::Array { element: inner, .. } = self.b.types().get(element) {
                    element = *inner;
                }
            }
        }
        let scalar = match self.b.types().value(element) {
            Some(Data { scalar, width: 1 }) if self.b.types().stored(element) == Some(scalar.stored()) => {
                match scalar {
                    Scalar::F32 => self.rng.percent(40).then_some(scalar),
                    scalar => scalar.is_integer().then_some(scalar),
                }
            }
            _ => None,
        };
        let length = shape.iter().product();
        self.phases.push(Phase { state: PhaseState::Read, global, length, shape, scalar });
        let role = MemoryRole::Phase(self.phases.len() - 1);
        self.hold(UsableMemory { base, ty, role, stable: false, align, begin, bits: false });
    }

    /// The indices of the elements that are the thread's own.
    fn owned(&mut self, map: &Map) -> Vec<Vec<ValueId>> {
        let Some(linear) = self.thread.linear else { return vec![Vec::new()] };
        let n = self.launch.shape.threads;
        match *map {
            Map::Position(ref dimensions) => {
                let index = dimensions
                    .iter()
                    .map(|&(d, reversed)| {
                        let at = self.value_of(InstKind::Builtin(Builtin::Global(d as u32)));
                        if !reversed {
                            return at;
                        }
                        let last = self.i32(self.launch.shape.extent[d] - 1);
                        self.op(Op::Sub, &[last, at])
                    })
                    .collect();
                vec![index]
            }
            Map::Blocks(per, permutation) => {
                let map = self.with_constants(permutation);
                let number = self.permute(linear, n, &map);
                let first = if per == 1 {
                    number
                } else {
                    let per = self.u32(per);
                    self.op(Op::Mul, &[number, per])
                };
                (0..per).map(|i| vec![self.plus(first, i)]).collect()
            }
            Map::Strided(per) => (0..per).map(|i| vec![self.plus(linear, i * n)]).collect(),
            Map::Rows(per) => (0..per).map(|i| vec![linear, self.u32(i)]).collect(),
            Map::Columns(per) => (0..per).map(|i| vec![self.u32(i), linear]).collect(),
        }
    }

    fn plus(&mut self, value: ValueId, more: u32) -> ValueId {
        if more == 0 {
            return value;
        }
        let more = self.u32(more);
        self.op(Op::Add, &[value, more])
    }

    /// Writes the gathered results, and some values in scope, to the thread's own elements.
    pub(super) fn ending(&mut self) {
        for _ in 0..2 {
            self.gather();
        }
        for _ in 0..self.rng.below(3) {
            self.store_statement();
        }
        let Some(sum) = self.thread.sum else { return };
        let value = self.value_of(InstKind::Load(Place { root: Root::Local(sum), path: Vec::new() }));
        // The view that was planned first is for this.
        let first = self.scopes.first().and_then(|scope| scope.held.first()).cloned();
        if let Some(UsableMemory {
            base: PlaceBase::View(view, ViewType { access: Access::ReadWrite, .. }),
            role: MemoryRole::Own(owned),
            ..
        }) = first
            && let Some(index) = owned.first()
        {
            let root = Root::View { view, index: index.clone() };
            self.emit(InstKind::Store { place: Place { root, path: Vec::new() }, value });
        }
    }
}
