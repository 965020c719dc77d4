//! Finds float products that are added to something: a product and a sum always round twice; `mad`
//! lets the target choose.

use tilewise_ir::kernel::{InstKind, Kernel, ValueId};
use tilewise_ir::ops::{ArithmeticOp, OpFamily, OverflowRule};
use tilewise_ir::pos::Pos;

use crate::hash::HashSet;

/// The places of sums with a product as an operand.
pub(super) fn sums(kernel: &Kernel) -> Vec<Pos> {
    let function = kernel.entry();
    let context = kernel.context(function);
    let is_float = |value: ValueId| context.data(value).is_some_and(|data| data.scalar.is_float());
    let mut products = HashSet::default();
    let mut found = Vec::new();
    function.body().walk(&mut |inst| {
        let InstKind::Op { op, args } = &inst.kind else { return };
        let OpFamily::Arithmetic(op, OverflowRule::Wrap) = op.family() else { return };
        match op {
            ArithmeticOp::Mul => products.extend(inst.result.filter(|&result| is_float(result))),
            ArithmeticOp::Add | ArithmeticOp::Sub => {
                if args.iter().any(|arg| products.contains(arg)) {
                    found.push(inst.pos);
                }
            }
        }
    });
    found
}
