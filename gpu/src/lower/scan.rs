//! Analyses of a kernel before it is lowered: memory that must be made of atomic words, loops whose
//! iterations are counted, and whether threads may diverge before a barrier.

use std::collections::{HashMap, HashSet};

use tilewise_ir::analysis::barrier_regions::BarrierRegions;
use tilewise_ir::analysis::facts::KernelFacts;
use tilewise_ir::analysis::finite::Finite;
use tilewise_ir::analysis::uniformity::Uniformity;
use tilewise_ir::analysis::view_origins::ViewOrigins;
use tilewise_ir::analysis::written::written;
use tilewise_ir::kernel::{AtomicOp, Block, Inst, InstClass, InstKind, Kernel, LabelId, Place, Root, TileVarId};
use tilewise_ir::types::{Scalar, Stored, Type, TypeId};

use super::lowered::ModuleKey;
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
        let allocations = key
            .params
            .iter()
            .filter_map(|param| param.allocation)
            .max()
            .map_or(0, |allocation| allocation as usize + 1);
        let mut scan = KernelScan { allocations: vec![MemoryUse::default(); allocations], ..KernelScan::default() };
        for (param, is) in written(kernel).into_iter().enumerate() {
            if let Some(allocation) = key.params[param].allocation {
                scan.allocations[allocation as usize].written |= is;
            }
        }
        let values = kernel.entry().values();
        kernel.entry().body().walk(&mut |inst| {
            // Records an atomic operation on a scalar of some type, or a plain store.
            let place = |place: &Place, signed: bool, atomic: Option<Scalar>, scan: &mut KernelScan| {
                let wide = atomic.is_some_and(|scalar| scalar.bits() == 64);
                let atomic = atomic.is_some();
                let whole = match &place.root {
                    Root::View { view, .. } => {
                        let element = values[view.index()].ty.view().map(|ty| ty.element);
                        let origin = origins.of_view(*view).and_then(|origin| OriginKey::of(key, origin));
                        let pieces = atomic
                            || origin.is_none_or(|origin| origin.align < 4)
                            || element.is_some_and(|ty| in_pieces(kernel, ty));
                        (origin.map(|origin| &mut scan.allocations[origin.allocation]), pieces)
                    }
                    Root::Param(param) => {
                        let key = key.params[param.index()];
                        let tilewise_ir::kernel::ParamKind::Buffer { ty, .. } = kernel.params()[param.index()].kind
                        else {
                            return;
                        };
                        let pieces = atomic || key.align < 4 || in_pieces(kernel, ty);
                        (key.allocation.map(|allocation| &mut scan.allocations[allocation as usize]), pieces)
                    }
                    Root::Tile(var) => {
                        let pieces = atomic || in_pieces(kernel, kernel.tile_vars()[var.index()].ty);
                        (Some(scan.tile_vars.entry(*var).or_default()), pieces)
                    }
                    Root::Table(_) | Root::Local(_) | Root::Ref(_) => return,
                };
                if let (Some(done), true) = whole {
                    done.add(signed, wide);
                }
            };
            match inst.kind.class() {
                InstClass::Write => {
                    if let Some(to) = inst.kind.written_place() {
                        place(to, false, None, &mut scan);
                    }
                }
                InstClass::Atomic => {
                    let scalar =
                        inst.result.and_then(|result| values[result.index()].ty.data()).map(|data| data.scalar);
                    let signed = scalar.is_some_and(Scalar::is_signed_integer);
                    let ordered = matches!(inst.kind, InstKind::Atomic { op: AtomicOp::Min | AtomicOp::Max, .. });
                    if let Some(to) = inst.kind.atomic_place() {
                        place(to, signed && ordered, scalar.or(Some(Scalar::U32)), &mut scan);
                    }
                }
                InstClass::Stop => scan.ends = true,
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
        });
        let finite = Finite::of(kernel, facts);
        let mut left = FEW;
        counted(kernel.entry().body(), key, &finite, &mut left, &mut scan.counted);
        kernel.entry().body().walk(&mut |inst| {
            if !regions.may_reach_barrier(inst.id) {
                return;
            }
            inst.kind.places(&mut |place| {
                let allocation = origins.of_place(place).and_then(|param| key.params[param.index()].allocation);
                scan.global_barriers |=
                    allocation.is_some_and(|allocation| scan.allocations[allocation as usize].written);
            });
        });
        scan
    }

    /// Whether it is proved that threads diverge before no barrier.
    pub(super) fn together(&self, uniformity: &Uniformity) -> bool {
        uniformity.proves_barriers() && !self.ends && self.counted.is_empty() && !uniformity.gave_up()
    }
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
