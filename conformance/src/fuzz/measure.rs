//! What the shrinker looks up in a kernel.

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

/// What `f` says of the instruction of that number.
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

/// Every constant that is used.
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

/// Every value that something in the block uses.
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
