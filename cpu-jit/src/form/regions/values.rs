//! Which values cross from region to region, and which are computed again.

use tilewise_ir::analysis::facts::Facts;
use tilewise_ir::kernel::{Inst, InstKind, Kernel, ValueDef, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::types::ValueType;

use super::super::bits::BitSet;
use super::{CHEAP, Owners, Regions, sorted};

/// Of what is never run again.
const DEAR: u32 = u32::MAX;

/// Decides about each value that is used in a region that does not make it, and says which values each region loads and stores.
pub(super) fn cross(regions: &mut Regions, kernel: &Kernel, facts: &Facts, owner: &Owners) {
    let entry = kernel.entry();
    let mut makers: Vec<Option<&Inst>> = vec![None; entry.values().len()];
    let mut order = Vec::new();
    each_inst(entry.body(), &mut |inst| {
        let second = if let InstKind::CompareExchange { equal, .. } = inst.kind { Some(equal) } else { None };
        for value in inst.result.into_iter().chain(second) {
            makers[value.index()] = Some(inst);
            order.push(value);
        }
    });
    let values = Values { kernel, facts, makers };
    let wanted = values.wanted(regions);
    let mut costs = vec![0; entry.values().len()];
    for value in order {
        let cost = values.cost(value, &costs, &regions.crossing);
        costs[value.index()] = cost;
        if wanted.has(value.index()) && !values.is_view(value) && cost > CHEAP {
            regions.crossing.insert(value.index());
        }
    }
    values.load(regions);
    store(regions, entry.values().len(), owner, &values);
}

/// `Block::walk` that keeps what it is given.
fn each_inst<'k>(block: &'k tilewise_ir::kernel::Block, f: &mut dyn FnMut(&'k Inst)) {
    for inst in &block.insts {
        f(inst);
        inst.kind.each_block(&mut |block| each_inst(block, f));
    }
}

struct Values<'k> {
    kernel: &'k Kernel,
    facts: &'k Facts,
    /// The instruction that makes each value.
    makers: Vec<Option<&'k Inst>>,
}

impl Values<'_> {
    fn is_view(&self, value: ValueId) -> bool {
        matches!(self.kernel.entry().value(value).ty, ValueType::View(_))
    }

    fn is_made(&self, value: ValueId) -> bool {
        matches!(self.kernel.entry().value(value).def, ValueDef::Inst)
    }

    fn operands(&self, value: ValueId, f: &mut dyn FnMut(ValueId)) {
        if let Some(inst) = self.makers[value.index()] {
            inst.kind.operands(&mut |&operand| {
                if self.is_made(operand) {
                    f(operand);
                }
            });
        }
    }

    /// The values that regions want from others: what they use, and what the views need that they use.
    fn wanted(&self, regions: &Regions) -> BitSet {
        let mut wanted = BitSet::new(self.makers.len());
        let mut next: Vec<ValueId> = regions.list.iter().flat_map(|region| region.uses.iter().copied()).collect();
        while let Some(value) = next.pop() {
            if wanted.insert(value.index()) && self.is_view(value) {
                self.operands(value, &mut |operand| next.push(operand));
            }
        }
        wanted
    }

    /// Steps that it takes to compute a value again, where the crossing ones are loaded.
    fn cost(&self, value: ValueId, costs: &[u32], crossing: &BitSet) -> u32 {
        let Some(inst) = self.makers[value.index()] else { return 0 };
        let own = match &inst.kind {
            InstKind::Op { op, args } => self.op(*op, args),
            InstKind::Compose(_) | InstKind::Splat { .. } | InstKind::Swizzle { .. } => 0,
            InstKind::Builtin(_) | InstKind::ViewExtent { .. } => 1,
            InstKind::ComponentAt { .. } => 3,
            InstKind::Section { .. }
            | InstKind::Project { .. }
            | InstKind::Reinterpret { .. }
            | InstKind::ViewAs { .. } => 3,
            _ => DEAR,
        };
        let mut cost = own;
        self.operands(value, &mut |operand| {
            let more = if crossing.has(operand.index()) { 1 } else { costs[operand.index()] };
            cost = cost.saturating_add(more);
        });
        cost
    }

    fn op(&self, op: Op, args: &[ValueId]) -> u32 {
        let fixed = |arg: ValueId| self.facts.value(arg).range.is_some_and(|range| range.lo == range.hi);
        match op {
            Op::Add | Op::Sub | Op::Neg | Op::Mul | Op::Abs | Op::Min | Op::Max | Op::Clamp => 1,
            Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Select => 1,
            Op::And | Op::Or | Op::Xor | Op::Not | Op::Shl | Op::Shr => 1,
            Op::ToI32 | Op::ToU32 | Op::ToI64 | Op::ToU64 | Op::ToF32 | Op::ToF64 => 1,
            Op::BitcastI32 | Op::BitcastU32 | Op::BitcastF32 => 0,
            Op::BitcastI64 | Op::BitcastU64 | Op::BitcastF64 => 0,
            // By a constant: a product and shifts.
            Op::Div | Op::Rem if args.get(1).is_some_and(|&by| fixed(by)) => 4,
            _ => DEAR,
        }
    }

    /// For each region what it loads, and what it runs again for that.
    fn load(&self, regions: &mut Regions) {
        let mut seen = vec![usize::MAX; self.makers.len()];
        for (number, region) in regions.list.iter_mut().enumerate() {
            let mut next = region.uses.clone();
            while let Some(value) = next.pop() {
                if std::mem::replace(&mut seen[value.index()], number) == number {
                    continue;
                }
                if regions.crossing.has(value.index()) {
                    region.values_in.push(value);
                } else {
                    regions.recompute.insert(value.index());
                    self.operands(value, &mut |operand| next.push(operand));
                }
            }
            region.values_in.sort_unstable();
        }
    }
}

fn store(regions: &mut Regions, count: usize, owner: &Owners, values: &Values<'_>) {
    let crossing = &regions.crossing;
    for value in (0..count).filter(|&value| crossing.has(value)) {
        if let (Some(region), Some(inst)) = (owner[value], values.makers[value]) {
            let second = if let InstKind::CompareExchange { equal, .. } = inst.kind { Some(equal) } else { None };
            let id = inst.result.into_iter().chain(second).find(|id| id.index() == value);
            regions.list[region as usize].values_out.extend(id);
        }
    }
    for region in &mut regions.list {
        region.values_out.extend(region.gives.iter().filter(|result| crossing.has(result.index())));
        sorted(&mut region.values_out);
    }
}
