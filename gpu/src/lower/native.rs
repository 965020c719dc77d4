//! Functions of the library `fast_math` that every GPU has as its own, and much faster: in Relaxed, which allows it, their calls are not inlined but become
//! the driver's. Only those whose worst error on real devices stays small beside what they give are here ([gpu.md](../../../docs/gpu.md) has the figures): sines and
//! tangents of drivers have no digit right near their zeros.

use naga::MathFunction;
use tilewise_ir::check::Checked;
use tilewise_ir::inline::inline_where;
use tilewise_ir::kernel::{Arg, FunctionId, Kernel};

use super::builder::Expr;
use super::state::{Lowerer, Made, malformed};

const OWN: [(&str, MathFunction); 4] = [
    ("fast_math::exp", MathFunction::Exp),
    ("fast_math::exp2", MathFunction::Exp2),
    ("fast_math::log", MathFunction::Log),
    ("fast_math::log2", MathFunction::Log2),
];

fn own(name: &str) -> Option<MathFunction> {
    OWN.iter().find(|(own, _)| *own == name).map(|(_, function)| *function)
}

/// The kernel without calls but those; nothing if it has none.
pub(super) fn with_calls(kernel: &Checked<Kernel>) -> Option<Kernel> {
    let any = kernel.functions().iter().any(|function| own(function.name()).is_some());
    any.then(|| inline_where(kernel, &|function| own(function.name()).is_some()))
}

impl Lowerer<'_> {
    /// A call that is left is the driver's.
    pub(super) fn native(&mut self, function: FunctionId, args: &[Arg]) -> Made<Expr> {
        let name = self.kernel.functions().get(function.index()).map_or("", |function| function.name());
        let (Some(native), [Arg::Value(x)]) = (own(name), args) else {
            return Err(malformed("a call is left after inlining"));
        };
        let x = self.value(*x)?;
        Ok(self.b.math(native, &[x]))
    }
}
