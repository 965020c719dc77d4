//! The bits of a NaN are unspecified, so no result may depend on them.
//!
//! A few operations read the bits or the sign of a float: the generator gives them only floats in
//! which NaN is replaced. This module tests for that pattern, `select(is_nan(x), c, x)`, with a
//! constant `c`.

use std::collections::HashMap;

use tilewise_ir::kernel::{Function, InstKind, Kernel, ValueDef, ValueId};
use tilewise_ir::ops::{Op, OpFamily};

/// Does the operation read the bits or the sign of its argument?
pub(crate) fn looks_at_bits(op: Op, arg: usize) -> bool {
    match op.family() {
        OpFamily::Bitcast(to) => to.is_integer(),
        OpFamily::FloatTest => op == Op::SignBit,
        OpFamily::Float => op == Op::TotalCmp || op == Op::Copysign && arg == 1,
        OpFamily::Arithmetic(..)
        | OpFamily::Division(_)
        | OpFamily::MultiplyAdd
        | OpFamily::Signed(_)
        | OpFamily::Extreme(_)
        | OpFamily::Clamp
        | OpFamily::Integer(_)
        | OpFamily::Comparison(_)
        | OpFamily::Select
        | OpFamily::Reduction
        | OpFamily::Bitwise(_)
        | OpFamily::Not
        | OpFamily::Shift(_)
        | OpFamily::BitCount
        | OpFamily::BitSearch
        | OpFamily::BitMove
        | OpFamily::ExtractBits
        | OpFamily::Conversion(_)
        | OpFamily::Narrow(_)
        | OpFamily::Packed
        | OpFamily::Geometry(_) => false,
    }
}

/// Does an operation read the bits of a float that may be NaN, as far as the pattern can show?
pub(super) fn shows_bits(kernel: &Kernel) -> bool {
    kernel.functions().iter().chain([kernel.entry()]).any(in_function)
}

fn in_function(function: &Function) -> bool {
    let mut defined: HashMap<ValueId, &InstKind> = HashMap::new();
    collect(function.body(), &mut defined);
    let is_float = |value: ValueId| function.value(value).ty.data().is_some_and(|data| data.scalar.is_float());
    defined.values().any(|kind| {
        let InstKind::Op { op, args } = kind else { return false };
        let shows = |(i, &arg)| looks_at_bits(*op, i) && is_float(arg) && !is_clean(function, &defined, arg);
        args.iter().enumerate().any(shows)
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

/// Is the value never NaN: a constant, or one that was replaced?
fn is_clean(function: &Function, defined: &HashMap<ValueId, &InstKind>, value: ValueId) -> bool {
    if let ValueDef::Const(constant) = function.value(value).def {
        return match constant.scalar {
            tilewise_ir::types::Scalar::F64 => !f64::from_bits(constant.bits).is_nan(),
            _ => !f32::from_bits(constant.bits as u32).is_nan(),
        };
    }
    let Some(kind) = defined.get(&value) else { return false };
    if let InstKind::Op { op: Op::Select, args } = kind {
        let [condition, other, tested] = args[..] else { return false };
        let tests = matches!(defined.get(&condition), Some(InstKind::Op { op: Op::IsNan, args }) if *args == [tested]);
        return tests && is_clean(function, defined, other);
    }
    // A vector of clean components; the result of any other instruction may be NaN.
    let mut clean = matches!(kind, InstKind::Splat { .. } | InstKind::Swizzle { .. } | InstKind::Compose(_));
    if clean {
        kind.operands(&mut |&part| clean &= is_clean(function, defined, part));
    }
    clean
}
