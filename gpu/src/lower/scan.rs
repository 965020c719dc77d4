//! Analyses of a kernel before it is lowered: memory that must be made of atomic words, loops whose
//! iterations are counted, and whether threads may diverge before a barrier.

use std::collections::{HashMap, HashSet};

use tilewise_ir::analysis::barrier_regions::BarrierRegions;
use tilewise_ir::analysis::facts::KernelFacts;
use tilewise_ir::analysis::finite::Finite;
use tilewise_ir::analysis::uniformity::{TileAgreement, Uniformity};
use tilewise_ir::analysis::view_origins::ViewOrigins;
use tilewise_ir::analysis::written::written;
use tilewise_ir::kernel::{
    AtomicOp, Block, Inst, InstClass, InstKind, Kernel, LabelId, ParamKind, Place, Root, TileVarId,
};
use tilewise_ir::types::{Scalar, Stored, Type, TypeId};

use super::lowered::{LoopBounds, ModuleKey};
use super::view::OriginKey;

/// The uses of a memory.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MemoryUse {
    pub(super) written: bool,
    /// Whether it must be made of atomic words of 32 bits, and of 64 bits.
    narrow: bool,
    wide: bool,
    /// Whether a signed minimum or maximum is taken there.
    signed: bool,
}

impl MemoryUse {
    fn add(&mut self, signed: bool, wide: bool) {
        self.signed |= signed;
        self.wide |= wide;
        self.narrow |= !wide;
    }

    /// The type of its words if they must be atomic. Words of 64 bits also hold those of 32.
    pub(super) fn atomic(self) -> Option<Scalar> {
        match (self.wide, self.narrow, self.signed) {
            (true, _, false) => Some(Scalar::U64),
            (true, _, true) => Some(Scalar::I64),
            (false, true, false) => Some(Scalar::U32),
            (false, true, true) => Some(Scalar::I32),
            (false, false, _) => None,
        }
    }
}

/// The results of the analyses.
#[derive(Debug, Default)]
pub(super) struct KernelScan {
    /// By allocation.
    pub(super) allocations: Vec<MemoryUse>,
    pub(super) tile_vars: HashMap<TileVarId, MemoryUse>,
    /// Whether a thread may end by `abort` or `error`.
    pub(super) ends: bool,
    /// Loops whose iterations are counted.
    pub(super) counted: HashSet<LabelId>,
    /// How often loops iterate.
    pub(super) loops: LoopBounds,
    /// The part of the budget that an iteration of a counted loop takes, if it is not 1.
    pub(super) costs: HashMap<LabelId, u32>,
    /// Whether an access to written memory that outlives the tile may precede a barrier.
    pub(super) global_barriers: bool,
}

impl KernelScan {
    /// Scans a kernel without calls.
    pub(super) fn of(
        kernel: &Kernel,
        key: &ModuleKey,
        facts: &KernelFacts,
        regions: &BarrierRegions,
        origins: &ViewOrigins,
    ) -> KernelScan {
        let mut scan = KernelScan { allocations: written_allocations(kernel, key), ..KernelScan::default() };
        kernel.entry().body().walk(&mut |inst| scan.add_effect(kernel, key, origins, inst));
        let finite = Finite::of(kernel, facts);
        let mut left = FEW;
        counted(kernel.entry().body(), key, &finite, &mut left, &mut scan.counted);
        scan.loops = loop_bounds(kernel.entry().body(), &finite);
        if key.rounds.is_some() {
            scan.costs = round_costs(kernel, facts.uniformity());
        }
        scan.global_barriers = scan.may_order_written(kernel, key, regions, origins);
        scan
    }

    /// Records what an instruction does with memory, and whether it may end its thread.
    fn add_effect(&mut self, kernel: &Kernel, key: &ModuleKey, origins: &ViewOrigins, inst: &Inst) {
        match inst.kind.class() {
            InstClass::Write => {
                let to = inst.kind.written_place();
                if let Some(done) = to.and_then(|to| self.atomic_memory(kernel, key, origins, to, false)) {
                    done.add(false, false);
                }
            }
            InstClass::Atomic => {
                let values = kernel.entry().values();
                let scalar = inst.result.and_then(|result| values[result.index()].ty.data()).map(|data| data.scalar);
                let signed = scalar.is_some_and(Scalar::is_signed_integer);
                let ordered = matches!(inst.kind, InstKind::Atomic { op: AtomicOp::Min | AtomicOp::Max, .. });
                let wide = scalar.is_some_and(|scalar| scalar.bits() == 64);
                let to = inst.kind.atomic_place();
                if let Some(done) = to.and_then(|to| self.atomic_memory(kernel, key, origins, to, true)) {
                    done.add(signed && ordered, wide);
                }
            }
            InstClass::Stop => self.ends = true,
            InstClass::Compute
            | InstClass::Query
            | InstClass::MakeView
            | InstClass::Read
            | InstClass::Declare
            | InstClass::Synchronize
            | InstClass::Output
            | InstClass::Call
            | InstClass::Structured
            | InstClass::Jump => {}
        }
    }

    /// The memory of a place, if its words must be atomic because of an atomic operation there, or
    /// because of a store of less than a word or across two.
    fn atomic_memory(
        &mut self,
        kernel: &Kernel,
        key: &ModuleKey,
        origins: &ViewOrigins,
        place: &Place,
        is_atomic: bool,
    ) -> Option<&mut MemoryUse> {
        let (memory, pieces) = match &place.root {
            Root::View { view, .. } => {
                let element = kernel.entry().values()[view.index()].ty.view().map(|ty| ty.element);
                let origin = origins.of_view(*view).and_then(|origin| OriginKey::of(key, origin));
                let pieces =
                    origin.is_none_or(|origin| origin.align < 4) || element.is_some_and(|ty| in_pieces(kernel, ty));
                (origin.map(|origin| &mut self.allocations[origin.allocation]), pieces)
            }
            Root::Param(param) => {
                let key = key.params[param.index()];
                let ParamKind::Buffer { ty, .. } = kernel.params()[param.index()].kind else { return None };
                let pieces = key.align < 4 || in_pieces(kernel, ty);
                (key.allocation.map(|allocation| &mut self.allocations[allocation as usize]), pieces)
            }
            Root::Tile(var) => {
                let pieces = in_pieces(kernel, kernel.tile_vars()[var.index()].ty);
                (Some(self.tile_vars.entry(*var).or_default()), pieces)
            }
            Root::Table(_) | Root::Local(_) | Root::Ref(_) => return None,
        };
        memory.filter(|_| is_atomic || pieces)
    }

    /// Whether an access to written memory that outlives the tile may precede a barrier.
    fn may_order_written(
        &self,
        kernel: &Kernel,
        key: &ModuleKey,
        regions: &BarrierRegions,
        origins: &ViewOrigins,
    ) -> bool {
        let mut found = false;
        kernel.entry().body().walk(&mut |inst| {
            if !regions.may_reach_barrier(inst.id) {
                return;
            }
            inst.kind.places(&mut |place| {
                let allocation = origins.of_place(place).and_then(|param| key.params[param.index()].allocation);
                found |= allocation.is_some_and(|allocation| self.allocations[allocation as usize].written);
            });
        });
        found
    }

    /// Whether it is proved that threads diverge before no barrier.
    pub(super) fn together(&self, uniformity: &Uniformity) -> bool {
        uniformity.proves_barriers() && !self.ends && self.counted.is_empty() && !uniformity.gave_up()
    }
}

/// The allocations of the launch, and which of them the kernel writes.
fn written_allocations(kernel: &Kernel, key: &ModuleKey) -> Vec<MemoryUse> {
    let last = key.params.iter().filter_map(|param| param.allocation).max();
    let mut allocations = vec![MemoryUse::default(); last.map_or(0, |last| last as usize + 1)];
    for (param, is) in written(kernel).into_iter().enumerate() {
        if let Some(allocation) = key.params[param].allocation {
            allocations[allocation as usize].written |= is;
        }
    }
    allocations
}

/// Whether a scalar in the type is smaller than a word, or lies across two.
fn in_pieces(kernel: &Kernel, ty: TypeId) -> bool {
    let types = kernel.types();
    let odd = |n: u32| !n.is_multiple_of(4);
    types.any(ty, &mut |ty| match ty {
        Type::Scalar(stored) | Type::Vector(stored, _) => stored.size() < 4,
        Type::Array { stride, .. } => odd(*stride),
        Type::Struct(s) => s.fields.iter().any(|field| odd(field.offset)) || odd(s.size),
    }) || types.stored(ty).is_some_and(|stored: Stored| stored.size() < 4)
}

/// Total iterations of all loops that need no counter where a driver stops a thread's loops after
/// some number.
const FEW: u64 = 256;

/// Most iterations of a thread that count as few: some microseconds, also where all threads do as much.
const FEW_ROUNDS: u64 = 4096;

/// How often the loops of a kernel's body iterate in a thread.
fn loop_bounds(body: &Block, finite: &Finite) -> LoopBounds {
    let mut open = false;
    body.walk(&mut |inst| open |= finite.is_open(inst));
    let mut each = body.insts.iter().map(|inst| rounds(inst, finite));
    match each.try_fold(0_u64, |all, rounds| Some(all.saturating_add(rounds?))) {
        _ if open => LoopBounds::Open,
        Some(..=FEW_ROUNDS) => LoopBounds::Few,
        Some(_) | None => LoopBounds::Finite,
    }
}

/// Collects the loops whose iterations are counted: those that may be infinite; where the driver
/// stops threads, all except those with few iterations, including nested ones.
fn counted(block: &Block, key: &ModuleKey, finite: &Finite, left: &mut u64, out: &mut HashSet<LabelId>) {
    for inst in &block.insts {
        if let InstKind::Loop { label, .. } = &inst.kind
            && key.rounds.is_some()
        {
            match rounds(inst, finite).filter(|rounds| rounds <= left) {
                Some(rounds) => *left -= rounds,
                None => {
                    out.insert(*label);
                    inst.kind.blocks(&mut |block| all(block, out));
                }
            }
            continue;
        }
        if let InstKind::Loop { label, .. } = &inst.kind
            && finite.rounds(*label).is_none()
        {
            out.insert(*label);
        }
        inst.kind.blocks(&mut |block| counted(block, key, finite, left, out));
    }
}

/// The threads that a driver which stops loops executes side by side, as lanes of one vector.
pub(super) const VECTOR_LANES: u32 = 8;

/// The costs of an iteration, for a driver that counts the iterations of a whole vector of threads.
///
/// A thread counts its own iterations only. Those of its vector are as many in loops that all lanes
/// enter together and leave together, whose cost is 1. Elsewhere lanes may take turns, so that the
/// vector iterates up to [`VECTOR_LANES`] times as often as each of them. The first loop that all
/// enter together, but each leaves in an iteration of its own, costs no more than 2: the vector
/// iterates as often in it as one of its threads, and half of the budget is left for all else.
fn round_costs(kernel: &Kernel, uniformity: &Uniformity) -> HashMap<LabelId, u32> {
    let mut walk = CostWalk { uniformity, costs: HashMap::new(), first: None };
    walk.block(kernel.entry().body(), false, false);
    let CostWalk { mut costs, first, .. } = walk;
    if let Some(first) = first
        && !costs.is_empty()
    {
        costs.values_mut().for_each(|cost| *cost *= 2);
        costs.insert(first, 2);
    }
    costs
}

struct CostWalk<'a> {
    uniformity: &'a Uniformity,
    costs: HashMap<LabelId, u32>,
    /// The first loop that all lanes enter together and do not leave together.
    first: Option<LabelId>,
}

impl CostWalk<'_> {
    /// `apart`: may lanes execute the block at different times? `again`: is it inside a loop?
    fn block(&mut self, block: &Block, apart: bool, again: bool) {
        for inst in &block.insts {
            let together = self.uniformity.construct(inst.id) == TileAgreement::Uniform;
            let (mut apart, mut again) = (apart, again);
            if let InstKind::Loop { label, .. } = &inst.kind {
                if apart || !together && (again || self.first.is_some()) {
                    self.costs.insert(*label, VECTOR_LANES);
                } else if !together {
                    self.first = Some(*label);
                }
                again = true;
            } else {
                apart |= !together;
            }
            inst.kind.blocks(&mut |block| self.block(block, apart, again));
        }
    }
}

/// Every loop in a block.
fn all(block: &Block, out: &mut HashSet<LabelId>) {
    block.walk(&mut |inst| {
        if let InstKind::Loop { label, .. } = &inst.kind {
            out.insert(*label);
        }
    });
}

/// The iterations of the loops in an instruction, nested ones included, if they are known.
fn rounds(inst: &Inst, finite: &Finite) -> Option<u64> {
    let mut inside = Some(0_u64);
    inst.kind.blocks(&mut |block| {
        for inst in &block.insts {
            inside = inside.zip(rounds(inst, finite)).map(|(a, b)| a.saturating_add(b));
        }
    });
    let InstKind::Loop { label, .. } = &inst.kind else { return inside };
    finite.rounds(*label)?.checked_mul(inside?.checked_add(1)?)
}

#[cfg(test)]
mod tests {
    use tilewise_ir::check::check;
    use tilewise_ir::text::parse;

    use super::*;

    /// The costs of the loops that do not cost 1, lowest first.
    fn costs(body: &str) -> Vec<u32> {
        let text = format!("kernel k(v: view<i32, 1, read_write>, n: i32) rank(1) {{ {body} }}");
        let kernel = check(parse("k.kir", &text).unwrap_or_else(|failure| panic!("{failure}")))
            .unwrap_or_else(|rejected| panic!("{rejected}"));
        let inlined = kernel.inlined();
        let mut costs: Vec<u32> = round_costs(inlined, &Uniformity::of(inlined)).into_values().collect();
        costs.sort_unstable();
        costs
    }

    #[test]
    fn loops_iterate_a_few_times_or_as_often_as_a_launch_says_or_for_ever() {
        let bounds = |body: &str| {
            let text = format!("kernel k(v: view<i32, 1, read_write>, n: i32) rank(1) {{ {body} }}");
            let kernel = check(parse("k.kir", &text).unwrap_or_else(|failure| panic!("{failure}")))
                .unwrap_or_else(|rejected| panic!("{rejected}"));
            let finite = Finite::of(kernel.inlined(), kernel.facts());
            loop_bounds(kernel.inlined().entry().body(), &finite)
        };
        let counts = |to: &str, inside: &str| format!("var i: i32 = 0; while i < {to} {{ i = i + 1; {inside} }}");
        let inner = |to: &str| format!("var k: i32 = 0; while k < {to} {{ k = k + 1; }}");
        assert_eq!(bounds("v[0] = n;"), LoopBounds::Few);
        assert_eq!(bounds(&counts("100", "")), LoopBounds::Few);
        assert_eq!(bounds(&counts("100", &inner("30"))), LoopBounds::Few);
        assert_eq!(bounds(&counts("100", &inner("300"))), LoopBounds::Finite);
        assert_eq!(bounds(&counts("n", "")), LoopBounds::Finite);
        assert_eq!(bounds(&counts("v[0]", "")), LoopBounds::Finite);
        assert_eq!(bounds("while v[0] < n { v[1] = 2; }"), LoopBounds::Open);
        assert_eq!(bounds(&format!("{} loop {{ if v[0] == 1 {{ break; }} }}", counts("n", ""))), LoopBounds::Open);
    }

    #[test]
    fn iterations_of_lanes_that_take_turns_cost_as_many_as_a_vector_has() {
        let own = "var j: i32 = 0; while j < v[global[0]] { j = j + 1; }";
        let same = |inside: &str| format!("var i: i32 = 0; while i < n {{ i = i + 1; {inside} }}");
        // All enter and leave together; all enter the first loop together.
        assert_eq!(costs(&same("")), []);
        assert_eq!(costs(&same(&same("").replace("i: i32", "k: i32").replace(" i ", " k "))), []);
        assert_eq!(costs(own), []);
        // A second such loop, one inside of a loop, and one in a branch.
        assert_eq!(costs(&format!("if n > 0 {{ {own} }} if n > 1 {{ {own} }}")), [2, 16]);
        assert_eq!(costs(&same(own)), [8]);
        assert_eq!(costs(&format!("if global[0] > 3 {{ {own} }}")), [8]);
        // Also a loop that they leave together, where only some enter it.
        assert_eq!(costs(&format!("if global[0] > 3 {{ {} }}", same(""))), [8]);
        assert_eq!(costs(&format!("if n > 3 {{ {} }}", same(""))), []);
    }
}
