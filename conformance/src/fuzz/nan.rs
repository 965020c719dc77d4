//! Which bits a NaN has is not specified, so no result may depend on them.
//!
//! A few rows look at bits or the sign of a float: the generator gives them only floats in whose place another stands if they are NaN. This is the pattern
//! `select(is_nan(x), c, x)`, with a constant `c`, and here is the test for it.

use std::collections::HashMap;

use tilewise_ir::kernel::{Function, InstKind, Kernel, ValueDef, ValueId};
use tilewise_ir::ops::Op;

/// Does the row look at the bits or the sign of its argument?
pub(super) fn looks_at_bits(op: Op, arg: usize) -> bool {
    match op {
        Op::BitcastI32 | Op::BitcastU32 | Op::BitcastI64 | Op::BitcastU64 | Op::SignBit | Op::TotalCmp => true,
        Op::Copysign => arg == 1,
        _ => false,
    }
}

/// Does something look at the bits of a float that may be NaN, as far as the pattern tells?
pub(super) fn shows_bits(kernel: &Kernel) -> bool {
    kernel.functions().iter().chain([kernel.entry()]).any(in_function)
}

fn in_function(function: &Function) -> bool {
    let mut defined: HashMap<ValueId, &InstKind> = HashMap::new();
    collect(function.body(), &mut defined);
    let is_float = |value: ValueId| function.value(value).ty.data().is_some_and(|data| data.scalar.is_float());
    defined.values().any(|kind| match kind {
        InstKind::Op { op, args } => args
            .iter()
            .enumerate()
            .any(|(i, &arg)| looks_at_bits(*op, i) && is_float(arg) && !is_clean(function, &defined, arg)),
        _ => false,
    })
}

fn collect<'a>(block: &'a tilewise_ir::kernel::Block, defined: &mut HashMap<ValueId, &'a InstKind>) {
    for inst in &block.insts {
        if let Some(result) = inst.result {
            defined.insert(result, &inst.kind);
        }
        for block in super::replay::blocks(&inst.kind) {
            collect(block, defined);
        }
    }
}

/// Is the value no NaN: a constant, or one that was replaced?
fn is_clean(function: &Function, defined: &HashMap<ValueId, &InstKind>, value: ValueId) -> bool {
    if let ValueDef::Const(constant) = function.value(value).def {
        return match constant.scalar {
            tilewise_ir::types::Scalar::F64 => !f64::from_bits(constant.bits).is_nan(),
            _ => !f32::from_bits(constant.bits as u32).is_nan(),
        };
    }
    match defined.get(&value) {
        Some(InstKind::Splat { value, .. } | InstKind::Swizzle { value, .. }) => is_clean(function, defined, *value),
        Some(InstKind::Compose(parts)) => parts.iter().all(|&part| is_clean(function, defined, part)),
        Some(InstKind::Op { op: Op::Select, args }) => {
            let [condition, other, tested] = args[..] else { return false };
            let tests =
                matches!(defined.get(&condition), Some(InstKind::Op { op: Op::IsNan, args }) if *args == [tested]);
            tests && is_clean(function, defined, other)
        }
        _ => false,
    }
}
