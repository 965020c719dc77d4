//! Queries on kernels, for the shrinker.

use std::collections::HashSet;

use tilewise_ir::kernel::{Block, Const, Inst, Kernel, ValueDef, ValueId};

use super::replay::blocks;

/// Number of instructions of a kernel and its functions.
pub fn count(kernel: &Kernel) -> usize {
    let mut count = 0;
    for function in kernel.functions().iter().chain([kernel.entry()]) {
        function.body().walk(&mut |_| count += 1);
    }
    count
}

/// The result of `f` for the instruction with that number.
pub(super) fn nth<T>(kernel: &Kernel, number: usize, f: &mut dyn FnMut(&Inst) -> T) -> Option<T> {
    let mut at = 0;
    let mut found = None;
    for function in kernel.functions().iter().chain([kernel.entry()]) {
        function.body().walk(&mut |inst| {
            if at == number {
                found = Some(f(inst));
            }
            at += 1;
        });
    }
    found
}

/// Every constant in use.
pub(super) fn all_constants(kernel: &Kernel) -> Vec<Const> {
    let mut all = Vec::new();
    for function in kernel.functions().iter().chain([kernel.entry()]) {
        for value in function.values() {
            if let ValueDef::Const(constant) = value.def
                && !all.contains(&constant)
            {
                all.push(constant);
            }
        }
    }
    all
}

/// Adds every value that the block uses to `used`.
pub(super) fn uses(block: &Block, used: &mut HashSet<ValueId>) {
    used.extend(block.value);
    for inst in &block.insts {
        inst.kind.operands(&mut |&value| {
            used.insert(value);
        });
        for block in blocks(&inst.kind) {
            uses(block, used);
        }
    }
}
