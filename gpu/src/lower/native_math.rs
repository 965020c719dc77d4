//! Functions of the library `fast_math` that every GPU has as native functions, and much faster: in
//! Relaxed, which permits it, their calls are not inlined but become native. Only functions whose
//! worst error on real devices stays small relative to their results are listed
//! ([gpu.md](../../../docs/gpu.md) has the figures): drivers' sines and tangents have no correct
//! digit near their zeros.

use std::sync::OnceLock;

use naga::MathFunction;
use tilewise_ir::check::Checked;
use tilewise_ir::inline::inline_where;
use tilewise_ir::kernel::{CallArgument, Function, FunctionId, Kernel};
use tilewise_ir::text::parse;

use super::builder::ExprHandle;
use super::lowered::ModuleKey;
use super::state::{Lowerer, LoweringResult, malformed};

const OWN: [(&str, MathFunction); 4] = [
    ("fast_math::exp", MathFunction::Exp),
    ("fast_math::exp2", MathFunction::Exp2),
    ("fast_math::log", MathFunction::Log),
    ("fast_math::log2", MathFunction::Log2),
];

fn own(name: &str) -> Option<MathFunction> {
    OWN.iter().find(|(own, _)| *own == name).map(|(_, function)| *function)
}

/// Whether it is the library's function: a kernel may have its own function of that name.
fn is_of_library(function: &Function) -> bool {
    static LIBRARY: OnceLock<Vec<Function>> = OnceLock::new();
    let library = LIBRARY.get_or_init(|| {
        let called = |(name, _): &(&str, MathFunction)| {
            let text = format!("kernel k(a: view<f32, 1, read_write>) rank(1) {{ a[0] = {name}(a[0]); }}");
            let kernel = parse("k.kir", &text).ok()?;
            inline_where(&kernel, &|function| function.name() == *name).functions().first().cloned()
        };
        OWN.iter().filter_map(called).collect()
    });
    library.contains(function)
}

/// The kernel with all other calls inlined; `None` if it has no such call, and none that the launch
/// leaves to a texture unit.
pub(super) fn with_calls(kernel: &Checked<Kernel>, key: &ModuleKey) -> Option<Kernel> {
    let by_unit = |function: &Function| key.textures.iter().any(|used| used.function == function.name());
    let is_kept = |function: &Function| own(function.name()).is_some() || by_unit(function);
    if !kernel.functions().iter().any(is_kept) {
        return None;
    }
    let named = inline_where(kernel, &is_kept);
    let kept = named.functions().iter().filter(|function| by_unit(function) || is_of_library(function));
    let kept: Vec<&str> = kept.map(Function::name).collect();
    match kept.len() {
        0 => None,
        all if all == named.functions().len() => Some(named),
        _ => Some(inline_where(kernel, &|function| kept.contains(&function.name()))),
    }
}

impl Lowerer<'_> {
    /// A call that is left is a native function, or one of a texture unit.
    pub(super) fn native(&mut self, function: FunctionId, args: &[CallArgument]) -> LoweringResult<ExprHandle> {
        let name = self.input.kernel.functions().get(function.index()).map_or("", |function| function.name());
        if let Some(sample) = self.by_texture_unit(name, args)? {
            return Ok(sample);
        }
        let (Some(native), [CallArgument::Value(x)]) = (own(name), args) else {
            return Err(malformed("a call is left after inlining"));
        };
        let x = self.value(*x)?;
        Ok(self.b.math(native, &[x]))
    }
}
